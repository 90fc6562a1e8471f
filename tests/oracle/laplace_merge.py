#!/usr/bin/env python3
"""laplace_merge.py - references and kernel events of Laplace put together, by the documents alone.

usage: laplace_merge.py [--kernel-first] [--pages | --processes DIR] [--table FILE] REFS KERNEL
       laplace_merge.py --totals REFS KERNEL     the counts instead, and the misses of LRU memories

REFS is binary (18 bytes a record, little-endian) or text, KERNEL is text; a name that ends with .xz is
decompressed. No input may be broken: what messages say of one is not this program's business.

Rules that were chosen where the documents are silent:
* A record goes before those of the other input that are later. So a record whose clock went back
  follows its predecessor at once.
* A line `c` is the end, and comes last; behind a `c` nothing may follow.
* Every reference that comes while the space of the current task is unknown teaches it, be it the
  first one behind a schedule or not. Before the first schedule there is no task.
* A task that ended is unknown again. It stays the current one until the next schedule.
* A mapping of a task whose space is unknown, and one of no bytes, changes nothing.
* A range covers all pages that it touches. The rest of a page beyond a length is mapped with it.
* Numbers have 64 bits: a range ends there, an offset goes on at 0.
* A duplication replaces what stood in its range of the target. Regions are cut to the range. Within
  one space it changes nothing.
* A copy (C) numbers its page at once, touched or not: the number is anonymous, and its first time is
  the copy's. It is no first touch.
* Where a region is, it is no kernel space, whatever its address: stacks of some traces lie above.
* A reference lies in the page of its first byte. One above the kernel's base is the kernel's where no region is and no
  number was given to the page by a copy; a page that the kernel caches has the number of the file's page.
* In the files of processes, a reference stands with its own space and the current task, a kernel record with the space
  that its task has behind it, or had when it exited. The list of files has them as they began, each with the program
  of the task at its last record there.
* A number that a page got outside of any region stays until the page is unmapped or mapped.
"""
import lzma
import os
import re
import struct
import sys

PAGE = 4096
RECORD = struct.Struct("<BQBII")
TEXT = re.compile(rb"[!-~]( [0-9a-fA-F]+){4}\r?\n")
FILE, ANON, SHM, KERNEL = "file", "anon", "shm", "kernel"


def read(path):
    with (lzma.open if path.endswith(".xz") else open)(path, "rb") as f:
        return f.read()


def references(data):
    """(type, time, length, space, address) of each record; text if the first line is one."""
    if TEXT.match(data):
        for line in data.splitlines():
            f = line.split()
            yield (f[0], *(int(x, 16) for x in f[1:]))
    else:
        for r in RECORD.iter_unpack(data):
            yield (bytes(r[:1]), *r[1:])


def kernel_events(data):
    """(line, tag, time, fields) of each; the end has no time."""
    for line in data.splitlines():
        f = line.split(b" ")
        if f[0].rstrip(b"-") == b"c":
            yield line, "c", None, []
        else:
            yield line, f[0].decode(), int(f[1], 16), f[2:]


def interleave(refs, events, kernel_first):
    """("r", reference) and ("k", event) in order of time."""
    refs, events = iter(refs), iter(events)
    r, k = next(refs, None), next(events, None)
    while r is not None or k is not None:
        if r is None:
            first = False
        elif k is None or k[2] is None:
            first = True
        else:
            first = r[1] < k[2] if kernel_first else r[1] <= k[2]
        if first:
            yield "r", r
            r = next(refs, None)
        else:
            yield "k", k
            k = next(events, None)


