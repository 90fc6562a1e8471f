#!/usr/bin/env python3
"""plot_ends.py BIN SEED N: trace-plot and trace-report of BIN, which are built with sanitizers, over N random
traces with numbers at their ends, lanes around their bounds, and any options: they end by themselves, with
status 0, 1 or 2, and no sanitizer says a word. So do merges of the partials.
"""
import random
import subprocess
import sys

bin_, seed, n = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
r = random.Random(seed)
MOST = 2**63 - 1


def text(v):
    return '%s%d.%09d' % ('-' if v < 0 else '', abs(v) // 10**9, abs(v) % 10**9)


def time():
    return r.choice([MOST, MOST - 1, -MOST - 1, -MOST, 0, 1, -1, MOST // 2, -MOST // 2, MOST - r.randrange(1000),
                     -MOST + r.randrange(1000), r.randrange(-MOST, MOST), r.randrange(10**10)])


def whole():
    return r.choice([0, 1, 512, 4096, 2**63 - 1, 2**63, 2**64 - 1, r.randrange(5000), r.randrange(2**64)])


def trace():
    locs, events = r.choice([1, 2, 63, 64, 65, 127, 128, 129, 319, 320, 321, 400, 1023, 1024, 1025, 1300]), r.choice([1, 2, 9, 65, 130, 330])
    n, same, ticks = r.choice([1, 2, 3, 20, 500, 2 * locs]), r.choice([None, time()]), r.random() < .3
    show = (lambda v: str(v % 2**64)) if ticks else text
    maybe = lambda v: '-' if r.random() < .1 else v
    ev = sorted(((time() if same is None else same) for _ in range(n)), key=(lambda t: t % 2**64) if ticks else None)
    if r.random() < .3: r.shuffle(ev)
    lines = ['\t'.join((show(t), 'l%d' % (i % locs if r.random() < .8 else r.randrange(locs)),
                        '%s%d' % (r.choice(['R', 'W', 'read', 'MPI_Send']), r.randrange(events)), maybe(str(whole())),
                        maybe(str(whole())), maybe(show(r.choice([0, 1, 10**9, MOST - 1, MOST, r.randrange(MOST)])))))
             for i, t in enumerate(ev)]
    if ticks: lines = ['##spoor\t1', '##clock\tticks', *lines, '##end\tevents=%d' % n]
    return '\n'.join(lines) + '\n'


OPTIONS = {
    'rate': ['-g loc', '-g prev.time', '-a count', '-a sum(size)', '--colours 1'],
    'heat': ['-y size', '-y dur', '-y addr', '-y time', '-a sum(size)', '-a sum(dur)', '--linear y', '--linear yz'],
    'timeline': ['-g loc', '-g size', '-y event', '--linear z', '--colours 2'],
    'hist': ['-y size', '-y dur', '-y addr', '-g loc', '--linear x', '--colours 3'],
    'matrix': ['-g prev.time', '-g size', '-y event', '-a sum(dur)', '-a sum(size)', '--linear z'],
    'addr': [],
    'flame': ['-g loc', '-g dur', '-y loc'],
}


def run(what, data, binary):
    try:
        p = subprocess.run(what, input=data if binary else data.encode(), capture_output=True, timeout=60)
    except subprocess.TimeoutExpired:
        sys.exit('seed %d: it does not end: %s\n%s' % (seed, what, data))
    if p.returncode not in (0, 1, 2) or b'runtime error' in p.stderr or b'Sanitizer' in p.stderr:
        sys.exit('seed %d: %s\n%s\n%s' % (seed, what, p.stderr.decode(errors='replace')[-2000:], data))
    return p


kinds = 0
for i in range(n):
    kind = r.choice(list(OPTIONS) + ['report'])
    cut = [o for s, t in (('--from', time()), ('--to', time())) if r.random() < .2 for o in (s, text(t))]
    if kind == 'report':
        run([bin_ + '/trace-report', *r.choice([[], ['--terminal']]), *cut], trace(), False)
        continue
    chosen = {o.split()[0]: o.split() for o in r.sample(OPTIONS[kind], min(len(OPTIONS[kind]), r.randrange(3)))}
    way = r.choice(['-p', '--bins', '--terminal --width 40', '--terminal --width 500', '--size 400x200', '--size 2000x300', ''])
    p = run([bin_ + '/trace-plot', kind, *(w for o in chosen.values() for w in o), *way.split(), *cut], trace(), False)
    kinds += p.returncode == 0
    if way == '-p' and p.returncode == 0:
        run([bin_ + '/trace-plot', kind, '-m', *r.choice([[], ['--bins'], ['--terminal']])], p.stdout, True)
assert kinds > n // 3, kinds
print(n, 'traces drawn')
