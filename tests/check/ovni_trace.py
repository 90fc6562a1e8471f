"""ovni_trace.py - makes ovni traces, for the cases of trace-check: ovni.sh says what the words mean."""
import json
import os
import re
import struct

REQUIRE = {"ovni": "1.1.0", "nosv": "2.7.0", "mpi": "1.0.0", "nanos6": "1.1.0", "kernel": "1.0.0", "openmp": "1.2.0",
           "tampi": "1.0.0"}


def metadata(n):
    """Returns the text of thread n's metadata, without blanks: the cases replace parts of it."""
    ovni = {"lib": {"version": "1.14.0", "commit": "x"}, "part": "thread", "tid": n, "pid": 1, "loom": "n.1", "app_id": 1,
            "require": REQUIRE, "loom_cpus": [{"index": 0, "phyid": 0}, {"index": 1, "phyid": 1}], "finished": 1}
    return json.dumps({"version": 3, "ovni": ovni}, separators=(",", ":"))


def event(word, n, clock):
    """Returns the bytes of an event of thread n, 10 ns after the clock or at its own, and its clock."""
    head, _, args = word.partition(":")
    head, _, at = head.partition("@")
    args, _, later = args.partition("@")
    clock = int(at or later or clock + 10)
    if head == "OHx" and not args:
        args = f"{n - 1},-1,q0"
    elif re.match(r".[YO]c$", head) and args[:1].isdigit():
        args = f"J,{args},x6100"
    jumbo, data = False, b""
    for arg in filter(None, args.split(",")):
        if arg == "J":
            jumbo = True
        elif arg[0] == "x":
            data += bytes.fromhex(arg[1:])
        elif arg[0] == "q":
            data += struct.pack("<Q", int(arg[1:]))
        else:
            data += struct.pack("<I", int(arg) & 0xffffffff)
    flags = 0x13 if jumbo else len(data) - 1 if data else 0
    if jumbo:
        data = struct.pack("<I", len(data)) + data
    return struct.pack("<B3sQ", flags, head.encode(), clock) + data, clock


def substituted(text, command):
    """Returns a text after a command s/OLD/NEW/ of sed."""
    old, new = command[2:-1].split("/")
    return re.sub(old.replace("{", r"\{"), lambda m: new.replace("&", m[0]), text, count=1)


def write(name, words):
    for n, thread in enumerate(words.split("|"), 1):
        out, clock, text, folder = b"ovni\1\0\0\0", 100, metadata(n), f"loom.n.1/proc.1/thread.{n}"
        for word in thread.split():
            if word.startswith("s/"):
                text = substituted(text, word)
            elif word.startswith("dir="):
                folder = word[4:]
            elif word == "none":
                text = ""
            elif word == "cut":
                out = out[:-1]
            elif word[0] == "x":
                out = bytes.fromhex(word[1:])
            elif word[0] == "+":
                os.makedirs(name, exist_ok=True)
                with open(name + "/clock-offsets.txt", "w", encoding="utf-8") as file:
                    file.write(word[1:].replace("_", " ").replace("\\n", "\n"))
            else:
                more, clock = event(word, n, clock)
                out += more
        os.makedirs(f"{name}/{folder}", exist_ok=True)
        with open(f"{name}/{folder}/stream.obs", "wb") as file:
            file.write(out)
        if text:
            with open(f"{name}/{folder}/stream.json", "w", encoding="utf-8") as file:
                file.write(text + "\n")
