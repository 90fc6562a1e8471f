/* groups.c - see comms.h: groups of processes, whose members are computed when they are needed. */
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "mpi/comms.h"

/* Bound: trace-match | groups made of groups | calls that make groups | 256 | the members of their communicator are not known */
#define GROUPS_MOST 256 /* from which a group is made, directly and indirectly */

struct group {
	enum call_kind how;
	const struct group *a, *b;
	struct promise *of; /* communicator of the group, or NULL */
	uint32_t proc;	    /* process whose numbers are meant */
	const int64_t *ranks;
	size_t n;
};

/* MPI_GROUP_EMPTY. */
static const struct group empty = {.how = CALL_OTHER};

/* Appends the members of g to *to. *left limits the groups that may still be computed. Returns false if the
 * members are not known. */
static bool members_of(struct comms *x, const struct group *g, struct procs *to,
		       unsigned *left);

const struct group *
group_of(const struct comms *x, uint32_t proc, int64_t number)
{
	const struct group *const *have;

	if (number == GROUP_EMPTY)
		return &empty;
	if (number < 0 || number >= NUMBERS_MOST)
		return NULL;
	have = numbers_get(x->proc[proc].group, (uint32_t)number);
	return have ? *have : NULL;
}

static void
groups_add(struct procs *p, uint32_t v)
{
	*PUSH(p->v, p->n, p->cap) = v;
}

/* Returns an array of n flags, true for the numbers in p. The caller frees it. */
static bool *
marks(const struct procs *p, size_t n)
{
	bool *is = xcalloc(n + 1, sizeof *is);

	for (size_t i = 0; i < p->n; i++)
		is[p->v[i]] = true;
	return is;
}

/* Appends to `places` the ranks that the list of g names, in its order. The list has ranks or ranges. Returns
 * false if one is not less than n, or there are too many. */
static bool
listed(const struct group *g, size_t n, struct procs *places)
{
	bool ranges = g->how == CALL_RANGE_INCL || g->how == CALL_RANGE_EXCL;
	size_t step = ranges ? 3 : 1;

	for (size_t i = 0; i + step <= g->n; i += step) {
		int64_t by = ranges ? g->ranks[i + 2] : 1,
			to = ranges ? g->ranks[i + 1] : g->ranks[i];

		if (!by)
			return false;
		for (int64_t r = g->ranks[i]; by > 0 ? r <= to : r >= to; r += by) {
			if (r < 0 || r >= (int64_t)n || places->n > n)
				return false;
			groups_add(places, (uint32_t)r);
		}
	}
	return true;
}

static bool
pick(struct comms *x, const struct group *g, struct procs *to, unsigned *left)
{
	bool incl = g->how == CALL_INCL || g->how == CALL_RANGE_INCL;
	struct procs from = {0}, places = {0};
	bool good = members_of(x, g->a, &from, left) && listed(g, from.n, &places);

	to->reordered |= from.reordered;
	to->wait = from.wait;
	if (good && incl) {
		for (size_t i = 0; i < places.n; i++)
			groups_add(to, from.v[places.v[i]]);
	} else if (good) {
		bool *out = marks(&places, from.n);

		for (size_t i = 0; i < from.n; i++)
			if (!out[i])
				groups_add(to, from.v[i]);
		free(out);
	}
	free(from.v);
	free(places.v);
	return good;
}

static bool
combine(struct comms *x, const struct group *g, struct procs *to, unsigned *left)
{
	struct procs a = {0}, b = {0};
	bool good = members_of(x, g->a, &a, left) && members_of(x, g->b, &b, left) &&
		    comms_spend(x, a.n + b.n + x->nprocs);

	to->reordered |= a.reordered || b.reordered;
	to->wait = a.wait ? a.wait : b.wait;
	if (good) {
		bool *in_a = marks(&a, x->nprocs), *in_b = marks(&b, x->nprocs);

		for (size_t i = 0; i < a.n; i++)
			if (g->how == CALL_UNION ||
			    (g->how == CALL_INTERSECTION) == in_b[a.v[i]])
				groups_add(to, a.v[i]);
		for (size_t i = 0; g->how == CALL_UNION && i < b.n; i++)
			if (!in_a[b.v[i]])
				groups_add(to, b.v[i]);
		free(in_a);
		free(in_b);
	}
	free(a.v);
	free(b.v);
	return good;
}

/* Appends the members of a communicator; of an intercommunicator, the members of the process's own group or of
 * the other group. Returns false if they are not known. */
static bool
of_comm(struct comms *x, const struct group *g, struct procs *to)
{
	struct comm *c = g->of ? g->of->comm : NULL;
	uint32_t size = c ? comm_size(x, c) : 0, place;
	bool second;

	if (!size) {
		to->wait = g->of && !g->of->kept ? g->of : NULL;
		return false;
	}
	/* A world may also have members beyond its size, which calls have named. */
	if (!comms_spend(x, size > c->n ? size : c->n))
		return false;
	to->reordered |= c->reordered || c->doubtful;
	comm_peer(x, c, g->proc, size - 1);
	place = comm_place(x, c, g->proc);
	second = (place >= c->local) != (g->how == CALL_GROUP_OF_REMOTE);
	for (uint32_t i = 0; i < c->n; i++)
		if (c->local == c->n || (i >= c->local) == second)
			groups_add(to, comm_proc(x, c, i));
	return true;
}

static bool
members_of(struct comms *x, const struct group *g, struct procs *to, unsigned *left)
{
	if (!g || !*left)
		return false;
	--*left;
	switch (g->how) {
	case CALL_OTHER: return true;
	case CALL_GROUP_OF:
	case CALL_GROUP_OF_REMOTE: return of_comm(x, g, to);
	case CALL_UNION:
	case CALL_INTERSECTION:
	case CALL_DIFFERENCE: return combine(x, g, to, left);
	default: return pick(x, g, to, left);
	}
}

bool
group_members(struct comms *x, const struct group *g, struct procs *to)
{
	unsigned left = GROUPS_MOST;

	return members_of(x, g, to, &left);
}

void
groups_call(struct comms *x, uint32_t proc, const struct call *c)
{
	int64_t number = call_number(c, ARG_NEW_GROUP, -1);
	const struct call_list *ranks = call_list(c, ARG_RANKS);
	int64_t *v = arena_get(&x->mem, ranks->n * sizeof *v + 1);
	struct group *g = arena_get(&x->mem, sizeof *g);

	if (number <= 0 || number >= NUMBERS_MOST)
		return;
	if (ranks->n)
		memcpy(v, ranks->v, ranks->n * sizeof *v);
	*g = (struct group){.how = c->kind,
			    .a = group_of(x, proc, call_number(c, ARG_GROUP, -1)),
			    .b = group_of(x, proc, call_number(c, ARG_GROUP2, -1)),
			    .proc = proc,
			    .ranks = v,
			    .n = ranks->n};
	if (call_has(c, ARG_COMM))
		g->of = comms_of(x, proc, c->number[ARG_COMM]);
	*(const struct group **)numbers_at(&x->proc[proc].group, (uint32_t)number) = g;
}
