#!/usr/bin/env bats
# charisma.bats - CHARISMA: layouts, detection, records, state, damage.

load ../helpers

setup_file() {
	generator bench/gen_charisma.c
	cd "$ROOT" || return 1
	sanitized build/asan/fuzz_charisma build/asan/fuzz_charisma_layout \
		build/asan/bin/charisma-dump || [ $? = 1 ]
}

setup() {
	enter
	C=$FIX/charisma
	GEN=$BATS_FILE_TMPDIR/gen
	A=$ROOT/build/asan
	export ASAN_OPTIONS=detect_leaks=0
}

# dump ARGS: charisma-dump without its messages.
dump() { charisma-dump "$@" 2>/dev/null; }
patch() { # FILE OFFSET BYTES: puts these, with printf's escapes, at that offset
	printf '%b' "$3" | dd of="$1" bs=1 seek="$2" conv=notrunc status=none
}
oracle() { # FILE ARGS...: its events as the oracle has records, without their numbers
	local f=$1 none=$2
	shift 2
	dump -H "$@" "$f" | awk -v no_client="$none" -f "$ROOT/tests/oracle/charisma_oracle.awk"
}
wanted() { xzcat "$1" | cut -f2- | grep -v '^disk	'; }

@test "layouts: the offsets of three machines are those that compilers gave" {
	for p in $(cut -f1 "$ROOT/tests/facts/charisma-layouts.tsv" | uniq); do
		charisma-dump --preset "$p" --dump-layout | tail -n +2
	done | same "$ROOT/tests/facts/charisma-layouts.tsv" -
}

@test "layouts: the engine's offsets are the compilers' table, all 1328 rows" {
	[ -f "$TRACES/../formats/charisma_layouts.tsv" ] || skip 'SPOOR_TRACES names no collection with tables beside it'
	tail -n +2 "$TRACES/../formats/charisma_layouts.tsv" > want
	[ "$(wc -l < want)" = 1328 ]
	for p in $(cut -f1 want | uniq); do
		charisma-dump --preset "$p" --dump-layout | tail -n +2
	done | same want -
	# The one preset that the table lacks has its sister's offsets.
	charisma-dump --preset packed-lp64-be --dump-layout | sed s/-be/-le/ > a
	charisma-dump --preset packed-lp64-le --dump-layout | same - a
}

@test "layouts: offsetof of structs compiled here equals the engine" {
	cc -std=c11 -o gen "$ROOT/tests/gen/gen_charisma.c"
	case $(./gen offsets | grep -c . ; getconf LONG_BIT) in *64) p=lp64-le ;; *) p=ilp32-le-a8 ;; esac
	./gen offsets > want
	[ "$(wc -l < want)" = 133 ]
	charisma-dump --preset "$p" --dump-layout | tail -n +2 | cut -f2- | same want -
	[ $p = lp64-le ] || return 0
	cc -std=c11 -DPACKED -o gen "$ROOT/tests/gen/gen_charisma.c"
	./gen offsets > want
	charisma-dump --preset packed-lp64-le --dump-layout | tail -n +2 | cut -f2- | same want -
	cc -std=c11 -DPACKED_4 -o gen "$ROOT/tests/gen/gen_charisma.c"
	./gen offsets > want
	printf 'charisma-layout 1\nbase lp64\nalign max 4\n' > four.layout
	charisma-dump -L four.layout --dump-layout | tail -n +2 | same <(sed 's/^/four\t/' want) -
	if cc -std=c11 -m32 -c -o gen32.o "$ROOT/tests/gen/gen_charisma.c" 2>/dev/null &&
	    cc -m32 -o gen32 gen32.o 2>/dev/null; then
		./gen32 offsets > want
		charisma-dump --preset ilp32-le-a4 --dump-layout | tail -n +2 | cut -f2- | same want -
	fi
}

