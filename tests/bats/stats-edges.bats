#!/usr/bin/env bats
# trace-stats where it is easily wrong: values that look alike, parts of files that are missing or there
# twice, windows at both ends, what other programs read of a table, and what a message says.
load ../helpers

setup() {
	enter
}

# args NAME VALUE...: an event for each value, which is an argument of that name.
args() {
	local name=$1 v n=0
	shift
	for v; do
		printf '%d.0\t0\tE\t-\t-\t-\t%s=%s\n' $((n += 1)) "$name" "$v"
	done
}

# numbered N [EXPR]: N events, one a second; size by an expression of i.
numbered() {
	awk -v n="$1" "BEGIN { for (i = 0; i < n; i++) printf \"%d.0\t%d\t%s\t-\t%.0f\t-\n\", i, i % 3, i % 4 ? \"W\" : \"R\", ${2:-i} }"
}

# last: the last line of $output that is no note.
last() {
	grep -v '^#' <<<"$output" | tail -n 1
}

# built OUT SOURCE...: a program of the library, where what stands in SOURCE takes the place of its own.
built() {
	local out=$1
	shift
	$CC -std=c11 -D_XOPEN_SOURCE=700 -D_FILE_OFFSET_BITS=64 -O1 -I"$ROOT/common" -I"$ROOT/cmd/lib" -I"$ROOT/cmd" -o "$out" "$@" \
		"$ROOT/build/libcmd.a" "$ROOT/build/libspoor.a" -pthread -lm
}

@test "a section of the report gets the arguments that it asks for, of DUMPI and of ovni" {
	need_native
	# The column is not in any section today: one is added.
	sed 's/"calls = count, time = sum(dur), /&tags = distinct(tag), /
		s/"events = count, first = min(time), /&cpus = distinct(cpu), /' \
		"$ROOT/cmd/lib/stats/queries.c" > more.c
	[ "$(diff "$ROOT/cmd/lib/stats/queries.c" more.c | grep -c '^>')" = 3 ]
	built more "$ROOT/cmd/trace-stats.c" more.c
	f=$FIX/dumpi/every-call-0000.bin
	want=$(dumpi2txt "$f" | tr '\t' '\n' | sed -n 's/^tag=//p' | sort -u | wc -l)
	[ "$want" -gt 1 ]
	has "$(./more --tsv "$f")" "^rank	0	tags	$want\$"
	# The same behind a pipe.
	has "$(dumpi2txt -b "$f" | ./more --tsv)" "^rank	0	tags	$want\$"
	f=$FIX/ovni/all.obs
	want=$(ovni-dump "$f" | tr '\t' '\n' | sed -n 's/^cpu=//p' | sort -u | wc -l)
	[ "$want" -gt 1 ]
	has "$(./more --tsv "$f")" "^thread	.*	cpus	$want\$"
}

@test "distinct: values are compared, not their hashes" {
	# Pairs with one hash each, for the hash that there is.
	for pair in '0 10839530715563148754' '5 -7640891576956012813' '13503953896175478590 0.000000005' 'red 11400714817808363761'; do
		# shellcheck disable=SC2086
		args x $pair $pair > t
		status_is 0 trace-stats -a 'distinct(x)' t
		[ "$(last)" = 2 ] || { echo "$pair"; return 1; }
		for v in $pair; do args x "$v" "$v" > one; trace-stats -p -a 'distinct(x)' -o "p.$v" one; done
		trace-stats -m p.* | same - <(trace-stats -a 'distinct(x)' t)
		rm p.*
	done
}

