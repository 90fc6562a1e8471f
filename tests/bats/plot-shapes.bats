#!/usr/bin/env bats
# plot-shapes.bats - trace-plot draws no shape that the events do not have: numbers read back from pictures.
bats_require_minimum_version 1.5.0
load ../helpers

setup() {
	enter
	command -v python3 > /dev/null || skip "no python3"
}

drawn() { python3 "$ROOT/tests/oracle/svg.py" "$@"; }

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
		trace-plot heat --terminal --width $n s | sed -n '/^.\{12\}[+|]/p' | sed '1,2d;$d' | sed '$d' | cut -c 15-$((n - 4)) |
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
			LC_ALL=$c trace-plot rate --terminal --width $n s.spc > text
			drawn rates text 56 1
		done
	done > said
	# 3,600 seconds are 1,800 steps.
	[ "$(head -n 2 said)" = "$(printf 'the greatest of steps of 2 s\nthe greatest of steps of 2 s')" ]
	LC_ALL=C.UTF-8 trace-report --terminal --width 99 s.spc > text
	drawn rates text 56 1
	# A third of the time 60 a second, then 15, then 30.
	awk 'BEGIN { for (t = 0; t < 900; t += 1 / (t < 300 ? 60 : t < 600 ? 15 : 30)) printf "0,%d,4096,R,%.6f\n", i++, t }' > s.spc
	for n in 60 97 133; do
		LC_ALL=C.UTF-8 trace-plot rate --terminal --width $n s.spc > text
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
texts = [(float(x), float(y), t) for x, y, t in re.findall(r'<text x="([\d.]+)" y="([\d.]+)"(?! class="e)[^>]*>([^<]*)', svg)]
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
# The numbers of the ends may take the places of ticks beside them.
assert begin <= at[0] < begin + 2 * step and begin + span - 2 * step < at[-1] <= begin + span + 1e-6, (at, step)
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
	trace-plot rate -A --terminal --width 70 -e 'time < 10m' t | grep -q ' 2007-02-22 17:00:07 .* 2007-02-22 17:09:07$'
	# Without a date, or with two.
	status_is 2 trace-plot rate -A "$FIX/spc/Financial1-head.spc"
	has "$stderr" '-A: the times do not all count from one date'
	sed 's/1172163607/1172163608/' t > u
	status_is 2 trace-plot rate -A t u
	has "$stderr" '-A: the times do not all count from one date'
	status_is 2 trace-plot hist -A t
	has "$stderr" 'hist has no axis of time'
}

