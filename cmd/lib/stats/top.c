/* top.c - see top.h: the algorithm Space-Saving. */
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "stats/accumulator.h"

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

/* Removes the slot of an entry, and moves up the entries that it had displaced. */
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

/* Returns an entry with the smallest count. The search continues where the last one ended, because counts only
 * rise. */
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

/* Counts the value d `times` times, of which `error` may be in excess (for merges). */
static void
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

/* Adds all values of another top. Exact if both are exact and there is room for all values. Else a count may also
 * be too low, by up to `missed`, the sum of both. */
static void
top_merge(const struct place *to, const struct place *other)
{
	const struct top *from = other->element;
	struct top *t = to->element;

	t->cap = from->cap ? from->cap : t->cap;
	for (uint32_t i = 0; i < from->n; i++)
		top_add(t, &from->entry[i].datum, from->entry[i].count,
			from->entry[i].error);
	t->missed += from->missed;
}

static void
top_free(void *element)
{
	struct top *t = element;

	for (uint32_t i = 0; i < t->n; i++)
		datum_free(&t->entry[i].datum);
	free(t->entry);
	free(t->slot);
	memset(t, 0, sizeof *t);
}

static void
top_take(const struct stats *st, void *element, const struct end_value *value)
{
	struct top *t = element;

	if (!t->cap)
		t->cap = TOP_CAP(st->spec->top);
	top_add(t, &value->datum, 1, 0);
}

static void
write_top(struct parts_writer *w, const struct place *of)
{
	struct top *t = of->element;
	uint64_t c = of->c;
	struct buf text = {0};

	top_sort(t);
	for (uint32_t i = 0; i < t->n; i++) {
		text.n = 0;
		datum_put(&text, &t->entry[i].datum);
		parts_line(w, "%u top %u %b\t%u", c, t->entry[i].error, &text,
			   t->entry[i].count);
	}
	if (t->missed)
		parts_line(w, "%u missed\t%u", c, t->missed);
	buf_free(&text);
}

static void
read_top(const struct partial_reader *r, const struct place *to)
{
	struct top *t = to->element;
	struct datum d;

	t->cap = TOP_CAP(to->st->spec->top);
	if (*r->word[1] == 'm') {
		t->missed += partial_value(r);
		return;
	}
	d = partial_datum(r, 3);
	top_add(t, &d, partial_value(r), partial_at(r, 2));
}

static bool
exact(const void *element)
{
	return !((const struct top *)element)->missed;
}

const struct accumulator acc_top = {sizeof(struct top), 1,
				    .take = top_take,	.merge = top_merge,
				    .clear = top_free,	.write = write_top,
				    .read = read_top,	.lines = {"top", "missed"},
				    .exact = exact};
