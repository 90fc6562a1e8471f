#!/usr/bin/env bats
# pages.bats - the pages as they are read: through mandoc and through man-db, 80 columns wide.

load ../helpers

# rendered PAGE READER: what it makes of the page, into the file `rendered`. Status 1 if it is not here.
rendered() {
	case $2 in
	mandoc)
		command -v mandoc >/dev/null || return 1
		mandoc -Tascii -O width=80 "$1" | col -bx > rendered
		;;
	man-db)
		man --version 2>&1 | grep -q '^man 2' && command -v groff >/dev/null || return 1
		MANWIDTH=80 MANPAGER=cat LC_ALL=C man -l "$1" 2> said | col -bx > rendered
		[ ! -s said ] || { cat said; return 2; }
		;;
	esac
}

# The lines of the page's displays, blanks squeezed: "$" before those of a command, ">" before what it
# prints, as it stands.
displays() {
	awk '
		/^\.Bd -literal/ { inside = 1; next }
		/^\.Ed/ { inside = more = 0 }
		!inside { next }
		{
			sub(/^\\&/, "")
			gsub(/\\e/, "\\")
			command = more || /^\$ / || !example
			if (/^\$ /) example = 1
			more = command && /[\\|]$/
			$1 = $1
			print (command ? "$" : ">") $0
		}' "$1"
}

# for_each_page COMMAND: with the page and the reader behind, after `rendered`.
for_each_page() {
	local reader page any='' got
	for reader in mandoc man-db; do
		for page in "$ROOT"/man/*.[157]; do
			got=0
			rendered "$page" $reader || got=$?
			[ "$got" != 1 ] || continue 2
			[ "$got" = 0 ]
			any=1
			"$1" "$page" $reader || { echo "$reader: ${page##*/}"; return 1; }
		done
	done
	[ "$any" ] || skip 'neither mandoc nor man-db is installed'
}

fits() {
	displays "$1" > shown
	awk 'NR == FNR { if (/^>/) shown[substr($0, 2)] = 1; next }
		length > 80 { line = $0; $1 = $1; if (!($0 in shown) || !/^[a-z0-9-]+: /) { print line; bad = 1 } }
		END { exit bad }' shown rendered
}
@test "no line of a page is longer than 80 columns, but for a program's messages" {
	for_each_page fits
}

