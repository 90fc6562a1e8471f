#!/usr/bin/env bats
# make7.bats - the experiment of spoor-make(7): its Makefile is taken out of the page and run.
bats_require_minimum_version 1.5.0
load ../helpers

# display SECTION: the first display of that part of the page, as a reader copies it.
display() {
	sh "$ROOT/tests/make/display.sh" "$1" "$ROOT/man/spoor-make.7"
}

setup() {
	enter
	unset MAKEFLAGS MAKELEVEL MFLAGS
	make=$(command -v gmake || command -v make) || skip 'no make'
	"$make" --version 2> /dev/null | grep -q '^GNU Make' || skip 'no GNU make'
	mkdir traces
	cp "$FIX/spc/Financial1-head.spc" traces/fin1.spc
	cp "$FIX/spc/WebSearch2-first10.spc" 'traces/a+b,c=d@e~f%g-Ö.spc'
	printf '0,1,512,R,0.25\n' > traces/none.spc
	cp "$FIX"/runs/solver* traces
	display MAKEFILE > Makefile
	[ "$(wc -l < Makefile)" -gt 25 ]
}

# old: all that is there becomes years old, in the order in which it was made.
old() {
	find traces Makefile parts/[TV]* -exec touch -t 202001010100 {} +
	find parts -type f ! -name '[TV]*' -exec touch -t 202001010200 {} +
	find out -type f -exec touch -t 202001010300 {} +
	find out -type f -name '*.cdf.svg' -exec touch -t 202001010400 {} +
	touch -t 202001010500 stamp
	"$make" -q "$@"
}

# made: what is new since then.
made() {
	find parts out -type f -newer stamp | LC_ALL=C sort
}

@test "compressed traces are traces as others, and so are their parts" {
	"$make" > log
	cp out/table.tsv plain
	for f in fin1.spc:gzip a+b,c=d@e~f%g-Ö.spc:xz; do
		"${f##*:}" -f "traces/${f%:*}"
	done
	"$make" > log
	LC_ALL=C sort plain > want
	sed 's/\.spc\.[gx]z\t/.spc\t/' out/table.tsv | LC_ALL=C sort | same want -
	[ -s out/fin1.spc.gz.heat.svg ]
	grep -q '\.xz' out/table.tsv
	"$make" -q
}

@test "an experiment: all is made, what it should be; then nothing" {
	"$make" > log
	trace-stats -e 'size >= 1K' -g input,event -a 'count,sum(size),p50(size),p99(size)' traces/*.spc traces/*.meta |
		same out/table.tsv -
	for f in traces/*.spc traces/*.meta; do trace-plot rate -e 'size >= 1K' -p "$f"; done > rates
	trace-plot rate -m --theme light --size 720x420 rates > want
	sed '$d' out/rate.svg | same want -
	[ "$(tail -n 1 out/rate.svg)" = "<?made $(trace-plot --version): trace-plot rate -e size >= 1K --theme light --size 720x420?>" ]
	trace-plot heat -e 'size >= 1K' -y size --theme light --size 720x420 traces/solver.meta > want
	sed '$d' out/solver.meta.heat.svg | same want -
	# No event of it is counted: a picture that says so, and no row.
	grep -q '>no event matched<' out/none.spc.heat.svg
	run ! grep none out/table.tsv
	for f in traces/*.*c traces/*.meta; do grep -qxF "$(cksum "$f")" out/made.txt; done
	[ "$(sed -n '2,/^	cat/p' out/made.txt)" = "$(cat Makefile)" ]
	if command -v xmllint > /dev/null; then xmllint --noout out/rate.svg out/solver.meta.heat.svg; fi
	"$make" | same - <("$make")
	"$make" -q
	old
	[ -z "$(made)" ]
}

@test "an experiment: any number of jobs makes the same bytes" {
	"$make" -j1 > log
	cp -R out want
	rm -r out parts
	"$make" -j8 > log
	diff -r want out
}

@test "an experiment: what changed is made again, with what depends on it, and nothing else" {
	"$make" -j2 > log
	old
	touch traces/fin1.spc
	"$make" -j2 > log
	made | same - <(printf '%s\n' out/fin1.spc.heat.svg out/made.txt out/rate.svg out/table.tsv \
		parts/fin1.spc.heat parts/fin1.spc.rate parts/fin1.spc.stats parts/fin1.spc.sum)
	old
	# A trace comes, and goes.
	cp traces/fin1.spc traces/new.spc
	"$make" > log
	made | same - <(printf '%s\n' out/made.txt out/new.spc.heat.svg out/rate.svg out/table.tsv parts/TRACES \
		parts/new.spc.heat parts/new.spc.rate parts/new.spc.stats parts/new.spc.sum)
	grep -q new.spc out/table.tsv
	old
	rm traces/new.spc
	"$make" > log
	made | same - <(printf '%s\n' out/made.txt out/rate.svg out/table.tsv parts/TRACES)
	run ! grep new.spc out/table.tsv
	old
	# A style does not read a trace; a question does.
	rm out/*.svg
	"$make" STYLE='--theme dark' > log
	run ! grep -q parts/ <(made)
	grep -q 'trace-plot rate -e size >= 1K --theme dark?>$' out/rate.svg
	old
	sed -i.old "s/^ONLY.*/ONLY := -e 'event = R'/" Makefile
	"$make" > log
	run ! grep -q $'\tW\t' out/table.tsv
	[ "$(made | grep -c '^parts.*\(stats\|rate\|heat\)$')" = 12 ]
}

