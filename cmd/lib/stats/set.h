/* set.h - counts distinct values. */
#ifndef SPOOR_SET_H
#define SPOOR_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stats/datum.h"

/*
 * Distinct values. A set of up to SET_EXACT values, whose texts take up to SET_TEXTS bytes,
 * keeps the values themselves and is exact. A larger set is a HyperLogLog of 2^13
 * registers, made of hashes, with a standard error of 1.15 %. The form of a set, and its
 * registers, depend on the values alone. So merged sets equal the set of all values.
 */
#define SET_EXACT 512
#define SET_TEXTS (32u << 10)
#define SET_BITS 13
#define SET_ERROR "1.15 %"

/* Zeroed struct = empty. */
struct set {
	uint64_t *v;	 /* magnitudes; of a text, its length and, from bit 32, its place */
	uint16_t *slot;	 /* number of a value + 1 by hash, 0 = free; 2 * cap of them */
	uint8_t *class;	 /* of each value */
	struct buf text; /* of all texts, each with a NUL behind it */
	uint8_t *vreg;	 /* where there are registers there are no values */
	uint32_t n, cap;
};

/* The number of distinct values: exact, or the estimate. */
uint64_t set_count(const struct set *s);

#endif
