/* check_mpi.c - the rules of MPI about single calls, about the order of a rank's calls, and about handles. */
#include "trace-check/check_mpi.h"

/* Bound: trace-check | handles of MPI | datatypes, communicators and others of all ranks | 131072 | more than 131072 handles of MPI */
#define HANDLES_MOST (1u << 17)

/* By kind: the first number that is not a constant, the rule about its use and about leaks, and its name. */
static const struct {
	int64_t first;
	unsigned used, leak;
	const char *name;
} of_kind[KINDS] = {
    [KIND_TYPE] = {28, BAD_MPI_TYPE_FREED, BAD_MPI_TYPE_LEAK, "datatype"},
    [KIND_COMM] = {4, BAD_MPI_COMM_FREED, BAD_MPI_COMM_LEAK, "communicator"},
    [KIND_GROUP] = {3, BAD_MPI_HANDLE_FREED, BAD_MPI_HANDLE_LEAK, "group"},
    [KIND_OP] = {15, BAD_MPI_HANDLE_FREED, BAD_MPI_HANDLE_LEAK, "operation"},
    [KIND_WIN] = {1, BAD_MPI_HANDLE_FREED, BAD_MPI_HANDLE_LEAK, "window"},
    [KIND_FILE] = {1, BAD_MPI_HANDLE_FREED, BAD_MPI_HANDLE_LEAK, "file"},
    [KIND_KEY] = {10, BAD_MPI_HANDLE_FREED, 0, "key"},
    [KIND_ERROR] = {4, BAD_MPI_HANDLE_FREED, 0, "error handler"},
    [KIND_INFO] = {1, BAD_MPI_HANDLE_FREED, 0, "info"},
};

/* Returns true if the current call frees its handle of that kind. */
static bool
frees(unsigned k, enum mpi_kind kind)
{
	switch (kind) {
	case KIND_TYPE: return k == 47;
	case KIND_COMM: return k == 87 || k == 132;
	case KIND_GROUP: return k == 80;
	case KIND_OP: return k == 64;
	case KIND_WIN: return k == 147;
	case KIND_FILE: return k == 231;
	case KIND_ERROR: return k == 119;
	case KIND_INFO: return k == 208;
	default: return strstr(dumpi_calls[k].name, "free") != NULL;
	}
}

/* Returns true if the call sends or receives elements of its datatypes. */
static bool
communicates(unsigned k)
{
	return k < 2 || (k > 2 && k < 13) || (k > 25 && k < 35) || (k > 52 && k < 68) ||
	       (k > 140 && k < 144) || k == 155 || k == 156 || (k > 239 && k < 277);
}

void
mpi_handles_begin(struct mpi_check *x)
{
	x->handles = (struct number_map){.what = "handles of MPI", .most = HANDLES_MOST};
}

static struct map_entry *
handle_of(const struct mpi_check *x, enum mpi_kind kind, int64_t number)
{
	return map_find(&x->handles, x->proc, kind, (uint64_t)number);
}

static COLD void
odd_handle(struct mpi_check *x, enum mpi_kind kind, int64_t number,
	   const struct map_entry *e)
{
	unsigned rule = of_kind[kind].used;
	const char *call = dumpi_calls[x->k].name, *what = of_kind[kind].name;

	if (e)
		find_with(x->c, rule, mpi_here(x), e->at, "%s: %s %lld was freed", call,
			  what, (long long)number);
	else
		find(x->c, rule, mpi_here(x), "%s: no call made %s %lld", call, what,
		     (long long)number);
}

