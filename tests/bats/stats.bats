#!/usr/bin/env bats
# trace-stats: every number against sort and awk, which are exact on these inputs.
# The inputs are text streams made here: time, loc, event, addr, size, dur, arguments.
load ../helpers

setup() {
	enter
}

# sizes SHAPE N: one value a line.
sizes() {
	awk -v shape="$1" -v n="$2" 'BEGIN {
		srand(42)
		for (i = 0; i < n; i++) {
			u = rand()
			if (shape == "constant") v = 4096
			else if (shape == "uniform") v = int(u * 1000000)
			else if (shape == "tail") v = int(exp(u * 20))
			else if (shape == "small") v = int(u * 300)
			else if (shape == "few") v = 512 * (1 + int(u * 380))
			else if (shape == "ramp") v = i
			printf "%d\n", v
		}
	}'
}

# as_size / as_arg: values as a text stream, in a column or in an argument (negative ones too).
as_size() {
	awk '{printf "%d.%09d\t%d\t%s\t-\t%s\t-\n", NR / 1000, NR % 1000 * 1000000, NR % 3, NR % 4 ? "W" : "R", $1}'
}
as_arg() {
	awk '{printf "%d.%09d\t0\tE\t-\t-\t-\tv=%s\n", NR / 1000, NR % 1000 * 1000000, $1}'
}

# exact FILE P: the value that at least P percent are not above (nearest rank).
all_percentiles() {
	local list="" p
	for p in $(seq 1 99); do list=$list${list:+,}"p$p($1)"; done
	echo "$list"
}

# percentiles_hold FIELD BOUND VALUES STREAM: p1..p99 are within BOUND of the exact ones, and
# every one of at most 384 distinct values is exact.
percentiles_hold() {
	sort -n "$3" > sorted
	trace-stats -a "$(all_percentiles "$1")" "$4" > all 2> said
	sed -n 2p all | tr '\t' '\n' > got
	awk -v bound="$2" 'FNR == NR { v[NR] = $1; n = NR; d += NR == 1 || $1 != v[NR - 1]; next }
		{
			r = FNR * n / 100; r = r == int(r) ? r : int(r) + 1
			e = $1 - v[r]; e = e < 0 ? -e : e; a = v[r] < 0 ? -v[r] : v[r]
			if (e > (d <= 384 ? 0 : bound * a)) { print "p" FNR, $1, "exact", v[r]; bad = 1 }
		}
		END { if (FNR != 99) { print FNR " percentiles"; bad = 1 }; exit bad }' sorted got
	# What is not exact is named.
	seq 99 | awk '{ print int(($1 * n + 99) / 100) }' n="$(wc -l < sorted)" | awk 'FNR == NR { v[NR] = $1; next } { print v[$1] }' sorted - > exact
	paste got exact | awk -v field="$1" '$1 != $2 { print "p" NR "(" field ")" }' > named
	sed -n 's/^trace-stats: \(p.*\): off by.*/\1/p' said | tr -d , | tr ' ' '\n' > notes
	{ grep -vxFf notes named || :; } | same /dev/null -
}

@test "percentiles 1 to 99 of many shapes are within 0.4 %, of few values exact" {
	for shape in constant uniform tail small few ramp; do
		sizes $shape 5000 > v
		as_size < v > s
		percentiles_hold size 0.004 v s || { echo "$shape"; return 1; }
	done
	echo 77 > v
	as_size < v > s
	percentiles_hold size 0.004 v s
}

@test "percentiles of negative values, and of both signs" {
	sizes uniform 4000 | awk '{print $1 - 500000}' > v
	as_arg < v > s
	percentiles_hold v 0.004 v s
	sizes small 1000 | awk '{print -$1}' > v
	as_arg < v > s
	percentiles_hold v 0.004 v s
}

@test "--accuracy chooses the bound" {
	sizes tail 5000 > v
	as_size < v > s
	sort -n v > sorted
	for bits in 3 10; do
		trace-stats --accuracy $bits -a "$(all_percentiles size)" s | sed -n 2p | tr '\t' '\n' > got
		awk -v bits=$bits 'FNR == NR { v[NR] = $1; n = NR; next }
			{ r = FNR * n / 100; r = r == int(r) ? r : int(r) + 1; e = $1 - v[r]; e = e < 0 ? -e : e
			  if (e > v[r] / 2 ^ (bits + 1)) { print bits, "p" FNR, $1, v[r]; bad = 1 } } END { exit bad }' sorted got
	done
}

