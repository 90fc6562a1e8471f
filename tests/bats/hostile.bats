#!/usr/bin/env bats
# hostile.bats - damaged input, under AddressSanitizer and UndefinedBehaviorSanitizer.

load ../helpers

setup_file() {
	sanitized all harnesses || [ $? = 1 ]
}

setup() {
	need_native
	enter
	A=$ROOT/build/asan
	# make check-full takes whole inputs where make check takes how they begin: the fuzzers, which .ci/run has
	# run before, begin with the same ones.
	FULL=${SPOOR_FULL-}
	[ -x "$A/fuzz_spc" ] || skip "no compiler with sanitizers, or make quick"
	export ASAN_OPTIONS=detect_leaks=0
}

# Every truncation, and every byte set to another value, with SPOOR_FULL to five.
@test "every truncation and every changed byte: SPC" {
	{ cat "$FIX/spc/spec-example.spc"; printf '0, 1,2,w,3.0,\\,,\t\r\n'; } > a
	"$A/fuzz_spc" -m a "$FIX/spc/WebSearch2-first10.spc"
}

@test "every truncation and every changed byte: Laplace, binary and text" {
	head -c 540 "$FIX/laplace/merged-head.ref" > a
	"$A/fuzz_laplace" -m a "$FIX/laplace/seed.ref"
	"$A/fuzz_laplace_text" -m "$FIX/laplace/seed.kern" "$FIX/laplace/seed.reftxt"
}

@test "every truncation and every changed byte: both streams" {
	trace-filter -H 'event?' "$FIX/laplace/seed.kern" > a.txt
	trace-filter -b 'event?' a.txt > a.bin
	trace-filter -b 'event?' "$FIX/laplace/seed.kern" > b.bin
	printf '%s\n' $'1.000000000\ta/b\\x20c/0\te\\x5cv\t-\t-\t-\ts=""\tv=\tw=1,2,3\ty=-5' > b.txt
	"$A/fuzz_text" -m a.txt b.txt
	"$A/fuzz_binary" -m a.bin b.bin
}

@test "every truncation and every changed byte: DUMPI" {
	# Records of every shape; the sections behind them take minutes.
	head -c 900 "$FIX/dumpi/small-0002.bin" > a
	"$A/fuzz_dumpi" -m a
	"$A/fuzz_dumpi" "$FIX"/dumpi/*.bin
}

@test "every truncation and every changed byte: how the fixtures of every format begin" {
	tried=' '
	for f in "$FIX"/*/*; do
		name=$(basename "${f%/*}")
		[ -x "$A/fuzz_$name" ] || continue
		case $f in *.txt) continue ;; esac
		# ovni's harness takes 40 ms a run.
		n=200
		[ "$FULL" ] || [ "$name" != ovni ] || n=40
		head -c $n "$f" > a
		"$A/fuzz_$name" -m a
		tried="$tried$name "
	done
	for name in spc laplace ovni dumpi charisma; do
		has "$tried" " $name "
	done
}

@test "every truncation and every changed byte: columns, descriptions and lines" {
	sh "$ROOT/tests/fuzz/seeds.sh" delimited "$PWD/seeds"
	# One of two, or all.
	find seeds -type f | LC_ALL=C sort | awk -v full="$FULL" 'full || NR % 2' > some
	xargs "$A/fuzz_delimited" -m < some
}

