#!/usr/bin/env bats
# export-ctf.bats - ctf and paraver: read back by programs that know only the formats, and by babeltrace2.

load ../helpers
bats_require_minimum_version 1.5.0

fixtures() {
	echo "$FIX/spc/Financial1-head.spc" "$FIX/runs/solver.meta" "$FIX/runs/tasks" "$FIX/laplace/merged-head.ref" \
		"$FIX/laplace/seed.kern" "$FIX/dumpi/every-call-0000.bin" "$FIX/dumpi/small-0002.bin" "$FIX/ovni/all.obs" \
		"$FIX/charisma/cm5.chr" "$FIX/charisma/ipsc860.chr"
}

# read_back FILE...: both directories of each hold what its text stream holds; where babeltrace2 is, it reads the same.
read_back() {
	cat > back.sh <<-'END'
		for f; do
			rm -rf ctf paraver
			trace-export -T ctf -o ctf "$f" 2> err || { cat err; echo "$f: ctf: status"; continue; }
			python3 "$ORACLE/ctf.py" check "$BIN" "$f" ctf > n 2>&1 || { echo "$f: ctf"; tail -n 1 n; }
			if command -v babeltrace2 > /dev/null; then
				python3 "$ORACLE/ctf.py" print ctf > want
				babeltrace2 --clock-seconds --no-delta ctf > got
				cmp want got || echo "$f: babeltrace2"
			fi
			trace-export -T paraver -o paraver "$f" 2> err || { cat err; echo "$f: paraver: status"; continue; }
			python3 "$ORACLE/paraver.py" "$BIN" "$f" paraver > n 2>&1 || { echo "$f: paraver"; tail -n 1 n; }
		done
	END
	ORACLE=$ROOT/tests/oracle BIN=$BIN sh back.sh "$@" > said 2>&1
	same said /dev/null
}

need() {
	command -v "$1" > /dev/null || skip "$1 is not installed"
}

@test "every event of every format is there once, with its time, place, name and values" {
	need python3
	need_native
	# shellcheck disable=SC2046  # no name has a blank
	read_back $(fixtures)
}

@test "the same of real traces" {
	need python3
	need_native
	need_traces ovni
	# Its last events are at the largest time that there is; one ends before it begins.
	trace-filter -b 'time < 9000000000 and not dur < 0' "$TRACES/charisma/cm5.chr" > within 2> err
	read_back "$TRACES"/ovni/v3/mtmp-offsets/ovni "$TRACES"/ovni/v3/mark/ovni "$TRACES"/ovni/v3/ties/ovni "$TRACES"/spc/Financial1-first28s.spc \
		within
}

# Two that overlap and do not nest; two that nest, end together and are followed by one of no length; a moment; names
# that are no identifiers, or the same one; texts that are empty or have odd bytes; the time is below 0.
odd() {
	printf '%s\ta\\x20b/%s\t%s\t-\t%s\t%s\t%s\n' -1.5 10 send 4 3 'flow=77' 0.2 10 'in\x20"ner\x5c' - 2.0 'x=-5' 1 2 recv 8 0.2 'size=1' 1.1 2 z - 0.1 x= \
		1.2 2 n - 0 'a.b=1	a_b=2	struct=3	a_b=9' 1.4 10 mark - - 'e=""	s=q"\x0a\x5cn\x00	\xff=\xc3\xa9' 2 2 recv - - 'big=18446744073709551615' \
		2.5 9 x - 0.000000001 'addr=0x10'
}

