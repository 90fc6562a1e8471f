/* touched.c - blocks that are touched: see touched.h. */
#include <stdlib.h>
#include <string.h>

#include "trace-plot/touched.h"

void
touched_open(struct touched *m)
{
	for (m->nfree = 0; m->nfree < TOUCHED_MOST; m->nfree++)
		m->free[m->nfree] = TOUCHED_MOST - 1 - m->nfree;
}

static int
by_place(const void *x, const void *y)
{
	const struct block *a = x, *b = y;

	if (a->space != b->space)
		return a->space < b->space ? -1 : 1;
	return a->at < b->at ? -1 : a->at > b->at;
}

void
touched_sort(struct block *b, uint32_t n)
{
	qsort(b, n, sizeof *b, by_place);
}

uint32_t
touched_all(const struct touched *m, struct block b[TOUCHED_MOST])
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < TOUCHED_TABLE; i++)
		if (m->table[i].row)
			b[n++] = (struct block){m->table[i].at, m->table[i].space,
						m->table[i].row - 1};
	touched_sort(b, n);
	return n;
}

/* Puts a block in the table, or makes its row part of the one that is there. */
static void
touched_put(struct touched *m, struct block b, uint32_t to[TOUCHED_MOST])
{
	uint32_t k = touched_place(m, b.space, b.at);

	if (m->table[k].row) {
		to[b.row] = m->table[k].row - 1;
		m->free[m->nfree++] = b.row;
		return;
	}
	m->table[k].at = b.at;
	m->table[k].space = b.space;
	m->table[k].row = b.row + 1;
	m->n++;
}

void
touched_fold(struct touched *m, uint32_t to[TOUCHED_MOST])
{
	struct block b[TOUCHED_MOST];
	uint32_t n = touched_all(m, b);

	for (uint32_t i = 0; i < TOUCHED_MOST; i++)
		to[i] = i;
	memset(m->table, 0, sizeof m->table);
	m->j++;
	m->n = 0;
	for (uint32_t i = 0; i < n; i++) {
		b[i].at >>= 1;
		touched_put(m, b[i], to);
	}
}

/* Takes entry i out of the table; moves those behind it that would not be found any more. */
static void
take_out(struct touched *m, uint32_t i)
{
	m->n--;
	for (uint32_t k = i;;) {
		uint32_t home;

		m->table[i].row = 0;
		do {
			k = (k + 1) % TOUCHED_TABLE;
			if (!m->table[k].row)
				return;
			home = touched_home(m->table[k].space, m->table[k].at);
		} while ((k - home) % TOUCHED_TABLE < (k - i) % TOUCHED_TABLE);
		m->table[i] = m->table[k];
		i = k;
	}
}

void
touched_join(struct touched *m, uint32_t space, uint32_t to[TOUCHED_MOST])
{
	struct block b[TOUCHED_MOST];
	uint32_t n = 0;

	for (uint32_t i = 0; i < TOUCHED_MOST; i++)
		to[i] = i;
	for (uint32_t i = 0; i < TOUCHED_TABLE; i++)
		/* Again: another may have moved there. */
		while (m->table[i].row && m->table[i].space == space) {
			b[n++] = (struct block){m->table[i].at, 0, m->table[i].row - 1};
			take_out(m, i);
		}
	while (n)
		touched_put(m, b[--n], to);
}
