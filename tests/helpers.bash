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

# Every test runs in a directory of its own. A file that needs more has a setup itself.
setup() {
	cd "$BATS_TEST_TMPDIR" || return
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

# same A B: two files are equal, byte for byte; shows the first differences. B may be -.
same() {
	local a=$1 b=$2
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

# compiled WHERE: counts the files that the make whose lines come in compiles there, and tells who runs
# the tests of every 25th. All other lines that make has not of itself go to standard error.
compiled() {
	local n=0 line
	while read -r line; do
		case $line in
		'CC '*) ;;
		'AR '* | 'LD '* | 'make: '*'up to date.' | 'make: Nothing to be done'*) continue ;;
		*) echo "$line" >&2; continue ;;
		esac
		n=$((n + 1))
		[ $((n % 25)) != 1 ] || { echo "# $1: file $n is compiled" >&3; } 2>/dev/null || :
	done
}

# sanitized TARGET...: makes them under build/asan with AddressSanitizer and UndefinedBehaviorSanitizer.
# Status 1 where the compiler has none; 2 where they cannot be made, which no test may pass over.
sanitized() {
	local san='-fsanitize=address,undefined -fno-sanitize-recover=all' probe=$BATS_FILE_TMPDIR/probe
	echo 'int main(void) { return 0; }' > "$probe.c"
	# shellcheck disable=SC2086  # CC may hold flags
	$CC $san -o "$probe" "$probe.c" 2>/dev/null && "$probe" 2>/dev/null || return 1
	(
		set -o pipefail
		cd "$ROOT" && MAKEFLAGS='' make -j"$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)" CC="$CC" \
			B=build/asan BIN=build/asan/bin CFLAGS="-g1 -O1 $san" "$@" 2>&1 | compiled build/asan
	) || return 2
}

# For tests over all programs, which name none of them.

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

# operands PROG: sets ops to what stands before its files, from its own usage line: an expression for EXPR,
# references for REFS, a kind of picture for KIND.
operands() {
	ops=()
	"$1" --help | head -1 | grep -q ' EXPR' && ops=('event?')
	"$1" --help | head -1 | grep -q ' NAME=EXPR' && ops=('x=addr')
	"$1" --help | head -1 | grep -q ' KIND' && ops=(rate)
	"$1" --help | head -1 | grep -q ' -F FORMAT' && ops=(-F spc -O unordered)
	"$1" --help | grep -q -- '--target TARGET' && ops=(-F csv)
	"$1" --help | head -1 | grep -q ' REFS' && ops=("$FIX/laplace/merged-head.ref")
	return 0
}

# sample PROG: sets sample to a fixture that the program reads, from a file and from a pipe, with
# status 0 and prints something of; and ops. One of which both ways print the same is preferred: a
# format may take a rank from the file's name.
sample() {
	local known=$BATS_FILE_TMPDIR/sample.$1 out=$BATS_TEST_TMPDIR/sample some=''
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
	echo "$sample" > "$known"
}

# results: what is printed of the events. Of a page the tables: the rest of it names all inputs.
results() {
	sed -e '/^<!DOCTYPE html>$/,/^<section id="tables">$/d' -e '/^<pre><code>/d' -e '/^skipped /d'
}

has_option() { # PROG -X
	"$1" --help | grep -Eq -- "(^| )$2([ ,]|\$)"
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
