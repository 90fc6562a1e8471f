#!/usr/bin/env bats
# safe.bats - what strangers could do: links where output goes, names that reach a terminal, chosen
# names and numbers.

load ../helpers

setup() { enter; }

through_links() {
	sample "$1"
	rm -rf o && mkdir o o/there
	"$1" "${ops[@]}" "$sample" > plain
	echo old > o/there/file
	chmod 640 o/there/file
	ln -s there/file o/link
	ln -s link o/second
	"$1" -o o/second "${ops[@]}" "$sample"
	same plain o/there/file
	[ -L o/second ]
	[ -L o/link ]
	[ "$(stat -c %a o/there/file)" = 640 ]
	# A link to where nothing is yet.
	ln -s there/new o/dangling
	(umask 027; "$1" -o o/dangling "${ops[@]}" "$sample")
	same plain o/there/new
	[ "$(stat -c %a o/there/new)" = 640 ]
	[ -L o/dangling ]
	[ "$(names o/there)" = 'file new' ]
	ln -s loop o/loop
	status_is 2 "$1" -o o/loop "${ops[@]}" "$sample"
	has "$stderr" "^$1: o/loop: Too many levels"
}
@test "-o follows links, and an older file keeps its mode" { each through_links; }

no_regular_file() {
	sample "$1"
	"$1" "${ops[@]}" "$sample" > plain
	ln -sf /dev/stdout out
	"$1" -o out "${ops[@]}" "$sample" > file
	same plain file
	"$1" -o out "${ops[@]}" "$sample" | same plain -
	"$1" -o /dev/stdout "${ops[@]}" "$sample" > file
	same plain file
	[ -L /dev/stdout ]
	[ -L out ]
	rm -f fifo && mkfifo fifo
	cat fifo > got &
	"$1" -o fifo "${ops[@]}" "$sample"
	wait "$!"
	same plain got
	[ -p fifo ]
	if [ -c /dev/null ]; then
		"$1" -o /dev/null "${ops[@]}" "$sample"
		[ -c /dev/null ]
	fi
	# A file that has no name any more.
	exec 7> gone
	rm gone
	"$1" -o /dev/fd/7 "${ops[@]}" "$sample"
	same plain /dev/fd/7
	exec 7>&-
	[ ! -e gone ]
}
@test "-o writes to what is no regular file, and never replaces it" { each no_regular_file; }

# The names in a directory.
names() {
	local IFS=' '
	(shopt -s nullglob dotglob; cd "$1"; echo *)
}

