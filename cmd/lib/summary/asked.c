/* asked.c - see asked.h: a question has the table that trace-stats writes, and its rows become rows of a section. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "number/moment.h"
#include "event/value.h"
#include "stats/accumulator.h"
#include "summary/asked.h"
#include "view/traits.h"
#include "summary/row_values.h"

#define PEOPLE 32 /* number of rows shown to people */

/* Writes a share like a quotient: with six decimals, or more to have six digits, without zeros at the end. */
static void
put_share(char *to, size_t size, double share)
{
	int decimals = 6, n;

	for (double x = fabs(share); x > 0 && x < 0.1 && decimals < 15; x *= 10)
		decimals++;
	n = snprintf(to, size, "%.*f", decimals, share);
	while (n > 1 && to[n - 1] == '0')
		to[--n] = '\0';
	if (to[n - 1] == '.')
		to[n - 1] = '\0';
}

/* Fills a cell with the value text[0..n) of column k, for programs and for people. */
static void
fill(const struct asked_rows *rows, struct cell *c, size_t k, const char *text, size_t n)
{
	struct num v;
	double share;

	snprintf(c->raw, sizeof c->raw, "%.*s", (int)n, text);
	snprintf(c->shown, sizeof c->shown, "%.40s", c->raw);
	if (!num_parse(c->raw, strlen(c->raw), NUM_BARE, &v, NULL))
		return;
	share = strtod(c->raw, NULL);
	if (rows->percent[k]) {
		put_share(c->raw, sizeof c->raw, share);
		snprintf(c->shown, sizeof c->shown, "%.1f%%",
			 floor(share * 1000 + 0.5) / 10);
	} else if (rows->time[k] && rows->st->clock == CLOCK_NS &&
		   v.whole < UINT64_MAX / 1000000000)
		span_text(c->shown, v.whole * 1000000000 + v.nano, v.neg);
	else if (strchr(c->raw, '.'))
		snprintf(c->shown, sizeof c->shown, "%s%llu", v.neg ? "-" : "",
			 (unsigned long long)(v.whole + (v.nano >= 500000000)));
}

/* Adds a row of the table, cells with TABs between, to the section. The first cell is the key, except in the row
 * of all events, which has none. */
static void
take_row(void *arg, const char *line, size_t n)
{
	struct asked_rows *rows = arg;
	struct section *s = rows->s;
	const char *end = line + n,
		   *p = rows->all ? line : (const char *)memchr(line, '\t', n) + 1;
	char *key = rows->all ? xstrdup("all") : xstrndup(line, (size_t)(p - 1 - line));
	bool none = *p == '-' && (p + 1 == end || p[1] == '\t'),
	     state = !strcmp(rows->x->keys, SPEC_STATE) && !strcmp(key, "-");
	struct cell *c;

	rows->groups += !rows->all && !state;
	if ((rows->x->some && none) || state || (!rows->all && rows->n++ >= rows->most)) {
		free(key);
		return;
	}
	c = section_cell(s);
	cell_name(c, key);
	/* Show the meaning of an event's code to people. */
	if (!strcmp(rows->x->keys, "event"))
		snprintf(c->shown, sizeof c->shown, "%.40s",
			 traits_event(traits_of(rows->format), key));
	for (size_t k = 0; p; k++) {
		const char *tab = memchr(p, '\t', (size_t)(end - p));

		fill(rows, section_cell(s), k, p, (size_t)((tab ? tab : end) - p));
		p = tab ? tab + 1 : NULL;
	}
	if (rows->st->over_count && !rows->all && strcmp(key, STATS_OTHERS) != 0)
		section_u64(s, rows->st->over_count);
	section_row(s);
	free(key);
}

/* Notes which columns of groups are estimates, and how precise they are. */
static void
note_limits(struct asked_rows *rows, const struct stats *st)
{
	for (size_t k = 0; k < rows->spec.nshown; k++) {
		const struct agg *a = NULL;

		for (uint32_t g = 0; g < st->ngroups && !a && !rows->limit[k]; g++)
			a = row_values_estimate(&rows->spec, st, k, g);
		if (!a)
			continue;
		rows->limit[k] = rows->limits[k];
		if (a->is->of == KEPT_HIST)
			snprintf(rows->limits[k], sizeof rows->limits[k], "%.2g %%",
				 50.0 / (1u << st->spec->bits));
		else if (a->is->of == KEPT_PAGES)
			snprintf(rows->limits[k], sizeof rows->limits[k], "%u %%",
				 pages_error(st->col[a->col].keep));
		else
			snprintf(rows->limits[k], sizeof rows->limits[k], "%s", SET_ERROR);
	}
}

/* Joins the groups of st into one group, in `one`, with the columns that the question uses. `bare` becomes its
 * spec; the caller frees *col, the columns of `bare`. */
