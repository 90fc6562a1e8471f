# shellcheck shell=sh disable=SC2016  # $FIX is the driver's
# expr.sh - expressions: what they are true for, and how their errors are told.
grep -v 448003 example.spc > x.spc
try 'an optional field compares as a number where it is one' "trace-filter -F time 'x1 = 291' x.spc" '1.250720000'
try 'a hexadecimal constant is a number' "trace-filter -F time 'x1 = 0x123' x.spc" '1.250720000'
try 'a number in quotes is a text' "trace-filter -F time 'x1 = \"0x123\"' x.spc" '1.250720000'
try 'fractions compare as numbers' "trace-filter -F time 'x2 > 5.98 and x2 < 6' x.spc" '1.250720000'
try 'a regular expression on an argument' "trace-filter -F time 'x1 ~ \"NT\$\"' x.spc" '0.551706000'
try 'a text is not equal to a number' "trace-filter -F time 'x1 != 291' x.spc" '0.551706000'
try 'an argument that is a text' "trace-filter -F time 'x3 = \"test\"' x.spc" '1.250720000'
try 'a text is not greater than a number' "trace-filter -F time 'x1 > 291' x.spc" '' '' 1
try '2^64-1 is exact' "trace-filter -F addr 'addr = 18446744073709551615'" '18446744073709551615' '' 0 \
	'0,18446744073709551615,9007199254740993,W,0.0\n0,18446744073709551614,9007199254740992,W,0.0\n'
try '2^53 + 1 is exact' "trace-filter -F size 'size > 9007199254740992'" '9007199254740993' '' 0 \
	'0,18446744073709551615,9007199254740993,W,0.0\n0,18446744073709551614,9007199254740992,W,0.0\n'
try '2^53 + 1 is exact behind a pipe' "spc-cat | trace-filter -F size 'size > 9007199254740992'" '9007199254740993' '' 0 \
	'0,18446744073709551615,9007199254740993,W,0.0\n0,18446744073709551614,9007199254740992,W,0.0\n'

# An error is shown with a caret under its place.
try 'an expression that ends too early' "trace-filter 'W and' Financial1.spc" '' 'trace-filter: the expression ends too early\n  W and\n       ^' 2
try 'a parenthesis that is not closed' "trace-filter 'W and (size > 3' Financial1.spc" '' 'trace-filter: this parenthesis is not closed\n  W and (size > 3\n        ^' 2
try 'a word beside a number is a field' "trace-filter 'size > abc' Financial1.spc" '' 'trace-filter: no event had a field abc; there were *' 2
try 'a time where bytes are expected' "trace-filter 'size > 3ms' Financial1.spc" '' 'trace-filter: 3ms: size is not measured in units of time\n  size > 3ms\n         ^' 2
try 'bytes where a time is expected' "trace-filter 'time > 3K' Financial1.spc" '' 'trace-filter: 3K: time is not measured in bytes\n  time > 3K\n         ^' 2
try 'a unit that is none' "trace-filter 'size > 3X' Financial1.spc" '' 'trace-filter: 3X: no such unit (ns us ms s m h, K M G T, kB MB GB TB)\n  size > 3X\n         ^' 2
try 'an empty range' "trace-filter 'size in {3..1}' Financial1.spc" '' 'trace-filter: the range is empty: its end is less than its beginning\n  size in {3..1}\n           ^' 2
try 'a range of one number' "trace-filter -c 'size in {512..512}' Financial1.spc; trace-filter -c 'size = 512' Financial1.spc" '19\n19'
try 'a set without braces' "trace-filter 'size in 3' Financial1.spc" '' 'trace-filter: { is expected after "in"\n  size in 3\n          ^' 2
try 'a regular expression that is none' "trace-filter 'event ~ \"(\"' Financial1.spc" '' 'trace-filter: *\n  event ~ "("\n          ^' 2
try 'a parenthesis that was never opened' "trace-filter 'W) and R' Financial1.spc" '' 'trace-filter: this parenthesis was never opened\n  W) and R\n   ^' 2
try 'two names beside each other' "trace-filter 'W R' Financial1.spc" '' 'trace-filter: "and" or "or" is expected\n  W R\n    ^' 2
try 'two names beside each other, in parentheses' "trace-filter '(W R)' Financial1.spc" '' 'trace-filter: "and", "or" or ) is expected\n  (W R)\n     ^' 2
try 'not without in' "trace-filter 'size not 3' Financial1.spc" '' 'trace-filter: "in" is expected after FIELD "not"\n  size not 3\n           ^' 2
try 'a text without its end' "trace-filter '\"abc' Financial1.spc" '' 'trace-filter: this string has no end\n  "abc\n  ^' 2
try 'an empty expression' "trace-filter '' Financial1.spc" '' 'trace-filter: the expression is empty\n  \n  ^' 2
try 'a number greater than 2^64-1' "trace-filter 'size > 99999999999999999999B' Financial1.spc" '' \
	'trace-filter: 99999999999999999999B: greater than 2^64-1\n  size > 99999999999999999999B\n         ^' 2
