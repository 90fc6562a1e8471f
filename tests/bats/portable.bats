#!/usr/bin/env bats
# portable.bats - other compilers and makes. (make check-full runs all tests with those that there are.)

load ../helpers

@test "what compilers know beyond C11 is named by one header, beside the same in C11" {
	need_native
	cd "$ROOT"
	# Which code the functions of an AVX2 or AVX-512 file are made of, and whether the machine has it, is asked
	# for where HAVE_AVX2 and HAVE_AVX512 of that header say so.
	grep -En '__builtin_|__attribute|__extension__|__?typeof|__int128|__(GNUC|clang|SSE|AVX|x86_64)|_Atomic|<stdatomic|asm' \
		common/*/*.[ch] cmd/*.c cmd/*/*.[ch] cmd/lib/*/*.[ch] > "$BATS_TEST_TMPDIR/named"
	grep -Ev '^common/base/compiler\.h:|HAVE_AVX(2|512) && |clang attribute push|__attribute__\(\(target\("avx|__builtin_cpu_supports' \
		"$BATS_TEST_TMPDIR/named" | same /dev/null -
}

# every_output BIN: what its programs make of the fixtures, in all forms, and say of them. Without SPOOR_FULL a program
# takes the first fixture of each folder, and of the other fixtures one of eight, the next program the next ones. A
# loop of so many runs is for sh: bats watches every command of its own.
every_output() {
	local p ops i=0
	for p in "$1"/*; do
		operands "${p##*/}"
		i=$((i + 1))
		# shellcheck disable=SC2016
		sh -c 'p=$1 fix=$2 n=$3 folder=; shift 3
			for f in "$fix"/*/*; do
				n=$((n + 1))
				[ "$SPOOR_FULL" ] || [ "${f%/*}" != "$folder" ] || [ $((n % 8)) = 0 ] || continue
				folder=${f%/*}
				for form in -t -b -n; do
					echo "== $f ${p##*/} $form"
					"$p" "$form" "$@" "$f" 2>&1 || echo "status $?"
				done
			done' - "$p" "$FIX" $i "${ops[@]}"
	done
}

@test "in C11 alone the programs say the same, to the byte" {
	need_native
	cd "$BATS_TEST_TMPDIR"
	make -s -C "$ROOT" CC="$CC -DPLAIN_C" B="$PWD/build" BIN="$PWD/bin" CFLAGS=-O0 \
		${SPOOR_WARN:+WARN="$SPOOR_WARN"} > log 2>&1 || { cat log; return 1; }
	same /dev/null log
	every_output "$BIN" > want
	every_output bin > got
	# Where output is not text, the name of the fixture before it says what differs.
	cmp want got || {
		cmp want got | sed 's/.*line //' | { read -r n; head -n "$n" want | grep -a '^== ' | tail -1; }
		diff -a want got | head -20 | cut -c1-200
		return 1
	}
}

@test "make prints a line for each file, with V=1 all, with -s nothing; bmake does the same" {
	need_native
	unset MAKEFLAGS MFLAGS MAKELEVEL # this is no part of the make that runs the tests
	for make in make bmake; do
		command -v "$make" >/dev/null || continue
		copy=$BATS_TEST_TMPDIR/$make
		mkdir -p "$copy/tests"
		cp -R "$ROOT/Makefile" "$ROOT/common" "$ROOT/cmd" "$copy"
		# The rules are the same for every file: without SPOOR_FULL only two folders of each library and the programs are
		# copied.
		[ "${SPOOR_FULL-}" ] || printf '%s\n' "$copy"/common/* "$copy"/cmd/lib/* | awk -F / '
			$(NF - 1) == "lib" ? lib++ > 1 : $NF != "base" && $NF != "cli"' | xargs rm -r
		cp -R "$ROOT/tests/make" "$ROOT/tests/fuzz" "$copy/tests"
		cd "$copy"
		# A compiler that only makes the file.
		printf '#!/bin/sh\nwhile [ $# -gt 0 ]; do [ "$1" != -o ] || : > "$2"; shift; done\n' > cc
		printf '#!/bin/sh\necho "!<arch>" > "$2"\n' > "ar"
		chmod +x cc ar
		set -- CC="$PWD/cc" AR="$PWD/ar"
		"$make" "$@" > said
		{
			find common cmd -name '*.c' | sed 's/^/CC /'
			# The tables of readers that the Makefile asks for.
			sed -n 's|^READS_\([^ ]*\) = .*|CC build/reads/\1.c|p' Makefile
			ls "$BIN" | sed 's|^|LD bin/|'
			printf 'AR build/%s\n' libcmd.a libspoor.a
		} | sort > want
		sort said | same want -
		"$make" "$@" > said
		has "$(cat said)" '^(make: Nothing to be done.*)?$'
		# Another version, and a line that would run but is only to be shown. (bmake's times are whole seconds.)
		sleep 1
		sed -i 's/^VERSION = .*/VERSION = 99.0/' Makefile
		echo 'echo it runs' > tests/make/check.sh
		"$make" -n "$@" check > said
		has "$(cat said)" 'sh tests/make/check\.sh$'
		! grep -x 'it runs' said || return 1
		"$make" "$@" check > said
		# Programs are linked side by side, in any order, between the library and the line.
		[ "$(sed -n '1,2p;$p' said)" = $'CC common/cli/opt.c\nAR build/libspoor.a\nit runs' ]
		sed '1,2d;$d' said | sort | same - <(ls "$BIN" | sed 's|^|LD bin/|')
		rm -r build bin
		"$make" -s "$@" > said
		same /dev/null said
		rm -r build bin
		"$make" "$@" V=1 > said
		[ "$(grep -c '^CC' said)" = 0 ]
		[ "$(grep -c "^$PWD/cc -std=c11 " said)" = "$(grep -vc '^AR' want)" ]
	done
}

@test "a file is made anew when a header changes that it includes" {
	need_native
	unset MAKEFLAGS MFLAGS MAKELEVEL
	cd "$BATS_TEST_TMPDIR"
	mkdir common common/base cmd tests
	cp "$ROOT/Makefile" .
	cp -R "$ROOT/tests/make" "$ROOT/tests/fuzz" tests
	echo '#define STATUS 3' > common/base/a.h
	echo '#define OTHER 3' > common/base/b.h
	printf '#include "base/a.h"\nint a(void);\nint a(void) { return STATUS; }\n' > common/base/a.c
	printf '#include "base/b.h"\nint b(void);\nint b(void) { return OTHER; }\n' > common/base/b.c
	printf 'int a(void);\nint main(void) { return a(); }\n' > cmd/p.c
	for make in make bmake; do
		command -v "$make" >/dev/null || continue
		rm -rf build bin
		echo '#define STATUS 3' > common/base/a.h
		"$make" CC="$CC" > said
		status_is 3 bin/p
		sleep 1
		echo '#define STATUS 4' > common/base/a.h
		"$make" CC="$CC" > said
		status_is 4 bin/p
		[ "$(grep -c '^CC common/base/a.c' said)" = 1 ]
	done
}
