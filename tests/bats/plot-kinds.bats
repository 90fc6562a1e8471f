#!/usr/bin/env bats
# plot-kinds.bats - trace-plot matrix, addr, flame and line: tables against trace-stats, and against what
# Python makes of the events in another way.
bats_require_minimum_version 1.5.0
load ../helpers

@test "a matrix adds up to counts and sums of pairs" {
	for f in spc/Financial1-head.spc laplace/merged-head.ref; do
		trace-stats -g loc,event -a 'count,sum(size)' --no-header "$FIX/$f" | LC_ALL=C sort > want
		trace-plot matrix -a 'sum(size)' --bins "$FIX/$f" | tail -n +2 | LC_ALL=C sort | same want -
	done
	trace-stats -e 'event ~ "end" and peer?' -g loc,peer -a 'count,sum(size)' --no-header \
		"$FIX/runs/solver.meta" | LC_ALL=C sort > want
	[ -s want ]
	trace-plot matrix --bins "$FIX/runs/solver.meta" | tail -n +2 | LC_ALL=C sort | same want -
	trace-stats -g event,loc -a 'count,sum(dur)' --no-header "$FIX/runs/solver.meta" | LC_ALL=C sort > want
	trace-plot matrix -y event -g loc -a 'sum(dur)' --bins "$FIX/runs/solver.meta" | tail -n +2 |
		LC_ALL=C sort | same want -
}

@test "a matrix of more than 64 rows: neighbours share one, none is dropped" {
	awk 'BEGIN { for (i = 0; i < 30000; i++) printf "%d.0\tl%d\te%d\t-\t%d\t-\n", i, i * 7 % 1000, i * 13 % 300, i % 9 }' > s
	trace-plot matrix -a 'sum(size)' --bins s > p.tsv
	[ "$(cut -f1 p.tsv | tail -n +2 | sort -u | wc -l)" -le 64 ]
	[ "$(cut -f2 p.tsv | tail -n +2 | sort -u | wc -l)" -le 64 ]
	[ "$(awk -F '\t' 'NR > 1 { n += $3; s += $4 } END { print n "\t" s }' p.tsv)" = \
		"$(trace-stats -a 'count,sum(size)' --no-header s)" ]
	# Each cell has what its two ranges say.
	needs python3
	python3 - << 'PY'
import re
def number(t): return int(re.sub(r'\D', '', t))
want = {}
for line in open('s'):
    f = line.split('\t')
    k = number(f[1]), number(f[2])
    n = want.get(k, (0, 0))
    want[k] = n[0] + 1, n[1] + int(f[4])
for line in open('p.tsv'):
    if line[0] == '#': continue
    y, x, n, s = line.rstrip('\n').split('\t')
    (y0, y1), (x0, x1) = ([number(e) for e in (t.split('..') * 2)[:2]] for t in (y, x))
    if '..' in y: y0, y1 = (number(e) for e in y.split('..'))
    if '..' in x: x0, x1 = (number(e) for e in x.split('..'))
    got = [v for k, v in want.items() if y0 <= k[0] <= y1 and x0 <= k[1] <= x1]
    assert (sum(v[0] for v in got), sum(v[1] for v in got)) == (int(n), int(s)), line
PY
}

