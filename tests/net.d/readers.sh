# shellcheck shell=sh disable=SC2016,SC2034,SC2046,SC2086,SC2154
# readers.sh - a part of tests/net.sh: inputs of every format and form, of odd kinds, damaged, at random and beyond
# the bounds of tables, as the programs read and count them.

# What the commands of all parts use.

aggregates='count,sum(size),mean(dur),min(addr),max(addr),var(size),p50(size),mode(size),distinct(addr),first(size),last(addr),rate,share,top(addr,2),hist(size),sum(gap)'
mix='Financial1.spc trace.chr solver.meta tasks odd.txt'
ticks='refs.bin kernel.txt tags.txt'
streams='Financial1.spc.txt trace.chr.txt solver.meta.txt tasks.txt odd.txt'
blocks='Financial1.spc.b trace.chr.b solver.meta.b tasks.b writer.all.b'
tickblocks='refs.bin.b kernel.txt.b writer.ticks.b'
spc='example.spc Financial1.spc WebSearch2.spc many.spc odd.spc back.spc bad.spc'
laplace='refs.bin seed.ref many.little.ref many.big.ref kernel.txt tags.txt k32-excerpt.kern odd.kern two.kern'
dumpi='solver.meta calls-0001.bin every-call-0000.bin every-call-v0.6.1-0001.bin small-0002.bin'
charisma='cm5.chr ilp32-be-esize.chr ipsc860.chr lp64-le.chr packed-lp64-le.chr trace.chr'
ovni='tasks states all.obs seed.stream lone'
natives="$spc $laplace $dumpi $charisma $ovni"
text='many.txt bare.txt odd.txt cat.txt seed.reftxt Financial1.spc.txt kernel.txt.txt solver.meta.plain.txt'
binary='many.b cat.b writer.all.b writer.ticks.b writer.again.b writer.two.b writer.empty.b writer.lost.b writer.odd.b'

# flip FILE FROM TO STEP: FILE with one byte, at each of these places, set to 0, 1 and 255, as FILE.N.0 and so on.
flip() {
	"$work/flip" "$@" || exit 2
}

cut_at() { # FILE N...: the first N bytes of FILE, as FILE.N.cut
	file=$1
	shift
	for n; do
		head -c "$n" "$file" > "$file.$n.cut"
	done
}

# Traces at random: rc.N.*.chr of CHARISMA, rd*.bin of DUMPI, ro/* of ovni. Values that tie records together are few,
# so that they meet in all orders.
at_random() {
	calls=$(seq -s, 0 308)
	k=0
	for p in $(charisma-dump --preset list); do
		k=$((k + 1))
		"$work/gen_random" "$p" 5 400 $k > "rc.1.$p.chr"
		"$work/gen_random" "$p" 400 150 $((k + 50)) 1e-9 > "rc.2.$p.chr"
	done
	while IFS= read -r line; do
		k=$((k + 1))
		printf 'charisma-layout 1\n%s\n' "$(printf '%s' "$line" | tr ';' '\n')" > "ro.$k.layout"
		"$work/gen_random" "ro.$k.layout" 7 200 "$k" > "ro.$k.l.chr"
		"$work/gen_random" "ro.$k.layout" 7 200 "$k" 1e-6 big > "ro.$k.b.chr"
	done <<-'END'
		base ilp32;words high
		base lp64;words low
		base ilp32;align packed;words high;tail idiom
		base ilp32;align max 2;tail nopad
		base lp64;const COMP_RW_RECORD 200
		base ilp32;const COMP_RW_RECORD 16;words low;const NO_APP 9999;const NO_CLIENT 65535;type TraceClientId u2
		base ilp32;record 100 disk size 64;record 300 tape size 6
		base ilp32;type TimestampType s8;type mine f8;record 60 sixty;u_short record_type;TimestampType timestamp;mine it;float small;TraceClientId client_id;end
		base ilp32;type BigInt u4;type TraceFileId u8;type TraceAppId s2;const TRACE_NAME_LENGTH 7;const TRACE_PATH_LENGTH 3
		base ilp32;record 9 rw;u_short record_type;TimestampType starttime;TraceFileDesc file_desc;byte operation_type;TraceAsyncId async_id;TraceAppId appl_id;u_short num_clients;repeat num_clients TraceIORequest requests;end
		base ilp32;record 9 rw;u_short record_type;TimestampType starttime;TimestampType endtime;TraceFileDesc file_desc;byte operation_type;TraceIORequest requests;end
		base lp64;struct TraceIORequest;BigInt IO_size;BigInt offset;TraceClientId client_id;TraceAppId appl_id;end
		base lp64;struct TraceIORequest;BigInt offset;BigInt IO_size;end
		base lp64;type TraceClientId u8;type TraceFileDesc s2;type TraceAsyncId u1
		base ilp32;record 1 app-load;u_short record_type;TimestampType timestamp;TraceAppId appl_id;end;record 3 join;u_short record_type;TraceClientId client_id;end
		base ilp32;record 14 async-end;u_short record_type;TimestampType end_time;TraceAsyncId async_id;TraceClientId client_id;end
	END
	"$work/gen_random" "ro.$((k - 11)).layout" 7 100 $k 0 > "ro.$((k - 11)).t.chr"
	"$work/gen_random" "ro.$((k - 11)).layout" 7 100 $k 1e-15 big > "ro.$((k - 11)).u.chr"
	for v in '13.0.0 8 0x4f 0' '0.6.1 8 0x4f 2' '13.0.0 5 0xf 0' '0.7.0 7 0x47 0' '0.8.3 6 0x4b 1' '1.0.0 8 0x4e 0' '0.6.5 4 0x46 0'; do
		set -- $v
		k=$((k + 1))
		"$work/gen_dumpi" random "$1" "$2" "$3" "$4" "$calls" $k > "rd$k-$(printf %04d $((k % 5))).bin"
	done
	for l in v0 v1 v1obs v2 v3 big; do
		k=$((k + 1))
		"$work/gen_ovni" random "ro/$l" $l $k 200
	done
}

