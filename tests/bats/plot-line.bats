#!/usr/bin/env bats
# plot-line.bats - trace-plot line: each table that programs print, and lines, marks and axes read back from pictures.
bats_require_minimum_version 1.5.0
load ../helpers

setup() {
	enter
	needs python3
	# Two names, every tenth W takes 10 ms; of four clocks in turns.
	awk 'BEGIN { print "t,e,d"; for (i = 0; i < 4000; i++)
		printf "%.2f,%s,%.9f\n", 1700000000 + i / 20, i % 2 ? "R" : "W", (i % 20 ? 0.0001 : 0.01) * (1 + i * 7919 % 97 / 97) }' > log.csv
	columns='columns=time=$t event=$e dur=$d'
	awk -F, -v OFS=, 'NR > 1 { $1 = sprintf("%.2f", $1 - 1700000000) } 1' log.csv > run.csv
}

stats() { trace-stats -O "$columns" "$@" 2> /dev/null; }
points() { python3 "$ROOT/tests/oracle/svg.py" points "$1"; }

# near WANT GOT: the same names; numbers within 0.5 % of the greatest of their column, as pixels have them.
near() {
	awk -F '\t' 'NR == FNR { w[++n] = $0; for (i = 2; i < 4; i++) if ($i + 0 > most[i]) most[i] = $i + 0; next }
		{ k++; split(w[k], a); if (a[1] != $1) { print k ": " $1 ", not " a[1]; bad = 1 }
		  for (i = 2; i < 4; i++) if ((a[i] - $i) ^ 2 > (most[i] * .005) ^ 2) { print k ": " $i ", not " a[i]; bad = 1 } }
		END { if (k != n || !n) { print k " lines, not " n; bad = 1 } exit bad }' "$1" "$2"
}

@test "percentiles by window: remarks behind the rows are no rows" {
	stats -w 10s -a 'p50,p99(dur)' run.csv > a
	{ cat a; echo '#p50(dur), p99(dur): off by at most 0.39 %'; echo; } > b
	trace-plot line b > p.svg
	awk -F '\t' 'NR > 1 { print "p50(dur)\t" $1 "\t" $2 }' a > want
	awk -F '\t' 'NR > 1 { print "p99(dur)\t" $1 "\t" $3 }' a >> want
	points p.svg > got
	near want got
	trace-plot line a | sed 's/>a · 20 rows/>b · 20 rows/' | same p.svg -
	trace-plot line --bins b | tail -n +2 | awk -F '\t' '{ $2 += 0; $3 += 0 } 1' OFS='\t' > got
	awk -F '\t' '{ $2 += 0; $3 += 0 } 1' OFS='\t' want | same got -
}

@test "dates are an axis by the clock, and written as dates" {
	columns="$columns"' epoch=1970'
	stats -A -w 30s -a 'p99(dur)' log.csv > a
	trace-plot line a > p.svg
	points p.svg > got
	# 22:13:20 is 80,000 seconds of a day.
	awk -F '\t' 'NR > 1 { split(substr($1, 12), h, ":"); print "p99(dur)\t" h[1] * 3600 + h[2] * 60 + h[3] "\t" $2 }' a > want
	near want got
	# 0.5 % of 80,000 s is more than the picture: each x is within a pixel.
	awk -F '\t' 'NR == FNR { w[NR] = $2; next } (w[FNR] - $2) ^ 2 > .36 { exit 1 }' want got
	grep -q '>2023-11-14, UTC<' p.svg
	trace-plot line --bins a | head -n 2 | tail -n 1 | grep -q $'^p99(dur)\t2023-11-14T22:13:00.000000000Z\t0.0[0-9]*$'
	# A date as a mark, and a table of another kind.
	trace-plot line --mark 2023-11-14T22:14:10=deploy a > p.svg
	grep -q '>deploy<' p.svg
	status_is 0 trace-plot line --mark 10s=deploy a
	has "$stderr" '--mark 10s=deploy: not drawn: a date is expected, as x has'
	printf '1\t2\n2\t3\n' > b
	status_is 2 trace-plot line --bins a b
	has "$stderr" 'b: not drawn: x is a date in one table, and a number in another'
	run ! grep -q '^b' <<<"$output"
}

