#!/usr/bin/env python3
"""The times and waits that trace-match writes, computed again from the calls.

Usage: match_waits.py CALLS MATCHED
CALLS is what `dumpi2txt RUN.meta` prints, MATCHED what `trace-match RUN.meta` prints; all calls must have durations.
The definitions are those of the page trace-match(1), "Messages" and "Collective operations".

The k-th collective call of each rank on MPI_COMM_WORLD belongs to the k-th operation there. Of messages only the
times are checked, not that srec, rrec, sdone and rdone are the right records. Collectives of other communicators
are passed over. The page does not say who is last of several that came at once: any of these is right; nor what
imbalance is if all came at once: 0 and its absence are right. Whether a send of MPI_Startall has late_receiver is
not checked, only its value. Exit status: 0, or 1: differences, or nothing found."""
import sys
from collections import defaultdict, namedtuple
from fractions import Fraction

WORLD, SYNCHRONOUS = "MPI_COMM_WORLD", ("MPI_Ssend", "MPI_Issend", "MPI_Ssend_init")
ALL, TO_ROOT, FROM_ROOT, SCAN, LOOSE = "all", "to root", "from root", "scan", "loose"
KINDS = {"MPI_" + name: kind for kind, names in (
    (ALL, "Barrier Allgather Allgatherv Alltoall Alltoallv Alltoallw Allreduce Reduce_scatter"),
    (TO_ROOT, "Gather Gatherv Reduce"), (FROM_ROOT, "Bcast Scatter Scatterv"), (SCAN, "Scan Exscan"),
    (LOOSE, "Init Init_thread Finalize Comm_dup Comm_create Comm_split Cart_create Graph_create Win_create File_open "
            "Cart_map Graph_map Comm_spawn Comm_spawn_multiple Comm_accept Comm_connect"))
    for name in names.split()}
Line = namedtuple("Line", "time end rank name size dur args")


def nanoseconds(text):
    if text in ("-", None):
        return None
    whole, _, part = text.partition(".")
    value = abs(int(whole)) * 10**9 + int((part + "0" * 9)[:9])
    return -value if text.startswith("-") else value


def lines(path):
    with open(path, encoding="utf-8", errors="surrogateescape") as file:
        for line in file:
            if line.startswith("#") or line == "\n":
                continue
            time, loc, name, _, size, dur, *rest = line.rstrip("\n").split("\t")
            args = {}
            for arg in rest:
                key, _, value = arg.partition("=")
                args.setdefault(key, value)
            begin, dur = nanoseconds(time), nanoseconds(dur)
            yield Line(begin, None if dur is None else begin + dur, int(loc.split("/")[0]), name, size, dur, args)


def communicator(call):
    """What the call is collective over: of calls without a communicator, the world."""
    world = call.name in ("MPI_Init", "MPI_Init_thread", "MPI_Finalize")
    return WORLD if world else call.args.get("oldcomm", call.args.get("comm"))


def size(kind, calls, root):
    """The bytes of all members; of a root's data, those of the root."""
    sizes = [c.size for c in calls if kind != FROM_ROOT or c.rank == root]
    return "-" if "-" in sizes else str(sum(map(int, sizes)))


def waits(kind, calls, root):
    last = max(call.time for call in calls)
    for rank, call in enumerate(calls):
        if kind == LOOSE:
            yield last - call.time if call.end >= last else 0
            continue
        others = {ALL: calls, SCAN: calls[:rank], FROM_ROOT: [c for c in calls if c.rank == root],
                  TO_ROOT: [c for c in calls if c.rank != root and rank == root]}[kind]
        wait = max((c.time for c in others), default=call.time) - call.time
        yield max(0, min(wait, call.dur))


