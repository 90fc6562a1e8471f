#!/usr/bin/env bats
# spc-edges.bats - SPC where its specification is read to the letter. Its sentences stand beside the tests.

load helpers

# back N: N good records, of which those at 3, 6, 9, ... have a time that goes back.
back() {
	awk -v n="$1" 'BEGIN { for (i = 1; i <= n; i++) printf "%d,%d,512,%s,%d.5\n", i % 3, i, i % 2 ? "R" : "w", i % 3 ? i : i - 2 }'
}

# "The value of this field must be greater than or equal to all preceding records, and less than or
# equal to all succeeding records."
@test "a record whose time goes back is kept; ten are told, all are counted, the status is 2" {
	back 60 > a.spc
	status_is 2 spc-cat a.spc
	[ "$(wc -l <<<"$output")" = 60 ]
	[ "$(grep -c 'the time goes back$' <<<"$stderr")" = 10 ]
	has "$stderr" 'a.spc:3: field 5 \(timestamp\): "1.5": the time goes back'
	has "$stderr" '20 records kept although the time goes back'
	! grep skipped <<<"$stderr" || false
	for prog in spc-cat "trace-filter event?"; do
		status_is 2 $prog a.spc
		[ "$(cut -f4 <<<"$output" | xargs)" = "$(seq 60 | xargs)" ]
	done
	status_is 2 trace-filter -c 'event?' a.spc
	[ "$output" = 60 ]
	status_is 2 trace-stats -g event -a count a.spc
	[ "$output" = $'#event\tcount\nR\t30\nW\t30' ]
	status_is 2 trace-filter -n 'addr = 3' a.spc
	[ "$output" = 0,3,512,R,1.5 ]
}

@test "--unordered takes it for granted: the same events, no word, status 0" {
	back 6000 > a.spc
	status_is 2 spc-cat a.spc
	want=$output
	for j in 1 2; do
		status_is 0 trace-stats --unordered -j $j -g event -a 'count,sum(addr)' a.spc
		[ "$output" = $'#event\tcount\tsum(addr)\nR\t3000\t9000000\nW\t3000\t9003000' ]
		[ -z "$stderr" ]
	done
	status_is 0 spc-cat --unordered a.spc
	[ "$output" = "$want" ]
	[ -z "$stderr" ]
	status_is 0 trace-filter --unordered -c R a.spc
	[ "$output" = 3000 ]
	[ -z "$stderr" ]
	# Other errors stay errors.
	echo broken >> a.spc
	status_is 2 spc-cat --unordered a.spc
}

@test "cat a b loses nothing, and one wrong time costs one message" {
	f=$FIX/spc/Financial1-head.spc
	{ spc-cat -n "$f"; spc-cat -n "$f"; } > two.spc
	status_is 2 spc-cat two.spc
	[ "$(wc -l <<<"$output")" = $((2 * $(spc-cat "$f" | wc -l))) ]
	[ "$(grep -c 'goes back$' <<<"$stderr")" = 1 ]
	# A time far ahead: the next is told, those behind it are in order.
	printf '0,1,1,R,1.0\n0,2,1,R,9999.0\n0,3,1,R,2.0\n0,4,1,R,3.0\n' > far.spc
	status_is 2 spc-cat far.spc
	[ "$(grep 'goes back$' <<<"$stderr")" = 'spc-cat: far.spc:3: field 5 (timestamp): "2.0": the time goes back' ]
}

@test "parts say what the whole says: every split, messages and status" {
	# Broken lines, blank ones and a long one before a time that goes back: the record before it is far.
	{ printf '0,1,1,R,5.0\nbroken\n\n# x\n0,2,1,R,4.0,'; head -c 40000 /dev/zero | tr '\0' x; echo
	  head -c 50000 /dev/zero | tr '\0' 'y'; printf '\n0,3,1,R,3.0\n0,4,1,W,3.0000000001\n0,5,1,W,3.0\n0,6,1,R,7.0\n'; } > a.spc
	status_is 2 spc-cat a.spc
	want=$output messages=$(grep 'spc:[0-9]*: f\|spc:[0-9]*: an' <<<"$stderr" | grep -v rounded)
	for n in 2 3 7 13 40; do
		got='' said='' worst=0
		for k in $(seq $n); do
			now=0
			spc-cat --chunk "$k/$n" a.spc > out 2> err || now=$?
			[ $now -le $worst ] || worst=$now
			got+=$(cat out; echo .) && got=${got%.}
			said+=$(grep 'spc:[0-9]*: f\|spc:[0-9]*: an' err | grep -v rounded; echo .) && said=${said%.}
		done
		[ "$got" = "$want"$'\n' ]
		[ "$said" = "$messages"$'\n' ]
		[ $worst = 2 ]
	done
}

