#!/usr/bin/env bats
# dumpi-files.bats - DUMPI: runs of several files, .meta files, and what the parts of a file tell.
# Lines that begin with "Seed:" are from the format's public description.

load ../helpers

setup_file() {
	generator gen/gen_dumpi.c
}

setup() {
	enter
	G=$BATS_FILE_TMPDIR/gen
}

# ranks DIR/NAME FROM TO: its files, each with 11 calls, and a .meta that names TO + 1 ranks.
ranks() {
	mkdir -p "$(dirname "$1")"
	for ((i = $2; i <= $3; i++)); do
		"$G" file 13.0.0 8 0x4f 0 124,8,13,18,65 > "$(printf '%s-%04d.bin' "$1" "$i")"
	done
	printf 'hostname=a\nnumprocs=%d\nfileprefix=%s\n' $(($3 + 1)) "${1##*/}" > "$1.meta"
}

# How many events each loc has, on one line.
locs() {
	cut -f2 | sort | uniq -c | awk '{ printf "%s:%d ", $2, $1 }'
}

hex() {
	# shellcheck disable=SC2001,SC2059  # bytes
	printf "$(sed 's/../\\x&/g' <<<"$1")"
}

u64() {
	hex "$(printf %016x "$1")"
}

# lead [BIAS]: what stands before the records, with this wall bias.
lead() {
	hex "ffaadd44554d504900000000$(printf %08x "${1:-0}")"
}

# barrier S NS S NS [THREAD]: MPI_Barrier with wall times. S in hex digits, NS decimal.
barrier() {
	hex "0034$([ "${5-}" ] && echo 48 || echo 08)${5-}$1$(printf %08x "$2")$3$(printf %08x "$4")0002"
}

# whole BODY BARRIERS [WORD...]: a file of version 0.6.1 with this body; WORDs are prepended in the index.
whole() {
	local n=$2 h f
	h=$(stat -c %s "$1")
	f=$((h + 25))
	cat "$1"
	shift 2
	hex 000601
	u64 "${TIME-1700000000}"
	hex 000161000162
	hex 0000000000000000
	u64 $((0xf007fee7))
	for ((i = 0; i < 291; i++)); do
		hex "$(printf %08x $((i == 52 || i == 290 ? n : 0)))"
	done
	head -c 1164 /dev/zero
	hex 00000000
	hex ffaadd44554d5049
	for i in "$@" 0 0 0 "$h" 8 "$f" 0; do
		u64 "$i"
	done
}

# ---- several jobs ----

@test "two jobs: a rank that comes twice is of two processes, and loc is job/rank" {
	ranks a/run 0 1
	ranks b/run 0 2
	status_is 0 dumpi2txt -H a/run-*.bin b/run-*.bin
	[ -z "$stderr" ]
	[ "$(grep -v '^#' <<<"$output" | locs)" = "0/0:11 0/1:11 1/0:11 1/1:11 1/2:11 " ]
	grep -Fx '##loc	job/rank/thread' <<<"$output"
	grep -Fx '##meta	job.0=a/run' <<<"$output"
	grep -Fx '##meta	1/2.header.hostname=host-1' <<<"$output"
	# The order is the command line's.
	status_is 0 dumpi2txt b/run-0000.bin b/run-0001.bin a/run-0000.bin a/run-0001.bin
	[ "$(locs <<<"$output")" = "0/0:11 0/1:11 1/0:11 1/1:11 " ]
	[ "$(dumpi2txt -H b/run-0000.bin a/run-0000.bin | grep -o 'job\.0=.*')" = job.0=b/run ]
	# All forms, and what is asked of them.
	dumpi2txt -H a/run-*.bin b/run-*.bin > want
	dumpi2txt -b a/run-*.bin b/run-*.bin | trace-filter -H -t 'event?' > got
	same want got
	[ "$(trace-filter 'job == 1 and rank == 0' a/run-*.bin b/run-*.bin | locs)" = "1/0:11 " ]
	[ "$(trace-stats -g job,rank -a count a/run-*.bin b/run-*.bin | tail -n +2 | tr '\t\n' '  ')" = \
		"0 0 11 0 1 11 1 0 11 1 1 11 1 2 11 " ]
	[ "$(trace-stats -g loc a/run-*.bin b/run-*.bin | grep -c $'^[01]/[012]\t11$')" = 5 ]
	# One job is as it was.
	[ "$(dumpi2txt b/run.meta | locs)" = "0:11 1:11 2:11 " ]
	[ "$(dumpi2txt -H b/run.meta | grep -c '^##loc	rank/thread$')" = 1 ]
}

