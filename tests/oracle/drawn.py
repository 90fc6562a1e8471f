#!/usr/bin/env python3
"""What trace-export -T perfetto and -T chrome write, read back and held against the text
stream of the same trace.

    drawn.py BIN FILE...

Written from Perfetto's message definitions and the text stream's page, without the program's
code. Every event must be there once: name, begin, duration, place and arguments. In every
track slices nest. BIN is the folder of the programs.
"""
import collections
import json
import re
import struct
import subprocess
import sys


def messages(b):
    """Yields (field, wire type, value) of a message."""
    p = 0

    def number():
        nonlocal p
        n = shift = 0
        while True:
            c = b[p]
            p += 1
            n |= (c & 127) << shift
            shift += 7
            if c < 128:
                return n

    while p < len(b):
        key = number()
        if key & 7 == 0:
            yield key >> 3, 0, number()
        elif key & 7 == 1:
            yield key >> 3, 1, b[p:p + 8]
            p += 8
        elif key & 7 == 2:
            n = number()
            assert p + n <= len(b), 'a message is cut off'
            yield key >> 3, 2, b[p:p + n]
            p += n
        else:
            raise AssertionError('wire type %d' % (key & 7))


def fields(b):
    d = collections.defaultdict(list)
    for f, _, v in messages(b):
        d[f].append(v)
    return d


def exactly(b, *allowed):
    """The fields of a message that holds each of these once, and no others."""
    d = fields(b)
    assert set(d) <= set(allowed) and all(len(v) == 1 for v in d.values()), 'fields %s' % dict(d)
    return d


def signed(n):
    return n - (1 << 64) if n >> 63 else n


def annotation(b, names):
    d = fields(b)
    if 3 in d:
        v = d[3][0]
    elif 4 in d:
        v = signed(d[4][0])
    elif 5 in d:
        v = struct.unpack('<d', d[5][0])[0]
    else:
        v = d[6][0].decode()
    return names[d[1][0]], v


def perfetto(data):
    """Events (place, name, begin, dur or None, arguments) of a trace."""
    process, track, interned = {}, {}, {2: {}, 3: {}}
    stack, out = collections.defaultdict(list), []
    order = []
    for n, packet in enumerate(fields(data)[1]):
        d = fields(packet)
        if 60 in d:
            t = fields(d[60][0])
            uuid = t[1][0]
            assert uuid not in track, 'a track is described twice'
            if 3 in t:
                p = exactly(t[3][0], 1, 6)
                process[p[1][0]] = p[6][0].decode()
                track[uuid] = None
            elif 4 in t:
                th = exactly(t[4][0], 1, 2, 5)
                track[uuid] = process[th[1][0]], th[5][0].decode()
            elif 8 in t:
                track[uuid] = 'counter', t[2][0].decode()
            else:
                track[uuid] = track[t[5][0]]
                assert t[2][0].decode() == track[uuid][1]
        if 12 in d:
            for f, _, v in messages(d[12][0]):
                m = exactly(v, 1, 2)
                if f in interned:
                    assert m[1][0] not in interned[f]
                    interned[f][m[1][0]] = m[2][0].decode()
        if 11 in d:
            order.append((d[8][0], n, fields(d[11][0])))
    order.sort(key=lambda o: o[:2])
    for time, _, e in order:
        uuid = e[11][0]
        if e[9][0] == 2:
            begun = stack[uuid].pop()
            out.append(begun[:3] + (time - begun[2],) + begun[4:])
            continue
        if e[9][0] == 4:
            continue
        args = [annotation(a, interned[3]) for a in e[4]]
        event = track[uuid], interned[2][e[10][0]], time, None, args
        if e[9][0] == 3:
            out.append(event)
        else:
            stack[uuid].append(event)
    assert not any(stack.values()), 'a slice does not end'
    return out


def chrome(data):
    process, thread, out = {}, {}, []
    lanes = collections.defaultdict(list)

    def ns(t):
        return int(t.replace('.', ''))

    for e in json.loads(data, parse_float=str)['traceEvents']:
        if e['ph'] == 'M' and e['name'] == 'process_name':
            process[e['pid']] = e['args']['name']
        elif e['ph'] == 'M' and e['name'] == 'thread_name':
            name = re.sub(r' \(\d+\)$', '', e['args']['name'])
            thread[e['pid'], e['tid']] = process[e['pid']], name
        elif e['ph'] in 'Xi':
            begin, dur = ns(e['ts']), ns(e['dur']) if e['ph'] == 'X' else None
            args = list(e.get('args', {}).items())
            out.append((thread[e['pid'], e['tid']], e['name'], begin, dur, args))
            if dur is not None:
                lanes[e['pid'], e['tid']].append((begin, begin + dur))
    for lane in lanes.values():
        opened = []
        for begin, end in sorted(lane, key=lambda s: (s[0], -s[1])):
            while opened and opened[-1] <= begin:
                opened.pop()
            assert not opened or end <= opened[-1], 'slices of a lane overlap'
            opened.append(end)
    return out


