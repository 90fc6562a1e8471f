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
