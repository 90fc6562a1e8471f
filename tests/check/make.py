#!/usr/bin/env python3
"""make.py ovni|dumpi: makes the inputs of trace-check's cases. Reads pairs of a folder and words, each ended by a NUL;
the folder then has the input t, or t-* and perhaps t.meta."""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import dumpi_file  # noqa: E402
import ovni_trace  # noqa: E402


def dumpi(folder, words):
    kind, _, rest = words.partition(":")
    if kind == "file":
        dumpi_file.write(folder + "/t", rest.split())
    elif kind == "files":
        for name, *more in map(str.split, rest.split(";")):
            if name.endswith(".meta"):
                with open(f"{folder}/{name}", "w", encoding="utf-8") as file:
                    file.write("".join(word + "\n" for word in more))
            else:
                dumpi_file.write(f"{folder}/{name}", more)
    else:
        dumpi_file.write_calls(folder + "/t", words)


def ovni(folder, words):
    ovni_trace.write(folder + "/t", words)


fields = sys.stdin.read().split("\0")
for folder, words in zip(fields[::2], fields[1::2]):
    os.makedirs(folder)
    {"dumpi": dumpi, "ovni": ovni}[sys.argv[1]](folder, words)
