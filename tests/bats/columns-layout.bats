#!/usr/bin/env bats
# columns-layout.bats - lines of text in columns, as -O columns= describes them.

load ../helpers

PRESETS='alibaba biosnoop biosnoop-clock blkparse blkparse-q blkparse-d blkparse-c cloudphysics dxt dxt-mpi fio-bw fio-iops fio-log fio-log-old fiu ftrace iolog iolog-2 ltrace metacdn metakv metakv-2022 msr
oracle perf recorder strace systor tencent thesios twitter'

@test "each preset reads its published form as a reader in another language does, in every way" {
	command -v python3 > /dev/null || skip "no python3"
	for kind in $PRESETS quoted; do
		layout=$kind
		[ "$kind" != quoted ] || layout='time=$1:iso loc=$2/$3 event=$4 addr=$5 note=$6'
		for seed in 1 3; do
			python3 "$ROOT/tests/oracle/columns.py" "$kind" $seed 1500 in want
			[ "$(wc -l < want)" -gt 200 ]
			for simd in slow plain sse2 ''; do
				status_is 0 trace-filter --tune simd=$simd -A -O columns="$layout" -o got 'event?' in
				same got want
			done
		done
	done
}

@test "excerpts: events, metadata, and how many lines are none; every preset has one" {
	for want in "$ROOT"/tests/columns/*.txt; do
		name=$(basename "$want" .txt)
		status_is 0 trace-filter -H -O columns="$name" -o got 'event?' "${want%.txt}.in"
		same got "$want"
		[[ $name =~ ^(blkparse|blkparse-[a-z0-9]*|bpftrace|chrome|dftracer|dxt|din|drmemtrace|dxt-mpi|ftrace|lackey|log4j|ltrace|metakv-2022|perf|pinatrace|ramulator|sacct|strace)$ ]] || [ -z "$stderr" ]
		[ "$name" != blkparse ] || has "$stderr" '.*: 6 lines held no event$'
	done
	trace-filter -O columns=list | cut -f1 | sort > a
	for f in "$ROOT"/tests/columns/*.in; do basename "$f" .in; done | sort | same a -
	man=$(sed -n '/^\.Ss Presets/,/^\.Sh/s/^\.It Cm //p' "$ROOT/man/columns-layout.5" | tr -d ' ' | tr , '\n' | sort)
	[ "$man" = "$(cat a)" ]
}

@test "presets of logs, memory and disks: another reading of each sample, in every way" {
	command -v python3 > /dev/null || skip "no python3"
	for name in sacct jmeter nsys log4j lackey din disksim mqsim ramulator dramsim pinatrace drmemtrace prospero vscsi vscsi-2; do
		in=$ROOT/tests/columns/$name.in
		# The sample, and lines that repeat often enough for the quick ways.
		if [[ $name == vscsi* ]]; then cat "$in" "$in" "$in" > many; else { cat "$in"; for i in $(seq 60); do sed 1d "$in"; done; } > many; fi
		for file in "$in" many; do
			python3 "$ROOT/tests/oracle/presets.py" $name < "$file" > want
			[ "$(wc -l < want)" -ge 5 ]
			for simd in slow plain sse2 ''; do
				status_is 0 trace-filter --tune simd=$simd -A -O columns=$name -o got 'event?' "$file"
				cut -f 1-6 got | same want -
			done
		done
	done
}

@test "din: all commands of both forms, with sizes of the extended form alone" {
	command -v python3 > /dev/null || skip "no python3"
	printf '%s\n' '0 1fc0' '1 0x1fc8' '2 1fd0 4' '3 1fd8 10' '4 1fe0' '5 1fe8 r' 'r 1ff0 10' 'W 0X1ff8 0x1F' 'i 2000 a it' 'm 2008 1' 'C 2010 40' 'v 2018 ff' > in
	status_is 0 trace-filter -O columns=din -o got 'event?' in
	python3 "$ROOT/tests/oracle/presets.py" din < in > want
	same got want
	printf '0 1fc0\n6 1fc8\nr 1fd0 1g\nw 1fd8\n' > in
	status_is 2 trace-filter -O columns=din 'event?' in
	has "$stderr" 'in:2: column 1 \(event\): "6": '
	has "$stderr" 'in:3: column 3 \(size\): "1g": '
}

@test "what trace-export writes for simulators is read as it was" {
	# Sizes of whole blocks; din has an address alone.
	trace-filter 'size % 512 = 0' "$FIX/spc/Financial1-head.spc" | cut -f 1-5 > want
	[ "$(wc -l < want)" -gt 100 ]
	for name in disksim mqsim; do
		trace-export -T $name -e 'size % 512 = 0' -o out "$FIX/spc/Financial1-head.spc"
		status_is 0 trace-filter -O columns=$name -o got 'event?' out
		cut -f 1-5 got | same want -
	done
	printf '%s\n' 1.5,R,4096,8 2.5,W,8192,4 3.5,I,12345678901234,4 > in
	trace-export -O columns='time=$1 event=$2 addr=$3 size=$4' -T din -o out in
	status_is 0 trace-filter -O columns=din -F event,addr 'event?' out
	[ "$output" = $'R\t0x1000\nW\t0x2000\nI\t0xb3a73ce2ff2' ]
}

@test "lackey: as many instructions as Valgrind counts, and its loads and stores by awk" {
	command -v valgrind > /dev/null || skip "no valgrind"
	valgrind --tool=lackey --trace-mem=yes --log-file=log true 2> /dev/null || skip "valgrind does not run here"
	awk '/^(I | [LSM]) +[0-9a-f]+,[0-9]+$/ { split($2, part, ","); n[$1]++; size[$1] += part[2] }
		END { print "I", n["I"], size["I"]; print "M", n["M"], size["M"]; print "R", n["L"], size["L"]; print "W", n["S"], size["S"] }' log > want
	status_is 0 trace-stats --no-header -g event -a 'count,sum(size)' log
	[ "$output" = "$(tr ' ' '\t' < want)" ]
	[ "$(sed -n 's/.*guest instrs: *\([0-9,]*\)$/\1/p' log | tr -d ,)" = "$(awk '/^I/ { print $2 }' want)" ]
}

@test "a preset does without the columns that it does not need, and with its columns in any order" {
	printf 'State|End|JobID|Start\nCOMPLETED|2026-11-02T08:00:02|7|2026-11-02T08:00:00\n' > x
	status_is 0 trace-filter -A 'event?' x
	[ "$output" = $'1793606400.000000000\t-/-\tCOMPLETED\t-\t-\t2.000000000\tjob=7\tstart=2026-11-02T08:00:00' ]
	printf 'timeStamp,label,elapsed\n1700000000123,a,52\n' > x
	status_is 0 trace-filter -A 'event?' x
	[ "$output" = $'1700000000.123000000\t-\ta\t-\t-\t0.052000000' ]
	# A description does without it, too, and says so. No preset does without a column that it needs.
	printf 'State|JobID\nCOMPLETED|7\n' > y
	status_is 2 trace-filter 'event?' y
	has "$stderr" 'no known format'
	status_is 2 trace-filter -O columns=sacct 'event?' y
	has "$stderr" 'the first line has no column "Start"'
	printf 'timeStamp,label\n1700000000123,a\n' > x
	status_is 0 trace-filter -O columns='time=$timeStamp*ms event=$label size=$bytes?' 'event?' x
	[ "$output" = $'1700000000.123000000\t-\ta\t-\t-\t-' ]
	[ "$stderr" = 'trace-filter: x: the first line has no column "bytes"; its value is absent' ]
	status_is 2 trace-filter -O columns='time=$timeStamp*ms event=$label size=$bytes' 'event?' x
	has "$stderr" 'the first line has no column "bytes"$'
}

@test "what a preset is for is read without the option, and nothing else; the page says which" {
	sure=$(sed -n 's/^+ \([a-z0-9-]*\).*/\1/p' "$ROOT/man/columns-layout.5")
	[ "$(wc -w <<<"$sure")" -gt 15 ]
	for in in "$ROOT"/tests/columns/*.in; do
		name=$(basename "$in" .in)
		cp "$in" x
		case $name in
		oracle) mv x x.oracleGeneral.bin ;;
		vscsi*) mv x x.vscsi ;;
		esac
		status=0
		output=$(trace-filter -H 'event?' x* 2> err) || status=$?
		stderr=$(cat err)
		if grep -qx "$name" <<<"$sure"; then
			[ "$status" = 0 ]
			[ "$output" = "$(cat "${in%.in}.txt")" ]
		else
			[ "$status" = 2 ]
			has "$stderr" "its lines fit .*-O columns=${name}[ )]"
		fi
		rm x*
	done
	for f in "$FIX"/*/*.txt "$ROOT"/README.md "$ROOT"/man/*.1 "$ROOT"/tests/bats/*.bats; do
		trace-filter -c 'event?' "$f" 2> err > out || continue
		grep -q '^##spoor' "$f" || [[ $f == "$FIX"/* ]] || { echo "$f: $(cat out)"; false; }
	done
}

# strace_same FILE: events by another reading of its lines; calls, errors and sums as strace -C -w counts them at its end
strace_same() {
	status_is 0 trace-filter -A -O columns=strace -o got 'event?' "$1"
	python3 "$ROOT/tests/oracle/strace.py" < "$1" > want
	[ "$(wc -l < want)" -gt 200 ]
	same want got
	awk '/^% time/ { on = 1; next } on && $NF != "total" && /[a-z]$/ { print $NF, $4, NF == 6 ? $5 : 0, $2 }' "$1" | sort > want
	[ "$(wc -l < want)" -gt 20 ]
	trace-stats -O columns=strace -g event -a 'count(dur),count(error),sum(dur)' "$1" |
		awk 'NR > 1 && $2 { print $1, $2, $3, $4 }' | sort | join - want |
		awk '{ d = $4 - $7; if ($2 != $5 || $3 != $6 || d * d > (2e-6 * $2 + $7 / 1000) ^ 2) print; n++ } END { print n }' > got
	[ "$(cat got)" = "$(wc -l < want)" ]
}

@test "strace, to a file and to the terminal: programs that run at once, write to the terminal, end and are killed" {
	command -v strace > /dev/null || skip "no strace"
	command -v python3 > /dev/null || skip "no python3"
	strace -f -C -w -o log true 2> /dev/null || skip "strace cannot trace here"
	cat > run.sh <<-'END'
		(sleep 0.02; cat /etc/passwd) & ls / | sort | head -3
		ls /nonexistent; printf 'no newline' >&2; printf '12 words\n' >&2
		(echo a >&2; sh -c 'kill -9 $$') & (sleep 0.01; echo b >&2; sh -c 'exit 3') &
		wait
		for i in 1 2 3; do (printf "$i\nx\ny" >&2) & done
		dd if=/dev/zero of=/dev/null count=2
		exec sh -c 'sleep 0.03 & true'
	END
	for i in 1 2 3; do
		strace -f -C -w -ttt -T -o log sh run.sh > /dev/null 2>&1
		strace_same log
		strace -f -C -w -ttt -T sh run.sh > /dev/null 2> log
		grep -q attached log
		strace_same log
	done
	strace -ff -ttt -T -o each sh run.sh > /dev/null 2>&1
	[ "$(find . -name 'each.*' | wc -l)" -gt 10 ]
	cat each.* > log
	trace-stats -a 'count,sum(size),sum(dur)' -O columns=strace each.* 2> /dev/null > got
	python3 "$ROOT/tests/oracle/strace.py" < log | trace-stats -a 'count,sum(size),sum(dur)' | same got -
}

@test "ltrace: calls and their sums, by awk" {
	command -v ltrace > /dev/null || skip "no ltrace"
	ltrace -f -S -ttt -T -o log sh -c 'ls / | sort & (sleep 0.01; echo b) & wait' > /dev/null 2>&1 || skip "ltrace cannot trace here"
	[ "$(wc -l < log)" -gt 500 ] || skip "ltrace traces nothing here"
	status_is 0 trace-stats -O columns=ltrace -g event -a 'count(dur),sum(dur)' log
	awk '!/<[0-9.]+>$/ || / resumed> \) += 0 / && /(fork|clone[0-9]*) resumed/ { next }
		{ name = $3 == "<..." ? $4 : $3; sub(/\(.*/, "", name); sub(/.*</, ""); n[name]++; us[name] += substr($0, 1, index($0, ">") - 1) }
		END { for (name in n) printf "%s\t%d\t%.9f\n", name, n[name], us[name] }' log | LC_ALL=C sort > want
	awk 'NR > 1 && $2' <<<"$output" | LC_ALL=C sort | same want -
}

