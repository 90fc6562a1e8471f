#!/usr/bin/env python3
"""columns.py KIND SEED N FILE WANT: random events as lines of that kind of columns, into FILE, and as lines of
a text stream with absolute times, into WANT. Written from the published descriptions of the forms, not from spoor."""
import random
import struct
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


QUOTES = '""'  # an argument without text
met = {}  # threads that had a call which was begun, in their order
waiting = {}  # by thread: a call that is begun: its event, but for the rest of it


def returned(ret):
    words = ret.split()
    return [f"ret={words[0]}"] + ([f"error={words[1]}"] if len(words) > 1 and words[1][0].isalpha() else [])


def call(kind, rng, i, us, loc, size, dur):
    """Calls of threads, as strace -f -ttt -T and ltrace print them: some go on in a later line."""
    pid = 1000 + loc % 5
    who = rng.choice([f"{pid} ", f"{pid}  ", f"[pid  {pid}] "])
    at = f"{us // 10**6}.{us % 10**6:06}"
    if pid in waiting:
        begun, what, rest, ret, size = waiting.pop(pid)
        yield (f"{who}{at} <... {what} resumed>{rest}) = {ret} <{sec(dur * 1000)[:-3]}>",
               begun[:4] + [size, sec(dur * 1000)] + [begun[4] + name(rest).rstrip(chr(32)), *returned(ret)])
        return
    what, args, ret, moved = rng.choice([
        ("read", '3, ") = 7 <0.1>", 4096', f"{size}", size), ("pwrite64", '3, "\\"", 512, 0', "512", 512),
        ("openat", 'AT_FDCWD, "/a b", O_RDONLY', "-1 ENOENT (No such file)", "-"), ("poll", "[{fd=3}], 1", "1 ([{fd=3, revents=POLLIN}])", "-"),
        ("mmap", "NULL, 8192, PROT_READ|PROT_WRITE", "0x7f9a3ed2d000", "-"), ("getpid", "", f"{pid}", "-")])
    if kind == "ltrace":
        what, moved = rng.choice(["SYS_", "libc.so.6->", ""]) + what, "-"
    event = [sec(us * 1000), pid, what, "-"]
    if rng.random() < .1:
        yield f"{who}{at} --- SIGCHLD {{si_signo=SIGCHLD, si_status=0}} ---", None
        yield f"{who}{at} +++ exited with 0 +++", None
    if rng.random() < .2 and "," in args:
        first, rest = args.split(",", 1)
        met.setdefault(pid, len(met))
        waiting[pid] = (event + [f"args={name(first)},"], what, rest, ret, moved)
        yield f"{who}{at} {what}({first}, <unfinished ...>", None
        return
    with_time = rng.random() < .8
    yield (f"{who}{at} {what}({args}) = {ret}" + (f" <{sec(dur * 1000)[:-3]}>" if with_time else ""),
           event + [moved, sec(dur * 1000) if with_time else "-", f"args={name(args) or QUOTES}", *returned(ret)])


