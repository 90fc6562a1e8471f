#!/usr/bin/env bats
# plot.bats - trace-plot: tables against trace-stats and against two passes in Python; pictures against
# tables; hostile names, extreme times, much noise.
bats_require_minimum_version 1.5.0
load ../helpers

KINDS='rate heat timeline hist matrix flame'

# adds_up FILE OPTION...: the tables of all kinds have the sums that trace-stats has.
adds_up() {
	local f=$1 events
	shift
	trace-stats "$@" -g event -a 'count,sum(size)' --no-header "$f" 2> err | sed 's/-$/0/' | LC_ALL=C sort > want
	[ -s want ]
	trace-plot rate -a 'sum(size)' "$@" --bins "$f" 2> err | tail -n +2 | awk -F '\t' '
		{ n[$3] += $4; s[$3] += $5 } END { for (e in n) printf "%s\t%d\t%d\n", e, n[e], s[e] }' |
		LC_ALL=C sort | same want -
	# Of MPI, unless all sizes are asked for, only what is sent.
	trace-plot rate "$@" --bins "$f" 2> err | awk -F '\t' 'NR > 1 { n[$3] += $4; s[$3] += $5 } END { for (e in n) printf "%s\t%d\t%d\n", e, n[e], s[e] }' |
		LC_ALL=C sort | same <(awk -F '\t' -v OFS='\t' '/^MPI_/ && !/^MPI_([A-Za-z]*[sS]end|Sendrecv[^\t]*|Start[^\t]*)\t/ { $3 = 0 } { print }' want) -
	events=$(trace-stats "$@" -e 'size?' -g event -a count --no-header "$f" 2> err | LC_ALL=C sort)
	[ -n "$events" ] || return 0
	trace-plot hist -y size "$@" --bins "$f" 2> err | tail -n +2 | awk -F '\t' '
		{ n[$3] += $4 } END { for (e in n) printf "%s\t%d\n", e, n[e] }' | LC_ALL=C sort | same <(echo "$events") -
	[ "$(trace-plot heat -y size "$@" --bins "$f" 2> err | awk -F '\t' '{ n += $5 } END { print n }')" = \
		"$(echo "$events" | awk -F '\t' '{ n += $2 } END { print n }')" ]
}

@test "tables add up to what trace-stats counts" {
	for f in spc/Financial1-head.spc spc/WebSearch2-first10.spc laplace/merged-head.ref runs/solver.meta charisma/lp64-le.chr; do
		adds_up "$FIX/$f"
	done
	adds_up "$FIX/runs/tasks"
}

