#!/usr/bin/env bats
# ui.bats - what is exported, opened in Perfetto's user interface in headless Chromium: make check-full.

load ../helpers
load engine
bats_require_minimum_version 1.5.0

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	CHROMIUM=$(command -v chromium || command -v chromium-browser) || skip 'no chromium'
	export CHROMIUM
	engine
}

# asked FILE SQL: what the engine of the page says, where there are no errors. In tracks: the names of those that are drawn.
asked() {
	node "$ROOT/tests/perfetto/ui.js" "$1" picture.png "$2" > answer || return
	sed -n 's/^track	//p' answer > tracks
	grep -v '^track	' answer || :
}

# Of both forms: the slices of trace-stats, the tracks of the locations, a picture that is not empty.
@test "DUMPI: the calls of four ranks" {
	for form in perfetto chrome; do
		counts $form "$([ $form = perfetto ] && echo 0 || echo 1)" "$FIX/runs/solver.meta"
		for rank in 0 1 2 3; do
			grep -q "^rank $rank " tracks
		done
		[ "$(wc -c < picture.png)" -gt 10000 ]
	done
}

@test "ovni: the states of four threads" {
	for form in perfetto chrome; do
		counts $form "$([ $form = perfetto ] && echo 0 || echo 1)" "$FIX/runs/tasks"
		for thread in 100 101 200 201; do
			grep -q "^tid $thread " tracks
		done
	done
}

@test "counters, flows, and the lanes of events that overlap" {
	printf '%s\t%s\t%s\t-\t%s\t%s\t%s\n' 1.0 0 send 4 0.5 flow=77 1.2 0 inner - 0.6 x=-5 2 1 recv 8 0.2 flow=77 > in
	for form in perfetto chrome; do
		trace-export -T $form -C 'bytes = size' in > drawn
		[ "$(asked drawn 'select (select count(*) from slice), (select count(distinct track_id) from slice),
			(select count(*) from flow), (select sum(value) from counter)')" = '3	3	1	12' ]
		grep -q '^bytes' tracks
	done
}
