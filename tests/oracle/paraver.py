#!/usr/bin/env python3
"""What trace-export -T paraver writes, held against the text stream of the same trace.

    paraver.py BIN FILE DIR

A converter without thought for speed: every open event is looked at for each record. Numbers
of types and values stand for nothing: records are compared by their names. BIN is the folder
of the programs.
"""
import re
import subprocess
import sys


def whole(s):
    m = re.fullmatch(r'(-?\d+)\.(\d{9})', s)
    if m:
        return int(m[1] + m[2])
    return int(s, 0) if re.fullmatch(r'-?(\d+|0x[0-9a-f]+)', s) else None


def names(folder):
    """Type -> name, and type -> value -> name."""
    types, values, at, part = {}, {}, [], None
    for line in open(folder + '/trace.pcf', encoding='latin1').read().split('\n'):
        if line in ('EVENT_TYPE', 'VALUES', ''):
            at = [] if line == 'EVENT_TYPE' else at
            part = line or None
        elif part == 'EVENT_TYPE':
            _, number, name = line.split(' ', 2)
            assert int(number) not in types
            types[int(number)] = name
            at.append(int(number))
        elif part == 'VALUES':
            number, name = line.split(' ', 1)
            for t in at:
                assert values.setdefault(t, {}).setdefault(int(number), name) == name
    return types, values


def rows(folder):
    parts = {}
    for level, text in re.findall(r'LEVEL (\w+) SIZE \d+\n((?:.+\n)*)', open(folder + '/trace.row', encoding='latin1').read()):
        parts[level] = text.split('\n')[:-1]
    for level, n in re.findall(r'LEVEL (\w+) SIZE (\d+)', open(folder + '/trace.row', encoding='latin1').read()):
        assert len(parts[level]) == int(n)
    return parts['TASK'], parts['THREAD']


def records(folder):
    """The length, and (task, thread, time, [(type, value)])."""
    types, values = names(folder)
    tasks, threads = rows(folder)
    lines = open(folder + '/trace.prv', encoding='latin1').read().split('\n')
    assert lines.pop() == ''
    m = re.fullmatch(r'#Paraver \(01/01/70 at 00:00\):(\d+)_ns:0:1:(\d+)\((.*)\)', lines[0])
    sizes = [int(s.split(':')[0]) for s in m[3].split(',') if s]
    assert len(sizes) == int(m[2]) == len(tasks) and sum(sizes) == len(threads)
    assert all(s.endswith(':1') for s in m[3].split(',') if s)
    out, last = [], 0
    for line in lines[1:]:
        n = [int(f) for f in line.split(':')]
        assert n[:3] == [2, 0, 1] and 1 <= n[4] <= sizes[n[3] - 1] and last <= n[5] <= int(m[1])
        last = n[5]
        pairs = []
        for t, v in zip(n[6::2], n[7::2]):
            # State and moment have their names in common.
            name = values.get(1 if t == 2 else t, {}).get(v)
            pairs.append((types[t], name if name is not None else v))
        out.append((tasks[n[3] - 1], threads[sum(sizes[:n[3] - 1]) + n[4] - 1], last, pairs))
    return int(m[1]), out, tasks, threads, sizes


def state_names(bin):
    """Long names of ovni's states by their events, as the table of trace-filter --events has them."""
    p = subprocess.run([bin + '/trace-filter', '--events', '-f', 'ovni'], stdout=subprocess.PIPE)
    rows = [line.split('\t') for line in p.stdout.decode().split('\n')[1:-1]]
    return {r[1]: re.sub(r'\.(enter|execute|resume)$', '', r[3]) for r in rows if r[4] != 'leave'}


class Lane:
    def __init__(self, name):
        self.name, self.open, self.begin = name, [], None


def lane_of(lanes, place, begin, end):
    """Where the event nests: the first lane in which it does."""
    for i in range(1000):
        if i == len(lanes):
            lanes.append(Lane(place if not i else '%s (%d)' % (place, i + 1)))
        lane = lanes[i]
        if lane.begin is not None and begin < lane.begin:
            continue
        lane.open = [o for o in lane.open if o[0] > begin]
        if all(o[0] >= end for o in lane.open):
            lane.begin = begin
            return lane


