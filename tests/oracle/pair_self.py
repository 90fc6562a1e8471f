#!/usr/bin/env python3
"""pair_self.py - holds trace-pair --self against trace-pair(1) over random traces whose pairs cross.

usage: pair_self.py BIN N SEED
       N traces, of the seeds from SEED on

Prints the first difference, and ends with status 1 if there was one.
"""
import os
import random
import subprocess
import sys


def trace(r):
    """Events (time, place, name, duration) in the order of time; times may be equal, and ends may last."""
    t, events = 0, []
    places, lasts, begins = r.choice([1, 1, 3]), r.choice([0, 0, 5, 40]), r.choice([.5, .6, .8])
    for i in range(r.choice([6, 20, 60, 300])):
        if i % 40 == 39:
            begins = 1 - begins
        t += r.choice([0, 1, 1, 2, 7])
        name = r.choice("bc") if r.random() < begins else r.choice("ef")
        events.append((t, r.randrange(places), name, r.randrange(lasts + 1) if name in "ef" else None))
    return events


def pairs(events, queue):
    """Lines of begin, place, name, duration and self, by the page alone."""
    open_, over, out = [], [], []
    for n, (t, place, name, lasts) in enumerate(events):
        if name in "bc":
            open_.append(n)
            continue
        mine = [o for o in open_ if events[o][1] == place and events[o][2] == {"e": "b", "f": "c"}[name]]
        if not mine:
            continue
        o = mine[0 if queue else -1]
        open_.remove(o)
        begin, end = events[o][0], t + lasts
        inner = set()
        for b, p, first, last in over:
            if b > o and p == place:
                inner.update(range(max(first, begin), min(last, end)))
        over.append((o, place, begin, end))
        out.append((o, f"{begin}.0 {place} {events[o][2]} {end - begin}.0 {end - begin - len(inner)}.0"))
    return [line for _, line in sorted(out)]


def main():
    where, n, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    for k in range(seed, seed + n):
        events = trace(random.Random(k))
        text = "".join(f"{t}.0\t{p}\t{name}\t-\t-\t{'-' if d is None else str(d) + '.0'}\n" for t, p, name, d in events)
        for queue in (False, True):
            run = subprocess.run([os.path.join(where, "trace-pair"), "--self", "--no-unpaired", "--pairing", "queue" if queue else "stack",
                                  "--begin", "b", "--end", "e", "--begin", "c", "--end", "f"], input=text.encode(), capture_output=True)
            got = [line.split("\t") for line in run.stdout.decode().splitlines()]
            got = [" ".join([f[0], f[1], f[2], f[5], f[6].replace("self=", "")]).replace("00000000", "") for f in got]
            want = pairs(events, queue)
            if got != want or run.returncode:
                print(f"seed {k}, queue {queue}: {run.stderr.decode()}", *(f"{a}  |  {b}" for a, b in zip(want, got)), text, sep="\n")
                sys.exit(1)


main()
