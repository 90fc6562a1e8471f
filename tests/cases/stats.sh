# shellcheck shell=sh disable=SC2016  # $FIX is the driver's
# stats.sh - trace-stats: aggregates, groups, windows, and what is refused.
printf '0.000000000\t0\tE\t-\t%s\t-\n' 18446744073709551615 9223372036854775808 9223372036854775807 0 1 > s
try 'values at the ends of 64 bits' "trace-stats -a 'count,sum(size),min(size),max(size),p50(size),p100(size),mean(size)' s" \
	'#count\tsum(size)\tmin(size)\tmax(size)\tp50(size)\tp100(size)\tmean(size)\n5\t36893488147419103231\t0\t18446744073709551615\t9223372036854775807\t18446744073709551615\t7378697629483820646.2'
printf '0.000000000\t0\tE\t-\t-\t-\tv=%s\n' -9223372036854775808 9223372036854775807 -1 > s
try 'values at both ends of 64 bits with a sign' "trace-stats -a 'sum(v),min(v),max(v),p50(v),mean(v)' s" \
	'#sum(v)\tmin(v)\tmax(v)\tp50(v)\tmean(v)\n-2\t-9223372036854775808\t9223372036854775807\t-1\t-0.666667'
printf '0.000000000\t0\tE\t-\t%s\t-\n' 18446744073709551613 18446744073709551614 18446744073709551615 > s
try 'the variance of huge values that differ by little is exact' "trace-stats -a 'var(size),sd(size)' s" '#var(size)\tsd(size)\n1\t1'
try 'one value has no variance' "trace-stats -a 'var(size),sd(size),mean(size)'" '#var(size)\tsd(size)\tmean(size)\n-\t-\t5' '' 0 '0.000000000\t0\tE\t-\t5\t-\n'
printf '%s\t0\tE\t-\t-\t%s\n' 1.000000000 0.500000000 1.000000001 0.250000000 3.5 0.000000001 > s
try 'times: sums, means and gaps in seconds with nine decimals' "trace-stats -a 'sum(dur),mean(dur),max(end),count(gap),sum(gap),min(gap),max(gap)' s" \
	'#sum(dur)\tmean(dur)\tmax(end)\tcount(gap)\tsum(gap)\tmin(gap)\tmax(gap)\n0.750000001\t0.250000000\t3.500000001\t2\t2.500000000\t0.000000001\t2.499999999'
printf '%s\t%s\tE\t-\t-\t-\n' 1.0 a 2.0 b 4.0 a 3.0 a 9.0 b > s
try 'gap is of the group, in input order, and negative where time goes back' "trace-stats -g loc -a 'count,sum(gap),min(gap),max(gap),first(gap),last(gap)' s" \
	'#loc\tcount\tsum(gap)\tmin(gap)\tmax(gap)\tfirst(gap)\tlast(gap)\na\t3\t2.000000000\t-1.000000000\t3.000000000\t3.000000000\t-1.000000000\nb\t2\t7.000000000\t7.000000000\t7.000000000\t7.000000000\t7.000000000'
printf '%s\ta\t%s\t-\t-\t-\n' 13000000000000000000 X 1000 Y 18000000000000000000 X > ticks
try 'ticks are without a sign: beyond 2^63 as below' "trace-stats -a 'sum(gap),min(gap),max(gap),min(time),max(time)' ticks" \
	'#sum(gap)\tmin(gap)\tmax(gap)\tmin(time)\tmax(time)\n5000000000000000000\t-12999999999999999000\t17999999999999999000\t1000\t18000000000000000000'
try 'the span in ticks' 'trace-stats --tsv ticks | grep ticks' 'trace\tticks\tvalue\t17999999999999999000'
try 'windows of ticks beyond 2^63' 'trace-stats --no-empty -w 4/2 -a count ticks' \
	'#window\tcount\n998\t1\n1000\t1\n12999999999999999998\t1\n13000000000000000000\t1\n17999999999999999998\t1\n18000000000000000000\t1'
try 'windows are below 9223372036 seconds' 'trace-stats -w 9223372036s s; trace-stats -w 9223372036.5 s' '' 'trace-stats: -w 9223372036s: a duration is expected: 1s, 100ms\ntrace-stats: -w 9223372036.5: *' 2
try 'a window of 9223372035 seconds' 'trace-stats -w 9223372035.999999999s -a count' '#window\tcount\n0.000000000\t1' '' 0 '1.0\ta\tR\t-\t-\t-\n'
try 'windows of one tick are numbered with a sign' 'trace-stats -w 1 -a count ticks' '' \
	'trace-stats: a time of 13000000000000000000 ticks is too large for windows of one tick: use -w 2 or more' 2
try 'parts of ticks beyond 2^63' 'trace-stats --tsv ticks > want; for k in 1 2 3; do trace-stats -p --chunk $k/3 ticks; done | sort | trace-stats -m --tsv - | cmp - want'
printf '0.0\t0\tE\t-\t-\t-\tv=%s\n' -1 -10 -11 0 9 10 > s
try 'intervals below 0' "trace-stats -a 'hist(v,10)' s" '#hist(v,10)\n-20:1,-10:2,0:2,10:1'
try 'numbers with an exponent keep their fraction' "trace-stats -a 'sum(x),max(x),distinct(x)'" '#sum(x)\tmax(x)\tdistinct(x)\n1001.500030000\t1000\t4' '' 0 \
	'0.0\t-\ta\t-\t-\t-\tx=1e-05\n1.0\t-\ta\t-\t-\t-\tx=2e-05\n2.0\t-\ta\t-\t-\t-\tx=15e-1\n3.0\t-\ta\t-\t-\t-\tx=1e3\n'
try 'the bound of top is said of values without a counter' \
	"{ yes A | head -9; yes B | head -8; seq 300; } | sed 's/.*/1.0\\t-\\ta\\t-\\t-\\t-\\tx=&/' | trace-stats -a 'mode(x),top(x,1)'" '#mode(x)\ttop(x,1)\nA\tA:9' 'trace-stats: mode(x), top(x,1): a count written A-B is too high by at most B; values without a counter have at most 1'
printf '0.0\t0\tE\t-\t-\t-\tx=%s\n' 5 -3 0x10 1.5 abc '""' 1,2 > s
try 'numbers and texts of one name' "trace-stats -a 'count(x),sum(x),min(x),max(x),distinct(x),top(x,2)' s" \
	'#count(x)\tsum(x)\tmin(x)\tmax(x)\tdistinct(x)\ttop(x,2)\n7\t19.500000000\t-3\t16\t7\t5:1,-3:1' 'trace-stats: sum(x), min(x), max(x): 3 values are no numbers and were not counted'
