#!/usr/bin/env bats
# attacks.bats - what attacks on whole programs found, each as the kind of fault that it was.

load ../helpers

@test "every format with each input option over inputs that cannot be opened or are of another format: no crash" {
	mkdir folder
	: > empty
	printf 'a,b,c\n1,2,3\n' > table.csv
	printf '\0\1\2\377' > bytes
	cp "$FIX/spc/spec-example.spc" a.spc
	cp "$FIX/charisma/lp64-le.chr" a.chr
	# One run of three, or all with SPOOR_FULL. There are 7 files and 77 runs for a format, so that each option meets
	# each file, and each format each option.
	n=0
	for p in 'trace-filter *' trace-merge; do
		read -ra run <<<"$p"
		for format in '' binary text dumpi charisma spc ovni laplace-text laplace columns; do
			for option in '--from 1' '--to 1' '--from 1 --to 2' '--chunk 1/2' '--hz 10' '--strict --to 1' '-j 2 --from 1' \
				'-O columns:other=msr --from 1' '-O columns=header --from 1' '-O columns=nosuch --to 1' '-O layout=empty --from 1'; do
				for f in nosuch folder empty table.csv bytes a.spc a.chr; do
					n=$((n + 1))
					[ "${SPOOR_FULL-}" ] || [ $((n % 3)) = 0 ] || continue
					got=0
					# shellcheck disable=SC2086  # words
					timeout 20 "${run[@]}" ${format:+-f $format} $option $f > out 2> err < /dev/null || got=$?
					# A program that has no such option says so.
					[ $got -le 2 ] || { echo "$got: $p ${format:+-f $format} $option $f"; cat err; return 1; }
				done
			done
		done
	done
	[ $n = $((2 * 10 * 11 * 7)) ]
}

# helpers ...: tests/unit/helpers.c, whose lines of output stand in `said`.
helpers() {
	[ -x "$BATS_FILE_TMPDIR/helpers" ] ||
		$CC -std=c11 -D_XOPEN_SOURCE=700 -g -I"$ROOT/common" -I"$ROOT/cmd/lib" -I"$ROOT/cmd" -o "$BATS_FILE_TMPDIR/helpers" \
			"$ROOT/tests/unit/helpers.c" "$ROOT/build/libcmd.a" "$ROOT/build/libspoor.a" -pthread -lm
	timeout 20 "$BATS_FILE_TMPDIR/helpers" "$@" > said 2> err
}

@test "the helper of -o DIRECTORY opens nothing but what it made inside, whatever it is asked" {
	need_native
	[ -d /proc/self/fd ] || skip 'no /proc'
	mkdir w out.d
	echo precious > outside
	echo precious > out.d/file
	helpers directory w/d new new a/b a/b a/c ../../outside ../outside /tmp/outside a/../../../outside . .. '' a//b a/. /a \
		there link dirlink/file dirlink/new dir/new a new/below
	same said - <<'END'
new: opened /new
new: opened /new
a/b: opened /b
a/b: opened /b
a/c: opened /c
../../outside: Invalid argument
../outside: Invalid argument
/tmp/outside: Invalid argument
a/../../../outside: Invalid argument
.: Invalid argument
..: Invalid argument
: Invalid argument
a//b: Invalid argument
a/.: Invalid argument
/a: Invalid argument
there: File exists
link: File exists
dirlink/file: File exists
dirlink/new: File exists
dir/new: File exists
a: Is a directory
new/below: Not a directory
nul: the helper has ended
long: the helper has ended
not kept
END
	[ "$(cat outside out.d/file w/.spoor.*/there)" = $'precious\nprecious\nold' ]
	[ "$(ls out.d)" = file ]
	# What it made itself is gone.
	[ "$(ls w/.spoor.*)" = $'dir\ndirlink\nlink\nthere' ]
}

@test "the helper of -o FILE takes no name" {
	need_native
	[ -d /proc/self/fd ] || skip 'no /proc'
	mkdir w
	helpers file w/f
	same said - <<<$'name: the helper has ended\nnot kept'
	[ -z "$(ls -A w)" ]
}

