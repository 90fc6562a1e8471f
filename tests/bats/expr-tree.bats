#!/usr/bin/env bats
# expr-tree.bats - lists of expressions, definitions and aggregates as they are understood; the
# bounds of an expression.

load ../helpers

setup_file() {
	# shellcheck disable=SC2086  # CC may hold flags
	$CC -std=c11 -D_XOPEN_SOURCE=700 -g -I"$ROOT/common" -I"$ROOT/cmd/lib" -I"$ROOT/cmd" -o "$BATS_FILE_TMPDIR/exprs" \
		"$ROOT/tests/unit/expr_tree.c" "$ROOT/build/libcmd.a" "$ROOT/build/libspoor.a" -pthread -lm
}

setup() {
	need_native
	enter
	PATH=$BATS_FILE_TMPDIR:$PATH
}

# tree TEXT [WORD...] < TREE: the text is understood so.
tree() {
	cat > want
	exprs "${@:2}" <<<"$1" > got
	same want got
}

# wrong TEXT PLACE MESSAGE [WORD...]: the message, with a caret PLACE blanks from the left.
wrong() {
	status_is 2 exprs "${@:4}" <<<"$1"
	[ "$stderr" = "$(printf 'exprs: %s\n  %s\n  %*s^' "$3" "$1" "$2" '')" ] || { echo "$stderr"; return 1; }
}

@test "a list: names, labels, and fields that stay plain" {
	tree 'time , page = addr // 4096,size / dur,"x y"' list <<'END'
time
  field time
page
  //
    field addr
    number 4096
size/dur
  /
    field size
    field dur
x y
  field x y
plain field time
plain field x y
END
	tree 'peer|dest, (size), 5, x?, nth, prev.size' list <<'END'
peer|dest
  field peer|dest
(size)
  field size
5
  number 5
x?
  1 or 0
    x ?
nth
  nth
prev.size
  prev
    field size
plain field peer|dest
END
	tree 'len("a\" b") + len( "\\" ), "c d"' list <<'END'
len("a\" b")+len("\\")
  +
    len()
      text a" b
    len()
      text \
c d
  field c d
plain field c d
END
}

@test "a list: a word is a field, a comparison 1 or 0; a leading NAME = names, == compares" {
	tree 'W, big = size > 4K, (a = b), a == b, a = b, c = a = b' list <<'END'
W
  field W
big
  1 or 0
    size > 4K
(a=b)
  1 or 0
    a = b
a==b
  1 or 0
    a = b
a
  field b
c
  1 or 0
    a = b
plain field W
plain field b
END
}

@test "definitions see those before them, and themselves in prev" {
	tree 'run = if(addr = prev.addr, prev.run + 1, 1), x =, y = run * 2, size = size * 2, s = size, l = (run > 3)' \
		defines <<'END'
run
  if()
    1 or 0
      =
        field addr
        prev
          field addr
    +
      as number
        prev
          definition run
      number 1
    number 1
x
y
  *
    definition run
    number 2
size
  *
    field size
    number 2
s
  definition size
l
  1 or 0
    >
      definition run
      number 3
END
}

@test "gap is time less the time before, where it is computed with" {
	tree 'gap, gap / 2, arg.gap' list gap <<'END'
gap
  field gap
gap/2
  /
    -
      field time
      prev
        field time
    number 2
arg.gap
  field arg.gap
plain field gap
plain field arg.gap
END
	tree 'gap / 2' list <<'END'
gap/2
  /
    field gap
    number 2
END
}

