"""driver.py - what drivers over random cases share: runs of programs, and the count of what agrees."""
import getopt
import os
import subprocess
import tempfile


class Driver:
    """A driver has the method case(seed, directory), which looks at one random case."""

    def __init__(self, programs, shown):
        self.programs, self.shown, self.good, self.bad = os.path.abspath(programs), shown, 0, 0

    def run(self, program, *args, cwd=None, stdin=None):
        """(standard output, status, messages)"""
        p = subprocess.run([os.path.join(self.programs, program), *args], cwd=cwd, input=stdin,
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        return p.stdout, p.returncode, p.stderr.decode("latin-1")

    def passed(self, ok, *words):
        if ok:
            self.good += 1
        else:
            self.bad += 1
            if self.bad <= self.shown:
                print("not so: " + "\n    ".join(str(w) for w in words))
        return ok

    def same(self, got, want, *words):
        """Two lists of lines; where they differ first."""
        i = next((i for i, (a, b) in enumerate(zip(got, want)) if a != b), min(len(got), len(want)))
        return self.passed(got == want, *words, "line %d, of %d and %d" % (i + 1, len(want), len(got)),
                           "oracle:  %s" % (want[i:i + 1] or "no more"), "program: %s" % (got[i:i + 1] or "no more"))


def lines(data):
    """Without header lines."""
    return [x for x in data.split(b"\n")[:-1] if not x.startswith((b"##", b"#time"))]


def main(argv, driver, many):
    """Runs the cases; the status."""
    options, rest = getopt.getopt(argv[1:], "n:s:ak:")
    o = dict(options)
    d = driver(rest[0], 10**9 if "-a" in o else 20)
    first = int(o.get("-s", 1))
    for seed in range(first, first + int(o.get("-n", many))):
        if "-k" in o:
            os.makedirs(o["-k"], exist_ok=True)
            d.case(seed, o["-k"])
        else:
            with tempfile.TemporaryDirectory() as directory:
                d.case(seed, directory)
    print("%d passed, %d failed" % (d.good, d.bad))
    return 1 if d.bad else 0