at_bounds() {
	awk 'function r(n) { x = x * 16807 % 2147483647; return x % n }
		BEGIN {
			print "##spoor\t1\n##clock\ts\torigin=0.000000000\n##loc\tnode/rank"
			for (x = 5; i < 45000; i++) {
				t += r(100) ? r(90) : 5000000000
				printf "%d.%09d\tn%d/%d\te%d\t%.0f\t%d\t0.%09d\tfile=/data/%d\tv=%d\n", t / 1000000000, t % 1000000000,
					i % 7, i, r(60) ? r(20) : i, i * 397312, r(9) ? r(3000) : i * 131, r(8) ? r(5000) : i * 17, i, i - r(3) * 20000
			}
			print "##end\tevents=45000"
		}' > wide.txt
	awk 'BEGIN { for (i = 0; i < 20000; i++) printf "%d,%d,%d,%s,%d.%03d,n%d=%d\n", i, i * 8, 512 * (i % 700 + 1), i % 3 ? "w" : "R", i / 50, i % 50, i % 500, i }' > wide.spc
	awk 'BEGIN {
			for (i = 0; i < 20000; i++) printf "r 12345678%06x %x %x %x\n", i * 3, 2 ^ (i % 4), i, i * 200704 > "wide.reftxt"
			for (i = 0; i < 20000; i++) printf "X %d %x %x %x\n", i, i * 3, i, i % 7 > "wide.kern"
		}'
	laplace-bin2txt -r wide.reftxt > wide.ref 2> /dev/null
	"$work/gen_random" ipsc860 20000 26000 77 > wide.chr
	# A run as its .meta has it, and others that have not all of it.
	mkdir -p runs/sub
	for k in 0 1 2 4; do
		cp small-0002.bin runs/a-000$k.bin
		cp small-0002.bin runs/sub/b-000$k.bin
	done
	: > runs/a-0005.bin
	cp garbage runs/a-0006.bin
	mkdir runs/a-0007.bin
	i=0
	while IFS= read -r line; do
		i=$((i + 1))
		printf '%s\n' "$line" | tr ';' '\n' > runs/$i.meta
	done <<-'END'
		hostname=h;numprocs=3;fileprefix=a;username=u;startime=7
		numprocs=3;fileprefix=/gone/sub/a
		numprocs=5;fileprefix=a
		numprocs=9;fileprefix=a
		fileprefix=a
		numprocs=x;fileprefix=a
		numprocs=0;fileprefix=a
		numprocs=20;fileprefix=nosuch
		# a comment;  numprocs =  2  ;fileprefix = a;odd line;mine=12=3;=x
		nothing=here
		numprocs=1 1;fileprefix=a
		numprocs=-1;fileprefix=a
		numprocs=1
	END
	cp runs/1.meta runs/a.meta
	cp runs/3.meta runs/sub/b.meta
	printf 'numprocs=2\0\n' > runs/nul.meta
	# Links out of a trace, links to nowhere, in a ring, and one stream by two ways.
	cp -R ovni/v3/pairs linked
	tid=$(echo linked/ovni/loom.*/proc.*/thread.*)
	cp -R "$tid" away
	ln -s ../../../../away "${tid%/*}/thread.900"
	ln -s nowhere "${tid%/*}/thread.901"
	ln -s .. "${tid%/*}/thread.902"
	ln -s "$(basename "$tid")" "${tid%/*}/thread.903"
	# Metadata and clock offsets of every kind.
	i=0
	while IFS= read -r line; do
		i=$((i + 1))
		mkdir -p js/$i/loom.n.1/proc.10/thread.100
		cp o.obs js/$i/loom.n.1/proc.10/thread.100/stream.obs
		printf '%s\n' "$line" > js/$i/loom.n.1/proc.10/thread.100/stream.json
	done <<-'END'
		{"version":3,"ovni":{"part":"thread","tid":100,"pid":10,"loom":"n.1","app_id":1,"loom_cpus":[{"index":0,"phyid":0}],"finished":1}}
		{"version":4,"ovni":{"tid":100}}
		{"version":3.5,"ovni":{"tid":100}}
		{"version":-3,"ovni":{"tid":"x"}}
		{"version":3,"version":3,"ovni":{"tid":1e2,"tid":5}}
		{"version":3,"ovni":{"part":"cpu","tid":7,"pid":8,"loom":"other"}}
		{"version":3,"ovni":{"loom":"a/b","app_id":-1,"rank":"z","nranks":0,"finished":0}}
		{"version":3,"ovni":{"loom_cpus":[{"index":1,"phyid":0},{"index":1,"phyid":1}]}}
		{"version":3,"ovni":{"loom_cpus":[{"index":0,"phyid":5},{"index":2,"phyid":5}]}}
		{"version":3,"ovni":{"loom_cpus":[]}}
		{"version":3,"ovni":{"loom_cpus":[{"index":-1},{"phyid":99999},7,null]}}
		{"version":3,"ovni":{"loom_cpus":{"index":0}}}
		{"version":3,"ovni":{"require":{"ovni":"2.0.0","nosv":"1","x":7}}}
		{"version":3,"ovni":{"mark":{"0":{"title":"t","chan_type":"stack","labels":{"1":"a","-1":"b","1":"c","z":"d","9223372036854775808":"e"}},"-1":{"title":"n"},"200":{"title":"far"},"1":7}}}
		{"version":3,"nosv":{"hwc":{"0":{"name":"A"},"1":{"name":"B"},"63":{"name":"C"},"64":{"name":"D"},"x":{"name":"E"}}}}
		{"version":3,"nanos6":{"hwc":{"3":{"name":""},"2":{"name":"a=b\tc, d \\"}}}}
		{"a":"\u0041\u00e9\u20ac\ud83d\ude00\b\f\n\r\t\/\\\"","version":3}
		{"a":"\ud83d","version":3}
		{"a":"\ud83d\u0041","version":3}
		{"a":"\ude00","version":3}
		{"a":"\u12g4","version":3}
		{"a":"\u12","version":3}
		{"a":"\x","version":3}
		{"a":"tab	in","version":3}
		{"a":"unfinished
		{"a\u0000b":1,"version":3}
		{"a":[1,2.5,-0.125e-3,1E+5,0,-0],"b":{"c":{"d":[[],{}]}},"version":3}
		{"a":01,"version":3}
		{"a":1.,"version":3}
		{"a":.5,"version":3}
		{"a":-,"version":3}
		{"a":1e,"version":3}
		{"a":1e+,"version":3}
		{"a":+1,"version":3}
		{"a":tru,"version":3}
		{"a":nul,"version":3}
		{"a":true,"b":false,"c":null,"version":3}
		{"a":1 "b":2}
		{"a":1,}
		{"a":[1,]}
		{"a":[1 2]}
		{"a" 1}
		{"a":}
		{a:1}
		{"a":1}}
		{"a":1} x
		[1,2
		"text"
		17
		{"version":3,"deep":[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]}
	END
	i=0
	while IFS= read -r line; do
		i=$((i + 1))
		cp -R ro/v3/ovni off.$i
		printf 'rank hostname offset_median offset_mean offset_std\n%s\n' "$line" | tr ';' '\n' > off.$i/clock-offsets.txt
	done <<-'END'
		0 node0 250.75 0.000 0.000;1 node1 -4000 -4000.25 9.5
		0 node0 0 0 0
		0 node0 0 0;1 node1 x 0 0;x node1 5 0 0;1 node1 5 y 0;1 node1 5 0 z
		0 node0 1 0 0;0 node0 2 0 0;1 node1 9223372036854775807 0 0;;2 node2 7 0 0
		0	node0	-5	1e3	0	more
		0 node0 5. 0 0;1 node1 .5 0 0
		0 node0 2305843009213693951 0 0;1 node1 -2305843009213693951 0 0
		0 node0 100000 0 0;1 node1 2305843009213693950 0 0
		a b c d e;a b c d e;a b c d e;a b c d e;a b c d e;a b c d e;a b c d e;a b c d e;a b c d e;a b c d e;a b c d e;a b c d e
	END
}

