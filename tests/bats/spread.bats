#!/usr/bin/env bats
# spread.bats - --spread of trace-stats -w and trace-plot rate, against the definition in Python (tests/oracle/spread.py).
bats_require_minimum_version 1.5.0
load ../helpers

setup() {
	enter
	columns='sep=comma time=$1 dur=$2 event=$3 size=$4'
}

@test "every cell of random traces: keys, aggregates, windows of many steps, threads, parts, pictures" {
	needs python3
	status_is 0 python3 "$ROOT/tests/oracle/spread.py" 60 3
	has "$output" '^[0-9]{6,} cells$'
}

@test "what cannot be divided is refused by name, before anything is read" {
	for a in 'mean(size)' 'p99(dur)' 'count(size)' 'sum(gap)' 'min(x)' span 'distinct(loc)' 'count(if(R, size))' sequential 'footprint' 'hist(size)' 'first(loc)'; do
		status_is 2 trace-stats -w 1s --spread -a "count,$a" none
		[ "$stderr" = "trace-stats: -a $a: --spread divides only count, and sum, rate and share of a field" ]
		[ -z "$output" ]
	done
	status_is 2 trace-stats -w 1s --spread -a 'n = count, bw = sum(size) / max(dur)' none
	has "$stderr" '-a max\(dur\): --spread divides only count'
	status_is 2 trace-stats -g event --spread none
	has "$stderr" '--spread is for windows: add -w'
	for kind in heat timeline hist matrix addr flame line; do
		status_is 2 trace-plot $kind --spread none
		has "$stderr" "$kind takes no --step, --spread, --max and --min: rate does"
	done
}

@test "limits: no loop over what an event says; status 2, and nothing is written" {
	limit() { # TIMES, MESSAGE, OPTIONS...
		local said=$2
		printf '##spoor\t1\n##clock\tticks\n#time\tloc\tevent\taddr\tsize\tdur\targs\n%b' "$1" > ticks
		shift 2
		status_is 2 timeout 60 trace-stats --spread "$@" ticks
		[ -z "$output" ]
		[ "$stderr" = "trace-stats: ticks: --spread: $said" ]
	}
	year=$((365 * 86400 * 1000000000))
	limit "5\t0\tR\t-\t1\t$((100 * year))\n" 'events cover more than 268435456 windows: use a longer -w' -w 1
	limit "5\t0\tR\t-\t1\t9223372036854775807\n" 'events cover more than 268435456 windows: use a longer -w' -w 2
	limit "5\t0\tR\t-\t1\t5000000\n" 'there are more than 4194304 rows: use a longer -w, or fewer groups' -w 1
	limit "5\t0\tR\t-\t1\t3000000\n5\t1\tR\t-\t1\t3000000\n" 'there are more than 4194304 rows: use a longer -w, or fewer groups' -w 1 -g loc
	limit '18446744073709551610\t0\tR\t-\t1\t9\n' 'an event ends after the last time that a window can have' -w 4
	# Threads hold all events together against the limit.
	awk 'BEGIN { for (i = 0; i < 3000; i++) print i "\t0\tR\t-\t1\t100000" }' > many
	status_is 2 trace-stats --spread -w 1 many
	has "$stderr" 'cover more than 268435456 windows'
	status_is 2 trace-stats --spread -w 1 -j 3 --tune worth=64 many
	has "$stderr" 'cover more than 268435456 windows'
	head -n 2600 many | trace-stats --spread -w 1 -a count | awk -F '\t' 'NR > 1 { n += $2 } END { printf "%.3f\n", n }' | same <(echo 2600.000) -
	# The last time that there is ends a picture.
	printf '##spoor\t1\n##clock\tticks\n#time\tloc\tevent\taddr\tsize\tdur\targs\n18446744073709551610\t0\tR\t-\t9\t9223372036854775807\n0\t0\tR\t-\t1\t9223372036854775807\n' > ticks
	trace-plot rate --spread --bins ticks | awk -F '\t' 'NR > 1 { n += $4; b += $5 } END { print NR, n, b }' | same <(echo 2050 2 10) -
}

