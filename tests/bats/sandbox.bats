#!/usr/bin/env bats
# sandbox.bats - what reads the bytes of strangers has no rights to write.

load ../helpers

setup_file() {
	# shellcheck disable=SC2086  # CC may hold flags
	$CC -std=c11 -D_XOPEN_SOURCE=700 -g -I"$ROOT/common" -I"$ROOT/cmd/lib" -I"$ROOT/cmd" -o "$BATS_FILE_TMPDIR/sandbox" \
		"$ROOT/tests/unit/sandbox.c" "$ROOT/build/libcmd.a" "$ROOT/build/libspoor.a" -pthread -lm
}

setup() {
	need_native
	enter
}

need_landlock() {
	S=$BATS_FILE_TMPDIR/sandbox
	[ "$("$S" version)" -ge 1 ] || skip "the kernel has no Landlock"
}

@test "after opening its output a program can read, finish that output, and nothing else" {
	need_landlock
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

@test "every program enters the sandbox, and before it opens its input but to look whether it is compressed" {
	need_landlock
	strace -o t true 2>/dev/null || skip "no strace"
	for prog in "$BIN"/*; do
		sample "${prog##*/}"
		strace -f -o t -e trace='?open,openat,landlock_restrict_self,prctl' \
			"$prog" "${ops[@]}" "$sample" > out 2>&1
		awk -v file="$sample" '
			/prctl\(PR_SET_NO_NEW_PRIVS, 1.* = 0/ { privs = 1 }
			/landlock_restrict_self\(.* = 0/ && privs { safe = 1 }
			/open(at)?\(/ && index($0, "\"" file "\"") && !/ENOENT/ { seen++; if (!safe && !/O_NONBLOCK/) bad = 1 }
			END { exit bad || !seen }' t || { echo "$prog"; cat t; return 1; }
	done
}

@test "the sandbox takes no time that can be measured" {
	need_landlock
	# Five system calls: less than a millisecond each way, where a process costs more.
	strace -o t -T -e trace=prctl,landlock_create_ruleset,landlock_add_rule,landlock_restrict_self \
		spc-cat -o x "$FIX/spc/Financial1-head.spc" 2>/dev/null || skip "no strace"
	sed 's/.*<\(.*\)>$/\1/' t | awk '/^[0-9.]+$/ { s += $1 } END { exit !(NR && s < 0.005) }'
}

# As OpenBSD's compiler would make a program, with pledge and unveil that only tell how they were called.
as_openbsd() { # PROG
	# shellcheck disable=SC2086  # CC may hold flags
	$CC -std=c11 -D_XOPEN_SOURCE=700 -D_DEFAULT_SOURCE -DSPOOR_VERSION='"0"' -U__linux__ -D__OpenBSD__ \
		-I"$ROOT/tests/openbsd" -I"$ROOT/common" -I"$ROOT/cmd/lib" -I"$ROOT/cmd" -o "$1" "$(mains | grep "/$1\.c$")" "$ROOT/common/base/sandbox.c" \
		"$ROOT/tests/openbsd/calls.c" "$ROOT/build/libcmd.a" "$ROOT/build/libspoor.a" -pthread -lm
}

confined() {
	# What the promises allow (pledge(2)) of what a program asks the system for behind them.
	local stdio='read|readv|pread64|write|writev|lseek|close|fstat|mmap|munmap|mremap|mprotect|madvise|brk'
	stdio="$stdio|fcntl|futex|rt_sig[a-z]*|exit|exit_group|clone3?|getrlimit|getpid|gettid|tgkill|umask|setitimer|sendto|recvfrom|sendmsg|recvmsg|dup|wait4"
	# Of Linux, where the others have nothing, or ask by one of those.
	stdio="$stdio|set_robust_list|rseq|sysinfo|sched_[a-z_]*|getrandom|fadvise64(_64)?"
	# On 32 bits.
	stdio="$stdio|_llseek|fstat64|mmap2|fcntl64|ugetrlimit|futex_time64|clock_gettime64"
	local rpath='open|openat|newfstatat|fstatat64|stat|lstat|stat64|lstat64|statx|readlink|readlinkat|getcwd|getdents64|access|faccessat2?'
	# They read no trace, and start those that do.
	case $1 in trace-report | trace-advise | trace-diff) return 0 ;; esac
	as_openbsd "$1"
	sample "$1"
	mkdir -p o
	# Few descriptors: who wants more has to ask before.
	(ulimit -S -n 64; strace -f -o t "./$1" -o "$PWD/o/file" "${ops[@]}" "$sample" 2> err)
	grep -E '^(unveil|pledge) ' err > calls
	printf 'unveil / r\nunveil no more\npledge stdio rpath sendfd recvfd\n' | same - calls
	strace -f -o t2 "./$1" "${ops[@]}" "$sample" 2> err > out
	grep -E '^(unveil|pledge) ' err > calls
	printf 'unveil / r\nunveil no more\npledge stdio rpath sendfd recvfd\n' | same - calls
	same out o/file
	for t in t t2; do
		# The process that gives the output its name reads nothing of strangers.
		local namer
		namer=$(awk '/linkat|renameat/ { print $1; exit }' $t)
		[ $t = t2 ] || [ "$namer" ]
		sed "1,/^[0-9]* *writev\{0,1\}(2, .*pledge /d; /^${namer:-none} /d; s/^[0-9]* *//" $t > behind
		grep -q 'exit_group' behind
		grep -Ev "^(($stdio|$rpath)[( ]|prlimit64\(0, [A-Z_]*, NULL,|ioctl\([0-9]*, (TCGETS|TIOCGWINSZ)[, ]|[-+<]|\)|$)" behind |
			grep -v '^<\.\.\. ' > beyond || :
		grep -E '^open.*(O_WRONLY|O_RDWR|O_CREAT|O_TRUNC)' behind >> beyond || :
		same /dev/null beyond
	done
	# The output gets its name, whatever fails; and what can still be given up is.
	for n in 1 2 3; do
		FAIL_UNVEIL=$n "./$1" -o "$PWD/o/file" "${ops[@]}" "$sample" 2> err
		grep -E '^(unveil|pledge) ' err | tail -1 | same - <(echo 'pledge stdio rpath sendfd recvfd')
	done
}
@test "OpenBSD: every program calls unveil, then pledge, and asks for nothing that they forbid" {
	strace -o t true 2>/dev/null || skip "no strace"
	each confined
}
