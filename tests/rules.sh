#!/bin/sh
# Writes $B/rules.mk: a rule for every object, program and fuzz harness, and the headers that each
# depends on. The Makefile calls it with CC, B (objects) and BIN (programs) set.
set -eu
mkdir -p "$B"
tmp=$B/rules.mk.$$
{
	objects='' programs='' harnesses=''
	for c in common/*.c; do
		o=$B/$(basename "$c" .c).o
		objects="$objects $o"
		printf '%s: %s\n\t$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ %s\n' "$o" "$c" "$c"
	done
	link='$(CC) $(ALL_CFLAGS) -MMD -MP -MT $@ -MF $(B)/%s.d $(LDFLAGS) -o $@ %s $(B)/libspoor.a'
	for c in cmd/*.c; do
		p=$BIN/$(basename "$c" .c)
		programs="$programs $p"
		# shellcheck disable=SC2059  # the format is ours
		printf "%s: %s \$(B)/libspoor.a\n\t@mkdir -p \$(BIN)\n\t$link\n" "$p" "$c" \
			"$(basename "$c" .c).cmd" "$c"
	done
	for c in tests/fuzz/fuzz_*.c; do
		h=$B/$(basename "$c" .c)
		harnesses="$harnesses $h"
		# shellcheck disable=SC2059
		printf "%s: %s tests/fuzz/main.c tests/fuzz/harness.h \$(B)/libspoor.a\n\t$link\n" \
			"$h" "$c" "$(basename "$c" .c).h" "-iquote tests/fuzz $c \$(FUZZ_MAIN)"
	done
	printf 'LIB_OBJECTS =%s\nPROGRAMS =%s\nHARNESSES =%s\n' "$objects" "$programs" "$harnesses"
	# gcc makes `rep movs` of short copies of bounded length, 25 to 35 ns each; not of calls.
	flag=-mstringop-strategy=libcall
	if $CC $flag -Werror -x c -c -o "$B/probe.o" /dev/null 2>/dev/null; then
		printf 'TUNE = %s\n' $flag
	fi
	# Two directories give the same bytes.
	printf 'MAP_PREFIX = -ffile-prefix-map=%s=.\n' "$PWD"
	cat "$B"/*.d 2>/dev/null || :
} > "$tmp"
if cmp -s "$tmp" "$B/rules.mk"; then rm "$tmp"; else mv "$tmp" "$B/rules.mk"; fi
