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

#define HIST_EXACT 384 /* 8 KiB of entries */
#define HIST_CHUNK 128 /* counters are allocated in pieces of this many */

struct hist_entry {
	uint64_t value, count; /* count 0: free */
};

/* Zeroed struct = empty. */
struct hist {
	struct hist_entry
	    *entry;	  /* exact: open addressing, cap of them, at most 3/4 in use */
	uint32_t **chunk; /* log-linear: cap pieces of counters; NULL = exact */
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
		uint32_t i = (uint32_t)(v * 0x9E3779B97F4A7C15u >> h->shift);

		for (; h->entry[i].count; i = (i + 1) & (h->cap - 1)) {
			if (likely(h->entry[i].value == v)) {
				h->entry[i].count++;
				return;
			}
		}
	}
	hist_add_slow(h, v, 1, bits);
}

/* Fetches what hist_add will look at first: for values of groups far apart. */
static inline void
hist_fetch(const struct hist *h, uint64_t v, unsigned bits)
{
#if defined(__GNUC__)
	if (h->chunk) {
		uint32_t i = hist_index(v, bits);

		__builtin_prefetch(&h->chunk[i / HIST_CHUNK]);
	} else if (h->cap)
		__builtin_prefetch(&h->entry[v * 0x9E3779B97F4A7C15u >> h->shift]);
#endif
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
