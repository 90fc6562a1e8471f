/* check_mpi_match.c - the rules of MPI about messages and collective operations, which the engine of trace-match puts
 * together. */
#include <stdlib.h>

#include "base/hash.h"
#include "trace-check/check_mpi.h"

/* Bound: trace-check | messages and collective calls of MPI | those that are not matched | 131072 | more than 131072 unmatched calls of MPI */
#define NOTES_MOST (1u << 17)

enum {
	BYTE = 5,
	PACKED = 19
};

/* A collective operation that not all members have reached. */
struct operation {
	struct mpi_note first; /* of the member that came first */
	uint32_t place;
	bool told;	   /* one finding is enough */
	bool unsized, two; /* two: it has a unit */
	uint64_t unit, sum[2];
};

static struct trace_place
place_of_note(const struct mpi_check *x, const struct mpi_note *n)
{
	return mpi_place(x, n->rank, n->at);
}

static unsigned
rank_of_note(struct mpi_check *x, const struct mpi_note *n)
{
	return match_comms(x->match)->proc[n->rank].rank;
}

/* ---- notes ---- */

/* Returns a new note with one use, for the current call, or 0 if there are too many. */
static uint32_t
new_note(struct mpi_check *x)
{
	uint32_t i = x->free_note;

	if (x->live_notes == NOTES_MOST) {
		check_limit(x->c, "unmatched calls of MPI", NOTES_MOST);
		x->matches = false;
		return 0;
	}
	if (i)
		x->free_note = x->note[i].uses;
	else {
		i = (uint32_t)(x->nnotes += !x->nnotes); /* number 0 means none */
		x->nnotes++;
		GROW(x->note, x->note_cap, x->nnotes);
	}
	x->live_notes++;
	x->note[i] = (struct mpi_note){.uses = 1,
				       .rank = x->proc,
				       .at = x->at,
				       .call = (uint16_t)x->k,
				       .root = -1,
				       .unit = {UNKNOWN, UNKNOWN}};
	return i;
}

static void
hold(void *arg, uint32_t note, int by)
{
	struct mpi_check *x = arg;
	struct mpi_note *n = &x->note[note];

	n->uses += (uint32_t)by;
	if (n->uses)
		return;
	if (x->rank[n->rank].blocked == note)
		x->rank[n->rank].blocked = 0;
	n->uses = x->free_note;
	x->free_note = note;
	x->live_notes--;
}

static uint32_t
start(void *arg, uint32_t note)
{
	struct mpi_check *x = arg;
	uint32_t i = new_note(x);

	if (i) {
		x->note[i] = x->note[note];
		x->note[i].uses = 1;
	}
	return i;
}

/* ---- messages ---- */

static void
message(void *arg, uint32_t sent, uint32_t posted, const uint64_t *size, int64_t got,
	bool early)
{
	struct mpi_check *x = arg;
	const struct mpi_note *s = &x->note[sent], *p = &x->note[posted];
	struct trace_place at = place_of_note(x, p), from = place_of_note(x, s);
	const struct labels *names = &dumpi_type_named("datatype", 8)->labels;
	bool any = s->type == BYTE || s->type == PACKED || p->recv_type == BYTE ||
		   p->recv_type == PACKED;

	if (x->rank[s->rank].blocked == sent)
		x->rank[s->rank].blocked = 0;
	if (unlikely(size && p->unit[0] != UNKNOWN && *size > p->unit[0]))
		find_with(x->c, BAD_MPI_MSG_TRUNCATE, at, from,
			  "%s has room for %llu bytes, the message has %llu",
			  dumpi_calls[p->call].name, (unsigned long long)p->unit[0],
			  (unsigned long long)*size);
	else if (unlikely(size && got >= 0 && (uint64_t)got != *size))
		find_with(x->c, BAD_MPI_MSG_SIZE, at, from,
			  "%s got %lld bytes, but rank %u sent %llu",
			  dumpi_calls[p->call].name, (long long)got, rank_of_note(x, s),
			  (unsigned long long)*size);
	if (unlikely(s->type && p->recv_type && s->type != p->recv_type && !any))
		find_with(x->c, BAD_MPI_MSG_TYPE, at, from,
			  "%s receives %s, but rank %u sends %s", dumpi_calls[p->call].name,
			  label_of(names, p->recv_type), rank_of_note(x, s),
			  label_of(names, s->type));
	if (unlikely(early))
		find_with(x->c, BAD_MPI_MSG_EARLY, at, from,
			  "%s gets its message before rank %u sends it",
			  dumpi_calls[p->call].name, rank_of_note(x, s));
}

