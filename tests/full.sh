#!/bin/sh
# make check-full: the suite with every compiler and machine that is at hand, all allocations made to
# fail, all programs under valgrind and LeakSanitizer, and the bounds of memory and time.
# Usage: full.sh [PART...]; the parts are those below, in order. What is not installed is skipped.
# shellcheck disable=SC2086  # $ops is nothing, or one word
set -u
cd "$(dirname "$0")/.." || exit 2
SPOOR_TRACES=${SPOOR_TRACES:-$PWD/../shared/traces}
export SPOOR_TRACES
status=0

say() {
	printf '%-10s %s\n' "$1:" "$2"
}

# copy NAME: a tree of its own, without what is built.
copy() {
	tree=$PWD/build/full/$1
	rm -rf "$tree"
	mkdir -p "$tree"
	tar -cf - --exclude=./build --exclude=./bin --exclude=./.git . | tar -xf - -C "$tree"
}

# compiles CC: a program that uses threads and the mathematical functions.
compiles() {
	printf '%s\n' '#include <errno.h>' 'int main(void) { return errno; }' > build/full/probe.c
	$1 -pthread -o build/full/probe build/full/probe.c -lm 2>/dev/null
}

# suite NAME CC [WARN]: the tests in a tree of its own. The log is kept.
suite() {
	name=$1 cc=$2 warn=${3:-}
	if ! compiles "$cc"; then
		say "$name" "skipped: $cc cannot make a program here"
		return
	fi
	copy "$name"
	log=$tree.log
	# One word, and what every make below takes.
	printf '#!/bin/sh\nexec %s "$@"\n' "$cc" > "$tree.cc"
	chmod +x "$tree.cc"
	cc=$tree.cc
	if ! make -s -C "$tree" CC="$cc" ${warn:+WARN="$warn"} > "$log" 2>&1; then
		say "$name" "FAILED to build: see $log"
		status=1
		return
	fi
	if grep -q 'warning:' "$log"; then
		say "$name" "FAILED: the compiler warns: see $log"
		status=1
	fi
	(cd "$tree" && CC=$cc MAKEFLAGS="CC=$cc" sh tests/check.sh) >> "$log" 2>&1 || status=1
	say "$name" "$(tail -1 "$log")"
	grep '^not ok' "$log"
}

# Another machine, with the other byte order: each program behind a script that calls the emulator.
# Left out are tests that compile against the library, trace system calls or look at processes.
emulated() {
	name=$1 cc="$2 -static" qemu=$3
	command -v "$qemu" >/dev/null || qemu=$qemu-static
	if ! command -v "$qemu" >/dev/null || ! compiles "$cc"; then
		say "$name" "skipped: $2 or $3 is not installed"
		return
	fi
	copy "$name"
	log=$tree.log
	if ! make -s -C "$tree" CC="$cc" > "$log" 2>&1; then
		say "$name" "FAILED to build: see $log"
		status=1
		return
	fi
	mkdir "$tree/real"
	for p in "$tree"/bin/*; do
		real=$tree/real/${p##*/}
		mv "$p" "$real"
		# shellcheck disable=SC2016
		printf '#!/bin/sh\nexec %s -0 %s %s "$@"\n' "$qemu" "$p" "$real" > "$p"
		chmod +x "$p"
	done
	tests=
	for t in "$tree"/tests/*.bats; do
		grep -q 'strace\|libspoor.a\|harness\|/proc/\|make ' "$t" || tests="$tests tests/${t##*/}"
	done
	# shellcheck disable=SC2086
	(cd "$tree" && SPOOR_EMULATED=1 sh tests/check.sh $tests) >> "$log" 2>&1 || status=1
	say "$name" "$(tail -1 "$log")"
	grep '^not ok' "$log"
}

