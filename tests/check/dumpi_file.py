"""dumpi_file.py - makes DUMPI files and streams of calls, for the cases of trace-check.

write(NAME, WORDS) writes a file. records=CALL/MASK/START/STOP/ARGS,... are records with times in ns (START and STOP may
be S:NS), MASK and ARGS in hex; by default MPI_Init, MPI_Comm_size and MPI_Finalize. start=, host=, user=, version= are
of the header. count= is added to the first count of the footer, total= to its total. magic=, footer= are in hex. end=
is the end of the body in hex, spare= so many bytes before the footer, header= is added to the header's offset in the
index, index=0 leaves the index out, cut= is the number of bytes that are left."""
import struct

INIT, SIZE, FINALIZE = "124/0b/1/2/00000000", "81/0b/3/4/000200000001", "125/0b/5/6/"


def record(text):
    """Returns the bytes of a record, and its call."""
    call, mask, start, stop, args = text.split("/")
    mask = int(mask, 16)
    out = struct.pack(">HB", int(call), mask) + (b"\0\0" if mask & 0x40 else b"")
    for bit in 4, 8:
        for time in (start, stop) if mask & bit else ():
            seconds, ns = time.split(":") if ":" in time else (0, time)
            out += struct.pack(">HI", int(seconds), int(ns))
    return out + bytes.fromhex(args), int(call)


def write(name, words):
    given = dict(word.split("=", 1) for word in words)
    number = lambda key, default=0: int(given.get(key, default))
    string = lambda s: struct.pack(">H", len(s)) + s.encode("latin-1")
    body, counts = b"", [0] * 290
    for text in given.get("records", f"{INIT},{SIZE},{FINALIZE}").split(","):
        more, call = record(text)
        body += more
        if call < 290:
            counts[call] += 1
    counts[124] += number("count")
    out = bytes.fromhex(given.get("magic", "ffaadd44554d5049")) + bytes(8) + body + bytes.fromhex(given.get("end", "0125"))
    header = len(out)
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
    with open(name, "wb") as file:
        file.write(out[:number("cut", len(out))])


def write_calls(name, words):
    """Writes a stream of calls: `|` between ranks, `;` between calls NAME[@SIZE][~START/DURATION][^THREAD] ARGUMENTS.
    The calls of a time are one of each rank, in order of ranks."""
    ranks = [[call.split() for call in rank.split(";")] for rank in words.split("|")]
    lines = ["##spoor\t1", "##format\tdumpi", "##clock\ts", "##loc\trank/thread"]
    lines += [f"##meta\tdatatype.MPI_{kind}" for kind in ("INT=4", "FLOAT=4", "BYTE=1")]
    for i in range(max(map(len, ranks))):
        for rank, calls in enumerate(ranks):
            if i >= len(calls):
                continue
            name_of, *args = calls[i]
            name_of, _, thread = name_of.partition("^")
            name_of, _, time = name_of.partition("~")
            name_of, _, size = name_of.partition("@")
            begin, _, duration = (time or f"{i + 1}.0/0.5").partition("/")
            lines.append("\t".join([begin, f"{rank}/{thread}" if thread else str(rank),
                                    ("" if name_of.startswith("Function") else "MPI_") + name_of,
                                    "-", size or "-", duration, *args]))
    with open(name, "w", encoding="utf-8") as file:
        file.write("\n".join([*lines, "##end"]) + "\n")
