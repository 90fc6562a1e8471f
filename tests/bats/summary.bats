#!/usr/bin/env bats
# The sections of the report that a format has for itself: every number against awk's over the text
# stream of the same events.
load ../helpers

setup() {
	enter
}

# report FILE: the report as lines with TABs, in $report.
report() {
	status_is 0 trace-stats --tsv "$1"
	report=$output
}

# is SECTION ROW NAME VALUE: a line of $report, literally.
is() {
	grep -Fxq -- "$1	$2	$3	$4" <<<"$report" || {
		echo "not: $1 $2 $3 $4"
		grep -F -- "$1	$2	" <<<"$report" | head -20
		return 1
	}
}

# all_are: every line of standard input is one of $report; there is at least one.
all_are() {
	local n=0 line
	while IFS= read -r line; do
		n=$((n + 1))
		grep -Fxq -- "$line" <<<"$report" || {
			echo "not in the report: $line"
			return 1
		}
	done
	[ $n -gt 0 ]
}

# Functions for awk programs: a ratio and a time as the report writes them.
AWK='
function ratio(a, b,   s) { if (!b) return "-"; s = a / b; s = sprintf(!s ? "0." : s < 0.0001 ? "%.10f" : s < 0.001 ? "%.9f" : s < 0.01 ? "%.8f" : s < 0.1 ? "%.7f" : "%.6f", s); sub(/0+$/, "", s); sub(/\.$/, "", s); return s }
function arg(name,   i) { for (i = 7; i <= NF; i++) if (index($i, name "=") == 1) return substr($i, length(name) + 2); return "-" }
function put(section, row, name, value) { print section "\t" row "\t" name "\t" value }
function ns(s,   p) { split(s, p, "."); return p[1] * 1000000000 + p[2] }
function time(n) { return sprintf("%d.%09d", int(n / 1000000000), n % 1000000000) }
'

@test "SPC: requests, sequential, unaligned, footprint by ASU" {
	report "$FIX/spc/Financial1-head.spc"
	awk -F'\t' "$AWK"'{
		n[$2]++; b = $4 * 512; e = b + $5
		if (n[$2] > 1 && b == end[$2]) seq[$2]++
		end[$2] = e
		un[$2] += b % 4096 || e % 4096
		for (p = int(b / 4096); p <= int((e - 1) / 4096); p++) if (!(($2, p) in seen)) { seen[$2, p]; pages[$2]++ }
	} END { for (a in n) {
		put("block", a, "requests", n[a]); put("block", a, "sequential", ratio(seq[a], n[a] - 1))
		put("block", a, "unaligned", ratio(un[a], n[a])); put("block", a, "footprint", pages[a])
		S += seq[a]; N += n[a]; P += pages[a]; k++
	} put("block", "all", "sequential", ratio(S, N - k)); put("block", "all", "footprint", P) }' \
		"$FIX/spc/Financial1-head.spc.txt" > want
	all_are < want
	# Another format has no such section.
	report "$FIX/laplace/merged-head.ref"
	[ "$(grep -c '^block' <<<"$report")" = 0 ]
}

@test "Laplace: reads, writes, fetches and pages by address space" {
	# As many spaces as there are digits at the end of the address, so that there are several.
	awk -v OFS='\t' '{ $2 = "0x1015" substr($4, length($4)); print }' FS='\t' "$FIX/laplace/merged-head.ref.txt" > e
	{ printf '##spoor\t1\n##format\tlaplace\n##clock\tticks\n##loc\tspace\n'; cat e; printf '##end\tevents=200\n'; } > t
	report t
	awk -F'\t' "$AWK"'
	function hex(s,   i, v) { for (i = 3; i <= length(s); i++) v = v * 16 + index("0123456789abcdef", substr(s, i, 1)) - 1; return v }
	{ n[$2]++; k[$2, $3]++; b = hex($4)
		for (p = int(b / 4096); p <= int((b + $5 - 1) / 4096); p++) {
			if (!(($2, p) in seen)) { seen[$2, p]; pages[$2]++; P++ }
			if (!(($2, $3, p) in by)) { by[$2, $3, p]; of[$2, $3]++ }
		}
	} END { for (a in n) {
		put("memory", a, "references", n[a]); put("memory", a, "reads", ratio(k[a, "r"], n[a]))
		put("memory", a, "writes", ratio(k[a, "w"], n[a])); put("memory", a, "fetches", ratio(k[a, "i"], n[a]))
		put("memory", a, "footprint", pages[a]); put("memory", a, "written", of[a, "w"] + 0); put("memory", a, "fetched", of[a, "i"] + 0)
	} put("memory", "all", "footprint", P); put("memory", "all", "references", NR) }' e > want
	[ "$(wc -l < want)" -gt 50 ]
	all_are < want
}

