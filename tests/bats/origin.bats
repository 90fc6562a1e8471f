#!/usr/bin/env bats
# trace-stats --from-first and --origin: windows that begin elsewhere than at 0, against a few lines of Python.
load ../helpers

setup() {
	enter
	cat > origin.py <<'EOF'
import random, subprocess
def run(*words, **more):
    return subprocess.run(words, check=True, capture_output=True, text=True, **more).stdout
def seconds(ns):
    return f"{'-' if ns < 0 else ''}{abs(ns) // 10**9}.{abs(ns) % 10**9:09d}"
ticks = str
def write(name, events, show):
    with open(name, 'w') as f:
        for t, loc, size in events:
            f.write(f'{show(t)}\t{loc}\tE\t-\t{size}\t-\n')
# The rows count, sum(size), min(time) of windows from `origin` on, by loc or not; empty ones too.
def table(events, show, origin, window, step, key):
    groups = {}
    for t, loc, size in events:
        k = (t - origin) // step
        while t - (origin + k * step) < window:
            groups.setdefault(k, {}).setdefault(loc if key else '', []).append((t, size))
            k -= 1
    locs = sorted({l for g in groups.values() for l in g})
    out = []
    for k in range(min(groups), max(groups) + 1):
        for l in locs:
            g = groups.get(k, {}).get(l, [])
            out.append([show(origin + k * step)] + ([l] if key else []) + [str(len(g)), str(sum(s for t, s in g)) if g else '-', show(min(t for t, s in g)) if g else '-'])
    return out
def got(*words, **more):
    return [l.split('\t') for l in run('trace-stats', *words, **more).split('\n')[1:-1]]
WINDOWS = {seconds: (('1s', 10**9, 10**9), ('700ms/200ms', 7 * 10**8, 2 * 10**8), ('0.123456789', 123456789, 123456789)),
           ticks: (('10', 10, 10), ('7/2', 7, 2), ('1000', 1000, 1000))}
EOF
}

@test "one input: sorted or not, of seconds or ticks, before 0 and far from it, as file, pipe and parts" {
	cat > t.py <<'EOF'
from origin import *
random.seed(11)
for show, begin in (seconds, 5 * 10**9 + 7), (seconds, -3 * 10**9 - 1), (seconds, 2**63 - 10**11), (ticks, 12345), (ticks, 2**64 - 10**5), (ticks, 3):
    unit = 10**7 if show is seconds else 1
    for back in False, True:
        t, events = begin, []
        for i in range(300):
            events.append((t, random.choice('ab'), random.randrange(100)))
            t += random.randrange(6) * unit - (back and t > begin + 60 * unit and random.randrange(8) * unit)
        if back: events.insert(100, (begin - 2, 'a', 10))
        write('s', events, show)
        origin = min(events)[0]
        for w, window, step in WINDOWS[show]:
            for key in [], ['-g', 'loc']:
                q = ['-w', w, '-a', 'count,sum(size),min(time)', *key]
                want = table(events, show, origin, window, step, key)
                assert got('--from-first', *q, 's') == want, (show, begin, back, q, got('--from-first', *q, 's')[:3], want[:3])
                if not back: assert got('--from-first', *q, input=open('s').read()) == want
                assert got('--tune', 'worth=1000', '--from-first', '-j', '3', *q, 's') == want
                # -e chooses the first as well.
                few = [e for e in events if e[2] < 20]
                assert got('--from-first', '-e', 'size < 20', *q, 's') == table(few, show, min(few)[0], window, step, key)
                for at in (origin, origin + 5 * step // 3, origin - 3):
                    if not (-2**63 if show is seconds else 0) <= at: continue
                    want = table(events, show, at, window, step, key)
                    assert got('--origin', show(at), *q, 's') == want, (at, q)
                    for k in 1, 2, 3: run('trace-stats', '-p', '--origin', show(at), *q, '--chunk', f'{k}/3', '-o', f'p{k}', 's')
                    assert got('-m', 'p3', 'p1', 'p2') == want, (at, q)
EOF
	python3 t.py
}

@test "several inputs: the earliest event of all, in any order of theirs and by any threads" {
	cat > t.py <<'EOF'
from origin import *
import itertools, os
random.seed(12)
files = []
for i, begin in enumerate((5 * 10**9, 3 * 10**9 + 250, 4 * 10**9)):
    files.append([(begin + j * 10**8 + random.randrange(10**8), random.choice('ab'), random.randrange(100)) for j in range(40)])
    write(f's{i}', files[-1], seconds)
write('none', [], seconds)
for order in itertools.permutations(range(3)):
    events = [e for i in order for e in files[i]]
    names = [f's{i}' for i in order] + ['none']
    for w, window, step in WINDOWS[seconds]:
        for j in '1', '3':
            q = ['-w', w, '-a', 'count,sum(size),min(time)', '-j', j, '--tune', 'worth=500']
            assert got('--from-first', *q, *names) == table(events, seconds, files[1][0][0], window, step, False)
            few = [e for e in events if e[2] > 70]
            first = min(next(t for t, l, s in f if s > 70) for f in files)
            assert got('--from-first', '-e', 'size > 70', *q, *names) == table(few, seconds, first, window, step, False)
EOF
	python3 t.py
}

@test "gaps, sequential and --wide in windows that count from the first event" {
	awk 'BEGIN { srand(3); for (i = 0; i < 800; i++) { t += int(rand() * 9); n = rand() < .5 ? e : int(rand() * 50) * 512; s = 512 * int(rand() * 4)
		printf "%d.%03d000000\t%d\t%s\t%d\t%d\t-\n", 7 + t / 1000, t % 1000, rand() * 3, rand() < .3 ? "W" : "R", n, s; e = n + s } }' > s
	first=$(trace-stats -a 'min(time)' --no-header s)
	# The same events from 0 on, where the multiples of the step are the same windows.
	awk -v first="$first" 'BEGIN { FS = OFS = "\t" } { $1 = sprintf("%.9f", $1 - first) } 1' s > zero
	for q in '-g event -a count,mean(gap),sequential,footprint(512),p50(size)' '-g event,loc --wide event -a count,sequential'; do
		# shellcheck disable=SC2086
		trace-stats -w 200ms $q zero | awk -v first="$first" 'BEGIN { FS = OFS = "\t" } NR > 1 { $1 = sprintf("%.9f", $1 + first) } 1' > want
		# shellcheck disable=SC2086
		trace-stats -w 200ms --from-first $q s | same - want
		# shellcheck disable=SC2086
		trace-stats --tune worth=1000 -j 3 -w 200ms --from-first $q s | same - want
		wide= && case $q in *wide*) wide='--wide event' ;; esac
		for k in 1 2 3 4; do
			# shellcheck disable=SC2086
			trace-stats -p -w 200ms --origin "$first" ${q/--wide event/} --chunk $k/4 -o p$k s
		done
		# shellcheck disable=SC2086
		trace-stats -m $wide p2 p4 p1 p3 | same - want
	done
}

