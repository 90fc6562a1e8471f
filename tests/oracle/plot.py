#!/usr/bin/env python3
# plot.py - what trace-plot should draw, found in another way: two passes and a sweep.
#   plot.py fold N SEED   N random traces with negative times and outliers: --bins of rate and of timeline
#   plot.py tables N SEED N random traces, with the tables as trace-plot(1) tells how to compute them: states
#                         that nest, meet or come in any order, ticks, equal times, absent columns, many names
#   plot.py kinds N SEED  N random traces: --bins of all kinds that take events, of parts and with threads too
#   plot.py area SVG BINS EVENTS
#                         the paths of a timeline of these events cover what its table says
import os, random, re, subprocess, sys, tempfile
from collections import defaultdict

def ns(t):
    neg, t = t.startswith('-'), t.lstrip('-')
    s, _, f = t.partition('.')
    v = int(s) * 10**9 + int((f + '0' * 9)[:9])
    return -v if neg else v

def text(v):
    return '%s%d.%09d' % ('-' if v < 0 else '', abs(v) // 10**9, abs(v) % 10**9)

def table(kind, data, *options, group='event'):
    options += ('-g', group) if group else ()
    r = subprocess.run(['trace-plot', kind, '--bins', *options], input=data, capture_output=True, text=True)
    if r.returncode > 1: sys.exit('status %d: %s' % (r.returncode, r.stderr))
    return [l.split('\t') for l in r.stdout.splitlines()[1:]]

# Steps of rate in ns: 1 and 5 of each power of ten; of seconds, minutes, hours and days those that people use.
PEOPLE = [d * 10 ** k for k in range(9) for d in (1, 5)]
PEOPLE += [s * 10 ** 9 for s in (1, 5, 15, 30, 60, 300, 900, 1800, 3600, 10800, 21600, 43200)]
PEOPLE += [d * 10 ** k * 86400 * 10 ** 9 for k in range(4) for d in (1, 5)]

def width(rows, rate=False):
    w = {ns(r[1]) - ns(r[0]) for r in rows}
    assert len(w) == 1, w
    w = w.pop()
    assert (w in PEOPLE if rate else w & (w - 1) == 0) and all(ns(r[0]) % w == 0 for r in rows)
    return w

# No more than 1024 steps, and of the width before there would be more; 4096 of rate.
def narrow(w, first, last, rate=False):
    most = 4096 if rate else 1024
    less = PEOPLE[PEOPLE.index(w) - 1] if rate else w // 2
    assert last // w - first // w < most
    assert w == 1 or last // less - first // less >= most, (w, first, last)

def fold(n, seed):
    for k in range(n):
        r = random.Random(seed * 1000 + k)
        scale = 10 ** r.randrange(1, 15)
        ev = []
        for i in range(r.randrange(1, 60)):
            t = r.randrange(-scale, scale) if r.random() < .98 else r.randrange(-100 * scale, 100 * scale)
            d = r.choice([0, 1, r.randrange(scale), r.randrange(1 + scale // 100)])
            ev.append((t, r.randrange(3), r.randrange(4), r.randrange(1 << 30), d))
        data = ''.join('%s\tl%d\te%d\t-\t%d\t%s\n' % (text(t), l, e, s, text(d)) for t, l, e, s, d in ev)
        rows = table('rate', data)
        w, want = width(rows, True), defaultdict(lambda: [0, 0])
        narrow(w, min(e[0] for e in ev), max(e[0] for e in ev), True)
        for t, l, e, s, d in ev:
            c = want[t // w, 'e%d' % e]
            c[0] += 1
            c[1] += s
        got = {(ns(q[0]) // w, q[2]): [int(q[3]), int(q[4])] for q in rows}
        assert got == dict(want), ('rate', k)
        shown = sorted(ev, key=lambda e: e[0]) if k % 2 else ev
        ev = sorted(shown, key=lambda e: (e[0], -e[4]))
        data = ''.join('%s\tl%d\te%d\t-\t%d\t%s\n' % (text(t), l, e, s, text(d)) for t, l, e, s, d in shown)
        rows = table('timeline', data)
        if not rows:
            assert all(e[4] == 0 for e in ev)
            continue
        w, want = width(rows), defaultdict(int)
        lasts = [e for e in ev if e[4]]
        narrow(w, min(e[0] for e in ev), max(max(e[0] for e in ev), max(e[0] + e[4] - 1 for e in lasts)))
        # Between two times at which anything begins or ends, the state that began last holds.
        for l in range(3):
            mine = [e for e in lasts if e[1] == l]
            cuts = sorted({x for e in mine for x in (e[0], e[0] + e[4])})
            for a, z in zip(cuts, cuts[1:]):
                on = [e for e in mine if e[0] <= a < e[0] + e[4]]
                while on and a < z:
                    to = min(z, (a // w + 1) * w)
                    if z - a > 4 * w and a % w == 0:
                        for i in range(a // w, z // w):
                            want[i, 'l%d' % l, 'e%d' % on[-1][2]] += w
                        a = z // w * w
                        continue
                    want[a // w, 'l%d' % l, 'e%d' % on[-1][2]] += to - a
                    a = to
        got = {(ns(q[0]) // w, q[2], q[3]): ns(q[4]) for q in rows}
        assert got == dict(want), ('timeline', k)
    print(n, 'traces are right')

# A value's row: `parts` of them to each power of two, each as wide as the others on a logarithmic axis.
def row(v, parts):
    if v < parts: return v, v + 1
    i = (v ** parts).bit_length() - 1
    return tuple(min(first(parts, k), 2**64 - 1) for k in (i, i + 1))

# The first whole number that is not below 2^(i / parts).
def first(parts, i):
    low, high = 0, 1 << i // parts + 1
    while low < high:
        v = (low + high) // 2
        low, high = (low, v) if v ** parts >= 2 ** i else (v + 1, high)
    return low

# By location and state, and by stack: how long it is the innermost; and how often the stack begins. Also whether
# more than a hundredth of all, and most of those that begin within another one, end after it: no stacks.
def innermost(ev, key):
    inside = crossing = 0
    runs, at, alone, count = defaultdict(list), defaultdict(int), defaultdict(int), defaultdict(int)
    # Whatever their order, of those that begin together the longer one is around the shorter one.
    for i, (t, l, e, s, d) in sorted(enumerate(ev), key=lambda x: (x[1][0], -(x[1][4] or 0), x[0])):
        if d: runs[l].append((t, i, t + d, key(e)))
    for l, run in runs.items():
        stack, k = {}, 0
        cuts = sorted({x for s in run for x in (s[0], s[2])})
        for a, z in zip(cuts, cuts[1:]):
            while k < len(run) and run[k][0] == a:
                on = [s for s in run[:k] if s[2] > a]
                stack[run[k]] = (stack[on[-1]] if on else ()) + (run[k][3],)
                if len(on) == 32 or len(stack[run[k]]) > 64: return None
                count[stack[run[k]]] += 1
                inside += len(on) > 0
                crossing += len(on) > 0 and on[-1][2] < run[k][2]
                k += 1
            on = [s for s in run[:k] if s[2] > a]
            if on:
                at[l, on[-1][3]] += z - a
                alone[stack[on[-1]]] += z - a
    return at, {p: (n, alone[p], sum(v for q, v in alone.items() if q[:len(p)] == p)) for p, n in count.items()}, \
        crossing > sum(count.values()) // 100 and crossing > inside // 2

def tables(n, seed):
    refused = 0
    for k in range(n):
        r = random.Random(seed * 1000 + k)
        scale, ticks, sort = 10 ** r.randrange(1, 12), k % 3 == 1, k % 4 != 3
        names, locs = r.choice([2, 8, 8, 600]), r.randrange(1, 5)
        ev, absent = [], lambda v: r.choice([None, v, v, v])
        for i in range(r.choice([1, 40, 40, 700])):
            t = r.randrange(scale, 2 * scale) if k % 5 else scale + i // 20
            d = absent(r.choice([0, 1, r.randrange(1 + scale // 50), r.randrange(1 + scale // 5)]))
            # Of one length they overlap, and are no stacks.
            if k % 8 == 6: d = 1 + scale // 50
            ev.append((t, 'l%d' % r.randrange(locs), 'e%d' % r.randrange(names), absent(r.randrange(1 << r.randrange(64))), d))
        if sort: ev.sort(key=lambda e: e[0])
        show, read = (str, int) if ticks else (text, ns)
        line = lambda e: '%s\t%s\t%s\t-\t%s\t%s\n' % (show(e[0]), e[1], e[2], '-' if e[3] is None else e[3], '-' if e[4] is None else show(e[4]))
        data = ''.join(map(line, ev))
        if ticks: data = '##spoor\t1\n##clock\tticks\n%s##end\tevents=%d\n' % (data, len(ev))
        told = list(dict.fromkeys(e[2] for e in ev))[:384]
        key = lambda e: e if e in told else '(others)'
        for y, c in ('size', 3), ('dur', 4):
            value, want, low = (int if c == 3 else read), defaultdict(int), defaultdict(int)
            for e in ev:
                if e[c] is None: continue
                want[row(e[c], 8) + (key(e[2]),)] += 1
                low[row(e[c], 4)] += 1
            got = {(value(q[0]), value(q[1]), q[2]): int(q[3]) for q in table('hist', data, '-y', y)}
            assert got == dict(want), ('hist', y, k)
            got = defaultdict(int)
            for q in table('heat', data, '-y', y, group=None):
                got[value(q[2]), value(q[3])] += int(q[4])
                at = [e for e in ev if e[c] is not None and read(q[0]) <= e[0] < read(q[1])]
                assert sum(row(e[c], 4)[0] == value(q[2]) for e in at) == int(q[4]), ('heat', y, k)
            assert got == low, ('heat', y, k)
        want = innermost(ev, key)
        if not want or not want[0]: continue
        got = defaultdict(int)
        for q in table('timeline', data): got[q[2], q[3]] += read(q[4])
        assert got == want[0], ('timeline', k)
        got = {tuple(q[0].split(';')): (int(q[1]), read(q[2]), read(q[3])) for q in table('flame', data)}
        assert got == ({} if want[2] else want[1]), ('flame', k)
        refused += want[2]
    assert 0 < refused < n
    print(n, 'traces have the right tables')

# A random trace as (time, loc, event, addr, size, dur), None where an event has none; unit: of its clock.
def trace(r):
    ticks, n = r.random() < .3, r.choice([1, 2, 5, 60, 300])
    scale, big = 10 ** r.randrange(1, 15), r.choice([20, 3000, 1 << 40, (1 << 64) - 1])
    some = r.choice([0, .3, 1])
    def time():
        if ticks: return r.choice([r.randrange(scale), r.randrange(1 << 64)]) if r.random() < .02 else r.randrange(scale)
        if r.random() < .02: return r.randrange(-100 * scale, 100 * scale)
        return r.randrange(-scale, scale) if r.random() < .9 else scale // 2
    def number(): return None if r.random() >= some else r.choice([0, 1, big, r.randrange(big + 1), r.randrange(1 + big // 1000)])
    def dur(): return None if r.random() >= some else r.choice([0, 1, r.randrange(1, scale + 1)])
    base = r.randrange(1 << 62)
    ev = [(time(), 'l%d' % r.randrange(40), r.choice('RWFx'), None if r.random() < .1 else base + r.randrange(1 << 30),
           number(), dur()) for i in range(n)]
    one = (lambda v: '%d' % v) if ticks else text
    def put(v, f): return '-' if v is None else f(v)
    lines = ['\t'.join((one(e[0]), e[1], e[2], put(e[3], str), put(e[4], str), put(e[5], one))) + '\n' for e in ev]
    return ev, '##spoor\t1\n##clock\tticks\n' if ticks else '', lines, one

# The least 2^k of which at most `most` hold first to last.
def least(first, last, most):
    k = 0
    while (last >> k) - (first >> k) >= most: k += 1
    return k

def even_step(v, k): return v >> k << k, min(((v >> k) + 1) << k, 2**64 - 1)

def plot(args, data):
    r = subprocess.run(['trace-plot'] + args, input=data, capture_output=True, text=True)
    if r.returncode > 1: sys.exit('%s: status %d: %s' % (args, r.returncode, r.stderr))
    return r.stdout

# The table that each question should give, as a dictionary of texts; None: status 1.
def wanted(args, ev, one):
    kind, want = args[0], defaultdict(int)
    field = {'size': 4, 'dur': 5}
    def add(d, k, v): d[k] = min(d[k] + v, 2**64 - 1)
    first = min(e[0] for e in ev), max(e[0] for e in ev)
    def step(t, among):
        w = 1 << least(min(among), max(among), 4096 if kind == 'rate' else 1024)
        if kind == 'rate' and one is text: w = next(w for w in PEOPLE if max(among) // w - min(among) // w < 4096)
        end = (t // w + 1) * w
        if one is text: end = min(end, 2**63 - 1)
        else: end = min(end, 2**64 - 1)
        return one(t // w * w), one(end)
    if kind == 'rate':
        for e in ev:
            k = step(e[0], first) + (e[2],)
            want[k + ('n',)] += 1
            want[k + ('b',)] += e[4] or 0
        return {k[:-1]: '%d\t%d' % (want[k[:-1] + ('n',)], want[k[:-1] + ('b',)]) for k in want}
    if kind in ('heat', 'hist'):
        f = args[args.index('-y') + 1]
        # What adds nothing is left out.
        mine = [e for e in ev if e[field[f]] is not None and ('-a' not in args or e[4])]
        vs = [e[field[f]] for e in mine]
        show = one if f == 'dur' else str
        even = '--linear' in args
        k = least(min(vs), max(vs), 256 if kind == 'heat' else 1024) if vs else 0
        for e in mine:
            v = e[field[f]]
            low = even_step(v, k) if even else row(v, 4 if kind == 'heat' else 8)
            low = tuple(map(show, low))
            if kind == 'hist': want[low + (e[2],)] += 1
            else: add(want, step(e[0], first) + ((e[2],) if '-g' in args else ()) + low, (e[4] or 0) if '-a' in args else 1)
        return {k: str(v) for k, v in want.items() if v}
    if kind == 'matrix':
        for e in ev:
            want[e[1], e[2], 'n'] += 1
            add(want, (e[1], e[2], 's'), e[5 if args[2] == 'sum(dur)' else 4] or 0)
        show = one if args[2] == 'sum(dur)' else str
        return {k[:2]: '%d\t%s' % (want[k[:2] + ('n',)], show(want[k[:2] + ('s',)])) for k in want}
    if kind == 'timeline':   # of events that do not last
        for e in ev:
            want[step(e[0], first) + (e[1],)] += 1
        return {k: str(v) for k, v in want.items()}

def kinds(n, seed):
    asked = [['rate'], ['heat', '-y', 'size'], ['heat', '-y', 'dur', '--linear', 'y'], ['heat', '-y', 'dur', '-a', 'sum(size)'],
             ['heat', '-y', 'size', '--linear', 'y'], ['hist', '-y', 'dur'], ['hist', '-y', 'size', '--linear', 'x'],
             ['heat', '-y', 'size', '-g', 'event'], ['heat', '-y', 'dur', '-g', 'event', '--linear', 'y'],
             ['matrix', '-a', 'sum(size)'], ['matrix', '-a', 'sum(dur)'], ['timeline'], ['addr']]
    for i in range(n):
        r = random.Random(seed * 1000 + i)
        ev, head, lines, one = trace(r)
        end = lambda ls: '##end\tevents=%d\n' % len(ls) if head else ''
        data = head + ''.join(lines) + end(lines)
        for args in asked:
            if args[0] == 'timeline' and any(e[5] is not None for e in ev): continue
            out = plot(args + ['--bins'], data)
            if args[0] != 'addr':
                got = {}
                for l in out.splitlines()[1:]:
                    c = l.split('\t')
                    m = {'rate': 3, 'heat': 4, 'hist': 3, 'matrix': 2, 'timeline': 3}[args[0]] + (args[0] == 'heat' and '-g' in args)
                    assert tuple(c[:m]) not in got, (args, l)
                    got[tuple(c[:m])] = '\t'.join(c[m:])
                want = wanted(args, ev, one)
                # Where nothing but zeros is added up the table is its head.
                assert got == want, (args, i, sorted(set(got.items()) ^ set(want.items()))[:6])
            # Any parts, in any order, and any threads: the same bytes.
            with tempfile.TemporaryDirectory() as d:
                parts = [[] for _ in range(r.choice([1, 2, 5]))]
                for l in lines: r.choice(parts).append(l)
                names = []
                for k, p in enumerate(parts):
                    names.append('%s/%d' % (d, k))
                    open(names[-1], 'w').write(plot(args + ['-p'], head + ''.join(p) + end(p)))
                r.shuffle(names)
                assert plot([args[0], '-m', '--bins'] + names, '') == out, ('parts', args, i)
                whole = plot(args, data)
                assert plot([args[0], '-m'] + names, '') == whole, ('parts drawn', args, i)
                joined = plot([args[0], '-m', '-p'] + names[1:], '') if len(names) > 1 else open(names[0]).read()
                open(names[0], 'a').write(joined if len(names) > 1 else '')
                assert plot([args[0], '-m', names[0]], '') == whole, ('parts of parts', args, i)
                if i % 4 == 0 and '##clock' not in head:
                    open(d + '/all', 'w').write(data)
                    a, b = (plot(args + ['--tune', 'worth=1', '-j', j, d + '/all'], '') for j in '13')
                    assert a == b, ('threads', args, i)
    print(n, 'traces are right')

# The area of a path of M, h, v, z only, by the shoelace formula.
# Adds to `high`, by column, how high a path is there.
def path_heights(d, high):
    for part in d.split('M')[1:]:
        tokens = re.findall(r'[hvz]|-?\d+', part)
        x, y, i = int(tokens[0]), int(tokens[1]), 2
        while tokens[i] != 'z':
            v = int(tokens[i + 1])
            if tokens[i] == 'v': y += v
            for c in range(x, x + v) if tokens[i] == 'h' else (): high[c] -= y
            for c in range(x + v, x) if tokens[i] == 'h' else (): high[c] += y
            x += v if tokens[i] == 'h' else 0
            i += 2
        assert x == int(tokens[0]), part

def area(svg, bins, events):
    rows = [l.split('\t') for l in open(bins).read().splitlines()[1:]]
    step, want = width(rows), defaultdict(int)
    for r in rows: want[r[3]] += ns(r[4])
    got, picture = defaultdict(lambda: defaultdict(int)), open(svg).read()
    at = [l.split('\t') for l in open(events).read().splitlines() if l[0] != '#']
    first, last = min(ns(f[0]) for f in at), max(ns(f[0]) + (0 if f[5] == '-' else ns(f[5])) for f in at)
    legend = dict(re.findall(r'class="(c\d)" rx.*\n<text[^>]*>([^<]*)<', picture))
    for window in re.findall(r'<svg x.*?</svg>', picture, re.S):
        for c, d in re.findall(r'class="(c\d)(?: k)?" d="([^"]*)"', window): path_heights(d, got[legend[c]])
    columns = 1 + max(max(g) for g in got.values())
    # A column may be several steps: a power of two of them. It is as high as its share of the time that the picture has.
    w = step
    while -(-last // w) - first // w > columns: w *= 2
    assert set(got) == set(want) and len(want) > 1, (set(got), set(want))
    begin = first // w * w
    for name in want:
        t = sum(h * (min(begin + (c + 1) * w, last) - max(begin + c * w, first)) for c, h in got[name].items()) / 440
        # Each edge of each column is off by half a unit at most.
        assert abs(t - want[name]) <= 8 * (columns + 1) * w / 440, (name, t, want[name])
    print(len(want), 'colours cover what they should')

if __name__ == '__main__':
    if sys.argv[1] == 'fold': fold(int(sys.argv[2]), int(sys.argv[3]))
    elif sys.argv[1] == 'tables': tables(int(sys.argv[2]), int(sys.argv[3]))
    elif sys.argv[1] == 'kinds': kinds(int(sys.argv[2]), int(sys.argv[3]))
    else: area(*sys.argv[2:])
