/*
 * shares.h - divides an amount over the steps that a time covers, in proportion and without a loss.
 *
 * The first k parts have floor(amount * length / dur) together, where `length` is how much of `dur` they cover. So all
 * parts add up to the amount, and parts of two steps beside each other are the part of both.
 */
#ifndef SPOOR_SHARES_H
#define SPOOR_SHARES_H

#include "number/i128.h"

/* A count of 1 is divided into parts of 10^-9. */
#define SHARES_ONE UINT64_C(1000000000)

struct shares {
	uint64_t next, left; /* the next part; all that was not taken yet */
	uint64_t each, more; /* amount * step / dur, and what remains of the division */
	uint64_t rest, dur;  /* what remained at the end of the next part */
};

/* Returns floor(amount * time / dur), time < dur, and what remains of the division. */
static inline uint64_t
shares_part(uint64_t amount, uint64_t time, uint64_t dur, uint64_t *rest)
{
	struct i128 v;

	i128_muldiv(i128_u64(amount), i128_u64(time), i128_u64(dur), I128_FLOOR, &v);
	/* It is less than dur, so that the lower halves of both products are enough. */
	*rest = amount * time - v.lo * dur;
	return v.lo;
}

/* Begins to divide `amount` over `dur`, of which the first part covers `first`, and each further one but the last `step`:
 * first < dur < 2^63. */
static inline void
shares_open(struct shares *s, uint64_t amount, uint64_t first, uint64_t step, uint64_t dur)
{
	*s = (struct shares){.left = amount, .dur = dur};
	s->next = shares_part(amount, first, dur, &s->rest);
	/* A longer step has no part between the first and the last. */
	if (step < dur)
		s->each = shares_part(amount, step, dur, &s->more);
}

/* Takes the next part; the last one is all that is left. */
static inline uint64_t
shares_take(struct shares *s, bool last)
{
	uint64_t v = last ? s->left : s->next, over;

	s->left -= v;
	s->rest += s->more;
	over = s->rest >= s->dur;
	s->rest -= over ? s->dur : 0;
	s->next = s->each + over;
	return v;
}

#endif
