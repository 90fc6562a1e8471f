#!/usr/bin/env bats
# streams.bats - the text and the binary stream: what goes in comes out, what is broken is told.

load helpers

@test "fixture pairs: each native file gives the text beside it" {
	n=0
	for want in "$FIX"/*/*.txt; do
		trace-filter 'event?' "${want%.txt}" > got 2>/dev/null || [ "$?" = 2 ]
		same "$want" got
		n=$((n + 1))
	done
	[ "$n" -ge 7 ]
}

@test "text -> binary -> text, and native -> binary -> text, are the text" {
	for want in "$FIX"/*/*.txt; do
		trace-filter -b 'event?' "$want" | trace-filter -t 'event?' | same "$want" -
		trace-filter -b 'event?' "${want%.txt}" 2>/dev/null > a.bin || [ "$?" = 2 ]
		trace-filter -t 'event?' a.bin 2>/dev/null > got || [ "$?" = 2 ]
		same "$want" got
		# Once more through both.
		trace-filter -b 'event?' a.bin 2>/dev/null > b.bin || [ "$?" = 2 ]
		trace-filter -t 'event?' b.bin > got 2>/dev/null || [ "$?" = 2 ]
		same "$want" got
	done
}

@test "a filter gives the same on all forms" {
	for want in "$FIX"/*/*.txt; do
		trace-filter -b 'event?' "${want%.txt}" 2>/dev/null > a.bin || :
		for e in 'size > 4' 'loc ~ "1"' 'event ~ "[rRw]"'; do
			trace-filter -t "$e" "$want" > a 2>/dev/null || :
			trace-filter -t "$e" a.bin > b 2>/dev/null || :
			trace-filter -t "$e" "${want%.txt}" > c 2>/dev/null || :
			same a b
			same a c
		done
	done
}

@test "texts of every kind survive: escapes, empties, dashes, arrays, numbers, UTF-8" {
	printf '%s\n' \
		$'1.000000000\ta/b\\x20c/0\te\\x5cv\t-\t-\t-\ts=""\tt=\\x2d\tu=\\x22"\tv=\tw=1,2,3\tx=0x00ff\ty=-5\tz=007' \
		$'-0.500000000\t-\té\t0xffffffffffffffff\t18446744073709551615\t0.000000001\ta=18446744073709551616\tb=-0\tc=1.5\td==\te=a=b' \
		$'9223372036.854775807\tx\ty\t0\t0\t-1.000000000\tlong_argument_name_that_is_more_than_thirty_two_bytes=1' \
		$'0.000000000\tthis-location-is-longer-than-the-32-bytes-of-a-slot/and/has/parts\tthis_event_has_a_name_longer_than_any_slot\t-\t-\t-' > a.txt
	trace-filter 'event?' a.txt | same a.txt -
	trace-filter -b 'event?' a.txt | trace-filter -t 'event?' | same a.txt -
	[ "$(trace-filter -c 'w & 2' a.txt)" = 1 ]
	[ "$(trace-filter -c 's = ""' a.txt)" = 1 ]
	[ "$(trace-filter -c 'loc2 = "b c"' a.txt)" = 1 ]
	[ "$(trace-filter -c 'event = "e\\v"' a.txt)" = 1 ]
	[ "$(trace-filter -c 'y = -5 and z = 7 and x = 255' a.txt)" = 1 ]
	trace-filter -b 'event?' a.txt > a.bin
	[ "$(trace-filter -c 't = "-" and y < 0' a.bin)" = 1 ]
}

@test "-H: a header, an end with the count, and the same events between" {
	trace-filter -H 'W' "$FIX/spc/Financial1-head.spc" > h.txt
	[ "$(head -1 h.txt)" = $'##spoor\t1' ]
	[ "$(tail -1 h.txt)" = $'##end\tevents='"$(grep -vc '^#' h.txt)" ]
	grep -v '^#' h.txt | same <(trace-filter W "$FIX/spc/Financial1-head.spc") -
	# Accepted, and passed on.
	trace-filter W h.txt | same h.txt -
	trace-filter -b W h.txt | trace-filter -t -H W | same h.txt -
	[ "$(trace-filter -c 'asu = 1' h.txt)" = "$(trace-filter -c 'W and asu = 1' "$FIX/spc/Financial1-head.spc")" ]
	# Two of them, one behind the other, also through sort.
	cat h.txt h.txt | trace-filter W > hh.txt
	[ "$(grep -c '^##spoor' hh.txt)" = 2 ]
	LC_ALL=C sort h.txt | trace-filter -c W
}

@test "a header without its end was cut off: status 2" {
	trace-filter -H W "$FIX/spc/Financial1-head.spc" | head -n -1 > cut.txt
	status_is 2 trace-filter -c W cut.txt
	has "$stderr" 'cut.txt: the stream was cut off'
}

@test "what the producer lost travels along: ##error and LOST give status 2 downstream" {
	spc-cat -H "$FIX/spc/spec-example.spc" > a.txt 2>/dev/null || :
	has "$(tail -1 a.txt)" $'^##error\tevents=10\tlost=1\treason=.*spec-example.spc:9'
	status_is 2 trace-filter -c W a.txt
	[ "$output" = 8 ]
	has "$stderr" 'the producer of this stream had trouble'
	spc-cat -b "$FIX/spc/spec-example.spc" > a.bin 2>/dev/null || :
	status_is 2 trace-filter -c W a.bin
	[ "$output" = 8 ]
	has "$stderr" '1 event lost'
}

@test "cat of binary streams is a binary stream" {
	spc-cat -b "$FIX/spc/Financial1-head.spc" > a.bin
	trace-filter -b 'event?' "$FIX/laplace/k32-excerpt.kern" > b.bin
	cat a.bin b.bin a.bin > c.bin
	[ "$(trace-filter -c 'event?' c.bin)" = $((161 + 75 + 161)) ]
	trace-filter -t 'event?' c.bin > got
	cat "$FIX"/spc/Financial1-head.spc.txt "$FIX"/laplace/k32-excerpt.kern.txt "$FIX"/spc/Financial1-head.spc.txt | same got -
}

@test "a binary stream that is cut anywhere keeps its whole events, and says so" {
	spc-cat -b "$FIX/spc/WebSearch2-first10.spc" > a.bin
	spc-cat "$FIX/spc/WebSearch2-first10.spc" > a.txt
	n=$(wc -c < a.bin)
	last=0
	for cut in $(seq 1 13 $((n - 1))); do
		head -c "$cut" a.bin > b.bin
		status_is 2 trace-filter -f binary -t 'event?' b.bin
		[ -n "$stderr" ]
		k=0
		[ -z "$output" ] || k=$(wc -l <<<"$output")
		[ "$k" -ge "$last" ]
		last=$k
		head -n "$k" a.txt | same <([ -z "$output" ] || printf '%s\n' "$output") -
	done
	[ "$last" = 10 ]
}

@test "broken lines of text: line, field, reason; the rest goes on" {
	printf '%s\n' $'1.0\ta\te\t1\t2\t-' $'x\ta\te\t1\t2\t-' $'1.0\t\te\t1\t2\t-' $'1.0\ta\te\t1' \
		$'1.0\ta\te\t0xg\t2\t-' $'1.0\ta\te\t1\t-2\t-' $'1.0\ta\te\t1\t2\t1.1234567890' \
		$'1.0\ta\t-\t1\t2\t-' $'1.0\ta\te\t1\t2\t3\tnovalue' $'1.0\ta\te\t1\t2\t3\tv=1' > a.txt
	status_is 2 trace-filter -b 'event?' a.txt
	has "$stderr" 'a.txt:2: field 1 \(time\): "x": '
	has "$stderr" 'a.txt:3: field 2 \(loc\): "": it is empty'
	has "$stderr" 'a.txt:4: 4 of the six columns'
	has "$stderr" 'a.txt:5: field 4 \(addr\): "0xg": not a hexadecimal'
	has "$stderr" 'a.txt:6: field 5 \(size\): "-2": not a whole'
	has "$stderr" 'a.txt:7: field 6 \(dur\): "1.1234567890": more than nine'
	has "$stderr" 'a.txt:8: field 3 \(event\)'
	has "$stderr" 'a.txt:9: argument 1: "novalue"'
	has "$stderr" '8 records skipped'
}

@test "more locations and events than a table holds: bounded memory, same text" {
	awk 'BEGIN { for (i = 0; i < 60000; i++) printf "%d.000000000\tl%d/%d\te%d\t1\t2\t-\ta%d=%d\n", i, i, i % 7, i % 20000, i % 3, i }' > a.txt
	trace-filter -b 'event?' a.txt | trace-filter -t 'event?' | same a.txt -
	[ "$(trace-filter -b 'event?' a.txt | trace-filter -c 'loc2 = 3')" = "$(awk -F'[/\t]' '$3 == 3' a.txt | wc -l)" ]
	[ -n "${SPOOR_EMULATED-}" ] || # an emulator needs memory of its own
		bash -c 'ulimit -v 60000; exec "$@"' _ trace-filter -c 'loc ~ "7"' a.txt
}

@test "-A adds the origin, -H says it; a stream without a clock of seconds has ticks" {
	printf '##spoor\t1\n##clock\ts\torigin=100.500000000\n1.000000000\ta\te\t-\t-\t-\n##end\tevents=1\n' > a.txt
	[ "$(trace-filter -A e a.txt | grep -v '^#' | cut -f1)" = 101.500000000 ]
	printf '5\ta\te\t-\t-\t7\n6\tb\te\t-\t-\t-\n' > t.txt
	trace-filter -b e t.txt | trace-filter -t e | same t.txt -
	[ "$(trace-filter --hz 2 e t.txt | xargs)" = '0.000000000 a e - - 3.500000000 0.500000000 b e - - -' ]
}

@test "the binary stream's bytes hang on the events alone, not on how the input arrived" {
	awk 'BEGIN { for (i = 0; i < 40000; i++) printf "%d.%09d\tl%d\te%d\t%d\t-\t-\tk%d=%d\n", i, i, i % 18000, i % 7, i, i % 300, i }' > many.txt
	awk 'BEGIN { for (i = 0; i < 20000; i++) printf "%d,%d,512,r,%d.5\n", i, i, i }' > many.spc
	awk 'BEGIN { for (i = 0; i < 20000; i++) printf "r %d 4 %x 10\n", i, i }' > many.reftxt
	laplace-bin2txt -r many.reftxt > many.ref
	# Without arguments, each column with a value or without, in seconds and in ticks.
	for clock in ticks s; do
		awk -v clock=$clock 'BEGIN {
			for (i = 0; i < 4000; i++) {
				f = clock == "s" ? ".000000001" : ""
				printf "%d%s\t%s\te\t%s\t%s\t%s\n", i, f, i % 3 ? "l" : "-", i % 5 % 2 ? i : "-", i % 7 % 2 ? i : "-", i % 2 ? i f : "-"
			} }' > many.$clock
	done
	for f in many.*; do
		trace-filter -b 'event?' "$f" > want
		for size in 100 4000 70000; do
			SPOOR_READ=$size trace-filter -b 'event?' "$f" | same want -
		done
		SPOOR_SIMD=slow trace-filter -b 'event?' "$f" | same want -
		trace-filter -t 'event?' want > want.txt
		trace-filter -t 'event?' "$f" | same want.txt -
	done
	# Nor on what memory held before, where the C library can fill it.
	for f in "$FIX"/*/*; do
		MALLOC_PERTURB_=85 trace-filter -b 'event?' "$f" > want 2>/dev/null || [ $? -lt 3 ]
		MALLOC_PERTURB_=170 trace-filter -b 'event?' "$f" 2>/dev/null | same want -
	done
}

