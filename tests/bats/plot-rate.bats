#!/usr/bin/env bats
# plot-rate.bats - trace-plot rate: heights parsed from the SVG against what awk and Python count in the trace.
bats_require_minimum_version 1.5.0
load ../helpers

setup() {
	needs python3
	enter
}

# lines SVG [PANEL]: see tests/oracle/rate_svg.py.
lines() { python3 "$ROOT/tests/oracle/rate_svg.py" "$@"; }

# same_rate N RATE < LINES: the mean has N levels or less, all within 1 % of RATE.
flat() {
	awk -v want="$2" -v most="$1" '$2 == "line" { for (i = 3; i <= NF; i++) { split($i, p, ":"); if (p[1] < want * .99 || p[1] > want * 1.01) bad = 1 }
		n = NF - 2 } END { exit bad || !n || n > most }'
}

@test "a constant rate is flat to both ends, at any size and wherever it begins" {
	for first in 0 5.5 0.037 17.999; do
		for each in .01 .0013 .25; do
			awk -v t="$first" -v d="$each" 'BEGIN { for (i = 0; i < 2000; i++) printf "0,%d,512,r,%.6f\n", i, t + i * d }' > s.spc
			for size in 400x260 600x300 960x300 1920x300; do
				trace-plot rate -a count --size $size s.spc > p.svg
				# A step that holds no whole number of gaps has one event more or less, of 16 or more; half a step of 8.
				lines p.svg | awk -v want="$(awk "BEGIN { print 1 / $each }")" '$2 == "line" { for (i = 3; i <= NF; i++) {
					split($i, p, ":"); n++; if (p[1] < want * (1 - 1 / 8) || p[1] > want * (1 + 1 / 8)) { print $i; bad = 1 } } } END { exit bad || !n }'
			done
		done
	done
	awk 'BEGIN { for (i = 0; i < 1000; i++) printf "0,%d,512,r,%.6f\n", i, 5.5 + i / 100 }' > s.spc
	trace-plot rate -a count s.spc > p.svg
	lines p.svg | flat 1 100
}

@test "equal bursts have equal heights, those of the busiest second; the mean is that of all steps of a column" {
	# 30 bursts of 2 s with 20,200/s, else 200/s.
	awk 'BEGIN { for (t = 0; t < 1800; t++) { n = t % 60 == 30 || t % 60 == 31 ? 2020 : 20; for (i = 0; i < n; i++) printf "0,%d,4096,r,%.6f\n", i, t + i / n } }' > s.spc
	for size in 960x300 1920x300 600x260; do
		trace-plot rate -a count --size $size s.spc > p.svg
		grep -q '>requests per second, at most 2.02 k/s in 1 s<' p.svg
		# The band's upper line: 30 spikes of 2,020/s.
		lines p.svg | awk '$2 == "band" { for (i = 3; i <= NF; i++) { split($i, p, ":"); if (p[2] > p[3]) break; if (p[1] > 1000) { n++; if (p[1] < 2010 || p[1] > 2030) bad = 1 } else if (p[1] < 19 || p[1] > 21.5) bad = 1 } }
			END { print n; exit bad }' | grep -qx 30
		# The mean of a column, whose width the picture says, by awk.
		wide=$(sed -n 's/.*lines: mean of \([0-9]*\) s, bands: smallest to greatest 1 s<.*/\1/p' p.svg | head -n 1)
		awk -F, -v w="$wide" '{ n[int($5 / w)]++ } END { for (i = 0; i < 1800 / w; i++) if (n[i] > most) most = n[i]; printf "%.0f\n", most / w }' s.spc > want
		lines p.svg | awk -v want="$(cat want)" '$2 == "line" { for (i = 3; i <= NF; i++) { split($i, p, ":"); if (p[1] > most) most = p[1] } } END { exit most < want * .985 || most > want * 1.015 }'
	done
	LC_ALL=C.UTF-8 trace-plot rate -a count --terminal --width 100 s.spc > text
	grep -q '^requests per second, the greatest of steps of 1 s$' text
	grep -q '^ *2.02 k/s ' text
}

