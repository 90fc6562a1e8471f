#!/bin/sh
# bounds.sh [small] [KIND...]: the worst inputs that we know how to build (tests/unit/worst.c), through every
# program: memory stays below a bound whatever the length, two and four times the input take about
# two and four times as long, and numbers chosen to collide at most three times as long as others. Prints a row for each. `small` is for make check: memory only, inputs of a few MB. With
# kinds, only these.
set -u
cd "$(dirname "$0")/.." || exit 2
small=
if [ "${1:-}" = small ]; then
	small=1
	shift
fi
only=" $* "
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cc=${CC:-cc}
for c in tests/unit/worst.c tests/unit/peak.c; do
	# shellcheck disable=SC2086  # CC may hold flags
	$cc -std=c11 -O2 -o "$dir/$(basename "$c" .c)" "$c" || exit 2
done
PATH=$dir:$PATH
bad=0 measured=
[ "$small" ] || printf '%-18s %11s %7s  %-24s %9s %8s\n' input n MB program 'CPU s' MiB

# Starting a process is most of what a small input costs: each program is asked once what it is, and its
# runs are judged by one awk for many.
expr='' stream='' target=''
for p in bin/*; do
	help=$("$p" --help)
	line=${help%%"
"*}
	case $line in *' EXPR'*) expr="$expr $p " ;; esac
	case $help in *"
  -t,"*) stream="$stream $p " ;; esac
	case $help in *'--counters LIST'*) target="$target $p " ;; esac
done
is() { # LIST PROG
	case $1 in *" $2 "*) return 0 ;; esac
	return 1
}

wanted() {
	[ "$only" = '  ' ] && return 0
	case $only in *" $1 "*) return 0 ;; esac
	return 1
}

# make_input KIND N PATH
make_input() {
	rm -rf "$3"
	case $1 in
	json-*)
		mkdir -p "$3/loom.l/proc.1/thread.1"
		worst "$1" "$2" > "$3/loom.l/proc.1/thread.1/stream.json" &&
			worst ovni-backwards 2 > "$3/loom.l/proc.1/thread.1/stream.obs"
		;;
	ovni-streams)
		mkdir -p "$3"
		worst ovni-backwards 2 > "$dir/stream" || exit 2
		seq "$2" | sed "s|^|$3/loom.l/proc.1/thread.|" | xargs mkdir -p
		for d in "$3"/loom.l/proc.1/*; do
			ln "$dir/stream" "$d/stream.obs" 2>/dev/null || cp "$dir/stream" "$d/stream.obs"
			echo "{\"version\":3,\"ovni\":{\"tid\":${d##*.},\"pid\":1,\"loom\":\"l\"}}" > "$d/stream.json"
		done
		;;
	dumpi-ranks)
		mkdir -p "$3/many"
		for i in $(seq "$2"); do
			cp tests/fixtures/dumpi/small-0002.bin "$3/many/r-$(printf %04d "$i").bin"
		done
		;;
	partial-*)
		printf '0.000000000\tl\te\t-\t-\t-\n' | bin/trace-stats -p -g loc -a count | head -1 > "$3"
		worst "$1" "$2" >> "$3"
		;;
	*-pages | *-wraps)
		if [ "${1#*-}" = pages ]; then
			printf '0,0,512,r,0.1\n0,1,512,r,0.2\n' | bin/trace-stats -f spc -p
		else
			printf '0.0\tl\te\t-\t1\t-\n' | bin/trace-stats --accuracy 16 -a 'p50(size)' -p
		fi | sed '/ pages /,$d; / value /,$d' > "$3"
		worst "$1" "$2" >> "$3"
		printf '~\tlines\t%d\n' $(($(wc -l < "$3") - 1)) >> "$3"
		;;
	*) worst "$1" "$2" > "$3" ;;
	esac || exit 2
}

# knows PROG INPUT: it reads that format at all. Of an input that is a file, the first bytes are in $dir/head.
knows() {
	if [ -d "$2" ]; then
		[ -d "$2/many" ] && set -- "$1" "$2/many/r-0001.bin"
		said=$("$1" ${ops:+'event?'} "$2" 2>&1 >/dev/null)
	else
		said=$("$1" ${ops:+'event?'} < "$dir/head" 2>&1 >/dev/null)
	fi
	case $said in
	*'no known format'* | *'this is '*', not'* | *'only '*' is read'* | *'Is a directory'* | \
		*'this is no '* | *'not an event'*) return 1 ;;
	esac
	return 0
}

# hold KIND N WHAT MIB GROWS PROG [OPTION...]: one program over both inputs. GROWS: bytes that each of N
# may take besides.
hold() {
	kind=$1 n=$2 what=$3 most=$4 grows=$5 prog=$6
	shift 6
	measured="$measured ${prog##*/} "
	if ! runs=$(peak "$dir" one two four random -- "$prog" "$@"); then
		echo "$kind $n: $what: a signal, or no end"
		bad=1
		return
	fi
	echo "$kind	$((n * 4))	$bytes	$what	$((most + n * 4 * grows / 1048576))	${steady:-0}	$runs" >> "$dir/rows"
	[ "$small" ] || judge
}

