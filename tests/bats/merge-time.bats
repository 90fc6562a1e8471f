#!/usr/bin/env bats
# merge-time.bats - trace-merge and --by-time on traces made at random: against sort, against exact
# fractions in Python, in all forms, by files and pipes, with few descriptors. One-line cases are in
# tests/cases/merge.sh.

load ../helpers

setup() {
	enter
}

# deal SEED EVENTS FILES DISORDER NAME: events in order of time, dealt to NAME.0, NAME.1, ... at random; each
# file then has every event up to DISORDER places away from its own. Many have equal times.
deal() {
	awk -v seed="$1" -v n="$2" -v k="$3" -v far="$4" -v name="$5" 'BEGIN {
		srand(seed)
		for (i = 0; i < n; i++) {
			t += int(rand() * 4) * int(rand() * 900)
			f = int(rand() * k)
			at[f, m[f]++] = sprintf("%d.%09d\tp%d\te%d\t%s\t%s\t-%s", t / 1e9, t % 1e9, rand() * 5, rand() * 3,
				rand() < .3 ? "-" : int(rand() * 1e6), rand() < .3 ? "-" : 512,
				rand() < .3 ? "" : rand() < .5 ? "\tid=" int(rand() * 9) : "\tname=n" i "\tx=")
		}
		for (f = 0; f < k; f++) {
			out = name "." f
			printf "" > out
			for (i = 0; i + far < m[f]; i += far + 1)
				for (j = far; j; j--) {
					s = i + int(rand() * (j + 1)); q = at[f, i + j]; at[f, i + j] = at[f, s]; at[f, s] = q
				}
			for (i = 0; i < m[f]; i++) print at[f, i] > out
			close(out)
		}
	}'
}

sorted() {
	sort -s -n -k1,1 "$@"
}

@test "merged is sorted, of 1, 2, 8 and 100 inputs, with any window that is wide enough" {
	for k in 1 2 8 40 100; do
		for far in 0 1 7 60; do
			deal $((k + far)) 6000 "$k" "$far" in
			files=$(seq -f 'in.%g' 0 $((k - 1)))
			# shellcheck disable=SC2086  # names without blanks
			sorted $files > want
			for window in auto "$far" 1000 100000 1s; do
				# shellcheck disable=SC2086
				trace-merge --resort $window $files | same want -
			done
			rm -f in.*
		done
	done
}

@test "the forms, pipes, reads of any size: the same events" {
	deal 3 3000 3 9 in
	sorted in.0 in.1 in.2 > want
	for i in 0 1 2; do
		trace-filter -b 'event?' in.$i > in.$i.bin
		trace-filter -H 'event?' in.$i > in.$i.head
	done
	trace-merge in.0 in.1.bin in.2.head | grep -v '^#' | same want -
	trace-merge -b in.0 in.1 in.2 | trace-filter -t 'event?' | same want -
	trace-merge -t in.0.bin in.1.bin in.2.bin | same want -
	trace-merge -b in.0.bin in.1.bin in.2.bin > all.bin
	trace-merge -b in.0 in.1 in.2 | same all.bin -
	trace-merge all.bin | same all.bin -
	trace-merge want | same want -
	mkfifo p.0 p.1 p.2
	for n in 1 7 4096; do
		for i in 0 1 2; do
			cat in.$i.bin > p.$i &
		done
		trace-merge --tune read=$n -t p.0 p.1 p.2 | same want -
		trace-merge --tune read=$n -b in.0.bin in.1.bin in.2.bin | same all.bin -
	done
	trace-merge in.0 in.1 - < in.2 | same want -
}

@test "a filter before is a filter behind; a merge of merges is one" {
	deal 5 4000 4 5 in
	for i in 0 1 2 3; do
		trace-filter 'e1 and size?' in.$i > some.$i
	done
	trace-merge in.0 in.1 in.2 in.3 | trace-filter 'e1 and size?' > want
	[ -s want ]
	trace-merge some.0 some.1 some.2 some.3 | same want -
	trace-merge in.0 in.1 > a
	trace-merge in.2 in.3 > b
	trace-merge in.0 in.1 in.2 in.3 > want
	trace-merge a b | same want -
	trace-stats --by-time -g loc,event -a 'count,sum(size)' in.0 in.1 in.2 in.3 > got
	trace-stats -g loc,event -a 'count,sum(size)' in.0 in.1 in.2 in.3 | same got -
}

