#!/usr/bin/env python3
"""ends.py SEED N PROGRAM [OPTION...] -- FILE... - --from and --to counted back from the end, N random slices, from the definition:
the end is the greatest of the times that PROGRAM prints, and end-D selects by that time less D. Times are exact decimals. An option
"<" gives the only file as standard input. Prints the number of slices that were compared, and exits with 1 where one differs.
Without arguments each line of standard input has them, with tabs between, and the number is the sum."""
import random, subprocess, sys
from decimal import Decimal

def run(words, stdin):
    r = subprocess.run(words, capture_output=True, stdin=open(stdin) if stdin else subprocess.DEVNULL)
    return r.returncode, [l for l in r.stdout.decode('latin1').splitlines() if l[:1] != '#'], r.stderr.decode('latin1')

def compare(seed, n, program, *rest):
    cut = rest.index('--')
    options, files = list(rest[:cut]), list(rest[cut + 1:])
    stdin = None
    if '<' in options:
        options.remove('<')
        stdin, files = files[0], []
    if program == 'trace-filter':
        files = ['event?'] + files
    random.seed(int(seed))
    base = [program] + options
    whole, lines, _ = run(base + files, stdin)
    times = [Decimal(l.split('\t')[0]) for l in lines]
    if not times:
        return 0
    end, least = max(times), min(times)
    ticks = '.' not in lines[0].split('\t')[0]
    one = Decimal(1) if ticks else Decimal('0.000000001')
    for _ in range(int(n)):
        def amount():
            there = end - random.choice(times)
            some = (end - least) * Decimal(random.random())
            return random.choice([Decimal(0), there, there + one, max(there - one, Decimal(0)), (end - least) * 2 + 1,
                                  Decimal(int(some)) if ticks else round(some, 9)])
        a, b = sorted([amount(), amount()], reverse=True)
        form = random.choice(['from', 'to', 'both'])
        words = []
        if form != 'to':
            words += ['--from', 'end-' + format(a, 'f')]
        if form != 'from':
            words += ['--to', 'end-' + format(b, 'f')]
        want = [l for l, t in zip(lines, times) if (form == 'to' or t >= end - a) and (form == 'from' or t < end - b)]
        status, got, said = run(base + words + files, stdin)
        # What is broken outside of a slice need not be noticed.
        good = [2] if whole == 2 else []
        good += [0 if want or program != 'trace-filter' else 1] if not good or status != 2 else []
        if got != want or status not in good:
            print(base, words, files, 'lines', len(got), 'expected', len(want), 'status', status, said)
            sys.exit(1)
    return int(n)

if len(sys.argv) > 1:
    print(compare(*sys.argv[1:]))
else:
    print(sum(compare(*line.rstrip('\n').split('\t')) for line in sys.stdin))