@test "Laplace: kernel events by process" {
	report "$FIX/laplace/k32-excerpt.kern"
	awk -F'\t' "$AWK"'$3 != "end" {
		n[$2]++; k[$2, $3]++; if ($5 != "-") { s[$2, $3] += $5; any[$2, $3] = 1 }
	}
	function sum(a, e) { return any[a, e] ? s[a, e] : "-" }
	END { for (a in n) {
		put("kernel", a, "events", n[a]); put("kernel", a, "scheduled", k[a, "schedule"] + 0)
		put("kernel", a, "read", sum(a, "read")); put("kernel", a, "written", sum(a, "write"))
		put("kernel", a, "mapped", any[a, "mmap"] || any[a, "mmap-anon"] ? s[a, "mmap"] + s[a, "mmap-anon"] : "-")
		put("kernel", a, "unmapped", sum(a, "munmap")); put("kernel", a, "cow", k[a, "cow"] + 0)
	} }' "$FIX/laplace/k32-excerpt.kern.txt" > want
	all_are < want
	[ "$(grep -c '^memory' <<<"$report")" = 0 ]
}

@test "Laplace put together: references and pages by process, and by what is mapped" {
	laplace-merge -b "$FIX/laplace/three.ref" "$FIX/laplace/three.kern" > three
	report three
	laplace-merge -t "$FIX/laplace/three.ref" "$FIX/laplace/three.kern" | grep page= > e
	awk -F'\t' "$AWK"'function count(of, row,   page) {
		page = arg("page")
		n[of, row]++; k[of, row, $3]++; rows[of, row] = row; of_row[of, row] = of
		if (!((of, row, page) in seen)) { seen[of, row, page]; pages[of, row]++ }
		if ($3 == "w" && !((of, row, page, "w") in seen)) { seen[of, row, page, "w"]; written[of, row]++ }
		if (arg("region") == "anon" && !((of, row, page, "a") in seen)) { seen[of, row, page, "a"]; anon[of, row]++ }
		if (!((of, row, "pid", $2) in seen)) { seen[of, row, "pid", $2]; pids[of, row]++ }
	}
	{ split($2, loc, "/"); count("process", loc[1]); count("mapped", arg("file") != "-" ? arg("file") : arg("region")) }
	END { for (r in n) {
		of = of_row[r]; row = rows[r]
		put(of, row, "references", n[r]); put(of, row, "reads", ratio(k[r, "r"], n[r])); put(of, row, "writes", ratio(k[r, "w"], n[r]))
		put(of, row, "fetches", ratio(k[r, "i"], n[r])); put(of, row, "pages", pages[r]); put(of, row, "written", written[r] + 0)
		if (of == "process") put(of, row, "anon", anon[r] + 0); else put(of, row, "processes", pids[r])
	} }' e > want
	[ "$(wc -l < want)" = 63 ]
	all_are < want
	[ "$(grep -c '^kernel' <<<"$report")" -gt 0 ]
	[ "$(grep -c '^memory' <<<"$report")" = 0 ]
}

