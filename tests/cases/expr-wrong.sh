# shellcheck shell=sh
# expr-wrong.sh - wrong expressions that compute: each is shown with a caret, and nothing is read.
try 'bytes and a time added' "trace-filter 'size + dur > 3' nowhere" '' 'trace-filter: size is in bytes, and dur is a time\n  size + dur > 3\n       ^' 2
try 'bytes beside a time' "trace-filter 'size > dur' nowhere" '' 'trace-filter: size is in bytes, and dur is a time\n  size > dur\n         ^' 2
try 'a text in arithmetic' "trace-filter 'event + 1 = 2' nowhere" '' 'trace-filter: event is a text: + takes numbers\n  event + 1 = 2\n  ^' 2
try 'a time times a time' "trace-filter 'time * dur > 1' nowhere" '' 'trace-filter: a time cannot be multiplied by a time\n  time ? dur > 1\n       ^' 2
try 'a function that is none' "trace-filter 'foo(size) > 3' nowhere" '' 'trace-filter: there is no function foo; there are total, abs, alias, base, bit, coalesce, date, floor, hash, if, len, log2, lower, max, min, part, sub\n  foo(size) > 3\n  ^' 2
try 'a function with a letter missing' "trace-filter 'flor(addr, 4K) = 0' nowhere" '' 'trace-filter: there is no function flor; there is floor\n  flor(addr, 4K) = 0\n  ^' 2
try 'an aggregate where events are tested' "trace-filter 'sum(size) > 3' nowhere" '' 'trace-filter: there is no function sum; there is total\n  sum(size) > 3\n  ^' 2
try 'a call without arguments' "trace-filter 'floor() > 3' nowhere" '' 'trace-filter: floor takes at least 1 argument: floor(x?, step?)\n  floor() > 3\n  ^' 2
try 'a call with too many arguments' "trace-filter 'floor(size, 2, 3) > 3' nowhere" '' 'trace-filter: floor takes at most 2 arguments: floor(x?, step?)\n  floor(size, 2, 3) > 3\n  ^' 2
try 'a call with a comma at its end' "trace-filter 'floor(size,) = 0' nowhere" '' 'trace-filter: an argument is expected\n  floor(size,) = 0\n             ^' 2
try 'if without else' "trace-filter 'if(W) > 3' nowhere" '' 'trace-filter: if takes at least 2 arguments: if(test, x?, y?)\n  if(W) > 3\n  ^' 2
try 'a call that is not closed' "trace-filter 'log2(size > 3' nowhere" '' 'trace-filter: this parenthesis is not closed\n  log2(size > 3\n      ^' 2
try 'a call without a comma' "trace-filter 'abs(size dur) > 3' nowhere" '' 'trace-filter: an operator, a comma or ) is expected\n  abs(size dur) > 3\n           ^' 2
try 'an operator without a blank behind it' "trace-filter 'size *2 > 4' nowhere" '' 'trace-filter: ?2: blanks around "?" make it arithmetic\n  size ?2 > 4\n       ^' 2
try 'a sign without a blank behind it' "trace-filter 'size +4 > 3' nowhere" '' 'trace-filter: +4: blanks around "+" make it arithmetic\n  size +4 > 3\n       ^' 2
try 'an operator that is none' "trace-filter 'size ** 2 > 4' nowhere" '' 'trace-filter: there is no operator ??; there are + - ? / // %: there are no powers: x ? x\n  size ?? 2 > 4\n       ^' 2
try 'a minus before a parenthesis' "trace-filter '0 < -(size)' nowhere" '' 'trace-filter: only numbers have a minus sign: write 0 - (...)\n  0 < -(size)\n      ^' 2
try 'a unit that is none, in arithmetic' "trace-filter 'size > 3X + 1' nowhere" '' 'trace-filter: 3X: no such unit (ns us ms s m h, K M G T, kB MB GB TB)\n  size > 3X + 1\n         ^' 2
try 'arithmetic without blanks, in arithmetic' "trace-filter '2*size + 1 > 5' nowhere" '' 'trace-filter: 2?size: a number is expected: blanks around an operator make it arithmetic\n  2?size + 1 > 5\n  ^' 2
try 'an operator without its right side' "trace-filter 'size + > 3' nowhere" '' 'trace-filter: a value is expected\n  size + > 3\n         ^' 2
try 'arithmetic that ends too early' "trace-filter 'size +' nowhere" '' 'trace-filter: a value is expected\n  size +\n        ^' 2
try 'a value where a test is needed' "trace-filter 'size + 2' nowhere" '' 'trace-filter: a test is expected: compare this value with another\n  size + 2\n  ^' 2
try 'a value in parentheses where a test is needed' "trace-filter 'W and (size + 2)' nowhere" '' 'trace-filter: a test is expected: compare this value with another\n  W and (size + 2)\n         ^' 2
try 'the event before, where a test is needed' "trace-filter 'prev.size' nowhere" '' 'trace-filter: a test is expected: compare this value with another\n  prev.size\n  ^' 2
try 'the event before, of no field' "trace-filter 'prev. = 3' nowhere" '' 'trace-filter: prev.NAME takes a field\n  prev. = 3\n  ^' 2
try 'the event before the one before' "trace-filter 'prev.prev.size = 3' nowhere" '' 'trace-filter: prev.NAME takes a field\n  prev.prev.size = 3\n  ^' 2
try 'the number of the event before' "trace-filter 'prev.nth = 2' nowhere" '' 'trace-filter: prev.NAME takes a field\n  prev.nth = 2\n  ^' 2
try 'a rate beside bytes' "trace-filter 'size > 10MB/s' nowhere" '' 'trace-filter: 10MB/s: compare a rate only with a rate\n  size > 10MB/s\n         ^' 2
try 'a time and bytes added' "trace-filter 'dur + 10MB > 1' nowhere" '' 'trace-filter: dur is a time, and 10MB is in bytes\n  dur + 10MB > 1\n      ^' 2
try 'a time and a rate added' "trace-filter '1s + 10MB/s > dur' nowhere" '' 'trace-filter: 1s is a time, and 10MB/s is a rate\n  1s + 10MB/s > dur\n     ^' 2
try 'a time beside a rate' "trace-filter 'dur > size / dur' nowhere" '' 'trace-filter: dur is a time, and the right side is a number\n  dur > size / dur\n        ^' 2
try 'a rate beside a time' "trace-filter 'size / dur > 5ms' nowhere" '' 'trace-filter: the left side is a number, and 5ms is a time\n  size / dur > 5ms\n               ^' 2
try 'min of one' "trace-filter 'min(size) > 3' nowhere" '' 'trace-filter: min takes at least 2 arguments: min(x, y, ...)\n  min(size) > 3\n  ^' 2
try 'a sum that ends in a set' "trace-filter 'size in {1, 2 + }' nowhere" '' 'trace-filter: a value is expected\n  size in {1, 2 + }\n                  ^' 2
try 'a range without its end' "trace-filter 'size in {1 .. }' nowhere" '' 'trace-filter: a number is expected\n  size in {1 .. }\n                ^' 2
try 'a set without commas' "trace-filter 'size in {1 2}' nowhere" '' 'trace-filter: , or } is expected\n  size in {1 2}\n             ^' 2
try 'a set of nothing' "trace-filter 'size in {}' nowhere" '' 'trace-filter: a number is expected\n  size in {}\n           ^' 2
try 'a range of a text and a number' "trace-filter 'x in {\"a\" .. 3}' nowhere" '' 'trace-filter: a range needs two numbers or two words\n  x in {"a" .. 3}\n        ^' 2
try 'a range of a value and a text' "trace-filter 'x in {lower(y) .. \"b\"}' nowhere" '' 'trace-filter: a range needs two numbers or two words\n  x in {lower(y) .. "b"}\n        ^' 2
try 'a field as a regular expression' "trace-filter 'lower(event) ~ (a)' nowhere" '' 'trace-filter: a regular expression must be a word or a "text"\n  lower(event) ~ (a)\n                  ^' 2
try 'a regular expression that is none, of a value' "trace-filter 'lower(event) ~ \"(\"' nowhere" '' 'trace-filter: Unmatched ( or ?(: (\n  lower(event) ~ "("\n                 ^' 2
try 'a bit and a half' "trace-filter 'size & 1.5' nowhere" '' 'trace-filter: & takes a whole number\n  size & 1.5\n         ^' 2
try 'a regular expression that ends with a backslash' "trace-filter 'event ~ \"a\\\\\"' nowhere" '' 'trace-filter: Trailing backslash: a\\\n  event ~ "a\\\\"\n          ^' 2
try 'a regular expression that is none, of sub' "trace-filter 'sub(event, \"(\", \"\") = a' nowhere" '' 'trace-filter: Unmatched ( or ?(\n  sub(event, "(", "") = a\n             ^' 2
try 'an empty separator' "trace-filter 'part(loc, \"\", 1) = 3' nowhere" '' 'trace-filter: the separator is empty\n  part(loc, "", 1) = 3\n            ^' 2
try 'part 0' "trace-filter 'part(loc, \"/\", 0) = 3' nowhere" '' 'trace-filter: parts are numbered 1, 2, ..., and -1, -2, ... from the end\n  part(loc, "/", 0) = 3\n                 ^' 2
try 'a total of two' "trace-filter 'total(size, 2) > 3' nowhere" '' 'trace-filter: total takes 1 argument: total(x)\n  total(size, 2) > 3\n  ^' 2
try 'a total of texts' "trace-filter 'total(event) > 3' nowhere" '' 'trace-filter: event is a text: total takes numbers\n  total(event) > 3\n        ^' 2
try 'a total of a text' "trace-filter 'total(\"x\") > 3' nowhere" '' 'trace-filter: this is a text: total takes numbers\n  total("x") > 3\n        ^' 2
try 'a right side that is not closed' "trace-filter 'size = (3' nowhere" '' 'trace-filter: this parenthesis is not closed\n  size = (3\n         ^' 2
try 'a condition that is a value' "trace-filter 'if(size + 1, 1, 0) = 1' nowhere" '' 'trace-filter: a test is expected: compare this value with another\n  if(size + 1, 1, 0) = 1\n     ^' 2
try 'a time or bytes' "trace-filter 'if(W, dur, size) > 1' nowhere" '' 'trace-filter: dur is a time, and size is in bytes\n  if(W, dur, size) > 1\n             ^' 2
try 'a time, else bytes' "trace-filter 'coalesce(dur, size) > 1' nowhere" '' 'trace-filter: dur is a time, and size is in bytes\n  coalesce(dur, size) > 1\n                ^' 2
try 'bytes and a step of time' "trace-filter 'floor(size, 4ms) = 1' nowhere" '' 'trace-filter: size is in bytes, and 4ms is a time\n  floor(size, 4ms) = 1\n              ^' 2
try 'bytes by a time' "trace-filter 'size % 1s = 0' nowhere" '' 'trace-filter: size is in bytes, and 1s is a time\n  size % 1s = 0\n       ^' 2
try 'the logarithm of a time' "trace-filter 'log2(dur) = 1' nowhere" '' 'trace-filter: dur is a time: log2 takes numbers, such as a time / a time\n  log2(dur) = 1\n       ^' 2
try 'the bits of a text' "trace-filter 'bit(4, event) = 1' nowhere" '' 'trace-filter: event is a text: bit takes numbers\n  bit(4, event) = 1\n         ^' 2
try 'a time rounded down to nothing' "trace-filter 'floor(time) = 1' nowhere" '' 'trace-filter: time is a time: floor takes numbers, such as a time / a time\n  floor(time) = 1\n        ^' 2
try 'a text without its sign' "trace-filter 'abs(event) = 1' nowhere" '' 'trace-filter: event is a text: abs takes numbers\n  abs(event) = 1\n      ^' 2
try 'two relations' "trace-filter 'a = b = c' nowhere" '' 'trace-filter: "and" or "or" is expected\n  a = b = c\n        ^' 2
try 'two right sides' "trace-filter 'size + 1 = 2 3' nowhere" '' 'trace-filter: "and" or "or" is expected\n  size + 1 = 2 3\n               ^' 2
try 'operators in the wrong order' "trace-filter 'size =< 4' nowhere" '' 'trace-filter: a number is expected: at most is <=\n  size =< 4\n        ^' 2
try 'not without in, behind a sum' "trace-filter 'size + 1 not 3' nowhere" '' 'trace-filter: "in" is expected after FIELD "not"\n  size + 1 not 3\n               ^' 2
try 'a value and a number' "trace-filter 'if(W, 1, 0) 5' nowhere" '' 'trace-filter: "and" or "or" is expected\n  if(W, 1, 0) 5\n              ^' 2
try 'a comparison with whether there was one' "trace-filter 'prev.size? > 1' nowhere" '' 'trace-filter: "and" or "or" is expected\n  prev.size? > 1\n             ^' 2
try 'more than 64 KiB' "trace-filter \"\$(printf '%65537s' '' | tr ' ' a)\" nowhere" '' 'trace-filter: the expression is longer than the limit of 65536 bytes\n*\n*^' 2
try '10001 terms' "trace-filter \"\$(printf '%10000s' '' | sed 's/ /a + /g') a > 3\" nowhere" '' 'trace-filter: the expression has more than 10000 terms\n*\n*^' 2
try 'calls nested too deep' "trace-filter \"\$(printf '%201s' '' | sed 's/ /abs(/g')a\" nowhere" '' 'trace-filter: the expression is nested more than 200 deep\n*\n*^' 2

