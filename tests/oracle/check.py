#!/usr/bin/env python3
"""check.py - holds trace-filter against the evaluator: the cases of cases.tsv, and random expressions
over every stream, as text and as binary; or over the traces that are named, as they are and as text.

usage: check.py [-n N] [-s SEED] [-a] [-e ROUNDS] BIN [TRACE...]
       -a shows every difference, not only the first 20; -e asks for every operation on numbers at their edges instead

Prints the differences and "N passed, N failed", and ends with status 1 if there was one.
"""
import getopt
import glob
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import edges  # noqa: E402
from cases import HERE, answer, cases, kind  # noqa: E402
from events import Stream  # noqa: E402
from expr import Run  # noqa: E402
from random_expr import definitions, expressions  # noqa: E402
from syntax import Refused  # noqa: E402

KEYS = [None, "", "event", "loc,event", "loc1", "size // 1000"]
BATCH = 10


class Check:
    def __init__(self, programs, shown):
        self.filter, self.derive = (os.path.join(programs, p) for p in ("trace-filter", "trace-derive"))
        self.shown, self.good, self.bad, self.open = shown, 0, 0, 0

    def run(self, *args, stdin=None, program=None):
        """(lines without header, status, messages)"""
        p = subprocess.run([program or self.filter] + [a if isinstance(a, bytes) else a.encode("latin-1") for a in args],
                           input=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        lines = [x for x in p.stdout.split(b"\n")[:-1] if not x.startswith(b"#")]
        return lines, p.returncode, p.stderr.decode("latin-1")

    def passed(self, ok, *words):
        if ok:
            self.good += 1
            return
        self.bad += 1
        if self.bad <= self.shown:
            print("not so: " + "\n    ".join(str(w) for w in words))

    # Cases.

    def cases(self):
        """Each alone, and behind a like event elsewhere: a batch of several may go another way."""
        for expr, stream, want, question in cases():
            lines = stream.split(b"\n")
            like = lines[-3].split(b"\t")
            like[1] = b"elsewhere"
            for text in (stream, b"\n".join(lines[:4] + [b"\t".join(like)] * 2 + lines[4:])):
                got = self.case(expr, text, want)
                if question and got != want:
                    self.open += 1
                else:
                    self.passed(got == want, expr, text.split(b"\n")[4:-2], "%s, expected %s" % (got, want))

    def case(self, expr, stream, want):
        how = ["-t", "--", expr] if kind(want) == "filter" else ["-F", expr, "time?"]
        lines, status, said = self.run(*how, stdin=stream)
        if status < 0:
            return "killed by %d" % -status
        if want in ("refused", "a test is needed"):
            return want if status == 2 and not lines and "^" in said.split("\n")[-2] else "not refused"
        if want == "nothing":
            return want if status == 2 and not lines and "--hz" in said else "something"
        if status == 2 and not lines and "no event had a field" not in said:
            return "refused: " + said
        return answer(kind(want), lines, stream)

    # Random expressions.

    def stream(self, path, n, seed):
        """A text stream, which is also read as binary; or a trace in its own format, which is also read as text."""
        with tempfile.TemporaryDirectory() as d:
            other = os.path.join(d, os.path.basename(path) + (".bin" if path.endswith(".txt") else ".txt"))
            form = "-b" if path.endswith(".txt") else "-tH"
            subprocess.run([self.filter, form, "-o", other, "time?", path], check=True)
            with open(path if form == "-b" else other, "rb") as f:
                stream = Stream(f.read())
            self.random(stream, (path, other), expressions(n, seed, stream))
            if os.path.exists(self.derive):
                self.definitions(stream, (path, other), definitions(n // 5, seed, stream))

    def definitions(self, stream, forms, lists):
        for i, three in enumerate(lists):
            keys = KEYS[i % len(KEYS)]
            want = self.oracle("derive", stream, three, keys)
            for form in forms:
                self.hold(form, ["-t", *three, "--"], " ; ".join(three), keys, want, None, self.derive)

    def edges(self, rounds, seed):
        for data in edges.streams(seed, rounds):
            with tempfile.TemporaryDirectory() as d:
                text, binary = os.path.join(d, "edges.txt"), os.path.join(d, "edges.bin")
                with open(text, "wb") as f:
                    f.write(data)
                subprocess.run([self.filter, "-b", "-o", binary, "time?", text], check=True)
                self.random(Stream(data), (text, binary), [("value", t) for t in edges.operations()])
                self.random(Stream(data), (text, binary), [("test", t) for t in edges.operations() if tested(t)])

    def random(self, stream, forms, exprs):
        tests = [t for kind, t in exprs if kind == "test"]
        values = [t for kind, t in exprs if kind == "value"]
        for i, text in enumerate(tests):
            keys = KEYS[i % len(KEYS)]
            want = self.oracle("filter", stream, text, keys)
            for form in forms:
                self.hold(form, ["-t", "--", text], text, keys, want)
        for i in range(0, len(values), BATCH):
            keys = KEYS[i // BATCH % len(KEYS)]
            self.batch(stream, forms, values[i:i + BATCH], keys)

    @staticmethod
    def oracle(what, stream, text, keys):
        run = Run(stream, "loc" if keys is None else keys)
        try:
            return getattr(run, what)(text)
        except Refused as r:
            sys.exit("check.py: a random expression is none: %s: %s" % (text, r))

    def hold(self, form, args, text, keys, want, about=None, program=None):
        """One run against what must come; about: what to show of a line that differs."""
        by = [] if keys is None else ["-k", keys]
        got, status, said = self.run(*by, *args, form, program=program)
        first = next((i for i, (a, b) in enumerate(zip(want, got)) if a != b), min(len(want), len(got)))
        self.passed(got == want and 0 <= status <= 2, text, "%s, status %d, -k %s" % (os.path.basename(form), status, keys),
                    "oracle:  %s" % ((about or want)[first:first + 1] or "no more"),
                    "program: %s" % (got[first:first + 1] or "no more"), said if not got else "line %d" % first)

    def batch(self, stream, forms, values, keys):
        """Several values in one run; where they differ, one after the other."""
        named = ", ".join("v%d = %s" % (i, t) for i, t in enumerate(values))
        want = self.oracle("values", stream, named, keys)
        by = [] if keys is None else ["-k", keys]
        for form in forms:
            got, _, _ = self.run(*by, "-F", named, "time?", form)
            if got == want:
                self.good += len(values)
                continue
            for i, text in enumerate(values):
                column = [x.split(b"\t")[i] for x in want]
                event = [b"%s of %s" % (c, e.line) for c, e in zip(column, stream.events)]
                self.hold(form, ["-F", "v = " + text, "time?"], text, keys, column, event)


def tested(text):
    """A relation in parentheses, which is a test as well."""
    return text.startswith("(") and text.endswith(")")


def main(argv):
    """Only the streams that are named, without the cases, or all."""
    options, rest = getopt.getopt(argv[1:], "n:s:ae:")
    o = dict(options)
    check = Check(rest[0], 10**9 if "-a" in o else 20)
    if "-e" in o:
        check.edges(int(o["-e"]), o.get("-s", "1"))
    elif not rest[1:]:
        check.cases()
    for path in rest[1:] or "-e" not in o and sorted(glob.glob(os.path.join(HERE, "streams", "*.txt"))) or []:
        check.stream(path, int(o.get("-n", 300)), o.get("-s", "1"))
    print("%d passed, %d failed%s" % (check.good, check.bad, ", %d open" % check.open if check.open else ""))
    return 1 if check.bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
