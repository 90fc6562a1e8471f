#!/usr/bin/env bats
# follow.bats - --follow: a file that is written meanwhile, by bytes, by lines, by blocks; rotated, cut, left.

load ../helpers

setup() {
	need_native
	enter
}

teardown() {
	[ -z "${reader-}" ] || kill -9 "$reader" 2> /dev/null || :
}

# follow PROGRAM ARGUMENT...: reads the file `grows` in the background, to `got`.
follow() {
	"$@" grows > got 2> err &
	reader=$!
}

# has_come COMMAND...: is true within some time.
has_come() {
	for i in $(seq 300); do
		! "$@" > /dev/null 2>&1 || return 0
		sleep 0.02
	done
	cat got err
	return 1
}

# ended SIGNAL: the reader ends by it, with status 0.
ended() {
	kill -"$1" "$reader"
	local status=0
	wait "$reader" || status=$?
	reader=
	[ "$status" = 0 ] || { echo "status $status"; cat err; return 1; }
}

# pieces FILE BYTES: appends it to `grows` in pieces of so many bytes.
pieces() {
	dd if="$1" bs="$2" 2> /dev/null >> grows
}

@test "each format, in pieces of any size, from an empty file on: all events before the signal, and no others" {
	while read -r format f bytes; do
		: > grows
		# Laplace's byte order and CHARISMA's layout are found out by many records.
		case $format in
		laplace) order='-O order=little' ;;
		charisma) order='-O preset=cm5' ;;
		*) order= ;;
		esac
		follow trace-filter $order -f "$format" --follow 'event?'
		f=$FIX/$f
		trace-filter -f "$format" 'event?' < "$f" > want 2> /dev/null
		# Sizes and names of DUMPI stand at its end.
		pieces "$f" "$bytes"
		# (Its end mark ends the reading.)
		if [ "$format" = dumpi ]; then
			wait "$reader"
			reader=
		else
			has_come cmp got want
			ended INT
		fi
		echo "$f $bytes"
		cut -f 1,3 want | same - <(cut -f 1,3 got)
		[ "$format" = dumpi ] || same want got
	done <<-END
		spc spc/Financial1-head.spc 1
		spc spc/Financial1-head.spc 1000
		laplace laplace/merged-head.ref 7
		laplace-text laplace/seed.kern 5
		charisma charisma/cm5.chr 11
		ovni ovni/all.obs 3
		ovni ovni/all.obs 700
		dumpi dumpi/every-call-0000.bin 100
	END
}

@test "our own streams, as they are written" {
	f=$FIX/spc/Financial1-head.spc
	spc-cat -H "$f" > want
	for form in -b -H; do
		: > grows
		follow trace-filter -H --follow 'event?'
		# A block, or a line, at a time.
		while read -r line; do echo "$line"; done < "$f" | spc-cat "$form" --line-buffered >> grows
		has_come test "$(grep -vc '^#' want)" = "$(grep -vc '^#' got)"
		has_come grep -q "$(tail -n 2 want | head -n 1)" got
		ended TERM
		same want got
	done
	# A writer that is killed has not said its end.
	head -c 3000 <(trace-filter -b 'event?' "$f") > grows
	follow trace-filter --follow -c 'event?'
	sleep 0.3
	ended INT
	[ "$(cat got)" -gt 10 ]
}

@test "an event is out at once, half a line is none, and waiting costs no CPU" {
	: > grows
	follow spc-cat --follow
	echo '0,8,4096,r,1.5' >> grows
	has_come grep -q '^1.500000000	0	R	8	4096' got
	printf '0,16,4096,r,2' >> grows
	sleep 0.3
	[ "$(wc -l < got)" = 1 ]
	printf '.5\n' >> grows
	has_come grep -q '^2.500000000	0	R	16	4096' got
	printf '0,24,4096,r,3.' >> grows
	before=$(awk '{ print $14 + $15 }' "/proc/$reader/stat")
	sleep 3
	[ "$(($(awk '{ print $14 + $15 }' "/proc/$reader/stat") - before))" -le 2 ]
	ended INT
	[ "$(wc -l < got)" = 2 ]
	[ ! -s err ]
}

