/* check_mpi.h - the state of the rules of DUMPI and MPI, for check_dumpi*.c and check_mpi*.c. */
#ifndef SPOOR_CHECK_MPI_H
#define SPOOR_CHECK_MPI_H

#include "dumpi/dumpi_trace.h"
#include "match/match.h"
#include "mpi/comms.h"
#include "trace-check/check.h"
#include "trace-check/rules_dumpi.h"

/* clang-format off */
enum { DUMPI_RULES(RULE_NAME) };

/* Arguments by their meaning, and their names. Calls that move data in one direction only have COUNT and TYPE. TOLD is a
 * size or rank that the call returns, or the size of a buffer. */
#define MPI_ROLES(R) \
	R(COUNT, "|count|sendcount|origincount|") R(TYPE, "|datatype|sendtype|origintype|") \
	R(RECV_COUNT, "|recvcount|targetcount|") R(RECV_TYPE, "|recvtype|targettype|") R(OP, "|op|") \
	R(WINDOW, "|win|") R(TOLD, "|size|rank|") R(PROVIDED, "|provided|") R(FUNCTION, "|fn|") \
	R(REQUEST, "|request|")
enum { MPI_ROLES(LIST_NAME) ROLES };
/* Kinds of handles, and the types of their arguments. */
#define MPI_KINDS(R) \
	R(IS_TYPE, "datatype") R(IS_COMM, "comm") R(IS_GROUP, "group") R(IS_OP, "op") R(IS_WIN, "win") \
	R(IS_FILE, "file") R(IS_KEY, "keyval") R(IS_ERROR, "errhandler") R(IS_INFO, "info")
enum mpi_kind { MPI_KINDS(LIST_NAME) KINDS };

/* Numbers of calls. */
enum {
	K_SEND = 0, K_BSEND = 3, K_ATTACH = 6, K_DETACH = 7, K_ISEND = 8, K_IBSEND = 9, K_IRECV = 12, K_COMMIT = 46,
	K_BCAST = 53, K_GATHERV = 55, K_SCATTERV = 57, K_ALLGATHER = 58, K_ALLGATHERV = 59, K_REDUCE = 62,
	K_ALLREDUCE = 65, K_REDUCE_SCATTER = 66, K_SCAN = 67, K_COMM_SIZE = 81, K_COMM_RANK = 82,
	K_INTERCOMM_CREATE = 91, K_GET_VERSION = 115, K_INIT = 124, K_FINALIZE = 125, K_INITIALIZED = 126,
	K_ABORT = 127, K_ACCUMULATE = 141, K_PUT = 143, K_COMPLETE = 144, K_FENCE = 146, K_LOCK = 149, K_START = 151,
	K_UNLOCK = 153, K_ALLTOALLW = 155, K_EXSCAN = 156, K_GREQUEST_START = 170, K_INIT_THREAD = 171,
	K_QUERY_THREAD = 173, K_TYPE_DUP = 178, K_FINALIZED = 202, K_FILE_TESTANY = 286, K_FILE_WAITANY = 287,
	K_ENTER = 291
};

/* Maps, with their keys, and values of their entries. */
enum { HANDLES, REQUESTS, STREAMS };
/* HANDLES: number, kind, rank. SIZE is of a datatype, or UNKNOWN; of a window it tells whether it is in an epoch. */
enum { STATE, SIZE };
enum { LIVE = 1, COMMITTED = 2 }; /* bits of STATE */
/* REQUESTS: number, rank. The number of active requests, flags, the source and tag that a receive asked for, and the bytes
 * for which it has room. */
enum { OPEN, FLAGS, ASKED, ROOM };
/* STREAMS: communicator and tag, sender, receiver: sends and receives so far, for mpi-deadlock. */
enum { SENT, RECEIVED };
/* clang-format on */
#define UNKNOWN UINT64_MAX

/* A call whose messages or collective operation are not matched yet. */
struct mpi_note {
	uint32_t uses, rank; /* uses: see struct match_watch */
	uint64_t at;
	uint16_t call, type; /* basic datatype, or 0 */
	uint8_t op;
	int32_t root;
	uint64_t sends,
	    receives; /* bytes, or UNKNOWN; of a receive, those for which it has room */
};

