#!/usr/bin/env python3
"""columns_random.py - random descriptions of columns and random lines, read by a reader that knows only the pages
columns-layout(5), spoor-stream(5) and spoor-options(7), and by trace-filter in many ways.

usage: columns_random.py BIN N SEED [-v]
       N descriptions and inputs, of the seeds from SEED on; -v counts what was left out because no page tells it

Prints the differences, at most five, each with its seed, and ends with status 1; or one line of what agreed.

A line whose reading the pages leave open raises Open in the reader, and the generator makes another line.
"""
import collections
import math
import os
import random
import re
import subprocess
import sys
import tempfile
import threading
from fractions import Fraction

U64, I64 = 2**64 - 1, 2**63 - 1
NS = {"ns": 1, "us": 10**3, "ms": 10**6, "s": 10**9}
WINDOWS = 11644473600 * 10**9  # nanoseconds from 1601 to 1970
SHOWN = 5


class Open(Exception):
    """The pages do not say what this line is."""


class Broken(Exception):
    """A record that is reported and skipped."""


# The reader.

Value = collections.namedtuple("Value", "col rest type unit names opt cond more less", defaults=((), None))
# col: a number from 1, from the end below 0. type: "", "iso", "hex". unit: None, or (factor, unit of time or "").
# names: None, or a list of (from, to), where to may be None for from alone. opt: 0 to 2 signs. cond: (column, word).
# more: further columns of a date. less: the Value that is taken off, or None.


class Layout:
    """What a description says."""

    def __init__(self):
        self.sep, self.header, self.skip, self.record, self.columns, self.epoch, self.block = ",", None, [], None, None, 0, None
        self.time = self.end = self.addr = self.size = self.dur = None
        self.loc, self.event, self.args = [], None, []
        self.comma, self.text = False, ""


def escaped(value):
    return b"".join(b"\\x%02x" % c if c <= 0x20 or c in (0x7f, 0x5c) else bytes([c]) for c in value)


def string(value):
    return {b"": b'""', b"-": b"\\x2d", b'""': b'\\x22"'}.get(value) or escaped(value)


