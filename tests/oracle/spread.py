#!/usr/bin/env python3
"""spread.py N SEED - --spread of trace-stats -w and of trace-plot rate, on N random traces, from the definition: of an amount
q of an event from t to t + d, the window from b to e has floor(q (min(e, t + d) - t) / d) - floor(q (max(b, t) - t) / d).
All windows are tried for each event. A count is 10^9 parts. Prints the cells that were compared."""
import os, random, subprocess, sys, tempfile
from collections import defaultdict
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

def parts(v):  # a number of 10^-9
    s = '%d.%09d' % divmod(v, NS)
    return s.rstrip('0').rstrip('.')

# An event: time, duration or None, place, name, size or None, x or None.
def share(ev, q, b, e):
    t, d = ev[0], ev[1] or 0
    if d <= 0: return q if b <= t < e else None
    if e <= t or t + d <= b: return None
    return q * (min(e, t + d) - t) // d - q * (max(b, t) - t) // d

def events(r, ticks):
    scale = 10 ** r.randrange(2, 10 if ticks else 13)
    def dur():
        return r.choice([None, 0, 1, r.randrange(1 + scale // 50), r.randrange(1, 1 + scale // 3), scale])
    def amount():
        return r.choice([None, 0, 1, 7, r.randrange(10 ** 6), r.randrange(2 ** 64), 2 ** 64 - 1])
    low = 0 if ticks else r.choice([0, -scale // 2, -scale])
    ev = [(r.randrange(low, low + scale), dur(), 'l%d' % r.randrange(3), 'abc'[r.randrange(3)], amount(), amount())
          for i in range(r.randrange(1, 40))]
    ev[0] = (*ev[0][:3], 'a', 5, 5) if ev[0][1] else (ev[0][0], scale, 'l0', 'a', 5, 5)  # each field is there
    if r.random() < .4:  # many begin and end where windows do
        by = max(1, scale // 50)
        ev = [(v[0] // by * by, v[1] and v[1] // by * by, *v[2:]) for v in ev]
    if r.random() < .6: ev.sort(key=lambda v: v[0])
    return ev, scale

def line(v, ticks):
    t, d, loc, name, size, x = v
    return '\t'.join([text(t, ticks), loc, name, '-', '-' if size is None else str(size), '-' if d is None else text(d, ticks)] +
                     ([] if x is None else ['x=%d' % x])) + '\n'

# The rows of trace-stats, by a window's begin and its keys: sums of count, size, dur, x, b (events of that name) and size % 1000.
def table(ev, keys, window, step, origin):
    sums = defaultdict(lambda: [0, None, None, None, 0, None])
    first = min(v[0] for v in ev) - window
    last = max(v[0] + max(v[1] or 0, 1) for v in ev)
    w = (first - origin) // step * step + origin
    starts = []
    while w < last:
        starts.append(w)
        w += step
    for v in ev:
        key = tuple({'loc': v[2], 'event': v[3]}[k] for k in keys)
        for b in starts:
            n = share(v, NS, b, b + window)
            if n is None: continue
            to = sums[b, key]
            to[0] += n
            to[4] += n if v[3] == 'b' else 0
            for i, q in ((1, v[4]), (2, v[1]), (3, v[5]), (5, None if v[4] is None else v[4] % 1000)):
                if q is not None: to[i] = (to[i] or 0) + share(v, q, b, b + window)
    used = [b for b, _ in sums]
    names = sorted({k for _, k in sums})
    return [(b, k, sums[b, k] if (b, k) in sums else [0, None, None, None, 0, None])
            for b in starts if min(used) <= b <= max(used) for k in names]

def stats(r, ev, ticks, scale, path):
    global cells
    pane = max(1, scale // r.choice([1, 3, 10, 50])) + r.choice([0, 0, 1, 2])
    step, window = r.choice([(1, 1), (1, 1), (1, 1), (1, 2), (2, 5), (3, 4)])
    step, window = step * pane, window * pane
    keys = r.choice([[], ['event'], ['loc', 'event']])
    few = r.random() < .3
    kept = [v for v in ev if v[3] != 'c'] if few else ev
    if not kept: return
    origin = 0
    ask = ['-w', text(window, ticks) + ('/' + text(step, ticks) if step != window or r.random() < .5 else '')]
    ask += ['-a', 'count,sum(size),sum(dur),sum(x),count(if(b, 1)),sum(size % 1000),rate,rate(size)']
    ask += ['-g', ','.join(keys)] if keys else []
    from_first = False
    if r.random() < .3:
        origin = r.randrange(scale)
        ask += ['--origin=' + text(origin, ticks)]
    elif r.random() < .3:
        origin, from_first = min(v[0] for v in kept), True
    only = ['-e', 'not c'] if few else []
    rows = table(kept, keys, window, step, origin)
    size = window if ticks else Fraction(window, NS)
    want = []
    for b, k, (n, s, d, x, nb, m) in rows:
        number = lambda v: '-' if v is None else str(v)
        want.append(([text(b, ticks), *k, parts(n), number(s), '-' if d is None else text(d, ticks), number(x), parts(nb), number(m)],
                     [Fraction(n, NS) / size, Fraction(s or 0) / size]))
    middle = r.randrange(len(ev) + 1)
    for name, part in ('1', ev[:middle]), ('2', ev[middle:]):
        with open(path + name, 'w') as f:
            f.write(''.join(line(v, ticks) for v in part))
    def check(got):
        global cells
        assert len(got) - 1 == len(want), (len(got), len(want), ask)
        for g, (exact, near) in zip(got[1:], want):
            assert g[:len(exact)] == exact, (ask, g, exact)
            for cell, v in zip(g[len(exact):], near):
                assert (cell == '-') == (v is None), (ask, g, near)
                assert v is None or abs(Fraction(Decimal(cell)) - v) <= v / 100000, (ask, g, [float(v or 0) for v in near])
                cells += 1
            cells += len(exact)
    first = ['--from-first'] if from_first else []
    whole = ['trace-stats', '--spread', *ask, *only]
    check(run(*whole, *first, path))
    check(run(*whole, *first, '-j', '3', '--tune', 'worth=64', path))
    # Two inputs: the order of time within one is not asked for.
    check(run(*whole, *first, path + '1', path + '2'))
    if not from_first:
        for k in '123':
            run(*whole, '-p', '--chunk', k + '/3', '-o', path + 'p' + k, path)
        check(run('trace-stats', '-m', *(path + 'p' + k for k in '312')))
    if window == step:
        # Exactly what there is without windows.
        total = run('trace-stats', '-a', 'count,sum(size),sum(dur),sum(x)', *only, path)[1]
        sums = [sum(v[2][i] or 0 for v in rows) for i in range(4)]
        assert [Decimal(t if t != '-' else 0) for t in total] == [
            Decimal(sums[0]) / NS, sums[1], Decimal(sums[2]) / (1 if ticks else NS), sums[3]], (total, sums)

def exact(s, ticks):
    if ticks: return int(s)
    v = Decimal(s) * NS
    assert v == int(v)
    return int(v)

def plot(r, ev, ticks, scale, path):
    global cells
    step = ['--step', text(max(1, scale // r.choice([3, 20, 300])), ticks)] if r.random() < .6 else []
    key = r.choice(['event', 'loc'])
    few = r.random() < .3
    kept = [v for v in ev if v[3] != 'c'] if few else ev
    if not kept: return
    only = ['-e', 'not c'] if few else []
    whole = ['trace-plot', 'rate', '--spread', '-g', key, *step, *only]
    rows = run(*whole, '--bins', path)[1:]
    assert rows
    got = {}
    for b, e, name, n, s in rows:
        b, e = exact(b, ticks), exact(e, ticks)
        assert (b, name) not in got
        got[b, name] = (n, s)
        width = e - b
    # The first and the last event are in the bins, and all of a width.
    first, last = min(v[0] for v in kept), max(v[0] + max(v[1] or 0, 1) for v in kept) - 1
    want = defaultdict(lambda: [0, 0])
    for v in kept:
        for i in range(v[0] // width, (v[0] + max(v[1] or 0, 1) - 1) // width + 1):
            to = want[i * width, v[2] if key == 'loc' else v[3]]
            to[0] += share(v, NS, i * width, (i + 1) * width)
            to[1] += share(v, v[4] or 0, i * width, (i + 1) * width)
    want = {k: (parts(n), str(s)) for k, (n, s) in want.items() if n or s}
    assert got == want, (whole, {k: (got.get(k), want.get(k)) for k in got.keys() | want.keys() if got.get(k) != want.get(k)})
    assert last // width - first // width < 4096 and sum(Decimal(n) for n, s in got.values()) == len(kept)
    assert sum(int(s) for n, s in got.values()) == sum(v[4] or 0 for v in kept)
    cells += 2 * len(got)
    assert run(*whole, '--bins', '-j', '3', '--tune', 'worth=64', path)[1:] == rows
    for k in '123':
        run(*whole, '-p', '--chunk', k + '/3', '-o', path + 'q' + k, path)
    merged = run('trace-plot', 'rate', '-m', '--bins', *(path + 'q' + k for k in '231'))[1:]
    assert merged == rows, (whole, merged[:5], rows[:5])
    # trace-stats says the same of the same windows.
    if len(got) < 3000 and width < 2 ** 62:
        same = run('trace-stats', '--spread', '--no-empty', '-w', text(width, ticks), '-g', key, '-a', 'count,sum(size)', *only, path)[1:]
        same = [(exact(b, ticks), name, n, '0' if s == '-' else s) for b, name, n, s in same if n != '0' or s not in '-0']
        assert same == sorted((b, name, n, s) for (b, name), (n, s) in got.items()), (whole, width)

def main(n, seed):
    with tempfile.TemporaryDirectory() as d:
        path = os.path.join(d, 't')
        for i in range(n):
            r = random.Random(seed * 1000003 + i)
            ticks = r.random() < .3
            ev, scale = events(r, ticks)
            with open(path, 'w') as f:
                f.write(''.join(line(v, ticks) for v in ev))
            stats(r, ev, ticks, scale, path)
            plot(r, ev, ticks, scale, path)
    print(cells, 'cells')

main(int(sys.argv[1]), int(sys.argv[2]))
