/* dues.h - a heap of things that wait for their time, the earliest first. All elements have one size, chosen by
 * the caller, and begin with a struct due. */
#ifndef SPOOR_DUES_H
#define SPOOR_DUES_H

#include <string.h>

#include "base/compiler.h"
#include "base/die.h"

struct due {
	uint64_t time, order; /* with equal times, the smallest order is first */
};

/* Heap. Zero it; free dues.v with free(). */
struct dues {
	uint8_t *v;
	size_t n, cap;
};

/* Returns true if element a is due before element b: by time, then by order. */
static INLINE bool
due_before(const void *a, const void *b)
{
	const struct due *x = a, *y = b;

	return x->time != y->time ? x->time < y->time : x->order < y->order;
}

/* Returns the first element; there must be one. */
static INLINE const struct due *
dues_first(const struct dues *d)
{
	return (const struct due *)(const void *)d->v;
}

/* Adds the element e of `size` bytes. */
static INLINE void
dues_push(struct dues *d, const void *e, size_t size)
{
	size_t at = d->n++;

	d->v = grow(d->v, &d->cap, d->n, size);
	for (; at && due_before(e, d->v + (at - 1) / 2 * size); at = (at - 1) / 2)
		memcpy(d->v + at * size, d->v + (at - 1) / 2 * size, size);
	memcpy(d->v + at * size, e, size);
}

/* Removes the first element, and copies it to *e. */
static INLINE void
dues_pop(struct dues *d, void *e, size_t size)
{
	const uint8_t *last = d->v + --d->n * size;
	size_t at = 0, child;

	memcpy(e, d->v, size);
	while ((child = 2 * at + 1) < d->n) {
		child += child + 1 < d->n &&
			 due_before(d->v + (child + 1) * size, d->v + child * size);
		if (!due_before(d->v + child * size, last))
			break;
		memcpy(d->v + at * size, d->v + child * size, size);
		at = child;
	}
	memmove(d->v + at * size, last, size);
}

#endif
