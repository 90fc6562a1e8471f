/* rules_dumpi.h - the rules of a format: see check.h. */
#ifndef SPOOR_RULES_DUMPI_H
#define SPOOR_RULES_DUMPI_H

/* clang-format off */
#define DUMPI_RULES(R) \
	R(BAD_DUMPI_MAGIC, "dumpi-magic", ERROR, SPEC, BYTES | READ, \
	  "A file starts with ff aa dd \"DUMPI\"", "ff aa dd 44 55 4d 50 4a") \
	R(BAD_DUMPI_EMPTY, "dumpi-empty", ERROR, MODEL, BYTES | READ, "A file is not empty", "0 bytes") \
	R(BAD_DUMPI_INDEX, "dumpi-index", ERROR, SPEC, BYTES | READ, \
	  "The file ends with an index of 5 to 8 words, the magic first; without it the run died", \
	  "body alone") \
	R(BAD_DUMPI_INDEX_ORDER, "dumpi-index-order", ERROR, SPEC, BYTES | READ, \
	  "The index names the body at offset 8, then the header, the footer and the other sections, each " \
	  "inside the file", "header offset past the end") \
	R(BAD_DUMPI_SECTIONS, "dumpi-sections", WARNING, MODEL, BYTES, \
	  "Each section begins where the index says, and directly after the previous one", "4 spare bytes") \
	R(BAD_DUMPI_END, "dumpi-end", ERROR, SPEC, BYTES | READ, \
	  "The body ends with call 293, or in old files with 0 after MPI_Finalize", "no 01 25") \
	R(BAD_DUMPI_TORN, "dumpi-torn", ERROR, SPEC, BYTES | READ, \
	  "The last record is whole", "MPI_Comm_size cut") \
	R(BAD_DUMPI_CALL, "dumpi-call", ERROR, PEER, BYTES | READ, \
	  "The number of a call is 0 to 292, and not 128", "u16 300") \
	R(BAD_DUMPI_MASK, "dumpi-mask", ERROR, SPEC, BYTES | READ, \
	  "The bits 0x10 and 0x20 of the mask are 0", "mask 0x1b") \
	R(BAD_DUMPI_MASK_SAME, "dumpi-mask-same", WARNING, SMELL, BYTES, \
	  "The mask keeps its time, thread and counter bits through the file", "0x0b then 0x4b") \
	R(BAD_DUMPI_ARRAY_COUNT, "dumpi-array-count", ERROR, SPEC, 0, \
	  "An array has as many elements as the argument that counts them says, or none", \
	  "Waitall count 2, 1 request") \
	R(BAD_DUMPI_STATUS_COUNT, "dumpi-status-count", ERROR, SPEC, 0, \
	  "There are as many statuses as completed requests, or none", "Waitall 1, 2 statuses") \
	R(BAD_DUMPI_NSEC, "dumpi-nsec", ERROR, SPEC, BYTES | READ, \
	  "Nanoseconds are below 10^9", "ns 2000000000") \
	R(BAD_DUMPI_STOP_START, "dumpi-stop-start", ERROR, MODEL, 0, \
	  "A call stops no earlier than it starts, by the wall clock and by CPU time", "start 5 us stop 4 us") \
	R(BAD_DUMPI_TIME_ORDER, "dumpi-time-order", ERROR, SPEC, 0, \
	  "In a file of one thread, records are in the order in which their calls returned", \
	  "stop 9 us then 4 us") \
	R(BAD_DUMPI_OVERLAP, "dumpi-overlap", ERROR, MODEL, 0, \
	  "A call starts no earlier than the previous call of its thread stopped", "0-9 us, 5-12 us") \
	R(BAD_DUMPI_ROLLOVER, "dumpi-rollover", NOTE, SPEC, OFF, \
	  "No gap between calls is longer than 18 h, after which the clock begins again", \
	  "s falls 60000 -> 5") \
	R(BAD_DUMPI_FOOTER_MAGIC, "dumpi-footer-magic", ERROR, SPEC, BYTES | READ, \
	  "The footer begins with 0xf007fee7", "f007fee8") \
	R(BAD_DUMPI_FOOTER_COUNT, "dumpi-footer-count", ERROR, SPEC, END | BYTES, \
	  "For each call, the footer counts the records of the body; its last count is their sum", \
	  "Comm_size 2, one record") \
	R(BAD_DUMPI_ENUM, "dumpi-enum", WARNING, SMELL, 0, \
	  "No argument holds the error value of its kind, an unknown constant, or -1 as a handle", \
	  "datatype 0") \
	R(BAD_DUMPI_VERSION, "dumpi-version", NOTE, SPEC, BYTES | READ, \
	  "The version was released: 0.2 to 13.0", "99.0.0") \
	R(BAD_DUMPI_START, "dumpi-start", WARNING, SPEC, BYTES, \
	  "The start in the header is after 1995, and within a day of the start of rank 0 and of the .meta " \
	  "file's", "starttime 0") \
	R(BAD_DUMPI_STRINGS, "dumpi-strings", WARNING, SPEC, BYTES, \
	  "The names of the host and of the user are printable and not empty", "host 01") \
	R(BAD_DUMPI_PERF_LABELS, "dumpi-perf-labels", ERROR, SPEC, BYTES | READ, \
	  "A record has as many counters as there are labels", "2 counters, no label") \
	R(BAD_DUMPI_FUNCS, "dumpi-funcs", WARNING, SPEC, 0, \
	  "Function entries and exits pair as a stack, and their addresses have names", "292 alone") \
	R(BAD_DUMPI_SIZES, "dumpi-sizes", NOTE, MODEL, OFF | BYTES, \
	  "Every datatype that is used has a size in the file", "type 40 of 28") \
	R(BAD_DUMPI_META, "dumpi-meta", ERROR, SPEC, WHOLE | BYTES, \
	  "The .meta file has the number of files, and the prefix of their names", "numprocs=3, 1 file") \
	R(BAD_DUMPI_RANKS, "dumpi-ranks", ERROR, SPEC, WHOLE | BYTES, \
	  "The ranks of the files are 0 to n - 1, each once", "-0000 and -0002") \
	R(BAD_DUMPI_VERSION_SET, "dumpi-version-set", WARNING, SMELL, BYTES, \
	  "All ranks have one version and one user", "13.0.0 and 0.6.8") \
	R(BAD_MPI_INIT_FIRST, "mpi-init-first", ERROR, MPI, WHOLE, \
	  "MPI_Init or MPI_Init_thread comes before all calls that need it", "Comm_size Init") \
	R(BAD_MPI_INIT_ONCE, "mpi-init-once", ERROR, MPI, 0, "MPI is initialized once", "Init Init") \
	R(BAD_MPI_FINALIZE_LAST, "mpi-finalize-last", ERROR, MPI, 0, \
	  "No call that needs MPI follows MPI_Finalize", "Finalize Comm_size") \
	R(BAD_MPI_FINALIZE_MISSING, "mpi-finalize-missing", WARNING, MPI, END | WHOLE, \
	  "Every rank that called MPI_Init ends with MPI_Finalize or MPI_Abort", "Init <end>") \
	R(BAD_MPI_ABORT, "mpi-abort", NOTE, SMELL, 0, "No rank called MPI_Abort", "Abort") \
	R(BAD_MPI_REQ_LEAK, "mpi-req-leak", WARNING, MPI, END | WHOLE, \
	  "Every request of a send or a receive is completed or freed before MPI_Finalize", "Irecv Finalize") \
	R(BAD_MPI_REQ_UNKNOWN, "mpi-req-unknown", NOTE, PEER, OFF | WHOLE, \
	  "A call that completes, starts, cancels or frees a request names one that a call made", "Wait(7)") \
	R(BAD_MPI_REQ_TWICE, "mpi-req-twice", WARNING, MPI, 0, \
	  "A request is not completed again, unless a call made it again", "Isend(2) Wait(2) Wait(2)") \
	R(BAD_MPI_REQ_OVERWRITE, "mpi-req-overwrite", NOTE, PEER, OFF, \
	  "A call does not return the id of a request that is still open", "Irecv(2) Irecv(2)") \
	R(BAD_MPI_REQ_START, "mpi-req-start", ERROR, MPI, WHOLE, \
	  "MPI_Start names an inactive persistent request", "Isend(2) Start(2)") \
	R(BAD_MPI_REQ_PERSISTENT, "mpi-req-persistent", WARNING, MPI, WHOLE, \
	  "A persistent request is freed, and not while it is active", "Send_init(2) Finalize") \
	R(BAD_MPI_REQ_FREE_RECV, "mpi-req-free-recv", WARNING, MPI, 0, \
	  "The request of a receive is not freed while it is active", "Irecv(2) Request_free(2)") \
	R(BAD_MPI_REQ_INDEX, "mpi-req-index", ERROR, MPI, 0, \
	  "The index of a completed request is below the count of requests, or MPI_UNDEFINED", \
	  "Waitany n=1 index=4") \
	R(BAD_MPI_COUNT, "mpi-count", ERROR, MPI, 0, "A count is not negative", "Bcast count=-1") \
	R(BAD_MPI_RANK, "mpi-rank", ERROR, MPI, 0, \
	  "A destination, source or root is a rank of the communicator, or one of the constants for none and " \
	  "any", "Send dest=9 of 1") \
	R(BAD_MPI_TAG, "mpi-tag", ERROR, MPI, 0, \
	  "A tag is not negative, unless it is MPI_ANY_TAG", "Send tag=-5") \
	R(BAD_MPI_ANY_SEND, "mpi-any-send", ERROR, MPI, 0, \
	  "The tag of a send is not MPI_ANY_TAG", "Send tag=-1") \
	R(BAD_MPI_TYPE_COMMIT, "mpi-type-commit", ERROR, MPI, 0, \
	  "A derived datatype is committed before it is used to communicate", "Type_contiguous(28) Bcast(28)") \
	R(BAD_MPI_TYPE_FREED, "mpi-type-freed", ERROR, MPI, WHOLE, \
	  "A datatype that is used was made, and not freed since", "Type_free(28) Bcast(28)") \
	R(BAD_MPI_TYPE_LEAK, "mpi-type-leak", NOTE, PEER, OFF | END, \
	  "Every derived datatype is freed before MPI_Finalize", "Type_contiguous Finalize") \
	R(BAD_MPI_TYPE_BASIC, "mpi-type-basic", ERROR, MPI, 0, \
	  "Predefined datatypes, operations and communicators are not freed", "Type_free(MPI_INT)") \
	R(BAD_MPI_COMM_FREED, "mpi-comm-freed", ERROR, MPI, WHOLE, \
	  "A communicator that is used was made, was not freed since, and is not MPI_COMM_NULL", \
	  "Comm_dup(4) free(4) Barrier(4)") \
	R(BAD_MPI_COMM_LEAK, "mpi-comm-leak", NOTE, PEER, OFF | END, \
	  "Every communicator made is freed before MPI_Finalize", "Comm_dup Finalize") \
	R(BAD_MPI_COMM_SIZE, "mpi-comm-size", ERROR, MODEL, END | WHOLE, \
	  "MPI_Comm_size of MPI_COMM_WORLD is the number of ranks in the trace, MPI_Comm_rank the rank of " \
	  "the file", "size=2, one file") \
	R(BAD_MPI_HANDLE_FREED, "mpi-handle-freed", ERROR, MPI, WHOLE, \
	  "A group, operation, window, file, key, error handler or info that is used was made, and not freed " \
	  "since", "Op_free(15) Allreduce(op 15)") \
	R(BAD_MPI_HANDLE_LEAK, "mpi-handle-leak", NOTE, PEER, OFF | END, \
	  "Groups, operations, windows and files are freed or closed before MPI_Finalize", \
	  "File_open Finalize") \
	R(BAD_MPI_BUFFER, "mpi-buffer", ERROR, MPI, WHOLE, \
	  "A buffered send has an attached buffer that is large enough; one is attached at a time, and " \
	  "detached at the end", "Bsend without attach") \
	R(BAD_MPI_RECV_TRUNCATE, "mpi-recv-truncate", ERROR, MPI, 0, \
	  "A receive gets no more bytes than it has room for", "Recv 1 MPI_INT, status.bytes=8") \
	R(BAD_MPI_STATUS_ENVELOPE, "mpi-status-envelope", ERROR, MPI, 0, \
	  "The source and tag of a status are those that the receive asked for", "Recv tag=5, status.tag=6") \
	R(BAD_MPI_STATUS_MULTIPLE, "mpi-status-multiple", WARNING, SMELL, OFF, \
	  "The bytes of a receive are a multiple of the size of its datatype", "Recv 2 MPI_INT, bytes=6") \
	R(BAD_MPI_THREAD_LEVEL, "mpi-thread-level", ERROR, MPI, 0, \
	  "The threads that call MPI are those that the level of MPI_Init_thread allows", \
	  "provided SINGLE, threads 0 and 1") \
	R(BAD_MPI_RMA_EPOCH, "mpi-rma-epoch", WARNING, MPI, OFF | WHOLE, \
	  "Put, Get and Accumulate are in an epoch of their window: after a fence, a start or a lock", \
	  "Put without fence") \
	R(BAD_MPI_SEND_SELF, "mpi-send-self", WARNING, SMELL, OFF, \
	  "A blocking send to the own rank has a receive posted before it", "rank 0: Send dest=0") \
	R(BAD_MPI_COLL_ORDER, "mpi-coll-order", ERROR, MPI, 0, \
	  "All ranks of a communicator make the same collective calls in the same order", \
	  "rank 0 Barrier, rank 1 Bcast") \
	R(BAD_MPI_COLL_ROOT, "mpi-coll-root", ERROR, MPI, 0, \
	  "A collective has one root on all ranks", "Bcast root 0 / 1") \
	R(BAD_MPI_COLL_OP, "mpi-coll-op", ERROR, MPI, 0, \
	  "A reduction has one operation on all ranks", "Allreduce SUM / MAX") \
	R(BAD_MPI_COLL_SIZE, "mpi-coll-size", ERROR, MPI, 0, \
	  "In a collective call, what a rank sends is as many bytes as the others expect", \
	  "Bcast 1 / 2 MPI_INT") \
	R(BAD_MPI_COLL_TYPE, "mpi-coll-type", WARNING, MPI, OFF, \
	  "In a collective call, the basic datatypes of all ranks are equal", "Bcast INT / FLOAT") \
	R(BAD_MPI_COLL_MISSING, "mpi-coll-missing", ERROR, MPI, END | WHOLE, \
	  "No rank of a communicator misses its last collective calls", "Barrier on rank 0 alone") \
	R(BAD_MPI_MSG_LOST, "mpi-msg-lost", WARNING, MPI, END | WHOLE, \
	  "Every send is received by Finalize", "Send 0->1 alone") \
	R(BAD_MPI_MSG_UNSENT, "mpi-msg-unsent", ERROR, MODEL, END | WHOLE, \
	  "Every completed receive has its send", "Recv 0<-1 alone") \
	R(BAD_MPI_MSG_TRUNCATE, "mpi-msg-truncate", ERROR, MPI, 0, \
	  "The message is no longer than its receive", "Send 2 INT, Recv 1 INT") \
	R(BAD_MPI_MSG_SIZE, "mpi-msg-size", ERROR, MODEL, 0, \
	  "The received bytes of the status are those that were sent", "Send 1 INT, status.bytes=2") \
	R(BAD_MPI_MSG_TYPE, "mpi-msg-type", WARNING, MPI, 0, \
	  "Send and receive have the same basic datatype; bytes and packed data fit all", \
	  "Send INT, Recv FLOAT") \
	R(BAD_MPI_MSG_EARLY, "mpi-msg-early", NOTE, SMELL, OFF, \
	  "A receive ends no earlier than its send begins", "Recv stops before Send starts") \
	R(BAD_MPI_DEADLOCK, "mpi-deadlock", WARNING, MPI, OFF, \
	  "No ranks wait in blocking sends for each other, which only buffers would resolve", \
	  "both Send then Recv")
/* clang-format on */

#endif
