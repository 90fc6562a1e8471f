#!/usr/bin/env bats
# stream-spec.bats - the corners of the two streams that spoor-stream(5) rules on.
load ../helpers

@test "metadata without end is not kept without end" {
	{ printf '##spoor\t1\n'; yes $'##meta\tkey=0123456789012345678901234567890123456789' | head -100000; \
		printf '0.5\t-\ty\t-\t-\t-\n##end\n'; } > a.txt
	status_is 2 trace-filter -c 'event?' a.txt
	[ "$output" = 1 ]
	has "$stderr" 'the metadata exceed 8192 KiB: the rest is left out'
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
}

@test "an event that fits no block of the binary stream is told and skipped" {
	{ printf '0.5\t-\ty\t-\t-\t-\n0.6\t-\ty\t-\t-\t-\tx='; head -c 16777150 /dev/zero | tr '\0' x; echo; } > a.txt
	[ "$(trace-filter -c y a.txt)" = 2 ]
	status_is 2 sh -c 'trace-filter -b y a.txt > a.b'
	has "$stderr" 'too long for the binary stream: skipped'
	[ "$(trace-filter -c y a.b 2>/dev/null)" = 1 ]
}