@test "disks and files have a band each: nothing of two lies over each other" {
	# 16 disks, that write their own number of blocks of 4 KiB at the same addresses.
	awk 'BEGIN { for (d = 0; d < 16; d++) for (i = 0; i <= d; i++) printf "%d.%d\t%d\tW\t%d\t4096\t-\n", i, d, d, i * 4096 }' > s
	trace-plot addr --bins s | awk -F '\t' 'NR > 1 { n[$7] += $6 } END { for (d in n) print d, n[d] }' | sort -n |
		same <(awk 'BEGIN { for (d = 0; d < 16; d++) print d, (d + 1) * 4096 }') -
	trace-plot addr s > p.svg
	grep -q '16 locations in a band each<' p.svg
	# From above in the order of their names, at 16 heights.
	sed -n 's/^<text x="[0-9.]*" y="\([0-9.]*\)" text-anchor="end">location \([0-9]*\)<.*/\1 \2/p' p.svg | sort -n | awk '{ print $2 }' | same <(seq 0 15) -
	# The gray rectangles of the bands do not meet.
	sed -n 's/^<rect class="f" x="[^"]*" y="\([0-9.]*\)" .* height="\([0-9.]*\)".*/\1 \2/p' p.svg | grep -v ' 8$' | sort -n |
		awk 'NR > 1 && $1 < end { exit 1 } { end = $1 + $2 } END { exit NR != 16 }'
	# One alone has none; nor has one that -y puts together.
	trace-plot addr -e 'loc = 7' s > p.svg
	grep -q 'shade is bytes in [^·]* · location 7<' p.svg
	run ! grep -q 'band\|end">location 7<' p.svg
	trace-plot addr -y '1 + 0' s > p.svg
	run ! grep -q band p.svg
	grep -q ' · 1 + 0 = 1<' p.svg
	trace-plot addr -y '1 + 0' --terminal --width 200 s > text
	grep -q ' 1 + 0 = 1$' text
	trace-plot addr --terminal --width 100 s | grep -q '^ *location 15 '
	# Of 200 the largest 15 have a band, though they come last, and what they touch is all there.
	awk 'BEGIN { print "##meta\tblock=1"; for (d = 0; d < 200; d++) for (i = 0; i < (d < 185 ? 1 : d - 150); i++) printf "%d.%03d\tf%03d\tR\t%d\t4096\t-\n", d, i, d, i * 4096 }' > s
	trace-plot addr s > p.svg
	grep -q '15 locations in a band each, the others in one<' p.svg
	sed -n 's/^<text .* text-anchor="end">\(f[0-9]*\|others\)<.*/\1/p' p.svg | sort | same <(seq 185 199 | sed 's/^/f/'; echo others) -
	trace-plot addr --bins s | awk -F '\t' 'NR > 1 { n[$7] += $6; all += $6 } END { for (d = 185; d < 200; d++) print n["f" d] / 4096
		print all / 4096 }' | same <(awk 'BEGIN { for (d = 185; d < 200; d++) { print d - 150; n += d - 150 } print n + 185 }') -
	for j in 1 3; do trace-plot --tune worth=1 addr -j $j s | same p.svg -; done
	trace-plot addr -p s 2> err > part
	trace-plot addr -m part | same p.svg -
	has "$(cat err)" 'too many names: some were merged into'
	# As many as the table holds are the same whatever the parts.
	awk -F '\t' '/^##/ || substr($2, 2) > 135' s > few
	trace-plot addr few > p.svg
	for i in 1 2 3; do trace-plot addr -p --chunk $i/3 few; done 2>> err > parts
	trace-plot addr -m parts | same p.svg -
	trace-plot --tune worth=1 addr -j 2 few | same p.svg -
	[ "$(wc -l < err)" = 1 ]
	# Files of CHARISMA, whatever node reads them.
	trace-stats -g file -a 'sum(size)' -e 'addr? and size? and size > 0' --no-header "$FIX/charisma/lp64-le.chr" 2> err | sort > want
	[ -s want ]
	trace-plot addr --bins "$FIX/charisma/lp64-le.chr" 2> err | awk -F '\t' 'NR > 1 { n[$7] += $6 } END { for (f in n) printf "%s\t%.0f\n", f, n[f] }' | sort | same want -
	# Partials by disk and by time.
	trace-plot addr "$FIX/spc/Financial1-head.spc" > p.svg
	for i in 1 2 3; do trace-plot addr -p --chunk $i/3 "$FIX/spc/Financial1-head.spc"; done > parts
	trace-plot addr -m parts | same p.svg -
	# A row without its location, with its addresses the wrong way round, or in two blocks.
	for bad in 's|/[0-9]*\t|\t|' 's|\t[0-9]*-\([0-9]*\)/|\t\1-0/|' 's|-[0-9]*/|-18446744073709551615/|' 's|-[0-9]*/|-/|'; do
		sed "$bad" parts > bad
		run ! cmp -s parts bad
		status_is 2 trace-plot addr -m bad
		has "$stderr" 'not a sum of addr'
	done
	# Sums of nothing are drawn as nothing.
	awk -F '\t' -v OFS='\t' '/^[0-9]/ { $5 = 0 } 1' parts > none
	trace-plot addr -m none > p.svg
	trace-plot addr -m --terminal none > text
	run ! grep -q '<path class="c' p.svg
}

