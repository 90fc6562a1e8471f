#!/usr/bin/env bats
# charisma-report.bats - the report's section of CHARISMA files, and what each section says of its limits.
load ../helpers

setup() {
	enter
}

# stream FORMAT LOC < LINES: a text stream with a header.
stream() {
	printf '##spoor\t1\n##format\t%s\n##clock\ts\torigin=0\n##loc\t%s\n' "$1" "$2"
	awk '{ print } END { printf "##end\tevents=%d\n", NR }'
}

# accesses N FILES: so many reads and writes of that many files by 5 nodes, and an open of each file.
accesses() {
	awk -v n="$1" -v files="$2" 'BEGIN {
		srand(21)
		for (f = 0; f < files; f++) printf "0.0\t%d\topen\t-\t-\t-\tby=client\tfile_id=%d\n", f % 5, f + 1000
		for (i = 0; i < n; i++) {
			f = int(rand() * rand() * files); c = int(rand() * 5); size = 512 * (1 + f % 7 * int(rand() * 1.1))
			if (!((f, c) in at) || rand() < 0.2) at[f, c] = int(rand() * 100) * 512
			printf "%d.0\t%d\t%s\t%d\t%d\t-\tfile=%d\n", i, c, f % 4 == 1 || (f % 4 == 2 && i % 2) ? "write" : "read", at[f, c], size, f + 1000
			at[f, c] += size + (f % 3 ? 0 : 512)
		}
	}' | stream charisma client
}

# files_of FILE: the section as an independent program finds it.
files_of() {
	awk -F'\t' '
	/^#/ { next }
	function ratio(a, b,   s) { if (!b) return "-"; s = a / b; s = sprintf(!s ? "0." : s < 0.0001 ? "%.10f" : s < 0.001 ? "%.9f" : s < 0.01 ? "%.8f" : s < 0.1 ? "%.7f" : "%.6f", s); sub(/0+$/, "", s); sub(/\.$/, "", s); return s }
	function put(row, name, value) { print "file\t" row "\t" name "\t" value }
	{ f = $NF; sub(/.*=/, "", f); did[f] += 0 }
	$3 == "open" { next }
	{
		if ($3 == "read" && did[f] % 2 == 0) did[f]++
		if ($3 == "write" && did[f] < 2) did[f] += 2
		req[f]++; bytes[f] += $5
		if (!((f, $5) in size)) { size[f, $5]; sizes[f]++ }
		if ((f, $2) in end) {
			later[f]++; above[f] += $4 > last[f, $2]; behind[f] += $4 == end[f, $2]
			if (!((f, $4 - end[f, $2]) in gap)) { gap[f, $4 - end[f, $2]]; gaps[f]++ }
		} else nodes[f]++
		last[f, $2] = $4; end[f, $2] = $4 + $5
	}
	END {
		split("opened read written both", name, " ")
		for (f in did) for (r = did[f] + 1; r; r = r < 5 ? 5 : 0) {
			F[r]++; S[r] += nodes[f] > 1; R[r] += req[f]; L[r] += later[f]; B[r] += bytes[f]
			A[r] += above[f]; H[r] += behind[f]; G[r] += gaps[f] == 1; Z[r] += sizes[f] == 1
		}
		name[5] = "all"
		for (r = 1; r <= 5; r++) if (F[r]) {
			put(name[r], "files", F[r]); put(name[r], "shared", S[r]); put(name[r], "requests", R[r]); put(name[r], "later", L[r])
			put(name[r], "bytes", R[r] ? B[r] : "-"); put(name[r], "sequential", ratio(A[r], L[r])); put(name[r], "consecutive", ratio(H[r], L[r]))
			put(name[r], "one_gap", G[r]); put(name[r], "one_size", Z[r])
		}
	}' "$1"
}

@test "files: every number is awk's for thousands of files, in one pass, by threads, and of merged parts" {
	accesses 30000 5000 > t
	files_of t > want
	[ "$(wc -l < want)" = 45 ]
	trace-stats --tsv t > one
	grep '^file	' one | same want -
	trace-stats --tune worth=100000 --tsv -j 3 t | same one -
	for n in 2 7; do
		rm -f p.*
		for k in $(seq 1 $n); do trace-stats -p --chunk "$k/$n" -o "p.$k" t; done
		# shellcheck disable=SC2046  # numbers
		trace-stats -m --tsv $(seq $n -1 1 | sed 's/^/p./') | same one -
		cat p.* | sort | trace-stats -m -p > q
		trace-stats -m --tsv q | same one -
		trace-stats -m -p q | same q -
	done
}

@test "files: text names, negative and large numbers are files of their own" {
	{
		for f in a 0 00 -1 1 18446744073709551615 18446744073709551616 9.5 -0; do printf '0.0\t7\tread\t0\t512\t-\tfile=%s\n' "$f"; done
		# More bytes than 64 bits hold.
		for i in 1 2 3; do printf '%s.0\t7\twrite\t0\t18446744073709551615\t-\tfile=w\n' $i; done
	} | stream charisma client > t
	trace-stats --tsv t > r
	grep -Fxq 'file	read	files	9' r
	grep -Fxq 'file	written	later	2' r
	grep -Fxq 'file	written	files	1' r
	grep -Fxq 'file	written	bytes	55340232221128654845' r
	trace-stats -p t | trace-stats -m --tsv | same r -
}

