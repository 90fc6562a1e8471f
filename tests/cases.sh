#!/bin/sh
# cases.sh [FILE...]: the one-line cases of tests/cases/*.sh; prints them as the Test Anything Protocol has it.
#
#	try NAME COMMAND [OUTPUT [MESSAGES [STATUS [INPUT]]]]
#
# runs COMMAND, a line for sh, in a folder with the sample traces (tests/make/examples.sh), with INPUT on
# standard input. It must end with STATUS (0), print OUTPUT to the byte, and say MESSAGES: a pattern as those
# of case for each line on its standard error, '' = nothing at all. In INPUT and OUTPUT \t, \n and \\ mean
# what they mean to printf; an OUTPUT that does not end with \n is completed by one, '' is none at all, and *
# stands for any. In MESSAGES \n ends a line, and ? stands for a backslash as for every byte.
# $FIX is tests/fixtures. All cases of a file share the folder: what stands between them makes their files.
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

# said MESSAGES: as many lines come in as there are patterns, and each is like its own.
said() {
	rest=$1
	while IFS= read -r line || [ "$line" ]; do
		# shellcheck disable=SC2254  # a pattern
		case $line in ${rest%%'\n'*}) ;; *) return 1 ;; esac
		case $rest in *'\n'*) rest=${rest#*'\n'} ;; *) rest='' ;; esac
	done
	[ ! "$rest" ]
}

try() {
	n=$((n + 1)) why=
	printf '%b' "${6-}" > "$work/in"
	case ${3-} in '' | *'\n') printf '%b' "${3-}" ;; *) printf '%b\n' "$3" ;; esac > "$work/want"
	(eval "$2") < "$work/in" > "$work/out" 2> "$work/err"
	status=$?
	[ "$status" = "${5:-0}" ] || why="status $status, not ${5:-0}"
	[ "${3-}" = '*' ] || cmp -s "$work/want" "$work/out" || why="$why; another output"
	said "${4-}" < "$work/err" || why="$why; other messages than: ${4:-none}"
	if [ ! "$why" ]; then
		echo "ok $n $file: $1"
		return
	fi
	failed=$((failed + 1))
	echo "not ok $n $file: $1"
	printf '%s\n' "# ${why#; }: $2"
	[ "${3-}" = '*' ] || show expected "$work/want"
	show printed "$work/out"
	show said "$work/err"
}

[ $# -gt 0 ] || set -- "$ROOT"/tests/cases/*.sh
echo "1..$(cat "$@" | grep -c '^try ')"
for path; do
	file=$(basename "$path" .sh)
	sh "$ROOT/tests/make/examples.sh" "$work/$file.d" || exit 2
	case $path in /*) ;; *) path=$start/$path ;; esac
	cd "$work/$file.d" || exit 2
	# shellcheck disable=SC1090  # the cases
	. "$path"
done
[ "$failed" = 0 ]
