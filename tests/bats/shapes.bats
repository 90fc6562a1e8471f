#!/usr/bin/env bats
# trace-stats --wide, --long, cdf: the same numbers as the plain table and as a few lines of Python, in
# another shape.
load ../helpers

setup() {
	enter
	cat > shapes.py <<'EOF'
import csv, io, json, random, subprocess
from collections import Counter
def run(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout
def rows(text):
    return [l.split('\t') for l in text.lstrip('#').split('\n')[:-1] if not l.startswith('#')]
def ratio(part, whole):  # six decimals, of less than 0.1 six digits, a half up, without zeros at the end
    d = 6
    while 0 < part * 10**d < whole * 10**5: d += 1
    text = f'{(2 * part * 10**d + whole) // (2 * whole)}'.zfill(d + 1)
    return f'{text[:-d]}.{text[-d:]}'.rstrip('0').rstrip('.')
def parts(n, *words):
    for k in range(1, n + 1):
        run('trace-stats', '-p', *words[:-1], '--chunk', f'{k}/{n}', '-o', f'part.{k}', words[-1])
    return [f'part.{k}' for k in range(n, 0, -1)]
def same_forms(text, *words):  # CSV and JSON hold what the lines with TABs do
    table = rows(text)
    got = list(csv.reader(io.StringIO(run('trace-stats', '--csv', *words)), strict=True))
    assert got == [table[0]] + [['' if c == '-' else c for c in r] for r in table[1:]], words
    def js(c):
        if c == '-': return None
        try: return json.loads(c)
        except ValueError: return c
    assert json.loads(run('trace-stats', '-J', *words)) == [dict(zip(table[0], map(js, r))) for r in table[1:]], words
random.seed(9)
events = []
with open('s', 'w') as f:
    t = 0
    for i in range(2000):
        t += random.choice((0, 1, 1, 5, 400)) * 10**6
        loc, event = random.choice(('3', '20', 'x', '-')), random.choice('RRRWT')
        if event == 'T' and loc != 'x': event = 'W'
        size = random.choice((0, 1, 512, 4096, random.randrange(10**6)))
        events.append((t, loc, event, size))
        f.write(f'{t // 10**9}.{t % 10**9:09d}\t{loc}\t{event}\t-\t{size}\t-\tx={random.choice(("1.5", "1", "-7", "0x10", "abc", "2.0", "-0.25"))}\n')
EOF
}

@test "--wide is the plain table turned: keys, windows, several aggregates, empty ones" {
	cat > t.py <<'EOF'
from shapes import *
for keys, wide in ('event', 'event'), ('event,loc', 'event'), ('event,loc', 'loc'), ('loc,event,x', 'event'):
    for aggs in 'count', 'count,sum(size),p50,p99(size)', 'share':
        for window in [], ['-w', '300ms'], ['-w', '1s/500ms'], ['-w', '2s', '--no-empty']:
            q = ['-g', keys, '-a', aggs] + window
            plain = rows(run('trace-stats', *q, 's'))
            names, w = plain[0], len(window) > 0
            at = names.index(wide)
            others = [i for i in range(w + keys.count(',') + 1) if i != at]
            first = w + keys.count(',') + 1
            order = {'3': 0, '20': 1, '-': 10}  # numbers, texts, nothing
            values = sorted({r[at] for r in plain[1:]}, key=lambda v: (order.get(v, 9), v))
            group = {(tuple(r[i] for i in others), r[at]): r[first:] for r in plain[1:]}
            nothing = {'count': '0', 'share': '0'}
            heads = [v if first + 1 == len(names) else f'{n}_{v}' for n in names[first:] for v in values]
            want = [[names[i] for i in others] + heads]
            seen = set()
            for r in plain[1:]:
                k = tuple(r[i] for i in others)
                if k in seen: continue
                seen.add(k)
                cell = lambda v, j: group[k, v][j] if (k, v) in group else nothing.get(names[first + j], '-')
                want.append(list(k) + [cell(v, j) for j in range(len(names) - first) for v in values])
            got = run('trace-stats', *q, '--wide', wide, 's')
            # The rows of other keys stand in the order of these.
            assert rows(got)[0] == want[0], (q, wide, rows(got)[0], want[0])
            assert sorted(rows(got)[1:]) == sorted(want[1:]), (q, wide)
            if at == first - 1: assert rows(got) == want, (q, wide)
            assert run('trace-stats', '-m', '--wide', wide, *parts(3, *q, 's')) == got, (q, wide)
            assert run('trace-stats', '--tune', 'worth=1000',  '-j', '3', *q, '--wide', wide, 's') == got
            same_forms(got, *q, '--wide', wide, 's')
            by = heads[-1]
            down = run('trace-stats', *q, '--wide', wide, '-S', '-' + by, '--head', '3', 's')
            top = sorted(rows(got)[1:], key=lambda r: -float(r[-1]) if r[-1] != '-' else 1)[:3]
            assert [r[-1] for r in rows(down)[1:]] == [r[-1] for r in top], (q, wide)
EOF
	python3 t.py
}

@test "hist and cdf as rows: every value and share, with keys and windows, and any split" {
	cat > t.py <<'EOF'
from shapes import *
def size_rows(which, key, window, low):
    groups = {}
    for t, loc, event, size in events:
        k = ((t // window * window) if window else None, event if key else None)
        groups.setdefault(k, Counter())[low(size)] += 1
    out = []
    for k in sorted(groups, key=lambda k: (k[0] or 0, k[1] or '')):
        head = ([f'{k[0] // 10**9}.{k[0] % 10**9:09d}'] if window else []) + ([k[1]] if key else [])
        total, sum = groups[k].total(), 0
        for v in sorted(groups[k]):
            sum += groups[k][v]
            out.append(head + [str(v), str(groups[k][v])] + ([ratio(sum, total)] if which == 'cdf' else []))
    return out
for which, agg, low in (('hist', 'hist(size)', lambda v: 1 << v.bit_length() - 1 if v else 0),
                        ('hist', 'hist(size,5K)', lambda v: v // 5120 * 5120), ('cdf', 'cdf(size)', lambda v: v)):
    for key in [], ['-g', 'event']:
        for window in 0, 10**9:
            q = [*key, '-a', agg] + (['-w', '1s'] if window else [])
            got = run('trace-stats', *q, '--long', 's')
            t = rows(got)
            assert t[0] == ['window'] * bool(window) + ['event'] * bool(key) + (['value', 'count', 'share'] if which == 'cdf' else ['low', 'count'])
            want = size_rows(which, key, window, low)
            if which == 'hist' or len(want) < 384:
                assert t[1:] == want, (q, [x for x in zip(t[1:], want) if x[0] != x[1]][:3])
            else:  # of many values some are written: the share that is not above each is exact
                shares = {tuple(r[:-3]): {} for r in want}
                for r in want: shares[tuple(r[:-3])][int(r[-3])] = r[-1]
                for r in t[1:]:
                    known = shares[tuple(r[:-3])]
                    v = max(v for v in known if v <= int(r[-3]))
                    assert known[v] == r[-1], (q, r)
                    assert int(r[-3]) - v <= v / 128, (q, r, v)
                assert {tuple(r[:-3]) for r in t[1:]} == set(shares)
            assert run('trace-stats', '-m', '--long', *parts(4, *q, 's')) == got, q
            assert run('trace-stats', '--tune', 'worth=1000',  '-j', '3', *q, '--long', 's') == got
            same_forms(got, *q, '--long', 's')
            # One line has the same steps.
            for r in rows(run('trace-stats', *q, 's'))[1:]:
                steps = [x for x in t[1:] if x[:len(r) - 1] == r[:-1]]
                text = ','.join(f'{x[len(r) - 1]}:{x[-1]}' for x in steps) or '-'
                assert r[-1] == text, (q, r)
EOF
	python3 t.py
}
