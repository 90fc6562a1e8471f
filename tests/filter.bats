#!/usr/bin/env bats
# filter.bats - trace-filter: the language, the forms of output, grep's habits.

load helpers

setup() {
	cd "$BATS_TEST_TMPDIR"
	F=$FIX/spc/Financial1-head.spc
	K=$FIX/laplace/k32-excerpt.kern
	spc-cat "$F" > f.txt
	spc-cat -b "$F" > f.bin
	trace-filter 'event?' "$K" > k.txt
	trace-filter -b 'event?' "$K" > k.bin
}

# as_awk EXPR AWK: the events that pass are those that awk passes in the text stream, whatever
# the form of the input, and -v passes the others, in order.
as_awk() {
	local native=$1 text=$2 binary=$3 expr=$4 awk=$5
	awk -F'\t' "$awk" "$text" > want
	awk -F'\t' "!($awk)" "$text" > rest
	for in in "$native" "$text" "$binary"; do
		trace-filter -t "$expr" "$in" > got || [ ! -s got ]
		same want got || { echo "for $expr over $in"; return 1; }
		trace-filter -t -v "$expr" "$in" > got || [ ! -s got ]
		same rest got || { echo "for -v $expr over $in"; return 1; }
		trace-filter -t "not ($expr)" "$in" > got || [ ! -s got ]
		same rest got || { echo "for not ($expr) over $in"; return 1; }
	done
}
spc() { as_awk "$F" f.txt f.bin "$@"; }
kern() { as_awk "$K" k.txt k.bin "$@"; }

@test "comparisons of numbers are awk's" {
	spc 'W and size >= 4K' '$3 == "W" && $5 >= 4096'
	spc 'size = 512' '$5 == 512'
	spc 'size == 0x200' '$5 == 512'
	spc 'size != 512' '$5 != 512'
	spc 'size < 1.5K' '$5 < 1536'
	spc 'size le 3072' '$5 <= 3072'
	spc 'size gt 3kB' '$5 > 3000'
	spc 'addr & 1' '$4 % 2 == 1'
	spc 'size lt 0' '0'
	spc 'size >= 0' '1'
	spc 'size > 511.5 and size < 512.5' '$5 == 512'
	spc 'addr > 18446744073709551614' '0'
}

@test "times have units, and seconds without" {
	spc 'time in {0.5s..1500ms}' '$1 >= 0.5 && $1 <= 1.5'
	spc 'time >= 2' '$1 >= 2'
	spc 'time < 0.026214' '$1 < 0.026214'
	spc 'time > 26214us' '$1 > 0.026214'
	spc 'time = 0' '$1 == 0'
}

@test "sets, ranges, and what is not in them" {
	spc 'loc in {0..3, 7}' '($2 >= 0 && $2 <= 3) || $2 == 7'
	spc 'loc not in {0, 1}' '$2 != 0 && $2 != 1'
	spc 'size in {512, 1K, 3584..4096}' '$5 == 512 || $5 == 1024 || ($5 >= 3584 && $5 <= 4096)'
	spc 'event in {R}' '$3 == "R"'
	spc 'loc1 != 0' '$2 != 0'
}

@test "the parts of loc have names where the format or a header tells them" {
	for in in "$F" f.bin <(spc-cat -H "$F"); do
		[ "$(trace-filter -c 'asu = 1' "$in")" = "$(awk '$2 == 1' f.txt | wc -l)" ]
	done
	for in in "$K" k.bin <(trace-filter -H 'event?' "$K"); do
		[ "$(trace-filter -c 'pid = 3691' "$in")" = "$(awk '$2 == 3691' k.txt | wc -l)" ]
	done
	status_is 2 trace-filter 'asu = 1' f.txt
	[ "$(trace-filter -c 'loc1 = 1' f.txt)" = "$(awk '$2 == 1' f.txt | wc -l)" ]
}

@test "and, or, not, parentheses, their symbols, and their order" {
	spc 'R or W and size = 512' '$3 == "R" || ($3 == "W" && $5 == 512)'
	spc '(R || W) && size = 512' '$5 == 512'
	spc '!R && !(size = 512)' '$3 != "R" && $5 != 512'
	spc 'not not R' '$3 == "R"'
	spc 'loc = 0 and (R or size > 3K) and time < 1' '$2 == 0 && ($3 == "R" || $5 > 3072) && $1 < 1'
}

@test "events by name and glob; fields of some types only" {
	kern 'mmap*' '$3 ~ /^mmap/'
	kern '[sf]*' '$3 ~ /^[sf]/'
	kern 'event ~ "^c"' '$3 ~ /^c/'
	kern 'event !~ "^c"' '$3 !~ /^c/'
	kern '"fork"' '$3 == "fork"'
	kern 'event eq fork or event = exit' '$3 == "fork" || $3 == "exit"'
	kern 'inode?' '/inode=/'
	kern 'addr?' '$4 != "-"'
	kern 'size?' '$5 != "-"'
	kern 'loc?' '$2 != "-"'
	kern 'dur?' '0'
}