@test "blkparse-q, -d and -c are the requests of the trace that it prints; -d2c last what btt says" {
	command -v blkparse > /dev/null || skip "no blkparse"
	command -v btt > /dev/null || skip "no btt"
	command -v python3 > /dev/null || skip "no python3"
	# 3 disks; no two requests of a sector at once, which btt takes for one
	awk 'BEGIN { for (i = 0; i < 4000; i++) {
		printf "%.0f,h,%d,%s,%d,%d,%d\n", 128166372003061630 + i * 20000, i % 3, i * 7919 % 5 < 2 ? "Read" : "Write",
			i * i * 31 % 311 * 4096, (i * 13 % 7 + 1) * 512, 100 + i * 7919 % 900 * 10 } }' > in.csv
	trace-export -O columns='msr loc=disk:$3' -T blktrace --actions QDC -o x.blktrace.0 in.csv
	blkparse -q -i x -d x.bin > x.txt
	[ "$(grep -c '^ *8,' x.txt)" = 12000 ]
	cat > lru.py <<-'END'
		import sys
		lru, misses, n, size = [], 0, {}, {}
		for line in sys.stdin:
		    f = line.split()
		    if len(f) < 10 or f[5] != sys.argv[1]: continue
		    op, at, sectors = f[6][0], int(f[7]), int(f[9])
		    n[op] = n.get(op, 0) + 1
		    size[op] = size.get(op, 0) + sectors * 512
		    key = f[0], at
		    if key in lru: lru.remove(key)
		    else: misses += 1
		    lru.append(key)
		    if len(lru) > 64: lru.pop(0)
		for op in sorted(n): print(op, n[op], size[op], sep="\t")
		print(misses)
	END
	trace-stats -O columns=msr -g event -a 'count,sum(size)' in.csv > csv
	for p in q d c; do
		python3 lru.py ${p^} < x.txt > want
		status_is 0 trace-stats -O columns=blkparse-$p -g event -a 'count,sum(size)' x.txt
		[ "$output" = "$(cat csv)" ]
		[ "$(sed 1d csv)" = "$(head -2 want)" ]
		status_is 0 trace-reuse -O columns=blkparse-$p --at 64 x.txt
		[ "$(tail -1 <<<"$output" | cut -f 2)" = "$(tail -1 want)" ]
	done
	trace-filter -b -O columns=blkparse-d2c -o pairs 'event?' x.txt 2> /dev/null
	trace-stats -g event -a 'count,sum(size),sum(dur)' pairs > got
	trace-stats -O columns=msr -g event -a 'count,sum(size),sum(dur)' in.csv | same got -
	btt -i x.bin | awk '$1 == "D2C" && NF == 5 && !n++ { printf "%.9f %.9f %d\n", $2, $4, $5 }' > want
	trace-stats -a 'min(dur),max(dur),count(dur)' pairs | sed 1d | tr '\t' ' ' | same want -
	btt -i x.bin | awk '$1 == "D2C" && NF == 5 && !n++ { print $3 }' > want
	trace-stats -a 'mean(dur)' pairs | awk -v want="$(cat want)" 'NR == 2 && ($1 - want) ^ 2 < 4e-18 { ok = 1 } END { exit !ok }'
}