try 'parentheses nested too deep' "trace-filter \"\$(printf '(%300s' '' | tr ' ' '(')W\" Financial1.spc" '' \
	'trace-filter: the expression is nested more than 200 deep\n  ((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((\n                                                                                                      ^' 2
try 'an operator of arithmetic without blanks, behind a number' "trace-filter 'size > 4*1024' Financial1.spc" '' \
	'trace-filter: 4?1024: a number is expected: blanks around an operator make it arithmetic\n  size > 4?1024\n         ^' 2
printf '1\t-\ta-b\t-\t-\t-\tloom/pid=3\tcall-time=4\n' > names
try 'signs may be part of a name' "trace-filter -c 'a-b and loom/pid = 3 and call-time = 4' names" '1'
try 'the nearest of names with signs' "trace-filter 'call-tim = 4' names" '' \
	"trace-filter: no event had a field call-tim (the nearest name is \"call-time\"); there were time, loc, event, addr, size, dur, end, \"call-time\", \"loom/pid\"" 2
try 'a minus before a name' "trace-filter 'a-b and -call-time = 4' names" '' \
	"trace-filter: no event had a field -call-time: only numbers have a minus sign, write 0 - NAME; there were *" 2
try 'an event where a field is meant' "trace-filter 'a-b = 4' names" '' \
	"trace-filter: no event had a field a-b: it is an event; where a value is computed, a text needs double quotes; there were *" 2

# Single quotes are no quotes.
try 'a text in single quotes' "trace-filter \"event = 'W'\" Financial1.spc" '' "trace-filter: a text needs double quotes: \"W\"\\n  event = 'W'\\n          ^" 2
try 'an event in single quotes' "trace-filter \"'W'\" Financial1.spc" '' "trace-filter: a text needs double quotes: \"W\"\\n  'W'\\n  ^" 2
try 'single quotes in a set' "trace-filter \"event in {R, 'W'}\" Financial1.spc" '' "trace-filter: a text needs double quotes: \"W\"\\n  event in {R, 'W'}\\n               ^" 2
try 'single quotes around more than a name' "trace-filter \"event = 'W and R'\" Financial1.spc" '' \
	"trace-filter: a text needs double quotes: \"W and R\"\\n  event = 'W and R'\\n          ^" 2
try 'single quotes in -e' "trace-stats -e \"event = 'W'\" Financial1.spc" '' "trace-stats: a text needs double quotes: \"W\"\\n  event = 'W'\\n          ^" 2
printf "1\t-\tit's\t-\t-\t-\n2\t-\t'W'\t-\t-\t-\n" > quotes
try 'a single quote within a name' "trace-filter -c \"it's\" quotes" '1'
try 'single quotes within double ones' "trace-filter -c \"\\\"'W'\\\"\" quotes" '1'

# A repetition that is repeated is refused, at once.
try 'a repetition that is repeated: W**' "timeout 10 trace-filter 'event ~ \"W**\"' Financial1.spc" '' \
	'trace-filter: a repetition is repeated, which has no meaning: W??\n  event ~ "W??"\n          ^' 2
try 'a repetition that is repeated: W+?' "timeout 10 trace-filter 'event ~ \"W+?\"' Financial1.spc" '' \
	'trace-filter: a repetition is repeated, which has no meaning: W+?\n  event ~ "W+?"\n          ^' 2
try 'what the C library says of a brace that repeats nothing' "trace-filter 'event ~ \"W*{x\"' Financial1.spc" '' 'trace-filter: [!a]*: W?{x\n  event ~ "W?{x"\n          ^' 2
try 'a repetition that is repeated: W{1}*' "timeout 10 trace-filter 'event ~ \"W{1}*\"' Financial1.spc" '' \
	'trace-filter: a repetition is repeated, which has no meaning: W{1}?\n  event ~ "W{1}?"\n          ^' 2
