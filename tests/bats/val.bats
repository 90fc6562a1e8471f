#!/usr/bin/env bats
# val.bats - what operators and functions of expressions make of values.

load ../helpers

setup_file() {
	local doubles
	cd "$ROOT"
	doubles=$(grep -o -e '-msse2 -mfpmath=sse' build/rules.mk) || doubles=''
	# Twice: as the library has it, and in C11 alone.
	# shellcheck disable=SC2086  # CC may hold flags
	$CC -std=c11 -D_XOPEN_SOURCE=700 -g -Icommon -Icmd/lib -Icmd -o "$BATS_FILE_TMPDIR/val" tests/unit/val.c build/libcmd.a build/libspoor.a -pthread -lm
	# shellcheck disable=SC2086
	$CC $doubles -DPLAIN_C -std=c11 -D_XOPEN_SOURCE=700 -g -Icommon -Icmd/lib -Icmd -o "$BATS_FILE_TMPDIR/val-plain" tests/unit/val.c \
		cmd/lib/number/i128.c cmd/lib/number/wide.c cmd/lib/expr/val.c cmd/lib/expr/val_text.c cmd/lib/expr/func.c \
		build/libcmd.a build/libspoor.a -pthread -lm
}

setup() {
	need_native
	enter
	PATH=$BATS_FILE_TMPDIR:$PATH
}

hex() {
	printf %s "$1" | od -An -v -tx1 | tr -d ' \n'
}

# sub TEXT REGEX NEW RESULT
sub() {
	local line
	for op in sub 'sub!'; do
		line="n $op s:$(hex "$1") s:$(hex "$2") s:$(hex "$3")"
		[ "$(val <<<"$line")" = "s:$(hex "$4")" ] || { echo "$line: $(val <<<"$line")"; return 1; }
	done
}

@test "values by brute force: 100,000 pairs and all edges, as other integers and fractions have them" {
	command -v python3 > /dev/null || skip "no python3"
	python3 "$ROOT/tests/oracle/val.py" 100000 1
	VAL=val-plain python3 "$ROOT/tests/oracle/val.py" 5000 2
}

@test "hash: published results of its two halves" {
	# The first number of splitmix64 seeded with 0, and FNV-1a of "a" and "foobar" as their authors give them.
	[ "$(val <<<'n hash w:11400714819323198485')" = w:16294208416658607535 ]
	[ "$(val <<<'n hash s:61')" = "$(val <<<'n hash w:12638187200555641996')" ]
	[ "$(val <<<'n hash s:666f6f626172')" = "$(val <<<'n hash w:9625390261332436968')" ]
}

@test "sub replaces the leftmost match, and the longest of those" {
	sub abab 'a|ab' X Xab
	sub xabcd 'b|abc|ab' '[&]' 'x[abc]d'
	sub aaa 'a{2}' '' a
	sub abc 'x*' - -abc
	sub abc 'z' - abc
	sub '/home/user/x' '/[^/]*' '@' '@/user/x'
	sub a.b '\.' '\\&' 'a\.b'
	sub ab b '\&\\\x' 'a&\\x'
	# A result is a text, also where it looks like a number.
	[ "$(val <<<"n sub s:$(hex rank12) s:$(hex '[a-z]*') s:")" = "s:$(hex 12)" ]
}

@test "a call whose constants no event can use is refused with a reason" {
	[ "$(val <<<'n sub! s:61 s:28 s:61')" != "$(val <<<'n sub s:61 s:28 s:61')" ]
	[ "$(val <<<'n sub s:61 s:28 s:61')" = - ]
	has "$(val <<<'n sub! s:61 s:28 s:61')" '^wrong 1: .*\('
	has "$(val <<<'n sub! s:61 s:617b3235367d s:61')" '^wrong 1: .*255'
	has "$(val <<<'n sub! s:61 s:6100 s:61')" '^wrong 1: .*NUL'
	[ "$(val <<<'n part! s:61 s: w:1')" = 'wrong 1: the separator is empty' ]
	has "$(val <<<'n part! s:61 s:62 w:0')" '^wrong 2: parts are numbered'
	has "$(val <<<'n part! s:61 s:62 d:1500000000')" '^wrong 2: parts are numbered'
	has "$(val <<<'n bit! d:5 w:4')" '^wrong 0: .*whole'
	has "$(val <<<'n bit! w:5 s:61')" '^wrong 1: .*whole'
	[ "$(val <<<'n bit! w:5 w:4')" = w:4 ]
}

@test "a text does not grow beyond 64 KiB" {
	local many s
	many=$(printf '26%.0s' {1..16})
	s=$(hex "$(printf 'a%.0s' {1..4096})")
	val <<<"n sub s:$s s:612a s:$many" > out
	[ "$(wc -c < out)" = $((2 * 65536 + 3)) ]
	[ "$(val <<<"n sub s:$s s:612a s:${many}26")" = - ]
	# One that is longer already may be cut.
	s=$(hex "$(printf 'a%.0s' {1..70000})")
	val <<<"n sub s:$s s:61 s:62" > out
	[ "$(wc -c < out)" = $((2 * 70000 + 3)) ]
}

@test "every function is in the list, with its arguments" {
	trace-filter --functions > list
	[ "$(head -1 list)" = $'function\targuments\tunit\tabout' ]
	cut -f1 list | tail -n +2 | tr '\n' ' ' | same - <(printf %s \
		'abs alias base bit coalesce date floor hash if len log2 lower max min part sub ')
	awk -F'\t' 'NF != 4 || $0 ~ /\t\t|\t$/ { exit 1 }' list
	status_is 2 trace-filter --functions x
	has "$stderr" '[-]-functions takes no operands'
}

@test "reals are written in as few digits as read back as the same" {
	command -v python3 > /dev/null || skip "no python3"
	python3 "$ROOT/tests/oracle/reals.py" make > in
	status_is 0 trace-derive -o got 'y = x * 1.0' in
	[ "$(python3 "$ROOT/tests/oracle/reals.py" check < got)" = '40000 0' ]
}
