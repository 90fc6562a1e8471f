#!/usr/bin/env python3
# heat_lines.py - the lines of percentiles in heat, read back from the SVG, against the values themselves.
#   heat_lines.py SEED TRIALS   random traces: few values, many, with fractions, bursts; --log y and --linear y
# A line that the picture calls exact is at the percentile of each window, by the definition of nearest rank; one
# that it calls so much too low is no lower than that and never above. All are within the values of the trace.
import random, re, subprocess, sys
from collections import defaultdict
from fractions import Fraction as F
from math import ceil, log2
sys.path.insert(0, sys.path[0])
from svg import Picture, boxes, corners

UNIT = {'': 1, 'k': 10**3, 'M': 10**6, 'G': 10**9, 'T': 10**12, 'B': 1, 'KiB': 2**10, 'MiB': 2**20, 'GiB': 2**30,
        'ns': F(1, 10**9), 'us': F(1, 10**6), 'ms': F(1, 1000), 's': 1}

def number(text):
    m = re.fullmatch(r'([0-9.,]+)(?: ([a-zA-Z]+))?', text)
    return F(m[1].replace(',', '')) * UNIT[m[2] or ''] if m and (m[2] or '') in UNIT else None

def rank(values, share):
    return sorted(values)[ceil(F(len(values) * share, 100)) - 1]

def check(events, svg, even, few):
    open('heat.svg', 'w', encoding='utf-8').write(svg)
    p = Picture('heat.svg')
    [said] = re.findall(r'>p50, p99 of each ([0-9.,]+ [a-z]+), band p25 to p75(?:: up to ([^<]*) too low)?<', svg)
    assert not (few and said[1]), said
    # A window is a power of two of nanoseconds, from such a multiple on.
    width = 2**round(log2(number(said[0]) * 10**9))
    assert abs(number(said[0]) * 10**9 - width) <= F(width, 100), said
    windows = defaultdict(list)
    for time, v in events:
        windows[time // width].append(v)
    first, last = min(events)[0], max(events)[0]
    left, right, top, bottom = next((float(x), float(x) + float(w), float(y), float(y) + float(h)) for x, y, w, h in
        re.findall(r'<rect class="f" x="([0-9.]+)" y="([0-9.]+)" width="([0-9.]+)" height="([0-9.]+)"', svg))
    window = lambda x0, x1: int(first + F((x0 + x1) / 2 - left) / F(right - left) * (last + 1 - first)) // width
    # Where values are: by the marks of the axis, and where it is logarithmic, four rows to a power of two, from 4 on.
    marks = sorted(((number(t), y - 4) for x, y, c, t in p.texts if c == 't n' and x < left and number(t)),
                   key=lambda m: (m[0], -m[1]))
    (v0, y0), (v1, y1) = marks[0], marks[-1]
    rows = float(re.search(r' ([0-9.]+)" preserveAspectRatio', svg)[1])
    octave = 4 * (bottom - top) / rows if not even else 0
    assert not even or v0 < v1 or {v for _, v in events} == {v0}, marks
    at = lambda v: (y0 + (float(v) - float(v0)) / (float(v1) - float(v0) or 1) * (y1 - y0) if even else
                    y1 - (log2(v) - log2(v1)) * octave if v else bottom)
    # Within a quarter of an octave the axis is linear: that differs from its logarithm by 0.0055 octaves.
    near = .1 if even else .15 + .011 * octave
    low = number(said[1]) if said[1] and even else F(0)
    part = F(said[1].removesuffix(' %')) / 100 if said[1] and not even else 0
    assert part <= F(16, 100), said
    checked = 0
    def line(i, share, y):
        want = rank(windows[i], share)
        highest, lowest = at(want), at((want - low) * (1 - part)) if want >= low else bottom
        assert highest - near <= y <= lowest + near, (share, i, float(want), y, highest, lowest)
        values = [v for _, v in events]
        assert at(max(values)) - near <= y <= min(at(min(values)), bottom) + near
    for c, share, least in (('w p5', 50, 10), ('w p9', 99, 100)):
        drawn = {}
        for d in [d for k, path in p.paths if k == c for d in re.findall('M[^M]*', path)]:
            points = list(corners(d))
            for a, b in zip(points, points[1:]):
                if b[0] > a[0]:
                    assert a[1] == b[1], 'a step'
                    drawn[window(a[0], b[0])] = a[1]
        # A window that is narrower than a hundredth of a pixel cannot be told.
        must = {i for i in windows if len(windows[i]) >= least}
        ends = {first // width, last // width}
        assert must - ends <= set(drawn) <= must, (c, must ^ set(drawn))
        for i, y in drawn.items():
            line(i, share, y)
        checked += len(drawn)
    for x0, x1, y0_, y1_ in (b for c, d in p.paths if c == 'q k' for b in boxes(d)):
        if x1 - x0 > .02:
            line(window(x0, x1), 25, y1_)
            line(window(x0, x1), 75, y0_)
            checked += 2
    return checked, bool(said[1])

def main(seed, trials):
    random.seed(int(seed))
    checked = inexact = 0
    for trial in range(int(trials)):
        kind = trial % 7
        n = random.choice([700, 3000, 20000])
        few = kind in (0, 1, 2, 6)
        one = random.choice([512, 4096, 1 << 20])
        pick = {0: lambda: one, 1: lambda: one * random.choice([1, 2, 3, 4]), 2: lambda: F(random.choice(['0.25', '1.5', '3.75', '10', '123.456'])),
                3: lambda: int(random.lognormvariate(11, random.choice([.1, 2]))) + 1, 4: lambda: F(random.randrange(1, 10**6), 1000),
                5: lambda: random.choice([4096, 4608, 5120, 6000]), 6: lambda: random.choice([0, 0, 0, 64, one])}[kind]
        v = [pick() for i in range(n)]
        gap = random.choice([1000, 10**6, 10**9])
        times = sorted(int(10**9 * random.choice([0, 7])) + (i * gap if random.random() < .9 else random.randrange(n) * gap) for i in range(n))
        if kind in (2, 4):
            text, ask = [f'v={float(x):.9f}' for x in v], ['-y', 'v']
            lines = ''.join(f'{t // 10**9}.{t % 10**9:09d}\tl\ta\t-\t-\t-\t{x}\n' for t, x in zip(times, text))
        else:
            ask = ['-y', 'size']
            lines = ''.join(f'{t // 10**9}.{t % 10**9:09d}\tl\ta\t-\t{x}\t-\n' for t, x in zip(times, v))
        for axis in ('--log', '--linear'):
            done = subprocess.run(['trace-plot', 'heat', *ask, axis, 'y', *random.choice([[], ['--size', '400x260'], ['--size', '1920x900']])],
                                  input=lines, capture_output=True, text=True)
            assert done.returncode == 0, done.stderr
            # Rows of one size may have several of few values.
            alone = few and axis == '--log'
            got = check(list(zip(times, v)), done.stdout, axis == '--linear', alone)
            checked += got[0]
            inexact += got[1]
    assert checked > 20 * int(trials) and inexact, (checked, inexact)
    print(checked, 'percentiles are right;', inexact, 'pictures say that they are not exact')

main(*sys.argv[1:])
