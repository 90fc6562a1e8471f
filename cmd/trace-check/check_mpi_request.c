/* check_mpi_request.c - the rules of MPI about requests and statuses. MPI libraries give one number to all sends that
 * are complete at once, so a number has a count of active requests. */
#include "trace-check/check_mpi.h"

/* Bound: trace-check | requests of MPI | requests of all ranks that are not complete | 131072 | more than 131072 requests of MPI */
#define REQUESTS_MOST (1u << 17)
#define REQUEST_NULL 1

/* Values of an entry of `requests`. */
enum {
	REQUEST_OPEN,  /* number of active requests */
	REQUEST_STATE, /* bit set */
	REQUEST_ASKED, /* source and tag of a receive: struct asked */
	REQUEST_ROOM,  /* bytes for which a receive has room, or UNKNOWN */
};
enum {
	RECEIVES = 1,
	PERSISTENT = 2,
	CANCELLED = 4,
	SHARED =
	    8, /* two requests had the number at once: ASKED and ROOM may be of the other */
	ANYTHING = 16 /* a receive that may match a send of its own rank */
};

struct asked {
	int32_t source, tag;
};

void
mpi_requests_begin(struct mpi_check *x)
{
	x->requests = (struct number_map){.what = "requests of MPI", .most = REQUESTS_MOST};
}

static struct map_entry *
request_of(const struct mpi_check *x, int64_t number)
{
	return map_find(&x->requests, x->proc, (uint64_t)number, 0);
}

static uint64_t
pack(struct asked a)
{
	return (uint64_t)(uint32_t)a.source << 32 | (uint32_t)a.tag;
}

/* Checks the status of a receive, which asked for `asked` and has room for that many bytes. */
static void
check_status(struct mpi_check *x, struct asked asked, uint64_t room, uint64_t size,
	     int64_t source, int64_t tag, int64_t bytes)
{
	const char *name = dumpi_calls[x->k].name;

	if (source < 0)
		return;
	if (unlikely((asked.source >= 0 && source != asked.source) ||
		     (asked.tag >= 0 && tag >= 0 && tag != asked.tag)))
		find(x->c, BAD_MPI_STATUS_ENVELOPE, mpi_here(x),
		     "%s: the status has source %lld and tag %lld, the receive asked for "
		     "%d and "
		     "%d",
		     name, (long long)source, (long long)tag, asked.source, asked.tag);
	if (unlikely(room != UNKNOWN && bytes >= 0 && (uint64_t)bytes > room))
		find(x->c, BAD_MPI_RECV_TRUNCATE, mpi_here(x),
		     "%s: the status has %lld bytes, the receive has room for %llu", name,
		     (long long)bytes, (unsigned long long)room);
	else if (unlikely(size && size != UNKNOWN && bytes > 0 && (uint64_t)bytes % size))
		find(x->c, BAD_MPI_STATUS_MULTIPLE, mpi_here(x),
		     "%s: %lld bytes are no multiple of the %llu of the datatype", name,
		     (long long)bytes, (unsigned long long)size);
}

/* Checks the status of a receive that the current call itself completes. */
static void
check_received(struct mpi_check *x)
{
	const struct call *c = x->call;
	bool both = c->kind == CALL_SENDRECV, own = both && has(x, RECV_TYPE);
	uint16_t basic;
	uint64_t size;

	if (!call_has(c, ARG_STATUS_SOURCE) || !has(x, own ? RECV_TYPE : SEND_TYPE))
		return;
	size = mpi_sizeof(x, x->v[own ? RECV_TYPE : SEND_TYPE], &basic);
	check_status(
	    x,
	    (struct asked){(int32_t)call_number(c, ARG_SOURCE, -1),
			   (int32_t)call_number(c, both ? ARG_RECV_TAG : ARG_TAG, -1)},
	    mpi_bytes((uint64_t)x->v[own ? RECV_COUNT : SEND_COUNT], size), size,
	    c->number[ARG_STATUS_SOURCE], call_number(c, ARG_STATUS_TAG, -1),
	    call_number(c, ARG_STATUS_BYTES, -1));
}

