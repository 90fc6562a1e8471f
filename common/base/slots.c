/* slots.c - see slots.h */
#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"
#include "base/die.h"
#include "base/slots.h"

#define PLACES_FIRST 8

static inline void
place_add(struct slots *s, struct slots_place p)
{
	size_t at = p.hash & s->mask;

	while (s->v[at].number)
		at = (at + 1) & s->mask;
	s->v[at] = p;
}

static COLD void
more_places(struct slots *s)
{
	struct slots old = *s;
	size_t places = s->v ? s->mask + 1 : 0;

	s->mask = (places ? 2 * places : PLACES_FIRST) - 1;
	s->v = xcalloc(s->mask + 1, sizeof *s->v);
	for (size_t i = 0; i < places; i++)
		if (old.v[i].number)
			place_add(s, old.v[i]);
	free(old.v);
}

void
slots_add(struct slots *s, uint32_t hash, uint32_t number)
{
	if (unlikely(2 * (size_t)s->n >= s->mask))
		more_places(s);
	place_add(s, (struct slots_place){hash, number + 1});
	s->n++;
}

/* Moves later numbers into the hole if the search for them would end there. */
void
slots_drop(struct slots *s, uint32_t hash, uint32_t number)
{
	size_t hole = hash & s->mask;

	while (s->v[hole].number != number + 1)
		hole = (hole + 1) & s->mask;
	for (size_t i = (hole + 1) & s->mask; s->v[i].number; i = (i + 1) & s->mask)
		if (((i - s->v[i].hash) & s->mask) >= ((i - hole) & s->mask)) {
			s->v[hole] = s->v[i];
			hole = i;
		}
	s->v[hole].number = 0;
	s->n--;
}

void
slots_free(struct slots *s)
{
	free(s->v);
	memset(s, 0, sizeof *s);
}