@test "parts of a file whose only fault is a time that goes back, anywhere" {
	for at in 1 2 3 4 5 6; do
		awk -v at=$at 'BEGIN { for (i = 1; i <= 6; i++) printf "0,%d,1,R,%d.0\n", i, i == at ? 0 : i }' > a.spc
		whole=0
		spc-cat a.spc > /dev/null 2> err || whole=$?
		for n in 2 3 6 17; do
			worst=0
			: > err.parts
			for k in $(seq $n); do
				now=0
				trace-stats -p -g event -a count --chunk "$k/$n" a.spc > p.$k 2>> err.parts || now=$?
				[ $now -le $worst ] || worst=$now
			done
			[ $worst = $whole ]
			[ "$(grep -c 'goes back$' err.parts)" = "$(grep -c 'goes back$' err)" ]
			# The merge knows it, too; so does a merge of a merge.
			status_is $whole trace-stats -m p.*
			[ "$output" = $'#event\tcount\nR\t6' ]
			[ $whole = 0 ] || has "$stderr" 'a.spc:[0-9]: .*goes back'
			status_is $whole trace-stats -p -m p.*
			echo "$output" > merged
			status_is $whole trace-stats -m merged
			rm p.*
		done
	done
}

@test "-j says what one thread says, also where only the first record of a part goes back" {
	awk 'BEGIN { for (i = 0; i < 400000; i++) printf "%d,%d,4096,R,%d.%06d\n", i % 5, i * 8, (i == 200000 ? 0 : i / 1000), i % 1000 * 1000 }' > a.spc
	for j in 1 2 4; do
		status_is 2 env SPOOR_WORTH=100000 trace-stats -j $j -a 'count,sum(addr)' a.spc
		[ "$output" = $'#count\tsum(addr)\n400000\t639998400000' ]
		has "$stderr" 'a.spc:200001: field 5'
		status_is 0 env SPOOR_WORTH=100000 trace-stats --unordered -j $j -a 'count,sum(addr)' a.spc
		[ "$output" = $'#count\tsum(addr)\n400000\t639998400000' ]
	done
}

@test "order is judged before times are rounded to nine decimals" {
	{ echo 0,1,1,R,0.1234567894; echo 0,2,1,R,0.123456789; echo 0,3,1,R,0.12345678939
	  echo 0,4,1,R,0.1234567894; echo 0,5,1,R,0.12345678940; echo 0,6,1,R,0.1234567895; echo 0,7,1,R,0.123456790
	  echo 0,8,1,R,0.12345678999999; } > a.spc
	status_is 2 spc-cat a.spc
	[ "$(sed -n 's/.*spc:\([0-9]\): .*goes back$/\1/p' <<<"$stderr" | xargs)" = '2 8' ]
	[ "$(cut -f1 <<<"$output" | xargs)" = '0.123456789 0.123456789 0.123456789 0.123456789 0.123456789 0.123456790 0.123456790 0.123456790' ]
	# Where the nanosecond is the same by rounding, in parts as well.
	printf '0,1,1,R,1.0000000004\n0,2,1,R,1.0000000003\n' > b.spc
	status_is 0 spc-cat --chunk 1/2 b.spc
	status_is 2 spc-cat --chunk 2/2 b.spc
	has "$stderr" 'b.spc:2: .*goes back'
}

@test "-n leaves the digits of a time as they stand, and does not say that they are rounded" {
	echo 0,1,1,W,0.12345678949 > a.spc
	status_is 0 spc-cat -n a.spc
	[ "$output" = 0,1,1,W,0.12345678949 ]
	[ -z "$stderr" ]
	status_is 0 trace-filter -n W a.spc
	[ "$output" = 0,1,1,W,0.12345678949 ]
	[ -z "$stderr" ]
	status_is 0 spc-cat a.spc
	has "$stderr" 'a.spc:1: fractions of a second are rounded'
}

