#!/usr/bin/env python3
"""merge.py - several text streams as one in order of time, by the documents alone.

usage: merge.py [--offset N=SECONDS] [--scale N=FACTOR] [--align origin|first|none|'event = NAME'] [--trace] FILE...
       N is the number of a file, from 1; SECONDS are ticks where the streams have ticks

Prints the events as lines, without a header. All of them are sorted at once: no window, no blocks. What the
documents leave open was chosen so:
* The first event of an input is the first one in the file, not the earliest.
* A scaled time is rounded to the nearest nanosecond or tick, a half away from the first event.
* The output's origin is the least of those that inputs have, be they without events or not.
* Scale, then alignment, then offset.
* A time beyond 64 bits, signed for seconds and unsigned for ticks, loses its event.
"""
import getopt
import sys
from fractions import Fraction

NS = 10**9


class Refused(Exception):
    """Clocks that have no common origin or unit; nothing to align by."""


class Input:
    """A stream: its clock and events as [time, line behind the time]; its first origin."""

    def __init__(self, name, data):
        self.name, self.ticks, self.origin, self.headed, self.events = name, None, 0, False, []
        for line in data.split(b"\n"):
            f = line.split(b"\t")
            if f[0] == b"##clock":
                self.ticks, self.headed = f[1] == b"ticks", True
                if not self.ticks:
                    self.origin = nanoseconds(f[2].partition(b"=")[2])
            elif line and not line.startswith(b"#"):
                if self.ticks is None:
                    self.ticks = b"." not in f[0]
                self.events.append([int(f[0]) if self.ticks else nanoseconds(f[0]), b"\t".join(f[1:])])

    def shift(self, by):
        for e in self.events:
            e[0] += by

    def scale(self, factor):
        if self.events:
            first = self.events[0][0]
            for e in self.events:
                e[0] = first + nearest((e[0] - first) * factor)

    def first_at_zero(self):
        if self.events:
            self.shift(-self.events[0][0])

    def this_at_zero(self, event):
        """The first of the events with that name."""
        times = [time for time, rest in self.events if rest.split(b"\t")[1] == event]
        if not times:
            raise Refused("no such event")
        self.shift(-times[0])


def nearest(x):
    """The nearest integer; of two, the one farther from 0."""
    n = (abs(x) * 2 + 1) // 2
    return int(n if x >= 0 else -n)


def nanoseconds(text):
    whole, _, frac = text.lstrip(b"-").partition(b".")
    n = int(whole or b"0") * NS + int((frac + b"0" * 9)[:9])
    return -n if text.startswith(b"-") else n


def seconds(n):
    return b"%s%d.%09d" % (b"-" if n < 0 else b"", abs(n) // NS, abs(n) % NS)


def align(inputs, how, absolute):
    """Times become those of one clock; absolute: inputs that an offset makes so."""
    if len({x.ticks for x in inputs if x.events}) > 1:
        raise Refused("ticks and seconds")
    if how == "first":
        for x in inputs:
            x.first_at_zero()
    elif how and how.startswith("event = "):
        for x in inputs:
            x.this_at_zero(how[8:].encode())
    elif how != "none":
        origins = [x.origin for x in inputs]
        if any(origins) and any(x.origin == 0 and x not in absolute for x in inputs):
            raise Refused("origins")
        least = min((o for o in origins if o), default=0)
        for x in inputs:
            x.shift(x.origin - least)


def named(rest, name, trace, trace_loc):
    """The line behind the time, with the name of its input."""
    f = rest.split(b"\t")
    if trace_loc:
        at = name.replace(b"/", b"\\x2f")
        f[0] = at if f[0] == b"-" else at + b"/" + f[0]
    if trace and not any(a.startswith(b"trace=") for a in f[5:]):
        f.append(b"trace=" + name)
    return b"\t".join(f)


def merged(inputs, offsets=(), scales=(), how=None, trace=False, trace_loc=False):
    """(lines, how many events were lost); offsets and scales are pairs of the number of an input and a value."""
    for n, factor in scales:
        inputs[n - 1].scale(factor)
    align(inputs, how, [inputs[n - 1] for n, _ in offsets])
    for n, by in offsets:
        inputs[n - 1].shift(by)
    all_events = [(time, x, rest) for x in inputs for time, rest in x.events]
    low, high = (0, 2**64) if any(x.ticks for x in inputs) else (-2**63, 2**63)
    kept = [e for e in all_events if low <= e[0] < high]
    lines = []
    for time, x, rest in sorted(kept, key=lambda e: e[0]):
        text = b"%d" % time if x.ticks else seconds(time)
        lines.append(text + b"\t" + named(rest, x.name, trace, trace_loc))
    return lines, len(all_events) - len(kept)


def heads(inputs):
    """Lines of a merge without a window, of times as they are: the earliest of the events that stand first, again and again."""
    out, at = [], [0] * len(inputs)
    while any(i < len(x.events) for i, x in zip(at, inputs)):
        n = min((k for k, x in enumerate(inputs) if at[k] < len(x.events)), key=lambda k: inputs[k].events[at[k]][0])
        time, rest = inputs[n].events[at[n]]
        out.append((b"%d" % time if inputs[n].ticks else seconds(time)) + b"\t" + rest)
        at[n] += 1
    return out


def main(argv):
    options, files = getopt.getopt(argv[1:], "", ["offset=", "scale=", "align=", "trace"])
    inputs = []
    for name in files:
        with open(name, "rb") as f:
            inputs.append(Input(name.encode(), f.read()))
    pairs = {"--offset": [], "--scale": []}
    for name, value in options:
        if name in pairs:
            n, _, value = value.partition("=")
            pairs[name].append((int(n), Fraction(value)))
    unit = 1 if any(x.ticks for x in inputs) else NS
    offsets = [(n, nearest(v * unit)) for n, v in pairs["--offset"]]
    o = dict(options)
    lines, lost = merged(inputs, offsets, pairs["--scale"], o.get("--align"), "--trace" in o)
    sys.stdout.buffer.write(b"".join(x + b"\n" for x in lines))
    return 2 if lost else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
