#!/usr/bin/env bats
# input.bats - the field `input`: the operand as it was typed, or its label; what is a run of its own.

load ../helpers

# Two inputs of each format, of which the second has fewer events; `counts` are awk's, or those of the decoder.
setup() {
	cd "$BATS_TEST_TMPDIR"
	cp "$FIX/spc/Financial1-head.spc" z.spc
	cp "$FIX/spc/WebSearch2-first10.spc" a.spc
	cp "$FIX"/runs/solver* .
	for r in 0 1 2 3; do
		cp "solver-000$r.bin" "a-000$r.bin"
	done
	sed 's/=solver/=a/; s/numprocs=4/numprocs=2/' solver.meta > a.meta
	rm a-000[23].bin
	cp -r "$FIX/runs/tasks" ztasks
	cp -r ztasks atasks
	rm -r "$(find atasks -type d -name 'thread.*' | sort | tail -n 1)"
	printf '%s\n' t,e 1,x 2,y 3,x > z.csv
	printf '%s\n' t,e 1,y > a.csv
}

layout=columns='time=$t event=$e'

# how_many INPUT: its events, counted without the field and without the engine of trace-stats.
how_many() {
	case $1 in
	*.csv) awk 'NR > 1' "$1" ;;
	*.spc) awk 1 "$1" ;;
	*.meta) dumpi2txt "$1" ;;
	*) ovni-dump "$1" ;;
	esac | wc -l
}

@test "two inputs of a format are two rows, in the order of the command line" {
	for pair in 'z.spc a.spc' 'solver.meta a.meta' 'ztasks atasks' 'z.csv a.csv'; do
		read -r one two <<<"$pair"
		n=$(how_many "$one") m=$(how_many "$two")
		[ "$n" -gt "$m" ]
		[ "$m" -gt 0 ]
		of=()
		[[ $one != *.csv ]] || of=(-O "$layout")
		printf '#input\tcount\n%s\t%d\n%s\t%d\n' "$one" "$n" "$two" "$m" > want
		trace-stats "${of[@]}" -g input -a count "$one" "$two" | same want -
		trace-stats "${of[@]}" --by-time -g input -a count "$one" "$two" | same want -
		trace-stats "${of[@]}" -j 2 --tune worth=1 -g input -a count "$one" "$two" | same want -
		# In parts, whatever their order.
		for k in 1 2; do
			trace-stats "${of[@]}" --chunk $k/2 -p -g input -a count -o $k.part "$one" "$two"
		done
		trace-stats -m 2.part 1.part | same want -
		LC_ALL=C sort 2.part 1.part | trace-stats -m | same want -
		# Labels, which sort otherwise, and through a merge.
		sed "s/^$one/9/; s/^$two/10/" want > named
		trace-stats "${of[@]}" -g input -a count --label 9,10 "$one" "$two" | same named -
		trace-stats "${of[@]}" -g input -a count --label 10,9 "$two" "$one" | sed '2{h;d;};3G' | same named -
		trace-merge "${of[@]}" -b --align first --label 9,10 "$one" "$two" |
			trace-stats -g input -a count -S -count | same named -
		[ "$(trace-filter "${of[@]}" -c 'input == "10"' --label 9,10 "$one" "$two")" = "$m" ]
		[ "$(trace-filter "${of[@]}" -c "input == \"$one\"" "$one" "$two")" = "$n" ]
		# Columns.
		printf '#%s\t%s\n%d\t%d\n' "$one" "$two" "$n" "$m" > want
		trace-stats "${of[@]}" -g input --wide input -a count "$one" "$two" | same want -
	done
}

@test "-g rank of two runs joins only what nobody keeps apart" {
	cp solver.meta b.meta
	trace-stats -g input,rank -a count solver.meta a.meta > got
	for f in solver a; do
		for r in 0 1 2 3; do
			[ ! -e $f-000$r.bin ] || printf '%s.meta\t%d\t%d\n' $f $r "$(dumpi2txt $f-000$r.bin | wc -l)"
		done
	done > want
	[ "$(wc -l < want)" = 6 ]
	tail -n +2 got | same want -
	# Files of ranks side by side are one run, and so are directories within a trace.
	trace-stats -g input -a count solver-000?.bin > got
	printf '#input\tcount\nsolver-0000.bin\t%d\n' "$(how_many solver.meta)" | same got -
	looms=$(find ztasks -name 'proc.*' | sort)
	# shellcheck disable=SC2086
	trace-stats -g input -a count $looms > got
	printf '#input\tcount\n%s\t%d\n' "$(head -n 1 <<<"$looms")" "$(how_many ztasks)" | same got -
}

