#!/usr/bin/env bats
# report.bats - trace-report: its pictures against trace-plot, its tables against trace-stats; one reading;
# hostile names, much noise, damaged input.
bats_require_minimum_version 1.5.0
load ../helpers

ALL='spc/Financial1-head.spc laplace/merged-head.ref runs/solver.meta charisma/cm5.chr runs/tasks'

# sound PAGE: well-formed, without script, and nothing from elsewhere; below a megabyte.
sound() {
	xmllint --noout "$1"
	run ! grep -qiE '<script|<image|<iframe|<link|@import|url\(|src=|foreignObject' "$1"
	run ! grep -qE 'href="[^#]' "$1"
	[ "$(grep -oE 'https?://[^"]*' "$1" | sort -u)" = 'http://www.w3.org/1999/xhtml
http://www.w3.org/2000/svg' ]
	[ "$(wc -c < "$1")" -lt 1000000 ]
	[ -z "$(grep -o ' id="[^"]*"' "$1" | sort | uniq -d)" ]
}

text_of() {
	sed -e 's/&lt;/</g' -e 's/&gt;/>/g' -e 's/&quot;/"/g' -e "s/&apos;/'/g" -e 's/&amp;/\&/g'
}

# redraws PAGE N: each of its N pictures is what the command below it draws, but for ids and the style,
# which the page has once. The commands read what stands on our standard input.
redraws() {
	rm -f ./*.picture ./*.command
	awk '/^<figure( id="[^"]*")?>$/ { n++; next } /^<\/figure>$/ || /^<h3>/ { next }
		/^<figcaption>/ { sub(/^<figcaption>[A-Z][^<]*[.]<pre><code>/, ""); sub(/<\/code><\/pre>$/, ""); print > (n ".command"); next }
		/^<\/figcaption>/ { next } n && !/<section|<\/section/ { print > (n ".picture") } /^<section id="tables"/ { exit }' "$1"
	[ "$(find . -name '*.picture' | wc -l)" = "$2" ]
	cat > in
	for c in *.command; do
		text_of < "$c" > script
		kind=$(awk '{ print $2; exit }' script)
		bash script < in 2> err | sed '/^<style>$/,/^<\/style>$/d' > drawn
		sed -e "s/\"${kind}[1-9]*t ${kind}[1-9]*d\"/\"t d\"/" -e "s/id=\"${kind}[1-9]*\([td]\)\"/id=\"\1\"/" "${c%command}picture" > shown
		[ -s drawn ]
		same drawn shown
	done
}

@test "all formats: sound pages, whose pictures are those of the commands below them" {
	needs xmllint
	set -- 4 4 5 6 5
	for f in $ALL; do
		trace-report "$FIX/$f" > page 2> err
		sound page
		redraws page "$1" < /dev/null
		trace-report "$FIX/$f" 2> err | same page -
		shift
	done
}

@test "inputs of several formats: the pictures of each" {
	needs xmllint
	cp "$FIX/spc/Financial1-head.spc" b.spc
	gzip -c b.spc > a.spc.gz
	gzip -c "$FIX/spc/Financial1-head.spc" > c.spc.gz
	trace-report a.spc.gz "$FIX/runs/solver.meta" c.spc.gz b.spc > page 2> err
	[ ! -s err ]
	sound page
	same <(printf '<h3>%s</h3>\n' 'SPC: block I/O, text' 'DUMPI: MPI calls, binary') - < <(grep -o '<h3>[A-Z]*: [^<]*</h3>' page)
	redraws page 9 < /dev/null
	[ "$(grep -o ' id="[^"]*"' page | sort | uniq -d)" = '' ]
	[ "$(trace-report --terminal --width 60 b.spc "$FIX/runs/solver.meta" | grep -c '^\$ trace-plot')" = 9 ]
	# All as one: the first decides, and says what is not drawn.
	status_is 2 trace-report --by-time b.spc "$FIX/runs/solver.meta"
}

@test "options go on to the commands" {
	needs xmllint
	trace-report -e 'W and size > 512' --from 1 --to 5s --theme dark --size 700x400 --colours 2 -f spc --unordered \
		-k loc -- "$FIX/spc/Financial1-head.spc" > page
	sound page
	redraws page 4 < /dev/null
	has "$(text_of < 1.command)" "^trace-plot rate -e 'W and size > 512' -k loc --colours 2 --size 700x400 --theme dark --from 1 --to 5s -f spc"
	run ! grep -q prefers-color-scheme page
	has "$(text_of < page)" "trace-stats -e 'W and size > 512' -k loc -g loc .* --from 1 --to 5s "
	[ "$(grep -c 'Only events that' page)" = 1 ]
	trace-report -O serial "$FIX/runs/tasks" > page
	redraws page 5 < /dev/null
	trace-report --title '<b>&' "$FIX/runs/tasks" > page 2> err
	has "$(cat page)" '<h1>&lt;b&gt;&amp;</h1>'
	status_is 2 trace-report --theme pink "$FIX/runs/tasks"
	# What is wrong ends it before a page is begun.
	for o in '--size foo' '--size 3x' '--colours 9' '-f none' '-O nothing' '-e size>'; do
		# shellcheck disable=SC2086
		status_is 2 trace-report $o "$FIX/spc/Financial1-head.spc"
		[ -z "$output" ] || { echo "$o"; return 1; }
	done
	status_is 2 trace-report -e 'sise > 3' "$FIX/spc/Financial1-head.spc"
}

@test "a shell reads the names of files as they are" {
	odd=$(printf 'new\nline\033\377\\n')
	for f in "a b'c" -x "\$(touch made)\"" "$odd" "a;b&c"; do
		cp "$FIX/spc/Financial1-head.spc" "./$f"
		trace-report -- "$f" > page
		redraws page 4 < /dev/null
		rm -f -- "./$f"
	done
	[ ! -e made ]
}

@test "tables are those of trace-stats" {
	for f in $ALL; do
		# Long names are cut where lines would be too long. The page has its numbers with commas, and the exact
		# ones of a span and of rates as tooltips.
		short() { tr -d , | tr -s ' ' | sed -E 's/^ //; s/ $//; s/^([^ ]{20})[^ ]* /\1 /' | LC_ALL=C sort; }
		trace-stats "$FIX/$f" | short > report
		trace-report "$FIX/$f" 2> err | sed -e '1,/<section id="tables"/d' -e '/<section id="head"/,$d' |
			grep '^<tr><th scope="row"' | sed -e 's/<[^>]*>/ /g' | text_of | short > rows
		[ "$(wc -l < rows)" -ge 10 ]
		[ -z "$(LC_ALL=C comm -13 report rows)" ]
		# All rows but those of the summary.
		[ "$(wc -l < rows)" = "$(trace-stats --tsv "$FIX/$f" | awk -F '\t' '$1 != "trace" && !seen[$1, $2]++' | wc -l)" ]
		trace-stats "$FIX/$f" | awk '/^$/ { exit } /^(format|events|sent|received|bytes|span) / { print $1, $2 }' > want
		[ "$(wc -l < want)" -ge 3 ]
		trace-report "$FIX/$f" 2> err | sed -e 's/<td title="\([^"]*\)">[^<]*/<td>\1/' -n -e 's/^<tr><th scope="row">\([a-z]*\)<\/th><td>\([^ <]*\).*/\1 \2/p' | tr -d , |
			grep -E '^(format|events|sent|received|bytes|span) ' | same want -
	done
}

@test "text, binary and native input, a pipe and a file: the same page" {
	for f in spc/Financial1-head.spc laplace/merged-head.ref runs/solver-0000.bin charisma/cm5.chr; do
		trace-report < "$FIX/$f" > want 2> err
		# A pipe can be read once.
		dd if="$FIX/$f" 2> err | trace-report 2> err | same want -
		trace-filter -b 'event?' < "$FIX/$f" | trace-report 2> err | same want -
		trace-filter -tH 'event?' < "$FIX/$f" | trace-report 2> err | same want -
	done
	trace-report < "$FIX/spc/Financial1-head.spc" > page
	redraws page 4 < "$FIX/spc/Financial1-head.spc"
}

@test "any number of threads: the same page" {
	for f in "$FIX/spc/Financial1-head.spc" "$FIX/laplace/merged-head.ref" "$FIX/runs/solver.meta"; do
		trace-report -j 1 "$f" > want
		for j in 2 3 5; do
			trace-report --tune worth=300 -j $j "$f" | same want -
		done
	done
	trace-report -j 1 "$FIX/spc/Financial1-head.spc" "$FIX/spc/WebSearch2-first10.spc" > want
	trace-report --tune worth=300 -j 3 "$FIX/spc/Financial1-head.spc" "$FIX/spc/WebSearch2-first10.spc" | same want -
	has "$(cat want)" '<h1>Financial1-head.spc and 1 more</h1>'
}

@test "states of ovni and its events in one reading" {
	needs xmllint
	trace-report -e 'dur > 1us' "$FIX/runs/tasks" > page
	sound page
	redraws page 4 < /dev/null
	trace-report -O durations "$FIX/runs/tasks" > page 2> err
	redraws page 5 < /dev/null
	status_is 0 trace-report --by-time "$FIX/runs/tasks" "$FIX/runs/solver.meta"
	printf '%s\n' "$output" > page
	redraws page 5 < /dev/null
}

@test "hostile names are shown, and do nothing" {
	needs xmllint
	printf '%s\n' '0.000000001	"a'\''<b>&	<script>alert(1)</script>	-	10	0.000000500' \
		'0.000000601	\x1b[31m	é	-	10	0.000000500' > s
	printf '0.000002601\tx\377\t\377\303(\357\277\277\t-\t10\t0.000000500\n' >> s
	printf '0.000003601\t%s\t%s\t-\t10\t0.000000500\n' "$(head -c 10000 /dev/zero | tr '\0' l)" \
		"$(head -c 10000 /dev/zero | tr '\0' n)" >> s
	printf '##spoor\t1\n##format\tdumpi\n##clock\ts\torigin=1384355564.123456789\n##loc\trank\n##meta\t<script>\t"\377\x1b\n' | cat - s > h
	printf '##meta\t<i>"=<b>\\x1b\n##end\tevents=4\n' >> h
	for f in s h; do
		trace-report --title '</title><script>x' $f > page 2> err || [ $f = h ]
		sound page
		has "$(cat page)" '&lt;script&gt;alert'
		trace-report --terminal $f 2> err | sed $'s/é\|\xef\xbf\xbf//g' | LC_ALL=C tr -d ' -~\n' > controls
		[ ! -s controls ]
	done
	has "$(cat page)" '2013-11-13 15:12:44 UTC'
}

@test "noise and many names: below a megabyte, and what is left out is said" {
	needs xmllint
	awk 'BEGIN { srand(1); for (i = 0; i < 60000; i++) {
		n = ""; for (k = 0; k < 20; k++) n = n "\"&'\''<"
		printf "%.9f\t%d\t%s%d\t%.0f\t%.0f\t%.9f\n", i / 600 + rand(), rand() * 1000, n, rand() * 500, rand() * 2 ^ 40,
			2 ^ (rand() * 40), rand() / 10 ^ (rand() * 7) } }' > noise
	trace-report noise > page 2> err
	sound page
	has "$(cat page)" ' rows are left out'
	has "$(cat page)" '>missed<'
	redraws page 6 < /dev/null
}

@test "damage stands at the top, in red, and beside the number; no file of -o" {
	needs xmllint
	{ head -50 "$FIX/spc/Financial1-head.spc"; echo 'junk <script>'; sed -n 51,99p "$FIX/spc/Financial1-head.spc"; } > bad
	status_is 2 trace-report bad
	has "$stderr" 'bad:51: .*junk <script>'
	printf '%s\n' "$output" > page
	sound page
	[ "$(grep -n 'class="damage"' page | cut -d: -f1)" -lt "$(grep -n 'id="summary"' page | cut -d: -f1)" ]
	has "$(cat page)" '<li>bad:51: .*junk &lt;script&gt;'
	has "$(cat page)" '<tr class="bad"><th scope="row">skipped</th><td>1</td>'
	redraws page 4 < /dev/null
	status_is 2 trace-report -o made bad
	[ ! -e made ]
	status_is 2 trace-report --terminal bad
	has "$output" '^Lost or suspicious'
	# Nothing that was lost is no damage.
	trace-report "$FIX/spc/Financial1-head.spc" > page
	run ! grep -q 'class="damage"' page
	has "$(cat page)" 'Every record was read'
	trace-report -o made "$FIX/spc/Financial1-head.spc"
	same made page
}

@test "what pictures leave out is said once, and stands in each picture, not among what was lost" {
	status_is 0 trace-report "$FIX/charisma/cm5.chr"
	printf '%s\n' "$output" > page
	has "$stderr" 'trace-report: 21 requests without size are left out'
	[ -z "$(sort <<< "$stderr" | uniq -d)" ]
	run ! grep -q '<li>' page
	has "$(cat page)" 'Every record was read'
	same <(cut -c15- <<< "$stderr" | sed 's/ are left/ left/' | sort) \
		<(grep -o '[0-9]* [a-z ]* left out' page | sort -u)
	[ "$(grep -c '>21 requests without size left out<' page)" = 2 ]
	# Another message stands there, and a text has the same.
	{ cat "$FIX/spc/Financial1-head.spc"; echo broken; } > odd.spc
	status_is 2 trace-report odd.spc
	grep -q '<li>odd.spc.*</li>' <<< "$output"
	printf '##spoor\t1\n##meta\tblock=1\n#time\tloc\tevent\taddr\tsize\tdur\targs\n0.0\ta\tR\t0\t512\t1.0\n2.0\tb\tG\t-\t-\t1.0\n##end\tevents=2\n' | trace-report --terminal --width 80 > text 2>&-
	run ! grep -q 'Lost or suspicious' text
	grep -q '^1 event without an address left out' text
}

@test "no pointer beyond what C defines, of a trace without a head" {
	need_native
	echo 'int main(void) { return 0; }' > probe.c
	clang -fsanitize=undefined -o probe probe.c 2>/dev/null && ./probe || skip "no clang with sanitizers"
	clang -fsanitize=undefined -fno-sanitize-recover=all -std=c11 -D_XOPEN_SOURCE=700 -D_FILE_OFFSET_BITS=64 -I"$ROOT/common" -I"$ROOT/cmd/lib" -I"$ROOT/cmd" \
		-o trace-report "$ROOT"/cmd/trace-report/*.c "$ROOT/build/libcmd.a" "$ROOT/build/libspoor.a" -pthread -lm
	printf '1\ta\tx\t-\t1\t-\n' > t
	status_is 0 ./trace-report t
	[ -z "$stderr" ]
}

@test "nothing to show is status 1, and says so" {
	status_is 1 trace-report /dev/null
	has "$stderr" '^trace-report: no events'
	[ -z "$output" ]
	status_is 1 trace-report -e 'size > 1G' "$FIX/spc/Financial1-head.spc"
	[ -z "$output" ]
	status_is 2 trace-report nowhere
	status_is 2 trace-report --follow "$FIX/spc/Financial1-head.spc"
	has "$stderr" 'inputs that have ended'
}

@test "for a terminal: the pictures of trace-plot, and the report of trace-stats" {
	trace-report --terminal --width 60 "$FIX/runs/solver.meta" > text
	for k in timeline rate heat hist matrix; do
		trace-plot $k --terminal --width 60 "$FIX/runs/solver.meta" > picture
		cat picture <(echo "\$ trace-plot $k $FIX/runs/solver.meta") > part
		awk 'NR == FNR { part = part $0 "\n"; next } { all = all $0 "\n" } END { exit !index(all, part) }' part text
	done
	sed '1,/^\$ trace-stats/d' text | same <(trace-stats "$FIX/runs/solver.meta") -
	[ "$(sed -n 1,2p text)" = $'solver.meta\nDUMPI: MPI calls, binary' ]
	# ASCII in this locale.
	run ! env LC_ALL=C grep -q '[^ -~]' text
}

@test "whatever is cut or changed: a sound page or none, and the status tells" {
	needs xmllint
	for f in spc/Financial1-head.spc laplace/merged-head.ref runs/solver-0000.bin charisma/cm5.chr; do
		n=$(wc -c < "$FIX/$f")
		for i in 1 2 3 4 5 6 7 8; do
			at=$((n * i / 9))
			head -c $at "$FIX/$f" > "cut"
			{ cat "cut"; printf '\0<\377'; tail -c +$((at + 4)) "$FIX/$f"; } > changed
			for bad in cut changed; do
				got=0
				trace-report < $bad > "page.$i.$bad" 2> err || got=$?
				[ $got -le 2 ]
				[ $got = 0 ] || [ -s err ]
				[ -s "page.$i.$bad" ] || { [ $got != 0 ]; rm "page.$i.$bad"; continue; }
				[ $got != 0 ] || run ! grep -q 'class="damage"' "page.$i.$bad"
				[ $got != 2 ] || grep -q 'class="damage"' "page.$i.$bad"
			done
		done
		xmllint --noout page.*
		rm page.*
	done
}

@test "--access: the tables of trace-access and trace-reuse, with their commands; messages once" {
	for f in spc/Financial1-head.spc charisma/cm5.chr; do
		trace-report --access --terminal -e 'size > 512' "$FIX/$f" > page 2> err
		for c in trace-access trace-reuse; do
			command=$(grep "^\$ $c " page)
			PATH=$BIN:$PATH sh -c "${command#??}" > $c.got 2> /dev/null
			[ -s $c.got ]
		done
		# Every table of trace-access is there as it stands, up to those with a row for each file or job.
		awk 'NR > 1' trace-access.got | sed '/^Jobs$/,/^$/d; /^The busiest files/,/^$/d; /^Darshan/,$d' | grep . | sort > want
		sort page > lines
		comm -23 want lines > missing
		same missing /dev/null
		# The curve.
		awk -F'\t' '!/^#/ { print $1, $2 }' trace-reuse.got > want
		sed '1,/^\$ trace-reuse/d' page | awk 'NR > 1 && $1 ~ /^[0-9]/ { print $1, $2 }' | same want -
		[ -z "$(sort err | uniq -d)" ]
		trace-report --access "$FIX/$f" 2> err | grep -q '>References that a cache of so many blocks would miss'
	done
	# Of a pipe all programs read the same.
	head -c 100000 "$FIX/spc/Financial1-head.spc" | trace-report --access --terminal > page
	sed '1,/^\$ trace-reuse/d' page | same <(trace-reuse "$FIX/spc/Financial1-head.spc") -
}

@test "--access and -k: the tables are of the events that the page is of" {
	printf '1\ta\tread\t0\t8\t-\n2\tb\tread\t8\t16\t-\n3\ta\tread\t16\t8\t-\n4\tb\tread\t24\t16\t-\n' > k.txt
	for k in event ''; do
		trace-report --access --terminal -k "$k" -e 'prev.size != size' k.txt > page 2> err
		[ "$(awk '/^\$ trace-reuse/ { on = 1; next } on && $1 == 0 { print $2; exit }' page)" = 3 ]
		[ "$(trace-reuse -k "$k" -e 'prev.size != size' --csv --no-header k.txt | head -1)" = 0,3,1,1 ]
		[ "$(trace-reuse -k "$k" -K prev.size --summary --csv --no-header k.txt | sed -n 2p)" = references,3,1 ]
		[ "$(trace-access -k "$k" -e 'prev.size != size' --tsv k.txt | grep -c .)" -gt 10 ]
	done
	[ "$(trace-reuse -e 'prev.size != size' --csv --no-header k.txt | grep -c .)" = 0 ]
}

@test "a start in seconds has its date, and a row of limits says what it means" {
	cp "$FIX"/runs/solver* .
	sed 's/^startime=.*/startime=1795178494/' "$FIX/runs/solver.meta" > solver.meta
	trace-report solver.meta > page
	grep -qF "<td>1795178494 ($(TZ=UTC0 python3 -c 'import time; print(time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(1795178494)))') UTC)</td>" page
	# A number that is no time of day stays as it is.
	sed 's/^startime=.*/startime=17951/' "$FIX/runs/solver.meta" > solver.meta
	trace-report solver.meta | grep -qF '<td>17951</td>'
	awk 'BEGIN { for (i = 0; i < 2000; i++) printf "%d.0\ta\tE\t-\t1\t0.%09d\n", i, i * 7919 % 2000 * 1000 + i }' > many
	trace-stats many > text
	[ "$(grep -c '^(limit) ' text)" = "$(grep -c '^(limit): ' text)" ]
	awk '/^\(limit\):/ && length($0) > 80 { exit 1 }' text
	trace-report many | grep -qF '<p class="quiet">(limit): '
	# Machines get the rows alone.
	run ! grep -qF '(limit):' <(trace-stats --tsv many; trace-stats -J many)
}

@test "a file that grows: all programs read up to its size at the start" {
	mkdir real
	cp "$BIN/trace-stats" "$BIN/trace-plot" real/
	mkdir grow
	cp "$BIN/trace-report" "$BIN/trace-filter" grow/
	for p in trace-stats trace-plot; do
		# More events come before each program reads.
		printf '#!/bin/sh\ncase "$*" in */dev/null) ;; *) tail -n 50 "%s" >> f.spc; cat f.spc.more >> f.bin ;; esac\nexec "%s/real/%s" "$@"\n' \
			"$FIX/spc/Financial1-head.spc" "$PWD" "$p" > "grow/$p"
		chmod +x "grow/$p"
	done
	head -n 100 "$FIX/spc/Financial1-head.spc" > f.spc
	trace-filter -b 'event?' f.spc > f.bin
	cp f.bin f.spc.more
	trace-report f.spc > want
	trace-report f.bin > want.bin
	grow/trace-report f.spc > page
	[ "$(wc -l < f.spc)" = 350 ]
	same want page
	head -n 100 "$FIX/spc/Financial1-head.spc" > f.spc
	cp f.spc.more f.bin
	grow/trace-report -j 2 f.bin > page
	same want.bin page
	head -n 100 "$FIX/spc/Financial1-head.spc" > f.spc
	trace-report < f.spc > want
	grow/trace-report < f.spc > page
	same want page
}

@test "a compressed file is unpacked once, whatever reads it" {
	f=$FIX/spc/Financial1-head.spc
	mkdir path
	printf '#!/bin/sh\necho >> "%s/count"\nexec %s "$@"\n' "$PWD" "$(command -v gzip)" > path/gzip
	chmod +x path/gzip
	gzip -c "$f" > f.spc
	cp "$f" g.spc
	PATH=$PWD/path:$PATH trace-report --access f.spc > page
	[ "$(wc -l < count)" = 1 ]
	sed 's/f\.spc/g.spc/g' page | same <(trace-report --access g.spc) -
	PATH=$PWD/path:$PATH trace-report < f.spc > page
	[ "$(wc -l < count)" = 2 ]
	same <(trace-report < "$f") page
	dd if=f.spc 2> /dev/null | PATH=$PWD/path:$PATH trace-report > page
	[ "$(wc -l < count)" = 3 ]
	same <(trace-report < "$f") page
	# What was whole is shown.
	head -c $(($(wc -c < f.spc) / 2)) f.spc > cut.spc
	status_is 2 trace-report cut.spc
	has "$stderr" '^trace-report: cut.spc: gzip: stdin: unexpected end of file'
	grep -q 'class="damage"' <<< "$output"
}

@test "a program that is missing, ends by a signal, or cannot write leaves a page that says so" {
	needs xmllint
	f=$FIX/spc/Financial1-head.spc
	mkdir alone
	for p in trace-report trace-filter trace-stats trace-plot; do cp "$BIN/$p" alone/; done
	alone/trace-report "$f" > want
	printf '#!/bin/sh\nkill -9 $$\n' > alone/trace-plot
	chmod +x alone/trace-plot
	status_is 2 alone/trace-report "$f"
	printf '%s\n' "$output" > page
	xmllint --noout page
	has "$stderr" 'trace-report: trace-plot was ended by a signal: Killed'
	has "$(cat page)" '<p class="bad">This part could not be made'
	has "$(cat page)" 'class="damage"'
	# The tables are there.
	[ "$(sed '1,/id="tables"/d' page | grep -c '<tr>')" = "$(sed '1,/id="tables"/d' want | grep -c '<tr>')" ]
	status_is 2 alone/trace-report -o made "$f"
	[ ! -e made ]
	# Neither beside it nor in PATH.
	rm alone/trace-stats
	PATH=/usr/bin:/bin status_is 2 alone/trace-report "$f"
	printf '%s\n' "$output" > page
	has "$stderr" 'trace-report: trace-stats was not found beside this program, or in PATH'
	[ "$(grep -c 'trace-stats was not found' <<< "$stderr")" = 1 ]
	# In PATH.
	PATH=$BIN:/usr/bin:/bin alone/trace-report "$f" > page 2> err || [ $? = 2 ]
	grep -q '<th scope="row">events</th><td>161</td>' page
	[ ! -e /dev/full ] || { status=0; trace-report "$f" > /dev/full 2> err || status=$?; [ "$status" = 2 ]; }
	# A pipe needs a place to be kept.
	status=0
	head -c 100000 "$f" | TMPDIR=/nowhere trace-report > page 2> err || status=$?
	[ "$status" = 2 ]
	grep -q 'a temporary file in TMPDIR: No such file' err
	trace-report "$f" > want
	TMPDIR=/nowhere trace-report "$f" | same want -
}

@test "the summary: rates with four digits, spans as people say them, commas, and exact tooltips" {
	# 4,500 requests in a second, for 10 minutes, by a clock that is a little fast.
	awk 'BEGIN { for (i = 0; i < 2700000; i++) printf "0,%d,4096,r,%.9f\n", i % 5000, i / 4500.001665 }' > hot.spc
	trace-report hot.spc > page
	trace-stats hot.spc > text
	span=$(awk '$1 == "span" { print $2 }' text) rate=$(awk '$1 == "events/s" { print $2 }' text)
	[[ $rate = 4500.00[0-9]* ]]
	grep -qF "<p class=\"first\">2,700,000 events in 10.00 min: 4,500/s, 17.6 MiB/s</p>" page
	grep -qF "<th scope=\"row\">span</th><td title=\"$span s\">10.00 min</td>" page
	grep -qF "<th scope=\"row\">events/s</th><td title=\"4,${rate#4}\">4,500/s</td>" page
	[[ $(<page) = *'<td>2,700,000</td><td class="bar" style="--w:100.0%">100.0%</td><td>11,059,200,000</td>'* ]]
	# 1,234,568 a second; and 5 in 50 days.
	awk 'BEGIN { for (i = 0; i <= 1234568; i++) printf "0,%d,512,r,%.9f\n", i % 9, i / 1234568 }' | trace-report > page
	grep -qF '">1,235,000/s</td>' page
	awk 'BEGIN { for (i = 0; i < 5; i++) printf "0,1,512,r,%d.0\n", i * 1080000 }' | trace-report > page
	grep -qF '<p class="first">5 events in 50.0 days: 0.10/day, 0.00 B/s</p>' page
	# A span of 0 has no rate.
	printf '0,1,512,r,5.0\n' | trace-report > page
	grep -qF '<p class="first">1 event</p>' page
	run ! grep -q 'events/s' page
}

@test "--findings: the worst five of trace-advise, with links to pictures that are there" {
	needs xmllint
	for f in "$FIX/runs/solver.meta" "$FIX/runs/tasks" "$FIX/spc/Financial1-head.spc" "$FIX/charisma/cm5.chr"; do
		trace-report --findings "$f" > page 2> err
		xmllint --noout page
		sed -n '/^<section id="findings">/,/^<.section>/s/^<li>\(.* \[[a-z-]*\]\).*/\1/p' page > got
		trace-advise --head 5 "$f" 2> err | grep -v '^    ' | same got -
		sed -n '/^<section id="findings">/,/^<.section>/s/.*href="#\([^"]*\)".*/\1/p' page > ids
		while read -r id; do [ "$(grep -c "^<figure id=\"$id\">" page)" = 1 ]; done < ids
		trace-report --findings --terminal "$f" 2> err | sed '1,/^[$] trace-advise /d' | same <(trace-advise --head 5 "$f" 2> err) -
		# A page of a large input has them with the option only.
		trace-report "$f" 2> err | grep -c 'id="findings"' | same - <(trace-advise "$f" 2> err | head -n 1 | wc -l)
	done
	status_is 0 trace-report -f dumpi "$FIX/runs/solver.meta"
	status_is 2 trace-report --findings -e 'dur > 1' "$FIX/runs/solver.meta"
	trace-report --findings "$FIX/runs/solver.meta" | grep -q 'mpi-balance.*#p-timeline'
}