class Region:
    """A run of pages [first, stop); of a file or shared memory with where it began, which a cut leaves as it is."""

    def __init__(self, first, stop, kind, key=(), start=0, offset=0, name=b""):
        self.first, self.stop, self.kind, self.key = first, stop, kind, key
        self.start, self.offset, self.name = start, offset, name

    def part(self, first, stop):
        return Region(max(first, self.first), min(stop, self.stop), self.kind, self.key, self.start, self.offset, self.name)

    def page(self, vpn):
        """The key of a page; None where every touch makes a new one."""
        if self.kind == ANON:
            return None
        return (*self.key, (self.offset + vpn * PAGE - self.start) % 2**64 // PAGE)


class Space:
    def __init__(self):
        self.regions, self.pages = [], {}

    def unmap(self, first, stop):
        kept = []
        for r in self.regions:
            if r.first < min(first, r.stop):
                kept.append(r.part(r.first, first))
            if max(stop, r.first) < r.stop:
                kept.append(r.part(stop, r.stop))
        self.regions = kept
        self.pages = {v: n for v, n in self.pages.items() if not first <= v < stop}

    def map(self, region):
        self.unmap(region.first, region.stop)
        self.regions.append(region)

    def at(self, vpn):
        return next((r for r in self.regions if r.first <= vpn < r.stop), None)


class Task:
    def __init__(self, space=None, name=None):
        self.space, self.name = space, name


def covered(address, length):
    """The pages of a range."""
    return address // PAGE, min(address + length + PAGE - 1, 2**64) // PAGE


class Machine:
    """What runs where, and which page is which."""

    def __init__(self, kernel=0xC0000000):
        self.kernel = kernel                      # addresses from here on are the kernel's, where no region is
        self.tasks, self.spaces, self.current = {}, {}, None
        self.frames = {}                          # page frames of the kernel that hold a page of a file: its key, name
        self.names = {}                           # names of files, as an event told them last
        self.numbers, self.table = {}, []         # (kind, key) -> number; number -> [kind, key, first time, name]
        self.users, self.touched = [], set()      # spaces of each number; (space, vpn) of all references
        self.first = {FILE: 0, ANON: 0, SHM: 0, KERNEL: 0, None: 0}
        self.outside = self.mismatches = self.ignored = 0
        self.by_pid, self.by_space = {}, {}
        self.had = None                           # the task that exited last

    def task(self, pid):
        return self.tasks.setdefault(pid, Task())

    def space(self, name):
        return self.spaces.setdefault(name, Space())

    def behind(self, tag, pid):
        """A task behind an event of it; as it was, if it exited."""
        return self.had if tag == "T" else self.task(pid)

    # Numbers of pages.

    def number(self, kind, key, time, name, unique):
        if not unique and (kind, key) in self.numbers:
            return self.numbers[kind, key]
        n = len(self.table)
        self.table.append([kind, key, time, name])
        self.users.append(set())
        if not unique:
            self.numbers[kind, key] = n
        return n

    def touch(self, space, vpn, time):
        pages = self.space(space).pages
        if vpn not in pages:
            region = self.space(space).at(vpn)
            key = region and region.page(vpn)
            if key:
                pages[vpn] = self.number(region.kind, key, time, region.name, False)
            else:
                pages[vpn] = self.number(ANON, (space, vpn), time, b"", True)
            self.first[region and region.kind] += 1
        return pages[vpn]

    def kernel_touch(self, vpn, time):
        key, name = self.frames.get(vpn, (None, b""))
        return self.number(FILE, key, time, name, False) if key else self.number(KERNEL, ("kernel", vpn), time, b"", False)

    def reference(self, ref):
        """The number of its page."""
        _, time, _, space, address = ref
        vpn = address // PAGE
        if self.current is not None:
            task = self.task(self.current)
            if task.space is None:
                task.space = space
            self.mismatches += task.space != space
        self.by_pid[self.current] = self.by_pid.get(self.current, 0) + 1
        self.by_space[space] = self.by_space.get(space, 0) + 1
        self.touched.add((space, vpn))
        if self.is_kernel(space, address):
            n = self.kernel_touch(vpn, time)
        else:
            n = self.touch(space, vpn, time)
            self.outside += self.space(space).at(vpn) is None
        self.users[n].add(space)
        return n

    def is_kernel(self, space, address):
        vpn = address // PAGE
        return address >= self.kernel and vpn not in self.space(space).pages and self.space(space).at(vpn) is None

    # Kernel events.

    def event(self, tag, time, fields):
        if tag in FILES:
            at = FILES[tag]
            key = tuple(int(fields[i], 16) for i in (at + 1, at + 2, at))
            self.names[key] = b" ".join(fields[at + (4 if tag == "M" else 3):])
        do = getattr(self, "on_" + NAMES[tag], None)
        if do:
            do(time, *fields)

    def on_schedule(self, _, pid):
        self.current = int(pid, 16)
        self.task(self.current)

    def on_fork(self, _, child, parent):
        p = self.task(int(parent, 16))
        self.tasks[int(child, 16)] = Task(p.space, p.name)

    def on_exit(self, _, pid):
        self.had = self.task(int(pid, 16))
        del self.tasks[int(pid, 16)]

    def on_exec(self, _, pid, _inode, _major, _minor, *name):
        t = self.task(int(pid, 16))
        t.name = b" ".join(name)
        for other in self.tasks.values():
            if t.space is not None and other.space == t.space:
                other.name = t.name

    def on_space(self, _, pid, space):
        self.task(int(pid, 16)).space = int(space, 16)

    def mapped(self, pid, address, length, kind, **more):
        t = self.task(int(pid, 16))
        address, length = int(address, 16), int(length, 16)
        if t.space is not None and length:
            self.space(t.space).map(Region(*covered(address, length), kind, start=address, **more))

    def on_mmap(self, _, pid, address, length, inode, major, minor, offset, *name):
        key = tuple(int(x, 16) for x in (major, minor, inode))
        self.mapped(pid, address, length, FILE, key=key, offset=int(offset, 16), name=b" ".join(name))

    def on_anon(self, _, pid, address, length):
        self.mapped(pid, address, length, ANON)

    def on_shmat(self, _, pid, address, length, shm):
        self.mapped(pid, address, length, SHM, key=(int(shm, 16),))

    def on_munmap(self, _, pid, address, length):
        t = self.task(int(pid, 16))
        if t.space is not None and int(length, 16):
            self.space(t.space).unmap(*covered(int(address, 16), int(length, 16)))

    def on_unmap_all(self, _, space):
        self.spaces.pop(int(space, 16), None)

    def on_duplicate(self, _, source, target, start, end):
        start, end = int(start, 16), int(end, 16)
        if end <= start:
            self.ignored += 1
            return
        if int(source, 16) == int(target, 16):
            return
        first, stop = covered(start, end - start)
        src, dst = self.space(int(source, 16)), self.space(int(target, 16))
        dst.unmap(first, stop)
        dst.regions += [r.part(first, stop) for r in src.regions if r.first < stop and first < r.stop]
        dst.pages.update((v, n) for v, n in src.pages.items() if first <= v < stop)

    def on_copy(self, time, pid, address):
        t = self.task(int(pid, 16))
        if t.space is not None:
            vpn = int(address, 16) // PAGE
            self.space(t.space).pages[vpn] = self.number(ANON, (t.space, vpn), time, b"", True)

    def on_cached(self, _, address, inode, major, minor, offset):
        key = tuple(int(x, 16) for x in (major, minor, inode))
        self.frames[int(address, 16) // PAGE] = (*key, int(offset, 16) // PAGE), self.names.get(key, b"")

    def on_dropped(self, _, address):
        self.frames.pop(int(address, 16) // PAGE, None)


NAMES = {"s": "schedule", "F": "fork", "T": "exit", "X": "exec", "A": "space", "M": "mmap", "m": "anon", "S": "shmat",
         "U": "munmap", "u": "unmap_all", "D": "duplicate", "C": "copy", "P": "cached", "p": "dropped"}
NAMES.update((t, "nothing") for t in "Bb()<>-c")
WITH_PID = "sFTXAMmSUC()<>"
# Events that name a file, with the place of its inode; major and minor are behind it.
FILES = {"X": 1, "M": 3, "(": 1}


def write_reference(ref):
    return b"%s %x %x %x %x" % ref


def line(kind, record, _):
    """A record of the interleaved trace."""
    return record[0] if kind == "k" else write_reference(record)


def page_line(_, ref, number):
    return b"%s %x" % (ref[0].upper(), number)


def run(machine, refs, events, kernel_first):
    """("r", reference, number of its page) and ("k", event, None)."""
    for kind, record in interleave(refs, events, kernel_first):
        if kind == "k":
            machine.event(*record[1:])
            yield kind, record, None
        else:
            yield kind, record, machine.reference(record)


def escaped(name):
    """As a string in a text stream."""
    if name in (b"", b"-"):
        return b"\\x2d" if name else b"-"
    return b"".join(b"\\x%02x" % c if c <= 32 or c in (92, 127) else bytes([c]) for c in name)


def table(machine):
    for n, (kind, key, time, name) in enumerate(machine.table):
        words = [k if isinstance(k, str) else "%x" % k for k in key]
        yield b"%d\t%s\t%s\t%d\t%s" % (n, kind.encode(), ":".join(words).encode(), time, escaped(name))


# The fields of an event behind its tag and time, and how the event stream has them: l a process, a an address,
# o an offset (addr in decimal), z a size, x an argument in hexadecimal, d one in decimal, f a name.
STREAM = {
    "s": ("schedule", "l"), "F": ("fork", "l d:parent"), "T": ("exit", "l"), "A": ("space", "l x:space"),
    "X": ("exec", "l d:inode d:major d:minor f:file"), "D": ("dup-range", "x:source x:target a x:stop"),
    "M": ("mmap", "l a z d:inode d:major d:minor d:offset f:file"), "m": ("mmap-anon", "l a z"), "S": ("shmat", "l a z d:shm"),
    "U": ("munmap", "l a z"), "u": ("unmap-all", "x:space"), "C": ("cow", "l a"), "B": ("buffer-alloc", "a"),
    "b": ("buffer-free", "a"), "P": ("cache-alloc", "a d:inode d:major d:minor d:offset"), "p": ("cache-free", "a"),
    "(": ("open", "l d:inode d:major d:minor f:file"), ")": ("close", "l d:inode d:major d:minor"),
    "<": ("read", "l d:inode d:major d:minor o z"), ">": ("write", "l d:inode d:major d:minor o z"),
    "-": ("delete", "d:inode d:major d:minor")}


def place(pid, space):
    if pid is None and space is None:
        return "-"
    return "%s/%s" % ("-" if pid is None else pid, "-" if space is None else "0x%x" % space)


class Events:
    """Lines of the event stream. Each is asked for right behind its record."""

    def __init__(self, machine):
        self.machine, self.time = machine, 0

    def line(self, kind, record, number):
        if kind == "r":
            return self.reference(record, number)
        return self.event(*record[1:])

    def reference(self, ref, number):
        letter, self.time, length, space, address = ref
        region = self.machine.space(space).at(address // PAGE)
        what, name = (region.kind, region.name) if region else ("none", b"")
        if self.machine.is_kernel(space, address) and address // PAGE in self.machine.frames:
            what, name = FILE, self.machine.frames[address // PAGE][1]
        args = ["page=%d" % number] + (["file=%s" % escaped(name).decode()] if name else []) + ["region=%s" % what]
        columns = ["%d" % self.time, place(self.machine.current, space), letter.decode(), "0x%x" % address, "%d" % length, "-"]
        return "\t".join(columns + args).encode()

    def event(self, tag, time, fields):
        if tag == "c":
            return b"%d\t-\tend\t-\t-\t-" % self.time
        self.time = time
        name, kinds = STREAM[tag]
        c, args, values = {"l": "-", "a": "-", "z": "-"}, [], {}
        for kind, field in zip(kinds.split(), fields[:len(kinds.split()) - 1] + [b" ".join(fields[len(kinds.split()) - 1:])]):
            how, _, arg = kind.partition(":")
            if how == "f":
                values[arg] = field
                args.append("%s=%s" % (arg, escaped(field).decode()))
                continue
            n = values[arg or how] = int(field, 16)
            if how in "xd":
                args.append("%s=%s" % (arg, ("0x%x" if how == "x" else "%d") % n))
            elif how == "l":
                c["l"] = place(n, self.machine.behind(tag, n).space)
            else:
                c["a" if how == "o" else how] = ("0x%x" if how == "a" else "%d") % n
        return "\t".join(["%d" % time, c["l"], name, c["a"], c["z"], "-"] + args + self.named(tag, values)).encode()

    def named(self, tag, values):
        """The name of a file that an event before this one told."""
        key = tuple(values.get(x) for x in ("major", "minor", "inode"))
        if tag in "<>)-P" and key in self.machine.names:
            return ["file=%s" % escaped(self.machine.names[key]).decode()]
        return []


def processes(machine, records):
    """Lines of each file by its path; the records are as run() gives them."""
    files, names = {"kernel": []}, {}
    for kind, record, number in records:
        task, text = None, record[0]
        if kind == "r":
            letter, time, length, space, address = record
            text = b"%s %x %x %x %x" % (letter, time, length, address // PAGE, number)
            if machine.current is not None and not machine.is_kernel(space, address):
                task = space, machine.current, machine.task(machine.current)
        elif record[1] in WITH_PID:
            pid = int(record[3][0], 16)
            t = machine.behind(record[1], pid)
            task = t.space, pid, t
        if task is None:
            files["kernel"].append(text)
            continue
        path = "%s/%x" % ("unknown" if task[0] is None else "%x" % task[0], task[1])
        files.setdefault(path, []).append(text)
        names[path] = task[2].name or names.get(path)
    files["processes"] = [path.replace("/", "\t").encode() + b"\t" + (escaped(name) if name else b"-") for path, name in names.items()]
    return files


def write_processes(directory, files):
    for path, lines in files.items():
        path = os.path.join(directory, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as f:
            f.write(b"".join(x + b"\n" for x in lines))


def lru_misses(pages, frames):
    """Misses of pages that were seen before, for several sizes of memory: brute force over a list."""
    stack, misses, cold = [], dict.fromkeys(frames, 0), 0
    for page in pages:
        try:
            depth = stack.index(page)
        except ValueError:
            cold += 1
        else:
            del stack[depth]
            for f in frames:
                misses[f] += depth >= f
        stack.insert(0, page)
    return cold, list(misses.values())


def touches(ref):
    """(space, vpn) of all pages that a reference reaches into."""
    _, _, length, space, address = ref
    return [(space, v) for v in range(address // PAGE, (address + max(length, 1) - 1) // PAGE + 1)]


def totals(machine, refs, events, kernel_first):
    canonical, virtual, all_pages, inside, n_refs = [], [], [], 0, 0
    seen = 0
    for kind, record, number in run(machine, refs, events, kernel_first):
        if kind == "k":
            seen += 1
            continue
        n_refs, inside = n_refs + 1, seen
        canonical.append(number)
        virtual.append((record[3], record[4] // PAGE))
        all_pages += touches(record)
    print("references %d, kernel events up to the last %d" % (n_refs, inside))
    print("pairs %d, first touches %d %s" % (len(machine.touched), sum(machine.first.values()), machine.first))
    print("pages %d, shared %d" % (len(machine.table), sum(len(u) > 1 for u in machine.users)))
    print("outside %d, mismatches %d, D ignored %d" % (machine.outside, machine.mismatches, machine.ignored))
    print("by pid", {"%x" % p if p is not None else p: n for p, n in machine.by_pid.items()})
    print("by space", {"%x" % p: n for p, n in machine.by_space.items()})
    for what, pages in ("space:page", all_pages), ("first page", virtual), ("canonical", canonical):
        print(what, len(pages), *lru_misses(pages, [10, 50, 100, 200]))


def main(argv):
    options, rest = {}, argv[1:]
    while rest and rest[0].startswith("--"):
        name = rest.pop(0)
        options[name] = rest.pop(0) if name in ("--processes", "--table") else True
    refs, events = references(read(rest[0])), kernel_events(read(rest[1]))
    machine = Machine()
    if "--totals" in options:
        totals(machine, refs, events, "--kernel-first" in options)
        return
    out, records = sys.stdout.buffer, run(machine, refs, events, "--kernel-first" in options)
    if "--processes" in options:
        write_processes(options["--processes"], processes(machine, records))
    for kind, record, number in records:
        if "--pages" in options:
            if kind == "r":
                out.write(page_line(kind, record, number) + b"\n")
        else:
            out.write(line(kind, record, number) + b"\n")
    if "--table" in options:
        with open(options["--table"], "wb") as f:
            f.write(b"".join(x + b"\n" for x in table(machine)))


if __name__ == "__main__":
    main(sys.argv)
