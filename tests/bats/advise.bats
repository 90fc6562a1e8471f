#!/usr/bin/env bats
# advise.bats - trace-advise: each rule on made traces on both sides of its threshold; the commands that prove findings
# are run, and their numbers are those of the findings; Drishti's formulas; forms of output.

bats_require_minimum_version 1.5.0
load ../helpers

# found FILE OPTION...: the rules that are found, after their commands have shown the same numbers.
found() {
	advised "$@"
	proven < json
}

# advised FILE OPTION...: what is found, in json.
advised() {
	trace-advise -J "${@:2}" "$1" 2> said > json || [ $? = 1 ] || { cat said; return 1; }
}

proven() { python3 "$ROOT/tests/oracle/advise.py" "$BIN" || { cat said json; return 1; }; }

# sides RULE MAKER BELOW ABOVE: the traces that MAKER makes of two lists of numbers, on both sides of the threshold. Only the
# command of that rule is run: the other rules have traces of their own.
sides() {
	local rule=$1 maker=$2
	rm -rf trace
	# shellcheck disable=SC2086  # lists of numbers
	"$maker" $3
	advised trace
	! grep -F "\"rule\": \"$rule\"," json || { echo "$rule: found with $3"; return 1; }
	rm -rf trace
	# shellcheck disable=SC2086
	"$maker" $4
	advised trace
	grep -F "\"rule\": \"$rule\"," json > one || { echo "$rule: not found with $4"; cat said json; return 1; }
	proven < one > rules
}

# num EXPRESSION: its value, to nine decimals.
num() { awk "BEGIN { printf \"%.9f\", $1 }"; }

# A stream of text: of FORMAT, whose places are LOC.
stream() { # FORMAT LOC
	printf '##spoor\t1\n##format\t%s\n##clock\t%s\n##loc\t%s\n' "$1" "${3:-s}" "$2"
	cat
	printf '##end\n'
}

# many NUMBER LINE: that line of a stream so many times, with the time in %s.
many() { awk -v n="$1" -v line="$2" -v from="${3:-0}" -v step="${4:-0.001}" 'BEGIN { for (i = 0; i < n; i++) printf line "\n", from + i * step, from + i }' /dev/null; }