@test "arguments: numbers, text, absent ones" {
	kern 'major = 254' '/major=254(\t|$)/'
	kern 'major != 254' '/major=/ && !/major=254(\t|$)/'
	kern 'major >= 0xfe' '/major=(254|255|[0-9]{4,})(\t|$)/'
	kern 'file ~ "o$"' '/file=[^\t]*o(\t|$)/'
	kern 'file = chroot' '/file=chroot(\t|$)/'
	kern 'file != chroot' '/file=/ && !/file=chroot(\t|$)/'
	kern 'file < d' '/file=[A-Za-c0-9]/'
	kern 'space = 0x1048ff' '/space=0x1048ff(\t|$)/'
	kern 'space = 1067263' '/space=0x1048ff(\t|$)/'
	kern 'inode? and not (major = 0)' '/inode=/ && !/major=0(\t|$)/'
}

@test "optional SPC fields compare as numbers where they are numbers, else as text" {
	e() { trace-filter -F time "$1" "$FIX/spc/spec-example.spc" 2>/dev/null | xargs; }
	[ "$(e 'x1 = 291')" = 1.250720000 ]
	[ "$(e 'x1 = 0x123')" = 1.250720000 ]
	[ "$(e 'x1 = "0x123"')" = 1.250720000 ]
	[ "$(e 'x2 > 5.98 and x2 < 6')" = 1.250720000 ]
	[ "$(e 'x1 ~ "NT$"')" = 0.551706000 ]
	[ "$(e 'x1 != 291')" = 0.551706000 ]
	[ "$(e 'x3 = "test"')" = 1.250720000 ]
	[ -z "$(e 'x1 > 291')" ]
}

@test "64-bit integers are exact" {
	printf '0,18446744073709551615,9007199254740993,W,0.0\n0,18446744073709551614,9007199254740992,W,0.0\n' > a.spc
	[ "$(trace-filter -F addr 'addr = 18446744073709551615' a.spc)" = 18446744073709551615 ]
	[ "$(trace-filter -F size 'size > 9007199254740992' a.spc)" = 9007199254740993 ]
	[ "$(spc-cat a.spc | trace-filter -F size 'size > 9007199254740992')" = 9007199254740993 ]
}

@test "grep's habits: -c, -q, -m, -v, and status 1 when nothing matched" {
	status_is 0 trace-filter -c R "$F"
	[ "$output" = "$(awk -F, '$4 == "r"' "$F" | wc -l)" ]
	status_is 1 trace-filter 'size > 1G' "$F"
	[ -z "$output$stderr" ]
	status_is 1 trace-filter -c 'size > 1G' "$F"
	[ "$output" = 0 ]
	status_is 0 trace-filter -q W "$F"
	[ -z "$output" ]
	status_is 1 trace-filter -q 'size > 1G' "$F"
	[ "$(trace-filter -m 3 W "$F" | wc -l)" = 3 ]
	[ "$(trace-filter -v -c W "$F")" = "$(trace-filter -c R "$F")" ]
	# An early stop is no cut stream.
	status_is 0 trace-filter -t -m 1 W f.bin
	[ -z "$stderr" ]
	status_is 0 trace-filter -b -m 1 W f.bin
	trace-filter -b -m 1 W f.bin | trace-filter -t -q W
}

@test "a stream gives the same form, a native format the text stream; -t -b -n choose" {
	same <(trace-filter 'event?' f.bin) f.bin
	same <(trace-filter 'event?' f.txt) f.txt
	same <(trace-filter 'event?' "$F") f.txt
	same <(trace-filter -t 'event?' f.bin) f.txt
	same <(trace-filter -n 'event?' "$F") "$F"
	same <(trace-filter -n W "$F") <(grep ,w, "$F")
	status_is 2 trace-filter -n W f.bin
	has "$stderr" 'no native form'
}

@test "-F: a rectangular table, absent is -, with a heading on demand" {
	trace-filter -F time,file,size,event 'open or fork or mmap' "$K" > got
	awk -F'\t' '$3 ~ /^(open|fork|mmap)$/ { f = "-"; for (i = 7; i <= NF; i++) if ($i ~ /^file=/) f = substr($i, 6)
		print $1 "\t" f "\t" $5 "\t" $3 }' k.txt > want
	same want got
	same <(trace-filter -F time,file,size,event 'open or fork or mmap' k.bin) got
	same <(trace-filter -F time,file,size,event 'open or fork or mmap' k.txt) got
	[ "$(trace-filter -H -m 1 -F asu,end W "$F")" = $'#asu\tend\n0\t-' ]
	status_is 2 trace-filter -F sise W "$F"
	has "$stderr" 'no event had a field sise \(the nearest name is size\)'
}

