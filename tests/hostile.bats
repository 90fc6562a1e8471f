#!/usr/bin/env bats
# hostile.bats - damaged input, under AddressSanitizer and UndefinedBehaviorSanitizer.

load helpers

setup_file() {
	cd "$BATS_TEST_DIRNAME/.." || return 1
	echo 'int main(void){return 0;}' > "$BATS_FILE_TMPDIR/t.c"
	local san='-fsanitize=address,undefined -fno-sanitize-recover=all'
	# shellcheck disable=SC2086
	$CC $san -o "$BATS_FILE_TMPDIR/t" "$BATS_FILE_TMPDIR/t.c" 2>/dev/null &&
		"$BATS_FILE_TMPDIR/t" 2>/dev/null || return 0
	make -s CC="$CC" B=build/asan BIN=build/asan/bin CFLAGS="-g -O1 $san" all harnesses >&2
}

setup() {
	cd "$BATS_TEST_TMPDIR"
	A=$ROOT/build/asan
	[ -x "$A/fuzz_spc" ] || skip "no compiler with sanitizers"
	export ASAN_OPTIONS=detect_leaks=0
}

# Every truncation, and every byte set to five other values.
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
		SPOOR_READ=1 "$A/bin/trace-filter" 'event?' "$f" > got 2> got.err || :
		same want got
		same want.err got.err
	done
}

@test "fast paths and slow parsers agree on every mutated line, to the byte and the message" {
	# shellcheck disable=SC2086  # CC may hold flags
	$CC -std=c11 -D_XOPEN_SOURCE=700 -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all \
		-iquote "$ROOT/common" -o differential "$ROOT/tests/differential.c" "$A/libspoor.a" -pthread
	./differential spc "$FIX/spc/Financial1-head.spc" "$FIX/spc/spec-example.spc"
	./differential text "$FIX/spc/Financial1-head.spc.txt"
	./differential text "$FIX/laplace/k32-excerpt.kern.txt"
}