struct mpi_rank {
	const char *file; /* NULL: no event so far */
	const struct dumpi_rank *native;
	uint64_t offset; /* of the next record */
	bool inited, finalized, several, muted, told_level;
	uint8_t mask, level;
	uint32_t first_thread, last_thread;
	int64_t stop;	/* of the last call of all threads */
	int64_t buffer; /* attached bytes, or -1 */
	int64_t size;	/* of MPI_COMM_WORLD, as MPI_Comm_size says; 0 = unknown */
	struct trace_place buffer_at, size_at;
	uint32_t receives; /* active receives from its own rank or from any */
	/* mpi-deadlock: a blocking send that has no receive yet is number blocked, or 0, of an entry of `streams`. */
	uint64_t blocked;
	uint32_t blocked_by, blocked_in;
	struct trace_place blocked_at;
	bool wild; /* it receives from any source */
};

struct mpi_thread {
	uint32_t rank, number;
	bool called;
	int64_t stop;
	uint64_t *function; /* entered functions */
	size_t nfunctions, cap;
};

struct mpi_check {
	struct check_run *c;
	struct source *s;
	struct match *match;
	struct match_watch watch;
	bool native, aborted, full; /* full: a limit has stopped the matching */
	struct mpi_plan **plan;	    /* by type */
	uint32_t *thread_of;	    /* by loc: index of the thread, plus 1 */
	struct cache plan_cache, loc_cache;
	struct mpi_rank *rank; /* by process */
	struct mpi_thread *thread;
	size_t nranks, rank_cap, nthreads, thread_cap, native_next, functions;
	bool forgot;		    /* completed requests were dropped from the map */
	const struct comm *missing; /* communicator whose incomplete operation was told */
	uint64_t sizes[DUMPI_BUILTIN];
	/* The current call: its process, number, arguments. */
	const struct rec *r;
	const struct call *call;
	uint32_t proc;
	unsigned k, has; /* has: bits of roles */
	uint64_t received;
	int64_t v[ROLES];
};

/* Returns the place of the record or event n of a rank. */
static inline struct trace_place
mpi_place(const struct mpi_check *x, uint32_t rank, uint64_t n)
{
	return (struct trace_place){x->rank[rank].file, x->native ? AT_OFFSET : AT_EVENT,
				    n};
}
/* Returns argument `role` of the current call, or `none`. */
static inline int64_t
mpi_value(const struct mpi_check *x, unsigned role, int64_t none)
{
	return x->has >> role & 1 ? x->v[role] : none;
}
/* Checks the sections of the files, and their headers and names (check_dumpi_file.c). */
void dumpi_check_files(struct mpi_check *x);

/* check_mpi.c. mpi_handle takes an argument that is a handle; `out`: the call returns it. */
void mpi_handle(struct mpi_check *x, enum mpi_kind kind, int64_t number, bool out);
/* Returns the size of a datatype of the current rank, or UNKNOWN; mpi_bytes that of so many. */
uint64_t mpi_sizeof(const struct mpi_check *x, int64_t type);
uint64_t mpi_bytes(int64_t count, uint64_t size);
/* Returns the size of the communicator of the current call, or 0 if it is unknown. Sets *c to it, or to NULL. */
uint32_t mpi_ranks(struct mpi_check *x, struct comm **c);
/* Checks the current call: its order, peers and handles. mpi_call_end reports what is left at the end. */
void mpi_call(struct mpi_check *x);
void mpi_call_end(struct mpi_check *x);
/* check_mpi_request.c: checks the requests and statuses of the current call, and those left at the end. */
void mpi_requests(struct mpi_check *x);
void mpi_requests_end(struct mpi_check *x);
/* check_mpi_match.c: checks messages and collective operations. mpi_match takes the current call. */
void mpi_match_begin(struct mpi_check *x);
void mpi_match(struct mpi_check *x);
void mpi_match_end(struct mpi_check *x);

#endif
