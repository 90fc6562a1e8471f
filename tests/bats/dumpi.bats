#!/usr/bin/env bats
# dumpi.bats - DUMPI: dumpi2txt, and the format under trace-filter.

load ../helpers

setup_file() {
	generator gen/gen_dumpi.c
}

setup() {
	enter
	G=$BATS_FILE_TMPDIR/gen
	D=$FIX/dumpi
	S=$D/small-0002.bin
	A=$D/every-call-0000.bin
}

# Events without the columns and arguments that are derived: as `gen expect` prints them.
bare() {
	awk -F'\t' '{
		s = $3
		for (i = 7; i <= NF; i++)
			if (!($3 ~ /_init$/ && $i ~ /^bytes=/) && !($3 ~ /^MPI_Start/ && $i ~ /^comm=/) && $i !~ /^(peer|recv_bytes|posted|cpu|cpudur|PAPI_L1_DCM(\.out)?|x\\x20y\\x3d1(\.out)?|perf[0-9](\.out)?)=/)
				s = s "\t" $i
		print s }'
}

# quiet_but_sizes STDERR WORDS: a file whose index has so many words says nothing, but that old ones
# have no sizes of datatypes.
quiet_but_sizes() {
	local rest=$1
	[ "$2" -eq 8 ] || rest=$(grep -Ev ' calls? left without a size: ' <<<"$1" || :)
	[ -z "$rest" ]
}

# all VERSION WORDS MASK [COUNTERS]: what is read is what was written.
all() {
	"$G" file "$@" > "all-0000.bin"
	"$G" expect "$@" > want
	status_is 0 dumpi2txt all-0000.bin
	quiet_but_sizes "$stderr" "$2"
	bare <<<"$output" > got
	[ "$(wc -l < want)" -gt 570 ]
	same want got
}

@test "every argument of every call: newest version, all masks" {
	all 13.0.0 8 0x4f
	all 13.0.0 8 0x4f 2
	all 13.0.0 8 0x48
	all 13.0.0 8 0x04
	all 13.0.0 8 0x03
	all 13.0.0 8 0x40 1
}

@test "every argument of every call: versions 0.2 to 0.6.8, all four index layouts" {
	all 0.2.0 5 0x4f
	all 0.3.0 6 0x4f 2
	all 0.4.0 7 0x4f
	all 0.6.1 7 0x0f
	all 0.6.2 7 0x4f
	all 0.6.5 8 0x4f
	all 0.6.7 8 0x4f
	all 0.6.8 8 0x4f
}

@test "the fixtures are what the generator writes" {
	"$G" file 13.0.0 8 0x4f | cmp - "$A"
	"$G" file 0.6.1 7 0x4f | cmp - "$D/every-call-v0.6.1-0001.bin"
	"$G" file 13.0.0 8 0x4f 2 124,1,8,12,18,55,78,136,135,292,14,40,105,114,217 | cmp - "$S"
}

@test "the table: arguments in stored order, and in dumpi2ascii's" {
	"$G" table | sed 's/:one<[0-9.]*//g; s/argc2:i32:aux:only<0.6.2,//' | same "$ROOT/tests/facts/dumpi-calls.tsv" -
}

@test "the table equals the format's tables" {
	local f=$TRACES/../formats
	[ -e "$f/dumpi_calls.tsv" ] || skip 'SPOOR_TRACES names no collection with tables beside it'
	# The version conditions stand in the notes.
	[ "$("$G" table | grep -c ':one<0.6.9')" = "$(grep -c '0.6.9 stores' "$f/dumpi_calls.tsv")" ]
	[ "$("$G" table | grep -c ':one<0.6.8')" = "$(grep -c '0.6.8 stores' "$f/dumpi_calls.tsv")" ]
	"$G" types | sort > got
	grep -v '^#' "$f/dumpi_types.tsv" | cut -f1-3 | sed 's/(.*)//' | sort |
		grep -E "^($(cut -f1 got | paste -sd'|'))	" > want
	same want got
	grep -v '^#' "$f/dumpi_constants.tsv" | awk -F'\t' '
		BEGIN { split("topologies topology combiners combiner datatypes datatype files file infos info keyvals keyval ops op comparisons comparison groups group comms comm requests request io_requests iorequest distributions distribution errhandlers errhandler locktypes locktype orderings ordering threadlevels threadlevel typeclasses typeclass wins win win_assert winassert", m, " ")
			for (i = 1; i in m; i += 2) g[m[i]] = m[i + 1] }
		$1 !~ /special|setting|configmask/ && $3 !~ /FIRST_USER/ && $2 "" != "-1" {
			sub(/^DUMPIO?_/, "", $3); print ($1 in g ? g[$1] : $1) "\t" $2 "\t" $3 }' | sort > want
	"$G" constants | grep -Ev '^(dest|source|tag)	' | grep -v '|' |
		sed -E 's/	(DUMPI|MPI)O?_/	/' | sort > got
	same want got
	[ "$(wc -l < got)" -gt 120 ]
}

