/*
 * collectives.c - collective operations: the k-th calls of all members of a communicator are one instance. Who
 * waits for whom depends on the operation: see collective_waits.
 */
#include <stdlib.h>

#include "base/bytes.h"
#include "match/matching.h"

struct instance {
	enum call_kind kind;
	uint32_t open; /* handle of its event */
	uint32_t call; /* string with the name of the call */
	bool mixed;    /* members call different operations, or name different roots */
	bool unsized;  /* the bytes of a member are unknown */
	void *own;     /* of the watcher */
	int64_t root;
	uint64_t bytes;
	uint32_t n;
	struct arrival {
		uint32_t place;
		uint64_t start, end;
		uint64_t rec; /* number of the call */
	} * v;
	size_t cap;
};

struct collective_rec {
	struct rec r;
	uint32_t call, comm, ranks, last;
	uint64_t seq;
	uint64_t spread, wait, longest;
	double imbalance;
};

static uint32_t
collectives_type_of(struct match *x)
{
	static const struct arg args[] = {
	    {.name = "call", .kind = K_SYM},	 {.name = "comm", .kind = K_SYM},
	    {.name = "ranks", .kind = K_U32},	 {.name = "last", .kind = K_U32},
	    {.name = "seq", .kind = K_U64},	 {.name = "spread", .kind = K_NS},
	    {.name = "wait", .kind = K_NS},	 {.name = "longest_wait", .kind = K_NS},
	    {.name = "imbalance", .kind = K_F64}};
	const struct type ty = {.event = "collective",
				.event_len = 10,
				.may = HAS_SIZE | HAS_DUR,
				.nargs = x->waits ? 9 : 5,
				.args = args};
	uint32_t *known = &x->collective_type[x->waits];

	if (!*known)
		*known = type_add(&x->out.t, &ty) + 1;
	return *known - 1;
}

static int
cmp_by_rank(const void *a, const void *b)
{
	const struct arrival *x = a, *y = b;

	return x->place < y->place ? -1 : x->place > y->place;
}

/* Computes the waits of the members, as Scalasca defines them: if all wait for all, until the last start; the root
 * for the last of the others; the others for the root; in a scan for members of lower rank. A wait ends at the
 * latest with the member's own call. For other operations, a member that left before the last start has not
 * waited. */
static void
collective_waits(struct instance *in, uint64_t last, struct collective_rec *r)
{
	uint64_t lower = 0, others = 0, root = 0;

	qsort(in->v, in->n, sizeof *in->v, cmp_by_rank);
	for (uint32_t i = 0; i < in->n; i++) {
		if (in->v[i].place == in->root)
			root = in->v[i].start;
		else if (in->v[i].start > others)
			others = in->v[i].start;
	}
	for (uint32_t i = 0; i < in->n; i++) {
		const struct arrival *a = &in->v[i];
		bool is_root = a->place == in->root;
		uint64_t until = 0;

		switch (in->kind) {
		case CALL_ALL_TO_ALL: until = last; break;
		case CALL_SCAN: until = lower; break;
		case CALL_ALL_TO_ONE: until = is_root ? others : 0; break;
		case CALL_ONE_TO_ALL: until = is_root ? 0 : root; break;
		default: until = a->end < last ? 0 : last; break;
		}
		lower = a->start > lower ? a->start : lower;
		until = less(least(until, a->end), a->start);
		r->wait += until;
		r->longest = until > r->longest ? until : r->longest;
	}
}

static void
collectives_put(struct match *x, const struct comm *c, struct instance *in, uint64_t seq)
{
	struct collective_rec *r = (void *)wait_rec(&x->wait, in->open);
	uint64_t first = UINT64_MAX, last = 0, end = 0, late = 0;
	uint32_t proc;
	double sum = 0;

	for (uint32_t i = 0; i < in->n; i++) {
		const struct arrival *a = &in->v[i];

		first = least(first, a->start);
		if (a->start > last || !i) {
			last = a->start;
			late = a->place;
		}
		end = a->end > end ? a->end : end;
	}
	for (uint32_t i = 0; i < in->n; i++)
		sum += (double)(in->v[i].start - first);
	proc = comm_proc(&x->comms, c, (uint32_t)late);
	r->r.type = collectives_type_of(x);
	r->r.len = x->waits ? sizeof *r : (uint32_t)offsetof(struct collective_rec, spread);
	r->r.loc = put_loc(x, proc);
	r->r.time = (int64_t)time_of(x, (int64_t)first);
	if (!in->unsized) {
		r->r.has = HAS_SIZE;
		r->r.size = in->bytes;
	}
	if (x->waits) {
		r->r.has |= HAS_DUR;
		r->r.dur = (int64_t)less(end, first);
	}
	r->call = in->call;
	r->comm = put_str(x, c->name);
	r->ranks = in->n;
	r->last = x->comms.proc[proc].rank;
	r->seq = seq;
	if (!x->waits)
		return;
	r->spread = last - first;
	/* In an intercommunicator only one group has the root, so waits for the root are not computed. */
	if (c->local == c->n || !call_is_partial(in->kind))
		collective_waits(in, last, r);
	if (last > first)
		r->imbalance = 1 - sum / in->n / (double)(last - first);
}

