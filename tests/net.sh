#!/bin/sh
# shellcheck disable=SC1090,SC2034,SC2086,SC2317,SC3045
# net.sh [--write | --keep DIR | --first [DIR] | --only [DIR] | --inputs DIR | --slow]: what the programs print, on one line for each command below, held
# against tests/net.sums. This is no oracle: nothing says that a sum stands for the right answer. It only
# notices that something changed, which is what a change of the code's inner structure must not do. Where a
# change is meant, write the file anew with --write, which prints the commands that changed: read them.
#
#	STATUS SUM SUM KEY
#
# The sums are those of standard output and of messages, `-' where there are none; the key is a sum of the
# command's own text, which stands below. A command runs in a folder
# with the inputs that are made below. --keep leaves there what each command printed (N.out, N.err), so that
# two trees can be compared; --first ends with the first batch that differs. --inputs only makes the inputs, in a
# new folder, from which --first may take them: then they are what another tree made. Commands that match the
# regular expression $FIRST come first; with --only no others run. --slow prints the 40 commands that took the most CPU seconds, for who shrinks one.
set -u
ROOT=$(cd "$(dirname "$0")/.." && pwd)
FIX=$ROOT/tests/fixtures
CORPUS=$ROOT/tests/fuzz/corpus
PATH=${BIN:-$ROOT/bin}:$PATH
LC_ALL=C
export LC_ALL PATH
unset NO_COLOR SPOOR_WORTH SPOOR_READ SPOOR_WAIT SPOOR_SIMD 2> /dev/null
umask 022
BATCHES=48
write='' keep='' first='' only='' made='' make='' slow=''
case ${1-} in
--write) write=1 ;;
--keep) keep=$2 ;;
--first) first=1 made=${2-} ;;
--only) only=1 made=${2-} ;;
--inputs) make=$2 ;;
--slow) slow=1 ;;
'') ;;
*)
	sed -n '3,18s/^#[ 	]\{0,1\}//p' "$0"
	exit 2
	;;
esac
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 2' HUP INT TERM
TMPDIR=$work
export TMPDIR

# The inputs.

compile() { # NAME SOURCE [ARGUMENTS]
	name=$1
	shift
	${CC:-cc} -std=c11 -w -O0 -D_XOPEN_SOURCE=700 -I"$ROOT/common" -I"$ROOT/tests/bench" -o "$work/$name" "$@" || exit 2
}

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
	for u in 1.25e-7 3.3333333333333335e-7 0 1 1e-15 nan 1e300 2.5e-10; do
		k=$((k + 1))
		"$work/gen_random" cm5 9 60 $k $u > "ru.$u.chr"
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

# What is beyond the bounds of tables, and inputs of odd shapes: wide.*, odd files beside each other.
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
	# Lines of every length, and one of more than 16 MiB.
	{ head -3 many.txt; head -c 70000 /dev/zero | tr '\0' x; printf '\n1\tn\tW\t1\t2\t3\ta='; head -c 70000 /dev/zero | tr '\0' y; printf '\n2\tn\tW\t1\t2\t3\n'; } > long.txt
	{ printf '0,1,512,r,0.5\n0,'; head -c 17000000 /dev/zero | tr '\0' 1; printf '\n0,2,512,w,0.75\n'; } > long.spc
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

