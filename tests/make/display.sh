#!/bin/sh
# display.sh SECTION PAGE: the first display in a section of a manual page, as a reader copies it.
exec awk -v name="$1" '
	/^\.S[hs] / { on = substr($0, 5) == name }
	/^\.Bd/ && on { inside = 1; next }
	/^\.Ed/ && inside { exit }
	inside { sub(/^\\&/, ""); gsub(/\\e/, "\\"); print }' "$2"
