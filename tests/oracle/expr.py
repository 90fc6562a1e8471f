#!/usr/bin/env python3
"""expr.py - a slow evaluator of expressions, written from the documents alone, to hold the programs against.

usage: expr.py filter EXPR < STREAM             the lines that match
       expr.py values [-k KEYS] LIST < STREAM   a line of values for each event, as trace-filter -F
       expr.py derive [-k KEYS] NAME=EXPR... < STREAM

STREAM is a text stream with header. An expression that is none ends it with status 2.

Where the documents leave something open, this is the choice:
  - The text of a field in len, part, base, lower, sub and relations with texts is as the stream writes it;
    that of a computed number is as it is written out: 1.500 has five bytes, coalesce(x, 0) of it has three.
  - hash takes the value: 2.000 hashes as 2, 0x10 as 16.
  - min and max of a text are absent, as arithmetic is.
  - A plain operand that is a text, where a time is wanted (if, coalesce beside a time), is absent.
  - The result of lower is a text, even if it looks like a number.
  - A running sum begins at the whole number 0, so that even one decimal becomes a real.
"""
import re
import sys
from fractions import Fraction

import values as v
from events import COLUMNS, Stream
from functions import Functions, Node
from syntax import Refused, constant, parse, parse_list
from values import Time

NUMERIC = ("time", "dur", "end", "addr", "size")
UNITS = {"time": "time", "dur": "time", "end": "time", "gap": "time", "addr": "number", "size": "number",
         "nth": "number", "event": "text", "loc": "text"}


