#!/usr/bin/env bats
# dumpi-bytes.bats - DUMPI: the bytes of a call, by what the records before it made of datatypes,
# communicators and requests.

load ../helpers

setup_file() {
	generator gen/gen_dumpi.c
}

# script [FILE [VERSION WORDS MASK]] < RECORDS: a trace in which datatype 9 (MPI_INT) has 9 bytes,
# 14 (MPI_DOUBLE) 14, and so on up to 31.
script() {
	"$BATS_FILE_TMPDIR/gen" script "${@:2}" > "${1:-t-0001.bin}"
}

# sizes [OPTION]...: call, size and what is received of every record with any of these, of t-0001.bin.
sizes() {
	dumpi2txt "$@" t-0001.bin 2>/dev/null | awk -F'\t' '
		{ r = ""
		  for (i = 7; i <= NF; i++)
			if ($i ~ /^(recv_bytes|posted|bytes)=/) r = $i
		  if ($5 != "-" || r != "") print $3, $5, r }' | sed 's/^MPI_//; s/ $//'
}

# is WANT...: they are that.
is() {
	diff <(sizes) <(printf '%s\n' "$@")
}

@test "a reused datatype handle has the size that its last record gave it" {
	script <<-'END'
		MPI_Send 1 28 0 1 2
		MPI_Type_contiguous 10 9 28
		MPI_Send 1 28 0 1 2
		MPI_Type_free 28
		MPI_Type_contiguous 20 14 28
		MPI_Send 1 28 0 1 2
		MPI_Recv 1 28 0 1 2 .
		MPI_Send 2 30 0 1 2
	END
	is 'Send 28' 'Send 90' 'Send 280' 'Send 60'
}

@test "every call that makes a datatype: the sum of counts times sizes" {
	script <<-'END'
		MPI_Type_vector 3 2 7 9 32
		MPI_Send 1 32 0 1 2
		MPI_Type_hvector 3 2 7 32 33
		MPI_Send 1 33 0 1 2
		MPI_Type_indexed 3 1,2,3 5,6,7 9 34
		MPI_Send 1 34 0 1 2
		MPI_Type_hindexed 2 1,2 5,6 34 34
		MPI_Send 1 34 0 1 2
		MPI_Type_struct 4 1,2,5,1 0,0,0,0 20,9,34,21 35
		MPI_Send 1 35 0 1 2
		MPI_Type_create_struct 2 1,2 0,0 2,9 36
		MPI_Send 1 36 0 1 2
		MPI_Type_dup 36 37
		MPI_Send 1 37 0 1 2
		MPI_Type_create_resized 37 0 1000 38
		MPI_Send 1 38 0 1 2
		MPI_Type_create_hindexed 2 3,4 0,0 9 39
		MPI_Send 1 39 0 1 2
		MPI_Type_create_hvector 2 3 99 9 40
		MPI_Send 1 40 0 1 2
		MPI_Type_create_indexed_block 3 4 0,0,0 9 41
		MPI_Send 1 41 0 1 2
		MPI_Type_create_subarray 3 8,6,4 4,3,2 1,1,1 1 14 42
		MPI_Send 1 42 0 1 2
		MPI_Type_match_size 1 8 43
		MPI_Send 3 43 0 1 2
		MPI_Type_size 44 12
		MPI_Send 3 44 0 1 2
	END
	is 'Send 54' 'Send 324' 'Send 54' 'Send 162' 'Send 828' 'Send 20' 'Send 20' 'Send 20' \
		'Send 63' 'Send 54' 'Send 108' 'Send 336' 'Send 24' 'Send 36'
}