try 'a repetition that is repeated: W?{2,3}' "timeout 10 trace-filter 'event ~ \"W?{2,3}\"' Financial1.spc" '' \
	'trace-filter: a repetition is repeated, which has no meaning: W?{2,3}\n  event ~ "W?{2,3}"\n          ^' 2
try 'a repetition that is repeated: (W*)**' "timeout 10 trace-filter 'event ~ \"(W*)**\"' Financial1.spc" '' \
	'trace-filter: a repetition is repeated, which has no meaning: (W?)??\n  event ~ "(W?)??"\n          ^' 2
try 'a repetition that is repeated a thousand times' "timeout 10 trace-filter \"event ~ \\\"\$(printf '%1000s' '' | tr ' ' '*')\\\"\" Financial1.spc" '' \
	'trace-filter: a repetition is repeated, which has no meaning: ????????????????????????????????????????????????????????????????????????????????????????????????????????????????????????????????????????????????????????????????????????????????????????????????????????\n  event ~ "???????????????????????????????????????????????????????????????????????????????????????????????????????????????????????????????????????????????????????????????????????????????????????????????\n          ^' 2
try 'a group of a repetition may be repeated' "trace-filter -c 'event ~ \"(W*)*\"' Financial1.spc" '161'
try 'a bracket is no repetition' "trace-filter -c 'event ~ \"[[:alpha:]*+]+\$\"' Financial1.spc" '161'
try 'a bracket that begins with one' "trace-filter -c 'event ~ \"[]*+?W]\"' Financial1.spc" '138'
try 'a bracket of all others' "trace-filter -c 'event ~ \"[^]**]\"' Financial1.spc" '161'
try 'a regular expression on 3000 places' "seq 3000 | sed 's/.*/&.0\tv&\tR\t-\t-\t-/' > places; trace-filter -c 'loc ~ \"^v\"' places; trace-filter -b R places | trace-filter -c 'loc ~ \"^v\"'" '3000\n3000'
try 'one repetition' "trace-filter -c 'event ~ \"W{1}\"' Financial1.spc" '138'
try 'one repetition between anchors' "trace-filter -c 'event ~ \"^W*\$\"' Financial1.spc" '138'
try 'a backslash before a star' "trace-filter -c 'event ~ \"\\\\*|W\"' Financial1.spc" '138'

# A backslash is one, and a NUL does not end the text.
printf '1.0\t0\ta\\x5cb\t-\t-\t-\n1.0\t0\tR\\x00W\t-\t-\t-\n' > odd
try 'a backslash in a name' "trace-filter -c 'a\\b' odd" '1'
try 'a name is not what stands before its NUL' 'trace-filter -c R odd' '0' '' 1
try 'a regular expression goes beyond a NUL' "trace-filter -c 'event ~ \"^R\$\"' odd" '0' '' 1
try 'a glob goes beyond a NUL' "trace-filter -c 'R*' odd" '1'
try 'what stands behind a NUL' "trace-filter -c 'event ~ W' odd" '1'
try 'a name in quotes takes not in' "trace-filter -c '\"in\" not in {1, 2}'" '1' '' 0 '0.5\ta\ty\t-\t-\t-\tin=3\n'
try 'a name in quotes takes a range' "trace-filter -c '\"in\" not in {1..3}'" '0' '' 1 '0.5\ta\ty\t-\t-\t-\tin=3\n'

