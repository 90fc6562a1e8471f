/* check_mpi.h - the state of the rules of DUMPI and MPI, for check_dumpi*.c and check_mpi*.c. */
#ifndef SPOOR_CHECK_MPI_H
#define SPOOR_CHECK_MPI_H

#include "dumpi/dumpi_trace.h"
#include "match/match.h"
#include "mpi/comms.h"
#include "trace-check/check_state.h"
#include "trace-check/rules_dumpi.h"

enum {
	DUMPI_RULES(RULE_NAME)
};

/* Arguments by their meaning in a call. A call that moves data in one direction only has SEND_COUNT and SEND_TYPE. */
enum mpi_role {
	SEND_COUNT,
	SEND_TYPE,
	RECV_COUNT,
	RECV_TYPE,
	NEW_TYPE,
	OLD_TYPE,
	LENGTH, /* of the blocks of a datatype */
	OP,
	WINDOW,
	TOLD, /* a size or rank that the call returns, or the size of a buffer */
	PROVIDED,
	FUNCTION,
	REQUEST,
	ROLES,
	/* Lists. */
	SEND_COUNTS = ROLES,
	RECV_COUNTS,
	SEND_TYPES,
	RECV_TYPES,
	LENGTHS,
	OLD_TYPES,
	LISTS,
	NO_ROLE = LISTS
};

/* Kinds of handles. */
enum mpi_kind {
	KIND_TYPE,
	KIND_COMM,
	KIND_GROUP,
	KIND_OP,
	KIND_WIN,
	KIND_FILE,
	KIND_KEY,
	KIND_ERROR,
	KIND_INFO,
	KINDS
};

/* Values of an entry of `handles`: v[HANDLE_STATE] is a bit set; a datatype has a size, or UNKNOWN, and the basic
 * datatype of all its elements, or 0; a window has an epoch. */
enum {
	HANDLE_STATE,
	HANDLE_SIZE,
	HANDLE_BASIC,
	HANDLE_EPOCH = HANDLE_SIZE
};
enum {
	IS_LIVE = 1,
	IS_COMMITTED = 2,
	IS_TOLD = 4, /* a finding about it was made */
};
#define UNKNOWN UINT64_MAX

/* A call whose messages or collective operation are not matched yet. */
struct mpi_note {
	uint32_t uses; /* while it is free, the next free one */
	uint32_t rank;
	uint64_t at;
	uint16_t call;
	uint16_t type, recv_type; /* basic datatypes, or 0 */
	uint8_t op;
	bool waits; /* a send that may wait for its receive */
	bool unsized;
	int32_t root;
	/* Collective: bytes that must be equal on all ranks, or UNKNOWN. Receive: unit[0] is its room. */
	uint64_t unit[2];
	uint64_t sum[2]; /* collective: checksums of what is sent and expected */
};

struct mpi_rank {
	const char *file; /* NULL: no event so far */
	uint64_t offset;  /* of the next record */
	const struct dumpi_rank *native;
	bool inited, finalized, aborted, several, muted, told_level, told_overlap;
	uint8_t mask, level;
	uint32_t first_thread, last_thread;
	int64_t stop;	/* of the last call of all threads */
	int64_t buffer; /* attached bytes, or -1 */
	struct trace_place buffer_at, size_at;
	int64_t size;	   /* of MPI_COMM_WORLD as MPI_Comm_size says, or 0 */
	uint32_t receives; /* active receives from itself or from any source */
	uint32_t any;	   /* active receives from any source */
	uint32_t blocked,
	    blocked_by; /* mpi-deadlock: note of its send, plus the rank that must receive it */
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
	bool native;
	struct match *match;
	struct match_watch watch;
	bool matches;		/* a limit has not stopped the matching */
	struct mpi_plan **plan; /* by type */
	struct cache plan_cache;
	uint32_t *thread_of; /* by loc: index of the thread, plus 1 */
	struct cache loc_cache;
	struct mpi_rank *rank; /* by process */
	size_t nranks, rank_cap, native_next;
	struct mpi_thread *thread;
	size_t nthreads, thread_cap;
	struct number_map handles;  /* rank, kind, number */
	struct number_map requests; /* rank, number */
	bool forgot;		    /* completed requests were dropped from the map */
	struct mpi_note *note;
	size_t nnotes, note_cap;
	uint32_t free_note, live_notes;
	const struct comm *missing; /* communicator whose incomplete operation was told */
	uint64_t sizes[DUMPI_BUILTIN];
	struct buf text;
	uint64_t functions; /* entered in all threads */
	/* The current call. */
	uint32_t proc;
	unsigned k; /* its number */
	uint64_t at;
	const struct call *call;
	const struct rec *r;
	uint32_t has; /* bits of roles */
	int64_t v[ROLES];
	struct call_list list[LISTS - ROLES + 1]; /* the last one is for any other */
};

static inline bool
has(const struct mpi_check *x, enum mpi_role role)
{
	return x->has >> role & 1;
}
static inline const struct call_list *
list_of(const struct mpi_check *x, enum mpi_role role)
{
	return &x->list[role - ROLES];
}
/* Returns the place of the record or event n of a rank. */
struct trace_place mpi_place(const struct mpi_check *x, uint32_t rank, uint64_t n);
/* Returns the place of the current call. */
static inline struct trace_place
mpi_here(const struct mpi_check *x)
{
	return mpi_place(x, x->proc, x->at);
}

/* Checks the sections and .meta files of a file's ranks (check_dumpi_file.c). Sets c->cut if a rank was cut. */
void dumpi_check_files(struct mpi_check *x);

/* check_mpi.c: handles and calls. */
/* Prepares x->handles, and x->requests. */
void mpi_handles_begin(struct mpi_check *x);
void mpi_requests_begin(struct mpi_check *x);
/* Takes an argument that is a handle; `out`: the call returns it. */
void mpi_handle(struct mpi_check *x, enum mpi_kind kind, int64_t number, bool out,
		const char *name);
/* Returns the size of a datatype of the current rank or UNKNOWN. Sets *basic to its basic datatype, or 0. */
uint64_t mpi_sizeof(const struct mpi_check *x, int64_t type, uint16_t *basic);
/* Returns count times the size, or UNKNOWN. */
uint64_t mpi_bytes(uint64_t count, uint64_t size);
/* Checks the order of the calls of a rank, what the current call does to handles and buffers, and its peers. */
void mpi_order(struct mpi_check *x);
void mpi_call(struct mpi_check *x);
/* Returns the size of the communicator of the current call, or 0 if it is unknown. Sets *c to it, or to NULL. */
uint32_t mpi_ranks(struct mpi_check *x, const struct comm **c);
/* Reports what is left at the end. */
void mpi_handles_end(struct mpi_check *x);

/* check_mpi_request.c: requests and statuses. */
void mpi_requests(struct mpi_check *x);
void mpi_requests_end(struct mpi_check *x);

/* check_mpi_match.c: messages and collective operations. */
void mpi_match_begin(struct mpi_check *x);
void mpi_match(struct mpi_check *x);
void mpi_match_end(struct mpi_check *x);

#endif
