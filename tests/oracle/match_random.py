#!/usr/bin/env python3
"""match_random.py - random MPI programs with known messages: an oracle for trace-match.

    match_random.py --check BIN N SEED        N programs, seeds from SEED: is BIN/trace-match right?
    match_random.py --write DIR SEED          one program's trace, truth.tsv, and the bytes of collectives in bytes.tsv
    match_random.py --big DIR RANKS MESSAGES  a big halo exchange, for measurements

A program is planned so that it cannot hang, whatever legal match MPI makes. A small simulator of MPI runs it: messages
travel, receives wait in one queue and unexpected messages in another, as the MPI standard says (section "Semantics of
Point-to-Point Communication"). So it knows which receive got which message. The calls are written as DUMPI files, as
dumpi-trace(5) describes them, with the habits of libdumpi and of the MPI libraries: handles are numbered per rank in
order of first sight and come back after a free; sends that complete at once share one request.
"""
import collections
import heapq
import os
import random
import shutil
import struct
import subprocess
import sys
import tempfile

CALLS = {name: i for i, name in enumerate("""
Send Recv Get_count Bsend Ssend Rsend Buffer_attach Buffer_detach Isend Ibsend Issend Irsend Irecv Wait Test
Request_free Waitany Testany Waitall Testall Waitsome Testsome Iprobe Probe Cancel Test_cancelled Send_init Bsend_init
Ssend_init Rsend_init Recv_init Start Startall Sendrecv Sendrecv_replace Type_contiguous""".split())}
CALLS.update(Type_commit=46, Type_free=47, Barrier=52, Bcast=53, Gather=54, Scatter=56, Allgather=58, Alltoall=60,
             Reduce=62, Allreduce=65, Scan=67, Comm_group=72, Group_union=73, Group_intersection=74,
             Group_difference=75, Group_incl=76, Group_excl=77, Group_range_incl=78, Group_range_excl=79, Group_free=80,
             Comm_size=81, Comm_rank=82, Comm_dup=84, Comm_create=85, Comm_split=86, Comm_free=87, Comm_test_inter=88,
             Comm_remote_group=90,
             Intercomm_create=91, Intercomm_merge=92, Cart_create=99, Cart_sub=111, Init=124, Finalize=125,
             Win_create=145, Win_fence=146, Win_free=147, File_open=230, File_close=231, File_set_size=233,
             File_write_at_all=245, File_read_all=249, File_seek_shared=263, File_write_all_begin=271,
             File_write_all_end=272, File_sync=281)
SIZES = [0, 0, 1, 1, 1, 1, 4, 2, 2, 4, 4, 8, 8, 4, 8, 16, 0, 8, 8, 1, 0, 0, 8, 12, 12, 6, 8, 20]
BUILTIN = [2, 2, 5, 7, 9, 9, 9, 11, 13, 14, 14]         # char, byte, short, int, long, float, double
MAGIC = b"\xff\xaa\xddDUMPI"
UNDEFINED = -32766
ROOM = 1 << 16                                           # bytes: no message is larger
SYNC = ("Ssend", "Issend", "Ssend_init")


# --- the files ---

def pack(fmt, values):
    """Arguments as bytes: i int, h handle, b byte, q long, A array of ints, R array of ranges."""
    out = []
    for f, v in zip(fmt, values):
        if f == "i":
            out.append(struct.pack(">i", v))
        elif f == "h":
            out.append(struct.pack(">h", v))
        elif f == "b":
            out.append(struct.pack(">B", v))
        elif f == "q":
            out.append(struct.pack(">q", v))
        elif f == "A":
            out.append(struct.pack(">I%di" % len(v), len(v), *v))
        elif f == "R":
            out.append(struct.pack(">I", len(v)) + b"".join(pack("A", [x]) for x in v))
        else:                                            # S, statuses as they go into the file
            out.append(v)
    return b"".join(out)


def str16(s):
    return struct.pack(">H", len(s)) + s.encode()


def write_rank(path, body, counts, sizes, bias, start, host="node"):
    """One rank's file: body is the records' bytes, counts says how many of each call."""
    counts = [counts.get(i, 0) for i in range(290)]
    counts.append(sum(counts))
    head = b"\x0d\0\0" + struct.pack(">Q", start) + str16(host) + str16("user") + struct.pack(">II", 0, 0)
    foot = struct.pack(">Q", 0xf007fee7) + struct.pack(">291I", *counts) + struct.pack(">291I", *[0] * 291)
    body = MAGIC + struct.pack(">ii", 0, bias) + body + struct.pack(">H", 293)
    at = [len(body), len(body) + len(head)]
    parts = [body, head, foot, struct.pack(">I", 0)]
    place = sum(map(len, parts))
    parts.append(struct.pack(">I%di" % len(sizes), len(sizes), *sizes))
    parts.append(MAGIC + struct.pack(">7Q", place, 0, 0, at[0], 8, at[1], 0))
    with open(path, "wb") as f:
        f.write(b"".join(parts))


def write_meta(folder, ranks, start):
    with open(os.path.join(folder, "run.meta"), "w") as f:
        f.write("hostname=node\nnumprocs=%d\nusername=user\nstartime=%d\nfileprefix=run\n"
                "version=13\nsubversion=0\nsubsubversion=0\n" % (ranks, start))


# --- communicators, requests, operations ---

class Comm:
    """A communicator: one group, or two if it is an intercommunicator. Ranks in groups are those of the world."""

    def __init__(self, sides, dims=None, kind="user"):
        self.sides, self.dims, self.kind = sides, dims, kind
        self.persistent = False                          # it had persistent requests
        self.calls = 0                                   # collective calls so far
        self.members = [r for s in sides for r in s]
        self.inter = len(sides) == 2

    def local(self, me):
        return self.sides[0] if me in self.sides[0] else self.sides[1]

    def remote(self, me):
        return self.local(me) if not self.inter else self.sides[me in self.sides[0]]

    def rank(self, me):
        return self.local(me).index(me)

    def addr(self, me, peer):
        """What I call this peer."""
        return self.remote(me).index(peer)


class Pool:
    """Handles of one kind on one rank: a freed pointer comes again, and with it its number."""

    def __init__(self, rng, first):
        self.rng, self.first, self.free, self.names, self.made = rng, first, [], {}, 0

    def new(self):
        if self.free and self.rng.random() < .8:
            ptr = self.free.pop(self.rng.choice([-1, -1, 0]))
        else:
            self.made += 1
            ptr = self.made
        return ptr, self.names.setdefault(ptr, self.first + len(self.names))


class Op:
    """One send or receive."""

    def __init__(self, send, rank, comm, tag, call, rec, t0):
        self.send, self.rank, self.comm, self.tag, self.call, self.rec, self.t0 = send, rank, comm, tag, call, rec, t0
        self.peer = self.source = None                   # sends: receiver; receives: rank in comm, -1 any, None nobody
        self.null = self.cancelled = self.asked = self.sync = False
        self.bytes = 0
        self.done_at = self.done = self.match = None     # done: record, its start, its end

    def wild(self):
        return not self.send and not self.null and (self.source == -1 or self.tag == -1)


class Req:
    """A request variable of the program."""

    def __init__(self, num, ptr, op, persistent=False, shared=False):
        self.num, self.ptr, self.op, self.persistent, self.shared = num, ptr, op, persistent, shared
        self.active = op is not None
        self.at = 0                                      # the round that it belongs to


ALL = "Barrier Allreduce Alltoall Allgather".split()      # each member gets data from each
LOOSE = "Win_fence File_seek_shared File_set_size File_sync Comm_free".split()   # these wait for nobody here


class Instance:
    """One collective call. `over` is the communicator, window or file that it is the seq-th on."""

    def __init__(self, call, members, comm=None, root=None):
        self.call, self.members, self.comm, self.root, self.came, self.left = call, members, comm, root, {}, {}
        self.over, self.seq, self.bytes = None, 0, {}

    def sure(self):
        """Whether the trace tells the bytes: of these calls only if it tells the size of, or the rank in, `over`."""
        return self.call not in ("Alltoall", "Scatter", "Bcast")

    def size(self):
        """The bytes of all members, or None."""
        need = [self.root] if self.call in ("Bcast", "Scatter") else self.members
        return sum(self.bytes[r] for r in need) if all(r in self.bytes for r in need) else None

    def waits(self):
        """How long each member waited, as trace-match(1) defines it."""
        last = max(self.came.values())
        for i, r in enumerate(self.members):
            if self.call in ALL:
                until = last
            elif self.call in ("Bcast", "Scatter"):
                until = self.came[self.root]
            elif self.call in ("Reduce", "Gather"):
                until = max([self.came[q] for q in self.members if q != r], default=0) if r == self.root else 0
            elif self.call == "Scan":
                until = max([self.came[q] for q in self.members[:i]], default=0)
            else:
                until = last if self.left[r] >= last else 0
            yield max(0, min(until, self.left[r]) - self.came[r])


# --- the simulator ---

