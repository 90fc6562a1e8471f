#!/usr/bin/env bats
# detect.bats - what a file is taken for without an option: the right format, or none.

load ../helpers

# The presets that a file is of without an option, or that a message names for it, one on a line; none.
taken_for() { # FILE
	trace-filter -O columns=auto 'event?' "$1" 2> said > guess || true
	sed -n '1s/^# its lines are those of -O columns=\([a-z0-9-]*\),.*/\1/p' guess | grep . && return
	! grep -o 'this is .*: -O columns' said || return 0
	trace-filter -c 'event?' "$1" 2>&1 > /dev/null | grep -o 'its lines fit .*' | grep -o 'columns=[a-z0-9-]*' | sed 's/.*=//'
}

@test "forms of other programs: none is read as a format, and no preset is named for one" {
	awk '/^=== /{ file = $2; next } { print > file }' "$ROOT/tests/detect/foreign.txt"
	[ "$(ls | wc -l)" -ge 40 ]
	for f in *; do
		status=0
		trace-filter -b 'event?' "$f" > ../out 2> ../err || status=$?
		grep -q 'no known format begins like this (-O columns=NAME says ' ../err && [ "$status" = 2 ] || { echo "$f: $(cat ../err)" && false; }
	done
	for f in *; do ! grep . <<<"$(taken_for "$f")" || { echo "$f" && false; }; done
}

@test "samples of all presets against all presets: each is taken or named for its own, and for no other" {
	for in in "$ROOT"/tests/columns/*.in; do
		name=$(basename "$in" .in)
		case $name in
		oracle | vscsi*) want= ;; # known by its file's name
		fio-log | fio-bw | fio-iops) want='fio-bw fio-iops fio-log' ;;
		blkparse*) want=blkparse ;;
		dftracer) want='chrome dftracer' ;; # the same lines
		*) want=$name ;;
		esac
		got=$(taken_for "$in" | sort | paste -s -d ' ' -)
		[[ $name == blkparse* ]] && [[ $got == *blkparse* ]] && ! tr ' ' '\n' <<<"$got" | grep -qv '^blkparse' && continue
		[ "$got" = "$want" ] || { echo "$name: taken for $got" && false; }
	done
}

@test "samples of the formats are taken for no preset, and auto names the format" {
	while read -r file what; do
		[ "$(taken_for "$FIX/$file")" = "this is $what: -O columns" ]
	done <<-'END'
		spc/Financial1-head.spc an SPC trace
		laplace/seed.kern a Laplace trace as text
		charisma/lp64-le.chr a CHARISMA trace
		laplace/merged-head.ref.txt spoor's text stream
	END
}

@test "a line of names, an empty line, a comment, or one bad value hides no preset, and the first three are no loss" {
	sure=$(sed -n 's/^+ \([a-z0-9-]*\).*/\1/p' "$ROOT/man/columns-layout.5")
	for name in $sure; do
		case $name in oracle | vscsi*) continue ;; esac # known by the names of their files
		case $name in lackey | ramulator | pinatrace) continue ;; esac # times are numbers of lines
		in=$ROOT/tests/columns/$name.in
		trace-filter -A 'event?' "$in" > want 2> err
		{ echo; cat "$in"; } > empty
		{ echo '# what is this'; cat "$in"; } > comment
		[ "$name" != iolog ] && [ "$name" != iolog-2 ] || rm empty comment # their first line says what they are
		cp "$in" last
		echo >> last
		for f in empty comment last; do
			[ -e "$f" ] || continue
			[ "$name" != iolog-2 ] && [ "$name" != metakv-2022 ] && [ "$name" != bpftrace ] || continue # times are numbers of lines
			status_is 0 trace-filter -A -o got 'event?' "$f"
			same got want
		done
	done
	names() { # PRESET NAMES
		{ echo "$2"; cat "$ROOT/tests/columns/$1.in"; } > x.csv
		trace-filter -A 'event?' "$ROOT/tests/columns/$1.in" > want
		status_is 0 trace-filter -A -o got 'event?' x.csv
		same got want
		[ -z "$stderr" ]
	}
	names msr Timestamp,Hostname,DiskNumber,Type,Offset,Size,ResponseTime
	names alibaba device_id,opcode,offset,length,timestamp
	names twitter timestamp,key,key_size,value_size,client,op,ttl
	{ echo; echo '# MSR'; echo 'Timestamp,Hostname,DiskNumber,Type,Offset,Size,ResponseTime'; cat "$ROOT/tests/columns/msr.in"; } > x.csv
	trace-filter -A 'event?' "$ROOT/tests/columns/msr.in" > want
	status_is 0 trace-filter -A -o got 'event?' x.csv
	same got want
	# Two lines of names are one too many.
	{ echo a,b,c,d,e,f,g; cat x.csv; tail -n 3 x.csv; tail -n 3 x.csv; } > y.csv
	status_is 2 trace-filter -c 'event?' y.csv
	has "$stderr" '1 record skipped'
}