try 'top of 256 values is exact, of 257 it is not' "seq 256 | sed 's/.*/1.0\ta\ta\t-\t-\t-\tx=&/' | trace-stats -a 'top(x,2)'; seq 257 | sed 's/.*/1.0\ta\ta\t-\t-\t-\tx=&/' | trace-stats -a 'top(x,1)'" '#top(x,2)\n1:1,2:1\n#top(x,1)\n257:2-1' 'trace-stats: top(x,1): a count written A-B is too high by at most B; values without a counter have at most 1'
try 'a field in quotes is that field, one in parentheses is computed' "trace-stats -a 'top(x),top(\"x\"),top((x)),mode(addr),mode((addr))'" '#top(x)\ttop("x")\ttop((x))\tmode(addr)\tmode((addr))\n0x1f:2\t0x1f:2\t31:2\t0x10\t16' '' 0 '1.0\ta\tR\t0x10\t1\t-\tx=0x1f\n2.0\ta\tR\t0x10\t1\t-\tx=0x1f\n'
try 'a deviation of times has nine decimals, of numbers six' "trace-stats -a 'sd(dur),sd(size),sd(gap)'" '#sd(dur)\tsd(size)\tsd(gap)\n0.152752523\t2.309401\t0.707106781' '' 0 '0.0\ta\tR\t-\t5\t0.1\n1.0\ta\tR\t-\t5\t0.2\n3.0\ta\tR\t-\t9\t0.4\n'
try 'the same of the binary stream' "trace-filter -b 'event?' s | trace-stats -a 'count(x),sum(x),min(x),max(x),distinct(x),top(x,2)'" \
	'#count(x)\tsum(x)\tmin(x)\tmax(x)\tdistinct(x)\ttop(x,2)\n7\t19.500000000\t-3\t16\t7\t5:1,-3:1' 'trace-stats: sum(x), min(x), max(x): 3 values are no numbers and were not counted'
printf '0.0\t0\tE\t-\t-\t-\tx=%s\n' 2 2.0 0x2 02 2e0 2 > written
printf '#distinct(x)\ttop(x)\tmode(x)\tfirst(x)\tdistinct(x+0)\n5\t2:2,02:1,2.0:1,2e0:1,0x2:1\t2\t2\t1\n' > as-written
try 'values are told apart as they are written; x + 0 counts by value' "trace-stats -a 'distinct(x),top(x),mode(x),first(x),distinct(x + 0)' written | diff as-written -" ''
try 'the same in binary, and of partials' "trace-filter -b 'event?' written | trace-stats -p -a 'distinct(x),top(x),mode(x),first(x),distinct(x + 0)' | trace-stats -m | diff as-written -" ''
try 'keys, too' "trace-stats -g x -a count --no-header written | wc -l" '5'
try 'distinct beyond what is exact' "awk 'BEGIN { for (i = 0; i < 1000; i++) for (k = 0; k < 2; k++) printf k ? \"0\\tl\\tE\\t-\\t-\\t-\\tx=%d\\n\" : \"0\\tl\\tE\\t-\\t-\\t-\\tx=0x%x\\n\", i }' | trace-stats --no-header -a 'd = distinct(x), v = distinct(x + 0)' 2> /dev/null | awk '{ print (\$1 > 1900 && \$1 < 2100), (\$2 > 950 && \$2 < 1050) }'" '1 1'
try 'p0 is the least value and p100 the greatest' "printf '0.0\\t0\\tE\\t-\\t-\\t-\\tx=%s\\n' -3 -9 4 | trace-stats -a 'p0(x),p100(x),p0.0(x)'" \
	'#p0(x)\tp100(x)\tp0.0(x)\n-9\t4\t-9'
printf '0.0\t0\tE\t-\t%s\t-\n' 5 1 9 4 > s
try 'names before one pair of parentheses share the field, except those that need none' "trace-stats -a 'count,p0,p50,p100(size),rate,min,count(size),sum,mean(size),hist(size,2)' s" \
	'#count\tp0(size)\tp50(size)\tp100(size)\trate\tmin(size)\tcount(size)\tsum(size)\tmean(size)\thist(size,2)\n4\t1\t4\t9\t-\t1\t4\t19\t4.75\t0:1,4:2,8:1'
try 'they merge as they were asked' "trace-stats -p -a 'p50,p90(size)' s | trace-stats -m" '#p50(size)\tp90(size)\n4\t9'
try 'they share what is computed' "trace-stats -a 'min, max(size // 2 - 1),count' s" '#min(size//2-1)\tmax(size//2-1)\tcount\n-1\t3\t4'
try 'a column that is computed shares nothing' "trace-stats -a 'p50,sum(size) / count' s" '' 'trace-stats: p50 is a field of single events;*\n*\n*' 2
try 'nor one with a name' "trace-stats -a 'p50,b = p90(size)' s" '' 'trace-stats: p50 is a field of single events;*\n*\n*' 2
try 'one between them that needs none ends the list' "trace-stats -a 'p50,count,p90(size)' s" '' 'trace-stats: -a p50: a field is missing: p50(FIELD)' 2
try 'none follows' "trace-stats -a 'count,p50' s" '' 'trace-stats: -a p50: a field is missing: p50(FIELD)' 2
try 'what one of them cannot take' "trace-stats -a 'sum,top(size,1)' s" '' 'trace-stats: -a sum(size,1): the aggregate takes one field' 2
try 'keys in order: numbers by value, then texts' "printf '0.0\\t%s\\tE\\t-\\t-\\t-\\n' n10 10 9 n9 - 1.5 | trace-stats -g loc" \
	'#loc\tcount\n1.5\t1\n9\t1\n10\t1\nn9\t1\nn10\t1\n-\t1'
try "memory's addresses are hexadecimal in mode, sizes beside them decimal" "trace-stats -e w -a 'mode(size),mode(addr)' refs.bin" '#mode(size)\tmode(addr)\n4\t0xfee97888'
try 'a hist in kibibytes' "trace-stats -a 'hist(size,1k)' Financial1.spc" '#hist(size,1k)\n0:19,1024:17,2048:2,3072:118,8192:1,12288:4'
try 'a hist in units of KB' "trace-stats -a 'hist(size,4KB)' Financial1.spc" '#hist(size,4KB)\n0:156,8000:1,12000:4'