# Constants round at the ninth decimal as data does, whatever their unit and exponent.
echo 0,1,1,R,1.0000000019 > a.spc
try 'more than nine decimals are no nanosecond' "trace-filter -c 'time = 1.0000000019' a.spc" '0' '*: fractions of a second are rounded to nine digits' 1
try 'a part of a nanosecond less' "trace-filter -c 'time > 1.0000000019' a.spc" '1' '*: fractions of a second are rounded to nine digits'
try 'less than the next nanosecond' "trace-filter -c 'time >= 1.00000000151' a.spc" '1' '*: fractions of a second are rounded to nine digits'
try 'nothing below the half' "trace-filter -c 'time < 1.0000000015' a.spc" '0' '*: fractions of a second are rounded to nine digits' 1
try 'milliseconds are rounded' "trace-filter -c 'time = 1000.0000019ms' a.spc" '1' '*: fractions of a second are rounded to nine digits'
try 'nanoseconds are rounded' "trace-filter -c 'time = 1000000001.9ns' a.spc" '1' '*: fractions of a second are rounded to nine digits'
try 'an exponent that moves the point to the right' "trace-filter -c 'time = 0.1000000002e1' a.spc" '1' '*: fractions of a second are rounded to nine digits'
try 'an exponent that moves the point to the left' "trace-filter -c 'time = 1000000002e-9' a.spc" '1' '*: fractions of a second are rounded to nine digits'
try 'the end of a range is not rounded' "trace-filter -c 'time in {0.0166666667s..1.0000000019}' a.spc" '0' '*: fractions of a second are rounded to nine digits' 1
printf '%s\t0\tE\t-\t-\t-\n' 0.000000060 3600.000000360 > t
try 'a minute has more digits to give' "trace-filter -c 'time = 0.000000001m' t" '1'
try 'an hour has more digits to give' "trace-filter -c 'time = 1.0000000001h' t" '1'
try 'many nines do not round' "trace-filter -c 'time = 0.99999999949999999e0'" '0' '' 1 '0.999999999\t0\tE\t-\t-\t-\n'
printf '0.0\t0\tE\t18446744073709551615\t-\t-\n' > u
try 'a fraction below 2^64-1 is the real number 2^64' "trace-filter -c 'addr = 18446744073709551614.9999999996' u" '0' '' 1
try 'and one above' "trace-filter -c 'addr < 18446744073709551615.9999999996' u" '1'
try 'an exponent that goes beyond 2^64-1' "trace-filter -c 'addr < 1e20' u" '1'
try 'an exponent that only seems to' "trace-filter -c 'addr > 0.0000000000000000001e20' u" '1'

# -d shows how an expression was understood, and what every type of event decides.
try '-d: both sides of or, the one of not, each further in' "trace-filter -d 'not size = 1 and (loc = 2 or time in {3..4, 5})' | sed '/^type/,\$d'" \
	'expression\n  and\n    not\n      size = 1\n    or\n      loc = 2\n      time in 3..4, 5' '' 0 '0,1,512,r,0.5\n'
try '-d: an operator stands above its operands' "trace-filter -d 'W and (not (R or size > 1)) or addr = 1' WebSearch2.spc | sed '/^type/,\$d'" \
	'expression\n  or\n    and\n      event glob W\n      not\n        or\n          event glob R\n          size > 1\n    addr = 1'
