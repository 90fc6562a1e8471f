# shellcheck shell=sh disable=SC2016  # $FIX is the driver's
# merge.sh - trace-merge and --by-time: order, clocks, headers, what is late, and what is refused.
a='1\ta\tx\t-\t-\t-\n3\ta\ty\t-\t-\t-\n' b='2\tb\tx\t-\t-\t-\n3\tb\ty\t-\t-\t-\n'
ab="printf '1.0\ta\tx\t-\t-\t-\n3.0\ta\ty\t-\t-\t-\n' > a; printf '2.0\tb\tx\t-\t-\t-\n3.0\tb\ty\t-\t-\t-\n' > b"
try 'order of time, then of operands' "$ab; trace-merge a b | cut -f 1-3; trace-merge b a | cut -f 2 | tail -n 2" \
	'1.000000000\ta\tx\n2.000000000\tb\tx\n3.000000000\ta\ty\n3.000000000\tb\ty\nb\na'
try 'the programs that count and draw read in that order: --by-time' "$ab; trace-merge a b | trace-derive 'q=1' | cut -f 1-6 > want; trace-merge a b | cmp - want; trace-merge a b | trace-stats -k '' -a 'count,max(time - prev.time)' > want; trace-stats --by-time -k '' -a 'count,max(time - prev.time)' a b | cmp - want"
try 'ticks' "trace-merge - | cut -f 1,2" '1\ta\n3\ta' '' 0 "$a"
try 'one input is put in order' 'trace-merge -H | grep -v "^#" | cut -f 1' '1.000000000\n2.000000000\n3.000000000' '' 0 '2.0\ta\tx\t-\t-\t-\n3.0\ta\tx\t-\t-\t-\n1.0\ta\tx\t-\t-\t-\n'
try '--offset, by name and by number' "$ab; trace-merge --offset b=-1.5s --offset @1=+1 a b | cut -f 1,2" '0.500000000\tb\n1.500000000\tb\n2.000000000\ta\n4.000000000\ta'
try 'a name with = in it, and @' "$ab; mv a 'a=1'; mv b @1; trace-merge --offset 'a=1=10s' --offset @1=20s 'a=1' @1 | cut -f 1,2" \
	'11.000000000\ta\n13.000000000\ta\n22.000000000\tb\n23.000000000\tb'
try '--scale is from the first event, and exact' "printf '9000000000.000000001\ta\tx\t-\t-\t-\n9000000001.000000001\ta\tx\t-\t-\t-\n' > a; trace-merge --scale a=1.000000001 a | cut -f 1" \
	'9000000000.000000001\n9000000001.000000002'
try '--scale rounds halves away from 0' "printf '0.0\ta\tx\t-\t-\t-\n0.000000003\ta\tx\t-\t-\t-\n-0.000000003\ta\tx\t-\t-\t-\n' > a; trace-merge --scale a=0.5 a | cut -f 1" \
	'-0.000000002\n0.000000000\n0.000000002'
try '--scale-dur: the end moves as the begin does' "printf '1.0\ta\tx\t-\t-\t-\n2.000000001\ta\tx\t-\t-\t1.000000002\n' > a; trace-merge --scale a=0.5 a | cut -f 1,6; trace-merge --scale a=0.5 --scale-dur a | cut -f 1,6; trace-merge --scale-dur a | cut -f 1,6" \
	'1.000000000\t-\n1.500000001\t1.000000002\n1.000000000\t-\n1.500000001\t0.500000001\n1.000000000\t-\n2.000000001\t1.000000002'
