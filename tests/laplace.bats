#!/usr/bin/env bats
# laplace.bats - Laplace references and kernel events, and laplace-bin2txt.

load helpers

L=$FIX/laplace

@test "the description's example, both ways" {
	[ "$(laplace-bin2txt "$L/seed.ref")" = 'r 123456789abcdef0 4 9f8e7 9a8b7c6d' ]
	laplace-bin2txt -r "$L/seed.reftxt" | same "$L/seed.ref" -
}

@test "binary -> text -> binary is identical, in both byte orders" {
	for order in little big; do
		laplace-bin2txt "$L/merged-head.ref" | laplace-bin2txt -r --order "$order" > a.ref
		laplace-bin2txt --order "$order" a.ref > a.txt
		laplace-bin2txt "$L/merged-head.ref" | same a.txt -
		# Found out by itself as well.
		laplace-bin2txt a.ref | same a.txt -
	done
	laplace-bin2txt "$L/merged-head.ref" | laplace-bin2txt -r | same "$L/merged-head.ref" -
}

@test "the text is what od and awk make of the records" {
	od -An -v -tx1 -w18 "$L/merged-head.ref" | awk '
		function strip(s) { sub(/^0+/, "", s); return s == "" ? "0" : s }
		{ t = ""; for (i = 9; i >= 2; i--) t = t $i
		  a = $14 $13 $12 $11; b = $18 $17 $16 $15
		  c = $1 == "69" ? "i" : $1 == "72" ? "r" : $1 == "77" ? "w" : "?"
		  print c, strip(t), strip($10), strip(a), strip(b) }' > want
	laplace-bin2txt "$L/merged-head.ref" > got
	same want got
}

@test "--pad writes every number in its full width" {
	[ "$(laplace-bin2txt --pad "$L/seed.ref")" = 'r 123456789abcdef0 04 0009f8e7 9a8b7c6d' ]
	laplace-bin2txt --pad "$L/merged-head.ref" | awk 'length($0) != 39 { exit 1 }'
	laplace-bin2txt --pad "$L/merged-head.ref" | laplace-bin2txt -r | same "$L/merged-head.ref" -
}

@test "a torn last record and an unprintable type are told with their offsets" {
	{ cat "$L/seed.ref"; printf '\001234567890123456789'; head -c 7 "$L/seed.ref"; } > a.ref
	status_is 2 laplace-bin2txt --order little a.ref
	[ "$output" = 'r 123456789abcdef0 4 9f8e7 9a8b7c6d' ]
	has "$stderr" 'a.ref: offset 18: a record of type 0x01'
	has "$stderr" 'a.ref: offset 38: the last record is incomplete: 7 of its 18 bytes' ||
		has "$stderr" 'the last record is incomplete'
}

@test "a clock that goes back is said once, and nothing is dropped" {
	for i in 1 2 3; do cat "$L/merged-head.ref"; done > a.ref
	status_is 2 laplace-bin2txt a.ref
	[ "$(wc -l <<<"$output")" = 600 ]
	[ "$(grep -c 'clock goes back' <<<"$stderr")" = 1 ]
	has "$stderr" 'offset 3600'
}

@test "every kernel event of the description: name, columns and arguments" {
	trace-filter 'event?' "$L/seed.kern" > got
	same "$L/seed.kern.txt" got
	[ "$(cut -f3 got | sort -u | wc -l)" = 22 ]
}

@test "native kernel and reference lines come out as they stood" {
	trace-filter -n 'event?' "$L/k32-excerpt.kern" | same "$L/k32-excerpt.kern" -
	trace-filter -n 'event?' "$L/seed.reftxt" | same "$L/seed.reftxt" -
	trace-filter -n 'event?' "$L/merged-head.ref" | same "$L/merged-head.ref" -
}

@test "reference text and binary give the same events" {
	laplace-bin2txt "$L/merged-head.ref" > a.reftxt
	trace-filter 'event?' a.reftxt > a
	laplace-bin2txt -t "$L/merged-head.ref" > b
	same a b
}

@test "a kernel trace without its end was cut off" {
	grep -v '^c' "$L/k32-excerpt.kern" > a.kern
	status_is 2 trace-filter 'event?' a.kern
	has "$stderr" 'a.kern: the kernel trace was cut off'
	[ "$(wc -l <<<"$output")" = 74 ]
}

@test "the end is a line of c alone, or with dashes and blanks behind" {
	printf 's 10 5\nc 11 4 5 6\ns 12 7\nc - \n' > a.kern
	status_is 0 trace-filter -F event 'event?' a.kern
	[ "$(xargs <<<"$output")" = 'schedule c schedule end' ]
}

@test "--strict stops at the first broken record and where the clock goes back, as events too" {
	{ head -c 900 "$L/merged-head.ref"; printf ' 23456789012345678'; tail -c +901 "$L/merged-head.ref"; } > a.ref
	cat "$L/merged-head.ref" "$L/merged-head.ref" > b.ref
	for o in --order=little -t; do
		status_is 2 laplace-bin2txt $o --strict -f laplace a.ref
		[ "$(wc -l <<<"$output")" = 50 ]
		has "$stderr" 'offset 900: a record of type 0x20'
		status_is 2 laplace-bin2txt $o --strict -f laplace b.ref
		[ "$(wc -l <<<"$output")" = 200 ]
	done
}