inputs() {
	lib=$ROOT/${B:-build}/libspoor.a
	cat > "$work/flip.c" <<-'EOF'
		#include <stdio.h>
		#include <stdlib.h>
		int main(int argc, char **argv)
		{
			static unsigned char b[1 << 16], to[] = {0, 1, 255};
			FILE *f = fopen(argv[1], "rb");
			size_t n = argc == 5 && f ? fread(b, 1, sizeof b, f) : 0;
			for (size_t i = strtoul(argv[2], 0, 10); i < n && i <= strtoul(argv[3], 0, 10); i += strtoul(argv[4], 0, 10))
				for (int k = 0; k < 3; k++) {
					char name[256];
					unsigned char was = b[i];
					sprintf(name, "%s.%zu.%d", argv[1], i, to[k]);
					if (was == to[k] || !(f = fopen(name, "wb"))) continue;
					b[i] = to[k];
					if (fwrite(b, 1, n, f) != n || fclose(f)) return 1;
					b[i] = was;
				}
			return !n;
		}
	EOF
	compile flip "$work/flip.c" &
	compile writer "$ROOT/tests/second/writer.c" -lm &
	compile gen_ovni "$ROOT/tests/gen/gen_ovni.c" &
	compile gen_dumpi "$ROOT/tests/gen/gen_dumpi.c" "$lib" -pthread &
	compile gen_charisma "$ROOT/tests/bench/gen_charisma.c" "$lib" -pthread &
	compile gen_random "$ROOT/tests/gen/gen_random.c" "$lib" -pthread &
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
	# Numbers that are just within and beyond what 64 bits, nine decimals and doubles hold.
	i=0
	for v in 0 -0 0.0 -0.0 0.000000001 -0.000000001 0.0000000004 0.0000000005 -0.0000000005 1e3 1e-3 1e19 -1e19 1e20 007 +1 .5 5. \
		18446744073 18446744073.5 18446744073.709551615 18446744073.709551616 18446744074 18446744074.5 9223372036.854775807 9223372036.854775808 \
		9223372036854775807 9223372036854775808 -9223372036854775808 -9223372036854775809 18446744073709551615 18446744073709551616 18446744073709551615.5 \
		4294967295 4294967296 0xffffffffffffffff 0x10000000000000000 -0x1 nan inf -inf 1e308 1e309 1.7976931348623157e308 4.9e-324 12345678901234567890 0.1 0.10 1,2 1.5e; do
		i=$((i + 1))
		printf '%d.%d\tn%d\te%d\t%d\t%d\t-\tv=%s\n' $((i / 4)) $((i % 4)) $((i % 3)) $((i % 5)) $i $i "$v"
	done > edge.txt
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
		for tail in 0 1 2; do
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
	trace-stats -p -g event,loc -w 2s -a 'count,p50(size),distinct(addr),top(size,2),hist(size),sum(gap),first(size),mode(asu)' many.spc 2> /dev/null | head -c 30000 > g.part
	flip g.part 0 20000 151
	trace-stats -p Financial1.spc 2> /dev/null | head -c 40000 > h.part
	flip h.part 0 40000 211
	{ sed 1,3d many.txt | head -5; } > z.txt
	flip z.txt 0 200 1
	head -4 example.spc > z.spc
	flip z.spc 0 100 1
	cp cm5.chr e-be.chr
	flip e-be.chr 0 170 3
	for p in rc.1.*.chr ro.*.l.chr; do
		cut_at "$p" 8 9 10 60 200 500 700 2000
	done
	printf '\105\147\001\043\0\0\0\001\0\0' > e-swapped.chr
	printf '\043\001\147\105\0\0\0\001\0\0' > e-again.chr
	printf '\001\043\105\147\0\0\0\002\0\0' > e-two.chr
	printf '\001\043\105\147\0\0\0\001\0\07' > e-type.chr
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
	cp packed-lp64-le.chr e-le.chr
	flip e-le.chr 0 160 7
	cut_at f.part 1 20 100 1000
	trace-stats -p trace.chr > report.part 2> /dev/null
	cat > site.layout <<-'EOF'
		charisma-layout 1
		base ilp32
		align max 4
		type TraceClientId u2
		const TRACE_NAME_LENGTH 80
		const NO_CLIENT 65535
		record 9 rw
		  u_short       record_type
		  TimestampType starttime
		  TimestampType endtime
		  TraceFileDesc file_desc
		  byte          operation_type
		  TraceAsyncId  async_id
		  u_short       num_clients
		  repeat num_clients TraceIORequest requests
		end
		tail idiom
		words low
		record 100 disk size 64
	EOF
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
		base ilp32;tail none
		base ilp32;words middle
		base ilp32;words low high
		base ilp32;type long u8 align 4
		base ilp32;type long u8 align 3
		base ilp32;type long u8 align
		base ilp32;type long u3
		base ilp32;type long u16
		base ilp32;type long u
		base ilp32;type long x4
		base ilp32;type mine f8 align 16;record 60 sixty;u_short record_type;mine it;mine them[4];end
		base ilp32;type TraceFileId f4
		base ilp32;type BigInt s8;type TimestampType u4
		base ilp32;const TRACE_NAME_LENGTH 0
		base ilp32;const TRACE_NAME_LENGTH 70000
		base ilp32;const NO_APP 4294967295;const NO_CLIENT 65535
		base ilp32;const NO_APP -1
		base ilp32;const COMP_RW_RECORD 15
		base ilp32;const COMP_RW_RECORD 16
		base ilp32;const COMP_RW_RECORD 255
		base ilp32;const COMP_RW_RECORD 256
		base ilp32;const nosuch 1
		base ilp32;const TRACE_PATH_LENGTH x
		base ilp32;record 9 rw;u_short record_type;TimestampType starttime;TraceIORequest requests;int more;end
		base ilp32;record 9 rw;u_short record_type;TraceIORequest requests;TraceIORequest more;end
		base ilp32;record 9 rw;u_short record_type;u_short n;repeat n TraceIORequest requests;int more;end
		base ilp32;record 9 rw;u_short record_type;repeat n TraceIORequest requests;end
		base ilp32;record 10 extend;u_short record_type;TraceIORequest requests;end
		base ilp32;record 1 app-load;u_short record_type;TimestampType timestamp;u_short num_clients;repeat num_clients TraceClientId clients;end
		base ilp32;record 1 app-load;u_short record_type;float num_clients;repeat num_clients TraceClientId clients;end
		base ilp32;record 3 join;u_short record_type;TimestampType timestamp;TraceClientId client_id;char note[7];char name[TRACE_NAME_LENGTH];end
		base ilp32;record 3 join;u_short record_type;double timestamp;end
		base ilp32;record 3 join;u_short record_type;int timestamp[2];end
		base ilp32;record 3 join;int timestamp;end
		base ilp32;record 3 join;u_short record_type;int a;int a;end
		base ilp32;record 3 join;u_short record_type;nosuch a;end
		base ilp32;record 3 join;u_short record_type;int 1a;end
		base ilp32;record 3 join;u_short record_type;char a[0];end
		base ilp32;record 3 join;u_short record_type;char a[-1];end
		base ilp32;record 3 join;u_short record_type
		base ilp32;record 3 join;end
		base ilp32;record 3
		base ilp32;record 3 nosuch;u_short record_type;int a;end
		base ilp32;record 300 nosuch size 5
		base ilp32;record 70000 nosuch size 5
		base ilp32;record 100 disk size 0
		base ilp32;record 100 disk size 1
		base ilp32;record 100 disk size 2
		base ilp32;record 100 disk size 99999999
		base ilp32;record 100 disk size
		base ilp32;record 100 disk size 8;record 100 tape size 8
		base ilp32;record 100 extend size 8
		base ilp32;struct TraceIORequest;BigInt offset;BigInt IO_size;TraceClientId client_id;end
		base ilp32;struct TraceIORequest;BigInt offset;end
		base ilp32;struct Nosuch;BigInt offset;end
		base ilp32;nosuch
		align max 4;base ilp32
		base ilp32;base lp64
		base ilp32;record 0 header size 64
		base ilp32;record 0 header;u_short record_type;int timestamp_unit;end
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
		base ilp32;type abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz u2
		base ilp32;type a-b u2;type _ u2
		base ilp32;type time_t s8;type long s8 align 8;type u_long u8;type int s4
		base ilp32;type u_short u4
		base ilp32;type double f4;type char s1
		base ilp32;type TraceClientId u2 align 256
		base ilp32;type TraceClientId u2 align 128;type TraceAppId u8 align 64
		base ilp32;const NO_APP 0x10;const NO_CLIENT 007
		base ilp32;const NO_APP 9223372036854775808
		base ilp32;const NO_APP 12x
		base ilp32;record 0x9 rw size 64
		base ilp32;record 9 rw size 64
		base ilp32;record 7 rw;u_short record_type;int a;end
		base ilp32;end
		base ilp32;repeat n int x
		base ilp32;record 60 x;base lp64;end
		base lp64;record 15 fcntl;u_short record_type;TimestampType timestamp;TraceClientId client_id;int request;char arg[5];end
		base ilp32 # and a comment;# another;	;align natural
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
	for part in $PARTS; do
		inputs_$part
	done
}

# What commands use.

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

# each FILES COMMAND...: the command once for each file (patterns are open), and how it ended. Of more than 40, which are
# one file with a byte changed here and there, once for 16 of them, and then once for all.
each() {
	list=$1 files=0 at=0
	shift
	for file in $list; do
		files=$((files + 1))
	done
	step=$(((files + 15) / 16))
	for file in $list; do
		at=$((at + 1))
		[ $files -le 40 ] || [ $((at % step)) = 1 ] || continue
		"$@" "$file"
		ended "$file" $?
	done
	if [ $files -gt 40 ]; then
		"$@" $list
		ended all $?
	fi
}

ended() { # WHAT STATUS
	case $2 in
	0) ;;
	137 | 152) exit "$2" ;; # no time left
	*) echo "$1: $2" >&2 ;;
	esac
}

