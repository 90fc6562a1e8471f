# shellcheck shell=sh disable=SC2016,SC2034,SC2154
# values.sh - a part of tests/net.sh: computed values, tests of them, what was before, pairs, and tables of these.

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

inputs_values() {
	made 17 2400 > made.txt
	cross '##spoor\t1\n##clock\ts\torigin=0.000000000\n##loc\thost/pid\n' x > cross.txt
	cross '##spoor\t1\n##clock\tticks\n##loc\thost/pid\n' > cross.ticks.txt
	trace-derive -b 'a = coalesce(a + 0, a)' 'b = coalesce(b + 0, b)' 'd = dur' 'r = c / 7' 's = lower(a)' cross.txt > cross.b 2> /dev/null
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

# of_ticks EXPR: a value, where a clock counts ticks, and as the argument of aggregates.
of_ticks() {
	trace-filter -F "$1" 'event?' cross.ticks.txt kernel.txt writer.ticks.b cross.ticks.b
	echo "$?" >&2
	trace-filter --hz 1000 -F "$1" 'event?' kernel.txt refs.bin.b
	echo "$?" >&2
	trace-stats -g event -a "count($1),sum($1),max($1),distinct($1),mode($1),p50($1),last($1)" some.txt many.spc solver.meta.b
}

# pairs_of OPTIONS...: pairs of what was made above.
pairs_of() {
	for f in pairs.txt pairs.b pairs.ticks.txt; do
		trace-pair "$@" $f
		echo "$?" >&2
	done
}

commands_values() {
	for p in trace-derive trace-pair; do
		e=" 'x = size + 1'"
		[ $p = trace-derive ] || e=' --begin W --end W'
		for o in '' -A '--hz 2.5G -H' '--strict' "-k event" '-k nosuch' '--chunk 1/2' '-O durations -O names -O references'; do
			p "$p $o$e \$mix \$ticks; $p $o$e \$streams \$blocks; $p $o$e \$tickblocks; $p $o$e - < many.spc; cat many.b | $p $o$e"
		done
		p "each \"\$natives\" $p -H$e"
		p "each \"\$text \$binary \$tickblocks\" $p -H$e"
		for f in 'f.spc.*' 'f.b.*5' 'f.txt.*5*' 't.chr.*5' 'd-0000.bin.*25' 'o.obs.*5' 'rc.1.*.chr' 'rd*.bin' 'ro/*' wide.txt wide.chr; do
			p "each '$f' $p -b$e | cksum"
		done
	done
	# Values, as definitions and as arguments of aggregates
	while IFS= read -r e; do
		p "of_ticks '$e'"
	done <<-'END'
		event
		prev.end
		bit(a, 1.5)
		sub(a, b, c)
		10MB/s
		size / dur
		time - prev.time
		floor(time, 2s)
		total(c) - prev.c
		if(a + 0 in {0..10}, "in", event)
	END
	for d in 'a = b' 'b = a' 'size=' 'size = b' 'time = 0 - time' 'dur = a' 'loc = prev.loc' 'event = \"x y\"' 'event = if(e1, \"one\", event)' 'size = coalesce(prev.size, 0) + 1' 'x = \"-\"' 'x = if(c > 5, c, \"t\")' 'pid = pid + 1' 's = sub(s, \"a\", \"b\")'; do
		p "trace-derive \"$d\" 'y = x' 'x = 7' 'z = prev.y' 'size = size + 1' 'w = size' cross.b; trace-derive \"$d\" cross.ticks.txt cross.ticks.b"
		p "trace-derive -e 'c > 0' -k 'event,c % 3' \"$d\" 'q = prev.c' 'n = nth' 't = total(c)' cross.txt; trace-derive -A \"$d\" some.txt some.b many.spc trace.chr"
	done
	# Keys of what was before
	for k in '' 'loc,event' 'c % 5' 'time // 1s' nosuch 'a,' 'prev.a' 'b, c // 100'; do
		p "trace-filter -k '$k' -F 'nth, prev.a, prev.time, total(size), total(a)' 'c > 0 or prev.c > 0' cross.txt cross.b; trace-stats -k '$k' -g 'event, n = nth // 10' -a 'count,sum(c - prev.c),max(total(c)),p50(time - prev.time)' cross.txt many.spc"
	done
	# Pairs
	for k in "" '-k loc,id' '-k v' '-k host,id' "-k 'loc, v // 2'" '-k addr,size' '-k nosuch' "-k 'prev.id'"; do
		for b in '--begin B --end E' '--begin B --end E --begin C --end D' "--begin 'B or C' --end 'E or D'" '--begin W --end W' "--begin 'B and size > 1' --end 'E and not v?'"; do
			p "pairs_of $b $k"
			p "pairs_of $b $k --by-end --pairing queue --self --no-unpaired"
		done
	done
	for o in '--pairing stack' '--name x --name y' --self '-b --self' '--no-unpaired --name p -A' '--begin event? --end event?' "--begin 'nth % 2 = 1' --end 'nth % 2 = 0'"; do
		p "each \"\$ovni \$dumpi\" trace-pair $o; each \"\$laplace \$charisma\" trace-pair $o"
		p "trace-pair --begin B --end E -k id $o deep.txt | cksum; trace-pair --tune wait=3000 --begin B --end E -k id $o deep.txt | cksum; trace-pair --tune wait=1000 --begin B --end E $o pairs.b pairs.txt | cksum"
	done
	for f in "$natives" 'rc.1.*.chr rc.2.*.chr' 'rd*.bin' 'ro/*' 'rl' 'ovni/*/*' '*.0.chr' '*-000?.bin' 'ta.txt tb.txt tc.txt td.txt te.txt tf.txt tg.txt th.txt' "$streams $blocks $tickblocks" 'runs/*.meta' 'y-0001.bin.*15' 'wide.chr wide.kern'; do
		for o in '--self --by-end --no-unpaired' '--pairing queue --self' '-k tid -b'; do
			p "each '$f' trace-pair $o"
		done
		p "each '$f' trace-pair --tune wait=500 | cksum; each '$f' trace-pair -b > tmp; trace-stats -g event -a 'count,sum(dur),count(unpaired)' tmp"
	done
	# Tables
	for a in 'footprint(addr,size,1)' 'footprint,sequential,unaligned(512),count,rate,share' 'cdf(w)' 'p50,p90,p99(size)' 'hist(v,3)' 'cdf(gap)' 'var,sd,mode,distinct(w)' 'top(w,3),top(v,2)' \
		'part(first(loc), "/", 1)' 'most(sum(dur)) / all(sum(dur))' '1 / 3' 'bw = sum(size) / sum(dur)' 'max(time) - min(time)' 'p99,p50(size)' 'sum(if(R, size, 0))' 'mean(time - prev.time)' 'x = count, x' 'all(all(count))'; do
		p "trace-stats --tune worth=64 -j 3 -g event -a '$a' pages.txt; trace-stats -J -g event -a '$a' pages.txt; trace-stats -j 1 -g 'x = v // 9' -a '$a' pages.txt; merged 2 many.txt -g event -a '$a'"
		p "trace-stats -g 'loc1, k = size // 4K' -a '$a' many.spc trace.chr; trace-stats -g 'loc1, event' -a '$a' kernel.txt many.little.ref; trace-stats -w 5s -g event --no-empty -a '$a' --csv many.txt"
	done
	for h in 'count > 100' 'event != R and count > 1' 'count = most(count)' 'not mean(dur)?' 'nosuch > 1' '"sum(size)" > 1000000' 'window in {2s..5s}' 'len(event) > 1' 'max(count, 200) > 200' 'x > 3' 'mean(dur) > 1K'; do
		p "trace-stats -g event -a 'count,sum(size),mean(dur),share' --having '$h' many.txt many.spc; trace-stats -w 1s -g event -a 'count,p50(size),x = count // 9' --having '$h' many.spc; trace-stats -w 3s -a 'count,mean(dur)' --having '$h' -S -count --head 2 -J many.spc"
	done
	for k in event window x file; do
		for a in 'count,sum(size)' 'cdf(size)' 'x = sum(size) / count' 'first(loc),distinct(addr),rate'; do
			p "trace-stats -g 'file, x = size // 2K, loc1' -a '$a' --wide '$k' -J --head 20 many.txt; trace-stats -g 'loc1,event' -a '$a' --wide '$k' -S -1 -S loc1 many.txt; trace-stats -w 1s/500ms -g event -a '$a' --wide '$k' --no-empty ticks.txt many.spc odd.txt"
		done
	done
	for o in '--origin 0.3' '--origin -2' '--origin x' '--origin 9223372036' '--from-first --no-empty' "--from-first -e 'size > 8K'" "--origin 1 -e 'prev.size = size'"; do
		for w in 700ms 1s/300ms 3/2 7ns; do
			p "trace-stats -p -w $w $o -a 'count,sum(size),p50(gap)' many.spc > tmp && trace-stats -m tmp; merged 2 many.txt -w $w $o -a 'count,sum(size)'; trace-stats --tune worth=64 -j 2 -w $w $o -a count many.txt many.spc; trace-stats -w $w $o -a count odd.txt back.spc"
		done
	done
	for g in 'addr // 8' 'loc, size // 1K' 'floor(time, 1s)' 'part(loc, "/", 1)' 'event, prev.event' 'nth // 100' 'size / 1000' 'dur * 2' 'v + 0.5'; do
		p "table -g '$g' -a 'count,sum(size),sum(gap)'; merged 3 many.spc -g '$g' -a 'count,p50(size)'; trace-stats --tune worth=64 -j 2 -g '$g' -a 'count,distinct(addr)' many.txt many.spc"
	done
	# Expressions at random
	for i in 0 1 2 3 4 5 6 7 8 9; do
		for k in 0 1 2 3 4 5 6 7 8 9; do
			p "trace-filter -k event -F \"\$(listed v $i$k 100)\" 'event?' cross.b; trace-filter -F \"\$(listed t $i$k 100)\" 'event?' cross.txt"
			p "each_test $i$k 100; defined $i$k 100"
		done
	done
}
