# shellcheck shell=sh disable=SC2016  # $FIX is the driver's
# plot.sh - trace-plot: what titles count, names, and partials of expressions.
printf '1.0\ta\tx\t-\t-\t2.0\n1.0\tb\ty\t-\t-\t-\n1.0\tc\ty\t-\t-\t0\n' > one-lasts
try 'flame: names of -y are no stacks, also those that have none' 'trace-plot flame -y loc --terminal --width 80 one-lasts | head -1' \
	'Where the time goes, stack by stack: 100 % in x: 2 s in 1 stack' '*: 1 event* without a duration is left out\n*: 1 event* last* no time is left out'
try 'timeline: locations where nothing lasts are not counted' 'trace-plot timeline --terminal --width 80 one-lasts | head -1' \
	'Where 1 location spends its time: 100 % in x' '*: 1 event* without a duration is left out\n*: 1 event* last* no time is left out'
printf '1\ta\tx\t-\t-\t-\n1\tb\ty\t-\t-\t-\n1\tc\ty\t-\t-\t0\n' > none-lasts
try 'timeline of moments: the same' 'trace-plot timeline --terminal --width 80 none-lasts | head -1' 'How many events 2 locations have, over time' '*: 1 event* last* no time is left out'
try 'the partial of an expression keeps its unit' 'trace-plot heat -y "time - prev.time" --bins $FIX/dumpi/small-0002.bin > want 2>&-
	trace-plot heat -y "time - prev.time" -p $FIX/dumpi/small-0002.bin | trace-plot heat -m --bins 2>&- | cmp - want'
printf '1\ta\bb\tR\t-\t8\t-\n' > control
try 'control bytes of names are escaped, as trace-stats does' 'trace-stats -g loc,event control; trace-plot matrix --bins control; trace-plot matrix -p control | trace-plot matrix -m --bins' \
	'#loc\tevent\tcount\na\\x08b\tR\t1\n#loc\tevent\tcount\na\\x08b\tR\t1\n#loc\tevent\tcount\na\\x08b\tR\t1'
# Which name follows which, among all events or those of one location: awk keeps the last name of each key.
cat > follows << 'AWK'
BEGIN { FS = OFS = "\t" }
{ key = by ? $by : 0; was = key in last ? last[key] : "-"; n[was OFS $3]++; last[key] = $3 }
END { for (k in n) print k, n[k] }
AWK
awk 'BEGIN { for (i = 0; i < 400; i++) printf "%d.0\tl%d\te%d\t%d\t8\t0.5\n", i, i * i % 3, i * i * i % 5 % 3, i }' > walk
try 'matrix: -k is the key of prev in -y' "trace-plot matrix --bins -k '' -y prev.event walk | sed 1d | sort > got; awk -f follows walk | sort | cmp - got
	trace-plot matrix --bins -y prev.event walk | sed 1d | cut -f 1-3 | sort > got; awk -v by=2 -f follows walk | sort | cmp - got"
try 'hist and rate: -k is the key of prev in -g' "trace-plot hist --bins -k '' -y size -g prev.event walk | cut -f 3- | sed 1d | sort > got
	awk 'BEGIN { was = \"-\" } { n[was]++; was = \$3 } END { for (k in n) print k \"\t\" n[k] }' walk | sort | cmp - got
	trace-plot rate --bins -k '' -g prev.event walk | sed 1d | awk '{ n[\$3] += \$4 } END { for (k in n) print k \"\t\" n[k] }' | sort | cmp - got"
try 'hist: the gaps of all events, of one location, of one name' "for k in '' loc event; do trace-plot hist --bins -k \"\$k\" -y 'time - prev.time' walk | awk 'NR > 1 { n += \$4 } END { print n }'; done" \
	'399\n398\n397' '*: 1 event without time-prev.time is left out\n*: 2 events without *\n*: 3 events without *'
try 'heat, timeline, flame, addr, and the sum of -a: -k is the key of nth' "trace-plot heat --bins -k '' -y nth walk | tail -n 1 | cut -f 3-4; trace-plot timeline --bins -k '' -g 'nth // 100' walk | tail -n 1 | cut -f 4
	trace-plot flame --bins -k '' -y 'nth // 1000' walk | grep -c ';'; trace-plot addr --bins -k '' -y 'nth // 1000' walk | tail -n 1 | cut -f 7; trace-plot matrix --bins -k '' -y 1 -g 1 -a 'sum(nth)' walk" \
	'363\t431\n4\n3\n0\n#1\t1\tcount\tsum(nth)\n1\t1\t400\t80200' '*: walk: the stream has no header: assuming that addr counts bytes; *'
