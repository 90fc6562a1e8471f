#!/usr/bin/env bats
# readme.bats - what the README shows is what the programs print.

load ../helpers

@test "the README is short: at most 230 lines of 100 columns" {
	[ "$(wc -l < "$ROOT/README.md")" -le 230 ]
	awk 'length > 100 { print FNR ": " $0; bad = 1 } END { exit bad }' "$ROOT/README.md"
}

@test "every example of the README prints what stands there" {
	sh "$ROOT/tests/make/demo.sh" > demo 2> err
	same err /dev/null
	# Blocks of the README that begin with a command, one after the other.
	awk '/^    \$ / { on = 1 } on && !/^    / && NF { on = 0 } on' "$ROOT/README.md" | sed 's/^    //' |
		grep . > want
	# What demo says at the end is no example.
	grep . demo | sed "/^All .* printed what README.md shows\.$/,\$d" | same want -
	grep -q "^All [0-9]* examples printed" demo
}

# The programs of the README's table.
named() {
	sed -n 's/^| `\([a-z0-9-]*\)` |.*/\1/p' "$ROOT/README.md" | sort
}

@test "the README has three commands or more for each format, and one by each program that it names" {
	awk '/^## First commands/ { on = 1 } /^## / && !/First/ { on = 0 }
		on && /^### / { if (what) print n, what; what = $0; n = 0 }
		on && /^    \$ / { n++ }
		END { print n, what }' "$ROOT/README.md" > formats
	[ "$(wc -l < formats)" = 5 ]
	awk '$1 < 3 { print; bad = 1 } END { exit bad }' formats
	for p in $(named); do
		grep -E '^    (\$ |    )' "$ROOT/README.md" | grep -qw -- "$p" || { echo "$p"; return 1; }
	done
}

@test "the README names programs that there are, spoor(7) all of them" {
	named > "$BATS_TEST_TMPDIR/named"
	[ "$(wc -l < "$BATS_TEST_TMPDIR/named")" -ge 7 ]
	for p in $(named); do [ -x "$BIN/$p" ] || { echo "$p"; return 1; }; done
	sed -n 's/^\.It Xr \([a-z0-9-]*\) 1$/\1/p' "$ROOT/man/spoor.7" | sort -u > "$BATS_TEST_TMPDIR/listed"
	for p in "$BIN"/*; do basename "$p"; done | sort | same "$BATS_TEST_TMPDIR/listed" -
}

@test "every file and page that the README names is there" {
	grep -o '](\([^)]*\))' "$ROOT/README.md" | tr -d ']()' > "$BATS_TEST_TMPDIR/files"
	grep -o 'man/[a-z0-9.-]*[0-9]' "$ROOT/README.md" >> "$BATS_TEST_TMPDIR/files"
	grep -o '`[a-z-]*([157])`' "$ROOT/README.md" | sed 's/`\(.*\)(\(.\))`/man\/\1.\2/' >> "$BATS_TEST_TMPDIR/files"
	[ "$(wc -l < "$BATS_TEST_TMPDIR/files")" -ge 5 ]
	while read -r f; do
		[[ $f == https://* || $f == \#* ]] || [ -f "$ROOT/$f" ] || { echo "$f"; return 1; }
	done < "$BATS_TEST_TMPDIR/files"
}

@test "the picture that the README links to is the one that trace-plot draws, of a few KB" {
	for f in solver bursts heat; do grep -q "src=\"tests/pictures/$f.svg\" width=\"32%\"" "$ROOT/README.md"; done
	cd "$BATS_TEST_TMPDIR"
	sh "$ROOT/tests/pictures/traces.sh"
	trace-plot timeline --size 640x400 --mark '60ms=rank 2 computes; the others wait' "$FIX/runs/solver.meta" |
		sed 's/<title>[^<]*<.title>//g' | same "$ROOT/tests/pictures/solver.svg" -
	trace-plot rate -a count --size 640x400 --mark 68s=backup bursts.spc | same "$ROOT/tests/pictures/bursts.svg" -
	# shellcheck disable=SC2016
	trace-plot heat -O 'columns=time=$time loc=$loc event=$event dur=$dur' --size 640x400 \
		--title 'Reads from a cache, and some from the disk' disk.csv | sed 's/<title>[^<]*<.title>//g' |
		same "$ROOT/tests/pictures/heat.svg" -
	[ "$(cat "$ROOT"/tests/pictures/{solver,bursts,heat}.svg | wc -c)" -lt 30000 ]
}
