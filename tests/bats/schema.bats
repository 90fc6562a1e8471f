#!/usr/bin/env bats
# The rows that say what records hold (trace-filter --events), against what does not come from them.
load ../helpers
FACTS=$ROOT/tests/facts

events() { # FORMAT: its lines without the header
	trace-filter --events -f "$1" | tail -n +2
}

@test "ovni: letters, partners and arguments are those of ovni's own list" {
	# Model, letters, jumbo, arguments, role, partner.
	events ovni | awk -F'\t' '{
		split($4, model, ".")
		jumbo = $7 ~ /:jumbo/ ? "yes" : "no"
		n = split($7 == "-" ? "" : $7, f, " ")
		args = ""
		for (i = 1; i <= n; i++) {
			split(f[i], w, ":")
			sub(/\[\]/, "", w[2])
			args = args (i > 1 ? ", " : "") w[2] " " w[1]
		}
		print model[1] "\t" $2 "\t" jumbo "\t" (args == "" ? "-" : args) "\t" $5 "\t" $6 }' | sort > got
	sort "$FACTS/ovni-events.tsv" > want
	cut -f1-4 want > a
	cut -f1-4 got | same a -
	# Pairs: that list has none of tasks, workshares and marks, and no values.
	awk -F'\t' '$5 != "-"' want > a
	awk -F'\t' '$5 ~ /enter|leave/ && $2 !~ /^(PP|PQ|OM)/' got | same a -
	[ "$(wc -l < a)" = 320 ]
	[ "$(wc -l < got)" = 365 ]
}

@test "dumpi: numbers, names and arguments are those of libdumpi's files" {
	events dumpi | awk -F'\t' '{
		n = split($7 == "-" ? "" : $7, f, " ")
		args = ""
		for (i = 1; i <= n; i++) {
			m = split(f[i], w, ":")
			if (f[i] ~ /:only</)
				continue
			one = w[1] ":" w[2]
			if (w[3] != "out" && w[3] != "aux")
				one = one ":in"
			for (k = 3; k <= m; k++)
				one = one (w[k] ~ /^one</ ? "" : ":" w[k])
			args = args (args == "" ? "" : ",") one
		}
		print $3 "\t" $2 "\t" (args == "" ? "-" : args) }' > got
	# What is never stored is no event.
	cut -f1-3 "$FACTS/dumpi-calls.tsv" | grep -Ev '^(128|290|293)	' > want
	same want got
	[ "$(wc -l < got)" = 291 ]
}

@test "every event, argument and column of the fixtures is listed" {
	for f in "$FIX"/*/*.{spc,ref,reftxt,kern,obs,bin,chr}; do
		trace-filter -H -t 'event?' "$f" 2> err > all || [ "$?" = 2 ]
		format=$(sed -n 's/^##format	//p' all | head -1)
		[ -n "$format" ] || { echo "$f"; head -3 all; return 1; }
		events "$format" > list
		awk -F'\t' -v format="$format" '
		FNR == NR { # of an event: its arguments, its columns
			n = split($7, f, " ")
			known[$2] = 1
			for (i = 1; i <= n; i++) {
				m = split(f[i], w, ":")
				if (w[m] ~ /^(loc|addr|size|dur)$/)
					column[$2, w[m]] = 1
				else
					arg[$2, w[1]] = 1
			}
			next
		}
		/^#/ { next }
		!known[$3] { print "not listed: " $3; exit 1 }
		{
			if (format ~ /charisma|laplace|spc/ && ($4 != "-" && !column[$3, "addr"] ||
				$5 != "-" && !column[$3, "size"] || $2 != "-" && !column[$3, "loc"])) {
				print "a column: " $0
				exit 1
			}
			for (i = 7; i <= NF; i++) {
				sub(/=.*/, "", $i)
				if (format == "charisma" && $i ~ /^(by|file|name|request|appl_id|client_id)$/)
					continue # by other fields
				if (format == "dumpi") { # parts of a status; what the record tells beside arguments
					if ($i ~ /^(cpu|cpudur|name|peer|recv_bytes|comm|PAPI_.*|x.x20.*)$/ || $3 ~ /_init$/ && $i == "bytes")
						continue
					if (!arg[$3, $i])
						sub(/\.(bytes|cancelled|error|source|tag|len)$/, "", $i)
				}
				if (format == "spc" && $i ~ /^x[0-9]+$/)
					continue
				if (!arg[$3, $i]) {
					print "not listed of " $3 ": " $i
					exit 1
				}
			}
		}' list all || { echo "$f"; return 1; }
	done
}

