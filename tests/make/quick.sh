#!/bin/sh
# make quick: what a change needs before each commit, in a minute: the one-line cases; formatting of what changed, rooms,
# sizes, pages, awk; what every program promises, of two programs; and the tests of the rooms that changed.
set -u
cd "$(dirname "$0")/../.." || exit 2
status=0
sh tests/make/lint.sh --changed format rooms formats pages size lists awk || status=1
changed=$({ git diff --name-only HEAD; git ls-files -o --exclude-standard; } 2> /dev/null)
# The programs that changed, or the smallest decoder and the filter.
programs=$(printf '%s\n' "$changed" | sed -n 's|^cmd/\([^/]*\)\.c$|\1|p; s|^cmd/\([^/]*-[^/]*\)/.*|\1|p' | sort -u | head -n 2)
[ "$programs" ] || programs='spc-cat trace-filter'
# Those of the tests that changed, and the own ones of each room, which are few: the others are for make check.
tests=$(for file in $changed; do
	case $file in
	common/*.[ch] | cmd/*/*.[ch])
		room=${file%/*} room=${room##*/} room=${room#trace-}
		ls tests/bats/"$room".bats tests/bats/"$room"-*.bats 2> /dev/null
		;;
	tests/bats/*.bats) [ ! -f "$file" ] || echo "$file" ;;
	esac
done | sort -u | grep -v '^tests/bats/\(contract\|net\|failure\|hostile\)\.bats$')
# shellcheck disable=SC2086  # words
SPOOR_QUICK=1 SPOOR_PROGRAMS=$programs sh tests/make/check.sh -q tests/cases/*.sh tests/bats/contract.bats $tests || status=1
exit $status
