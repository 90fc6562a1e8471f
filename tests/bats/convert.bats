#!/usr/bin/env bats
# convert.bats - trace-convert: native traces that others wrote become text or a binary stream, and come back.

load ../helpers

# events FILE [OPTION...]: what there is of events and metadata, but for what the reader finds out itself.
events() {
	trace-filter -H "${@:2}" 'event?' "$1" 2>/dev/null
}

# comes_back FORMAT FILE [OPTION...]: through text, through the binary stream, and at once: the same events
# and metadata each time, and the same bytes. The options are those of reading and of writing. Sets `got`.
comes_back() {
	local f=$1 file=$2
	shift 2
	events "$file" "$@" > want.txt
	[ "$(wc -l < want.txt)" -gt 4 ]
	status_is 0 trace-convert -T "$f" "$@" -o text want.txt
	events text -f "$f" "$@" | same want.txt -
	trace-filter -b "$@" 'event?' "$file" 2>/dev/null | trace-convert -T "$f" "$@" | same text -
	# At once an option would be of the output alone.
	[ $# -gt 0 ] || trace-convert -T "$f" "$file" 2>/dev/null | same text -
}

@test "SPC, and Laplace's references: byte for byte" {
	for f in "$FIX"/spc/Fin*.spc "$FIX"/spc/Web*.spc; do
		comes_back spc "$f"
		same "$f" text
	done
	for f in "$FIX"/laplace/*.ref; do
		comes_back laplace "$f"
		same "$f" text
		# In the other order, of which the reader is told.
		trace-convert -T laplace -O order=big -o big "$f"
		[ "$(wc -c < big)" = "$(wc -c < "$f")" ]
		laplace-bin2txt --order big big > big.txt
		laplace-bin2txt "$f" | same big.txt -
		comes_back laplace big -O order=big
		same big text
	done
}

@test "Laplace's text: the same lines, but for the dashes of the last" {
	for f in "$FIX"/laplace/*.kern "$FIX"/laplace/*.reftxt; do
		comes_back laplace-text "$f"
		sed '$s/^c-*$/c/' "$f" | same - text
	done
}

@test "CHARISMA of several machines: byte for byte, where padding is 0" {
	for f in "$FIX"/charisma/*.chr; do
		comes_back charisma "$f"
		same "$f" text
	done
}

@test "CHARISMA: each layout reads what each other wrote" {
	# Not the iPSC/860's, which has fewer fields.
	charisma-dump --preset lp64-le "$FIX/charisma/lp64-le.chr" > want 2>/dev/null
	for p in $(charisma-dump --preset list | grep -v ipsc860); do
		status_is 0 trace-convert -T charisma -O preset="$p" -o "$p" "$FIX/charisma/lp64-le.chr"
		charisma-dump --preset "$p" "$p" 2>/dev/null | same want -
		# And it is found out.
		charisma-dump "$p" 2>/dev/null | same want -
	done
}

@test "the quick way of CHARISMA's requests and the other one agree" {
	# The binary stream says kinds, of which the quick way is made; a text stream does not.
	awk 'function seconds(ns) { return sprintf("%.0f.%09d", int(ns / 1e9), ns % 1e9) }
	BEGIN {
		srand(5)
		for (i = 0; i < 3000; i++) {
			t = int(rand() * 2 ^ (i % 60)); d = int(rand() * 2 ^ (i % 53))
			printf "%s\t%.0f\t%s\t%.0f\t%.0f\t%s\tby=client\tfile_desc=%.0f\toperation_type=%s\tasync_id=%d\tmemory_offset=%.0f\n", \
				seconds(t), int(rand() * 2 ^ (i % 33)), i % 3 ? "read" : "write", \
				int(rand() * 2 ^ (i % 64)), int(rand() * 2 ^ (i % 40)), \
				i % 7 ? seconds(d) : "-", int(rand() * 2 ^ (i % 33) - 5), \
				i % 5 ? "CLIENTREQUEST" : "ASYNCHRONOUS,WRITE", i, int(rand() * 2 ^ (i % 50))
		}
	}' > some.txt
	for p in cm5 lp64-le packed-ilp32-le ilp32-be-esize-lowfirst; do
		for unit in 1e-09 8e-07 0.0001 3e-10; do
			{ printf '##spoor\t1\n##format\tcharisma\n##clock\ts\torigin=0\n##meta\ttimestamp_unit=%s\n' $unit
				cat some.txt; echo '##end'; } > h.txt
			trace-convert -T charisma -O preset=$p h.txt > slow 2> slow.err || :
			has "$(cat slow.err)" 'cannot hold'
			# What can be written, by the types of a native trace.
			charisma-dump --preset $p --no-state -b slow > slow.bin
			trace-convert -T charisma slow.bin | same slow -
			# Times between two stamps.
			trace-derive -b 'time = if(header, time, time + 1275999ns)' 'dur = dur + 77ns' slow.bin > other.bin
			trace-filter -H 'event?' other.bin | trace-convert -T charisma > slow
			trace-convert -T charisma other.bin | same slow -
		done
	done
}

@test "real traces of others come back" {
	need_traces spc
	for f in "$TRACES"/spc/Fin*.spc "$TRACES"/spc/Web*.spc; do
		comes_back spc "$f"
		awk 1 "$f" | same - text # with a newline behind the last line
	done
	for f in "$TRACES"/laplace/*.txt; do
		comes_back laplace-text "$f"
		sed '$s/^c-*$/c/' "$f" | same - text
	done
	for f in "$TRACES"/charisma/*.chr; do
		case $f in
		*/custom.chr) comes_back charisma "$f" -O layout="$TRACES/charisma/custom.layout" ;;
		*/ipsc860.chr) comes_back charisma "$f" -O preset=ipsc860 ;;
		*) comes_back charisma "$f" ;;
		esac
	done
}

