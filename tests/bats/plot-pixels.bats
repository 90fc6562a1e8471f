#!/usr/bin/env bats
# plot-pixels.bats - what a renderer makes of timelines and flames: no event is lost, at any size.
bats_require_minimum_version 1.5.0
load ../helpers

@test "each event has ink, and no gap is false, in pictures shown 400, 960 and 1,920 pixels wide" {
	needs python3
	needs rsvg-convert
	status_is 0 python3 "$ROOT/tests/oracle/pixels.py"
	has "$output" ' pictures have ink where it should be'
}