void
mpi_handle(struct mpi_check *x, enum mpi_kind kind, int64_t number, bool out,
	   const char *name)
{
	bool constant = number < of_kind[kind].first;
	struct map_entry *e;

	if (likely(constant && kind != KIND_OP && kind != KIND_COMM && x->k != 47))
		return;
	if (constant && kind == KIND_COMM && number > COMM_NULL && x->k != 87)
		return;
	if (constant && kind == KIND_COMM && number == COMM_NULL) {
		/* Only the leader's communicator with the other group counts. */
		if (!out && strcmp(name, "remotecomm") != 0)
			find(x->c, BAD_MPI_COMM_FREED, mpi_here(x),
			     "%s: %s is MPI_COMM_NULL", dumpi_calls[x->k].name, name);
		return;
	}
	/* The number of an operation has 8 bits, so that of the program's own may be that of a constant. */
	e = handle_of(x, kind, number);
	if (constant && !out && !e) {
		if (frees(x->k, kind) &&
		    (kind == KIND_COMM || number > 1 - (kind == KIND_OP)))
			find(x->c, BAD_MPI_TYPE_BASIC, mpi_here(x),
			     "%s: %s %lld is predefined", dumpi_calls[x->k].name,
			     of_kind[kind].name, (long long)number);
		return;
	}
	if (constant && kind != KIND_OP)
		return;
	if (!out && (!e || !(e->v[HANDLE_STATE] & IS_LIVE)))
		odd_handle(x, kind, number, e);
	if (!e &&
	    !(e = map_add(x->c, &x->handles, x->proc, kind, (uint64_t)number, mpi_here(x))))
		return;
	if (out || !(e->v[HANDLE_STATE] & IS_LIVE)) {
		/* Datatypes that only constructors make have to be committed. */
		e->v[HANDLE_STATE] =
		    IS_LIVE |
		    (out && dumpi_calls[x->k].does == DOES_TYPE ? 0 : IS_COMMITTED);
		e->v[HANDLE_SIZE] = kind == KIND_TYPE ? UNKNOWN : 0;
		e->v[HANDLE_BASIC] = 0;
		e->at = mpi_here(x);
	}
	if (out)
		return;
	if (kind == KIND_TYPE && x->k == 46)
		e->v[HANDLE_STATE] |= IS_COMMITTED;
	else if (kind == KIND_TYPE && !(e->v[HANDLE_STATE] & IS_COMMITTED) &&
		 communicates(x->k)) {
		find_with(x->c, BAD_MPI_TYPE_COMMIT, mpi_here(x), e->at,
			  "%s: datatype %lld is not committed", dumpi_calls[x->k].name,
			  (long long)number);
		e->v[HANDLE_STATE] |= IS_COMMITTED;
	}
	if (kind == KIND_TYPE && x->native && wants(x->c, BAD_DUMPI_SIZES) &&
	    !(e->v[HANDLE_STATE] & IS_TOLD) && x->rank[x->proc].native) {
		struct dumpi_cur sizes =
		    dumpi_cursor(&x->rank[x->proc].native->sec.raw[SEC_SIZES]);

		if ((uint64_t)number >= dumpi_u32(&sizes) && !sizes.bad)
			find(x->c, BAD_DUMPI_SIZES, mpi_here(x),
			     "datatype %lld has no size in the file", (long long)number);
		e->v[HANDLE_STATE] |= IS_TOLD;
	}
	if (frees(x->k, kind)) {
		e->v[HANDLE_STATE] = 0;
		e->at = mpi_here(x);
	}
}

uint64_t
mpi_bytes(uint64_t count, uint64_t size)
{
	return size == UNKNOWN || count > INT32_MAX || size > INT32_MAX ? UNKNOWN
									: count * size;
}

uint64_t
mpi_sizeof(const struct mpi_check *x, int64_t type, uint16_t *basic)
{
	const struct map_entry *e;

	*basic = 0;
	if (type < DUMPI_BUILTIN) {
		*basic = type < 2 ? 0 : type == 18 ? 16 : (uint16_t)type;
		return type < 2 ? UNKNOWN : x->sizes[type];
	}
	e = handle_of(x, KIND_TYPE, type);
	if (!e)
		return UNKNOWN;
	*basic = (uint16_t)e->v[HANDLE_BASIC];
	return e->v[HANDLE_SIZE];
}