@test "CSV, quoted cells, TSV and lines that end in CR LF are the same table" {
	stats -g event -w 20s -a 'p50(dur)' run.csv > a
	stats -g event -w 20s -a 'p50(dur)' --csv run.csv > a.csv
	stats -g event -w 20s -a 'p50(dur)' --tsv run.csv > a.tsv
	trace-plot line --bins a > want
	[ "$(wc -l < want)" = 21 ]
	trace-plot line --bins a.csv | same want -
	trace-plot line --bins a.tsv | same want -
	sed 's/$/\r/; s/R/"R"/' a.csv | trace-plot line --bins | same want -
	# A comma, a quote and a line's end within a name.
	printf 'x,who,y\n1,"a,""b"",\nc",5\n2,"a,""b"",\nc",6\n' | trace-plot line --bins |
		same <(printf '#line\tx\ty\na,"b",\\x0ac\t1\t5\na,"b",\\x0ac\t2\t6\n') -
	printf '#x\tGET\\x20/cart\n1\t2\n2\t3\n' | trace-plot line > p.svg
	grep -q '>GET /cart<' p.svg
}

@test "a text column makes a line of each of its values, and -g of a number" {
	stats -g event -w 20s -a 'p50,p99(dur)' run.csv > a
	trace-plot line --bins a > got
	for e in R W; do
		for c in 3 4; do
			awk -F '\t' -v e=$e -v c=$c 'NR == 1 { name = $c } $2 == e { print e "\\x20" name "\t" $1 + 0 "\t" $c + 0 }' a
		done
	done | sort > want
	tail -n +2 got | awk -F '\t' '{ print $1 "\t" $2 + 0 "\t" $3 + 0 }' | sort | same want -
	# The same as side by side.
	stats -g event -w 20s -a 'p50(dur)' --wide event run.csv | trace-plot line --bins > want
	stats -g event -w 20s -a 'p50(dur)' run.csv | trace-plot line --bins | same want -
	# A number, which is not known to be a name: x that comes again is said.
	f=$FIX/spc/Financial1-head.spc
	trace-stats -e 'asu < 3' -w 2s -g asu -a count "$f" > a
	status_is 0 trace-plot line --bins -g asu a
	[ -z "$stderr" ]
	tail -n +2 <<<"$output" | LC_ALL=C sort > got
	awk -F '\t' 'NR > 1 { print $2 "\t" $1 + 0 "\t" $3 }' a | LC_ALL=C sort | same got -
	status_is 0 trace-plot line --bins a
	has "$stderr" 'a:3: x equals the previous row.s; -g COLUMN draws a line for each value'
	status_is 2 trace-plot line --bins -g disk a
	has "$stderr" 'a: -g disk: the table has no such column'
}

@test "cells of cdf are the rows of --long: steps, x in the field's unit" {
	stats -g event -a 'cdf(dur)' run.csv > a
	stats -g event -a 'cdf(dur)' --long run.csv > b
	trace-plot line --bins a > want
	trace-plot line --bins b | same want -
	awk -F '\t' 'NR > 1 { print $1 "\t" $2 + 0 "\t" $4 + 0 }' b > list
	tail -n +2 want | awk -F '\t' '{ print $1 "\t" $2 + 0 "\t" $3 + 0 }' | same list -
	trace-plot line a > p.svg
	points p.svg > got
	# Of each step the upper end.
	awk -F '\t' '{ l = $1 "\t" $2; if (l != at && NR > 1) print row; at = l; row = $0 } END { print row }' got | sort -u > up
	awk -F '\t' 'NR == FNR { n++; name[n] = $1; x[n] = $2; y[n] = $3; next }
		{ for (i = 1; i <= n; i++) if (name[i] == $1 && (x[i] / $2 - 1) ^ 2 < .01 ^ 2 && (y[i] - $3) ^ 2 < .006 ^ 2) next
		  print "no point " $0; bad = 1 } END { exit bad || n < 10 }' got list
	for t in '10 ms' '1 ms' '100 %' '20 %'; do grep -q ">$t<" p.svg || fail "$t"; done
	grep -q '>share by dur: R and W<' p.svg
	grep -q '>a · 2 rows · x logarithmic<' p.svg
	grep W a > c
	trace-plot line --label all,writes a <(head -n 1 a; cat c) > p.svg
	grep -q '>share by dur: all R, all W and writes W<' p.svg
	printf '#hist(size)\n512:7,1024:1\n' | trace-plot line --bins | same <(printf '#line\tx\ty\nhist(size)\t512\t7\nhist(size)\t1024\t1\n') -
	status_is 2 trace-plot line --bins <(printf '#g\tcdf(x)\na\t1:0.5,2:\nb\t3:nan\nc\t4:1\n')
	has "$stderr" ':2: column 2, cdf[(]x[)]: "2:" is skipped'
	has "$stderr" 'skipped 2 cells in total'
}

