# shellcheck shell=sh disable=SC2016,SC2034,SC2154
# computed.sh - a part of tests/net.sh: computed values, tests of them, what was before, pairs, and tables of these.

# cross HEADER: each of these values with each other one, as arguments and as columns.
cross() {
	printf '%b' "$1"
	awk -v frac="${2-}" 'BEGIN {
		n = split("0 -0 1 -1 2 7 -7 0.5 -0.5 1.5 -2.25 0.1 0.000000001 -0.000000001 1e3 1e-3 1e300 -1e300 3 4096 0x10 007 4294967295 4294967296 9223372036854775807 9223372036854775808 -9223372036854775808 -9223372036854775809 18446744073709551615 18446744073709551616 9223372036.854775807 0xffffffffffffffff 1.0000000001 123456789.123456789 x \"\" ab/cd/ef /ab/ / nan 1,2 a\\x20b\\x26c", v, " ")
		for (i = 1; i <= n; i++) for (k = 1; k <= n; k++) {
			t++
			printf "%d%s\tn%d/%d\te%d\t%s\t%s\t%s\ta=%s", t / 7, frac ? "." sprintf("%09d", t * 997 % 1000000000) : "", i % 3, k % 4, t % 5,
				i % 6 ? (i * k * 512) : i % 4 ? "18446744073709551615" : "-", k % 5 ? i * 4096 + k : k % 2 ? "9223372036854775808" : "-",
				t % 4 ? (t * i % 90) (frac ? ".5" : "") : "-", v[i]
			if (k % 13) printf "\tb=%s", v[k]
			printf "\tc=%d\n", i * k - 300
		}
		print "##end\tevents=" t
	}'
}

# made SEED N: so many expressions at random, a line each: `v' or `t' for a value or a test, a TAB, the expression.
made() {
	awk -v x="$1" -v most="$2" 'function r(n) { x = x * 16807 % 2147483647; return x % n }
		function one(list,   v, n) { n = split(list, v, ";"); return v[r(n) + 1] }
		function num(d) {
			if (d <= 0) return one("a;b;c;c;size;addr;1;0;-3;0.5;2.5e3;len(a);nth;prev.c;prev.a;loc2;4096;7;18446744073709551615;0x1f;total(c);arg.b")
			k = r(14)
			if (k < 5) return "(" num(d - 1) one(" + ; - ; * ; / ; // ; % ") num(d - 1) ")"
			if (k == 5) return one("abs;floor;log2;hash") "(" num(d - 1) ")"
			if (k == 6) return one("min;max;coalesce") "(" num(d - 1) ", " num(d - 2) ")"
			if (k == 7) return "if(" test(d - 1) ", " num(d - 1) ", " num(d - 2) ")"
			if (k == 8) return "bit(" one("a;c;size;b;addr") ", " one("7;255;a;c;-1") ")"
			if (k == 9) return "(" test(d - 1) ")"
			if (k == 10) return one("len;hash") "(" text(d - 1) ")"
			if (k == 11) return time(d - 1) one(" / ; // ") time(d - 2)
			if (k == 12) return "total(" num(d - 1) ")"
			return "coalesce(" num(d - 1) ", prev.c, " num(d - 2) ")"
		}
		function time(d) {
			if (d <= 0) return one("time;dur;end;3s;500ms;1ns;prev.time;prev.dur;2m;0s")
			k = r(7)
			if (k < 3) return "(" time(d - 1) one(" + ; - ; % ") time(d - 1) ")"
			if (k == 3) return "(" time(d - 1) one(" * ; / ") one("c;2;0.5;a;b;3") ")"
			if (k == 4) return one("min;max") "(" time(d - 1) ", " time(d - 2) ")"
			if (k == 5) return "if(" test(d - 1) ", " time(d - 1) ", " time(d - 2) ")"
			return "coalesce(" time(d - 1) ", " time(d - 2) ")"
		}
		function text(d) {
			if (d <= 0) return one("loc;event;a;b;loc1;prev.event;prev.loc;\"ab\";\"\"")
			k = r(5)
			if (k == 0) return "lower(" text(d - 1) ")"
			if (k == 1) return "base(" text(d - 1) ")"
			if (k == 2) return "part(" text(d - 1) ", \"" one("/;n;1;b;0.") "\", " one("1;2;-1;3") ")"
			if (k == 3) return "sub(" text(d - 1) ", \"" one("[0-9]+;^.;n;(b|c)*;$;e") "\", \"" one("x;;&&;<&>;\\\\&") "\")"
			return "if(" test(d - 1) ", " text(d - 1) ", " text(d - 2) ")"
		}
		function test(d) {
			if (d <= 0) return one("a?;e1;e2 or e3;b = 1;c > 50;size >= 4096;prev.a?;\"e1\";loc2 = 3;dur?;event = e4;a ~ 1;c & 6;b?;* and c < 9")
			k = r(10)
			if (k < 2) return "(" test(d - 1) one(" and ; or ") test(d - 1) ")"
			if (k == 2) return "not (" test(d - 1) ")"
			if (k < 6) return num(d - 1) one(" = ; != ; < ; <= ; > ; >= ; & ") "(" num(d - 2) ")"
			if (k == 6) return time(d - 1) one(" = ; < ; <= ; > ; >= ; != ") time(d - 2)
			if (k == 7) return text(d - 1) one(" = ; != ; < ; ~ ; !~ ; & ") one("\"e1\";\"n1/1\";\"1\";\"ab\"")
			if (k == 8) return num(d - 1) one(" in ; not in ") "{" num(0) ", " num(0) " .. " num(d - 2) "}"
			return time(d - 1) one(" in ; not in ") "{" time(0) ", " time(d - 2) " .. " time(0) "}"
		}
		BEGIN {
			for (i = 0; i < most; i++) {
				k = i % 6
				if (k < 2) print "v\t" num(1 + r(4))
				else if (k == 2) print "v\t" time(1 + r(3))
				else if (k == 3) print "v\t" text(1 + r(3))
				else print "t\t" test(1 + r(4))
			}
		}'
}