@test "count, sum, mean, min, max, var, sd by group are awk's" {
	sizes small 3000 > v
	as_size < v > s
	trace-stats -g event,loc -a 'count,sum(size),mean(size),min(size),max(size),var(size),sd(size)' s | tail -n +2 > got
	awk -F'\t' '{ k = $3 "\t" $2; n[k]++; s[k] += $5; q[k] += $5 * $5
		if (n[k] == 1 || $5 < lo[k]) lo[k] = $5; if (n[k] == 1 || $5 > hi[k]) hi[k] = $5 }
		END { for (k in n) { var = (n[k] * q[k] - s[k] * s[k]) / (n[k] * (n[k] - 1))
			printf "%s\t%d\t%d\t%.6f\t%d\t%d\t%.6f\t%.6f\n", k, n[k], s[k], s[k] / n[k], lo[k], hi[k], var, sqrt(var) } }' s |
		sort > want
	awk -F'\t' '{printf "%s\t%s\t%s\t%s\t%.6f\t%s\t%s\t%.6f\t%.6f\n", $1, $2, $3, $4, $5, $6, $7, $8, $9}' got | sort | same - want
}

@test "first, last, mode, top, distinct" {
	sizes small 2000 > v
	as_size < v > s
	status_is 0 trace-stats -a 'first(size),last(size),mode(size),distinct(size),top(size,3),count(size)' s
	top=$(sort v | uniq -c | sort -k1,1nr -k2,2n | head -3 | awk '{printf "%s%s:%s", (NR > 1 ? "," : ""), $2, $1}')
	mode=${top%%:*}
	[ "$(grep -v '^#' <<<"$output")" = "$(head -1 v)	$(tail -1 v)	$mode	$(sort -u v | wc -l)	$top	2000" ]
	# Of any field: texts as well.
	status_is 0 trace-stats -a 'first(event),last(loc),mode(event),distinct(loc),top(event,2),count(event)' s
	[ "$(tail -n 1 <<<"$output")" = "W	2	W	3	W:1500,R:500	2000" ]
}

@test "distinct beyond its bound says so, and is near" {
	sizes ramp 50000 | as_size > s
	status_is 0 trace-stats -a 'distinct(size)' s
	has "$stderr" 'distinct\(size\): .* 1.15 %'
	awk 'NR > 1 { e = $1 / 50000 - 1; exit !(e < 0.05 && e > -0.05) }' <<<"$output"
}

@test "top beyond its bound keeps its promise" {
	{ sizes ramp 5000; for i in 1 2 3; do for k in $(seq 1 400); do echo $((i * 1000000)); done; done; } > v
	as_size < v > s
	status_is 0 trace-stats -a 'top(size,3)' s
	has "$output" '^#top'
	# COUNT-ERROR <= 400 <= COUNT for those three.
	grep -v '^#' <<<"$output" | tr , '\n' | awk -F'[:-]' '$1 % 1000000 || $1 < 1 || $2 < 400 || $2 - $3 > 400 { exit 1 } END { exit NR != 3 }'
}

@test "hist: powers of two, and intervals" {
	sizes tail 3000 > v
	as_size < v > s
	status_is 0 trace-stats -a 'hist(size)' s
	want=$(awk '{ b = 0; if ($1) for (b = 1; b * 2 <= $1; b *= 2); n[b]++ } END { for (b in n) print b, n[b] }' v | sort -n |
		awk '{printf "%s%s:%s", (NR > 1 ? "," : ""), $1, $2}')
	[ "$(tail -n 1 <<<"$output")" = "$want" ]
	sizes uniform 3000 > v
	as_size < v > s
	status_is 0 trace-stats -a 'hist(size,10K)' s
	want=$(awk '{ n[int($1 / 10240) * 10240]++ } END { for (b in n) print b, n[b] }' v | sort -n |
		awk '{printf "%s%s:%s", (NR > 1 ? "," : ""), $1, $2}')
	[ "$(tail -n 1 <<<"$output")" = "$want" ]
}