@test "a log of fio under the name of another kind is refused, by the option for it" {
	printf '0, 27260, 1, 4096, 0\n' > seq_bw.1.log
	for name in a_iops.log a_clat.2.log; do cp seq_bw.1.log $name; done
	refused() { # PRESET FILE OTHER
		status_is 2 trace-filter -O columns="$1" 'event?' "$2"
		[ "$stderr" = "trace-filter: $2: its name is that of another log: -O columns=$3" ]
		[ ! "$output" ]
	}
	refused fio-log seq_bw.1.log fio-bw
	refused fio-log-old a_iops.log fio-iops
	refused fio-iops a_clat.2.log fio-log
	status_is 0 trace-filter -O columns=fio-log-old 'event?' a_clat.2.log
	status_is 0 trace-filter -O columns=fio-log 'event?' - < seq_bw.1.log
	status_is 0 trace-filter -O columns='time=$1 event=e' 'event?' seq_bw.1.log
}

@test "the same requests as SPC give the same events" {
	for f in "$FIX/spc/Financial1-head.spc" "$FIX/spc/WebSearch2-first10.spc"; do
		spc-cat "$f" > want
		trace-filter -O columns='loc=asu:$1 addr=$2 size=$3 event=$4{r:R,w:W,R,W} time=$5 x1=$6? block=512' 'event?' "$f" |
			same want -
		trace-stats -g asu,event -a 'count,sum(size),max(addr)' "$f" > want
		trace-stats -O columns='loc=asu:$1 addr=$2 size=$3 event=$4{r:R,w:W,R,W} time=$5' \
			-g asu,event -a 'count,sum(size),max(addr)' "$f" | same want -
	done
	[ "$(trace-convert -T spc "$FIX/spc/Financial1-head.spc")" = "$(trace-convert -T spc \
		-O columns='loc=$1 addr=$2 size=$3 event=$4{r:R,w:W} time=$5 block=512' "$FIX/spc/Financial1-head.spc" | sed 's/R/r/;s/W/w/')" ]
}