try '-o names no picture but SVG: how to make one' 'trace-plot rate -o x.pdf nowhere; trace-plot rate -o d.x/y.PNG nowhere; trace-plot rate -o x.jpg nowhere; trace-plot rate -o x.eps nowhere; trace-report -o x.pdf nowhere' '' \
	'trace-plot: -o x.pdf: writes SVG: trace-plot ... | rsvg-convert -f pdf -o x.pdf\ntrace-plot: -o d.x/y.PNG: writes SVG: trace-plot ... | rsvg-convert -f png -o d.x/y.PNG\ntrace-plot: -o x.jpg: writes SVG: trace-plot ... | rsvg-convert -f png -o x.png\ntrace-plot: -o x.eps: writes SVG: trace-plot ... | rsvg-convert -f eps -o x.eps\ntrace-report: -o x.pdf: writes HTML: use -o x.html, and print that from a browser' 2
try '-o names other files' 'trace-plot rate -o x.svg Financial1.spc; trace-report -o png Financial1.spc; trace-plot rate -o .html Financial1.spc; head -c 4 x.svg .html | tr -d "\n"; echo; rm x.svg png .html' '==> x.svg <==<svg==> .html <==<svg'

# Who sends to whom counts ranks in the world: two rows by MPI_Comm_split, where 0 and 2 send to rank 1 of theirs.
awk 'BEGIN { for (r = 0; r < 4; r++) { b = r / 1000
	printf "%.3f\t%d\tMPI_Init\t-\t-\t0.1\targc=0\n", 1 + b, r
	printf "%.3f\t%d\tMPI_Comm_split\t-\t-\t0.1\toldcomm=MPI_COMM_WORLD\tcolor=%d\tkey=%d\tnewcomm=4\n", 3 + b, r, int(r / 2), r
	printf "%.3f\t%d\tMPI_%s\t-\t-\t0.1\tcount=1000\tdatatype=MPI_BYTE\t%s\ttag=0\tcomm=4\n", 4 + b, r, r % 2 ? "Recv" : "Send", r % 2 ? "source=0" : "dest=1"
	printf "%.3f\t%d\tMPI_Finalize\t-\t-\t0.1\n", 5 + b, r } }' | sort -n | trace-convert -T dumpi -o split
try 'who sends to whom in the world' 'trace-plot matrix --bins split/*.meta' '#loc\tpeer\tcount\tsum(size)\n0\t1\t1\t1000\n2\t3\t1\t1000'
try 'trace-match says the same' 'trace-match split/*.meta | trace-stats -e message -g loc,to -a "count,sum(size)"' \
	'#loc\tto\tcount\tsum(size)\n0\t1\t1\t1000\n2\t3\t1\t1000'
try 'what a stream does not tell is unknown' 'dumpi2txt -b split/*.meta | trace-plot matrix --bins' \
	'#loc\tpeer\tcount\tsum(size)\n0\t(unknown)\t1\t1000\n2\t(unknown)\t1\t1000'
try 'a stream with gpeer tells it' 'dumpi2txt -b --gpeer split/*.meta | trace-plot matrix --bins' \
	'#loc\tpeer\tcount\tsum(size)\n0\t1\t1\t1000\n2\t3\t1\t1000'
# What is sent: a persistent request at each start, not when it is made; nothing to MPI_PROC_NULL.
awk 'BEGIN { for (r = 0; r < 2; r++) { b = r / 1000; a = "count=480\tdatatype=MPI_BYTE\ttag=0\tcomm=MPI_COMM_WORLD"
	printf "%.3f\t%d\tMPI_%s_init\t-\t-\t0.1\t%s\t%s=%d\trequest=9\n", 1 + b, r, r ? "Recv" : "Send", a, r ? "source" : "dest", !r
	for (i = 2; i < 6; i += 2) {
		printf "%.3f\t%d\tMPI_Start\t-\t-\t0.1\trequest=9\n", i + b, r
		printf "%.3f\t%d\tMPI_Wait\t-\t-\t0.1\trequest=9\n", i + 1 + b, r }
	printf "%.3f\t%d\tMPI_Send\t-\t-\t0.1\t%s\tdest=-2\n", 6 + b, r, a } }' | sort -n | trace-convert -T dumpi -o starts
try 'starts are sent, and no init' 'trace-plot matrix --bins starts/*.meta' '#loc\tpeer\tcount\tsum(size)\n0\t1\t2\t960'
try 'so trace-match has it' 'trace-match starts/*.meta | trace-stats -e message -g loc,to -a "count,sum(size)"' \
	'#loc\tto\tcount\tsum(size)\n0\t1\t2\t960'
