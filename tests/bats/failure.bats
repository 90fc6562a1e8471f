#!/usr/bin/env bats
# failure.bats - everything that can fail is made to fail, one after the other: each allocation, each
# read, each write, each open and close. Then a program says so and its status is 2, or its output is
# what it always is; it is never wrong with status 0, what it feeds never takes it for whole, and no
# memory is lost. All programs, none named. Ends with how many faults there were.

load ../helpers

# Each of the first so many; beyond, every so many times as many: so that a run ends in time.
EACH=${SPOOR_FAIL_EACH:-5} STEP=3
[ "$EACH" -le 10 ] || ALL=1

setup_file() {
	cd "$BATS_FILE_TMPDIR" || return 1
	echo 0 > injected
	# Traces of several files.
	mkdir -p many/ranks
	# shellcheck disable=SC2086  # CC may hold flags
	$CC -std=c11 -D_XOPEN_SOURCE=700 -I"$ROOT/common" -I"$ROOT/cmd/lib" -I"$ROOT/cmd" -o gen_ovni "$ROOT/tests/gen/gen_ovni.c" &&
		./gen_ovni ovni && mv ovni/v2/unsorted/ovni many/v2 && mv ovni/v3/ties/ovni many/v3 || return 1
	# shellcheck disable=SC2086
	$CC -std=c11 -D_XOPEN_SOURCE=700 -I"$ROOT/common" -I"$ROOT/cmd/lib" -I"$ROOT/cmd" -o gen_dumpi "$ROOT/tests/gen/gen_dumpi.c" \
		"$ROOT/build/libcmd.a" "$ROOT/build/libspoor.a" -pthread || return 1
	for i in 0 1 2; do
		./gen_dumpi file 0.13.0 8 79 0 0,18,124 > many/ranks/r-000$i.bin || return 1
	done
	printf 'hostname=a\nnumprocs=3\nfileprefix=r\n' > many/ranks/r.meta
	# A build that finds what is lost.
	sanitized all || [ $? = 1 ] || return 1
	# Libraries that are loaded before the C library, where that can be: they count in all threads, and
	# must get along with the one of the programs.
	echo 'int n; int probe(void); int probe(void) { return __atomic_add_fetch(&n, 1, __ATOMIC_RELAXED); }' > probe.c
	# shellcheck disable=SC2086
	if $CC -shared -fPIC -o probe.so probe.c -ldl 2> probe.log; then
		$CC -std=gnu11 -O1 -shared -fPIC -o failing.so "$ROOT/tests/unit/failing.c" -ldl &&
			$CC -std=gnu11 -O1 -DIO_ONLY -shared -fPIC -o io.so "$ROOT/tests/unit/failing.c" -ldl &&
			$CC -std=c11 -D_XOPEN_SOURCE=700 -O1 -o faults "$ROOT/tests/unit/faults.c" || return 1
	fi
	for lib in failing.so io.so; do
		if ! LD_PRELOAD=$PWD/$lib "$BIN/$(programs | head -1)" --version > version 2>&1 ||
		    grep -q -e preload -e failing -e io.so version; then
			rm -f $lib
		fi
	done
}

teardown_file() {
	echo "# $(<"$BATS_FILE_TMPDIR/injected") faults injected" >&3
}

setup() {
	need_native
	LIB=$BATS_FILE_TMPDIR/failing.so
	MANY=$BATS_FILE_TMPDIR/many
	enter
	runs=0 taken=''
}

need_lib() {
	[ -f "$LIB" ] || skip "nothing can be loaded before the C library here"
}

need_strace() {
	strace -o trace true 2>/dev/null || skip "no strace"
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

# sampled PROG: does what sample does, but lets no program start the forty programs of trace-advise: when a close fails
# that strace keeps from happening, the last program of a pipe would wait for ever.
sampled() {
	sample "$1"
	case $1 in trace-advise) ops+=(--ignore '*') ;; trace-report) ops+=(-e 'event?') ;; esac
}

# inputs PROG: sets inputs to its sample and the traces of several files that it reads with status 0; in a
# short run the first program of a test that reads such a trace has it for all: the decoders are the same.
inputs() {
	sampled "$1"
	inputs=("$sample")
	for f in "$MANY"/v? "$MANY"/ranks/r.meta; do
		if [[ ! "$taken" == *" $f "* ]] && "$1" "${ops[@]}" "$f" > o.some 2>/dev/null && [ -s o.some ]; then
			inputs+=("$f")
			[ "$ALL" ] || taken="$taken $f "
		fi
	done
	rm -f o.some
}

# The names in a directory.
names() {
	local IFS=' '
	(shopt -s nullglob dotglob; cd "$1"; echo *)
}

# counted PROG: says how many faults there were, and adds them up.
counted() {
	echo "# $1: $runs faults" >&3
	echo $(($(<"$BATS_FILE_TMPDIR/injected") + runs)) > "$BATS_FILE_TMPDIR/injected"
	runs=0
}