printf '%s.0\t0\tR\t%s\t%s\t-\n' 1 0 4096 2 4096 4096 3 4096 1 4 - 5 5 9000 - > s
bytes='*: the stream has no header: assuming that addr counts bytes; write it with -H to record the unit'
try 'blocks or bytes: a header tells' 'spc-cat -H Financial1.spc | trace-stats -a footprint' '#footprint\n111'
try 'blocks or bytes: nobody tells' 'spc-cat Financial1.spc | trace-stats -a footprint' '#footprint\n40' "$bytes"
try 'events without addr or size are no requests, and do not come between two' "trace-stats -a 'count,footprint,sequential,unaligned,footprint(4K),footprint( addr, size, 1 ),unaligned(1)' s" \
	'#count\tfootprint\tsequential\tunaligned\tfootprint(4K)\tfootprint(addr,size,1)\tunaligned(1)\n5\t2\t0.5\t0.333333\t2\t8192\t0' "$bytes"
try 'a request is unaligned if its begin or its end is' "trace-stats -a 'unaligned(1000)'" '#unaligned(1000)\n0.75' "$bytes" 0 '1.0\ta\tR\t0\t500\t-\n1.0\ta\tR\t500\t500\t-\n1.0\ta\tR\t1\t1000\t-\n1.0\ta\tR\t0\t1000\t-\n'
printf '%s.0\t0\tR\t%s\t%s\t-\n' 1 64 1048576 2 64 1048577 3 0 18446744073709551615 > long
try 'a footprint says which requests have more units than it counts' "trace-stats -a 'footprint(1)' long | sed 's/^[0-9]*$/N/'" \
	'#footprint(1)\nN' "$bytes\ntrace-stats: footprint(1): estimated where above 1024 runs of 64 units, standard error about 3 %\ntrace-stats: footprint: counted only the first 1048576 units of long requests; there were 2"
try 'the same of partials' "trace-stats -a 'footprint(512),footprint(1)' long 2>&- > want; for k in 1 2 3; do trace-stats -p -a 'footprint(512),footprint(1)' --chunk \$k/3 long; done 2>&- | trace-stats -m 2>&- | cmp - want"
try "no such request: footprint(" "trace-stats -a 'footprint(' s" '' "trace-stats: -a footprint(: *" 2
try "no such request: footprint(x)" "trace-stats -a 'footprint(x)' s" '' "trace-stats: -a footprint(x): *" 2
try "no such request: footprint(size,addr)" "trace-stats -a 'footprint(size,addr)' s" '' "trace-stats: -a footprint(size,addr): *" 2
try "no such request: footprint(addr,4K)" "trace-stats -a 'footprint(addr,4K)' s" '' "trace-stats: -a footprint(addr,4K): *" 2
try "no such request: footprint(1s)" "trace-stats -a 'footprint(1s)' s" '' "trace-stats: -a footprint(1s): *" 2
try "no such request: footprint(0)" "trace-stats -a 'footprint(0)' s" '' "trace-stats: -a footprint(0): *" 2
try "no such request: unaligned(1.5)" "trace-stats -a 'unaligned(1.5)' s" '' "trace-stats: -a unaligned(1.5): *" 2
try "no such request: unaligned(-1)" "trace-stats -a 'unaligned(-1)' s" '' "trace-stats: -a unaligned(-1): *" 2
try "no such request: sequential(addr)" "trace-stats -a 'sequential(addr)' s" '' "trace-stats: -a sequential(addr): *" 2

# Tables in another shape.
printf '0.0\t0\tE\t-\t-\t-\tx=%s\n' -1 -10 -10.5 1.0 1 700 x > s
try 'cdf: fractions and whole numbers of one value are one, texts are none' "trace-stats -a 'count(x),cdf(x)' s" \
	'#count(x)\tcdf(x)\n7\t-10.500000000:0.166667,-10:0.333333,-1:0.5,1:0.833333,700:1' 'trace-stats: cdf(x): 1 value is no number and was not counted'
try '--long: the intervals below 0' "trace-stats --long -a 'hist(x,10)' s" '#low\tcount\n-20.000000000\t1\n-10\t2\n0\t1\n700\t1\n0.000000000\t1' 'trace-stats: hist(x,10): 1 value is no number and was not counted'
try '--long orders by its own columns' "trace-stats --long -a 'cdf(x)' -S -count -S -value --head 2 s" '#value\tcount\tshare\n1\t2\t0.833333\n700\t1\t1' 'trace-stats: cdf(x): 1 value is no number and was not counted'
try '--long without values' "trace-stats --long -a 'cdf(size)' s" '#value\tcount\tshare'
try "--long of count" "trace-stats --long -g loc -a 'count' s" '' "trace-stats: --long needs a table with one hist or cdf and nothing else: -a 'hist(size)'" 2
try "--long of p50(x)" "trace-stats --long -g loc -a 'p50(x)' s" '' "trace-stats: --long needs a table with one hist or cdf and nothing else: -a 'hist(size)'" 2
try "--long of hist(x),cdf(x)" "trace-stats --long -g loc -a 'hist(x),cdf(x)' s" '' "trace-stats: --long needs a table with one hist or cdf and nothing else: -a 'hist(size)'" 2
try "--long of count,hist(x)" "trace-stats --long -g loc -a 'count,hist(x)' s" '' "trace-stats: --long needs a table with one hist or cdf and nothing else: -a 'hist(size)'" 2
try '--long of the report' 'trace-stats --long s' '' 'trace-stats: --long is for tables: add -g, -a or -w*' 2
try '--long of partials of another question' 'trace-stats -p -g loc s | trace-stats -m --long' '' 'trace-stats: --long needs a table with one hist*' 2
try '--long and --wide' "trace-stats --long --wide loc -g loc -a 'hist(x)' s" '' 'trace-stats: --long and --wide*' 2
try '--wide with -p' 'trace-stats -p --wide loc -g loc s' '' 'trace-stats: -p and --wide contradict*' 2
printf '%s\tb\t%s\t-\t-\t-\n' 0.5 W 0.6 R 3.1 W > s
try '--wide: rows of windows without events' 'trace-stats -w 1s -g event --wide event s' '#window\tR\tW\n0.000000000\t1\t1\n1.000000000\t0\t0\n2.000000000\t0\t0\n3.000000000\t0\t1'
try '--wide: the key need not be the last' "trace-stats -g event,loc --wide event -a 'count,rate' s" '#loc\tcount_R\tcount_W\trate_R\trate_W\nb\t1\t2\t0.384615\t0.769231'
try '--wide: a row without other keys' 'trace-stats -g event --wide event -J s' '[\n  {"R": 1, "W": 2}\n]'
try '--wide: an event without the key has a column as well' 'trace-stats -g event,x --wide x --csv' 'event,5,-\nE,1,1' '' 0 '0.0\t0\tE\t-\t-\t-\tx=5\n0.0\t0\tE\t-\t-\t-\n'
try '--wide without events' 'trace-stats -g event,loc --wide event -S -R' '#loc'
try '--wide of a key that is computed, and one with a name' "trace-stats -g 'addr // 200000 , e = event' --wide e Financial1.spc | head -2; trace-stats -g 'addr // 200000 , e = event' --wide 'addr // 200000' -a 'n = count * 2' Financial1.spc" \
	'#addr//200000\tR\tW\n0\t14\t36\n#e\t0\t1\t2\t3\t4\t5\nR\t28\t2\t0\t16\t0\t0\nW\t72\t156\t4\t8\t28\t8'
