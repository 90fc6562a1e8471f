"""functions.py - the functions of expressions, and the node that every part of a tree becomes."""
import math
import re
from fractions import Fraction

import values as v
from syntax import Refused, constant
from values import Time


class Node:
    """A value: its unit, a function from an event to it, and one from an event to its text.

    made is the text of a value that base, part or sub made: it is written so, and is a number only where one is needed.
    """

    def __init__(self, unit, get, text=None, plain=None, made=None):
        self.unit, self.get, self.own_text, self.plain, self.made = unit, get, text, plain, made
        self.compared = self.complete  # in a relation, where it stands alone

    def complete(self, e):
        return v.fits(self.get(e))

    def text(self, e):
        return self.own_text(e) if self.own_text else self.result(e)

    def result(self, e):
        """The text of the value, which may be one that was made."""
        if self.made:
            return self.made(e)
        x = self.complete(e)
        return None if x is None else v.text_of(x, e.stream.ticks)


class Functions:
    """Calls. The compiler has value, test and sum besides."""

    def call(self, place, name, args):
        if name == "if":
            test = self.test(args[0])
            a, b = self.alike(place, args[1:])
            return Node(a.unit, lambda e: (a if test(e) else b).complete(e),
                        made=(lambda e: (a if test(e) else b).result(e)) if a.made or b.made else None)
        if name == "part":
            self.check_part(*args[1:])
        nodes = [self.value(a, "text") for a in args]
        if name in ("min", "max", "coalesce"):
            nodes = self.alike(place, args)
            made = name == "coalesce" and any(n.made for n in nodes)
            return Node(nodes[0].unit, getattr(self, "of_" + name)(nodes),
                        made=(lambda e: next((n.result(e) for n in nodes if n.complete(e) is not None), None)) if made else None)
        if name in ("abs", "floor", "log2", "total", "bit") and any(n.unit == "text" for n in nodes):
            raise Refused(place, "%s of a text" % name)
        return getattr(self, "call_" + name)(place, nodes)

    @staticmethod
    def check_part(sep, which):
        """Parts count from 1 and from -1; what is no constant may still be 0, and is absent then."""
        if sep[0] == "string" and not sep[2]:
            raise Refused(sep[1], "the separator is empty")
        c = constant(which[2]) if which[0] == "word" else None
        if c and (c[1] == 0 or not isinstance(c[1], int)):
            raise Refused(which[1], "no number of a part")

    def alike(self, place, args):
        """Operands of one unit: plain ones beside a time count seconds."""
        nodes = [self.value(a, "text") for a in args]
        units = {n.unit for n in nodes}
        if "time" in units and units & {"number", "text"} or units >= {"number", "text"}:
            raise Refused(place, "two units")
        if "time" in units:
            return [self.timed(n) for n in nodes]
        unit = "number" if "number" in units else "text" if units == {"text"} else "plain"
        return [Node(unit, n.complete, n.text, made=n.made) for n in nodes]

    def timed(self, n):
        if n.unit == "time":
            return n
        as_time = v.counted if self.ticks else v.as_time
        return Node("time", lambda e: v.fits(as_time(n.complete(e), self.ticks)))

    @staticmethod
    def of_coalesce(nodes):
        return lambda e: next((x for x in (n.complete(e) for n in nodes) if x is not None), None)

    @staticmethod
    def least(nodes, sign):
        def get(e):
            best = None
            for n in nodes:
                x = n.complete(e)
                if x is None or isinstance(x, bytes):
                    return None
                y = sign * Fraction(x.n if isinstance(x, Time) else x)
                if best is None or y < best[0]:
                    best = y, x
            return best[1]

        return get

    def of_min(self, nodes):
        return self.least(nodes, 1)

    def of_max(self, nodes):
        return self.least(nodes, -1)

    @staticmethod
    def unary(unit, n, f):
        def get(e):
            x = n.complete(e)
            return None if x is None or isinstance(x, bytes) else v.fits(v.inside(f(x)))

        return Node(unit, get)

    def call_abs(self, _place, nodes):
        return self.unary(nodes[0].unit, nodes[0], lambda x: Time(abs(x.n)) if isinstance(x, Time) else abs(x))

    def call_log2(self, place, nodes):
        if nodes[0].unit == "time":
            raise Refused(place, "log2 of a time")
        return self.unary("number", nodes[0], lambda x: math.log2(float(x)) if x > 0 else None)

    def call_floor(self, place, nodes):
        x = nodes[0]
        if len(nodes) == 1:
            if x.unit == "time":
                raise Refused(place, "floor of a time")
            return self.unary(x.unit, x, math.floor)
        step = nodes[1]
        if {x.unit, step.unit} <= {"time", "plain"} and "time" in (x.unit, step.unit):
            def beside(e):
                a, b = (v.fits(v.counted(n.complete(e), self.ticks)) for n in nodes)
                if not isinstance(a, Time) and not isinstance(b, Time):  # both are parts of a tick: numbers
                    n = None if a is None or b is None else v.number("//", a, b)
                    return None if n is None else v.fits(v.inside(v.number("*", b, n)))
                left = v.beside("%", a, b, self.ticks)
                return None if left is None else v.fits(v.beside("-", a, left, self.ticks))

            return Node("time", beside)
        x, step = (Node(n.unit, n.complete) for n in (x, step))
        n = self.sum(place, "*", step, self.sum(place, "//", x, step))
        return Node(n.unit, n.complete)

    @staticmethod
    def call_len(_place, nodes):
        def get(e):
            t = nodes[0].text(e)
            return None if t is None else len(t)

        return Node("number", get)

    @staticmethod
    def made_text(get):
        """A text that is a number where one is needed."""
        def value(e):
            t = get(e)
            return None if t is None else v.of_text(t)

        return Node("plain", value, made=get)

    @staticmethod
    def texts(nodes, f):
        def get(e):
            ts = [n.text(e) for n in nodes]
            return None if None in ts else f(*ts)

        return get

    def call_base(self, _place, nodes):
        def base(t):
            s = t.rstrip(b"/")
            return b"/" if t and not s else s.rsplit(b"/", 1)[-1]

        return self.made_text(self.texts(nodes, base))

    def call_lower(self, _place, nodes):
        return Node("plain", self.texts(nodes, bytes.lower))

    def call_part(self, _place, nodes):
        text, sep, which = nodes

        def get(e):
            t, s, n = text.text(e), sep.text(e), which.complete(e)
            if t is None or not s or not isinstance(n, int):
                return None
            parts = t.split(s)
            if n == 0 or abs(n) > len(parts):
                return None
            return parts[n - 1 if n > 0 else n]

        return self.made_text(get)

    def call_sub(self, place, nodes):
        def sub(t, pattern, new):
            m = v.ere(pattern).search(t)
            if not m:
                return t
            out = re.sub(rb"\\([&\\])|&", lambda k: k[1] or m[0], new)
            return t[:m.start()] + out + t[m.end():]

        return self.made_text(self.texts(nodes, sub))

    def call_bit(self, place, nodes):
        if "time" in (nodes[0].unit, nodes[1].unit):
            raise Refused(place, "bits of a time")

        def get(e):
            a, b = (n.complete(e) for n in nodes)
            return v.bits(a) & v.bits(b) if isinstance(a, int) and isinstance(b, int) else None

        return Node("number", get)

    @staticmethod
    def call_hash(_place, nodes):
        def get(e):
            x = nodes[0].complete(e)
            return None if x is None else v.hash_of(x, e.stream.ticks)

        return Node("number", get)

    def call_total(self, _place, nodes):
        i = len(self.totals)
        self.totals.append(nodes[0])
        return Node(nodes[0].unit, lambda e: v.fits(v.inside(e.total(i))))
