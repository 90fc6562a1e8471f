/*
 * stats_hist.h - the distributions of a field in all groups: exact while it has few values, then log-linear.
 *
 * While the field has at most HIST_CODES distinct values in all groups together, every value has a number (its
 * code), equal in all groups, and a group has a counter for each code. So block sizes are exact, and an event of
 * any of 10,000 groups costs one access to a counter that is not in the cache. With one value more, each group is
 * separate: exact up to HIST_EXACT distinct values, then with buckets: 2^bits for each power of two, so that the
 * middle of a bucket is off by at most 2^-(bits+1) of the value, 0.4 % for 7 bits.
 *
 * The form depends only on the values, not on their order, so merged histograms equal the histogram of all values.
 */
#ifndef SPOOR_HIST_H
#define SPOOR_HIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"

#define HIST_CODES 1024 /* counters of a group: 4 KiB */
#define HIST_EXACT 384	/* values of a group with their counts: 8 KiB */
#define HIST_CHUNK 128	/* counters of buckets are allocated in blocks of this many */

struct hist_entry {
	uint64_t value, count; /* count 0: free */
};

/* The histogram of one group. A zeroed struct is empty. */
struct hist {
	union {
		uint32_t *counter; /* if coded > 0: by code */
		uint32_t **chunk;  /* if buckets: cap blocks of counters */
		/* Else: a hash table with open addressing, at most 3/4 full. */
		struct hist_entry *entry;
	};
	/* Upper halves of counters, which are rarely needed: nwraps blocks of HIST_CHUNK. */
	uint32_t **wrap;
	uint32_t nwraps;
	uint32_t coded; /* number of codes with a counter */
	uint32_t cap;
	uint16_t n;    /* entries in use */
	uint8_t shift; /* for entries: 64 - log2(cap) */
	bool buckets;
};

/* The histograms of all groups. A zeroed struct is empty. */
struct hists {
	struct hist *hist; /* by group, `cap` of them */
	size_t cap;
	struct codes *codes;
	bool many; /* there are more values than codes: every group is separate */
};

/* A value (exact) or a bucket [low, high], and its count. */
struct bucket {
	uint64_t low, high, count;
};

/* Returns the number of the bucket of v, with 2^bits buckets for each power of two. */
static inline uint32_t
hist_index(uint64_t v, unsigned bits)
{
	unsigned e = 63 - leading_zeros64(v | 1ull << bits) - bits;

	return (uint32_t)((e << bits) + (v >> e));
}

/* Makes room for groups 0 to n - 1. Call it before they are used. */
void hists_room(struct hists *all, size_t n);
/* Counts v[i] in group[i], i < n. bits must be equal in all calls for one struct hists. */
void hists_add(struct hists *all, const uint32_t *group, const uint64_t *v, uint32_t n,
	       unsigned bits);
/* Counts the value v `times` times. */
void hists_add_times(struct hists *all, uint32_t group, uint64_t v, uint64_t times,
		     unsigned bits);
/* Counts `times` values of the bucket number `index`. */
void hists_add_bucket(struct hists *all, uint32_t group, uint32_t index, uint64_t times,
		      unsigned bits);
/* Adds group `group` of `from`, which has the same bits, to group `to`. */
void hists_merge(struct hists *all, uint32_t to, const struct hists *from, uint32_t group,
		 unsigned bits);
/* Returns the values or buckets of a group with their counts, in ascending order, *n of them. The caller frees
 * them. */
struct bucket *hists_buckets(const struct hists *all, uint32_t group, unsigned bits,
			     size_t *n);
/* Returns true if every value of a group is counted separately. */
static inline bool
hists_exact(const struct hists *all, uint32_t group)
{
	return group >= all->cap || !all->hist[group].buckets;
}
/* Frees the memory of one group, and empties it. */
void hist_free(void *hist);
/* Frees all groups. */
void hists_free(struct hists *all);

#endif