@test "parts of a file have its names and its origin; all of them are the whole" {
	{ echo 'when;who;what;how'; seq 1 5000 | awk '{ print 1000000000 + $1 * 7 ";u" $1 % 13 ";e" $1 % 3 ";" $1 }'; } > in
	layout='sep=; time=$when epoch=1970 loc=user:$who event=$what size=$how'
	trace-filter -O columns="$layout" 'event?' in > want
	[ "$(sed -n '2p' want)" = '7.000000000	u2	e2	-	2	-' ]
	for k in 1 2 3 4 5; do trace-filter --chunk $k/5 -O columns="$layout" 'event?' in; done | same want -
	trace-stats -j 1 -O columns="$layout" -g user -a 'count,sum(size),last(time)' in > want
	trace-stats -j 4 -O columns="$layout" -g user -a 'count,sum(size),last(time)' in | same want -
	[ "$(wc -l < want)" = 14 ]
}

@test "a file of a description, with comments, is the description" {
	printf '# ours\nsep=tab   time=$1*10ms # a comment\n\n  event=$2{go now:go,*:other}\nskip=#\n' > layout
	printf '#1\tx\n1\tgo now\n2\tgo\n' > in
	status_is 0 trace-filter -O columns=layout 'event?' in
	[ "$output" = $'0.010000000\t-\tgo\t-\t-\t-\n0.020000000\t-\tother\t-\t-\t-' ]
	printf 'time=$1\n\nevent=$2{\n' > layout
	status_is 2 trace-filter -O columns=layout 'event?' in
	[ "$stderr" = 'trace-filter: layout:3: "event=$2{": } is missing' ]
}

