#!/usr/bin/env bats
# ovni-states.bats - ovni-dump -D: how long threads are in which state, and what numbers in events
# stand for. tests/states holds a small trace with states of every model, and the totals that ovni's
# emulator (release 1.14.0) finds in it.

load ../helpers

# All bytes are printf's escapes, \xHH, so that a test of many events needs no process for each.

le() { # BYTES NUMBER: the least byte first
	local bytes
	printf -v bytes '\\x%02x' $(($2 & 255)) $(($2 >> 8 & 255)) $(($2 >> 16 & 255)) $(($2 >> 24 & 255)) \
		$(($2 >> 32 & 255)) $(($2 >> 40 & 255)) $(($2 >> 48 & 255)) $(($2 >> 56 & 255))
	printf %s "${bytes:0:4 * $1}"
}

text() { # TEXT: its bytes and a NUL
	local i
	for ((i = 0; i < ${#1}; i++)); do printf '\\x%02x' "'${1:i:1}"; done
	printf '\\x00'
}

# stream DIR [JSON]: begins stream DIR/stream.obs, of thread 7 of process 5 of loom n.
stream() {
	mkdir -p "$1"
	OBS=$1/stream.obs
	printf 'ovni\1\0\0\0' > "$OBS"
	printf '{"version": 3, "ovni": {"loom": "%s", "pid": %s, "tid": %s}%s}' \
		"${LOOM-n}" "${PID-5}" "${TID-7}" "${2:+, $2}" > "$1/stream.json"
}

# begin FLAGS MCV CLOCK: sets `begin`, what every event begins with.
begin() {
	printf -v begin '\\x%02x' "$1" "'${2:0:1}" "'${2:1:1}" "'${2:2:1}" \
		$(($3 & 255)) $(($3 >> 8 & 255)) $(($3 >> 16 & 255)) $(($3 >> 24 & 255)) \
		$(($3 >> 32 & 255)) $(($3 >> 40 & 255)) $(($3 >> 48 & 255)) $(($3 >> 56 & 255))
}

# ev MCV CLOCK [BYTES]: an event, with its payload. jumbo: the same with jumbo data.
ev() {
	local n=$((${#3} / 4)) begin
	begin $((n ? n - 1 : 0)) "$1" "$2"
	# shellcheck disable=SC2059  # the format is the bytes
	printf "$begin${3-}" >> "$OBS"
}

jumbo() {
	local begin
	begin 0x13 "$1" "$2"
	# shellcheck disable=SC2059
	printf "$begin$(le 4 $((${#3} / 4)))$3" >> "$OBS"
}

# evs MCV CLOCK ...: events without payload.
evs() {
	while [ $# -gt 0 ]; do
		ev "$1" "$2"
		shift 2
	done
}

cpu='\x00\x00\x00\x00\x00\x00\x00\x00' # OHx: cpu, tid, and 8 bytes of tag
mark() { # VALUE TYPE
	le 8 "$1"
	le 4 "$2"
}

# Event, duration in ns, and self and running in ns, of what -D gives.
times() {
	ovni-dump -D "$@" | awk -F'\t' 'function ns(s) { sub(/\./, "", s); sub(/^0+/, "", s); return s == "" ? 0 : s }
		{ line = $3 " " ($6 == "-" ? "-" : ns($6))
		for (i = 7; i <= NF; i++) if ($i ~ /^(self|running)=/) { sub(/.*=/, "", $i); line = line " " ns($i) }
			else if ($i == "open=1") line = line " open"
		print line }'
}


@test "every model: the time of every state is what ovni's emulator finds" {
	ovni-dump -D "$ROOT/tests/states/trace" | awk -F'\t' '
		function ns(s) { sub(/\./, "", s); return s + 0 }
		{
			split($2, loc, "/")
			state = $3
			running = ""
			for (i = 7; i <= NF; i++) {
				k = v = $i
				sub(/=.*/, "", k)
				sub(/[^=]*=/, "", v)
				if (k == "running") running = ns(v)
				if (k == "value") value = v
				if (k == "type" && state ~ /^OM/) state = "mark " v " " value
				if (k == "taskid" && state == "PPx") state = "task " v
			}
			if (state ~ /^OH[xr]$/) state = "OHx OHr"
			if (state ~ /^OH/) { if ($6 != "-") sum[loc[3] "\t" state] += ns($6) }
			else if (state !~ /^(VP|6P|PQ)/ && running) sum[loc[3] "\t" (state == "VSN" ? "VS[" : state)] += running
		}
		END { for (k in sum) print k "\t" sum[k] }' | sort > got
	grep -v '^#' "$ROOT/tests/states/totals.tsv" | sort > want
	same want got
	[ "$(wc -l < want)" = 100 ]
}

@test "nosv_attach is VAa to VAA, VSh ends at VSf, KCO at KCI; VHa and VHA are points" {
	stream t
	evs VHa 10 VAa 20 VAA 50 VHA 60 VSh 70 VSf 100 KCO 110 KCI 115
	times t > got
	same got - <<-E
		VHa -
		VAa 30 30 0
		VHA -
		VSh 30 30 0
		KCO 5 5 5
	E
}

@test "a task's body is a state among those of its model; pause and resume are none" {
	local one two
	one=$(le 4 1)$(le 4 0) two=$(le 4 2)$(le 4 0)
	stream t
	ev OHx 0 "$cpu$cpu"
	evs VS[ 10
	ev VTx 20 "$one"
	evs VAs 30
	ev VTp 35 "$one"
	ev VTx 40 "$two"
	ev VTe 60 "$two"
	ev VTr 65 "$one"
	evs VAS 70
	ev VTe 90 "$one"
	evs VS] 100
	# Nanos6, whose task bodies hold others without a word; 6t[ is no state of theirs.
	evs 6W[ 110 6t[ 112
	ev 6Tx 115 "$(le 4 1)"
	ev 6Tx 120 "$(le 4 2)"
	ev 6Te 130 "$(le 4 2)"
	ev 6Te 135 "$(le 4 1)"
	evs 6t] 138 6W] 140 OHe 200
	times t > got
	same got - <<-E
		OHx 200
		VS[ 90 20 20
		VTx 70 30 30
		VAs 40 20 20
		VTp -
		VTx 20 20 20
		VTr -
		6W[ 30 10 10
		6t[ 26
		6Tx 20 10 10
		6Tx 10 10 10
		OHe -
	E
}

@test "OpenMP tasks and workshares, thread types, flushes and spins have channels of their own" {
	stream t
	ev OHx 0 "$cpu$cpu"
	evs PH[ 10
	ev PPx 20 "$(le 4 1)"
	evs PBb 30 PBs 32
	ev PQx 40 "$(le 4 9)"
	evs PBS 45 PBB 50 PH] 60
	ev PPe 70 "$(le 4 1)"
	ev PQe 80 "$(le 4 9)"
	evs 6Hw 100 6W[ 110 OF[ 115 6HW 120 OF] 125 6W] 130 OHe 200
	times t > got
	same got - <<-E
		OHx 200
		PH[ 50 30 30
		PPx 50 50 50
		PBb 20 20 20
		PBs 13
		PQx 40 40 40
		6Hw 20 20 20
		6W[ 20 20 20
		OF[ 10 10 10
		OHe -
	E
}

@test "marks pair by type and value; a value lasts until the next of its type" {
	stream t
	ev OHx 0 "$cpu$cpu"
	ev OM[ 10 "$(mark 1 2)"
	ev OM[ 20 "$(mark 5 3)"
	ev OM[ 30 "$(mark 2 2)"
	ev OM= 35 "$(mark 7 4)"
	ev OM] 40 "$(mark 5 3)"
	ev OM] 50 "$(mark 2 2)"
	ev OM= 55 "$(mark 8 4)"
	ev OM] 60 "$(mark 1 2)"
	ev OM] 70 "$(mark 3 2)"   # was never pushed
	ev OM[ 80 "$(mark 1 100)" # no type of marks
	evs OHe 100
	times t > got
	same got - <<-E
		OHx 100
		OM[ 50 30 30
		OM[ 20 20 20
		OM[ 20 20 20
		OM= 20 20 20
		OM= - open 45 45
		OM] -
		OM[ -
		OHe -
	E
}

@test "states of a thread last until the next one; running= counts them as Paraver does" {
	stream t
	evs MS[ 0 VAs 0 KCO 0 # before the thread runs
	ev OHx 10 "$cpu$cpu"
	evs OHc 20 OHp 35 OHw 55 OHr 80 MS] 100 VAS 110 KCI 120 VPr 130 OHp 140 VPp 150 OHr 160 OHe 200
	times t > got
	same got - <<-E
		MS[ 100 100 30
		VAs 110 110 80
		KCO 120 120 120
		OHx 10
		OHc 15
		OHp 20
		OHw 25
		OHr 60
		VPr 20 20 10
		OHp 20
		VPp - open 50 40
		OHr 40
		OHe -
	E
}

@test "a state that is never left has its time in itself, and what of it counts" {
	stream t
	ev OHx 0 "$cpu$cpu"
	evs MUt 10 MS[ 20 MS] 25 VAs 30 VS[ 40 VAS 50 MS] 60 OHe 70 OB. 90
	times t > got
	same got - <<-E
		OHx 70
		MUt - open 75 55
		MS[ 5 5 5
		VAs 20 10 10
		VS[ - open 10 10
		MS] -
		OHe -
		OB. -
	E
}

@test "what happened in an unordered region is paired in its time" {
	stream t
	ev OHx 0 "$cpu$cpu"
	evs VAs 10 KCO 15 VS[ 20 KCI 25 VS] 30 VAS 40 OHp 50 OHr 60 OHe 70
	times t | sort > want
	stream t
	ev OHx 0 "$cpu$cpu"
	evs VAs 10 VAS 40 OHp 50 OHr 60 OU[ 61 KCO 15 VS[ 20 KCI 25 VS] 30 OU] 63 OHe 70
	times t | grep -v ^OU | sort > got
	same want got
	ovni-dump -D -b t | trace-filter -t 'time >= 0' | grep -v OU > got
	ovni-dump -D t | grep -v OU | same - got
	# Regions that reach into each other.
	stream t
	ev OHx 0 "$cpu$cpu"
	evs VAS 40 OU[ 41 VAs 10 VS] 30 OU] 42 OHp 50 OHr 60 OU[ 61 KCO 15 VS[ 20 KCI 25 OU] 63 OHe 70
	times t | grep -v ^OU | sort > got
	same want got
}

@test "of -D text and binary, merged or one stream after the other, say the same" {
	ovni-dump -D "$ROOT/tests/states/trace" > want
	ovni-dump -D -b "$ROOT/tests/states/trace" | trace-filter -t 'time >= 0' | same want -
	ovni-dump -D -s "$ROOT/tests/states/trace" | sort -s -n | same want -
	grep -q running= want
}

@test "of -D a trace of the other byte order says the same" {
	# Stream by stream, as the table of events has the arguments.
	cat > turn.c <<-'E'
		#include <stdio.h>
		#include <string.h>
		#include <stdlib.h>
		#define ROW(m, leave, kind, name, args, about) {m, args}, {leave, args}
		static const struct { const char mcv[4], *args; } events[] = {
		#include "ovni/events.h"
		};
		static unsigned char b[1 << 20];
		static void turn(unsigned char *p, size_t n)
		{
			for (size_t i = 0; i < n / 2; i++) {
				unsigned char was = p[i];
				p[i] = p[n - 1 - i];
				p[n - 1 - i] = was;
			}
		}
		static void args(const unsigned char *mcv, unsigned char *p, size_t n)
		{
			const char *s = "";
			for (size_t i = 0; i < sizeof events / sizeof *events; i++)
				if (!memcmp(events[i].mcv, mcv, 3))
					s = events[i].args;
			while (*s && n) {
				size_t bytes = strtoul(s + 1, NULL, 10) / 8;
				if (!bytes || bytes > n)
					break;
				turn(p, bytes);
				p += bytes;
				n -= bytes;
				if (mcv[1] == 'W' && mcv[2] == 'C') /* as many as there are */
					continue;
				s += strcspn(s, ",");
				s += strspn(s, ", ");
			}
		}
		int main(void)
		{
			size_t n = fread(b, 1, sizeof b, stdin), at = 8;
			turn(b + 4, 4);
			while (at + 12 <= n) {
				unsigned char *p = b + at;
				unsigned size = p[0] & 15 ? (p[0] & 15) + 1 : 0, head = 12;
				if (p[0] & 16) {
					memcpy(&size, p + 12, 4);
					turn(p + 12, 4);
					head = 16;
				}
				turn(p + 4, 8);
				args(p + 1, p + head, size);
				at += head + size;
			}
			fwrite(b, 1, n, stdout);
			return at != n;
		}
	E
	$CC -I"$ROOT/common" -I"$ROOT/cmd/lib" -I"$ROOT/cmd" -o turn turn.c
	for trace in "$ROOT/tests/states/trace" "$FIX/runs/tasks"; do
		rm -rf t
		cp -r "$trace" t
		ovni-dump -D t > want
		for f in t/*/*/*/stream.obs; do
			./turn < "$f" > turned
			cat turned > "$f"
			[ "$(head -c 8 "$f" | od -An -tx1 | tr -d ' \n')" = 6f766e6900000001 ]
		done
		ovni-dump -D t | same want -
		ovni-dump -D -b t | trace-filter -t 'time >= 0' | same want -
		grep -q running= want
	done
	grep -q 'type=solve.*running=' want
}

@test "nosv_join, nosv_join_all, nosv_wait and nosv_wait_all have their names" {
	stream t
	evs VAj 1 VAJ 2 VAm 3 VAM 4 VAi 5 VAI 6 VAn 7 VAN 8
	ovni-dump -N t | sed 's/.*name=//' | same - <(printf 'nosv.api.%s\n' join.enter join.leave \
		join_all.enter join_all.leave wait.enter wait.leave wait_all.enter wait_all.leave)
}

@test "all counters have the names that the metadata give them" {
	stream t '"nosv": {"hwc": {"0": {"name": "INS"}, "1": {"name": "A=B C"}, "2": {"name": "CYC"}}}, "nanos6": {"hwc": {"0": {"name": "MISS"}}}'
	jumbo VWC 1 "$(le 8 11)$(le 8 12)$(le 8 13)"
	jumbo VWC 2 "$(le 8 21)$(le 8 22)"
	jumbo VWC 3 "$(le 8 31)$(le 8 32)$(le 8 33)\xff"
	jumbo 6WC 4 "$(le 8 41)"
	ovni-dump t | cut -f 3,7- | same - <(printf 'VWC\tINS=11\tA\\x3dB\\x20C=12\tCYC=13\nVWC\tINS=21\tA\\x3dB\\x20C=22
VWC\tINS=31\tA\\x3dB\\x20C=32\tCYC=33\trest=0xff\n6WC\tMISS=41\n')
	[ "$(ovni-dump -b t | trace-stats -a 'sum(INS),sum(MISS)' | tail -1)" = $'63\t41' ]
	# Without names: as far as it goes.
	stream t
	jumbo VWC 1 "$(le 8 11)$(le 8 12)"
	[ "$(ovni-dump t | cut -f 7-)" = $'value=11\trest=0x0c00000000000000' ]
	# Streams of one trace may name different ones.
	stream u/1 '"nosv": {"hwc": {"0": {"name": "X"}}}'
	jumbo VWC 1 "$(le 8 1)"
	TID=8 stream u/2 '"nosv": {"hwc": {"0": {"name": "Y"}}}'
	jumbo VWC 2 "$(le 8 2)"
	[ "$(ovni-dump u | cut -f 7- | tr '\n' ' ')" = 'X=1 Y=2 ' ]
}

@test "task events carry the label of their type, whichever thread of the process gave it" {
	# The task's stream comes first, and another process has a type of the same number.
	TID=1 stream t/a
	ev VTx 100 "$(le 4 6)$(le 4 0)"
	ev VTp 110 "$(le 4 6)$(le 4 0)"
	ev VTr 120 "$(le 4 6)$(le 4 0)"
	ev VTe 130 "$(le 4 6)$(le 4 0)"
	ev VTx 140 "$(le 4 99)$(le 4 0)" # of no type
	TID=2 stream t/b
	jumbo VYc 10 "$(le 4 3)$(text 'solve it')"
	ev VTC 20 "$(le 4 6)$(le 4 3)"
	PID=6 TID=3 stream t/c
	jumbo VYc 10 "$(le 4 3)$(text pack)"
	jumbo 6Yc 11 "$(le 4 3)$(text six)"
	jumbo POc 12 "$(le 4 3)$(text omp)"
	ev VTc 20 "$(le 4 6)$(le 4 3)"
	ev 6Tc 21 "$(le 4 6)$(le 4 3)"
	ev PPc 22 "$(le 4 6)$(le 4 3)"
	ev VTx 30 "$(le 4 6)" # nOS-V before 2.0.0
	ev 6Tx 31 "$(le 4 6)"
	ev PPx 32 "$(le 4 6)"
	ev PQx 33 "$(le 4 3)"
	ovni-dump -D t | grep -Pv '\t(VYc|6Yc|POc)\t' |
		awk -F'\t' '{ split($2, l, "/"); type = ""; for (i = 7; i <= NF; i++) if ($i ~ /^type=/) type = $i
			print l[3], $3, type }' > got
	same got - <<-'E'
		2 VTC type=solve\x20it
		3 VTc type=pack
		3 6Tc type=six
		3 PPc type=omp
		3 VTx type=pack
		3 6Tx type=six
		3 PPx type=omp
		3 PQx type=omp
		1 VTx type=solve\x20it
		1 VTp type=solve\x20it
		1 VTr type=solve\x20it
		1 VTx 
	E
	[ "$(ovni-dump -D -b t | trace-filter -c 'type = pack and taskid = 6')" = 2 ]
}

@test "marks carry their title and label" {
	stream t '"x": 1, "ovni.mark": {"1": {"title": "Phase", "chan_type": "single", "labels": {"-3": "cold", "4": "hot"}}}'
	ev OM= 1 "$(mark -3 1)"
	ev OM= 2 "$(mark 4 1)"
	ev OM= 3 "$(mark 5 1)"
	ev OM= 4 "$(mark 5 2)"
	ovni-dump t | cut -f 7- > got
	same got - <<-'E'
		value=-3	type=1	title=Phase	label=cold
		value=4	type=1	title=Phase	label=hot
		value=5	type=1	title=Phase
		value=5	type=2
	E
	[ "$(ovni-dump -b -D t | trace-filter -c 'label = hot')" = 1 ]
}

@test "states without end, and tasks of every number, take bounded memory" {
	need_native
	mkdir t
	# 400,000 states that are never left, 200,000 tasks whose numbers are far apart.
	cat > big.c <<-'E'
		#include <stdio.h>
		#include <string.h>
		#include <stdint.h>
		static void ev(const char *mcv, uint64_t clock, uint32_t a, int n)
		{
			uint8_t b[20] = {0};
			uint32_t type = 1;
			b[0] = n ? (uint8_t)(n - 1) : 0;
			memcpy(b + 1, mcv, 3);
			memcpy(b + 4, &clock, 8);
			memcpy(b + 12, &a, 4);
			memcpy(b + 16, &type, 4);
			fwrite(b, 1, (size_t)(12 + n), stdout);
		}
		int main(void)
		{
			fwrite("ovni\1\0\0\0", 1, 8, stdout);
			for (uint32_t i = 0; i < 400000; i++)
				ev("VAs", i, 0, 0);
			for (uint32_t i = 0; i < 200000; i++)
				ev("VTc", 400000 + i, i * 21001u, 8);
			for (uint32_t i = 0; i < 400000; i++)
				ev("VAS", 600000 + i, 0, 0);
			return 0;
		}
	E
	$CC -o big big.c
	./big > t/thread.1
	# shellcheck disable=SC2016
	run sh -c 'ulimit -v 300000; ovni-dump -D t > out'
	[ "$status" = 2 ]
	has "$output" 'too many types, tasks or labels'
	# Of those that are kept every one has its leave.
	awk -F'\t' '$3 == "VAs" && $6 != "-" { n++ } $3 == "VAs" && /open=1/ { open++ } $3 == "VAS" { alone++ }
		END { exit !(n >= 32768 && n + open == 400000 && n + alone == 400000) }' out
}
