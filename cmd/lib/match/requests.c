/*
 * requests.c - the operations of requests, by rank. The number of a request is not unique: MPI libraries give one
 * number to all sends that are complete at once. So each number has a queue, and a completion takes the oldest
 * operation.
 */
#include "match/matching.h"

#define REQUEST_NULL 1
/* Bound: trace-match | requests of one number | persistent requests | 4096 | others of the same number */
#define WALK_MOST 4096 /* limit of a search in a queue; later operations are not found */

/* Kinds of pending operation, in the two lowest bits of a code; the other bits are a number in a pool. A_NULL: an
 * operation with MPI_PROC_NULL. */
enum {
	A_SEND,
	A_RECEIVE,
	A_PERSISTENT,
	A_NULL
};
/* operation of a persistent request that was started with MPI_PROC_NULL; not NO_OP */
#define NULL_STARTED ((UINT32_MAX - 1) << 2 | A_NULL)

static inline uint32_t
code_of(unsigned what, uint32_t i)
{
	return i << 2 | what;
}

static int64_t
request_of(const struct call *c)
{
	return call_number(c, ARG_REQUEST, REQUEST_NULL);
}

static inline struct persistent *
persistent_at(const struct match *x, uint32_t i)
{
	return pool_at(&x->persistent, i, sizeof(struct persistent));
}

/* Frees a persistent request, or an operation with MPI_PROC_NULL. */
static void
persistent_give(struct match *x, uint32_t i)
{
	note_hold(x, persistent_at(x, i)->note, -1);
	pool_give(&x->persistent, i, sizeof(struct persistent));
}

/* Returns the link to the next operation in the queue, as code plus 1. It is the first word of the operation. */
static uint32_t *
later_of(const struct match *x, uint32_t code)
{
	switch (code & 3) {
	case A_SEND: return &sent_at(x, code >> 2)->later;
	case A_RECEIVE: return &posted_at(x, code >> 2)->later;
	default: return &persistent_at(x, code >> 2)->later;
	}
}

/* The pending operations of one number. Lies in the eight bytes of struct numbers. */
struct pending {
	uint32_t first, last;
};

void *
requests_place(struct match *x, uint32_t proc, int64_t number, unsigned what)
{
	struct proc *p = &x->comms.proc[proc];
	uint32_t n = (uint32_t)number;

	if (number <= 0 || number >= NUMBERS_MOST)
		return NULL;
	return numbers_at(what ? &p->handle : &p->request, what ? 2 * n + what % 2 : n);
}

static struct pending *
queue_of(struct match *x, uint32_t proc, int64_t request)
{
	return request == REQUEST_NULL ? NULL
				       : requests_place(x, proc, request, PLACE_REQUEST);
}

static void
requests_add_one(struct match *x, uint32_t proc, int64_t request, uint32_t code)
{
	struct pending *q = queue_of(x, proc, request);

	if (!q) {
		x->count.requests++;
		return;
	}
	*later_of(x, code) = 0;
	if (q->first)
		*later_of(x, q->last - 1) = code + 1;
	else
		q->first = code + 1;
	q->last = code + 1;
}

static void
unlink_one(struct match *x, struct pending *q, uint32_t before, uint32_t code)
{
	uint32_t later = *later_of(x, code);

	if (before)
		*later_of(x, before - 1) = later;
	else
		q->first = later;
	if (q->last == code + 1)
		q->last = before;
}

/* Returns the code, plus 1, of the oldest operation in a queue that is active; or, if not `active`, of the oldest
 * inactive persistent request. *before becomes the code, plus 1, of the one before it. Returns 0 if there is none. */
static uint32_t
oldest(struct match *x, const struct pending *q, bool active, uint32_t *before)
{
	unsigned steps = 0;

	*before = 0;
	for (uint32_t i = q ? q->first : 0; i && steps < WALK_MOST;
	     i = *later_of(x, i - 1), steps++) {
		bool is = ((i - 1) & 3) != A_PERSISTENT ||
			  persistent_at(x, (i - 1) >> 2)->active != NO_OP;

		if (is == active)
			return i;
		*before = i;
	}
	x->count.deep += steps == WALK_MOST;
	return 0;
}

static void
done(struct match *x, uint32_t code, const struct completion *c)
{
	if ((code & 3) == A_SEND)
		match_sent(x, code >> 2, c);
	else if ((code & 3) == A_RECEIVE)
		match_received(x, code >> 2, c);
	else if (code != NULL_STARTED)
		persistent_give(x, code >> 2);
}

