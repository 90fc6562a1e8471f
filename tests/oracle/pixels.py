"""pixels.py - timelines, flames and addresses as pixels: events whose places are known must have ink there, at any size.

Makes traces of evenly spaced events, has trace-plot draw them and rsvg-convert render them 400, 960 and 1,920
pixels wide, and reads the PNG. Ends with how many pictures there were. Run it in an empty folder.
"""
import math, os, re, struct, subprocess, zlib

def run(args, **how): return subprocess.run(args, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, **how).stdout

# Rows from..to of a PNG of 8 bits a channel, not interlaced, by number: lists of (red, green, blue).
def png(data, first, last):
    at, body = 8, b''
    while at < len(data):
        n, kind = struct.unpack('>I4s', data[at:at + 8])
        part = data[at + 8:at + 8 + n]
        if kind == b'IHDR': w, h, depth, colour, _, _, laced = struct.unpack('>IIBBBBB', part)
        if kind == b'IDAT': body += part
        at += n + 12
    assert depth == 8 and colour in (2, 6) and not laced
    each, raw, rows = (3 if colour == 2 else 4), zlib.decompress(body), {}
    line = bytearray(w * each)
    for y in range(min(h, last + 1)):
        form, now = raw[y * (w * each + 1)], bytearray(raw[y * (w * each + 1) + 1:(y + 1) * (w * each + 1)])
        if form == 2 and not any(now): now = line
        elif form: unfilter(form, now, line, each)
        line = now
        if y >= first: rows[y] = [tuple(now[i:i + 3]) for i in range(0, w * each, each)]
    return rows

def unfilter(form, now, up, each):
    for i in range(len(now)):
        a, b = (now[i - each] if i >= each else 0), up[i]
        if form == 1: p = a
        elif form == 2: p = b
        elif form == 3: p = (a + b) // 2
        else:
            c = up[i - each] if i >= each else 0
            pa, pb, pc = abs(b - c), abs(a - c), abs(a + b - 2 * c)
            p = a if pa <= pb and pa <= pc else b if pb <= pc else c
        now[i] = now[i] + p & 255

def render(svg, w, first, last): return png(run(['rsvg-convert', '-w', str(w), '-b', 'white'], input=svg), int(first), int(last) + 1)

# Boxes and lines are grey, what stands for events has a colour.
def tint(pixel): return max(pixel) - min(pixel)
def inked(pixel, least=24): return tint(pixel) >= least

def box_of(svg): return [float(v) for v in re.search(rb'<rect class="f" x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"', svg).groups()]

# The trace: n states or moments from `first` on, `period` apart; dur 0 has none.
def trace(n, period, first, dur):
    return ''.join('%.9f\tdisk\tread\t-\t-\t%s\n' % (first + i * period, '%.9f' % dur if dur else '-') for i in range(n)).encode()

def draw(data, *how): return run(['trace-plot', how[0], '--theme', 'light', *how[1:]], input=data)

def even(n, period, first, dur, size, shown, bars):
    what = (n, period, first, dur, size, shown)
    svg = draw(trace(n, period, first, dur), 'timeline', *(['--size', size] if size else []))
    of = float(re.search(rb'viewBox="0 0 (\d+)', svg)[1])
    k = shown / of
    left, top, wide, high = (v * k for v in box_of(svg))
    rows = render(svg, shown, top, top + high)
    assert wide > .6 * shown, what
    # The first and the last column reach over the ends of the box.
    from_x = int(left - 3 * k)
    ink = [max(tint(rows[y][x]) for y in range(int(top), int(top + high) + 1)) for x in range(from_x, int(left + wide + 3 * k) + 1)]
    # Half of a pixel is enough to see something, two bars are two if what is between them has less.
    most, ink = [v > max(ink) / 2 for v in ink], [v >= 24 for v in ink]
    step = wide * period / ((n - 1) * period + dur)
    for i in range(n):
        x = int(left + i * step) - from_x
        assert any(ink[max(x - 1, 0):x + 2]), (what, 'nothing of event', i)
    runs = re.findall('#+|-+', ''.join('-#'[i] for i in ink).strip('-'))
    gaps, marks = [len(r) for r in runs if r[0] == '-'], [len(r) for r in runs if r[0] == '#']
    assert max(gaps, default=0) <= math.ceil(step), (what, 'a gap of', max(gaps), step)
    got = len(re.findall('#+', ''.join('-#'[i] for i in most)))
    if bars: assert got == n, (what, got, 'bars')
    assert min(marks) >= math.floor(1.9 * k), (what, 'a bar of', min(marks))