def seconds(ns):
    return b"%s%d.%09d" % (b"-" if ns < 0 else b"", abs(ns) // 10**9, abs(ns) % 10**9)


def split(line, sep):
    """The columns: (value, where it begins, whether in quotes)."""
    if sep == "blank":
        if line[:1] == b"\t":
            raise Open("a TAB before the first column")
        return [(m.group(), m.start(), False) for m in re.finditer(rb"[^ \t]+", line)]
    sep = {"comma": b",", "tab": b"\t", "semicolon": b";"}.get(sep) or sep.encode()
    out, i = [], 0
    while True:
        while line[i:i + 1] == b" ":
            i += 1
        start = i
        if line[i:i + 1] == b'"':
            value, i = b"", i + 1
            while True:
                j = line.find(b'"', i)
                if j < 0:
                    raise Open("a quoted column without an end")
                value += line[i:j]
                i = j + 1
                if line[i:i + 1] != b'"':
                    break
                value, i = value + b'"', i + 1
            while line[i:i + 1] == b" ":
                i += 1
            if line[i:i + 1] not in (b"", sep):
                raise Open("text after a quoted column")
            out.append((value, start, True))
        else:
            j = line.find(sep, i)
            i = len(line) if j < 0 else j
            value = line[start:i].rstrip(b" ")
            if value.strip(b"\t\r\v\f") != value:
                raise Open("other blanks than spaces around a column")
            out.append((value, start, False))
        if i == len(line):
            return out
        i += 1


DECIMAL = re.compile(rb"(-?)([0-9]+(?:\.[0-9]+)?)(?:[eE]([+-]?[0-9]+))?\Z")
UNSURE = re.compile(rb"(?i)[+-]?([0-9]+\.|\.[0-9]+)(e[+-]?[0-9]*)?\Z|\+|[+-]?(inf|nan)|0X|-0x")
ISO = re.compile(rb"([0-9]{4})-([0-9]{2})-([0-9]{2})[T ]([0-9]{2}):([0-9]{2}):([0-9]{2})(\.[0-9]+)?([+-][0-9]{2}:[0-9]{2})?\Z")


UNIT = re.compile(rb"([0-9][0-9.eE+-]*?) ?([a-zA-Z\xc2\xb5]+)\Z")
TIMES = {b"ns": Fraction(1, 10**9), b"us": Fraction(1, 10**6), "\u00b5s".encode(): Fraction(1, 10**6), b"ms": Fraction(1, 1000), b"s": Fraction(1), b"m": Fraction(60),
         b"min": Fraction(60), b"h": Fraction(3600)}
SIZES = {b"B": 1, b"K": 2**10, b"k": 2**10, b"M": 2**20, b"G": 2**30, b"T": 2**40, b"KiB": 2**10, b"MiB": 2**20, b"GiB": 2**30, b"TiB": 2**40, b"kB": 10**3, b"KB": 10**3,
         b"MB": 10**6, b"GB": 10**9, b"TB": 10**12}


class NoNumber(Broken):
    """Not a number at all, which ?? takes for absent."""


def united(cell, units):
    """(a Fraction, whether it had one of these units)."""
    m = UNIT.match(cell)
    if not m or m.group(2) not in {**TIMES, **SIZES}:
        return number(cell), None
    v = number(m.group(1))
    if m.group(2) not in units:
        raise NoNumber("another unit")
    return v * units[m.group(2)], m.group(2)


def number(cell):
    """A Fraction, not below 0."""
    m = DECIMAL.match(cell)
    if m:
        v = Fraction(m.group(2).decode())
        e = int(m.group(3) or 0)
        if v == 0:
            if m.group(1):
                raise Open("-0")
            return v
        if m.group(1):
            raise Broken("less than 0")
        return v * Fraction(10)**max(-5000, min(5000, e))
    if UNSURE.match(cell):
        raise Open("a number in another form")
    if re.match(rb"0x[0-9a-fA-F]+\Z", cell):
        return Fraction(int(cell, 16))
    raise NoNumber("not a number")


def is_number(cell):
    try:
        number(cell)
        return True
    except NoNumber:
        return False
    except Broken:
        return True
    except Broken:
        raise Open("record= on a number below 0")


def days(y, m, d):
    """From 1970."""
    y -= m <= 2
    era = y // 400
    yoe = y - era * 400
    doy = (153 * (m + (-3 if m > 2 else 9)) + 2) // 5 + d - 1
    return era * 146097 + yoe * 365 + yoe // 4 - yoe // 100 + doy - 719468


def nearest(v):
    if (2 * v).denominator == 1 and v.denominator != 1:
        raise Open("half a nanosecond")
    return nearest_up(v)


def nearest_up(v):
    return math.floor(v + Fraction(1, 2))


class Reader:
    def __init__(self, layout):
        self.l = layout

    def column(self, cols, k):
        if k > 0:
            return cols[k - 1] if k <= len(cols) else None
        return cols[k] if -k <= len(cols) else None

    def cell(self, line, cols, v):
        """The bytes of a value, or None where it is absent as ? allows."""
        c = self.column(cols, v.col)
        if v.cond:
            k, word = v.cond
            at = self.column(cols, k)
            if at is None:
                return None
            if not any(at[0].startswith(w[:-1].encode()) if w.endswith("*") else at[0] == w.encode() for w in word.split("|")):
                return None
        if c is None:
            if v.opt:
                return None
            raise Broken("a column is missing")
        text = c[0]
        if v.rest:
            i = v.col - 1 if v.col > 0 else len(cols) + v.col
            if any(x[2] for x in cols[i:]):
                raise Open("quotes in the rest of a line")
            if line.endswith((b" ", b"\t")):
                raise Open("blanks behind the rest of a line")
            if text == b"" and i + 1 < len(cols):
                raise Open("a rest that begins with an empty column")
            text = line[c[1]:]
        if v.opt and text in (b"", b"-"):
            if c[2] and text == b"-":
                raise Open("a quoted - where a value may be absent")
            return None
        for k in v.more:
            c = self.column(cols, k)
            if v.opt and (c is None or c[0] in (b"", b"-")):
                return None
            if c is None:
                raise Broken("a column is missing")
            text += (b"." if c[0].isdigit() else b" ") + c[0]
        return text

    def named(self, text, names):
        """What a value is called; b"" for an event that makes the line no record."""
        exact = [to for frm, to in names if frm.encode() == text and frm != "*"]
        begins = [(frm, to) for frm, to in names if frm.endswith("*") and frm != "*" and text.startswith(frm[:-1].encode())]
        if len(exact) + len(begins) > 1:
            raise Open("two names for a value")
        if text == b"*":
            raise Open("a value that is *")
        for to in exact + [to for frm, to in begins] + [to for frm, to in names if frm == "*"]:
            return text if to is None else to.encode()
        raise Broken("a value without a name")

    def point(self, text):
        """A number with the point that stands for its comma."""
        if not self.l.comma:
            return text
        if b"." in text:
            raise NoNumber("a point where commas are")
        return text.replace(b",", b".")

    def integer(self, text, v):
        """Of an address, a size or an argument."""
        factor = v.unit[0] if v.unit else 1
        if v.type == "hex":
            if re.match(rb"[-+]", text):
                raise Open("a sign where numbers are hexadecimal")
            if not re.match(rb"(0[xX])?[0-9a-fA-F]+\Z", text):
                raise NoNumber("not a hexadecimal number")
            n = Fraction(int(text, 16))
        else:
            n, unit = united(self.point(text), {} if v is self.l.addr and (self.l.block or 1) > 1 else SIZES)
            if unit and (unit != b"B" or n.denominator == 1):
                factor, n = 1, nearest_up(nearest_up(n * 10**9) * Fraction(1, 10**9))
            elif unit:
                raise Broken("not whole")
            elif n.denominator != 1:
                if (n * factor).denominator == 1 and (n * 10**9).denominator != 1:
                    raise Open("a fraction that the unit makes whole, behind the ninth decimal")
                if (n * factor).denominator != 1:
                    raise Broken("not whole")
        if n * factor > U64:
            raise Broken("too large")
        return int(n * factor)

    def ns(self, text, v):
        """Of a time or duration, from the number's own zero."""
        if v.type == "iso":
            m = ISO.match(text)
            if not m:
                if re.match(rb"[0-9]{4}-?[0-9]{2}", text):
                    raise Open("another form of a date")
                raise Broken("not a date")
            y, mo, d, h, mi, s = (int(x) for x in m.groups()[:6])
            if not (1 <= mo <= 12 and d >= 1 and h < 24 and mi < 60 and s < 60):
                if s == 60 or h == 24:
                    raise Open("second 60 or hour 24")
                raise Broken("not a date")
            length = days(y + mo // 12, mo % 12 + 1, 1) - days(y, mo, 1)
            if d > length:
                raise Broken("not a date")
            t = Fraction(((days(y, mo, d) * 24 + h) * 60 + mi) * 60 + s)
            if m.group(7):
                t += Fraction("0" + m.group(7).decode())
            if m.group(8):
                zh, zm = int(m.group(8)[1:3]), int(m.group(8)[4:6])
                if zh > 14 or zm > 59:
                    raise Open("a strange zone")
                t -= (zh * 60 + zm) * 60 * (-1 if m.group(8)[:1] == b"-" else 1)
            t = nearest(t * 10**9)
            if t < 0 or t > I64:
                raise Open("a date before 1970 or after 2262")
            return t
        factor, unit = v.unit if v.unit else (1, "s")
        t, own = united(self.point(text), TIMES)
        if own:
            factor, unit = 1, "s"
        return nearest_up(nearest_up(t * 10**9) * Fraction(factor * NS[unit], 10**9))

    def time(self, text, v):
        t = self.ns(text, v)
        if v.type != "iso" and self.l.epoch == 1601:
            t -= WINDOWS
            if t < 0:
                raise Open("Windows' time before 1970")
        if t > I64:
            raise Broken("too large")
        return t

    def optional(self, line, cols, v, convert):
        text = self.cell(line, cols, v)
        if text is None:
            return None
        try:
            return convert(text, v)
        except NoNumber:
            if v.opt == 2:
                return None
            raise
        except Broken:
            if v.opt == 2:
                raise Open("?? and a number that is below 0, too large or not whole")
            raise

    def duration(self, text, v):
        t = self.ns(text, v)
        if v.less:
            less = self.ns(self.cell(*self.at, v.less), v.less)
            if max(t, less) > U64 or less > t:
                raise Broken("too large, or less than what is taken off")
            t -= less
        if t > I64:
            raise Broken("too large")
        return t

    def read(self, line):
        """An event as a list of time and the other fields, or None where the line is no record."""
        l = self.l
        if any((line.lstrip(b" \t") if l.sep == "blank" else line).startswith(s) for s in l.skip):
            return None
        cols = split(line, l.sep)
        self.at = line, cols
        if l.record is not None:
            c = self.column(cols, l.record)
            if c is None or (l.comma and b"." in c[0]) or not is_number(c[0].replace(b",", b".") if l.comma else c[0]):
                return None
        wrong = l.columns and not l.columns[0] <= len(cols) <= l.columns[1]
        trouble = None
        event = b""
        if isinstance(l.event, str):
            event = l.event.encode()
        else:
            try:
                event = self.cell(line, cols, l.event)
                if l.event.names is not None:
                    named = self.named(event, l.event.names)
                    if event == b"" == named and not {("", ""), ("*", "")} & set(l.event.names):
                        raise Broken("no event")
                    event = named
                    if event == b"" and not wrong:
                        return None
                elif event in (b"", b"-"):
                    raise Broken("no event")
                if event == b"-":
                    raise Broken("no event")
            except Broken as e:
                trouble = e
        if trouble or wrong:
            raise Broken(trouble or "a wrong number of columns")
        return self.fields(line, cols, event)

    def has_words_for_numbers(self, line):
        """Whether words stand where numbers should, in all such columns that are not empty."""
        l = self.l
        numbers = [v for v in (l.time, l.end, l.addr, l.size, l.dur) if v and not isinstance(v, str)]
        numbers += [v for _, v in l.args if v.type or v.unit]
        try:
            cols = split(line, l.sep)
            self.at = line, cols
        except (Broken, Open):
            return False
        some = False
        for v in numbers:
            c = self.column(cols, v.col)
            text = c[0] if c else b""
            if text:
                some = True
                if text[0] <= 0x40 and text[:1] not in (b"#", b"(", b"<"):
                    return False
        return some

    def fields(self, line, cols, event):
        l = self.l
        dur = self.optional(line, cols, l.dur, self.duration) if l.dur else None
        t = self.time(self.cell(line, cols, l.end or l.time), l.end or l.time)
        if l.end and dur is not None:
            t -= dur
            if t < 0 and l.epoch:
                raise Open("a begin before 1970")
        parts = []
        for _, v in l.loc:
            p = self.cell(line, cols, v)
            if p is not None and v.names is not None:
                p = self.named(p, v.names)
            if p is None:
                raise Open("a part of loc is absent")
            if p in (b"", b"-", b'""') or b"/" in p:
                raise Open("a part of loc that is empty, -, or has a /")
            parts.append(escaped(p))
        fields = [b"/".join(parts) or b"-", escaped(event)]
        for v in (l.addr, l.size):
            n = self.optional(line, cols, v, self.integer) if v else None
            fields.append(b"-" if n is None else b"0x%x" % n if v.type == "hex" else b"%d" % n)
        fields.append(b"-" if dur is None else seconds(dur))
        for name, v in l.args:
            if v.type == "hex":
                n = self.optional(line, cols, v, self.integer)
                s = None if n is None else b"0x%x" % n
            elif v.unit and v.unit[1]:
                n = self.optional(line, cols, v, self.duration)
                s = None if n is None else seconds(n)
            elif v.unit:
                n = self.optional(line, cols, v, self.integer)
                s = None if n is None else b"%d" % n
            else:
                s = self.cell(line, cols, v)
                if s is not None:
                    s = string(s if v.names is None else self.named(s, v.names))
            if s is not None:
                fields.append(name.encode() + b"=" + s)
        return [t] + fields


# The generator.

WORDS = ["R", "W", "read", "write", "open", "rw", "Read", "a", "ab", "abc", "a_name_longer_than_sixteen_bytes", "exactly16bytes_x", "q", "0", "1", "28", "2a",
         "\u00e4rger", "x.y", "sys_enter_openat", "other"]
SEPARATORS = ["comma", "tab", "semicolon", "blank", "blank", ",", ";", "|", ":", "!", "~", "=", "."]
STRANGE = [b"two words", b"back\\slash", b"\\x41", b"c\x01\x1bd", b"\xff\xfe", "\u20ac".encode(), b"nul\0in", b'in"side', b'"', b"it's", b"a,b;c|d", b"tab\tin", b"x=1",
           b"--", b"#", b"#a", b"*", b"{x}", b"$1", b"\x7f", b"a" * 70, b"exactly16bytes_x", b"a_name_longer_than_sixteen_bytes", b"a,b", b'""', b"cr\rin"]


def pick(r, weighted):
    return r.choices([w[0] for w in weighted], [w[1] for w in weighted])[0]


class Case:
    """A description with its input."""

    def __init__(self, seed):
        self.r = r = random.Random(seed)
        self.seed = seed
        self.l = l = Layout()
        self.words = r.sample(WORDS, r.randrange(2, 7))
        self.n = pick(r, [(r.randrange(1, 5), 1), (r.randrange(6, 17), 12), (r.randrange(17, 121), 1)])
        self.kinds = {}  # of columns from 1
        self.describe()
        self.reader = Reader(l)
        self.opens = collections.Counter()
        self.make()

    # A column of its own for most values.
    def new_column(self, kind):
        free = [k for k in range(1, self.n + 1) if k not in self.kinds]
        if free and self.r.random() < 0.93:
            k = self.r.choice(free)
            self.kinds[k] = kind
            return k
        alike = [k for k, v in self.kinds.items() if v[0] == kind[0]]
        return self.r.choice(alike) if alike and self.r.random() < 0.8 else self.r.randrange(1, self.n + 1)

    def written(self, k):
        """A column in a description."""
        r, l = self.r, self.l
        if l.header and r.random() < 0.7 and k <= len(l.header):
            name = l.header[k - 1]
            return "$" + (name if re.match(r"[A-Za-z]+\Z", name) and r.random() < 0.8 else "{" + name + "}"), k
        if r.random() < 0.15:
            return "$-%d" % (self.n + 1 - k), k - self.n - 1
        return "$%d" % k, k

    def value(self, kind, type_="", unit=None, names=None, opt=0.3, rest=0, k=None, numeric=True, last=True):
        """(Value, its text)."""
        r = self.r
        k = k or self.new_column(kind)
        text, col = self.written(k)
        if rest:
            text += "-"
        if type_:
            text += ":" + type_
        if unit:
            text += "*" + (unit[1] if unit[1] and unit[0] == 1 and r.random() < 0.8 else "%d%s" % unit)
        if names is not None:
            text += "{" + ",".join(f if t is None else f + ":" + t for f, t in names) + "}"
        signs, cond = 0, None
        if r.random() < opt:
            signs = r.choice([1, 1, 2]) if numeric else 1
            text += "?" * signs
            if last and r.random() < 0.3:  # of a part of loc no page says where its word ends
                c = r.randrange(1, self.n + 2)
                if r.random() < 0.2:
                    c = -r.randrange(1, self.n + 1)
                word = r.choice(["*", "*", "+", r.choice(self.words), r.choice(self.words)[:1] + "*", "0x*", "-"])
                if r.random() < 0.3:
                    word += "|" + r.choice(self.words)
                text += "$%d=%s" % (c, word)
                cond = (c, word)
                if 0 < c <= self.n and c not in self.kinds:
                    self.kinds[c] = ("cond", word)
        return Value(col, bool(rest), type_, unit, names, signs, cond), text

    def joined(self, v, text):
        """The date v, or one in two columns."""
        if self.r.random() < 0.6:
            return v, text
        k = self.new_column(("clock",))
        self.kinds[abs(v.col) if v.col > 0 else self.n + 1 + v.col] = ("day",)
        more, col = self.written(k)
        return v._replace(more=(col,)), text.replace(":iso", "+" + more + ":iso")

    def difference(self, kind, type_, unit):
        """A duration that is a difference."""
        v, t = self.value(kind, type_=type_, opt=0)
        less, u = self.value(kind, type_=type_, opt=0)
        v, less = v._replace(unit=unit), less._replace(unit=unit)
        if type_:
            (v, t), (less, u) = self.joined(v, t), self.joined(less, u)
            if self.r.random() < 0.5:
                t = t.replace(":iso", "")
        t += "-" + u
        if unit:
            t += "*%d%s" % unit
        signs = self.r.choice([0, 0, 1, 2])
        return v._replace(less=less, opt=signs), t + "?" * signs

    def names(self, dropped):
        """Names of values; some make an event no record."""
        r, out = self.r, []
        some = r.sample(self.words, r.randrange(1, len(self.words) + 1))
        for w in some:
            form = r.random()
            if form < 0.4:
                out.append((w, None))
            elif form < 0.75:
                out.append((w, r.choice(["read", "W", "other", "two words", "some_quite_long_name_of_an_event", "\u00fc"])))
            elif form < 0.87 and dropped:
                out.append((w, ""))
            else:
                out.append((w[:r.randrange(1, 3)] + "*", r.choice([None, "begins"] + [""] * dropped)))
        if dropped and r.random() < 0.3:
            out.insert(0, (r.choice(["m", "drop", "two words"]), ""))
        if r.random() < 0.2:
            out.append(("", "other"))
        if r.random() < 0.5:
            out.append(("*", r.choice([None, None, "other"] + [""] * dropped)))
        if r.random() < 0.3:
            r.shuffle(out)
        seen = {}
        return [(f, t) for f, t in out if not (f in seen or seen.update({f: 1}))]

    def describe(self):
        r, l, words = self.r, self.l, []
        if r.random() < 0.75:
            l.sep = r.choice(SEPARATORS)
            words.append("sep=" + l.sep)
        blank = l.sep == "blank"
        named = False
        if r.random() < 0.3:
            l.header = ["c%s" % "".join(chr(97 + int(d)) for d in str(k)) for k in range(1, self.n + 1)]
            for k in range(self.n):
                if r.random() < 0.2:
                    l.header[k] = r.choice(["LAT(ms)", "a-b", "x.y", "2nd", "size_b", "dur"] + ["a b"] * (not blank)) + "%d" % k
            l.header = [h if self.separator() not in h.encode() else "c" + chr(97 + i % 26) * (1 + i // 26) + "z" for i, h in enumerate(l.header)]
            named = True
            if r.random() < 0.5:
                words.append("header")
        l.comma = r.random() < 0.12
        if l.comma:
            words.append("decimal=comma")
        # time
        iso = r.random() < 0.12 and l.sep not in (":", "-", ".")
        if iso:
            kind, unit = ("iso",), None
            l.epoch = 1970
        else:
            unit = pick(r, [(None, 4), ((1, "us"), 2), ((1, "ns"), 1), ((1, "ms"), 1), ((100, "ns"), 2), ((1, "s"), 1), ((7, "us"), 1)])
            if r.random() < 0.25:
                l.epoch = r.choice([1970, 1970, 1601])
                words.append("epoch=%d" % l.epoch)
            kind = ("time", unit)
        v, t = self.value(kind, type_="iso" if iso else "", unit=unit, opt=0)
        if iso:
            v, t = self.joined(v, t)
        if r.random() < 0.15:
            l.time = v
            words.append("time=" + t)
            l.dur, t = self.value(kind, type_="iso" if iso else "", unit=unit, opt=0)
            if iso:
                l.dur, t = self.joined(l.dur, t)
            l.dur = l.dur._replace(less=v, opt=r.choice([0, 1, 2]))
            words.append("end=" + t + "?" * l.dur.opt)
        elif r.random() < 0.25:
            l.end = v
            words.append("end=" + t)
        else:
            l.time = v
            words.append("time=" + t)
        time_column = v.col
        # event
        if r.random() < 0.15:
            l.event = r.choice(["io", "a_constant_longer_than_sixteen", "x", "\u00e4"])
            words.append("event=" + l.event)
        else:
            names = self.names(True) if r.random() < 0.7 else None
            l.event, t = self.value(("word", names), names=names, opt=0, rest=names is None and r.random() < 0.1)
            words.append("event=" + t)
        if l.end or not l.dur and r.random() < 0.5:
            unit = r.choice([None, (1, "us"), (1, "ms"), (1, "ns"), (100, "ns")])
            form = r.random()
            if form < 0.7:
                l.dur, t = self.value(("dur", unit), unit=unit)
            elif form < 0.85:
                l.dur, t = self.difference(("dur", unit), "", unit)
            else:
                l.dur, t = self.difference(("iso",), "iso", None)
            words.append("dur=" + t)
        if r.random() < 0.7:
            if r.random() < 0.3:
                l.addr, t = self.value(("hex",), type_="hex")
            else:
                unit = r.choice([None, None, (512, ""), (4096, ""), (1, "")])
                l.addr, t = self.value(("int", unit), unit=unit)
            words.append("addr=" + t)
        if r.random() < 0.7:
            unit = r.choice([None, None, (512, ""), (1024, ""), (3, "")])
            l.size, t = self.value(("int", unit), unit=unit)
            words.append("size=" + t)
        if r.random() < 0.7:
            n = pick(r, [(1, 5), (2, 4), (3, 1), (8, 1)])
            have = r.random() < 0.6
            parts = []
            for i in range(n):
                name = "p%s" % chr(97 + i) if have else ""
                names = self.names(False) if r.random() < 0.25 else None
                v, t = self.value(("word", names), names=names, opt=0.08, numeric=False, last=i == n - 1)
                l.loc.append((name, v))
                parts.append((name + ":" if have else "") + t)
            words.append("loc=" + "/".join(parts))
        for i in range(r.choice([0, 0, 1, 1, 2, 3, 5])):
            name = "arg_%s" % chr(97 + i) if r.random() < 0.8 else "a_long_argument_name_%d" % i
            form = r.random()
            if form < 0.35:
                v, t = self.value(("text",), numeric=False)
            elif form < 0.5:
                v, t = self.value(("text",), rest=1, numeric=False)
            elif form < 0.6:
                v, t = self.value(("hex",), type_="hex")
            elif form < 0.75:
                unit = r.choice([(1, "s"), (1, "ns"), (1, "us"), (1, "ms"), (100, "ns")])
                v, t = self.value(("dur", unit), unit=unit)
            elif form < 0.9:
                unit = r.choice([(1, ""), (512, "")])
                v, t = self.value(("int", unit), unit=unit)
            else:
                names = self.names(False)
                v, t = self.value(("word", names), names=names, numeric=False)
            l.args.append((name, v))
            words.append(name + "=" + t)
        if r.random() < 0.25:
            k = abs(time_column) if time_column > 0 and not iso and r.random() < 0.7 else r.randrange(1, self.n + 1)
            l.record = k
            words.append("record=$%d" % k)
        for s in r.sample(["#", "--", "skip", "0", "total", "%"], r.choice([0, 0, 0, 0, 1, 1, 2, 3])):
            if s != "0" or r.random() < 0.3:
                l.skip.append(s.encode())
                words.append("skip=" + s)
        if r.random() < 0.2:
            lo = max(1, self.n - r.randrange(3))
            hi = self.n + r.randrange(3)
            if r.random() < 0.5:
                lo = hi = self.n
            l.columns = (lo, hi)
            words.append("columns=%d" % lo if lo == hi and r.random() < 0.8 else "columns=%d-%d" % (lo, hi))
        if r.random() < 0.15:
            l.block = r.choice([1, 512, 4096])
            words.append("block=%d" % l.block)
        if named and not any("$" in w and re.search(r"\$[{A-Za-z]", w) for w in words) and "header" not in words:
            words.append("header")
        # The order of settings and fields is free, but that of the arguments stays.
        args = [w for w in words if w.split("=")[0] in [a for a, _ in l.args]]
        rest = [w for w in words if w not in args]
        r.shuffle(rest)
        places = sorted(r.sample(range(len(rest) + len(args)), len(args)))
        merged, a, b = [], iter(args), iter(rest)
        for i in range(len(rest) + len(args)):
            merged.append(next(a) if i in places else next(b))
        text = ""
        for w in merged:
            text += w + pick(r, [(" ", 8), ("\n", 2), ("  ", 1), ("\t", 0), (" # a comment: size=$99 \n", 0.5)])
        l.text = text.rstrip(" ") if r.random() < 0.8 else "# first\n" + text

    def separator(self):
        return {"comma": b",", "tab": b"\t", "semicolon": b";", "blank": b" "}.get(self.l.sep) or self.l.sep.encode()

    def digits(self, top):
        r = self.r
        return b"%d" % min(top, r.choice([0, 1, 7, 512, 4096, r.randrange(100), r.randrange(10**6), r.randrange(2**40), r.randrange(2**64)]))

    def content(self, k, row):
        """The value of a cell."""
        r = self.r
        kind = self.kinds.get(k, ("text",))
        odd = r.random()
        if odd < self.odd:
            return r.choice([b"", b"-", b"", b"-", b"abc", b"1x", b"-5", b"18446744073709551615", b"18446744073709551616", b"99999999999999999999999",
                             b"1e30", b"1.5", b"0x10", b"0xfffffffffffffffff", b"1e400", b"1e-400", b"0e9", b"12e-1", b"1.25e2", b"3E2", b"1 2", b"0x", b"1e", b"e1",
                             r.choice(STRANGE), r.choice(WORDS).encode(), b"+", b"12K", b"5ms", b"7 kB", b"1.5M", b"0X1f", b"1,5", b"9223372036.854775807", b"9223372036.854775808", b"007", b"-1e5", b"12:30"])
        if kind[0] == "word" and kind[1] and r.random() < 0.9:
            return r.choice(kind[1])[0].replace("*", r.choice(["", "z", "zz"])).encode() or b"q"
        if kind[0] == "word":
            return pick(r, [(r.choice(self.words).encode(), 10), (b"m", 1), (r.choice(WORDS).encode(), 1), (r.choice(STRANGE), 0.5)])
        if kind[0] == "text":
            return pick(r, [(r.choice(self.words).encode(), 6), (r.choice(STRANGE), 2), (self.digits(10**20), 2), (b"-", 0.5), (b"", 0.5)])
        if kind[0] == "cond":
            return pick(r, [(kind[1].replace("*", "z").encode(), 6), (r.choice([b"+", b"", b"x", b"0x1", b"-"]), 3)])
        if kind[0] == "hex" and r.random() < 0.2:
            return r.choice([b"0x", b"0X", b"0x0000"]) + b"%x" % int(self.digits(U64))
        if kind[0] == "hex":
            return b"%x" % int(self.digits(U64)) if r.random() < 0.8 else b"%X" % int(self.digits(U64))
        if kind[0] in ("time", "dur", "int") and r.random() < 0.06:
            units = SIZES if kind[0] == "int" else TIMES
            return r.choice([b"%d%s%s", b"%d.5%s%s", b"%d.123456789%s%s"]) % (r.randrange(10**r.randrange(1, 7)), r.choice([b"", b"", b" "]),
                                                                             r.choice(list(r.choice([units, units, units, {**TIMES, **SIZES}]))))
        if kind[0] == "day":
            return b"20%02d-%02d-%02d" % (r.randrange(0, 99), r.randrange(1, 13), r.randrange(1, 29))
        if kind[0] == "clock":
            return b"%02d:%02d:%02d" % (r.randrange(24), r.randrange(60), r.randrange(60)) + r.choice([b"", b".5", b".123", b".000001"])
        if kind[0] == "iso":
            t = row * r.choice([1, 60, 3600])
            s = b"20%02d-%02d-%02d%s%02d:%02d:%02d" % (r.randrange(0, 99), r.randrange(1, 13), r.choice([r.randrange(1, 29), r.randrange(28, 32)]), r.choice([b"T", b" "]),
                                                    r.randrange(24), t // 60 % 60, t % 60)
            if r.random() < 0.5:
                s += b".%0*d" % (r.choice([1, 3, 6, 9, 11]), r.randrange(10))
            if r.random() < 0.4:
                s += b"%s%02d:%02d" % (r.choice([b"+", b"-"]), r.randrange(15), r.choice([0, 30, 45]))
            return s
        if kind[0] in ("time", "dur"):
            factor = kind[1][0] * NS[kind[1][1]] if kind[1] else 10**9
            ns = r.choice([0, r.randrange(10**3), r.randrange(10**9), r.randrange(10**12)]) if kind[0] == "dur" else \
                self.start + row * 10**r.randrange(3, 10) + r.randrange(10**6)
            v = Fraction(ns, factor)
            if r.random() < 0.15:  # with more decimals than there are nanoseconds
                return b"%d.%d%s" % (int(v), r.randrange(10**9), b"%d" % r.randrange(10**6))
            if v.denominator == 1 and r.random() < 0.7:
                return b"%d" % v
            places = r.choice([1, 3, 6, 9])
            return b"%d.%0*d" % (v // 1, places, (v % 1) * 10**places // 1)
        form = r.random()
        d = self.digits(U64 // (kind[1][0] if kind[1] else 1))
        if form < 0.85:
            return d
        if form < 0.9:
            return b"0x%x" % int(d)
        if form < 0.94:
            return d + b".0"
        if form < 0.97:
            return b"00" + d
        return b"%de%d" % (r.randrange(100), r.randrange(10))

    def encode(self, value):
        """A cell as it stands in a line."""
        r, sep = self.r, self.separator()
        if self.l.comma and re.match(rb"[0-9.]+\Z", value) and r.random() < 0.97:
            value = value.replace(b".", b",")
        if self.l.sep == "blank":
            value = re.sub(rb"[ \t]", b"_", value)
            return value or b"-"
        if sep in value or value[:1] == b'"' or value.strip() != value or r.random() < self.quotes:
            value = b'"' + value.replace(b'"', b'""') + b'"'
        if r.random() < self.blanks:
            value = b" " * r.randrange(3) + value + b" " * r.randrange(3)
        return value

    def line(self, row):
        r = self.r
        x = r.random()
        if x < 0.04 and self.l.skip:
            return r.choice(self.l.skip) + r.choice([b"", b" a comment", b",,,", b"1,2,3"])
        if x < 0.05:
            return r.choice([b"", b" ", b"#x", b"no record", b"total 5", self.separator() * 3])
        n = self.n
        y = r.random()
        if y < self.ragged:
            n = r.choice([max(1, n - 1), n + 1, n + 2, r.randrange(1, n + 1), n * 2])
        sep = self.separator()
        if self.l.sep == "blank":
            line = b"".join(self.encode(self.content(k, row)) + (r.choice([b" ", b"  ", b"\t", b" \t "]) if r.random() < 0.3 else b" ") for k in range(1, n + 1))
            if r.random() < 0.8:
                line = line.rstrip(b" \t")
            return r.choice([b"", b"", b"", b" ", b"   "]) + line
        return sep.join(self.encode(self.content(k, row)) for k in range(1, n + 1))

    def make(self):
        """Lines of the input, and what they are."""
        r, l = self.r, self.l
        self.start = r.choice([0, 0, r.randrange(10**15), 10**18 + r.randrange(10**17)])
        if l.epoch == 1601 or (l.epoch and not self.start):
            self.start += 12 * 10**18 if l.epoch == 1601 else 10**18
        self.odd = r.choice([0, 0, 0.005, 0.02, 0.1])
        self.ragged = r.choice([0, 0, 0.03, 0.2])
        self.quotes = r.choice([0, 0, 0.05, 0.5])
        if any(v.rest for v in [v for _, v in l.args] + [l.event] * (not isinstance(l.event, str))):
            self.quotes = 0  # what quotes are in the rest of a line is open
        self.blanks = r.choice([0, 0, 0.1, 0.5])
        cr = r.choice([0, 0, 0, 1, 0.5])
        self.lines, self.events, self.broken, self.none = [], [], [], 0
        rows = r.choice([1, 2, r.randrange(1, 61), r.randrange(1, 61), 60])
        body = []
        for row in range(rows):
            if body and r.random() < 0.15:
                line, what = r.choice(body)
            else:
                for _ in range(30):
                    line = self.line(row)
                    if b"\n" in line or line.endswith(b"\r"):
                        continue
                    try:
                        what = self.reader.read(line)
                    except Open as e:
                        self.opens[str(e)] += 1
                        continue
                    except Broken:
                        what = False
                    break
                else:
                    continue
            body.append((line, what))
        first = 1
        if l.header:
            first = 2
            names = [h.encode() for h in l.header]
            if l.sep == "blank":
                self.lines.append(b" ".join(names))
            else:
                self.lines.append(self.separator().join(b'"%s"' % h if r.random() < 0.1 else b" " + h + b" " if r.random() < 0.1 else h for h in names))
        first_line = not l.header
        for i, (line, what) in enumerate(body):
            self.lines.append(line)
            if not line.strip(b" \t"):
                continue
            if what is False and line.lstrip(b" \t").startswith(b"#"):
                what = None  # a comment
            if first_line and what is False and self.reader.has_words_for_numbers(line):
                first_line = False  # the columns' names
                continue
            first_line &= line.lstrip(b" \t").startswith(b"#")
            if what is None:
                self.none += first + i > 1  # the first line is not counted
            elif what is False:
                self.broken.append(first + i)
            else:
                self.events.append((first + i, what))
        ends = [b"\r\n" if r.random() < cr else b"\n" for _ in self.lines]
        if ends and r.random() < 0.2 and self.lines[-1] != b"":
            ends[-1] = b""
        self.input = b"".join(a + b for a, b in zip(self.lines, ends))

    def expected(self, origin=0, events=None):
        return [b"\t".join([seconds(e[0] - origin)] + e[1:]) for _, e in (self.events if events is None else events)]


# The comparison.

class Difference(Exception):
    pass


class Check:
    def __init__(self, programs):
        self.program = os.path.join(os.path.abspath(programs), "trace-filter")
        self.events = self.refused = self.bad = self.done = 0
        self.opens = collections.Counter()

    def run(self, args, data=None, pieces=None, env=None):
        e = dict(os.environ, LC_ALL="C", **(env or {}))
        p = subprocess.Popen([self.program, *args], stdin=subprocess.PIPE if data is not None else subprocess.DEVNULL,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=e)
        if pieces:
            def feed():
                try:
                    i = 0
                    for n in pieces:
                        if i >= len(data):
                            break
                        p.stdin.write(data[i:i + n])
                        p.stdin.flush()
                        i += n
                    p.stdin.write(data[i:])
                    p.stdin.close()
                except BrokenPipeError:
                    pass
            feeder = threading.Thread(target=feed)
            errors = []
            reader = threading.Thread(target=lambda: errors.append(p.stderr.read()))
            feeder.start()
            reader.start()
            out = p.stdout.read()
            feeder.join()
            reader.join()
            return out, p.wait(), errors[0].decode("latin-1")
        out, err = p.communicate(data)
        return out, p.returncode, err.decode("latin-1")

    def lines(self, way, got, want):
        got = got.split(b"\n")
        if got.pop() != b"":
            raise Difference(way, "output without a newline at its end")
        for i in range(max(len(got), len(want))):
            a = got[i] if i < len(got) else None
            b = want[i] if i < len(want) else None
            if a != b:
                raise Difference(way, "output line %d\n    came:     %s\n    expected: %s" % (i + 1, a, b))

    def messages(self, way, case, result):
        """Status and messages of a whole run."""
        out, status, err = result
        if "-O columns:" in err:
            raise Difference(way, "the description is refused: " + err)
        want = 2 if case.broken else 0 if case.events else 1
        if status != want:
            raise Difference(way, "status %d, expected %d: %s" % (status, want, err[:500]))
        named = [int(m) for m in re.findall(r"(?m)^trace-filter: [^\n]*?:(\d+): ", err)]
        if named != case.broken[:10]:
            raise Difference(way, "lines named: %s, expected %s: %s" % (named, case.broken[:10], err[:1000]))
        m = re.search(r"(\d+) records? skipped", err)
        if (int(m.group(1)) if m else 0) != len(case.broken):
            raise Difference(way, "%d records are broken: %s" % (len(case.broken), err))
        m = re.search(r"(\d+) lines? held no event", err)
        if (int(m.group(1)) if m else 0) != case.none:
            raise Difference(way, "%d lines are without an event: %s" % (case.none, err))

    def case(self, seed, directory):
        case = Case(seed)
        self.opens += case.opens
        r = random.Random(seed + 10**9)
        path = os.path.join(directory, "trace")
        with open(path, "wb") as f:
            f.write(case.input)
        layout = case.l.text
        if r.random() < 0.2:
            layout = os.path.join(directory, "layout")
            with open(layout, "w", encoding="utf-8") as f:
                f.write(case.l.text)
        base = ["-t", "-A", "-O", "columns=" + layout, "*"]
        want = case.expected()
        whole = self.run(base + [path])
        try:
            self.messages("file", case, whole)
            self.lines("file", whole[0], want)
            for mode in r.sample(["slow", "plain", "sse2"], 2):
                got = self.run(["--tune", "simd=" + mode] + base + [path])
                self.lines("simd=" + mode, got[0], want)
                self.messages("simd=" + mode, case, got)
            pieces = [r.choice([1, 2, 3, r.randrange(1, 40), r.randrange(1, 400)]) for _ in range(40)]
            got = self.run(base, case.input, pieces)
            self.lines("pipe", got[0], want)
            self.messages("pipe", case, got)
            size = str(r.choice([1, 2, 7, 16, r.randrange(1, 200), 4096]))
            got = self.run(["--tune", "read=" + size, "--tune", "simd=" + r.choice(["", "slow", "plain", "sse2"])] + base + [path])
            self.lines("read=" + size, got[0], want)
            self.messages("read=" + size, case, got)
            binary = self.run(["-b"] + base[1:] + [path])
            self.messages("-b", case, binary)
            got = self.run(["-t", "*"], binary[0])
            self.lines("-b read back", got[0], want)
            got = self.run(["-H"] + base + [path])
            self.header(case, got[0], want)
            # The origin is the time of the first record.
            if case.events and (not case.l.epoch or not case.broken or case.broken[0] > case.events[0][0]):
                origin = 0
                if case.l.epoch and case.l.time:
                    origin = case.events[0][1][0]
                if not case.l.epoch or case.l.time:
                    got = self.run([x for x in base if x != "-A"] + [path])
                    self.lines("without -A", got[0], case.expected(origin))
            got = self.run(base + [path, path])
            self.lines("file twice", got[0], want + want)
            # The parts together are the whole input.
            n = r.randrange(2, 6)
            parts = [self.run(["--chunk", "%d/%d" % (k, n)] + base + [path]) for k in range(1, n + 1)]
            self.lines("--chunk K/%d" % n, b"".join(p[0] for p in parts), want)
            lost = sum(int(m) for p in parts for m in re.findall(r"(\d+) records? skipped", p[2]))
            if lost != len(case.broken):
                raise Difference("--chunk K/%d" % n, "%d records skipped, expected %d" % (lost, len(case.broken)))
            if case.broken:
                got = self.run(["--strict"] + base + [path])
                self.lines("--strict", got[0], case.expected(0, [e for e in case.events if e[0] < case.broken[0]]))
        except Difference as d:
            self.bad += 1
            print("seed %d: %s: %s" % (seed, d.args[0], d.args[1]))
            print("    description: %r\n    input: %r" % (case.l.text, case.input[:3000]))
        self.events += len(case.events)
        self.refused += len(case.broken)
        self.done += 1

    def header(self, case, text, want):
        """That of -H: names of loc, metadata, and how many events were lost."""
        lines = text.split(b"\n")[:-1]
        l = case.l
        if not case.input and not lines:
            return
        body = [x for x in lines if not x.startswith(b"#")]
        self.lines("-H", b"".join(x + b"\n" for x in body), [x for x in want if not x.startswith(b"#")])
        heads = [x for x in lines if x.startswith((b"##", b"#time"))]
        if b"##clock\ts\torigin=0.000000000" not in heads:
            raise Difference("-H", "no clock: %r" % heads)
        names = b"##loc\t" + b"/".join(n.encode() for n, _ in l.loc)
        if (names in heads) != bool(l.loc and l.loc[0][0]):
            raise Difference("-H", "names of loc: %r, expected %r" % (heads, names))
        if l.block is not None and b"##meta\tblock=%d" % l.block not in heads:
            raise Difference("-H", "no block: %r" % heads)
        last = b"##error\tevents=%d\tlost=%d\t" % (len(want), len(case.broken)) if case.broken else b"##end\tevents=%d" % len(want)
        if not heads[-1].startswith(last):
            raise Difference("-H", "the last line: %r, expected %r" % (heads[-1], last))


def main(argv):
    programs, count, first = argv[1], int(argv[2]), int(argv[3])
    check = Check(programs)
    with tempfile.TemporaryDirectory() as directory:
        for seed in range(first, first + count):
            check.case(seed, directory)
            if check.bad >= SHOWN:
                break
    if "-v" in argv:
        for reason, n in check.opens.most_common():
            print("left out %6d: %s" % (n, reason))
    if check.bad:
        return 1
    print("%d descriptions, %d events, %d lines refused: all as the page says" % (check.done, check.events, check.refused))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