class Sim:
    def __init__(self, rng, plan):
        self.rng, self.plan, self.heap, self.now, self.count = rng, plan, [], 0, 0
        self.last, self.sends, self.recvs = {}, [], []
        self.ranks = [Rank(self, r) for r in range(plan.n)]
        for r in self.ranks:
            r.main = r.run(plan.ops[r.me])
            self.at(plan.origin + rng.randrange(3000), lambda r=r: self.resume(r))

    def at(self, time, what):
        self.count += 1
        heapq.heappush(self.heap, (time, self.count, what))

    def run(self):
        while self.heap:
            self.now, _, what = heapq.heappop(self.heap)
            what()
        for r in self.ranks:
            assert r.ended, "rank %d hangs: %s" % (r.me, r.doing)

    def resume(self, r):
        try:
            what = next(r.main)
        except StopIteration:
            r.ended = True
            return
        if callable(what):
            r.blocked = what
            self.poke(r)
        else:
            self.at(what, lambda: self.resume(r))

    def poke(self, r):
        """Something happened: may this rank go on?"""
        if r.blocked:
            t = r.blocked()
            if t is not None:
                r.blocked = None
                self.at(max(t, self.now), lambda: self.resume(r))

    def launch(self, op):
        """A send is on its way. Messages from one rank to another do not overtake."""
        key = op.rank.me, op.peer.me
        t = max(self.last.get(key, 0), self.now + 1 + self.rng.randrange(self.rng.choice([100, 1000, 20000])))
        self.last[key] = t + 1
        self.at(t, lambda: self.arrive(op))

    def fits(self, recv, send):
        return (recv.comm is send.comm and recv.source in (-1, send.comm.addr(recv.rank.me, send.rank.me)) and
                recv.tag in (-1, send.tag))

    def arrive(self, op):
        if op.cancelled:
            return
        for recv in op.peer.posted:
            if self.fits(recv, op):
                op.peer.posted.remove(recv)
                self.pair(op, recv)
                return
        op.peer.unexpected.append(op)
        self.poke(op.peer)

    def post(self, recv):
        for send in recv.rank.unexpected:
            if self.fits(recv, send):
                recv.rank.unexpected.remove(send)
                self.pair(send, recv)
                return
        recv.rank.posted.append(recv)

    def pair(self, send, recv):
        send.match, recv.match = recv, send
        recv.done_at = self.now + self.rng.randrange(self.rng.choice([1, 100, 3000]))
        if send.done_at is None:
            send.done_at = self.now + self.rng.randrange(1, 2000)
        self.poke(recv.rank)
        self.poke(send.rank)