@test "two jobs: their threads have a place of their own, too" {
	mkdir a b
	for d in a b; do
		{ lead; barrier 0001 0 0002 0 0000; barrier 0001 0 0003 0 0001; hex 0125; } > $d/r-0000.bin
	done
	[ "$(dumpi2txt a/r-0000.bin b/r-0000.bin 2>/dev/null | locs)" = "0/0/0:1 0/0/1:1 1/0/0:1 1/0/1:1 " ]
}

@test "files belong together by their prefix, also where each host has a directory" {
	mkdir n0 n1
	ranks n0/x 0 0; ranks n0/y 0 0
	ranks t/x 0 1; ranks t/y 0 1
	mv t/x-0001.bin t/y-0001.bin n1
	[ "$(dumpi2txt n0/x-0000.bin n1/x-0001.bin | locs)" = "0:11 1:11 " ]
	status_is 0 dumpi2txt -H n?/*.bin
	[ "$(grep -v '^#' <<<"$output" | locs)" = "0/0:11 0/1:11 1/0:11 1/1:11 " ]
	grep -Fx '##meta	job.1=n0/y' <<<"$output"
	# Names without a rank: who they are is not known, but that they are two is.
	cp n0/x-0000.bin p.bin
	cp n0/x-0000.bin q.bin
	[ "$(dumpi2txt p.bin q.bin | locs)" = "0/-:11 1/-:11 " ]
}

@test "a file that is named twice is read once" {
	ranks run 0 2
	dumpi2txt run.meta > want
	for files in 'run.meta ./run-*.bin' 'run*' '*.bin *.meta'; do
		# shellcheck disable=SC2086
		status_is 0 dumpi2txt $files
		[ "$(wc -l <<<"$stderr")" = 1 ]
		has "$stderr" '^dumpi2txt: .*run-000[01].bin: the file is named more than once, but read once$'
		same want - <<<"$output"
	done
	# A rank that the .meta does not name is read.
	ranks over 0 1
	sed -i 's/numprocs=2/numprocs=1/' over.meta
	status_is 2 dumpi2txt over*
	[ "$(locs <<<"$output")" = "0:11 1:11 " ]
	status_is 0 dumpi2txt run-0001.bin "$PWD/run-0001.bin"
	[ "$(locs <<<"$output")" = "1:11 " ]
	# A copy under another name is another process.
	cp run-0001.bin other-0001.bin
	[ "$(dumpi2txt run-0001.bin other-0001.bin | locs)" = "0/1:11 1/1:11 " ]
}

@test "traces: a job and the one that it spawned are two" {
	need_traces dumpi
	local d=$TRACES/dumpi/dyn-spawn-ompi
	status_is 0 dumpi2txt "$d"/*.bin
	[ -z "$stderr" ]
	locs <<<"$output" > got
	# What dumpi2ascii printed of each file.
	for job in 07 08; do
		for f in "$d"/*."$job"-*.ascii; do
			rank=${f##*-}
			echo "$((10#$job - 7))/$((10#${rank%%.*})):$(grep -c ' entering at walltime ' "$f")"
		done
	done | tr '\n' ' ' > want
	[ "$(wc -w < want)" = 6 ]
	same want got
	# Each .meta file is a run, and the ranks of both count from 0.
	for meta in "$d"/*.meta; do
		dumpi2txt "$meta"
	done > want
	[ "$(locs < want)" = "0:20 1:20 2:12 3:12 " ]
	dumpi2txt "$d"/*.meta | same want -
}

# ---- ranks that are lost ----

@test "a rank behind a .meta that cannot be read: status 2, and the message says which and why" {
	ranks run 0 2
	dumpi2txt run.meta | awk -F'\t' '$2 != 1' > want
	lost() { # WHY
		local got
		for prog in dumpi2txt 'trace-filter event?' 'timeout 10 trace-filter -f dumpi event?'; do
			# shellcheck disable=SC2086  # words
			status_is 2 timeout 10 $prog run.meta
			has "$stderr" "run.meta: rank 1: run-0001.bin: $1\$"
			same want - <<<"$output"
		done
		status_is 2 trace-stats -g rank run.meta
		has "$stderr" "rank 1: run-0001.bin: $1\$"
		got=$(dumpi2txt -H run.meta 2>/dev/null | tail -1) || :
		has "$got" '^##error.*rank.x201'
	}
	mv run-0001.bin whole.bin
	lost 'No such file or directory'
	: > run-0001.bin
	lost 'the file is empty, as after a run that died'
	{ printf 'x'; tail -c +2 whole.bin; } > run-0001.bin
	lost 'this is no DUMPI file: it does not begin with the magic'
	head -c 7 whole.bin > run-0001.bin
	lost 'this is no DUMPI file: it does not begin with the magic'
	rm run-0001.bin
	mkfifo run-0001.bin
	lost 'this is no regular file'
	rm run-0001.bin
	mkdir run-0001.bin
	lost 'this is no regular file'
	rmdir run-0001.bin
	ln -s run-0001.bin run-0001.bin
	lost '.*symbolic links.*'
	rm run-0001.bin
	head -c 12 whole.bin > run-0001.bin
	status_is 2 dumpi2txt run.meta
	has "$stderr" 'run-0001.bin: offset 0: the file ends before the first record'
	same want - <<<"$output"
	# All of them.
	rm run-*.bin
	status_is 2 dumpi2txt run.meta
	has "$stderr" 'rank 2: run-0002.bin: No such file'
	# As many as one likes, told up to ten.
	sed -i 's/numprocs=3/numprocs=5000/' run.meta
	status_is 2 dumpi2txt run.meta
	has "$stderr" '4990 more ranks are missing'
}

@test "a rank that may not be read: status 2" {
	ranks run 0 2
	dumpi2txt run.meta | awk -F'\t' '$2 != 1' > want
	chmod 0 run-0001.bin
	local drop=()
	if [ "$(id -u)" = 0 ]; then
		# Root without the right to read everything.
		# shellcheck disable=SC2054  # the comma is setpriv's
		drop=(setpriv --bounding-set=-dac_override,-dac_read_search)
		"${drop[@]}" true || skip "setpriv(1) cannot take rights away"
	fi
	! "${drop[@]}" cat run-0001.bin > /dev/null 2>&1 || skip "every file can be read here"
	status_is 2 "${drop[@]}" "$BIN/dumpi2txt" run.meta
	has "$stderr" 'rank 1: run-0001.bin: Permission denied'
	same want - <<<"$output"
}

@test "an empty input read as DUMPI is told, from wherever it comes" {
	: > empty-0000.bin
	status_is 2 dumpi2txt - < /dev/null
	has "$stderr" '^dumpi2txt: <stdin>: offset 0: the file is empty'
	status_is 2 dumpi2txt < empty-0000.bin
	has "$stderr" 'the file is empty'
	status_is 2 dumpi2txt <(:)
	has "$stderr" 'the file is empty'
	status_is 2 trace-stats -f dumpi < /dev/null
	has "$stderr" 'the file is empty'
	# Among others: the run goes on, with one origin.
	ranks run 0 2
	dumpi2txt run.meta | awk -F'\t' '$2 != 1' > want
	: > run-0001.bin
	status_is 2 trace-filter 'event?' run-*.bin
	has "$stderr" '^trace-filter: run-0001.bin: the file is empty'
	same want - <<<"$output"
}

@test "a .meta that is a pipe hangs nobody" {
	mkfifo run.meta
	(sleep 0.2; : > run.meta) &
	status_is 2 timeout 10 dumpi2txt run.meta
	has "$stderr" 'the file is empty'
	wait
}

@test "a rank that is not among its neighbours: status 2, and the message says which" {
	ranks run 0 6
	status_is 2 dumpi2txt run-0000.bin run-0002.bin
	has "$stderr" '^dumpi2txt: run-0002.bin: rank 1 is missing between 0 and 2$'
	[ "$(locs <<<"$output")" = "0:11 2:11 " ]
	status_is 2 trace-stats -g rank run-0006.bin run-0002.bin
	has "$stderr" 'run-0006.bin: ranks 3 to 5 are missing between 2 and 6'
	# A part of a run that has no hole may be asked for.
	status_is 0 dumpi2txt run-0002.bin run-0003.bin run-0004.bin
	[ -z "$stderr" ]
	status_is 0 dumpi2txt run-0005.bin
	[ -z "$stderr" ]
	# Of two jobs each.
	ranks two/run 0 1
	status_is 2 dumpi2txt run-0000.bin run-0002.bin two/run-0000.bin two/run-0001.bin
	[ "$(wc -l <<<"$stderr")" = 1 ]
	has "$stderr" ': run-0002.bin: rank 1 is missing'
	[ "$(locs <<<"$output")" = "0/0:11 0/2:11 1/0:11 1/1:11 " ]
}

@test "numprocs=3 with one file, and numprocs=2 with three" {
	ranks run 0 0
	sed -i 's/numprocs=1/numprocs=3/' run.meta
	status_is 2 trace-stats -g rank run.meta
	has "$stderr" 'rank 1: run-0001.bin: No such file'
	has "$stderr" 'rank 2: run-0002.bin: No such file'
	ranks run 0 2
	sed -i 's/numprocs=3/numprocs=2/' run.meta
	status_is 2 dumpi2txt run.meta
	has "$stderr" 'run.meta: numprocs=2, but there is a rank 2: run-0002.bin'
}

# ---- the .meta file ----

# Seed: "The metafile is a simple key/value ASCII file that is intended to be human-readable and to facilitate
# grouping related trace files together."
@test "the keys of a .meta file travel with the events" {
	ranks run 0 1
	printf 'username=jo\nstartime=1700000000\n  my key = some  text\t\r\nempty=\n# a remark\n\na=b=c\n' >> run.meta
	status_is 0 dumpi2txt -H run.meta
	[ -z "$stderr" ]
	cat > want <<-'X'
		##meta	meta.hostname=a
		##meta	meta.numprocs=2
		##meta	meta.fileprefix=run
		##meta	meta.username=jo
		##meta	meta.startime=1700000000
		##meta	meta.my\x20key=some\x20\x20text
		##meta	meta.empty=""
		##meta	meta.a=b=c
	X
	grep '^##meta	meta\.' <<<"$output" | same want -
	dumpi2txt -b run.meta | trace-filter -H -t 'event?' | grep '^##meta	meta\.' | same want -
	dumpi2txt -M run.meta > got
	sed 's/^##meta	meta\.\([^=]*\)=/meta	\1	/' want | same - <(grep '^meta' got)
	[ "$(dumpi2txt -M run.meta run-0001.bin 2>/dev/null | grep -c '^meta')" = 8 ]
	# A line without = is reported.
	echo 'and so on' >> run.meta
	status_is 0 dumpi2txt run.meta
	has "$stderr" '^dumpi2txt: run.meta:11: expected KEY=VALUE$'
}

# Seed: the same sentence.
@test "ranks lie beside the .meta, wherever its fileprefix was" {
	ranks run 0 1
	dumpi2txt run.meta > want
	mkdir new
	mv run-*.bin new
	sed 's,=run,=/scratch/gone/run,' run.meta > new/other.meta
	status_is 0 dumpi2txt new/other.meta
	same want - <<<"$output"
	sed 's,=run,=gone/run,' run.meta > new/other.meta
	(cd new && dumpi2txt other.meta) | same want -
	# Never elsewhere: a .meta names no other files.
	ranks elsewhere/run 0 1
	sed "s,=run,=$PWD/elsewhere/run," run.meta > third.meta
	status_is 2 dumpi2txt third.meta
	has "$stderr" 'rank 0: run-0000.bin: No such file'
}

# Seed: the same sentence.
@test "a .meta without numprocs, or with blanks around =, is one of DUMPI" {
	ranks run 0 2
	dumpi2txt run.meta > want
	printf '  hostname = a\r\n numprocs\t=  3 \r\nfileprefix = run\r\n' > blanks.meta
	for prog in dumpi2txt 'trace-filter event?'; do
		# shellcheck disable=SC2086  # words
		status_is 0 $prog blanks.meta
		[ -z "$stderr" ]
		same want - <<<"$output"
	done
	printf 'hostname=a\nfileprefix=run\n' > none.meta
	for prog in dumpi2txt 'trace-filter event?'; do
		# shellcheck disable=SC2086  # words
		status_is 0 $prog none.meta
		has "$stderr" 'none.meta: numprocs= is missing; reading the 3 ranks beside the file'
		same want - <<<"$output"
	done
	# Those that lie there may have a hole.
	mkdir sub
	mv none.meta run-*.bin sub
	: > sub/run-x.bin
	: > sub/runner-0009.bin
	rm sub/run-0001.bin
	status_is 2 dumpi2txt sub/none.meta
	has "$stderr" 'rank 1: sub/run-0001.bin: No such file'
	[ "$(locs <<<"$output")" = "0:11 2:11 " ]
	# A number that is none.
	for n in many -3 0 99999999999999999999 3x; do
		printf 'numprocs=%s\nfileprefix=run\n' "$n" > sub/bad.meta
		status_is 2 dumpi2txt sub/bad.meta
		has "$stderr" "numprocs=$n"
		[ "$(locs <<<"$output")" = "0:11 2:11 " ]
	done
	# Another file of that name is none.
	echo '{"numprocs=": 1}' > other.meta
	status_is 2 trace-filter 'event?' other.meta
	has "$stderr" 'no known format'
}

# ---- the parts of a file ----

# Seed: "This index record lists the offsets into records T.1-7"; "The value DUMPI_END_OF_STREAM terminates the
# stream."
@test "a body without its end mark ends where the index says that the header begins" {
	{ lead; barrier 0001 0 0002 0; barrier 0003 0 0004 0; } > body
	whole body 2 > cut-0000.bin
	for prog in dumpi2txt 'trace-filter event?'; do
		# shellcheck disable=SC2086  # words
		status_is 2 $prog cut-0000.bin
		has "$stderr" 'offset 50: the body has no end mark; 2 whole records'
		[ "$(wc -l <<<"$stderr")" = 1 ]
		[ "$(cut -f3 <<<"$output" | tr '\n' ' ')" = "MPI_Barrier MPI_Barrier " ]
	done
	[ "$(dumpi2txt --compat cut-0000.bin 2>/dev/null | grep -c ' entering ')" = 2 ]
	# From a pipe that is read whole, and among ranks with small buffers.
	status_is 2 dumpi2txt <(cat cut-0000.bin)
	[ "$(wc -l <<<"$output")" = 2 ]
	cp cut-0000.bin cut-0001.bin
	status_is 2 dumpi2txt cut-0000.bin cut-0001.bin
	[ "$(locs <<<"$output")" = "0:2 1:2 " ]
	[ "$(grep -c 'no end mark' <<<"$stderr")" = 2 ]
	# A record that goes on beyond it is cut off there.
	{ cat body; barrier 0005 0 0006 0 | head -c 9; } > short
	whole short 2 > short.bin
	status_is 2 dumpi2txt short.bin
	has "$stderr" 'offset 50: MPI_Barrier: the record is cut off: 9 bytes are there, it has at least'
	same <(tail -n +2 <<<"$stderr") - <<< 'dumpi2txt: short.bin: 1 record skipped'
	[ "$(wc -l <<<"$output")" = 2 ]
	# It can be mended.
	dumpi2txt -n cut-0000.bin > mended-0000.bin 2>/dev/null || [ $? = 2 ]
	status_is 0 dumpi2txt mended-0000.bin
	[ -z "$stderr" ]
	# An index that lies does not end a body that has its mark.
	{ cat body; hex 0125; } > marked
	whole marked 2 > ok.bin
	status_is 0 dumpi2txt ok.bin
	cp ok.bin lies.bin
	u64 33 | dd of=lies.bin bs=1 seek=$(($(stat -c %s ok.bin) - 32)) conv=notrunc 2>/dev/null
	status_is 2 dumpi2txt lies.bin
	[ "$(wc -l <<<"$output")" = 2 ]
}

# Seed: "A list of 32-bit integers indicating how often each call was entered but not profiled".
@test "-n keeps the counts of calls that were not recorded" {
	"$G" file 13.0.0 8 0x4f 0 8,13 > all-0000.bin
	dumpi2txt -M all-0000.bin | grep '^ignored' > want
	[ -s want ]
	dumpi2txt -n all-0000.bin > n-0000.bin
	dumpi2txt -M n-0000.bin | grep '^ignored' | same want -
	cmp all-0000.bin n-0000.bin
	trace-filter -n MPI_Wait all-0000.bin > n-0000.bin
	dumpi2txt -M n-0000.bin | grep '^ignored' | same want -
	status_is 0 dumpi2txt n-0000.bin
	[ -z "$stderr" ] # called less not recorded are as many as there are
}

@test "traces: -n of a whole file is the file, byte for byte" {
	need_traces dumpi
	local n=0
	for f in "$TRACES"/dumpi/{all,app,blue,dyn,instr,thr}*/*.bin; do
		dumpi2txt -n "$f" | cmp - "$f"
		n=$((n + 1))
	done
	[ "$n" -ge 30 ]
}