@test "blocks of addresses are those of a second pass, whatever the order" {
	needs python3
	status_is 0 python3 - << 'PY'
import random, subprocess
random.seed(5)
for trial in range(40):
    events = []
    n = random.choice([1, 3, 300, 3000])
    bases = [random.randrange(0, 1 << random.choice([10, 20, 40, 64])) for _ in range(random.choice([1, 3, 40]))]
    for i in range(n):
        a = min(random.choice(bases) + random.randrange(0, 1 << random.choice([4, 12, 24])), 2**64 - 1)
        events.append((random.randrange(0, 10**6), random.choice('RWiX'), a,
                       random.choice([0, 1, 8, 100, 4096, 1 << 20] + ([1 << 63] if trial % 7 == 0 else []))))
    text = ''.join(f'0.{t:09d}\tl\t{e}\t{a}\t{s}\t-\n' for t, e, a, s in events)
    run = lambda x: subprocess.run(['trace-plot', 'addr', '--bins'], input=x, capture_output=True, text=True)
    done = run(text)
    touched = [(t, e, a, min(a + s - 1, 2**64 - 1)) for t, e, a, s in events if s]
    if not touched:
        assert done.returncode == 1
        continue
    assert done.returncode == 0, done.stderr
    lines = text.splitlines(True)
    random.shuffle(lines)
    assert run(''.join(lines)).stdout == done.stdout, 'order'
    # The finest blocks of which there are at most 256.
    def blocks(j):
        got = set()
        for _, _, a, b in touched:
            if (b >> j) - (a >> j) > 256: return None
            got.update(range(a >> j, (b >> j) + 1))
            if len(got) > 256: return None
        return got
    j = 0
    while blocks(j) is None: j += 1
    rows = [l.split('\t') for l in done.stdout.splitlines()[1:]]
    ns = lambda t: int(t.replace('.', ''))
    width = ns(rows[0][1]) - ns(rows[0][0])
    want = {}
    way = {'R': 'read', 'W': 'written', 'i': 'fetched', 'X': 'touched'}
    for t, e, a, b in touched:
        while a <= b:
            end = min(b, a | ((1 << j) - 1))
            k = (t // width * width, a >> j << j, way[e])
            want[k] = min(want.get(k, 0) + end - a + 1, 2**64 - 1)
            a = end + 1
    got = {(ns(r[0]), int(r[2]), r[4]): int(r[5]) for r in rows}
    assert got == want, (trial, j)
    assert all(int(r[3]) - int(r[2]) == (1 << j) - 1 for r in rows)
PY
}

@test "addresses: units of blocks, nothing to draw, small pictures of noise" {
	trace-plot addr --bins "$FIX/spc/Financial1-head.spc" | awk -F '\t' 'NR > 1 { s += $6 } END { print s }' > got
	trace-stats -a 'sum(size)' --no-header "$FIX/spc/Financial1-head.spc" | same got -
	# The first LBA is in 512 bytes.
	[ "$(trace-plot addr --bins -e 'addr = 303567' "$FIX/spc/Financial1-head.spc" | sed -n 2p | cut -f 3)" = $((303567 * 512)) ]
	status_is 1 trace-plot addr "$FIX/runs/solver.meta"
	has "$stderr" 'no call has an address'
	awk 'BEGIN { srand(1); for (i = 0; i < 300000; i++) printf "%d.0\tl\t%s\t%d\t64\t-\n", i,
		substr("RWiX", 1 + int(rand() * 4), 1), int(rand() * 8192) * 64 }' > s
	trace-plot addr s > p.svg
	[ "$(wc -c < p.svg)" -lt 500000 ]
	[ "$(trace-plot addr --terminal --width 70 s | wc -L)" -le 70 ]
}

@test "a flame is what Python makes of begins and ends" {
	needs python3
	status_is 0 python3 - << 'PY'
import random, subprocess
random.seed(11)
for trial in range(30):
    events = []
    def fill(loc, a, b, depth):
        while a < b and len(events) < 2000:
            d = random.randrange(1, max(2, b - a))
            events.append((a, loc, random.choice('abcd'), d))
            if depth < 6 and d > 2: fill(loc, a, a + d, depth + 1)
            a += d + random.randrange(0, 20)
    for loc in range(random.randrange(1, 5)): fill(loc, random.randrange(0, 50), 4000, 0)
    # What begins at once: the longest first.
    order = sorted(range(len(events)), key=lambda i: (events[i][0], i))
    text = ''.join('0.%09d\t%d\t%s\t-\t-\t0.%09d\n' % events[i] for i in order)
    self, count, inside = {}, {}, {}
    for i in order:
        t, loc, name, d = events[i]
        at = inside.setdefault(loc, [])
        while at and at[-1][0] <= t: at.pop()
        path = (at[-1][1] if at else ()) + (name,)
        at.append((t + d, path))
        count[path] = count.get(path, 0) + 1
        self[path] = self.get(path, 0) + d
        if len(path) > 1: self[path[:-1]] -= d
    out = subprocess.run(['trace-plot', 'flame', '--bins'], input=text, capture_output=True, text=True)
    got = {}
    for line in out.stdout.splitlines()[1:]:
        stack, n, alone, whole = line.split('\t')
        got[tuple(stack.split(';'))] = int(n), round(float(alone) * 1e9), round(float(whole) * 1e9)
    want = {p: (count[p], s, sum(v for q, v in self.items() if q[:len(p)] == p)) for p, s in self.items()}
    assert got == want, (trial, set(got.items()) ^ set(want.items()))
PY
}

