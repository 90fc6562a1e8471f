/* bins.h - sums along an axis whose range is unknown in advance: in one pass, in limited memory, exact.
 *
 * Bin i is [i * w, (i + 1) * w). The width w is 2^k, or widths[k] if `widths` is set. k begins at 0. When a
 * value would need more bins than there may be, each two neighbouring bins become one, and k grows by 1. So every sum equals the sum of a
 * second pass with the final width, whatever the order of the values, and the bins of two parts can be added. A
 * bin has several slots: a sum for each series, row, or both. The sums of a bin are adjacent, because time
 * moves slowly. A sum stops at UINT64_MAX, except in `lasting` bins. */
#ifndef SPOOR_BINS_H
#define SPOOR_BINS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"

#define BINS_MOST 1024u

/* Bins. Set `fixed`, `bytes`, `widths`, `most`, and `lasting` if bins_cover() is used; zero everything else. */
struct bins {
	bool lasting, open; /* open: bins_cover() was called after the last bins_settle() */
	uint32_t fixed;	    /* not 0: only bins 0 to fixed - 1 exist, and they never fold */
	size_t bytes;	    /* limit of the memory for sums */
	/* NULL, or the possible widths, each a multiple of the previous one; the last must suffice for any
	 * range. Not for `lasting` bins. */
	const uint64_t *widths;
	uint32_t most; /* limit of the number of bins, a power of two; 0: BINS_MOST */
	int64_t zero;  /* start of bin 0: 0, or, with `widths`, perhaps INT64_MIN */
	unsigned k;    /* number of the current width */
	/* With `widths`: the smallest value of the last bin of bins_near(), its number, and how many values it
	 * has. */
	int64_t near, near_bin;
	uint64_t near_width;
	int64_t lo, hi;	 /* lowest and highest bin in use */
	bool any;	 /* some bin is in use */
	uint64_t span;	 /* hi - lo */
	uint32_t n;	 /* room in bins, a power of two; bin i is row i % n */
	uint32_t nslots; /* slots in use */
	uint32_t stride; /* room in slots per bin */
	uint64_t *v;	 /* sums, [n][stride] */
	/* Only if `lasting`, by bin and slot: how many more events last from the start of the bin on, modulo
	 * 2^32. The running sum is the number of events in progress; it is below 0 while time that was already counted is
	 * subtracted again. */
	uint32_t *change;
};

/* Loops over the bins in use. (hi may be INT64_MAX, so i is never incremented past it.) */
#define EACH_BIN(b, i) \
	for (int64_t i = (b)->lo, more = (b)->any; more; more = i < (b)->hi, i += more)

/* Returns the number of bins in use. */
static inline uint32_t
bins_used(const struct bins *b)
{
	return b->any ? (uint32_t)(b->hi - b->lo) + 1 : 0;
}

/* Makes room for slots 0 to n - 1. Returns false, without a change, if even BINS_LEAST bins would take more
 * than `bytes`. */
#define BINS_LEAST 128u
bool bins_slots(struct bins *b, uint32_t n);
/* Returns whether n slots fit in `bytes`. */
bool bins_fit(const struct bins *b, uint32_t n);
/* Extends the bins in use to the value x; folds bins if they do not fit. */
COLD void bins_reach(struct bins *b, int64_t x);
/* Returns the width of a bin. */
static inline uint64_t
bins_width(const struct bins *b)
{
	return b->widths ? b->widths[b->k] : 1ull << b->k;
}
static inline int64_t
floor_div(int64_t v, int64_t by)
{
	return v / by - (v % by < 0);
}
/* Returns the number of the step of `width` that contains x, counted from `zero` as bins are. */
static inline int64_t
bins_step(const struct bins *b, int64_t x, uint64_t width)
{
	if (b->zero)
		return (int64_t)(((uint64_t)x - (uint64_t)b->zero) / width);
	return floor_div(x, (int64_t)width);
}
/* Returns the number of the bin that contains x; the bin need not be in use. */
static inline int64_t
bins_index(const struct bins *b, int64_t x)
{
	return b->widths ? bins_step(b, x, b->widths[b->k]) : x >> b->k;
}
/* Returns the smallest value of bin i, or INT64_MIN if the lowest bin reaches below 64 bits. */
int64_t bins_low(const struct bins *b, int64_t i);
/* Returns the bin of x, and keeps its range in near, near_bin and near_width. */
int64_t bins_near(struct bins *b, int64_t x);
/* Returns the sums of the bin that contains x. Takes the bin into use. */
static INLINE uint64_t *
bins_row(struct bins *b, int64_t x)
{
	int64_t i;

	if (!b->widths)
		i = x >> b->k;
	else if (likely((uint64_t)x - (uint64_t)b->near < b->near_width))
		i = b->near_bin;
	else
		i = bins_near(b, x);
	if (unlikely((uint64_t)i - (uint64_t)b->lo > b->span || !b->any)) {
		bins_reach(b, x);
		i = bins_index(b, x);
	}
	return b->v + ((uint64_t)i & (b->n - 1)) * b->stride;
}
/* Adds to slot `slot` of each bin `times` times the part of [from, to) that the bin covers; from < to. `times`
 * may be -1, to take back what was added before. The cost does not depend on the length. */
void bins_cover(struct bins *b, int64_t from, int64_t to, uint32_t slot, int64_t times);
/* Completes the sums after bins_cover(): from then on bins_at() is right. bins_cover() may be called again. */
void bins_settle(struct bins *b);
/* Returns the sums of bin i, lo <= i <= hi. */
static inline uint64_t *
bins_at(const struct bins *b, int64_t i)
{
	return b->v + ((uint64_t)i & (b->n - 1)) * b->stride;
}
/* Adds slot i to slot to[i], for each i with to[i] != i. Settles the bins. */
void bins_move(struct bins *b, const uint32_t *to);
/* Adds the n slots from `slot` on to the n slots from `to` on, and clears them. Not for `lasting` bins. */
void bins_join(struct bins *b, uint32_t slot, uint32_t to, uint32_t n);
/* Joins bins to bins of the next width. */
void bins_fold(struct bins *b);
/* Adds all sums of `from`: its slot i to slot map[i]. Folds and settles `from`, and may fold `to`. */
void bins_merge(struct bins *to, struct bins *from, const uint32_t *map);
/* Frees the sums. */
void bins_free(struct bins *b);

#endif
