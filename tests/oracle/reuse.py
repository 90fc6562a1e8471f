#!/usr/bin/env python3
"""trace-reuse by brute force: Mattson's stack as a list, working sets as sets of slices.

reuse.py [-g F] [-K F] [--unit N] [--at all|LIST] [--no-cold] [--apart] [--bytes] [--hist] [--working-set] [-w S]
reads the text stream with its header (-H) and writes the table. F is one of loc event addr size time."""
import getopt
import re
import sys
from fractions import Fraction

FIELDS = {"time": 0, "loc": 1, "event": 2, "addr": 3, "size": 4}


def value(text):
    """A number, or the text."""
    if re.fullmatch("0x[0-9a-fA-F]+", text):
        return int(text, 16)
    return Fraction(text) if re.fullmatch(r"-?[0-9]+(\.[0-9]+)?", text) else text


def decimals(x, n):
    """x >= 0, or < 0 and exact, with n decimals, half up."""
    units = int(abs(x) * 10**n + Fraction(1, 2))
    return "%s%d.%0*d" % ("-" if x < 0 else "", units // 10**n, n, units % 10**n)


def ratio(a, b):
    """A share with six decimals, or as many more as six digits need."""
    if not b:
        return "-"
    n = 6
    while a and Fraction(a, b) * 10**n < 10**5:
        n += 1
    return decimals(Fraction(a, b), n).rstrip("0").rstrip(".")


class Memory:
    """The references of one group: (key, is a write, time, distance or None)."""

    def __init__(self, name):
        self.name, self.stack, self.references = name, [], []

    def touch(self, key, write, time):
        if key in self.stack:
            distance = self.stack.index(key) + 1
            del self.stack[distance - 1]
        else:
            distance = None
        self.stack.insert(0, key)
        self.references.append((key, write, time, distance))

    def sizes(self, at, first):
        if at != "all":
            return sorted({int(x) for x in at.split(",")} - set(range(first)))
        return range(first, max((r[3] for r in self.references if r[3]), default=0) + 1)


def keys(cells, unit, o):
    if "-K" in o:
        cell = cells[FIELDS[o["-K"]]]
        return [] if cell == "-" else [value(cell)]
    addr, size = cells[3], cells[4]
    if addr == "-":
        return []
    n = 0 if size == "-" else int(value(size))
    if n == 0:
        if not addr.startswith("0x"):
            return []
        n = 1
    space, block = value(cells[1]), int(o.get("--unit", 4096))
    for argument in cells[6:]:
        if argument.startswith("file="):
            space = value(argument[5:])
    begin = int(value(addr)) * unit
    return [(space, b) for b in range(begin // block, (begin + n - 1) // block + 1)]


def read(stream, o):
    """The memories, in order of their names."""
    memories, unit = {}, 1
    for line in stream:
        cells = line.rstrip("\n").split("\t")
        if line.startswith("#"):
            if cells[0] == "##meta" and cells[1].startswith("block="):
                unit = int(cells[1][6:])
            continue
        name = cells[FIELDS[o["-g"]]] if "-g" in o else ""
        memory = memories.setdefault(value(name), Memory(name))
        for key in keys(cells, unit, o):
            memory.touch(key, cells[2].lower() in ("w", "write"), value(cells[0]))
    order = sorted(memories, key=lambda v: (1, 0, v) if isinstance(v, str) else (0, v, ""))
    return [memories[v] for v in order]


def missed(references, size, cold_counts):
    """Misses, and their ratio."""
    cold = sum(1 for r in references if r[3] is None)
    far = sum(1 for r in references if r[3] is not None and r[3] > size)
    if cold_counts:
        return [cold + far, ratio(cold + far, len(references))]
    return [far, ratio(far, len(references) - cold)]


def curve(m, o):
    unit = int(o.get("--unit", 4096)) if "--bytes" in o else 1
    for size in m.sizes(o["--at"], 0):
        row = [size * unit] + missed(m.references, size, "--no-cold" not in o)
        if "--apart" in o:
            for way in False, True:
                row += missed([r for r in m.references if r[1] == way], size, "--no-cold" not in o)
        yield row + [1]


def histogram(m, o):
    distances = [r[3] for r in m.references]
    for d in m.sizes(o["--at"], 1):
        yield [d, distances.count(d), ratio(distances.count(d), len(distances)), 1]
    yield ["cold", distances.count(None), ratio(distances.count(None), len(distances)), 1]


def working_set(m, o):
    k = [r[0] for r in m.references]
    for t in m.sizes(o["--at"], 1):
        yield [t, ratio(sum(len(set(k[max(0, i + 1 - t):i + 1])) for i in range(len(k))), len(k)), 1]


def windows(m, o):
    length, found = Fraction(o["-w"]), {}
    for r in m.references:
        found.setdefault(r[2] // length, []).append(r)
    for k in sorted(found):
        yield [decimals(k * length, 9), len(found[k]), len({r[0] for r in found[k]}),
               sum(1 for r in found[k] if r[3] is None), 1]


def main(argv, stream, out):
    o = dict(getopt.getopt(argv, "g:K:w:", ["unit=", "at=", "no-cold", "apart", "bytes", "hist", "working-set"])[0])
    if "-w" in o:
        table, names = windows, ["window", "references", "working_set", "cold", "sample"]
    elif "--working-set" in o:
        table, names = working_set, ["references", "working_set", "sample"]
    elif "--hist" in o:
        table, names = histogram, ["distance", "references", "ratio", "sample"]
    else:
        apart = ["read_misses", "read_ratio", "write_misses", "write_ratio"] if "--apart" in o else []
        table, names = curve, ["size", "misses", "ratio"] + apart + ["sample"]
    place = 1 if "-w" in o else 0
    if "-g" in o:
        names.insert(place, o["-g"])
    out.write("#" + "\t".join(names) + "\n")
    rows = []
    for m in read(stream, o):
        for row in table(m, o):
            if "-g" in o:
                row.insert(place, m.name)
            rows.append(row)
    if "-w" in o:
        rows.sort(key=lambda row: Fraction(row[0]))
    for row in rows:
        out.write("\t".join(str(c) for c in row) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:], sys.stdin, sys.stdout)
