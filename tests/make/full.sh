#!/bin/sh
# make check-full: the suite with every compiler and machine that is at hand, merges of 10,000 inputs,
# all allocations made to fail, each fuzzer for a minute, all programs under valgrind, LeakSanitizer and MemorySanitizer, clang-tidy, the bounds of memory
# and time, Perfetto's user interface and all pictures in a browser, and 60 mutants.
# Usage: full.sh [PART...]; the parts are those below, in order. What is not installed is skipped.
# shellcheck disable=SC2086  # $ops is nothing, or one word
set -u
cd "$(dirname "$0")/../.." || exit 2
SPOOR_TRACES=${SPOOR_TRACES:-$PWD/../shared/traces}
export SPOOR_TRACES
status=0

say() {
	printf '%-10s %s\n' "${1:+$1:}" "$2"
}

# compiles CC: has headers and a C library.
compiles() {
	printf '%s\n' '#include <errno.h>' 'int main(void) { return errno; }' > build/full/probe.c
	$1 -pthread -o build/full/probe build/full/probe.c 2>/dev/null
}

# build NAME CC [WARN]: a tree of its own, in $tree, without what is built here, and its programs.
# False where that cannot be. What is said goes to $log.
build() {
	tree=$PWD/build/full/$1 log=$PWD/build/full/$1.log warn=${3:-}
	if ! compiles "$2"; then
		say "$1" "skipped: $2 cannot make a program here"
		return 1
	fi
	rm -rf "$tree"
	mkdir -p "$tree"
	tar -cf - --exclude=./build --exclude=./bin --exclude=./.git . | tar -xf - -C "$tree"
	# One word, which every make and every test takes.
	printf '#!/bin/sh\nexec %s "$@"\n' "$2" > "$tree.cc"
	chmod +x "$tree.cc"
	if ! make -s -C "$tree" CC="$tree.cc" ${warn:+WARN="$warn"} > "$log" 2>&1; then
		say "$1" "FAILED to build: see $log"
		status=1
		return 1
	fi
	if grep -q 'warning:' "$log"; then
		say "$1" "FAILED: the compiler warns: see $log"
		status=1
	fi
}

# check NAME [FILE.bats...]: the tests in $tree, or these.
check() {
	name=$1
	shift
	(cd "$tree" && CC=$tree.cc SPOOR_WARN=$warn MAKEFLAGS="CC=$tree.cc" sh tests/make/check.sh "$@") >> "$log" 2>&1 || status=1
	say "$name" "$(tail -1 "$log")"
	grep '^not ok' "$log"
}

# suite NAME CC [WARN]: builds, and runs all tests.
suite() {
	build "$@" && check "$1"
}

