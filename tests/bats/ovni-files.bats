#!/usr/bin/env bats
# ovni-files.bats - what lies around the events of ovni traces: regions of late events in great numbers,
# clocks and their offsets, metadata and what is a field of them, data too long for memory.

load ../helpers

setup_file() {
	export FX=$BATS_FILE_TMPDIR/fx
	local gen=$BATS_FILE_TMPDIR
	"${CC:-cc}" -O1 -I"$ROOT/common" -I"$ROOT/cmd/lib" -I"$ROOT/cmd" -o "$gen/gen" "$ROOT/tests/gen/gen_ovni.c"
	"$gen/gen" "$FX"
	# regions DIR STREAMS REGIONS BACK [SAME]: events OB. in order, and regions of up to three of the
	# kernel's, each up to BACK ns before its OU[ and not before 1; DIR.want holds all clocks in order.
	cat > "$gen/regions.c" <<-'C'
		#include <stdint.h>
		#include <stdio.h>
		#include <stdlib.h>
		#include <string.h>
		#include <sys/stat.h>
		static uint64_t state = 1, *all;
		static size_t n;
		static uint64_t rnd(void)
		{
			state = state * 6364136223846793005u + 1442695040888963407u;
			return state >> 33;
		}
		static void put(FILE *f, const char *mcv, uint64_t clock)
		{
			uint8_t b[12] = {0};
			memcpy(b + 1, mcv, 3);
			for (int i = 0; i < 8; i++) b[4 + i] = (uint8_t)(clock >> 8 * i);
			fwrite(b, 1, 12, f);
			all = n & (n - 1) ? all : realloc(all, (n ? 2 * n : 1) * sizeof *all);
			all[n++] = clock;
		}
		static int order(const void *a, const void *b)
		{
			uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
			return x < y ? -1 : x > y;
		}
		int main(int argc, char **argv)
		{
			unsigned streams = (unsigned)atoi(argv[2]), regions = (unsigned)atoi(argv[3]);
			uint64_t back = strtoull(argv[4], NULL, 10);
			char path[4096];
			FILE *f;
			(void)argc;
			for (unsigned i = 0; i < streams; i++) {
				uint64_t t = 1000000000 + rnd() % 1000, k;
				snprintf(path, sizeof path, "%s/thread.%u", argv[1], 1000 + i);
				f = fopen(path, "w");
				fwrite("ovni\1\0\0\0", 1, 8, f);
				for (unsigned r = 0; r < regions; r++) {
					for (k = rnd() % 3; k--;) put(f, "OB.", t += 1 + rnd() % 100);
					put(f, "OU[", t += 1 + rnd() % 100);
					for (k = rnd() % 4; k--;) {
						uint64_t b = rnd() * 2147483648u + rnd();
						b %= back;
						put(f, "KCO", b < t ? t - b : 1);
					}
					put(f, "OU]", t += 1 + rnd() % 100);
				}
				fclose(f);
			}
			qsort(all, n, sizeof *all, order);
			snprintf(path, sizeof path, "%s.want", argv[1]);
			f = fopen(path, "w");
			for (size_t i = 0; i < n; i++) fprintf(f, "%llu\n", (unsigned long long)all[i]);
			return fclose(f);
		}
	C
	"${CC:-cc}" -O2 -o "$gen/regions" "$gen/regions.c"
}

# Bytes as hex.
bytes() {
	# shellcheck disable=SC2059  # the format is the bytes
	printf "$(tr -d ' \t\n' <<<"$1" | sed 's/../\\x&/g')"
}

regions() {
	mkdir "$1"
	echo '{"version":1,"app_id":1}' > "$1/metadata.json"
	"$BATS_FILE_TMPDIR/regions" "$@"
}

# The clocks of a text stream with absolute times.
clocks() {
	cut -f 1 "$1" | tr -d . | sed 's/^0*//'
}

# stream DIR LOOM PID TID JSON: one of version 3 with an event at 1 us.
stream() {
	local d=$1/loom.$2/proc.$3/thread.$4
	mkdir -p "$d"
	bytes "6f766e6901000000 004f422e${6:-e803000000000000}" > "$d/stream.obs"
	echo "{\"version\":3,\"ovni\":{\"tid\":$4,\"pid\":$3,\"loom\":\"$2\"$5}}" > "$d/stream.json"
}

CPUS=',"app_id":1,"loom_cpus":[{"index":0,"phyid":0},{"index":1,"phyid":1}]'

