#!/usr/bin/env bats
# json-lines.bats - objects of JSON as events, in lines and in arrays: -O columns=json.

load ../helpers

LAYOUT='json time=$ts*us dur=$dur*us event=$name loc=$pid/$tid size=$args.ret'

@test "random objects of JSON, and the same with bytes changed: as Python reads them, by every parser" {
	needs python3
	need_native
	local n=300
	[ -z "${SPOOR_FULL-}" ] || n=20000
	status_is 0 python3 "$ROOT/tests/oracle/json_lines.py" "$BIN" "$n" $((RANDOM * 32768 + RANDOM))
	has "$output" "^$n objects, [0-9]{2,} of $n changed ones refused, [0-9]{3,} lines by each parser: all as Python reads them\$"
}

@test "members of any order, of objects within objects: what jq gives" {
	needs jq
	awk 'BEGIN { srand(7); for (i = 0; i < 3000; i++) {
		m[0] = sprintf("\"ts\":%d", i * 1000 + int(rand() * 1000)); m[1] = sprintf("\"dur\": %d", rand() * 1e6)
		m[2] = sprintf("\"name\":\"%s\"", i % 7 ? "read" : "w\\u0072ite \\\"x\\\"\\ud83d\\ude00"); m[3] = "\"pid\":" i % 3
		m[4] = sprintf("\"args\":{\"a\":{\"b\":[1,{}]},\"ret\":%d}", rand() * 1e9); m[5] = "\"tid\":\"t" i % 5 "\""
		k = int(rand() * 6); s = ""
		for (j = 0; j < 6; j++) s = s (j ? " , " : "") m[(j * 5 + k) % 6]
		print "{" s "}" } }' > in.json
	jq -r '[.ts / 1e6, .pid, .tid, .name, .args.ret, .dur / 1e6] | "\(.[0])\t\(.[1])/\(.[2])\t\(.[3])\t\(.[4])\t\(.[5])"' in.json > want
	status_is 0 trace-filter -O columns="$LAYOUT" -o out '*' in.json
	awk -F '\t' '{ gsub(/\\x20/, " ", $3); printf "%.6g\t%s\t%s\t%s\t%.6g\n", $1, $2, $3, $5, $6 }' out > got
	awk -F '\t' '{ printf "%.6g\t%s\t%s\t%s\t%.6g\n", $1, $2, $3, $4, $5 }' want | same - got
	[ "$(wc -l < got)" -eq 3000 ]
}

