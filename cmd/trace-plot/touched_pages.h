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

/* Set of touched blocks. Zero it. */
struct touched_pages {
	unsigned j;
	uint32_t n; /* number of touched blocks */
	struct touched_block {
		uint64_t at; /* its first number >> j */
		uint32_t space;
		uint32_t row;
	} block[TOUCHED_MOST];	       /* by row */
	uint16_t table[TOUCHED_TABLE]; /* row + 1; 0: the entry is free */
};

/* Returns the row of the block that contains a; the block may be new. Returns NO_ROW if there is no room for it. */
static inline uint32_t
touched_row(struct touched_pages *m, uint32_t space, uint64_t a)
{
	uint64_t at = a >> m->j, hash = (at + space * 0x100000001b3u) * 0x9e3779b97f4a7c15u;
	uint32_t i = (uint32_t)(hash >> 54);

	for (; likely(m->table[i]); i = (i + 1) % TOUCHED_TABLE) {
		const struct touched_block *b = &m->block[m->table[i] - 1];

		if (likely(b->at == at && b->space == space))
			return b->row;
	}
	if (m->n == TOUCHED_MOST)
		return NO_ROW;
	m->block[m->n] = (struct touched_block){at, space, m->n};
	m->table[i] = (uint16_t)++m->n;
	return m->n - 1;
}
/* Makes a space part of space 0, or, if it is 0, doubles the size of all blocks. Row i becomes part of row
 * to[i] <= i. */
COLD void touched_fold(struct touched_pages *m, uint32_t space, uint32_t to[TOUCHED_MOST]);
/* Writes all blocks to b, sorted by space, then by number. Returns how many. */
uint32_t touched_all(const struct touched_pages *m, struct touched_block b[TOUCHED_MOST]);
/* Sorts n blocks by space, then by number. */
void touched_sort(struct touched_block *b, uint32_t n);

#endif
