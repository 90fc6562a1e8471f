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
#include "pair/pair_nest.h"
#include "pair/pair_table.h"

/* Time up to `upto`, and how much of it pairs cover that are over: see pairs_inner. */
struct nest_part {
	uint64_t upto, covered;
	uint64_t owner; /* open.tag of the record below whose inner pairs end at `upto` */
};

/* The part of a record in a chain that is kept besides its struct nest. */
struct nest_more {
	uint64_t chain; /* first: see pair_keys */
	struct nest_part *part;
	uint32_t nparts, partcap;
};

struct pairs {
	struct nests n;
	bool queue, nested;
	bool deep; /* more than PAIRS_CROSS records were above one that ended */
	struct pair_table match; /* the innermost or the oldest record of each key */
	struct pair_table chain; /* the last one of each chain */
	uint32_t *newest;	 /* of a queue, by its oldest one */
	size_t newestcap;
	struct nest_more *more; /* by open record */
	size_t morecap;
};

/* h with the number v added: keys of records are made so. The first h is any number. */
static inline uint64_t
pair_key(uint64_t h, uint64_t v)
{
	v = (v ^ hash_key[0]) * 0x9e3779b97f4a7c15u;
	return hash_add(h, v ^ v >> 32);
}

/* Begins; `limit` is wait_start's. */
void pairs_start(struct pairs *p, bool by_end, bool queue, bool nested, uint64_t limit);
/* Frees all. */
void pairs_free(struct pairs *p);

static inline struct pair_keys
pairs_keys(const struct pairs *p)
{
	return (struct pair_keys){p->n.w.open, sizeof *p->n.w.open};
}

/* A record of a queue, whose oldest one is in the slot if there are others. */
void pairs_queue(struct pairs *p, uint32_t open, const struct pair_slot *s);

/* Opens a record in a place of `room` bytes; gives its handle. The caller fills the record
 * in. */
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

/* With `nested`, which is for chains that records leave in any order: the record lies in a chain from `time` on. */
void pairs_nest(struct pairs *p, uint32_t open, uint64_t chain, uint64_t time);
/* The open record that an end of the key belongs to; WAIT_NONE where there is none. It
 * stays; *s is for pairs_take. */
static inline uint32_t
pairs_find(const struct pairs *p, uint64_t key, struct pair_slot *s)
{
	return pair_table_find(&p->match, pairs_keys(p), key, s) ? s->group->v[s->lane]
								 : WAIT_NONE;
}

/* Takes a record out of its chain. */
void pairs_unnest(struct pairs *p, uint32_t open);

/* Takes the record that pairs_find gave, before any other was opened or taken, out of the
 * tables: its owner calls wait_done or wait_drop. */
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

/* Returns how long the record lasted up to `time`; those around it lose that time. To be called before pairs_take, with
 * `nested`. */
struct lasting pairs_lasted(struct pairs *p, uint32_t open, uint64_t time);
/* Forgets the keys of all open records, which stay: at the end of the input. */
void pairs_forget(struct pairs *p);
/* Returns whether so many records are open that those that end are not in the cache. */
static inline bool
pairs_many(const struct pairs *p)
{
	return p->n.w.opens >= 8192;
}
/* Brings there what the n keys of a batch need; ends[i]: it is an end's. */
void pairs_fetch(const struct pairs *p, const uint64_t *key, const bool *ends, uint32_t n);

#endif
