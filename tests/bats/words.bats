#!/usr/bin/env bats
# words.bats - what programs say of a name, a number or a word that is not what was meant.

load ../helpers

setup() {
	enter
	F=$FIX/spc/Financial1-head.spc
	D=$FIX/dumpi/small-0002.bin
}

# said STATUS TEXT COMMAND...: its status, and exactly this message.
said() {
	local want=$1 text=$2
	shift 2
	status_is "$want" "$@"
	[ "$stderr" = "$text" ] || { echo "$stderr"; echo "expected: $text"; return 1; }
}

@test "no name is called the nearest where none is near; the fields that there were are listed" {
	for in in "$F" "$D" "$FIX/laplace/k32-excerpt.kern"; do
		for e in 'xq > 1' 'qqqqqqqq = 1' 'z?' 'lba ~ x'; do
			status_is 2 trace-filter "$e" "$in"
			! grep -q nearest <<<"$stderr" || { echo "$e: $stderr"; return 1; }
		done
		status_is 2 trace-stats -g zz "$in"
		! grep -q nearest <<<"$stderr" || { echo "$stderr"; return 1; }
	done
}

@test "an operator of arithmetic without blanks around it is named" {
	for e in 'size*2 > 5' 'size-1 = 2' 'addr//8 = 3' 'addr/8 = 3' 'size+addr > 3' 'asu%2 = 1' '2*size > 5'; do
		status_is 2 trace-filter "$e" "$F"
		has "$stderr" 'without blanks around it, "[-+*/%]" is part of a name'
	done
}

@test "8KB is 8000 bytes and 8k 8192, as kB and K" {
	for n in 8KB=8000 8kB=8000 8k=8192 8K=8192 1.5k=1536; do
		for op in = '<' '>' '<=' '>='; do
			trace-filter -F time,addr "size $op ${n#*=}" "$F" > want || :
			trace-filter -F time,addr "size $op ${n%=*}" "$F" > got || :
			same want got
		done
	done
}

# offers PROG WORD...: what bash's completion of that command line offers, in one line.
offers() {
	sh "$ROOT/tests/make/completion.sh" bash "$BIN/$1" > completion
	bash -c 'source ./completion
		COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
		"$(complete -p "$1" | sed "s/.*-F \([^ ]*\) .*/\1/")"
		echo "${COMPREPLY[*]}"' _ "$@"
}

@test "bash offers presets, orders, aggregates, columns, formats and what stands behind a =" {
	[ "$(offers charisma-dump --preset '')" = "$(charisma-dump --preset list | xargs)" ]
	[ "$(offers charisma-dump --preset = lp64-l)" = lp64-le ]
	[ "$(offers laplace-bin2txt --order '')" = 'little big' ]
	[ "$(offers dumpi2txt --compat = '')" = all ]
	[ "$(offers dumpi2txt --compat = a)" = all ]
	[ "$(offers dumpi2txt --align '')" = start ]
	columns='time loc event addr size dur end'
	[ "$(offers trace-filter -F '')" = "$columns" ]
	[ "$(offers trace-filter --fields = ti)" = time ]
	[ "$(offers trace-filter -F time,s)" = time,size ]
	[ "$(offers trace-filter -F "'time,x1,e")" = 'time,x1,event time,x1,end' ]
	[ "$(offers trace-stats -g '')" = "$columns" ]
	for a in $(offers trace-stats -a ''); do
		[ "$(offers trace-stats -a "count,$a" | xargs -n 1 | grep -cx "count,$a")" = 1 ]
		case $a in busy | depth | depth_most | footprint | sequential | span | unaligned) ;; *) a="$a(size)" ;; esac
		status_is 0 trace-stats -a "$a" "$F"
	done
	[ "$(offers trace-stats -a '' | wc -w)" -ge 19 ]
	for p in $(programs); do
		has_option "$p" -f || continue
		formats=$(status_is 2 "$p" -f none x; sed 's/ (try .*//; s/.*: only //; s/ is read here//; s/.*no such format (//; s/[,)]//g' <<<"$stderr")
		[ "$(offers "$p" -f '')" = "$formats" ]
		case $p in
		laplace-*) [ "$(offers "$p" --format = lap)" = 'laplace laplace-text' ] ;;
		trace-*) [ "$(offers "$p" --format = lap)" = 'laplace-text laplace' ] ;;
		*) [ "$(wc -w <<<"$formats")" = 1 ] ;;
		esac
	done
	[ "$(offers trace-plot '')" = "$(trace-plot --list | cut -d ' ' -f 1 | xargs)" ]
	[ "$(offers trace-access se)" = seek ]
	[ "$(offers trace-stats -O colum)" = columns= ]
	[ "$(offers trace-stats -O columns = '')" = "$(trace-stats -O columns=list | cut -f 1 | xargs)" ]
	[ "$(offers trace-filter --option preset = lp64-l)" = lp64-le ]
	# Files are completed behind the kind, and where the argument of an option may be left out.
	touch file.bin
	[ "$(offers dumpi2txt --compat f)" = file.bin ]
	[ "$(offers trace-plot heat f)" = file.bin ]
	[ "$(offers trace-access f)" = file ]
	rm file.bin
	touch fi.spc
	[ "$(offers trace-access fi.)" = fi.spc ]
}

