#!/usr/bin/env bats
# reuse.bats - trace-reuse: against a stack that is a list, in Python; samples against the whole; published tables.

load ../helpers

setup() {
	enter
}

# zipf N KEYS: N requests of one block each, with a distribution near Zipf's.
zipf() {
	awk -v n="$1" -v keys="$2" 'BEGIN {
		srand(5)
		for (i = 0; i < n; i++)
			printf "0,%d,4096,%s,%d.%06d\n", int(exp(rand() * log(keys))) * 8, i % 4 ? "r" : "W", int(i / 1000), i % 1000
	}'
}

@test "curves, distances, working sets, windows: what a list finds, over random traces" {
	status_is 0 python3 "$ROOT/tests/oracle/reuse_random.py" "$BIN" 40 "$RANDOM"
	[ "$output" = '360 tables' ]
}

@test "memory references and files: the same" {
	# (The list is slow: 600 events.)
	trace-filter -H 'event?' "$FIX/laplace/merged-head.ref" | head -n 605 > refs
	trace-filter -H 'event?' "$FIX/charisma/cm5.chr" > files
	for f in laplace/merged-head.ref:refs charisma/cm5.chr:files; do
		for options in '--at all' '--at all --apart --unit 512' '--at all -g event' '--hist --at all --unit 1000' \
			'--at all --no-cold' '--working-set --at 1,5,64,128,1024' '--at all -K addr'; do
			echo "$f $options"
			# shellcheck disable=SC2086
			trace-reuse $options "${f#*:}" > got 2> /dev/null
			# shellcheck disable=SC2086
			python3 "$ROOT/tests/oracle/reuse.py" $options < "${f#*:}" | same got -
			# shellcheck disable=SC2086
			trace-reuse $options "$FIX/${f%:*}" > got 2> /dev/null
			# shellcheck disable=SC2086
			trace-filter -H 'event?' "$FIX/${f%:*}" | trace-reuse $options 2> /dev/null | same got -
		done
	done
}

@test "by hand: a repeat, a step back, a request over two blocks, none of no bytes" {
	printf '0,%d,%d,r,%d.0\n' 0 512 1 0 512 2 8 512 3 0 512 4 4 4096 5 16 0 6 > s.spc
	# Blocks: 0 0 1 0 0,1.
	trace-reuse --hist --at all s.spc > got
	printf '#distance\treferences\tratio\tsample\n1\t2\t0.333333\t1\n2\t2\t0.333333\t1\ncold\t2\t0.333333\t1\n' | same got -
	trace-reuse --at 0,1,2,1M s.spc > got
	printf '#size\tmisses\tratio\tsample\n0\t6\t1\t1\n1\t4\t0.666667\t1\n2\t2\t0.333333\t1\n1048576\t2\t0.333333\t1\n' | same got -
	[ "$(trace-reuse --no-cold --at 1 --no-header s.spc)" = $'1\t2\t0.5\t1' ]
	[ "$(trace-reuse --bytes --at 4K --no-header s.spc)" = $'4096\t4\t0.666667\t1' ]
	[ "$(trace-reuse --csv --at 2 s.spc)" = $'size,misses,ratio,sample\n2,2,0.333333,1' ]
	trace-reuse -J --at 2 s.spc | python3 -c 'import json, sys; assert json.load(sys.stdin) == [{"size": 2, "misses": 2, "ratio": 0.333333, "sample": 1}]'
	trace-reuse --summary s.spc > got
	grep -qx $'keys\t2\t1' got
	grep -qx $'keys_referenced_2_3\t1\t1' got
	grep -qx $'keys_referenced_4_7\t1\t1' got
	grep -qx $'distance_mean\t1.5\t1' got
	# Numbers that are equal are one key.
	printf '%s.0\t0\tE\t-\t-\t-\tv=%s\n' 1 10 2 0xa 3 a 4 10.0 5 a 6 -10 > v
	[ "$(trace-reuse -K v --summary v | awk '$1 == "keys" { print $2 }')" = 3 ]
}

