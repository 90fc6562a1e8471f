#!/usr/bin/env bats
# critical.bats - trace-match --critical: by hand, against a simulator that knows the dependencies, and in real runs.

load ../helpers

# run RANKS, then lines "TIME RANK NAME DUR ARGUMENTS...": the text stream of a run, in the order of the lines.
run_of() {
	printf '##spoor\t1\n##format\tdumpi\n##clock\ts\n##loc\trank/thread\n##meta\tmeta.numprocs=%s\n' "$1"
	while read -r time rank name dur args; do
		printf '%s\t%s\t%s\t-\t8\t%s' "$time" "$rank" "$name" "$dur"
		[ -z "$args" ] || printf '\t%s' $args
		echo
	done
	printf '##end\n'
}

# path OPTIONS...: the critical path of run.txt: begin, rank, call, length, reason and rank of each stretch.
path() {
	trace-match -t --critical "$@" run.txt > path.txt 2> path.err || { cat path.err; return 1; }
	awk -F'\t' '!/^#/ { sub(/why=/, "", $8); sub(/from=/, "", $9); print $1 + 0, $2, $3, $6 + 0, $8, $9 }' path.txt | sed 's/ *$//'
}

# whole FILE: the stretches of the path follow each other without a gap, and the last one ends with the last event.
whole() {
	awk -F'\t' 'function ns(s, p) { split(s, p, "."); return p[1] * 1000000000 + p[2] }
		/^#/ { next }
		n++ && ns($1) != end { print "gap before " $0; bad = 1 }
		n == 1 { begin = ns($1) }
		{ end = ns($1) + ns($6); sum += ns($6) }
		END { if (sum != end - begin) { print "sum"; bad = 1 } printf "%.0f %.0f\n", begin, end; exit bad || !n }' "$1"
}

# path_is [OPTION...]: the path of run.txt is what standard input says; a line is "BEGIN RANK CALL LENGTH [WHY FROM]".
path_is() {
	cat > want
	path "$@" | same want -
	whole path.txt > ends
}

# to RANK, from RANK: arguments of a send, and of a receive with its status.
to() { echo "comm=MPI_COMM_WORLD dest=$1 tag=0"; }
from() { echo "comm=MPI_COMM_WORLD source=$1 tag=0 status.bytes=8 status.source=$1 status.cancelled=0 status.tag=0"; }

@test "a late sender: the path leaves the receive for the begin of the send" {
	run_of 2 > run.txt <<-END
		0.0 0 MPI_Init 1.0
		0.5 1 MPI_Init 1.0
		2.0 1 MPI_Recv 5.0 $(from 0)
		6.0 0 MPI_Send 0.5 $(to 1)
	END
	path_is <<-END
		0.5 0 MPI_Init 0.5 collective 1
		1 0 compute 5
		6 1 MPI_Recv 1 late_sender 0
	END
	# A message that was sent before its receive began: nobody is late.
	run_of 2 > run.txt <<-END
		0.0 0 MPI_Send 1.0 $(to 1)
		0.0 1 MPI_Comm_rank 0.5 comm=MPI_COMM_WORLD rank=1
		3.0 1 MPI_Recv 2.0 $(from 0)
	END
	path_is <<-END
		0 1 MPI_Comm_rank 0.5
		0.5 1 compute 2.5
		3 1 MPI_Recv 2
	END
}

@test "a late receiver: for synchronous sends, for those of --eager, and for what completes them" {
	run_of 2 > run.txt <<-END
		0.0 0 MPI_Comm_rank 0.5 comm=MPI_COMM_WORLD rank=0
		0.25 1 MPI_Comm_rank 0.25 comm=MPI_COMM_WORLD rank=1
		1.0 0 MPI_Ssend 5.0 $(to 1)
		4.0 1 MPI_Recv 1.5 $(from 0)
	END
	path_is <<-END
		0.25 1 MPI_Comm_rank 0.25
		0.5 1 compute 3.5
		4 0 MPI_Ssend 2 late_receiver 1
	END
	sed -i 's/MPI_Ssend/MPI_Send/' run.txt
	for options in '' '--eager 8'; do
		# shellcheck disable=SC2086  # several words
		path_is $options <<-END
			0 0 MPI_Comm_rank 0.5
			0.5 0 compute 0.5
			1 0 MPI_Send 5
		END
	done
	path_is --eager 7 <<-END
		0.25 1 MPI_Comm_rank 0.25
		0.5 1 compute 3.5
		4 0 MPI_Send 2 late_receiver 1
	END
	run_of 2 > run.txt <<-END
		0.0 0 MPI_Issend 1.0 $(to 1) request=9
		0.25 1 MPI_Comm_rank 0.25 comm=MPI_COMM_WORLD rank=1
		2.0 0 MPI_Wait 4.0 request=9
		4.0 1 MPI_Recv 1.5 $(from 0)
	END
	path_is <<-END
		0.25 1 MPI_Comm_rank 0.25
		0.5 1 compute 3.5
		4 0 MPI_Wait 2 late_receiver 1
	END
}

