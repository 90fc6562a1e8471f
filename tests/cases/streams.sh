# shellcheck shell=sh disable=SC2016  # $FIX is the driver's
# streams.sh - the text and the binary stream, as spoor-stream(5) rules.
try 'a time without a digit before its point is an error' 'trace-filter x' '0.5\t1\tx\t-\t-\t-\n0.500000000\t1\tx\t-\t-\t-' \
	'trace-filter: <stdin>:3: field 1 (time): ".600000000": the value is empty\ntrace-filter: <stdin>: 1 record skipped' 2 '0.5\t1\tx\t-\t-\t-\n0.500000000\t1\tx\t-\t-\t-\n.600000000\t1\tx\t-\t-\t-\n'
try 'the same with SSE2' 'trace-filter --tune simd=sse2 x' '0.5\t1\tx\t-\t-\t-\n0.500000000\t1\tx\t-\t-\t-' \
	'trace-filter: <stdin>:3: field 1 (time): ".600000000": the value is empty\ntrace-filter: <stdin>: 1 record skipped' 2 '0.5\t1\tx\t-\t-\t-\n0.500000000\t1\tx\t-\t-\t-\n.600000000\t1\tx\t-\t-\t-\n'
try 'the same with plain C' 'trace-filter --tune simd=plain x' '0.5\t1\tx\t-\t-\t-\n0.500000000\t1\tx\t-\t-\t-' \
	'trace-filter: <stdin>:3: field 1 (time): ".600000000": the value is empty\ntrace-filter: <stdin>: 1 record skipped' 2 '0.5\t1\tx\t-\t-\t-\n0.500000000\t1\tx\t-\t-\t-\n.600000000\t1\tx\t-\t-\t-\n'
try 'the same the slow way' 'trace-filter --tune simd=slow x' '0.5\t1\tx\t-\t-\t-\n0.500000000\t1\tx\t-\t-\t-' \
	'trace-filter: <stdin>:3: field 1 (time): ".600000000": the value is empty\ntrace-filter: <stdin>: 1 record skipped' 2 '0.5\t1\tx\t-\t-\t-\n0.500000000\t1\tx\t-\t-\t-\n.600000000\t1\tx\t-\t-\t-\n'
try 'a header behind events that had none begins a stream of its own' "trace-filter -t 'event?'" \
	'5\t-\tx\t-\t-\t-\n##spoor\t1\n##format\t-\n##clock\ts\torigin=0.000000000\n#time\tloc\tevent\taddr\tsize\tdur\targs\n1.500000000\t-\ty\t-\t-\t-\n##end\tevents=1' '' 0 '5\t-\tx\t-\t-\t-\n##spoor\t1\n##clock\ts\torigin=0.0\n1.5\t-\ty\t-\t-\t-\n##end\n'
spc-cat -H WebSearch2.spc > whole.txt
try 'a stream that is cut off before another begins is told' "{ head -9 whole.txt; cat whole.txt; } | trace-filter -c 'event?'" '13' \
	'trace-filter: <stdin>: the stream was cut off: it has a header, but no ##end before line 10' 2
try 'two whole ones are not' "cat whole.txt whole.txt | trace-filter -c 'event?'" '20'
try 'a header without its end was cut off' "head -9 whole.txt | trace-filter -c 'event?'" '3' 'trace-filter: <stdin>: the stream was cut off: it has a header, but no ##end' 2
spc-cat -H WebSearch2.spc Financial1.spc > two.txt
try "a sorted stream: the header's lines may stand anywhere" "sort two.txt | trace-filter -c 'event?'" '171'
try 'a stream that is sorted backwards' "sort -r two.txt | trace-filter -c 'event?'" '171'
try 'a stream of one, sorted backwards' "sort -r whole.txt | trace-filter -c 'event?'" '10'
printf '##spoor\t1\n##format\ta\\x0ab\n##loc\tc\\x09d/e\n##meta\tk\\x0a=v\\x0a\n0.5\t-\ty\t-\t-\t-\n##end\n' > forged
try 'names in a header cannot forge lines' "trace-filter -t 'event?' forged" \
	'##spoor\t1\n##format\ta\\x0ab\n##clock\ts\torigin=0.000000000\n##loc\tc\\x09d/e\n##meta\tk\\x0a=v\\x0a\n#time\tloc\tevent\taddr\tsize\tdur\targs\n0.500000000\t-\ty\t-\t-\t-\n##end\tevents=1'
