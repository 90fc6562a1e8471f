#!/usr/bin/env python3
"""A reader of the Common Trace Format, version 1.8, as far as one stream of packets goes.

    ctf.py print DIR            each event on a line, as babeltrace2 --clock-seconds --no-delta
    ctf.py check BIN FILE DIR   DIR holds the events of the trace FILE, as its text stream has them

Written from the format's specification: the metadata say how the bytes lie. BIN is the folder
of the programs.
"""
import re
import struct
import subprocess
import sys


class Metadata:
    """The types, the clock and the classes of events of a metadata file."""

    def __init__(self, text):
        self.tok = re.findall(r'"(?:\\.|[^"\\])*"|[A-Za-z_]\w*|-?\d+|:=|\.\.\.|[^\s\w]',
                              re.sub(r'/\*.*?\*/', '', text, flags=re.S))
        self.at = 0
        self.types, self.events, self.offset, self.big = {}, {}, 0, None
        while self.at < len(self.tok):
            getattr(self, 'on_' + self.next())()
            self.want(';')

    def next(self):
        self.at += 1
        return self.tok[self.at - 1]

    def want(self, t):
        got = self.next()
        assert got == t, 'metadata: %s where %s is expected' % (got, t)

    def pairs(self):
        """{ name = value; ... }, where a value may be a struct."""
        out = {}
        self.want('{')
        while self.tok[self.at] != '}':
            name = self.next()
            while self.tok[self.at] not in ('=', ':='):
                name += self.next()
            if self.next() == ':=':
                self.want('struct')
                out[name] = self.struct()
            else:
                v = self.next()
                while self.tok[self.at] != ';':
                    v += self.next()
                out[name] = v
            self.want(';')
        self.want('}')
        return out

    def struct(self):
        """Fields: name, type, names of values, name of the length."""
        out = []
        self.want('{')
        while self.tok[self.at] != '}':
            kind, labels, length = self.next(), None, None
            if kind == 'enum':
                self.want(':')
                kind, labels = self.next(), {}
                self.want('{')
                while True:
                    label = unquoted(self.next())
                    self.want('=')
                    low = int(self.next())
                    if self.tok[self.at] == '...':
                        self.next()
                        labels.setdefault(None, []).append((low, int(self.next()), label))
                    else:
                        labels.setdefault(low, []).append(label)
                    if self.next() == '}':
                        break
            name = self.next()
            if self.tok[self.at] == '[':
                self.next()
                length = self.next()
                self.want(']')
            self.want(';')
            assert re.match('[A-Za-z_]', name) and name not in [f[0] for f in out], 'field ' + name
            assert length is None or length in [f[0] for f in out]
            out.append((name, kind, labels, length))
        self.want('}')
        return out

    def on_typealias(self):
        kind = self.next()
        p = self.pairs()
        self.want(':=')
        name = self.next()
        assert p['align'] == '8'
        if kind == 'floating_point':
            assert p['exp_dig'] == '11' and p['mant_dig'] == '53'
            self.types[name] = 'd', False
            return
        code = {'8': 'b', '16': 'h', '32': 'i', '64': 'q'}[p['size']]
        self.types[name] = code if p['signed'] == 'true' else code.upper(), p.get('base') == 'hex'

    def on_trace(self):
        p = self.pairs()
        self.big = {'le': '<', 'be': '>'}[p['byte_order']]
        self.packet = p['packet.header']

    def on_env(self):
        self.env = self.pairs()

    def on_clock(self):
        p = self.pairs()
        assert p['freq'] == '1000000000'
        self.offset = int(p['offset_s']) * 10 ** 9 + int(p['offset'])

    def on_stream(self):
        p = self.pairs()
        self.head, self.context = p['event.header'], p['packet.context']

    def on_event(self):
        p = self.pairs()
        assert int(p['id']) not in self.events
        self.events[int(p['id'])] = unquoted(p['name']), p['fields']


def unquoted(s):
    def one(m):
        return chr(int(m[1], 8)) if m[1][0] in '01234567' else m[1]
    return re.sub(r'\\([0-7]{3}|.)', one, s[1:-1])


class Bytes:
    def __init__(self, meta, b):
        self.meta, self.b, self.at = meta, b, 0

    def scalar(self, kind):
        if kind == 'string':
            end = self.b.index(b'\0', self.at)
            s = self.b[self.at:end]
            self.at = end + 1
            return s.decode('latin1')
        code = self.meta.big + self.meta.types[kind][0]
        v, = struct.unpack_from(code, self.b, self.at)
        self.at += struct.calcsize(code)
        return v

    def struct(self, fields):
        out = {}
        for name, kind, _, length in fields:
            out[name] = [self.scalar(kind) for _ in range(out[length])] if length else self.scalar(kind)
        return out