@test "overlaps, times below 0, and names that no identifier can be" {
	need python3
	odd > in
	trace-filter -b '*' in > in.b
	for f in in in.b; do
		trace-export -T ctf -o "$f.ctf" "$f"
		python3 "$ROOT/tests/oracle/ctf.py" check "$BIN" "$f" "$f.ctf"
		status_is 0 trace-export -T paraver -o "$f.paraver" "$f"
		[ "$stderr" = 'trace-export: paraver: 1 number is left out: 2^63 and above' ]
		python3 "$ROOT/tests/oracle/paraver.py" "$BIN" "$f" "$f.paraver"
	done
	diff -r in.ctf in.b.ctf
	diff -r in.paraver in.b.paraver
	# By hand: rows 9, 2 and 10 in order; what is around comes back.
	grep -A 9 'LEVEL TASK' in.paraver/trace.row | tr '\n' ' ' > rows
	[ "$(cat rows)" = 'LEVEL TASK SIZE 1 a\x20b  LEVEL THREAD SIZE 4 2 9 10 10 (2) ' ]
	grep -o '^2:0:1:1:1:[0-9]*:1:[0-9]*' in.paraver/trace.prv > two
	printf '2:0:1:1:1:%s\n' 2500000000:1:3 2600000000:1:4 2700000000:1:3 2700000000:1:0 2700000000:1:5 2700000000:1:0 | same two -
	need babeltrace2
	babeltrace2 --clock-seconds --no-delta in.ctf > got
	python3 "$ROOT/tests/oracle/ctf.py" print in.ctf | same got -
	has "$(sed -n 1p got)" '^\[-1\.500000000\] send: \{ loc = "a b/10", size = 4, dur = 3000000000, flow = 77 \}$'
	has "$(cat got)" 'n: \{ loc = "a b/2", dur = 0, a_b = 1, a_b_2 = 2, struct = 3 \}'
}

@test "ctf: numbers beside names have the argument's: none is unknown; paraver: a rank is a task" {
	trace-export -T ctf -o ctf "$FIX/runs/solver.meta"
	need babeltrace2
	babeltrace2 ctf > got
	run ! grep -q unknown got
	[ "$(grep -c 'source = ( "source" : container = [0-3] )' got)" = "$(dumpi2txt "$FIX/runs/solver.meta" | grep -c '	source=[0-3]')" ]
	trace-export -T paraver -o paraver "$FIX/runs/solver.meta"
	[ "$(head -n 1 paraver/trace.prv)" = '#Paraver (01/01/70 at 00:00):117763830_ns:0:1:4(1:1,1:1,1:1,1:1)' ]
	[ "$(tr '\n' ' ' < paraver/trace.row)" = 'LEVEL TASK SIZE 4 rank 0 rank 1 rank 2 rank 3  LEVEL THREAD SIZE 4 rank 0 rank 1 rank 2 rank 3 ' ]
	# In jobs, and with threads of their own.
	{
		printf '##spoor\t1\n##format\t-\n##clock\ts\n##loc\tjob/rank/thread\n'
		printf '1.0\t%s\te\t-\t-\t2.0\n' 1/0 0/0 0/1/0 0/1/1
		printf '2.0\t0/0\te\t-\t-\t2.0\n##end\tevents=5\n'
	} > in
	trace-export -T paraver -o jobs in
	[ "$(head -n 1 jobs/trace.prv)" = '#Paraver (01/01/70 at 00:00):4000000000_ns:0:1:3(2:1,2:1,1:1)' ]
	[ "$(tr '\n' ' ' < jobs/trace.row)" = 'LEVEL TASK SIZE 3 0/rank 0 0/1 1/rank 0  LEVEL THREAD SIZE 5 rank 0 rank 0 (2) thread 0 thread 1 rank 0 ' ]
}

@test "ctf: no two fields of an event have one name, however arguments are called" {
	need python3
	# Lengths of arrays, and arguments that are called like them; names with escapes, and like columns.
	trace-derive -b 'status.bytes_length = 7' 'status_bytes_length = 8' "$FIX/dumpi/every-call-0000.bin" > in
	printf '1.0\ta\tx\t77\t-\t-\t\\x61ddr=5\taddr=3\targ.addr=9\n' > named
	for f in in named; do
		trace-export -T ctf -o "$f.ctf" "$f"
		python3 "$ROOT/tests/oracle/ctf.py" print "$f.ctf" > want
		[ -s want ]
		! command -v babeltrace2 > /dev/null || babeltrace2 --clock-seconds --no-delta "$f.ctf" | same want -
	done
	python3 "$ROOT/tests/oracle/ctf.py" check "$BIN" in in.ctf
	[ "$(cat want)" = '[1.000000000] x: { loc = "a", addr = 77, arg_addr = 5, arg_addr_2 = 3, arg_addr_3 = 9 }' ]
}