@test "--offset and --scale against exact fractions" {
	command -v python3 > /dev/null || skip 'python3 is not installed'
	deal 7 2000 2 0 in
	cat > exact.py <<-'EOF'
		import random
		import subprocess
		from fractions import Fraction as F
		from math import floor

		def ns(text):
		    whole, part = text.split(".")
		    return int(whole) * 10**9 + int(part)

		def show(t):
		    return "%s%d.%09d" % ("-" if t < 0 else "", abs(t) // 10**9, abs(t) % 10**9)

		def rounded(x):  # halves away from 0
		    return floor(x + F(1, 2)) if x >= 0 else -floor(-x + F(1, 2))

		random.seed(11)
		files = [[line.rstrip("\n").split("\t", 1) for line in open("in.%d" % i)] for i in (0, 1)]
		for turn in range(40):
		    options, want = [], []
		    for i, lines in enumerate(files):
		        scale = random.choice([10**9, 1000012345, 999999999, 500000000, 1, 10**9 * 10**8 + 1])
		        offset = random.choice([0, 1, -1, 10**9, -random.randrange(10**18), random.randrange(10**17)])
		        options += ["--scale", "@%d=%d.%09d" % (i + 1, scale // 10**9, scale % 10**9)]
		        options += ["--offset", "in.%d=%s%s" % (i, show(offset), random.choice(["", "s"]))]
		        first = ns(lines[0][0])
		        for time, rest in lines:
		            t = first + rounded((ns(time) - first) * F(scale, 10**9)) + offset
		            if -2**63 <= t < 2**63:
		                want.append((t, rest))
		    want = "".join("%s\t%s\n" % (show(t), rest) for t, rest in sorted(want, key=lambda e: e[0]))
		    got = subprocess.run(["trace-merge"] + options + ["in.0", "in.1"], capture_output=True, text=True).stdout
		    assert got == want, options
	EOF
	python3 exact.py
}

@test "more inputs than descriptors: files are opened again, pipes are refused" {
	# make check-full has ten thousand.
	many=${SPOOR_MANY:-300}
	deal 9 $((many * 66)) "$many" 3 in
	files=$(seq -f 'in.%g' 0 $((many - 1)))
	# shellcheck disable=SC2086
	sorted $files > want
	# shellcheck disable=SC2086
	(ulimit -n 64; trace-merge $files) | same want -
	for f in $files; do trace-filter -b 'event?' "$f" > "$f.bin"; done
	# shellcheck disable=SC2086
	(ulimit -n 64; printf '%s.bin\n' $files | trace-merge -t -l -) | same want -
	# Ranks, each an input, and directories of streams.
	for ((i = 0; i < 70; i++)); do cp "$FIX/dumpi/small-0002.bin" "$(printf 'rank-%04d.bin' $i)"; done
	dumpi2txt rank-*.bin | LC_ALL=C sort > want
	(ulimit -n 64; trace-merge rank-*.bin 2> said) | LC_ALL=C sort | same want -
	# shellcheck disable=SC2046
	(ulimit -n 30; trace-merge $(yes "$FIX/libovni/ties" | head -n 40)) | wc -l > got
	[ "$(cat got)" -eq $((40 * $(ovni-dump "$FIX/libovni/ties" | wc -l))) ]
	mkfifo p
	# shellcheck disable=SC2046,SC2154
	(ulimit -n 30; status_is 2 trace-merge in.0 $(yes p | head -n 40); has "$stderr" '40 inputs are pipes, or compressed, and must stay open')
}

@test "blocks longer than the buffer, of many inputs: as they are of one" {
	deal 13 8000 1 0 in
	trace-filter -b 'event?' in.0 > big.bin
	: > e
	e=$(for ((i = 0; i < 1100; i++)); do echo e; done)
	# shellcheck disable=SC2086
	trace-merge -t big.bin $e | same in.0 -
	# Cut off anywhere, or a byte changed: the same events, and a message, as alone.
	size=$(wc -c < big.bin)
	for at in 200 1000 16384 30001 $((size / 2)) $((size - 30)); do
		head -c "$at" big.bin > cut.bin
		trace-filter -t 'event?' cut.bin > want 2> /dev/null && return 1
		# shellcheck disable=SC2086
		trace-merge -t cut.bin $e > got 2> err && return 1
		same want got
		grep -q '^trace-merge: cut.bin: ' err
		{ head -c "$at" big.bin; printf '\377\377\377'; tail -c +$((at + 4)) big.bin; } > flip.bin
		trace-filter -t 'event?' flip.bin 2> /dev/null | sorted > want || :
		# shellcheck disable=SC2086
		trace-merge -t flip.bin $e 2> /dev/null | sorted | same want - || :
	done
}

@test "memory: 8 inputs in 64 MiB, files and pipes; 1,000 text inputs in 96 MiB" {
	# shellcheck disable=SC2086  # CC may hold flags
	$CC -std=c11 -O2 -o cpu "$ROOT/tests/bench/cpu.c"
	deal 21 400000 8 0 in
	for option in auto 0 1024; do
		./cpu 1 trace-merge --resort $option in.? > used
		[ "$(cut -d ' ' -f 2 used)" -lt $((64 << 10)) ]
	done
	for i in 0 1 2 3 4 5 6 7; do
		mkfifo p.$i
		trace-filter -b 'event?' in.$i > p.$i &
	done
	./cpu 1 trace-merge p.? > used 2> /dev/null
	[ "$(cut -d ' ' -f 2 used)" -lt $((64 << 10)) ]
	deal 22 400000 1000 0 k
	./cpu 1 trace-merge k.* > used
	[ "$(cut -d ' ' -f 2 used)" -lt $((96 << 10)) ]
}

@test "no more address space than it takes: 8 inputs as files and as pipes" {
	deal 17 40000 8 0 in
	for i in 0 1 2 3 4 5 6 7; do
		for ((j = 0; j < 10; j++)); do cat in.$i; done | awk -F '\t' -v OFS='\t' '{ $1 = sprintf("%.9f", NR / 1000); print }' > big.$i
		mkfifo p.$i
		cat big.$i > p.$i &
	done
	sorted big.? > want
	(ulimit -v 90000; trace-merge big.?) | same want -
	(ulimit -v 130000; trace-merge p.? 2> /dev/null) | same want -
}

@test "names without end: tables start anew while events wait" {
	for f in 0 1 2; do
		awk -v f="$f" 'BEGIN {
			srand(f)
			pad = sprintf("%0100d", 0)
			for (i = 0; i < 40000; i++) {
				back = i % 100 == 99 ? int(rand() * 50) : 0
				printf "%d.%09d\tp%s%d\te%d\t-\t-\t-\tk%d=1\n", i - back, f, pad, i, rand() * 9, i % 7000
			}
		}' > in.$f
		trace-filter -b 'event?' in.$f > in.$f.bin
	done
	sorted in.? > want
	trace-merge in.? | same want -
	trace-merge -t in.?.bin | same want -
	trace-merge --resort 30000 -b in.? | trace-filter -t 'event?' | same want -
	mkfifo f
	trace-filter -b 'event?' in.2 > f &
	trace-merge -t in.0 in.1.bin f | same want -
}

@test "an input that is broken costs its own events only, wherever it breaks" {
	deal 19 3000 3 0 in
	trace-filter -b 'event?' in.1 > in.1.bin
	size=$(wc -c < in.1.bin)
	for at in 100 1000 5000 $((size / 2)) $((size - 1)); do
		head -c "$at" in.1.bin > cut.bin
		trace-filter -t 'event?' cut.bin > whole 2> /dev/null || :
		status_is 2 trace-merge -H in.0 cut.bin in.2
		sorted in.0 whole in.2 > want
		grep -v '^#' <<<"$output" | same want -
		has "$(tail -n 1 <<<"$output")" '^##error'
		has "$stderr" 'cut.bin: offset'
	done
}