try '--scale-dur where the end is out of range' "printf '1.0\ta\tx\t-\t-\t9223372036.854775807\n' > a; trace-merge --scale a=0.5 --scale-dur a | cut -f 1,6" '1.000000000\t9223372036.854775807'
try '--align first' "$ab; trace-merge --align first a b | cut -f 1,2" '0.000000000\ta\n0.000000000\tb\n1.000000000\tb\n2.000000000\ta'
try '--align-event' "$ab; trace-merge --align-event y a b | cut -f 1,2" '-2.000000000\ta\n-1.000000000\tb\n0.000000000\ta\n0.000000000\tb'
try '--align-event that an input lacks' "$ab; trace-merge --align-event z a b" '' 'trace-merge: a: --align-event: no event matches' 2
try '--align-event of a pipe' 'trace-merge --align-event x' '' 'trace-merge: <stdin>: --align-event reads inputs twice: each must be a file' 2 "$b"
try 'origins: the least is that of the output' "printf '##spoor\t1\n##clock\ts\torigin=100.5\n1.0\ta\tx\t-\t-\t-\n##end\n' > a; printf '##spoor\t1\n##clock\ts\torigin=100\n1.0\tb\tx\t-\t-\t-\n##end\n' > b; trace-merge a b" \
	'##spoor\t1\n##format\t-\n##clock\ts\torigin=100.000000000\n#time\tloc\tevent\taddr\tsize\tdur\targs\n1.000000000\tb\tx\t-\t-\t-\n1.500000000\ta\tx\t-\t-\t-\n##end\tevents=2'
try 'the origin of an input without events counts' "printf '##spoor\t1\n##clock\ts\torigin=1000000000\n##end\n' > a; printf '##spoor\t1\n##clock\ts\torigin=1000000005.709486120\n1.0\tb\tx\t-\t-\t-\n##end\n' > b; trace-merge a b | sed -n '3p;5p'; trace-merge b a | sed -n 5p" \
	'##clock\ts\torigin=1000000000.000000000\n6.709486120\tb\tx\t-\t-\t-\n6.709486120\tb\tx\t-\t-\t-'