# States with breaks between them: each height must be the share of some column over that place.
def shares(n, dur, period, shown):
    svg = draw(trace(n, period, 0, dur), 'timeline')
    k = shown / 960
    left, top, wide, high = (v * k for v in box_of(svg))
    rows = render(svg, shown, top, top + high)
    v, unit = re.search(rb'each column is ([\d.]+) (ms|s),', svg).groups()
    column, last = float(v) * {b'ms': .001, b's': 1}[unit], (n - 1) * period + dur
    def busy(t): return min(n, max(t, 0) // period) * dur + (min(dur, max(t, 0) % period) if t < n * period else 0)
    for x in range(math.ceil(left) + 1, int(left + wide) - 1):
        t = (x + .5 - left) / wide * last
        got = sum(inked(rows[y][x]) for y in range(int(top), int(top + high) + 1)) / high
        # The pixel may show the column beside that of its centre.
        near = [(s, min(s + column, last)) for s in (max(t - column + column * j / 40, 0) for j in range(-8, 49)) if s < last]
        near = [(busy(e) - busy(s)) / (e - s) for s, e in near]
        assert min(near) - 2 / high <= got <= max(near) + 2 / high, (n, dur, period, shown, x, got, min(near), max(near))

# n stacks, each with a narrow one within it; or so many within each that none is wide enough.
def narrow(n, width, shown):
    data = b''.join(b'%d.0\tl\tP%d\t-\t-\t1.0\n%d.0\tl\tc\t-\t-\t%.9f\n' % (i, i, i, width * n / 912) for i in range(n))
    k = shown / 960
    rows = render(draw(data, 'flame'), shown, 94 * k, 113 * k)
    for i in range(n):
        x = int((24 + i * 912 / n) * k)
        assert any(inked(p, 8) for y in range(int(94 * k), math.ceil(113 * k)) for p in rows[y][x - 1:x + 2]), (n, width, shown, i)

def crowded(n, shown):
    data = b''.join(b'%d.0\tl\tP%d\t-\t-\t%d.0\n' % (i * n, i, n) + b''.join(b'%d.0\tl\tc%d\t-\t-\t1.0\n' % (i * n + j, j) for j in range(n))
                    for i in range(n))
    k = shown / 960
    rows = render(draw(data, 'flame'), shown, 94 * k, 113 * k)
    for x in range(math.ceil(24 * k) + 1, int(936 * k) - 1):
        # A gap of half a pixel is between wide boxes.
        assert any(min(p) < 240 for p in rows[int(104 * k)][x - 1:x + 2]), (n, shown, x)

def terminal(n, period, dur):
    text = run(['trace-plot', 'timeline', '--terminal', '--width', '80'], input=trace(n, period, 0, dur), env={'LC_ALL': 'C', 'PATH': PATH}).decode()
    line = next(l for l in text.split('\n') if 'disk' in l and '+' in l)
    wide = len(re.search(r'\+(-+)', text)[1])
    line = line[line.index('+') + 1:][:wide].ljust(wide)
    for i in range(n):
        x = int(i * period / ((n - 1) * period + dur + 1e-9) * wide)
        assert line[max(x - 1, 0):x + 2].strip(), (n, period, dur, i, line)

# n requests, evenly spaced in time and in addresses, each a read and a write of the same bytes: both colours are seen
# where it is, and darker where there are more bytes, also in grey.
def addresses(n, disks, size, shown):
    data = b''.join(b'%d.0\td%d\t%s\t%d\t%d\t-\n' % (i, d, e, i << 12, 4096 if d == 1 else 64)
                    for i in range(n) for d in range(disks) for e in (b'R', b'W'))
    svg = draw(data, 'addr', *(['--size', size] if size else []))
    of, high = (float(v) for v in re.search(rb'viewBox="0 0 (\d+) (\d+)', svg).groups())
    k = shown / of
    left, top, wide, tall = (float(v) * k for v in re.search(rb'<svg x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"', svg).groups())
    left, wide = left + 2.4 * k, wide - 4.8 * k
    bands = sorted((float(y) * k, float(h) * k) for x, y, h in re.findall(rb'<rect class="f" x="([\d.]+)" y="([\d.]+)" width="[\d.]+" height="([\d.]+)"', svg)
                   if abs(float(x) * k - left) < .01)
    # Columns are as wide as a pixel or two, and reach over the ends.
    assert len(bands) == disks
    rows = render(svg, shown, top, top + tall + 1)
    grey = {}
    for d, (y0, h) in enumerate(bands):
        for i in range(n):
            # A column and a row reach over the place of the event, at most two of them.
            bytes = 4096 if d == 1 else 64
            x, y = left + wide * i / (n - 1), y0 + h * (1 - (i * 4096 + bytes / 2) / ((n - 1) * 4096 + bytes))
            near = [rows[v][u] for v in range(max(int(y - 12 * k), int(y0)), min(int(y + 12 * k) + 1, math.ceil(y0 + h))) for u in range(int(x - 6 * k), int(x + 6 * k) + 1)]
            assert any(p[2] > p[0] + 16 for p in near) and any(p[0] > p[2] + 16 for p in near), (n, disks, size, shown, d, i)
            grey.setdefault(d, []).append(min(.299 * p[0] + .587 * p[1] + .114 * p[2] for p in near if tint(p) > 30))
    if disks > 1: assert max(grey[1]) + 40 < min(v for d in grey if d != 1 for v in grey[d]), (n, disks, size, shown, max(grey[1]), [min(grey[d]) for d in grey])

PATH, pictures = os.environ['PATH'], 0
for n, period in (4, 1), (101, 10.001), (300, .7), (709, 3.3), (1000, .001):
    for first, dur in (0, 0), (period * .37, 0), (12345.678, 0), (0, period / 8), (period * .37, 1e-6 * period):
        for size, shown in (None, 400), (None, 960), (None, 1920), ('1920x400', 400), ('1920x400', 1920):
            if (size and n != 101) or (shown == 1920 and (dur or first > period)): continue
            # What lies further apart than two columns is as many bars.
            even(n, period, first, dur, size, shown, n == 4 or (n == 101 and not dur and (shown >= 960 or not size)))
            pictures += 1
    for dur in 0, period / 8, 1e-6 * period: terminal(n, period, dur)
for shown in 400, 960, 1920:
    for how in (101, 1, 1.07), (300, .1, 1): shares(*how, shown)
    for how in (4, .6), (100, .7), (300, .9): narrow(*how, shown)
    if shown != 1920: crowded(60, shown)
    pictures += 5 + (shown != 1920)
for size, shown in (None, 400), (None, 960), (None, 1920), ('1920x800', 960), ('400x300', 400):
    for how in (2, 1), (40, 1), (24, 4): addresses(*how, size, shown)
    pictures += 3
print(pictures, 'pictures have ink where it should be')
