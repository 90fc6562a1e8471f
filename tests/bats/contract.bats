#!/usr/bin/env bats
# contract.bats - what every program promises. No program is named here: all of bin/ is tried.

load ../helpers

@test "there are programs to try" {
	[ -n "${SPOOR_PROGRAMS-}" ] || [ "$(programs | wc -l)" -ge 3 ]
}

help_and_version() {
	status_is 0 "$1" --help
	has "$output" "^usage: $1 "
	[ -z "$(grep -oE -- ' (-[A-Za-z]|--[a-z-]+)[, ]' <<<"${output%examples:*}" | sort | uniq -d)" ]
	[ -z "$stderr" ]
	status_is 0 "$1" --version
	[ "$output" = "$1 (spoor) $(sed -n 's/^VERSION = //p' "$ROOT/Makefile")" ]
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
}
@test "a bad option: one line on stderr, status 2" { each bad_option; }

no_argument() {
	local o all
	all=$("$1" --help | sed -nE 's/^ +(-[A-Za-z]|--[a-z-]+)(, --[a-z-]+)? [A-Z].*/\1/p')
	has "$all" '^-o$'
	for o in $all; do
		status_is 2 "$1" "$o"
		has "$stderr" "^$1: $o needs an argument "
	done
}

@test "an option without the argument that it needs is named" { each no_argument; }

# others_complete PROG FILE: with that file among good ones, what is printed of those is complete, and
# the status 2. A report counts what was skipped.
others_complete() {
	"$1" "${ops[@]}" "$sample" | results > alone
	for order in "$2 $sample" "$sample $2"; do
		# shellcheck disable=SC2086
		status_is 2 "$1" "${ops[@]}" $order
		has "$stderr" "^$1: "
		results <<<"$output" | same alone -
	done
}

missing_file() {
	sample "$1"
	status_is 2 "$1" "${ops[@]}" none "$sample"
	has "$stderr" "^$1: none: No such file"
	others_complete "$1" none
}
@test "a missing file is reported, the others are read, status 2" { each missing_file; }

broken_file() {
	sample "$1"
	others_complete "$1" noise
}
# The next program of a pipeline tells such a stream from one without events.
unreadable() {
	usage "$1"
	operands "$1"
	for form in b H; do
		grep -q "^ *-$form, *--\(binary\|header\)" <<<"$usage" || continue
		streams=$((streams + 1))
		"$1" "-$form" "${ops[@]}" nosuch.file > stream 2> said && return 1
		[ "$form" = b ] || tail -n 1 stream | grep '^##error	events='
		status_is 2 trace-stats -a count --no-header < stream
		has "$stderr" 'the producer of this stream had trouble'
	done
}
@test "a stream of which no input could be read says so to its reader" {
	streams=0
	each unreadable
	[ -n "${SPOOR_PROGRAMS-}" ] || [ "$streams" -gt 0 ]
	# One that is not recognised, through a program between them.
	printf 'junk\nx y\n' > junk
	status_is 2 sh -c "trace-pair -b --begin a --end b junk 2>said | trace-filter -b '*' 2>>said | trace-stats -a count"
}

@test "one broken file among others: those are complete, status 2" {
	# Bytes that no format begins with.
	awk 'BEGIN { for (i = 0; i < 4000; i++) printf "%c", (i * i * 7 + i * 131 + 200) % 120 + 130 }' \
		> noise
	each broken_file
}

unreadable_file() {
	sample "$1"
	local got=0
	"${drop[@]}" "$BIN/$1" "${ops[@]}" locked \
		> out 2> err || got=$?
	[ "$got" = 2 ]
	has "$(cat err)" "^$1: locked: Permission denied"
	# Another file is read all the same.
	"$1" "${ops[@]}" "$sample" | results > alone
	"${drop[@]}" "$BIN/$1" "${ops[@]}" locked "$sample" \
		> out 2> err || got=$?
	[ "$got" = 2 ]
	results < out | same alone -
}
@test "a file that must not be read is reported, the others are read, status 2" {
	echo secret > locked
	chmod 0 locked
	drop=()
	if [ "$(id -u)" = 0 ]; then
		# Root without the right to read everything.
		# shellcheck disable=SC2054  # the comma is setpriv's
		drop=(setpriv --bounding-set=-dac_override,-dac_read_search)
		"${drop[@]}" true || skip "setpriv(1) cannot take rights away"
	fi
	! "${drop[@]}" cat locked 2>/dev/null || skip "every file can be read here"
	each unreadable_file
}

