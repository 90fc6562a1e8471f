#!/bin/sh
# make demo: runs the examples of the README, in build/demo, where the sample traces have the names that
# the README and the man pages use. An example is an indented line that begins with "$ ", with the lines
# behind it while each ends with "\" or "|".
set -eu
cd "$(dirname "$0")/../.."
PATH=$PWD/bin:$PATH
rm -rf build/demo
sh tests/make/examples.sh build/demo
cd build/demo
examples=$(awk '
	more || /^    \$ / {
		if (!more) n++
		print substr($0, more ? 5 : 7) > (n ".cmd")
		more = /[\\|]$/
	}
	END { print n }' ../../README.md)
i=0
while [ $((i += 1)) -le "$examples" ]; do
	printf '$ %s\n' "$(cat $i.cmd)"
	sh $i.cmd
	rm $i.cmd
done
printf '\nNow try your own: bin/trace-stats FILE prints a report of any trace, bin/trace-report FILE > report.html draws one.\n'
