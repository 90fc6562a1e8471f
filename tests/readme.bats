#!/usr/bin/env bats
# readme.bats - what the README shows is what the programs print.

load helpers

@test "the README shows the demo's pipelines with their true output" {
	sh "$ROOT/tests/demo.sh" > "$BATS_TEST_TMPDIR/demo" 2> "$BATS_TEST_TMPDIR/err"
	[ ! -s "$BATS_TEST_TMPDIR/err" ]
	# Every block of the demo stands in the README, indented.
	sed 's/^\(.\)/    \1/' "$BATS_TEST_TMPDIR/demo" > "$BATS_TEST_TMPDIR/want"
	awk -v RS= 'NR == FNR { want[++n] = $0; next } { have[$0] = 1 }
		END { for (i = 1; i <= n; i++) if (!(want[i] in have)) { print want[i]; bad = 1 } exit bad }' \
		"$BATS_TEST_TMPDIR/want" "$ROOT/README.md"
}

@test "the README names every program, and no other" {
	sed -n 's/^| `\([a-z0-9-]*\)` |.*/\1/p' "$ROOT/README.md" | sort > "$BATS_TEST_TMPDIR/named"
	for p in "$BIN"/*; do basename "$p"; done | sort | same "$BATS_TEST_TMPDIR/named" -
}
