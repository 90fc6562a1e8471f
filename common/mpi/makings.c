/* makings.c - see comms.h: joins the calls of a communicator's members that make another communicator. */
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "mpi/comms.h"

/* A member's call in the making of a communicator. */
struct member_call {
	uint32_t proc, place; /* place in the parent */
	struct promise *promise;
	bool none; /* this process is not a member of the new communicator */
	int64_t color, key;
	const struct group *group;
	struct comm *made;
};

struct making {
	enum call_kind kind;
	struct comm *parent;
	struct member_call *said;
	size_t nsaid, said_cap;
	struct comm *made;   /* new communicator, if it is the same for all members */
	size_t told;	     /* number of member calls whose promise was kept */
	const int64_t *list; /* dims of a grid, or for each dimension, if it remains */
	size_t nlist, most;  /* most: limit of the members of a grid or graph */
	bool reorder;
	/* For half an intercommunicator: the leaders of this group and of the other one. */
	uint32_t leader, other;
	int64_t tag;
	/* List of halves with equal leaders and tag; last: set in the first one. */
	struct making *next, *last;
};

/* A call whose parent may not be known yet. */
struct pending_call {
	struct comms *x;
	enum call_kind kind;
	struct member_call said;
	const int64_t *list; /* as in struct making */
	size_t n, most;
	bool reorder;
	int64_t leader, remote_leader, tag;
	struct promise *remote;
	struct making *making;
};

/* Name of each kind of call from CALL_DUP on. */
static const char names[][9] = {"dup",	    "graph", "cart",  "create", "split",
				"cart-sub", "inter", "merge", "win",	"file"};

/* Returns a new communicator of the parent's members, or of the first ones; NULL if they are not known yet. */
static struct comm *
copy_of(struct comms *x, struct making *m)
{
	struct comm *c, *p = m->parent;

	if (!comm_size(x, p))
		return NULL;
	c = comms_like(x, names[m->kind - CALL_DUP], p, m->most);
	c->reordered = p->reordered || m->reorder;
	c->doubtful |= p->doubtful;
	/* A copy of a grid is a grid. */
	c->dims = m->kind == CALL_CART ? m->list : m->kind == CALL_DUP ? p->dims : NULL;
	c->ndims = m->kind == CALL_CART ? m->nlist : m->kind == CALL_DUP ? p->ndims : 0;
	return c;
}

static void
same_for_all(struct comms *x, struct making *m)
{
	if (!m->made)
		m->made = copy_of(x, m);
	while (m->made && m->told < m->nsaid) {
		const struct member_call *s = &m->said[m->told++];

		comms_keep(x, s->promise, s->none ? NULL : m->made);
	}
}

/* A member's call i in a making from groups, which waits for the communicator of its group. */
struct group_waits {
	struct comms *x;
	struct making *m;
	size_t i;
};

static void group_known(void *match, struct comm *c, void *arg);

/* Makes the communicator of the group that member i named. Members may name several groups, which must be
 * disjoint. */
static void
of_groups(struct comms *x, struct making *m, size_t i)
{
	struct member_call *s = &m->said[i];
	struct group_waits *w;
	struct procs v = {0};
	bool fresh = false;

	for (size_t k = 0; k < m->nsaid && !s->made && !s->none; k++)
		if (m->said[k].made && comm_place(x, m->said[k].made, s->proc) != NO_PLACE)
			s->made = m->said[k].made;
	if (!s->made && !s->none && group_members(x, s->group, &v)) {
		s->made = comms_new(x, names[m->kind - CALL_DUP]);
		s->made->reordered = v.reordered;
		/* A group has processes, not ranks, so reordered ranks make its members uncertain. */
		s->made->doubtful |= v.reordered;
		for (size_t k = 0; k < v.n; k++)
			comm_add(s->made, v.v[k]);
		comm_seal(s->made);
		fresh = true;
	}
	free(v.v);
	if (!s->made && !s->none) {
		if (v.wait) {
			w = arena_get(&x->mem, sizeof *w);
			*w = (struct group_waits){x, m, i};
			comms_when(x, v.wait, group_known, w);
		}
		return;
	}
	comms_keep(x, s->promise, s->made);
	/* Keep the promises of the members whose own group was unknown. */
	for (size_t k = 0; fresh && k < m->nsaid; k++)
		if (!m->said[k].none && !m->said[k].made &&
		    comm_place(x, m->said[i].made, m->said[k].proc) != NO_PLACE) {
			m->said[k].made = m->said[i].made;
			comms_keep(x, m->said[k].promise, m->said[i].made);
		}
}