# three CALL BEGIN0 END0 BEGIN1 END1 BEGIN2 END2 [ROOT]: three ranks that call once, after a first call until 0.5.
three() {
	{
		for r in 0 1 2; do echo "0.0 $r MPI_Comm_rank 0.5 comm=MPI_COMM_WORLD rank=$r"; done
		for r in 0 1 2; do
			b=$((2 + 2 * r)) e=$((3 + 2 * r))
			echo "${!b}.0 $r $1 $((${!e} - ${!b})).0 comm=MPI_COMM_WORLD${8:+ root=$8}"
		done | sort -n
	} | run_of 3 > run.txt
}

@test "collectives: the last to enter, the root, the last of the others, the last of the lower ranks" {
	for call in MPI_Barrier MPI_Allreduce MPI_Alltoallv MPI_Reduce_scatter MPI_File_open MPI_Cart_create; do
		three $call 1 4 3 4 2 5
		path_is <<-END
			0 1 MPI_Comm_rank 0.5
			0.5 1 compute 2.5
			3 2 $call 2 collective 1
		END
	done
	# All end at once: the lowest rank.
	three MPI_Barrier 1 5 3 5 2 5
	path_is <<-END
		0 1 MPI_Comm_rank 0.5
		0.5 1 compute 2.5
		3 0 MPI_Barrier 2 collective 1
	END
	three MPI_Bcast 1 5 4 5 3 4 2
	path_is <<-END
		0 2 MPI_Comm_rank 0.5
		0.5 2 compute 2.5
		3 0 MPI_Bcast 2 collective 2
	END
	# The root comes first, so nobody waits for it; and the others do not wait for each other.
	three MPI_Scatter 2 5 4 9 1 4 2
	path_is <<-END
		0 1 MPI_Comm_rank 0.5
		0.5 1 compute 3.5
		4 1 MPI_Scatter 5
	END
	three MPI_Reduce 1 6 2 3 4 5 0
	path_is <<-END
		0 2 MPI_Comm_rank 0.5
		0.5 2 compute 3.5
		4 0 MPI_Reduce 2 collective 2
	END
	# Only the root of a gather waits.
	three MPI_Gather 1 3 2 9 4 5 0
	path_is <<-END
		0 1 MPI_Comm_rank 0.5
		0.5 1 compute 1.5
		2 1 MPI_Gather 7
	END
	three MPI_Scan 5 6 1 6 3 7
	path_is <<-END
		0 0 MPI_Comm_rank 0.5
		0.5 0 compute 4.5
		5 2 MPI_Scan 2 collective 0
	END
	three MPI_Exscan 1 8 5 6 3 7
	path_is <<-END
		0 0 MPI_Comm_rank 0.5
		0.5 0 compute 0.5
		1 0 MPI_Exscan 7
	END
	# A member that left a call of another kind before the last one came has not waited.
	three MPI_File_sync 1 2 3 4 5 6
	sed -i 's/comm=MPI_COMM_WORLD$/file=7/' run.txt
	sed -i 's/\(MPI_Comm_rank\)\(.*\)file=7/\1\2comm=MPI_COMM_WORLD/' run.txt
	trace-match -t --critical run.txt > path.txt 2> err || [ $? = 2 ]
	grep -q 'unknown communicator, window or file: 3' err
	whole path.txt
}

