# examples.bash - the examples of the man pages, which are tests.
#
# An example is a line of a literal display (.Bd -literal) that begins with "$ ", with the lines
# behind it while each ends with "\" or "|", and what it prints, messages as well: all lines up to
# the next example, or the end of the display. A display that begins with "#!" is a script, which examples behind it
# find by the name in its second line, "# NAME ...". All examples of a page run one after the other, in a
# directory with the files of tests/make/examples.sh.
# shellcheck shell=bash

# examples PAGE: writes N.cmd and N.want for each, and sets `examples` to their number.
examples() {
	rm -rf ./*
	sh "$ROOT/tests/make/examples.sh" .
	examples=$(awk '
		/^\.Bd -literal/ { inside = 1; next }
		/^\.Ed/ { inside = 0; want = script = ""; next }
		!inside { next }
		{ sub(/^\\&/, ""); gsub(/\\e/, "\\") }
		/^#!/ { first = $0; getline; script = $1 == "#" ? $2 : "script"; print first > script }
		script { print > script; next }
		more || /^\$ / {
			if (!more) {
				cmd = ++n ".cmd"
				want = n ".want"
				printf "" > want
			}
			print more ? $0 : substr($0, 3) > cmd
			more = /[\\|]$/
			next
		}
		want { print > want }
		END { print n + 0 }' "$1")
}

# Programs of others that examples may run.
peers='fio blkparse sqlite3 jq babeltrace2 cachesim'

# lacks FILE: the peer that the command in FILE runs, and that is not installed here.
lacks() {
	for peer in $peers; do
		! grep -q "\(^\|[ |]\)$peer " "$1" || command -v "$peer" > /dev/null || echo "$peer"
	done
}

# examples_same PAGE: each prints what the page shows, where the programs that it runs are installed.
examples_same() {
	examples "$1"
	for ((i = 1; i <= examples; i++)); do
		lack=$(lacks "$i.cmd")
		[ -z "$lack" ] || { echo "# $(head -1 "$i.cmd"): no $lack here" >&3; continue; }
		sh "$i.cmd" > "$i.got" 2>&1 || :
		same "$i.want" "$i.got" || { echo "$1: $(cat "$i.cmd")"; return 1; }
	done
}
