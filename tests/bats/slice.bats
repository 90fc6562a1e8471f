#!/usr/bin/env bats
# slice.bats - --from and --to: what they leave is what an expression over time selects, and what awk does;
# and of a large file in order no more is read than has to be.

load ../helpers

# stretches < times: pairs of times, a line each: around the first and the last one, quantiles, equal ones.
stretches() {
	sort -n | uniq | awk '{ t[NR] = $1 }
		END {
			if (!NR) exit
			print t[1], t[NR]; print t[int(NR / 4) + 1], t[int(NR / 2) + 1]; print t[int(NR / 3) + 1], t[int(NR / 3) + 1]
			print t[NR], 99999999999; print 0, t[1]; print t[int(NR * .6) + 1], t[int(NR * .9) + 1]; print 99999999998, 99999999999
		}'
}

# sliced FILE OPTION...: over some stretches both ways select the same, in text and in number.
sliced() {
	local f=$1 n=0 got
	shift
	trace-filter "$@" 'event?' "$f" 2> /dev/null | cut -f 1 > all.times || :
	while read -r from to; do
		got=0
		trace-filter -tH "$@" "time >= $from and time < $to" "$f" > want 2> want.err || got=$?
		n=$((n + 1))
		[ "$got" != 2 ] || continue # broken inputs are for failure.bats
		status_is "$got" trace-filter -tH -o got "$@" --from "$from" --to "$to" 'event?' "$f"
		[ "$got" != 0 ] || same want got
		trace-filter -c "$@" --from "$from" "time < $to" "$f" > got.n || :
		[ "$(cat got.n)" = "$(trace-filter -c "$@" "time >= $from and time < $to" "$f")" ]
	done < <(stretches < all.times)
	[ "$n" -gt 0 ]
}

