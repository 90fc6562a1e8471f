#!/usr/bin/env python3
# legends.py - numbers in legends and beside rows of pictures of all kinds, 1 to 8 names, and many sizes: each is one
# that trace-stats gives, with all of its digits and its unit. Sentences that are cut end before a number, or behind
# its unit.
import re, subprocess
from fractions import Fraction as F

LAYOUT = ['-O', 'columns=time=$t event=$e loc=$l dur=$d']
SIZES = '400x260 480x300 640x400 700x330 960x560 1200x300 1920x1080'.split()
UNIT = {'ns': F(1, 10**9), 'us': F(1, 10**6), 'ms': F(1, 1000), 's': 1, 'k': 10**3, 'M': 10**6, '': 1}

def run(*args):
    done = subprocess.run(args, capture_output=True, encoding='utf-8')
    assert done.returncode == 0, (args, done.stderr)
    return done.stdout

# The number is v, rounded to the digits that it has.
def same(text, v, least):
    m = re.fullmatch(r'([0-9][0-9,]*(?:\.[0-9]+)?)(?: (ns|us|ms|s|k|M))?', text)
    assert m, text
    unit, digits = UNIT[m[2] or ''], len(m[1].partition('.')[2])
    shown = F(m[1].replace(',', ''))
    got = v / unit * 10**digits
    return len(m[1].replace(',', '').replace('.', '')) >= least and abs(shown * 10**digits - got) <= F(1, 2) \
        or len(m[1].replace(',', '').replace('.', '')) < least and shown * unit == v

def texts(svg):
    return [(float(x), float(y), c or '', re.sub('<title>[^<]*</title>', '', t)) for x, y, c, t in
            re.findall(r'<text x="([-0-9.]+)" y="([-0-9.]+)"(?: class="([^"]*)")?[^>]*>((?:<title>[^<]*</title>)?[^<]*)', svg)]

# The digits before an ellipsis in a sentence, and a unit without its end.
def whole(text):
    return not re.search(r'[0-9][0-9.,]* ?…|[0-9] [a-zA-Z]{1,2}…', text)

checked = 0
for names in range(1, 9):
    # Durations of four and of seven digits, names of any length, numbers of events up to seven digits.
    events = [(f'event_{k}_' + 'lo' * k * k, 1290000 * (k + 1) + 17 * k) for k in range(names)]
    n = 2000 if names != 3 else 400000
    with open('t.csv', 'w') as f:
        print('t,e,l,d', file=f)
        for i in range(n):
            e, d = events[i * (i % 3 + 1) % names]
            print(f'{i / 100:.2f},{e},place_{i % names + 1000003},{(d + i % 7) / 10**9:.9f}', file=f)
    def stats(key, *what):
        rows = run('trace-stats', *LAYOUT, '-g', key, '-a', ','.join(what), '--csv', 't.csv').splitlines()[1:]
        k = key.count(',') + 1
        return {','.join(r.split(',')[:k]): [F(v) for v in r.split(',')[k:]] for r in rows}
    of, places = stats('event', 'count', 'p50(dur)', 'p99(dur)', 'sum(dur)'), stats('loc', 'count')
    cells = stats('loc,event', 'count')
    for kind in 'hist rate timeline flame matrix heat'.split():
        for size in SIZES:
            svg = run('trace-plot', kind, '--size', size, *LAYOUT, 't.csv')
            found, width = texts(svg), int(size.split('x')[0])
            for x, y, c, t in found:
                assert '…' not in t or not c.endswith('n'), (kind, size, t)
                assert ' ' not in t or whole(t), (kind, size, t)
            for t in re.findall('<title>([^<]*)</title>', svg):
                assert whole(t), t
            if kind == 'hist':
                # Below a name that begins as the event does: its number, or both numbers, then p99.
                x0 = width - 128
                name = None
                for x, y, c, t in found:
                    if abs(x - x0) > .1: continue
                    if c == '':
                        [name] = [e for e in of if e[:8] == t[:8] or e[:7] == t[:7]]
                        continue
                    count, p50, p99, _ = of[name]
                    for part in re.sub(' events?$', '', t).split(' · '):
                        if part.startswith('p50 '): assert same(part[4:], p50, 4), (part, p50)
                        elif part.startswith('p99 '): assert same(part[4:], p99, 4), (part, p99)
                        else: assert F(part.replace(',', '')) == count, (part, count)
                        checked += 1
                # A narrow picture has names alone, below.
                assert name or width < 480
            if kind in ('timeline', 'flame'):
                got = re.findall(r'>([^<>]*)<tspan dx="5" class="s n">([^<]*)<', svg)
                assert len(got) == len(of) or (kind == 'timeline' and width < 480), got
                for e, t in got:
                    [total] = [v[3] for k, v in of.items() if k[:8] == e[:8]]
                    assert same(t, total, 3), (kind, e, t, float(total))
                    checked += 1
            if kind == 'matrix':
                # But for the scale of colours, on the right.
                sums = [t for x, y, c, t in found if c == 't n' and x < max(m[0] for m in found if m[2] == 't n')]
                assert len(sums) >= len(of) or width < 900, size
                for t in sums:
                    assert any(same(t, v[0], 3) for v in [*of.values(), *places.values(), *cells.values()]), t
                checked += len(sums)
            # Nothing is outside of the picture, as far as a character of 12 px has 7.2.
            for x, y, c, t in found:
                if c == 't n' and 'text-anchor' not in svg[svg.find(f'x="{x:g}" y="{y:g}"'):][:60]:
                    assert x + 6 * len(t) <= width + 12, (kind, size, t, x)
assert checked > 500
print(checked, 'numbers are whole')
