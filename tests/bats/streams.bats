#!/usr/bin/env bats
# streams.bats - the text and the binary stream: what goes in comes out, what is broken is told.

load ../helpers

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

@test "more locations and events than a table holds: bounded memory, same text" {
	awk 'BEGIN { for (i = 0; i < 60000; i++) printf "%d.000000000\tl%d/%d\te%d\t1\t2\t-\ta%d=%d\n", i, i, i % 7, i % 20000, i % 3, i }' > a.txt
	trace-filter -b 'event?' a.txt | trace-filter -t 'event?' | same a.txt -
	[ "$(trace-filter -b 'event?' a.txt | trace-filter -c 'loc2 = 3')" = "$(awk -F'[/\t]' '$3 == 3' a.txt | wc -l)" ]
	[ -n "${SPOOR_EMULATED-}" ] || # an emulator needs memory of its own
		bash -c 'ulimit -v 60000; exec "$@"' _ trace-filter -c 'loc ~ "7"' a.txt
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
			trace-filter --tune read=$size -b 'event?' "$f" | same want -
		done
		trace-filter --tune simd=slow -b 'event?' "$f" | same want -
		trace-filter -t 'event?' want > want.txt
		trace-filter -t 'event?' "$f" | same want.txt -
	done
	# Nor on what memory held before, where the C library can fill it.
	for f in "$FIX"/*/*; do
		MALLOC_PERTURB_=85 trace-filter -b 'event?' "$f" > want 2>/dev/null || [ $? -lt 3 ]
		MALLOC_PERTURB_=170 trace-filter -b 'event?' "$f" 2>/dev/null | same want -
	done
}

@test "lines of many arguments and long arrays, at every place of the output's buffer" {
	awk -v least=-9223372036854775807 'BEGIN { for (i = 0; i < 4000; i++) {
		printf "%d.000000000\tl\te%d\t-\t-\t-", i, i % 3
		for (k = 0; k < (i % 3 ? 90 : 20); k++) printf "\tname%d=%s", k, k % 2 ? least : "x" i
		print "" } }' > a.txt
	trace-filter -b 'event?' a.txt > a.bin
	trace-filter -t 'event?' a.bin | same a.txt -
	asan=$ROOT/build/asan/bin/trace-filter
	[ ! -x "$asan" ] || "$asan" -t 'event?' a.bin | same a.txt -
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

@test "header lines without end take no memory without end" {
	need_native
	for line in '##meta' $'##loc\tabcdefgh' $'##format\tx'; do
		yes "$line" | head -n 1000000 | (ulimit -v 32768; trace-filter -f text -c R) > out 2> err && got=0 || got=$?
		[ "$got" = 2 ]
		has "$(cat err)" 'the metadata exceed 8192 KiB'
	done
}

@test "a million events of one type, from binary to text, take no more memory than ten" {
	yes $'0.000000000\tl\te\t1\t2\t-\ta=1\tb=x' | head -n 1000000 > t
	trace-filter -b 'event?' t | (ulimit -v 32768; trace-filter -t 'event?') | same t -
}