static void
group_known(void *match, struct comm *c, void *arg)
{
	const struct group_waits *w = arg;

	(void)match;
	if (c && !w->m->said[w->i].made)
		of_groups(w->x, w->m, w->i);
}

static int
by_color(const void *a, const void *b)
{
	const struct member_call *x = a, *y = b;

	if (x->none != y->none)
		return x->none ? 1 : -1;
	if (x->color != y->color)
		return x->color < y->color ? -1 : 1;
	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return x->place < y->place ? -1 : x->place > y->place;
}

/* Returns true if both groups of a merge pass the same `high`, so that their order is unknown. */
static bool
no_order(const struct making *m)
{
	int64_t high[2] = {-1, -1};

	if (m->kind != CALL_MERGE)
		return false;
	for (size_t i = 0; i < m->nsaid; i++)
		high[m->said[i].place >= m->parent->local] = m->said[i].key;
	return high[0] == high[1];
}

/* Sets the dimensions of a part of a grid: those that remain. */
static void
smaller_grid(struct comms *x, const struct making *m, struct comm *c)
{
	const struct comm *grid = m->parent;
	int64_t *v = arena_get(&x->mem, grid->ndims * sizeof *v + 1);

	c->dims = v;
	for (size_t d = 0; d < grid->ndims; d++)
		if (d < m->nlist && m->list[d])
			v[c->ndims++] = grid->dims[d];
}

/* Makes the communicators of a split, one for each color, after all members have called. */
static void
split(struct comms *x, struct making *m)
{
	struct comm *c = NULL;

	if (m->nsaid != comm_size(x, m->parent) || m->made)
		return;
	if (no_order(m)) {
		x->differ++;
		for (size_t i = 0; i < m->nsaid; i++)
			comms_keep(x, m->said[i].promise, NULL);
		return;
	}
	qsort(m->said, m->nsaid, sizeof *m->said, by_color);
	for (size_t i = 0; i < m->nsaid && !m->said[i].none; i++) {
		struct member_call *s = &m->said[i];

		if (!c || s->color != m->said[i - 1].color) {
			c = comms_new(x, names[m->kind - CALL_DUP]);
			c->reordered = m->parent->reordered;
			c->doubtful |= m->parent->doubtful;
			if (m->kind == CALL_CART_SUB)
				smaller_grid(x, m, c);
		}
		comm_add(c, s->proc);
		s->made = c;
	}
	for (size_t i = 0; i < m->nsaid; i++)
		if (m->said[i].made && !m->said[i].made->of->by_proc)
			comm_seal(m->said[i].made);
	/* A waiting function may begin further makings from the parent, but adds nothing to this one. */
	for (size_t i = 0; i < m->nsaid; i++)
		comms_keep(x, m->said[i].promise, m->said[i].made);
}

/* ---- intercommunicators ---- */

static void
known(struct comms *x, struct making *m, struct comm *c)
{
	m->made = c;
	while (m->told < m->nsaid)
		comms_keep(x, m->said[m->told++].promise, c);
}

/* Joins two halves whose leaders name each other. Called for the leader of a group when the remote communicator is
 * known. */
static void
lead(void *match, struct comm *remote, void *arg)
{
	struct pending_call *a = arg;
	struct comms *x = a->x;
	struct making *m = a->making, *h;
	int64_t key[3], back[3];
	struct comm *c;
	uint32_t i;

	(void)match;
	if (remote == &x->foreign)
		known(x, m, remote);
	if (m->made || !remote)
		return;
	m->leader = a->said.proc;
	m->other = comm_peer(x, remote, m->leader, a->remote_leader);
	m->tag = a->tag;
	if (m->other == NO_PROC)
		return;
	memcpy(key, (int64_t[]){m->leader, m->other, m->tag}, sizeof key);
	memcpy(back, (int64_t[]){m->other, m->leader, m->tag}, sizeof back);
	if (strtab_find(&x->halves, back, sizeof back, &i) && x->half[i]) {
		h = x->half[i];
		x->half[i] = h->next;
		if (h->next)
			h->next->last = h->last;
		c = comms_new(x, names[m->kind - CALL_DUP]);
		c->reordered = h->parent->reordered || m->parent->reordered;
		c->doubtful |= h->parent->doubtful || m->parent->doubtful;
		if (comm_add_all(x, c, h->parent)) {
			uint32_t local = c->n;

			c->doubtful |= !comm_add_all(x, c, m->parent);
			c->local = local;
		}
		comm_seal(c);
		known(x, h, c);
		known(x, m, c);
		return;
	}
	i = strtab_id(&x->halves, key, sizeof key);
	GROW(x->half, x->half_cap, i + 1);
	h = x->half[i];
	if (h)
		h->last->next = m;
	else
		x->half[i] = h = m;
	h->last = m;
}