# Another machine, with the other byte order: each program behind a script that calls the emulator.
# What tests compile for themselves, generators and harnesses, is of this machine, and so is the
# library for them. A test that cannot go that way says so with need_native.
emulated() {
	qemu=$3
	command -v "$qemu" >/dev/null || qemu=$qemu-static
	if ! command -v "$qemu" >/dev/null; then
		say "$1" "skipped: $3 is not installed"
		return
	fi
	build "$1" "$2 -static" || return
	mkdir "$tree/real"
	for p in "$tree"/bin/*; do
		real=$tree/real/${p##*/}
		mv "$p" "$real"
		# shellcheck disable=SC2016
		printf '#!/bin/sh\nexec %s -0 %s %s "$@"\n' "$qemu" "$p" "$real" > "$p"
		chmod +x "$p"
	done
	printf '#!/bin/sh\nexec cc "$@"\n' > "$tree.cc"
	make -s -C "$tree" CC="$tree.cc" B=build/native BIN=build/native/bin build/native/libcmd.a build/native/libspoor.a >> "$log" 2>&1
	cp "$tree"/build/native/lib*.a "$tree/build"
	SPOOR_EMULATED=1 check "$1"
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
		ops="--tune ${tune:-simd=}"
		"$p" --help | head -1 | grep -q ' EXPR' && ops="$ops event?"
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
		suite m32 "$cc" '-Wall -Wextra -Wshadow -pedantic'
		;;
	musl) suite musl musl-gcc ;;
	# Nothing beyond C11: base/compiler.h.
	plain) suite plain 'cc -DPLAIN_C' ;;
	# A compiler that knows nothing else. (Its arrays of a length that varies are not those that
	# glibc's <regex.h> hopes for.)
	tcc) suite tcc 'tcc -D__STDC_NO_VLA__' ;;
	s390x) emulated s390x s390x-linux-gnu-gcc qemu-s390x ;;
	many)
		SPOOR_MANY=10000 sh tests/make/check.sh tests/bats/merge-time.bats > build/full/many.log 2>&1 || status=1
		say many "10,000 inputs: $(tail -1 build/full/many.log)"
		;;
	failure)
		SPOOR_FAIL_EACH=1000000 sh tests/make/check.sh tests/bats/failure.bats > build/full/failure.log 2>&1 || status=1
		say failure "$(sed -n 's/^# \(.* injected\)/\1/p' build/full/failure.log); $(tail -1 build/full/failure.log)"
		;;
	hostile)
		# The files that do less without SPOOR_FULL.
		set --
		for f in hostile convert attacks columns-random json-lines portable slice threads; do
			set -- "$@" tests/bats/$f.bats
		done
		SPOOR_FULL=1 sh tests/make/check.sh "$@" > build/full/hostile.log 2>&1 || status=1
		say hostile "$(tail -1 build/full/hostile.log)"
		;;
	fuzz)
		${MAKE:-make} -s fuzz SECONDS=60 > build/full/fuzz.log 2>&1 || status=1
		say fuzz "$(grep -c 'finds 0$' build/full/fuzz.log) harnesses found nothing, $(grep -c 'finds [1-9]' build/full/fuzz.log) something"
		;;
	leaks)
		if ! compiles 'cc -fsanitize=address'; then
			say leaks 'skipped: no LeakSanitizer'
			return
		fi
		${MAKE:-make} B=build/asan BIN=build/asan/bin \
			CFLAGS='-g1 -O1 -fsanitize=address,undefined -fno-sanitize-recover=all' all
		ASAN_OPTIONS=detect_leaks=1:exitcode=99 UBSAN_OPTIONS=exitcode=99 LSAN_OPTIONS=exitcode=99 \
			memory leaks build/asan/bin env
		;;
	valgrind)
		if ! command -v valgrind >/dev/null; then
			say valgrind 'skipped: it is not installed'
			return
		fi
		# The quick ways load whole words, behind a line too, and make nothing of what lies there;
		# valgrind sees the load alone. What is "possibly lost" is known by a place within it: a buffer.
		tune=simd=slow memory valgrind bin valgrind -q --error-exitcode=99 --leak-check=full \
			--show-leak-kinds=definite --errors-for-leak-kinds=definite
		memory valgrind+ bin valgrind -q --error-exitcode=99 --undef-value-errors=no
		;;
	msan)
		if ! compiles 'clang -fsanitize=memory'; then
			say msan 'skipped: no clang, or none with MemorySanitizer'
			return
		fi
		${MAKE:-make} -s CC=clang B=build/msan BIN=build/msan/bin \
			CFLAGS='-g1 -O1 -fsanitize=memory -fno-sanitize-recover=all -D_GNU_SOURCE= -Wno-macro-redefined -include tests/make/msan.h' all
		# As for valgrind: the quick ways load what they do not use.
		MSAN_OPTIONS=exitcode=99 tune=simd=slow memory msan build/msan/bin env
		;;
	tidy)
		if ! command -v clang-tidy >/dev/null; then
			say tidy 'skipped: clang-tidy is not installed'
			return
		fi
		log=build/full/tidy.log
		# Checks and reasons: .clang-tidy.
		if printf '%s\n' common/*/*.c cmd/*.c cmd/*/*.c cmd/lib/*/*.c | xargs -P "$(nproc 2>/dev/null || echo 1)" -n 4 sh -c '
			for f; do
				clang-tidy --quiet "$f" -- -std=c11 -D_XOPEN_SOURCE=700 -D_FILE_OFFSET_BITS=64 \
					"-DSPOOR_VERSION=\"0\"" -Icommon -Icmd/lib -Icmd -pthread || bad=1
			done
			exit ${bad:-0}' sh > "$log" 2> "$log.err"; then
			say tidy "$(find common cmd -name '*.c' | wc -l) files, nothing found"
		else
			say tidy "FAILED: $(grep -c ' error: ' "$log") findings: see $log"
			status=1
		fi
		;;
	recipe)
		# The recipes of CONTRIBUTING.md, and then every test.
		tree=$PWD/build/full/recipe log=$PWD/build/full/recipe.log
		rm -rf "$tree"
		if sh tests/recipe.sh "$tree" > "$log" 2>&1; then
			cat "$log"
			rm "$tree/tests/bats/contributing.bats"
			(cd "$tree" && sh tests/make/check.sh) >> "$log" 2>&1 || status=1
			say recipe "$(tail -1 "$log")"
			grep '^not ok' "$log"
		else
			say recipe "FAILED: see $log"
			status=1
		fi
		;;
	ui)
		log=build/full/ui.log
		sh tests/make/check.sh tests/perfetto/ui.bats > "$log" 2>&1 || status=1
		say ui "Perfetto's user interface: $(tail -1 "$log")$(sed -n '/^ok.* # skip/{s/.* # skip/:/p;q;}' "$log")"
		;;
	pictures)
		log=build/full/pictures.log
		sh tests/make/check.sh tests/browser/all.bats > "$log" 2>&1 || status=1
		say pictures "in Chromium: $(tail -1 "$log")$(sed -n '/^ok.* # skip/{s/.* # skip/:/p;q;}' "$log")"
		grep '^not ok' "$log"
		;;
	mutants)
		sh tests/mutate.sh "${MUTANTS:-60}" "${SEED:-1}" > build/full/mutants.log 2>&1 || status=1
		sed -n '/^survivors:/,$p' build/full/mutants.log
		say mutants "$(tail -1 build/full/mutants.log)"
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
[ $# -gt 0 ] || set -- gcc clang m32 musl plain tcc s390x many failure hostile fuzz leaks msan valgrind tidy bounds recipe ui pictures mutants
for p; do
	begun=$(date +%s)
	say "$p" 'begins'
	part "$p"
	say "" "$(($(date +%s) - begun)) s"
done
exit $status