small() { { many "$1" '%.3f\ta\tread\t0\t4096\t-'; many "$2" '%.3f\ta\tread\t0\t1048576\t-' 10; } > trace; }
unaligned() { { many "$1" '%.3f\ta\tread\t4097\t4096\t-'; many "$2" '%.3f\ta\tread\t8192\t4096\t-' 10; } > trace; }
# Of one byte: at 0 again and again, then onwards.
jumps() { { many "$2" "%.3f\ta\t$1\t0\t1\t-"; many "$3" "%.3f\ta\t$1\t%d\t1\t-" 10 1; } > trace; }
reread() { { many "$1" '%.1f\ta\tread\t0\t4096\t-' 0 1; awk -v n="$2" 'BEGIN { for (i = 1; i <= n; i++) printf "%d.0\ta\tread\t%.0f\t4096\t-\n", 5000 + i, i * 4096 }'; } > trace; }
files() { { many "$1" '%.3f\t1\tread\t0\t1\t-\tfile=7'; many "$2" '%.3f\t1\tread\t0\t1\t-\tfile=8' 10; many 9 '%.3f\t1\tread\t0\t999\t-' 20; } | stream charisma client > trace; }
nodes() { { many "$1" '%.3f\ta\tread\t0\t1\t-'; many "$2" '%.3f\tb\tread\t0\t1\t-' 10; } > trace; }
metadata() { many "$1" "%.3f\ta\topenat\t-\t-\t$2" 0 5 > trace; }
opens() { { many "$1" '%.3f\ta\topen\t-\t-\t-'; many 1 "%.3f\ta\tread\t0\t$2\t-" 9; } > trace; }
writer() { { many "$1" '%.3f\ta\twrite\t0\t1\t-'; many "$2" '%.3f\tb\twrite\t0\t1\t-' 10; many 5 '%.3f\tc\tread\t0\t1\t-' 20; } > trace; }
straggler() { { many 100 '%.3f\t1\tread\t0\t1\t1.0\tfile=7' 0 2; many "$1" '%.3f\t2\tread\t0\t1\t1.0\tfile=7' 1 2; } | stream charisma client > trace; }
burst() { { many "$1" '%.4f\ta\tread\t0\t1\t-' 0 0.001; awk -v n="$2" 'BEGIN { for (i = 1; i <= n; i++) printf "%.9f\ta\tread\t0\t1\t-\n", i == n ? 20 : 1 + 18 * i / n }'; } > trace; }
grouped() { { many "$1" '%.3f\ta\tread\t0\t1\t0.000010000'; many "$2" "%.3f\ta\tread\t0\t1\t$3" 10; } > trace; }
tailed() { { many 980 '%.3f\ta\tread\t0\t1\t0.001'; many 20 "%.3f\ta\tread\t0\t1\t$1" 10; } > trace; }
queue() { awk -v d="$1" 'BEGIN { for (k = 0; k < 34; k++) for (i = 0; i < d; i++) printf "%d.0\ta\tread\t0\t1\t1.0\n", k }' > trace; }
alone() { many 1000 "%.3f\ta\tread\t0\t1\t$1" 0 1 > trace; [ $# = 1 ] || printf '0.1\ta\tread\t0\t1\t0.1\n' >> trace; }
hot() { awk -v h="$1" -v c="$2" 'BEGIN { for (b = 0; b < 100; b++) for (i = 0; i < (b < 10 ? h : c); i++) printf "%d.0\ta\tread\t%d\t1\t-\n", t++, b * 4096 }' > trace; }
disk() { { many "$1" '0,800,512,r,%.3f'; many "$2" '0,800,4096,r,%.3f' 10; } > trace; }
disk_unaligned() { { many "$1" '0,801,4096,r,%.3f'; many "$2" '0,800,4096,r,%.3f' 10; } > trace; }
disk_random() { awk -v n="$1" -v m="$2" 'BEGIN { for (i = 1; i <= n; i++) printf "0,%d,512,r,%.3f\n", i * 1000, i / 1000
	for (i = 1; i <= m; i++) printf "0,%d,512,r,%.3f\n", 5000000 + i, 10 + i / 1000 }' > trace; }
units() { { many "$1" '0,8,512,r,%.3f'; many "$2" '1,8,512,r,%.3f' 10; } > trace; }

@test "requests: each rule on both sides of its threshold, and its command gives its numbers" {
	needs python3
	# 1000 of 10000 are a tenth; 999 are too few.
	sides io-small small '1000 9000' '1000 8999'
	sides io-small small '999 0' '1000 0'
	sides io-unaligned unaligned '100 900' '101 900'
	sides io-unaligned unaligned '999 0' '1000 0'
	sides io-random-reads jumps 'read 1000 4000' 'read 1000 3999'
	sides io-random-reads jumps 'read 999 9' 'read 1001 9'
	sides io-random-writes jumps 'write 1000 4000' 'write 1000 3999'
	# Of 300 blocks 30 are read again, and of 299.
	sides io-reread reread '31 269' '31 268'
	sides io-file files '650 350' '651 349'
	sides io-node nodes '650 350' '651 349'
	sides io-metadata metadata '10 3.0' '10 3.1'
	sides io-metadata metadata '9 30.0' '10 30.0'
	sides io-opens opens '100 6553600' '100 6553599'
	sides io-opens opens '99 1' '100 1'
	sides io-writer writer '90 10' '91 9'
	sides io-straggler straggler 85 84
	sides io-burst burst '500 500' '501 499'
	sides io-burst burst '999 0' '999 1'
	sides io-groups grouped '900 100 0.001' '899 101 0.001'
	sides io-groups grouped '500 500 0.000020' '500 500 0.000040'
	sides io-tail tailed 0.010 0.011
	sides io-depth queue 32 33
	sides io-serial alone 0.89 0.91
	sides io-serial alone '0.91 two' 0.91
	sides io-hot hot '108 3' '109 3'
	sides spc-small disk '1000 9000' '1000 8999'
	sides spc-unaligned disk_unaligned '100 900' '101 900'
	sides spc-random disk_random '1000 4000' '1000 3999'
	sides spc-unit units '650 350' '651 349'
}

# call TIME RANK NAME SIZE DUR ARGUMENTS...: a line of a text stream.
call() {
	local IFS=$'\t'
	printf '%s\t%s\t%s\t-\t%s\n' "$1" "$2" "$3" "${*:4}"
}
# A run: calls, sorted by time.
run() { sort -s -n | { printf '##meta\tmeta.numprocs=%s\n' "$1"; cat; } | stream dumpi rank/thread > trace; }
# Ranks 0 and 1 send N messages each to rank 2, late by A and B seconds: LATE or not (synchronous, and received late).
late() { # N A B SENDER
	for ((i = 0; i < $1; i++)); do
		for r in 0 1; do
			local by=$2
			[ "$r" = 0 ] || by=$3
			local at=$((10 * (2 * i + r)))
			if [ "$4" = sender ]; then
				call $at.0 2 MPI_Recv 8 5.0 comm=MPI_COMM_WORLD source=$r tag=1 status.bytes=8 status.source=$r status.cancelled=0 status.tag=1
				call "$at.$by" $r MPI_Send 8 0.01 comm=MPI_COMM_WORLD dest=2 tag=1
			else
				call $at.0 2 MPI_Ssend 8 5.0 comm=MPI_COMM_WORLD dest=$r tag=1
				call "$at.$by" $r MPI_Recv 8 0.01 comm=MPI_COMM_WORLD source=2 tag=1 status.bytes=8 status.source=2 status.cancelled=0 status.tag=1
			fi
		done
	done | run 3
}
# Two ranks compute A and B seconds, and are in barriers of C seconds.
compute() {
	for r in 0 1; do
		local d=$1
		[ $r = 0 ] || d=$2
		call 0.0 $r MPI_Init - 1.0
		# Ten times a tenth of it, each before a call that takes no time, or a barrier.
		for i in 1 2 3 4 5 6 7 8 9; do call "$(num "1 + $d * $i / 10")" $r MPI_Comm_rank - 0.0; done
		call "$(num "1 + $d")" $r MPI_Barrier - "$3" comm=MPI_COMM_WORLD
		call "$(num "1 + $d + $3")" $r MPI_Finalize - 0.0
	done | run 2
}
# A rank waits A of 100 seconds in ten calls.
waits() {
	for r in 0 1; do
		call 0.0 $r MPI_Init - 0.0
		for i in 1 2 3 4 5 6 7 8 9 10; do call $((i * 9)).0 $r MPI_Wait - "$(num "$1 / 10")" request=3 status.bytes=0; done
		call 100.0 $r MPI_Finalize - 0.0
	done | run 2
}
# Rank 1 comes A seconds late to each of N barriers, in a run of 100 seconds.
barriers() {
	for ((i = 1; i <= $1; i++)); do
		call $((i * 20)).0 0 MPI_Barrier - 15.0 comm=MPI_COMM_WORLD
		call "$(num "$i * 20 + $2")" 1 MPI_Barrier - 0.01 comm=MPI_COMM_WORLD
	done | { for r in 0 1; do call 0.0 $r MPI_Init - 0.0; call 100.0 $r MPI_Finalize - 0.0; done; cat; } | run 2
}
# Collective operations of A small and B great sizes; messages of A small and B great sizes.
collectives() {
	awk -v a="$1" -v b="$2" 'BEGIN { for (i = 0; i < a + b; i++) for (r = 0; r < 2; r++)
		printf "%d.0\t%d\tMPI_Bcast\t-\t%d\t0.5\tcomm=MPI_COMM_WORLD\troot=0\n", i, r, i < a ? 2048 : 2049 * 2 }' | run 2
}
messages() {
	awk -v a="$1" -v b="$2" 'BEGIN { OFS = "\t"; for (i = 0; i < a + b; i++) { s = i < a ? 1024 : 1025
		print i ".0", 0, "MPI_Send", "-", s, "0.1", "comm=MPI_COMM_WORLD", "dest=1", "tag=1"
		print i ".2", 1, "MPI_Recv", "-", s, "0.1", "comm=MPI_COMM_WORLD", "source=0", "tag=1", "status.bytes=" s, "status.source=0", "status.cancelled=0", "status.tag=1" } }' | run 2
}
# Rank 0 computes alone for A of 100 seconds; the others are in MPI_Recv.
serial() {
	{
		for r in 0 1 2; do call 0.0 $r MPI_Init - 0.0; call 100.0 $r MPI_Finalize - 0.0; done
		for r in 1 2; do call 10.0 $r MPI_Probe - "$1"; done
	} | run 3
}

