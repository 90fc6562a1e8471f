#!/usr/bin/env bats
# stream-edges.bats - streams, formats that are found out, and expressions at their edges.

load ../helpers

# changed FILE AT BYTE: the file with one byte, given in octal, in place of another.
changed() {
	head -c "$2" "$1"
	# shellcheck disable=SC2059  # an escape
	printf "\\$3"
	tail -c +$(($2 + 2)) "$1"
}

# of_clocks: SPC in seconds, Laplace in ticks, as binary streams.
of_clocks() {
	printf '0,1,512,R,0.25\n0,2,512,W,0.75\n' > s.spc
	printf 's 10 5\ns 20 6\nc\n' > t.kern
	spc-cat -b s.spc > s.b
	trace-filter -b 'event?' t.kern > t.b
}

@test "a damaged binary stream ends with status 2, whoever reads it" {
	printf '0,1,512,W,0.5,abc,defg,\n1,1,512,R,0.5,abc,defgxx\n' | spc-cat -b > a.b
	bad=0
	for at in $(seq 0 3 $(($(wc -c < a.b) - 1))); do
		for byte in 377 001; do
			changed a.b "$at" $byte > c.b
			want=0 got=''
			trace-filter -t 'event?' c.b > lines 2>/dev/null || want=$?
			for cmd in 'trace-filter -c event?' 'trace-stats -a count' 'trace-filter -F time event?' 'trace-stats -g event -a sum(size)'; do
				now=0
				$cmd c.b > out 2>/dev/null || now=$?
				got+=$([ $now = 2 ] && echo 2 || echo .)
			done
			[ $want = 2 ] && expected=2222 || expected=....
			[ "$got" = $expected ] || { echo "byte $at: lines $want, others $got"; bad=1; }
		done
	done
	[ $bad = 0 ]
}

@test "the same bytes, the same format: from a file, and from a pipe of one byte at a time" {
	l() { printf '%s\n' "$@"; }
	many() { head -c "$1" /dev/zero | tr '\0' x; }
	{ printf '0,1,1,W,0.0,'; many 70000; echo; } > long.spc
	{ printf '0.0\t0\tW\t1\t1\t-\tx='; many 70000; echo; } > long.txt
	{ many 70000; printf '\n0.0\t0\tW\t1\t1\t-\n'; } > behind.txt
	{ many 300000; printf '\n0.0\t0\tW\t1\t1\t-\n'; } > far.txt
	{ printf '0.0\t0\tW\t1\t1\t-\tx='; many 65514; } > exact.txt
	l junk 0,1,2,W,1.0 $'0.0\t0\tR\t0\t0\t-' > two.txt
	l junk 0,1,2,W,1.0 $'##spoor\t1' $'0.0\t0\tR\t0\t0\t-' $'##end\tevents=1' > heading.txt
	l 0,1,2,W,1.0 $'##spoor\t1' $'0.0\t0\tR\t0\t0\t-' > first.txt
	# ovni and Laplace have no magic number: what looks right at first and is not.
	{ printf '\0OHxd\0\0\0\0\0\0\0\0OHe\377\0\0\0\0\0\0\0'; many 40; } > ovni.odd
	for i in 1 2 3 4 5 6 7 8; do printf 'r\00'$i'\0\0\0\0\0\0\0\4\1\0\0\0\1\0\0\0'; done > good.ref
	{ cat good.ref; many 18 | tr x '\377'; } > odd.ref
	{ cat good.ref good.ref; many 9000 | tr x '\377'; } > odd2.ref
	{ echo junk; cat "$FIX/laplace/seed.kern"; } > junk.kern
	{ for i in $(seq 19); do echo "junk $i"; done; spc-cat -n "$FIX/spc/Financial1-head.spc"; } > j19.spc
	{ for i in $(seq 20); do echo "junk $i"; done; spc-cat -n "$FIX/spc/Financial1-head.spc"; } > j20.spc
	for f in ./* "$FIX"/*/*.*; do
		want=0
		trace-filter -H 'event?' < "$f" > want 2> want.err || want=$?
		for size in 1 5 23 4096; do
			[ $size != 1 ] || [ "$(wc -c < "$f")" -lt 100000 ] || continue
			got=0
			trace-filter --tune read=$size -H 'event?' < "$f" > got 2> got.err || got=$?
			[ $got = $want ] || { echo "$f: $want, by $size bytes $got"; return 1; }
			same want got
			same want.err got.err
		done
	done
	status_is 0 trace-filter -c 'event?' long.spc
	status_is 0 trace-filter -c 'event?' long.txt
	status_is 2 trace-filter -c 'event?' behind.txt
	[ "$output" = 1 ]
	status_is 2 trace-filter -c 'event?' far.txt
	has "$stderr" 'no known format begins like this'
	# A real pipe.
	while IFS= read -r -N1 c; do printf %s "$c"; done < junk.kern | trace-filter -H 'event?' 2>/dev/null > got || [ $? = 2 ]
	trace-filter -H 'event?' < junk.kern 2>/dev/null > want || [ $? = 2 ]
	same want got
}