@test "another file takes the name, at once or later; a file that is made shorter" {
	echo '0,1,512,r,1.0' > grows
	follow spc-cat --follow
	has_come grep -q '^1.000000000' got
	echo '0,1,512,r,2.0' >> grows
	mv grows old
	sleep 0.2
	echo '0,1,512,r,3.0' >> old
	has_come grep -q '^3.000000000' got
	echo '0,1,512,r,0.5' > grows
	has_come grep -q '^0.500000000' got
	echo '0,1,512,r,0.75' > new
	mv new grows
	has_come grep -q '^0.750000000' got
	: > grows
	sleep 0.3
	echo '0,1,512,r,0.25' >> grows
	has_come grep -q '^0.250000000' got
	ended INT
	printf '%s.000000000\n' 1 2 3 > want
	printf '0.%s0000000\n' 50 75 25 >> want
	cut -f 1 got | same want -
}

@test "windows are written when they are over, the same rows as of the whole file" {
	awk 'BEGIN {
		srand(7)
		for (i = 0; i < 3000; i++) {
			t += rand() * 0.01 + 4 * (rand() < 0.001)
			printf "%d,%d,%d,%s,%.6f\n", i % 4 + i % 7 * (i > 1000), rand() * 1e6, 512 * int(1 + rand() * 16), rand() < 0.5 ? "R" : "W", t
		}
	}' > whole.spc
	split -l 400 whole.spc part.
	last=$(tail -n 1 whole.spc | cut -d , -f 5)
	# Rows before the signal: of all windows of this length that are over, or none, where rows need all events.
	while IFS='|' read -r seconds options; do
		read -ra words <<< "$options"
		trace-stats "${words[@]}" whole.spc > want
		: > grows
		follow trace-stats "${words[@]}" --follow
		for part in part.*; do
			cat "$part" >> grows
			sleep 0.03
		done
		if [ "$seconds" = none ]; then
			[ ! -s got ]
		else
			rows=$(awk -F '[\t,]' -v s="$seconds" -v last="$last" '!/^#?window/ && $1 + s <= last { n++ } END { print n }' want)
			[ "$rows" -gt 5 ]
			has_come eval '[ "$(grep -vc "window" got)" -ge "$rows" ]'
		fi
		ended INT
		echo "$options"
		same got want
	done <<-'END'
		1|-w 1s -a count
		1|-w 1s -g loc -a count,sum(size),p99(addr),top(loc,2),min(size) --no-empty
		2|-w 2s/500ms -g event -a mean(size),stddev(size)
		3|-w 3s/2s -g loc -a distinct(addr),rate --no-empty
		1|-w 1s -g event -a count,first(addr),last(addr),sequential
		1|-w 1s --origin 0.3 -a count --csv
		1|-w 1s -a max(size) --having max(size)>8000 --no-header
		1|-w 1s -e addr>prev.addr -k loc -a count
		none|-w 1s -a count -S -count
		none|-w 1s -g event -a count,share
		none|-w 1s -a count --head 3
		none|-w 1s -g event -a count --wide event
		none|-w 1s -a count -J
		none|-g event -a count
	END
	# A key has rows from its first window on, whether events come one by one or at once.
	printf '0,1,512,r,0.5\n0,1,512,r,1.5\n0,1,512,w,2.5\n0,1,512,w,3.5\n0,1,512,w,4.5\n' > whole.spc
	for pause in 0 0.1; do
		for window in 1s 2s/1s; do
			: > grows
			follow trace-stats -w "$window" -g event -a count --no-header --follow
			while read -r line; do
				echo "$line" >> grows
				sleep "$pause"
			done < whole.spc
			if [ "$window" = 1s ]; then
				has_come eval '[ "$(wc -l < got)" = 6 ]'
				ended INT
				printf '%s.000000000\t%s\t%s\n' 0 R 1 1 R 1 2 R 0 2 W 1 3 R 0 3 W 1 4 R 0 4 W 1 | same got -
			else
				has_come eval '[ "$(wc -l < got)" = 6 ]'
				ended INT
				printf '%s.000000000\t%s\t%s\n' -1 R 1 0 R 2 1 R 1 1 W 1 2 R 0 2 W 2 3 R 0 3 W 2 4 R 0 4 W 1 | same got -
			fi
		done
	done
	# An event of a window that is written is told.
	: > grows
	follow trace-stats -w 1s -a count --no-header --follow
	for t in 0.5 2.5 1.5 2.75; do
		echo "0,1,512,r,$t" >> grows
		sleep 0.1
	done
	has_come eval '[ "$(wc -l < got)" = 2 ]'
	kill -INT "$reader"
	status=0
	wait "$reader" || status=$?
	reader=
	[ "$status" = 2 ]
	printf '%s.000000000\t%s\n' 0 1 1 0 2 2 | same got -
	has "$(cat err)" 'trace-stats: -w: 1 event came when the rows of its window were written: it is not in them'
}

