#!/usr/bin/env bats
# diff.bats - trace-diff: equal inputs have no rows, swapped inputs negate the changes, the rank-sum test against brute
# force and published tables, partial results, and the first event that differs.

load ../helpers

RUN=$FIX/runs/solver.meta

# sizes FILE VALUE...: a trace of one event for each value.
sizes() {
	local file=$1
	shift
	printf '1.0\ta\te\t-\t%s\t-\n' "$@" > "$file"
}

# p_of "OLD..." "NEW...": sets p to that of runs with these sizes.
p_of() {
	local v i=0 args=()
	for v in $1; do sizes o$((i += 1)) "$v"; args+=(--old "o$i"); done
	for v in $2; do sizes n$((i += 1)) "$v"; args+=(--new "n$i"); done
	p=$(trace-diff --tsv -a 'max(size)' "${args[@]}" -S 'max(size)' | sed 1d | awk '{ print $NF }') || :
}

@test "an input against itself: no row, status 0" {
	for f in "$RUN" "$FIX"/spc/Financial1-head.spc "$FIX"/charisma/cm5.chr "$FIX"/runs/tasks "$FIX"/laplace/three.ref; do
		for o in '' '-g event -a count,span,mean(time)' '-w 10' '--first' '--first -k event' '--per-second' '--min 1 --ratio 1.1'; do
			# shellcheck disable=SC2086
			status_is 0 trace-diff $o "$f" "$f" || [[ $o = --per-second && $stderr = *'span is unknown'* ]]
			[[ $output != *$'\n'* ]]
		done
		trace-stats -p -g event -a count "$f" > part
		[ "$(trace-diff part "$f")" = $'#event\tcount\tcount.new\tchange\tratio' ]
	done
}

@test "swapped inputs: changes negate, ratios invert, the same rows" {
	trace-derive -b 'dur = if(loc = 2, dur * 3, dur + 1us)' 'size = if(loc = 1, size + 3, size)' "$RUN" > other.bin
	for o in '-g event,loc -a count,sum(dur)' '-g loc -a sum(size)' '-g event -a mean(dur) --ratio 1.5' '-w 20ms -a sum(dur) --min 1ms'; do
		# shellcheck disable=SC2086
		status_is 1 trace-diff --tsv $o "$RUN" other.bin
		sed 1d <<<"$output" > there
		# shellcheck disable=SC2086
		status_is 1 trace-diff --tsv $o other.bin "$RUN"
		sed 1d <<<"$output" > back
		[ -s there ]
		paste there back | awk -F'\t' '{ n = NF / 2; k = n - 2
			for (i = 1; i <= n - 2; i++) if ($i != $(i + n) && i <= 1) exit 1
			if ($(k - 1) != $(k + n) || $k != $(k - 1 + n)) exit 1
			a = $(n - 1); b = $(NF - 1); if (a != "-" && (a + b > 1e-12 || a + b < -1e-12)) exit 1
			if (a != "-" && a != $k - $(k - 1) && (a - $k + $(k - 1)) ^ 2 > 1e-20) exit 1
			if ($n != "-" && ($n * $NF - 1) ^ 2 > 1e-8) exit 1 }'
	done
}

@test "one rank's durations doubled: exactly its rows, exactly by what it had" {
	trace-derive -b 'dur = if(loc = 2, dur * 2, dur)' "$RUN" > slow.bin
	status_is 1 trace-diff --tsv -g rank -a 'count,sum(dur)' "$RUN" slow.bin
	sum=$(trace-stats --no-header -e 'loc = 2' -a 'sum(dur)' "$RUN")
	[ "$(sed 1d <<<"$output")" = "2	47	47	$sum	$(trace-stats --no-header -e 'loc = 2' -a 'sum(dur)' slow.bin)	$sum	2" ]
	# The most changed first, and by each call what trace-stats says.
	trace-diff --tsv -g event -a 'sum(dur)' "$RUN" slow.bin > rows || :
	for side in "$RUN" slow.bin; do trace-stats --no-header -g event -a 'sum(dur)' $side | sort > "sums.${side##*.}"; done
	join -t '	' sums.meta sums.bin | awk -F'\t' '$2 != $3' > want
	sed 1d rows | cut -f 1-3 | sort | same want -
	sed 1d rows | cut -f 4 | sort -rg | same <(sed 1d rows | cut -f 4) -
	# Thresholds, in both directions.
	status_is 0 trace-diff -g rank -a 'sum(dur)' --min 1s "$RUN" slow.bin
	for o in "$RUN slow.bin" "slow.bin $RUN"; do
		# shellcheck disable=SC2086
		status_is 1 trace-diff -g rank -a 'sum(dur)' --ratio 2 --min "$sum" $o
		# shellcheck disable=SC2086
		status_is 0 trace-diff -g rank -a 'sum(dur)' --ratio 2.000000001 $o
		# shellcheck disable=SC2086
		status_is 0 trace-diff -g rank -a 'sum(dur)' --min "$(awk -v s="$sum" 'BEGIN { printf "%.9f", s + 1e-9 }')" $o
	done
}