@test "parts of lines without times, and of records of bytes" {
	{ printf 'fio version 2 iolog\n/f add\n/f open\n'; seq 3000 | awk '{ print "/f read " $1 * 512 " 512" }'; } > in
	layout='sep=blank header time=line event=$2 addr=$3? size=$4?'
	trace-filter -O columns="$layout" 'event?' in > want
	[ "$(tail -1 want | cut -f 1)" = 3003.000000000 ]
	for k in 1 2 3 4 5; do trace-filter --chunk $k/5 -O columns="$layout" 'event?' in; done | same want -
	spc-cat -H "$FIX/spc/Financial1-head.spc" | trace-export -T oracle -o x.oracleGeneral.bin
	trace-filter 'event?' x.oracleGeneral.bin > want
	[ "$(wc -l < want)" = "$(spc-cat "$FIX/spc/Financial1-head.spc" | wc -l)" ]
	for k in 1 2 3 4 5; do trace-filter --chunk $k/5 'event?' x.oracleGeneral.bin; done | same want -
	trace-stats -j 4 -a 'count,sum(size),max(addr)' x.oracleGeneral.bin > want
	od -An -v -w24 -t u4 x.oracleGeneral.bin | awk '{ n++; s += $4; a = $2 + $3 * 4294967296; m = a > m ? a : m } END { printf "#count\tsum(size)\tmax(addr)\n%d\t%.0f\t%.0f\n", n, s, m }' | same want -
}

