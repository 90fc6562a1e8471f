#!/usr/bin/env bats
# compress.bats - what is compressed: the same events as without, and every fault of it told.

load ../helpers

SPC=$FIX/spc/Financial1-head.spc

setup() {
	enter
	# What would give the programs options.
	export GZIP=-l BZIP2=--fast XZ_OPT=-l XZ_DEFAULTS=-l ZSTD_CLEVEL=19 LZ4_CLEVEL=9
}

need_program() {
	command -v "$1" > /dev/null || skip "no $1 here"
}

suffix_of() {
	case $1 in gzip) echo gz ;; bzip2) echo bz2 ;; zstd) echo zst ;; *) echo "$1" ;; esac
}

pack() { # PROGRAM < PLAIN > PACKED
	env -u GZIP -u BZIP2 -u XZ_OPT -u XZ_DEFAULTS -u ZSTD_CLEVEL "$1" -c
}

# A decompressor of our own: fake NAME SCRIPT puts it in front of the others.
fake() {
	mkdir -p fake
	printf '#!/bin/sh\n%s\n' "$2" > "fake/$1"
	chmod +x "fake/$1"
	PATH=$PWD/fake:$PATH
}

# Every fixture, under its own name, as a file, redirected, and as a pipe; messages too.
same_as_plain() { # PROGRAM
	local n=0 f b
	need_program "$1"
	mkdir plain packed
	for f in "$FIX"/{spc,laplace,charisma}/*.{spc,ref,kern,reftxt,chr} "$FIX"/dumpi/*.bin "$FIX"/ovni/{all.obs,seed.stream} \
		"$FIX"/spc/*.txt; do
		[ -e "$f" ] || continue
		b=${f##*/}
		cp "$f" plain/
		pack "$1" < "$f" > "packed/$b"
		for d in plain packed; do
			(
				cd $d
				case $b in *.obs | *.stream) in=/dev/null ;; *) in=$b ;; esac
				trace-stats -a 'count,sum(size)' -g event "$in" || echo "status $?"
				trace-stats -a 'count,sum(size)' -g event < "$b" || echo "status $?"
				# shellcheck disable=SC2002  # a pipe is meant
				cat "$b" | trace-filter -H 'event?' || echo "status $?"
			) > $d.out 2> $d.err
		done
		# What only a regular file has: a file's own bytes are cut out of it.
		cmp plain.out packed.out || { echo "$f"; diff plain.out packed.out | head; return 1; }
		cmp plain.err packed.err || { echo "$f"; diff plain.err packed.err | head; return 1; }
		n=$((n + 1))
	done
	[ $n -gt 20 ]
}

@test "every fixture, compressed by gzip, is what it is without" { same_as_plain gzip; }
@test "every fixture, compressed by bzip2, is what it is without" { same_as_plain bzip2; }
@test "every fixture, compressed by xz, is what it is without" { same_as_plain xz; }
@test "every fixture, compressed by zstd, is what it is without" { same_as_plain zstd; }
@test "every fixture, compressed by lz4, is what it is without" { same_as_plain lz4; }