@test "MPI_Waitall: the latest of its senders" {
	for order in '1 2' '2 1'; do
		set -- $order
		run_of 3 > run.txt <<-END
			0.0 0 MPI_Irecv 0.25 comm=MPI_COMM_WORLD source=$1 tag=0 request=5
			0.0 1 MPI_Comm_rank 0.5 comm=MPI_COMM_WORLD rank=1
			0.0 2 MPI_Comm_rank 0.5 comm=MPI_COMM_WORLD rank=2
			0.5 0 MPI_Irecv 0.25 comm=MPI_COMM_WORLD source=$2 tag=0 request=6
			1.0 0 MPI_Waitall 5.0 count=2 requests=5,6
			3.0 1 MPI_Send 0.5 $(to 0)
			5.0 2 MPI_Send 0.5 $(to 0)
		END
		path_is <<-END
			0 2 MPI_Comm_rank 0.5
			0.5 2 compute 4.5
			5 0 MPI_Waitall 1 late_sender 2
		END
	done
	# A message that was received before it was sent does not hide the other one.
	cp run.txt forth.txt
	sed -i 's/^5[.]0/6.5/; s/^##end/8.0\t0\tMPI_Comm_size\t-\t-\t1.0\n&/' run.txt
	path_is <<-END
		0 1 MPI_Comm_rank 0.5
		0.5 1 compute 2.5
		3 0 MPI_Waitall 3 late_sender 1
		6 0 compute 2
		8 0 MPI_Comm_size 1
	END
	cp forth.txt run.txt
	# Statuses of receives without a source in the call; one call that sends late, another one that is early.
	sed 's/source=[12]/source=MPI_ANY_SOURCE/; s/requests=5,6/&\tstatuses.source=2,1\tstatuses.tag=0,0\tstatuses.bytes=8,8\tstatuses.cancelled=0,0/' run.txt > any.txt
	mv any.txt run.txt
	path | tail -n 1 | grep -qx '5 0 MPI_Waitall 1 late_sender 2'
}

@test "a chain over three ranks" {
	run_of 3 > run.txt <<-END
		0.0 0 MPI_Comm_rank 0.5 comm=MPI_COMM_WORLD rank=0
		0.5 2 MPI_Recv 6.5 $(from 1)
		1.0 1 MPI_Recv 3.0 $(from 0)
		3.0 0 MPI_Send 0.25 $(to 1)
		6.0 1 MPI_Send 0.25 $(to 2)
	END
	path_is <<-END
		0 0 MPI_Comm_rank 0.5
		0.5 0 compute 2.5
		3 1 MPI_Recv 1 late_sender 0
		4 1 compute 2
		6 2 MPI_Recv 1 late_sender 1
	END
	[ "$(<ends)" = '0 7000000000' ]
}

@test "calls that begin and end at one moment: the reason moves to the next stretch, and no circle is endless" {
	run_of 2 > run.txt <<-END
		0.0 0 MPI_Comm_rank 0.5 comm=MPI_COMM_WORLD rank=0
		1.0 1 MPI_Recv 5.0 $(from 0)
		6.0 0 MPI_Send 0.5 $(to 1)
		7.0 1 MPI_Comm_size 1.0 comm=MPI_COMM_WORLD size=2
	END
	path_is <<-END
		0 0 MPI_Comm_rank 0.5
		0.5 0 compute 5.5
		6 1 compute 1 late_sender 0
		7 1 MPI_Comm_size 1
	END
	run_of 2 > run.txt <<-END
		0.0 0 MPI_Recv 5.0 $(from 1)
		0.0 1 MPI_Recv 5.0 $(from 0)
		5.0 0 MPI_Send 1.0 $(to 1)
		5.0 1 MPI_Send 1.0 $(to 0)
	END
	path > /dev/null
	whole path.txt | grep -qx '0 6000000000'
}

@test "a rank that the path only passes at one moment: the reason names it" {
	run_of 3 > run.txt <<-END
		0.0 0 MPI_Comm_rank 0.5 comm=MPI_COMM_WORLD rank=0
		0.0 2 MPI_Recv 7.0 $(from 1)
		1.0 1 MPI_Recv 5.0 $(from 0)
		6.0 0 MPI_Send 0.25 $(to 1)
		6.0 1 MPI_Send 0.25 $(to 2)
	END
	path_is <<-END
		0 0 MPI_Comm_rank 0.5
		0.5 0 compute 5.5
		6 2 MPI_Recv 1 late_sender 1
	END
}