@test "times: seconds with the origin at the first call, durations, cpu" {
	dumpi2txt "$A" > out
	[ "$(head -1 out | cut -f1-6)" = $'0.000000000\t0\tMPI_Send\t-\t0\t0.000001000' ]
	[ "$(sed -n 2p out | cut -f1)" = 0.000002000 ]
	has "$(head -1 out)" $'\tcpu=5.000000000\tcpudur=0.000000800$'
	[ "$(dumpi2txt -A "$A" | head -1 | cut -f1)" = 1000.000000000 ]
	has "$(dumpi2txt -H "$A" | head -3)" 'origin=1000.000000000'
}

# barrier S NS S NS [THREAD]: a record of MPI_Barrier with wall times; hex digits without blanks.
barrier() {
	printf '\x00\x34'
	# shellcheck disable=SC2001,SC2059  # bytes
	printf "$(sed 's/../\\x&/g' <<<"${5:+48}${5-08}$1$2$3$4")"
	printf '\x00\x02'
}

lead() {
	printf '\xff\xaa\xdd\x44\x55\x4d\x50\x49\x00\x00\x00\x00\x00\x00\x00\x0a'
}

@test "times: stored seconds wrap at 65536; of several threads a short step back is no wrap" {
	{
		lead
		barrier fffe 00000000 ffff 00000001 0000
		barrier 0001 00000000 0002 00000000 0000
		barrier 0001 00000000 0001 00000000 0001
		barrier ffff 00000000 0003 00000000 0000
	} > wrap.bin
	status_is 2 dumpi2txt wrap.bin
	[ "$(cut -f1,6 <<<"$output" | tr '\t\n' '  ')" = \
		"0.000000000 1.000000001 3.000000000 1.000000000 3.000000000 0.000000000 1.000000000 4.000000000 " ]
}

@test "no times at all: the record's number, and the header says so" {
	"$G" file 13.0.0 8 0x43 > none-0000.bin
	dumpi2txt -H none-0000.bin > out
	has "$(head -20 out)" '##clock	ticks'
	has "$(head -400 out)" '##meta	clock=records'
	[ "$(grep -v '^#' out | sed -n 3p | cut -f1,6)" = $'2\t-' ]
	"$G" file 13.0.0 8 0x47 > cpu-0000.bin
	dumpi2txt -H cpu-0000.bin > out
	has "$(head -400 out)" '##meta	clock=cpu'
	[ "$(grep -v '^#' out | sed -n 2p | cut -f1,6)" = $'0.000002000\t0.000000800' ]
}

