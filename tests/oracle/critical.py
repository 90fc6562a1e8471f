#!/usr/bin/env python3
"""The critical paths of random MPI programs, which a simulator runs and trace-match --critical reads.

Usage: critical.py BIN PROGRAMS [SEED]
       critical.py --write [SEED]

The simulator draws a program: computation and calls of two to six ranks. It runs the program, with a delay for each call,
and writes a text stream. It knows the graph of dependencies: a call ends its delay after the last of the calls that it
depends on has begun. The path is the longest way through this graph, found forwards by relaxation. It is compared with
what trace-match --critical writes. Then computation off the path is halved, and the end must stay; and one computation on
the path is lengthened, and the end must move by as much. --write prints the trace of one program. Exit status: 0, or 1 if
something differs."""
import random
import subprocess
import sys
from collections import namedtuple

EAGER = 1000
ALL_TO_ALL = ("MPI_Barrier", "MPI_Allreduce", "MPI_Alltoall", "MPI_Allgather", "MPI_Reduce_scatter")
TO_ROOT, FROM_ROOT, SCAN = ("MPI_Gather", "MPI_Reduce"), ("MPI_Bcast", "MPI_Scatter"), ("MPI_Scan", "MPI_Exscan")
Stretch = namedtuple("Stretch", "begin rank name length why by")


class Call:
    def __init__(self, name, args, size="-"):
        self.name, self.args, self.size = name, args, size
        self.waits = []  # pairs: a call that must have begun, and why
        self.rank = self.number = None


