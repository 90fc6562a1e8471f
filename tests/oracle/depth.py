#!/usr/bin/env python3
"""depth.py N SEED - depth, depth_most and busy of trace-stats on N random traces, by sorting all begins and ends and walking
over them. Traces are in order of time or not; times are often equal, and events nested. Prints the cells that were compared."""
import random, subprocess, sys, tempfile
from decimal import Decimal
from fractions import Fraction

NS = 10 ** 9
cells = 0

def run(*words):
    r = subprocess.run(words, capture_output=True, text=True)
    assert r.returncode == 0 and not r.stderr, (words, r.returncode, r.stderr)
    return [l.split('\t') for l in r.stdout.splitlines()]

def text(v, ticks):
    return str(v) if ticks else '%s%d.%09d' % ('-' if v < 0 else '', abs(v) // NS, abs(v) % NS)

# An event: time, duration or None, place, name.
def events(r, ticks):
    n, scale = r.choice([1, 3, 10, 40, 200]), 10 ** r.randrange(1, 10 if ticks else 13)
    low = 0 if ticks else r.choice([0, -scale // 2, -scale])
    by = r.choice([1, max(1, scale // 20)])
    def dur():
        return r.choice([None, 0, 1, by, r.randrange(1 + scale // 50), r.randrange(1 + scale // 3), scale, 3 * scale]) \
            if r.random() < .8 else r.randrange(1 + scale // n)
    ev = [(r.randrange(low, low + scale) // by * by, dur(), 'l%d' % r.randrange(3), 'abc'[r.randrange(3)]) for _ in range(n)]
    ev[0] = (ev[0][0], scale // 3 or 1, *ev[0][2:3], 'a')
    order = r.choice(['begin', 'end', 'none'])
    if order == 'begin': ev.sort(key=lambda v: v[0])
    if order == 'end': ev.sort(key=lambda v: v[0] + (v[1] or 0))
    return ev, scale

def line(v, ticks):
    return '\t'.join([text(v[0], ticks), v[2], v[3], '-', '1', '-' if v[1] is None else text(v[1], ticks)]) + '\n'

# The sum of the times, the greatest number at once and the time with one, of events from b to e. Ends are exclusive.
def walk(ev, b, e):
    steps = []
    for t, d, *_ in ev:
        lo, hi = max(t, b), min(t + (d or 0), e)
        if lo < hi: steps += [(lo, 1), (hi, -1)]
    now = most = area = busy = 0
    last = None
    for t, by in sorted(steps):  # at equal times ends come first
        if now:
            area += now * (t - last)
            busy += t - last
        now, last = now + by, t
        most = max(most, now)
    return area, most, busy

def near(cell, v, why):
    assert abs(Fraction(Decimal(cell)) - v) <= v / 100000, (cell, float(v), why)

def check(ev, got, window, step, origin, keys, ticks, why):
    global cells
    of = lambda v: tuple({'loc': v[2], 'event': v[3]}[k] for k in keys)
    names = sorted({of(v) for v in ev})
    if not window:
        first, last = min(v[0] for v in ev), max(v[0] + (v[1] or 0) for v in ev)
        rows = [(first, last, k) for k in names]
    else:
        lasts = [(v[0], max(v[0] + 1, v[0] + (v[1] or 0))) for v in ev]
        first = (min(b for b, _ in lasts) - window - origin) // step * step + origin
        starts = range(first, max(e for _, e in lasts), step)
        used = [b for b in starts if any(lo < b + window and hi > b for lo, hi in lasts)]
        rows = [(b, b + window, k) for b in starts if used[0] <= b <= used[-1] for k in names]
    assert len(got) - 1 == len(rows), (why, len(got), len(rows))
    for g, (b, e, k) in zip(got[1:], rows):
        mine = [v for v in ev if of(v) == k]
        area, most, busy = walk(mine, b, e)
        count = sum(b <= v[0] < e for v in mine) if window else len(mine)
        assert g[:-6] == ([text(b, ticks)] if window else []) + list(k), (why, g, b, k)
        assert g[-6:-4] == [str(count), str(most)], (why, g, count, most)
        near(g[-4], Fraction(area, e - b), (why, g, b))
        near(g[-3], Fraction(busy, e - b), (why, g, b))
        assert Fraction(Decimal(g[-2])) == Fraction(len(mine) if not window else count, len(ev)) or abs(
            Fraction(Decimal(g[-2])) - Fraction(count, len(ev))) < Fraction(1, 10 ** 5), (why, g)
        near(g[-1], 2 * Fraction(area, e - b), (why, g, b))
        cells += 6

def main(n, seed):
    with tempfile.TemporaryDirectory() as d:
        path = d + '/t'
        for i in range(n):
            r = random.Random(seed * 1000003 + i)
            ticks = r.random() < .3
            ev, scale = events(r, ticks)
            with open(path, 'w') as f:
                if ticks: f.write('##spoor\t1\n##clock\tticks\n#time\tloc\tevent\taddr\tsize\tdur\targs\n')
                f.write(''.join(line(v, ticks) for v in ev))
                if ticks: f.write('##end\tevents=%d\n' % len(ev))
            ask = ['trace-stats', '-a', 'count,depth_most,depth,busy,share,x = depth * 2']
            keys = r.choice([[], ['event'], ['loc', 'event']])
            ask += ['-g', ','.join(keys)] if keys else []
            few = r.random() < .3
            kept = [v for v in ev if v[3] == 'a'] if few else ev
            ask += ['-e', 'a'] if few else []
            window = step = origin = 0
            if r.random() < .7:
                pane = max(1, scale // r.choice([1, 3, 10, 50])) + r.choice([0, 0, 1, 2])
                step, window = r.choice([(1, 1), (1, 1), (1, 2), (2, 5), (3, 4)])
                step, window = step * pane, window * pane
                ask += ['-w', text(window, ticks) + '/' + text(step, ticks)]
                if r.random() < .3:
                    origin = r.randrange(scale)
                    ask += ['--origin=' + text(origin, ticks)]
                elif r.random() < .3:
                    origin = min(v[0] for v in kept)
                    ask += ['--from-first']
            if not any(v[1] is not None for v in kept): continue
            if not window and not any(v[1] for v in kept) : continue
            check(kept, run(*ask, path), window, step, origin, keys, ticks, (seed, i, ask))
            check(kept, run(*ask, '-j', '3', '--tune', 'worth=64', path), window, step, origin, keys, ticks, (seed, i, ask))
            if r.random() < .3:
                check(kept, run(*ask, '--by-time', path), window, step, origin, keys, ticks, (seed, i, ask))
    print(cells, 'cells')

main(int(sys.argv[1]), int(sys.argv[2]))