@test "zsh offers the same" {
	spec() { sh "$ROOT/tests/make/completion.sh" zsh "$BIN/$1" | grep -F -- "$2"; }
	has "$(spec charisma-dump --preset)" ":\($(charisma-dump --preset list | xargs)\)'"
	has "$(spec laplace-bin2txt --order)" ":\(little big\)'"
	has "$(spec dumpi2txt --compat)" ":\(all\)'"
	has "$(spec trace-filter --fields)" ':_sequence compadd - time loc event addr size dur end'
	has "$(spec trace-stats --group)" ':_sequence compadd - time loc'
	has "$(spec trace-stats --aggregates)" ":_sequence compadd - $(offers trace-stats -a '')'"
	has "$(spec trace-plot 1:)" "'1:kind:\($(offers trace-plot '')\)'"
	has "$(spec trace-access 1:)" "'1:section:\{compadd - .* seek .*; _files\}'"
	has "$(spec trace-stats --option)" ' columns= .*columns=msr '
	command -v zsh >/dev/null || skip 'zsh is not installed'
	for p in $(programs); do
		sh "$ROOT/tests/make/completion.sh" zsh "$BIN/$p" > "_$p"
		zsh -n "_$p"
	done
}

@test "a sym of 0 is the string -; inf, -inf and nan are texts, as spoor-stream(5) says" {
	# shellcheck disable=SC2086  # CC may hold flags
	$CC -std=c11 -O1 -o writer "$ROOT/tests/second/writer.c" -lm
	./writer all > a.b
	# The first of the doubles has a sym of 0. The sign of nan is set.
	[ "$(trace-filter -F f64,sym 'f64 = 0 and sym = "-"' a.b | head -1)" = $'0\t\\x2d' ]
	[ "$(trace-filter -F f64 'f64 in {inf, "-inf", nan}' a.b | xargs)" = 'nan inf -inf nan' ]
	trace-filter -t 'f64?' a.b > a.txt
	for in in a.b a.txt; do
		n=$(trace-filter -c 'f64 in {inf, "-inf", nan}' $in)
		[ "$n" = 4 ]
		# No number: no sum of them.
		[ "$(trace-stats -e 'f64 in {inf, "-inf", nan}' -a 'count(f64),sum(f64),max(f64)' $in | tail -1)" = $'4\t-\t-' ]
	done
	# A reader that takes 0 for "nothing there" would not get it back.
	trace-filter -b 'f64?' a.b | trace-filter -t 'event?' | same a.txt -
}

