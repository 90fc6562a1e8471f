#!/usr/bin/env python3
"""json_lines.py BIN N SEED: random objects of JSON, and the same with bytes changed, as events.

What Python's json takes for an object must be an event with the same members; what it refuses must be none. Every
parser of the fast path must give what the slow one gives.
"""
import json
import os
import random
import re
import subprocess
import sys
import tempfile

BIN, N, SEED = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
rnd = random.Random(SEED)


class Num(str):
    """A number as it stands."""


def no_constant(name):
    raise ValueError(name)


def whole(text):
    """A text without halves of surrogate pairs."""
    return re.sub("[\ud800-\udfff]", "\ufffd", text)


def read(line):
    """The object that the line is, or None."""
    try:
        got = json.loads(line.decode("utf-8"), parse_int=Num, parse_float=Num, parse_constant=no_constant,
                         object_pairs_hook=lambda pairs: {whole(name): v for name, v in pairs})
    except (ValueError, RecursionError):
        return None
    return got if isinstance(got, dict) else None


def flat(obj, path, out):
    for name, value in obj.items():
        at = path + name
        if isinstance(value, dict):
            flat(value, at + ".", out)
        elif value is not None:
            out.append((whole(at), value))


def random_text():
    return "".join(rnd.choice("abcW09 -,=/\"\\\n\t\x01\x7fé€😀.") for _ in range(rnd.randrange(6)))


def quoted(text):
    out = ['"']
    for c in text:
        k = rnd.random()
        if c in '"\\' or ord(c) < 32 or k < 0.15:
            for i in range(0, len(c.encode("utf-16-be")), 2):
                out.append("\\u%04x" % int.from_bytes(c.encode("utf-16-be")[i : i + 2], "big"))
            if c in '"\\' and k < 0.5:
                out[-1] = "\\" + c
        elif k < 0.17:
            out.append(rnd.choice(["\\ud800", "\\udc01", "\\n", "\\/", "\\b\\f\\r\\t"]))
        else:
            out.append(c)
    return "".join(out) + '"'


def blank():
    return rnd.choice(["", "", "", "", " ", "\t", " \r "])


NUMBERS = "0 -0 1 -5 9007199254740993 18446744073709551615 123456789012345678901234567890 1e3 1E+2 -1.5e-7 0.1 12.50"
NAMES = ["a", "b", "c", "d", "x y", "d.e", "é", "k=", ""]


def value(depth):
    k = rnd.random()
    if k < 0.3:
        return quoted(random_text())
    if k < 0.6:
        return rnd.choice(NUMBERS.split())
    if k < 0.75:
        return rnd.choice(["true", "false", "null"])
    if k < 0.9 and depth < 5:
        return record(depth + 1)
    items = [value(depth + 1) for _ in range(rnd.randrange(3 if depth < 5 else 1))]
    return "[" + blank() + (blank() + "," + blank()).join(items) + blank() + "]"


def record(depth, first=()):
    members = list(first) + [
        quoted(rnd.choice(NAMES)) + blank() + ":" + blank() + value(depth) for _ in range(rnd.randrange(5))
    ]
    rnd.shuffle(members)
    return "{" + blank() + (blank() + "," + blank()).join(members) + blank() + "}"


def changed(line):
    line = bytearray(line)
    for _ in range(rnd.randrange(1, 3)):
        at = rnd.randrange(len(line))
        k = rnd.random()
        if k < 0.2:
            del line[at:]
        elif k < 0.4:
            del line[at]
        elif k < 0.6:
            line.insert(at, rnd.choice(b'{}[]",:0-.eE\\u\x80\xc3\xed tn'))
        else:
            line[at] = rnd.choice([line[at] ^ 1 << rnd.randrange(8), rnd.randrange(256)])
        if not line:
            break
    return bytes(c for c in line if c != 10)


def alike(line):
    """The line with other digits and letters, which most often has the same members."""
    return re.sub(rb"[0-9]|(?<=[abcW])[abcW]", lambda m: bytes([rnd.choice(b"0123456789" if m[0].isdigit() else b"abcW")]),
                  line)