@test "threads: a path stays on its thread, except for one that was begun and joined between two calls" {
	run_of 1 > run.txt <<-END
		0.0 0/0 MPI_Init_thread 1.0
		2.0 0/1 MPI_Comm_rank 1.0 comm=MPI_COMM_WORLD rank=0
		4.0 0/1 MPI_Comm_size 1.0 comm=MPI_COMM_WORLD size=1
		7.0 0/0 MPI_Finalize 1.0
	END
	path_is <<-END
		0 0 MPI_Init_thread 1
		1 0 compute 1
		2 0 MPI_Comm_rank 1
		3 0 compute 1
		4 0 MPI_Comm_size 1
		5 0 compute 2
		7 0 MPI_Finalize 1
	END
	# The other thread calls also before the first one's last call: it is not known to have ended.
	sed -i 's/^2[.]0/0.5/' run.txt
	path_is <<-END
		0 0 MPI_Init_thread 1
		1 0 compute 6
		7 0 MPI_Finalize 1
	END
	# A call in progress while the path enters its rank counts until the path enters.
	run_of 2 > run.txt <<-END
		0.0 0/0 MPI_Init_thread 4.0
		1.0 1/0 MPI_Init_thread 1.0
		3.0 0/1 MPI_Send 0.5 $(to 1)
		2.0 1/0 MPI_Recv 6.0 $(from 0)
	END
	path_is <<-END
		1 0 MPI_Init_thread 2 collective 1
		3 1 MPI_Recv 5 late_sender 0
	END
}

@test "threads: calls in progress, lines in the order of ends, and calls within calls" {
	# The path enters a receive before its message is sent: it did not wait for the message until then.
	run_of 2 > run.txt <<-END
		0.0 0/0 MPI_Comm_rank 0.5 comm=MPI_COMM_WORLD rank=0
		1.0 0/0 MPI_Recv 9.0 $(from 1)
		2.0 1/0 MPI_Recv 10.0 $(from 0)
		6.0 0/1 MPI_Send 1.0 $(to 1)
		8.0 1/1 MPI_Send 0.5 $(to 0)
	END
	path_is <<-END
		0 0 MPI_Comm_rank 0.5
		0.5 0 compute 0.5
		1 0 MPI_Recv 5
		6 1 MPI_Recv 6 late_sender 0
	END
	# Another thread's call has not ended yet.
	run_of 1 > run.txt <<-END
		0.0 0/0 MPI_Init_thread 1.0
		2.0 0/1 MPI_Comm_rank 6.0 comm=MPI_COMM_WORLD rank=0
		7.0 0/0 MPI_Finalize 2.0
	END
	path_is <<-END
		0 0 MPI_Init_thread 1
		1 0 compute 6
		7 0 MPI_Finalize 2
	END
	# The second thread begins before a call of the first one that ends earlier.
	run_of 1 > run.txt <<-END
		0.0 0/0 MPI_Init_thread 1.0
		5.0 0/0 MPI_Comm_size 1.0 comm=MPI_COMM_WORLD size=1
		4.0 0/1 MPI_Comm_rank 4.0 comm=MPI_COMM_WORLD rank=0
	END
	path_is <<-END
		0 0 MPI_Init_thread 1
		1 0 compute 3
		4 0 MPI_Comm_rank 4
	END
	run_of 1 > run.txt <<-END
		1.0 0 MPI_Init_thread 4.0
		2.0 0 MPI_Comm_rank 1.0 comm=MPI_COMM_WORLD rank=0
		6.0 0 MPI_Finalize 1.0
	END
	path_is <<-END
		1 0 MPI_Init_thread 4
		5 0 compute 1
		6 0 MPI_Finalize 1
	END
}

@test "random programs: the longest way through the dependencies that a simulator knows" {
	status_is 0 python3 "$ROOT/tests/oracle/critical.py" "$BIN" 200 "$RANDOM"
	has "$output" '^200 programs, [0-9]{4,} stretches, [0-9]{3,} from other ranks, all right$'
}

