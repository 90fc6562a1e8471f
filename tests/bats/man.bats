#!/usr/bin/env bats
# man.bats - the man pages say what the programs do.

bats_require_minimum_version 1.5.0
load ../helpers
load ../examples

setup() {
	enter
}

# spoor-cookbook(7) has a test of its own, cookbook.bats.
@test "every example of every page prints what the page shows" {
	total=0
	for page in "$ROOT"/man/*.[157]; do
		case $page in */spoor-cookbook.7) continue ;; esac
		examples_same "$page"
		total=$((total + examples))
	done
	[ "$total" -ge 30 ]
}

@test "mandoc has nothing to say about any page" {
	command -v mandoc >/dev/null || skip 'mandoc is not installed'
	sh "$ROOT/tests/make/mandoc.sh"
}

@test "one sentence a line: no line goes on behind a full stop" {
	awk '
		FNR == 1 { inside = 0 }
		/^\.Bd -literal/ { inside = 1 }
		/^\.Ed/ { inside = 0 }
		!inside && !/^\./ && /[a-z)0-9]\. [A-Z]/ { print FILENAME ":" FNR ": " $0; bad = 1 }
		END { exit bad }' "$ROOT"/man/*.[157]
}

@test "every program has a page with the usual sections, in order" {
	for c in $(mains); do
		p=$(basename "$c" .c)
		order=$(grep '^\.Sh' "$ROOT/man/$p.1" |
			grep -xE '\.Sh (NAME|SYNOPSIS|DESCRIPTION|EXIT STATUS|EXAMPLES|SEE ALSO)' | tr '\n' ' ')
		[ "$order" = '.Sh NAME .Sh SYNOPSIS .Sh EXAMPLES .Sh DESCRIPTION .Sh EXIT STATUS .Sh SEE ALSO ' ] ||
			{ echo "$p.1: $order"; return 1; }
	done
}

@test "every page of a program belongs to one" {
	for page in "$ROOT"/man/*.1; do
		mains | grep -q "/$(basename "$page" .1)\.c$" || { echo "$page"; return 1; }
	done
}

@test ".Nd, the first line of the source, and --help say the same of a program" {
	for c in $(mains); do
		p=$(basename "$c" .c)
		nd=$(sed -n 's/^\.Nd //p' "$ROOT/man/$p.1")
		[ "$(head -1 "$c")" = "/* $p - $nd */" ] || { echo "$p: $(head -1 "$c")"; return 1; }
		[ "$("$BIN/$p" --help | sed -n 2p)" = "$nd" ] || { echo "$p --help"; return 1; }
	done
}

@test "--help fits 80 columns" {
	for p in "$BIN"/*; do
		"$p" --help | awk -v p="$p" 'length > 80 { print p ": " $0; bad = 1 } END { exit bad }'
	done
}

@test "the examples of --help run on the samples, without a complaint, and give something" {
	sh "$ROOT/tests/make/examples.sh" samples
	cd samples
	examples() {
		"$BIN/$1" --help | sed '1,/^examples:$/d; /^$/,$d; s/^  //' > list
		[ "$(wc -l < list)" = 2 ]
		while read -r command; do
			touch before
			status_is 0 bash -o pipefail -c "${command%%| head}" < /dev/null
			[ -z "$stderr" ]
			[ -n "$output" ] || [ -s "$(find . -newer before -type f)" ]
		done < list
	}
	each examples
}

# Options as lines "-x --name ARG", of --help and of a page; ARG where it takes one.
help_options() {
	"$BIN/$1" --help | sed -n 's/^  \(.\{26\}.*\)/\1/p' | sed 's/^\(-.\),/\1/; s/^    /- /' |
		awk '/^-/ {
			takes = $3 ~ /^[A-Z]/ && index($0, $2 " " $3)
			sub(/\[=.*/, "", $2) # what it may take besides
			print $1, $2, takes ? "ARG" : "" }' | sort
}

page_options() {
	awk '/^\.It Fl / {
		short = "-"; long = ""; arg = ""; macro = ""
		for (i = 2; i <= NF; i++) {
			if ($i ~ /^[A-Z][a-z]$/) {
				macro = $i
				if (macro == "Ar") arg = "ARG"
			} else if (macro == "Fl" && $i ~ /^-/)
				long = "-" $i
			else if (macro == "Fl" && $i != ",")
				short = "-" $i
		}
		print short, long, arg
	}' "$1" | sort
}

@test "the options of --help are those of the page, and of spoor-options(7), to which it refers" {
	page_options "$ROOT/man/spoor-options.7" > shared
	for c in $(mains); do
		p=$(basename "$c" .c)
		help_options "$p" > want
		[ "$(wc -l < want)" -ge 8 ]
		# Each in one of the two, and the program's own all in its page.
		comm -12 want shared > both
		page_options "$ROOT/man/$p.1" | sort -u - both | same want - || { echo "$p"; return 1; }
		[ ! -s both ] || sed '/^\.Sh SEE ALSO/,$d' "$ROOT/man/$p.1" | grep -q '^\.Xr spoor-options 7 \.' ||
			{ echo "$p.1: does not name spoor-options(7)"; return 1; }
	done
}