# Cut anywhere, every event is one of the whole; damaged anywhere, there is either no difference or trouble.
faults() { # PROGRAM
	local n at size
	need_program "$1"
	spc-cat "$SPC" > want
	pack "$1" < "$SPC" > whole
	size=$(wc -c < whole)
	for n in 4 5 6 7 8 12 20 $((size / 4)) $((size / 2)) $((size - 9)) $((size - 5)) $((size - 2)) $((size - 1)); do
		head -c "$n" whole > part
		[ "$n" -ge 6 ] || [ "$1" != xz ] || continue
		status_is 2 spc-cat part
		has "$stderr" "^spc-cat: part: offset [0-9]+: read: .*$1 -dc: status [0-9]+"
		[ -z "$output" ] || head -n "$(wc -l <<< "$output")" want | same - <(echo "$output")
		status_is 2 spc-cat < part
		has "$stderr" "^spc-cat: <stdin>: offset [0-9]+: read: .*$1 -dc: status [0-9]+"
	done
	for ((at = 0; at < size; at += 1 + size / 60)); do
		cp whole bad
		printf "\\x$(printf %02x $((0x$(od -An -tx1 -j $at -N1 whole | tr -d ' ') ^ 0x55)))" |
			dd of=bad bs=1 seek=$at conv=notrunc 2> /dev/null
		spc-cat bad > got 2> err && { cmp want got || { echo "byte $at"; return 1; }; }
		[ $? -lt 3 ]
	done
	# Several members; rubbish behind the last; an empty one.
	{ head -n 50 "$SPC" | pack "$1"; : | pack "$1"; tail -n +51 "$SPC" | pack "$1"; } > several
	spc-cat several | same want -
	# shellcheck disable=SC2002
	cat several | spc-cat | same want -
	: | pack "$1" > none
	status_is 0 spc-cat none
	[ -z "$output$stderr" ]
	{ cat whole; echo 'rubbish behind it'; } > rubbish
	status_is 2 spc-cat rubbish
	same want <(echo "$output")
	has "$stderr" "^spc-cat: rubbish: offset [0-9]+: read: .*$1 -dc: status [0-9]+"
	# Once more: told, by what the content begins with.
	pack "$1" < whole > twice
	status_is 2 trace-filter 'event?' twice
	has "$stderr" "twice: offset 0: this is compressed by $1 once more: "
	# And what is no trace.
	printf '\001\002\003' | pack "$1" > other
	status_is 2 trace-filter 'event?' other
	has "$stderr" 'other: no known format begins like this'
	# No such program, also where a format is asked for.
	status_is 2 env PATH="$BIN" "$BIN/trace-filter" -O columns='time=$1 event=e' 'event?' whole
	[ -z "$output" ]
	has "$stderr" "^trace-filter: whole: offset 0: this is compressed by $1: [a-z0-9]*cat FILE \| \.\.\.\$"
	status_is 2 env PATH="$BIN" "$BIN/spc-cat" whole
	[ -z "$output" ]
	has "$stderr" "^spc-cat: whole: offset 0: this is compressed by $1: [a-z0-9]*cat FILE"
	status_is 2 env PATH="$BIN" "$BIN/spc-cat" < whole
	has "$stderr" "^spc-cat: <stdin>: offset 0: this is compressed by $1: [a-z0-9]*cat FILE"
}

@test "gzip: cut, damaged, several members, rubbish, twice, no program" { faults gzip; }
@test "bzip2: cut, damaged, several members, rubbish, twice, no program" { faults bzip2; }
@test "xz: cut, damaged, several members, rubbish, twice, no program" { faults xz; }
@test "zstd: cut, damaged, several members, rubbish, twice, no program" { faults zstd; }
@test "lz4: cut, damaged, several members, rubbish, twice, no program" { faults lz4; }

written() { # PROGRAM
	local to
	to=x.$(suffix_of "$1")
	need_program "$1"
	spc-cat -b "$SPC" > want
	spc-cat -b -o "$to" "$SPC"
	env -u GZIP -u XZ_OPT -u XZ_DEFAULTS "$1" -dc "$to" | same want -
	trace-filter -t 'event?' "$to" | same <(spc-cat "$SPC") -
	# Only whole: an old one stays, a new one does not appear.
	cp "$to" old
	{ cat "$SPC"; echo bad; } > bad.spc
	status_is 2 spc-cat -o "$to" bad.spc
	same old "$to"
	status_is 2 spc-cat -o "new$to" bad.spc
	[ ! -e "new$to" ]
	# No program, and one that dies at once or in the end.
	status_is 2 env PATH="$BIN" "$BIN/spc-cat" -o "new$to" "$SPC"
	has "$stderr" "^spc-cat: new$to: $1, which compresses it: No such file"
	fake "$1" 'echo no room >&2; exit 7'
	yes 1,2,3,R,4.0 | head -n 100000 > many.spc
	status_is 2 spc-cat --unordered -o "new$to" many.spc
	has "$stderr" "^spc-cat: new$to: no room \\($1 -c: status 7\\)"
	fake "$1" 'cat; kill -9 $$'
	status_is 2 spc-cat -o "new$to" "$SPC"
	has "$stderr" "^spc-cat: new$to: $1 -c: killed by signal 9"
	[ ! -e "new$to" ]
	[ "$(echo .spoor*)" = '.spoor*' ]
}

@test "-o x.gz is compressed, and appears whole" { written gzip; }
@test "-o x.bz2 is compressed, and appears whole" { written bzip2; }
@test "-o x.xz is compressed, and appears whole" { written xz; }
@test "-o x.zst is compressed, and appears whole" { written zstd; }
@test "-o x.lz4 is compressed, and appears whole" { written lz4; }

