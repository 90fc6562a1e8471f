#!/usr/bin/env bats
# laplace-merge.bats - references and kernel events put together. What one command shows is in
# cases/laplace-merge.sh.

load ../helpers

L=$FIX/laplace

# lru FRAMES...: misses of memories of so many pages under least recently used, without the first touch of
# each; of the pages that come in, one a line.
lru() {
	python3 -c '
import sys
from collections import OrderedDict
pages = sys.stdin.read().split()
for frames in map(int, sys.argv[1:]):
    memory, seen, misses = OrderedDict(), set(), 0
    for page in pages:
        if page in memory:
            memory.move_to_end(page)
            continue
        misses += page in seen
        seen.add(page)
        memory[page] = 1
        if len(memory) > frames:
            memory.popitem(last=False)
    print(misses, end=" ")' "$@"
}

# The figures come from another program, which was written before this one.
@test "a million references of a real run: pages, shared pages, processes, misses before and after" {
	need_traces laplace
	command -v xz >/dev/null || skip "xz is not there"
	xz -dc "$TRACES/laplace/merged-1M.ref.bin.xz" > m.ref
	kern=$TRACES/laplace/merged.kern.txt
	laplace-merge -t --table t.tsv m.ref "$kern" > m.txt 2> err
	[ "$(cat err)" = 'laplace-merge: 1 reference has another space than the running process' ]
	grep page= m.txt > r.txt
	[ "$(wc -l < r.txt)" = 1000000 ]
	# Kernel events up to the last reference.
	[ "$(awk '/page=/ { n += k; k = 0; next } { k++ } END { print n }' m.txt)" = 177 ]
	[ "$(cut -f2 r.txt | cut -d/ -f1 | sort | uniq -c | awk '{ print $2 ":" $1 }' | xargs)" = '257:442723 258:274240 259:283037' ]
	[ "$(cut -f2 r.txt | cut -d/ -f2 | sort | uniq -c | awk '{ print $2 ":" $1 }' | xargs)" = '0x1015a:442724 0x11f03:274240 0xa4c2:283036' ]
	[ "$(grep -c region=none r.txt)" = 0 ]
	# Pairs of a space and a page; pages; those of more than one space.
	awk -F'[\t/=]' '{ print $3, substr($5, 1, length($5) - 3), $9 }' r.txt | sed 's/ 0x / 0x0 /' > touched
	sort -u touched > pairs
	[ "$(cut -d' ' -f1,2 pairs | sort -u | wc -l)" = 455 ]
	# First touches: two pages were unmapped and touched again, as pages of another file.
	[ "$(awk 'NR == FNR { kind[$1] = $2; next } { n[kind[$3]]++ } END { print FNR, n["file"], n["anon"] }' t.tsv pairs)" = '457 410 47' ]
	[ "$(wc -l < t.tsv)" = 266 ]
	[ "$(cut -f2 t.tsv | sort | uniq -c | awk '{ print $2 ":" $1 }' | xargs)" = 'anon:47 file:219' ]
	[ "$(cut -d' ' -f1,3 pairs | sort -u | cut -d' ' -f2 | sort | uniq -d | wc -l)" = 104 ]
	# By themselves the pages count from 0, in order.
	awk '!($3 in seen) { seen[$3]; if ($3 != n++) exit 1 }' touched
	command -v python3 >/dev/null || skip "python3 is not there"
	[ "$(cut -d' ' -f3 touched | lru 10 50 100 200)" = '13080 790 222 37 ' ]
	# Of spaces and addresses, both pages of a reference that crosses the end of one.
	python3 -c '
import sys
for line in sys.stdin:
    f = line.split()
    first, size = int(f[3], 16), int(f[4])
    for page in range(first >> 12, ((first + size - 1) >> 12) + 1):
        print(f[1].split("/")[1], page, sep=":")' < r.txt > crossing
	[ "$(wc -l < crossing)" = 1000042 ]
	[ "$(lru 10 50 100 200 < crossing)" = '12892 611 64 53 ' ]
	laplace-merge --pages m.ref "$kern" 2>/dev/null | cut -d' ' -f2 | lru 10 50 100 200 > got
	[ "$(cat got)" = '13080 790 222 37 ' ]
}

# Both inputs of the run that was interleaved by sort.
@test "the interleave is what a stable sort makes of the two" {
	{ laplace-bin2txt "$L/three.ref"; grep -v ^c "$L/three.kern"; } | LC_ALL=C sort -s -k2,2 > want
	echo c------ >> want
	laplace-merge "$L/three.ref" "$L/three.kern" | same want -
	{ grep -v ^c "$L/three.kern"; laplace-bin2txt "$L/three.ref"; } | LC_ALL=C sort -s -k2,2 > want
	echo c------ >> want
	laplace-merge --kernel-first "$L/three.ref" "$L/three.kern" | same want -
}

@test "however the bytes come in, the output is the same" {
	laplace-bin2txt "$L/three.ref" > three.reftxt
	laplace-merge -t "$L/three.ref" "$L/three.kern" > want
	for n in 1 7 19 500; do
		laplace-merge --tune read=$n -t "$L/three.ref" "$L/three.kern" | same want -
		laplace-merge --tune read=$n -t three.reftxt "$L/three.kern" | same want -
	done
}