@test "tables of real traces add up" {
	need_traces dumpi
	for f in "$TRACES"/dumpi/*/*.meta "$TRACES"/spc/Financial1-first28s.spc; do
		adds_up "$f"
	done
}

@test "a timeline adds up to sum(dur) of each location and call" {
	trace-stats -g loc,event -a 'sum(dur)' --no-header "$FIX/runs/solver.meta" | LC_ALL=C sort > want
	trace-plot timeline -g event --bins "$FIX/runs/solver.meta" | tail -n +2 | tr -d . | awk -F '\t' '
		{ d[$3 "\t" $4] += $5 } END { for (k in d) printf "%s\t%d.%09d\n", k, d[k] / 1e9, d[k] % 1e9 }' |
		LC_ALL=C sort | same want -
}

@test "a state that comes late is taken in order; no time is below 0" {
	# A comes behind B, which began later; C is within A, as is B.
	printf '%s\n' '5.0	a	B	-	-	10.0' '0.0	a	A	-	-	10.0' '1.0	a	C	-	-	3.0' '6.0	b	B	-	-	1.0' > s
	sums() { trace-plot timeline --bins "$@" s | awk -F '\t' 'NR > 1 { d[$3 $4] += $5 }
		END { for (k in d) printf "%s %.6f\n", k, d[k] }' | sort; }
	sums | same <(printf '%s\n' 'aA 2.000000' 'aB 10.000000' 'aC 3.000000' 'bB 1.000000') -
	sums --by-time | same <(printf '%s\n' 'aA 2.000000' 'aB 10.000000' 'aC 3.000000' 'bB 1.000000') -
	for f in cm5 ipsc860; do
		trace-plot timeline --bins "$FIX/charisma/$f.chr" > got 2> err
		[ "$(wc -l < got)" -gt 1400 ]
		awk -F '\t' 'NR > 1 && $5 <= 0 { print; bad = 1 } END { exit bad }' got
	done
}

@test "the self time of ovni's states is theirs in the timeline" {
	need_native
	ovni-dump -D "$FIX/runs/tasks" | grep -c self= > n
	[ "$(cat n)" -gt 10 ]
	ovni-dump -b -D "$FIX/runs/tasks" | trace-stats -e 'event = "VAs"' -g event -a 'sum(self)' --no-header > want
	trace-plot timeline --bins -g event "$FIX/runs/tasks" | awk -F '\t' '$4 == "VAs" { d[$4] += $5 }
		END { for (k in d) printf "%s\t%.9f\n", k, d[k] }' | LC_ALL=C sort | same want -
}

@test "bins that fold are those of two passes; the state that began last counts" {
	needs python3
	status_is 0 python3 "$ROOT/tests/oracle/plot.py" fold 60 7
	has "$output" 'are right'
}

@test "tables are those that the page tells how to compute" {
	needs python3
	status_is 0 python3 "$ROOT/tests/oracle/plot.py" tables 40 3
	has "$output" 'have the right tables'
}

@test "the paths of a colour cover the sum of its durations" {
	needs python3
	trace-plot timeline -g event "$FIX/runs/solver.meta" > p.svg
	trace-plot timeline -g event --bins "$FIX/runs/solver.meta" > p.tsv
	dumpi2txt "$FIX/runs/solver.meta" > s
	status_is 0 python3 "$ROOT/tests/oracle/plot.py" area p.svg p.tsv s
	has "$output" 'cover what they should'
}

@test "pictures are well formed, and of all formats; the same bytes again" {
	needs xmllint
	for f in spc/Financial1-head.spc laplace/merged-head.ref runs/solver.meta charisma/cm5.chr runs/tasks; do
		for k in $KINDS; do
			got=0
			trace-plot "$k" "$FIX/$f" > p.svg 2> err || got=$?
			[ "$got" -le 1 ]
			[ "$got" = 0 ] || { grep -q '>Nothing to draw<' p.svg; [ "$k" != rate ]; }
			xmllint --noout p.svg
			trace-plot "$k" --theme dark --size 500x300 "$FIX/$f" 2> err | xmllint --noout -
			trace-plot "$k" "$FIX/$f" 2> err | same p.svg -
			has "$(head -1 p.svg)" 'role="img" aria-labelledby="t d"'
			run ! grep -qiE '<script|href|<image|foreignObject' p.svg
		done
	done
}

@test "rsvg-convert draws them" {
	needs rsvg-convert
	for k in $KINDS; do
		trace-plot "$k" "$FIX/runs/solver.meta" | rsvg-convert -o p.png
		[ "$(wc -c < p.png)" -gt 5000 ]
	done
}

@test "text, binary and native input: the same picture" {
	for f in spc/Financial1-head.spc runs/solver-0000.bin; do
		for k in $KINDS; do
			got=0
			trace-plot "$k" < "$FIX/$f" > want 2> err || got=$?
			trace-filter -b 'event?' < "$FIX/$f" 2> err | trace-plot "$k" > bin 2> err || [ $? = "$got" ]
			trace-filter -tH 'event?' < "$FIX/$f" 2> err | trace-plot "$k" > text 2> err || [ $? = "$got" ]
			same want bin
			same want text
		done
	done
}

@test "no total of MPI counts a message twice: it is what its calls send, of SPC the sum" {
	trace-plot rate "$FIX/runs/solver.meta" > p.svg
	# 48 times 8,000 bytes and 3 times 320,000.
	grep -q "158 calls.* $(awk 'BEGIN { printf "%.2f", (48 * 8000 + 3 * 320000) / 1048576 }') MiB sent " p.svg
	[ "$(trace-stats -e 'MPI_*[sS]end' -a 'sum(size)' "$FIX/runs/solver.meta" | tail -n 1)" = 1344000 ]
	grep -q '>bytes sent per second<' p.svg
	run ! grep -E 'MPI_(Recv|Irecv|Waitall) · .*B in all' p.svg
	trace-plot rate --bins "$FIX/runs/solver.meta" | head -n 1 | grep -q '	sent$'
	trace-plot rate -a 'sum(size)' "$FIX/runs/solver.meta" | grep -q '>bytes per second<'
	# The same of parts, and by rank.
	for i in 0 1 2 3; do trace-plot rate -g loc -p -e "loc = $i" "$FIX/runs/solver.meta"; done > parts
	trace-plot rate -g loc "$FIX/runs/solver.meta" | same <(trace-plot rate -m parts) -
	trace-plot rate "$FIX/spc/Financial1-head.spc" > p.svg
	awk -F , '{ n += $3 } END { printf "%.0f KiB\n", n / 1024 }' "$FIX/spc/Financial1-head.spc" > want
	grep -qF " $(cat want) " p.svg
}

@test "sums beyond 64 bits: rate says all of them, and all bytes that addr touches" {
	for i in 1 2 3 4 5; do
		printf '%d.0\ta\tR\t%d\t9223372036854775807\t-\n' "$i" "$i"
		printf '%d.5\ta\tW\t%d\t1844674407370955161\t-\n' "$i" "$i"
	done > ev
	trace-plot rate --bins ev > bins
	needs python3
	python3 - << 'PY'
want, got = {}, {}
for l in open('ev'):
    f = l.split('\t')
    want[f[2]] = want.get(f[2], 0) + int(f[4])
for l in open('bins'):
    f = l.rstrip('\n').split('\t')
    if l[0] != '#': got[f[2]] = got.get(f[2], 0) + int(f[4])
assert got == want
open('said', 'w').write('%.3g EiB · steps\n' % (sum(want.values()) / 2**60))
for e, n in want.items():
    if n > 2**60: open('said', 'a').write('%s · %.3g EiB in all\n' % (e, n / 2**60))
PY
	[ "$(wc -l < said)" = 3 ]
	trace-plot rate ev > p.svg
	while read -r line; do grep -qF "$line" p.svg; done < said
	trace-plot rate -p ev | trace-plot rate -m --bins | same bins -
	# A request of all addresses, and one more: 256 blocks of 64 PiB.
	printf '%s\ta\tR\t%s\t%s\t-\n' 1.0 0 18446744073709551615 2.0 0 18446744073709551615 > s
	trace-plot addr s > p.svg
	grep -q ' · shade is bytes in [0-9.]* ms and [0-9]* PiB · a<' p.svg
	[ "$(grep -c '>32 EiB<' p.svg)" = 1 ]
	run ! grep -q '0 B touched' p.svg
	trace-plot addr --terminal --width 70 s | grep -q '0 B .* 16 EiB$'
}

@test "hostile names are shown, and do nothing" {
	needs xmllint
	printf '%s\n' '0.000000001	"a'\''<b>&	<script>alert(1)</script>	-	10	0.000000500' \
		'0.000000601	\x1b[31m	é	-	10	0.000000500' > s
	printf '0.000002601\tx\377\t\377\303(\357\277\277\t-\t10\t0.000000500\n' >> s
	printf '0.000003601\t%s\t%s\t-\t10\t0.000000500\n' "$(head -c 10000 /dev/zero | tr '\0' l)" \
		"$(head -c 10000 /dev/zero | tr '\0' n)" >> s
	for k in $KINDS; do
		trace-plot "$k" --title '</title><script>x' s > p.svg
		xmllint --noout p.svg
		run ! grep -q '<script' p.svg
		[ "$(wc -c < p.svg)" -lt 20000 ]
		# A terminal gets nothing that does something.
		trace-plot "$k" --terminal s | LC_ALL=C tr -d ' -~\n' > controls
		[ ! -s controls ]
	done
	trace-plot rate s | grep -qF '\xff\xc3(\xef\xbf\xbf'
}

@test "one event, equal times, times at both ends of 64 bits" {
	needs xmllint
	printf '5.000000000\ta\tE\t-\t10\t0.000000500\n' > one
	for i in 1 2 3; do printf '5.000000000\ta\tE\t-\t10\t0.5\n'; done > equal
	printf '%s\n' '-9223372036.854775808	a	E	-	10	1.000000000' \
		'9223372036.854775807	b	F	-	18446744073709551615	9223372036.854775807' > ends
	for f in one equal ends; do
		for k in $KINDS; do
			trace-plot "$k" $f > p.svg
			xmllint --noout p.svg
			trace-plot "$k" --terminal $f > /dev/null
			trace-plot "$k" --bins $f > /dev/null
		done
	done
	same <(trace-plot rate --bins one) - <<< $'#time\tend\tevent\tcount\tsum(size)\n5.000000000\t5.000000001\tE\t1\t10'
}

@test "nothing to draw is status 1, and says why" {
	printf '5.000000000\ta\tE\t-\t-\t-\n' > s
	for k in $KINDS; do status_is 1 trace-plot "$k" /dev/null; done
	status_is 1 trace-plot flame s
	has "$stderr" '^trace-plot: no event lasts'
	status_is 0 trace-plot timeline s
	status_is 1 trace-plot timeline -e 'time < 0' s
	status_is 1 trace-plot heat s
	has "$stderr" '^trace-plot: no event has "size"'
	status_is 0 trace-plot rate s
	status_is 1 trace-plot rate -e 'size > 5' s
	status_is 2 trace-plot rate -e 'sise > 5' s
	status_is 2 trace-plot rat s
	status_is 2 trace-plot addr -g event s
	status_is 2 trace-plot rate --size 9x9 s
	# A rule of make that takes status 1 publishes a picture that says so.
	status_is 1 trace-plot rate -e 'size > 5' -o none.svg s
	grep -q '>no event matched<' none.svg
	xmllint --noout none.svg
	status_is 1 trace-plot flame -o none.svg s
	grep -q '>no event lasts: nothing to draw as flame' none.svg
	status_is 1 trace-plot rate -e 'size > 5' --bins s
	[ ! "$output" ]
}

@test "broken input: what was read is drawn, status 2; no file of -o" {
	printf '1.0\ta\tE\t-\t1\t-\nbroken\n' > s
	status_is 2 trace-plot rate s
	has "$output" '</svg>'
	status_is 2 trace-plot rate -o p.svg s
	[ ! -e p.svg ]
}

# Of 16 locations as many short states as there can be.
noise() {
	awk -v n="$1" -v states="$2" 'BEGIN { srand(3); for (t = 0; t < 1e7; t += 250) {
		d = 100 + int(rand() * 5000)
		printf "0.%09d\tl%d\tS%d\t-\t%d\t0.%09d\n", t, int(rand() * n), int(rand() * states), 2 ^ (rand() * 40), d } }'
}

@test "noise is at most 500 KB, many names and locations too" {
	need_native
	for how in '16 8' '7 30' '64 8' '30000 8' '5 2000'; do
		# shellcheck disable=SC2086  # two numbers
		noise $how > s
		for k in $KINDS; do
			# What overlaps makes no stacks.
			trace-plot "$k" s > p.svg 2> err || grep -q 'flame: no stacks' err
			[ "$(wc -c < p.svg)" -lt 500000 ]
		done
		trace-plot timeline --bins s 2> err | awk -F '\t' 'NR > 1 { print $3 }' | sort -u | wc -l > lanes
		[ "$(cat lanes)" -le 64 ]
	done
	# None is dropped: all locations are in some row.
	noise 30000 8 > s
	trace-plot timeline s | grep -q "<title id=\"t\">Where $(trace-stats -g loc -a count --no-header s | wc -l |
		sed 's/\(.*\)\(...\)/\1,\2/') locations spend"
	trace-stats -a 'sum(dur)' --no-header s > want
	trace-plot timeline -y event --bins -g loc s > /dev/null
}

@test "a state without memory of its own is one of the others to its end" {
	# The slots are full when the last state of l11 begins; then rows are shared, which gives some back.
	awk 'function event(l, k, d) { printf "0.%09d\tl%d\tS%d\t-\t-\t%.9f\n", t += 20, l, k, d }
		BEGIN {
			for (l = 0; l < 12; l++) for (k = 0; k < 380; k++) event(l, k, l * k < 11 * 379 ? 1e-8 : 0.5)
			for (; l < 140; l++) for (k = 0; k < 3; k++) event(l, k, 1e-8)
			event(11, 1, 1e-6)
		}' > s
	trace-plot timeline -g event --bins s > got
	run ! grep -q -- '-0' got
	[ "$(awk -F '\t' 'NR > 1 { d += $5 } END { printf "%.9f", d }' got)" = \
		"$(trace-stats -a 'sum(dur)' --no-header -e 'dur < 1us or dur > 1ms' s)" ]
}

@test "outliers are drawn, and told" {
	{ for i in $(seq 1 999); do printf '0.%09d\ta\tE\t-\t1\t-\n' "$i"; done; printf '1000.0\ta\tE\t-\t1\t-\n'; } > s
	status_is 0 trace-plot rate s
	has "$stderr" '^trace-plot: 1 event at \+1,000 s is not shown, nor counted \(--all\)$'
	status_is 0 trace-plot rate - < s
	has "$stderr" '^trace-plot: over 99 % of all lies in 5 % of the time: --to 0\.000001 shows it$'
	status_is 0 trace-plot rate --to 1 --bins s
	[ -z "$stderr" ]
	[ "$(tail -n +2 <<< "$output" | awk -F '\t' '{ n += $4 } END { print n }')" = 999 ]
}

@test "a terminal: its width, its characters, colours where it has them" {
	for k in $KINDS; do
		trace-plot "$k" --terminal --width 60 "$FIX/runs/solver.meta" > out
		[ "$(LC_ALL=C awk 'length > m { m = length } END { print m }' out)" -le 60 ]
		run ! grep -q $'\033' out
		COLUMNS=60 trace-plot "$k" --terminal "$FIX/runs/solver.meta" | same out -
	done
	need_native
	command -v script > /dev/null || skip "no script"
	TERM=xterm-256color script -qec "trace-plot heat $FIX/runs/solver.meta" /dev/null < /dev/null > out
	grep -q $'\033\[38;5;' out
	TERM=dumb script -qec "trace-plot heat $FIX/runs/solver.meta" /dev/null < /dev/null > out
	run ! grep -q $'\033' out
	NO_COLOR=1 TERM=xterm script -qec "trace-plot heat $FIX/runs/solver.meta" /dev/null < /dev/null > out
	run ! grep -q $'\033' out
}

@test "the terminal's picture and the table agree" {
	# A histogram's bars have their numbers behind them.
	trace-plot hist --terminal -y size "$FIX/spc/Financial1-head.spc" | awk '$NF ~ /^[0-9,]+$/ { gsub(",", "", $NF); n += $NF }
		END { print n }' > got
	trace-plot hist --bins -y size "$FIX/spc/Financial1-head.spc" | awk 'NR > 1 { n += $4 } END { print n }' | same got -
}

@test "partials: any cut, any order, the same bytes" {
	local f=$FIX/spc/Financial1-head.spc
	for k in rate heat hist matrix addr; do
		trace-plot "$k" "$f" > want
		trace-plot "$k" --bins "$f" > want.tsv
		for n in 1 3 7; do
			rm -f p.*
			for i in $(seq "$n"); do trace-plot "$k" -p --chunk "$i/$n" "$f" > "p.$i"; done
			trace-plot "$k" -m p.* | same want -
			cat p.* | trace-plot "$k" -m --bins | same want.tsv -
			# shellcheck disable=SC2046  # no blanks
			trace-plot "$k" -m -p $(ls -r p.*) | trace-plot "$k" -m | same want -
		done
	done
	for k in rate heat timeline hist matrix flame 'flame -y loc' 'matrix -a sum(dur)'; do
		rm -f p.*
		# shellcheck disable=SC2086  # words
		for i in 3 1 0 2; do trace-plot $k -p -e "loc = $i" "$FIX/runs/solver.meta" > "p.$i"; done
		# shellcheck disable=SC2086
		same <(trace-plot $k "$FIX/runs/solver.meta") - < <(trace-plot "${k%% *}" -m p.2 p.0 p.3 p.1)
	done
	trace-plot timeline -y event -p -e 'event = "MPI_Init"' "$FIX/runs/solver.meta" > p.0
	trace-plot timeline -y event -p -e 'event != "MPI_Init"' "$FIX/runs/solver.meta" > p.1
	same <(trace-plot timeline -y event "$FIX/runs/solver.meta") - < <(trace-plot timeline -m p.1 p.0)
	trace-plot timeline -p -g 'if(size > 100, "large one", "small")' "$FIX/runs/solver.meta" > p
	same <(trace-plot timeline -g 'if(size > 100, "large one", "small")' "$FIX/runs/solver.meta") - < <(trace-plot timeline -m p)
}

@test "any number of threads: the same bytes, and messages" {
	noise 3 500 | sed 's/$/\tx=1/' > s
	noise 3 20 > few
	printf '9.0\ta\tE\t-\t1\t-\nbroken\n' | cat few - > bad
	for f in s few bad "$FIX/spc/Financial1-head.spc"; do
		for o in rate heat hist matrix addr 'matrix -y event -g size' 'heat -a sum(size)' 'heat --linear y' 'heat -g loc' 'heat -g event --linear y -y size%7' 'rate -g loc' 'hist -g size' 'heat -y size%1000' 'hist -e nth<9' 'rate -e nonesuch=1' 'rate -e size>600' 'heat --to 0.005'; do
			# shellcheck disable=SC2086  # words
			trace-plot --tune worth=1 $o -j 1 "$f" > want 2> want.err || echo $? >> want
			for j in 2 5; do
				# shellcheck disable=SC2086
				trace-plot --tune worth=1 $o -j $j "$f" > got 2> got.err || echo $? >> got
				same want got
				same want.err got.err
			done
		done
	done
}

@test "bins of all kinds are what Python finds, of parts and with threads too" {
	needs python3
	status_is 0 python3 "$ROOT/tests/oracle/plot.py" kinds 12 3
	has "$output" 'are right'
}

@test "parts whose states may be within each other are refused, others are not" {
	printf '0.000000100\tl\ta\t-\t-\t0.000000500\n' > a
	printf '0.000000300\tl\tb\t-\t-\t0.000000100\n0.000000600\tl\tc\t-\t-\t0.000000100\n' > b
	printf '0.000000600\tl\tb\t-\t-\t0.000000100\n0.000000650\tl\tc\t-\t-\t0.000000050\n' > c
	sed 's/\tl\t/\tm\t/' b > d
	for k in timeline flame; do
		for f in a b c d; do trace-plot $k -p $f > p.$f; done
		status_is 2 trace-plot $k -m p.a p.b
		has "$stderr" '^trace-plot: events of "l" last from one part into another'
		[ -z "$output" ]
		status_is 2 trace-plot $k -m p.c p.d p.a p.b
		status_is 0 trace-plot $k -m p.c p.a
		# What was merged before knows it too, and of each part alone.
		trace-plot $k -m -p p.c p.a > p.ca
		status_is 2 trace-plot $k -m p.b p.ca
		trace-plot $k --bins a c d > want 2> err
		trace-plot $k -m --bins p.d p.ca | same want -
	done
	# Rows that more locations share than are kept apart are nobody's; parts of fewer are as one reading.
	for n in 1024 320; do
		k=timeline
		[ $n = 1024 ] || k=matrix
		awk -v n=$n 'BEGIN { for (i = 0; i <= n; i++) printf "%d.0\tl%d\te\t-\t1\t0.5\n", i, i }' > s
		status_is 2 trace-plot $k -p s
		has "$stderr" "-p: more than $n rows have names"
		trace-plot $k -p -e 'time < 100s' s > p.a
		trace-plot $k -p -e 'time >= 100s' s > p.b
		for o in --terminal --bins --size=960x600; do
			trace-plot $k -m $o p.b p.a | same <(trace-plot $k $o s) -
		done
		head -n "$n" s | trace-plot $k -p > p
		trace-plot $k -m p | same <(head -n "$n" s | trace-plot $k) -
	done
	status_is 0 trace-plot flame -p s
	status_is 2 trace-plot line -p s
	has "$stderr" 'line reads tables, not events: it takes no -p'
}

@test "axes: what is honoured, and what is refused with its reason" {
	local f=$FIX/runs/solver.meta
	for o in 'heat --log y' 'heat --log yz' 'heat --linear x' 'hist --log x' 'hist --linear y' 'matrix --log z' 'rate --linear xy' 'addr --linear xy' 'timeline --linear x'; do
		# shellcheck disable=SC2086  # words
		same <(trace-plot ${o%% *} -e 'size?' "$FIX/spc/Financial1-head.spc" 2> err) - < <(trace-plot $o -e 'size?' "$FIX/spc/Financial1-head.spc" 2> err)
	done
	for o in 'heat --linear y' 'heat --linear z' 'hist --linear x' 'matrix --linear z'; do
		# shellcheck disable=SC2086
		trace-plot $o "$f" > p.svg
		run ! cmp -s p.svg <(trace-plot "${o%% *}" "$f")
	done
	for o in 'heat --log x:time as x' 'rate --log x:axis of time' 'hist --log y:upon each other' 'hist --linear z:no z' 'matrix --log x:names' \
		'addr --log y:linear' 'flame --log x:linear' 'line --log z:has x and y' 'heat --log y --linear y:not in both' 'heat --log w:letters of axes'; do
		# shellcheck disable=SC2086
		status_is 2 trace-plot ${o%:*} "$f"
		has "$stderr" "${o#*:}"
	done
	# A question of its own: parts of both do not go together.
	trace-plot heat -p "$f" > a
	trace-plot heat --linear y -p "$f" > b
	status_is 2 trace-plot heat -m a b
	has "$stderr" 'another question'
}

@test "100,000 locations in 22 MiB, and in little time" {
	need_native
	command -v /usr/bin/time > /dev/null || skip "no GNU time"
	awk 'BEGIN { srand(5); for (i = 0; i < 400000; i++) printf "%d.%06d000\tl%d\te%d\t-\t%d\t0.000003000\n", i / 1e5, i % 1e5 * 10,
		i < 100000 ? i : rand() * 1e5, i % 5, i % 7 }' | trace-filter -b 'time >= 0' > s
	for k in timeline matrix flame; do
		/usr/bin/time -f '%M %U' -o m trace-plot $k s > p.svg
		awk '{ exit !($1 < 22528 && $2 < 3) }' m
	done
	[ "$(trace-plot timeline --bins s | awk -F '\t' 'NR > 1 { d += $5 } END { printf "%.6f", d }')" = 1.200000 ]
}

@test "partials that are cut, changed, or of something else are refused" {
	trace-plot rate -p "$FIX/runs/solver.meta" > p
	for n in 0 1 40 200 $(($(wc -c < p) - 1)); do
		head -c "$n" p > ./cut
		status_is 2 trace-plot rate -m ./cut
		has "$stderr" '^trace-plot: ./cut:[0-9]*: '
	done
	printf '~\t0\n' > ./cut
	status_is 2 trace-plot rate -m ./cut
	has "$stderr" '^trace-plot: ./cut:1: the partial result is cut'
	status_is 2 trace-plot heat -m p
	status_is 2 trace-plot rate -m "$FIX/runs/solver.meta"
	trace-plot rate -g loc -p "$FIX/runs/solver.meta" > q
	status_is 2 trace-plot rate -m p q
	has "$stderr" 'q:1: the partial result answers another question'
	grep -v MPI_Init p > less
	status_is 2 trace-plot rate -m less
	sed '3s/\t[0-9]*$/\t-5/' p > bad
	status_is 2 trace-plot rate -m bad
	# What was wrong when a part was made is not forgotten.
	printf '1.0\ta\tE\t-\t1\t-\nbroken\n' > s
	status_is 2 trace-plot rate -o none -p s
	trace-plot rate -p s > t 2> err || [ $? = 2 ]
	status_is 2 trace-plot rate -m t
	has "$output" '</svg>'
}

@test "titles say what was found: shares and percentiles are those of trace-stats" {
	trace-plot timeline "$FIX/runs/solver.meta" > p.svg
	# The share of the call with the most time, in that of four ranks.
	trace-stats -g event -a 'sum(dur)' --no-header "$FIX/runs/solver.meta" | sort -t "$(printf '\t')" -k2,2nr > sums
	span=$(trace-plot timeline --bins "$FIX/runs/solver.meta" | awk -F '\t' 'NR == 2 { a = $1 } { z = $2 } END { print z - a }')
	awk -F '\t' -v span="$span" 'NR == 1 { printf "%.0f %% in %s\n", $2 / span / 4 * 100, $1 }' sums > want
	grep -qF "<title id=\"t\">Where 4 MPI ranks spend their time: $(cat want)</title>" p.svg
	for f in runs/solver.meta dumpi/every-call-0000.bin spc/Financial1-head.spc laplace/merged-head.ref; do
		y=dur
		[ "${f%%/*}" != spc ] && [ "${f%%/*}" != laplace ] || y=size
		for k in hist heat; do
			trace-plot $k "$FIX/$f" | sed -n 's/.*<title id="t">.*: \(.*\) at the median, \(.*\) at p99<.*/\1 \2/p' |
				sed 's/ ns/ 1e-9/g; s/ us/ 1e-6/g; s/ ms/ 1e-3/g; s/ KiB/ 1024/g; s/ MiB/ 1048576/g; s/ [sB]/ 1/g' > got
			[ -s got ]
			# Three digits of sizes, four of times.
			trace-stats -a "p50($y),p99($y)" --no-header "$FIX/$f" |
				awk -v most="$([ $y = dur ] && echo .0005 || echo .005)" 'NR == FNR { a = $1 * $2; b = $3 * $4; next }
					{ x = a / $1 - 1; y = b / $2 - 1
					if (x * x > most * most || y * y > most * most) { print a, b, $0; exit 1 } }' got -
		done
	done
}

