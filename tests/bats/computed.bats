#!/usr/bin/env bats
# computed.bats - what is computed is the same by loops over batches and event by event, in every form and cut.

load ../helpers

setup_file() {
	# shellcheck disable=SC2086  # CC may hold flags
	${CC:-cc} -std=c11 -D_XOPEN_SOURCE=700 -O1 -I"$ROOT/common" -I"$ROOT/tests" -o "$BATS_FILE_TMPDIR/engines" \
		"$ROOT/tests/unit/engines.c" "$ROOT/build/libspoor.a" -pthread -lm
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
