/*
 * numbers.h - a table of eight bytes for each of the small numbers that a rank gives to communicators, groups and
 * requests.
 *
 * Numbers that are used again and again are small, and have their place in an array. The array is limited by the
 * number of lookups, so that a number chosen to be large costs no memory: it has its place in a hash table.
 */
#ifndef SPOOR_MPI_NUMBERS_H
#define SPOOR_MPI_NUMBERS_H

#include "base/hash.h"
#include "base/mem.h"
#include "base/slots.h"

#define NUMBERS_NEAR \
	64 /* limit of the array without any lookup; NUMBERS_EACH: more for each lookup */
#define NUMBERS_EACH 8

/* The table. Most ranks have none, so an owner has a pointer, which is NULL at first. */
struct numbers {
	uint64_t *near;
	size_t near_cap;
	uint64_t asked;
	struct slots index; /* index of `far` */
	struct far {
		uint32_t number;
		uint64_t value;
	} * far;
	size_t nfar, far_cap;
};

/* Returns the entry of a number in the hash table, or NULL. */
static inline struct far *
numbers_far(const struct numbers *t, uint32_t number)
{
	uint32_t hash = hash_slot(hash_add(0, number)), i;

	for (size_t at = hash; slots_next(&t->index, hash, &at, &i);)
		if (t->far[i].number == number)
			return &t->far[i];
	return NULL;
}

/* Returns the eight bytes of a number, or NULL if numbers_at was not called for it. t may be NULL. */
static inline void *
numbers_get(const struct numbers *t, uint32_t number)
{
	struct far *f = NULL;

	if (!t)
		return NULL;
	/* A number in the hash table stays there when the array grows beyond it. */
	if (unlikely(t->nfar))
		f = numbers_far(t, number);
	return f		      ? (void *)&f->value
	       : number < t->near_cap ? (void *)&t->near[number]
				      : NULL;
}

/* Returns the eight bytes of a number in *of, which is made if it is NULL. They are zeros at first. The pointer is
 * valid until the next call. */
static inline void *
numbers_at(struct numbers **of, uint32_t number)
{
	struct numbers *t = *of = *of ? *of : xcalloc(1, sizeof **of);
	void *have = numbers_get(t, number);
	struct far *f;

	t->asked++;
	if (likely(have != NULL))
		return have;
	if (number < NUMBERS_NEAR + NUMBERS_EACH * t->asked) {
		GROW(t->near, t->near_cap, (size_t)number + 1);
		return &t->near[number];
	}
	f = PUSH(t->far, t->nfar, t->far_cap);
	*f = (struct far){.number = number};
	slots_add(&t->index, hash_slot(hash_add(0, number)), (uint32_t)t->nfar - 1);
	return &f->value;
}

/* Removes all numbers. t may be NULL. */
static inline void
numbers_clear(struct numbers *t)
{
	if (!t)
		return;
	if (t->near)
		memset(t->near, 0, t->near_cap * sizeof *t->near);
	slots_free(&t->index);
	t->nfar = 0;
}

/* Frees the memory of t, and t itself. */
static inline void
numbers_free(struct numbers *t)
{
	if (!t)
		return;
	free(t->near);
	free(t->far);
	slots_free(&t->index);
	free(t);
}

#endif