@test "percentiles are the same to the last digit in hist, heat and the report, and those of the events" {
	printf '0.5\ta\tE\t-\t1\t0.250000000\n' > one
	for i in 1 2 3 4 5 6 7 8 9; do printf '%d.0\ta\tE\t-\t1920\t0.500000000\n' $i; done > nine
	# 4,000 durations over four powers of ten: more values than are counted one by one.
	awk 'BEGIN { for (i = 0; i < 4000; i++) printf "%d.0\ta\tE%d\t-\t%d\t%.9f\n", i, i % 3, i * 37 % 4000, 10 ^ (i * 7919 % 4000 / 1000 - 5) }' > many
	title() { trace-plot "$@" | sed -n 's/.*<title id="t">.*: \(.* at the median, .* at p99\)<.*/\1/p'; }
	for k in hist heat; do
		[ "$(title $k one)" = '250.0 ms at the median, 250.0 ms at p99' ]
		[ "$(title $k nine)" = '500.0 ms at the median, 500.0 ms at p99' ]
		[ "$(title $k -y size nine)" = '1.88 KiB at the median, 1.88 KiB at p99' ]
		trace-stats many | awk -F '  +' '/^Durations/ { on = 1 } on && $1 == "all" { print $3 " at the median, " $6 " at p99"; exit }' > want
		[ "$(title $k many)" = "$(cat want)" ]
		# Rank 2000 and 3960 of the events, to 0.4 %.
		cut -f 6 many | sort -g | awk '{ v[NR] = $1 } END { print v[2000], v[3960] }' > true
		title $k many | sed 's/ us at/e-6 at/g; s/ ms at/e-3 at/g' | awk '{ print $1, $5 }' | paste true - |
			awk '{ if ($3 / $1 > 1.005 || $3 / $1 < .995 || $4 / $2 > 1.005 || $4 / $2 < .995) { print; exit 1 } }'
		# Of each name, and of parts that are put together.
		trace-plot $k many > whole
		trace-plot $k -j 1 many | same whole -
		trace-plot $k -p -e 'event = E1' many > a
		trace-plot $k -p -e 'event != E1' many > b
		trace-plot $k -m a b > m
		same <(grep -o '<title id="t">.*' whole) <(grep -o '<title id="t">.*' m)
	done
	for e in E0 E1 E2; do
		trace-stats many | awk -F '  +' -v e=$e '/^Durations/ { on = 1 } on && $1 == e { print "p50 " $3 "\np99 " $6; exit }' > want
		[ "$(wc -l < want)" = 2 ]
		trace-plot hist many > p.svg
		while read -r l; do grep -qF ">$l</text>" p.svg; done < want
	done
	# Lines of a partial that are none of percentiles.
	for bad in 's/value/valve/' 's/^=/%/'; do
		trace-plot hist -p one | sed "$bad" > a
		status_is 2 trace-plot hist -m a
	done
	trace-plot hist -p one | sed '/^=/d; s/^~.*/~	1/' > a
	trace-plot hist -m a > p.svg
}

