#!/usr/bin/env bats
# options.bats - options of formats: -O name=value of every program, and the decoders' own.

load ../helpers

# Sets inputs of one format each, on which every one of its options changes something.
inputs() {
	local c=$FIX/charisma
	printf '0,2,512,R,2.0\n0,1,512,w,1.0\n' > back.spc
	cp "$c/lp64-le.chr" "$c/cm5.chr" .
	printf 'charisma-layout 1\nbase lp64\n' > mine.layout
	cp -r "$FIX/runs" "$ROOT/tests/states/trace" .
	cp "$FIX/dumpi/small-0002.bin" nameless
	head -c 1800 "$FIX/laplace/merged-head.ref" > a.ref
	# Two looms of one host, the second with another clock.
	mkdir -p offset/loom.a.1/proc.1/thread.1 offset/loom.b.1/proc.2/thread.2 old/loom.n/proc.1/thread.1
	for t in a.1/proc.1/thread.1 b.1/proc.2/thread.2; do
		cp trace/loom.n.0/proc.1000/thread.1000/stream.* "offset/loom.$t"
		sed -i "s/\"loom\": *\"[^\"]*\"/\"loom\":\"${t%%/*}\"/" "offset/loom.$t/stream.json"
	done
	printf 'rank hostname offset_median offset_mean offset_std\n0 a 0 0 0\n1 b 5000000000 5000000000 0\n' > offset/clock-offsets.txt
}

# both PROGRAM INPUT "ITS OPTIONS" NAME[=VALUE]: the decoder prints with -O, and trace-filter with -O, what
# the decoder prints with its own option, and that is not what it prints without.
both() {
	local program=$1 input=$2 own=$3
	shift 3
	# shellcheck disable=SC2086
	{ "$program" -H $own "$input" 2> own.err || :; } > own
	"$program" -H "${@/#/-O}" "$input" > got 2>/dev/null || :
	same own got
	trace-filter -H "${@/#/-O}" 'event?' "$input" > got 2> err || :
	same own got || { cat err; return 1; }
	[ -s own ]
	"$program" -H "$input" > plain 2> plain.err || :
	if cmp -s own plain && cmp -s own.err plain.err; then
		echo "$program $own: no different from none"
		return 1
	fi
}

@test "-O is in every reader what the decoder's own option is" {
	inputs
	both spc-cat back.spc '--block 4096' block=4096
	both spc-cat back.spc --unordered unordered
	laplace-bin2txt a.ref | laplace-bin2txt -r --order big > big.ref
	both laplace-bin2txt a.ref '--order big' order=big
	both laplace-bin2txt big.ref '--order little' order=little
	both dumpi2txt runs/solver.meta -s serial
	both dumpi2txt runs/solver.meta '--align start' align=start
	both dumpi2txt nameless '--rank 7' rank=7
	both charisma-dump cm5.chr '--preset cm5' preset=cm5
	both charisma-dump lp64-le.chr '-L mine.layout' layout=mine.layout
	both charisma-dump lp64-le.chr --no-state no-state
	both charisma-dump lp64-le.chr '--async-window 0' async-window=0
	both charisma-dump lp64-le.chr '-L mine.layout --no-state' layout=mine.layout no-state
	both ovni-dump trace -D durations
	both ovni-dump trace -N names
	both ovni-dump trace -s serial
	both ovni-dump trace '-D -N' durations names
	both ovni-dump offset --raw-clock raw-clock
	charisma-dump -A --local lp64-le.chr > want
	trace-filter -A -O local 'event?' lp64-le.chr | same want -
	[ "$(charisma-dump -A lp64-le.chr | cmp - want)" ]
}

@test "-O release and -O sizes, whose traces are odd" {
	# MP[ of release 1.0.0 is OpenMP's.
	mkdir -p old/loom.n.1/proc.1
	{ printf 'ovni\1\0\0\0'; printf '\0MP[\1\0\0\0\0\0\0\0\0MP]\5\0\0\0\0\0\0\0'; } > old/loom.n.1/proc.1/thread.1
	echo '{"version":1,"app_id":1,"cpus":[{"index":0,"phyid":0}]}' > old/loom.n.1/proc.1/metadata.json
	both ovni-dump old '-N --release 1.0' release=1.0 names
	both ovni-dump old '-N --release 1.0.0' release=1.0.0 names
	status_is 0 trace-stats --tsv -O release=1.0 old
	has "$output" 'openmp.parallel'
	[ "$(trace-stats --tsv old | grep -c openmp)" = 0 ]
	# No section of sizes.
	cp "$FIX/dumpi/every-call-v0.6.1-0001.bin" a-0001.bin
	both dumpi2txt a-0001.bin '--sizes lp64' sizes=lp64
	# The other trace is read without these options.
	cp "$FIX/dumpi/small-0002.bin" .
	both dumpi2txt a-0001.bin '--sizes small-0002.bin' sizes=small-0002.bin
	dumpi2txt --rank 3 --sizes small-0002.bin a-0001.bin > want
	trace-filter -O rank=3 -O sizes=small-0002.bin 'event?' a-0001.bin | same want -
}

