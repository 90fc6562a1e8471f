/*
 * pairs.h - finds the begin that an end belongs to, and how long it lasted without the pairs inside of it.
 *
 * Begins are open records (pair_wait.h) with a key. An end takes the innermost open record of its key, or with
 * `queue` the oldest. With `nested`, open records also lie in chains, by another key: records that begin later are
 * inside of the records before them in the chain.
 */
#ifndef SPOOR_PAIRS_H
#define SPOOR_PAIRS_H

#include "base/compiler.h"
#include "base/hash.h"
#include "pair/pair_nest.h"
#include "pair/pair_table.h"

/* Time up to `upto`, and how much of it is covered by pairs that are over: see "Pairs that cross" in pairs.c. */
struct nest_part {
	uint64_t upto, covered;
	/* open.tag of the record below whose inner pairs end at `upto` */
	uint64_t owner;
};

/* The state of a record in a chain, in addition to its struct nest. */
struct nest_more {
	uint64_t chain; /* key of the chain; must be first: see pair_keys */
	struct nest_part *part;
	uint32_t nparts, partcap;
};

struct pairs {
	struct nests n;
	bool queue, nested;
	bool deep; /* a pair ended with more than PAIRS_CROSS records above it */
	struct pair_table match; /* innermost or oldest record of each key */
	struct pair_table chain; /* last record of each chain */
	uint32_t *newest;	 /* for queues: newest record, by the oldest record */
	size_t newestcap;
	struct nest_more *more; /* by open record */
	size_t morecap;
};

/* Returns the key h with the number v added. Keys of records are made with it. The first h may be any number. */
static inline uint64_t
pair_key(uint64_t h, uint64_t v)
{
	v = (v ^ hash_key[0]) * 0x9e3779b97f4a7c15u;
	return hash_add(h, v ^ v >> 32);
}

/* Initializes p. `limit` is as for wait_start. */
void pairs_start(struct pairs *p, bool by_end, bool queue, bool nested, uint64_t limit);
/* Frees what p holds. */
void pairs_free(struct pairs *p);

/* Returns the memory in which the tables find the keys of open records, valid until a record is opened. */
static inline struct pair_keys
pairs_keys(const struct pairs *p)
{
	return (struct pair_keys){p->n.w.open, sizeof *p->n.w.open};
}

/* Appends an open record to the queue of its key. s is the place of the oldest record of the key; NULL if there is
 * none. */
void pairs_queue(struct pairs *p, uint32_t open, const struct pair_slot *s);

/* Opens a record with `room` bytes of memory, which the caller fills. Returns its handle. */
static INLINE uint32_t
pairs_begin(struct pairs *p, uint64_t key, uint32_t room)
{
	uint32_t open = wait_open(&p->n.w, room);
	struct open *o = &p->n.w.open[open];
	struct pair_slot s;
	bool others;

	o->key = key;
	o->next = WAIT_NONE;
	others = pair_table_enter(&p->match, pairs_keys(p), key, open, &s);
	if (unlikely(p->queue)) {
		pairs_queue(p, open, others ? &s : NULL);
	} else if (others) {
		o->next = s.group->v[s.lane];
		s.group->v[s.lane] = open;
	}
	return open;
}

/* Puts the record into a chain, from `time` on. Only with `nested`; records may leave the chain in any order. */
void pairs_nest(struct pairs *p, uint32_t open, uint64_t chain, uint64_t time);
/* Returns the open record that an end with this key belongs to, which stays open, and sets *s for pairs_take.
 * Returns WAIT_NONE if there is none. */
static inline uint32_t
pairs_find(const struct pairs *p, uint64_t key, struct pair_slot *s)
{
	return pair_table_find(&p->match, pairs_keys(p), key, s) ? s->group->v[s->lane]
								 : WAIT_NONE;
}

/* Takes a record out of its chain. */
void pairs_unnest(struct pairs *p, uint32_t open);

/* Removes the record that pairs_find returned from the tables. No record may be opened or taken between the two
 * calls. The caller then calls wait_done or wait_drop. */
static INLINE void
pairs_take(struct pairs *p, uint32_t open, struct pair_slot s)
{
	const struct open *o = &p->n.w.open[open];

	if (o->next == WAIT_NONE) {
		pair_table_drop(&p->match, s, o->key);
	} else {
		if (p->queue)
			p->newest[o->next] = p->newest[open];
		s.group->v[s.lane] = o->next;
	}
	if (p->nested)
		pairs_unnest(p, open);
}

/* Returns how long the record lasted up to `time`, and takes that time from the record around it. Only with
 * `nested`; call it before pairs_take. */
struct lasting pairs_lasted(struct pairs *p, uint32_t open, uint64_t time);
/* Removes the keys of all open records at the end of the input. The records stay open. */
void pairs_forget(struct pairs *p);
/* Returns true if there are too many open records for the processor's cache. */
static inline bool
pairs_many(const struct pairs *p)
{
	return p->n.w.opens >= 8192;
}
/* Prefetches what the n keys of a batch will need. ends[i]: key i belongs to an end. */
void pairs_fetch(const struct pairs *p, const uint64_t *key, const bool *ends, uint32_t n);

#endif