@test "a live pipe: the first line of a format of text shows it" {
	for line in 0,1,512,W,0.5 $'0.5\t0\tW\t1\t512\t-' 's 10 5'; do
		mkfifo pipe
		trace-filter --line-buffered -t 'event?' < pipe > out 2>/dev/null &
		pid=$!
		exec 7> pipe
		echo "$line" >&7
		waits_for 10 [ -s out ]
		exec 7>&-
		wait $pid || [ $? = 2 ]
		rm pipe out
	done
}

@test "what is asked of Laplace's first line does not hang on -f or on the read" {
	for f in k32-excerpt.kern merged-head.ref; do
		for o in '' '-f laplace-text'; do
			for size in 1 7 4096 100000; do
				# shellcheck disable=SC2086
				trace-filter --tune read=$size -H $o 'event?' < "$FIX/laplace/$f" | grep '^##loc'
			done
		done | sort -u > loc
		[ "$(wc -l < loc)" = 1 ]
	done
}

@test "each of several streams in one input has its own header and end" {
	echo broken,1,2 | spc-cat -b > bad.b 2>/dev/null || [ $? = 2 ]
	spc-cat -b --block 4096 < /dev/null > empty.b
	of_clocks
	for list in 'bad.b empty.b' 'empty.b bad.b' 'empty.b bad.b empty.b' 's.b bad.b empty.b' 'bad.b t.b s.b' 't.b bad.b'; do
		# shellcheck disable=SC2086
		for f in $list; do trace-filter -tH 'event?' $f 2>/dev/null || :; done > want
		# shellcheck disable=SC2086
		cat $list | trace-filter -tH 'event?' 2>/dev/null | same want -
		# shellcheck disable=SC2086
		cat $list | trace-filter -b 'event?' 2>/dev/null | trace-filter -tH 'event?' 2>/dev/null | same want -
		trace-filter -tH 'event?' want 2>/dev/null | same want -
	done
}

@test "--chunk: a field that another part has is no trouble, and the merge of partials tells of one that none has" {
	for i in $(seq 9); do printf '%d.0\t0\tE\t-\t8\t-\t%s\n' $i "$([ "$i" -lt 5 ] && echo colour=red || echo shape=round)"; done > a
	for k in 1 2 3; do
		rc=0
		trace-filter --chunk $k/3 'colour = red' a > got.$k 2>/dev/null || rc=$?
		[ $rc -lt 2 ]
		status_is 0 trace-filter --chunk $k/3 -F time,colour,shape E a
		status_is 0 trace-stats --chunk $k/3 -a 'count(colour),count(shape)' a
		status_is 0 trace-stats -p --chunk $k/3 -e 'colour = red' -a count -o c.$k a
		[ -z "$stderr" ]
		status_is 0 trace-stats -p --chunk $k/3 -e 'weight = 3' -a count -o w.$k a
	done
	trace-filter 'colour = red' a > want
	cat got.* | same want -
	status_is 0 trace-stats -m c.1 c.2 c.3
	[ "$output" = $'#count\n4' ]
	[ -z "$stderr" ]
	status_is 2 trace-stats -m w.1 w.2 w.3
	has "$stderr" 'no event had a field weight'
	trace-stats -m -p w.3 w.1 > w 2>/dev/null || :
	status_is 2 trace-stats -m w w.2
	status_is 2 trace-filter 'weight = 3' a
}

