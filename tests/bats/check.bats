#!/usr/bin/env bats
# check.bats - trace-check: each rule is broken and kept; forms of the output, baseline, status.

load ../helpers

setup() {
	enter
}

# rule ID BAD GOOD [OPTIONS]: trace-check finds ID in BAD, in its file and its stream, and not in GOOD. A file is what
# `input` makes of the words, in t. With streams=1, BAD is also held as a stream.
rule() {
	id=$1
	for want in "$2" "$3"; do
		rm -rf t t-* t.meta
		input "$want"
		# shellcheck disable=SC2086
		trace-check -W all --severity note --max 0 -f "$format" ${4-} ${inputs-t} > got 2> err || [ $? = 1 ] || { echo "$id: $(cat err)"; return 1; }
		if [ "$want" = "$2" ]; then
			grep -q "^[t/].*\[$id\]\$" got || { echo "$id is not found in $want:"; cat got; return 1; }
		elif grep "\[$id\]\$" got; then
			echo "$id is found in $want"
			return 1
		fi
	done
	[ -z "${streams-}" ] || rule_in_stream "$1" "$2"
}

# rule_in_stream ID BAD: trace-check finds ID also in the stream of BAD, unless the rule needs native bytes.
rule_in_stream() {
	! trace-check --explain "$1" | grep -q 'Not checked in a stream' || return 0
	rm -rf t
	input "$2"
	trace-filter -b 'event?' t > stream 2> /dev/null || true
	trace-check -W all --severity note --max 0 stream > got 2> /dev/null || true
	grep -q "^stream.*\[$1\]\$" got || { echo "$1 is not found in the stream of $2:"; cat got; return 1; }
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

@test "each rule of ovni: what breaks it, and what does not, in files and in a stream" {
	format=ovni
	# Prints a number as bytes, the least first.
	# shellcheck disable=SC2317
	bytes() {
		local hex
		hex=$(printf %016x "$2")
		for ((k = 14; k > 14 - 2 * $1; k -= 2)); do printf %s "${hex:k:2}"; done
	}
	# shellcheck disable=SC2317
	event() {
		local args=${1#*:} data='' jumbo='' a
		[ "$args" != "$1" ] || args=
		clock=$((clock + 10))
		case ${1%:*} in *@*) clock=${1%:*}; clock=${clock#*@} ;; esac
		case $args in *@*) clock=${args#*@}; args=${args%@*} ;; esac
		case $1 in
		OHx | OHx@*) args=$((n - 1)),-1,q0 ;;
		?[YO]c:[0-9]*) args=J,$args,x6100 ;;
		esac
		for a in ${args//,/ }; do
			case $a in
			J) jumbo=1 ;;
			q*) data+=$(bytes 8 "${a#q}") ;;
			x*) data+=${a#x} ;;
			*) data+=$(bytes 4 "$a") ;;
			esac
		done
		a=$((${#data} / 2))
		[ -z "$jumbo" ] || data=$(bytes 4 $a)$data
		printf -v a %02x $((jumbo ? 19 : a ? a - 1 : 0))
		hex+=$a$(printf %s "${1:0:3}" | od -An -tx1 | tr -d ' ')$(bytes 8 "$clock")$data
	}
	# shellcheck disable=SC2001,SC2059,SC2317
	input() {
		local n=0 clock=100 word threads
		mkdir t
		IFS='|' read -ra threads <<< "$1 "
		set -f
		for thread in "${threads[@]}"; do
			n=$((n + 1)) clock=100 hex=6f766e6901000000 dir=loom.n.1/proc.1/thread.$n
			json='{"version":3,"ovni":{"lib":{"version":"1.14.0","commit":"x"},"part":"thread","tid":'$n',"pid":1,"loom":"n.1","app_id":1,'
			json+='"require":{"ovni":"1.1.0","nosv":"2.7.0","mpi":"1.0.0","nanos6":"1.1.0","kernel":"1.0.0","openmp":"1.2.0","tampi":"1.0.0"},'
			json+='"loom_cpus":[{"index":0,"phyid":0},{"index":1,"phyid":1}],"finished":1}}'
			for word in $thread; do
				case $word in
				s/*) json=$(sed "$word" <<< "$json") ;;
				dir=*) dir=${word#dir=} ;;
				none) json= ;;
				cut) hex=${hex%??} ;;
				x*) hex=${word#x} ;;
				+*) printf "$(tr _ ' ' <<< "${word#+}")" > t/clock-offsets.txt ;;
				*) event "$word" ;;
				esac
			done
			mkdir -p "t/$dir"
			printf "$(sed 's/../\\x&/g' <<< "$hex")" > "t/$dir/stream.obs"
			[ -z "$json" ] || echo "$json" > "t/$dir/stream.json"
		done
		set +f
	}
	streams=1
	# shellcheck source=/dev/null
	. "$ROOT/tests/check/ovni.sh"
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