try 'nor do they through the binary stream' "trace-filter -t 'event?' forged > f; trace-filter -b 'event?' forged | trace-filter -tH 'event?' | cmp - f"
spc-cat -b example.spc > lost.b 2>/dev/null; spc-cat -H example.spc > lost.txt 2>/dev/null
try 'what the producer lost is told' "trace-filter -c 'event?' lost.b" '10' \
	'trace-filter: lost.b: the producer of this stream had trouble (1 event lost): "example.spc:9: field 5 (timestamp): ?x222 4"...' 2
try 'what the producer of a text stream lost is told' 'trace-filter -c W lost.txt' '8' \
	'trace-filter: lost.txt: the producer of this stream had trouble (1 event lost): "example.spc:9: field 5 (timestamp): ?x222 4"...' 2
try 'what ##error says: what the producer lost and why' 'tail -1 lost.txt' \
	'##error\tevents=10\tlost=1\treason=example.spc:9:\\x20field\\x205\\x20(timestamp):\\x20"2\\x20448003":\\x20a\\x20blank\\x20may\\x20only\\x20stand\\x20before\\x20a\\x20field'
printf '##spoor\t1\n##clock\ts\torigin=100.000000000\n##loc\trank\n1.000000000\t0\tR\t-\t-\t-\n##end\tevents=1\n' > a.txt
printf '1.000000000\t0\tR\t1\t2\t-\n' > b.txt
try 'a text stream without header behind one with: the names are not its names' "trace-filter -c 'rank = 0' a.txt b.txt" '1'
try 'the same through the text stream' "trace-filter 'event?' a.txt b.txt | trace-filter -c 'rank = 0'" '1'
try 'nor is the origin its origin' "trace-filter 'event?' a.txt b.txt | trace-filter -A -F time 'addr = 1'" '1.000000000'
try 'the same through the binary stream' "trace-filter -b 'event?' a.txt b.txt | trace-filter -c 'rank = 0'" '1'
try 'nor is the origin, through the binary stream' "trace-filter -b 'event?' a.txt b.txt | trace-filter -A -F time 'addr = 1'" '1.000000000'
try 'two without header stay without' "trace-filter 'event?' b.txt b.txt" '1.000000000\t0\tR\t1\t2\t-\n1.000000000\t0\tR\t1\t2\t-'
{ printf '1.0\ta\tR\t1\t2\t-\n1.000000000\ta\tR\t1\t2\t-\n1.000000000\ta\0\tR\t1\t2\t-\n'; l='1.000000000\t0123456789abcdef\tR\t1\t2\t-\n'; printf "%b" "$l$l"; } > nul.txt
try 'a name with a NUL at its end is not the name without' "trace-filter -c 'loc = a' nul.txt" '2'
try 'the same with SSE2' "trace-filter --tune simd=sse2 -c 'loc = a' nul.txt" '2'
try 'the same with plain C' "trace-filter --tune simd=plain -c 'loc = a' nul.txt" '2'
try 'the same the slow way' "trace-filter --tune simd=slow -c 'loc = a' nul.txt" '2'
try 'a name of 16 bytes' "trace-filter -c 'loc = 0123456789abcdef' nul.txt" '2'
try 'a name of 16 bytes, with SSE2' "trace-filter --tune simd=sse2 -c 'loc = 0123456789abcdef' nul.txt" '2'
try 'a name of 16 bytes, with plain C' "trace-filter --tune simd=plain -c 'loc = 0123456789abcdef' nul.txt" '2'
try 'a name of 16 bytes, the slow way' "trace-filter --tune simd=slow -c 'loc = 0123456789abcdef' nul.txt" '2'
try "a NUL in an argument's name is an error, another control byte is escaped" "trace-filter -tA 'event?'" '2.000000000\tl\te\t-\t-\t-\tc\\x01=2' \
	'trace-filter: <stdin>:1: argument 1: "a?x00b=1": a name has a NUL byte\ntrace-filter: <stdin>: 1 record skipped' 2 '1.000000000\tl\te\t-\t-\t-\ta\0000b=1\n2.000000000\tl\te\t-\t-\t-\tc\0001=2\n'