# Waits until none of the processes in the file pids is there.
gone() {
	for _ in {1..50}; do
		ps -o stat= -p "$(paste -sd, pids)" | grep -qv Z || return 0
		sleep 0.1
	done
	ps -p "$(paste -sd, pids)"
	return 1
}

@test "a decompressor that dies, says much, or hangs; what it is given, and that it is gone" {
	need_native
	need_program gzip
	local real
	real="env -u GZIP $(command -v gzip)"
	pack gzip < "$SPC" > a.gz
	fake gzip "echo \$\$ > pids; $real \"\$@\" | head -c 500; kill -9 \$\$"
	status_is 2 spc-cat a.gz
	has "$stderr" '^spc-cat: a.gz: offset 500: read: gzip -dc: killed by signal 9$'
	[ "$(wc -l <<< "$output")" -gt 10 ]
	fake gzip "$real \"\$@\"; yes much | head -c 1000000 >&2; exit 3"
	status_is 2 spc-cat a.gz
	[ "$stderr" = "spc-cat: a.gz: offset $(wc -c < "$SPC"): read: much (gzip -dc: status 3)" ]
	fake gzip "$real \"\$@\"; exit 4"
	status_is 2 trace-stats -a count - < a.gz
	has "$stderr" 'read: gzip -dc: status 4$'
	# No options, no other descriptors; nobody is left behind who hangs.
	fake gzip "env | grep -E '^(GZIP|BZIP|XZ|ZSTD|LZ4)' > env; ls /proc/\$\$/fd > fds; echo \"\$@\" > args; exec $real \"\$@\""
	(for f in {3..99}; do eval "exec $f>&-"; done; spc-cat -o out a.gz)
	same out <(spc-cat "$SPC")
	[ ! -s env ]
	[ "$(cat args)" = -dc ]
	cp fds theirs
	(for f in {3..99}; do eval "exec $f>&-"; done; gzip -dc < a.gz 2>&1) | cmp - "$SPC"
	[ "$(wc -l < fds)" = "$(wc -l < theirs)" ]
	fake gzip 'echo $$ >> pids; echo 0,1,2,R,0.5; exec sleep 100'
	spc-cat a.gz > w & local cat=$!
	for _ in {1..50}; do
		[ "$(wc -l < pids)" -lt 2 ] || break
		sleep 0.1
	done
	kill $cat
	wait $cat || :
	gone
}

@test "a child of the decompressor that keeps the pipe open is not waited for" {
	need_program gzip
	pack gzip < "$SPC" > a.gz
	fake gzip "env -u GZIP $(command -v gzip) -dc; sleep 60 & echo \$! > pids"
	timeout 30 spc-cat a.gz > got
	kill "$(cat pids)"
	spc-cat "$SPC" | same - got
	# One that is slow has not ended.
	fake gzip 'echo 0,1,2,R,0.5; sleep 0.5; echo 0,1,2,R,0.6'
	[ "$(timeout 30 spc-cat a.gz | wc -l)" = 2 ]
}

@test "a file of lzma is read as one of xz" {
	need_program xz
	env -u XZ_OPT -u XZ_DEFAULTS xz --format=lzma -c < "$SPC" > a.lzma
	spc-cat "$SPC" > want
	spc-cat a.lzma | same want -
	spc-cat < a.lzma | same want -
}

@test "of half a file of lz4 the events of the whole blocks, then the fault" {
	need_program lz4
	seq 1 20000 | awk '{ print "0," $1 * 7919 % 100003 ",512,R," $1 ".5" }' > a.spc
	env -u LZ4_CLEVEL lz4 -B4 -c a.spc > a.lz4 2> /dev/null
	head -c $(($(wc -c < a.lz4) / 2)) a.lz4 > half
	status_is 2 trace-filter -O columns='time=$5 event=$4 addr=$2 loc=$1 size=$3' 'event?' half
	has "$stderr" '^trace-filter: half: offset [0-9]+: read: .*lz4 -dc: status'
	[ "$(wc -l <<< "$output")" -gt 5000 ]
	spc-cat a.spc | head -n "$(wc -l <<< "$output")" | same - <(echo "$output")
}

