# shellcheck shell=sh disable=SC2016  # $FIX is the driver's
# partial.sh - trace-stats: partials, parts, threads, and clocks that do not fit.
printf '%d.0\t0\tE\t-\t8\t-\tcolour=%s\n' 1 red 2 blue 3 red > f1; printf '%d.0\t0\tE\t-\t8\t-\n' 4 5 > f2
try 'a part in which events have the field of -e' "trace-stats -p -e 'colour == red' -g event -a 'count,sum(size)' -o f1.part f1"
try 'a part in which none has it is no failure' "trace-stats -p -e 'colour == red' -g event -a 'count,sum(size)' -o f2.part f2"
try 'it says so, and has no events' "grep 'asked\\|^a' f2.part" '%\tasked colour\t0'
try 'both are what one pass gives' 'trace-stats -m f1.part f2.part' '#event\tcount\tsum(size)\nE\t2\t16'
try 'in the other order' 'trace-stats -m f2.part f1.part' '#event\tcount\tsum(size)\nE\t2\t16'
try 'one pass' "trace-stats -e 'colour == red' -g event -a 'count,sum(size)' f1 f2" '#event\tcount\tsum(size)\nE\t2\t16'
try 'parts of one file' "for k in 1 2; do trace-stats -p -e 'colour == red' --chunk \$k/2 -g event -o c.\$k f1; done; trace-stats -m c.1 c.2" '#event\tcount\nE\t2'
try 'without -p it is what it was' "trace-stats -e 'colour == red' f2" '' \
	"trace-stats: no event had a field colour; there were time, loc, event, addr, size, dur, end; a text stream keeps fewer names than its trace had: write it with -b" 2
{ seq 5000 5499; seq 1500 1999; } | sed 's/.*/1,1000,4096,R,&.0/' > back.spc
try 'a time that goes back between two parts, the first' 'trace-stats -p -g event --chunk 1/2 back.spc > b.1'
try 'the second knows it' 'trace-stats -p -g event --chunk 2/2 back.spc > b.2' '' \
	'trace-stats: back.spc:501: field 5 (timestamp): "1500.0": the time goes back\ntrace-stats: back.spc: kept 1 record although the time goes back (--unordered accepts that)' 2
try 'and so does the merge' 'trace-stats -m b.1 b.2' '#event\tcount\nR\t1000' \
	'trace-stats: when the partial results were made: back.spc:501: field 5 (timestamp): "1500.0": the time goes back' 2
printf '%d.5\t-\ta\t-\t-\t-\n' 1 3 > w; trace-stats -p -w 1s -a 'count,sum(gap)' w > p
try 'events of no window' "sed 's/^a=3	/a=*	/' p | trace-stats -m" '' 'trace-stats: the partial results are damaged: events are in no window' 2
try 'a window beyond all times' "sed 's/^a=3	/a=99999999999	/' p | trace-stats -m" '' 'trace-stats: the partial results are damaged: a window is beyond all times' 2
try 'a window before all times' "sed 's/^a=3	/a=-99999999999	/' p | trace-stats -m" '' 'trace-stats: the partial results are damaged: a window is beyond all times' 2
try 'a window far ahead' "sed 's/^a=3	/a=9000000000	/' p | trace-stats -m" \
	'#window\tcount\tsum(gap)\n1.000000000\t1\t-\n9000000000.000000000\t1\t2.000000000' 'trace-stats: -w: left out rows without events, because there are too many' 2
for v in 5 7; do printf '0.0\t-\ta\t-\t%s\t-\n' $v | trace-stats -p -a 'first(size),last(size)' > i.$v; done
try 'first and last of two inputs of one name' 'trace-stats -m i.5 i.7' '#first(size)\tlast(size)\n5\t7'
try 'in the other order of merging' 'trace-stats -m i.7 i.5' '#first(size)\tlast(size)\n5\t7'

# A part of a file that is there twice is an error.
seq 3000 | sed 's/.*/&.0\t0\tE\t-\t&\t-/' > t
for k in 1 2 3; do trace-stats -p -g event -a 'count,sum(gap)' --chunk $k/3 -o p.$k t; done; trace-stats -p -g event -a 'count,sum(gap)' --chunk 1/2 -o h.1 t
try 'three parts' 'trace-stats -m p.3 p.1 p.2' '#event\tcount\tsum(gap)\nE\t3000\t2999.000000000'
try 'the first twice' 'trace-stats -m p.1 p.1 p.2 p.3' '' 'trace-stats: t: two partial results have the part from 0 on: give each part of one --chunk N once' 2
try 'the last twice' 'trace-stats -m p.1 p.2 p.3 p.3' '' \
	'trace-stats: t: two partial results have the part from 38526 on: give each part of one --chunk N once' 2
