"""syntax.py - the words and the grammar of expressions.

A tree is made of tuples: (kind, place, ...). Kinds: word, string, paren, call, sum (of two operands),
rel, in, or, and, not.
"""
import re
from fractions import Fraction

from values import NS, exact, nearest


class Refused(Exception):
    """An expression that is none, or that no unit fits: where, and why."""

    def __init__(self, place, why):
        super().__init__("%d: %s" % (place, why))
        self.place = place


FUNCTIONS = {"abs": (1, 1), "min": (2, 99), "max": (2, 99), "log2": (1, 1), "floor": (1, 2), "if": (3, 3),
             "coalesce": (1, 99), "len": (1, 1), "part": (3, 3), "base": (1, 1), "lower": (1, 1), "sub": (3, 3),
             "bit": (2, 2), "hash": (1, 1), "total": (1, 1)}
SAME = {"==": "=", "eq": "=", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
RELATIONS = {"=", "!=", "<", "<=", ">", ">=", "~", "!~", "&"}
KEYWORDS = {"and", "or", "not", "in", *(w for w in SAME if w != "==")}
TOKEN = re.compile(r"==|!=|!~|<=|>=|&&|\|\||\.\.|[()!=<>~&,{}]|(?:(?!\.\.)[^\s()!=<>~&|,{}\"])+")

TIMES = {"ns": 1, "us": 10**3, "ms": 10**6, "s": NS, "m": 60 * NS, "h": 3600 * NS}
SIZES = {"B": 1}
for _i, _c in enumerate("KMGT", 1):
    SIZES.update({_c: 1024**_i, _c.lower(): 1024**_i, _c + "iB": 1024**_i, _c + "B": 1000**_i})
    SIZES[_c.lower() + "B"] = 1000**_i
for _c in ("m", "g", "t", "mB", "gB", "tB"):
    del SIZES[_c]
NUMBER = re.compile(r"([+-]?(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)([a-zA-Z]*)(/s)?\Z")
DATE = re.compile(r"[0-9]{4}-")


def constant(word):
    """(unit, value) of a word that looks like a number, times in ns; None of another."""
    if re.match(r"-?0[xX][0-9a-fA-F]+\Z", word):
        return ("plain", int(word, 16)) if int(word, 16) < 2**64 else None
    m = NUMBER.match(word)
    if not m:
        return None
    v = Fraction(m[1])
    unit, rate = m[2], m[3]
    if unit in TIMES and not rate:
        return "time", nearest(v * TIMES[unit])
    if unit and unit not in SIZES:
        return None
    v *= SIZES.get(unit, 1)
    plain = not unit and not rate
    if abs(v) >= 2**64 and not plain:
        return None
    # Nine places are exact, and whole numbers without an exponent below 2^127; others make a real.
    digits = plain and re.match(r"[+-]?[0-9]+\Z", m[1])
    v = exact(v) if (v * NS).denominator == 1 and abs(v) < (2**127 if digits else 2**64) else float(v)
    return ("number" if unit or rate else "plain"), v


class Parser:
    """One pass; kinds and units are checked afterwards."""

    def __init__(self, text):
        self.text, self.at, self.depth = text, 0, 0
        self.next()

    def next(self):
        """Reads a token: self.kind is word, string, end or the token itself; returns the one before."""
        before = getattr(self, "kind", None), getattr(self, "value", None), getattr(self, "place", 0)
        t = self.text
        while self.at < len(t) and t[self.at] in " \t\n\r\v\f":
            self.at += 1
        self.place = self.at
        if self.at == len(t):
            self.kind, self.value = "end", ""
        elif t[self.at] == '"':
            self.string()
        else:
            m = TOKEN.match(t, self.at)
            if not m:
                raise Refused(self.at, "no token")
            self.at = m.end()
            w = m[0]
            op = SAME.get(w, {"&&": "and", "||": "or", "!": "not"}.get(w, w))
            if re.match(r"[()!=<>~&|,{}]|\.\.\Z", w) or w in KEYWORDS:
                self.kind, self.value = op, w
            else:
                self.kind, self.value = "word", w
        return before

    def string(self):
        out, i = "", self.at + 1
        while True:
            if i >= len(self.text):
                raise Refused(self.at, "this string has no end")
            c = self.text[i]
            if c == '"':
                break
            if c == "\\" and self.text[i + 1:i + 2] in ('"', "\\"):
                i += 1
                c = self.text[i]
            out += c
            i += 1
        self.at = i + 1
        self.kind, self.value = "string", out

    def need(self, kind):
        if self.kind != kind:
            raise Refused(self.place, "%s is expected" % kind)
        return self.next()

    def any(self):
        left = self.all()
        while self.kind == "or":
            place = self.next()[2]
            left = ("or", place, left, self.all())
        return left

    def all(self):
        left = self.negated()
        while self.kind == "and":
            place = self.next()[2]
            left = ("and", place, left, self.negated())
        return left

    def negated(self):
        if self.kind == "not":
            place = self.next()[2]
            return ("not", place, self.negated())
        return self.test()

    def test(self):
        left = self.sum()
        if self.kind in RELATIONS:
            op, _, place = self.next()
            return ("rel", place, op, left, self.sum())
        if self.kind in ("not", "in"):
            no = self.kind == "not"
            place = self.place
            if no:
                self.next()
            self.need("in")
            self.need("{")
            items = [self.item()]
            while self.kind == ",":
                self.next()
                items.append(self.item())
            self.need("}")
            return ("in", place, no, left, items)
        return left

    def item(self):
        low = self.sum()
        if self.kind == "..":
            self.next()
            return low, self.sum()
        return low, None

    def sum(self):
        left = self.product()
        while self.kind == "word" and self.value in ("+", "-"):
            _, op, place = self.next()
            left = ("sum", place, op, left, self.product())
        return left

    def product(self):
        left = self.primary()
        while self.kind == "word" and self.value in ("*", "/", "//", "%"):
            _, op, place = self.next()
            left = ("sum", place, op, left, self.primary())
        return left

    def primary(self):
        if self.kind == "(":
            place = self.next()[2]
            inner = self.any()
            self.need(")")
            return ("paren", place, inner)
        if self.kind not in ("word", "string"):
            raise Refused(self.place, "an operand is expected")
        kind, value, place = self.next()
        if kind == "word" and value in FUNCTIONS and self.kind == "(" and self.place == place + len(value):
            self.next()
            args = [self.any()]
            while self.kind == ",":
                self.next()
                args.append(self.any())
            self.need(")")
            least, most = FUNCTIONS[value]
            if not least <= len(args) <= most:
                raise Refused(place, "%s: so many operands" % value)
            return ("call", place, value, args)
        return (kind, place, value)


def parse(text):
    p = Parser(text)
    tree = p.any()
    if p.kind != "end":
        raise Refused(p.place, "one word too many")
    return tree


def parse_list(text):
    """[(name or label, tree)] of a list with commas between."""
    p, out = Parser(text), []
    while True:
        m = re.compile(r"\s*([^\s()!=<>~&|,{}\"]+)\s*=(?!=)").match(text, p.place)
        name = None
        if m and p.kind == "word":
            name = m[1]
            p.next()
            p.next()
        start = p.place
        tree = p.any()
        out.append((name or text[start:p.place].strip(), tree))
        if p.kind == "end":
            return out
        p.need(",")
