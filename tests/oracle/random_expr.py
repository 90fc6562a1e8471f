#!/usr/bin/env python3
"""random_expr.py - random expressions that are legal, with fields and constants that suit a stream.

usage: random_expr.py N SEED STREAM     prints N lines: "test" or "value", a TAB, the expression

The same N, SEED and STREAM give the same lines. What the documents leave open is not written: a plain
field in parentheses as an item of a list, orders of loc or event against a number, constants with units
of time in a clock of ticks.
"""
import random
import re
import sys

sys.dont_write_bytecode = True
from events import COLUMNS, Stream  # noqa: E402
from syntax import constant  # noqa: E402
from values import of_text  # noqa: E402

PLAIN = ["0", "1", "2", "3", "5", "7", "10", "100", "512", "4096", "-1", "-7", "-3", "1.5", "-0.5", "0.1", "2.5",
         "0.000000001", "2.000", "1.50", "1e3", "1e6", "1.0000000001", "0xff", "0x10", "0x7fffffffffffffff", "0x8000000000000000",
         "9223372036854775807", "9223372036854775808", "18446744073709551615", "-9223372036854775808", "4294967296",
         ".5", "+1", "-.25", "1E3", "1e20", "-1e25", "18446744073709551616", "36893488147419103231",
         "123456789.123456789", "0.25", "1000000007", "-2.75", "0.000001", "0.333333333", "12345678901.5"]
SIZES = ["1B", "512B", "4K", "64K", "1M", "8kB", "10MB", "2G", "1T", "1.5K", "1KiB", "3GiB", "16T"]
RATES = ["10MB/s", "4K/s", "1G/s", "100B/s"]
TIMES = ["1ns", "250ns", "3us", "1.5ms", "20ms", "1s", "0.5s", "2m", "1h", "100ms", "-1s", "7ns"]
ERES = ["^[0-9]+$", "0$", "^-", "[.]", "5", "a", "^$", "W", "[A-Z]+_", "e[+-]", "1.*2", "(0|5)+$", "^0x", "[/,]"]
WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_./:-]*\Z")
BINARY = ["+", "-", "*", "/", "//", "%"]
# The precedence of what a string stands for: sum, product, primary.
SUM, PRODUCT, PRIMARY = 1, 2, 3


def quote(b):
    return '"%s"' % b.decode("latin-1").replace("\\", "\\\\").replace('"', '\\"')


