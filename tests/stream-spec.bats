#!/usr/bin/env bats
# stream-spec.bats - the corners of the two streams that spoor-stream(5) rules on.
load helpers

T=$'\t'

@test "a time without a digit before its point is an error, on every path" {
	for simd in '' sse2 plain slow; do
		printf '0.5\t1\tx\t-\t-\t-\n0.500000000\t1\tx\t-\t-\t-\n.600000000\t1\tx\t-\t-\t-\n' > a.txt
		SPOOR_SIMD=$simd status_is 2 trace-filter 'x' a.txt
		[ "$(wc -l <<<"$output")" = 2 ]
		has "$stderr" 'a.txt:3: field 1 \(time\): ".600000000": it is empty'
	done
}

@test "a header behind events that had none begins a stream of its own" {
	printf '5\t-\tx\t-\t-\t-\n##spoor\t1\n##clock\ts\torigin=0.0\n1.5\t-\ty\t-\t-\t-\n##end\n' > a.txt
	status_is 0 trace-filter -t 'event?' a.txt
	[ "$(head -1 <<<"$output")" = "5${T}-${T}x${T}-${T}-${T}-" ]
	[ "$(grep -v '^#' <<<"$output" | tail -1)" = "1.500000000${T}-${T}y${T}-${T}-${T}-" ]
	[ "$(grep -c '^##spoor' <<<"$output")" = 1 ]
}

@test "a text stream that is cut off before another begins is told" {
	spc-cat -H "$FIX/spc/WebSearch2-first10.spc" > whole.txt
	{ head -9 whole.txt; cat whole.txt; } > a.txt
	status_is 2 trace-filter -c 'event?' a.txt
	[ "$output" = 13 ]
	has "$stderr" 'cut off: it has a header, but no ##end before line 10'
	cat whole.txt whole.txt > a.txt
	status_is 0 trace-filter -c 'event?' a.txt
	[ "$output" = 20 ]
}

@test "sorted streams with headers are read: the header's lines may stand anywhere" {
	spc-cat -H "$FIX/spc/WebSearch2-first10.spc" "$FIX/spc/Financial1-head.spc" > a.txt
	sort a.txt > b.txt
	sort -r a.txt > c.txt
	for f in a b c; do
		status_is 0 trace-filter -c 'event?' $f.txt
		[ "$output" = 171 ]
	done
	sort -r <(spc-cat -H "$FIX/spc/WebSearch2-first10.spc") > d.txt
	status_is 0 trace-filter -c 'event?' d.txt
}

@test "names in a header cannot forge lines" {
	printf '##spoor\t1\n##format\ta\\x0ab\n##loc\tc\\x09d/e\n##meta\tk\\x0a=v\\x0a\n0.5\t-\ty\t-\t-\t-\n##end\n' > a.txt
	status_is 0 trace-filter -t 'event?' a.txt
	[ "$(wc -l <<<"$output")" = 8 ]
	has "$output" '^##format'$'\t''a\\x0ab$'
	has "$output" '^##loc'$'\t''c\\x09d/e$'
	has "$output" '^##meta'$'\t''k\\x0a=v\\x0a$'
	trace-filter -b 'event?' a.txt | trace-filter -tH 'event?' | diff - <(trace-filter -t 'event?' a.txt)
}

@test "metadata without end is not kept without end" {
	{ printf '##spoor\t1\n'; yes $'##meta\tkey=0123456789012345678901234567890123456789' | head -100000; \
		printf '0.5\t-\ty\t-\t-\t-\n##end\n'; } > a.txt
	status_is 2 trace-filter -c 'event?' a.txt
	[ "$output" = 1 ]
	has "$stderr" 'more than 8192 KiB of metadata: not kept'
}

@test "what the producer lost is passed on as it was said, however long the pipe" {
	status_is 2 spc-cat -H "$FIX/spc/spec-example.spc"
	grep '^##error' <<<"$output" > want
	[ "$(cut -f3 want)" = lost=1 ]
	for via in -b -t; do
		spc-cat -H $via "$FIX/spc/spec-example.spc" 2>/dev/null | trace-filter -b 'event?' 2>/dev/null |
			trace-filter -t -H 'event?' 2>/dev/null | trace-filter 'event?' 2>/dev/null > got || :
		grep '^##error' got | same want -
	done
	spc-cat -b "$FIX/spc/spec-example.spc" > a.b 2>/dev/null || :
	status_is 2 trace-filter -c 'event?' a.b
	[ "$stderr" = 'trace-filter: a.b: the producer of this stream had trouble (1 event lost): "spec-example.spc:9: field 5 (timestamp): \x22"...' ] ||
		has "$stderr" 'had trouble \(1 event lost\)'
	[ "$(wc -l <<<"$stderr")" = 1 ]
}