static void
alone(void *arg, uint32_t note, bool send)
{
	struct mpi_check *x = arg;
	const struct mpi_note *n = &x->note[note];

	/* A limit stopped the matching, so partners may have come later. */
	if (x->matches)
		find(
		    x->c, send ? BAD_MPI_MSG_LOST : BAD_MPI_MSG_UNSENT, place_of_note(x, n),
		    send ? "nobody receives the message of %s" : "nobody sends what %s got",
		    dumpi_calls[n->call].name);
}

/* Reports blocking sends that wait for each other. The current call is a blocking send of `note`. */
static void
check_blocking(struct mpi_check *x, uint32_t note)
{
	struct comms *comms = match_comms(x->match);
	struct mpi_rank *r = &x->rank[x->proc];
	const struct comm *c;
	uint32_t to, n = 0;

	mpi_ranks(x, &c);
	to = c ? comm_peer(comms, comms->comm[c->id], x->proc,
			   call_number(x->call, ARG_DEST, -1))
	       : NO_PROC;
	if (to == NO_PROC)
		return;
	if (to == x->proc && !r->receives)
		find(x->c, BAD_MPI_SEND_SELF, mpi_here(x),
		     "%s to its own rank, which has no receive yet",
		     dumpi_calls[x->k].name);
	/* The message met its receive, or may meet it; or the rank waits for an earlier one. */
	if (x->note[note].uses < 2 || r->blocked || (to < x->nranks && x->rank[to].any))
		return;
	r->blocked = note;
	r->blocked_by = to;
	while (to < x->nranks && x->rank[to].blocked && to != x->proc && n++ < x->nranks)
		to = x->rank[to].blocked_by;
	if (to != x->proc || !n)
		return;
	to = x->rank[r->blocked_by].blocked;
	find_with(x->c, BAD_MPI_DEADLOCK, mpi_here(x), place_of_note(x, &x->note[to]),
		  "%s of rank %u waits for rank %u, which waits in %s",
		  dumpi_calls[x->k].name, rank_of_note(x, &x->note[note]),
		  rank_of_note(x, &x->note[to]), dumpi_calls[x->note[to].call].name);
	r->blocked = 0;
}

/* ---- collective operations ---- */

static bool
is_init(unsigned k)
{
	return k == 124 || k == 171;
}

static bool
is_own(const struct mpi_note *n)
{
	return n->op == 0 || n->op > 14;
}

static void
arrive(void *arg, const struct comm *c, void **own, uint64_t seq, uint32_t place,
       uint32_t note)
{
	struct mpi_check *x = arg;
	struct operation *o = *own;
	const struct mpi_note *n = &x->note[note], *f;
	unsigned long long number = seq;
	struct trace_place at;

	if (!note)
		return;
	if (!o) {
		o = *own = xcalloc(1, sizeof *o);
		o->first = *n;
		o->place = place;
		o->unit = UNKNOWN;
	}
	f = &o->first;
	at = place_of_note(x, n);
	o->unsized |= n->unsized;
	o->sum[0] += n->sum[0];
	o->sum[1] += n->sum[1];
	if (o->told)
		return;
	o->told = true;
	if (n->call != f->call && !(is_init(n->call) && is_init(f->call)))
		find_with(x->c, BAD_MPI_COLL_ORDER, at, place_of_note(x, f),
			  "collective %llu of %s: rank %u calls %s, rank %u %s", number,
			  c->name, rank_of_note(x, n), dumpi_calls[n->call].name,
			  rank_of_note(x, f), dumpi_calls[f->call].name);
	else if (c->local == c->n && n->root != f->root)
		find_with(
		    x->c, BAD_MPI_COLL_ROOT, at, place_of_note(x, f),
		    "collective %llu of %s, %s: the root of rank %u is %d, of rank %u %d",
		    number, c->name, dumpi_calls[n->call].name, rank_of_note(x, n), n->root,
		    rank_of_note(x, f), f->root);
	else if (n->op != f->op && !(is_own(n) && is_own(f)))
		find_with(x->c, BAD_MPI_COLL_OP, at, place_of_note(x, f),
			  "collective %llu of %s, %s: the operation of rank %u is %u, of "
			  "rank %u %u",
			  number, c->name, dumpi_calls[n->call].name, rank_of_note(x, n),
			  n->op, rank_of_note(x, f), f->op);
	else
		o->told = false;
	for (int i = 0; i < 2 && !o->told && c->local == c->n; i++) {
		if (n->unit[i] == UNKNOWN)
			continue;
		if (o->unit != UNKNOWN && o->unit != n->unit[i]) {
			bool list = n->call == 59 || n->call == 66;

			o->told = true;
			find_with(
			    x->c, BAD_MPI_COLL_SIZE, at, place_of_note(x, f),
			    list
				? "collective %llu of %s, %s: the counts of rank %u differ "
				  "from those of rank %u"
				: "collective %llu of %s, %s: rank %u has other bytes than "
				  "rank %u: %llu and %llu",
			    number, c->name, dumpi_calls[n->call].name, rank_of_note(x, n),
			    rank_of_note(x, f), (unsigned long long)n->unit[i],
			    (unsigned long long)o->unit);
		}
		o->unit = n->unit[i];
	}
	if (!o->told && n->type && f->type && n->type != f->type) {
		const struct labels *names = &dumpi_type_named("datatype", 8)->labels;

		o->told = true;
		find_with(x->c, BAD_MPI_COLL_TYPE, at, place_of_note(x, f),
			  "collective %llu of %s, %s: rank %u has %s, rank %u %s", number,
			  c->name, dumpi_calls[n->call].name, rank_of_note(x, n),
			  label_of(names, n->type), rank_of_note(x, f),
			  label_of(names, f->type));
	}
}

