#!/usr/bin/env bats
# access.bats - trace-access: against Python written from its definitions, Darshan's counters of a trace that
# others have counted, and tables by hand.

load ../helpers

setup() {
	enter
}

@test "every section: what Python finds, over random traces" {
	status_is 0 python3 "$ROOT/tests/oracle/access_random.py" --check "$BIN" 25 "$RANDOM"
	[ "$output" = '325 tables' ]
}

@test "a trace of CHARISMA: what others have counted" {
	f="$SPOOR_TRACES/charisma/clean-lp64-le.chr"
	[ "${SPOOR_TRACES:-}" ] && [ -e "$f" ] || skip "SPOOR_TRACES is not set"
	trace-access --tsv "$f" > got 2> err
	is() { # SECTION ROW COLUMN VALUE
		awk -F'\t' -v s="$1" -v r="$2" -v c="$3" -v v="$4" '$1 == s && $2 == r && $3 == c { print; seen = 1; bad = $4 != v } END { exit bad || !seen }' got
	}
	# Published counts of this trace; a file's 42 reads by three nodes, whose descriptors were not known then,
	# came to them: 39 of them sequential, three runs of 14.
	is classes written sequential_share 0.975136
	is classes written consecutive_share 0.683761
	is classes both sequential_share 0.79375
	is classes both consecutive_share 0.6375
	is classes all consecutive 1036
	is classes all later $((4551 + 39))
	is classes all sequential $((4434 + 39))
	is classes all requests $((5188 + 42))
	is darshan SEQ_READS value $((3367 + 42))
	is darshan CONSEC_READS value 114
	is darshan SEQ_WRITES value 1370
	is darshan CONSEC_WRITES value 922
	is darshan RW_SWITCHES value 31
	[ "$(awk -F'\t' '$1 == "darshan" && $2 ~ /^SIZE_READ/ { print $4 }' got | xargs)" = "$((401 + 42)) 221 2859 0 20 24 0 0 0 0" ]
	[ "$(awk -F'\t' '$1 == "darshan" && $2 ~ /^SIZE_WRITE/ { print $4 }' got | xargs)" = '694 136 611 98 65 59 0 0 0 0' ]
	is touched all blocks 64598
	is touched all shared_blocks 1504
	is runs consecutive runs 131
	is runs consecutive requests 981
	is runs strided runs $((344 + 3))
	is runs strided requests $((3001 + 42))
	is runs backward requests 48
	is runs same-place requests 8
	is opens all opens 712
	is opens all left_open 16
	is opens all greatest 4.154492000
	for k in 0:16.037096 1:9.973477 2:5.888319 3:3.205389 4:0.829997 5:0.718555; do
		is concurrency "${k%:*}" time "${k#*:}000"
	done
	[ "$(trace-access file "$f" 2> err | awk '$16 > 0' | tail -n +2 | wc -l)" = 29 ]
}

@test "by hand: runs, a nested one, one step back" {
	# 3 x 3 of size 10, 20 apart, 1000 apart; then 5 consecutive ones, and two backward.
	{
		for i in 0 1000 2000; do printf '%d 10\n' "$i" $((i + 20)) $((i + 40)); done
		printf '%d 7\n' 5000 5007 5014 5021 5028
		printf '%d 8\n' 300 200
	} | awk '{ printf "%d.0\tn\tread\t%s\t%s\t-\n", NR, $1, $2 }' > s.tsv
	trace-access runs s.tsv > got
	printf '#run\truns\trequests\tshare\tlongest\n' > want
	printf 'consecutive\t1\t5\t0.3125\t5\nstrided\t3\t9\t0.5625\t3\nbackward\t0\t0\t0\t0\nsame-place\t0\t0\t0\t0\nnested\t1\t9\t0.5625\t3\n' >> want
	same want got
}