origins="printf '##spoor\t1\n##clock\ts\torigin=100\n1.0\ta\tx\t-\t-\t-\n##end\n' > a; printf '2.0\tb\tx\t-\t-\t-\n' > b"
try 'some count from 0: refused' "$origins; trace-merge a b" '' 'trace-merge: b counts from 0, but a from an origin of 100.000000000 s: use trace-merge --align or --offset b=TIME' 2
try 'but not with --offset' "$origins; trace-merge --offset b=100s a b | grep -v '^#' | cut -f 1,2" '1.000000000\ta\n2.000000000\tb'
try 'nor with --align none' "$origins; trace-merge --align none -H a b | grep '^##clock'" '##clock\ts\torigin=0.000000000'
try 'ticks and seconds: refused' "printf '$a' > a; printf '2.0\tb\tx\t-\t-\t-\n' > b; trace-merge a b" '' 'trace-merge: a counts ticks and b seconds: give --hz N, the ticks of a second' 2
try 'but not with --hz' "printf '$a' > a; printf '2.0\tb\tx\t-\t-\t-\n' > b; trace-merge --hz 2 a b | cut -f 1,2" '0.000000000\ta\n1.000000000\ta\n2.000000000\tb'
try '--offset of ticks' "printf '$a' > a; trace-merge --offset a=10 a | cut -f 1; trace-merge --offset a=1s a" '11\n13' 'trace-merge: a: the clock counts ticks of unknown length: give --offset *' 2
meta="printf '##spoor\t1\n##loc\tr\n##meta\th=1\n##meta\tk=2\n1.0\ta\tx\t-\t-\t-\n##end\n' > a; sed 's/h=1/h=3/' a > b"
try 'metadata: equal pairs once, others with a number' "$meta; trace-merge a b a | grep '^##[ml]'" '##loc\tr\n##meta\th=1\n##meta\tk=2\n##meta\th.2=3'
try 'names of places that differ' "$meta; sed -i 's/loc.r/loc\ts/' b; trace-merge a b | sed -n '/^##loc/p'" '' 'trace-merge: a and b name the parts of loc differently: the parts become loc1, loc2, ...'
try 'those of an input without events do not count' "printf '##spoor\t1\n##loc\thost\n##end\tevents=0\n' > a; printf '##spoor\t1\n##loc\tnode/rank\n1.0\tn/1\tx\t-\t-\t-\n##end\n' > b; trace-merge -H a b | grep ^##loc" '##loc\tnode/rank'
blocks="spc-cat -H Financial1.spc > a; spc-cat -H -O block=4096 Financial1.spc > b"
try 'blocks that differ: refused' "$blocks; trace-merge a b" '' 'trace-merge: addr counts units of 512 bytes in a, of 4096 in b: use trace-merge --same-unit*' 2
try '--same-unit' "$blocks; trace-merge --same-unit a b | grep -v '^#' | sed -n '1p;3p' | cut -f 4; trace-merge --same-unit a b | grep block" '303567\n2428536\n##meta\tblock=512'
# Metadata without block: bytes. SPC's addresses count 512 of them.
printf '5,8,4096,R,0.5\n5,2048,4096,R,1.5\n' > units.spc
printf '0,4096,4096\n1,8192,4096\n' > units.csv
units="-O columns:units.csv='time=\$1 event=R addr=\$2 size=\$3' --align none"
try 'bytes and blocks: refused' "trace-merge $units units.csv units.spc" '' '*name the parts of loc differently*\ntrace-merge: addr counts units of 512 bytes in units.spc, of 1 in units.csv: use trace-merge --same-unit*' 2
try 'bytes and blocks, --same-unit' "trace-merge -t --same-unit $units units.csv units.spc" '0.000000000\t-\tR\t4096\t4096\t-\n0.500000000\t5\tR\t4096\t4096\t-\n1.000000000\t-\tR\t8192\t4096\t-\n1.500000000\t5\tR\t1048576\t4096\t-' '*name the parts of loc differently*'
try 'bytes and blocks by time, for a program that reads addresses' "trace-access streams ${units%--align*} units.csv units.spc | cut -f 1,2,4-7; trace-export --by-time ${units%--align*} -T fio units.csv units.spc | grep -c -e 'read 4096 ' -e 'read 8192 ' -e 'read 1048576 '" '#file\trequests\tsequential_share\tstreams\tin_streams\tstream_share\n-\t2\t1\t1\t2\t1\n5\t2\t0\t0\t0\t0\n4' '*name the parts of loc differently*\n*name the parts of loc differently*'
try 'bytes without an addr, and blocks' "trace-merge -O columns:units.csv='time=\$1 event=R' --align none units.csv units.spc | cut -f 4" '-\n8\n-\n2048' '*name the parts of loc differently*'
try 'blocks, and a stream that does not say' 'spc-cat units.spc > units.txt; trace-merge -t units.spc units.txt | cut -f 4' '8\n8\n2048\n2048' '*name the parts of loc differently*\ntrace-merge: units.txt: the stream has no header: assuming that addr counts units of 512 bytes; set the unit with --addr-unit'
try '--addr-unit: what a stream without a header counts' 'spc-cat units.spc > units.txt; trace-merge -t --addr-unit 512 units.spc units.txt | cut -f 4; trace-merge -t --same-unit --addr-unit 4096 units.spc units.txt | cut -f 4; trace-merge -H --addr-unit 4096 units.txt units.txt | grep block' '8\n8\n2048\n2048\n8\n64\n2048\n16384\n##meta\tblock=4096' '*name the parts of loc differently*\n*name the parts of loc differently*'
try '--addr-unit of other blocks: refused' 'spc-cat units.spc > units.txt; trace-merge --addr-unit 4096 units.spc units.txt' '' '*name the parts of loc differently*\ntrace-merge: addr counts units of 512 bytes in units.spc, of 4096 in units.txt: use trace-merge --same-unit*' 2
try '--trace and --trace-loc' "$ab; mkdir d; mv a d; trace-merge --trace --trace-loc d/a b | sed 2q" '1.000000000\td\\x2fa/a\tx\t-\t-\t-\ttrace=d/a\n2.000000000\tb/b\tx\t-\t-\t-\ttrace=b'
late="printf '5.0\ta\tx\t-\t-\t-\n6.0\ta\tx\t-\t-\t-\n7.0\ta\tx\t-\t-\t-\n1.0\ta\tx\t-\t-\t-\n8.0\ta\tx\t-\t-\t-\n' > a"
try 'late events are written, counted and told' "$late; trace-merge -H --resort 0 a | sed 1,4d | cut -f 1-3" \
	'5.000000000\ta\tx\n6.000000000\ta\tx\n7.000000000\ta\tx\n1.000000000\ta\tx\n8.000000000\ta\tx\n##late\tevents=1\tmost=6.000000000\n##error\tevents=5\tlost=0' \
	'trace-merge: a: 1 event comes later than the resort window, the first is event 4: --resort 6.000000000s puts all in order'