/* Sets the size of the datatype that the current call makes. */
static void
make_type(struct mpi_check *x)
{
	const struct call_list *lengths = list_of(x, LENGTHS),
			       *types = list_of(x, OLD_TYPES);
	bool list = has(x, LENGTHS), several = has(x, OLD_TYPES);
	struct map_entry *e =
	    has(x, NEW_TYPE) ? handle_of(x, KIND_TYPE, x->v[NEW_TYPE]) : NULL;
	uint64_t size = 0, one, n = has(x, SEND_COUNT) ? (uint64_t)x->v[SEND_COUNT] : 1;
	uint16_t basic = 0, b;

	if (!e)
		return;
	if (has(x, LENGTH))
		n = mpi_bytes(n, (uint64_t)x->v[LENGTH]);
	for (size_t i = 0; i < (list ? lengths->n : 1) && size != UNKNOWN; i++) {
		if (several && i >= types->n)
			break;
		one = mpi_sizeof(x, several ? types->v[i] : x->v[OLD_TYPE], &b);
		one = mpi_bytes(list ? (uint64_t)lengths->v[i] : n, one);
		basic = !i || basic == b ? b : 0;
		size = one == UNKNOWN ? UNKNOWN : size + one;
	}
	if (x->k == 178) { /* MPI_Type_dup copies the state, too */
		const struct map_entry *old = handle_of(x, KIND_TYPE, x->v[OLD_TYPE]);

		e->v[HANDLE_STATE] |= old ? old->v[HANDLE_STATE] : IS_COMMITTED;
	}
	/* The sizes of parts of arrays are not computed. */
	e->v[HANDLE_SIZE] = x->k == 217 || x->k == 223 ? UNKNOWN : size;
	e->v[HANDLE_BASIC] = basic;
}

/* ---- the order of calls ---- */

void
mpi_order(struct mpi_check *x)
{
	struct mpi_rank *r = &x->rank[x->proc];
	const char *name = dumpi_calls[x->k].name;

	switch (x->k) {
	case 124:
	case 171:
		if (r->inited)
			find(x->c, BAD_MPI_INIT_ONCE, mpi_here(x),
			     "%s: MPI is initialized already", name);
		r->inited = true;
		if (x->k == 171 && has(x, PROVIDED))
			r->level = (uint8_t)x->v[PROVIDED];
		break;
	case 115:
	case 126:
	case 173:
	case 202: return;
	case 127:
		find(x->c, BAD_MPI_ABORT, mpi_here(x), "the rank calls MPI_Abort");
		r->aborted = true;
		break;
	default:
		if (unlikely(!r->inited)) {
			find(x->c, BAD_MPI_INIT_FIRST, mpi_here(x),
			     "%s comes before MPI_Init", name);
			r->inited = !x->c->part;
		}
	}
	if (unlikely(r->finalized))
		find(x->c, BAD_MPI_FINALIZE_LAST, mpi_here(x),
		     "%s comes after MPI_Finalize", name);
	r->finalized |= x->k == 125;
}

/* ---- single calls ---- */

uint32_t
mpi_ranks(struct mpi_check *x, const struct comm **c)
{
	struct promise *p = comms_of(match_comms(x->match), x->proc,
				     call_number(x->call, ARG_COMM, COMM_NULL));

	*c = p ? p->comm : NULL;
	return *c && (*c)->whole && (*c)->local == (*c)->n
		   ? comm_size(match_comms(x->match), *c)
		   : 0;
}

static void
check_peer(struct mpi_check *x, enum call_arg arg, const char *name)
{
	int64_t rank = x->call->number[arg];
	const struct comm *c;
	uint32_t n;

	/* MPI libraries have different negative numbers for any source, no process and a root. */
	if (!call_has(x->call, arg) || (rank >= -4 && rank < 0))
		return;
	n = rank < 0 ? 0 : mpi_ranks(x, &c);
	if (unlikely(rank < 0 || (n && rank >= n)))
		find(x->c, BAD_MPI_RANK, mpi_here(x),
		     n ? "%s: %s is %lld, but the communicator has %u rank%s"
		       : "%s: %s is %lld",
		     dumpi_calls[x->k].name, name, (long long)rank, n, n == 1 ? "" : "s");
}

