#!/bin/sh
# make check: every test. Ends with one line, "N passed, N failed[, N skipped]".
# Usage: check.sh [FILE.bats... tests/cases/FILE.sh...]
set -eu
cd "$(dirname "$0")/../.."
if ! command -v bats >/dev/null; then
	if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
		echo 'installing bats' >&2
		{ apt-get update && apt-get install -y --no-install-recommends bats; } >/dev/null 2>&1 || :
	fi
	command -v bats >/dev/null || {
		echo 'check: bats (bats-core) is needed: install the package bats' >&2
		exit 2
	}
fi
# What is linked with sanitizers takes 5 MB each, and is linked anew in seconds: only its objects stay.
linked=
[ $# -gt 0 ] || { linked='build/asan/bin build/asan/fuzz_*'; set -- tests/cases/*.sh tests/*.bats; }
log=$(mktemp)
# shellcheck disable=SC2064  # now is meant
trap "rm -rf '$log' $linked" EXIT
trap 'exit 2' HUP INT TERM
# The one-line cases, then what takes longer.
tests() {
	failed=0 cases=''
	for file; do
		shift
		case $file in *.sh) cases="$cases $file" ;; *) set -- "$@" "$file" ;; esac
	done
	# shellcheck disable=SC2086  # no blanks in our names
	[ ! "$cases" ] || sh tests/cases.sh $cases || failed=1
	[ $# -eq 0 ] || bats --tap "$@" || failed=1
	return "$failed"
}
# A line as soon as there is one (not every awk would); the last one is the status.
{ tests "$@" 2>&1 && echo 'bats ended: 0' || echo 'bats ended: 1'; } | while IFS= read -r line; do
	printf '%s\n' "$line" >&3
	case $line in
	1..*) echo "${line#1..} tests" ;;
	'bats ended: '*) ;;
	*) printf '%s\n' "$line" ;;
	esac
done 3> "$log"
status=$(sed -n 's/^bats ended: //p' "$log" | tail -1)
passed=$(grep -c '^ok ' "$log") || :
skipped=$(grep -c '^ok .* # skip' "$log") || :
failed=$(grep -c '^not ok ' "$log") || :
planned=$(awk -F '[.][.]' '/^1[.][.]/ { n += $2 } END { print n }' "$log")
# A test that never reported, and a runner that died, have failed.
missing=$((${planned:-1} - passed - failed))
[ "$missing" -le 0 ] || failed=$((failed + missing))
[ "$status" = 0 ] || [ "$failed" != 0 ] || failed=1
line="$((passed - skipped)) passed, $failed failed"
[ "$skipped" = 0 ] || line="$line, $skipped skipped"
echo "$line"
[ "$failed" = 0 ]