try 'and with that window they are in order' "$late; trace-merge --resort 6.000000000s a | head -n 1 | cut -f 1" '1.000000000'
try '--check: in order' "$ab; trace-merge --check a b"
try '--check: not in order' "$late; trace-merge --check a" '' 'trace-merge: a: event 4: out of order, 0 more, up to 6.000000000 late' 1
try '--check: later than 64 bits with a sign can say' 'trace-merge --check' '' 'trace-merge: <stdin>: event 2: out of order, 0 more, up to 18000000000.000000000 late' 1 '9000000000.000000000\ta\tx\t-\t-\t-\n-9000000000.000000000\ta\tx\t-\t-\t-\n'
try '--check: trouble is 2' "$late; trace-merge --check a nowhere" '' '*\ntrace-merge: nowhere: *' 2
try 'a broken line does not disturb the order of others' "printf '1.000000000\ta\tx\t-\t-\t-\n3.000000000\tb\tx\t-\t-\t-\n9.000000000\tc\n2.000000000\td\tx\t-\t-\t-\n9.000000000\te\tx\t-\t1e\t-\n4.000000000\tf\tx\t-\t-\t-\n' > a; trace-merge a | cut -f 1,2; trace-merge --check a" \
	'1.000000000\ta\n2.000000000\td\n3.000000000\tb\n4.000000000\tf' '*a:3: *\n*a:5: *\n*a: 2 records skipped\n*a:3: *\n*a:5: *\n*a: 2 records skipped\n*a: event 3: out of order, 0 more, up to 1.000000000 late' 2
try '-l: names in lines, and with zero bytes' "$ab; printf 'a\nb\n' > l; trace-merge a b > want; trace-merge -l l | cmp - want; tr '\\n' '\\0' < l | trace-merge -l - | cmp - want"
try '-l of nothing' 'trace-merge -l /dev/null' '' 'trace-merge: /dev/null: the list names no input' 2
try 'an input that is not there: the others, status 2, ##error' "$ab; trace-merge -H a nowhere | tail -n 1" '##error\tevents=2\tlost=0\treason=nowhere:\\x20cannot\\x20read\\x20the\\x20file' 'trace-merge: nowhere: *'
try 'losses of all inputs' "spc-cat -H example.spc > a 2>/dev/null; trace-merge -H a a | tail -n 1 | cut -f 1-3" '##error\tevents=20\tlost=2' '*\n*'
try 'a time that does not fit' "printf '9223372036.0\ta\tx\t-\t-\t-\n0.0\ta\tx\t-\t-\t-\n' > a; trace-merge --offset a=1s a | cut -f 1" '1.000000000' 'trace-merge: a: 1 event skipped: *'
try 'the latest time there is' "printf '9223372036.854775807\ta\tx\t-\t-\t-\n1.0\ta\tx\t-\t-\t-\n' > a; sed s/a/b/ a > b; trace-merge a b | cut -f 1,2" \
	'1.000000000\ta\n1.000000000\tb\n9223372036.854775807\ta\n9223372036.854775807\tb'
try 'two of one offset' "$ab; trace-merge --offset a=1 --offset @1=2 a b" '' 'trace-merge: --offset @1=2: the value is set twice *' 2
try 'an offset of no input' "$ab; trace-merge --offset c=1 a b" '' 'trace-merge: --offset c=1: FILE=VALUE or @N=VALUE is expected, of one of the 2 inputs *' 2
try 'each rank is an input' 'trace-merge --offset solver-0001.bin=5s --trace solver-0000.bin solver-0001.bin > moved
	for k in 0 1; do dumpi2txt -A solver-000$k.bin > alone; trace-merge -A --offset solver-0001.bin=5s solver-0000.bin solver-0001.bin | awk -F"\t" -v k=$k "\$2 == k" |
		{ [ $k = 0 ] && cat || trace-derive "time = time - 5s"; } | cmp - alone; done; sed "s/.*trace=//" moved | sort -u' 'solver-0000.bin\nsolver-0001.bin'