@test "& takes the bits of a negative number's two's complement" {
	for v in -1 -2 -8 5 0 -9223372036854775808; do printf '0.0\t0\tE\t-\t-\t-\tx=%s\n' "$v"; done > t
	trace-filter -b 'event?' t > t.b
	for m in 1 2 4 7 8 9223372036854775808 -1 -2 -8; do
		want=$(for v in -1 -2 -8 5 0 $((1 << 63)); do [ $((v & (m == 9223372036854775808 ? 1 << 63 : m))) = 0 ] || echo; done | wc -l)
		for f in t t.b; do
			got=$(trace-filter -c "x & $m" $f) || [ $? = 1 ]
			[ "$got" = "$want" ] || { echo "x & $m: $got, not $want"; return 1; }
		done
	done
}

@test "--line-buffered: whole lines, at most 4096 bytes a write but for a longer one" {
	[ "$(uname)" = Linux ] || skip "packets on pipes are Linux's"
	need_native
	# Reads packet by packet, each of which is a write of up to 4096 bytes: "packets torn longest".
	cat > packets.c <<-'EOF'
		#define _GNU_SOURCE
		#include <fcntl.h>
		#include <stdio.h>
		#include <stdlib.h>
		#include <unistd.h>
		int main(int argc, char **argv)
		{
			static char b[1 << 16];
			int fd[2], torn = 0, n = 0, most = 0;
			ssize_t k;

			if (argc < 2 || pipe2(fd, O_DIRECT))
				return 3;
			if (!fork()) {
				dup2(fd[1], 1);
				close(fd[0]);
				close(fd[1]);
				execvp(argv[1], argv + 1);
				_exit(4);
			}
			close(fd[1]);
			for (; (k = read(fd[0], b, sizeof b)) > 0; n++) {
				torn += b[k - 1] != '\n';
				most = k > most ? (int)k : most;
			}
			return printf("%d %d %d\n", n, torn, most) < 0;
		}
	EOF
	$CC -o packets packets.c || skip "no packets on pipes"
	seq 30000 | awk '{ printf "%d,%d,512,R,%d.0%s\n", $1 % 7, $1, $1, $1 % 9 ? "" : ",optional-" $1 }' > a.spc
	spc-cat a.spc > a.txt
	for cmd in 'spc-cat --line-buffered a.spc' 'spc-cat -H --line-buffered a.spc' 'trace-filter --line-buffered -t event? a.txt' 'trace-filter --line-buffered event? a.txt' \
		'trace-filter --line-buffered -n event? a.spc' 'trace-filter --line-buffered -F time,size,x1 event? a.txt' 'trace-stats --line-buffered -g addr -a count,sum(size) a.spc'; do
		# shellcheck disable=SC2086
		read -r n torn most < <(./packets $cmd)
		[ "$torn" = 0 ] && [ "$most" -le 4096 ] && [ "$n" -gt 50 ] || { echo "$cmd: $n packets, $torn torn"; return 1; }
	done
	# Longer lines come whole, in one write, with what is before them apart; nothing is lost.
	x() { head -c "$1" /dev/zero | tr '\0' x; }
	{ printf '0,1,1,R,0.0\n0,2,1,R,0.0,'; x 5000; printf '\n0,3,1,R,0.0\n0,4,1,R,0.0,'; x 100000
	  printf '\n0,5,1,R,0.0,'; x 1000000; echo; } > long.spc
	spc-cat long.spc > want
	spc-cat --line-buffered long.spc | same want -
	if command -v strace >/dev/null; then
		strace -o log -e trace=write spc-cat --line-buffered long.spc > /dev/null
		has "$(cat log)" 'write\(1, ".*, 5[0-9][0-9][0-9]\)'
		has "$(cat log)" 'write\(1, ".*, 100[0-9][0-9][0-9]\)'
	fi
	# Writers that share a pipe.
	{ for i in 1 2 3 4; do spc-cat --line-buffered a.spc & done; wait; } | cat > all
	[ "$(wc -l < all)" = 120000 ]
	sort all | uniq -c | awk '$1 != 4 { bad = 1 } END { exit bad }'
}