directory() {
	sample "$1"
	mkdir -p dir
	status_is 2 "$1" "${ops[@]}" dir
	has "$stderr" "^$1: dir: "
}
@test "a directory that is no trace is reported, status 2" { each directory; }

empty_input() {
	operands "$1"
	local got=0
	"$1" "${ops[@]}" < /dev/null > out 2> err || got=$?
	# Of a format whose every trace has a beginning it is one of a run that died.
	[ "$got" != 2 ] || { has "$(cat err)" "^$1: <stdin>: .* is empty"; return 0; }
	[ "$got" -le 1 ]
	# A page would show nothing, and is not written.
	[ "$got" != 1 ] || [ "$(cat err)" != "$1: no events: there is nothing to show" ] || return 0
	[ ! -s err ]
	# 1 is "nothing matched": only for a program that matches.
	[ "$got" = 0 ] || [ "${#ops[@]}" = 1 ]
}
@test "an empty input is no error, or told as such" { each empty_input; }

full_disk() {
	sample "$1"
	local got=0
	"$1" "${ops[@]}" "$sample" > /dev/full 2> err || got=$?
	[ "$got" = 2 ]
	has "$(cat err)" "^$1: .*No space left"
	got=0
	"$1" --help > /dev/full 2> err || got=$?
	[ "$got" = 2 ]
}
@test "a full disk is reported, status 2" { each full_disk; }

closed_output() {
	sample "$1"
	local got=0
	"$1" "${ops[@]}" "$sample" >&- 2> err || got=$?
	[ "$got" = 2 ]
	has "$(cat err)" "^$1: .*Bad file descriptor"
}
@test "a closed standard output is reported, status 2" { each closed_output; }

closed_input() {
	operands "$1"
	local got=0
	"$1" "${ops[@]}" <&- > /dev/null 2> err || got=$?
	[ "$got" = 2 ]
	has "$(cat err)" "^$1: "
}
@test "a closed standard input is reported, status 2" { each closed_input; }

reader_gone() {
	sample "$1"
	local got
	got=$( { { sleep 0.2; "$1" "${ops[@]}" "$sample"; echo "$?" >&3; } 2>err | :; } 3>&1)
	[ "$got" = 141 ]
	! grep -i -e pipe -e write err
}
@test "a reader that goes away ends a program in silence, by SIGPIPE" { each reader_gone; }

terminal() {
	has_option "$1" -b || return 0
	command -v script >/dev/null || skip "script(1) is not there"
	sample "$1"
	local got=0
	script -qec "'$BIN/$1' -b ${ops[*]:+'${ops[*]}'} '$sample'" /dev/null \
		> screen < /dev/null || got=$?
	[ "$got" = 2 ]
	has "$(cat screen)" "not written to a terminal"
}
@test "binary output to a terminal is refused, status 2" { each terminal; }