# "White space characters, such as tabs and spaces, are optional, and may be used for visual clarity [...]
# they may only exist between the comma character and the beginning of the next field. White space
# characters may exist in any position in the optional fields."
@test "vertical tabs and form feeds are white space as blanks and tabs are" {
	printf '0,\v1,\f512,\v \t\fW,\v0.5,a\vb\f\n' > a.spc
	status_is 0 spc-cat a.spc
	[ "$output" = $'0.500000000\t0\tW\t1\t512\t-\tx1=a\\x0bb\\x0c' ]
	status_is 0 spc-cat -n a.spc
	[ "$output" = $'0,1,512,W,0.5,a\vb\f' ]
	printf '0,1\v,512,W,0.5\n0,1,512,W,0.5\f\n' > b.spc
	status_is 2 spc-cat b.spc
	[ "$(grep -c 'a blank may only stand before a field' <<<"$stderr")" = 2 ]
}

# "There is no upper limit on this field, other than the restriction that sum of the address and size
# fields must be less than or equal to the capacity of the ASU."
@test "the footprint and what is sequential hold beyond 2^64 bytes" {
	# Blocks of 512 bytes: 2^55 of them are 2^64 bytes. Pages of 4 KiB by brute force.
	{ echo 0,0,4096,W,0.0; echo 0,36028797018963960,8192,R,0.1; echo 0,36028797018963968,4096,W,0.2
	  echo 0,72057594037927936,4096,R,0.3; echo 0,72057594037927944,100000,R,0.4
	  echo 0,18446744073709551615,4096,R,0.5; echo 0,36028797018963960,4096,R,0.6; echo 0,0,1,R,0.7; } > a.spc
	want=$(awk 'BEGIN { print 1 + 2 + 1 + 25 + 2 }') # 0; 2^52-1, 2^52; 2^53; 25 behind it; the last two
	status_is 0 trace-stats -T a.spc
	[ "$(awk -F'\t' '$1 == "block" && $2 == 0 && $3 == "footprint" { print $4 }' <<<"$output")" = "$want" ]
	# The fifth begins where the fourth ended, in the same ASU; the last begins at byte 0, where nothing ended.
	[ "$(awk -F'\t' '$1 == "block" && $2 == 0 && $3 == "sequential" { print $4 }' <<<"$output")" = 0.142857 ]
	printf '0,36028797018963960,4096,R,0.0\n0,0,4096,R,0.1\n0,8,4096,R,0.2\n' > b.spc
	[ "$(trace-stats -T b.spc | awk -F'\t' '$1 == "block" && $3 == "sequential" { print $4; exit }')" = \
		"$(printf '0,5,4096,R,0.0\n0,0,4096,R,0.1\n0,8,4096,R,0.2\n' | trace-stats -T | awk -F'\t' '$1 == "block" && $3 == "sequential" { print $4; exit }')" ]
}

# "If there are a total of n units described in the complete trace file, then the trace file must contain
# at least one record for each of units 0 through n-1."
@test "the report says which units are missing" {
	for a in 7 1 4 1; do echo "$a,1,512,R,0.0"; done > a.spc
	has "$(trace-stats a.spc)" '^missing ASUs +0,2-3,5-6$'
	has "$(trace-stats -T a.spc)" $'^trace\tmissing ASUs\tvalue\t0,2-3,5-6$'
	has "$(trace-stats -J a.spc)" 'missing ASUs"[^}]*"0,2-3,5-6"'
	# By parts as well; and not where none is missing, nor of another format.
	for k in 1 2 3; do trace-stats -p --chunk $k/3 -o p.$k a.spc; done
	has "$(trace-stats -m p.3 p.1 p.2)" '^missing ASUs +0,2-3,5-6$'
	for a in 2 0 1; do echo "$a,1,512,R,0.0"; done > b.spc
	! trace-stats b.spc | grep missing || false
	! trace-stats "$FIX/charisma/cm5.chr" | grep missing || false
	has "$(echo 18446744073709551615,1,512,R,0.0 | trace-stats)" '^missing ASUs +0-18446744073709551614$'
	seq 1 2 999 | awk '{ print $1 ",1,1,R,0.0" }' > c.spc
	has "$(trace-stats c.spc)" '^missing ASUs +0,2,4,6,[0-9,]*,\.\.\.$'
}