static void
check_tag(struct mpi_check *x, enum call_arg arg, bool send)
{
	int64_t tag = call_number(x->call, arg, 0);

	if (unlikely(send && tag == -1))
		find(x->c, BAD_MPI_ANY_SEND, mpi_here(x), "%s: the tag is MPI_ANY_TAG",
		     dumpi_calls[x->k].name);
	else if (unlikely(tag < -1))
		find(x->c, BAD_MPI_TAG, mpi_here(x), "%s: the tag is %lld",
		     dumpi_calls[x->k].name, (long long)tag);
}

/* Checks the peers and tags of the current call. */
static void
check_peers(struct mpi_check *x)
{
	enum call_kind kind = x->call->kind;
	bool receives = kind == CALL_RECV || kind == CALL_IRECV || kind == CALL_RECV_INIT;

	if (kind >= CALL_ALL_TO_ALL)
		check_peer(x, ARG_ROOT, "root");
	if (kind == CALL_INTERCOMM)
		check_tag(x, ARG_TAG, true);
	if (kind < CALL_SEND || kind > CALL_SENDRECV || kind == CALL_START)
		return;
	if (!receives) {
		check_peer(x, ARG_DEST, "dest");
		check_tag(x, ARG_TAG, true);
	}
	if (receives || kind == CALL_SENDRECV) {
		check_peer(x, ARG_SOURCE, "source");
		check_tag(x, kind == CALL_SENDRECV ? ARG_RECV_TAG : ARG_TAG, false);
	}
}

/* Checks the buffer of buffered sends. */
static void
check_buffer(struct mpi_check *x, struct mpi_rank *r)
{
	const char *name = dumpi_calls[x->k].name;

	switch (x->k) {
	case 6:
		if (r->buffer >= 0)
			find_with(x->c, BAD_MPI_BUFFER, mpi_here(x), r->buffer_at,
				  "a buffer is attached already");
		r->buffer = has(x, TOLD) ? x->v[TOLD] : INT32_MAX;
		r->buffer_at = mpi_here(x);
		return;
	case 7:
		if (r->buffer < 0)
			find(x->c, BAD_MPI_BUFFER, mpi_here(x), "no buffer is attached");
		r->buffer = -1;
		return;
	case 125:
		if (r->buffer >= 0)
			find(x->c, BAD_MPI_BUFFER, r->buffer_at,
			     "the buffer is not detached before MPI_Finalize");
		return;
	}
	if (r->buffer < 0) {
		find(x->c, BAD_MPI_BUFFER, mpi_here(x), "%s: no buffer is attached", name);
		r->buffer = INT32_MAX;
		r->buffer_at = mpi_here(x);
	} else if (x->r->has & HAS_SIZE && x->r->size > (uint64_t)r->buffer)
		find_with(x->c, BAD_MPI_BUFFER, mpi_here(x), r->buffer_at,
			  "%s: the buffer has %lld bytes, the message %llu", name,
			  (long long)r->buffer, (unsigned long long)x->r->size);
}

/* Checks that one-sided calls are in an epoch: bit 0 = after a fence, bit 1 = started, the others count locks. */
static void
check_epoch(struct mpi_check *x)
{
	struct map_entry *e = has(x, WINDOW) ? handle_of(x, KIND_WIN, x->v[WINDOW]) : NULL;

	if (!e)
		return;
	switch (x->k) {
	case 144: e->v[HANDLE_EPOCH] &= ~2ull; break;
	case 146: e->v[HANDLE_EPOCH] |= 1; break;
	case 149: e->v[HANDLE_EPOCH] += 4; break;
	case 151: e->v[HANDLE_EPOCH] |= 2; break;
	case 153: e->v[HANDLE_EPOCH] -= e->v[HANDLE_EPOCH] >= 4 ? 4 : 0; break;
	case 141:
	case 142:
	case 143:
		if (!e->v[HANDLE_EPOCH])
			find(x->c, BAD_MPI_RMA_EPOCH, mpi_here(x),
			     "%s: window %lld has had no fence, start or lock",
			     dumpi_calls[x->k].name, (long long)x->v[WINDOW]);
	}
}

