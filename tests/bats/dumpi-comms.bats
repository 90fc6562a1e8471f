#!/usr/bin/env bats
# dumpi-comms.bats - DUMPI: how many processes a communicator has, and which of them a rank is: by its own records, and
# by those of all ranks together. The bytes of collectives tell.

load ../helpers

setup() {
	enter
}

# run DIR: the lines "RANK CALL ARGUMENT..." become a DUMPI trace in DIR; every rank has MPI_Init and MPI_Finalize besides.
run() {
	awk -v OFS='\t' '{ r = $1; c = $2; $1 = $2 = ""; sub(/^\t+/, ""); ranks[r]; print sprintf("%.3f", 1 + NR / 1000), r, "MPI_" c, "-", "-", "0.001", $0 }
		END { for (r in ranks) { print "0.5", r, "MPI_Init", "-", "-", "0.001", "argc=0"; print sprintf("%.3f", 2 + NR / 1000), r, "MPI_Finalize", "-", "-", "0.001" } }' |
		sort -s -n | trace-convert --target dumpi -o "$1"
}

# sizes FILE...: rank, call, size and recv_bytes of collectives.
sizes() {
	dumpi2txt "$@" | awk -F'\t' '/\tMPI_(Alltoall|Bcast|Gather|Allgather)\t/ {
		g = "-"; for (i = 7; i <= NF; i++) if ($i ~ /^recv_bytes=/) g = substr($i, 12)
		print $2, substr($3, 5), $5, g }' | sort -s -k1,1n
}

A2A='Alltoall sendcount=100 sendtype=MPI_BYTE recvcount=100 recvtype=MPI_BYTE'
BCAST='Bcast count=10 datatype=MPI_BYTE'

# against BYTES [all]: the events on standard input, place by place in order, have the bytes of the file BYTES, or none;
# with `all` none is missing. Prints what differs.
against() {
	awk -F'\t' -v all="${2-}" 'NR == FNR { if (!/^#/) { k = $1 "-" $2; size[k] = $4; got[k] = $5; n++ } next }
		{ split($2, at, "/"); k = at[1] "-" ++count[at[1]]
		  if (!(k in size)) next
		  g = "-"; for (i = 7; i <= NF; i++) if ($i ~ /^recv_bytes=/) g = substr($i, 12)
		  seen++
		  if (($5 != size[k] && (all || $5 != "-")) || (g != got[k] && (all || g != "-"))) print k ": " size[k] ", " got[k] ": " $0
		  known += $5 == size[k] && g == got[k] }
		END { if (seen != n) print seen " of " n; if (2 * known < n) print "most are unknown" }' "$1" -
}

