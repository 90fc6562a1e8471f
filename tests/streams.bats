# streams.bats - what the two streams promise where input is odd, cut or hostile.
load helpers

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	T=$'\t'
}

@test "a time without a digit before its point is an error, on every path" {
	for simd in '' sse2 plain slow; do
		printf '0.5\t1\tx\t-\t-\t-\n0.500000000\t1\tx\t-\t-\t-\n.600000000\t1\tx\t-\t-\t-\n' > a.txt
		SPOOR_SIMD=$simd status_is 2 trace-filter 'x' a.txt
		[ "$(wc -l <<<"$output")" = 2 ]
		has "$stderr" 'a.txt:3: field 1 \(time\): ".600000000": it is empty'
	done
}
