#!/usr/bin/env bats
# plot-bounds.bats - what pictures of every kind keep: colours that are told apart, at most 500 KB, as many
# columns as were asked for, tooltips with numbers.
bats_require_minimum_version 1.5.0
load ../helpers

@test "any two colours of names differ by more than 12, whatever the eyes, in light and dark" {
	needs python3
	trace-plot timeline "$FIX/runs/solver.meta" > auto.svg
	trace-report "$FIX/runs/solver.meta" > page.html
	for t in light dark; do trace-plot timeline --theme "$t" "$FIX/runs/solver.meta" > "$t.svg"; done
	status_is 0 python3 "$ROOT/tests/oracle/colours.py" 12 auto.svg light.svg dark.svg page.html
	[ "$(wc -l <<< "$output")" = 32 ]
}

# shredded N QUOTE: states of 8 names under 0.6 ms in N lanes; a QUOTE stands 200 times in each name.
shredded() {
	awk -v n="$1" -v c="${2-}" 'BEGIN { srand(3); for (i = 0; i < 200; i++) q = q c; for (t = 0; t < 30000000; t += 500)
		printf "0.%09d\t%s%d\t%sS%d\t%d\t%d\t%.9f\n", t, q, int(rand() * n), q, int(rand() * 8), int(rand() * 2 ^ 20) * 64,
			2 ^ (rand() * 30), rand() * 6e-4 }'
}

# calls FILE: its events so short that none overlaps another: a flame is of calls.
calls() {
	awk -F '\t' -v OFS='\t' '{ $6 = "0.0000001" } 1' "$1"
}

@test "pictures have at most 500,000 bytes, whatever the lanes and names, and are still right" {
	needs python3
	# shellcheck disable=SC2089  # the characters are meant
	for how in 16 32 64 '64 "' "64 '" '64 &'; do
		# shellcheck disable=SC2086,SC2090  # a number and a character
		shredded $how > s
		calls s > c
		for k in rate heat timeline hist matrix addr flame; do
			f=s
			[ $k != flame ] || f=c
			trace-plot "$k" "$f" > p.svg 2> err
			echo "$how: $k: $(wc -c < p.svg)"
			[ "$(wc -c < p.svg)" -le 500000 ]
			tail -n 1 p.svg | grep -qx '</svg>'
		done
		[ "${how#* }" = "$how" ] || continue
		# As large as the bound lets it be: half of the columns would have too few bytes.
		trace-plot timeline -g event s > p.svg
		[ "$(wc -c < p.svg)" -gt 250000 ]
		trace-plot timeline -g event --bins s > p.tsv
		status_is 0 python3 "$ROOT/tests/oracle/plot.py" area p.svg p.tsv s
	done
}

@test "no line for a terminal is wider than --width, of any kind and names, and axes are straight" {
	needs python3
	shredded 16 > plain
	calls plain > short
	# Bytes that are no UTF-8, wide characters, marks upon others, long names, a name that is nothing but marks.
	printf '%s\t%b\t%b\t%s\t%s\t%s\n' 0.1 'a\0377\0303(' 'x\0377\0376\0377\0376\0377\0376\0377\0376\0377\0376' 4096 10 0.5 \
		0.2 漢字漢字漢字漢字漢字漢字漢字漢字漢字 読込読込読込読込読込読込読込読込読込読込読込読込読込 8192 100000 0.25 \
		0.3 'e\0314\0201e\0314\0201e\0314\0201e\0314\0201e\0314\0201e\0314\0201e\0314\0201e\0314\0201' 'i\0314\0201' 4096 9 0.125 \
		0.4 'a_long_name_of_a_thread_漢_of_a_host/1' '🙂_smile_and_be_a_long_name_of_an_event' 0 18446744073709551615 5000.25 \
		0.5 '\0314\0201' 'µ' 18446744073709550592 1 0.000000001 > odd
	for i in 1 2 3 4 5 6 7 8; do printf '0.%d\tl%d\ta_name_of_21_columns%d\t64\t10\t0.123456789\n' "$i" "$i" "$i"; done > names
	printf 'x\t漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字\tb\377\n1\t2\t3\n1000000\t18446744073709551615\t1\n' > table
	for locale in C.UTF-8 C; do
		for columns in 40 41 47 53 66 80 81 100 133 500; do
			for f in plain odd names table; do
				for k in rate heat timeline hist matrix addr flame line 'heat -a sum(abs(abs(abs(abs(abs(abs(abs(size))))))))' \
					'matrix -a sum(dur)' 'timeline -g loc' 'hist -y size --linear x' 'matrix -g size'; do
					[ $f = table ] && [ "$k" != line ] && continue
					[ $f != table ] && [ "$k" = line ] && continue
					[ "$k" != flame ] || f=${f/plain/short}
					# shellcheck disable=SC2086  # words
					LC_ALL=$locale trace-plot $k --terminal --width $columns $f > out 2> err
					f=${f/short/plain}
					printf '= %s %s %s %s\n' $columns $locale $f "$k"
					cat out
				done
			done
		done
	done > all
	# A number that is too long for its place is in thousands, not cut.
	printf '%s\ta\te\t1\t8\t1.0\n' 0.1 0.2 | trace-plot hist -y size -p | sed 's/\t2$/\t18446744073709551615/' > p
	trace-plot hist -m --terminal --width 40 p > out
	has "$(tail -n 1 out)" ' 18.4 E$'
	status_is 0 python3 - all << 'PY'
import sys, unicodedata
def wide(c):
    if unicodedata.category(c) in ('Mn', 'Me', 'Cf'): return 0
    return 2 if unicodedata.east_asian_width(c) in 'WF' else 1
most, bad, pictures, axes = 0, [], 0, set()
for line in open(sys.argv[1], encoding='utf-8'):
    line = line.rstrip('\n')
    if line.startswith('= '):
        what, most, axes, pictures = line, int(line.split()[1]), set(), pictures + 1
        continue
    if sum(map(wide, line)) > most: bad.append((what, sum(map(wide, line)), line))
    if ' C ' in what and not line.isascii(): bad.append((what, 'not ASCII', line))
    for mark in '┤│':
        if mark in line: axes.add(sum(map(wide, line[:line.index(mark)])))
    if len(axes) > 1: bad.append((what, axes, line))
print(pictures, 'pictures;', *bad[:20], sep='\n')
sys.exit(bool(bad) or pictures < 500)
PY
}