# faults MODE ARGUMENTS...: tests/unit/faults.c makes one after the other fail, and says what was wrong.
faults() {
	local n
	n=$("$BATS_FILE_TMPDIR/faults" "$@" < /dev/null)
	runs=$((runs + n))
}

allocations() {
	# In a short run each of its read and write errors is enough.
	[ "$ALL" ] || [ "$1" != trace-advise ] || return 0
	inputs "$1"
	rm -rf o && mkdir o
	for input in "${inputs[@]}"; do
		while read -r form; do
			# shellcheck disable=SC2086
			"$1" $form "${ops[@]}" "$input" > want 2>/dev/null || continue
			# Every one to the output, in a short run of the first form; to a file, which takes a process of
			# its own each time and one more that names it, some. After the first few the two differ no more.
			if [ "$ALL" ] || [ ! "$form" ]; then
				# shellcheck disable=SC2086
				faults sweep "$LIB" want alloc -- "$BIN/$1" $form "${ops[@]}" "$input"
			fi
			# shellcheck disable=SC2086
			faults -e $EACH -s $STEP file "$LIB" want o/file old alloc -- \
				"$BIN/$1" $form -o o/file "${ops[@]}" "$input"
			[ "$(names o)" = file ]
			[ "$input" = "$sample" ] || break
		done < <(forms "$1")
	done
	counted "$1"
}
@test "each allocation fails: a message, status 2 and no file, or the same output" {
	need_lib
	each allocations
}

# Reads and writes by the program itself; what the C library's streams read is strace's part below.
transfers() {
	local bin=$BIN whats
	# shellcheck disable=SC2097,SC2098
	if ASAN_OPTIONS=verify_asan_link_order=0 LD_PRELOAD=$BATS_FILE_TMPDIR/io.so \
		"$ROOT/build/asan/bin/$1" --version > /dev/null 2>&1; then
		bin=$ROOT/build/asan/bin
		export ASAN_OPTIONS=verify_asan_link_order=0:detect_leaks=1:exitcode=99 LSAN_OPTIONS=exitcode=99
	fi
	inputs "$1"
	rm -rf o && mkdir o
	for input in "${inputs[@]}"; do
		while read -r form; do
			# shellcheck disable=SC2086
			"$1" $form "${ops[@]}" "$input" > want 2>/dev/null || continue
			# EIO, ENOSPC. In a short run each form has one of them. Reading does not depend on the form.
			if [ "$ALL" ]; then
				whats=(write:5 write:28 read:5)
			elif [ "$form" ]; then
				whats=(write:5)
			else
				whats=(write:28 read:5)
			fi
			# shellcheck disable=SC2086
			faults -e $EACH -s $STEP file "$BATS_FILE_TMPDIR/io.so" want o/file new "${whats[@]}" -- \
				"$bin/$1" $form -o o/file "${ops[@]}" "$input"
			[ -z "$(names o)" ]
		done < <(forms "$1")
	done
	counted "$1"
}
@test "each read and each write fails: a message, status 2, no file, and no memory is lost" {
	need_lib
	each transfers
}

# Programs one behind the other: the first that reads a stream and writes one, and the first that reads
# one and writes none, behind each that writes one.
find_pipeline() {
	local prog
	producers=() middle='' last=''
	for prog in $(programs); do
		! has_option "$prog" -b || producers+=("$prog")
	done
	sample "${producers[0]}"
	"${producers[0]}" -b "${ops[@]}" "$sample" > stream
	for prog in $(programs); do
		operands "$prog"
		if ! "$prog" "${ops[@]}" stream > out 2>/dev/null || [ ! -s out ]; then
			continue
		elif has_option "$prog" -b; then
			middle=${middle:-$prog}
		else
			last=${last:-$prog}
		fi
	done
	operands "$middle"
	middle_ops=("${ops[@]}")
	operands "$last"
	last_ops=("${ops[@]}")
	"$last" "${last_ops[@]}" < /dev/null > nothing
}

pipelines() {
	sampled "$1"
	for form in -b '-t -H'; do
		# shellcheck disable=SC2086
		"$1" $form "${ops[@]}" "$sample" "$sample" 2> err | "$middle" $form "${middle_ops[@]}" |
			"$last" "${last_ops[@]}" > want
		# shellcheck disable=SC2086
		faults -e $EACH -s $STEP pipe "$LIB" want nothing alloc read:5 write:5 -- \
			"$BIN/$1" $form "${ops[@]}" "$sample" "$sample" -- \
			"$BIN/$middle" $form "${middle_ops[@]}" -- "$BIN/$last" "${last_ops[@]}"
	done
	counted "$1"
}
@test "in a pipeline of three each allocation, read and write of each fails: the last one knows" {
	need_lib
	find_pipeline
	# Each time runs three programs: fewer in a short run.
	[ "$ALL" ] || EACH=5 STEP=2
	for prog in "${producers[@]}"; do
		[ "$prog" = "$middle" ] || pipelines "$prog"
	done
}