/* ---- */

static void
go_on(struct comms *x, struct making *m)
{
	switch (m->kind) {
	case CALL_DUP:
	case CALL_WIN:
	case CALL_FILE:
	case CALL_GRAPH:
	case CALL_CART: same_for_all(x, m); return;
	case CALL_CREATE: of_groups(x, m, m->nsaid - 1); return;
	case CALL_INTERCOMM:
		if (m->made)
			known(x, m, m->made);
		return;
	default: split(x, m); return;
	}
}

/* Sets s->color and s->key to the part of a grid that a process belongs to, and its place there, from its
 * coordinates. */
static void
place_in_grid(const struct comm *grid, const struct pending_call *a, struct member_call *s)
{
	int64_t rest = s->place, unit[2] = {1, 1}, *to[2] = {&s->color, &s->key};

	s->color = s->key = 0;
	for (size_t d = grid->ndims; d-- > 0;) {
		int64_t size = grid->dims[d] > 0 ? grid->dims[d] : 1;
		bool remains = d < a->n && a->list[d];

		*to[remains] += rest % size * unit[remains];
		unit[remains] *= size;
		rest /= size;
	}
}

/* Adds the member's call to the making, and makes the communicator if it can. Called when the parent is known. */
static void
make_of(void *match, struct comm *parent, void *arg)
{
	struct pending_call *a = arg;
	struct comms *x = a->x;
	struct member *me =
	    parent && parent != &x->foreign ? comm_member(x, parent, a->said.proc) : NULL;
	struct member_call *s = &a->said;
	struct making *m;

	(void)match;
	if (!me) {
		comms_keep(x, s->promise,
			   parent == &x->foreign && !s->none ? parent : NULL);
		return;
	}
	GROW_SMALL(parent->making, parent->making_cap, me->made + 1);
	m = parent->making[me->made];
	if (!m) {
		m = parent->making[me->made] = xcalloc(1, sizeof *m);
		*m = (struct making){.kind = a->kind,
				     .parent = parent,
				     .list = a->list,
				     .nlist = a->n,
				     .most = a->most,
				     .reorder = a->reorder};
		if (me->made + 1 > parent->nmakings)
			parent->nmakings = me->made + 1;
	}
	me->made++;
	if (m->kind != a->kind) {
		x->differ++;
		comms_keep(x, s->promise, NULL);
		return;
	}
	s->place = comm_place(x, parent, s->proc);
	if (a->kind == CALL_CART_SUB)
		place_in_grid(parent, a, s);
	/* The group that is not `high` comes first; each group keeps its order. */
	if (a->kind == CALL_MERGE)
		s->color = 0;
	GROW_SMALL(m->said, m->said_cap, m->nsaid + 1);
	m->said[m->nsaid++] = *s;
	a->making = m;
	if (a->kind == CALL_INTERCOMM && a->remote &&
	    comm_peer(x, parent, s->proc, a->leader) == s->proc)
		comms_when(x, a->remote, lead, a);
	go_on(x, m);
}

/* Returns a limit of the members of a grid or graph. */
static size_t
members_most(const struct call *c)
{
	const struct call_list *dims = call_list(c, ARG_DIMS);
	int64_t all = call_number(c, ARG_NODES, NUMBERS_MOST);

	if (c->kind != CALL_CART)
		return all < 0 ? 0 : (size_t)all;
	all = 1;
	for (size_t i = 0; i < dims->n && all < NUMBERS_MOST; i++)
		all *= dims->v[i] > 0 && dims->v[i] < NUMBERS_MOST ? dims->v[i] : 1;
	return (size_t)all;
}