/* Returns the later arrival: a, or b if a is NULL or began no later. */
static const struct arrival *
later(const struct arrival *a, const struct arrival *b)
{
	return !a || (b && b->start > a->start) ? b : a;
}

/* Records for the critical path who waited for whom, by the rules of collective_waits. */
static void
collective_causes(struct match *x, const struct comm *c, struct instance *in)
{
	const struct arrival *last = NULL, *others = NULL, *root = NULL, *lower = NULL, *by;

	if (c->local < c->n && call_is_partial(in->kind))
		return;
	qsort(in->v, in->n, sizeof *in->v, cmp_by_rank);
	for (uint32_t i = 0; i < in->n; i++) {
		const struct arrival *a = &in->v[i];

		last = later(last, a);
		if (a->place == in->root)
			root = a;
		else
			others = later(others, a);
	}
	for (uint32_t i = 0; i < in->n; i++) {
		const struct arrival *a = &in->v[i];

		switch (in->kind) {
		case CALL_SCAN: by = lower; break;
		case CALL_ALL_TO_ONE: by = a == root ? others : NULL; break;
		case CALL_ONE_TO_ALL: by = root; break;
		default: by = last; break;
		}
		if (by)
			critical_cause(x->critical, a->rec, by->rec, WHY_COLLECTIVE);
		lower = later(lower, a);
	}
}

/* Gives an instance, as number `seq` of its communicator, or drops it. Frees it. */
static void
end_instance(struct match *x, struct comm *c, struct instance *in, uint64_t seq, bool give)
{
	if (x->opt.watch)
		x->opt.watch->ended(x->opt.watch->arg, c, in->own, seq,
				    in->n >= comm_size(&x->comms, c));
	if (give && x->critical && x->waits)
		collective_causes(x, c, in);
	if (x->opt.watch) {
		/* No event was opened. */
	} else if (give && !x->critical) {
		collectives_put(x, c, in, seq);
		wait_done(&x->wait, in->open);
	} else {
		wait_drop(&x->wait, in->open);
	}
	free(in->v);
	free(in);
}

/* Ends the oldest instance, which all members have reached. */
static void
complete_collective(struct match *x, struct comm *c)
{
	struct instance *in = c->instance[c->complete++ - c->gone];

	c->instance[c->complete - 1 - c->gone] = NULL;
	x->count.mixed += in->mixed;
	/* With --left, only mixed operations are given; else only the others. */
	end_instance(x, c, in, c->complete, x->opt.left == in->mixed);
	/* Remove the slots of complete instances from time to time. */
	if (c->complete - c->gone > 1024) {
		memmove(c->instance, c->instance + (c->complete - c->gone),
			(c->ninstances - (c->complete - c->gone)) * sizeof *c->instance);
		c->ninstances -= c->complete - c->gone;
		/* The slots after the last instance must be NULL. */
		memset(c->instance + c->ninstances, 0,
		       (c->complete - c->gone) * sizeof *c->instance);
		c->gone = c->complete;
	}
}

/* Ends all instances that all members have reached. A world may have been of unknown size until now. */
static void
complete_all(struct match *x, struct comm *c)
{
	const struct instance *in;

	while (c->complete - c->gone < c->ninstances &&
	       (in = c->instance[c->complete - c->gone]) != NULL &&
	       comm_size(&x->comms, c) && in->n >= comm_size(&x->comms, c))
		complete_collective(x, c);
}

struct arriving {
	struct site at;
	enum call_kind kind;
	int64_t root;
	bool has_size;
	uint64_t size;
};

/* Adds the bytes of a member. In a broadcast or scatter only the root sends. With two groups the root is unknown. */
static void
add_volume(const struct comm *c, struct instance *in, const struct arriving *a,
	   uint32_t place)
{
	bool two = c->local < c->n;

	if (a->kind == CALL_ONE_TO_ALL && place != a->root && !two)
		return;
	in->unsized |= !a->has_size || (two && call_is_partial(a->kind)) ||
		       a->size > UINT64_MAX - in->bytes;
	in->bytes += a->size;
}