@test "a thousand streams of seventy regions each come in order of time" {
	regions t 1000 70 1000
	ovni-dump -A t > out
	clocks out | same t.want -
}

@test "half a million regions come in order of time, in little memory" {
	need_native
	for t in '3 60000 100000' '1 300000 10000000'; do
		rm -rf t
		# shellcheck disable=SC2086
		regions t $t
		(ulimit -v 65536; ovni-dump -A t) > out
		clocks out | same t.want -
	done
}

@test "where more stretches wait at one time than the page says, the stream is named and nothing is lost" {
	need_native
	regions t 1 400000 2000000000
	(ulimit -v 131072; ovni-dump -A t > out 2> err) || [ $? = 2 ]
	[ "$(wc -l < err)" = 1 ]
	has "$(cat err)" 't/thread.1000: offset [0-9]+: more than 65536 stretches of unordered events wait'
	clocks out | sort -n | same t.want -
	# All that is in the first half waits for nothing yet.
	clocks out | head -n 100000 | same <(head -n 100000 t.want) -
	grep -q '65,536 stretches' "$ROOT/man/ovni-dump.1"
}

@test "streams of two machines without clock-offsets.txt: a warning; of one machine, or with offsets, none" {
	stream t node0.1 1 1 "$CPUS"
	stream t node0.2 2 2 "$CPUS"
	status_is 0 ovni-dump t
	[ -z "$stderr" ]
	stream t node1.1 3 3 "$CPUS"
	status_is 0 ovni-dump t
	has "$stderr" '^ovni-dump: t: looms node0.1 and node1.1 are of two machines: without clock-offsets.txt'
	[ "$(wc -l <<<"$output")" = 3 ]
	status_is 0 ovni-dump --raw-clock t
	[ -z "$stderr" ]
	status_is 0 trace-stats -g event -a count t
	[ -z "$stderr" ]
	printf 'rank host median mean std\n0 node0 0 0.0 0.0\n1 node1 -5 -5.1 2e1\n' > t/clock-offsets.txt
	status_is 0 ovni-dump t
	[ -z "$stderr" ]
}

@test "first events an hour and more apart: a warning, after the offsets" {
	stream t n.1 1 1 "$CPUS"
	stream t n.1 1 2 '' 00a0b8d74f030000 # 3600.5 s
	status_is 0 ovni-dump t
	has "$stderr" 'thread.2/stream.obs: the first event is 1.01 h after that of t/loom.n.1/proc.1/thread.1/stream.obs'
	stream t n.1 1 2 '' 00c0b8d700030000
	status_is 0 ovni-dump t
	[ -z "$stderr" ]
	rm -r t
	stream t a.1 1 1 "$CPUS"
	stream t b.1 2 2 "$CPUS" 00a0b8d74f030000
	printf 'rank host median mean std\n0 a 0 0 0\n1 b -3600000000000 0 0\n' > t/clock-offsets.txt
	status_is 0 ovni-dump t
	[ -z "$stderr" ]
}

@test "every bad row of clock-offsets.txt is an error with its line; the good ones count" {
	stream t a.1 1 1 "$CPUS"
	stream t b.1 2 2 "$CPUS"
	cat > t/clock-offsets.txt <<-'E'
		rank hostname median mean std
		0 a 100 100.0 1.0
		1 b 300 300.0

		1 b 200 200.0 1.0
		2 a 100 100.0 1.0
		3 a 101 101.0 1.0
		4 c 5 5.0 1.0
		x b 200 200.0 1.0
		5 b 200 200.0 none
		6 b 2x 200.0 1.0
	E
	status_is 2 ovni-dump -A t
	has "$stderr" 't/clock-offsets.txt:3: fewer than five fields'
	has "$stderr" 't/clock-offsets.txt:7: a previous row has another median for the same host'
	has "$stderr" 't/clock-offsets.txt:8: no loom of the trace is on host c'
	has "$stderr" 't/clock-offsets.txt:9: the rank'
	has "$stderr" 't/clock-offsets.txt:10: the rank, mean or deviation'
	has "$stderr" 't/clock-offsets.txt:11: the median'
	[ "$(grep -c clock-offsets <<<"$stderr")" = 6 ]
	[ "$(cut -f 1,2 <<<"$output")" = $'0.000001100\ta.1/1/1\n0.000001200\tb.1/2/2' ]
	# A part of the trace need not have all hosts.
	sed -i '3d; 7,$d' t/clock-offsets.txt
	sed -n 1,20p t/clock-offsets.txt
	echo '4 b 200 200 1' >> t/clock-offsets.txt
	for p in t t/loom.a.1 t/loom.a.1/proc.1 't/loom.b.1 t/loom.a.1'; do
		# shellcheck disable=SC2086
		status_is 0 ovni-dump -A $p
	done
	# A great many bad rows do not make as many messages.
	seq 1000 | sed 's/.*/& z 1 1 1/; s/^/0/' | awk '{ print $1, $2 $1, 1, 1, 1 }' >> t/clock-offsets.txt
	status_is 2 ovni-dump -A t
	[ "$(wc -l <<<"$stderr")" = 11 ]
	has "$stderr" '990 more rows'
}

