/* mpi_calls.h - an MPI call as its kind and the arguments that matching needs, as numbers. */
#ifndef SPOOR_MPI_CALLS_H
#define SPOOR_MPI_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

enum call_kind {
	CALL_OTHER,
	CALL_SEND,
	CALL_ISEND,
	CALL_RECV,
	CALL_IRECV,
	CALL_SEND_INIT,
	CALL_RECV_INIT,
	CALL_START,
	CALL_SENDRECV,
	/* Completions. */
	CALL_WAIT,
	CALL_TEST,
	CALL_WAIT_ANY,
	CALL_TEST_ANY,
	CALL_WAIT_ALL,
	CALL_TEST_ALL,
	CALL_WAIT_SOME,
	CALL_TEST_SOME,
	CALL_REQUEST_FREE,
	CALL_CANCEL,
	/* Calls that make a communicator, a window or a file. */
	CALL_DUP,
	CALL_GRAPH,
	CALL_CART,
	CALL_CREATE,
	CALL_SPLIT,
	CALL_CART_SUB,
	CALL_INTERCOMM,
	CALL_MERGE,
	CALL_WIN,
	CALL_FILE,
	CALL_FOREIGN, /* together with another job */
	CALL_COMM_RANK,
	CALL_COMM_SIZE,
	/* Groups. */
	CALL_GROUP_OF,
	CALL_GROUP_OF_REMOTE,
	CALL_INCL,
	CALL_EXCL,
	CALL_RANGE_INCL,
	CALL_RANGE_EXCL,
	CALL_UNION,
	CALL_INTERSECTION,
	CALL_DIFFERENCE,
	/* Collectives, by which members wait for which. */
	CALL_ALL_TO_ALL,
	CALL_ALL_TO_ONE,
	CALL_ONE_TO_ALL,
	CALL_SCAN,
	/* Other collectives: their members may leave before the last one comes. */
	CALL_TOGETHER,
	CALL_FREE,     /* frees a communicator, a window or a file */
	CALL_INIT,     /* a collective of MPI_COMM_WORLD */
	CALL_FINALIZE, /* a collective of MPI_COMM_WORLD */
};

/* Returns true if a collective call has a root, or gives each member data of lower ranks only. */
static inline bool
call_is_partial(enum call_kind k)
{
	return k > CALL_ALL_TO_ALL && k < CALL_TOGETHER;
}

/* Arguments. */
enum call_arg {
	ARG_COUNT,
	ARG_DEST,
	ARG_SOURCE,
	ARG_TAG, /* tag of a send or a receive; sendtag of Sendrecv */
	ARG_RECV_TAG,
	ARG_COMM, /* the communicator of the call */
	ARG_NEW_COMM,
	ARG_REQUEST,
	ARG_FLAG,
	ARG_INDEX,
	ARG_STATUS_SOURCE,
	ARG_STATUS_TAG,
	ARG_STATUS_BYTES,
	ARG_STATUS_CANCELLED,
	ARG_COLOR,
	ARG_KEY,
	ARG_HIGH,
	ARG_NODES,
	ARG_REORDER,
	ARG_BYTES, /* bytes of each start */
	ARG_LOCAL_LEADER,
	ARG_REMOTE_COMM,
	ARG_REMOTE_LEADER,
	ARG_GROUP,
	ARG_GROUP2,
	ARG_NEW_GROUP,
	ARG_ROOT,
	ARG_RANK, /* rank that Comm_rank returns, or size that Comm_size returns */
	ARG_WIN,
	ARG_FILE,
	ARG_NUMBERS,
	/* Lists. */
	ARG_REQUESTS = ARG_NUMBERS,
	ARG_INDICES,
	ARG_STATUSES_SOURCE,
	ARG_STATUSES_TAG,
	ARG_STATUSES_BYTES,
	ARG_STATUSES_CANCELLED,
	ARG_DIMS,  /* dims of Cart_create; remain_dims of Cart_sub */
	ARG_RANKS, /* ranks or ranges */
	ARG_ALL,
};

struct call_list {
	int64_t *v;
	size_t n, cap;
};

/* The call of the current event. */
struct call {
	enum call_kind kind;
	const char *event; /* name of the event */
	unsigned which;	   /* number of the event's name, below CALLS_KNOWN */
	bool synchronous;  /* a send that waits for its receive */
	uint64_t has;	   /* bits of the arguments that are present */
	int64_t number[ARG_NUMBERS];
	struct call_list list[ARG_ALL - ARG_NUMBERS];
};

/* Returns true if the call has the argument a. */
static inline bool
call_has(const struct call *c, enum call_arg a)
{
	return c->has >> a & 1;
}

/* Returns the argument a, or `none` if the call does not have it. */
static inline int64_t
call_number(const struct call *c, enum call_arg a, int64_t none)
{
	return call_has(c, a) ? c->number[a] : none;
}

/* Returns the list a of the call, which is valid until the next call is read. */
static inline const struct call_list *
call_list(const struct call *c, enum call_arg a)
{
	return &c->list[a - ARG_NUMBERS];
}

/* Returns element i of the list a, or `none` if the call does not have it. */
static inline int64_t
call_item(const struct call *c, enum call_arg a, size_t i, int64_t none)
{
	const struct call_list *l = call_list(c, a);

	return call_has(c, a) && i < l->n ? l->v[i] : none;
}

/* Frees the memory of c. */
static inline void
call_free(struct call *c)
{
	for (unsigned i = 0; i < ARG_ALL - ARG_NUMBERS; i++)
		free(c->list[i].v);
}

#endif