@test "-A holds for the table of -F as well" {
	printf '##spoor\t1\n##clock\ts\torigin=100.000000000\n0.5\t-\ty\t-\t-\t1.5\n##end\n' > a.txt
	[ "$(trace-filter -A -F time,end,dur y a.txt)" = "100.500000000${T}102.000000000${T}1.500000000" ]
}

@test "a part of loc that is empty is written as an empty string" {
	printf '0.5\ta//b\ty\t-\t-\t-\n' > a.txt
	[ "$(trace-filter -F loc1,loc2,loc3,loc4 y a.txt)" = "a${T}\"\"${T}b${T}-" ]
	[ "$(trace-filter -c 'loc2 = ""' a.txt)" = 1 ]
}

@test "a quoted name takes not in, as a bare one does" {
	printf '0.5\ta\ty\t-\t-\t-\tin=3\n' > a.txt
	[ "$(trace-filter -c '"in" not in {1, 2}' a.txt)" = 1 ]
	status_is 1 trace-filter -c '"in" not in {1..3}' a.txt
}

@test "an event that fits no block of the binary stream is told and skipped" {
	{ printf '0.5\t-\ty\t-\t-\t-\n0.6\t-\ty\t-\t-\t-\tx='; head -c 16777150 /dev/zero | tr '\0' x; echo; } > a.txt
	[ "$(trace-filter -c y a.txt)" = 2 ]
	status_is 2 sh -c 'trace-filter -b y a.txt > a.b'
	has "$stderr" 'too long for the binary stream: skipped'
	[ "$(trace-filter -c y a.b 2>/dev/null)" = 1 ]
}

@test "spc-cat reads SPC only" {
	status_is 2 spc-cat -f laplace "$FIX/laplace/seed.ref"
	has "$stderr" '-f laplace: only spc is read here'
}

@test "a first line that is broken does not decide the clock, in the whole file and in parts" {
	{
		printf '0\tW\t20941264\t8192\t-\tx1=A\n'
		for i in $(seq 1 20); do printf '%d.000000000\t0\tW\t5\t6\t-\n' "$i"; done
	} > a.txt
	status_is 2 trace-filter -c W a.txt
	[ "$output" = 20 ]
	[ "$(for k in 1 2 3; do trace-filter -c --chunk $k/3 'time >= 1s' a.txt 2>/dev/null || :; done | xargs)" = '7 7 6' ]
}

@test "behind a header an input without one gets its own: the names of loc are not the first one's" {
	printf '##spoor\t1\n##clock\ts\torigin=100.000000000\n##loc\trank\n1.000000000\t0\tR\t-\t-\t-\n##end\tevents=1\n' > a.txt
	printf '1.000000000\t0\tR\t1\t2\t-\n' > b.txt
	[ "$(trace-filter -c 'rank = 0' a.txt b.txt)" = 1 ]
	for form in '' -b; do
		[ "$(trace-filter $form 'event?' a.txt b.txt | trace-filter -c 'rank = 0')" = 1 ]
		[ "$(trace-filter $form 'event?' a.txt b.txt | trace-filter -A -F time 'addr = 1')" = 1.000000000 ]
	done
	trace-filter 'event?' b.txt b.txt | same <(cat b.txt b.txt) -
}

@test "a name with a NUL at its end is not the name without, on every path" {
	printf '1.0\ta\tR\t1\t2\t-\n1.000000000\ta\tR\t1\t2\t-\n1.000000000\ta\0\tR\t1\t2\t-\n' > a.txt
	printf '1.000000000\t0123456789abcdef\tR\t1\t2\t-\n1.000000000\t0123456789abcdef\tR\t1\t2\t-\n' >> a.txt
	for simd in '' sse2 plain slow; do
		[ "$(SPOOR_SIMD=$simd trace-filter -c 'loc = a' a.txt)" = 2 ]
		[ "$(SPOOR_SIMD=$simd trace-filter -c 'loc = 0123456789abcdef' a.txt)" = 2 ]
	done
}