@test "MPI: each rule on both sides of its threshold, and its command gives its numbers" {
	needs python3
	sides mpi-late-sender late '10 5 5 sender' '10 6 5 sender'
	sides mpi-late-sender late '9 6 1 sender' '10 6 1 sender'
	sides mpi-late-receiver late '10 5 5 receiver' '10 6 5 receiver'
	# 80 seconds in the mean of 100 and 60; of 100 and 59 it is less.
	sides mpi-balance compute '100 60 1' '100 59 1'
	sides mpi-communication compute '80 80 20' '79 79 21'
	sides mpi-wait waits 25 26
	sides mpi-collective-wait barriers '4 2.5' '4 2.6'
	sides mpi-collective-wait barriers '3 9' '4 9'
	sides mpi-tiny-collectives collectives '1000 1000' '1001 1000'
	sides mpi-small-messages messages '1000 1000' '1001 1000'
	sides mpi-serial serial 30.0 31.5
}

# An ovni trace of the threads n/1/T: lines TIME T EVENT ARGUMENTS...
threads() { sort -s -n | awk -F '\t' -v OFS='\t' '{ $2 = "n/1/" $2 OFS $3 OFS "-" OFS "-"; $3 = "-"; print }' | stream ovni loom/pid/tid | trace-convert -T ovni -o trace; }
lines() { printf '%s\t%s\t%s' "$1" "$2" "$3"; [ $# -le 3 ] || printf '\t%s' "${@:4}"; echo; }
begin() { lines "$1" "$2" OHx "cpu=$3" tid=1 tag=0; }
idle() { { begin 0.0 1 0; lines 1.0 1 OHp; lines "$1" 1 OHr; lines 10.0 1 OHe; } | threads; }
task_waits() { { begin 0.0 1 0; for ((i = 1; i <= $1; i++)); do lines $i.0 1 PTt; lines "$i.$2" 1 PTT; done; lines 20.0 1 OHe; } | threads; }
cpus() { { begin 0.0 1 0; lines "$1" 1 OHe; begin 0.0 2 1; lines "$2" 2 OHe; } | threads; }
preempted() { { begin 0.0 1 0; for ((i = 1; i <= $1; i++)); do lines $i.0 1 KCO; lines "$i.$2" 1 KCI; done; lines 20.0 1 OHe; } | threads; }
tasks() { { begin 0.0 1 0; lines 0.0 1 VYc typeid=1 label=t; awk -v n="$1" -v d="$2" 'BEGIN { OFS = "\t"; for (i = 1; i <= n; i++) {
	printf "%.9f\t1\tVTc\ttaskid=%d\ttypeid=1\n%.9f\t1\tVTx\ttaskid=%d\tbodyid=1\n%.9f\t1\tVTe\ttaskid=%d\tbodyid=1\n", i, i, i, i, i + d, i } }'; lines 2000.0 1 OHe; } | threads; }
refs() { awk -v n="$1" -v m="$2" 'BEGIN { OFS = "\t"; for (i = 0; i < n; i++) print i, "0x1", "r", sprintf("0x%x", i % m * 4096), 4, "-" }' | stream laplace space ticks > trace; }

@test "tasks and memory: each rule on both sides of its threshold, and its command gives its numbers" {
	needs python3
	sides ovni-idle idle 6.0 6.1
	# Ten waits of half a second in 20 seconds are a quarter.
	sides ovni-wait task_waits '10 5' '10 6'
	sides ovni-wait task_waits '9 9' '10 9'
	sides ovni-cpu cpus '6.5 3.5' '6.6 3.4'
	sides ovni-preempted preempted '10 1' '10 2'
	sides ovni-preempted preempted '9 9' '10 9'
	sides ovni-small-tasks tasks '1000 0.00001' '1000 0.000009'
	sides ovni-small-tasks tasks '999 0.000009' '1000 0.000009'
	sides laplace-working-set refs '5000 256' '5000 257'
	sides laplace-cold refs '1000 100' '1000 101'
	sides laplace-cold refs '999 999' '1000 999'
}

@test "each rule of --list has a test of both sides here, a threshold that can be set, and an explanation" {
	trace-advise --list | sed 1d > list
	[ "$(wc -l < list)" -ge 24 ]
	while IFS=$'\t' read -r rule severity limit size least formats source; do
		grep -q "^	sides $rule " "$ROOT/tests/bats/advise.bats" || { echo "no test: $rule"; return 1; }
		[[ $severity == @(note|warning|error) && $limit == [\<\>]\ * && $source ]]
		status_is 0 trace-advise --explain "$rule"
		has "$output" "^$rule: "
		has "$output" "^severity	$severity$"
		has "$output" "^formats	$formats$"
		has "$output" " >= $least$"
		status_is 0 trace-advise --threshold "$rule=7.5" --threshold "$rule.least=3" --list
		grep -q "^$rule	$severity	. 7.5	$size	3	" <<<"$output"
		[ "$size" = - ] || status_is 0 trace-advise --threshold "$rule.size=9K" --list
		[ "$size" = - ] || grep -q "^$rule	.*	9K	" <<<"$output"
		# A command names its columns, and the words are of them.
		[ "$(trace-advise --explain "$rule" | grep -c '{[^}]* ')" = 0 ]
	done < list
	status_is 2 trace-advise --explain nothing
	status_is 2 trace-advise --threshold nothing=3 "$FIX/runs/solver.meta"
	status_is 2 trace-advise --threshold io-small "$FIX/runs/solver.meta"
	status_is 2 trace-advise --threshold io-small=x "$FIX/runs/solver.meta"
	status_is 2 trace-advise --threshold io-small=-1 "$FIX/runs/solver.meta"
	status_is 2 trace-advise --threshold io-hot.size=1 "$FIX/runs/solver.meta"
	status_is 2 trace-advise --threshold io-hot.most=1 "$FIX/runs/solver.meta"
	status_is 2 trace-advise --severity bad "$FIX/runs/solver.meta"
	status_is 2 trace-advise --follow "$FIX/runs/solver.meta"
	status_is 2 trace-advise --chunk 1/2 "$FIX/runs/solver.meta"
}

@test "Drishti's formulas over the counters of trace-access darshan" {
	needs python3
	for f in "$FIX"/charisma/{cm5,ilp32-be-esize,ipsc860,lp64-le,packed-lp64-le}.chr; do
		# Requests without a file are in no row of darshan.
		[ "$(trace-filter -c '(read or write) and size? and not file?' "$f" 2> /dev/null)" = 0 ] || continue
		trace-advise -J --threshold 'io-*=0' --threshold 'io-*.least=0' --ignore io-opens "$f" > json 2> said || [ $? = 1 ]
		trace-access --csv darshan "$f" 2> /dev/null | python3 -c '
import csv, json, math, sys
rows = list(csv.DictReader(sys.stdin))
def total(*names):
    return sum(int(row[name]) for row in rows for name in names)
n = total("READS", "WRITES")
sizes = ("0_100", "100_1K", "1K_10K", "10K_100K", "100K_1M")
want = {
    "io-small": total(*("SIZE_" + way + "_" + size for way in ("READ", "WRITE") for size in sizes)) / n,
    "io-unaligned": total("FILE_NOT_ALIGNED") / n,
    "io-random-reads": (total("READS") - total("SEQ_READS")) / max(total("READS"), 1),
    "io-random-writes": (total("WRITES") - total("SEQ_WRITES")) / max(total("WRITES"), 1),
}
slow = [(float(row["F_SLOWEST_RANK_TIME"]) - float(row["F_FASTEST_RANK_TIME"])) / float(row["F_SLOWEST_RANK_TIME"])
        for row in rows if row["F_SLOWEST_RANK_TIME"] not in ("", "-") and float(row["F_SLOWEST_RANK_TIME"]) > 0]
if slow:
    want["io-straggler"] = max(slow)
got = {x["rule"]: x["value"] for x in map(json.loads, open("json"))}
for rule, value in want.items():
    if not math.isclose(got.get(rule, 0), value, rel_tol=1e-8):
        sys.exit("%s: %s, Drishti %s" % (rule, got.get(rule), value))
' || { echo "$f"; cat said; return 1; }
	done
}

# rules_of FILE...: FILE and its rules, a line each, in order.
rules_of() { trace-advise "$@" 2> /dev/null | sed -n 's/^\([^ ]*\): \(.*\): .* \[\(.*\)\]$/\1 \2 \3/p' | sed 's/: .*\( [^ ]*\)$/\1/'; }

@test "the samples: these findings and no others, with their numbers" {
	needs python3
	sh "$ROOT/tests/make/examples.sh" demo > /dev/null
	cd demo
	for f in Financial1.spc WebSearch2.spc example.spc kernel.txt out refs.bin refs.kern tags.txt three.kern three.ref trace.chr; do
		trace-advise "$f" > got 2> said || [ "$f$?" = example.spc2 ]
		same got /dev/null
	done
	cat > want <<-'END'
		solver.meta: warning: rank 2 is waited for: 78 % of the time that receivers wait for late senders (0.0468 of 0.0598 s) [mpi-late-sender]
		tasks: warning: CPU 3 of node0 runs threads 1.54 times as long as the mean of 4 CPUs: 0.000183 s, the mean is 0.000119 s [ovni-cpu]
		solver.meta: warning: load balance 0.769: rank 2 computes 0.0764 s, the mean is 0.0587 s [mpi-balance]
		tasks: note: thread node0/100/100 is paused 75 % of its life: 0.000166 of 0.00022 s [ovni-idle]
	END
	status_is 1 trace-advise solver.meta tasks
	grep -v '^    ' <<<"$output" | same want -
	# With few events, too.
	for f in solver.meta tasks trace.chr Financial1.spc WebSearch2.spc refs.bin three.ref out; do
		trace-advise -J --threshold '*.least=0' "$f" 2> said > json || [ $? = 1 ]
		echo "$f: $(python3 "$ROOT/tests/oracle/advise.py" "$BIN" < json | xargs)"
	done > got
	cat > want <<-'END'
		solver.meta: mpi-late-sender mpi-balance mpi-tiny-collectives
		tasks: ovni-preempted ovni-cpu ovni-idle
		trace.chr: io-small io-unaligned io-random-writes io-node io-file
		Financial1.spc: spc-unit spc-unaligned spc-small spc-random
		WebSearch2.spc: spc-random
		refs.bin:
		three.ref: laplace-cold
		out: io-tail io-opens io-node
	END
	sed 's/ *$//' got | same want -
	# The efficiencies of POP, by its formulas.
	trace-advise -J --threshold 'mpi-[bc]*=1' solver.meta > json || [ $? = 1 ]
	grep -o '"rule": "mpi-balance".*"value": 0.7687248' json > /dev/null
	grep -o '"rule": "mpi-communication".*"value": 0.9943989' json > /dev/null
}

@test "status and severity; rules that are ignored; a baseline; what is not judged" {
	f=$FIX/runs/solver.meta
	cp "$f" "$FIX"/runs/solver-*.bin .
	status_is 1 trace-advise solver.meta
	[ -z "$stderr" ]
	status_is 0 trace-advise --severity error -f dumpi solver.meta
	[ "$output" ]
	# Options about inputs are those of the commands, too.
	trace-advise --from 0.05 -J solver.meta > json || [ $? = 1 ]
	python3 "$ROOT/tests/oracle/advise.py" "$BIN" < json | grep -qx mpi-balance
	status_is 0 trace-advise --ignore 'mpi-*' solver.meta
	[ -z "$output$stderr" ]
	status_is 1 trace-advise --ignore mpi-balance --ignore 'io-*' solver.meta
	[ "$(grep -c '\[' <<<"$output")" = 1 ]
	thread=$FIX/runs/tasks/loom.node0/proc.100/thread.100/stream.obs
	status_is 0 trace-advise "$thread"
	status_is 1 trace-advise --severity note "$thread"
	status_is 2 trace-advise nowhere solver.meta
	has "$output" 'mpi-balance'
	has "$stderr" 'nowhere: No such file'
	# The text is the baseline: other numbers are the same finding, another place is a new one.
	trace-advise solver.meta > known || [ $? = 1 ]
	status_is 0 trace-advise --baseline known solver.meta
	[ -z "$output" ]
	sed 's/78 %/9.5 %/; s/0\.0468 of 0\.0598/11 of 1.5/; s/mpi-balance/mpi-wait/' known > older
	status_is 1 trace-advise --baseline older solver.meta
	has "$output" '\[mpi-balance\]$'
	[ "$(grep -c '\[' <<<"$output")" = 1 ]
	has "$stderr" '^trace-advise: older: 1 of 2 findings no longer occur$'
	cp solver.meta other.meta
	status_is 1 trace-advise --baseline known other.meta
	status_is 2 trace-advise --baseline nowhere solver.meta
	# Not judged.
	printf '0.5\ta\tread\t0\t4096\t-\n' > short
	status_is 0 trace-advise short
	has "$stderr" '^trace-advise: short: no durations: 6 rules not judged$'
	has "$stderr" '^trace-advise: short: shorter than 10 seconds: 1 rule not judged$'
	has "$stderr" '^trace-advise: short: a single place: 2 rules not judged$'
	printf '0.5\ta\te\t-\t-\t-\n' > bare
	status_is 0 trace-advise bare
	has "$stderr" '^trace-advise: bare: no addresses: [0-9]+ rules not judged$'
	# Broken records: the rest is judged, and the messages are those of the programs, once.
	{ many 2000 '%.3f\ta\tread\t1\t5\t-'; echo 'no event'; } > damaged
	status_is 2 trace-advise damaged
	has "$output" '2000 of 2000 requests .* \[io-small\]$'
	[ "$(grep -c 'damaged:2001' <<<"$stderr")" = 1 ]
	# Threads of a rank: their calls overlap.
	{ call 0.0 0/1 MPI_Wait - 9.0 request=1; call 1.0 0/2 MPI_Wait - 9.0 request=2; call 0.0 1/1 MPI_Wait - 9.0 request=1; call 2.0 1/2 MPI_Wait - 9.0 request=1; } | run 2
	status_is 0 trace-advise --threshold '*.least=0' trace
	has "$stderr" 'no such values: [3-6] rules not judged'
}

@test "a command of several rules runs once; a stream, a pipe and a compressed file give the same findings" {
	mkdir alone
	for p in trace-advise trace-filter trace-stats trace-access trace-match; do cp "$BIN/$p" alone/; done
	mv alone/trace-access alone/real
	printf '#!/bin/sh\necho "$*" >> %s/ran\nexec %s/alone/real "$@"\n' "$PWD" "$PWD" > alone/trace-access
	chmod +x alone/trace-access
	small 1000 10
	alone/trace-advise trace > got 2> said || [ $? = 1 ]
	sort ran | uniq -d | same /dev/null -
	[ "$(grep -c darshan ran)" -le 2 ]
	trace-advise trace 2> /dev/null | same got -
	sed 's/^trace: /-: /; s/ trace$/ -/; s/ trace |/ - |/' got > want
	trace-advise < trace 2> /dev/null | same want -
	# shellcheck disable=SC2002  # a pipe is meant
	cat trace | trace-advise - 2> /dev/null | same want -
	gzip -k trace
	trace-advise trace.gz 2> /dev/null | sed 's/trace\.gz/trace/' | same got -
	trace-filter -b 'event?' trace > t.bin
	trace-advise t.bin 2> /dev/null | sed 's/t\.bin/trace/' | same got -
	# Names of files are words of the commands.
	name="it's a trace"
	cp trace "$name"
	found "$name" > rules
	has "$(cat rules)" '^io-small$'
	cp trace ./-t
	found -- -t 2> /dev/null || found ./-t > rules
	trace-advise -- -t > got 2> said || [ $? = 1 ]
	has "$(cat got)" 'trace-stats .* -- -t$'
	rm alone/trace-stats
	PATH=/usr/bin:/bin status_is 2 alone/trace-advise trace
	has "$stderr" 'trace-stats was not found'
}

@test "names that could control a terminal are written safely; CSV, JSON and SARIF hold what the text holds" {
	needs python3
	{ many 500 '%.3f\ta\\x1b[31m"<\tread\t0\t4096\t-'; many 500 '%.3f\tb\tread\t0\t9\t-'; } > "$(printf 'x\033y')"
	trace-advise --severity error x* > text 2> /dev/null
	[ "$(LC_ALL=C tr -d ' -~\n' < text | wc -c)" = 0 ]
	cp x* plain
	cp "$FIX"/runs/solver* .
	trace-advise plain solver.meta > text 2> /dev/null || [ $? = 1 ]
	for form in --csv -J --sarif; do trace-advise $form plain solver.meta > got.$form 2> /dev/null || [ $? = 1 ]; done
	python3 - <<-'END'
		import csv, json
		text = open("text").read().splitlines()
		def safe(s):
		    return s.replace("\x1b", "\\x1b")
		lines, commands = text[::2], [line[4:] for line in text[1::2]]
		rows = list(csv.DictReader(open("got.--csv")))
		objects = [json.loads(line) for line in open("got.-J")]
		sarif = json.load(open("got.--sarif"))
		assert len(lines) == len(rows) == len(objects) > 2
		for line, command, row, o in zip(lines, commands, rows, objects):
		    assert line == "%s: %s: %s [%s]" % (o["file"], o["severity"], safe(o["message"]), o["rule"]), line
		    assert all(str(o[k]) == row[k] for k in ("file", "severity", "rule", "message", "command")), row
		    assert command == o["command"] and float(row["value"]) == o["value"]
		# The required members of SARIF 2.1.0, and those that viewers need.
		assert sarif["version"] == "2.1.0" and sarif["$schema"].endswith("sarif-2.1.0.json") and len(sarif["runs"]) == 1
		run = sarif["runs"][0]
		driver = run["tool"]["driver"]
		assert driver["name"] == "trace-advise" and len({r["id"] for r in driver["rules"]}) == len(driver["rules"]) >= 24
		for rule in driver["rules"]:
		    assert rule["shortDescription"]["text"] and rule["help"]["text"]
		    assert rule["defaultConfiguration"]["level"] in ("note", "warning", "error")
		assert len(run["results"]) == len(objects)
		for result, o in zip(run["results"], objects):
		    assert result["ruleId"] == o["rule"] and o["rule"] in [r["id"] for r in driver["rules"]]
		    assert result["level"] == o["severity"] and result["message"]["text"] == o["message"]
		    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == o["file"]
		    assert result["partialFingerprints"]["baseline/v1"] and result["properties"]["command"] == o["command"]
	END
	# Without a finding each is whole.
	trace-advise --sarif --ignore '*' plain | python3 -c 'import json, sys; assert json.load(sys.stdin)["runs"][0]["results"] == []'
	status_is 0 trace-advise --ignore '*' --csv plain
	[ "$output" = file,severity,rule,message,command,value,threshold ]
	status_is 2 trace-advise --csv --sarif plain
}
