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

need_traces() {
	[ -d "$TRACES/$1" ] || skip "no trace collection at $TRACES/$1"
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
