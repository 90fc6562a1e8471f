#!/usr/bin/env python3
"""strace.py <LOG >EVENTS: the output of strace -f -ttt -T -o LOG as lines of a text stream with absolute times. Written
from strace's manual page: calls that are unfinished are put together with what resumes them."""
import re
import sys

MOVES = re.compile("^(read|write|pread.*|pwrite.*|readv|writev|recv.*|send.*|splice|tee|vmsplice|copy_file_range)$")


def text(s):
    return "".join(c if "!" <= c <= "~" and c != "\\" else "".join(f"\\x{b:02x}" for b in c.encode()) for c in s) or '""'


def put(pid, time, rest):
    call = re.fullmatch(r"(\w+)\((.*)\)\s+= (\S+)(?: ([A-Z]\w*) \(.*\)| \(.*\))?(?: <(.*)>)?", rest)
    if not call:
        cut = re.fullmatch(r"(\w+)\((.*?)\s*<unfinished ...>", rest)
        name, args, ret, error, dur = cut[1], cut[2], None, None, None
    else:
        name, args, ret, error, dur = call.groups()
    moved = ret if ret and MOVES.match(name) and ret.isdigit() else "-"
    dur = dur and re.fullmatch(r"[0-9.]+", dur) and f"{float(dur):.9f}" or "-"
    print("\t".join([time + "000", pid, name, "-", moved, dur, "args=" + text(args.strip())] +
                    ([f"ret={text(ret)}"] if ret else []) + ([f"error={error}"] if error else [])))


begun = {}
for line in sys.stdin:
    pid, time, rest = line.rstrip("\n").split(None, 2)
    if rest.startswith(("+++ ", "--- ")):
        continue
    if rest.endswith("<unfinished ...>"):
        begun[pid] = time, rest
        continue
    goes_on = re.match(r"<... \w+ resumed>", rest)
    if goes_on:
        time, first = begun.pop(pid)
        rest = re.sub(r"\s*<unfinished ...>$", "", first) + rest[goes_on.end():]
    put(pid, time, rest)
for pid, (time, rest) in begun.items():
    put(pid, time, rest)
