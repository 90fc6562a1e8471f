#!/usr/bin/env bats
# net.bats - what some thousand commands print is what it was: see tests/net.sh.

load ../helpers

@test "the commands of tests/net.sh print what they printed" {
	need_native
	sh "$ROOT/tests/net.sh"
}
