/*
 * pairs.h - which begin an end belongs to, and how long it lasted in itself.
 *
 * Begins are open records (wait.h) with a key; an end takes the innermost open one of its
 * key, or with `queue` the oldest. Where time in itself is asked for, open records also lie
 * in chains, by another key: there those that begin later are inside of those before them.
 */
#ifndef SPOOR_PAIRS_H
#define SPOOR_PAIRS_H

#include "base/compiler.h"
#include "base/hash.h"
#include "pair/wait.h"

/* Open records by key: the number of the last or the oldest one, and 1. */
struct pair_table {
	struct pair_slot {
		uint32_t tag, open;
	} * slot;
	uint32_t mask, used;
};

/* Where an open record lies in its chain. Times are ns or ticks. */
struct nest {
	uint64_t chain;
	uint64_t begin, counted; /* when it began, by the clock and by that of its place */
	uint64_t inner, inner_counted; /* of those inside of it that are over */
	uint64_t upto;		       /* where the last of them ended */
	uint32_t below, above;	       /* WAIT_NONE: the first, the last */
};

struct pairs {
	struct wait w;
	bool queue, nested;
	struct pair_table match, chain;
	struct pair_slot *found; /* by pairs_find */
	uint32_t *newest;	 /* of a queue, by its oldest one */
	size_t newestcap;
	struct nest *nest; /* by open record */
	size_t nestcap;
};

/* How long a pair lasted, and in itself. */
struct lasting {
	uint64_t dur, self, counted;
};

/* h with the number v added: keys of records are made so. The first h is any number. */
static inline uint64_t
pair_key(uint64_t h, uint64_t v)
{
	v = (v ^ hash_key[0]) * 0x9e3779b97f4a7c15u;
	return hash_add(h, v ^ v >> 32);
}

/* The same for the n bytes at p. */
uint64_t pair_key_bytes(uint64_t h, const void *p, size_t n);

/* Begins; `limit` is wait_start's. */
void pairs_start(struct pairs *p, bool by_end, bool queue, bool nested, uint64_t limit);
/* Frees all. */
void pairs_free(struct pairs *p);

/* Opens a record in a place of `room` bytes; gives its handle. The caller fills the record
 * in. */
uint32_t pairs_begin(struct pairs *p, uint64_t key, uint32_t room);
/* With `nested`: the record lies in a chain from `time` on; `counted` is the clock that
 * counts. */
void pairs_nest(struct pairs *p, uint32_t open, uint64_t chain, uint64_t time,
		uint64_t counted);
/* The same for an owner that has no keys, and a place for each chain: *last is its last
 * record, and 1; 0: there is none. */
void pairs_push(struct pairs *p, uint32_t *last, uint32_t open, uint64_t time,
		uint64_t counted);
/* Takes such a record out of its chain: its owner calls wait_done or wait_drop. */
void pairs_pull(struct pairs *p, uint32_t *last, uint32_t open);
/* The open record that an end of the key belongs to; WAIT_NONE where there is none. It
 * stays. */
uint32_t pairs_find(struct pairs *p, uint64_t key);
/* Takes the record that pairs_find gave out of the tables: its owner calls wait_done or
 * wait_drop. */
void pairs_take(struct pairs *p, uint32_t open);
/* To be called before that: how long the record lasted up to `time`; those around it lose
 * that time. */
struct lasting pairs_lasted(struct pairs *p, uint32_t open, uint64_t time,
			    uint64_t counted);
/* Forgets the keys of all open records, which stay: at the end of the input. */
void pairs_forget(struct pairs *p);
/* Whether there are so many open records that they are fetched into the cache before
 * their turn. */
static inline bool
pairs_many(const struct pairs *p)
{
	return p->match.mask >= 8192;
}

/* Steps in which what an end of this key needs comes into the cache. */
static inline void
pairs_fetch_slot(const struct pairs *p, uint64_t key)
{
	prefetch(&p->match.slot[(key >> 32) & p->match.mask]);
}

static inline void
pairs_fetch_open(const struct pairs *p, uint64_t key)
{
	const struct pair_slot *s = &p->match.slot[(key >> 32) & p->match.mask];

	if (s->open && s->tag == (uint32_t)(key >> 32))
		prefetch(&p->w.open[s->open - 1]);
}

static inline void
pairs_fetch_rec(const struct pairs *p, uint64_t key)
{
	const struct pair_slot *s = &p->match.slot[(key >> 32) & p->match.mask];

	if (s->open && s->tag == (uint32_t)(key >> 32))
		wait_fetch(&p->w, s->open - 1);
}

#endif
