#!/usr/bin/env python3
"""presets.py PRESET < INPUT: the time, loc, event, addr, size and dur of its events, as a text stream with absolute
times has them. Written from the manuals and sources of the programs that write these forms, not from spoor."""
import csv
import datetime
import re
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


if __name__ == "__main__":
    if sys.argv[1].startswith("vscsi"):
        globals()[sys.argv[1].replace("-", "_")](sys.stdin.buffer.read())
    else:
        globals()[sys.argv[1].replace("-", "_")](sys.stdin.read().splitlines())