# parts N COMMAND...: the command for each of N parts.
parts() {
	n=$1 k=0
	shift
	while [ $((k += 1)) -le "$n" ]; do
		"$@" --chunk $k/$n || echo "$k: $?" >&2
	done
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

# merged N FILE OPTIONS...: partials of N parts of a file, merged; must be what there is without.
merged() {
	n=$1 file=$2 k=0
	shift 2
	rm -f tmp.*
	while [ $((k += 1)) -le "$n" ]; do
		trace-stats -p "$@" --chunk $k/$n "$file" > tmp.$k || echo "$k: $?" >&2
	done
	cat tmp.1
	trace-stats -m -p tmp.*
	trace-stats -m tmp.* > tmp
	trace-stats "$@" "$file" | cmp -s tmp || cat tmp
}

# The commands, a line each.

p() {
	printf '%s\n' "$*"
}

commands() {
	for p in charisma-dump dumpi2txt laplace-bin2txt ovni-dump spc-cat trace-filter trace-stats; do
		e=
		[ $p != trace-filter ] || e=" 'event?'"
		p "$p --help"
		p "$p --complete"
		for o in --nosuch -Z --hz --hz=0 --hz=x --chunk=0/1 --chunk=2/1 --chunk=1 -O -Onosuch -O=x '-O rank' '-O rank=x' \
			'-O names=1' '-O block=0' -fnosuch '-o /nosuch/x' '-t -b' '-n -H' '-A -n' --text=1 --chu; do
			p "$p $o$e example.spc"
		done
		p "$p -O list$e"
		p "$p -f list$e"
		for o in '' -H -b -A -HA '--hz 1000' '--hz 2.5G -H' '--hz 1k -A' --strict; do
			[ $p != trace-stats ] || case $o in *-[bHA]*) continue ;; esac
			p "each \"\$natives\" $p $o$e"
			case $p$o in trace-* | spc-cat* | *dump) p "each \"\$text \$binary\" $p $o$e" ;; esac
			p "each 'empty newline garbage nosuch .' $p $o$e"
		done
		for f in text binary charisma dumpi laplace laplace-text ovni spc; do
			p "each 'example.spc refs.bin tags.txt seed.reftxt small-0002.bin trace.chr all.obs odd.txt writer.odd.b empty garbage' $p -f $f$e"
		done
		case $p in
		trace-*)
			p "each 'f.spc.* f.kern.* r.ref.*' $p$e"
			p "each 'f.b.*' $p$e"
			p "each 'f.txt.*' $p$e"
			p "each 't.chr.*5' $p$e"
			p "each 'd-0000.bin.*5' $p$e"
			p "each 'o.obs.*5' $p$e"
			;;
		esac
		p "$p$e \$natives"
		p "$p --strict$e \$natives"
		p "$p -$e - < Financial1.spc"
		p "$p$e < many.txt"
	done
	# SPC
	for o in -n '-n --strict' '--block 4096 -H' '--block 512' '--block 0' '--block 1K -H' --unordered '-n --unordered' '--unordered --hz 5'; do
		p "each \"\$spc \$text many.b\" spc-cat $o"
	done
	for n in 1 2 7; do
		for f in many.spc odd.spc example.spc many.txt many.little.ref many.big.ref tasks small-0002.bin 'many.spc odd.spc bare.txt'; do
			p "parts $n trace-filter -H 'event?' $f"
			p "parts $n trace-stats -g event -a 'count,sum(gap),first(time),last(time)' $f"
		done
		p "parts $n spc-cat many.spc"
		p "parts $n laplace-bin2txt many.big.ref"
		p "parts $n laplace-bin2txt many.reftxt"
	done
	# Laplace
	for o in '' -r --pad '--pad -H' '--order little' '--order big' '--order x' '-r --order big' '-r --order little' '-r -t' '-r -b' \
		'--hz 3G -H' '-r --strict' '-A --hz 3G'; do
		for f in 'seed.ref seed.reftxt seed.kern' 'refs.bin kernel.txt' 'many.reftxt some.reftxt' 'many.big.ref' 'odd.kern r.ref.*'; do
			p "each '$f' laplace-bin2txt $o"
		done
	done
	p "laplace-bin2txt -r many.reftxt some.reftxt"
	p "laplace-bin2txt refs.bin | laplace-bin2txt -r"
	# ovni
	for o in '' -H -M --compat -s -N -D '-D -N -s' --raw-clock '--release 1.0' '--release 2' --follow-links '-A --raw-clock' '-D -H' '-s -b'; do
		for d in v0 v1 v1obs v2 v3 big bad; do
			p "each 'ovni/$d/*' ovni-dump $o"
		done
		p "each 'tasks states all.obs seed.stream lone' ovni-dump $o"
		case $o in '' | -D | *compat) p "each 'o.obs.* corpus/ovni/*' ovni-dump $o" ;; esac
		p "ovni-dump $o tasks ovni/v3/all ovni/v2/all"
	done
	# DUMPI
	for o in '' -n -M --compat --compat=all --compat=x -s '--rank 7' '--align start' '--sizes lp64' '--sizes small-0002.bin' '--sizes nosuch' -H \
		'-H --align start -s' '-A -s' '-s --rank 3'; do
		p "each '*-000?.bin' dumpi2txt $o"
		case $o in
		'') p "each 'd-0000.bin.* corpus/dumpi/*' dumpi2txt" ;;
		-n | *all) p "each 'd-0000.bin.*5' dumpi2txt $o" ;;
		esac
		p "dumpi2txt $o solver.meta"
		p "dumpi2txt $o solver-0000.bin solver-0003.bin"
		p "dumpi2txt $o every-call-0000.bin small-0002.bin"
	done
	# CHARISMA
	for o in '' --dump-layout -M --no-state '--async-window 1' '--async-window 3 -H' '--async-window 0' '--local -A' '-H --local' '-A' '-L site.layout' '-L cm5.layout' \
		'-L nosuch' '-L cm5.layout --dump-layout' '--preset cm5' '--preset lp64-be --dump-layout' '--preset ipsc860' '--preset nosuch'; do
		for t in 0 1 2; do
			p "each '*.$t.chr' charisma-dump $o"
		done
		p "each \"\$charisma\" charisma-dump $o"
		case $o in '' | *window*3* | *cm5.layout) p "each 't.chr.*' charisma-dump $o" ;; esac
	done
	# What is at random, by every way that there is.
	for o in '' -H --no-state '--async-window 3' '--async-window 1' '--local -A'; do
		for f in 'rc.1.[a-k]*.chr' 'rc.1.[l-z]*.chr' 'rc.2.[a-k]*.chr' 'rc.2.[l-z]*.chr' 'ru.*.chr'; do
			p "each '$f' charisma-dump $o"
		done
	done
	for o in '' -n -H --compat=all -M '-s -A' '--sizes lp64' '--align start'; do
		p "each 'rd*.bin' dumpi2txt $o"
		p "dumpi2txt $o rd*.bin"
	done
	for o in '' -H -M --compat -s -N '-D -H' '-D -N -s' '--raw-clock -D' '--release 1.0 -D' -b; do
		for l in v0 v1 v1obs v2 v3 big; do
			p "ovni-dump $o ro/$l"
		done
		p "ovni-dump $o ro"
		p "ovni-dump $o rl | cksum"
	done
	for f in 'rc.1.*.chr' 'rc.2.*.chr' 'rd*.bin' 'ro/*'; do
		for o in '' -T -J; do
			p "each '$f' trace-stats $o"
		done
		p "each '$f' trace-stats -O durations -g event,loc -a \$aggregates"
		p "each '$f' trace-stats -g file,by,name,comm,type -a 'count,sum(size),sum(sent),sum(dur),distinct(loc)'"
		p "each '$f' trace-filter -n 'size > 1000 or dur > 1us' | cksum"
		p "each '$f' trace-filter -b 'event?' > tmp; trace-filter -H 'event?' tmp"
		p "each '$f' trace-filter -c 'size > 1000'"
		p "each '$f' trace-filter -O durations -F time,loc,event,dur 'dur?'"
		p "each '$f' trace-filter -O names -F time,loc,event,file,name 'file? or name?'"
		p "each '$f' env SPOOR_SIMD=slow trace-filter -H 'size?'"
		p "each '$f' env SPOOR_READ=100 trace-filter -H 'event?'"
		p "for x in $f; do [ -d \$x ] || trace-filter -H 'event?' < \$x; done"
	done
	for i in 0 1 2 3 4 5 6 7 8 9; do
		p "each '[19]$i?.layout' laid --dump-layout cm5.chr"
		p "each '[19]$i?.layout' laid -H cm5.chr"
		p "each '[19]$i?.layout' laid -H lp64-le.chr"
	done
	for i in 0 1 2 3 4 5 6 7 8 9; do
		p "for l in corpus/charisma_layout/*$i; do each \$l laid --dump-layout cm5.chr; each \$l laid -H cm5.chr; done"
		p "for f in ro.*$i.[lbtu].chr; do laid -H \$f \${f%.?.chr}.layout; laid -A \$f \${f%.?.chr}.layout; trace-stats -O layout=\${f%.?.chr}.layout \$f; done"
		p "each 'corpus/text/*$i corpus/binary/*$i' trace-filter -tH 'event?'"
		p "each 'corpus/text/*$i corpus/binary/*$i' trace-filter -b 'event?' | cksum"
		p "each 'corpus/text/*$i corpus/binary/*$i' trace-stats -T"
		p "each 'corpus/text/*$i corpus/binary/*$i' trace-stats -g loc,event -a 'count,sum(size),max(time),distinct(a)'"
		p "each 'corpus/partial/*$i' trace-stats -m"
		p "each 'corpus/partial/*$i' trace-stats -m -p"
		p "for x in corpus/expr/*$i; do trace-filter -c \"\$(tr -d '\\0' < \$x)\" many.txt writer.all.b; done"
		p "for x in corpus/expr/*$i; do trace-filter -d \"\$(tr -d '\\0' < \$x)\" odd.txt kernel.txt; done"
	done
	p "each 'corpus/same/*' trace-filter -tH 'event?'"
	p "each 'corpus/same/*' trace-stats"
	p "each 'f.part.*' trace-stats -m"
	# The readers of text, by other ways, in small reads.
	for v in SPOOR_SIMD=sse2 SPOOR_SIMD=plain SPOOR_SIMD=slow SPOOR_SIMD=avx2 SPOOR_READ=7 SPOOR_READ=999; do
		p "for f in \$spc \$text; do $v trace-filter -b 'event?' \$f; $v trace-stats -g event -a 'count,sum(size)' \$f; $v trace-filter -n 'size > 1000' \$f; done"
		case $v in *READ*) p "for f in \$laplace \$dumpi \$charisma \$ovni \$binary; do $v trace-filter 'event?' \$f; done" ;; esac
	done
	for f in example.spc odd.spc seed.ref odd.kern small-0002.bin lp64-le.chr all.obs odd.txt writer.odd.b f.part; do
		p "SPOOR_READ=1 trace-filter -H 'event?' $f"
		p "SPOOR_READ=1 trace-stats -T $f"
	done
	# Beyond the bounds
	for f in wide.txt wide.spc wide.ref wide.kern wide.chr; do
		for o in '' -T -J '-g loc' "-g event,loc -a 'count,p50(size),distinct(addr),top(size,3)'" '-w 1ms -a count' '-w 1us -g event --no-empty -a count' \
			"-a 'distinct(addr),distinct(loc),distinct(size),mode(addr),top(loc,5),top(addr,1000),hist(size,512),p99(addr),p1(size)'" \
			"-g loc -a 'count,sum(size),p50(addr)' --head 5 -S -count" "-p -g event,loc -a 'count,p99(addr)'"; do
			p "trace-stats $o $f"
		done
		p "merged 3 $f -g event -a 'count,sum(gap),distinct(addr),p50(addr),top(size,2)'"
		p "merged 2 $f -T"
		p "merged 2 $f"
		p "SPOOR_WORTH=64 trace-stats -j 2 -g event -a 'count,distinct(addr),p50(size),top(loc,2)' $f"
		p "SPOOR_WORTH=64 trace-stats -j 2 -T $f"
		p "trace-filter -b 'size > 100' $f > tmp; trace-stats -T tmp"
		p "trace-filter -H 'addr & 0x1000' $f"
		p "trace-filter -b 'event?' $f | cksum; trace-filter -n 'size? or addr?' $f | cksum"
		p "trace-filter -F time,loc,event 'loc ~ 77 or size > 90000' $f"
		p "for k in 1 2 3; do trace-stats -p -g loc,event -a 'count,p50(size)' --chunk \$k/3 $f; done > tmp; trace-stats -m -S loc --head 20 tmp"
	done
	p "each 'long.txt long.spc' trace-filter -H 'event?' | cksum"
	p "each 'long.txt long.spc' trace-stats -j 2"
	p "each 'long.txt long.spc' trace-filter -c 'event?'"
	# Runs, links, metadata
	for o in '' -M '-s -H' '--sizes lp64'; do
		p "each 'runs/*.meta runs/sub/*.meta' dumpi2txt $o"
		p "dumpi2txt $o runs/a.meta runs/sub/b.meta"
		p "dumpi2txt $o runs/a-0000.bin runs/sub/b-0000.bin runs/a-0002.bin"
		p "dumpi2txt $o runs/a-0000.bin runs/a-0000.bin"
		p "cd runs && each '[1-9].meta a.meta' dumpi2txt $o; cd .."
	done
	for o in '' -M -D --follow-links '-H -s' --compat; do
		p "each 'linked linked/ovni away js/*' here ovni-dump $o"
		p "each 'off.*' here ovni-dump $o"
		p "here ovni-dump $o off.1 off.2 linked"
	done
	p "each 'js/*' trace-stats -g rank,app_id,loom,tid -a count"
	p "each 'off.* js/*' here trace-stats -T"
	for f in tasks states rl ro/v1 ro/v2 ro/v3 ro/big off.1 ovni/v3/all ovni/v1/ties; do
		p "here trace-stats -g rank,app_id,loom,pid,tid -a 'count,first(time),last(time)' $f; here trace-filter -c 'rank = 1 or app_id = 2' $f; here ovni-dump -M $f"
	done
	# From a pipe, what there is of a file; and of one that is not at its start.
	for f in Financial1.spc many.big.ref kernel.txt cm5.chr small-0002.bin seed.stream all.obs many.txt many.b; do
		p "cat $f | trace-filter -H 'event?'"
		p "cat $f | trace-stats -T"
		p "cat $f | SPOOR_READ=50 trace-filter -n 'event?' | cksum"
		p "cat $f | trace-filter -O durations -b 'event?' | cksum"
		p "{ cat $f; head -c 300 $f; } | trace-filter -c 'event?'"
		p "{ head -c 40 > tmp; trace-filter -c 'event?'; } < $f"
		p "trace-filter -c 'event?' - $f < $f"
	done
	p "cat all.obs | ovni-dump -D; cat all.obs | ovni-dump -s -N; ovni-dump < seed.stream; cat all.obs | ovni-dump --compat; cat o.obs.4620.cut | ovni-dump -D"
	p "f=\$(echo rl/*/*/*/*.101/stream.obs); for o in '' -D -s -N --compat '-D -b'; do cat \$f | ovni-dump \$o | cksum; ovni-dump \$o \$f | cksum; SPOOR_READ=5000 ovni-dump \$o \$f | cksum; done"
	p "trace-stats rl; trace-stats -T -O durations rl; trace-filter -n 'time > 0.0001' rl/*/*/*/*.101/stream.obs | cksum; trace-filter -O names -c 'name ~ \"enter\"' rl"
	p "cat small-0002.bin | dumpi2txt --rank 3 -H; cat small-0002.bin | dumpi2txt -n | cksum; cat d-0000.bin.5400.cut | dumpi2txt; for f in rd*.bin; do dumpi2txt - < \$f; done"
	p "cat cm5.chr | charisma-dump -M; cat t.chr.3000.cut | charisma-dump -H; cat cm5.chr | charisma-dump --dump-layout"
	# Tables: order, first rows, CSV, JSON
	for o in '-S count' '-S -count' '-S event' '-S -event --head 3' "-S '-sum(size)'" "-S 'mean(dur),event'" '-S nosuch' '-S count -S event' --csv '--csv --no-header' --no-header -J '-J --head 2' \
		'--head 0' '--head x' '--head 4 --csv' '--csv -J' '-S' '-T --csv' "-S '-mean(dur)' --head 7 --csv" '-p -S count' '--head 100000 -S count'; do
		for f in many.txt odd.txt writer.all.b many.spc writer.ticks.b; do
			p "trace-stats $o -g event -a 'count,sum(size),mean(dur)' $f"
		done
		p "trace-stats $o -g f,g,str,text,sym,loc,b -a 'count,min(time),first(e),max(f64)' odd.txt writer.all.b"
		p "trace-stats $o -w 500ms -g event -a 'count,sum(size),mean(dur),hist(size)' many.txt"
		p "trace-stats $o -g loc,event -a 'count,sum(size),mean(dur),var(v),p50(v)' many.txt"
		p "trace-stats -p -g event -a 'count,sum(size),mean(dur)' many.txt > tmp; trace-stats -m $o tmp"
		p "trace-stats $o many.txt"
	done
	# The text streams of every format: their reports and tables in parts, by threads, again as text
	for f in ta tb tc td te tf tg th; do
		for o in '' -T; do
			p "merged 3 $f.txt $o"
			p "SPOOR_WORTH=64 trace-stats -j 3 $o $f.txt"
		done
		p "merged 2 $f.txt -g event,file -a 'count,sum(size),sum(gap),sum(dur),distinct(addr),first(size),last(size),mean(v),mode(tag),p90(dur)'"
		p "SPOOR_WORTH=64 trace-stats -j 2 -g event -a 'count,sum(nosuch),sum(size)' -e 'size > 3K or nosuch = 1 or file ~ \"a\" or event = opne' $f.txt"
		p "SPOOR_WORTH=64 trace-stats -j 2 -T -e 'dur? and loc != 0' $f.txt"
		p "for e in r w W mpi_send MS Read x '' 'loc = 5 or size ~ 1 or nosuch? and v > 1'; do SPOOR_WORTH=64 trace-stats -j 2 -a 'count,sum(nosuch)' -e \"\$e\" $f.txt; trace-stats -e \"\$e\" -a count $f.txt; done"
		p "trace-filter -b 'event?' $f.txt > tmp; trace-filter -H 'event?' tmp | cmp - $f.txt"
		p "trace-filter -A 'time > 0.001' $f.txt; trace-filter -H 'size > 0' $f.txt | trace-stats -g loc -a 'count,rate,share'"
		p "SPOOR_SIMD=slow trace-filter -b 'event?' $f.txt | cksum; SPOOR_READ=300 trace-filter -H 'event?' $f.txt | cksum"
	done
	for n in 2 3 5; do
		for f in 'tasks states' 'cm5.chr trace.chr many.spc' 'trace.chr many.spc solver.meta' 'many.spc tasks' 'solver.meta tasks' 'calls-0001.bin small-0002.bin' 'many.b many.spc' '- many.spc' 'empty many.spc nosuch'; do
			p "parts $n trace-stats -g event -a count $f < many.txt"
		done
	done
	# Numbers at the edges of what is kept of them
	p "for a in 'sum(v)' 'mean(v)' 'min(v)' 'max(v)' 'var(v)' 'p50(v)' 'first(v)' 'hist(v)' 'distinct(v)' 'top(v,4)' 'mode(v)'; do trace-stats -a \"\$a\" edge.txt; trace-stats -g event -a \"\$a\" -S \"-\$a\" edge.txt; merged 2 edge.txt -g loc -a \"\$a\"; done"
	p "trace-stats -g v -a count -S v edge.txt; trace-stats -g v -a count -S -v --csv edge.txt; trace-filter -F v,time 'v > -1' edge.txt; trace-filter -c 'v < 0' edge.txt; trace-filter -b 'event?' edge.txt | cksum"
	p "for w in 1ns 1 3s 1h 1s/300ms; do trace-stats -w \$w --no-empty -a 'count,sum(v)' edge.txt; trace-stats -w \$w --no-empty -a count kernel.txt; trace-stats -w \$w --no-empty -g event -a count writer.ticks.b; done"
	p "trace-stats -g sym,f64 -a 'count,first(f64),min(i64),max(u64)' -S 'first(f64)' writer.all.b; trace-stats -g f64 -a count -S -f64 writer.all.b"
	# Output files
	p "rm -f tmp.*; ln -s tmp.t tmp.l; trace-filter -o tmp.l W Financial1.spc; ls -l tmp.t tmp.l | cut -c1-10; cksum tmp.t; trace-filter -o tmp.l nosuch Financial1.spc; cksum tmp.l; chmod 0640 tmp.t; trace-filter -o tmp.t R Financial1.spc; ls -l tmp.t | cut -c1-10; cksum tmp.t; rm tmp.t; trace-filter -o tmp.l W Financial1.spc; ls -l tmp.t | cut -c1-10"
	p "trace-filter -o . W Financial1.spc; trace-filter -o tmp/ W Financial1.spc; trace-filter -o nosuch/x W Financial1.spc; trace-filter -o '' W Financial1.spc; rm -f tmp.r; ln -s tmp.r tmp.r; trace-filter -o tmp.r W Financial1.spc"
	p "ln -sf /dev/stdout tmp.l; trace-filter -o tmp.l W Financial1.spc; rm -f tmp.l tmp.o; trace-filter -o tmp.o W Financial1.spc >> tmp.o; cksum tmp.o"
	p "cp f.spc tmp.i; trace-filter -n -o tmp.i W tmp.i; cat tmp.i; trace-stats -o tmp.s -T tmp.i; cat tmp.s; trace-stats -p -o tmp.p tmp.i; trace-stats -m tmp.p; ls -a | grep -c '^[.]spoor'"
	p "trace-filter W Financial1.spc > /dev/full; trace-stats Financial1.spc > /dev/full; spc-cat -b Financial1.spc > /dev/full; spc-cat -o /dev/full Financial1.spc; spc-cat --help > /dev/full"
	p "trace-filter W Financial1.spc >&-; trace-filter W <&-; trace-filter -c W Financial1.spc 2>&-; trace-filter 'size > nosuch' Financial1.spc 2>&-"
	for x in charisma-dump dumpi2txt laplace-bin2txt ovni-dump spc-cat trace-filter trace-stats; do
		p "$x --version; $x -h | head -1; $x --progress; $x -; $x --; $x -f; $x -fx -O; $x --option; $x --out=; $x -o tmp -o tmp2 example.spc"
	done
	# Damaged small files of every format, by the other ways of reading them
	for o in "-n 'event?'" "-b 'event?'" "-F time,loc,event,addr,size,dur,end,a,asu,tag,file 'event?'" "-c 'size > 1K or dur?'"; do
		for f in 'f.spc.*' 'f.kern.*' 'r.ref.*' 'f.b.*' 'f.txt.*' 't.chr.*0' 'd-0000.bin.*0' 'o.obs.*0'; do
			p "each '$f' trace-filter $o"
		done
	done
	for f in 'f.spc.*' 'f.kern.*' 'r.ref.*' 'f.b.*' 'f.txt.*' 't.chr.*1' 'd-0000.bin.*1' 'o.obs.*1'; do
		p "each '$f' trace-stats -g event,loc -a \$aggregates"
		p "each '$f' trace-stats -p -w 1s -a 'count,p50(size)'"
	done
	p "each 'd-0000.bin.*' dumpi2txt -M; each 'd-0000.bin.*cut' dumpi2txt -n | cksum"
	p "each 't.chr.*' charisma-dump -M"
	p "each 'e-*.chr*' charisma-dump"
	for n in 8 9 10 60 200 500 700 2000; do
		p "each 'rc.1.*.$n.cut' charisma-dump"
		p "for f in ro.*.$n.cut; do laid -H \$f \${f%.l.chr.$n.cut}.layout; done"
	done
	p "each 'rc.1.*.chr' charisma-dump --async-window 100000; each 'rc.1.*.chr' charisma-dump --async-window 65536"
	p "each 'x*.bin ./-4.bin' dumpi2txt; dumpi2txt x-7.bin x-12a.bin; dumpi2txt x-7.bin x-0000000012.bin x-123456789.bin ./-4.bin; dumpi2txt --rank 5 x-x.bin; dumpi2txt --rank 5 x-7.bin"
	p "each 'x*.bin' trace-stats -g rank -a count; trace-stats -g rank -a count x*.bin"
	for o in '' -n -M --compat=all '--sizes lp64'; do
		p "each 'y-0000.bin.*' dumpi2txt $o"
		p "each 'y-0001.bin.*[05]' dumpi2txt $o"
	done
	p "each 'o.obs.*' ovni-dump -D"
	p "each 'g.part.*' trace-stats -m -p"
	p "each 'h.part.*' trace-stats -m"
	p "each 'z.txt.*' trace-filter -b 'event?' > tmp; trace-filter -H 'event?' tmp"
	p "each 'z.spc.*' trace-filter -b 'event?' > tmp; trace-filter -H 'event?' tmp"
	# Expressions
	while IFS= read -r e; do
		p "asks '$e'"
	done <<-'EOF'
		W
		"W"
		w
		*
		MPI_*end
		?
		[RW]
		[!R]
		V[A-Z]h
		"a*b"
		read or write
		size > 4096
		size >= 4096
		size < 4096
		size <= 4096
		size = 3072
		size == 3072
		size != 3072
		size gt 3K
		size ge 3KiB
		size lt 3KB
		size le 3kB
		size eq 3K
		size ne 0xC00
		size in {512, 1K..2K, 3584}
		size not in {512, 1K..2K}
		size in {0..18446744073709551615}
		size > 18446744073709551615
		size > 18446744073709551616
		size < -1
		size > -1
		size > 1.5
		size = 3072.0
		size & 0x400
		size & -1024
		size ~ "2$"
		size !~ "^3"
		size > 1ms
		size > x
		size > 1M and size < 1G
		addr > 0x1000
		addr = 303567
		addr in {0x0..0x55ffff, 400000..500000}
		addr & 1
		addr?
		not addr?
		size? and dur?
		dur?
		dur > 1us
		dur > 100ns
		dur < 1ms
		dur = 0
		dur >= 0.000001
		dur != 0
		dur in {1us..1ms}
		dur > 1K
		dur ~ 5
		end > 1s
		end < 2
		time > 1s
		time < 1
		time >= 500ms and time < 1500ms
		time = 0
		time < 0
		time > 1m
		time < 1h
		time in {1s..2s, 3s}
		time > 1960434706096
		time in {81985529216486895..1311768467463790320}
		time ~ "^1"
		time > abc
		loc = 0
		loc != 0
		loc in {1, 2, n0/1}
		loc > 5
		loc ~ "/1"
		loc1 = 0
		loc2 = 1
		loc2 > 0
		loc3 = 100
		loc8?
		asu = 1
		asu in {0..2}
		asu > 1
		asu ~ "^1"
		pid = 3691
		pid != 100
		tid = 101
		rank = 1
		rank in {1, 3}
		loom = node0
		loom/pid = 1
		app_id = 1
		app = seven
		client = 64
		space = 255
		event = W
		event != W
		event in {W, R, open, OHx, MPI_Send}
		event not in {W, R}
		event > N
		event ~ "^MPI_(I|Wait)"
		event !~ "e"
		event ~ "(a|b)*c+d?[^x]{1,2}$"
		event ~ "["
		event ~ "a**"
		event ~ "(a)\\1"
		event ~ "a{300}"
		event ~ "^[[:upper:]]{1,3}$"
		event ~ "[[:alpha:]_]+[]x-z[.-.]]*(_I?[a-z]{2,})?$"
		event ~ "((((e)))|(M(P(I)))).*"
		event ~ "[^]a]\\.*(x{0,2}|y{,3}|z{2,})?"
		event ~ "e{2}{3}"
		event ~ "(e{20}){20}"
		event ~ "(e{200}){100}"
		event ~ "e+*"
		event ~ "(e"
		event ~ "e)"
		event ~ "{2}"
		event ~ "[[:nosuch:]]"
		event ~ "[[=e=]]"
		event ~ ""
		event ~ "a|"
		event ~ "^$"
		event ~ "((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((e))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))"
		size = 0x
		size = 0xg
		size = 0x10000000000000000
		size = 0xFFFFFFFFFFFFFFFF
		size = 00000000000000000000000512
		size = 5.12e2
		size = 51200e-2
		size = 1e19
		size = 2e19
		size = 0e99999
		size = 1e-99999
		size = 1e99999
		size = 512.0000000001
		time = 0.5000000004
		time = 0.4999999996
		time > .5
		time > 1.
		time > 1e
		time > 1..2
		size > 17179869184G
		size > 16777216T
		size > 1Ki
		size > 1KiBs
		size > 1B
		size = 512B
		dur > 1e3us
		dur > 1min
		dur > 9223372036s
		dur > 9223372037s
		dur > 18446744073709551615s
		dur > 0.1ns
		dur in {1ns, 1us..2us, 1ms..}
		v > -9223372036854775808
		v < -9223372036854775809
		v in {-1.5, -20..-10}
		f64 in {0.1..0.5, 1e15}
		u64 in {0x8000000000000000..0xffffffffffffffff}
		i64 in {-9223372036854775808..-1}
		addr & 0x8000000000000000
		addr & 18446744073709551615
		addr & 1.5
		addr & -1
		flags & (READ
		flags & READ,CREATE
		flags = "READ,CREATE"
		loc in {h0/1, h1/2, h2/39}
		loc = h0
		loc ~ "^h[12]/3.$"
		loc2 in {1..5} or loc1 = h1
		event in {e1..e3}
		event = "e\x31"
		file in {f1, f2} and not (peer? or v?)
		peer = 3 and peer != 4 or peer > 28
		size > addr
		size = size
		"size" > 3
		event ~ MPI_
		time > 1h30m
		input = many.txt
		gap > 1ms
		a = 1
		arg.a = 2
		arg.asu = 4
		arg.time = 9
		a != 1
		b = x
		b > w
		c = 16
		d < 0
		d = -5
		e > 1
		e = 1.5
		f = ""
		f?
		g & b
		g & d
		h = "1,2,3"
		i = nan
		j ~ "."
		k = 1000
		k > 999.9
		l < 0.01
		m > 9223372036854775807
		n < 0
		q = 12 or r = ""
		u8 = 255
		i8 < 0
		i64 < -5
		u64 > 9223372036854775807
		f64 > 0.3
		f64 = 0.1
		f64 < 0
		x32 & 0x80
		ns > 1s
		sym = ""
		str ~ "a"
		bytes?
		datatype = MPI_INT
		datatype = 4
		peer = 1
		dest = 1 or source = 0
		dest in {0..2} and count > 10
		comm = MPI_COMM_WORLD
		file = dash
		file ~ "^d"
		name = out.000
		open_flags & CREATE
		open_flags & RW
		path ~ "bench"
		file_id > 4194368
		inode = 229620
		major = 254 and minor = 0
		parent > 3600
		nosuch = 1
		nosuch?
		size > 1K or nosuch = 1
		not (size > 1K or dur?)
		not not size > 1K
		!(W) && !(R) || size=512
		(W and (size > 2K or (addr < 1000 and asu = 1)))
		W and R
		W or R or size > 1 or true
		and
		size >
		size > > 1
		(W
		W)
		size in {
		size in {1,}
		size in {2..1}
		size in {a..1}
		"unfinished
		size > 1Q
		size > 1e400
		size > 1e6
		size > 1e-6
		time > 5 ms
		W R
		=
		end?
		loc?
		size = "3072"
		size = ""
		loc = ""
		a = ""
		flags & READ
		peer in {1, 5..9} and v > -10
		v < -1.5 and v > -20.25
		v in {-5..5}
		file in {f1..f3}
		file in {f10, f20, f30, f40, f50, f60, f70}
		peer in {1,2,3,4,5,6,7,8,9,10,11,12}
	EOF
	# With single quotes, of which there may be none above
	for e in "'W'" "size > '3" "event = 'W'" "event ~ 'x" "'W" "W and 'R' or \"x\"" "''" "it's"; do
		p "trace-filter \"$(printf '%s' "$e" | sed 's/"/\\"/g')\" Financial1.spc"
	done
	# Fields and the rest of trace-filter
	for f in time loc event addr size dur end asu pid tid loom rank thread space client loc1 loc2 loc3 loc8 app_id arg.a arg.asu a b c e g \
		inode file major offset parent name path open_flags file_id by count datatype dest tag comm peer request flags v u8 i8 u64 f64 x32 ns sym str \
		bytes const text a13 nosuch arg.nosuch time,time 'time,,loc' '' 'time, loc' 'loc1,loc2,event,size,nosuch'; do
		p "trace-filter -F '$f' 'event?' \$mix \$ticks; trace-filter -H -F '$f' 'event?' \$streams \$blocks \$tickblocks"
	done
	for o in -c -v '-v -c' -q '-q -v' '-m 0' '-m 1' '-m 3 -H' '-m 3 -c' '-m x' '-m 3 -b' -d '-d -v' -n '-n -v' '-n -m 2' -A '-A -H' '-A -F time,end,dur' '-H --hz 1M' \
		'--hz 10 -F time,end,dur' --line-buffered '-o tmp' '-m 1 -q' '-t' '-b -A' '--unordered' '--strict -c'; do
		p "trace-filter $o 'size > 3K' \$mix"
		p "trace-filter $o 'size > 3K' \$streams"
		p "trace-filter $o 'size > 3K' \$blocks"
		p "trace-filter $o 'addr > 1000' \$ticks"
		p "each \"\$spc\" trace-filter $o 'W and size > 1K'"
		p "each \"\$laplace\" trace-filter $o 'addr? and not space = 256'"
		p "each \"\$text\" trace-filter $o 'size > 100 and loc ~ 1'"
		p "each \"\$binary\" trace-filter $o 'size > 100 or u8 = 255'"
		p "each \"\$dumpi \$charisma \$ovni\" trace-filter $o 'time > 0.001 and size?'"
	done
	p "trace-filter -o tmp W Financial1.spc && cat tmp && trace-filter -o tmp nosuch=1 Financial1.spc; cat tmp"
	p 'trace-filter --events'
	for f in spc charisma dumpi laplace laplace-text ovni text nosuch; do
		p "trace-filter --events -f $f"
	done
	for o in durations names streams raw-clock 'release=1.0' serial rank=5 align=start sizes=lp64 layout=cm5.layout preset=cm5 no-state async-window=1 local block=4096 unordered \
		references order=big order=little preset=list; do
		p "trace-filter -AH -O $o 'event?' many.spc back.spc trace.chr solver.meta tasks"
		p "trace-filter -O $o 'event?' \$ticks seed.reftxt"
		p "trace-stats -T -O $o many.spc back.spc trace.chr solver.meta tasks"
	done
	# trace-stats
	for f in '' -J -T; do
		p "each \"\$natives\" trace-stats $f"
		p "each \"\$streams \$blocks \$tickblocks\" trace-stats $f"
		p "each 'many.txt many.b bare.txt many.spc.b states.b empty writer.empty.b writer.lost.b' trace-stats $f"
		for x in W 'size > 4K' 'time > 1' 'nosuch = 1' 'asu = 0 or rank = 1 or event = read' 'dur?'; do
			p "each 'many.spc trace.chr solver.meta tasks many.little.ref kernel.txt many.txt' trace-stats $f -e '$x'"
		done
		p "trace-stats $f many.spc odd.spc back.spc"
		p "trace-stats $f \$mix"
		p "trace-stats $f \$mix \$ticks"
		p "trace-stats $f \$ticks"
		p "trace-stats $f \$charisma"
		p "trace-stats $f -O durations tasks states ovni/v3/pairs"
		p "each '*.0.chr *.1.chr' trace-stats $f"
		p "each '*-000?.bin' trace-stats $f"
		p "each 'ovni/*/*' trace-stats $f"
		p "trace-stats $f --accuracy 1 many.spc"
		p "trace-stats $f --hz 1M many.big.ref kernel.txt"
		for x in many.spc many.txt many.big.ref many.little.ref; do
			p "merged 3 $x $f"
		done
	done
	for a in count sum mean avg min max var sd std stddev median mode distinct first last rate share hist top p0 p1 p25 p50 p99.9 p100 p99.999999; do
		for f in size dur gap peer; do
			p "table -g event -a '$a($f)'"
		done
		p "table -a '$a(addr),$a(time),$a(v),$a(loc),$a(file),$a(end),$a(nosuch),$a(event),$a(client),$a(pid)'"
		p "SPOOR_WORTH=64 trace-stats -j 3 -g event -a '$a(size),$a(addr)' many.spc many.big.ref many.txt"
		p "table -w 1s -a '$a(size),$a(gap)'"
		p "merged 3 many.spc -g asu -a '$a(size),$a(gap)'"
		p "merged 2 many.txt -g event -a '$a(dur),$a(v),$a(file)'"
	done
	for a in '' count 'count,,count' 'sum' 'sum(' 'sum()' 'top(size,0)' 'top(size,1)' 'top(size,1001)' 'top(file,300)' 'top(size,x)' 'hist(size,0)' 'hist(size,512)' 'hist(dur,1ms)' \
		'hist(dur,0.001)' 'hist(v,1)' 'hist(v,0.5)' 'hist(time,1)' 'hist(addr,100000)' 'hist(size,1K)' 'p101(size)' 'p-1(size)' 'p(size)' 'p50' 'nosuch(size)' 'count(size),count(dur)' 'rate(size),share(size)' \
		'sum(size),sum(size)' 'distinct(loc)' 'top(addr,2)' 'mode(v)' 'count,rate,share' 'p50(size),p50(v),p50(dur),p50(time)'; do
		p "table -a '$a'"
		p "table -g loc1,event -a '$a'"
		p "table -w 500ms -a '$a'"
	done
	for g in event loc time addr size dur end asu loc1 loc2,event 'event,loc' input 'input,event' file peer v flags rank app_id tag datatype client name open_flags space pid inode nosuch \
		'' 'event,' 'event,event' 'a,b,c,d,e' arg.asu gap 'event,loc1,loc2,loc3,peer'; do
		p "table -g '$g'"
		p "table -g '$g' -a 'count,sum(size),p50(size),sum(gap)'"
		p "trace-stats -g '$g' -a 'count,max(addr)' \$streams \$blocks"
		p "merged 3 many.txt -g '$g' -a 'count,sum(dur)'"
		p "SPOOR_WORTH=64 trace-stats -j 2 -g '$g' -a 'count,sum(size),distinct(addr)' many.txt many.spc many.b 2> tmp"
	done
	for w in 1000000000000000000 1 1s 100ms 1s/500ms 1s/300ms 250ms/1s 2s/1 1m 1h 1ns 0 -1 x 1s/0 1s/x 1K 100000 1000/100 9223372036s 9223372037s 10/3 10/10 ''; do
		p "table -w '$w'"
		p "table -w '$w' --no-empty -g event -a 'count,sum(size),rate,p99(gap)'"
		p "trace-stats -w '$w' -e 'size > 3K' -a 'count,rate(size),share' many.spc"
		p "merged 3 many.spc -w '$w' -a 'count,sum(size),p50(gap)'"
		p "merged 2 ticks.txt -w '$w' -a 'count,sum(dur),p50(gap)'"
		p "merged 2 many.big.ref -w '$w' -g event -a 'count,max(addr),p50(gap)'"
		p "trace-stats -w '$w' -a count odd.txt odd.spc"
		p "SPOOR_WORTH=64 trace-stats -j 2 -w '$w' -g loc1 -a 'count,max(size)' many.spc"
	done
	for o in '--accuracy 0' '--accuracy 1' '--accuracy 3' '--accuracy 12' '--accuracy 14' '--accuracy 20' '--accuracy x'; do
		p "table $o -a 'p1(addr),p50(addr),p99(addr),p50(time),p90(gap),hist(addr)'"
		p "trace-stats -p $o -a 'p50(addr),p10(v)' many.txt"
		p "merged 2 many.spc $o -g event -a 'p50(addr),p99(size)'"
	done
	for o in '' '-g event -a count' "-g event,loc -a \$aggregates" '-w 1s -a count'; do
		p "trace-stats -p $o \$mix"
		p "each 'many.spc many.txt many.b kernel.txt refs.bin trace.chr solver.meta tasks' trace-stats -p $o"
		for x in -J -T '-g event' '-j 2' '-e W' ''; do
			p "trace-stats -p $o many.spc > tmp.1; trace-stats -p $o Financial1.spc > tmp.2; trace-stats -m $x tmp.1 tmp.2"
		done
		p "trace-stats -p $o many.spc | LC_ALL=C sort | trace-stats -m"
		p "trace-stats -p $o many.spc | sed 5d | trace-stats -m"
		p "trace-stats -p $o many.spc | head -c 300 | trace-stats -m -p"
		p "{ trace-stats -p $o --chunk 1/3 many.spc; trace-stats -p $o --chunk 3/3 many.spc; } | trace-stats -m"
		p "{ trace-stats -p $o --chunk 1/3 many.spc; trace-stats -p $o --chunk 1/2 many.spc; } | trace-stats -m"
		p "{ trace-stats -p $o --chunk 1/3 many.spc; trace-stats -p $o --chunk 3/3 many.spc; } | trace-stats -m -p"
		for f in many.spc many.txt many.b many.big.ref bare.txt odd.spc odd.txt bad.spc; do
			for j in 1 2 5; do
				p "SPOOR_WORTH=64 trace-stats -j $j $o $f"
			done
		done
	done
	p "SPOOR_WORTH=64 trace-stats -j 2 -g nosuch -a 'count,sum(nosuch)' many.spc"
	p "trace-stats -m report.part f.part"
	p "trace-stats -m -T report.part"
	p "trace-stats -m -J report.part"
	p "trace-stats -m nosuch empty garbage"
	for o in '-j 0' '-j x' '-j 1000000' '-J -T' '-J -g event' '-T -a count' '-m -g event' '-p -J' '--no-empty' '-w 1s -J' '-m -e W' '-e' '-g'; do
		p "trace-stats $o many.spc"
	done
	for part in $PARTS; do
		commands_$part
	done
}

# Parts of this, each with inputs_PART and commands_PART.
PARTS=
for part in "$ROOT"/tests/net.d/*.sh; do
	. "$part"
	part=${part##*/}
	PARTS="$PARTS ${part%.sh}"