@test "distinct: exact up to 512 values, and 32 KiB of texts, in any split" {
	for n in 1 7 8 511 512; do
		awk -v n=$n 'BEGIN { for (i = 0; i < 3000; i++) printf "%d.0\t0\tE\t-\t%d\t-\tx=name%04d\n", i, i % n * 977, i * 11 % n }' > t
		status_is 0 trace-stats -a 'distinct(size),distinct(x),distinct(loc)' t
		[ "$output" = "#distinct(size)	distinct(x)	distinct(loc)
$n	$n	1" ]
		for k in 1 2 3; do trace-stats -p -a 'distinct(size),distinct(x),distinct(loc)' --chunk $k/3 -o p.$k t; done
		cat p.3 p.1 p.2 | sort | trace-stats -m | same - <(echo "$output")
	done
	# 256 texts of 127 bytes and what ends each are 32 KiB; one more byte, and they are estimated.
	for more in '' x; do
		awk -v more=$more 'BEGIN { for (i = 0; i < 1000; i++) printf "%d.0\t0\tE\t-\t-\t-\tx=%0127d%s\n", i, i % 256, i % 256 ? "" : more }' |
			sed 's/x=/x=n/; s/n0/n/' > t
		trace-stats -a 'distinct(x)' t > one 2> said
		[ "$(grep -c 'distinct(x): counts above 512' said)" = ${#more} ]
		[ -n "$more" ] || [ "$(tail -n 1 one)" = 256 ]
		for k in 1 2 3; do trace-stats -p -a 'distinct(x)' --chunk $k/3 -o p.$k t; done
		trace-stats -m p.2 p.3 p.1 | same - one
	done
	# Beyond, within 5 %.
	numbered 20000 'i * 31' > t
	status_is 0 trace-stats -a 'distinct(size)' t
	awk '!/^#/ { exit !($1 > 19000 && $1 < 21000) }' <<<"$output"
}

@test "distinct of texts without end stays within 40 MB" {
	need_native
	head -c 150000 /dev/zero | tr '\0' x > long
	for i in $(seq 400); do printf '%d.0\t%d\tE\t-\t-\t-\tx=%d' "$i" $((i % 9)) "$i"; cat long; echo; done > t
	bash -c 'ulimit -v 40000; exec trace-stats -j 1 -g loc -a "distinct(x)" t' > got
	awk '!/^#/ && ($2 < 43 || $2 > 46) { exit 1 }' got
}

# undefined: what C leaves open must not be met by ./trace-stats, which is built to end there.
undefined() {
	local k a bits
	PATH=$PWD:$PATH
	# More groups than are near, each of them new.
	awk 'BEGIN { for (i = 0; i < 6000; i++) printf "%d.0\tg%d\tE\t-\t%d\t-\n", i, i % 1500, i % 9 }' > t
	status_is 0 trace-stats -j 1 -g loc -a 'p50(size)' t
	[ -z "$stderr" ]
	# Whole batches are divided, and not one more.
	status_is 0 trace-stats -j 1 -a 'sum(size // 8),sum(size % 8),sum(size // 3),sum(size % 3)' t
	[ -z "$stderr" ]
	# Intervals beyond what is counted each by itself, and percentiles of few bits.
	numbered 9000 'i * 1000003 * 1000003' > t
	for a in 'hist(size,10)' 'p50(size),hist(size)'; do
		for bits in 1 7 16; do
			for k in 1 2; do trace-stats -p --accuracy $bits -a "$a" --chunk $k/2 -o p.$k t; done
			status_is 0 trace-stats -m p.1 p.2
			if grep -v "^trace-stats: p50(size): off by at most \|^$" <<<"$stderr"; then return 1; fi
			same <(echo "$output") <(trace-stats -j 1 --accuracy $bits -a "$a" t)
		done
	done
}

@test "no shift and no pointer beyond what C defines: groups, intervals, merged partials" {
	need_native
	# Of pointers, one compiler knows what another does not: CC's sanitizers stand in its tree.
	! sanitized all || { cp "$ROOT/build/asan/bin/trace-stats" .; undefined; }
	echo 'int main(void) { return 0; }' > probe.c
	if clang -fsanitize=undefined -o probe probe.c 2>/dev/null && ./probe; then
		CC="clang -fsanitize=undefined -fno-sanitize-recover=all" built trace-stats "$ROOT"/cmd/trace-stats.c "$ROOT"/cmd/lib/stats/*.c "$ROOT"/cmd/lib/work/*.c "$ROOT"/cmd/lib/summary/*.c
		undefined
	fi
	[ -x trace-stats ] || skip "no sanitizers"
}

@test "-m: a part of a file that is missing is an error, of what is there the answer is" {
	numbered 3000 > t
	for k in 1 2 3; do trace-stats -p -g event --chunk $k/3 -o p.$k t; done
	size() { stat -c %s "$1"; }
	b=$(sed -n 's/^%a\tpart t \([0-9]*\).*/\1/p' p.2)
	c=$(sed -n 's/^%a\tpart t \([0-9]*\).*/\1/p' p.3)
	missing() { # TEXT PARTIAL...
		local text=$1
		shift
		status_is 2 trace-stats -m "$@"
		has "$stderr" "^trace-stats: t: the part from $text is in no partial result; run that --chunk again\$"
		[ "$(tail -n +2 <<<"$output" | awk '{ n += $2 } END { print n }')" = "$(for p; do awk -F'\t' '$2 == "count" { print $3 }' "$p"; done | awk '{ n += $1 } END { print n }')" ]
	}
	missing "0 to $b" p.2 p.3
	missing "$b to $c" p.1 p.3
	missing "$c to the end" p.1 p.2
	missing "0 to $b" p.2
	# What is put together on the way may lack some; a file without parts is whole.
	status_is 0 trace-stats -m -p -o q p.3 p.1
	status_is 0 trace-stats -m q p.2
	same <(echo "$output") <(trace-stats -g event t)
	numbered 10 > u
	trace-stats -p -g event -o u.part u
	status_is 0 trace-stats -m u.part p.1 p.2 p.3
	status_is 2 trace-stats -m u.part p.1 p.2
}

@test "-m: all parts of a small file are one file, also where most of them are empty" {
	numbered 5 > plain
	{ printf '##spoor\t1\n##clock\ts\n##loc\tdisk\n'; cat plain; printf '##end\tevents=5\n'; } > header
	printf '0,0,512,R,%d.0\n' 1 2 3 > spc
	head -c 17 plain > one
	: > none
	for f in plain header spc none "$FIX/laplace/merged-head.ref"; do
		trace-stats --tsv "$f" > want
		for n in 1 2 3 50 400; do
			# Not within the line that ends a stream.
			[ "$f$n" != header50 ] && [ "$f$n" != header400 ] || continue
			rm -f p.*
			for k in $(seq 1 $n); do trace-stats -p --chunk "$k/$n" -o "p.$k" "$f"; done
			status_is 0 trace-stats -m --tsv p.*
			same <([ -z "$output" ] || echo "$output") want || { echo "$f $n"; return 1; }
		done
	done
}

@test "a partial has its first and last line also of no events; one of 0 bytes is refused" {
	: > e
	for o in '' '-g event' '-w 1s -g loc -a p50(size)' '-e nothing'; do
		# shellcheck disable=SC2086
		status_is 0 trace-stats -p $o e
		has "$(head -n 1 <<<"$output")" '^#	spoor-stats '
		has "$(tail -n 1 <<<"$output")" '^~	lines	[0-9]+$'
		trace-stats -m <(echo "$output") | same - <(trace-stats $o e)
	done
	# No event that the expression is true for.
	numbered 9 > t
	trace-stats -p -e 'size > 100' -g event -o none t
	trace-stats -p -g event -o some t
	trace-stats -p -g event -o empty e
	trace-stats -m none some empty | same - <(trace-stats -g event t)
	trace-stats -m -p none empty | trace-stats -m | same - <(trace-stats -g event e)
	for list in e 'some e' 'e some'; do
		# shellcheck disable=SC2086
		status_is 2 trace-stats -m $list
		has "$stderr" '^trace-stats: e: .*empty'
		[ -z "$output" ]
	done
	status_is 2 trace-stats -m < /dev/null
	status_is 2 trace-stats -m -p < /dev/null
	has "$stderr" '^trace-stats: <stdin>: '
}

@test "a NUL in a partial is refused, wherever it is" {
	numbered 9 > t
	trace-stats -p -g event -a 'distinct(event)' -o p t
	n=$(wc -c < p)
	for at in 0 1 9 30 $((n / 2)) $((n - 2)) $((n - 1)); do
		{ head -c $at p; printf '\0'; tail -c +$((at + 1)) p; } > z
		status_is 2 trace-stats -m z
		has "$stderr" '^trace-stats: z:[0-9]+: not a partial result: a NUL byte$'
		[ -z "$output" ]
	done
}

@test "the first line is the header, and rows follow: what is approximate stands elsewhere" {
	numbered 3000 > t
	{ numbered 1; printf '9000000000.0\t0\tR\t-\t1\t-\n'; } > far
	for o in '-g event -a count,distinct(size),top(size,3) t' '-g event -w 1s -a count,top(loc) far'; do
		# shellcheck disable=SC2086
		trace-stats $o > got 2> said || :
		awk -F'\t' 'NR == 1 { if (!sub(/^#/, "", $1)) exit 1; n = NF; next }
			/^#/ || NF != n { print "not a row: " $0; exit 1 }
			END { exit NR < 3 }' got
		[ -s said ]
	done
	trace-stats -g event -a 'count,distinct(size),top(size,3)' t | sed '1s/^#//' > table
	! command -v datamash > /dev/null ||
		[ "$(datamash --header-in sum 2 < table)" = 3000 ]
	! command -v mlr > /dev/null ||
		[ "$(mlr --itsv --ojson put -q '@n += $count; end { emit @n }' table | grep -c '"n": 3000')" = 1 ]
}

@test "JSON: what the report says of the trace is one object" {
	command -v python3 > /dev/null || skip "no python3"
	for f in spc/Financial1-head.spc laplace/merged-head.ref dumpi/every-call-0000.bin; do
		trace-stats -J "$FIX/$f" > j
		trace-stats --tsv "$FIX/$f" | python3 -c '
import json, sys
d = json.load(open("j"))
want = {l.split("\t")[1]: l.rstrip("\n").split("\t")[3] for l in sys.stdin if l.startswith("trace\t")}
assert isinstance(d["trace"], dict) and len(want) >= 3 and list(d["trace"]) == list(want), d["trace"]
for k, v in want.items():
	got = d["trace"][k]
	assert got == v if k == "format" else float(got) == float(v) and not isinstance(got, str), k
assert isinstance(d["event"], list)'
	done
}

@test "p0 is the least value and p100 the greatest; avg, std and stddev are mean and sd" {
	numbered 3000 '7 + i * 13 % 1999' > t
	# Of as many values as are exact, and of more.
	for field in size end; do
		awk -F'\t' -v OFS='\t' '{ $6 = $5 / 10; print }' t > d
		status_is 0 trace-stats -a "p0($field),min($field),p100($field),max($field)" d
		last | awk '$1 != $2 || $3 != $4 || $1 == "-" { exit 1 }'
	done
	numbered 100 'i * i' > t
	status_is 0 trace-stats -g event -a 'avg(size),mean(size),std(size),stddev(size),sd(size)' t
	[ "$(head -1 <<<"$output")" = '#event	avg(size)	mean(size)	std(size)	stddev(size)	sd(size)' ]
	tail -n +2 <<<"$output" | awk '$2 != $3 || $4 != $5 || $5 != $6 || $6 == "-" { exit 1 } END { exit NR != 2 }'
}

@test "windows that slide: all that hold an event, at both ends" {
	# Times in milliseconds, the first not at the start of a window; also before 0.
	for times in '50' '1250 1260 2900' '-730 -20 10 1400'; do
		for w in '500 200' '500 500' '300 100' '1000 1' '700 300'; do
			read -r length step <<<"$w"
			# shellcheck disable=SC2086
			printf '%s\n' $times | awk '{ s = $1 < 0 ? "-" : ""; t = $1 < 0 ? -$1 : $1
				printf "%s%d.%03d000000\t0\tE\t-\t%d\t-\n", s, t / 1000, t % 1000, NR }' > t
			# shellcheck disable=SC2086
			printf '%s\n' $times | awk -v length_="$length" -v step="$step" '
				{ v[NR] = $1 } END {
				for (k = -2000; k <= 3000; k++) { n = 0
					for (i in v) n += v[i] >= k * step && v[i] < k * step + length_
					t = k * step; s = t < 0 ? "-" : ""; t = t < 0 ? -t : t
					if (n) printf "%s%d.%03d000000\t%d\n", s, t / 1000, t % 1000, n } }' > want
			status_is 0 trace-stats --no-empty -w "${length}ms/${step}ms" t
			tail -n +2 <<<"$output" | same - want
			for k in 1 2; do trace-stats -p --no-empty -w "${length}ms/${step}ms" --chunk $k/2 -o p.$k t; done
			trace-stats -m p.1 p.2 | same - <(echo "$output")
		done
	done
}

@test "an event where a field is asked for is told as one" {
	f=$FIX/spc/Financial1-head.spc
	for o in '-a count(R)' '-a sum(R)' '-g R' '-g event -a count,p50(R)'; do
		# shellcheck disable=SC2086
		status_is 2 trace-stats $o "$f"
		has "$stderr" '^trace-stats: no event had a field R: R is an event: -e R$'
		# Of parts of the file, by threads, at the merge.
		for k in 1 2 3; do
			# shellcheck disable=SC2086
			status_is 0 trace-stats -p $o --chunk $k/3 -o p.$k "$f"
		done
		status_is 2 trace-stats -m p.1 p.2 p.3
		has "$stderr" 'R is an event: -e R$'
		# shellcheck disable=SC2086
		status_is 2 trace-stats --tune worth=100 -j 3 $o "$f"
		has "$stderr" 'R is an event: -e R$'
	done
}

@test "DUMPI: waits are told as a share of the time in MPI, and of the span" {
	f=$FIX/dumpi/every-call-0000.bin
	trace-stats --tsv "$f" > got
	dumpi2txt "$f" | awk -F'\t' '
		function ns(s,   p) { split(s, p, "."); return p[1] * 1e9 + p[2] }
		function ratio(a, b,   s) { s = a / b; s = sprintf(!s ? "0." : s < 0.001 ? "%.9f" : s < 0.01 ? "%.8f" : s < 0.1 ? "%.7f" : "%.6f", s); sub(/0+$/, "", s); sub(/\.$/, "", s); return s }
		{ d = $6 == "-" ? 0 : ns($6); t = ns($1); all += d; if ($3 ~ /^MPI_Wait/) w += d
		  if (NR == 1 || t < first) first = t; if (t + d > end) end = t + d }
		END { print "rank\t0\twaits_of_mpi\t" ratio(w, all); print "rank\t0\twaits_of_span\t" ratio(w, end - first) }' > want
	while read -r line; do
		grep -Fxq -- "$line" got || { echo "not: $line"; grep waits got; return 1; }
	done < want
	[ "$(grep -c '	waiting	' got)" = 0 ]
}

@test "arrays as values: a comma within an element is escaped, wherever it is" {
	need_native
	cat > arrays.c <<-'END'
		#include <stdio.h>
		#include <string.h>
		#include "base/put.h"
		#include "event/value.h"
		static const struct label label[] = {{1, "a,b"}, {2, ","}, {3, "c"}};
		static const struct labels labels = {label, 3};
		static void
		show(const char *const *text, size_t n, unsigned kind)
		{
			static uint64_t mem[64];
			struct rec *r = (struct rec *)mem;
			struct arg a = {.name = "x", .kind = (uint8_t)kind, .array = true, .off = REC_HEAD};
			struct part all = {REC_HEAD + 8, (uint32_t)n}, one;
			struct tables t = {0};
			struct buf b = {0};
			uint8_t *base = (uint8_t *)mem;
			uint32_t end = all.off + 8 * (uint32_t)n, id;

			tables_reset(&t);
			memcpy(base + REC_HEAD, &all, 8);
			for (size_t i = 0; i < n; i++) {
				if (kind == K_U8) {
					a.labels = &labels;
					base[all.off + i] = (uint8_t)i;
				} else if (kind == K_SYM) {
					id = strtab_id(&t.str, text[i], strlen(text[i]));
					memcpy(base + all.off + 4 * i, &id, 4);
				} else {
					one = (struct part){end, (uint32_t)strlen(text[i])};
					memcpy(base + all.off + 8 * i, &one, 8);
					memcpy(base + end, text[i], one.n);
					end += one.n;
				}
			}
			r->len = sizeof mem;
			value_arg(&b, &t, r, &a);
			printf("%.*s\n", (int)b.n, (char *)b.p);
		}
		int
		main(void)
		{
			static const char *const text[] = {"a", ",", "b,c", ",,", "x,", "", "-"};
			put_init();
			show(text, 7, K_STR);
			show(text, 7, K_SYM);
			show(text, 5, K_U8);
			return 0;
		}
	END
	built arrays arrays.c
	[ "$(./arrays)" = 'a,\x2c,b\x2cc,\x2c\x2c,x\x2c,"",\x2d
a,\x2c,b\x2cc,\x2c\x2c,x\x2c,"",\x2d
0,a\x2cb,\x2c,c,4' ]
}

@test "threads of which some meet no event of -e: count, span and rate are those of one" {
	# Above what is worth a second thread.
	for late in 1 0; do
		awk -v late=$late 'BEGIN { for (i = 0; i < 400000; i++)
			printf "%d.%09d\t0\t%s\t-\t512\t-\n", i / 1000, i % 1000 * 1000000, (late ? i >= 380000 : i < 20000) ? "some" : "others" }' > t
		[ "$(wc -c < t)" -gt 9000000 ]
		for j in 1 2 3; do
			[ "$(trace-stats -j $j -e 'event = some' -a 'count,rate' t | tail -n +2)" = $'20000\t1000.050003' ]
		done
	done
}

@test "keys: what has one text is one group, however it is kept; numbers by value, then texts" {
	args x A -5 10 0 0x0 00 -0 1.0 1 0x1 0xABC 0xabc 2748 1e3 1000 n10 n9 -1 0.5 \
		-9223372036854775808 -9223372036854775809 18446744073709551615 0xffffffffffffffff \
		18446744073709551616 9223372036854775807 9223372036854775808 > t
	want='-9223372036854775809 -9223372036854775808 -5 -1 -0 0 00 0x0 0.5 0x1 1 1.0 10 1000 1e3 0xABC 0xabc 2748
		9223372036854775807 9223372036854775808 0xffffffffffffffff 18446744073709551615 18446744073709551616 A n9 n10'
	# shellcheck disable=SC2086
	printf '%s\t1\n' $want > want
	trace-stats -g x t | tail -n +2 | same - want
	# Of some events as text, of others as a column in decimal or in hexadecimal, or computed.
	{ cat t; printf '%d.0\t0\tF\t%s\t-\t-\n' 100 10 101 2748 102 18446744073709551615; } > rest
	printf '%d.0\t0\tG\t%s\t-\t-\n' 110 0xabc 111 0x0 112 0xffffffffffffffff > hex
	awk -F '\t' '{ n = $1 == "10" || $1 == "2748" || $1 == "18446744073709551615" ? 2 : 1
		m = $1 == "0xabc" || $1 == "0x0" || $1 == "0xffffffffffffffff" ? 2 : n; print $1 "\t" m }' want > twice
	trace-stats -g 'x|addr' rest hex | tail -n +2 | same - twice
	trace-stats -p -g 'x|addr' -o a rest
	trace-stats -p -g 'x|addr' -o b hex
	trace-stats -m b a | tail -n +2 | same - twice
	trace-stats -g 'coalesce(addr, 0 - 5)' rest | grep -e '^-5	' | same - <(printf '%s\t26\n' -5)
}

@test "many groups of whole numbers: as awk and sort have them, in any split" {
	awk 'BEGIN { for (i = 0; i < 250000; i++) { v = (i * 7919 + int(i / 3) * 104729) % 1048573
		printf "%d.0\t%d\t%s\t%d\t%d\t-\n", i, i % 5, i % 2 ? "R" : "W", v * 7, v % 1000 } }' > t
	awk -F '\t' '{ print int($4 / 7 - 500000) "\t" $3 }' t | sort | uniq -c |
		awk '{ print $2 "\t" $3 "\t" $1 }' | sort -t '	' -k 1,1n -k 2,2 > want
	[ "$(wc -l < want)" -gt 200000 ]
	for j in 1 2 3; do trace-stats -j $j -g 'addr // 7 - 500000,event' t | tail -n +2 | same - want; done
	awk -F '\t' '{ n[$1] += $3 } END { for (k in n) print k "\t" n[k] }' want | sort -n > one
	[ "$(wc -l < one)" -gt 150000 ]
	for j in 1 2; do trace-stats -j $j -g 'addr // 7 - 500000' t | tail -n +2 | same - one; done
	for k in 1 2 3; do trace-stats -p --chunk $k/3 -g 'addr // 7 - 500000' -o p$k t; done
	trace-stats -m p3 p1 p2 | tail -n +2 | same - one
	# Windows of 100,000 s, where the values are ordered within each.
	awk -F '\t' '{ print int($1 / 100000) * 100000 "\t" $5 % 50 }' t | sort | uniq -c |
		awk '{ print $2 "\t" $3 "\t" $1 }' | sort -n -k 1,1 -k 2,2 > windows
	trace-stats -w 100000 -g 'size % 50' t | tail -n +2 | sed 's/^\([0-9]*\)\.000000000/\1/' | same - windows
}