try '--long with --having' "trace-stats --long -a 'hist(size)' --having 'count > 2' s" '' 'trace-stats: --long and --having contradict each other*' 2
try '--wide of no key' 'trace-stats -g event,loc --wide asu s' '' 'trace-stats: --wide asu: no such key of -g' 2
try '--wide: -S finds its columns' 'trace-stats -g event,loc --wide event -S T s' '' 'trace-stats: -S T: no such column (loc R W)' 2
printf '0.0\t%s\tE\t-\t5\t-\n' $(seq 1001) > s
try '--wide: 1000 columns' 'trace-stats -e "loc != 1001" -g loc --wide loc s | tail -1 | wc -w | tr -d " "' 1000
try '--wide: one more' 'trace-stats -g loc --wide loc s' '' 'trace-stats: --wide loc: 1001 values would make 1001 columns, but the limit is 1000; choose values with -e' 2
try '--wide: more by aggregates' 'trace-stats -e "loc <= 334" -g loc --wide loc -a count,sum,mean\(size\) s' '' 'trace-stats: --wide loc: 334 values would make 1002 columns, but the limit is 1000*' 2

# Windows.
printf '%s\t0\t%s\t-\t%s\t-\n' 0.1 A 1 0.9 B 2 1.0 A 4 4.2 A 8 > s
try 'one row each, empty ones too' "trace-stats -w 1s -a 'count,sum(size),rate' s" \
	'#window\tcount\tsum(size)\trate\n0.000000000\t2\t3\t2\n1.000000000\t1\t4\t1\n2.000000000\t0\t-\t0\n3.000000000\t0\t-\t0\n4.000000000\t1\t8\t1'
try '--no-empty leaves those out' 'trace-stats -w 1s -g event --no-empty s' '#window\tevent\tcount\n0.000000000\tA\t1\n0.000000000\tB\t1\n1.000000000\tA\t1\n4.000000000\tA\t1'
try 'each group has its empty rows' 'trace-stats -w 1s -g event s' \
	'#window\tevent\tcount\n0.000000000\tA\t1\n0.000000000\tB\t1\n1.000000000\tA\t1\n1.000000000\tB\t0\n2.000000000\tA\t0\n2.000000000\tB\t0\n3.000000000\tA\t0\n3.000000000\tB\t0\n4.000000000\tA\t1\n4.000000000\tB\t0'
printf '%s\t0\t%s\t-\t1\t-\n' 0.1 A 9000000000.5 A > s
try 'rows without events end, however far events lie apart' 'trace-stats -w 1s -g event s' \
	'#window\tevent\tcount\n0.000000000\tA\t1\n9000000000.000000000\tA\t1' 'trace-stats: -w: left out rows without events, because there are too many' 2
try 'so do those of windows that slide' 'trace-stats -w 2s/1s s' \
	'#window\tcount\n-1.000000000\t1\n0.000000000\t1\n8999999999.000000000\t1\n9000000000.000000000\t1' 'trace-stats: -w: left out rows without events, because there are too many' 2
try '--no-empty has nothing to say of them' 'trace-stats --no-empty -w 1s s' '#window\tcount\n0.000000000\t1\n9000000000.000000000\t1'
try '--from-first without events' 'trace-stats -w 1s --from-first' '#window\tcount'
printf '%s\t0\tE\t-\t-\t-\n' 0.7 0.9 2.8 > s
try '--from-first: the first window begins with the first event' 'trace-stats -w 1s --from-first s' '#window\tcount\n0.700000000\t2\n1.700000000\t0\n2.700000000\t1'
try '--origin: with a unit, and before it' 'trace-stats -w 2s --origin 2500ms s' '#window\tcount\n0.500000000\t2\n2.500000000\t1'
try '--origin: below 0' 'trace-stats -w 2s --origin -1.5 s' '#window\tcount\n0.500000000\t2\n2.500000000\t1'
try '--origin of a partial of windows that count from elsewhere' '{ trace-stats -p -w 1s --origin 1 s; trace-stats -p -w 1s s; } | trace-stats -m' '' 'trace-stats: <stdin>:*: this partial result answers another question:*' 2
try '--from-first of a pipe among several' 'trace-stats -w 1s --from-first s - < s' '' 'trace-stats: -: --from-first reads several inputs twice: use files, or --origin TIME' 2
try '--from-first of a pipe whose times go back' "printf '%s\\t0\\tE\\t-\\t-\\t-\\n' 0.7 0.6 | trace-stats -w 1s --from-first" '' 'trace-stats: the first event of the pipe is not the earliest: use a file, or --origin TIME' 2
printf '%s.0\t%s\tr\t-\t4\t-\n' 1 a 2 b 3 a 4 b > ab
try '--from-first: -e looks at the event before by the same key' "trace-stats -w 1s --from-first -e 'time - prev.time > 1' ab; trace-stats -w 1s --from-first -k '' -e 'prev.time?' ab | sed 1d" \
	'#window\tcount\n3.000000000\t1\n4.000000000\t1\n2.000000000\t1\n3.000000000\t1\n4.000000000\t1'
try '--from-first of ranks that are read one after another' 'trace-stats -w 100ms --from-first -a "count,min(time)" solver.meta | head -2 | tail -1 | cut -f1,3' '0.000000000\t0.000000000'
try '--from-first of what takes temporary files' 'trace-stats -w 1ms --from-first -O durations -a "sum(dur)" tasks' '#window\tsum(dur)\n0.000000000\t0.001343615'
try '--from-first with -p' 'trace-stats -p -w 1s --from-first s' '' 'trace-stats: -p and --from-first contradict each other*' 2
try '--origin without -w' 'trace-stats -g loc --origin 1 s' '' 'trace-stats: --origin and -A are for windows: add -w*' 2
try '--origin of no time' 'trace-stats -w 1s --origin 1K s' '' 'trace-stats: --origin 1K: a time is expected: 12.5, 100ms' 2
try '--origin of no number' 'trace-stats -w 1s --origin x s' '' 'trace-stats: --origin x: *' 2
try '--origin beyond all times' 'trace-stats -w 1s --origin 9223372036.9 s' '' 'trace-stats: s: --origin is no time of this input, whose clock counts seconds' 2
try '--origin: a unit of time where the clock has none' "printf '%s\\t0\\tr\\t-\\t4\\t-\\n' 5 15 25 | trace-stats -w 10 --origin 2s" '' 'trace-stats: <stdin>: --origin is no time of this input, whose clock counts ticks' 2
try 'windows of a clock of ticks are ticks' "printf '%s\\t0\\tr\\t-\\t4\\t-\\n' 5 15 25 > s; trace-stats -w 10 s" '#window\tcount\n0\t1\n10\t1\n20\t1'
try 'seconds of them need --hz' 'trace-stats -w 10s s' '' \
	'trace-stats: s: the clock counts ticks of unknown length: give -w in ticks, or --hz N' 2