@test "every truncation and every changed byte: JSON" {
	"$A/fuzz_json" -m "$ROOT"/tests/fuzz/corpus/json/* "$FIX"/runs/tasks/*/*/*/*.json
}

@test "every truncation and every changed byte: filter expressions, over all forms of the same events" {
	# One of six, or all.
	ls "$ROOT"/tests/fuzz/corpus/expr/*[!0-9] | awk -v full="$FULL" 'full || NR % 6 == 3' > seeds
	[ "$(wc -l < seeds)" -gt 3 ]
	xargs "$A/fuzz_expr" -m < seeds
}

@test "every truncation and every changed byte: definitions, and the events that they are of" {
	sh "$ROOT/tests/fuzz/seeds.sh" derive "$PWD/seeds"
	"$A/fuzz_derive" seeds/*
	{ echo 'p=addr, loc=base(loc), x='; trace-filter -b 'event?' "$FIX/laplace/seed.kern" | head -c ${FULL:+1}500; } > a
	printf 'file=len(file), event=lower(event), n=nth, d=dur / 3\n1.000000000\ta/b\tE\t1\t-\t0.5\tfile=ab\tx=1\n' > b
	"$A/fuzz_derive" -m a b
}

@test "every truncation and every changed byte: partials; what is taken is written, and taken again" {
	sh "$ROOT/tests/fuzz/seeds.sh" partial "$PWD/seeds"
	"$A/fuzz_partial" seeds/*
	find seeds -type f -size "+$((FULL + 1))k" -delete
	"$A/fuzz_partial" -m seeds/*
}

@test "every truncation and every changed byte: pictures, which partials give too; the page; merges" {
	sh "$ROOT/tests/fuzz/seeds.sh" draw "$PWD/seeds"
	# One seed of four, or all: a fixture has ten seeds, one for each kind.
	find seeds -type f | LC_ALL=C sort | awk -v full="$FULL" 'full || NR % 4 == 1' > some
	[ "$(wc -l < some)" -gt 50 ]
	xargs "$A/fuzz_draw" < some
	"$A/fuzz_draw" -m seeds/ends.[0-4] ${FULL:+seeds/ends.[5-9]} seeds/ends.table.7
}

@test "every truncation and every changed byte: all forms, parts and threads give the same" {
	head -3 "$FIX/spc/Financial1-head.spc" > a
	trace-filter -b 'event?' a > b
	head -6 "$FIX/laplace/seed.kern" > c
	"$A/fuzz_same" -m a b "$FIX/laplace/seed.ref"
	# The first two fixtures of each folder, or all.
	printf '%s\n' "$FIX"/*/* | grep -v '[.]md$' | awk -F / -v full="$FULL" 'full || n[$(NF - 1)]++ < 2' > some
	xargs "$A/fuzz_same" a b c < some
}

@test "every truncation and every changed byte: CHARISMA, by its own layout and by another" {
	# The last byte chooses the layout: lp64-le, packed-lp64-le, cm5; it is found out.
	{ head -c 500 "$FIX/charisma/lp64-le.chr"; printf '\066'; } > a
	{ head -c 400 "$FIX/charisma/packed-lp64-le.chr"; printf '\072'; } > b
	{ head -c 500 "$FIX/charisma/cm5.chr"; printf '\063'; } > c
	{ head -c 400 "$FIX/charisma/ipsc860.chr"; printf '\0'; } > d
	"$A/fuzz_charisma" -m a b c d
	for f in "$FIX"/charisma/*.chr; do
		{ cat "$f"; printf '\0'; } > "e${f##*/}"
	done
	"$A/fuzz_charisma" e*
}

@test "every truncation and every changed byte: ovni" {
	"$A/fuzz_ovni" -m "$FIX/ovni/seed.stream"
	"$A/fuzz_ovni" "$FIX/ovni/all.obs"
}

@test "fuzzing: what was once found stays mended" {
	for dir in "$ROOT"/tests/fuzz/corpus/*/; do
		[ -d "$dir" ] || continue
		"$A/fuzz_$(basename "$dir")" "$dir"*
	done
}

@test "programs under sanitizers: a read at a time of one byte gives the same" {
	for f in "$FIX"/*/*; do
		case $f in *.md | *.txt) continue ;; esac
		"$BIN/trace-filter" 'event?' "$f" > want 2> want.err || :
		"$A/bin/trace-filter" --tune read=1 'event?' "$f" > got 2> got.err || :
		same want got
		same want.err got.err
	done
}

@test "fast paths and slow parsers agree on every mutated line, to the byte and the message" {
	# shellcheck disable=SC2086  # CC may hold flags
	$CC -std=c11 -D_XOPEN_SOURCE=700 -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all \
		-I"$ROOT/common" -I"$ROOT/cmd/lib" -I"$ROOT/cmd" -o differential "$ROOT/tests/unit/differential.c" "$A/libcmd.a" "$A/libspoor.a" -pthread -lm
	./differential spc "$FIX/spc/Financial1-head.spc" "$FIX/spc/spec-example.spc"
	./differential text "$FIX/spc/Financial1-head.spc.txt"
	./differential text "$FIX/laplace/k32-excerpt.kern.txt"
	printf '%s\n' $'1.000000000\t0\tR\t1\t2\t7.000000000' $'1.000000000\t0\tR\t1\t2\t-' > dur.txt
	./differential text dur.txt
	for layout in msr systor fio-log 'end=$1*us epoch=1601 event=$3{R,W:w,*:x} dur=$5?' 'record=$4 time=$1 event=$3{a:,*}' \
		'time=$1 loc=$2 event=$3 addr=$4 size=$5*512? dur=$6*us? x=$7*ms?' 'end=$1 loc=$4/$5 event=R addr=$4 size=$7?? dur=$6*s'; do
		./differential "-$layout" "$ROOT/tests/columns/msr.in"
	done
}