# How the right ones are understood.
try '-d: of plain fields with constants nothing is computed' "trace-filter -d 'size >= 64K and asu in {0..3} or \"4\" = x and peer = rank' /dev/null" \
	'expression\n  or\n    and\n      size >= 64K\n      asu in 0..3\n    and\n      4 = x\n      peer = rank' '' 0
try '-d: a number on the left is a number' "trace-filter -d '4 < size' /dev/null" \
	'expression\n  <\n    number 4\n    field size' '' 0
try '-d: products bind more closely, and from the left' "trace-filter -d 'a - b - c * d // e > 4' /dev/null" \
	'expression\n  >\n    -\n      -\n        field a\n        field b\n      //\n        *\n          field c\n          field d\n        field e\n    number 4' '' 0
try '-d: parentheses' "trace-filter -d '(a + b) * c % d > 4' /dev/null" \
	'expression\n  >\n    %\n      *\n        +\n          field a\n          field b\n        field c\n      field d\n    number 4' '' 0
try '-d: a page, and a rate' "trace-filter -d 'addr // 8 in {0..127, x} and size / dur < 10MB/s' /dev/null" \
	'expression\n  and\n    in\n      //\n        field addr\n        number 8\n      ..\n        number 0\n        number 127\n      field x\n    <\n      /\n        field size\n        field dur\n      number 10000000' '' 0
