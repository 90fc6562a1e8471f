#!/usr/bin/env bats
# export.bats - trace-export: the programs that its targets are for read what it writes, and
# independent readers find the same in it. A program that is not installed skips its test.

load ../helpers

need() {
	command -v "$1" > /dev/null || skip "$1 is not installed"
}

# requests FILE.spc: reads, their bytes, writes, their bytes, by awk.
requests() {
	awk -F, '{ w = toupper($4) == "W"; n[w]++; b[w] += $3 }
		END { printf "[%d,%d,%d,%d]\n", n[0], b[0], n[1], b[1] }' "$1"
}

# replayed ARG...: what fio says that it replayed, without a disk.
replayed() {
	fio --name=x --ioengine=null --output-format=json --output=fio.json "$@" > said 2>&1
	! grep -i 'bad iolog\|error' said
	jq -c '.jobs[0] | [.read.total_ios, .read.io_bytes, .write.total_ios, .write.io_bytes]' fio.json
}

@test "fio replays every request, of both versions of its log, and of blktrace's file" {
	need fio
	need jq
	f=$FIX/spc/Financial1-head.spc
	want=$(requests "$f")
	[ "$want" = '[23,55808,138,420864]' ]
	trace-export -T fio "$f" > log
	[ "$(replayed --read_iolog=log --replay_no_stall=1)" = "$want" ]
	trace-export -T fio --v2 --replay-file /dev/null "$f" > log2 2> /dev/null
	[ "$(replayed --read_iolog=log2 --replay_no_stall=1)" = "$want" ]
	trace-export -T blktrace "$f" > bin
	[ "$(replayed --read_iolog=bin --replay_no_stall=1 --replay_redirect="$PWD/disk")" = "$want" ]
}

# in_time LEAST MOST ARG...: fio replays in so many milliseconds; it may try thrice, since the machine does more than that.
in_time() {
	for _ in 1 2 3; do
		replayed "${@:3}"
		jq -e ".jobs[0].job_runtime | . >= $1 and . <= $2" fio.json && return
	done
	return 1
}

@test "fio replays in the time of the trace, from its first gap on" {
	need fio
	need jq
	# 1.5 s, of which the first gap is the greatest; requests of no bytes would end it.
	printf '%s\n' 0,0,4096,R,0.0 0,8,0,R,0.9 0,16,4096,W,1.0 1,16,512,W,1.1 0,24,0,W,1.2 0,24,4096,R,1.5 > x.spc
	want='[2,8192,2,4608]'
	trace-export -T fio x.spc > log || [ $? = 2 ]
	trace-export -T fio --v2 x.spc > log2 || [ $? = 2 ]
	trace-export -T blktrace -e 'size > 0' -o bin x.spc
	in_time 1485 1530 --read_iolog=log
	[ "$(replayed --read_iolog=log)" = "$want" ]
	in_time 1485 1530 --read_iolog=bin --replay_redirect="$PWD/disk"
	[ "$(replayed --read_iolog=bin --replay_redirect="$PWD/disk")" = "$want" ]
	# Version 2 counts from when fio began, which is some 0.1 s before the job.
	in_time 1200 1530 --read_iolog=log2
	[ "$(replayed --read_iolog=log2)" = "$want" ]
}

@test "fio replays what its own log has, which was read and written again" {
	need fio
	need jq
	printf '%s\n' 'fio version 3 iolog' '0 /d add' '0 /d open' '10 /d write 0 4096' '20 /d sync 0 0' '30 /d read 0 4096' \
		'40 /d close' '50 /d open' '60 /d datasync 0 0' '70 /d read 0 512' '80 /d close' > log
	trace-export -T fio -o again log
	counts() {
		fio --name=x --ioengine=null --read_iolog="$1" --output-format=json --output=fio.json > said 2>&1
		[ ! -s said ]
		jq -c '.jobs[0] | [.read.total_ios, .write.total_ios, .sync.total_ios, .error]' fio.json
	}
	[ "$(counts log)" = "$(counts again)" ]
	[ "$(counts again)" = '[2,1,1,0]' ]
}