@test "a reader that has enough is no error, nor is what a live pipe has not yet" {
	need_program gzip
	yes 1,2,3,R,4.0 | head -n 1000000 | pack gzip > a.gz
	[ "$(spc-cat --unordered a.gz 2>&1 | head -n 1)" = $'4.000000000\t1\tR\t2\t3\t-' ]
	# shellcheck disable=SC2002
	[ "$(cat a.gz | spc-cat --unordered 2>&1 | head -n 1)" = $'4.000000000\t1\tR\t2\t3\t-' ]
	head -n 3 "$SPC" | pack gzip > b.gz
	# Byte by byte, with pauses in its first ones.
	(head -c 1 b.gz; sleep 0.1; tail -c +2 b.gz | head -c 1; sleep 0.1; tail -c +3 b.gz) | spc-cat | same <(head -n 3 "$SPC" | spc-cat) -
	spc-cat --tune read=1 b.gz | same <(head -n 3 "$SPC" | spc-cat) -
	# shellcheck disable=SC2002
	cat b.gz | spc-cat --tune read=1 | same <(head -n 3 "$SPC" | spc-cat) -
	# What only begins like it.
	status_is 2 trace-filter 'event?' < <(printf '\037')
	has "$stderr" 'no known format'
	status_is 2 trace-filter 'event?' < <(printf BZ)
	has "$stderr" 'no known format'
}

@test "threads, inputs that are read twice, parts" {
	need_program gzip
	for i in {1..2000}; do echo "$((i % 3)),$((i * 7 % 50)),512,R,$i.5"; done > a.spc
	pack gzip < a.spc > a.gz
	trace-stats --tune worth=1 -j 4 -g loc -a 'count,p50(addr)' a.gz | same <(trace-stats -g loc -a 'count,p50(addr)' a.spc) -
	trace-export -T oracle -o a.o a.spc
	trace-export -T oracle -o b.o a.gz
	trace-export -T oracle -o c.o < a.gz
	# shellcheck disable=SC2002
	cat a.gz | trace-export -T oracle -o d.o
	for f in b.o c.o d.o; do same a.o $f; done
	trace-merge a.gz a.spc | same <(trace-merge a.spc a.spc) -
	status_is 2 trace-stats --chunk 1/2 a.gz
	has "$stderr" 'a.gz: --chunk: only a regular file can be cut into parts'
	# Partial answers.
	trace-stats -p -a count -o p.gz a.spc
	trace-stats -m p.gz | same <(trace-stats -a count a.spc) -
}

@test "many at once, and more than there are descriptors" {
	need_native
	need_program gzip
	head -n 20 "$SPC" > a.spc
	pack gzip < a.spc > a.gz
	for i in {1..300}; do echo a.gz; done > packed
	sed s/gz/spc/ packed > plain
	(ulimit -n 400; trace-merge -l packed) | same <(trace-merge -l plain) -
	(ulimit -n 100; status_is 2 trace-merge -l packed; has "$stderr" '300 inputs are pipes, or compressed, and must stay open')
}

@test "ranks behind a .meta file, and streams in a directory" {
	need_program gzip
	cp -r "$FIX/runs" plain
	chmod -R u+w plain
	cp -r plain packed
	(
		cd packed
		pack gzip < solver-0000.bin > solver-0000.bin.gz
		rm solver-0000.bin
		for f in solver-0001.bin $(find tasks -name stream.obs); do
			pack gzip < "$f" > x
			mv x "$f"
		done
	)
	for d in plain packed; do (cd $d; dumpi2txt solver.meta; ovni-dump tasks) > $d.out; done
	same plain.out packed.out
	(cd plain; dumpi2txt solver-0003.bin) > want
	pack gzip < plain/solver-0003.bin > solver-0003.bin.gz
	dumpi2txt solver-0003.bin.gz | same want -
	(cd plain; dumpi2txt solver-0003.bin solver-0002.bin) > want
	dumpi2txt solver-0003.bin.gz plain/solver-0002.bin | same want -
	head -c 100 solver-0003.bin.gz > packed/solver-0003.bin
	echo rubbish >> packed/tasks/loom.node0/proc.100/thread.101/stream.obs
	cd packed
	status_is 2 dumpi2txt solver.meta
	has "$stderr" 'solver-0003.bin: .*gzip -dc: status 1'
	status_is 2 ovni-dump tasks
	has "$stderr" 'thread.101/stream.obs: .*gzip -dc: status 2'
}
