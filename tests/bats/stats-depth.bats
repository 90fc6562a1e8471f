#!/usr/bin/env bats
# stats-depth.bats - depth, depth_most and busy of trace-stats, against a walk over sorted ends in Python
# (tests/oracle/depth.py), btt, and the formulas of iostat.
bats_require_minimum_version 1.5.0
load ../helpers

ALL=depth,depth_most,busy

# ticks LINES: a stream in ticks with these lines "TIME LOC EVENT DUR".
ticks() {
	printf '##spoor\t1\n##clock\tticks\n#time\tloc\tevent\taddr\tsize\tdur\targs\n'
	printf '%b' "$1" | awk -v OFS='\t' '{ print $1, $2, $3, "-", 1, $4; n++ } END { print "##end", "events=" n + 0 }'
}

@test "every cell of random traces: any order, equal times, nested, keys, windows of many steps, origins, threads" {
	needs python3
	status_is 0 python3 "$ROOT/tests/oracle/depth.py" 80 5
	has "$output" '^[0-9]{5,} cells$'
}

@test "ends are exclusive; a duration of 0 covers no time, and is in progress at no time" {
	ticks '0 a R 10\n10 a R 10\n10 a R 0\n15 a R -\n' > in
	status_is 0 trace-stats -a "count,$ALL" in
	[ "$output" = $'#count\tdepth\tdepth_most\tbusy\n4\t1\t1\t1' ]
	ticks '0 a R 10\n9 a R 10\n' > in
	status_is 0 trace-stats -a "$ALL" in
	[ "$output" = $'#depth\tdepth_most\tbusy\n1.052632\t2\t1' ]
}

@test "without -w all groups have one length, so their depths add up to that of all events" {
	ticks '0 a R 10\n5 b R 10\n30 b W 10\n' > in
	status_is 0 trace-stats -g loc -a "$ALL" in
	[ "$output" = $'#loc\tdepth\tdepth_most\tbusy\na\t0.25\t1\t0.25\nb\t0.5\t1\t0.5' ]
	status_is 0 trace-stats -a "$ALL" in
	[ "$output" = $'#depth\tdepth_most\tbusy\n0.75\t2\t0.625' ]
}

@test "a window has a row while an event is in progress, and count, rate and share count begins" {
	ticks '2 a R 9\n' > in
	want=$'#window\tcount\trate\tshare\tdepth\tdepth_most\tbusy\n0\t1\t0.25\t1\t0.5\t1\t0.5\n4\t0\t0\t0\t1\t1\t1\n8\t0\t0\t0\t0.75\t1\t0.75'
	for more in '' --no-empty; do
		status_is 0 trace-stats -w 4 $more -a "count,rate,share,$ALL" in
		[ "$output" = "$want" ]
	done
	# --spread divides the others.
	status_is 0 trace-stats -w 4 --spread -a "count,$ALL" in
	[ "$output" = $'#window\tcount\tdepth\tdepth_most\tbusy\n0\t0.222222222\t0.5\t1\t0.5\n4\t0.444444444\t1\t1\t1\n8\t0.333333334\t0.75\t1\t0.75' ]
}

@test "inputs whose times count from other dates overlap by the clock" {
	for at in 1700000000 1700000005; do
		printf '##spoor\t1\n##clock\ts\torigin=%s.000000000\n#time\tloc\tevent\taddr\tsize\tdur\targs\n0.000000000\ta\tR\t-\t1\t10.000000000\n##end\tevents=1\n' $at > $at
	done
	status_is 0 trace-stats -A -w 20s -a "$ALL" 1700000000 1700000005
	[ "$output" = $'#window\tdepth\tdepth_most\tbusy\n2023-11-14T22:13:20Z\t1\t2\t0.75' ]
}

@test "rows are chosen, sorted, computed with and written as those of other aggregates" {
	ticks '0 a R 10\n5 b R 10\n30 b W 10\n' > in
	status_is 0 trace-stats -g loc -a 'depth,idle = 1 - busy,most(depth)' --having 'depth > 0.3' in
	[ "$output" = $'#loc\tdepth\tidle\tmost(depth)\nb\t0.5\t0.5\t0.5' ]
	status_is 0 trace-stats -g loc -a depth -S -depth --head 1 --csv in
	[ "$output" = $'loc,depth\nb,0.5' ]
	status_is 0 trace-stats -g loc,event -a busy --wide event in
	[ "$output" = $'#loc\tR\tW\na\t0.25\t0\nb\t0.25\t0.25' ]
	status_is 0 trace-stats -g loc -a depth_most -J in
	[ "$output" = $'[\n  {"loc": "a", "depth_most": 1},\n  {"loc": "b", "depth_most": 1}\n]' ]
	# Rows come at the end of a pipe, because events may still be in progress.
	trace-stats -w 5 -a depth in > want
	< in cat | timeout 10 trace-stats -w 5 --follow -a depth | same want -
}