@test "one bad value: the event is lost and told; a response time that none has is absent" {
	for n in 1 2 3 4 5 6; do echo "12816637200306162$n,usr,0,Read,7014609920,24576,41286"; done > msr
	sed '3s/,41286/,-1/; 4s/,41286/,18446744073709551615/' msr > x
	status_is 0 trace-stats --no-header -a 'count,count(dur)' x
	[ "$output" = "6	4" ]
	sed '3s/24576/2x4/' msr > x
	status_is 2 trace-filter -c 'event?' x
	[ "$output" = 5 ]
	has "$stderr" '^trace-filter: x:3: column 6 \(size\): "2x4": '
	sed '3,4s/24576/2x4/' msr > x
	status_is 2 trace-filter -c 'event?' x
	has "$stderr" 'no known format'
}

@test "a guess reads the file that it was guessed from, and says what it does not read" {
	reads() { # INPUT EVENTS [LINES...]
		printf "$1" > x.csv
		trace-filter -O columns=auto 'event?' x.csv > layout
		status_is 0 trace-filter -c -O columns=layout 'event?' x.csv
		[ "$output" = "$2" ]
		! grep 'does not read' layout
		shift 2
		for line; do grep -qF "$line" layout || { cat layout && false; }; done
	}
	reads '\n\ntime,op,size\n1,read,4096\n2,write,512\n' 2 'event=$op{read:R,write:W,*}'
	reads '# a\n# b\n1,R,512\n2,W,512\n' 2 'skip=#' 'size=$3'
	reads '# about\n# t,op,size\n1,R,512\n2,W,512\n' 2 header 'time=$t'
	reads '# timestamp (ms), op type [REST.GET], object id, optional: object size\n1219008 REST.PUT.OBJECT 8d4fcda3d675bac9 1056\n1221974 REST.GET.OBJECT 39d177fb735ac5df 528\n' 2 'time=$1*ms'
	reads '0x12345680 load\n0x4cbd56c0 store\n' 2 'addr=$1:hex' 'time=line'
	reads '0x3F800000 put 3\n0x3F900000 get 9\n' 2 'time=$3' 'addr=$1:hex'
	reads '1,R,0x7fffe0,64,1000\n2,W,0x7ffff0,64,2000\n' 2 'time=$1' 'addr=$3:hex'
	reads '1577808000000626\t3\tR\t0\t4096\n1577808000000726\t3\tW\t8192\t4096\n1577808000000826\t3\tW\t512\t8192\n' 3 'size=$5' 'time=$1*us epoch=1970'
	for name in 'Start (ns)' t_ns startNs 'time [ns]' 'begin.nanoseconds'; do
		reads "$name,op\n1000000000,a\n1700000001,b\n" 2 '*ns' && ! grep epoch layout
	done
	reads 'timestamp_ms,op\n1700000000123,a\n1700000000124,b\n' 2 '*ms epoch=1970'
	reads 'timestamp,elapsed,label\n1700000000123,52,a\n1700000000223,48,b\n' 2 'dur=$elapsed*ms	# unit guessed'
	reads '2026-11-02 08:00:00,123 begin a.b.C took 12 ms\n2026-11-02 08:00:00,456 commit a.b.C took 72 ms\n' 2 'time=$1+$2:iso' 'event=$3'
	reads 'day,at,op\n2026-11-02,08:00:00.5,a\n2026-11-02,08:00:01.5,b\n' 2 'time=$day+$at:iso'
	printf 't,op\n1,a\n2,b\nx,c\n' > x.csv
	trace-filter -O columns=auto 'event?' x.csv | grep -x '# it does not read 1 of them'
}
