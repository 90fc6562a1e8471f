#!/usr/bin/env bats
# same.bats - trace-merge --match: clocks put right by events that two traces both have. Python makes runs whose
# clocks it knows, and works out what is left from what was said.
bats_require_minimum_version 1.5.0
load ../helpers

@test "known clocks are found: offsets, drifts, noise, wrong pairs, keys that come twice, origins, ticks" {
	cat > same.py <<'P'
import random, re, statistics, subprocess
from fractions import Fraction
random.seed(9)
def text(name, rows, origin=None, ticks=False):
    with open(name, 'w') as f:
        if origin is not None or ticks:
            f.write('##spoor\t1\n##clock\t%s\n#time\tloc\tevent\taddr\tsize\tdur\targs\n' %
                    ('ticks' if ticks else 's\torigin=%d.000000000' % origin))
        for t, key in sorted(rows):
            s = str(t) if ticks else '%s%d.%09d' % ('-' if t < 0 else '', abs(t) // 10**9, abs(t) % 10**9)
            f.write('%s\t%s\tE\t%d\t-\t-\t%s\n' % (s, name, key % 2**40, 'id=%d' % key if key >= 0 else 'none=1'))
        if origin is not None or ticks: f.write('##end\tevents=%d\n' % len(rows))
runs = 0
for n in [1, 2, 5, 6, 7, 30, 400, 3000]:
    for drift in [0, 40e-6, -3e-3, 1e-8]:
        for noise in [0, 2000]:
            for wrong in [0, .15]:
                ticks = random.random() < .2
                origin = random.choice([None, 1700000000]) if not ticks else None
                unit = 1000 if ticks else 1
                offset = random.randrange(-10**13, 10**13) if not ticks else random.randrange(10**12)
                true, here = [], []
                for i in range(n):
                    t = 10**13 + i * 37_000_000 + random.randrange(10**7)
                    true.append((t, i))
                    x = round((t + offset) * (1 + Fraction(drift))) + random.randrange(-noise, noise + 1)
                    if n > 20 and random.random() < wrong: x += random.randrange(-10**11, 10**11)
                    here.append((x, i))
                twice = [(random.randrange(10**13, 2 * 10**13), n + k // 2) for k in range(40)]
                own = [(random.randrange(10**13, 2 * 10**13), 10**6 + k) for k in range(30)]
                lacks = [[(random.randrange(10**13, 2 * 10**13), k)] for k in (-1, -2)]
                a, b = true + twice + lacks[0], here + own + lacks[1] + [(t + 5, k) for t, k in twice[::2]]
                b = [(t, k) for t, k in b if t >= 0 or not ticks]
                text('a', a, origin, ticks)
                text('b', b, origin and origin + 1000, ticks)
                # Times of b count from an origin that is later: the clocks differ by that, too.
                if origin: b, here = ([(t + 10**12, k) for t, k in v] for v in (b, here))
                out = subprocess.run(['trace-merge', '-H', '--match', random.choice(['id', 'addr, id', 'id + 0']), 'a', 'b'], capture_output=True, text=True)
                assert out.returncode == 0, out.stderr
                m = re.fullmatch(r'trace-merge: b: --offset @2=(-?)(\d+)\.(\d{9})s? --scale @2=(\d)\.(\d{9}), by (\d+) events? that both have; '
                                 r'then half of them differ by at most (\S+) (?:s|ticks), all by (\S+) (?:s|ticks)\n', out.stderr)
                assert m, out.stderr
                each = 1 if ticks else 10**9
                off = (int(m[2]) * each + int(m[3]) // (10**9 // each)) * (-1 if m[1] else 1)
                scale = Fraction(int(m[4] + m[5]), 10**9)
                both = [(x, dict((k, t) for t, k in true)[k]) for x, k in here if x >= 0 or not ticks] if n < 100 else list(zip([x for x, _ in here], [t for t, _ in true]))
                assert int(m[6]) == len(both)
                first = min(t for t, _ in b)
                left = sorted(abs(first + (x - first) * scale + off - t) for x, t in both)
                middle = statistics.median(left)
                assert abs(float(m[7]) * each - middle) <= 1 + middle * .006, (m[0], float(middle))
                assert abs(float(m[8]) * each - left[-1]) <= 1 + left[-1] * .006
                # Scale has nine decimals: over the span that is so much.
                span = max(x for x, _ in here) - min(x for x, _ in here)
                if n >= 6: assert middle <= noise + span * 1e-9 + 5, (n, drift, noise, wrong, float(middle), m[0])
                if not drift and not noise: assert middle <= 1 and (scale == 1 or wrong)
                # What comes out is that.
                got = sorted(int(l.split('\t')[0].replace('.', '')) for l in out.stdout.split('\n') if '\tb\t' in l)
                want = sorted(round(first + (x - first) * scale + off) for x, _ in b)
                assert len(got) == len(want) and all(abs(g - w) <= 1 for g, w in zip(got, want)), (got[:3], want[:3])
                head = [l for l in out.stdout.split('\n') if l.startswith('##clock')][0]
                assert ticks or head.endswith('origin=%d.000000000' % (origin or 0)), head
                runs += 1
print(runs)
P
	run -0 python3 same.py
	[ "$output" = 128 ]
}

@test "the offset is how far the clocks are apart, also where inputs have different origins" {
	printf '%s\n' t,id 2026-01-01T00:00:00Z,1 2026-01-01T00:00:10Z,2 2026-01-01T00:00:25Z,3 > m1.csv
	sed 's/T00:/T01:/' m1.csv > m2.csv
	# The first event is not in it: its origin is ten seconds later.
	sed 2d m2.csv > m3.csv
	for f in m2 m3; do
		trace-merge -A --match id -O columns='header time=$t:iso event=e id=$id' m1.csv $f.csv > out 2> said
		grep -q "^trace-merge: $f.csv: --offset @2=-3600.000000000s --scale @2=1.000000000, by" said
		sed 's/T01:/T00:/' $f.csv | cat m1.csv - | sed '/^t/d' | python3 -c '
import sys, datetime
for t in sorted(datetime.datetime.fromisoformat(l.split(",")[0].replace("Z", "+00:00")) for l in sys.stdin):
    print("%d.000000000" % t.timestamp())' > want
		cut -f 1 out | same want -
	done
}

@test "the options that are said do the same by hand, whatever times count from" {
	cat > hand.py <<'P'
import itertools, random, re, subprocess
random.seed(5)
def merge(*options):
    p = subprocess.run(['trace-merge', *options, 'a', 'b', 'c'], capture_output=True)
    assert p.returncode == 0, (options, p.stderr)
    return p
def text(name, origin, rows):
    head = '' if origin is None else '##spoor\t1\n##clock\ts\torigin=%d.000000000\n#time\tloc\tevent\taddr\tsize\tdur\targs\n' % origin
    with open(name, 'w') as f:
        f.write(head)
        for t, k in rows:
            f.write('%s%d.%09d\t%s\tE\t-\t-\t-\tid=%d\n' % ('-' * (t < 0), abs(t) // 10**9, abs(t) % 10**9, name, k))
        f.write('' if origin is None else '##end\tevents=%d\n' % len(rows))
runs = 0
for origins, order, drift in itertools.product([(None,) * 3, (1700000000, 1700003600, 1690000000), (1700000000, None, 1)], [True, False], [0, 3e-5]):
    true = [(i * 10**8 + random.randrange(10**7), i) for i in range(200)]
    apart = {'a': 0, 'b': 7 * 10**9 + 123, 'c': -86400 * 10**9}
    for name, origin in zip('abc', origins):
        rows = [(round(t * (1 + (drift if name == 'b' else 0))) + apart[name], k) for t, k in true[ord(name) - 97:]]
        if not order: rows[0], rows[5] = rows[5], rows[0]
        text(name, origin, rows)
    for align in [(), ('--align', 'origin'), ('--align', 'first'), ('--align', 'none')]:
        for form in [('-H',), ('-A',), ('-b',)]:
            p = merge(*form, *align, '--match', 'id')
            by = [w for o in dict.fromkeys(re.findall(r'--(?:align|offset|scale) [^ ,]+', p.stderr.decode())) for w in o.split()]
            assert len(by) >= 8, p.stderr
            q = merge(*form, *by)
            assert p.stdout == q.stdout and not q.stderr, (origins, align, by, p.stderr)
            # Events of one key are beside each other.
            at = {}
            for l in p.stdout.decode().split('\n') if form != ('-b',) else []:
                if l and l[0] != '#': at.setdefault(l.split('id=')[1], []).append(float(l.split('\t')[0]))
            assert all(max(v) - min(v) < 1e-6 for v in at.values()), (origins, order, drift, align, p.stderr)
            runs += 1
print(runs)
P
	run -0 python3 hand.py
	[ "$output" = 144 ]
}

@test "what cannot be matched is refused" {
	printf '1.0\ta\tE\t-\t-\t-\tid=1\n' > a
	printf '1.0\ta\tE\t-\t-\t-\tid=2\n' > b
	status_is 2 trace-merge --match id a b
	has "$stderr" '--match id: no event of b matches one of a'
	status_is 2 trace-merge --match id a
	has "$stderr" 'needs two inputs or more'
	status_is 2 trace-merge --match id a no
	has "$stderr" '^trace-merge: no: No such file'
	status_is 2 trace-merge --match id a - < b
	has "$stderr" 'each must be a file'
	status_is 2 trace-merge --match id a "$FIX/laplace/three.ref"
	has "$stderr" 'the clock counts another unit than the clock of a'
	status_is 2 trace-merge --match none a b
	has "$stderr" 'no event had a field none'
}

@test "of more keys than are kept both inputs keep the same, and memory has a bound" {
	seq 3000000 | awk '{ printf "%d.%06d000\t0\tE\t%d\t-\t-\n", $1 / 1000000, $1 % 1000000, $1 }' > a
	trace-derive -b 'time = time + 3.25s' a > b
	trace-merge --match addr a b 2> said | trace-stats -g addr -a 'count, d = max(time) - min(time)' --having 'd != 0' --no-header | same /dev/null -
	grep -q -- '--offset @2=-3.250000000s --scale @2=1.000000000, by [0-9]* events' said
	n=$(sed 's/.* by \([0-9]*\) events.*/\1/' said)
	[ "$n" -gt 400000 ]
	[ "$n" -le 1048576 ]
}