/* Reports the first member of c that has not reached operation number `seq`. */
static void
tell_missing(struct mpi_check *x, struct comm *c, const struct mpi_note *f, uint64_t seq)
{
	struct comms *comms = match_comms(x->match);

	x->missing = c;
	for (uint32_t i = 0, n = comm_size(comms, c); i < n; i++) {
		uint32_t proc = comm_proc(comms, c, i);
		const struct member *m = comm_member(comms, c, proc);

		if (!m || m->collectives >= seq || proc >= x->nranks || !x->rank[proc].file)
			continue;
		find(x->c, BAD_MPI_COLL_MISSING, place_of_note(x, f),
		     "collective %llu of %s, %s: rank %u does not call it",
		     (unsigned long long)seq, c->name, dumpi_calls[f->call].name,
		     comms->proc[proc].rank);
		return;
	}
}

static void
ended(void *arg, struct comm *c, void *own, uint64_t seq, bool whole)
{
	struct mpi_check *x = arg;
	struct operation *o = own;
	uint64_t got;

	if (!o)
		return;
	got = o->first.call == 59 ? o->unit : o->sum[1];
	if (!whole && x->missing != c && x->matches)
		tell_missing(x, c, &o->first, seq);
	else if (whole && !o->told && !o->unsized && c->local == c->n && o->sum[0] &&
		 got != UNKNOWN && o->sum[0] != got)
		find(x->c, BAD_MPI_COLL_SIZE, place_of_note(x, &o->first),
		     "collective %llu of %s, %s: the ranks send other counts than they "
		     "expect",
		     (unsigned long long)seq, c->name, dumpi_calls[o->first.call].name);
	free(o);
}

/* Returns a checksum of `bytes` that rank `from` sends to rank `to`. */
static uint64_t
checksum(uint32_t from, uint32_t to, uint64_t bytes)
{
	return hash_add(hash_add(hash_add(0, from), to), bytes);
}

/* Returns the sum of the checksums of a list of counts that rank `me` sends, or receives, each from or to another
 * rank. `one`: all go to the same place. */
static uint64_t
sum_list(struct mpi_check *x, struct mpi_note *n, bool receives, uint32_t me, bool one)
{
	const struct call_list *counts = list_of(x, receives ? RECV_COUNTS : SEND_COUNTS),
			       *types = list_of(x, receives ? RECV_TYPES : SEND_TYPES);
	enum mpi_role type = receives ? RECV_TYPE : SEND_TYPE;
	bool several = has(x, receives ? RECV_TYPES : SEND_TYPES);
	uint64_t sum = 0, bytes;
	uint16_t basic;

	for (uint32_t i = 0; i < counts->n && (!several || i < types->n); i++) {
		bytes = mpi_sizeof(x, several ? types->v[i] : x->v[type], &basic);
		bytes = mpi_bytes((uint64_t)counts->v[i], bytes);
		n->unsized |= bytes == UNKNOWN;
		sum += receives ? checksum(i, one ? 0 : me, bytes)
				: checksum(one ? 0 : me, i, bytes);
	}
	return sum;
}

