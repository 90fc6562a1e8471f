#!/usr/bin/env bats
# bounds.bats - memory has bounds. The inputs here are small; make check-full has large ones, and time.

load helpers

@test "the worst inputs: memory does not grow with their length" {
	sh "$ROOT/tests/bounds.sh" small
}