@test "-A: windows by the clock, of inputs with origins of their own, against Python's datetime" {
	cat > clock.py <<'P'
import datetime, random, subprocess
random.seed(4)
utc = datetime.timezone.utc
EPOCH = datetime.datetime(1970, 1, 1, tzinfo=utc)
for back, window in ((b, w) for b in (0, 1) for w in (3600, 86400, 7200, 1800)):
    names, at = [], []
    for k in range(3):
        origin = random.randrange(10**8, 2**32) * 10**9 + random.choice((0, 123456789))
        if k: origin = first + random.randrange(10**14)
        first = origin
        lines = []
        for _ in range(200):
            t = random.randrange(-back * 10**13, 10**14)
            at.append(origin + t)
            lines.append((t, '%s%d.%09d\t0\tE\t-\t-\t-\n' % ('-' if t < 0 else '', abs(t) // 10**9, abs(t) % 10**9)))
        with open(str(k), 'w') as f:
            f.write('##spoor\t1\n##clock\ts\torigin=%d.%09d\n#time\tloc\tevent\taddr\tsize\tdur\targs\n' % divmod(origin, 10**9))
            f.writelines(l for _, l in lines)
            f.write('##end\tevents=200\n')
        names.append(str(k))
    n = {}
    for ns in at: n[ns // 10**9 // window] = n.get(ns // 10**9 // window, 0) + 1
    want = ''.join('%s\t%d\n' % ((EPOCH + datetime.timedelta(seconds=w * window)).strftime('%Y-%m-%dT%H:%M:%SZ'), n[w]) for w in sorted(n))
    q = ['trace-stats', '-A', '-w', '%ds' % window, '-a', 'count']
    run = lambda *more: subprocess.run([*q, *more], check=True, capture_output=True, text=True).stdout
    assert run('--no-empty', '--no-header', *names) == want
    parts = []
    for k in names:
        open('p' + k, 'w').write(run('--no-empty', '-p', k))
        parts.append('p' + k)
    assert subprocess.run(['trace-stats', '-m', '--no-header', *parts], check=True, capture_output=True, text=True).stdout == want
    assert run('-j', '3', '--no-empty', '--no-header', *names) == want
P
	python3 clock.py
	status_is 2 trace-stats -A -w 1h "$FIX/spc/Financial1-head.spc"
	has "$stderr" 'Financial1-head.spc: -A: the times do not count from a date'
	status_is 2 trace-stats -A -w 1h "$FIX/laplace/three.ref"
	status_is 2 trace-stats -A -a count 0
	has "$stderr" '-A are for windows: add -w'
	# Less than a second, and before 1970.
	printf '##spoor\t1\n##clock\ts\torigin=100000000.000000000\n#time\tloc\tevent\taddr\tsize\tdur\targs\n-100000000.3\t0\tE\t-\t-\t-\n-99999999.9\t0\tE\t-\t-\t-\n##end\tevents=2\n' > t
	trace-stats -A -w 500ms --no-header -a count t | same - <(printf '%s\t1\n' 1969-12-31T23:59:59.500000000Z 1970-01-01T00:00:00.000000000Z)
}