@test "what has no answer is refused, with the reason" {
	ticks '0 a R 10\n' > in
	for form in -p '--chunk 1/2'; do
		status_is 2 trace-stats $form -a "count,busy" in
		[ "$stderr" = "trace-stats: ${form% *}: depth, depth_most and busy need all events, because events of two parts may overlap: use one run (try trace-stats --help)" ]
	done
	trace-stats -p -a count in | sed 's/count/depth/' > damaged
	status_is 2 trace-stats -m damaged
	status_is 2 trace-stats -m -a depth in
	status_is 2 trace-stats -a 'depth(dur)' in
	has "$stderr" '-a depth\(dur\): the aggregate takes no field'
	status_is 2 trace-stats -a 'sum(.inside),busy' in
	has "$stderr" 'cannot be combined with .inside: add -g loc'
	status_is 0 trace-stats -g loc -a 'sum(.inside),busy' in
}

@test "without durations there is no value, and a message" {
	printf '1.0\ta\tR\t-\t1\t-\n2.0\ta\tR\t-\t1\t-\n' > in
	for window in '' '-w 1s'; do
		status_is 0 trace-stats $window --no-header -a "$ALL" in
		[ "$stderr" = 'trace-stats: no event had a field dur' ]
		[ "$(head -n 1 <<<"${output#*0	}")" = $'-\t-\t-' ]
	done
	status_is 0 trace-stats -a "$ALL" "$FIX/ovni/all.obs"
	has "$stderr" 'no event had a field dur: -O durations'
	status_is 0 trace-stats -a "$ALL" /dev/null
}

@test "more events than wait to be swept: in order, exchanged, and each place in a file of its own" {
	# Event i begins at 2 i and ends at 2 i + 5, so 2.5 are in progress.
	events() {
		awk -v of="$1" -v swap="$2" 'BEGIN { n = 600000; for (i = 0; i < n; i++) {
			k = swap ? int(i / 1000) * 1000 + 999 - i % 1000 : i
			printf "%d.0\t%s\tR\t-\t1\t5.0\n", 2 * k, of } }'
	}
	{ events a 0; events a 1 | awk -v FS='\t' -v OFS='\t' '{ $1 = $1 + 1200000 ".0"; print }'; } > in
	status_is 0 trace-stats -a "count,$ALL" in
	[ "$output" = $'#count\tdepth\tdepth_most\tbusy\n1200000\t2.499997\t3\t1' ]
	events a 0 > a
	events b 0 > b
	events c 1 > c
	status_is 0 trace-stats -g loc -a "count,$ALL" a b c
	[ "$(cut -f 2- <<<"$output" | uniq)" = $'count\tdepth\tdepth_most\tbusy\n600000\t2.499994\t3\t1' ]
	status_is 2 trace-stats -a depth a b c
	[ "$stderr" = 'trace-stats: -a depth: an event is more than 524288 events out of order; use --by-time' ]
	status_is 0 trace-stats -a "count,$ALL" --by-time a b c
	[ "$output" = $'#count\tdepth\tdepth_most\tbusy\n1800000\t7.499981\t9\t1' ]
}

@test "btt has the same depth for each disk of a block trace, and the same share of time with a request" {
	needs blkparse
	needs btt
	awk 'BEGIN { for (i = 0; i < 3000; i++) printf "%.0f,h,%d,%s,%d,%d,%d\n", 128166372003061630 + i * 20000, i % 3,
		i % 5 < 2 ? "Read" : "Write", i * 4096, 512, 100 + i * 7919 % 900 * 500 }' > in.csv
	trace-export -O columns='msr loc=disk:$3' -T blktrace --actions QDC -o x.blktrace.0 in.csv
	blkparse -q -i x -d x.bin > /dev/null
	btt -i x.bin -Q aqd > /dev/null
	# Lines of btt: a time, and the number of requests from there on.
	for disk in 0 1 2; do
		awk 'NR > 1 { sum += n * ($1 - t); busy += (n > 0) * ($1 - t) } NR == 1 { first = $1 }
			{ t = $1; n = $2; most = n > most ? n : most }
			END { printf "%.5f %d %.5f\n", sum / (t - first), most, busy / (t - first) }' aqd_8,$((disk * 16))_aqd.dat
		trace-stats -O columns='msr loc=disk:$3' -e "loc = $disk" -a "$ALL" --no-header in.csv |
			awk '{ printf "%.5f %d %.5f\n", $1, $2, $3 }' > got
	done > want
	for disk in 0 1 2; do
		trace-stats -O columns='msr loc=disk:$3' -e "loc = $disk" -a "$ALL" --no-header in.csv |
			awk '{ printf "%.5f %d %.5f\n", $1, $2, $3 }'
	done > got
	[ "$(wc -l < got)" = 3 ]
	same want got
}

@test "a real run: depth is the sum of durations over the length, as aqu-sz of iostat; threads and order are no matter" {
	meta=$(find "$FIX/mpi" "$FIX/runs" -name '*.meta' | sort | head -n 1)
	status_is 0 trace-stats -a 'sum(dur) / span,depth' --no-header "$meta"
	awk '{ exit !($1 > 0 && ($1 - $2) ^ 2 < 1e-10) }' <<<"$output"
	trace-stats -w 10ms -g rank -a "$ALL" "$meta" > want
	trace-stats -w 10ms -g rank -a "$ALL" --by-time "$meta" | same want -
}