# judge: all that was measured since the last time.
judge() {
	[ -e "$dir/rows" ] || return 0
	awk -F'\t' -v small="$small" '{
		kind = $1; n = $2; bytes = $3; prog = $4; most = $5; steady = $6
		# Seconds and KiB of one, two, four and random.
		split($7, r, " ")
		why = ""
		if (r[6] / 1024 > most) why = why "  MORE THAN " most " MiB"
		# A small input: what does not grow with it stays about as it is.
		if (small && steady && r[6] > 2 * r[2] + 18432) why = why "  GROWS FROM " r[2] / 1024
		if (!small && (r[3] != "-" ? r[3] > 3 * r[1] + 0.3 || r[5] > 3 * r[3] + 0.3 : r[5] > 6 * r[1] + 0.3))
			why = why "  NOT LINEAR: " r[1] " s for a quarter, " r[3] " for a half"
		if (r[7] != "-" && r[5] > 3 * r[7] + 0.1) why = why "  MORE THAN 3 TIMES THAT"
		if (!small || why)
			printf "%-18s %11.0f %7.0f  %-24s %9.2f %8.1f%s%s\n", kind, n, bytes / 1e6, prog, r[5],
				r[6] / 1024, r[7] != "-" ? sprintf("  random: %.2f s", r[7]) : "", why
		if (why) bad = 1
	} END { exit bad }' "$dir/rows" || bad=1
	rm "$dir/rows"
}

# inputs KIND N: N, twice and four times N; where only memory is measured, not twice.
inputs() {
	make_input "$1" "$2" "$dir/one"
	rm -rf "$dir/two"
	[ "$small" ] || make_input "$1" "$(($2 * 2))" "$dir/two"
	make_input "$1" "$(($2 * 4))" "$dir/four"
	bytes=$(du -sb "$dir/four" 2>/dev/null) || :
	bytes=${bytes%%	*}
	bytes=${bytes:-0}
}

# in_turn PROG: in a short run the decoders, trace-filter and trace-stats read every kind; each other program
# every third, so that each meets some of all. (make check-full: every program, every kind.)
turn=0 kinds=0
in_turn() {
	[ "$small" ] || return 0
	case $1 in
	*/trace-filter | */trace-stats) return 0 ;;
	*/trace-*) turn=$((turn + 1)); [ $(((turn + kinds) % 3)) = 0 ] ;;
	*) return 0 ;;
	esac
}

