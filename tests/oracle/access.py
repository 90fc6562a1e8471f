#!/usr/bin/env python3
"""What trace-access says of a text stream, computed again, slowly and plainly.

Usage: access.py SECTION [--unit N] [--align N] [--near N] [--max-streams N] < stream
Times are integers of nanoseconds, shares and variances exact fractions."""
import argparse
import re
import sys
from collections import Counter, defaultdict, namedtuple

CLASSES = ("opened", "read", "written", "both")
Event = namedtuple("Event", "time loc name args")
Request = namedtuple("Request", "time node write file addr size dur memory")
Interval = namedtuple("Interval", "loc file begin end left")


# Numbers in and out.

def nanoseconds(text):
    if text == "-":
        return None
    whole, _, part = text.partition(".")
    value = int(whole.lstrip("-")) * 10**9 + int((part + "0" * 9)[:9])
    return -value if text.startswith("-") else value


def seconds(ns):
    return "-" if ns is None else "%s%d.%09d" % ("-" if ns < 0 else "", abs(ns) // 10**9, abs(ns) % 10**9)


def half_up(a, b):
    return (2 * a + b) // (2 * b)


def decimal(a, b, places):
    """a / b (not negative) with up to so many decimals, without trailing zeros."""
    value = half_up(a * 10**places, b)
    return ("%d.%0*d" % (value // 10**places, places, value % 10**places)).rstrip("0").rstrip(".")


def share(a, b):
    n = 6  # or as many as six digits need
    while b and a and a * 10**n < b * 10**5:
        n += 1
    if b and 0 < a * 10**9 < b:  # written with an exponent
        return "%.6g" % (a / b)
    return decimal(a, b, n) if b else "-"


def natural(name):
    """The key of the order of files: whole numbers by value, then texts with runs of digits by value."""
    if re.fullmatch(r"[0-9]+", name):
        return (0, int(name), [])
    return (1, 0, [(1, int(p), b"") if p.isdigit() else (0 if p < "0" else 2, 0, p.encode())
                   for p in re.findall(r"[0-9]+|[^0-9]", name)])


def distribution(times):
    """The columns p50 mean p90 p99 greatest."""
    if not times:
        return ["-"] * 5
    times = sorted(times)
    p50, p90, p99 = (times[-(-p * len(times) // 100) - 1] for p in (50, 90, 99))
    return [seconds(t) for t in (p50, half_up(sum(times), len(times)), p90, p99, times[-1])]


# The trace.

class Trace:
    def __init__(self, lines):
        self.events, self.requests = [], []
        self.flows, self.by_file = defaultdict(list), defaultdict(list)
        self.order = []                     # (file, node, request or None for an open), in order
        self.files = set()
        for line in lines:
            if line.strip() and not line.startswith("#"):
                self.take(line.rstrip("\n").split("\t"))
        times = [e.time for e in self.events if e.time is not None]
        self.least, self.greatest = min(times, default=0), max(times, default=0)

    def take(self, fields):
        time, loc, name, addr, size, dur = fields[:6]
        args = dict(f.split("=", 1) for f in fields[6:] if "=" in f)
        self.events.append(Event(nanoseconds(time), loc, name, args))
        if name.lower() in ("read", "write", "r", "w"):
            if addr != "-" and size != "-":
                memory = args.get("memory_offset")
                self.request(Request(nanoseconds(time), loc, name.lower()[0] == "w", args.get("file", loc),
                                     int(addr, 0), int(size, 0), nanoseconds(dur),
                                     None if memory is None else int(memory, 0)))
        elif name in ("open", "close", "unlink"):
            file = args.get("file_id", args.get("file"))
            if file is not None:
                self.files.add(file)
                if name == "open":
                    self.order.append((file, loc, None))

    def request(self, r):
        self.requests.append(r)
        self.order.append((r.file, r.node, r))
        self.flows[r.file, r.node].append(r)
        self.by_file[r.file].append(r)
        self.files.add(r.file)

    def class_of(self, file):
        kinds = {r.write for r in self.by_file.get(file, ())}
        return "both" if len(kinds) == 2 else "opened" if not kinds else "written" if True in kinds else "read"

    def nodes(self, file):
        return {r.node for r in self.by_file.get(file, ())}

    def by_class(self):
        """(class, its files) of each class that has files."""
        of = {f: self.class_of(f) for f in self.files}
        for c in CLASSES + ("all",):
            files = [f for f in self.files if c in (of[f], "all")]
            if files:
                yield c, files

    def intervals(self):
        """The open intervals of the trace."""
        result, running = [], {}

        def end(key, at, left):
            begin, file = running.pop(key)
            result.append(Interval(key[0], file, begin, at, left))

        for e in self.events:
            key = (e.loc, e.args.get("file_desc"))
            if e.name == "open" and key[1] is not None:
                if key in running:
                    end(key, running[key][0], True)
                running[key] = (e.time, e.args.get("file_id", e.args.get("file")))
            elif e.name == "close" and key in running:
                end(key, e.time, False)
        for key in list(running):
            end(key, self.greatest, True)
        return result


def pattern(trace, file):
    """Requests, later, sequential and consecutive ones, and the sets of gaps and sizes of a file."""
    later = sequential = consecutive = 0
    gaps = set()
    for node in trace.nodes(file):
        flow = trace.flows[file, node]
        for before, r in zip(flow, flow[1:]):
            end = before.addr + before.size
            later += 1
            sequential += r.addr > before.addr
            consecutive += r.addr == end
            gaps.add(r.addr - end)
    requests = trace.by_file.get(file, ())
    return len(requests), later, sequential, consecutive, gaps, {r.size for r in requests}


def ranges(requests, unit):
    """How many units of so many bytes were touched, and how many of them by several nodes."""
    edges = []
    for node in {r.node for r in requests}:
        reach = -1                          # up to here this node's units are counted
        for r in sorted((r for r in requests if r.node == node and r.size), key=lambda r: r.addr):
            first, last = max(r.addr // unit, reach + 1), (r.addr + r.size - 1) // unit
            if first <= last:
                edges += [(first, 1), (last + 1, -1)]
                reach = last
    touched = shared = depth = at = 0
    for place, step in sorted(edges):
        touched += (place - at) * (depth > 0)
        shared += (place - at) * (depth > 1)
        depth, at = depth + step, place
    return touched, shared


def blocks_of(r, block):
    return range(r.addr // block, (r.addr + r.size - 1) // block + 1) if r.size else ()


# The sections: each yields rows, the first with the names.

def classes(trace, o):
    yield "class files shared requests later sequential sequential_share consecutive consecutive_share".split()
    for c, files in trace.by_class():
        requests, later, sequential, consecutive = (sum(x) for x in zip(*(pattern(trace, f)[:4] for f in files)))
        yield [c, len(files), sum(len(trace.nodes(f)) > 1 for f in files), requests, later,
               sequential, share(sequential, later), consecutive, share(consecutive, later)]


def distinct(trace, o):
    yield "of 0 1 2 3 4+".split()
    for c, files in trace.by_class():
        for name, which in (("gaps", 4), ("sizes", 5)):
            n = Counter(min(len(pattern(trace, f)[which]), 4) for f in files)
            yield [c + "-" + name] + [n[k] for k in range(5)]


def runs_of(flow):
    """The runs of a flow: (number of the first request, requests, size, difference)."""
    result, first, n, difference = [], 0, 1, None
    for i in range(1, len(flow) + 1):
        if i < len(flow):
            same, d = flow[i].size == flow[i - 1].size, flow[i].addr - flow[i - 1].addr
            if same and (n == 1 or d == difference):
                n, difference = n + 1, d
                continue
        if n >= 3:
            result.append((first, n, flow[first].size, difference))
        if i < len(flow):
            first, n, difference = (i - 1, 2, d) if n == 2 and same else (i, 1, None)
    return result


def nested_of(flow, runs):
    """The nested runs of a flow, as lists of runs."""
    result, now, step = [], [], None
    for run in runs:
        if now and now[-1][0] + now[-1][1] == run[0] and now[-1][1:] == run[1:]:
            d = flow[run[0]].addr - flow[now[-1][0]].addr
            if len(now) > 1 and d != step:
                result.append(now)
                now = [now[-1]]
            now, step = now + [run], d
        else:
            result.append(now)
            now = [run]
    return [x for x in result + [now] if len(x) >= 3]


def runs(trace, o):
    yield "run runs requests share longest".split()
    found = {k: [] for k in ("consecutive", "strided", "backward", "same-place")}
    nested = []
    for flow in trace.flows.values():
        of_flow = runs_of(flow)
        nested += nested_of(flow, of_flow)
        for _, n, size, d in of_flow:
            found["same-place" if d == 0 else "backward" if d < 0 else "consecutive" if d == size else
                  "strided"].append(n)
    for kind, lengths in found.items():
        yield [kind, len(lengths), sum(lengths), share(sum(lengths), len(trace.requests)), max(lengths, default=0)]
    n = sum(run[1] for x in nested for run in x)
    yield ["nested", len(nested), n, share(n, len(trace.requests)), max((len(x) for x in nested), default=0)]


def overlap(intervals):
    """Whether intervals of two different locs have a time in common: those that have a length."""
    intervals = sorted((i for i in intervals if i.end > i.begin), key=lambda i: (i.begin, i.end))
    return any(a.loc != b.loc and b.begin < a.end for n, a in enumerate(intervals) for b in intervals[n + 1:])


def sharing(trace, o):
    yield "class files shared opened_by_several at_once".split()
    locs, intervals = defaultdict(set), defaultdict(list)
    for file, loc, request in trace.order:
        if request is None:
            locs[file].add(loc)
    for i in trace.intervals():
        intervals[i.file].append(i)
    for c, files in trace.by_class():
        yield [c, len(files), sum(len(trace.nodes(f)) > 1 for f in files), sum(len(locs[f]) > 1 for f in files),
               sum(overlap(intervals[f]) for f in files)]


def touched(trace, o):
    yield "class bytes shared_bytes bytes_share blocks shared_blocks blocks_share sample".split()
    for c, files in trace.by_class():
        row = [c]
        for unit in (1, o.unit):
            n, s = (sum(x) for x in zip(*(ranges(trace.by_file.get(f, ()), unit) for f in files)))
            row += [n, s, share(s, n)]
        yield row + [1]


def opens(trace, o):
    yield "class opens left_open p50 mean p90 p99 greatest".split()
    intervals = trace.intervals()
    for c, files in trace.by_class():
        of = set(files)
        own = [i for i in intervals if i.file in of]
        if own:
            yield [c, len(own), sum(i.left for i in own)] + distribution(
                [i.end - i.begin for i in own if not i.left])


def job_intervals(trace):
    """(begin, end) of each job: of one without a load from the least time, without an exit to the greatest."""
    running, known, result = {}, set(), []
    for e in trace.events:
        if e.name in ("app-load", "app-exit"):
            if e.loc in running:
                result.append((running.pop(e.loc), e.time))
            elif e.name == "app-exit" and e.loc not in known:
                result.append((trace.least, e.time))
            if e.name == "app-load":
                running[e.loc] = e.time
            known.add(e.loc)
    return result + [(t, trace.greatest) for t in running.values()]


def concurrency(trace, o):
    yield "jobs time share".split()
    jobs = job_intervals(trace)
    edges = [edge for begin, end in jobs for edge in ((begin, 1), (end, -1))]
    times, depth, at = Counter(), 0, trace.least
    for t, step in sorted(edges) + [(trace.greatest, 0)]:
        times[depth] += t - at
        depth, at = depth + step, t
    for k in sorted(times):
        if jobs and times[k]:
            yield [k, seconds(times[k]), share(times[k], trace.greatest - trace.least)]


def streams_of(requests, o):
    """The streams of a file: [end, number of the last request, requests, bytes]."""
    kept, ended = [], []
    for i, r in enumerate(requests):
        fit = [s for s in kept if s[0] <= r.addr <= s[0] + o.near]
        if fit:
            s = max(fit)
            s[:] = [r.addr + r.size, i, s[2] + 1, s[3] + r.size]
            continue
        if len(kept) == o.max_streams:
            oldest = min(kept, key=lambda s: s[1])
            kept.remove(oldest)
            ended.append(oldest)
        kept.append([r.addr + r.size, i, 1, r.size])
    return ended + kept


def streams(trace, o):
    yield "file requests sequential sequential_share streams in_streams stream_share bytes longest".split()
    for f in sorted(trace.by_file, key=natural):
        requests = trace.by_file[f]
        n = len(requests)
        sequential = sum(b.addr == a.addr + a.size for a, b in zip(requests, requests[1:]))
        own = [s for s in streams_of(requests, o) if s[2] >= 2]
        inside = sum(s[2] for s in own)
        yield [f, n, sequential, share(sequential, n - 1), len(own), inside, share(inside, n),
               sum(s[3] for s in own), max((s[2] for s in own), default=0)]


def bin_of(distance):
    power = 1 << abs(distance).bit_length() >> 1
    return -power if distance < 0 else power


def seek(trace, o):
    yield "distance requests share nearest nearest_share".split()
    last, nearest = Counter(), Counter()
    for requests in trace.by_file.values():
        for i in range(1, len(requests)):
            distances = [requests[i].addr - r.addr - r.size for r in requests[max(0, i - o.max_streams):i]]
            last[bin_of(distances[-1])] += 1
            nearest[bin_of(min(reversed(distances), key=abs))] += 1
    total = sum(last.values())
    for b in sorted(set(last) | set(nearest)):
        yield [b, last[b], share(last[b], total), nearest[b], share(nearest[b], total)]


def hot(trace, o):
    yield "hottest blocks references share sample".split()
    for kind in ("read", "write", "all"):
        counts = Counter()
        for r in trace.requests:
            if kind in ("all", "write" if r.write else "read"):
                counts.update((r.file, b) for b in blocks_of(r, o.unit))
        hottest = sorted(counts.values(), reverse=True)
        for part in (1, 10, 100, 200, 500, 1000) if hottest else ():
            n = -(-len(hottest) * part // 1000)
            yield ["%s-%s%%" % (kind, decimal(part, 10, 1)), n, sum(hottest[:n]), share(sum(hottest[:n]), sum(hottest)), 1]


def after(trace, o):
    yield "after times share p50 mean p90 p99 greatest sample".split()
    before, times = {}, defaultdict(list)
    for r in trace.requests:
        for b in blocks_of(r, o.unit):
            if (r.file, b) in before:
                write, time = before[r.file, b]
                times[write, r.write].append(r.time - time)
            before[r.file, b] = (r.write, r.time)
    total = sum(len(x) for x in times.values())
    for old, new in ((False, False), (True, False), (False, True), (True, True)) if before else ():
        own = times[old, new]
        yield ["%s-%s" % (("read", "write")[old], ("read", "write")[new]), len(own), share(len(own), total)
               ] + distribution(own) + [1]


def file(trace, o):
    yield ("file class nodes requests sequential consecutive read written later opens gaps sizes bytes shared_bytes "
           "blocks shared_blocks sample").split()
    opened = Counter(f for f, _, request in trace.order if request is None)
    for f in sorted(trace.files, key=natural):
        n, later, sequential, consecutive, gaps, sizes = pattern(trace, f)
        requests = trace.by_file.get(f, ())
        read, written = (sum(r.size for r in requests if r.write == w) for w in (False, True))
        yield ([f, trace.class_of(f), len(trace.nodes(f)), n, sequential, consecutive, read, written, later, opened[f]]
               + [len(x) if len(x) < 5 else "5+" for x in (gaps, sizes)]
               + list(ranges(requests, 1) + ranges(requests, o.unit)) + [1])


# Darshan's counters.

BOUNDS = (100, 1024, 10240, 102400, 1048576, 4194304, 10485760, 104857600, 1073741824)
BINS = "0_100 100_1K 1K_10K 10K_100K 100K_1M 1M_4M 4M_10M 10M_100M 100M_1G 1G_PLUS".split()


class Common:
    """A table of at most 32 different values, of which the 4 most frequent are told."""
    def __init__(self):
        self.counts = {}

    def add(self, value):
        if value in self.counts or len(self.counts) < 32:
            self.counts[value] = self.counts.get(value, 0) + 1

    def columns(self):
        best = sorted(((n, v) for v, n in self.counts.items() if v), reverse=True)[:4] + [(0, 0)] * 4
        return [v for n, v in best[:4]] + [n for n, v in best[:4]]


def positions(events):
    """SEQ and CONSEC of reads and writes, and the table of strides, of a file's opens and requests in order."""
    last, seq, consec, strides = defaultdict(lambda: [0, 0]), [0, 0], [0, 0], Common()
    for loc, r in events:
        if r is None:
            last[loc] = [0, 0]
            continue
        at = last[loc][r.write]
        seq[r.write] += r.addr > at
        consec[r.write] += r.addr == at + 1
        strides.add(r.addr - at - 1 if r.addr > 0 and r.addr > at and at != 0 else 0)
        last[loc][r.write] = r.addr + r.size - 1
    return seq, consec, strides


def busy(requests):
    """The time of requests of one flow and kind, what is behind the greatest end before them."""
    total, reach = 0, None
    for r in requests:
        if r.dur is not None:
            begin = r.time if reach is None else max(r.time, reach)
            total += max(0, r.time + r.dur - begin)
            reach = r.time + r.dur if reach is None else max(reach, r.time + r.dur)
    return total


def rank_columns(flows):
    """The columns of the fastest and the slowest node; flows: those with requests, in order of their nodes."""
    if len(flows) < 2:
        return ["-"] * 8
    times = [sum(busy([r for r in f if r.write == w]) for w in (False, True)) for f in flows]
    sizes = [sum(r.size for r in f) for f in flows]
    fast, slow = times.index(min(times)), times.index(max(times))
    n = len(flows)
    of_times, of_sizes = (n * sum(x * x for x in xs) - sum(xs)**2 for xs in (times, sizes))
    return [flows[fast][0].node, sizes[fast], flows[slow][0].node, sizes[slow], seconds(times[fast]),
            seconds(times[slow]), decimal(of_times, n * n * 10**18, 18), decimal(of_sizes, n * n, 6)]


def darshan_row(file, events, align):
    requests = [r for _, r in events if r]
    flows = {loc: [r for r in requests if r.node == loc] for loc, _ in events}
    flows = [f for _, f in sorted(flows.items(), key=lambda x: natural(x[0])) if f]
    kinds = [[r for r in requests if r.write == w] for w in (False, True)]
    seq, consec, strides = positions(events)
    sizes = Common()
    for r in requests:
        sizes.add(r.size)
    row = [file, sum(r is None for _, r in events)] + [len(k) for k in kinds]
    row += [sum(r.size for r in k) for k in kinds] + [max([0] + [r.addr + r.size - 1 for r in k]) for k in kinds]
    row += consec + seq + [sum(a.write != b.write for f in flows for a, b in zip(f, f[1:])),
                           sum(r.memory is not None and r.memory % 8 != 0 for r in requests),
                           sum(r.addr % align != 0 for r in requests), align]
    longest = [max([r.dur for r in k if r.dur], default=0) for k in kinds]
    row += [next((r.size for r in k if r.dur == d and d), 0) for k, d in zip(kinds, longest)]
    for k in kinds:
        bins = Counter(sum(r.size > b for b in BOUNDS) for r in k)
        row += [bins[i] for i in range(10)]
    row += strides.columns() + sizes.columns()
    for w, k in enumerate(kinds):
        row += [seconds(min((r.time for r in k), default=None))]
        row += [seconds(max(r.time + (r.dur or 0) for r in k)),
                seconds(sum(busy([r for r in f if r.write == w]) for f in flows)),
                seconds(longest[w])] if any(r.dur is not None for r in k) else ["-"] * 3
    timed = any(r.dur is not None for r in requests)
    return row + (rank_columns(flows) if timed else ["-"] * 8)


def darshan(trace, o):
    yield ("file OPENS READS WRITES BYTES_READ BYTES_WRITTEN MAX_BYTE_READ MAX_BYTE_WRITTEN CONSEC_READS CONSEC_WRITES "
           "SEQ_READS SEQ_WRITES RW_SWITCHES MEM_NOT_ALIGNED FILE_NOT_ALIGNED FILE_ALIGNMENT MAX_READ_TIME_SIZE "
           "MAX_WRITE_TIME_SIZE".split() + ["SIZE_%s_%s" % (k, b) for k in ("READ", "WRITE") for b in BINS]
           + ["%s%d_%s" % (k, i, c) for k in ("STRIDE", "ACCESS") for c in (k, "COUNT") for i in range(1, 5)]
           + ["F_" + c % k for k in ("READ", "WRITE")
              for c in ("%s_START_TIMESTAMP", "%s_END_TIMESTAMP", "%s_TIME", "MAX_%s_TIME")]
           + "FASTEST_RANK FASTEST_RANK_BYTES SLOWEST_RANK SLOWEST_RANK_BYTES F_FASTEST_RANK_TIME "
           "F_SLOWEST_RANK_TIME F_VARIANCE_RANK_TIME F_VARIANCE_RANK_BYTES".split())
    events = defaultdict(list)              # a file's (node, request, or None for an open), in order
    for file, loc, request in trace.order:
        events[file].append((loc, request))
    for f in sorted(events, key=natural):
        yield darshan_row(f, events[f], o.align)


SECTIONS = {s.__name__: s for s in (classes, distinct, runs, sharing, touched, opens, concurrency, streams, seek, hot,
                                    after, file, darshan)}


def main(args, lines, out):
    parser = argparse.ArgumentParser()
    parser.add_argument("section", choices=sorted(SECTIONS))
    for name, default in (("unit", 4096), ("align", 4096), ("near", 65536), ("max-streams", 16)):
        parser.add_argument("--" + name, type=int, default=default)
    options = parser.parse_args(args)
    for i, row in enumerate(SECTIONS[options.section](Trace(lines), options)):
        out.write(("" if i else "#") + "\t".join(str(x) for x in row) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:], sys.stdin, sys.stdout)