@test "DUMPI: time and bytes by call, waits and messages by rank" {
	report "$FIX/dumpi/every-call-0000.bin"
	dumpi2txt "$FIX/dumpi/every-call-0000.bin" > e
	awk -F'\t' "$AWK"'{
		n[$3]++; N[$2]++
		if ($6 != "-") { d = ns($6); t[$3] += d; T[$2] += d; all += d; if ($3 ~ /^MPI_Wait/) W[$2] += d }
		got = ""
		if (match($0, /\trecv_bytes=[0-9]+/)) got = substr($0, RSTART + 12, RLENGTH - 12)
		one = $3 ~ /^MPI_.*[sS]end$/ || $3 ~ /^MPI_Sendrecv/ || $3 ~ /^MPI_Start/ && $5 != "-"
		takes = $3 ~ /^MPI_(Recv|Wait.*|Test.*)$/
		if ($5 != "-" && (one || $3 ~ /^MPI_(Bcast|.*ather.*|.*catter.*|Alltoall.*|.*educe|.*can|Put|Accumulate)$/)) { b[$3] += $5; nb[$3]++; B[$2] += $5 }
		if ($5 != "-" && (takes || $3 == "MPI_Get")) { g[$3] += $5; ng[$3]++; R[$2] += $5 }
		if (got != "") { g[$3] += got; ng[$3]++; R[$2] += got }
		if (got == "" && ($5 == "-" && (one || $3 ~ /^MPI_(Recv|Bcast|.*ather.*|.*catter.*|.*educe|.*can|Put|Accumulate)$/) || $3 ~ /^MPI_(Sendrecv|All[^o])/)) { u[$3]++; U[$2]++ }
		if (one) M[$2]++
		if (!($2 in first) || ns($1) < first[$2]) first[$2] = ns($1)
		if (ns($1) + d > last[$2]) last[$2] = ns($1) + d
	} END {
		for (c in n) {
			put("mpi", c, "calls", n[c]); put("mpi", c, "time", time(t[c])); put("mpi", c, "share", ratio(t[c], all))
			put("mpi", c, "sent", nb[c] ? b[c] : "-"); put("mpi", c, "received", ng[c] ? g[c] : "-")
			put("mpi", c, "unknown", u[c] + 0)
		}
		for (r in N) {
			put("rank", r, "calls", N[r]); put("rank", r, "time", time(T[r])); put("rank", r, "waits_of_mpi", ratio(W[r], T[r]))
			put("rank", r, "waits_of_span", ratio(W[r], last[r] - first[r]))
			put("rank", r, "share", ratio(T[r], last[r] - first[r])); put("rank", r, "messages", M[r]); put("rank", r, "sent", B[r])
			put("rank", r, "received", R[r]); put("trace", "sent", "value", B[r]); put("trace", "received", "value", R[r])
			put("rank", r, "unknown", U[r]); put("trace", "calls_of_unknown_bytes", "value", U[r])
		}
	}' e > want
	[ "$(wc -l < want)" -gt 400 ]
	all_are < want
}

# States of two threads: nested ones, one within itself, one without a leave, a leave without an enter.
states() {
	printf '##spoor\t1\n##format\tovni\n##clock\ts\torigin=0\n##loc\tloom/pid/tid\n'
	awk 'BEGIN { OFS = "\t" } { printf "%d.%09d\tl/1/%s\t%s\t-\t-\t-\n", $1 / 1000, $1 % 1000 * 1000000, $2, $3 }' <<-END
		1 a OHx
		2 a 6W[
		3 b OHx
		4 a 6U[
		5 b 6U]
		7 a 6U]
		8 b 6U[
		9 b 6U[
		11 a OHp
		12 b 6U]
		15 a OHr
		17 b 6U]
		20 a 6W]
		21 a OHe
		23 b VSr
		25 b 6U[
	END
	printf '##end\tevents=16\n'
}

