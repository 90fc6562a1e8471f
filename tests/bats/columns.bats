#!/usr/bin/env bats
# columns.bats - trace-stats computes keys, arguments, columns and --having.

load ../helpers

# A line each: a sample of every format.
SAMPLES="dumpi/small-0002.bin laplace/seed.kern ovni/all.obs charisma/cm5.chr spc/Financial1-head.spc"

odd() {
	awk 'BEGIN {
		srand(7)
		for (i = 0; i < 3000; i++) {
			t += int(rand() * 4) * 250000
			printf "%d.%09d\tn%d/%d\t%s\t%s\t%d\t%s\tx=%d", t / 1e6, t % 1e6 * 1000, rand() * 3, rand() * 2, rand() < .5 ? "R" : "W",
				rand() < .1 ? "-" : int(rand() * 1e6), int(rand() * 5) * 512, rand() < .2 ? "-" : "0.00" int(rand() * 9), i % 7 - 3
			if (rand() < .8) printf "\ty=%s", rand() < .5 ? "a" int(rand() * 3) : rand() * 100
			print ""
		}
	}'
}

@test "keys, arguments and columns against an evaluator in another language and plain sums of it" {
	command -v python3 > /dev/null || skip "no python3"
	status_is 0 python3 "$ROOT/tests/oracle/stats.py" -n 15 -s 4 "$BIN"
	has "$output" '^[0-9]{3} passed, 0 failed$'
}

@test "a computed key or argument is what trace-derive appends" {
	local asked='count,sum(x),mean(x),min(x),max(x),p50(x),p99(x),distinct(x),top(x,3),first(x),last(x)'
	odd > odd.txt
	for f in odd.txt $SAMPLES; do
		[ -f "$f" ] || f=$FIX/$f
		for e in 'addr // 4096' 'size / 7' 'time - prev.time' 'prev.size' 'nth' 'total(size)' 'time // 0.001' 'size + 0.25' 'hash(loc) % 5' \
			'if(size > 512, "big", event)' 'dur * 3' '(size > 1000)' 'end' 'min(size, addr, 700)' 'abs(x) * 1.5' 'nth // 100' 'loc1' '7'; do
			trace-derive -k event "new=$e" "$f" 2> /dev/null | trace-stats -g new -a "${asked//(x/(new}" 2> err > want || :
			! grep -q 'no event had a field new' err || continue
			trace-stats -k event -g "new = $e" -a "${asked//(x/($e}" "$f" 2> /dev/null > got || :
			tail -n +2 want > w
			tail -n +2 got > g
			echo "$e over $f"
			same w g
		done
	done
}

@test "text, binary and native records give the same tables" {
	for f in $SAMPLES; do
		trace-filter -tH 'event?' "$FIX/$f" > text
		trace-filter -b 'event?' "$FIX/$f" > binary
		for q in "-g 'r = addr // 4096' -a 'count, bw = sum(size) / sum(dur), p50,p99(size // 7)'" "-g 'loc, time // 0.5' -a 'sum(size + 1), top(size // 512, 2)'" \
			"-g 'prev.event, nth // 5' -k '' -a 'count, mean(time - prev.time)'" "-a 's = sum(dur * 2) / count, hist(size // 3, 100)' -g event"; do
			for form in "$FIX/$f" text binary; do
				eval "trace-stats $q \"$form\"" 2> /dev/null > "${form##*/}.out" || :
			done
			same "${f##*/}.out" text.out
			same text.out binary.out
		done
	done
}

@test "parts of a file, merged in any order, and threads give what one pass gives" {
	odd > odd.txt
	trace-filter -b 'event?' odd.txt > odd.bin
	for q in "-g 'r = addr // 4096, y' -a 'count, bw = sum(size) / sum(dur), p50,p99(size // 7), d = distinct(addr // 100), count * 9'" \
		"-w 0.1 -g 'x // 2' -a 'n = count, s = sum(size + x) / count, all(count), m = most(sum(size))'" \
		"-w 0.2/0.1 -a 'count, b = sum(size) / max(count, 1), first(size * 2), last(addr // 3), top(x + 1, 3)'" \
		"-a 'ab = sum(size - x), var(x * 2), g = p50(gap), max(count, 3) * 0 + max(size)'"; do
		eval "trace-stats $q odd.txt" > want
		eval "trace-stats $q odd.bin" | same want -
		for n in 2 5; do
			rm -f part.*
			for k in $(seq $n); do eval "trace-stats $q -p --chunk $k/$n odd.txt" > part.$k; done
			# shellcheck disable=SC2046  # names without blanks
			trace-stats -m $(printf '%s\n' part.* | sort -r) > got
			same want got
			cat part.* | LC_ALL=C sort | trace-stats -m -p | trace-stats -m > got
			same want got
		done
		eval "trace-stats --tune worth=1000 -j 4 $q odd.txt" > got
		same want got
	done
}

@test "prev, nth and total in partials of files, merged in any order, are those of all files" {
	odd > odd.txt
	trace-filter -tH 'event?' "$FIX/spc/Financial1-head.spc" > head.txt
	for q in "-g prev.event -a 'count,sum(size),p50(size - prev.size)'" \
		"-g 'event, prev.event' -k loc -a 'count, n = sum(time - prev.time) / count, distinct(prev.addr)'" \
		"-g 'addr = prev.addr + prev.size' -k '' -a 'count,max(gap)'" "-g 'nth // 100' -a 'count,max(total(size))'" \
		"-g event -k 'loc, size // 1024' -e 'prev.size > 512' -a 'count, s = sum(prev.size + size), mean(prev.addr // 3)'"; do
		eval "trace-stats $q odd.txt head.txt" > want
		for f in odd head; do eval "trace-stats $q -p $f.txt" > part.$f; done
		for order in 'part.odd part.head' 'part.head part.odd'; do
			# shellcheck disable=SC2086  # two names
			trace-stats -m $order > got
			same want got
		done
	done
}

