#!/usr/bin/env python3
"""A random text stream for trace-access and access.py.

Usage: access_random.py SEED N            prints one of N events
       access_random.py --check BIN K SEED   compares BIN/trace-access with access.py over K of them, all sections"""
import io
import random
import subprocess
import sys

import access

NAMES = ["1", "2", "3", "10", "4194304", "a2", "a10", "data.0", "data-1", "x9y", "x10y", "in/b"]
BOUNDS = [100, 1024, 4096, 10240, 102400, 1048576, 4194304]
GREAT_BOUNDS = [10485760, 104857600, 1073741824]


def seconds(ns):
    return "%d.%09d" % (ns // 10**9, ns % 10**9)


class Requests:
    """Addresses and sizes of one flow: one regular pattern after the other."""
    def __init__(self, rng, sizes, span):
        self.rng, self.sizes, self.span, self.waiting, self.end = rng, sizes, span, [], 0

    def size(self):
        return self.rng.choice(self.sizes)

    def run(self, start, n, size, difference):
        return [(max(0, start + i * difference), size) for i in range(n)]

    def pattern(self):
        rng, size = self.rng, self.size()
        start = rng.choice([0, self.end, self.end, rng.randrange(self.span), rng.randrange(self.span) // 512 * 512])
        n = rng.choice([1, 2, 3, 3, 4, 7])
        stride = size + rng.choice([1, 8, size, 512, 4096])
        kind = rng.randrange(8)
        if kind == 0:                       # sequential
            return self.run(start, n, size, size)
        if kind == 1:                       # strided
            return self.run(start, n, size, stride)
        if kind == 2:                       # nested, now and then with a run or a begin that does not fit
            step, length, result = rng.choice([n * stride + 64, 10**5, 0, -stride]), rng.choice([2, 3, 3, 4]), []
            start += 4 * abs(step)
            for _ in range(rng.choice([2, 3, 4, 6])):
                result += self.run(start, length, size, rng.choice([stride] * 9 + [size]))
                start += step + (rng.random() < .1)
            return result
        if kind == 3:                       # backward
            return self.run(start + n * stride, n, size, -rng.choice([size, stride]))
        if kind == 4:                       # the same place
            return self.run(start, n, size, 0)
        if kind == 5:                       # one after the other, of different sizes
            result = []
            for _ in range(n):
                result.append((start, size))
                start, size = start + size, self.size()
            return result
        return [(rng.randrange(self.span), self.size()) for _ in range(n)]

    def next(self):
        if not self.waiting:
            self.waiting = self.pattern()
        addr, size = self.waiting.pop(0)
        self.end = addr + size
        return addr, size


class Stream:
    def __init__(self, seed, n):
        rng = self.rng = random.Random(seed)
        self.n, self.time, self.lines = n, rng.choice([0, 5 * 10**9]), []
        self.step = rng.choice([1, 3, 10**3, 10**6, 10**9])
        self.files = rng.sample(NAMES, rng.choice([1, 2, 5, len(NAMES)]))
        self.nodes = [str(i) for i in range(rng.choice([1, 2, 3, 6]))] + rng.choice([[], ["app:7"], ["n1", "n02"]])
        self.sizes = rng.choice([[512], [0, 1, 7, 100], [4096, 8192], self.around(BOUNDS), [1000, 4095, 4097, 9000],
                                 list(range(40)), [100 * i for i in range(1, 50)]])
        if rng.random() < .05:
            self.sizes = self.sizes * (100 // len(self.sizes) + 1) + self.around(GREAT_BOUNDS)
        self.span = rng.choice([50, 5000, 10**6, 10**12])
        self.writes = {f: rng.choice([0, 0, 1, .5, .1]) for f in self.files}
        self.unknown = rng.choice([0, 0, 0, .1, 1])         # how many requests do not tell their file
        self.no_dur, self.memory = rng.choice([0, .2, 1]), rng.choice([0, .5, 1])
        self.opens, self.jobs = rng.choice([.05, .2, .5]), rng.choice([0, .05, .3])
        self.equal = rng.choice([0, .3, .9])
        self.flows, self.open = {}, []

    def around(self, bounds):
        return [b + d for b in bounds for d in (-1, 0, 1)]

    def line(self, loc, event, addr="-", size="-", dur="-", *args):
        self.lines.append("\t".join([seconds(self.time), loc, event, str(addr), str(size), dur] + list(args)))

    def request(self):
        rng, file, node = self.rng, self.rng.choice(self.files), self.rng.choice(self.nodes)
        if rng.random() < .5 and self.flows:                # longer patterns of one flow
            file, node = self.last
        self.last = (file, node)
        if self.last not in self.flows:
            self.flows[self.last] = Requests(rng, self.sizes, self.span)
        addr, size = self.flows[self.last].next()
        write = rng.random() < self.writes[file]
        args = [] if rng.random() < self.unknown else ["file=" + file]
        if rng.random() < self.memory:
            args.append("memory_offset=%d" % (rng.randrange(1000) * rng.choice([1, 8])))
        dur = "-" if rng.random() < self.no_dur else seconds(rng.randrange(rng.choice([1, 10, 5 * self.step])))
        event = rng.choice(["write"] * 4 + ["W", "w"] if write else ["read"] * 4 + ["R", "r"])
        if rng.random() < .02:                              # one that is no request
            addr, size = rng.choice([("-", size), (addr, "-")])
        self.line(node, event, rng.choice([addr] * 9 + [addr if addr == "-" else hex(addr)]), size, dur, *args)

    def state(self):
        rng, file, loc = self.rng, self.rng.choice(NAMES if self.rng.random() < .2 else self.files), None
        kind = rng.choice(["open", "open", "open", "close", "close", "unlink"])
        loc = rng.choice(self.nodes)
        desc = str(rng.randrange(3, rng.choice([4, 6, 20])))
        if kind == "open":
            args = ["file_desc=" + desc] if rng.random() < .9 else []
            self.open += [(loc, desc, file)] if args else []
            flags = rng.choice(["READ", "WRITE,CREATE", "RW,CREATE,TRUNC"])
            self.line(loc, "open", "-", "-", "-", rng.choice(["file_id=", "file_id=", "file="]) + file, *args,
                      "open_flags=" + flags)
        elif kind == "close":
            if self.open and rng.random() < .9:
                loc, desc, file = self.open.pop(rng.randrange(len(self.open)))
            self.line(loc, "close", "-", "-", "-", "file_desc=" + desc, *rng.choice([[], ["file=" + file]]))
        else:
            self.line(loc, "unlink", "-", "-", "-", "file_id=" + file, "new_link_count=%d" % rng.randrange(2))

    def job(self):
        loc = "app:%d" % self.rng.choice([1, 2, 3, 7])
        if self.rng.random() < .6:
            self.line(loc, "app-load", "-", "-", "-", "clients=" + ",".join(self.rng.sample(self.nodes, 1)))
        else:
            self.line(loc, "app-exit")

    def text(self):
        rng = self.rng
        for _ in range(self.n):
            self.time += 0 if rng.random() < self.equal else rng.randrange(self.step + 1)
            kind = rng.random()
            if kind < self.jobs:
                self.job()
            elif kind < self.jobs + self.opens:
                self.state()
            elif kind > .99:
                self.line(rng.choice(self.nodes), rng.choice(["enter", "leave", "truncate"]))
            else:
                self.request()
        head = ["##spoor\t1", "##format\tcolumns", "##clock\ts\torigin=0.000000000", "##loc\tnode",
                "#time\tloc\tevent\taddr\tsize\tdur\targs"]
        return "".join(x + "\n" for x in head + self.lines + ["##end\tevents=%d" % self.n])


def options_for(rng, text):
    """Options of both; blocks are so large that a slow program ends."""
    options = []
    for name, values in (("--unit", [512, 1000, 65536]), ("--align", [1, 512, 4097]), ("--near", [0, 1, 1000, 10**7]),
                         ("--max-streams", [1, 2, 3, 5])):
        if rng.random() < .4:
            options += [name, str(rng.choice(values))]
    lines = [line.split("\t") for line in text.splitlines() if line[0] != "#"]
    if sum(int(f[4]) for f in lines if f[4] != "-") > 10**8:
        options += ["--unit", "1000000"]
    return options


def check(program, count, first):
    """How many tables are equal; says which is not, and stops."""
    tables = 0
    for seed in range(first, first + count):
        rng = random.Random(seed)
        text = Stream(seed, rng.randrange(5, rng.choice([40, 400]))).text()
        options = options_for(rng, text)
        for section in access.SECTIONS:
            command = [program, section] + options
            got = subprocess.run(command, input=text.encode(), stdout=subprocess.PIPE,
                                 stderr=subprocess.DEVNULL, check=True).stdout.decode()
            want = io.StringIO()
            access.main([section] + options, text.splitlines(True), want)
            # Of more than 384 times percentiles are near.
            if "#percentiles" not in got and got != want.getvalue():
                print("seed %d: %s" % (seed, " ".join(command)))
                for a, b in zip(want.getvalue().splitlines(), got.splitlines()):
                    if a != b:
                        print("want " + a + "\ngot  " + b)
                sys.exit(1)
            tables += 1
    print("%d tables" % tables)


if __name__ == "__main__":
    if sys.argv[1] == "--check":
        check(sys.argv[2] + "/trace-access", int(sys.argv[3]), int(sys.argv[4]))
    else:
        sys.stdout.write(Stream(int(sys.argv[1]), int(sys.argv[2])).text())
