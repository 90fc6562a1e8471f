#!/usr/bin/env bats
# reuse-objects.bats - trace-reuse: objects with sizes, weights, the best policy; against caches that are lists, in Python.

load ../helpers

setup() {
	enter
}

# objects EVENT...: writes a stream: KEY:SIZE[:N] for each event.
objects() {
	local e i=0
	for e; do
		IFS=: read -r k s n <<<"$e"
		printf '%d.0\tl\tget\t-\t%s\t-\tk=%s\tn=%s\n' $((i++)) "$s" "$k" "${n:-1}"
	done
}

@test "misses of LRU with sizes, and of the best policy: what a cache for each size misses, over random traces" {
	status_is 0 python3 "$ROOT/tests/oracle/reuse_objects.py" "$BIN" 60 "$RANDOM"
	has "$output" ' caches'
}

@test "by hand: sizes, a size that changes, an object of no bytes, one larger than the cache" {
	objects a:10 b:20 a:10 c:0 c:0 b:20 > s
	trace-reuse -K k --bytes --at 0,10,29,30 s > got 2> err
	printf '#size\tmisses\tratio\tmissed_bytes\tbyte_ratio\tsample\n0\t5\t0.833333\t60\t1\t1\n10\t5\t0.833333\t60\t1\t1\n29\t5\t0.833333\t60\t1\t1\n30\t3\t0.5\t30\t0.5\t1\n' | same got -
	has "$(cat err)" '--bytes: an object of 20 bytes empties each smaller cache of the table'
	trace-reuse -K k --bytes --hist s > got
	printf '#distance\treferences\tratio\tbytes\tbyte_ratio\tsample\n16\t1\t0.166667\t0\t0\t1\n30\t2\t0.333333\t30\t0.5\t1\ncold\t3\t0.5\t30\t0.5\t1\n' | same got -
	# b was evicted when a grew, and is not in the cache again because a shrinks.
	objects a:10 b:20 a:90 a:10 b:20 > s
	trace-reuse -K k --bytes --at 100,110 --no-header s > got 2> err
	printf '100\t3\t0.6\t50\t0.333333\t1\n110\t2\t0.4\t30\t0.2\t1\n' | same got -
	has "$(cat err)" '--bytes: 2 references changed sizes of objects: the new ones count'
	[ "$(trace-reuse -K k --bytes --no-cold --apart --csv --at 1K s 2> /dev/null | tail -n 1)" = 1024,0,0,0,0,0,0,0,0,0,,0,,1 ]
	trace-reuse -K k --bytes -J --at 110 s 2> /dev/null | python3 -c 'import json, sys; t = json.load(sys.stdin); assert t[0]["missed_bytes"] == 30 and t[0]["byte_ratio"] == .2, t'
	# Each group is a cache; a part of a file is a trace.
	objects a:10 b:20 a:10 b:20 > g
	[ "$(trace-reuse -K k -g k --bytes --at 20 --no-header g | cut -f 1-3)" = $'a\t20\t1\nb\t20\t1' ]
	trace-reuse -K k --bytes --chunk 1/1 --at 30 g | same - <(trace-reuse -K k --bytes --at 30 g)
}

@test "--policy lru-entry: an object keeps the size of its entry; what is larger than the cache does not enter" {
	# a grows while it is cached: in 30 bytes b stays, where lru evicts it. 25 bytes never have both.
	objects a:10 b:20 a:30 b:20 > s
	trace-reuse -K k --bytes --policy lru-entry --at 25,30,50 --no-header s > got 2> err
	printf '25\t3\t0.75\t60\t0.75\t1\n30\t2\t0.5\t30\t0.375\t1\n50\t2\t0.5\t30\t0.375\t1\n' | same got -
	has "$(cat err)" '--bytes: 1 reference changed sizes of objects: the sizes at entry count'
	[ "$(trace-reuse -K k --bytes --at 30 --no-header s 2> /dev/null | cut -f 2)" = 3 ]
	# A larger cache may miss more: c enters the cache of 40 only, and evicts a and b.
	objects a:10 b:20 c:35 a:10 b:20 c:1 > s
	[ "$(trace-reuse -K k --bytes --policy lru-entry --at 30,40 --no-header s 2> err | cut -f 1,2)" = $'30\t4\n40\t6' ]
	has "$(cat err)" '--bytes: an object of 35 bytes does not enter each smaller cache of the table'
	for options in '--chunk 1/2' '--hist' '--weight n' '--at all'; do
		# shellcheck disable=SC2086
		status_is 2 trace-reuse -K k --bytes --policy lru-entry $options s
		has "$stderr" policy
	done
	status_is 2 trace-reuse --policy lru-entry s
	has "$stderr" 'give -K and --bytes'
}

