#!/usr/bin/env python3
"""varied.py SEED: traces of 4,000 events each for reading in pieces: whole.*, twice the same in one file (two.*), damaged (d0.* to d3.*: a byte
or three changed; the last one cut, too), as SPC, text streams, CSV and Laplace records."""
import random, struct, sys

r = random.Random(int(sys.argv[1]))
N = 4000


def spc():
    t = 0
    for _ in range(N):
        t += r.randrange(2000000)
        extra = r.choice(["", "", "", "", ",x", ",7,y"])
        yield f"{r.randrange(9)},{r.randrange(10**7)},{512 * r.randrange(1, 33)},{r.choice('RWrw')},{t / 1e9:.6f}{extra}\n"


def text(header):
    if header:
        yield "##spoor\t1\n##format\tmine\n##clock\ts\torigin=12.5\n##meta\tk=v\n#time\tloc\tevent\taddr\tsize\tdur\targs\n"
    t = 0
    for _ in range(N):
        t += r.randrange(10**6)
        args = "".join(f"\t{k}={r.choice(['1', 'x', '2.5', 'abc' + chr(92) + 'x20d', str(r.randrange(10**6))])}"
                       for k in r.sample(["a", "b", "c", "name"], r.randrange(4)))
        loc = f"l{r.randrange(r.choice([3, 300]))}"
        addr, size, dur = r.choice(["-", "0x1f", str(r.randrange(10**5))]), r.randrange(10**5), r.choice(["-", "0.000001000"])
        yield f"{t // 10**9}.{t % 10**9:09d}\t{loc}\t{r.choice('ABCDE')}{r.randrange(3)}\t{addr}\t{size}\t{dur}{args}\n"
    if header:
        yield f"##end\tevents={N}\n"


def csv():
    yield "time,op,lba,bytes\n"
    for i in range(N):
        yield f"{i / 1000:.3f},{r.choice('RW')},{r.randrange(10**6)},{512 * r.randrange(1, 65)}\n"


def laplace():
    t = 0
    for _ in range(N):
        t += r.randrange(1000)
        yield struct.pack("<BQBII", ord(r.choice("IRW")), t, r.choice([1, 2, 4]), r.randrange(20), r.randrange(2**32))


for name, parts in (("spc", spc()), ("text", text(False)), ("stream", text(True)), ("csv", csv()), ("refs", laplace())):
    data = b"".join(p if isinstance(p, bytes) else p.encode() for p in parts)
    files = {"whole": data, "two": data + data}
    for k in range(4):
        x = bytearray(data)
        for _ in range(r.choice([1, 1, 3])):
            x[r.randrange(len(x))] = r.choice([r.randrange(256), 10, 44, 9, 0])
        files[f"d{k}"] = x[:r.randrange(len(x) // 2, len(x))] if k == 3 else x
    for which, d in files.items():
        with open(f"{which}.{name}", "wb") as f:
            f.write(d)
