/* check_mpi_request.c - the rules of MPI about requests and statuses. MPI libraries give one number to all sends that
 * are complete at once, so a number has a count of active requests. */
#include "trace-check/check_mpi.h"

#define REQUEST_NULL 1

/* Bits of FLAGS. SHARED: two requests had the number at once, so ASKED and ROOM may be the other's. LOCAL: a receive that
 * may take a message of its own rank. */
enum {
	IS_RECEIVE = 1,
	PERSISTENT = 2,
	CANCELLED = 4,
	SHARED = 8,
	LOCAL = 16
};

struct got {
	int64_t source, tag, bytes, cancelled;
};

/* Checks the status of a receive that asked for a source and tag, and has room for so many bytes. */
static void
check_status(struct mpi_check *x, int32_t source, int32_t tag, uint64_t room, uint64_t size,
	     const struct got *s)
{
	if (s->source < 0)
		return;
	if (unlikely((source >= 0 && s->source != source) ||
		     (tag >= 0 && s->tag >= 0 && s->tag != tag)))
		find(x->c, BAD_MPI_STATUS_ENVELOPE,
		     "the status has source " I64 " and tag " I64
		     ", the receive asked for %d and %d",
		     s->source, s->tag, source, tag);
	if (unlikely(s->bytes > 0 && (uint64_t)s->bytes > room))
		find(x->c, BAD_MPI_RECV_TRUNCATE,
		     "the status has " I64 " bytes, the receive has room for " U64,
		     s->bytes, room);
	else if (unlikely(s->bytes > 0 && size && size != UNKNOWN &&
			  (uint64_t)s->bytes % size))
		find(x->c, BAD_MPI_STATUS_MULTIPLE,
		     I64 " bytes are no multiple of the " U64 " of the datatype", s->bytes,
		     size);
}

/* Returns status number j of the current call. */
static struct got
status_of(const struct call *c, size_t j)
{
	if (call_has(c, ARG_STATUS_SOURCE))
		return (struct got){c->number[ARG_STATUS_SOURCE],
				    call_number(c, ARG_STATUS_TAG, -1),
				    call_number(c, ARG_STATUS_BYTES, -1),
				    call_number(c, ARG_STATUS_CANCELLED, 0)};
	return (struct got){call_item(c, ARG_STATUSES_SOURCE, j, -1),
			    call_item(c, ARG_STATUSES_TAG, j, -1),
			    call_item(c, ARG_STATUSES_BYTES, j, -1),
			    call_item(c, ARG_STATUSES_CANCELLED, j, 0)};
}

/* Checks the status of a receive that the current call itself completes. */
static void
check_received(struct mpi_check *x, bool both)
{
	struct got s = status_of(x->call, 0);
	bool own = x->has >> RECV_TYPE & 1;
	uint64_t size = mpi_sizeof(x, mpi_value(x, own ? RECV_TYPE : TYPE, 0));

	check_status(x, (int32_t)call_number(x->call, ARG_SOURCE, -1),
		     (int32_t)call_number(x->call, both ? ARG_RECV_TAG : ARG_TAG, -1),
		     mpi_bytes(mpi_value(x, own ? RECV_COUNT : COUNT, 0), size), size, &s);
}

/* Adds `by` to the active requests of a number. */
static void
add_open(struct mpi_check *x, struct map_entry *e, int by)
{
	e->v[OPEN] += (uint64_t)by;
	x->rank[x->proc].receives += e->v[FLAGS] & LOCAL ? (uint32_t)by : 0;
}

/* Drops the completed requests from the map. */
static void
forget_completed(struct mpi_check *x)
{
	struct map_entry *e = NULL;

	while ((e = map_next(x->c, REQUESTS, e)))
		if (!e->v[OPEN] && !(e->v[FLAGS] & PERSISTENT))
			map_drop(x->c, REQUESTS, e);
	x->forgot = true;
}

