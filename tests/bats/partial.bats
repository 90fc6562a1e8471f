#!/usr/bin/env bats
# trace-stats -p and -m: partials of any split, merged in any order and grouping, give the bytes of
# one pass.
load ../helpers

AGGS='count,sum(size),mean(size),var(size),p50(size),p99(size),min(gap),mean(gap),p90(gap),first(size),last(size),distinct(size),share,share(size),rate,hist(size),top(size,3)'

setup() {
	enter
	awk 'BEGIN { srand(7); for (i = 0; i < 3000; i++) { t += int(rand() * 3) * 1000000
		printf "%d.%09d\t%d\t%s\t%d\t%d\t-\n", t / 1e9, t % 1e9, rand() * 5, substr("RWSTF", 1 + int(rand() * 5), 1), rand() * 1e6, 512 * int(1 + rand() * 200) } }' > s
}

# The numbers 1..N in the order of a seed.
shuffled() { # N SEED
	awk -v n="$1" -v seed="$2" 'BEGIN { srand(seed); for (i = 1; i <= n; i++) print rand(), i }' | sort -n | cut -d' ' -f2
}

@test "200 random splits, orders and groupings of a file give one pass" {
	trace-stats -g event,loc -a "$AGGS" s > one
	for seed in $(seq 1 200); do
		n=$((seed % 6 + 1))
		rm -f p.* q.*
		for k in $(seq 1 $n); do
			trace-stats -p -g event,loc -a "$AGGS" --chunk "$k/$n" -o "p.$k" s
		done
		# Every other time, some are merged before the rest.
		if [ $((seed % 2)) = 0 ] && [ "$n" -gt 2 ]; then
			a=$(shuffled $n "$seed" | head -2 | sed 's/^/p./')
			# shellcheck disable=SC2086  # a list of names
			trace-stats -m -p -o q.1 $a
			# shellcheck disable=SC2086
			rm $a
		fi
		# shellcheck disable=SC2012  # our own names
		list=$(ls p.* q.* 2>/dev/null | awk -v seed="$seed" 'BEGIN { srand(seed) } { print rand(), $1 }' | sort -n | cut -d' ' -f2)
		# shellcheck disable=SC2086
		trace-stats -m $list | same - one || { echo "seed $seed"; return 1; }
	done
}

@test "events dealt at random over files, without what depends on order" {
	aggs='count,sum(size),var(size),p50(size),p99(size),distinct(addr),share,hist(size,10K),top(size,5)'
	trace-stats -g event -a "$aggs" s > one
	for seed in 1 2 3; do
		rm -f d.*
		awk -v seed=$seed 'BEGIN { srand(seed) } { print > "d." int(rand() * 7) }' s
		for f in d.*; do trace-stats -p -g event -a "$aggs" -o "part.$f" "$f"; done
		trace-stats -m part.d.* | same - one
	done
	# As one set of files, the same.
	trace-stats -g event -a "$aggs" d.* | same - one
}

@test "windows, the report, and sets of files merge as well" {
	for k in 1 2 3; do trace-stats -p -w 500ms/200ms -g loc -a 'count,sum(gap),p50(size)' --chunk $k/3 -o w.$k s; done
	trace-stats -m w.3 w.1 w.2 | same - <(trace-stats -w 500ms/200ms -g loc -a 'count,sum(gap),p50(size)' s)
	f=$FIX/spc/Financial1-head.spc
	for k in 1 2 3 4; do trace-stats -p --chunk $k/4 -o r.$k "$f"; done
	trace-stats -m --tsv r.2 r.4 r.1 r.3 | same - <(trace-stats --tsv "$f")
	trace-stats -m r.* | same - <(trace-stats "$f")
	split -n l/4 s d.
	trace-stats -g input,event -a "$AGGS" d.* > one
	for f in d.a?; do trace-stats -p -g input,event -a "$AGGS" -o "$f.part" "$f"; done
	trace-stats -m d.aa.part d.ab.part d.ac.part d.ad.part | same - one
	# Rows keep the order of the operands.
	trace-stats -m d.ad.part d.aa.part d.ab.part d.ac.part | sort | same - <(sort one)
}

@test "partials are lines that may be sorted and put together" {
	trace-stats -g event -a "$AGGS" s > one
	for k in 1 2 3; do trace-stats -p -g event -a "$AGGS" --chunk $k/3 s > p.$k; done
	cat p.* | trace-stats -m | same - one
	cat p.* | sort | trace-stats -m | same - one
	cat p.* | trace-stats -m -p | trace-stats -m -p | trace-stats -m | same - one
	awk -F'\t' 'NF != 3 || $3 !~ /^-?[0-9]+$/ { print; exit 1 }' p.1
	# One partial of one pass is that pass too.
	trace-stats -p -g event -a "$AGGS" s | trace-stats -m | same - one
}

