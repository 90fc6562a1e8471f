/* touched_pages.c - blocks that are touched: see touched_pages.h. */
#include <stdlib.h>
#include <string.h>

#include "trace-plot/touched_pages.h"

static int
cmp_by_block(const void *x, const void *y)
{
	const struct touched_block *a = x, *b = y;

	if (a->space != b->space)
		return a->space < b->space ? -1 : 1;
	return a->at < b->at ? -1 : a->at > b->at;
}

void
touched_sort(struct touched_block *b, uint32_t n)
{
	qsort(b, n, sizeof *b, cmp_by_block);
}

uint32_t
touched_all(const struct touched_pages *m, struct touched_block b[TOUCHED_MOST])
{
	memcpy(b, m->block, m->n * sizeof *b);
	touched_sort(b, m->n);
	return m->n;
}

void
touched_fold(struct touched_pages *m, uint32_t space, uint32_t to[TOUCHED_MOST])
{
	const struct touched_pages old = *m;

	memset(m->table, 0, sizeof m->table);
	m->j += !space;
	m->n = 0;
	for (uint32_t i = 0; i < TOUCHED_MOST; i++)
		to[i] = i;
	for (uint32_t i = 0; i < old.n; i++) {
		const struct touched_block *b = &old.block[i];

		to[i] = touched_row(m, b->space == space ? 0 : b->space, b->at << old.j);
	}
}
