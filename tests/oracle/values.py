"""values.py - the values of expressions, and exact arithmetic on them.

A value is None (absent), an int (whole number), a float (real), a Fraction (decimal, never whole),
bytes (text), or a Time, which counts ns, or ticks in a clock of ticks.
"""
import math
import re
from fractions import Fraction

LOW, HIGH, INSIDE = -2**63, 2**64 - 1, 2**127
NS = 10**9


class Time:
    """So many ns or ticks."""

    __slots__ = ("n",)

    def __init__(self, n):
        self.n = n


def fits(v):
    """A complete sum: what is outside of 64 bits is absent."""
    n = v.n if isinstance(v, Time) else v
    if isinstance(n, int) and not LOW <= n <= HIGH:
        return None
    return v


def inside(v):
    """Within a sum."""
    n = v.n if isinstance(v, Time) else v
    if isinstance(n, int) and abs(n) >= INSIDE:
        return None
    if isinstance(n, float) and not math.isfinite(n):
        return None
    return v


def exact(f):
    """A Fraction, or the int that it is."""
    return f.numerator if f.denominator == 1 else f


WHOLE = re.compile(rb"-?[0-9]+\Z")
HEX = re.compile(rb"-?0[xX][0-9a-fA-F]+\Z")
DECIMAL = re.compile(rb"-?([0-9]+)\.[0-9]{1,9}\Z")
REAL = re.compile(rb"-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?\Z")


def compared(t):
    """The same in a comparison: whole numbers are exact below 2^127."""
    if WHOLE.match(t) and abs(int(t)) < INSIDE:
        return int(t)
    x = of_text(t)
    if not isinstance(x, float) or b"e" not in t.lower() or not 1e-10 < abs(x) < 1e30:
        return x
    f = Fraction(t.decode())
    return exact(f) if (f * NS).denominator == 1 and abs(f) < 2**64 else x


def of_text(t):
    """The value of the text of an argument or a part of a place, and where a number is needed of a result of part, base, sub."""
    if WHOLE.match(t) and LOW <= int(t) <= HIGH:
        return int(t)
    if HEX.match(t) and abs(int(t, 16)) <= HIGH:
        return int(t, 16) if fits(int(t, 16)) is not None else float(int(t, 16))
    m = DECIMAL.match(t)
    if m and int(m[1]) <= HIGH:
        v = exact(Fraction(t.decode()))
        if not isinstance(v, int) or fits(v) is not None:
            return v
    if REAL.match(t):
        r = float(t)
        if math.isfinite(r):
            return r
    return t


def nearest(f):
    """The nearest whole number, halves away from 0."""
    f = Fraction(f)
    q = (2 * abs(f.numerator) + f.denominator) // (2 * f.denominator)
    return q if f >= 0 else -q


# Texts.

ESCAPE = re.compile(rb"\\x([0-9a-fA-F]{2})")


def unescape(b):
    return ESCAPE.sub(lambda m: bytes([int(m[1], 16)]), b)


def escape(b):
    return re.sub(rb"[\x00-\x20\x7f\\]", lambda m: b"\\x%02x" % m[0][0], b)


def string(raw):
    """The text of a value as the stream writes it."""
    return b"" if raw == b'""' else unescape(raw)


def write_string(b):
    """A text as the stream writes it."""
    return {b"": b'""', b"-": b"\\x2d", b'""': b'\\x22"'}.get(b) or escape(b)


def write_real(r):
    """The fewest digits that read back, as %.Pg; up to 15 without an exponent. A zero has no sign."""
    r = r or 0.0
    for p in range(1, 18):
        if float("%.*g" % (p, r)) == r:
            break
    x = int(("%.*e" % (p - 1, r)).split("e")[1])
    if 0 <= x <= 15:
        p = max(p, x + 1)
    return ("%.*g" % (p, r)).encode()


def write_decimal(f):
    n = abs(f) * NS
    assert n.denominator == 1
    s = "%d.%09d" % divmod(n.numerator, NS)
    return (("-" if f < 0 else "") + s.rstrip("0").rstrip(".")).encode()


def write_time(n, ticks):
    if ticks:
        return b"%d" % n
    return (b"-" if n < 0 else b"") + b"%d.%09d" % divmod(abs(n), NS)


def text_of(v, ticks):
    """The text of a value that is present: a text itself, and all others as they are written."""
    if isinstance(v, bytes):
        return v
    if isinstance(v, Time):
        return write_time(v.n, ticks)
    if isinstance(v, int):
        return b"%d" % v
    return write_real(v) if isinstance(v, float) else write_decimal(v)


def write(v, ticks):
    if v is None:
        return b"-"
    return write_string(v) if isinstance(v, bytes) else text_of(v, ticks)


# Arithmetic. Operands are present and no texts.

def as_time(v, ticks):
    """A plain number beside a time: so many seconds, or ticks, to the nearest. None for a text."""
    if isinstance(v, Time):
        return v
    if v is None or isinstance(v, bytes):
        return None
    return inside(Time(nearest(Fraction(v) * (1 if ticks else NS))))


def counted(v, ticks):
    """As a time stands in arithmetic: a plain number that is a part of a tick, or a real one of a nanosecond, stays."""
    if isinstance(v, Time) or v is None or isinstance(v, bytes):
        return as_time(v, ticks)
    if (Fraction(v) * (1 if ticks else NS)).denominator == 1:
        return as_time(v, ticks)
    return v


