/* delimited_bytes.c - binary records of integers without padding. */
#include "base/put.h"
#include "delimited/delimited.h"

#define DIGITS 24 /* most digits of an integer, with a sign */

/* Returns the integer at p, sign extended if it is signed. */
static uint64_t
integer(const struct delimited_int *k, const uint8_t *p)
{
	/* Eight bytes may be read even at the end of the input (IN_MARGIN). */
	unsigned unused = 64u - 8u * k->width;
	uint64_t v = le64(p) << unused;

	return k->neg ? (uint64_t)((int64_t)v >> unused) : v >> unused;
}

/* Returns true if the field is a number that comes from one integer. */
static bool
is_simple(const struct delimited_field *f)
{
	return f->ref[REF_AT].at > 0 && !f->ref[REF_WHEN].at && !f->ref[REF_LESS].at &&
	       !f->point && f->as != AS_TEXT && f->as != AS_ISO && f->as != AS_LINE;
}

bool
delimited_integer_fields(struct delimited *c, const uint8_t *p)
{
	const struct delimited_layout *l = c->l;
	unsigned optional = 0;

	c->absent = 0;
	for (unsigned i = 0; i < l->nfields; i++) {
		const struct delimited_field *f = &c->field[i];
		int at = f->ref[REF_AT].at;
		const struct delimited_int *k = &l->ints[at > 0 ? at - 1 : 0];
		uint64_t v;
		bool gone;

		c->arg[i] = (struct span){(const uint8_t *)f->constant.p, f->constant.n};
		if (f->constant.p)
			continue;
		if (!is_simple(f))
			return false;
		v = integer(k, p + k->at);
		gone = k->neg && (int64_t)v < 0;
		if ((gone && f->absent != 2) ||
		    (!gone && f->unit > 1 && v > INT64_MAX / f->unit) ||
		    (f->as == AS_TIME && !gone && v > INT64_MAX) ||
		    (f->what <= C_END && v * f->unit < l->base))
			return false;
		c->value[i] = gone ? 0 : v * f->unit - (f->what <= C_END ? l->base : 0);
		c->arg[i].p = gone ? NULL : p;
		if (f->what == C_ARG && f->absent)
			c->absent |= (unsigned)gone << optional++;
	}
	return true;
}

void
delimited_integers(struct delimited *c, const uint8_t *p)
{
	const struct delimited_layout *l = c->l;
	uint8_t *to;

	c->unquoted.n = 0;
	to = buf_room(&c->unquoted, (size_t)l->nints * DIGITS);
	for (c->n = 0; c->n < l->nints; c->n++) {
		const struct delimited_int *k = &l->ints[c->n];
		uint8_t *begin = to;
		uint64_t v = integer(k, p + k->at);

		to = k->neg ? put_i64(to, (int64_t)v) : put_u64(to, v);
		c->cell[c->n].text = c->cell[c->n].raw =
		    (struct span){begin, (size_t)(to - begin)};
	}
}