@test "trace-stats -O durations: as of what ovni-dump -D writes" {
	t=$ROOT/tests/states/trace
	for q in '-g loc,event -a count,sum(dur),sum(running)' '--tsv'; do
		# shellcheck disable=SC2086
		ovni-dump -D -b "$t" 2>/dev/null | trace-stats $q > want
		# shellcheck disable=SC2086
		status_is 0 trace-stats -O durations $q "$t"
		[ "$q" = --tsv ] || same want - <<<"$output"
	done
	[ "$(trace-stats -O durations -e 'event = VTx' -g loc -a 'sum(dur)' "$FIX/runs/tasks" | tail -1)" = \
		$'node0/200/201\t0.000173495' ]
}

@test "trace-filter -n -O layout: a machine whose layout no preset has" {
	need_native
	# Longs of 8 bytes at multiples of 4.
	$CC -std=c11 -DPACKED_4 -o gen "$ROOT/tests/gen/gen_charisma.c"
	./gen trace > a.chr
	status_is 2 trace-filter -c 'event?' a.chr
	printf 'charisma-layout 1\nbase lp64\nalign max 4\n' > site.layout
	status_is 0 trace-filter -n -O layout=site.layout 'event?' a.chr
	trace-filter -n -O layout=site.layout 'event?' a.chr | cmp - a.chr
	# It is read once for all inputs, so it may come through a pipe.
	trace-stats -O layout=<(cat site.layout) -a 'count,sum(size)' a.chr a.chr > got
	charisma-dump -b -L site.layout a.chr > a.bin
	trace-stats -a 'count,sum(size)' a.bin a.bin | same got -
}

@test "a name of an option means the same in all formats that have it" {
	trace-filter -O list | awk '{ sub(/=.*/, "", $1); name = $1; $1 = $2 = ""; print name ":" $0 }' | sort -u > meanings
	cut -d: -f1 meanings > names
	[ "$(wc -l < names)" -ge 19 ]
	uniq -d names | same /dev/null -
	mkdir complete help
	local all
	all=$(programs)
	for p in $all; do
		"$p" --complete > "complete/$p"
		"$p" --help > "help/$p"
	done
	(cd complete && awk -F'\t' '$2 == "--option" { n = split($5, a, " "); for (i = 1; i <= n; i++) { sub(/=.*/, "", a[i]); print FILENAME, a[i] } }' \
		$all) | sort -u > got
	# A decoder has those of its own format, and nothing has others.
	for p in $all; do
		if has_option "$p" -O; then "$p" -O list; else trace-filter -O list; fi | sed "s/[= ].*//; s/^/$p /"
	done | sort -u | same got -
	[ "$(spc-cat -O list | sed 's/[= ].*//' | xargs)" = 'block unordered' ]
	for p in $all; do case $p in trace-*) ! has_option "$p" -O || "$p" -O list | sed 's/[= ].*//' | sort -u | same names - ;; esac; done
	# A decoder's long option of that name is that option.
	(cd help && awk 'FNR == NR { known[$1]; next }
		FNR == 1 { files[FILENAME] }
		/^......--[a-z-]/ { sub(/^......--/, ""); sub(/[^a-z-].*/, ""); if ($0 in known) some[FILENAME] }
		END { for (f in files) if (!(f in some)) { print f ": no long option is one of a format"; bad = 1 } exit bad }' ../names $all)
}

@test "a letter or a long name stands for one sentence in all programs" {
	for p in $(programs); do "$p" --complete | sed "1d; s|^|$p\t|"; done > all
	[ "$(cut -f 1 all | uniq | wc -l)" = "$(programs | wc -w)" ]
	# Exceptions: trace-pair's key is of begin and end; trace-access has --align for CHARISMA's FILE_NOT_ALIGNED;
	# trace-check has the --max of linters; trace-diff sorts by how much a column changes, --min is a change, --ignore is of columns.
	awk -F'\t' '$1 == "trace-diff" && $3 ~ /^--(sort|min|ignore)$/ || $1 == "trace-pair" && $3 == "--key" || $1 == "trace-access" && $3 == "--align" || $1 == "trace-check" && $3 == "--max" { next }
		{ for (i = 2; i < 4; i++) {
			if ($i != "" && $i in is && is[$i] != $5) { print $1 ": " $i ": " $5 "; elsewhere: " is[$i]; bad = 1 }
			is[$i] = $5
		} }
		END { exit bad || !("-T" in is && "--unit" in is) }' all
}