@test "leading zeros do not make a number too long" {
	printf 'r 00000000000000000010 004 5 6\n' | laplace-bin2txt -r | laplace-bin2txt > got
	[ "$(cat got)" = 'r 10 4 5 6' ]
	status_is 2 laplace-bin2txt -r -f laplace-text <(printf 'r 10000000000000000 4 5 6\n')
	has "$stderr" 'longer than 64 bits'
}

@test "-r --line-buffered writes what has come in" {
	mkfifo in out
	laplace-bin2txt -r --line-buffered < in > out &
	exec 5> in 6< out
	printf 'r 10 4 5 6\n' >&5
	timeout 10 head -c 18 <&6 > got || :
	exec 5>&- 6<&-
	[ "$(wc -c < got)" = 18 ]
}

@test "broken kernel records: line, field and reason; the rest goes on" {
	printf 's 10 5\nF 11 zz 5\nX 12 5 1 2 3\ns 13 5 6\ns 14\nm 15 5 1000 20\n-\nc--\n' > a.kern
	status_is 2 trace-filter 'event?' a.kern
	[ "$(wc -l <<<"$output")" = 3 ]
	has "$stderr" 'a.kern:2: field 3 \(pid\) of fork: "zz": not a hexadecimal number'
	has "$stderr" 'a.kern:3: field 7 \(file\) of exec: "": a name is missing'
	has "$stderr" 'a.kern:4: more fields than schedule has: "6"'
	has "$stderr" 'a.kern:5: field 3 \(pid\) of schedule'
	has "$stderr" 'a.kern:7: field 2 \(timestamp\)'
}

@test "a file name is the rest of its line, blanks and all" {
	printf '( 10 5 1 2 3 a b\\c \nc\n' > a.kern
	status_is 0 trace-filter -F event,file 'file = "a b\\c "' a.kern
	[ "$output" = $'open\ta\\x20b\\x5cc\\x20' ]
	trace-filter -n 'open' a.kern | same <(head -1 a.kern) -
}

@test "T is an exit of the kernel, or a reference where five fields say so" {
	printf 'T 10 5\nT 11 4 1015a 80b1d32\nc\n' > a.kern
	[ "$(trace-filter -F event 'event?' a.kern | xargs)" = 'exit T end' ]
}

@test "--hz turns ticks into seconds; without it a time with a unit is an error that names it" {
	status_is 2 trace-filter 'time < 1s' "$L/merged-head.ref"
	has "$stderr" '--hz'
	printf 's 10 5\ns 1a 5\nc\n' > a.kern
	[ "$(trace-filter --hz 10 -F time 'time <= 1s' a.kern | xargs)" = '0.000000000 1.000000000 1.000000000' ]
}

@test "--hz: a frequency is decimal" {
	printf 's 0 5\ns 77359400 5\nc\n' > a.kern # 2 * 10^9 ticks
	for hz in 2000000000 2G 2GHz 2e9 0x77359400 2000M 2000000k 2000000KHz 2.0GHz; do
		[ "$(trace-filter --hz $hz -F time schedule a.kern | tail -1)" = 1.000000000 ]
	done
	for hz in 2T 2GiB 2Gs Hz 0 -1G 1.5 ''; do
		status_is 2 trace-filter --hz "$hz" schedule a.kern
		has "$stderr" '^trace-filter: --hz: '
	done
}

@test "real kernel traces: all records, all tags" {
	need_traces laplace
	for f in "$TRACES"/laplace/*.kern.txt; do
		status_is 0 trace-filter -c 'event?' "$f"
		[ "$output" = "$(wc -l < "$f")" ]
		trace-filter -n 'event?' "$f" | same "$f" -
	done
}

@test "a million real references: round trip, and counts by type" {
	need_traces laplace
	command -v xz >/dev/null || skip "xz is not there"
	xz -dc "$TRACES/laplace/merged-1M.ref.bin.xz" > a.ref
	laplace-bin2txt a.ref > a.txt
	[ "$(wc -l < a.txt)" = 1000000 ]
	laplace-bin2txt -r a.txt | same a.ref -
	for c in i r w; do
		[ "$(trace-filter -c "$c" a.ref)" = "$(grep -c "^$c " a.txt)" ]
	done
}

@test "options of the event stream choose it, and contradict -r and --pad" {
	for o in -t -H -A '--hz 1e9'; do
		# shellcheck disable=SC2086
		status_is 0 laplace-bin2txt $o "$FIX/laplace/seed.ref"
		has "$output" $'\t0x9f8e7\tr\t0x9a8b7c6d\t4\t-$'
		# shellcheck disable=SC2086
		status_is 2 laplace-bin2txt --pad $o "$FIX/laplace/seed.ref"
		# shellcheck disable=SC2086
		status_is 2 laplace-bin2txt -r $o "$FIX/laplace/seed.reftxt"
	done
}

@test "text where records are expected, and the other way, is refused by name" {
	status_is 2 laplace-bin2txt "$L/seed.kern"
	has "$stderr" 'seed.kern: this is laplace-text .*, not laplace'
	status_is 2 laplace-bin2txt -r "$L/merged-head.ref"
	has "$stderr" 'this is laplace .*, not laplace-text'
}
