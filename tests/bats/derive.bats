#!/usr/bin/env bats
# derive.bats - trace-derive: what is appended and dropped leaves no trace, all forms agree, memory is
# bounded. What is one command is in tests/cases/derive.sh.

load ../helpers

setup() {
	enter
}

# Traces of every format, with what they need.
traces() {
	find "$FIX" -type f -size -400k ! -name '*.md' ! -name '*.json' | LC_ALL=C sort
	echo "$FIX/runs/tasks"
}

@test "appended and dropped again: the input, byte for byte, of every format, as text and binary" {
	tried=0
	while read -r f; do
		trace-filter -b 'event?' "$f" > a.bin 2>/dev/null || continue
		trace-filter -t 'event?' "$f" > a.txt 2>/dev/null
		tried=$((tried + 1))
		for form in bin txt; do
			[ $form = bin ] && o=-b || o=-t
			trace-derive $o 'zz=addr' "$f" 2>/dev/null | trace-derive $o zz= | same a.$form -
			trace-derive $o 'zz=loc' 'yy=size / 3' 'xx=event' "$f" 2>/dev/null |
				trace-derive $o xx= yy= zz= | same a.$form - || { echo "$f"; return 1; }
		done
	done < <(traces)
	[ "$tried" -ge 25 ]
}

@test "native, binary and text give the same" {
	tried=0
	set -- 'p=addr // 4096' 'q=size / 7' 'h=hash(loc)' 'event=lower(event)' 'size=size * 2' 't=time' 'e=event'
	while read -r f; do
		trace-filter -b 'event?' "$f" > a.bin 2>/dev/null || continue
		trace-filter -H 'event?' "$f" > a.txt 2>/dev/null
		tried=$((tried + 1))
		trace-derive -t "$@" "$f" 2>/dev/null > all || [ $? = 2 ]
		grep -v "^#" all > want || [ $? = 1 ]
		for f in "$f" a.bin a.txt; do
			trace-derive -t "$@" "$f" 2>/dev/null | grep -v '^#' | same want -
			trace-derive -b "$@" "$f" 2>/dev/null | trace-filter -t 'event?' 2>/dev/null | grep -v '^#' | same want -
		done
	done < <(traces)
	[ "$tried" -ge 25 ]
}

@test "shifts, scales and pages are those of awk" {
	f=$FIX/spc/Financial1-head.spc
	trace-derive 'time = time * 2 + 1' 'addr = addr * 512' 'page = addr // 4096' 'mod = addr % 4096' "$f" > got
	spc-cat "$f" | awk -F'\t' -v OFS='\t' '{
		# In nanoseconds, since a double has no room for all decimals of a sum.
		split($1, t, "."); n = (t[1] * 1000000000 + t[2]) * 2 + 1000000000
		$1 = sprintf("%d.%09d", int(n / 1000000000), n % 1000000000)
		$4 *= 512
		print $0, "page=" int($4 / 4096), "mod=" $4 % 4096 }' | same got -
}

@test "computed keys are those of trace-derive" {
	f=$FIX/spc/Financial1-head.spc
	trace-derive -b 'p = addr // 1000' "$f" | trace-stats -g p -a 'count,sum(size)' > got
	spc-cat "$f" | awk -F'\t' '{ p = int($4 / 1000); n[p]++; s[p] += $5 }
		END { for (p in n) print p "\t" n[p] "\t" s[p] }' | sort -n | same <(sed 1d got) -
}

@test "what is dropped or replaced is nowhere in the binary stream, nor is an old place or name" {
	printf '%s\n' $'1.000000000\tsecret1/x\tsecret2\t-\t-\t-\tsecret3=5\tk=secret4\tl=secret5' > t
	trace-filter -b 'event?' t > a.bin
	[ "$(grep -ao 'secret[0-9]' a.bin | sort -u | wc -l)" = 5 ]
	for f in t a.bin; do
		trace-derive -b 'loc = hash(loc)' 'event = hash(event)' secret3= k= 'l = len(l)' "$f" > b.bin
		if grep -ao 'secret[0-9]' b.bin; then return 1; fi
		[ "$(trace-filter -t 'event?' b.bin | cut -f7)" = l=7 ]
	done
	# Numbers of strings: of kernel events.
	trace-derive -b 'file=' "$FIX/laplace/seed.kern" > b.bin 2>/dev/null
	names=$(trace-filter -F file 'file?' "$FIX/laplace/seed.kern" | sort -u)
	[ -n "$names" ]
	while read -r name; do
		if [ "${#name}" -ge 5 ] && grep -aF -- "$name" b.bin; then return 1; fi
	done <<<"$names"
}