@test "a stream that two paths lead to is read once, and that is said" {
	cp -r "$FX/v1/ties/ovni" t
	ln -s t u
	ovni-dump t > want 2> err
	for p in 't t/loom.node0.1' 't/loom.node1.1 t' 't t/loom.node0.1/proc.10/thread.100'; do
		# shellcheck disable=SC2086
		status_is 0 ovni-dump $p
		same want - <<<"$output"
		has "$stderr" 'of the streams belongs? to .* too: each is read once'
	done
	has "$stderr" '^ovni-dump: t/loom.node0.1/proc.10/thread.100: 1 of the streams belongs to t too'
	# Each directory is a run of its own, as often as it is named.
	[ "$(trace-filter -c 'time >= 0' t u t)" = 900 ]
	# What two names within one directory lead to is not ours to judge.
	status_is 0 ovni-dump t/loom.node0.1 t/loom.node1.1
	[ "$(grep -c 'read once' <<<"$stderr")" = 0 ]
	same want - <<<"$output"
}

@test "--release 1.0: M and T are its letters; where both readings are possible there is a hint" {
	mkdir -p t/loom.n.1/proc.1
	{ bytes 6f766e6901000000
	  c=1
	  for e in OB. MP[ MT[ TS[ TS] TW[ TW] Tr[ Tr] MT] MP] MUf; do
		bytes "00$(printf %s "$e" | od -An -tx1)$(printf %02x $c)00000000000000"
		c=$((c + 1))
	  done; } > t/loom.n.1/proc.1/thread.1
	echo '{"version":1,"app_id":1,"cpus":[{"index":0,"phyid":0}]}' > t/loom.n.1/proc.1/metadata.json
	status_is 0 ovni-dump --release 1.0 -N t
	[ -z "$stderr" ]
	[ "$(awk '{ print $3, $7 }' <<<"$output" | tr '\n' ';')" = 'OB. name=ovni.burst;MP[ name=openmp.parallel.enter;'\
'MT[ name=openmp.task.enter;TS[ name=tampi.send.enter;TS] name=tampi.send.leave;TW[ name=tampi.waitall.enter;'\
'TW] name=tampi.waitall.leave;Tr[ name=tampi.irecv.enter;Tr] name=tampi.irecv.leave;'\
'MT] name=openmp.task.leave;MP] name=openmp.parallel.leave;MUf ;' ]
	status_is 0 ovni-dump --release 1.0.0 -D t
	has "$output" $'\tMT\\[\t-\t-\t0.000000007'
	has "$output" $'\tMP\\[\t-\t-\t0.000000009'
	status_is 0 ovni-dump -N t
	has "$output" $'\tMT\\[\t-\t-\t-\tname=mpi.test.enter'
	[ "$(grep -c -- '-O release=1.0' <<<"$stderr")" = 1 ]
	# Version 2 of the metadata is of 1.5.0, which has one reading.
	sed -i 's/"version":1/"version":2/' t/loom.n.1/proc.1/metadata.json
	status_is 0 ovni-dump -N t
	[ -z "$stderr" ]
	status_is 2 ovni-dump --release 1.3 t
}

@test "metadata of a version that is not known: said, status 2, and the events come" {
	# version: a number specifying the version of the metadata format.
	for l in v1:7:loom.node0.1/proc.10/metadata.json v2:9:loom.node0.1/proc.10/metadata.json \
	    v2:1:loom.node0.1/proc.10/thread.100.json v3:9:loom.node0.1/proc.10/thread.100/stream.json \
	    v3:18446744073709551619:loom.node0.1/proc.10/thread.100/stream.json; do
		IFS=: read -r layout v path <<<"$l"
		rm -rf t
		cp -r "$FX/$layout/ties/ovni" t
		ovni-dump t > want 2> err
		sed -i "s/\"version\": *[123]/\"version\": $v/" "t/$path"
		status_is 2 ovni-dump t
		same want - <<<"$output"
		has "$stderr" "$path: offset 0: version $v is unknown"
	done
}