@test "share and rate" {
	sizes small 1000 > v
	as_size < v > s
	status_is 0 trace-stats -g event -a 'share,share(size),rate' s
	tail -n 2 <<<"$output" > got
	awk -F'\t' 'FNR == NR { n[$3]++; s[$3] += $5; all += $5; next }
		function near(x, y) { return x - y < 1e-6 && y - x < 1e-6 }
		!near($2, n[$1] / 1000) || !near($3, s[$1] / all) || !near($4, n[$1] / 0.999) { print; exit 1 }' s got
}

@test "windows: rows without events end, however far events lie apart" {
	printf '%s\t0\t%s\t-\t1\t-\n' 0.1 A 1048577.5 A > s
	status_is 0 trace-stats -w 1s s
	[ "$(wc -l <<<"$output")" = 1048579 ]
	# A key of its own for each of many windows.
	awk 'BEGIN { for (i = 0; i < 1600; i++) printf "%d.0\t0\tE%d\t-\t1\t-\n", i, i }' > s
	status_is 2 trace-stats -w 1s -g event s
	[ "$(wc -l <<<"$output")" = 1601 ]
	head -n 1000 s > few
	status_is 0 trace-stats -w 1s -g event few
	[ "$(wc -l <<<"$output")" = 1000001 ]
}

@test "windows that slide hold what their panes hold" {
	sizes small 3000 > v
	as_size < v > s
	trace-stats -w 500ms/200ms -a 'count,sum(size),min(size),p90(size)' s | tail -n +2 > got
	for k in $(seq -2 15); do
		awk -F'\t' -v a=$((k * 200)) 'int($1 * 1000 + 0.5) >= a && int($1 * 1000 + 0.5) < a + 500 {print $5}' s | sort -n > w
		awk -v k="$k" '{v[NR] = $1; s += $1} END { r = NR * 0.9; r = r == int(r) ? r : int(r) + 1
			if (NR) printf "%s%d.%d00000000\t%d\t%d\t%d\t%d\n", (k < 0 ? "-" : ""), (k < 0 ? -k : k) / 5, (k < 0 ? -k : k) * 2 % 10, NR, s, v[1], v[r] }' w
	done > want
	same got want
}

@test "-e filters first, and names a field that no event has" {
	sizes small 1000 | as_size > s
	status_is 0 trace-stats -e 'W and size >= 100' -a count s
	[ "$(tail -n 1 <<<"$output")" = "$(awk '$3 == "W" && $5 >= 100' s | wc -l)" ]
}