void
mpi_call(struct mpi_check *x)
{
	struct mpi_rank *r = &x->rank[x->proc];
	bool world = call_number(x->call, ARG_COMM, COMM_NULL) == COMM_WORLD;

	switch (x->k) {
	case 3:
	case 6:
	case 7:
	case 9:
	case 125: check_buffer(x, r); break;
	case 43: {
		struct map_entry *e =
		    has(x, SEND_TYPE) ? handle_of(x, KIND_TYPE, x->v[SEND_TYPE]) : NULL;

		if (e && has(x, TOLD) && x->v[TOLD] >= 0)
			e->v[HANDLE_SIZE] = (uint64_t)x->v[TOLD];
		break;
	}
	case 81:
		if (world && has(x, TOLD) && !r->size) {
			r->size = x->v[TOLD];
			r->size_at = mpi_here(x);
		}
		break;
	case 82: {
		uint32_t rank = match_comms(x->match)->proc[x->proc].rank;

		if (world && has(x, TOLD) && x->v[TOLD] != rank && rank != NUMBERS_MOST - 1)
			find(x->c, BAD_MPI_COMM_SIZE, mpi_here(x),
			     "MPI_Comm_rank is %lld in the file of rank %u",
			     (long long)x->v[TOLD], rank);
		break;
	}
	default:
		if (dumpi_calls[x->k].does == DOES_TYPE)
			make_type(x);
		else if (x->k > 140 && x->k < 154)
			check_epoch(x);
	}
	if (x->call->kind != CALL_OTHER)
		check_peers(x);
}

void
mpi_handles_end(struct mpi_check *x)
{
	const struct comms *comms = match_comms(x->match);
	bool aborted = false, cut = false;

	for (size_t i = 0; i < x->nranks; i++)
		aborted |= x->rank[i].aborted;
	for (size_t i = 0; i < x->nranks; i++) {
		const struct mpi_rank *r = &x->rank[i];

		if (!r->inited || r->finalized || aborted)
			continue;
		find(x->c, BAD_MPI_FINALIZE_MISSING, in_file(r->file),
		     "rank %u does not call MPI_Finalize", comms->proc[i].rank);
		cut = true;
	}
	for (uint32_t job = 0; job < comms->njobs; job++) {
		const struct mpi_rank *told = NULL;
		uint32_t n = 0;

		for (size_t i = 0; i < x->nranks; i++)
			n += x->rank[i].file && comms->proc[i].job == job;
		for (size_t i = 0; i < x->nranks && !told; i++)
			if (x->rank[i].size && comms->proc[i].job == job &&
			    x->rank[i].size != n)
				told = &x->rank[i];
		if (told)
			find(x->c, BAD_MPI_COMM_SIZE, told->size_at,
			     "MPI_COMM_WORLD has %lld rank%s, the trace %u",
			     (long long)told->size, told->size == 1 ? "" : "s", n);
		cut |= comms->job[job].size > n || told;
	}
	x->c->cut |= cut || aborted;
	for (size_t i = 0; i < x->handles.n; i++) {
		const struct map_entry *e = &x->handles.e[i];
		unsigned kind = (unsigned)e->key[1];

		if (e->live && e->v[HANDLE_STATE] & IS_LIVE && of_kind[kind].leak)
			find(x->c, of_kind[kind].leak, e->at, "%s %llu is never freed",
			     of_kind[kind].name, (unsigned long long)e->key[2]);
	}
	map_free(&x->handles);
	x->handles = (struct number_map){0};
}