/* Sets the bytes of a collective call in its note. */
static void
note_collective(struct mpi_check *x, struct mpi_note *n)
{
	struct comms *comms = match_comms(x->match);
	const struct comm *c;
	uint32_t me = NO_PLACE;
	uint64_t bytes[2] = {UNKNOWN, UNKNOWN};
	uint16_t basic[2] = {0, 0};

	n->root = (int32_t)call_number(x->call, ARG_ROOT, -1);
	n->op = has(x, OP) ? (uint8_t)x->v[OP] : 0;
	for (int i = 0; i < 2; i++)
		if (has(x, i ? RECV_TYPE : SEND_TYPE)) {
			bytes[i] =
			    mpi_sizeof(x, x->v[i ? RECV_TYPE : SEND_TYPE], &basic[i]);
			bytes[i] =
			    has(x, i ? RECV_COUNT : SEND_COUNT)
				? mpi_bytes((uint64_t)x->v[i ? RECV_COUNT : SEND_COUNT],
					    bytes[i])
				: UNKNOWN;
		}
	n->type = basic[0] ? basic[0] : basic[1];
	switch (n->call) {
	case 53:
	case 54:
	case 56:
	case 58:
	case 60:
	case 62:
	case 65:
	case 67:
	case 156: memcpy(n->unit, bytes, sizeof bytes); return;
	case 55:
	case 57:
	case 59:
	case 61:
	case 66:
	case 155: break;
	default: return;
	}
	mpi_ranks(x, &c);
	if (c)
		me = comm_place(comms, c, x->proc);
	n->unsized = me == NO_PLACE;
	switch (n->call) {
	case 55: /* Gatherv */
		n->type = has(x, RECV_COUNTS) && !basic[0] ? 0 : basic[0];
		n->unsized |= bytes[0] == UNKNOWN;
		n->sum[0] = checksum(me, 0, bytes[0]);
		n->sum[1] = me == (uint32_t)n->root ? sum_list(x, n, true, 0, true) : 0;
		return;
	case 57: /* Scatterv */
		n->type = basic[1];
		n->unsized |= bytes[1] == UNKNOWN;
		n->sum[0] = me == (uint32_t)n->root ? sum_list(x, n, false, 0, true) : 0;
		n->sum[1] = checksum(0, me, bytes[1]);
		return;
	case 59: /* Allgatherv */
		n->unsized |= bytes[0] == UNKNOWN;
		n->sum[0] = checksum(me, 0, bytes[0]);
		n->unit[0] = sum_list(x, n, true, 0, true);
		return;
	case 66: /* Reduce_scatter, whose only datatype is SEND_TYPE */
		x->v[RECV_TYPE] = x->v[SEND_TYPE];
		n->unit[0] = sum_list(x, n, true, 0, true);
		return;
	default: /* Alltoallv, Alltoallw */
		n->sum[0] = sum_list(x, n, false, me, false);
		n->sum[1] = sum_list(x, n, true, me, false);
	}
}

/* ---- calls ---- */

static void
note_message(struct mpi_check *x, struct mpi_note *n)
{
	enum call_kind kind = x->call->kind;
	bool own = has(x, RECV_TYPE);
	uint64_t size;

	if (has(x, SEND_TYPE))
		mpi_sizeof(x, x->v[SEND_TYPE], &n->type);
	if (kind == CALL_SEND || kind == CALL_ISEND || kind == CALL_SEND_INIT)
		return;
	size = has(x, own ? RECV_TYPE : SEND_TYPE)
		   ? mpi_sizeof(x, x->v[own ? RECV_TYPE : SEND_TYPE], &n->recv_type)
		   : UNKNOWN;
	if (has(x, own ? RECV_COUNT : SEND_COUNT))
		n->unit[0] = mpi_bytes((uint64_t)x->v[own ? RECV_COUNT : SEND_COUNT], size);
}

void
mpi_match(struct mpi_check *x)
{
	enum call_kind kind = x->call->kind;
	uint32_t note = 0;

	if (kind == CALL_OTHER || !x->matches)
		return;
	if (kind <= CALL_SENDRECV && kind != CALL_START) {
		note = new_note(x);
		if (note)
			note_message(x, &x->note[note]);
	} else if (kind > CALL_CANCEL && kind != CALL_COMM_RANK && kind != CALL_COMM_SIZE) {
		note = new_note(x);
		if (note && kind >= CALL_ALL_TO_ALL)
			note_collective(x, &x->note[note]);
	}
	match_call(x->match, x->r, note);
	if (!note)
		return;
	if (kind == CALL_SEND && x->k != 3)
		check_blocking(x, note);
	hold(x, note, -1);
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

	x->watch = (struct match_watch){x, hold, start, message, alone, arrive, ended};
	x->matches = true;
	x->match = match_new(&o, &none);
}

void
mpi_match_end(struct mpi_check *x)
{
	match_end(x->match, x->s);
	match_free(x->match);
	free(x->note);
}
