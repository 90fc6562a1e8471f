#!/usr/bin/env python3
"""colours.py LEAST FILE...: whether the colours of names in pictures, SVG or HTML, are told apart.

Read from the style of each: every .cN of it, the grey of others too, and the grounds of page and lane.
Any two differ by more than LEAST of CIEDE2000 (Sharma, Wu and Dalal 2005), as they are and as
Machado, Oliveira and Fernandes 2009 show them to people without one kind of cones (severity 1.0,
of linear RGB). Prints the least of each.
"""
import math
import re
import sys

EYES = {
    'all': ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    'protan': ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    'deutan': ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    'tritan': ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
TO_XYZ = ((0.4124564, 0.3575761, 0.1804375), (0.2126729, 0.7151522, 0.0721750), (0.0193339, 0.1191920, 0.9503041))
WHITE = 0.95047, 1.0, 1.08883


def times(m, v):
    return [sum(a * b for a, b in zip(row, v)) for row in m]


def lab(colour, eyes):
    parts = [int(colour[i:i + 2], 16) / 255 for i in (0, 2, 4)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    seen = [min(1.0, max(0.0, p)) for p in times(eyes, linear)]
    x, y, z = (t ** (1 / 3) if t > 216 / 24389 else (24389 / 27 * t + 16) / 116
               for t in (a / w for a, w in zip(times(TO_XYZ, seen), WHITE)))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def ciede2000(p, q):
    (l1, a1, b1), (l2, a2, b2) = p, q
    c7 = ((math.hypot(a1, b1) + math.hypot(a2, b2)) / 2) ** 7
    g = (1 - math.sqrt(c7 / (c7 + 25 ** 7))) / 2
    a1, a2 = a1 * (1 + g), a2 * (1 + g)
    c1, c2 = math.hypot(a1, b1), math.hypot(a2, b2)
    h1, h2 = (math.degrees(math.atan2(b, a)) % 360 for a, b in ((a1, b1), (a2, b2)))
    dh, h = 0, h1 + h2
    if c1 * c2:
        dh = (h2 - h1 + 180) % 360 - 180
        h = h / 2 if abs(h1 - h2) <= 180 else (h + 360) / 2 if h < 360 else (h - 360) / 2
    dh = 2 * math.sqrt(c1 * c2) * math.sin(math.radians(dh) / 2)
    l, c = (l1 + l2) / 2, (c1 + c2) / 2
    cos = lambda d: math.cos(math.radians(d))
    t = 1 - .17 * cos(h - 30) + .24 * cos(2 * h) + .32 * cos(3 * h + 6) - .2 * cos(4 * h - 63)
    r = -math.sin(math.radians(60 * math.exp(-((h - 275) / 25) ** 2))) * 2 * math.sqrt(c ** 7 / (c ** 7 + 25 ** 7))
    x = (l2 - l1) / (1 + .015 * (l - 50) ** 2 / math.sqrt(20 + (l - 50) ** 2))
    y, z = (c2 - c1) / (1 + .045 * c), dh / (1 + .015 * c * t)
    return math.sqrt(x * x + y * y + z * z + r * y * z)


# Of the pairs that the authors publish for tests of it.
for p, q, want in (((50, 2.6772, -79.7751), (50, 0, -82.7485), 2.0425), ((50, -1, 2), (50, 0, 0), 2.3669),
                   ((50, 2.49, -0.001), (50, -2.49, 0.0011), 7.2195), ((50, 2.5, 0), (73, 25, -18), 27.1492),
                   ((63.0109, -31.0961, -5.8663), (62.8187, -29.7946, -4.0864), 1.2630),
                   ((90.8027, -2.0831, 1.4410), (91.1528, -1.6435, 0.0447), 1.4441),
                   ((2.0776, 0.0795, -1.1350), (0.9033, -0.0636, -0.5514), 0.9082)):
    assert abs(ciede2000(p, q) - want) < 0.0001, (p, q, ciede2000(p, q), want)

least, bad = float(sys.argv[1]), False
for name in sys.argv[2:]:
    text = ''.join(re.findall(r'<style>(.*?)</style>', open(name).read(), re.S))
    # What is not said for the dark is as in the light.
    asked = r'@media\(prefers-color-scheme:dark\)\{((?:[^{}]*\{[^{}]*\})*)\s*\}'
    light, dark = re.sub(asked, '', text), ''.join(re.findall(asked, text))
    style = {}
    for theme, part in ('light', light), ('dark', dark):
        rules = re.findall(r'\.([cl]\d+)\{(?:fill|stroke):#([0-9a-f]{6})\}', part)
        rules += [('page', c) for c in re.findall(r'\.bg\{fill:#([0-9a-f]{3,6})', part)]
        rules += [('lane', c) for c in re.findall(r'\.f\{fill:#([0-9a-f]{6})', part)]
        style.update((k, c if len(c) == 6 else ''.join(d * 2 for d in c)) for k, c in rules)
        assert all(style['c%d' % i] == style['l%d' % i] for i in range(9)), 'lines have the colours of areas'
        names = ['c%d' % i for i in range(9)]
        for eyes, m in EYES.items():
            at = {k: lab(style[k], m) for k in names + ['page', 'lane']}
            d, a, b = min((ciede2000(at[a], at[b]), a, b) for a in names for b in at if a < b)
            print('%s, %s: %s: %.2f between %s #%s and %s #%s' % (name, theme, eyes, d, a, style[a], b, style[b]))
            bad |= d <= least
sys.exit(bad)