@test "a NUL in an argument's name is an error; other control bytes are escaped, both ways" {
	printf '1.000000000\tl\te\t-\t-\t-\ta\0b=1\n2.000000000\tl\te\t-\t-\t-\tc\1=2\n' > a.txt
	status_is 2 trace-filter -tA 'event?' a.txt
	[ "$output" = $'2.000000000\tl\te\t-\t-\t-\tc\\x01=2' ]
	has "$stderr" '^trace-filter: a.txt:1: argument 1: "a\\x00b=1": a NUL in a name'
	trace-filter -b 'event?' a.txt 2>/dev/null > a.bin || :
	[ "$(trace-filter -t 'event?' a.bin 2>/dev/null)" = "$output" ]
}

@test "lines of many arguments and long arrays, at every place of the output's buffer" {
	awk 'BEGIN { for (i = 0; i < 4000; i++) {
		printf "%d.000000000\tl\te%d\t-\t-\t-", i, i % 3
		for (k = 0; k < (i % 3 ? 90 : 20); k++) printf "\tname%d=%s", k, k % 2 ? -9223372036854775807 : "x" i
		print "" } }' > a.txt
	trace-filter -b 'event?' a.txt > a.bin
	trace-filter -t 'event?' a.bin | same a.txt -
	asan=$ROOT/build/asan/bin/trace-filter
	[ ! -x "$asan" ] || "$asan" -t 'event?' a.bin | same a.txt -
}