@test "ovni: time in states, threads" {
	states > t
	report t
	is state nanos6.worker.loop entered 1
	is state nanos6.worker.loop time 0.018000000
	is state nanos6.task.submit entered 4
	is state nanos6.task.submit time 0.015000000 # 3 of a; of b 3 within 9
	is state nanos6.task.submit mean 0.005000000
	is state nanos6.task.submit greatest 0.009000000
	is state nanos6.task.submit unpaired 1
	is state nanos6.task.submit threads 2
	is state ovni.thread entered 3
	is state ovni.thread time 0.016000000
	is state ovni.thread unpaired 1
	is thread l/1/a events 8
	is thread l/1/a executing 0.016000000
	is thread l/1/a share 0.8
	is thread l/1/b first 0.003000000
	is thread l/1/b last 0.025000000
	is thread l/1/b executing -
	# A pair that ovni-dump -D has made one event of is the same time.
	sed 's/^##end.*/##end\tevents=1/; /^[0-9]/d' t > d
	sed -i '/^##end/i 0.002000000\tl/1/a\t6W[\t-\t-\t0.018000000' d
	report d
	is state nanos6.worker.loop time 0.018000000
	is state nanos6.worker.loop unpaired 0
	# What lies between two parts of a file is counted too.
	for n in 2 3 7 16; do
		rm -f p.*
		for k in $(seq 1 $n); do trace-stats -p --chunk "$k/$n" -o "p.$k" t; done
		trace-stats -m --tsv p.* | same - <(trace-stats --tsv t)
	done
}

@test "ovni: time in states is what ovni-dump -D finds in a real trace" {
	need_traces ovni
	for d in "$TRACES/ovni/v1" "$TRACES/ovni/v3"; do
		trace-stats --tsv "$d" > r 2>/dev/null || [ $? = 2 ]
		ovni-dump -D "$d" 2>/dev/null | awk -F'\t' "$AWK"'$6 != "-" && $3 !~ /^(OH.|OM.|.P[pra]|[V6]Tx|P[PQ]x)$/ { n++; all += ns($6) } END { if (n > 1000) print all }' > want
		[ -s want ]
		# Threads, tasks and workshares are paused and resumed; marks have types.
		awk -F'\t' "$AWK"'$1 == "state" && $3 == "time" && $4 != "-" && $2 !~ /^(ovni.thread|ovni.mark.push|[a-z0-9]*\.(task|workshare))$/ {
			s += ns($4) } END { print s }' r | same want -
	done
}

@test "CHARISMA: small requests, modes, sizes at close" {
	for f in cm5 ipsc860 lp64-le; do
		report "$FIX/charisma/$f.chr"
		awk -F'\t' "$AWK"'
		($3 == "read" || $3 == "write") && $5 != "-" {
			n[$3]++; b[$3] += $5; if ($5 < 4096) { s[$3]++; sb[$3] += $5 }
			if (!(($3, $5) in size)) { size[$3, $5]; sizes[$3]++ }
		}
		$3 == "open" {
			m = arg("open_flags"); opens[m]++
			if (!((m, arg("file_id")) in of)) { of[m, arg("file_id")]; files[m]++ }
		}
		$3 == "close" { c++; z = arg("file_size") + 0; if (c == 1 || z < least) least = z; if (z > most) most = z; sum += z }
		END {
			for (e in n) {
				put("request", e, "requests", n[e]); put("request", e, "bytes", b[e]); put("request", e, "sizes", sizes[e])
				put("request", e, "small", ratio(s[e], n[e])); put("request", e, "small_bytes", ratio(sb[e], b[e]))
			}
			for (m in opens) { put("open", m, "opens", opens[m]); put("open", m, "files", files[m]) }
			put("close", "close", "closes", c); put("close", "close", "least", least); put("close", "close", "greatest", most)
		}' "$FIX/charisma/$f.chr.txt" > want
		[ "$(wc -l < want)" -ge 15 ]
		all_are < want
	done
}

# A fixture of each format.
fixtures() {
	for f in spc/Financial1-head.spc laplace/merged-head.ref laplace/k32-excerpt.kern ovni/all.obs \
		dumpi/every-call-0000.bin charisma/cm5.chr charisma/lp64-le.chr; do
		echo "$FIX/$f"
	done
	states > states.ovni
	echo states.ovni
}

@test "the sections are the same behind a pipe, by threads, and of merged parts" {
	for f in $(fixtures); do
		trace-stats --tsv "$f" > one
		trace-filter -b 'event?' "$f" | trace-stats --tsv | same - one
		trace-filter -H 'event?' "$f" > s
		trace-stats --tsv -j 3 s | same - one
		trace-stats "$f" > people
		for n in 2 5; do
			rm -f p.*
			for k in $(seq 1 $n); do trace-stats -p --chunk "$k/$n" -o "p.$k" s; done
			cat p.* | sort | trace-stats -m -p > q
			trace-stats -m --tsv q | same - one
			trace-stats -m q | same - people
		done
	done
}