class Program:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.n = self.random.randint(2, 6)
        self.calls = [[] for _ in range(self.n)]
        self.requests = [10] * self.n
        self.open = [[] for _ in range(self.n)]  # by rank: requests that no call has completed, with what they wait for
        self.tag = 0
        self.together("MPI_Init", range(self.n), None, [])
        colors = [self.random.randrange(2) for _ in range(self.n)]
        for rank in range(self.n):
            self.add(rank, Call("MPI_Comm_split", ["oldcomm=MPI_COMM_WORLD", "color=%d" % colors[rank], "key=0", "newcomm=4"]))
        self.depend([calls[-1] for calls in self.calls], "MPI_Comm_split", None)
        groups = [[r for r in range(self.n) if colors[r] == c] for c in (0, 1)]
        self.groups = [g for g in groups if g]
        for _ in range(self.random.randint(5, 60)):
            self.random.choice((self.message, self.message, self.message, self.exchange, self.collective, self.complete))()
        for rank in range(self.n):
            self.finish(rank, len(self.open[rank]))
        self.together("MPI_Finalize", range(self.n), None, [])
        self.compute = [[self.random.randint(1, 10 ** self.random.randint(1, 7)) for _ in calls] for calls in self.calls]
        self.delay = [[self.random.randint(1, 10 ** self.random.randint(1, 5)) for _ in calls] for calls in self.calls]

    def add(self, rank, call):
        call.rank, call.number = rank, len(self.calls[rank])
        self.calls[rank].append(call)
        return call

    # ---- calls ----

    def message(self):
        sender, receiver = self.random.sample(range(self.n), 2)
        self.tag += 1
        size = self.random.choice((8, EAGER, EAGER + 1, 100000))
        common = ["comm=MPI_COMM_WORLD", "tag=%d" % self.tag]
        status = ["status.source=%d" % sender, "status.tag=%d" % self.tag, "status.bytes=%d" % size, "status.cancelled=0"]
        name = self.random.choice(("MPI_Send", "MPI_Ssend", "MPI_Isend", "MPI_Issend", "MPI_Send_init"))
        waits = name in ("MPI_Ssend", "MPI_Issend") or size > EAGER
        posted = self.random.choice(("MPI_Recv", "MPI_Irecv", "MPI_Irecv"))
        # A receive may be posted before its send in the program, or after it.
        early = posted == "MPI_Irecv" and self.random.random() < 0.5
        to = ["dest=%d" % receiver] + common
        source = ["source=%d" % sender] + common

        def receive():
            if posted == "MPI_Recv":
                call = self.add(receiver, Call(posted, source + status, size))
                return call, call
            return self.add(receiver, Call(posted, source + [self.request(receiver)], size)), None

        got = receive() if early else None
        if name in ("MPI_Send", "MPI_Ssend"):
            send = self.add(sender, Call(name, to, size))
        elif name == "MPI_Send_init":
            request = self.request(sender)
            self.add(sender, Call(name, to + [request, "bytes=%d" % size], "-"))
            send = self.add(sender, Call("MPI_Start", [request], size))
        else:
            send = self.add(sender, Call(name, to + [self.request(sender)], size))
        recv, done = got or receive()
        if done:
            done.waits.append((send, "late_sender"))
        else:
            self.open[receiver].append((recv.args[-1], status, [(send, "late_sender")]))
        wait = [(recv, "late_receiver")] if waits else []
        if name in ("MPI_Send", "MPI_Ssend"):
            send.waits += wait
        else:
            self.open[sender].append((request if name == "MPI_Send_init" else send.args[-1], [], wait))

    def request(self, rank):
        self.requests[rank] += 1
        return "request=%d" % self.requests[rank]

    def complete(self):
        rank = self.random.randrange(self.n)
        self.finish(rank, self.random.randint(0, len(self.open[rank])))

    def finish(self, rank, n):
        """Completes n requests of the rank: each alone, or all by one call."""
        chosen = self.random.sample(self.open[rank], n)
        self.open[rank] = [r for r in self.open[rank] if r not in chosen]
        if chosen and self.random.random() < 0.5:
            call = self.add(rank, Call("MPI_Waitall", ["count=%d" % n, "requests=" + ",".join(r[0][8:] for r in chosen)]))
            call.waits = [wait for r in chosen for wait in r[2]]
            return
        for request, status, waits in chosen:
            self.add(rank, Call("MPI_Wait", [request] + status)).waits = list(waits)

    def exchange(self):
        """Each sends to its right, and receives from its left."""
        self.tag += 1
        calls = []
        for rank in range(self.n):
            left, right = (rank - 1) % self.n, (rank + 1) % self.n
            calls.append(self.add(rank, Call("MPI_Sendrecv", [
                "dest=%d" % right, "sendtag=%d" % self.tag, "source=%d" % left, "recvtag=%d" % self.tag,
                "comm=MPI_COMM_WORLD", "status.source=%d" % left, "status.tag=%d" % self.tag, "status.bytes=8",
                "status.cancelled=0"], 8)))
        for rank in range(self.n):
            calls[rank].waits.append((calls[rank - 1], "late_sender"))

    def collective(self):
        name = self.random.choice(ALL_TO_ALL + TO_ROOT + FROM_ROOT + SCAN)
        world = self.random.random() < 0.5
        members = list(range(self.n)) if world else self.random.choice(self.groups)
        root = self.random.randrange(len(members)) if name in TO_ROOT + FROM_ROOT else None
        self.together(name, members, root, ["comm=" + ("MPI_COMM_WORLD" if world else "4")])

    def together(self, name, members, root, args):
        args = args + ([] if root is None else ["root=%d" % root])
        self.depend([self.add(rank, Call(name, args)) for rank in members], name, root)

    @staticmethod
    def depend(calls, name, root):
        for place, call in enumerate(calls):
            others = (calls[:place] if name in SCAN else [calls[root]] if name in FROM_ROOT else
                      [] if name in TO_ROOT and place != root else calls)
            call.waits += [(other, "collective") for other in others if other is not call]

    # ---- the run ----

    def run(self):
        """Sets begin and end of each call. Returns the end of the run."""
        for calls in self.calls:
            for call in calls:
                call.begin = call.end = None
        at, moved = [0] * self.n, True
        while moved:
            moved = False
            for rank, calls in enumerate(self.calls):
                while at[rank] < len(calls):
                    call = calls[at[rank]]
                    if call.begin is None:
                        before = calls[at[rank] - 1].end if at[rank] else 0
                        call.begin = before + self.compute[rank][at[rank]]
                        moved = True
                    begins = [other.begin for other, _ in call.waits]
                    if None in begins:
                        break
                    call.end = max([call.begin] + begins) + self.delay[rank][at[rank]]
                    at[rank] += 1
                    moved = True
        assert all(at[rank] == len(self.calls[rank]) for rank in range(self.n)), "deadlock"
        return max(calls[-1].end for calls in self.calls)

    def path(self):
        """The longest way to the end of the run, as a list of Stretch; None if two ways are equally long."""
        dist, came = {}, {}
        edges = []
        for rank, calls in enumerate(self.calls):
            for k, call in enumerate(calls):
                if k:
                    edges.append(((rank, k - 1, 1), (rank, k, 0), self.compute[rank][k], "compute", None))
                else:
                    dist[rank, 0, 0] = self.compute[rank][0]
                for other, why in [(call, None)] + call.waits:
                    edges.append(((other.rank, other.number, 0), (rank, k, 1), self.delay[rank][k], call.name, why))
        changed = True
        while changed:
            changed = False
            for edge in edges:
                a, b, weight = edge[:3]
                if a in dist and dist[a] + weight > dist.get(b, -1):
                    dist[b], came[b], changed = dist[a] + weight, edge, True
        if any(a in dist and dist[a] + w == dist[b] and came[b][0] != a for a, b, w, *_ in edges):
            return None
        ends = sorted(((dist[r, len(c) - 1, 1], -r) for r, c in enumerate(self.calls)), reverse=True)
        rank = -ends[0][1]
        at, found = (rank, len(self.calls[rank]) - 1, 1), []
        while at in came:
            before, _, weight, name, why = came[at]
            found.append([dist[before], at[0], name, weight, why, before[0]])
            at = before
        found.reverse()
        # The reason of a change of ranks is that of the first stretch after it.
        return [Stretch(b, r, name, n, why, by if why else None) for b, r, name, n, why, by in found]

    def write(self):
        lines = []
        for rank, calls in enumerate(self.calls):
            for call in calls:
                lines.append((call.begin, rank, call))
        lines.sort(key=lambda line: line[:2] + (line[2].number,))
        text = ["##spoor\t1", "##format\tdumpi", "##clock\ts", "##loc\trank/thread", "##meta\tmeta.numprocs=%d" % self.n]
        for begin, rank, call in lines:
            text.append("\t".join([seconds(begin), str(rank), call.name, "-", str(call.size), seconds(call.end - begin)] + call.args))
        return "\n".join(text + ["##end", ""])