@test "by hand: streams that take turns, and seek distances" {
	for i in 0 1 2 3; do printf '0,%d,512,r,%d.0\n' "$i" "$i" $((1000 + i)) "$i"; done > s.spc
	trace-access streams s.spc > got
	printf '#file\trequests\tsequential\tsequential_share\tstreams\tin_streams\tstream_share\tbytes\tlongest\n0\t8\t0\t0\t2\t8\t1\t4096\t4\n' | same got -
	trace-access seek s.spc > got
	# Seven have one before: 4 forth by 999 blocks, 3 back by 1000; six begin where some other has ended.
	printf '#distance\trequests\tshare\tnearest\tnearest_share\n-262144\t3\t0.428571\t0\t0\n0\t0\t0\t6\t0.857143\n262144\t4\t0.571429\t1\t0.142857\n' | same got -
	# With one stream each is lost before it goes on.
	[ "$(trace-access streams --max-streams 1 --no-header s.spc | cut -f 5,6)" = $'0\t0' ]
}

@test "times between references: reads and writes of one block, and of no bytes" {
	printf '0,%d,%d,%s,%d.0\n' 0 512 w 1 0 512 r 2 0 512 r 4 1 512 w 7 0 0 w 9 > s.spc
	trace-access after s.spc > got
	printf '#after\ttimes\tshare\tp50\tmean\tp90\tp99\tgreatest\tsample\n' > want
	printf '%s\t1\t0.333333\t%s.000000000\t%s.000000000\t%s.000000000\t%s.000000000\t%s.000000000\t1\n' \
		read-read 2 2 2 2 2 write-read 1 1 1 1 1 read-write 3 3 3 3 3 >> want
	printf 'write-write\t0\t0\t-\t-\t-\t-\t-\t1\n' >> want
	same want got
	trace-access hot s.spc | grep all-100 > got
	printf 'all-100%%\t1\t4\t1\t1\n' | same got -
}

@test "of more blocks than are kept a sample says so, and is near" {
	awk 'BEGIN { srand(3); for (i = 0; i < 200000; i++) printf "0,%d,4096,%s,%d.%06d\n", int(rand() * rand() * 40000) * 8, i % 3 ? "r" : "W", i / 1000, i % 1000 }' > s.spc
	trace-access --tsv hot after s.spc > whole
	trace-access --tsv --keys 4000 hot after s.spc > part
	grep -q $'hot\t(limit)\tblocks\t1/16' part
	grep -q $'after\t(limit)\ttimes\t1/16' part
	[ "$(grep -c 'limit.*1/' whole)" = 0 ]
	[ "$(trace-access hot --keys 4000 s.spc | cut -f 5 | sort -u | xargs)" = '1/16 sample' ]
	# All references, and the share of the hottest tenth, within 5 %.
	for row in hot:all-100%:references hot:all-10%:share after:read-read:times; do
		IFS=: read -r s r c <<< "$row"
		for f in whole part; do awk -F'\t' -v s="$s" -v r="$r" -v c="$c" '$1 == s && $2 == r && $3 == c { print $4 }' $f; done |
			awk -v row="$row" 'NR == 1 { a = $1 } NR == 2 { d = $1 / a - 1; print row, d; exit d > 0.05 || d < -0.05 }'
	done
	# Its memory does not grow with the blocks.
	need_native
	[ "$(peak_of trace-access hot --keys 4000 s.spc)" -le 6144 ]
}