try 'so is each of two traces of ovni' 'trace-merge --align first --offset @2=5s --trace tasks tasks | cut -f1 | cut -d. -f1 | uniq -c | sed "s/^ *//"' '92 0\n92 5'
try '--chunk is refused' 'trace-merge --chunk 1/2 Financial1.spc' '' 'trace-merge: --chunk: *' 2
for p in trace-filter trace-derive trace-pair trace-convert trace-merge spc-cat laplace-bin2txt laplace-merge ovni-dump charisma-dump dumpi2txt; do
	try "$p passes events on, and has no --by-time" "$p --by-time" '' "$p: unknown option --by-time: trace-merge FILE... writes events in order of time *" 2
done
try 'for trace-pair: a begin in one file, its end in the other' "printf '1.0\ta\tB\t-\t-\t-\n' > a; printf '2.0\ta\tE\t-\t-\t-\n' > b; trace-merge b a | trace-pair --begin B --end E | cut -f 1,6" '1.000000000\t1.000000000'
try '--by-time of trace-stats' "$ab; trace-stats --by-time -j 8 -a 'count,max(time - prev.time)' -k '' a b" '#count\tmax(time-prev.time)\n4\t1.000000000'
try '--by-time and --from-first: windows from the first event of all' "printf '##spoor\t1\n##clock\ts\torigin=100\n3.0\ta\tx\t-\t-\t-\n##end\n' > a; printf '##spoor\t1\n##clock\ts\torigin=90\n12.5\tb\tx\t-\t-\t-\n##end\n' > b; trace-stats --by-time -w 2s --from-first -a count a b" '#window\tcount\n12.500000000\t2'
try '--resort of a number with a unit' "$ab; trace-merge a b > want; trace-merge --resort 64K a b | cmp - want; trace-merge --resort 1.5 a" '' 'trace-merge: --resort 1.5: a number of events is whole; a time has a unit: 1.5s *' 2
try 'what decoders read' 'dumpi2txt solver.meta > want; trace-merge solver.meta | cmp - want; trace-merge -t refs.bin refs.bin | wc -l' 400
printf '1.0\t-\tx\t-\t-\t-\n' | tee one > one=two
try '--offset: of names that both fit the longer one is meant' 'trace-merge --offset one=two=1s --offset one=3s one one=two' '2.000000000\t-\tx\t-\t-\t-\n4.000000000\t-\tx\t-\t-\t-\n'
try '--align none: an origin that not all have is none' 'for o in 5 7; do printf "##spoor\t1\n##clock\ts\torigin=$o.0\n##end\tevents=0\n" > o$o; done
	for f in "none" "o5" "o5 o5" "o5 o7" "o7 o5"; do trace-merge -H --align none $f 2>&-; done | sed -n "s/.*origin=//p"' '0.000000000\n5.000000000\n5.000000000\n0.000000000\n0.000000000' '' 0
# What -O holds for: an option of a format for inputs of it alone, a description of columns for all inputs.
printf '1,a\n2,b\n' > x.csv
try '-O of a format leaves others alone' 'trace-merge --align first -O preset=cm5 -O columns:x.csv="time=\$1 event=\$2" trace.chr x.csv | grep -c .' 97 '*name the parts of loc differently*'
try 'a description of columns is for all inputs' 'trace-merge -O columns="time=\$1 event=\$2" x.csv Financial1.spc | cut -f 1,3 | tail -n 1' '10.000000000\t617943'
try 'with the name of a file it is for that one' 'trace-merge --align first -O columns:x.csv="time=\$1 event=\$2" x.csv Financial1.spc | grep -c .' 163 '*name the parts of loc differently*'
# Windows that were asked for may take more than those that were not: here 300,000 events.
(seq 1 300000; echo 0) | awk '{ print $1 "\ta\tE\t-\t-\t-" }' > late.txt
try 'an event that is 300,000 places late, in a window of 400,000' 'trace-merge --resort 400000 late.txt > out; head -n 2 out; wc -l < out' '0\ta\tE\t-\t-\t-\n1\ta\tE\t-\t-\t-\n300001'
for f in a b; do
	awk -v f=$f 'BEGIN {
		print "##spoor\t1\n##format\tx\n##clock\ts"
		for (i = 0; i < 5000; i++) printf "##meta\t%s%d=%01000d\n", f, i, 0
		print "1.0\ta\tE\t-\t-\t-\n##end\tevents=1" }' > meta.$f