@test "--spread: rows come when their windows are over, and are those of the whole" {
	printf '0.5\tl\ta\t-\t1000\t2.0\n' > one
	printf '1.0\tl\tb\t-\t10\t-\n4.2\tl\ta\t-\t500\t3\n' > two
	printf '4.9\tl\tc\t-\t7\t0.2\n8\tl\ta\t-\t1\t1\n' > three
	cat one two three > all
	for g in '' '-g event'; do
		# shellcheck disable=SC2086
		trace-stats -w 1s --spread $g -a 'count,sum(size)' all > want
		# shellcheck disable=SC2086
		{ cat one two; has_come grep -q '^3' got || touch late; cat three; } | trace-stats -w 1s --spread $g -a 'count,sum(size)' --follow > got
		# Groups have rows from their first window on.
		[ "$g" ] || same want got
		awk -F '\t' 'NF == 3 || $3 != "0"' want > some
		awk -F '\t' 'NF == 3 || $3 != "0"' got | same some -
		[ ! -e late ]
	done
}

@test "statistics, a slice, a pipe; what cannot be followed" {
	f=$FIX/spc/Financial1-head.spc
	cp "$f" grows
	for command in 'trace-stats -g event -a count,sum(size)' 'spc-cat --from 1 --to 2'; do
		follow $command --follow
		sleep 0.5
		[ -n "$(ps -o pid= -p "$reader")" ] || { wait "$reader"; reader=; } # behind the slice there is nothing to wait for
		[ -z "$reader" ] || ended INT
		$command "$f" | same got -
	done
	{ cat "$f"; sleep 30; } | trace-filter -c --follow 'event?' > got &
	sleep 0.7
	pkill -INT -f 'trace-filter -c --follow'
	has_come test -s got
	[ "$(cat got)" = "$(trace-filter -c 'event?' "$f")" ]
	status_is 2 spc-cat --follow "$f" "$f"
	has "$stderr" 'follow reads a single file: 2 are given'
	status_is 2 ovni-dump --follow "$FIX/runs/tasks"
	has "$stderr" 'not a trace of several'
	status_is 2 ovni-dump -D --follow "$FIX/ovni/all.obs"
	has "$stderr" 'need the whole trace'
	status_is 2 trace-merge --follow "$f"
	has "$stderr" 'cannot write a file that grows in order of time'
	status_is 2 trace-stats -w 1s --from-first --follow "$f"
	has "$stderr" '--from-first and --follow contradict'
}

@test "a file, and its directory, that are not there yet are waited for" {
	trace-filter --follow 'event?' late/t.spc > got 2> err &
	reader=$!
	has_come grep -qx 'trace-filter: waiting for late/t.spc' err
	mkdir late
	sleep 0.1
	: > late/t.spc
	echo 0,0,512,R,1.0 >> late/t.spc
	has_come grep -q 512 got
	ended INT
	printf '1.000000000\t0\tR\t0\t512\t-\n' | same - got
	echo 'trace-filter: waiting for late/t.spc' | same - err
}

@test "a signal ends the waiting for a file: no events, and no error" {
	trace-stats -a count --follow late.spc > got 2> err &
	reader=$!
	has_come grep -qx 'trace-stats: waiting for late.spc' err
	ended TERM
	printf '#count\n' | same - got
}

@test "an output that reads its input twice follows no file" {
	echo 0,0,512,R,1 > grows
	status_is 2 trace-export -T csv --follow grows
	has "$stderr" '^trace-export: --follow: this output must read the input twice'
}
