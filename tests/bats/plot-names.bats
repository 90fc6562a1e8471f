#!/usr/bin/env bats
# plot-names.bats - names and numbers in pictures and reports: names as people read them, numbers whole.
bats_require_minimum_version 1.5.0
load ../helpers

KINDS='rate heat timeline hist matrix flame'

# names: two places and four events, as CSV. A name has blanks, a backslash, what looks like an escape.
names() {
	printf '%s\n' t,e,l,d '0,GET /cart,web 1,0.5' '1,a\x20b\q,web 1,0.25' '2,שלום,שרת א,0.75' '3,שלום 12,שרת ב,0.5' '4,مرحبا,שרת ב,0.5'
}
LAYOUT=(-O 'columns=time=$t event=$e loc=$l dur=$d')

@test "names have their blanks and backslashes in pictures and in the report, tables have what they had" {
	names > n.csv
	for k in rate hist matrix timeline flame; do
		trace-plot $k "${LAYOUT[@]}" n.csv > p.svg
		grep -q '>GET /cart[<:]' p.svg
		grep -qF '>a\x20b\q<' p.svg
		run ! grep -qE 'GET.x20|web.x20|x5c' p.svg
		LC_ALL=C.UTF-8 trace-plot $k --terminal --width 150 "${LAYOUT[@]}" n.csv > p.txt
		run ! grep -qE 'GET.x20|web.x20|x5c' p.txt
		[ $k = rate ] || [ $k = hist ] || grep -q 'GET /cart' p.txt
		[ $k = rate ] || [ $k = hist ] || grep -qF 'a\x20b\q' p.txt
	done
	trace-plot flame -y loc "${LAYOUT[@]}" n.csv | grep -q '>web 1<'
	trace-report "${LAYOUT[@]}" n.csv > page
	grep -q '<th scope="row">GET /cart</th>' page
	grep -qF '<th scope="row">a\x20b\q</th>' page
	run ! grep -qE 'GET.x20|web.x20|x5c' page
	trace-plot hist "${LAYOUT[@]}" --bins n.csv | cut -f 3 | sort | same <(printf '%s\n' event 'GET\x20/cart' 'a\x5cx20b\x5cq' 'שלום' 'שלום\x2012' 'مرحبا' | sort) -
	trace-plot hist "${LAYOUT[@]}" --bins --csv n.csv | cut -d, -f 3 | sort | same <(printf '%s\n' event 'GET /cart' 'a\x20b\q' 'שלום' 'שלום 12' 'مرحبا' | sort) -
	# Partial results keep names as they are.
	trace-plot hist "${LAYOUT[@]}" -p n.csv > p
	trace-plot hist -m p | sed 's/n.csv//' | same <(trace-plot hist "${LAYOUT[@]}" n.csv | sed 's/n.csv//') -
}

@test "controls in names are seen, and do nothing; none is taken for an end" {
	needs xmllint
	printf '%s.0\tl\\x00\\x0a%s\t%s\t-\t1\t1.0\n' 1 a 'a\x1b[31m\x0a\x00q' 2 b '\x01\x7f\x09\x20<b>&\x5c' > s
	for k in $KINDS; do
		trace-plot "$k" s > p.svg
		xmllint --noout p.svg
		run ! grep -qF '<b>' p.svg
		[ "$k" = heat ] || grep -qF '>a\x1b[31m\x0a\x00q' p.svg
		[ "$k" = heat ] || grep -qF '>\x01\x7f\x09 &lt;b&gt;&amp;\<' p.svg
		LC_ALL=C.UTF-8 trace-plot "$k" --terminal s | LC_ALL=C tr -cd '\000-\011\013-\037\177' > controls
		[ ! -s controls ]
		LC_ALL=C trace-plot "$k" --terminal s | LC_ALL=C tr -d ' -~\n' > controls
		[ ! -s controls ]
	done
	trace-report s > page
	xmllint --noout page
	grep -qF '<th scope="row">a\x1b[31m\x0a\x00q</th>' page
	LC_ALL=C tr -d '\n' < page | LC_ALL=C tr -cd '\000-\037\177' > controls
	[ ! -s controls ]
}

@test "a name that reads from right to left moves no number beside it" {
	needs python3
	names > n.csv
	names | sed 's/,web 1,/,שרת ארוך מאוד מאוד מאוד מאוד מאוד,/' > long.csv
	mv long.csv שלום
	for f in n.csv שלום; do
		for k in $KINDS; do
			trace-plot $k "${LAYOUT[@]}" $f > p.svg
			for w in 40 60 150; do
				LC_ALL=C.UTF-8 trace-plot $k --terminal --width $w "${LAYOUT[@]}" $f
			done > p.txt
			status_is 0 python3 - << 'PY'
import re
# A digit behind a letter of Hebrew or Arabic would be drawn on its left. One of a name itself may be.
def check(text):
    text = text.replace('שלום 12', 'שלום')
    assert not re.search('[\u0590-\u08ff][^\u200ea-zA-Z<>\n]*[0-9]', text), text
svg = open('p.svg', encoding='utf-8').read()
for text in re.findall('<text[^>]*>(.*)</text>', svg):
    check(re.sub('<title>.*</title>', '', text).replace('<tspan dx="5" class="s n">', ' '))
for text in re.findall('<title>([^<]*)<', svg) + list(open('p.txt', encoding='utf-8')):
    check(text)
PY
		done
	done
	LC_ALL=C.UTF-8 trace-plot timeline --terminal --width 80 "${LAYOUT[@]}" n.csv | grep -q $'שלום\xe2\x80\x8e 750 ms'
	# No other name has the mark, and no table.
	grep -q $'שלום\xe2\x80\x8e' p.svg
	run ! grep -q $'[a-z]\xe2\x80\x8e' p.svg
	trace-plot hist "${LAYOUT[@]}" --bins n.csv > table
	run ! grep -q $'\xe2\x80\x8e' table
}

@test "numbers in legends are whole, of all kinds, names and sizes" {
	needs python3
	status_is 0 python3 "$ROOT/tests/oracle/legends.py"
}

@test "the count of each line of a terminal's timeline is whole, whatever the width" {
	awk 'BEGIN { for (i = 0; i < 1234567; i++) printf "%d,%d,512,r,%.6f\n", (i % 7 == 3 && i > 600000), i % 1000, i / 1000 }' > s.spc
	trace-stats -g loc -a count --no-header s.spc > counts
	same <(printf '0\t%s\n1\t%s\n' 1143914 90653) counts
	for w in 40 41 60 79 80 133 200; do
		trace-plot timeline --terminal --width $w s.spc > p.txt
		grep -qE '^ *unit 0 .* 1\.14 M$' p.txt
		grep -qE '^ *unit 1 .* 90\.7 k$' p.txt
		[ "$(awk '{ print length }' p.txt | sort -n | tail -n 1)" -le $w ]
	done
	# A long name of a legend leaves room for its number.
	printf '0.0\tl\ta_name_that_is_long_enough_for_any_line\t-\t1\t1234.567\n' | trace-plot timeline --terminal --width 40 - |
		grep -qE '^A a_name_.*~.*_line 1,23[0-9] s$'
}
