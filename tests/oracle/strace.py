#!/usr/bin/env python3
"""strace.py <LOG >EVENTS: the output of strace -f -ttt -T, to a file or to the terminal, as lines of a text stream with
absolute times. Written from strace's manual page and strace.c (printleader): calls that are unfinished are put together
with what resumes them; on a terminal what programs and strace say stands between, and [pid N] only where several run."""
import re
import sys

MOVES = re.compile("^(read|write|pread.*|pwrite.*|readv|writev|recv.*|send.*|splice|tee|vmsplice|copy_file_range)$")
LEADER = re.compile(r"(?:\[pid +(\d+)\] |(\d+) +)?(\d{9,}\.\d+) (.*)", re.S)
SAID = re.compile(r"strace: Process \d+ (?:attached|detached)$")
CALL = re.compile(r"(\w+)\((.*)\)\s+= (\S+)(?: ([A-Z]\w*) \(.*\)| \(.*\))?(?: <([^<>]*)>)?", re.S)
CUT = re.compile(r"(\w+)\((.*?) <(?:unfinished|detached) ...>", re.S)
GOES_ON = re.compile(r"<\.\.\. (\w+) resumed>(.*)", re.S)


def text(s):
    return "".join(c if "!" <= c <= "~" and c != "\\" else "".join(f"\\x{b:02x}" for b in c.encode()) for c in s) or '""'


def put(pid, time, rest):
    call = CALL.fullmatch(rest)
    if call:
        name, args, ret, error, dur = call.groups()
    else:
        name, args, ret, error, dur = *CUT.fullmatch(rest).groups(), None, None, None
    moved = ret if ret and MOVES.match(name) and ret.isdigit() else "-"
    dur = dur and re.fullmatch(r"[0-9.]+", dur) and f"{float(dur):.9f}" or "-"
    print("\t".join([time + "000", pid or "-", name, "-", moved, dur, "args=" + text(args.strip())] +
                    ([f"ret={text(ret)}"] if ret else []) + ([f"error={error}"] if error else [])))


def whole(rest):
    return bool(CALL.fullmatch(rest) or CUT.fullmatch(rest) or GOES_ON.match(rest) or rest.startswith(("+++ ", "--- ")))


def lines():
    """(pid, time, what follows) of each line of strace, without what others wrote into it."""
    cut = None
    for raw in sys.stdin:
        line = raw.rstrip("\n")
        other = line.find("[pid ")
        if other > 0 and not LEADER.match(line) and LEADER.match(line[other:]):
            line = line[other:]
        line = SAID.sub("", line)
        leader = LEADER.match(line)
        if cut and not leader:
            leader = LEADER.match(cut + line)
            if not whole(leader[4]):
                continue
        if not leader:
            continue
        if whole(leader[4]):
            cut = None
            yield leader[1] or leader[2], leader[3], leader[4]
        else:
            cut = line


begun = []
alive = set()
for pid, time, rest in lines():
    other = re.match(r"\+\+\+ superseded by execve in pid (\d+)", rest)
    if other:
        alive.discard(other[1])
    if pid:
        alive.add(pid)
    elif len(alive) == 1:
        pid = next(iter(alive))
    if rest.startswith("+++ "):
        alive.discard(pid)
        if other:
            alive.add(pid)
            begun = [(pid if p == other[1] and r.startswith("execve(") else p, p, t, r) for p, _, t, r in begun]
        continue
    if rest.startswith("--- "):
        continue
    if rest.endswith(" <unfinished ...>"):
        begun.append((pid, pid, time, rest))
        continue
    goes_on = GOES_ON.match(rest)
    if goes_on:
        mine = [b for b in begun if b[3].startswith(goes_on[1] + "(") and (b[0] in (pid, None) or pid is None)]
        mine = [b for b in mine if b[0] == pid] or mine
        assert len(mine) == 1, (pid, time, rest, mine)
        begun.remove(mine[0])
        time, pid = mine[0][2], mine[0][1] or pid
        rest = re.sub(r" <unfinished ...>$", "", mine[0][3]) + goes_on[2]
    put(pid, time, rest)
for _, pid, time, rest in begun:
    put(pid, time, rest)