class Check:
    def __init__(self, calls):
        self.calls, self.world, self.wrong = defaultdict(list), defaultdict(list), 0
        for call in calls:
            self.calls[call.rank].append(call)
            if call.name in KINDS and communicator(call) == WORLD:
                self.world[call.rank].append(call)
        self.ranks = sorted(self.calls)
        # Where not all came, or called different operations, there is no event.
        self.expected = {seq for seq, calls in enumerate(zip(*(self.world[rank] for rank in self.ranks)), 1)
                         if len({call.name for call in calls}) == 1}

    def tell(self, what, key, found, right):
        self.wrong += 1
        if self.wrong <= 5:
            print("%s: %s is %s, should be %s" % (what, key, found, right))

    def same(self, what, checks):
        for key, found, right in checks:
            if found != right:
                self.tell(what, key, found, right)

    def collective(self, event):
        seq = int(event.args["seq"])
        what = "collective %d" % seq
        if seq not in self.expected:
            return self.tell(what, "event", "there", "absent, or there once")
        self.expected.remove(seq)
        calls = [self.world[rank][seq - 1] for rank in self.ranks]
        begins = [call.time for call in calls]
        first, last, spread = min(begins), int(event.args["last"]), max(begins) - min(begins)
        came_last = [call.rank for call in calls if call.time == max(begins)]
        kind = KINDS[calls[0].name]
        roots = {int(call.args.get("root", -1)) if kind in (TO_ROOT, FROM_ROOT) else -1 for call in calls}
        if len(roots) != 1 or kind in (TO_ROOT, FROM_ROOT) and roots == {-1}:
            return self.tell(what, "root", roots, "one number, or none")
        each = list(waits(kind, calls, *roots))
        self.same(what, [
            ("time", event.time, first), ("dur", event.dur, max(call.end for call in calls) - first),
            ("size", event.size, size(kind, calls, *roots)), ("location", event.rank, last), ("last", last, last if last in came_last else came_last),
            ("call", event.args["call"], calls[0].name), ("ranks", event.args["ranks"], str(len(calls))),
            ("spread", nanoseconds(event.args["spread"]), spread),
            ("wait", nanoseconds(event.args.get("wait")), sum(each)),
            ("longest_wait", nanoseconds(event.args.get("longest_wait")), max(each))])
        right = 1 - Fraction(sum(b - first for b in begins), len(begins) * spread) if spread else Fraction(0)
        found = event.args.get("imbalance", None if spread else "0")
        if found is None or abs(Fraction(found) - right) > Fraction(1, 10**9):
            self.tell(what, "imbalance", found, float(right))

    def waits_for_receive(self, rank, number):
        """Whether this send is synchronous, as the call that made its request tells; None of MPI_Startall."""
        call = self.calls[rank][number - 1]
        if call.name == "MPI_Start":
            for made in reversed(self.calls[rank][:number - 1]):
                if made.name.endswith("_init") and made.args.get("request") == call.args.get("request"):
                    return made.name in SYNCHRONOUS
        return None if call.name.startswith("MPI_Start") else call.name in SYNCHRONOUS

    def message(self, event):
        sender, receiver, args = event.rank, int(event.args["to"]), event.args
        what = "message %d srec=%s to %d rrec=%s" % (sender, args["srec"], receiver, args["rrec"])
        places = {"srec": sender, "sdone": sender, "rrec": receiver, "rdone": receiver}
        for key, rank in places.items():
            if key in args and not 1 <= int(args[key]) <= len(self.calls[rank]):
                return self.tell(what, key, args[key], "at most %d" % len(self.calls[rank]))
        records = {key: self.calls[rank][int(args[key]) - 1] if key in args else None for key, rank in places.items()}
        send, sdone, posted, rdone = (records[key] for key in ("srec", "sdone", "rrec", "rdone"))
        late_sender = max(0, min(send.time, rdone.end) - rdone.time) if rdone else None
        synchronous, late_receiver = self.waits_for_receive(sender, int(args["srec"])), None
        if sdone and (synchronous or synchronous is None and "late_receiver" in args):
            late_receiver = max(0, min(posted.time, sdone.end) - sdone.time)
        self.same(what, [
            ("time", event.time, send.time), ("dur", event.dur, rdone.end - send.time if rdone else None),
            ("send_call", args["send_call"], send.name), ("recv_call", args["recv_call"], posted.name),
            ("late_sender", nanoseconds(args.get("late_sender")), late_sender),
            ("late_receiver", nanoseconds(args.get("late_receiver")), late_receiver)])


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: match_waits.py CALLS MATCHED")
    check, count = Check(lines(sys.argv[1])), {"collective": 0, "message": 0}
    for event in lines(sys.argv[2]):
        if event.name == "message" or event.name == "collective" and event.args["comm"] == WORLD:
            count[event.name] += 1
            getattr(check, event.name)(event)
    for seq in sorted(check.expected):
        check.tell("collective %d" % seq, "event", "absent", "there")
    good = not check.wrong and sum(count.values()) > 0
    print("%d collectives, %d messages: " % tuple(count.values()) + (
        "all right" if good else "%d differences" % check.wrong if check.wrong else "nothing to compare"))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