try 'so it is through the binary stream' "trace-filter -b 'event?' 2>/dev/null | trace-filter -t 'event?' 2>/dev/null" '2.000000000\tl\te\t-\t-\t-\tc\\x01=2' '' 2 \
	'1.000000000\tl\te\t-\t-\t-\ta\0000b=1\n2.000000000\tl\te\t-\t-\t-\tc\0001=2\n'
try 'a broken first line does not decide the clock, in part 1 of 3' \
	"{ printf '0\\tW\\t20941264\\t8192\\t-\\tx1=A\\n'; seq 20 | sed 's/\$/.000000000\\t0\\tW\\t5\\t6\\t-/'; } > c.txt; trace-filter -c --chunk 1/3 'time >= 1s' c.txt" '7' 'trace-filter: c.txt:1: field 6 (dur): "x1=A": not a whole number\ntrace-filter: c.txt: 1 record skipped' 2
try 'nor in part 2' "trace-filter -c --chunk 2/3 'time >= 1s' c.txt" '7'
try 'nor in part 3' "trace-filter -c --chunk 3/3 'time >= 1s' c.txt" '6'
try 'nor in the whole' "trace-filter -c 'time >= 1s' c.txt" '20' 'trace-filter: c.txt:1: field 6 (dur): "x1=A": not a whole number\ntrace-filter: c.txt: 1 record skipped' 2

# Broken lines: line, field, reason; the rest goes on.
try 'a time that is none' "trace-filter -f text -b 'event?' > x.b" '' 'trace-filter: <stdin>:1: field 1 (time): "x": not a whole number\ntrace-filter: <stdin>: 1 record skipped' \
	2 'x\ta\te\t1\t2\t-\n'
try 'an empty loc' "trace-filter -f text -b 'event?' > x.b" '' 'trace-filter: <stdin>:1: field 2 (loc): "": the value is empty\ntrace-filter: <stdin>: 1 record skipped' 2 \
	'1.0\t\te\t1\t2\t-\n'
try 'four columns' "trace-filter -f text -b 'event?' > x.b" '' \
	'trace-filter: <stdin>:1: 4 of the six columns are there: "1.0?x09a?x09e?x091"\ntrace-filter: <stdin>: 1 record skipped' 2 '1.0\ta\te\t1\n'
try 'an address that is no hexadecimal number' "trace-filter -f text -b 'event?' > x.b" '' \
	'trace-filter: <stdin>:1: field 4 (addr): "0xg": not a hexadecimal number\ntrace-filter: <stdin>: 1 record skipped' 2 '1.0\ta\te\t0xg\t2\t-\n'
try 'a size below 0' "trace-filter -f text -b 'event?' > x.b" '' 'trace-filter: <stdin>:1: field 5 (size): "-2": not a whole number\ntrace-filter: <stdin>: 1 record skipped' 2 \
	'1.0\ta\te\t1\t-2\t-\n'
try 'a duration of ten decimals' "trace-filter -f text -b 'event?' > x.b" '' \
	'trace-filter: <stdin>:1: field 6 (dur): "1.1234567890": more than nine decimals\ntrace-filter: <stdin>: 1 record skipped' 2 '1.0\ta\te\t1\t2\t1.1234567890\n'
try 'no event' "trace-filter -f text -b 'event?' > x.b" '' 'trace-filter: <stdin>:1: field 3 (event): "-": an event must have a name\ntrace-filter: <stdin>: 1 record skipped' 2 \
	'1.0\ta\t-\t1\t2\t-\n'
