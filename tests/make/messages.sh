#!/bin/sh
# messages.sh [FILE...]: lists the messages of the C sources (without FILE: of common and cmd), sorted, one a line:
# the file, a TAB, and the format. The list is for review; it has nothing to pass or fail.
#
# A message is a string literal with a blank in it that is given to a function which prints messages. Adjacent
# literals are joined. A macro between two literals is shown as {NAME}. A literal that is chosen with ?: is a line of
# its own. Messages that a function returns as text, such as the reasons of a refusal, are found by `return`, by the
# name `why` in the same statement, or as the value of an array. So the list has some texts that are no messages.
set -u
cd "$(dirname "$0")/../.." || exit 2
[ $# -gt 0 ] || set -- common/*/*.c cmd/*.c cmd/*/*.c cmd/lib/*/*.c

# A call is read to its closing parenthesis, a return or an assignment to `why` to its semicolon.
LC_ALL=C awk '
	BEGIN {
		n = split("warn warn_progress die die_at die_below fault opt_die expr_die delimited_bad layout_bad" \
			" ovni_remark refuse bad_row encode_skip encode_drop bad_word", name, " ")
		for (i = 1; i <= n; i++)
			prints[name[i]] = 1
		token = "^(\"([^\"\\\\]|\\\\.)*\"|\047([^\047\\\\]|\\\\.)*\047|[A-Za-z_0-9]+|.)"
	}

	# Prints the literals that were joined, if they have a blank.
	function put() {
		if (text ~ /[^ ] +[^ ]/)
			print FILENAME "\t" text
		text = macro = ""
		open = 0
	}

	function take(t) {
		if (t ~ /^"/) {
			text = text macro substr(t, 2, length(t) - 2)
			macro = ""
			open = 1
		} else if (open && t ~ /^[A-Z][A-Za-z0-9_]*$/)
			macro = macro "{" t "}"
		else if (open) {
			text = text macro
			put()
		}
	}

	FNR == 1 { comment = depth = until_end = 0; last = ""; put() }
	{
		line = $0
		while (line != "") {
			if (comment) {
				if (!(at = index(line, "*/")))
					break
				line = substr(line, at + 2)
				comment = 0
				continue
			}
			sub(/^[ \t]+/, "", line)
			if (line == "" || substr(line, 1, 2) == "//")
				break
			if (substr(line, 1, 2) == "/*") {
				comment = 1
				line = substr(line, 3)
				continue
			}
			match(line, token)
			t = substr(line, 1, RLENGTH)
			if (until_end == 2 && t ~ /^"/)
				until_end = 1
			line = substr(line, RLENGTH + 1)
			if (depth || until_end == 1)
				take(t)
			if (t == "(" && (depth || last in prints))
				depth++
			else if (t == ")" && depth)
				depth--
			else if (t == ";")
				until_end = depth = 0
			else if (t == "return" || t == "why" || (t == "=" && last == "]"))
				until_end = t == "=" ? 2 : 1
			else if (until_end == 2)
				until_end = 0
			last = t
		}
	}' "$@" | sort -u
