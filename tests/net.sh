#!/bin/sh
# shellcheck disable=SC1090,SC2034,SC2086,SC2317,SC3045
# net.sh [--write | --keep DIR | --first [DIR] | --only [DIR] | --inputs DIR | --slow]: what the programs print, on one
# line for each command of tests/net.d, held against tests/net.sums. This is no oracle: nothing says that a sum stands
# for the right answer. It only notices that something changed, which is what a change of the code's inner structure
# must not do. Where a change is meant, write the file anew with --write, which prints the commands that changed: read
# them. The commands were chosen by the branches that they take and no other test takes; beside these, each way of
# reading and counting has a few.
#
#	STATUS SUM SUM KEY
#
# The sums are those of standard output and of messages, `-' where there are none; the key is a sum of the command's
# own text. A command runs in a folder with the inputs of all parts. --keep leaves there what each command printed
# (N.out, N.err), so that two trees can be compared; --first ends with the first batch that differs. --inputs only
# makes the inputs, in a new folder, from which --first may take them: then they are what another tree made. Commands
# that match the regular expression $FIRST come first; with --only no others run. --slow prints the 40 commands that
# took the most CPU seconds, for who shrinks one.
set -u
ROOT=$(cd "$(dirname "$0")/.." && pwd)
FIX=$ROOT/tests/fixtures
CORPUS=$ROOT/tests/fuzz/corpus
PATH=${BIN:-$ROOT/bin}:$PATH
LC_ALL=C
export LC_ALL PATH
unset NO_COLOR 2> /dev/null
umask 022
BATCHES=48
write='' keep='' first='' only='' made='' make='' slow=''
case ${1-} in
--write) write=1 ;;
--keep) keep=$2 ;;
--first) first=1 made=${2-} ;;
--only) only=1 made=${2-} ;;
--inputs) make=$2 ;;
--slow) slow=1 ;;
'') ;;
*)
	sed -n '3,17s/^#[ 	]\{0,1\}//p' "$0"
	exit 2
	;;
esac
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 2' HUP INT TERM
TMPDIR=$work
export TMPDIR

compile() { # NAME SOURCE [ARGUMENTS]
	name=$1
	shift
	${CC:-cc} -std=c11 -w -O0 -D_XOPEN_SOURCE=700 -I"$ROOT/common" -I"$ROOT/tests/bench" -o "$work/$name" "$@" || exit 2
}

# each FILES COMMAND...: the command once for each file (patterns are open), and how it ended. Of more than 40, which are
# one file with a byte changed here and there, once for 16 of them, and then once for all.
each() {
	list=$1 files=0 at=0
	shift
	for file in $list; do
		files=$((files + 1))
	done
	step=$(((files + 15) / 16))
	for file in $list; do
		at=$((at + 1))
		[ $files -le 40 ] || [ $((at % step)) = 1 ] || continue
		"$@" "$file"
		ended "$file" $?
	done
	if [ $files -gt 40 ]; then
		"$@" $list
		ended all $?
	fi
}

ended() { # WHAT STATUS
	case $2 in
	0) ;;
	137 | 152) exit "$2" ;; # no time left
	*) echo "$1: $2" >&2 ;;
	esac
}

# merged N FILE OPTIONS...: partials of N parts of a file, merged; must be what there is without.
merged() {
	n=$1 file=$2 k=0
	shift 2
	rm -f tmp.*
	while [ $((k += 1)) -le "$n" ]; do
		trace-stats -p "$@" --chunk $k/$n "$file" > tmp.$k || echo "$k: $?" >&2
	done
	cat tmp.1
	trace-stats -m -p tmp.*
	trace-stats -m tmp.* > tmp
	trace-stats "$@" "$file" | cmp -s tmp || cat tmp
}

p() { # COMMAND
	printf '%s\n' "$*"
}

# The parts. Each has inputs_PART, which those behind it may use, and commands_PART, a line each.
PARTS='readers values convert_dumpi edges export'
for part in $PARTS; do
	. "$ROOT/tests/net.d/$part.sh"
done

# Runs them, in batches that each have some of all kinds, by as many shells as there are processors.

run() { # SHELL SHELLS < numbered commands
	cd "$work/in.$1" || exit 2
	ulimit -t 10 # no command takes long
	ulimit -f 2000000
	while IFS=' ' read -r n line; do
		[ $((n / BATCHES % $2)) = "$1" ] || continue
		(eval "$line") > "$work/got/$n.out" 2> "$work/got/$n.err" < /dev/null
		got=$?
		[ ! "$slow" ] || { echo "command $n"; times; } >> "$work/times.$1"
		echo "$n $got" >> "$work/status.$1"
		case $got in 137 | 152) break ;; esac
	done
}

