# shellcheck shell=sh disable=SC2016  # $FIX is the driver's
# computed.sh - tests that compute, and what they know of the events before; answers worked out by hand.
A='1.000000000\ta\tR\t100\t512\t0.500000000\tx=7\n2.000000000\tb\tW\t612\t4096\t-\tx=-7\n3.000000000\ta\tW\t612\t1024\t0.250000000\tx=1.5\n4.000000000\ta\tR\t-\t0\t-\tx=abc\n5.000000000\tb\tR\t4708\t1\t2.000000000\n'
try '// and %' "trace-filter -F time 'size // 512 % 2 = 1'" '1.000000000' '' 0 "$A"
try '// floors and % has the sign of the divisor: -7 // 2 is -4, -7 % 2 is 1' "trace-filter -F time 'x // 2 = -4 and x % 2 = 1'" '2.000000000' '' 0 "$A"
try 'a negative divisor: 7 % -2 is -1' "trace-filter -F time 'x % -2 = -1 and x > 0'" '1.000000000' '' 0 "$A"
try 'the greatest power of two' "trace-filter -F time 'size // 9223372036854775807 = 0'" '1.000000000\n2.000000000\n3.000000000\n4.000000000\n5.000000000' '' 0 "$A"
try '/ is exact enough: 512 / 3 is more than 170.6' "trace-filter -F time 'size / 3 > 170.6 and size / 3 < 170.7'" '1.000000000' '' 0 "$A"
try 'a real and a whole number' "trace-filter -F time 'size / 2 = 256'" '1.000000000' '' 0 "$A"
try 'a real and a decimal that no double is' "trace-filter -F time 'size / 5120 = 0.1 or size / 5120 >= 0.1 and size < 513'" '1.000000000' '' 0 "$A"
try 'bytes a second: 512 B in 0.5 s' "trace-filter -F time 'size / dur = 1024'" '1.000000000' '' 0 "$A"
try 'bytes a second, with a rate' "trace-filter -F time 'size / dur < 4K/s and size > 1'" '1.000000000' '' 0 "$A"
try 'a time and plain seconds' "trace-filter -F time 'time + 1 = 3'" '2.000000000' '' 0 "$A"
try 'a time and a constant' "trace-filter -F time 'time - 500ms < 2s'" '1.000000000\n2.000000000' '' 0 "$A"
try 'what is absent passes no test' "trace-filter -F time 'addr + 0 != 100'" '2.000000000\n3.000000000\n5.000000000' '' 0 "$A"
try 'nor its opposite, but for not' "trace-filter -F time 'not (addr + 0 = 100)'" '2.000000000\n3.000000000\n4.000000000\n5.000000000' '' 0 "$A"
try 'not in: what is absent is in none' "trace-filter -F time 'addr + 0 not in {100}'" '2.000000000\n3.000000000\n5.000000000' '' 0 "$A"
try 'not in: beside an item that is absent' "trace-filter -F time 'size + 0 not in {addr, 7}'" '1.000000000\n2.000000000\n3.000000000\n5.000000000' '' 0 "$A"
try 'in: another item may be absent' "trace-filter -F time 'size + 0 in {addr, 0}'" '4.000000000' '' 0 "$A"
try 'a range of values' "trace-filter -F time 'size + 0 in {addr - 100 .. addr + 500}'" '1.000000000\n3.000000000' '' 0 "$A"
try 'an argument by its text: whole, decimal' "trace-filter -F time 'x * 2 = 3'" '3.000000000' '' 0 "$A"
try 'a text in arithmetic is absent' "trace-filter -F time 'x + 0 > -100'" '1.000000000\n2.000000000\n3.000000000' '' 0 "$A"
try 'a text and a number are not equal' "trace-filter -F time '(x) != 7'" '2.000000000\n3.000000000\n4.000000000' '' 0 "$A"
try 'a text' "trace-filter -F time '(x) = \"abc\"'" '4.000000000' '' 0 "$A"
try 'a text of a number' "trace-filter -F time 'x + 0 = \"7\"'" '1.000000000' '' 0 "$A"
try 'a match of what was computed' "trace-filter -F time 'size // 4 ~ \"^1\"'" '1.000000000\n2.000000000' '' 0 "$A"
try 'division by 0' "trace-filter -F time 'x // 0 = 0 or 4 / (x - x) = 0'" '' '' 1 "$A"
try 'if and coalesce' "trace-filter -F time 'if(W, 1, size) = 1'" '2.000000000\n3.000000000\n5.000000000' '' 0 "$A"
try 'if decides by a test' "trace-filter -F time 'if(W and size < 2000, 1, 0) = 1'" '3.000000000' '' 0 "$A"
try 'coalesce' "trace-filter -F time 'coalesce(addr, size - 1) = -1'" '4.000000000' '' 0 "$A"
try 'min, max, abs' "trace-filter -F time 'max(abs(x), 2) = 7'" '1.000000000\n2.000000000' '' 0 "$A"
try 'floor' "trace-filter -F time 'floor(size, 1000) = 4000'" '2.000000000' '' 0 "$A"
try 'bit' "trace-filter -F time 'bit(size, 4096)'" '2.000000000' '' 0 "$A"
try 'a chain of tests, before and behind' "trace-filter -F time 'W and size // 2 > 600 and x < 0'" '2.000000000' '' 0 "$A"
try 'one branch or the other' "trace-filter -F time 'W and size // 1024 = 1 or R and size // 512 = 1'" '1.000000000\n3.000000000' '' 0 "$A"
try 'prev by loc' "trace-filter -F time 'addr = prev.addr + prev.size'" '3.000000000\n5.000000000' '' 0 "$A"
try 'prev where it was' "trace-filter -F time 'prev.x?'" '3.000000000\n4.000000000\n5.000000000' '' 0 "$A"
try 'prev of a text' "trace-filter -F time 'prev.event = \"R\"'" '3.000000000' '' 0 "$A"
try 'nth' "trace-filter -F time 'nth = 2'" '3.000000000\n5.000000000' '' 0 "$A"
try 'total' "trace-filter -F time 'total(size) = 1536'" '3.000000000\n4.000000000' '' 0 "$A"
try 'total of what may be absent' "trace-filter -F time 'total(dur) > 700ms'" '3.000000000\n4.000000000\n5.000000000' '' 0 "$A"
try '-k: the key of prev' "trace-filter -k event -F time 'nth = 2'" '3.000000000\n4.000000000' '' 0 "$A"
try '-k: several, computed' "trace-filter -k 'loc, size // 1000' -F time 'prev.addr?'" '4.000000000' '' 0 "$A"
try "-k '': all events are one" "trace-filter -k '' -c 'time - prev.time = 1s'" 4 '' 0 "$A"
try 'prev sees the events that do not match' "trace-filter -F time 'W and prev.event = \"R\"'" 3.000000000 '' 0 "$A"
try '-v' "trace-filter -v -F time 'size // 512 % 2 = 1'" '2.000000000\n3.000000000\n4.000000000\n5.000000000' '' 0 "$A"
printf '%b' "$A" > a.txt
try 'prev does not cross inputs' "trace-filter -c 'prev.addr? and nth = 1 or nth > 3' a.txt a.txt" 0 '' 1
trace-filter -b '*' a.txt > a.b
printf '1.0\ta\tW\t-\t-\t-\n' > w.txt; printf '2.0\ta\tR\t-\t-\t-\n' > r.txt
try 'the name of an event as a value, in inputs whose first events have other names' "trace-filter -F 'if(W, 1, 0)' 'event?' w.txt r.txt w.txt; trace-filter -b 'event?' r.txt > r.b; trace-filter -b 'event?' w.txt | cat r.b - | trace-filter -F 'if(W, 1, 0)' 'event?'" '1\n0\n1\n0\n1'
try 'binary knows the same' "cat a.b a.b | trace-filter -F time 'total(size) + x > 4000'" "$(trace-filter -F time 'total(size) + x > 4000' a.txt a.txt)" '' 0
try '--chunk is refused' "trace-filter --chunk 1/2 'prev.addr > 3' a.txt" '' '*--chunk reads a part alone*' 2
try '--chunk is fine without' "trace-filter -c --chunk 1/1 'addr // 3 > 30' a.txt" 4