try 'an argument without a value' "trace-filter -f text -b 'event?' > x.b" '' \
	'trace-filter: <stdin>:1: argument 1: "novalue": name=value is expected\ntrace-filter: <stdin>: 1 record skipped' 2 '1.0\ta\te\t1\t2\t3\tnovalue\n'
try 'lines beside a broken one' "trace-filter -b 'event?' > x.b; trace-filter -t 'event?' x.b" '1.000000000\ta\te\t1\t2\t-\n1.000000000\ta\te\t1\t2\t3.000000000\tv=1' \
	'trace-filter: <stdin>:2: field 1 (time): "x": not a whole number\ntrace-filter: <stdin>: 1 record skipped\ntrace-filter: x.b: the producer of this stream had trouble (1 event lost): "<stdin>:2: field 1 (time): ?x22x?x22: not a"...' 2 '1.0\ta\te\t1\t2\t-\nx\ta\te\t1\t2\t-\n1.0\ta\te\t1\t2\t3\tv=1\n'

# Texts of every kind survive.
printf '%s\n' '1.000000000	a/b\x20c/0	e\x5cv	-	-	-	s=""	t=\x2d	u=\x22"	v=	w=1,2,3	x=0x00ff	y=-5	z=007' '-0.500000000	-	é	0xffffffffffffffff	18446744073709551615	0.000000001	a=18446744073709551616	b=-0	c=1.5	d==	e=a=b' '9223372036.854775807	x	y	0	0	-1.000000000	long_argument_name_that_is_more_than_thirty_two_bytes=1' '0.000000000	this-location-is-longer-than-the-32-bytes-of-a-slot/and/has/parts	this_event_has_a_name_longer_than_any_slot	-	-	-' > texts
try 'escapes, empties, dashes, arrays, numbers, UTF-8' "trace-filter 'event?' texts | cmp - texts"
try 'the same through the binary stream' "trace-filter -b 'event?' texts | trace-filter -t 'event?' | cmp - texts"
try 'the bits of an array' "trace-filter -c 'w & 2' texts" '1'
try 'an empty argument' "trace-filter -c 's = \"\"' texts" '1'
try 'a part of loc with a blank' "trace-filter -c 'loc2 = \"b c\"' texts" '1'
try 'an event with a backslash' "trace-filter -c 'event = \"e\\\\v\"' texts" '1'
try 'numbers however they are written' "trace-filter -c 'y = -5 and z = 7 and x = 255' texts" '1'
try 'a dash that is a text, in binary' "trace-filter -b 'event?' texts | trace-filter -c 't = \"-\" and y < 0'" '1'

# Clocks.
try '-A adds the origin' "trace-filter -A e | grep -v '^#'" '101.500000000\ta\te\t-\t-\t-' '' 0 \
	'##spoor\t1\n##clock\ts\torigin=100.500000000\n1.000000000\ta\te\t-\t-\t-\n##end\tevents=1\n'
try 'a stream without a clock of seconds has ticks' 'trace-filter -b e | trace-filter -t e' '5\ta\te\t-\t-\t7\n6\tb\te\t-\t-\t-' '' 0 '5\ta\te\t-\t-\t7\n6\tb\te\t-\t-\t-\n'
try '--hz makes seconds of ticks' 'trace-filter --hz 2 e' '0.000000000\ta\te\t-\t-\t3.500000000\n0.500000000\tb\te\t-\t-\t-' '' 0 '5\ta\te\t-\t-\t7\n6\tb\te\t-\t-\t-\n'
printf '##spoor\t1\n##clock\ts\torigin=100.500000000\n1.000000000\ta\te\t-\t-\t0.5\n-0.500000000\ta\tf\t-\t-\t-\n##end\tevents=2\n' > o.txt
trace-filter -b 'event?' o.txt > o.bin
try '-A: absolute times, and the origin 0' "trace-filter -A 'event?' o.txt" \
	'##spoor\t1\n##format\t-\n##clock\ts\torigin=0.000000000\n#time\tloc\tevent\taddr\tsize\tdur\targs\n101.500000000\ta\te\t-\t-\t0.500000000\n100.000000000\ta\tf\t-\t-\t-\n##end\tevents=2'