# Those that begin with a letter, every STEP-th from FROM on: as a list; each.
listed() { # LETTER FROM STEP
	awk -F'\t' -v l="$1" -v from="$2" -v step="$3" '$1 == l && n++ % step == from { printf "%s%s", k++ ? ", " : "", l == "t" ? "(" $2 ")" : $2 }' made.txt
}

each_test() { # FROM STEP: those that are tests, as tests
	awk -F'\t' -v from="$1" -v step="$2" '$1 == "t" && n++ % step == from { print $2 }' made.txt | while IFS= read -r e; do
		trace-filter -F loc,c,time -- "$e" some.b
	done
}

defined() { # FROM STEP: all, as definitions that look at their own value of the event before
	n=0
	while IFS='	' read -r t e; do
		[ $((n % $2)) -eq "$1" ] && set -- "$@" "x$n = if(c > 20, ($e), prev.x$n)"
		n=$((n + 1))
	done < made.txt
	shift 2
	trace-derive "$@" some.txt
}

inputs_computed() {
	made 17 2400 > made.txt
	cross '##spoor\t1\n##clock\ts\torigin=0.000000000\n##loc\thost/pid\n' x > cross.txt
	cross '##spoor\t1\n##clock\tticks\n##loc\thost/pid\n' > cross.ticks.txt
	trace-derive -b 'a = coalesce(a + 0, a)' 'b = coalesce(b + 0, b)' 'd = dur' 'r = c / 7' 's = lower(a)' cross.txt > cross.b 2> /dev/null
	trace-filter -b 'event?' cross.txt > cross.raw.b 2> /dev/null
	trace-derive -b 'a = coalesce(a + 0, a)' 'd = dur' cross.ticks.txt > cross.ticks.b 2> /dev/null
	cross '##spoor\t1\n##clock\ts\torigin=0.000000000\n##loc\thost/pid\n' x | awk 'NR < 4 || NR % 17 == 0; END { print "##end" }' > some.txt
	trace-derive -b 'a = coalesce(a + 0, a)' 'd = dur' some.txt > some.b 2> /dev/null
	# What begins and ends: nested, crossed, alone, at one time, of many kinds of keys.
	awk 'function r(n) { x = x * 16807 % 2147483647; return x % n }
		BEGIN {
			print "##spoor\t1\n##clock\ts\torigin=0.000000000\n##loc\thost/pid"
			for (x = 11; i < 3000; i++) {
				t += r(5) ? r(900) : 0
				k = r(6)
				printf "%d.%09d\th%d/%d\t%s\t%s\t%s\t%s\tid=%s", t / 1000, t % 1000 * 1000000, r(2), r(3),
					substr("BEBEBECDCDW", r(11) + 1, 1), r(3) ? r(8) * 64 : "-", r(3) ? r(4) : "-", r(4) ? "-" : "0." sprintf("%09d", r(50000000)),
					k == 5 ? "0x" r(5) : k == 4 ? "a" r(3) : k == 3 ? r(3) ".0" : r(6)
				if (r(3)) printf "\tname=n%d", r(4)
				if (!r(4)) printf "\tv=%d", r(9) - 4
				if (!r(5)) printf "\tid2=%d", r(3)
				print ""
			}
			print "##end\tevents=3000"
		}' > pairs.txt
	trace-filter -b 'event?' pairs.txt > pairs.b 2> /dev/null
	{ printf '##spoor\t1\n##clock\tticks\n'; sed 's/\.000*//; 1,3d; s/0[.][0-9]*/7/' pairs.txt; } > pairs.ticks.txt
	# Locks that are taken deep, and many that wait.
	awk 'BEGIN {
			for (i = 0; i < 4000; i++) printf "%d.0\tn\tB\t-\t-\t-\tid=%d\ttext=%d-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n", i, i % 1500, i
			for (i = 4000; i > 0; i--) printf "%d.5\tn\tE\t-\t-\t-\tid=%d\n", 8000 - i, i % 1500
		}' > deep.txt
	# Sizes and addresses for footprints, runs, and requests at odd places.
	awk 'function r(n) { x = x * 16807 % 2147483647; return x % n }
		BEGIN {
			for (x = 21; i < 4000; i++) {
				a = r(4) ? a + s : r(3) ? r(70) * 4096 : r(90000000) * 512
				s = r(7) ? (r(4) + 1) * 4096 : r(3) ? r(30000) : r(2) ? 0 : 3000000
				printf "%d.%03d\tn%d\t%s\t%s\t%s\t-\tv=%d\tw=%s%d.%d\n", i / 90, i % 90 * 11, r(4), r(3) ? "W" : "R", i % 97 ? sprintf("%.0f", a) : "-", i % 89 ? s : "-",
					r(r(20) ? 40 : 4000), r(3) ? "" : "-", r(60), r(100)
			}
			print "99.0\tn9\tR\t18446744073709551000\t4096\t-\n99.1\tn9\tW\t18446744073709551615\t1\t-\n99.2\tn9\tW\t0\t18446744073709551615\t-\n99.3\tn9\tW\t0\t0\t-"
		}' > pages.txt
}