try 'the second twice, and no third' 'trace-stats -m p.1 p.2 p.2' '' \
	'trace-stats: t: two partial results have the part from 19266 on: give each part of one --chunk N once' 2
try '-p: the first twice' 'trace-stats -m -p p.1 p.1 p.2 p.3' '' \
	'trace-stats: t: two partial results have the part from 0 on: give each part of one --chunk N once' 2
try '-p: the last twice' 'trace-stats -m -p p.1 p.2 p.3 p.3' '' \
	'trace-stats: t: two partial results have the part from 38526 on: give each part of one --chunk N once' 2
try '-p: the second twice, and no third' 'trace-stats -m -p p.1 p.2 p.2' '' \
	'trace-stats: t: two partial results have the part from 19266 on: give each part of one --chunk N once' 2
try 'what was merged is whole' 'trace-stats -m -p -o whole p.1 p.2 p.3; trace-stats -m whole' '#event\tcount\tsum(gap)\nE\t3000\t2999.000000000'
try 'a part beside the whole' 'trace-stats -m whole p.2' '' \
	'trace-stats: t: two partial results have the part from 19266 on: give each part of one --chunk N once' 2
try 'parts of different cuts' 'trace-stats -m h.1 p.2 p.3' '' \
	'trace-stats: t: two partial results have the part from 19266 on: give each part of one --chunk N once' 2

# Clocks of two units are refused where their times meet, by any number of threads.
seq 0 10 8000 | sed 's/$/\tloc\tevent\t-\t-\t-/' > k; seq 0 500 | sed 's/$/.0\tloc\tevent\t-\t-\t-/' > n; : > e
try 'gaps of two clocks' "trace-stats -j 1 -a 'sum(gap)' n k" '' 'trace-stats: k: the clock counts ticks, but that of previous inputs seconds (--hz N turns ticks into seconds)' 2
try 'computed times of two clocks' "trace-stats -a 'sum(time - prev.time)' n k" '' 'trace-stats: k: the clock counts ticks, but that of previous inputs seconds (--hz N turns ticks into seconds)' 2
try 'computed times of two clocks at the merge' "for f in k n; do trace-stats -p -a 'p50(dur + 1)' -o d.\$f \$f; done; trace-stats -m d.k d.n" '' \
	'trace-stats: d.n:4: its clock counts other units than that of the partial results before' 2
try 'a rate of two clocks' 'trace-stats -j 1 -a rate n k' '' 'trace-stats: k: the clock counts ticks, but that of previous inputs seconds (--hz N turns ticks into seconds)' 2
try 'windows of two clocks' 'trace-stats -j 1 -w 2 n k' '' 'trace-stats: k: the clock counts ticks, but that of previous inputs seconds (--hz N turns ticks into seconds)' 2
try 'a report of two clocks' 'trace-stats -j 1 --tsv n k' '' 'trace-stats: k: the clock counts ticks, but that of previous inputs seconds (--hz N turns ticks into seconds)' 2
try 'what does not ask for times' "trace-stats -j 1 -a 'count,sum(time)' n k" '#count\tsum(time)\n1302\t3329250.000000000'
try 'gaps of two clocks, with threads' "trace-stats --tune worth=4000 -j 2 -a 'sum(gap)' n k" '' \
	'trace-stats: k: the clock counts ticks, but that of previous inputs seconds (--hz N turns ticks into seconds)' 2
try 'a rate of two clocks, with threads' 'trace-stats --tune worth=4000 -j 2 -a rate n k' '' \
	'trace-stats: k: the clock counts ticks, but that of previous inputs seconds (--hz N turns ticks into seconds)' 2
try 'windows of two clocks, with threads' 'trace-stats --tune worth=4000 -j 2 -w 2 n k' '' \
	'trace-stats: k: the clock counts ticks, but that of previous inputs seconds (--hz N turns ticks into seconds)' 2
try 'a report of two clocks, with threads' 'trace-stats --tune worth=4000 -j 2 --tsv n k' '' \
	'trace-stats: k: the clock counts ticks, but that of previous inputs seconds (--hz N turns ticks into seconds)' 2
