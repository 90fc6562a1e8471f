#!/usr/bin/env python3
"""columns_ways.py BIN N SEED: N random descriptions and inputs of columns_random.py: all ways to read lines say the same,
of the lines as they are and of the same again and again, when names are known."""
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
from columns_random import Case  # noqa: E402

FILTERS = ("*", "time >= 0s or time < 0s", "size > 0 and loc?")


def run(tool, layout, text, path, simd):
    got = subprocess.run([tool, "--tune", "simd=" + simd, "-t", "-O", "columns=" + layout, text, path],
                         capture_output=True)
    return got.returncode, got.stdout, got.stderr


def main(programs, n, first):
    size = 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "in")
        for seed in range(int(first), int(first) + int(n)):
            case = Case(seed)
            head, *body = case.input.split(b"\n")
            for times in (1, 8):
                with open(path, "wb") as f:
                    f.write(b"\n".join([head] + body * times))
                for text in FILTERS:
                    want = run(programs + "/trace-filter", case.l.text, text, path, "slow")
                    size += len(want[1])
                    for simd in ("", "plain"):
                        if run(programs + "/trace-filter", case.l.text, text, path, simd) != want:
                            sys.exit("seed %d, %s: %r differs from the slow way: %r" % (seed, text, simd, case.l.text))
    print("%s descriptions, %d bytes: the same in all ways" % (n, size))


if __name__ == "__main__":
    main(*sys.argv[1:])
