/*
 * stats_table.c - writes groups as rows of a table. With --wide, the values of a key are side by side, in a row
 * for each window and each value of the other keys.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "stats/accumulator.h"
#include "summary/row_values.h"

/* Rows ahead whose groups are prefetched, because groups are in memory in order of arrival. */
#define ROWS_SOON 16

/* Limit of the rows of windows without events: EMPTY_ROWS, and EMPTY_EACH more for each row with events. */
#define EMPTY_ROWS (1u << 20)
#define EMPTY_EACH 256

/* Limit of the columns that --wide makes. */
/* Bound: trace-stats --wide | columns | values of a key | 1000 | but the limit is 1000 */
#define COLUMNS_MOST 1000

void
stats_table_keys(const struct stats_table *t, const uint32_t *key, int64_t w,
		 size_t without)
{
	const struct stats *st = t->st;

	if (st->spec->pane)
		stats_table_window(table_cell(t->to), t, w);
	for (size_t k = 0; k < st->spec->nkeys; k++)
		if (k != without)
			keytab_put(table_cell(t->to), &st->text, key[k]);
}

/* Finds the values of the key of --wide. Dies if they are too many for columns. */
static void
pivot_open(struct stats_table *t)
{
	const struct stats *st = t->st;
	size_t nk = st->spec->nkeys, key = t->summary->wide_key;
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
		die("--wide %s: %u values would make %zu columns, but the limit is %d; "
		    "choose values with -e",
		    t->summary->wide, t->nvalues, t->nvalues * st->spec->nshown,
		    COLUMNS_MOST);
}

/* Adds the columns of the values to the headings. */
static void
pivot_names(const struct stats_table *t)
{
	const struct spec *spec = t->st->spec;

	for (size_t k = 0; k < spec->nshown; k++)
		for (uint32_t i = 0; i < t->nvalues; i++) {
			if (spec->nshown > 1) {
				table_name(t->to, spec->shown[k].label);
				buf_byte(&t->to->line, '_');
			} else
				table_cell(t->to);
			keytab_put(&t->to->line, &t->st->text, t->value[i]);
		}
}

/* Adds the cell of column k in group g, marked if it is an estimate. */
static void
put_cell(struct stats_table *t, size_t k, uint32_t g)
{
	row_values_put(table_cell(t->to), t, k, g);
	if (!row_values_exact(t, k, g))
		table_approximate(t->to);
}

/* Writes the current row of --wide, if there is one. */
static void
put_open(struct stats_table *t)
{
	const struct spec *spec = t->st->spec;

	if (!t->open || table_full(t->to))
		return;
	stats_table_keys(t, t->key, t->window, t->summary->wide_key);
	for (size_t k = 0; k < spec->nshown; k++)
		for (uint32_t i = 0; i < t->nvalues; i++)
			put_cell(t, k, t->group[i]);
	table_row(t->to);
}

/* Adds group g of a key and window to the current row of --wide; begins a new row if the window or another key
 * differs. Keys must come in order. g may be UINT32_MAX: no events. */