done

# Runs them, in batches that each have some of all kinds, by as many shells as there are processors.

run() { # SHELL SHELLS < numbered commands
	cd "$work/in.$1" || exit 2
	ulimit -t 10 # no command takes long
	ulimit -f 2000000
	while IFS=' ' read -r n line; do
		[ $((n / BATCHES % $2)) = "$1" ] || continue
		(eval "$line") > "$work/got/$n.out" 2> "$work/got/$n.err" < /dev/null
		got=$?
		[ ! "$slow" ] || { echo "command $n"; times; } >> "$work/times.$1"
		echo "$n $got" >> "$work/status.$1"
		case $got in 137 | 152) break ;; esac
	done
}

sums() { # the lines of tests/net.sums of those that ran
	(cd "$work/got" && find . -type f -exec cksum {} +) | awk -v status="$work/status" '
	FILENAME == "-" {
		split(substr($3, 3), name, ".")
		sum[name[1], name[2]] = $2 ? $1 : "-"
		next
	}
	FILENAME ~ /status/ { ended[$1] = $2; next }
	BEGIN { for (i = 1; i < 256; i++) ord[sprintf("%c", i)] = i }
	function key(text, h, i) {
		for (i = length(text); i; i--) h = (h * 31 + ord[substr(text, i, 1)]) % 4294967291
		return h
	}
	{ n = $1; sub(/^[0-9]* /, "") }
	# (Written by hand: mawk prints a number above 2^31 as 3.02e+09.)
	n in ended { print n, ended[n], sum[n, "out"], sum[n, "err"], sprintf("%.0f", key($0)), $0 }' - "$work"/status.* "$work/commands" |
		sort -n
}

