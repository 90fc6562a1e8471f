# helpers.bash - loaded by every .bats file.
# BIN: the programs. FIX: the project's own fixtures. TRACES: a collection of real traces with what
# other tools print of them, where there is one; tests over it are skipped elsewhere.
# shellcheck shell=bash
ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
BIN=$ROOT/bin
# shellcheck disable=SC2034  # used by the tests
FIX=$ROOT/tests/fixtures
TRACES=${SPOOR_TRACES:-$ROOT/../shared/traces}
PATH=$BIN:$PATH
export LC_ALL=C
# What tests compile with, as the programs were: a compiler and perhaps its flags.
CC=${CC:-cc}

# Every test runs in a directory of its own. A file that needs more has a setup itself, which calls this.
# bats notes the line of each command before it runs, which takes 0.3 ms: only for the test's own commands, not
# in functions that it calls.
enter() {
	set +T
	cd "$BATS_TEST_TMPDIR" || return
}
setup() { enter; }

# generator SOURCE: makes $BATS_FILE_TMPDIR/gen of a program in tests/, with the library.
generator() {
	$CC -std=c11 -D_XOPEN_SOURCE=700 -O1 -I"$ROOT/common" -I"$ROOT/cmd/lib" -I"$ROOT/cmd" -o "$BATS_FILE_TMPDIR/gen" \
		"$ROOT/tests/$1" "$ROOT/build/libcmd.a" "$ROOT/build/libspoor.a" -pthread
}

# needs PROGRAM: the test is skipped where there is none.
needs() {
	command -v "$1" > /dev/null || skip "no $1"
}

need_traces() {
	[ -d "$TRACES/$1" ] || skip "SPOOR_TRACES names no collection with traces of $1"
}

# status_is N COMMAND...: runs it with stdout in $output and stderr in $stderr, asserts the status.
status_is() {
	local want=$1 got=0
	shift
	output=$("$@" 2>"$BATS_TEST_TMPDIR/stderr") || got=$?
	stderr=$(cat "$BATS_TEST_TMPDIR/stderr")
	if [ "$got" != "$want" ]; then
		echo "status $got, expected $want: $*"
		echo "stdout: $output" | head -20
		echo "stderr: $stderr" | head -20
		return 1
	fi
}

# same A B: two files are equal, byte for byte; shows the first differences. One may be -.
same() {
	local a=$1 b=$2
	[ "$a" != - ] || { a=$BATS_TEST_TMPDIR/same.stdin; cat > "$a"; }
	[ "$b" != - ] || { b=$BATS_TEST_TMPDIR/same.stdin; cat > "$b"; }
	cmp "$a" "$b" || { diff "$a" "$b" | head -20 | cut -c1-200; return 1; }
}

has() { # TEXT PATTERN: an extended regular expression matches
	grep -Eq -- "$2" <<<"$1" || { echo "no match for $2 in:"; echo "$1" | head -20; return 1; }
}

# need_native: for a test that compiles programs of spoor, runs make on them, traces system calls, looks
# at processes, or needs the memory and speed of a real machine.
need_native() {
	[ -z "${SPOOR_EMULATED-}" ] || skip "not in an emulator"
}

# sanitized TARGET...: makes them under build/asan with AddressSanitizer and UndefinedBehaviorSanitizer, as
# tests/make/asan.sh does. Status 1 where the compiler has none, or for make quick, which has no time for them; 2 where
# they cannot be made, which no test may pass over.
sanitized() {
	[ ! "${SPOOR_QUICK-}" ] || return 1
	CC=$CC sh "$ROOT/tests/make/asan.sh" "$@" > "$BATS_FILE_TMPDIR/asan.log" 2>&1 || {
		[ $? = 1 ] || { cat "$BATS_FILE_TMPDIR/asan.log"; return 2; }
		return 1
	}
}

# For tests over all programs, which name none of them.

# mains: the source of each program.
mains() {
	find "$ROOT/cmd" -maxdepth 2 -name '*.c' | sort | awk -F / '{ name = $NF; sub(/\.c$/, "", name) } $(NF - 1) == "cmd" || $(NF - 1) == name'
}