@test "an experiment: a damaged trace fails, and leaves nothing half made" {
	"$make" > log
	cp -R out want
	old
	printf '0,1,512,R,0.25\n0,x\n' > traces/bad.spc
	run -2 "$make"
	run -2 "$make" -k -j2
	has "$output" 'traces/bad.spc:2: '
	[ -z "$(find parts out -name '*bad*.stats' -o -name '*bad*.rate' -o -name '*bad*.heat*' -o -name '.spoor*')" ]
	for f in table.tsv rate.svg; do same want/$f out/$f; done
	# The others are made.
	rm -r parts out
	run -2 "$make" -k -j2
	[ "$(find parts -name '*.heat' | wc -l)" = 4 ]
	[ "$(find out -name '*.heat.svg' | wc -l)" = 4 ]
	[ ! -e out/table.tsv ]
	printf 'out/half:\n\techo half > $@; false\n' >> Makefile
	run -2 "$make" out/half
	[ ! -e out/half ]
	# Its whole records in its place; the page says how.
	mv traces/bad.spc .
	grep '^\.Dl trace-filter' "$ROOT/man/spoor-make.7" | cut -c5- > mend
	sh mend || [ $? = 2 ]
	"$make" > log
	grep -q mended out/made.txt
	# No trace at all, and names that make cannot handle.
	rm traces/*
	run -2 "$make"
	has "$output" 'there are no traces'
	for name in 'a b' "it's" 'a:b' 'a;b' 'a|b'; do
		cp "$FIX/spc/Financial1-head.spc" "traces/$name.spc"
		run -2 "$make" -j2
		rm traces/*
	done
}

@test "an experiment: traces of several files" {
	cp -R "$FIX/runs/tasks" traces
	sed -i.old '/^TRACES/s,\*\.spc,& traces/tasks,' Makefile
	display 'Traces of several files' >> Makefile
	"$make" -j2 > log
	find traces/tasks traces/solver* -type f -exec cksum {} + > sums
	[ "$(wc -l < sums)" = 13 ]
	[ "$(grep -cxFf sums out/made.txt)" = 13 ]
	old
	touch traces/solver-0001.bin
	"$make" > log
	made | same - <(printf '%s\n' out/made.txt out/rate.svg out/solver.meta.heat.svg out/table.tsv \
		parts/solver.meta.heat parts/solver.meta.rate parts/solver.meta.stats parts/solver.meta.sum)
	old
	touch "$(find traces/tasks -name '*.obs' | head -1)"
	"$make" > log
	[ "$(made | grep '^parts' | xargs)" = 'parts/tasks.heat parts/tasks.rate parts/tasks.stats parts/tasks.sum' ]
}

@test "an experiment: more figures, and steps of Slurm" {
	display 'More figures' >> Makefile
	all=(out/rate.tsv out/{fin1.spc,none.spc}.{matrix.svg,cdf.svg,csv})
	"$make" -j2 "${all[@]}" > log
	for f in traces/*.spc traces/*.meta; do trace-plot rate -e 'size >= 1K' -p "$f"; done > rates
	trace-plot rate -m --bins rates | same out/rate.tsv -
	trace-stats -e 'size >= 1K' -a 'cdf(size)' --long traces/fin1.spc | cut -f 1,3 |
		trace-plot line --theme light --size 720x420 | same out/fin1.spc.cdf.svg -
	grep -q '>no event matched<' out/none.spc.matrix.svg
	[ "$(wc -l < out/fin1.spc.csv)" = "$(trace-filter 'size >= 1K' traces/fin1.spc | wc -l | awk '{ print $1 + 1 }')" ]
	"$make" > log
	old "${all[@]}"
	# A step is a process; srun's own options come first.
	mkdir bin
	printf '%s\n' '#!/bin/sh' 'while case $1 in --*) ;; *) false ;; esac; do shift; done' 'echo "$1" >> steps' \
		'exec "$@"' > bin/srun
	chmod +x bin/srun
	cp -R out want
	rm -r parts out
	display 'ON A CLUSTER' > job
	PATH=$PWD/bin:$PATH SLURM_NTASKS=3 sh job > log
	[ "$(sort steps | uniq -c | xargs)" = '8 trace-plot 4 trace-stats' ]
	for f in out/*; do same "want/${f#out/}" "$f"; done
}

@test "an experiment: the command of the page takes the Makefile out of it" {
	command -v mandoc > /dev/null || skip 'mandoc is not installed'
	man() { mandoc -Tascii -O width=80 "$ROOT/man/$1.7" | col -bx; }
	export -f man
	export ROOT
	mv Makefile want
	awk '/^man spoor-make/ { on = 1 } /^\.Ed/ { on = 0 } on { gsub(/\\e/, "\\"); print }' \
		"$ROOT/man/spoor-make.7" > take
	bash take
	grep . want | same - <(grep . Makefile)
}