done
try 'metadata of two inputs that are too much together' 'trace-merge meta.a meta.b > /dev/null' '' 'trace-merge: meta.b: the metadata of all inputs exceed 8192 KiB: the rest is left out' 2
printf '##spoor\t1\n##clock\ts\torigin=10.0\n1.0\ta\tE\t-\t-\t-\n##end\tevents=1\n##spoor\t1\n##clock\ts\torigin=20.0\n1.0\ta\tF\t-\t-\t-\n##end\tevents=1\n' > two.heads
printf '##spoor\t1\n##clock\ts\torigin=10.0\n2.0\tb\tG\t-\t-\t-\n##end\tevents=1\n' > one.head
try 'a second stream of an input counts from an origin of its own' "trace-merge -t two.heads one.head | sed '/^#/d'; trace-merge -t --align none two.heads one.head | sed '/^#/d'" \
	'1.000000000\ta\tE\t-\t-\t-\n2.000000000\tb\tG\t-\t-\t-\n11.000000000\ta\tF\t-\t-\t-\n1.000000000\ta\tE\t-\t-\t-\n1.000000000\ta\tF\t-\t-\t-\n2.000000000\tb\tG\t-\t-\t-'
# The first input is the one of the larger blocks; an address is the last that can be multiplied; and one beyond it.
try '--same-unit: the first input counts other blocks' "$blocks; trace-merge --same-unit b a | grep block; trace-merge --same-unit a b | grep -v '^#' | sort > 1; trace-merge --same-unit b a | grep -v '^#' | sort | cmp - 1" '##meta\tblock=512'
printf '##meta\tblock=8\n1.0\ta\tR\t2305843009213693951\t8\t-\n2.0\ta\tR\t2305843009213693952\t8\t-\n' > end8
printf '##meta\tblock=1\n1.5\tb\tR\t7\t8\t-\n' > end1
try '--same-unit: the last address that can be multiplied, and the one behind it' "trace-merge --same-unit end8 end1 | grep -v '^#' | cut -f 1,4" '1.000000000\t18446744073709551608\n1.500000000\t7' '*end8: 1 event skipped: *'
# An event without the key does not hide those behind it.
printf '0.5\ta\tE\t-\t-\t-\n1.0\ta\tE\t-\t-\t-\tid=1\n3.0\ta\tE\t-\t-\t-\tid=2\n' > some.a
printf '0.1\tb\tE\t-\t-\t-\n101.0\tb\tE\t-\t-\t-\tid=1\n103.0\tb\tE\t-\t-\t-\tid=2\n' > some.b
try '--match: events without the key stand between' "trace-merge -t --match id some.a some.b | grep id= | cut -f 1" '1.000000000\n1.000000000\n3.000000000\n3.000000000' '*'
try '--match: of a computed key too' "trace-merge -t --match 'id + 0' some.a some.b | grep id= | cut -f 1" '1.000000000\n1.000000000\n3.000000000\n3.000000000' '*2 events*'
# A clock that runs 3/1000 fast: 1 / 1.003.
awk 'BEGIN { for (i = 0; i < 60; i++) { printf "%d.0\ta\tE\t-\t-\t-\tid=%d\n", 10 * i, i > "drift.a"; printf "%.2f\tb\tE\t-\t-\t-\tid=%d\n", 10.03 * i + 5, i > "drift.b" } }'
try '--match: a drift to the last digit' "trace-merge -t --match id drift.a drift.b | tail -n 1 | cut -f 1" '590.000000000' '*--scale @2=0.997008973*, by 60 events*all by 2.39e-08 s'

