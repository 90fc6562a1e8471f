/* check_mpi.c - the rules of MPI about single calls, about the order of a rank's calls, and about handles. */
#include "trace-check/check_mpi.h"

/* Bound: trace-check | handles of MPI | datatypes, communicators and others of all ranks | 131072 | more than 131072 handles of MPI */
#define HANDLES (1u << 17)

/* By kind: the first number that is no constant, rules about its use and about leaks, its name, and the calls that free
 * it. */
static const struct {
	int64_t first;
	unsigned used, leak;
	const char *name;
	uint8_t frees[3];
} of_kind[KINDS] = {
    [IS_TYPE] = {28, BAD_MPI_TYPE_FREED, BAD_MPI_TYPE_LEAK, "datatype", {47}},
    [IS_COMM] = {4, BAD_MPI_COMM_FREED, BAD_MPI_COMM_LEAK, "communicator", {87, 132}},
    [IS_GROUP] = {3, BAD_MPI_HANDLE_FREED, BAD_MPI_HANDLE_LEAK, "group", {80}},
    [IS_OP] = {15, BAD_MPI_HANDLE_FREED, BAD_MPI_HANDLE_LEAK, "operation", {64}},
    [IS_WIN] = {1, BAD_MPI_HANDLE_FREED, BAD_MPI_HANDLE_LEAK, "window", {147}},
    [IS_FILE] = {1, BAD_MPI_HANDLE_FREED, BAD_MPI_HANDLE_LEAK, "file", {231}},
    [IS_KEY] = {10, BAD_MPI_HANDLE_FREED, 0, "key", {94, 163, 190}},
    [IS_ERROR] = {4, BAD_MPI_HANDLE_FREED, 0, "error handler", {119}},
    [IS_INFO] = {1, BAD_MPI_HANDLE_FREED, 0, "info", {208}},
};

static struct map_entry *
handle_of(const struct mpi_check *x, enum mpi_kind kind, int64_t number)
{
	return map_find(&x->handles, x->proc, kind, (uint64_t)number);
}

/* Returns true if call k sends or receives elements of its datatypes. */
static bool
communicates(unsigned k)
{
	return k < 2 || (k > 2 && k < 13) || (k > 25 && k < 35) || (k > 52 && k < 68) ||
	       (k > 140 && k < 144) || k == 155 || k == 156 || (k > 239 && k < 277);
}

/* Takes a constant. Returns true if it needs no further checks. */
static bool
is_constant(struct mpi_check *x, enum mpi_kind kind, int64_t number, bool out, bool frees)
{
	if (kind == IS_COMM && number == COMM_NULL && !out && x->k != 91)
		odd(x, BAD_MPI_COMM_FREED, "the communicator is MPI_COMM_NULL");
	/* The number of an operation has 8 bits, so that of the program's own may be a constant's. */
	else if (kind == IS_OP && (out || handle_of(x, kind, number)))
		return false;
	else if (frees && kind <= IS_OP && kind != IS_GROUP && number > (kind != IS_OP))
		odd(x, BAD_MPI_TYPE_BASIC, "%s %lld is predefined", of_kind[kind].name,
		    (long long)number);
	return true;
}

/* Reports the use of a handle that is not made; e is its entry, if it was. */
static COLD void
odd_handle(struct mpi_check *x, enum mpi_kind kind, int64_t number,
	   const struct map_entry *e)
{
	if (e)
		odd_with(x, of_kind[kind].used, e->at, "%s %lld was freed",
			 of_kind[kind].name, (long long)number);
	else
		odd(x, of_kind[kind].used, "no call made %s %lld", of_kind[kind].name,
		    (long long)number);
}

/* Makes a handle, which the current call returns (`out`) or uses; e is its old entry, or NULL. Returns its entry, or NULL
 * if there are too many. */