# What does not fit 64 bits.
try 'a complete sum that does not fit is absent' "trace-filter -c 'size * 4611686018427387904 > 0' a.txt" 1 \
	'trace-filter: 3 values of "size \* 4611686018427387904 > 0" do not fit 64 bits and count as absent'
wide=$(printf '%4000s' '' | tr ' ' x)
yes "1.0	a	R	-	9223372036854775807	-	x=$wide" | head -n 8192 > long
try 'values that do not fit are counted by all threads' "trace-stats -j 4 -e 'size * 4 > 0' -a count long" '#count' 'trace-stats: 8192 values of "size [*] 4 > 0" do not fit 64 bits and count as absent' 0
rm long
try 'within a sum there are 128 bits' "trace-filter -c 'size * 4611686018427387904 // 4611686018427387904 = size' a.txt" 5
try 'an argument and the result of a function are complete sums, what stands in parentheses is not' "trace-filter -F '(size + 8) // 8, abs(size + 8) // 8, total(size) // 8' R" '2305843009213693952\t-\t2305843009213693951\n2\t2\t-' \
	'trace-filter: 2 values of "*" do not fit 64 bits and count as absent' 0 '1.0\t-\tR\t-\t18446744073709551615\t-\n1.0\t-\tR\t-\t9\t-\n'
