#!/usr/bin/env bats
# contract.bats - what every program promises. No program is named here: all of bin/ is tried.

load helpers

programs() {
	for p in "$BIN"/*; do
		basename "$p"
	done
}

# operands PROG: what stands before its files, from its own usage line: an expression for EXPR.
operands() {
	ops=()
	"$1" --help | head -1 | grep -q ' EXPR' && ops=('event?')
	return 0
}

# sample PROG: sets $sample to a fixture that the program reads with status 0 and prints something of.
sample() {
	operands "$1"
	for sample in "$FIX"/*/*; do
		[ -f "$sample" ] || continue
		if "$1" "${ops[@]}" "$sample" > "$BATS_TEST_TMPDIR/sample" 2>/dev/null &&
		    [ -s "$BATS_TEST_TMPDIR/sample" ]; then
			return 0
		fi
	done
	echo "$1: no fixture that it reads"
	return 1
}

has_option() {
	"$1" --help | grep -Eq -- "(^| )$2([ ,]|\$)"
}

each() {
	for prog in $(programs); do
		"$@" "$prog" || { echo "failed for $prog"; return 1; }
	done
}

@test "there are programs to try" {
	[ "$(programs | wc -l)" -ge 3 ]
}

help_and_version() {
	status_is 0 "$1" --help
	has "$output" "^usage: $1 "
	[ -z "$stderr" ]
	status_is 0 "$1" --version
	has "$output" "^$1 \(spoor\) [0-9]+\.[0-9]+"
	[ "$(wc -l <<<"$output")" = 1 ]
}
@test "--help and --version print to stdout, status 0" { each help_and_version; }

bad_option() {
	status_is 2 "$1" --vers
	has "$stderr" "unknown option --vers"
	status_is 2 "$1" --no-such-option
	[ -z "$output" ]
	has "$stderr" "^$1: .*no-such-option"
	[ "$(wc -l <<<"$stderr")" = 1 ]
	status_is 2 "$1" -o
	has "$stderr" "^$1: .*argument"
}
@test "a bad option: one line on stderr, status 2" { each bad_option; }

missing_file() {
	sample "$1"
	status_is 2 "$1" "${ops[@]}" "$BATS_TEST_TMPDIR/none" "$sample"
	has "$stderr" "^$1: $BATS_TEST_TMPDIR/none: No such file"
	# The other file is read all the same.
	"$1" "${ops[@]}" "$sample" > "$BATS_TEST_TMPDIR/alone"
	[ "$output" = "$(cat "$BATS_TEST_TMPDIR/alone")" ] || has "$1" 'stats'
}
@test "a missing file is reported, the others are read, status 2" { each missing_file; }

directory() {
	sample "$1"
	mkdir -p "$BATS_TEST_TMPDIR/dir"
	status_is 2 "$1" "${ops[@]}" "$BATS_TEST_TMPDIR/dir"
	has "$stderr" "^$1: $BATS_TEST_TMPDIR/dir: "
}
@test "a directory that is no trace is reported, status 2" { each directory; }

empty_input() {
	operands "$1"
	local got=0
	"$1" "${ops[@]}" < /dev/null > "$BATS_TEST_TMPDIR/out" 2> "$BATS_TEST_TMPDIR/err" || got=$?
	[ "$got" -le 1 ]
	[ ! -s "$BATS_TEST_TMPDIR/err" ]
	# 1 is "nothing matched": only for a program that matches.
	[ "$got" = 0 ] || [ "${#ops[@]}" = 1 ]
}
@test "an empty input is no error" { each empty_input; }

full_disk() {
	sample "$1"
	local got=0
	"$1" "${ops[@]}" "$sample" > /dev/full 2> "$BATS_TEST_TMPDIR/err" || got=$?
	[ "$got" = 2 ]
	has "$(cat "$BATS_TEST_TMPDIR/err")" "^$1: .*No space left"
	got=0
	"$1" --help > /dev/full 2> "$BATS_TEST_TMPDIR/err" || got=$?
	[ "$got" = 2 ]
}
@test "a full disk is reported, status 2" { each full_disk; }

closed_output() {
	sample "$1"
	local got=0
	"$1" "${ops[@]}" "$sample" >&- 2> "$BATS_TEST_TMPDIR/err" || got=$?
	[ "$got" = 2 ]
	has "$(cat "$BATS_TEST_TMPDIR/err")" "^$1: .*Bad file descriptor"
}
@test "a closed standard output is reported, status 2" { each closed_output; }