@test "a sample of objects: estimates near the whole, no more memory than its keys" {
	awk 'BEGIN { srand(7); for (i = 0; i < 100000; i++) { k = int(exp(rand() * log(20000))); printf "0,%d,%d,r,%d.0\n", k * 8, 512 * (1 + k % 7), i } }' > z.spc
	sizes=$(seq -s , 1000000 1000000 20000000)
	trace-reuse -K addr --bytes --exact --at "$sizes" z.spc > whole
	trace-reuse -K addr --bytes --at "$sizes" z.spc | same whole -
	for seed in 1 2 3; do
		trace-reuse -K addr --bytes --keys 4096 --seed $seed --at "$sizes" z.spc > got
		awk 'NR == FNR { r[$1] = $3; b[$1] = $5; next } /^#/ { next }
			$6 !~ /^1\/[248]$/ { print "sample " $6; bad = 1 }
			{ d = $3 - r[$1]; e = $5 - b[$1]; sum += d < 0 ? -d : d; sum += e < 0 ? -e : e }
			END { if (sum / 40 > 0.02) { print "mean " sum / 40; bad = 1 } exit bad }' whole got
	done
	# Sizes below an object of mean size for each that is kept are unknown.
	[ "$(trace-reuse -K addr --bytes --sample 1/4 --at 1K --no-header z.spc 2> /dev/null)" = $'1024\t-\t-\t-\t-\t1/4' ]
}

@test "--weight: an event is so many references in a row, in every table, and in parts" {
	objects a:5:3 b:5:0 b:5:2 a:5:1 > w
	objects a:5 a:5 a:5 b:5 b:5 a:5 > rows
	for options in '-K k --at all' '-K k --at all --apart --no-cold' '-K k --hist --at all' '-K k --summary' '-K k --working-set --at 1,2,3,4,5,6' \
		'-K k --bytes' '-K k --bytes --hist' '-K k --policy opt' '-K k --aet --exact' '-K k -w 100'; do
		# The events are fewer.
		# shellcheck disable=SC2086
		trace-reuse --weight n $options w | grep -v '^events' > got
		# shellcheck disable=SC2086
		trace-reuse $options rows | grep -v '^events' | same got -
	done
	printf '0,%d,%d,r,%d.0\n' 0 8192 1 16 4096 2 0 4096 3 > s.spc
	[ "$(trace-reuse --weight 'addr // 16 + 1' --at 1 --no-header s.spc)" = $'1\t4\t0.8\t1' ]
	awk 'BEGIN { srand(3); for (i = 0; i < 3000; i++) printf "0,%d,4096,r,%d.0\n", int(rand() * rand() * 90) * 8, i }' > p.spc
	for options in "--weight 'addr % 3'" "-K addr --weight 'addr % 5'"; do
		eval "trace-reuse -j 1 --at all $options p.spc" > want
		eval "trace-reuse -j 3 --tune worth=300 --at all $options p.spc" | same want -
		for k in 1 2 3; do eval "trace-reuse -p --chunk $k/3 $options p.spc" > part.$k; done
		trace-reuse -m --at all part.? | same want -
	done
	trace-reuse -p --weight 2 --chunk 1/3 p.spc > other
	status_is 2 trace-reuse -m other part.2 part.3
	has "$stderr" 'another question'
	objects a:5:3 > one
	[ "$(trace-reuse -K k --weight n --policy opt --no-header one | cut -f 1,2)" = $'0\t3\n1\t1' ]
	# An event without a key needs neither a size nor a weight.
	{ printf '0.0\tl\tx\t-\t-\t-\n'; cat one; } > two
	[ "$(trace-reuse -K k --weight n --bytes --at 5 --no-header two)" = $'5\t1\t0.333333\t5\t0.333333\t1' ]
	# What is no number is no reference.
	objects a:5:x a:5:-1 a:5:1.5 a:5:2 > bad
	status_is 2 trace-reuse -K k --weight n --at 0 --no-header bad
	[ "$output" = $'0\t2\t1\t1' ]
	has "$stderr" '3 events are left out: no whole number as --weight'
	objects a:-:2 > bad
	status_is 2 trace-reuse -K k --bytes bad
	has "$stderr" '1 event is left out: no size'
	objects a:1:18446744073709551615 a:18446744073709551615 a:1:4611686018427387904 > bad
	status_is 2 trace-reuse -K k --weight n --bytes --at 1 --no-header bad
	has "$stderr" '3 events are left out'
}