@test "a distributed array has the elements that are this rank's" {
	local want
	# The records into `in`, and for each array the size that its elements make, counted one by one.
	awk 'function elements(rank, n, how, darg, procs,   block, e, k) {
			block = darg > 0 ? darg : how == 2 ? 1 : int((n + procs - 1) / procs)
			for (e = k = 0; e < n; e++)
				k += how == 3 || int(e / block) % procs == rank
			return k
		}
		BEGIN {
			sizes = split("1 7 8 24", size, " ")
			dargs = split("-1 2 5 30", arg, " ")
			for (s = 1; s <= sizes; s++) for (how = 1; how <= 3; how++) for (d = 1; d <= dargs; d++) for (procs = 1; procs <= 3; procs++) {
				n = size[s]; darg = arg[d] + 0
				if (how == 3 && procs != 1) continue
				# A block distribution holds all elements, or it is no MPI.
				if (how == 1 && darg >= 0 && darg * procs < n) continue
				for (rank = 0; rank < procs; rank++) {
					print "MPI_Type_create_darray", procs, rank, 1, n, how, darg, procs, 1, 9, 32 > "in"
					print "MPI_Send 1 32 0 1 2" > "in"
					print "Send " 9 * elements(rank, n, how, darg, procs)
				}
			}
			# Two dimensions: rank 4 of 2 x 3 is at 1, 1.
			print "MPI_Type_create_darray 6 4 2 8,7 1,2 -1,2 2,3 1 9 32" > "in"
			print "MPI_Send 1 32 0 1 2" > "in"
			print "Send " 9 * 4 * elements(1, 7, 2, 2, 3)
		}' > wanted
	script < in
	mapfile -t want < wanted
	[ ${#want[@]} -gt 100 ]
	is "${want[@]}"
}

@test "a datatype whose parts are not known has no size; nor has one of 4 GiB and more" {
	script <<-'END'
		MPI_Type_contiguous 10 99 28
		MPI_Send 1 28 0 1 2
		MPI_Send 0 28 0 1 2
		MPI_Type_contiguous 400000000 9 29
		MPI_Type_contiguous 2000000000 29 29
		MPI_Send 1 29 0 1 2
		MPI_Type_contiguous -4 9 29
		MPI_Send 1 29 0 1 2
		MPI_Type_create_struct 3 1,2 0,0 9,9,9 30
		MPI_Send 1 30 0 1 2
		MPI_Send 1 9 0 1 2
	END
	is 'Send 0' 'Send 9'
}

@test "Wait and Test have the bytes of requests that were receives, and of no others" {
	script <<-'END'
		MPI_Isend 10 9 0 1 2 5
		MPI_Irecv 10 9 0 1 2 6
		MPI_Wait 5 90:1:0:1
		MPI_Wait 6 50:1:0:1
		MPI_Isend 10 9 0 1 2 5
		MPI_Irecv 10 9 0 1 2 6
		MPI_Irecv 10 9 0 1 2 7
		MPI_Waitall 3 5,6,7 1000:1:0:1,20:1:0:1,3:1:0:1
		MPI_Issend 10 9 0 1 2 5
		MPI_Irecv 10 9 0 1 2 6
		MPI_Test 6 0 77:1:0:1
		MPI_Test 6 1 8:1:0:1
		MPI_Test 5 1 77:1:0:1
		MPI_Ibsend 10 9 0 1 2 5
		MPI_Irecv 10 9 0 1 2 6
		MPI_Waitany 3 5,1,6 2 9:1:0:1
		MPI_Waitany 3 5,1,1 0 77:1:0:1
		MPI_Waitany 3 1,1,1 -32766 77:1:0:1
		MPI_Irsend 10 9 0 1 2 5
		MPI_Irecv 10 9 0 1 2 6
		MPI_Testany 2 5,6 -32766 0 77:1:0:1
		MPI_Testany 2 5,6 -32766 1 77:1:0:1
		MPI_Testany 2 5,6 1 1 10:1:0:1
		MPI_Testall 2 5,1 0 .
		MPI_Testall 2 5,1 1 77:1:0:1,77:1:0:1
		MPI_Isend 10 9 0 1 2 5
		MPI_Irecv 10 9 0 1 2 6
		MPI_Irecv 10 9 0 1 2 7
		MPI_Irecv 10 9 0 1 2 8
		MPI_Waitsome 4 5,6,7,8 3 3,0,1 11:1:0:1,77:1:0:1,12:1:0:1
		MPI_Testsome 4 1,1,7,1 0 . .
		MPI_Testsome 4 1,1,7,1 1 2 13:1:0:1
		MPI_Waitsome 4 1,1,1,1 -32766 . .
	END
	is 'Isend 90' 'Irecv 90' 'Wait 50' 'Isend 90' 'Irecv 90' 'Irecv 90' 'Waitall 23' 'Issend 90' 'Irecv 90' \
		'Test 8' 'Ibsend 90' 'Irecv 90' 'Waitany 9' 'Irsend 90' 'Irecv 90' 'Testany 10' \
		'Isend 90' 'Irecv 90' 'Irecv 90' 'Irecv 90' 'Waitsome 23' 'Testsome 13'
}

@test "Waitsome completes as many requests as outcount says, not as many as have an index" {
	script <<-'END'
		MPI_Irecv 10 9 0 1 2 5
		MPI_Irecv 10 9 0 1 2 6
		MPI_Waitsome 2 5,6 1 1,0 11:1:0:1,12:1:0:1
		MPI_Wait 5 13:1:0:1
	END
	is 'Irecv 90' 'Irecv 90' 'Waitsome 11' 'Wait 13'
}

@test "a shared request id is a queue: a completion takes the oldest" {
	script <<-'END'
		MPI_Isend 1 9 0 1 2 2
		MPI_Isend 1 9 0 1 2 2
		MPI_Irecv 1 9 0 1 2 2
		MPI_Isend 1 9 0 1 2 2
		MPI_Wait 2 1:1:0:1
		MPI_Waitall 2 2,2 2:1:0:1,4:1:0:1
		MPI_Wait 2 8:1:0:1
		MPI_Wait 2 16:1:0:1
		MPI_Isend 1 9 0 1 2 -5
		MPI_Irecv 1 9 0 1 2 -6
		MPI_Waitall 2 -5,-6 32:1:0:1,64:1:0:1
		MPI_Isend 1 9 0 1 2 3
		MPI_Request_free 3
		MPI_Irecv 1 9 0 1 2 3
		MPI_Wait 3 128:1:0:1
		MPI_Grequest_start 4
		MPI_Wait 4 256:1:0:1
	END
	is 'Isend 9' 'Isend 9' 'Irecv 9' 'Isend 9' 'Waitall 4' 'Isend 9' 'Irecv 9' 'Waitall 64' 'Isend 9' 'Irecv 9' 'Wait 128'
}

@test "70,000 requests that are pending, ids that wrap: each completes as what it was" {
	awk 'BEGIN {
		for (i = 0; i < 70000; i++) {
			id = (i + 32768) % 65536 - 32768; if (id == 1) continue
			print (i % 3 ? "MPI_Isend" : "MPI_Irecv"), 1, 9, 0, 1, 2, id }
		for (i = 0; i < 70000; i++) {
			id = (i + 32768) % 65536 - 32768; if (id == 1) continue
			print "MPI_Wait", id, i % 1000 ":1:0:1" } }' | script
	sizes | awk '$1 == "Wait" { n++; s += $2 } END { print n, s }' > got
	awk 'BEGIN { for (i = 0; i < 70000; i++) if (i % 3 == 0 && i != 1 && i != 65537) { n++; s += i % 1000 } print n, s }' > want
	same want got
}