/* Completes the oldest active operation of a request. */
static void
complete_request(struct match *x, uint32_t proc, int64_t request,
		 const struct completion *c)
{
	struct pending *q = queue_of(x, proc, request);
	uint32_t before, i = oldest(x, q, true, &before);
	struct persistent *p;

	if (!i) {
		/* An inactive request may complete at any time. */
		x->count.requests +=
		    request != REQUEST_NULL && !oldest(x, q, false, &before);
		return;
	}
	if (((i - 1) & 3) == A_PERSISTENT) {
		p = persistent_at(x, (i - 1) >> 2);
		i = p->active + 1;
		p->active = NO_OP;
	} else {
		unlink_one(x, q, before, i - 1);
	}
	done(x, i - 1, c);
}

/* Returns the j-th status of a call that completes requests. */
static struct completion
status_of(const struct site *at, const struct call *c, size_t j)
{
	struct completion k = {.rec = at->rec, .begun = at->start, .ended = at->end};

	if (call_has(c, ARG_STATUS_SOURCE)) {
		k.has = true;
		k.source = c->number[ARG_STATUS_SOURCE];
		k.tag = call_number(c, ARG_STATUS_TAG, -1);
		k.bytes = call_number(c, ARG_STATUS_BYTES, -1);
		k.cancelled = call_number(c, ARG_STATUS_CANCELLED, 0);
	} else if (call_has(c, ARG_STATUSES_SOURCE) &&
		   j < call_list(c, ARG_STATUSES_SOURCE)->n) {
		k.has = true;
		k.source = call_item(c, ARG_STATUSES_SOURCE, j, -1);
		k.tag = call_item(c, ARG_STATUSES_TAG, j, -1);
		k.bytes = call_item(c, ARG_STATUSES_BYTES, j, -1);
		k.cancelled = call_item(c, ARG_STATUSES_CANCELLED, j, 0);
	}
	return k;
}

/* Handles a call that waits for requests, or tests them. */
static void
completed(struct match *x, const struct site *at, const struct call *c)
{
	const struct call_list *list = call_list(c, ARG_REQUESTS);
	struct completion k = status_of(at, c, 0);

	if (!call_number(c, ARG_FLAG, 1))
		return;
	switch (c->kind) {
	case CALL_WAIT:
	case CALL_TEST:
		if (call_has(c, ARG_REQUEST))
			complete_request(x, at->proc, c->number[ARG_REQUEST], &k);
		return;
	case CALL_WAIT_ANY:
	case CALL_TEST_ANY: {
		int64_t i = call_number(c, ARG_INDEX, -1);

		if (i >= 0 && (size_t)i < list->n)
			complete_request(x, at->proc, list->v[i], &k);
		return;
	}
	case CALL_WAIT_ALL:
	case CALL_TEST_ALL:
		for (size_t i = 0; i < list->n; i++) {
			k = status_of(at, c, i);
			complete_request(x, at->proc, list->v[i], &k);
		}
		return;
	default:
		for (size_t j = 0; (int64_t)j < call_number(c, ARG_COUNT, 0); j++) {
			int64_t i = call_item(c, ARG_INDICES, j, -1);

			if (j >= call_list(c, ARG_INDICES)->n)
				return;
			k = status_of(at, c, j);
			if (i >= 0 && (size_t)i < list->n)
				complete_request(x, at->proc, list->v[i], &k);
		}
		return;
	}
}

/* ---- calls that begin an operation ---- */

static void
keep(struct match *x, const struct site *at, const struct call *c)
{
	uint32_t i = pool_take(&x->persistent, sizeof(struct persistent));
	bool receives = c->kind == CALL_RECV_INIT;

	*persistent_at(x, i) = (struct persistent){
	    .active = NO_OP,
	    .comm = comm_of_call(x, at, c),
	    .peer = call_number(c, receives ? ARG_SOURCE : ARG_DEST, -2),
	    .tag = (int32_t)call_number(c, ARG_TAG, 0),
	    .note = at->note,
	    .receives = receives,
	    .sync = c->synchronous,
	    .has_size = call_has(c, ARG_BYTES),
	    .size = (uint64_t)call_number(c, ARG_BYTES, 0)};
	note_hold(x, at->note, 1);
	requests_add_one(x, at->proc, request_of(c), code_of(A_PERSISTENT, i));
}

/* Returns a new note for a started request, a copy of the request's own. */
static uint32_t
note_start(struct match *x, uint32_t note)
{
	uint32_t i = pool_take(&x->notes, x->opt.watch->note_size);

	/* The pool may have moved. */
	memcpy(note_at(x, i), note_at(x, note), x->opt.watch->note_size);
	memcpy(note_at(x, i), &(uint32_t){1}, sizeof(uint32_t));
	x->live_notes++;
	return i;
}

