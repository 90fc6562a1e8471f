#!/usr/bin/env bats
# expr-oracle.bats - expressions against an evaluator in another language that knows only the documents (tests/oracle).

load helpers

need_python() {
	command -v python3 > /dev/null || skip "no python3"
}

@test "the evaluator says of the cases computed by hand what they say" {
	need_python
	status_is 0 python3 "$ROOT/tests/oracle/cases.py"
	has "$output" '^[0-9]{3,} passed, 0 failed$'
}
