#!/usr/bin/env bats
# computed.bats - what is computed is the same by loops over batches and event by event, in every form and cut.

load ../helpers

setup_file() {
	# shellcheck disable=SC2086  # CC may hold flags
	${CC:-cc} -std=c11 -D_XOPEN_SOURCE=700 -O1 -I"$ROOT/common" -I"$ROOT/cmd/lib" -I"$ROOT/cmd" -I"$ROOT/tests" -o "$BATS_FILE_TMPDIR/engines" \
		"$ROOT/tests/unit/engines.c" "$ROOT/build/libcmd.a" "$ROOT/build/libspoor.a" -pthread -lm
}

setup() {
	enter
}

# Arguments that are everything a text may be, columns at the ends of their range.
odd() {
	awk 'BEGIN {
		srand(5)
		n = split("0 1 -1 2 7 512 4096 -4096 9223372036854775807 -9223372036854775808 9223372036854775808 " \
			"18446744073709551615 18446744073709551616 0.5 1.5 2.000 -0.000000001 1e300 -1e-300 1e3 x a,b \"\" " \
			"0x10 0xffffffffffffffff 9007199254740993 1000000007 0.1 -0 -0.0", v, " ")
		m = split("0 1 512 4096 9223372036854775807 9223372036854775808 18446744073709551615 1000000007 -", c, " ")
		split("a b a/1 b/2 - c/3/x", loc, " ")
		split("0.000001 0 2 0.5 -", dur, " ")
		for (i = 0; i < 2500; i++) {
			t += int(rand() * 3) * 12345
			printf "%d.%09d\t%s\t%s\t%s\t%s\t%s\tk=%d", t / 1e9, t % 1e9, loc[1 + int(rand() * 6)], rand() < .5 ? "R" : "W",
				c[1 + int(rand() * m)], c[1 + int(rand() * m)], dur[1 + int(rand() * 5)], int(rand() * 7) - 3
			if (rand() < .8) printf "\tl=%s", v[1 + int(rand() * n)]
			if (rand() < .8) printf "\tm=%s", v[1 + int(rand() * n)]
			print ""
		}
	}'
}

@test "loops over batches give what the definition gives: random expressions over every format" {
	odd > odd.txt
	"$BATS_FILE_TMPDIR/engines" 1 400 odd.txt "$FIX/dumpi/small-0002.bin" "$FIX/laplace/seed.kern" "$FIX/ovni/all.obs" \
		"$FIX/charisma/cm5.chr" "$FIX/spc/Financial1-head.spc" | tee out
	awk '$1 < 800 || $3 < 100000 { exit 1 }' out
}

@test "a computed test takes the same events of native records, text and binary" {
	for f in "$FIX/dumpi/small-0002.bin" "$FIX/laplace/seed.kern" "$FIX/ovni/all.obs" "$FIX/charisma/cm5.chr" \
		"$FIX/spc/Financial1-head.spc"; do
		trace-filter -t -H 'event?' "$f" > text
		trace-filter -b 'event?' "$f" > binary
		for e in 'size // 512 % 2 = 1 or nth % 3 = 0' 'time - prev.time > 5' 'hash(loc) % 2 = 0 and len(event) > 3' \
			'addr + size > 1000 or total(size) % 7 = 1' 'coalesce(count, pid, 3) * 2 > 8'; do
			for form in "$f" text binary; do
				trace-filter -t "$e" "$form" 2>/dev/null | grep -v '^#' > "${form##*/}.out" || :
			done
			same "${f##*/}.out" text.out
			same text.out binary.out
		done
	done
}

@test "parts of a file take together what the whole takes" {
	odd > odd.txt
	for e in 'size // 3 % 2 = 1' 'l * 2 > 5 or W and addr // 7 > 9'; do
		trace-filter "$e" odd.txt > want 2>/dev/null
		for k in 1 2 3; do trace-filter --chunk $k/3 "$e" odd.txt 2>/dev/null || :; done > got
		same want got
	done
}