@test "size: count times datatype, sums of counts, statuses; unknown is -" {
	dumpi2txt -M "$A" | awk -F'\t' '$1 == "datatype" { print $2 "\t" $3 }' > sizes
	dumpi2txt "$A" | awk -F'\t' '
		NR == FNR { size[$1] = $2; next }
		{ delete a; for (i = 7; i <= NF; i++) { k = index($i, "="); a[substr($i, 1, k - 1)] = substr($i, k + 1) } }
		function known(t) { return t in size && size[t] > 0 }
		function sum(s,   v, i, n, t) { n = split(s, v, ","); for (i = 1; i <= n; i++) t += v[i]; return t + 0 }
		$3 ~ /^MPI_(Send|Bsend|Ssend|Rsend|Isend|Ibsend|Issend|Irsend|Irecv|Reduce|Allreduce|Scan|Exscan)$/ {
			want = a["peer"] == "MPI_PROC_NULL" ? 0 : a["count"] >= 0 && known(a["datatype"]) ? a["count"] * size[a["datatype"]] : "-" ; n++
			if (want != $5) { print "bad: " $0; exit 1 } }
		$3 ~ /^MPI_(Recv|File_read|File_write_all|File_read_at_all_end)$/ {
			if (a["status.bytes"] != "") { m++; if (sum(a["status.bytes"]) != $5) { print "bad: " $0; exit 1 } } }
		# Of requests that nobody saw being made nothing is known.
		$3 ~ /^MPI_(Wait|Test)(any|all|some)?$/ && $5 != "-" { print "bad: " $0; exit 1 }
		$3 == "MPI_Alltoallv" { want = sum(a["sendcounts"]) * size[a["sendtype"]]
			if ($5 != "-" && $5 != want) { print "bad: " $0; exit 1 } }
		END { if (n < 25 || m < 4) { print "too few: " n " " m; exit 1 } }' sizes -
	# Without the table nothing but statuses is known.
	"$G" file 0.2.0 5 0x4f > old-0000.bin
	dumpi2txt old-0000.bin > out
	[ -z "$(awk -F'\t' '$3 == "MPI_Send" && $5 != "-" && !/count=0|peer=MPI_PROC_NULL/' out)" ]
	[ "$(awk -F'\t' '$3 == "MPI_Recv" { print $5; exit }' out)" = 1001 ]
}

@test "peer: destination, source, the status's source where there is one" {
	dumpi2txt "$A" > out
	awk -F'\t' '
		{ delete a; for (i = 7; i <= NF; i++) { k = index($i, "="); a[substr($i, 1, k - 1)] = substr($i, k + 1) } }
		function rank(v) { return v == "MPI_ROOT" ? "MPI_PROC_NULL" : v }
		$3 ~ /^MPI_I?[bsr]?[Ss]end$/ { n++; if (a["peer"] != rank(a["dest"])) exit 1 }
		$3 == "MPI_Irecv" { n++; if (a["peer"] != rank(a["source"])) exit 1 }
		$3 == "MPI_Recv" { n++; if (a["peer"] != (a["status.source"] == "" ? rank(a["source"]) : a["status.source"])) exit 1 }
		$3 == "MPI_Put" { n++; if (a["peer"] != a["targetrank"]) exit 1 }
		$3 == "MPI_Barrier" { n++; if ("peer" in a) exit 1 }
		END { exit n < 18 }' out
}

@test "functions have their names, where the addresses tell" {
	dumpi2txt "$A" | grep -c 'Function_enter.*fn=0x400000	name=main\\x20loop' | grep -x 1
	[ "$(dumpi2txt "$A" | grep -c 'fn=0x7000000124	cpu=')" = 1 ]
}

# Text streams without what hangs on the sizes of datatypes.
unsized() {
	awk -F'\t' -v OFS='\t' '{ $5 = "-"; gsub(/\trecv_bytes=[0-9]*/, ""); print }'
}