@test "several files: a line of each column of each, by label or by name" {
	stats -w 20s -a 'p50,p99(dur)' run.csv > before.tsv
	awk -F '\t' -v OFS='\t' 'NR > 1 { $2 *= 2; $3 *= 2 } 1' before.tsv > after.tsv
	trace-plot line --bins --label old,new before.tsv after.tsv > got
	[ "$(cut -f 1 got | uniq | paste -sd ' ' -)" = '#line old\x20p50(dur) old\x20p99(dur) new\x20p50(dur) new\x20p99(dur)' ]
	awk -F '\t' 'NR > 1 { print "new\\x20p99(dur)\t" $1 + 0 "\t" $3 + 0 }' after.tsv > want
	grep '^new.x20p99' got | awk -F '\t' '{ print $1 "\t" $2 + 0 "\t" $3 + 0 }' | same want -
	cut -f 1,3 before.tsv > a; cut -f 1,3 after.tsv > b
	trace-plot line a b > p.svg
	grep -q '>p99(dur) by window: a and b<' p.svg
	points p.svg > got
	for f in a b; do awk -F '\t' -v f=$f 'NR > 1 { print f "\t" $1 "\t" $2 }' $f; done > want
	near want got
	status_is 2 trace-plot line --label a before.tsv after.tsv
	has "$stderr" '--label names 1 input'
	status_is 2 trace-plot line --bins a none b
	[ "$(cut -f 1 <<<"$output" | uniq | paste -sd ' ' -)" = '#line a b' ]
}

@test "what is missing is a gap in the line, also of many points" {
	printf 'x\ty\n1\t1\n2\t2\n3\t-\n4\t4\n5\t\n6\t3\n7\t1\n' | trace-plot line > p.svg
	points p.svg | cut -f 1,2 > got
	# The lone point is a dash of three pixels.
	awk '{ if (NF) printf "%s\t%.0f\n", $1, $2; else print }' got | uniq | same <(printf 'y\t1\ny\t2\n\ny\t4\n\ny\t6\ny\t7\n') -
	awk 'BEGIN { print "x\ty"; for (i = 0; i < 100000; i++) print i "\t" (i > 30000 && i < 40000 ? "-" : i % 7) }' | trace-plot line > p.svg
	[ "$(points p.svg | grep -c '^$')" = 1 ]
	points p.svg | awk -F '\t' '{ if (!NF) { if (last < 29500 || last > 30100) exit 1; gap = 1 } else { if (gap && $2 < 39500) exit 1; last = $2 } } END { exit !gap }'
}

@test "axes: logarithmic from two powers of ten on, times of a run never; units by the columns' names" {
	two() { printf '%s\ty\n1\t1\n%s\t2\n' "$1" "$2" | trace-plot line "${@:3}" > p.svg; }
	two x 100; grep -q '>.* x logarithmic<' p.svg
	two x 99.9; run ! grep -q logarithmic p.svg
	two window 1000.0; run ! grep -q logarithmic p.svg
	two window 1000.0 --log x; grep -q '>.* x logarithmic<' p.svg
	# A time has a fraction; without one it may be ticks.
	unit() { printf 'x\t%s\n1\t0\n2\t%s\n' "$1" "$2" | sed "2s/0$/$3/" | trace-plot line > p.svg; }
	unit 'p50(dur)' 0.002 0.000; grep -q '>2 ms<' p.svg
	unit 'p50(dur)' 2000 0; grep -q '>2000<' p.svg
	unit 'sum(size)' 4096 0; grep -q '>4 KiB<' p.svg
	unit 'sum(size)_R' 4096 0; grep -q '>4 KiB<' p.svg
	unit share 0.5 0; grep -q '>50 %<' p.svg
	unit 'count(dur)' 0.002 0.000; grep -q '>0.002<' p.svg
	unit y '3 ms' '0 ms'; grep -q '>3 ms<' p.svg
	unit y 4KiB 0B; grep -q '>4 KiB<' p.svg
	unit y '5 %' '0 %'; grep -q '>5 %<' p.svg
	# The first number of a column tells, not a gap before it.
	printf 'x\tp50(dur)\n1\t-\n2\t0.000\n3\t0.002\n' | trace-plot line > p.svg
	grep -q '>2 ms<' p.svg
	# Two units are none.
	printf 'x\tp50(dur)\tsum(size)\n1\t0.1\t4096\n2\t0.2\t8192\n' | trace-plot line > p.svg
	run ! grep -Eq '>[0-9.]+ (ms|s|KiB)<' p.svg
	grep -q '>8192<' p.svg
}

