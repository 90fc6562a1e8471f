#!/usr/bin/env python3
"""merge_check.py - holds trace-merge against merge.py over random streams, as text and as binary, and against what
must hold of any merge: the merge of one merge is itself, a filter goes before or behind, and sort(1) agrees.

usage: merge_check.py [-n N] [-s SEED] [-a] [-k DIR] BIN
       N cases, of the seeds from SEED on; -a shows every difference, not only the first 20; -k keeps the files

Prints the differences, each with its seed, and "N passed, N failed"; ends with status 1 if there was one.
"""
import bisect
import os
import random
import re
import subprocess
import sys
from fractions import Fraction

sys.dont_write_bytecode = True
from driver import Driver, lines, main  # noqa: E402
from merge import NS, Input, Refused, heads, merged, nearest, seconds  # noqa: E402

STRINGS = [rb"a\x20b", rb"\x5c\x5c", b'""', rb"\x2d", rb'\x22"', "\u00e4\u20ac".encode(), rb"x\x09y", rb"\xff", rb"a,b\x2cc", b"7", b"-7", b"=",
           b"1.5", b"0x1f"]
EVENTS = [b"R", b"W", b"MPI_Send", b"OHx", rb"client\x20open", b"read"]
LOCS = [b"-", b"0", b"1", b"7", b"3/4", b"0x1015a", rb"node\x2010/5"]
TESTS = ["event = R", "size > 4096", "addr?", "loc1 = 1 or loc1 = 7"]
FACTORS = ["1", "1.000012", "0.999999999", "2", "0.5", "1.5", "0.333333333", "1.000000001"]


def number(r):
    return b"%d" % r.choice([0, 1, 512, 4096, 8192, r.randrange(2**20), r.randrange(2**64)])


def random_event(r, ticks):
    f = [r.choice(LOCS), r.choice(EVENTS)]
    f.append(r.choice([b"-", number(r), b"0x%x" % r.randrange(2**32)]))
    f.append(r.choice([b"-", number(r)]))
    f.append(r.choice([b"-", b"%d" % r.randrange(99) if ticks else seconds(r.randrange(10**10))]))
    for name in r.sample([b"a", b"file", b"x1", rb"n\x20m", b"trace"], r.choice([0, 0, 1, 2, 4])):
        f.append(name + b"=" + r.choice([number(r), r.choice(STRINGS), b"1,2,3", b""]))
    return b"\t".join(f)


def random_times(r, ticks, n, start):
    """Times with many that are equal; some are moved a few places."""
    step = r.choice([1, 3, 1000, NS])
    t, times = start, []
    for _ in range(n):
        t += r.choice([0, 0, 1, 1, r.randrange(5)]) * step
        times.append(t)
    disorder = r.choice([0, 0, 1, 2, 5, 30, n])
    for i in range(n):
        if disorder and r.random() < 0.2:
            times.insert(min(i + r.randrange(disorder + 1), n - 1), times.pop(i))
    return [max(t, 0) for t in times] if ticks else times


