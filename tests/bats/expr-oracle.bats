#!/usr/bin/env bats
# expr-oracle.bats - expressions against an evaluator in another language that knows only the documents (tests/oracle).

load ../helpers

need_python() {
	command -v python3 > /dev/null || skip "no python3"
}

# agrees ARGS...: what check.py says of so many expressions.
agrees() {
	need_python
	need_native
	status_is 0 python3 "$ROOT/tests/oracle/check.py" "$@"
	has "$output" '^[0-9]{4,} passed, 0 failed(, [0-9]+ open)?$'
}

@test "the evaluator says of the cases computed by hand what they say" {
	need_python
	status_is 0 python3 "$ROOT/tests/oracle/cases.py"
	has "$output" '^[0-9]{3,} passed, 0 failed$'
}

@test "cases computed by hand, and 300 random expressions over six streams, as text and as binary" {
	agrees -n 300 "$BIN"
}

@test "100 random expressions over traces of every format, as they are and as text" {
	agrees -n 100 "$BIN" "$FIX/spc/Financial1-head.spc" "$FIX/laplace/merged-head.ref" "$FIX/laplace/seed.kern" \
		"$FIX/ovni/all.obs" "$FIX/runs/tasks" "$FIX/dumpi/small-0002.bin" "$FIX/charisma/cm5.chr"
}

@test "every operation on numbers at their edges, in batches of one kind and of all" {
	agrees -e 1 "$BIN"
}

@test "prev is what a dictionary by key remembers, whatever the kinds and however many keys" {
	need_python
	status_is 0 python3 "$ROOT/tests/oracle/before.py" "$BIN"
	[ "$output" = ok ]
}