@test "a whole real sample: fio's counts, libCacheSim's miss ratios" {
	need_traces spc
	f=$TRACES/spc/Financial1-first28s.spc
	[ "$(requests "$f")" = '[183,302592,766,2268160]' ]
	# What cachesim says of this file: LRU of 1 MiB misses 0.5469 of the requests, 0.5949 of the bytes.
	trace-export -T oracle "$f" > o
	od -A n -v -t u4 -w24 o | awk -v most=1048576 '
		{ id = $2 " " $3; size = $4; n++; bytes += size
		if (id in at) hit = 1; else { hit = 0; misses++; missed += size }
		if (hit) delete key[at[id]]; else {
			while (used + size > most) {
				while (!(oldest in key)) oldest++
				used -= of[key[oldest]]; delete at[key[oldest]]; delete key[oldest]
			}
			used += size; of[id] = size
		}
		at[id] = n; key[n] = id }
		END { printf "%d %.4f %.4f\n", n, misses / n, missed / bytes }' > got
	[ "$(cat got)" = '949 0.5469 0.5949' ]
	need fio
	need jq
	trace-export -T fio "$f" > log
	[ "$(replayed --read_iolog=log --replay_no_stall=1)" = '[183,302592,766,2268160]' ]
}

@test "blkparse prints each request where awk finds it" {
	need blkparse
	awk -F, '{ printf "8,%d %.9f Q %s %d %d\n", $1 * 16, $5, toupper($4), $2, ($3 + 511) / 512 }' \
		"$FIX/spc/Financial1-head.spc" > want
	trace-export -T blktrace "$FIX/spc/Financial1-head.spc" > x.blktrace.0
	blkparse -q -i x | awk '$6 == "Q" { print $1, $4, $6, $7, $8, $10 }' | same want -
}

@test "btt finds the latencies that are there, and D and C stand in order of time" {
	need btt
	printf '%s\t0\t%s\t%s\t4096\t%s\n' 0.000 R 0 0.000350 0.001 W 100 - 0.002 R 8192 0.001200 \
		0.0025 W 40960 0.000900 > events
	trace-export -T blktrace --addr-unit 1 --actions QDC events > x.blktrace.0 2> /dev/null
	blkparse -q -i x | awk 'NF > 8 && $2 == 0 { print $4, $6 }' > order
	[ "$(wc -l < order)" = 10 ]
	sort -c -s -n -k 1,1 order
	[ "$(tail -n 1 order)" = '0.003400000 C' ]
	blkparse -i x -d x.bin -O > /dev/null
	# The least, the mean, the greatest, and how many: 0.00035, 0.0009, 0.0012.
	[ "$(btt -i x.bin | awk '$1 == "D2C" { print $2, $3, $4, $5; exit }')" = '0.000350000 0.000816667 0.001200000 3' ]
}

@test "sqlite sums what it imports to what the decoder shows" {
	need sqlite3
	f=$FIX/runs/solver.meta
	trace-export -T csv "$f" > x.csv
	trace-export -T tsv "$f" > x.tsv
	sum="select event, count(*), sum(size), sum(cast(replace(dur, '.', '') as integer)) from t group by 1 order by 1"
	dumpi2txt "$f" | awk -F'\t' '{ n[$3]++; size[$3] += $5; sub(/\./, "", $6); dur[$3] += $6 }
		END { for (e in n) print e "|" n[e] "|" (size[e] ? size[e] : "") "|" dur[e] }' | sort > want
	[ "$(wc -l < want)" -ge 6 ]
	sqlite3 :memory: '.import --csv x.csv t' "$sum" | sed 's/|0|\([0-9]*\)$/||\1/; s/|0\.0|/||/; s/\.0|/|/' | same want -
	sqlite3 :memory: '.mode tabs' '.import x.tsv t' '.mode list' "$sum" |
		sed 's/|0|\([0-9]*\)$/||\1/; s/|0\.0|/||/; s/\.0|/|/' | same want -
}

