#!/usr/bin/env bats
# laplace-merge-oracle.bats - laplace-merge against a program in another language that knows only the documents
# (tests/oracle).

load ../helpers

need_both() {
	command -v python3 > /dev/null || skip "no python3"
	need_native
}

# refs: a million references of a real run.
refs() {
	need_traces laplace
	xz -dc "$TRACES/laplace/merged-1M.ref.bin.xz" > refs.bin
	kernel=$TRACES/laplace/merged.kern.txt
}

@test "random references and kernel events: interleaved, pages, tables, files of processes, events" {
	need_both
	status_is 0 python3 "$ROOT/tests/oracle/laplace_check.py" -n 40 "$BIN"
	has "$output" '^[0-9]{4} passed, 0 failed$'
}

@test "a real run gives the same pages, table and files of processes as the program of the documents" {
	need_both
	refs
	oracle=$ROOT/tests/oracle/laplace_merge.py
	laplace-merge --pages --table table refs.bin "$kernel" > pages
	python3 "$oracle" --pages --table wanted.table refs.bin "$kernel" > wanted.pages
	same pages wanted.pages
	same table wanted.table
	laplace-merge --processes files refs.bin "$kernel"
	python3 "$oracle" --processes wanted.files refs.bin "$kernel"
	diff -r files wanted.files
}

# Figures that were computed with other programs, before this one was written.
@test "the program of the documents finds what is known of the real run: pages, first touches, misses of LRU memories" {
	need_both
	refs
	status_is 0 python3 "$ROOT/tests/oracle/laplace_merge.py" --totals refs.bin "$kernel"
	for line in 'references 1000000, kernel events up to the last 177' "pairs 455, first touches 457 \{'file': 410, 'anon': 47," \
		'pages 266, shared 104' 'outside 0, mismatches 1, D ignored 0' "'101': 442723, '102': 274240, '103': 283037" \
		"'1015a': 442724, '11f03': 274240, 'a4c2': 283036" 'space:page 1000042 455 \[12892, 611, 64, 53\]' \
		'canonical 1000000 266 \[13080, 790, 222, 37\]'; do
		has "$output" "$line" || return 1
	done
}
