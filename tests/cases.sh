#!/bin/sh
# cases.sh [FILE...]: the one-line cases of tests/cases/*.sh; prints them as the Test Anything Protocol has it.
#
#	try NAME COMMAND [OUTPUT [MESSAGES [STATUS [INPUT]]]]
#
# runs COMMAND, a line for sh, in a folder with the sample traces (tests/make/examples.sh), with INPUT on
# standard input. It must end with STATUS (0), print OUTPUT to the byte, and say MESSAGES, an extended
# regular expression for its standard error ('' = nothing at all). In INPUT and OUTPUT \t, \n and \\ mean
# what they mean to printf; an OUTPUT that does not end with \n is completed by one, '' is none at all, and *
# stands for any. $FIX is tests/fixtures.
set -u
ROOT=$(cd "$(dirname "$0")/.." && pwd)
FIX=$ROOT/tests/fixtures
PATH=$ROOT/bin:$PATH
export LC_ALL=C FIX PATH
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 2' HUP INT TERM
n=0 failed=0 start=$PWD

show() { # WHAT FILE
	sed "s/^/#   $1: /" "$2" | head -10
}

try() {
	n=$((n + 1)) why=
	printf '%b' "${6-}" > "$work/in"
	printf '%b' "${3-}" > "$work/want"
	[ "${3:+x}" != x ] || [ "$(tail -c 1 "$work/want")" = '' ] || echo >> "$work/want"
	(eval "$2") < "$work/in" > "$work/out" 2> "$work/err"
	status=$?
	[ "$status" = "${5:-0}" ] || why="status $status, not ${5:-0}"
	[ "${3-}" = '*' ] || cmp -s "$work/want" "$work/out" || why="$why; another output"
	if [ "${4-}" ]; then
		grep -Eq -- "$4" "$work/err" || why="$why; no message like: $4"
	else
		[ ! -s "$work/err" ] || why="$why; a message"
	fi
	if [ ! "$why" ]; then
		echo "ok $n $file: $1"
		return
	fi
	failed=$((failed + 1))
	echo "not ok $n $file: $1"
	echo "# ${why#; }: $2"
	[ "${3-}" = '*' ] || show expected "$work/want"
	show printed "$work/out"
	show said "$work/err"
}

[ $# -gt 0 ] || set -- "$ROOT"/tests/cases/*.sh
echo "1..$(cat "$@" | grep -c '^try ')"
for path; do
	file=$(basename "$path" .sh)
	rm -rf "$work/here"
	sh "$ROOT/tests/make/examples.sh" "$work/here" || exit 2
	case $path in /*) ;; *) path=$start/$path ;; esac
	cd "$work/here" || exit 2
	# shellcheck disable=SC1090  # the cases
	. "$path"
done
[ "$failed" = 0 ]
