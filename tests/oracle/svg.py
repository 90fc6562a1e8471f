#!/usr/bin/env python3
# svg.py - reads the numbers of a picture back from its SVG or its text, and holds them against the events.
#   svg.py cdf SVG SPC     the lines of hist, or of line, below its names: at each mark of the axis, and between
#                            them, the share of requests that are no larger
#   svg.py flat SVG N      hist or heat of N events whose logarithms are spread evenly: bars, or rows, are as high
#   svg.py powers SVG      hist of sizes, as many of each power of two: as many bars, each at its mark
#   svg.py points SVG        prints the points of each line of `line`: its name, x and y as the marks of the axes have them,
#                            in seconds, bytes or parts of one; a gap is an empty line
#   svg.py rates TEXT RATE X...   each picture of a terminal of events per second: its highest column is RATE, and
#                            the others have these parts of it, each for as many columns
import re, sys
from bisect import bisect_right
from math import log2
from collections import defaultdict

UNIT = {'': 1, 'B': 1, 'KiB': 2**10, 'MiB': 2**20, 'GiB': 2**30, 'k': 10**3, 'M': 10**6, 'G': 10**9,
        'ns': 1, 'us': 10**3, 'ms': 10**6, 's': 10**9, '%': 1e-2}

def value(text):
    clock = re.fullmatch(r'(\d\d):(\d\d)(?::(\d\d))?', text)
    if clock: return (int(clock[1]) * 3600 + int(clock[2]) * 60 + int(clock[3] or 0)) * 1e9
    m = re.fullmatch(r'(-?[0-9.,]+)(?: ([a-zA-Z%]+))?', text)
    return float(m[1].replace(',', '')) * UNIT[m[2] or ''] if m and (m[2] or '') in UNIT else None

class Picture:
    def __init__(self, path):
        svg = open(path, encoding='utf-8').read()
        self.texts = [(float(x), float(y), c or '', t) for x, y, c, t in
                      re.findall(r'<text x="([-0-9.]+)" y="([-0-9.]+)"(?: class="([^"]*)")?[^>]*>(?:<title>[^<]*</title>)?([^<]*)<', svg)]
        self.paths = re.findall(r'<path class="([^"]*)" d="([^"]*)"', svg)

    # Values beside marks: x -> value of those in a line of text below, y -> value of those on the left.
    def marks(self, axis):
        found = defaultdict(list)
        for x, y, c, t in self.texts:
            if c == 't n' and value(t) is not None:
                found[y if axis == 'x' else x].append((x if axis == 'x' else y, value(t)))
        return max(found.values(), key=len)

# The corners of a path: x, y.
def corners(d):
    x = y = 0
    begin = 0, 0
    for c, a in re.findall(r'([a-zA-Z])([-0-9. ]*)', d):
        n = [float(v) for v in re.findall(r'-?(?:\d+\.?\d*|\.\d+)', a)]
        if c in 'ML': x, y = n
        elif c == 'm': x, y = x + n[0], y + n[1]
        elif c == 'H': x = n[0]
        elif c == 'V': y = n[0]
        elif c == 'h': x += n[0]
        elif c == 'v': y += n[0]
        elif c == 'z': x, y = begin
        if c in 'Mm': begin = x, y
        yield None if c == 'z' else (x, y)

# The rectangles of a path: left, right, top, bottom.
def boxes(d):
    points = []
    for at in corners(d):
        if at: points.append(at)
        if not at:
            xs, ys = zip(*points)
            yield min(xs), max(xs), min(ys), max(ys)
            points = []

def bars(p):
    return [b for c, d in p.paths if re.fullmatch('c[0-9] k', c) for b in boxes(d)]

def flat(svg, n):
    p, n = Picture(svg), int(n)
    b = sorted(bars(p))
    widths = {round(right - left, 1) for left, right, _, _ in b}
    assert max(widths) - min(widths) < .5, widths
    # Bars stand at both ends in part only.
    high = [bottom - top for _, _, top, bottom in b][1:-1]
    assert len(high) > 40 and max(high) - min(high) <= .02 * max(high), (min(high), max(high))
    # As many of each decade, at the marks of the axis: so is the line below.
    points = list(corners(next(d for c, d in p.paths if c.startswith('w l'))))
    bottom, top = max(y for _, y in points), min(y for _, y in points)
    at = lambda x: next(a[1] + (z[1] - a[1]) * (x - a[0]) / (z[0] - a[0] or 1)
                        for a, z in zip(points, points[1:]) if a[0] <= x <= z[0])
    marks = p.marks('x')
    for x, v in marks:
        share = (len(str(int(v))) - 4) / 4
        assert abs((bottom - at(x)) / (bottom - top) - share) < .005, (v, at(x))
    assert len(marks) == 5
    print(len(high), 'bars are as high')

