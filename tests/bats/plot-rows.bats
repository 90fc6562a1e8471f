#!/usr/bin/env bats
# plot-rows.bats - a timeline of more locations than rows.
bats_require_minimum_version 1.5.0
load ../helpers

@test "rows of as many neighbours each, and their least and greatest, whatever the order and the parts" {
	needs python3
	status_is 0 python3 "$ROOT/tests/oracle/rows.py"
	has "$output" ' lines of members are right'
}

@test "one late rank of 16 is seen in its row" {
	# 1,000 ranks wait from second 50 on, but one that comes ten seconds later.
	awk 'BEGIN { for (i = 0; i < 1000; i++) printf "%d.0\t%d\twait\t-\t-\t%d.0\n", i == 519 ? 60 : 50, i, i == 519 ? 40 : 50 }' > s
	trace-plot timeline s > p.svg 2> err
	grep -q ' · 16 locations a row: mean share, a line from the smallest to the greatest<' p.svg
	# Only its row has lines, and these reach from nothing to the top.
	[ "$(grep -c '<path class=""' p.svg)" = 1 ]
	grep -B2 '<path class=""' p.svg | grep -q '^<path.*<title>locations 512–527 · wait · '
	[ "$(grep '<path class=""' p.svg | grep -o 'M[0-9.]* 0h[0-9.]*v440' | wc -l)" -ge 10 ]
}