output_file() {
	sample "$1"
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

# Runs in a file system that is full but for the names of files.
full_disk_output() {
	sample "$1"
	local got=0
	"$BIN/$1" -o d/file "${ops[@]}" "$sample" 2> err || got=$?
	[ "$got" = 2 ]
	has "$(cat err)" "^$1: d/file: .*No space left"
	[ "$(cat d/file)" = old ]
	[ "$(ls -A d)" = $'file\nfiller' ]
}
@test "-o on a full disk: the old file stays, nothing else is left, status 2" {
	mkdir d
	unshare -rm mount -t tmpfs -o size=64k none d 2>/dev/null || skip "no file system can be mounted"
	each sample # before, as root or not
	export -f full_disk_output sample operands usage has each programs
	export BIN FIX ROOT SPOOR_RUN BATS_TEST_TMPDIR
	# shellcheck disable=SC2016
	unshare -rm bash -euc 'mount -t tmpfs -o size=64k none d
		echo old > d/file
		cat /dev/zero > d/filler 2>/dev/null || :
		each full_disk_output'
}

file_size_limit() {
	sample "$1"
	rm -rf o && mkdir o && echo old > o/file
	# A limit that is told by a signal, and one that is told by an error.
	for trap in - ''; do
		local got=0
		(
			# shellcheck disable=SC2064  # now is meant
			trap "$trap" XFSZ
			ulimit -c 0 -f 0
			exec "$BIN/$1" -o o/file "${ops[@]}" "$sample"
		) 2> >(cat > err) || got=$?
		[ "$got" = 2 ] || [ "$trap$got" = "-$((128 + $(kill -l XFSZ)))" ]
		[ "$(cat o/file)" = old ]
		[ "$(ls -A o)" = file ]
	done
	waits_for 2 grep -q "^$1: .*File too large" err
}
@test "-o beyond the limit of a file's size: as on a full disk" {
	each file_size_limit
}

# The sample, then nothing more: the program waits when the signal comes.
killed() {
	sample "$1"
	rm -f fifo && mkfifo fifo
	for sig in TERM INT HUP; do
		rm -rf k && mkdir k && echo old > k/file
		# Background jobs ignore SIGINT, and under nohup SIGHUP; env undoes that.
		env --default-signal=TERM,INT,HUP "$BIN/$1" -o k/file "${ops[@]}" < fifo &
		local pid=$! got=0
		exec 7> fifo
		cat "$sample" >&7
		# It is there when the process is that would give the file its name.
		waits_for 5 eval 'pgrep -P "$pid" > /dev/null'
		kill -"$sig" "$pid"
		wait "$pid" || got=$?
		exec 7>&-
		[ "$got" = $((128 + $(kill -l "$sig"))) ]
		waits_for 5 eval '[ "$(ls -A k)" = file ]'
		[ "$(cat k/file)" = old ]
	done
}
@test "a run that is killed leaves no file behind, and the old one as it was" { each killed; }

deterministic() {
	sample "$1"
	"$1" "${ops[@]}" "$sample" > a
	"$1" "${ops[@]}" "$sample" > b
	same a b
	TZ=Asia/Tokyo LC_ALL=de_DE.UTF-8 LANG=tr_TR.UTF-8 "$1" "${ops[@]}" "$sample" > b
	same a b
	"$1" "${ops[@]}" < "$sample" > a
	# shellcheck disable=SC2002  # a pipe is meant
	cat "$sample" | "$1" "${ops[@]}" - | cat > b
	same a b
}
@test "the same input gives the same bytes, whatever TZ and LC_ALL, from a file or a pipe" {
	each deterministic
}

progress() {
	sample "$1"
	"$1" "${ops[@]}" < "$sample" > a 2> err.alone
	"$1" --progress "${ops[@]}" < "$sample" > b 2>/dev/null
	same a b
	# It reads nothing itself, and does not end by the signal.
	[[ $1 != trace-report && $1 != trace-advise ]] || return 0
	# These read nothing themselves, and do not end by the signal.
	[[ $1 != trace-report && $1 != trace-diff ]] || return 0
	# SIGUSR1 while it waits for input: it goes on, with a line on stderr when it has read some.
	rm -f fifo && mkfifo fifo
	"$BIN/$1" "${ops[@]}" < fifo > c 2> err &
	local pid=$!
	exec 7> fifo
	waits_for 30 catches "$pid" "$(kill -l USR1)"
	kill -USR1 "$pid"
	cat "$sample" >&7
	exec 7>&-
	wait "$pid"
	same a c
	grep -q "^$1: .* MB read, [0-9]* events" err
	grep -v "^$1: .* MB read, [0-9]* events" err | same err.alone -
}
# catches PID NUMBER: the process catches that signal by now. Elsewhere than on Linux a second must do.
catches() {
	local mask
	[ -d /proc/self ] || { sleep 1; return; }
	mask=$(awk '$1 == "SigCgt:" { print $2 }' "/proc/$1/status")
	(((16#${mask:8} >> ($2 - 1) & 1) == 1))
}
@test "--progress and SIGUSR1 leave the output alone" {
	need_native
	each progress
}

contradiction() {
	has_option "$1" -b || return 0
	sample "$1"
	status_is 2 "$1" -t -b "${ops[@]}" "$sample"
	has "$stderr" 'contradict'
	[ -z "$output" ]
}
@test "options that contradict each other are refused" { each contradiction; }

@test "those of single programs, too, and by their names" {
	while read -r prog one others; do
		for other in $others; do
			for pair in "$one $other" "$other $one"; do
				# shellcheck disable=SC2086  # two words
				status_is 2 "$prog" $pair x
				a=${one%%=*} b=${other%%=*}
				has "$stderr" "^$prog: ($a and $b|$b and $a) contradict each other "
			done
		done
	done <<-'END'
	charisma-dump --dump-layout -M -t -b -H
	charisma-dump -M -t -b -H
	dumpi2txt --compat -t -b -n -H -A -M
	laplace-bin2txt -r -t -b -H -A --hz=2 --pad
	laplace-merge --pages -t -b -H -A --hz=2
	laplace-merge --processes=d --pages -t -b -H -A --hz=2 -o=x
	ovni-dump -M -t -b -H -A --compat -D
	trace-filter -c -q -d
	trace-stats -m --chunk=1/2 --spread
	trace-plot -m --spread --step=1s
	trace-stats -J -p --tsv --csv --no-header
	trace-stats -S=a -p
	trace-stats --head=1 -p
	trace-stats --csv -p --tsv
	trace-stats --no-header -p
	END
}

# kinds: for each option with an argument, what two of it are: PROGRAM OPTION KIND, two values, and what else is given.
# The first line that fits counts. last: the second; list: both, as with a comma; once: refused; own: both count, or are
# refused, and the test of the option is elsewhere.
kinds() {
	cat <<-'END'
	trace-diff (-k|--(old|new|ignore)) own
	. -e once size>1 event
	trace-stats --having once count>1 count<3 -a count
	trace-merge --align-event once size>1 event
	trace-pair --(begin|end|name) own
	trace-merge --(offset|scale|files) own
	trace-derive --meta own
	trace-check -(W|I) own
	trace-check --capacity own
	trace-check --severity last error note
	trace-check --max last 1 2
	trace-check --baseline own
	trace-advise --(threshold|ignore|baseline|explain) own
	trace-advise --severity last error note
	trace-advise --head last 1 2
	trace-diff -g list loc event -a count
	trace-diff -a list count max(time)
	trace-diff -w last 1s 2s -a count
	trace-diff --having once count>1 count<3 -a count
	trace-diff -S last count max(time) -a count,max(time)
	trace-diff --(min|ratio) last 1 2
	trace-diff --head last 1 2
	trace-anonymise --also list loc event
	trace-anonymise --keep list loc event --also loc,event
	trace-anonymise --map last a b
	trace-anonymise --key-file own
	trace-plot --(log|linear) own
	trace-stats -S own
	. -O own
	trace-export -C list size addr -T chrome
	trace-export --fields list time event
	trace-filter -F list time event
	trace-reuse --at list 8 1
	trace-merge --match list loc addr again
	trace-stats -g list loc event
	trace-stats -a list count max(time)
	trace-reuse -g list loc event
	trace-filter -k list loc event -F loc,nth
	trace-pair -k list size loc --begin event=read --end event=write
	. -k list loc event -e nth>2
	laplace-merge --order last little big
	(trace-access|trace-reuse) --unit last 4096 512
	(trace-convert|trace-export|trace-merge) --addr-unit last 2 1
	spc-cat --block last 2 1
	trace-access --(align|near|keys|max-streams) last 64 16
	trace-access --(file|node) last event loc
	trace-convert -T last spc columns
	trace-export -T last csv tsv
	trace-export --null last x y
	trace-export --replay-file last a b -T fio
	trace-export --actions last Q QDC -T blktrace
	trace-export --split last 1 4096 -T libcachesim
	trace-export -K last addr size -T libcachesim
	trace-plot --mark list 0.002=a 0.004=b
	. --arrows own
	trace-plot --step last 1ms 2ms
	trace-plot --(max|min) last 900 90 -a count
	trace-plot -y last size addr
	trace-plot -g last event loc
	trace-plot -a last count sum(size)
	. --title last one two
	. --theme last light dark
	. --size last 400x300 84mmx55mm
	. --font last 8pt 10px
	. --caption last one two
	. --colours last 2 1
	. --width last 90 50 --terminal
	trace-merge --align last first none
	trace-merge --resort last 5 auto
	trace-pair --pairing last queue stack
	trace-match --eager last 1 100
	trace-stats -w last 1s 2s
	trace-stats --origin last 1s 3s -w 5s
	trace-stats --accuracy last 1 7 -a median(time)
	trace-stats --head last 1 2 -g event
	trace-stats --wide last event loc -g loc,event
	trace-reuse -K last loc event
	trace-reuse --weight last size addr
	trace-reuse --policy last lru opt
	trace-reuse -w last 1s 2s
	trace-reuse --(keys|seed) last 16 17
	trace-reuse --sample last 1 1/2
	trace-filter --head last 1 2
	laplace-merge --kernel-base last 1 0xc0000000
	laplace-merge --(table|processes) last a b
	. -o last a b
	. -j last 1 2
	. -f last - -
	. --chunk last 1/2 2/2
	. --(from|to) last 0 1
	. --hz last 1 1k
	. --label own
	charisma-dump --async-window last 1 2
	charisma-dump (-L|--preset) own
	dumpi2txt --align last start start
	dumpi2txt --rank last 1 2
	dumpi2txt --sizes last lp64 lp64
	dumpi2txt --compat last =all  
	laplace-bin2txt --order last big little
	ovni-dump --release last 1.0 1.0.0
	END
}

given() { # OPTION VALUE...: runs the program with that option for each VALUE, and more; prints all that comes of it
	local name=$1 got=0 v words=()
	shift
	for v; do
		case $name in --*) words+=("$name${v:+=${v#=}}") ;; *) words+=("$name" "$v") ;; esac
	done
	"$prog" "${ops[@]}" "${more[@]}" "${words[@]}" "$sample" > printed 2>&1 || got=$?
	grep -av -e '<code>trace-' -e '^    trace-' printed || : # the commands of a page, and of findings
	echo "status $got"
}

given_twice() {
	local prog=$1 letter name comma arg which option kind one two more
	sample "$prog"
	cp "$sample" again
	while IFS=$'\t' read -r letter name comma arg; do
		[ "$arg" ] || continue
		while read -r which option kind one two more; do
			[[ $prog =~ ^$which && ( $letter =~ ^($option)$ || $name =~ ^($option)$ ) ]] && break
			kind=''
		done < <(kinds)
		[ "$letter" != '(none)' ] && option=$letter || option=$name
		read -ra more <<<"$more"
		echo "$prog $option: $kind"
		[[ $kind = own || $comma = list && $kind = list || $comma$kind != *list* ]] # as completion has it
		rm -rf a b
		case $kind in
		own) ;;
		once)
			status_is 2 "$prog" "${ops[@]}" "${more[@]}" "$option" "$one" "$option" "$two" "$sample"
			[ "$stderr" = "$prog: $option is given twice: $option '($one) and ($two)' or $option '($one) or ($two)' (try $prog --help)" ]
			;;
		list)
			given "$option" "$one,$two" > want
			given "$option" "$one" "$two" | same want -
			grep -q '^status 0$' want
			if given "$option" "$two" | cmp -s want -; then return 1; fi
			;;
		last)
			given "$option" "$two" > want
			rm -rf a b
			given "$option" "$one" "$two" | same want -
			[ ! -e a ]
			;;
		*)
			echo "$prog: what two of $option are is not in the table"
			return 1
			;;
		esac
	done < <("$prog" --complete | tail -n +2 | awk -F'\t' -v OFS='\t' '{ print $1 ? $1 : "(none)", $2, $NF == "," ? "list" : "one", $3 }')
}
@test "an option that is given twice: the last counts, a list grows, two tests are refused" { each given_twice; }

@test "two of -S, --linear and --files count, each as it is" {
	local t=$FIX/spc/Financial1-head.spc
	trace-stats -g event,loc -a count -S event -S -count "$t" > got
	{ head -1 got; tail -n +2 got | sort -k1,1 -k3,3nr; } | same got -
	trace-plot heat -y size --linear y --linear z "$t" > got
	trace-plot heat -y size --linear yz "$t" | same got -
	trace-plot heat -y size --linear z "$t" > one
	if cmp -s got one; then return 1; fi
	echo "$t" > a
	echo "$FIX/spc/WebSearch2-first10.spc" > b
	trace-merge -l a -l b > got
	trace-merge "$t" "$(cat b)" | same got -
}
