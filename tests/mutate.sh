#!/bin/sh
# mutate.sh [--list | --net] N SEED [FILE...] | [--net] --from LIST: N mutants, each of them one token of common/ and cmd/ (or of
# these files) changed: < to <=, && to ||, 7 to 8. Each is built in a copy of the tree, incrementally, and run against
# tests/net.sh, then, unless --net is given, the tests of its room, up to the first that fails. One that
# nothing notices has survived and is listed; one that only ran into a time limit counts for nothing. The same SEED
# gives the same mutants, spread over all places there are, in the order of the files. Mutants that do not
# build, or that give the same programs, do not count. The last line is the sum; the status is 1 if more than
# a tenth survived: some change nothing that anybody could see. With --list it only says what it would change;
# with --from it changes what these lines say: those of one survivor, or so many of each room.
set -eu
list='' from='' net=''
[ "${1:-}" != --net ] || { net=1; shift; }
[ "${1:-}" != --list ] || { list=1; shift; }
[ "${1:-}" != --from ] || from=1
[ $# -ge 2 ] || { echo 'usage: mutate.sh [--list] N SEED [FILE...] | --from LIST' >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
most=$1 seed=$2
[ ! "$from" ] || { cp "$2" "$work/mutants"; most=$(wc -l < "$2"); }
shift 2
cd "$(dirname "$0")/.."
# shellcheck disable=SC2046  # no blanks in our names
[ $# -gt 0 ] || set -- $(find common cmd -name "*.[ch]" | LC_ALL=C sort)
trap 'exit 2' HUP INT TERM
tree=$work/tree

# tests_of FILE: the tests that a change of it should fail, the likeliest first.
tests_of() {
	room=${1%/*}
	room=${room##*/}
	room=${room#trace-}
	case $room in
	base) also='words val spc filter second stats ovni ovni-files charisma safe contract failure' ;;
	event) also='view schema filter words streams second spc stats ovni safe contract' ;;
	input) also='filter words streams second spc stats ovni safe contract' ;;
	expr) also='val engine derive filter words stream-edges' ;;
	stats | summary | work) also='stats summary partial tables computed requests shapes words charisma-report' ;;
	stream) also='streams stream-spec second filter' ;;
	output) also='rows tables streams stream-spec second filter' ;;
	cli) also='words options contract filter stream-edges stats' ;;
	charisma | dumpi | laplace | ovni | spc) also='streams summary' ;;
	*) also=streams ;;
	esac
	case $1 in
	*/sandbox.c) also=sandbox ;;
	*/merged*) also="merge-oracle merge-time $also" ;;
	*/atomic_file.c | */out.c) also="failure safe $also" ;;
	esac
	[ ! -f "$tree/tests/cases.sh" ] || echo cases
	for t in "$tree/tests/bats/$room.bats" "$tree/tests/bats/$room"-*.bats; do
		[ ! -f "$t" ] || basename "$t" .bats
	done
	for t in $also edges; do
		echo "$t"
	done
}