@test "the lists in the pages are what --events prints" {
	n=0
	for page in "$ROOT"/man/*.5; do
		! grep -q '^\.\\" EVENTS' "$page" || n=$((n + 1))
		sh "$ROOT/tests/gen/events_page.sh" "$page" | same "$page" -
	done
	[ "$n" = 4 ]
	# The fields of SPC's only row stand in its page.
	for f in $(events spc | head -1 | cut -f7 | tr ' ' '\n' | sed 's/:.*//'); do
		grep -qi "\b$f\b" "$ROOT/man/spc-trace.5" || { echo "$f"; return 1; }
	done
}

@test "every event has a sentence; no two lines of a format are of the same code and name" {
	trace-filter --events > all
	[ "$(head -1 all)" = "$(printf 'format\tevent\tcode\tname\trole\tpair\tfields\tsize\tpeer\tabout')" ]
	tail -n +2 all | awk -F'\t' 'NF != 10 || $10 !~ /^[A-Z].*[^ ]\.$/ || length($10) > 80 { print; bad = 1 } END { exit bad }'
	tail -n +2 all | cut -f1-3 | sort | uniq -d | same - /dev/null
	# Every format of the table but our own streams, and columns, whose layout names its events.
	status_is 2 trace-filter -f none x
	grep -o '(binary[^)]*)' <<<"$stderr" | tr -s '(), ' '\n' | grep -Ev '^(binary|text|columns)?$' | sort > want
	cut -f1 all | tail -n +2 | sort -u | same want -
	# A pair's lines name each other.
	awk -F'\t' '$5 == "enter" { print $2, $6 }' all > enter
	awk -F'\t' '$5 == "leave" { print $6, $2 }' all | same enter -
	[ "$(wc -l < enter)" = 163 ]
}

@test "--events reads nothing, takes no operands and goes to a file" {
	status_is 0 trace-filter --events -f spc <&-
	[ "$(wc -l <<<"$output")" = 3 ]
	status_is 2 trace-filter --events 'event?'
	has "$stderr" 'no operands'
	status_is 2 trace-filter --events -c
	has "$stderr" 'contradict'
	status_is 0 trace-filter --events -o list
	trace-filter --events | same list -
}

@test "Laplace's binary references decoded by their row alone are what the reader makes of them" {
	events laplace | head -1 | cut -f7 > row
	od -An -v -tx1 -w18 "$FIX/laplace/merged-head.ref" | awk '
		FNR == NR { n = split($0, f, " "); next }
		{
			at = 0
			for (i = 1; i <= n; i++) {
				split(f[i], w, ":")
				v[w[3]] = ""
				for (k = substr(w[2], 2) / 8; k; k--) # the lowest byte first
					v[w[3]] = $(++at) v[w[3]]
			}
			print v["event"], v["time"], v["size"], v["loc"], v["addr"]
		}' row - | sed 's/^69/i/; s/^72/r/; s/^77/w/' > want
	laplace-bin2txt --pad "$FIX/laplace/merged-head.ref" | same want -
	[ "$(wc -l < want)" = 200 ]
}

@test "SPC's lines cut by their row alone are what the reader makes of them" {
	events spc | head -1 | cut -f7 | tr ' ' '\n' | sed 's/.*:\(.*:.*\)/\1/' > row
	awk -F, 'FNR == NR { column[FNR] = substr($0, index($0, ":") + 1); next }
		{
			for (i = 1; i <= 5; i++)
				v[column[i]] = $i
			printf "%.9f\t%s\t%s\t%s\t%s\n", v["time"], v["loc"], toupper(v["event"]), v["addr"], v["size"]
		}' row "$FIX/spc/Financial1-head.spc" > want
	trace-filter 'event?' "$FIX/spc/Financial1-head.spc" | cut -f1-5 | same want -
	[ "$(wc -l < want)" -gt 100 ]
}
