#!/bin/sh
# shellcheck disable=SC2034,SC2086,SC2317,SC3045
# net.sh [--write | --keep DIR | --first]: what the programs print, on one line for each command below, held
# against tests/net.sums. This is no oracle: nothing says that a sum stands for the right answer. It only
# notices that something changed, which is what a change of the code's inner structure must not do. Where a
# change is meant, write the file anew with --write, and read in the diff which commands it is that changed.
#
#	STATUS SUM SUM COMMAND
#
# The sums are those of standard output and of messages, `-' where there are none. A command runs in a folder
# with the inputs that are made below. --keep leaves there what each command printed (N.out, N.err), so that
# two trees can be compared; --first ends with the first batch that differs.
set -u
ROOT=$(cd "$(dirname "$0")/.." && pwd)
FIX=$ROOT/tests/fixtures
CORPUS=$ROOT/tests/fuzz/corpus
PATH=${BIN:-$ROOT/bin}:$PATH
LC_ALL=C
export LC_ALL PATH
unset NO_COLOR SPOOR_WORTH SPOOR_READ SPOOR_WAIT SPOOR_SIMD 2> /dev/null
umask 022
BATCHES=24
write='' keep='' first=''
case ${1-} in
--write) write=1 ;;
--keep) keep=$2 ;;
--first) first=1 ;;
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
	wait
	for w in all ticks again two empty lost odd; do
		"$work/writer" $w > writer.$w.b
	done
	"$work/gen_ovni" ovni
	for a in '0.6.1' '0.6.2' '0.7.0 6' '0.8.3 8 255' '1.0.0 8 0' '13.0.0 8 79 3' '13.0.0 8 95 0 0,18,124' '13.0.0 4'; do
		"$work/gen_dumpi" file $a > "v$(echo "$a" | tr ' ,' '__')-0003.bin"
	done
	"$work/gen_dumpi" script < "$ROOT/tests/net.dumpi" > calls-0001.bin
	"$work/gen_dumpi" script 0.6.5 8 0x4f < "$ROOT/tests/net.dumpi" > old-0001.bin
	"$work/gen_dumpi" script 13.0.0 8 2 < "$ROOT/tests/net.dumpi" > bare-0001.bin
	for p in $(charisma-dump --preset list); do
		for tail in 0 1 2; do
			"$work/gen_charisma" "$p" 30 5 1 $tail > "$p.$tail.chr"
		done
	done
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
		base ilp32 # and a comment;# another;	;align natural
	EOF
	printf 'charisma-layout 1\nbase ilp32\nalign natural\n' > cm5.layout
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

# each FILES COMMAND...: the command once for each file (patterns are open), and how it ended.
each() {
	list=$1
	shift
	for file in $list; do
		"$@" "$file"
		got=$?
		case $got in
		0) ;;
		137 | 152) exit "$got" ;; # no time left
		*) echo "$file: $got" >&2 ;;
		esac
	done
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
			'-O names=1' '-O block=0' -fnosuch -o '-o /nosuch/x' '-t -b' '-n -H' '-A -n' --text=1 --chu; do
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
	for i in 0 1 2 3 4 5 6; do
		p "each '1$i?.layout' charisma-dump --dump-layout cm5.chr -L"
		p "each '1$i?.layout' charisma-dump cm5.chr -L"
		p "each '1$i?.layout' charisma-dump lp64-le.chr -L"
	done
	for i in 0 1 2 3 4 5 6 7 8 9; do
		p "for l in corpus/charisma_layout/*$i; do each \$l charisma-dump --dump-layout cm5.chr -L; each \$l charisma-dump cm5.chr -L; done"
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
	for w in 1 1s 100ms 1s/500ms 1s/300ms 250ms/1s 2s/1 1m 1h 1ns 0 -1 x 1s/0 1s/x 1K 100000 1000/100 9223372036s 9223372037s 10/3 10/10 ''; do
		p "table -w '$w'"
		p "table -w '$w' --no-empty -g event -a 'count,sum(size),rate,p99(gap)'"
		p "trace-stats -w '$w' -e 'size > 3K' -a 'count,rate(size),share' many.spc"
		p "merged 3 many.spc -w '$w' -a 'count,sum(size),p50(gap)'"
		p "trace-stats -w '$w' -a count odd.txt odd.spc"
		p "SPOOR_WORTH=64 trace-stats -j 2 -w '$w' -g loc1 -a 'count,max(size)' many.spc"
	done
	for o in '--accuracy 0' '--accuracy 1' '--accuracy 3' '--accuracy 12' '--accuracy 14' '--accuracy 20' '--accuracy x'; do
		p "table $o -a 'p1(addr),p50(addr),p99(addr),p50(time),p90(gap),hist(addr)'"
		p "trace-stats -p $o -a 'p50(addr),p10(v)' many.txt"
		p "merged 2 many.spc $o -g event -a 'p50(addr),p99(size)'"
	done
	for o in '' '-g event -a count' "-g event,loc -a '\$aggregates'" '-w 1s -a count'; do
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
}

# Runs them, in batches that each have some of all kinds, by as many shells as there are processors.

run() { # SHELL SHELLS < numbered commands
	cd "$work/in.$1" || exit 2
	ulimit -t 10 # no command takes long
	ulimit -f 2000000
	while IFS=' ' read -r n line; do
		[ $((n / BATCHES % $2)) = "$1" ] || continue
		(eval "$line") > "$work/got/$n.out" 2> "$work/got/$n.err" < /dev/null
		got=$?
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
	{ n = $1; sub(/^[0-9]* /, "") }
	n in ended { print n, ended[n], sum[n, "out"], sum[n, "err"], $0 }' - "$work"/status.* "$work/commands"
}

mkdir "$work/in" "$work/got"
cd "$work/in" || exit 2
inputs
commands | awk '{ print NR, $0 }' > "$work/commands"
# Each in a folder of its own.
cpus=$(getconf _NPROCESSORS_ONLN 2> /dev/null) || cpus=1
i=0
while [ $i -lt "$cpus" ]; do
	cp -R "$work/in" "$work/in.$i"
	i=$((i + 1))
done
cd "$ROOT" || exit 2
batch=0
while [ $batch -lt $BATCHES ]; do
	awk -v b=$batch -v of=$BATCHES '$1 % of == b' "$work/commands" > "$work/batch"
	i=0
	while [ $i -lt "$cpus" ]; do
		: >> "$work/status.$i"
		run $i "$cpus" < "$work/batch" &
		i=$((i + 1))
	done
	wait
	batch=$((batch + 1))
	if [ "$first" ]; then
		sums | sort -n | sed 's/^[0-9]* //' | grep -vxFf "$ROOT/tests/net.sums" | head -3 | grep . && exit 1
		rm -rf "$work/got" "$work"/status.*
		mkdir "$work/got"
	fi
done
[ ! "$first" ] || exit 0
sums | sort -n > "$work/sums"
if [ "$keep" ]; then
	mkdir -p "$keep"
	cp "$work/got"/* "$keep"
	cp "$work/sums" "$keep/sums"
fi
sed 's/^[0-9]* //' "$work/sums" > "$work/new"
if [ "$write" ]; then
	cp "$work/new" "$ROOT/tests/net.sums"
	exit
fi
changed=$(diff "$ROOT/tests/net.sums" "$work/new") && exit
printf '%s\n' "$changed" | grep '^[<>]' | head -${MOST:-40}
echo "net: $(grep -vcxFf "$ROOT/tests/net.sums" "$work/new") of $(wc -l < "$work/new") commands print other things; see the head of tests/net.sh" >&2
exit 1
