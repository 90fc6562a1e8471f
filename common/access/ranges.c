/* ranges.c - see ranges.h. */
#include <stdlib.h>

#include "access/ranges.h"
#include "base/die.h"

static int
by_place(const void *x, const void *y)
{
	const struct range *a = x, *b = y;

	if (a->at != b->at)
		return a->at < b->at ? -1 : 1;
	return a->end < b->end ? -1 : a->end > b->end;
}

void
ranges_settle(struct ranges *r)
{
	size_t n = 0;

	if (!r->n)
		return;
	qsort(r->v, r->n, sizeof *r->v, by_place);
	for (size_t i = 1; i < r->n; i++) {
		if (r->v[i].at > r->v[n].end)
			r->v[++n] = r->v[i];
		else if (r->v[i].end > r->v[n].end)
			r->v[n].end = r->v[i].end;
	}
	r->n = n + 1;
}

void
ranges_add(struct ranges *r, uint64_t at, uint64_t end)
{
	struct range *last = r->n ? &r->v[r->n - 1] : NULL;

	if (at == end)
		return;
	if (last && at >= last->at && at <= last->end) {
		last->end = end > last->end ? end : last->end;
		return;
	}
	/* Settled before it grows, and grown where that left it more than half full: so that the work is
	 * in proportion to what is added. */
	if (r->n == r->cap && r->n) {
		ranges_settle(r);
		if (r->n > r->cap / 2)
			GROW_SMALL(r->v, r->cap, r->cap + 1);
	}
	GROW_SMALL(r->v, r->cap, r->n + 1);
	r->v[r->n++] = (struct range){at, end};
}

struct edge {
	uint64_t at;
	int way;
};

static int
by_edge(const void *x, const void *y)
{
	const struct edge *a = x, *b = y;

	if (a->at != b->at)
		return a->at < b->at ? -1 : 1;
	return a->way - b->way;
}

void
ranges_share(struct ranges **sets, size_t n, uint64_t *any, uint64_t *shared)
{
	struct edge *v;
	size_t all = 0, k = 0, depth = 0;

	*any = *shared = 0;
	for (size_t i = 0; i < n; i++)
		all += 2 * sets[i]->n;
	v = xcalloc(all + 1, sizeof *v);
	for (size_t i = 0; i < n; i++) {
		for (size_t j = 0; j < sets[i]->n; j++) {
			v[k++] = (struct edge){sets[i]->v[j].at, 1};
			v[k++] = (struct edge){sets[i]->v[j].end, -1};
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
