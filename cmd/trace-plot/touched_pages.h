/* touched_pages.h - numbers of 64 bits in blocks of 2^j; only touched blocks take memory. Each number belongs
 * to a space; spaces are independent of each other.
 *
 * If more than TOUCHED_MOST blocks are touched, j grows and pairs of blocks become one. So j is the smallest
 * that leaves room for all, whatever the order of the numbers, and however far apart they are. */
#ifndef SPOOR_TOUCHED_PAGES_H
#define SPOOR_TOUCHED_PAGES_H

#include <stdint.h>

#include "base/compiler.h"

#define TOUCHED_MOST 256u
#define TOUCHED_TABLE (4 * TOUCHED_MOST)
#define NO_ROW UINT32_MAX

/* Set of touched blocks. Zero it, then call touched_open(). */
struct touched_pages {
	unsigned j;
	uint32_t n; /* number of touched blocks */
	struct {
		uint64_t at;
		uint32_t space;
		uint32_t row; /* row + 1; 0: the entry is free */
	} table[TOUCHED_TABLE];
	uint32_t free[TOUCHED_MOST], nfree; /* rows without a block */
};

struct touched_block {
	uint64_t at; /* its first number >> j */
	uint32_t space;
	uint32_t row;
};

/* Makes all blocks of m free. */
void touched_open(struct touched_pages *m);
/* Returns the entry of the table for block `at` of a space, which may be free. */
static inline uint32_t
touched_place(const struct touched_pages *m, uint32_t space, uint64_t at)
{
	uint64_t hash = (at + space * 0x100000001b3u) * 0x9e3779b97f4a7c15u;
	uint32_t i = (uint32_t)(hash >> 54);

	while (m->table[i].row && (m->table[i].at != at || m->table[i].space != space))
		i = (i + 1) % TOUCHED_TABLE;
	return i;
}
/* Returns the row of the block that contains a; the block may be new. Returns NO_ROW if there is no room for it. */
static inline uint32_t
touched_row(struct touched_pages *m, uint32_t space, uint64_t a)
{
	uint32_t at = touched_place(m, space, a >> m->j);

	if (likely(m->table[at].row))
		return m->table[at].row - 1;
	if (m->n == TOUCHED_MOST)
		return NO_ROW;
	m->n++;
	m->table[at].at = a >> m->j;
	m->table[at].space = space;
	m->table[at].row = m->free[--m->nfree] + 1;
	return m->table[at].row - 1;
}
/* Makes a space part of space 0, or, if it is 0, doubles the size of all blocks. Row i becomes part of row
 * to[i], or stays if to[i] is i. */
COLD void touched_fold(struct touched_pages *m, uint32_t space, uint32_t to[TOUCHED_MOST]);
/* Writes all blocks to b, sorted by space, then by number. Returns how many. */
uint32_t touched_all(const struct touched_pages *m, struct touched_block b[TOUCHED_MOST]);
/* Sorts n blocks by space, then by number. */
void touched_sort(struct touched_block *b, uint32_t n);

#endif