@test "jsonl: all formats come back as the same events" {
	local f n=0 opt
	for f in "$FIX"/*/*; do
		opt=
		case $f in
		*.txt | *.md | *.calls) continue ;;
		*.chr) opt="-O preset=$(basename "$f" .chr)" ;;
		esac
		# shellcheck disable=SC2086
		trace-filter $opt '*' "$f" > want 2> /dev/null || [ $? = 2 ]
		# shellcheck disable=SC2086
		trace-export $opt -T jsonl "$f" > t.jsonl 2> /dev/null || [ $? = 2 ]
		[ -s want ] || continue
		status_is 0 trace-filter -o got '*' t.jsonl
		same want got
		n=$((n + 1))
	done
	[ "$n" -ge 30 ]
	# What only single formats have: times below 0, all values of 64 bits, an empty text and an empty list, names of columns.
	printf '%s\n' '-1.500000000|a\x20b|x|0xffffffffffffffff|18446744073709551615|-0.000000001|q=""|r=|s=\x2d|size=5|arg.addr=6|p\x3dq=1|t=-0' |
		tr '|' '\t' > want
	trace-export -T jsonl want > t.jsonl
	status_is 0 trace-filter -o got '*' t.jsonl
	same want got
}

@test "the last of two members of a name counts, which is told once" {
	printf '%s\n' '{"t":1,"a":{"x":1,"y":2},"e":"p","a":{"y":3}}' '{"t":1,"t":2,"e":"q"}' > in.json
	status_is 0 trace-filter -O columns='json time=$t event=$e *' '*' in.json
	[ "$output" = $'1.000000000\t-\tp\t-\t-\t-\ta.y=3\n2.000000000\t-\tq\t-\t-\t-' ]
	[ "$stderr" = 'trace-filter: in.json:1: an object has "a" twice: the last value counts, here and elsewhere' ]
}

@test "an array, whatever its newlines, and an object that has it: the same events" {
	needs python3
	python3 - << 'END'
import json, random
rnd = random.Random(3)
events = [dict(name="n%d" % (i % 3), ph="X", ts=i, dur=2, pid=1, tid=i % 2, args={"a": "]}{" * i, "b": {"c": []}}) for i in range(500)]
other = dict(otherData={"traceEvents": 5, "x": ["{"]}, traceEvents=events, displayTimeUnit="ns", samples=[{"ts": 1}])
for name, what in (("array", events), ("outer", other)):
    json.dump(what, open(name + ".json", "w"))
    json.dump(what, open(name + ".wide.json", "w"), indent=2)
lines = [json.dumps(e) for e in events]
open("comma.json", "w").write("[\n" + ",\n".join(lines) + ",\n")
open("bare.json", "w").write("[\n" + "\n".join(lines) + "\n]\n")
open("two.json", "w").write(json.dumps(events[:200]) + "\n" + json.dumps(dict(traceEvents=events[200:])))
open("lines.json", "w").write("\n".join(lines) + "\n")
END
	local f
	status_is 0 trace-filter -O columns=chrome -o want '*' lines.json
	[ "$(wc -l < want)" -eq 500 ]
	for f in array array.wide outer outer.wide comma bare two; do
		status_is 0 trace-filter -O columns=chrome -o got '*' $f.json
		same want got
		status_is 0 trace-filter --tune read=1 -O columns=chrome -o got '*' $f.json
		same want got
	done
	# What is cut within an event is told, with its line.
	head -c 20000 array.json > cut.json
	status_is 2 trace-filter -O columns=chrome -c '*' cut.json
	[ "$output" -gt 10 ]
	has "$stderr" '^trace-filter: cut.json:1: the text ends where more is expected'
	status_is 2 trace-filter -O columns=chrome '*' <<< $'[{"ts":1,"name":"a","ph":"i"},\n{"ts":x},\n5,\n{"ts":2,"name":"b","ph":"i"}]'
	[ "$(cut -f 3 <<< "$output")" = $'a\nb' ]
	has "$stderr" '^trace-filter: <stdin>:2: no value'
	has "$stderr" '^trace-filter: <stdin>:3: the value is no JSON object'
}

@test "chrome: begins and ends are pairs, metadata are no events" {
	cat > in.json << 'END'
{"traceEvents":[{"ph":"M","pid":1,"name":"process_name","args":{"name":"p"}},
{"ph":"B","ts":10,"pid":1,"tid":2,"name":"f","args":{"x":1}},{"ph":"B","ts":11.5,"pid":1,"tid":2,"name":"g"},
{"ph":"E","ts":13.75,"pid":1,"tid":2},{"ph":"E","ts":20,"pid":1,"tid":2},
{"ph":"C","ts":21,"pid":1,"name":"mem","args":{"used":7}},{"ph":"i","ts":22,"pid":1,"tid":2,"s":"t","name":"now"}]}
END
	status_is 0 trace-pair -O columns=chrome --begin 'ph = B' --end 'ph = E' in.json
	[ "$(cut -f 1-3,6 <<< "$output")" = $'0.000010000\t1/2\tf\t0.000010000\n0.000011500\t1/2\tg\t0.000002250' ]
	status_is 0 trace-filter -F time,loc,event,ph,used -O columns=chrome 'ph = C or ph = i' in.json
	[ "$output" = $'0.000021000\t1/-\tmem\tC\t7\n0.000022000\t1/2\tnow\ti\t-' ]
	# Our own: what it was made of.
	trace-export -T chrome "$FIX/runs/solver.meta" > own.json
	status_is 0 trace-stats -O columns=chrome -g event -a 'count,sum(size),sum(dur)' own.json
	[ "$output" = "$(trace-stats -g event -a 'count,sum(size),sum(dur)' "$FIX/runs/solver.meta")" ]
}

@test "dftracer and bpftrace are found; events that were lost are told" {
	printf '%s\n' '[' '{"id":0,"name":"FH","cat":"dftracer","pid":7,"tid":8,"ph":"M","args":{"name":"/a","value":"ab"}}' \
		'{"id":1,"name":"read","cat":"POSIX","pid":7,"tid":8,"ts":1697571000000001,"dur":5,"ph":"X","args":{"ret":4096,"fhash":"ab"}}' \
		'{"id":2,"name":"read","cat":"POSIX","pid":7,"tid":8,"ts":1697571000000101,"dur":6,"ph":"X","args":{"ret":-1,"fhash":"ab"}}' > x.pfw
	gzip -k x.pfw
	status_is 0 trace-filter -A '*' x.pfw.gz
	[ "$output" = "$(trace-filter -A '*' x.pfw 2> /dev/null)" ]
	[ "$(cut -f 1-6 <<< "$output")" = $'1697571000.000001000\t7/8\tread\t-\t4096\t0.000005000\n1697571000.000101000\t7/8\tread\t-\t-\t0.000006000' ]
	printf '%s\n' '{"type": "attached_probes", "data": {"probes": 1}}' '{"type": "printf", "data": "hello 5\n"}' \
		'{"type": "lost_events", "count": 7, "data": {"events": 7}}' '{"type": "map", "data": {"@": {"a": 1}}}' > b.json
	status_is 2 trace-filter -F event,data '*' b.json
	[ "$output" = $'printf\thello\\x205\\x0a\nmap\t{"@":\\x20{"a":\\x201}}' ]
	has "$stderr" 'b.json: the recorder lost 7 events$'
}

@test "auto describes lines of JSON, and the description reads them" {
	printf '{"ts":169757100000%04d,"op":"read","pid":%d,"bytes":512,"args":{"x y":1}}\n' 1 2 5 3 9 2 > in.json
	status_is 0 trace-filter -O columns=auto '*' in.json
	echo "$output" > layout
	has "$output" '^json$'
	has "$output" '^time=\$ts\*us epoch=1970'
	has "$output" '^event=\$op\{read:R,\*\}'
	has "$output" '^loc=pid:\$pid'
	has "$output" '^size=\$bytes'
	has "$output" '^\*$'
	status_is 0 trace-stats -O columns=layout -g pid -a 'count,sum(size)' in.json
	[ "$output" = $'#pid\tcount\tsum(size)\n2\t2\t1024\n3\t1\t512' ]
}

@test "lines of 16 MiB, and longer ones; deep brackets, many members" {
	{ printf '{"t":1,"e":"a","x":"'; head -c 16000000 /dev/zero | tr '\0' y; printf '"}\n'
		printf '{"t":2,"e":"a","x":"'; head -c 17000000 /dev/zero | tr '\0' y; printf '"}\n{"t":3,"e":"a","x":"z"}\n'; } > long.json
	status_is 2 trace-stats -O columns='json time=$t event=$e x=$x' -g time -a 'sum(len(x))' long.json
	[ "$output" = $'#time\tsum(len(x))\n1.000000000\t16000000\n3.000000000\t1' ]
	has "$stderr" '^trace-stats: long.json:2: the line is longer than 16 MiB$'
	{ echo '['; cat long.json; } > array.json
	status_is 2 trace-stats -O columns='json time=$t event=$e x=$x' -g time -a 'sum(len(x))' array.json
	[ "$output" = $'#time\tsum(len(x))\n1.000000000\t16000000\n3.000000000\t1' ]
	{ printf '{"t":1,"e":"a","x":'; printf '%01023d' 0 | tr 0 '['; printf '%01023d' 0 | tr 0 ']'; printf '}\n{"t":2,"e":"a","x":'
		printf '%01025d' 0 | tr 0 '['; printf '%01025d' 0 | tr 0 ']'; echo '}'; } > deep.json
	status_is 2 trace-filter -F time -O columns='json time=$t event=$e *' '*' deep.json
	[ "$output" = 1.000000000 ]
	has "$stderr" '^trace-filter: deep.json:2: brackets are nested too deep$'
	awk 'BEGIN { for (n = 1021; n <= 1022; n++) { printf "{\"t\":%d,\"e\":\"a\"", n; for (i = 0; i < n; i++) printf ",\"m%d\":%d", i, i; print "}" } }' > many.json
	status_is 2 trace-filter -O columns='json time=$t event=$e *' '*' many.json
	[ "$(awk -F '\t' '{ print NF }' <<< "$output")" = 1027 ]
	has "$stderr" '^trace-filter: many.json:2: more than 1023 members$'
}

@test "in parts, by threads, and as it stood" {
	awk 'BEGIN { for (i = 0; i < 20000; i++) printf "{\"ts\":%d,\"name\":\"n%d\",\"args\":{\"ret\":%d},\"dur\":1,\"pid\":1,\"tid\":%d}\n", i, i % 5, i * 7, i % 3 }' > in.json
	trace-stats -j 1 -O columns="$LAYOUT" -g loc,event -a 'count,sum(size)' in.json > want
	status_is 0 trace-stats -j 3 -O columns="$LAYOUT" -g loc,event -a 'count,sum(size)' in.json
	same want - <<< "$output"
	for k in 1 2 3; do trace-stats -p --chunk $k/3 -O columns="$LAYOUT" -g loc,event -a 'count,sum(size)' in.json > part.$k; done
	status_is 0 trace-stats -m part.1 part.2 part.3
	same want - <<< "$output"
	status_is 0 trace-filter -n -O columns="$LAYOUT" 'size = 700' in.json
	[ "$output" = '{"ts":100,"name":"n0","args":{"ret":700},"dur":1,"pid":1,"tid":1}' ]
}

@test "descriptions of JSON that are wrong" {
	local layout
	for layout in 'json time=$1 event=$e' 'json time=$t event=$e columns=3' 'json time=$t event=$e- ' 'time=$1 event=$2 *' \
		'json header time=$t event=$e' 'json time=$t event=$e *=5' 'json time=$t event=$a|$b|$c|$d' 'json time=$a|$b event=e' \
		'json line={$a} time=$a event=b' 'json sep=tab decimal=comma time=$t event=e'; do
		status_is 2 trace-filter -O columns="$layout" '*' "$FIX/README.md"
		has "$stderr" '^trace-filter: -O columns.*: '
		[ -z "$output" ]
	done
}