@test "empty inputs: a first and a last line, status 0; no rows, of a table its header" {
	: > e
	status_is 0 trace-stats e
	[ -z "$output" ]
	for o in '' '-g event' '--chunk 1/2'; do
		# shellcheck disable=SC2086
		trace-stats -p $o e > p
		[ "$(sed -n '1p;$p' p | cut -c1 | paste -sd' ')" = '# ~' ]
		trace-stats -m p | same - <(trace-stats $o e)
		trace-stats -m -p p | same - p
	done
	trace-stats -p e | trace-stats -m -J | same - <(trace-stats -J e)
	# Between others they change nothing.
	trace-stats -p -g event s > p
	trace-stats -p -g event e > none
	trace-stats -m none p none | same - <(trace-stats -g event s)
}

@test "what is cut, damaged or foreign is refused, with file and line" {
	trace-stats -p -g event -a "$AGGS" s > p
	n=$(wc -l < p)
	for cut in 1 2 $((n / 2)) $((n - 1)); do
		head -n $cut p > c
		status_is 2 trace-stats -m c
		[ -z "$output" ]
		has "$stderr" '^trace-stats: c:[0-9]+: .*cut'
	done
	head -c -1 p > c
	status_is 2 trace-stats -m c
	has "$stderr" "^trace-stats: c:$n: .*cut"
	sed 5d p > c
	status_is 2 trace-stats -m c
	sed '7s/.*/garbage/' p > c
	status_is 2 trace-stats -m c
	has "$stderr" '^trace-stats: c:7: '
	sed '9s/[0-9]*$/12x/' p > c
	status_is 2 trace-stats -m c
	has "$stderr" '^trace-stats: c:9: '
	status_is 2 trace-stats -m s
	has "$stderr" '^trace-stats: s:1: not a partial result'
	status_is 2 trace-stats -m "$FIX/laplace/merged-head.ref"
	trace-stats -p -g loc s > q
	status_is 2 trace-stats -m p q
	has "$stderr" '^trace-stats: q:1: .*another question'
	sort -r p > c
	status_is 2 trace-stats -m c
	status_is 2 trace-stats -m missing
	status_is 2 trace-stats -m -g event p
}

@test "no line of a partial, changed, makes it crash" {
	trace-stats -p -g event -a 'p50(size),distinct(size),top(size,2),first(size),mean(gap),var(size)' --chunk 2/3 s > p
	awk 'NR <= 60 || NR % 50 == 0' p > few
	last=$(wc -l < few)
	for i in $(seq 2 3 "$last"); do
		for change in 's/\t[^\t]*$/\t99999999999999999999999999/' 's/ [^ \t]*/ -1/' 's/ [^\t]*\t/\t/' 's/^[^\t]*/z=x/' 's/[0-9]/9/g'; do
			sed "${i}$change" few > c
			trace-stats -m c >/dev/null 2>&1 || [ $? = 2 ]
		done
	done
}

@test "top merges exactly within its bound, and says when it is beyond" {
	for i in 1 2 3; do
		awk -v s=$i 'BEGIN { srand(s); for (i = 0; i < 2000; i++) { v = rand() < 0.3 ? 7 : int(rand() * 3000); printf "%d.0\t0\tE\t-\t%d\t-\n", i, v } }' > "t$i"
		trace-stats -p -a 'top(size,1),mode(size)' "t$i" > "tp$i"
	done
	status_is 0 trace-stats -m tp1 tp2 tp3
	has "$output" '^#top'
	has "$output" '^7:'
}

@test "counters go on beyond 2^32" {
	awk 'BEGIN { for (i = 0; i < 2000; i++) printf "%d.0\t0\tE\t-\t%d\t-\n", i, i * 1000 }' > t
	head -100 t > few
	for f in few t; do
		trace-stats -p -a 'p50(size),hist(size)' "$f" |
			awk -F'\t' -v OFS='\t' '$2 ~ /^[01] (value|bucket) i /  { $3 = "3000000000" } { print }' > big
		trace-stats -m big big big > got
		n=$(grep -c '^a=	1 [vb]' big)
		# Every one counts 9e9 now; the middle stays where it was.
		sed -n 2p got | cut -f2 | tr , '\n' | awk -F: -v n="$n" '{ s += $2 } END { exit s != n * 9e9 }'
	done
}