@test "one run follows the other, and trace-match refuses two" {
	cat <(dumpi2txt solver.meta) <(dumpi2txt a.meta) > want
	dumpi2txt solver.meta a.meta | same want -
	cat <(ovni-dump ztasks) <(ovni-dump atasks) > want
	ovni-dump ztasks atasks | same want -
	for by in '' --by-time; do
		# shellcheck disable=SC2086
		status_is 2 trace-match $by solver.meta a.meta
		[ -z "$output" ]
		has "$stderr" '^trace-match: a.meta is a second run: match each run alone'
	done
	status_is 2 trace-convert -T ovni -o out ztasks atasks
	has "$stderr" 'atasks: a second run'
	[ ! -e out ]
	# Files of one run cannot be dealt out.
	status_is 2 trace-stats --chunk 1/2 -a count solver-0000.bin solver-0001.bin
	has "$stderr" 'name its .meta'
}

@test "partial results: a label joins two ways to write a file, and keeps two hosts' files apart" {
	mkdir h1 h2
	cp z.spc h1/run.spc
	cp a.spc h2/run.spc
	what=(-g input,event -a 'count,sum(gap),max(gap)')
	trace-stats "${what[@]}" --label b,a h1/run.spc h2/run.spc > want
	for h in 1 2; do
		label=$(tr 12 ba <<<$h)
		for k in 1 2 3; do
			name=run.spc
			[ $k != 2 ] || name=$PWD/h$h/run.spc
			(cd h$h && trace-stats "${what[@]}" -p --label "$label" --chunk $k/3 -o ../$h$k.part "$name")
			(cd h$h && trace-reuse -p --label "$label" --chunk $k/3 -o ../$h$k.reuse "$name")
			(cd h$h && trace-plot rate -g input -p --label "$label" --chunk $k/3 -o ../$h$k.rate "$name")
		done
	done
	trace-stats -m 13.part 12.part 11.part 21.part 23.part 22.part | same want -
	# The curve of a then b is not that of b then a.
	trace-reuse --at 16,64 --label a,b h2/run.spc h1/run.spc > want
	trace-reuse -m --at 16,64 ./??.reuse | same want -
	trace-plot rate -g input --bins --label b,a h1/run.spc h2/run.spc > want
	trace-plot rate -m --bins ./??.rate | same want -
	# The same label for two files is one input.
	trace-stats -g input -a count --label q,q z.spc a.spc > got
	printf '#input\tcount\nq\t%d\n' "$(cat z.spc a.spc | wc -l)" | same got -
	trace-stats -j 2 --tune worth=1 -g input -a 'count,max(gap)' --label q,q z.spc a.spc > got
	trace-stats -j 1 -g input -a 'count,max(gap)' --label q,q z.spc a.spc | same got -
}

@test "labels that are odd" {
	status_is 2 trace-stats --label a -g input z.spc a.spc
	has "$stderr" '^trace-stats: --label names 1 input, but there are 2: '
	status_is 2 trace-stats --label a,b,c -g input z.spc a.spc
	status_is 2 trace-merge --label a z.spc a.spc
	status_is 2 trace-filter --label a,b 'R' z.spc
	for l in '' ',' 'a,' ',a' 'a,,b'; do
		status_is 2 trace-stats --label "$l" -g input z.spc a.spc
		has "$stderr" 'a name is empty'
	done
	status_is 2 trace-stats -m --label a x.part
	has "$stderr" 'contradict each other'
	# Any byte, and what else means something in a table.
	for l in $'a\tb' $'a\nb' $'\x1b[31m' - '"' '#' 'a b' 'a\b' '(others)' 1.0; do
		trace-stats --label "$l,x" -g input -a count z.spc a.spc > got
		[ "$(wc -l < got)" = 3 ]
		[ "$(awk -F'\t' 'NF != 2' got | wc -l)" = 0 ]
		! grep -q $'\x1b' got
		trace-stats -J --label "$l,x" -g input -a count z.spc a.spc > got.json
		python3 - "$l" <<-'PY'
			import json, os, sys
			rows = json.load(open("got.json", errors="surrogateescape"))
			want = os.fsencode(sys.argv[1])
			assert len(rows) == 2 and rows[1]["input"] == "x", rows
			assert str(rows[0]["input"]).encode("utf-8", "surrogateescape") in (want,), rows
		PY
		trace-stats -p --label "$l,x" -g input -a count z.spc a.spc | trace-stats -m | same got -
	done
	# Standard input is one input, and a second list goes on where the first one ends.
	[ "$(trace-stats --label in --no-header -g input < a.spc)" = $'in\t10' ]
	[ "$(trace-stats --label x --label y --no-header -g input a.spc a.spc | cut -f 1 | tr '\n' ' ')" = 'x y ' ]
}