class Case:
    """Streams and options of one seed."""

    def __init__(self, seed):
        self.r = r = random.Random(seed)
        self.ticks = r.random() < 0.2
        self.k = r.choice([1, 2, 2, 3, 4, 6, 12])
        # headed: no origin, or one each; bare: no header; some: headers without an origin
        self.heads = r.choice(["bare", "bare", "some", "headed", "origins", "origins", "mixed"]) if not self.ticks else r.choice(["bare", "headed"])
        self.how = r.choice([None, None, "first", "none", "event = R", "event = W"])
        if self.ticks and self.how is None and r.random() < 0.1:
            self.how = "none"
        far = r.choice([0, 0, 10**15, 10**17])
        base = r.choice([0, 0, 1000, 10**12]) + far
        self.names = [r.choice(["in%d", "a=b%d", "with blank %d", "in%d"]) % (i + 1) for i in range(self.k)]
        self.data = [self.stream(base + r.choice([0, 0, 1, r.randrange(10**6)])) for _ in range(self.k)]
        self.sortable = far == 0
        self.offsets, self.scales, self.trace, self.trace_loc = [], [], r.random() < 0.2, r.random() < 0.1
        if r.random() < 0.5:
            for n in r.sample(range(1, self.k + 1), r.randrange(1, self.k + 1)):
                if r.random() < 0.7:
                    self.offsets.append((n, self.offset()))
                if r.random() < 0.4:
                    self.scales.append((n, r.choice(FACTORS)))

    def offset(self):
        """A text: seconds with up to nine decimals, or ticks."""
        r = self.r
        if r.random() < 0.03:
            return "+18446744073709551615" if self.ticks else "+9223372036s"
        n = r.choice([1, 5, 999, NS, 1500 * 10**6, r.randrange(10**12)]) * r.choice([1, -1])
        if self.ticks:
            return "+%d" % abs(n)
        text = seconds(n).decode()
        return (text if n < 0 else "+" + text).rstrip("0").rstrip(".") + "s"

    def stream(self, start):
        r = self.r
        headed = {"bare": False, "some": r.random() < 0.5, "mixed": r.random() < 0.7}.get(self.heads, True)
        n = r.choice([1, 5, 20, 60]) if not headed else r.choice([0, 1, 5, 20, 60])
        origin = r.choice([10**18, 10**18 + 5, 10**18 + r.randrange(10**10)]) if self.heads in ("origins", "mixed") else 0
        if self.heads not in ("origins", "mixed") and not self.ticks and r.random() < 0.2:
            start = -start
        text = b""
        if headed:
            clock = b"ticks" if self.ticks else b"s\torigin=" + seconds(origin)
            text += b"##spoor\t1\n##format\tspc\n##clock\t" + clock + b"\n"
        for t in random_times(r, self.ticks, n, start):
            text += (b"%d" % t if self.ticks else seconds(t)) + b"\t" + random_event(r, self.ticks) + b"\n"
        return text + (b"##end\tevents=%d\n" % n if headed else b"")

    def options(self, names):
        """As they are typed; an input by its name or by its place."""
        given = [("--offset", p) for p in self.offsets] + [("--scale", p) for p in self.scales]
        words = []
        for option, (n, value) in given:
            words += [option, "%s=%s" % (self.r.choice([names[n - 1], "@%d" % n]), value)]
        if self.how:
            words += ["--align-event" if self.how.startswith("event") else "--align", self.how]
        return words + (["--trace"] if self.trace else []) + (["--trace-loc"] if self.trace_loc else [])

    def inputs(self, names):
        return [Input(escaped(n), d) for n, d in zip(names, self.data)]

    def answer(self, names, **but):
        """(lines, lost); "refused" where the clocks cannot be related."""
        unit = 1 if self.ticks else NS
        arguments = {"offsets": [(n, nearest(Fraction(v.rstrip("s")) * unit)) for n, v in self.offsets],
                     "scales": [(n, Fraction(f)) for n, f in self.scales], "how": self.how, "trace": self.trace, "trace_loc": self.trace_loc}
        arguments.update(but)
        try:
            return merged(self.inputs(names), **arguments)
        except Refused:
            return "refused", 0


def lateness(times):
    """How much earlier each is than one before it."""
    most, by = times[:1], []
    for t in times:
        most = [max(most[0], t)]
        by.append(most[0] - t)
    return by


def late(times):
    """How many places the latest event comes after where it belongs."""
    ordered, most = [], 0
    for t in times:
        place = bisect.bisect_right(ordered, t)
        most = max(most, len(ordered) - place)
        ordered.insert(place, t)
    return most


def escaped(name):
    return name.encode().replace(b"\\", b"\\x5c").replace(b" ", b"\\x20")


