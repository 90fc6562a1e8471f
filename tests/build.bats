#!/usr/bin/env bats
# build.bats - the Makefile where a tree is not as usual, and what a run of the tests prints and leaves.

load helpers

setup() {
	need_native
	unset MAKEFLAGS MFLAGS MAKELEVEL # this is no part of the make that runs the tests
	cd "$BATS_TEST_TMPDIR" || return
}

# small_tree DIR: the Makefile and its rules, two sources of one name, a program of both.
small_tree() {
	mkdir -p "$1"/common/base "$1"/common/event "$1"/cmd "$1"/tests
	cp "$ROOT/Makefile" "$1"
	cp -R "$ROOT/tests/make" "$ROOT/tests/fuzz" "$1/tests"
	echo 'const char *a(void); const char *a(void) { return __FILE__; }' > "$1/common/base/same.c"
	echo 'int b(void); int b(void) { return 4; }' > "$1/common/event/same.c"
	printf '#include <stdio.h>\nconst char *a(void);\nint b(void);\nint main(void) { printf("%%s %%d\\n", a(), b()); return 0; }\n' > "$1/cmd/same.c"
}

# Each make that is here.
makes() {
	for make in make bmake; do
		command -v "$make" >/dev/null || continue
		echo "== $make"
		"$@"
	done
}

builds() {
	rm -rf "$1"
	small_tree "$1"
	(cd "$1" && "$make" -s CC="$CC") > said 2>&1 || { cat said; return 1; }
	same /dev/null said
	[ "$("$1/bin/same")" = 'common/base/same.c 4' ]
}
@test "two sources of one name in two folders, and a program of that name, build" { makes builds tree; }

@test "a directory builds whose name has blanks, quotes and what means something to make" {
	makes builds 'a b'
	makes builds "it's \"a\"  \$(b) \$HOME # c;d&e"
}

twice() {
	builds 'a b'
	(cd 'a b' && "$make" CC="$CC") > said 2>&1
	! grep -E '^(CC|LD|AR) ' said || return 1
}
@test "there too nothing is built twice" { makes twice; }

without_tests() {
	builds tree
	rm -rf tree/tests
	for goal in '' all clean; do
		status=0
		# shellcheck disable=SC2086  # none, or one word
		(cd tree && "$make" $goal CC="$CC") > said 2>&1 || status=$?
		[ "$status" != 0 ]
		has "$(cat said)" '^make: tests/make/rules\.sh, which writes the rules, is missing or failed$'
		! grep -i 'nothing to be done' said || return 1
	done
}
@test "without tests/, where the rules are written, make says so and does not succeed" { makes without_tests; }

clean_all() {
	builds tree
	for jobs in '' -j4; do
		# shellcheck disable=SC2086  # none, or one word
		(cd tree && "$make" $jobs clean all CC="$CC") > said 2>&1 || { cat said; return 1; }
		[ "$(grep -c "^CC " said)" = 3 ] || { cat said; return 1; }
		[ "$(tree/bin/same)" = 'common/base/same.c 4' ]
	done
	(cd tree && "$make" clean CC="$CC") > said 2>&1
	[ ! -e tree/bin ]
	[ ! -e tree/build ]
}
@test "make clean all cleans, then builds, one thing after the other or several at once" { makes clean_all; }