@test "a row that one side lacks; zeros; texts; numbers beyond 64 bits stay exact" {
	printf '1.0\ta\tx\t-\t5\t-\n1.0\ta\tz\t-\t0\t-\n' > old
	printf '1.0\ta\ty\t-\t7\t-\n1.0\ta\tz\t-\t3\t-\n' > new
	status_is 1 trace-diff --tsv -g event -a 'sum(size)' old new
	[ "$(sed 1d <<<"$output")" = $'y\t-\t7\t-\t-\nx\t5\t-\t-\t-\nz\t0\t3\t3\t-' ]
	status_is 1 trace-diff --tsv -g event -a 'sum(size)' --ratio 100 new old
	[ "$(sed 1d <<<"$output")" = $'y\t7\t-\t-\t-\nx\t-\t5\t-\t-\nz\t3\t0\t-3\t0' ]
	status_is 1 trace-diff -J -g event -a 'sum(size)' -S 'sum(size)' --head 1 old new
	python3 -c 'import json, sys; assert json.load(sys.stdin) == [{"event": "y", "sum(size)": None, "sum(size).new": 7, "change": None, "ratio": None}]' <<<"$output"
	status_is 1 trace-diff --csv -a 'top(event)' old new
	[ "$(sed 1d <<<"$output")" = '"x:1,z:1","y:1,z:1",,' ]
	sizes old 18446744073709551615 18446744073709551615
	sizes new 18446744073709551615 18446744073709551614
	status_is 1 trace-diff --tsv -a 'sum(size)' old new
	[ "$(sed 1d <<<"$output")" = $'36893488147419103230\t36893488147419103229\t-1\t1' ]
}

@test "the question by format, where none is asked" {
	trace-derive -b 'size = size + 1' "$RUN" > a
	trace-diff "$RUN" a | sed 1q | same <(printf '#event\tcount\tcount.new\tsum(dur)\tsum(dur).new\tchange\tratio\n') -
	trace-diff "$FIX/charisma/cm5.chr" "$FIX/charisma/cm5.chr" | same <(printf '#count\tcount.new\tsum(size)\tsum(size).new\tp50(dur)\tp50(dur).new\tp99(dur)\tp99(dur).new\tchange\tratio\n') -
	trace-diff "$FIX/laplace/three.ref" "$FIX/laplace/three.ref" | sed 1q | grep -q 'p99(gap)'
}

@test "a partial result as a baseline of less than 2 KB; another question is refused with both" {
	trace-derive -b 'dur = dur * 2' "$RUN" > slow.bin
	trace-stats -p -g event -a 'count,sum(dur)' "$RUN" > baseline
	[ "$(wc -c < baseline)" -le 2048 ]
	trace-diff "$RUN" slow.bin > want || :
	trace-diff baseline slow.bin | same want -
	trace-stats -p -g event -a 'count,sum(dur)' slow.bin > other
	trace-diff baseline other | same want -
	trace-diff -g event -a 'count,sum(dur)' "$RUN" other | same want -
	status_is 0 trace-diff baseline "$RUN"
	status_is 2 trace-diff -g loc -a count baseline slow.bin
	has "$stderr" '^trace-diff: baseline: .*another question.*keys=event aggregates=count,sum\(dur\).*keys=loc aggregates=count$'
	trace-stats -p -w 10ms -a count "$RUN" > window
	status_is 2 trace-diff baseline window
	has "$stderr" '^trace-diff: window: .*window=10ms.*keys=event'
	status_is 0 trace-diff window "$RUN"
	trace-stats -p --accuracy 3 -g 'event, big = size > 8K' -a 'p50(dur)' "$RUN" > keyed
	status_is 0 trace-diff keyed "$RUN"
	trace-stats -p "$RUN" > report
	status_is 2 trace-diff report "$RUN"
	has "$stderr" 'report: .*write it with -g or -a'
	sed '$d' baseline > short
	status_is 2 trace-diff short "$RUN"
	status_is 2 trace-diff --per-second baseline slow.bin
	has "$stderr" '^trace-diff: --per-second: baseline: the span is unknown'
}

