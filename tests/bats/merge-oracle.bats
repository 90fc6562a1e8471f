#!/usr/bin/env bats
# merge-oracle.bats - trace-merge against a merge in another language that knows only the documents (tests/oracle).

load ../helpers

@test "random streams as one, as text and as binary: order, offsets, scales, alignments, windows, and what any merge must hold" {
	command -v python3 > /dev/null || skip "no python3"
	need_native
	status_is 0 python3 "$ROOT/tests/oracle/merge_check.py" -n 25 "$BIN"
	has "$output" '^[0-9]{3} passed, 0 failed$'
}
