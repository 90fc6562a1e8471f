#!/usr/bin/env bats
# convert-dumpi.bats - trace-convert -T dumpi: traces that others wrote become text or a binary stream, and come back; streams
# that were written by hand become traces.

load ../helpers

setup_file() {
	generator gen/gen_dumpi.c
}

setup() {
	enter
	G=$BATS_FILE_TMPDIR/gen
}

# comes_back FILE.meta [EXPRESSION]: the run through text, through the binary stream, and at once: the same files, byte for byte.
comes_back() {
	local run=${1%.meta} way f
	status_is 0 trace-convert -T dumpi -o once "$1"
	dumpi2txt -H "$1" 2>/dev/null | trace-convert -T dumpi -o text
	dumpi2txt -b "$1" 2>/dev/null | trace-convert -T dumpi -o binary
	for way in once text binary; do
		for f in "$run".meta "$run"-*.bin; do
			same "$f" "$way/${f##*/}"
		done
		[ "$(ls $way | wc -l)" = "$(ls "$run".meta "$run"-*.bin | wc -l)" ]
		rm -r $way
	done
}

# events_come_back FILE: a file of its own, with the same events and metadata.
events_come_back() {
	dumpi2txt -H "$1" > want.txt 2>/dev/null
	trace-convert -T dumpi -o out want.txt
	[ "$(ls out)" = "dumpi-${1##*-}" ] || [ "$(ls out)" = dumpi.bin ]
	dumpi2txt -H out/* 2>/dev/null | same want.txt -
	dumpi2txt -b "$1" 2>/dev/null | trace-convert -T dumpi -o binary
	same out/* binary/*
	rm -r out binary
}

# ranks DIR/NAME N: a run of so many ranks, and its .meta.
ranks() {
	mkdir -p "$(dirname "$1")"
	"$G" file 13.0.0 8 0x4f 0 124,8,13,18,65 > one
	for ((i = 0; i < $2; i++)); do
		cp one "$(printf '%s-%04d.bin' "$1" "$i")"
	done
	printf 'hostname=a\nnumprocs=%d\nfileprefix=%s\n' "$2" "${1##*/}" > "$1.meta"
}

# convert LINE...: these events as the directory `out`.
convert() {
	rm -rf out
	printf '%s\n' "$@" | tr ' ' '\t' | trace-convert -T dumpi -o out
}