@test "of more than 64 locations the fewest bytes make room, and each that stays has all of its own" {
	# 400 locations of sizes that differ, all at once and at the same and other addresses.
	awk 'BEGIN { srand(7); for (i = 0; i < 30000; i++) { d = int(rand() * rand() * 400)
		printf "%d.%03d\tf%d\tR\t%.0f\t%d\t-\n", i / 1000, i % 1000, d, int(rand() * 300) * 65536 + d % 3 * 4096, 1 + int(rand() * 4096) } }' > s
	trace-plot addr --bins s > bins
	# Sums by location, block, and second are those of a model, in the blocks and bins of the table.
	python3 - <<- 'PY'
	rows = [l.rstrip('\n').split('\t') for l in open('bins')][1:]
	block = int(rows[0][3]) - int(rows[0][2]) + 1
	total, gone, events = {}, set(), []
	for l in open('s'):
	    t, loc, _, addr, size, _ = l.split('\t')
	    events.append((loc, int(addr), int(size)))
	    if loc not in gone:
	        if loc not in total and len(total) == 64:
	            least = min(total, key=total.get)
	            gone.add(least)
	            del total[least]
	        total[loc] = total.get(loc, 0) + int(size)
	want, got = {}, {}
	for loc, a, n in events:
	    loc = loc if loc in total else '(others)'
	    while n:
	        part = min(n, block - a % block)
	        key = loc, a // block
	        want[key] = want.get(key, 0) + part
	        a, n = a + part, n - part
	for r in rows:
	    key = r[6], int(r[2]) // block
	    got[key] = got.get(key, 0) + int(r[5])
	assert len(gone) > 100 and len(total) == 64
	assert want == got
	assert len(got) <= 256 and block >= 65536
	PY
	# The picture has the 15 largest of these.
	trace-plot addr s > p.svg
	awk -F '\t' 'NR > 1 && $7 != "(others)" { n[$7] += $6 } END { for (d in n) print n[d] "\t" d }' bins | sort -nr | head -n 15 | cut -f 2 | sort > want
	sed -n 's/^<text .* text-anchor="end">\(f[0-9]*\)<.*/\1/p' p.svg | sort | same want -
	# Behind 4,096 nobody has a place.
	awk 'BEGIN { for (i = 1; i <= 4097; i++) printf "%d\tf%d\tR\t0\t%d\t-\n", i, i, i }' > s
	trace-plot addr s | sed -n 's/^<text .* text-anchor="end">\(f[0-9]*\|others\)<.*/\1/p' | sort | same <(seq 4082 4096 | sed 's/^/f/'; echo others) -
}

@test "addr: requests of no known file are called so, and what stands beside a region" {
	trace-plot addr "$FIX/charisma/lp64-le.chr" 2> err > p.svg
	grep -q '"end">unknown file<' p.svg
	run ! grep -q '"end">-<' p.svg
	trace-plot addr --terminal --width 100 "$FIX/charisma/lp64-le.chr" 2> err > text
	grep -q '^ *unknown file ' text
	# 8 KiB are touched of 132: the gap is too small to be cut.
	printf '%d\ta\tR\t%d\t4096\t-\n' 1 0 2 131072 > s
	trace-plot addr s > p.svg
	grep -q '<title>135,168 bytes · address 0 to 135,167</title>132 KiB<' p.svg
	grep -q '">extent<' p.svg
}

@test "addr: cells, shades, shares and extents are those of a brute force, also from partials" {
	needs python3
	status_is 0 python3 "$ROOT/tests/oracle/addr_svg.py" 1 60
	has "$output" '60 pictures, [0-9]+ cells'
	# One of 16 disks has two thirds of all requests, and seven of ten read.
	awk 'BEGIN { srand(1); for (i = 0; i < 20000; i++) { d = (rand() < 0.667) ? 7 : int(rand() * 16)
		printf "%d,%d,%d,%s,%.6f\n", d, int(rand() * 4194304), 4096 * (1 + int(rand() * 4)), (rand() < 0.7) ? "r" : "w", i / 1000 } }' > hot.spc
	share=$(awk -F , '{ n[$1] += $3; all += $3 } END { printf "%.1f %%", n[7] / all * 100 }' hot.spc)
	LC_ALL=C trace-plot addr --terminal --width 100 hot.spc > text
	grep -q "unit 7 +#\{50,\}[^#]* 2 GiB $share\$" text
	[ "$(grep -c 'unit [0-9]* +[^#]* [12][.0-9]* GiB [12][.][0-9] %$' text)" = 15 ]
	# Extents come from partials: those of the disk's first and last byte, whatever the blocks.
	awk -F , '$1 == 7 { a = $2 * 512; b = a + $3 - 1; lo = lo == "" || a < lo ? a : lo; hi = b > hi ? b : hi } END { printf "%.0f %.0f\n", lo, hi }' hot.spc > want
	trace-plot addr hot.spc > p.svg
	sed -n 's|^<text .*<title>[0-9,]* bytes · address \([0-9,]*\) to \([0-9,]*\)</title>2 GiB</text>|\1 \2|p' p.svg | tr -d , | grep -qxf want
	for i in 3 1 2; do trace-plot addr -p --chunk $i/3 hot.spc; done > parts
	trace-plot addr -m parts | same p.svg -
	trace-plot --tune worth=1 addr -j 2 hot.spc | same p.svg -
	# Without sizes the shades count events; where some have one, the picture says so.
	printf '1\ta\tR\t4096\t-\t-\n2\ta\tR\t8192\t-\t-\n' > s
	trace-plot addr s | grep -q 'shade is how many events in '
	printf '3\ta\tR\t8192\t512\t-\n' > sized
	cat s sized | trace-plot addr | grep -q 'shade is bytes in [^,;]* and [^,;]*, 1 of what has no size · a<'
	for f in s sized; do trace-plot addr -p $f; done > parts
	trace-plot addr -m parts | grep -q ', 1 of what has no size · a<'
}

