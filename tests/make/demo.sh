#!/bin/sh
# make demo: the pipelines of the README, which shows what this prints. They run in build/demo, where
# the sample traces stand by the names that the man pages have for them.
set -eu
cd "$(dirname "$0")/../.."
PATH=$PWD/bin:$PATH
rm -rf build/demo
sh tests/make/examples.sh build/demo
cd build/demo
# show COMMAND: what a person would type, then what it prints.
show() {
	printf '$ %s\n' "$1"
	sh -c "$1"
	printf '\n'
}
show "dumpi2txt -b solver.meta | trace-filter 'MPI_Wait* and dur > 1ms' |
    trace-stats -g rank -a 'count,p50(dur),sum(dur)'"
show "trace-filter 'W and size >= 8K and time < 3s' Financial1.spc"
show "spc-cat Financial1.spc | awk '{s[\$3] += \$5} END {for (e in s) print e, s[e]}' | sort"
