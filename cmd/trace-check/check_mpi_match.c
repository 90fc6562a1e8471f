/* check_mpi_match.c - the rules of MPI about messages and collective operations, which the engine of trace-match puts
 * together. */
#include <stdlib.h>

#include "trace-check/check_mpi.h"

/* Bound: trace-check | calls of MPI without a partner | messages and collective calls that are not matched | 131072 | more than 131072 unmatched calls of MPI */
#define NOTES (1u << 17)
/* A collective operation that not all members have reached. */
struct operation {
	struct mpi_note first; /* of the member that came first */
	const struct comm *of;
	uint64_t seq; /* number in the communicator */
	bool told;    /* one finding is enough */
	bool unsized;
	uint64_t sends, receives, unit;
};
/* Begins the text of a finding. */
#define OPERATION "collective " U64 " of %s"
#define operation(o) (o)->seq, (o)->of->name

static struct trace_place
note_place(const struct mpi_check *x, const struct mpi_note *n)
{
	return mpi_place(x, n->rank, n->at);
}

static unsigned
rank_of(struct mpi_check *x, const struct mpi_note *n)
{
	return match_comms(x->match)->proc[n->rank].rank;
}

static const char *
type_name(const struct mpi_note *n)
{
	return label_of(&dumpi_type_named("datatype", 8)->labels, n->type);
}

/* ---- messages ---- */

/* Returns true if data of the two types fit each other. Bytes (5) and packed data (19) fit all, 16 is another name
 * of 18. */
static bool
types_fit(unsigned a, unsigned b)
{
	return !a || !b || a == b || a == 5 || b == 5 || a == 19 || b == 19 ||
	       (a + b == 34 && a % 2 == 0 && (a == 16 || a == 18));
}

static void
message(void *arg, const void *sent, const void *posted, const uint64_t *size, int64_t got,
	bool early)
{
	struct mpi_check *x = arg;
	const struct mpi_note *s = sent, *p = posted;
	struct trace_place at = note_place(x, p), from = note_place(x, s);
	const char *call = dumpi_calls[p->call].name;

	if (unlikely(size && *size > p->receives))
		find_both(x->c, BAD_MPI_MSG_TRUNCATE, at, from,
			  "%s has room for " U64 " bytes, the message has " U64, call,
			  p->receives, *size);
	else if (unlikely(size && got >= 0 && (uint64_t)got != *size))
		find_both(x->c, BAD_MPI_MSG_SIZE, at, from,
			  "%s gets " I64 " bytes, but rank %u sends " U64, call, got,
			  rank_of(x, s), *size);
	if (unlikely(!types_fit(s->type, p->type)))
		find_both(x->c, BAD_MPI_MSG_TYPE, at, from,
			  "%s receives %s, but rank %u sends %s", call, type_name(p),
			  rank_of(x, s), type_name(s));
	if (unlikely(early))
		find_both(x->c, BAD_MPI_MSG_EARLY, at, from,
			  "%s gets its message before rank %u sends it", call,
			  rank_of(x, s));
}

static void
alone(void *arg, const void *note, bool send)
{
	struct mpi_check *x = arg;
	const struct mpi_note *n = note;

	/* After a limit, the partner may have come later. */
	if (!x->full)
		find_at(x->c, send ? BAD_MPI_MSG_LOST : BAD_MPI_MSG_UNSENT,
			note_place(x, n),
			send ? "nobody receives the message of %s"
			     : "nobody sends what %s gets",
			dumpi_calls[n->call].name);
}

/* Returns the stream of messages with a tag between two processes, not live if there are too many. */
static struct map_entry *
stream_of(struct mpi_check *x, const struct comm *c, uint32_t from, uint32_t to,
	  enum call_arg tag)
{
	uint64_t tagged = (uint64_t)c->id << 32 | (uint32_t)call_number(x->call, tag, 0);

	return map_put(x->c, STREAMS, tagged, from, to);
}

/* Counts the receive of the current call, for which a rank may wait. */
static void
post(struct mpi_check *x, struct comm *c)
{
	enum call_kind kind = x->call->kind;
	int64_t source = call_number(x->call, ARG_SOURCE, -1);
	struct mpi_rank *r = &x->rank[x->proc], *other;
	struct map_entry *e;
	uint32_t from = c && source >= 0
			    ? comm_peer(match_comms(x->match), c, x->proc, source)
			    : NO_PROC;

	/* A receive from any source, or a persistent one, may take any message. */
	r->wild |= kind == CALL_RECV_INIT || from >= x->nranks;
	for (uint32_t i = 0; i < x->nranks && r->wild; i++)
		if (x->rank[i].blocked_by == x->proc)
			x->rank[i].blocked = 0;
	if (r->wild)
		return;
	other = &x->rank[from];
	e = stream_of(x, c, from, x->proc, kind == CALL_SENDRECV ? ARG_RECV_TAG : ARG_TAG);
	if (e->live && ++e->v[RECEIVED] >= other->blocked && other->blocked_by == x->proc &&
	    other->blocked_in == (uint32_t)(e - x->c->map[STREAMS].e))
		other->blocked = 0;
}

