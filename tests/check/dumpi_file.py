#!/usr/bin/env python3
"""dumpi_file.py NAME [KEY=VALUE...]: writes NAME, a DUMPI file.

records=CALL/MASK/START/STOP/ARGS,... are records with times in ns (START and STOP may be S:NS), MASK and ARGS in hex;
by default MPI_Init, MPI_Comm_size and MPI_Finalize. start=, host=, user=, version= are of the header. count= is added
to the first count of the footer, total= to its total. magic=, footer= are in hex. end= is the end of the body in hex,
spare= so many bytes before the footer, header= is added to the header's offset in the index, index=0 leaves the index
out, cut= is the number of bytes that are left."""
import struct
import sys

name, given = sys.argv[1], dict(word.split("=", 1) for word in sys.argv[2:])
INIT, SIZE, FINALIZE = "124/0b/1/2/00000000", "81/0b/3/4/000200000001", "125/0b/5/6/"
number = lambda key, default=0: int(given.get(key, default))
body, counts = b"", [0] * 290
for text in given.get("records", f"{INIT},{SIZE},{FINALIZE}").split(","):
    call, mask, start, stop, args = text.split("/")
    mask = int(mask, 16)
    body += struct.pack(">HB", int(call), mask) + (b"\0\0" if mask & 0x40 else b"")
    for bit in 4, 8:
        for time in (start, stop) if mask & bit else ():
            seconds, ns = time.split(":") if ":" in time else (0, time)
            body += struct.pack(">HI", int(seconds), int(ns))
    body += bytes.fromhex(args)
    if int(call) < 290:
        counts[int(call)] += 1
counts[124] += number("count")
out = bytes.fromhex(given.get("magic", "ffaadd44554d5049")) + bytes(8) + body + bytes.fromhex(given.get("end", "0125"))
header = len(out)
string = lambda s: struct.pack(">H", len(s)) + s.encode("latin-1")
out += bytes(int(n) for n in given.get("version", "13.0.0").split("."))
out += struct.pack(">Q", number("start", 1700000000)) + string(given.get("host", "h")) + string(given.get("user", "u"))
out += bytes(8) + bytes(number("spare"))
footer = len(out)
out += bytes.fromhex(given.get("footer", "00000000f007fee7"))
out += struct.pack(">290II", *counts, sum(counts) + number("total")) + bytes(4 * 291) + bytes(4)
sizes = len(out)
out += struct.pack(">I28I", 28, *[4] * 28)
if number("index", 1):
    out += struct.pack(">8Q", 0xffaadd44554d5049, sizes, 0, 0, header + number("header"), 8, footer, 0)
open(name, "wb").write(out[:number("cut", len(out))])
