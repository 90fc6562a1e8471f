/* columns_bytes.c - records that are integers of some bytes each, one behind the other. */
#include "base/put.h"
#include "columns/columns.h"

#define DIGITS 24 /* of an integer, with a sign */

void
columns_integers(struct columns *c, const uint8_t *p)
{
	const struct columns_layout *l = c->l;
	uint8_t *to;

	c->unquoted.n = 0;
	to = buf_room(&c->unquoted, (size_t)l->nints * DIGITS);
	for (c->n = 0; c->n < l->nints && c->n < c->want; c->n++) {
		const struct columns_int *k = &l->ints[c->n];
		unsigned unused = 64u - 8u * k->width;
		uint8_t *begin = to;
		uint64_t v = 0;

		for (unsigned i = k->width; i--;)
			v = v << 8 | p[i];
		p += k->width;
		to =
		    k->neg ? put_i64(to, (int64_t)(v << unused) >> unused) : put_u64(to, v);
		c->cell[c->n].text = c->cell[c->n].raw =
		    (struct span){begin, (size_t)(to - begin)};
	}
}
