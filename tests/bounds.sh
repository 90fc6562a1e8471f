#!/bin/sh
# bounds.sh [small]: the worst inputs that we know how to build (tests/worst.c), through every program:
# memory stays below a bound whatever the length, and four times the input takes about four times as
# long. Prints a row for each. `small` is for make check: memory only, inputs of a few MB.
set -u
cd "$(dirname "$0")/.." || exit 2
small=${1:-}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cc=${CC:-cc}
for c in tests/worst.c tests/bench/cpu.c; do
	# shellcheck disable=SC2086  # CC may hold flags
	$cc -std=c11 -O2 -o "$dir/$(basename "$c" .c)" "$c" || exit 2
done
PATH=$dir:$PATH
bad=0
[ "$small" ] || printf '%-18s %11s %7s  %-18s %9s %8s\n' input n MB program 'CPU s' MiB

# measure PROG FILE: CPU seconds and KiB. Whatever the status, but for a signal or two minutes. Beyond
# 6 GB there is no memory: this machine's is not to be eaten up.
measure() {
	ops=
	"$1" --help | head -1 | grep -q ' EXPR' && ops='size>1_or_loc~zz_or_nosuch=7'
	# shellcheck disable=SC2016
	cpu 1 sh -c 'ulimit -c 0; ulimit -v 6000000; ops=$(echo "$2" | tr _ " ")
		if [ "$ops" ]; then timeout 120 "$0" "$ops" "$1"; else timeout 120 "$0" "$1"; fi
		[ $? -le 2 ]' "$1" "$2" "$ops" 2>/dev/null
}

# knows PROG FILE: it reads that format at all.
knows() {
	head -c 4000 "$2" | "$1" ${ops:+'event?'} 2>&1 >/dev/null | grep -q 'no format known\|this is .*, not\|only .* is read' && return 1
	return 0
}

# row KIND N [MIB]: N and four times N; the bound of memory is 192 MiB. A program that has no form of
# event stream to write keeps a row for each value that it counts by: 4 KiB each, of 4 N at most.
row() {
	worst "$1" "$2" > "$dir/one"
	worst "$1" "$(($2 * 4))" > "$dir/four"
	bytes=$(wc -c < "$dir/four")
	for p in bin/*; do
		ops=
		"$p" --help | head -1 | grep -q ' EXPR' && ops=1
		knows "$p" "$dir/one" || continue
		most=${3:-192} rows=0
		"$p" --help | grep -q -- '^ *-t,' || { rows=1; most=$((most + $2 * 4 * 4 / 1024)); }
		one=$(measure "$p" "$dir/one") four=$(measure "$p" "$dir/four") || {
			echo "$1 $2: ${p##*/}: a signal, or no end"
			bad=1
			continue
		}
		awk -v kind="$1" -v n="$(($2 * 4))" -v bytes="$bytes" -v prog="${p##*/}" -v one="$one" \
			-v four="$four" -v most="$most" -v rows="$rows" -v small="$small" 'BEGIN {
			split(one, a, " "); split(four, b, " ")
			why = ""
			if (b[2] / 1024 > most) why = why "  MORE THAN " most " MiB"
			# A small input: what does not grow with it stays about as it is.
			if (small && !rows && most == 192 && b[2] > 2 * a[2] + 16384) why = why "  GROWS FROM " a[2] / 1024
			if (!small && b[1] > 6 * a[1] + 0.3) why = why "  NOT LINEAR: " a[1] " s for a quarter"
			if (!small || why)
				printf "%-18s %11d %7.0f  %-18s %9.2f %8.1f%s\n", kind, n, bytes / 1e6, prog, b[1],
					b[2] / 1024, why
			exit why != "" }' || bad=1
	done
}

# Numbers are a quarter of what is meant.
if [ "$small" ]; then
	mb=1000000 k=5000
else
	mb=250000000 k=250000
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
row spc-line $mb
row spc-units $((k * 10))
row spc-optional $((k * 10))
row laplace-line $mb
row laplace-spaces $((k * 10))
row binary-strings $((k * 4)) 256
row binary-types $k 256
row binary-arguments $((k * 4)) 256
row binary-heads $k
row binary-block $mb
exit $bad
