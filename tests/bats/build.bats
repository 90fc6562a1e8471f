#!/usr/bin/env bats
# build.bats - the Makefile where a tree is not as usual, and what a run of the tests prints and leaves.

load ../helpers

setup() {
	need_native
	unset MAKEFLAGS MFLAGS MAKELEVEL # this is no part of the make that runs the tests
	enter
}

# small_tree DIR: the Makefile and its rules, two sources of one name, a program of both.
small_tree() {
	mkdir -p "$1"/common/base "$1"/common/event "$1"/cmd "$1"/tests/bats
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

@test "mutants: the same of one seed, others of another, in all folders; the tree is left alone" {
	sh "$ROOT/tests/mutate.sh" --list 200 1 > a
	sh "$ROOT/tests/mutate.sh" --list 200 1 | same a -
	sh "$ROOT/tests/mutate.sh" --list 200 2 > b
	! cmp -s a b || return 1
	[ "$(sort -u a | wc -l)" = 200 ]
	sh "$ROOT/tests/mutate.sh" --list 2000 1 > all
	for room in $(cd "$ROOT" && ls -d common/*/ cmd/lib/*/ cmd/trace-*/); do
		grep -q "^$room" all || { echo "none in $room"; return 1; }
	done
	# Each is a token of a line that is no comment: what is replaced is not what replaces it.
	while read -r file line at len new; do
		was=$(sed -n "${line}p" "$ROOT/$file" | cut -c"$at-$((at + len - 1))")
		[ -n "$was" ]
		[ "$was" != "$new" ]
	done < a
}

# outside COMMAND...: not as a part of the bats that runs this.
outside() {
	env PATH="$(tr : '\n' <<<"$PATH" | grep -v libexec/bats-core | paste -sd:)" "$@"
}

# A tree with one function and one test of it, which looks at one of its two results.
@test "mutants: those that a test notices die, the others are listed, with status 1" {
	small_tree tree
	mkdir -p tree/common/spc
	rm tree/common/base/same.c tree/common/event/same.c tree/cmd/same.c
	cp "$ROOT/tests/mutate.sh" tree/tests
	cat > tree/common/spc/f.c <<-'END'
		int f(int n);
		/* 1 < 2 */
		int f(int n) { return n < 5 ? 1 : 3; }
	END
	printf 'int f(int n);\nint main(int argc, char **argv) { (void)argv; return f(argc); }\n' > tree/cmd/p.c
	printf '@test "a" { run "$BATS_TEST_DIRNAME/../../bin/p"; [ "$status" = 1 ]; }\n' > tree/tests/bats/spc.bats
	(cd tree && find . -type f -exec cksum {} + | sort > ../before)
	got=0
	CC=$CC outside sh tree/tests/mutate.sh 4 1 > said 2>&1 || got=$?
	(cd tree && find . -type f -exec cksum {} + | sort) | same before -
	[ "$got" = 1 ] || { cat said; return 1; }
	grep -q ': common/spc/f.c:3: 1 -> 0: died of spc: a$' said
	sed -n '/^survivors:/,$p' said > end
	grep -q '^common/spc/f.c:3: 3 -> 4 |' end
	[ "$(tail -1 said)" = '4 mutants that change a program: 1 died, 3 survived (25 %); 0 ran into a time limit, 0 change none, 0 do not build' ] || { cat said; return 1; }
}

@test "mutants: the first test that fails is the last that runs" {
	small_tree tree
	mkdir -p tree/common/spc
	rm tree/common/base/same.c tree/common/event/same.c tree/cmd/same.c
	cp "$ROOT/tests/mutate.sh" tree/tests
	printf 'int f(void);\nint f(void) { return 1; }\n' > tree/common/spc/f.c
	printf 'int f(void);\nint main(void) { return f(); }\n' > tree/cmd/p.c
	printf '@test "%s" { %s; }\n' a 'run "$BATS_TEST_DIRNAME/../../bin/p"; [ "$status" = 1 ]' \
		b "sleep 3; echo b >> '$PWD/ran'" > tree/tests/bats/spc.bats
	status_is 0 outside env CC="$CC" sh tree/tests/mutate.sh 1 1
	[ "$(tail -1 <<<"$output")" = '1 mutants that change a program: 1 died, 0 survived (100 %); 0 ran into a time limit, 0 change none, 0 do not build' ]
	# Without a mutation, and not with it.
	[ "$(cat ran)" = b ]
}

@test "check.sh prints each line when it is there, and at the end the sum" {
	printf '@test "%s" { %s; }\n' one : two "until [ -e '$PWD/go' ]; do sleep 0.1; done" three "skip 'not here'" > some.bats
	outside sh "$ROOT/tests/make/check.sh" "$PWD/some.bats" > said 2>&1 &
	waits_for 10 grep -qx "ok 1 one" said || { cat said; return 1; }
	[ "$(cat said)" = $'3 tests\nok 1 one' ]
	touch go
	wait $!
	[ "$(sed 1,2d said)" = $'ok 2 two\nok 3 three # skip not here\n2 passed, 0 failed, 1 skipped' ]
	printf '@test "%s" { %s; }\n' four false >> some.bats
	status_is 1 outside sh "$ROOT/tests/make/check.sh" "$PWD/some.bats"
	[ "$(tail -1 <<<"$output")" = '2 passed, 1 failed, 1 skipped' ]
}

@test "without a collection of traces the reason names the variable, and no path" {
	mkdir nothing
	cp "$ROOT"/tests/helpers.bash "$ROOT"/tests/bats/*.bats nothing
	# Each skip in the tests: no reason holds a path.
	! grep -n 'skip ["'\''].*\(shared\|$TRACES\|$f\)' nothing/* | grep -v build.bats || return 1
	printf 'load helpers\n@test "a" { need_traces spc; }\n' > nothing/one.bats
	outside env -u SPOOR_TRACES bats --tap nothing/one.bats > said
	[ "$(tail -1 said)" = 'ok 1 a # skip SPOOR_TRACES names no collection with traces of spc' ]
}

@test "folders use those above them alone" {
	B=build sh "$ROOT/tests/make/rooms.sh"
}

# table ROW...: CONTRIBUTING's table of rooms.
table() {
	printf '%s\n' '| folder | what is in it |' '|---|---|' "$@"
}

# roomy: goes where three rooms of one file each are, in CONTRIBUTING's table from the ground up.
roomy() {
	cd "$BATS_TEST_TMPDIR"
	rm -rf tree
	mkdir -p tree/cmd tree/tests/make tree/common/ground tree/common/hall tree/common/loft
	cp "$ROOT/tests/make/rooms.sh" tree/tests/make
	table '| `common/ground` | what |' '| `common/hall` | what |' '| `common/loft` | what |' > tree/CONTRIBUTING.md
	echo 'int ground(void); int ground(void) { return 1; }' > tree/common/ground/g.c
	echo 'int ground(void); int hall(void); int hall(void) { return ground(); }' > tree/common/hall/h.c
	echo 'int hall(void); int loft(void); int loft(void) { return hall(); }' > tree/common/loft/l.c
	cd tree
}

# rooms: builds them, and gives what is said of them.
rooms() {
	local c
	for c in common/*/*.c; do
		mkdir -p "build/$(dirname "$c")"
		$CC -Icommon -Icmd/lib -Icmd -c -o "build/${c%.c}.o" "$c"
	done
	B=build sh tests/make/rooms.sh
}

@test "a use that goes the wrong way between rooms is found, by a symbol or an include, with its circle" {
	roomy
	status_is 0 rooms
	[ -z "$output$stderr" ]
	echo 'int loft(void); int up(void); int up(void) { return loft(); }' > common/ground/up.c
	status_is 1 rooms
	same - <(echo "$output") <<-'END'
		rooms: common/ground/up.c uses common/loft/l.c (loft), but common/loft is not above common/ground
		rooms: a circle:
		  common/ground/up.c -> common/loft/l.c (loft)
		  common/loft/l.c -> common/hall/h.c (hall)
		  common/hall/h.c -> common/ground/g.c (ground)
	END
	# Files of one room that call each other; one that is only called is in no circle.
	roomy
	echo 'int b(void); int a(void); int a(void) { return b(); }' > common/ground/a.c
	echo 'int c(void); int ground(void); int b(void); int b(void) { return c() + ground(); }' > common/ground/b.c
	echo 'int a(void); int c(void); int c(void) { return 0; }' > common/ground/c.c
	status_is 0 rooms
	echo 'int a(void); int c(void); int c(void) { return a(); }' > common/ground/c.c
	status_is 1 rooms
	same - <(echo "$output" | sort) <<-'END'
		rooms: common/ground/a.c calls common/ground/b.c in a circle of files
		rooms: common/ground/b.c calls common/ground/c.c in a circle of files
		rooms: common/ground/c.c calls common/ground/a.c in a circle of files
	END
	# A header alone, and no way back.
	roomy
	echo '#include "loft/l.h"' > common/ground/up.c
	: > common/loft/l.h
	rm common/hall/h.c
	status_is 1 rooms
	[ "$output" = 'rooms: common/hall is in the table of CONTRIBUTING, and nowhere else
rooms: common/ground/up.c uses common/loft/l.h (#include), but common/loft is not above common/ground' ]
	# Two of one row do not know each other.
	roomy
	table '| `common/ground` | what |' '| `common/hall`, `common/loft` | what |' > CONTRIBUTING.md
	status_is 1 rooms
	[ "$output" = 'rooms: common/loft/l.c uses common/hall/h.c (hall), but common/hall is not above common/loft' ]
	mkdir common/shed
	echo 'int shed;' > common/shed/s.c
	table '| `common/ground` | what |' '| `common/hall` | what |' '| `common/loft` | what |' > CONTRIBUTING.md
	status_is 1 rooms
	[ "$output" = 'rooms: common/shed is not in the table of CONTRIBUTING' ]
}