def plain(s):
    if s == b'""':
        return ''
    s = re.sub(rb'\\x([0-9a-f]{2})', lambda m: bytes([int(m[1], 16)]), s)
    out = ''
    while s:
        for n in range(1, 5):
            try:
                out += s[:n].decode()
                break
            except UnicodeDecodeError:
                continue
        else:
            n = 1
            out += chr(s[0])
        s = s[n:]
    return out


def value(s):
    """An argument's value by its text."""
    text = plain(s)
    if re.fullmatch(r'-?\d+', text) and -2 ** 63 <= int(text) < 2 ** 64:
        return int(text)
    if re.fullmatch(r'0x[0-9a-f]{1,16}', text):
        return int(text, 16)
    if re.fullmatch(r'-?\d+(\.\d+)?(e[+-]?\d+)?', text) and abs(float(text)) != float('inf'):
        v = float(text)
        return int(v) if re.fullmatch(r'-?\d+\.0+', text) else v
    return text


def canonical(args):
    """Arguments that compare: JSON has large integers and some fractions as text."""
    out = []
    for name, v in args:
        # An empty list is a text in a stream.
        if v == []:
            v = ''
        if isinstance(v, str):
            if re.fullmatch(r'-?\d+', v):
                v = int(v)
            elif re.fullmatch(r'0x[0-9a-f]{1,16}', v):
                v = int(v, 16)
            elif re.fullmatch(r'-?\d+(\.\d+)?(e[+-]?\d+)?', v):
                v = float(v)
        out.append((name, v))
    return tuple(out)


def state_names(bin):
    """Long names of ovni's states by their events, as the table of trace-filter --events has them."""
    p = subprocess.run([bin + '/trace-filter', '--events', '-f', 'ovni'], stdout=subprocess.PIPE)
    rows = [line.split('\t') for line in p.stdout.decode().split('\n')[1:-1]]
    return {r[1]: re.sub(r'\.(enter|execute|resume)$', '', r[3]) for r in rows if r[4] != 'leave'}


def events(bin, path):
    """The same of the text stream."""
    long = state_names(bin)
    states = ['-O', 'durations']
    p = subprocess.run([bin + '/trace-filter', '-t', '-H'] + states + ['*', path],
                       stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    parts, fmt, ticks, out = [], '-', '', []
    for line in p.stdout.split(b'\n'):
        if line.startswith(b'##'):
            words = line.decode('latin1')[2:].split('\t')
            m = re.match(r'##(\w+)[ \t]+(.*)', line.decode('latin1'))
            if m and m[1] == 'format':
                fmt = m[2]
            elif m and m[1] == 'loc':
                parts = m[2].split('/')
            elif m and m[1] == 'clock' and 'ticks' in m[2]:
                ticks = ' (ticks)'
            continue
        if not line or line.startswith(b'#'):
            continue
        c = line.split(b'\t')
        loc = c[1].decode('latin1')
        proc, _, last = loc.rpartition('/')
        level = loc.count('/')
        thread = (parts[level] + ' ' if level < len(parts) else '') + last
        proc = (proc or fmt) + ticks
        ns = (lambda t: int(t)) if ticks else (lambda t: int(t.replace(b'.', b'')))
        args = []
        for name, v in (b'addr', c[3]), (b'size', c[4]):
            if v != b'-':
                args.append((name.decode(), value(v)))
        seen = set()
        for a in c[6:]:
            name, _, v = a.partition(b'=')
            name = plain(name)
            if name in seen:
                continue
            seen.add(name)
            if name in ('time', 'loc', 'event', 'addr', 'size', 'dur', 'end'):
                name = 'arg.' + name
            args.append((name, value(v)))
        dur = None if c[5] == b'-' else ns(c[5])
        place = plain(proc.encode('latin1')), plain(thread.encode('latin1'))
        name = plain(c[2])
        out.append((place, long.get(name, name), ns(c[0]), dur, args))
    return out


def check(bin, path):
    for target, read in ('perfetto', perfetto), ('chrome', chrome):
        want = events(bin, path)
        p = subprocess.run([bin + '/trace-export', '-O', 'durations', '-T', target, path],
                           stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        got = read(p.stdout)
        least = min([w[2] for w in want], default=0)
        want = [w[:2] + (w[2] - min(least, 0),) + w[3:] for w in want
                if w[3] is None or w[3] >= 0]
        # A reader takes times of 63 bits.
        want = [w for w in want if w[2] + (w[3] or 0) < 1 << 63]
        got = collections.Counter(g[:4] + (canonical(g[4]),) for g in got)
        want = collections.Counter(w[:4] + (canonical(w[4]),) for w in want)
        for e in list((got - want).elements())[:3]:
            print('%s: %s: should not be there: %r' % (path, target, e))
        for e in list((want - got).elements())[:3]:
            print('%s: %s: is missing: %r' % (path, target, e))
        assert got == want, 'they differ'
        print('%s: %s: %d events' % (path, target, sum(got.values())))


if __name__ == '__main__':
    for path in sys.argv[2:]:
        check(sys.argv[1], path)