/* Counts the messages that the current call sends and receives, and reports blocking sends that wait for each other.
 * A send of a rank waits if its receive is not posted; later sends of the rank do not count. */
static void
check_blocking(struct mpi_check *x)
{
	enum call_kind kind = x->call->kind;
	struct comms *comms = match_comms(x->match);
	struct mpi_rank *r = &x->rank[x->proc];
	int64_t dest = call_number(x->call, ARG_DEST, -1);
	struct map_entry *e;
	struct comm *c;
	uint32_t to, n = 0;

	mpi_ranks(x, &c);
	if (call_has(x->call, ARG_SOURCE))
		post(x, c);
	to = c && dest >= 0 ? comm_peer(comms, c, x->proc, dest) : NO_PROC;
	e = to != NO_PROC && kind != CALL_SEND_INIT ? stream_of(x, c, x->proc, to, ARG_TAG)
						    : NULL;
	if (!e || !e->live || ++e->v[SENT] <= e->v[RECEIVED] || kind != CALL_SEND ||
	    x->k == K_BSEND)
		return;
	if (to == x->proc && !r->receives)
		find(x->c, BAD_MPI_SEND_SELF, "the own rank has no receive for it");
	if (r->blocked || to >= x->nranks || x->rank[to].wild)
		return;
	r->blocked = e->v[SENT];
	r->blocked_by = to;
	r->blocked_in = (uint32_t)(e - x->c->map[STREAMS].e);
	r->blocked_at = x->c->here;
	while (to < x->nranks && x->rank[to].blocked && to != x->proc && n++ < x->nranks)
		to = x->rank[to].blocked_by;
	if (to != x->proc || !n)
		return;
	find_with(x->c, BAD_MPI_DEADLOCK, x->rank[r->blocked_by].blocked_at,
		  "it waits for rank %u, which waits in a send, too",
		  comms->proc[r->blocked_by].rank);
	r->blocked = 0;
}

/* ---- collective operations ---- */

/* Returns the number of a call, or of an operation, under which those that fit each other are equal. */
static unsigned
call_class(unsigned k)
{
	return k == K_INIT_THREAD ? K_INIT : k; /* MPI_Init_thread fits MPI_Init */
}

static unsigned
op_class(unsigned op)
{
	return op > 14 ? 0 : op; /* the program's own have any number */
}

/* Compares the call of a member with that of the first one. */
static void
compare_call(struct mpi_check *x, struct operation *o, const struct mpi_note *n)
{
	const struct mpi_note *f = &o->first;
	struct trace_place at = note_place(x, n), from = note_place(x, f);
	const char *call = dumpi_calls[n->call].name;
	unsigned a = rank_of(x, n), b = rank_of(x, f);
	uint64_t unit = n->call == K_REDUCE_SCATTER ? n->sends : UNKNOWN;
	bool intra = o->of->local == o->of->n;

	/* Calls with one count: all send or receive as many bytes. */
	if (n->call == K_BCAST || n->call == K_REDUCE || n->call == K_ALLREDUCE ||
	    n->call == K_SCAN || n->call == K_EXSCAN)
		unit = n->sends == UNKNOWN ? n->receives : n->sends;
	o->told = true;
	if (call_class(n->call) != call_class(f->call))
		find_both(x->c, BAD_MPI_COLL_ORDER, at, from,
			  OPERATION ": rank %u calls %s, rank %u %s", operation(o), a, call,
			  b, dumpi_calls[f->call].name);
	else if (intra && n->root != f->root)
		find_both(x->c, BAD_MPI_COLL_ROOT, at, from,
			  OPERATION ", %s: the root of rank %u is %d, of rank %u %d",
			  operation(o), call, a, n->root, b, f->root);
	else if (op_class(n->op) != op_class(f->op))
		find_both(x->c, BAD_MPI_COLL_OP, at, from,
			  OPERATION ", %s: the operation of rank %u is %u, of rank %u %u",
			  operation(o), call, a, n->op, b, f->op);
	else if (intra && unit != UNKNOWN && o->unit != UNKNOWN && unit != o->unit)
		find_both(x->c, BAD_MPI_COLL_SIZE, at, from,
			  OPERATION ", %s: rank %u has " U64 " bytes, rank %u " U64,
			  operation(o), call, a, unit, b, o->unit);
	else if (n->type && f->type && !types_fit(n->type, f->type))
		find_both(x->c, BAD_MPI_COLL_TYPE, at, from,
			  OPERATION ", %s: rank %u has %s, rank %u %s", operation(o), call,
			  a, type_name(n), b, type_name(f));
	else
		o->told = false;
	o->unit = unit == UNKNOWN ? o->unit : unit;
}

