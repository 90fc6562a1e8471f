#!/usr/bin/env python3
# rate_svg.py SVG [PANEL] - the lines of a picture of rate as numbers: for each path NAME KIND RATE X..., where KIND is
# line or band; heights become rates per second by the marks of the y axis. A linear axis, or with `log` before SVG a logarithmic one.
import math, re, sys

log = sys.argv[1] == 'log'
args = sys.argv[2:] if log else sys.argv[1:]
svg = open(args[0], encoding='utf-8').read()
panel = int(args[1]) if len(args) > 1 else 0
units = {'': 1, 'k': 1e3, 'M': 1e6, 'G': 1e9, 'B': 1, 'KiB': 2 ** 10, 'MiB': 2 ** 20, 'GiB': 2 ** 30}

def rate(text):
    m = re.fullmatch(r'([0-9.,]+) ?([a-zA-Z]*)/(s|min|h|day)', text)
    return float(m[1].replace(',', '')) * units[m[2]] / {'s': 1, 'min': 60, 'h': 3600, 'day': 86400}[m[3]] if m else None

# Panels follow each other: the marks of one, its paths, its legend.
parts = re.split(r'(?=<path class="g")', svg)
groups, marks = [], []
for part in parts[1:]:
    if re.search('<text[^>]*>', part)[0].find('class="e t n"') > 0:
        # The number of an end is not round, so it is no mark to measure by.
        marks[-1] = (*marks[-1][:2], marks[-1][2] + part)
        continue
    y = float(re.match(r'<path class="g" d="M[0-9.]+ ([0-9.]+)L', part)[1])
    v = rate(re.search(r'text-anchor="end">([^<]*)<', part)[1])
    if marks and y > marks[-1][0]:
        groups.append(marks)
        marks = []
    marks.append((y, v, part))
groups.append(marks)
marks = groups[panel]
(y0, v0, _), (y1, v1, _) = marks[0], marks[-1]
of = math.log if log else lambda v: v
back = math.exp if log else lambda v: v

def value(y):
    return back(of(v0) + (y - y0) / (y1 - y0) * (of(v1) - of(v0)))

# The marks themselves stand where their numbers belong.
for y, v, _ in marks:
    assert abs(value(y) - v) <= max(abs(v), 1e-9) * .02, (y, v, value(y))
for kind, n, d in re.findall(r'<path class="(w l|c)([0-9]) ?q?" d="([^"]*)"', ''.join(m[2] for m in marks)):
    points, x, y = [], None, None
    for c, a, b in re.findall(r'([MHVz])([0-9.]*) ?([0-9.]*)', d):
        if c == 'M': x, y = float(a), float(b)
        elif c == 'H': points.append((round(value(y), 6), x, float(a))); x = float(a)
        elif c == 'V': y = float(a)
    print(n, 'line' if kind == 'w l' else 'band', *('%.6g:%.2f:%.2f' % p for p in points))