printf '5.0\ta\tE\t-\t-\t-\tid=1\n7.0\ta\tE\t-\t-\t-\tid=2\n' > first.a
printf '103.0\tb\tE\t-\t-\t-\n104.0\tb\tE\t-\t-\t-\tid=1\n106.0\tb\tE\t-\t-\t-\tid=2\n' > first.b
try '--match and --align first: an event that is first, and no pair' 'trace-merge -t --align first --match id first.a first.b | cut -f 1,2' \
	'-1.000000000\tb\n0.000000000\ta\n0.000000000\tb\n2.000000000\ta\n2.000000000\tb' '*--align first --offset @2=-1.000000000s*'
for x in 1 2 3 4; do
	printf '1.0\ta\tE\t-\t-\t-\tid=0\n2.0\ta\tE\t-\t-\t-\tid=%s\n' $x > twice.a
	printf '11.0\tb\tE\t-\t-\t-\tid=0\n12.0\tb\tE\t-\t-\t-\tid=%s\n14.0\tb\tE\t-\t-\t-\tid=%s\n' $x $x > twice.b
	try "--match: an event that one input has twice is none: $x" 'trace-merge -t --match id twice.a twice.b | wc -l' 5 '*by 1 event that*'
done
seq 600 | awk '{ printf "%d.0\ta\tE\t-\t-\t-\tid=%d\n", $1, $1 > "long.a"; printf "%d.0\ta\tE\t-\t-\t-\tid=%d\n", $1 + 50, $1 > "long.b" }'
try '--match: all events of both' 'trace-merge -t --match id long.a long.b | wc -l' 1200 '*by 600 events*'
seq 2000 | awk '{ print $1 ".0\ta\tW\t-\t-\t-" }' > asc.txt
{ seq 1000; seq 900 999; } | awk '{ print $1 ".0\ta\tW\t-\t-\t-" }' > late.txt
try '--by-time: one input, in order and not' "trace-stats --by-time -a count asc.txt; trace-merge late.txt | trace-filter -c '*'; trace-merge late.txt | trace-filter -F time '*' | sort -nc; trace-stats --by-time -k '' -a 'count,min(time - prev.time)' late.txt" '#count\n2000\n1100\n#count\tmin(time-prev.time)\n1100\t0.000000000'
try 'one input of an export that draws, in order and not' "trace-export -T chrome asc.txt | grep -c '\"ph\":\"i\"'; trace-export -T chrome late.txt | grep -o '\"ts\":[0-9]*' | cut -d: -f2 | tee got | sort -nc; wc -l < got" '2000\n1100'
printf '1.0\ta\tE\t-\t-\t-\tx=p\n3.0\ta\tE\t-\t-\t-\tx=q\n' > text.a
printf '2.0\ta\tE\t-\t-\t-\tx=zz\n4.0\ta\tE\t-\t-\t-\tx=q\n' > text.b
try 'texts of arguments, which each input counts for itself' 'trace-merge -t text.a text.b | cut -f 7' 'x=p\nx=zz\nx=q\nx=q'
for k in $(seq 40); do mkfifo "pipe.$k"; done
try 'many inputs that are read once: their windows are smaller, which is told once' 'for p in pipe.*; do cat text.a > $p & done; trace-merge -t pipe.* | wc -l' 80 '*: 40 inputs are read once: the resort window of each is 6553 events'
for f in cm5 lp64-le; do trace-filter -n 'event in {header, app-load, open} or event = read' "$FIX/charisma/$f.chr" > "few.$f.chr" 2> /dev/null; done
try 'names, of which the last type alone has some' 'for f in few.*.chr; do charisma-dump $f 2>&- || exit; done | cut -f 3,7- | sort > a; trace-merge -t --align first few.lp64-le.chr few.cm5.chr 2>&- | cut -f 3,7- | sort | cmp - a; trace-merge -t --align first few.cm5.chr few.lp64-le.chr 2>&- | cut -f 3,7- | sort | cmp - a'
# Eight inputs whose events come thousands of times as dense as just before.
awk 'BEGIN { srand(3); for (f = 0; f < 8; f++) { t = 0; for (i = 0; i < 20000; i++) { t += i % 10000 == 9999 ? 20 : int(rand() * 3) * 1e-9 * (i % 10000 < 6000 ? 1 : 1000); printf "%.9f\tn%d\tB\t%d\t-\t-\n", t, f, i > ("burst." f) } } }'
try 'many events at once, after few: in order, each once' "trace-merge -t burst.? | awk -F'\\t' '\$1 < last || \$1 == last && \$2 < was || \$4 != n[\$2]++ { bad++ } { last = \$1 + 0; was = \$2 } END { print NR, bad + 0 }'" '160000 0'
stream_head() { printf '##spoor\t1\n##clock\ts\torigin=%s.0\n#time\tloc\tevent\taddr\tsize\tdur\targs\n' "$1"; }
{ stream_head 0; printf '1.0\ta\tE\t-\t-\t-\nbroken\n##end\tevents=2\n'; stream_head 0; printf '2.0\ta\tE\t-\t-\t-\nbroken\n##end\tevents=2\n'; } > two.streams
{ stream_head 0; printf '1.5\tb\tE\t-\t-\t-\n##end\tevents=1\n'; } > one.stream
try 'the first fault of an input of two streams stands at the end' 'trace-merge -H two.streams one.stream | tail -n 1 | cut -d: -f 1,2' '##error\tevents=3\tlost=2\treason=two.streams:5' '*two.streams:5: *\n*two.streams:11: *\n*2 records skipped'
{ stream_head 100000000; printf '1.0\ta\tE\t-\t-\t-\n##end\tevents=1\n'; stream_head 100000010; printf '1.0\ta\tE\t-\t-\t-\n2.0\ta\tE\t-\t-\t-\n##end\tevents=2\n'; } > scaled.two
{ stream_head 100000000; printf '3.0\tb\tE\t-\t-\t-\n##end\tevents=1\n'; } > scaled.one
try '--scale is from the first event of an input, also in its second stream' 'trace-merge --scale @1=2 scaled.two scaled.one | grep -v "#" | cut -f 1,2; trace-merge --offset @2=-5s --scale @2=1.5 scaled.one scaled.two | grep -v "#" | cut -f 1,2' \
	'1.000000000\ta\n3.000000000\tb\n21.000000000\ta\n23.000000000\ta\n-4.000000000\ta\n3.000000000\tb\n11.000000000\ta\n12.500000000\ta'
