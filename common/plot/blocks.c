/* blocks.c - blocks that are touched: see blocks.h. */
#include <stdlib.h>
#include <string.h>

#include "plot/blocks.h"

void
blocks_open(struct blocks *m)
{
	for (m->nfree = 0; m->nfree < BLOCKS; m->nfree++)
		m->free[m->nfree] = BLOCKS - 1 - m->nfree;
}

static int
by_place(const void *x, const void *y)
{
	const struct block *a = x, *b = y;

	return a->at < b->at ? -1 : a->at > b->at;
}

uint32_t
blocks_all(const struct blocks *m, struct block b[BLOCKS])
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < BLOCKS_TABLE; i++)
		if (m->table[i].row)
			b[n++] = (struct block){m->table[i].at, m->table[i].row - 1};
	qsort(b, n, sizeof *b, by_place);
	return n;
}

void
blocks_fold(struct blocks *m, uint32_t to[BLOCKS])
{
	struct block b[BLOCKS];
	uint32_t n = blocks_all(m, b);

	for (uint32_t i = 0; i < BLOCKS; i++)
		to[i] = i;
	memset(m->table, 0, sizeof m->table);
	m->j++;
	m->n = 0;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t at = blocks_place(m, b[i].at >> 1);

		if (!m->table[at].row) {
			m->table[at].at = b[i].at >> 1;
			m->table[at].row = b[i].row + 1;
			m->n++;
			continue;
		}
		to[b[i].row] = m->table[at].row - 1;
		m->free[m->nfree++] = b[i].row;
	}
}