@test "whatever the bytes are: nothing crashes, and what is written without trouble is good" {
	need_native
	sanitized build/asan/fuzz_convert || { [ $? = 1 ] && skip "no compiler with sanitizers, or make quick"; }
	export ASAN_OPTIONS=detect_leaks=0
	cp "$ROOT"/tests/fuzz/corpus/convert/* .
	for f in "$FIX"/spc/*.spc "$FIX"/laplace/*.ref "$FIX"/charisma/cm5.chr; do
		head -c 200 "$f" > "${f##*/}"
	done
	"$ROOT/build/asan/fuzz_convert" -m ./*
	find "$ROOT/tests/fuzz/corpus" "$FIX" -type f -exec "$ROOT/build/asan/fuzz_convert" {} +
}

@test "a full disk in mid-trace, a reader that goes away" {
	need_native
	awk 'BEGIN { for (i = 0; i < 200000; i++) printf "%d.000000000\t1\tR\t%d\t512\t-\n", i / 10, i }' > many.txt
	status_is 2 trace-convert -T spc --addr-unit 512 -o /dev/full many.txt
	has "$stderr" 'No space left'
	local got=0
	{ trace-convert -T spc --addr-unit 512 many.txt || got=$?; echo $got > status; } 2> err | head -1 > first
	[ "$(cat status)" = 141 ]
	[ ! -s err ]
	[ "$(cat first)" = '1,0,512,R,0.000000' ]
}

@test "memory does not grow with the input" {
	need_native
	command -v /usr/bin/time > /dev/null || skip 'no time(1)'
	awk 'BEGIN { for (i = 0; i < 2000000; i++) printf "%d.%09d\t%d\tread\t%d\t512\t-\n", i / 10, i, i % 1000, i }' > many.txt
	for f in spc charisma; do
		/usr/bin/time -o mem -f %M trace-convert -T $f --addr-unit 512 many.txt > /dev/null 2> /dev/null || :
		[ "$(tail -1 mem)" -le 16384 ]
	done
}