static void
arrive(void *arg, const struct comm *c, void **own, uint64_t seq, const void *note)
{
	const struct mpi_note *n = note;
	struct operation *o = *own;

	if (!o) {
		o = *own = xcalloc(1, sizeof *o);
		*o = (struct operation){.first = *n, .of = c, .seq = seq, .unit = UNKNOWN};
	}
	o->unsized |= n->sends == UNKNOWN && n->receives == UNKNOWN;
	o->sends += n->sends == UNKNOWN ? 0 : n->sends;
	o->receives += n->receives == UNKNOWN ? 0 : n->receives;
	if (!o->told)
		compare_call(arg, o, n);
}

/* Reports the first member that has not made a collective call; one finding is enough. A trace may name any size of the
 * communicator c, but ranks without a file need no look. */
static void
find_missing(struct mpi_check *x, struct comm *c, const struct operation *o, uint32_t size)
{
	struct comms *comms = match_comms(x->match);
	uint32_t look = c->of || size < x->nranks ? size : (uint32_t)x->nranks;

	for (uint32_t i = 0; i < look && x->missing != c && !x->full; i++) {
		uint32_t proc = comm_proc(comms, c, i);
		const struct member *m = comm_member(comms, c, proc);

		if (!m || m->collectives >= o->seq || proc >= x->nranks ||
		    !x->rank[proc].file)
			continue;
		x->missing = c;
		find_at(x->c, BAD_MPI_COLL_MISSING, note_place(x, &o->first),
			OPERATION ", %s: rank %u does not call it", operation(o),
			dumpi_calls[o->first.call].name, comms->proc[proc].rank);
	}
}

static void
ended(void *arg, struct comm *c, void *own, uint64_t seq, bool whole)
{
	struct mpi_check *x = arg;
	struct operation *o = own;
	uint32_t size = comm_size(match_comms(x->match), c);
	unsigned call;

	(void)seq;
	if (!o)
		return;
	call = o->first.call;
	if (call == K_ALLGATHER || call == K_ALLGATHERV)
		o->sends *= size;
	/* Calls whose counts differ: all sends together are as many bytes as all receives. */
	if (whole && !o->told && !o->unsized && c->local == c->n &&
	    ((call > K_BCAST && call < K_REDUCE) || call == K_ALLTOALLW) &&
	    o->sends != o->receives)
		find_at(x->c, BAD_MPI_COLL_SIZE, note_place(x, &o->first),
			OPERATION ", %s: the ranks send " U64 " bytes, but expect " U64,
			operation(o), dumpi_calls[call].name, o->sends, o->receives);
	if (!whole)
		find_missing(x, c, o, size);
	free(o);
}

/* ---- calls ---- */

void
mpi_match(struct mpi_check *x)
{
	enum call_kind kind = x->call->kind;
	bool message = kind <= CALL_SENDRECV && kind != CALL_START,
	     own = x->has >> RECV_TYPE & 1;
	int64_t type = mpi_value(x, kind == CALL_SENDRECV && own ? RECV_TYPE : TYPE, 0);
	struct mpi_note n;

	if (kind == CALL_OTHER || x->full)
		return;
	if (match_notes(x->match) == NOTES) {
		check_limit(x->c, "unmatched calls of MPI", NOTES);
		x->full = true;
		return;
	}
	if (!message &&
	    (kind <= CALL_CANCEL || kind == CALL_COMM_RANK || kind == CALL_COMM_SIZE)) {
		match_call(x->match, x->r, NULL);
		return;
	}
	n = (struct mpi_note){.rank = x->proc,
			      .at = x->c->here.n,
			      .call = (uint16_t)x->k,
			      .type = type > 1 && type < DUMPI_BUILTIN ? (uint16_t)type : 0,
			      .sends = UNKNOWN,
			      .receives = UNKNOWN};
	if (message && call_has(x->call, ARG_SOURCE))
		n.receives =
		    mpi_bytes(mpi_value(x, own ? RECV_COUNT : COUNT, 0),
			      mpi_sizeof(x, mpi_value(x, own ? RECV_TYPE : TYPE, 0)));
	if (!message) {
		n.root = (int32_t)call_number(x->call, ARG_ROOT, -1);
		n.op = (uint8_t)mpi_value(x, OP, 0);
		n.sends = x->r->has & HAS_SIZE ? x->r->size : UNKNOWN;
		n.receives = x->received;
	}
	match_call(x->match, x->r, &n);
	if (message && (wants(x->c, BAD_MPI_DEADLOCK) || wants(x->c, BAD_MPI_SEND_SELF)))
		check_blocking(x);
}

static void
nothing(void *arg, struct source *s)
{
	(void)arg;
	(void)s;
}

void
mpi_match_begin(struct mpi_check *x)
{
	struct match_options o = {.by_end = true, .watch = &x->watch};
	const struct pair_sink none = {.end = nothing};

	x->watch =
	    (struct match_watch){x, sizeof(struct mpi_note), message, alone, arrive, ended};
	x->match = match_new(&o, &none);
}

void
mpi_match_end(struct mpi_check *x)
{
	match_end(x->match, x->s);
	match_free(x->match);
}