# candidates FILE...: FILE LINE COLUMN LENGTH REPLACEMENT of every token that can be changed, a line each.
candidates() {
	awk '
	BEGIN {
		n = split("<= < >= > == != && || + -", from, " ")
		split("< <= > >= != == || && - +", to, " ")
	}
	function emit(at, len, new) { print FILENAME, FNR, at, len, new }
	FNR == 1 { comment = macro = 0 }
	{
		line = $0
		was = macro || line ~ /^[ \t]*#/
		macro = was && line ~ /\\$/
		if (was || line ~ /static_assert/) next
		for (i = 1; i <= length(line); i++) {
			if (comment) {
				if (substr(line, i, 2) == "*/") { comment = 0; i++ }
				continue
			}
			c = substr(line, i, 1)
			if (substr(line, i, 2) == "/*") { comment = 1; i++; continue }
			if (substr(line, i, 2) == "//") break
			if (c == "\"" || c == "\047") {
				for (i++; i <= length(line) && substr(line, i, 1) != c; i++)
					if (substr(line, i, 1) == "\\") i++
				continue
			}
			rest = substr(line, i)
			if (match(rest, /^[A-Za-z_][A-Za-z_0-9]*/)) {
				word = substr(rest, 1, RLENGTH)
				if (word == "true") emit(i, 4, "false")
				else if (word == "false") emit(i, 5, "true")
				else if (word == "break") emit(i, 5, "continue")
				else if (word == "continue") emit(i, 8, "break")
				i += length(word) - 1
				continue
			}
			if (match(rest, /^[0-9][0-9A-Za-z_.]*/)) {
				word = substr(rest, 1, RLENGTH)
				if (word ~ /^[0-9]+$/ && length(word) < 10)
					emit(i, length(word), word == 1 ? 0 : word + 1)
				i += length(word) - 1
				continue
			}
			if (substr(line, i - 1, 1) != " " && substr(line, i - 1, 1) != "\t") continue
			for (k = 1; k <= n; k++)
				if (substr(rest, 1, length(from[k]) + 1) == from[k] " ") {
					emit(i, length(from[k]), to[k])
					i += length(from[k]) - 1
					break
				}
			if (c == "!" && rest ~ /^![a-z_(]/) emit(i, 1, "!!")
		}
	}' "$@"
}

# chosen: of the candidates one in each of N equal shares.
chosen() {
	awk -v most="$most" -v seed="$seed" '
	{ line[n++] = $0 }
	END {
		x = seed % 2147483646 + 1
		for (i = 0; i < most && n > 0; i++) {
			x = x * 16807 % 2147483647
			from = int(i * n / most)
			to = int((i + 1) * n / most)
			print line[from + (to > from ? x % (to - from) : 0)]
		}
	}'
}

# build [FILE]: the programs of the copy, in which FILE has changed; false where they do not build. They share a
# library, so that little is compiled and linked anew; what it was made of is kept as *.o.sound.
build() {
	(
		cd "$tree"
		set -- ${1:+$(find build/common build/cmd -name "*.d" -exec grep -lwF "$1" {} +)}
		if [ $# = 0 ]; then
			${MAKE:-make} -s WARN=-w KNOWN= CFLAGS='-O1 -fPIC' all
			# shellcheck disable=SC2046  # no blanks in our names
			set -- $(mains | sed "s/$/.o.d/")
		fi
		for d; do
			o=${d%.d} c=${d#build/}
			[ ! -f build/libspoor.so ] || mv "$o" "$o.sound"
			[ -f "$o" ] || cc_ -c -o "$o" "${c%.o.d}.c" || exit
		done
		# shellcheck disable=SC2046  # no blanks in our names
		cc_ -shared -Wl,-soname,libspoor.so -o build/libspoor.so $(shared) -lm || exit
		# shellcheck disable=SC2046
		${AR:-ar} rc build/libspoor.a $(shared)
		for d; do
			c=${d%.o.d}
			! mains | grep -qx "$c" || cc_ -o "bin/${c##*/}" "$c.o" build/libspoor.so "-Wl,-rpath,$tree/build" || exit
		done
	) > "$work/log" 2>&1
}

# mains: the objects with a main(), without .o; shared: all others.
mains() {
	find build/cmd -name '*.o.d' | sed 's/\.o\.d$//' | awk -F / 'NF == 3 || (NF == 4 && $3 == $4)'
}

shared() {
	mains > "$work/mains"
	find build/common build/cmd -name '*.o' | sed 's/\.o$//' | grep -vxF -f "$work/mains" | sed 's/$/.o/'
}

cc_() {
	${CC:-cc} -std=c11 -D_XOPEN_SOURCE=700 -D_FILE_OFFSET_BITS=64 -DSPOOR_VERSION='"0.1"' -Icommon -Icmd/lib -Icmd -pthread -w -O1 -fPIC "$@"
}

# same: whether what was compiled anew is what it was.
same() {
	find "$tree/build" -name '*.sound' | while read -r o; do
		cmp -s "$o" "${o%.sound}" || return 1
	done
}

# restore FILE: the copy without a mutation.
restore() {
	cp "$1" "$tree/$1"
	find "$tree/build" -name '*.sound' > "$work/sound"
	while read -r o; do
		mv "$o" "${o%.sound}"
	done < "$work/sound"
	(
		cd "$tree"
		# shellcheck disable=SC2046  # no blanks in our names
		cc_ -shared -Wl,-soname,libspoor.so -o build/libspoor.so $(shared) -lm || exit
		# shellcheck disable=SC2046
		${AR:-ar} rc build/libspoor.a $(shared)
		mains | while read -r c; do
			! grep -qxF "$tree/$c.o.sound" "$work/sound" ||
				cc_ -o "bin/${c##*/}" "$c.o" build/libspoor.so "-Wl,-rpath,$tree/build"
		done
	)
}

# ran TEST SECONDS: runs a file of tests in the copy, or all one-line cases, those that pass into $work/got. With a list
# of those that should, $work/passed.TEST, it ends at the first that does not. Whether it ran into the time limit is
# $late: that proves nothing. No file grows without end.
ran() {
	rm -f "$work/tap"
	late=
	mkfifo "$work/tap"
	: > "$work/got"
	case $1 in
	cases) run='sh tests/cases.sh' ;;
	*) run="bats --tap tests/bats/$1.bats" ;;
	esac
	# shellcheck disable=SC2086  # words
	(ulimit -f 67108864; cd "$tree" && exec timeout -k 5 "$2" $run) \
		> "$work/tap" 2> "$work/log" < /dev/null &
	pid=$!
	while read -r said; do
		case $said in
		'ok '*) printf '%s\n' "${said#ok * }" >> "$work/got" ;;
		'not ok '*)
			[ -f "$work/passed.$1" ] || continue
			! grep -Fqx -e "${said#not ok * }" "$work/passed.$1" || { kill "$pid" 2> /dev/null || :; break; }
			;;
		esac
	done < "$work/tap"
	wait "$pid" 2> /dev/null || case $? in 124 | 137) late=1 ;; esac
}