try 'within a sum times have 2^127 ns, too: 2.5 10^37, not 2.5 10^38' "trace-filter -F '250ms / x - 250ms / x, 1 // (250ms / x)' R" '0.000000000\t0\n-\t-' '' 0 '1.0\t-\tR\t-\t-\t-\tx=1e-29\n1.0\t-\tR\t-\t-\t-\tx=1e-30\n'
try 'from 2^63 to 2^64' "trace-filter -F addr 'addr // 2 = 9223372036854775807'" '18446744073709551615\n18446744073709551614' '' 0 \
	'0,18446744073709551615,512,W,0.0\n0,18446744073709551614,512,W,0.0\n0,3,512,W,0.0\n'
try 'only events that ask for it count' "trace-filter -c 'W and size * 4611686018427387904 > 0 or R' a.txt" 3 \
	'trace-filter: 2 values of "*" do not fit 64 bits and count as absent'
try 'prev from 2^63 on' "trace-filter -F addr 'addr = prev.addr + 1'" '18446744073709551614\n18446744073709551615' '' 0 \
	'0,18446744073709551613,512,W,0.0\n0,18446744073709551614,512,W,0.0\n0,18446744073709551615,512,W,0.0\n'

# Clocks, names that no event had.
try 'ticks' "trace-filter -F time 'time - prev.time > 5'" 110 '' 0 '100\t-\tr\t-\t-\t-\n110\t-\tr\t-\t-\t-\n112\t-\tr\t-\t-\t-\n'
try 'streams that cat has joined are one input for prev' "trace-filter -F 'time,prev.time,nth' 'event?'" '1.000000000\t-\t1\n2.000000000\t1.000000000\t2\n1.500000000\t2.000000000\t3' '' 0 \
	'##spoor\t1\n##format\tx\n##clock\ts\torigin=0.000000000\n1.0\ta\tE\t-\t-\t-\n2.0\ta\tE\t-\t-\t-\n##end\tevents=2\n##spoor\t1\n##format\tx\n##clock\ts\torigin=0.000000000\n1.5\ta\tE\t-\t-\t-\n##end\tevents=1\n'
try 'but those of another clock begin anew' "trace-filter -F 'time,prev.time,nth' 'event?'" '1.000000000\t-\t1\n7\t-\t1' '' 0 \
	'##spoor\t1\n##format\tx\n##clock\ts\torigin=0.000000000\n1.0\ta\tE\t-\t-\t-\n##end\tevents=1\n##spoor\t1\n##format\tx\n##clock\tticks\n7\ta\tE\t-\t-\t-\n##end\tevents=1\n'