@test "durations for people are rounded to four digits, in the unit that shows them" {
	for d in 7.758979000:7.759 0.999960000:1.000 9.999600000:10.00 99.995000000:100.0 999.960000000:1000 0.000000999:999 0.000999960:1.000 0.012345678:12.35; do
		printf '1.0\ta\tE\t-\t1\t%s\n' "${d%:*}" | trace-stats > text
		awk -v want="${d#*:}" '/^Durations/ { on = 1 } on && $1 == "E" { print $2; exit $2 != want }' text
	done
}

@test "values that are no numbers are reported with the aggregates that do not count them" {
	printf '%d.0\t%s\tR\t0\t1\t-\tx=%s\ty=%d\n' 0 a 12ms 1 1 a 7 2 2 b 1,024 3 3 b inf 4 4 b 1e20 5 5 b nan 6 6 c 2.5 7 7 c 0x10 8 > s
	said() {
		trace-stats "$@" 2> err > out
		cat err
	}
	[ "$(said -a 'count(x),sum(x),mean(x),max(y)' s)" = 'trace-stats: sum(x), mean(x): 5 values are no numbers and were not counted' ]
	[ "$(said -a 'p50(x)' -e 'time < 2' s)" = 'trace-stats: p50(x): 1 value is no number and was not counted' ]
	[ -z "$(said -a 'count(x),distinct(x),top(x),first(x),max(y)' s)" ]
	# Computed fields and columns; one line for each field.
	said -g loc -a 'm = max(x) * 2, min(x), hist(x,2), sum(part(x, "m", 1)), rate(x)' s > got
	[ "$(wc -l < got)" = 3 ]
	has "$(cat got)" '^trace-stats: max.x., min.x., rate.x.: 5 values'
	has "$(cat got)" '^trace-stats: sum.part.x, "m", 1..: 4 values'
	# Windows that overlap count each once; so do partials, threads, and rows as time goes on.
	want='trace-stats: sum(x): 5 values are no numbers and were not counted'
	[ "$(said -w 4s/1s -a 'sum(x)' s)" = "$want" ]
	for k in 1 2 3; do trace-stats -p --chunk $k/3 -a 'sum(x)' -o p$k s; done 2> err
	[ ! -s err ]
	[ "$(said -m p1 p2 p3)" = "$want" ]
	for j in 1 2 3; do [ "$(said -j $j --tune worth=16 -a 'sum(x)' s)" = "$want" ]; done
}

