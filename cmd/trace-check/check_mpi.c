/* check_mpi.c - the rules of MPI about single calls, about the order of a rank's calls, and about handles. */
#include "trace-check/check_mpi.h"

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
	return map_find(x->c, HANDLES, (uint64_t)number, kind, x->proc);
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
	if (kind == IS_COMM && number == COMM_NULL && !out && x->k != K_INTERCOMM_CREATE)
		find(x->c, BAD_MPI_COMM_FREED, "the communicator is MPI_COMM_NULL");
	/* The number of an operation has 8 bits, so that of the program's own may be a constant's. */
	else if (kind == IS_OP && (out || handle_of(x, kind, number)))
		return false;
	else if (frees && kind <= IS_OP && kind != IS_GROUP && number > (kind != IS_OP))
		find(x->c, BAD_MPI_TYPE_BASIC, "%s " I64 " is predefined",
		     of_kind[kind].name, number);
	return true;
}

/* Makes a handle, which the current call returns (`out`) or uses. Returns its entry. */
static struct map_entry *
make_handle(struct mpi_check *x, enum mpi_kind kind, int64_t number, bool out)
{
	const struct dumpi_rank *native = x->rank[x->proc].native;
	bool new_type = out && dumpi_calls[x->k].does == DOES_TYPE && x->k != K_TYPE_DUP;
	struct map_entry *e = handle_of(x, kind, number);
	struct dumpi_cur sizes;

	if (!e && kind == IS_TYPE && native) {
		sizes = dumpi_cursor(&native->sec.raw[SEC_SIZES]);
		if ((uint64_t)number >= dumpi_u32(&sizes) && !sizes.bad)
			find(x->c, BAD_DUMPI_SIZES,
			     "datatype " I64 " has no size in the file", number);
	}
	e = map_put(x->c, HANDLES, (uint64_t)number, kind, x->proc);
	/* Datatypes of constructors have to be committed. */
	e->v[STATE] = LIVE | (new_type ? 0 : COMMITTED);
	e->v[SIZE] = kind == IS_TYPE ? UNKNOWN : 0;
	e->at = x->c->here;
	return e;
}

/* Returns true if call k frees handles of a kind. */
static bool
is_freed_by(enum mpi_kind kind, unsigned k)
{
	const uint8_t *f = of_kind[kind].frees;

	return k && (k == f[0] || k == f[1] || k == f[2]);
}

