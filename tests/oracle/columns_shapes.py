#!/usr/bin/env python3
"""columns_shapes.py BIN N SEED: N random shapes of lines and lines for them, read by trace-filter -O columns=, and by a
matcher that tries every place for every column of anything, as columns-layout(5) tells it. Prints what differs."""
import random
import subprocess
import sys

TEXTS = [" ", ": ", "[", "] ", " = ", "<", ">", "(", ")", "::", "a", " - ", ", ", "=", " b "]
PIECES = ["x", "a", "ab", "7", "1.5", "", "::", ":", " ", "  ", "\t", "=", "(", ")", "<", "[", "]", "b", "-", "q q", "12"]


def behind(text, line, at):
    """The place behind the text, which stands at `at`; None: it does not."""
    for c in text:
        if c == " ":
            if 0 < at < len(line) and line[at] not in " \t":
                return None
            while at < len(line) and line[at] in " \t":
                at += 1
        elif at < len(line) and line[at] == c:
            at += 1
        else:
            return None
    return at


def match(columns, texts, line, at, i):
    """The columns from i on, of which the first begins at `at`; None: they do not fit."""
    if i == len(columns):
        return [] if at == len(line) else None
    kind, last = columns[i], i + 1 == len(columns) and not texts[i + 1]
    for stop in range(at, len(line) + 1):
        column = line[at:stop]
        if kind != "-" and any(c in " \t" for c in column) or kind == "#" and any(c not in "0123456789." for c in column):
            return None
        if kind != "-" and not column:
            continue
        after = (stop if stop == len(line) else None) if last else behind(texts[i + 1], line, stop)
        if after is None:
            continue
        rest = match(columns, texts, line, after, i + 1)
        if rest is not None:
            return [column.strip(" \t")] + rest
        if kind != "-":  # a word ends where the text behind it first stands
            return None
    return None


def reading(shapes, line):
    line = line.strip(" \t")
    for n, (columns, texts) in enumerate(shapes):
        at = behind(texts[0], line, 0)
        got = None if at is None or not line else match(columns, texts, line, at, 0)
        if got is not None:
            return n, got
    return None


def escaped(text):
    special = {"": '""', "-": "\\x2d", '""': "\\x22\""}
    return special.get(text, "".join(c if "!" <= c <= "~" and c != "\\" else f"\\x{ord(c):02x}" for c in text))


def case(rng):
    shapes = []
    for _ in range(rng.randrange(1, 4)):
        n = rng.randrange(1, 5)
        texts = [rng.choice(["", "", "a", "[", "# "])] + [rng.choice(TEXTS) for _ in range(n - 1)] + [rng.choice(["", "", ">", " z", "] ::"])]
        shapes.append(([rng.choice(["", "", "#", "-"]) for _ in range(n)], texts))
    lines = []
    for _ in range(60):
        columns, texts = rng.choice(shapes)
        line = texts[0]
        for kind, text in zip(columns, texts[1:]):
            some = {"#": ["7", "1.5", "12"], "": ["x", "ab", "a:b", "7", "=", "x]y"], "-": PIECES}[kind]
            line += "".join(rng.choice(some) for _ in range(rng.randrange(1, 3))) + text
        for _ in range(rng.choice([0, 0, 0, 1, 2])):
            at = rng.randrange(len(line) + 1)
            line = line[:at] + rng.choice(PIECES) + line[at + rng.randrange(2):]
        lines.append(line)
    return shapes, lines


def main():
    bin_dir, n, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    fits = 0
    for i in range(seed, seed + n):
        shapes, lines = case(random.Random(f"shapes {i}"))
        words, most = [], max(len(c) for c, _ in shapes)
        for columns, texts in shapes:
            words.append("line={" + texts[0] + "".join(f"${{c{k}}}{kind}{text}" for k, (kind, text) in enumerate(zip(columns, texts[1:]))) + "}")
        layout = " ".join(words + ["time=line event=e"] + [f"a{k}=$c{k}?" for k in range(most)])
        want, bad = [], []
        for at, line in enumerate(lines, 1):
            got = reading(shapes, line)
            if got is None:
                bad += [at] if line.strip(" \t") else []
                continue
            fits += 1
            args = [f"a{k}={escaped(v)}" for k, v in enumerate(got[1]) if v not in ("", "-")]
            want.append("\t".join([f"{at}.000000000", "-", "e", "-", "-", "-"] + args))
        run = subprocess.run([f"{bin_dir}/trace-filter", "-O", f"columns={layout}", "event?"], input="\n".join(lines + [""]),
                             capture_output=True, text=True, check=False)
        if run.stdout.split("\n")[:-1] != want or run.returncode != (2 if bad else 0):
            print(f"seed {i}: {layout}")
            for a, b in zip(run.stdout.split("\n"), want + ["-"] * 99):
                if a != b:
                    print(f"got  {a}\nwant {b}\nline {lines[int(b.split('.')[0]) - 1] if b != '-' else ''!r}")
                    break
            print(run.stderr[:300])
            sys.exit(1)
    print(f"{n} layouts, {fits} lines fit: the same columns")


main()
