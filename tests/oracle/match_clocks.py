#!/usr/bin/env python3
"""match_clocks.py BIN N SEED: N random runs over hosts whose clocks are known to be wrong: does trace-match --clocks find
by how much, and does trace-merge put them right?

What must hold is computed from all messages, with fractions: bounds of offsets as shortest paths over all pairs, drifts
by every line that two messages give. The truth of the clocks lies within all bounds."""
import os
import random
import struct
import subprocess
import sys
import tempfile
from fractions import Fraction

sys.dont_write_bytecode = True
import match_random as mpi  # noqa: E402

KINDS = ["offsets", "drifts", "one way", "apart", "jump", "nameless"]
S = 10**9
START = 1795310822


class Run:
    def __init__(self, seed):
        rng = self.rng = random.Random(seed)
        self.kind = KINDS[seed % len(KINDS)]
        self.hosts = rng.choice([2, 2, 3, 4])
        self.ranks = self.hosts * rng.choice([1, 2])
        self.host = [r % self.hosts for r in range(self.ranks)]
        if self.kind == "nameless":
            self.hosts, self.host = self.ranks, list(range(self.ranks))
        self.offset = [rng.randrange(500 * S) for _ in range(self.hosts)]
        self.drift = [0] * self.hosts
        if self.kind == "drifts":
            self.drift = [Fraction(rng.randrange(-90000, 90000), S) for _ in range(self.hosts)]
        self.records = [[] for _ in range(self.ranks)]
        self.messages = []
        self.now = [rng.randrange(100000) for _ in range(self.ranks)]
        for r in range(self.ranks):
            self.record(r, "Init", self.now[r], self.now[r] + 500, struct.pack(">i", 0))
            self.now[r] += 600
        # Longer runs show drifts; those of one hour keep times below the 65536 s of a file.
        pause = rng.choice([20000, 10**6, 10**8]) if self.kind == "drifts" else 20000
        for _ in range(rng.choice([20, 60, 300])):
            self.message(pause)
        for r in range(self.ranks):
            self.record(r, "Finalize", self.now[r], self.now[r] + 500, b"")

    def clock(self, r, t):
        h = self.host[r]
        jump = self.kind == "jump" and h == 1 and t > 400000
        return round(1000 * S + self.offset[h] + t * (1 + self.drift[h])) + (5 * S if jump else 0)

    def record(self, r, call, t0, t1, args):
        spans = []
        for t in (t0, t1):
            s, ns = divmod(self.clock(r, t), S)
            spans += [s % 65536, ns]
        self.records[r].append((call, struct.pack(">HBHIHI", mpi.CALLS[call], 11, *spans) + args))

    def message(self, pause):
        rng = self.rng
        a, b = rng.sample(range(self.ranks), 2)
        if self.kind == "one way" and self.host[a] > self.host[b]:
            a, b = b, a
        if self.kind == "apart" and (self.host[a] == 0) != (self.host[b] == 0):
            return
        t0 = self.now[a] + rng.randrange(pause)
        self.record(a, "Send", t0, t0 + 300, struct.pack(">ihiih", 1, 14, b, 1, 2))
        self.now[a] = t0 + 300
        posted = self.now[b] + rng.randrange(pause)
        end = max(posted, t0 + 1000 + int(rng.expovariate(1 / 3000))) + 200
        self.record(b, "Recv", posted, end, struct.pack(">ihiihIiibbi", 1, 14, a, 1, 2, 1, 8, a, 0, 0, 1))
        self.now[b] = end
        self.messages.append((a, b, self.clock(a, t0), self.clock(b, end)))

    def save(self, folder):
        mpi.write_meta(folder, self.ranks, START)
        for r, records in enumerate(self.records):
            counts = {}
            for call, _ in records:
                counts[mpi.CALLS[call]] = counts.get(mpi.CALLS[call], 0) + 1
            mpi.write_rank(os.path.join(folder, "run-%04d.bin" % r), b"".join(b for _, b in records), counts, mpi.SIZES,
                           0, START, "" if self.kind == "nameless" else "node%d" % self.host[r])

    def first(self, h):
        """The clock of the first call of the first of its ranks, as times come in order."""
        return min(self.clock(r, 0) for r in range(self.ranks) if self.host[r] == h)


class Wrong(Exception):
    pass


def must(ok, *what):
    if not ok:
        raise Wrong(" ".join(map(str, what)))


def seconds(s):
    whole, nano = s.lstrip("-").split(".")
    return (-1 if s[0] == "-" else 1) * (int(whole) * S + int(nano))


def roots(run):
    """Of each host the first one that messages connect it with."""
    root = list(range(run.hosts))
    for _ in range(run.hosts):
        for a, b, _, _ in run.messages:
            a, b = run.host[a], run.host[b]
            root[a] = root[b] = min(root[a], root[b])
    return root


def bounds(run):
    """Without drifts: d[a][b] is the most that a's offset, which is added to its times, is above b's."""
    d = [[0 if a == b else None for b in range(run.hosts)] for a in range(run.hosts)]
    for a, b, sent, received in run.messages:
        a, b = run.host[a], run.host[b]
        if a != b and (d[a][b] is None or received - sent < d[a][b]):
            d[a][b] = received - sent
    for k in range(run.hosts):
        for i in range(run.hosts):
            for j in range(run.hosts):
                if d[i][k] is not None and d[k][j] is not None:
                    d[i][j] = d[i][k] + d[k][j] if d[i][j] is None else min(d[i][j], d[i][k] + d[k][j])
    return d


