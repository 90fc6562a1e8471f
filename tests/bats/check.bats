#!/usr/bin/env bats
# check.bats - trace-check: each rule is broken and kept; forms of the output, baseline, status.

load ../helpers

setup() {
	enter
}

# rule ID BAD GOOD [OPTIONS]: trace-check finds ID in BAD, in its file and its stream, and not in GOOD. A file is what
# `input` makes of the words, in t.
rule() {
	id=$1
	for want in "$2" "$3"; do
		rm -rf t t-* t.meta
		input "$want"
		# shellcheck disable=SC2086
		trace-check -W all --severity note --max 0 -f "$format" ${4-} ${inputs-t} > got 2> err || [ $? = 1 ] || { echo "$id: $(cat err)"; return 1; }
		if [ "$want" = "$2" ]; then
			grep -q "^t.*\[$id\]\$" got || { echo "$id is not found in $want:"; cat got; return 1; }
		elif grep "\[$id\]\$" got; then
			echo "$id is found in $want"
			return 1
		fi
	done
}

@test "each rule of SPC: what breaks it, and what does not" {
	format=spc
	# shellcheck disable=SC2059,SC2317
	input() { printf "$1" > t; }
	# shellcheck source=/dev/null
	. "$ROOT/tests/check/spc.sh"
}

@test "each rule of Laplace: what breaks it, and what does not" {
	format=laplace-text
	# shellcheck disable=SC2059,SC2317,SC2001
	input() {
		case $1 in
		refs:*) format=laplace; printf "${1#*:}" | laplace-bin2txt -r > t ;;
		hex:*) format=laplace; printf "$(sed 's/../\\x&/g' <<< "${1#*:}")" > t ;;
		stream:*) format=text; printf "${1#*:}" > t ;;
		both:*) format=laplace-text; printf 's 64 64\ns 66 65\nc\n' > t.kern; { printf "r ${1#*:} 4 1 1000\n"; } > t ;;
		*) format=laplace-text; printf "$1" > t ;;
		esac
	}
	# shellcheck source=/dev/null
	. "$ROOT/tests/check/laplace.sh"
}

@test "each rule of DUMPI and MPI: what breaks it, and what does not" {
	# shellcheck disable=SC2086,SC2317
	input() {
		format=dumpi inputs=t
		case $1 in
		file:*) python3 "$ROOT/tests/check/dumpi_file.py" t ${1#*:} ;;
		files:*)
			while read -r -d ';' name words; do
				case $name in
				*.meta) printf '%s\n' $words > "$name" ;;
				*) python3 "$ROOT/tests/check/dumpi_file.py" "$name" $words ;;
				esac
			done <<< "${1#*:};"
			inputs=$(echo t-*)
			[ ! -f t.meta ] || inputs=t.meta
			;;
		*)
			format=text
			awk -v words="$1" 'BEGIN {
				OFS = "\t"
				print "##spoor\t1\n##format\tdumpi\n##clock\ts\n##loc\trank/thread\n##meta\tdatatype.MPI_INT=4\n##meta\tdatatype.MPI_FLOAT=4\n##meta\tdatatype.MPI_BYTE=1"
				ranks = split(words, rank, / *[|] */)
				for (i = 1; left < ranks; i++)
					for (r = left = 0; r < ranks; r++) {
						n = split(rank[r + 1], call, / *; */)
						left += i >= n
						if (i > n) continue
						args = split(call[i], arg, / +/)
						name = arg[1]
						thread = name ~ /\^/ ? substr(name, index(name, "^") + 1) : ""
						sub(/\^.*/, "", name)
						time = name ~ /~/ ? substr(name, index(name, "~") + 1) : i ".0/0.5"
						sub(/~.*/, "", name)
						size = name ~ /@/ ? substr(name, index(name, "@") + 1) : "-"
						sub(/@.*/, "", name)
						sub("/", "\t", time)
						split(time, at, "\t")
						line = at[1] "\t" r (thread == "" ? "" : "/" thread) "\t" (name ~ /^Function/ ? "" : "MPI_") name "\t-\t" size "\t" at[2]
						for (k = 2; k <= args; k++) line = line "\t" arg[k]
						print line
					}
				print "##end"
			}' > t
			;;
		esac
	}
	# shellcheck source=/dev/null
	. "$ROOT/tests/check/dumpi.sh"
}

