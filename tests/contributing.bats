#!/usr/bin/env bats
# contributing.bats - the recipe of CONTRIBUTING.md, followed to the letter in a copy of the tree.

load helpers

# block FILE: the example that is to become, or to be added to, that file.
block() {
	awk -v head="\`\`\`c $1" '$0 == head { on = 1; next } /^```$/ { on = 0 } on' "$ROOT/CONTRIBUTING.md"
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
	printf '1.500000000\talice\ttoy\t-\t512\t-\n2.000000000\tbob\ttoy\t-\t7\t-\n' > tests/fixtures/toy/two.toy.txt
	# shellcheck disable=SC2094
	block tests/fuzz/fuzz_toy.c > tests/fuzz/fuzz_toy.c
	# shellcheck disable=SC2094
	block cmd/toy-cat.c > cmd/toy-cat.c
	make CC="$CC" > ../log 2>&1 || { cat ../log; return 1; }
	[ "$(grep -c 'toy.*warning:' ../log)" = 0 ]
	# It does what it says.
	bin/toy-cat tests/fixtures/toy/two.toy | same tests/fixtures/toy/two.toy.txt -
	[ "$(bin/trace-filter -n 'loc = bob' tests/fixtures/toy/two.toy)" = 'toy 2 bob 7' ]
	[ "$(bin/toy-cat -b tests/fixtures/toy/two.toy | bin/trace-stats -a 'sum(size)' | tail -1)" = 519 ]
	BIN=$PWD/bin
	status_is 2 bin/toy-cat <<-EOF
		toy 1 a 1
		toy x b 1
		toy 2
		toy 3 c\\ 3
	EOF
	[ "$output" = $'1.000000000\ta\ttoy\t-\t1\t-\n3.000000000\tc\\x5c\ttoy\t-\t3\t-' ]
	has "$stderr" '^toy-cat: <stdin>:2: '
	# And what every program promises.
	SPOOR_PROGRAMS=toy-cat bats tests/contract.bats > ../log 2>&1 || { cat ../log; return 1; }
	[ "$(grep -c '^ok ' ../log)" -ge 15 ]
	# The harness, where there are sanitizers, with every truncation and changed byte.
	if $CC -fsanitize=address,undefined -o ../san tests/fuzz/main.c -x c - \
		<<<'int LLVMFuzzerTestOneInput(const void *p, unsigned long n) { return p && n > 9; }' 2>/dev/null &&
		../san 2>/dev/null; then
		$CC -std=c11 -D_XOPEN_SOURCE=700 -g -O1 -fsanitize=address,undefined -Icommon -Itests/fuzz \
			-o ../fuzz_toy tests/fuzz/fuzz_toy.c tests/fuzz/main.c common/toy/fmt_toy.c build/libspoor.a -pthread -lm
		../fuzz_toy -m tests/fixtures/toy/two.toy
	fi
	# Gone again.
	cp ../formats.h common/cli
	rm -r common/toy cmd/toy-cat.c tests/fuzz/fuzz_toy.c tests/fixtures/toy bin/toy-cat
	make CC="$CC" > ../log 2>&1 || { cat ../log; return 1; }
	# shellcheck disable=SC2012
	ls bin | same ../programs -
	status_is 2 bin/trace-filter -f toy 'event?'
	has "$stderr" 'no such format'
}