@test "a limit of what is kept is told, with status 2" {
	# Requests that nobody waits for, of one id in turn a send and a receive.
	awk 'BEGIN { for (i = 0; i < 200; i++) print (i % 2 ? "MPI_Isend" : "MPI_Irecv"), 1, 9, 0, 1, 2, 7
		print "MPI_Wait", 7, "5:1:0:1" }' | script
	status_is 2 dumpi2txt t-0001.bin
	has "$stderr" 't-0001.bin: offset [0-9]+: too many pending requests'
	# Nobody asks for sizes.
	status_is 0 trace-stats -g event -a count t-0001.bin
	[ -z "$stderr" ]
}

@test "a completion without a status has no bytes; a receive that was cancelled has none" {
	script <<-'END'
		MPI_Irecv 10 9 0 1 2 6
		MPI_Wait 6 .
		MPI_Irecv 10 9 0 1 2 6
		MPI_Cancel 6
		MPI_Wait 6 -32766:1:1:1
		MPI_Irecv 10 9 0 1 2 6
		MPI_Wait 6 4:1:1:1
		MPI_Wait 6 5:1:0:1
	END
	is 'Irecv 90' 'Irecv 90' 'Wait 0' 'Irecv 90' 'Wait 4'
}

@test "before 0.6.7 a request is its low 8 bits" {
	script t-0001.bin 0.6.5 8 0x4f <<-'END'
		MPI_Isend 10 9 0 1 2 0x12345605
		MPI_Irecv 10 9 0 1 2 0x12345606
		MPI_Waitall 2 0x05,0x77777706 3:1:0:1,4:1:0:1
	END
	is 'Isend 90' 'Irecv 90' 'Waitall 4'
}