@test "spans that differ are told, and --per-second divides by them" {
	awk 'BEGIN { for (i = 0; i <= 10; i++) print i ".0\ta\te\t-\t8\t-" }' > ten
	awk 'BEGIN { for (i = 0; i <= 20; i++) print i ".0\ta\te\t-\t8\t-" }' > twenty
	status_is 1 trace-diff -a 'count,sum(size),max(size)' ten twenty
	[ "$stderr" = 'trace-diff: the spans differ: 10 and 20; counts and sums are of different times (--per-second)' ]
	status_is 1 trace-diff --tsv --per-second -a 'count,sum(size),max(size)' -S count ten twenty
	[ "$output" = $'count.rate\tcount.rate.new\tsum(size).rate\tsum(size).rate.new\tmax(size)\tmax(size).new\tchange\tratio\n1.1\t1.05\t8.8\t8.4\t8\t8\t-0.05\t0.954545' ]
	[ -z "$stderr" ]
}

@test "the rank-sum test: brute force over all choices, with ties" {
	needs python3
	while IFS='|' read -r old new; do
		p_of "$old" "$new"
		python3 "$ROOT/tests/oracle/ranksum.py" "${old// /,}" "${new// /,}" |
			awk -v p="$p" '{ d = p - $1 / $2; exit !(p != "" && d < 2e-6 && d > -2e-6) }' || { echo "$old | $new: $p"; return 1; }
	done <<-'END'
	1 2 3|4 5 6
	1 2 3 4|2 3 4 9
	5 5|7 7
	5 5 5|5 6 6
	1 1 1 2 2|2 2 3 3 3 3
	10 20 30 40 50 60|11 21 31 41 51 61 71
	7|1 2 3 4 5 6 8 9
	3 1 4 1 5 9 2 6|5 3 5 8 9 7 9 3
	END
}

@test "the rank-sum test: published tables of Mann and Whitney's U" {
	# n, m, alpha, the greatest U that is significant on two sides.
	while read -r n m alpha u; do
		for more in 0 1; do
			p_of "$(awk -v n="$n" -v m="$m" -v u=$((u + more)) 'BEGIN { for (i = n; i; i--) { s = u < m ? u : m; u -= s; at[i + s] = 1; print i + s } }')" \
				"$(awk -v n="$n" -v m="$m" -v u=$((u + more)) 'BEGIN { for (i = n; i; i--) { s = u < m ? u : m; u -= s; at[i + s] = 1 } for (i = 1; i <= n + m; i++) if (!(i in at)) print i }')"
			awk -v p="$p" -v alpha="$alpha" -v more=$more 'BEGIN { exit !(p != "" && (more ? p > alpha : p <= alpha)) }' ||
				{ echo "$n $m $alpha $((u + more)): $p"; return 1; }
		done
	done <<-'END'
	4 4 0.05 0
	5 5 0.05 2
	5 5 0.01 0
	5 8 0.05 6
	7 9 0.05 12
	8 8 0.05 13
	10 10 0.05 23
	10 10 0.01 16
	15 15 0.05 64
	20 20 0.05 127
	20 20 0.01 105
	END
	# 30 of each side, apart: 2 of C(60, 30) choices.
	p_of "$(seq 30)" "$(seq 31 60)"
	awk -v p="$p" 'BEGIN { exit !(p > 1.69e-17 && p < 1.70e-17) }'
}

@test "several runs: median, least and greatest of each side; one more than 30 is refused" {
	for v in 3 1 2 9; do sizes o$v $v; done
	for v in 7 5; do sizes n$v $v; done
	status_is 1 trace-diff --tsv -a 'max(size)' --old o3 --old o1 --old o2 --old o9 n7 n5
	[ "$output" = $'max(size)\tmax(size).new\tchange\tratio\tleast\tgreatest\tleast.new\tgreatest.new\tp\n2\t5\t3\t2.5\t1\t9\t5\t7\t0.533333' ]
	many=()
	for i in {1..31}; do many+=(--new n5); done
	status_is 2 trace-diff --old o1 "${many[@]}"
	has "$stderr" 'n5: only 30 runs of a side are compared'
	status_is 2 trace-diff
	has "$stderr" 'two inputs are expected'
	status_is 2 trace-diff - -
	has "$stderr" 'standard input can only be one'
}