try '-d: a field in parentheses, and the event before' "trace-filter -d 'peer = (rank) and peer != prev.peer and not prev.peer?' /dev/null" \
	'expression\n  and\n    and\n      =\n        field peer\n        field rank\n      not =\n        field peer\n        prev\n          field peer\n    not\n      ?\n        prev\n          field peer' '' 0
try '-d: seconds beside a time' "trace-filter -d 'dur + 1 in {0.5, x .. 3s} and dur * 2 > x * dur' /dev/null" \
	'expression\n  and\n    in\n      +\n        field dur\n        as time\n          number 1\n      as time\n        number 0.5\n      ..\n        as time\n          field x\n        time 3.000000000\n    >\n      *\n        field dur\n        number 2\n      *\n        field x\n        field dur' '' 0
try '-d: functions' "trace-filter -d 'if(W, len(file), 0) + floor(addr, 4K) > max(size, 3) and bit(x, 4)' /dev/null" \
	'expression\n  and\n    >\n      +\n        if()\n          1 or 0\n            event glob W\n          len()\n            field file\n          number 0\n        floor()\n          field addr\n          number 4096\n      max()\n        field size\n        number 3\n    not 0\n      bit()\n        field x\n        number 4' '' 0
try '-d: texts' "trace-filter -d 'lower(event) ~ \"^w\" and part(loc, \"/\", 1) = \"0\" and (event) = prev.event' /dev/null" \
	'expression\n  and\n    and\n      ~\n        lower()\n          field event\n        text ^w\n      =\n        part()\n          field loc\n          text /\n          number 1\n        text 0\n    =\n      field event\n      prev\n        field event' '' 0
try '-d: the number and the total' "trace-filter -d 'nth % 1000 = 0 or total(size) >= 1G' /dev/null" \
	'expression\n  or\n    =\n      %\n        nth\n        number 1000\n      number 0\n    >=\n      total\n        field size\n      number 1073741824' '' 0
try '-d: strings: a field on the left, in arithmetic and alone, else a text' "trace-filter -d '\"x y\" = lower(\"A\") and \"z\" + 1 = prev.z and (x) = \"z\"' /dev/null" \
	'expression\n  and\n    and\n      =\n        field x y\n        lower()\n          text A\n      =\n        +\n          field z\n          number 1\n        prev\n          field z\n    =\n      field x\n      text z' '' 0
try '-d: a test as a value' "trace-filter -d '(size > 4K and W) + (asu = 1) = 1' /dev/null" \
	'expression\n  =\n    +\n      1 or 0\n        and\n          size > 4K\n          event glob W\n      1 or 0\n        asu = 1\n    number 1' '' 0
try 'of a long expression 200 bytes are shown' '(trace-filter "+ $(printf %300s size | tr " " 1)" 2>&1 | sed -n 2p | wc -c | tr -d " ")' '203'