@test "wherever either input is cut off, all that is whole is there, and the status tells" {
	size=$(wc -c < "$L/three.ref")
	for n in 0 1 17 18 19 35 36 1000 $((size - 18)) $((size - 1)) "$size"; do
		head -c "$n" "$L/three.ref" > cut.ref
		status_is $((n % 18 ? 2 : 0)) laplace-merge -f laplace cut.ref "$L/three.kern"
		[ "$(grep -c '^[riw] [0-9a-f]* [0-9a-f]* [0-9a-f]* [0-9a-f]*$' <<<"$output")" = $((n / 18)) ]
		[ "$(tail -n 1 <<<"$output")" = c------ ]
	done
	whole=$(laplace-merge "$L/three.ref" "$L/three.kern" | wc -l)
	size=$(wc -c < "$L/three.kern")
	for n in 0 1 30 31 $(seq 32 397 "$((size - 8))") $((size - 8)) $((size - 7)); do
		head -c "$n" "$L/three.kern" > cut.kern
		status_is $((n == size - 7 ? 0 : 2)) laplace-merge "$L/three.ref" cut.kern
		has "$stderr" "$([ "$n" = $((size - 7)) ] || echo 'does not end with a line c')"
		[ "$(grep -c '^[riw] [0-9a-f]* [0-9a-f]* [0-9a-f]* [0-9a-f]*$' <<<"$output")" = 480 ]
		there=$(wc -l < cut.kern)
		[ "$(wc -l <<<"$output")" -ge $((480 + there)) ]
	done
	[ "$whole" = $((480 + $(wc -l < "$L/three.kern"))) ]
}

# cost COMMAND...: its user seconds in hundredths.
cost() {
	local TIMEFORMAT=%U
	{ time "$@" > out 2> err; } 2>&1 | tr -d .
}

# What could make a program take the square of the input: each as many lines as many others.
@test "kernel traces made to cost much take no more time than their length, and little memory" {
	need_native
	n=100000
	# Regions that overlap, of all sizes; each then duplicated whole; ranges beyond 2^64.
	awk -v n=$n 'BEGIN { print "A 1 1 1"; for (i = 1; i <= n; i++) printf "m 1 1 %x000 %x000\n", i * 7919 % 1048576, 1 + i * 104729 % 65536; print "c" }' > over
	awk -v n=$n 'BEGIN { print "A 1 1 1"; for (i = 1; i <= n; i++) printf "m 1 1 %x000 1000\n", i * 2 % 1048576; print "c" }' > single
	awk -v n=$n 'BEGIN { print "A 1 1 1"; for (i = 1; i < 60000; i++) printf "m 1 1 %x000 1000\n", i * 17 % 1048576
		for (i = 1; i <= n; i++) printf "D 1 1 %x 0 ffffffffffffffff\n", i % 1000 + 2; print "c" }' > dup
	awk -v n=$n 'BEGIN { print "A 1 1 1"; for (i = 1; i <= n; i++) print "m 1 1 0 ffffffffffffffff\nU 1 1 0 ffffffffffffffff\nU 1 1 fffffffffffff000 ffffffffffffffff"; print "c" }' > huge
	awk -v n=$n 'BEGIN { for (i = 1; i <= n; i++) printf "F 1 %x 1\nX 1 %x 1 2 3 f\ns 1 %x\n", i + 1, i + 1, i + 1; print "c" }' > tasks
	for f in over single dup huge tasks; do
		awk 'BEGIN { for (i = 0; i < 20000; i++) printf "r 1 4 %x %x\n", i % 1000 + 1, i * 4096 * 52 }' > refs
		[ "$(cost laplace-merge --kernel-first --pages refs $f)" -lt 500 ]
		[ "$(wc -l < out)" = 20000 ]
		(ulimit -v 400000 && laplace-merge -t refs $f > out 2> err)
	done
}

@test "--processes: a run that is killed leaves nothing behind" {
	need_native
	mkfifo in
	for sig in TERM KILL; do
		rm -rf k && mkdir k
		"$BIN/laplace-merge" --processes k/d "$L/three.ref" < in 2> err &
		pid=$!
		exec 7> in
		head -n 60 "$L/three.kern" >&7
		waits_for 5 eval 'pgrep -P "$pid" > /dev/null'
		kill -$sig "$pid"
		exec 7>&-
		wait "$pid" || :
		waits_for 5 eval '[ -z "$(ls -A k)" ]'
	done
}

@test "--processes: nothing can be written but in its directory, and a full disk is told" {
	mkdir d
	unshare -rm mount -t tmpfs -o size=64k none d 2>/dev/null || skip "no file system can be mounted"
	for i in $(seq 50); do cat "$L/three.ref"; done > many.ref
	export BIN L
	# shellcheck disable=SC2016
	unshare -rm bash -euc 'mount -t tmpfs -o size=64k none d
		"$BIN/laplace-merge" --processes d/p many.ref "$L/three.kern" 2> err && exit 1
		[ -z "$(ls -A d)" ]'
	has "$(cat err)" '^laplace-merge: d/p/[0-9a-z]*/[0-9a-f]*: .*No space left'
}