@test "a flame of what overlaps is refused, and says how much does; a few are told" {
	# Of 200 requests of a node each lasts until the next but one begins.
	awk 'BEGIN { for (i = 0; i < 200; i++) printf "%d.0\tn\tread\t-\t1\t1.5\n", i }' > s
	for how in --bins --terminal '--size 800x400'; do
		# shellcheck disable=SC2086  # an option and its value
		status_is 1 trace-plot flame $how s
		case $how in --size*) grep -q '>Nothing to draw<' <<< "$output" ;; *) [ -z "$output" ] ;; esac
		has "$stderr" 'flame: no stacks: 199 of 200 events overlap others of their location'
	done
	# The same of parts, one for each node, and where nodes are on top.
	sed 's/n/m/' s > t
	for f in s t; do trace-plot flame -p -y loc $f > $f.part; done
	status_is 1 trace-plot flame -m s.part t.part
	has "$stderr" 'flame: no stacks: 398 of 400 events'
	# No node has two at once: nothing overlaps.
	awk -F '\t' -v OFS='\t' '{ $2 = NR % 2 } 1' s | trace-plot flame --bins | same <(printf '%s\n' '#stack	count	self	all' \
		'read	200	300.000000000	300.000000000') -
	# One in a hundred does not make a program one that has no calls.
	awk 'BEGIN { for (i = 0; i < 99; i++) printf "%d.0\tn\tf\t-\t1\t1.0\n", 3 * i; print "297.0\tn\tf\t-\t1\t1.0"
		print "297.5\tn\tf\t-\t1\t1.0" }' > s
	trace-plot flame s | grep -q '101 events .*, 1 that end after what they began in'
}

@test "states that overlap one after the other do not make the one around them forgotten" {
	{ printf '0.0\ta\tA\t-\t-\t1000\n'; for i in $(seq 1 200); do printf '%d.0\ta\tB\t-\t-\t1.5\n' "$i"; done; } > s
	# A has what no B covers: 1,000 s but for those from 1 to 201.5.
	[ "$(trace-plot timeline --bins s | awk -F '\t' '$4 == "A" { sum += $5 } END { print sum }')" = 799.5 ]
}

@test "more stacks than there is memory for are put together, and said" {
	awk 'BEGIN { for (i = 0; i < 40000; i++) { t = i * 1000
		for (d = 0; d < 3; d++) printf "0.%09d\tl\ts%d\t-\t-\t0.%09d\n", t + d, int(i / 34 ^ d) % 34 + d * 40, 100 - 2 * d } }' > s
	trace-plot flame s > p.svg
	grep -q 'events of further stacks put together' p.svg
	[ "$(wc -c < p.svg)" -lt 500000 ]
	trace-plot flame --bins s | awk -F '\t' 'NR > 1 { n += $2; s += $3 * 1e9 } END { printf "%d %.0f\n", n, s }' > got
	[ "$(cat got)" = '120000 4000000' ]
	awk 'BEGIN { for (i = 0; i < 500; i++) printf "0.%09d\tl\ts\t-\t-\t0.%09d\n", i, 2000 - 2 * i }' > s
	trace-plot flame --bins s | awk -F '\t' 'NR > 1 { n += $2; s += $3 * 1e9 } END { print n, s }' | same <(echo 500 2000) -
}

@test "lines: names, gaps, several files, many points, axes" {
	needs xmllint
	printf '#size\tlru\topt\n1\t1\t.5\n10\t-\t.25\n1e3\t0.125\t\n' > a.tsv
	trace-plot line --bins a.tsv | same <(printf '#line\tx\ty\nlru\t1\t1\nlru\t1000\t0.125\nopt\t1\t0.5\nopt\t10\t0.25\n') -
	trace-plot line --bins --label a,b a.tsv <(printf '1\t7\n') | tail -n 1 | same <(printf 'b\\x202\t1\t7\n') -
	trace-plot line a.tsv > p.svg
	xmllint --noout p.svg
	grep -q 'x logarithmic' p.svg
	trace-plot line --linear x a.tsv > p.svg
	run ! grep -q 'logarithmic' p.svg
	printf '0\t1\n1\t1\n' | trace-plot line --log xy > p.svg 2> err
	grep -q -- '--log x: there are values of 0 or below' err
	# Nothing of 100,000 points is lost that stands out.
	awk 'BEGIN { for (i = 0; i < 100000; i++) print i "\t" (i == 77777 ? 1e9 : i == 5 ? -3 : i % 7) }' > s
	trace-plot line --bins s > got
	[ "$(wc -l < got)" -lt 4097 ]
	grep -q $'77777\t1' got
	grep -q $'5\t-3' got
	trace-plot line s > p.svg
	[ "$(wc -c < p.svg)" -lt 500000 ]
	[ "$(trace-plot line --terminal --width 70 s | wc -L)" -le 70 ]
}