@test "a clock of 2^63 and more is said, and moves no other event" {
	# 8 bytes for the clock
	bytes '6f766e6901000000 004f422ee803000000000000 004f48700500000000000080
		004f4872dc05000000000000 004f4863ffffffffffffffff 004f4865d007000000000000' > s
	for o in '' -s -D; do
		# shellcheck disable=SC2086
		status_is 2 ovni-dump -A $o s
		has "$stderr" 's: offset 20: the clock 9223372036854775813 is 2\^63 or more'
		[ "$(grep -c back <<<"$stderr")" = 0 ]
		[ "$(cut -f 3 <<<"$output" | tr '\n' ' ')" = 'OB. OHp OHr OHc OHe ' ]
		[ "$(cut -f 1 <<<"$output" | sort | uniq -c | sort -rn | head -1 | tr -s ' ')" = ' 2 9223372036.854775807' ]
	done
	status_is 2 trace-stats -g event -a count s
	has "$stderr" 's: offset 20: the clock'
	[ "$(ovni-dump --compat s 2> err | awk '{ print $1 }' | tr '\n' ' ')" = '1000 -9223372036854775803 1500 -1 2000 ' ]
	status_is 0 trace-filter -c 'event = OB.' s || status_is 2 trace-filter -c 'event = OB.' s
	# Another stream keeps its order among what follows; in the other byte order as well; as the first
	# event, and where an offset makes its key small.
	cp -r "$FX/v3/ties/ovni" t
	ovni-dump t 2> err > want
	{ bytes '6f766e6901000000 004f4870ffffffffffffffff'
	  tail -c +9 "$FX/v3/ties/ovni/loom.node0.1/proc.10/thread.100/stream.obs"; } \
		> t/loom.node0.1/proc.10/thread.100/stream.obs
	status_is 2 ovni-dump t
	has "$stderr" 'thread.100/stream.obs: offset 8: the clock 18446744073709551615'
	grep -v OHp <<<"$output" | same want -
	# In a region it stays behind the one before it.
	bytes '6f766e6901000000 004f422e6400000000000000 004f555b6e00000000000000 004b434f3200000000000000
		004b4349ffffffffffffffff 004b434f4600000000000000 004f555d7800000000000000' > s
	status_is 2 ovni-dump s
	[ "$(cut -f 3 <<<"$output" | tr '\n' ' ')" = 'KCO KCI KCO OB. OU[ OU] ' ]
}

