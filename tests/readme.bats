#!/usr/bin/env bats
# readme.bats - what the README shows is what the programs print.

load helpers

@test "the README is two screens: at most 100 lines of 100 columns" {
	[ "$(wc -l < "$ROOT/README.md")" -le 100 ]
	awk 'length > 100 { print FNR ": " $0; bad = 1 } END { exit bad }' "$ROOT/README.md"
}

@test "the README shows the demo's pipelines with their true output" {
	sh "$ROOT/tests/make/demo.sh" > "$BATS_TEST_TMPDIR/demo" 2> "$BATS_TEST_TMPDIR/err"
	[ ! -s "$BATS_TEST_TMPDIR/err" ]
	[ "$(grep -c '^\$ ' "$BATS_TEST_TMPDIR/demo")" -ge 3 ]
	# Every block of the demo stands in the README, indented.
	sed 's/^\(.\)/    \1/' "$BATS_TEST_TMPDIR/demo" > "$BATS_TEST_TMPDIR/want"
	awk -v RS= 'NR == FNR { want[++n] = $0; next } { have[$0] = 1 }
		END { for (i = 1; i <= n; i++) if (!(want[i] in have)) { print want[i]; bad = 1 } exit bad }' \
		"$BATS_TEST_TMPDIR/want" "$ROOT/README.md"
}

@test "the numbers of events in the README's picture are right" {
	all=$(dumpi2txt "$FIX/runs/solver.meta" | wc -l)
	some=$(trace-filter -c 'MPI_Wait* and dur > 1ms' "$FIX/runs/solver.meta")
	grep -q "^    dumpi2txt -b .* $all events" "$ROOT/README.md"
	grep -q "^    trace-filter 'MPI_Wait\* and dur > 1ms' .* $some " "$ROOT/README.md"
}

@test "the README names every program, and no other" {
	sed -n 's/^| `\([a-z0-9-]*\)` |.*/\1/p' "$ROOT/README.md" | sort > "$BATS_TEST_TMPDIR/named"
	for p in "$BIN"/*; do basename "$p"; done | sort | same "$BATS_TEST_TMPDIR/named" -
}

@test "every file and page that the README names is there" {
	grep -o '](\([^)]*\))' "$ROOT/README.md" | tr -d ']()' > "$BATS_TEST_TMPDIR/files"
	grep -o 'man/[a-z0-9.-]*[0-9]' "$ROOT/README.md" >> "$BATS_TEST_TMPDIR/files"
	grep -o '`[a-z-]*([157])`' "$ROOT/README.md" | sed 's/`\(.*\)(\(.\))`/man\/\1.\2/' >> "$BATS_TEST_TMPDIR/files"
	[ "$(wc -l < "$BATS_TEST_TMPDIR/files")" -ge 5 ]
	while read -r f; do
		[ -f "$ROOT/$f" ] || { echo "$f"; return 1; }
	done < "$BATS_TEST_TMPDIR/files"
}