@test "spoor-options(7) has the options that all programs share that read and write, and names those that have no parts" {
	first=1
	for c in $(mains); do
		help_options "$(basename "$c" .c)" > have
		grep -q -- --text have || continue
		if [ $first = 1 ]; then cp have shared; else comm -12 shared have > both && mv both shared; fi
		first=0
	done
	[ "$(wc -l < shared)" -ge 12 ]
	# Not all can use these four.
	page_options "$ROOT/man/spoor-options.7" | grep -v -e ' --chunk' -e ' --follow-links' -e ' --by-time' -e ' --label' | same shared -
	for c in $(mains); do
		p=$(basename "$c" .c)
		help_options "$p" > have
		grep -q -- --chunk have || echo "$p"
	done > whole
	sed -n '/^Some programs need all/,/\.$/s/^\.Xr \([^ ]*\) 1.*/\1/p' "$ROOT/man/spoor-options.7" | sort | same whole -
	while read -r p; do
		operands "$p"
		status_is 2 "$p" --chunk 1/1 "${ops[@]}" x
		has "$stderr" "^$p: --chunk: .*--help)$"
	done < whole
	for p in spc-cat laplace-bin2txt dumpi2txt charisma-dump; do
		help_options "$p" > have
		run ! grep -e --follow-links have
	done
}

@test "spoor(7) names every program, spoor-options(7) every format that has no page of its own" {
	for c in $(mains); do
		grep -qE "^\.It (Xr|Cm) $(basename "$c" .c)( 1)?$" "$ROOT/man/spoor.7"
	done
	status_is 2 trace-filter -f none x
	grep -o '(binary[^)]*)' <<<"$stderr" | tr -s '(), ' '\n' | grep . > formats
	[ "$(wc -l < formats)" -ge 5 ]
	while read -r f; do
		grep -qE "^\.Cm (.*[ ,])?$f( .*)?$" "$ROOT/man/spoor-options.7" ||
			[ -f "$ROOT/man/${f%%-*}-trace.5" ] || [ -f "$ROOT/man/$f-layout.5" ] || { echo "$f"; return 1; }
	done < formats
}

# The tables of laplace-trace(5) against the record of each tag.
@test "the 22 kernel tags: fields and columns of each are as the page says" {
	page=$ROOT/man/laplace-trace.5
	awk '/^\.Ss Kernel events/ { on = 1 } /^\.El/ { on = 0 }
		on && sub(/^\.It (\\&)?/, "") { tag = $0; getline; print tag, NF - 1 }' "$page" | sort > want
	awk '{ n = NF > 2 ? NF - 2 : 0; print $1, n }' "$FIX/laplace/seed.kern" | sort | same want -
	[ "$(wc -l < want)" = 22 ]
	awk '/^\.Ss As events/ { on = 1 } on && /^\.El/ { exit }
		on && sub(/^\.It /, "") && !/^(Sy|r,)/ {
			n = split($0, f, / Ta/)
			for (i = 2; i <= n; i++) sub(/^ /, "", f[i])
			addr = f[3] == "-" ? 0 : f[3] == "offset" ? "dec" : "hex"
			print f[1], (f[2] != "-"), addr, (f[4] != "-"), f[5]
		}' "$page" | sed 's/ *$//' | sort > want
	trace-filter 'event?' "$FIX/laplace/seed.kern" | awk -F'\t' '{
			addr = $4 == "-" ? 0 : $4 ~ /^0x/ ? "hex" : "dec"
			line = $3 " " ($2 != "-") " " addr " " ($5 != "-")
			for (i = 7; i <= NF; i++) { sub(/=.*/, "", $i); line = line " " $i }
			print line }' | sort | same want -
	[ "$(wc -l < want)" = 22 ]
}

@test "spoor-stream(5) has the kinds of argument with the numbers of the code" {
	sed -n '/^\.Ss Kinds/,/^\.El/s/^\.It \([0-9]*\) Ta \([a-z0-9]*\) Ta.*/\1 \U\2/p' "$ROOT/man/spoor-stream.5" > page
	[ "$(wc -l < page)" = 17 ]
	while read -r n name; do
		tr -s ' \n\t' ' ' < "$ROOT/common/event/event.h" | grep -q "K_$name = $n,"
	done < page
}

@test "spoor-expr(7) has the functions that there are, with their arguments and what they give" {
	awk '/^\.Ss Functions/ { on = 1; next } /^\.Ss / { on = 0 }
		on && /^\.It Li / { gsub(/"/, ""); n = index($0, "("); name = substr($0, 8, n - 8)
			args = substr($0, n + 1, length($0) - n - 1); getline; sub(/\.$/, "")
			print name "\t" args "\t" $0 }' "$ROOT/man/spoor-expr.7" > page
	[ "$(wc -l < page)" -ge 14 ]
	trace-filter --functions | sed 1d | cut -f1,2,4 | same page -
}

@test "options stand where they like; behind -- there are none" {
	option_behind() {
		sample "$1"
		status_is 0 "$1" --strict "${ops[@]}" "$sample"
		before="$output"
		status_is 0 "$1" "${ops[@]}" "$sample" --strict
		[ "$output" = "$before" ]
		status_is 2 "$1" "${ops[@]}" "$sample" --strict=1
		has "$stderr" "^$1: .*--strict"
		case ${ops[0]-} in
		-*) status_is 2 "$1" "${ops[@]}" -- "$sample" --strict ;;
		*) status_is 2 "$1" -- "${ops[@]}" "$sample" --strict ;;
		esac
		has "$stderr" '--strict: No such file'
		cp "$sample" ./--strict
		status_is 0 "$1" "${ops[@]}" -- ./--strict
		rm ./--strict
	}
	each option_behind
}