@test "ranges of integers of every width hold at both ends, as decimal texts compare" {
	${CC:-cc} -std=c11 -O1 -o writer "$ROOT/tests/second/writer.c" -lm
	./writer all | trace-filter -b scalars > a.b 2>/dev/null
	trace-filter -t scalars a.b > a.txt
	{
		for m in 255 65535 4294967295 18446744073709551615; do echo 0 1 $m; done
		for m in 127 32767 2147483647 9223372036854775807; do echo -- -$m -1 0 $m | sed 's/^-- //'; done
		echo 256 65536 4294967296 2147483648 4294967294 -129 -32769 -2147483649
	} | tr ' ' '\n' | sort -u > constants
	for name in u8 u16 u32 u64 i8 i16 i32 i64; do
		for op in '<' '<=' '>' '>=' '='; do
			# How many events match, by digits alone.
			tr '\t' '\n' < a.txt | sed -n "s/^$name=//p" | awk -v op="$op" '
				function size(a, b) { return length(a) != length(b) ? length(a) - length(b) : a "" < b "" ? -1 : a "" > b "" }
				function cmp(a, b) {
					if ((a ~ /^-/) != (b ~ /^-/)) return a ~ /^-/ ? -1 : 1
					return a ~ /^-/ ? size(substr(b, 2), substr(a, 2)) : size(a "", b "")
				}
				NR == FNR { c[++n] = $1 ""; next }
				{ for (i = 1; i <= n; i++) { d = cmp($1 "", c[i])
					k[i] += op == "<" ? d < 0 : op == "<=" ? d <= 0 : op == ">" ? d > 0 : op == ">=" ? d >= 0 : d == 0 } }
				END { for (i = 1; i <= n; i++) print c[i], k[i] + 0 }' constants - > want
			while read -r c _; do
				echo "$c $(trace-filter -c "$name $op $c" a.b)"
			done < want | same want -
		done
	done
}

@test "texts of every length beside each other, in binary with zeros behind them" {
	awk 'BEGIN { all = "abcdefghijklmnopqrstuvwxyz"
		for (a = 0; a < 26; a++) for (b = 0; b < 26; b++)
			printf "%d.%09d\t0\tE\t-\t1\t-\ta=x%s\tb=y%s\n", 1, a * 26 + b, substr(all, 1, a), substr(all, 1, b) }' > few
	trace-filter -b 'size = 1' few > few.b
	trace-filter -t 'event?' few.b | same few -
	# The same from records of which other bytes stood in their place.
	awk 'BEGIN { for (i = 0; i < 20000; i++)
		printf "0.%09d\t0\tE\t-\t2\t-\ta=%s\tb=\377\377\377\377\377\377\377\377\n", i, i % 2 ? "\377" : "\377\377\377\377\377\377\377\377\377" }' > many
	cat many few | trace-filter -b 'size = 1' | same few.b -
}

@test "every unit is as many seconds or bytes as its name says" {
	units='dur ns 0.000000003 us 0.000003000 ms 0.003000000 s 3.000000000 m 180.000000000 h 10800.000000000
		size B 3 K 3072 k 3072 M 3145728 G 3221225472 T 3298534883328 KiB 3072 MiB 3145728 GiB 3221225472
		TiB 3298534883328 kB 3000 KB 3000 MB 3000000 GB 3000000000 TB 3000000000000'
	# shellcheck disable=SC2086  # words
	printf '%s\n' $units | awk '/^[0-9]/ { print "0.000000000\t0\tE\t-\t" (/[.]/ ? "-\t" $0 : $0 "\t-") "\t-" }' | sed 's/\t-$//' > t
	for word in $units; do
		case $word in
		dur | size) field=$word ;;
		[A-Za-z]*) unit=$word ;;
		*) [ "$(trace-filter -F $field "$field = 3$unit" t | sort -u)" = "$word" ] ;;
		esac
	done
}
