/* stats_pages.h - counts distinct pages. */
#ifndef SPOOR_PAGES_H
#define SPOOR_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stats/datum.h"

/*
 * Distinct pages of ranges: a word of 64 pages is one entry with a bit for each. Exact up
 * to `keep` words; then the words with the smallest hashes stand for all (a bottom-k sample),
 * with a standard error of about 1 / sqrt(keep). Which words are kept depends on the pages alone.
 *
 * keep is the caller's, at most PAGES_EXACT. It may only fall from one call to the next.
 * The set is then the same as if keep had always had its last value.
 */
#define PAGES_EXACT 1024

struct page_word {
	uint64_t hash, bits; /* bits 0: free */
};

/* Zeroed struct = empty. */
struct page_set {
	struct page_word *word; /* open addressing */
	uint32_t n, cap;
	bool sampled;
	uint64_t beyond; /* no hash is above ~beyond: 0 while all words are kept */
	uint64_t seed;	 /* whose pages they are: sets of several owners merge as well */
};

/* Words on their way into sets that are far apart in memory: each is fetched ahead. */
struct pages_queue {
	uint32_t n;
	struct {
		struct page_set *to;
		uint64_t hash, bits;
	} word[64];
};

/* Adds pages first to last to p, by the queue q. Of more than PAGES_RANGE pages, only the
 * first so many are added. */
#define PAGES_RANGE (1u << 20)
void pages_add_range(struct pages_queue *q, struct page_set *p, uint64_t first,
		     uint64_t last, uint32_t keep);
/* Adds a range of pages, quicker if its word of 64 pages is not kept. */
static inline void
pages_add(struct pages_queue *q, struct page_set *p, uint64_t first, uint64_t last,
	  uint32_t keep)
{
	/* Most ranges of a large trace are of one word, which is not kept. */
	if (first >> 6 != last >> 6 || mix64(first >> 6 ^ p->seed) <= ~p->beyond)
		pages_add_range(q, p, first, last, keep);
}
/* Empties the queue into the sets. To be called before a set is read or moved. */
void pages_flush(struct pages_queue *q, uint32_t keep);
/* The number of words that each of so many sets may keep, so that all together take at most
 * 8 MiB. */
uint32_t pages_keep(uint32_t sets);
/* The standard error of sets that keep so many words, in percent. */
unsigned pages_error(uint32_t keep);
/* The number of distinct pages: exact, or the estimate. */
uint64_t pages_count(struct page_set *p, uint32_t keep);

#endif
