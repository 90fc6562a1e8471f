#!/usr/bin/env bats
# contributing.bats - the recipe of CONTRIBUTING.md, followed to the letter in a copy of the tree.

load helpers

# block FILE: the example that is to become, or to be added to, that file.
block() {
	awk -v file="$1" '/^```[a-z]/ && $2 == file { on = 1; next } /^```$/ { on = 0 } on' "$ROOT/CONTRIBUTING.md"
}

@test "a format and a program are added by the recipe, keep every promise, and are removed" {
	need_native
	cd "$BATS_TEST_TMPDIR"
	mkdir tree
	# With what is built, but for what other tests and make fuzz have built in folders of their own.
	mkdir tree/build
	(cd "$ROOT" && tar -cf - --exclude=./build --exclude=./.git .) | tar -xf - -C tree
	(cd "$ROOT" && tar -cf - build/*.a build/common build/cmd) | tar -xf - -C tree
	cd tree
	find bin build -type f -exec touch {} + # what is built is newer than its sources
	# shellcheck disable=SC2012
	ls bin > ../programs
	# Step 1.
	# shellcheck disable=SC2094  # block reads another file
	mkdir common/toy
	block common/toy/fmt_toy.c > common/toy/fmt_toy.c
	# Step 2: first in the table.
	cp common/cli/formats.h ..
	block common/cli/formats.h > ../row
	sed -i '/^#define FORMATS(F) /r ../row' common/cli/formats.h
	# Step 3, and the program.
	mkdir tests/fixtures/toy
	printf 'toy 1.5 alice 512\ntoy 2 bob 7\n' > tests/fixtures/toy/two.toy
	block tests/cases/toy.sh > tests/cases/toy.sh
	block man/toy-trace.5 > man/toy-trace.5
	# shellcheck disable=SC2094
	block cmd/toy-cat.c > cmd/toy-cat.c
	make CC="$CC" > ../log 2>&1 || { cat ../log; return 1; }
	[ "$(grep -c 'toy.*warning:' ../log)" = 0 ]
	# It does what it says.
	sh tests/cases.sh tests/cases/toy.sh > ../log || { cat ../log; return 1; }
	[ "$(bin/trace-filter -n 'loc = bob' tests/fixtures/toy/two.toy)" = 'toy 2 bob 7' ]
	[ "$(bin/trace-filter --events -f toy | tail -1 | cut -f2,7)" = "toy	time:ns:time who:str:loc bytes:u64:size" ]
	[ "$(bin/toy-cat -b tests/fixtures/toy/two.toy | bin/trace-stats -a 'sum(size)' | tail -1)" = 519 ]
	# And what every program promises.
	SPOOR_PROGRAMS=toy-cat bats tests/contract.bats > ../log 2>&1 || { cat ../log; return 1; }
	[ "$(grep -c '^ok ' ../log)" -ge 15 ]
	# The harness, where there are sanitizers, with every truncation and changed byte.
	if $CC -fsanitize=address,undefined -o ../san tests/fuzz/main.c -x c - \
		<<<'int LLVMFuzzerTestOneInput(const void *p, unsigned long n) { return p && n > 9; }' 2>/dev/null &&
		../san 2>/dev/null; then
		$CC -std=c11 -D_XOPEN_SOURCE=700 -g -O1 -fsanitize=address,undefined -Icommon -Itests/fuzz \
			-DFUZZ_FORMAT=fmt_toy -o ../fuzz_toy tests/fuzz/format.c tests/fuzz/main.c common/toy/fmt_toy.c build/libspoor.a -pthread -lm
		../fuzz_toy -m tests/fixtures/toy/two.toy
	fi
	# Gone again.
	cp ../formats.h common/cli
	rm -r common/toy cmd/toy-cat.c tests/cases/toy.sh man/toy-trace.5 tests/fixtures/toy bin/toy-cat
	make CC="$CC" > ../log 2>&1 || { cat ../log; return 1; }
	# shellcheck disable=SC2012
	ls bin | same ../programs -
	status_is 2 bin/trace-filter -f toy 'event?'
	has "$stderr" 'no such format'
}