def beside(op, a, b, ticks):
    """A time and a plain number that counts as one, by + - // %."""
    a, b = counted(a, ticks), counted(b, ticks)
    if a is None or b is None:
        return None
    if isinstance(a, Time) and isinstance(b, Time):
        return both_times(op, a.n, b.n)
    if not ticks and op in ("+", "-"):
        a, b = as_time(a, ticks), as_time(b, ticks)
        return None if a is None or b is None else both_times(op, a.n, b.n)
    if isinstance(a, float) or isinstance(b, float):
        scale = 1 if ticks else NS
        x, y = (float(z.n) if isinstance(z, Time) else float(z) * scale for z in (a, b))
        r = number(op, x, y)
        if r is None or not math.isfinite(r):
            return None
        if op == "//":
            return inside(int(r))
        return r if ticks else Time(nearest(Fraction(r)))
    x, y = (Fraction(z.n if isinstance(z, Time) else z) for z in (a, b))
    if op in ("%", "//") and y == 0:
        return None
    if op == "//":
        return inside(x // y)
    r = x + y if op == "+" else x - y if op == "-" else x - y * (x // y)
    return Time(r.numerator) if r.denominator == 1 else r


def floor_div(a, b):
    """Of two ints or two floats."""
    if b == 0:
        return None
    if isinstance(a, int):
        return a // b
    q = a / b
    if not math.isfinite(q):
        return None
    return q if q == 0 or abs(q) >= 2.0**53 else float(math.floor(q))


def modulo(a, b):
    if b == 0:
        return None
    if isinstance(a, int):
        return a % b
    q = floor_div(a, b)
    return None if q is None else a - b * q


def number(op, a, b):
    """Of two numbers without units of time."""
    if op == "/":
        return None if b == 0 else to_real(a) / to_real(b)
    if not (isinstance(a, int) and isinstance(b, int)):
        a, b = to_real(a), to_real(b)
    if op == "+":
        return a + b
    if op == "-":
        return a - b
    if op == "*":
        return a * b
    return floor_div(a, b) if op == "//" else modulo(a, b)


def to_real(v):
    return float(v)


def round_away(r):
    """round() of C."""
    return nearest(Fraction(r)) if math.isfinite(r) else None


def time_scaled(op, t, v):
    """A time times, through or floored by a number."""
    if op == "*":
        n = round_away(to_real(t) * v) if isinstance(v, float) else nearest(t * Fraction(v))
    elif v == 0:
        return None
    elif op == "/":
        n = round_away(to_real(t) / v) if isinstance(v, float) else nearest(t / Fraction(v))
    elif isinstance(v, int):
        n = t // v
    else:
        n = floor_div(to_real(t), to_real(v))
        n = None if n is None else int(n)
    return None if n is None else Time(n)


def over_time(op, v, t, ticks):
    """A number through a time: so many a second, or a tick."""
    if t == 0:
        return None
    scale = 1 if ticks else NS
    if isinstance(v, float):
        q = v * to_real(scale) / to_real(t)
    elif op == "//" and isinstance(v, int):
        return v * scale // t
    else:
        q = to_real(v * scale) / to_real(t)
    if op == "/":
        return q
    return floor_div(q, 1.0) if math.isfinite(q) else None


def both_times(op, a, b):
    if op == "+":
        return Time(a + b)
    if op == "-":
        return Time(a - b)
    if b == 0:
        return None
    if op == "/":
        return to_real(a) / to_real(b)
    return a // b if op == "//" else Time(a % b)


def bits(v):
    """Two's complement of 64 bits."""
    return v % 2**64


def mix(z):
    """The finisher of splitmix64."""
    z ^= z >> 30
    z = z * 0xbf58476d1ce4e5b9 % 2**64
    z ^= z >> 27
    z = z * 0x94d049bb133111eb % 2**64
    return z ^ z >> 31


def hash_of(v, ticks):
    if isinstance(v, Time):
        return mix(bits(v.n))
    t = text_of(v, ticks)
    w = of_text(t) if WHOLE.match(t) or HEX.match(t) else t
    if isinstance(w, int):
        return mix(bits(w))
    h = 0xcbf29ce484222325
    for c in t:
        h = (h ^ c) * 0x100000001b3 % 2**64
    return mix(h)


def compare(a, b):
    """-1, 0, 1 of two numbers, exactly, or of two texts; None of a number and a text."""
    if isinstance(a, bytes) != isinstance(b, bytes):
        return None
    if not isinstance(a, bytes):
        a, b = Fraction(a), Fraction(b)
    return (a > b) - (a < b)


def holds(op, c):
    """Of a result of compare."""
    if c is None:
        return op == "!="
    return {"=": c == 0, "!=": c != 0, "<": c < 0, "<=": c <= 0, ">": c > 0, ">=": c >= 0}[op]


def glob(pattern, t):
    """fnmatch: * ? [abc]; a backslash is itself."""
    out, i = b"", 0
    while i < len(pattern):
        c = pattern[i:i + 1]
        end = pattern.find(b"]", i + 2) if c == b"[" else -1
        if c == b"*":
            out += b".*"
        elif c == b"?":
            out += b"."
        elif end > 0:
            inner = pattern[i + 1:end].replace(b"\\", b"\\\\")
            out += b"[" + (b"^" + inner[1:] if inner[:1] in (b"!", b"^") else inner) + b"]"
            i = end
        else:
            out += re.escape(c)
        i += 1
    return re.fullmatch(out, t, re.S) is not None


def ere(pattern):
    """A POSIX expression, as far as the tests go: Python's means the same but for $."""
    return re.compile(pattern.replace(b"$", b"\\Z"), re.S)
