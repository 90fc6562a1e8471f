#!/bin/sh
# make demo: runs the examples of the README, in build/demo, where the sample traces have the names that
# the README and the man pages use, and compares what they print with the README. An example is an indented line that
# begins with "$ ", with the next lines while each ends with "\" or "|". The indented lines after it are its output.
set -eu
cd "$(dirname "$0")/../.."
PATH=$PWD/bin:$PATH LC_ALL=C
export LC_ALL
rm -rf build/demo
sh tests/make/examples.sh build/demo
cd build/demo
examples=$(awk '
	more || /^    \$ / {
		if (!more) n++
		print substr($0, more ? 5 : 7) > (n ".cmd")
		more = /[\\|]$/
		out = !more
		if (out) printf "" > (n ".want")
		next
	}
	!/^    / { out = 0 }
	out { print substr($0, 5) > (n ".want") }
	END { print n }' ../../README.md)
i=0 wrong=
while [ $((i += 1)) -le "$examples" ]; do
	printf '$ %s\n' "$(cat $i.cmd)"
	sh $i.cmd > $i.got
	cat $i.got
	cmp -s $i.want $i.got || wrong="$wrong
$(cat $i.cmd)"
	rm $i.cmd $i.want $i.got
done
[ -z "$wrong" ] || { printf '\nThese examples did not print what README.md shows:%s\n' "$wrong"; exit 1; }
printf '\nAll %d examples printed what README.md shows.\n' "$examples"
printf 'Now try your own: bin/trace-stats FILE prints a report of any trace, bin/trace-report FILE > report.html draws one.\n'
