#!/usr/bin/env bats
# edges.bats - what holds just at, below and above a limit, and where one sign or one step more would not be
# seen elsewhere.

load ../helpers

# Two requests are in the same 64 pages, far apart in the trace: more of these than are kept, of four devices.
@test "the pages of a footprint are the same in any order and any split; of more than 1024 words 1024 are kept" {
	awk 'BEGIN { for (page = 0; page < 2; page++) for (i = 0; i < 2500; i++) for (d = 1; d <= 4; d++)
		print d "," i * 512 * d + 8 * page ",4096,r,0.0" }' > up
	tac up > down
	split -l 6001 up part.
	kept() { awk -F'\t' '$2 ~ /^[0-9]+ (pages|limit)/' | sort > "$1"; }
	trace-stats -p up | kept want
	[ "$(grep -c pages want)" = 4096 ]
	[ "$(grep -c limit want)" = 4 ]
	# Both pages of each, that at the limit too.
	[ "$(awk -F'\t' '$2 ~ / pages / && $3 != 3' want)" = '' ]
	trace-stats -p down | kept got
	same want got
	for p in part.*; do trace-stats -p "$p" > "$p.tsv"; done
	trace-stats -mp part.*.tsv | kept got
	same want got
	trace-stats --tsv up > report
	for d in 1 2 3 4; do
		awk -F'\t' -v d="$d" '$1 == "block" && $2 == d && $3 == "footprint" { n = $4 }
			END { exit !(n > 4500 && n < 5500) }' report
	done
}

# So many words that the last of them meets a full table: then the greatest that is kept is the limit.
@test "of the words of pages that are kept every page counts, those of the one at the limit too" {
	awk 'BEGIN { for (page = 0; page < 2; page++) for (i = 0; i < 1537; i++) for (d = 1; d <= 12; d++)
		print d "," i * 512 + 8 * page ",4096,r,0.0" }' > f
	trace-stats -p f | awk -F'\t' '$2 ~ / pages / { n++; if ($3 != 3) bad++ }
		END { print n, bad + 0 }' | grep -qx '12288 0'
}

@test "a footprint of 1024 times 64 pages is exact, of one more it is estimated" {
	awk 'BEGIN { for (i = 0; i < 1025; i++) print "1," i * 512 ",262144,r,0.0" }' > f
	head -1024 f > e
	trace-stats --tsv e > report
	grep -qx "block	1	footprint	65536" report
	trace-stats -p e | grep -c 'pages' | grep -qx 1024
	! trace-stats -p e | grep -q '	[0-9]* limit' || return 1
	trace-stats -p f | grep -c 'pages' | grep -qx 1024
	trace-stats -p f | grep -q '	[0-9]* limit'
	awk -F'\t' '$1 == "block" && $2 == 1 && $3 == "footprint" { n = $4 }
		END { exit !(n > 59000 && n < 72000) }' <(trace-stats --tsv f)
}

@test "a rank is what stands between the last - and .bin: one to nine digits; other names have none" {
	loc() { # NAME RANK
		cp "$FIX/dumpi/small-0002.bin" "$1"
		got=$(trace-filter -t 'event?' "$1" 2>/dev/null | awk -F'\t' '/^[0-9-]/ { print $2; exit }')
		[ "$got" = "$2" ] || { echo "$1: $got, not $2"; return 1; }
	}
	loc job-0007.bin 7
	loc job-0.bin 0
	loc a-b-12.bin 12
	loc job-123456789.bin 123456789
	loc job-1234567890.bin -
	loc job-0007.dat -
	loc job-0007.bin.dat -
	loc job-7bin -
	loc job-.bin -
	loc 0007.bin -
	loc x.bin -
	loc .bin -
	loc bin -
	loc a -
}

@test "CHARISMA: of a record that is cut off, its offset, its name, its bytes, and where the input ends" {
	preset=packed-lp64-le
	f=$FIX/charisma/$preset.chr
	size=$(stat -c %s "$f")
	head -c $((size - 1)) "$f" > cut.chr
	status_is 2 charisma-dump --preset "$preset" cut.chr
	line=$(grep 'cut off' <<<"$stderr")
	[[ $line =~ ^charisma-dump:\ cut.chr:\ offset\ ([0-9]+):\ the\ ([a-z-]+)\ record\ is\ cut\ off:\ ([0-9]+)\ bytes\ are\ needed,\ the\ input\ ends\ after\ ([0-9]+),\ at\ offset\ ([0-9]+)$ ]]
	[ "${BASH_REMATCH[5]}" = $((size - 1)) ]
	[ $((BASH_REMATCH[1] + BASH_REMATCH[4])) = $((size - 1)) ]
	[ $((BASH_REMATCH[1] + BASH_REMATCH[3])) = "$size" ]
}

# Trouble that is not of one record is passed on as such of a record is: its first words say what it was.
@test "a rank that is missing is trouble behind a pipe and in the merge of partials too, which say what" {
	mkdir j
	cp "$FIX/dumpi/small-0002.bin" j/job-0000.bin
	printf 'hostname=h\nnumprocs=2\nfileprefix=job\nversion=1\nsubversion=1\nsubsubversion=0\n' > j/job.meta
	status_is 2 trace-stats -p j/job.meta
	printf '%s\n' "$output" > p.tsv
	status_is 2 trace-stats -m p.tsv
	has "$stderr" 'when the partial results were made: j/job\.meta: .*job-0001\.bin'
	for form in -tH -b; do
		status_is 2 eval "trace-filter $form 'event?' j/job.meta 2>/dev/null | trace-filter -c 'event?'"
		has "$stderr" 'had trouble.*job-0001\.bin'
	done
}

@test "a binary Laplace trace is known by its whole records: the clock of a torn one makes up for none" {
	rec() { printf '%b' "r\\x0$1\\0\\0\\0\\0\\0\\0\\0\\x04\\0\\0\\0\\0\\0\\0\\0\\0"; }
	for c in 1 2 3 4 5 6 7 8; do rec "$c"; done > good
	status_is 0 trace-filter -c 'event?' good
	[ "$output" = 8 ]
	for c in 1 2 3 5 4 6 7 8; do rec "$c"; done > back
	rec 9 | head -c 17 > torn
	for f in back torn; do
		cat "$f" >> both
		status_is 2 trace-filter -c 'event?' both
		has "$stderr" 'no known format begins like this'
	done
}

