#!/usr/bin/env bats
# plot-shapes.bats - trace-plot draws no shape that the events do not have: numbers read back from pictures.
bats_require_minimum_version 1.5.0
load helpers

setup() {
	enter
	command -v python3 > /dev/null || skip "no python3"
}

drawn() { python3 "$ROOT/tests/drawn.py" "$@"; }

@test "the share of requests no larger than a size is true at that size, and until the next" {
	f=$FIX/spc/Financial1-head.spc
	trace-plot hist -y size "$f" > p.svg
	drawn cdf p.svg "$f"
	trace-stats -e R -a 'cdf(size)' --long --no-header "$f" > table
	{ printf 'value\tshare\n'; cut -f 1,3 table; } | trace-plot line > p.svg
	drawn cdf p.svg "$f"
	# Steps to the right and up, and only for shares.
	run ! grep -q '<path class="w l0" d="[^"]*L' p.svg
	{ printf 'value\tcount\n'; cut -f 1,3 table; } | trace-plot line | grep -q '<path class="w l0" d="[^"]*L'
}

# even N MOST: N events whose durations are spread evenly by their logarithm, from 1 us to MOST times that.
even() {
	awk -v n="$1" -v most="$2" 'BEGIN { for (i = 0; i < n; i++) { k = i * 7919 % n + .5
		printf "%.9f\t0\te\t-\t-\t%.9f\n", i * 1e-5, exp(log(1e-6) + k / n * log(most)) } }'
}

@test "what is spread evenly by its logarithm is flat: bars of hist, rows of heat" {
	even 100000 1e4 > s
	trace-plot hist s > p.svg
	drawn flat p.svg 100000
	# Rows of heat, at all times together, without those at both ends.
	trace-plot heat --bins s | awk -F '\t' 'NR > 1 { n[$3] += $5 } END { for (v in n) print v "\t" n[v] }' | sort -n > rows
	[ "$(wc -l < rows)" -gt 50 ]
	sed '1d;$d' rows | awk -F '\t' '{ if (!m || $2 < m) m = $2; if ($2 > M) M = $2 } END { exit !(M - m < .01 * M) }'
	# Rows are as high on the axis: each begins at the same multiple of the one before.
	awk -F '\t' 'p && ($1 / p - 2 ^ .25) ^ 2 > 1e-5 { print; bad = 1 } { p = $1 } END { exit bad }' rows
	# In a terminal no line or column has more rows or steps than another: but for both ends all are of one shade.
	even 20000 100 > s
	for n in 97 133 200; do
		trace-plot heat --terminal --columns $n s | sed -n '/^.\{12\}[+|]/p' | sed '1,2d;$d' | sed '$d' | cut -c 15-$((n - 4)) |
			fold -w 1 | sort | uniq -c > shades
		[ "$(wc -l < shades)" = 1 ]
	done
}

@test "sizes that are powers of two, and whole numbers below 16, are in one bar each" {
	awk 'BEGIN { for (i = 3; i < 23; i++) for (k = 0; k < 3; k++) printf "%d.%d\t0\te\t-\t%.0f\t-\n", i, k, 2 ^ i }' > s
	trace-plot hist -y size --size 1600x500 s > p.svg
	drawn powers p.svg
	trace-plot hist -y size --bins s | awk -F '\t' 'NR > 1 { print $1, $4 }' |
		same <(awk 'BEGIN { for (i = 3; i < 23; i++) printf "%.0f 3\n", 2 ^ i }') -
	seq 0 15 | awk '{ printf "%d.0\t0\te\t-\t%d\t-\n", $1, $1 }' | trace-plot hist -y size --bins |
		awk -F '\t' 'NR > 1 { print $1, $2, $4 }' | same <(seq 0 15 | awk '{ print $1, $1 + 1, 1 }') -
	# Round sizes are steps at their values, not at the beginning of a bar.
	f=$FIX/spc/Financial1-head.spc
	trace-plot hist -y size -g 1 "$f" > p.svg
	[ "$(trace-stats -a 'p50(size)' --no-header "$f")" = 3072 ]
	grep -q ': 3 KiB at the median' p.svg
}