def powers(svg):
    p = Picture(svg)
    b, marks = sorted(bars(p)), sorted(p.marks('x'))
    assert [m[1] for m in marks] == [2**i for i in range(3, 23)], marks
    assert len(b) == len(marks)
    for (left, right, top, _), (x, _) in zip(b, marks):
        assert abs(left - x) < .02 and abs(top - b[0][2]) < .02, (left, x)
    print(len(b), 'bars at their marks')

def cdf(svg, spc):
    p, sizes = Picture(svg), defaultdict(list)
    for line in open(spc):
        f = line.split(',')
        if len(f) > 4: sizes[f[3].strip().upper()].append(int(f[2]))
    lines = [list(corners(d)) for c, d in p.paths if c.startswith('w l')]
    names = sorted(sizes, key=lambda n: -len(sizes[n])) if len(lines) > 1 else ['R']
    checked = 0
    for points, name in zip(lines, names):
        s = sorted(sizes[name])
        bottom, top = max(y for _, y in points), min(y for _, y in points)
        marks = sorted(p.marks('x'), key=lambda m: m[1])
        (x0, v0), (x1, v1) = marks[0], marks[-1]
        # The axis of hist is logarithmic, that of line is not.
        of = log2 if marks[1][1] == 2 * v0 and marks[-1][1] == 2 * marks[-2][1] else float
        for v in sorted({v for _, v in marks} | {v for v in s if v <= 8192}):
            x = x0 + (of(v) - of(v0)) / (of(v1) - of(v0)) * (x1 - x0)
            # At the value, and right before it.
            for at, want in (x + .4, bisect_right(s, v)), (x - .4, bisect_right(s, v - 1)):
                below = [y for px, y in points if px <= at]
                got = (bottom - min(below, default=bottom)) / (bottom - top)
                assert abs(got - want / len(s)) < .001, (name, v, got, want / len(s))
                checked += 1
    assert checked > 20
    print(checked, 'shares are right')

def points(svg):
    p, text = Picture(svg), open(svg, encoding='utf-8').read()
    axes = []
    for axis in 'x', 'y':
        at = [(pos, value(t) * (1e-9 if t.endswith('s') or ':' in t else 1)) for x, y, c, t in p.texts
              if c == 't n' and value(t) is not None for pos in [x if axis == 'x' else y - 4]
              if (y == max(b for _, b, k, _ in p.texts if k == 't n')) == (axis == 'x')]
        (a, v), (b, w), (c, u) = at[0], at[1], at[-1]
        line = abs(v + (c - a) / (b - a) * (w - v) - u) <= abs(u - v) * .02
        # From the two marks that are the furthest from each other.
        axes.append((lambda q, a=a, v=v, c=c, u=u: v + (q - a) / (c - a) * (u - v)) if line else
                    (lambda q, a=a, v=v, c=c, u=u: v * (u / v) ** ((q - a) / (c - a))))
    for d, name in re.findall(r'<path class="w l[0-9]" d="([^"]*)"[^>]*><title>([^<]*)</title>', text):
        for i, part in enumerate(d.split('M')[1:]):
            if i: print()
            for at in corners('M' + part):
                print(name, *('%.6g' % f(q) for f, q in zip(axes, at)), sep='\t')

# Of each column how high it is: in dots or, where there are only ASCII characters, in lines.
def heights(lines):
    of = [[{'#': 4, '.': 2, ' ': 0}.get(c) for c in l] for l in lines]
    if any(None in l for l in of):
        dots = [(0x40, 4, 2, 1), (0x80, 32, 16, 8)]
        of = [[sum(ord(c) - 0x2800 & b != 0 for b in side) if c != ' ' else 0 for c in l for side in dots] for l in lines]
    wide = max(map(len, of))
    return [sum(l[i] if i < len(l) else 0 for l in of) for i in range(wide)]

def rates(path, rate, *parts):
    text = open(path, encoding='utf-8').read().split('\n')
    found = 0
    for i, line in enumerate(text):
        m = re.fullmatch(r'(?:requests|events) per second, (.*)', line)
        if not m: continue
        n = next(k for k in range(i + 1, len(text)) if not re.search('[┤│+|]', text[k])
                 or re.search('[└]|[+]---', text[k])) - i - 1
        rows = [re.split('[┤│+|]', l, maxsplit=1) for l in text[i + 1:i + 1 + n]]
        assert rows[0][0].strip() == rate + '/s', rows[0][0]
        h = heights([r[1] for r in rows])
        assert max(h) == 4 * n
        for k, part in enumerate(parts):
            # Not the column in which one ends and the next begins.
            mine = h[len(h) * k // len(parts) + 2:len(h) * (k + 1) // len(parts) - 2] if k or k + 1 < len(parts) else h
            for v in mine: assert abs(v - float(part) * 4 * n) <= (2 if len(parts) > 1 else 1), (k, part, mine)
        found += 1
        print(m[1])
    assert found, text[:3]

if __name__ == '__main__':
    globals()[sys.argv[1]](*sys.argv[2:])
