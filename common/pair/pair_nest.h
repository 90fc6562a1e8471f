/* pair_nest.h - chains of open records (pair_wait.h), in which a record lies inside the record that began before
 * it, and the time that each record lasted without its inner records. Times are in ns or ticks. */
#ifndef SPOOR_PAIR_NEST_H
#define SPOOR_PAIR_NEST_H

#include "pair/pair_wait.h"

/* The position of an open record in its chain. */
struct nest {
	/* Time of its begin: on the clock, and on the counter of its place. */
	uint64_t begin, counted;
	/* Time covered by the records that began after this one, lie directly inside it and have ended; and the
	 * time at which the last of them ended. */
	uint64_t inner, inner_counted;
	uint64_t upto;
	uint32_t below, above; /* neighbours in the chain; WAIT_NONE = none */
};

struct nests {
	struct wait w;	   /* the open records; initialized by wait_start */
	struct nest *nest; /* chain positions, by open record */
	size_t nestcap;
};

/* How long a record lasted, in all and without its inner records; counted: as `self`, by the counter of its place. */
struct lasting {
	uint64_t dur, self, counted;
};

/* Frees all memory of p. */
static inline void
nests_free(struct nests *p)
{
	wait_free(&p->w);
	free(p->nest);
}

/* Returns the time from `from` to `to`, or 0 if `to` is not later. */
static inline uint64_t
nest_since(uint64_t from, uint64_t to)
{
	return to > from ? to - from : 0;
}

/* Appends an open record to a chain. The last record of the chain is *last - 1; the chain is empty if *last is 0.
 * `time` and `counted` are the begin of the record. */
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

/* Takes a record out of its chain. The caller then calls wait_done or wait_drop. */
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

/* Returns the begin of the time that only this record covers of the record below: the begin of this record or, if
 * later, the end of the last record that covered the record below. There must be a record below. */
static inline uint64_t
nest_from(const struct nests *p, uint32_t open)
{
	const struct nest *n = &p->nest[open];
	uint64_t covered = p->nest[n->below].upto;

	return n->begin > covered ? n->begin : covered;
}

/* Returns how long a record lasted until `time`; at this time the counter of its place is `counted`. The records
 * inside it cover `inner`. Subtracts the time until `upto` from the record below. A caller whose records all nest
 * passes nest.inner and `time`; a caller whose records may overlap has computed `inner` and `upto`. Must be called
 * before nest_pull. */
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
