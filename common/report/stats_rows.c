/* stats_rows.c - groups as the rows of a table. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/put.h"
#include "report/columns.h"

#define SECOND 1000000000u
/* Groups lie in memory as they came. Those of so many rows further on are fetched already. */
#define ROWS_SOON 16

/* Rows of windows without events: these, and so many for each row that has some. */
#define EMPTY_ROWS (1u << 20)
#define EMPTY_EACH 256

void
table_names(const struct table *t, const struct spec *spec)
{
	struct rows *r = t->r;

	if (spec->pane)
		rows_text(r, "window");
	for (size_t i = 0; i < spec->nkeys; i++)
		if (!t->how->wide || i != t->how->wide_key)
			rows_name(r, spec_key_label(spec, i));
	if (t->how->wide)
		pivot_names(t);
	else if (t->how->steps) {
		rows_text(r, spec->agg[0].kind == AGG_CDF ? "value" : "low");
		rows_text(r, "count");
		if (spec->agg[0].kind == AGG_CDF)
			rows_text(r, "share");
	} else
		for (size_t i = 0; i < spec->nshown; i++)
			rows_name(r, spec->shown[i].label);
}

/* Lines behind the rows, where a program that reads a header and rows has all of them. */
static void
put_notes(const struct totals *t, struct rows *r, bool whole)
{
	char text[160];

	if (!whole) {
		if (r->style == ROWS_TABS && !r->bare)
			rows_note(r, "window: rows without events are left out, too many");
		warn("-w: too many rows without events: they are left out, as with "
		     "--no-empty");
	}
	if (!t->exact_set)
		rows_note(r,
			  "distinct: estimated where above 512, standard error " SET_ERROR
			  " (HyperLogLog)");
	if (!t->exact_pages)
		rows_note(r, "footprint: estimated where above 1024 runs of 64 units, "
			     "standard error about 3 %");
	if (t->cut) {
		snprintf(
		    text, sizeof text,
		    "footprint: requests of more than %u units count as so many; there "
		    "were %llu",
		    PAGES_RANGE, (unsigned long long)t->cut);
		rows_note(r, text);
	}
	if (!t->exact_top) {
		snprintf(text, sizeof text,
			 "top, mode: counts may be too high by what stands behind the -; a "
			 "value without a counter has at most %llu",
			 (unsigned long long)t->top_error);
		rows_note(r, text);
	}
}

static struct value
window_begin(const struct stats *st, int64_t w)
{
	bool ns = st->clock == CLOCK_NS, neg = ns && st->origin < 0;
	uint64_t step = ns ? st->spec->step : st->spec->step / SECOND;
	uint64_t origin = neg ? 0 - (uint64_t)st->origin : (uint64_t)st->origin;
	/* The first may begin before any time of 64 bits: only its magnitude fits. */
	uint64_t way = (w < 0 ? 0 - (uint64_t)w : (uint64_t)w) * step, v = origin + way;

	if (way && (w < 0) != neg) {
		v = way > origin ? way - origin : origin - way;
		neg = way > origin ? w < 0 : neg && v;
	}
	return (struct value){(ns ? NANO_POS : INT_POS) + (unsigned)neg, v};
}

void
table_window(struct buf *b, const struct table *t, int64_t w)
{
	buf_to(b, value_put(buf_room(b, 64 + PUT_SLACK), window_begin(t->st, w)));
}

void
table_keys(const struct table *t, const uint32_t *key, int64_t w, size_t without)
{
	const struct stats *st = t->st;

	if (st->spec->pane)
		table_window(rows_cell(t->r), t, w);
	for (size_t k = 0; k < st->spec->nkeys; k++)
		if (k != without)
			keytab_put(rows_cell(t->r), &st->text, key[k]);
}

/* A row for each step of the distribution in group g. */
static void
put_steps(struct table *t, const uint32_t *key, int64_t w, uint32_t g)
{
	const struct agg *a = &t->st->spec->agg[0];
	size_t n;
	struct step *step = stats_steps(t->st, a, g, &n);
	struct wide all = wide_u64(column_numbers(&t->st->col[a->col], g));
	uint64_t sum = 0;

	for (size_t i = 0; i < n && !rows_full(t->r); i++) {
		struct swide part = {wide_u64(sum += step[i].count), false};
		struct buf *b;

		table_keys(t, key, w, SIZE_MAX);
		stats_put_step(rows_cell(t->r), t->st, a, &step[i]);
		b = rows_cell(t->r);
		buf_to(b, put_u64(buf_room(b, 32 + PUT_SLACK), step[i].count));
		if (a->kind == AGG_CDF) {
			b = rows_cell(t->r);
			buf_to(b, ratio_put(buf_room(b, WIDE_DIGITS + PUT_SLACK), &part,
					    &all));
		}
		rows_put(t->r);
	}
	free(step);
}

/* The row of a key in window w, if there are windows; g: its group, or of no events. */
static void
put_row(struct table *t, const uint32_t *key, int64_t w, uint32_t g)
{
	const struct spec *spec = t->st->spec;

	if (rows_full(t->r) || (t->how->keeps && !having_row(t->how->keeps, t, key, w, g)))
		return;
	if (t->how->wide)
		pivot_put(t, key, w, g);
	else if (t->how->steps)
		put_steps(t, key, w, g);
	else {
		table_keys(t, key, w, SIZE_MAX);
		for (size_t k = 0; k < spec->nshown; k++)
			columns_put(rows_cell(t->r), t, k, g);
		rows_put(t->r);
	}
}

static int64_t
floor_div(int64_t a, int64_t b)
{
	return a / b - (a % b < 0);
}