@test "forms: one section is a table, several are a report, which JSON and TABs have as well" {
	f="$FIX/charisma/cm5.chr"
	trace-access classes "$f" > one
	trace-access --csv classes "$f" | tr , '\t' | sed '1s/^/#/' | same one -
	trace-access classes --no-header "$f" | same <(tail -n +2 one) -
	trace-access -J classes "$f" | python3 -c 'import json, sys; v = json.load(sys.stdin); assert [r["class"] for r in v] == ["read", "both", "all"] and v[2]["requests"] == 74'
	trace-access -J "$f" | python3 -c 'import json, sys; v = json.load(sys.stdin); assert v["classes"][2]["requests"] == 74 and v["file"][0]["later"] == 8 and len(v) > 8'
	trace-access --tsv "$f" | grep -qx $'classes\tall\trequests\t74'
	# Sections before options, behind them, or both.
	trace-access runs classes --tsv "$f" > got
	trace-access runs --tsv classes "$f" | same got -
	trace-access --tsv classes runs "$f" | same got -
	# Names of files that are sections.
	cp "$f" file
	trace-access classes ./file | same one -
	status_is 2 trace-access classes nothing
	status_is 2 trace-access --csv "$f"
	grep -q 'name a section' <<< "$stderr"
	trace-access "$f" | awk 'length > 80 { print; bad = 1 } END { exit bad }'
}

@test "text, binary and native; -e; a file by another key" {
	f="$FIX/charisma/cm5.chr"
	trace-access --tsv "$f" > want
	charisma-dump -H "$f" | trace-access --tsv | same want -
	charisma-dump -b "$f" | trace-access --tsv | same want -
	trace-access -e 'read or open' --no-header classes "$f" | cut -f 1,2,4 > got
	printf 'read\t3\t46\nall\t3\t46\n' | same got -
	[ "$(trace-access --file name --no-header file "$f" | cut -f 1 | xargs)" = "$(trace-stats -g name -a count -e '(read or write) and name?' --no-header "$f" | cut -f 1 | xargs)" ]
	[ "$(trace-access --node by --no-header classes "$f" | awk '$1 == "all" { print $3 }')" -le 3 ]
	status_is 2 trace-access --file a,b "$f"
}

@test "requests that are left out are told: no file, beyond 2^64, of too many blocks" {
	printf '0.0\tn\tread\t18446744073709551615\t1\t-\n1.0\tn\tread\t18446744073709551615\t2\t-\n2.0\tn\tread\t0\t-\t-\n3.0\tn\tread\t0\t99999999999\t-\n' > s.tsv
	status_is 2 trace-access hot s.tsv
	grep -q '1 request has no addr' <<< "$stderr"
	grep -q '3 requests are left out' <<< "$stderr"
	printf '0.0\tn\tread\t18446744073709551614\t1\t-\n' | trace-access hot | grep -q $'^all-100%\t1\t1\t'
	status_is 0 trace-access classes --no-header /dev/null
	[ ! "$output" ]
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

# files_of FILE: classes of files, and how many have one gap and one size, as an independent program finds them.
files_of() {
	awk -F'\t' '
	/^#/ { next }
	{ f = $NF; sub(/.*=/, "", f); did[f] += 0 }
	$3 == "open" { next }
	{
		if ($3 == "read" && did[f] % 2 == 0) did[f]++
		if ($3 == "write" && did[f] < 2) did[f] += 2
		req[f]++
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
			F[r]++; S[r] += nodes[f] > 1; R[r] += req[f]; L[r] += later[f]
			A[r] += above[f]; H[r] += behind[f]; G[r] += gaps[f] == 1; Z[r] += sizes[f] == 1
		}
		name[5] = "all"
		for (r = 1; r <= 5; r++) if (F[r])
			print "classes", name[r], F[r], S[r], R[r], L[r], A[r], H[r]
		for (r = 1; r <= 5; r++) if (F[r])
			print "one", name[r], G[r], Z[r]
	}' "$1"
}

@test "classes and distinct: every number is awk's for thousands of files" {
	accesses 30000 5000 > t
	files_of t | sed 's/ $//' > want
	[ "$(wc -l < want)" = 10 ]
	{
		trace-access --no-header classes t | awk '{ print "classes", $1, $2, $3, $4, $5, $6, $8 }'
		trace-access --no-header distinct t | awk '{ split($1, of, "-"); one[of[1], of[2]] = $3 } of[2] == "sizes" { print "one", of[1], one[of[1], "gaps"], one[of[1], "sizes"] }'
	} > got
	same want got
}
