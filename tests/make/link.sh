#!/bin/sh
# link.sh [-v]: what each program links, against the bounds in CONTRIBUTING.md: lines of the C files of which it has an
# object, by the DWARF units of the executable, and bytes of the stripped executable on x86-64. Prints each bound that
# is exceeded; with -v every program, with the lines of each folder. Needs a build with -g, in BIN.
set -u
cd "$(dirname "$0")/../.." || exit 2
BIN=${BIN:-bin}
for tool in readelf strip; do
	command -v "$tool" > /dev/null || { echo "link: $tool is not installed: skipped" >&2; exit 0; }
done
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
# "PROGRAM LINES BYTES" of each row of the table that begins with `program`.
awk -F '|' '/^\| program \|/ { on = 1; next } !/^\|/ { on = 0 } on && $2 ~ /`/ {
	gsub(/[`,]/, "", $2); gsub(/[ ,]/, "", $3); gsub(/[ ,]/, "", $4)
	n = split($2, name, " ")
	for (i = 1; i <= n; i++) print name[i], $3, $4
}' CONTRIBUTING.md > "$tmp/bounds"
[ -s "$tmp/bounds" ] || { echo 'link: no table of bounds in CONTRIBUTING.md'; exit 1; }
status=0
for source in cmd/*.c cmd/*/*.c; do
	name=$(basename "$source" .c)
	[ "$source" = "cmd/$name.c" ] || [ "$source" = "cmd/$name/$name.c" ] || continue
	readelf --debug-dump=info --dwarf-depth=1 "$BIN/$name" 2> /dev/null |
		sed -n 's|^.*DW_AT_name.*: \(.*\.c\)[ 	]*$|\1|p' | sed 's|^\./||' | sort -u > "$tmp/files"
	[ -s "$tmp/files" ] || { echo "link: $BIN/$name has no debugging information: build with -g"; exit 1; }
	lines=$(xargs cat < "$tmp/files" | wc -l | tr -d ' ')
	strip -s -o "$tmp/stripped" "$BIN/$name"
	bytes=$(wc -c < "$tmp/stripped" | tr -d ' ')
	[ "${1:-}" != -v ] || {
		echo "$name: $lines lines, $bytes bytes"
		sed 's|/[^/]*$||' "$tmp/files" | sort -u | while read -r folder; do
			echo "	$folder $(grep "^$folder/[^/]*$" "$tmp/files" | xargs cat | wc -l | tr -d ' ')"
		done
	}
	bound=$(sed -n "s/^$name //p" "$tmp/bounds")
	if [ ! "$bound" ]; then
		echo "link: $name is not in the table of bounds of CONTRIBUTING.md"
		status=1
		continue
	fi
	[ "$lines" -le "${bound% *}" ] || { echo "link: $name links $lines lines, more than ${bound% *}"; status=1; }
	[ "$(uname -m)" != x86_64 ] || [ "$bytes" -le "${bound#* }" ] || {
		echo "link: $name has $bytes bytes, more than ${bound#* }"
		status=1
	}
done
exit $status