# other: of these lines those that tests/net.sums does not have, without their numbers and keys.
other() {
	awk 'FILENAME != "-" { known[$0]; next }
	!(($2 " " $3 " " $4 " " $5) in known) { sub(/^[0-9]* /, ""); sub(" " $4 " ", " "); print }' "$ROOT/tests/net.sums" -
}

mkdir "$work/in" "$work/got"
cd "$work/in" || exit 2
[ "$made" ] || inputs
if [ "$make" ]; then
	mv "$work/in" "$make"
	exit
fi
commands | awk '{ print NR, $0 }' > "$work/commands"
# Each in a folder of its own.
cpus=$(getconf _NPROCESSORS_ONLN 2> /dev/null) || cpus=1
i=0
while [ $i -lt "$cpus" ]; do
	cp -RPl "${made:-$work/in}" "$work/in.$i" 2> /dev/null || cp -RP "${made:-$work/in}" "$work/in.$i"
	i=$((i + 1))
done
cd "$ROOT" || exit 2
awk -v of=$BATCHES -v only=$only 'only && $0 !~ ENVIRON["FIRST"] { next }
	{ print ENVIRON["FIRST"] == "" || $0 !~ ENVIRON["FIRST"], $1 % of, $0 }' "$work/commands" |
	sort -k1,1n -k2,2n -k3,3n | cut -d' ' -f3- > "$work/order"