@test "every call, of the newest version and of an old one, and counters" {
	for f in every-call-0000 every-call-v0.6.1-0001 small-0002; do
		cp "$FIX/dumpi/$f.bin" .
		events_come_back "$f.bin"
	done
	# As far as the footer an old one is the same, too, and the newest to the end.
	for f in every-call-0000 small-0002; do
		trace-convert -T dumpi -o "$f" "$FIX/dumpi/$f.bin"
		same "$FIX/dumpi/$f.bin" "$f"/*
	done
	trace-convert -T dumpi -o old "$FIX/dumpi/every-call-v0.6.1-0001.bin"
	head -c 27385 old/* | same <(head -c 27385 "$FIX/dumpi/every-call-v0.6.1-0001.bin") -
}

@test "each version that stores records in another way" {
	for v in 0.4.9 0.6.1 0.6.2 0.6.7 0.6.8 1.1.0 13.0.0; do
		"$G" file $v 8 0x4f 0 all > x-0003.bin
		events_come_back x-0003.bin
	done
}

@test "masks: no times, the CPU's alone, no statuses, threads" {
	for mask in 0x00 0x03 0x04 0x08 0x0c 0x40 0x4b 0x4c 0x0f; do
		"$G" file 13.0.0 8 $mask 0 124,8,13,18,65,1,125 > x-0000.bin
		trace-convert -T dumpi -o out x-0000.bin
		same x-0000.bin out/*
		rm -r out
		events_come_back x-0000.bin
	done
}

@test "of the CPU's clock alone a changed time and dur are written" {
	"$G" file 13.0.0 8 0x04 0 124,8,13 > x-0000.bin
	trace-merge --offset @1=5s -H x-0000.bin | awk -F'\t' -v OFS='\t' '!/^#/ { $6 = "0.000000007" } 1' > want
	trace-convert -T dumpi -o out want
	dumpi2txt -A out/* | cut -f1-3,6 | same - <(trace-filter -A 'dur >= 0' want | grep -v '^#' | cut -f1-3,6)
	[ "$(dumpi2txt out/* | grep -c 'cpudur=0.000000007')" = 7 ]
}

@test "runs of several ranks, of which the metadata of many are told once" {
	ranks a/run 3
	comes_back a/run.meta
	ranks b/run 20
	comes_back b/run.meta
	dumpi2txt -H b/run.meta 2>/dev/null | grep '[.]MPI_INT=' | same - <(echo '##meta	datatype.MPI_INT=9')
	# One that differs from the others.
	"$G" file 13.0.0 8 0x4f 0 8,8,65 > b/run-0007.bin
	comes_back b/run.meta
}

@test "a thousand ranks and more with few descriptors" {
	ranks a/run 1200
	ulimit -n 64
	trace-convert -T dumpi -o out a/run.meta
	for i in 0000 0023 0024 0700 1199; do
		same "a/run-$i.bin" "out/run-$i.bin"
	done
	[ "$(ls out | wc -l)" = 1201 ]
	# Ranks whose records are mixed, and too long to wait.
	awk 'BEGIN { OFS = "\t"; for (i = 0; i < 300; i++) for (r = 0; r < 300; r++)
		print i ".000000000", r, "MPI_Send", "-", 8 * i, "0.5", "dest=" r, "tag=" i }' > mixed.txt
	trace-convert -T dumpi -o mixed mixed.txt
	dumpi2txt mixed/dumpi.meta | cut -f2,7- | sort | cksum > got
	awk -v OFS='\t' '{ sub(/dest=/, "", $7); sub(/tag=/, "", $8)
		print $2, "count=" $5, "datatype=MPI_BYTE", "dest=" $7, "tag=" $8, "comm=MPI_COMM_WORLD", "peer=" $7 }' mixed.txt |
		sort | cksum | same got -
}

@test "awk between: an event is left out, a rank has none; the footer counts anew" {
	ranks a/run 3
	dumpi2txt -H a/run.meta | awk -F'\t' '/^#/ || ($2 != 1 && $3 != "MPI_Wait")' | sed 's/events=[0-9]*//' |
		trace-convert -T dumpi -o out
	status_is 0 dumpi2txt out/run.meta
	[ -z "$stderr" ]
	dumpi2txt a/run.meta | awk -F'\t' '$2 != 1 && $3 != "MPI_Wait"' | same - <(dumpi2txt out/run.meta)
	# One of each was not recorded.
	dumpi2txt -H out/run.meta | sed -n 's/.*\([01]\.footer.MPI_\(Isend\|Wait\)=\)/\1/p' > got
	printf '%s\n' 0.footer.MPI_Isend=3 0.footer.MPI_Wait=1 1.footer.MPI_Isend=1 1.footer.MPI_Wait=1 | same - got
}

