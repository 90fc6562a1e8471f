/*
 * bins.h - sums along an axis whose range nobody knows before: in one pass, in bounded memory,
 * exact.
 *
 * Bin i is [i * w, (i + 1) * w), where w is the width number k: 2^k, or of bins that have `widths`, widths[k]. k begins
 * at 0; when a value lies outside the room, neighbours become one bin and k grows. So every sum is the one of a second
 * pass with the final width, whatever the order of the values, and the bins of two parts add up.
 * A bin has several slots: a sum for each series, row, or both. The sums of a bin lie together,
 * because time moves slowly. A sum beyond 64 bits is the most that fits, where nothing lasts.
 */
#ifndef SPOOR_BINS_H
#define SPOOR_BINS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"

#define BINS_MOST 1024u

/* Set `lasting`, if bins_cover is used, `fixed`, `bytes`, `widths` and `most`; all else begins as zeros. */
struct bins {
	bool lasting, open; /* open: bins_cover has come since bins_settle */
	uint32_t fixed; /* not 0: there are bins 0 to fixed - 1 only, which never fold */
	size_t bytes;	/* the memory for sums, at most */
	/* Not NULL: the widths, each a multiple of the one before, of which the last cannot be too small. Not for bins that
	 * last. */
	const uint64_t *widths;
	uint32_t most; /* bins at most, a power of two; 0: BINS_MOST */
	int64_t zero;  /* bin 0 begins here: 0, or of `widths` above 2 perhaps INT64_MIN */
	unsigned k;    /* the number of the width */
	/* Bins with `widths` keep the bin of the last bins_row: its number, its least value, and how many values it has. */
	int64_t near, near_bin;
	uint64_t near_width;
	int64_t lo, hi;	 /* the bins in use, hi >= lo */
	bool any;	 /* there are any */
	uint64_t span;	 /* hi - lo */
	uint32_t n;	 /* room for so many: a power of two; bin i is row i % n */
	uint32_t nslots; /* slots in use */
	uint32_t stride; /* room for so many of a bin */
	uint64_t *v;	 /* [n][stride] */
	/* Lasting: at [i], how many more last from the start of bin i on. Modulo 2^32:
	 * their sums are what lasts at once, or less than 0 where what was settled is taken back. */
	uint32_t *change;
};

/* For each bin in use. (The last may be the greatest number there is: nothing counts beyond it.) */
#define EACH_BIN(b, i) \
	for (int64_t i = (b)->lo, more = (b)->any; more; more = i < (b)->hi, i += more)

/* Bins in use. */
static inline uint32_t
bins_used(const struct bins *b)
{
	return b->any ? (uint32_t)(b->hi - b->lo) + 1 : 0;
}

/* Makes room for slots 0 to n - 1. False, with nothing done, where even BINS_LEAST bins would
 * take more than `bytes`. */
#define BINS_LEAST 128u
bool bins_slots(struct bins *b, uint32_t n);
/* Returns whether there is memory for so many slots. */
bool bins_fit(const struct bins *b, uint32_t n);
/* Makes room for x; k may grow. */
COLD void bins_reach(struct bins *b, int64_t x);
static inline uint64_t
bins_width(const struct bins *b)
{
	return b->widths ? b->widths[b->k] : 1ull << b->k;
}
/* Returns the number of the step of this width that x is in, counted as bins are. */
static inline int64_t
bins_step(const struct bins *b, int64_t x, uint64_t width)
{
	int64_t by = (int64_t)width;

	if (b->zero)
		return (int64_t)(((uint64_t)x - (uint64_t)b->zero) / width);
	return x / by - (x % by < 0);
}
/* Returns the bin of x, which need not be in use. */
static inline int64_t
bins_index(const struct bins *b, int64_t x)
{
	return b->widths ? bins_step(b, x, b->widths[b->k]) : x >> b->k;
}
/* Returns the smallest value of bin i; of the lowest bin perhaps INT64_MIN, which is above it. */
int64_t bins_low(const struct bins *b, int64_t i);
/* Returns the bin of x, and keeps it as the near one. */
int64_t bins_near(struct bins *b, int64_t x);
/* The sums of the bin of x, which there is from now on. */
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
/* Adds to each bin how much of it [from, to) covers, from < to; `times` may be -1 (of what was
 * added before). Costs the same for any length. */
void bins_cover(struct bins *b, int64_t from, int64_t to, uint32_t slot, int64_t times);
/* Ends bins_cover: from here on bins_at is right. More may follow. */
void bins_settle(struct bins *b);
/* The sums of bin i, lo <= i <= hi. */
static inline uint64_t *
bins_at(const struct bins *b, int64_t i)
{
	return b->v + ((uint64_t)i & (b->n - 1)) * b->stride;
}
/* Slot i becomes part of slot to[i], or stays where that is i. Settles. */
void bins_move(struct bins *b, const uint32_t *to);
/* Slots from `slot` on, n of them, become part of those from `to` on. Where nothing lasts. */
void bins_join(struct bins *b, uint32_t slot, uint32_t to, uint32_t n);
/* Makes bins as wide as the next width. */
void bins_fold(struct bins *b);
/* Adds all of `from`, which is folded and settled for it: its slot i to slot map[i]. */
void bins_merge(struct bins *to, struct bins *from, const uint32_t *map);
/* Frees the sums. */
void bins_free(struct bins *b);

#endif