@test "500 runs of -o that are killed at any time, by any signal, leave nothing, or the whole file" {
	# shellcheck disable=SC2046  # names without blanks
	set -- $(programs)
	local i=0 sigs=(HUP INT QUIT ILL ABRT BUS FPE KILL USR2 SEGV PIPE ALRM TERM XCPU XFSZ VTALRM PROF IO)
	# Found out once for each program, not in each run. (No operand has a blank.)
	local -A samples operands
	for prog; do
		sample "$prog"
		samples[$prog]=$sample operands[$prog]=${ops[*]}
		"$BIN/$prog" "${ops[@]}" "$sample" > "want.$prog"
	done
	mkdir -p k
	mkfifo tick
	exec 8<> tick
	while [ "$i" -lt 500 ]; do
		prog=${*:i % $# + 1:1}
		sample=${samples[$prog]}
		read -ra ops <<<"${operands[$prog]}"
		sig=${sigs[i % ${#sigs[@]}]}
		if [ $((i % 3)) = 0 ]; then
			echo old > k/of-safe
		else
			rm -f k/of-safe
		fi
		env --default-signal "$BIN/$prog" -o k/of-safe "${ops[@]}" "$sample" 2>/dev/null &
		pid=$!
		# Up to some 6 ms: a run takes 2 or 3. (Nobody writes there.)
		read -r -t "0.00$((RANDOM % 7))" -u 8 || :
		kill -"$sig" "$pid" 2>/dev/null || :
		wait "$pid" 2>/dev/null || :
		# The process that gives the name is the last to end.
		if [ "$(names k)" != of-safe ] && [ "$(names k)" != '' ]; then
			waits_for 5 eval '[ "$(names k)" = of-safe ] || [ "$(names k)" = "" ]'
		fi
		if [ -e k/of-safe ] && [ "$(head -c 4 k/of-safe)" != "old" ]; then
			cmp "want.$prog" k/of-safe
		fi
		i=$((i + 1))
	done
	# None of the processes that give names is left. (No other test's output has this name.)
	waits_for 5 eval '! pgrep -f -- "-o k/of-safe"'
}

@test "with -o a program has no right to make, rename or remove a file anywhere" {
	need_native
	strace -o t true 2>/dev/null || skip "no strace"
	mkdir o
	spc-cat -o o/x "$FIX/spc/Financial1-head.spc"
	strace -f -o t spc-cat -o o/x "$FIX/spc/Financial1-head.spc"
	[ "$(grep -c landlock_add_rule t)" = 0 ]
}

# Each control byte, what would be a control to a terminal of 8 bits, and one that turns the direction.
evil() {
	local b
	printf 'evil'
	for b in 01 02 07 08 09 0a 0b 0c 0d 0e 1b 1f 7f; do
		# shellcheck disable=SC2059
		printf "\\x$b"
	done
	printf ']0;title\x9b2J\xc2\x9b\xe2\x80\xaexyz\xff'
}

bare() { # FILE: no control byte in it
	[ "$(LC_ALL=C grep -c -P '[\x01-\x08\x0b-\x1f\x7f]' "$1")" = 0 ]
}

clean() { # FILE: nothing in it but what a terminal shows
	! LC_ALL=C grep -q -n -P '[\x01-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\x8e\x8f\xaa-\xae]' "$1" || {
		cat -v "$1"
		return 1
	}
	# And every line is one of ours.
	! grep -v -e "^$2: " -e '^  ' -e '^usage: ' "$1"
}

no_control() {
	sample "$1"
	local name
	name=$(evil)
	mkdir -p "dir"
	cp "$sample" "dir/$name"
	head -c 100 /dev/urandom > "noise$name"
	local words=("-o" "--$name" "--format=$name" "-f $name" "--hz=$name" "--chunk=$name" "--$name=1" "-$name")
	# -o would write to an operand that is a fixture.
	[ ! -f "${ops[0]-}" ] || words=("${words[@]:1}")
	for word in "${words[@]}"; do
		# shellcheck disable=SC2086
		"$1" "$word" "${ops[@]}" "$name" > out 2> err < /dev/null || :
		clean err "$1"
		"$1" $word "${ops[@]}" "$name" > out 2> err < /dev/null || :
		clean err "$1"
	done
	for file in "$name" "noise$name" "dir/$name/none" "dir"; do
		"$1" "${ops[@]}" "$file" > out 2> err < /dev/null || :
		clean err "$1"
	done
	# Broken inputs whose messages name the file.
	for n in 1 3 9 20 50; do
		head -c $(($(wc -c < "$sample") - n)) "$sample" > "cut$name"
		printf '\n\033]0;x\007 broken\t\033\n' >> "cut$name"
		"$1" "${ops[@]}" "cut$name" > out 2> err < /dev/null || :
		clean err "$1"
	done
	"$1" -o "none$name/x" "${ops[@]}" "$sample" > out 2> err || :
	clean err "$1"
	(exec -a "x$name" "$BIN/$1" --help) > out 2> err
	bare out
}
@test "no message of any program passes on a byte that could do something to a terminal" { each no_control; }

@test "expressions and names of fields are shown without control bytes" {
	local name
	name=$(evil)
	for word in "$name = " "size > $name" "size $name" "($name" "R and and $name" "event ~ $name(" "é$name = = 5"; do
		trace-filter "$word" "$FIX/spc/Financial1-head.spc" > out 2> err || :
		clean err trace-filter
	done
	for word in "-g$name" "-asum($name)" "-a$name" "-g$name,event" "-w$name"; do
		trace-stats "$word" "$FIX/spc/Financial1-head.spc" > out 2> err || :
		clean err trace-stats
		# shellcheck disable=SC2063
		bare out
	done
	trace-filter -H -F "time,$name" R "$FIX/spc/Financial1-head.spc" > out 2> err || :
	clean err trace-filter
	bare out
	# The mark stands below the word, whatever characters are before it.
	status_is 2 trace-filter $'\xc3\xa9\xc3\xa9 = 5 and and' "$FIX/spc/Financial1-head.spc"
	[ "$(sed -n 3p <<<"$stderr")" = "             ^" ]
}

@test "a regular expression that libraries need much memory or time for is refused, at once" {
	local deep=a
	for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do deep="($deep+)"; done
	while IFS='|' read -r re why; do
		status_is 2 bash -c 'ulimit -v 200000; exec timeout 10 trace-filter "event ~ \"$1\"" "$2"' - "$re" \
			"$FIX/spc/Financial1-head.spc"
		has "$stderr" "$why"
	done <<-END
		(((a{255}){255}){255})|must not contain another
		(a{2}b){3}|must not contain another
		a{256}|at most 255
		a{1,99999}|at most 255
		(a)(b)\\\\1|back references are not supported
		$deep|more than 16384
		$(printf '%0300d{255}' 0 | sed 's/^\(.*\){/(\1){/')|more than 16384
		$(printf '(%.0s' $(seq 101))a|groups are nested more than 100 deep
	END
	for re in 'a{255}' '(ab){3}(c{2}|d)*' '(a*b+)?' '(a{2})*' '[({1000})]'; do
		got=0
		trace-filter -c "event ~ \"$re\"" "$FIX/spc/Financial1-head.spc" > /dev/null || got=$?
		[ "$got" -le 1 ]
	done
}

@test "a regular expression whose automaton would grow with the input stays within its memory" {
	# glibc makes a state of some KB for each byte of this.
	awk 'BEGIN { srand(1); for (i = 0; i < 200; i++) { s = ""; for (j = 0; j < 40; j++) s = s (rand() < .5 ? "a" : "b")
		print i ".0\t0\tR\t-\t-\t-\tx=" s } }' > names
	(ulimit -v 150000; trace-filter -c 'x ~ "(a|b)*a(a|b){60}c"' names) > out || [ $? = 1 ]
	[ "$(cat out)" = 0 ]
}

@test "names that were chosen to collide take no longer than others" {
	# shellcheck disable=SC2086  # CC may hold flags
	$CC -std=c11 -O2 -o worst "$ROOT/tests/unit/worst.c"
	# As names of places, events and values: where all have one hash these take minutes.
	for kind in loc event value; do
		./worst collide-$kind 200000 > names
		timeout 20 trace-stats -g loc,event -a count names > out
		[ $kind != value ] || timeout 20 trace-stats -g k -a count names > out
		[ "$(wc -l < out)" = 200001 ]
	done
	./worst collide-binary 200000 > names.bin
	got=0
	timeout 20 trace-filter -c R names.bin 2> err || got=$?
	[ "$got" = 2 ] # there is no end to the stream
}

@test "what is printed does not hang on the key of hash tables" {
	for i in 1 2 3 4 5; do
		for f in spc/Financial1-head.spc ovni/all.obs charisma/lp64-le.chr laplace/k32-excerpt.kern; do
			trace-stats "$FIX/$f" || :
			trace-stats -g event,loc,size -a 'count,distinct(addr),top3(addr),p50(size)' "$FIX/$f" || :
		done > "out$i" 2>&1
		[ -s "out$i" ]
		same out1 "out$i"
	done
}

@test "a repetition {,n} counts as {0,n}, which some libraries take it for" {
	status_is 2 bash -c 'ulimit -v 200000; exec timeout 10 trace-filter "event ~ \"$1\"" "$2"' - '(((a{,255}){,255}){,255})' \
		"$FIX/spc/Financial1-head.spc"
	has "$stderr" "must not contain another"
}

@test "a text that a regular expression would need too much memory for ends the program, and says so" {
	awk 'BEGIN { srand(1); for (j = 0; j < 10000; j++) s = s (rand() < .5 ? "a" : "b"); print "1.0\t0\tR\t-\t-\t-\tx=" s }' > long
	status_is 2 bash -c 'ulimit -v 200000; exec timeout 10 trace-filter "$1" long' - 'x ~ "(a|b)*a(a|b){60}c"'
	has "$stderr" "a text of 10000 bytes is too long; the limit is"
	# Letters and short expressions take texts of any length.
	[ "$(trace-filter -c 'x ~ "a+b"' long)" = 1 ]
	status_is 1 trace-filter 'x ~ "abcdefghijklmnopqrstuvwxyz"' long
}

# on_terminal FILE COMMAND...: what a terminal gets of it, in FILE.
on_terminal() {
	python3 - "$@" <<-'END'
		import os, pty, sys
		pid, fd = pty.fork()
		if pid == 0:
		    os.execvp(sys.argv[2], sys.argv[2:])
		with open(sys.argv[1], 'wb') as f:
		    while True:
		        try:
		            b = os.read(fd, 65536)
		        except OSError:
		            break
		        if not b:
		            break
		        f.write(b.replace(b'\r\n', b'\n'))
		os.waitpid(pid, 0)
	END
}

@test "what a program writes to a terminal only shows: other bytes are escaped, also in lines that pass through" {
	need_native
	python3 -c 'import pty' 2>/dev/null || skip "no python3"
	# The text reader takes no control bytes of ASCII in names.
	printf '1.5\tloc\xc2\x9b2J\x9b\tev\xe2\x80\xaexyz\xff\t-\t-\t-\tk=v\x1b[2J\x07xyz\xff\n' > t
	for run in "trace-filter event?" "trace-stats -g event,loc -a count" "trace-stats" "trace-stats -p -g event -a count"; do
		# shellcheck disable=SC2086
		on_terminal out $run t
		[ -s out ]
		! LC_ALL=C grep -q -P '[\x01-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\x8e\x8f\xaa-\xae]|\xff' out
	done
	on_terminal out trace-filter 'event?' t
	grep -q 'xyz\\xff' out
	# Long lines, in which no character is cut.
	awk 'BEGIN { print "1.0\tl\te\t-\t-\t-\t-"; for (i = 0; i < 30000; i++) s = s "\303\251\342\202\254a"; print "1.5\tl\te\t-\t-\t-\tk=" s }' > t
	on_terminal out trace-filter 'event?' t
	same t out
	# To a file they are as they were.
	printf '1.5\tl\xc2\x9b\te\t-\t-\t-\t-\n' > t
	trace-filter 'event?' t | same t -
}

# A trace of two streams in ./t, what it prints in ./want; and a stranger's in ./other.
linked_trace() {
	rm -rf t other
	for tid in 1 2; do
		mkdir -p t/$tid
		printf 'ovni\1\0\0\0\0OB.%b\0\0\0\0\0\0\0' "\\$tid" > t/$tid/stream.obs
		echo "{\"version\":3,\"ovni\":{\"loom\":\"n\",\"pid\":1,\"tid\":$tid}}" > t/$tid/stream.json
	done
	ovni-dump t > want 2> /dev/null
	[ "$(wc -l < want)" = 2 ]
	mkdir other
	sed 's/n/secret/' t/1/stream.json > other/stream.json
	cp t/1/stream.obs other
}

LEADS_OUT='the link leads out of the trace: not followed without --follow-links$'

@test "a link in an ovni trace that leads out of it, to / even, is not walked, and that is said" {
	linked_trace
	ln -s / t/x
	ln -s ../.. t/1/up
	mkdir t/2/deep
	ln -s ../../../other t/2/deep/other
	for prog in ovni-dump 'trace-filter time>=0' 'trace-filter -t time>=0'; do
		# shellcheck disable=SC2086
		status_is 2 timeout 20 $prog t
		[ "$(grep -c "$LEADS_OUT" <<<"$stderr")" = 3 ]
		for link in x 1/up 2/deep/other; do has "$stderr" ": t/$link: $LEADS_OUT"; done
		has "$prog" trace-filter || same want - <<<"$output"
	done
	status_is 2 timeout 20 trace-stats -a count t
	has "$output" '^2$'
	# Alone: there is nothing of ovni in it, and that takes no time either.
	mkdir alone
	ln -s / alone/x
	status_is 2 timeout 20 ovni-dump alone
	status_is 2 timeout 20 trace-filter -c event? alone
	# What has no name of ovni's is no matter, nor what leads nowhere.
	rm t/x t/1/up t/2/deep/other
	ln -s /etc/passwd t/notes
	ln -s /nowhere t/3
	status_is 0 ovni-dump t
	same want - <<<"$output"
}

@test "streams and metadata of ovni that are links out of the trace are not read" {
	out() { # LINK TARGET [OPERAND]
		ln -sf "$2" "$1"
		status_is 2 ovni-dump "${3-t}"
		has "$stderr" ": $PWD/$1:.* $LEADS_OUT|: $1:.* $LEADS_OUT"
		case $output$stderr in *secret*) return 1 ;; esac
		status_is 2 ovni-dump -M "${3-t}"
		case $output$stderr in *secret*) return 1 ;; esac
	}
	linked_trace
	out t/2/stream.json ../../other/stream.json
	sed 's/n.1.2/-/' want | same - <(ovni-dump t 2> /dev/null)
	out t/2/stream.json "$PWD/other/stream.json" t/2/stream.obs
	linked_trace
	out t/2/stream.obs ../../other/stream.obs
	grep -v n/1/2 want | same - <(ovni-dump t 2> /dev/null)
	linked_trace
	echo secret > other/offsets
	out t/clock-offsets.txt ../other/offsets
	mkdir -p u/loom.n/proc.1
	cp t/1/stream.obs u/loom.n/proc.1/thread.1.obs
	echo '{"version": 1, "app_id": "secret"}' > other/metadata.json
	out u/loom.n/proc.1/metadata.json "$PWD/other/metadata.json" u
	out u/loom.n/proc.1/metadata.json "$PWD/other/metadata.json" u/loom.n/proc.1/thread.1.obs
	rm u/loom.n/proc.1/metadata.json
	cp t/1/stream.obs other
	out u/loom.n/proc.1/thread.2.obs ../../../other/stream.obs u
	# A name that begins like the trace's is not the trace.
	linked_trace
	mv other t.other
	out t/x ../t.other
}

