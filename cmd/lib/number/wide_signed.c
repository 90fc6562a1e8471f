/* wide_signed.c - signed sums, and reading numbers from text: see wide.h. */
#include "number/wide.h"

struct swide
swide_sub(const struct wide *a, const struct wide *b)
{
	bool neg = wide_cmp(a, b) < 0;

	return (struct swide){neg ? wide_sub(b, a) : wide_sub(a, b), neg};
}

struct swide
swide_add(const struct swide *a, const struct swide *b)
{
	struct swide r;

	if (a->neg == b->neg)
		return (struct swide){wide_add(&a->m, &b->m), a->neg};
	r = swide_sub(&a->m, &b->m);
	r.neg = a->neg ? !r.neg && !wide_zero(&r.m) : r.neg;
	return r;
}

bool
wide_parse(const char *s, size_t n, struct wide *a)
{
	struct wide ten = {{0}};

	*a = wide_u64(0);
	if (!n || n > 190)
		return false;
	for (; n; s++, n--) {
		if (*s < '0' || *s > '9')
			return false;
		ten = wide_scale(*a, 1);
		*a = wide_u64((uint64_t)(*s - '0'));
		*a = wide_add(&ten, a);
	}
	return true;
}
