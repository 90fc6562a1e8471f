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

# A process takes longer than what most cases do: so a case starts none, and `judge` compares the outputs
# of all cases of a file at once.
try() {
	n=$((n + 1)) why=
	printf '%b' "${6-}" > "$work/in"
	[ "${3-}" = '*' ] ||
		case ${3-} in '' | *'\n') printf '%b' "${3-}" ;; *) printf '%b\n' "$3" ;; esac > "$work/want/$n"
	(eval "$2") < "$work/in" > "$work/out/$n" 2> "$work/err"
	status=$?
	[ "$status" = "${5:-0}" ] || why="status $status, not ${5:-0}"
	[ "$status" != 124 ] || why="$why: it ran into its time limit"
	said "${4-}" < "$work/err" || why="$why; other messages than: ${4:-none}"
	printf '%s\n' "$1" > "$work/names/$n"
	[ ! "$why" ] || { printf '%s\n' "# ${why#; }: $2"; show said "$work/err"; } > "$work/whys/$n"
}

# judge FROM: prints how the cases from that number on ended.
judge() {
	differ=' '
	for i in $(LC_ALL=C diff -rq "$work/want" "$work/out" | sed -n 's|^Files .*/want/\([0-9]*\) and .*|\1|p'); do
		differ="$differ$i "
	done
	i=$1
	while [ "$i" -le "$n" ]; do
		read -r name < "$work/names/$i"
		bad=
		case $differ in *" $i "*) bad=1 ;; esac
		if [ ! "$bad" ] && [ ! -f "$work/whys/$i" ]; then
			echo "ok $i $file: $name"
		else
			failed=$((failed + 1))
			echo "not ok $i $file: $name"
			[ ! -f "$work/whys/$i" ] || cat "$work/whys/$i"
			if [ "$bad" ]; then
				echo '# another output'
				show expected "$work/want/$i"
				show printed "$work/out/$i"
			fi
		fi
		i=$((i + 1))
	done
	rm -rf "$work/want" "$work/out"
}

[ $# -gt 0 ] || set -- "$ROOT"/tests/cases/*.sh
mkdir "$work/names" "$work/whys"
for path; do
	file=$(basename "$path" .sh)
	mkdir "$work/want" "$work/out"
	sh "$ROOT/tests/make/examples.sh" "$work/$file.d" || exit 2
	case $path in /*) ;; *) path=$start/$path ;; esac
	cd "$work/$file.d" || exit 2
	begun=$((n + 1))
	# shellcheck disable=SC1090  # the cases
	. "$path"
	judge "$begun"
done
echo "1..$n"
[ "$failed" = 0 ]