static struct map_entry *
make_handle(struct mpi_check *x, enum mpi_kind kind, int64_t number, struct map_entry *e,
	    bool out)
{
	const struct dumpi_rank *native = x->rank[x->proc].native;
	bool new_type = out && dumpi_calls[x->k].does == DOES_TYPE && x->k != 178;
	struct dumpi_cur sizes;

	x->handles.what = "handles of MPI";
	x->handles.most = HANDLES;
	if (!e && kind == IS_TYPE && native) {
		sizes = dumpi_cursor(&native->sec.raw[SEC_SIZES]);
		if ((uint64_t)number >= dumpi_u32(&sizes) && !sizes.bad)
			odd(x, BAD_DUMPI_SIZES, "datatype %lld has no size in the file",
			    (long long)number);
	}
	if (!e)
		e = map_add(x->c, &x->handles, x->proc, kind, (uint64_t)number,
			    mpi_here(x));
	if (!e)
		return NULL;
	/* Datatypes of constructors have to be committed. */
	e->v[STATE] = LIVE | (new_type ? 0 : COMMITTED);
	e->v[SIZE] = kind == IS_TYPE ? UNKNOWN : 0;
	e->at = mpi_here(x);
	return e;
}

void
mpi_handle(struct mpi_check *x, enum mpi_kind kind, int64_t number, bool out)
{
	const uint8_t *f = of_kind[kind].frees;
	bool frees = x->k && (x->k == f[0] || x->k == f[1] || x->k == f[2]);
	struct map_entry *e;

	if (number < of_kind[kind].first &&
	    (likely(!frees && kind != IS_OP && (kind != IS_COMM || number > COMM_NULL)) ||
	     is_constant(x, kind, number, out, frees)))
		return;
	e = handle_of(x, kind, number);
	if (!out && (!e || !(e->v[STATE] & LIVE)))
		odd_handle(x, kind, number, e);
	e = e && !out && e->v[STATE] & LIVE ? e : make_handle(x, kind, number, e, out);
	if (!e)
		return;
	if (kind == IS_TYPE && !out && !(e->v[STATE] & COMMITTED)) {
		if (communicates(x->k))
			odd_with(x, BAD_MPI_TYPE_COMMIT, e->at,
				 "datatype %lld is not committed", (long long)number);
		e->v[STATE] |= communicates(x->k) || x->k == 46 ? COMMITTED : 0;
	}
	if (frees) {
		e->v[STATE] = 0;
		e->at = mpi_here(x);
	}
}

uint64_t
mpi_bytes(int64_t count, uint64_t size)
{
	return size > INT32_MAX || count < 0 ? UNKNOWN : (uint64_t)count * size;
}

uint64_t
mpi_sizeof(const struct mpi_check *x, int64_t type)
{
	const struct map_entry *e;

	if (type < DUMPI_BUILTIN)
		return type > 1 && x->sizes[type] ? x->sizes[type] : UNKNOWN;
	e = handle_of(x, IS_TYPE, type);
	return e ? e->v[SIZE] : UNKNOWN;
}

/* ---- the order of calls, peers, buffers, windows ---- */

static void
check_order(struct mpi_check *x, struct mpi_rank *r)
{
	bool init = x->k == 124 || x->k == 171;

	/* Get_version, Initialized, Query_thread and Finalized may be called at any time. */
	if (x->k == 115 || x->k == 126 || x->k == 173 || x->k == 202)
		return;
	if (x->k == 127)
		odd(x, BAD_MPI_ABORT, "the run is aborted");
	else if (unlikely(init == r->inited))
		odd(x, init ? BAD_MPI_INIT_ONCE : BAD_MPI_INIT_FIRST,
		    init ? "MPI is initialized already" : "MPI is not initialized");
	if (unlikely(r->finalized))
		odd(x, BAD_MPI_FINALIZE_LAST, "MPI is finalized already");
	x->aborted |= x->k == 127;
	r->inited = true;
	r->finalized |= x->k == 125;
	if (x->k == 171)
		r->level = (uint8_t)mpi_value(x, PROVIDED, 0);
}