def run(layout, path, *options):
    done = subprocess.run(
        [os.path.join(BIN, "trace-filter"), *options, "-O", "columns=" + layout, "*", path],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    return done.returncode, done.stdout, done.stderr


def plain(field):
    """A field of the text stream without its escapes."""
    return re.sub(rb"\\x([0-9a-f]{2})", lambda m: bytes([int(m[1], 16)]), field)


def same(want, got):
    """Whether an argument is what Python read."""
    if isinstance(want, list):
        if not want:
            return got == b""
        return read(b'{"a":' + plain(got) + b"}") == {"a": want}
    if isinstance(want, bool):
        return got == (b"true" if want else b"false")
    if not isinstance(want, Num) and want in ("", "-"):
        return got == (b'""' if not want else b"\\x2d")
    return plain(got) == whole(want).encode()


def check(lines, path):
    with open(path, "wb") as out:
        out.write(b"\n".join(lines) + b"\n")
    _, text, said = run("json time=line event=x *", path)
    events = {}
    for event in text.split(b"\n")[:-1]:
        f = event.split(b"\t")
        events[int(f[0].split(b".")[0])] = f[6:]
    refused = 0
    for i, line in enumerate(lines, 1):
        want = read(line)
        if want is None:
            refused += 1
            assert i not in events, (SEED, i, line)
            continue
        assert i in events, (SEED, i, line, said[:300])
        members = []
        flat(want, "", members)
        got = [a.split(b"=", 1) for a in events[i]]
        assert len(got) == len(members), (SEED, line, members, got)
        # The order of members that stand twice is that of their last values.
        got.sort(key=lambda a: plain(a[0]))
        members.sort(key=lambda m: m[0].encode() or b'""')
        for (name, v), (gname, g) in zip(members, got):
            assert plain(gname) == (name.encode() or b'""'), (SEED, line, name, gname)
            assert same(v, g), (SEED, line, name, v, g)
    return len(lines) - refused, refused


def check_fast(path):
    """Lines of a few forms, some of them changed: all parsers print the same, and say the same."""
    forms = [
        '{"name":"%s","ts":%s,"args":{"ret":%s,"x":%s},"pid":%d,"tid":%d}',
        '{"pid":%d1,"tid":%d,"ts":%s.25,"name":"%s","args":{}}',
        '{ "ts" : %s , "name" : "%s" }',
    ]
    lines = []
    for i in range(N * 3):
        ts, name = str(i), rnd.choice(["read", "write", "a_name_that_is_longer_than_16", "é"])
        form = rnd.randrange(3)
        if form == 0:
            line = forms[0] % (name, ts, rnd.choice(["0", "4096", "-1", "00", "1.5", "null", '"12"']),
                               rnd.choice(["1", "01", "1.", "true", "-0", '"q"', "[]"]), i % 3, i % 5)
        elif form == 1:
            line = forms[1] % (i % 3, i % 4, ts, name)
        else:
            line = forms[2] % (ts, name)
        line = line.encode()
        lines.append(changed(line) if rnd.random() < 0.1 else line)
    with open(path, "wb") as out:
        out.write(b"\n".join(lines) + b"\n")
    for layout in ("json time=$ts event=$name loc=$pid?/$tid? size=$args.ret?",
                   "json time=$ts*us event=$name loc=$pid/$tid size=$args.ret x=$args.x?",
                   "json time=$ts event=$name dur=$args.x*ms??"):
        slow = run(layout, path, "--tune", "simd=slow")
        assert slow[1].count(b"\n") > N // 8, slow
        for simd in ("plain", "sse2", "avx2"):
            fast = run(layout, path, "--tune", "simd=" + simd)
            assert fast == slow, (SEED, simd, layout, path)
    return len(lines)


with tempfile.TemporaryDirectory() as tmp:
    at = os.path.join(tmp, "in.json")
    good = [(blank() + record(0) + blank()).encode("utf-8", "surrogatepass") for _ in range(N)]
    bad = [changed(line) for line in good]
    bad[0] = good[0]
    taken, none = check(good, at)
    assert none == 0, none
    more, refused_lines = check(bad, at)
    # Lines with the members of one of the lines before.
    for some in range(0, N, 200):
        check([f(line) for line in good[some : some + 200] for f in (bytes, alike, alike, changed, alike)], at)
    fast_lines = check_fast(at)
    print(f"{taken} objects, {refused_lines} of {len(bad)} changed ones refused, {fast_lines} lines by each parser: "
          "all as Python reads them")