/* Drops the completed requests from the map. */
static void
forget_completed(struct mpi_check *x)
{
	for (size_t i = 0; i < x->requests.n; i++) {
		struct map_entry *e = &x->requests.e[i];

		if (e->live && !e->v[REQUEST_OPEN] && !(e->v[REQUEST_STATE] & PERSISTENT))
			map_drop(&x->requests, e);
	}
	x->forgot = true;
}

/* Counts a receive that becomes active, by 1, or is complete, by -1. */
static void
count_receive(struct mpi_check *x, const struct map_entry *e, int by)
{
	struct mpi_rank *r = &x->rank[x->proc];

	if (e->v[REQUEST_STATE] & ANYTHING)
		r->receives += (uint32_t)by;
	if (e->v[REQUEST_STATE] & RECEIVES && (int32_t)(e->v[REQUEST_ASKED] >> 32) < 0)
		r->any += (uint32_t)by;
	/* A receive from any source may take the message for which a rank waits. */
	for (size_t i = 0;
	     r->any && by > 0 && wants(x->c, BAD_MPI_DEADLOCK) && i < x->nranks; i++)
		if (x->rank[i].blocked_by == x->proc)
			x->rank[i].blocked = 0;
}

/* Adds the request that the current call makes. */
static void
make_request(struct mpi_check *x, unsigned state)
{
	int64_t number = has(x, REQUEST) ? x->v[REQUEST] : REQUEST_NULL;
	struct asked asked = {(int32_t)call_number(x->call, ARG_SOURCE, -1),
			      (int32_t)call_number(x->call, ARG_TAG, -1)};
	struct map_entry *e;
	uint64_t room;

	if (number <= REQUEST_NULL)
		return;
	if (x->requests.live == REQUESTS_MOST)
		forget_completed(x);
	e = map_put(x->c, &x->requests, x->proc, (uint64_t)number, 0, mpi_here(x));
	if (!e)
		return;
	if (e->v[REQUEST_OPEN]) {
		find_with(x->c, BAD_MPI_REQ_OVERWRITE, mpi_here(x), e->at,
			  "%s returns request %lld, which is not completed",
			  dumpi_calls[x->k].name, (long long)number);
		state |= SHARED;
	}
	if (e->v[REQUEST_OPEN] && e->v[REQUEST_STATE] & PERSISTENT)
		e->v[REQUEST_OPEN] = 0;
	if (!e->v[REQUEST_OPEN])
		e->at = mpi_here(x);
	if (state & RECEIVES &&
	    (asked.source < 0 || call_number(x->call, ARG_SOURCE, -1) ==
				     match_comms(x->match)->proc[x->proc].rank))
		state |= ANYTHING;
	room = x->r->has & HAS_SIZE ? x->r->size : UNKNOWN;
	if (state & PERSISTENT)
		room = (uint64_t)call_number(x->call, ARG_BYTES, -1);
	e->v[REQUEST_STATE] = state;
	e->v[REQUEST_ASKED] = pack(asked);
	e->v[REQUEST_ROOM] = room;
	if (state & PERSISTENT)
		return;
	e->v[REQUEST_OPEN]++;
	count_receive(x, e, 1);
}

static COLD void
unknown_request(struct mpi_check *x, int64_t number)
{
	if (!x->forgot)
		find(x->c, BAD_MPI_REQ_UNKNOWN, mpi_here(x),
		     "%s: no call made request %lld", dumpi_calls[x->k].name,
		     (long long)number);
	/* Calls that the trace does not show make requests, too: those of MPI-3. */
	x->rank[x->proc].muted = true;
}