@test "states and files of 40 random splits, merged in any order, are those of one pass" {
	printf '##spoor\t1\n##format\tovni\n##clock\ts\torigin=0\n##loc\tloom/pid/tid\n' > o
	awk 'BEGIN { srand(11); split("6U[ 6U] VU[ VU] 6U[ 6U] OHx OHp", e, " ")
		for (i = 1; i <= 600; i++) printf "%d.%09d\tl/1/%d\t%s\t-\t-\t-\n", i, rand() * 1e9, rand() * 3, e[1 + int(rand() * 8)] }' >> o
	printf '##end\tevents=600\n' >> o
	printf '##spoor\t1\n##format\tcharisma\n##clock\ts\torigin=0\n##loc\tclient\n' > c
	awk 'BEGIN { srand(12)
		for (i = 1; i <= 600; i++) { f = int(rand() * 20); n = int(rand() * 3); at[f, n] = rand() < 0.3 ? int(rand() * 9999) : at[f, n] + 512 * (1 + f % 3)
			printf "%d.0\t%d\t%s\t%d\t512\t-\tfile=%d\n", i, n, f % 2 ? "read" : "write", at[f, n], f } }' >> c
	printf '##end\tevents=600\n' >> c
	for t in o c; do
		trace-stats --tsv $t > one
		for seed in $(seq 1 20); do
			n=$((seed % 9 + 2))
			rm -f p.* q
			for k in $(seq 1 $n); do trace-stats -p --chunk "$k/$n" -o "p.$k" $t; done
			# Some are merged before the rest.
			a=$(seq 1 $n | awk -v s="$seed" 'BEGIN { srand(s) } rand() < 0.5 { print "p." $1 }')
			# shellcheck disable=SC2086  # a list of names
			[ -z "$a" ] || { trace-stats -m -p -o q $a && rm $a; }
			# shellcheck disable=SC2012
			list=$(ls p.* q 2>/dev/null | awk -v s="$seed" 'BEGIN { srand(s) } { print rand(), $1 }' | sort -n | cut -d' ' -f2)
			# shellcheck disable=SC2086
			trace-stats -m --tsv $list | same - one || { echo "$t: seed $seed"; return 1; }
		done
	done
}

@test "threads give the sections of one pass" {
	# Above what is worth a second thread.
	awk 'BEGIN { srand(3); print "##spoor\t1\n##format\tcharisma\n##clock\ts\torigin=0\n##loc\tclient"
		for (i = 0; i < 150000; i++) {
			f = int(rand() * 50); c = int(rand() * 8)
			if (rand() < 0.8) at[f, c] += 512; else at[f, c] = int(rand() * 1e6)
			printf "%d.%09d\t%d\t%s\t%d\t512\t-\tby=client\tfile_desc=3\tfile=%d\tname=f%d\n", i / 1000, i % 1000 * 1000000, c, f % 3 ? "read" : "write", at[f, c], f, f
		}
		print "##end\tevents=150000" }' > t
	[ "$(wc -c < t)" -gt 9000000 ]
	trace-stats --tsv -j 1 t > one
	has "$(cat one)" '^request	read	requests	99090$'
	for j in 2 3; do trace-stats --tsv -j $j t | same - one; done
}

@test "80 columns; JSON that parses; a text stream without a header has no sections" {
	for f in $(fixtures); do
		status_is 0 trace-stats "$f"
		awk 'length($0) > 80 { print; bad = 1 } END { exit bad }' <<<"$output"
		status_is 0 trace-stats -J "$f"
		! command -v python3 > /dev/null || python3 -c 'import json, sys; json.load(sys.stdin)' <<<"$output"
		# As many sections in either form.
		sections=$(grep -cE '^\{?"[a-z]*": [[{]$' <<<"$output")
		[ "$sections" = "$(trace-stats --tsv "$f" | cut -f1 | sort -u | wc -l)" ]
	done
	trace-filter 'event?' "$FIX/charisma/cm5.chr" > t
	report t
	[ "$(cut -f1 <<<"$report" | grep -cE '^(file|open|request)$')" = 0 ]
}

