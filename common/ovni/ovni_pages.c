/* ovni_pages.c - a temporary file as memory: see ovni_trace.h. */
#define _XOPEN_SOURCE 700
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/die.h"
#include "base/out.h"
#include "input/fault.h"
#include "ovni/ovni_trace.h"

#define NO_PAGE UINT64_MAX
#define TOGETHER 32 /* limit of pages written at a time */

void
ovni_pages_open(struct source *s, struct ovni_pages *p, int fd, unsigned held)
{
	*p = (struct ovni_pages){.s = s, .fd = fd, .held = held};
	p->mem = xmalloc((size_t)held * OVNI_PAGE);
	p->slot = xcalloc(held, sizeof *p->slot);
	for (unsigned i = 0; i < held; i++)
		p->slot[i].page = NO_PAGE;
}

static void
failed(struct ovni_pages *p, int err)
{
	if (!p->failed)
		fault(p->s, NULL, COST_STATUS, p->s->name, NOWHERE,
		      "cannot use a temporary file: %s", strerror(err ? err : EIO));
	p->failed = true;
}

/* Writes a changed page to the file, together with the changed pages that follow it in the file and in memory. */
static void
write_back(struct ovni_pages *p, unsigned i)
{
	const uint8_t *b = p->mem + (size_t)i * OVNI_PAGE;
	size_t n = 0;
	int err;

	for (unsigned k = i; k < p->held && p->slot[k].dirty && n < TOGETHER * OVNI_PAGE;
	     k++) {
		if (p->slot[k].page != p->slot[i].page + (k - i))
			break;
		p->slot[k].dirty = false;
		n += OVNI_PAGE;
	}
	if (n && !p->failed && out_at(p->fd, b, n, p->slot[i].page * OVNI_PAGE, &err) < n)
		failed(p, err);
}

uint8_t *
ovni_pages_get(struct ovni_pages *p, uint64_t page)
{
	unsigned i = (unsigned)(page & (p->held - 1));
	uint8_t *at = p->mem + (size_t)i * OVNI_PAGE;
	size_t got = 0;
	int err;

	if (p->slot[i].page == page)
		return at;
	write_back(p, i);
	p->slot[i].page = page;
	/* The file grows page by page: bytes after its end are zero. */
	if (page < p->n && !p->failed) {
		got = in_at(p->fd, at, OVNI_PAGE, page * OVNI_PAGE, &err);
		if (err)
			failed(p, err);
	}
	memset(at + got, 0, OVNI_PAGE - got);
	p->n = page >= p->n ? page + 1 : p->n;
	return at;
}

void
ovni_pages_free(struct ovni_pages *p)
{
	FREE(p->mem);
	FREE(p->slot);
}