/* Completes a request; status[] is its source, tag, bytes and whether it was cancelled, or NULL. */
static void
complete(struct mpi_check *x, int64_t number, const int64_t status[4])
{
	struct map_entry *e;
	struct asked asked;

	if (number <= REQUEST_NULL)
		return;
	e = request_of(x, number);
	if (unlikely(!e)) {
		unknown_request(x, number);
		return;
	}
	if (unlikely(!e->v[REQUEST_OPEN])) {
		if (!(e->v[REQUEST_STATE] & PERSISTENT) && !x->rank[x->proc].muted)
			find_with(x->c, BAD_MPI_REQ_TWICE, mpi_here(x), e->at,
				  "%s: request %lld is completed already",
				  dumpi_calls[x->k].name, (long long)number);
		return;
	}
	e->v[REQUEST_OPEN]--;
	count_receive(x, e, -1);
	if (!status || !(e->v[REQUEST_STATE] & RECEIVES) || e->v[REQUEST_STATE] & SHARED ||
	    (e->v[REQUEST_STATE] & CANCELLED && status[3]))
		return;
	asked.source = (int32_t)(e->v[REQUEST_ASKED] >> 32);
	asked.tag = (int32_t)(uint32_t)e->v[REQUEST_ASKED];
	check_status(x, asked, e->v[REQUEST_ROOM], 0, status[0], status[1], status[2]);
}

/* Completes the request number i of the current call, which has status number j. */
static void
complete_one(struct mpi_check *x, size_t i, size_t j)
{
	const struct call *c = x->call;
	bool one = call_has(c, ARG_STATUS_SOURCE);
	int64_t status[4];

	status[0] =
	    one ? c->number[ARG_STATUS_SOURCE] : call_item(c, ARG_STATUSES_SOURCE, j, -1);
	status[1] = one ? call_number(c, ARG_STATUS_TAG, -1)
			: call_item(c, ARG_STATUSES_TAG, j, -1);
	status[2] = one ? call_number(c, ARG_STATUS_BYTES, -1)
			: call_item(c, ARG_STATUSES_BYTES, j, -1);
	status[3] = one ? call_number(c, ARG_STATUS_CANCELLED, 0)
			: call_item(c, ARG_STATUSES_CANCELLED, j, 0);
	complete(x,
		 call_has(c, ARG_REQUEST) ? c->number[ARG_REQUEST]
					  : call_list(c, ARG_REQUESTS)->v[i],
		 status);
}

/* Checks an index that a call returns. Returns true if it is the index of a request. */
static bool
check_index(struct mpi_check *x, int64_t index)
{
	size_t n = call_list(x->call, ARG_REQUESTS)->n;

	/* MPI_UNDEFINED is a negative number. */
	if (index >= 0 && (uint64_t)index >= n)
		find(x->c, BAD_MPI_REQ_INDEX, mpi_here(x),
		     "%s: index %lld, but %zu request%s", dumpi_calls[x->k].name,
		     (long long)index, n, n == 1 ? "" : "s");
	return index >= 0 && (uint64_t)index < n;
}

/* Takes a call that completes requests. */
static void
complete_all(struct mpi_check *x)
{
	const struct call *c = x->call;
	const struct call_list *indices = call_list(c, ARG_INDICES);
	int64_t n = call_number(c, ARG_COUNT, 0);

	if (!call_number(c, ARG_FLAG, 1))
		return;
	switch (c->kind) {
	case CALL_WAIT:
	case CALL_TEST:
		if (call_has(c, ARG_REQUEST))
			complete_one(x, 0, 0);
		return;
	case CALL_WAIT_ANY:
	case CALL_TEST_ANY:
		if (check_index(x, call_number(c, ARG_INDEX, -1)))
			complete_one(x, (size_t)c->number[ARG_INDEX], 0);
		return;
	case CALL_WAIT_ALL:
	case CALL_TEST_ALL:
		for (size_t i = 0; i < call_list(c, ARG_REQUESTS)->n; i++)
			complete_one(x, i, i);
		return;
	default:
		for (size_t j = 0; (int64_t)j < n && j < indices->n; j++)
			if (check_index(x, indices->v[j]))
				complete_one(x, (size_t)indices->v[j], j);
	}
}

static void
start_request(struct mpi_check *x, int64_t number)
{
	struct map_entry *e = number > REQUEST_NULL ? request_of(x, number) : NULL;

	if (!e && number > REQUEST_NULL) {
		unknown_request(x, number);
	} else if (!e || !(e->v[REQUEST_STATE] & PERSISTENT)) {
		find(x->c, BAD_MPI_REQ_START, mpi_here(x), "request %lld is not persistent",
		     (long long)number);
	} else if (e->v[REQUEST_OPEN]) {
		find_with(x->c, BAD_MPI_REQ_START, mpi_here(x), e->at,
			  "request %lld is active already", (long long)number);
	} else {
		e->v[REQUEST_OPEN] = 1;
		count_receive(x, e, 1);
	}
}

