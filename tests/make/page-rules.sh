#!/bin/sh
# page-rules.sh [--write]: compares the table of rules in man/trace-check.1 with what trace-check --list prints; --write
# replaces it.
set -u
cd "$(dirname "$0")/../.." || exit 2
page=man/trace-check.1
new=$(mktemp) || exit 2
trap 'rm -f "$new"' EXIT
{
	sed '/^\.Sh RULES/,$!b' "$page" | sed -n '1,/^\.\\" table/p'
	bin/trace-check --list | LC_ALL=C sort | awk -F '\t' '{
		gsub(/\\/, "\\e", $4)
		print ".It Cm " $1 " , " $2 ($3 == "off" ? " , No off" : "")
		print $4 "."
	}' | fold -s -w 79 | sed 's/ *$//; /^\.It/!s/^[.'"'"']/\\\&&/'
	sed -n '/^\.\\" end of the table/,$p' "$page"
} > "$new"
if [ "${1-}" = --write ]; then
	cp "$new" "$page"
else
	diff "$page" "$new"
fi