class Compiler(Functions):
    """Trees to functions. units: the units of names that are defined."""

    def __init__(self, ticks, units=()):
        self.ticks, self.units, self.totals = ticks, dict(units), []
        self.keeps = set()  # names whose values keep the text that was made
        self.needs_clock = False

    # Values.

    def value(self, t, string="field"):
        kind, place = t[0], t[1]
        if kind == "paren":
            return self.value(t[2])
        if kind == "word":
            return self.word(t[2], place)
        if kind == "string":
            return self.field(t[2]) if string == "field" else self.quoted(t[2])
        if kind == "sum":
            return self.sum(place, t[2], self.value(t[3]), self.value(t[4]))
        if kind == "call":
            return self.call(place, t[2], t[3])
        test = self.test(t)
        return Node("plain", lambda e: int(test(e)))

    @staticmethod
    def quoted(s):
        b = s.encode("latin-1")
        return Node("text", lambda e: b)

    def const(self, unit, x):
        if unit == "time":
            if self.ticks:
                self.needs_clock = True
            return Node("time", lambda e: Time(x))
        # As it is computed with.
        y = float(x) if isinstance(x, int) and v.fits(x) is None else x
        n = Node(unit, lambda e: y)
        n.compared = lambda e: x
        return n

    def word(self, w, place):
        c = constant(w)
        if c:
            return self.const(*c)
        if w.endswith("?") and not re.search(r"[*?\[]", w[:-1]):
            test = self.present(w[:-1])
            return Node("plain", lambda e: int(test(e)))
        if w.startswith("prev."):
            name = w[5:]
            return Node(self.unit(name), lambda e: e.prev.value(name) if e.prev else None,
                        made=(lambda e: e.prev.kept.get(name) if e.prev else None) if name in self.keeps else None)
        return self.field(w)

    def unit(self, name):
        return self.units.get(name) or UNITS.get(name, "plain")

    def field(self, name):
        def text(e):
            if name not in e.names:
                return e.text(name)
            raw = e.raw_names[name]
            return None if raw is None else v.string(raw)

        n = Node(self.unit(name), lambda e: e.value(name), text, name,
                 (lambda e: e.kept.get(name)) if name in self.keeps else None)

        def compared(e):
            x = n.complete(e)
            return v.compared(text(e)) if isinstance(x, float) and name not in self.units else x

        n.compared = compared
        return n

    def present(self, name):
        if name.startswith("prev."):
            return lambda e: e.prev is not None and e.prev.value(name[5:]) is not None
        return lambda e: e.value(name) is not None

    def sum(self, place, op, a, b):
        ua, ub = a.unit, b.unit
        if "text" in (ua, ub):
            raise Refused(place, "arithmetic on a text")
        times = (ua == "time") + (ub == "time")
        ticks = self.ticks
        if times == 0:
            unit = "plain" if ua == ub == "plain" else "number"
            return self.binary(unit, a, b, lambda x, y: v.number(op, x, y))
        if times == 2:
            if op == "*":
                raise Refused(place, "time by time")
            def both(x, y):
                if isinstance(x, Time) and isinstance(y, Time):
                    return v.both_times(op, x.n, y.n)
                if op == "/":
                    x, y = (float(z.n if isinstance(z, Time) else z) for z in (x, y))
                    return None if y == 0 else x / y
                if isinstance(x, Time) or isinstance(y, Time):
                    return v.beside(op, x, y, ticks)
                return v.number(op, x, y)

            return self.binary("number" if op in ("/", "//") else "time", a, b, both)
        if op in ("+", "-", "%", "//") and "plain" in (ua, ub):
            def beside(x, y):
                return v.beside(op, x, y, ticks)

            return self.binary("number" if op == "//" else "time", a, b, beside)
        if op in ("+", "-", "%"):
            raise Refused(place, "two units")
        unit = "time" if ua == "time" or op == "*" else "number"

        def scaled(x, y):
            if isinstance(x, Time):
                return v.time_scaled(op, x.n, y)
            if not isinstance(y, Time):  # a part of a tick
                return v.number(op, x, y)
            return v.time_scaled(op, y.n, x) if op == "*" else v.over_time(op, x, y.n, ticks)

        return self.binary(unit, a, b, scaled)

    @staticmethod
    def binary(unit, a, b, f):
        def get(e):
            x, y = a.get(e), b.get(e)
            if x is None or y is None or isinstance(x, bytes) or isinstance(y, bytes):
                return None
            return v.inside(f(x, y))

        return Node(unit, get)

    # Tests.

    def test(self, t):
        kind, place = t[0], t[1]
        if kind == "paren":
            return self.test(t[2])
        if kind in ("or", "and"):
            a, b = self.test(t[2]), self.test(t[3])
            return (lambda e: a(e) or b(e)) if kind == "or" else (lambda e: a(e) and b(e))
        if kind == "not":
            a = self.test(t[2])
            return lambda e: not a(e)
        if kind == "rel":
            return self.relation(place, t[2], t[3], t[4])
        if kind == "in":
            return self.among(place, *t[2:])
        if kind == "call":
            n = self.value(t)

            def true(e):
                x = n.complete(e)
                return x is not None and not isinstance(x, bytes) and (x.n if isinstance(x, Time) else x) != 0

            return true
        if kind == "sum":
            raise Refused(place, "a test is expected")
        return self.event_named(t[2], kind == "word")

    def event_named(self, w, pattern):
        if pattern and w.endswith("?") and not re.search(r"[*?\[]", w[:-1]):
            return self.present(w[:-1])
        b = w.encode("latin-1")
        if pattern and re.search(r"[*?\[]", w):
            return lambda e: v.glob(b, e.text("event"))
        return lambda e: e.text("event") == b

    @staticmethod
    def plain_field(t):
        """The name of a field that stands alone, in no parentheses."""
        if t[0] == "string":
            return t[2]
        if t[0] == "word" and not constant(t[2]) and not t[2].startswith("prev."):
            return t[2] if t[2] != "nth" else None
        return None

    def right(self, t, computed):
        """("const", unit, value, word), ("text", bytes, quoted) or a Node."""
        if t[0] == "string":
            return "text", t[2].encode("latin-1"), True
        if t[0] == "word":
            c = constant(t[2])
            if c:
                return ("const", *c, t[2].encode("latin-1"))
            if not computed and not t[2].startswith("prev."):
                return "text", t[2].encode("latin-1"), False
        return self.value(t)

    def relation(self, place, op, left, right):
        name = self.plain_field(left)
        if op in ("~", "!~"):
            if right[0] not in ("word", "string"):
                raise Refused(right[1], "a regular expression is expected")
            n = self.value(left)
            return self.matches(op, n.own_text if name is not None else n.text, right)
        known = name in self.units
        computed = name is None or name in NUMERIC or known
        r = self.right(right, computed)
        if name is not None and not known and isinstance(r, tuple):
            return self.old_test(place, op, name, r)
        return self.computed(place, op, self.value(left), r)

    def matches(self, op, text, right):
        try:
            pattern = v.ere(right[2].encode("latin-1"))
        except re.error:
            raise Refused(right[1], "no regular expression") from None

        def get(e):
            t = text(e)
            return t is not None and (pattern.search(t) is not None) == (op == "~")

        return get

    def computed(self, place, op, a, r):
        """A relation of two values; a quoted text is held against the text of the value."""
        if isinstance(r, tuple) and r[0] == "text":
            if op == "&":
                return lambda e: False
            b = r[1]

            def get(e):
                t = a.text(e)
                return t is not None and v.holds(op, v.compare(t, b))

            return get
        b = self.const(r[1], r[2]) if isinstance(r, tuple) else r
        if {a.unit, b.unit} == {"time", "number"}:
            raise Refused(place, "two units")
        timed = "time" in (a.unit, b.unit)
        ticks = self.ticks

        def norm(x):
            if isinstance(x, Time):
                return x.n
            if timed and not ticks and not isinstance(x, bytes):
                return Fraction(x) * v.NS
            return x

        def both(e):
            x, y = a.compared(e), b.compared(e)
            if x is None or y is None:
                return False
            if op == "&":
                return common(x, y)
            return v.holds(op, v.compare(norm(x), norm(y)))

        return both

    def among(self, place, no, left, items):
        name = self.plain_field(left)
        computed = name is None or name in NUMERIC
        tests = []
        for low, high in items:
            if high is None:
                tests.append(self.relation(place, "=", left, low))
                continue
            ends = [self.right(x, computed) for x in (low, high)]
            if all(isinstance(x, tuple) for x in ends):
                if ends[0][0] != ends[1][0]:
                    raise Refused(place, "a number and a word")
                if ends[0][0] == "const" and ends[0][2] > ends[1][2]:
                    raise Refused(place, "the range is empty")
            a, b = self.relation(place, ">=", left, low), self.relation(place, "<=", left, high)
            tests.append(lambda e, a=a, b=b: a(e) and b(e))
        if not no:
            return lambda e: any(t(e) for t in tests)
        # Absent on either side: false.
        sides = [self.value(left)]
        for x in [x for item in items for x in item if x]:
            r = self.right(x, computed)
            if isinstance(r, Node):
                sides.append(r)
        return lambda e: all(n.complete(e) is not None for n in sides) and not any(t(e) for t in tests)

    # A field against a constant or a word, as trace-filter(1) has it.

    def old_test(self, place, op, name, r):
        if name in NUMERIC:
            if r[0] == "text":
                raise Refused(place, "not a number")
            if {UNITS[name], r[1]} == {"time", "number"}:
                raise Refused(place, "another unit")
            return self.computed(place, op, self.field(name), r)
        text = self.field(name).own_text
        if r[0] == "text" and not r[2] and op in ("<", "<=", ">", ">="):
            raise Refused(place, "the order with a word")
        if r[0] == "text" or name in ("event", "loc"):
            return self.old_text(op, text, r[1] if r[0] == "text" else r[3])
        _, unit, c, word = r
        if unit == "time":
            self.const(unit, c)
            c = Fraction(c, v.NS)

        def get(e):
            t = text(e)
            if t is None:
                return False
            x = v.compared(t)
            if op == "&":
                return word in t.split(b",") if isinstance(x, bytes) else common(x, c)
            return v.holds(op, v.compare(x, c))

        return get

    @staticmethod
    def old_text(op, text, b):
        def get(e):
            t = text(e)
            if t is None:
                return False
            return b in t.split(b",") if op == "&" else v.holds(op, v.compare(t, b))

        return get