@test "files: the oracle of a trace with 354 files" {
	need_traces charisma
	trace-stats --tsv "$TRACES/charisma/clean-lp64-le.chr" > r 2>/dev/null
	while read -r row name value; do
		grep -Fxq "file	$row	$name	$value" r || { echo "not: $row $name $value"; grep "^file	$row" r; return 1; }
	done <<-'END'
	all files 354
	opened files 74
	read files 21
	written files 234
	both files 25
	read shared 18
	written shared 11
	both shared 4
	read one_gap 9
	written one_gap 146
	both one_gap 6
	read one_size 13
	written one_size 116
	both one_size 22
	written later 1287
	written sequential 0.975136
	written consecutive 0.683761
	both later 160
	both sequential 0.79375
	both consecutive 0.6375
	END
}

@test "files: beyond a million files and nodes the section says which part of them it counts" {
	awk 'BEGIN { for (i = 0; i < 1200000; i++) printf "%d.0\t%d\t%s\t0\t512\t-\tfile=%d\n", i, i % 3, i % 5 ? "read" : "write", i + 7 }' |
		stream charisma client > t
	sed '1,4d; /^##end/d' t | head -1048000 | stream charisma client > less
	trace-stats --tsv less > r
	grep -Fxq 'file	all	files	1048000' r
	[ "$(grep -c '(limit)' r)" = 0 ]
	trace-stats --tsv t > r
	for c in files shared requests later bytes sequential; do grep -Fxq "file	(limit)	$c	1/2" r; done
	trace-stats t | grep -q '^(limit)  *1/2 '
	trace-stats -J t | grep -q '"(limit)", "files": "1/2"'
	# These are whole: one request each, half of them, give or take.
	n=$(sed -n 's/^file	all	files	//p' r)
	[ "$n" -gt 590000 ]
	[ "$n" -lt 610000 ]
	grep -Fxq "file	all	requests	$n" r
	grep -Fxq "file	all	one_size	$n" r
	# Which ones does not hang on the way.
	for k in 1 2 3; do trace-stats -p --chunk $k/3 -o p.$k t; done
	trace-stats -m --tsv p.2 p.3 p.1 | same r -
}

@test "an estimate says in its section, in every form of the report, that it is one" {
	awk 'BEGIN { for (i = 0; i < 3000; i++) { t += i * 7919; printf "%d.%09d\t1\tread\t%d\t%d\t-\tfile=1\n", t / 1000000, t % 1000000 * 1000, i, i * 1000 } }' |
		stream charisma client > t
	trace-stats --tsv t > r
	grep -Fxq 'request	(limit)	sizes	1.15 %' r
	grep -Fxq 'request	(limit)	requests	-' r
	for s in size gap; do for p in p50 p90 p99; do grep -Fxq "$s	(limit)	$p	0.39 %" r; done; done
	grep -Fxq 'ties	(limit)	least	0.39 %' r
	trace-stats t | grep -q '^(limit) .* 1.15 %$'
	trace-stats -J t | grep -q '"(limit)".*"sizes": "1.15 %"'
	trace-stats -p t | trace-stats -m --tsv | same r -
	awk 'BEGIN { for (i = 0; i < 3000; i++) printf "%d.0\t1\tR\t%d\t512\t-\t-\n", i, i * 1024 * 1024 }' | stream spc asu > t
	trace-stats --tsv t > r
	grep -Fxq 'block	(limit)	footprint	3 %' r
	# Without a limit there is no such row.
	sed '1,4d' t | head -300 | stream spc asu > less
	[ "$(trace-stats --tsv less | grep -c '(limit)')" = 0 ]
}

@test "a section whose groups are too many says in each row what the row may miss" {
	awk 'BEGIN { for (i = 0; i < 40000; i++) printf "%d.0\t%d\tR\t%d\t512\t-\t-\n", i, i % 20000, i }' | stream spc asu > t
	trace-stats --tsv t > r
	missed=$(sed -n 's/^trace	missed	value	//p' r)
	[ "$missed" -gt 0 ]
	for s in location block; do
		[ "$(awk -F'\t' -v s=$s '$1 == s && $3 == "missed" && $2 !~ /^(\(|all)/ { print $4 }' r | sort -u)" = "$missed" ]
	done
	trace-stats t > people
	grep -q '^The 10 busiest of more than [0-9]* locations$' people
	grep -q '^(32 of more than [0-9]* rows)$' people
	# Sections without a limit have no such column.
	[ "$(awk -F'\t' '$1 == "event" && $3 == "missed"' r | wc -l)" = 0 ]
	awk 'BEGIN { for (i = 0; i < 4000; i++) printf "%d.0\t1\te%d\t-\t512\t0.5\t-\n", i, i % 2 ? i % 40 : i }' | stream spc asu > t
	trace-stats --tsv t > r
	for s in event size dur gap ties; do
		[ "$(awk -F'\t' -v s=$s '$1 == s && $3 == "missed" && $4 > 0' r | wc -l)" -gt 10 ]
	done
	awk 'length($0) > 80 { print; bad = 1 } END { exit bad }' people
}
