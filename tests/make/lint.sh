#!/bin/sh
# make lint: what tools say about the pages, the C and the scripts. Silent when all is well.
set -u
cd "$(dirname "$0")/../.." || exit 2
status=0
run() {
	if ! command -v "$1" >/dev/null; then
		echo "lint: $1 is not installed: skipped" >&2
		return
	fi
	"$@" || { echo "lint: $1 failed" >&2; status=1; }
}
if command -v mandoc >/dev/null; then
	run sh tests/make/mandoc.sh
else
	echo "lint: mandoc is not installed: skipped" >&2
fi
# The fuzzers know the library by its names, and nothing else builds them: a name that moved.
make -s harnesses || { echo "lint: make harnesses failed" >&2; status=1; }
sh tests/make/rooms.sh || { echo "lint: rooms.sh failed" >&2; status=1; }
# Not so: refuse() and bad_row() never return; a record has a view or its parts; what is set where
# `keep` is, is read only there.
run cppcheck -q --std=c11 --error-exitcode=1 --inline-suppr --enable=warning,portability \
	--suppress=missingIncludeSystem --suppress=nullPointer:common/stats/partial_read.c \
	--suppress=negativeIndex:common/stats/partial_read.c --suppress=ctunullpointer:common/base/mem.c \
	--suppress=nullPointer:common/dumpi/dumpi_make.c --suppress=uninitvar:common/dumpi/dumpi_make.c \
	-D__GNUC__=12 -U__SSE2__ -Icommon common cmd
# What a reader takes in at once: at most 60 lines, and 25 ways (a switch is one).
if command -v pmccabe >/dev/null; then
	pmccabe common/*/*.c cmd/*.c | awk '
		$1 > 25 { print "lint: " $6, $7 ": cyclomatic number " $1 ", more than 25"; bad = 1 }
		$5 > 60 { print "lint: " $6, $7 ": " $5 " lines, more than 60"; bad = 1 }
		END { exit bad || !NR }' >&2 || { echo "lint: pmccabe failed" >&2; status=1; }
else
	echo "lint: pmccabe is not installed: skipped" >&2
fi
# shellcheck disable=SC2046  # no blanks in our names
run shellcheck $(git ls-files '*.sh' '*.bash' .ci/run 2>/dev/null || ls tests/*.sh tests/*/*.sh .ci/run)
# Variables that helpers.bash sets or reads, and a cd that bats itself watches.
run shellcheck -s bats -e SC2012,SC2030,SC2031,SC2034,SC2054,SC2059,SC2064,SC2086,SC2094,SC2154,SC2164 tests/*.bats
# Of a list with && bats sees only the last command fail.
if grep -n '^	*\[ .* \] && \[ [^&]*$' tests/*.bats | grep -v '||'; then
	echo "lint: two tests in a line: the first one's failure is not seen" >&2
	status=1
fi
run clang-format --dry-run -Werror common/*/*.[ch] cmd/*.c tests/fuzz/*.[ch] tests/bench/*.c
exit $status
