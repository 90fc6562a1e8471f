#!/usr/bin/env bats
# second.bats - spoor-stream(5) says enough: a reader and a writer made from the page alone
# (tests/second, no line of spoor) agree with the programs, byte for byte.

load ../helpers

setup_file() {
	for p in reader writer; do
		${CC:-cc} -std=c11 -O1 -Wall -Wextra -o "$BATS_FILE_TMPDIR/$p" \
			"$ROOT/tests/second/$p.c" -lm
	done
}

setup() {
	enter
	PATH=$BATS_FILE_TMPDIR:$PATH
}

# agree FILE STATUS: the second reader and trace-filter make the same text of a binary stream,
# with a header and without, in every build of the quick paths; both statuses are STATUS.
agree() {
	local header got
	for header in '' -H; do
		got=0
		# shellcheck disable=SC2086
		reader $header < "$1" > want 2>/dev/null || got=$?
		[ "$got" = "$2" ] || { echo "the reader ends with $got"; return 1; }
		got=0
		# shellcheck disable=SC2086
		trace-filter -t $header 'event?' "$1" > got 2>/dev/null || got=$?
		[ "$got" = "$2" ] || { echo "trace-filter ends with $got"; return 1; }
		same want got
	done
}

@test "the second reader reads what the programs write: every fixture" {
	for f in "$FIX"/*/*; do
		case $f in *.txt) continue ;; esac
		status=0
		trace-filter -b 'event?' "$f" > a.b 2>/dev/null || status=$?
		agree a.b $status
	done
}

@test "every kind of argument, arrays, labels, strings, extremes, both clocks" {
	for what in all ticks; do
		writer $what > a.b
		agree a.b 0
		[ "$(grep -vc '^#' want)" = 104 ]
	done
}

@test "the text of some records is what the page says, letter by letter" {
	writer all | trace-filter -t 'event?' > a.txt
	[ "$(sed -n 2p a.txt)" = $'0.000000000\th0/r1\tscalars\t0x1\t18446744073709551615\t0.000000001\tu8=0\tconst=as\\x20it=stands,\tu16=0\tu32=0\tu64=0\ti8=-128\ti16=-32768\ti32=-2147483648\ti64=-9223372036854775808\tx32=0x0\tx64=0x0\tns=-9223372036.854775808\tf64=0\tsym=""\tlast=-1' ]
	[ "$(cut -f 19 a.txt | sed -n '3,23p' | tr '\n' ' ')" = 'f64=0 f64=-0 f64=0.1 f64=0.3333333333333333 f64=1.7976931348623157e+308 f64=2.2250738585072014e-308 f64=5e-324 f64=1.2345678901234568e+17 f64=1000000000000000 f64=1e+16 f64=-2.5e-07 f64=100 f64=1234567.5 f64=9007199254740994 f64=9870000000000000 f64=0.0001 f64=inf f64=-inf f64=nan f64=5e-05 f64=0.3 ' ]
	[ "$(sed -n 24p a.txt)" = $'0.000000000\ta\\x20b/c\\x5cd\tparts\t-\t-\t-\tstr=""\tbetween=0\tbytes=0x\ttext=\tnothing=' ]
	[ "$(sed -n '25,37p' a.txt | cut -f7 | tr '\n' ' ')" = 'str=\x2d str=\x22" str=-- str=a\x20b str=\x5cx41 str=\x5c str=a,b str=é str=\x7f\x09\x0a\x0d str== str=" str=""" str=\x5cx2d ' ]
	[ "$(sed -n 42p a.txt | cut -f 19,20)" = $'a13=\\x2d,h0/r1,a\\x5cx20b/c\\x5cx5cd\ta14="",a\\x2cb,\\x2d' ]
	[ "$(awk '$3 == "labels"' a.txt | sed -n '1p;4p;9p' | cut -f7-)" = "u8=zero	i32=least	x32=0x0	u64=0	u16=	i8=
u8=3	i32=a,b	x32=all	u64=greatest	u16=a\\x2cb,1,two	i8=0,-1,\\x2d
u8=\"\"	i32=2147483647	x32=0x8	u64=8	u16=a\\x2cb,1,two,3,4,5,6,7	i8=0,-1,\\x2d,-3,-4,-5,-6,-7" ]
	[ "$(tail -1 a.txt)" = $'-9223372036.854775808\t""\tboth\t0x0\t0\t-' ]
}

@test "heads that go on, streams one behind the other, no events, lost events" {
	for what in again two; do
		writer $what > a.b
		agree a.b 0
		[ "$(grep -vc '^#' want)" = 208 ]
	done
	writer lost > a.b
	agree a.b 2
	[ "$(tail -1 want)" = $'##error\tevents=104\tlost=5\treason=in\\x20the\\x20first\\x09place' ]
	writer empty > a.b
	status_is 1 trace-filter -tH 'event?' a.b
	[ "$output" = "$(reader -H < a.b)" ]
}

@test "what no writer need do and every reader must take" {
	need_native # parts overlap: spoor-stream(5)
	writer odd > a.b
	agree a.b 0
	[ "$(grep -v '^#' want)" = $'0.000000005\tx\todd\t-\t-\t-\tone=\\x02\\x03\\x04\\x05\ttwo=1284,1798\thead=\\x00\\x00\\x00\\x00\\x01\\x00\\x00\\x00\tend=""' ]
}

@test "text -> binary -> text is identical, and filters answer the same on both" {
	for what in all ticks odd; do
		writer $what > a.b
		trace-filter -tH 'event?' a.b > a.txt
		trace-filter -b 'event?' a.txt > b.b
		trace-filter -tH 'event?' b.b | same a.txt -
		reader -H < b.b | same a.txt -
		for simd in sse2 plain slow; do
			trace-filter --tune simd=$simd 'event?' a.txt | same a.txt -
		done
	done
	writer all > a.b
	trace-filter -tH 'event?' a.b > a.txt
	while read -r e; do
		got=0 want=0
		trace-filter -t "$e" a.b > got || got=$?
		trace-filter -t "$e" a.txt | grep -v '^#' > want || want=$?
		same want got
		[ -s got ] || { echo "nothing matches: $e"; return 1; }
	done <<-'END'
		u8 > 3
		i32 < 0 and not (i32 = "minus one")
		f64 > 0.2
		ns <= 0s
		sym ~ "x"
		const = "as it=stands,"
		str = "a b"
		str = "-" or str = ""
		u8 = zero or i32 = "a,b"
		a13 & h0/r1
		x64 >= 0xffff
		loc2 = r1 and host = h0
		dur < 0
		size in {0..3}
		i64 in {-9223372036854775808..-1}
		end > 3s
		time < -1s
		event = "an event\x09whose-name-is-longer-than-thirty-two-bytes" or addr = 10000000000000000000
	END
}

# A stream cut or changed anywhere costs both readers the same events.
@test "damage: both readers keep the same lines and end with the same status" {
	need_native # parts overlap: spoor-stream(5)
	writer odd > a.b
	n=$(wc -c < a.b)
	[ "$n" -gt 500 ]
	for ((i = 0; i < n; i += 5)); do
		head -c "$i" a.b > cut.b
		damaged cut.b
		{ head -c "$i" a.b; printf '\xfd'; tail -c "+$((i + 2))" a.b; } > set.b
		damaged set.b
	done
}

damaged() {
	local want=0 got=0
	reader < "$1" > want 2>/dev/null || want=$?
	trace-filter -f binary -t 'event?' "$1" > got 2>/dev/null || got=$?
	cmp want got || { echo "byte $i: $1"; return 1; }
	[ "$((want == 2))" = "$((got == 2))" ] || { echo "byte $i: $1: status $want and $got"; return 1; }
}