@test "the same answer on text, binary and native" {
	aggs='count,sum(size),p50(size),p99(size),sd(gap),distinct(addr),top(addr,3),first(addr),last(size),mode(loc)'
	for f in "$FIX"/spc/*.spc "$FIX"/laplace/*.ref "$FIX"/laplace/*.kern; do
		trace-filter -t 'event?' "$f" > t || :
		trace-filter -b 'event?' "$f" > b || :
		trace-stats -g event,loc -a "$aggs" "$f" > n 2>/dev/null || :
		trace-stats -g event,loc -a "$aggs" t > nt 2>/dev/null || :
		trace-stats -g event,loc -a "$aggs" b > nb 2>/dev/null || :
		same n nt && same n nb && [ -s n ] || { echo "$f"; return 1; }
	done
}

@test "-j: the same bytes whatever the number of threads" {
	sizes tail 400000 | as_size > s
	aggs='count,sum(size),p50(size),p99.9(size),sd(size),mean(gap),p99(gap),first(size),last(size),distinct(size)'
	trace-stats -j 1 -g event,loc -a "$aggs" s > one
	for j in 2 3 7; do
		trace-stats -j $j -g event,loc -a "$aggs" s | same one -
	done
	trace-stats -j 1 s > one
	trace-stats -j 5 s | same one -
	trace-stats -j 1 -w 7s/2s -a 'count,sum(gap)' s > one
	trace-stats -j 3 -w 7s/2s -a 'count,sum(gap)' s | same one -
}

@test "-j: a damaged file gives the messages and the answer of one thread" {
	awk 'BEGIN { for (i = 0; i < 400000; i++) printf "%d,%d,4096,%s,%d.%06d\n", i % 5, i * 8, i % 3 ? "W" : "R", i / 1000, i % 1000 * 1000 }' > s
	awk 'NR == 300001 { print "broken" } { print }' s > d
	# A time that goes back exactly between two parts, where no part sees it.
	awk 'NR == 200001 { sub(/,[0-9.]*$/, ",900.000000") } { print }' s > e
	for f in d e; do
		status_is 2 trace-stats -j 1 -g event $f
		one=$output errors=$stderr
		status_is 2 trace-stats -j 4 -g event $f
		[ "$output" = "$one" ]
		[ "$stderr" = "$errors" ]
	done
}

@test "--chunk: the parts of a file hold every record once" {
	sizes small 1000 | as_size > s
	{ printf '##spoor\t1\n##clock\ts\n##loc\tdisk\n'; cat s; printf '##end\tevents=1000\n'; } > h
	spc-cat -n "$FIX/spc/Financial1-head.spc" > f
	for n in 1 2 3 10 2000; do
		for k in $(seq 1 $n); do
			[ $n = 2000 ] && [ $((k % 97)) != 0 ] && continue
			trace-filter -n --chunk "$k/$n" 'event?' f >> "f.$n" || [ $? = 1 ]
		done
		[ $n = 2000 ] || same f "f.$n"
	done
	for k in 1 2 3 4 5; do trace-filter -F time,disk,event,size --chunk $k/5 'disk?' h; done |
		same - <(cut -f1,2,3,5 s)
	for k in 1 2 3; do trace-filter -t --chunk $k/3 'event?' "$FIX/laplace/merged-head.ref"; done |
		same - <(trace-filter -t 'event?' "$FIX/laplace/merged-head.ref")
}

@test "--chunk: of a set of files whole ones; what cannot be cut is refused; lines keep their numbers" {
	for i in 1 2 3 4 5; do sizes small $i | as_size > "f$i"; done
	for k in 1 2; do trace-filter --chunk $k/2 'event?' f1 f2 f3 f4 f5; done | same - <(cat f1 f2 f3 f4 f5)
	status_is 1 trace-filter --chunk 1/9 'event?' f1 f2 f3 f4 f5
	status_is 2 trace-filter --chunk 1/2 'event?' "$(echo "$FIX"/dumpi/*.bin | cut -d' ' -f1)"
	has "$stderr" 'dumpi cannot be cut'
	status_is 2 bash -c 'cat f5 | trace-filter --chunk 1/2 "event?"'
	has "$stderr" 'regular file'
	for bad in 0/1 2/1 1 1/ x/y 1/0 -1/2; do status_is 2 trace-filter --chunk "$bad" 'event?' f5; done
	{ sizes small 1000 | as_size; echo broken; sizes small 10 | as_size; } > d
	status_is 2 trace-filter -c --chunk 2/2 'event?' d
	has "$stderr" 'd:1001: '
}

@test "--chunk: files that are one trace are not shared out, several streams in a file not cut" {
	f=$(echo "$FIX"/dumpi/*.bin)
	set -- $f
	for k in 1 2; do
		status_is 2 trace-stats -p --chunk $k/2 "$1" "$1"
		has "$stderr" 'format dumpi are one trace'
	done
	sizes small 10 | as_size > s
	trace-stats --chunk 1/2 -g event s s "$1" "$1" | same - <(trace-stats -g event s s)
	{ printf '##spoor\t1\n##loc\ta\n1.0\t0\tR\t-\t-\t-\n##end\tevents=1\n##spoor\t1\n##loc\tb\n'
	  for i in 1 2 3 4 5 6 7 8 9; do printf "$i.0\t0\tR\t-\t-\t-\n"; done; printf '##end\tevents=9\n'; } > two
	status_is 2 trace-filter -c --chunk 1/2 'event?' two
	has "$stderr" 'two:5: another stream begins'
	trace-stats --tune worth=50 -j 2 -g b two | same - <(trace-stats -j 1 -g b two)
	{ printf '##spoor\t1\n'; for i in 1 2 3 4 5 6; do printf "##meta\tk$i=v\n"; done
	  printf '1.0\t0\tR\t-\t-\t-\n##end\tevents=1\n'; } > meta
	trace-filter -H --chunk 2/2 R meta | same - <(trace-filter -H R meta)
}

@test "the report: its numbers are awk's" {
	status_is 0 trace-stats --tsv "$FIX/spc/Financial1-head.spc"
	report=$output
	is() { has "$report" "^$1	$2	$3	$4\$"; }
	tr rw RW < "$FIX/spc/Financial1-head.spc" > f
	is trace events value "$(wc -l < f)"
	is event W count "$(grep -c ,W, f)"
	is event R bytes "$(awk -F, '$4 == "R" {s += $3} END {print s}' f)"
	is size all greatest "$(cut -d, -f3 f | sort -n | tail -1)"
	is size W p50 "$(awk -F, '$4 == "W" {print $3}' f | sort -n | awk '{v[NR] = $1} END {print v[int((NR + 1) / 2)]}')"
	is ties all ties "$(awk -F, 'NR > 1 && $5 == t {n++} {t = $5} END {print n}' f)"
	is trace events/s,\ peak value "$(awk -F, '{n[int($5)]++} END {for (i in n) if (n[i] > m) m = n[i]; print m}' f)"
	is block all requests "$(wc -l < f)"
	is block all footprint "$(awk -F, '{for (b = int($2 * 512 / 4096); b <= int(($2 * 512 + $3 - 1) / 4096); b++) if (!(($1, b) in s)) {s[$1, b]; n++}} END {print n}' f)"
	is block all unaligned "$(awk -F, '$2 * 512 % 4096 || ($2 * 512 + $3) % 4096 {n++} END {printf "%.6f", n / NR}' f | sed 's/0*$//; s/\.$//')"
	is block 0 sequential "$(awk -F, '$1 == 0 {if (k++ && $2 == e) n++; e = $2 + $3 / 512} END {printf "%.6f", n / (k - 1)}' f | sed 's/0*$//; s/\.$//')"
}

@test "the report: 80 columns, no bars but to a terminal, JSON that parses" {
	status_is 0 trace-stats "$FIX/spc/Financial1-head.spc"
	awk 'length($0) > 80 { print; bad = 1 } END { exit bad }' <<<"$output"
	[[ $output != *█* ]]
	status_is 0 trace-stats -J "$FIX/spc/Financial1-head.spc"
	if command -v python3 >/dev/null; then
		python3 -c 'import json, sys; d = json.load(sys.stdin); assert d["event"][0]["event"] == "R"' <<<"$output"
	fi
	if command -v script >/dev/null; then
		script -qec "trace-stats '$FIX/spc/Financial1-head.spc'" /dev/null > shown
		grep -q '█' shown
		NO_COLOR=1 script -qec "trace-stats '$FIX/spc/Financial1-head.spc'" /dev/null > shown
		[ "$(grep -c '█' shown)" = 0 ]
	fi
}

@test "known answers: Financial1's first 28 seconds" {
	need_traces spc
	status_is 0 trace-stats -g event -a 'count,sum(size)' "$TRACES/spc/Financial1-first28s.spc"
	[ "$output" = "#event	count	sum(size)
R	183	302592
W	766	2268160" ]
}

@test "memory does not grow with the input, and little with groups" {
	need_native
	sizes tail 300000 | as_size > s
	for a in 'count,p99(size),p50(gap)' 'distinct(size),top(size,10)'; do
		/usr/bin/env bash -c 'ulimit -v 65536; exec trace-stats -j 1 -g event -a "$1" s' _ "$a" > /dev/null
	done
	# A hundred thousand groups of their own.
	awk 'BEGIN { for (i = 0; i < 100000; i++) printf "%d.0\tg%d\tE\t-\t%d\t-\n", i, i, i }' > s
	[ "$(bash -c 'ulimit -v 300000; exec trace-stats -j 1 -g loc -a "count,p50(size)" s' | wc -l)" = 100001 ]
}

# distinct N COUNT [FIRST]: COUNT events whose sizes are N different ones, odd and even times each.
distinct() {
	awk -v n="$1" -v count="$2" -v first="${3:-1}" 'BEGIN { for (i = 0; i < count; i++) printf "%.0f\n", 1000003 * (first + i * 7 % n) }'
}

@test "percentiles are exact for 1024 values in all groups, or 384 in one" {
	# Exactly as many as there are codes, in two groups, and one more.
	for n in 383 384 385 1023 1024; do
		distinct $n 5000 > v
		as_size < v > s
		percentiles_hold size 0 v s
		trace-stats -g loc -a "$(all_percentiles size)" s > one
		for g in 0 1 2; do
			awk -v g=$g 'NR % 3 == g' v > "v$g"
			as_size < "v$g" > "s$g"
			sort -n "v$g" | awk '{ v[NR] = $1 } END { for (p = 1; p <= 99; p++) { r = p * NR / 100; r = r == int(r) ? r : int(r) + 1; printf "%s%d", (p > 1 ? "\t" : ""), v[r] } print "" }' > want
			awk -v g=$g '$1 == g' one | cut -f2- | same - want
		done
	done
	# One group has many values; the one beside it has 300, and they stay exact.
	{
		distinct 2000 4000 | awk '{printf "%d.0\tbig\tE\t-\t%s\t-\n", NR, $1}'
		distinct 300 900 5000 | awk '{printf "%d.0\tsmall\tE\t-\t%s\t-\n", NR, $1}'
	} > s
	distinct 300 900 5000 > v
	for order in 's' '-s'; do
		sort ${order#s} -k2,2 s > t
		trace-stats -g loc -a "$(all_percentiles size)" t | awk '$1 == "small"' | cut -f2- | tr '\t' '\n' > got
		sort -n v | awk '{ v[NR] = $1 } END { for (p = 1; p <= 99; p++) { r = p * NR / 100; r = r == int(r) ? r : int(r) + 1; print v[r] } }' | same - got
	done
}

@test "hist of 8000 intervals: each by itself" {
	sizes ramp 8000 | awk '{print $1 * 100 + 7}' > v
	as_size < v > s
	trace-stats -a 'hist(size,100)' s | tail -n 1 | tr , '\n' | awk -F: '$1 != (NR - 1) * 100 || $2 != 1 { print; exit 1 } END { exit NR != 8000 }'
}

@test "the report of a million units, names or seconds stays within 64 MiB" {
	need_native
	within() { bash -c 'ulimit -v 65536; exec trace-stats -j 1 "$@"' _ "$@"; }
	# Every other event is of one of twelve units.
	awk 'BEGIN { srand(3); for (i = 0; i < 400000; i++) printf "%d,%d,4096,%s,%d.%03d000\n", i % 2 ? int(rand() * 12) : 100 + int(rand() * 9000000), rand() * 1e6, i % 3 ? "W" : "R", i / 1000, i % 1000 }' > units
	within --tsv units > report
	# Nothing of the twelve went elsewhere, and sums are of all.
	awk -F, '$1 < 100 { n[$1]++ } END { for (k in n) print k "\t" n[k] }' units | sort > want
	awk -F'\t' '$1 == "location" && $3 == "count" && $2 != "(others)" { print $2 "\t" $4 }' report | sort > got
	[ "$(wc -l < got)" = 9 ]
	[ -z "$(comm -23 got want)" ]
	has "$(cat report)" '^trace	events	value	400000$'
	has "$(cat report)" '^trace	missed	value	[0-9]+$'
	has "$(cat report)" '^block	all	requests	400000$'
	awk -F'\t' '$1 == "trace" && $2 == "missed" { exit !($4 <= 2 * 400000 / 15872) }' report
	trace-stats -j 3 --tsv units | same report -
	# Names of events: the busiest keeps its percentiles, and the sizes of all are exact.
	awk 'BEGIN { for (i = 0; i < 200000; i++) printf "%d.%03d000000\t%d\te%d\t-\t%d\t-\n", i / 1000, i % 1000, i % 7, i % 2 ? 1 : i, i % 100 }' > names
	within --tsv names > report
	has "$(cat report)" '^event	e1	count	100000$'
	has "$(cat report)" '^size	e1	p50	49$'
	has "$(cat report)" '^size	all	p50	49$'
	has "$(cat report)" '^location	3	count	28571$'
	# Seconds: an event every 3.
	awk 'BEGIN { for (i = 0; i < 300000; i++) printf "%d.5\t0\tE\t-\t%d\t-\n", i * 3, i == 70000 ? 1e6 : 1 }' > seconds
	within --tsv seconds > report
	has "$(cat report)" '^trace	peaks over, s	value	16$'
	has "$(cat report)" '^trace	events/s, peak	value	0.375$'
	has "$(cat report)" '^trace	bytes/s, peak	value	62500$'
}

