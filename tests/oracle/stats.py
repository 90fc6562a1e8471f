#!/usr/bin/env python3
"""stats.py - holds trace-stats against the evaluator and plain sums of it: computed keys, arguments, columns,
-e, -k and --having, over every stream, as text and as binary.

usage: stats.py [-n N] [-s SEED] [-a] BIN [STREAM...]     -a shows every difference, not only the first 20

Prints the differences and "N passed, N failed", and ends with status 1 if there was one.
"""
import copy
import getopt
import glob
import os
import random
import re
import subprocess
import sys
import tempfile
from fractions import Fraction

sys.dont_write_bytecode = True
import values as v  # noqa: E402
from cases import HERE  # noqa: E402
from events import Stream  # noqa: E402
from expr import Compiler, Run, old_number, written  # noqa: E402
from random_expr import expressions  # noqa: E402
from syntax import Refused, parse, parse_list  # noqa: E402

LOOKS_BACK = re.compile(r"(?<![\w.])(prev\.|nth(?![\w.])|total\()")
# Aggregates of X, by name of their column.
ASKED = "n = count, s = sum(%s), mn = min(%s), mx = max(%s), d = distinct(%s), m = mean(%s), p50,p90,p100(%s), f = first(%s)"
# Columns of them; the names stand for the aggregates.
COMPUTED = ["s / max(n, 3)", "s * 3 // 2", "mx - mn", "coalesce(mn, s)", "if(n > 2, s, mx)", "s // max(d, 1)", "max(mx, mn)",
            "s / n", "m * n - s", "m * 3", "(mx - mn) / 7 * 7", "s % 7", "n / s", "(mx > mn) + (n & 3)", "abs(mn) * abs(mx) // 4294967296", "s / s"]
# Columns that are computed with means and quotients as they are, and rounded when they are printed.
EXACT = {"s / max(n, 3)", "s / n", "m * n - s", "m * 3", "(mx - mn) / 7 * 7"}
HAVING = ["n > 1", "s > 0", "s / n < mx", "d = 1 and n > 1", "mn + 1 > 0 or n = 1", "k = 0", "event = R", "not (n < 3)",
          "f?", "s > 4K", "count = 1"]
KEYS = [None, None, "", "event", "loc,event", "size // 1000"]
TESTS = [None, None, "prev.event?", "nth % 2 = 0", "size > 512", "prev.size < size"]


def number(t):
    """What an aggregate takes a text for: a number to nine decimals, or without decimals from 2^64 ns on; else the text."""
    n = None if t is None else old_number(t)
    if n is None:
        return t
    decimal = (n % 1 != 0 or b"." in t) and int(abs(n)) < 2**64 // v.NS
    return (Fraction(n) if decimal else Fraction(int(n))), decimal