@test "a pipe gives what a file gives" {
	for f in "$D"/*.bin; do
		dumpi2txt --rank 7 "$f" > want
		dumpi2txt --rank 7 < "$f" > got
		same want got
		dumpi2txt --rank 7 <(cat "$f") > got
		same want got
		dumpi2txt --compat=all "$f" > want
		# shellcheck disable=SC2002
		cat "$f" | dumpi2txt --compat=all > got
		same want got
	done
	# One that does not fit into the buffer: sizes and names are not known, and that is said.
	"${CC:-cc}" -O1 -std=c11 -D_XOPEN_SOURCE=700 -o big "$ROOT/tests/bench/gen_dumpi.c"
	./big 20000 > big-0003.bin
	# shellcheck disable=SC2002
	cat big-0003.bin | dumpi2txt --rank 3 2> err | unsized > got
	dumpi2txt big-0003.bin | unsized > want
	same want got
	has "$(cat err)" 'the sections of a long pipe come too late'
	# shellcheck disable=SC2002
	cat big-0003.bin | dumpi2txt -M > got 2>/dev/null
	dumpi2txt -M big-0003.bin > want
	same want got
	# shellcheck disable=SC2002
	cat big-0003.bin | dumpi2txt --compat 2>/dev/null > got
	dumpi2txt --compat big-0003.bin > want
	same want got
	status_is 2 dumpi2txt --compat=all <(cat big-0003.bin)
	has "$stderr" 'stands at the end of this pipe'
	[ -z "$output" ]
	# An old version in a pipe is found out by what makes sense: MPI_Finalize's 29 bytes left out.
	f=$D/every-call-v0.6.1-0001.bin
	at=$((0x$(tail -c 32 "$f" | head -c 8 | od -An -tx1 | tr -d ' \n') - 31))
	{
		head -c 16 "$f"
		for ((i = 0; i < 12; i++)); do head -c $at "$f" | tail -c +17; done
		printf '\x01\x25'
	} > old.bin
	[ "$(stat -c %s old.bin)" -gt 270000 ]
	"$G" expect 0.6.1 7 | grep -vx 'MPI_Finalize' > once
	for ((i = 0; i < 12; i++)); do cat once; done | sed 's/\tname=main\\x20loop//' > want
	dumpi2txt <(cat old.bin) 2> err | bare > got || :
	same want got
}

@test "text, binary and text again" {
	for f in "$D"/*.bin; do
		dumpi2txt "$f" > a
		dumpi2txt -b "$f" | trace-filter -t 'event?' > b
		same a b
		trace-filter -b 'event?' a | trace-filter -t 'event?' > b
		same a b
		dumpi2txt -H "$f" > a
		dumpi2txt -b "$f" | trace-filter -H -t 'event?' | grep -v '^##end' > b
		grep -v '^##end' a | cmp - b
	done
}

@test "native: a filtered file is a DUMPI file of the records that matched" {
	for f in "$D"/*.bin; do
		trace-filter -n 'event == MPI_Isend or event == MPI_Waitall or fn? or event == MPI_Finalize' "$f" > n-0000.bin
		status_is 0 dumpi2txt --rank 0 n-0000.bin
		case $f in *v0.*) quiet_but_sizes "$stderr" 7 ;; *) [ -z "$stderr" ] ;; esac # the footer's counts are right
		dumpi2txt --rank 0 "$f" | grep -E $'\t(MPI_Isend|MPI_Waitall|Function_[a-z]*|MPI_Finalize)\t' |
			cut -f2- > want
		cut -f2- <<<"$output" > got
		same want got
		dumpi2txt -M "$f" | grep -Ev '^(footer|ignored)' > want
		dumpi2txt -M n-0000.bin | grep -Ev '^(footer|ignored)' > got
		same want got
		# All of it: the same bytes up to the footer, and the same length.
		dumpi2txt -n "$f" > n.bin
		[ "$(stat -c %s n.bin)" = "$(stat -c %s "$f")" ]
		dumpi2txt --rank 0 n.bin > got
		dumpi2txt --rank 0 "$f" > want
		same want got
	done
	status_is 2 trace-filter -n 'event?' "$A" "$S"
	has "$stderr" 'one rank'
	# Nothing matched: an empty body, and status 1.
	status_is 1 trace-filter -n 'event == nothing' "$S"
}

@test "a cut file: what is whole is written, the rest is told" {
	dumpi2txt --rank 2 "$S" > whole
	# By a shell that is quick, and compared at once: there are hundreds of cuts.
	mkdir cut
	sh -c 'i=16
		while [ $i -lt "$2" ]; do
			head -c $i "$1" > cut.bin
			got=0
			dumpi2txt --rank 2 cut.bin > "cut/$(printf %06d $i)" 2> err || got=$?
			[ $got = 2 ] || { echo "cut at $i: status $got"; cat err; exit 1; }
			i=$((i + 41))
		done' sh "$S" "$(stat -c %s "$S")"
	# What the sections name is a number where they are cut off.
	awk '{ print FILENAME "\t" $0 }' whole cut/* | cut -f1,3-5,8- |
		sed 's/\trecv_bytes=[0-9]*//; s/\tname=main\\x20loop//
			s/\tx\\x20y\\x3d1/\tperf0/g; s/\tPAPI_L1_DCM/\tperf1/g' > unnamed
	grep '^cut' unnamed > got
	wc -l whole cut/* > counts
	# As many of the whole ones as there are of each: never fewer than of one that was cut before.
	awk 'FILENAME == "unnamed" { if (sub(/^whole\t/, "")) line[++n] = $0; next }
		$2 == "total" || $2 == "whole" { next }
		$1 < last { print $2 ": " $1 " events, " last " in the one before" > "fewer" }
		{ last = $1; for (i = 1; i <= $1; i++) print $2 "\t" line[i] }
		END { if (last != n) print last " events in the last one, " n " in the whole file" > "fewer" }' unnamed counts > want
	same want got
	[ ! -e fewer ] || { cat fewer; return 1; }
	head -c 1000 "$S" > cut.bin
	status_is 2 dumpi2txt cut.bin
	has "$stderr" 'offset [0-9]+: MPI_[A-Za-z_]+: the record is cut off: .* whole records before it'
	# It can be mended.
	dumpi2txt -n cut.bin > mended.bin 2>/dev/null || [ $? = 2 ]
	status_is 0 dumpi2txt mended.bin
	[ "$output" = "$(dumpi2txt cut.bin 2>/dev/null)" ]
}

@test "a record that cannot be ends the body: offset and number of whole records" {
	dumpi2txt "$S" > whole
	cp "$S" bad.bin
	# The second record's call number.
	printf '\xff\xff' | dd of=bad.bin bs=1 seek=16 conv=notrunc 2>/dev/null
	status_is 2 dumpi2txt bad.bin
	has "$stderr" 'offset 16: call 65535: no call has this number; the body ends here after 0 whole records'
	has "$stderr" 'the footer counts [0-9]+ records, 0 were read'
	{ lead; barrier 0000 00000000 0000 00000001; printf '\x01\x26\x00'; } > end.bin
	status_is 2 dumpi2txt end.bin
	[ "$(wc -l <<<"$output")" = 1 ]
	has "$stderr" 'after 1 whole record'
	{ lead; printf '\x00\x12\x00\x00\x00\x00\x01\xff\xff\xff\xff'; cat "$S"; } > long.bin
	status_is 2 dumpi2txt long.bin
	has "$stderr" 'offset 16: MPI_Waitall: a length of [0-9]+ bytes is impossible'
}

@test "index: missing, cut, broken, wrong offsets, junk behind it" {
	local n
	n=$(stat -c %s "$A")
	dumpi2txt "$A" | cut -f1-4,6- > want
	same_events() { # FILE: the events are there, something is said
		status_is 2 dumpi2txt --rank 0 "$1"
		cut -f1-4,6- <<<"$output" | sed 's/\tname=main\\x20loop//; s/\t\(recv_bytes\|posted\|bytes\)=[0-9]*//' > got
		sed 's/\tname=main\\x20loop//; s/\t\(recv_bytes\|posted\|bytes\)=[0-9]*//' want | cmp - got
	}
	head -c $((n - 64)) "$A" > b.bin
	same_events b.bin
	has "$stderr" 'no index'
	head -c $((n - 8)) "$A" > b.bin
	same_events b.bin
	has "$stderr" 'the last 8 bytes of the index are missing'
	{ cat "$A"; echo junk; } > b.bin
	same_events b.bin
	has "$stderr" '5 bytes follow the index'
	# By a shell that is quick, and compared at once.
	mkdir index
	# shellcheck disable=SC2016  # the other shell's
	sh -c 'i=0
		for word in 1 2 3 4 5 6 7; do
			for bytes in "\000\000\000\000\000\000\000\014" "\377\377\377\377\377\377\377\377" "\000\000\000\000\000\000\100\000"; do
				cp "$1" b.bin
				printf "$bytes" | dd of=b.bin bs=1 seek=$(($2 - 64 + 8 * word)) conv=notrunc 2> /dev/null
				got=0
				dumpi2txt --rank 0 b.bin > "index/$word.$((i += 1))" 2> err || got=$?
				[ $got = 2 ] || { echo "word $word, $bytes: status $got"; cat err; exit 1; }
			done
		done' sh "$A" "$n"
	awk '{ print FILENAME "\t" $0 }' index/* | cut -f1-5,7- |
		sed 's/\tname=main\\x20loop//; s/\t\(recv_bytes\|posted\|bytes\)=[0-9]*//' > got
	sed 's/\tname=main\\x20loop//; s/\t\(recv_bytes\|posted\|bytes\)=[0-9]*//' want |
		awk 'NR == FNR { line[NR] = $0; n = NR; next } { for (i = 1; i <= n; i++) print $0 "\t" line[i] }' - <(ls index/*) |
		same got -
	[ "$(ls index | wc -l)" = 21 ]
	printf '\x00' | dd of=b.bin bs=1 seek=$((n - 64)) conv=notrunc 2>/dev/null
	same_events b.bin
	# The sections are found behind the body all the same.
	head -c $((n - 64)) "$A" > b.bin
	dumpi2txt -M b.bin 2>/dev/null > got || [ $? = 2 ]
	dumpi2txt -M "$A" > all
	same all got
}

@test "the footer's counts are held against the records, call by call" {
	local at
	at=$(LC_ALL=C grep -obUaP '\x00\x00\x00\x00\xf0\x07\xfe\xe7' "$S" | head -1 | cut -d: -f1)
	cp "$S" f.bin
	printf '\x00\x00\x00\x09' | dd of=f.bin bs=1 seek=$((at + 8 + 4 * 8)) conv=notrunc 2>/dev/null
	status_is 2 dumpi2txt f.bin
	has "$stderr" 'MPI_Isend: the footer counts 8 records, 2 were read'
	[ "$(wc -l <<<"$stderr")" = 1 ]
}

@test "versions: a newer one is a warning, no file and another file are trouble" {
	"$G" file 20.1.0 8 0x4f > new-0000.bin
	status_is 0 dumpi2txt new-0000.bin
	has "$stderr" 'version 20.1.0 is newer'
	bare <<<"$output" > got
	"$G" expect 20.1.0 > want
	same want got
	: > empty-0000.bin
	status_is 2 dumpi2txt empty-0000.bin
	has "$stderr" 'the file is empty'
	echo 'not a trace' > other.bin
	status_is 2 dumpi2txt other.bin
	has "$stderr" 'other.bin: no known format: try trace-stats'
	status_is 2 dumpi2txt -f dumpi other.bin
	has "$stderr" 'does not begin with the magic'
}

ranks() { # N: run-0000.bin ... and run.meta
	for ((i = 0; i < $1; i++)); do
		"$G" file 13.0.0 8 0x4f 0 124,8,13,18,65 > "$(printf 'run-%04d.bin' "$i")"
	done
	printf 'hostname=a\nnumprocs=%d\nfileprefix=run\n' "$1" > run.meta
}

@test "ranks: merged by time, one after the other, from a .meta file" {
	ranks 3
	dumpi2txt run-0000.bin run-0001.bin run-0002.bin > merged
	[ "$(wc -l < merged)" = 33 ]
	sort -s -c -n -k1,1 merged
	[ "$(head -3 merged | cut -f2 | tr '\n' ' ')" = '0 1 2 ' ]
	dumpi2txt run.meta > got
	same merged got
	dumpi2txt -s run.meta > serial
	[ "$(cut -f2 serial | uniq -c | awk '{ print $1, $2 }' | tr '\n' ' ')" = '11 0 11 1 11 2 ' ]
	sort serial > a
	sort merged > b
	same a b
	# A prefix in the file counts where the .meta was renamed.
	mv run.meta other.meta
	dumpi2txt other.meta > got
	same merged got
	trace-filter 'rank == 1' other.meta > got
	awk -F'\t' '$2 == 1' merged | cmp - got
	[ "$(trace-stats -g event other.meta | awk '$1 == "MPI_Isend" { print $2 }')" = 6 ]
}

@test "ranks: a missing one and a broken one are told by name" {
	ranks 4
	rm run-0002.bin
	status_is 2 dumpi2txt run.meta
	has "$stderr" 'rank 2: .*run-0002.bin: No such file'
	[ "$(cut -f2 <<<"$output" | sort -u | tr '\n' ' ')" = '0 1 3 ' ]
	head -c 100 run-0001.bin > x && mv x run-0001.bin
	status_is 2 dumpi2txt run.meta
	has "$stderr" 'run-0001.bin: offset [0-9]+: '
	[ "$(cut -f2 <<<"$output" | sort | uniq -c | awk '{ print $1 }' | tr '\n' ' ')" = "11 1 11 " ]
	status_is 2 dumpi2txt run.meta nothing.bin
	[ "$(wc -l <<<"$output")" = 23 ]
}

@test "ranks: more of them than descriptors" {
	ranks 1
	# shellcheck disable=SC2046  # names
	tee $(printf 'run-%04d.bin ' {1..299}) < run-0000.bin > /dev/null
	sed -i 's/numprocs=1/numprocs=300/' run.meta
	dumpi2txt run.meta > want
	(ulimit -n 64 && dumpi2txt run.meta) > got
	[ "$(wc -l < want)" = 3300 ]
	same want got
}

@test "--align start: every rank's MPI_Init at the same origin" {
	ranks 2
	# The second host's clock is an hour ahead.
	printf '\x00\x00\x11\xf8' | dd of=run-0001.bin bs=1 seek=12 conv=notrunc 2>/dev/null
	[ "$(dumpi2txt run.meta | awk -F'\t' '$2 == 1 { print $1; exit }')" = 3600.000000000 ]
	dumpi2txt --align start -H run.meta > out
	grep -v '^#' out > events
	sort -s -c -n -k1,1 events
	[ "$(awk -F'\t' '$3 == "MPI_Init" { print $1 }' events | sort -u | head -1)" = 0.000000000 ]
	[ "$(awk -F'\t' '$2 == 0' events | cut -f1)" = "$(awk -F'\t' '$2 == 1' events | cut -f1)" ]
	has "$(head -3 out)" 'origin=1700000000.000000000'
}

@test "-M: section, key, value" {
	dumpi2txt -M "$S" > out
	[ -z "$(awk -F'\t' 'NF != 3' out)" ]
	grep -Fx 'header	version	13.0.0' out
	grep -Fx 'header	hostname	host-1' out
	grep -Fx 'header	meshsize	8,9' out
	grep -Fx 'footer	MPI_Isend	3' out
	grep -Fx 'ignored	MPI_Isend	1' out
	grep -Fx 'keyval	key\x20one	value\x091' out
	grep -Fx 'counter	0	x\x20y=1' out
	grep -Fx 'datatype	MPI_INT	9' out
	grep -Fx 'datatype	31	31' out
	grep -Fx 'function	0x400000	main\x20loop' out
	# The same pairs travel in the header, and what stands before the sections.
	awk -F'\t' '{ print "##meta\t" $1 "." $2 "=" $3 }' out > want
	dumpi2txt -H "$S" | grep '^##meta' > got
	[ "$(head -2 got)" = $'##meta\tbody.bias=5,1000\n##meta\tbody.mask=0xcf' ]
	tail -n +3 got | same want -
	dumpi2txt -b "$S" | trace-filter -H -t 'event?' | grep '^##meta' | tail -n +3 > got
	same want got
	ranks 2
	[ "$(dumpi2txt -M run.meta | grep -c '^rank	[01]	run-000[01].bin$')" = 2 ]
}

@test "--compat: dumpi2ascii's text" {
	"$G" file 13.0.0 8 0x4f 0 8,18,78,55,292 > c-0000.bin
	dumpi2txt --compat c-0000.bin > out
	head -8 out > got
	cat > want <<-'X'
		MPI_Isend entering at walltime 1000.000000000, cputime 5.000000000 seconds in thread 0.
		int count=8
		MPI_Datatype datatype=9 (MPI_INT)
		int dest=3
		int tag=3008
		MPI_Comm comm=0 (MPI_COMM_ERROR)
		MPI_Request request=[1]
		MPI_Isend returning at walltime 1000.000001000, cputime 5.000000800 seconds in thread 0.
	X
	same want got
	grep -A4 '^MPI_Waitall entering' out | head -4 | tail -3 > got
	cat > want <<-'X'
		int count=1
		MPI_Request requests[1]=[1]
		MPI_Status statuses[1]=[{bytes=1018, cancelled=0, source=0, tag=7, error=-1}]
	X
	same want got
	grep -A6 '^MPI_Group_range_incl entering' out | head -5 | tail -3 > got
	cat > want <<-'X'
		int count=1
		int ranges[1][3]=[[0, 1, 2]
		]MPI_Group newgroup=0 (MPI_GROUP_ERROR)
	X
	same want got
	has "$(cat out)" 'int fn=4194304 \("main loop"\)'
	has "$(cat out)" 'int fn=481036337444 \("\(null\)"\)'
	# Where nothing is stored: not root.
	has "$(cat out)" '^int recvcounts\[-?[0-9]+\]=<IGNORED>$'
	dumpi2txt --compat=all c-0000.bin > all
	[ "$(head -2 all | cut -d= -f1 | tr '\n' ' ')" = 'version starttime ' ]
	grep -Fx 'Total keyvals: 1' all
	grep -Fx 'MPI_Isend called 3 times and ignored 1 times' all
	grep -Fx 'Datatype 31 (user-defined-datatype) has size 31' all
	grep -Fx 'Function address 5242880 has label other' all
	status_is 2 dumpi2txt --compat=most c-0000.bin
}

@test "traces: --compat=all equals dumpi2ascii -a, from a file and from a pipe" {
	need_traces dumpi
	export TZ=UTC
	local files=()
	for f in "$TRACES"/dumpi/*/*.ascii; do
		case $f in
		*/v13-keyval3.bin.ascii | */v0.4.0-idx7-mesh3.bin*) continue ;; # dumpi2ascii crashes
		esac
		files+=("$f")
	done
	# shellcheck disable=SC2016  # the other shell's
	sh -c 'for f; do
			dumpi2txt --compat=all "${f%.ascii}" | cmp - "$f" || exit 1
			cat "${f%.ascii}" | dumpi2txt --compat=all | cmp - "$f" || { echo "from a pipe"; exit 1; }
		done' sh "${files[@]}"
	[ "${#files[@]}" -ge 40 ]
	# What it printed before it crashed, and without the header.
	f=$TRACES/dumpi/synthetic/v13-keyval3.bin
	dumpi2txt --compat=all "$f" | head -c "$(stat -c %s "$f.ascii")" | cmp - "$f.ascii"
	f=$TRACES/dumpi/synthetic/v0.4.0-idx7-mesh3.bin
	dumpi2txt --compat=all "$f" | tail -n +8 | cmp - "$f.SKFPAX.ascii"
}

