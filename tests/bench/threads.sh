#!/bin/sh
# threads.sh [PATTERN]: for which ways of working two threads pay, of those whose line in the table matches the regular
# expression. Makes 300 MB of each format, or MB, in DIR, which keeps them; runs each way with -j 1 and -j 2 by turns,
# three times, or RUNS; and prints the best of each. Two threads pay if they are 1.3 times as fast on the clock for at most
# 1.3 times the CPU. Needs two processors that do nothing else.
set -eu
cd "$(dirname "$0")/../.."
mb=${MB:-300}
runs=${RUNS:-3}
dir=${DIR:-${TMPDIR:-/tmp}/spoor-threads-$mb}
mkdir -p "$dir"
for c in tests/bench/*.c; do
	${CC:-cc} -std=c11 -O2 -Icommon -Icmd/lib -Icmd -o "$dir/$(basename "$c" .c)" "$c" build/libcmd.a build/libspoor.a -pthread
done
PATH=$PWD/bin:$dir:$PATH

# make_input NAME N: writes N events of a format, to standard output or to the directory NAME.
make_input() {
	case $1 in
	spc | laplace) gen "$1" "$2" ;;
	text) gen spc "$2" | spc-cat ;;
	binary) gen spc "$2" | spc-cat -b ;;
	five) gen spc "$2" | awk -F, -v OFS=, '{ print $5, $1, $2, $3, "0.000" NR % 9000 + 1000 }' ;;
	charisma) gen_charisma lp64-le "$2" ;;
	ovni) gen_ovni ovni 8 "$2" 200 ;;
	dumpi)
		mkdir dumpi
		for r in 0 1 2 3; do
			gen_dumpi $(($2 / 4)) $((r + 1)) > "dumpi/p-000$r.bin"
		done
		;;
	esac
}
# input NAME: makes it, unless it is there, of as many events as are MB megabytes, by the bytes of 100,000.
input() {
	[ ! -e "$1" ] || return 0
	make_input "$1" 100000 > sample
	[ -d "$1" ] || mv sample "$1"
	n=$(du -sb "$1" | awk -v mb="$mb" '{ printf "%.0f", 100000 * mb * 1e6 / $1 }')
	rm -r "$1"
	make_input "$1" "$n" > sample
	[ -d "$1" ] || mv sample "$1"
}

# measure COMMAND: prints the best of the runs: CPU and clock of one thread, and of two. Nothing if it fails.
measure() {
	i=0
	while [ $((i += 1)) -le "$runs" ]; do
		for j in 1 2; do
			cpu 1 sh -c "exec $1 -j $j" 2> /dev/null | awk -v j=$j '{ print j, $1, $3 }' || return 0
		done
	done | awk '{ if (!($1 in cpu) || $2 < cpu[$1]) cpu[$1] = $2; if (!($1 in wall) || $3 < wall[$1]) wall[$1] = $3 }
		END { if (NR) print cpu[1], wall[1], cpu[2], wall[2] }'
}

printf '%-58s %7s %7s %7s %7s %6s %6s  %s\n' "way, $mb MB" 'clock 1' '2' 'CPU 1' '2' faster CPU 'two threads'
grep -e "${1:-.}" <<'WAYS' | while read -r in command; do
spc spc-cat $in
spc spc-cat -n $in
spc trace-filter 'W and size >= 8192' $in
spc trace-filter '*' $in
spc trace-filter -n W $in
spc trace-filter -F time,loc,event,addr,size,dur '*' $in
spc trace-filter -c 'W and size >= 8192' $in
spc trace-derive 'page = addr // 8' $in
spc trace-export -T csv $in
spc trace-export -T jsonl $in
spc trace-export -T mqsim $in
spc trace-stats $in
spc trace-stats -g event -a 'count,sum(size),p50(size)' $in
spc trace-plot rate --bins $in
spc trace-reuse --exact --unit 16M $in
text trace-filter '*' $in
text trace-filter -c 'size >= 8192' $in
text trace-derive 'page = addr // 8' $in
text trace-stats $in
binary trace-filter -t '*' $in
binary trace-filter -c 'size >= 8192' $in
binary trace-filter -F time,size '*' $in
binary trace-derive -t 'page = addr // 8' $in
binary trace-export -T jsonl $in
binary trace-stats $in
laplace laplace-bin2txt $in
laplace trace-filter -c 'size >= 8' $in
laplace trace-stats $in
charisma charisma-dump --preset lp64-le $in
charisma trace-filter -O preset=lp64-le -n write $in
charisma trace-stats -O preset=lp64-le -g event $in
five trace-filter -O columns='time=$1 loc=$2 addr=$3 size=$4 dur=$5 event=R' '*' $in
five trace-filter -O columns='time=$1 loc=$2 addr=$3 size=$4 dur=$5 event=R' -c 'size > 0' $in
five trace-stats -O columns='time=$1 loc=$2 addr=$3 size=$4 dur=$5 event=R' $in
ovni trace-filter -c 'size >= 8' $in
ovni trace-stats -g event -a 'count,p50(size)' $in
dumpi trace-filter -c 'size >= 8' $in
dumpi trace-stats -g event -a 'count,sum(size),p50(dur)' $in
WAYS
	(cd "$dir" && input "$in")
	case $in in dumpi) file="$dir/dumpi/p-*.bin" ;; *) file=$dir/$in ;; esac
	measure "${command%\$in}$file" | awk -v name="$in: ${command% \$in}" '{ faster = $2 / $4; more = $3 / $1
		printf "%-58.58s %7.3f %7.3f %7.3f %7.3f %6.2f %6.2f  %s\n", name, $2, $4, $1, $3, faster, more,
			(faster >= 1.3 && more <= 1.3) ? "pay" : "do not pay" }'
done