# times FILE: begin and duration of every event, absolute.
times() {
	dumpi2txt -A "$1" | cut -f1,6 | tr '\t\n' '  '
}

# Seed: "this means that our clock rolls over every 18 hours. Realistically, this is only a serious problem if we
# go 18 hours without profiling any calls (since the profiled stream is in chronological order)."
@test "times: in order, a gap of up to 65,535 seconds is unambiguous" {
	{ lead 100; barrier fffa 0 fffa 5; hex 0125; } > body
	whole body 1 > a.bin
	status_is 0 dumpi2txt a.bin
	[ "$(times a.bin)" = '65630.000000000 0.000000005 ' ]
	# Every gap around the roll-over, of calls and between them.
	for gap in 1 60 65475 65476 65500 65534 65535; do
		{
			lead 10
			barrier 0005 1 0005 1
			barrier "$(printf %04x $(((5 + gap) & 65535)))" 1 "$(printf %04x $(((5 + gap) & 65535)))" 2
			barrier "$(printf %04x $(((5 + gap) & 65535)))" 3 "$(printf %04x $(((5 + 2 * gap) & 65535)))" 4
			hex 0125
		} > body
		whole body 3 > gap.bin
		[ "$(times gap.bin)" = "$(printf '15.000000001 0.000000000 %d.000000001 0.000000001 %d.000000003 %d.000000001 ' \
			$((15 + gap)) $((15 + gap)) "$gap")" ]
	done
	# Of several threads a return may come a little late, but not before the bias.
	{
		lead 10
		barrier fff0 0 fff0 0 0000
		barrier 0003 0 0003 0 0001
		barrier 0001 0 0001 0 0000
		barrier fffe 0 fffe 0 0002
		hex 0125
	} > body
	whole body 4 > threads.bin
	[ "$(dumpi2txt -A threads.bin | cut -f1 | tr '\n' ' ')" = '65530.000000000 65549.000000000 65547.000000000 65544.000000000 ' ]
}