try 'ticks and a time' "trace-filter -c 'time - prev.time > 5us'" 0 '*clock counts ticks of unknown length, but 5us is a time: give --hz N*' 2 '100\t-\tr\t-\t-\t-\n'
try 'ticks and a time in a test within a value' "trace-filter -c 'if(time > 5us, 1, 0) = 1'" 0 '*but 5us is a time: give --hz N*' 2 '100\t-\tr\t-\t-\t-\n'
try 'a field that no event had' "trace-filter -c 'sice // 2 > 3' a.txt" 0 '*no event had a field sice (the nearest name is size)*' 2
try 'and in prev' "trace-filter -c 'prev.sice > 3' a.txt" 0 '*no event had a field sice (the nearest name is size)*' 2
try 'and in the key' "trace-filter -k nosuch -c 'nth = 1'; trace-stats -j 2 -k nosuch -e 'nth = 1' -a count a.txt" '1\n#count\n1' 'trace-filter: no event had a field nosuch*\ntrace-stats: no event had a field nosuch*' 2 '1.0\ta\t2\t-\t-\t-\n'
try 'an event that there was not, within a value' "trace-filter -c 'if(w, size, 0) > 3' a.txt" 0 'trace-filter: no event is called w; there is W' 1
try 'prev does not reach from one clock into another' "trace-filter -F 'time - prev.time' 'time > 0'" '-\n200\n-\n2.000000000' '' 0 '##spoor\t1\n##clock\tticks\n100\t-\tr\t-\t-\t-\n300\t-\tr\t-\t-\t-\n##end\tevents=2\n##spoor\t1\n##clock\ts\n1.5\t-\tr\t-\t-\t-\n3.5\t-\tr\t-\t-\t-\n##end\tevents=2\n'
try 'a message has what was asked' "trace-stats -a 'sequential(size + 1)' a.txt" '' 'trace-stats: -a sequential(size + 1): the aggregate takes no field' 2
try "-k '': events of several streams of a trace in order of time" 'trace-filter -c -k "" "prev.event = event" solver.meta; trace-stats -k "" -e "prev.event = event" -a count solver.meta | tail -1' \
	"$(dumpi2txt -t "$FIX/runs/solver.meta" | awk -F '\t' '!/^#/ { n += $3 == last; last = $3 } END { print n "\n" n }')"
try 'a definition by its own prev, and a text' "trace-derive 'run = if(len(x) > 2, prev.run + 1, 1)' a.txt | cut -f 1,7-" \
	'1.000000000\tx=7\trun=1\n2.000000000\tx=-7\trun=1\n3.000000000\tx=1.5\trun=2\n4.000000000\tx=abc\trun=3\n5.000000000\trun=1'
try 'of several chained by and, of which some hang on prev' "trace-derive 'n = if((W and size > 600 and prev.n > 0) = 1, prev.n * 2 + size // 1024 % 3, 1)' a.txt | cut -f 7- | sed 's/.*n=//'" '1\n1\n3\n1\n1'


