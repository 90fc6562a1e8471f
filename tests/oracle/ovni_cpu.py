#!/usr/bin/env python3
"""ovni_cpu.py make SEED | sums FILE

make prints a random ovni trace as a text stream: threads of two processes that enter and leave states, pause, and move
between CPUs, by themselves (OAs) and by each other (OAr). sums reads such a stream, and prints for each CPU and state
the time in it, the time without inner states, and the part of that in which its thread ran: a sweep over the intervals
between events, which adds each interval to the states that are open in it.
"""
import collections
import random
import sys

STATES = ["VAr", "VAs", "VAp", "VAy"]
THREADS = [("1", "1"), ("1", "2"), ("2", "3"), ("2", "4")]


def step(rng, t, stack, state):
    """Returns an event of thread t and its arguments."""
    kind = rng.random()
    if state[t] is None:
        state[t] = "running"
        return "OHx", "cpu=%d\ttid=-1\ttag=0" % rng.randrange(-1, 3)
    if kind < 0.35:
        stack[t].append(rng.choice(STATES))
        return stack[t][-1], ""
    if kind < 0.65 and stack[t]:
        name = stack[t].pop()
        return name[:2] + name[2].upper(), ""
    if kind < 0.75:
        return "OAs", "cpu=%d" % rng.randrange(-1, 3)
    if kind < 0.85:
        other = rng.choice([u for u in THREADS if u[0] == t[0]])
        return "OAr", "cpu=%d\ttid=%s" % (rng.randrange(-1, 3), other[1])
    state[t] = "paused" if state[t] == "running" else "running"
    return ("OHp" if state[t] == "paused" else "OHr"), ""


def make(seed):
    rng = random.Random(seed)
    stack = {t: [] for t in THREADS}
    state = {t: None for t in THREADS}
    lines = []
    now = 0
    for _ in range(rng.randrange(20, 400)):
        now += rng.choice([1, 1, 2, 7, 1000])
        t = rng.choice(THREADS)
        event, args = step(rng, t, stack, state)
        lines.append("0.%09d\tnode/%s/%s\t%s\t-\t-\t-%s" % (now, *t, event, args and "\t" + args))
    for t in THREADS:  # a thread leaves its states, so that none lasts to the end
        while stack[t]:
            now += 1
            name = stack[t].pop()
            lines.append("0.%09d\tnode/%s/%s\t%s%s\t-\t-\t-" % (now, *t, name[:2], name[2].upper()))
    print("##spoor\t1\n##format\tovni\n##clock\ts\torigin=0.000000000\n##loc\tloom/pid/tid")
    print("\n".join(lines))
    print("##end\tevents=%d" % len(lines))


def sums(path):
    total = collections.defaultdict(lambda: [0, 0, 0])
    stack = collections.defaultdict(list)
    cpu = collections.defaultdict(lambda: -1)
    running = collections.defaultdict(bool)
    before = 0
    for line in open(path):
        if line.startswith("#"):
            continue
        field = line.rstrip("\n").split("\t")
        now = int(field[0].split(".")[1])
        for t, names in stack.items():
            for i, name in enumerate(names):
                cell = total[cpu[t], name]
                cell[0] += now - before
                if i == len(names) - 1:
                    cell[1] += now - before
                    cell[2] += (now - before) * running[t]
        before = now
        t = tuple(field[1].split("/")[1:])
        args = dict(a.split("=") for a in field[6:])
        event = field[2]
        if event in ("OHx", "OAs"):
            cpu[t] = int(args["cpu"])
        if event == "OAr":
            cpu[t[0], args["tid"]] = int(args["cpu"])
        if event[:2] == "OH":
            running[t] = event in ("OHx", "OHr")
        if event in STATES:
            stack[t].append(event)
        elif event[0] == "V":
            stack[t].pop()
    for (number, name), cell in sorted(total.items()):
        if cell[0]:
            print("%d\t%s\t%s" % (number, name, "\t".join("%d.%09d" % (v // 10**9, v % 10**9) for v in cell)))


if sys.argv[1] == "make":
    make(int(sys.argv[2]))
else:
    sums(sys.argv[2])