@test "few enough keys: a bound on them changes nothing; more: estimates within their bounds, and never beyond" {
	zipf 200000 20000 > z.spc
	keys=$(trace-reuse --exact --summary z.spc | awk '$1 == "keys" { print $2 }')
	[ "$keys" -gt 10000 ]
	trace-reuse --exact --at log:8 z.spc > whole
	for options in '' "--keys $keys"; do
		# shellcheck disable=SC2086
		trace-reuse $options --at log:8 z.spc | same whole -
	done
	cold=$(tail -n 1 whole | cut -f 3)
	sizes=$(seq -s , 128 128 10000)
	trace-reuse --exact --at "$sizes" z.spc > whole
	for seed in $(seq 50); do
		trace-reuse --keys 4096 --seed "$seed" --at "0,$sizes" z.spc > got
		awk -v cold="$cold" '
			NR == FNR { of[$1] = $3; next }
			/^#/ { next }
			$4 !~ /^1\/[248]$/ { print "sample " $4; exit 1 }
			$1 && $1 < substr($4, 3) + 0 { print "size " $1 " in a sample of " $4; exit 1 }
			$3 < 0 || $3 > 1 { print "ratio " $3; exit 1 }
			$1 in of { d = $3 - of[$1]; d = d < 0 ? -d : d; sum += d; n++ }
			END { if (n < 40 || sum / n > 0.02) { print "mean " sum / n " of " n; exit 1 } }' whole got
	done
	# What a sample cannot tell has no number.
	trace-reuse --sample 1/4 --at 0,1,3,4 z.spc | awk -F '\t' 'NR > 1 { print $1, $3 == "-", $4 }' > got
	printf '0 0 1/4\n1 1 1/4\n3 1 1/4\n4 0 1/4\n' | same got -
	status_is 0 trace-reuse --sample 0.001 z.spc
	has "$stderr" ' sample: fewer than 1000 keys'
	[ "$(trace-reuse --sample 0.3 --at 1K --no-header z.spc | cut -f 4)" = 1/4 ]
	# Of reuse times alone; the same file again and again.
	trace-reuse --exact --aet --at "$sizes" z.spc > got
	awk 'NR == FNR { of[$1] = $3; next } /^#/ { next }
		$1 in of { d = $3 - of[$1]; d = d < 0 ? -d : d; sum += d; n++ }
		END { if (n < 40 || sum / n > 0.02) { print "mean " sum / n " of " n; exit 1 } }' whole got
	trace-reuse --aet --keys 4096 --at log z.spc | awk '!/^#/ && ($3 < 0 || $3 > 1) { exit 1 }'
}

@test "any number of threads, any cut: the same bytes" {
	for i in 1 2 3 4 5 6; do
		awk -v seed="$i" 'BEGIN {
			srand(seed)
			for (i = 0; i < 3000; i++)
				printf "%d,%d,%d,%s,%d.0\n", int(rand() * 3), int(rand() * rand() * 40 * seed) * 8, 512 * int(1 + rand() * 20), rand() < 0.3 ? "w" : "r", i
		}' > $i.spc
	done
	for options in '' '-g asu' '-g event --at all' '--apart --unit 512' '--hist --at all' '-K addr' '-K event -g asu' \
		"-K 'if(asu = 1, \"one\", addr)'" '--exact --no-cold' '--sample 1/4 -g asu' '--keys 16' '-e w'; do
		for files in 1.spc 4.spc '2.spc 3.spc 6.spc' '5.spc 5.spc'; do
			eval "trace-reuse -O unordered -j 1 $options $files" > want
			for j in 2 3 7; do
				eval "trace-reuse --tune worth=300 -O unordered -j $j $options $files" | same want -
			done
		done
	done
	# What is broken is told in order, and the rest counted.
	{ cat 3.spc; echo broken; cat 4.spc; } > bad.spc
	status_is 2 trace-reuse --tune worth=300 -O unordered -j 3 bad.spc
	has "$stderr" 'bad.spc:3001: '
	{ cat 3.spc 4.spc; } > good.spc
	trace-reuse --tune worth=300 -O unordered -j 3 good.spc | same - <(printf '%s\n' "$output")
}

@test "memory is by keys, not by references; that of a sample is bounded" {
	need_native
	zipf 300000 100000 > z.spc
	for i in 1 2 3 4 5 6 7 8; do cat z.spc; done > z8.spc
	one=$(peak_of trace-reuse -j 1 --exact z.spc)
	eight=$(peak_of trace-reuse -j 1 -O unordered --exact z8.spc)
	[ "$eight" -lt $((one + 2000)) ]
	# What threads hold is bounded as well.
	[ "$(peak_of trace-reuse -j 4 -O unordered --exact z8.spc)" -lt $((one + 4 * 2 * 8192)) ]
	awk 'BEGIN { for (i = 0; i < 1000000; i++) printf "0,%d,4096,r,%d.0\n", i * 8, i }' > cold.spc
	[ "$(peak_of trace-reuse -j 1 cold.spc)" -lt 16384 ]
	[ "$(peak_of trace-reuse cold.spc)" -lt 32768 ]
}