@test "a constant rate is flat in a terminal of any width, and so is each of two" {
	awk 'BEGIN { for (i = 0; i < 200000; i++) printf "0,%d,4096,R,%.6f\n", i * 8, i * .018 }' > s.spc
	for n in 60 61 80 97 133 200 256 300; do
		for c in C C.UTF-8; do
			LC_ALL=$c trace-plot rate --terminal --columns $n s.spc > text
			drawn rates text 56 1
		done
	done > said
	# 3,600 seconds in 46 columns.
	[ "$(head -n 2 said)" = "$(printf '78.3 s a column\n39.1 s a dot')" ]
	LC_ALL=C.UTF-8 trace-report --terminal --columns 99 s.spc > text
	drawn rates text 56 1
	# A third of the time 60 a second, then 15, then 30.
	awk 'BEGIN { for (t = 0; t < 900; t += 1 / (t < 300 ? 60 : t < 600 ? 15 : 30)) printf "0,%d,4096,R,%.6f\n", i++, t }' > s.spc
	for n in 60 97 133; do
		LC_ALL=C.UTF-8 trace-plot rate --terminal --columns $n s.spc > text
		drawn rates text 60 1 .25 .5
	done
	# Names are not told apart there: no letters that nothing has.
	[ "$(tail -n 1 text)" = 'R 31.5 k in all' ]
}

@test "-A: ticks are where the clock has them, with the date; also of partials" {
	# 40 hours from 2007-02-22T17:00:07.5, an event a minute.
	{
		printf '##spoor\t1\n##clock\ts\torigin=1172163607.500000000\n#time\tloc\tevent\taddr\tsize\tdur\targs\n'
		seq 0 2400 | awk '{ print $1 * 60 ".0\t0\tR\t" $1 "\t512\t0.5" }'
		printf '##end\tevents=2401\n'
	} > t
	cat > axis.py <<'P'
import datetime, re, sys
svg = open(sys.argv[1]).read()
begin, span = 1172163607.5, float(sys.argv[2])
utc = datetime.timezone.utc
date = lambda s: datetime.datetime.fromtimestamp(s, utc)
# The axis: texts in its own row, and what stands below it.
texts = [(float(x), float(y), t) for x, y, t in re.findall(r'<text x="([\d.]+)" y="([\d.]+)"[^>]*>([^<]*)', svg)]
below = [t for t in texts if t[2].endswith('UTC')][0]
ticks = [t for t in texts if abs(t[1] - (below[1] - 20)) < .01]
first, last = date(begin), date(begin + span)
want = first.strftime('%Y-%m-%d') + (last.strftime(' to %Y-%m-%d') if first.date() != last.date() else '') + ', UTC'
assert below[2] == want, (below, want)
assert len(ticks) >= 3, ticks
# Two ticks tell where times are; the labels must be what Python's clock says there.
form = {5: '%H:%M', 8: '%H:%M:%S'}.get(len(ticks[0][2]), '%H:%M:%S.%f')
day = first.strftime('%Y-%m-%d ')
at = []
for x, y, t in ticks:
    s = datetime.datetime.strptime(day + t, '%Y-%m-%d ' + form).replace(tzinfo=utc).timestamp()
    while s < (at[-1] + 1e-9 if at else begin - 1e-6): s += 86400
    at.append(s)
step = at[1] - at[0]
assert all(abs(b - a - step) < 1e-6 for a, b in zip(at, at[1:])), at
assert begin <= at[0] < begin + step and begin + span - step < at[-1] <= begin + span + 1e-6, (at, step)
grow = (ticks[-1][0] - ticks[0][0]) / (at[-1] - at[0])
left = float(sys.argv[3]) if len(sys.argv) > 3 else ticks[0][0] - (at[0] - begin) * grow
for (x, y, t), s in zip(ticks, at): assert abs(x - (left + (s - begin) * grow)) < .6, (x, t)
P
	for kind in rate heat timeline addr 'heat -y size --linear y'; do
		# shellcheck disable=SC2086
		trace-plot $kind -A t > a.svg
		python3 axis.py a.svg "$(case $kind in timeline* | rate | heat*) echo 144000.5 ;; *) echo 144000 ;; esac)"
		# shellcheck disable=SC2086
		trace-plot $kind -p t | trace-plot ${kind%% *} -m -A | same a.svg -
	done
	trace-plot rate -A -e 'time < 3s' --from 0 t > /dev/null
	trace-plot rate -A -e 'time < 10m' t > b.svg
	python3 axis.py b.svg 540
	trace-plot rate -A --terminal --columns 70 -e 'time < 10m' t | grep -q ' 2007-02-22 17:00:07 .* 2007-02-22 17:09:07$'
	# Without a date, or with two.
	status_is 2 trace-plot rate -A "$FIX/spc/Financial1-head.spc"
	has "$stderr" '-A: the times do not all count from one date'
	sed 's/1172163607/1172163608/' t > u
	status_is 2 trace-plot rate -A t u
	has "$stderr" '-A: the times do not all count from one date'
	status_is 2 trace-plot hist -A t
	has "$stderr" 'hist has no axis of time'
}