# A stream that stops before its end: whoever reads it knows.
stream_cut() {
	sampled "$1"
	for form in -b '-t -H'; do
		# shellcheck disable=SC2086
		faults cut "$LIB" -- "$BIN/$1" $form --line-buffered "${ops[@]}" "$sample" "$sample" "$sample" -- \
			"$BIN/$middle" "${middle_ops[@]}"
	done
	[ "$runs" = 0 ] || cut=$((cut + 1))
	counted "$1"
}
@test "a stream whose producer failed is told from a whole one" {
	need_lib
	find_pipeline
	cut=0
	for prog in "${producers[@]}"; do
		stream_cut "$prog"
	done
	# Of two formats the same file three times is one file, and the two merges read all that is so
	# short before they write: there all is written at the end.
	[ "$cut" -ge $((${#producers[@]} - 4)) ]
}

little_by_little() {
	inputs "$1"
	while read -r form; do
		# shellcheck disable=SC2086
		"$1" $form "${ops[@]}" "$sample" "$sample" > want 2> want.err || :
		# shellcheck disable=SC2086
		"$BIN/$1" $form "${ops[@]}" < "$sample" 2> want2.err > want2 || :
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
			same want2 out
			same want2.err err
		done
	done < <(forms "$1")
	# Of a trace of several files too.
	for input in "${inputs[@]}"; do
		"$1" "${ops[@]}" "$input" > want
		FAIL_SHORT=7 FAIL_INTR=1 LD_PRELOAD=$LIB "$BIN/$1" "${ops[@]}" "$input" > out
		same want out
	done
}
@test "reads and writes that are short, and interrupted each time, change nothing" {
	need_lib
	each little_by_little
}

# inject PROG CALLS:HOW COMMAND...: with strace, call number 1, 2, ... of those that concern the
# paths in $paths. What it prints goes to out.
inject() {
	local prog=$1 what=$2 n=1
	shift 2
	for ((;;)); do
		got=0
		strace -f -qq -o trace "${paths[@]/#/-P}" -e trace="${what%%:*}" -e inject="$what:when=$n" "$@" \
			> out 2> err || got=$?
		[[ $(<trace) == *INJECTED* ]] || break
		runs=$((runs + 1))
		judge "$prog" out || { echo "$what:when=$n: $*"; cat trace; return 1; }
		n=$((n < EACH / 3 ? n + 1 : n + n / STEP + 1))
	done
}

reads_fail() {
	inputs "$1"
	for input in "${inputs[@]}"; do
		if [ "$input" = "$sample" ]; then
			# A name may tell a rank: it stays.
			mkdir -p inputs
			cp "$sample" inputs
			paths=("$PWD/inputs/${sample##*/}")
			input=${paths[0]}
		else
			mapfile -t paths < <(find "${input%/r.meta}")
		fi
		"$1" "${ops[@]}" "$input" > want
		for what in read:error=EIO pread64:error=EIO '?open,openat:error=EIO' '?open,openat:error=EMFILE' \
			close:error=EIO '?fstat,?newfstatat,?stat,?statx:error=EIO' getdents64:error=EIO lseek:error=EIO; do
			inject "$1" "$what" "$BIN/$1" "${ops[@]}" "$input"
		done
	done
	[ "$runs" -ge 3 ]
	counted "$1"
}
@test "each read, open, look at and close of an input or of its directory fails" {
	need_strace
	each reads_fail
}

writes_fail() {
	sampled "$1"
	"$1" "${ops[@]}" "$sample" > want
	paths=("$PWD/out")
	# In a short run each program has two of them.
	errors=(EIO ENOSPC EPIPE EFBIG)
	[ "$ALL" ] || errors=("${errors[turn % 4]}" "${errors[(turn + 1) % 4]}")
	turn=$((turn + 1))
	for error in "${errors[@]}"; do
		: > out
		inject "$1" "write:error=$error" "$BIN/$1" --line-buffered "${ops[@]}" "$sample"
		[ "$got" = 0 ] # the last one, which nothing failed in
		same want out
	done
	# -o: all that happens to the temporary and to its name.
	rm -rf o && mkdir o
	for call in write:error=ENOSPC close:error=EIO '?rename,?renameat,renameat2:error=EACCES' linkat:error=ENOSPC \
		'?fork,?vfork,clone:error=EAGAIN' socketpair:error=EMFILE openat:error=EMFILE fchmod:error=EPERM; do
		for ((n = 1; n <= 30; n = ALL || n < EACH / 3 ? n + 1 : n + n / STEP + 1)); do
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
	counted "$1"
}
@test "each write fails, each step to a file of -o" {
	need_strace
	turn=0
	each writes_fail
}