@test "a long event is flat in the picture, and not a peak where it begins" {
	needs python3
	printf '0.0,10,write,1000\n' > l.csv
	for size in 400x260 960x300; do
		trace-plot rate --spread -a 'sum(size)' --size $size -O columns="$columns" -o p.svg l.csv
		python3 "$ROOT/tests/oracle/rate_svg.py" p.svg | awk '$2 == "line" { for (i = 3; i <= NF; i++) { split($i, p, ":"); n++; if (p[1] < 98 || p[1] > 102) bad = 1 } } END { exit bad || n != 1 }'
		trace-plot rate -a 'sum(size)' --size $size -O columns="$columns" -o q.svg l.csv
		! cmp -s p.svg q.svg
	done
	# Ten at once for a second of ten: one a second there, and with --max the mark of it at the top.
	for i in 0 1 2 3 4 5 6 7 8 9; do echo "4,1,write,0"; done > ten.csv
	printf '0,0,open,0\n9.999999999,0,close,0\n' >> ten.csv
	trace-plot rate --spread -a count -e write --step 100ms -O columns="$columns" -o p.svg ten.csv
	python3 "$ROOT/tests/oracle/rate_svg.py" p.svg | awk '$2 == "line" { for (i = 3; i <= NF; i++) { split($i, p, ":"); n++; if (p[1] < 9.8 || p[1] > 10.2) bad = 1 } } END { exit bad || n != 1 }'
	trace-plot rate --spread -a count -e write --step 100ms --max 10 -O columns="$columns" -o p.svg ten.csv
	python3 "$ROOT/tests/oracle/rate_svg.py" p.svg | awk '$2 == "line" { for (i = 3; i <= NF; i++) { split($i, p, ":"); n++; if (p[1] < 9.8 || p[1] > 10.2) bad = 1 } } END { exit bad || n != 1 }'
	LC_ALL=C trace-plot rate --spread -a count --terminal -O columns="$columns" ten.csv | grep -q '^close 1, open 1, write 10 in all\|^write 10, close 1, open 1 in all'
}

@test "events without durations: as without --spread" {
	f=$FIX/spc/Financial1-head.spc
	trace-stats -w 1s -g asu -a 'count,sum(size),rate,rate(size),share' "$f" > want
	trace-stats -w 1s --spread -g asu -a 'count,sum(size),rate,rate(size),share' "$f" | same want -
	trace-plot rate --bins "$f" > want
	trace-plot rate --spread --bins "$f" | same want -
	# Sums of real calls with and without windows, of all formats that have durations.
	for t in "$FIX/runs/solver.meta" "$FIX/dumpi/every-call-0000.bin"; do
		trace-stats -g event -a 'count,sum(size),sum(dur)' "$t" | sed 1d > want
		trace-stats -w 3ms --spread --no-empty -g event -a 'count,sum(size),sum(dur)' "$t" | awk -F '\t' 'NR > 1 {
			n[$2] += $3; s[$2] += $4; split($5, t, "."); whole[$2] += t[1]; nano[$2] += t[2]; if ($4 != "-") there[$2] = 1 }
			END { for (e in n) { w = whole[e] + int(nano[e] / 1e9); printf "%s\t%.0f\t%s\t%.0f.%09.0f\n", e, n[e], there[e] ? s[e] "" : "-", w, nano[e] % 1e9 } }' |
			LC_ALL=C sort | same <(LC_ALL=C sort want) -
	done
	# The picture of MPI calls counts the bytes of those that send.
	sums() { awk -F '\t' 'NR > 1 { n[$3] += $4; b[$3] += $5 } END { for (e in n) printf "%s %.0f %.0f\n", e, n[e], b[e] }' | LC_ALL=C sort; }
	trace-plot rate --bins "$FIX/runs/solver.meta" | sums > want
	trace-plot rate --spread --bins "$FIX/runs/solver.meta" | sums | same want -
	[ "$(awk '$3 > 0' want | wc -l)" -ge 1 ]
}

@test "partial results say that they are divided" {
	printf '0.0,10,write,1000\n9.0,1,write,500\n' > l.csv
	trace-stats -w 4s -p -O columns="$columns" l.csv > plain
	trace-stats -w 4s --spread -p -O columns="$columns" l.csv > spread
	has "$(head -n 1 spread)" ' spread=yes'
	trace-stats -m spread | same <(trace-stats -w 4s --spread -O columns="$columns" l.csv) -
	status_is 2 trace-stats -m plain spread
	has "$stderr" 'answers another question'
	trace-plot rate -p -O columns="$columns" l.csv > plain
	trace-plot rate -p --spread -O columns="$columns" l.csv > spread
	trace-plot rate -m spread > p.svg
	trace-plot rate --spread -O columns="$columns" l.csv | same p.svg -
	status_is 2 trace-plot rate -m plain spread
	has "$stderr" 'answers another question'
}
