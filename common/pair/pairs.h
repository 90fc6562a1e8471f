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
#include "pair/table.h"
#include "pair/wait.h"

/* Time up to `upto`, and how much of it pairs cover that are over: see pairs_inner. */
struct nest_part {
	uint64_t upto, covered;
	uint64_t owner; /* open.tag of the record below whose inner pairs end at `upto` */
};

/* Where an open record lies in its chain. Times are ns or ticks. */
struct nest {
	uint64_t chain;		 /* first: see pair_keys */
	uint64_t begin, counted; /* when it began, by the clock and by that of its place */
	/* The pairs that began after it, before the record above it, and are over: how much
	 * time they cover beyond the last part, and where the last of them ended. */
	uint64_t inner, inner_counted;
	uint64_t upto;
	uint32_t below, above; /* WAIT_NONE: the first, the last */
	struct nest_part *part;
	uint32_t nparts, partcap;
};

struct pairs {
	struct wait w;
	bool queue, nested;
	bool deep; /* more than PAIRS_CROSS records were above one that ended */
	struct pair_table match; /* the innermost or the oldest record of each key */
	struct pair_table chain; /* the last one of each chain */
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

static inline struct pair_keys
pairs_keys(const struct pairs *p)
{
	return (struct pair_keys){p->w.open, sizeof *p->w.open};
}

/* A record of a queue, whose oldest one is in the slot if there are others. */
void pairs_queue(struct pairs *p, uint32_t open, const struct pair_slot *s);

/* Opens a record in a place of `room` bytes; gives its handle. The caller fills the record
 * in. */
static INLINE uint32_t
pairs_begin(struct pairs *p, uint64_t key, uint32_t room)
{
	uint32_t open = wait_open(&p->w, room);
	struct open *o = &p->w.open[open];
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

/* With `nested`, which is for chains that records leave in any order: the record lies in a chain from `time` on; `counted` is the clock that
 * counts. */
void pairs_nest(struct pairs *p, uint32_t open, uint64_t chain, uint64_t time,
		uint64_t counted);
/* The same for an owner that has no keys, and a place for each chain: *last is its last
 * record, and 1; 0: there is none. */
static inline void
pairs_push(struct pairs *p, uint32_t *last, uint32_t open, uint64_t time, uint64_t counted)
{
	struct nest *n;

	if (unlikely(open >= p->nestcap))
		GROW(p->nest, p->nestcap, open + 1);
	n = &p->nest[open];
	n->begin = n->upto = time;
	n->counted = counted;
	n->inner = n->inner_counted = 0;
	n->below = *last - 1;
	n->above = WAIT_NONE;
	n->nparts = 0;
	if (*last)
		p->nest[n->below].above = open;
	*last = open + 1;
}
/* Takes such a record out of its chain: its owner calls wait_done or wait_drop. */
static inline void
pairs_pull(struct pairs *p, uint32_t *last, uint32_t open)
{
	const struct nest *n = &p->nest[open];

	if (n->below != WAIT_NONE)
		p->nest[n->below].above = n->above;
	if (n->above != WAIT_NONE)
		p->nest[n->above].below = n->below;
	else
		*last = n->below + 1;
}

static inline uint64_t
pairs_since(uint64_t from, uint64_t to)
{
	return to > from ? to - from : 0;
}
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
	const struct open *o = &p->w.open[open];

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

/* Returns how much of the time up to `time` the pairs cover that began after an open record
 * and are over, whatever records lie above it. */
uint64_t pairs_inner(struct pairs *p, uint32_t open, uint64_t time) COLD;
/* Tells the chain of a record, which ends while others are above or beside parts, that the
 * pair covers the time between, which was added to the record below. */
void pairs_cross(struct pairs *p, uint32_t open, uint64_t from, uint64_t upto) COLD;

/* To be called before that: how long the record lasted up to `time`; those around it lose
 * that time. */
static inline struct lasting
pairs_lasted(struct pairs *p, uint32_t open, uint64_t time, uint64_t counted)
{
	const struct nest *n = &p->nest[open];
	struct lasting l = {.dur = pairs_since(n->begin, time)};
	uint64_t all = pairs_since(n->counted, counted), inner = n->inner, upto = time;

	if (unlikely(p->nested && (n->above != WAIT_NONE || n->nparts || n->upto > time))) {
		inner = pairs_inner(p, open, time);
		upto = n->upto > time ? n->upto : time;
	}
	l.self = pairs_since(inner, l.dur);
	l.counted = pairs_since(n->inner_counted, all);
	if (n->below != WAIT_NONE) {
		struct nest *around = &p->nest[n->below];
		uint64_t from = n->begin > around->upto ? n->begin : around->upto;

		around->inner += pairs_since(from, upto);
		around->inner_counted += all;
		around->upto = upto > around->upto ? upto : around->upto;
		if (unlikely(p->nested && (n->above != WAIT_NONE || around->nparts)))
			pairs_cross(p, open, from, upto);
	}
	return l;
}
/* Forgets the keys of all open records, which stay: at the end of the input. */
void pairs_forget(struct pairs *p);
/* Whether so many records are open that those that end are not in the cache. */
static inline bool
pairs_many(const struct pairs *p)
{
	return p->w.opens >= 8192;
}
/* Brings there what the n keys of a batch need; ends[i]: it is an end's. */
void pairs_fetch(const struct pairs *p, const uint64_t *key, const bool *ends, uint32_t n);

#endif