uint32_t
mpi_ranks(struct mpi_check *x, struct comm **c)
{
	struct comms *comms = match_comms(x->match);
	struct promise *p =
	    comms_of(comms, x->proc, call_number(x->call, ARG_COMM, COMM_NULL));

	*c = p ? p->comm : NULL;
	return *c && (*c)->local == (*c)->n ? comm_size(comms, *c) : 0;
}

static void
check_peer(struct mpi_check *x, enum call_arg arg, const char *name)
{
	long long rank = call_number(x->call, arg, -1);
	struct comm *c;
	uint32_t n;

	/* MPI libraries have different negative numbers for any source, no process and a root. */
	if (rank >= -4 && rank < 0)
		return;
	n = rank < 0 ? 0 : mpi_ranks(x, &c);
	if (unlikely(rank < 0 || (n && rank >= n)))
		odd(x, BAD_MPI_RANK,
		    n ? "%s is %lld, but the communicator has %u rank%s" : "%s is %lld",
		    name, rank, n, n == 1 ? "" : "s");
}

static void
check_tag(struct mpi_check *x, enum call_arg arg, bool send)
{
	long long tag = call_number(x->call, arg, 0);

	if (unlikely(tag < 0 && (send || tag < -1)))
		odd(x, tag < -1 ? BAD_MPI_TAG : BAD_MPI_ANY_SEND, "the tag is %lld", tag);
}

/* Checks the buffer of buffered sends: calls of Bsend, Ibsend, Buffer_attach, Buffer_detach and Finalize. */
static void
check_buffer(struct mpi_check *x, struct mpi_rank *r)
{
	bool attach = x->k == 6, attached = r->buffer >= 0;

	if (x->k == 125) {
		if (attached)
			find(x->c, BAD_MPI_BUFFER, r->buffer_at,
			     "the buffer is not detached before MPI_Finalize");
	} else if (attach == attached) {
		odd(x, BAD_MPI_BUFFER,
		    attach ? "a buffer is attached already" : "no buffer is attached");
		attach |= x->k != 7;
	} else if (!attach && x->k != 7 && x->r->size > (uint64_t)r->buffer)
		odd_with(x, BAD_MPI_BUFFER, r->buffer_at,
			 "the buffer has %lld bytes, the message %llu",
			 (long long)r->buffer, (unsigned long long)x->r->size);
	if (attach) {
		r->buffer = x->k == 6 ? mpi_value(x, TOLD, INT32_MAX) : INT32_MAX;
		r->buffer_at = mpi_here(x);
	} else if (x->k == 7)
		r->buffer = -1;
}

/* Checks that one-sided calls are in an epoch. */
static void
check_epoch(struct mpi_check *x)
{
	struct map_entry *e = handle_of(x, IS_WIN, mpi_value(x, WINDOW, 0));

	if (!e)
		return;
	/* Bit 0: there was a fence; bit 1: the epoch was started; the others count locks. */
	switch (x->k) {
	case 144: e->v[SIZE] &= ~2ull; break;
	case 146: e->v[SIZE] |= 1; break;
	case 149: e->v[SIZE] += 4; break;
	case 151: e->v[SIZE] |= 2; break;
	case 153: e->v[SIZE] -= e->v[SIZE] < 4 ? 0 : 4; break;
	case 141:
	case 142:
	case 143:
		if (!e->v[SIZE])
			odd(x, BAD_MPI_RMA_EPOCH, "the window had no fence, start or lock");
	}
}

/* Checks the peers and tags of the current call. */
static void
check_peers(struct mpi_check *x)
{
	enum call_kind kind = x->call->kind;
	bool both = kind == CALL_SENDRECV;

	if (kind >= CALL_ALL_TO_ALL)
		check_peer(x, ARG_ROOT, "root");
	if (kind == CALL_OTHER || kind > CALL_SENDRECV || kind == CALL_START)
		return;
	if (call_has(x->call, ARG_DEST)) {
		check_peer(x, ARG_DEST, "dest");
		check_tag(x, ARG_TAG, true);
	}
	if (call_has(x->call, ARG_SOURCE)) {
		check_peer(x, ARG_SOURCE, "source");
		check_tag(x, both ? ARG_RECV_TAG : ARG_TAG, false);
	}
}