@test "lines: an axis has one way to write its numbers" {
	marks() { sed -n 's/.* text-anchor="[a-z]*">\([-0-9.]* *k*\)<.*/\1/p' p.svg | paste -sd, -; }
	seq 0 20 20000 | awk '{ print $1 "\t" $1 }' | trace-plot line > p.svg
	[ "$(marks)" = "0,$(seq -s ' k,' 2 2 20) k,0,5 k,10 k,15 k,20 k" ]
	# Years, and others below 10,000, are written out.
	seq 1990 2 2024 | awk '{ print $1 "\t-" $1 }' | trace-plot line > p.svg
	[ "$(marks)" = "2024,$(seq -s, 1990 5 2020),-2024,$(seq -s, -2020 5 -1990)" ]
}

@test "lines: what is no table" {
	status_is 2 trace-plot line none
	printf '1\t2\n3\tx\n' > bad
	status_is 2 trace-plot line bad
	has "$stderr" 'bad:2: column 2: "x" is skipped; write - for a missing number'
	printf '1\t2\n3\tinf\n' > bad
	status_is 2 trace-plot line bad
	printf '1\t2\n\0003\t4\n' > bad
	status_is 2 trace-plot line bad
	status_is 1 trace-plot line /dev/null
	status_is 2 trace-plot line -e 'size > 1' bad
	status_is 2 trace-plot rate --log x bad
	printf '%s\n' 'x	a&<script>alert(1)</script>	"b"' '1	2	3' '2	3	-1e308' '3	3	1e308' > s
	trace-plot line s > p.svg
	xmllint --noout p.svg
	run ! grep -q '<script' p.svg
}

@test "pictures of these kinds are drawn" {
	needs rsvg-convert
	trace-plot matrix "$FIX/runs/solver.meta" | rsvg-convert -o p.png
	trace-plot addr "$FIX/laplace/merged-head.ref" | rsvg-convert -o p.png
	trace-plot flame "$FIX/runs/tasks" | rsvg-convert -o p.png
	printf '1\t2\n' | trace-plot line | rsvg-convert -o p.png
	[ -s p.png ]
}