static void
join_all(struct stats *one, const struct stats *st, struct spec *bare, struct col **col)
{
	bool *used = xcalloc(bare->ncols + 1, sizeof *used);

	bare->nkeys = bare->nhidden = 0;
	for (size_t k = 0; k < bare->nshown; k++)
		row_values_columns(bare, bare->shown[k].row, used);
	*col = xcalloc(bare->ncols + 1, sizeof **col);
	for (size_t c = 0; c < bare->ncols; c++) {
		(*col)[c] = bare->col[c];
		if (!used[c])
			(*col)[c].acc = 0;
	}
	bare->col = *col;
	stats_join(one, st, bare);
	free(used);
}

/* Writes the groups of st to rows; if `all`, joined into one group. */
static void
put_groups(struct asked_rows *rows, struct stats *st, bool all)
{
	const struct format_query *x = rows->x;
	struct table t = {.take = take_row, .arg = rows};
	struct table_by by = {.down = x->sort && *x->sort == '-'};
	struct summary opts = {.section = true};
	struct spec bare = rows->spec;
	struct stats one;
	struct stats_column gaps;
	struct col *col;

	if (!all) {
		for (; x->sort && by.column < bare.nshown; by.column++)
			if (!strcmp(bare.shown[by.column].label, x->sort + by.down))
				break;
		by.column++; /* the key is the first column */
		t.by = &by;
		t.nby = x->sort != NULL;
		note_limits(rows, st);
		stats_table_put(st, &t, &opts);
		table_end(&t);
		return;
	}
	join_all(&one, st, &bare, &col);
	for (size_t c = 0; c < bare.ncols && rows->gaps; c++)
		if (bare.col[c].kind == COL_GAP) {
			gaps = one.col[c];
			one.col[c] = *rows->gaps;
		}
	rows->all = true;
	note_limits(rows, &one);
	stats_table_put(&one, &t, &opts);
	table_end(&t);
	for (size_t c = 0; c < bare.ncols && rows->gaps; c++)
		if (bare.col[c].kind == COL_GAP)
			one.col[c] = gaps;
	stats_free(&one);
	free(col);
}

/* Writes the section's title, and how many rows are left out. */
static void
put_title(struct asked_rows *rows)
{
	const char *more = rows->st->over_count ? "more than " : "";
	size_t n = rows->n - (rows->n && rows->st->over_count != 0),
	       size = sizeof rows->title;

	if (rows->x->most && rows->n > rows->x->most)
		snprintf(rows->title, size, "The %u busiest of %s%zu %ss", rows->x->most,
			 more, n, rows->x->name);
	else if (rows->n > rows->most)
		snprintf(rows->title, size, "%s\n(%d of %s%zu rows)", rows->x->title,
			 PEOPLE, more, n);
	else
		snprintf(rows->title, size, "%s", rows->x->title);
}

void
asked_open(struct asked_rows *rows)
{
	struct spec *p = &rows->spec;
	struct buf b = {0};
	size_t n = 0;

	/* The spec of x alone: its part of the columns of the table. */
	*p = *rows->st->spec;
	query_columns(&b, rows->x);
	buf_byte(&b, '\0');
	for (const char *s = (const char *)b.p; *s; s += item_length(s), s += *s == ',')
		n++;
	buf_free(&b);
	p->shown += rows->column;
	p->nshown = n;
	if (!*rows->x->keys)
		p->nkeys = p->nhidden = 0;
	for (size_t k = 0; k < n; k++) {
		rows->percent[k] = query_percent(rows->x, k);
		rows->time[k] = row_values_time(p, k);
	}
}

bool
asked_section(struct asked_rows *rows, struct section *s)
{
	const struct format_query *x = rows->x;
	struct stats st = *rows->st;

	st.spec = &rows->spec;
	rows->s = s;
	rows->most = x->most ? x->most : rows->people ? PEOPLE : SIZE_MAX;
	*s = (struct section){.name = x->name,
			      .title = x->title && *x->title ? rows->title : NULL,
			      .column = {x->row},
			      .ncolumns = 1,
			      .bar = x->bar};
	for (size_t k = 0; k < rows->spec.nshown; k++) {
		const char *label = rows->spec.shown[k].label;

		s->column[s->ncolumns] = label;
		/* People know from the column before it, or from the title, what A_of_B is a share of. */
		snprintf(rows->heading[k], sizeof rows->heading[k], "%s", label);
		if (strstr(label, "_of_"))
			*strstr(rows->heading[k], "_of_") = '\0';
		s->heading[s->ncolumns++] = rows->heading[k];
	}
	if (st.over_count)
		s->column[s->ncolumns++] = "missed";
	if (*x->keys)
		put_groups(rows, &st, false);
	if (!*x->keys || (rows->groups > 1 && !x->overlap))
		put_groups(rows, &st, true);
	for (unsigned k = 0; k < rows->spec.nshown && s->nrows; k++)
		if (rows->limit[k])
			section_limit(s, k + 1, "%s", rows->limit[k]);
	if (x->title)
		put_title(rows);
	return s->nrows > 0;
}