@test "-A gives a binary stream absolute times as well, with the origin 0" {
	printf '##spoor\t1\n##clock\ts\torigin=100.500000000\n1.000000000\ta\te\t-\t-\t0.5\n-0.500000000\ta\tf\t-\t-\t-\n##end\tevents=2\n' > a.txt
	trace-filter -A 'event?' a.txt > want
	has "$(cat want)" $'^##clock\ts\torigin=0.000000000$'
	trace-filter -b 'event?' a.txt > a.bin
	trace-filter -b -A 'event?' a.txt | trace-filter -tH 'event?' | same want -
	trace-filter -A 'event?' a.bin | trace-filter -tH 'event?' | same want -
	# Times in an expression count from the origin all the same.
	[ "$(trace-filter -A -c 'time < 2s' a.bin)" = 2 ]
}

@test "-n takes neither -A nor -H: native records stand as they are" {
	for o in -A -H; do
		status_is 2 trace-filter -n $o W "$FIX/spc/Financial1-head.spc"
		has "$stderr" '-n and -[AH] contradict each other'
	done
}

@test "-m 0 writes a stream without events, in any form" {
	spc-cat -b "$FIX/spc/Financial1-head.spc" > a.bin
	for in in "$FIX/spc/Financial1-head.spc" a.bin; do
		status_is 1 sh -c "trace-filter -b -m 0 W $in > empty.bin"
		[ -z "$stderr" ]
		status_is 1 trace-filter -f binary -H -t W empty.bin
		[ -z "$stderr" ]
		has "$output" $'^##format\tspc$'
		has "$output" $'^##end\tevents=0$'
	done
	status_is 1 trace-filter -m 0 -H W "$FIX/spc/Financial1-head.spc"
	has "$output" $'^##end\tevents=0$'
	status_is 1 trace-filter -m 0 -c W "$FIX/spc/Financial1-head.spc"
	[ "$output" = 0 ]
}

