#!/usr/bin/env python3
"""addr_svg.py - pictures of trace-plot addr as numbers: the bytes of each cell, shares and extents against sums of the events.

Makes traces, draws them, and reads the SVG back: which cells there are, how large, in which shade and with which
tooltips; the bars of bands; the extents. Ends with how many pictures and cells there were. Run it in an empty folder.
"""
import math, random, re, subprocess, sys
from collections import defaultdict

UNIT = {'B': 1, 'KiB': 2**10, 'MiB': 2**20, 'GiB': 2**30, 'TiB': 2**40, 'PiB': 2**50, 'EiB': 2**60,
        'ns': 1, 'us': 10**3, 'ms': 10**6, 's': 10**9, '': 1, 'k': 10**3, 'M': 10**6}
COLOUR = {'written': 3, 'read': 0, 'touched': 2, 'fetched': 4}
WAY = {'W': 'written', 'R': 'read', 'X': 'touched', 'i': 'fetched'}
ORDER = ['written', 'read', 'touched', 'fetched']  # from above

def near(text, v):
    number, _, unit = text.partition(' ')
    return abs(float(number.replace(',', '')) * UNIT[unit] / v - 1) < .006

def draw(args, text):
    done = subprocess.run(['trace-plot', 'addr', *args], input=text, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout

def number(text): return int(text.replace(',', ''))

# Rectangles of a path of cells, in hundredths: left, top, width, height.
def rectangles(d):
    x = y = 0
    number = r'(-?[0-9]*\.?[0-9]+)'
    hundredths = lambda t: round(float(t) * 100)
    got, at = [], 0
    for m in re.finditer(rf'([Mm]){number} ?{number}h{number}v{number}h{number}z', d):
        assert m.start() == at, d[at:at + 40]
        at = m.end()
        dx, dy, w, h, back = map(hundredths, m.groups()[1:])
        x, y = (dx, dy) if m[1] == 'M' else (x + dx, y + dy)
        assert back == -w and w > 0 and h > 0
        got.append((x, y, w, h))
    assert at == len(d)
    return got

def check(events, args):
    text = ''.join('%d.%09d\t%s\t%s\t%d\t%s\t-\n' % (t // 10**9, t % 10**9, loc, e, a, '-' if s is None else s) for t, loc, e, a, s in events)
    svg = draw(['--theme', 'light', *args], text)
    assert len(svg) <= 500000
    touched = [(t, loc, WAY[e], a, a + (1 if s is None else s) - 1) for t, loc, e, a, s in events if s != 0]
    first = min(t for t, *_ in events)
    # What shades are said to count.
    none, some = any(e[4] is None for e in events), any(e[4] is not None for e in events)
    what = 'bytes' if some else 'events'
    said = re.search(r'shade is (how many )?(\w+) in ([\d.,]+ \w+) and ([\d.,]+ \w+)(, 1 of what has no size)?[;<·]? ?', svg)
    assert said and said[2] == what and bool(said[1]) == (not some) and bool(said[5]) == (none and some), said
    # Blocks: the smallest power of two of bytes with which there are at most 256.
    def blocks(j):
        got = set()
        for _, loc, _, a, b in touched:
            if (b >> j) - (a >> j) > 256: return None
            got.update((loc, k) for k in range(a >> j, (b >> j) + 1))
            if len(got) > 256: return None
        return got
    j = 0
    while blocks(j) is None: j += 1
    step = next(k for k in range(64) if near(said[3], 2**k))
    # Bands, from above: all locations, or the 15 largest by name, then the others.
    total = defaultdict(int)
    for _, loc, _, a, b in touched: total[loc] += b - a + 1
    key = lambda loc: int(re.sub(r'\D', '', loc))
    bands = sorted(total, key=key)
    if len(bands) > 16:
        bands = sorted(sorted(total, key=lambda l: (-total[l], key(l)))[:15], key=key) + ['others']
    band_of = lambda loc: loc if loc in bands else 'others'
    # Regions: the rectangles of the frame, from above; the extents beside them from below, where they have room.
    left, top, wide, high, x0, w0, h0 = map(float, re.search(r'<svg x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)" viewBox="([-\d.]+) 0 ([\d.]+) ([\d.]+)"', svg).groups())
    left, wide = round(left + 2.4, 2), round(wide - 4.8, 2)  # the ends of the first and the last column reach over the frame
    rects = [(float(y) - top, float(h)) for x, y, w, h in re.findall(r'<rect class="f" x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"', svg) if float(x) == left and float(w) == wide]
    rects.sort()
    assert all(a[0] + a[1] <= b[0] for a, b in zip(rects, rects[1:]))
    assert rects[0][0] == 0 and rects[-1][0] + rects[-1][1] == high == h0
    extents = [(float(y), number(n), number(lo), number(hi), short) for y, n, lo, hi, short in
               re.findall(r'<text x="[\d.]+" y="([\d.]+)" class="t n"><title>([\d,]+) bytes · address ([\d,]+) to ([\d,]+)</title>([^<]*)<', svg)]
    assert extents
    region = {}  # number of a rectangle: band, lo, hi
    for y, n, lo, hi, short in extents:
        at = next(i for i, (t, h) in enumerate(rects) if abs(t + h / 2 + 4 - (y - top)) < .02)
        assert n == hi - lo + 1 and near(short, n), (n, lo, hi, short)
        region[at] = lo, hi
    # Only pictures that show all extents are taken further; each region is of the band whose events have its ends.
    assert len(region) == len(rects), 'extents are left out'
    spans = {b: [] for b in bands}
    for _, loc, _, a, b in touched: spans[band_of(loc)].append((a, b))
    at, of = 0, {}
    for b in bands:
        lo, hi = min(a for a, _ in spans[b]), max(e for _, e in spans[b])
        assert region[at][1] == hi, (b, region[at], hi)
        while True:
            of[at] = b
            inside = [(a, e) for a, e in spans[b] if e >= region[at][0] and a <= region[at][1]]
            assert min(a for a, _ in inside) >= region[at][0] or any(a <= region[at][0] for a, _ in inside)
            at += 1
            if region[at - 1][0] == lo: break
    assert at == len(rects)
    covered = lambda b, a, e: any(of[i] == b and region[i][0] <= a and e <= region[i][1] for i in region)
    for b in bands: assert all(covered(b, a, e) for a, e in spans[b]), b
    # Shares of bands, and their bars.
    shares = [(float(y), float(v)) for y, v in re.findall(r'<text x="[\d.]+" y="([\d.]+)" class="t n" text-anchor="end">([\d.]+) %<', svg)]
    bars = [(float(y), float(w)) for y, w in re.findall(r'<rect class="c8" x="[\d.]+" y="([\d.]+)" width="([\d.]+)" height="8"', svg)]
    if len(bands) > 1 and not (args and int(args[1].split('x')[0]) < 600):
        all_bytes = sum(total.values())
        want = [sum(v for l, v in total.items() if band_of(l) == b) / all_bytes for b in reversed(bands)]
        assert len(shares) == len(bars) == len(bands), (shares, bars)
        for (y, v), (by, w), share in zip(shares, bars, want):
            assert abs(v / 100 - share) <= .00051 and abs(w / 40 - share) <= .00051, (v, w, share)
            assert abs(by + 8 - y) < .01 or abs(by + 4 - y) < .01
    # Rows have as few blocks as give each region rows of 2.4 pixels for each way, rounded up.
    least = math.ceil(2.4 * len({way for _, _, way, _, _ in touched}))
    each = max(math.ceil(((hi >> j) - (lo >> j) + 1) / max(1, int(rects[i][1]) // least)) for i, (lo, hi) in region.items())
    assert near(said[4], each << j), (said[4], each, j)
    # The bytes of each cell: region, row, column, way. The last row of a region has what is left.
    rows, cells = {}, defaultdict(int)
    for i, (lo, hi) in region.items():
        n = (hi >> j) - (lo >> j) + 1
        rows[i] = n, max(1, n // each + (n % each > each // 2))
    def row_of(i, a): return min(((a >> j) - (region[i][0] >> j)) // each, rows[i][1] - 1)
    for t, loc, way, a, b in touched:
        while a <= b:
            end = min(b, a | ((1 << j) - 1))
            i = next(i for i in region if of[i] == band_of(loc) and region[i][0] <= a <= region[i][1])
            cells[i, row_of(i, a), (t >> step) - (first >> step), way] += end - a + 1
            a = end + 1
    ways = defaultdict(set)
    for i, row, _, way in cells: ways[i, row].add(way)
    # Each cell is drawn once, where it belongs, and its path has its number.
    seen, range_of, told = {}, defaultdict(list), 0
    for colour, shade, d, about in re.findall(r'<path class="c(\d) o(\d+) k" d="([^"]*)"><title>([^<]*)<', svg):
        m = re.fullmatch(r'(?:([\d,]+) to )?([\d,]+) (\w+) (\w+)(?: · address ([\d,]+) to ([\d,]+) · .*)?', about)
        way, least, most = m[4], number(m[1] or m[2]), number(m[2])
        assert COLOUR[way] == int(colour) and m[3] in (what, what[:-1])
        got = []
        for x, y, w, h in rectangles(d):
            i = next(i for i, (t, hh) in enumerate(rects) if t * 100 <= y and y + h <= (t + hh) * 100)
            n, count = rows[i]
            middle = y + h / 2
            # Edges of rows are at whole pixels.
            edge = [rects[i][0] * 100 + round(rects[i][1] * (1 - min(k * each, n) / n)) * 100 for k in range(count)] + [rects[i][0] * 100]
            row = next((k for k in range(count) if edge[k + 1] < middle < edge[k]), None)
            if row is None: row = next(k for k in range(count) if edge[k + 1] - 100 <= middle <= edge[k] + 100)
            there = [v for v in ORDER if v in ways[i, row]]
            assert way in there and abs(h * len(there) - (edge[row] - edge[row + 1])) <= 100 + len(there), (h, there, edge[row], edge[row + 1])
            if len(there) > 1:
                assert abs(y - (edge[row + 1] + (edge[row] - edge[row + 1]) * there.index(way) / len(there))) <= 100 + len(there)
            assert x % 100 == 0 and w % 100 == 0
            for c in range(x // 100, (x + w) // 100):
                assert (i, row, c, way) not in seen
                seen[i, row, c, way] = int(shade)
                got.append(cells[i, row, c, way])
            if m[5]:
                told += 1
                base, block = region[i][0] >> j, 1 << j
                assert number(m[5]) == (base + row * each) * block
                last = (base + (n if row + 1 == count else (row + 1) * each)) * block - 1
                assert number(m[6]) == last, (about, last, i, of[i], n, count, each, row, region[i], j)
        assert min(got) == least and max(got) == most, (about, min(got), max(got))
        range_of[int(shade)] += got
    assert set(seen) == set(cells), (len(seen), len(cells))
    assert bool(told) == (len(cells) <= 1024)
    # Shades rise with the numbers, evenly with their logarithms, as the scale says whose ends are beside it.
    order = sorted(range_of)
    for a, b in zip(order, order[1:]): assert max(range_of[a]) < min(range_of[b])
    assert set(COLOUR[w] for *_, w in cells) == {int(c) for c in re.findall(r'<rect class="c(\d) o15 k"', svg)}
    marks = re.findall(r'<text x="[\d.]+" y="[\d.]+" class="t n">([\d.,]+ ?(?:[KMGTPE]i)?[Bk]?)<', svg[re.search('<rect class="c[0-9] o', svg).start():])
    value = lambda t: float(t.split()[0].replace(',', '')) * UNIT[(t.split() + [''])[1]]
    most = max(cells.values())
    assert near(marks[-1], most), (marks, most)
    if len(marks) > 1:
        low = value(marks[0])
        assert near(marks[0], min(min(cells.values()), max(most >> 8, 1))), marks
        for key, v in cells.items():
            assert abs(seen[key] - (math.log(v / low) / math.log(most / low)) * 15) < 1.6, (v, seen[key], low, most)
    return len(cells)

def trace(r, kind):
    n = r.choice([1, 3, 40, 400, 4000])
    locs = ['l%d' % i for i in range({'one': 1, 'few': 3, 'disks': 16, 'many': 30}[kind])]
    size = r.choice([[None], [None, 512], [512, 4096, 65536], [1, 8], [1 << 22, 3 << 20], [4096, 0]])
    bases = {l: [r.randrange(0, 1 << r.choice([16, 30, 40])) for _ in range(r.choice([1, 1, 2]) if kind == 'one' else 1)] for l in locs}
    reach = 1 << r.choice([8, 16, 26])
    words = r.choice(['R', 'RW', 'RWi', 'RWiX', 'W'])
    events = []
    for i in range(n):
        l = r.choice(locs[:1] * 4 + locs)
        events.append((r.randrange(0, 10**r.choice([3, 9])) + (i == 0), l, r.choice(words), r.choice(bases[l]) + r.randrange(reach), r.choice(size)))
    return events if any(e[4] != 0 for e in events) else trace(r, kind)

seed, trials = int(sys.argv[1]), int(sys.argv[2])
r = random.Random(seed)
pictures = sums = skipped = 0
for trial in range(trials):
    events = trace(r, r.choice(['one', 'one', 'few', 'disks', 'many']))
    try:
        sums += check(events, r.choice([[], [], ['--size', '500x300'], ['--size', '1920x700']]))
        pictures += 1
    except AssertionError as e:
        if e.args and e.args[0] == 'extents are left out': skipped += 1
        else:
            print('seed', seed, 'trial', trial, events[:3], len(events))
            raise
assert pictures > 2 * skipped
print(pictures, 'pictures,', sums, 'cells')