@test "columns are computed from exact aggregates, and rounded once" {
	row() { printf '%s.0\t%s\tR\t0\t%s\t%s\tx=%s\n' "$@"; }
	{ row 0 n 1 0.000000001 1; row 1 n 2 0.000000000 0; row 2 m 2 0.000000000 0; } > s
	stats() { trace-stats --no-header "$@"; }
	stats -a 'a = mean(x) * 3, b = sum(x) / count * 3, c = var(x) * 3, d = sd(x) * sd(x) * 3, e = sd(size) / mean(size)' s > out
	[ "$(cat out)" = "$(printf '1\t1\t1\t1\t0.3464101615137754')" ]
	stats -a 'a = mean(dur) * 3, b = sum(dur) / count * 3, c = sum(dur) // count * 3, d = 0s - sum(dur) / 3 * 3, e = abs(0s - sum(dur) / 3) * 3, f = sum(dur) / 1.5 * 1.5, g = count / mean(dur) / 3e9' s > out
	[ "$(cat out)" = "$(printf '0.000000001\t0.000000001\t0.000000000\t-0.000000001\t0.000000001\t0.000000001\t3')" ]
	# Ticks have fractions too.
	sed '1i ##spoor clock=ticks' s | sed 's/\.0\t/\t/; s/0\.00000000//' > ticks
	stats -a 'a = sum(dur) / 3 * 3, b = sum(dur) / 2' ticks > out
	[ "$(cat out)" = "$(printf '1\t0.5')" ]
	# Rows, windows, partials, and other forms of the table.
	q='a = share * 300, b = all(share), c = most(a), d = mean(x) * 3'
	printf '#loc\ta\tb\tc\td\nm\t100\t1\t200\t0\nn\t200\t1\t200\t1.5\n' > want
	trace-stats -g loc -a "$q" s | same want -
	trace-stats -g loc -a "$q" --csv s | tr , '\t' | same <(sed 's/#//' want) -
	has "$(trace-stats -g loc -a "$q" -J s)" '"loc": "n", "a": 200, "b": 1, "c": 200, "d": 1.5'
	trace-stats -p -g loc -a "$q" s > p1
	trace-stats -p -g loc -a "$q" <(row 3 n 2 0.000000002 7) > p2
	row 3 n 2 0.000000002 7 | cat s - | trace-stats -g loc -a "$q" > want
	trace-stats -m p1 p2 | same want -
	[ "$(stats -g loc -a 'a = share * 300' --wide loc s)" = "$(printf '100\t200')" ]
	[ "$(stats -w 2s -a 'a = mean(x) * 2, b = rate * 3' s)" = "$(printf '0.000000000\t1\t3\n2.000000000\t0\t1.5')" ]
}

@test "--having compares numbers before they are rounded" {
	printf '%d.0\tn\tR\t0\t1\t0.00000000%d\tx=%d\n' 0 1 1 1 0 0 2 0 0 > s
	for h in 'm * 3 = 1' 'm > 0.33333333' 'm < 0.33333334' 'd > 0' 'd * 3 < 2ns' 'd < 1ns' 'var(x) = 0.3333333333333333' 'y > 0' 'y<1e-9' 'big > 1' 'big > 9e29'; do
		printf '%s\n' "$h"
		[ "$(trace-stats --no-header -a 'm = mean(x), d = sum(dur) / count, var(x), y = mean(x) / 1e10, big = mean(x) * 3e30' --having "$h" s | wc -l)" = 1 ]
	done
	[ -z "$(trace-stats --no-header -a 'm = mean(x), y = sum(x) / 1e10' --having 'm > 0.3333333333333334 or y > 1e-9' s)" ]
}