class Merge(Driver):
    def files(self, case, where, form):
        """Writes the inputs as text, as binary, or as one of them each; their names."""
        names = []
        for name, data in zip(case.names, case.data):
            text = os.path.join(where, name + ".txt")
            with open(text, "wb") as f:
                f.write(data)
            binary = form == "binary" or form == "both" and case.r.random() < 0.5
            names.append(name + (".bin" if binary else ".txt"))
            if binary:
                subprocess.run([os.path.join(self.programs, "trace-filter"), "-b", "-o", name + ".bin", "time?", name + ".txt"],
                               cwd=where, check=False, stderr=subprocess.DEVNULL)
        return names

    def case(self, seed, where):
        case = Case(seed)
        for form in ("text", "binary", "both"):
            names = self.files(case, where, form)
            options = case.options(names)
            want, lost = case.answer(names)
            got, status, said = self.run("trace-merge", "-t", *options, *names, cwd=where)
            about = ("seed %d: trace-merge -t %s" % (seed, " ".join("'%s'" % w for w in options + names)), said, "status %d" % status)
            if want == "refused":
                self.passed(status == 2 and not got, *about, "expected a refusal")
                continue
            self.same(lines(got), want, *about)
            self.passed(status == (2 if lost else 0), *about)
        names = self.files(case, where, "both")
        self.in_order(case, seed, where, names)
        self.no_window(case, seed, where, names)
        self.windows(case, seed, where, names)
        self.properties(case, seed, where, self.files(case, where, "text"))

    def in_order(self, case, seed, where, names):
        """--check: status 1 if an input is not in order."""
        times = [[e[0] for e in x.events] for x in case.inputs(names)]
        _, status, said = self.run("trace-merge", "--check", *names, cwd=where)
        about = ("seed %d: trace-merge --check %s" % (seed, names), said, "status %d" % status)
        self.passed(status == any(t != sorted(t) for t in times), *about)
        for t, told in zip([t for t in times if t != sorted(t)], said.split("\n")):
            back = [i for i, by in enumerate(lateness(t)) if by]
            by = max(lateness(t))
            text = "%d" % by if case.ticks else seconds(by).decode()
            want = "event %d: out of order, %d more, up to %s late" % (back[0] + 1, len(back) - 1, text)
            self.passed(told.replace(" ticks", "").endswith(want) or len(back) == 1, *about, "expected " + want)

    def no_window(self, case, seed, where, names):
        """--resort 0: the inputs as they stand; the messages name a window that puts all in order."""
        want, lost = case.answer(names, offsets=[], scales=[], how="none", trace=False, trace_loc=False)
        if want == "refused" or lost:
            return
        inputs = case.inputs(names)
        args = ["trace-merge", "-t", "--align", "none", "--resort"]
        got, status, said = self.run(*args, "0", *names, cwd=where)
        about = ("seed %d: trace-merge -t --align none --resort 0 %s" % (seed, names), said, "status %d" % status)
        self.same(lines(got), heads(inputs), *about)
        asked = re.findall(r"--resort ([0-9.]+)(ticks|s) puts", said)
        self.passed((status == 2) == bool(asked) == any(max(lateness([e[0] for e in x.events]), default=0) for x in inputs), *about)
        if asked:
            window = "".join(max(asked, key=lambda w: Fraction(w[0])))
            got, status, said = self.run(*args, window, *names, cwd=where)
            self.passed(lines(got) == want and status == 0, *about, "--resort %s does not put all in order" % window)

    def windows(self, case, seed, where, names):
        """--resort N: all in order where no event is later than N; else nothing is lost, and the status says so."""
        want, lost = case.answer(names, offsets=[], scales=[], how="none", trace=False, trace_loc=False)
        needed = max((late([e[0] for e in x.events]) for x in case.inputs(names)), default=0)
        if want == "refused" or lost:
            return
        by = max((e for x in case.inputs(names) for e in lateness([e[0] for e in x.events])), default=0)
        window = "%d%s" % (by, "ticks" if case.ticks else "ns")
        got, status, said = self.run("trace-merge", "-t", "--align", "none", "--resort", window, *names, cwd=where)
        about = ("seed %d: trace-merge -t --align none --resort %s %s" % (seed, window, names), said, "status %d" % status)
        self.same(lines(got), want, *about)
        self.passed(status == 0, *about)
        for n in sorted({1, needed // 2, needed, needed + 1} - {0}):
            got, status, said = self.run("trace-merge", "-t", "--align", "none", "--resort", str(n), *names, cwd=where)
            about = ("seed %d: trace-merge -t --align none --resort %d %s" % (seed, n, names), said, "status %d, needed %d" % (status, needed))
            if n >= needed or status == 0:
                self.same(lines(got), want, *about)
                self.passed(status == 0, *about)
            else:
                self.passed(status == 2 and sorted(lines(got)) == sorted(want), *about, "not the same events")

    def merge(self, where, *args):
        return self.run("trace-merge", *args, cwd=where)[0]

    def properties(self, case, seed, where, names):
        plain, _ = case.answer(names, offsets=[], scales=[], how=None, trace=False, trace_loc=False)
        if plain == "refused":
            return
        once = self.merge(where, "-tH", *names)
        with open(os.path.join(where, "once"), "wb") as f:
            f.write(once)
        about = "seed %d: %s" % (seed, names)
        self.passed(self.merge(where, "-tH", "once") == once, about, "the merge of a merge is another")
        with open(os.path.join(where, "names"), "w", encoding="ascii") as f:
            f.write("\0".join(names[1:]) if case.r.random() < 0.5 and names[2:] else "\n".join(names[1:]))
        self.passed(self.merge(where, "-tH", "-l", "names", names[0]) == once, about, "with -l the merge is another")
        binary = self.merge(where, "-b", *names)
        self.passed(self.run("trace-filter", "-tH", "time?", stdin=binary)[0] == once, about, "the merge in binary is another")
        if case.heads not in ("origins", "mixed") and case.sortable:
            body = b"".join(x + b"\n" for d in case.data for x in lines(d))
            p = subprocess.run(["sort", "-s", "-k1,1n"], input=body, stdout=subprocess.PIPE, env={"LC_ALL": "C"}, check=True)
            self.same(lines(once), lines(p.stdout), about, "sort -s -k1,1n (in place of the oracle)")
        test = case.r.choice(TESTS)
        behind = self.run("trace-filter", "-t", test, "once", cwd=where)[0]
        for i, name in enumerate(names):
            self.run("trace-filter", "-tH", "-o", "part%d" % i, test, name, cwd=where)
        before = self.merge(where, "-t", *["part%d" % i for i in range(len(names))])
        self.same(lines(before), lines(behind), about, "filter '%s' before (program) and behind (oracle)" % test)


if __name__ == "__main__":
    sys.exit(main(sys.argv, Merge, 100))