void
mpi_handle(struct mpi_check *x, enum mpi_kind kind, int64_t number, bool out)
{
	bool frees = is_freed_by(kind, x->k), live;
	struct map_entry *e;

	if (number < of_kind[kind].first &&
	    (likely(!frees && kind != IS_OP && (kind != IS_COMM || number > COMM_NULL)) ||
	     is_constant(x, kind, number, out, frees)))
		return;
	e = handle_of(x, kind, number);
	live = e && e->v[STATE] & LIVE;
	if (!out && !live && e)
		find_with(x->c, of_kind[kind].used, e->at, "%s " I64 " was freed",
			  of_kind[kind].name, number);
	else if (!out && !live)
		find(x->c, of_kind[kind].used, "no call made %s " I64, of_kind[kind].name,
		     number);
	if (out || !live)
		e = make_handle(x, kind, number, out);
	if (kind == IS_TYPE && !out && !(e->v[STATE] & COMMITTED)) {
		if (communicates(x->k))
			find_with(x->c, BAD_MPI_TYPE_COMMIT, e->at,
				  "datatype " I64 " is not committed", number);
		e->v[STATE] |= communicates(x->k) || x->k == K_COMMIT ? COMMITTED : 0;
	}
	if (frees) {
		e->v[STATE] = 0;
		e->at = x->c->here;
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
	bool init = x->k == K_INIT || x->k == K_INIT_THREAD;

	/* These may be called at any time. */
	if (x->k == K_GET_VERSION || x->k == K_INITIALIZED || x->k == K_QUERY_THREAD ||
	    x->k == K_FINALIZED)
		return;
	if (x->k == K_ABORT)
		find(x->c, BAD_MPI_ABORT, "the run is aborted");
	else if (unlikely(init == r->inited))
		find(x->c, init ? BAD_MPI_INIT_ONCE : BAD_MPI_INIT_FIRST,
		     init ? "MPI is initialized already" : "MPI is not initialized");
	if (unlikely(r->finalized))
		find(x->c, BAD_MPI_FINALIZE_LAST, "MPI is finalized already");
	x->aborted |= x->k == K_ABORT;
	r->inited = true;
	r->finalized |= x->k == K_FINALIZE;
	if (x->k == K_INIT_THREAD)
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
	int64_t rank = call_number(x->call, arg, -1);
	struct comm *c;
	uint32_t n;

	/* MPI libraries have different negative numbers for any source, no process and a root. */
	if (rank >= -4 && rank < 0)
		return;
	n = rank < 0 ? 0 : mpi_ranks(x, &c);
	if (unlikely(rank < 0 || (n && rank >= n)))
		find(x->c, BAD_MPI_RANK,
		     n ? "%s is " I64 ", but the communicator has %u rank%s" : "%s is " I64,
		     name, rank, n, S(n));
}

static void
check_tag(struct mpi_check *x, enum call_arg arg, bool send)
{
	int64_t tag = call_number(x->call, arg, 0);

	if (unlikely(tag < 0 && (send || tag < -1)))
		find(x->c, tag < -1 ? BAD_MPI_TAG : BAD_MPI_ANY_SEND, "the tag is " I64,
		     tag);
}

/* Checks the buffer of buffered sends: calls of Bsend, Ibsend, Buffer_attach, Buffer_detach and Finalize. */
static void
check_buffer(struct mpi_check *x, struct mpi_rank *r)
{
	bool attach = x->k == K_ATTACH, detach = x->k == K_DETACH,
	     attached = r->buffer >= 0;

	if (x->k == K_FINALIZE) {
		if (attached)
			find_at(x->c, BAD_MPI_BUFFER, r->buffer_at,
				"the buffer is not detached before MPI_Finalize");
		return;
	}
	if (attach == attached)
		find(x->c, BAD_MPI_BUFFER,
		     attach ? "a buffer is attached already" : "no buffer is attached");
	else if (!attach && !detach && x->r->size > (uint64_t)r->buffer)
		find_with(x->c, BAD_MPI_BUFFER, r->buffer_at,
			  "the buffer has " I64 " bytes, the message " U64, r->buffer,
			  x->r->size);
	if (detach)
		r->buffer = -1;
	else if (attach || !attached) {
		r->buffer = attach ? mpi_value(x, TOLD, INT32_MAX) : INT32_MAX;
		r->buffer_at = x->c->here;
	}
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
	case K_COMPLETE: e->v[SIZE] &= ~2ull; break;
	case K_FENCE: e->v[SIZE] |= 1; break;
	case K_LOCK: e->v[SIZE] += 4; break;
	case K_START: e->v[SIZE] |= 2; break;
	case K_UNLOCK: e->v[SIZE] -= e->v[SIZE] < 4 ? 0 : 4; break;
	default:
		if (x->k <= K_PUT && !e->v[SIZE])
			find(x->c, BAD_MPI_RMA_EPOCH,
			     "the window had no fence, start or lock");
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

static bool
is_world(const struct mpi_check *x)
{
	return call_number(x->call, ARG_COMM, COMM_NULL) == COMM_WORLD;
}

void
mpi_call(struct mpi_check *x)
{
	uint32_t rank = match_comms(x->match)->proc[x->proc].rank;
	struct mpi_rank *r = &x->rank[x->proc];
	int64_t type = mpi_value(x, TYPE, 0), n = mpi_value(x, COUNT, 0);
	struct map_entry *e;

	check_order(x, r);
	switch (x->k) {
	case K_BSEND:
	case K_ATTACH:
	case K_DETACH:
	case K_IBSEND:
	case K_FINALIZE: check_buffer(x, r); break;
	case K_COMM_SIZE:
		if (is_world(x) && !r->size) {
			r->size = mpi_value(x, TOLD, 0);
			r->size_at = x->c->here;
		}
		break;
	case K_COMM_RANK:
		if (is_world(x) && mpi_value(x, TOLD, rank) != rank)
			find(x->c, BAD_MPI_COMM_SIZE,
			     "it returns " I64 " in the file of rank %u", x->v[TOLD], rank);
		break;
	default:
		if (unlikely(x->k >= K_ACCUMULATE && x->k <= K_UNLOCK))
			check_epoch(x);
	}
	check_peers(x);
	/* The sizes of the program's datatypes are those that sends and posted receives have. */
	if (unlikely(type >= DUMPI_BUILTIN) && n > 0 &&
	    (x->k == K_SEND || (x->k >= K_ISEND && x->k <= K_IRECV)) &&
	    x->r->has & HAS_SIZE && (e = handle_of(x, IS_TYPE, type)) != NULL &&
	    e->v[SIZE] == UNKNOWN && !(x->r->size % (uint64_t)n))
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
		find_at(x->c, BAD_MPI_COMM_SIZE, told->size_at,
			"MPI_COMM_WORLD has the size " I64 ", but the trace has %u rank%s",
			told->size, n, S(n));
	return !told && comms->job[job].size <= n;
}

void
mpi_call_end(struct mpi_check *x)
{
	const struct comms *comms = match_comms(x->match);
	const struct map_entry *e = NULL;
	bool cut = x->aborted;

	for (size_t i = 0; i < x->nranks; i++)
		if (x->rank[i].inited && !x->rank[i].finalized && !x->aborted) {
			find_at(x->c, BAD_MPI_FINALIZE_MISSING, in_file(x->rank[i].file),
				"rank %u does not call MPI_Finalize", comms->proc[i].rank);
			cut = true;
		}
	for (uint32_t job = 0; job < comms->njobs; job++)
		cut |= !check_world(x, job);
	x->c->cut |= cut;
	while ((e = map_next(x->c, HANDLES, e))) {
		unsigned kind = (unsigned)e->key[1];

		if (e->v[STATE] & LIVE && of_kind[kind].leak)
			find_at(x->c, of_kind[kind].leak, e->at,
				"%s " U64 " is never freed", of_kind[kind].name, e->key[0]);
	}
}