@test "a matrix with more columns than the terminal shows all of them" {
	# Event i is of location i alone: a diagonal, up to the last column that there is room for.
	seq 10 40 | awk '{ printf "%d.0\tl%d\te%d\t-\t-\t-\n", $1, $1, $1 }' > s
	LC_ALL=C trace-plot matrix --terminal --width 40 s > got
	[ "$(awk '/l[0-9]* \+/ { print index($0, "#") }' got | sort -nu | wc -l)" -eq 11 ]
	has "$(grep l40 got)" 'l40 [+] {10}# {9}1$'
}

@test "a bin at the greatest time is the last one" {
	for t in 9223372036.854775807 -9223372036.854775808; do
		printf '%s\t0\tR\t1\t1\t1.0\n' "$t" > one
		for kind in rate heat timeline addr hist; do
			timeout 10 trace-plot $kind one > pic 2> err || [ $? != 124 ]
		done
		timeout 10 trace-report one > page 2> err
		[ -s page ]
	done
}

@test "what is the same for all names is drawn the same where they share rows, and the title says how" {
	needs python3
	# Each location has each event ten times, of 100 bytes: in order, against it, and at random; up to many.
	for how in '65 5' '130 5' '300 3' '320 70' '1000 7' '5000 3'; do
		for order in 'i' 'n - 1 - i' '(i * 7919 + 13) % n'; do
			awk -v n="${how% *}" -v m="${how#* }" "BEGIN { for (i = 0; i < n; i++) for (k = 0; k < m; k++) for (j = 0; j < 10; j++)
				printf \"%d.0\tl%d\te%d\t-\t100\t-\n\", t++, $order, k }" > s
			trace-plot matrix s > p.svg
			trace-plot matrix -a 'sum(size)' s > b.svg
			trace-plot matrix --bins s > p.tsv
			status_is 0 python3 - "${how% *}" "${how#* }" << 'PY'
import re, sys
n, m = map(int, sys.argv[1:])
for name, each, unit in ('p.svg', 10, ''), ('b.svg', 1000, ' B'):
    svg = open(name).read()
    # One colour, one number at each edge: those of one location, or of a pair.
    assert len(set(re.findall(r'<path class="v(\d+)', svg))) == 1, name
    per = 'pair' if m > 64 else 'location'
    assert re.search('<title id="t">[^<]*, mean per %s</title>' % per, svg), name
    right = set(re.findall(r'class="t n">([\d., kKiMBG]+)</text>\n<text x="[\d.]+" y="[\d.]+" class="t" text-anchor="end">l', svg))
    number = lambda t: float(t.replace(' KiB', '').replace(' MiB', '').replace(' k', '').replace(' B', '').replace(',', ''))
    scale = {'KiB': 1024, 'k': 1000, 'MiB': 2 ** 20}
    got = {number(t) * scale.get(t.split(' ')[-1], 1) for t in right}
    assert len(got) == 1 and abs(got.pop() / (m * each) - 1) < .005, (name, right)
    # Every row and column has its name.
    rows = re.findall(r'text-anchor="end">(?:<title>[^<]*</title>)?(l[^<]*)</text>', svg)
    columns = re.findall(r'>(?:<title>[^<]*</title>)?(e\d[^<]*)</text>', svg)
    table = [l.split('\t') for l in open('p.tsv').read().splitlines()[1:]]
    assert len(rows) == len({t[0] for t in table}) and len(columns) == len({t[1] for t in table}), (len(rows), len(columns))
    assert len(rows) > 32
# As even as can be: of up to 320 names all groups but the last are of one size.
ends = [[int(e[1:]) for e in t.split('..')] for t in dict.fromkeys(t[0] for t in table)]
sizes = [e[-1] - e[0] + 1 for e in ends]
assert sum(sizes) == n
if n <= 320: assert set(sizes[:-1]) == {-(-n // 64)} and sizes[-1] <= sizes[0], sizes
PY
		done
	done
}

@test "values with fractions: hist and heat against Python, whole numbers among them, in parts and in any order" {
	needs python3
	status_is 0 python3 - << 'PY'
import math, random, subprocess
from fractions import Fraction as F
random.seed(4)
def run(args, text):
    done = subprocess.run(['trace-plot'] + args, input=text, capture_output=True, text=True)
    assert done.returncode == 0, (args, done.stderr)
    return done.stdout
def value():
    r = random.random()
    return (f'{random.randrange(10**9) / 1e9:.9f}' if r < .5 else str(random.randrange(20)) if r < .7
            else f'{random.expovariate(1e-4):.3f}' if r < .97 else '0.000000001')
# Some need more than the 34 bits above 2^-30, and some are whole numbers alone.
large = [2**33 - 1, 2**33, 2**34 - 1, 2**34, 10**12, 2**50 + 1, 2**64 - 1]
for trial in range(16):
    n = random.choice([1, 5, 300])
    v = [value() for i in range(n)]
    if trial % 4 == 0: v = [str(random.randrange(1 << random.choice([3, 6, 40, 63]))) for i in v]
    if trial % 4 == 1: v[random.randrange(n)] = str(random.choice(large))
    if trial % 4 == 2: v = [f'{10**10 * random.randrange(1, 3) + i}{random.choice(["", ".25", ".5"])}' for i in range(n)]
    lines = [f'{i}.5\tl\t{random.choice("ab")}\t-\t%s\t-%s\n' for i in range(n)]
    text = [line % ('-', '\tv=' + x) for line, x in zip(lines, v)]
    for kind, linear, most in (('hist', [], 0), ('hist', ['--linear', 'x'], 1024), ('heat', [], 0), ('heat', ['--linear', 'y'], 256)):
        ask = [kind] + linear
        table = run(ask + ['--bins', '-y', 'v'], ''.join(text))
        a, b = sorted(random.choices(range(n + 1), k=2))
        parts = [run(ask + ['-p', '-y', 'v'], ''.join(part)) for part in (text[:a], text[a:b], text[b:])]
        random.shuffle(parts)
        assert run(ask + ['-m', '--bins'], ''.join(parts)) == table, 'parts'
        assert run(ask + ['--bins', '-y', 'v'], ''.join(random.sample(text, n))) == table, 'order'
        rows, at = {}, 0 if kind == 'hist' else 2
        for row in table.splitlines()[1:]:
            row = row.split('\t')
            key = F(row[at]), F(row[at + 1])
            rows[key] = rows.get(key, 0) + int(row[-1])
        want = dict.fromkeys(rows, 0)
        for x in map(F, v):
            [row] = [r for r in rows if r[0] <= x < r[1] or x == r[1] == 2**64 - 1]
            want[row] += 1
        assert want == rows, (ask, want, rows)
        if all(F(x).denominator == 1 for x in v):
            sizes = ''.join(line % (x, '') for line, x in zip(lines, v))
            assert run(ask + ['--bins', '-y', 'size'], sizes).split('\n')[1:] == table.split('\n')[1:]
            continue
        for low, high in rows:
            if linear and high - low > F(1, 10**6):
                k = round(math.log2(high - low)) # one less, and there were too many rows
                ends = [x // F(2)**(k - 1) for x in (min(map(F, v)), max(map(F, v)))]
                assert abs(high - low - F(2)**k) < F(2, 10**9) or high == 2**64 - 1
                assert ends[1] - ends[0] >= most or k == 0
            if not linear and low > F(1, 10**4) and high != 2**64 - 1:
                k = [math.log2(x) * (8 if kind == 'hist' else 4) for x in (low, high)]
                assert abs(k[0] - round(k[0])) < 1e-3 and abs(k[1] - round(k[0]) - 1) < 1e-3, (low, high)
PY
}

@test "percentiles of fractions in titles are those of all values, and sums say what they leave out" {
	awk 'BEGIN { for (i = 0; i < 999; i++) printf "%d.0\tl\tR\t-\t-\t-\tg=%.4f\n", i, i * 7 % 999 / 3000 }' > s
	cut -d= -f2 s | sort -n | awk '{ v[NR] = $1 }
		END { printf "g of events: %s at the median, %s at p99\n", sprintf("%.3f", v[500]) + 0, sprintf("%.3f", v[990]) + 0 }' > want
	trace-plot hist -y g --terminal --width 80 s | head -n 1 | same want -
	trace-plot hist -y g -p s | trace-plot hist -m --terminal --width 80 | head -n 1 | same want -
	trace-plot hist -y g s | grep -q '>p50 0.166<'
	trace-plot matrix --bins -a 'sum(g)' s 2> msg | same <(printf '#loc\tevent\tcount\tsum(g)\nl\tR\t999\t0\n') -
	grep -q 'sum(g) leaves out the fractions of 998 events' msg
}

@test "inputs of two formats: a picture of one, and a message; a report tells both" {
	trace-plot rate "$FIX/spc/Financial1-head.spc" > one.svg
	status_is 2 trace-plot rate "$FIX/spc/Financial1-head.spc" "$FIX/runs/solver.meta"
	has "$stderr" 'solver.meta: its format is dumpi, that of those before spc: it is not drawn'
	printf '%s\n' "$output" | same - one.svg
	for f in spc/Financial1-head.spc runs/solver.meta; do trace-plot rate -p "$FIX/$f"; done > parts
	trace-plot rate -m parts > parts.svg
	grep -q '>traces of several formats, each with times of its own<' parts.svg
	grep -q ' · 319 events · ' parts.svg
	trace-stats "$FIX/spc/Financial1-head.spc" "$FIX/runs/solver.meta" | grep -q '^formats *spc and dumpi$'
	for f in runs/solver.meta spc/Financial1-head.spc; do trace-stats -p "$FIX/$f"; done | trace-stats -m | grep -q '^formats *spc and dumpi$'
	trace-report "$FIX/spc/Financial1-head.spc" "$FIX/runs/solver.meta" > page || [ $? = 2 ]
	grep -q 'spc and dumpi' page
}