@test "times and numbers at their ends, lanes at their bounds, any options: pictures end, and nothing is undefined" {
	needs python3
	need_native
	[ ! "${SPOOR_QUICK-}" ] || skip "make quick builds nothing with sanitizers"
	echo 'int main(void) { return 0; }' > probe.c
	clang -fsanitize=undefined -o probe probe.c 2> /dev/null && ./probe || skip "no clang with sanitizers"
	mkdir san
	for p in trace-plot trace-report; do
		clang -O1 -fsanitize=undefined,bounds -fno-sanitize-recover=all -std=c11 -D_XOPEN_SOURCE=700 -D_FILE_OFFSET_BITS=64 \
			-I"$ROOT/common" -I"$ROOT/cmd/lib" -I"$ROOT/cmd" -o "san/$p" "$ROOT/cmd/$p"/*.c "$ROOT/build/libcmd.a" "$ROOT/build/libspoor.a" \
			-pthread -lm &
	done
	wait
	status_is 0 python3 "$ROOT/tests/oracle/plot_ends.py" san 7 300
	has "$output" '300 traces drawn'
}

@test "tooltips: cells of matrix and heat and bars of hist have their numbers, many cells the range of their colour" {
	needs python3
	local f
	f=$FIX/runs/solver.meta
	for k in 'matrix' 'matrix -g event' 'matrix -g event -a sum(dur)' 'heat -y dur' 'heat -y size' 'hist -y size' 'hist -y dur'; do
		# shellcheck disable=SC2086  # words
		trace-plot $k "$f" > p.svg
		# shellcheck disable=SC2086
		trace-plot $k --bins "$f" > p.tsv
		status_is 0 python3 - "${k%% *}" << 'PY'
import re, sys
from collections import Counter
kind, svg = sys.argv[1], open('p.svg').read()
table = [l.split('\t') for l in open('p.tsv').read().splitlines()]
head, table = table[0], table[1:]
told = re.findall(r'<path class="[cv]\d+ k" d="M[^M"]*"><title>([^<]*)</title></path>', svg)
calls = lambda t: int(re.search(r'([\d,]+) calls?\b', t)[1].replace(',', ''))
if kind == 'matrix':
    # Row and column, and the count: the sum is rounded.
    got = {}
    for t in told:
        place, number = t.split(': ')
        got[tuple(re.split(' · | to ', place))] = calls(number)
        if len(head) > 3 and table: assert re.match(r'[\d.,]+( \w+)? in [\d,]+ calls?$', number), t
    assert got == {(r[0], r[1]): int(r[2]) for r in table}
elif kind == 'heat':
    # A cell may be several steps: rows add up, and as many lines.
    assert sum(map(calls, told)) == sum(int(r[4]) for r in table)
    by = Counter()
    for t in told: by[t.split(' · ')[1]] += calls(t)
    want = Counter()
    for r in table: want[r[2]] += int(r[4])
    assert sorted(by.values()) == sorted(want.values())
else:
    by, want = Counter(), Counter()
    for t in told: by[t.split(' · ')[0]] += calls(t)
    for r in table: want[r[2]] += int(r[3])
    shown = {n: v for n, v in by.items() if n != 'others'}
    assert shown and all(want[n] == v for n, v in shown.items()) and sum(by.values()) == sum(want.values())
    assert all(re.search(r' · \S+( \S+)? to \S+( \S+)?$', t) for t in told)
print(len(told), 'tooltips')
PY
	done
	# Of more than 1,024 cells each colour says which numbers it has: no two share one.
	awk 'BEGIN { for (i = 0; i < 60; i++) for (k = 0; k < 60; k++) for (j = 0; j <= i * k % 50; j++)
		printf "%d.0\tl%d\te%d\t-\t-\t-\n", t++, i, k }' > s
	trace-plot matrix s | sed -n 's/.*<path class="v[0-9]* k".*<title>\(.*\)<\/title>.*/\1/p' > told
	[ "$(wc -l < told)" -gt 10 ]
	awk '$NF !~ /^events?$/ { exit 1 } $1 <= last { exit 1 } { last = NF > 2 ? $3 : $1 } END { exit last != 50 }' told
	# Places: a name of 3 bytes a character is not cut within one.
	printf '%s\t漢字漢字漢字漢字漢字漢字漢字漢字漢字\t読込読込読込読込読込読込読込読込読込読込読込読込読込\t-\t8\t1.0\n' 0.1 > s
	for k in timeline matrix hist; do
		trace-plot $k s > p.svg
		run ! grep -q '\\x' p.svg
		grep -q '<title>[^<]*読込[^<]*…' p.svg
	done
}
