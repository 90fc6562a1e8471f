#!/usr/bin/env bats
# outdir.bats - an output that is a directory: it appears whole, or not at all.

load ../helpers

setup_file() {
	# shellcheck disable=SC2086  # CC may hold flags
	$CC -std=c11 -D_XOPEN_SOURCE=700 -g -I"$ROOT/common" -I"$ROOT/cmd/lib" -I"$ROOT/cmd" -o "$BATS_FILE_TMPDIR/outdir" \
		"$ROOT/tests/unit/outdir.c" "$ROOT/build/libcmd.a" "$ROOT/build/libspoor.a" -pthread -lm
}

setup() {
	need_native
	enter
	O=$BATS_FILE_TMPDIR/outdir
	printf '0.1\t3\tR\t5\t-\t-\n0.2\t4\tR\t6\t-\t-\n0.3\t3\tR\t7\t-\t-\n' > t
	mkdir w
}

# Nothing but these is in w.
left() {
	[ "$(cd w && find . | LC_ALL=C sort | tr '\n' ' ')" = ". $*" ] || { find w; return 1; }
}

whole='./d ./d/of ./d/of/3 ./d/of/3/addr ./d/of/4 ./d/of/4/addr '

@test "it appears whole, with the usual rights; a file may be gone on with" {
	status_is 0 "$O" w/d t
	[ -z "$stderr" ]
	left "$whole"
	[ "$(cat w/d/of/3/addr)" = $'5\n7' ]
	[ "$(cat w/d/of/4/addr)" = 6 ]
	mkdir usual
	touch usual/file
	[ "$(stat -c %a usual usual/file)" = "$(stat -c %a w/d w/d/of/3/addr)" ]
	# A slash behind; a directory that is there, empty.
	rm -r w/d
	mkdir w/d
	status_is 0 "$O" w/d/ t
	left "$whole"
}

@test "a link to an empty directory, or to none yet, stays, and leads to the output" {
	mkdir w/d
	ln -s d/ w/k
	ln -s k/ w/l
	for o in w/l w/l/ "$PWD/w/k"; do
		status_is 0 "$O" "$o" t
		[ -z "$stderr" ]
		left "$whole./k ./l "
		rm -r w/d
	done
}

@test "what is there is refused, and stays" {
	mkdir w/d
	echo old > w/d/file
	status_is 2 "$O" w/d t
	[ "$stderr" = 'outdir: w/d: the name is taken; give a new or an empty directory' ]
	echo old > w/f
	ln -s d w/l
	status_is 2 "$O" w/f t
	status_is 2 "$O" w/l t
	status_is 2 "$O" . t
	status_is 2 "$O" w/none/d t
	left './d ./d/file ./f ./l '
	[ "$(cat w/f w/d/file)" = $'old\nold' ]
	status_is 2 "$O"
	[ "$stderr" = 'outdir: a trace of outdir is a directory: give -o DIR' ]
}

@test "after trouble nothing is left, and an empty directory is as it was" {
	FAIL=1 status_is 2 "$O" w/d t
	[ "$stderr" = 'outdir: w/d: not written because of errors (spoor-options(7), -o: how to keep what is whole)' ]
	left ''
	mkdir w/d
	FAIL=1 status_is 2 "$O" w/d t
	left './d '
	# Another has put something there meanwhile.
	WAIT=1 "$O" w/d t 2> err &
	waits_for 5 test -e w/.spoor.$!.0/of/4/addr
	kill -9 $!
	wait $! || :
	waits_for 5 test ! -e w/.spoor.$!.0
	left './d '
}

@test "killed by any signal, nothing is left" {
	for signal in TERM USR2 KILL; do # HUP may be ignored: nohup
		WAIT=1 "$O" w/d t &
		waits_for 5 sh -c 'ls w/.spoor.*/of/4/addr'
		kill -$signal "$(cd w && ls -d .spoor.* | cut -d. -f3)"
		wait $! || :
		waits_for 5 sh -c '! ls -d w/.spoor.*'
		left ''
	done
}

@test "names stay within; the program itself makes no file" {
	for name in ../x /x a//b a/../../x . '' a/; do
		status_is 2 "$O" w/d t "$name"
		has "$stderr" ': Invalid argument$'
		left ''
	done
	status_is 2 "$O" w/d t of
	has "$stderr" ': Is a directory$'
	status_is 0 "$O" w/d t a/b.c/...
	[ -f w/d/a/b.c/... ]
	[ ! -e mine ] || skip 'the kernel has no Landlock'
}