class Maker:
    """Makes expressions over the names and values of a stream."""

    def __init__(self, stream, seed):
        self.r = random.Random(seed)
        self.ticks = stream.ticks
        self.events = stream.events
        named = [n.decode("latin-1") for n in stream.args + stream.placed]
        usual = [n for n in named if re.fullmatch(r"[A-Za-z_][\w.]*", n) and n not in COLUMNS + ("end", "nth")
                 and n.encode("latin-1") not in stream.parts]
        self.args = usual + ["arg." + n for n in usual[:3]] + ["arg." + n for n in ("size", "nth") if n in named]
        self.parts = [p.decode("latin-1") for p in stream.parts] + ["loc1", "loc2"]
        self.depth = 0
        self.rates = [] if self.ticks else RATES
        # Names that definitions made, by unit; what is being defined, of which only prev. is known.
        self.defined, self.own = {}, None

    def pick(self, *choices):
        return self.r.choice(choices)()

    def chance(self, p):
        return self.r.random() < p

    # Words.

    def plain_field(self):
        """An argument that some events have, or a part of loc."""
        for _ in range(3):
            args = [n.decode("latin-1") for n, _ in self.r.choice(self.events).args]
            args = [n for n in args if n in self.args]
            if args:
                return self.r.choice(args)
        return self.r.choice(self.args) if self.args and self.chance(0.5) else self.r.choice(self.parts)

    def number_field(self):
        return self.r.choice(["addr", "size", "size", "nth"])

    def time_field(self):
        return self.r.choice(["time", "dur", "dur", "end"])

    def sample(self, name):
        """The text of a field in some event, or nothing."""
        for _ in range(8):
            e = self.r.choice(self.events)
            t = e.text(name)
            if t and not re.search(rb"[\x00-\x1f]", t):
                return t
        return b"0"

    def plain_const(self):
        if self.chance(0.3):
            t = self.sample(self.plain_field())
            if isinstance(of_text(t), int) or re.fullmatch(rb"-?[0-9]{1,15}\.[0-9]{1,9}", t):
                return t.decode()
        return self.r.choice(PLAIN)

    def number_const(self):
        if self.chance(0.3):
            return self.sample("size").decode() + "B"
        return self.r.choice(SIZES + self.rates)

    def time_const(self):
        if self.ticks:
            return self.sample("time").decode() if self.chance(0.5) else self.r.choice(["0", "1", "7", "100", "68719476750"])
        return self.r.choice(TIMES)

    # Values: a pair of text and precedence.

    def value(self, unit):
        return self.deep(self.leaf, self.inner, unit)

    def deep(self, leaf, inner, *more):
        self.depth += 1
        try:
            return leaf(*more) if self.chance(self.depth * 0.22) else inner(*more)
        finally:
            self.depth -= 1

    def leaf(self, unit):
        roll = self.r.random()
        if unit == "plain" and self.own and roll < 0.2:
            return "prev." + self.own, PRIMARY
        if unit in self.defined and self.chance(0.3):
            return self.r.choice(["", "prev."]) + self.r.choice(self.defined[unit]), PRIMARY
        if unit == "text":
            return (self.r.choice(["event", "loc", "prev.event"]) if roll < 0.6 else quote(self.sample("event"))), PRIMARY
        field = {"plain": self.plain_field, "number": self.number_field, "time": self.time_field}[unit]
        if roll < 0.55 or (roll >= 0.68 and unit == "time" and self.ticks):
            return field(), PRIMARY
        if roll < 0.68:
            return "prev." + field().replace("nth", "size"), PRIMARY
        return {"plain": self.plain_const, "number": self.number_const, "time": self.time_const}[unit](), PRIMARY

    def inner(self, unit):
        if unit == "text":
            return self.pick(lambda: self.leaf("text"), lambda: self.call("lower", self.arg_text()),
                             lambda: self.choose("text"))
        if self.chance(0.6):
            return self.binary(unit)
        return self.function(unit)

    def operand(self, v, least):
        text, level = v
        return "(%s)" % text if level < least or self.chance(0.08) else text

    def binary(self, unit):
        op, a, b = self.r.choice(self.shapes(unit))
        level = SUM if op in "+-" else PRODUCT
        return "%s %s %s" % (self.operand(self.value(a), level), op, self.operand(self.value(b), level + 1)), level

    @staticmethod
    def shapes(unit):
        """Operators with the units of their operands that give a unit."""
        if unit == "plain":
            return [(op, "plain", "plain") for op in BINARY]
        if unit == "number":
            out = [(op, a, b) for op in BINARY for a, b in (("number", "number"), ("number", "plain"), ("plain", "number"))]
            out += [(op, a, "time") for op in ("/", "//") for a in ("time", "number", "plain")]
            return out + [("//", "time", "plain")]
        out = [(op, a, b) for op in "+-%" for a, b in (("time", "time"), ("time", "plain"), ("plain", "time"))]
        out += [("*", "time", "number"), ("*", "plain", "time"), ("*", "time", "plain"), ("*", "number", "time")]
        return out + [("/", "time", "number"), ("/", "time", "plain"), ("//", "time", "number")]

    @staticmethod
    def call(name, *args):
        return "%s(%s)" % (name, ", ".join(args)), PRIMARY

    def arg(self, unit):
        return self.value(unit)[0]

    def arg_text(self):
        """An operand of a text function."""
        return self.pick(lambda: self.r.choice(["event", "loc"]), self.plain_field, self.plain_field, self.plain_field,
                         lambda: quote(self.sample(self.plain_field())), lambda: self.arg(self.unit()))

    def unit(self):
        return self.r.choice(["plain", "plain", "number", "time"])

    def mixed(self, unit):
        """The unit of an operand beside one of this unit."""
        return "plain" if unit in ("number", "time") and self.chance(0.3) else unit

    def choose(self, unit):
        """if, coalesce, min, max; at least one operand has the unit."""
        name = self.r.choice(["if", "coalesce"] if unit == "text" else ["if", "coalesce", "min", "max"])
        args = [self.arg(unit), self.arg(self.mixed(unit))]
        if name != "if" and self.chance(0.3):
            args.append(self.arg(self.mixed(unit)))
        self.r.shuffle(args)
        if name == "if":
            args.insert(0, self.test())
        return self.call(name, *args)

    def function(self, unit):
        general = [lambda: self.choose(unit), lambda: self.call("abs", self.arg(unit)),
                   lambda: self.call("total", self.arg(unit)), lambda: self.floor(unit)]
        own = {"time": [],
               "number": [lambda: self.call("log2", self.arg(self.r.choice(["plain", "number"]))),
                          lambda: self.call("len", self.arg_text()),
                          lambda: self.call("hash", self.arg(self.unit()) if self.chance(0.5) else self.hashed()),
                          lambda: self.call("bit", self.masked(), self.mask())],
               "plain": [self.part, self.part, lambda: self.call("base", self.arg_text()), self.sub,
                         lambda: (self.verdict(), PRIMARY), self.mix_text]}
        return self.r.choice(general + own[unit])()

    def hashed(self):
        return self.r.choice(["event", "loc"] + self.args[:20])

    def mix_text(self):
        return self.call("coalesce", self.arg("plain"), quote(self.sample("event")))

    def masked(self):
        text = self.arg(self.r.choice(["plain", "number"]))
        return "size" if constant(text) else text

    def mask(self):
        return self.r.choice(["1", "3", "0xff", "0x8000000000000000", "-1", "-7", "4096", self.plain_field(), self.plain_field()])

    def floor(self, unit):
        if unit == "time":
            return self.call("floor", self.arg("time"), self.arg(self.mixed("time")))
        if self.chance(0.4):
            return self.call("floor", self.arg(unit))
        return self.call("floor", self.arg(unit), self.arg(self.mixed(unit)))

    def part(self):
        sep = quote(self.r.choice([b"/", b",", b".", b"_", b"0", b"::", b"-", b"\\"]))
        which = self.plain_field() if self.chance(0.1) else self.r.choice(["1", "2", "3", "-1", "-2", "-9", "9"])
        return self.call("part", self.arg_text(), sep, which)

    def sub(self):
        new = quote(self.r.choice([b"", b"-", b"[&]", b"\\&", b"x y", b"&&", b"0", b"\\\\"]))
        return self.call("sub", self.arg_text(), quote(self.r.choice(ERES).encode()), new)

    # Tests.

    def test(self):
        return self.deep(self.simple, self.joined)

    def joined(self):
        roll = self.r.random()
        if roll < 0.5:
            return self.simple()
        if roll < 0.62:
            inner = self.test()
            return "not (%s)" % inner if self.chance(0.5) else "! (%s)" % inner
        op = self.r.choice([" and ", " or ", " && ", " || "])
        sides = [self.test(), self.test()]
        return op.join("(%s)" % s for s in sides)

    def simple(self):
        return self.r.choice([self.old_test, self.computed, self.computed, self.computed, self.within, self.matching, self.named,
                              self.bits, self.truth])()

    def relop(self):
        return self.r.choice(["=", "==", "!=", "<", "<=", ">", ">=", "eq", "ne", "lt", "le", "gt", "ge"])

    def old_test(self):
        """A field against a constant or a word."""
        name, op = self.plain_field(), self.relop()
        roll = self.r.random()
        if roll < 0.2:
            return "%s %s %s" % (self.number_field(), op, self.r.choice(SIZES) if self.chance(0.6) else self.plain_const())
        if roll < 0.4:
            return "%s %s %s" % (self.time_field(), op, self.time_const() if self.chance(0.6) else self.plain_const())
        if roll < 0.6:
            t = self.sample(name)
            word = t.decode("latin-1")
            bare = WORD.match(word) and (op in ("=", "==", "!=", "eq", "ne") or constant(word))
            return "%s %s %s" % (name, op, word if bare else quote(t))
        if roll < 0.7:
            return "%s %s %s" % (self.r.choice(["event", "loc"]), self.r.choice(["=", "!="]), quote(self.sample("event")))
        return "%s %s %s" % (name, op, self.plain_const())

    def sides(self):
        """Units of the two sides of a relation."""
        unit = self.unit()
        other = self.mixed(unit)
        return (unit, other) if self.chance(0.5) else (other, unit)

    def side(self, unit):
        """A whole side: a lone plain field is in parentheses, a lone text has no place."""
        text, level = self.value(unit)
        return "(%s)" % text if level == PRIMARY and not text.endswith(")") and not re.match(r"[-+]?\.?\d", text) else text

    def computed(self):
        if self.chance(0.08):
            return "%s %s %s" % (self.side("plain"), self.relop(), quote(self.sample(self.plain_field())))
        if self.chance(0.06):
            left, right = self.arg("text"), self.arg(self.r.choice(["text", "plain"]))
            # What a lone string in parentheses is, a field or a text, nobody says.
            left, right = ("event" if t.startswith('"') else t for t in (left, right))
            return "(%s) %s (%s)" % (left, self.relop(), right)
        a, b = self.sides()
        if self.chance(0.15):
            unit = self.r.choice(["number", "time"])
            name = self.r.choice(["addr", "size"] if unit == "number" else ["time", "dur", "end"])
            # A column that stands alone is held against no rate.
            kept, self.rates = self.rates, []
            right = self.bare(self.mixed(unit))
            self.rates = kept
            return "%s %s %s" % (name, self.relop(), right)
        return "%s %s %s" % (self.side(a), self.relop(), self.bare(b))

    def bare(self, unit):
        """A right side whose left side is computed or a column of numbers: a bare word is a field there."""
        return self.arg(unit) if self.chance(0.5) else self.side(unit)

    def within(self):
        unit, other = self.sides()
        items = []
        for _ in range(self.r.randint(1, 3)):
            low = self.bare(other)
            constant = re.match(r"[-+]?\.?\d", low)
            items.append(low if constant or self.chance(0.6) else "%s .. %s" % (low, self.bare(other)))
        no = "not in" if self.chance(0.3) else "in"
        return "%s %s {%s}" % (self.side(unit), no, ", ".join(items))

    def matching(self):
        left = self.pick(self.plain_field, lambda: self.side(self.unit()), lambda: self.r.choice(["event", "loc", "size", "addr", "time"]))
        return "%s %s %s" % (left, self.r.choice(["~", "!~"]), quote(self.r.choice(ERES).encode()))

    def named(self):
        event = self.sample("event").decode("latin-1")
        return self.r.choice(["*", quote(event.encode("latin-1")), event[:1] + "*" if event[:1].isalnum() else "*", "[RW]", "?*",
                              self.plain_field() + "?", "prev.%s?" % self.plain_field(), "dur?", "size?", "nosuch"])

    def bits(self):
        if self.chance(0.3):
            return "%s & %s" % (self.r.choice([self.plain_field(), "size", "addr"]), self.r.choice(["1", "4", "0xff", "6"]))
        return "%s & %s" % (self.side(self.r.choice(["plain", "number"])), self.side("plain"))

    def truth(self):
        return self.r.choice([lambda: self.call("bit", self.masked(), self.mask()),
                              lambda: self.call("if", self.test(), self.arg("plain"), self.arg("plain")),
                              lambda: self.call("abs", self.arg("plain"))])()[0]

    def verdict(self):
        """A test as a value: in parentheses, and neither a lone word nor a lone call."""
        return self.r.choice([lambda: "(%s)" % self.old_test(), lambda: "(%s)" % self.computed(),
                              lambda: "(%s)" % self.within(), lambda: "(not (%s))" % self.test(),
                              lambda: "((%s) and (%s))" % (self.test(), self.test()), lambda: "(%s)" % self.matching()])()

    def item(self):
        """An item of a list: a value of any unit, or a test in parentheses."""
        if self.chance(0.1):
            return self.verdict()
        roll = self.r.random()
        if roll < 0.06:
            return self.pick(self.plain_field, self.number_field, self.time_field, lambda: self.r.choice(["event", "loc"]))
        if roll < 0.12:
            return self.arg("text")
        text, _ = self.value(self.unit())
        return text


def definitions(n, seed, stream):
    """n lists of three definitions for trace-derive, which use each other."""
    out = []
    for i in range(n):
        m, three = Maker(stream, "%s/%d" % (seed, i)), []
        for name in ("new0", "new1", "new2"):
            unit = m.unit()
            m.own = name if unit == "plain" else None
            text = m.value(unit)[0]
            while text in m.parts or text.startswith("new"):
                text = m.value(unit)[0]
            three.append("%s=%s" % (name, text))
            m.defined.setdefault(unit, []).append(name)
        out.append(three)
    return out


def expressions(n, seed, stream):
    """n pairs of kind and text, about two values for a test."""
    m = Maker(stream, seed)
    out = []
    while len(out) < n:
        test = len(out) % 3 == 0
        text = m.test() if test else m.item()
        if len(text) < 2000:
            out.append(("test" if test else "value", text))
    return out


def main(argv):
    with open(argv[3], "rb") as f:
        stream = Stream(f.read())
    for kind, text in expressions(int(argv[1]), argv[2], stream):
        sys.stdout.buffer.write(("%s\t%s\n" % (kind, text)).encode("latin-1"))


if __name__ == "__main__":
    main(sys.argv)
