#!/usr/bin/env bats
# net.bats - what a few thousand commands print is what it was: see tests/net.sh.

load ../helpers

@test "the commands of tests/net.sh print what they printed" {
	need_native
	sh "$ROOT/tests/net.sh"
}
