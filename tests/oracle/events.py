"""events.py - a text stream, by spoor-stream(5), and what a name means in an event, by trace-filter(1)."""
import re

from values import HEX, LOW, NS, Time, of_text, string, unescape, write_time

COLUMNS = ("time", "loc", "event", "addr", "size", "dur")
PART = re.compile(rb"loc([1-8])\Z")


class Stream:
    """Header facts and events."""

    def __init__(self, data):
        self.ticks, self.parts, self.meta, self.events, self.header = None, [], {}, [], []
        for line in data.split(b"\n"):
            line = line[:-1] if line.endswith(b"\r") else line
            if line.startswith(b"#"):
                self.header_line(line)
            elif line:
                self.events.append(Event(self, line))
        self.names()

    def header_line(self, line):
        f = line.split(b"\t")
        self.header.append(line)
        if f[0] == b"##clock":
            self.ticks = f[1] == b"ticks"
        elif f[0] == b"##loc":
            self.parts = f[1].split(b"/")
        elif f[0] == b"##meta":
            key, _, value = f[1].partition(b"=")
            place, colon, name = unescape(key).rpartition(b":")
            if colon:
                self.meta.setdefault((place, name), value)

    def names(self):
        """The names of arguments and of metadata, in order of their appearance."""
        self.args = list(dict.fromkeys(n for e in self.events for n, _ in e.args))
        self.placed = list(dict.fromkeys(n for _, n in self.meta))


class Event:
    """An event: its line, its columns, its arguments as pairs of name and written value."""

    def __init__(self, stream, line):
        f = line.split(b"\t")
        if len(f) < 6:
            raise ValueError("not an event: %r" % line)
        if stream.ticks is None:
            stream.ticks = b"." not in f[0]
        self.stream, self.line = stream, line
        self.raw = dict(zip(COLUMNS, f))
        self.args = [tuple(a.split(b"=", 1)) for a in f[6:]]
        # What definitions made of it: values, and as they are written.
        self.nth, self.names, self.raw_names = None, {}, {}

    def clock(self, raw):
        if self.stream.ticks:
            return int(raw)
        whole, _, frac = raw.lstrip(b"-").partition(b".")
        n = int(whole) * NS + int((frac + b"0" * 9)[:9])
        return -n if raw.startswith(b"-") else n

    def end(self):
        """time + dur; the least or the greatest of 64 bits if it does not fit."""
        if self.raw["dur"] == b"-":
            return None
        n = self.clock(self.raw["time"]) + self.clock(self.raw["dur"])
        return min(n, 2**64 - 1) if self.stream.ticks else max(LOW, min(n, 2**63 - 1))

    def written(self, name):
        """The bytes of a field as the stream writes them; None where it is absent."""
        if name in COLUMNS:
            return None if self.raw[name] == b"-" else self.raw[name]
        if name == "end":
            n = self.end()
            return None if n is None else write_time(n, self.stream.ticks)
        if name == "nth":
            return None if self.nth is None else b"%d" % self.nth
        b = name.encode("latin-1")
        only = b.startswith(b"arg.")
        if b in self.stream.parts:
            return self.of_place(b)
        for n, v in self.args:
            if n == b[4 if only else 0:]:
                return v
        return None if only else self.of_place(b)

    def of_place(self, b):
        """A part of loc, by its name or number, or metadata of the place."""
        loc = self.raw["loc"]
        if loc == b"-":
            return None
        parts = loc.split(b"/")
        m = PART.match(b)
        i = int(m[1]) - 1 if m else self.stream.parts.index(b) if b in self.stream.parts else None
        if i is not None:
            return parts[i] if i < len(parts) else None
        for k in range(len(parts), 0, -1):
            v = self.stream.meta.get((unescape(b"/".join(parts[:k])), b))
            if v is not None:
                return v
        return None

    def text(self, name):
        """The text of a field, as it was before the stream escaped it."""
        raw = self.written(name)
        return None if raw is None else string(raw)

    def value(self, name):
        """The value of a field in a computation."""
        if name in self.names:
            return self.names[name]
        if name == "nth":
            return self.nth
        raw = self.written(name)
        if raw is None:
            return None
        if name in ("time", "dur"):
            return Time(self.clock(raw))
        if name == "end":
            return Time(self.end())
        if name in ("addr", "size"):
            return int(raw, 16) if HEX.match(raw) else int(raw)
        return string(raw) if name in ("event", "loc") else of_text(string(raw))