closed_input() {
	operands "$1"
	local got=0
	"$1" "${ops[@]}" <&- > /dev/null 2> "$BATS_TEST_TMPDIR/err" || got=$?
	[ "$got" = 2 ]
	has "$(cat "$BATS_TEST_TMPDIR/err")" "^$1: "
}
@test "a closed standard input is reported, status 2" { each closed_input; }

reader_gone() {
	sample "$1"
	local got
	got=$( { { sleep 0.2; "$1" "${ops[@]}" "$sample"; echo "$?" >&3; } 2>"$BATS_TEST_TMPDIR/err" | :; } 3>&1)
	[ "$got" = 141 ]
	! grep -i -e pipe -e write "$BATS_TEST_TMPDIR/err"
}
@test "a reader that goes away ends a program in silence, by SIGPIPE" { each reader_gone; }

terminal() {
	has_option "$1" -b || return 0
	command -v script >/dev/null || skip "script(1) is not there"
	sample "$1"
	local got=0
	script -qec "'$BIN/$1' -b ${ops[*]:+'${ops[*]}'} '$sample'" /dev/null \
		> "$BATS_TEST_TMPDIR/tty" < /dev/null || got=$?
	[ "$got" = 2 ]
	has "$(cat "$BATS_TEST_TMPDIR/tty")" "not written to a terminal"
}
@test "binary output to a terminal is refused, status 2" { each terminal; }

output_file() {
	sample "$1"
	cd "$BATS_TEST_TMPDIR"
	rm -rf o && mkdir o
	"$1" "${ops[@]}" "$sample" > plain
	"$1" -o o/file "${ops[@]}" "$sample"
	same plain o/file
	[ "$(ls -A o)" = file ]
	# A run that fails leaves the old file, and nothing else.
	status_is 2 "$1" -o o/file "${ops[@]}" "$sample" none
	same plain o/file
	[ "$(ls -A o)" = file ]
	status_is 2 "$1" -o none/file "${ops[@]}" "$sample"
	[ ! -e none ]
}
@test "-o: the file appears whole, or stays as it was" { each output_file; }

killed() {
	sample "$1"
	cd "$BATS_TEST_TMPDIR"
	rm -rf k && mkdir k
	mkfifo pipe
	for sig in TERM INT HUP; do
		# The sample, then nothing more: the program waits when the signal comes.
		exec 4<> pipe
		# bash lets background jobs ignore SIGINT; env undoes that where it can.
		env --default-signal=INT "$BIN/$1" -o k/file "${ops[@]}" < pipe 4>&- &
		pid=$!
		cat "$sample" >&4
		for ((i = 0; i < 100; i++)); do
			[ -z "$(ls -A k)" ] || break
			sleep 0.05
		done
		[ -n "$(ls -A k)" ]
		kill -"$sig" "$pid"
		wait "$pid" || :
		exec 4>&-
		[ -z "$(ls -A k)" ] || { ls -A k; return 1; }
	done
	rm pipe
}
@test "a run that is killed leaves no file behind" { each killed; }

deterministic() {
	sample "$1"
	"$1" "${ops[@]}" "$sample" > "$BATS_TEST_TMPDIR/a"
	TZ=Asia/Tokyo LC_ALL=de_DE.UTF-8 "$1" "${ops[@]}" "$sample" > "$BATS_TEST_TMPDIR/b"
	same "$BATS_TEST_TMPDIR/a" "$BATS_TEST_TMPDIR/b"
}
@test "the same input gives the same bytes, whatever TZ and LC_ALL" { each deterministic; }

progress() {
	sample "$1"
	"$1" "${ops[@]}" "$sample" > "$BATS_TEST_TMPDIR/a"
	"$1" --progress "${ops[@]}" "$sample" > "$BATS_TEST_TMPDIR/b" 2>/dev/null
	same "$BATS_TEST_TMPDIR/a" "$BATS_TEST_TMPDIR/b"
	# SIGUSR1 while it waits for input: a line on stderr, and it goes on.
	{
		cat "$sample"
		sleep 0.4
	} | { "$1" "${ops[@]}" 2> "$BATS_TEST_TMPDIR/err" > "$BATS_TEST_TMPDIR/c" & pid=$!
		sleep 0.2; kill -USR1 $pid; wait $pid; }
}
@test "--progress and SIGUSR1 leave the output alone" { each progress; }

contradiction() {
	has_option "$1" -b || return 0
	sample "$1"
	status_is 2 "$1" -t -b "${ops[@]}" "$sample"
	has "$stderr" 'contradict'
	[ -z "$output" ]
}
@test "options that contradict each other are refused" { each contradiction; }
