#!/usr/bin/env python3
"""laplace_check.py - holds laplace-merge against laplace_merge.py over random references and kernel events.

usage: laplace_check.py [-n N] [-s SEED] [-a] [-k DIR] BIN
       N cases, of the seeds from SEED on; -a shows every difference, not only the first 20; -k keeps the files

Prints the differences, each with its seed, and "N passed, N failed"; ends with status 1 if there was one.
"""
import os
import random
import shutil
import sys

sys.dont_write_bytecode = True
import laplace_merge as oracle  # noqa: E402
from driver import Driver, main  # noqa: E402

PAGE = 4096
# Few pages, files and tasks: what is rare in a real trace meets often.
BASES = [0x8048000, 0x40000000, 0xBFFF0000, 0xC0100000]
FILES = [(0x11, 0x8, 1, "libc.so"), (0x11, 0x8, 2, "a  file with blanks "), (0x12, 0x8, 1, "x"), (0xAA6DCC, 0xFE, 0, "ld-linux.so.2")]
PIDS = [0x64, 0x65, 0x66, 0x101, 0x77]
SPACES = [0x1A2B3, 0x9F8E7, 0x3, 0xFFFFF]
WEIGHTS = {"s": 30, "F": 4, "A": 5, "T": 2, "X": 3, "D": 8, "M": 20, "m": 16, "S": 10, "U": 7, "u": 1, "C": 12, "P": 6, "p": 4,
           "B": 1, "b": 1, "(": 1, ")": 1, "<": 1, ">": 1, "-": 1}


def goes_back(times):
    return any(b < a for a, b in zip(times, times[1:]))