@test "rows in order of a computed column; --having beside -S, --head, --csv, -J and --wide" {
	odd > odd.txt
	trace-stats -g y -a 'count, b = sum(size) / count' odd.txt > all
	grep '^#' all > want
	awk -F '\t' '!/^#/ && $2 > 2 && $3 != "-"' all | sort -t "$(printf '\t')" -k 3,3gr -k 1,1 | head -5 >> want
	trace-stats -g y -a 'count, b = sum(size) / count' -S -b --head 5 --having 'count > 2' odd.txt > got
	same want got
	sed 's/^#//; s/\t/,/g; s/^-,/,/' want > want.csv
	trace-stats -g y -a 'count, b = sum(size) / count' -S -b --head 5 --having 'count > 2' --csv odd.txt | tr -d '\r' > got
	same want.csv got
	trace-stats -g 'r = size // 1000, event' -a 'b = sum(size) / count' --wide event odd.txt > got
	trace-stats -g 'r = size // 1000, event' -a 'b = sum(size) / count' odd.txt |
		awk -F '\t' '/^#/ { next } !($1 in seen) { seen[$1]; o[++n] = $1 } { v[$1, $2] = $3 }
			END { for (i = 1; i <= n; i++) print o[i] "\t" (v[o[i], "R"] == "" ? "-" : v[o[i], "R"]) "\t" (v[o[i], "W"] == "" ? "-" : v[o[i], "W"]) }' > want
	grep -v '^#' got | same want -
}

@test "a header that was changed ends the merge, whatever it asks" {
	odd | head -50 > odd.txt
	trace-stats -p -g 'r = addr // 4096' -a 'bw = sum(size) / count, most(sum(size))' odd.txt > part
	for keys in 'r\\x20=' 'r\\x20=\\x20addr\\x20//' '"' '(((((((' 'x\\x20=\\x201,' '\\x00' "$(printf 'a,%.0s' $(seq 100))x" ''; do
		sed "1s|keys=[^ \t]*|keys=$keys|" part > bad
		run trace-stats -m bad
		[ "$status" = 2 ] || { echo "$status: $keys"; return 1; }
	done
	for list in 'sum(' 'sum(size' 'most(' 'all(all(count))' 'p50,' 'p50,p99' 'x\\x20=' 'nth\\x20+\\x20sum(size)' 'sum(sum(size))' 'min()' 'sum(size)\\x20/' '"' \
		'count' 'all(count)' 'top(size,0)\\x20' 'hist(size\\x20//\\x202,0)' 'unaligned(0)\\x20+\\x201'; do
		sed "1s|aggregates=[^ \t]*|aggregates=$list|" part > bad
		run trace-stats -m bad
		[ "$status" = 2 ] || [ "$list" = count ] || [ "$list" = 'all(count)' ] || { echo "$status: $list"; return 1; }
	done
}

@test "ten thousand columns" {
	odd | head -200 > odd.txt
	trace-stats -a "$(yes count, | head -9990 | tr -d '\n')x = count * 3 + sum(x // 2)" odd.txt | tail -1 | tr '\t' '\n' | uniq -c | awk '{ print $1, $2 }' > got
	{
		echo 9990 200
		awk '{ split($7, x, "="); s += int((x[2] + 4) / 2) - 2 } END { print 1, 600 + s }' odd.txt
	} | same got -
}

@test "a column that a line lacks is not learnt from, nor what another line had there" {
	short() { trace-filter -O columns="$1" 'event?' "$2"; }
	printf '1,R\n2,R,a\n3,R\n' > s
	short 'time=$1 event=$2 loc=$3?' s | cut -f 1,2 > got
	printf '%s.000000000\t%s\n' 1 - 2 a 3 - | same got -
	printf 'time,op,host\n1,R\n2,R,host\n3,R,host\n' > s
	short 'time=$time event=$op loc=$host?' s | cut -f 1,2 > got
	printf '%s.000000000\t%s\n' 1 - 2 host 3 host | same got -
	short 'time=$time event=$op loc=$host?' - < s | cut -f 1,2 | same got -
	# A line that is dropped stays so, whatever its other columns are.
	printf '1,m,a\n2,R,a\n' > s
	short 'time=$1 event=$2{m:,*} loc=$3{a:A,*}' s > got
	printf '2.000000000\tA\tR\t-\t-\t-\n' | same got -
	# A duration out of range is none, also where the begin is counted back from the end.
	printf '1,2,99999999999\n3,4,1\n' > s
	short 'end=$1 event=R dur=$3*s?? addr=$2' s | cut -f 1,4,6 > got
	printf '1.000000000\t2\t-\n2.000000000\t4\t1.000000000\n' | same got -
	# Names behind the mark of a comment; an event that would read as none.
	printf '# time addr size op\n1 5 6 R\n' > s
	short 'sep=blank time=$time addr=$addr size=$size event=$op' s > got
	printf '1.000000000\t-\tR\t5\t6\t-\n' | same got -
	printf '1,-\n2,R\n' > s
	status_is 2 trace-filter -O columns='time=$1 event=$2' 'event?' s
	has "$stderr" 's:1: column 2 \(event\): "-": the value is empty'
}