@test "CHARISMA: a client that joins anew after it left, or joins another application, has no file open" {
	# Records of the layout lp64-le: load, leave and join APP CLIENT, open CLIENT FD FILE, read CLIENT FD.
	zero=$(charisma-dump -M --preset lp64-le "$FIX/charisma/lp64-le.chr" | sed -n 's/^timestamp\t//p')
	records() {
		head -c 168 "$FIX/charisma/lp64-le.chr"
		# shellcheck disable=SC2059  # the escapes are the text
		printf "$(awk -v zero="$zero" '
			function le(v, n,   i) { for (i = 0; i < n; i++) { out = out sprintf("\\%03o", v % 256); v = int(v / 256) } at += n }
			function to(place) { while (at < place) le(0, 1) }
			function begin(type) { at = 0; le(type, 2); to(8); le(zero + ++now, 8) }
			$1 == "load" { begin(1); to(320); le($2, 4); le(1, 2); to(328); le($3, 4); to(336) }
			$1 == "join" || $1 == "leave" { begin($1 == "join" ? 3 : 4); le($2, 4); le($3, 4); to(24) }
			$1 == "open" { begin(6); le($2, 4); to(308); le($4, 4); le($3, 4); to(336); le(2, 1); to(344) }
			$1 == "read" { begin(9); le(zero + now + 1, 8); le($3, 4); le(4, 1); to(32); le(0, 4); le(4294967295, 4); le(1, 2); to(48)
				le(0, 8); le(0, 8); le(512, 8); le($2, 4); le(0, 4) }
			END { print out }')"
	}
	while IFS=: read -r between file; do
		printf '%s\n' 'load 1 10' 'open 10 3 501' "$between" 'read 10 3' | sed 's/; /\n/' | records > a
		charisma-dump --preset lp64-le a > events 2> err || { cat err; return 1; }
		[ "$(trace-filter -F loc,file read events)" = "10	$file" ] || { echo "$between"; cat events; return 1; }
	done <<-'END'
		join 1 10; join 1 10:501
		leave 1 10; join 1 10:-
		leave 1 10; join 2 10:-
		join 2 10; leave 1 99:-
		join 1 10; leave 1 99:501
	END
}

@test "ovni-dump -D: states that last over tens of thousands of events have their durations" {
	cat > long.c <<-'END'
		#include <stdint.h>
		#include <stdio.h>
		static uint64_t clock = 5000000;
		static void event(const char *mcv) {
			unsigned char b[12] = {0, (unsigned char)mcv[0], (unsigned char)mcv[1], (unsigned char)mcv[2]};
			clock += 7;
			for (int i = 0; i < 8; i++) b[4 + i] = (unsigned char)(clock >> 8 * i);
			fwrite(b, 1, 12, stdout);
		}
		/* Three states one in the other from events EVERY * k - 1, + 0 and + 1 on, until there are LAST more. */
		#define EVERY 32768
		#define LAST 36000
		int main(void) {
			fwrite("ovni\1\0\0\0", 1, 8, stdout);
			for (long n = 0; n < 6 * EVERY; n++) {
				long at = n % (2 * EVERY);
				event(at == EVERY - 1 ? "VAs" : at == EVERY ? "VAw" : at == EVERY + 1 ? "VAy" :
					n > LAST && at == LAST - EVERY ? "VAY" : n > LAST && at == LAST - EVERY + 1 ? "VAW" :
					n > LAST && at == LAST - EVERY + 2 ? "VAS" : "OB.");
			}
			return 0;
		}
	END
	# shellcheck disable=SC2086  # CC may hold flags
	$CC -std=c11 -O1 -o long long.c
	sh "$ROOT/tests/make/examples.sh" .
	from=$(find tasks -name stream.obs | head -1)
	mkdir -p one/loom.a/proc.1/thread.1
	cp "${from%.obs}.json" one/loom.a/proc.1/thread.1
	./long > one/loom.a/proc.1/thread.1/stream.obs
	ovni-dump one 2>/dev/null | awk '
		{ t = $1; sub(/\./, "", t); t += 0 }
		$3 ~ /^VA[swy]$/ { from[toupper($3)] = t }
		$3 ~ /^VA[SWY]$/ { printf "%s %d\n", tolower(substr($3, 3)), t - from[$3] }' | sort > want
	[ "$(wc -l < want)" = 6 ]
	ovni-dump -D one 2>/dev/null | awk '$3 ~ /^VA/ && $6 != "-" { sub(/\./, "", $6); printf "%s %d\n", substr($3, 3), $6 + 0 }' | sort > got
	same want got
}

