"""rows.py - a timeline of more locations than rows: which of them share one, what it shows, in any order and in parts.

Counts itself what --bins and the lines of members must be. Ends with how many traces there were. Run it in an empty
folder.
"""
import random, re, subprocess, zlib

def plot(*args, data=None):
    return subprocess.run(['trace-plot', *args], input=data, check=True, stdout=subprocess.PIPE).stdout.decode()

def natural(name): return [(int(p), '') if p.isdigit() else (48, p) if i % 2 else (0, p) for i, p in enumerate(re.split(r'(\d+)', name))]

# Events (ns, location, state, ns or None) as text, in the order of a list.
def text(events):
    t = lambda v: '%d.%09d' % divmod(v, 10**9)
    return ''.join('%s\t%s\t%s\t-\t-\t%s\n' % (t(at), loc, state, '-' if dur is None else t(dur)) for at, loc, state, dur in events)

# The rows of names: as many neighbours each, a power of two.
def even(names):
    names, each = sorted(names, key=natural), 1
    while -(-len(names) // each) > 64: each *= 2
    return [names[i:i + each] for i in range(0, len(names), each)], each

def title(row): return row[0] if len(row) == 1 else row[0] + '..' + row[-1]

# By (row, state) the sum of --bins.
def table(out):
    got = {}
    for line in out.splitlines()[1:]:
        f = line.split('\t')
        k = (f[2], f[3]) if len(f) > 4 else (f[2], '')
        got[k] = got.get(k, 0) + int(f[-1].replace('.', ''))
    return got

def ns(v, unit): return float(v) * {'ns': 1, 'us': 1e3, 'ms': 1e6, 's': 1e9}[unit]

# The lines of each row: from its least member to its greatest, by column.
def members(svg, events, rows, points):
    step = ns(*re.search(r'each column is ([\d.]+) (\w+)', svg).groups())
    k = min(range(64), key=lambda k: abs(2**k - step))
    begin, end = min(e[0] for e in events), max(e[0] + (e[3] or 1) for e in events)
    first, last = begin >> k, (end - 1) >> k
    of = {name: i for i, row in enumerate(rows) for name in row}
    busy = {}
    for at, loc, _, dur in events:
        for c in range(at >> k, ((at + dur - 1) >> k) + 1 if dur else (at >> k) + 1):
            part = min(at + dur, (c + 1) << k) - max(at, c << k) if dur else 1
            busy[loc, c] = busy.get((loc, c), 0) + part
    full = max(busy.values()) if points else 1 << k
    want = {}
    for i, row in enumerate(rows):
        for c in range(first, last + 1):
            v = [busy.get((name, c), 0) for name in row]
            # Of the first column and the last only what is between the first event and the last end.
            part = full if points else min((c + 1) << k, end) - max(c << k, begin)
            if min(v) != max(v): want[i, c - first] = min(v) / part, max(v) / part
    windows, got = re.findall(r'<svg x.*?</svg>', svg, re.S), {}
    paths = [p for w in windows for p in (re.findall(r'<path class="i?" d="([^"]*)"', w) or [''])]
    # A window for each row, or in one window 10 units for each of which the last is a gap; 440 units or 9 are high.
    for i, d in enumerate(paths):
        for x, y, v in re.findall(r'M([\d.]+) ([\d.]+)h[\d.]+v([\d.]+)', d):
            x, y, v = float(x), float(y), float(v)
            i, y, high = (int(y // 10), y % 10, 9) if points else (i, y, 440)
            got[i, int(x)] = (high - y - v) / high, (high - y) / high
    for at in set(want) | set(got):
        (a, b), (x, y) = want.get(at, (0, 0)), got.get(at, (0, 0))
        assert abs(a - x) < .004 and abs(b - y) < .004 or b - a < .004 and at not in got, (at, (a, b), (x, y))
    return len(got)

def check(names, states, n, points=False, exact=True, parts=True):
    length = {name: r.randrange(1, 10**8) for name in names}
    events = [(i * 10**6 + r.randrange(10**6), names[i] if i < len(names) else r.choice(names), 'S%d' % r.randrange(states), None) for i in range(n)]
    if not points:
        ends, kept = {}, []
        # One after the other at each location, so that each has its whole time.
        for at, loc, state, _ in events:
            at = max(at, ends.get(loc, 0))
            kept.append((at, loc, state, length[loc]))
            ends[loc] = at + length[loc]
        events = kept
    rows, each = even({e[1] for e in events})
    open('s', 'w').write(text(events))
    svg, bins = plot('timeline', 's'), plot('timeline', '--bins', 's')
    assert len(svg) <= 500000
    if exact:
        assert f' {each:,} locations a row' in svg, (each, re.findall('.{30}a row.{30}', svg))
        row = {name: title(row) for row in rows for name in row}
        want = {}
        for _, loc, state, dur in events:
            k = row[loc], '' if points else state
            want[k] = want.get(k, 0) + (dur or 1)
        assert table(bins) == want, set(table(bins).items()) ^ set(want.items())
    lines = 0
    if parts and exact: lines = members(svg, events, rows, points)
    # By location, which keeps the order of each; backwards; at random.
    some = list(names)
    for order in range(3):
        if order == 2: r.shuffle(some)
        place = {name: i for i, name in enumerate(some)}
        open('s', 'w').write(text(sorted(events, key=lambda e: place[e[1]])))
        assert plot('timeline', 's') == svg and plot('timeline', '--bins', 's') == bins, order
        some.reverse()
    if parts:
        for i in range(3):
            open('s', 'w').write(text([e for e in events if zlib.crc32(e[1].encode()) % 3 == i]))
            open('p%d' % i, 'w').write(plot('timeline', '-p', 's'))
        assert plot('timeline', '-m', 'p2', 'p0', 'p1') == svg and plot('timeline', '-m', '--bins', 'p1', 'p0', 'p2') == bins
    return lines

r, traces, lines = random.Random(3), 0, 0
for n in 65, 300, 302, 512, 1000:
    for points in False, True:
        lines += check(['l%d' % i for i in range(n)], 2, 4000, points=points)
        traces += 1
# Numbers with gaps between them, places of two numbers, and names without any.
lines += check(['node%d' % (i * i) for i in range(301)] + ['app:1009'], 3, 3000)
lines += check(['n%d/%d' % (i // 7, i % 7) for i in range(400)], 3, 3000, points=True)
lines += check([''.join(r.choice('abcxyz') for _ in range(9)) for i in range(200)], 3, 3000)
# More states than there is room for with all locations apart, and more locations: dense numbers are even all the same.
check(['%d' % i for i in range(512)], 15, 20000, parts=False)
check(['%d' % i for i in range(5000)], 2, 20000, parts=False)
check(['%d' % i for i in range(100000)], 2, 100000, points=True, parts=False)
# Other names are as even as they can be, and do not hang on the order either.
check(['n%d/%d' % (r.randrange(300), r.randrange(1000)) for i in range(5000)], 3, 20000, exact=False, parts=False)
check([''.join(r.choice('abcxyz01') for _ in range(r.randrange(1, 30))) for i in range(3000)], 9, 20000, exact=False, parts=False)
check(['%d' % r.randrange(2**70) for i in range(3000)], 3, 20000, exact=False, parts=False)
assert lines > 5000
print(traces + 9, 'traces,', lines, 'lines of members are right')
