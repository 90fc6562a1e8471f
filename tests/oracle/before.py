#!/usr/bin/env python3
"""prev against a dictionary: many keys and few, values of kinds that change, batches in which each key is new.

before.py DIR: the programs are in DIR."""
import random
import subprocess
import sys

ODD = [None, "t3", "1.5", "18446744073709551615", "-9223372036854775808"]


def events(n, keys, odd):
    """n events: key, argument x, size; None is absent. `odd`: how often x is no small integer."""
    for _ in range(n):
        x = random.choice(ODD) if random.random() < odd else str(random.randrange(-5, 10 ** 6))
        yield "k%d" % random.randrange(keys), x, random.choice([None, str(random.randrange(4096))])


def line(i, key, x, size):
    return "%d\t%s\te\t-\t%s\t-%s\n" % (i, key, size or "-", "" if x is None else "\tx=" + x)


def run(stdin, *args):
    return subprocess.run([sys.argv[1] + "/trace-filter", *args], input=stdin, stdout=subprocess.PIPE).stdout


def check(n, keys, odd):
    given = list(events(n, keys, odd))
    last, want = {}, []
    for key, x, size in given:
        want.append("\t".join("-" if v is None else v for v in last.get(key, (None, None))))
        last[key] = (x, size)
    text = "".join(line(i, *e) for i, e in enumerate(given)).encode()
    for stream in text, run(text, "-b", "time >= 0"):
        got = run(stream, "-F", "prev.x,prev.size", "time >= 0").decode().split("\n")[:-1]
        if got != want:
            sys.exit("%d events of %d keys, %g odd: prev is not what was before" % (n, keys, odd))


random.seed(1)
for case in (20000, 24, 0), (20000, 24, 0.001), (20000, 3000, 0.01), (20000, 700, 0.5), (3000, 2000, 0), (600, 1, 0):
    check(*case)
print("ok")
