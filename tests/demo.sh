#!/bin/sh
# make demo: the main job on the sample traces of the repository. The README shows what it prints.
set -eu
cd "$(dirname "$0")/.."
PATH=$PWD/bin:$PATH
cd tests/fixtures
# show COMMAND: what a person would type, then what it prints.
show() {
	printf '$ %s\n' "$1"
	sh -c "$1"
	printf '\n'
}
show 'spc-cat spc/Financial1-head.spc | head -3'
show 'spc-cat -b spc/Financial1-head.spc | trace-filter -t "W and size >= 8K and time < 3s"'
show 'trace-stats -e W -g asu -a "count,sum(size),mean(size)" spc/Financial1-head.spc'
show 'laplace-bin2txt laplace/merged-head.ref | head -2'
show 'trace-filter -F time,pid,event,file "file? and major = 254" laplace/k32-excerpt.kern | tail -3'