# Seed: "This index record is a not ideal ... (eventually new sections might be prepended here)".
@test "an index with sections prepended is one, and what is not known is told" {
	{ lead; barrier 0001 0 0002 0; hex 0125; } > body
	whole body 1 > eight.bin
	dumpi2txt -M eight.bin > want
	for extra in '4711' '4711 4712' '0 0 0 77'; do
		# shellcheck disable=SC2086  # words
		whole body 1 $extra > more.bin
		status_is 0 dumpi2txt -M more.bin
		has "$stderr" "the index names $(wc -w <<<"$extra") sections? that (is|are) unknown"
		same want - <<<"$output"
		# They cannot be written.
		status_is 2 dumpi2txt -n -o n.bin more.bin
		has "$stderr" 'not written'
	done
}

# Seed: "DUMPI_WALLTIME_MASK ... Specifies that wall time information is stored for function entry and exit."
@test "a record without wall time is put where the call before it returned, and that is told" {
	{
		lead
		hex 0034000002
		barrier 0001 0 0003 0
		hex 0034000002
		barrier 0004 0 0005 0
		hex 0125
	} > body
	whole body 4 > some.bin
	status_is 0 dumpi2txt some.bin
	has "$stderr" '^dumpi2txt: some.bin: 2 records have no wall time; each is placed at the return of the previous call$'
	[ "$(wc -l <<<"$stderr")" = 1 ]
	[ "$(cut -f1,6 <<<"$output" | tr '\t\n' '  ')" = \
		'0.000000000 - 0.000000000 2.000000000 2.000000000 - 3.000000000 1.000000000 ' ]
}

