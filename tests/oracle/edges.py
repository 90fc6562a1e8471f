"""edges.py - streams of numbers at their edges, and every operation on them."""
import random

FIXED = [0, 1, -1, 2, 3, 7, -7, 10, 2**31, 2**32, 2**53, 2**53 + 1, 2**53 - 1, -2**53 - 1, 2**62, 2**63 - 1, 2**63,
         2**63 + 1, 2**64 - 1, 2**64 - 2, -2**63, -2**63 + 1, 10**18, 10**19, 1844674407370955161]
PARTS = [0, 1, 5, 10**9, 2**53, 2**63 - 1, 2**63, 2**64 - 1, 18446744073]
PLACES = ["5", "25", "1", "000000001", "999999999", "123456789", "3"]
REALS = ["1e-7", "1e15", "1e16", "1e18", "9.223372036854775e18", "9223372036854775807.5555555555", "1.8e19", "1.9e19",
         "1e30", "1e308", "-1e308", "4.9e-324", "0.30000000000000004", "0.1000000000000", "1.0000000000001", "-2.5e-1",
         "1e0", "9007199254740993.0000000000", "1e-9", "-1e19", "18446744073709551616", "1.7e38", "1.8e38"]
TEXTS = ["abc", "", "1,2", "5x"]
TIMES = ["0.000000000", "0.000000001", "-0.000000001", "1.000000000", "0.333333333", "-1.500000000",
         "9223372036.854775807", "-9223372036.854775808", "3600.000000000", "0.000000003"]

ARITHMETIC = ["+", "-", "*", "/", "//", "%"]
RELATIONS = ["=", "!=", "<", "<=", ">", ">="]


def operations():
    out = ["%s %s %s" % (x, op, y) for x, y in (("a", "b"), ("time", "b"), ("a", "dur"), ("size", "b"), ("addr", "size"))
           for op in ARITHMETIC]
    out += ["time %s dur" % op for op in "+ - / // %".split()]
    out += ["size %s dur" % op for op in "* / //".split()] + ["dur %s size" % op for op in "* / //".split()]
    out += ["((%s) %s %s)" % (x, op, y) for x, y in (("a", "b"), ("time", "b"), ("a", "dur")) for op in RELATIONS]
    out += ["(addr %s b)" % op for op in RELATIONS] + ["((a) & b)", "(addr & (b))", "((a) = \"5\")"]
    out += """min(a, b); max(a, b); min(a, b, size); max(time, a); min(b, dur); abs(a); abs(dur); floor(a); floor(a, b)
        floor(time, b); floor(time, dur); floor(addr, size); floor(b, 10); floor(b, 0.1); bit(a, b); bit(size, b); log2(a)
        hash(a); hash(time); if((a) < b, a, b); if((a) < b, time, b); coalesce(a, b); coalesce(dur, a); len(a)
        part(a, ".", 2); sub(a, "0+$", ""); lower(a); base(b); prev.a; prev.b; prev.time; total(a); total(b); total(time)
        total(dur); prev.a + b; time - prev.time; a + b - b; a * b // b; (a + b) * 2 - b; a * a * b; a // b * b + a % b
        a * 3 // 7 % 5; a % 8; a // 8; a // 4096 % 16; a // 3; a % 10; a // -3; a % -8; a * 0.5; a / 8; time % 1s
        time // 1ms; (time // 1) * 2; time % 0.25; time * 0.5; time / 3; a // 1e3; a % 1e3; a + 1e3; a * 1e3; a - 1e300
        b * 1.5; b // 1.5; b % 1.5; b % 0.000000001; addr // 8; addr % 8; addr * 8; addr // 512 % 8; 0 - addr; addr - size
        size * size; size * size // size; size + size; size % 512; addr + size * 512; time + dur; end; end - time; end + a
        time * 9223372036854775807; nth * a; nth // 3; (nth % 2) * a; hash(a) % 100; ((a) in {b}); ((a) in {b, 5, 2.5})
        ((a) in {b .. size}); ((a) not in {0 .. b}); ((time) in {a .. b}); (addr in {a .. b}); (a // 8 = b // 8)
        ((a + 0) in {b, 5, 2.5, 10 .. 100}); (a / 2 in {b / 2, 4.5})
        (a * 2 > 9223372036854775807); (0 - a < b); (9007199254740993 < a); (a / 1 = b); (a * 1.0000000001 >= b)
        (a // 1e3 < b); (a ~ "5$"); ((a) ~ "5$"); (a + 0 ~ "5$"); (time > a / 3); (dur < b / 3); (dur * 2 < b)
        (time + 1 > b); (hash(addr) % 10 = 0)""".replace("\n", ";").split(";")
    return [x.strip() for x in out]


def streams(seed, rounds):
    """Text streams: all whole, all decimal, all real, and mixtures; of one event, and of more than a batch."""
    r = random.Random(seed)
    for _ in range(rounds):
        for kinds in ("w", "d", "r", "wd", "wr", "wdr", "wdrt", "small"):
            n = r.choice([1, 2, 7, 60, 600])
            lines = ["##spoor\t1", "##format\thand", "##clock\ts\torigin=0.000000000"]
            lines += [event(r, kinds) for _ in range(n)]
            yield ("\n".join(lines) + "\n##end\tevents=%d\n" % n).encode()


def event(r, kinds):
    small = kinds == "small"

    def argument(low, high):
        return str(r.randint(low, high)) if small else value(r, r.choice(kinds))

    def column():
        return str(r.randint(0, 10**6)) if small else str(r.choice([0, 1, 7, 512, 4096, 2**64 - 1, 2**63, r.randint(0, 2**40)]))

    args = ["%s=%s" % (n, argument(low, high)) for n, low, high in (("a", -1000, 1000), ("b", -5, 50)) if r.random() < 0.97]
    dur = time(r) if r.random() < 0.9 else "-"
    return "\t".join([time(r), r.choice("pq"), "E", column(), column(), dur] + args)


def time(r):
    return r.choice(TIMES + ["%d.%09d" % (r.randint(0, 10**6), r.randint(0, 10**9 - 1))])


def value(r, kind):
    if kind == "w":
        return str(r.choice(FIXED + [r.randint(-20, 20), r.randint(-2**63, 2**64 - 1)]))
    if kind == "d":
        return "%s%d.%s" % (r.choice(["", "-"]), r.choice(PARTS + [r.randint(0, 100)]), r.choice(PLACES))
    return r.choice(REALS if kind == "r" else TEXTS)