@test "outliers at several distances, in a pipe: one hint, in the picture as in the message, and none after it" {
	# 10,000 events in 30 s, 90 far from these.
	awk 'BEGIN { print "##meta\tblock=1"; for (i = 0; i < 10000; i++) printf "%.6f\t%d\tread\t%d\t512\t0.001\n", 5 + i * .003, i % 4, i % 100 * 4096
		for (i = 0; i < 30; i++) printf "-954722.%03d\t0\tread\t0\t512\t0.1\n759131690.%03d\t1\tread\t0\t512\t0.1\n9223372036.%03d\t2\tread\t8192\t512\t0.1\n", i, i, i
	}' > s
	for k in rate heat timeline addr flame; do
		status_is 0 trace-plot $k - < s
		hint=$(sed -n 's/^trace-plot: \(over 99 .* shows it\)$/\1/p' <<< "$stderr")
		grep -qF ">$hint</text>" <<< "$output"
		trace-plot $k --terminal --width 150 - < s | tail -n 1 | grep -qxF "$hint"
		from=${hint#*--from } from=${from%% *} to=${hint#*--to } to=${to%% *}
		awk -v a="$from" -v z="$to" 'BEGIN { exit !(a <= 5 && a > 4.5 && z >= 34.997 && z < 35.5) }'
		status_is 0 trace-plot $k --from "$from" --to "$to" s
		[ -z "$stderr" ]
		run ! grep -q 'over 99' <<< "$output"
		# In two parts the same.
		trace-plot $k - < s 2> /dev/null > whole
		for i in 0 1 2 3; do trace-plot $k -p -e "loc = $i" - < s; done > parts
		trace-plot $k -m parts 2> /dev/null | same whole -
	done
	trace-plot rate -p s > a
	for bad in 's/^+\t[0-9]*/+\t64/' 's/^+\t[0-9]*\t[0-9]*/+\t9\t18446744073709551615/'; do
		sed "$bad" a > b
		status_is 2 trace-plot rate -m b
	done
}

