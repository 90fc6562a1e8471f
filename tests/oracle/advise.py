#!/usr/bin/env python3
"""advise.py BIN: reads the output of `trace-advise -J` on standard input, runs the command of each finding by sh, and makes
the message and the value again from the table that the command prints. Prints the rules that were found, in order."""
import json
import math
import re
import subprocess
import sys

sys.path.insert(0, ".")
BIN = sys.argv[1]


def run(command):
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, env={"PATH": BIN + ":/usr/bin:/bin"})
    return done.stdout


def explained(rule):
    lines = run("trace-advise --explain " + rule).splitlines()
    words = lines[0].split(": ", 1)[1]
    facts = dict(line.split("\t", 1) for line in lines[1:] if "\t" in line)
    return words, facts


def number(text):
    try:
        return float(text)
    except ValueError:
        return math.nan


def shown(text, percent):
    v = number(text)
    if percent:
        v *= 100
        return ("%.4g %%" if 99.5 <= v < 100 else "%.0f %%" if v >= 9.95 else "%.2g %%") % v
    if math.isnan(v) or not re.search("[.e]", text):
        return text
    return ("%.0f" if abs(v) >= 999.5 else "%.3g") % v


def groups(table):
    """The two groups of a histogram, by trying each place between bars and each bar as the valley."""
    bars = [(float(low), int(count)) for low, count in table]
    total = sum(count for _, count in bars)
    best = (0.0, 0.0, 0.0)
    for at in range(1, len(bars)):
        for valley in (False, True):
            left = bars[: at - valley]
            right = bars[at:]
            if not left or (not valley and bars[at][0] < 3 * bars[at - 1][0]):
                continue
            low = bars[at - 1][1] if valley else 0
            peaks = [max(side, key=lambda bar: bar[1]) for side in (left, right)]
            if low * 4 > min(peak[1] for peak in peaks):
                continue
            share = min(sum(bar[1] for bar in side) for side in (left, right)) / total
            if share > best[0]:
                best = (share, peaks[0][0], peaks[1][0])
    return {"share": "%.9g" % best[0], "first": "%.9g" % best[1], "second": "%.9g" % best[2], "n": str(total)}


def rows(rule, command):
    lines = run(command).splitlines()
    names = lines[0].lstrip("#").split("\t")
    table = [line.split("\t") for line in lines[1:]]
    if rule == "io-groups":
        return [groups(table)]
    return [dict(zip(names, cells)) for cells in table]


for line in sys.stdin:
    finding = json.loads(line)
    words, facts = explained(finding["rule"])
    column, side, threshold = facts["found if"].split(" ")
    good = False
    for row in rows(finding["rule"], finding["command"]):
        row["1"] = finding.get("size", facts.get("size", ""))
        message = re.sub(r"\{(\w+)(%?)\}", lambda m: shown(row.get(m[1], "?"), m[2] == "%"), words)
        if message == finding["message"] and math.isclose(number(row[column]), finding["value"], rel_tol=1e-8):
            good = True
    far = finding["value"] - finding["threshold"]
    if not good or not (far > 0 if side == ">" else far < 0):
        sys.exit("wrong: %s\n%s" % (finding, rows(finding["rule"], finding["command"])[:3]))
    print(finding["rule"])
