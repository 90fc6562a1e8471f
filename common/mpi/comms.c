/* comms.c - see comms.h: processes, worlds, members, promises. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "mpi/comms.h"

#define SPEND_LEAST (32u << 10)
#define SPEND_EACH 64

struct comm_waiting {
	struct comm_waiting *next;
	comm_fn *fn;
	void *arg;
};

/* Returns the number of the job with this name, which is made if it is new. */
uint32_t
comms_job(struct comms *x, const void *name, size_t n)
{
	uint32_t i = strtab_id(&x->job_names, name, n);

	if (i == x->njobs)
		*PUSH(x->job, x->njobs, x->job_cap) = (struct job){0};
	return i;
}

/* Returns the process of a rank of a job, which is made if it is new. */
static uint32_t
proc_of(struct comms *x, uint32_t job, uint32_t rank)
{
	uint64_t *number = numbers_at(&x->job[job].proc, rank);

	if (unlikely(!*number)) {
		*PUSH(x->proc, x->nprocs, x->proc_cap) =
		    (struct proc){.job = job, .rank = rank};
		*number = x->nprocs;
	}
	return (uint32_t)*number - 1;
}

/* ---- members ---- */

static struct comm *
new_comm(struct comms *x, const char *what)
{
	struct comm *c = xcalloc(1, sizeof *c);
	char name[48];
	int n;

	c->id = (uint32_t)x->ncomms;
	c->job = UINT32_MAX;
	c->doubtful = x->ending;
	*PUSH(x->comm, x->ncomms, x->comm_cap) = c;
	n = snprintf(name, sizeof name, "%s#%u", what, c->id);
	c->name = arena_str(&x->mem, name, (size_t)n);
	return c;
}

void
comm_list(struct comms *x, struct comm *c)
{
	c->of = xcalloc(1, sizeof *c->of);
	c->of->next = x->places;
	x->places = c->of;
	c->whole = true;
}

struct comm *
comms_new(struct comms *x, const char *what)
{
	struct comm *c = new_comm(x, what);

	comm_list(x, c);
	return c;
}

struct comm *
comms_like(struct comms *x, const char *what, const struct comm *from, size_t most)
{
	struct comm *c = new_comm(x, what);
	uint32_t n = comm_size(x, from);

	c->of = from->of;
	c->job = from->job;
	c->n = n < most ? n : (uint32_t)most;
	c->local =
	    from->of && from->local < from->n && from->local < c->n ? from->local : c->n;
	c->whole = true;
	return c;
}

bool
comms_spend(struct comms *x, uint64_t n)
{
	if (x->spent + n <= SPEND_LEAST + SPEND_EACH * x->events) {
		x->spent += n;
		return true;
	}
	x->beyond++;
	return false;
}

void
comm_add(struct comm *c, uint32_t proc)
{
	struct places *p = c->of;

	GROW_SMALL(p->proc, p->cap, p->n + 1);
	p->proc[p->n++] = proc;
	c->local = c->n = p->n;
}

void
comm_seal(struct comm *c)
{
	struct places *p = c->of;
	uint64_t *v = xcalloc(p->n + 1, sizeof *v);

	/* qsort cannot pass an argument to its comparison, so pairs of process and place are sorted. */
	for (uint32_t i = 0; i < p->n; i++)
		v[i] = (uint64_t)p->proc[i] << 32 | i;
	qsort(v, p->n, sizeof *v, u64_ascending);
	p->by_proc = xcalloc(p->n + 1, sizeof *p->by_proc);
	for (uint32_t i = 0; i < p->n; i++)
		p->by_proc[i] = (uint32_t)v[i];
	free(v);
}

uint32_t
comm_proc(struct comms *x, const struct comm *c, uint32_t place)
{
	return c->of ? c->of->proc[place] : proc_of(x, c->job, place);
}

