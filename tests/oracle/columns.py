#!/usr/bin/env python3
"""columns.py KIND SEED N FILE WANT: random events as lines of that kind of columns, into FILE, and as lines of
a text stream with absolute times, into WANT. Written from the published descriptions of the forms, not from spoor."""
import random
import sys


def sec(ns):
    return f"{'-' if ns < 0 else ''}{abs(ns) // 10**9}.{abs(ns) % 10**9:09d}"


def name(s):
    """A name as a text stream has it."""
    return "".join(c if c > " " and c not in "\\\x7f" else "".join(f"\\x{b:02x}" for b in c.encode()) for c in s)


def events(rng, n, start, step):
    t = start
    for i in range(n):
        t += rng.choice([0, 0, 1, rng.randrange(step), -rng.randrange(step) if t > start + step else 1])
        yield i, t, rng.randrange(rng.choice([3, 200])), rng.random() < .4, rng.randrange(10**rng.randrange(1, 14)), \
            512 * rng.randrange(1, 300), rng.randrange(10**rng.randrange(1, 9))


def make(kind, rng, n):
    """Pairs of a line and the event that it is; None where it is no record."""
    if kind == "systor":
        yield "Timestamp,Response,IOType,LUN,Offset,Size", None
    if kind == "biosnoop":
        yield "TIME(s)     COMM           PID    DISK    T SECTOR     BYTES   LAT(ms)", None
    if kind == "cloudphysics":
        yield "version,time,op,size,lbn", None
    if kind == "iolog":
        yield "fio version 3 iolog", None
    for i, t, loc, write, addr, size, dur in events(rng, n, 10**6 if kind not in ("iolog",) else 0, 5000):
        op = "W" if write else "R"
        if kind == "msr":
            unix = 1172163600 * 10**7 + t
            yield (f"{unix + 11644473600 * 10**7},srv{loc % 7},{loc},{'Write' if write else 'Read'},{addr},{size},{dur}",
                   [sec(unix * 100), f"srv{loc % 7}/{loc}", op, addr, size, sec(dur * 100)])
        elif kind == "alibaba":
            us = 1577808000 * 10**6 + t
            yield f"{loc},{op},{addr},{size},{us}", [sec(us * 1000), loc, op, addr, size, "-"]
        elif kind == "tencent":
            s = 1538323200 + t // 1000
            yield f"{s},{addr},{size // 512},{int(write)},{loc}", [sec(s * 10**9), loc, op, addr, size, "-"]
        elif kind == "systor":
            ns = 1456095145 * 10**9 + t * 1000
            answer = rng.random() < .9
            blank = rng.random() < .05
            yield (f"{sec(ns)},{sec(dur * 1000) if answer else ''},{'' if blank else op},{loc},{addr},{size}",
                   [sec(ns), loc, "other" if blank else op, addr, size, sec(dur * 1000) if answer else "-"])
        elif kind == "cloudphysics":
            code = rng.choice(["2a", "8a"] if write else ["28", "88"])
            yield f"1,{t},{code},{size},{addr}", [sec(t * 10**9), "-", op, addr, size, "-", "version=1"]
        elif kind.startswith("fio"):
            offset, prio = (True, None) if kind == "fio-log-old" else \
                rng.choice([(False, None), (False, "0"), (False, "1"), (True, "0"), (True, "0x0004")])
            arg = {"fio-bw": [f"bandwidth={dur * 1024}"], "fio-iops": [f"iops={dur}"]}.get(kind)
            yield (f"{t}, {dur}, {int(write)}, {size}" + (f", {addr}" if offset else "") + (f", {prio}" if prio else ""),
                   [sec(t * 10**6 - (0 if arg else dur)), "-", op, addr if offset else "-", size, "-" if arg else sec(dur)] +
                   (arg or []) + ([f"priority={prio}"] if prio else []))
        elif kind == "iolog":
            if rng.random() < .2:
                act = rng.choice(["add", "open", "close"])
                yield f"{t} dir/f{loc} {act}", [sec(t * 1000), f"dir/f{loc}", act, "-", "-", "-"]
            else:
                yield (f"{t} dir/f{loc} {'write' if write else 'read'} {addr} {size}",
                       [sec(t * 1000), f"dir/f{loc}", op, addr, size, "-"])
        elif kind == "biosnoop":
            comm = rng.choice(["supervise", "xfsaild/md0", "kworker/0:3", "Web Content"])
            dur = dur // 10000
            yield (f"{t // 10**6}.{t % 10**6:06d}    {comm:<14} {loc:<6} {'sd' + 'abc'[loc % 3]:<7} {op} {addr:<10} {size:<6} "
                   f"{dur // 100:>7}.{dur % 100:02d}",
                   [sec(t * 1000 - dur * 10000), "sd" + "abc"[loc % 3], op, addr, size, sec(dur * 10000),
                    "command=" + comm.split()[0], f"pid={loc}"])
        elif kind == "blkparse":
            cpu, seq, pid = rng.randrange(8), i + 1, rng.randrange(70000)
            who = rng.choice(["kjournald", "dd", "Web Content", "0"])
            head = f"{8:>3},{loc % 4:<3} {cpu:>2} {seq:>8} {t // 10**6:>5}.{t % 10**6:06d}000 {pid:>5} "
            args = [f"seq={seq}", f"pid={pid}"]
            got = [sec(t * 1000), f"8,{loc % 4}/{cpu}"]
            what = rng.choice("QGIDCAMPUXm")
            rw = rng.choice(["R", "W", "WS", "RA"])
            if what in "QGIDCM":
                yield (f"{head} {what:>2} {rw:>3} {addr} + {size // 512} [{who}]",
                       got + [what, addr, size, "-"] + args + [f"rwbs={rw}", f"command=[{name(who)}]"])
            elif what == "A":
                yield (f"{head} {what:>2} {rw:>3} {addr} + {size // 512} <- (8,1) {addr + 7}",
                       got + [what, addr, size, "-"] + args + [f"rwbs={rw}", f"command=<-\\x20(8,1)\\x20{addr + 7}"])
            elif what == "P":
                yield f"{head} {what:>2} {'N':>3} [{who}]", got + [what, "-", "-", "-"] + args + ["rwbs=N"]
            elif what == "U":
                tail = f"[{who}] 12"
                rest = tail.split(" ", 3)[3:]
                yield f"{head} {what:>2} {'N':>3} {tail}", got + [what, "-", "-", "-"] + args + ["rwbs=N"] + \
                    [f"command={name(r)}" for r in rest]
            elif what == "X":
                yield (f"{head} {what:>2} {rw:>3} {addr} / {addr + 8} [{who}]",
                       got + [what, addr, "-", "-"] + args + [f"rwbs={rw}", f"command=[{name(who)}]"])
            else:
                yield f"{head} {what:>2} {'N':>3} cfq{pid} slice expired t=0", None
        elif kind == "quoted":  # text of every kind, quoted where it must be
            text = "".join(rng.choice('ab ",/\t\u00e4\\') for _ in range(rng.randrange(6))).strip()
            cell = '"' + text.replace('"', '""') + '"' if rng.random() < .5 or '"' in text or "," in text or not text else text
            ns = t * 1000
            day, s = divmod(ns // 10**9, 86400)
            shown = "-" if text == "" else name(text).replace("/", "\\x2f") if text != "-" else text
            arg = {"": '""', "-": "\\x2d", '""': '\\x22"'}.get(text, name(text))
            yield (f"2026-11-{1 + day:02d}T{s // 3600:02d}:{s // 60 % 60:02d}:{s % 60:02d}.{ns % 10**9:09d}Z,"
                   f"{cell},{'x' * loc},{op}, {addr} ,{cell}",
                   [sec(1793491200 * 10**9 + ns), f"{shown}/{'x' * loc or '-'}", op, addr, "-", "-", "note=" + arg])
        else:
            sys.exit(f"{kind}: no such kind")
    if kind == "blkparse":
        for line in ("CPU0 (8,0):", " Reads Queued:           0,        0KiB\t Writes Queued:          13,      128KiB",
                     " Read depth:             0        \t Write depth:             1",
                     " IO unplugs:             3        \t Timer unplugs:           0", "",
                     "Throughput (R/W): 0KiB/s / 15KiB/s", "Events (8,0): 20 entries", "Skips: 0 forward (0 -   0.0%)"):
            yield line, None


def main():
    kind, seed, n, into, want = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4], sys.argv[5]
    rng = random.Random(f"{kind} {seed}")
    with open(into, "w", newline="") as f, open(want, "w") as g:
        for line, event in make(kind, rng, n):
            f.write(line + (rng.choice(["\n", "\r\n"]) if seed % 3 == 0 else "\n"))
            if event:
                g.write("\t".join(map(str, event)) + "\n")


main()