@test "a field that no event ever had is said, with the nearest name, status 2" {
	status_is 2 trace-filter 'inod = 3' "$K"
	has "$stderr" 'no event had a field inod \(the nearest name is inode\)'
	status_is 2 trace-filter 'x1 = 3' "$F"
	# Nothing is said of an empty input.
	status_is 1 trace-filter 'x1 = 3' /dev/null
}

@test "a value that has a name compares by it, in every form; a number there is told" {
	d=$FIX/dumpi/small-0002.bin
	dumpi2txt "$d" > d.txt
	dumpi2txt -b "$d" > d.bin
	for in in "$d" d.bin d.txt; do
		[ "$(trace-filter -c 'datatype = MPI_INT' $in)" = 1 ]
		status_is 1 trace-filter -c 'datatype = 9' $in
		[ "$output" = 0 ]
		[ "$in" = d.txt ] || has "$stderr" '^trace-filter: datatype: the value 9 is written MPI_INT, and compared as that$'
		# Where no name stands in the way, a number is one.
		[ "$(trace-filter -c 'datatype = -77' $in 2>/dev/null)" = 3 ]
	done
}

@test "where -m or -q ends it early, nothing is said of fields that may come later" {
	for size in 40 100000; do
		export SPOOR_READ=$size
		status_is 0 trace-filter -m 1 'schedule or file = 3' "$K"
		[ -z "$stderr" ]
		status_is 0 trace-filter -F time,file -m 1 schedule "$K"
		[ -z "$stderr" ]
		status_is 0 trace-filter -q 'schedule or file = 3' "$K"
		[ -z "$stderr" ]
	done
}

@test "an error in the expression is shown with a caret under its place" {
	caret() { # EXPR COLUMN REASON
		status_is 2 trace-filter "$1" "$F"
		has "$stderr" "$3"
		[ "$(tail -1 <<<"$stderr")" = "$(printf "%$(($2 + 2))s^" '')" ] || {
			echo "caret for: $1"; echo "$stderr"; return 1; }
	}
	caret 'W and' 5 'ends too early'
	caret 'W and (size > 3' 6 'not closed'
	caret 'size > abc' 7 'abc: not a number'
	caret 'size > 3ms' 7 'size is not measured in units of time'
	caret 'time > 3K' 7 'time is not measured in bytes'
	caret 'size > 3X' 7 'no such unit'
	caret 'size in {3..1}' 9 'the range is empty'
	caret 'size in 3' 8 '\{ is expected'
	caret 'event ~ "("' 8 '\('
	caret 'W) and R' 1 'never opened'
	caret 'W R' 2 '"and" or "or" is expected'
	caret '"abc' 0 'no end'
	caret '' 0 'empty'
	caret 'size > 99999999999999999999' 7 'greater than 2\^64-1'
	status_is 2 trace-filter "$(printf '(%.0s' $(seq 300))W$(printf ')%.0s' $(seq 300))" "$F"
	has "$stderr" 'nested more than'
}

@test "-d prints the program: types that cannot match are dropped unseen" {
	status_is 0 trace-filter -d 'W and size >= 8K' "$F"
	has "$output" '^type R: drop$'
	has "$output" '^type W:$'
	has "$output" 'range size at 32: .* - 0x2000 <= 0xffffffffffffdfff \? pass : drop'
	status_is 0 trace-filter -d 'W' "$F"
	has "$output" '^type W: pass$'
}

@test "random expressions: quick programs and the general way agree, over all forms" {
	# A field in quotes, "512", is compared as text; a number as a number. 200 expressions
	# from a fixed seed, each evaluated by awk as well.
	awk 'BEGIN { srand(7)
		split("size addr time loc", f, " "); split("$5 $4 $1 $2", a, " ")
		split("= != < <= > >=", o, " "); split("== != < <= > >=", p, " ")
		split("512 3072 4096 1 0 303567 0.5 2", v, " ")
		for (i = 0; i < 60; i++) {
			e = ""; g = ""
			n = 1 + int(rand() * 3)
			for (k = 0; k < n; k++) {
				j = (k ? (rand() < .5 ? "and" : "or") : "")
				x = 1 + int(rand() * 4); y = 1 + int(rand() * 6); z = 1 + int(rand() * 8)
				if (v[z] == "0.5" && x != 3) z = 1
				t = f[x] " " o[y] " " v[z]; u = "(" a[x] " " p[y] " " v[z] ")"
				if (rand() < .3) { t = "not (" t ")"; u = "!" u }
				if (k) { e = "(" e " " j " " t ")"; g = "(" g (j == "and" ? " && " : " || ") u ")" }
				else { e = t; g = u }
			}
			print e "\t" g
		} }' > exprs
	while IFS=$'\t' read -r e g; do
		awk -F'\t' "$g" f.txt | wc -l > want
		for in in "$F" f.txt f.bin; do
			{ trace-filter -c "$e" "$in" || :; } > got
			same want got || { echo "$e over $in"; return 1; }
		done
	done < exprs
}