bool
comm_add_all(struct comms *x, struct comm *c, const struct comm *from)
{
	uint32_t n = comm_size(x, from);

	if ((!n && !from->of) || !comms_spend(x, n))
		return false;
	for (uint32_t i = 0; i < n; i++)
		comm_add(c, comm_proc(x, from, i));
	return true;
}

uint32_t
comm_place(const struct comms *x, const struct comm *c, uint32_t proc)
{
	uint32_t from = 0, to = c->of ? c->of->n : 0, place;

	if (!c->of)
		return x->proc[proc].job == c->job && x->proc[proc].rank < c->n
			   ? x->proc[proc].rank
			   : NO_PLACE;
	while (from < to) {
		uint32_t middle = from + (to - from) / 2;

		if (c->of->proc[c->of->by_proc[middle]] < proc)
			from = middle + 1;
		else
			to = middle;
	}
	if (from == c->of->n)
		return NO_PLACE;
	place = c->of->by_proc[from];
	return place < c->n && c->of->proc[place] == proc ? place : NO_PLACE;
}

/* Makes a world whose size is unknown at least rank + 1 processes large. */
static void
world_up_to(struct comm *c, uint32_t rank)
{
	if (!c->whole && c->n <= rank)
		c->local = c->n = rank + 1;
}

/* Returns the number of a member's entry plus 1, or 0 if it has none. */
static uint32_t
member_number(struct comms *x, struct comm *c, uint32_t proc)
{
	uint32_t hash, i;

	if (!c->of && !c->whole)
		return x->proc[proc].member;
	hash = hash_slot(hash_add(0, proc));
	for (size_t at = hash; slots_next(&c->index, hash, &at, &i);)
		if (c->member[i].proc == proc)
			return i + 1;
	return 0;
}

struct member *
comm_member(struct comms *x, struct comm *c, uint32_t proc)
{
	const struct proc *p = &x->proc[proc];
	uint32_t i;

	if (!c->of && p->job == c->job)
		world_up_to(c, p->rank);
	if (likely(!c->of && !c->whole && p->job == c->job && p->member))
		return &c->member[p->member - 1];
	if (comm_place(x, c, proc) == NO_PLACE)
		return NULL;
	i = member_number(x, c, proc);
	if (!i) {
		GROW_SMALL(c->member, c->cap, c->nmembers + 1);
		c->member[c->nmembers++] =
		    (struct member){.proc = proc, .first = NO_OP, .last = NO_OP};
		i = c->nmembers;
		if (!c->of && !c->whole)
			x->proc[proc].member = i;
		else
			slots_add(&c->index, hash_slot(hash_add(0, proc)), i - 1);
	}
	return &c->member[i - 1];
}

uint32_t
comm_peer(struct comms *x, struct comm *c, uint32_t proc, int64_t rank)
{
	if (rank < 0 || rank >= NUMBERS_MOST)
		return NO_PROC;
	if (!c->of && !c->whole) {
		uint32_t size = x->job[c->job].size;

		if (size && rank >= size)
			return NO_PROC;
		world_up_to(c, (uint32_t)rank);
	} else if (c->local < c->n) {
		if (comm_place(x, c, proc) < c->local)
			rank += c->local;
		else if (rank >= c->local)
			return NO_PROC;
	}
	return rank < c->n ? comm_proc(x, c, (uint32_t)rank) : NO_PROC;
}

uint32_t
comm_size(const struct comms *x, const struct comm *c)
{
	return c->of || c->whole ? c->n : x->job[c->job].size;
}

/* ---- promises ---- */

struct promise *
comms_promise(struct comms *x)
{
	struct promise *p = arena_get(&x->mem, sizeof *p);

	*p = (struct promise){0};
	*PUSH(x->promise, x->npromises, x->promise_cap) = p;
	return p;
}

