#!/usr/bin/env bats
# plot-bounds.bats - what pictures of every kind keep: colours that are told apart, at most 500 KB, as many
# columns as were asked for, tooltips with numbers.
bats_require_minimum_version 1.5.0
load helpers

needs() {
	command -v "$1" > /dev/null || skip "no $1"
}

@test "any two colours of names differ by more than 12, whatever the eyes, in light and dark" {
	needs python3
	trace-plot timeline "$FIX/runs/solver.meta" > auto.svg
	trace-report "$FIX/runs/solver.meta" > page.html
	for t in light dark; do trace-plot timeline --theme "$t" "$FIX/runs/solver.meta" > "$t.svg"; done
	status_is 0 python3 "$ROOT/tests/oracle/colours.py" 12 auto.svg light.svg dark.svg page.html
	[ "$(wc -l <<< "$output")" = 32 ]
}
