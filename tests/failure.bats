#!/usr/bin/env bats
# failure.bats - everything that can fail is made to fail, one after the other: each allocation, each
# read, each write. Then a program says so and its status is 2, or its output is what it always is;
# it is never wrong with status 0, and what it feeds never takes it for whole. All programs, none named.

load helpers

# Allocations up to this one each, beyond it one in ten: so that a run ends in time.
EACH=${SPOOR_FAIL_EACH:-40}

setup_file() {
	local lib=$BATS_FILE_TMPDIR/failing.so
	# shellcheck disable=SC2086  # CC may hold flags
	$CC -std=gnu11 -O1 -shared -fPIC -o "$lib" "$ROOT/tests/failing.c" -ldl >&2 || return 0
	# It must get along with the C library of the programs.
	LD_PRELOAD=$lib "$BIN/$(programs | head -1)" --version > "$BATS_FILE_TMPDIR/version" 2>&1 || rm -f "$lib"
	! grep -q -e preload -e failing "$BATS_FILE_TMPDIR/version" || rm -f "$lib"
}

setup() {
	LIB=$BATS_FILE_TMPDIR/failing.so
	[ -f "$LIB" ] || skip "this C library's allocator cannot be replaced"
	cd "$BATS_TEST_TMPDIR"
}

# These loops run programs hundreds of times: in them the shell starts nothing else.

said() { # PROG: a message of the program's own is in err
	[[ $(<err) =~ (^|$'\n')"$1: ". ]] || { echo "status 2 without a message: $(<err)"; return 1; }
}

# judge PROG FILE: after a run with the status $got and messages in err, what was printed is in FILE,
# and should be what is in want.
judge() {
	case $got in
	0) same want "$2" ;;
	2) said "$1" ;;
	*)
		echo "status $got: $(<err)"
		return 1
		;;
	esac
}

# forms PROG: the options that choose its forms of output, one set a line.
forms() {
	echo
	for f in -b -n; do
		! has_option "$1" $f || echo $f
	done
}

# The names in a directory.
names() {
	local IFS=' '
	(shopt -s nullglob dotglob; cd "$1"; echo *)
}

# every_allocation COMMAND: calls it with ever higher FAIL_ALLOC until nothing failed any more.
every_allocation() {
	local n=1
	for ((;;)); do
		: > mark
		export FAIL_ALLOC=$n
		"$@" 9> mark
		runs=$((runs + 1))
		[ -s mark ] || break
		n=$((n < EACH ? n + 1 : n + n / 10 + 1))
	done
	[ "$got" = 0 ]
	[ "$n" -gt 1 ]
	unset FAIL_ALLOC
}

to_file() { # PROG FORM
	got=0
	# shellcheck disable=SC2086
	LD_PRELOAD=$LIB "$BIN/$1" $2 -o o/file "${ops[@]}" "$sample" 2> err || got=$?
	judge "$1" o/file
	if [ "$got" = 0 ]; then
		echo old > o/file
	fi
	[ "$(<o/file)" = old ]
}

allocations() {
	sample "$1"
	runs=0
	rm -rf o && mkdir o && echo old > o/file
	while read -r form; do
		# shellcheck disable=SC2086
		"$1" $form "${ops[@]}" "$sample" > want 2>/dev/null || continue
		every_allocation to_file "$1" "$form"
		[ "$(names o)" = file ]
	done < <(forms "$1")
	echo "# $1: $runs runs" >&3
}
@test "each allocation fails: a message, status 2 and no file, or the same output" { each allocations; }

# A stream that stops before its end: whoever reads it knows.
stream_cut() {
	sample "$1"
	has_option "$1" -b || return 0
	local n status cut=0 whole
	for form in -b '-t -H'; do
		for ((n = 20; n < 400; n += 1 + n / 20)); do
			: > mark
			# shellcheck disable=SC2086
			FAIL_REST=1 FAIL_ALLOC=$n LD_PRELOAD=$LIB "$BIN/$1" $form --line-buffered "${ops[@]}" \
				"$sample" "$sample" "$sample" 2> err 9> mark | tee out |
				trace_reader > /dev/null 2> err2 &&
				status=("${PIPESTATUS[@]}") || status=("${PIPESTATUS[@]}")
			[ -s mark ] || break
			got=${status[0]}
			# Where a decoder is stopped before it has written anything, there is no stream.
			if [ "$got" = 2 ] && [ -s out ]; then
				cut=$((cut + 1))
				[ "${status[2]}" = 2 ]
				[[ $(<err2) =~ 'cut off'|'had trouble' ]]
			fi
		done
	done
	echo "# $1: $cut streams cut" >&3
}
# The first program that reads the binary stream.
trace_reader() {
	"$reader" "${reader_ops[@]}"
}
@test "a stream whose producer failed is told from a whole one" {
	local prog
	for prog in $(programs); do
		sample "$prog"
		has_option "$prog" -b || continue
		"$prog" -b "${ops[@]}" "$sample" > stream
		for reader in $(programs); do
			operands "$reader"
			reader_ops=("${ops[@]}")
			"$reader" "${reader_ops[@]}" stream > out 2>/dev/null || continue
			[ ! -s out ] || break 2
		done
	done
	each stream_cut
}