@test "output is flushed as events come in, with --line-buffered" {
	mkfifo fifo
	trace-filter --line-buffered W < fifo > out &
	{
		printf '0,1,512,W,0.0\n'
		for _ in $(seq 50); do
			[ -s out ] && break
			sleep 0.05
		done
		cp out early
	} > fifo
	wait
	[ "$(wc -l < early)" = 1 ]
}

@test "-d goes where -o says" {
	trace-filter -d -o got R "$FIX/spc/WebSearch2-first10.spc" > out
	[ ! -s out ]
	trace-filter -d R "$FIX/spc/WebSearch2-first10.spc" | same got -
	grep -qx 'type R: pass' got
	status_is 2 trace-filter -dc R "$FIX/spc/WebSearch2-first10.spc"
}

@test "an error in a long expression shows what is around it" {
	long=$(printf 'size = 1 and %.0s' {1..1000})
	status_is 2 trace-filter "${long}time < x or size = 2" "$FIX/spc/spec-example.spc"
	[ "$(wc -l <<<"$stderr")" = 3 ]
	[ "$(wc -c <<<"$stderr")" -lt 500 ]
	# The caret stands under the word that is wrong.
	at=$(tail -1 <<<"$stderr" | tr -d '^\n' | wc -c)
	[ "$(sed -n 2p <<<"$stderr" | cut -c$((at + 1)))" = x ]
}

@test "a regular expression that repeats a repetition is refused, at once" {
	for re in 'W**' 'W+?' 'W{1}*' 'W?{2,3}' '(W*)**' "$(printf 'W%.0s' $(seq 1000) | tr W '*')"; do
		status_is 2 timeout 10 trace-filter "event ~ \"$re\"" "$FIX/spc/Financial1-head.spc"
		has "$stderr" 'a repetition is repeated'
	done
	for re in '(W*)*' '[[:alpha:]*+]+$' '[]*+?W]' '[^]**]' 'W{1}' '^W*$' '\\*|W'; do
		status_is 0 trace-filter -c "event ~ \"$re\"" "$FIX/spc/Financial1-head.spc"
	done
}

@test "a time that does not fit is the least or the greatest" {
	printf '0\t0\tR\t1\t2\t5\n10000000000\t0\tR\t1\t2\t5\n' > ticks
	trace-filter --hz 1 -F time 'time > 1' ticks | same - <(echo 9223372036.854775807)
	printf '##spoor\t1\n##clock\ts\torigin=9000000000.0\n9000000000.0\t0\tR\t-\t-\t400000000.0\n##end\tevents=1\n' > far
	trace-filter -A -F time R far | same - <(echo 9223372036.854775807)
	trace-filter -A R far | grep -v '^#' | cut -f1 | same - <(echo 9223372036.854775807)
	trace-filter -A -b R far | trace-filter -F time R | same - <(echo 9223372036.854775807)
	trace-filter -F end R far | same - <(echo 9223372036.854775807)
	trace-stats -g event -a 'max(end)' far | grep -v '^#' | cut -f2 | same - <(trace-filter -F end R far)
}

@test "patterns: a backslash is one, and a NUL does not end the text" {
	printf '1.0\t0\ta\\x5cb\t-\t-\t-\n1.0\t0\tR\\x00W\t-\t-\t-\n' > odd
	[ "$(trace-filter -c 'a\b' odd)" = 1 ]
	[ "$(trace-filter -c R odd || :)" = 0 ]
	[ "$(trace-filter -c 'event ~ "^R$"' odd || :)" = 0 ]
	[ "$(trace-filter -c 'R*' odd)" = 1 ]
	[ "$(trace-filter -c 'event ~ W' odd)" = 1 ]
}

@test "an escape at the end of a value is one byte, for comparisons of text" {
	printf '0.1\tp\\x20\tE\t-\t-\t-\ta=x\\x20\n0.2\tp\tE\t-\t-\t-\ta=x\\x2\n' > t
	[ "$(trace-filter -c 'a = "x "' t)" = 1 ]
	[ "$(trace-filter -c 'loc = "p "' t)" = 1 ]
	[ "$(trace-filter -F time 'a ~ "x.x2$"' t)" = 0.200000000 ]
}