@test "--step: a row for each step, as awk counts them; parts of one step only" {
	f=$FIX/spc/Financial1-head.spc
	trace-plot rate --step 500ms --bins "$f" | awk -F '\t' 'NR > 1 { n[$1] += $4; b[$1] += $5 } END { for (t in n) printf "%.1f %d %d\n", t, n[t], b[t] }' | sort > got
	awk -F, '{ t = int($5 * 2) / 2; n[t]++; b[t] += $3 } END { for (t in n) printf "%.1f %d %d\n", t, n[t], b[t] }' "$f" | sort | same - got
	trace-plot rate --step 250ms "$f" > p.svg
	grep -q ' · steps of 250 ms<' p.svg
	for k in 1 2 3; do trace-plot rate --step 250ms -p --chunk $k/3 "$f"; done > parts
	trace-plot rate -m parts > q.svg
	# A picture of parts says as many sources.
	sed 's/<text[^>]*class="s".*//; s/<desc.*//' p.svg > a
	sed 's/<text[^>]*class="s".*//; s/<desc.*//' q.svg | same a -
	trace-plot rate -p "$f" > other
	status_is 2 trace-plot rate -m parts other
	has "$stderr" 'another question'
	# Steps beyond what is kept become wider, which is said.
	printf '0,0,512,r,%s\n' 0.0 100000.0 > s.spc
	trace-plot rate --step 1s s.spc > p.svg
	grep -q ' 32 s (--step would make more than 4096)<' p.svg
	printf '##spoor\t1\n##clock\tticks\n#time\tloc\tevent\taddr\tsize\tdur\targs\n100\t0\tR\t1\t512\t-\n205\t0\tR\t1\t512\t-\n##end\tevents=2\n' > t
	trace-plot rate --step 100 --bins t | cut -f 1,2 | tail -n 2 | xargs | same <(echo 100 200 200 300) -
	trace-plot rate --step 100 -p t | trace-plot rate -m --bins | same <(trace-plot rate --step 100 --bins t) -
	status_is 2 trace-plot rate --step 1s t
	has "$stderr" 'the clock counts ticks'
	trace-plot rate --step 4611686017.9s "$f" > p.svg
	for bad in 0 -1 1K x 4611686018.9s; do
		status_is 2 trace-plot rate --step=$bad "$f"
	done
	status_is 2 trace-plot heat --step 1s "$f"
	has "$stderr" 'takes no --step'
}

@test "--log y, --max and --min: heights are where the marks say" {
	# 1, 10, 100, 1000 events in each of four seconds.
	awk 'BEGIN { for (t = 0; t < 4; t++) { n = 10 ^ t; for (i = 0; i < n; i++) printf "0,%d,512,r,%.6f\n", i, t + i / n } }' > s.spc
	trace-plot rate -a count --step 1s --log y s.spc > p.svg
	lines log p.svg > got
	awk '$2 == "line" { for (i = 3; i <= NF; i++) { split($i, p, ":"); if (p[1] < 10 ^ (i - 3) * .97 || p[1] > 10 ^ (i - 3) * 1.03) bad = 1 } n = NF - 2 } END { exit bad || n != 4 }' got
	trace-plot rate -a count --step 1s --max 500 --min 50 s.spc > p.svg
	grep -q '>requests per second, at most 1 k/s in 1 s<' p.svg
	lines p.svg | awk '$2 == "line" { for (i = 3; i <= NF; i++) { split($i, p, ":"); printf "%.0f ", p[1] } print "" }' | same <(echo '50 100 500 ') -
	trace-plot rate -a 'sum(size)' --step 1s --max 1M s.spc > p.svg
	lines p.svg | awk '$2 == "line" { split($NF, p, ":"); exit p[1] < 511000 || p[1] > 513000 }'
	status_is 2 trace-plot rate --max 5 s.spc
	has "$stderr" 'has two axes'
	status_is 2 trace-plot rate -a count --max 5 --min 9 s.spc
	has "$stderr" 'needs --max above --min'
	status_is 2 trace-plot rate -a count --max 5s s.spc
}

@test "events at one time have no rate" {
	printf '0,100,4096,r,5.0\n' > s.spc
	trace-plot rate s.spc > p.svg
	grep -q '>requests at one time<' p.svg
	run ! grep -q '/s<' p.svg
	LC_ALL=C.UTF-8 trace-plot rate --terminal --width 80 s.spc > text
	run ! grep -q '/s' text
	printf '0,100,4096,r,5.0\n0,100,4096,r,5.0\n' > s.spc
	trace-plot rate s.spc | grep -q '>requests at one time<'
}

@test "times at both ends of 64 bits: each event in its own step" {
	printf '%s\t0\tR\t1\t%d\t-\n' 9223372036.854775807 1 -9223372036.854775808 2 9223372036.854775806 4 0.0 8 -9223372036.854775807 16 > s
	trace-plot rate --bins s > got
	awk -F '\t' 'NR > 1 { print $4, $5 }' got | xargs | same <(echo 2 18 1 8 2 5) -
	head -n 2 got | tail -n 1 | cut -f 1 | same <(echo -9223372036.854775808) -
	tail -n 1 got | cut -f 2 | same <(echo 9223372036.854775807) -
	for i in 1 2 3 4 5; do sed -n "${i}p" s | trace-plot rate -p; done | trace-plot rate -m --bins | same got -
}