class Group:
    def __init__(self):
        self.n, self.all, self.written = 0, [], []

    def take(self, t):
        self.n += 1
        if t is not None:
            self.all.append(number(t))
            self.written.append(t)

    def answers(self):
        """The aggregates of ASKED, as Fractions, text or None. The mean has six places, or nine of a time, and six digits."""
        num = sorted(x[0] for x in self.all if isinstance(x, tuple))
        out = {"n": Fraction(self.n), "d": Fraction(len(set(self.written))), "f": self.written[0] if self.written else None}
        if not num:
            return dict(out, s=None, mn=None, mx=None, m=None, p50=None, p90=None, p100=None)
        part = {"p%d" % p: num[max(-(-p * len(num) // 100), 1) - 1] for p in (50, 90, 100)}
        return dict(out, s=sum(num), mn=num[0], mx=num[-1], m=sum(num) / len(num), **part)


class Check:
    def __init__(self, programs, shown):
        self.stats, self.filter = (os.path.join(programs, p) for p in ("trace-stats", "trace-filter"))
        self.shown, self.good, self.bad = shown, 0, 0

    def passed(self, ok, *words):
        if ok:
            self.good += 1
            return
        self.bad += 1
        if self.bad <= self.shown:
            print("not so: " + "\n    ".join(str(w) for w in words))

    def run(self, args, path):
        p = subprocess.run([self.stats, *args, path], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        rows = [line.split("\t") for line in p.stdout.decode("latin-1").split("\n")[:-1] if line[:1] != "#"]
        return rows, p.returncode, p.stderr.decode("latin-1"), p.stdout

    @staticmethod
    def groups(stream, keys, of, test, by):
        """{texts of keys: Group}, and the unit of the value."""
        if test:
            run = Run(stream, "loc" if by is None else by)
            t = run.compiler.test(parse(test))
            stream = copy.copy(stream)
            stream.events = [e for e in run.each() if t(e)]
        if by is None:
            by = ",".join(k for k in keys if not LOOKS_BACK.search(k))
        run = Run(stream, by)
        parts = [run.item(*parse_list(k)[0], run.compiler)[1] for k in keys]
        value = run.compiler.value(parse_list(of)[0][1])
        out = {}
        for e in run.each():
            key = tuple(p(e).decode("latin-1") for p in parts)
            if value.plain:
                t = e.written(value.plain)
            else:
                t = None if value.complete(e) is None else written(value, e)
            out.setdefault(key, Group()).take(t)
        return out, value.unit

    def column(self, text, row, unit, ticks):
        """What a column of aggregates is, of the cells of its row."""
        units = {"n": "number", "d": "number"}
        e = type("Row", (), {"names": {}, "stream": self})()
        for name, cell in row.items():
            units.setdefault(name, unit)
            e.names[name] = self.cell(cell, units[name] == "time", ticks)
        e.value = lambda name: e.names[name]
        return Compiler(ticks, units).value(parse(text)).complete(e)

    @staticmethod
    def cell(cell, time, ticks):
        if cell == "-":
            return None
        if time:
            n = Fraction(cell) * (1 if ticks else v.NS)
            return v.Time(int(n)) if n.denominator == 1 else v.exact(n) if ticks else v.Time(v.nearest(n))
        return int(cell) if re.fullmatch("-?[0-9]+", cell) else v.of_text(cell.encode())

    @staticmethod
    def same(want, got, name):
        if want is None or got == "-":
            return want is None and got == "-"
        if isinstance(want, bytes):
            return want.decode("latin-1") == got
        is_number = re.fullmatch("-?[0-9]+([.][0-9]+)?(e[+-][0-9]+)?", got)
        if not is_number:
            return False
        # The mean is rounded.
        near = min(Fraction(1, 10**6), abs(want) / 10**5) if name == "m" else 0
        return abs(Fraction(got) - want) <= near

    def question(self, path, other, stream, keys, of, computed, test, by):
        try:
            want, unit = self.groups(stream, keys, of, test, by)
        except Refused as r:
            sys.exit("stats.py: an expression is none: %s: %s" % (of, r))
        asked = re.sub("%s", lambda _: of, ASKED)
        names = ["n", "s", "mn", "mx", "d", "m", "p50", "p90", "p100", "f"]
        columns = [c for c in computed if self.legal(c, unit, stream.ticks)]
        for i, c in enumerate(columns):
            text = re.sub(r"\b(n|s|mn|mx|d|m)\b", lambda m: self.aggregate(m[1], of), c)
            asked += ", c%d = %s" % (i, text)
        args = ["-g", ", ".join("%s = %s" % (k, t) for k, t in zip(("k", "l"), keys)), "-a", asked]
        args += ["-k", by] if by is not None else []
        args += ["-e", test] if test else []
        got, status, said, out = self.run(args, path)
        about = "%s: %s" % (os.path.basename(path), " ".join(repr(a) for a in args))
        self.passed(out == self.run(args, other)[3], about, "binary is not as text")
        rows = {tuple(r[:len(keys)]): r[len(keys):] for r in got}
        if set(rows) != set(want) or len(rows) != len(got) or status < 0:
            self.passed(not want and status == 2, about, "groups: %s, expected %s" % (sorted(set(rows) - set(want))[:4], sorted(set(want) - set(rows))[:4]), said)
            return
        bad = []
        for key, g in want.items():
            for name, cell in zip(names, rows[key]):
                if not self.same(g.answers()[name], cell, name):
                    bad.append("%s of %s: %s, expected %s" % (name, key, cell, g.answers()[name]))
            have = dict(zip(names[:6], rows[key]))
            cells = [self.cell(have[x], unit == "time", stream.ticks) for x in ("s", "mn", "mx")]
            # What does not fit 64 bits is left as it is in a column; a mean of ticks has decimals there.
            if any(v.fits(x) is None for x in cells if x is not None):
                continue
            for i, c in enumerate(columns):
                if c in EXACT:
                    want_x = self.exact(c, g.answers())
                    if not self.near(want_x, rows[key][len(names) + i], unit == "time", stream.ticks, g.answers()):
                        bad.append("%s of %s: %s, expected %s" % (c, key, rows[key][len(names) + i], want_x and float(want_x)))
                    continue
                x = v.write(self.column(c, have, unit, stream.ticks), stream.ticks).decode()
                if x != rows[key][len(names) + i]:
                    bad.append("%s of %s, %s: %s, expected %s" % (c, key, have, rows[key][len(names) + i], x))
        self.passed(not bad, about, *bad[:3], said)

    @staticmethod
    def exact(text, answers):
        """A column of EXACT in fractions; None where something is absent."""
        if any(answers[n] is None for n in re.findall("[a-z]+", text) if n in answers):
            return None
        return eval(text, {"max": max}, dict(answers))

    @staticmethod
    def near(want, got, time, ticks, answers):
        """Whether a cell is that fraction, to half of its last decimal or to what doubles of such operands are off by."""
        if want is None or got == "-":
            return got == "-" and (want is None or abs(want) * (v.NS if time and not ticks else 1) >= 2**63)
        scale = max(abs(x) for x in answers.values() if isinstance(x, Fraction))
        if not time:
            return abs(Fraction(got) - want) <= scale / 10**14
        # Ticks and a part of one are a double, where an operand is no whole number of ticks.
        least = scale / 10**15 if ticks else 0
        return abs(Fraction(got) - want) <= max(least, min(Fraction(51, 10**8 if ticks else 10**11), max(abs(want) / 10**5, scale / 10**14)))

    @staticmethod
    def aggregate(name, of):
        kind = {"n": "count", "s": "sum", "mn": "min", "mx": "max", "d": "distinct", "m": "mean"}[name]
        return kind if name == "n" else "%s(%s)" % (kind, of)

    @staticmethod
    def legal(text, unit, ticks):
        units = {"n": "number", "d": "number", "s": unit, "mn": unit, "mx": unit, "m": unit}
        try:
            Compiler(ticks, units).value(parse(text))
        except Refused:
            return False
        return unit != "text"

    def stream(self, path, n, seed):
        r = random.Random("%s/%s" % (seed, os.path.basename(path)))
        with open(path, "rb") as f:
            stream = Stream(f.read())
        # Names and functions of texts are check.py's; a number with an exponent is exact to one and a real to the other.
        other = re.compile(r'[="]|\de\d|(len|lower|base|sub|part)\(')
        values = [t for kind, t in expressions(4 * n, seed, stream) if kind == "value" and not other.search(t)]
        with tempfile.TemporaryDirectory() as d:
            other = os.path.join(d, os.path.basename(path))
            subprocess.run([self.filter, "-b", "-o", other, "time?", path], check=True)
            for i in range(n):
                keys = [r.choice(values) if r.random() < 0.6 else r.choice(["event", "loc", "size // 512", "nth // 10"])
                        for _ in range(r.randint(1, 2))]
                if Compiler(stream.ticks).needs_clock:
                    continue
                self.question(path, other, stream, keys, r.choice(values), r.sample(COMPUTED, 4), r.choice(TESTS), r.choice(KEYS))


def main(argv):
    options, rest = getopt.getopt(argv[1:], "n:s:a")
    o = dict(options)
    check = Check(rest[0], 10**9 if "-a" in o else 20)
    for path in rest[1:] or sorted(glob.glob(os.path.join(HERE, "streams", "*.txt"))):
        check.stream(path, int(o.get("-n", 50)), o.get("-s", "1"))
    print("%d passed, %d failed" % (check.good, check.bad))
    return 1 if check.bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