@test "the helper that decompresses stops no job but its own, and no group" {
	need_native
	needs gzip
	[ -d /proc/self/fd ] || skip 'no /proc'
	echo text | gzip -c > a.gz
	# Questions: ask (0, 1: start; 2: end; 3: stop; 4: ended?), row, id. Each of these is the last one.
	for q in '3 0 0' '2 0 0' '4 0 0' '3 0 -1' '2 0 -1' '4 0 -1' '3 0 1' '2 0 1' '3 0 witness' '2 0 witness' '4 0 witness' '3 0 parent' \
		'0 99 0' '0 -1 0' '1 2147483647 0' '0 0 7' '77 0 0' '-5 0 0' '-2147483648 0 0'; do
		# shellcheck disable=SC2086
		helpers unpack a.gz $q
		[ "$(wc -l < said)" = 2 ]
		has "$(<said)" 'the helper has ended'
		has "$(<said)" 'the witness lives'
		# After a job has begun, too.
		# shellcheck disable=SC2086
		helpers unpack a.gz 0 0 0 $q
		has "$(head -1 said)" 'a descriptor'
		has "$(sed -n 2p said)" 'the helper has ended'
		has "$(<said)" 'the witness lives'
	done
	# A flood: more than may run at once is refused, and does no harm.
	# shellcheck disable=SC2046
	helpers unpack a.gz $(for i in {1..1100}; do echo 0 0 0; done)
	[ "$(grep -c 'a descriptor' said)" = 1024 ]
	[ "$(grep -c 'answered' said)" = 76 ]
	has "$(<said)" 'the witness lives'
}