@test "what is refused, what is told" {
	f=$FIX/spc/Financial1-head.spc
	for options in '--at x' '--at log:0' '--sample 0' '--sample 2' '--sample 1/0' '--keys 1' '--unit 0' '-K loc --unit 8' \
		'--hist --summary' '-w x' '-K addr,size' '--no-cold --hist'; do
		# shellcheck disable=SC2086
		status_is 2 trace-reuse $options "$f"
		[ -z "$output" ]
	done
	status_is 2 trace-reuse -g nothing "$f"
	has "$stderr" 'no event had a field nothing'
	status_is 2 trace-reuse -K nothing "$f"
	has "$stderr" 'nothing'
	printf '0,1,99999999999999,r,1.0\n0,18446744073709551615,512,r,2.0\n0,1,512,r,3.0\n' > large.spc
	status_is 2 trace-reuse --at 0 --no-header large.spc
	[ "$output" = $'0\t1\t1\t1' ]
	has "$stderr" '2 events are left out: they touch more than 1048576 blocks, or bytes beyond 2\^64'
	status_is 2 trace-reuse -w 1 -O unordered <(printf '0,1,512,r,5.0\n0,1,512,r,1.0\n')
	has "$stderr" '-w: times go back: 1 reference is counted in a later window than its own'
	trace-reuse "$FIX/ovni/all.obs" > got 2> err
	[ "$(cat got)" = $'#size\tmisses\tratio\tsample\n0\t0\t-\t1' ]
	has "$(cat err)" 'no event has an addr and a size: use -K to say what is referenced'
}

@test "Kaplan's published tables, exact at every size" {
	[ -n "${SPOOR_KAPLAN-}" ] || skip 'SPOOR_KAPLAN names no folder with the tables of kVMTrace'
	for t in acroread/acroread netscape/netscape powerpoint/powerpnt winword/winword; do
		dir=$SPOOR_KAPLAN/${t%/*}
		bzip2 -dc "$dir/${t#*/}-4k-blocked.bz2" | awk '{ print "r 0 1 0 " $1 "000" }' |
			trace-reuse -f laplace-text -O references --at all --no-cold --no-header > got
		# They go on for some sizes that miss nothing.
		awk 'NR == FNR { n = FNR; if ($1 != FNR - 1) exit 1; of[$1] = $2; next }
			$2 != ($1 in of ? of[$1] : 0) { print FILENAME ": " $0; bad = 1 } { rows++ }
			END { exit bad || rows < n || rows < 900 }' got "$dir/${t%/*}.misses"
	done
}

@test "--annotate: each event with the distance of its blocks, and the time since" {
	printf '0,%d,%d,r,%d.0\n' 0 512 1 0 512 2 8 512 3 0 512 5 4 4096 6 16 512 7 12 4096 8 8 0 9 > s.spc
	trace-reuse --annotate s.spc | cut -f 1,7- > got
	# The fifth touches blocks 0 and 1, the seventh 1 and 2.
	printf '%s.000000000%s\n' 1 '' 2 $'\treuse=1\tsince=1.000000000' 3 '' 5 $'\treuse=2\tsince=3.000000000' \
		6 $'\treuse=2\tsince=3.000000000' 7 '' 8 $'\treuse=2\tsince=2.000000000' 9 '' | same got -
	# The distances of single blocks are those of --hist, whatever form, group and key.
	zipf 20000 3000 > z.spc
	trace-reuse --annotate -b z.spc | trace-stats -g reuse -a count --no-header | sort -n > got
	trace-reuse --hist --at all --exact --no-header z.spc | awk -F'\t' '$2 && $1 != "cold" { print $1 "\t" $2 } $1 == "cold" { print "-\t" $2 }' | sort -n | same got -
	trace-reuse --annotate -g event -K 'addr // 64' z.spc | awk -F'\t' '{ k = $3; for (i = 7; i <= NF; i++) if ($i ~ /^reuse=/) { n[k " " substr($i, 7)]++; next } n[k " cold"]++ } END { for (i in n) print i, n[i] }' | sort > got
	trace-reuse --hist --at all --exact -g event -K 'addr // 64' --no-header z.spc | awk '$3 { print $1, $2, $3 }' | sort | same got -
	# What an event had stays; an argument of that name is another's no longer.
	printf '1.0\tn\tread\t0\t9\t-\treuse=x\ta=1\n2.0\tn\tread\t0\t9\t-\treuse=x\ta=2\n' | trace-reuse --annotate | cut -f 7- > got
	printf 'a=1\nreuse=1\ta=2\tsince=1.000000000\n' | same got -
	trace-reuse -b s.spc | trace-filter -t 'event?' | same <(trace-reuse --annotate s.spc) -
	status_is 2 trace-reuse --annotate --hist s.spc
	status_is 2 trace-reuse -b --sample 1/2 s.spc
	has "$stderr" 'no option about tables or samples'
	status_is 2 trace-reuse --annotate --keys 16 z.spc
	has "$stderr" 'z.spc: more than 16 blocks to keep'
}

