/* column_put.c - writes results that are numbers. */
#include "base/put.h"
#include "stats/column.h"

/* Decimals of ratios, and of a mean of whole numbers; zeros at the end are dropped. */
#define DECIMALS 6

uint8_t *
value_put(uint8_t *p, struct class_value v)
{
	struct wide w = wide_u64(v.v);

	*p = '-';
	p += v.class % 2;
	return v.class >= NANO_POS ? wide_put_decimal(p, &w, 9, false) : put_u64(p, v.v);
}

uint8_t *
swide_put(uint8_t *p, const struct swide *s, unsigned decimals, bool trim)
{
	*p = '-';
	return wide_put_decimal(p + s->neg, &s->m, decimals, trim);
}

struct ratio
ratio_of(const struct swide *a, const struct wide *b)
{
	return (struct ratio){*a, *b, DECIMALS, true};
}

uint8_t *
ratio_put(uint8_t *p, const struct ratio *r)
{
	if (wide_zero(&r->b))
		return p;
	return wide_put_ratio(p, r->a.neg, &r->a.m, &r->b, r->decimals, r->trim);
}