@test "no byte of the output hangs on what lay in memory before" {
	need_native
	MALLOC_PERTURB_=1 bash -c : || skip 'no glibc'
	{
		for f in "$FIX"/spc/spec-example.spc "$FIX"/dumpi/small-0002.bin "$FIX"/runs/solver.meta "$FIX"/charisma/lp64-le.chr \
			"$ROOT"/tests/states/trace "$FIX"/laplace/merged-head.ref "$FIX"/laplace/merged-head.kern; do
			for p in 'trace-filter event?' 'trace-filter -O durations -O names event?' 'trace-filter -O gpeer event?' \
				'trace-derive p=prev.time q=nth a=1.5 b=event c=dur/3' trace-merge trace-pair 'trace-pair -O durations' \
				trace-match 'trace-match --left' 'trace-match --critical'; do
				echo "$p -b $f"
			done
			for t in $(trace-export -T none x 2>&1 | sed 's/.*(//; s/).*//; s/,//g'); do echo "trace-export -T $t -o out $f"; done
			for t in charisma spc laplace laplace-text ovni dumpi; do echo "trace-convert -T $t -o out $f"; done
		done
		for f in "$FIX"/charisma/*.chr; do echo "charisma-dump -b $f"; done
		for f in "$FIX"/dumpi/*.bin; do echo "dumpi2txt -b $f"; done
		for f in "$FIX"/laplace/*.ref; do echo "laplace-bin2txt -b $f"; done
		echo "ovni-dump -b -D $FIX/ovni/all.obs"
	} > commands
	[ "$(wc -l < commands)" -gt 120 ]
	n=0
	while read -ra run; do
		for byte in 17 170; do
			rm -rf out
			MALLOC_PERTURB_=$byte timeout 20 "${run[@]}" > printed.$byte 2> /dev/null < /dev/null || :
			[ ! -e out ] || find out -type f -print0 | sort -z | xargs -0 cat >> printed.$byte
		done
		cmp -s printed.17 printed.170 || { echo "${run[@]}"; return 1; }
		[ ! -s printed.17 ] || n=$((n + 1))
	done < commands
	[ $n -gt 80 ]
}

@test "a helper without memory leaves nothing behind" {
	need_native
	cat > few.c <<'END'
#include <stdlib.h>
#include <unistd.h>
extern void *__libc_malloc(size_t n);
extern void *__libc_realloc(void *p, size_t n);
static pid_t first;
__attribute__((constructor)) static void begin(void) { first = getpid(); }
void *malloc(size_t n) { return getpid() == first ? __libc_malloc(n) : NULL; }
void *realloc(void *p, size_t n) { return getpid() == first ? __libc_realloc(p, n) : NULL; }
END
	$CC -shared -fPIC -o few.so few.c 2> /dev/null || skip 'nothing can be preloaded'
	LD_PRELOAD=$PWD/few.so "$BIN/spc-cat" "$FIX/spc/Financial1-head.spc" > out || skip 'no glibc'
	mkdir w
	status_is 2 env LD_PRELOAD="$PWD/few.so" trace-convert -T ovni -o w/d "$FIX/ovni/all.obs"
	[ -z "$(ls -A w)" ]
	status_is 0 env LD_PRELOAD="$PWD/few.so" spc-cat -o w/f "$FIX/spc/Financial1-head.spc"
	[ "$(ls -A w)" = f ]
}

@test "a compressed rank or stream without a temporary file, or without a decompressor, says just that" {
	needs gzip
	cp "$FIX"/runs/solver* .
	gzip solver-0001.bin
	cp -R "$ROOT/tests/states/trace" ov
	s=ov/loom.n.0/proc.1000/thread.1000/stream.obs
	gzip -c $s > one.gz
	mv one.gz $s
	for f in solver.meta ov; do
		case $f in ov) p=ovni-dump ;; *) p=dumpi2txt ;; esac
		TMPDIR=$PWD/nosuch status_is 2 $p $f
		[ "$output" ]
		[ "$(grep -c 'cannot decompress without a temporary file: No such file or directory (TMPDIR names the directory)$' <<<"$stderr")" = 1 ]
		! grep 'no DUMPI file\|magic' <<<"$stderr" || return 1
		status_is 2 env PATH="$PWD/nosuch" "$BIN/$p" $f
		[ "$(grep -c 'cannot decompress the input: gzip is not installed$' <<<"$stderr")" = 1 ]
		! grep 'no DUMPI file\|magic' <<<"$stderr" || return 1
	done
}

@test "trace-reuse -p writes the same lines with any number of threads" {
	awk 'BEGIN { for (i = 0; i < 3000; i++) printf "%d,%d,%d,%s,%d.0\n", i % 3, i * 77 % 4001 * 8, 512, i % 3 ? "r" : "w", i }' > r.spc
	trace-reuse -p -j 1 r.spc > want
	for j in 2 3 8; do trace-reuse --tune worth=300 -p -j $j r.spc | same want -; done
	trace-reuse -m want | same - <(trace-reuse r.spc)
}

# little COMMAND...: it ends by itself, in at most 64 MiB, or $most MiB, and two CPU seconds, or $seconds, with status 0 to 2.
little() {
	[ -x "$BATS_FILE_TMPDIR/peak" ] || $CC -O1 -o "$BATS_FILE_TMPDIR/peak" "$ROOT/tests/unit/peak.c" || return 1
	local got
	got=$("$BATS_FILE_TMPDIR/peak" . "${@: -1}" -- "${@:1:$#-1}") || { echo "failed: $*"; return 1; }
	awk -v most="${most:-64}" -v seconds="${seconds:-2}" '{ exit $1 > seconds || $2 > most * 1024 }' <<<"$got" || { echo "$got (s, KiB): $*"; return 1; }
}

# calls NAME: lines "RANK<TAB>CALL<TAB>ARGUMENTS" become a text stream of a run of 1048576 ranks.
calls() {
	awk -F '\t' -v OFS='\t' 'BEGIN { print "##spoor", 1; print "##format", "dumpi"; print "##clock", "s"; print "##loc", "rank/thread"; print "##meta", "meta.numprocs=1048576" }
		{ r = $1; c = $2; sub(/^[^\t]*\t[^\t]*\t/, ""); print sprintf("%.9f", NR / 1000), r, c, "-", 8, "0.000000500", $0 "\trec=" NR }
		END { print "##end", "events=" NR }' > "$1"
}

@test "memory follows the calls, not the numbers of ranks, communicators, groups and requests" {
	need_native
	# Each of a few lines, with chosen numbers: copies of a world by two ranks that are far apart, and by ranks that are none.
	for i in {1..44}; do for r in 0 1048575; do printf '%s\tMPI_Comm_dup\toldcomm=MPI_COMM_WORLD\tnewcomm=%s\n' $r $((i + 3)); done; done | calls dup
	for i in {1..300}; do printf '0\tMPI_Cart_create\toldcomm=MPI_COMM_WORLD\tndim=2\tdims=1024,1024\tperiods=0,0\treorder=0\tnewcomm=%s\n' $((i + 3)); done | calls cart
	for i in {1..200}; do
		printf '0\tMPI_Comm_group\tcomm=MPI_COMM_WORLD\tgroup=%s\n' $((4 * i))
		printf '0\tMPI_Group_excl\tgroup=%s\tcount=1\tranks=5\tnewgroup=%s\n' $((4 * i)) $((4 * i + 1))
		printf '0\tMPI_Group_union\tgroup1=%s\tgroup2=%s\tnewgroup=%s\n' $((4 * i)) $((4 * i + 1)) $((4 * i + 2))
		printf '0\tMPI_Comm_create\toldcomm=MPI_COMM_WORLD\tgroup=%s\tnewcomm=%s\n' $((4 * i + 2)) $((i + 3))
	done | calls group
	for i in {1..100}; do
		for r in 0 1; do
			printf '%s\tMPI_Comm_dup\toldcomm=MPI_COMM_WORLD\tnewcomm=%s\n' $r $((2 * i + 2))
			printf '%s\tMPI_Intercomm_create\tlocalcomm=%s\tlocalleader=%s\tremotecomm=MPI_COMM_WORLD\tremoteleader=%s\ttag=%s\tnewcomm=%s\n' \
				$r $((2 * i + 2)) $r $((1 - r)) "$i" $((2 * i + 3))
		done
	done | calls inter
	{
		for r in {0..999}; do printf '%s\tMPI_Comm_split\toldcomm=MPI_COMM_WORLD\tcolor=1\tkey=0\tnewcomm=4\n' "$r"; done
		for i in {1..2000}; do printf '0\tMPI_Comm_dup\toldcomm=4\tnewcomm=%s\n' $((i + 4)); done
	} | calls split
	sed -i 's/numprocs=.*/numprocs=1000/' split
	for i in {1..200}; do
		printf '%s\tMPI_Comm_dup\toldcomm=MPI_COMM_WORLD\tnewcomm=%s\n' "$i" $((1048570 - i))
		printf '%s\tMPI_Isend\tcount=1\tdatatype=MPI_DOUBLE\tdest=%s\ttag=1\tcomm=%s\trequest=%s\n' "$i" $((900000 + i)) $((1048570 - i)) $((1048000 - i))
		printf '%s\tMPI_Comm_group\tcomm=MPI_COMM_WORLD\tgroup=%s\n' "$i" $((1048575 - i))
	done | calls numbers
	for i in {1..300}; do
		printf '%s\tMPI_File_open\tcomm=MPI_COMM_SELF\tfilename=f\tfile=%s\n' "$i" $((1048575 - i))
		printf '%s\tMPI_Win_create\tsize=8\tcomm=MPI_COMM_WORLD\twin=%s\n' $((1048575 - i)) $((3000 * i))
		printf '%s\tMPI_Win_fence\twin=%s\n' $((1048575 - i)) $((3000 * i))
		printf '%s\tMPI_Win_free\twin=99999999999999999999\n' "$i"
	done | calls handles
	for r in 1000000 -1 99999999999999999999 x 1048575; do printf '%s\tMPI_Send\tcount=1\tdatatype=MPI_DOUBLE\tdest=100000\ttag=1\tcomm=MPI_COMM_WORLD\n' $r; done | calls odd
	for f in dup cart group inter split numbers handles odd; do
		little trace-match $f
		little trace-match --left $f
		little trace-match --clocks $f
		little trace-match --critical $f
		little trace-filter -O gpeer '*' $f
		trace-match --left $f > out 2> err || [ $? = 2 ]
	done
	cp "$FIX/runs/solver-0001.bin" x-1048575.bin
	little trace-match x-1048575.bin
	little dumpi2txt -O gpeer x-1048575.bin
	little trace-match -O rank=1048575 x-1048575.bin
	# What is left out is told.
	status_is 2 trace-match odd
	has "$stderr" 'places are no ranks from 0 to 1048575, and count as the last rank: 3'
	status_is 2 trace-match group
	has "$stderr" 'communicators or groups name too many ranks, so their members are unknown: 200'
	status_is 2 trace-match handles
	has "$stderr" 'an unknown communicator, window or file: 300$'
	[ "$(grep -c '	collective	' <<< "$output")" = 300 ]
	# A copy of all is one: messages in it have their partners, of the world's ranks.
	printf '%s\n' '7\tMPI_Comm_dup\toldcomm=MPI_COMM_WORLD\tnewcomm=4' '1048575\tMPI_Comm_dup\toldcomm=MPI_COMM_WORLD\tnewcomm=9' \
		'7\tMPI_Send\tcount=1\tdatatype=MPI_DOUBLE\tdest=1048575\ttag=3\tcomm=4' \
		'1048575\tMPI_Recv\tcount=1\tdatatype=MPI_DOUBLE\tsource=7\ttag=3\tcomm=9' | sed 's/\\t/\t/g' | calls far
	trace-match far 2> /dev/null | cut -f 2,3,5,7- > got || true
	has "$(<got)" $'7\tmessage\t8\tto=1048575\ttag=3\tcomm=dup#1'
}

@test "a line of 16 MiB takes at most twelve times that, and 64 MiB" {
	need_native
	local most=256 seconds=10
	awk 'BEGIN { for (s = "a"; length(s) < 16000000; s = s s); s = substr(s, 1, 16000000)
		print "0.5\t1\tR\t5\t6\t-\tname=b" > "long.txt"; print "1.5\t1\tR\t5\t6\t-\tname=" s > "long.txt"
		print "0,1,512,W,0.5" > "long.spc"; print "0,1,512,W,0.6," s > "long.spc"
		print "time,event,name" > "long.csv"; print "1.5,R,b" > "long.csv"; print "2.5,R," s > "long.csv" }'
	little spc-cat long.spc
	for f in long.txt long.spc; do
		case $f in *.spc) name=x1 ;; *) name=name ;; esac
		for t in csv jsonl ctf chrome perfetto paraver; do
			rm -rf out
			little trace-export -T $t -o out $f
		done
		for run in 'trace-filter *' 'trace-filter -b *' 'trace-filter -F name *' "trace-derive x=$name" "trace-stats -g $name -a count" \
			"trace-plot rate -g $name" trace-stats trace-report trace-merge "trace-stats -a mode($name)" "trace-stats -a distinct($name)"; do
			read -ra words <<<"$run"
			little "${words[@]}" $f
		done
	done
	for run in 'trace-filter *' 'trace-stats -g name -a count'; do
		read -ra words <<<"$run"
		little "${words[0]}" -O 'columns=header time=$time event=$event name=$name' "${words[@]:1}" long.csv
	done
}

