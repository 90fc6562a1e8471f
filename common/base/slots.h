/*
 * slots.h - an index from hashes to numbers, such as the numbers of an array's elements. The keys stay in the array;
 * the caller compares its key with each element of the same hash:
 *
 *	for (size_t at = hash; slots_next(&t->index, hash, &at, &i);)
 *		if (t->v[i].key == key)
 *			return i;
 *	slots_add(&t->index, hash, i = t->n++);
 *
 * Each number is in the first place that was free, counted from the place of its hash. At most half of the places are
 * taken.
 */
#ifndef SPOOR_SLOTS_H
#define SPOOR_SLOTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct slots_place {
	uint32_t hash;
	uint32_t number; /* the number plus 1; 0 = free */
};

/* The index. Zeroed struct = empty. */
struct slots {
	struct slots_place *v;
	size_t mask; /* number of places, a power of two, minus 1 */
	uint32_t n;  /* how many numbers the index has */
};

/* Adds a number below 2^32 - 1, which must not be in the index. Dies without memory. */
void slots_add(struct slots *s, uint32_t hash, uint32_t number);
/* Removes a number, which must have been added with this hash. */
void slots_drop(struct slots *s, uint32_t hash, uint32_t number);
/* Frees the memory of the index, which is empty then. */
void slots_free(struct slots *s);

/* Finds the next number that was added with this hash, and stores it in *number. Returns false after the last one. The
 * caller sets *at to the hash before the first call, and does not change it between the calls. */
static inline bool
slots_next(const struct slots *s, uint32_t hash, size_t *at, uint32_t *number)
{
	const struct slots_place *v = s->v;

	for (size_t i = *at; v && v[i & s->mask].number; i++)
		if (v[i & s->mask].hash == hash) {
			*number = v[i & s->mask].number - 1;
			*at = i + 1;
			return true;
		}
	return false;
}

#endif
