/* set.h - counts distinct values. */
#ifndef SPOOR_SET_H
#define SPOOR_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stats/datum.h"

/* A set of distinct values. With up to SET_EXACT values, whose texts take up to SET_TEXTS bytes, it keeps the
 * values and is exact. A larger set is a HyperLogLog of 2^13 registers, made of hashes, with a standard error of
 * 1.15 %. The form of a set, and its registers, depend only on the values, so merged sets equal the set of all
 * values. */
#define SET_EXACT 512
#define SET_TEXTS (32u << 10)
#define SET_BITS 13
#define SET_ERROR "1.15 %"

/* A zeroed struct is empty. */
struct set {
	/* magnitudes; of a text, its length and, from bit 32 on, its offset in `text` */
	uint64_t *v;
	/* number of a value + 1, by hash; 0 = free; there are 2 * cap */
	uint16_t *slot;
	uint8_t *class;	 /* of each value */
	struct buf text; /* all texts, each followed by a NUL */
	uint8_t *vreg;	 /* registers; if there are any, there are no values */
	uint32_t n, cap;
};

/* Returns the number of distinct values: exact, or estimated. */
uint64_t set_count(const struct set *s);

#endif