@test "persistent requests: Start has the bytes, the peer and the communicator of the request" {
	script <<-'END'
		MPI_Send_init 10 9 3 1 2 5
		MPI_Recv_init 20 9 4 1 2 6
		MPI_Start 5
		MPI_Start 6
		MPI_Waitall 2 5,6 1:1:0:1,2:1:0:1
		MPI_Startall 2 5,6
		MPI_Testall 2 5,6 1 1:1:0:1,4:1:0:1
		MPI_Ssend_init 1 9 8 1 2 7
		MPI_Startall 3 5,6,7
		MPI_Type_contiguous 2 9 28
		MPI_Rsend_init 2 28 3 1 2 8
		MPI_Type_contiguous 3 9 28
		MPI_Startall 1 8
		MPI_Request_free 8
		MPI_Start 8
		MPI_Bsend_init 2 9 -2 1 2 9
		MPI_Start 9
		MPI_Startall 2 77,78
	END
	is 'Send_init - bytes=90' 'Recv_init - bytes=180' 'Start 90' 'Start - posted=180' 'Waitall 2' 'Startall 90 posted=180' \
		'Testall 4' 'Ssend_init - bytes=9' 'Startall 99 posted=180' 'Rsend_init - bytes=36' 'Startall 36' \
		'Bsend_init - bytes=0' 'Start 0'
	dumpi2txt t-0001.bin | awk -F'\t' '$3 ~ /^MPI_Start/ {
		p = "-"; for (i = 7; i <= NF; i++) if ($i ~ /^(peer|comm)=/) p = p $i; print p }' > got
	cat > want <<-'END'
		-peer=3comm=MPI_COMM_WORLD
		-peer=4comm=MPI_COMM_WORLD
		-peer=3comm=MPI_COMM_WORLD
		-
		-peer=3comm=MPI_COMM_WORLD
		-
		-peer=MPI_PROC_NULLcomm=MPI_COMM_WORLD
		-
	END
	same want got
}

@test "MPI_PROC_NULL: 0 bytes, and the peer says so" {
	script <<-'END'
		MPI_Send 10 9 -2 1 2
		MPI_Isend 10 9 -1 1 2 5
		MPI_Recv 10 9 -2 1 2 .
		MPI_Recv 10 9 -1 1 2 0:-1:0:-1
		MPI_Recv 10 9 -1 1 2 .
		MPI_Irecv 10 9 -2 1 2 6
		MPI_Irecv 10 9 -1 1 2 7
		MPI_Sendrecv 10 9 -2 1 5 9 -2 1 2 .
		MPI_Put 10 9 -1 0 10 9 3
	END
	is 'Send 0' 'Isend 0' 'Recv 0' 'Recv 0' 'Irecv 0' 'Irecv 90' 'Sendrecv 0 recv_bytes=0' 'Put 0'
	dumpi2txt t-0001.bin | grep -o 'peer=[^	]*' | cut -c6- | paste -sd' ' > got
	echo MPI_PROC_NULL MPI_PROC_NULL MPI_PROC_NULL MPI_PROC_NULL MPI_ANY_SOURCE MPI_PROC_NULL \
		MPI_ANY_SOURCE MPI_PROC_NULL MPI_PROC_NULL | cmp - got
}

@test "Sendrecv: size is sent, recv_bytes received" {
	script <<-'END'
		MPI_Sendrecv 10 9 3 1 20 9 4 1 2 7:4:0:1
		MPI_Sendrecv 10 9 3 1 20 9 4 1 2 .
		MPI_Sendrecv_replace 10 9 3 1 4 1 2 8:4:0:1
	END
	is 'Sendrecv 90 recv_bytes=7' 'Sendrecv 90' 'Sendrecv_replace 90 recv_bytes=8'
}