try 'what does not ask for times, with threads' "trace-stats --tune worth=4000 -j 2 -a 'count,sum(time)' n k" '#count\tsum(time)\n1302\t3329250.000000000'
try 'two clocks at the merge' "for f in k n; do trace-stats -p -a 'sum(gap)' -o c.\$f \$f; done; trace-stats -m c.k c.n" '' \
	'trace-stats: c.n:3: its clock counts other units than that of the partial results before' 2
try 'without events there is no clock' 'trace-stats --tsv k > want; trace-stats --tsv k e | cmp - want'

# -O that no input is for is told once, by threads too; not where inputs were left out.
seq 3000 | sed 's/.*/0,&,512,R,&.0/' > a.spc; cp a.spc b.spc
ovni-dump -D -b "$FIX"/ovni/all.obs > stream.bin
try 'options of another format' 'trace-stats -j 1 -O durations -O names -a count a.spc b.spc' '#count\n6000' \
	'trace-stats: -O names: no input is of the format ovni\ntrace-stats: -O durations: no input is of the format ovni'
try 'options of another format, with threads' 'trace-stats --tune worth=1000 -j 3 -O durations -O names -a count a.spc b.spc' '#count\n6000' \
	'trace-stats: -O names: no input is of the format ovni\ntrace-stats: -O durations: no input is of the format ovni'
try 'options of this one' 'trace-stats -j 1 -O block=8 -O unordered -a count a.spc b.spc' '#count\n6000'
try 'options of this one, with threads' 'trace-stats --tune worth=1000 -j 3 -O block=8 -O unordered -a count a.spc b.spc' '#count\n6000'
try 'options of what the stream was made of' 'trace-stats -O durations -a count stream.bin' '#count\n203' 'trace-stats: -O durations: no input is of the format ovni'
try 'the other files may be of it' 'trace-filter -O durations --head 1 R a.spc tasks' '1.000000000\t0\tR\t1\t512\t-'
try 'the other part may be of it' 'trace-filter -O names --chunk 1/2 -c R a.spc tasks' '3000'
try '-m and -O contradict each other' 'trace-stats -m -O block=8 a.spc' '' 'trace-stats: -m and -O contradict each other (try trace-stats --help)' 2
try 'what all readers have as an option of their own goes without saying' 'trace-stats --unordered --follow-links -a count stream.bin' '#count\n203'
printf '1.0\ta\tx\t4096\t8\t1.0\n' > lone.txt
try 'of a plot: events without a sum are refused' 'for k in rate heat timeline hist matrix addr; do trace-plot $k -p lone.txt 2>&- | grep "^#" > p.$k
	printf "~\\t0\\n" >> p.$k; trace-plot $k -m --terminal p.$k 2>&1 | grep -c "the partial result has events but no sums$"; done | sort -u' '1'
try 'of a timeline: no lane is drawn where nothing lasts' 'trace-plot timeline -p lone.txt | awk -F "\t" -v OFS="\t" "!/^[#~]/ { \$4 = 1 } 1" > p; trace-plot timeline -m --size 500x300 p | grep -c "</svg>"' '1'
printf '%s.0\tb\tR\t-\t-\t-\tx=5\n' 1 2 3 4 5 6 7 8 > even; printf '%s.0\ta\tR\t-\t-\t-\n' 1 2 4 7 11 16 22 29 > wider
try 'the gap between two parts is neither the first nor the last one' "for k in 1 2; do trace-stats -p --chunk \$k/2 -a 'first(gap),last(gap),max(gap)' wider > p\$k; done; trace-stats -m p1 p2" '#first(gap)\tlast(gap)\tmax(gap)\n1.000000000\t7.000000000\t7.000000000'
try 'gaps between parts, in windows that slide, by three keys' "for k in 1 2 3 4; do trace-stats -p --chunk \$k/4 -w 4/2 -g loc,event,x -a 'count,sum(gap)' even > p\$k; done; trace-stats -m p1 p2 p3 p4 | cut -f 1,5,6" \
	'#window\tcount\tsum(gap)\n-2.000000000\t1\t-\n0.000000000\t3\t2.000000000\n2.000000000\t4\t4.000000000\n4.000000000\t4\t4.000000000\n6.000000000\t3\t3.000000000\n8.000000000\t1\t1.000000000'
