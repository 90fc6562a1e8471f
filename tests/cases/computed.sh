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
try 'binary knows the same' "cat a.b a.b | trace-filter -F time 'total(size) + x > 4000'" "$(trace-filter -F time 'total(size) + x > 4000' a.txt a.txt)" '' 0
try '--chunk is refused' "trace-filter --chunk 1/2 'prev.addr > 3' a.txt" '' '*--chunk reads a part alone*' 2
try '--chunk is fine without' "trace-filter -c --chunk 1/1 'addr // 3 > 30' a.txt" 4

# What does not fit 64 bits.
try 'a complete sum that does not fit is absent' "trace-filter -c 'size * 4611686018427387904 > 0' a.txt" 1 \
	'trace-filter: 3 values of "size \* 4611686018427387904 > 0" do not fit 64 bits and count as absent'
try 'within a sum there are 128 bits' "trace-filter -c 'size * 4611686018427387904 // 4611686018427387904 = size' a.txt" 5
try 'from 2^63 to 2^64' "trace-filter -F addr 'addr // 2 = 9223372036854775807'" '18446744073709551615\n18446744073709551614' '' 0 \
	'0,18446744073709551615,512,W,0.0\n0,18446744073709551614,512,W,0.0\n0,3,512,W,0.0\n'
try 'only events that ask for it count' "trace-filter -c 'W and size * 4611686018427387904 > 0 or R' a.txt" 3 \
	'trace-filter: 2 values of "*" do not fit 64 bits and count as absent'
try 'prev from 2^63 on' "trace-filter -F addr 'addr = prev.addr + 1'" '18446744073709551614\n18446744073709551615' '' 0 \
	'0,18446744073709551613,512,W,0.0\n0,18446744073709551614,512,W,0.0\n0,18446744073709551615,512,W,0.0\n'

# Clocks, names that no event had.
try 'ticks' "trace-filter -F time 'time - prev.time > 5'" 110 '' 0 '100\t-\tr\t-\t-\t-\n110\t-\tr\t-\t-\t-\n112\t-\tr\t-\t-\t-\n'
try 'ticks and a time' "trace-filter -c 'time - prev.time > 5us'" 0 '*clock counts ticks of unknown length, and 5us is a time: --hz N*' 2 '100\t-\tr\t-\t-\t-\n'
try 'ticks and a time in a test within a value' "trace-filter -c 'if(time > 5us, 1, 0) = 1'" 0 '*and 5us is a time: --hz N*' 2 '100\t-\tr\t-\t-\t-\n'
try 'a field that no event had' "trace-filter -c 'sice // 2 > 3' a.txt" 0 '*no event had a field sice (the nearest name is size)*' 2
try 'and in prev' "trace-filter -c 'prev.sice > 3' a.txt" 0 '*no event had a field sice (the nearest name is size)*' 2
try 'an event that there was not, within a value' "trace-filter -c 'if(w, size, 0) > 3' a.txt" 0 'trace-filter: no event is called w; there is W' 1
try "-k '': events of several streams of a trace in order of time" 'trace-filter -c -k "" "prev.event = event" solver.meta; trace-stats -k "" -e "prev.event = event" -a count solver.meta | tail -1' \
	"$(dumpi2txt -t "$FIX/runs/solver.meta" | awk -F '\t' '!/^#/ { n += $3 == last; last = $3 } END { print n "\n" n }')"
try 'a definition by its own prev, and a text' "trace-derive 'run = if(len(x) > 2, prev.run + 1, 1)' a.txt | cut -f 1,7-" \
	'1.000000000\tx=7\trun=1\n2.000000000\tx=-7\trun=1\n3.000000000\tx=1.5\trun=2\n4.000000000\tx=abc\trun=3\n5.000000000\trun=1'
try 'of several chained by and, of which some hang on prev' "trace-derive 'n = if((W and size > 600 and prev.n > 0) = 1, prev.n * 2 + size // 1024 % 3, 1)' a.txt | cut -f 7- | sed 's/.*n=//'" '1\n1\n3\n1\n1'

# trace-stats: columns made of aggregates, --having, and questions that are wrong.
try 'bytes a second, and a time through a number' "trace-stats -g event -a 'bw = sum(size) / sum(dur), t = sum(dur) / count, min(x, 3) + 0' a.txt" '' '*x is a field of each event*\n*\n*' 2
try 'a real in a set of constants is compared exactly, in a batch as alone' "trace-filter -c 'a / 50 in {0.1}'" 0 '' 1 '1.0\tq\tR\t-\t-\t-\ta=5\n1.0\tq\tR\t-\t-\t-\ta=5\n'
