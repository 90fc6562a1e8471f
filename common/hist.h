/*
 * hist.h - the distribution of unsigned numbers: exact while they are few, then log-linear.
 *
 * Up to HIST_EXACT distinct values are counted each (so block sizes come out exact). With
 * one more, values go into buckets: 2^bits of them to each power of two, so that the middle
 * of a bucket is off by at most 2^-(bits+1) of the value: 0.4 % for 7 bits. Whether it is
 * exact depends on the values alone, not on their order, so merged histograms equal the
 * histogram of all values.
 */
#ifndef SPOOR_HIST_H
#define SPOOR_HIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "die.h"

#define HIST_EXACT 512
#define HIST_CHUNK 128 /* counters are allocated in pieces of this many */

/* Zeroed struct = empty. */
struct hist {
	uint64_t *value; /* exact: of each entry; counts and slots lie behind */
	uint32_t *count;
	uint16_t *slot;		/* entry + 1 by hash, 2 * cap of them */
	uint32_t **chunk;	/* log-linear: pieces of counters, or NULL = exact */
	struct hist_wrap *wrap; /* counters that went past 2^32 */
	uint32_t n, cap;
	uint32_t nwraps, shift;
};

/* A value (exact) or a bucket [low, high], and how many fell there. */
struct bucket {
	uint64_t low, high, count;
};

/* The number of the bucket of v, and its bounds. */
static inline uint32_t
hist_index(uint64_t v, unsigned bits)
{
	unsigned e = 63 - (unsigned)__builtin_clzll(v | 1ull << bits) - bits;

	return (uint32_t)((e << bits) + (v >> e));
}
struct bucket hist_bounds(uint32_t index, unsigned bits);

void hist_add_slow(struct hist *h, uint64_t v, uint64_t times, unsigned bits);
/* `times` of whatever fell into a bucket of a log-linear histogram. */
void hist_add_bucket(struct hist *h, uint32_t index, uint64_t times, unsigned bits);

/* bits must be the same for a histogram all its life. */
static INLINE void
hist_add(struct hist *h, uint64_t v, unsigned bits)
{
	if (likely(h->chunk != NULL)) {
		uint32_t i = hist_index(v, bits), *c = h->chunk[i / HIST_CHUNK];

		if (likely(c && c[i % HIST_CHUNK] != UINT32_MAX)) {
			c[i % HIST_CHUNK]++;
			return;
		}
	} else if (likely(h->cap)) {
		uint32_t i = (uint32_t)(v * 0x9E3779B97F4A7C15u >> h->shift), s;

		while ((s = h->slot[i]) != 0) {
			if (likely(h->value[s - 1] == v)) {
				if (unlikely(h->count[s - 1] == UINT32_MAX))
					break;
				h->count[s - 1]++;
				return;
			}
			i = (i + 1) & (2 * h->cap - 1);
		}
	}
	hist_add_slow(h, v, 1, bits);
}

/* Adds all of `from`, which has the same bits. */
void hist_merge(struct hist *h, const struct hist *from, unsigned bits);
/* All that has been counted, in ascending order. To be freed. */
struct bucket *hist_buckets(const struct hist *h, unsigned bits, size_t *n);
static inline bool
hist_exact(const struct hist *h)
{
	return !h->chunk;
}
void hist_free(struct hist *h);

#endif