static void
start_request(struct match *x, const struct site *at, int64_t request)
{
	uint32_t before, i = oldest(x, queue_of(x, at->proc, request), false, &before), op;
	struct site now = *at;
	struct persistent p;

	if (!i) {
		x->count.requests++;
		return;
	}
	p = *persistent_at(x, (i - 1) >> 2);
	now.note = p.note ? note_start(x, p.note) : 0;
	op = p.receives ? match_receive(x, &now, p.comm, p.peer, p.tag)
			: match_send(x, &now, p.comm, p.peer, p.tag,
				     p.has_size ? &p.size : NULL, p.sync, true);
	note_hold(x, now.note, -1);
	persistent_at(x, (i - 1) >> 2)->active = op == NO_OP  ? NULL_STARTED
						 : p.receives ? code_of(A_RECEIVE, op)
							      : code_of(A_SEND, op);
}

/* Frees a request. Its operation continues, but no call will complete it. */
static void
let_go(struct match *x, uint32_t proc, int64_t request)
{
	static const struct completion none = {0};
	struct pending *q = queue_of(x, proc, request);
	uint32_t i = q ? q->first : 0, active;

	if (!i) {
		x->count.requests += request != REQUEST_NULL;
		return;
	}
	unlink_one(x, q, 0, i - 1);
	if (((i - 1) & 3) != A_PERSISTENT) {
		done(x, i - 1, &none);
		return;
	}
	active = persistent_at(x, (i - 1) >> 2)->active;
	persistent_give(x, (i - 1) >> 2);
	if (active != NO_OP)
		done(x, active, &none);
}

static void
cancel(struct match *x, uint32_t proc, int64_t request)
{
	const struct pending *q = queue_of(x, proc, request);
	uint32_t before, i = oldest(x, q, true, &before), code;

	/* Operations with one number were complete at once, so none of them can be cancelled. */
	if (!i || q->first != q->last)
		return;
	code =
	    ((i - 1) & 3) == A_PERSISTENT ? persistent_at(x, (i - 1) >> 2)->active : i - 1;
	if ((code & 3) == A_SEND)
		sent_at(x, code >> 2)->flags |= OP_CANCEL;
	else if ((code & 3) == A_RECEIVE)
		posted_at(x, code >> 2)->flags |= OP_CANCEL;
}

/* Adds an operation of the pool `what` to the queue of the call's request; if i is NO_OP, one without a partner. */
static void
pend(struct match *x, const struct site *at, const struct call *c, unsigned what,
     uint32_t i)
{
	if (i == NO_OP) {
		i = pool_take(&x->persistent, sizeof(struct persistent));
		what = A_NULL;
	}
	requests_add_one(x, at->proc, request_of(c), code_of(what, i));
}

static void
send_of(struct match *x, const struct site *at, const struct call *c, const struct rec *r)
{
	struct promise *comm = comm_of_call(x, at, c);
	uint32_t i = match_send(
	    x, at, comm, call_number(c, ARG_DEST, -1), call_number(c, ARG_TAG, 0),
	    r->has & HAS_SIZE ? &r->size : NULL, c->synchronous, c->kind == CALL_ISEND);

	if (c->kind == CALL_ISEND)
		pend(x, at, c, A_SEND, i);
}

static void
receive_of(struct match *x, const struct site *at, const struct call *c)
{
	struct promise *comm = comm_of_call(x, at, c);
	int64_t tag =
	    call_number(c, c->kind == CALL_SENDRECV ? ARG_RECV_TAG : ARG_TAG, ANY_TAG);
	uint32_t i = match_receive(x, at, comm, call_number(c, ARG_SOURCE, -2), tag);
	struct completion k = status_of(at, c, 0);

	if (c->kind == CALL_IRECV)
		pend(x, at, c, A_RECEIVE, i);
	else if (i != NO_OP)
		match_received(x, i, &k);
}

void
requests_call(struct match *x, const struct site *at, const struct call *c,
	      const struct rec *r)
{
	const struct call_list *list = call_list(c, ARG_REQUESTS);

	switch (c->kind) {
	case CALL_SEND:
	case CALL_ISEND: send_of(x, at, c, r); return;
	case CALL_RECV:
	case CALL_IRECV: receive_of(x, at, c); return;
	case CALL_SENDRECV:
		send_of(x, at, c, r);
		receive_of(x, at, c);
		return;
	case CALL_SEND_INIT:
	case CALL_RECV_INIT: keep(x, at, c); return;
	case CALL_START:
		if (call_has(c, ARG_REQUEST))
			start_request(x, at, c->number[ARG_REQUEST]);
		for (size_t i = 0; i < list->n; i++)
			start_request(x, at, list->v[i]);
		return;
	case CALL_REQUEST_FREE: let_go(x, at->proc, request_of(c)); return;
	case CALL_CANCEL: cancel(x, at->proc, request_of(c)); return;
	default: completed(x, at, c); return;
	}
}
