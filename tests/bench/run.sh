#!/bin/sh
# make bench: the speeds that we promise, measured here and now, beside other programs. A promise is a
# ratio to what mawk does in the same run, so that it says the same on every processor.
# EVENTS (10 million by default) is the length of each input; DIR keeps the inputs for the next time.
# The rows stand in tests/bench/rows.d/*.
set -eu
cd "$(dirname "$0")/../.."
events=${1:-${EVENTS:-10000000}}
runs=${RUNS:-5}
dir=${DIR:-${TMPDIR:-/tmp}/spoor-bench-$events}
mkdir -p "$dir"
cc=${CC:-cc}
for c in tests/bench/*.c; do
	$cc -std=c11 -O2 -Icommon -Icmd/lib -Icmd -o "$dir/$(basename "$c" .c)" "$c" build/libcmd.a build/libspoor.a -pthread
done
PATH=$PWD/bin:$dir:$PATH
export dir events

# Whether DuckDB is there, as a package for node.
duckdb() {
	node -e 'require("@duckdb/node-api")' > /dev/null 2>&1
}

# row NAME INPUT PROMISE COMMAND: PROMISE is how many times the MB/s of the yardstick, as 6.3, or how many
# times its events a second, as 16M. A command that takes -j is measured with -j 1. Columns are also: how many times mawk's
# speed (the last row of mawk over the same input), and how many times the CPU of cat; how many times as fast on the clock
# -j 2 is, and for how many times the CPU.
row() {
	[ -e "$2" ] || return 0
	program=${4%% *} two=
	case $program in
	trace-* | *-cat | *-dump | *2txt)
		if "$program" --help | grep -q -e '-j, --threads'; then
			two=$(cpu "$runs" sh -c "exec $program -j 2 ${4#* }" 2> /dev/null) || two=
			set -- "$1" "$2" "$3" "$program -j 1 ${4#* }"
		fi
		;;
	esac
	if ! r=$(cpu "$runs" sh -c "exec $4" 2>/dev/null); then
		return 0
	fi
	case $4 in
	mawk*) mawk="$2 ${r% *}" ;;
	cat*) cat="$2 ${r% *}" ;;
	esac
	if [ -d "$2" ]; then bytes=$(du -sb "$2" | cut -f1); else bytes=$(wc -c < "$2"); fi
	awk -v name="$1" -v input="$2" -v bytes="$bytes" -v events="$events" -v promise="$3" -v r="$r" \
		-v mawk="${mawk:-}" -v cat="${cat:-}" -v yard="$yard" -v two="$two" 'BEGIN {
		split(r, a, " "); t = a[1]; split(mawk, m, " "); split(cat, c, " ")
		if (split(two, b, " ")) { clock = sprintf("%.2f", a[3] / b[3]); cpu = sprintf("%.2f", b[1] / a[1]) }
		mb = bytes / t / 1e6; ev = events / t / 1e6
		split(yard, y, " ")
		has = promise ~ /M$/ ? ev / y[2] : mb / y[1]
		promised = promise == "" ? "" : sprintf("%.3g of %.3g %s", has, promise, has >= promise + 0 ? "kept" : "MISSED")
		printf "%-42s %7.3f %7.0f %8.1f %6.1f %6s %6s %5s %5s  %s\n", name, t, mb, ev, a[2] / 1024,
			m[1] == input ? sprintf("%.1f", m[2] / t) : "", c[1] == input ? sprintf("%.1f", t / c[2]) : "",
			clock, cpu, promised }'
}

printf '%s\n' "$(uname -sm), $(grep -m1 'model name' /proc/cpuinfo 2>/dev/null | sed 's/.*: //'), $events events, least of $runs runs"
printf '%-42s %7s %7s %8s %6s %6s %6s %5s %5s  %s\n' work 'CPU s' MB/s Mevent/s MiB x-mawk /cat -j2 /CPU promised
# The yardstick: MB and millions of events that mawk splits and counts in a CPU second.
spc=$dir/big.spc
[ -s "$spc" ] || gen spc "$events" > "$spc"
yard=$(cpu "$runs" mawk -F, '($4=="w"||$4=="W")&&$3>=8192{n++}END{print n}' "$spc" 2> /dev/null |
	awk -v bytes="$(wc -c < "$spc")" -v events="$events" '{ print bytes / $1 / 1e6, events / $1 / 1e6 }')
echo "mawk, the yardstick: ${yard% *} MB/s, ${yard#* } M events/s"
for f in tests/bench/rows.d/*; do
	# shellcheck disable=SC1090  # found by glob
	. "./$f"
done
