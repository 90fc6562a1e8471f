/*
 * pair_nest.h - open records (pair_wait.h) in chains, where those that begin later are inside of those before them, and how long
 * each lasted in itself. Times are ns or ticks.
 */
#ifndef SPOOR_NEST_H
#define SPOOR_NEST_H

#include "pair/pair_wait.h"

/* The place of an open record in its chain. */
struct nest {
	uint64_t begin, counted; /* when it began, by the clock and by that of its place */
	/* The records that began after it, before the record above it, and are over: how much time they cover, and
	 * where the last of them ended. */
	uint64_t inner, inner_counted;
	uint64_t upto;
	uint32_t below, above; /* WAIT_NONE: the first, the last */
};

struct nests {
	struct wait w;	   /* wait_start begins all */
	struct nest *nest; /* by open record */
	size_t nestcap;
};

/* How long a record lasted, and in itself. */
struct lasting {
	uint64_t dur, self, counted;
};

/* Frees all. */
static inline void
nests_free(struct nests *p)
{
	wait_free(&p->w);
	free(p->nest);
}

/* Returns how long it is from `from` to `to`, or 0 if `to` is not later. */
static inline uint64_t
nest_since(uint64_t from, uint64_t to)
{
	return to > from ? to - from : 0;
}

/* Puts an open record into the chain whose last record is *last - 1, or which is empty if *last is 0. `time` and
 * `counted` say when the record began. */
static inline void
nest_push(struct nests *p, uint32_t *last, uint32_t open, uint64_t time, uint64_t counted)
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
	if (*last)
		p->nest[n->below].above = open;
	*last = open + 1;
}

/* Takes a record out of its chain. The caller calls wait_done or wait_drop. */
static inline void
nest_pull(struct nests *p, uint32_t *last, uint32_t open)
{
	const struct nest *n = &p->nest[open];

	if (n->below != WAIT_NONE)
		p->nest[n->below].above = n->above;
	if (n->above != WAIT_NONE)
		p->nest[n->above].below = n->below;
	else
		*last = n->below + 1;
}

/* Returns from when on a record covers time that no other has covered of the record below it, which there must be. */
static inline uint64_t
nest_from(const struct nests *p, uint32_t open)
{
	const struct nest *n = &p->nest[open];
	uint64_t covered = p->nest[n->below].upto;

	return n->begin > covered ? n->begin : covered;
}

/* Returns how long a record lasted up to `time`, of which records inside of it cover `inner`. The record below loses the
 * time up to `upto`. To be called before nest_pull. */
static inline struct lasting
nest_lasted(struct nests *p, uint32_t open, uint64_t time, uint64_t counted, uint64_t inner,
	    uint64_t upto)
{
	const struct nest *n = &p->nest[open];
	struct lasting l = {.dur = nest_since(n->begin, time)};
	uint64_t all = nest_since(n->counted, counted);

	l.self = nest_since(inner, l.dur);
	l.counted = nest_since(n->inner_counted, all);
	if (n->below != WAIT_NONE) {
		struct nest *around = &p->nest[n->below];

		around->inner += nest_since(nest_from(p, open), upto);
		around->inner_counted += all;
		around->upto = upto > around->upto ? upto : around->upto;
	}
	return l;
}

#endif