@test "collectives: size is what this rank sends into the call, recv_bytes what it receives" {
	# This is rank 1 of 3.
	cat > in <<-'END'
		MPI_Comm_size 2 3
		MPI_Bcast 10 9 1 2
		MPI_Bcast 10 9 0 2
		MPI_Gather 1 10 9 1 2 10 9
		MPI_Gather 1 10 9 0 2
		MPI_Gatherv 1 3 10 9 1 2 1,2,3 0,0,0 9
		MPI_Gatherv 1 3 10 9 0 2 9
		MPI_Scatter 1 10 9 1 2 10 9
		MPI_Scatter 1 10 9 0 2
		MPI_Scatterv 1 3 9 10 9 1 2 1,2,3 0,0,0
		MPI_Scatterv 1 3 9 10 9 0 2
		MPI_Allgather 2 9 3 9 2
		MPI_Allgatherv 3 2 9 1,2,3 0,0,0 9 2
		MPI_Alltoall 2 9 3 9 2
		MPI_Alltoallv 3 1,2,3 0,0,0 9 4,5,6 0,0,0 9 2
		MPI_Alltoallw 3 1,2,3 0,0,0 9,5,9 4,5,6 0,0,0 9,9,5 2
		MPI_Reduce 10 9 3 1 2
		MPI_Reduce 10 9 3 0 2
		MPI_Allreduce 10 9 3 2
		MPI_Reduce_scatter 3 1,2,3 9 3 2
		MPI_Scan 10 9 3 2
		MPI_Exscan 10 9 3 2
		MPI_Barrier 2
	END
	script < in
	is 'Bcast 90' 'Bcast - recv_bytes=90' 'Gather 90 recv_bytes=270' 'Gather 90' 'Gatherv 90 recv_bytes=54' 'Gatherv 90' \
		'Scatter 270 recv_bytes=90' 'Scatter - recv_bytes=90' 'Scatterv 54 recv_bytes=90' 'Scatterv - recv_bytes=90' \
		'Allgather 18 recv_bytes=81' 'Allgatherv 18 recv_bytes=54' 'Alltoall 54 recv_bytes=81' 'Alltoallv 54 recv_bytes=135' \
		'Alltoallw 46 recv_bytes=111' 'Reduce 90 recv_bytes=90' 'Reduce 90' 'Allreduce 90 recv_bytes=90' \
		'Reduce_scatter 54 recv_bytes=18' 'Scan 90 recv_bytes=90' 'Exscan 90 recv_bytes=90'
	# The first rank of an Exscan receives nothing.
	echo 'MPI_Exscan 10 9 3 2' | script t-0000.bin
	has "$(dumpi2txt t-0000.bin)" '	MPI_Exscan	-	90	'
	[ "$(dumpi2txt t-0000.bin | grep -c recv_bytes)" = 0 ]
	# In place: what this rank has is where it receives.
	script <<-'END'
		MPI_Comm_size 2 3
		MPI_Gather 1 0 1 1 2 10 9
		MPI_Gatherv 1 3 0 1 1 2 1,2,3 0,0,0 9
		MPI_Scatter 1 0 1 1 2 10 9
		MPI_Scatterv 1 3 9 0 1 1 2 1,2,3 0,0,0
		MPI_Allgather 0 1 3 9 2
		MPI_Allgatherv 3 0 1 1,2,3 0,0,0 9 2
		MPI_Alltoall 0 1 3 9 2
		MPI_Alltoallv 3 . . 1 4,5,6 0,0,0 9 2
		MPI_Alltoallw 3 0,0,0 0,0,0 1,1,1 4,5,6 0,0,0 9,9,5 2
	END
	is 'Gather 90 recv_bytes=270' 'Gatherv 18 recv_bytes=54' 'Scatter 270 recv_bytes=90' 'Scatterv 54 recv_bytes=18' \
		'Allgather 27 recv_bytes=81' 'Allgatherv 18 recv_bytes=54' 'Alltoall 81 recv_bytes=81' \
		'Alltoallv 135 recv_bytes=135' 'Alltoallw 111 recv_bytes=111'
}

@test "collectives: a communicator is what its records say, and unknown until then" {
	script <<-'END'
		MPI_Alltoall 2 9 3 9 2
		MPI_Alltoall 2 9 3 9 3
		MPI_Comm_size 2 4
		MPI_Comm_dup 2 5
		MPI_Alltoall 2 9 3 9 5
		MPI_Bcast 10 9 1 5
		MPI_Comm_split 2 0 0 5
		MPI_Alltoall 2 9 3 9 5
		MPI_Bcast 10 9 1 5
		MPI_Comm_size 5 2
		MPI_Comm_rank 5 0
		MPI_Alltoall 2 9 3 9 5
		MPI_Bcast 10 9 1 5
		MPI_Cart_create 2 2 2,2 0,0 0 6
		MPI_Alltoall 2 9 3 9 6
		MPI_Bcast 10 9 1 6
		MPI_Cart_create 2 2 2,2 0,0 1 6
		MPI_Bcast 10 9 1 6
		MPI_Intercomm_create 5 0 2 1 7 8
		MPI_Comm_size 8 2
		MPI_Comm_rank 8 0
		MPI_Bcast 10 9 0 8
		MPI_Alltoall 2 9 3 9 8
		MPI_Comm_remote_size 8 3
		MPI_Alltoall 2 9 3 9 8
		MPI_Allgatherv 5 2 9 1,2,3,4,5 0,0,0,0,0 9 9
		MPI_Alltoall 2 9 3 9 9
	END
	is 'Alltoall 18 recv_bytes=27' 'Alltoall 72 recv_bytes=108' 'Bcast 90' \
		'Alltoall 36 recv_bytes=54' 'Bcast - recv_bytes=90' 'Alltoall 72 recv_bytes=108' 'Bcast 90' \
		'Alltoall 54 recv_bytes=81' 'Allgatherv 18 recv_bytes=135' 'Alltoall 90 recv_bytes=135'
}

