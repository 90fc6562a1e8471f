#!/bin/sh
# The list of events in man/ovni-trace.5 is made from common/ovni/ovni_events.h.
#	ovni_page.sh		writes it anew, between its two marks
#	ovni_page.sh --list PAGE	prints what a page lists: MCV, name, arguments, TAB between
set -eu
cd "$(dirname "$0")/../.."
if [ "${1:-}" = --list ]; then
	sed -n '/^\.It ... Ta .* Ta [a-z0-9]*\./{
		s/ : /	/; t args
		s/$/	/; :args
		s/^\.It \(...\) Ta .* Ta /\1	/p
	}' "$2"
	exit
fi
page=man/ovni-trace.5
list=$(awk -F'"' '
/^\/\* [a-z0-9]+ \*\/$/ {
	split($0, w, " ")
	if (open) print ".El"
	print ".Ss Model " w[2]
	print ".Bl -column \"MCV\" \"enter 6W]\" \"nosv.task.execute: i32 cpu, i32 tid, u64 tag\""
	open = 1
}
/^EVENT/ {
	role = $3 ~ /ENTER/ ? "enter " $4 : $3 ~ /LEAVE/ ? "leave " $4 : $3 ~ /VALUE/ ? "value" : "-"
	print ".It " $2 " Ta " role " Ta " $6 ($8 == "" ? "" : " : " $8)
}
END { print ".El" }' common/ovni/ovni_events.h)
awk -v list="$list" '
/^\.\\" EVENTS$/ { print; print list; skip = 1; next }
/^\.\\" END OF EVENTS$/ { skip = 0 }
!skip' "$page" > "$page.new"
mv "$page.new" "$page"
