#!/usr/bin/env python3
"""trace-reuse -K --bytes, --policy lru-entry and --policy opt by brute force: each cache is a list, from which objects are evicted.

reuse_objects.py BIN TRACES SEED: random traces, with sizes that change, of 0 bytes, and larger than the cache."""
import random
import subprocess
import sys


def lru(refs, room):
    """Misses and missed bytes of references (key, size, times): the last used come first."""
    cache, misses, missed = [], 0, 0
    for key, size, times in refs:
        for _ in range(times):
            at = [k for k, _ in cache]
            if key in at:
                del cache[at.index(key)]
            else:
                misses, missed = misses + 1, missed + size
            cache.insert(0, (key, size))
            while sum(s for _, s in cache) > room:
                cache.pop()
    return misses, missed


def lru_entry(refs, room):
    """The misses where an object keeps the size with which it entered, and one that is too large does not enter."""
    cache, misses, missed = [], 0, 0
    for key, size, times in refs:
        for _ in range(times):
            held = [s for k, s in cache if k == key]
            if held:
                cache.remove((key, held[0]))
                cache.insert(0, (key, held[0]))
                continue
            misses, missed = misses + 1, missed + size
            if size <= room:
                while sum(s for _, s in cache) + size > room:
                    cache.pop()
                cache.insert(0, (key, size))
    return misses, missed


def opt(refs, room):
    """Misses of MIN: evicts the key that is needed last, except the one that was just fetched."""
    keys = [key for key, _, times in refs for _ in range(times)]
    cache, misses = [], 0
    for i, key in enumerate(keys):
        if key in cache:
            continue
        misses += 1
        if room and len(cache) == room:
            rest = keys[i + 1:]
            cache.remove(max(cache, key=lambda k: rest.index(k) if k in rest else len(rest)))
        cache += [key] if room else []
    return misses, None


def trace(rng):
    keys, changes = rng.choice([2, 5, 20, 60]), rng.choice([0, 0, .02, .3, 1])
    sizes = rng.choice([[10], [0, 1, 7], range(100), [0, 1, 1000, 5000], [1] * 50 + [3000]])
    size, refs = {}, []
    for _ in range(rng.randrange(rng.choice([5, 50, 400]))):
        key = int(keys * rng.random() ** rng.choice([1, 2]))
        if key not in size or rng.random() < changes:
            size[key] = rng.choice(sizes)
        refs.append((key, size[key], rng.choice([1, 1, 1, 0, 2, 5])))
    return refs


def main(bin, traces, seed):
    rng, n = random.Random(seed), 0
    for _ in range(traces):
        refs = trace(rng)
        with open("objects", "w") as f:
            f.writelines("%d.0\tl\tget\t-\t%d\t-\tk=%d\tn=%d\n" % (i, r[1], r[0], r[2]) for i, r in enumerate(refs))
        for policy, options in (lru, ["--bytes"]), (lru_entry, ["--bytes", "--policy", "lru-entry"]), (opt, ["--policy", "opt"]):
            rooms = sorted(set(rng.randrange(rng.choice([4, 70, 300, 6000])) for _ in range(7)))
            weight = policy != lru_entry and rng.choice([True, False])
            table = subprocess.run([bin + "/trace-reuse", "-K", "k", "--at", ",".join(map(str, rooms)), "--no-header"] + options +
                                   ["--weight", "n"] * weight + ["objects"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            got = [line.split("\t") for line in table.stdout.decode().splitlines()]
            want = [policy(refs if weight else [(k, s, 1) for k, s, _ in refs], room) for room in rooms] if refs else []
            same = [(int(r[1]), int(r[3]) if policy != opt else None) for r in got] == want
            n += len(want)
            if table.returncode or not same:
                sys.exit("seed %d: %s weight %s at %s: got %s, wanted %s" % (seed, options, weight, rooms, got, want))
    print(n, "caches")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