@test "--follow-links follows links out of an ovni trace, in every program that reads one" {
	linked_trace
	cp -r t whole
	mv t/2 elsewhere
	ln -s ../elsewhere t/2
	for f in stream.json stream.obs; do
		mv t/1/$f 1.$f
		ln -s ../../1.$f t/1/$f
	done
	status_is 2 ovni-dump t
	status_is 0 ovni-dump --follow-links t
	same want - <<<"$output"
	for p in $(programs); do
		case $p in trace-* | ovni-dump) "$p" --help | grep -q -- --follow-links ;; esac
	done
	[ "$(trace-filter --follow-links -c 'loc ~ "n/1/"' t)" = 2 ]
	[ "$(ovni-dump -M --follow-links t)" = "$(ovni-dump -M whole)" ]
}

@test "links within an ovni trace are followed, and so is one that is named itself" {
	linked_trace
	mkdir t/store
	mv t/1/stream.json t/store/meta
	mv t/2 t/store/two
	ln -s ../store/meta t/1/stream.json
	ln -s store/two t/2
	ln -s .. t/store/back
	ln -s t named
	ln -s "$PWD/t/1/stream.obs" one.obs
	for operand in t ./t/ named "$PWD/named" "$PWD/t/../t"; do
		status_is 0 ovni-dump "$operand"
		same want - <<<"$output"
	done
	status_is 0 ovni-dump one.obs
	cd t
	status_is 0 ovni-dump .
	same ../want - <<<"$output"
}

@test "the longest message, all of it escapes, and its reason fit where they are written" {
	cat > m.c <<-'END'
		#include <errno.h>
		#include <string.h>
		#include "base/die.h"
		int main(void)
		{
			static char text[9000], prog[100];
			memset(text, 1, sizeof text - 1);
			memset(prog, 1, sizeof prog - 1);
			prog_start(prog);
			errno = ENAMETOOLONG;
			warn("%s:", text);
			return 0;
		}
	END
	# shellcheck disable=SC2086  # CC may hold flags
	$CC -std=c11 -D_XOPEN_SOURCE=700 -I"$ROOT/common" -I"$ROOT/cmd/lib" -I"$ROOT/cmd" -fsanitize=address -o m m.c "$ROOT"/common/base/die.c \
		"$ROOT"/common/base/hash.c 2>/dev/null || skip "no AddressSanitizer"
	./m 2> err
	[ "$(wc -l < err)" = 1 ]
	grep -q 'File name too long$' err
}
