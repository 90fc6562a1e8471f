"""cases.py - the cases of cases.tsv, and what the evaluator says of them."""
import os
import sys

sys.dont_write_bytecode = True
from expr import Run  # noqa: E402
from events import Stream  # noqa: E402
from syntax import Refused  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
HEAD = "##spoor\t1\n##format\thand\n##clock\t%s\n##loc\tbox/unit\n"


def cases():
    """(expression, stream, expected, whether it is open) of every line."""
    short = {}
    for line in open(os.path.join(HERE, "cases.tsv"), encoding="latin-1"):
        line = line.rstrip("\n")
        if line[:2] in ("#@", "#%"):
            short[line[1]] = line[3:]
        if line.startswith("#"):
            continue
        question = line.startswith("?")
        expr, events, want = line[question:].split("\t")
        lines = [short[e[0]] + e[1:] if e[0] in short else e for e in events.split(" ; ")]
        head = HEAD % ("ticks" if "." not in lines[0].split()[0] else "s\torigin=0.000000000")
        body = "".join(x.replace(" ", "\t") + "\n" for x in lines)
        yield expr, (head + body + "##end\tevents=%d\n" % len(lines)).encode("latin-1"), want, question


def kind(want):
    """How a case is asked: as a test, or as a value."""
    return "filter" if want in ("true", "false", "nothing", "a test is needed") else "values"


def answer(what, lines, stream):
    """The word of cases.tsv for the lines that came."""
    if what == "values":
        return lines[-1].decode("latin-1") if lines else "nothing"
    last = [x for x in stream.split(b"\n") if x and not x.startswith(b"#")][-1]
    return "true" if lines and lines[-1] == last else "false"


def oracle(expr, stream, want):
    what = kind(want)
    try:
        run = Run(Stream(stream))
        if what == "filter":
            run.filter(expr)
        lines = getattr(run, what)(expr)
    except Refused:
        return "a test is needed" if want == "a test is needed" else "refused"
    if want == "nothing":
        return "nothing" if not lines else "something"
    return answer(what, lines, stream)


if __name__ == "__main__":
    good = bad = 0
    for expr, stream, want, question in cases():
        if question:
            continue
        got = oracle(expr, stream, want)
        good, bad = good + (got == want), bad + (got != want)
        if got != want:
            print("%s: %s, expected %s" % (expr, got, want))
    print("%d passed, %d failed" % (good, bad))
    raise SystemExit(bad > 0)