@test "hist by powers of two: fractions and whole numbers share a scale" {
	i=0
	for x in 0.7 1.5 3.2 1 2 2.5 -0.3 -1 0 0.0001 0.0 18446744073709551615; do
		printf '%d.0\tn\tR\t-\t-\t0.00000%d\tx=%s\n' $i $((i % 8 + 1)) "$x"
		i=$((i + 1))
	done > s
	trace-stats --no-header -a 'hist(x)' s > out
	[ "$(cat out)" = '-1:1,-0.25:1,0:2,6.103515625e-05:1,0.5:1,1:2,2:3,9223372036854775808:1' ]
	# Times have powers of two of nanoseconds.
	trace-stats --no-header -a 'hist(dur),hist(dur * 2),p50(x)' s > out
	[ "$(cut -f 1,2 out)" = "$(printf '0.000000512:2,0.000001024:2,0.000002048:4,0.000004096:4\t0.000001024:2,0.000002048:2,0.000004096:4,0.000008192:4')" ]
	trace-stats -g event -a 'hist(x),hist(dur),max(x)' s > want
	for k in 1 2 3; do trace-stats -p --chunk $k/3 -g event -a 'hist(x),hist(dur),max(x)' -o p$k s; done
	trace-stats -m p3 p1 p2 | same want -
	trace-stats -j 3 --tune worth=16 -g event -a 'hist(x),hist(dur),max(x)' s | same want -
	trace-stats -a 'hist(x)' --long -e 'x in {0.5..2}' s > out
	printf '#low\tcount\n0.5\t1\n1\t2\n2\t1\n' | same out -
}