@test "spoor-options(7) has the table of all options, each with its format" {
	trace-filter -O list | awk '{ sub(/=.*/, "", $1); print $1, $2 }' | sort > want
	awk '/^\.Sh OPTIONS OF FORMATS/ { on = 1 } on && /^\.El/ { exit }
		on && /^\.It Cm / { split($0, f, / Ta /); split(f[1], w, " "); print w[3], f[2] }' "$ROOT/man/spoor-options.7" |
		sort | same want -
}

wrong() { # OPTION WORDS
	local got=0 said
	"$prog" "$1" -o out "${ops[@]}" "$sample" > printed 2> err || got=$?
	said=$(<err)
	[[ $got = 2 && $said =~ ^"$prog: "$2 && $said != *$'\n'* && ! -e out ]] || {
		echo "$prog $1 -o out: status $got; out: $(ls out 2>&1); says, not $2:"
		echo "$said"
		return 1
	}
	got=0
	"$prog" "$1" "${ops[@]}" "$sample" > printed 2>/dev/null || got=$?
	[[ $got = 2 && ! -s printed ]] || { echo "$prog $1: status $got, prints:"; head -20 printed; return 1; }
}

# wrong_of OPTION WORDS: wrong where the program reads the format that has the option; otherwise no format has it.
wrong_of() {
	local name=${1#-O}
	name=${name%%=*}
	if "$prog" -O list | grep -q "^${name}[= ]"; then
		wrong "$1" "$2"
	else
		wrong "$1" "-O ${1#-O}: no format has such an option \\(-O list\\)"
	fi
}

bad_options() {
	prog=$1
	sample "$prog"
	wrong -Onothing '-O nothing: no format has such an option \(-O list\)'
	wrong -O= '-O =: no format'
	wrong_of -Oblock '-O block: a value is missing: block=N'
	wrong_of -Oblock=0 '-O block: 0: a whole number between 1 and 1073741824'
	wrong_of -Oblock=x '-O block: x: '
	wrong_of -Odurations=yes '-O durations: the option takes no value'
	wrong_of -Oorder=middle '-O order: middle: expected one of little, big'
	wrong_of -Orelease= '-O release: : expected one of 1.0, 1.0.0'
	wrong_of -Olayout=none '.*none: No such file'
	echo 'charisma-layout 9' > bad.layout
	wrong_of -Olayout=bad.layout 'bad.layout:1: '
	"$prog" -O list | grep -q '^preset=' || return 0
	status_is 2 "$prog" -O preset=cm5 -O preset=cm5 "${ops[@]}" "$sample"
	has "$stderr" '-O preset: only one layout can be chosen'
}
@test "what is no option of any format, or wrong, is an error before anything is read" { each bad_options; }

unused() {
	case $1 in trace-*) ;; *) return 0 ;; esac # decoders have the options of one format
	sample "$1"
	"$1" "${ops[@]}" "$sample" 2> want.err | results > want
	# Of a format that it is not.
	local name=durations format=ovni
	case $sample in *.obs | *.stream) name=layout=mine.layout format=charisma ;; esac
	printf 'charisma-layout 1\nbase lp64\n' > mine.layout
	status_is 0 "$1" -O "$name" "${ops[@]}" "$sample"
	results <<<"$output" | same want -
	{ cat want.err; echo "$1: -O ${name%%=*}: no input is of the format $format"; } | sort > w
	sort <<<"$stderr" | same w -
}
@test "an option of a format that no input has is told, and changes nothing else" { each unused; }

@test "lists: -O list, and the words of an option" {
	each lists
}
lists() {
	case $1 in trace-* | charisma-dump) ;; *) return 0 ;; esac # who has an option with a list
	status_is 0 "$1" -O list
	[ "$(grep -c '^layout=FILE  *charisma  *[a-z]' <<<"$output")" = 1 ]
	status_is 0 "$1" -O preset=list
	[ "$(wc -l <<<"$output")" = 12 ]
	status_is 2 sh -c '"$1" -O list > /dev/full' _ "$1"
}