@test "means, rates, shares and quotients have six significant digits" {
	stats() { trace-stats --no-header "$@"; }
	printf '%d.0\tn\tR\t0\t%s\t-\n' 1 1 2 1000000000000 4000001 2 > s
	stats -g size -a 'rate, rate(size), share(size)' s > out
	printf '%s\t0.00000025\t%s\t%s\n' 1 0.00000025 1e-12 2 0.0000005 2e-12 1000000000000 250000 1 | same out -
	stats -a 'cdf(size)' --long -e 'size < 3' s > out
	printf '1\t1\t0.5\n2\t1\t1\n' | same out -
	trace-stats -g size -a 'share(size)' -J s > out
	has "$(cat out)" '"size": 1, "share.size.": 1e-12'
	[ "$(stats -g size -a 'share(size)' --having 'share(size) < 1.5e-12' s)" = "$(printf '1\t1e-12')" ]
	# Below 0.1 six decimals are too few.
	for n in 3 21 31 1000000 3000000; do
		printf '%d.0\tn\tR\t-\t-\t-\tx=%d\n' 1 0 $((n + 1)) 2 > t
		stats -a rate,mean\(x\) t
	done > out
	printf '%s\t1\n' 0.666667 0.0952381 0.0645161 0.000002 0.000000666667 | same out -
	printf '%d.0\tn\tR\t-\t-\t0.00000000%d\n' 1 1 2 0 3 0 > t
	stats -a 'mean(dur), sd(dur), var(dur), sum(dur) / count, 0s - mean(dur)' t > out
	printf '3.33333e-10\t5.7735e-10\t3.33333e-19\t3.33333e-10\t-3.33333e-10\n' | same out -
	printf '%d.0\tn\tR\t-\t-\t0.00000000%d\n' 1 1 2 2 > t
	stats -a 'mean(dur), sum(dur) / count' t > out
	printf '0.0000000015\t0.0000000015\n' | same out -
	trace-stats -p -a 'mean(dur),var(dur)' t > p
	trace-stats -a 'mean(dur),var(dur)' t > want
	trace-stats -m p | same want -
}

@test "a column uses an earlier one by its name" {
	printf '%d.0\t%s\tR\t0\t%d\t0.000000001\tn=%d\n' 0 a 4 10 1 a 5 20 2 b 6 40 > s
	stats() { trace-stats --no-header "$@"; }
	[ "$(stats -a 'n = count, y = n / 2, z = y * y, n' s 2>&1 | head -n 1)" = "$(printf '3\t1.5\t2.25\t3')" ]
	# In the argument of an aggregate the name is a field; all() and most() take both.
	stats -g loc -a 'n = count, s = sum(n), m = n / all(n), t = m * 100, u = most(n * 2), d = sum(dur) / n, e = d * 3' s > out
	printf 'a\t2\t30\t%s\t%s\t4\t0.000000001\t0.000000003\nb\t1\t40\t%s\t%s\t4\t0.000000001\t0.000000003\n' 0.6666666666666666 66.66666666666666 0.3333333333333333 33.33333333333333 | same out -
	stats -g loc -a 'size = sum(size), half = size / 2' --having 'half > 3' -S -half s > out
	printf 'a\t9\t4.5\n' | same out -
	trace-stats -p -g loc -a 'n = count, y = n / 2' s > p
	trace-stats -g loc -a 'n = count, y = n / 2' s > want
	trace-stats -m p | same want -
	# Units are known; a later column and an unknown name are not.
	for q in 't = sum(dur), y = t + sum(size)' 'y = n / 2, n = count' 'n = count, y = m / 2' 'a = all(count), b = all(a)'; do
		status_is 2 trace-stats -a "$q" s
	done
	has "$(trace-stats -a 'n = count, y = m / 2' s 2>&1)" 'm is a field of single events; use an aggregate, such as sum.m.'
	# The doubling of each column takes no time.
	q='a0 = count'
	for k in $(seq 1 60); do q="$q, a$k = a$((k - 1)) + a$((k - 1))"; done
	[ "$(stats -a "$q" s | cut -f 61)" = 3458764513820540928 ]
}