/* Adds the request that the current call makes. */
static void
make_request(struct mpi_check *x, unsigned flags)
{
	int64_t number = mpi_value(x, REQUEST, REQUEST_NULL);
	int64_t source = call_number(x->call, ARG_SOURCE, -1);
	struct map_entry *e;

	if (number <= REQUEST_NULL)
		return;
	if (x->c->map[REQUESTS].live == x->c->map[REQUESTS].kind.most)
		forget_completed(x);
	e = map_put(x->c, REQUESTS, (uint64_t)number, x->proc);
	if (e->v[OPEN]) {
		find_with(x->c, BAD_MPI_REQ_OVERWRITE, e->at,
			  "request " I64 " is not completed", number);
		flags |= SHARED;
	} else
		e->at = x->c->here;
	if (flags & IS_RECEIVE &&
	    (source < 0 || source == match_comms(x->match)->proc[x->proc].rank))
		flags |= LOCAL;
	e->v[FLAGS] = flags;
	e->v[ASKED] = (uint64_t)source << 32 | (uint32_t)call_number(x->call, ARG_TAG, -1);
	e->v[ROOM] = flags & PERSISTENT	    ? (uint64_t)call_number(x->call, ARG_BYTES, -1)
		     : x->r->has & HAS_SIZE ? x->r->size
					    : UNKNOWN;
	add_open(x, e, !(flags & PERSISTENT));
}

/* Returns the entry of a request that the current call names, or NULL; reports an unknown one. */
static struct map_entry *
known_request(struct mpi_check *x, int64_t number)
{
	struct map_entry *e = number > REQUEST_NULL
				  ? map_find(x->c, REQUESTS, (uint64_t)number, x->proc)
				  : NULL;

	if (e || number <= REQUEST_NULL)
		return e;
	if (!x->forgot)
		find(x->c, BAD_MPI_REQ_UNKNOWN, "no call made request " I64, number);
	/* Calls that the trace does not show make requests, too: those of MPI-3. */
	x->rank[x->proc].muted = true;
	return NULL;
}

/* Completes a request with status number j of the current call. */
static void
complete(struct mpi_check *x, int64_t number, size_t j)
{
	struct map_entry *e = known_request(x, number);
	struct got s;

	if (!e)
		return;
	if (unlikely(!e->v[OPEN])) {
		if (!(e->v[FLAGS] & PERSISTENT) && !x->rank[x->proc].muted)
			find_with(x->c, BAD_MPI_REQ_TWICE, e->at,
				  "request " I64 " is completed already", number);
		return;
	}
	add_open(x, e, -1);
	if ((e->v[FLAGS] & (IS_RECEIVE | SHARED)) != IS_RECEIVE)
		return;
	s = status_of(x->call, j);
	if (!(e->v[FLAGS] & CANCELLED && s.cancelled))
		check_status(x, (int32_t)(e->v[ASKED] >> 32),
			     (int32_t)(uint32_t)e->v[ASKED], e->v[ROOM], 0, &s);
}

/* Completes the request with the index i in the list of the current call. */
static void
complete_at(struct mpi_check *x, int64_t i, size_t j)
{
	const struct call_list *list = call_list(x->call, ARG_REQUESTS);

	/* MPI_UNDEFINED is a negative number. */
	if (i >= 0 && (uint64_t)i >= list->n)
		find(x->c, BAD_MPI_REQ_INDEX,
		     "the index is " I64 ", the number of requests %zu", i, list->n);
	else if (i >= 0)
		complete(x, list->v[i], j);
}

