/* shares.c - see shares.h. */
#include "number/i128.h"
#include "number/shares.h"

/* Returns floor(amount * time / dur), time < dur, and what remains of the division. */
static uint64_t
part_of(uint64_t amount, uint64_t time, uint64_t dur, uint64_t *rest)
{
	struct i128 v;

	i128_muldiv(i128_u64(amount), i128_u64(time), i128_u64(dur), I128_FLOOR, &v);
	/* It is less than dur, so that the lower halves of both products are enough. */
	*rest = amount * time - v.lo * dur;
	return v.lo;
}

void
shares_open(struct shares *s, uint64_t amount, uint64_t first, uint64_t step, uint64_t dur)
{
	*s = (struct shares){.left = amount, .dur = dur};
	s->next = part_of(amount, first, dur, &s->rest);
	/* A longer step has no part between the first and the last. */
	if (step < dur)
		s->each = part_of(amount, step, dur, &s->more);
}