# row KIND N [MIB]: all programs that know the format; the bound of memory is 64 MiB, of a binary stream
# 256. trace-stats has no form of event stream to write: its report keeps to 64 MiB, a table of the
# locations takes what its rows take.
row() {
	wanted "$1" || return 0
	inputs "$1" "$2"
	[ -d "$dir/one" ] || head -c 4000 "$dir/one" > "$dir/head"
	turn=0 kinds=$((kinds + 1))
	for p in bin/*; do
		in_turn "$p" || continue
		ops=
		is "$expr" "$p" && ops=1
		knows "$p" "$dir/one" || continue
		name=${p##*/} steady=1
		# They read no trace themselves.
		case $name in trace-advise | trace-diff) continue ;; esac
		if [ "$name" = trace-access ]; then
			# Files, opens and jobs are kept, and the nodes of each: 65,535 a load.
			steady=
			case $1 in charisma-load) grows=$((65535 * 130)) ;; *) grows=1200 ;; esac
			hold "$1" "$2" "$name" "${3:-64}" "$grows" "$p"
		elif [ "$name" = trace-check ]; then
			# Places are texts of the input.
			steady=
			hold "$1" "$2" "$name" "${3:-64}" 200 "$p" -W all
		elif [ "$name" = trace-match ]; then
			# Each location is a rank.
			steady=
			case $1 in charisma-load) grows=$((65535 * 200)) ;; *) grows=200 ;; esac
			hold "$1" "$2" "$name" "${3:-64}" "$grows" "$p"
		elif [ "$ops" ]; then
			hold "$1" "$2" "$name" "${3:-64}" 0 "$p" 'size > 1 or loc ~ zz or nosuch = 7'
		elif is "$stream" "$p"; then
			hold "$1" "$2" "$name" "${3:-64}" 0 "$p"
		elif is "$target" "$p"; then
			steady=
			hold "$1" "$2" "$name" "${3:-64}" 300 "$p"
		else
			steady=
			hold "$1" "$2" "$name -g loc" "${3:-64}" 160 "$p" -g loc -a count
			# The report has a table of the files of CHARISMA besides.
			case $1 in charisma-*) files=80 ;; *) files=0 ;; esac
			hold "$1" "$2" "$name" "$((${3:-64} + files))" 0 "$p"
		fi
		steady=
	done
}

# chosen KIND N COMMAND...: numbers that were chosen to collide (worst chosen-KIND), in each of the
# commands; and 4N that were not (worst random-KIND): the chosen ones may take three times as long.
chosen() {
	wanted "chosen-$1" || return 0
	table=$1 quarter=$2
	shift 2
	inputs "chosen-$table" "$quarter"
	[ "$small" ] || make_input "random-$table" "$((quarter * 4))" "$dir/random"
	for command; do
		# shellcheck disable=SC2086  # a program and its options
		hold "chosen-$table" "$quarter" "${command#trace-}" 64 0 bin/$command
	done
	rm -rf "$dir/random"
}

# merge KIND N GROWS: a partial.
merge() {
	wanted "$1" || return 0
	inputs "$1" "$2"
	hold "$1" "$2" 'trace-stats -m' 64 "$3" bin/trace-stats -m
}

# expression KIND N: of about 32 N bytes, and of four times as many, through the harness, which parses
# it, and runs it over some events of each form: an argument of a program is 128 KiB long at most.
expression() {
	wanted "$1" || return 0
	rm -rf "$dir/one" "$dir/two" "$dir/four"
	for k in one two four; do
		n=$2
		[ $k != two ] || n=$(($2 * 2))
		[ $k != four ] || n=$(($2 * 4))
		awk -v kind="$1" -v n="$n" 'function part() {
				if (kind == "expr-open") return "(((((((((((((((((((((((((((((((("
				if (kind == "expr-not") return "not not not not not not not not "
				if (kind == "expr-tests") return (i ? "or " : "") "  size = " i * 7 " and k1 = 5 or addr = " i " "
				if (kind == "expr-set") return (i ? "," : "size in {") " " 1000000 * i ".." 1000000 * i + 7
				if (kind == "expr-glob") return "*a?b[x-z]*cdefghijklmnopqrstuvw*"
				return "7777777777777777aaaaaaaaaaaaaaaa"
			}
			BEGIN {
			for (i = 0; i < n; i++)
				printf "%s", part()
			if (kind == "expr-set") printf "}" }' > "$dir/$k"
	done
	bytes=$(wc -c < "$dir/four")
	[ ! "$small" ] || rm "$dir/two"
	hold "$1" "$2" 'an expression' 64 0 build/fuzz_expr
}