@test "--sizes: of MPI's own datatypes where the trace tells none, and only when asked" {
	# An old index has no section of sizes.
	script t-0001.bin 13.0.0 7 0x4f <<-'END'
		MPI_Send 10 9 0 1 2
		MPI_Irecv 10 14 0 1 2 5
		MPI_Type_contiguous 3 9 28
		MPI_Send 1 28 0 1 2
		MPI_Recv 10 9 0 1 2 8:0:0:1
		MPI_Allreduce 1 15 3 2
		MPI_Send 1 99 0 1 2
		MPI_Send 10 9 -2 1 2
	END
	status_is 0 dumpi2txt t-0001.bin
	has "$stderr" '^dumpi2txt: t-0001.bin: 3 calls left without a size: .*-O sizes'
	is 'Recv 8' 'Send 0'
	status_is 0 dumpi2txt --sizes lp64 t-0001.bin
	[ -z "$stderr" ]
	diff <(sizes --sizes lp64) <(printf '%s\n' 'Send 40' 'Irecv 80' 'Send 12' 'Recv 8' 'Allreduce 16 recv_bytes=16' 'Send 0')
	# Another rank of the run.
	echo 'MPI_Barrier 2' | script other-0000.bin
	status_is 0 dumpi2txt --sizes other-0000.bin t-0001.bin
	[ -z "$stderr" ]
	diff <(sizes --sizes other-0000.bin) <(printf '%s\n' 'Send 90' 'Irecv 140' 'Send 27' 'Recv 8' 'Allreduce 15 recv_bytes=15' 'Send 0')
	# What the trace tells is not overridden.
	echo 'MPI_Send 1 9 0 1 2' | script
	diff <(sizes --sizes lp64) <(echo 'Send 9')
	# Which cannot tell: all events are there all the same.
	for other in t-0001.bin nowhere "$FIX/spc/WebSearch2-first10.spc"; do
		[ "$other" != t-0001.bin ] || echo 'MPI_Send 1 9 0 1 2' | script t-0001.bin 13.0.0 7 0x4f
		status_is 2 dumpi2txt --sizes "$other" t-0001.bin
		has "$stderr" "$other: -O sizes: the file has no sizes of datatypes"
		[ "$(wc -l <<<"$output")" = 2 ]
	done
	# A pipe whose sections come too late.
	awk 'BEGIN { for (i = 0; i < 9000; i++) print "MPI_Send 10 9 0 1 2" }' | script
	[ "$(stat -c %s t-0001.bin)" -gt 300000 ]
	# shellcheck disable=SC2002
	cat t-0001.bin | dumpi2txt 2> err | cut -f5 | sort | uniq -c > got
	has "$(cat err)" ' 9000 calls left without a size: '
	[ "$(awk '$2 == "-" { print $1 }' got)" = 9001 ]
	# shellcheck disable=SC2002
	[ "$(cat t-0001.bin | dumpi2txt --sizes lp64 2>/dev/null | awk -F'\t' '{ s += $5 } END { print s }')" = 360000 ]
}