@test "heat: lines of percentiles are at the values that windows have, or as much too low as the picture says" {
	status_is 0 python3 "$ROOT/tests/oracle/heat_lines.py" 5 28
	# One size: all lines are on it. Four sizes of as many requests: the 99th percentile is the largest.
	awk 'BEGIN { for (i = 0; i < 1000; i++) printf "0,%d,4096,r,%.3f\n", i, i / 100 }' > 4.spc
	awk 'BEGIN { for (i = 0; i < 40000; i++) printf "0,%d,%d,r,%.3f\n", i, 4096 * (1 + i * 7919 % 4), i / 100 }' > 16.spc
	for k in 4 16; do
		trace-plot heat $k.spc > p.svg
		y=$(sed -n "s|.*y=\"\(.*\)\" class=\"t n\" text-anchor=\"end\">$k KiB<.*|\1|p" p.svg | awk '{ print $1 - 4 }')
		grep -q "class=\"w p9\" d=\"M92 $y\(H[0-9.]*L[0-9.]* $y\)*H800\"" p.svg
		[ $k = 16 ] || grep -q "class=\"w p5\" d=\"M92 $y\(H[0-9.]*L[0-9.]* $y\)*H800\"" p.svg
	done
}

@test "heat -g: a panel for each value, of one height and one scale of colours; eight and the others" {
	printf '%s\n' '0,0,4096,r,0.0' '0,8,65536,r,5.0' > a.spc
	printf '%s\n' '0,0,512,w,0.5' '0,0,512,w,0.5' '0,8,4096,w,10.0' > b.spc
	trace-plot heat -g input a.spc b.spc > p.svg
	xmllint --noout p.svg
	# Two frames of one width and height, the name of each above it.
	sed -n 's/.*<rect class="f" \(x="[0-9.]*"\) y="\([0-9.]*\)" \(.*\)\/>.*/\1 \3 \2/p' p.svg > frames
	[ "$(wc -l < frames)" = 2 ]
	[ "$(cut -d' ' -f1-3 frames | sort -u | wc -l)" = 1 ]
	[ "$(grep -o '>[ab]\.spc</text>' p.svg | tr '\n' ' ')" = '>a.spc</text> >b.spc</text> ' ]
	# A table has what the panels have; merged parts are the same picture.
	same <(printf '%s\n' 'a.spc 4096 1' 'a.spc 65536 1' 'b.spc 512 2' 'b.spc 4096 1' | sort) - < <(trace-plot heat -g input --bins a.spc b.spc |
		awk -F '\t' 'NR > 1 { print $3, $4, $6 }' | sort)
	for i in {1..12}; do printf '%d.0\tl\te%02d\t0\t512\t-\n' $i $i; done > many
	trace-plot heat -g event many > p.svg
	[ "$(grep -c '<rect class="f"' p.svg)" = 9 ]
	grep -q '>(others)</text>' p.svg
	trace-plot heat -g event --terminal --width 80 many | grep -c '^ *e0[1-8]$' | grep -qx 8
}