@test "what is left out stands in the picture: no duration, no time, no address, no size" {
	printf '##meta\tblock=1\n1.0\ta\tE\t64\t-\t0.5\n2.0\ta\tE\t-\t-\t0.0\n3.0\ta\tE\t-\t7\t-\n4.0\tb\tE\t-\t7\t0.0\n5.0\tb\tE\t-\t7\t-\n6.0\tb\tE\t-\t7\t-\n' > s
	while IFS=/ read -r kind note; do
		trace-plot $kind s > p.svg 2> err
		grep -qF ">$note</text>" p.svg
		trace-plot $kind --terminal --width 90 s 2> err | tail -n 1 | grep -qxF "$note"
		[ "$(wc -l < err)" = "$(awk '{ print gsub(/;/, "") + 1 }' <<< "$note")" ]
	done <<- 'END'
		timeline/3 events without a duration left out; 2 events that last no time left out
		flame/3 events without a duration left out; 2 events that last no time left out
		addr/5 events without an address left out
		heat -y size/2 events without size left out
		hist -y dur/3 events without dur left out
	END
	# Of one it is said as of one.
	head -n 4 s > one
	trace-plot timeline one > p.svg 2> err
	grep -qF '>1 event without a duration left out; 1 event that lasts no time left out</text>' p.svg
	same err <(printf 'trace-plot: 1 event %s is left out\n' 'without a duration' 'that lasts no time')
}