# claims FILE BYTES: the first bytes of a file, with every four of them set to 2^32-1 and to 2^31-1.
claims() {
	wanted claims || return 0
	head -c "$2" "$1" > "$dir/one"
	cp "$dir/one" "$dir/four"
	rm -rf "$dir/two"
	bytes=$2
	harness=$(basename "$(dirname "$1")")
	hold "claims: $harness" 0 'the reader' 64 0 "build/fuzz_$harness" -w
}

# Numbers are a quarter of what is meant.
if [ "$small" ]; then
	mb=1000000 k=5000 some=5
else
	mb=250000000 k=250000 some=125
fi
row text-line $mb
row text-fields $mb
row text-locations $((k * 10))
row text-events $k
row text-names $k
row text-arguments $((k * 4))
row text-metadata $k
row text-heads $k
row text-broken $((k * 10))
row collide-loc $((k * 2))
row collide-event $((k * 2))
row collide-name $((k * 2))
row collide-value $((k * 2))
row collide-binary $((k * 4)) 256
chosen mixed $((k * 2)) 'trace-stats -j1 -a distinct(size)' 'trace-stats -j1 -a top(size)' 'trace-stats -j1 -a top(size,1000)'
chosen multiplied $((k * 2)) 'trace-stats -j1 -g size' 'trace-stats -j1 -a p50(size)' 'trace-stats -j1 -g event -a p50(size)'
chosen texts $((k * 2)) 'trace-stats -j1 -g k' 'trace-stats -j1 -a distinct(k)' 'trace-stats -j1 -a top(k)'
chosen names $((k * 4)) 'trace-filter -b size>0' 'trace-stats -j1 -g loc'
chosen windows $((k * 2)) 'trace-stats -j1 --no-empty -w 1'
chosen spaces $((k * 10)) 'laplace-bin2txt -b' 'trace-stats -j1 -g loc' 'trace-stats -j1'
chosen codes $((k * 2)) 'ovni-dump' 'ovni-dump -D' 'trace-stats -j1'
chosen asyncs $((k / 2)) 'charisma-dump' 'trace-stats -j1'
chosen clients $((k * 2)) 'charisma-dump' 'trace-stats -j1'
chosen files $((k / 2)) 'charisma-dump' 'trace-stats -j1'
chosen pages $((k * 2)) 'trace-stats -m'
chosen wraps $((k / 2)) 'trace-stats -m'
row spc-line $mb
row spc-units $((k * 10))
row spc-optional $((k * 10))
row laplace-line $mb
row laplace-spaces $((k * 10))
row laplace-refs $((k * 10))
row binary-strings $((k * 4)) 256
row binary-types $k 256
row binary-arguments $((k * 4)) 256
row binary-heads $k
row binary-block $mb
row charisma-load $((some * 2))
row charisma-requests $((some / 5))
row charisma-joins $((k * 10))
row charisma-opens $((k * 2))
row charisma-short $((k * 2))
row charisma-async $((k * 4))
row dumpi-arrays $((some * 2))
row dumpi-claim $mb
row dumpi-ranks $some
row ovni-claim $mb
row ovni-backwards $((k * 10))
row ovni-regions $((k * 10)) 64
row ovni-streams $((some * 2))
row json-depth $k
row json-keys $((k / 4))
row json-string $((k * 4))
row json-string $mb
merge partial-line $mb 0
merge partial-groups $((k * 4)) 160
merge partial-parts $((k * 4)) 256
judge
${MAKE:-make} -s build/fuzz_expr build/fuzz_dumpi build/fuzz_ovni build/fuzz_charisma build/fuzz_binary || exit 2
for kind in open not tests set glob word; do
	expression expr-$kind 8192
done
cut=500
[ "$small" ] || cut=6000
claims tests/fixtures/dumpi/small-0002.bin $cut
claims tests/fixtures/ovni/all.obs $cut
claims tests/fixtures/charisma/lp64-le.chr $cut
judge
if [ "$only" = '  ' ]; then
	for p in bin/*; do
		case "$measured trace-advise trace-diff " in *" ${p##*/} "*) continue ;; esac
		echo "${p##*/}: no input that it reads"
		bad=1
	done
fi
exit $bad
