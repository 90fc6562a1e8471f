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
static uint32_t
job_of(struct comms *x, const void *name, size_t n)
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

/* qsort has no place for an argument: pairs of process and place are sorted. */
static int
by_number(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

void
comm_seal(struct comm *c)
{
	uint64_t *v = xcalloc(c->n + 1, sizeof *v);

	for (uint32_t i = 0; i < c->n; i++)
		v[i] = (uint64_t)c->member[i].proc << 32 | i;
	qsort(v, c->n, sizeof *v, by_number);
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
static void
set_number(struct comms *x, uint32_t proc, int64_t number, struct promise *made)
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
		set_number(x, proc, number, comms_promise(x));
	return x->proc[proc].comm[number];
}

void
comms_size(struct comms *x, uint32_t job, uint64_t size)
{
	struct job *j = &x->job[job];

	if (j->size || !size || size > NUMBERS_MOST)
		return;
	j->size = (uint32_t)size;
	if (j->world)
		makings_again(x, j->world->comm);
}

/* ---- calls ---- */

void
comms_head(struct comms *x, const struct head *h)
{
	/* meta.numprocs, or of job J J.meta.numprocs. */
	static const char numprocs[] = "meta.numprocs";

	for (size_t i = 0; i < h->nmeta; i++) {
		const char *k = h->meta[i].key;
		size_t n = strlen(k), job = n - (sizeof numprocs - 1);

		if (n < sizeof numprocs - 1 || strcmp(k + job, numprocs) != 0)
			continue;
		comms_size(x, job_of(x, k, job ? job - 1 : 0),
			   strtoull(h->meta[i].value, NULL, 10));
	}
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
		x->place[r->loc] = proc_of(x, job_of(x, loc, job), (uint32_t)rank) + 1;
	}
	return x->place[r->loc] - 1;
}

static bool
makes(enum call_kind k)
{
	return k >= CALL_DUP && k <= CALL_FOREIGN;
}

void
comms_call(struct comms *x, uint32_t proc, const struct call *c)
{
	if (makes(c->kind)) {
		struct promise *made = comms_make(x, proc, c);
		struct proc *p = &x->proc[proc];

		*PUSH(p->made, p->nmade, p->made_cap) = made;
		set_number(x, proc, call_number(c, ARG_NEW_COMM, COMM_NULL), made);
	} else if (c->kind == CALL_COMM_RANK || c->kind == CALL_COMM_SIZE) {
		comms_told(x, proc, c);
	} else if (c->kind >= CALL_GROUP_OF && c->kind <= CALL_DIFFERENCE) {
		groups_call(x, proc, c);
	}
}

void
comms_again(struct comms *x)
{
	for (size_t i = 0; i < x->nprocs; i++) {
		struct proc *p = &x->proc[i];

		p->passed = 0;
		if (p->comm)
			memset(p->comm, 0, p->comm_cap * sizeof *p->comm);
	}
}

void
comms_pass(struct comms *x, uint32_t proc, const struct call *c)
{
	struct proc *p = &x->proc[proc];

	if (makes(c->kind) && p->passed < p->nmade)
		set_number(x, proc, call_number(c, ARG_NEW_COMM, COMM_NULL),
			   p->made[p->passed++]);
}

void
comms_end(struct comms *x)
{
	for (uint32_t i = 0; i < x->njobs; i++)
		if (x->job[i].world)
			comms_size(x, i, x->job[i].world->comm->n);
	/* The members of what depends on it may become known in turn: the list grows. */
	for (size_t i = 0; i < x->npromises; i++)
		comms_keep(x, x->promise[i], NULL);
}

void
comms_free(struct comms *x)
{
	for (size_t i = 0; i < x->ncomms; i++) {
		makings_free(x->comm[i]);
		free(x->comm[i]->member);
		free(x->comm[i]->by_proc);
		free(x->comm[i]->making);
		free(x->comm[i]->instance);
		free(x->comm[i]);
	}
	for (size_t i = 0; i < x->nprocs; i++) {
		free(x->proc[i].comm);
		free(x->proc[i].group);
		free(x->proc[i].made);
		free(x->proc[i].request);
	}
	free(x->comm);
	free(x->proc);
	free(x->job);
	free(x->promise);
	free(x->half);
	free(x->place);
	strtab_free(&x->job_names);
	strtab_free(&x->procs);
	strtab_free(&x->halves);
	arena_free(&x->mem);
	free(x->foreign.by_proc);
	memset(x, 0, sizeof *x);
}
