/* comms.c - see comms.h: processes, worlds, members, promises. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "mpi/comms.h"

struct comm_waiting {
	struct comm_waiting *next;
	comm_fn *fn;
	void *arg;
};

/* The job of a name, made where it is new. */
uint32_t
comms_job(struct comms *x, const void *name, size_t n)
{
	uint32_t i = strtab_id(&x->job_names, name, n);

	if (i == x->njobs)
		*PUSH(x->job, x->njobs, x->job_cap) = (struct job){0};
	return i;
}

/* The same of the process of a rank of a job. */
static uint32_t
proc_of(struct comms *x, uint32_t job, uint32_t rank)
{
	uint32_t key[2] = {job, rank}, i = strtab_id(&x->procs, key, sizeof key);

	if (i == x->nprocs)
		*PUSH(x->proc, x->nprocs, x->proc_cap) =
		    (struct proc){.job = job, .rank = rank};
	return i;
}

/* ---- members ---- */

struct comm *
comms_new(struct comms *x, const char *what)
{
	struct comm *c = xcalloc(1, sizeof *c);
	char name[48];
	int n;

	c->id = (uint32_t)x->ncomms;
	c->job = UINT32_MAX;
	*PUSH(x->comm, x->ncomms, x->comm_cap) = c;
	n = snprintf(name, sizeof name, "%s#%u", what, c->id);
	c->name = arena_str(&x->mem, name, (size_t)n);
	return c;
}

void
comm_add(struct comm *c, uint32_t proc)
{
	GROW(c->member, c->cap, c->n + 1);
	c->member[c->n++] = (struct member){.proc = proc, .first = NO_OP, .last = NO_OP};
	c->local = c->n;
}

void
comm_seal(struct comm *c)
{
	uint64_t *v = xcalloc(c->n + 1, sizeof *v);

	/* qsort has no place for an argument: pairs of process and place are sorted. */
	for (uint32_t i = 0; i < c->n; i++)
		v[i] = (uint64_t)c->member[i].proc << 32 | i;
	qsort(v, c->n, sizeof *v, u64_ascending);
	c->by_proc = xcalloc(c->n + 1, sizeof *c->by_proc);
	for (uint32_t i = 0; i < c->n; i++)
		c->by_proc[i] = (uint32_t)v[i];
	free(v);
}

/* A world has members up to that rank. */
static void
world_up_to(struct comms *x, struct comm *c, uint32_t rank)
{
	while (c->n <= rank)
		comm_add(c, proc_of(x, c->job, c->n));
}

bool
comm_add_all(struct comms *x, struct comm *c, struct comm *from)
{
	if (!from->by_proc) {
		if (!x->job[from->job].size)
			return false;
		world_up_to(x, from, x->job[from->job].size - 1);
	}
	for (uint32_t i = 0; i < from->n; i++)
		comm_add(c, from->member[i].proc);
	return true;
}

uint32_t
comm_place(const struct comms *x, const struct comm *c, uint32_t proc)
{
	uint32_t from = 0, to = c->n;

	if (!c->by_proc)
		return x->proc[proc].job == c->job && x->proc[proc].rank < c->n
			   ? x->proc[proc].rank
			   : NO_PLACE;
	while (from < to) {
		uint32_t middle = from + (to - from) / 2;

		if (c->member[c->by_proc[middle]].proc < proc)
			from = middle + 1;
		else
			to = middle;
	}
	return from < c->n && c->member[c->by_proc[from]].proc == proc ? c->by_proc[from]
								       : NO_PLACE;
}

struct member *
comm_member(struct comms *x, struct comm *c, uint32_t proc)
{
	uint32_t i;

	if (!c->by_proc && x->proc[proc].job == c->job)
		world_up_to(x, c, x->proc[proc].rank);
	i = comm_place(x, c, proc);
	return i == NO_PLACE ? NULL : &c->member[i];
}

uint32_t
comm_peer(struct comms *x, struct comm *c, uint32_t proc, int64_t rank)
{
	if (rank < 0 || rank >= NUMBERS_MOST)
		return NO_PROC;
	if (!c->by_proc) {
		uint32_t size = x->job[c->job].size;

		if (size && rank >= size)
			return NO_PROC;
		world_up_to(x, c, (uint32_t)rank);
	} else if (c->local < c->n) {
		if (comm_place(x, c, proc) < c->local)
			rank += c->local;
		else if (rank >= c->local)
			return NO_PROC;
	}
	return rank < c->n ? c->member[rank].proc : NO_PROC;
}

uint32_t
comm_size(const struct comms *x, const struct comm *c)
{
	return c->by_proc ? c->n : x->job[c->job].size;
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
	/* What waits may ask for more to wait. */
	while (p->first) {
		struct comm_waiting *w = p->first;

		p->first = w->next;
		w->fn(x->match, c, w->arg);
	}
	p->last = NULL;
}

void
comms_when(struct comms *x, struct promise *p, comm_fn *fn, void *arg)
{
	struct comm_waiting *w;

	if (p->kept) {
		fn(x->match, p->comm, arg);
		return;
	}
	w = arena_get(&x->mem, sizeof *w);
	*w = (struct comm_waiting){NULL, fn, arg};
	if (p->last)
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
		p->comm = comms_new(x, "MPI_COMM_WORLD");
		/* Of the first job as people know it. */
		if (!job)
			p->comm->name = "MPI_COMM_WORLD";
		p->comm->job = job;
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

/* From here on a process means `made` by that number. */
void
comms_set(struct comms *x, uint32_t proc, int64_t number, struct promise *made)
{
	struct proc *p = &x->proc[proc];

	if (number <= COMM_SELF || number >= NUMBERS_MOST)
		return;
	GROW(p->comm, p->comm_cap, (size_t)number + 1);
	p->comm[number] = made;
}

struct promise *
comms_of(struct comms *x, uint32_t proc, int64_t number)
{
	struct proc *p = &x->proc[proc];

	if (number == COMM_WORLD)
		return world_of(x, p->job);
	if (number == COMM_SELF)
		return self_of(x, proc);
	if (number <= COMM_NULL || number >= NUMBERS_MOST)
		return NULL;
	if ((size_t)number >= p->comm_cap || !p->comm[number])
		/* Its making was not seen. */
		comms_set(x, proc, number, comms_promise(x));
	return x->proc[proc].comm[number];
}

uint32_t
comms_at(struct comms *x, const struct source *s, const struct rec *r)
{
	CACHE(x->place, x->place_cache, s, r->loc + 1);
	if (!x->place[r->loc]) {
		const struct head *h = &s->head;
		const char *loc = s->t.str.v[r->loc].s;
		bool jobs = h->nlocparts && !strcmp(h->locpart[0], "job");
		size_t job = jobs ? strcspn(loc, "/") : 0;
		unsigned long rank =
		    strtoul(loc + job + (jobs && loc[job] == '/'), NULL, 10);

		rank = rank < NUMBERS_MOST ? rank : NUMBERS_MOST - 1;
		x->place[r->loc] = proc_of(x, comms_job(x, loc, job), (uint32_t)rank) + 1;
	}
	return x->place[r->loc] - 1;
}