def seconds(ns):
    return "%d.%09d" % divmod(ns, 10**9)


def ns(text):
    whole, part = text.split(".")
    return int(whole) * 10**9 + int(part)


def found(program, bin_, tune):
    said = subprocess.run([bin_ + "/trace-match", "--critical", "--eager", str(EAGER)] + tune, input=program.write(), text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if said.returncode or said.stderr:
        print("status %d: %s" % (said.returncode, said.stderr))
        sys.exit(1)
    path = []
    for line in said.stdout.splitlines():
        if line.startswith("#"):
            continue
        time, rank, name, _, _, dur, *args = line.split("\t")
        args = dict(arg.split("=") for arg in args)
        assert args["call"] == name
        path.append(Stretch(ns(time), int(rank), name, ns(dur), args.get("why"), int(args["from"]) if "from" in args else None))
    return path


def check(seed, bin_):
    """Returns the numbers of stretches and of changes of ranks; None if two ways are equally long."""
    program = Program(seed)
    end, want = program.run(), program.path()
    if want is None:
        return None
    got = found(program, bin_, ["--tune", "wait=1"] if seed % 2 else [])
    if got != want:
        print("seed %d:" % seed)
        for a, b in zip(got + [None] * len(want), want + [None] * len(got)):
            if a != b:
                print("trace-match:", a, "\nlongest way:", b)
                break
        sys.exit(1)
    assert sum(s.length for s in got) == end - got[0].begin, "seed %d: the sum" % seed
    on = {(s.rank, s.begin) for s in got if s.name == "compute"}
    places = [(r, k) for r, calls in enumerate(program.calls) for k in range(1, len(calls))]
    is_on = {(r, k): (r, program.calls[r][k - 1].end) in on for r, k in places}
    for r, k in places:
        if not is_on[r, k]:
            program.compute[r][k] //= 2
    if program.run() != end:
        print("seed %d: computation off the path decided the end" % seed)
        sys.exit(1)
    r, k = program.random.choice([place for place in places if is_on[place]])
    program.compute[r][k] += 12345
    if program.run() != end + 12345:
        print("seed %d: computation on the path did not decide the end" % seed)
        sys.exit(1)
    return len(got), sum(s.why is not None for s in got)


def main(args):
    if args[0] == "--write":
        program = Program(int(args[1]) if args[1:] else 1)
        program.run()
        sys.stdout.write(program.write())
        return
    bin_, programs, seed = args[0], int(args[1]), int(args[2]) if args[2:] else 1
    done = stretches = changes = 0
    while done < programs:
        result = check(seed, bin_)
        seed += 1
        if result:
            done, stretches, changes = done + 1, stretches + result[0], changes + result[1]
    print("%d programs, %d stretches, %d from other ranks, all right" % (done, stretches, changes))


main(sys.argv[1:])