@test "two jobs: each in a directory of its own" {
	ranks a/run 2
	ranks b/run 3
	trace-convert -T dumpi -o out a/run-*.bin b/run-*.bin
	for n in 0000 0001; do
		same a/run-$n.bin out/0000/dumpi-$n.bin
	done
	same b/run-0002.bin out/0001/dumpi-0002.bin
	dumpi2txt a/run-*.bin b/run-*.bin | same - <(dumpi2txt out/*/*.bin)
	# Each .meta file is a run, and one trace holds one.
	status_is 2 trace-convert -T dumpi -o two a/run.meta b/run.meta
	has "$stderr" 'b/run.meta: a second run begins, but a trace of dumpi holds one'
	[ ! -e two ]
}

@test "calls that were not recorded, key/value pairs, functions, a mesh" {
	cat > x.txt <<-'EOF'
		##spoor	1
		##format	dumpi
		##clock	s	origin=70000.500000000
		##loc	rank/thread
		##meta	body.bias=-3,69999
		##meta	body.mask=0xcf
		##meta	header.version=13.0.0
		##meta	header.starttime=1234567890123
		##meta	header.hostname=node\x20one
		##meta	header.username=""
		##meta	header.meshcrd=1,-2,3
		##meta	header.meshsize=4,5,6
		##meta	footer.MPI_Send=12
		##meta	footer.MPI_ALL_FUNCTIONS=12
		##meta	ignored.MPI_Send=11
		##meta	ignored.MPI_ALL_FUNCTIONS=11
		##meta	keyval.a\x5cx3db=c=d
		##meta	keyval.e=""
		##meta	counter.0=PAPI_TOT_INS
		##meta	datatype.MPI_DATATYPE_ERROR=0
		##meta	datatype.MPI_DATATYPE_NULL=0
		##meta	datatype.MPI_CHAR=1
		##meta	function.0xff00=main
		#time	loc	event	addr	size	dur	args
		0.000000000	4	MPI_Send	-	3	0.000000007	count=3	datatype=MPI_CHAR	dest=1	tag=2	comm=MPI_COMM_WORLD	peer=1	cpu=-2.500000000	cpudur=0.000000001	PAPI_TOT_INS=-1	PAPI_TOT_INS.out=9
		##end	events=1
	EOF
	trace-convert -T dumpi -o out x.txt
	dumpi2txt -H out/dumpi-0004.bin | same x.txt -
	# What stands where: the biases, the call and its mask, the times.
	[ "$(head -c 45 out/dumpi-0004.bin | od -An -v -tx1 | tr -d ' \n')" = \
		ffaadd44554d5049fffffffd0001116f0000cf000000001dcd650000001dcd650100011dcd650000011dcd6507 ]
}

@test "by hand: what the stream lacks is made" {
	convert '0.5 0 MPI_Init - - 0.25' '1 0 MPI_Send - 4096 0.5 peer=1' '2 1 MPI_Recv - - - source=0 status.source=0 status.bytes=4096' \
		'3 0 MPI_Waitall - - - requests=3,MPI_REQUEST_NULL' '4 1 MPI_Allreduce - - 0.000000001 count=2 datatype=MPI_INT op=MPI_SUM x=1'
	cat > want <<-'EOF'
		hostname=<none>
		numprocs=2
		username=<none>
		startime=0
		fileprefix=dumpi
		version=13
		subversion=0
		subsubversion=0
	EOF
	same want out/dumpi.meta
	dumpi2txt -A out/dumpi.meta | tr '\t' ' ' > got
	cat > want <<-'EOF'
		0.500000000 0 MPI_Init - - 0.250000000 argc=0 argv=
		1.000000000 0 MPI_Send - 4096 0.500000000 count=4096 datatype=MPI_BYTE dest=1 tag=0 comm=MPI_COMM_WORLD peer=1
		2.000000000 1 MPI_Recv - 4096 0.000000000 count=0 datatype=MPI_BYTE source=0 tag=0 comm=MPI_COMM_WORLD status.bytes=4096 status.source=0 status.cancelled=0 status.error=0 status.tag=0 peer=0
		3.000000000 0 MPI_Waitall - - 0.000000000 count=2 requests=3,MPI_REQUEST_NULL
		4.000000000 1 MPI_Allreduce - 8 0.000000001 count=2 datatype=MPI_INT op=MPI_SUM comm=MPI_COMM_WORLD recv_bytes=8
	EOF
	same want got
}

@test "by hand: threads, a rank alone, none at all" {
	convert '0.0 2/1 MPI_Barrier - - 5' '1 2/0 MPI_Barrier - - 1'
	[ "$(ls out | tr '\n' ' ')" = 'dumpi-0000.bin dumpi-0001.bin dumpi-0002.bin dumpi.meta ' ]
	[ "$(dumpi2txt out/dumpi.meta | cut -f1,2,6 | tr '\t\n' ' ;')" = '0.000000000 2/1 5.000000000;1.000000000 2/0 1.000000000;' ]
	convert '0.0 - MPI_Barrier - - 5'
	[ "$(ls out | tr '\n' ' ')" = 'dumpi-0000.bin dumpi.meta ' ]
	# A file whose name does not tell its rank stays without one.
	cp "$FIX/dumpi/every-call-0000.bin" x.bin
	trace-convert -T dumpi -o alone x.bin
	same x.bin alone/dumpi.bin
}

@test "what cannot be written is skipped, told with its reason, and nothing is kept" {
	local line why
	while IFS='|' read -r line why; do
		status=0
		convert '0.0 0 MPI_Barrier - - 0' "$line" 2> err || status=$?
		[ "$status" = 2 ]
		has "$(cat err)" "event 2 is skipped: $why"
		[ ! -e out ]
	done <<-'EOF'
		1 0 MPI_Nothing - - 0|MPI has no call of this name
		1 0 MPI_Pcontrol - - 0|MPI has no call of this name
		1 0 END_OF_STREAM - - 0|MPI has no call of this name
		-1 1 MPI_Barrier - - 0|the time is before 0
		-1 0 MPI_Barrier - - 0|the call returns before the clock begins
		2147483648 1 MPI_Barrier - - 0|the time is more than
		70000 0 MPI_Barrier - - 0|the call returns more than 18 hours after the previous one
		1 0 MPI_Barrier - - 65537|the call takes more than 18 hours
		1 0 MPI_Barrier - - -1|the call returns before it begins
		1 0 MPI_Send - - 0 count=2147483648|an argument is no value
		1 0 MPI_Send - - 0 comm=32768|an argument is no value
		1 0 MPI_Send - - 0 comm=-32769|an argument is no value
		1 0 MPI_Send - - 0 comm=MPI_INT|an argument is no value
		1 0 MPI_Send - - 0 dest=1.5|an argument is no value
		1 0 MPI_Allreduce - - 0 op=256|an argument is no value
		1 0 MPI_Send - 2147483648 0|an argument is no value
		1 0 MPI_Waitall - - 0 requests=1,,2|an argument is no value
		1 0 MPI_Waitall - - 0 statuses.bytes=1,2 statuses.tag=1|lists that belong together
		1 0 MPI_Group_range_incl - - 0 ranges=1,2,3 ranges.len=2|lists that belong together
		1 0 MPI_Init - - 0 argc=2 argv=a|argc is not
		1 x MPI_Barrier - - 0|loc is not
		1 65536 MPI_Barrier - - 0|loc is not
		1 0/65536 MPI_Barrier - - 0|loc is not
	EOF
	status=0
	convert '0.0 0 MPI_Finalize - - 0' '1 0 MPI_Send - - 0' 2> err || status=$?
	[ "$status" = 2 ]
	has "$(cat err)" 'MPI_Send follows MPI_Finalize'
	status=0
	convert '1.0 0 MPI_Barrier - - 0' '5 0 MPI_Barrier - - 0' '3 0 MPI_Barrier - - 0' 2> err || status=$?
	[ "$status" = 2 ]
	has "$(cat err)" 'seconds before the previous one'
}

@test "the greatest values that can be written" {
	convert '65535.999999999 0 MPI_Send - - 65535.000000000 count=2147483647 datatype=32767 dest=-2147483648 tag=MPI_ANY_TAG comm=-32768' \
		'131071 0 MPI_Barrier - - 65000' '0 1 MPI_Barrier - - 0.999999999' '2147483646 2 MPI_Barrier - - 1'
	dumpi2txt -A out/dumpi.meta | grep -v MPI_COMM_WORLD | tr '\t' ' ' > got
	cat > want <<-'EOF'
		65535.999999999 0 MPI_Send - 0 65535.000000000 count=2147483647 datatype=32767 dest=-2147483648 tag=MPI_ANY_TAG comm=-32768 peer=-2147483648
	EOF
	same want got
	[ "$(dumpi2txt -A out/dumpi.meta | cut -f1,2,6 | grep -c '^131071.000000000	0	65000.000000000\|^2147483646.000000000	2	1.000000000\|^0.000000000	1	0.999999999')" = 3 ]
}

@test "what the format has no place for is told once; what it does not know is ignored" {
	convert '1 0 MPI_Barrier 7 - 0 self=1 gpeer=2' '2 0 MPI_Barrier 8 - 0 x=3' 2> err
	[ "$(cat err)" = "trace-convert: <stdin>: 2 events lost a part that dumpi cannot hold: addr" ]
	[ "$(dumpi2txt out/dumpi.meta | cut -f7 | tr '\n' ' ')" = 'comm=MPI_COMM_WORLD comm=MPI_COMM_WORLD ' ]
}

@test "a directory that is there, none at all, a full disk, broken input" {
	mkdir there empty
	touch there/x
	status_is 2 trace-convert -T dumpi -o there "$FIX/dumpi/small-0002.bin"
	has "$stderr" 'a new or an empty directory'
	[ "$(ls there)" = x ]
	trace-convert -T dumpi -o empty "$FIX/dumpi/small-0002.bin"
	[ "$(ls empty)" = dumpi-0002.bin ]
	status_is 2 trace-convert -T dumpi "$FIX/dumpi/small-0002.bin"
	has "$stderr" 'give -o DIR'
	head -c 3000 "$FIX/dumpi/every-call-0000.bin" > cut-0000.bin
	status_is 2 trace-convert -T dumpi -o cut cut-0000.bin
	[ ! -e cut ]
	dumpi2txt -H "$FIX/dumpi/every-call-0000.bin" | head -n 100 > cut.txt
	status_is 2 trace-convert -T dumpi -o cut cut.txt
	[ ! -e cut ]
	# A file may not grow further: as on a full disk.
	awk 'BEGIN { for (i = 0; i < 100000; i++) printf "%.3f\t0\tMPI_Barrier\t-\t-\t0\n", i / 1000 }' > many.txt
	status=0
	(
		ulimit -f 1000
		trap '' XFSZ
		exec trace-convert -T dumpi -o full many.txt
	) 2> err || status=$?
	[ "$status" = 2 ]
	has "$(cat err)" 'dumpi-0000.bin: write: File too large'
	[ -z "$(find . -name 'full*' -o -name '.spoor*')" ]
}

@test "killed: nothing is left behind" {
	mkfifo pipe
	trace-convert -T dumpi -o out pipe &
	exec 7> pipe
	printf '0.0\t0\tMPI_Barrier\t-\t-\t0\n' >&7
	kill -KILL $!
	exec 7>&-
	wait $! || :
	for ((i = 0; i < 100; i++)); do
		[ "$(ls -A)" = pipe ] && break
		sleep 0.05
	done
	[ "$(ls -A)" = pipe ]
}

@test "real traces of others: every byte" {
	need_traces dumpi
	local f
	for f in "$TRACES"/dumpi/*/*.meta; do
		case $f in *crashed*) continue ;; esac
		comes_back "$f"
	done
	for f in "$TRACES"/dumpi/synthetic/*.bin; do
		cp "$f" x-0000.bin
		events_come_back x-0000.bin
	done
}

@test "dumpi2ascii prints the same of both" {
	command -v dumpi2ascii > /dev/null || skip 'no dumpi2ascii, of sst-dumpi'
	local f
	for f in "$FIX"/dumpi/*.bin; do
		rm -rf out
		dumpi2txt -H "$f" 2>/dev/null | trace-convert -T dumpi -o out
		dumpi2ascii -a "$f" > want
		[ "$(wc -l < want)" -gt 100 ]
		dumpi2ascii -a out/* | same want -
	done
}

@test "whatever the bytes are: nothing crashes, and what is written without trouble is good" {
	need_native
	sanitized build/asan/fuzz_dumpi_encode || { [ $? = 1 ] && skip "no compiler with sanitizers, or make quick"; }
	export ASAN_OPTIONS=detect_leaks=0 TMPDIR=$BATS_TEST_TMPDIR
	printf '0\t0\tMPI_Waitany\t-\t-\t1\trequests=1,2\tstatus.tag=-1\n2\t1\tMPI_Init\t-\t-\t0\targc=1\targv=a\n' > hand
	for f in "$FIX"/dumpi/*.bin; do
		dumpi2txt -H "$f" > "${f##*/}.txt" 2>/dev/null
		dumpi2txt -b "$f" > "${f##*/}.sb" 2>/dev/null
	done
	"$ROOT/build/asan/fuzz_dumpi_encode" ./*
	"$ROOT/build/asan/fuzz_dumpi_encode" -m hand
	find "$ROOT/tests/fuzz/corpus/dumpi" "$ROOT/tests/fuzz/corpus/convert" -type f -exec "$ROOT/build/asan/fuzz_dumpi_encode" {} +
}