@test "a partial of other sections is refused; no changed line makes it crash" {
	trace-stats -p "$FIX/charisma/cm5.chr" > p
	sed '1s/sections=[0-9a-f]*/sections=1/' p > c
	status_is 2 trace-stats -m c
	has "$stderr" '^trace-stats: c:1: .*version'
	status_is 2 trace-stats -m p c
	has "$stderr" '^trace-stats: c:1: .*another question'
	states > t
	trace-stats -p --chunk 2/3 t > p
	has "$(cat p)" 'segment'
	last=$(wc -l < p)
	for i in $(seq 2 7 "$last"); do
		for change in 's/\t[^\t]*$/\t99999999999999999999999999/' 's/ [^ \t]*/ -1/' 's/ [^\t]*\t/\t/' 's/^[^\t]*/z=x/' 's/[0-9]/9/g'; do
			sed "${i}$change" p > c
			trace-stats -m c >/dev/null 2>&1 || [ $? = 2 ]
		done
	done
}

@test "JSON is UTF-8, also where a name is not" {
	printf '0.0\t-\ta\377\303\251\t-\t1\t-\n' > u
	status_is 0 trace-stats -J u
	has "$output" '"a.u00ffé"'
	trace-stats -J u | iconv -f UTF-8 -t UTF-8 > /dev/null
}

@test "long names of events stay apart in every section of --tsv" {
	for c in x y; do printf '%d.0\t-\t%s\t-\t1\t-\n' 0 "$(printf '%060d' 0)$c" 1 "$(printf '%060d' 0)$c"; done | sort -s -n -k1,1 > l
	for section in size gap; do
		[ "$(trace-stats --tsv l | awk -F'\t' -v s=$section '$1 == s && $2 != "all" { print $2 }' | sort -u | wc -l)" = 2 ]
	done
}

@test "JSON has names as they are where they are UTF-8, and bytes where not" {
	# The least and the greatest of each length, and what lies beside them.
	while read -r utf8 name; do
		printf '%b' "0.000000000\t0\t$name\t-\t1\t-\n" > t
		want=$name
		[ "$utf8" = is ] || want=$(awk -F'\\\\0' '{
			for (i = 2; i <= NF; i++) printf "\\\\u%04x", substr($i, 1, 1) * 64 + substr($i, 2, 1) * 8 + substr($i, 3) }' <<<"$name")
		trace-stats -J t | grep -F "{\"event\": \"$(printf '%b' "$want")\"" > got || :
		[ -s got ] || { echo "$utf8 $name $want"; trace-stats -J t; return 1; }
	done <<-'END'
	not \0302
	not \0200
	not \0301\0277
	is \0302\0200
	is \0337\0277
	not \0340\0237\0277
	is \0340\0240\0200
	is \0355\0237\0277
	not \0355\0240\0200
	is \0356\0200\0200
	is \0357\0277\0277
	not \0360\0217\0277\0277
	is \0360\0220\0200\0200
	is \0364\0217\0277\0277
	not \0364\0220\0200\0200
	not \0365\0200\0200\0200
	END
}

@test "all events and all bytes of the report are those of the text stream, of every format" {
	for f in spc/Financial1-head.spc laplace/merged-head.ref laplace/k32-excerpt.kern charisma/lp64-le.chr ovni/all.obs; do
		trace-filter -t 'event?' "$FIX/$f" 2>/dev/null | awk -F '\t' '{ bytes += $5 }
			END { printf "trace\tevents\tvalue\t%d\ntrace\tbytes\tvalue\t%d\n", NR, bytes }' > want
		[ "$(awk '$4 > 30' want | wc -l)" = 2 ]
		trace-stats --tsv "$FIX/$f" 2>/dev/null | grep '^trace.\(events\|bytes\)	' | same want -
		trace-filter -b 'event?' "$FIX/$f" 2>/dev/null | trace-stats --tsv | grep '^trace.\(events\|bytes\)	' | same want -
	done
}
