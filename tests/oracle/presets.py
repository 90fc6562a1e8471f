#!/usr/bin/env python3
"""presets.py PRESET < INPUT: the time, loc, event, addr, size and dur of its events, as a text stream with absolute
times has them. Written from the manuals and sources of the programs that write these forms, not from spoor."""
import csv
import datetime
import re
import struct
import sys
from decimal import Decimal

UTC = datetime.timezone.utc


def name(text):
    return "".join(c if " " < c < "\x7f" and c != "\\" else "".join(f"\\x{b:02x}" for b in c.encode()) for c in text) or "-"


def place(*parts):
    return "/".join(name(p).replace("/", "\\x2f") if len(parts) > 1 else name(p) for p in parts)


def date(text):
    return Decimal(str(datetime.datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()))


def put(time, loc, event, addr=None, size=None, dur=None):
    print(f"{time:.9f}", loc, name(event), "-" if addr is None else addr, "-" if size is None else int(size),
          "-" if dur is None else f"{dur:.9f}", sep="\t")


def sacct(lines):
    for r in csv.DictReader(lines, delimiter="|", quoting=csv.QUOTE_NONE):
        if r["Start"] in ("Unknown", "None"):
            continue
        dur = None if r["End"] == "Unknown" else date(r["End"]) - date(r["Start"])
        put(date(r["Start"]), place(r["Partition"], r["User"]), r["State"].split(" by ")[0], None, None, dur)


def jmeter(lines):
    for r in csv.DictReader(lines):
        put(Decimal(r["timeStamp"]) / 1000, place(r["threadName"]), r["label"], None, r["bytes"], Decimal(r["elapsed"]) / 1000)


def nsys(lines):
    for r in csv.DictReader(lines):
        mb = r["Bytes (MB)"]
        put(Decimal(r["Start (ns)"]) / 10**9, place(r["Device"], r["Strm"]), r["Name"], None,
            Decimal(mb) * 10**6 if mb else None, Decimal(r["Duration (ns)"]) / 10**9)


def log4j(lines):
    for line in lines:
        m = re.match(r"(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)[.,](\d+) (.*)", line)
        if m:
            thread = re.search(r"\[(.*?)\]", m[3])
            put(date(m[1]) + Decimal(f"0.{m[2]}"), place(thread[1] if thread else ""), re.search("INFO|WARN|ERROR|DEBUG", m[3])[0])


def lackey(lines):
    for n, line in enumerate(lines, 1):
        m = re.match(r"(I | [LSM]) +?([0-9a-f]+),(\d+)$", line)
        if m:
            put(n, "-", {"L": "R", "S": "W"}.get(m[1].strip(), m[1].strip()), hex(int(m[2], 16)), m[3])


def din(lines):
    for n, line in enumerate(lines, 1):
        what, addr, *size = line.split()
        old = what.isdigit()
        what = ["R", "W", "I", "misc", "copyback", "invalidate"][int(what) if old else "rwimcv".index(what.lower())]
        put(n, "-", what, hex(int(addr, 16)), None if old else int(size[0], 16))


def disksim(lines):
    for ms, disk, block, blocks, flags in map(str.split, lines):
        put(Decimal(ms) / 1000, disk, "WR"[int(flags, 16) & 1], block, int(blocks) * 512)


def mqsim(lines):
    for ns, device, sector, sectors, read in map(str.split, lines):
        put(Decimal(ns) / 10**9, device, "WR"[int(read)], sector, int(sectors) * 512)


def ramulator(lines):
    for n, line in enumerate(lines, 1):
        a, b = line.split()
        addr, what = (b, a) if a in ("LD", "ST") else (a, b)
        put(n, "-", {"LD": "R", "ST": "W"}.get(what, what), hex(int(addr, 16)))


def dramsim(lines):
    for addr, command, cycle in map(str.split, lines):
        what = "W" if command in ("P_MEM_WR", "BOFF", "WRITE") else "I" if "FETCH" in command else "R"
        put(Decimal(cycle) / 10**9, "-", what, hex(int(addr, 16)))


def pinatrace(lines):
    for n, line in enumerate(lines, 1):
        if line[0] != "#":
            _, what, addr = line.split()
            put(n, "-", what, hex(int(addr, 16)))


def drmemtrace(lines):
    now = None
    for line in lines:
        m = re.match(r" *\d+ +\d+: +(\d+) (.*)", line)
        stamp = m and re.search(r"<marker: timestamp (\d+)>", m[2])
        if stamp:
            now = Decimal(stamp[1]) / 10**6 - 11644473600  # from 1601 to 1970
        elif m and " byte(s) @ " in m[2]:
            what, size, _, _, addr = m[2].split()[:5]
            put(now, m[1], {"ifetch": "I", "read": "R", "write": "W"}.get(what, what), hex(int(addr, 16)), size)


def prospero(lines):
    for cycle, what, addr, size in map(str.split, lines):
        put(Decimal(cycle) / 10**9, "-", what, addr, size)


def records(data, form, at):
    names = {0x28: "R", 0x2a: "W", 0x88: "R", 0x8a: "W"}
    for r in struct.iter_unpack(form, data):
        size, command, block, us = (r[i] for i in at)
        put(Decimal(us) / 10**6, "-", names.get(command, str(command)), block, size)


def vscsi(data):
    records(data, "<IIIHHQQ", (1, 3, 5, 6))


def vscsi_2(data):
    records(data, "<HHIIIQQQ", (3, 0, 5, 6))


if __name__ == "__main__":
    if sys.argv[1].startswith("vscsi"):
        globals()[sys.argv[1].replace("-", "_")](sys.stdin.buffer.read())
    else:
        globals()[sys.argv[1].replace("-", "_")](sys.stdin.read().splitlines())