@test "70,000 inputs with labels" {
	printf '1.0\t0\tE\t-\t-\t-\n' > e
	# shellcheck disable=SC2046  # one word cannot be that long
	set -- $(for ((k = 0; k < 7; k++)); do echo --label "$(seq -s, $((k * 10000 + 1)) $((k * 10000 + 10000)))"; done) \
		$(yes e | head -n 70000)
	trace-stats -g input --no-header "$@" > got
	seq 70000 | sed 's/$/\t1/' | same got -
	trace-stats -p -g input "$@" | trace-stats -m --no-header | same got -
}

@test "an argument that is called input: expressions mean it, keys do not" {
	printf '%s\t0\tE\t-\t-\t-\tinput=%s\n' 1.0 5 2.0 7 > f
	printf '1.0\t0\tE\t-\t-\t-\n' > g
	[ "$(trace-stats --no-header -g input -a count f g)" = $'f\t2\ng\t1' ]
	[ "$(trace-stats --no-header -g input -a 'count,sum(input)' f)" = $'f\t2\t12' ]
	[ "$(trace-stats --by-time --no-header -g input -a count f g)" = $'f\t2\ng\t1' ]
	[ "$(trace-filter -c 'input > 5' f)" = 1 ]
	[ "$(trace-filter -c 'arg.input > 5' f g)" = 1 ]
	[ "$(trace-filter -F input 'event?' f g | tr '\n' ' ')" = '5 7 g ' ]
	# What trace-merge has noted.
	[ "$(trace-merge --label a,b g g | cut -f 7 | tr '\n' ' ')" = 'input=a input=b ' ]
	[ "$(trace-merge --label a,b g g | trace-stats --no-header -g input | tr '\n' ' ')" = $'a\t1 b\t1 ' ]
}

@test "every program that knows fields has the option, and no decoder" {
	for p in "$BIN"/*; do
		p=${p##*/}
		has=0
		"$p" --help | grep -q '^  *--label NAMES' && has=1
		case $p in trace-advise | trace-check) [ $has = 0 ] ;; trace-*) [ $has = 1 ] ;; *) [ $has = 0 ] ;; esac || { echo "$p: $has"; return 1; }
	done
	trace-plot hist -y size --bins -g input --label x,y z.spc a.spc | awk -F'\t' 'NR > 1 { n[$3] += $4 } END { print n["x"], n["y"] }' > got
	echo "$(how_many z.spc) $(how_many a.spc)" | same got -
	[ "$(trace-reuse -g input --label x,y --at 64 --no-header z.spc a.spc | cut -f 1 | tr '\n' ' ')" = 'x y ' ]
	[ "$(trace-export -T csv --fields input --label x,y z.spc a.spc | sort | uniq -c | awk '{ print $2 $1 }' | tr '\n' ' ')" = \
		"input1 x$(how_many z.spc) y$(how_many a.spc) " ]
}

@test "trace-plot -g input: tables and legends have the inputs in the order of the operands" {
	head -n 50 "$FIX/spc/Financial1-head.spc" > b.spc
	cp "$FIX/spc/Financial1-head.spc" a.spc
	for kind in rate hist; do
		trace-plot $kind -g input --bins b.spc a.spc | tail -n +2 | cut -f 3 | uniq | head -n 2 | xargs | same <(echo b.spc a.spc) -
		trace-plot $kind -g input --label zz,aa b.spc a.spc | sed -n 's,^<text[^>]*>\(zz\|aa\).*,\1,p' | head -n 2 | xargs | same <(echo zz aa) -
		trace-plot --tune worth=1 $kind -j 3 -g input --label zz,aa b.spc a.spc | same <(trace-plot $kind -g input --label zz,aa b.spc a.spc) -
		for f in b a; do trace-plot $kind -p -g input $f.spc; done | trace-plot $kind -m --bins |
			same <(trace-plot $kind -g input --bins b.spc a.spc) -
	done
}
