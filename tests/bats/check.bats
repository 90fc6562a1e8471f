#!/usr/bin/env bats
# check.bats - trace-check: each rule is broken and kept; forms of the output, baseline, status.

load ../helpers

setup() {
	enter
}

# rule ID BAD GOOD [OPTIONS]: trace-check finds ID in BAD, and not in GOOD. A file is what `input` makes of the words, in t.
# With streams=1, BAD is also held as a stream, unless the rule needs native bytes.
rule() {
	id=$1
	checked "$2" "${4-}"
	grep -q "^[t/].*\[$id\]\$" got || { echo "$id is not found in $2:"; cat got; return 1; }
	if [ "${streams-}" ] && [[ $(trace-check --explain "$id") != *'Not checked in a stream'* ]]; then
		trace-filter -b 'event?' t > stream 2> /dev/null || true
		trace-check -W all --severity note --max 0 stream > got 2> /dev/null || true
		grep -q "^stream.*\[$id\]\$" got || { echo "$id is not found in the stream of $2:"; cat got; return 1; }
	fi
	checked "$3" "${4-}"
	! grep "\[$id\]\$" got || { echo "$id is found in $3"; return 1; }
}

# checked WORDS OPTIONS: the findings of that input, in got.
checked() {
	rm -rf t t-* t.meta
	input "$1"
	# shellcheck disable=SC2086
	trace-check -W all --severity note --max 0 -f "$format" $2 ${inputs-t} > got 2> err || [ $? = 1 ] || { echo "$id: $(cat err)"; return 1; }
}

@test "each rule of SPC: what breaks it, and what does not" {
	format=spc
	# shellcheck disable=SC2059,SC2317,SC2001
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

@test "each rule of CHARISMA: what breaks it, and what does not" {
	format=charisma
	# shellcheck disable=SC2059,SC2317,SC2001
	input() {
		{
			printf '##spoor\t1\n##format\tcharisma\n##clock\ts\torigin=760000000.000000000\n##loc\tclient\n'
			printf '##meta\t%s\n' layout=packed-lp64-le start_date=760000000 gmt_offset=0 timestamp=0 system_type=CRAY_T3D \
				num_processors=4 memory_per_proc=8 num_disks=1 num_IO_nodes=1 memory_per_disk=16 timestamp_unit=1e-06
			printf "$1" | awk '/^@/ || !NF { next } { $1 = sprintf("%d.%06d", $1 / 1000000, $1 % 1000000) } 1' OFS='\t'
			printf "$1" | awk '!/^@/ && NF { n++ } END { print "##end\tevents=" n + 0 }'
		} | trace-convert -T charisma > t
		printf "$1\n" | sed -n 's/^@//p' | while read -r at hex; do
			case $at in
			cut) truncate -s "-$hex" t ;;
			again) dd if=t of=head bs=1 skip=8 count=147 2> /dev/null; cat head >> t ;;
			*) printf "$(sed 's/../\\x&/g' <<< "$hex")" | dd of=t bs=1 seek="$at" conv=notrunc 2> /dev/null ;;
			esac
		done
	}
	# shellcheck source=/dev/null
	. "$ROOT/tests/check/charisma.sh"
}

# made FORMAT: the rules of the format's file, over inputs that make.py makes of all their words at once.
made() {
	needs python3
	(
		n=0
		# shellcheck disable=SC2317
		rule() {
			printf '%s\0' "in.$n" "$2" "in.$((n + 1))" "$3"
			n=$((n + 2))
		}
		# shellcheck source=/dev/null
		. "$ROOT/tests/check/$1.sh"
	) | python3 "$ROOT/tests/check/make.py" "$1"
	n=0
	# shellcheck source=/dev/null
	. "$ROOT/tests/check/$1.sh"
}

# Goes to the folder of the next input.
next_made() {
	cd "$BATS_TEST_TMPDIR/in.$n"
	n=$((n + 1))
}

@test "each rule of ovni: what breaks it, and what does not, in files and in a stream" {
	format=ovni streams=1
	# shellcheck disable=SC2317
	input() { next_made; }
	made ovni
}

@test "the verdicts of ovniemu: a trace that it refuses has a finding, and one that it accepts no error" {
	check=$TRACES/../oracles/check
	[ -e "$check/ovni-v3.tar.xz" ] || skip 'SPOOR_TRACES names no collection with verdicts beside it'
	tar -xJf "$check/ovni-v3.tar.xz"
	while IFS=$'\t' read -r name refused _; do
		[ -d "$name" ] || continue
		trace-check "$name" > got 2> err || [ $? = 1 ] || { echo "$name: $(cat err)"; return 1; }
		if [ "$refused" = 1 ]; then
			[ -s got ] || { echo "$name: nothing is found"; return 1; }
		elif grep ': error: ' got; then
			return 1
		fi
	done < "$check/ovniemu-verdicts.tsv"
}

@test "each rule of DUMPI and MPI: what breaks it, and what does not" {
	# shellcheck disable=SC2317
	input() {
		next_made
		format=text inputs=t
		case $1 in
		file:*) format=dumpi ;;
		files:*) format=dumpi inputs=$(echo t-*) ;;
		esac
		[ ! -f t.meta ] || inputs=t.meta
	}
	made dumpi
}

@test "no rule lacks its cases, and the page has every rule" {
	trace-check --list | cut -f 1 | grep -v '^input-' | sort > rules
	sed -n 's/^rule \([a-z-]*\) .*/\1/p' "$ROOT"/tests/check/*.sh | sort -u | same rules -
	sh "$ROOT/tests/make/page-rules.sh"
}

@test "places: lines and offsets of good records, numbers of events in a stream; a second place in parentheses" {
	seq 1999 | sed 's/.*/0,&,512,R,&.0/' > t
	printf 'x\n0,281474976710656,512,R,2000.0\n' >> t
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
    assert log["version"] == "2.1.0" and len(set(rules)) == len(rules) > 200 and run["tool"]["driver"]["name"] == "trace-check"
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

@test "references of Laplace are known as such although one has a type that is no letter" {
	for i in 0 1 2 3 4 5 6 7 8; do printf "r\\x0$i"'\0\0\0\0\0\0\0\4\1\0\0\0\20\0\0\0'; done > t.ref
	printf '\0\11\0\0\0\0\0\0\0\4\1\0\0\0\20\0\0\0' >> t.ref
	status_is 1 trace-check t.ref
	has "$output" '\[laplace-ref-type\]'
}
