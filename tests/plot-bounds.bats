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

# shredded N QUOTE: states of 8 names under 0.6 ms in N lanes; a QUOTE stands 200 times in each name.
shredded() {
	awk -v n="$1" -v c="${2-}" 'BEGIN { srand(3); for (i = 0; i < 200; i++) q = q c; for (t = 0; t < 30000000; t += 500)
		printf "0.%09d\t%s%d\t%sS%d\t%d\t%d\t%.9f\n", t, q, int(rand() * n), q, int(rand() * 8), int(rand() * 2 ^ 20) * 64,
			2 ^ (rand() * 30), rand() * 6e-4 }'
}

@test "pictures have at most 500,000 bytes, whatever the lanes and names, and are still right" {
	needs python3
	for how in 16 32 64 '64 "' "64 '" '64 &'; do
		# shellcheck disable=SC2086  # a number and a character
		shredded $how > s
		for k in rate heat timeline hist matrix addr flame; do
			trace-plot "$k" s > p.svg 2> err
			echo "$how: $k: $(wc -c < p.svg)"
			[ "$(wc -c < p.svg)" -le 500000 ]
			tail -n 1 p.svg | grep -qx '</svg>'
		done
		[ "${how#* }" = "$how" ] || continue
		# As large as the bound lets it be: half of the columns would have too few bytes.
		trace-plot timeline -g event s > p.svg
		[ "$(wc -c < p.svg)" -gt 250000 ]
		trace-plot timeline -g event --bins s > p.tsv
		status_is 0 python3 "$ROOT/tests/plot.py" area p.svg p.tsv
	done
}