@test "sizes are the same whoever asks, and in text, binary and native form" {
	cat > in <<-'END'
		MPI_Comm_size 2 3
		MPI_Type_contiguous 10 9 28
		MPI_Isend 10 28 0 1 2 5
		MPI_Irecv 10 28 0 1 2 6
		MPI_Send_init 10 28 0 1 2 7
		MPI_Start 7
		MPI_Waitall 3 5,6,7 1:1:0:1,2:1:0:1,4:1:0:1
		MPI_Alltoall 2 28 3 9 2
		MPI_Sendrecv 10 9 3 1 20 9 4 1 2 7:4:0:1
	END
	for mask in 0x04 0x48 0x4f; do
		script t-0001.bin 13.0.0 8 $mask < in
		dumpi2txt t-0001.bin | cut -f3,5 > want
		grep -Fx 'MPI_Start	900' want
		trace-filter -F event,size 'event?' t-0001.bin | cmp - want
		dumpi2txt -b t-0001.bin | trace-filter -t 'event?' > a
		dumpi2txt t-0001.bin | cmp - a
		dumpi2txt t-0001.bin | trace-filter -t 'event?' | cmp - a
		dumpi2txt -n t-0001.bin > n-0001.bin
		dumpi2txt n-0001.bin | cmp - a
		trace-stats -g event -a 'sum(size)' t-0001.bin > a
		dumpi2txt t-0001.bin | trace-stats -g event -a 'sum(size)' | cmp - a
	done
	# With counters each record goes another way.
	"$BATS_FILE_TMPDIR/gen" script 13.0.0 8 0x4f 2 < in > t-0001.bin
	dumpi2txt t-0001.bin | cut -f3,5 | cmp - want
	# The report on all three.
	trace-stats --tsv t-0001.bin > want
	dumpi2txt -b t-0001.bin | trace-stats --tsv | cmp - want
	dumpi2txt -H t-0001.bin | trace-stats --tsv | cmp - want
}

@test "the report says what is sent and what is received, and adds no message up twice" {
	# A message each way: Isend and Irecv, with the statuses of both.
	script <<-'END'
		MPI_Isend 10 9 0 1 2 5
		MPI_Irecv 10 9 0 1 2 6
		MPI_Waitall 2 5,6 90:1:0:1,90:0:0:1
		MPI_Sendrecv 10 9 3 1 20 9 4 1 2 7:4:0:1
		MPI_Send_init 1 9 0 1 2 5
		MPI_Start 5
		MPI_Wait 5 9:1:0:1
	END
	trace-stats --tsv t-0001.bin > got
	grep -Fx 'trace	sent	value	189' got
	grep -Fx 'trace	received	value	97' got
	[ "$(grep -c '^trace	bytes' got)" = 0 ]
	grep -Fx 'rank	1	messages	3' got
	grep -Fx 'rank	1	sent	189' got
	grep -Fx 'rank	1	received	97' got
	grep -Fx 'mpi	MPI_Waitall	sent	-' got
	grep -Fx 'mpi	MPI_Waitall	received	90' got
	grep -Fx 'mpi	MPI_Irecv	received	-' got
	grep -Fx 'mpi	all	sent	189' got
	# No other table adds up sizes of different calls.
	[ "$(grep -cE '^location	[^	]*	(bytes|share_of_bytes)	[0-9]|share_of_bytes	[0-9]|^size	all' got)" = 0 ]
	trace-stats t-0001.bin > got
	grep -Ex 'sent  +189' got
	grep -Ex 'received  +97' got
	# A buffer is no message: without its status a receive is unknown, and counted as that.
	script <<-'END'
		MPI_Recv 8000 9 0 1 2 .
		MPI_Recv 8000 9 0 1 2 8:0:0:1
		MPI_Sendrecv 10 9 3 1 20 9 4 1 2 .
		MPI_Sendrecv_replace 10 9 3 1 4 1 2 .
	END
	trace-stats --tsv t-0001.bin > got
	grep -Fx 'trace	received	value	8' got
	grep -Fx 'mpi	MPI_Recv	unknown	1' got
	grep -Fx 'mpi	MPI_Sendrecv	sent	90' got
	grep -Fx 'mpi	all	unknown	3' got
	trace-stats t-0001.bin > got
	# Other formats have the sum of all sizes as before.
	trace-stats --tsv "$FIX/spc/WebSearch2-first10.spc" > got
	grep -E '^trace	bytes	value	[0-9]' got
	grep -E '^location	[^	]*	share_of_bytes	[0-9]' got
}

@test "counters without names are told, and have numbers" {
	# An index of 5 words has no section of labels.
	echo 'MPI_Send 1 9 0 1 2' | "$BATS_FILE_TMPDIR/gen" script 0.2.0 5 0x4f 2 > t-0001.bin
	status_is 0 dumpi2txt t-0001.bin
	has "$output" '	perf0=[0-9]+	perf0.out=[0-9]+	perf1='
	has "$stderr" 't-0001.bin: offset 16: a call has 2 counters, but the file names 0: '
	[ "$(grep -c counters <<<"$stderr")" = 1 ]
	echo 'MPI_Send 1 9 0 1 2' | "$BATS_FILE_TMPDIR/gen" script 13.0.0 8 0x4f 2 > t-0001.bin
	status_is 0 dumpi2txt t-0001.bin
	[ -z "$stderr" ]
}