@test "the demo: the path is whole, ends with the run, and begins with the first call of a rank" {
	trace-match --critical "$FIX"/runs/solver.meta > path.txt
	trace-match -t --critical "$FIX"/runs/solver.meta | whole - > ends
	dumpi2txt "$FIX"/runs/solver.meta | awk -F'\t' 'function ns(s, p) { split(s, p, "."); return p[1] * 1000000000 + p[2] }
		!($2 in first) { first[$2] = ns($1) } ns($1) + ns($6) > end { end = ns($1) + ns($6) }
		END { for (r in first) printf "%.0f %.0f\n", first[r], end }' > may
	grep -qx "$(<ends)" may
	# Each event is a call of the trace or a part of one; or time without a call of the rank.
	dumpi2txt "$FIX"/runs/solver.meta > calls
	awk -F'\t' 'function ns(s, p) { split(s, p, "."); return p[1] * 1000000000 + p[2] }
		{ sub("/.*", "", $2); b = ns($1); e = b + ns($6) }
		NR == FNR { n++; rank[n] = $2; name[n] = $3; begin[n] = b; end[n] = e; next }
		{
			found = 0
			for (i = 1; i <= n; i++)
				if (rank[i] == $2) {
					if ($3 == name[i] && begin[i] <= b && e <= end[i]) found = 1
					if ($3 == "compute" && b < end[i] && begin[i] < e) bad = 1
				}
			if ($3 != "compute" && !found) bad = 1
			if ($3 == "compute") computed++
		}
		END { exit bad || !computed }' calls path.txt
	# The forms of the input, a slice of the output, and what other programs make of it.
	dumpi2txt -b "$FIX"/runs/solver.meta | trace-match -t --critical | same path.txt -
	[ "$(trace-match --critical --from 0.05 --to 0.06 "$FIX"/runs/solver.meta | wc -l)" = "$(awk '$1 >= 0.05 && $1 < 0.06' path.txt | wc -l)" ]
	trace-stats -g loc,call -a 'sum(dur)' path.txt > by
	[ "$(awk -F'\t' '{ s += $3 } END { printf "%.9f", s }' by)" = "$(awk '{ printf "%.9f", ($2 - $1) / 1e9 }' ends)" ]
	trace-match -b --critical "$FIX"/runs/solver.meta | trace-plot timeline > path.svg
	grep -q '<rect' path.svg
}

@test "real runs: the lengths are the end less the begin, also with calls in a temporary file" {
	need_traces dumpi
	n=0
	for meta in "$TRACES"/dumpi/*/*.meta; do
		trace-match -t --critical "$meta" > path.txt 2> err || [ $? = 2 ]
		trace-match -t --critical --tune wait=1 "$meta" 2> err | same path.txt -
		# The times of two runs there are not those of a clock.
		grep -q 'times are not those' err && continue
		[ "$(grep -vc '^#' path.txt)" = 0 ] || whole path.txt
		n=$((n + 1))
	done
	[ "$n" -ge 5 ]
}

@test "clocks that differ, times that are no times, options that contradict, a trace without calls" {
	run_of 2 > run.txt <<-END
		1.0 1 MPI_Recv 2.0 $(from 0)
		6.0 0 MPI_Send 0.5 $(to 1)
		7.0 1 MPI_Comm_rank 1.0 comm=MPI_COMM_WORLD rank=1
	END
	path_is <<-END
		1 1 MPI_Recv 2
		3 1 compute 4
		7 1 MPI_Comm_rank 1
	END
	grep -q '1 messages were received before they were sent, by up to 3.000000000 s' path.err
	# Times of one thread that go back: counted from its previous call.
	run_of 1 > run.txt <<-END
		3.0 0 MPI_Comm_rank 1.0 comm=MPI_COMM_WORLD rank=0
		2.0 0 MPI_Comm_size 4.0 comm=MPI_COMM_WORLD size=1
	END
	status_is 2 trace-match -t --critical run.txt
	has "$stderr" '1 calls begin before the previous call of their thread'
	has "$output" '3.000000000	0	MPI_Comm_size	-	-	3.000000000	call=MPI_Comm_size'
	sed -i 's/##clock\ts/##clock\tticks/; s/[.]0//g' run.txt
	status_is 2 trace-match -t --critical run.txt
	has "$stderr" '--critical: the times are not those of a clock'
	! grep -v '^#' <<< "$output" || false
	for option in --left --clocks --by-end; do
		status_is 2 trace-match --critical $option "$FIX"/runs/solver.meta
	done
	# Two runs in one stream have a path each.
	trace-match --critical "$FIX"/runs/solver.meta > path.txt
	dumpi2txt -H "$FIX"/runs/solver.meta > one
	cat path.txt path.txt > want
	cat one one | trace-match --critical | grep -v '^#' | same want -
}