# SPOOR_PROGRAMS: only these.
programs() {
	for p in ${SPOOR_PROGRAMS:-"$BIN"/*}; do
		echo "${p##*/}"
	done
}

# each COMMAND...: runs it with the name of every program behind. Not to be called where a failure is
# looked at (if, ||): the shell would ignore all but the last of the command's own.
each() {
	for prog in $(programs); do
		echo "== $prog"
		"$@" "$prog"
	done
}

# What is found out of a program once for all files of a run: make check says where. A tree within this
# one has programs of its own.
case ${SPOOR_RUN-} in "$ROOT"/*) ;; *) SPOOR_RUN=${BATS_RUN_TMPDIR:-$BATS_FILE_TMPDIR} ;; esac

# usage PROG: sets usage to what --help prints.
usage() {
	local known=$SPOOR_RUN/usage.${1##*/}
	if [ ! -f "$known" ]; then
		"$1" --help > "$known.$$"
		mv "$known.$$" "$known" # whole, whoever else is at it
	fi
	usage=$(<"$known")
}

# operands PROG: sets ops to what stands before its files, from its own usage line: an expression for EXPR,
# references for REFS, a kind of picture for KIND, a trace for OLD.
operands() {
	local usage line
	usage "$1"
	line=${usage%%$'\n'*}
	ops=()
	[[ $line != *' EXPR'* ]] || ops=('event?')
	[[ $line != *' NAME=EXPR'* ]] || ops=('x=addr')
	[[ $line != *' KIND'* ]] || ops=(rate)
	[[ $usage != *'--target NAME'* ]] || ops=(-T csv)
	[[ $line != *' -T NAME'* ]] || ops=(-T spc -O unordered)
	# Findings have no status 0, but SARIF without any has its head.
	[[ $usage != *'--sarif '* ]] || ops=(--sarif)
	[[ $line != *' OLD'* ]] || ops=("$FIX/spc/Financial1-head.spc")
	[[ $line != *' REFS'* ]] || ops=("$FIX/laplace/merged-head.ref")
}

# sample PROG: sets sample to a fixture that the program reads, from a file and from a pipe, with
# status 0 and prints something of; and ops. One of which both ways print the same is preferred: a
# format may take a rank from the file's name.
sample() {
	local known=$SPOOR_RUN/sample.${1##*/} out=$BATS_TEST_TMPDIR/sample some=''
	operands "$1"
	if [ -f "$known" ]; then
		sample=$(<"$known")
		return
	fi
	while read -r sample; do
		if "$1" "${ops[@]}" "$sample" > "$out" 2>/dev/null && [ -s "$out" ] &&
		    "$1" "${ops[@]}" < "$sample" > "$out.pipe" 2>/dev/null; then
			[ -n "$some" ] || some=$sample
			! cmp -s "$out" "$out.pipe" || break
		fi
	done < <(find "$FIX" -type f | LC_ALL=C sort)
	sample=${sample:-$some}
	[ -n "$sample" ] || { echo "$1: no fixture that it reads"; return 1; }
	echo "$sample" > "$known.$$"
	mv "$known.$$" "$known"
}

# results: what is printed of the events. Of a page the tables: the rest of it names all inputs. Commands of findings have the
# options.
results() {
	sed -e '/^<!DOCTYPE html>$/,/^<section id="tables">$/d' -e '/^<pre><code>/d' -e '/^    trace-/d' -e '/^skipped /d'
}

has_option() { # PROG -X
	local usage
	usage "$1"
	[[ $usage =~ (^|[$' \n'])$2($|[$' ,\n']) ]]
}

# waits_for SECONDS COMMAND...: until the command succeeds.
waits_for() {
	local tries=$(($1 * 50))
	shift
	while ! "$@" 2>/dev/null; do
		[ $((tries -= 1)) -gt 0 ] || return 1
		sleep 0.02
	done
}

# peak_of COMMAND...: the most memory that it has, in KiB.
peak_of() {
	[ -x cpu ] || "${CC:-cc}" -O2 -std=c11 -o cpu "$ROOT/tests/bench/cpu.c"
	./cpu 1 "$@" | awk '{ print $2 }'
}