@test "the fixtures are what their generators make" {
	[ "$(printf '\1\0' | od -An -td2 | tr -d ' ')$(getconf LONG_BIT)" = 164 ] || skip 'another ABI'
	cc -std=c11 -o gen "$ROOT/tests/gen/gen_charisma.c"
	./gen trace | same "$C/lp64-le.chr" -
	cc -std=c11 -DPACKED -o gen "$ROOT/tests/gen/gen_charisma.c"
	./gen trace | same "$C/packed-lp64-le.chr" -
	for p in cm5 ipsc860 ilp32-be-esize; do
		"$GEN" "$p" 60 1 1 | same "$C/$p.chr" -
	done
}

@test "every record and field of the oracles, all presets" {
	need_traces charisma
	for f in "$TRACES"/charisma/*.tsv.xz; do
		f=${f%.tsv.xz}
		[ "${f##*/}" = custom ] && continue
		wanted "$f.tsv.xz" > want
		oracle "$f.chr" -1 | same want -
	done
}

@test "every record and field of the oracle with a layout of its own" {
	need_traces charisma
	f=$TRACES/charisma/custom
	wanted "$f.tsv.xz" > want
	oracle "$f.chr" 65535 -L "$f.layout" | same want -
	status_is 0 charisma-dump -L "$f.layout" "$f.chr"
	has "$stderr" '1 machine-dependent record skipped'
}