def make(kind, rng, n):
    """Pairs of a line and the event that it is; None where it is no record."""
    if kind == "systor":
        yield "Timestamp,Response,IOType,LUN,Offset,Size", None
    if kind == "biosnoop":
        yield "TIME(s)     COMM           PID    DISK    T SECTOR     BYTES   LAT(ms)", None
    if kind == "biosnoop-clock":
        yield "TIMESTAMP    COMM           PID     DISK    T    SECTOR     BYTES   LAT(ms)", None
    if kind == "cloudphysics":
        yield "version,time,op,size,lbn", None
    if kind.startswith("iolog"):
        yield f"fio version {2 if kind == 'iolog-2' else 3} iolog", None
    if kind == "metakv":
        yield "op_time,key,key_size,op,op_count,size,cache_hits,ttl,usecase,sub_usecase", None
    if kind == "metakv-2022":
        yield "key,op,size,op_count,key_size", None
    if kind == "metacdn":
        yield ("timestamp,cacheKey,OpType,objectSize,responseSize,responseHeaderSize,rangeStart,rangeEnd,TTL,SamplingRate,cache_hit,"
               "item_value,RequestHandler,cdn_content_type_id,vip_type"), None
    if kind == "thesios":
        yield ("filename,application,file_offset,c_time,io_zone,redundancy_type,op_type,service_class,from_flash_cache,cache_hit,"
               "request_io_size_bytes,response_io_size_bytes,disk_io_size_bytes,start_time,disk_time,simulated_disk_start_time,"
               "simulated_latency"), None
    if kind == "ftrace":
        yield "# tracer: nop", None
        yield "cpus=8", None
    waited = 0
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
        elif kind == "biosnoop-clock":
            comm, ms, dur = rng.choice(["mount", "kworker/0:3"]), t // 1000 + 86396000, dur // 1000000
            at = ms // 1000 % 86400
            yield (f"{at // 3600:02}:{at // 60 % 60:02}:{at % 60:02}.{ms % 1000:03} {comm:<14} {loc:<7} {'sd' + 'abc'[loc % 3]:<7} "
                   f"{op:<4} {addr:<10} {size:<7} {dur // 1000:>7}.{dur % 1000:03d}",
                   [sec(ms * 10**6 - dur * 1000), "sd" + "abc"[loc % 3], op, addr, size, sec(dur * 1000),
                    "command=" + comm, f"pid={loc}"])
        elif kind == "biosnoop":
            comm = rng.choice(["supervise", "xfsaild/md0", "kworker/0:3", "Web Content"])
            dur = dur // 10000
            yield (f"{t // 10**6}.{t % 10**6:06d}    {comm:<14} {loc:<6} {'sd' + 'abc'[loc % 3]:<7} {op} {addr:<10} {size:<6} "
                   f"{dur // 100:>7}.{dur % 100:02d}",
                   [sec(t * 1000 - dur * 10000), "sd" + "abc"[loc % 3], op, addr, size, sec(dur * 10000),
                    "command=" + comm.split()[0], f"pid={loc}"])
        elif kind.startswith("blkparse-"):
            cpu, seq, what, comm = rng.randrange(8), i + 1, rng.choice("QGIDCM"), rng.choice(["kjournald", "Web Content", "kworker/0:1"])
            rw = rng.choice(["R", "RA", "RM", "W", "WS", "WFS", "FWS", "FWFSM", "D", "FN", "N"])
            tail = f"{addr} + {size // 512} [{comm}]" if rw not in ("FN", "N") else f"[{comm}]"
            op = {"FN": "F"}.get(rw, "W" if rw.startswith("FW") else rw[0])
            said = "error" if kind[-1] == "c" else "command"
            yield (f"{8:>3},{loc % 4:<3} {cpu:>2} {seq:>8} {t // 10**6:>5}.{t % 10**6:06d}000 {loc:>5} {what:>2} {rw:>3} {tail}",
                   [sec(t * 1000), f"8,{loc % 4}", op, *((addr, size) if "+" in tail else "--"), "-", f"cpu={cpu}", f"seq={seq}", f"pid={loc}",
                    f"rwbs={rw}"] + ([f"{said}=[{name(comm)}]"] if "+" in tail else []) if what == kind[-1].upper() else None)
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
        elif kind == "oracle":
            next_use = rng.choice([-1, i + 1 + loc, 2**63 - 1])
            yield (struct.pack("<IQIq", t // 1000, addr, size, next_use),
                   [sec(t // 1000 * 10**9), "-", "get", addr, size, "-"] + ([f"next={next_use}"] if next_use >= 0 else []))
        elif kind == "fiu":
            md5 = f"{rng.getrandbits(128):032x}"
            yield (f"{t * 1000} {i % 70000} proc{loc} {addr} {size // 512} {op} 6 {loc % 4} {md5}",
                   [sec(t * 1000), f"6/{loc % 4}", op, addr, size, "-", f"command=proc{loc}", f"pid={i % 70000}", f"md5={md5}"])
        elif kind == "thesios":
            hit = rng.choice([-1, 0, 1])
            ns = 1705276800 * 10**9 + t * 1000
            app = rng.choice(["spanner", "bigtable", "ab12"])
            yield (f"f{loc},{app},{addr},{1700000000 + i},WARM,REPLICATED,{'WRITE' if write else 'READ'},OTHER,0,{hit},{size},"
                   f"{size},{size // 2},{sec(ns)},0.25,0,{sec(dur)}",
                   [sec(ns), f"{app}/f{loc}", op, addr, size, sec(dur), "service_class=OTHER"] +
                   ([f"hit={hit}"] if hit >= 0 else []) + [f"disk_size={size // 2}", "disk_time=0.250000000"])
        elif kind == "twitter":
            what = rng.choice("get gets set add replace cas append prepend delete incr decr".split())
            yield (f"{t // 1000},nz:u:{addr},{20 + loc % 9},{size},{loc},{what},{loc * 60}",
                   [sec(t // 1000 * 10**9), loc, what, "-", size, "-", f"key=nz:u:{addr}", f"key_size={20 + loc % 9}",
                    f"ttl={sec(loc * 60 * 10**9)}"])
        elif kind == "metakv":
            what = rng.choice(["GET", "SET", "DELETE", "GET_LEASE"])
            key = f"{rng.getrandbits(64):016x}"
            yield (f"{604038471 + t},{key},48,{what},{1 + loc % 7},{size},{loc % 2},{loc},{loc},{loc + 1}",
                   [sec((604038471 + t) * 10**9), f"{loc}/{loc + 1}", what, "-", size, "-", f"key={key}", "key_size=48",
                    f"count={1 + loc % 7}", f"hits={loc % 2}", f"ttl={sec(loc * 10**9)}"])
        elif kind == "metakv-2022":
            what = rng.choice(["GET", "SET"])
            yield (f"{addr},{what},{size},{1 + loc % 7},{40 + loc % 30}",
                   [sec((i + 2) * 10**9), "-", what, "-", size, "-", f"key={addr}", f"key_size={40 + loc % 30}",
                    f"count={1 + loc % 7}"])
        elif kind == "metacdn":
            ms = 1678838400000 + t
            ranged = rng.random() < .3
            yield (f"{ms},{addr},1,{size * 9},{size},321,{512 if ranged else ''},{512 + size - 1 if ranged else ''},"
                   f"{loc},0.2,{loc % 2},,3,7,1",
                   [sec(ms * 10**6), "-", "get", "-", size, "-", f"key={addr}", f"object_size={size * 9}"] +
                   ([f"range_start=512", f"range_end={512 + size - 1}"] if ranged else []) +
                   [f"ttl={sec(loc * 10**9)}", f"hit={loc % 2}"])
        elif kind == "iolog-2":
            what = rng.choice(["read", "write", "trim", "sync", "wait", "add", "open", "close"])
            if what in ("read", "write", "trim"):
                yield (f"/dev/sd{loc} {what} {addr} {size}",
                       [sec(waited), f"/dev/sd{loc}", {"read": "R", "write": "W"}.get(what, what), addr, size, "-"])
            elif what == "wait":
                waited = dur * 10**6  # ms since the job began, for all lines up to the next wait
                yield f"/dev/sd{loc} wait {dur} 0", None
            else:
                yield f"/dev/sd{loc} {what}", [sec(waited), f"/dev/sd{loc}", what, "-", "-", "-"]
        elif kind in ("strace", "ltrace"):
            yield from call(kind, rng, i, 1700000000 * 10**6 + t, loc, size, dur % 10**8)
        elif kind in ("perf", "ftrace"):
            comm = rng.choice(["fio", "Web Content", "kworker/0:1-events", "a-b c"])
            cpu, us = loc % 8, 47616 * 10**6 + t
            event, rest = rng.choice([("block:block_rq_issue", f"8,0 R {size} () {addr} + 8 [fio]"), ("cycles:ppp", "ffffffff82266833 schedule+0x23 ([k])"),
                                      ("sched:sched_switch", "a: b ==> c: d [120]"), ("clock", "")])
            if kind == "ftrace":
                event = event.replace(":", "_")
                flags, tgid = rng.choice(["", "d..2. ", ".... "]), rng.choice(["", "(-----) ", f"(  {loc}) "])
                yield (f"{comm + '-' + str(loc):>22} {tgid}[{cpu:03}] {flags} {us // 10**6}.{us % 10**6:06}: {event}: {rest}",
                       [sec(us * 1000), f"{cpu:03}/{loc}", event, "-", "-", "-", f"command={name(comm)}"] +
                       ([f"args={name(rest)}"] if rest else []) + ([f"flags={flags.strip()}"] if flags else []))
                if rng.random() < .2:
                    end, caller = rng.choice([(" <-ksys_read", "ksys_read"), (" [btrfs] <-a+0x1/0x2 [m]", "a+0x1/0x2 [m]"), (None, "ksys_read")])
                    yield (f"{comm + '-' + str(loc):>22} {tgid}[{cpu:03}] {flags} {us // 10**6}.{us % 10**6:06}: " +
                           (f"function:             vfs_read <-- {caller}" if end is None else f"vfs_read{end}"),
                           [sec(us * 1000), f"{cpu:03}/{loc}", "vfs_read", "-", "-", "-", f"command={name(comm)}", f"caller={name(caller)}"] +
                           ([f"flags={flags.strip()}"] if flags else []))
            else:
                at, period = rng.choice(["", f"[{cpu:03}] "]), rng.choice([None, dur])
                tid = rng.choice([str(loc), f"{loc}/{loc + 1}"])
                yield (f"{comm:>16} {tid:>6} {at}{us // 10**6}.{us % 10**6:06}: {'' if period is None else f'{period:>10} '}{event}: {rest}",
                       [sec(us * 1000), f"{f'{cpu:03}' if at else '-'}/{tid.split('/')[-1]}", event, "-", "-", "-", f"command={name(comm)}"] +
                       ([f"pid={loc}"] if "/" in tid else []) +
                       ([] if period is None else [f"period={period}"]) + [f"args={name(rest) or QUOTES}"])
                if rng.random() < .3:
                    yield "\tffffffff82266833 schedule+0x23 ([kernel.kallsyms])", None
                    yield "\t           1de39 [unknown] (/usr/lib/a b/libc.so.6)", None
                    yield "", None
        elif kind in ("dxt", "dxt-mpi"):
            if i == 0:
                yield "# darshan log version: 3.41", None
            if i % 50 == 0:
                file, host = f"/scratch/a file {i}", f"nid{i // 50}"
                yield "", None
                yield f"# DXT, file_id: {addr}, file_name: {file}", None
                yield f"# DXT, rank: {loc}, hostname: {host}", None
                yield "# DXT, write_count: 1, read_count: 2", None
                yield "# Module    Rank  Wt/Rd  Segment          Offset          Length    Start(s)      End(s)", None
                dxt = (file, host)
            file, host = dxt
            begin, took = t // 100, dur % 100000
            if begin >= 0:
                module = rng.choice(["X_POSIX", "X_MPIIO"])
                yield (f"{module:>8}{loc:>8}{'write' if write else 'read':>7}{i % 50:>9}{addr:>16}{size:>16}"
                       f"{begin / 10**4:>12.4f}{(begin + took) / 10**4:>12.4f}  {rng.choice(['', '[  1]', '  4711'])}",
                       [sec(begin * 10**5), f"{name(file.replace('/', chr(1))).replace(chr(92) + 'x01', chr(92) + 'x2f')}/{loc}", op, addr, size,
                        sec(took * 10**5), f"module={module}", f"segment={i % 50}", f"host={host}"]
                       if (module == "X_MPIIO") == (kind == "dxt-mpi") else None)
        elif kind == "recorder":
            us, what = t, rng.choice(["open", "MPI_File_write_at", "H5Dread"])
            rest = rng.choice(["", "/a/b 0x1 4", f"{addr} %p"])
            yield (f"{us // 10**6}.{us % 10**6:06} {(us + dur) // 10**6}.{(us + dur) % 10**6:06} {what} {loc % 4} {loc % 3} ({' ' + rest if rest else ''} )",
                   [sec(us * 1000), "-", what, "-", "-", sec(dur * 1000), f"level={loc % 4}", f"kind={loc % 3}", f"args={name(rest) or QUOTES}"])
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
    if kind.startswith("blkparse"):
        for line in ("CPU0 (8,0):", " Reads Queued:           0,        0KiB\t Writes Queued:          13,      128KiB",
                     " Read depth:             0        \t Write depth:             1",
                     " IO unplugs:             3        \t Timer unplugs:           0", "",
                     "Throughput (R/W): 0KiB/s / 15KiB/s", "Events (8,0): 20 entries", "Skips: 0 forward (0 -   0.0%)"):
            yield line, None


def main():
    kind, seed, n, into, want = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4], sys.argv[5]
    rng = random.Random(f"{kind} {seed}")
    with open(into, "wb") as f, open(want, "w") as g:
        for line, event in make(kind, rng, n):
            if not isinstance(line, bytes):
                line = (line + (rng.choice(["\n", "\r\n"]) if seed % 3 == 0 else "\n")).encode()
            f.write(line)
            if event:
                g.write("\t".join(map(str, event)) + "\n")
        for pid in sorted(waiting, key=met.get):  # calls that did not return
            event, *_ = waiting[pid]
            g.write("\t".join(map(str, event[:4] + ["-", "-"] + event[4:])) + "\n")


main()
