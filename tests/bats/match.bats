#!/usr/bin/env bats
# match.bats - trace-match: against a simulator that knows which message met which receive, what another program
# found in real traces, what programs logged themselves, and waits by hand.

load ../helpers

ORACLES=$TRACES/../oracles/mpi

# call TIME RANK NAME SIZE DUR ARGUMENTS...: a line of a text stream.
call() {
	local IFS=$'\t'
	printf '%s\t%s\t%s\t-\t%s\n' "$1" "$2" "$3" "${*:4}"
}

# head RANKS, then calls, then end: the stream of a run.
head_of() {
	printf '##spoor\t1\n##format\tdumpi\n##clock\ts\n##loc\trank/thread\n##meta\tmeta.numprocs=%s\n' "$1"
}
end_of() { printf '##end\n'; }

# A run of three ranks by hand: rank 0 sends to 1 late, 2 sends synchronously to 1, which receives late.
RUN=$FIX/mpi/three-ranks.calls

@test "random programs: each message is the one that a simulator delivered" {
	status_is 0 python3 "$ROOT/tests/oracle/match_random.py" --check "$BIN" 40 "$RANDOM"
	has "$output" '40 programs, [0-9]+ messages, all right'
}

@test "real runs: the pairs and collectives that another program found, and programs logged" {
	need_traces dumpi
	[ -d "$ORACLES" ] || skip 'SPOOR_TRACES names no collection with oracles beside it'
	for run in t-match-1 t-match-3 allcalls-mpich-papi allcalls-ompi-full allcalls-ompi-none app-minife \
		bluegene-public instr-annotations threads-ompi; do
		dir=$TRACES/dumpi/$run native=
		if [ -d "$ORACLES/traces/$run" ]; then
			dir=$ORACLES/traces/$run native=native
			dumpi2txt "$dir"/*.meta > native
		fi
		trace-match "$dir"/*.meta > got 2> said || [ $? = 2 ]
		status_is 0 python3 "$ROOT/tests/oracle/match_pairs.py" "$run" "$ORACLES" got $native
		# Only where receives without status are there more: those of the log are right.
		case $run in t-match-3 | allcalls-mpich-papi) grep -q ambiguous said ;; *) has "$output" ' 0$' ;; esac
	done
}

@test "a rank that is 1,500 collectives behind: each is found once" {
	awk 'BEGIN { OFS = "\t"; print "##spoor", 1; print "##format", "dumpi"; print "##clock", "s"; print "##loc", "rank/thread"; print "##meta", "meta.numprocs=2"
		for (i = 1; i < 6000; i++)
			for (r = 0; r < 2; r++) {
				t = i - 1500 * r
				if (t > 0 && t < 4000) print i ".0", r, "MPI_Barrier", "-", "-", "0.5", "comm=MPI_COMM_WORLD"
			}
		print "##end" }' > in
	trace-match in > got
	[ "$(grep -c collective got)" = 3999 ]
}

@test "waits, by hand" {
	trace-match -t "$RUN" | grep -v '^#' > got
	printf '%s\n' \
		'1.500000000	2	message	-	8	3.200000000	to=1	tag=8	comm=MPI_COMM_WORLD	send_call=MPI_Ssend	recv_call=MPI_Irecv	srec=1	rrec=2	sdone=1	rdone=3	late_sender=0.000000000	late_receiver=2.500000000' \
		'2.500000000	0	message	-	100	0.500000000	to=1	tag=7	comm=MPI_COMM_WORLD	send_call=MPI_Send	recv_call=MPI_Recv	srec=1	rrec=1	sdone=1	rdone=1	late_sender=1.500000000' \
		'6.000000000	1	collective	-	-	4.500000000	call=MPI_Barrier	comm=MPI_COMM_WORLD	ranks=3	last=1	seq=1	spread=3.000000000	wait=5.000000000	longest_wait=3.000000000	imbalance=0.5555555555555556' \
		'11.000000000	1	collective	-	4	2.250000000	call=MPI_Bcast	comm=MPI_COMM_WORLD	ranks=3	last=1	seq=2	spread=1.000000000	wait=1.250000000	longest_wait=0.750000000	imbalance=0.5833333333333333' \
		'14.000000000	2	collective	-	12	3.500000000	call=MPI_Reduce	comm=MPI_COMM_WORLD	ranks=3	last=2	seq=3	spread=2.000000000	wait=1.500000000	longest_wait=1.500000000	imbalance=0.5833333333333333' \
		'20.000000000	1	collective	-	12	5.000000000	call=MPI_Scan	comm=MPI_COMM_WORLD	ranks=3	last=1	seq=4	spread=3.000000000	wait=3.000000000	longest_wait=3.000000000	imbalance=0.6666666666666667' > want
	same got want
	# What is sent at once has nobody to wait for.
	trace-match -t --eager 99 "$RUN" | grep -c late_receiver | grep -qx 2
	trace-match -t --eager 100 "$RUN" | grep -c late_receiver | grep -qx 1
	# A slice is of what is given: all calls are read.
	trace-match -t --from 2 --to 7s "$RUN" | grep -v '^#' | cut -f 1 | xargs | grep -qx '2.500000000 6.000000000'
}

@test "waits, of real runs: what Python finds by the page" {
	grep -v '^#' "$RUN" > calls
	trace-match -t "$RUN" > got
	status_is 0 python3 "$ROOT/tests/oracle/match_waits.py" calls got
	dumpi2txt "$FIX"/runs/solver.meta > calls
	trace-match "$FIX"/runs/solver.meta > got
	status_is 0 python3 "$ROOT/tests/oracle/match_waits.py" calls got
	has "$output" '6 collectives, 51 messages'
	need_traces dumpi
	for run in "$TRACES"/dumpi/{app-minife,allcalls-ompi-full,allcalls-mpich-papi,threads-ompi} "$ORACLES"/traces/t-*; do
		[ -d "$run" ] || continue
		dumpi2txt "$run"/*.meta > calls 2> said
		trace-match "$run"/*.meta > got 2> said || [ $? = 2 ]
		status_is 0 python3 "$ROOT/tests/oracle/match_waits.py" calls got
	done
}

@test "any form of a run: the same events" {
	trace-match "$FIX"/runs/solver.meta > want
	[ "$(cut -f 3 want | sort | uniq -c | xargs)" = '6 collective 51 message' ]
	dumpi2txt -b "$FIX"/runs/solver.meta | trace-match -t | same want -
	dumpi2txt "$FIX"/runs/solver.meta | trace-match | same want -
	dumpi2txt -H "$FIX"/runs/solver.meta | trace-match -t | grep -v '^#' | same want -
	trace-match "$FIX"/runs/solver-*.bin | cut -f 2- | same <(cut -f 2- want) -
	# Each as soon as it is complete, or with what waits in a file.
	trace-match --by-end "$FIX"/runs/solver.meta | sort | same <(sort want) -
	trace-match --tune wait=1 "$FIX"/runs/solver.meta | same want -
	[ -z "$(trace-match --left "$FIX"/runs/solver.meta)" ]
	# A binary stream names what no message of this run has.
	trace-match -b "$FIX"/runs/solver.meta > m.bin
	status_is 0 trace-stats -e message -a 'count,sum(late_receiver)' m.bin
	[ "$output" = "$(printf '#count\tsum(late_receiver)\n51\t-')" ]
}

@test "a rank that is missing or cut: what is whole, and the rest is told" {
	cp "$FIX"/runs/solver* .
	chmod u+w solver*
	trace-match solver.meta > whole
	rm solver-0003.bin
	status_is 2 trace-match solver.meta
	has "$stderr" '1 rank is missing: 3'
	has "$stderr" 'collective operations lack some of their members: 6'
	# Those that rank 3 has no part in.
	grep 'message' whole | awk -F'\t' '$2 != 3 && $7 != "to=3"' | cut -f 2- | same <(cut -f 2- <<< "$output") -
	status_is 2 trace-match --left solver.meta
	[ "$(cut -f 2,3,7,8 <<< "$output" | grep -v collective | sort | uniq -c | xargs)" = '1 0 receive why=alone from=3 8 2 receive why=alone from=3 8 2 send why=alone to=3' ]
	grep -o 'seq=.*	spread' <<< "$output" | cut -f 1 | xargs | grep -qx 'seq=1 seq=2 seq=3 seq=4 seq=5 seq=6'
	cp "$FIX"/runs/solver-0003.bin .
	chmod u+w solver-0003.bin
	n=$(stat -c %s solver-0003.bin)
	for cut in 5 4 3 2; do
		head -c $((n * cut / 6)) "$FIX"/runs/solver-0003.bin > solver-0003.bin
		status_is 2 trace-match solver.meta
		# No pair that is not in the whole.
		comm -13 <(cut -f 2,7-13 whole | sort) <(grep message <<< "$output" | cut -f 2,7-13 | sort) > wrong
		[ ! -s wrong ]
		[ "$(wc -l <<< "$output")" -gt 20 ]
	done
}

@test "left over: no partner, two of any source, never completed, other bytes, other operations" {
	{
		head_of 3
		call 1.0 0 MPI_Isend 4 0.1 comm=MPI_COMM_WORLD dest=1 tag=1 request=4
		call 1.1 0 MPI_Send 8 0.1 comm=MPI_COMM_WORLD dest=1 tag=2
		call 1.2 1 MPI_Recv 4 0.1 comm=MPI_COMM_WORLD source=0 tag=1 status.bytes=4 status.source=0 status.cancelled=0 status.tag=1
		call 1.3 1 MPI_Recv 9 0.1 comm=MPI_COMM_WORLD source=0 tag=2 status.bytes=9 status.source=0 status.cancelled=0 status.tag=2
		call 1.4 1 MPI_Send 3 0.1 comm=MPI_COMM_WORLD dest=2 tag=9
		call 1.5 2 MPI_Irecv 3 0.1 comm=MPI_COMM_WORLD source=0 tag=1 request=4
		call 1.6 0 MPI_Send 1 0.1 comm=MPI_COMM_WORLD dest=2 tag=3
		call 1.6 1 MPI_Send 1 0.1 comm=MPI_COMM_WORLD dest=2 tag=3
		call 1.7 2 MPI_Recv 1 0.1 comm=MPI_COMM_WORLD source=MPI_ANY_SOURCE tag=3
		call 1.8 2 MPI_Send 1 0.1 comm=17 dest=2 tag=3
		call 1.9 0 MPI_Barrier - 0.1 comm=MPI_COMM_WORLD
		call 1.9 1 MPI_Barrier - 0.1 comm=MPI_COMM_WORLD
		call 1.9 2 MPI_Allreduce - 0.1 comm=MPI_COMM_WORLD
		end_of
	} > run.txt
	status_is 2 trace-match -t --left run.txt
	grep -v '^#' <<< "$output" | cut -f 1-3,5,7-12 | sed 's/\t*$//' > got
	printf '%s\n' \
		'1.000000000	0	send	4	why=incomplete	to=1	tag=1	comm=MPI_COMM_WORLD	call=MPI_Isend	rec=1' \
		'1.100000000	0	message	8	why=bytes-differ	to=1	tag=2	comm=MPI_COMM_WORLD	send_call=MPI_Send	recv_call=MPI_Recv' \
		'1.400000000	1	send	3	why=alone	to=2	tag=9	comm=MPI_COMM_WORLD	call=MPI_Send	rec=3' \
		'1.500000000	2	receive	-	why=incomplete	from=0	tag=1	comm=MPI_COMM_WORLD	call=MPI_Irecv	rec=1' \
		'1.600000000	0	send	1	why=ambiguous	to=2	tag=3	comm=MPI_COMM_WORLD	call=MPI_Send	rec=3' \
		'1.600000000	1	send	1	why=ambiguous	to=2	tag=3	comm=MPI_COMM_WORLD	call=MPI_Send	rec=4' \
		'1.700000000	2	receive	-	why=ambiguous	tag=3	comm=MPI_COMM_WORLD	call=MPI_Recv	rec=2	done=2' \
		'1.800000000	2	send	1	why=unknown-comm	dest=2	tag=3	call=MPI_Send	rec=3	done=3' \
		'1.900000000	0	collective	-	call=MPI_Barrier	comm=MPI_COMM_WORLD	ranks=3	last=0	seq=1	spread=0.000000000' > want
	same got want
	for message in '2 sends \(2 bytes\), 1 receive: ambiguous' '1 send \(3 bytes\), 0 receives: no partner' \
		'1 send \(1 bytes\), 0 receives: the members' '1 send \(4 bytes\), 1 receive: never completed' \
		'have different sizes: 1' 'called different ones: 1'; do
		has "$stderr" "$message"
	done
	# Without --left: two messages, one of them as the other side does not say it.
	status_is 2 trace-match -t run.txt
	[ "$(grep -v '^#' <<< "$output" | cut -f 3 | xargs)" = 'message message' ]
}

# what FILE: of its events call=, size, dur, comm= without its number, ranks=, last=, seq= and wait=.
what() {
	awk -F'\t' '$3 == "collective" { for (i = 7; i <= NF; i++) { n = index($i, "="); v[substr($i, 1, n - 1)] = substr($i, n + 1) }
		sub(/#.*/, "", v["comm"]); print v["call"], $5, $6 + 0, v["comm"], v["ranks"], v["last"], v["seq"], v["wait"] + 0 }' "$1"
}

