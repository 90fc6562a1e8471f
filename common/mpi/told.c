/* told.c - handles calls about communicators, in the first pass and in the second one, when all are known. */
#include <stdlib.h>
#include <string.h>

#include "mpi/comms.h"

void
comms_head(struct comms *x, const struct head *h)
{
	/* The key is meta.numprocs, or J.meta.numprocs for the job J. */
	static const char numprocs[] = "meta.numprocs";

	for (size_t i = 0; i < h->nmeta; i++) {
		const char *k = h->meta[i].key;
		size_t n = strlen(k), job = n - (sizeof numprocs - 1);

		if (n < sizeof numprocs - 1 || strcmp(k + job, numprocs) != 0)
			continue;
		comms_size(x, comms_job(x, k, job ? job - 1 : 0),
			   strtoull(h->meta[i].value, NULL, 10));
	}
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
		comms_set(x, proc, call_number(c, ARG_NEW_COMM, COMM_NULL), made);
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
		numbers_clear(p->comm);
	}
}

void
comms_pass(struct comms *x, uint32_t proc, int64_t number)
{
	struct proc *p = &x->proc[proc];

	comms_set(x, proc, number, p->passed < p->nmade ? p->made[p->passed] : NULL);
	p->passed++;
}

void
comms_end(struct comms *x)
{
	x->ending = true;
	for (uint32_t i = 0; i < x->njobs; i++)
		if (x->job[i].world) {
			x->job[i].world->comm->doubtful = !x->job[i].size;
			comms_size(x, i, x->job[i].world->comm->n);
		}
	/* Keeping one promise may make others known, and the list may grow. */
	for (size_t i = 0; i < x->npromises; i++)
		comms_keep(x, x->promise[i], NULL);
}

void
comms_free(struct comms *x)
{
	for (size_t i = 0; i < x->ncomms; i++) {
		makings_free(x->comm[i]);
		free(x->comm[i]->member);
		slots_free(&x->comm[i]->index);
		free(x->comm[i]->making);
		free(x->comm[i]->instance);
		free(x->comm[i]);
	}
	for (size_t i = 0; i < x->nprocs; i++) {
		numbers_free(x->proc[i].comm);
		numbers_free(x->proc[i].group);
		numbers_free(x->proc[i].request);
		numbers_free(x->proc[i].handle);
		free(x->proc[i].made);
	}
	for (struct places *p = x->places, *next; p; p = next) {
		next = p->next;
		free(p->proc);
		free(p->by_proc);
		free(p);
	}
	for (size_t i = 0; i < x->njobs; i++)
		numbers_free(x->job[i].proc);
	free(x->comm);
	free(x->proc);
	free(x->job);
	free(x->promise);
	free(x->half);
	free(x->place);
	strtab_free(&x->job_names);
	strtab_free(&x->halves);
	arena_free(&x->mem);
	memset(x, 0, sizeof *x);
}