try 'seconds of them with --hz' 'trace-stats --hz 10 -w 1s s' '#window\tcount\n0.000000000\t1\n1.000000000\t1\n2.000000000\t1'
try 'between the first and the last, rows of empty windows that slide' 'trace-stats -w 2s/1s' \
	'#window\tcount\n9.000000000\t1\n10.000000000\t1\n11.000000000\t0\n12.000000000\t0\n13.000000000\t1\n14.000000000\t1' '' 0 '10.0\t0\tE\t-\t1\t-\n14.0\t0\tE\t-\t1\t-\n'
try 'windows that slide by ticks' 'trace-stats -w 10/5' '#window\tcount\n-5\t1\n0\t1' '' 0 '3\t0\tE\t-\t1\t-\n'
try 'the first window may begin before the least time' 'trace-stats -w 1s' '#window\tcount\n-9223372037.000000000\t1' '' 0 '-9223372036.854775808\t-\ta\t-\t-\t-\n'
try 'windows that slide before the least time' 'trace-stats -w 2s/1s' '#window\tcount\n-9223372038.000000000\t1\n-9223372037.000000000\t1' '' 0 \
	'-9223372036.854775808\t-\ta\t-\t-\t-\n'

# Tables in another order, the first rows, and other forms.
printf '%s\t%s\tE\t%s\t-\t%s\n' 1.0 0 0x10 -  2.0 1 0x9 '-	v=-1.5' 3.0 2 0xa00 '-	v=0.25' 4.0 0 - '-	v=text' > s
try 'by addresses in hexadecimal' "trace-stats -g loc -a 'first(addr)' -S 'first(addr)' s" '#loc\tfirst(addr)\n1\t0x9\n0\t0x10\n2\t0xa00'
try 'the other way around' "trace-stats -g loc -a 'first(addr)' -S '-first(addr)' s" '#loc\tfirst(addr)\n2\t0xa00\n0\t0x10\n1\t0x9'
try 'numbers, texts, nothing' 'trace-stats -g v -S v s' '#v\tcount\n-1.5\t1\n0.25\t1\ntext\t1\n-\t1'
try 'texts, numbers, nothing' 'trace-stats -g v -S -v s' '#v\tcount\ntext\t1\n0.25\t1\n-1.5\t1\n-\t1'
try 'ties are in the order of keys, whichever way' 'trace-stats -g v -S -count --head 3 s' '#v\tcount\n-1.5\t1\n0.25\t1\ntext\t1'
try 'the first -S decides' 'trace-stats -g loc -a count -S -count -S -loc s' '#loc\tcount\n0\t2\n2\t1\n1\t1'
try 'rows of windows, empty ones too' 'trace-stats -w 1s -e "loc = 0" -S count -S -window --head 3 s' '#window\tcount\n3.000000000\t0\n2.000000000\t0\n4.000000000\t1'
try 'a table without groups has one row' "trace-stats -a 'count,max(v)' -S count --head 5 --csv s" 'count,max(v)\n4,0.250000000' 'trace-stats: max(v): 1 value is no number and was not counted'
try 'CSV: quotes, nothing' "trace-stats -g v -a 'top(loc,2)' --csv --head 3 s" 'v,"top(loc,2)"\n-1.5,1:1\n0.25,2:1\ntext,0:1'
try 'JSON' "trace-stats -g v -a 'count,max(addr)' -J s" \
	'[\n  {"v": -1.5, "count": 1, "max(addr)": 9},\n  {"v": 0.25, "count": 1, "max(addr)": 2560},\n  {"v": "text", "count": 1, "max(addr)": null},\n  {"v": null, "count": 1, "max(addr)": 16}\n]'
try 'no event: names alone' 'trace-stats -e X -g loc --csv s' 'loc,count' '' 0
try 'no event, no names' 'trace-stats -e X -g loc --no-header s' '' '' 0
try 'no event: an array' 'trace-stats -e X -g loc -J s' '[]' '' 0
try 'no -S, and a window left out' "printf '0.1\\t0\\tE\\t-\\t1\\t-\\n9000000000.5\\t0\\tE\\t-\\t1\\t-\\n' | trace-stats -w 1s --csv --head 1" \
	'window,count\n0.000000000,1' 'trace-stats: -w: left out rows without events, because there are too many' 2
try 'a merge of partials in order' 'for k in 1 2; do trace-stats -p -g loc --chunk $k/2 -o $k.part s; done; trace-stats -m -S -count --head 1 -J 2.part 1.part' '[\n  {"loc": 0, "count": 2}\n]'
try 'a column that is none: all are listed' "trace-stats -w 1s -g loc,event -a 'p50(size),count' -S -size s" '' 'trace-stats: -S -size: no such column (window loc event p50(size) count)' 2
try 'a column of nothing' 'trace-stats -g loc -S - s' '' 'trace-stats: -S -: no such column (loc count)' 2
try 'a column that is none, of partials' 'trace-stats -m -S size 1.part 2.part' '' 'trace-stats: -S size: no such column (loc count)' 2
try 'no row at all' 'trace-stats -g loc --head 0 s' '' 'trace-stats: --head: 0: a whole number between 1 and 18446744073709551615 is expected' 2
try 'an order of the report' 'trace-stats -S count s' '' 'trace-stats: -S is for tables: add -g, -a or -w (try trace-stats --help)' 2
try 'the report as CSV' 'trace-stats --csv s' '' 'trace-stats: --csv is for tables: add -g, -a or -w (try trace-stats --help)' 2
try 'rows of a report of partials' 'trace-stats -p s | trace-stats -m --head 1' '' 'trace-stats: --head is for tables, but these partial results are of a report (try trace-stats --help)' 2

