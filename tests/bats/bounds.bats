#!/usr/bin/env bats
# bounds.bats - memory has bounds. The inputs here are small; make check-full has large ones, and time.

load ../helpers

@test "the worst inputs: memory does not grow with their length" {
	sh "$ROOT/tests/bounds.sh" small
}

@test "CHARISMA: where more clients are there than are kept, it is said, and every event is there" {
	cd "$BATS_TEST_TMPDIR"
	# shellcheck disable=SC2086  # CC may hold flags
	$CC -std=c11 -O2 -o worst "$ROOT/tests/unit/worst.c"
	./worst charisma-joins 600000 > joins
	status_is 2 trace-filter -c 'appl_id = 1' joins
	[ "$output" = 600000 ]
	has "$stderr" 'too many clients or open files at a time'
	./worst charisma-joins 500000 > joins
	status_is 0 trace-filter -c 'appl_id = 1' joins
	./worst charisma-opens 40000 > opens
	status_is 0 trace-filter -c 'event = open' opens
}
