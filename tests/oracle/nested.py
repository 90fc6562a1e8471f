"""The time of each state, in random states in any order, by brute force: an instant belongs to the state of its
location that began last of those that have not ended; of two that begin together to the shorter, then the later one."""
import itertools
import os
import random
import subprocess
import sys
import tempfile

COLUMNS = "columns=time=$1 loc=$2 event=$3 dur=$4"


def truth(states):
    """Sums of (location, name)."""
    sums = {}
    places = {}
    for at, (begin, loc, name, dur) in enumerate(states):
        places.setdefault(loc, []).append((begin, -dur, at, begin + dur, name))
    for loc, of in places.items():
        edges = sorted({s[0] for s in of} | {s[3] for s in of})
        for low, high in itertools.pairwise(edges):
            around = [s for s in of if s[0] <= low and s[3] >= high]
            if around:
                key = loc, max(around)[4]
                sums[key] = sums.get(key, 0) + high - low
    return sums


def rows(kind, path, pipe, *options):
    command = ["trace-plot", kind, "--tsv", "-O", COLUMNS, *options]
    if pipe:
        out = subprocess.run(command, input=open(path, "rb").read(), capture_output=True, check=True)
    else:
        out = subprocess.run([*command, path], capture_output=True, check=True)
    assert not out.stderr, out.stderr
    return [line.split("\t") for line in out.stdout.decode().splitlines()[1:]]


def nanoseconds(text):
    whole, _, part = text.partition(".")
    return int(whole) * 10**9 + int((part + "000000000")[:9])


def compare(states, path):
    right = truth(states)
    for pipe in (False, True):
        sums = {}
        for row in rows("timeline", path, pipe):
            key = row[2], row[3]
            sums[key] = sums.get(key, 0) + nanoseconds(row[4])
        assert sums == {k: v * 10**9 for k, v in right.items()}, (states, sums, right)
        leaves = {}
        try:
            stacks = rows("flame", path, pipe)
        except subprocess.CalledProcessError as e:
            assert e.returncode == 1, e
            continue
        for row in stacks:
            leaf = row[0].split(";")[-1]
            leaves[leaf] = leaves.get(leaf, 0) + nanoseconds(row[2])
        for name in {k[1] for k in right}:
            assert leaves.get(name, 0) == 10**9 * sum(v for k, v in right.items() if k[1] == name), states
    return len(right)


def main():
    random.seed(int(sys.argv[1]) if len(sys.argv) > 1 else 55)
    cells = 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "states.csv")
        for turn in range(120):
            span = random.choice((10, 40, 1000))
            states = [
                (random.randrange(span), f"p{random.randrange(3)}", f"n{random.randrange(4)}",
                 random.randrange(1, random.choice((3, span))))
                for _ in range(random.randrange(1, 40))
            ]
            order = turn % 3
            if order == 1:
                states.sort()
            elif order == 2:
                states.sort(key=lambda s: s[0] + s[3])
            with open(path, "w") as f:
                for s in states:
                    f.write("%d,%s,%s,%d\n" % s)
            cells += compare(states, path)
    print(cells, "sums are right")


main()
