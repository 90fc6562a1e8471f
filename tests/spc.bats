#!/usr/bin/env bats
# spc.bats - SPC traces, and spc-cat.

load helpers

# The text stream of good SPC lines, by awk: an independent reader for fixtures without oddities.
spc_by_awk() {
	awk -F, -v OFS='\t' '{ sub(/\r$/, ""); split($5, t, ".")
		line = t[1] "." substr(t[2] "000000000", 1, 9) OFS $1 OFS toupper($4) OFS $2 OFS $3 OFS "-"
		for (i = 6; i <= NF; i++) line = line OFS "x" (i - 5) "=" $i
		print line }' "$@"
}

@test "the specification's example: ten events, one message for line 9, status 2" {
	status_is 2 spc-cat "$FIX/spc/spec-example.spc"
	[ "$(wc -l <<<"$output")" = 10 ]
	has "$stderr" 'spec-example.spc:9: field 5 \(timestamp\): "2 448003": '
	has "$stderr" '1 record skipped'
	[ "$(wc -l <<<"$stderr")" = 2 ]
	[ "$(sed -n 1p <<<"$output")" = $'0.551706000\t0\tW\t20941264\t8192\t-\tx1=Alpha/NT' ]
	[ "$(sed -n 4p <<<"$output")" = $'1.250720000\t1\tW\t3436288\t15872\t-\tx1=0x123\tx2=5.99\tx3=test' ]
}

@test "real traces, lower and upper case, read as awk reads them" {
	for f in Financial1-head WebSearch2-first10; do
		spc_by_awk "$FIX/spc/$f.spc" > want
		spc-cat "$FIX/spc/$f.spc" > got
		same want got
	done
}

@test "a whole real sample: the 949th record is there, though no newline ends it" {
	need_traces spc
	f=$TRACES/spc/Financial1-first28s.spc
	spc_by_awk "$f" > want
	spc-cat "$f" > got
	same want got
	[ "$(wc -l < got)" = 949 ]
}

@test "no final newline, CRLF, blanks, either case, empty optional fields" {
	printf '0,1,512,r,0.5\r\n1, 2,\t512 ,W,0.6\n1, 2,\t512, w, 0.6,  a b ,,\n2,3,0,W,0.7' > a.spc
	status_is 2 spc-cat a.spc
	has "$stderr" 'a.spc:2: field 3 \(size\): "512 ": a blank may only stand before a field'
	printf '%s\n' $'0.500000000\t0\tR\t1\t512\t-' \
		$'0.600000000\t1\tW\t2\t512\t-\tx1=\\x20\\x20a\\x20b\\x20\tx2=""\tx3=""' \
		$'0.700000000\t2\tW\t3\t0\t-' > want
	same want <(printf '%s\n' "$output")
}

@test "numbers up to 2^64-1, and not beyond" {
	m=18446744073709551615
	printf "%s,%s,%s,W,0.0\n18446744073709551616,1,1,W,0.0\n" $m $m $m > a.spc
	status_is 2 spc-cat a.spc
	[ "$output" = $'0.000000000\t'"$m"$'\tW\t'"$m"$'\t'"$m"$'\t-' ]
	has "$stderr" 'a.spc:2: field 1 \(ASU\): "18446744073709551616": greater than 2\^64-1'
}

@test "more than nine fraction digits are rounded, which is said once" {
	printf '0,1,1,W,0.1234567894\n0,1,1,W,0.1234567895\n0,1,1,W,0.9999999999\n' > a.spc
	status_is 0 spc-cat a.spc
	[ "$(cut -f1 <<<"$output" | xargs)" = '0.123456789 0.123456790 1.000000000' ]
	[ "$(grep -c rounded <<<"$stderr")" = 1 ]
}

@test "each kind of bad record is told with its line and field, and skipped" {
	cat > a.spc <<-'EOF'
		0,1,512,W,1.0

		# comment
		0,1,512,X,1.0
		0,1,512,W,0.9
		0,1,512,W,nan
		0,1,4.5,W,1.0
		0,123456789012345678901,512,W,1.0
		0,1,512,W
		0,1,512,W,1
		0,1,512,W,1.
		0,1,512,W,.5
		-1,1,512,W,1.0
		+1,1,512,W,1.0
		 0,1,512,W,1.0
		0,1,512,,1.0
		0,1,512,W,99999999999.0
		0,1,512,W,2.0
	EOF
	status_is 2 spc-cat a.spc
	# The whole record of a time that goes back is kept.
	[ "$(wc -l <<<"$output")" = 3 ]
	has "$stderr" 'a.spc:2: an empty line'
	has "$stderr" 'a.spc:4: field 4 \(opcode\): "X": R or W'
	has "$stderr" 'a.spc:5: field 5 \(timestamp\): "0.9": the time goes back'
	has "$stderr" 'a.spc:7: field 3 \(size\): "4.5": not a whole number'
	has "$stderr" 'a.spc:9: field 5 \(timestamp\) is missing'
	# Ten are told one by one, then only counted.
	[ "$(grep -c '^spc-cat: a.spc:[0-9]*:' <<<"$stderr")" = 10 ]
	has "$stderr" '6 more such messages'
	has "$stderr" '15 records skipped'
	has "$stderr" '1 record kept although the time goes back'
}

@test "--strict stops at the first bad record" {
	printf '0,1,1,W,0.0\nbad\n0,1,1,W,0.0\n' > a.spc
	status_is 2 spc-cat --strict a.spc
	[ "$(wc -l <<<"$output")" = 1 ]
}

@test "-n writes canonical SPC: upper case, no blanks, optional fields as they stand" {
	printf '0, 1,\t512,w,0.5,a B, c \r\n1,2,3,R,0.6' | spc-cat -n > got
	printf '0,1,512,W,0.5,a B, c \n1,2,3,R,0.6\n' > want
	same want got
	spc-cat -n got | same want -
}

@test "--block is noted in the metadata; files follow each other" {
	spc-cat -H --block 4K "$FIX/spc/WebSearch2-first10.spc" > got
	grep -qx $'##meta\tblock=4096' got
	grep -qx $'##end\tevents=10' got
	[ "$(spc-cat "$FIX"/spc/WebSearch2-first10.spc - < "$FIX/spc/Financial1-head.spc" | wc -l)" = 171 ]
}

@test "any number of optional fields: a thousand are told apart, the last holds the rest" {
	{ printf '0,1,1,W,0.0'; for i in $(seq 1200); do printf ',%d' "$i"; done; echo; } > a.spc
	spc-cat a.spc > got
	[ "$(cut -f1006 got | cut -c1-20)" = 'x1000=1000,1001,1002' ]
	[ "$(grep -o 1200 got)" = 1200 ]
	spc-cat -b a.spc | trace-filter -t W | same got -
}

@test "a line of 16 MiB is read, a longer one is skipped, the rest goes on" {
	{ printf '0,1,1,W,0.0,'; head -c 16000000 /dev/zero | tr '\0' x; printf '\n0,2,1,W,0.0\n'; } > a.spc
	[ "$(spc-cat a.spc | wc -c)" -gt 16000000 ]
	{ printf '0,1,1,W,0.0,'; head -c 17000000 /dev/zero | tr '\0' x; printf '\n0,2,1,W,0.0\n'; } > a.spc
	status_is 2 spc-cat a.spc
	[ "$output" = $'0.000000000\t0\tW\t2\t1\t-' ]
	has "$stderr" 'a.spc:1: the line is longer than 16 MiB'
}
