/*
 * numbers.h - eight bytes for each of the small numbers that a rank gives to communicators, groups and requests.
 *
 * Numbers that are used again and again are small, and have their place in an array. The array never is longer
 * than the number of questions warrants, so that a number chosen to be large costs no memory: it has its place
 * in a hash table.
 */
#ifndef SPOOR_MPI_NUMBERS_H
#define SPOOR_MPI_NUMBERS_H

#include "base/hash.h"
#include "base/mem.h"
#include "base/slots.h"

#define NUMBERS_NEAR \
	64 /* places of the array without any question, and for each question */
#define NUMBERS_EACH 8

/* Most ranks have none: an owner holds a pointer, NULL at first. */
struct numbers {
	uint64_t *near;
	size_t near_cap;
	uint64_t asked;
	struct slots index; /* of `far` */
	struct far {
		uint32_t number;
		uint64_t value;
	} * far;
	size_t nfar, far_cap;
};

static inline struct far *
numbers_far(const struct numbers *t, uint32_t number)
{
	uint32_t hash = hash_slot(hash_add(0, number)), i;

	for (size_t at = hash; slots_next(&t->index, hash, &at, &i);)
		if (t->far[i].number == number)
			return &t->far[i];
	return NULL;
}

/* Returns the eight bytes of a number, or NULL if none were asked for yet. t may be NULL. */
static inline void *
numbers_get(const struct numbers *t, uint32_t number)
{
	struct far *f = NULL;

	if (!t)
		return NULL;
	/* A number that was far stays so when the array has grown beyond it. */
	if (unlikely(t->nfar))
		f = numbers_far(t, number);
	return f		      ? (void *)&f->value
	       : number < t->near_cap ? (void *)&t->near[number]
				      : NULL;
}

/* Returns the eight bytes of a number in *of, which is made if it is NULL. They are zeros at first, and
 * stay until the next call. */
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

/* Forgets all that was stored. */
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