@test "cpus: several or no process of a loom with the list, empty lists, gaps: a warning each, status 0" {
	# cpus: the array of `N_c` CPUs available in the loom. Only one process in the loom must contain
	# this mandatory key.
	one=loom.node0.1/proc.10
	for l in v0 v1 v1obs v2; do
		rm -rf t
		cp -r "$FX/$l/all/ovni" t
		cp -r t/$one t/loom.node0.1/proc.11
		status_is 0 ovni-dump t
		has "$stderr" '^ovni-dump: t: loom node0.1: several processes list its cpus'
		sed -i 's/, *$/ }/; /"cpus"/d' t/loom.node0.1/proc.11/metadata.json
		status_is 0 ovni-dump t
		[ "$(grep -c 'loom node' <<<"$stderr")" = 0 ]
		cp t/loom.node0.1/proc.11/metadata.json t/$one/metadata.json
		status_is 0 ovni-dump t
		has "$stderr" '^ovni-dump: t: loom node0.1: no process lists its cpus'
		# Of a part of the loom nothing can be told.
		status_is 0 ovni-dump t/$one
		[ "$(grep -c 'loom node' <<<"$stderr")" = 0 ]
		echo '{"version":2,"app_id":1,"cpus":[]}' > t/$one/metadata.json
		status_is 0 ovni-dump t
		has "$stderr" '^ovni-dump: t: loom node0.1: the list of cpus is empty'
	done
	# Each element is a dictionary with the keys: index: containing the logical CPU index from 0 to
	# `N_c - 1`. phyid: the number of the CPU as given by the operating system (which can exceed `N_c`).
	while IFS='|' read -r list message; do
		rm -rf t
		stream t n.1 1 1 ",\"app_id\":1,\"loom_cpus\":$list"
		status_is 0 ovni-dump t
		[ "$message" != '' ] || [ -z "$stderr" ]
		has "$stderr" "$message"
		[ "$(wc -l <<<"$output")" = 1 ]
	done <<-'E'
		[{"index":0,"phyid":70},{"index":1,"phyid":3}]|
		[{"index":0,"phyid":0},{"index":2,"phyid":1}]|n.1: none of the 2 cpus has index 1
		[{"index":1,"phyid":0}]|n.1: none of the 1 cpus has index 0
		[{"index":0,"phyid":0},{"index":0,"phyid":1}]|n.1: cpus 0 and 1 have the same index, 0
		[{"index":0,"phyid":5},{"index":1,"phyid":5}]|n.1: cpu 5 has two indexes
		[{"index":-1,"phyid":0}]|n.1: a cpu has no index
		[{"index":0}]|n.1: a cpu has no phyid
		[{"index":"0","phyid":0}]|n.1: a cpu has no index
		[]|n.1: the list of cpus is empty
		7|n.1: a cpu has no index
	E
	# Processes of version 3 may list a part each, but none what another one lists.
	rm -rf t
	stream t n.1 1 1 ',"app_id":1,"loom_cpus":[{"index":0,"phyid":0}]'
	stream t n.1 2 2 ',"app_id":1,"loom_cpus":[{"index":1,"phyid":1}]'
	status_is 0 ovni-dump t
	[ -z "$stderr" ]
	stream t n.1 2 2 ',"app_id":1,"loom_cpus":[{"index":1,"phyid":1},{"index":0,"phyid":0}]'
	status_is 0 ovni-dump t
	has "$stderr" 'n.1: several processes list its cpus'
}

@test "app_id missing: a warning for each process, status 0; not where the file is missing too" {
	# app_id: the application ID, used to distinguish between applications running on the same loom.
	cp -r "$FX/v1/ties/ovni" t
	sed -i 's/"app_id": 1, //' t/loom.node1.1/proc.20/metadata.json
	status_is 0 ovni-dump t
	has "$stderr" 'loom.node1.1/proc.20/metadata.json: app_id, the number of the application, is missing'
	[ "$(grep -c app_id <<<"$stderr")" = 1 ]
	rm t/loom.node1.1/proc.20/metadata.json
	status_is 0 ovni-dump t
	[ "$(grep -c app_id <<<"$stderr")" = 0 ]
	rm -rf t
	for i in $(seq 30); do stream t "n.$i" "$i" "$i" ',"loom_cpus":[{"index":0,"phyid":0}]'; done
	stream t n.1 1 100 ',"app_id":1'
	status_is 0 ovni-dump t
	[ "$(grep -c 'app_id, .* is missing' <<<"$stderr")" = 10 ]
	has "$stderr" '^ovni-dump: t: left out 19 more messages'
}

@test "app_id and rank are fields of every event, in every layout and form" {
	# app_id ... rank: the rank of the MPI process (optional).
	for l in v0 v1 v1obs v2 v3; do
		rm -rf t
		cp -r "$FX/$l/ties/ovni" t
		case $l in
		v3)
			# Only one thread says the rank of its process.
			sed -i 's/"app_id":1/"app_id":1,"rank":0/' t/loom.node0.1/proc.10/thread.101/stream.json
			sed -i 's/"app_id":1/"app_id":7,"rank":12/' t/loom.node1.1/proc.20/thread.200/stream.json
			;;
		*) sed -i 's/"rank": 0/"rank": 12/; s/"app_id": 1/"app_id": 7/' t/loom.node1.1/proc.20/metadata.json
			sed -i 's/"rank": [^1]*,/"rank": 0,/' t/loom.node0.1/proc.10/metadata.json ;;
		esac
		for how in 'cat' 'ovni-dump -b' 'ovni-dump -H'; do
			in=t
			[ "$how" = cat ] || { $how t > stream 2> err; in=stream; }
			trace-stats -g app_id,rank -a count $in > got 2> err
			printf '#app_id\trank\tcount\n1\t0\t200\n7\t12\t100\n' | same - got
			[ "$(trace-filter -c 'rank = 12' $in 2> err)" = 100 ]
			[ "$(trace-filter -c 'rank > 3 and app_id = 7' $in 2> err)" = 100 ]
			[ "$(trace-filter -c 'not rank > 3' $in 2> err)" = 200 ]
			[ "$(trace-filter -F tid,rank,app_id 'tid = 101' $in 2> err | sort -u)" = $'101\t0\t1' ]
			# Through a pipe of filters, and back in the form it had.
			[ "$(trace-filter -b 'rank?' $in 2> err | trace-filter -t -H 'event = OB.' | trace-stats -g rank -a count |
				tail -n 1)" = $'12\t50' ]
		done
		trace-filter -n 'rank = 12' t > got 2> err
		find t/loom.node1.1 \( -name thread.200 -type f \) -o -name 'thread.200.obs' -o -name stream.obs > names
		same "$(cat names)" got
	done
	# The text is no other for it.
	ovni-dump "$FX/v3/ties/ovni" > want 2> err
	sed -i 's/,"rank":[0-9]*//; s/"app_id":7/"app_id":1/' t/loom*/*/*/stream.json
	ovni-dump t 2> err | same want -
}