def expected(bin, path):
    p = subprocess.run([bin + '/trace-merge', '-t', '-H', '-O', 'durations', path],
                       stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    states = state_names(bin)
    fmt, parts, ticks, out, lanes, waiting, length, shift = '-', [], '', [], {}, [], 0, None
    for line in p.stdout.decode('latin1').split('\n')[:-1]:
        m = re.match(r'##(\w+)\t(.*)', line)
        if m:
            fmt = m[2] if m[1] == 'format' else fmt
            parts = m[2].split('/') if m[1] == 'loc' else parts
            ticks = ' (ticks)' if m[1] == 'clock' and 'ticks' in m[2] else ticks
            continue
        if line.startswith('#'):
            continue
        c = line.split('\t')
        process, _, last = c[1].rpartition('/')
        level = c[1].count('/')
        place = (parts[level] + ' ' if level < len(parts) else '') + last
        inner, process = process, (process or fmt) + ticks
        # A rank, and what has no other part, is a task.
        if not inner or parts[level:] and parts[level] == 'rank':
            process = (inner + ticks + '/' if inner else '') + place
        time = whole(c[0])
        shift = max(0, -time) if shift is None else shift
        begin = time + shift
        end = begin + whole(c[5]) if c[5] != '-' else begin
        length = max(length, end)
        here = lanes.setdefault((process, place), [Lane(place)])
        lane = here[0] if c[5] == '-' else lane_of(here, place, begin, end)
        while waiting and min(w[0] for w in waiting) <= begin:
            out.append(ended(waiting))
        name = states.get(c[2], c[2])
        pairs, met = [('moment' if c[5] == '-' else 'state', name)], set()
        for k, v in [('addr', c[3]), ('size', c[4])]:
            pairs += [(k, v)] if v != '-' else []
        for arg in c[6:]:
            k, _, v = arg.partition('=')
            pairs += [('arg.' + k if k in ('time', 'loc', 'event', 'addr', 'size', 'dur', 'end') else k, v)] if k not in met else []
            met.add(k)
        out.append((process, lane.name, begin, pairs))
        if c[5] != '-':
            lane.open.append((end, name))
            waiting.append((end, len(out), process, lane.name, name))
    while waiting:
        out.append(ended(waiting))
    return length, out, lanes


def ended(waiting):
    """The record of the next end: what is still open around it in its lane."""
    w = min(waiting, key=lambda w: (w[0], -w[1]))
    waiting.remove(w)
    around = [o for o in waiting if o[2:4] == w[2:4]]
    return w[2], w[3], w[0], [('state', max(around, key=lambda o: o[1])[4] if around else '0')]


def key(name):
    return [(48, int(s)) if s.isdigit() else (ord(s), 0) for s in re.findall(r'\d+|\D', name)]


bin, path, folder = sys.argv[1:]
length, want, lanes = expected(bin, path)
got_length, got, tasks, threads, sizes = records(folder)
assert length == got_length, (length, got_length)
assert len(want) == len(got), (len(want), len(got))
for w, g in zip(want, got):
    assert w[:3] == g[:3], (w, g)
    pairs = [p for p in w[3] if whole(p[1]) is None or whole(p[1]) < 1 << 63]
    assert [p[0] for p in pairs] == [p[0] for p in g[3]], (w, g)
    for (_, text), (_, v) in zip(pairs, g[3]):
        assert text == v or whole(text) == v, (w, g)
# Rows are in the order of their names.
assert tasks == sorted(tasks, key=key), tasks
at = 0
for task, n in zip(tasks, sizes):
    of = [lane.name for name in sorted((p[1] for p in lanes if p[0] == task), key=key) for lane in lanes[task, name]]
    assert threads[at:at + n] == of, (threads[at:at + n], of)
    at += n
print('%d records' % len(got))
