#!/bin/sh
# The lists of events in the pages of section 5 are made from trace-filter --events.
#	events_page.sh			writes all pages anew
#	events_page.sh PAGE		prints the page with its lists anew
#	events_page.sh FORMAT LAYOUT	prints one list
# A list stands between the lines .\" EVENTS FORMAT LAYOUT and .\" END OF EVENTS. The layouts are
#	codes	the code of a record, its event and fields, and the sentence
#	bare	the code, the event and the fields
#	models	by ovni's models: the code, the sentence and the fields; MPI's calls have their name as the sentence
#	columns	the columns and arguments that the fields become
set -eu
here=$(cd "$(dirname "$0")" && pwd)
PATH=$here/../../bin:$PATH
case $# in
0)
	for page in "$here"/../../man/*.5; do
		sh "$here/events_page.sh" "$page" > "$page.new"
		mv "$page.new" "$page"
	done
	;;
1)
	awk -v me="$here/events_page.sh" '
	/^\.\\" END OF EVENTS$/ { skip = 0 }
	!skip
	/^\.\\" EVENTS / { skip = 1; fflush(); system("sh \"" me "\" " $3 " " $4) }' "$1"
	;;
2)
	# CHARISMA's rows stand in the order of its header file, not of their codes.
	trace-filter --events -f "$1" | if [ "$1" = charisma ]; then sort -s -n -k3,3 -t '	'; else cat; fi | awk -F'\t' -v format="$1" -v layout="$2" '
	# NAME:TYPE:NOTE... as the list has it.
	function field(f,  w, n) {
		n = split(f, w, ":")
		if (layout == "models")
			return ", " (w[n] == "jumbo" ? "+ " : "") w[2] " " w[1]
		if (w[n] == "event" || w[n] == "time" || f ~ /:only</)
			return ""
		if (format == "dumpi" && sub(/^[^[*]*/, "", w[2]))
			w[1] = w[1] (w[2] == "*" ? "[]" : w[2])
		return " " w[1] (f ~ /:if=/ ? "*" : "")
	}
	function fields(  f, n, i, s) {
		n = split(list, f, " ")
		for (i = 1; i <= n && list != "-"; i++)
			s = s field(f[i])
		sub(/^,? /, "", s)
		if (layout == "models" && value)
			s = "value" (s == "" ? "" : ": ") s
		return s == "" ? "" : " (" s ")"
	}
	function columns(  f, w, n, m, i, at, arg) {
		at["loc"] = at["addr"] = at["size"] = "-"
		n = split(list, f, " ")
		for (i = 1; i <= n && list != "-"; i++) {
			m = split(f[i], w, ":")
			if (w[m] in at)
				at[w[m]] = w[1]
			else if (w[m] != "event" && w[m] != "time")
				arg = arg " " w[1]
		}
		print ".It " event " Ta " at["loc"] " Ta " at["addr"] " Ta " at["size"] " Ta" arg
	}
	function folded(s,  w, n, i, line) { # in lines of at most 80 bytes
		n = split(s, w, " ")
		for (i = 1; i <= n; i++) {
			if (line != "" && length(line w[i]) > 78) {
				print line
				line = ""
			}
			line = line (line == "" ? "" : " ") w[i]
		}
		print line
	}
	function put() {
		if (layout == "columns")
			columns()
		else {
			print ".It " (code ~ /^[()]$/ ? "\\&" : "") code
			if (layout == "models") {
				sub(/\.$/, "", about)
				folded(model == "mpi" ? event fields() : about fields() ".")
				return
			}
			folded(event fields() (layout == "bare" ? "" : ":"))
			if (layout != "bare")
				print about
		}
	}
	function begin(width) {
		print ".Bl -tag -width \"" width "\" -compact"
	}
	NR == 1 {
		if (layout == "columns") {
			print ".Bl -column \"cache-alloc\" \"loc\" \"address\" \"length\" \"inode major minor offset\""
			print ".It Sy event Ta Sy loc Ta Sy addr Ta Sy size Ta Sy arguments"
		}
		next
	}
	layout == "codes" && $7 ~ /^type:/ { next } # a reference has no code
	$5 == "leave" { # the other event of a pair
		code = code " " $3
		sub(/.*\./, ", ", $4)
		if (layout != "models")
			event = event $4
		next
	}
	$10 == about && $7 == list && format != "dumpi" && layout != "models" { # of the same record
		event = event ", " $2
		code = code == $3 ? code : code ", " $3
		next
	}
	{
		if (n++)
			put()
		if (layout == "models" && model != substr($4, 1, index($4, ".") - 1)) {
			model = substr($4, 1, index($4, ".") - 1)
			print (n > 1 ? ".El\n" : "") ".Ss Model " model
			begin("6W[ 6W]")
		} else if (layout ~ /^(codes|bare)$/ && n == 1)
			begin(format == "dumpi" ? "000" : "00")
		code = $3
		event = layout == "models" ? $4 : $2
		sub(/\.enter$/, "", event)
		value = $5 == "value"
		list = $7
		about = $10
	}
	END { put(); print ".El" }'
	;;
esac
