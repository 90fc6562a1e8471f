#!/usr/bin/env bats
# spc.bats - SPC traces, and spc-cat.

load ../helpers

# The text stream of good SPC lines, by awk: an independent reader for fixtures without oddities.
spc_by_awk() {
	awk -F, -v OFS='\t' '{ sub(/\r$/, ""); split($5, t, ".")
		line = t[1] "." substr(t[2] "000000000", 1, 9) OFS $1 OFS toupper($4) OFS $2 OFS $3 OFS "-"
		for (i = 6; i <= NF; i++) line = line OFS "x" (i - 5) "=" $i
		print line }' "$@"
}

@test "real traces, lower and upper case, read as awk reads them" {
	for f in Financial1-head WebSearch2-first10; do
		spc_by_awk "$FIX/spc/$f.spc" > want
		spc-cat "$FIX/spc/$f.spc" > got
		same want got
	done
}

@test "a whole real sample: the 949th record is there, though no newline ends it" {
	need_traces spc
	f=$TRACES/spc/Financial1-first28s.spc
	spc_by_awk "$f" > want
	spc-cat "$f" > got
	same want got
	[ "$(wc -l < got)" = 949 ]
}

@test "any number of optional fields: a thousand are told apart, the last holds the rest" {
	{ printf '0,1,1,W,0.0'; for i in $(seq 1200); do printf ',%d' "$i"; done; echo; } > a.spc
	spc-cat a.spc > got
	[ "$(cut -f1006 got | cut -c1-20)" = 'x1000=1000,1001,1002' ]
	[ "$(grep -o 1200 got)" = 1200 ]
	spc-cat -b a.spc | trace-filter -t W | same got -
}

@test "a line of 16 MiB is read, a longer one is skipped, the rest goes on" {
	{ printf '0,1,1,W,0.0,'; head -c 16000000 /dev/zero | tr '\0' x; printf '\n0,2,1,W,0.0\n'; } > a.spc
	[ "$(spc-cat a.spc | wc -c)" -gt 16000000 ]
	{ printf '0,1,1,W,0.0,'; head -c 17000000 /dev/zero | tr '\0' x; printf '\n0,2,1,W,0.0\n'; } > a.spc
	status_is 2 spc-cat a.spc
	[ "$output" = $'0.000000000\t0\tW\t2\t1\t-' ]
	has "$stderr" 'a.spc:1: the line is longer than 16 MiB'
}

@test "requests of all lengths are read as awk reads them, by each way that a processor may have" {
	awk 'function r(n) { x = x * 16807 % 2147483647; return x % n }
		function digits(n,   s) { for (s = r(9) + 1; --n > 0;) s = s r(10); return s }
		BEGIN {
			for (x = 5; i < 20000; i++) {
				s = sprintf("%d.%s", t += r(9) == 0, digits(1 + r(9)))
				printf "%s,%s,%s,%s,%s", digits(1 + r(4)), digits(1 + r(r(5) ? 9 : 18)), digits(1 + r(9)), substr("rRwW", 1 + r(4), 1), s
				for (k = r(4) ? 0 : r(4); k > 0; k--) printf ",%s", digits(1 + r(6))
				printf r(40) ? "\n" : "\r\n"
			}
		}' > a.spc
	spc_by_awk a.spc > want
	for simd in slow plain sse2 avx2 ''; do
		status_is 0 spc-cat --tune simd=$simd --unordered -o got a.spc
		same got want
		[ "$(trace-stats --tune simd=$simd -O unordered -j 1 -a 'count,sum(size)' a.spc | tail -1)" = \
			"$(awk -F, '{ n++; a += $3 } END { printf "%.0f\t%.0f", n, a }' a.spc)" ]
	done
}
