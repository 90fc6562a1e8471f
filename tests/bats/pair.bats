#!/usr/bin/env bats
# pair.bats - trace-pair: random begins and ends against twenty lines of awk; what waits, in memory
# and in the file; names that are many; hostile input. One-line cases are in tests/cases/pair.sh.

load ../helpers

# stream SEED EVENTS: begins B0, B1, ends E0, E1 and others, in 5 places, with arguments.
stream() {
	awk -v seed="$1" -v n="$2" 'BEGIN {
		srand(seed)
		split("1 2 a 0x10 16 b\\x20c", v, " ")
		for (i = 0; i < n; i++) {
			t += int(rand() * 4) * int(rand() * 300)
			k = rand()
			event = k < .45 ? "B" int(rand() * 2) : k < .9 ? "E" int(rand() * 2) : "x"
			line = sprintf("%d.%09d\tp%d\t%s\t-\t%s\t%s\tid=%d", t / 1e9, t % 1e9, rand() * 5, event, rand() < .5 ? "-" : 7,
				rand() < .7 ? "-" : sprintf("0.%09d", rand() * 50), rand() * 10)
			if (rand() < .5) line = line "\tv=" v[1 + int(rand() * 6)]
			if (rand() < .3) line = line "\tw" int(rand() * 3) "=" (rand() < .5 ? "long-text" : "q")
			print line
		}
	}'
}

# pairs KEY QUEUE SELF BY_END DROP: of a stream, what trace-pair should make of it; KEY is loc or id.
pairs() {
	awk -F '\t' -v key="$1" -v queue="$2" -v self="$3" -v by_end="$4" -v drop="$5" '
	function ns(s) { sub(/\./, "", s); return s + 0 }
	function time(n) { return sprintf("%d.%09d", n / 1e9, n % 1e9) }
	function put(n, end, line) { printf "%d\t%s\n", by_end ? end : n, line }
	function args(line, a,	f, n, i, name) {
		split("", a)
		n = split(line, f, "\t")
		for (i = 7; i <= n; i++) { name = f[i]; sub(/=.*/, "", name); sub(/[^=]*=/, "", f[i]); a[name] = f[i] }
	}
	# How much from begin to end the pairs of key k cover that began after the event o and are over.
	function covered(k, o, begin, end,	n, p, i, j, t, sum) {
		n = split(over[k], p, " ")
		for (i = 1; i <= n; i++) if (p[i] > o) {
			for (j = i; j > 1 && (p[j - 1] < o || at[p[j - 1]] > at[p[j]]); j--) { t = p[j]; p[j] = p[j - 1]; p[j - 1] = t }
		}
		for (i = 1; i <= n && p[i] > o; i++) {
			if (at[p[i]] > begin) begin = at[p[i]]
			t = upto[p[i]] < end ? upto[p[i]] : end
			if (t > begin) { sum += t - begin; begin = t }
		}
		return sum
	}
	{
		k = $(key == "loc" ? 2 : 7)
		rule = substr($3, 2)
		if ($3 ~ /^B/) {
			chain[k] = chain[k] " " NR
			line[NR] = $0; at[NR] = ns($1); of[NR] = rule
			next
		}
		if ($3 !~ /^E/) next
		n = split(chain[k], open, " ")
		o = 0
		for (i = 1; i <= n; i++) if (of[open[i]] == rule && !(queue && o)) { o = open[i]; place = i }
		if (!o) { if (!drop) put(NR, NR, $0 "\tunpaired=end"); next }
		chain[k] = ""
		for (i = 1; i <= n; i++) if (i != place) chain[k] = chain[k] " " open[i]
		end = ns($1) + ($6 == "-" ? 0 : ns($6))
		dur = end > at[o] ? end - at[o] : 0
		split(line[o], f, "\t")
		f[6] = time(dur)
		out = f[1]
		for (i = 2; i in f; i++) out = out "\t" f[i]
		args(line[o], a); args($0, b)
		for (i = 7; i <= NF; i++) {
			name = $i; sub(/=.*/, "", name)
			if (!(name in a) || a[name] "" != b[name] "") out = out "\tend." $i
		}
		if (self) out = out "\tself=" time(dur - covered(k, o, at[o], at[o] + dur))
		over[k] = over[k] " " o
		upto[o] = end
		put(o, NR, out)
		done[o] = 1
	}
	END { for (i = 1; i <= NR; i++) if (i in line && !(i in done) && !drop) put(i, NR + i, line[i] "\tunpaired=begin") }' |
		sort -s -n -k1,1 | cut -f 2-
}