class Rank:
    def __init__(self, sim, me):
        rng = sim.rng
        self.sim, self.me, self.rng, self.plan = sim, me, rng, sim.plan
        self.records, self.counts, self.first = [], collections.Counter(), None
        self.posted, self.unexpected, self.blocked, self.ended, self.doing = [], [], None, False, ""
        self.comms, self.groups = Pool(rng, 4), Pool(rng, 3)
        self.pools = {"win": Pool(rng, 1), "file": Pool(rng, 1)}
        self.reqs, self.types = Pool(rng, 2), Pool(rng, 28)
        self.comm_of, self.group_of, self.ptr_of = {}, {}, {}
        self.pending, self.persistent, self.fifo, self.shared = [], {}, collections.deque(), None
        self.user_types, self.sizes = [], list(SIZES)

    # - time and records -

    def delay(self):
        yield self.sim.now + self.rng.randrange(1, self.rng.choice([50, 500, 5000]))

    def gap(self):
        rng, g = self.rng, self.plan.gap
        long = rng.choice([0, 0, rng.randrange(g), rng.randrange(30 * g)])
        yield self.sim.now + (long if rng.random() < .3 else rng.randrange(100))

    @property
    def rec(self):
        """The number of the record that comes next."""
        return len(self.records) + 1

    def write(self, t0, call, fmt, values):
        self.records.append((CALLS[call], t0, self.sim.now, pack(fmt, values)))
        self.counts[CALLS[call]] += 1
        if self.first is None:
            self.first = t0

    def simple(self, call, fmt="", *values):
        t0 = self.sim.now
        yield from self.delay()
        self.write(t0, call, fmt, values)
        yield from self.gap()

    # - statuses -

    def statuses(self, states, needed=True):
        """The bytes of these statuses: (bytes, source, cancelled, error, tag)."""
        p = self.plan
        if p.statuses == "absent":
            return b""
        if p.statuses == "ignored" or not states or (not needed and p.sloppy and self.rng.random() < .3):
            return struct.pack(">I", 0)
        return struct.pack(">I", len(states)) + b"".join(struct.pack(">iibbi", *s) for s in states)

    def status(self, op, shared=False, single=False):
        err = self.rng.choice([0, 97, 114]) if single else 0
        if op is None:                                   # nothing was active
            return 0, -1, 0, err, -1
        if not op.send:
            if op.null:
                return 0, self.plan.null, 0, err, -1
            if op.cancelled:
                return 0, -1, 1, err, -1
            m = op.match
            return m.bytes, m.comm.addr(self.me, m.rank.me), 0, err, m.tag
        if op.asked:
            return (0, -1, 1, err, -1) if op.cancelled else (op.bytes, op.comm.rank(self.me), 0, err, op.tag)
        if self.plan.mpich:
            return UNDEFINED, 623191333, self.rng.choice([0, 0, 1]), err, self.rng.choice([0, 7, -1])
        if shared or op.null:
            return 0, -2, 0, err, -1
        return op.bytes, op.comm.rank(self.me), 0, err, op.tag

    def needs(self, op):
        """Must a reader see this operation's status?"""
        return bool(op) and (op.asked or op.wild() or (op.null and self.plan.mpich))

    # - handles -

    def num(self, comm):
        if comm is self.plan.world:
            return 2
        if comm is self.plan.selves[self.me]:
            return 3
        return self.comm_of[comm]

    def new_request(self, op, at, persistent=False):
        # What is complete at once may get the one request that the library has for such operations.
        share = (op and not persistent and not op.asked and op.done_at is not None and op.done_at <= self.sim.now and
                 (op.send or (op.null and not self.plan.mpich)) and self.rng.random() < self.plan.share)
        if share:
            if self.shared is None:
                self.shared = self.reqs.new()
            q = Req(self.shared[1], None, op, shared=True)
            self.fifo.append(op)
        else:
            ptr, num = self.reqs.new()
            q = Req(num, ptr, op, persistent)
        q.at = at
        return q

    def finish(self, q, how):
        """The call `how` (record, start, end) completed q. It gives the operation."""
        op = self.fifo.popleft() if q.shared else q.op
        q.active = False
        if op:
            op.done = how
        if not q.persistent:
            if q.ptr is not None:
                self.reqs.free.append(q.ptr)
            if q in self.pending:
                self.pending.remove(q)
        elif q in self.pending:
            self.pending.remove(q)
        return op

    def ready(self, q):
        return q.active and q.op.done_at is not None and q.op.done_at <= self.sim.now

    # - datatypes -

    def payload(self, small=True):
        """count, datatype: something to send."""
        kinds = [(t, SIZES[t]) for t in BUILTIN] + self.user_types * 3
        t, size = self.rng.choice(kinds)
        n = self.rng.choice([0, 1, self.rng.randrange(20), self.rng.randrange(200)])
        return n, t, n * size

    def room(self):
        kinds = [(t, SIZES[t]) for t in BUILTIN] + self.user_types * 2
        t, size = self.rng.choice(kinds)
        return -(-ROOM // size), t

    def do_types(self):
        for _ in range(self.rng.randrange(3)):
            kinds = [(t, SIZES[t]) for t in BUILTIN] + self.user_types
            old, size = self.rng.choice(kinds)
            n = self.rng.randrange(1, 6)
            if n * size > 300:
                continue
            t0 = self.sim.now
            yield from self.delay()
            ptr, num = self.types.new()
            if num == len(self.sizes):
                self.sizes.append(n * size)
            self.write(t0, "Type_contiguous", "ihh", (n, old, num))
            yield from self.gap()
            yield from self.simple("Type_commit", "h", num)
            self.user_types.append((num, n * size))
            self.ptr_of["type", num] = ptr

    def do_free_types(self):
        for num, size in list(self.user_types):
            if self.rng.random() < .5:
                self.user_types.remove((num, size))
                yield from self.simple("Type_free", "h", num)
                self.types.free.append(self.ptr_of.pop(("type", num)))

    # - sends and receives -

    def send_op(self, m, call, bytes, t0, sync=False):
        op = Op(True, self, m.comm, m.tag, call, self.rec, t0)
        op.bytes = bytes
        op.sync = sync or m.mode in SYNC
        if m.d is None:
            op.null, op.done_at, op.bytes = True, t0, 0
            return op
        op.peer = self.sim.ranks[m.d]
        if not op.sync and not m.rendezvous:
            op.done_at = t0 if self.rng.random() < .7 else t0 + self.rng.randrange(5000)
        self.sim.sends.append(op)
        self.sim.launch(op)
        return op

    def recv_op(self, comm, source, tag, call, t0):
        op = Op(False, self, comm, tag, call, self.rec, t0)
        op.source = source
        self.sim.recvs.append(op)
        if source is None:
            op.null, op.done_at = True, t0
        else:
            self.sim.post(op)
        return op

    def dest(self, m):
        return self.plan.null if m.d is None else m.comm.addr(self.me, m.d)

    def src(self, m):
        """(as the simulator has it, as the file has it)"""
        if m.s is None:
            return None, self.plan.null
        s = -1 if m.anysrc else m.comm.addr(self.me, m.s)
        return s, s

    def do_send(self, m, at):
        if m.mode.endswith("_init"):
            yield from self.do_starts([(True, m)], at)
            return
        if m.trycancel:
            again = yield from self.cancelled_send(m, at)
            if not again:
                return
        n, t, size = self.payload()
        t0 = self.sim.now
        op = self.send_op(m, "MPI_" + m.mode, size, t0)
        if m.mode[0] == "I":
            yield from self.delay()
            q = self.new_request(op, at)
            self.write(t0, m.mode, "ihiihi", (n, t, self.dest(m), m.tag, self.num(m.comm), q.num))
            self.pending.append(q)
            yield from self.gap()
            if m.waitnow:
                yield from self.complete([q])
        else:
            yield lambda: op.done_at
            yield from self.delay()
            op.done = self.rec, t0, self.sim.now
            self.write(t0, m.mode, "ihiih", (n, t, self.dest(m), m.tag, self.num(m.comm)))
            yield from self.gap()

    def cancelled_send(self, m, at):
        """Issend, Cancel, Wait. Was it cancelled in time? Then the message itself is still to be sent."""
        n, t, size = self.payload()
        t0 = self.sim.now
        op = self.send_op(m, "MPI_Issend", size, t0, True)
        op.asked = True
        yield from self.delay()
        q = self.new_request(op, at)
        self.write(t0, "Issend", "ihiihi", (n, t, self.dest(m), m.tag, self.num(m.comm), q.num))
        yield from self.gap()
        t0 = self.sim.now
        if op.match is None:
            op.cancelled, op.done_at = True, t0
            if op in op.peer.unexpected:
                op.peer.unexpected.remove(op)
        yield from self.delay()
        self.write(t0, "Cancel", "i", (q.num,))
        yield from self.gap()
        self.pending.append(q)
        yield from self.complete([q])
        return op.cancelled

    def do_post(self, m, at):
        t0 = self.sim.now
        source, raw = self.src(m)
        n, t = self.room()
        tag = -1 if m.anytag else m.tag
        op = self.recv_op(m.comm, source, tag, "MPI_Irecv", t0)
        yield from self.delay()
        q = self.new_request(op, at)
        self.write(t0, "Irecv", "ihiihi", (n, t, raw, tag, self.num(m.comm), q.num))
        self.pending.append(q)
        yield from self.gap()

    def do_posts(self, items, at):
        """Non-blocking receives and early persistent sends: (is it a send, message)."""
        starts = []
        for send, m in items:
            if send or m.pers:
                starts.append((send, m))
                if self.rng.random() < .5:
                    yield from self.do_starts(starts, at)
                    starts = []
            else:
                yield from self.do_post(m, at)
        if starts:
            yield from self.do_starts(starts, at)

    def do_starts(self, items, at):
        """Start or Startall of these, after the _init calls of those that have no free request."""
        got = []
        for send, m in items:
            if send:
                key = True, m.comm, self.dest(m), m.tag, m.mode
            else:
                key = False, m.comm, self.src(m)[1], -1 if m.anytag else m.tag, m.s is None
            for q in self.persistent.get(key, ()):
                if not q.active and q not in [g[0] for g in got] and self.rng.random() < .95:
                    break
            else:
                t0 = self.sim.now
                n, t, size = self.payload() if send else self.room() + (0,)
                yield from self.delay()
                q = self.new_request(None, at, True)
                q.size, q.comm = size, m.comm
                self.persistent.setdefault(key, []).append(q)
                self.write(t0, m.mode if send else "Recv_init", "ihiihi", (n, t) + key[2:4] + (self.num(m.comm), q.num))
                yield from self.gap()
            got.append((q, send, m))
        while got:
            n = len(got) if self.rng.random() < .5 else 1
            now, got = got[:n], got[n:]
            all = n > 1 or self.rng.random() < .2
            t0 = self.sim.now
            for q, send, m in now:
                call = "MPI_Startall" if all else "MPI_Start"
                if send:
                    q.op = self.send_op(m, call, q.size, t0)
                else:
                    q.op = self.recv_op(m.comm, self.src(m)[0], -1 if m.anytag else m.tag, call, t0)
                q.active, q.at = True, at
                self.pending.append(q)
            yield from self.delay()
            if all:
                self.write(t0, "Startall", "iA", (len(now), [q.num for q, _, _ in now]))
            else:
                self.write(t0, "Start", "i", (now[0][0].num,))
            yield from self.gap()

    def do_recv(self, m, at):
        """A blocking receive, perhaps after a probe, or with a cancel that may come too late."""
        source, raw = self.src(m)
        tag = -1 if m.anytag else m.tag
        if m.trycancel:
            op = yield from self.cancelled_recv(m.comm, source, tag, at, now=True)
            if not op.cancelled:
                return
        if m.probe and source is not None:
            want = Op(False, self, m.comm, tag, "", 0, 0)
            want.source = source

            def found():
                return next((s for s in self.unexpected if self.sim.fits(want, s)), None)

            while m.probe == "Iprobe" and not found() and self.rng.random() < .8:
                yield from self.simple("Iprobe", "iihiS", source, tag, self.num(m.comm), 0, self.statuses([]))
            t0 = self.sim.now
            while not found():                           # it may be cancelled before this rank sees it
                yield lambda: self.sim.now if found() else None
            s = found()
            yield from self.delay()
            say = self.statuses([(s.bytes, m.comm.addr(self.me, s.rank.me), 0, 0, s.tag)], False)
            if m.probe == "Iprobe" and self.sim.now - t0 < 5000:
                self.write(t0, "Iprobe", "iihiS", (source, tag, self.num(m.comm), 1, say))
            else:
                self.write(t0, "Probe", "iihS", (source, tag, self.num(m.comm), say))
            yield from self.gap()
            if s in self.unexpected and self.rng.random() < .7:
                source = raw = m.comm.addr(self.me, s.rank.me)
                tag = s.tag
        n, t = self.room()
        t0 = self.sim.now
        op = self.recv_op(m.comm, source, tag, "MPI_Recv", t0)
        yield lambda: op.done_at
        yield from self.delay()
        op.done = self.rec, t0, self.sim.now
        st = self.statuses([self.status(op, single=True)], self.needs(op))
        self.write(t0, "Recv", "ihiihS", (n, t, raw, tag, self.num(m.comm), st))
        yield from self.gap()
        if len(st) > 4 and not op.null and self.rng.random() < .1:
            yield from self.simple("Get_count", "Shi", st, 2, op.match.bytes)

    def cancelled_recv(self, comm, source, tag, at, now=False, pers=False):
        n, t = self.room()
        if pers:
            t0 = self.sim.now
            yield from self.delay()
            q = self.new_request(None, at, True)
            q.comm = comm
            self.persistent.setdefault((False, comm, source, tag, "cancel"), []).append(q)
            self.write(t0, "Recv_init", "ihiihi", (n, t, source, tag, self.num(comm), q.num))
            yield from self.gap()
        t0 = self.sim.now
        op = self.recv_op(comm, source, tag, "MPI_Start" if pers else "MPI_Irecv", t0)
        op.asked = True
        yield from self.delay()
        if pers:
            q.op, q.active = op, True
            self.write(t0, "Start", "i", (q.num,))
        else:
            q = self.new_request(op, at)
            self.write(t0, "Irecv", "ihiihi", (n, t, source, tag, self.num(comm), q.num))
        yield from self.gap()
        t0 = self.sim.now
        if op.match is None:
            op.cancelled, op.done_at = True, t0
            self.posted.remove(op)
        yield from self.delay()
        self.write(t0, "Cancel", "i", (q.num,))
        yield from self.gap()
        self.pending.append(q)
        if now:
            yield from self.complete([q])
        return op

    def do_cancel(self, comm, source, tag, at, pers):
        yield from self.cancelled_recv(comm, source, tag, at, pers=pers)

    def do_sendrecv(self, s, r, replace, at):
        """s, r: the message out and the message in."""
        n, t, size = self.payload()
        rn, rt = self.room()
        t0 = self.sim.now
        call = "Sendrecv_replace" if replace else "Sendrecv"
        s.mode = call
        out = self.send_op(s, "MPI_" + call, size, t0)
        source, raw = self.src(r)
        op = self.recv_op(r.comm, source, r.tag, "MPI_" + call, t0)
        yield lambda: None if None in (op.done_at, out.done_at) else max(op.done_at, out.done_at)
        yield from self.delay()
        op.done = out.done = self.rec, t0, self.sim.now
        st = self.statuses([self.status(op, single=True)], self.needs(op))
        if replace:
            self.write(t0, call, "ihiiiihS", (n, t, self.dest(s), s.tag, raw, r.tag, self.num(s.comm), st))
        else:
            self.write(t0, call, "ihiiihiihS", (n, t, self.dest(s), s.tag, rn, rt, raw, r.tag, self.num(s.comm), st))
        yield from self.gap()

    def do_iprobe(self, comm, source, tag):
        t0 = self.sim.now
        want = Op(False, self, comm, tag, "", 0, 0)
        want.source = source
        s = next((s for s in self.unexpected if self.sim.fits(want, s)), None)
        st = self.statuses([(s.bytes, comm.addr(self.me, s.rank.me), 0, 0, s.tag)] if s else [])
        yield from self.delay()
        self.write(t0, "Iprobe", "iihiS", (source, tag, self.num(comm), int(bool(s)), st))
        yield from self.gap()

    # - completions -

    def do_complete(self, upto, share, free):
        have = [q for q in self.pending if q.at <= upto]
        if share < 1:
            have = [q for q in have if self.rng.random() < share]
        if self.rng.random() < .6:
            self.rng.shuffle(have)
        if free:
            for q in list(have):
                op = q.op
                may = not q.persistent and not op.asked and (op.send or (not op.wild() and not op.null and
                                                                         self.rng.random() < .3))
                if may and self.rng.random() < .3:
                    have.remove(q)
                    yield from self.free_active(q)
        while have:
            n = len(have) if self.rng.random() < .6 else self.rng.randrange(1, len(have) + 1)
            yield from self.complete(have[:n])
            have = have[n:]

    def free_active(self, q):
        self.pending.remove(q)
        q.active = False
        if q.shared:
            self.fifo.popleft()
        elif q.op.done_at is not None and q.op.done_at <= self.sim.now:
            self.reqs.free.append(q.ptr)
        yield from self.simple("Request_free", "i", q.num)

    def do_free_persistent(self, chance, comm=None):
        for key, list_ in list(self.persistent.items()):
            for q in list(list_):
                if not q.active and (comm is None or q.comm is comm) and self.rng.random() < chance:
                    list_.remove(q)
                    yield from self.simple("Request_free", "i", q.num)
                    self.reqs.free.append(q.ptr)

    def complete(self, reqs):
        """Completes these requests, by one of the families of calls."""
        rng, reqs = self.rng, list(reqs)
        idle = [q for l in self.persistent.values() for q in l if not q.active]
        if idle and rng.random() < .1:                   # inactive ones in the list complete at once, as nothing
            reqs.insert(rng.randrange(len(reqs) + 1), rng.choice(idle))
        if rng.random() < .05:
            reqs.insert(rng.randrange(len(reqs) + 1), None)
        how = rng.choice(["Wait", "Test", "Waitany", "Testany", "Waitall", "Waitall", "Testall", "Waitsome",
                          "Testsome"])
        tries = rng.choice([0, 1, 3, 10])
        if how in ("Wait", "Test"):
            for q in reqs:
                while how == "Test" and tries and q and q.active:
                    tries -= 1
                    yield from self.one("Test", q)
                if q and not q.active and not q.persistent:
                    q = None                             # the test made the variable null
                if q is None and rng.random() < .8:
                    continue
                if q is None or q.active or rng.random() < .1:
                    yield from self.one("Wait", q)
            return
        while how.startswith("Test") and tries and any(q and q.active for q in reqs):
            tries -= 1
            yield from self.some(how, reqs)
        if how.startswith("Test"):
            how = rng.choice(["Waitany", "Waitall", "Waitsome"])
        while any(q and q.active for q in reqs):
            yield from self.some(how, reqs)
            if rng.random() < .05:
                how = rng.choice(["Waitany", "Waitall", "Waitsome"])
        if rng.random() < .03:                           # and once more, with nothing left
            yield from self.some(rng.choice(["Waitany", "Waitall", "Waitsome", "Testany", "Testall", "Testsome"]), reqs)

    def one(self, how, q):
        t0 = self.sim.now
        num = q.num if q else 1
        busy = q is not None and q.active
        if how == "Wait" and busy:
            yield lambda: q.op.done_at
        flag = not busy or self.ready(q)
        yield from self.delay()
        state, need = [], False
        if flag:
            op = self.finish(q, (self.rec, t0, self.sim.now)) if busy else None
            state, need = [self.status(op, busy and q.shared, True)], self.needs(op)
        if how == "Wait":
            self.write(t0, how, "iS", (num, self.statuses(state, need)))
        else:
            self.write(t0, how, "iiS", (num, int(flag), self.statuses(state, need)))
        yield from self.gap()

    def some(self, how, reqs):
        """One call with an array. Completed requests of the array become null, but persistent ones stay."""
        t0 = self.sim.now
        ids = [q.num if q else 1 for q in reqs]
        busy = [q for q in reqs if q and q.active]
        if how == "Waitall":
            yield lambda: (None if any(q.op.done_at is None for q in busy)
                           else max([q.op.done_at for q in busy] + [t0]))
        elif how in ("Waitany", "Waitsome") and busy:
            yield lambda: min([q.op.done_at for q in busy if q.op.done_at is not None], default=None)
        now = [i for i, q in enumerate(reqs) if q and self.ready(q)]
        yield from self.delay()
        this = self.rec, t0, self.sim.now
        need = False

        def state(i, single=False):
            nonlocal need
            q = reqs[i]
            if q is None or not q.active:
                return self.status(None, single=single)
            shared = q.shared
            op = self.finish(q, this)
            need = need or self.needs(op)
            if not q.persistent:
                reqs[i] = None
            return self.status(op, shared, single)

        if how.endswith("all"):
            flag = how == "Waitall" or len(now) == len(busy)
            states = [state(i) for i in range(len(reqs))] if flag else []
            st = self.statuses(states, need)
            values = (len(ids), ids, st) if how == "Waitall" else (len(ids), ids, int(flag), st)
            self.write(t0, how, "iAS" if how == "Waitall" else "iAiS", values)
        elif how.endswith("any"):
            got = self.rng.choice(now) if now else UNDEFINED
            states = [state(got, True)] if now else [self.status(None)] if not busy else []
            st = self.statuses(states, need)
            flag = int(bool(now) or not busy)
            self.write(t0, how, "iAiS" if how == "Waitany" else "iAiiS",
                       (len(ids), ids, got, st) if how == "Waitany" else (len(ids), ids, got, flag, st))
        else:
            if self.rng.random() < .7:
                self.rng.shuffle(now)
            if self.rng.random() < .2 and len(now) > 1:
                now.pop()
            out = len(now) if busy else UNDEFINED
            states = [state(i) for i in now]
            self.write(t0, how, "iAiAS", (len(ids), ids, out, now, self.statuses(states, need)))
        yield from self.gap()

    # - collectives and communicators -

    def meet(self, x):
        """Waits as long as this collective call does."""
        x.came[self.me] = self.sim.now
        for r in x.members:
            self.sim.poke(self.sim.ranks[r])

        def ready():
            if x.call in ("Bcast", "Scatter"):
                need = [x.root]
            elif x.call in ("Reduce", "Gather"):
                need = x.members if self.me == x.root else []
            elif x.call == "Scan":
                need = x.members[:x.members.index(self.me)]
            elif x.call in LOOSE:
                need = []
            else:
                need = x.members
            return self.sim.now if all(r in x.came for r in need) else None

        yield ready

    def do_coll(self, x):
        t0 = self.sim.now
        yield from self.meet(x)
        yield from self.delay()
        c, n, t = self.num(x.comm), 3, 9
        me = x.comm.rank(self.me)
        root = x.comm.rank(x.root) if x.root is not None else 0
        fmt, values = {
            "Barrier": ("h", (c,)), "Bcast": ("ihih", (n, t, root, c)), "Allreduce": ("ihbh", (n, t, 3, c)),
            "Reduce": ("ihbih", (n, t, 3, root, c)), "Scan": ("ihbh", (n, t, 1, c)),
            "Gather": ("iihih", (me, n, t, root, c)), "Scatter": ("iihih", (me, n, t, root, c)),
            "Alltoall": ("ihihh", (n, t, n, t, c)), "Allgather": ("ihihh", (n, t, n, t, c))}[x.call]
        if x.call in ("Gather", "Scatter") and me == root:
            fmt, values = fmt + "ih", values + (n, t)
        # What this rank sends and receives, as MPI defines the call, in a communicator of so many.
        one, each = n * SIZES[t], n * SIZES[t] * len(x.comm.members)
        sent, got = {"Barrier": ("-", "-"), "Bcast": (one, "-") if me == root else ("-", one), "Allreduce": (one, one),
                     "Reduce": (one, one if me == root else "-"), "Scan": (one, one),
                     "Gather": (one, each if me == root else "-"), "Scatter": (each if me == root else "-", one),
                     "Alltoall": (each, each), "Allgather": (one, each)}[x.call]
        self.plan.bytes.append((self.me, self.rec, "MPI_" + x.call, sent, got))
        self.write(t0, x.call, fmt, values)
        x.left[self.me] = self.sim.now
        if x.call != "Barrier":
            x.bytes[self.me] = n * SIZES[t] * (len(x.members) if x.call in ("Scatter", "Alltoall") else 1)
        yield from self.gap()

    def do_object(self, x):
        """A call on a window or a file, which it may make or free."""
        t0, o = self.sim.now, x.object
        yield from self.meet(x)
        yield from self.delay()
        if x.call in ("Win_create", "File_open"):
            self.ptr_of[o], self.comm_of[o] = self.pools[o.kind].new()
        n = self.rng.randrange(100)
        state = self.statuses([(n, 0, 0, 0, 0)], False)
        told = n if len(state) > 4 else 4 * n            # without a status: as many as the call asks for
        h = self.comm_of[o]
        self.write(t0, x.call, *{
            "Win_create": lambda: ("iihhh", (n, 1, 1, self.num(x.over), h)), "Win_fence": lambda: ("bh", (0, h)),
            "Win_free": lambda: ("h", (h,)),
            "File_open": lambda: ("hSbhh", (self.num(x.over), struct.pack(">I", 2) + b"f\0", 1, 0, h)),
            "File_close": lambda: ("h", (h,)), "File_set_size": lambda: ("hq", (h, n)), "File_sync": lambda: ("h", (h,)),
            "File_write_at_all": lambda: ("hqihS", (h, 0, n, 9, state)),
            "File_read_all": lambda: ("hihS", (h, n, 9, state)), "File_seek_shared": lambda: ("hqb", (h, n, 1)),
            "File_write_all_begin": lambda: ("hih", (h, n, 9)), "File_write_all_end": lambda: ("hS", (h, state))}[x.call]())
        x.left[self.me] = self.sim.now
        if x.call in ("File_write_at_all", "File_read_all"):
            x.bytes[self.me] = told
        elif x.call == "File_write_all_begin":
            x.bytes[self.me] = 4 * n
        elif x.call == "File_write_all_end" and len(state) > 4:
            x.bytes[self.me] = n
        if x.call in ("Win_free", "File_close"):
            self.pools[o.kind].free.append(self.ptr_of.pop(o))
            del self.comm_of[o]
        yield from self.gap()

    def do_make(self, x):
        """A call that makes a communicator. x.args[me] is how this rank calls it, x.made[me] what it gets."""
        group = None
        if x.call == "Comm_create":
            group = yield from self.make_group(x.recipe[self.me])
        t0 = self.sim.now
        yield from self.meet(x)
        yield from self.delay()
        num = 1
        if x.made[self.me]:
            ptr, num = self.comms.new()
            self.comm_of[x.made[self.me]] = num
            self.ptr_of[x.made[self.me]] = ptr
        old, args = x.comm[self.me], x.args[self.me]
        self.write(t0, x.call, *{
            "Comm_dup": lambda: ("hh", (self.num(old), num)),
            "Comm_split": lambda: ("hiih", (self.num(old),) + args + (num,)),
            "Comm_create": lambda: ("hhh", (self.num(old), group, num)),
            "Cart_create": lambda: ("hiAAih", (self.num(old), len(args[0])) + args + (num,)),
            "Cart_sub": lambda: ("ihAh", (len(args), self.num(old), args, num)),
            "Intercomm_create": lambda: ("hihiih", (self.num(old), args[0],
                                                    self.num(args[1]) if isinstance(args[1], Comm) else args[1],
                                                    args[2], args[3], num)),
            "Intercomm_merge": lambda: ("hih", (self.num(old), args, num))}[x.call]())
        x.left[self.me] = self.sim.now
        yield from self.gap()
        new = x.made[self.me]
        if new and (x.tell or self.rng.random() < .3):
            yield from self.simple("Comm_rank", "hi", num, new.rank(self.me))
            yield from self.simple("Comm_size", "hi", num, len(new.local(self.me)))
        if group and group > 2 and self.rng.random() < .6:
            yield from self.free_group(group)

    def make_group(self, recipe):
        """Runs a recipe of group calls; the number of the last group."""
        nums, last = [], None
        for i, (call, args, result) in enumerate(recipe):
            t0 = self.sim.now
            yield from self.delay()
            key = (call, args[0]) if call in ("Comm_group", "Comm_remote_group") else None
            if not result:
                num = 2
            elif key and self.plan.one_group and key in self.group_of:
                num = self.group_of[key]                 # the library gave the same pointer again
            else:
                ptr, num = self.groups.new()
                self.ptr_of["group", num] = ptr
                if key and self.plan.one_group:
                    self.group_of[key] = num
            a = [nums[x] if isinstance(x, Ref) else self.num(x) if isinstance(x, Comm) else x for x in args]
            if call in ("Comm_group", "Comm_remote_group"):
                self.write(t0, call, "hh", (a[0], num))
            elif call in ("Group_incl", "Group_excl"):
                self.write(t0, call, "hiAh", (a[0], len(a[1]), a[1], num))
            elif call in ("Group_range_incl", "Group_range_excl"):
                self.write(t0, call, "hiRh", (a[0], len(a[1]), a[1], num))
            else:
                self.write(t0, call, "hhh", (a[0], a[1], num))
            nums.append(num)
            yield from self.gap()
        last = nums.pop()
        for num in nums:
            if num > 2 and num != last and ("group", num) in self.ptr_of and self.rng.random() < .5:
                yield from self.free_group(num)
        return last

    def free_group(self, num):
        yield from self.simple("Group_free", "h", num)
        if num not in self.group_of.values():            # a communicator's own group lives on
            self.groups.free.append(self.ptr_of.pop(("group", num)))

    def do_free_comm(self, comm, x):
        yield from self.do_free_persistent(1, comm)
        num = self.comm_of[comm]
        busy = any(q.op and q.op.comm is comm for q in self.pending)
        yield from self.together(x, "h", num)
        del self.comm_of[comm]
        own = [k for k in self.group_of if k[1] is comm]
        for k in own:
            del self.group_of[k]
        if not busy:
            self.comms.free.append(self.ptr_of.pop(comm))

    def together(self, x, fmt="", *values):
        """A collective call that waits for nobody."""
        t0 = x.came[self.me] = self.sim.now
        yield from self.delay()
        self.write(t0, x.call, fmt, values)
        x.left[self.me] = self.sim.now
        yield from self.gap()

    def do_sleep(self, t):
        yield self.sim.now + t

    def do_rank(self, comm):
        yield from self.simple("Comm_rank", "hi", self.num(comm), comm.rank(self.me))
        yield from self.simple("Comm_test_inter", "hi", self.num(comm), int(comm.inter))

    def run(self, ops):
        yield from self.together(self.plan.init, "i", 0)
        for op in ops:
            self.doing = op
            yield from getattr(self, "do_" + op[0])(*op[1:])
        yield from self.together(self.plan.finalize)


class Ref(int):
    """A group of the same recipe, by its place."""


class Message:
    def __init__(self, comm, s, d, tag):
        self.comm, self.s, self.d, self.tag = comm, s, d, tag
        self.mode, self.rendezvous, self.waitnow, self.trycancel = "Send", False, False, False
        self.anysrc = self.anytag = self.block = self.pers = self.early = False
        self.probe = None


# --- the plan ---

class Plan:
    """What every rank will call. Nothing can hang, whatever the simulator matches:
    - a round has first all its non-blocking receives, then its sends and blocking receives in one order for all
      ranks, then, in this or in a later round, the completions;
    - all receives that could take one another's messages, a class, are alike, so that it is the same which gets which;
    - messages of a class with several senders wait for nobody (they are eager), or the class lives for one round;
    - a persistent send may come among the receives, if no receive of its class blocks;
    - between two fences (all complete, then a barrier) the classes stay."""

    def __init__(self, seed):
        self.rng = rng = random.Random(seed)
        self.n = n = rng.randrange(2, 9)
        self.ops = [[] for _ in range(n)]
        self.statuses = rng.choice(["absent", "ignored"]) if rng.random() < .2 else "kept"
        self.kept = self.statuses == "kept"
        self.mpich = self.kept and rng.random() < .3
        self.null = -1 if self.mpich else -2
        self.sloppy = rng.random() < .4
        self.share = rng.choice([0, .5, 1])
        self.gap = rng.choice([100, 1000, 20000])
        self.origin = rng.choice([10**9, 1706 * 10**12 + 999999000, 65535 * 10**9 + 999998000, rng.randrange(10**15)])
        self.one_group = rng.random() < .5
        self.wild = rng.choice([0, .3, .7, 1]) if self.kept else rng.choice([0, .1, .3, .6])
        self.pers = rng.choice([0, .2, .6])
        self.blocking = rng.choice([.1, .4, .7])
        self.odd = rng.choice([0, .1, .3])               # cancels, PROC_NULL
        self.world = Comm([list(range(n))], kind="world")
        self.selves = [Comm([[r]], kind="self") for r in range(n)]
        self.live = []                                   # user's communicators
        self.objects = []                                # windows and files
        self.round, self.tags, self.collectives = 0, 100, []
        self.bytes, self.reorders = [], False            # of collectives; a grid had reorder=1
        self.init = self.count(Instance("Init", self.world.members), self.world)
        for _ in range(rng.randrange(5)):
            self.new_comm()
        for e in range(rng.randrange(1, 5)):
            self.epoch()
        if self.kept and rng.random() < .2:
            self.lost()
        self.finalize = self.count(Instance("Finalize", self.world.members), self.world)

    def each(self, members, *op):
        for r in members:
            self.ops[r].append(op)

    def comm(self, intra=False, selves=True):
        rng = self.rng
        have = [c for c in self.live if not (intra and c.inter)]
        if selves and rng.random() < .07:
            return rng.choice(self.selves)
        return rng.choice(have) if have and rng.random() < .7 else self.world

    # - epochs and rounds -

    def epoch(self):
        rng = self.rng
        self.regimes, self.channels = {}, []
        for r in range(self.n):
            if rng.random() < .6:
                self.ops[r].append(("types",))
        for _ in range(rng.randrange(6)):
            m = self.message()
            if m:
                self.channels.append(m)
        for _ in range(rng.randrange(1, 7)):
            self.round += 1
            for _ in range(rng.randrange(3)):
                self.collective()
            if rng.random() < .3:
                self.new_comm()
            if rng.random() < .15:
                free = [c for c in self.live if not c.persistent]
                if free:
                    self.free(rng.choice(free))
            for _ in range(rng.randrange(3)):
                self.use_object()
            self.one_round()
        for r in range(self.n):
            self.ops[r].append(("complete", self.round, 1, rng.random() < .3))
            if rng.random() < .7:
                self.ops[r].append(("free_persistent", .6))
        self.collective("Barrier", self.world)
        for c in list(self.live):
            if rng.random() < .3:
                self.free(c)
        for r in range(self.n):
            if rng.random() < .5:
                self.ops[r].append(("free_types",))

    def regime(self, comm, d):
        rng = self.rng
        if (comm, d) not in self.regimes:
            kind = rng.choice(["bysrc", "bytag", "fresh", "eager", "once"]) if rng.random() < self.wild else "plain"
            flags = {}
            if kind == "bysrc":
                flags = {s: rng.random() < .6 for s in comm.remote(d)}
            elif kind == "bytag":
                flags = {t: rng.random() < .5 for t in range(6)}
            self.regimes[comm, d] = [kind, flags, None]
        return self.regimes[comm, d]

    def message(self, channel=None):
        """A message between two ranks, with a tag and a class of receives."""
        rng = self.rng
        if channel:
            m = Message(channel.comm, channel.s, channel.d, channel.tag)
            if m.comm not in self.live and m.comm.kind == "user":
                return None
        else:
            comm = self.comm()
            d = rng.choice(comm.members)
            s = rng.choice(comm.remote(d))
            if s == d and not comm.kind == "self" and rng.random() < .7:
                s = rng.choice(comm.remote(d))
            m = Message(comm, s, d, rng.randrange(4))
        kind, flags, used = reg = self.regime(m.comm, m.d)
        m.sync_ok, m.cls, m.may_block = True, (m.comm, m.s, m.d, m.tag), True
        if kind == "bysrc" and flags[m.s]:
            m.anytag, m.cls = True, (m.comm, m.s, m.d)
        elif kind == "bytag" and flags[m.tag]:
            m.anysrc, m.sync_ok, m.cls = True, False, (m.comm, None, m.d, m.tag)
        elif kind == "fresh":
            m.tag = 1000 + self.round
            m.anysrc, m.may_block, m.cls = True, False, (m.comm, None, m.d, m.tag)
        elif kind == "eager":
            m.anysrc = m.anytag = True
            m.sync_ok, m.cls = False, (m.comm, None, m.d)
        elif kind == "once":
            if used not in (None, self.round):
                return None
            reg[2] = self.round
            m.anysrc = m.anytag = True
            m.may_block, m.cls = False, (m.comm, None, m.d)
        return m

    def one_round(self):
        rng, r = self.rng, self.round
        msgs = [self.message() for _ in range(rng.randrange(14))]
        msgs += [self.message(c) for c in self.channels if rng.random() < .8]
        msgs = [m for m in msgs if m]
        ready = rng.random() < .15
        classes = {}
        for m in msgs:
            classes.setdefault(m.cls, []).append(m)
        for cls, ms in classes.items():
            block = rng.random() < self.blocking and all(m.may_block and m.s != m.d for m in ms)
            for m in ms:
                m.block = block
                m.pers = not block and rng.random() < self.pers
                self.choose_mode(m, ready)
        posts = [[] for _ in range(self.n)]
        for m in msgs:
            if not m.block:
                posts[m.d].append((False, m))
            if m.early:
                posts[m.s].append((True, m))
        for i, p in enumerate(posts):
            rng.shuffle(p)
            if p:
                self.ops[i].append(("posts", p, r))
            self.noise(i, r)
            if rng.random() < .2:
                self.ops[i].append(("complete", r - 1, rng.choice([1, .5]), False))
        if ready:
            self.collective("Barrier", self.world)
        items = [m for m in msgs] + [g for g in [self.ring() for _ in range(rng.randrange(3))] if g]
        rng.shuffle(items)
        second = [[] for _ in range(self.n)]
        for m in items:
            if isinstance(m, list):
                for who, s, d, replace in m:
                    second[who].append(("sendrecv", s, d, replace, r))
                continue
            if not m.early:
                second[m.s].append(("send", m, r))
            if m.block:
                second[m.d].append(("recv", m, r))
        for i, s in enumerate(second):
            for op in s:
                last = self.ops[i][-1] if self.ops[i] else ("",)
                if op[0] == "send" and op[1].mode.endswith("_init"):
                    if last[0] == "starts" and rng.random() < .7:
                        last[1].append((True, op[1]))
                        continue
                    op = ("starts", [(True, op[1])], r)
                self.ops[i].append(op)
                if rng.random() < .1:
                    self.noise(i, r)
                if rng.random() < .05:
                    self.ops[i].append(("complete", r - 1, .5, False))
            if rng.random() < .6:
                self.ops[i].append(("complete", r - rng.choice([0, 0, 1]), rng.choice([1, 1, .5]), rng.random() < .2))

    def choose_mode(self, m, ready):
        rng = self.rng
        m.rendezvous = m.sync_ok and rng.random() < .4
        plain = m.cls == (m.comm, m.s, m.d, m.tag)
        sync = ["Ssend", "Issend", "Issend"] if m.sync_ok else []
        if rng.random() < self.pers:
            modes = ["Send_init", "Send_init", "Bsend_init"] + (["Ssend_init"] if m.sync_ok else [])
            if ready and plain and not m.block:
                modes.append("Rsend_init")
            m.mode = rng.choice(modes)
            m.comm.persistent = True
            m.early = rng.random() < .3 and not ready and not m.block
        else:
            modes = ["Send", "Isend", "Isend", "Isend", "Bsend", "Ibsend"] + sync
            if ready and plain and not m.block:
                modes += ["Rsend", "Irsend"]
            m.mode = rng.choice(modes)
        m.comm.persistent = m.comm.persistent or m.pers
        if "Bsend" in m.mode or "bsend" in m.mode:
            m.rendezvous = False
        if m.s == m.d and m.mode[0] != "I" and not m.mode.endswith("_init") and not m.sync_ok:
            m.rendezvous = False
        m.waitnow = rng.random() < .1
        if m.block and rng.random() < .2:
            m.probe = rng.choice(["Probe", "Iprobe"])
        if self.kept and plain and m.block and rng.random() < self.odd:
            m.trycancel = True

    def ring(self):
        """Ranks that all call Sendrecv: each with the next; sometimes open, with PROC_NULL at both ends."""
        rng, comm = self.rng, self.comm()
        if comm.inter:
            who = [rng.choice(s) for s in comm.sides]
        else:
            who = rng.sample(comm.members, rng.randrange(1, len(comm.members) + 1))
        open_ = rng.random() < .3
        wild = rng.random() < self.wild * .5
        self.tags += 1
        msgs = []
        for i, s in enumerate(who):
            d = who[(i + 1) % len(who)]
            kind, flags, _ = self.regime(comm, d)
            if kind in ("eager", "once") or (kind == "bysrc" and flags[s]):
                return None
            m = Message(comm, s, d, self.tags if wild else 9)
            m.anysrc, m.rendezvous = wild, rng.random() < .3
            msgs.append(m)
        out, into = list(msgs), [msgs[-1]] + msgs[:-1]
        if open_:
            last = msgs[-1]
            out[-1] = Message(comm, last.s, None, 9)
            into[0] = Message(comm, None, last.d, 9)
        return [(r, out[i], into[i], rng.random() < .3) for i, r in enumerate(who)]

    def noise(self, i, r):
        """Calls that move nothing: to and from nobody, cancelled, probes, a pause."""
        rng = self.rng
        comms = [self.world, self.selves[i]] + [c for c in self.live if i in c.members]
        comm = rng.choice(comms)
        if rng.random() < self.odd:
            m = Message(comm, i, None, rng.randrange(4))
            m.mode = rng.choice(["Send", "Isend", "Isend", "Issend", "Ssend", "Send_init", "Bsend"])
            m.comm.persistent = m.comm.persistent or "init" in m.mode
            self.ops[i].append(("send", m, r))
        if rng.random() < self.odd:
            m = Message(comm, None, i, rng.randrange(4))
            m.anytag = rng.random() < .3
            m.pers = rng.random() < .2
            m.comm.persistent = m.comm.persistent or m.pers
            self.ops[i].append(("recv", m, r) if rng.random() < .3 else ("posts", [(False, m)], r))
        if rng.random() < self.odd:
            source = rng.randrange(len(comm.remote(i)))
            if self.kept and rng.random() < .3:
                source = -1
            pers = rng.random() < .2
            comm.persistent = comm.persistent or pers
            self.ops[i].append(("cancel", comm, source, 999, r, pers))
        if rng.random() < .1:
            self.ops[i].append(("iprobe", comm, rng.choice([-1, rng.randrange(len(comm.remote(i)))]),
                                rng.choice([-1, rng.randrange(4)])))
        if rng.random() < .1:
            self.ops[i].append(("sleep", rng.randrange(50 * self.gap)))
        if rng.random() < .05:
            self.ops[i].append(("rank", comm))

    def lost(self):
        """At the very end, sends that nobody receives."""
        rng = self.rng
        for r in range(self.n):
            if rng.random() < .3:
                m = Message(self.world, r, rng.randrange(self.n), rng.choice([1, 998]))
                m.mode = rng.choice(["Send", "Bsend"])
                self.ops[r].append(("send", m, self.round))

    # - collectives and communicators -

    def collective(self, call=None, comm=None):
        rng = self.rng
        comm = comm or self.comm(intra=True)
        call = call or rng.choice(["Barrier", "Bcast", "Allreduce", "Reduce", "Gather", "Scatter", "Alltoall",
                                   "Allgather", "Scan"])
        x = Instance(call, comm.members, comm, rng.choice(comm.members) if call in
                     ("Bcast", "Reduce", "Gather", "Scatter") else None)
        self.each(comm.members, "coll", self.count(x, comm))

    def count(self, x, over):
        """x is the next collective call on a communicator, a window or a file."""
        over.calls += 1
        x.over, x.seq = over, over.calls
        self.collectives.append(x)
        return x

    def use_object(self):
        """A window or a file is made, used or freed. What is collective on two of them has no order."""
        rng = self.rng
        if not self.objects or rng.random() < .3:
            comm, kind = self.comm(intra=True), rng.choice(["win", "file"])
            o = Comm([list(comm.members)], kind=kind)
            x = self.count(Instance("Win_create" if kind == "win" else "File_open", o.members), comm)
            x.object = o
            self.objects.append(o)
            self.each(o.members, "object", x)
            return
        both = []
        for o in rng.sample(self.objects, min(2, len(self.objects))):
            call = rng.choice(["Win_fence", "Win_fence", "Win_free"] if o.kind == "win" else
                              ["File_set_size", "File_seek_shared", "File_sync", "File_write_at_all", "File_read_all",
                               "File_write_all_begin", "File_close"])
            for name in ["File_write_all_begin", "File_write_all_end"] if call == "File_write_all_begin" else [call]:
                x = self.count(Instance(name, o.members), o)
                x.object = o
                both.append(x)
            if call in ("Win_free", "File_close"):
                self.objects.remove(o)
        free = all(x.call in LOOSE for x in both)
        for r in range(self.n):
            mine = [x for x in both if r in x.members]
            for x in mine[::-1] if free and rng.random() < .5 else mine:
                self.ops[r].append(("object", x))

    def free(self, comm):
        self.live.remove(comm)
        self.each(comm.members, "free_comm", comm, self.count(Instance("Comm_free", comm.members), comm))

    def add(self, x, new):
        """x makes these communicators."""
        self.count(x, new[0] if x.call == "Intercomm_create" else x.comm[x.members[0]])
        x.made = {r: next((c for c in new if r in c.members), None) for r in x.members}
        self.live += new
        self.each(x.members, "make", x)

    def new_comm(self):
        rng = self.rng
        how = rng.choice(["dup", "dup", "split", "split", "create", "create", "cart", "cart", "sub", "sub", "inter",
                          "inter", "merge"])
        comm = self.comm(intra=how not in ("dup", "merge", "sub"))
        x = Instance("", list(comm.members))
        x.comm, x.args, x.tell = {r: comm for r in comm.members}, {r: () for r in comm.members}, False
        g = comm.sides[0]
        if how == "dup":
            x.call = "Comm_dup"
            self.add(x, [Comm([list(s) for s in comm.sides], comm.dims)])
        elif how == "split":
            x.call = "Comm_split"
            wide = rng.choice([1, 2, 3])
            key = rng.choice([lambda r: 0, lambda r: -r, lambda r: rng.randrange(-3, 4)])
            x.args = {r: (UNDEFINED if rng.random() < .12 else rng.randrange(wide), key(r)) for r in g}
            new = []
            for colour in range(wide):
                part = sorted((r for r in g if x.args[r][0] == colour), key=lambda r: (x.args[r][1], g.index(r)))
                if part:
                    new.append(Comm([part]))
            self.add(x, new)
        elif how == "create":
            x.call = "Comm_create"
            recipe, group = self.recipe(comm)
            plain = [("Comm_group", (self.world,), self.world.sides[0]),
                     ("Group_incl", (Ref(0), group), group)]
            x.recipe = {r: recipe if rng.random() < .7 else plain for r in g}
            self.add(x, [Comm([group])] if group else [])
        elif how == "cart":
            x.call = "Cart_create"
            dims, left = [], rng.choice([len(g), rng.randrange(1, len(g) + 1)])
            while left > 1 and len(dims) < 3:
                d = rng.choice([k for k in range(1, left + 1)])
                dims.append(d)
                left //= d
            dims = dims or [1]
            size = 1
            for d in dims:
                size *= d
            reorder = rng.random() < .15
            self.reorders |= reorder
            x.tell = reorder                             # then Comm_rank tells that the order is as before
            periods = [rng.randrange(2) for _ in dims]
            x.args = {r: (dims, periods, int(reorder)) for r in g}
            self.add(x, [Comm([g[:size]], dims)])
        elif how == "sub":
            carts = [c for c in self.live if c.dims]
            if not carts:
                return
            comm = rng.choice(carts)
            keep = [rng.randrange(2) for _ in comm.dims]
            x = Instance("Cart_sub", list(comm.members))
            x.comm, x.args, x.tell = {r: comm for r in comm.members}, {r: keep for r in comm.members}, False
            parts = {}
            for i, r in enumerate(comm.sides[0]):
                place, at = [], i
                for d in reversed(comm.dims):
                    place.insert(0, at % d)
                    at //= d
                parts.setdefault(tuple(p for p, k in zip(place, keep) if not k), []).append(r)
            dims = [d for d, k in zip(comm.dims, keep) if k]
            self.add(x, [Comm([p], dims or None) for p in parts.values()])
        elif how == "inter":
            self.intercomm()
        elif how == "merge":
            inters = [c for c in self.live if c.inter]
            if inters:
                comm = rng.choice(inters)
                x = Instance("Intercomm_merge", list(comm.members))
                high = rng.randrange(2)                  # which side comes second
                x.comm, x.tell = {r: comm for r in comm.members}, False
                x.args = {r: int((r in comm.sides[1]) == (high == 1)) for r in comm.members}
                self.add(x, [Comm([comm.sides[1 - high] + comm.sides[high]])])

    def intercomm(self):
        rng = self.rng
        have = [c for c in self.live if not c.inter] + (self.selves if rng.random() < .3 else [])
        pairs = [(a, b) for a in have for b in have if not set(a.members) & set(b.members)]
        if not pairs:
            # two halves of the world first
            x = Instance("Comm_split", list(self.world.members))
            x.comm, x.tell = {r: self.world for r in x.members}, False
            x.args = {r: (int(r >= self.n // 2), 0) for r in x.members}
            a, b = Comm([x.members[:self.n // 2]]), Comm([x.members[self.n // 2:]])
            self.add(x, [a, b])
        else:
            a, b = rng.choice(pairs)
        x = Instance("Intercomm_create", a.members + b.members)
        x.comm, x.args, x.tell = {}, {}, False
        lead = rng.choice(a.members), rng.choice(b.members)
        peers = [self.world] * 2 + [c for c in self.live if not c.inter and set(lead) <= set(c.members)]
        peer, tag = rng.choice(peers), rng.randrange(100)
        for mine, own, other in ((a, lead[0], lead[1]), (b, lead[1], lead[0])):
            for r in mine.members:
                x.comm[r] = mine
                if r == own:
                    x.args[r] = mine.rank(own), peer, peer.rank(other), tag
                else:                                    # these two count at the leader only
                    x.args[r] = mine.rank(own), rng.choice([self.world, 1, self.selves[r]]), rng.randrange(9), tag
        self.add(x, [Comm([list(a.members), list(b.members)])])

    def recipe(self, comm):
        """Group calls that all ranks of comm can make, and the group that comes out."""
        rng = self.rng
        groups = [("Comm_group", (comm,), list(comm.sides[0])), ("Comm_group", (self.world,), list(range(self.n)))]
        if rng.random() < .3:
            both = [c for c in self.live if c.inter and set(c.sides[0]) >= set(comm.members)]
            if both:
                c = rng.choice(both)
                groups.append(("Comm_group", (c,), list(c.sides[0])))
                groups.append(("Comm_remote_group", (c,), list(c.sides[1])))
        for _ in range(rng.randrange(1, 5)):
            i = rng.randrange(len(groups))
            j = rng.randrange(len(groups))
            a, b = groups[i][2], groups[j][2]
            call = rng.choice(["incl", "excl", "range_incl", "range_excl", "union", "intersection", "difference"])
            if call in ("incl", "excl"):
                if not a:
                    continue
                pick = rng.sample(range(len(a)), rng.randrange(len(a) + 1 if call == "incl" else len(a)))
                new = [a[k] for k in pick] if call == "incl" else [x for k, x in enumerate(a) if k not in pick]
                args = Ref(i), pick
            elif call.startswith("range"):
                if not a:
                    continue
                ranges, pick = [], []
                for _ in range(rng.randrange(1, 3)):
                    first, last = rng.randrange(len(a)), rng.randrange(len(a))
                    step = rng.randrange(1, 3) * (1 if last >= first else -1)
                    span = list(range(first, last + (1 if step > 0 else -1), step))
                    if not set(span) & set(pick):
                        ranges.append([first, last, step])
                        pick += span
                new = [a[k] for k in pick] if call == "range_incl" else [x for k, x in enumerate(a) if k not in pick]
                args = Ref(i), ranges
            else:
                args = Ref(i), Ref(j)
                new = {"union": a + [x for x in b if x not in a], "intersection": [x for x in a if x in b],
                       "difference": [x for x in a if x not in b]}[call]
            groups.append(("Group_" + call, args, new))
        if not set(groups[-1][2]) <= set(comm.members) or groups[-1][0].startswith("Comm"):
            last = groups[-1][2]
            groups.append(("Group_intersection", (Ref(len(groups) - 1), Ref(0)),
                           [x for x in last if x in comm.members]))
        return groups, groups[-1][2]


# --- one program: run it, write it, know it ---

class Program:
    def __init__(self, seed):
        self.plan = Plan(seed)
        self.sim = Sim(self.plan.rng, self.plan)
        self.sim.run()
        self.zero = min(r.first for r in self.sim.ranks)

    def save(self, folder):
        p = self.plan
        os.makedirs(folder, exist_ok=True)
        cpu, thread = p.rng.random() < .5, p.rng.random() < .5
        mask = 8 | (0 if p.statuses == "absent" else 3) | (4 if cpu else 0) | (64 if thread else 0)
        write_meta(folder, p.n, 1795310822)
        one_bias = p.rng.random() < .5
        for r in self.sim.ranks:
            bias = (self.zero if one_bias else r.first) // 10**9
            out = []
            for call, t0, t1, args in r.records:
                out.append(struct.pack(">HB", call, mask))
                if thread:
                    out.append(b"\0\0")
                if cpu:
                    out.append(struct.pack(">HIHI", 0, (t0 - r.first) % 10**9, 0, (t1 - r.first) % 10**9))
                out.append(struct.pack(">HIHI", (t0 // 10**9 - bias) % 65536, t0 % 10**9,
                                       (t1 // 10**9 - bias) % 65536, t1 % 10**9))
                out.append(args)
            write_rank(os.path.join(folder, "run-%04d.bin" % r.me), b"".join(out), r.counts, r.sizes, bias, 1795310822)

    def messages(self):
        """Every message that was received: (send, receive)."""
        return [(s, s.match) for s in self.sim.sends if s.match]

    def lost(self):
        """Sends that nobody received."""
        return [s for s in self.sim.sends if not s.match and not s.cancelled]

    def free_of_wildcards(self, s):
        """Without statuses: could no wildcard of that receiver have taken this message?"""
        return not any(r.rank is s.peer and r.comm is s.comm and r.wild() and not r.cancelled and self.sim.fits(r, s)
                       for r in self.sim.recvs)

    def waits(self, s, r):
        """dur, late_sender, late_receiver of a message in ns, None where there is none."""
        dur = late = other = None
        if r.done:
            dur = max(0, r.done[2] - s.t0)
            late = max(0, min(s.t0, r.done[2]) - r.done[1])
        if s.sync and s.done:
            other = max(0, min(r.t0, s.done[2]) - s.done[1])
        return dur, late, other


def seconds(ns):
    return "-" if ns is None else "%d.%09d" % (ns // 10**9, ns % 10**9)


def write(folder, seed):
    prog = Program(seed)
    prog.save(folder)
    lines = []
    for s, r in prog.messages():
        dur, late, other = prog.waits(s, r)
        lines.append((s.rank.me, s.rec, s.done[0] if s.done else "-", r.rank.me, r.rec, r.done[0] if r.done else "-",
                      s.bytes, s.tag, s.call, r.call, seconds(s.t0 - prog.zero), seconds(dur), seconds(late),
                      seconds(other)))
    with open(os.path.join(folder, "truth.tsv"), "w") as f:
        f.write("#srank\tsrec\tsdone\trrank\trrec\trdone\tbytes\ttag\tsend_call\trecv_call\ttime\tdur\tlate_sender\t"
                "late_receiver\n")
        for line in sorted(lines, key=lambda l: (l[0], l[1], l[3], l[4])):
            f.write("\t".join(map(str, line)) + "\n")
    with open(os.path.join(folder, "bytes.tsv"), "w") as f:
        # MPI may give other ranks in a grid: then not all are known.
        f.write("#rank\trec\tcall\tsize\trecv_bytes%s\n" % ("\treordered" if prog.plan.reorders else ""))
        for line in sorted(prog.plan.bytes):
            f.write("\t".join(map(str, line)) + "\n")
    return prog


# --- the check ---

class Wrong(Exception):
    pass


def compare(prog, text):
    """Are these events of trace-match right? (messages printed, messages left ambiguous)"""
    names, keys = {}, {}

    def same_comm(name, comm, where):
        if comm.kind == "self":                          # each rank's own: one name for all is good enough
            comm = "self"
        if names.setdefault(name, comm) is not comm or keys.setdefault(comm, name) != name:
            raise Wrong("%s: comm=%s also stands for another communicator, or the same has two names" % (where, name))

    left = collections.defaultdict(list)                 # a Startall has several sends with one record
    for s, r in prog.messages():
        left[s.rank.me, s.rec, r.rank.me, r.rec].append((s, r))
    found, last, lines = 0, None, []
    kept = prog.plan.kept
    coll = {}
    for x in prog.plan.collectives:
        coll[x.over, x.seq] = x
    for line in text.splitlines():
        if line.startswith("#") or not line:
            continue
        f = line.split("\t")
        if len(f) < 6:
            raise Wrong("less than 6 columns: " + line)
        args = dict(a.split("=", 1) for a in f[6:] if "=" in a)
        if f[2] == "collective":
            match_collective(prog, coll, f, args, line, same_comm)
            continue
        if f[2] != "message":
            continue
        t = f[0].split(".")
        time = int(t[0]) * 10**9 + int(t[1])
        if last is not None and time < last:
            raise Wrong("not in order of send start: " + line)
        last = time
        try:
            key = int(f[1]), int(args["srec"]), int(args["to"]), int(args["rrec"])
        except (KeyError, ValueError) as e:
            raise Wrong("%s in: %s" % (e, line))
        lines.append((len(left.get(key, ())) > 1, len(lines), key, f, args, line))
    # Where two Startall meet, several messages have the same records: find these last, when the names are known.
    for _, _, key, f, args, line in sorted(lines, key=lambda x: x[:2]):
        why = None
        name = args.get("comm")

        def known(m):
            """How well the communicator's name is known to be right."""
            comm = "self" if m[0].comm.kind == "self" else m[0].comm
            return (names.get(name, comm) is comm and keys.get(comm, name) == name) + (names.get(name) is comm)

        for s, r in sorted(left.get(key, ()), key=known, reverse=True):
            said = differs(prog, s, r, f, args)
            if not said:
                left[key].remove((s, r))
                break
            why = why or said
        else:
            raise Wrong((why or "no such message, or once too often") + "\n  came: " + line)
        same_comm(name, s.comm, line)
        found += 1
    rest = [m for ms in left.values() for m in ms]
    must = rest if kept else [m for m in rest if prog.free_of_wildcards(m[0])]
    if must:
        s, r = must[0]
        raise Wrong("%d messages are missing, first: rank %d record %d %s, %d bytes, tag %d, to rank %d record %d %s" %
                    (len(must), s.rank.me, s.rec, s.call, s.bytes, s.tag, r.rank.me, r.rec, r.call))
    if coll:
        x = next(iter(coll.values()))
        raise Wrong("%d collectives are missing, first: %s, %d ranks, seq %d on its communicator, first arrival %s" % (
                    len(coll), x.call, len(x.members), x.seq, seconds(min(x.came.values()) - prog.zero)))
    return found, len(rest)


def differs(prog, s, r, f, args):
    """What is wrong with the line of this message, or None."""
    dur, late, other = prog.waits(s, r)
    want = [("time", seconds(s.t0 - prog.zero), f[0]), ("size", str(s.bytes), f[4]), ("dur", seconds(dur), f[5]),
            ("tag", str(s.tag), args.get("tag")), ("send_call", s.call, args.get("send_call")),
            ("recv_call", r.call, args.get("recv_call")),
            ("sdone", str(s.done[0]) if s.done else None, args.get("sdone")),
            ("rdone", str(r.done[0]) if r.done else None, args.get("rdone"))]
    if late is not None:
        want.append(("late_sender", seconds(late), args.get("late_sender", seconds(0))))
    if s.sync:
        if other is not None:
            want.append(("late_receiver", seconds(other), args.get("late_receiver", seconds(0))))
    else:
        want.append(("late_receiver", None, args.get("late_receiver")))
    for name, good, came in want:
        if good != came and not (good is None and came in ("", "-")):
            return "rank %d record %d to rank %d record %d: %s=%s was expected, %s came" % (
                s.rank.me, s.rec, r.rank.me, r.rec, name, good, came)
    return None


def match_collective(prog, coll, f, args, line, same_comm):
    call = args.get("call", "")
    fit = []
    for key, x in coll.items():
        first, last = min(x.came.values()), max(x.came.values())
        want = [call == "MPI_" + x.call, args.get("ranks") == str(len(x.members)), args.get("seq") == str(x.seq),
                f[0] == seconds(first - prog.zero), args.get("spread") == seconds(last - first),
                f[4] == str("-" if x.size() is None else x.size()) or (f[4] == "-" and not x.sure()),
                f[5] == seconds(max(x.left.values()) - first),
                x.over.inter and x.call not in ALL or args.get("wait") == seconds(sum(x.waits())),
                f[1] in [str(r) for r in x.came if x.came[r] == last]]
        if all(want):
            same_comm(args.get("comm"), x.over, line)
            del coll[key]
            return
        if want[0] and sum(want) >= 3:
            fit.append((sum(want), x, first, last))
    near = ""
    if fit:
        _, x, first, last = max(fit, key=lambda z: z[0])
        near = "\n  nearest: %s, %s loc=%s ranks=%d seq=%d spread=%s size=%s dur=%s wait=%s" % (
            "MPI_" + x.call, seconds(first - prog.zero), [r for r in x.came if x.came[r] == last], len(x.members),
            x.seq, seconds(last - first), x.size(), seconds(max(x.left.values()) - first), seconds(sum(x.waits())))
    raise Wrong("no such collective, or once too often: " + line + near)


def check(bin, n, seed):
    total = ambiguous = bad = 0
    tool = os.path.join(bin, "trace-match")
    if not os.access(tool, os.X_OK):
        print("no program " + tool, file=sys.stderr)
        return 2
    for k in range(seed, seed + n):
        folder = tempfile.mkdtemp(prefix="match-%d-" % k)
        prog = write(folder, k)
        meta = os.path.join(folder, "run.meta")
        got = subprocess.run([tool, meta], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        with open(os.path.join(folder, "out.tsv"), "wb") as f:
            f.write(got.stdout)
        try:
            # status 2: something has no partner, or may have several
            if got.returncode not in ((0, 2) if prog.lost() or not prog.plan.kept else (0,)):
                raise Wrong("trace-match ended with status %d: %s" % (got.returncode, got.stderr.decode("latin-1")))
            found, left = compare(prog, got.stdout.decode("latin-1"))
        except Wrong as e:
            print("seed %d (%d ranks, statuses %s): %s\n  files: %s (truth.tsv, out.tsv)" %
                  (k, prog.plan.n, prog.plan.statuses, e, folder))
            bad += 1
            if bad == 5:
                break
            continue
        total, ambiguous = total + found, ambiguous + left
        shutil.rmtree(folder)
    if bad:
        return 1
    print("%d programs, %d messages, all right (%d left ambiguous)" % (n, total, ambiguous))
    return 0


# --- a big run ---

def big(folder, ranks, messages):
    """A ring: in each step every rank receives from both neighbours, sends to both, and waits for all four."""
    os.makedirs(folder, exist_ok=True)
    write_meta(folder, ranks, 1795310822)
    steps = max(1, messages // (2 * ranks))
    times = "HIHI"
    step = struct.Struct(">" + ("HB" + times + "ihiihi") * 4 + "HB" + times + "iIiiii" + "I" + "iibbi" * 4)
    short = struct.Struct(">HB" + times)
    for r in range(ranks):
        left, right = (r - 1) % ranks, (r + 1) % ranks
        out = [short.pack(CALLS["Init"], 11, 0, r, 0, r + 500), struct.pack(">i", 0)]
        rng = random.Random(r)
        for k in range(steps):
            at = 1000000 + 20000 * k + rng.randrange(3000)

            def span(i, n=300, at=at):
                s, ns = divmod(at + 500 * i, 10**9)
                e, ne = divmod(at + 500 * i + n, 10**9)
                return s % 65536, ns, e % 65536, ne

            size = 128 + 8 * (k % 16)
            out.append(step.pack(
                CALLS["Irecv"], 11, *span(0), 1024, 14, left, 1, 2, 2,
                CALLS["Irecv"], 11, *span(1), 1024, 14, right, 2, 2, 3,
                CALLS["Isend"], 11, *span(2), size, 14, right, 1, 2, 4,
                CALLS["Isend"], 11, *span(3), size, 14, left, 2, 2, 5,
                CALLS["Waitall"], 11, *span(4, 12000), 4, 4, 2, 3, 4, 5, 4,
                8 * size, left, 0, 0, 1, 8 * size, right, 0, 0, 2, 8 * size, r, 0, 0, 1, 8 * size, r, 0, 0, 2))
        s, ns = divmod(1000000 + 20000 * steps, 10**9)
        out.append(short.pack(CALLS["Finalize"], 11, s % 65536, ns, s % 65536, ns))
        counts = {CALLS["Init"]: 1, CALLS["Finalize"]: 1, CALLS["Irecv"]: 2 * steps, CALLS["Isend"]: 2 * steps,
                  CALLS["Waitall"]: steps}
        write_rank(os.path.join(folder, "run-%04d.bin" % r), b"".join(out), counts, SIZES, 0, 1795310822)
    print("%d messages" % (2 * ranks * steps))


def main(args):
    if len(args) == 4 and args[0] == "--check":
        return check(args[1], int(args[2]), int(args[3]))
    if len(args) == 3 and args[0] == "--write":
        write(args[1], int(args[2]))
        return 0
    if len(args) == 4 and args[0] == "--big":
        big(args[1], int(args[2]), int(args[3]))
        return 0
    print(__doc__.split("\n\n")[1], file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