sums() { # the lines of tests/net.sums of those that ran
	(cd "$work/got" && find . -type f -exec cksum {} +) | awk -v status="$work/status" '
	FILENAME == "-" {
		split(substr($3, 3), name, ".")
		sum[name[1], name[2]] = $2 ? $1 : "-"
		next
	}
	FILENAME ~ /status/ { ended[$1] = $2; next }
	BEGIN { for (i = 1; i < 256; i++) ord[sprintf("%c", i)] = i }
	function key(text, h, i) {
		for (i = length(text); i; i--) h = (h * 31 + ord[substr(text, i, 1)]) % 4294967291
		return h
	}
	{ n = $1; sub(/^[0-9]* /, "") }
	# (Written by hand: mawk prints a number above 2^31 as 3.02e+09.)
	n in ended { print n, ended[n], sum[n, "out"], sum[n, "err"], sprintf("%.0f", key($0)), $0 }' - "$work"/status.* "$work/commands" |
		sort -n
}

# other: of these lines those that tests/net.sums does not have, without their numbers and keys.
other() {
	awk 'FILENAME != "-" { known[$0]; next }
	!(($2 " " $3 " " $4 " " $5) in known) { sub(/^[0-9]* /, ""); sub(" " $4 " ", " "); print }' "$ROOT/tests/net.sums" -
}

mkdir "$work/in" "$work/got"
cd "$work/in" || exit 2
[ "$made" ] || for part in $PARTS; do inputs_$part; done
if [ "$make" ]; then
	mv "$work/in" "$make"
	exit
fi
for part in $PARTS; do commands_$part; done | awk '{ print NR, $0 }' > "$work/commands"
# Each in a folder of its own.
cpus=$(getconf _NPROCESSORS_ONLN 2> /dev/null) || cpus=1
i=0
while [ $i -lt "$cpus" ]; do
	cp -RPl "${made:-$work/in}" "$work/in.$i" 2> /dev/null || cp -RP "${made:-$work/in}" "$work/in.$i"
	i=$((i + 1))
done
cd "$ROOT" || exit 2
awk -v of=$BATCHES -v only=$only 'only && $0 !~ ENVIRON["FIRST"] { next }
	{ print ENVIRON["FIRST"] == "" || $0 !~ ENVIRON["FIRST"], $1 % of, $0 }' "$work/commands" |
	sort -k1,1n -k2,2n -k3,3n | cut -d' ' -f3- > "$work/order"
batch=0 size=$(($(wc -l < "$work/order") / BATCHES + 1))
while [ $batch -lt $BATCHES ]; do
	awk -v from=$((batch * size)) -v to=$(((batch + 1) * size)) 'NR > from && NR <= to' "$work/order" > "$work/batch"
	i=0
	while [ $i -lt "$cpus" ]; do
		: >> "$work/status.$i"
		run $i "$cpus" < "$work/batch" &
		i=$((i + 1))
	done
	wait
	batch=$((batch + 1))
	if [ "$first" ]; then
		sums | other | head -3 | grep . && exit 1
		rm -rf "$work/got" "$work"/status.*
		mkdir "$work/got"
	fi
done
if [ "$slow" ]; then
	# Of each command the shell's own times, then those of its processes, added up since the batch began.
	awk 'function seconds(s, t) { split(s, t, "[ms]"); return t[1] * 60 + t[2] }
		FILENAME ~ /commands$/ { n = $1; sub(/^[0-9]* /, ""); text[n] = $0; next }
		$1 == "command" { n = $2; line = 0; next }
		++line == 2 {
			all = seconds($1) + seconds($2)
			printf "%.2f %s\n", all < was ? all : all - was, text[n]
			was = all
		}' "$work/commands" "$work"/times.* | sort -rn | cut -c1-150 | head -n 40
	exit
fi
[ ! "$first" ] || exit 0
sums > "$work/sums"
if [ "$only" ]; then
	other < "$work/sums" | grep . && exit 1
	exit 0
fi
if [ "$keep" ]; then
	mkdir -p "$keep"
	cp "$work/got"/* "$keep"
	cp "$work/sums" "$keep/sums"
fi
cut -d' ' -f2-5 "$work/sums" > "$work/new"
! cmp -s "$ROOT/tests/net.sums" "$work/new" || exit 0
other < "$work/sums" > "$work/other"
head -${MOST:-40} "$work/other"
echo "net: $(wc -l < "$work/other") of $(wc -l < "$work/new") commands print other things or are new; there were $(wc -l < "$ROOT/tests/net.sums")" >&2
[ "$write" ] || exit 1
cp "$work/new" "$ROOT/tests/net.sums"
