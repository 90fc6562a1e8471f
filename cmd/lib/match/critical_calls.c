/* critical_calls.c - see critical_calls.h: pages of calls, of which each has one place in memory. */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/compiler.h"
#include "base/die.h"
#include "base/in.h"
#include "base/out.h"
#include "base/sandbox.h"
#include "base/tuning.h"
#include "match/critical_calls.h"

#define PAGE_CALLS 256
#define PAGE_BYTES (PAGE_CALLS * sizeof(struct critical_call))
/* Bound: trace-match | calls of --critical in memory | calls | 40 MiB | - */
#define CALLS_MOST (40u << 20) /* bytes of pages in memory */

struct critical_page {
	struct critical_call *v; /* PAGE_CALLS calls; NULL until the first page comes */
	uint64_t number;	 /* number of the page */
	bool changed;		 /* differs from the file */
};

void
critical_calls_start(struct critical_calls *c)
{
	uint64_t most = tuning.wait ? tuning.wait : CALLS_MOST;

	*c = (struct critical_calls){.fd = -1, .npages = (size_t)(most / PAGE_BYTES) + 1};
	c->page = xcalloc(c->npages, sizeof *c->page);
}

void
critical_calls_free(struct critical_calls *c)
{
	for (size_t i = 0; i < c->npages && c->page; i++)
		free(c->page[i].v);
	FREE(c->page);
	if (c->fd >= 0)
		close(c->fd);
	c->fd = -1;
	c->n = 0;
}

static _Noreturn void
calls_file_failed(int err)
{
	errno = err ? err : EIO;
	die("cannot use a temporary file for the calls of --critical:");
}

/* Puts page `number` into p, after the page that is there has gone to the file. A new page is not read. */
static void
turn_page(struct critical_calls *c, struct critical_page *p, uint64_t number, bool new)
{
	int err = 0;

	if (p->v && p->changed) {
		if (c->fd < 0 && (c->fd = sandbox_temporary()) < 0)
			calls_file_failed(errno);
		if (out_at(c->fd, p->v, PAGE_BYTES, p->number * PAGE_BYTES, &err) <
		    PAGE_BYTES)
			calls_file_failed(err);
	}
	if (!p->v)
		p->v = xcalloc(1, PAGE_BYTES);
	if (!new &&in_at(c->fd, p->v, PAGE_BYTES, number * PAGE_BYTES, &err) < PAGE_BYTES)
		calls_file_failed(err);
	p->number = number;
	p->changed = false;
}

struct critical_call *
critical_calls_at(struct critical_calls *c, uint64_t i, bool change)
{
	uint64_t number = (i - 1) / PAGE_CALLS;
	struct critical_page *p = &c->page[number % c->npages];

	if (unlikely(!p->v || p->number != number))
		turn_page(c, p, number, false);
	p->changed |= change;
	return &p->v[(i - 1) % PAGE_CALLS];
}

uint64_t
critical_calls_add(struct critical_calls *c, const struct critical_call *call)
{
	uint64_t number = c->n / PAGE_CALLS;

	if (c->n++ % PAGE_CALLS == 0)
		turn_page(c, &c->page[number % c->npages], number, true);
	*critical_calls_at(c, c->n, true) = *call;
	return c->n;
}