printf '1.0\ta\tE\t-\t-\t-\n9223372036.0\ta\tE\t-\t-\t-\n' > scaled.far
printf '2.0\tb\tE\t-\t-\t-\n' > big.one
try '--scale: a time beyond 2^63 ns' 'trace-merge -t --scale @1=2 scaled.far big.one | grep -c E' 2 '*1 event skipped: the time, or the address, does not fit when it is changed' 0
awk 'BEGIN { for (i = 0; i < 40000; i++) printf "%d.0\tp%d\te\t-\t-\t-\n", i, i }' > places.many
awk 'BEGIN { for (i = 0; i < 40000; i++) printf "%d.5\tq%d\te\t-\t-\t-\n", i, i % 3 }' > places.few
try '--trace-loc: places of one input whose tables begin anew, and of one whose do not' \
	"trace-merge --trace-loc places.many places.few | awk -F'\\t' '{ i = int(\$1); odd += \$2 != (NR % 2 ? \"places.many/p\" i : \"places.few/q\" i % 3) } END { print NR, odd + 0 }'" '80000 0'
try 'ovni: a stream from a pipe beside a file' 'F=$FIX/ovni/all.obs; cat $F | trace-merge -t /dev/stdin $F > a; trace-merge -t $F $F | cmp - a; ovni-dump -t $F | cat - a | grep -vc "^#"' 1095