inputs_readers() {
	cmd=$ROOT/${B:-build}/libcmd.a lib=$ROOT/${B:-build}/libspoor.a
	compile flip "$ROOT/tests/gen/flip.c" &
	compile writer "$ROOT/tests/second/writer.c" -lm &
	compile gen_ovni "$ROOT/tests/gen/gen_ovni.c" &
	compile gen_dumpi "$ROOT/tests/gen/gen_dumpi.c" "$cmd" "$lib" -pthread &
	compile gen_charisma "$ROOT/tests/bench/gen_charisma.c" "$cmd" "$lib" -pthread &
	compile gen_random "$ROOT/tests/gen/gen_random.c" "$cmd" "$lib" -pthread &
	sh "$ROOT/tests/make/examples.sh" .
	for f in "$FIX"/charisma/*.chr "$FIX"/dumpi/*.bin "$FIX"/laplace/seed.* "$FIX"/ovni/*; do
		cp "$f" .
	done
	cp -R "$ROOT/tests/states/trace" states
	mkdir corpus
	cp -R "$CORPUS/." corpus
	: > empty
	printf '\n' > newline
	echo 'no trace' > garbage
	# SPC: requests at random, some in a row, some at odd places; and lines of every odd kind.
	awk 'function r(n) { x = x * 16807 % 2147483647; return x % n }
		BEGIN {
			for (x = 42; i < 5000; i++) {
				asu = r(10) < 8 ? r(6) : 20 + r(30)
				at[asu] = r(3) ? at[asu] : r(2000000)
				size = (1 + r(16)) * (r(8) ? 4096 : 512)
				us += r(4) ? r(3000) : r(200) ? 0 : 3000000
				printf "%d,%d,%d,%s,%d.%06d\n", asu, at[asu], size, r(4) ? "w" : "R", us / 1000000, us % 1000000
				at[asu] += size / 512
			}
		}' > many.spc
	cat > odd.spc <<-'EOF'
		0,1,512,r,0.5
		00,001,0512,W,00.50
		 0 , 1 , 512 , r , 0.75 
		1,2,3,x,1
		1,18446744073709551615,4294967295,w,1.000000001
		1,18446744073709551616,512,w,1.1
		1,1,512,w,9223372036.854775807
		1,1,512,w,9223372036.854775808
		1,1,512,w,99999999999999999999
		-1,1,512,w,2
		1,-1,512,w,2
		1,1,-512,w,2
		1,1,512,w,-2
		1,1,512
		1,1,512,r
		1,1,512,r,
		,,,,
		1,1,512,r,3.1234567894
		1,1,512,r,3.1234567895
		1,1,512,r,1e3
		1,1,512,r,1.5e-3,more
		1,1,512,r,3.2,a=b,c,"d e"
		1,1,512,r,3.3,	tab,
		1,1,512,rw,3.4
		#comment
		
		1,1,512,r,3.3
		4294967295,1,0,R,4
		4294967296,1,1,R,5
		1,1,513,R,6,é
		1,0x10,512,R,7
		1,1.5,512,R,7
		2,1,512,R,7.
		2,1,512,R,.7
	EOF
	printf '0,1,512,r,0.5\r\n0,2,512,w,0.25\r\n0,3,512,w,1.0' > back.spc
	awk 'BEGIN { for (i = 0; i < 40; i++) print "0," i ",5x,w,1" > "bad.spc"; print "0,1,512,w,9" > "bad.spc" }'
	# References of Laplace, as text and as records of either order.
	awk 'function r(n) { x = x * 16807 % 2147483647; return x % n }
		BEGIN {
			for (x = 7; i < 3000; i++) {
				t += r(5) ? r(400) : 0
				p = r(3) ? p + 4 : r(1000) * 4096
				printf "%s 12345678%06x %x %x %x\n", substr("rwi", r(3) + 1, 1), t, 2 ^ r(4), r(4) + 256, p
			}
		}' > many.reftxt
	head -40 many.reftxt > some.reftxt
	for o in little big; do
		laplace-bin2txt -r --order $o < many.reftxt > many.$o.ref 2> /dev/null
	done
	cat kernel.txt tags.txt > two.kern
	{ cat seed.kern; printf 'r 123456789abcdef0 4 9\nz 1 2\nF 1\nF 1 2 3 4\nF x y z\nX 1 2 3\nD\nT 5 6\nT 4 6\n'; } > odd.kern
	# Text streams.
	cat > odd.txt <<-'EOF'
		##spoor	1
		##clock	s	origin=1.5
		##loc	node/pid
		##meta	n0/1:app=seven
		##meta	n0:rank=3
		##meta	site=here
		#a comment
		0.000000000	n0/1	W	0	0	0	a=1	b=x	c=0x10	d=-5	e=1.5	a=2
		0.1	n0/2	R	0x10	18446744073709551615	0.000000001	f=	g=a,b,c	h=1,2,3	i=nan
		1	-	x\x20y	-	-	-	j=\x09\x5c	k=1e3	l=1e-3	time=9
		-1.5	""	W	1	2	-0.5	m=9223372036854775808	n=-9223372036854775808
		2.000000001	n1/1/2/3/4/5/6/7/8/9	MPI_Send	-	100	0.25	asu=4	loc=x	event=y	size=z
		3	n0/1	W	1	2	3	bad
		3	n0/1	W	1	2	3	=bad
		3	n0/1	W	1	2	
		3	n0/1	W	1	2
		3	n0/1	-	1	2	3
		3		W	1	2	3
		x	n0/1	W	1	2	3
		3	n0/1	W	x	2	3
		3	n0/1	W	1	-2	3
		3	n0/1	W	1	2	x
		00003.5000	n0/1	W	0001	002	03.5
		9223372036.854775807	n0/1	W	0xffffffffffffffff	3	1
		-9223372036.854775808	n0/1	W	1	3	1
		9223372036.854775808	n0/1	W	1	3	1
		4	n0/1	W	1	18446744073709551616	1
		5	n0/1	W	1	3	1	q=12	r="" 
	EOF
	awk 'function r(n) { x = x * 16807 % 2147483647; return x % n }
		BEGIN {
			print "##spoor\t1\n##clock\ts\torigin=0.000000000\n##loc\thost/pid"
			for (x = 99; i < 4000; i++) {
				t += r(9000000)
				printf "%d.%09d\th%d/%d\t%s\t%s\t%s\t%s", t / 1000000000, t % 1000000000, r(3), r(40),
					r(9) ? "e" r(5) : "MPI_Send", r(5) ? r(100000) * 64 : "-", r(4) ? r(3000) : "-",
					r(3) ? "0." sprintf("%09d", r(200000000)) : "-"
				if (r(3)) printf "\tpeer=%d", r(30)
				if (r(3)) printf "\tfile=f%d", r(700)
				if (!r(4)) printf "\tv=%s%d.%d", r(2) ? "-" : "", r(50), r(100)
				if (!r(4)) printf "\tflags=%s", r(2) ? "READ,CREATE" : "WRITE"
				print ""
			}
			print "##end\tevents=4000"
		}' > many.txt
	sed '1,3d;$d' many.txt > bare.txt
	{ printf '##spoor\t1\n##clock\tticks\n'; awk 'BEGIN { for (i = 0; i < 400; i++) printf "%d\tn%d\te%d\t%d\t%d\t%d\n", i * 7, i % 3, i % 4, i * 64, i, i % 9 }'; } > ticks.txt
	wait
	for w in all ticks again two empty lost odd; do
		"$work/writer" $w > writer.$w.b
	done
	"$work/gen_ovni" ovni
	for a in '0.6.1' '0.6.2' '0.7.0 6' '0.8.3 8 255' '1.0.0 8 0' '13.0.0 8 79 3' '13.0.0 8 95 0 0,18,124' '13.0.0 4'; do
		"$work/gen_dumpi" file $a > "v$(echo "$a" | tr ' ,' '__')-0003.bin"
	done
	"$work/gen_ovni" random rl v3 9 4000
	"$work/gen_dumpi" script < "$ROOT/tests/net.dumpi" > calls-0001.bin
	"$work/gen_dumpi" script 0.6.5 8 0x4f < "$ROOT/tests/net.dumpi" > old-0001.bin
	"$work/gen_dumpi" script 13.0.0 8 2 < "$ROOT/tests/net.dumpi" > bare-0001.bin
	for p in $(charisma-dump --preset list); do
		for tail in 0 1; do
			"$work/gen_charisma" "$p" 30 5 1 $tail > "$p.$tail.chr"
		done
	done
	at_random
	# More streams than are merged by a tree, and an event that is alone behind the others.
	mkdir -p lone/loom.n/proc.1
	awk 'function r(n) { x = x * 16807 % 2147483647; return x % n }
		function oct(n, k,   s) { for (s = ""; k--; n = int(n / 256)) s = s sprintf("\\%04o", n % 256); return s }
		BEGIN {
			for (x = 3; i < 40; i++) {
				line = "ovni" oct(1, 4)
				t = i
				for (k = 0; k < 30; k++) line = line "\\0000OF" (k % 2 ? "]" : "[") oct(t += r(50) * 97, 8)
				if (i == 17) line = line "\\0000OF]" oct(900000, 8)
				print 100 + i, line
			}
		}' | while read -r i line; do printf '%b' "$line" > lone/loom.n/proc.1/thread.$i.obs; done
	for f in Financial1.spc refs.bin kernel.txt trace.chr solver.meta tasks small-0002.bin seed.stream; do
		trace-filter -tH 'event?' "$f" > "$f.txt" 2> /dev/null
		trace-filter -t 'event?' "$f" > "$f.plain.txt" 2> /dev/null
		trace-filter -b 'event?' "$f" > "$f.b" 2> /dev/null
	done
	trace-filter -b 'event?' many.txt > many.b 2> /dev/null
	trace-filter -b 'event?' many.spc > many.spc.b 2> /dev/null
	cat many.b writer.all.b > cat.b
	cat refs.bin.txt Financial1.spc.txt > cat.txt
	ovni-dump -D -b states > states.b 2> /dev/null
	cp trace.chr t.chr
	flip t.chr 0 480 16
	flip t.chr 3000 3099 1
	cut_at t.chr 1 100 143 144 150 500 3000 6119
	cp small-0002.bin d-0000.bin
	flip d-0000.bin 0 60 1
	flip d-0000.bin 61 300 1
	flip d-0000.bin 301 5434 233
	flip d-0000.bin 5340 5434 5
	cut_at d-0000.bin 1 8 60 200 1000 4000 5400 5434
	cp all.obs o.obs
	at_bounds
	flip o.obs 0 40 1
	flip o.obs 60 4000 331
	cut_at o.obs 1 7 8 20 100 1000 4620
	cp refs.bin r.ref
	flip r.ref 0 40 1
	cut_at r.ref 1 17 18 100 3590
	cp Financial1.spc.b f.b
	flip f.b 0 200 3
	flip f.b 200 2000 97
	cut_at f.b 1 8 20 50 100 200 400 1000 3000
	cp odd.txt f.txt
	flip f.txt 0 300 13
	cut_at f.txt 1 10 50 100 150 200 300
	cp example.spc f.spc
	flip f.spc 0 60 5
	cut_at f.spc 1 10 14 30 316
	cp seed.kern f.kern
	flip f.kern 0 100 7
	trace-stats -p -g event,loc -a "$aggregates" Financial1.spc > f.part 2> /dev/null
	flip f.part 0 200 7
	flip f.part 200 3000 89
	trace-stats -p Financial1.spc 2> /dev/null | head -c 40000 > h.part
	flip h.part 0 40000 211
	flip d-0000.bin 5370 5434 1
	# Ranks as the names of files have them, or have not.
	for n in x-x x-12a x- x-7 x-0000000012 x-123456789 x-1234567890 x0003 x-0-3 -4; do
		cp small-0002.bin ./$n.bin
	done
	cp v0.6.1-0003.bin y-0000.bin
	cut_at y-0000.bin 20 100 1000 5000 10000 12000 13000 14000
	cp calls-0001.bin y-0001.bin
	flip y-0001.bin 20 3000 13
	# Each format as a text stream and as a binary one.
	ovni-dump -N -H states > ta.txt 2> /dev/null
	ovni-dump -D -H ro/v3 > tb.txt 2> /dev/null
	charisma-dump -H rc.1.lp64-le.chr > tc.txt 2> /dev/null
	dumpi2txt -H calls-0001.bin > td.txt 2> /dev/null
	dumpi2txt -H -s rd*.bin > te.txt 2> /dev/null
	spc-cat -H many.spc > tf.txt
	laplace-bin2txt -H refs.bin > tg.txt 2> /dev/null
	ovni-dump -H ro/v2 > th.txt 2> /dev/null
	cut_at f.part 1 20 100 1000
	i=100
	while IFS= read -r line; do
		{ printf 'charisma-layout 1\n'; printf '%s\n' "$line" | tr ';' '\n'; } > $((i += 1)).layout
	done <<-'EOF'
		base lp64
		base lp64;align max 2;tail nopad
		base ilp32;align packed;words high
		base ilp32;align max 3
		base ilp32;align max 0
		base ilp16
		base
		base ilp32;align
		base ilp32;align max
		base ilp32;record 0 header;u_short record_type;double timestamp_unit;u_short n;repeat n int x;end
		base ilp32;record 0 header;u_short record_type;TimestampType timestamp;float timestamp_unit;end
		base ilp32;const TRACE_PATH_LENGTH 65536
		base ilp32;const TRACE_PATH_LENGTH 65537
		base ilp32;record 60 x;u_short record_type;char a[1048577];end
		base ilp32;record 60 x;u_short record_type;char a[1048570];char b[9];end
		base ilp32;struct TraceIORequest;end
		base ilp32;record 60 x;u_short record_type;u_short n;repeat n char c;end
		base ilp32;record 60 x;u_short record_type;u_short n;repeat n double c;end
		base ilp32;record 60 x;u_short record_type;double n;repeat n int c;end
		base ilp32;record 60 x;u_short record_type;char n[2];repeat n int c;end
		base ilp32;record 60 x;u_short record_type;u_short n;repeat n int c;int d;end
		base ilp32;record 60 x;u_short record_type;u_short n;repeat n int c[2];end
		base ilp32;type t0 u1;type t1 u2;type t2 u4;type t3 u8;type t4 u1;type t5 u2;type t6 u4;type t7 u8;type t8 u1;type t9 u2;type t10 u4;type t11 u8;type t12 u1;type t13 u2;type t14 u4;type t15 u8;type t16 u1;type t17 u2;type t18 u4;type t19 u8;type t20 u1;type t21 u2;type t22 u4;type t23 u8
		base ilp32;type t0 u1;type t1 u2;type t2 u4;type t3 u8;type t4 u1;type t5 u2;type t6 u4;type t7 u8;type t8 u1;type t9 u2;type t10 u4;type t11 u8;type t12 u1;type t13 u2;type t14 u4;type t15 u8;type t16 u1;type t17 u2;type t18 u4;type t19 u8
		base ilp32;record 200 r0 size 4;record 201 r1 size 5;record 202 r2 size 6;record 203 r3 size 7;record 204 r4 size 8;record 205 r5 size 9;record 206 r6 size 10;record 207 r7 size 11;record 208 r8 size 12;record 209 r9 size 13;record 210 r10 size 14;record 211 r11 size 15;record 212 r12 size 16;record 213 r13 size 17;record 214 r14 size 18;record 215 r15 size 19;record 216 r16 size 20;record 217 r17 size 21;record 218 r18 size 22;record 219 r19 size 23;record 220 r20 size 24;record 221 r21 size 25;record 222 r22 size 26;record 223 r23 size 27;record 224 r24 size 28;record 225 r25 size 29;record 226 r26 size 30;record 227 r27 size 31;record 228 r28 size 32;record 229 r29 size 33;record 230 r30 size 34;record 231 r31 size 35;record 232 r32 size 36;record 233 r33 size 37
		base ilp32;record 200 r0 size 4;record 201 r1 size 5;record 202 r2 size 6;record 203 r3 size 7;record 204 r4 size 8;record 205 r5 size 9;record 206 r6 size 10;record 207 r7 size 11;record 208 r8 size 12;record 209 r9 size 13;record 210 r10 size 14;record 211 r11 size 15;record 212 r12 size 16;record 213 r13 size 17;record 214 r14 size 18;record 215 r15 size 19;record 216 r16 size 20;record 217 r17 size 21;record 218 r18 size 22;record 219 r19 size 23;record 220 r20 size 24;record 221 r21 size 25;record 222 r22 size 26;record 223 r23 size 27;record 224 r24 size 28;record 225 r25 size 29;record 226 r26 size 30;record 227 r27 size 31;record 228 r28 size 32
		base ilp32;record 60 x;u_short record_type;byte f0;byte f1;byte f2;byte f3;byte f4;byte f5;byte f6;byte f7;byte f8;byte f9;byte f10;byte f11;byte f12;byte f13;byte f14;byte f15;byte f16;byte f17;byte f18;byte f19;byte f20;byte f21;byte f22;byte f23;byte f24;byte f25;byte f26;byte f27;byte f28;byte f29;byte f30;byte f31;byte f32;byte f33;end
		base ilp32;record 60 x;u_short record_type;byte f0;byte f1;byte f2;byte f3;byte f4;byte f5;byte f6;byte f7;byte f8;byte f9;byte f10;byte f11;byte f12;byte f13;byte f14;byte f15;byte f16;byte f17;byte f18;byte f19;byte f20;byte f21;byte f22;byte f23;byte f24;byte f25;byte f26;byte f27;byte f28;byte f29;byte f30;end
		base ilp32 a b c d e f g
	EOF
	printf 'charisma-layout 1\nbase ilp32\nalign natural\n' > cm5.layout
	printf 'charisma-layout 2\nbase ilp32\n' > 901.layout
	printf 'base ilp32\n' > 902.layout
	printf '# nothing\n\n' > 903.layout
	: > 904.layout
	printf 'charisma-layout 1\r\n\tbase ilp32\t# x\r\nwords low' > 905.layout
	printf 'charisma-layout 1\nbase ilp32\nrecord 60 x\n\tu_short record_type' > 906.layout
	{ printf 'charisma-layout 1\nbase ilp32\n'; head -c 1048576 /dev/zero | tr '\0' '#'; } > 907.layout
	printf 'charisma-layout 1\nbase ilp32\0\n' > 908.layout
	printf 'charisma-layout one\nbase ilp32\n' > 909.layout
}

# asks EXPR: what an expression selects, of every format and form, and what it is compiled to.
asks() {
	trace-filter -F time,loc,event,addr,size,dur "$1" $mix
	echo "$?" >&2
	trace-filter -c "$1" $streams
	echo "$?" >&2
	trace-filter -H -v "$1" $blocks
	echo "$?" >&2
	trace-filter -c "$1" $ticks $tickblocks
	echo "$?" >&2
	trace-filter -d "$1" Financial1.spc.b writer.all.b tags.txt many.txt
}

# here COMMAND...: the command, which names this folder.
here() {
	got=0
	"$@" > tmp.out 2> tmp.here || got=$?
	sed "s|$PWD/||g" tmp.out
	sed "s|$PWD/||g" tmp.here >&2
	return $got
}

# laid OPTION TRACE LAYOUT: a trace as this layout has it.
laid() {
	charisma-dump "$1" -L "$3" "$2"
}

# table OPTIONS...: a table, of inputs of both clocks.
table() {
	trace-stats "$@" many.spc trace.chr tasks
	echo "$?" >&2
	trace-stats "$@" many.txt solver.meta.b
	echo "$?" >&2
	trace-stats "$@" many.big.ref kernel.txt
}

commands_readers() {
	for p in charisma-dump dumpi2txt laplace-bin2txt ovni-dump spc-cat trace-filter trace-stats; do
		e=
		[ $p != trace-filter ] || e=" 'event?'"
		for o in '' -H -A '--hz 1000' --strict; do
			[ $p != trace-stats ] || case $o in -[HA]) continue ;; esac
			p "each \"\$natives\" $p $o$e"
			case $p$o in trace-* | spc-cat* | *dump) p "each \"\$text \$binary\" $p $o$e" ;; esac
			p "each 'empty newline garbage nosuch .' $p $o$e"
		done
		for f in text binary charisma dumpi laplace laplace-text ovni spc; do
			p "each 'example.spc refs.bin tags.txt seed.reftxt small-0002.bin trace.chr all.obs odd.txt writer.odd.b empty garbage' $p -f $f$e"
		done
		case $p in
		trace-*)
			for f in 'f.spc.* f.kern.* r.ref.*' 'f.b.*' 'f.txt.*' 't.chr.*5' 'd-0000.bin.*5' 'o.obs.*5'; do
				p "each '$f' $p$e"
			done
			;;
		esac
		p "$p$e \$natives"
	done
	# Laplace
	for o in '' -r --pad '--order little' '--order big' '-r --order big' '-r --strict' '-A --hz 3G'; do
		for f in 'seed.ref seed.reftxt seed.kern' 'refs.bin kernel.txt' 'many.reftxt some.reftxt' 'many.big.ref' 'odd.kern r.ref.*'; do
			p "each '$f' laplace-bin2txt $o"
		done
	done
	# ovni
	for o in '' -H -M --compat -N -D '-D -N -s' --raw-clock '--release 1.0' --follow-links '-s -b'; do
		for d in v0 v1 v1obs v2 v3 big bad; do
			p "each 'ovni/$d/*' ovni-dump $o"
		done
		p "each 'tasks states all.obs seed.stream lone' ovni-dump $o"
		case $o in '' | -D | *compat) p "each 'o.obs.* corpus/ovni/*' ovni-dump $o" ;; esac
		p "ovni-dump $o ro rl | cksum"
	done
	# DUMPI
	for o in '' -n -M --compat --compat=all '-s -A' '--align start' '--sizes lp64'; do
		p "each '*-000?.bin' dumpi2txt $o"
		case $o in
		'') p "each 'd-0000.bin.* corpus/dumpi/*' dumpi2txt" ;;
		-n | *all) p "each 'd-0000.bin.*5' dumpi2txt $o" ;;
		esac
		p "dumpi2txt $o solver.meta every-call-0000.bin small-0002.bin"
		p "each 'rd*.bin' dumpi2txt $o"
		p "dumpi2txt $o rd*.bin"
		p "each 'y-0000.bin.*' dumpi2txt $o"
		p "each 'y-0001.bin.*[05]' dumpi2txt $o"
	done
	p "each 'x*.bin ./-4.bin' dumpi2txt; dumpi2txt x-7.bin x-12a.bin; dumpi2txt x-7.bin x-0000000012.bin x-123456789.bin ./-4.bin; dumpi2txt --rank 5 x-x.bin; dumpi2txt --rank 5 x-7.bin"
	# CHARISMA
	for o in '' -M --no-state '--async-window 3' '--local -A' '--preset cm5'; do
		for f in '*.0.chr' '*.1.chr' "\$charisma" 't.chr.*' 'rc.1.*.chr' 'rc.2.*.chr'; do
			p "each \"$f\" charisma-dump $o"
		done
	done
	p "each '[19]??.layout' laid --dump-layout cm5.chr; each '[19]??.layout' laid -H lp64-le.chr"
	for i in 0 1 2 3 4 5 6 7 8 9; do
		p "for l in corpus/charisma_layout/*$i; do each \$l laid --dump-layout cm5.chr; each \$l laid -H cm5.chr; done"
		p "for f in ro.*$i.[lbtu].chr; do laid -H \$f \${f%.?.chr}.layout; laid -A \$f \${f%.?.chr}.layout; trace-stats -O layout=\${f%.?.chr}.layout \$f; done"
		p "each 'corpus/text/*$i corpus/binary/*$i' trace-filter -tH 'event?'"
		p "each 'corpus/partial/*$i' trace-stats -m -p"
		p "for x in corpus/expr/*$i; do trace-filter -d \"\$(tr -d '\\0' < \$x)\" odd.txt kernel.txt; done"
	done
	# What is at random, as each program has it.
	for f in 'rc.1.*.chr' 'rc.2.*.chr' 'rd*.bin' 'ro/*'; do
		p "each '$f' trace-stats; each '$f' trace-stats -O durations -g event,loc -a \$aggregates"
		p "each '$f' trace-filter -n 'size > 1000 or dur > 1us' | cksum; each '$f' trace-filter -O names -F time,loc,event,file,name 'file? or name?'"
		p "each '$f' trace-filter --tune read=100 -H 'event?'"
	done
	# The readers of text, by other ways, in small reads; pipes, and what stands behind the end.
	for v in simd=sse2 simd=plain simd=slow simd=avx2 read=7 read=999; do
		p "for f in \$spc \$text; do trace-filter --tune $v -b 'event?' \$f; trace-stats --tune $v -g event -a 'count,sum(size)' \$f; trace-filter --tune $v -n 'size > 1000' \$f; done"
	done
	for f in Financial1.spc many.big.ref kernel.txt cm5.chr small-0002.bin seed.stream all.obs many.txt many.b; do
		p "cat $f | trace-filter -O durations -b 'event?' | cksum; { cat $f; head -c 300 $f; } | trace-filter -c 'event?'; { head -c 40 > tmp; trace-filter -c 'event?'; } < $f"
	done
	# Runs, links, metadata
	for o in '' -M; do
		p "each 'runs/*.meta runs/sub/*.meta' dumpi2txt $o; dumpi2txt $o runs/a.meta runs/sub/b.meta; dumpi2txt $o runs/a-0000.bin runs/sub/b-0000.bin runs/a-0002.bin"
	done
	for o in '' -M -D --follow-links --compat; do
		p "each 'linked linked/ovni away js/*' here ovni-dump $o"
		p "each 'off.*' here ovni-dump $o"
	done
	p "each 'off.* js/*' here trace-stats --tsv; each 'js/*' trace-stats -g rank,app_id,loom,tid -a count"
	# Beyond the bounds
	for f in wide.txt wide.spc wide.ref wide.kern wide.chr; do
		p "merged 3 $f -g event -a 'count,sum(gap),distinct(addr),p50(addr),top(size,2)'"
		p "merged 2 $f; merged 2 $f --tsv"
		p "trace-stats --tune worth=64 -j 2 -g event -a 'count,distinct(addr),p50(size),top(loc,2)' $f; trace-stats --tune worth=64 -j 2 --tsv $f"
	done
	for f in ta tb tc td te tf tg th; do
		p "merged 3 $f.txt; trace-stats --tune worth=64 -j 3 $f.txt"
		p "for e in r w W mpi_send MS Read x '' 'loc = 5 or size ~ 1 or nosuch? and v > 1'; do trace-stats --tune worth=64 -j 2 -a 'count,sum(nosuch)' -e \"\$e\" $f.txt; trace-stats -e \"\$e\" -a count $f.txt; done"
	done
	# Expressions, fields
	while IFS= read -r e; do
		p "asks '$e'"
	done <<-'EOF'
		[!R]
		size in {512, 1K..2K, 3584}
		size ~ "2$"
		not addr?
		time in {81985529216486895..1311768467463790320}
		loc in {1, 2, n0/1}
		event ~ "^MPI_(I|Wait)"
		event ~ "a{300}"
		event ~ "(e{200}){100}"
		event ~ "e)"
		addr & 0x8000000000000000
		dur > 9223372036s
		file in {f1, f2} and not (peer? or v?)
		peer in {1,2,3,4,5,6,7,8,9,10,11,12}
		not (size > 1K or nosuch = 1)
		size > > 1
	EOF
	for f in time,loc,event,addr,size,dur,end asu,pid,tid,loom,rank,space,client loc1,loc2,loc8,app_id,arg.a,a,b,c inode,file,name,path,open_flags,by,count,datatype,dest,tag,comm,peer,flags \
		v,u8,i8,u64,f64,x32,ns,sym,str,bytes,const nosuch time,time 'time,,loc' '' 'time, loc'; do
		p "trace-filter -F '$f' 'event?' \$mix \$ticks; trace-filter -H -F '$f' 'event?' \$streams \$blocks \$tickblocks"
	done
	# trace-stats
	for f in '' -J --tsv; do
		p "each \"\$natives\" trace-stats $f; each \"\$streams \$blocks \$tickblocks\" trace-stats $f; trace-stats $f \$mix \$ticks"
		p "each '*-000?.bin' trace-stats $f; each 'ovni/*/*' trace-stats $f"
	done
	for o in '-S count' "-S '-sum(size)'" '-S -event --head 3' "-S 'mean(dur),event'" --csv -J '-p -S count'; do
		p "for f in many.txt odd.txt writer.all.b many.spc writer.ticks.b; do trace-stats $o -g event -a 'count,sum(size),mean(dur)' \$f; done"
	done
	for a in count sum mean min max var median mode distinct first last rate share depth depth_most busy hist top p0 p25 p99.9 p100; do
		p "table -a '$a(addr),$a(time),$a(v),$a(loc),$a(file),$a(end),$a(nosuch),$a(event),$a(client),$a(pid)'; table -w 1s -a '$a(size),$a(gap)'"
		p "trace-stats --tune worth=64 -j 3 -g event -a '$a(size),$a(addr)' many.spc many.big.ref many.txt; merged 2 many.txt -g event -a '$a(dur),$a(v),$a(file)'"
	done
	for a in '' 'count,,count' 'sum(' 'top(size,1001)' 'hist(size,0)' 'hist(dur,1ms)' 'hist(v,0.5)' 'p101(size)' 'nosuch(size)' 'count(size),count(dur)' 'p50(size),p50(v),p50(dur),p50(time)'; do
		p "table -a '$a'; table -g loc1,event -a '$a'; table -w 500ms/200ms -a '$a'"
	done
	p "each 'f.part.*' trace-stats -m; each 'h.part.*' trace-stats -m"
}
