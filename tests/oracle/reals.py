"""reals.py make | check: prints a text stream with 40,000 doubles of all sizes as x; reads what a program made of them
as y, which must be the same number, in as few digits as Python needs for it."""
import random
import struct
import sys


def digits(text):
    return text.lower().split("e")[0].replace(".", "").replace("-", "").strip("0") or "0"


def doubles():
    random.seed(7)
    v = [5e-324, 2.2250738585072014e-308, 2.225073858507201e-308, 1.7976931348623157e308, 0.1, 1 / 3, 100.5, 1e15 + 0.5, 1e22, 1e23, 1e-5]
    while len(v) < 40000:
        k = random.randrange(5)
        if k == 0:
            d = struct.unpack("<d", struct.pack("<Q", random.getrandbits(64)))[0]
        elif k == 1:
            d = struct.unpack("<d", struct.pack("<Q", random.getrandbits(52) >> random.randrange(52)))[0]
        elif k == 2:
            d = random.randrange(1 << 30) / random.randrange(1, 1 << 20)
        elif k == 3:
            d = random.randrange(10 ** random.randrange(1, 17)) * 10.0 ** random.randrange(-30, 30)
        else:
            d = round(random.random() * 10 ** random.randrange(-5, 18), random.randrange(6))
        # What is whole within 64 bits is computed as that.
        if d - d == 0 and not (d == int(d) and abs(d) < 2**63):
            v.append(d)
    return v


if sys.argv[1] == "make":
    for i, d in enumerate(doubles()):
        print("%d.0\tn\te\t-\t-\t-\tx=%r" % (i, d))
else:
    bad = n = 0
    for d, line in zip(doubles(), sys.stdin):
        text = line.rstrip("\n").split("\ty=")[1]
        n += 1
        if float(text) != d or digits(text) != digits(repr(d)):
            bad += 1
            print(repr(d), text)
    print(n, bad)
