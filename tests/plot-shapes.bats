#!/usr/bin/env bats
# plot-shapes.bats - trace-plot draws no shape that the events do not have: numbers read back from pictures.
bats_require_minimum_version 1.5.0
load helpers

setup() {
	enter
	command -v python3 > /dev/null || skip "no python3"
}

drawn() { python3 "$ROOT/tests/drawn.py" "$@"; }

@test "the share of requests no larger than a size is true at that size, and until the next" {
	f=$FIX/spc/Financial1-head.spc
	trace-plot hist -y size "$f" > p.svg
	drawn cdf p.svg "$f"
	trace-stats -e R -a 'cdf(size)' --long --no-header "$f" > table
	{ printf 'value\tshare\n'; cut -f 1,3 table; } | trace-plot line > p.svg
	drawn cdf p.svg "$f"
	# Steps to the right and up, and only for shares.
	run ! grep -q '<path class="w l0" d="[^"]*L' p.svg
	{ printf 'value\tcount\n'; cut -f 1,3 table; } | trace-plot line | grep -q '<path class="w l0" d="[^"]*L'
}
