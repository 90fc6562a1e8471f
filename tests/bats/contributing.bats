#!/usr/bin/env bats
# contributing.bats - the recipes of CONTRIBUTING.md, followed to the letter in a copy of the tree.

load ../helpers

@test "a format, a program, a rule and an aggregate are added by the recipe, keep every promise, and are removed" {
	need_native
	cd "$BATS_TEST_TMPDIR"
	# shellcheck disable=SC2012
	ls "$ROOT/bin" > programs
	sh "$ROOT/tests/recipe.sh" tree > files 2> log || { cat log; return 1; }
	[ ! -s log ] || { cat log; return 1; }
	sed 's/^/# /' files >&3
	[ "$(cut -d: -f1,2 files | xargs)" = 'format: 6 program: 5 rule: 2 aggregate: 2' ]
	cd tree
	[ "$(bin/trace-filter -n 'loc = bob' tests/fixtures/toy/two.toy)" = 'toy 2 bob 7' ]
	[ "$(bin/trace-filter --events -f toy | tail -1 | cut -f2,7)" = "toy	time:ns:time who:str:loc bytes:u64:size" ]
	[ "$(bin/toy-cat -b tests/fixtures/toy/two.toy | bin/trace-stats -a 'sum(size)' | tail -1)" = 519 ]
	# What every format, program and page promises; make check-full runs all tests.
	sh tests/cases.sh tests/cases/toy.sh > ../log || { cat ../log; return 1; }
	SPOOR_PROGRAMS=toy-cat bats tests/bats/contract.bats tests/bats/man.bats tests/bats/readme.bats tests/bats/cookbook.bats \
		> ../log 2>&1 || { cat ../log; return 1; }
	[ "$(grep -c '^ok ' ../log)" -ge 30 ]
	# The harness, where there are sanitizers, with every truncation and changed byte.
	if $CC -fsanitize=address,undefined -o ../san tests/fuzz/main.c -x c - \
		<<<'int LLVMFuzzerTestOneInput(const void *p, unsigned long n) { return p && n > 9; }' 2>/dev/null &&
		../san 2>/dev/null; then
		$CC -std=c11 -D_XOPEN_SOURCE=700 -g -O1 -fsanitize=address,undefined -Icommon -Icmd/lib -Icmd -Itests/fuzz \
			-DFUZZ_FORMAT=fmt_toy -o ../fuzz_toy tests/fuzz/format.c tests/fuzz/main.c common/toy/*.c build/libcmd.a build/libspoor.a -pthread -lm
		../fuzz_toy -m tests/fixtures/toy/two.toy
	fi
	# The rule holds on both paths: a blank keeps a line from the fast one.
	printf '0,%s,512,R,0.5\n' 1 281474976710655 281474976710656 1 ' 281474976710656' 99999999999999 > rule
	status_is 2 bin/spc-cat rule
	[ "$(cut -f4 <<<"$output" | xargs)" = '1 281474976710655 1 99999999999999' ]
	[ "$(grep -c 'field 2 (LBA).*more than 48 bits' <<<"$stderr")" = 2 ]
	# The aggregate, in one pass, from two halves, and of a field that is no number.
	for i in 0 1 2 0 0 4 0; do echo "$i.5 $((i % 2)) e - $i -"; done | tr ' ' '\t' > zeros
	[ "$(bin/trace-stats -g loc -a 'count,zeros(size)' zeros | tail -2 | xargs)" = '0 6 4 1 1 0' ]
	for i in 1 2; do bin/trace-stats -p --chunk $i/2 -g loc -a 'count,zeros(size)' zeros; done | bin/trace-stats -m |
		same <(bin/trace-stats -g loc -a 'count,zeros(size)' zeros) -
	bin/trace-stats -a 'zeros(event)' zeros 2>&1 | grep -q '7 values are no numbers and were not counted'
	# Gone again.
	cp "$ROOT/common/cli/cli_formats.h" common/cli
	cp "$ROOT/Makefile" .
	cp "$ROOT/cmd/lib/stats/aggregates.c" cmd/lib/stats
	cp "$ROOT/common/spc/"* common/spc
	rm -r common/toy cmd/toy-cat.c bin/toy-cat
	make CC="$CC" > ../log 2>&1 || { cat ../log; return 1; }
	# shellcheck disable=SC2012
	ls bin | same ../programs -
	status_is 2 bin/trace-filter -f toy 'event?'
	has "$stderr" 'no such format'
}