many() { # N: events, each with a time of its own
	awk -v n="$1" 'BEGIN { for (i = 0; i < n; i++) printf "%d.000000000\t%d\tR\t%d\t512\t-\n", i, i % 7, i * 8 }'
}

@test "100,000 names of events and places: all forms agree, and memory is bounded" {
	many 300000 > t
	trace-derive -t 'event = time % 100000s // 1s' 'loc = addr' 'x = loc' t > want
	[ "$(cut -f3 want | sort -u | wc -l)" = 100000 ]
	trace-derive -b 'event = time % 100000s // 1s' 'loc = addr' 'x = loc' t > a.bin
	trace-filter -t 'event?' a.bin | same want -
	# It began anew, with the strings and types of the events that were to come.
	[ "$(grep -ao 'SPOOR' a.bin | wc -l)" -ge 3 ]
	need_native
	(
		ulimit -v 200000
		trace-derive -b 'event = time' 'loc = addr' 'x = loc' t > b.bin
	)
	[ "$(trace-filter -c 'event?' b.bin)" = 300000 ]
}

@test "a definition of 60 KB, and 1000 definitions" {
	many 10 > t
	long=$(printf '%030000d' 7 | tr 0 x)
	trace-derive "$long = addr" t | cut -f7 | head -1 | same <(echo "$long=0") -
	trace-derive "x = addr$(printf ' + 1%.0s' $(seq 5000))" t | cut -f7 | head -2 | same <(printf 'x=5000\nx=5008\n') -
	mapfile -t defs < <(for i in $(seq 1000); do echo "v$i = $i + addr"; done)
	trace-derive "${defs[@]}" t | cut -f7,1006 | sed -n 2p | same <(printf 'v1=9\tv1000=1008\n') -
	trace-derive -b "${defs[@]}" t | trace-derive -t "${defs[@]/=*/=}" | same t -
}

@test "an input that is cut off: every whole event, a message, status 2" {
	spc-cat -b "$FIX/spc/Financial1-head.spc" > a.bin
	for n in 100 3000 5000; do
		head -c $n a.bin > cut.bin
		status_is 2 trace-derive -t 'p = addr // 8' cut.bin
		has "$stderr" '^trace-derive: cut.bin: '
		trace-filter -t 'event?' cut.bin 2>/dev/null | wc -l | same - <(grep -c . <<<"$output" || :)
	done
}

@test "parts that share bytes, faults of the source" {
	need_native
	# shellcheck disable=SC2086  # CC may hold flags
	$CC -std=c11 -D_XOPEN_SOURCE=700 -I"$ROOT/common" -I"$ROOT/cmd/lib" -I"$ROOT/cmd" -o derive "$ROOT/tests/unit/derive.c" \
		"$ROOT/build/libcmd.a" "$ROOT/build/libspoor.a" -pthread -lm
	./derive > got 2> err
	same got - <<-END
	0.000000000	-	E	-	-	-	a=one	b=two	n=7	x=14
	lost 0, trouble 1
	0.000000000	-	E	-	-	-	a=abc	b=abc	n=7	x=14
	lost 0, trouble 1
	0.000000000	-	E	-	-	-	a=abc	b=abc
	lost 0, trouble 1
	lost 1, trouble 1
	END
	[ "$(grep -c '^derive: made: a fault$' err)" = 4 ]
	[ "$(grep -c 'event 1 is skipped: too many of its arguments share their bytes' err)" = 1 ]
}
