/* sketch.h - how many distinct values there are, and which are the most frequent. */
#ifndef SPOOR_SKETCH_H
#define SPOOR_SKETCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"

/*
 * A value is a whole number or a decimal fraction held in 10^-9 parts (times, and text such
 * as 1.5), each with its sign apart; anything else is text.
 */
enum {
	INT_POS,
	INT_NEG,
	NANO_POS,
	NANO_NEG,
	TEXTS,
	CLASSES,
	INT_HEX = CLASSES /* shown as 0x and hex: only in a struct datum */
};

/* A bijection whose bits all depend on all bits. */
static inline uint64_t
mix64(uint64_t v)
{
	v = (v ^ v >> 30) * 0xBF58476D1CE4E5B9u;
	v = (v ^ v >> 27) * 0x94D049BB133111EBu;
	return v ^ v >> 31;
}
uint64_t hash64(const void *p, size_t n);

/* A value as it is shown: of one of these classes. */
struct datum {
	uint8_t class;
	uint64_t v; /* its magnitude; of a text, its length */
	char *text; /* of a text */
};
struct datum datum_copy(const struct datum *d);
void datum_free(struct datum *d);
/* An order of all: by class, value and text. */
int datum_cmp(const struct datum *a, const struct datum *b);

/* The magnitude's bits with the class in: so equal numbers are equal in every form. */
static inline uint64_t
datum_hash(const struct datum *d)
{
	static const uint64_t tag[] = {[INT_NEG] = 0x6a09e667f3bcc908u,
				       [NANO_POS] = 0xbb67ae8584caa73bu,
				       [NANO_NEG] = 0x3c6ef372fe94f82bu,
				       [INT_HEX] = 0};

	return d->class == TEXTS ? hash64(d->text, (size_t)d->v)
				 : mix64(d->v ^ tag[d->class]);
}

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

/* A value, and its hash; the same one again changes nothing. */
void set_add(struct set *s, const struct datum *d, uint64_t hash);
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

/*
 * Distinct pages of ranges: a word of 64 pages is one entry with a bit for each. Exact up
 * to `keep` words; then those with the least hashes stand for all (a bottom-k sample), with
 * a standard error of some 1 / sqrt(keep). Which words are kept depends on the pages alone.
 *
 * keep is the caller's, at most PAGES_EXACT. It may only fall from one call to the next,
 * and what is left is then what it would be had it been the last one all the time.
 */
#define PAGES_EXACT 1024

struct page_word {
	uint64_t hash, bits; /* bits 0: free */
};

/* Zeroed struct = empty. */
struct pages {
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
		struct pages *to;
		uint64_t hash, bits;
	} word[64];
};

/* Pages first to last, by a queue. Of a range of more than 2^20 pages, those. */
void pages_add_range(struct pages_queue *q, struct pages *p, uint64_t first, uint64_t last,
		     uint32_t keep);
static inline void
pages_add(struct pages_queue *q, struct pages *p, uint64_t first, uint64_t last,
	  uint32_t keep)
{
	/* Of a large trace, most are of one word, which is not kept. */
	if (first >> 6 != last >> 6 || mix64(first >> 6 ^ p->seed) <= ~p->beyond)
		pages_add_range(q, p, first, last, keep);
}
/* Empties the queue; before the sets are looked at or moved. */
void pages_flush(struct pages_queue *q, uint32_t keep);
void pages_add_word(struct pages *p, uint64_t hash, uint64_t bits, uint32_t keep);
void pages_merge(struct pages *p, const struct pages *from, uint32_t keep);
/* Leaves no more words than are kept; before the words are looked at. */
void pages_trim(struct pages *p, uint32_t keep);
/* How many words each of so many sets keeps, so that all take 8 MiB at most. */
uint32_t pages_keep(uint32_t sets);
/* The standard error of sets that keep so many words, in percent. */
unsigned pages_error(uint32_t keep);
/* How many distinct pages there are: exact, or the estimate. */
uint64_t pages_count(struct pages *p, uint32_t keep);
void pages_free(struct pages *p);

/*
 * The most frequent values, by Space-Saving (Metwally, Agrawal, El Abbadi 2005): `cap`
 * counters; a value without one takes over the least, whose count becomes its error bound.
 * While there are at most cap distinct values all counts are exact.
 */
struct top_entry {
	uint64_t hash, count, error;
	struct datum datum;
};

/* Zeroed struct = empty; set cap before the first value. */
struct top {
	struct top_entry *entry;
	uint16_t *slot; /* entry + 1 by hash; 4 * cap of them */
	uint32_t n, cap, room;
	uint32_t hand;	 /* where the search for the least goes on */
	uint64_t least;	 /* no counter is below it */
	uint64_t missed; /* greatest count that a value without a counter may have */
};

/* The counters for the K most frequent: enough that their bounds are useful. */
#define TOP_CAP(k) ((k) > 64 ? 4 * (k) : 256)

void top_add(struct top *t, uint64_t hash, const struct datum *d, uint64_t times,
	     uint64_t error);
/*
 * Adds all of `from`: exact while both are and all values have room. Else a count may also
 * be too low, by what both have missed: the sum is kept in `missed`.
 */
void top_merge(struct top *t, const struct top *from);
/* Sorts the entries: the most frequent first, equal ones by class, value and text. */
void top_sort(struct top *t);
void top_free(struct top *t);

#endif