static void
pivot_put(struct stats_table *t, const uint32_t *key, int64_t window, uint32_t g)
{
	size_t wide = t->summary->wide_key, behind = t->st->spec->nkeys - wide - 1;

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

/* Writes the last row of --wide, and frees its memory. */
static void
pivot_close(struct stats_table *t)
{
	put_open(t);
	free(t->value);
	free(t->place);
	free(t->group);
}

void
stats_table_names(const struct stats_table *t, const struct spec *spec)
{
	struct table *to = t->to;

	if (spec->pane)
		table_text(to, "window");
	for (size_t i = 0; i < spec->nkeys - spec->nhidden; i++)
		if (!t->summary->wide || i != t->summary->wide_key)
			table_name(to, spec_key_label(spec, i));
	if (t->summary->wide)
		pivot_names(t);
	else if (t->summary->steps) {
		table_text(to, spec->agg[0].is->kind == AGG_CDF ? "value" : "low");
		table_text(to, "count");
		if (spec->agg[0].is->kind == AGG_CDF)
			table_text(to, "share");
	} else
		for (size_t i = 0; i < spec->nshown; i++)
			table_name(to, spec->shown[i].label);
}

/* Returns true if all groups have the aggregate exactly. */
static bool
all_exact(const struct stats *st, const struct agg *a)
{
	uint32_t g = 0;

	while (g < st->ngroups && stats_exact(st, a, g))
		g++;
	return g == st->ngroups;
}

/* Lists in b the aggregates of this accumulator, KEPT_*, that are estimates in some group. Returns the list; NULL
 * if all are exact. */
static const char *
estimates(const struct stats *st, unsigned of, struct buf *b)
{
	b->n = 0;
	for (size_t i = 0; i < st->spec->naggs; i++) {
		const struct agg *a = &st->spec->agg[i];

		if (a->is->of != of || all_exact(st, a))
			continue;
		buf_str(b, b->n ? ", " : "");
		buf_str(b, a->text);
	}
	if (!b->n)
		return NULL;
	buf_byte(b, '\0');
	return (const char *)b->p;
}

/* Returns true if an aggregate counts only numbers. */
static bool
of_numbers(const struct agg *a)
{
	return a->col >= 0 && a->is->acc & ACC_NUM && a->is->kind != AGG_COUNT;
}

/* Reports for each field the number of values that its aggregates of numbers did not count. */
static void
tell_texts(const struct stats *st)
{
	for (size_t c = 0; c < st->spec->ncols; c++) {
		const struct stats_column *col = &st->col[c];
		uint64_t n = col->texts;
		struct buf b = {0};

		for (uint32_t g = 0; g < st->ngroups; g++)
			n += column_tally(col, TEXTS, g)->n;
		for (size_t i = 0; i < st->spec->naggs && n; i++) {
			const struct agg *a = &st->spec->agg[i];

			if (a->col != (int)c || !of_numbers(a))
				continue;
			buf_add(&b, ", ", b.n ? 2 : 0);
			buf_str(&b, a->text);
		}
		if (b.n)
			warn("%.*s: %llu value%s no number%s and %s not counted", (int)b.n,
			     (const char *)b.p, (unsigned long long)n,
			     n == 1 ? " is" : "s are", n == 1 ? "" : "s",
			     n == 1 ? "was" : "were");
		buf_free(&b);
	}
}

/* Returns the greatest count that a value without a counter may have in any group. */
static uint64_t
greatest_missed(const struct stats *st)
{
	uint64_t most = 0;

	for (size_t c = 0; c < st->spec->ncols; c++)
		for (uint32_t g = 0; g < st->ngroups; g++) {
			const struct top *t =
			    column_kept(&st->col[c], KEPT_TOP, 0, g, sizeof *t);

			most = t->missed > most ? t->missed : most;
		}
	return most;
}

/* Prints messages about the columns that are estimates. */
static void
tell_estimates(const struct stats_table *t)
{
	const struct stats *st = t->st;
	struct buf b = {0};
	const char *names;

	if ((names = estimates(st, KEPT_HIST, &b)))
		warn("%s: off by at most %.2g %% of the value (--accuracy)", names,
		     50.0 / (1u << st->spec->bits));
	if ((names = estimates(st, KEPT_SET, &b)))
		warn("%s: counts above 512 are estimates (HyperLogLog) with a standard "
		     "error of %s",
		     names, SET_ERROR);
	if ((names = estimates(st, KEPT_PAGES, &b)))
		warn("%s: estimated where above 1024 runs of 64 units, standard error "
		     "about 3 %%",
		     names);
	if (t->totals.cut)
		warn("footprint: counted only the first %u units of long requests; there "
		     "were %llu",
		     PAGES_RANGE, (unsigned long long)t->totals.cut);
	if ((names = estimates(st, KEPT_TOP, &b)))
		warn("%s: a count written A-B is too high by at most B; values without a "
		     "counter have at most %llu",
		     names, (unsigned long long)greatest_missed(st));
	buf_free(&b);
}

/* Writes a row for each step of the distribution in group g. */
static void
put_steps(struct stats_table *t, const uint32_t *key, int64_t w, uint32_t g)
{
	const struct agg *a = &t->st->spec->agg[0];
	size_t n;
	struct hist_step *step = stats_steps(t->st, a, g, &n);
	struct wide all = wide_u64(column_numbers(&t->st->col[a->col], g));
	uint64_t sum = 0;

	for (size_t i = 0; i < n && !table_full(t->to); i++) {
		struct swide part = {wide_u64(sum += step[i].count), false};

		stats_table_keys(t, key, w, SIZE_MAX);
		stats_put_step(table_cell(t->to), t->st, a, &step[i]);
		table_u64(t->to, step[i].count);
		if (a->is->kind == AGG_CDF)
			table_ratio(t->to, &part, &all);
		table_row(t->to);
	}
	free(step);
}

/* Writes the row of a key, in window w if there are windows. g is its group; UINT32_MAX: no events. */
static void
put_row(struct stats_table *t, const uint32_t *key, int64_t w, uint32_t g)
{
	const struct spec *spec = t->st->spec;

	if (table_full(t->to) ||
	    (t->summary->keeps && !having_row(t->summary->keeps, t, key, w, g)))
		return;
	if (t->summary->wide)
		pivot_put(t, key, w, g);
	else if (t->summary->steps)
		put_steps(t, key, w, g);
	else {
		stats_table_keys(t, key, w, SIZE_MAX);
		for (size_t k = 0; k < spec->nshown; k++)
			put_cell(t, k, g);
		table_row(t->to);
	}
}

/* Merges panes into sliding windows, in `to`. Makes all windows that hold an event, also those that begin before
 * the first. */
static void
slide(struct stats *to, const struct stats *st, const uint32_t *order, uint32_t n)
{
	const struct spec *spec = st->spec;
	uint32_t *file;

	stats_open(to, spec);
	to->clock = st->clock;
	to->origin = st->origin;
	to->any = st->any;
	free(keytab_join(&to->text, &st->text));
	file = stats_renumber(&to->files, &st->files);
	for (uint32_t i = 0; i < n; i++) {
		int64_t first, k;

		stats_windows(st, st->pane[order[i]], &first, &k);
		for (; k >= first; k--)
			stats_merge_group(
			    to,
			    stats_group(to, st->key + (size_t)order[i] * spec->nkeys, k),
			    st, order[i], file);
	}
	/* Keep the keys of windows that were written before. */
	for (uint32_t g = 0; g < st->ngroups; g++)
		if (!st->count[g] && st->pane[g] != NO_PANE) {
			int64_t first, k;

			stats_windows(st, st->pane[g], &first, &k);
			stats_group(to, st->key + (size_t)g * spec->nkeys, k);
		}
	free(file);
}

/* Returns true if the rows of all windows and keys are few enough. Two events may be so far apart that the rows
 * between them would never end; and if each window has its own key, the rows grow with the square of their number. */
static bool
can_show_empty(int64_t first, int64_t last, uint32_t nkeys, uint32_t n)
{
	return (uint64_t)last - (uint64_t)first <
	       (EMPTY_ROWS + (EMPTY_EACH + 1ull) * n) / nkeys;
}

/* Writes rows only for windows and keys with events: groups order[0..n). */
static void
put_full(struct stats_table *t, const uint32_t *order, uint32_t n)
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

/* The keys of a table with windows. */
struct window_keys {
	struct stats st; /* a group without windows for each key */
	int64_t *since;	 /* first window of each key */
	size_t since_cap;
	uint32_t *order, n;
};

/* Writes a row for each window of w and each key. If rows are written as time goes on, only for keys that have
 * come by then. */
static void
put_all(struct stats_table *t, const uint32_t *order, uint32_t n,
	const struct window_keys *keys, struct windows w)
{
	const struct stats *st = t->st;
	size_t nk = st->spec->nkeys;
	uint32_t at = 0;

	for (bool more = true; more; more = w.from < w.upto, w.from += more)
		for (uint32_t k = 0; k < keys->n; k++) {
			const uint32_t *key = keys->st.key + (size_t)keys->order[k] * nk;
			uint32_t g = UINT32_MAX;

			if (t->summary->only && keys->since[keys->order[k]] > w.from)
				continue;
			if (at < n && st->pane[order[at]] == w.from &&
			    (!nk || !memcmp(st->key + (size_t)order[at] * nk, key,
					    nk * sizeof *key)))
				g = order[at++];
			put_row(t, key, w.from, g);
		}
}

/* Returns the number of the key that is compared last: the key of --wide. */
static uint32_t
last_key(const struct stats_table *t)
{
	return t->summary->wide ? (uint32_t)t->summary->wide_key : UINT32_MAX;
}

static void
find_keys(struct window_keys *keys, const struct stats_table *t, const struct spec *bare)
{
	const struct stats *st = t->st;

	stats_open(&keys->st, bare);
	free(keytab_join(&keys->st.text, &st->text));
	for (uint32_t g = 0; g < st->ngroups; g++) {
		uint32_t k;

		/* A group with a window but no event is a key of rows that were written before. */
		if (!st->count[g] && (!t->summary->only || st->pane[g] == NO_PANE))
			continue;
		k = stats_group(&keys->st, st->key + (size_t)g * bare->nkeys, 0);
		GROW(keys->since, keys->since_cap, k + 1);
		if (!keys->st.count[k] || st->pane[g] < keys->since[k])
			keys->since[k] = st->pane[g];
		keys->st.count[k] = 1;
	}
	keys->order = stats_order_last(&keys->st, last_key(t), &keys->n);
}

/* Writes the rows of a table with windows. Returns false if rows without events were wanted but are too many. */
static bool
put_windows(struct stats_table *t)
{
	const struct stats *st = t->st;
	const struct spec *spec = st->spec, bare = {.key = spec->key, .nkeys = spec->nkeys};
	uint32_t n, *all = stats_order_last(st, last_key(t), &n), *order = all;
	struct windows w = {INT64_MIN, INT64_MAX};
	struct window_keys keys = {.n = 0};
	bool good = true, empty;

	if (t->summary->only)
		w = *t->summary->only;
	for (; n && st->pane[*order] < w.from; n--)
		order++;
	for (; n && st->pane[order[n - 1]] > w.upto; n--)
		;
	if (n && w.from == INT64_MIN)
		w.from = st->pane[*order];
	if (n && w.upto == INT64_MAX)
		w.upto = st->pane[order[n - 1]];
	find_keys(&keys, t, &bare);
	empty =
	    spec->empty && keys.n && (n || (w.from != INT64_MIN && w.upto != INT64_MAX));
	if (empty)
		good = can_show_empty(w.from, w.upto, keys.n, n);
	if (empty && good)
		put_all(t, order, n, &keys, w);
	else
		put_full(t, order, n);
	pivot_close(t);
	free(keys.order);
	free(keys.since);
	stats_free(&keys.st);
	free(all);
	return good;
}

/* Sets *column to the number of the cell of `to` with this name. Returns false if there is none. */
static bool
column_named(const struct table *to, const char *name, unsigned *column)
{
	const char *p = (const char *)to->line.p, *end = p + to->line.n;
	size_t n = strlen(name);

	for (*column = 0; *column < to->cells; ++*column) {
		const char *tab = memchr(p, '\t', (size_t)(end - p));
		size_t cell = (size_t)((tab ? tab : end) - p);

		if (cell == n && !memcmp(p, name, n))
			return true;
		p += cell + 1;
	}
	return false;
}

void
summary_sort(struct summary *opts, const struct table *to)
{
	opts->by = xcalloc(opts->nsort, sizeof *opts->by);
	for (size_t i = 0; i < opts->nsort; i++) {
		char *name = expr_label(xstrdup(opts->sort[i]));
		struct table_by *by = &opts->by[i];
		bool found;

		by->down = *name == '-';
		found = column_named(to, name + by->down, &by->column);
		free(name);
		if (found)
			continue;
		for (size_t k = 0; k < to->line.n; k++)
			to->line.p[k] = to->line.p[k] == '\t' ? ' ' : to->line.p[k];
		die("-S %s: no such column (%.*s)%s", opts->sort[i], (int)to->line.n,
		    (const char *)to->line.p,
		    strchr(opts->sort[i], ' ') ? ": -COLUMN is the greatest first" : "");
	}
}

bool
stats_table_put(struct stats *st, struct table *to, struct summary *opts)
{
	struct spec shown = *st->spec;
	const struct spec *spec = &shown;
	struct stats_table t = {.to = to, .summary = opts};
	uint32_t n, *order;
	struct stats slid, joined;
	bool whole = true, fit;

	if (shown.nhidden) {
		shown.nkeys -= shown.nhidden;
		shown.nhidden = 0;
		stats_join(&joined, st, spec);
		st = &joined;
	}
	t.st = st;
	order = stats_order_last(st, last_key(&t), &n);
	stats_totals(st, &t.totals);
	if (opts->wide)
		pivot_open(&t);
	stats_table_names(&t, spec);
	if (opts->wide && opts->nsort && n) {
		summary_sort(opts, to);
		to->by = opts->by;
	}
	table_head(to);
	if (spec->window != spec->pane || spec->step != spec->pane) {
		slide(&slid, st, order, n);
		t.st = &slid;
	}
	row_values_open(&t);
	if (!spec->pane) {
		put_full(&t, order, n);
		pivot_close(&t);
	} else
		whole = put_windows(&t);
	fit = row_values_close(&t);
	if (!whole)
		warn("-w: left out rows without events, because there are too many");
	if (!opts->section)
		tell_estimates(&t);
	if (!opts->section && (!opts->only || opts->only->upto == INT64_MAX))
		tell_texts(st);
	if (t.st == &slid)
		stats_free(&slid);
	if (st == &joined)
		stats_free(&joined);
	totals_free(&t.totals);
	free(order);
	return whole && fit;
}