# computes EXPR: a value of all kinds of events, by each program that takes one.
computes() {
	trace-filter -F "x = $1" 'event?' cross.txt cross.b
	echo "$?" >&2
	trace-derive -k event "x = ${1%%,*}" 'y = x' some.txt trace.chr tasks
	echo "$?" >&2
	trace-stats -g "x = $1" -a 'count,sum(size)' cross.raw.b
}

# of_ticks EXPR: the same, where a clock counts ticks, and as the argument of aggregates.
of_ticks() {
	trace-filter -F "$1" 'event?' cross.ticks.txt kernel.txt writer.ticks.b cross.ticks.b
	echo "$?" >&2
	trace-filter --hz 1000 -F "$1" 'event?' kernel.txt refs.bin.b
	echo "$?" >&2
	trace-stats -g event -a "count($1),sum($1),max($1),distinct($1),mode($1),p50($1),last($1)" some.txt many.spc solver.meta.b
}

# tests EXPR: the same as a test.
tests_of() {
	trace-filter -c "$1" cross.txt
	echo "$?" >&2
	trace-filter -v -F time,loc,a,b "$1" cross.b
	echo "$?" >&2
	trace-filter -F loc,event,time "$1" some.txt many.spc.b trace.chr.b writer.all.b tasks kernel.txt
}

# pairs_of OPTIONS...: pairs of what was made above.
pairs_of() {
	for f in pairs.txt pairs.b pairs.ticks.txt; do
		trace-pair "$@" $f
		echo "$?" >&2
	done
}

