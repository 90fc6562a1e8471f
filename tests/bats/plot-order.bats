#!/usr/bin/env bats
# plot-order.bats - timeline and flame of states that are not in order of begin.
bats_require_minimum_version 1.5.0
load ../helpers

setup() {
	cd "$BATS_TEST_TMPDIR"
	COLUMNS_OF='columns=time=$1 loc=$2 event=$3 dur=$4'
}

@test "states in any order have the time that brute force gives them, of files and pipes" {
	needs python3
	status_is 0 python3 "$ROOT/tests/oracle/nested.py"
	has "$output" ' sums are right'
}

@test "a million and a half states backwards, as accounting files have them: the picture of those in order" {
	awk 'BEGIN { for (i = 500000; i > 0; i--) { t = i * 100
		printf "%d,u%d,in%d,%d\n%d,u%d,in%d,%d\n%d,u%d,out,90\n",
			t + 50, i % 7, i % 5, 20 + i % 13, t + 10, i % 7, i % 5, 20 + i % 13, t, i % 7 } }' > back.csv
	tac back.csv > states.csv
	for kind in timeline flame; do
		trace-plot $kind -O "$COLUMNS_OF" --title t states.csv | sed 's/states.csv/x/' > right
		trace-plot $kind -O "$COLUMNS_OF" --title t back.csv 2> err | sed 's/back.csv/x/' > file
		same right file
		trace-plot $kind --bins -O "$COLUMNS_OF" states.csv > right
		tac states.csv | trace-plot $kind --bins -O "$COLUMNS_OF" > pipe 2>> err
		same right pipe
		[ ! -s err ]
	done
}

@test "two states that begin together: the shorter one is within the longer one, in both orders" {
	printf '0,u,inner,5\n0,u,outer,10\n' > a.csv
	tac a.csv > b.csv
	for f in a b; do
		trace-plot flame --bins -O "$COLUMNS_OF" $f.csv > $f.bins
		sed 1d $f.bins | same - <(printf 'outer\t1\t5.000000000\t10.000000000\nouter;inner\t1\t5.000000000\t5.000000000\n')
	done
}

@test "what is read a second time is told once" {
	{ printf '5,u,b,5\nbroken\n0,u,a,10\n' && seq 100000 | sed 's/$/,u,a,1/' && echo broken too; } > t.csv
	status_is 2 trace-plot timeline --bins -O "$COLUMNS_OF" t.csv
	[ "$(grep -c 't.csv:2: ' <<<"$stderr")" = 1 ]
	[ "$(grep -c 't.csv:100004: ' <<<"$stderr")" = 1 ]
	[ "$(grep -c . <<<"$stderr")" = 3 ]
}

@test "of a pipe in order for long, a state that overlaps with what was drawn is told; one before all is not" {
	seq 100 100099 | awk '{ print $1 ",u,a,1" }' > ordered.csv
	{ cat ordered.csv && echo 105,u,late,10; } > late.csv
	status_is 2 trace-plot timeline --bins -O "$COLUMNS_OF" < late.csv
	has "$stderr" '1 late event of a pipe'
	status_is 0 trace-plot timeline --bins -O "$COLUMNS_OF" late.csv
	{ cat ordered.csv && echo 20,u,early,10; } > early.csv
	status_is 0 trace-plot timeline --bins -O "$COLUMNS_OF" early.csv
	file=$output
	status_is 0 trace-plot timeline --bins -O "$COLUMNS_OF" < early.csv
	[ "$output" = "$file" ]
}

@test "no room in TMPDIR for states that are sorted: a message, status 2" {
	mkdir none && rmdir none
	awk 'BEGIN { for (i = 900000; i > 0; i--) print i ",u,a,1" }' > back.csv
	TMPDIR=$PWD/none status_is 2 trace-plot timeline --bins -O "$COLUMNS_OF" back.csv
	has "$stderr" 'a temporary file in TMPDIR for states'
}