undamaged() {
	displays "$1" | cut -c2- > shown
	awk 'NR == FNR { shown[$0] = 1; next }
		{ line = $0; $1 = $1 }
		$0 in shown { next }
		# An enclosure that went on behind its end: min(f, max(f)).
		/[a-z0-9]\([^()]*, *[a-z0-9.]+\(/ { print "enclosed: " line; bad = 1 }
		# A macro that was text.
		/(^| )(Ns|Pq|Po|Pc|Ar|Cm|Fl|Va|Ql|Sq|Sc|Xr|Li|Dq|Ta|Pa|Ic|Sy|Em|Op|Oo|Oc|Bq)( |$)/ { print "a macro: " line; bad = 1 }
		# Blanks where there are none.
		/[a-z)] [,;]( |$)/ { print "a blank: " line; bad = 1 }
		END { exit bad }' shown rendered
}
@test "no page shows a macro, or encloses what stands outside" { for_each_page undamaged; }

# letters: the text without what a renderer may choose: blanks, hyphens, quotes, bullets.
letters() {
	sed '1d;$d' | tr -d ' \n\047`"-' | tr -d '\200-\377' | sed 's/[o+]*//g'
}
@test "mandoc and man-db make the same text of every page" {
	rendered "$ROOT/man/spoor.7" mandoc || skip 'mandoc is not installed'
	rendered "$ROOT/man/spoor.7" man-db || skip 'man-db is not installed'
	for page in "$ROOT"/man/*.[157]; do
		rendered "$page" mandoc
		letters < rendered > a
		rendered "$page" man-db
		letters < rendered > b
		same a b || { echo "$page"; return 1; }
	done
}

@test "the aggregates of trace-stats(1) read as they are written in -a" {
	rendered "$ROOT/man/trace-stats.1" mandoc || rendered "$ROOT/man/trace-stats.1" man-db ||
		skip 'neither mandoc nor man-db is installed'
	sed -n '/^AGGREGATES/,/^[A-Z]/{//d;s/^     //p;}' rendered | sed 's/  .*//' > got
	# An entry as it is meant: a name, and in parentheses at once what it takes.
	awk '/^\.Sh / { on = $2 == "AGGREGATES" }
		on && /^\.It / {
			text = ""; glue = 1; close_it = 0
			for (i = 2; i <= NF; i++) {
				if ($i ~ /^(Cm|Ar|No)$/) continue
				if ($i == "Ns") { glue = 1; continue }
				if ($i == "Po" || $i == "Pq") { text = text (glue ? "" : " ") "("; glue = 1; close_it = $i == "Pq"; continue }
				if ($i == "Pc") { text = text ")"; continue }
				text = text (glue || $i == "," ? "" : " ") $i (close_it ? ")" : "")
				glue = close_it = 0
			}
			print text
		}' "$ROOT/man/trace-stats.1" > want
	[ "$(wc -l < want)" -ge 13 ]
	while read -r entry; do
		grep -qxF -- "$entry" got || { echo "no $entry"; return 1; }
	done < want
	grep -qx 'min(f), max(f)' want
}

# Two nodes with the same numbers of processes, threads, tasks and types.
@test "the recipes for task runtimes keep nodes apart that number alike" {
	sh "$ROOT/tests/make/examples.sh" .
	mkdir two
	cp -R tasks/* two
	cp -R tasks/loom.node0 two/loom.node1
	find two/loom.node1 -name '*.json' -exec sed -i 's/node0/node1/' {} +
	# The clocks are of one machine.
	printf 'rank hostname offset_median offset_mean offset_std\n0 node0 0 0 0\n1 node1 0 0 0\n' > two/clock-offsets.txt
	# recipe K DIRECTORY: the K-th pipeline of that part, over this trace.
	recipe() {
		awk -v k="$1" '/^\.Ss / { on = $0 == ".Ss Task runtimes" }
			on && /^\$ / { n++; more = 1 }
			on && more && n == k { gsub(/\\e/, "\\"); sub(/^\$ /, ""); print }
			more && !/[\\|]$/ { more = 0 }' "$ROOT/man/spoor-cookbook.7" | sed "s/ --head 3 / /; s/\<tasks\>/$2/" > recipe.sh
		grep -q "$2" recipe.sh
		sh recipe.sh
	}
	recipe 1 tasks > a
	recipe 1 two > b
	[ "$(wc -l < a)" = 13 ]
	grep -v node1 b | same a -
	grep '^#\|node1' b | sed 's/node1/node0/' | same a -
	grep -qx 'node1/100/100	OHp	0.000165846' b
	recipe 2 tasks > a
	recipe 2 two | awk -F'\t' -v OFS='\t' '!/^#/ { $2 /= 2 } 1' | same a -
	[ "$(wc -l < a)" = 3 ]
	recipe 3 tasks > a
	grep -q '^node0/100/100	' a
}

@test "the recipes for pages keep address spaces apart" {
	sh "$ROOT/tests/make/examples.sh" .
	# The same addresses in two address spaces, of which one is known by every second reference.
	laplace-bin2txt refs.bin | awk 'NR % 2 { $4 = "77" } 1' | laplace-bin2txt -r > two.bin
	awk '/^\$ trace-stats --hz 1e9 -w 50ns -g space/ { on = 1 }
		on { gsub(/\\e/, "\\"); sub(/^\$ /, ""); print }
		on && !/[\\|]$/ { exit }' "$ROOT/man/spoor-cookbook.7" | sed 's/refs.bin/two.bin/; s/-w 50ns//' > recipe.sh
	want=$(laplace-bin2txt two.bin | awk '{ print $4, substr($5, 1, length($5) - 3) }' | sort -u | wc -l)
	[ "$(sh recipe.sh | awk '!/^#/ { n += $3 } END { print n }')" = "$want" ]
	[ "$want" -gt "$(laplace-bin2txt two.bin | awk '{ print substr($5, 1, length($5) - 3) }' | sort -u | wc -l)" ]
}
