/* rules_dumpi.h - the rules of a format: see check.h. */
#ifndef SPOOR_RULES_DUMPI_H
#define SPOOR_RULES_DUMPI_H

#define DUMPI_RULES(R)                                                                     \
	R(BAD_DUMPI_MAGIC, "dumpi-magic", LEVEL_ERROR, BASIS_SPEC, RULE_BYTES | RULE_READ, \
	  "A file starts with ff aa dd \"DUMPI\"", "ff aa dd 44 55 4d 50 4a")              \
	R(BAD_DUMPI_EMPTY, "dumpi-empty", LEVEL_ERROR, BASIS_MODEL,                        \
	  RULE_BYTES | RULE_READ, "A file is not empty", "0 bytes")                        \
	R(BAD_DUMPI_INDEX, "dumpi-index", LEVEL_ERROR, BASIS_SPEC, RULE_BYTES | RULE_READ, \
	  "The file ends with an index of 5 to 8 words, the magic first; without it the "  \
	  "run died",                                                                      \
	  "body alone")                                                                    \
	R(BAD_DUMPI_INDEX_ORDER, "dumpi-index-order", LEVEL_ERROR, BASIS_SPEC,             \
	  RULE_BYTES | RULE_READ,                                                          \
	  "The index names the body at offset 8, then the header, the footer and the "     \
	  "other sections, each inside the file",                                          \
	  "header offset past the end")                                                    \
	R(BAD_DUMPI_SECTIONS, "dumpi-sections", LEVEL_WARNING, BASIS_MODEL, RULE_BYTES,    \
	  "Each section begins where the index says, and directly after the previous one", \
	  "4 spare bytes")                                                                 \
	R(BAD_DUMPI_END, "dumpi-end", LEVEL_ERROR, BASIS_SPEC, RULE_BYTES | RULE_READ,     \
	  "The body ends with call 293, or in old files with 0 after MPI_Finalize",        \
	  "no 01 25")                                                                      \
	R(BAD_DUMPI_TORN, "dumpi-torn", LEVEL_ERROR, BASIS_SPEC, RULE_BYTES | RULE_READ,   \
	  "The last record is whole", "MPI_Comm_size cut")                                 \
	R(BAD_DUMPI_CALL, "dumpi-call", LEVEL_ERROR, BASIS_PEER, RULE_BYTES | RULE_READ,   \
	  "The number of a call is 0 to 292, and not 128", "u16 300")                      \
	R(BAD_DUMPI_MASK, "dumpi-mask", LEVEL_ERROR, BASIS_SPEC, RULE_BYTES | RULE_READ,   \
	  "The bits 0x10 and 0x20 of the mask are 0", "mask 0x1b")                         \
	R(BAD_DUMPI_MASK_SAME, "dumpi-mask-same", LEVEL_WARNING, BASIS_SMELL, RULE_BYTES,  \
	  "The mask keeps its time, thread and counter bits through the file",             \
	  "0x0b then 0x4b")                                                                \
	R(BAD_DUMPI_ARRAY_COUNT, "dumpi-array-count", LEVEL_ERROR, BASIS_SPEC, 0,          \
	  "An array has as many elements as the argument that counts them says, or none",  \
	  "Waitall count 2, 1 request")                                                    \
	R(BAD_DUMPI_STATUS_COUNT, "dumpi-status-count", LEVEL_ERROR, BASIS_SPEC, 0,        \
	  "There are as many statuses as completed requests, or none",                     \
	  "Waitall 1, 2 statuses")                                                         \
	R(BAD_DUMPI_NSEC, "dumpi-nsec", LEVEL_ERROR, BASIS_SPEC, RULE_BYTES | RULE_READ,   \
	  "Nanoseconds are below 10^9", "ns 2000000000")                                   \
	R(BAD_DUMPI_STOP_START, "dumpi-stop-start", LEVEL_ERROR, BASIS_MODEL, 0,           \
	  "A call stops no earlier than it starts, by the wall clock and by CPU time",     \
	  "start 5 us stop 4 us")                                                          \
	R(BAD_DUMPI_TIME_ORDER, "dumpi-time-order", LEVEL_ERROR, BASIS_SPEC, 0,            \
	  "In a file of one thread, records are in the order in which their calls "        \
	  "returned",                                                                      \
	  "stop 9 us then 4 us")                                                           \
	R(BAD_DUMPI_OVERLAP, "dumpi-overlap", LEVEL_ERROR, BASIS_MODEL, 0,                 \
	  "A call starts no earlier than the previous call of its thread stopped",         \
	  "0-9 us, 5-12 us")                                                               \
	R(BAD_DUMPI_ROLLOVER, "dumpi-rollover", LEVEL_NOTE, BASIS_SPEC, RULE_OFF,          \
	  "No gap between calls is longer than 18 h, after which the clock begins again",  \
	  "s falls 60000 -> 5")                                                            \
	R(BAD_DUMPI_FOOTER_MAGIC, "dumpi-footer-magic", LEVEL_ERROR, BASIS_SPEC,           \
	  RULE_BYTES | RULE_READ, "The footer begins with 0xf007fee7", "f007fee8")         \
	R(BAD_DUMPI_FOOTER_COUNT, "dumpi-footer-count", LEVEL_ERROR, BASIS_SPEC,           \
	  RULE_END | RULE_BYTES,                                                           \
	  "For each call, the footer counts the records of the body; its last count is "   \
	  "their sum",                                                                     \
	  "Comm_size 2, one record")                                                       \
	R(BAD_DUMPI_ENUM, "dumpi-enum", LEVEL_WARNING, BASIS_SMELL, 0,                     \
	  "No argument holds the error value of its kind, an unknown constant, or -1 as "  \
	  "a handle",                                                                      \
	  "datatype 0")                                                                    \
	R(BAD_DUMPI_VERSION, "dumpi-version", LEVEL_NOTE, BASIS_SPEC,                      \
	  RULE_BYTES | RULE_READ, "The version was released: 0.2 to 13.0", "99.0.0")       \
	R(BAD_DUMPI_START, "dumpi-start", LEVEL_WARNING, BASIS_SPEC, RULE_BYTES,           \
	  "The start in the header is after 1995, and within a day of the start of rank "  \
	  "0 and of the .meta file's",                                                     \
	  "starttime 0")                                                                   \
	R(BAD_DUMPI_STRINGS, "dumpi-strings", LEVEL_WARNING, BASIS_SPEC, RULE_BYTES,       \
	  "The names of the host and of the user are printable and not empty", "host 01")  \
	R(BAD_DUMPI_PERF_LABELS, "dumpi-perf-labels", LEVEL_ERROR, BASIS_SPEC,             \
	  RULE_BYTES | RULE_READ, "A record has as many counters as there are labels",     \
	  "2 counters, no label")                                                          \
	R(BAD_DUMPI_FUNCS, "dumpi-funcs", LEVEL_WARNING, BASIS_SPEC, 0,                    \
	  "Function entries and exits pair as a stack, and their addresses have names",    \
	  "292 alone")                                                                     \
	R(BAD_DUMPI_SIZES, "dumpi-sizes", LEVEL_NOTE, BASIS_MODEL, RULE_OFF | RULE_BYTES,  \
	  "Every datatype that is used has a size in the file", "type 40 of 28")           \
	R(BAD_DUMPI_META, "dumpi-meta", LEVEL_ERROR, BASIS_SPEC, RULE_WHOLE | RULE_BYTES,  \
	  "The .meta file has the number of files, and the prefix of their names",         \
	  "numprocs=3, 1 file")                                                            \
	R(BAD_DUMPI_RANKS, "dumpi-ranks", LEVEL_ERROR, BASIS_SPEC,                         \
	  RULE_WHOLE | RULE_BYTES, "The ranks of the files are 0 to n - 1, each once",     \
	  "-0000 and -0002")                                                               \
	R(BAD_DUMPI_VERSION_SET, "dumpi-version-set", LEVEL_WARNING, BASIS_SMELL,          \
	  RULE_BYTES, "All ranks have one version and one user", "13.0.0 and 0.6.8")       \
	R(BAD_MPI_INIT_FIRST, "mpi-init-first", LEVEL_ERROR, BASIS_MPI, RULE_WHOLE,        \
	  "MPI_Init or MPI_Init_thread comes before all calls that need it",               \
	  "Comm_size Init")                                                                \
	R(BAD_MPI_INIT_ONCE, "mpi-init-once", LEVEL_ERROR, BASIS_MPI, 0,                   \
	  "MPI is initialized once", "Init Init")                                          \
	R(BAD_MPI_FINALIZE_LAST, "mpi-finalize-last", LEVEL_ERROR, BASIS_MPI, 0,           \
	  "No call that needs MPI follows MPI_Finalize", "Finalize Comm_size")             \
	R(BAD_MPI_FINALIZE_MISSING, "mpi-finalize-missing", LEVEL_WARNING, BASIS_MPI,      \
	  RULE_END | RULE_WHOLE,                                                           \
	  "Every rank that called MPI_Init ends with MPI_Finalize or MPI_Abort",           \
	  "Init <end>")                                                                    \
	R(BAD_MPI_ABORT, "mpi-abort", LEVEL_NOTE, BASIS_SMELL, 0,                          \
	  "No rank called MPI_Abort", "Abort")                                             \
	R(BAD_MPI_REQ_LEAK, "mpi-req-leak", LEVEL_WARNING, BASIS_MPI,                      \
	  RULE_END | RULE_WHOLE,                                                           \
	  "Every request of a send or a receive is completed or freed before "             \
	  "MPI_Finalize",                                                                  \
	  "Irecv Finalize")                                                                \
	R(BAD_MPI_REQ_UNKNOWN, "mpi-req-unknown", LEVEL_NOTE, BASIS_PEER,                  \
	  RULE_OFF | RULE_WHOLE,                                                           \
	  "A call that completes, starts, cancels or frees a request names one that a "    \
	  "call made",                                                                     \
	  "Wait(7)")                                                                       \
	R(BAD_MPI_REQ_TWICE, "mpi-req-twice", LEVEL_WARNING, BASIS_MPI, 0,                 \
	  "A request is not completed again, unless a call made it again",                 \
	  "Isend(2) Wait(2) Wait(2)")                                                      \
	R(BAD_MPI_REQ_OVERWRITE, "mpi-req-overwrite", LEVEL_NOTE, BASIS_PEER, RULE_OFF,    \
	  "A call does not return the id of a request that is still open",                 \
	  "Irecv(2) Irecv(2)")                                                             \
	R(BAD_MPI_REQ_START, "mpi-req-start", LEVEL_ERROR, BASIS_MPI, RULE_WHOLE,          \
	  "MPI_Start names an inactive persistent request", "Isend(2) Start(2)")           \
	R(BAD_MPI_REQ_PERSISTENT, "mpi-req-persistent", LEVEL_WARNING, BASIS_MPI,          \
	  RULE_WHOLE, "A persistent request is freed, and not while it is active",         \
	  "Send_init(2) Finalize")                                                         \
	R(BAD_MPI_REQ_FREE_RECV, "mpi-req-free-recv", LEVEL_WARNING, BASIS_MPI, 0,         \
	  "The request of a receive is not freed while it is active",                      \
	  "Irecv(2) Request_free(2)")                                                      \
	R(BAD_MPI_REQ_INDEX, "mpi-req-index", LEVEL_ERROR, BASIS_MPI, 0,                   \
	  "The index of a completed request is below the count of requests, or "           \
	  "MPI_UNDEFINED",                                                                 \
	  "Waitany n=1 index=4")                                                           \
	R(BAD_MPI_COUNT, "mpi-count", LEVEL_ERROR, BASIS_MPI, 0,                           \
	  "A count is not negative", "Bcast count=-1")                                     \
	R(BAD_MPI_RANK, "mpi-rank", LEVEL_ERROR, BASIS_MPI, 0,                             \
	  "A destination, source or root is a rank of the communicator, or one of the "    \
	  "constants for none and any",                                                    \
	  "Send dest=9 of 1")                                                              \
	R(BAD_MPI_TAG, "mpi-tag", LEVEL_ERROR, BASIS_MPI, 0,                               \
	  "A tag is not negative, unless it is MPI_ANY_TAG", "Send tag=-5")                \
	R(BAD_MPI_ANY_SEND, "mpi-any-send", LEVEL_ERROR, BASIS_MPI, 0,                     \
	  "The tag of a send is not MPI_ANY_TAG", "Send tag=-1")                           \
	R(BAD_MPI_TYPE_COMMIT, "mpi-type-commit", LEVEL_ERROR, BASIS_MPI, 0,               \
	  "A derived datatype is committed before it is used to communicate",              \
	  "Type_contiguous(28) Bcast(28)")                                                 \
	R(BAD_MPI_TYPE_FREED, "mpi-type-freed", LEVEL_ERROR, BASIS_MPI, RULE_WHOLE,        \
	  "A datatype that is used was made, and not freed since",                         \
	  "Type_free(28) Bcast(28)")                                                       \
	R(BAD_MPI_TYPE_LEAK, "mpi-type-leak", LEVEL_NOTE, BASIS_PEER, RULE_OFF | RULE_END, \
	  "Every derived datatype is freed before MPI_Finalize",                           \
	  "Type_contiguous Finalize")                                                      \
	R(BAD_MPI_TYPE_BASIC, "mpi-type-basic", LEVEL_ERROR, BASIS_MPI, 0,                 \
	  "Predefined datatypes, operations and communicators are not freed",              \
	  "Type_free(MPI_INT)")                                                            \
	R(BAD_MPI_COMM_FREED, "mpi-comm-freed", LEVEL_ERROR, BASIS_MPI, RULE_WHOLE,        \
	  "A communicator that is used was made, was not freed since, and is not "         \
	  "MPI_COMM_NULL",                                                                 \
	  "Comm_dup(4) free(4) Barrier(4)")                                                \
	R(BAD_MPI_COMM_LEAK, "mpi-comm-leak", LEVEL_NOTE, BASIS_PEER, RULE_OFF | RULE_END, \
	  "Every communicator made is freed before MPI_Finalize", "Comm_dup Finalize")     \
	R(BAD_MPI_COMM_SIZE, "mpi-comm-size", LEVEL_ERROR, BASIS_MODEL,                    \
	  RULE_END | RULE_WHOLE,                                                           \
	  "MPI_Comm_size of MPI_COMM_WORLD is the number of ranks in the trace, "          \
	  "MPI_Comm_rank the rank of the file",                                            \
	  "size=2, one file")                                                              \
	R(BAD_MPI_HANDLE_FREED, "mpi-handle-freed", LEVEL_ERROR, BASIS_MPI, RULE_WHOLE,    \
	  "A group, operation, window, file, key, error handler or info that is used was " \
	  "made, and not freed since",                                                     \
	  "Op_free(15) Allreduce(op 15)")                                                  \
	R(BAD_MPI_HANDLE_LEAK, "mpi-handle-leak", LEVEL_NOTE, BASIS_PEER,                  \
	  RULE_OFF | RULE_END,                                                             \
	  "Groups, operations, windows and files are freed or closed before MPI_Finalize", \
	  "File_open Finalize")                                                            \
	R(BAD_MPI_BUFFER, "mpi-buffer", LEVEL_ERROR, BASIS_MPI, RULE_WHOLE,                \
	  "A buffered send has an attached buffer that is large enough; one is attached "  \
	  "at a time, and detached at the end",                                            \
	  "Bsend without attach")                                                          \
	R(BAD_MPI_RECV_TRUNCATE, "mpi-recv-truncate", LEVEL_ERROR, BASIS_MPI, 0,           \
	  "A receive gets no more bytes than it has room for",                             \
	  "Recv 1 MPI_INT, status.bytes=8")                                                \
	R(BAD_MPI_STATUS_ENVELOPE, "mpi-status-envelope", LEVEL_ERROR, BASIS_MPI, 0,       \
	  "The source and tag of a status are those that the receive asked for",           \
	  "Recv tag=5, status.tag=6")                                                      \
	R(BAD_MPI_STATUS_MULTIPLE, "mpi-status-multiple", LEVEL_WARNING, BASIS_SMELL,      \
	  RULE_OFF, "The bytes of a receive are a multiple of the size of its datatype",   \
	  "Recv 2 MPI_INT, bytes=6")                                                       \
	R(BAD_MPI_THREAD_LEVEL, "mpi-thread-level", LEVEL_ERROR, BASIS_MPI, 0,             \
	  "The threads that call MPI are those that the level of MPI_Init_thread allows",  \
	  "provided SINGLE, threads 0 and 1")                                              \
	R(BAD_MPI_RMA_EPOCH, "mpi-rma-epoch", LEVEL_WARNING, BASIS_MPI,                    \
	  RULE_OFF | RULE_WHOLE,                                                           \
	  "Put, Get and Accumulate are in an epoch of their window: after a fence, a "     \
	  "start or a lock",                                                               \
	  "Put without fence")                                                             \
	R(BAD_MPI_SEND_SELF, "mpi-send-self", LEVEL_WARNING, BASIS_SMELL, RULE_OFF,        \
	  "A blocking send to the own rank has a receive posted before it",                \
	  "rank 0: Send dest=0")                                                           \
	R(BAD_MPI_COLL_ORDER, "mpi-coll-order", LEVEL_ERROR, BASIS_MPI, 0,                 \
	  "All ranks of a communicator make the same collective calls in the same order",  \
	  "rank 0 Barrier, rank 1 Bcast")                                                  \
	R(BAD_MPI_COLL_ROOT, "mpi-coll-root", LEVEL_ERROR, BASIS_MPI, 0,                   \
	  "A collective has one root on all ranks", "Bcast root 0 / 1")                    \
	R(BAD_MPI_COLL_OP, "mpi-coll-op", LEVEL_ERROR, BASIS_MPI, 0,                       \
	  "A reduction has one operation on all ranks", "Allreduce SUM / MAX")             \
	R(BAD_MPI_COLL_SIZE, "mpi-coll-size", LEVEL_ERROR, BASIS_MPI, 0,                   \
	  "In a collective call, what a rank sends is as many bytes as the others expect", \
	  "Bcast 1 / 2 MPI_INT")                                                           \
	R(BAD_MPI_COLL_TYPE, "mpi-coll-type", LEVEL_WARNING, BASIS_MPI, RULE_OFF,          \
	  "In a collective call, the basic datatypes of all ranks are equal",              \
	  "Bcast INT / FLOAT")                                                             \
	R(BAD_MPI_COLL_MISSING, "mpi-coll-missing", LEVEL_ERROR, BASIS_MPI,                \
	  RULE_END | RULE_WHOLE,                                                           \
	  "No rank of a communicator misses its last collective calls",                    \
	  "Barrier on rank 0 alone")                                                       \
	R(BAD_MPI_MSG_LOST, "mpi-msg-lost", LEVEL_WARNING, BASIS_MPI,                      \
	  RULE_END | RULE_WHOLE, "Every send is received by Finalize", "Send 0->1 alone")  \
	R(BAD_MPI_MSG_UNSENT, "mpi-msg-unsent", LEVEL_ERROR, BASIS_MODEL,                  \
	  RULE_END | RULE_WHOLE, "Every completed receive has its send",                   \
	  "Recv 0<-1 alone")                                                               \
	R(BAD_MPI_MSG_TRUNCATE, "mpi-msg-truncate", LEVEL_ERROR, BASIS_MPI, 0,             \
	  "The message is no longer than its receive", "Send 2 INT, Recv 1 INT")           \
	R(BAD_MPI_MSG_SIZE, "mpi-msg-size", LEVEL_ERROR, BASIS_MODEL, 0,                   \
	  "The received bytes of the status are those that were sent",                     \
	  "Send 1 INT, status.bytes=2")                                                    \
	R(BAD_MPI_MSG_TYPE, "mpi-msg-type", LEVEL_WARNING, BASIS_MPI, 0,                   \
	  "Send and receive have the same basic datatype; bytes and packed data fit all",  \
	  "Send INT, Recv FLOAT")                                                          \
	R(BAD_MPI_MSG_EARLY, "mpi-msg-early", LEVEL_NOTE, BASIS_SMELL, RULE_OFF,           \
	  "A receive ends no earlier than its send begins",                                \
	  "Recv stops before Send starts")                                                 \
	R(BAD_MPI_DEADLOCK, "mpi-deadlock", LEVEL_WARNING, BASIS_MPI, RULE_OFF,            \
	  "No ranks wait in blocking sends for each other, which only buffers would "      \
	  "resolve",                                                                       \
	  "both Send then Recv")

#endif
