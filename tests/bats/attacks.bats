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
	n=0
	for p in 'trace-filter *' trace-stats trace-merge 'trace-plot rate' trace-reuse; do
		read -ra run <<<"$p"
		for format in '' binary text dumpi charisma spc ovni laplace-text laplace columns; do
			for option in '--from 1' '--to 1' '--from 1 --to 2' '--chunk 1/2' '--hz 10' '--by-time --from 1' '--strict --to 1' '-j 2 --from 1' \
				'-O columns:other=msr --from 1' '-O columns=header --from 1' '-O columns=nosuch --to 1' '-O layout=empty --from 1'; do
				for f in nosuch folder empty table.csv bytes a.spc a.chr; do
					got=0
					# shellcheck disable=SC2086  # words
					timeout 20 "${run[@]}" ${format:+-f $format} $option $f > out 2> err < /dev/null || got=$?
					# A program that has no such option says so.
					[ $got -le 2 ] || { echo "$got: $p ${format:+-f $format} $option $f"; cat err; return 1; }
					n=$((n + 1))
				done
			done
		done
	done
	[ $n = $((5 * 10 * 12 * 7)) ]
}

# helpers ...: tests/unit/helpers.c, whose lines of output stand in `said`.
helpers() {
	[ -x "$BATS_FILE_TMPDIR/helpers" ] ||
		$CC -std=c11 -D_XOPEN_SOURCE=700 -g -I"$ROOT/common" -o "$BATS_FILE_TMPDIR/helpers" \
			"$ROOT/tests/unit/helpers.c" "$ROOT/build/libspoor.a" -pthread -lm
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
		for f in "$FIX"/spc/*.spc "$FIX"/dumpi/small-0002.bin "$FIX"/runs/solver.meta "$FIX"/charisma/lp64-le.chr "$FIX"/charisma/cm5.chr "$FIX"/ovni/*.obs \
			"$ROOT"/tests/states/trace "$FIX"/laplace/*.ref "$FIX"/laplace/*.kern "$FIX"/mpi/three-ranks.calls; do
			for p in 'trace-filter event?' 'trace-filter -O durations -O names event?' 'trace-filter -O gpeer event?' \
				'trace-derive p=prev.time q=nth a=1.5 b=event c=dur/3' trace-merge trace-pair 'trace-pair -O durations' \
				trace-match 'trace-match --left'; do
				echo "$p -b $f"
			done
			for t in $(trace-export -F none x 2>&1 | sed 's/.*(//; s/).*//; s/,//g'); do echo "trace-export -F $t -o out $f"; done
			for t in charisma spc laplace laplace-text ovni dumpi; do echo "trace-convert -F $t -o out $f"; done
		done
		for p in charisma-dump dumpi2txt laplace-bin2txt ovni-dump spc-cat; do
			for f in "$FIX"/*/*; do echo "$p -b $f"; done
		done
	} > commands
	[ "$(wc -l < commands)" -gt 300 ]
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
	[ $n -gt 250 ]
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
	$CC -shared -fPIC -o few.so few.c 2> /dev/null || skip 'no shared libraries'
	LD_PRELOAD=$PWD/few.so "$BIN/spc-cat" "$FIX/spc/Financial1-head.spc" > out || skip 'no glibc'
	mkdir w
	status_is 2 env LD_PRELOAD="$PWD/few.so" trace-convert -F ovni -o w/d "$FIX/ovni/all.obs"
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
		[ "$(grep -c 'compressed, and there is no temporary file for it: No such file or directory (TMPDIR names the directory)$' <<<"$stderr")" = 1 ]
		! grep 'no DUMPI file\|magic' <<<"$stderr" || return 1
		status_is 2 env PATH="$PWD/nosuch" "$BIN/$p" $f
		[ "$(grep -c 'it is compressed by gzip, which is not there$' <<<"$stderr")" = 1 ]
		! grep 'no DUMPI file\|magic' <<<"$stderr" || return 1
	done
}

@test "trace-reuse -p writes the same lines with any number of threads" {
	awk 'BEGIN { for (i = 0; i < 3000; i++) printf "%d,%d,%d,%s,%d.0\n", i % 3, i * 77 % 4001 * 8, 512, i % 3 ? "r" : "w", i }' > r.spc
	trace-reuse -p -j 1 r.spc > want
	for j in 2 3 8; do trace-reuse --tune worth=300 -p -j $j r.spc | same want -; done
	trace-reuse -m want | same - <(trace-reuse r.spc)
}
