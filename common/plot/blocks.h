/*
 * blocks.h - numbers of 64 bits in blocks of 2^j, of which only those that something touches take memory.
 *
 * When more than BLOCKS are touched, j grows and pairs become one. So j is the least with which there is
 * room for all, whatever the order of the numbers, and however far apart they are.
 */
#ifndef SPOOR_PLOT_BLOCKS_H
#define SPOOR_PLOT_BLOCKS_H

#include <stdint.h>

#include "base/compiler.h"

#define BLOCKS 256u
#define BLOCKS_TABLE (4 * BLOCKS)
#define NO_ROW UINT32_MAX

/* Zero it, then blocks_open. */
struct blocks {
	unsigned j;
	uint32_t n; /* touched */
	struct {
		uint64_t at;
		uint32_t row; /* + 1; 0: free */
	} table[BLOCKS_TABLE];
	uint32_t free[BLOCKS], nfree; /* rows without a block */
};

struct block {
	uint64_t at; /* its first number >> j */
	uint32_t row;
};

void blocks_open(struct blocks *m);
/* Where block `at` is in the table, or would be. */
static inline uint32_t
blocks_place(const struct blocks *m, uint64_t at)
{
	uint32_t i = (uint32_t)((at * 0x9e3779b97f4a7c15u) >> 54);

	while (m->table[i].row && m->table[i].at != at)
		i = (i + 1) % BLOCKS_TABLE;
	return i;
}
/* The row of the block with the number a, which may be new; NO_ROW where there is no room for it. */
static inline uint32_t
blocks_row(struct blocks *m, uint64_t a)
{
	uint32_t at = blocks_place(m, a >> m->j);

	if (likely(m->table[at].row))
		return m->table[at].row - 1;
	if (m->n == BLOCKS)
		return NO_ROW;
	m->n++;
	m->table[at].at = a >> m->j;
	m->table[at].row = m->free[--m->nfree] + 1;
	return m->table[at].row - 1;
}
/* Makes blocks twice as large: row i becomes part of row to[i]. */
COLD void blocks_fold(struct blocks *m, uint32_t to[BLOCKS]);
/* All blocks in order, n of them. */
uint32_t blocks_all(const struct blocks *m, struct block b[BLOCKS]);

#endif