try '-A -b' "trace-filter -b -A 'event?' o.txt | trace-filter -tH 'event?'" \
	'##spoor\t1\n##format\t-\n##clock\ts\torigin=0.000000000\n#time\tloc\tevent\taddr\tsize\tdur\targs\n101.500000000\ta\te\t-\t-\t0.500000000\n100.000000000\ta\tf\t-\t-\t-\n##end\tevents=2'
try '-A of a binary stream' "trace-filter -A 'event?' o.bin | trace-filter -tH 'event?'" \
	'##spoor\t1\n##format\t-\n##clock\ts\torigin=0.000000000\n#time\tloc\tevent\taddr\tsize\tdur\targs\n101.500000000\ta\te\t-\t-\t0.500000000\n100.000000000\ta\tf\t-\t-\t-\n##end\tevents=2'
try 'times in an expression count from the origin all the same' "trace-filter -A -c 'time < 2s' o.bin" '2'
printf '0,1,512,R,0.25\n0,2,512,W,0.75\n' > s.spc; printf 's 10 5\ns 20 6\nc\n' > t.kern
spc-cat -b s.spc > s.b; trace-filter -b 'event?' t.kern > t.b
try "-t over files of different clocks: every file's events, and who cannot be asked is told" "trace-filter -t 'time < 0.5s' s.b t.b s.b" \
	'0.250000000\t0\tR\t1\t512\t-\n0.250000000\t0\tR\t1\t512\t-' 'trace-filter: t.b: the clock counts ticks of unknown length, but 0.5s is a time: give --hz N' 2
try 'the clock of ticks first' "trace-filter -t 'time in {0..0.5s}' t.b s.spc" '0.250000000\t0\tR\t1\t512\t-' \
	'trace-filter: t.b: the clock counts ticks of unknown length, but 0.5s is a time: give --hz N' 2
try 'its opposite is not true of ticks either' "trace-filter -v -t 'time < 0.5s' s.b t.kern" '0.750000000\t0\tW\t2\t512\t-' \
	'trace-filter: t.kern: the clock counts ticks of unknown length, but 0.5s is a time: give --hz N' 2
try 'as one input' "cat s.b t.b s.b | trace-filter -c 'time < 0.5s'" '2' \
	'trace-filter: <stdin>: the clock counts ticks of unknown length, but 0.5s is a time: give --hz N' 2
try 'as statistics' "trace-stats -e 'time < 0.5s' -a count s.b t.b" '#count\n1' \
	'trace-stats: t.b: the clock counts ticks of unknown length, but 0.5s is a time: give --hz N' 2
try 'where no unit is said there is nothing to tell' "trace-filter -c 'time < 20' s.b t.b" '3'

# ##error names the input and the first thing that was wrong with it, 80 bytes of it.
printf 's 10 5\n' > cut.kern; printf 's 10 5\ns zz 5\n' > two.kern
try 'what ##error says: a trace that was cut off' "trace-filter -tH 'event?' cut.kern" \
	'##spoor\t1\n##format\tlaplace-text\n##clock\tticks\n##loc\tpid\n#time\tloc\tevent\taddr\tsize\tdur\targs\n16\t5\tschedule\t-\t-\t-\n##error\tevents=1\tlost=0\treason=cut.kern:\\x20the\\x20kernel\\x20trace\\x20was\\x20cut\\x20off:\\x20it\\x20does\\x20not\\x20end\\x20with\\x20a\\x20line\\x20c' 'trace-filter: cut.kern: the kernel trace was cut off: it does not end with a line c' 2
