/* top.c - Space-Saving. */
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "stats/top.h"

static bool
datum_same(const struct datum *a, const struct datum *b)
{
	return a->class == b->class && a->v == b->v &&
	       (!a->text || !memcmp(a->text, b->text, (size_t)a->v));
}

static uint32_t
slots(const struct top *t)
{
	return 4 * t->room;
}

static void
put_slot(struct top *t, uint32_t e)
{
	uint32_t mask = slots(t) - 1, i = t->entry[e].home & mask;

	while (t->slot[i])
		i = (i + 1) & mask;
	t->slot[i] = (uint16_t)(e + 1);
}

/* Takes an entry's slot out; what was displaced by it moves up. */
static void
clear_slot(struct top *t, uint32_t e)
{
	uint32_t mask = slots(t) - 1, i = t->entry[e].home & mask;

	while (t->slot[i] != e + 1)
		i = (i + 1) & mask;
	t->slot[i] = 0;
	for (i = (i + 1) & mask; t->slot[i]; i = (i + 1) & mask) {
		uint32_t moved = t->slot[i] - 1u;

		t->slot[i] = 0;
		put_slot(t, moved);
	}
}

/* An entry with the least count. Counts only rise: so the search goes round. */
static uint32_t
least_entry(struct top *t)
{
	uint64_t least;

	for (;;) {
		for (uint32_t i = 0; i < t->n; i++) {
			uint32_t e = t->hand;

			t->hand = e + 1 < t->n ? e + 1 : 0;
			if (t->entry[e].count <= t->least)
				return e;
		}
		least = UINT64_MAX;
		for (uint32_t i = 0; i < t->n; i++)
			if (t->entry[i].count < least)
				least = t->entry[i].count;
		t->least = least;
	}
}

void
top_add(struct top *t, const struct datum *d, uint64_t times, uint64_t error)
{
	uint32_t home = datum_slot(d), mask, i, e;
	struct top_entry *x;

	if (t->room) {
		mask = slots(t) - 1;
		for (i = home & mask; t->slot[i]; i = (i + 1) & mask) {
			x = &t->entry[t->slot[i] - 1];
			if (x->home == home && datum_same(&x->datum, d)) {
				x->count += times;
				x->error += error;
				return;
			}
		}
	}
	if (t->n < t->cap) {
		if (t->n == t->room) {
			t->room = t->room ? t->room * 2 : 8;
			t->entry = xrealloc(t->entry, t->room, sizeof *t->entry);
			free(t->slot);
			t->slot = xcalloc(slots(t), sizeof *t->slot);
			for (i = 0; i < t->n; i++)
				put_slot(t, i);
		}
		t->entry[t->n] = (struct top_entry){home, times, error, datum_copy(d)};
		put_slot(t, t->n++);
		if (times < t->least)
			t->least = times;
		return;
	}
	e = least_entry(t);
	x = &t->entry[e];
	clear_slot(t, e);
	datum_free(&x->datum);
	if (x->count > t->missed)
		t->missed = x->count;
	*x = (struct top_entry){home, x->count + times, x->count + error, datum_copy(d)};
	put_slot(t, e);
}

static int
entry_cmp(const void *x, const void *y)
{
	const struct top_entry *a = x, *b = y;

	if (a->count != b->count)
		return a->count > b->count ? -1 : 1;
	return datum_cmp(&a->datum, &b->datum);
}

void
top_sort(struct top *t)
{
	if (!t->n)
		return;
	qsort(t->entry, t->n, sizeof *t->entry, entry_cmp);
	memset(t->slot, 0, slots(t) * sizeof *t->slot);
	for (uint32_t i = 0; i < t->n; i++)
		put_slot(t, i);
}

void
top_merge(struct top *t, const struct top *from)
{
	for (uint32_t i = 0; i < from->n; i++)
		top_add(t, &from->entry[i].datum, from->entry[i].count,
			from->entry[i].error);
	t->missed += from->missed;
}

void
top_free(struct top *t)
{
	for (uint32_t i = 0; i < t->n; i++)
		datum_free(&t->entry[i].datum);
	free(t->entry);
	free(t->slot);
	memset(t, 0, sizeof *t);
}
