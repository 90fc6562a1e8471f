/* stats_pages.h - counts distinct pages. */
#ifndef SPOOR_PAGES_H
#define SPOOR_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stats/datum.h"

/* A set of distinct pages. A word of 64 pages is one entry, with a bit for each. The set is exact up to `keep`
 * words; then the words with the smallest hashes represent all (a bottom-k sample), with a standard error of about
 * 1 / sqrt(keep). The kept words depend only on the pages.
 *
 * The caller passes `keep`, at most PAGES_EXACT, which may only fall from one call to the next. The set is then as
 * if keep had always had its last value. */
#define PAGES_EXACT 1024

struct page_word {
	uint64_t hash, bits; /* bits 0: free */
};

/* A zeroed struct is empty. */
struct page_set {
	struct page_word *word; /* hash table with open addressing */
	uint32_t n, cap;
	bool sampled;
	uint64_t beyond; /* no hash is above ~beyond; 0 while all words are kept */
	/* hash of the owner's name, so that sets of different owners can be merged */
	uint64_t seed;
};

/* Words to be added to sets that are not in the cache: each is prefetched. */
struct pages_queue {
	uint32_t n;
	struct {
		struct page_set *to;
		uint64_t hash, bits;
	} word[64];
};

/* Adds pages first to last to p, through the queue q. If there are more than PAGES_RANGE, adds only the first
 * PAGES_RANGE. */
#define PAGES_RANGE (1u << 20)
void pages_add_range(struct pages_queue *q, struct page_set *p, uint64_t first,
		     uint64_t last, uint32_t keep);
/* Adds a range of pages; faster than pages_add_range if its word of 64 pages is not kept. */
static inline void
pages_add(struct pages_queue *q, struct page_set *p, uint64_t first, uint64_t last,
	  uint32_t keep)
{
	/* Most ranges of a large trace are in one word, which is not kept. */
	if (first >> 6 != last >> 6 || mix64(first >> 6 ^ p->seed) <= ~p->beyond)
		pages_add_range(q, p, first, last, keep);
}
/* Adds the words in the queue to their sets. Call it before reading a set, or copying it to another
 * address. */
void pages_flush(struct pages_queue *q, uint32_t keep);
/* Returns the number of words that each of `sets` sets may keep, so that all together take at most 8 MiB. */
uint32_t pages_keep(uint32_t sets);
/* Returns the standard error, in percent, of sets that keep `keep` words. */
unsigned pages_error(uint32_t keep);
/* Returns the number of distinct pages: exact, or estimated. */
uint64_t pages_count(struct page_set *p, uint32_t keep);

#endif
