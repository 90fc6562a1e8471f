/* set.h - how many distinct values there are. */
#ifndef SPOOR_SET_H
#define SPOOR_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stats/datum.h"

/*
 * Distinct values. Each is kept up to SET_EXACT values whose texts take SET_TEXTS bytes, so
 * that they are counted exactly; then a HyperLogLog of 2^13 registers, of their hashes, has
 * a standard error of 1.15 %. Which it is, and its registers, depend on the values alone:
 * merged sets equal the set of all values.
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
	uint8_t *reg;	 /* where there are registers there are no values */
	uint32_t n, cap;
};

/* A value; the same one again changes nothing. */
void set_add(struct set *s, const struct datum *d);
void set_add_register(struct set *s, uint32_t index, unsigned rank);
void set_merge(struct set *s, const struct set *from);
/* Value i of n; its text is the set's. */
struct datum set_value(const struct set *s, uint32_t i);
static inline bool
set_exact(const struct set *s)
{
	return !s->reg;
}
/* How many distinct values there were: exact, or the estimate. */
uint64_t set_count(const struct set *s);
void set_free(struct set *s);

#endif
