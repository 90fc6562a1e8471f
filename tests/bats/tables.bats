#!/usr/bin/env bats
# tables.bats - tables of trace-stats: their order (-S, --head) against sort and another program, as CSV and JSON.

load ../helpers

setup() {
	enter
	awk 'BEGIN {
		srand(7)
		for (i = 0; i < 4000; i++)
			printf "%d.%09d\t%d\t%s\t0x%x\t%d\t-\tx=%d.%d\n", i / 100, i % 100 * 10000000, rand() * 40,
				rand() < .3 ? "R" : "W", int(rand() * 60) * 4096, int(rand() * 9) * 512, rand() * 200 - 100, rand() * 10
	}' > s
}

@test "-S is what sort does: whole numbers, fractions, both signs, several columns, ties by keys" {
	t=$'\t'
	q="trace-stats -g loc,event -a count,max(size),min(x),sum(x)"
	$q s > plain
	[ "$(wc -l < plain)" -gt 60 ]
	while read -r sort keys; do
		sort=${sort//&/ }
		# shellcheck disable=SC2086  # several words
		$q $sort s > got
		# shellcheck disable=SC2086
		sed 1d plain | sort -s -t "$t" $keys | same <(sed 1d got) -
		head -n 1 got | same - <(head -n 1 plain)
		# shellcheck disable=SC2086
		$q $sort --head 7 s | same - <(head -n 8 got)
		# shellcheck disable=SC2086
		$q $sort --no-header s | same - <(sed 1d got)
	done <<-'END'
	-S&count -k3,3n
	-S&-count -k3,3nr
	-S&min(x) -k5,5n
	-S&-sum(x) -k6,6nr
	-S&event&-S&-max(size)&-S&min(x) -k2,2 -k4,4nr -k5,5n
	-S&-event&-S&-loc -k2,2r -k1,1nr
	END
}

@test "without -S --head is what head does, with windows as well" {
	for q in '-g loc' '-w 1s' '-w 1s -g event' '-w 2s/1s -g loc'; do
		# shellcheck disable=SC2086
		trace-stats $q s > plain
		for n in 1 2 50 100000; do
			# shellcheck disable=SC2086
			trace-stats $q --head $n s | same - <(head -n $((n + 1)) plain)
		done
	done
}

@test "the order, CSV and JSON against Python: numbers of every form, texts, nothing; any -j, any split" {
	command -v python3 > /dev/null || skip "no python3"
	cat > t.py <<'END'
import csv, io, itertools, json, random, re, subprocess, sys
from fractions import Fraction
random.seed(int(sys.argv[1]))
values = ['0', '-0', '0.0', '7', '-7', '007', '12', '-12', '1.5', '1.50', '-1.25', '0x10', '0xff', '15', '17', '1e3', '1e-3', '-2.5e1',
          '18446744073709551615', '18446744073709551616', '-99999999999999999999.5', '1e30', '5.', '.5', '+1', 'a', 'B', 'a,b',
          'q"q', '""', '\\x2d', '\\x20', '~', 'é', '1K', '']
events = []
for i in range(3000):
    k, v = random.choice(values), random.choice(values[:17] + [''] * 9)
    x = '\t'.join(n + '=' + w for n, w in (('k', k), ('v', v)) if w)
    events.append('%d.000000000\t%d\t%s\t%s\t%s\t-%s\n' % (i // 10, random.randint(0, 9), random.choice('RW'), hex(random.randint(0, 40)),
                  random.choice(['-', '4', '512', '18446744073709551615']), x and '\t' + x))
open('t', 'w').write(''.join(events))
def run(*args):
    return subprocess.run(('trace-stats',) + args, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout.decode()
def raw(c):
    return re.sub(r'\\x([0-9a-f]{2})', lambda m: chr(int(m[1], 16)), c)
def value(c):
    if re.fullmatch(r'-?[0-9]+(\.[0-9]+)?', c):
        return 0, Fraction(c)
    if re.fullmatch(r'0x[0-9a-f]+', c):
        return 0, Fraction(int(c, 16))
    if re.fullmatch(r'-?[0-9]+(\.[0-9]+)?e-?[0-9]+', c) and abs(Fraction(c)) < 2 ** 64:
        return 0, Fraction(c)
    # Texts in natural order: digits by their number.
    return 1, [(48, int(t)) if t.isdigit() else (t[0], 0) for t in re.findall(rb'[0-9]+|[^0-9]', c.encode())]
def ordered(rows, names, by):
    for b in reversed(by):
        i = names.index(b.lstrip('-'))
        here = sorted((r for r in rows if r[i] != '-'), key=lambda r: value(r[i]), reverse=b[0] == '-')
        rows = here + [r for r in rows if r[i] == '-']
    return rows
def check(q, by, head):
    table = [l.split('\t') for l in run(*q, 't').split('\n')[:-1] if not re.match('#(distinct|top)', l)]
    names, rows = table[0], table[1:]
    names[0] = names[0][1:]
    want = ordered(rows, names, by)[:head]
    s = [w for b in by for w in ('-S', b)] + (['--head', str(head)] if head else [])
    tabs = run(*q, *s, 't').split('\n')[:-1]
    assert [l.split('\t') for l in tabs[1:len(want) + 1]] == want, (q, by, head)
    assert all(l[0] == '#' for l in tabs[len(want) + 1:])
    text = run(*q, *s, '--csv', 't')
    assert list(csv.reader(io.StringIO(text), strict=True)) == [names] + [['' if c in ('-', '""') else raw(c) for c in r] for r in want]
    assert run(*q, *s, '--csv', '--no-header', 't') == text.split('\n', 1)[1]
    got = json.loads(run(*q, *s, '-J', 't'), parse_int=lambda t: ('number', t), parse_float=lambda t: ('number', t))
    def js(c):
        if c == '-':
            return None
        return ('number', c) if re.fullmatch(r'-?(0|[1-9][0-9]*)(\.[0-9]+)?(e[-+]?[0-9]+)?', c) else '' if c == '""' else raw(c)
    assert got == [dict(zip(names, map(js, r))) for r in want], (q, by, head)
    # Any split: the same bytes.
    for k in '123':
        run(*q, '-p', '-o', k + '.part', '--chunk', k + '/3', 't')
    for style in (), ('--csv',), ('-J',), ('--no-header',):
        whole = run(*q, *s, *style, 't')
        assert whole == run('-m', *s, *style, '3.part', '1.part', '2.part')
        assert whole == run(*q, *s, *style, '-j', '3', 't')
questions = ['-g k,event -a count,sum(size),first(v),min(v)', '-g k,v -a count,mode(addr),max(addr),share', '-w 9s -g event -a count,sd(size),last(k)',
             '-w 20s/10s -a count,sum(v),first(addr)', '-a count,distinct(k)', '-g addr,event -a mode(addr),var(v),p50(v)']
for q in questions:
    q = q.split()
    names = run(*q, 't').split('\n')[0][1:].split('\t')
    for head in 0, 5:
        by = [random.choice(['', '-']) + n for n in random.sample(names, random.randint(1, len(names)))]
        check(q, by, head or None)
for n in ('k', '-k', 'v', '-v'):
    check(['-g', 'k,v'], [n], None)
END
	python3 t.py 1
	python3 t.py 2
}

@test "rows that are not wanted take no memory, and change nothing" {
	# More rows than are kept before some are dropped: the least and the last are among the last.
	seq 60000 | awk '{printf "1.0\t%d\tE\t-\t%d\t-\n", $1, $1 * 7919 % 60000}' > many
	trace-stats -g loc -a 'sum(size)' many > plain
	for by in 'sum(size)' '-sum(size)' -loc; do
		for n in 1 10 2500 59999; do
			trace-stats -g loc -a 'sum(size)' -S "$by" --head "$n" many > got
			trace-stats -g loc -a 'sum(size)' -S "$by" many | head -n $((n + 1)) | same got -
		done
	done
	trace-stats -g loc -a 'sum(size)' -S 'sum(size)' many | sed 1d | same - <(sed 1d plain | sort -s -k2,2n)
}

@test "what is approximate: a message, and the columns in each object of JSON" {
	seq 3000 | awk '{printf "1.0\t%d\tE\t-\t-\t-\tx=%d\n", $1 % 3, $1}' > many
	seq 9 | awk '{printf "1.0\t9\tE\t-\t-\t-\tx=%d\n", $1}' >> many
	q=(trace-stats -g loc -a 'count,distinct(x),d=distinct(x) * 2,top(x,1)')
	for o in '' '-S -loc --head 2'; do
		# shellcheck disable=SC2086
		for style in '' --csv -J --no-header; do
			"${q[@]}" $o $style many > styled 2> said
			[ "$(grep -c '^trace-stats: \(distinct(x): counts \|top(x,1): a count \)' said)" = 2 ]
			[ "$(wc -l < said)" = 2 ]
			[ "$(sed 1d styled | grep -c '#')" = 0 ]
		done
		# shellcheck disable=SC2086
		"${q[@]}" $o -J many 2>/dev/null | grep '"loc"' > got
		grep -c '"approximate": \["distinct(x)", "d", "top(x,1)"\]}' got | same - <(grep -c '"loc": [012]' got)
		[ "$(grep '"loc": 9' got)" = '  {"loc": 9, "count": 9, "distinct(x)": 9, "d": 18, "top(x,1)": "1:1"}'"${o:+,}" ]
	done
	trace-stats -J -g loc,event --wide loc -a 'count,distinct(x)' many 2>/dev/null > got
	grep -F '"approximate": ["distinct(x)_0", "distinct(x)_1", "distinct(x)_2"]}' got
	# Times between requests of a block: more of them than are kept apart.
	seq 0 3000 | awk '{printf "%.4f\t0\tR\t%d\t1\t-\n", $1 * $1 / 1000, $1 % 2}' > again
	trace-access -J after again > got 2> said
	has "$(<said)" 'trace-access: percentiles: off by at most 0.39 % of the value'
	grep -F '"sample": 1, "approximate": ["p50", "p90", "p99"]}' got
	trace-access after again 2>/dev/null | awk -F'\t' 'NR == 1 { n = NF } NF != n || (NR > 1 && /#/) { exit 1 }'
}