/* Takes a call that completes requests. */
static void
complete_all(struct mpi_check *x)
{
	const struct call *c = x->call;
	int64_t n = call_number(c, ARG_COUNT, 0);

	if (!call_number(c, ARG_FLAG, 1))
		return;
	if (c->kind <= CALL_TEST)
		complete(x, call_number(c, ARG_REQUEST, REQUEST_NULL), 0);
	else if (c->kind <= CALL_TEST_ANY)
		complete_at(x, call_number(c, ARG_INDEX, -1), 0);
	else if (c->kind <= CALL_TEST_ALL)
		for (size_t i = 0; i < call_list(c, ARG_REQUESTS)->n; i++)
			complete_at(x, (int64_t)i, i);
	else
		for (size_t j = 0; (int64_t)j < n && j < call_list(c, ARG_INDICES)->n; j++)
			complete_at(x, call_item(c, ARG_INDICES, j, -1), j);
}

static void
start_request(struct mpi_check *x, int64_t number)
{
	struct map_entry *e = known_request(x, number);

	if (e && (!(e->v[FLAGS] & PERSISTENT) || e->v[OPEN]))
		find_with(x->c, BAD_MPI_REQ_START, e->at, "request " I64 " is %s", number,
			  e->v[OPEN] && e->v[FLAGS] & PERSISTENT ? "active already"
								 : "not persistent");
	else if (e)
		add_open(x, e, 1);
}

static void
free_request(struct mpi_check *x, int64_t number)
{
	struct map_entry *e = known_request(x, number);

	if (!e)
		return;
	if (e->v[OPEN] && e->v[FLAGS] & (PERSISTENT | IS_RECEIVE) &&
	    !(e->v[FLAGS] & CANCELLED))
		find_with(x->c,
			  e->v[FLAGS] & PERSISTENT ? BAD_MPI_REQ_PERSISTENT
						   : BAD_MPI_REQ_FREE_RECV,
			  e->at, "request " I64 " is active", number);
	if (e->v[OPEN])
		add_open(x, e, -1);
	e->v[FLAGS] &= ~(uint64_t)PERSISTENT;
}

void
mpi_requests(struct mpi_check *x)
{
	const struct call *c = x->call;
	int64_t one;
	struct map_entry *e;

	/* The requests of files have numbers of their own, but MPI_Wait waits for them, too. */
	if (x->k > 241 && x->k < 277 && strstr(dumpi_calls[x->k].name, "File_i"))
		x->rank[x->proc].muted = true;
	if (x->k == K_GREQUEST_START)
		make_request(x, 0);
	if (c->kind == CALL_OTHER || c->kind > CALL_CANCEL)
		return;
	one = call_number(c, ARG_REQUEST, REQUEST_NULL);
	switch (c->kind) {
	case CALL_SEND: return;
	case CALL_RECV:
	case CALL_SENDRECV: check_received(x, c->kind == CALL_SENDRECV); return;
	case CALL_ISEND: make_request(x, 0); return;
	case CALL_IRECV: make_request(x, IS_RECEIVE); return;
	case CALL_SEND_INIT: make_request(x, PERSISTENT); return;
	case CALL_RECV_INIT: make_request(x, PERSISTENT | IS_RECEIVE); return;
	case CALL_REQUEST_FREE: free_request(x, one); return;
	case CALL_CANCEL:
		e = known_request(x, one);
		if (e)
			e->v[FLAGS] |= CANCELLED;
		return;
	case CALL_START:
		start_request(x, one);
		for (size_t i = 0; i < call_list(c, ARG_REQUESTS)->n; i++)
			start_request(x, call_list(c, ARG_REQUESTS)->v[i]);
		return;
	default: complete_all(x);
	}
}

void
mpi_requests_end(struct mpi_check *x)
{
	const struct map_entry *e = NULL;

	while ((e = map_next(x->c, REQUESTS, e)))
		if (e->v[FLAGS] & PERSISTENT)
			find_at(x->c, BAD_MPI_REQ_PERSISTENT, e->at,
				"request " U64 " is never freed", e->key[0]);
		else if (e->v[OPEN])
			find_at(x->c, BAD_MPI_REQ_LEAK, e->at,
				"request " U64 " is never completed", e->key[0]);
}