def common(x, y):
    """Whether two whole numbers have a bit in common."""
    if isinstance(x, bytes) or isinstance(y, bytes) or x != int(x) or y != int(y):
        return False
    return v.bits(int(x)) & v.bits(int(y)) != 0


def rounded(x):
    """To nine decimals, halves away from 0."""
    return v.exact(Fraction(v.nearest(Fraction(x) * v.NS), v.NS))


OLD = re.compile(rb"(-?)(?:0x([0-9a-fA-F]+)|([0-9]+(?:\.[0-9]+)?)(?:[eE]([+-]?[0-9]+))?)\Z")


def old_number(t):
    """The number that a test compares a text with: rounded to nine decimals, up to 2^64-1; or None.

    More texts are numbers here than in a computation: 1E3 and -0x1f. It always was so.
    """
    m = OLD.match(t)
    if not m or abs(int(m[4] or 0)) > 400:
        return None
    x = Fraction(int(m[2], 16)) if m[2] else Fraction(m[3].decode()) * Fraction(10) ** int(m[4] or 0)
    x = Fraction(rounded(x))
    return None if x >= 2**64 else -x if m[1] else x


class Run:
    """Expressions over the events of a stream, in their order, with the state of each key."""

    def __init__(self, stream, keys="loc"):
        self.stream = stream
        self.keys = [self.item(*k) for k in parse_list(keys)] if keys.strip() else []
        self.compiler = Compiler(stream.ticks)

    def item(self, name, tree, compiler=None):
        """(name, function from an event to the bytes of its value)."""
        compiler = compiler or Compiler(self.stream.ticks)
        n = compiler.value(tree)
        if n.plain:
            return name, lambda e: b"-" if e.written(n.plain) is None else e.written(n.plain)
        return name, lambda e: written(n, e)

    def each(self):
        """Every event in turn, with the one before, its number, and its running sums as they are asked for."""
        states = {}
        totals = self.compiler.totals
        for e in self.stream.events:
            key = tuple(k[1](e) for k in self.keys)
            s = states.setdefault(key, {"prev": None, "sums": [None] * len(totals)})
            e.prev, e.names, e.raw_names, e.kept, done = s["prev"], {}, {}, {}, set()
            e.nth = 1 + (e.prev.nth if e.prev else 0)

            def total(i, e=e, sums=s["sums"], done=done):
                if i not in done:
                    done.add(i)
                    x = totals[i].complete(e)
                    if x is not None and not isinstance(x, bytes):
                        sums[i] = add(sums[i], x)
                return sums[i]

            e.total = total
            yield e
            # Whatever the test came to: all events count.
            for i in range(len(totals)):
                total(i)
            s["prev"] = e
            e.prev = e.total = None

    def filter(self, text):
        test = self.compiler.test(parse(text))
        if self.compiler.needs_clock:
            return []
        return [e.line for e in self.each() if test(e)]

    def values(self, text):
        items = [self.item(name, tree, self.compiler)[1] for name, tree in parse_list(text)]
        if self.compiler.needs_clock:
            return []
        return [b"\t".join(f(e) for f in items) for e in self.each()]

    def derive(self, definitions):
        nodes, dropped = [], set()
        for d in definitions:
            name, _, text = d.partition("=")
            if not text.strip():
                dropped.add(name.encode("latin-1"))
                continue
            tree = parse(text)
            # A definition may look at its own last value: its unit is that of the first try.
            first = Compiler(self.stream.ticks, self.compiler.units)
            first.keeps = set(self.compiler.keeps)
            n = first.value(tree)
            self.compiler.units[name] = n.unit
            self.compiler.keeps.discard(name)
            if n.made:
                self.compiler.keeps.add(name)
            nodes.append((name, self.compiler.value(tree)))
        return [self.derived(e, nodes, dropped) for e in self.each()]

    def derived(self, e, nodes, dropped):
        raw, args = dict(e.raw), [a for a in e.args if a[0] not in dropped]
        for name, n in nodes:
            # A field alone is written as it stands, but for an address, which becomes a number.
            x = n.complete(e)
            b = written(n, e)
            if n.made:
                e.kept[name] = n.made(e)
            else:
                e.kept.pop(name, None)
            if n.plain and n.plain != "addr" and x is not None:
                b = e.raw_names[n.plain] if n.plain in e.names else e.written(n.plain)
            e.names[name], e.raw_names[name] = x, None if x is None else b
            if name in COLUMNS:
                raw[name] = b
                continue
            key = name.encode("latin-1")
            if x is not None and key in dict(args):
                args[[k for k, _ in args].index(key)] = key, b
            else:
                args = [a for a in args if a[0] != key] + [(key, b)] * (x is not None)
        return b"\t".join([raw[c] for c in COLUMNS] + [n + b"=" + x for n, x in args])


def written(n, e):
    """A value as it is written out."""
    if n.made:
        t = n.made(e)
        return b"-" if t is None else v.write_string(t)
    return v.write(n.complete(e), e.stream.ticks)


def add(s, x):
    if s is None:
        s = Time(0) if isinstance(x, Time) else 0
    if isinstance(x, Time) and isinstance(s, Time):
        return Time(s.n + x.n)
    if isinstance(x, Time) or isinstance(s, Time):  # a part of a tick
        return v.beside("+", s, x, True)
    return v.number("+", s, x)


def main(argv):
    what, rest, keys = argv[1], argv[2:], "loc"
    if rest and rest[0] == "-k":
        keys, rest = rest[1], rest[2:]
    try:
        run = Run(Stream(sys.stdin.buffer.read()), keys)
        if what == "derive":
            lines = run.derive(rest)
        else:
            lines = run.filter(rest[0]) if what == "filter" else run.values(rest[0])
    except Refused as r:
        sys.stderr.write("expr.py: %s\n" % r)
        return 2
    sys.stdout.buffer.write(b"".join(x + b"\n" for x in lines))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