each_way() { # WAIT...: of s and s.bin
	local key queue self end drop wait o in
	for key in loc id; do for queue in '' 1; do for self in '' 1; do for end in '' 1; do for drop in '' 1; do
		[ "$self$end$drop" != 11 ] || continue
		pairs "$key" "$queue" "$self" "$end" "$drop" < s > want
		o="-t -k $key ${queue:+--pairing queue} ${self:+--self} ${end:+--by-end} ${drop:+--no-unpaired}"
		for wait; do for in in s s.bin; do
			# shellcheck disable=SC2086  # words
			trace-pair --tune wait=$wait $o --begin B0 --end E0 --begin B1 --end E1 $in > got 2> err
			same want got || { echo "$wait $o $in"; return 1; }
			has "$(cat err)" '^trace-pair: s.*: [0-9]* begins without an end, [0-9]* ends without a begin'
		done; done
	done; done; done; done; done
}

@test "random begins and ends: what awk makes of them" {
	stream 1 1500 > s
	trace-filter -b 'time >= 0' s > s.bin
	each_way 67108864
}

@test "--self of pairs that cross: time of inner pairs is subtracted once" {
	needs python3
	status_is 0 python3 "$ROOT/tests/oracle/pair_self.py" "$BIN" 100 "$RANDOM"
}

@test "what waits goes to a file, whatever fits into memory: the same events" {
	stream 2 1500 > s
	trace-filter -b 'time >= 0' s > s.bin
	each_way 0 300 20000
}

@test "text = binary = text; a pipe; any part of a read" {
	stream 3 2000 > s
	trace-filter -b 'time >= 0' s > s.bin
	o='-k id --self --begin B0 --end E0'
	# shellcheck disable=SC2086
	{
		trace-pair -t $o s 2> /dev/null > want
		trace-pair -t $o s.bin 2> /dev/null | same want -
		trace-pair -b $o s 2> /dev/null | trace-filter -t 'time >= 0' | same want -
		trace-pair -t $o < s.bin 2> /dev/null | same want -
		for n in 1 7 1000; do
			trace-pair --tune read=$n -t $o s 2> /dev/null | same want -
		done
		trace-pair -H $o s.bin 2> /dev/null | grep -v '^#' | same want -
	}
}

@test "many keys at once: each end finds its own begin, whichever it is" {
	# Up to 20,000 are open, and are ended in any order; then all. s: the events, want: the pairs.
	awk 'BEGIN {
		srand(4)
		for (i = 0; i < 100000; i++) {
			if (open && (open == 20000 || rand() < (i < 80000 ? .3 : .8))) {
				k = 1 + int(rand() * open)
				id = at[k]
				at[k] = at[open--]
				end[id] = i
			} else {
				at[++open] = id = ++n
				begin[id] = i
			}
			printf "0.%09d\tp\t%s\t%d\t-\t-\n", i, id in end ? "E" : "B", id * 16 > "s"
		}
		for (id = 1; id <= n; id++)
			printf "0.%09d\tp\tB\t%d\t-\t%s\n", begin[id], id * 16, id in end ? sprintf("0.%09d", end[id] - begin[id]) : "-\tunpaired=begin" > "want"
	}'
	for o in '' '--pairing queue' '--self'; do
		# shellcheck disable=SC2086  # words
		trace-pair $o -k loc,addr --begin B --end E s 2> err | sed 's/\tself=.*//' | same want -
		has "$(cat err)" ' 0 ends without a begin'
	done
}

@test "a million begins without an end: bounded memory, all are told" {
	need_native
	awk 'BEGIN { for (i = 0; i < 1000000; i++) printf "0.%09d\tp\tB\t-\t-\t-\n", i }' | trace-filter -b 'time >= 0' > s
	(ulimit -v 300000; trace-pair -b --begin B --end E s > out 2> err)
	has "$(cat err)" ': 1000000 begins without an end, 0 ends'
	[ "$(trace-filter -c 'unpaired = begin' out)" = 1000000 ]
	(ulimit -v 300000; trace-pair -b --by-end --no-unpaired -k time --begin B --end E s > out 2> err)
	run trace-filter -c 'time >= 0' out
	[ "$output" = 0 ]
}

@test "one begin that stays open: the rest waits in a file, in bounded memory" {
	need_native
	awk 'BEGIN { print "0.000000000\tall\tB\t-\t-\t-"
		for (i = 1; i < 3000000; i++) printf "0.%09d\tp%d\t%s\t%d\t-\t-\n", i, i % 7, int(i / 7) % 2 ? "E" : "B", i
		print "1.000000000\tall\tE\t-\t-\t-" }' | trace-filter -b 'time >= 0' > s
	(ulimit -v 200000; trace-pair -b --begin B --end E s > out 2> err)
	has "$(cat err)" ': [0-9] begins* without an end, [0-9] ends* without'
	[ "$(trace-filter -t --head 1 'time >= 0' out | cut -f 2,6)" = $'all\t1.000000000' ]
	# In order of begin, all of them.
	trace-filter -F addr 'addr?' out | sort -c -n
	[ "$(trace-filter -c 'dur = 7ns' out)" -gt 1499990 ]
	# Nothing is left of the file.
	mkdir tmp
	TMPDIR=$PWD/tmp trace-pair -b --begin B --end E s > again 2> /dev/null
	cmp out again
	[ -z "$(ls -A tmp)" ]
}

