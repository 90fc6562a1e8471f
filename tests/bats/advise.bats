#!/usr/bin/env bats
# advise.bats - trace-advise: each rule on made traces on both sides of its threshold; the commands that prove findings
# are run, and their numbers are those of the findings; Drishti's formulas; forms of output.

bats_require_minimum_version 1.5.0
load ../helpers

# found FILE OPTION...: the rules that are found, after their commands have shown the same numbers.
found() {
	trace-advise -J "${@:2}" "$1" 2> said > json || [ $? = 1 ] || { cat said; return 1; }
	python3 "$ROOT/tests/oracle/advise.py" "$BIN" < json || { cat said json; return 1; }
}

# sides RULE MAKER BELOW ABOVE: the traces that MAKER makes of two lists of numbers, on both sides of the threshold.
sides() {
	local rule=$1 maker=$2
	rm -rf trace
	# shellcheck disable=SC2086  # lists of numbers
	"$maker" $3
	found trace > rules || { cat rules; return 1; }
	! grep -qxF -- "$rule" rules || { echo "$rule: found with $3"; cat json; return 1; }
	rm -rf trace
	# shellcheck disable=SC2086
	"$maker" $4
	found trace > rules || { cat rules; return 1; }
	grep -qxF -- "$rule" rules || { echo "$rule: not found with $4"; cat said json; return 1; }
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
