#!/bin/sh
# bounds.sh: compares the table of limits in SECURITY.md with the rows in the code. Prints the difference, and fails if
# there is one. Silent when all is well. bounds.sh --write writes the table anew; bounds.sh --rows prints the rows.
# A row is the line before the #define of its limit:
#   /* Bound: PROGRAM | WHAT GROWS | BY WHAT | LIMIT | MESSAGE */
# LIMIT begins with the number of the #define, with KiB or MiB, or not with a number. MESSAGE is a part of the message
# that tells of the limit, and the status is then 2, unless "(status 0)" follows it. It is - if nothing is lost.
set -u
cd "$(dirname "$0")/../.." || exit 2
page=SECURITY.md
head='| program | what grows | by what | limit | message |'
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

# The #define of a row may span lines, or hold more than a number: then its number is not compared.
awk '
	# The value of N, Nu << M or Nu * M * K; -1 for anything else.
	function value(s,	n, part, i, v) {
		gsub(/\/\*.*/, "", s)
		gsub(/[() \t]/, "", s)
		gsub(/[uUlL]+/, "", s)
		if (s ~ /^[0-9]+<<[0-9]+$/) { split(s, part, "<<"); return part[1] * 2 ^ part[2] }
		if (s !~ /^[0-9]+(\*[0-9]+)*$/) return -1
		n = split(s, part, "*")
		for (v = i = 1; i <= n; i++) v *= part[i]
		return v
	}
	function bad(text) { print "bounds: " FILENAME ":" FNR ": " text | "cat >&2"; wrong = 1 }
	row != "" {
		if ($0 !~ /^#define /) bad("no #define follows the row")
		else {
			rest = $0
			sub(/^#define[ \t]+[A-Z_0-9]+[ \t]*/, "", rest)
			v = value(rest)
			said = cell[4] + 0
			if (cell[4] ~ /^[0-9]+ KiB/) said *= 1024
			if (cell[4] ~ /^[0-9]+ MiB/) said *= 1048576
			if (v >= 0 && cell[4] ~ /^[0-9]/ && v != said)
				bad(sprintf("the row says %.0f, the #define %.0f", said, v))
		}
		row = ""
	}
	/\/\* Bound:/ {
		row = $0
		sub(/^\/\* Bound: /, "", row)
		sub(/ \*\/$/, "", row)
		if ($0 !~ /^\/\* Bound: .* \*\/$/ || split(row, cell, / \| /) != 5) bad("expected /* Bound: PROGRAM | WHAT GROWS | BY WHAT | LIMIT | MESSAGE */")
		else if (seen[cell[1], cell[2]]++) bad("a second row for " cell[1] ", " cell[2])
		else print "| " row " |"
	}
	END { exit wrong }' common/*/*.[ch] cmd/*.c cmd/*/*.[ch] cmd/lib/*/*.[ch] > "$work/unsorted" || exit 1
LC_ALL=C sort "$work/unsorted" > "$work/rows"
[ -s "$work/rows" ] || { echo 'bounds: no rows in the code' >&2; exit 1; }
if [ "${1:-}" = --rows ]; then
	cat "$work/rows"
	exit
fi
grep -Fxq "$head" "$page" || { echo "bounds: $page has no line $head" >&2; exit 1; }
awk -v head="$head" -v rows="$work/rows" '
	$0 == head { print; print "|---|---|---|---|---|"; while ((getline line < rows) > 0) print line; inside = 1; next }
	inside && /^$/ { inside = 0 }
	!inside' "$page" > "$work/page"
if [ "${1:-}" = --write ]; then
	cat "$work/page" > "$page"
	exit
fi
cmp -s "$page" "$work/page" || {
	echo "bounds: the table in $page is not that of the code: sh tests/make/bounds.sh --write" >&2
	diff "$page" "$work/page" >&2
	exit 1
}