@test "app_id and rank are absent where the metadata lack them" {
	stream t n.1 1 1 ',"app_id":1,"rank":0,"loom_cpus":[{"index":0,"phyid":0}]'
	stream t n.1 2 2 ',"app_id":2'
	for how in cat 'ovni-dump -b' 'ovni-dump -H'; do
		in=t
		[ "$how" = cat ] || { $how t > stream; in=stream; }
		[ "$(trace-filter -F tid,app_id,rank 'time >= 0' $in)" = $'1\t1\t0\n2\t2\t-' ]
		[ "$(trace-filter -c 'rank?' $in)" = 1 ]
		[ "$(trace-filter -c 'not rank?' $in)" = 1 ]
		trace-stats -g rank -a count $in > got
		printf '#rank\tcount\n-\t1\n0\t1\n' | sort | same <(sort got) -
	done
	status_is 2 trace-filter -c 'rank = 0' "$FX/v3/ties/ovni"
	has "$stderr" 'no event had a field rank'
	status_is 2 trace-filter -c 'rank = 0' <(ovni-dump t)
	has "$stderr" 'a text stream keeps fewer names than its trace had: write it with -b'
}

@test "-D gives the events of unordered regions in the same order as without, in little memory" {
	need_native
	for t in '1000 70 1000' '3 60000 100000' '2 5000 10000000'; do
		rm -rf t
		# shellcheck disable=SC2086
		regions t $t
		ovni-dump -A t | grep -vP '\tOU\]\t' | cut -f 1-5 > want
		cut -f 1 want | sort -c -n
		(ulimit -v 98304; ovni-dump -D -A t) | cut -f 1-5 | same want -
	done
}

@test "-D: where more stretches wait at one time than the page says, the stream is named once" {
	need_native
	regions t 1 400000 2000000000
	(ulimit -v 131072; ovni-dump -D -A t > out 2> err) && got=0 || got=$?
	[ "$got" = 2 ]
	[ "$(grep -c 'more than 65536 stretches of unordered events wait' err)" = 1 ]
	ovni-dump -A t 2> /dev/null | grep -vP '\tOU\]\t' > all
	clocks all | sort -n > want
	clocks out | sort -n | same want -
}

@test "-D: a state that begins or ends at a clock of 2^63 and more does so where it lies" {
	# VAs at 1000, VAS at no time behind 1500; VS[ at no time, VS] at 2000.
	bytes '6f766e6901000000 00564173e803000000000000 004f422edc05000000000000
		005641530500000000000080 0056535bffffffffffffffff 0056535dd007000000000000' > s
	for o in '' -s; do
		# shellcheck disable=SC2086
		status_is 2 ovni-dump -D -A $o s
		has "$stderr" 'is 2\^63 or more'
		has "$output" '^0.000001000.*VAs	-	-	0.000000500	self=0.000000500'
		has "$output" '^9223372036.854775807.*VS.	-	-	0.000000500	self=0.000000500'
		[ "$(wc -l <<<"$output")" = 3 ]
	done
}