@test "--first: one changed event, in all forms; a missing one; by key" {
	trace-derive -b 'tag = if(loc = 1 and nth = 5, 98, tag)' "$RUN" > one.bin
	at=$(trace-filter -t 'event?' one.bin | grep -n 'tag=98' | cut -d: -f 1)
	status_is 1 trace-diff --first --tsv "$RUN" one.bin
	[ "$(cut -f 1-3 <<<"$output" | tail -n 2)" = "old	$at	-"$'\n'"new	-	$at" ]
	[ "$(wc -l <<<"$output")" = 6 ]
	[ "$(cut -f 5 <<<"$output" | sed 1d | uniq)" = 1 ]
	[ "$(tail -n 1 <<<"$output" | grep -c 'tag=98')" = 1 ]
	status_is 1 trace-diff --first --csv "$RUN" one.bin
	[ "$(sed -n 5p <<<"$output" | cut -d, -f 1-3)" = "old,$at," ]
	status_is 1 trace-diff --first -J "$RUN" one.bin
	python3 -c "import json, sys; a = json.load(sys.stdin); assert [e['in'] for e in a] == ['both'] * 3 + ['old', 'new'] and a[-1]['record.new'] == $at and a[3]['record.new'] is None" <<<"$output"
	status_is 0 trace-diff --first --ignore tag "$RUN" one.bin
	[ -z "$output" ]
	status_is 0 trace-diff --first -e 'loc != 1' "$RUN" one.bin
	# Times of another run: an event is found by its place and its order.
	trace-derive 'time = time * 3 + 1s' 'dur = dur * 2' one.bin > late
	status_is 1 trace-diff --first --tsv --ignore time,dur,cpu,cpudur "$RUN" late
	[ "$(tail -n 1 <<<"$output" | cut -f 1-3)" = "new	-	$at" ]
	# An event that one side lacks: the next one of its place stands there; by key it alone is told.
	trace-filter 'event?' "$RUN" | sed "${at}d" > less
	status_is 1 trace-diff --first --tsv "$RUN" less
	[ "$(tail -n 2 <<<"$output" | cut -f 1-3)" = "old	$at	-"$'\n'"new	-	$at" ]
	for o in "$RUN less" "less $RUN"; do
		# shellcheck disable=SC2086
		status_is 1 trace-diff --first --tsv -k loc,event,time $o
		[ "$(tail -n 1 <<<"$output" | cut -f 1-3)" = "$([ "$o" = "$RUN less" ] && echo "old	$at	-" || echo "new	-	$at")" ]
	done
	# Another order is none of places; nor of keys that are unique.
	trace-filter 'event?' "$RUN" | sort -s -t '	' -k 2,2 > by-place
	status_is 0 trace-diff --first "$RUN" by-place
	trace-filter 'event?' "$RUN" | tac > backwards
	status_is 0 trace-diff --first -k 'loc, event, time' "$RUN" backwards
	status_is 1 trace-diff --first "$RUN" backwards
}

@test "--first takes the same memory for a million events as for a thousand" {
	need_native
	for n in 1000 1000000; do
		awk -v n=$n 'BEGIN { for (i = 0; i < n; i++) printf "%d.5\tp%d\te%d\t%d\t8\t-\n", i, i % 64, i % 7, i }' > in.$n
		peak=$(peak_of trace-diff --first in.$n in.$n)
		most=${most:-$((peak + 1024))}
		[ "$peak" -le "$most" ]
	done
	peak=$(peak_of trace-diff --first -k addr in.1000000 in.1000000)
	[ "$peak" -le "$most" ]
	# The last event differs.
	sed '$s/8/9/' in.1000000 > other
	status_is 1 trace-diff --first --tsv in.1000000 other
	[ "$(tail -n 1 <<<"$output" | cut -f 1-3)" = $'new\t-\t1000000' ]
}

@test "errors of an input: status 2, and the other rows are complete" {
	sed '5s/,/;/' "$FIX/spc/Financial1-head.spc" > bad.spc
	status_is 2 trace-diff "$FIX/spc/Financial1-head.spc" bad.spc
	has "$stderr" '^trace-diff: bad.spc:5: '
	[ "$(sed 1d <<<"$output" | cut -f 1,2)" = $'161\t160' ]
	status_is 2 trace-diff --first "$FIX/spc/Financial1-head.spc" bad.spc
	has "$stderr" '^trace-diff: bad.spc:5: '
	status_is 2 trace-diff none "$RUN"
	[ -z "$output" ]
	status_is 2 trace-diff -S nosuch "$RUN" "$RUN"
	has "$stderr" '^trace-diff: -S nosuch: there is no such aggregate; there are count, sum\(dur\)'
	status_is 0 trace-diff -f dumpi --from 1ms --by-time "$RUN" "$RUN"
	[ -z "$stderr" ]
	for o in '-a x(' '-e (size' '-g event,' '-f none' '-O none' '--window 5x'; do
		# shellcheck disable=SC2086
		status_is 2 trace-diff $o -o made "$RUN" "$RUN"
		[ ! -e made ]
	done
	status_is 2 trace-diff --having 'x > 1' "$RUN" "$RUN"
	[ "$(wc -l <<<"$stderr")" = 1 ]
}
