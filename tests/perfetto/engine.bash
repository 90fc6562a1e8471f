# engine.bash - Perfetto's own engine, for tests that load helpers.bash too.
# shellcheck shell=bash disable=SC2154  # ROOT is of helpers.bash

# engine: where Perfetto's engine is; skips where nobody has installed it.
engine() {
	PERFETTO_UI=$ROOT/build/perfetto/node_modules
	export PERFETTO_UI
	[ -d "$PERFETTO_UI/puppeteer-core" ] || skip "no engine of Perfetto's: tests/perfetto/install.sh installs it"
}

# asked FILE SQL: what the engine says.
asked() {
	node "$ROOT/tests/perfetto/tp.js" "$1" "$2"
}

# counts FORM LEAST FILE: of each name the engine has as many slices, as long, as the table of trace-stats: up to LEAST
# nanoseconds a slice.
counts() {
	trace-filter --events -f ovni > "$BATS_TEST_TMPDIR/names"
	trace-stats -O durations -g event -a 'count,sum(dur)' "$3" | awk -F'\t' 'NR == FNR {
		sub(/[.](enter|execute|resume)$/, "", $4)
		if ($5 != "leave") name[$2] = $4
		next
	} FNR > 1 {
		sub(/[.]/, "", $3)
		n = $1 in name ? name[$1] : $1
		count[n] += $2
		sum[n] += $3
	} END { for (n in count) printf "%s %.0f %.0f\n", n, count[n], sum[n] }' "$BATS_TEST_TMPDIR/names" - | LC_ALL=C sort > "$BATS_TEST_TMPDIR/want"
	trace-export -O durations -T "$1" "$3" > "$BATS_TEST_TMPDIR/drawn"
	asked "$BATS_TEST_TMPDIR/drawn" 'select name, count(*), sum(dur) from slice group by 1' | tr '\t' ' ' | LC_ALL=C sort > "$BATS_TEST_TMPDIR/got"
	[ -s "$BATS_TEST_TMPDIR/want" ]
	paste -d' ' "$BATS_TEST_TMPDIR/want" "$BATS_TEST_TMPDIR/got" | awk -v least="$2" '
		$1 != $4 || $2 != $5 || $3 - $6 > least * $2 || $6 > $3 { print; bad = 1 }
		END { exit bad }'
	[ -z "$(asked "$BATS_TEST_TMPDIR/drawn" "select name, value from stats where value > 0 and severity != 'info'")" ]
}
