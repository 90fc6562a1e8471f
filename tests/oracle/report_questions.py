#!/usr/bin/env python3
"""report_questions.py SEED COUNT: random traces of each format's shape; the command of each section of the report gives the section's numbers."""
import random, shlex, subprocess, sys

r = random.Random(int(sys.argv[1]))
SHAPES = {
    "spc": ("s\torigin=0", "asu", ["R", "W"], []),
    "laplace": ("ticks", "space", ["r", "w", "i", "schedule", "read", "mmap", "munmap", "cow", "end"], []),
    "laplace-merge": ("ticks", "pid/space", ["r", "w", "schedule", "cow"], ["page=7", "page=8", "file=a", "region=anon", "region=heap"]),
    "ovni": ("s\torigin=0", "loom/pid/tid", ["OHx", "OHp", "6U[", "6U]", "VU[", "VU]", "VTx"], []),
    "dumpi": ("s\torigin=0", "rank", ["MPI_Send", "MPI_Recv", "MPI_Wait", "MPI_Sendrecv", "MPI_Allreduce", "MPI_Start", "MPI_Get", "MPI_Bcast"], ["recv_bytes=9"]),
    "charisma": ("s\torigin=0", "client", ["read", "write", "open", "close"], ["file_id=3", "file_id=4", "open_flags=1", "file_size=700"]),
}


def trace(name):
    clock, loc, events, arguments = SHAPES[name]
    events, arguments = r.sample(events, r.randint(1, len(events))), r.sample(arguments, r.randint(0, len(arguments)))
    there = [r.random() < 0.8 for _ in range(3)]
    yield f"##spoor\t1\n##format\t{name}\n##clock\t{clock}\n##loc\t{loc}\n"
    time, n = 0, r.randint(1, 60)
    for _ in range(n):
        time += r.choice([0, 1, 7, 1000003, 10**9])
        at = f"{time // 10**9}.{time % 10**9:09d}" if clock[0] == "s" else str(time)
        place = "/".join(str(r.randrange(3)) for _ in loc.split("/"))
        column = [r.choice([str(r.randrange(1 << 20)), "-"]), r.choice([str(r.randrange(9000)), "4096", "-"]),
                  r.choice([f"0.{r.randrange(10**9):09d}" if clock[0] == "s" else str(r.randrange(99)), "-"])]
        line = [at, place, r.choice(events)] + [c if k else "-" for c, k in zip(column, there)]
        keys = {}
        for a in arguments:
            if r.random() < 0.6:
                keys[a.split("=")[0]] = a
        yield "\t".join(line + list(keys.values())) + "\n"
    yield f"##end\tevents={n}\n"


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode or done.stderr:
        sys.exit(f"{command}: {done.returncode}\n{done.stderr}{open('t').read()}")
    return done.stdout


def near(a, b):
    try:
        return abs(float(a) - float(b)) <= 5.1e-6 * abs(float(b))
    except ValueError:
        return a == b


compared = 0
for i in range(int(sys.argv[2])):
    for name in SHAPES:
        with open("t", "w") as f:
            f.writelines(trace(name))
        sections = {}
        for line in run("trace-stats", "--tsv", "t").splitlines():
            section, row, column, value = line.split("\t")
            sections.setdefault(section, {}).setdefault(row, {})[column] = value
        sections.pop("trace")
        lines = [x for x in run("trace-stats", "--questions", "t").splitlines() if x.startswith("trace-stats")]
        assert len(lines) == len(sections), (lines, list(sections))
        for command, (section, rows) in zip(lines, sections.items()):
            words = shlex.split(command)
            table = [x.split("\t") for x in run(words[0], "--tsv", *words[1:]).splitlines()]
            asked = {x[0]: dict(zip(table[0][1:], x[1:])) for x in table[1:]}
            for row in rows:
                if row in ("all", "(limit)"):
                    continue
                for column, value in rows[row].items():
                    compared += 1
                    if not near(value, asked[row][column]):
                        sys.exit(f"{section} {row} {column}: {value}, alone {asked[row][column]}\n{command}\n{open('t').read()}")
            # A row that the report lacks has no value in its first column, or is of no state.
            for row in asked.keys() - rows.keys():
                if row != "-" and list(asked[row].values())[0] != "-":
                    sys.exit(f"{section} {row}: not in the report\n{command}\n{open('t').read()}")
print(compared)