@test "timeline: the bars and the strip at the edges are what the shares say; who stands apart is darker" {
	trace-plot timeline --theme light "$FIX/runs/solver.meta" > p.svg
	# Bars end behind their share: 88 pixels are all of the time.
	sed -n 's/.*<rect class="\(b[01]\)" x="858" .* width="\([0-9.]*\)".*/\1 \2/p' p.svg > bars
	grep -o '>[0-9]* %</text>' p.svg | tr -dc '0-9\n' > shares
	same <(printf 'b%d\n' 0 0 1 0) <(cut -d' ' -f1 bars)
	paste -d' ' bars shares | awk '{ d = $2 / 88 * 100 - $3 } d < -0.5 || d > 0.5 { bad = 1 } END { exit bad || NR != 4 }'
	# The area of the strip is the mean share.
	sed -n 's/.*<path class="b1" d="\([^"]*\)z".*/\1/p' p.svg | sed 's/[MHV]/\n&/g' | awk '
		/^M/ { split(substr($0, 2), at, " "); x = left = at[1]; y = bottom = at[2] }
		/^H/ { area += (substr($0, 2) - x) * (bottom - y); x = substr($0, 2) }
		/^V/ { y = substr($0, 2) }
		END { print 100 * area / (x - left) / 14 }
	' > mean
	trace-plot timeline --bins "$FIX/runs/solver.meta" | awk -F '\t' -v strip="$(cat mean)" '
		NR > 1 { sum += $5 } NR == 2 || $1 < first { first = $1 } $2 > last { last = $2 }
		END { d = sum / 4 / 0.11776 * 100 - strip; exit !(d > -1 && d < 1) }'
	# Of three or more alone: two are no crowd.
	trace-plot timeline -e 'loc < 2' "$FIX/runs/solver.meta" | grep -q 'class="b1" x=' && return 1
	# Sums of a matrix: the longest bar is that of the greatest sum.
	trace-plot matrix -g event "$FIX/runs/solver.meta" | sed -n 's/.*<rect class="b0" x="372" .* width="\([0-9.]*\)".*/\1/p' > bars
	same <(printf '%s\n' 39.32 56 56 36.94) bars
}

@test "--arrows: from the sender when it sends to the receiver when it has all; the longest 1,000; what has no place" {
	M=$FIX/runs/solver.meta
	trace-match "$M" | trace-filter 'late_sender > 1ms' > late
	trace-plot timeline --arrows late --theme light "$M" > p.svg
	xmllint --noout p.svg
	grep -q ', arrows: 20 messages<' p.svg
	# 117,763,830 ns are 758 pixels from 92 on, and a row is 54 high.
	trace-plot timeline --bins "$M" > bins
	sed -n 's/.*<path class="w p5" d="\([^"]*\)".*/\1/p' p.svg | sed 's/M/\n/g; s/L/ /g' | sed 1d | sort > got
	[ "$(wc -l < got)" = 20 ]
	trace-stats -a 'min(time),max(end)' "$M" | sed 1d > ends
	awk -F '\t' 'NR == FNR { first = $1; span = $2 - $1; next }
		{ to = $0; sub(/.*\tto=/, "", to); sub(/\t.*/, "", to)
		  printf "%.2f %d %.2f %d\n", 92 + 758 * ($1 - first) / span, 90 + 54 * $2 + 27, 92 + 758 * ($1 + $6 - first) / span, 90 + 54 * to + 27 }' \
		ends late | sort > want
	paste -d' ' got want | awk '{ for (i = 1; i <= 4; i++) if ($i - $(i + 4) > 0.02 || $(i + 4) - $i > 0.02) bad = 1 } END { exit bad || NR != 20 }'
	# Of many the longest; those of other places are counted.
	awk 'BEGIN { for (i = 1; i <= 3000; i++) printf "0.040000000\t1\tm\t-\t-\t%.9f\tto=%d\n", i / 1e6, (i > 2999 ? 9 : 2) }' > many
	status_is 0 trace-plot timeline --arrows many "$M"
	has "$stderr" '^trace-plot: --arrows many: 1 of 3,000 messages are outside of the picture$'
	has "$output" ', arrows: the longest 1,000 of 2,999 messages<'
	# A stream without messages, one that is none, and none at all; other pictures.
	status_is 2 trace-plot timeline --arrows /dev/null "$M"
	spc-cat "$FIX/spc/Financial1-head.spc" > s
	status_is 2 trace-plot timeline --arrows s "$M"
	has "$stderr" '^trace-plot: --arrows s: no event has an argument to: give a file that trace-match wrote$'
	status_is 2 trace-plot timeline --arrows nonesuch "$M"
	status_is 2 trace-plot rate --arrows late "$M"
	status_is 2 trace-plot timeline -y event --arrows late "$M"
	# The last of several files; merged parts have arrows, too.
	same p.svg - < <(trace-plot timeline --arrows s --arrows late --theme light "$M")
	trace-plot timeline -p "$M" > part
	same p.svg - < <(trace-plot timeline -m --arrows late --theme light part)
}