@test "long lines, many columns, many names" {
	head -c 300000 /dev/zero | tr '\0' '/' > slashes
	{ printf '1,a,'; cat slashes; printf ',5\n2,b,c,6\n'; seq -s, 1 2000; } > in
	status_is 0 trace-filter -O columns='time=$1 event=$2 loc=$3/$4 size=$4' -o got 'event?' in
	[ "$(wc -l < got)" = 3 ]
	[ "$(head -n 1 got | wc -c)" -gt 1200000 ]
	status_is 2 trace-filter -O columns='time=$1 event=$2 size=$-1' 'event?' in
	has "$stderr" 'in:3: more than 1023 columns'
	seq 1 100000 | awk '{ print $1 ",dev" $1 * 7919 % 50021 "," $1 }' > in
	trace-filter -O columns='time=$1 loc=$2 event=R size=$3' 'event?' in |
		awk -F'\t' '$2 != "dev" $5 * 7919 % 50021 || $1 + 0 != $5 { bad = 1 } END { print NR, bad + 0 }' | same <(echo 100000 0) -
}

@test "random descriptions and lines: the quick ways give what the slow one gives" {
	command -v python3 > /dev/null || skip "no python3"
	need_native
	status_is 0 python3 "$ROOT/tests/oracle/columns_ways.py" "$BIN" 60 "$RANDOM"
	has "$output" '^60 descriptions, [0-9]{5,} bytes: the same in all ways$'
}

@test "the members of a tar archive are read one after the other; compressed ones, and a pipe, as the message says" {
	command -v tar > /dev/null || skip "no tar"
	printf '3,R,0,4096,1577808000000626\n' > io.csv
	printf '4,W,0,512,1577808000000700\n' > io2.csv
	want=$'0.000000000\t3\tR\t0\t4096\t-\n0.000074000\t4\tW\t0\t512\t-'
	for how in .tar .tgz:-z .tar.gz:-z .tar.bz2:-j .tar.xz:-J .tar.zst:--zstd; do
		# shellcheck disable=SC2086  # an option, or none
		tar -c ${how#.*[a-z0-9]:} -f "a${how%%:*}" io.csv io2.csv 2> /dev/null || { [ "$how" = .tar ] && tar cf a.tar io.csv io2.csv; } || continue
		status_is 0 trace-filter 'event?' "a${how%%:*}"
		[ "$output" = "$want" ]
		[ -z "$stderr" ]
	done
	# Half of one is what is there, and a fault.
	seq 20000 | awk '{ printf "%d,R,%d,4096,15778080%08d\n", $1 % 7, $1 * 7919, $1 }' > big.csv
	tar czf big.tgz big.csv
	for n in 5000 20000 40000 60000 80000; do
		head -c $n big.tgz > cut.tgz
		status_is 2 trace-filter -c 'event?' cut.tgz
		has "$stderr" '^trace-filter: cut.tgz: offset [0-9]*: read: '
		whole=$(tar -xzOf- < cut.tgz 2> /dev/null | wc -l)
		[ "$whole" -gt 100 ]
		[ "$output" = "$whole" ]
	done
	# A pipe has no name.
	status_is 2 trace-filter 'event?' - < a.tar
	has "$stderr" 'this is a tar archive: tar -xOf FILE MEMBER [|] \.\.\.$'
	gzip io.csv
	tar cf b.tar io.csv.gz
	status_is 2 trace-filter 'event?' b.tar
	has "$stderr" 'its members are compressed by gzip: tar -xOf FILE MEMBER [|] \.\.\.$'
	[ "$(tar -xOf b.tar io.csv.gz | trace-filter 'event?')" = "${want%%$'\n'*}" ]
}