void
mpi_call(struct mpi_check *x)
{
	uint32_t rank = match_comms(x->match)->proc[x->proc].rank;
	struct mpi_rank *r = &x->rank[x->proc];
	int64_t type = mpi_value(x, TYPE, 0), n = mpi_value(x, COUNT, 0);
	struct map_entry *e;
	bool world;

	check_order(x, r);
	if (unlikely(x->k == 3 || x->k == 6 || x->k == 7 || x->k == 9 || x->k == 125))
		check_buffer(x, r);
	if (x->k == 81 || x->k == 82) { /* MPI_Comm_size, MPI_Comm_rank */
		world = call_number(x->call, ARG_COMM, COMM_NULL) == COMM_WORLD;
		if (world && x->k == 81 && !r->size) {
			r->size = mpi_value(x, TOLD, 0);
			r->size_at = mpi_here(x);
		} else if (world && x->k == 82 && mpi_value(x, TOLD, rank) != rank)
			odd(x, BAD_MPI_COMM_SIZE, "it returns %lld in the file of rank %u",
			    (long long)x->v[TOLD], rank);
	} else if (unlikely(x->k > 140 && x->k < 154))
		check_epoch(x);
	check_peers(x);
	/* The sizes of the program's datatypes are those that sends and posted receives have. */
	if (unlikely(type >= DUMPI_BUILTIN) && n > 0 &&
	    (x->k == 0 || (x->k > 7 && x->k < 13)) && x->r->has & HAS_SIZE &&
	    (e = handle_of(x, IS_TYPE, type)) != NULL && e->v[SIZE] == UNKNOWN &&
	    !(x->r->size % (uint64_t)n))
		e->v[SIZE] = x->r->size / (uint64_t)n;
}

/* ---- the end ---- */

/* Checks that the ranks of a job are as many as MPI_COMM_WORLD has. Returns false if some are missing. */
static bool
check_world(struct mpi_check *x, uint32_t job)
{
	const struct comms *comms = match_comms(x->match);
	const struct mpi_rank *told = NULL;
	uint32_t n = 0;

	for (size_t i = 0; i < x->nranks; i++)
		n += x->rank[i].file && comms->proc[i].job == job;
	for (size_t i = 0; i < x->nranks && !told; i++)
		if (x->rank[i].size && comms->proc[i].job == job && x->rank[i].size != n)
			told = &x->rank[i];
	if (told)
		find(x->c, BAD_MPI_COMM_SIZE, told->size_at,
		     "MPI_COMM_WORLD has the size %lld, but the trace has %u rank%s",
		     (long long)told->size, n, n == 1 ? "" : "s");
	return !told && comms->job[job].size <= n;
}

void
mpi_call_end(struct mpi_check *x)
{
	const struct comms *comms = match_comms(x->match);
	bool cut = x->aborted;

	for (size_t i = 0; i < x->nranks; i++)
		if (x->rank[i].inited && !x->rank[i].finalized && !x->aborted) {
			find(x->c, BAD_MPI_FINALIZE_MISSING, in_file(x->rank[i].file),
			     "rank %u does not call MPI_Finalize", comms->proc[i].rank);
			cut = true;
		}
	for (uint32_t job = 0; job < comms->njobs; job++)
		cut |= !check_world(x, job);
	x->c->cut |= cut;
	for (size_t i = 0; i < x->handles.n; i++) {
		const struct map_entry *e = &x->handles.e[i];
		unsigned kind = (unsigned)e->key[1];

		if (e->v[STATE] & LIVE && of_kind[kind].leak)
			find(x->c, of_kind[kind].leak, e->at, "%s %llu is never freed",
			     of_kind[kind].name, (unsigned long long)e->key[2]);
	}
}
