#!/usr/bin/env bats
# sandbox.bats - what reads the bytes of strangers has no rights to write.

load helpers

setup_file() {
	# shellcheck disable=SC2086  # CC may hold flags
	$CC -std=c11 -D_XOPEN_SOURCE=700 -g -iquote "$ROOT/common" -o "$BATS_FILE_TMPDIR/sandbox" \
		"$ROOT/tests/sandbox.c" "$ROOT/build/libspoor.a" -pthread -lm
}

setup() {
	S=$BATS_FILE_TMPDIR/sandbox
	VERSION=$("$S" version)
	[ "$VERSION" -ge 1 ] || skip "the kernel has no Landlock"
	cd "$BATS_TEST_TMPDIR"
}

@test "after opening its output a program can read, finish that output, and nothing else" {
	mkdir out dir dir/directory
	echo neighbour > out/neighbour
	echo old > dir/old
	"$S" "$FIX/spc/Financial1-head.spc" "$PWD/out/file" dir > attempts
	same /dev/null attempts
	[ "$(cat out/file)" = events ]
	[ "$(cat out/neighbour)" = neighbour ]
	[ "$(cat dir/old)" = old ]
	[ "$(ls dir)" = $'directory\nold' ]
	[ ! -s out/other ]
}

@test "every program enters the sandbox, and before it opens its input" {
	strace -o t true 2>/dev/null || skip "no strace"
	for prog in "$BIN"/*; do
		sample "${prog##*/}"
		strace -f -o t -e trace='?open,openat,landlock_restrict_self,prctl' \
			"$prog" "${ops[@]}" "$sample" > out 2>&1
		awk -v file="$sample" '
			/prctl\(PR_SET_NO_NEW_PRIVS, 1.* = 0/ { privs = 1 }
			/landlock_restrict_self\(.* = 0/ && privs { safe = 1 }
			/open(at)?\(/ && index($0, "\"" file "\"") && !/ENOENT/ { seen++; if (!safe) bad = 1 }
			END { exit bad || !seen }' t || { echo "$prog"; cat t; return 1; }
	done
}

@test "the sandbox takes no time that can be measured" {
	# Five system calls: less than a millisecond each way, where a process costs more.
	strace -o t -T -e trace=prctl,landlock_create_ruleset,landlock_add_rule,landlock_restrict_self \
		spc-cat -o x "$FIX/spc/Financial1-head.spc" 2>/dev/null || skip "no strace"
	sed 's/.*<\(.*\)>$/\1/' t | awk '/^[0-9.]+$/ { s += $1 } END { exit !(NR && s < 0.005) }'
}