@test "jq reads every line, and integers that it would ruin are strings" {
	need jq
	for f in dumpi/every-call-0000.bin laplace/merged-head.ref charisma/cm5.chr spc/WebSearch2-first10.spc; do
		trace-export -T jsonl "$FIX/$f" | jq -r '[.event, .loc // "-"] | @tsv' > got
		trace-filter -F event,loc 'event?' "$FIX/$f" | same got -
	done
	printf '1.0\t-\tR\t-\t-\t-\tx=18446744073709551615\ty=9007199254740993\tz=9007199254740992\n' > big
	[ "$(trace-export -T jsonl big | jq -c '[.x, .y, .z]')" = '["18446744073709551615","9007199254740993",9007199254740992]' ]
}

@test "python's csv and json modules read the values of the stream back" {
	need python3
	printf '1.0\ta\\x20b\tR\t5\t-\t-\tq=a"b,\\x0a\\x0dc\tr=""\ts=\\x5c\tt=-\\x20\n2.0\t-\tW\t-\t7\t-\tr=x\tu=\\x09\n' > events
	trace-export -T csv events > x.csv
	trace-export -T jsonl events > x.jsonl
	python3 - <<-'END' > got
		import csv, json
		want = [dict(time='1.000000000', loc='a b', event='R', addr='5', q='a"b,\n\rc', r='', s='\\', t='- '),
		        dict(time='2.000000000', event='W', size='7', r='x', u='\t')]
		rows = list(csv.DictReader(open('x.csv', newline='')))
		assert [{k: v for k, v in r.items() if v or want[i].get(k) == ''} for i, r in enumerate(rows)] == want, rows
		rows = [json.loads(line, parse_float=str, parse_int=str) for line in open('x.jsonl')]
		assert rows == want, rows
		print('same')
	END
	[ "$(cat got)" = same ]
}

@test "MQSim's, DiskSim's, libCacheSim's and Dinero's lines are those that awk makes" {
	f=$FIX/spc/Financial1-head.spc
	awk -F, '{ printf "%.0f %d %d %d %d\n", $5 * 1e9, $1, $2, ($3 + 511) / 512, tolower($4) == "r" }' "$f" > want
	trace-export -T mqsim "$f" | same want -
	awk -F, '{ printf "%.6f %d %d %d %d\n", $5 * 1e3, $1, $2, ($3 + 511) / 512, tolower($4) == "r" }' "$f" > want
	trace-export -T disksim "$f" | same want -
	awk -F, 'BEGIN { print "time,op,loc,obj,size" }
		{ printf "%.9f,%s,%d,%d:%d,%d\n", $5, tolower($4) == "r" ? "read" : "write", $1, $1, $2, $3 }' "$f" > want
	trace-export -T libcachesim "$f" | same want -
	laplace-bin2txt "$FIX/laplace/merged-head.ref" | awk '{ print index("rwi", $1) - 1, $5 }' > want
	trace-export -T din "$FIX/laplace/merged-head.ref" 2> /dev/null | same want -
}

@test "oracle: the next access of each request, where one reading has no room for all objects" {
	# More than 400,000 objects; some are accessed again soon, some late, some never.
	awk 'BEGIN { for (i = 0; i < 600000; i++) {
		a = i % 3 == 0 ? i % 90001 : i
		printf "%d,%d,512,r,%d.0\n", a % 3, a, i / 1000 } }' > x.spc
	trace-export -T oracle x.spc > o
	[ "$(wc -c < o)" = 14400000 ]
	od -A n -v -t u4 -w24 o | awk '{ print $2, $3 / 256, $5 == 4294967295 ? -1 : $5 }' > got # counted from 1
	awk -F, '{ key[NR - 1] = $2 " " $1 } END {
		for (i = NR - 1; i >= 0; i--) { next_one[i] = key[i] in at ? at[key[i]] : -1; at[key[i]] = i + 1 }
		for (i = 0; i < NR; i++) print key[i], next_one[i] }' x.spc > want
	[ "$(cut -d ' ' -f 3 want | grep -vc -- -1)" -gt 100000 ]
	[ "$(cut -d ' ' -f 1,2 want | sort -u | wc -l)" -gt 400000 ]
	same want got
	# The same with tables that have no room for a part of the objects, as a billion of them would need.
	need_native
	sed 's/(1u << 19)/(1u << 11)/; s/size = 1024/size = 256/' "$ROOT/cmd/trace-export/oracle.c" > oracle.c
	[ "$(cmp -l oracle.c "$ROOT/cmd/trace-export/oracle.c" 2>&1 | wc -l)" -gt 0 ]
	cc -std=c11 -D_POSIX_C_SOURCE=200809L -O1 -I"$ROOT/common" -I"$ROOT/cmd/lib" -I"$ROOT/cmd" -o small "$ROOT/cmd/trace-export/trace-export.c" oracle.c \
		"$ROOT/build/libcmd.a" "$ROOT/build/libspoor.a" -pthread -lm
	./small -T oracle x.spc | cmp - o
}