@test "lines differ without colours, equal ones show both, and names stand at their ends or below" {
	printf 'x\ta\tb\tc\td\te\tf\tg\th\n1\t1\t1\t1\t1\t1\t1\t1\t1\n2\t2\t2\t2\t2\t2\t2\t2\t2\n' > s
	trace-plot line s > p.svg
	grep -o '\.l[0-9]{stroke-dasharray:[^}]*}' p.svg | cut -d : -f 2 | sort -u > dashes
	[ "$(wc -l < dashes)" = 7 ]
	# Names: each at the right, none over another; where the picture is narrow or low, below.
	names() { sed -n 's/.*<text x="\([0-9.]*\)" y="\([0-9.]*\)">\([a-h]\)<.*/\3 \1 \2/p' "$1"; }
	names p.svg | sort -k 3,3n > got
	[ "$(wc -l < got)" = 8 ]
	awk '$2 < 850 || (NR > 1 && $3 < last + 14) { exit 1 } { last = $3 }' got
	trace-plot line --size 400x220 s > p.svg
	names p.svg > got
	[ "$(wc -l < got)" = 8 ]
	awk '$3 < 180 { exit 1 }' got
	LC_ALL=C trace-plot line --terminal --width 60 <(cut -f 1-3 s) > got
	seq 1 500 | awk '{ print $1 "\t" 5 "\t" 5 }' | LC_ALL=C trace-plot line --terminal --width 60 | grep -q ABABABAB
}

@test "--mark: lines at their times in all kinds, no text over another, what is outside is said" {
	marks() { sed -n "s/<path class=\"k p5\" d=\"M\([0-9.]*\) .*/\1/p" p.svg; }
	for k in rate heat; do
		trace-plot $k -O "$columns" --mark 50s=deploy,1m=rollback --mark 150.0=end run.csv > p.svg 2> err
		[ ! -s err ]
		# The axis is from 92, and 758 or 708 long, for 199.95 s.
		w=708
		[ $k = heat ] || w=758
		marks | awk -v w=$w 'BEGIN { split("50 60 150", t) }
			(92 + w * t[NR] / 199.95 - $1) ^ 2 > .04 { print $1; exit 1 } END { exit NR != 3 }'
		for t in deploy rollback end; do grep -q ">$t<" p.svg || fail "$k $t"; done
		trace-plot $k -O "$columns" --mark 50s=deploy --terminal --width 70 run.csv | grep -q '^  *^ deploy$'
	done
	trace-plot timeline --mark 50ms=half "$FIX/runs/solver.meta" > p.svg
	grep -q '>half<' p.svg
	trace-plot timeline --mark 3s=middle "$FIX/spc/Financial1-head.spc" > p.svg
	grep -q '>middle<' p.svg
	seq 0 100 | awk '{ print $1 "\t" $1 }' > s
	# Thirty of them, five at each place.
	trace-plot line --mark "$(seq 0 29 | awk '{ printf "%s%d=mark%d", (NR > 1 ? "," : ""), int($1 / 5) * 20, $1 }')" s > p.svg 2> err
	[ ! -s err ]
	[ "$(marks | uniq | wc -l)" = 6 ]
	python3 - << 'PY'
import re
text = open('p.svg').read()
boxes = [tuple(map(float, b)) for b in re.findall(r'<rect class="f" x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"/>\n<text[^>]*>mark', text)]
assert len(boxes) == 30
for i, (x, y, w, h) in enumerate(boxes):
    for u, v, a, b in boxes[:i]:
        assert x >= u + a or u >= x + w or y >= v + b or v >= y + h, (x, y, u, v)
PY
	status_is 0 trace-plot line --mark 50=in,101=out s
	has "$stderr" '--mark 101=out: not drawn: x has no such value'
	has "$output" '>in<'
	status_is 0 trace-plot rate -O "$columns" --mark 500s=late run.csv
	has "$stderr" '--mark 500s=late: not drawn: the time is outside of the picture'
	status_is 0 trace-plot line --size 400x200 --mark "$(seq 1 40 | awk '{ printf "%s50=m%d", (NR > 1 ? "," : ""), $1 }')" s
	has "$stderr" '--mark m40: the picture has no room for the text'
	trace-plot line --mark '4K=<page>' <(printf 'size\ty\n0\t1\n8192\t2\n') > p.svg
	grep -q '>&lt;page&gt;<' p.svg
	status_is 2 trace-plot hist --mark 1=a "$FIX/spc/Financial1-head.spc"
	has "$stderr" 'hist takes no --mark'
	for m in a =a 1= x=a '1=a,2'; do status_is 2 trace-plot line --mark "$m" s; done
	status_is 0 trace-plot rate --mark 2023-11-14T22:14=a -O "$columns" run.csv
	has "$stderr" 'times of this input do not count from a date'
}

