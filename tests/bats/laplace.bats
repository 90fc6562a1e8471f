#!/usr/bin/env bats
# laplace.bats - Laplace references and kernel events, and laplace-bin2txt.

load ../helpers

L=$FIX/laplace

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

@test "-r --line-buffered writes what has come in" {
	mkfifo in out
	laplace-bin2txt -r --line-buffered < in > out &
	exec 5> in 6< out
	printf 'r 10 4 5 6\n' >&5
	timeout 10 head -c 18 <&6 > got || :
	exec 5>&- 6<&-
	[ "$(wc -c < got)" = 18 ]
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