try '-d: types that cannot match are dropped unseen' "trace-filter -d 'W and size >= 8K' Financial1.spc | grep ^type" 'type R: drop\ntype W: by its values'
try '-d: a type passes unseen' "trace-filter -d W Financial1.spc | grep '^type W'" 'type W: pass'
# Of 13 counts two are at least 5: the fixture's own bytes say 12 and 8.
S=$FIX/dumpi/small-0002.bin
try 'a value of 4 bytes, its least' "trace-filter -c 'count >= 5' $S" 2
try 'a value of 4 bytes, all that there are' "trace-filter -c 'count <= 2147483648' $S" 13
try 'a value of 4 bytes, less than what is beyond' "trace-filter -c 'count < 9999999999' $S" 13
try 'a value of 4 bytes, more than what is below all' "trace-filter -c 'count > -2147483649' $S" 13
try 'a value of 4 bytes is not beyond them' "trace-filter -c 'count >= 2147483648 or count < -2147483648' $S" 0 '' 1
try 'a value of 4 bytes without a sign' "trace-filter -c 'file_id <= 4294967296' \$FIX/charisma/packed-lp64-le.chr" 7 'trace-filter: */charisma/packed-lp64-le.chr: 2 requests or closes on descriptors not known to be open: they have no file= and name='
try '-d goes where -o says' "trace-filter -d -o got R WebSearch2.spc && grep '^type R' got" 'type R: pass'
try '-d to a file is -d' 'trace-filter -d R WebSearch2.spc | cmp - got'
try '-d and -c contradict each other' 'trace-filter -dc R WebSearch2.spc' '' 'trace-filter: -d and -c contradict each other (try trace-filter --help)' 2
try '-d shows control bytes of an expression as \x' "printf '1\\t0\\te\\t-\\t-\\t-\\ta=1\\n' | trace-filter -d 'a = \"'\"\$(printf '\\033]0;\\n;')\"'\"' | head -n 2" 'expression\n  a = \\x1b]0;\\x0a;'
try 'a time divided by a real that is 1' "trace-filter -c 'time / (2 / 2) = 1s'" '1' '' 0 '1.000000000\ta\tx\t-\t-\t-\n'
# Dates: what GNU date says they are.
D='##spoor\t1\n##clock\ts\torigin=1172163600.000000000\n#time\tloc\tevent\taddr\tsize\tdur\targs\n-1.0\ta\tR\t-\t-\t-\n0.0\ta\tR\t-\t-\t1.5\n3599.999999999\ta\tR\t-\t-\t0.000000001\n3600.0\ta\tR\t-\t-\t-\n86400.0\ta\tR\t-\t-\t-\n##end\tevents=5\n'
try 'a date is a time since the origin' "trace-filter -F time 'time >= 2007-02-22T18:00'" '3600.000000000\n86400.000000000' '' 0 "$D"
try 'so is one with seconds, a fraction and a zone' "trace-filter -F time 'time <= 2007-02-22T19:59:59.999999999+02:00'" '-1.000000000\n0.000000000\n3599.999999999' '' 0 "$D"
try 'a range of dates, and one in quotes' "trace-filter -F time 'time in {2007-02-22T17:00..2007-02-22T17:30, \"2007-02-22 18:00:00Z\"}'" '0.000000000\n3600.000000000' '' 0 "$D"
try 'the end of an event' "trace-filter -F time 'end = 2007-02-22T18:00'" '3599.999999999' '' 0 "$D"
try 'in aggregates and keys' "trace-stats -g 'time < 2007-02-22T17:00' -a count" '#time<2007-02-22T17:00\tcount\n0\t4\n1\t1' '' 0 "$D"
try 'of several inputs each has its origin' "printf '%b' '$D' > day; sed 's/1172163600/1172167200/' day > later; trace-filter -c 'time < 2007-02-22T18:00' day later; for f in day later; do trace-filter -c 'time < 2007-02-22T18:00' \$f; done" '4\n3\n1'
try 'a stream that goes on with another origin' "cat day later | trace-filter -c 'time < 2007-02-22T18:00'; trace-filter -b '*' day later | trace-filter -c 'time < 2007-02-22T18:00'" '4\n4'
try 'times that count from no date' "trace-filter -c 'time > 2007-02-22' Financial1.spc" 0 'trace-filter: Financial1.spc: 2007-02-22 is a date, but times of this input do not count from a date' 2
try 'a clock of ticks has none' "trace-filter -c 'time > 2007-02-22' refs.bin" 0 'trace-filter: refs.bin: *' 2
try 'a date that is none' "trace-filter -c 'time > 2007-02-30' day" '' 'trace-filter: 2007-02-30: YYYY-MM-DDThh:mm:ss from 1970 to 2261 is expected\n  time > 2007-02-30\n         ^' 2
try 'beside what is no time' "trace-filter -c 'size > 2007-02-20' day" '' 'trace-filter: 2007-02-20: compare a date only with time or end, and write time or end first\n*\n*' 2
try 'a date and a number make no range' "trace-filter -c 'time in {2007-02-22..5s}' day" '' 'trace-filter: a range needs two dates or none\n*\n*' 2
# As GNU date has them.
for t in '1795176305 500000000' '951782399 000000001' '4102444800 000000000' '-86400 750000000'; do
	try "date(): $t" "trace-derive 'd = date(time + 0s)' | grep -v '^#' | cut -f 7" "d=$(date -u -d "@${t% *}" +%Y-%m-%dT%H:%M:%S).${t#* }Z" '' 0 \
		"##spoor\t1\n##clock\ts\torigin=${t% *}.000000000\n0.${t#* }\ta\tx\t-\t-\t-\n##end\n"
done
try 'date() of times without a date' "trace-derive 'd = date(time)'" '' '*: date() is a date, but times of this input do not count from a date' 2 '1.0\ta\tx\t-\t-\t-\n'
printf '##spoor\t1\n##clock\ts\torigin=1795176305.25\n1.0\ta\tx\t-\t-\t-\n##end\n' > day
try 'date() as a key and in a test' "trace-stats -g 'date(floor(time, 1s))' -a count day; trace-filter -c 'date(time) ~ \"^2026-11-20T12\"' day" '#date(floor(time,1s))\tcount\n2026-11-20T12:05:06.250000000Z\t1\n1'