@test "any metadata of a place are a field of its events, and of a part of the place" {
	{ printf '##spoor\t1\n##format\tx\n##clock\ts\n##loc\ta/b\n'
	  printf '##meta\t1/2:k=two\n##meta\t1:k=one\n##meta\t1/2:k=again\n##meta\tx\\x20y/2:k=a\\x20b\n##meta\tk=z\n##meta\t9:e=\n'
	  for l in 1/2 1/3 1 '1/2/4' 'x\x20y/2' 2 - 9 12; do printf '0.000000000\t%s\tE\t-\t-\t-\n' "$l"; done
	  printf '##end\tevents=9\n'; } > s
	[ "$(trace-filter -F loc,k,e 'time >= 0' s | tr '\t\n' ' ;')" = \
		'1/2 two -;1/3 one -;1 one -;1/2/4 two -;x\x20y/2 a\x20b -;2 - -;- - -;9 - "";12 - -;' ]
	[ "$(trace-filter -c 'k = one' s)" = 2 ]
	[ "$(trace-filter -b 'time >= 0' s | trace-stats -g k -a count | grep two)" = $'two\t2' ]
}

@test "the header has app_id and rank of every process, however much the rest is" {
	notes=$(head -c 1000000 /dev/zero | tr '\0' x)
	for i in 1 2 3 4 5; do
		stream t n.1 "$i" "$i" ",\"app_id\":1,\"rank\":$i,\"notes\":\"$notes\""
	done
	ovni-dump -H t > s 2> err || [ $? = 2 ]
	grep 't: the metadata exceed 4096 KiB: the rest is not kept$' err
	{ trace-stats -g rank -a count s || [ $? = 2 ]; } > ranks
	[ "$(wc -l < ranks)" = 6 ]
	[ "$(grep -c 'ovni.notes' s)" -lt 5 ]
}

@test "-n keeps jumbo data of more than 16 MiB whole, from a file and from a pipe" {
	# Jumbo: with a payload up to 2^32 bytes
	need_native
	{
		bytes '6f766e6901000000 004f422ee803000000000000 13565963f403000000000000 04004001 07000000'
		head -c 20971520 /dev/zero | tr '\0' x
		bytes '004f4865d007000000000000'
	} > s
	status_is 0 trace-filter -n -o got 'time >= 0' s
	[ -z "$stderr" ]
	same s got
	trace-filter -n 'time >= 0' < s | same s -
	# shellcheck disable=SC2002  # a pipe is what it is about
	cat s | (ulimit -v 131072; trace-filter -n 'time >= 0') | same s -
	[ "$(trace-filter -n 'event = VYc' s | tail -c +9 | head -c 20 | od -An -tx1 | tr -d ' \n')" = \
		13565963f4030000000000000400400107000000 ]
	# As text it has no label, and that is said.
	status_is 2 ovni-dump s
	has "$stderr" 's: offset 20: jumbo data of 20971524 bytes'
	status_is 0 trace-filter -c 'size > 20M' s
	[ "$output" = 1 ]
	# And as ovnidump -x shows it: 4 bytes of size, and the data.
	[ "$(ovni-dump --compat s | sed -n 2p | tr -cd : | wc -c)" = 20971528 ]
}

@test "the collection: no warning where the emulator finds nothing, one where it refuses a list of cpus" {
	[ -f "$TRACES/../oracles/check/ovni-v3.tar.xz" ] || skip "no traces that the emulator has judged"
	tar xf "$TRACES/../oracles/check/ovni-v3.tar.xz"
	while IFS=$'\t' read -r name refused why; do
		[ -d "$name" ] || continue
		status_is 0 ovni-dump "$name"
		case $why in
		*'cpu with index'*) has "$stderr" 'loom vm: cpus 0 and 1 have the same index, 0' ;;
		*) [ "$refused" = 1 ] || [ "$(grep -vc 'of two machines' <<<"$stderr")" = "$([ -z "$stderr" ] && echo 1 || echo 0)" ] ||
			{ echo "$name: $stderr"; return 1; } ;;
		esac
	done < "$TRACES/../oracles/check/ovniemu-verdicts.tsv"
}

@test "escapes in JSON are UTF-8, the least and the greatest of each length" {
	stream t n 5 7 ''
	echo '{"version":3,"ovni":{"tid":7,"pid":5,"loom":"\u0041\u007e\u0080\u07ff\u0800\ud7ff\ue000\uffff\ud800\udc00\udbff\udfff"}}' \
		> t/loom.n/proc.5/thread.7/stream.json
	printf 'A~\302\200\337\277\340\240\200\355\237\277\356\200\200\357\277\277\360\220\200\200\364\217\277\277/5/7\n' > want
	ovni-dump t 2>/dev/null | tail -1 | cut -f2 | same want -
}