try 'what ##error says: what comes first stays' "trace-filter -tH 'event?' two.kern" \
	'##spoor\t1\n##format\tlaplace-text\n##clock\tticks\n##loc\tpid\n#time\tloc\tevent\taddr\tsize\tdur\targs\n16\t5\tschedule\t-\t-\t-\n##error\tevents=1\tlost=1\treason=two.kern:2:\\x20field\\x202\\x20(timestamp):\\x20"zz":\\x20not\\x20a\\x20hexadecimal\\x20number' 'trace-filter: two.kern:2: field 2 (timestamp): "zz": not a hexadecimal number\ntrace-filter: two.kern: the kernel trace was cut off: it does not end with a line c\ntrace-filter: two.kern: 1 record skipped' 2
spc-cat -b < /dev/null > e.b; { head -c $(($(wc -c < e.b) - 16)) e.b; printf '\377\377\377\377\377\377\377\377\377\377\377\377\377\377\377\377'; } > odd.b
try 'what ##error says: a long reason is cut' "trace-filter -tH 'event?' odd.b" \
	'##spoor\t1\n##format\tspc\n##clock\ts\torigin=0.000000000\n##loc\tasu\n##meta\tblock=512\n#time\tloc\tevent\taddr\tsize\tdur\targs\n##error\tevents=0\tlost=0\treason=odd.b:\\x20the\\x20END\\x20block\\x20counts\\x2018446744073709551615\\x20blocks\\x20and\\x2018446744073709551615\\x20events' 'trace-filter: odd.b: the END block counts 18446744073709551615 blocks and 18446744073709551615 events, here were 1 and 0' 2
try 'what ##end says: an input that is well has none' "trace-filter -tH 'event?'" \
	'##spoor\t1\n##format\tlaplace-text\n##clock\tticks\n##loc\tpid\n#time\tloc\tevent\taddr\tsize\tdur\targs\n16\t5\tschedule\t-\t-\t-\n16\t-\tend\t-\t-\t-\n##end\tevents=2' '' 0 's 10 5\nc\n'

# --head 0 writes a stream without events, in any form.
try '--head 0 -b of a native format' 'trace-filter -b --head 0 W Financial1.spc > empty.bin' '' '' 1
try 'is a binary stream of it' 'trace-filter -f binary -H -t W empty.bin' \
	'##spoor\t1\n##format\tspc\n##clock\ts\torigin=0.000000000\n##loc\tasu\n##meta\tblock=512\n##meta\tspc.case=lower\n#time\tloc\tevent\taddr\tsize\tdur\targs\n##end\tevents=0' '' 1
try '--head 0 -b of a binary stream' 'spc-cat -b Financial1.spc | trace-filter -b --head 0 W > empty.bin' '' '' 1
try 'is one, too' 'trace-filter -f binary -H -t W empty.bin' \
	'##spoor\t1\n##format\tspc\n##clock\ts\torigin=0.000000000\n##loc\tasu\n##meta\tblock=512\n##meta\tspc.case=lower\n#time\tloc\tevent\taddr\tsize\tdur\targs\n##end\tevents=0' '' 1
try '--head 0 -H' 'trace-filter --head 0 -H W Financial1.spc' \
	'##spoor\t1\n##format\tspc\n##clock\ts\torigin=0.000000000\n##loc\tasu\n##meta\tblock=512\n##meta\tspc.case=lower\n#time\tloc\tevent\taddr\tsize\tdur\targs\n##end\tevents=0' '' 1
try '--head 0 -c' 'trace-filter --head 0 -c W Financial1.spc' '0' '' 1
try 'seconds behind a first time without a point: what to write' "trace-filter 'event?'" '' '*: field 6 (dur): "0.000008982": times of this stream are ticks if the first has no decimal point: write 1.0\n*: 1 record skipped' 2 '1\t0\tR\t-\t-\t0.000008982\n'
try 'the same of a later time' "trace-filter 'event?'" '1\t0\tR\t-\t-\t-' '*:2: field 1 (time): "2.5": times of this stream are ticks *\n*:3: field 1 (time): "2.x": not a whole number\n*: 2 records skipped' 2 '1\t0\tR\t-\t-\t-\n2.5\t0\tR\t-\t-\t-\n2.x\t0\tR\t-\t-\t-\n'
