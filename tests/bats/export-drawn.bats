#!/usr/bin/env bats
# export-drawn.bats - perfetto and chrome: read back by a program that knows only the formats, and by Perfetto's own engine.

load ../helpers
load ../perfetto/engine
bats_require_minimum_version 1.5.0

# drawn FILE...: both forms of these hold what the text stream holds.
drawn() {
	command -v python3 > /dev/null || skip "no python3"
	need_native
	status_is 0 python3 "$ROOT/tests/oracle/drawn.py" "$BIN" "$@"
	[ "$(grep -c ' [1-9][0-9]* events$' <<< "$output")" = $((2 * $#)) ]
}

@test "every event of every format is drawn once: its time, place, name and arguments" {
	drawn "$FIX/spc/Financial1-head.spc" "$FIX/runs/solver.meta" "$FIX/runs/tasks" "$FIX/laplace/merged-head.ref" \
		"$FIX/laplace/seed.kern" "$FIX/dumpi/small-0002.bin" "$FIX/ovni/all.obs"
}

@test "Perfetto's engine counts what trace-stats counts, to the nanosecond" {
	engine
	for f in "$FIX/runs/solver.meta" "$FIX/runs/tasks" "$FIX/spc/Financial1-head.spc"; do
		counts perfetto 0 "$f"
	done
}

@test "of Chrome's JSON the engine loses less than a nanosecond a slice" {
	engine
	for f in "$FIX/runs/solver.meta" "$FIX/runs/tasks" "$FIX/spc/Financial1-head.spc"; do
		counts chrome 1 "$f"
	done
}

# Two that overlap and do not nest; two that do; a flow; a moment; a name with a blank.
overlapping() {
	printf '%s\t%s\t%s\t-\t%s\t%s\t%s\n' 1.0 0 send 4 0.5 flow=77 1.2 0 in\\x20ner - 0.1 x=-5 2 1 recv 8 0.2 flow=77 \
		2.5 1 mark - - big=18446744073709551615 3 0 x - 2 y=0x10 4 0 y - 2 z=1.5
}

@test "events that overlap are in lanes of one name; those that nest are in one" {
	engine
	overlapping > "$BATS_TEST_TMPDIR/in"
	for form in perfetto chrome; do
		trace-export -T $form "$BATS_TEST_TMPDIR/in" > "$BATS_TEST_TMPDIR/drawn"
		asked "$BATS_TEST_TMPDIR/drawn" 'select ts, dur, name, depth from slice order by ts' | tr '\t' ' ' > "$BATS_TEST_TMPDIR/got"
		printf '%s\n' '1000000000 500000000 send 0' '1200000000 100000000 in ner 1' '2000000000 200000000 recv 0' \
			'2500000000 0 mark 0' '3000000000 2000000000 x 0' '4000000000 2000000000 y 0' | cmp - "$BATS_TEST_TMPDIR/got"
		[ "$(asked "$BATS_TEST_TMPDIR/drawn" 'select count(distinct track_id) from slice')" = 3 ]
		[ "$(asked "$BATS_TEST_TMPDIR/drawn" 'select o.name, i.name from flow f join slice o on f.slice_out = o.id join slice i on f.slice_in = i.id')" = "send	recv" ]
	done
}

@test "ranks are shown in the order of their numbers, whichever comes first" {
	engine
	# The interface shows the main thread first, whose number is the process's, and then by number.
	for rank in 3 0 1 10 4 2 11 5; do printf '1.0\t%s\tcall\t-\t-\t0.5\n' $rank; done > "$BATS_TEST_TMPDIR/in"
	for form in perfetto chrome; do
		trace-export -T $form "$BATS_TEST_TMPDIR/in" > "$BATS_TEST_TMPDIR/drawn"
		asked "$BATS_TEST_TMPDIR/drawn" 'select t.name from slice s join thread_track r on s.track_id = r.id join thread t using (utid)
			join process p using (upid) order by t.tid != p.pid, t.tid' > "$BATS_TEST_TMPDIR/got"
		printf '%s\n' 0 1 2 3 4 5 10 11 | cmp - "$BATS_TEST_TMPDIR/got"
	done
}

@test "arrows of messages, as spoor-cookbook(7) makes them: each from the call that sent to the one that completed its receive" {
	engine
	cd "$BATS_TEST_TMPDIR"
	cp "$FIX"/runs/solver* .
	awk '/^\.Bd -literal/ { inside = 1; next } /^\.Ed/ { inside = 0 } inside { gsub(/\\e/, "\\"); print }' "$ROOT/man/spoor-cookbook.7" |
		sed -n '/^\$ trace-match -b solver.meta > messages.bin/,/^    solver.meta sent.bin/p' | sed 's/^\$ //' > recipe
	[ "$(grep -c trace- recipe)" = 4 ]
	sh -e recipe 2> said
	[ ! -s said ]
	asked arrows.pftrace 'select oc.name, ic.name, o.ts, i.ts from flow f join slice o on f.slice_out = o.id join slice i on f.slice_in = i.id
		join slice oc on o.parent_id = oc.id join slice ic on i.parent_id = ic.id' | sort > got
	# The calls that messages name, and their times, in ns.
	dumpi2txt solver.meta | awk -F'\t' '{ split($2, at, "/"); print at[1] "-" ++n[at[1]], $3 }' | sort > calls
	trace-match -t solver.meta | awk -F'\t' '$3 == "message" {
		split($1, t, "."); split($6, d, ".")
		match($0, /to=[0-9]*/); to = substr($0, RSTART + 3, RLENGTH - 3)
		match($0, /rdone=[0-9]*/); rec = substr($0, RSTART + 6, RLENGTH - 6)
		match($0, /send_call=[A-Za-z_]*/); call = substr($0, RSTART + 10, RLENGTH - 10)
		s = t[1] t[2]; e = s + (d[1] d[2])
		printf "%s-%s %s %.0f %.0f\n", to, rec, call, s, e
	}' | sort | join - calls | awk -v OFS='\t' '{ print $2, $5, $3, $4 }' | sort > want
	[ "$(grep -c . want)" = 51 ]
	same want got
}

@test "values of -C are counters" {
	engine
	overlapping > "$BATS_TEST_TMPDIR/in"
	for form in perfetto chrome; do
		trace-export -T $form -C 'bytes = size * 2, half = dur / 2' "$BATS_TEST_TMPDIR/in" > "$BATS_TEST_TMPDIR/drawn"
		asked "$BATS_TEST_TMPDIR/drawn" "select c.ts, c.value, t.name from counter c join track t on c.track_id = t.id
			where t.name like 'bytes%' order by 1" | cut -f 1,2 | tr '\t' ' ' > "$BATS_TEST_TMPDIR/got"
		printf '%s\n' '1000000000 8' '2000000000 16' | cmp - "$BATS_TEST_TMPDIR/got"
		[ "$(asked "$BATS_TEST_TMPDIR/drawn" "select sum(c.value) from counter c join track t on c.track_id = t.id where t.name like 'half%'")" = 2.4 ]
	done
}

@test "the form of the input does not matter" {
	overlapping > "$BATS_TEST_TMPDIR/in"
	trace-filter -b '*' "$BATS_TEST_TMPDIR/in" > "$BATS_TEST_TMPDIR/b"
	for form in perfetto chrome; do
		trace-export -T $form "$BATS_TEST_TMPDIR/in" > "$BATS_TEST_TMPDIR/of-text"
		trace-export -T $form "$BATS_TEST_TMPDIR/b" | cmp - "$BATS_TEST_TMPDIR/of-text"
	done
}

# shapes FILE: of its slices and moments all but the arguments.
shapes() {
	trace-export -T chrome "$@" | grep '"ph":"[Xi]"' | sed 's/,"args":.*//; s/}*,*$//'
}

@test "a stream of ovni has the slices of the trace: raw, with durations, several" {
	f=$FIX/runs/tasks
	shapes "$f" > want
	[ "$(grep -c '"X"' want)" = 42 ]
	for form in -b -H; do
		ovni-dump $form "$f" > raw
		shapes raw | same want -
		trace-pair raw | trace-filter -b 'event?' > pairs
		shapes pairs | grep '"X"' > got
		grep '"X"' want | same - got
		ovni-dump $form -D "$f" > long
		for target in chrome perfetto; do
			trace-export -T $target "$f" > native
			trace-export -T $target long | same native -
		done
		shapes -e 'dur > 10us' "$f" > some
		shapes -e 'dur > 10us' raw | same some -
		# Two streams in one input: each begins and ends by itself.
		cat raw raw > twice
		[ "$(shapes twice | wc -l)" = $((2 * $(wc -l < want))) ]
	done
	# Begins alone, ends alone, and moments: as they came.
	trace-filter -H 'event in {VAs, KCI, VTc}' raw > alone
	[ "$(shapes alone | grep -c '"ph":"i"')" = 26 ]
	[ "$(shapes alone | wc -l)" = 26 ]
}

@test "times that no double holds are rounded once, whichever form they come in" {
	awk 'BEGIN {
		srand(3)
		for (i = 0; i < 400; i++) printf "%d%09d.%09d\ta\tx\t-\t-\t-\n", i / 50 + 1, i * 1999993 % 1e9, rand() * 1e9
	}' > in
	trace-derive -b 'x = time' in | trace-export > of-binary
	trace-derive -t -H 'x = time' in | trace-export | cmp - of-binary
}

@test "more than 1024 events at a time in one place are told" {
	awk 'BEGIN { for (i = 1; i <= 1030; i++) printf "%d\t0\tx\t-\t-\t%d\n", i, 2000 + i }' > "$BATS_TEST_TMPDIR/in"
	run -2 --separate-stderr trace-export -T chrome "$BATS_TEST_TMPDIR/in"
	[ "$(grep -c '"ph":"X"' <<< "$output")" = 1024 ]
	has "$stderr" '6 events not written: more than 1024 events overlap in one place'
}