def lines(run, a, b):
    """The greatest slack that a line has between the messages of two hosts, where b's clock over a's is that line."""
    up = [(s, r - s) for x, y, s, r in run.messages if run.host[x] == a and run.host[y] == b]
    low = [(r, s - r) for x, y, s, r in run.messages if run.host[x] == b and run.host[y] == a]

    def slack(k):
        return min(g - k * t for t, g in up) - max(g - k * t for t, g in low)

    points = up + low
    slopes = {Fraction(q[1] - p[1], q[0] - p[0]) for i, p in enumerate(points) for q in points[:i] if p[0] != q[0]}
    return slack, max(map(slack, [k for k in slopes if abs(k) < Fraction(1, 100)] + [0]))


def check_table(run, rows):
    names = ["rank %d" % h if run.kind == "nameless" else "node%d" % h for h in range(run.hosts)]
    must(sorted(rows) == sorted(names), "hosts", list(rows))
    d, root = bounds(run), roots(run)
    for h, name in enumerate(names):
        ranks, messages, offset, least, most, drift, drift_least, drift_most, by = rows[name]
        crossing = [m for m in run.messages if run.host[m[0]] != run.host[m[1]]]
        must(int(ranks) == run.host.count(h), name, "ranks", ranks)
        must(int(messages) == sum(h in (run.host[m[0]], run.host[m[1]]) for m in crossing), name, "messages", messages)
        if h == root[h]:
            must((offset, least, most, by) == ("0.000000000", "-", "-", "-"), name, rows[name])
            continue
        if run.kind in ("drifts", "jump"):
            continue
        hi, lo = d[h][root[h]], d[root[h]][h]
        must(most == "-" if hi is None else seconds(most) == hi, name, "most", most, hi)
        must(least == "-" if lo is None else seconds(least) == -lo, name, "least", least, lo)
        if hi is not None and lo is not None:
            must(abs(2 * seconds(offset) - (hi - lo)) <= 2, name, "offset", offset, lo, hi)
            must(-lo <= run.offset[root[h]] - run.offset[h] <= hi, name, "truth")
        if drift:
            must(drift == "0.000", name, "drift", drift)


def check_drifts(run, rows):
    for h in range(1, run.hosts):
        _, _, offset, _, _, drift, least, most, by = rows["node%d" % h]
        if by != "node0" or least == "-" or most == "-":
            continue
        truth = ((1 + run.drift[0]) / (1 + run.drift[h]) - 1) * 10**6
        must(float(least) - .001 <= truth <= float(most) + .001, h, "drift", float(truth), least, most)
        if float(drift) and run.hosts == 2 and len(run.messages) < 100:
            slack, best = lines(run, h, 0)
            # A drift is a multiple of a billionth.
            must(slack(Fraction(drift) / 10**6) >= best - Fraction(max(run.now), S) - 10, h, "slack", drift, float(best))


def check(run, folder, tool):
    files = sorted(os.path.join(folder, f) for f in os.listdir(folder) if f.endswith(".bin"))
    got = subprocess.run([tool("trace-match"), "--clocks", folder + "/run.meta"], capture_output=True, text=True)
    out = got.stdout.splitlines()
    must(out and out[0].startswith("#host\tranks"), got.stderr)
    rows = {f[0][1:]: f[1:] for f in (x.split("\t") for x in out[1:]) if len(f) == 10}
    said = [int(w.strip(",#;")) for x in out if x.startswith("#") and " messages; received" in x for w in x.split()
            if w.strip(",#;").isdigit()]
    back = sum(r < s for _, _, s, r in run.messages)
    must(said[:2] == [len(run.messages), back], "messages", said, len(run.messages), back)
    must((got.returncode == 0) == (said[2] == 0 and said[0] > 0), "status", got.returncode, said, got.stderr)
    check_table(run, rows)
    if run.kind == "drifts":
        check_drifts(run, rows)
    must(run.kind == "jump" or said[2] == 0, "still back", said)
    options = [x for x in out if not x.startswith("#")]
    merged = subprocess.run([tool("trace-merge"), "-b", *options, *files], capture_output=True)
    must(merged.returncode == 0 and not merged.stderr, merged.stderr)
    then = subprocess.run([tool("trace-match"), "-t"], input=merged.stdout, capture_output=True)
    told = [x for x in then.stderr.decode().splitlines() if "received before they were sent" in x]
    left = int(told[0].split(": ")[2].split()[0]) if told else 0
    must(left == said[2], "after merging", left, said, then.stderr)
    must(then.stdout.count(b"\tmessage\t") == len(run.messages), "messages after merging")
    return back, said[2]


def main(bin, n, seed):
    back = left = messages = 0
    for k in range(int(seed), int(seed) + int(n)):
        run = Run(k)
        with tempfile.TemporaryDirectory() as folder:
            run.save(folder)
            try:
                b, l = check(run, folder, lambda p: os.path.join(bin, p))
            except Wrong as e:
                sys.exit("seed %d (%s): %s" % (k, run.kind, e))
        back, left, messages = back + b, left + l, messages + len(run.messages)
    print("%s runs, %d messages, %d received before they were sent, %d left where a clock jumps" % (n, messages, back, left))


if __name__ == "__main__":
    main(*sys.argv[1:])