# The name of the input is input, file the argument.
printf '%s\t0\tE\t-\t-\t-\tfile=%s\n' 1.0 a 2.0 b 3.0 a > one; printf '1.0\t0\tE\t-\t-\t-\tfile=b\n' > two; printf '1.0\t0\tE\t-\t-\t-\tinput=x\n' > three
try 'input is the name of the input' 'trace-stats -g input one two' '#input\tcount\none\t3\ntwo\t1'
try 'file is the argument' 'trace-stats -g file one two' '#file\tcount\na\t2\nb\t2'
try 'both at once' 'trace-stats -g file,input -a count one two' '#file\tinput\tcount\na\tone\t2\nb\tone\t1\nb\ttwo\t1'
try 'the argument in -e and -a' "trace-stats -e 'file = a' -a 'count,distinct(file)' one" '#count\tdistinct(file)\n2\t1'
try 'an argument that is called input' 'trace-stats -g arg.input,input three' '#arg.input\tinput\tcount\nx\tthree\t1'
try 'names of inputs through partials' 'for f in one two; do trace-stats -p -g input -o $f.part $f; done; trace-stats -m two.part one.part; trace-stats -m one.part two.part' '#input\tcount\ntwo\t1\none\t3\n#input\tcount\none\t3\ntwo\t1'
try 'events without an argument file' 'trace-stats -g file WebSearch2.spc' '#file\tcount\n-\t10' "trace-stats: no event had a field file: the input's name is input" 2

# What is refused.
try 'an aggregate that is none' 'trace-stats -a nonsense Financial1.spc' '' \
	'trace-stats: -a nonsense: no such aggregate (count sum mean avg min max var sd std stddev median ties positive span mode distinct first last rate share depth depth_most busy hist top cdf footprint sequential unaligned pN)' 2
try 'a sum of nothing' 'trace-stats -a sum Financial1.spc' '' 'trace-stats: -a sum: a field is missing: sum(FIELD)' 2
try 'a percentile beyond 100' "trace-stats -a 'p101(size)' Financial1.spc" '' \
	'trace-stats: -a p101(size): no such aggregate (count sum mean avg min max var sd std stddev median ties positive span mode distinct first last rate share depth depth_most busy hist top cdf footprint sequential unaligned pN)' 2
try 'a percentile a little beyond 100' "trace-stats -a 'p100.1(size)' Financial1.spc" '' \
	'trace-stats: -a p100.1(size): no such aggregate (count sum mean avg min max var sd std stddev median ties positive span mode distinct first last rate share depth depth_most busy hist top cdf footprint sequential unaligned pN)' 2
try 'a percentile below 0' "trace-stats -a 'p-1(size)' Financial1.spc" '' \
	'trace-stats: -a p-1(size): no such aggregate (count sum mean avg min max var sd std stddev median ties positive span mode distinct first last rate share depth depth_most busy hist top cdf footprint sequential unaligned pN)' 2
try 'a percentile of no number' "trace-stats -a 'p01x(size)' Financial1.spc" '' \
	'trace-stats: -a p01x(size): no such aggregate (count sum mean avg min max var sd std stddev median ties positive span mode distinct first last rate share depth depth_most busy hist top cdf footprint sequential unaligned pN)' 2
try 'a mean of nothing' 'trace-stats -a avg Financial1.spc' '' 'trace-stats: -a avg: a field is missing: avg(FIELD)' 2
try 'a deviation of nothing' 'trace-stats -a std Financial1.spc' '' 'trace-stats: -a std: a field is missing: std(FIELD)' 2
try 'a parenthesis alone' "trace-stats -a 'sum(' Financial1.spc" '' 'trace-stats: -a sum(: NAME(FIELD) is expected' 2
try 'no field' "trace-stats -a 'sum()' Financial1.spc" '' 'trace-stats: -a sum(): NAME(FIELD) is expected' 2
try 'rate with a parenthesis' "trace-stats -a 'rate(' Financial1.spc" '' 'trace-stats: -a rate(: NAME(FIELD) is expected' 2
try 'the top 0' "trace-stats -a 'top(size,0)' Financial1.spc" '' 'trace-stats: -a top(size,0): top takes 1 to 1000' 2
try 'intervals of 0' "trace-stats -a 'hist(size,0)' Financial1.spc" '' 'trace-stats: -a hist(size,0): the width must be greater than 0' 2
try 'no aggregate' "trace-stats -a '' Financial1.spc" '' 'trace-stats: -a : an aggregate is empty' 2
try 'an empty one between two' 'trace-stats -a count,,count Financial1.spc' '' 'trace-stats: -a count,,count: an aggregate is empty' 2
try 'a key that is empty' 'trace-stats -g event, Financial1.spc' '' 'trace-stats: -g event,: a key is empty' 2
try 'windows of 0 s' 'trace-stats -w 0s Financial1.spc' '' 'trace-stats: -w 0s: a duration is expected: 1s, 100ms' 2
try 'windows below 0 s' 'trace-stats -w -1s Financial1.spc' '' 'trace-stats: -w -1s: a duration is expected: 1s, 100ms' 2
try 'windows of bytes' 'trace-stats -w 1K Financial1.spc' '' 'trace-stats: -w 1K: a duration is expected: 1s, 100ms' 2
try 'windows of no number' 'trace-stats -w x Financial1.spc' '' 'trace-stats: -w x: not a number' 2
try 'windows that slide further than they are long' 'trace-stats -w 1s/2s Financial1.spc' '' 'trace-stats: -w 1s/2s: a step longer than the window would leave gaps' 2

# ovni: who asks for durations that nobody has made hears of -O durations.
try 'the sum of durations of ovni' "trace-stats -a 'sum(dur)' \$FIX/ovni/all.obs" '#sum(dur)\n-' \
	'trace-stats: no event had a field dur: -O durations, where the trace itself is read, makes them of pairs of events'
try 'their percentile' "trace-stats -g event -a 'count,p50(dur)' \$FIX/ovni/all.obs | tail -1" 'VYc\t1\t-' \
	'trace-stats: no event had a field dur: -O durations, where the trace itself is read, makes them of pairs of events'
try 'their end' "trace-stats -a 'max(end)' \$FIX/ovni/all.obs" '#max(end)\n-' \
	'trace-stats: no event had a field end: -O durations, where the trace itself is read, makes them of pairs of events'
try 'their distinct ones' "trace-stats -a 'distinct(dur)' \$FIX/ovni/all.obs" '#distinct(dur)\n0' \
	'trace-stats: no event had a field dur: -O durations, where the trace itself is read, makes them of pairs of events'
ovni-dump -H "$FIX"/ovni/all.obs > all.txt
try 'the sum behind a pipe' "trace-stats -a 'sum(dur)' < all.txt" '#sum(dur)\n-' \
	'trace-stats: no event had a field dur: -O durations, where the trace itself is read, makes them of pairs of events'
try 'the sum in the merge of partials' "trace-stats -p -a 'sum(dur)' \$FIX/ovni/all.obs | trace-stats -m" '#sum(dur)\n-' \
	'trace-stats: no event had a field dur: -O durations, where the trace itself is read, makes them of pairs of events'