@test "random programs: each collective has the bytes that MPI defines, by all ranks; by one never others" {
	for seed in {1..12}; do
		python3 "$ROOT/tests/oracle/match_random.py" --write run "$seed" > /dev/null
		# If a grid may have been reordered, some are not known.
		all=all
		! head -n 1 run/bytes.tsv | grep -q reordered || all=''
		dumpi2txt run/run.meta | against run/bytes.tsv $all
		dumpi2txt -b --gpeer run/run.meta | trace-filter -t '*' | against run/bytes.tsv $all
		for f in run/*.bin; do dumpi2txt "$f"; done | against run/bytes.tsv
		# The first two ranks: who else there is, .meta would tell.
		dumpi2txt run/run-000[01].bin 2> err > two
		awk -F'\t' 'NR == 1 || $1 < 2' run/bytes.tsv > first
		against first < two | sed '/most are unknown/d'
		# Threads, and parts of the trace.
		dumpi2txt -b run/run.meta | trace-stats -g event,rank -a 'sum(size),sum(recv_bytes)' > want
		trace-stats -j 2 -g event,rank -a 'sum(size),sum(recv_bytes)' run/run.meta | same want -
		rm -r run
	done > bad
	cat bad
	[ ! -s bad ]
}

@test "without a footer, as after a run that died, a first look reads all records" {
	run split <<-END
		0 Comm_split oldcomm=MPI_COMM_WORLD color=0 key=0 newcomm=4
		1 Comm_split oldcomm=MPI_COMM_WORLD color=0 key=0 newcomm=4
		2 Comm_split oldcomm=MPI_COMM_WORLD color=1 key=0 newcomm=4
		0 $A2A comm=4
		1 $BCAST root=1 comm=4
		2 $A2A comm=4
	END
	printf '%s\n' '0 Alltoall 200 200' '1 Bcast 10 -' '2 Alltoall 100 100' > want
	sizes split/*.meta | same want -
	mkdir dead
	cp split/*.meta dead
	for f in split/*.bin; do
		# The index, which ends the file, has the header's offset in its fourth word.
		perl -0777 -ne '$n = unpack("Q>", substr($_, -32, 8)); print substr($_, 0, $n)' "$f" > "dead/${f##*/}"
	done
	sizes --sizes lp64 dead/*.meta 2> err | same want -
	# A footer that does not count what is there: it is told, and nothing is made up.
	for f in split/*.bin; do
		perl -0777 -pe 's/(\xf0\x07\xfe\xe7.{344})\0\0\0\x01/$1\0\0\0\0/s' -i "$f"
	done
	printf '%s\n' '0 Alltoall - -' '1 Bcast - 10' '2 Alltoall - -' > want
	status_is 2 dumpi2txt split/*.meta
	has "$stderr" 'MPI_Comm_split: the footer counts 0 records, 1 were read'
}

@test "what a rank's own records tell: groups of listed ranks and of ranges, and communicators of them" {
	# Ranks 1 to 3 of 6; that MPI_COMM_WORLD has 6 only the last lines tell.
	run own <<-END
		2 Comm_group comm=MPI_COMM_WORLD group=4
		2 Group_incl group=4 count=3 ranks=5,2,0 newgroup=5
		2 Comm_create oldcomm=MPI_COMM_WORLD group=5 newcomm=4
		2 $A2A comm=4
		2 $BCAST root=1 comm=4
		2 Group_range_incl group=4 count=2 ranges=5,4,-1,0,2,2 ranges.len=3,3 newgroup=6
		2 Comm_create oldcomm=MPI_COMM_WORLD group=6 newcomm=5
		2 $A2A comm=5
		2 $BCAST root=3 comm=5
		2 Group_excl group=6 count=2 ranks=0,2 newgroup=7
		2 Comm_create oldcomm=MPI_COMM_WORLD group=7 newcomm=6
		2 $A2A comm=6
		2 $BCAST root=1 comm=6
		2 Group_range_excl group=5 count=1 ranges=2,0,-2 ranges.len=3 newgroup=8
		2 Comm_create oldcomm=MPI_COMM_WORLD group=8 newcomm=7
		2 $A2A comm=7
		2 $BCAST root=0 comm=7
		2 Group_excl group=4 count=1 ranks=1 newgroup=9
		2 Comm_create oldcomm=MPI_COMM_WORLD group=9 newcomm=8
		2 $A2A comm=8
		2 $BCAST root=1 comm=8
		2 Comm_size comm=MPI_COMM_WORLD size=6
		2 Comm_group comm=MPI_COMM_WORLD group=4
		2 Group_excl group=4 count=1 ranks=1 newgroup=9
		2 Comm_create oldcomm=MPI_COMM_WORLD group=9 newcomm=8
		2 $A2A comm=8
		2 Group_union group1=5 group2=6 newgroup=9
		2 Comm_create oldcomm=MPI_COMM_WORLD group=9 newcomm=8
		2 $A2A comm=8
		2 Group_size group=9 size=5
		2 Comm_create oldcomm=MPI_COMM_WORLD group=9 newcomm=8
		2 $A2A comm=8
	END
	awk '{ print 2, $0 }' > want <<-'END'
		Alltoall 300 300
		Bcast 10 -
		Alltoall 400 400
		Bcast 10 -
		Alltoall 200 200
		Bcast 10 -
		Alltoall 100 100
		Bcast 10 -
		Alltoall - -
		Bcast 10 -
		Alltoall 500 500
		Alltoall - -
		Alltoall 500 500
	END
	sizes own/*-0002.bin | same want -
	# In a pipe, too.
	dumpi2txt --rank 2 < "$(echo own/*-0002.bin)" | awk -F'\t' '$5 != "-" { s += $5 } END { print s }' > got
	echo 2050 | same - got
}

@test "a split: all ranks tell its size; one alone does not, and its call is counted as unknown" {
	for r in 0 1; do
		echo "$r Comm_split oldcomm=MPI_COMM_WORLD color=0 key=$((-r)) newcomm=4"
		echo "$r $A2A comm=4"
		echo "$r $BCAST root=0 comm=4"
		# Which a later one may be given again.
		echo "$r Comm_free comm=4"
		echo "$r Comm_split oldcomm=MPI_COMM_WORLD color=$r key=0 newcomm=4"
		echo "$r $A2A comm=4"
	done | run split
	printf '%s\n' '0 Alltoall 200 200' '0 Bcast - 10' '0 Alltoall 100 100' '1 Alltoall 200 200' '1 Bcast 10 -' '1 Alltoall 100 100' > want
	sizes split/*.meta | same want -
	trace-stats --tsv split/*.meta > got
	grep -Fx 'mpi	all	sent	610' got
	grep -Fx 'mpi	all	unknown	0' got
	printf '%s\n' '1 Alltoall - -' '1 Bcast - 10' '1 Alltoall - -' > want
	sizes split/*-0001.bin | head -n 1 | same <(head -n 1 want) -
	trace-stats --tsv split/*-0001.bin > got
	grep -Fx 'mpi	MPI_Alltoall	unknown	2' got
	# Of a rank that is missing nothing is made up, although the other one is there.
	rm split/*-0000.bin
	status_is 2 dumpi2txt split/*.meta
	has "$output" '	MPI_Alltoall	-	-	'
}

@test "a grid whose ranks MPI may have changed: its size is known, the ranks are not until MPI_Comm_rank" {
	for r in 0 1; do
		echo "$r Cart_create oldcomm=MPI_COMM_WORLD ndim=1 dims=2 periods=0 reorder=1 newcomm=4"
		echo "$r Comm_split oldcomm=4 color=0 key=0 newcomm=5"
		echo "$r $A2A comm=5"
		echo "$r $BCAST root=0 comm=5"
		echo "$r Comm_rank comm=5 rank=$((1 - r))"
		echo "$r $BCAST root=0 comm=5"
	done | run cart
	printf '%s\n' '0 Alltoall 200 200' '0 Bcast - -' '0 Bcast - 10' '1 Alltoall 200 200' '1 Bcast - -' '1 Bcast 10 -' > want
	sizes cart/*.meta | same want -
}

@test "a chain of 200,000 communicators, each made of the one before it, that wait for another rank" {
	awk 'BEGIN { for (r = 0; r < 2; r++) {
		print r, "Comm_split oldcomm=MPI_COMM_WORLD color=0 key=0 newcomm=4"
		for (i = 0; i < 200000; i++) print r, "Comm_dup oldcomm=4 newcomm=4" } }' | run chain
	for program in dumpi2txt 'dumpi2txt --gpeer' 'trace-match -b' 'trace-plot matrix --bins'; do
		run_status=0
		$program chain/*.meta > out 2> err || run_status=$?
		[ $run_status -le 2 ] || { echo "$program: $run_status"; false; }
	done
}

@test "traces: the bytes sent by a public trace of a Blue Gene, as dumpistats -s all has them" {
	[ -d "$TRACES/dumpi/bluegene-public" ] || skip 'no traces'
	trace-stats --tsv "$TRACES"/dumpi/bluegene-public/testbgp.meta > got
	grep -Fx 'mpi	all	sent	662872' got
	grep -Fx 'mpi	all	unknown	0' got
	for f in "$TRACES"/dumpi/bluegene-public/testbgp-*.bin; do
		trace-stats --tsv "$f" | grep -Fx 'mpi	all	sent	94696'
	done
}

@test "a program that names gpeer has it without -O gpeer, of files" {
	for f in "$FIX/runs/solver.meta" "$FIX/runs/solver-0000.bin $FIX/runs/solver-0001.bin $FIX/runs/solver-0002.bin $FIX/runs/solver-0003.bin"; do
		# shellcheck disable=SC2086  # files
		{
			trace-stats -O gpeer -g gpeer -a 'count,sum(size)' $f > want
			trace-stats -g gpeer -a 'count,sum(size)' $f | same want -
			[ "$(awk 'NR > 1' want | cut -f 1 | xargs)" = '0 1 2 3 -' ]
			trace-filter -O gpeer -F loc,event,gpeer 'gpeer < 2 and MPI_Isend' $f > want
			trace-filter -F loc,event,gpeer 'gpeer < 2 and MPI_Isend' $f | same want -
			trace-derive 'x = coalesce(gpeer, -1)' $f | same <(trace-derive -O gpeer 'x = coalesce(gpeer, -1)' $f) -
			trace-export -T csv --fields event,gpeer $f | same <(trace-export -O gpeer -T csv --fields event,gpeer $f) -
		}
	done
}