@test "aggregates: alone, of fields and sums, of rows; min and max of two are functions" {
	tree 'count, bw = sum(size) / sum(dur), p99(addr // 8), max(size), max(count, 1), all(count), sum(count), top("x y",2)' \
		list aggregates <<'END'
count
  aggregate count
bw
  /
    aggregate sum(size)
      field size
    aggregate sum(dur)
      field dur
p99(addr//8)
  aggregate p99(addr // 8)
    //
      field addr
      number 8
max(size)
  aggregate max(size)
    field size
max(count,1)
  max()
    aggregate count
    number 1
all(count)
  aggregate all(count)
    aggregate count
sum(count)
  aggregate sum(count)
    field count
top("x y",2)
  aggregate top("x y",2)
    field x y
    number 2
END
	tree 'sum(max(size, 4)) - max(sum(max(addr, 1)), 2)' list aggregates <<'END'
sum(max(size,4))-max(sum(max(addr,1)),2)
  -
    aggregate sum(max(size, 4))
      max()
        field size
        number 4
    max()
      aggregate sum(max(addr, 1))
        max()
          field addr
          number 1
      number 2
END
}

@test "a time and a rate need a clock with a unit" {
	tree '5ms // dur, x' list <<'END'
5ms//dur
  //
    time 0.005000000
    field dur
x
  field x
plain field x
the clock must have a unit: 5ms
END
	tree 'size / dur > 4K/s' <<'END'
expression
  >
    /
      field size
      field dur
    number 4096
the clock must have a unit: 4K/s
END
}

@test "constants: as exact as they are typed" {
	tree '18446744073709551615, -9223372036854775808, 0xffffffffffffffff, 1.5K, 0.1, 1.123456789, 1.1234567891, 1e3, 18446744073709551616, 1.5ms' \
		list <<'END'
18446744073709551615
  number 18446744073709551615
-9223372036854775808
  number -9223372036854775808
0xffffffffffffffff
  number 18446744073709551615
1.5K
  number 1536
0.1
  number 0.1
1.123456789
  number 1.123456789
1.1234567891
  number 1.1234567891
1e3
  number 1000
18446744073709551616
  number 1.8446744073709552e+19
1.5ms
  time 0.001500000
the clock must have a unit: 1.5ms
END
}

@test "lists that are wrong" {
	wrong '' 0 'the expression is empty' list
	wrong 'a,,b' 2 'a field or an expression is expected' list
	wrong 'a, ' 3 'a field or an expression is expected' list
	wrong 'a =' 3 'a field or an expression is expected' list
	wrong 'a b' 2 'an operator or a comma is expected' list
	wrong 'a)' 1 'this parenthesis was never opened' list
	wrong 'x = size + dur' 9 'size is in bytes, and dur is a time' list
	wrong 'a, b = 3' 0 'NAME = is expected' defines
	wrong 'a =, b = a' 9 'a was dropped by a =' defines
	wrong 'x = prev.nth' 4 'prev.NAME takes a field, or a name that is defined before' defines
	wrong 'sum(max(size))' 4 'max takes at least 2 arguments: max(x, y, ...)' list aggregates
	wrong 'sum(p99(size))' 4 'there is no function p99; there are total, abs, alias, base, bit, coalesce, date, floor, hash, if, len, log2, lower, max, min, part, sub' \
		list aggregates
}

@test "a chain of 10000 terms, 3000 definitions, and 200 calls in each other take no time" {
	{ printf 'a + %.0s' {1..9998}; echo 'a > 3'; } > chain
	{ seq 2 3000 | awk '{ printf "d%s = d%s + 1, ", $1, $1 - 1 }'; echo 'x = d3000'; } > lets
	{ printf 'max(%.0s' {1..190}; printf 'count'; printf ', 1)%.0s' {1..190}; } > calls
	{ printf 'x + 1 in {0'; printf ', %s' $(seq 9000); echo '}'; } > items
	printf '%s\n' chain lets calls items > all
	timeout 20 sh -c 'exprs < chain | tail -1; exprs defines < lets | tail -1; exprs list aggregates < calls | wc -l
		exprs < items | wc -l' > got
	printf '%s\n' '    number 3' '  definition d3000' 382 9006 | same - got
}

# A time can be added to a time or a plain number alone, bytes to a number or a plain one.
@test "what a value measures" {
	while IFS='|' read -r what e; do
		got=$(exprs <<<"($e) + 1s = 1" > /dev/null 2>&1 && echo time || :)$(
			exprs <<<"($e) + 1K = 1" > /dev/null 2>&1 && echo number || :)
		[ "$got" = "${what/plain/timenumber}" ] || { echo "$e: $got, not $what"; return 1; }
	done <<'END'
time|time
time|dur
time|end
number|addr
number|size
plain|x
plain|arg.size
plain|3
plain|1.5
time|3ms
number|3K
number|3K/s
number|nth
plain|x = 1
plain|size?
number|len(event)
number|hash(x)
number|bit(x, 4)
number|log2(x)
plain|part(loc, "/", 1)
plain|lower(event)
|event
time|dur + x
time|3 - dur
number|size + x
plain|x - 3
time|dur % 3
number|3 % size
time|dur * x
time|x * dur
time|size * dur
number|size * x
plain|x * x
number|dur / time
time|dur / size
time|dur / 2
number|size / dur
number|2 / dur
number|size / 2
plain|x / 2
number|dur // 2
number|dur // time
time|dur // size
number|size // dur
number|x // dur
number|size // x
plain|x // x
time|abs(dur)
time|floor(dur, 3)
number|floor(size)
plain|floor(x)
time|max(3, x, dur)
number|min(size, 3)
plain|min(x, 3)
time|if(size = 3, x, dur)
number|if(dur = 3, size, x)
plain|if(W, "a", dur)
time|coalesce(x, dur)
time|prev.dur
plain|prev.x
time|total(dur)
number|total(size)
END
}

@test "a plain number beside a time is wrapped as one, on either side, in sums, relations and calls" {
	while IFS='|' read -r n e; do
		[ "$(exprs <<<"$e" | grep -c 'as time$')" = "$n" ] || { echo "$e"; exprs <<<"$e"; return 1; }
	done <<'END'
0|dur + 1s = 3s
1|dur + 1 = 3s
1|1 + dur = 3s
2|1 + dur = 3
1|3 = dur
1|x = (dur)
2|dur + 0s in {1, 2}
2|dur + 0s in {1 .. 2}
2|(x) in {1, 2s}
1|dur // 2 = 3
1|dur % 2 = 0s
0|dur * 2 = 0s
0|dur / 2 = 0s
0|dur // size = 0s
1|min(dur, 1) = 0s
1|if(W, 0, dur) = 0s
0|if(W, 0, size) = 0
0|dur + 0s ~ 3
END
}

@test "a complete sum must fit 64 bits, a part of one need not" {
	fits() { [ "$(exprs "${@:3}" <<<"$1" | xargs)" = "$2" ] || { echo "$1"; exprs "${@:3}" <<<"$1"; return 1; }; }
	fits 'a * b + c * d > 3' 6 fits
	fits '(a + b) * c in {d + 1 .. 3, abs(a * 2)}' '8 18 34 28' fits
	fits 'a + b, x = 3 - total(a * b), size' '2 23 15 13' list fits
	fits 'sum(a * b) / 2' '6 11' list aggregates fits
	# What is compared with a time is a complete sum before it is one; an argument as a time is complete.
	fits 'a * 2 = dur' 2 fits
	fits 'max(a, dur) = 0s' '4 0' fits
	fits 'a + 1 + dur = 0s' 6 fits
}