# Seed: "A 64-bit magic number indicating the start of the record (0xf007fee7). A list of 32-bit integers
# indicating of how many times each MPI call was encountered".
@test "a footer that has more calls unrecorded than made is told as such" {
	local at
	"$G" file 13.0.0 8 0x4f 0 8 > f.bin
	at=$(LC_ALL=C grep -obUaP '\x00\x00\x00\x00\xf0\x07\xfe\xe7' f.bin | head -1 | cut -d: -f1)
	hex 00000008 | dd of=f.bin bs=1 seek=$((at + 8 + 4 * (291 + 8))) conv=notrunc 2>/dev/null
	status_is 2 dumpi2txt f.bin
	has "$stderr" 'MPI_Isend: the footer says that 8 of 3 calls were not recorded; 2 were read'
	[ "$(wc -l <<<"$stderr")" = 1 ]
}

# Seed: "Time at the start of simulation (64-bits)".
@test "the header's start time is an unsigned number" {
	{ lead; barrier 0001 0 0002 0; hex 0125; } > body
	TIME=-1 whole body 1 > t.bin
	[ "$(dumpi2txt -M t.bin | grep starttime)" = 'header	starttime	18446744073709551615' ]
}

# Seed: "Time values are stored as uint16_t for seconds and uint32_t for nanoseconds."
@test "a second or more of nanoseconds is told, with the record's offset" {
	for ns in 1000000000 4294967295; do
		{ lead; barrier 0001 0 0002 999999999; barrier 0003 0 0004 $ns; barrier 0005 0 0006 0; hex 0125; } > body
		whole body 3 > ns.bin
		for prog in dumpi2txt 'trace-filter event?' 'trace-stats -a sum(dur)' 'dumpi2txt -n'; do
			# shellcheck disable=SC2086  # words
			status_is 2 $prog ns.bin
			has "$stderr" 'ns.bin: offset 33: MPI_Barrier: the nanoseconds of a time are a second or more'
			[ "$(wc -l <<<"$stderr")" = 1 ]
		done
		[ "$(dumpi2txt ns.bin 2>/dev/null | wc -l)" = 3 ]
	done
	{ lead; barrier 0001 4294967295 0002 0; hex 0125; } > body
	whole body 1 > ns.bin
	status_is 2 dumpi2txt ns.bin
	has "$stderr" 'offset 16: MPI_Barrier: the nanoseconds of a time'
}

@test "a pipe whose header comes last, with another version's layout than its records were read as" {
	barrier 0000 1 0000 2 > body
	for ((i = 0; i < 16; i++)); do cat body body > two; mv two body; done
	{ lead; cat body; hex 0125; } > all
	whole all 65536 > old-0000.bin
	status_is 0 dumpi2txt -o want old-0000.bin
	[ "$(wc -l < want)" = 65536 ]
	status_is 2 dumpi2txt --rank 0 < <(cat old-0000.bin)
	same want - <<<"$output"
	has "$stderr" 'the header says version 0.6.1, but the records were read as another version'
	# Of the newest version nothing is to be said.
	hex 0d0000 | dd of=old-0000.bin bs=1 seek="$(stat -c %s all)" conv=notrunc status=none
	status_is 0 dumpi2txt --rank 0 < <(cat old-0000.bin)
	[[ $stderr != *'read as of another'* ]]
}