@test "a program that decodes one format refuses others by name, and what is compressed" {
	gzip -c "$FIX/spc/Financial1-head.spc" > a.gz
	status_is 2 spc-cat a.gz
	[ "$stderr" = 'spc-cat: a.gz: offset 0: it is compressed by gzip: zcat FILE | ...' ]
	mkdir -p dir/loom.a.1/proc.1/thread.2
	cp "$FIX/ovni/seed.stream" dir/loom.a.1/proc.1/thread.2/stream.obs
	status_is 2 spc-cat dir
	has "$stderr" '^spc-cat: dir: this is ovni .*, not spc$'
	[ -z "$output" ]
}

@test "parts of a text stream without header have the clock of its first event" {
	{
		echo $'0.5\ta\tx\t-\t-\t-'
		for i in $(seq 1 50); do echo "$i"$'\ta\tx\t-\t-\t-'; done
	} > f
	trace-filter -b 'event?' f | trace-filter -t 'event?' > want
	[ "$(tail -1 want | cut -f1)" = 50.000000000 ]
	for k in 1 2 3; do trace-filter -b --chunk $k/3 'event?' f | trace-filter -t 'event?'; done | same want -
}

@test "-H is text, also of a binary stream" {
	printf '1.000000000\t0\tR\t1\t2\t-\ta=5\n' > a
	trace-filter -b R a | trace-filter -H R > got
	trace-filter -H -t R a | same got -
	[ "$(head -1 got)" = $'##spoor\t1' ]
}

@test "header lines without end take no memory without end" {
	need_native
	for line in '##meta' $'##loc\tabcdefgh' $'##format\tx'; do
		yes "$line" | head -n 1000000 | (ulimit -v 32768; trace-filter -f text -c R) > out 2> err && got=0 || got=$?
		[ "$got" = 2 ]
		has "$(cat err)" 'more than 8192 KiB of metadata'
	done
}

@test "a million events of one type, from binary to text, take no more memory than ten" {
	yes $'0.000000000\tl\te\t1\t2\t-\ta=1\tb=x' | head -n 1000000 > t
	trace-filter -b 'event?' t | (ulimit -v 32768; trace-filter -t 'event?') | same t -
}