static void
free_request(struct mpi_check *x, int64_t number)
{
	struct map_entry *e = number > REQUEST_NULL ? request_of(x, number) : NULL;
	unsigned state = e ? (unsigned)e->v[REQUEST_STATE] : 0;

	if (!e) {
		if (number > REQUEST_NULL)
			unknown_request(x, number);
		return;
	}
	if (e->v[REQUEST_OPEN] && state & PERSISTENT)
		find_with(x->c, BAD_MPI_REQ_PERSISTENT, mpi_here(x), e->at,
			  "request %lld is freed while it is active", (long long)number);
	else if (e->v[REQUEST_OPEN] && state & RECEIVES && !(state & CANCELLED))
		find_with(x->c, BAD_MPI_REQ_FREE_RECV, mpi_here(x), e->at,
			  "request %lld is freed, but its receive is active",
			  (long long)number);
	if (e->v[REQUEST_OPEN]) {
		e->v[REQUEST_OPEN]--;
		count_receive(x, e, -1);
	}
	e->v[REQUEST_STATE] &= ~(uint64_t)PERSISTENT;
}

void
mpi_requests(struct mpi_check *x)
{
	const struct call *c = x->call;
	const struct call_list *list = call_list(c, ARG_REQUESTS);
	int64_t one = call_number(c, ARG_REQUEST, REQUEST_NULL);
	struct map_entry *e;

	/* The requests of files have numbers of their own, but MPI_Wait waits for them, too. */
	if (x->k > 241 && x->k < 277 && strstr(dumpi_calls[x->k].name, "File_i"))
		x->rank[x->proc].muted = true;
	if (x->k == 170) /* MPI_Grequest_start */
		make_request(x, 0);
	switch (c->kind) {
	case CALL_RECV:
	case CALL_SENDRECV: check_received(x); return;
	case CALL_ISEND: make_request(x, 0); return;
	case CALL_IRECV: make_request(x, RECEIVES); return;
	case CALL_SEND_INIT: make_request(x, PERSISTENT); return;
	case CALL_RECV_INIT: make_request(x, PERSISTENT | RECEIVES); return;
	case CALL_WAIT:
	case CALL_TEST:
	case CALL_WAIT_ANY:
	case CALL_TEST_ANY:
	case CALL_WAIT_ALL:
	case CALL_TEST_ALL:
	case CALL_WAIT_SOME:
	case CALL_TEST_SOME: complete_all(x); return;
	case CALL_START:
		if (call_has(c, ARG_REQUEST))
			start_request(x, one);
		for (size_t i = 0; i < list->n; i++)
			start_request(x, list->v[i]);
		return;
	case CALL_REQUEST_FREE: free_request(x, one); return;
	case CALL_CANCEL:
		e = one > REQUEST_NULL ? request_of(x, one) : NULL;
		if (e)
			e->v[REQUEST_STATE] |= CANCELLED;
		else if (one > REQUEST_NULL)
			unknown_request(x, one);
		return;
	default: return;
	}
}

void
mpi_requests_end(struct mpi_check *x)
{
	for (size_t i = 0; i < x->requests.n; i++) {
		const struct map_entry *e = &x->requests.e[i];

		if (!e->live)
			continue;
		if (e->v[REQUEST_STATE] & PERSISTENT)
			find(x->c, BAD_MPI_REQ_PERSISTENT, e->at,
			     "persistent request %llu is never freed",
			     (unsigned long long)e->key[1]);
		else if (e->v[REQUEST_OPEN])
			find(x->c, BAD_MPI_REQ_LEAK, e->at,
			     "request %llu is not completed%s",
			     (unsigned long long)e->key[1],
			     e->v[REQUEST_OPEN] > 1 ? ", nor are others of its number"
						    : "");
	}
	map_free(&x->requests);
	x->requests = (struct number_map){0};
}
