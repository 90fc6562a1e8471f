#!/bin/sh
# make check: every test. Ends with one line, "N passed, N failed[, N skipped]".
# Usage: check.sh [FILE.bats...]
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
[ $# -gt 0 ] || set -- tests/*.bats
log=$(mktemp)
trap 'rm -f "$log"' EXIT
status=0
bats --tap "$@" > "$log" 2>&1 || status=$?
grep -v '^1\.\.' "$log"
passed=$(grep -c '^ok ' "$log") || :
skipped=$(grep -c '^ok .* # skip' "$log") || :
failed=$(grep -c '^not ok ' "$log") || :
planned=$(sed -n 's/^1\.\.//p' "$log")
# A test that never reported, and a runner that died, have failed.
missing=$((${planned:-1} - passed - failed))
[ "$missing" -le 0 ] || failed=$((failed + missing))
[ "$status" = 0 ] || [ "$failed" != 0 ] || failed=1
line="$((passed - skipped)) passed, $failed failed"
[ "$skipped" = 0 ] || line="$line, $skipped skipped"
echo "$line"
[ "$failed" = 0 ]
