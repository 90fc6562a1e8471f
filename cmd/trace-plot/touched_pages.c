/* touched_pages.c - blocks that are touched: see touched_pages.h. */
#include <stdlib.h>
#include <string.h>

#include "trace-plot/touched_pages.h"

void
touched_open(struct touched_pages *m)
{
	for (m->nfree = 0; m->nfree < TOUCHED_MOST; m->nfree++)
		m->free[m->nfree] = TOUCHED_MOST - 1 - m->nfree;
}

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
	uint32_t n = 0;

	for (uint32_t i = 0; i < TOUCHED_TABLE; i++)
		if (m->table[i].row)
			b[n++] = (struct touched_block){m->table[i].at, m->table[i].space,
							m->table[i].row - 1};
	touched_sort(b, n);
	return n;
}

void
touched_fold(struct touched_pages *m, uint32_t space, uint32_t to[TOUCHED_MOST])
{
	struct touched_block b[TOUCHED_MOST];
	uint32_t n = touched_all(m, b);

	for (uint32_t i = 0; i < TOUCHED_MOST; i++)
		to[i] = i;
	memset(m->table, 0, sizeof m->table);
	m->j += !space;
	m->n = 0;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t of = b[i].space == space ? 0 : b[i].space, k;
		uint64_t at = b[i].at >> !space;

		k = touched_place(m, of, at);
		if (m->table[k].row) {
			to[b[i].row] = m->table[k].row - 1;
			m->free[m->nfree++] = b[i].row;
			continue;
		}
		m->table[k].at = at;
		m->table[k].space = of;
		m->table[k].row = b[i].row + 1;
		m->n++;
	}
}