@test "blocks of chosen sizes: memory follows the events, and a limit that is met is told" {
	need_native
	# Requests of 4 GiB, that lie apart, by one disk and by 10, or with SPOOR_FULL by 40.
	local disks=10
	[ -z "${SPOOR_FULL-}" ] || disks=40
	for i in {0..11}; do echo "0,$((i * 8388608)),4294967295,R,$i.0"; done > huge.spc
	for ((i = 0; i < disks; i++)); do printf '%s,0,4294967295,%s,%s\n' "$i" R "$i.0" "$i" W "$i.5"; done > apart.spc
	for f in huge.spc apart.spc; do
		for run in trace-reuse 'trace-reuse -g asu' 'trace-reuse --summary' 'trace-reuse -g asu,time --summary' 'trace-reuse -g asu --hist --at all' \
			'trace-reuse -g asu --working-set' 'trace-reuse -w 1' 'trace-reuse --exact' 'trace-reuse --annotate' 'trace-reuse -p --exact' \
			'trace-reuse -K addr -g size' 'trace-reuse -b'; do
			read -ra words <<<"$run"
			seconds=8 little "${words[@]}" $f
		done
		most=176 seconds=8 little trace-access $f
	done
	for j in 1 2 3; do
		for p in --exact --annotate '-p --exact' '--exact --summary'; do
			# shellcheck disable=SC2086
			status_is 2 trace-reuse --tune worth=100 -j $j $p huge.spc
			has "$stderr" 'huge.spc: more than 524544 blocks to keep: raise --keys N, or use a larger --unit'
		done
		# As many as they have, and one more than was allowed.
		trace-reuse --tune worth=100 -j $j --exact --keys 2097152 -e 'addr <= 8388608' --at 2097152 --no-header huge.spc | same <(echo $'2097152\t2097152\t1\t1') -
		status_is 2 trace-reuse --tune worth=100 -j $j --exact --keys 2097151 -e 'addr <= 8388608' huge.spc
		has "$stderr" 'huge.spc: more than 2097151 blocks to keep'
	done
}

