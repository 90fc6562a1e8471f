#!/usr/bin/env bats
# all.bats - every kind of picture of every fixture, of what no trace should be, and in odd sizes, in Chromium: make check-full.

load ../helpers
load look
bats_require_minimum_version 1.5.0

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	needs_browser
}

@test "every fixture" {
	pictures "$FIX"/*/*
	drawn=(./*.svg)
	[ "${#drawn[@]}" -gt 80 ]
	looked_at ./*.svg
}

# Names that are markup, control bytes, broken UTF-8, wide and very long; of times and sizes both ends and great ones; one event;
# noise of few names and of many.
odd() {
	local long nothing
	long=$(printf 'W%.0s' {1..300}) nothing=$(printf '\\x01%.0s' {1..40})
	printf '%s\n' '0.000000001	"a'\''<b>&	<script>alert(1)</script>	-	10	0.000000500' \
		'0.000000601	\x1b[31m	é漢字漢字漢字漢字漢字漢字漢字漢字	-	10	0.000000500' > hostile
	printf '0.000002601\tx\377\t\377\303(\357\277\277\t-\t10\t0.000000500\n' >> hostile
	printf '%s\t%s\t%s\t4096\t10\t0.000000500\n' 0.000003601 "$long" "$long" 0.000004601 "$nothing" "$nothing" \
		0.000005601 "$(head -c 10000 /dev/zero | tr '\0' l)" "$(head -c 10000 /dev/zero | tr '\0' n)" >> hostile
	printf '5.000000000\ta\tE\t64\t10\t0.000000500\n' > one
	printf '%s\n' '-9223372036.854775808	a	E	0	10	1.000000000' \
		'9223372036.854775807	b	F	18446744073709551615	18446744073709551615	9223372036.854775807' > ends
	awk 'BEGIN { for (i = 0; i < 100; i++) printf "%d.5\tl\tlong_name_%d\t%.0f\t%d\t0.0001\n", 1.6e9 + i * 3e5, i % 12, i * 1e12, 4096 * i }' > far
	awk 'BEGIN { srand(3); for (t = 0; t < 1e6; t += 250) printf "0.%09d\tl%d\tS%d\t%d\t%d\t0.%09d\n", t, rand() * 16, rand() * 8,
		int(rand() * 2 ^ 30) * 64, 2 ^ (rand() * 40), 100 + rand() * 5000 }' > noise
	awk 'BEGIN { srand(3); for (t = 0; t < 1e6; t += 250) printf "0.%09d\tnode%d/some/long/name/of/thread%d\tA_long_name_of_an_event_%d\t%d\t%d\t0.%09d\n",
		t, rand() * 9, rand() * 3000, rand() * 2000, int(rand() * 2 ^ 30) * 64, 2 ^ (rand() * 40), 100 + rand() * 5000 }' > many
}

@test "hostile names, extreme numbers, one event, noise" {
	odd
	pictures hostile one ends far noise many
	drawn=(./*.svg)
	[ "${#drawn[@]}" = 42 ]
	looked_at ./*.svg
}

@test "odd sizes" {
	odd
	for size in 400x200 480x300 640x1000 2000x200; do
		mkdir $size
		(cd $size && SIZE=$size pictures ../hostile ../ends ../far ../many)
	done
	drawn=(./*/*.svg)
	[ "${#drawn[@]}" = 112 ]
	looked_at ./*/*.svg
}

@test "lines" {
	{
		printf 'x'
		printf '\tWWWWWWWWWWWWWWWWWWWWWWWWWWW%d' 1 2 3 4 5 6 7 8
		printf '\n1\t1\t2\t3\t4\t5\t6\t7\t8\n1e9\t-1e300\t3\t4\t1e300\t6\t7\t8\t9\n'
	} > wide
	printf '#size\tlru\topt\n1\t1\t.5\n10\t-\t.25\n1e3\t0.125\t\n' > few
	for size in 960x480 400x200; do
		for f in wide few; do
			trace-plot line --size $size $f > $f.$size.svg
			trace-plot line --size $size --log xy $f > $f.log.$size.svg 2> err
		done
	done
	looked_at ./*.svg
}