@test "each target writes the same of an event, native, as text and as binary" {
	cat > forms.sh <<-'END'
		for f in "$@"; do
			trace-filter -tH 'event?' "$f" > t 2> err
			trace-filter -b 'event?' "$f" > b 2> err
			[ -s b ] || { echo "no events: $f"; continue; }
			for t in $(trace-export --list | sed '1d;/^ctf/d;/^paraver/d' | cut -f 1) 'csv --fields time,end,loc1,x=size/3'; do
				# Of the trace itself, but not of its stream, these make states.
				case $t$f in perfetto*tasks | chrome*tasks) continue ;; esac
				# A text stream does not say what is a list.
				forms='t b'
				case $t$f in parquet*.bin | parquet*.chr | arrow*.bin | arrow*.chr) forms=b ;; esac
				trace-export -T $t "$f" > 1 2> err
				s=$?
				for other in $forms; do
					cat $other | trace-export -T $t > 2 2> err
					[ $s = $? ] || echo "status: $t $f $other"
					cmp 1 2 || echo "$t $f $other"
				done
			done
		done
	END
	sh forms.sh "$FIX"/dumpi/every-call-0000.bin "$FIX"/laplace/merged-head.ref "$FIX"/laplace/seed.kern \
		"$FIX"/charisma/cm5.chr "$FIX"/spc/Financial1-head.spc "$FIX"/runs/tasks > said 2>&1
	same said /dev/null
}

@test "broken input: each target writes the whole events, status 2; never a crash" {
	cat > broken.sh <<-'END'
		for t in $(trace-export --list | sed '1d;/^ctf/d;/^paraver/d' | cut -f 1); do
			head -n 20 "$1" > good
			{ cat good; echo '1,x,512,r,9.0'; } > bad
			trace-export -T $t good > want 2> err || echo "$t: status of what is good"
			trace-export -T $t bad > got 2> err
			[ $? = 2 ] || echo "$t: status"
			cmp want got || echo "$t"
			for at in 1 9 30 77 200 1000; do
				head -c $at "$2" | trace-export -T $t > got 2> err
				[ $? -le 2 ] || echo "$t: cut at $at"
			done
		done
	END
	sh broken.sh "$FIX/spc/Financial1-head.spc" "$FIX/charisma/cm5.chr" > said 2>&1
	same said /dev/null
}

@test "the page has the targets of --list, with what they carry and which options they take" {
	trace-export --list | sed 1d | cut -f 1-3 > want
	[ "$(wc -l < want)" -ge 10 ]
	sed -n 's/^\.It Cm \([a-z]*\) Ta \([a-z,]*\) Ta \([a-z0-9,-]*\)$/\1\t\2\t\3/p' "$ROOT/man/trace-export.1" | same want -
}

@test "whatever the bytes are: no target crashes, and what is written with status 0 is good" {
	need_native
	sanitized build/asan/fuzz_export || { [ $? = 1 ] && skip "no compiler with sanitizers, or make quick"; }
	export ASAN_OPTIONS=detect_leaks=0
	sh "$ROOT/tests/fuzz/seeds.sh" export "$PWD/seeds/export"
	"$ROOT/build/asan/fuzz_export" seeds/export/*
	# The same traces by every target, and what becomes of them.
	for f in "$ROOT"/tests/fuzz/corpus/export/*; do
		for target in a b c d e f g h i j k l m n o p; do
			{ printf %s "$target"; tail -c +2 "$f"; } > "${f##*/}.$target"
		done
	done
	"$ROOT/build/asan/fuzz_export" ./*.[a-p]
	"$ROOT/build/asan/fuzz_export" -m requests.* paraver.o ctf.n chrome.a
}