@test "detection: the preset of every sample" {
	need_traces charisma
	n=0
	for f in "$TRACES"/charisma/*.chr; do
		p=$(basename "$f" .chr)
		p=${p#clean-}
		[ "$p" = custom ] && continue
		status_is 0 charisma-dump -M "$f"
		has "$output" "^layout	$p\$"
		has "$stderr" ": layout $p, because its records fit"
		n=$((n + 1))
	done
	[ "$n" = 8 ]
	status_is 2 charisma-dump "$TRACES/charisma/custom.chr"
	has "$stderr" 'offset 8: no preset fits .*give -O preset or -O layout'
}

@test "detection: every preset, every end of an array, and the header record alone" {
	for p in $(charisma-dump --preset list); do
		"$GEN" "$p" 60 2 1 > a
		[ "$(dump -M a | sed -n 's/^layout\t//p')" = "$p" ]
		bytes=$((8 + $(charisma-dump --preset "$p" --dump-layout |
			sed -n 's/.*TraceHeaderRecord\t(sizeof)\t0\t//p')))
		head -c "$bytes" a > h
		[ "$(dump -M h | sed -n 's/^layout\t//p')" = "$p" ]
		[ "$(dump h | cut -f3)" = header ]
	done
	for p in lp64-le cm5; do
		"$GEN" "$p" 60 3 1 1 > a
		[ "$(dump -M a | sed -n 's/^tail\t//p')" = idiom ] || [ $p != lp64-le ]
		"$GEN" "$p" 60 3 1 2 > b
		[ "$(dump -M b | sed -n 's/^tail\t//p')" = nopad ]
		"$GEN" "$p" 60 3 1 > c
		dump c > want
		dump a | same want -
		dump b | same want -
		# Written anew: its own end, but that of a layout that is asked for.
		trace-convert -T charisma b 2>/dev/null | same b -
		trace-convert -T charisma -O preset=$p b 2>/dev/null | same c -
	done
}

@test "detection: a tie is refused, and names both" {
	head -c 152 "$C/ipsc860.chr" > a
	patch a 28 '\0000\0000\0000\0000'
	head -c 80 /dev/zero | dd of=a bs=1 seek=40 conv=notrunc status=none
	status_is 2 charisma-dump a
	has "$stderr" 'offset 8: the layouts ipsc860 and ilp32-le-a8 fit equally well: give -O preset or -O layout'
	[ -z "$output" ]
	status_is 0 charisma-dump --preset ipsc860 a
	has "$output" 'timestamp=954722123457'
	status_is 2 charisma-dump --preset cm5 a
	has "$stderr" 'offset 0: the magic number is little-endian, the layout cm5 is not'
}

@test "detection: the same however the input comes in" {
	# A header that is not enough by itself, and behind 64 KiB a type that does not exist.
	"$GEN" lp64-le 900 > a
	[ "$(wc -c < a)" -gt 70000 ]
	patch a 48 '\0000'
	{ printf 'M\0'; head -c 78 /dev/zero; } >> a
	status_is 2 charisma-dump a
	has "$stderr" 'offset 8: no preset fits'
	for r in 1000 66000; do
		charisma-dump --tune read=$r a > out 2> err && return 1
		same - err <<<"$stderr"
		[ ! -s out ]
	done
}

@test "malformed: whole events before the damage, a message with the offset, status 2" {
	need_traces charisma
	m=$TRACES/charisma/malformed
	wanted "$m/base-lp64-le.tsv.xz" > base
	n=0
	while IFS=$'\t' read -r file what offset events _ record stop _; do
		got=0
		charisma-dump -H "$m/$file" > out 2> err || got=$?
		awk -v no_client=-1 -f "$ROOT/tests/oracle/charisma_oracle.awk" out > lines
		case $file in
		lp64-le-gzip.chr)
			# What is compressed is read as what is in it (tests/bats/compress.bats): whole.
			[ "$got" = 0 ]
			same base lines
			n=$((n + 1))
			continue
			;;
		lp64-le-header-only.chr)
			[ "$got" = 0 ]
			[ "$(wc -l < lines)" = 1 ]
			;;
		*)
			[ "$got" = 2 ] || { echo "$file: $what: status $got"; return 1; }
			grep -Eq "offset ($offset|$record)\b" err || [ "$stop" = later ] ||
				[ "$offset" = 3 ] || { echo "$file: $(cat err)"; return 1; }
			;;
		esac
		head -n "$events" lines > a
		head -n "$events" base > b
		[ "$(wc -l < a)" = "$events" ] || { echo "$file: $(wc -l < lines) events"; return 1; }
		same b a || { echo "$file"; return 1; }
		case $stop in yes) [ "$(wc -l < lines)" = "$events" ] ;; esac
		n=$((n + 1))
	done < <(tail -n +2 "$m/MANIFEST.tsv" | grep -v unit-)
	[ "$n" = 34 ]
	# Without a unit there are ticks: all records are there.
	for u in inf nan negative zero; do
		status_is 2 charisma-dump "$m/lp64-le-unit-$u.chr"
		has "$stderr" 'offset 160: timestamp_unit is .*: times have an unknown unit'
		[ "$(wc -l <<<"$output")" = 845 ]
		has "$(head -1 <<<"$output")" '^954728123457	'
	done
	status_is 2 charisma-dump --hz 1000000 "$m/lp64-le-unit-zero.chr"
	dump "$m/base-lp64-le.chr" | head -200 | cut -f1-6 > want
	head -200 <<<"$output" | cut -f1-6 | same want -
}

@test "cut at any byte: the whole events before, then status 2" {
	dump "$C/lp64-le.chr" > want
	# By a shell that is quick, and compared at once: there are hundreds of cuts.
	mkdir cut
	# shellcheck disable=SC2016  # the other shell's
	sh -c 'n=1
		while [ $n -lt "$2" ]; do
			head -c $n "$1" > a
			got=0
			out=cut/$(printf %06d $n)
			charisma-dump --preset lp64-le a > "$out" 2> err || got=$?
			[ $got = 2 ] || { [ $got = 0 ] && [ -s "$out" ]; } || { echo "cut at $n: status $got"; cat err; exit 1; }
			n=$((n + 13))
		done' sh "$C/lp64-le.chr" "$(wc -c < "$C/lp64-le.chr")"
	# As many of the whole ones as there are of each. An asynchronous request's end may be cut off.
	cut -f1-5,7- want > whole
	awk '{ print FILENAME "\t" $0 }' cut/* | cut -f1-6,8- > got
	wc -l cut/* | awk 'FILENAME == "whole" { line[FNR] = $0; next }
		$2 != "total" { for (i = 1; i <= $1; i++) print $2 "\t" line[i] }' whole - | same got -
	[ -s got ]
}

@test "every truncation and every changed byte, under sanitizers" {
	[ -x "$A/fuzz_charisma" ] || skip 'no compiler with sanitizers'
	trace-filter -n 'not event in {app-load, open}' "$C/lp64-le.chr" > a 2>/dev/null
	head -c 1700 "$C/ipsc860.chr" > b
	"$A/fuzz_charisma" -m a
	"$A/fuzz_charisma" "$C"/*.chr b
	if [ -d "$TRACES/charisma" ]; then
		"$A/fuzz_charisma" "$TRACES"/charisma/*.chr "$TRACES"/charisma/malformed/*.chr
	fi
}

full_layout() {
	cat <<-'END'
	charisma-layout 1
	base ilp32 # a comment
	align natural
	type TimestampType u8 align 4
	type TraceUserId u2
	type Blocks s4
	const TRACE_NAME_LENGTH 8
	const TRACE_PATH_LENGTH 0x8
	const NO_APP -1
	const COMP_RW_RECORD 200
	struct TraceIORequest
	BigInt offset
	u_long memory_offset
	BigInt IO_size
	TraceClientId client_id
	char tag[3]
	end
	record 9 rw
	u_short record_type
	TimestampType starttime
	TimestampType endtime
	TraceFileDesc file_desc
	byte operation_type
	TraceAsyncId async_id
	u_short num_clients
	repeat num_clients TraceIORequest requests
	end
	record 16 disk size 20
	record 17 note
	u_short record_type
	TimestampType timestamp
	char text[TRACE_NAME_LENGTH]
	u_short n
	double load
	repeat n Blocks blocks
	end
	tail nopad
	words low
	END
}

@test "layout files: all that there is, computed; and fuzzed under sanitizers" {
	full_layout > f.layout
	charisma-dump -L f.layout --dump-layout > out
	grep -q $'^f\tTraceIORequest\ttag\t28\t3$' out
	grep -q $'^f\tTraceIORequest\t(sizeof)\t0\t32$' out
	grep -q $'^f\tTraceRWRecord\trequests\t40\t32$' out
	grep -q $'^f\tnote\tload\t24\t8$' out
	grep -q $'^f\tnote\tblocks\t32\t4$' out
	[ -x "$A/fuzz_charisma_layout" ] || skip 'no compiler with sanitizers'
	"$A/fuzz_charisma_layout" -m f.layout
}

@test "a record and its request: more arguments than either may have fields, names of both" {
	# The fields of lp64-le, those of no column byte by byte, as is the padding.
	{
		printf 'charisma-layout 1\nbase lp64\nstruct TraceIORequest\nBigInt offset\n'
		printf 'byte m%s\n' {1..8}
		printf 'BigInt IO_size\nTraceClientId client_id\n'
		printf 'byte p%s\n' {1..4}
		printf 'end\nrecord 9 rw\nu_short record_type\n'
		printf 'byte p%s\n' {1..6}
		printf 'TimestampType starttime\nTimestampType endtime\nTraceFileDesc file_desc\nbyte operation_type\n'
		printf 'byte q%s\n' {1..11}
		printf 'u_short num_clients\n'
		printf 'byte r%s\n' {1..6}
		printf 'repeat num_clients TraceIORequest requests\nend\n'
	} > many.layout
	"$GEN" lp64-le 3000 > a
	dump --tune simd=slow -L many.layout a > want
	[ "$(grep -c $'\tm8=' want)" = 3000 ]
	dump -L many.layout a | same want -
	[ -x "$A/bin/charisma-dump" ] || skip 'no compiler with sanitizers'
	"$A/bin/charisma-dump" -L many.layout a 2>/dev/null | same want -
}

@test "ids of an unsigned type of 8 bytes are without a sign" {
	printf 'charisma-layout 1\nbase lp64\ntype TraceClientId u8 align 4\ntype TraceAppId u8 align 4\n' > u.layout
	printf 'const NO_CLIENT 0\nrecord 3 join\nu_short record_type\nTimestampType timestamp\n' >> u.layout
	printf 'TraceAppId appl_id\nTraceClientId client_id\nend\n' >> u.layout
	{ head -c 168 "$C/lp64-le.chr"; printf '\3\0'; head -c 22 /dev/zero; printf '\377\377\377\377\377\377\377\377'; } > a
	[ "$(dump -L u.layout a | tail -1 | cut -f2,3)" = $'18446744073709551615\tjoin' ]
}

@test "asynchronous requests get their duration, within the window; file order stays" {
	dump "$C/lp64-le.chr" > out
	grep -q $'^0.002480000\t1\tread\t8192\t2048\t0.000590000\t' out
	grep -q $'^0.002730000\t2\twrite\t1000\t3000\t0.000290000\t' out
	grep -q $'^0.003080000\t2\twrite\t4000\t100\t-\t' out
	[ "$(grep -c $'\t0.000290000\tby=app\t.*request=./3' out)" = 3 ]
	[ "$(grep -c async-end out)" = 4 ]
	# The request behind it is one too far for the first, not for the second.
	dump --async-window 0 "$C/lp64-le.chr" > none
	[ "$(awk -F'\t' '/ASYNC/ && $6 != "-"' none | wc -l)" = 0 ]
	cut -f1-5,7- out | same - <(cut -f1-5,7- none)
	"$GEN" lp64-le 3000 1 1 > a
	dump a > want
	dump --async-window 1 a | same want - # its end is the next record
	trace-filter -n 'not (event = async-end)' a > b 2>/dev/null
	[ "$(dump b | awk -F'\t' '/ASYNC/ && $6 != "-"' | wc -l)" = 0 ]
	{ cat b; trace-filter -n 'event = async-end' a 2>/dev/null | tail -c +169; } > c
	n=$(dump c | awk -F'\t' '/ASYNC/ && $6 != "-"' | wc -l)
	[ "$n" -gt 100 ]
	[ "$(dump --async-window 3000 c | awk -F'\t' '/ASYNC/ && $6 != "-"' | wc -l)" -le "$n" ]
	[ "$(dump --async-window 10 c | awk -F'\t' '/ASYNC/ && $6 != "-"' | wc -l)" -lt 10 ]
}

@test "an asynchronous end at the edge of what is looked at: the same for all read sizes" {
	{ head -c 168 "$C/lp64-le.chr"
	printf '\011\0'; head -c 26 /dev/zero; printf '\5'; head -c 11 /dev/zero; printf '\1'; head -c 39 /dev/zero; } > a
	{ printf '\3\0'; head -c 22 /dev/zero; } > joins
	for _ in {1..19}; do cat joins joins > two; mv two joins; done
	{ head -c $((24 * 338599)) joins; printf '\016\0'; head -c 38 /dev/zero; head -c 2400000 joins; } >> a
	dump --tune read=65536 --preset lp64-le a | sed -n 2p > want
	grep -q ASYNC want
	dump --tune read=64462 --preset lp64-le a | sed -n 2p | same want -
}

@test "asynchronous requests of the oracle: as many have a duration as have an end" {
	need_traces charisma
	f=$TRACES/charisma/clean-lp64-le
	want=$(xzcat "$f.tsv.xz" | awk -F'\t' '
		function value(k,   i) { for (i = 3; i <= NF; i++) if (index($i, k "=") == 1) return substr($i, length(k) + 2) }
		$2 ~ /RW/ && value("operation_type") % 2 { id[value("async_id")] = $1; n[$1]++ }
		$2 ~ /ASYNCH/ { a = value("async_id"); if (a in id) { d += n[id[a]]; delete id[a] } }
		END { print d }')
	[ "$want" -gt 3000 ]
	[ "$(dump "$f.chr" | awk -F'\t' '/=ASYNC/ && $6 != "-"' | wc -l)" = "$want" ]
}

@test "native output: whole records, header and magic kept, each once" {
	for f in "$C"/*.chr; do
		trace-filter -n 'event?' "$f" 2>/dev/null | same "$f" -
	done
	trace-filter -n 'request ~ "/8$"' "$C/cm5.chr" > a
	[ "$(dump --preset cm5 a | grep -c request=)" = "$(dump "$C/cm5.chr" | grep -c request=)" ]
	# Two records of eight requests, out of which one matches each.
	trace-filter -n 'request = "8/8"' "$C/cm5.chr" | same a -
}

@test "a machine-dependent record: skipped with its size; described, an event; without either, the end" {
	{ head -c 168 "$C/lp64-le.chr"; printf 'd\0'; head -c 62 /dev/zero; tail -c +169 "$C/lp64-le.chr"; } > a
	status_is 2 charisma-dump --preset lp64-le a
	has "$stderr" 'offset 168: record type 100 is not in the layout lp64-le'
	[ "$(wc -l <<<"$output")" = 1 ]
	printf 'charisma-layout 1\nbase lp64\nrecord 100 disk size 64\n' > md.layout
	status_is 0 charisma-dump -L md.layout a
	has "$stderr" '1 machine-dependent record skipped'
	dump "$C/lp64-le.chr" > want
	same want - <<<"$output"
	# Described, it is an event with its fields.
	cat > md.layout <<-'END'
	charisma-layout 1
	base lp64
	record 100 disk
	u_short record_type
	u_short number
	TraceClientId client_id
	TimestampType timestamp
	char label[8]
	double speed
	s x
	END
	sed -i 's/^s x/TraceAppId appl_id/' md.layout
	printf 'int rest\nBigInt a\nBigInt b\nBigInt c\nend\n' >> md.layout
	patch a 170 '\0005\0000'
	patch a 184 'main'
	status_is 0 charisma-dump -L md.layout a
	has "$(sed -n 2p <<<"$output")" $'\t0\tdisk\t-\t-\t-\tnumber=5\tlabel=main\tspeed=0\tappl_id=0\trest=0\ta=0\tb=0\tc=0$'
}

@test "the compressed record, where the layout gives its number, in both orders" {
	printf 'charisma-layout 1\nbase ilp32\nconst COMP_RW_RECORD 200\n' > comp.layout
	# client 7, descriptor 5, memstride 1; size 0, stride 2, write of a client, delta: 1000
	# duration 250, fields: delta 1000, size 512
	{ "$GEN" cm5 1 | head -c 152; printf '\310\7\25\055\0\0\0\372\0\0\3\350\0\0\2\0'; } > b
	status_is 0 charisma-dump -L comp.layout b
	has "$(sed -n 2p <<<"$output")" $'^0.001000000\t7\twrite\t-\t512\t0.000250000\tby=client\tfile_desc=5\toperation_type=WRITE,CLIENTREQUEST\tmemstride_index=1\tstride_index=2$'
	# The same little-endian, but with the whole time and all values.
	{ "$GEN" ilp32-le-a8 1 | head -c 152
	printf '\310\7\005\140\372\0\0\0\001\052\265\111\336\0\0\0\1\0\0\0\2\0\0\0\3\0\0\0'; } > l
	status_is 0 charisma-dump -L comp.layout l
	has "$(sed -n 2p <<<"$output")" $'\t7\twrite\t-\t2\t0.000250000\tby=client\tfile_desc=5\toperation_type=WRITE,CLIENTREQUEST\tmemstride=1\tstride=3$'
	# Both come back through text; the second one, without a difference, byte for byte.
	for f in b l; do
		charisma-dump -L comp.layout -H $f > $f.txt
		trace-convert -T charisma -O layout=comp.layout -o back $f.txt
		charisma-dump -L comp.layout -H back | same $f.txt -
	done
	same l back
	sed 's/stride=3/stride=4294967296/; s/file_desc=5/file_desc=64/' l.txt > wide.txt
	status_is 2 trace-convert -T charisma -O layout=comp.layout wide.txt
	has "$stderr" 'event 2 is skipped: no addr, and not all numbers of a compressed request'
	head -c 176 l > short
	status_is 2 charisma-dump -L comp.layout short
	has "$stderr" 'offset 152: .*cut off'
}

@test "the fast and the slow way give the same bytes, as do pipes and single bytes" {
	for f in "$C"/*.chr; do
		for o in -t -b -H; do
			charisma-dump $o "$f" > a 2> a.err
			charisma-dump --tune simd=slow $o "$f" > b 2> b.err
			same a b
			same a.err b.err
			charisma-dump --tune read=1 $o "$f" > b 2> b.err
			same a b
			same a.err b.err
		done
		dump "$f" > text
		charisma-dump -t < "$f" 2>/dev/null | same text -
		trace-filter -t 'event?' <(dump -b "$f") | same text -
	done
	# Negative numbers, and whatever else is beyond a field's kind.
	for ((i = 100; i < 3248; i += 7)); do
		{ head -c $i "$C/lp64-le.chr"; printf '\377'; tail -c +$((i + 2)) "$C/lp64-le.chr"; } > odd
		charisma-dump -b odd > a 2> a.err || :
		charisma-dump --tune simd=slow -b odd > b 2> b.err || :
		same a b
		same a.err b.err
	done
	for layout in cm5 ilp32-be-esize ipsc860 packed-lp64-le lp64-be; do
		"$GEN" $layout 20000 5 1 > big
		dump -b big > a
		charisma-dump --tune simd=slow -b big 2>/dev/null | same a -
	done
	"$GEN" lp64-le 20000 5 1 > big
	for o in -t -b; do
		dump $o big > a
		charisma-dump --tune simd=slow $o big 2>/dev/null | same a -
		# Blocks of strings follow what comes in at a time; events do not.
		trace-filter -t 'event?' a > want
		charisma-dump $o < <(cat big) 2>/dev/null | trace-filter -t 'event?' | same want -
	done
}

@test "statistics and filters: native = text = awk" {
	"$GEN" cm5 20000 6 1 > big
	dump big > text
	for what in count 'count,sum(size)' 'count,mean(dur)'; do
		trace-stats -g event -a "$what" big > a 2>/dev/null
		trace-stats -g event -a "$what" text | same a -
		trace-stats --tune simd=slow -g event -a "$what" big 2>/dev/null | same a -
	done
	awk -F'\t' '{ n[$3]++; s[$3] += $5 } END { for (e in n) print e, n[e], s[e] }' text | sort > want
	trace-stats -g event -a 'count,sum(size)' big 2>/dev/null | sed 1d | sed 's/-$/0/' | tr '\t' ' ' | sort | same want -
	[ "$(trace-filter -c 'write and size >= 4096 and by = client' big)" = \
		"$(awk -F'\t' '$3 == "write" && $5 >= 4096 && /by=client/' text | wc -l)" ]
}

@test "memory does not grow with the input" {
	need_native
	"$GEN" lp64-le 200000 1 1 > big
	trace-filter -n 'not (event = async-end)' big > noend 2>/dev/null
	for f in big noend; do
		for o in -t -b; do
			/usr/bin/time -f %M -o rss charisma-dump $o $f > /dev/null 2>&1 || skip 'no time(1)'
			[ "$(cat rss)" -le 16384 ]
		done
	done
}

@test "more files than a table of strings holds: names stay right" {
	# Every request and close names the file that was opened last by its client.
	"$GEN" packed-lp64-le 60000 7 > a
	dump a | awk -F'\t' '
		function value(k,   i) { for (i = 7; i <= NF; i++) if (index($i, k "=") == 1) return substr($i, length(k) + 2) }
		$3 == "open" && value("by") == "client" { name[$2] = value("name") }
		$3 == "read" && value("name") != name[$2] { exit 1 }'
}

@test "the layout page's example is a layout" {
	sed -n '/^charisma-layout 1$/,/^\.Ed/p' "$ROOT/man/charisma-layout.5" | sed '/^\./d' > page.layout
	charisma-dump -L page.layout --dump-layout | grep -q $'^page\tTraceRWRecord\trequests\t36\t24$'
}