# memory NAME BIN COMMAND...: every program over every fixture, to a file, cut short, and through a
# pipe; COMMAND stands before it and exits with 99 where it finds something.
# shellcheck disable=SC2086  # ops is one word or none
memory() {
	name=$1 bin=$2
	shift 2
	runs=0 found=0
	log=build/full/$name.log
	: > "$log"
	for p in "$bin"/*; do
		ops=
		"$p" --help | head -1 | grep -q ' EXPR' && ops='event?'
		forms=-o/dev/null
		for o in -b -n; do
			"$p" --help | grep -q -- "^ *$o," && forms="$forms $o"
		done
		for f in tests/fixtures/*/*; do
			"$p" $ops "$f" > /dev/null 2>&1
			[ $? -lt 2 ] || [ "$(($(cksum < "$f" 2>/dev/null | cut -d' ' -f1) % 5))" = 0 ] || continue
			for form in $forms; do
				echo "== $p $form $f" >> "$log"
				"$@" "$p" "$form" $ops "$f" > /dev/null 2>> "$log"
				[ $? != 99 ] || found=$((found + 1))
				runs=$((runs + 1))
			done
			[ -f "$f" ] || continue
			echo "== $p, cut: $f" >> "$log"
			head -c "$(($(wc -c < "$f") * 2 / 3))" "$f" | "$@" "$p" $ops > /dev/null 2>> "$log"
			[ $? != 99 ] || found=$((found + 1))
			runs=$((runs + 1))
		done
	done
	say "$name" "$runs runs, $found with errors or leaks"
	[ "$found" = 0 ] || status=1
}

part() {
	case $1 in
	gcc) suite gcc gcc ;;
	clang) suite clang clang ;;
	m32)
		cc='gcc -m32'
		# Without gcc-multilib: the headers of both are the same, but for where they lie.
		compiles "$cc" || cc="gcc -m32 -idirafter /usr/include/$(gcc -print-multiarch 2>/dev/null)"
		# A 64-bit length that is known to be small goes into a size_t of 32 bits.
		suite m32 "$cc" '-Wall -Wextra -Wshadow'
		;;
	musl) suite musl musl-gcc ;;
	s390x) emulated s390x s390x-linux-gnu-gcc qemu-s390x ;;
	failure)
		SPOOR_FAIL_EACH=1000000 sh tests/check.sh tests/failure.bats > build/full/failure.log 2>&1 || status=1
		say failure "$(sed -n 's/^# .*: \([0-9]*\) runs/\1/p' build/full/failure.log |
			awk '{ n += $1 } END { print n }') failures injected; $(tail -1 build/full/failure.log)"
		;;
	leaks)
		if ! compiles 'cc -fsanitize=address'; then
			say leaks 'skipped: no LeakSanitizer'
			return
		fi
		${MAKE:-make} -s B=build/asan BIN=build/asan/bin \
			CFLAGS='-g -O1 -fsanitize=address,undefined -fno-sanitize-recover=all' all
		ASAN_OPTIONS=detect_leaks=1:exitcode=99 UBSAN_OPTIONS=exitcode=99 LSAN_OPTIONS=exitcode=99 \
			memory leaks build/asan/bin env
		;;
	valgrind)
		if ! command -v valgrind >/dev/null; then
			say valgrind 'skipped: it is not installed'
			return
		fi
		# The quick ways load whole words, behind a line too, and make nothing of what lies there;
		# valgrind sees the load alone.
		SPOOR_SIMD=slow memory valgrind bin valgrind -q --error-exitcode=99 --leak-check=full \
			--errors-for-leak-kinds=definite,possible
		memory valgrind+ bin valgrind -q --error-exitcode=99 --undef-value-errors=no
		;;
	bounds)
		sh tests/bounds.sh > build/full/bounds.log 2>&1 || status=1
		cat build/full/bounds.log
		;;
	*)
		echo "full.sh: no part $1" >&2
		status=2
		;;
	esac
}

mkdir -p build/full
[ $# -gt 0 ] || set -- gcc clang m32 musl s390x failure leaks valgrind bounds
for p; do
	part "$p"
done
exit $status
