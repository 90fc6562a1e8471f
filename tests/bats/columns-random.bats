#!/usr/bin/env bats
# columns-random.bats - random descriptions of columns, and lines that mostly fit, against a reader in another
# language that knows only the manual pages (tests/oracle/columns_random.py).

load ../helpers

@test "random descriptions and lines: as files, in pieces, by every parser, through the binary stream" {
	command -v python3 > /dev/null || skip "no python3"
	need_native
	# make check-full takes more of them. Each difference is printed with its seed.
	local n=100
	[ -z "${SPOOR_FULL-}" ] || n=2000
	status_is 0 python3 "$ROOT/tests/oracle/columns_random.py" "$BIN" "$n" $((RANDOM * 32768 + RANDOM))
	has "$output" "^$n descriptions, [0-9]{3,} events, [0-9]{2,} lines refused: all as the page says\$"
}

@test "random shapes of lines: the columns of a matcher that tries every place" {
	command -v python3 > /dev/null || skip "no python3"
	local n=150
	[ -z "${SPOOR_FULL-}" ] || n=10000
	status_is 0 python3 "$ROOT/tests/oracle/columns_shapes.py" "$BIN" "$n" $((RANDOM * 32768 + RANDOM))
	has "$output" "^$n layouts, [0-9]{4,} lines fit: the same columns\$"
}