def events(folder):
    """(ns, name, fields, their values)"""
    with open(folder + '/metadata', 'rb') as f:
        text = f.read().decode('latin1')
    assert text.startswith('/* CTF 1.8 */')
    meta = Metadata(text)
    with open(folder + '/stream', 'rb') as f:
        data = f.read()
    last = 0
    while data:
        r = Bytes(meta, data)
        assert r.struct(meta.packet) == {'magic': 0xc1fc1fc1, 'stream_id': 0}
        c = r.struct(meta.context)
        assert c['content_size'] == c['packet_size'] and c['packet_size'] % 8 == 0
        n = c['packet_size'] // 8
        first, at = True, r.at
        while r.at < n:
            h = r.struct(meta.head)
            assert h['timestamp'] >= last, 'time goes back'
            last = h['timestamp']
            assert not first or last == c['timestamp_begin']
            name, fields = meta.events[h['id']]
            yield last + meta.offset, name, fields, r.struct(fields), meta
            assert r.at - at <= 65536 or first, 'a packet is too large'
            first = False
        assert r.at == n and last == c['timestamp_end'] and not first
        data = data[n:]


def shown(v, kind, labels, meta):
    if isinstance(v, str):
        named = dict(zip('\a\b\t\n\v\f\r\x1b"\\', 'abtnvfre"\\'))
        return '"%s"' % re.sub('[\x01-\x1f\x7f"\\\\]', lambda m: '\\' + named.get(m[0], 'x%02x' % ord(m[0])), v)
    if labels is not None:
        ranges = [s for low, high, s in labels.get(None, []) if low <= v <= high]
        # Each number has its names, or else one range.
        assert len(ranges) == (v not in labels), (v, labels)
        return '( %s : container = %d )' % (' | '.join('"%s"' % s for s in labels.get(v, ranges)), v)
    if isinstance(v, float):
        return '%g' % v
    return '0x%X' % v if meta.types[kind][1] else str(v)


def print_all(folder):
    for ns, name, fields, values, meta in events(folder):
        text = []
        for f, kind, labels, length in fields:
            v = values[f]
            if length:
                s = ', '.join('[%d] = %s' % (i, shown(e, kind, labels, meta)) for i, e in enumerate(v))
                s = '[ %s ]' % s if v else '[ ]'
            else:
                s = shown(v, kind, labels, meta)
            text.append('%s = %s' % (f[1:] if f[0] == '_' else f, s))
        sign, ns = '-' if ns < 0 else '', abs(ns)
        line = '[%s%d.%09d] %s: { %s }' % (sign, ns // 10 ** 9, ns % 10 ** 9, name, ', '.join(text))
        sys.stdout.buffer.write(line.replace('{  }', '{ }').encode('latin1') + b'\n')


def plain(s):
    return re.sub(r'\\x([0-9a-f]{2})', lambda m: chr(int(m[1], 16)), s).replace('\0', '\\x00')


def whole(s):
    """A number or a time in ns; None where it is neither."""
    m = re.fullmatch(r'(-?\d+)\.(\d{9})', s)
    if m:
        return int(m[1] + m[2])
    return int(s, 0) if re.fullmatch(r'-?(\d+|0x[0-9a-f]+)', s) else None


def is_value(text, v, labels):
    if isinstance(v, list):
        return v == [] if text in ('', '""') else len(text.split(',')) == len(v) and all(
            is_value(t, e, labels) for t, e in zip(text.split(','), v))
    if isinstance(v, str):
        return plain(text or '""') == v
    if isinstance(v, float):
        return float(text) == v or v != v
    return plain(text) in labels[v] if labels and v in labels else whole(text) == v


def check(bin, path, folder):
    p = subprocess.run([bin + '/trace-merge', '-t', '-A', '-O', 'durations', path],
                       stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    lines = [s for s in p.stdout.decode('latin1').split('\n')[:-1] if not s.startswith('#')]
    got = list(events(folder))
    assert len(lines) == len(got), '%d events, not %d' % (len(got), len(lines))
    for line, (ns, name, fields, values, _) in zip(lines, got):
        c = line.split('\t')
        want, met = [], set()
        for i, column in ((1, 'loc'), (3, 'addr'), (4, 'size'), (5, 'dur')):
            if c[i] != '-':
                want.append((column, c[i]))
        for arg in c[6:]:
            k, _, v = arg.partition('=')
            if k not in met:
                want.append((plain(k), v))
            met.add(k)
        have = [f for f in fields if f[0] not in [g[3] for g in fields]]
        assert whole(c[0]) == ns and plain(c[2]) == name and len(want) == len(have), '%s: %s' % (line, values)
        for (k, v), (f, _, labels, _) in zip(want, have):
            k = re.sub('[^A-Za-z0-9]', '_', k)
            assert re.fullmatch(r'_(arg_)?%s(_\d+)?' % k, f), (k, f)
            assert is_value(v, values[f], labels), (line, k, values[f])
    print('%d events' % len(got))


if sys.argv[1] == 'print':
    print_all(sys.argv[2])
else:
    check(*sys.argv[2:])
