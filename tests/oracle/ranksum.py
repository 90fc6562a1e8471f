#!/usr/bin/env python3
"""The two-sided rank-sum test by trying all choices: ranksum.py OLD,... NEW,... prints p as a fraction of integers."""
import sys
from fractions import Fraction
from itertools import combinations

old, new = ([Fraction(x) for x in a.split(",")] for a in sys.argv[1:3])
pool = old + new
rank = [Fraction(sum(y < x for y in pool) * 2 + sum(y == x for y in pool) + 1, 2) for x in pool]
mean = Fraction(len(old) * (len(pool) + 1), 2)
far = abs(sum(rank[: len(old)]) - mean)
sums = [abs(sum(c) - mean) for c in combinations(rank, len(old))]
print(sum(s >= far for s in sums), len(sums))
