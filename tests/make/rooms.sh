#!/bin/sh
# rooms.sh: a folder of common/ and cmd/ uses those above it in CONTRIBUTING's table only: readers no other reader,
# common/ nothing of cmd/, a program no other program. Proves it from the symbols
# of the objects, and from what the sources include; prints each use that goes another way, and the
# circle of folders that it closes, if any. Files of a folder do not call each other in a circle either, but those that
# stand below. Silent when all is well. Needs a build, in B.
set -u
cd "$(dirname "$0")/../.." || exit 2
B=${B:-build}
# One thing in several files: what is computed of events before, by expressions.
CIRCLES='cmd/lib/expr/before cmd/lib/expr/engine cmd/lib/expr/exprs'
list=$(mktemp) || exit 2
trap 'rm -f "$list"' EXIT
{
	# "room ROW NAME": a row may have several, which do not know each other.
	sed -n '/^| folder |/,/^$/s/^| \(`.*`\) | .*/\1/p' CONTRIBUTING.md | tr -d '`,' |
		awk '{ for (i = 1; i <= NF; i++) print "room", NR, $i }'
	# "has FILE SYMBOL", "uses FILE SYMBOL"; nothing of what only the file itself knows. Of sources that
	# have gone there may still be objects.
	objects=
	files=$(find common cmd -name '*.[ch]' | grep -v '^cmd/[^/]*$' | LC_ALL=C sort)
	for c in $files; do
		o=$B/${c%.c}.o
		[ "$c" = "${c%.c}" ] || if [ -f "$o" ]; then objects="$objects $o"; else echo "missing $c"; fi
	done
	# shellcheck disable=SC2086  # no blanks in our names
	nm -P -A $objects | awk '{ sub(/:$/, "", $1); i = index($1, "/common/"); if (!i) i = index($1, "/cmd/"); $1 = substr($1, i + 1); sub(/\.o$/, ".c", $1) }
		$3 == "U" { print "uses", $1, $2 }
		$3 ~ /^[A-TV-Z]$/ { print "has", $1, $2, $3 }'
	# shellcheck disable=SC2086
	grep '^#include "' $files /dev/null | sed 's|^\([^:]*\):#include "\([^"]*\)".*|\1 \2|' | while read -r from to; do
		for in in common/ cmd/lib/ cmd/ "${from%/*}/"; do
			[ ! -f "$in$to" ] || { echo "includes $from $in$to"; break; }
		done
	done
} > "$list"
awk -v circles="$(echo "$CIRCLES" | tr '\n' ';')" '
function room(file) { sub(/\/[^\/]*$/, "", file); return file }
function arrow(from, to, why,	a, b) {
	a = room(from); b = room(to)
	if (a == b) {
		if (from != to && why in called && !((from, to) in within) && !((from, to) in inner)) {
			inner[from, to] = 1; ends[++ninner] = from " " to
		}
		return
	}
	edge[a, b] = from " -> " to " (" why ")"
	if (!(a in row) || !(b in row) || row[b] < row[a] || (a, b) in told) return
	told[a, b] = 1
	print "rooms: " from " uses " to " (" why "), but " b " is not above " a
	bad++
}
# The way by which one room uses another, over others: "" where there is none.
function way(from, to,	r, next_one, at, n, i) {
	split("", came); queue[1] = from; n = 1
	for (at = 1; at <= n; at++)
		for (r in row)
			if (((queue[at], r) in edge) && !(r in came) && r != from) {
				came[r] = queue[at]; queue[++n] = r
			}
	if (!(to in came)) return ""
	next_one = ""
	for (r = to; r != from; r = came[r])
		next_one = "\n  " edge[came[r], r] next_one
	return next_one
}
# Files that only use others, or are only used, are in no circle: they go until none does.
function inner_circles(	i, u, f, some, gone, uses, used) {
	do {
		split("", uses); split("", used)
		for (i = 1; i <= ninner; i++) {
			split(ends[i], u, " ")
			if (!(u[1] in gone) && !(u[2] in gone)) { uses[u[1]] = u[2]; used[u[2]] = 1 }
		}
		some = 0
		for (f in uses) if (!(f in used)) { gone[f] = 1; some = 1 }
		for (f in used) if (!(f in uses)) { gone[f] = 1; some = 1 }
	} while (some)
	for (f in uses) { print "rooms: " f " calls " uses[f] " in a circle of files"; bad++ }
}
BEGIN {
	n = split(circles, group, ";")
	for (k = 1; k <= n; k++) {
		m = split(group[k], file, " ")
		for (i = 1; i <= m; i++)
			for (j = 1; j <= m; j++)
				within[file[i] ".c", file[j] ".c"] = 1
	}
	n = m = 0
}
$1 == "room" { row[$3] = $2; rooms++; next }
$1 == "missing" { print "rooms: " $2 " is not built"; bad++; next }
$1 == "has" { at[$3] = $2; if ($4 == "T") called[$3] = 1; files[$2] = 1; next }
$1 == "uses" { use[++n] = $2 " " $3; next }
$1 == "includes" { include[++m] = $2 " " $3; files[$2] = 1; next }
END {
	for (f in files) if (!(room(f) in row)) missing[room(f)] = 1
	for (r in missing) { print "rooms: " r " is not in the table of CONTRIBUTING"; bad++ }
	for (r in row) {
		found = 0
		for (f in files) found += room(f) == r
		if (!found) { print "rooms: " r " is in the table of CONTRIBUTING, and nowhere else"; bad++ }
	}
	for (i = 1; i <= n; i++) {
		split(use[i], u, " ")
		if (u[2] in at) arrow(u[1], at[u[2]], u[2])
	}
	for (i = 1; i <= m; i++) {
		split(include[i], u, " ")
		arrow(u[1], u[2], "#include")
	}
	inner_circles()
	for (t in told) {
		split(t, u, SUBSEP)
		if ((back = way(u[2], u[1])) != "")
			print "rooms: a circle:\n  " edge[u[1], u[2]] back
	}
	if (!n || !rooms) { print "rooms: no table, or no symbols (nm)"; bad++ }
	exit bad != 0
}' "$list"
