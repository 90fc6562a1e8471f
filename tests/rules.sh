#!/bin/sh
# Writes $B/rules.mk: an explicit rule for every object and program, and the headers each depends on.
# Called by the Makefile with CC and B set.
set -eu
mkdir -p "$B"
tmp=$B/rules.mk.$$
{
	objects= programs=
	for c in common/*.c; do
		o=$B/$(basename "$c" .c).o
		objects="$objects $o"
		printf '%s: %s\n\t$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ %s\n' "$o" "$c" "$c"
	done
	for c in cmd/*.c; do
		p=bin/$(basename "$c" .c)
		programs="$programs $p"
		printf '%s: %s $(B)/libspoor.a\n\t@mkdir -p bin\n' "$p" "$c"
		printf '\t$(CC) $(ALL_CFLAGS) -MMD -MP -MT $@ -MF $(B)/%s.cmd.d $(LDFLAGS) -o $@ %s $(B)/libspoor.a\n' \
			"$(basename "$c" .c)" "$c"
	done
	printf 'LIB_OBJECTS =%s\nPROGRAMS =%s\n' "$objects" "$programs"
	# gcc makes `rep movs` of short copies of bounded length, 25 to 35 ns each; not of calls.
	for flag in -mstringop-strategy=libcall; do
		if $CC "$flag" -Werror -x c -c -o /dev/null /dev/null 2>/dev/null; then
			printf 'TUNE = %s\n' "$flag"
		fi
	done
	printf 'MAP_PREFIX = -ffile-prefix-map=%s=.\n' "$PWD"
	cat "$B"/*.d 2>/dev/null || :
} > "$tmp"
cmp -s "$tmp" "$B/rules.mk" && rm "$tmp" || mv "$tmp" "$B/rules.mk"