class World:
    """Makes the references and events of one seed. It follows them with a machine, to know what is mapped."""

    def __init__(self, seed):
        self.r = r = random.Random(seed)
        self.clock_back = r.random() < 0.15
        self.cut_off = r.random() < 0.1
        self.kernel_space = r.random() < 0.3
        self.pages = r.choice([2, 8, 64])
        self.wide = r.random() < 0.15
        self.strange = r.choice([0, 0.05, 0.5])
        # Some tags are more frequent in this one.
        self.weights = {t: w * r.choice([1, 1, 1, 4, 10]) for t, w in WEIGHTS.items()}
        self.machine = oracle.Machine()
        self.time = r.choice([1, 2**36, 2**63])
        self.refs, self.events = [], []
        if r.random() < 0.6:
            for p in r.sample(PIDS, 3):
                self.event("A", p, r.choice(SPACES))
                for _ in range(r.choice([0, 2, 5])):
                    r.choice([self.make_mmap, self.make_anon, self.make_shmat])(None, p)
            self.event("s", p)
        often = r.choice([0.05, 0.3, 0.7])
        for _ in range(r.choice([1, 10, 100, 400])):
            self.time += r.choice([0, 0, 1, 1, 2, 50])
            if r.random() < often:
                self.kernel()
            else:
                self.reference()
        if not self.refs:
            self.reference()
        self.trouble = self.cut_off or any(
            goes_back(t) for t in ([f[1] for f in self.refs], [int(e.split(" ")[1], 16) for e in self.events]))

    def space_of(self, pid):
        """None if unknown."""
        return pid is not None and pid in self.machine.tasks and self.machine.tasks[pid].space or None

    def mapped(self, space):
        """Mostly a page that is mapped."""
        regions = self.machine.spaces[space].regions if space in self.machine.spaces else []
        if self.r.random() < 0.08:
            regions = [x for s in self.machine.spaces.values() for x in s.regions]
        if not regions or self.r.random() < 0.04:
            return self.address()
        region = self.r.choice(regions)
        return self.r.randrange(region.first, min(region.stop, region.first + 64)) * PAGE

    def address(self):
        r = self.r
        base = r.choice((BASES if self.kernel_space else BASES[:3]) + ([0, 2**32 - PAGE * 64] if self.wide else []))
        return base + r.randrange(self.pages) * PAGE + (r.choice([0, 0, 1, 0x800]) if self.wide else 0)

    def length(self):
        """Mostly a few pages, often not whole ones."""
        r = self.r
        if self.wide and r.random() < 0.1:
            return r.choice([2**31, 2**32, 2**63, 2**64 - 1, r.randrange(2**64)])
        return max(1, r.randrange(1, min(self.pages, 8) + 1) * PAGE - r.choice([0, 0, 0, 1, 100, 4095]))

    def stamp(self):
        """The time; the clock of either input may go back."""
        if self.clock_back and self.r.random() < 0.03 and self.time > 100:
            return self.time - self.r.randrange(1, 100)
        return self.time

    def event(self, tag, *fields):
        words = ["%x" % f if isinstance(f, int) else f for f in fields]
        self.events.append(" ".join([tag, "%x" % self.stamp(), *words]))
        self.machine.event(tag, self.time, [w.encode() for w in words])

    def reference(self):
        r = self.r
        space = self.space_of(self.machine.current)
        if space is None or r.random() < self.strange:
            space = r.choice(SPACES + [0x7] if r.random() < 0.2 else list(self.machine.spaces) or SPACES)
        kind = r.choice("rrrwwwiii" if r.random() < 0.95 else "RWQTx")
        length = r.choice([1, 2, 4, 4, 8, 16])
        self.refs.append((kind.encode(), self.stamp(), length, space, (self.mapped(space) // PAGE * PAGE + r.randrange(PAGE)) % 2**32))
        self.machine.reference(self.refs[-1])

    def kernel(self):
        tag = self.r.choices(list(self.weights), list(self.weights.values()))[0]
        pid = self.machine.current
        if pid is None or self.r.random() < 0.4:
            pid = self.r.choice(PIDS + [0x999] if self.r.random() < 0.2 else list(self.machine.tasks) or PIDS)
        getattr(self, "make_" + oracle.NAMES[tag], self.make_nothing)(tag, pid)

    def file(self):
        return self.r.choice(FILES)

    def offset(self):
        far = self.r.choice([0, 0, 2**63, 2**64 - 0x8000]) if self.wide else 0
        return self.r.choice([0, 0, 1, 2, 7]) * PAGE + self.r.choice([0, 0, 0, 0x200]) + far

    def make_schedule(self, tag, _):
        self.event(tag, self.r.choice(PIDS + [0x999] if self.r.random() < 0.2 else list(self.machine.tasks) or PIDS))

    def make_fork(self, tag, pid):
        child = self.r.choice(PIDS)
        self.event(tag, child, pid)
        old, new = self.space_of(pid), self.r.choice(SPACES)
        if self.r.random() < 0.6:
            self.event("A", child, new)
            for _ in range(self.r.choice([1, 2, 3]) if old else 0):
                self.duplicated(old, new)

    def make_exit(self, tag, pid):
        self.event(tag, pid)

    def make_exec(self, tag, pid):
        inode, major, minor, name = self.file()
        self.event(tag, pid, inode, major, minor, name)

    def make_space(self, tag, pid):
        self.event(tag, pid, self.r.choice(SPACES))

    def make_duplicate(self, _tag, _pid):
        full = [n for n, s in self.machine.spaces.items() if s.pages]
        self.duplicated(self.r.choice(full or SPACES), self.r.choice(SPACES))

    def duplicated(self, source, target):
        start = self.mapped(source)
        end = start + self.length() // PAGE * PAGE + PAGE * self.r.randrange(3)
        if self.r.random() < 0.15:
            end = start // 16 if self.r.random() < 0.5 else start
        self.event("D", source, target, start, min(end, 2**64 - 1))

    def make_mmap(self, _, pid):
        inode, major, minor, name = self.file()
        self.event("M", pid, self.address(), self.length(), inode, major, minor, self.offset(), name)

    def make_anon(self, _, pid):
        self.event("m", pid, self.address(), self.length())

    def make_munmap(self, _, pid):
        self.event("U", pid, self.mapped(self.space_of(pid)), self.length())

    def make_shmat(self, _, pid):
        self.event("S", pid, self.address(), self.length(), self.r.choice([0, 0x8001]))

    def make_unmap_all(self, tag, pid):
        self.event(tag, self.space_of(pid) or self.r.choice(SPACES))

    def make_copy(self, tag, pid):
        self.event(tag, pid, self.mapped(self.space_of(pid)) + self.r.choice([0, 0, 0, 0x123]))

    def make_cached(self, tag, _):
        inode, major, minor, _ = self.file()
        self.event(tag, BASES[3] + self.r.randrange(self.pages) * PAGE, inode, major, minor, self.offset())

    def make_dropped(self, tag, _):
        self.event(tag, BASES[3] + self.r.randrange(self.pages) * PAGE)

    def make_nothing(self, tag, pid):
        inode, major, minor, name = self.file()
        fields = {"(": (pid, inode, major, minor, name), ")": (pid, inode, major, minor), "-": (inode, major, minor),
                  "<": (pid, inode, major, minor, self.offset(), 0x100), ">": (pid, inode, major, minor, self.offset(), 0x1)}
        self.event(tag, *fields.get(tag, (BASES[3] + self.r.randrange(self.pages) * PAGE,)))

    # The two inputs as they are stored.

    def binary(self):
        return b"".join(oracle.RECORD.pack(ref[0][0], *ref[1:]) for ref in self.refs)

    def text(self):
        """Sometimes in wide fields or in upper case."""
        form = self.r.choice([b"%s %x %x %x %x\n", b"%s %016x %02x %08x %08x\n", b"%s %X %X %X %X\n"])
        return b"".join(form % ref for ref in self.refs)

    def kernel_text(self):
        return "".join(e + "\n" for e in self.events).encode() + (b"" if self.cut_off else self.r.choice([b"c\n", b"c------\n"]))


def ordered(refs):
    """A few binary records do not tell their byte order."""
    return ["--order", "little"] if refs.endswith(".bin") else []


def tree(directory):
    """Every file's bytes by its path."""
    found = {}
    for where, _, names in os.walk(directory):
        for name in names:
            path = os.path.join(where, name)
            with open(path, "rb") as f:
                found[os.path.relpath(path, directory)] = f.read()
    return found


class Laplace(Driver):
    def case(self, seed, where):
        world = World(seed)
        for name, data in ("refs.bin", world.binary()), ("refs.txt", world.text()), ("kern.txt", world.kernel_text()):
            with open(os.path.join(where, name), "wb") as f:
                f.write(data)
        for refs in ("refs.bin", "refs.txt"):
            for tie in ([], ["--kernel-first"]):
                self.interleaved(world, seed, where, refs, tie)
                self.pages(world, seed, where, refs, tie)
                self.stream(world, seed, where, refs, tie)
                self.processes(world, seed, where, refs, tie)

    def stream(self, world, seed, where, refs, tie):
        got, _, _, about = self.program(seed, where, "-t", *tie, *ordered(refs), refs, "kern.txt")
        machine, records = self.answer(where, refs, tie)
        events = oracle.Events(machine)
        self.same(got, [events.line(*x) for x in records], *about)

    def answer(self, where, refs, tie):
        """A machine, and all records in order: when one is taken, the machine is right behind it."""
        with open(os.path.join(where, refs), "rb") as f:
            records = list(oracle.references(f.read()))
        with open(os.path.join(where, "kern.txt"), "rb") as f:
            events = list(oracle.kernel_events(f.read()))
        machine = oracle.Machine()
        return machine, oracle.run(machine, records, events, bool(tie))

    def program(self, seed, where, *args):
        """Lines of standard output; how to name the run."""
        got, status, said = self.run("laplace-merge", *args, cwd=where)
        return got.split(b"\n")[:-1], status, said, ("seed %d: laplace-merge %s" % (seed, " ".join(args)), said, "status %d" % status)

    def interleaved(self, world, seed, where, refs, tie):
        got, status, _, about = self.program(seed, where, *tie, *ordered(refs), refs, "kern.txt")
        _, records = self.answer(where, refs, tie)
        self.same(got, [oracle.line(*x) for x in records], *about)
        self.passed(status == (2 if world.trouble else 0), *about)

    def pages(self, world, seed, where, refs, tie):
        table = os.path.join(where, "table")
        if os.path.exists(table):
            os.remove(table)
        got, status, said, about = self.program(seed, where, "--pages", "--table", "table", *tie, *ordered(refs), refs, "kern.txt")
        machine, records = self.answer(where, refs, tie)
        self.same(got, [oracle.page_line(*x) for x in records if x[0] == "r"], *about)
        self.passed(status == (2 if world.trouble else 0), *about)
        for what, n in (("another space", machine.mismatches), ("outside of all regions", machine.outside), ("ignored", machine.ignored)):
            told = [x.split()[1] for x in said.split("\n") if what in x]
            self.passed(told == ([str(n)] if n else []), *about, "expected %d: %s" % (n, what))
        # A table appears where all went well, as with -o.
        if self.passed(os.path.exists(table) == (status == 0), *about, "a table where none should be, or none") and status == 0:
            with open(table, "rb") as f:
                self.same(f.read().split(b"\n")[:-1], list(oracle.table(machine)), *about, "the table")

    def processes(self, world, seed, where, refs, tie):
        directory = os.path.join(where, "by-process")
        shutil.rmtree(directory, ignore_errors=True)
        _, status, _, about = self.program(seed, where, "--processes", directory, *tie, *ordered(refs), refs, "kern.txt")
        machine, records = self.answer(where, refs, tie)
        got, want = tree(directory), oracle.processes(machine, records)
        if self.passed(os.path.exists(directory) == (status == 0), *about, "a directory where none should be, or none") and status:
            return
        self.same(sorted(got), sorted(want), *about, "names of files")
        for name in sorted(set(got) & set(want)):
            self.same(got[name].split(b"\n")[:-1], want[name], *about, "file " + name)


if __name__ == "__main__":
    sys.exit(main(sys.argv, Laplace, 100))