# sent_and_received FILE...: sums over point-to-point calls.
sent_and_received() {
	dumpi2txt "$@" | awk -F'\t' '
		$5 != "-" && $3 ~ /^MPI_(.*[sS]end|Sendrecv.*|Start.*)$/ { sent += $5 }
		$5 != "-" && $3 ~ /^MPI_(Recv|Wait.*|Test.*)$/ { received += $5 }
		$3 ~ /^MPI_Sendrecv/ { for (i = 7; i <= NF; i++) if ($i ~ /^recv_bytes=/) received += substr($i, 12) }
		END { print sent + 0, received + 0 }'
}

@test "traces: sent and received are the matrix and the pairs of an independent matching" {
	local o=$TRACES/../oracles/mpi n t matrix pairs
	[ -d "$o" ] || skip "no oracles at $o"
	for n in t-match-1 t-match-3 allcalls-ompi-full allcalls-ompi-none app-minife bluegene-public instr-annotations threads-ompi; do
		t=$TRACES/dumpi/$n
		[ -d "$t" ] || t=$o/traces/$n
		matrix=$(awk -F'\t' '!/^#/ { s += $4 } END { print s }' "$o/$n.matrix.tsv")
		pairs=$(awk -F'\t' '!/^#/ { s += $7 } END { print s }' "$o/$n.pairs.tsv")
		read -r sent received < <(sent_and_received "$t"/*.meta)
		echo "$n: $sent $matrix $received $pairs"
		case $n in
		t-match-3) ;; # ambiguous messages are not in the matrix, see below
		*) [ "$sent" = "$matrix" ] ;;
		esac
		# Who sends to whom, in ranks of the world.
		[ "$n" = t-match-3 ] || trace-plot matrix --bins "$t"/*.meta | tail -n +2 | awk -F'[/\t]' -v OFS='\t' '
			{ k = $1 OFS $(NF - 2); m[k] += $(NF - 1); b[k] += $NF } END { for (k in m) print k, m[k], b[k] }' |
			LC_ALL=C sort | same <(tail -n +2 "$o/$n.matrix.tsv" | LC_ALL=C sort) -
		# Where the program kept all statuses.
		case $n in
		t-match-1 | app-minife | threads-ompi) [ "$received" = "$pairs" ] ;;
		esac
		# Each send of the pairs has its bytes in its own record.
		for f in "$t"/*.bin; do
			r=${f%.bin}
			r=$((10#${r##*-}))
			dumpi2txt "$f" | awk -F'\t' -v r=$r 'NR == FNR { if ($1 == r "") want[$2] = $7; next }
				FNR in want && $3 != "MPI_Startall" && $5 != want[FNR] { print "bad " FNR ": " $0; exit 1 }' "$o/$n.pairs.tsv" -
		done
	done
	# The program's own log of what came: with statuses, and the sends of a run without them.
	read -r sent received < <(sent_and_received "$o"/traces/t-match-1/*.meta)
	[ "$(cat "$o"/traces/t-match-1/truth-*.txt | awk '{ s += $NF } END { print s }')" = "$received" ]
	[ "$(dumpi2txt "$o"/traces/t-reuse/*.meta | awk -F'\t' '$3 == "MPI_Send" || $3 == "MPI_Recv" { print $2, $5 }' | sort -s -k1,1n | paste -sd' ')" = \
		'0 40 0 160 0 120 0 320 1 - 1 - 1 - 1 -' ]
	[ "$(trace-stats -e 'MPI_Start or MPI_Wait' -g event -a 'sum(size)' "$o"/traces/t-coll/*.meta | paste -sd' ')" = '#event	sum(size) MPI_Start	576 MPI_Wait	-' ]
}

@test "handles with any numbers, in a hundred ranks: there is room for all of them" {
	# shellcheck disable=SC2046  # names
	tee $(printf 'h-%04d.bin ' {100..199}) < "$FIX/dumpi/small-0002.bin" > /dev/null
	status_is 0 dumpi2txt h-*.bin
	trace-stats -g event -a 'sum(size)' h-0100.bin > one
	trace-stats -g event -a 'sum(size)' h-*.bin 2> said > all
	awk -F '\t' 'NR > 1 && $2 != "-" { $2 *= 100 } { print $1, $2 }' one > want
	awk -F '\t' '{ print $1, $2 }' all > got
	same want got
	[ ! -s said ]
}