batch=0 size=$(($(wc -l < "$work/order") / BATCHES + 1))
while [ $batch -lt $BATCHES ]; do
	awk -v from=$((batch * size)) -v to=$(((batch + 1) * size)) 'NR > from && NR <= to' "$work/order" > "$work/batch"
	i=0
	while [ $i -lt "$cpus" ]; do
		: >> "$work/status.$i"
		run $i "$cpus" < "$work/batch" &
		i=$((i + 1))
	done
	wait
	batch=$((batch + 1))
	if [ "$first" ]; then
		sums | other | head -3 | grep . && exit 1
		rm -rf "$work/got" "$work"/status.*
		mkdir "$work/got"
	fi
done
if [ "$slow" ]; then
	# Of each command the shell's own times, then those of its processes, added up since the batch began.
	awk 'function seconds(s, t) { split(s, t, "[ms]"); return t[1] * 60 + t[2] }
		FILENAME ~ /commands$/ { n = $1; sub(/^[0-9]* /, ""); text[n] = $0; next }
		$1 == "command" { n = $2; line = 0; next }
		++line == 2 {
			all = seconds($1) + seconds($2)
			printf "%.2f %s\n", all < was ? all : all - was, text[n]
			was = all
		}' "$work/commands" "$work"/times.* | sort -rn | cut -c1-150 | head -n 40
	exit
fi
[ ! "$first" ] || exit 0
sums > "$work/sums"
if [ "$only" ]; then
	other < "$work/sums" | grep . && exit 1
	exit 0
fi
if [ "$keep" ]; then
	mkdir -p "$keep"
	cp "$work/got"/* "$keep"
	cp "$work/sums" "$keep/sums"
fi
cut -d' ' -f2-5 "$work/sums" > "$work/new"
! cmp -s "$ROOT/tests/net.sums" "$work/new" || exit 0
other < "$work/sums" > "$work/other"
head -${MOST:-40} "$work/other"
echo "net: $(wc -l < "$work/other") of $(wc -l < "$work/new") commands print other things or are new; there were $(wc -l < "$ROOT/tests/net.sums")" >&2
[ "$write" ] || exit 1
cp "$work/new" "$ROOT/tests/net.sums"