# passes FILE: whether all tests of its room pass that pass without a mutation. If not, the first that
# does not is $missed.
passes() {
	for t in $(tests_of "$1"); do
		[ -f "$work/passed.$t" ] || continue
		ran "$t" "$(cat "$work/seconds.$t")"
		[ ! "$late" ] || return 1
		missed=$(awk 'FILENAME == ARGV[1] { got[$0]; next } !($0 in got) { print; exit }' "$work/got" "$work/passed.$t")
		[ ! "$missed" ] || return 1
	done
}

# likely FILE: which commands of tests/net.sh a change of it should reach, as a regular expression.
likely() {
	case $1 in
	*/charisma/*) echo '[.]chr|layout' ;;
	*/dumpi/*) echo '[.]bin|[.]meta|dumpi' ;;
	*/laplace/*) echo 'ref|kern|laplace|tags' ;;
	*/ovni/*) echo 'ovni|obs|states|tasks|js/|off[.]|linked|ro/' ;;
	*/spc/*) echo '[.]spc|spc' ;;
	*/stats/* | */summary/* | */lib/work*) echo 'trace-stats|table|merged' ;;
	*/expr/*) echo 'defined|each_test|listed|of_ticks|asks|corpus/expr|trace-derive' ;;
	*/pair/*) echo 'pair' ;;
	*/stream/*) echo 'txt|[.]b|writer|streams|blocks' ;;
	*/output/*) echo '-b|-o|-S|csv' ;;
	esac
}

# in_net FILE: whether all commands of tests/net.sh print what they print without a mutation. If not, $missed is
# the first of those that do not.
in_net() {
	[ -f "$tree/tests/net.sh" ] || return 0
	got=0
	(cd "$tree" && FIRST=$(likely "$1") timeout -k 5 1800 sh tests/net.sh --first "$work/inputs") > "$work/got" 2> "$work/log" || got=$?
	late=
	[ "$got" != 124 ] || late=1
	missed=$(head -1 "$work/got")
	[ "$missed" ] || missed="status $got"
	[ $got = 0 ]
}

# sound FILE: runs the tests of its room that have not yet run, without a mutation. With one they may take
# three times as long.
sound() {
	for t in $(tests_of "$1"); do
		if [ "$t" != cases ] && [ ! -f "$tree/tests/bats/$t.bats" ]; then continue; fi
		[ ! -f "$work/passed.$t" ] || continue
		began=$(date +%s)
		ran "$t" 900
		mv "$work/got" "$work/passed.$t"
		[ -s "$work/passed.$t" ] || { cat "$work/log" >&2; echo "mutate: no test of $t passes" >&2; exit 2; }
		echo $((3 * ($(date +%s) - began) + 10)) > "$work/seconds.$t"
		echo "$t: $(wc -l < "$work/passed.$t") tests pass without a mutation"
	done
}

[ "$from" ] || candidates "$@" | chosen > "$work/mutants"
if [ "$list" ]; then
	cat "$work/mutants"
	exit
fi
SPOOR_TRACES=${SPOOR_TRACES:-$PWD/../shared/traces}
export SPOOR_TRACES
# This is no part of a make that runs it.
unset MAKEFLAGS MFLAGS MAKELEVEL
mkdir "$tree"
tar -cf - --exclude=./build --exclude=./bin --exclude=./.git . | tar -xf - -C "$tree"
build || { cat "$work/log" >&2; echo 'mutate: the tree does not build' >&2; exit 2; }
# The net's inputs are made once, by programs without a mutation.
[ ! -f "$tree/tests/net.sh" ] || (cd "$tree" && sh tests/net.sh --write && sh tests/net.sh --inputs "$work/inputs") || exit 2
n=0 killed=0 survived=0 same=0 broken=0 stopped=0
while read -r file line at len new; do
	n=$((n + 1))
	[ "$net" ] || sound "$file"
	awk -v line="$line" -v at="$at" -v len="$len" -v new="$new" '
		FNR == line { $0 = substr($0, 1, at - 1) new substr($0, at + len) }
		{ print }' "$file" > "$tree/$file"
	was=$(sed -n "${line}p" "$file" | cut -c"$at-$((at + len - 1))")
	what="$file:$line: $was -> $new"
	if ! build "$file"; then
		broken=$((broken + 1)) how='does not build'
	elif same; then
		same=$((same + 1)) how='the same programs'
	elif t=the\ net && in_net "$file" && { [ "$net" ] || passes "$file"; }; then
		survived=$((survived + 1)) how=SURVIVED
		echo "$what |$(sed -n "${line}p" "$file")" >> "$work/survivors"
	elif [ "$late" ]; then
		stopped=$((stopped + 1)) how="ran into the time limit of $t"
	else
		killed=$((killed + 1)) how="died of $t: $missed"
	fi
	echo "$n of $most: $what: $how"
	restore "$file"
done < "$work/mutants"
[ ! -s "$work/survivors" ] || { echo 'survivors:'; cat "$work/survivors"; }
counted=$((killed + survived))
echo "$counted mutants that change a program: $killed died, $survived survived ($((counted ? 100 * killed / counted : 100)) %); $stopped ran into a time limit, $same change none, $broken do not build"
[ $((10 * survived)) -le "$counted" ]