@test "traces: footers agree, nothing is said; a crashed run is read to its last whole record" {
	need_traces dumpi
	# shellcheck disable=SC2016  # the other shell's
	sh -c 'fails() { echo "$f: $*"; head -20 err; exit 1; }
		for f; do
			dumpi2txt "$f" > out 2> err || fails "status $?"
			# Of two, made for this, some calls have no times; old versions have no sizes of datatypes.
			case $f in
			*/v13-mixedmask.bin | */v13-perf3.bin) ! grep -qv "[0-9]* records* ha[sv]e* no wall time;" err || fails "another message" ;;
			*/v0.[2346].[01235]-*) [ "$(wc -l < err)" = 1 ] && grep -Eq " calls? left without a size: " err || fails "another message" ;;
			*) [ ! -s err ] || fails "a message" ;;
			esac
			events=$(wc -l < out)
			entered=$(dumpi2txt --compat "$f" | grep -ac " entering at walltime ")
			[ "$events" = "$entered" ] || fails "$events events, $entered with --compat"
		done' sh "$TRACES"/dumpi/{all,app,blue,dyn,instr,syn,thr}*/*.bin
	c=("$TRACES"/dumpi/crashed-abort/*.bin)
	status_is 2 dumpi2txt "${c[0]}"
	[ "$(wc -l <<<"$output")" = 9313 ]
	has "$stderr" '9313 whole records'
	status_is 2 dumpi2txt "${c[1]}"
	[ "$(wc -l <<<"$output")" = 9309 ]
}

@test "traces: broken files end with status 0 or 2, and lose nothing in front" {
	need_traces dumpi
	local m=$TRACES/dumpi/malformed
	for f in "$m"/*.bin; do
		local got=0
		timeout 10 dumpi2txt "$f" > out 2> err || got=$?
		[ "$got" = 0 ] || { [ "$got" = 2 ] && [ -s err ]; }
	done
	for f in bad-index-magic idx-body-eof idx-footer-bad idx-footer-zero idx-header-zero \
		trailing-junk trunc-idx8 trunc-noindex version-20 argc-neg; do
		[ "$(dumpi2txt "$m/$f.bin" 2>/dev/null | wc -l)" = 879 ]
	done
}