try 'the percentile behind a pipe' "trace-stats -g event -a 'count,p50(dur)' < all.txt | tail -1" 'VYc\t1\t-' \
	'trace-stats: no event had a field dur: -O durations, where the trace itself is read, makes them of pairs of events'
try 'the percentile in the merge of partials' "trace-stats -p -g event -a 'count,p50(dur)' \$FIX/ovni/all.obs | trace-stats -m | tail -1" 'VYc\t1\t-' \
	'trace-stats: no event had a field dur: -O durations, where the trace itself is read, makes them of pairs of events'
try 'the end behind a pipe' "trace-stats -a 'max(end)' < all.txt" '#max(end)\n-' \
	'trace-stats: no event had a field end: -O durations, where the trace itself is read, makes them of pairs of events'
try 'the end in the merge of partials' "trace-stats -p -a 'max(end)' \$FIX/ovni/all.obs | trace-stats -m" '#max(end)\n-' \
	'trace-stats: no event had a field end: -O durations, where the trace itself is read, makes them of pairs of events'
try 'distinct ones behind a pipe' "trace-stats -a 'distinct(dur)' < all.txt" '#distinct(dur)\n0' \
	'trace-stats: no event had a field dur: -O durations, where the trace itself is read, makes them of pairs of events'
try 'distinct ones in the merge of partials' "trace-stats -p -a 'distinct(dur)' \$FIX/ovni/all.obs | trace-stats -m" '#distinct(dur)\n0' \
	'trace-stats: no event had a field dur: -O durations, where the trace itself is read, makes them of pairs of events'
try 'not where there are some' "trace-stats -a 'sum(dur)'" '#sum(dur)\n0.500000000' '' 0 \
	'##spoor\t1\n##format\tovni\n##clock\ts\torigin=0\n##loc\tloom/pid/tid\n0.1\tl/1/1\tOHx\t-\t-\t0.5\n##end\tevents=1\n'
try 'not of another format' "trace-stats -a 'sum(dur)' Financial1.spc" '#sum(dur)\n-'
try 'not where nobody asks' "trace-stats -a 'count,distinct(loc)' \$FIX/ovni/all.obs" '#count\tdistinct(loc)\n365\t0'

printf '%s.0\t0\tE\t-\t%s\t%s\n' 1 512 0.25 2 1024 0.5 3 0 0.75 > s
try 'a time by a fraction that is 1, 2 or 0' "trace-filter -F 'dur / (size / 512), dur // (size / 512), dur * (size / 512)' 'event?' s" \
	'0.250000000\t0.250000000\t0.250000000\n0.250000000\t0.250000000\t1.000000000\n-\t-\t0.000000000'

# The report.
{
	printf '##spoor\t1\n##clock\ts\torigin=0.000000000\n##format\tcharisma\n'
	printf '1.0\t1\tread\t0\t10\t0.1\tfile=%s\tby=client\n' 7 07 007 0 00 -7 -07 -0 7x 7
	printf '##end\tevents=10\n'
} > s
try 'files whose names are numbers: one with a zero in front is another one' \
	"trace-access --no-header classes s | grep '^read' | cut -f 1,2" 'read\t9'
try 'a report of five events, counted by hand' "printf '%s\\t0\\t%s\\t-\\t%s\\t-\\n' 0.0 E 5 1.0 F 15 1.0 E 10 3.0 F - 3.0 F 20 | trace-stats --tsv | grep -v '^size\\|^gap'" \
	'trace\tformat\tvalue\t-\ntrace\tevents\tvalue\t5\ntrace\tspan\tvalue\t3.000000000\ntrace\tbytes\tvalue\t50\ntrace\tevents/s\tvalue\t1.666667\ntrace\tevents/s, peak\tvalue\t2\ntrace\tbytes/s\tvalue\t17\ntrace\tbytes/s, peak\tvalue\t25\nevent\tE\tcount\t2\nevent\tE\tshare\t0.4\nevent\tE\tbytes\t15\nevent\tE\tshare_of_bytes\t0.3\nevent\tF\tcount\t3\nevent\tF\tshare\t0.6\nevent\tF\tbytes\t35\nevent\tF\tshare_of_bytes\t0.7\nties\tE\tgaps\t1\nties\tE\tties\t0\nties\tE\tshare\t0\nties\tE\tpositive\t1.000000000\nties\tF\tgaps\t2\nties\tF\tties\t1\nties\tF\tshare\t0.5\nties\tF\tpositive\t2.000000000\nties\tall\tgaps\t4\nties\tall\tties\t2\nties\tall\tshare\t0.5\nties\tall\tpositive\t1.000000000\nlocation\t0\tcount\t5\nlocation\t0\tshare\t1\nlocation\t0\tbytes\t50\nlocation\t0\tshare_of_bytes\t1'
try 'the report rounds times to three or four digits, also up to the next unit' "trace-stats | sed -n '/^Durations/,/^\$/p' | sed -n '3,6p'" \
	'a       7.759 s   7.759 s   7.759 s   7.759 s   7.759 s   7.759 s\nb       1.000 s   1.000 s   1.000 s   1.000 s   1.000 s   1.000 s\nc       10.00 s   10.00 s   10.00 s   10.00 s   10.00 s   10.00 s\nd      1.000 ms  1.000 ms  1.000 ms  1.000 ms  1.000 ms  1.000 ms' '' 0 \
	'0.0\t0\ta\t-\t-\t7.758979000\n1.0\t0\tb\t-\t-\t0.999960000\n2.0\t0\tc\t-\t-\t9.999600000\n3.0\t0\td\t-\t-\t0.000999999\n'
# A number that is not exact says so.
seq 2000 | awk '{ print $1 ".0\ta\tR\t" $1 "\t" $1 * 13 "\t-" }' > many
try 'a percentile of many values says how far it may be off, the least and the greatest do not' "trace-stats -a 'p0(size),p50(size),p100(size)' many | awk 'NR == 2 { \$2 = (\$2 - 13000) ^ 2 <= (13000 / 256) ^ 2 } { print }'" '#p0(size)\tp50(size)\tp100(size)\n13 1 26000' 'trace-stats: p50(size): off by at most 0.39 % of the value (--accuracy)'
try 'one of few values is exact, in each window' "trace-stats -w 100s -a 'p50(size)' --head 2 many" '#window\tp50(size)\n0.000000000\t650\n100.000000000\t1937'
try 'csv has rows alone' "trace-stats --csv --accuracy 9 -a 'p50(size)' many | awk 'NR == 2 { \$1 = (\$1 - 13000) ^ 2 <= (13000 / 1024) ^ 2 } { print }'" 'p50(size)\n1' 'trace-stats: p50(size): off by at most 0.098 % of the value (--accuracy)'
printf '##spoor\t1\n##clock\ts\torigin=-9223372036.854775808\n#time\tloc\tevent\taddr\tsize\tdur\targs\n0.0\ta\tR\t-\t-\t-\n##end\tevents=1\n' > far
try 'an origin that no time can be away from 1970 is no date' 'trace-stats -A -w 1h -a count far' '' 'trace-stats: far: -A: the times do not count from a date' 2
awk 'BEGIN { for (i = 1; i < 500; i++) printf "%d.0\t0\tE\t-\t-\t-\tg=%.9f\n", i, i * i % 499 / 300 }' > fractions
try 'hist of fractions: intervals begin at powers of two of the value' "trace-stats --long -a 'hist(g)' --no-header fractions > got
	cut -d= -f2 fractions | awk -v CONVFMT=%.17g '{ x = \$1 + 0; k = 1; while (2 * k <= x) k *= 2; while (x && k > x) k /= 2; c[x ? k : 0]++ } END { for (k in c) printf \"%.12g %d\\n\", k, c[k] }' | sort -g > want
	awk '{ printf \"%.12g %d\\n\", \$1, \$2 }' got | sort -g | cmp - want"
