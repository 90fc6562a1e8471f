/* sharing.c - bytes of a file that several nodes touched. */
#include <stdlib.h>

#include "trace-access/access.h"

/* Limit of ranges of all flows: 64 MiB. */
/* Bound: trace-access | ranges of bytes | requests that lie apart | 4194304 | too many ranges (in the table, status 0) */
#define RANGES_MOST (1u << 22)

static int
cmp_by_offset(const void *x, const void *y)
{
	const struct range *a = x, *b = y;

	if (a->at != b->at)
		return a->at < b->at ? -1 : 1;
	return a->end < b->end ? -1 : a->end > b->end;
}

/* Sorts the ranges by address, and joins adjacent ones. */
static void
settle(struct ranges *r)
{
	size_t n = 0;

	if (!r->n)
		return;
	qsort(r->v, r->n, sizeof *r->v, cmp_by_offset);
	for (size_t i = 1; i < r->n; i++) {
		if (r->v[i].at > r->v[n].end)
			r->v[++n] = r->v[i];
		else if (r->v[i].end > r->v[n].end)
			r->v[n].end = r->v[i].end;
	}
	r->n = n + 1;
}

/* Adds the bytes from `at` up to `end`. */
static void
sharing_add(struct ranges *r, uint64_t at, uint64_t end)
{
	struct range *last = r->n ? &r->v[r->n - 1] : NULL;

	if (at == end)
		return;
	if (last && at >= last->at && at <= last->end) {
		last->end = end > last->end ? end : last->end;
		return;
	}
	/* Settle before growing, and grow only if more than half remain: so the work is in proportion to the
	 * ranges added. */
	if (r->n == r->cap && r->n) {
		settle(r);
		if (r->n > r->cap / 2)
			GROW_SMALL(r->v, r->cap, r->cap + 1);
	}
	GROW_SMALL(r->v, r->cap, r->n + 1);
	r->v[r->n++] = (struct range){at, end};
}

struct brink {
	uint64_t at;
	int way;
};

static int
by_edge(const void *x, const void *y)
{
	const struct brink *a = x, *b = y;

	if (a->at != b->at)
		return a->at < b->at ? -1 : 1;
	return a->way - b->way;
}

/* Counts the bytes in any of `n` settled sets, and in more than one. Empties the sets. */
static void
share(struct ranges **sets, size_t n, uint64_t *any, uint64_t *shared)
{
	struct brink *v;
	size_t all = 0, k = 0, depth = 0;

	*any = *shared = 0;
	for (size_t i = 0; i < n; i++)
		all += 2 * sets[i]->n;
	v = xcalloc(all + 1, sizeof *v);
	for (size_t i = 0; i < n; i++) {
		for (size_t j = 0; j < sets[i]->n; j++) {
			v[k++] = (struct brink){sets[i]->v[j].at, 1};
			v[k++] = (struct brink){sets[i]->v[j].end, -1};
		}
		free(sets[i]->v);
		*sets[i] = (struct ranges){0};
	}
	qsort(v, all, sizeof *v, by_edge);
	for (size_t i = 0; i < all; i++) {
		uint64_t length = i ? v[i].at - v[i - 1].at : 0;

		*any += depth ? length : 0;
		*shared += depth > 1 ? length : 0;
		depth += v[i].way > 0 ? 1 : SIZE_MAX;
	}
	free(v);
}

void
sharing_request(struct access *x, const struct access_request *r)
{
	struct ranges *to = &x->flow[r->flow].touched;

	if (x->too_many)
		return;
	x->nranges -= to->cap;
	sharing_add(to, r->at, r->at + r->size);
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
		struct access_file *f = &x->file[v[i].file];

		sets[i] = &x->flow[v[i].flow].touched;
		settle(sets[i]);
		if (i + 1 == x->nflows || v[i + 1].file != v[i].file) {
			share(sets + from, i + 1 - from, &f->touched, &f->shared);
			from = i + 1;
		}
	}
	free(v);
	free(sets);
}
