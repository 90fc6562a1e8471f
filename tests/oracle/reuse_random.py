#!/usr/bin/env python3
"""Random SPC traces: trace-reuse against reuse.py. Usage: reuse_random.py BIN TRACES SEED"""
import io
import os
import random
import subprocess
import sys

sys.dont_write_bytecode = True
import reuse


def trace(rng, n):
    time, step = 0, rng.choice([1, 10**3, 10**5, 10**7])
    places, unit = rng.choice([1, 3, 20, 200, 3000, 10**6]), rng.choice([1, 8])
    sizes = rng.choice([[512], [4096, 8192], None, [0, 1, 511, 512, 513, 4095, 4096, 4097, 20000]])
    lines = []
    for _ in range(n):
        if rng.random() < .6:
            time += rng.randrange(step)
        size = rng.choice(sizes) if sizes else rng.randrange(20001)
        lines.append("%d,%d,%d,%s,%d.%06d\n" % (rng.randrange(rng.choice([1, 3, 12])), rng.randrange(places) * unit,
                                                size, rng.choice("rRwW"), time // 10**6, time % 10**6))
    return "".join(lines)


def questions(rng):
    def some(p, option, *values):
        return [option, rng.choice(values)] if rng.random() < p else []

    def key():
        return some(.3, "-K", "loc", "event", "addr", "size") or some(.5, "--unit", "512", "700", "1000", "65536")

    def group():
        return some(.4, "-g", "loc", "event", "size", "addr")

    yield ["--at", "all"]
    yield ["--at", "all"] + group() + key()
    yield ["--at", "all", "--apart"] + group() + some(.5, "--unit", "512", "65536")
    yield ["--at", "all", "--no-cold"] + group() + key()
    yield ["--at", "all", "--bytes"] + some(.5, "--unit", "512", "700")
    yield ["--at", ",".join(str(rng.randrange(300)) for _ in range(9))] + group() + key()
    yield ["--hist", "--at", "all"] + group() + key()
    yield ["--working-set", "--at", "1,2,3,10,50,100,128,256,1024"] + group() + key()
    yield ["-w", rng.choice(["1", "0.7", "10"])] + group() + key()


def main(bin, traces, seed):
    rng, n = random.Random(seed), 0
    for i in range(traces):
        with open("random.spc", "w") as f:
            f.write(trace(rng, rng.randrange(rng.choice([4, 40, 200]))))
        text = subprocess.run([os.path.join(bin, "spc-cat"), "-H", "random.spc"], stdout=subprocess.PIPE, check=True)
        for q in questions(rng):
            got = subprocess.run([os.path.join(bin, "trace-reuse")] + q + ["random.spc"], stdout=subprocess.PIPE)
            want = io.StringIO()
            reuse.main(q, io.StringIO(text.stdout.decode()), want)
            n += 1
            if got.returncode or got.stdout.decode() != want.getvalue():
                print("trace %d: trace-reuse %s random.spc: status %d, wanted:" % (i, " ".join(q), got.returncode))
                sys.stdout.write(want.getvalue())
                return 1
    print(n, "tables")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
