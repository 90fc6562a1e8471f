/* sharing.c - bytes of a file that several nodes have touched. */
#include <stdlib.h>

#include "access/access.h"

/* Ranges of all flows: 64 MiB. */
#define RANGES_MOST (1u << 22)

void
sharing_request(struct access *x, const struct request *r)
{
	struct ranges *to = &x->flow[r->flow].touched;

	if (x->too_many)
		return;
	x->nranges -= to->cap;
	ranges_add(to, r->at, r->at + r->size);
	x->nranges += to->cap;
	x->too_many = x->nranges > RANGES_MOST;
	for (uint32_t i = 0; x->too_many && i < x->nflows; i++) {
		free(x->flow[i].touched.v);
		x->flow[i].touched = (struct ranges){0};
	}
}

struct by_file {
	uint32_t file, flow;
};

static int
by_file(const void *x, const void *y)
{
	const struct by_file *a = x, *b = y;

	if (a->file != b->file)
		return a->file < b->file ? -1 : 1;
	return a->flow < b->flow ? -1 : a->flow > b->flow;
}

void
sharing_finish(struct access *x)
{
	struct by_file *v = xcalloc(x->nflows + 1, sizeof *v);
	struct ranges **sets = xcalloc(x->nflows + 1, sizeof *sets);
	size_t from = 0;

	for (uint32_t i = 0; i < x->nflows; i++)
		v[i] = (struct by_file){x->flow[i].file, i};
	qsort(v, x->nflows, sizeof *v, by_file);
	for (uint32_t i = 0; i < x->nflows; i++) {
		struct file *f = &x->file[v[i].file];

		sets[i] = &x->flow[v[i].flow].touched;
		ranges_settle(sets[i]);
		if (i + 1 == x->nflows || v[i + 1].file != v[i].file) {
			ranges_share(sets + from, i + 1 - from, &f->touched, &f->shared);
			from = i + 1;
		}
	}
	free(v);
	free(sets);
}