@test "many groups: samples of the greatest become smaller, and estimates stay near" {
	# 64 groups of 100 to 3250 blocks in turns, twice; exact: every second half is a hit at its size.
	awk 'BEGIN { for (r = 0; r < 2; r++) for (i = 0; i < 3250; i++) for (g = 0; g < 64; g++) if (i < 100 + 50 * g)
		printf "%d,%d,4096,R,%d.0\n", g, i * 8, ++t }' > many.spc
	trace-reuse --keys 4K -g asu --summary --no-header many.spc > got
	for j in 2 5; do trace-reuse --tune worth=3000 -j $j --keys 4K -g asu --summary --no-header many.spc | same got -; done
	# 32 K blocks of 107,200 are kept.
	awk -F '\t' '$2 == "keys" || $2 == "references" { v[$1, $2] = $3; part[$1] = $4; n++ }
		END { for (g = 0; g < 64; g++) { blocks = 100 + 50 * g; split(part[g], a, "/"); rate = a[2] ? a[1] / a[2] : 1; keys = v[g, "keys"]
			least += rate < 1; kept += keys * rate
			if (v[g, "references"] != 2 * blocks || keys < blocks * 0.7 || keys > blocks * 1.3) { print g, keys; exit 1 } }
			exit !(kept <= 32768 && kept > 16384 && least > 32 && n == 128) }' got
}
