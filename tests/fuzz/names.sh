#!/bin/sh
# names.sh: the name of each fuzz harness: of each format of the table, and of each fuzz_NAME.c.
cd "$(dirname "$0")/../.." || exit 2
{
	[ ! -f common/cli/cli_formats.h ] || sed -n 's/^\tF(\([a-z_]*\)).*/\1/p' common/cli/cli_formats.h
	for c in tests/fuzz/fuzz_*.c; do basename "$c" .c; done | sed 's/^fuzz_//'
} | sort -u