@test "a partial whose lines contradict each other is refused" {
	trace-stats -p -g event -a 'sum(size)' s > p
	# The number of values is left out, and the line counted.
	awk -F'\t' '$2 == "0 n i" && !done { done = 1; print $1 "\tcount\t0"; next } { print }' p > q
	status_is 2 trace-stats -m q
	has "$stderr" 'damaged: a sum, .* of no values'
	[ -z "$output" ]
	awk -F'\t' '$2 == "count" && !done { done = 1; print $1 "\tcount\t0"; next } { print }' p > q
	status_is 2 trace-stats -m q
	has "$stderr" 'damaged: a group has no count'
	trace-stats -p -a 'p50(size)' s |
		awk -F'\t' '$2 ~ /^0 (value|bucket) / { print $1 "\tcount\t1"; next } { print }' > q
	status_is 2 trace-stats -m q
	has "$stderr" 'damaged: values without a distribution'
}

@test "reports with more seconds than are kept merge into one pass, in any order" {
	awk 'BEGIN { for (i = 0; i < 300000; i++) printf "%d.5\t%d\tE\t-\t%d\t-\n", i < 60000 ? i / 2 : i * 5, i % 9, i % 50 }' > long
	trace-stats -j 1 --tsv long > one
	has "$(cat one)" 'peaks over'
	trace-stats -j 3 --tsv long | same one -
	for k in 1 2 3 4; do trace-stats -j 1 -p --chunk $k/4 -o l.$k long; done
	# The first has few enough by itself.
	[ "$(grep -c '^%b	shift' l.1)" = 0 ]
	[ "$(grep -c '^%b	shift' l.4)" = 1 ]
	trace-stats -m --tsv l.1 l.2 l.3 l.4 | same one -
	trace-stats -m --tsv l.4 l.2 l.1 l.3 | same one -
	cat l.3 l.1 l.4 l.2 | sort | trace-stats -m -p | trace-stats -m --tsv | same one -
}

@test "reports with more names than are kept merge within their bounds" {
	for i in 1 2 3; do
		awk -v s=$i 'BEGIN { srand(s); for (i = 0; i < 60000; i++) printf "%d,%d,4096,W,%d.%03d000\n", i % 3 ? int(rand() * 9) : 1000 * s + int(rand() * 1e8), i, i / 1000, i % 1000 }' > u$i
		trace-stats -p -o up.$i u$i
	done
	for order in '1 2 3' '3 1 2'; do
		# shellcheck disable=SC2086
		for i in $order; do cat up.$i; done | trace-stats -m --tsv > got
		cat u1 u2 u3 | awk -F, '$1 < 9 { n[$1]++ } END { for (k in n) print k, n[k] }' > want
		missed=$(awk -F'\t' '$2 == "missed" { print $4 }' got)
		[ "$missed" -gt 0 ]
		[ "$missed" -lt 100 ]
		awk -v missed="$missed" 'FNR == NR { n[$1] = $2; next } BEGIN { FS = "[\t ]" }
			$1 == "location" && $2 in n && $3 == "count" { rows++; if ($4 > n[$2] || $4 + missed < n[$2]) { print; exit 1 } }
			$1 == "block" && $2 == "all" && $3 == "requests" { all = $4 }
			END { exit rows != 9 || all != 180000 }' want got
	done
}

@test "a part that has no event of a table is read all the same: gaps go across it" {
	seq 0 299 | awk '{ printf "%d.0\t-\t%s\t-\t-\t-\n", $1, ($1 < 50 || $1 > 250) ? "a" : "b" }' > m
	trace-stats -e a -a 'count(gap),max(gap),sum(gap)' m > one
	has "$(cat one)" '98	202'
	for k in 1 2 3; do trace-stats -p -e a -a 'count(gap),max(gap),sum(gap)' --chunk $k/3 -o m.$k m; done
	trace-stats -m m.2 m.3 m.1 | same - one
	trace-stats -m -p m.2 m.3 | trace-stats -m m.1 - | same - one
	# A section of the report: reads on both sides of closes.
	{ printf '#format charisma\n'
	seq 0 299 | awk '{ if ($1 < 50 || $1 >= 250) printf "%d.0\t0\tread\t%d\t100\t-\tfile=7\n", $1, $1 * 100
		else printf "%d.0\t0\tclose\t-\t-\t-\tfile=7\n", $1 }'; } > c
	for k in 1 2 3; do trace-stats -p --chunk $k/3 -o c.$k c; done
	trace-stats -m --tsv c.3 c.1 c.2 | same - <(trace-stats --tsv c)
}

@test "an event of a window that has none is refused" {
	awk 'BEGIN { for (i = 0; i < 3500; i++) printf "%d.0\t-\ta%d\t-\t-\t-\n", i, i % 400 }' > w
	for k in 1 2; do trace-stats -p -w 1s -g event -a 'count,sum(gap)' --chunk $k/2 -o w.$k w; done
	sed 's/\(segment w [1-9][0-9]* [0-9]* [0-9]*\)\(.*\)/\10000\2/' w.2 > w.d
	status_is 2 trace-stats -m w.1 w.d
	has "$stderr" 'damaged: an event is of a window'
}