@test "partials: any cut, any order, by lines or by files: the same bytes as of one pass" {
	zipf 4000 700 > s.spc
	zipf 3000 500 | sed 's/^0/1/' > t.spc
	for options in '' '-g event' '-K addr' '-g asu -K event' '--unit 1000 -g asu' '--sample 1/4' '--exact --seed 3'; do
		# shellcheck disable=SC2086  # options
		trace-reuse -O unordered --at all --apart -j 1 $options s.spc t.spc > want
		for n in 1 2 5 9; do
			rm -f part.*
			for ((k = 1; k <= n; k++)); do
				# shellcheck disable=SC2086
				trace-reuse -O unordered -p $options --chunk "$k/$n" s.spc > "part.$k"
			done
			# shellcheck disable=SC2086
			trace-reuse -p -O unordered $options t.spc > part.t
			trace-reuse -m --at all --apart part.* | same want -
			printf '%s\n' part.* | sort -R | xargs trace-reuse -m --at all --apart | same want -
			LC_ALL=C sort part.* | trace-reuse -m --at all --apart | same want -
			cat part.* | trace-reuse -m -p > again
			trace-reuse -m --at all --apart again | same want -
		done
		# shellcheck disable=SC2086
		trace-reuse --tune worth=9000 -p -j 3 -O unordered $options s.spc t.spc | trace-reuse -m --at all --apart | same want -
	done
	trace-reuse -m --hist --at all --csv again | head -2 | tail -1 | grep -q '^1,'
}

@test "partials: what is missing, twice, of another question, or too much, is refused" {
	zipf 3000 900 > s.spc
	for k in 1 2 3; do trace-reuse -p --chunk $k/3 s.spc > p$k; done
	status_is 2 trace-reuse -m p1 p3
	has "$stderr" 's.spc: .* in no partial result'
	status_is 2 trace-reuse -m p1 p2 p2 p3
	status_is 2 trace-stats -m p1
	has "$stderr" 'another program'
	trace-stats -p -g asu -a count s.spc > stats
	status_is 2 trace-reuse -m stats
	has "$stderr" 'another program'
	trace-reuse -p --unit 512 --chunk 2/3 s.spc > other
	status_is 2 trace-reuse -m p1 other
	has "$stderr" 'another question'
	status_is 2 trace-reuse -p --keys 100 s.spc
	has "$stderr" 'more than 100 blocks need samples'
	for k in 1 2 3; do trace-reuse -p --keys 500 --chunk $k/3 s.spc > k$k; done
	status_is 2 trace-reuse -m k1 k2 k3
	has "$stderr" 'more than 500 blocks need samples'
	# Lines that are gone, or of other numbers.
	grep -v '&last' p1 > short
	status_is 2 trace-reuse -m short p2 p3
	for edit in '/&first/s/\(&first [^ ]* [^ ]* \)[0-9]*/\19/' '/&distance/s/\(&distance [01] \)[0-9]*/\199999999999/' \
		'/&first/s/[01]\t/7\t/' 's/more=4096/more=0/' '/&last/s/&last/\&lost/' '/&events/s/[0-9]*$/x/'; do
		sed "$edit" p1 > bad
		status_is 2 trace-reuse -m bad p2 p3
	done
	# What was wrong when a part was read is told again.
	{ cat s.spc; echo broken; } > b.spc
	status_is 2 trace-reuse -p b.spc
	printf '%s\n' "$output" > bp
	status_is 2 trace-reuse -m bp
	has "$stderr" 'b.spc:3001'
	# A field that no part has.
	trace-reuse -p -g nosuch s.spc > n 2> err
	status_is 2 trace-reuse -m n
	has "$stderr" 'nosuch'
	status_is 2 trace-reuse -p --hist s.spc
	status_is 2 trace-reuse -m -g asu p1
}

@test "the report of a sample: a cache of nothing misses all, no cache more than all, as trace-reuse says" {
	for seed in 1 2; do
		awk -v seed=$seed 'BEGIN { srand(seed); for (i = 0; i < 400000; i++) printf "0,%d,4096,R,%.6f\n", int(rand() * 30000000) * 8, i * .001 }' > big.spc
		trace-reuse big.spc > curve
		grep -q '	1/[248]' curve
		trace-report --access --terminal big.spc | awk '/^\$ trace-reuse/ { on = 1; next } on && $1 ~ /^[0-9]/ { print $1, $2 }' > got
		[ "$(wc -l < got)" -gt 10 ]
		[ "$(head -1 got)" = '0 400000' ]
		awk 'NR == FNR { of[$1] = $2; next } !($1 in of) || of[$1] != $2 { print; bad = 1 } END { exit bad }' <(awk '!/^#/ { print $1, $2 }' curve) got
	done
}