static struct pending_call *
ask(struct comms *x, uint32_t proc, const struct call *c)
{
	const struct call_list *list = call_list(c, ARG_DIMS);
	struct pending_call *a = arena_get(&x->mem, sizeof *a);
	int64_t *v = arena_get(&x->mem, list->n * sizeof *v + 1);

	if (list->n)
		memcpy(v, list->v, list->n * sizeof *v);
	*a = (struct pending_call){.x = x,
				   .kind = c->kind,
				   .list = v,
				   .n = list->n,
				   .most = members_most(c),
				   .reorder = call_number(c, ARG_REORDER, 0) != 0,
				   .leader = call_number(c, ARG_LOCAL_LEADER, -1),
				   .remote_leader = call_number(c, ARG_REMOTE_LEADER, -1),
				   .tag = call_number(c, ARG_TAG, 0)};
	a->said = (struct member_call){
	    .proc = proc,
	    .promise = comms_promise(x),
	    .none = c->kind != CALL_WIN && c->kind != CALL_FILE &&
		    call_number(c, ARG_NEW_COMM, COMM_NULL) <= COMM_NULL,
	    .color = call_number(c, ARG_COLOR, 0),
	    .key = call_number(c, c->kind == CALL_MERGE ? ARG_HIGH : ARG_KEY, 0),
	    .group = group_of(x, proc, call_number(c, ARG_GROUP, -1))};
	if (call_has(c, ARG_REMOTE_COMM))
		a->remote = comms_of(x, proc, c->number[ARG_REMOTE_COMM]);
	return a;
}

struct promise *
comms_make(struct comms *x, uint32_t proc, const struct call *c)
{
	struct promise *parent, *made;
	struct pending_call *a;

	/* A communicator with processes of another job is not followed. */
	if (c->kind == CALL_FOREIGN) {
		made = comms_promise(x);
		if (!x->foreign.of) {
			comm_list(x, &x->foreign);
			comm_seal(&x->foreign);
		}
		comms_keep(x, made, &x->foreign);
		return made;
	}
	parent = comms_of(x, proc, call_number(c, ARG_COMM, COMM_NULL));
	a = ask(x, proc, c);
	made = a->said.promise;
	if (parent)
		comms_when(x, parent, make_of, a);
	else
		comms_keep(x, made, NULL);
	return made;
}

void
comms_size(struct comms *x, uint32_t job, uint64_t size)
{
	struct job *j = &x->job[job];
	struct comm *c = j->world ? j->world->comm : NULL;

	if (j->size || !size || size > NUMBERS_MOST)
		return;
	j->size = (uint32_t)size;
	for (size_t i = 0; c && i < c->nmakings; i++)
		if (c->making[i] && c->making[i]->nsaid)
			go_on(x, c->making[i]);
}

void
makings_free(struct comm *c)
{
	for (size_t i = 0; i < c->nmakings; i++) {
		if (c->making[i])
			free(c->making[i]->said);
		free(c->making[i]);
	}
}

/* ---- ranks and sizes that calls return ---- */

struct comm_fact {
	struct comms *x;
	uint32_t proc;
	enum call_kind kind;
	int64_t value;
};

static void
check(void *match, struct comm *c, void *arg)
{
	const struct comm_fact *t = arg;
	struct comms *x = t->x;
	struct member *me = c && c != &x->foreign ? comm_member(x, c, t->proc) : NULL;
	uint32_t place, first, all;

	(void)match;
	if (!me)
		return;
	place = comm_place(x, c, t->proc);
	first = c->of && place >= c->local ? c->local : 0;
	all = !c->of ? comm_size(x, c) : first ? c->n - first : c->local;
	x->differ += t->value != (t->kind == CALL_COMM_RANK ? place - first : all);
}

void
comms_told(struct comms *x, uint32_t proc, const struct call *c)
{
	int64_t number = call_number(c, ARG_COMM, COMM_NULL);
	struct promise *p = comms_of(x, proc, number);
	struct comm_fact now = {x, proc, c->kind, call_number(c, ARG_RANK, -1)}, *t = &now;

	if (!p || now.value < 0)
		return;
	if (number == COMM_WORLD && c->kind == CALL_COMM_SIZE)
		comms_size(x, x->proc[proc].job, (uint64_t)now.value);
	if (!p->kept) {
		t = arena_get(&x->mem, sizeof *t);
		*t = now;
	}
	comms_when(x, p, check, t);
}
