/*
 * shares.h - divides an amount over the steps that a length of time covers, in proportion to the time in each
 * step. The parts add up to exactly the amount.
 *
 * The first k parts add up to floor(amount * length / dur), where `length` is the time that they cover. So two
 * neighbouring parts add up to the part of a step that covers both.
 */
#ifndef SPOOR_SHARES_H
#define SPOOR_SHARES_H

#include "number/i128.h"

/* Shares of the amount 1 are counted in units of 10^-9. */
#define SHARES_ONE UINT64_C(1000000000)

struct shares {
	uint64_t next, left; /* the next part; the amount not yet taken */
	uint64_t each, more; /* quotient and remainder of amount * step / dur */
	uint64_t rest, dur;  /* remainder of the division at the end of the next part */
};

/* Returns floor(amount * time / dur), for time < dur, and stores the remainder of the division in *rest. */
static inline uint64_t
shares_part(uint64_t amount, uint64_t time, uint64_t dur, uint64_t *rest)
{
	struct i128 v;

	i128_muldiv(i128_u64(amount), i128_u64(time), i128_u64(dur), I128_FLOOR, &v);
	/* The remainder is less than dur, so the lower 64 bits of both products are enough. */
	*rest = amount * time - v.lo * dur;
	return v.lo;
}

/* Begins to divide `amount` over the length `dur`. The first part covers `first`; each further part covers `step`,
 * except the last, which covers the rest. first < dur < 2^63. */
static inline void
shares_open(struct shares *s, uint64_t amount, uint64_t first, uint64_t step, uint64_t dur)
{
	*s = (struct shares){.left = amount, .dur = dur};
	s->next = shares_part(amount, first, dur, &s->rest);
	/* With a longer step there is no part between the first and the last. */
	if (step < dur)
		s->each = shares_part(amount, step, dur, &s->more);
}

/* Returns the next part. If `last`, returns all that is left of the amount. */
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
