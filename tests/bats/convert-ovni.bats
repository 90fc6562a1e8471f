#!/usr/bin/env bats
# convert-ovni.bats - trace-convert -T ovni: traces that libovni wrote become text or a binary stream, and come
# back; lines that somebody wrote become traces that ovni's own tools take.

load ../helpers
bats_require_minimum_version 1.5.0

# Tests write these by their own names.
e() { # TIME LOC EVENT [ARGUMENT...]
	printf '%s\t%s\t%s\t-\t-\t-' "$1" "$2" "$3"
	shift 3
	[ $# = 0 ] || printf '\t%s' "$@"
	echo
}

# to_ovni DIR < STREAM: without a message
to_ovni() {
	rm -rf "$1"
	status_is 0 trace-convert -T ovni -o "$1"
	[ -z "$stderr" ] || { echo "$stderr"; return 1; }
}

# hexes FILE: its bytes
hexes() {
	od -An -v -tx1 "$1" | tr -d ' \n'
}

bytes() { # HEX
	# shellcheck disable=SC2001,SC2059  # the format is the bytes
	printf "$(sed 's/../\\x&/g' <<< "$1")"
}

# swapped DIR: each stream.obs in the other byte order. All arguments of these events are u32, but of OHx and OM.
swapped() {
	find "$1" -name stream.obs | while read -r f; do
		hexes "$f" | awk '
			function rev(s,   i, r) { for (i = length(s) - 1; i > 0; i -= 2) r = r substr(s, i, 2); return r }
			function take(n) { at += 2 * n; return substr($0, at - 2 * n + 1, 2 * n) }
			function num(s,   i, v) { for (i = length(s); i > 0; i--) v = 16 * v + index("0123456789abcdef", substr(rev(s), length(s) - i + 1, 1)) - 1; return v }
			{
				printf "%s%s", take(4), rev(take(4))
				while (at < length($0)) {
					h = take(4)
					n = index("0123456789abcdef", substr(h, 2, 1))
					n = n == 1 ? 0 : n
					printf "%s%s", h, rev(take(8))
					if (substr(h, 1, 1) == "1") { s = take(4); printf "%s%s", rev(s), rev(take(4)); printf "%s", take(num(s) - 4); continue }
					if (h ~ /^..4f4d/) { printf "%s%s", rev(take(8)), rev(take(4)); continue }
					if (h ~ /^..4f4878/) { printf "%s%s%s", rev(take(4)), rev(take(4)), rev(take(8)); continue }
					while (n) { printf "%s", rev(take(4)); n -= 4 }
				}
			}' > hex
		bytes "$(cat hex)" > "$f"
	done
}

# same_trace A B: the same files with the same bytes, but for clock-offsets.txt.
same_trace() {
	diff -r -x clock-offsets.txt "$1" "$2" > differ || { head -5 differ; return 1; }
}

# comes_back DIR: through text and the binary stream as they lie, and through the order of time.
comes_back() {
	ovni-dump -s --raw-clock -H "$1" > as.txt 2> /dev/null
	to_ovni as < as.txt
	same_trace "$1" as
	ovni-dump -s --raw-clock -H as 2> /dev/null | same as.txt -
	ovni-dump -s --raw-clock -b "$1" 2> /dev/null | to_ovni as
	same_trace "$1" as
	trace-filter -H -O serial -O raw-clock 'event?' "$1" 2> /dev/null | to_ovni as
	same_trace "$1" as
	# In order of time, with clocks corrected.
	ovni-dump -H "$1" > want.txt 2> /dev/null
	to_ovni got < want.txt
	ovni-dump -H got 2> /dev/null | same want.txt -
	rm -rf at_once
	trace-convert -T ovni -o at_once "$1" 2> /dev/null
	diff -r got at_once
}

@test "what libovni writes today: byte for byte, and its JSON too" {
	for t in mark simple ties unsorted; do
		comes_back "$FIX/libovni/$t"
	done
}

@test "clocks of several machines: events, metadata and corrections come back" {
	cp -r "$FIX/libovni/ties" t
	chmod -R u+w t
	for n in 0 1; do
		mkdir -p "t/loom.node$n.u9/proc.7$n/thread.7$n"
		cp t/loom.node0.u1000/proc.1000/thread.1001/stream.obs "t/loom.node$n.u9/proc.7$n/thread.7$n"
		sed "s/node0.u1000/node$n.u9/; s/1001/7$n/; s/1000/7$n/" t/loom.node0.u1000/proc.1000/thread.1001/stream.json \
			> "t/loom.node$n.u9/proc.7$n/thread.7$n/stream.json"
	done
	printf 'rank host median mean dev\n0 node0 0 0 0\n1 node1 -73 -73.5 2\n' > t/clock-offsets.txt
	ovni-dump -H t > want.txt
	has "$(cat want.txt)" '##meta	node1.u9:clock_offset=-73'
	to_ovni got < want.txt
	[ "$(awk 'NR > 1 { print $2, $3 }' got/clock-offsets.txt)" = $'node0 0\nnode1 -73' ]
	ovni-dump -H got | same want.txt -
	same_trace t got
	# As they lie: what was not applied is not taken off, and is there to be applied.
	ovni-dump -s --raw-clock -H t | to_ovni as
	same_trace t as
	ovni-dump -H as | same want.txt -
	same got/clock-offsets.txt as/clock-offsets.txt
	# That clocks agree is told as well; a bad row is no trouble where none is applied.
	printf 'rank host median mean dev\n0 node0 0 0 0\n1 node1 0 0 0\nbad\n' > t/clock-offsets.txt
	ovni-dump -s --raw-clock -H t | to_ovni as
	[ "$(awk 'NR > 1 { print $2, $3 }' as/clock-offsets.txt)" = $'node0 0\nnode1 0' ]
}

@test "a thread without events of an old trace comes back under its name" {
	mkdir -p t/loom.node0.1/proc.1000
	echo '{"version":1,"app_id":1,"cpus":[{"index":0,"phyid":0}]}' > t/loom.node0.1/proc.1000/metadata.json
	for n in 0 8; do
		head -c $n "$FIX"/libovni/ties/loom.node0.u1000/proc.1000/thread.1001/stream.obs > t/loom.node0.1/proc.1000/thread.1002
		ovni-dump -s --raw-clock -H t | to_ovni got
		[ "$(find got -name stream.obs)" = got/loom.node0.1/proc.1000/thread.1002/stream.obs ]
	done
}

@test "the other byte order: byte for byte" {
	for t in mark ties simple; do
		rm -rf t
		cp -r "$FIX/libovni/$t" t
		chmod -R u+w t
		swapped t
		ovni-dump t 2> /dev/null > got.txt
		ovni-dump "$FIX/libovni/$t" 2> /dev/null | same - got.txt
		has "$(ovni-dump -H t 2> /dev/null)" 'byte_order=big'
		comes_back t
	done
}

@test "older layouts become that of today: the same events" {
	for v in v1 v2; do
		ovni-dump -H "$FIX/libovni/$v" > want.txt
		to_ovni got < want.txt
		ovni-dump -H got | grep -v '^##meta' > got.txt
		grep -v '^##meta' want.txt | same - got.txt
		for f in $(cd "$FIX/libovni/$v" && find . -name '*.obs'); do
			same "$FIX/libovni/$v/$f" "got/${f%.obs}/stream.obs"
		done
	done
	# What the process's file said stands in each thread's.
	meta=$(ovni-dump -M got | tr '\t' '=')
	for x in app_id=1 rank=0 nranks=2 loom_cpus.1.phyid=1; do
		has "$meta" "node0.u1000/1000/1000:ovni.$x"
	done
	has "$meta" 'node0.u1000/1000/1001:ovni.app_id=1'
	run ! grep -q '1001:ovni.loom_cpus' <<< "$meta"
	has "$meta" 'node0.u1000/1100/1100:ovni.app_id='
	has "$meta" '/1101:version=3'
	has "$meta" '/1101:ovni.require.nosv=1.0.0'
}

@test "real traces of others come back" {
	need_traces ovni
	for t in "$TRACES"/ovni/v3/*/ovni; do
		[ "${t%/empty/ovni}" = "$t" ] || continue
		comes_back "$t"
	done
	for t in "$TRACES"/ovni/v[12]*/*/ovni; do
		ovni-dump -s --raw-clock -H "$t" 2> /dev/null > want.txt
		to_ovni got < want.txt
		ovni-dump -s --raw-clock got 2> /dev/null > got.txt
		grep -v '^#' want.txt | same - got.txt
	done
}

@test "a hand-written stream: what the bytes are" {
	{
		e 0.000000001 w.1/10/11 OHx cpu=2 tid=-1 tag=0xff
		e 0.000000002 w.1/10/11 VYc typeid=7 'label=a\x20b'
		e 0.000000003 w.1/10/11 VTx taskid=1
		e 0.000000004 w.1/10/11 'MW[' x=1 y=z
		e 0.000000005 w.1/10/11 OM= value=-2 type=3
		e 0.000000006 w.1/10/11 OHe
	} > s
	to_ovni d < s
	[ "$(find d -type f | wc -l)" = 2 ]
	w=6f766e6901000000 # "ovni", version 1
	w+=0f4f48780100000000000000'02000000ffffffffff00000000000000'
	w+=135659630200000000000000'08000000''07000000''61206200'
	w+=075654780300000000000000'0100000000000000'
	w+=004d575b0400000000000000
	w+=0b4f4d3d0500000000000000'feffffffffffffff03000000'
	w+=004f48650600000000000000
	[ "$(hexes d/loom.w.1/proc.10/thread.11/stream.obs)" = "$w" ]
	# The binary stream has numbers of other kinds, or text.
	trace-filter -b 'event?' s | to_ovni d2
	same_trace d d2
	trace-derive -b 'type = type + 0' s | to_ovni d2
	same_trace d d2
}

@test "the defaults of metadata" {
	{
		e 0.1 w.1/10/10 OHx cpu=0
		e 0.2 w.1/10/11 OHx cpu=2
		e 0.3 w.1/10/11 'MW['
		e 0.4 w.1/10/10 VTx taskid=1
		e 0.5 w.1/10/10 6Te taskid=1
		e 0.6 w.1/20/20 OHx cpu=0
		e 0.7 9 KCO
		e 0.8 - OHe
		e 0.9 'n\x3d1/5' OHe
	} > s
	to_ovni d < s
	meta=$(ovni-dump -M d | tr '\t' '=')
	for x in version=3 ovni.part=thread ovni.tid=10 ovni.pid=10 ovni.loom=w.1 ovni.app_id=1 ovni.finished=1 \
		ovni.require.ovni=1.1.0 ovni.require.nosv=2.7.0 ovni.require.nanos6=1.1.0 \
		ovni.loom_cpus.2.index=2 ovni.loom_cpus.2.phyid=2; do
		has "$meta" "w.1/10/10:$x"'$'
	done
	[ "$(grep -c loom_cpus <<< "$meta")" = 10 ]
	[ "$(grep -o '10/11:ovni.require.*' <<< "$meta" | tr '\n' ' ')" = '10/11:ovni.require.ovni=1.1.0 10/11:ovni.require.mpi=1.0.0 ' ]
	has "$meta" 'node0/9/9:ovni.require.kernel=1.0.0'
	has "$meta" 'node0/1/1:version=3'
	has "$meta" 'n=1/5/5:ovni.loom=n=1'
	# Several machines, and one clock.
	[ "$(awk 'NR > 1 { print $2, $3 }' d/clock-offsets.txt | LC_ALL=C sort | tr '\n' ';')" = 'n=1 0;node0 0;w 0;' ]
	[ "$(ovni-dump d | cut -f1,3 | tail -1)" = $'0.800000000\tOHe' ]
	# With a header the metadata that are there stay, and a thread without events has its stream.
	ovni-dump -H d | sed 's/ovni.app_id=1/ovni.app_id=4/; /ovni.require.mpi/d; s/:app_id=1/:app_id=4/' > h
	to_ovni d2 < h
	ovni-dump -H d2 | same h -
	{ grep '^#' h | grep -v '##end'; printf '##end\tevents=0\n'; } | to_ovni d2
	[ "$(find d2 -name stream.obs -size 8c | wc -l)" = 6 ]
	# Nothing at all is a thread without events.
	printf '##spoor\t1\n##clock\ts\n##end\tevents=0\n' | to_ovni d2
	[ "$(cd d2 && find . -type f | LC_ALL=C sort | tr '\n' ' ')" = \
		'./loom.node0/proc.1/thread.1/stream.json ./loom.node0/proc.1/thread.1/stream.obs ' ]
}

@test "a value that looks like another kind keeps its kind" {
	mkdir -p t/loom.5/proc.5/thread.5
	cp "$FIX/libovni/simple/loom.node0.1/proc.1000/thread.1000/stream.obs" t/loom.5/proc.5/thread.5
	printf '%s' '{"version":3,"ovni":{"tid":5,"pid":5,"loom":"5","lib":{"version":"1","commit":"2"},"require":{"x":"true"},"mark":{"0":{"title":"7","chan_type":"single","labels":{"1":"8"}}},"loom_cpus":[{"index":0,"phyid":0}]},"a":{"n":-1.5e3,"w":true,"o":null,"e":{},"l":[],"s":"\u0001\"x","t":"1 2","z":"", "k=q": 3}}' \
		> t/loom.5/proc.5/thread.5/stream.json
	ovni-dump -H t > want.txt
	to_ovni d < want.txt
	ovni-dump -H d | same want.txt -
	python3 -c 'pass' 2> /dev/null || return 0
	python3 - t/loom.5/proc.5/thread.5/stream.json d/loom.5/proc.5/thread.5/stream.json <<- 'EOP'
		import json, sys
		a, b = (json.load(open(f)) for f in sys.argv[1:])
		assert a == b, (a, b)
	EOP
}

@test "what cannot be written is skipped and told, and then there is no directory" {
	no() { # LINE MESSAGE
		{ e 1.0 l/1/1 OHe; printf '%s\n' "$1"; } > s
		status_is 2 trace-convert -T ovni -o d s
		has "$stderr" "event 2 is skipped: $2"
		has "$stderr" 'd: not written because of errors'
		[ ! -e d ]
	}
	no "$(e 2.0 l/1/1 read)" 'ovni has no event of this name'
	no "$(e 2.0 l/1/1 XYZ payload=0x0102)" 'ovni has no event of this name'
	no "$(e -2.0 l/1/1 OHe)" 'the time is before 0'
	no "$(e 2.0 l/1/x OHe)" 'loc is not LOOM/PID/TID'
	no "$(e 2.0 l/0/1 OHe)" 'loc is not LOOM/PID/TID'
	no "$(e 2.0 l/2147483648/1 OHe)" 'loc is not LOOM/PID/TID'
	no "$(e 2.0 'a\x2fb/1/1' OHe)" 'loc is not LOOM/PID/TID'
	no "$(e 2.0 a/b/c/d OHe)" 'loc is not LOOM/PID/TID'
	no "$(e 2.0 l/1/1 VTx taskid=4294967296)" 'an argument is no number, or its field cannot hold it'
	no "$(e 2.0 l/1/1 VTx taskid=-1)" 'an argument is no number'
	no "$(e 2.0 l/1/1 VTx taskid=a)" 'an argument is no number'
	no "$(e 2.0 l/1/1 OAs cpu=2147483648)" 'an argument is no number'
	no "$(e 2.0 l/1/1 OAs cpu=-2147483649)" 'an argument is no number'
	no "$(e 2.0 l/1/1 VYc typeid=1 'label=a\x00b')" 'a text has a NUL byte'
	no "$(e 2.0 "$(printf '%0300d' 1)x/1/1" OHe)" 'the name of a loom is too long'
	# A clock that goes back is written, but told.
	{ e 2.0 l/1/1 OHe; e 1.0 l/1/2 OHe; e 1.0 l/1/1 OHe; } > s
	status_is 2 trace-convert -T ovni -o d s
	has "$stderr" 'event 3: the clock goes back'
	{ e 2.0 l/1/1 'OU['; e 1.0 l/1/1 KCO; e 3.0 l/1/1 'OU]'; } | to_ovni d
	# The least and the greatest that fit.
	{ e 0.0 l/1/1 OAs cpu=2147483647; e 1.0 l/1/1 OAs cpu=-2147483648; e 2.0 l/2147483647/1 VTx taskid=4294967295; } | to_ovni d
	ovni-dump d | cut -f3,7,8 > got
	printf 'OAs\tcpu=2147483647\nOAs\tcpu=-2147483648\nVTx\ttaskid=4294967295\tbodyid=0\n' | same - got
	# What has no place is left out, and told once.
	rm -rf d
	printf '1.0\tl/1/1\tOHe\t5\t6\t0.5\n2.0\tl/1/1\tVYc\t-\t6\t0.5\ttypeid=1\n' > s
	status_is 0 trace-convert -T ovni -o d s
	for x in '1 event .*: addr' '1 event .*: size' '2 events .*: dur'; do
		has "$stderr" ": ${x/.\*/lost a part that ovni cannot hold}"
	done
	printf '##spoor\t1\n##clock\tticks\n5\tl/1/1\tOHe\t-\t-\t-\n##end\tevents=1\n' > s
	rm -rf d
	status_is 2 trace-convert -T ovni -o d s
	has "$stderr" 'the time counts ticks'
	status_is 2 trace-convert -T ovni s
	[ "$stderr" = 'trace-convert: a trace of ovni is a directory: give -o DIR' ]
	mkdir -p d/x
	status_is 2 trace-convert -T ovni -o d s
	has "$stderr" 'd: the name is taken'
}

@test "thousands of threads, few descriptors, little memory" {
	need_native
	awk 'BEGIN { for (i = 0; i < 400000; i++) printf "%d.%09d\tl/1/%d\tVTx\t-\t-\t-\ttaskid=%d\n", i / 100000, i % 100000 * 10000, i * 7919 % 5000 + 1, i }' > many
	ulimit -n 64
	trace-convert -T ovni -o d many
	[ "$(find d -name stream.obs | wc -l)" = 5000 ]
	ovni-dump d | awk -F '\t' '{ print $7 }' > got
	awk -F '\t' '{ print $7 }' many | same - got
	command -v /usr/bin/time > /dev/null || skip 'no time(1)'
	/usr/bin/time -o mem -f %M trace-convert -T ovni -o e many
	[ "$(tail -1 mem)" -le 24576 ]
}

@test "a full disk, a killed run: nothing is left" {
	need_native
	awk 'BEGIN { for (i = 0; i < 200000; i++) printf "%d.000000000\tl/1/%d\tVTx\t-\t-\t-\ttaskid=%d\n", i, i % 3 + 1, i }' > many
	mkdir w
	(trap '' XFSZ; ulimit -f 64; status_is 2 trace-convert -T ovni -o w/d many; has "$stderr" 'stream.obs: write: File too large')
	[ -z "$(ls -A w)" ]
	mkfifo pipe
	for signal in TERM KILL; do
		trace-convert -T ovni -o w/d pipe & pid=$!
		{ cat many; sleep 0.2; kill -$signal $pid; } > pipe
		wait $pid || :
		waits_for 5 sh -c '! ls -d w/.spoor.* w/d 2> /dev/null'
	done
}

@test "whatever the bytes are: what is written without trouble is good" {
	need_native
	local n=0
	find "$ROOT/tests/fuzz/corpus" "$FIX" -type f | while read -r f; do
		rm -rf a b
		got=0
		trace-convert -T ovni -o a "$f" > out 2> err || got=$?
		[ $got -le 2 ]
		[ ! -s out ]
		[ $got = 0 ] || { [ ! -e a ] || return 1; continue; }
		trace-convert -T ovni -o b a 2> err || { echo "$f"; cat err; return 1; }
		rm -rf c
		trace-convert -T ovni -o c b
		diff -r b c
		echo "$f" >> good
	done
	[ "$(wc -l < good)" -gt 5 ]
}

@test "ovni's own tools read what comes out, and say the same" {
	command -v ovnidump > /dev/null || skip 'no ovnidump (of ovni 1.11 or later) in PATH'
	for t in mark simple ties unsorted; do
		rm -rf in out
		cp -r "$FIX/libovni/$t" in
		chmod -R u+w in
		ovni-dump -s --raw-clock -H in 2> /dev/null | to_ovni out
		for o in '' -x; do
			# shellcheck disable=SC2086
			(cd in && ovnidump $o .) > want 2> /dev/null
			# shellcheck disable=SC2086
			(cd out && ovnidump $o .) 2> /dev/null | same want -
			[ -s want ]
		done
	done
	# A trace that nobody recorded.
	{
		e 0.1 w.1/10/10 OHx cpu=0 tid=-1; e 0.2 w.1/10/11 OHx cpu=1; e 0.3 w.1/10/10 VYc typeid=1 label=main
		e 0.4 w.1/10/10 VTc taskid=1 typeid=1; e 0.5 w.1/10/10 VTx taskid=1; e 0.6 w.1/10/11 'MW['
		e 0.7 w.1/10/11 'MW]'; e 0.8 w.1/10/10 VTe taskid=1; e 0.9 w.1/10/10 OHe; e 1 w.1/10/11 OHe
	} | to_ovni out
	[ "$(cd out && ovnidump . 2> /dev/null | wc -l)" = 10 ]
	command -v ovniemu > /dev/null || skip 'no ovniemu in PATH'
	(cd out && ovniemu -l . > emu 2>&1) || { grep -q 'cannot copy config' out/emu && skip 'ovniemu lacks its configuration: OVNI_CONFIG_DIR'; cat out/emu; false; }
	# MPI_Wait from 0.6 to 0.7 of the second thread, counted from the first event.
	has "$(cat out/thread.prv)" '^2:0:1:1:2:500000000:[0-9:]*'
	for t in mark simple ties; do
		rm -rf in out
		cp -r "$FIX/libovni/$t" in
		chmod -R u+w in
		ovni-dump -H in 2> /dev/null | to_ovni out
		(cd in && ovniemu -l .) > /dev/null 2>&1
		(cd out && ovniemu -l .) > /dev/null 2>&1
		for f in thread cpu; do
			same in/$f.prv out/$f.prv
			same in/$f.pcf out/$f.pcf
			same in/$f.row out/$f.row
		done
	done
}