@test "hostile tables: skipped cells are said, with their line and column" {
	printf 'x\ty\n1\t2\n2\tnan\n3\t%s\n4\tinf\n5\t1e400\n6\t3\n7\t0x1p\n' "$(printf '9%.0s' {1..400})" > s
	status_is 2 trace-plot line --bins s
	has "$stderr" 's:3: column 2, y: "nan" is skipped; write - for a missing number'
	has "$stderr" 's: skipped 5 cells in total'
	same <(printf '#line\tx\ty\ny\t1\t2\ny\t6\t3\n') - <<<"$output"
	printf 'x\ty\n1\t2\n\0002\t3\n3\t4\n' > s
	status_is 2 trace-plot line --bins s
	has "$stderr" 's:3: '
	same <(printf '#line\tx\ty\ny\t1\t2\ny\t3\t4\n') - <<<"$output"
	# A line of 20 MB, 100,000 columns, a quote that nothing ends, texts alone, a picture.
	{ printf '1\t2\n'; head -c 20000000 /dev/zero | tr '\0' 7; printf '\n3\t4\n'; } > s
	status_is 2 trace-plot line --bins s
	has "$stderr" 's:2: the line is longer than 16 MiB: the rest is not read'
	same <(printf '#line\tx\ty\n2\t1\t2\n') - <<<"$output"
	seq 100000 | paste -sd '\t' - > s
	status_is 2 trace-plot line s
	has "$stderr" 's: 99744 columns are ignored: only the first 256 are read'
	has "$stderr" 'only 8 lines are drawn; left out 247 points of further lines'
	printf 'a,b\n1,2\n"3,4\n5,6\n' > s
	status_is 2 trace-plot line --bins s
	same <(printf '#line\tx\ty\nb\t1\t2\n') - <<<"$output"
	printf 'a\tb\nc\td\n' > s
	status_is 2 trace-plot line s
	has "$stderr" 's: not drawn: no column has numbers'
	status_is 2 trace-plot line <(printf 'a\tb\nc\t1\n')
	has "$stderr" 'only x has numbers'
	status_is 2 trace-plot line <(printf '[\n {"a": 1},\n {"a": 2}\n]\n')
	printf '#x\tname\ty\n1\tn%0300d\t2\n' 7 > s
	status_is 2 trace-plot line s
	has "$stderr" 'a name of more than 200 bytes'
	# The largest picture.
	awk 'BEGIN { srand(1); for (i = 0; i < 40000; i++) { printf "%d", i; for (k = 0; k < 8; k++) printf "\t%.6f", rand(); print "" } }' > s
	for size in 960x480 8000x8000; do [ "$(trace-plot line --size $size s | wc -c)" -le 500000 ]; done
	head -c 100000 /dev/urandom > s
	trace-plot line s > p.svg 2> err || [ $? -le 2 ]
}