@test "--policy opt: never more misses than LRU; what is refused has a reason" {
	awk 'BEGIN { srand(2); for (i = 0; i < 20000; i++) printf "0,%d,%d,%s,%d.0\n", int(rand() * rand() * 900) * 8, 512 * int(1 + rand() * 20), i % 3 ? "r" : "W", i }' > s.spc
	for options in '--at log:4' '--at 1,10,100 --apart' '--at 64KiB --bytes' '-g event --no-cold --at log'; do
		# shellcheck disable=SC2086
		paste <(trace-reuse --policy opt $options s.spc) <(trace-reuse --policy lru $options s.spc) > both
		awk -F'\t' '/^#/ { for (c = 1; c <= NF / 2; c++) if ($c == "size" || $c == "misses") at[$c] = c; next }
			NF % 2 == 0 && $(at["size"]) == $(at["size"] + NF / 2) && $(at["misses"]) > $(at["misses"] + NF / 2) { print; exit 1 } { n++ } END { exit !n }' both
	done
	# A loop over 10 blocks: 5 places keep 4 of them for the next turn.
	awk 'BEGIN { for (i = 0; i < 100; i++) printf "0,%d,4096,r,%d.0\n", i % 10 * 8, i }' > loop.spc
	[ "$(trace-reuse --at 5 --no-header loop.spc)" = $'5\t100\t1\t1' ]
	[ "$(trace-reuse --policy opt --at 5,10 --no-header loop.spc | cut -f 1,2)" = $'5\t60\n10\t10' ]
	[ "$(trace-reuse --policy opt --hist --no-header loop.spc | awk '{ n += $2 } END { print n }')" = 100 ]
	for options in '-p' '--chunk 1/2'; do
		# shellcheck disable=SC2086
		status_is 2 trace-reuse --policy opt $options s.spc
		has "$stderr" 'a part does not have the next references'
	done
	status_is 2 trace-reuse --policy opt -K addr --bytes s.spc
	has "$stderr" 'no quick method is known'
	status_is 2 trace-reuse --policy opt --at all s.spc
	has "$stderr" 'use log:K, or a list'
	for options in '-m' '--sample 1/2' '--aet' '--annotate' '-b' '--summary'; do
		# shellcheck disable=SC2086
		status_is 2 trace-reuse --policy opt $options s.spc
	done
	status_is 2 trace-reuse --policy fifo s.spc
	has "$stderr" 'lru, lru-entry or opt is expected'
	for options in '-p' '--at all' '--summary' '--working-set' '-w 1' '--aet' '--annotate'; do
		# shellcheck disable=SC2086
		status_is 2 trace-reuse -K addr --bytes $options s.spc
		[ -z "$output" ]
	done
	status_is 2 trace-reuse -K addr --bytes -p s.spc
	has "$stderr" 'distances in bytes cannot be merged'
	trace-reuse -K addr -p s.spc > p
	status_is 2 trace-reuse -m --bytes p
	has "$stderr" 'no sizes of objects'
	status_is 2 trace-reuse -K addr,size --weight size s.spc
	has "$stderr" '-K and --weight: give one value'
	status_is 2 trace-reuse --weight addr,size s.spc
	has "$stderr" '--weight: give one value'
}