@test "no rule lacks its cases, and the page has every rule" {
	trace-check --list | cut -f 1 | grep -v '^input-' | sort > rules
	sed -n 's/^rule \([a-z-]*\) .*/\1/p' "$ROOT"/tests/check/*.sh | sort -u | same rules -
	sh "$ROOT/tests/make/page-rules.sh"
}

@test "places: lines and offsets of good records, numbers of events in a stream; a second place in parentheses" {
	{ awk 'BEGIN { for (i = 1; i < 2000; i++) printf "0,%d,512,R,%d.0\n", i, i }'; echo x; echo 0,281474976710656,512,R,2000.0; } > t
	trace-check t > got 2> err || [ $? = 1 ]
	printf 't:2000: error: field 2 (LBA) is missing: "x" [spc-fields]\nt:2001: warning: LBA 281474976710656 is beyond each disk: is it in bytes, or another field? [spc-lba-huge]\n' | same got -
	same err - <<< 'trace-check: 1 input, 2000 events: 1 error, 1 warning, 0 notes, of 2 rules'
	trace-filter -b 'event?' t 2> /dev/null | trace-check - 2> /dev/null | grep lba-huge > got || true
	same got - <<< '<stdin>: event 2000: warning: LBA 281474976710656 is beyond each disk: is it in bytes, or another field? [spc-lba-huge]'
}

@test "status: 0 without findings, 1 with one of the level, 2 without the input; damage is a finding" {
	printf '0,1,512,R,0.5\n' > good
	printf '0,1,512,R,0.5' > note
	printf 'x\n0,1,512,R,0.5\n' > bad
	trace-check good
	trace-check note
	status_is 1 trace-check --severity note note
	status_is 1 trace-check -f spc bad
	status_is 1 trace-check -f spc -q bad
	[ -z "$output$stderr" ]
	status_is 2 trace-check good none
	has "$stderr" 'none: No such file'
	status_is 0 trace-check -f spc -I "spc-*" bad
	status_is 1 trace-check -I 'spc-*' -W spc-fields=error --severity error -f spc bad
	status_is 0 trace-check -W spc-fields=warning --severity error -f spc bad
	status_is 2 trace-check -W no-such good
	has "$stderr" 'no rule is called no-such'
	status_is 2 trace-check -W spc-asu=bad good
	has "$stderr" 'RULE=note, RULE=warning or RULE=error is expected'
	status_is 2 trace-check --capacity 1 good
	has "$stderr" 'ASU=SIZE is expected'
	status_is 0 trace-check --part <(echo 1,1,512,R,0.5)
	status_is 1 trace-check <(echo 1,1,512,R,0.5)
}

@test "--max: how many findings of a rule are shown, and how many more there are" {
	awk 'BEGIN { for (i = 0; i < 30; i++) print "x"; print "0,1,512,R,0.5" }' > t
	status_is 1 trace-check -f spc t
	[ "$(wc -l <<< "$output")" = 10 ]
	has "$stderr" '^trace-check: 20 more of spc-fields are not shown$' '30 errors, 0 warnings, 0 notes, of 1 rule$'
	[ "$(trace-check -f spc --max 0 t 2> /dev/null | wc -l)" = 30 ]
	[ "$(trace-check -f spc --max 1 t 2> /dev/null | wc -l)" = 1 ]
}

@test "a baseline: known findings are not shown, although their numbers differ; what no longer occurs is counted" {
	printf 'x\n0,1,512,R,0.5\n0,1,512,R,0.4\n0,1,512,Z,0.6\n' > t
	trace-check -f spc t > known 2> /dev/null || [ $? = 1 ]
	status_is 0 trace-check --baseline known -f spc t
	[ -z "$output" ]
	printf 'x\n0,1,512,R,0.5\n\n0,1,512,R,0.3\n' > t
	status_is 1 trace-check --baseline known -f spc t
	same <(echo "$output") - <<< 't:3: error: an empty line is no record [spc-blank-line]'
	has "$stderr" '1 finding of the baseline no longer occurs'
	status_is 2 trace-check --baseline none t
}

@test "JSON: an object a line; SARIF has what its schema requires" {
	printf 'x\n0,1,512,R,0.5\n\n"\n' > 'a "b".spc'
	trace-check -f spc -J a* 2> /dev/null | python3 -c '
import json, sys
rows = [json.loads(line) for line in sys.stdin]
assert [(r["file"], r["line"], r["severity"], r["rule"]) for r in rows] == [
	("a \"b\".spc", n, "error", rule) for n, rule in ((1, "spc-fields"), (3, "spc-blank-line"), (4, "spc-fields"))], rows
assert rows[2]["message"].startswith("field 2 (LBA) is missing"), rows'
	trace-check -f spc --sarif a* > sarif 2> /dev/null || [ $? = 1 ]
	trace-check --sarif <(echo 0,1,512,R,0.5) > empty 2> /dev/null
	python3 - <<'END'
import json
for name, n in ("sarif", 3), ("empty", 0):
    log = json.load(open(name))
    run, = log["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert log["version"] == "2.1.0" and len(set(rules)) == len(rules) > 20 and run["tool"]["driver"]["name"] == "trace-check"
    assert len(run["results"]) == n
    for r in run["results"]:
        assert r["ruleId"] in rules and r["level"] in ("note", "warning", "error") and r["message"]["text"]
        place = r["locations"][0]["physicalLocation"]
        assert place["artifactLocation"]["uri"] and place["region"]["startLine"] > 0
        assert r["partialFingerprints"]
END
}

@test "--list and --explain: a line or a paragraph for each rule" {
	trace-check --list 'spc-*' > got
	[ "$(cut -f 2 got | sort -u | tr '\n' ' ')" = 'error note warning ' ]
	[ "$(wc -l < got)" = 25 ]
	[ "$(grep -c "	off	" got)" = 4 ]
	trace-check --explain spc-asu-dense > got
	same got - <<-'END'
		spc-asu-dense: error
		  Every ASU from 0 to the greatest one seen has a record.
		  Why: the document of the format says so.
		  A violation: ASUs 0 and 2 only
		  Not checked with --part.
	END
	status_is 2 trace-check --explain nothing
	has "$stderr" 'no rule is called nothing'
}
