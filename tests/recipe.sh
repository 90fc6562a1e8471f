#!/bin/sh
# recipe.sh DIR: follows CONTRIBUTING.md to the letter in DIR, a copy of the tree that it makes: a format, a
# program, a rule of SPC, then an aggregate. Builds, and prints how many files each touched and which, as "format: N: FILE...".
# shellcheck disable=SC2094  # block reads another file
set -eu
ROOT=$(cd "$(dirname "$0")/.." && pwd)
mkdir "$1" "$1/build"
cd "$1"
# With what is built, but for what tests and make fuzz have built in folders of their own.
(cd "$ROOT" && tar -cf - --exclude=./build --exclude=./.git .) | tar -xf -
(cd "$ROOT" && tar -cf - build/*.a build/common build/cmd) | tar -xf -
find bin build -type f -exec touch {} + # what is built is newer than its sources

# block FILE: the example that is to become, or to be added to, that file.
block() {
	awk -v file="$1" '/^```[a-z]/ && $2 == file { on = 1; next } /^```$/ { on = 0 } on' "$ROOT/CONTRIBUTING.md"
}

# add FILE PATTERN NAME: the example NAME goes into FILE, in front of the first line that matches.
add() {
	block "$3" > row
	pattern=$2 awk '!done && $0 ~ ENVIRON["pattern"] { while ((getline line < "row") > 0) print line; done = 1 } { print }' \
		"$1" > new
	mv new "$1"
	rm row
}

# touched WHAT
touched() {
	find . \( -name build -o -name bin \) -prune -o -type f -newer before -print | sed 's|^\./||' | sort > ../touched
	echo "$1: $(wc -l < ../touched | tr -d ' '): $(tr '\n' ' ' < ../touched)"
	touch before
	sleep 1
}

touch before
sleep 1
mkdir common/toy tests/fixtures/toy
block common/toy/fmt_toy.c > common/toy/fmt_toy.c
block common/toy/toy_sniff.c > common/toy/toy_sniff.c
add common/cli/cli_formats.h '^	F\(text\)' common/cli/cli_formats.h
block man/toy-trace.5 > man/toy-trace.5
printf 'toy 1.5 alice 512\ntoy 2 bob 7\n' > tests/fixtures/toy/two.toy
block tests/cases/toy.sh > tests/cases/toy.sh
touched format
block cmd/toy-cat.c > cmd/toy-cat.c
block man/toy-cat.1 > man/toy-cat.1
add Makefile '^READS_spc-cat' Makefile
add man/spoor.7 '^\.It Xr spc-cat 1' man/spoor.7:Programs
add man/spoor-cookbook.7 '^\.Ss Block I/O' man/spoor-cookbook.7:RECIPES
touched program
add common/spc/fmt_spc.c '^	if \(\(why = whole_number\(f\[F_SIZE' common/spc/fmt_spc.c
add common/spc/spc.h '^	time = ' common/spc/spc.h
touched rule
add cmd/lib/stats/aggregates.c '^/\* Accumulators with data that the next event' cmd/lib/stats/aggregates.c:functions
add cmd/lib/stats/aggregates.c '^    \[KEPT_ENDS\]' cmd/lib/stats/aggregates.c:accumulators
add cmd/lib/stats/aggregates.c '^    \{0\},' cmd/lib/stats/aggregates.c:aggregates
add man/trace-stats.1 '^\.It Cm first Ns Po' man/trace-stats.1
touched aggregate
rm before
make -s CC="${CC:-cc}"