static void
arrive(void *match, struct comm *c, void *arg)
{
	struct match *x = match;
	const struct arriving *a = arg;
	struct member *m = c ? comm_member(&x->comms, c, a->at.proc) : NULL;
	struct instance *in;
	uint32_t place;
	uint64_t k;

	if (!m) {
		note_hold(x, a->at.note, -1);
		*(c == &x->comms.foreign ? &x->count.apart : &x->count.unknown) += 1;
		return;
	}
	/* There are more members than expected; all had come before. */
	if (m->collectives < c->complete) {
		m->collectives++;
		note_hold(x, a->at.note, -1);
		x->count.mixed++;
		return;
	}
	k = m->collectives++ - c->gone;
	GROW_SMALL(c->instance, c->instance_cap, k + 1);
	if (k >= c->ninstances)
		c->ninstances = k + 1;
	in = c->instance[k];
	if (!in) {
		in = c->instance[k] = xcalloc(1, sizeof *in);
		in->kind = a->kind;
		in->call = a->at.call;
		in->root = a->root;
		if (!x->opt.watch)
			match_open(x, &a->at, &in->open, sizeof(struct collective_rec));
	}
	/* MPI_Init and MPI_Init_thread are one operation. */
	in->mixed |= in->kind != a->kind ||
		     (in->call != a->at.call && a->kind != CALL_INIT) ||
		     (in->root != a->root && c->local == c->n);
	place = comm_place(&x->comms, c, a->at.proc);
	add_volume(c, in, a, place);
	if (x->opt.watch) {
		in->n++;
		if (a->at.note)
			x->opt.watch->arrive(x->opt.watch->arg, c, &in->own,
					     c->gone + k + 1, note_at(x, a->at.note));
		note_hold(x, a->at.note, -1);
		complete_all(x, c);
		return;
	}
	GROW_SMALL(in->v, in->cap, in->n + 1);
	in->v[in->n++] = (struct arrival){
	    .place = place, .start = a->at.start, .end = a->at.end, .rec = a->at.rec};
	complete_all(x, c);
}

/* Lets a call arrive at the communicator p as soon as its members are known. Counts the call if p is NULL. */
static void
arrive_at(struct match *x, struct promise *p, struct arriving *now)
{
	struct arriving *a = now;

	if (!p) {
		x->count.unknown++;
		return;
	}
	note_hold(x, a->at.note, 1);
	if (!p->kept) {
		a = arena_get(&x->comms.mem, sizeof *a);
		*a = *now;
	}
	comms_when(&x->comms, p, arrive, a);
}

void
collective_call(struct match *x, const struct site *at, const struct call *c,
		const uint64_t *size)
{
	struct arriving now = {*at, c->kind, call_number(c, ARG_ROOT, -1), size != NULL,
			       size ? *size : 0};
	bool file = call_has(c, ARG_FILE), two = c->kind == CALL_INTERCOMM;
	bool world = c->kind == CALL_INIT || c->kind == CALL_FINALIZE;
	enum call_arg which = two ? ARG_NEW_COMM : ARG_COMM;
	int64_t number = world ? COMM_WORLD : call_number(c, which, COMM_NULL);
	struct promise *p,
	    **handle =
		requests_place(x, at->proc, call_number(c, file ? ARG_FILE : ARG_WIN, 0),
			       file ? PLACE_FILE : PLACE_WIN);

	/* The two groups of an intercommunicator meet in the communicator that the call makes. */
	if (two)
		comms_call(&x->comms, at->proc, c);
	p = handle && number == COMM_NULL ? *handle : comms_of(&x->comms, at->proc, number);
	/* A call that makes a communicator with another job is collective over the communicator that it names. */
	if (c->kind >= CALL_ALL_TO_ALL || c->kind <= CALL_FILE ||
	    (c->kind == CALL_FOREIGN && call_has(c, ARG_COMM)))
		arrive_at(x, p, &now);
	if (!two)
		comms_call(&x->comms, at->proc, c);
	if (handle && (c->kind == CALL_WIN || c->kind == CALL_FILE))
		*handle = x->comms.proc[at->proc].made[x->comms.proc[at->proc].nmade - 1];
	else if (handle && c->kind == CALL_FREE)
		*handle = NULL;
	else if (c->kind == CALL_FREE)
		comms_set(&x->comms, at->proc, number, NULL);
}

/* Ends all instances at the end of a run. Those that some members have not reached are counted: a trace may end
 * early, or lack a rank. */
void
collectives_end(struct match *x)
{
	for (size_t i = 0; i < x->comms.ncomms; i++) {
		struct comm *c = x->comms.comm[i];

		complete_all(x, c);
		for (uint64_t k = c->complete - c->gone; k < c->ninstances; k++) {
			if (!c->instance[k])
				continue;
			x->count.partial++;
			end_instance(x, c, c->instance[k], c->gone + k + 1, x->opt.left);
			c->instance[k] = NULL;
		}
	}
}
