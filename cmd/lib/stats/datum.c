/* datum.c - see datum.h: hashes, copies and order of values. */
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "stats/datum.h"

uint64_t
hash64(const void *v, size_t n)
{
	const uint8_t *p = v;
	uint64_t h = 0x9E3779B97F4A7C15u ^ n, w;

	for (; n >= 8; p += 8, n -= 8) {
		w = 0;
		for (int i = 7; i >= 0; i--)
			w = w << 8 | p[i];
		h = mix64(h ^ w);
	}
	for (w = 0; n; n--)
		w = w << 8 | p[n - 1];
	return mix64(h ^ w ^ 0x5bd1e995u);
}

struct datum
datum_copy(const struct datum *d)
{
	struct datum c = *d;

	if (d->text) {
		c.text = xmalloc((size_t)d->v + 1);
		memcpy(c.text, d->text, (size_t)d->v);
		c.text[d->v] = '\0';
	}
	return c;
}

void
datum_free(struct datum *d)
{
	FREE(d->text);
}

int
datum_cmp(const struct datum *a, const struct datum *b)
{
	if (a->class != b->class)
		return a->class < b->class ? -1 : 1;
	if (a->text)
		return strcmp(a->text, b->text);
	return a->v < b->v ? -1 : a->v > b->v;
}
