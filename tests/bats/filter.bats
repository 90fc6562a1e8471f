#!/usr/bin/env bats
# filter.bats - trace-filter: the language, the forms of output, grep's habits.

load ../helpers

setup() {
	enter
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
	kern 'file < "d"' '/file=[A-Za-c0-9]/'
	kern 'space = 0x1048ff' '/space=0x1048ff(\t|$)/'
	kern 'space = 1067263' '/space=0x1048ff(\t|$)/'
	kern 'inode? and not (major = 0)' '/inode=/ && !/major=0(\t|$)/'
}

@test "-F: a rectangular table, absent is -, with a heading on demand" {
	trace-filter -F time,file,size,event 'open or fork or mmap' "$K" > got
	awk -F'\t' '$3 ~ /^(open|fork|mmap)$/ { f = "-"; for (i = 7; i <= NF; i++) if ($i ~ /^file=/) f = substr($i, 6)
		print $1 "\t" f "\t" $5 "\t" $3 }' k.txt > want
	same want got
	same <(trace-filter -F time,file,size,event 'open or fork or mmap' k.bin) got
	same <(trace-filter -F time,file,size,event 'open or fork or mmap' k.txt) got
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

@test "an error in a long expression shows what is around it" {
	long=$(printf 'size = 1 and %.0s' {1..1000})
	status_is 2 trace-filter "${long}time < 3x or size = 2" "$FIX/spc/spec-example.spc"
	[ "$(wc -l <<<"$stderr")" = 3 ]
	[ "$(wc -c <<<"$stderr")" -lt 500 ]
	# The caret stands under the word that is wrong.
	at=$(tail -1 <<<"$stderr" | tr -d '^\n' | wc -c)
	[ "$(sed -n 2p <<<"$stderr" | cut -c$((at + 1))-$((at + 2)))" = 3x ]
}

@test "an escape at the end of a value is one byte, for comparisons of text" {
	printf '0.1\tp\\x20\tE\t-\t-\t-\ta=x\\x20\n0.2\tp\tE\t-\t-\t-\ta=x\\x2\n' > t
	[ "$(trace-filter -c 'a = "x "' t)" = 1 ]
	[ "$(trace-filter -c 'loc = "p "' t)" = 1 ]
	[ "$(trace-filter -F time 'a ~ "x.x2$"' t)" = 0.200000000 ]
}