# trace-stats: columns made of aggregates, --having, and questions that are wrong.
try 'bytes a second, and a time through a number' "trace-stats -g event -a 'bw = sum(size) / sum(dur), t = sum(dur) / count, min(x, 3) + 0' a.txt" '' '*x is a field of single events*\n*\n*' 2
try 'a real in a set of constants is compared exactly, in a batch as alone' "trace-filter -c 'a / 50 in {0.1}'" 0 '' 1 '1.0\tq\tR\t-\t-\t-\ta=5\n1.0\tq\tR\t-\t-\t-\ta=5\n'
try 'a time by a number, max of two values and of events' "trace-stats -g event -a 't = sum(dur) / count, max(count, 3), n = max(size)' a.txt" '#event\tt\tmax(count,3)\tn\nR\t0.833333333\t3\t512\nW\t0.125000000\t3\t4096'
try 'all and most' "trace-stats -g event -a 'n = count, all(n), most(max(size)), h = most(n) / all(n)' a.txt" '#event\tn\tall(n)\tmost(max(size))\th\nR\t3\t5\t4096\t0.6\nW\t2\t5\t4096\t0.6'
try 'sums beyond 2^64' "trace-stats -a 's = sum(18446744073709551615), h = sum(18446744073709551615) // 100' a.txt" '#s\th\n92233720368547758075\t922337203685477580'
try '--having by an aggregate' "trace-stats -g event -a 'count,p99(dur)' --having 'p99(dur) > 1s' a.txt" '#event\tcount\tp99(dur)\nR\t3\t2.000000000'
try '--having: a name that events have too' "trace-stats -g event,size --having 'event = R and size > 0 and size < 2' a.txt" '#event\tsize\tcount\nR\t1\t1'
try '--having: no such column' "trace-stats -g event --having 'nosuch > 1' a.txt" '' 'trace-stats: --having: there is no column nosuch; there are: event count' 2
try '--having: no such aggregate' "trace-stats -g event --having 'p99(size) > 1' a.txt" '' 'trace-stats: --having: there is no column p99(size); there are: event count' 2
try '--having: a column of events, not of the table' "trace-stats -g event --having 'time > 1' a.txt" '' '*there is no column time;*' 2
try '--having: no test' "trace-stats -g event --having count a.txt" '' '*a test of columns is expected*\n  count\n  ^' 2
try '--having: prev' "trace-stats -g event --having 'prev.count > 1' a.txt" '' '*--having: prev, nth and total are for events*' 2
try 'a value is missing' "trace-stats -g 'k = size //' a.txt" '' '*a value is expected\n  k = size //\n             ^' 2
try 'a key is empty' "trace-stats -g 'event,,loc // 2' a.txt" '' '*\n  event,,loc // 2\n        ^' 2
try 'footprint of an expression' "trace-stats -a 'footprint(addr // 8, 4K)' a.txt" '' 'trace-stats: -a footprint(addr // 8, 4K): the aggregate uses addr and size, and takes only a unit: footprint(4K)' 2
try 'texts in JSON and CSV have no escapes' "trace-stats -J -g 'x,lower(x)' -a count" '[\n  {"x": "a b", "lower(x)": "a b", "count": 1}\n]' '' 0 '1\tl\tE\t-\t-\t-\tx=a\\x20b\n'
try 'the same in CSV' "trace-stats --csv -g 'x,y' -a count" 'x,y,count\na b,"1,""",1' '' 0 '1\tl\tE\t-\t-\t-\tx=a\\x20b\ty=1,"\n'
try 'a column beyond 64 bits' "trace-stats -a 's = sum(18446744073709551615) + 1, count' a.txt" '#s\tcount\n-\t5' \
	'trace-stats: the column s has values that do not fit 64 bits, written as -' 2
try 'two units' "trace-stats -a 'sum(size + dur)' a.txt" '' '*size is in bytes, and dur is a time\n  sum(size + dur)\n           ^' 2
try 'a column of fields' "trace-stats -a 'x = size / 2' a.txt" '' '*size is a field of single events*such as sum(size)\n  x = size / 2\n      ^' 2
try 'a row has no prev' "trace-stats -a 'x = prev.size' a.txt" '' '*a row has no previous event*\n  x = prev.size\n      ^' 2
try 'an aggregate in an aggregate' "trace-stats -a 'sum(sum(size)) + 1' a.txt" '' '*no function sum*\n  sum(sum(size)) + 1\n      ^' 2
try 'all in all' "trace-stats -g event -a 'all(all(count))' a.txt" '' '*with all or most\n  all(all(count))\n      ^' 2
try 'a text in arithmetic' "trace-stats -a 'top(size,2) + 1' a.txt" '' '*is a text: + takes numbers\n  top(size,2) + 1\n  ^' 2
try 'a width of 0' "trace-stats -a 'hist(size // 2, 0)' a.txt" '' 'trace-stats: -a hist(size // 2, 0): the width must be greater than 0' 2
try 'no such aggregate' "trace-stats -a 'p101(size // 2)' a.txt" '' '*no function p101*\n  p101(size // 2)\n  ^' 2
try 'a time and a number' "trace-stats -a 'sum(dur) + count' a.txt" '' '*sum(...) is a time, and count is a number\n  sum(dur) + count\n           ^' 2
try 'blanks' "trace-stats -a 'count +1' a.txt" '' '*blanks around "+" make it arithmetic\n  count +1\n        ^' 2
try '-p and nth: as without partials' "trace-stats -p -g nth a.txt | trace-stats -m > got; trace-stats -g nth a.txt | cmp - got"
try '--chunk and prev' "trace-stats -p --chunk 1/2 -g prev.event a.txt" '' '*--chunk reads a part alone*' 2
try 'prev as a key and in an aggregate' "trace-stats -g prev.event -k '' -a 'count,sum(prev.size)' a.txt" '#prev.event\tcount\tsum(prev.size)\nR\t2\t512\nW\t2\t5120\n-\t1\t-'