# An origin within three years of 1970 is one since a machine began.
boot='##spoor\t1\n##clock\ts\torigin=2443.5\n1.0\ta\tx\t-\t-\t-\n##end\n'
try 'a clock since boot is no date: -A' 'trace-stats -A -w 1s -a count' '' '*: -A: the times do not count from a date' 2 "$boot"
try 'a clock since boot is no date: a test' "trace-filter -c 'time < 2026-11-20'" '0' '*2026-11-20 is a date, but times of this input do not count from a date' 2 "$boot"
try 'a clock since boot is no date: a slice' 'trace-stats --from 2026-11-20 -a count' '#count' '*: --from: times of this input do not count from a date' 2 "$boot"
printf '%b' "$boot" > boot
printf '##spoor\t1\n##clock\ts\torigin=1795176305.25\n1.0\ta\tx\t-\t-\t-\n##end\n' > day
try 'a clock since boot and a date are not merged' 'trace-merge boot day' '' 'trace-merge: boot counts from 2443.500000000 s of a clock, but day from a date: use trace-merge --align or --offset boot=TIME' 2
try 'but with --offset' 'trace-merge --offset boot=1795173862.25s boot day | grep -v "^#" | cut -f 1' '1795173862.750000000\n1795173863.250000000'
try 'arguments that are called as columns of our own' "trace-stats -a 'sum(.pages),max(.sequential),hist(arg..inside,5),p50(.pages)'" '#sum(.pages)\tmax(.sequential)\thist(arg..inside,5)\tp50(.pages)\n12\t-4\t5:1\t5' '' 0 \
	'1.0\ta\tread\t0\t8\t-\t.pages=7\t.sequential=-4\t.inside=6\n2.0\ta\tread\t8\t8\t-\t.pages=5\t.sequential=-9\n'
try 'and none that is' "trace-stats -a 'hist(.pages,5)'" '#hist(.pages,5)\n-' '*no event had a field arg..pages*' 2 '1.0\ta\tread\t0\t5\t1\n2.0\ta\tread\t5\t5\t1\n'
printf '0.0\t0\tE\t-\t-\t-\tx=%s\n' n10 n2 7 n02 n1 2.0 -3 2 x > texts
printf '0.0\t0\tE\t-\t-\t-\n' >> texts
printf '%s\n' -3 2 2.0 7 n1 n02 n2 n10 x - > in-order
try 'rows: numbers by value, texts in natural order, then absent' "trace-stats -g x -a count --no-header texts | cut -f 1 | diff in-order -" ''
try '-S of a key has the same order' "trace-stats -g x -a count -S x --no-header texts | cut -f 1 | diff in-order -" ''
try 'the report counts events whose times go back' "awk 'BEGIN { for (i = 0; i < 5000; i++) print (i * 7919) % 4999 \",a\" }' > back.csv; awk -F, 'NR > 1 && \$1 < last { n++ } { last = \$1 } END { print n }' back.csv; trace-stats -O columns='time=\$1 event=\$2' back.csv | sed -n 's/back in time *//p'; for k in 1 2 3; do trace-stats -O columns='time=\$1 event=\$2' --chunk \$k/3 -p back.csv > back.\$k; done; trace-stats -m back.1 back.2 back.3 | sed -n 's/back in time *//p'; trace-stats Financial1.spc | grep -c back" '2920\n2920\n2920\n0' '' 1
for table in 'stats -g event -a count' 'reuse --at 64' 'access runs' 'plot rate --bins' 'filter -H -F event,size W'; do
	try "--tsv: the table without # before its names: $table" "trace-${table%% *} ${table#* } Financial1.spc | sed 's/^#//' > want; trace-${table%% *} --tsv ${table#* } Financial1.spc | cmp - want && grep -c . want > n; test -s n && echo yes" yes
done

# The class of MPI calls, by their names; in streams with a header, too. The counts of all calls were classed by hand.
try 'each MPI call has a class' 'trace-stats -g class -a count $FIX/dumpi/every-call-0000.bin' \
	'#class\tcount\ncollective\t32\ncomm\t128\nio\t112\nother\t89\np2p\t46\nrma\t50\ntype\t84\nwait\t40'
try 'the class in a stream' "dumpi2txt -H \$FIX/dumpi/every-call-0000.bin | trace-filter -c 'class = rma'; dumpi2txt -b \$FIX/dumpi/every-call-0000.bin | trace-filter -F class,event --head 1 'class in {io, type}'" \
	'50\ntype\tMPI_Get_count'
try 'an argument class takes its place' "dumpi2txt -H \$FIX/dumpi/every-call-0000.bin | trace-derive 'class = 7' | trace-filter -c 'class = 7'" '581'
try 'class of another format' 'trace-filter "class = io" Financial1.spc' '' 'trace-filter: no event had a field class; there were *' 2
try 'if(TEST, 1) is 1 in every aggregate' "trace-stats -a 'count(if(W, 1)), sum(if(W, 1)), min(if(W, 1)), max(if(W, 1)), mean(if(W, 1)), distinct(if(W, 1))' --no-header Financial1.spc; awk -F, 'tolower(\$4) == \"w\"' Financial1.spc | wc -l | tr -d ' '" '138\t138\t1\t1\t1\t1\n138'
try 'two times more than 2^63 ns apart are in two windows' "trace-stats -w 9223372000 -a count --no-empty --no-header" '-18446744000.000000000\t1\n9223372000.000000000\t1' '' 0 '9223372036.854775807\ta\tR\t-\t1\t-\n-9223372036.854775807\ta\tR\t-\t1\t-\n'