little_by_little() {
	sample "$1"
	while read -r form; do
		# shellcheck disable=SC2086
		"$1" $form "${ops[@]}" "$sample" "$sample" > want 2> want.err || :
		for size in 1 7 4095; do
			got=0
			# shellcheck disable=SC2086
			FAIL_SHORT=$size FAIL_INTR=1 LD_PRELOAD=$LIB "$BIN/$1" $form -o out \
				"${ops[@]}" "$sample" "$sample" 2> err || got=$?
			# Where a form is refused, it is so every time.
			same want.err err
			[ ! -s want ] || same want out
			# shellcheck disable=SC2086
			FAIL_SHORT=$size FAIL_INTR=1 LD_PRELOAD=$LIB "$BIN/$1" $form "${ops[@]}" \
				< "$sample" 2> err | cat > out
			# shellcheck disable=SC2086
			"$BIN/$1" $form "${ops[@]}" < "$sample" 2> want2.err > want2 || :
			same want2 out
			same want2.err err
		done
	done < <(forms "$1")
}
@test "reads and writes that are short, and interrupted each time, change nothing" { each little_by_little; }

# inject PROG WHAT PATH COMMAND: with strace, call number 1, 2, ... of those that concern the path.
inject() {
	local prog=$1 what=$2 path=$3 n
	shift 3
	for ((n = 1; n <= 6; n++)); do
		got=0
		strace -f -qq -o trace -P "$path" -e trace="${what%%:*}" -e inject="$what:when=$n" "$@" > out 2> err ||
			got=$?
		[[ $(<trace) == *INJECTED* ]] || break
		runs=$((runs + 1))
		if [ "$got" = 0 ]; then
			same want out
		else
			[ "$got" = 2 ]
			said "$prog"
		fi
	done
}

reads_fail() {
	sample "$1"
	runs=0
	"$1" "${ops[@]}" "$sample" > want
	# A name may tell a rank: it stays.
	mkdir -p inputs
	input=$PWD/inputs/${sample##*/}
	cp "$sample" "$input"
	for call in read pread64 '?open,openat' close '?fstat,?newfstatat'; do
		for error in EIO EMFILE; do
			inject "$1" "$call:error=$error" "$input" "$BIN/$1" "${ops[@]}" "$input"
			if [ "$call" = read ] && [ "$runs" -gt 0 ]; then
				[ "$got" = 0 ] # the last one, which nothing failed in
			fi
			[[ $call == read || $error == EIO ]] || break
		done
	done
	[ "$runs" -ge 3 ]
	# In the middle of a pipe.
	echo "# $1: $runs runs" >&3
}
@test "each read, and each open and close of an input, fails" {
	strace -o trace true 2>/dev/null || skip "no strace"
	each reads_fail
}

writes_fail() {
	sample "$1"
	runs=0
	"$1" "${ops[@]}" "$sample" > want
	for error in EIO ENOSPC EPIPE EFBIG; do
		for ((n = 1; n <= 4; n++)); do
			got=0
			: > out
			strace -f -qq -o trace -P "$PWD/out" -e trace=write -e inject="write:error=$error:when=$n" \
				"$BIN/$1" --line-buffered "${ops[@]}" "$sample" > out 2> err || got=$?
			[[ $(<trace) == *INJECTED* ]] || break
			runs=$((runs + 1))
			[ "$got" = 2 ]
			said "$1"
		done
		[ "$n" -gt 1 ]
		[ "$n" -gt 4 ] || same want out
	done
	# -o: all that happens to the temporary and to its name.
	rm -rf o && mkdir o
	for call in write:error=ENOSPC close:error=EIO ?rename,?renameat,renameat2:error=EACCES fchmod:error=EPERM; do
		for ((n = 1; n <= 30; n++)); do
			got=0
			echo old > o/file
			strace -f -qq -o trace -e trace="${call%%:*}" -e inject="$call:when=$n" \
				"$BIN/$1" -o o/file "${ops[@]}" "$sample" > out 2> err || got=$?
			[[ $(<trace) == *INJECTED* ]] || break
			runs=$((runs + 1))
			[ "$(names o)" = file ]
			case $got in
			0) same want o/file ;;
			2)
				said "$1"
				[ "$(<o/file)" = old ]
				;;
			*) [ "$got" = 127 ] ;; # the dynamic linker's
			esac
		done
	done
	echo "# $1: $runs runs" >&3
}
@test "each write fails, each step to a file of -o" {
	strace -o trace true 2>/dev/null || skip "no strace"
	each writes_fail
}