@test "packets hold 64 KiB, or one event that is larger; times of a day" {
	need python3
	awk 'BEGIN {
		print "##spoor\t1\n##format\t-\n##clock\ts\torigin=1700000000.000000007"
		for (i = 0; i < 9000; i++) printf "%d.%09d\t%d\tx\t-\t%d\t-\n", i / 50, i % 50, i % 7, i
		printf "180.5\t-\tbig\t-\t-\t-\ttext="
		for (i = 0; i < 100000; i++) printf "%d", i % 10
		printf "\n181.0\t-\tlast\t-\t-\t-\n##end\tevents=9002\n" }' > in
	trace-export -T ctf -o ctf in
	[ "$(python3 "$ROOT/tests/oracle/ctf.py" check "$BIN" in ctf)" = '9002 events' ]
	need babeltrace2
	babeltrace2 --clock-seconds --no-delta ctf > got
	python3 "$ROOT/tests/oracle/ctf.py" print ctf | same got -
	[ "$(tail -n 1 got)" = '[1700000181.000000007] last: { }' ]
}

@test "a pipe is read once by ctf, twice by paraver; what is wrong, or too much, leaves no directory" {
	f=$FIX/spc/Financial1-head.spc
	for t in ctf paraver; do
		trace-export -T $t -o $t "$f"
		cat -- "$f" - < /dev/null | trace-export -T $t -o $t.pipe
		diff -r $t $t.pipe
		trace-export -T $t -o $t.empty < /dev/null
		[ -s $t.empty/metadata ] || [ -s $t.empty/trace.prv ]
		run -2 --separate-stderr trace-export -T $t "$f"
		[ "$stderr" = "trace-export: a trace of $t is a directory: give -o DIR" ]
		run -2 --separate-stderr trace-export -T $t -o $t "$f"
		[ "$stderr" = "trace-export: $t: the name is taken; give a new or an empty directory" ]
		{ cat "$f"; echo '1,x,512,r,9.0'; } > bad
		run -2 --separate-stderr trace-export -T $t -o $t.bad bad
		has "$stderr" "$t.bad: not written because of errors"
		[ ! -e $t.bad ]
		# As spoor-options(7) says: the same as without the broken record.
		trace-filter -H '*' bad 2> err | sed 's/^##error/##end/' | trace-export -T $t -o $t.mended
		diff -r $t $t.mended
		head -c 200 "$FIX/charisma/cm5.chr" > part
		run -2 trace-export -T $t -o $t.cut part
		[ ! -e $t.cut ]
		printf '1.0\ta\tx\t-\t-\t%s\n' -1 > back
		run trace-export -T $t -o $t.back back
		[ "$status" = "$([ $t = ctf ] && echo 0 || echo 2)" ]
	done
	printf '9223372036.0\ta\tx\t-\t-\t-\n' > late
	run -2 --separate-stderr trace-export -T ctf -o late.ctf late
	has "$stderr" 'ctf: 1 event not written: a number is too large'
}

@test "more names than there is room for: ctf and paraver say so, in little memory" {
	awk 'BEGIN { for (i = 0; i < 70000; i++) printf "%d.0\ta\te%d\t-\t-\t-\tt=v%d\n", i, i, i }' > in
	run -2 --separate-stderr trace-export -T ctf -o ctf in
	has "$stderr" 'ctf: [0-9]* events not written: there are more than 65536 kinds of event, or their names exceed 4 MiB'
	run -2 --separate-stderr trace-export -T paraver -o paraver in
	has "$stderr" 'paraver: 4464 events not written: there are more than 65536 kinds of event'
	awk 'BEGIN { for (i = 0; i < 70000; i++) printf "%d.0\ta\te\t-\t-\t-\tt=v%d\n", i, i }' > in
	status_is 0 trace-export -T paraver -o paraver in
	[ "$stderr" = 'trace-export: paraver: 4464 texts are left out: there are more than 65536, or 4 MiB of them' ]
	[ "$(grep -c '^[0-9]* v' paraver/trace.pcf)" = 65536 ]
}

@test "paraver: states of a stream of ovni that overlap have their lanes in both readings" {
	{
		printf '##spoor\t1\n##format\tovni\n##clock\ts\n'
		printf '%s\tn/1/1\t%s\t-\t-\t-\tvalue=%s\ttype=%s\n' \
			0.1 'OM[' 7 1 0.2 'OM[' 8 2 0.3 'OM]' 7 1 0.4 'OM]' 8 2
		printf '##end\tevents=4\n'
	} > s
	status_is 0 trace-export -T paraver -o p s
	# Two rows of one thread, each with a state of 0.2 s.
	sed 1d p/trace.prv | cut -d: -f5-7 | LC_ALL=C sort > rows
	printf '%s\n' 1:100000000:1 1:300000000:1 2:200000000:1 2:400000000:1 > want
	same want rows
}