@test "windows, files, makers of communicators, Init and Finalize, by hand" {
	{
		head_of 2
		call 1.0 0 MPI_Init - 0.2 argc=0
		call 1.5 1 MPI_Init_thread - 0.2 argc=0 required=MPI_THREAD_SINGLE provided=MPI_THREAD_SINGLE
		call 2.0 0 MPI_Win_create - 1.0 size=8 dispunit=1 info=MPI_INFO_NULL comm=MPI_COMM_WORLD win=1
		call 2.5 1 MPI_Win_create - 0.5 size=8 dispunit=1 info=MPI_INFO_NULL comm=MPI_COMM_WORLD win=3
		# A fence and an open file have no order.
		call 4.0 0 MPI_Win_fence - 0.1 assertion=DUMPI_MODE_NONE win=1
		call 4.0 1 MPI_File_open - 0.1 comm=MPI_COMM_WORLD filename=f amode=MPI_MODE_RDWR info=MPI_INFO_NULL file=1
		call 4.2 0 MPI_File_open - 0.1 comm=MPI_COMM_WORLD filename=f amode=MPI_MODE_RDWR info=MPI_INFO_NULL file=2
		call 4.2 1 MPI_Win_fence - 0.5 assertion=DUMPI_MODE_NONE win=3
		call 5.0 0 MPI_File_write_at_all 100 1.0 file=2 offset=0 count=100 datatype=MPI_BYTE
		call 5.2 1 MPI_File_write_at_all 28 0.5 file=1 offset=100 count=28 datatype=MPI_BYTE
		call 6.0 1 MPI_Comm_split - 0.5 oldcomm=MPI_COMM_WORLD color=1 key=0 newcomm=4
		call 6.25 0 MPI_Comm_split - 0.1 oldcomm=MPI_COMM_WORLD color=0 key=0 newcomm=4
		call 7.0 0 MPI_Intercomm_create - 1.0 localcomm=4 localleader=0 remotecomm=MPI_COMM_WORLD remoteleader=1 tag=1 newcomm=5
		call 7.5 1 MPI_Intercomm_create - 0.5 localcomm=4 localleader=0 remotecomm=MPI_COMM_WORLD remoteleader=0 tag=1 newcomm=5
		call 8.0 0 MPI_Comm_free - 0.1 comm=5
		call 8.0 1 MPI_Comm_free - 0.1 comm=5
		call 8.5 0 MPI_Bcast 40 0.1 count=40 datatype=MPI_BYTE root=0 comm=MPI_COMM_WORLD
		call 8.5 1 MPI_Bcast - 0.1 count=40 datatype=MPI_BYTE root=0 comm=MPI_COMM_WORLD
		call 9.0 0 MPI_Win_free - 0.1 win=1
		call 9.0 1 MPI_Win_free - 0.1 win=3
		call 9.5 0 MPI_Finalize - 0.1
		call 9.5 1 MPI_Finalize - 0.1
		end_of
	} > run.txt
	status_is 0 trace-match -t run.txt
	printf '%s\n' 'MPI_Init - 0.7 MPI_COMM_WORLD 2 1 1 0' 'MPI_Win_create - 1 MPI_COMM_WORLD 2 1 2 0.5' \
		'MPI_Win_fence - 0.7 win 2 1 1 0' 'MPI_File_open - 0.3 MPI_COMM_WORLD 2 0 3 0' \
		'MPI_File_write_at_all 128 1 file 2 1 1 0.2' 'MPI_Comm_split - 0.5 MPI_COMM_WORLD 2 0 4 0.25' \
		'MPI_Intercomm_create - 1 inter 2 1 1 0.5' 'MPI_Comm_free - 0.1 inter 2 0 2 0' \
		'MPI_Bcast 40 0.1 MPI_COMM_WORLD 2 0 5 0' 'MPI_Win_free - 0.1 win 2 0 2 0' \
		'MPI_Finalize - 0.1 MPI_COMM_WORLD 2 0 6 0' > want
	what <(printf '%s\n' "$output") | same want -
	# A file that DUMPI holds says the same.
	trace-convert -T dumpi -o native run.txt
	trace-match native/*.meta > got
	what got | cut -d ' ' -f 1,3- | same <(cut -d ' ' -f 1,3- want) -
	# A member without a size: nobody knows the sum.
	sed '/write_at_all/s/\t28\t/\t-\t/' run.txt > less.txt
	trace-match less.txt | grep write_at_all | cut -f 5 | grep -qx -- -
}

@test "a window, a file or a communicator whose making is not in the trace, or that was freed: counted, not guessed" {
	{
		head_of 2
		for r in 0 1; do
			call 1.0 $r MPI_Win_create - 0.1 size=8 dispunit=1 info=MPI_INFO_NULL comm=MPI_COMM_WORLD win=1
			call 1.2 $r MPI_Win_free - 0.1 win=1
			call 1.4 $r MPI_Win_fence - 0.1 assertion=DUMPI_MODE_NONE win=1
			call 1.6 $r MPI_File_sync - 0.1 file=2
			call 1.8 $r MPI_Barrier - 0.1 comm=9
			call 2.0 $r MPI_File_close - 0.1 file=DUMPI_FILE_NULL
			call 2.2 $r MPI_Comm_dup - 0.1 oldcomm=MPI_COMM_WORLD newcomm=5
			call 2.4 $r MPI_Comm_free - 0.1 comm=5
			call 2.6 $r MPI_Barrier - 0.1 comm=5
			call 2.8 $r MPI_Win_fence - 0.1 assertion=DUMPI_MODE_NONE
		done | sort
		end_of
	} > run.txt
	status_is 2 trace-match -t run.txt
	has "$stderr" 'collective calls have an unknown communicator, window or file: 12$'
	[ "$(grep -o 'call=[A-Za-z_]*' <<< "$output" | xargs)" = 'call=MPI_Win_create call=MPI_Win_free call=MPI_Comm_dup call=MPI_Comm_free' ]
	# One of two ranks makes the window: what the other does is not of it.
	{
		head_of 2
		call 1.0 0 MPI_Win_create - 0.1 size=8 dispunit=1 info=MPI_INFO_NULL comm=MPI_COMM_WORLD win=1
		call 1.2 0 MPI_Win_fence - 0.1 assertion=DUMPI_MODE_NONE win=1
		call 1.2 1 MPI_Win_fence - 0.1 assertion=DUMPI_MODE_NONE win=1
		end_of
	} > half.txt
	status_is 2 trace-match -t half.txt
	has "$stderr" 'an unknown communicator, window or file: 1$'
	has "$stderr" 'lack some of their members: 2$'
	[ "$(grep -c '	collective	' <<< "$output")" = 0 ]
	# Different calls at one place of the order.
	sed 's/MPI_Win_fence\(.*\)win=1$/MPI_Barrier\1comm=MPI_COMM_WORLD/' half.txt > mixed.txt
	status_is 2 trace-match -t --left mixed.txt
	has "$stderr" 'members of one collective operation called different ones: 1$'
}

@test "without a status: one sender has more sends than others have receives, or none has" {
	one() { # SENDS: of ranks 1 and 2 to 0, which receives from any
		head_of 3
		call 1.0 0 MPI_Recv 4 0.1 comm=MPI_COMM_WORLD source=MPI_ANY_SOURCE tag=1
		call 1.2 0 MPI_Recv 4 0.1 comm=MPI_COMM_WORLD source=1 tag=1
		for rank; do
			call 1.1 "$rank" MPI_Send 4 0.1 comm=MPI_COMM_WORLD dest=0 tag=1
		done
		call 2.0 2 MPI_Comm_rank - 0.1 comm=MPI_COMM_WORLD rank=2
		end_of
	}
	one 1 1 > run.txt
	status_is 0 trace-match -t run.txt
	grep message <<< "$output" | cut -f 2,12,13 | xargs | grep -qx '1 srec=1 rrec=1 1 srec=2 rrec=2'
	one 1 2 > run.txt
	status_is 0 trace-match -t run.txt
	grep message <<< "$output" | cut -f 2,12,13 | xargs | grep -qx '1 srec=1 rrec=2 2 srec=1 rrec=1'
	# The other receive may be of MPI_PROC_NULL, as MPICH has it.
	one 1 > run.txt
	status_is 0 trace-match -t run.txt
	grep message <<< "$output" | cut -f 2,12,13 | xargs | grep -qx '1 srec=1 rrec=2'
	one 1 1 2 > run.txt
	status_is 2 trace-match -t run.txt
	has "$stderr" '3 sends \(12 bytes\), 2 receives: ambiguous'
	# What a rank that is missing has sent is not known: nothing is decided by counts.
	one 1 1 | sed 's/numprocs=3/numprocs=4/' > run.txt
	status_is 2 trace-match -t run.txt
	has "$stderr" '1 rank is missing: 3'
	has "$stderr" '2 sends \(8 bytes\), 2 receives: ambiguous'
}

@test "ticks, and times of processors: messages without waits, which is told" {
	sed 's/##clock\ts/##clock\tticks/' "$RUN" | awk -F'\t' -v OFS='\t' '/^##/ { print; next } { $1 *= 1000; if ($6 != "-") $6 *= 1000; print }' > ticks.txt
	status_is 0 trace-match -t ticks.txt
	has "$stderr" 'times are ticks: durations and waits are not computed'
	[ "$(grep message <<< "$output" | cut -f 6 | xargs)" = '- -' ]
	[ "$(grep -c 'late_\|wait=' <<< "$output")" = 0 ]
	sed 's/##meta\tmeta.numprocs=3/&\n##meta\tclock=cpu\\x20time: no wall clock was recorded/' "$RUN" > cpu.txt
	status_is 0 trace-match -t cpu.txt
	has "$stderr" 'times are those of processors'
	[ "$(grep message <<< "$output" | cut -f 6 | sort -u)" = - ]
	status_is 2 trace-match "$FIX"/spc/spec-example.spc
	has "$stderr" 'no call of MPI'
}

@test "clocks that differ: pairs are the same, it is told, and trace-merge puts them right" {
	trace-merge --offset "$FIX"/runs/solver-0001.bin=-1s "$FIX"/runs/solver-000?.bin > off
	status_is 0 trace-match off
	has "$stderr" '16 messages were received before they were sent, by up to 0.999989104 s'
	trace-match "$FIX"/runs/solver.meta | grep message | cut -f 2,5,7-15 | sort > want
	grep message <<< "$output" | cut -f 2,5,7-15 | sort | same want -
	trace-merge "$FIX"/runs/solver-000?.bin | trace-match | cut -f 2- | same <(trace-match "$FIX"/runs/solver.meta | cut -f 2-) -
}

@test "--clocks: bounds that fractions give, the truth within them, and trace-merge puts clocks right" {
	need_native
	status_is 0 python3 "$ROOT/tests/oracle/match_clocks.py" "$BIN" 120 "$RANDOM"
	has "$output" '^120 runs, [0-9]{4,} messages, [0-9]{3,} received before'
}

@test "--clocks where times do not compare, of no messages, of more than memory holds" {
	sed 's/##clock\ts/##clock\tticks/; s/^\([0-9]*\)[.]\([0-9]\)/\1\2/' "$RUN" | awk -F'\t' -v OFS='\t' '/^##/ { print; next } { $6 = "-"; print }' > ticks.txt
	status_is 2 trace-match --clocks ticks.txt
	has "$stderr" '--clocks: the times are not'
	[ -z "$output" ]
	status_is 0 trace-match --clocks "$FIX"/runs/solver.meta
	[ "$(grep -v '^#host' <<< "$output" | cut -f 1-4)" = "$(printf '#node0\t4\t0\t0.000000000\n#51 messages; received before sent: 0, with these options 0')" ]
	status_is 2 trace-match --clocks --left "$FIX"/runs/solver.meta
	# Each rank is a host: 1.2 million messages, of which those behind the first million were received before they were sent.
	awk 'BEGIN {
		OFS = "\t"; n = 1200000
		print "##spoor", 1; print "##format", "dumpi"; print "##clock", "s"; print "##loc", "rank/thread"; print "##meta", "meta.numprocs=2"
		for (i = 0; i < n; i++) {
			print sprintf("%.6f", i / 1e3 + 0.0001), 0, "MPI_Send", "-", 8, "0.000001", "comm=MPI_COMM_WORLD", "dest=1", "tag=0"
			print sprintf("%.6f", i / 1e3 + (i < 1048576 ? 0.0005 : 0)), 1, "MPI_Recv", "-", 8, "0.000002", "comm=MPI_COMM_WORLD", "source=0", "tag=0", "status.bytes=8", "status.source=0", "status.cancelled=0", "status.tag=0"
		}
		print "##end"
	}' | trace-merge --resort 4 -b > many.bin
	status_is 0 trace-match --clocks many.bin
	has "$output" '#1200000 messages; received before sent: 151424, with these options 0'
	has "$output" '--offset=@2=0[.]000098000s'
}

@test "jobs that a run has spawned: messages of each, those between are left apart" {
	need_traces dumpi
	status_is 0 trace-match "$TRACES"/dumpi/dyn-spawn-ompi/*.bin
	status_is 0 trace-match --left "$TRACES"/dumpi/dyn-spawn-ompi/*.bin
	[ "$(cut -f 7 <<< "$output" | grep -c why=other-job)" = "$(grep -c . <<< "$output")" ]
}

@test "1,000 ranks with 64 descriptors, and a million messages in flight in 200 MB" {
	need_native
	python3 "$ROOT/tests/oracle/match_random.py" --big many 1000 20000
	(ulimit -n 64 && trace-match many/*.meta) | grep -c message | grep -qx 20000
	# Each rank of two sends half a million, and receives them then.
	awk 'BEGIN {
		OFS = "\t"; n = 500000
		print "##spoor", 1; print "##format", "dumpi"; print "##clock", "s"; print "##loc", "rank/thread"; print "##meta", "meta.numprocs=2"
		for (i = 0; i < n; i++) for (r = 0; r < 2; r++)
			print sprintf("%.6f", i / 1e6), r, "MPI_Send", "-", 8, "0.000000001", "comm=MPI_COMM_WORLD", "dest=" (1 - r), "tag=" (i % 100)
		for (i = 0; i < n; i++) for (r = 0; r < 2; r++)
			print sprintf("%.6f", 1 + i / 1e6), r, "MPI_Recv", "-", 8, "0.000000001", "comm=MPI_COMM_WORLD", "source=" (1 - r), "tag=" (i % 100), "status.bytes=8", "status.source=" (1 - r), "status.cancelled=0", "status.tag=" (i % 100)
		print "##end"
	}' > flight.txt
	command time -f %M -o peak trace-match -b flight.txt > flight.bin
	[ "$(trace-filter -c message flight.bin)" = 1000000 ]
	[ "$(tail -n 1 peak)" -lt 200000 ] || { cat peak; false; }
}

# gpeers FILE: place, record and gpeer= of the calls in it.
gpeers() {
	awk -F'\t' '{ split($2, at, "/"); n[at[1]]++; g = "-"; for (i = 7; i <= NF; i++) if ($i ~ /^gpeer=/) g = substr($i, 7); print at[1] "-" n[at[1]], g }' "$1"
}

@test "-O gpeer: the peer's rank in the world, of random programs, is who the message went to" {
	for seed in 1 2 3 4 5 6 7 8; do
		python3 "$ROOT/tests/oracle/match_random.py" --write run "$seed" > /dev/null
		dumpi2txt run/run.meta > plain
		dumpi2txt --gpeer run/run.meta > with
		sed 's/\tgpeer=[0-9]*//' with | same plain -
		gpeers with | sort > gpeers.of
		# A Start has the peer of its request, if that is one; Startall may have several.
		grep -v '^#' run/truth.tsv | grep -v MPI_Startall | awk '{ print $1 "-" $2, $4 }' | sort -u > sent
		[ "$(grep -c . sent)" -gt 10 ]
		join sent gpeers.of | awk '$2 != $3 && $3 != "-" { print; bad = 1 } $2 == $3 { n++ } END { exit bad || !n }'
		# Of what is no Start all are known.
		grep -v '^#' run/truth.tsv | grep -v MPI_Start | awk '{ print $1 "-" $2, $4 }' | sort -u > sent
		join sent gpeers.of | awk '$2 != $3 { print; bad = 1 } END { exit bad }'
		rm -r run
	done
	# Any program; of the world it is the peer itself; a rank alone, and standard input.
	trace-filter -O gpeer -F peer,gpeer 'gpeer?' "$FIX"/runs/solver.meta > both
	[ "$(wc -l < both)" -gt 90 ]
	awk '$1 != $2 { exit 1 }' both
	status_is 2 trace-filter -O gpeer '*' < "$FIX"/runs/solver-0000.bin
	has "$stderr" 'reads the trace twice'
}