void
comms_keep(struct comms *x, struct promise *p, struct comm *c)
{
	if (p->kept)
		return;
	p->comm = c;
	p->kept = true;
	if (!p->first)
		return;
	/* A waiting function may keep more promises, in a chain as long as the input. These are handled
	 * afterwards, so that the calls do not nest. */
	if (x->due_last) {
		x->due_last = x->due_last->next = p;
		return;
	}
	for (x->due = x->due_last = p; (p = x->due) != NULL; x->due = p->next)
		while (p->first) {
			struct comm_waiting *w = p->first;

			p->first = w->next;
			w->fn(x->match, p->comm, w->arg);
		}
	x->due_last = NULL;
}

void
comms_when(struct comms *x, struct promise *p, comm_fn *fn, void *arg)
{
	struct comm_waiting *w;

	if (p->kept && !p->first) {
		fn(x->match, p->comm, arg);
		return;
	}
	w = arena_get(&x->mem, sizeof *w);
	*w = (struct comm_waiting){NULL, fn, arg};
	if (p->first)
		p->last->next = w;
	else
		p->first = w;
	p->last = w;
}

static struct promise *
world_of(struct comms *x, uint32_t job)
{
	struct promise *p = x->job[job].world;

	if (!p) {
		p = x->job[job].world = comms_promise(x);
		p->comm = new_comm(x, "MPI_COMM_WORLD");
		/* The first job keeps the well-known name. */
		if (!job)
			p->comm->name = "MPI_COMM_WORLD";
		p->comm->job = job;
		p->comm->doubtful = x->ending && !x->job[job].size;
		p->kept = true;
	}
	return p;
}

static struct promise *
self_of(struct comms *x, uint32_t proc)
{
	struct promise *p = x->proc[proc].self;

	if (!p) {
		p = comms_promise(x);
		p->comm = comms_new(x, "MPI_COMM_SELF");
		p->comm->name = "MPI_COMM_SELF";
		comm_add(p->comm, proc);
		comm_seal(p->comm);
		p->kept = true;
		x->proc[proc].self = p;
	}
	return p;
}

/* Makes `number` in a process mean the communicator `made` from now on. */
void
comms_set(struct comms *x, uint32_t proc, int64_t number, struct promise *made)
{
	if (number <= COMM_SELF || number >= NUMBERS_MOST)
		return;
	*(struct promise **)numbers_at(&x->proc[proc].comm, (uint32_t)number) = made;
}

struct promise *
comms_of(struct comms *x, uint32_t proc, int64_t number)
{
	struct promise **have, *made;

	if (number == COMM_WORLD)
		return world_of(x, x->proc[proc].job);
	if (number == COMM_SELF)
		return self_of(x, proc);
	if (number <= COMM_NULL || number >= NUMBERS_MOST)
		return NULL;
	have = numbers_get(x->proc[proc].comm, (uint32_t)number);
	made = have ? *have : NULL;
	if (made || x->ending)
		return made;
	/* The call that made it was not recorded. */
	made = comms_promise(x);
	comms_set(x, proc, number, made);
	return made;
}

uint32_t
comms_proc(struct comms *x, const char *loc, bool jobs)
{
	size_t job = jobs ? strcspn(loc, "/") : 0;
	const char *digits = loc + job + (jobs && loc[job] == '/');
	unsigned long rank = strtoul(digits, NULL, 10);

	if (*digits < '0' || *digits > '9' || rank >= NUMBERS_MOST) {
		x->odd++;
		rank = NUMBERS_MOST - 1;
	}
	return proc_of(x, comms_job(x, loc, job), (uint32_t)rank);
}

uint32_t
comms_at(struct comms *x, const struct source *s, const struct rec *r)
{
	x->events++;
	CACHE(x->place, x->place_cache, s, r->loc + 1);
	if (!x->place[r->loc]) {
		const struct head *h = &s->head;

		x->place[r->loc] =
		    comms_proc(x, s->t.str.v[r->loc].s,
			       h->nlocparts && !strcmp(h->locpart[0], "job")) +
		    1;
	}
	return x->place[r->loc] - 1;
}