@test "all fixtures: the same as an expression" {
	for f in "$FIX"/*/*; do
		case $f in *.md | *.txt | */three.* | */readme/*) continue ;; esac
		echo "$f"
		sliced "$f"
	done
	trace-merge -b "$FIX/runs/tasks" > b
	sliced b
	trace-merge --from 0.0005 --to 0.0015 "$FIX/runs/tasks" | same <(trace-filter -t --from 0.0005 --to 0.0015 '*' b) -
	trace-filter -b 'event?' "$FIX/spc/Financial1-head.spc" > b
	sliced b
	trace-filter -tH 'event?' "$FIX/laplace/seed.kern" > t
	sliced t
	sliced "$FIX/laplace/merged-head.ref" --hz 1000
}

@test "every program takes them, and a program that counts or draws sees no other events" {
	f=$FIX/spc/Financial1-head.spc
	spc-cat --from 10ms --to 1.5s "$f" > some
	[ "$(wc -l < some)" -gt 1 ]
	for command in 'trace-stats -g event -a count,sum(size),max(gap)' 'trace-derive x=nth' 'trace-plot rate' 'trace-export -T csv'; do
		# Options stand before the operands.
		op=${command#* }
		case $op in -*) op= ;; esac
		${command%" $op"} --from 10ms --to 1.5s $op "$f" > got || :
		$command some > want || :
		# A decoded stream has no names of parts of loc, and no metadata.
		case $command in trace-plot*) [ -s got ] ;; *) same want got ;; esac
	done
	dumpi2txt --from 0 --to 1ms "$FIX/runs/solver.meta" > got
	dumpi2txt "$FIX/runs/solver.meta" | awk '$1 < .001' | same - got
	trace-merge --from 10ms --to 20ms "$f" "$f" > got
	trace-merge "$f" "$f" | awk '$1 >= .01 && $1 < .02' | same - got
}

@test "pictures and reports: the same as of an expression, of states too; and of dates" {
	for input in spc/Financial1-head.spc:1:2.5 ovni/all.obs:1e-6:0.5 runs/tasks:0.0001:0.002 runs/solver.meta:0.0001:0.002 charisma/cm5.chr:0:0.001; do
		IFS=: read -r f from to <<< "$input"
		for kind in rate heat hist timeline; do
			trace-plot $kind --bins --from "$from" --to "$to" "$FIX/$f" > got 2> /dev/null || :
			trace-plot $kind --bins -e "time >= $from and time < $to" "$FIX/$f" 2> /dev/null | same got -
		done
		# But for the commands, which are as they were typed.
		trace-report --from "$from" --to "$to" "$FIX/$f" 2> /dev/null | grep -v '<code>trace-' > got || :
		trace-report -e "time >= $from and time < $to" "$FIX/$f" 2> /dev/null | grep -v '<code>trace-' | same got -
	done
	large
	trace-plot rate --bins -O columns=msr --from 2007-02-22T17:00:03 a.csv > got
	trace-plot rate --bins -O columns=msr -e 'time >= 2.6938371' a.csv | same got -
	has "$(trace-report --terminal -O columns=msr --from 2007-02-22T17:00:03 a.csv)" 'only time >= 2007-02-22T17:00:03'
}

# Traces of 40,000 events and more, with many equal times. The first test makes them for all.
large() {
	local made=$BATS_FILE_TMPDIR/large
	[ -d "$made" ] || {
		rm -rf "$made.new" && mkdir "$made.new"
		(cd "$made.new" && make_large)
		mv "$made.new" "$made"
	}
	cp "$made"/* .
}
make_large() {
	awk 'BEGIN {
		srand(3)
		for (i = 0; i < 120000; i++) {
			if (rand() < .4) t += int(rand() * 9) * 250
			if (i % 30000 == 29999) t += 5000000
			printf "%d,%d,%d,%s,%d.%06d\n", i % 4, i * 8, 512 * (1 + i % 9), i % 3 ? "r" : "W", int(t / 1e6), t % 1e6 > "a.spc"
			printf "%.0f,host,%d,%s,%d,%d,%d\n", 128166372003061629 + t * 10, i % 3, i % 2 ? "Read" : "Write", i * 512, 4096, 100 + i % 50 > "a.csv"
			printf "r %016x %x %08x %08x\n", t, 1 + i % 8, i % 5, i * 64 > "a.reftxt"
		}
	}'
	laplace-bin2txt -r a.reftxt > a.ref
	trace-filter -b 'event?' a.spc a.spc > a.bin
	trace-derive -b 'x=nth' 'y=hash(addr)' 'z=size + 1' 'w=addr + 1' 'v=addr + 2' a.spc > b.bin
}

@test "large files: found by halves, by the index and without it, in parts, by threads" {
	large
	[ "$(tail -c 32 b.bin | head -c 5)" = 'END  ' ]
	for f in a.spc a.ref a.bin b.bin 'a.csv -O columns=msr'; do
		# shellcheck disable=SC2086
		set -- $f
		echo "$f"
		f=$1
		shift
		sliced "$f" "$@"
		for stretch in '1.5 2.25' '5 5.000001' '10.1 100' '0 7.9' '15 15.5'; do
			from=${stretch% *} to=${stretch#* }
			case $f in *.ref) from=$(awk "BEGIN { printf \"%.0f\", $from * 1e6 }") to=$(awk "BEGIN { printf \"%.0f\", $to * 1e6 }") ;; esac
			trace-filter "$@" "time >= $from and time < $to" "$f" > want || :
			trace-filter "$@" --from "$from" --to "$to" 'event?' "$f" > got || :
			same want got
			trace-filter "$@" --from "$from" --to "$to" 'event?' < "$f" > got || :
			same want got
			trace-stats "$@" -g loc -a 'count,sum(addr)' --from "$from" --to "$to" "$f" > got || :
			trace-stats --tune worth=64 "$@" -j 3 -g loc -a 'count,sum(addr)' --from "$from" --to "$to" "$f" | same got -
			trace-stats "$@" -g loc -a 'count,sum(addr)' -e "time >= $from and time < $to" "$f" | same got -
			case $f in *.bin) continue ;; esac
		done
	done
}

@test "where times go back near the slice or at a place looked at, all is read, and it is said" {
	large
	# Two events change places in the middle; one comes 40,000 lines too late, which only a reading of all sees.
	awk 'NR == 60000 { held = $0; next } { print } NR == 60002 { print held }' a.csv > near.csv
	awk 'NR == 50000 { held = $0; next } { print } NR == 90000 { print held }' a.csv > far.csv
	{ tail -n 60000 a.csv; head -n 60000 a.csv; } > turned.csv
	for f in near turned; do
		for stretch in '1.5 2.25' '5 7' '5.1 5.2' '10.1 100' '0 7.9'; do
			from=${stretch% *} to=${stretch#* }
			trace-filter -O columns=msr "time >= $from and time < $to" $f.csv > want || :
			got=0
			trace-filter -O columns=msr --from "$from" --to "$to" 'event?' $f.csv > out 2> err || got=$?
			[ "$got" = 2 ] || same want out
		done
	done
	trace-filter -c -O columns=msr 'time < 8' far.csv > want
	trace-filter -c -O columns=msr --to 8 'event?' < far.csv | same want -
	status_is 0 trace-filter -O columns=msr --from 1 --to 2 'event?' turned.csv
	has "$stderr" 'times go back: reading the whole file'
	# Of SPC's --unordered, and of logs that tell ends, all is read anyway.
	sort -R a.spc > b.spc
	trace-filter -c -O unordered 'time >= 5 and time < 6' b.spc > want
	status_is 0 trace-filter -c -O unordered --from 5 --to 6 'event?' b.spc
	same want - <<< "$output"
}

@test "standard input that begins in the middle of a file; a file that is followed" {
	large
	trace-filter -b 'event?' a.spc > a.bin
	for f in a.spc a.bin; do
		trace-filter -c 'time >= 5 and time < 6' $f > want
		{ echo 'a line that another program has read'; cat $f; } > behind
		{ read -r _; trace-filter -c --from 5 --to 6 'event?'; } < behind | same want -
		timeout 20 trace-filter -c --follow --from 5 --to 6 'event?' $f > got &
		sleep 1
		pkill -INT -P $! || : # text ends by itself behind the slice
		wait $!
		same want got
	done
	# Of what is searched nothing else is lost where it goes back.
	{ head -n 60000 a.spc; echo '0,1,512,r,0.5'; tail -n +60001 a.spc; } > back.spc
	status_is 2 spc-cat -o whole --from 5 --to 6 - < back.spc
	has "$stderr" 'back'
	[[ $stderr != *elsewhere* ]]
}

@test "dates, ticks and units" {
	large
	# Windows' ticks of 100 ns from 1601: the trace begins at 2007-02-22T17:00:00.306162900Z.
	c='trace-filter -c -O columns=msr'
	status_is 0 $c --from 2007-02-22 'event?' a.csv
	[ "$output" = 120000 ]
	status_is 1 $c --to '2007-02-22 17:00' 'event?' a.csv
	for t in 2007-02-22T17:00:05.306162900Z 2007-02-22T18:00:05.3061629+01:00 '2007-02-22 17:00:05.306162900'; do
		[ "$($c --from "$t" 'event?' a.csv)" = "$($c 'time >= 5' a.csv)" ]
	done
	[ "$($c --from 2007-02-22T17:00:03 --to 2007-02-22T17:00:04 'event?' a.csv)" = \
		"$($c 'time >= 2.6938371 and time < 3.6938371' a.csv)" ]
	[ "$(trace-filter -c --from 1500ms --to 0.05m 'event?' a.spc)" = "$(trace-filter -c 'time >= 1.5 and time < 3' a.spc)" ]
	status_is 2 trace-filter -c --from 2007-02-22 'event?' a.spc
	has "$stderr" 'a.spc: --from: times of this input do not count from a date'
	status_is 2 trace-filter -c --to 1s 'event?' a.ref
	has "$stderr" 'a.ref: --to: the clock counts ticks: a number without a unit, or --hz, is needed'
	[ "$(trace-filter -c --hz 1M --to 1s 'event?' a.ref)" = "$(trace-filter -c --hz 1M 'time < 1s' a.ref)" ]
	[ "$(trace-filter -c --from 2.5 --to 1000.5 'event?' a.ref)" = "$(trace-filter -c 'time >= 2.5 and time < 1000.5' a.ref)" ]
	for t in '' x 1kB 2007-13-01 2007-02-30 2007-02-22T25:00 1969-01-01 2007-02-22T17:00:05.; do
		status_is 2 trace-filter -c --from "$t" 'event?' a.spc
		has "$stderr" "^trace-filter: --from $t: .* \(try trace-filter --help\)"
	done
	for wrong in '-r a.reftxt' 'a.ref'; do
		# shellcheck disable=SC2086
		if [ "$wrong" = a.ref ]; then
			laplace-bin2txt --from 1000 --to 900000 a.ref > got
			trace-filter -c --from 1000 --to 900000 'event?' a.ref > want
			wc -l < got | tr -d ' ' | same want -
		else
			status_is 2 laplace-bin2txt --from 1 $wrong
			has "$stderr" 'need -t or -b'
		fi
	done
}

@test "the index of a binary stream: cut, changed, of two streams, by bytes that lie" {
	large
	size=$(stat -c %s b.bin)
	trace-filter 'time >= 5 and time < 6' b.bin > want
	# What is behind is not looked at before the end: a stream without its end is told.
	for cut in 1 32 100 5000; do
		head -c $((size - cut)) b.bin > cut.bin
		got=0
		trace-filter --from 5 --to 6 'event?' cut.bin > out 2> err || got=$?
		[ "$got" = 2 ]
		grep -v '^##' want | same - <(grep -v '^##' out)
		has "$(cat err)" 'cut off'
	done
	cat b.bin b.bin > two.bin
	trace-filter -c --from 5 --to 6 'event?' two.bin > got
	trace-filter -c 'time >= 5 and time < 6' two.bin | same - got
	# An index that lies leads to no block: told. (An entry: its end is the first of 8 bytes.)
	python3 - "$size" <<-'END' || skip "no python3"
		import os, struct, sys
		d = open('b.bin', 'rb').read()
		n = struct.unpack('<Q', d[-8:])[0]
		at = len(d) - 32 - n
		assert d[at:at + 4] == b'INDX' and struct.unpack('<I', d[at + 4:at + 8])[0] == n
		# What spoor-stream(5) says of it, from the blocks themselves.
		entries, blocks, pos, begin = [struct.unpack('<QqqQII', d[i:i + 40]) for i in range(at + 8, at + n, 40)], [], 0, 0
		while pos < at:
		    kind, size = d[pos:pos + 4], struct.unpack('<I', d[pos + 4:pos + 8])[0]
		    blocks.append((kind, pos + size) + (struct.unpack('<IIqq', d[pos + 8:pos + 32]) if kind == b'DATA' else (0, 0, None, None)))
		    pos += size
		for end, least, most, events, count, names in entries:
		    mine = [b for b in blocks if begin < b[1] <= end]
		    data = [b for b in mine if b[0] == b'DATA']
		    assert (least, most, events, count, names) == (min(b[4] for b in data), max(b[5] for b in data),
		        sum(b[2] for b in data), len(mine), len(mine) - len(data)), (end, least, most)
		    begin = end
		assert entries[-1][0] == blocks[-1][1] or all(b[0] != b'DATA' for b in blocks if b[1] > entries[-1][0])
		lie = bytearray(d)
		lie[at + 8 + 5 * 40] ^= 8
		open('lie.bin', 'wb').write(lie)
		for i in range(at, at + n, 7 if os.environ.get('SPOOR_FULL') else 19):
		    lie = bytearray(d); lie[i] ^= 0x41
		    open(f'l.{i - at}', 'wb').write(lie)
		    if i > at + 700: break
	END
	for f in lie.bin l.*; do
		got=0
		trace-filter -c --from 5 --to 6 'event?' $f > out 2> err || got=$?
		[ "$got" = 0 ] || [ "$got" = 2 ] || [ "$got" = 1 ]
	done
}

@test "of a file of 100 GB some milliseconds' worth is read" {
	command -v python3 > /dev/null || skip "no python3"
	# Lines of 16 MB, which are holes of a sparse file but for their beginnings: a text that nobody needs.
	python3 - <<-'END' || skip "no sparse files here"
		f = open('huge.spc', 'wb')
		for i in range(6250):
		    f.seek(i * 16000000)
		    f.write(b'0,%d,512,r,%d.5,' % (i, i))
		    f.seek(i * 16000000 + 15999999)
		    f.write(b'\n')
	END
	status_is 0 trace-filter -f spc -F time,addr --from 3000 --to 3002 'event?' huge.spc
	[ "$output" = $'3000.500000000\t3000\n3001.500000000\t3001' ]
	status_is 0 trace-filter -f spc -c --from 6249 'event?' huge.spc
	[ "$output" = 1 ]
	rm huge.spc
	large
	strace -o /dev/null true 2> /dev/null || skip "no strace"
	for i in 1 2 3 4 5 6 7 8; do awk -F, -v OFS=, -v i=$i '{ $5 = sprintf("%.6f", $5 + i * 100); print }' a.spc; done > long.spc
	trace-filter -b 'event?' long.spc > long.bin
	for f in long.spc long.bin; do
		strace -e trace=read,pread64 -o trace trace-filter -c --from 505 --to 506 'event?' "$f" > got
		trace-filter -c 'time >= 505 and time < 506' "$f" | same - got
		[ "$(awk '{ n += $NF } END { print n < 10000000 }' trace)" = 1 ]
		[ "$(stat -c %s "$f")" -gt 20000000 ]
	done
}

@test "several binary streams in one file: a slice is that of all their events" {
	made() { # FIRST N
		awk -v first="$1" -v n="$2" 'BEGIN { print "##spoor\t1\n##clock\tticks"
			for (i = 0; i < n; i++) printf "%d\t0\tr\t%d\t4\t-\n", first + i, i
			print "##end\tevents=" n }' | trace-filter -b 'event?' || [ $? = 1 ]
	}
	for shape in '0 200000 1000000 200000' '1000000 200000 0 200000' '0 100 50000 200000' '0 200000 50000 100' '0 0 3 90000'; do
		read -r a n b m <<< "$shape"
		{ made "$a" "$n"; made "$b" "$m"; } > ab
		for slice in '50000 50100' '0 1' '1000000 1000500' '59990 1000001' '3 4000000'; do
			read -r from to <<< "$slice"
			want=$(for k in "$a $n" "$b $m"; do
				read -r first count <<< "$k"
				awk -v a="$first" -v n="$count" -v f="$from" -v t="$to" 'BEGIN { lo = a > f ? a : f; hi = a + n < t ? a + n : t; print (hi > lo ? hi - lo : 0) }'
			done | awk '{ s += $1 } END { print s }')
			[ "$(trace-filter -c 'event?' --from "$from" --to "$to" ab || :)" = "$want" ]
		done
	done
}

# ends N PROGRAM OPTION... -- FILE...: notes slices that are counted back from the end, for compared.
ends() {
	local IFS=$'\t'
	seed=$((seed + 1))
	echo "$seed	$*" >> cases
}

# compared: sets counted to the number of slices that were as the definition says. Python starts once for all.
compared() {
	status_is 0 python3 "$ROOT/tests/oracle/ends.py" < cases
	counted=$output
	rm cases
}

@test "a time counted back from the end: all fixtures, as by the definition" {
	needs python3
	seed=0
	for f in "$FIX"/*/*; do
		case $f in *.md | *.txt | */three.* | */readme/*) continue ;; esac
		ends 3 trace-filter -- "$f"
		ends 1 trace-filter -j 2 -- "$f"
	done
	compared
	[ "$counted" -gt 100 ]
	ends 3 spc-cat -- "$FIX/spc/Financial1-head.spc"
	ends 3 ovni-dump -- "$FIX/runs/tasks"
	ends 3 dumpi2txt -- "$FIX/runs/solver.meta"
	ends 3 charisma-dump --preset cm5 -- "$FIX/charisma/cm5.chr"
	ends 3 trace-merge -- "$FIX/runs/tasks" "$FIX/runs/solver.meta"
	ends 3 trace-merge --align first -- "$FIX/runs/tasks" "$FIX/runs/solver.meta"
	ends 3 trace-merge -- "$FIX/runs/tasks"
	ends 3 trace-filter -- "$FIX/runs/solver.meta" "$FIX/spc/Financial1-head.spc" "$FIX/runs/tasks"
	compared
	[ "$counted" = 24 ]
}

@test "a time counted back from the end: large files, several, unordered, compressed, standard input" {
	needs python3
	large
	seed=90
	trace-filter -tH 'event?' a.spc > a.txt
	sort -R a.spc > r.spc
	gzip -c a.spc > a.spc.gz
	for f in a.spc a.ref a.bin b.bin a.txt a.spc.gz; do
		ends 3 trace-filter -t -- $f
		ends 2 trace-filter -t '<' -- $f
	done
	ends 2 trace-filter -O columns=msr -- a.csv
	ends 2 trace-filter --unordered -- r.spc
	ends 2 trace-filter --hz 77 -- a.ref
	ends 2 trace-filter -t -- a.spc b.bin
	ends 2 trace-filter -t -- b.bin "$FIX/spc/Financial1-head.spc" a.spc.gz
	ends 2 trace-merge --unordered -- a.spc r.spc
	compared
	[ "$counted" = 42 ]
	# The parts of a slice, of one file and of several, are the slice.
	for files in a.spc b.bin 'a.spc b.bin a.txt'; do
		# shellcheck disable=SC2086
		for k in 1 2 3; do trace-filter -t --chunk $k/3 --from end-5s --to end-10ms 'event?' $files || [ $? = 1 ]; done > got
		trace-filter -t --from end-5s --to end-10ms 'event?' $files | same got -
		[ -s got ]
	done
	laplace-bin2txt --from end-9000 a.ref > got
	[ -s got ]
	trace-filter 'event?' a.ref | awk '{ t[NR] = $1 } END { while (NR && t[NR - n] >= t[NR] - 9000) n++; print n }' | same - <(wc -l < got | tr -d ' ')
}

@test "a time counted back from the end: every program; of what has none, and what cannot be read twice" {
	f=$FIX/runs/solver.meta
	end=$(dumpi2txt "$f" | cut -f 1 | sort -n | tail -n 1)
	from=$(awk "BEGIN { printf \"%.9f\", $end - .03 }")
	for command in 'trace-stats -g event -a count,sum(dur)' 'trace-stats --by-time -w 1ms -a count' 'trace-derive x=nth' 'trace-match' \
		'trace-plot rate --bins' 'trace-plot timeline --bins' 'trace-export -T csv' 'trace-pair' 'trace-access hot' 'trace-reuse' \
		'trace-convert --target columns=time,event'; do
		# shellcheck disable=SC2086
		set -- $command
		p=$1
		shift
		$p --from "$from" "$@" "$f" > want 2> want.err || :
		$p --from end-30ms "$@" "$f" > got 2> got.err || :
		echo "$command"
		same want got
		same <(sed 's/--from [^ ]*//' want.err) <(sed 's/--from [^ ]*//' got.err)
	done
	has "$(trace-report --terminal --from end-30ms "$f")" 'only time >= end-30ms'
	: > empty
	status_is 1 trace-filter --from end-1s 'event?' empty
	[ -z "$stderr" ]
	for t in end end- end+1s end--1 end-1000y end-1K end-2007-02-22 END-1; do
		status_is 2 trace-filter -c --from "$t" 'event?' "$f"
		has "$stderr" "^trace-filter: --from ${t//+/\\+}: .* \(try trace-filter --help\)"
	done
	[ "$(trace-filter -c --from end-1000h 'event?' "$f")" = "$(trace-filter -c 'event?' "$f")" ]
	status_is 1 trace-filter -c --to end-1000h 'event?' "$f"
	status_is 2 trace-filter -c --from end-1s 'event?' <(spc-cat "$FIX/spc/Financial1-head.spc")
	has "$stderr" 'end-TIME reads inputs twice: write this one to a file'
	status_is 2 bash -c "cat '$FIX/spc/Financial1-head.spc' | trace-filter -c --to end-1s 'event?'"
	has "$stderr" '^trace-filter: <stdin>: end-TIME reads inputs twice'
	status_is 2 trace-filter -c --follow --from end-1s 'event?' "$f"
	has "$stderr" '^trace-filter: --follow: '
	status_is 2 trace-filter -c --from end-1 'event?' "$f" "$FIX/laplace/seed.ref"
	has "$stderr" 'seed.ref: previous inputs have another clock'
	status_is 2 trace-filter -c --from end-1s 'event?' "$FIX/laplace/seed.ref"
	has "$stderr" 'seed.ref: --from: the clock counts ticks'
	# What is wrong is said once.
	status_is 2 trace-filter -c --from end-1s 'event?' missing "$f"
	[ "$(grep -c . <<< "$stderr")" = 1 ]
}