/* Panes into windows: window k begins at k * step and has the panes of its length. All that
 * hold an event are there, also those that begin before the first. */
static void
slide(struct stats *to, const struct stats *st, const uint32_t *order, uint32_t n)
{
	const struct spec *spec = st->spec;
	int64_t step = (int64_t)(spec->step / spec->pane);
	int64_t length = (int64_t)(spec->window / spec->pane);
	uint32_t *file;

	stats_open(to, spec);
	to->clock = st->clock;
	to->origin = st->origin;
	to->any = st->any;
	free(keytab_join(&to->text, &st->text));
	file = stats_renumber(&to->files, &st->files);
	for (uint32_t i = 0; i < n; i++) {
		int64_t pane = st->pane[order[i]], k = floor_div(pane, step);

		/* What they are apart is small, though the product may be beyond 64 bits.
		 */
		for (; k > NO_PANE &&
		       (uint64_t)pane - (uint64_t)k * (uint64_t)step < (uint64_t)length;
		     k--)
			stats_merge_group(
			    to,
			    stats_group(to, st->key + (size_t)order[i] * spec->nkeys, k),
			    st, order[i], file);
	}
	free(file);
}

/*
 * Two events may lie so far apart that the rows between them would never end, and a key
 * for each of many windows makes a square of them. False: so many are there.
 */
static bool
can_show_empty(int64_t first, int64_t last, uint32_t nkeys, uint32_t n)
{
	return (uint64_t)last - (uint64_t)first <
	       (EMPTY_ROWS + (EMPTY_EACH + 1ull) * n) / nkeys;
}

/* Rows of the windows and keys that have events: of groups order[0..n). */
static void
put_full(struct table *t, const uint32_t *order, uint32_t n)
{
	const struct stats *st = t->st;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t g = order[i];

		if (i + ROWS_SOON < n)
			stats_soon(st, order[i + ROWS_SOON]);
		put_row(t, st->key + (size_t)g * st->spec->nkeys,
			st->spec->pane ? st->pane[g] : 0, g);
	}
}

/* Rows of all windows from the first to the last, for all keys: groups of a table without
 * windows, nkeys in their order. */
static void
put_all(struct table *t, const uint32_t *order, uint32_t n, const struct stats *keys,
	const uint32_t *key_order, uint32_t nkeys)
{
	const struct stats *st = t->st;
	size_t nk = st->spec->nkeys;
	uint32_t at = 0;

	for (int64_t w = st->pane[order[0]]; at < n; w++)
		for (uint32_t k = 0; k < nkeys; k++) {
			const uint32_t *key = keys->key + (size_t)key_order[k] * nk;
			uint32_t g = UINT32_MAX;

			if (at < n && st->pane[order[at]] == w &&
			    (!nk || !memcmp(st->key + (size_t)order[at] * nk, key,
					    nk * sizeof *key)))
				g = order[at++];
			put_row(t, key, w, g);
		}
}

/* The keys that a table with windows has, as groups of a table without. */
static void
keys_of(struct stats *keys, const struct spec *bare, const struct stats *st)
{
	stats_open(keys, bare);
	free(keytab_join(&keys->text, &st->text));
	for (uint32_t g = 0; g < st->ngroups; g++) {
		uint32_t k;

		if (!st->count[g])
			continue;
		k = stats_group(keys, st->key + (size_t)g * bare->nkeys, 0);
		keys->count[k] = 1;
	}
}

/* The key that is compared last: that of columns. */
static uint32_t
last_key(const struct table *t)
{
	return t->how->wide ? (uint32_t)t->how->wide_key : UINT32_MAX;
}

/* False when rows without events were to be there and are too many. */
static bool
put_windows(struct table *t)
{
	const struct stats *st = t->st;
	const struct spec *spec = st->spec, bare = {.key = spec->key, .nkeys = spec->nkeys};
	uint32_t n, nkeys, *order = stats_order_last(st, last_key(t), &n), *key_order;
	struct stats keys;
	bool good = true;

	keys_of(&keys, &bare, st);
	key_order = stats_order_last(&keys, last_key(t), &nkeys);
	if (n && spec->empty)
		good = can_show_empty(st->pane[order[0]], st->pane[order[n - 1]], nkeys, n);
	if (n && spec->empty && good)
		put_all(t, order, n, &keys, key_order, nkeys);
	else
		put_full(t, order, n);
	pivot_close(t);
	free(key_order);
	free(order);
	stats_free(&keys);
	return good;
}

bool
stats_rows(struct stats *st, struct rows *r, struct report *how)
{
	const struct spec *spec = st->spec;
	struct table t = {.st = st, .r = r, .how = how};
	uint32_t n, *order = stats_order_last(st, last_key(&t), &n);
	struct stats slid;
	bool whole = true, fit;

	stats_totals(st, &t.totals);
	if (how->wide)
		pivot_open(&t);
	table_names(&t, spec);
	if (how->wide && how->nsort && n) {
		report_sort(how, r);
		r->by = how->by;
	}
	rows_head(r);
	if (spec->window != spec->pane || spec->step != spec->pane) {
		slide(&slid, st, order, n);
		t.st = &slid;
	}
	columns_open(&t);
	if (!spec->pane) {
		put_full(&t, order, n);
		pivot_close(&t);
	} else
		whole = put_windows(&t);
	fit = columns_close(&t);
	if (t.st == &slid)
		stats_free(&slid);
	rows_flush(r);
	put_notes(&t.totals, r, whole);
	totals_free(&t.totals);
	free(order);
	return whole && fit;
}