commands_computed() {
	for p in trace-derive trace-pair; do
		e=" 'x = size + 1'"
		[ $p = trace-derive ] || e=' --begin W --end W'
		p "$p --help; $p --complete; $p; $p -O list$e; $p -f list$e; $p --version; $p -x; $p --output; $p -e; $p -k"
		for o in '' -H -b -A -HA '--hz 1000' '--hz 2.5G -H' '--strict' -t "-k event" "-k ''" '-k nosuch' '--chunk 1/2' '-t -b' --unordered --follow-links '-O durations -O names -O references'; do
			p "$p $o$e \$mix \$ticks; $p $o$e \$streams \$blocks; $p $o$e \$tickblocks; $p $o$e - < many.spc; cat many.b | $p $o$e"
		done
		p "each \"\$natives\" $p -H$e"
		p "each 'empty newline garbage nosuch .' $p -H$e"
		p "each \"\$text \$binary \$tickblocks\" $p -H$e"
		for f in 'f.spc.*' 'f.b.*5' 'f.txt.*5*' 't.chr.*5' 'd-0000.bin.*25' 'o.obs.*5' 'rc.1.*.chr' 'rd*.bin' 'ro/*' wide.txt wide.chr; do
			p "each '$f' $p -b$e | cksum"
		done
		for i in 0 1 2 3 4 5 6 7 8 9; do
			p "each 'corpus/text/*$i corpus/binary/*$i' $p -b$e | cksum"
		done
		p "SPOOR_READ=100 $p$e many.txt | cksum; SPOOR_SIMD=slow $p$e many.spc | cksum; $p -b$e wide.chr | $p -t$e | cksum"
	done
	# Values of two operands, of every kind
	for x in a size dur time -2 1e3 7ms 18446744073709551615; do
		for y in b c dur 0 -3 0.25 3s 64K; do
			p "computes '$x + $y, $x - $y'"
			p "computes '$x * $y'"
			p "computes '$x / $y, $x // $y'"
			p "computes '$x % $y'"
		done
	done
	for x in 'a + 0' 'c // 3' '(a)' 'dur * 2' 'size - 5' 'lower(a)' 'size / 3' 'time - 3s' 'prev.a' 'if(c > 0, a, b)' loc2; do
		for y in '(b)' 0.5 '"1"' '7 + c' 18446744073709551615 2s; do
			p "computes '($x = $y), ($x < $y), ($x >= $y), ($x & $y)'"
			p "computes '($x != $y), ($x > $y), ($x <= $y), ($x ~ $y)'"
		done
		for o in = != '<' '<=' '>' '>=' '~' '!~' '&'; do
			p "tests_of '$x $o (b)'"
			p "tests_of '$x $o 5 and not prev.c $o size or $x $o 1s'"
		done
	done
	for o in + - '*' / // %; do
		p "of_ticks 'time $o 5'; of_ticks 'dur $o c'; of_ticks 'size $o addr'; of_ticks 'time $o dur'; of_ticks 'c $o 3'; of_ticks 'pid $o 7'; of_ticks '(time $o 3s)'"
	done
	for o in = != '<' '<=' '>' '>=' '~' '!~' '&'; do
		p "of_ticks '(c $o (a))'; computes '(event $o e1)'; of_ticks '(time $o 5)'; of_ticks '(addr $o 512)'; of_ticks '(a $o 1.5)'; of_ticks '(size $o 4096)'"
	done
	while IFS= read -r e; do
		p "tests_of '$e'"
	done <<-'END'
		a + 0 in {1..7, 4096, -2.25, 1e300}
		a + 0 not in {1..7, b, (c) .. (c + 10)}
		(a) in {x .. z, "1", 5}
		c in {-100..-50, 0, 5..7}
		c // 7 in {-3, 4..(a)}
		size + 0 in {addr - 100 .. addr + 90000, 0}
		time in {1s .. 3s, dur + 5s}
		time - dur in {0 .. 1.5, 3s}
		dur / 2 not in {1s, 2..3}
		lower(a) in {"", nan, "ab/cd/ef", "x"}
		not (a = (b)) and (c > 5 or dur * 2 > 3s) and not (b / 2 > 1)
		a? and not b? or prev.c?
		if(a > 5, b, c) = 7
		if(event = e1, 1, 0)
		if(e2, size, addr) > 100000
		size / dur > 10KB/s
		size / dur < 1M/s and size / dur > 4K/s
		c * 2
		c % 3
		bit(c, 5)
		bit(a, 18446744073709551615)
		(c)
		a - b
		prev.c < c
		c - prev.c > 40
		time - prev.time < 1s
		time - prev.time = 0
		addr = prev.addr + prev.size
		prev.event = e1
		prev.event = (event)
		prev.a = (a)
		prev.a ~ "1"
		prev.loc != "n0/1"
		prev.b?
		not prev.b?
		nth = 7
		nth % 10 = 3
		nth > 100 and prev.size > size
		total(size) > 10000000
		total(c) < 0
		total(dur) > 30s
		total(a) > 0
		total(dur) / nth < 20s
		total(c) = total(c) and nth = nth and prev.c = prev.c
		prev.size? or nth = 1
		coalesce(prev.size, 0) > 9000
		hash(a) % 3 = 1
		hash(loc) % 4 = 0
		hash(event) % 2
		hash(c) % 16 < 3
		hash(dur) % 5 = 1
		len(a) > 3
		len(a) in {0..2, 9}
		base(a) = "ef"
		sub(a, "[0-9]", "") = ""
		sub(loc, "n(.)", "<&>") ~ "<n1"
		part(loc, "/", 2) = 3
		part(loc, "/", -1) + 0 > 1
		part(a, "/", 3)?
		part(a, "b", 2) = "/cd/ef"
		floor(time, 1s) = 5s
		floor(c, 10) = -20
		floor(a) = 1
		floor(c / 7) = -3
		log2(size) > 12
		log2(a) < 0
		abs(c) < 20
		abs(a) = 7
		min(a, b) = (b)
		max(a, c, 5) = 5
		min(time, 3s) = 3s
		max(size, addr) > 1M
		lower("ABC") = abc
		len("a b") = 3
		x32 + 0 & 0x80
		i64 * 2 < 0
		u64 - 1 > 9223372036854775807
		f64 * 2 > 0.5
		ns + 1s > 2s
		sym = (str)
		u8 + i8 = 0
		asu * 2 + 1 = 3
		rank + 0 = 1
		pid // 10 = 369
		tid % 100 = 1
		loc1 + 0 > 3
		app_id = (rank)
		inode % 2 = 1
		end - time = dur
		end > 3s and end < 9s
		end - dur - time = 0
		datatype = (datatype)
		count * 8 = size
		dest = (prev.dest)
		total(size) > 1M or dest > 2
		x1 = (prev.x1)
		"a" = 5
		"size" > 4096
		5 < c
		512 = size - 4096
		3s < time
		1 = 1
		2 * 3 = 6
		"a" < "b"
	END
	while IFS= read -r e; do
		p "computes '$e'"
		p "of_ticks '$e'"
	done <<-'END'
		abs(a)
		abs(c)
		abs(time - 3s)
		base(a)
		base(file)
		bit(a, b)
		bit(c, -2)
		bit(addr, 0xff00)
		coalesce(b, a, 5)
		coalesce(addr, size)
		coalesce(a + 0, -1)
		floor(a)
		floor(a, 3)
		floor(a, b)
		floor(time)
		floor(time, 2s)
		floor(c, -7)
		floor(dur, 0.25)
		floor(size, 4K)
		floor(c / 3, 0.5)
		hash(a)
		hash(c)
		hash(time)
		hash(loc)
		hash(b / 3)
		hash(size)
		if(a > (b), a, b)
		if(e1, size, addr)
		if(c > 0 and a? or b = 1, time, dur)
		if(not b?, 1, 2.5)
		if(a + 0 in {0..10}, "in", event)
		len(a)
		len(loc)
		len(size)
		len(b / 3)
		log2(a)
		log2(size)
		log2(c / 4)
		lower(a)
		lower(event)
		max(a, b)
		max(c, 0, b)
		max(time, 2s)
		min(a, b)
		min(size, addr)
		min(a, 1, c)
		min(dur, 1)
		part(a, "/", 1)
		part(a, "/", -1)
		part(loc, "/", 2)
		part(a, "b", c)
		part(time, ".", 2)
		part(a, "", 1)
		part(loc, "/", 0)
		sub(a, "b", "[&]")
		sub(a, "^", "x")
		sub(a, "[0-9]+$", "")
		sub(loc, "(n)(.)", "\\&&&")
		sub(event, "", "-")
		sub(a, "[", "")
		sub(size, "0", "")
		(a + b) * (c - 1)
		a + b + c + size
		a - b - c - 1
		(a * b) / (c * c)
		c // 3 * 3 + c % 3
		time + dur - time
		(time - 1s) / dur
		time // 1s
		time % 1s
		time / 3
		dur * 1.5
		dur / 0.1
		dur * c // 3
		dur // c
		time // dur
		size / dur
		size // dur
		c / dur
		1 / a
		1 // c
		5 % c
		100 - c
		2 * a * 3
		0.1 + 0.2
		1 / 3
		7 // 2
		-7 // 2
		-7 % 3
		7 % -3
		18446744073709551615 + 1
		9223372036854775807 * 2 - 1
		1e300 * 1e300
		0 / 0
		time + 1.5
		1.5 + time
		time - 0.0000000004
		1.5 * dur
		end
		end - 1s
		loc
		event
		size
		arg.a
		loc1
		loc2 + 0
		loc2 * 2
		pid + 1
		prev.a
		prev.c + 1
		prev.time
		time - prev.time
		prev.loc
		prev.event
		prev.size + prev.addr
		prev.dur
		prev.end
		prev.b
		nth
		nth // 10
		nth * c
		total(c)
		total(size)
		total(dur)
		total(a)
		total(b)
		total(1)
		total(c) - prev.c
		total(size) / nth
		total(prev.c)
		coalesce(prev.c, 0) + c
		if(prev.event = "e1", prev.a, a)
		(a)
		(a?)
		(a = 1)
		(not a)
		(c > 0) + (c > 100)
		(e1 or e2) * 3
		(a ~ "1") + (b & 1)
		((((a))))
		"text"
		"1" + 1
		5
		-1.50
		0x1f
		10ms
		4K
		1e3
		10MB/s
		nosuch
		nosuch + 1
		nosuch?
		size + dur
		time * time
		time + 4K
		5 / "a"
		size + "a"
		len(a, b)
		len()
		min(a)
		nosuch(a)
		if(a, b)
		hash(
		a +
		a + + b
		+ a
		a b
		(a
		a)
		prev.
		prev.nosuch
		total()
		total(a, b)
		total(event)
		log2(time)
		lower(5)
		part(a)
		bit(a, 1.5)
		bit(time, 1)
		floor(a, time)
		sub(a, b, c)
		max(time, 5, size)
		coalesce(time, "x")
		a = 1 or
	END
	for d in 'x = a' 'x = a + 0' 'a = b' 'a = a + 1' 'b = a' 'a=' 'b= c=' 'nosuch=' 'a= a=5' 'time = time * 2' 'time = dur' 'time = a' 'time = 0 - time' 'time = time + 300000h' 'dur = time' 'dur = a' 'dur=' 'dur = 0 - dur' \
		'addr = a' 'addr = c' 'addr = size * 2.5' 'size = addr' 'size = b' 'size=' 'addr=' 'addr = addr + 1' 'loc = a' 'loc = hash(loc) % 3' 'loc=' 'loc = event' 'loc = prev.loc' 'event = a' 'event = loc' 'event = if(e1, "one", event)' \
		'event = prev.event' 'event = "x y"' 'event = 5' 'event=' 'time=' 'end = 5' 'x = prev.x' 'x = coalesce(prev.x, 0) + 1' 'x = if(c > prev.c, coalesce(prev.x, 0) + 1, 0)' 'x = nth' 'nth = c' 'x = total(c)' 'x = total(x)' \
		'size = prev.size' 'size = coalesce(prev.size, 0) + 1' 'arg.time = 5' 'arg.x = a' 'x = arg.a' '\"p q\" = a' '\"=\" = 1' '\"\" = 1' '5 = 1' 'a.b = c' 'x y = 1' 'x = ' '= 5' 'x = y' 'host = 5' 'loc1 = a' 'pid = pid + 1' 'd = d' 'd = d + 1s' \
		'a = if(c > 0, a, b)' 'x = if(c > 0, 5, \"t\")' 'x = 1/3' 'x = 1 / 3' 'x = \"\"' 'x = \"-\"' 'x = \"a=b\tc\"' 's = s' 's = sub(s, \"a\", \"b\")' 'r = r' 'r = r * 2' 'r = floor(r)'; do
		p "trace-derive \"$d\" cross.txt; trace-derive -b \"$d\" cross.b | trace-filter -H 'event?'"
		p "trace-derive \"$d\" 'y = x' 'x = 7' 'z = prev.y' 'size = size + 1' 'w = size' cross.b; trace-derive \"$d\" cross.ticks.txt cross.ticks.b"
		p "trace-derive -e 'c > 0' -k 'event,c % 3' \"$d\" 'q = prev.c' 'n = nth' 't = total(c)' cross.txt; trace-derive -A \"$d\" some.txt some.b many.spc trace.chr"
	done
	# Keys of what was before
	for k in '' loc event 'loc,event' 'c % 5' 'a' 'k = a' 'size // 4K, loc' 'time // 1s' 'hash(a) % 4' nosuch ',' 'a,' 'prev.a' 'nth' 'dur' 'loc1' 'b, c // 100' 'a + 0'; do
		p "trace-derive -k '$k' 'p = prev.c' 'n = nth' 't = total(c)' 'g = time - prev.time' cross.txt; trace-derive -b -k '$k' 'p = prev.a' 'n = nth' 't = total(r)' cross.b | trace-filter -H 'event?'"
		p "trace-filter -k '$k' -F 'nth, prev.a, prev.time, total(size), total(a)' 'c > 0 or prev.c > 0' cross.txt cross.b; trace-filter -k '$k' -c 'prev.size = size' many.spc.b many.txt kernel.txt"
		p "trace-stats -k '$k' -g 'event, n = nth // 10' -a 'count,sum(c - prev.c),max(total(c)),p50(time - prev.time)' cross.txt many.spc; trace-stats -k '$k' -e 'prev.c < c' -a count cross.txt"
		p "merged 3 many.txt -k '$k' -g event -a 'count,sum(size - prev.size),max(prev.time),p50(time - prev.time)'; merged 2 ticks.txt -k '$k' -a 'count,sum(time - prev.time)'"
	done
	# Many keys, many values
	p "trace-filter -k addr -c 'nth > 1' wide.txt wide.spc; trace-derive -k 'file' 'n = nth' 'p = prev.v' wide.txt | cksum; trace-stats -k size -a 'sum(addr - prev.addr),max(nth)' wide.txt wide.chr; trace-derive 'x = event' 'loc = hash(file) % 9000' 'event = \"e\"' wide.txt | cksum"
	p "trace-derive -b 'loc = file' 'event = file' wide.txt | trace-stats -g event --head 5 -a 'count,first(loc)'; trace-derive -b 'x = if(v % 7 = 0, v, if(v % 5 = 0, file, dur))' 'y = if(v % 2 = 0, v / 3, 1)' wide.txt | trace-filter -t 'x?' | cksum"
	# Pairs
	for k in "" "-k ''" '-k id' '-k loc,id' '-k id,id2' '-k name' '-k v' '-k host' '-k host,id' "-k 'id + 0'" "-k 'loc, v // 2'" '-k dur' '-k time' '-k addr,size' '-k nosuch' '-k event' '-k a,,b' "-k 'prev.id'"; do
		for b in '--begin B --end E' '--begin B --end E --begin C --end D' "--begin 'B or C' --end 'E or D'" '--begin W --end W' "--begin 'B and size > 1' --end 'E and not v?'"; do
			p "pairs_of $b $k"
			p "pairs_of $b $k --by-end --match queue --self --no-unpaired"
		done
	done
	for o in '--match stack' '--match x' '--name x' '--name x --name y' '--name x --name y --name z' "--name 'a b'" "--name ''" --self --by-end --no-unpaired '--self --by-end --match queue' '-b --self' '-H --no-unpaired' '--no-unpaired --name p -A' \
		"--end E --begin B" '--begin B' '--end E' "--begin 'size >' --end E" "--begin nosuch --end E" "--begin 'nosuch = 1' --end 'prev.id = 1'" '--begin event? --end event?' "--begin 'nth % 2 = 1' --end 'nth % 2 = 0'"; do
		p "pairs_of --begin B --end E --begin C --end D $o"
		p "pairs_of $o"
		p "each \"\$ovni \$dumpi\" trace-pair $o; each \"\$laplace \$charisma\" trace-pair $o"
		p "trace-pair --begin B --end E -k id $o deep.txt | cksum; SPOOR_WAIT=3000 trace-pair --begin B --end E -k id $o deep.txt | cksum; SPOOR_WAIT=1000 trace-pair --begin B --end E $o pairs.b pairs.txt | cksum"
	done
	for f in "$natives" 'rc.1.*.chr rc.2.*.chr' 'rd*.bin' 'ro/*' 'rl' 'ovni/*/*' '*.0.chr' '*-000?.bin' 'ta.txt tb.txt tc.txt td.txt te.txt tf.txt tg.txt th.txt' "$streams $blocks $tickblocks" 'runs/*.meta' 'y-0001.bin.*15' 'wide.chr wide.kern'; do
		for o in '' '--self --by-end --no-unpaired' '--match queue --self' '-k tid -b'; do
			p "each '$f' trace-pair $o"
		done
		p "each '$f' env SPOOR_WAIT=500 trace-pair | cksum"
		p "each '$f' trace-pair -b > tmp; trace-stats -g event -a 'count,sum(dur),count(unpaired)' tmp"
	done
	# Tables of requests
	for a in 'footprint' 'footprint(4K)' 'footprint(addr,size)' 'footprint(addr,size,512)' 'footprint(addr,size,1)' 'footprint(addr,size,1M)' 'footprint(0)' 'footprint(x)' 'footprint(size,addr)' 'sequential' 'unaligned' 'unaligned(512)' 'unaligned(1)' \
		'unaligned(0)' 'sequential(x)' 'cdf(size)' 'cdf(v)' 'cdf(w)' 'cdf(addr)' 'cdf(dur)' 'cdf(time)' 'cdf(event)' 'hist(w,0.5)' 'hist(w)' 'hist(v,3)' 'p50,p90,p99(size)' 'sum,mean,min,max(w)' 'count,sum,sd(v)' 'p10,count(v)' \
		'footprint,sequential,unaligned,count,rate,share' 'cdf(gap)' 'hist(gap)' 'var,sd,mode,distinct(w)' 'top(w,3),top(v,2)'; do
		p "table -a '$a'"
		p "trace-stats -a '$a' pages.txt; trace-stats -g loc -a '$a' pages.txt many.txt; trace-stats -g event -w 5s -a '$a' pages.txt"
		p "merged 3 pages.txt -g loc -a '$a'; merged 2 pages.txt -w 9s -a '$a'"
		p "trace-stats -g loc -a '$a' --long pages.txt; trace-stats -g event,loc -a '$a' --long --csv pages.txt; trace-stats -a '$a' --long -J pages.txt many.txt; trace-stats -a '$a' --long -w 20s pages.txt"
		p "SPOOR_WORTH=64 trace-stats -j 3 -g event -a '$a' pages.txt; trace-stats -J -g event -a '$a' pages.txt; trace-stats -j 1 -g 'x = v // 9' -a '$a' pages.txt"
		case $a in
		*,1\)) ;;
		*[fp]t*) p "merged 2 wide.txt -g loc -a '$a' | cksum" ;;
		*) p "trace-stats -g loc1 -a '$a' wide.txt; trace-stats -a '$a' --long wide.spc | cksum" ;;
		esac
	done
	# Computed columns
	for a in 'count, sum(size)' 'bw = sum(size) / sum(dur)' 'sum(size) / count' 'x = count * 2, y = x + 1' 'all(count)' 'count / all(count)' 'most(count)' 'count = most(count)' 'all(sum(size))' 'sum(size) - all(sum(size)) / 2' \
		'm = max(size), m - min(size)' 'max(size, addr)' 'max(max(size), 5)' 'if(count > 10, 1, 0)' 'coalesce(sum(dur), 0)' 'log2(count)' 'floor(mean(size))' 'floor(mean(size), 100)' 'mean(size) - sum(size) / count' '(count > 20)' 'count % 7' 'count // 3' \
		'a = count, a = 5' 'count, c = count' 'sum(dur) / count' 'sum(dur) * 2' 'max(time) - min(time)' '(max(time) - min(time)) / count' 'count / (max(time) - min(time))' 'len(first(event))' 'lower(mode(event))' 'first(loc)' 'part(first(loc), "/", 1)' \
		'hash(count)' 'share * 100' 'rate * 60' 'rate(size) / 1024' 'p50(size) / p99(size)' 'p99,p50(size)' 'top(size) + 1' 'hist(size) + 1' 'cdf(size), x = count' 'all(all(count))' 'most(sum(dur)) / all(sum(dur))' 'all(count) - count' 'abs(min(v))' 'sum(v)/count' 'sum(size * 2)' 'sum(size // 4K)' \
		'sum(size / dur)' 'max(size - addr)' 'mean(dur * 2)' 'sum(if(R, size, 0))' 'count(size > 1K)' 'sum(size > 1K)' 'distinct(addr // 8)' 'p50(len(event))' 'sum(prev.size)' 'max(nth)' 'max(total(size))' 'mean(time - prev.time)' 'first(prev.event)' 'sum(gap) / count' 'count + dur' 'sum(dur) + count' 'sum(dur) * sum(dur)' 'nosuch(size) / 2' 'count /' 'count + sum(' 'min(size)' 'min(size,)' \
		'x = ' '= count' 'x = count, x' 'sum(size) as x' 'sum(x)' '5' '"t"' '1 / 3' 'count / 0' 'count(1)' 'sum(1)' 'sum(1.5)' 'sum(1 / 3)' 'mean(c)' 'last(time - prev.time)' 'footprint * 4096' 'sequential * count' 'unaligned + 1' 'sum(end - time)' 'max(end)' 'mode(if(size > 4K, "big", "small"))' 'min(event)' 'max(loc)' 'bit(count, 6)' 'sum(time % 1s)' 'max(time // 1s)'; do
		p "trace-stats -a '$a' many.spc many.txt; trace-stats -g event -a '$a' many.txt some.txt; trace-stats -g event -a '$a' -J many.txt"
		p "trace-stats -g 'loc1, k = size // 4K' -a '$a' many.spc trace.chr; trace-stats -g 'loc1, event' -a '$a' kernel.txt many.little.ref"
		p "merged 2 many.txt -g event -a '$a'; SPOOR_WORTH=64 trace-stats -j 2 -g event -a '$a' many.txt"
		p "trace-stats -w 2s -a '$a' many.spc; trace-stats -w 5s -g event --no-empty -a '$a' --csv many.txt; trace-stats -p -a '$a' many.txt"
	done
	# Which rows, in which order, side by side
	for h in 'count > 100' 'count' 'event = R' 'event != R and count > 1' 'count = most(count)' 'count > all(count) / 3' 'sum(size) > 1M' 'sum(size) / count > 5K' 'mean(dur) > 1ms' 'mean(dur) > 1' 'mean(dur)?' 'not mean(dur)?' 'count in {1..500}' 'event ~ "^e[12]"' 'nosuch > 1' 'count >' 'size > 1' 'W' \
		'x > 3' 'count & 1' 'p50(size) > 1K' '"sum(size)" > 1000000' 'mean(dur) > 1K' 'event > 5' 'loc = "n0/1"' 'window > 3s' 'window in {2s..5s}' 'share > 0.2' 'count % 2' 'prev.count > 1' 'nth = 1' 'len(event) > 1' 'max(count, 200) > 200' 'time > 5'; do
		p "trace-stats -g event -a 'count,sum(size),mean(dur),share' --having '$h' many.txt many.spc; trace-stats -w 1s -g event -a 'count,p50(size),x = count // 9' --having '$h' many.spc; trace-stats -w 3s -a 'count,mean(dur)' --having '$h' -S -count --head 2 -J many.txt"
		p "trace-stats -g loc,event -a 'count,sum(size),mean(dur)' --having '$h' --wide event many.txt; trace-stats -a 'count,sum(size),mean(dur)' --having '$h' --csv many.txt; trace-stats -g event -a 'cdf(size)' --long --having '$h' many.txt many.spc"
		p "trace-stats -p -g event -a 'count,sum(size),mean(dur)' many.txt > tmp; trace-stats -m --having '$h' tmp; trace-stats -m -S -count --having '$h' --head 1 tmp; trace-stats -g event -a 'count,sum(size),x = count / all(count)' --having '$h' kernel.txt refs.bin"
	done
	for k in event loc1 window count x file; do
		for a in count 'count,sum(size)' 'mean(dur)' 'p50(size),top(size,2)' 'cdf(size)' 'x = sum(size) / count' 'c = count, all(count)' 'first(loc),distinct(addr),rate'; do
			p "trace-stats -g loc,event -a '$a' --wide '$k' many.txt many.spc; trace-stats -w 4s -g event -a '$a' --wide '$k' many.spc; trace-stats -g 'event, x = size // 4K' -a '$a' --wide '$k' --csv many.spc many.txt"
			p "trace-stats -g 'file, x = size // 2K, loc1' -a '$a' --wide '$k' -J --head 20 many.txt; trace-stats -g 'loc1,event' -a '$a' --wide '$k' -S -1 -S loc1 many.txt; trace-stats -w 1s/500ms -g event -a '$a' --wide '$k' --no-empty ticks.txt many.spc odd.txt"
			p "trace-stats -p -g loc1,event -w 2s -a '$a' many.txt > tmp; trace-stats -m --wide '$k' tmp; trace-stats -m --wide '$k' --no-header --csv tmp"
		done
	done
	p "trace-stats -g loc,event --wide event wide.txt | cksum; trace-stats -g loc,event --wide loc wide.txt; trace-stats -g loc1,event --wide event -a 'count,mean(v)' wide.txt | cksum"
	for o in '--origin 0.3' '--origin 500ms' '--origin -2' '--origin 5s' '--origin x' '--origin 1h' '--origin 9223372036' '--from-first' '--from-first --origin 1' '--origin 3 --no-empty' '--from-first --no-empty' '--from-first -e W' "--from-first -e 'size > 8K'" "--origin 1 -e 'prev.size = size'" '-p --from-first' "--from-first -e 'nth > 9'"; do
		for w in 700ms 1s/300ms 3/2 7ns; do
			p "trace-stats -w $w $o -a 'count,sum(size)' many.spc many.txt; trace-stats -w $w $o -g event -a 'count,rate' ticks.txt kernel.txt; cat many.spc | trace-stats -w $w $o -a count"
			p "trace-stats -p -w $w $o -a 'count,sum(size),p50(gap)' many.spc > tmp && trace-stats -m tmp; merged 2 many.txt -w $w $o -a 'count,sum(size)'; SPOOR_WORTH=64 trace-stats -j 2 -w $w $o -a count many.txt many.spc; trace-stats -w $w $o -a count odd.txt back.spc edge.txt empty"
		done
	done
	# Groups that are computed
	for g in 'addr // 8' 'p = addr // 4K' 'loc, size // 1K' 'time // 1s' 'floor(time, 1s)' 'hash(loc) % 4' 'part(loc, "/", 1)' 'event, prev.event' 'prev.size' 'nth // 100' 'total(size) // 1M' 'size / 1000' 'dur * 2' '(size > 4K)' 'if(R, 1, 2)' 'x = size, x' 'x = size, y = x' 'size, size' 'len(event), event' 'size +' 'x = ' \
		'time - prev.time' 'coalesce(dur, 0)' 'lower(event)' '"t"' '5' 'loc=addr // 8' 'count = size' 'v / 3' 'v + 0.5' 'v' 'input, size // 4K' 'end // 1s'; do
		p "table -g '$g' -a 'count,sum(size),sum(gap)'; merged 3 many.spc -g '$g' -a 'count,p50(size)'"
		p "merged 2 many.txt -g '$g' -a 'count,sum(dur),sum(gap)'; SPOOR_WORTH=64 trace-stats -j 2 -g '$g' -a 'count,distinct(addr)' many.txt many.spc; trace-stats -w 3s -g '$g' -a count many.spc; trace-stats -g '$g' -J --head 5 -S -count many.txt"
	done
	# Expressions at random
	for i in 0 1 2 3 4 5 6 7 8 9; do
		for k in 0 1 2 3 4 5 6 7 8 9; do
			p "trace-filter -k event -F \"\$(listed v $i$k 100)\" 'event?' cross.b; trace-filter -F \"\$(listed t $i$k 100)\" 'event?' cross.txt"
			p "each_test $i$k 100; defined $i$k 100"
		done
	done
	# Long ones, and deep ones
	for n in 60 190 198 199 200 300; do
		p "e=\$(awk 'BEGIN { for (i = 0; i < $n; i++) printf \"(\"; printf \"c\"; for (i = 0; i < $n; i++) printf \" + %d)\", i }'); trace-filter -F \"\$e\" -m 3 'event?' some.txt; trace-filter -c \"\$e > 9\" some.txt; trace-stats -a \"sum(\$e)\" some.txt"
		p "e=\$(awk 'BEGIN { for (i = 0; i < $n; i++) printf \"not (\"; printf \"c > 5\"; for (i = 0; i < $n; i++) printf \")\" }'); trace-filter -c \"\$e\" some.txt; trace-derive \"x = (\$e)\" some.txt | cksum; e=\$(awk 'BEGIN { for (i = 0; i < $n; i++) printf \"abs(\"; printf \"c\"; for (i = 0; i < $n; i++) printf \")\" }'); trace-filter -F \"\$e\" e1 some.txt | cksum"
	done
	for n in 40 3000; do
		p "trace-filter -c \"\$(awk 'BEGIN { for (i = 0; i < $n; i++) printf \"%sc=%d\", i ? \" or \" : \"\", i - 280 }')\" some.txt; trace-filter -c \"c in {\$(awk 'BEGIN { for (i = 0; i < $n; i++) printf \"%s%d\", i ? \",\" : \"\", 3 * i - 290 }')}\" some.txt"
		p "trace-filter -m 2 -F \"\$(awk 'BEGIN { for (i = 0; i < $n; i++) printf \"%sc+%d\", i ? \", \" : \"\", i }' | sed 's/+/ + /g')\" 'event?' some.txt | cksum; trace-filter -c \"size in {\$(awk 'BEGIN { for (i = 0; i < $n; i++) printf \"%s%d..%d\", i ? \",\" : \"\", 900 * i, 900 * i + i }')}\" some.txt"
	done
	p "trace-filter --functions; trace-filter --functions -o tmp; cat tmp; trace-filter --functions x; trace-filter --functions --events"
	for e in 'a ~ (b)' 'loc ~ (a)' 'event ~ lower(event)' 'sub(a, b, c) = a' 'sub(loc, event, a) ~ 1' 'part(loc, b, 1)?' 'a = (sub(b, "1", "2"))' 'a !~ (b)' 'lower(a) ~ (b) or a & (b)' 'part(a, loc1, 2)?' 'hash(a) = hash(b)' 'floor(a, c) = a'; do
		p "tests_of '$e'; computes '($e)'"
	done
}
