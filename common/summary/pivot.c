/* pivot.c - the values of a key side by side: a row for each window and the other keys. */
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "summary/columns.h"

/* Columns that are values. */
#define COLUMNS_MOST 1000

void
pivot_open(struct table *t)
{
	const struct stats *st = t->st;
	size_t nk = st->spec->nkeys, key = t->how->wide_key;
	const struct spec bare = {.key = st->spec->key + key, .nkeys = 1};
	struct stats values;
	uint32_t *order;

	stats_open(&values, &bare);
	free(keytab_join(&values.text, &st->text));
	for (uint32_t g = 0; g < st->ngroups; g++)
		if (st->count[g]) {
			uint32_t v = stats_group(&values, &st->key[g * nk + key], 0);

			values.count[v] = 1;
		}
	order = stats_order(&values, &t->nvalues);
	t->value = xcalloc(t->nvalues, sizeof *t->value);
	t->group = xcalloc(t->nvalues, sizeof *t->group);
	t->place = xcalloc(st->text.n, sizeof *t->place);
	for (uint32_t i = 0; i < t->nvalues; i++) {
		t->value[i] = values.key[order[i]];
		t->place[t->value[i]] = i;
	}
	free(order);
	stats_free(&values);
	if (t->nvalues > COLUMNS_MOST / st->spec->nshown)
		die("--wide %s: its %u values would be %zu columns; at most %d are "
		    "possible (-e chooses among the values)",
		    t->how->wide, t->nvalues, t->nvalues * st->spec->nshown, COLUMNS_MOST);
}

void
pivot_names(const struct table *t)
{
	const struct spec *spec = t->st->spec;

	for (size_t k = 0; k < spec->nshown; k++)
		for (uint32_t i = 0; i < t->nvalues; i++) {
			if (spec->nshown > 1) {
				rows_name(t->r, spec->shown[k].label);
				buf_byte(&t->r->line, '_');
			} else
				rows_cell(t->r);
			keytab_put(&t->r->line, &t->st->text, t->value[i]);
		}
}

/* Writes the row in the making, if there is one. */
static void
put_open(struct table *t)
{
	const struct spec *spec = t->st->spec;

	if (!t->open || rows_full(t->r))
		return;
	table_keys(t, t->key, t->window, t->how->wide_key);
	for (size_t k = 0; k < spec->nshown; k++)
		for (uint32_t i = 0; i < t->nvalues; i++)
			columns_put(rows_cell(t->r), t, k, t->group[i]);
	rows_put(t->r);
}

void
pivot_put(struct table *t, const uint32_t *key, int64_t window, uint32_t g)
{
	size_t wide = t->how->wide_key, behind = t->st->spec->nkeys - wide - 1;

	if (!t->open || t->window != window ||
	    memcmp(t->key, key, wide * sizeof *key) != 0 ||
	    memcmp(t->key + wide + 1, key + wide + 1, behind * sizeof *key) != 0) {
		put_open(t);
		for (uint32_t i = 0; i < t->nvalues; i++)
			t->group[i] = UINT32_MAX;
		t->open = true;
		t->window = window;
		t->key = key;
	}
	t->group[t->place[key[wide]]] = g;
}

void
pivot_close(struct table *t)
{
	put_open(t);
	t->open = false;
	free(t->value);
	free(t->place);
	free(t->group);
	t->value = t->place = t->group = NULL;
}
