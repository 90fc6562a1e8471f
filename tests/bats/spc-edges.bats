#!/usr/bin/env bats
# spc-edges.bats - SPC where its specification is read to the letter. Its sentences stand beside the tests.

load ../helpers

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
	has "$stderr" 'kept 20 records although the time goes back'
	! grep skipped <<<"$stderr" || false
	for prog in spc-cat "trace-filter event?"; do
		status_is 2 $prog a.spc
		[ "$(cut -f4 <<<"$output" | xargs)" = "$(seq 60 | xargs)" ]
	done
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
}

@test "cat a b loses nothing, and one wrong time costs one message" {
	f=$FIX/spc/Financial1-head.spc
	{ spc-cat -n "$f"; spc-cat -n "$f"; } > two.spc
	status_is 2 spc-cat two.spc
	[ "$(wc -l <<<"$output")" = $((2 * $(spc-cat "$f" | wc -l))) ]
	[ "$(grep -c 'goes back$' <<<"$stderr")" = 1 ]
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
		status_is 2 trace-stats --tune worth=100000 -j $j -a 'count,sum(addr)' a.spc
		[ "$output" = $'#count\tsum(addr)\n400000\t639998400000' ]
		has "$stderr" 'a.spc:200001: field 5'
		status_is 0 trace-stats --tune worth=100000 --unordered -j $j -a 'count,sum(addr)' a.spc
		[ "$output" = $'#count\tsum(addr)\n400000\t639998400000' ]
	done
}

# "There is no upper limit on this field, other than the restriction that sum of the address and size
# fields must be less than or equal to the capacity of the ASU."
@test "the footprint and what is sequential hold beyond 2^64 bytes" {
	# Blocks of 512 bytes: 2^55 of them are 2^64 bytes. Pages of 4 KiB by brute force.
	{ echo 0,0,4096,W,0.0; echo 0,36028797018963960,8192,R,0.1; echo 0,36028797018963968,4096,W,0.2
	  echo 0,72057594037927936,4096,R,0.3; echo 0,72057594037927944,100000,R,0.4
	  echo 0,18446744073709551615,4096,R,0.5; echo 0,36028797018963960,4096,R,0.6; echo 0,0,1,R,0.7; } > a.spc
	want=$(awk 'BEGIN { print 1 + 2 + 1 + 25 + 2 }') # 0; 2^52-1, 2^52; 2^53; 25 behind it; the last two
	status_is 0 trace-stats --tsv a.spc
	[ "$(awk -F'\t' '$1 == "block" && $2 == 0 && $3 == "footprint" { print $4 }' <<<"$output")" = "$want" ]
	# The fifth begins where the fourth ended, in the same ASU; the last begins at byte 0, where nothing ended.
	[ "$(awk -F'\t' '$1 == "block" && $2 == 0 && $3 == "sequential" { print $4 }' <<<"$output")" = 0.142857 ]
	printf '0,36028797018963960,4096,R,0.0\n0,0,4096,R,0.1\n0,8,4096,R,0.2\n' > b.spc
	[ "$(trace-stats --tsv b.spc | awk -F'\t' '$1 == "block" && $3 == "sequential" { print $4; exit }')" = \
		"$(printf '0,5,4096,R,0.0\n0,0,4096,R,0.1\n0,8,4096,R,0.2\n' | trace-stats --tsv | awk -F'\t' '$1 == "block" && $3 == "sequential" { print $4; exit }')" ]
}