@test "long names are cut in their middle, to their width, and are whole in tooltips" {
	printf '0.0\t%s\tE\t-\t1\t1.0\n' some_narrow_illi_name_11 a_wide_name_MWMWMWMWMWMWMWMWMW_0001 > s
	trace-plot timeline s > p.svg
	# Of 24 characters of i and l all are shown; of wide ones both ends.
	grep -qF '>some_narrow_illi_name_11</text>' p.svg
	trace-plot timeline --terminal --width 60 s | grep -q ' some_na~name_11 '
	grep -qE '<title>a_wide_name_MWMWMWMWMWMWMWMWMW_0001</title>a_wide_name[A-Z_]*…[MW]*_0001</text>' p.svg
}

@test "a scale, an axis and a legend in odd cases" {
	printf '%s\ta\tE\t-\t1\t0.000100000\n' 1.0 2.0 3.0 > s
	# All cells are the same: one colour.
	[ "$(trace-plot heat s | grep -c '<rect class="v')" = 1 ]
	# Less than a power of ten has marks too.
	trace-plot hist s | grep -q '>100 us</text>'
	trace-plot heat s | grep -q '>105 us</text>'
	trace-plot heat --terminal --width 60 s | tail -n 1 | grep -qx ' *# 1 event'
	trace-plot heat --terminal --width 41 s | head -n 2 | same <(printf '%s\n' 'How long events take, over time: 100.0 us' \
		'at the median, 100.0 us at p99') -
	# A length in the subtitle is written as the axis has it.
	awk 'BEGIN { for (i = 0; i < 1000; i++) print i ".0\t0\te\t-\t-\t1000.0" }' > long
	trace-plot rate -e 'time < 100' long | grep -q ' · 99 s · '
	trace-plot rate long | grep -q ' · 999 s · '
	trace-plot timeline long > p.svg
	grep -q ' · 1,999 s to the last end · ' p.svg
	grep -q '>1,500 s<' p.svg
	# Numbers that make no picture: a rate of bytes has its total.
	trace-plot rate s | grep -q '3 events · 2 s · 3 B · steps of'
}

@test "the table of what is drawn, as CSV and as JSON" {
	for kind in rate 'hist -y size' heat addr; do
		# shellcheck disable=SC2086  # words
		trace-plot $kind --bins "$FIX/spc/Financial1-head.spc" | sed 's/^#//' > got
		# shellcheck disable=SC2086
		trace-plot $kind --csv "$FIX/spc/Financial1-head.spc" | same <(tr '\t' , < got) -
		# shellcheck disable=SC2086
		trace-plot $kind -J "$FIX/spc/Financial1-head.spc" > json
		[ "$(grep -c '^  {' json)" = $(($(wc -l < got) - 1)) ]
		[ "$(sed -n '2s/^  {"\([^"]*\)".*/\1/p' json)" = "$(head -1 got | cut -f 1)" ]
	done
	status_is 2 trace-plot rate --csv -p "$FIX/spc/Financial1-head.spc"
}