@test "names that are many: those in use are kept, the others dropped" {
	need_native
	# Half a million places, each for a short time; and one that stays.
	awk 'BEGIN { print "0.000000000\tall\tB\t-\t-\t-\tname=first"
		for (i = 1; i <= 500000; i++) { printf "0.%09d\tplace-%d\tB\t-\t-\t-\tname=n%d\n0.%09d\tplace-%d\tE\t-\t-\t-\tname=n%d\n", 2 * i, i, i, 2 * i + 1, i, i }
		print "1.000000000\tall\tE\t-\t-\t-\tname=last" }' > s
	(ulimit -v 250000; trace-pair --by-end --begin B --end E s > out 2> err)
	[ ! -s err ]
	[ "$(wc -l < out)" = 500001 ]
	[ "$(tail -1 out)" = $'0.000000000\tall\tB\t-\t-\t1.000000000\tname=first\tend.name=last' ]
	awk -F '\t' 'NR <= 500000 && ($2 != "place-" NR || $7 != "name=n" NR || NF != 7) { exit 1 }' out
	(ulimit -v 250000; trace-pair --begin B --end E s > ordered 2> err)
	[ ! -s err ]
	sort -s -n -k 1,1 out | same - ordered
	# In the file names cannot change: what is open is given up, and that is told.
	(ulimit -v 250000; trace-pair --tune wait=1000000 --begin B --end E s > out 2> err) && got=0 || got=$?
	[ "$got" = 2 ]
	has "$(cat err)" 'names exceed [0-9]+ MiB while events wait in a file'
	[ "$(grep -c unpaired= out)" -le 8 ]
	sort -c -n out
	[ "$(head -1 out | cut -f 7-)" = $'name=first\tunpaired=begin' ]
}

@test "requests of DUMPI: what an independent program found" {
	need_traces dumpi
	for t in allcalls-ompi-full bluegene-public app-minife; do
		d=$TRACES/dumpi/$t
		# By rank: the start and the end of each record, in its place.
		for f in "$d"/*-0*.bin; do
			r=${f##*-}
			dumpi2txt -A "$f" | awk -F '\t' -v r="$((10#${r%.bin}))" '{ print r, NR, $1, $6 }'
		done > records
		trace-pair -A "$d"/*.meta 2> /dev/null > got
		oracle=$TRACES/../oracles/mpi/$t.pairs.tsv
		[ -e "$oracle" ] || skip "no list of pairs beside the traces"
		awk -F '\t' 'function ns(s,	p) { split(s, p, "."); return (p[1] % 1000) * 1e9 + p[2] }
			FILENAME == "records" { split($0, x, " "); from[x[1], x[2]] = x[3]; to[x[1], x[2]] = ns(x[3]) + (x[4] == "-" ? 0 : ns(x[4])); next }
			FILENAME == "got" { split($2, l, "/"); ends[l[1], $1, ns($1) + ns($6)] = 1; next }
			/^#/ { next }
			{ check($4, $5, $6); check($1, $2, $3) }
			function check(rank, rec, done) {
				if (done == "-" || rec == done) return
				n++
				if (!((rank, from[rank, rec], to[rank, done]) in ends)) { print "rank " rank " record " rec; bad = 1 }
			}
			END { exit bad || n < 100 }' records got "$oracle"
	done
}

@test "arguments that share bytes: the event is skipped" {
	printf '1.0\tp\tB\t-\t-\t-\ta=x2345678\tb=abc\n2.0\tp\tE\t-\t-\t-\ta=x2345678\tb=abd\n' | trace-filter -b 'event?' > s
	at=$(($(grep -abo DATA s | cut -d: -f 1) + 32))
	patch() { # RECORD ARGUMENT PLACE BYTES
		cp s p
		len=$(od -An -tu4 -j $at -N 4 s)
		printf "\\x$(printf %02x "$3")\\0\\0\\0\\x$(printf %02x "$4")\\0\\0\\0" |
			dd of=p bs=1 seek=$((at + $1 * len + 48 + 8 * $2)) conv=notrunc status=none
	}
	trace-pair -t --begin B --end E s | grep -q $'a=x2345678\tb=abc\tend.b=abd$'
	# In the fixed part of the record; more than the record has.
	for n in "0 1 0 8" "0 0 48 16" "0 1 64 16"; do
		# shellcheck disable=SC2086  # four words
		patch $n
		status=0
		trace-pair -t --begin B --end E p > out 2> err || status=$?
		[ "$status" = 2 ]
		grep -q '^trace-pair: p: event 1 is skipped: some of its arguments share their bytes$' err
		grep -q $'\tE\t.*unpaired=end' out
	done
	patch 1 1 0 64
	status=0
	trace-pair -t --begin B --end E p > out 2> err || status=$?
	[ "$status" = 2 ]
	grep -q '^trace-pair: p: event 2 is skipped: some of its arguments share their bytes$' err
}
