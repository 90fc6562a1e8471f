/* extra_grid.c - the groups of a section into rows, the rows into cells. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/cell.h"
#include "report/extra_grid.h"

#define PEOPLE 32 /* rows that are shown to people */

struct row {
	struct stats *st; /* its group: of the section itself, or of rows put together */
	uint32_t group;
	uint64_t each; /* how many */
	uint64_t pages[EXTRA_CELLS];
	uint32_t sampled;   /* some pages are an estimate, from so many runs; 0 = none */
	struct wide length; /* of the row of all: the sum of the rows' spans */
};

struct section {
	const struct extra *x;
	struct row *v;
	size_t n, cap;
	struct swide all[EXTRA_CELLS]; /* of SHOW_PART_ALL */
};

/* Of which key it is; `space` may hold it. */
static const char *
row_name(const struct row *r, char space[KEY_SPACE])
{
	return r->st->spec->nkeys ? stats_name(r->st, r->group, space) : "all";
}

/* The column that holds these values; NULL: there is none, as of EXTRA_EVENTS. */
static const struct column *
column_of(const struct row *r, const char *field, const char *when)
{
	const struct spec *p = r->st->spec;

	for (size_t i = 0; i < p->ncols; i++)
		if (!strcmp(p->col[i].name, field) &&
		    (when ? p->col[i].when && !strcmp(p->col[i].when, when)
			  : !p->col[i].when))
			return &r->st->col[i];
	return NULL;
}

static uint64_t
numbers(const struct row *r, struct extra_values v)
{
	const struct column *c = v.field ? column_of(r, v.field, v.when) : NULL;

	return c ? column_numbers(c, r->group) : r->st->count[r->group];
}

static struct swide
sum(const struct row *r, struct extra_values v, bool *nano)
{
	return column_sum(column_of(r, v.field, v.when), r->group, nano);
}

/* The sum of a cell's both values; false where there is none of either. */
static bool
both(const struct row *r, const struct extra_cell *x, struct swide *to)
{
	struct swide of, over = swide_u64(0);
	bool nano;

	of = sum(r, x->of, &nano);
	if (x->over.field)
		over = sum(r, x->over, &nano);
	*to = swide_u64(0);
	to->m = wide_add(&of.m, &over.m); /* sizes: no sign */
	return numbers(r, x->of) || (x->over.field && numbers(r, x->over));
}

/* The least or the greatest value of a field; false when there is none. */
static bool
instant(const struct row *r, const char *field, bool greatest, struct value *v)
{
	return column_extreme(column_of(r, field, NULL), r->group, greatest, v);
}

/* From the first begin to the last end, in units of the clock; false where it is 0. */
static bool
span(const struct row *r, struct wide *length)
{
	struct value first, last, end;
	uint64_t to;

	*length = r->length;
	if (!wide_zero(length))
		return true;
	if (!instant(r, "time", false, &first) || !instant(r, "time", true, &last))
		return false;
	if (instant(r, "end", true, &end) && value_cmp(end, last) > 0)
		last = end;
	/* Magnitudes get their signs; the distance fits in 64 bits without one. */
	to = last.class % 2 ? 0 - last.v : last.v;
	*length = wide_u64(to - (first.class % 2 ? 0 - first.v : first.v));
	return !wide_zero(length);
}

static void
percentile(struct cell *c, const struct row *r, struct extra_values v, uint64_t p)
{
	size_t n;
	struct slice *s =
	    column_slices(column_of(r, v.field, v.when), r->group, r->st->spec->bits, &n);

	if (n)
		cell_value(c, slices_percentile(s, n, p));
	free(s);
}

/* Cells of a sum or a number, and of their shares in others. */
static void
put_part(struct cell *c, const struct section *rows, const struct row *r, size_t i)
{
	const struct extra_cell *x = &rows->x->cell[i];
	uint64_t n = numbers(r, x->of);
	struct swide part, whole;
	struct wide length;
	bool nano;

	switch (x->show) {
	case SHOW_SHARE:
		part = swide_u64(n);
		length = wide_u64(numbers(r, x->over));
		cell_share(c, &part, &length);
		return;
	case SHOW_BOTH:
		if (both(r, x, &part))
			cell_wide(c, &part);
		return;
	default: part = sum(r, x->of, &nano);
	}
	switch (x->show) {
	case SHOW_MARKED:
		length = wide_u64(n);
		cell_share(c, &part, &length);
		break;
	case SHOW_PART:
		whole = sum(r, x->over, &nano);
		cell_share(c, &part, &whole.m);
		break;
	case SHOW_PART_ALL:
		if (n)
			cell_share(c, &part, &rows->all[i].m);
		break;
	case SHOW_OF_SPAN:
		if (n && span(r, &length))
			cell_share(c, &part, &length);
		break;
	case SHOW_REST:
		length = wide_u64(numbers(r, x->over));
		part = swide_sub(&part.m, &length);
		cell_wide(c, &part);
		break;
	default: break;
	}
}

static void
put_cell(struct cell *c, const struct section *rows, const struct row *r, size_t i)
{
	const struct extra_cell *x = &rows->x->cell[i];
	const struct column *col =
	    x->of.field ? column_of(r, x->of.field, x->of.when) : NULL;
	uint64_t n = numbers(r, x->of);
	struct value v;

	switch (x->show) {
	case SHOW_COUNT: cell_u64(c, n); break;
	case SHOW_SUM:
		if (n)
			cell_sum(c, col, r->group);
		break;
	case SHOW_MEAN:
		if (n)
			cell_mean(c, col, r->group);
		break;
	case SHOW_LEAST:
	case SHOW_GREATEST:
		if (column_extreme(col, r->group, x->show == SHOW_GREATEST, &v))
			cell_value(c, v);
		break;
	case SHOW_P50: percentile(c, r, x->of, 50000000); break;
	case SHOW_P99: percentile(c, r, x->of, 99000000); break;
	case SHOW_DISTINCT:
		cell_u64(c, r->group < col->set_cap ? set_count(&col->set[r->group]) : 0);
		break;
	case SHOW_PAGES: cell_u64(c, r->pages[i]); break;
	case SHOW_MARKED:
	case SHOW_SHARE:
	case SHOW_BOTH:
	case SHOW_PART:
	case SHOW_PART_ALL:
	case SHOW_OF_SPAN:
	case SHOW_REST: put_part(c, rows, r, i); break;
	case SHOW_EACH:
		/* Of others, nobody knows. */
		if (strcmp(row_name(r, (char[KEY_SPACE]){0}), STATS_OTHERS) != 0)
			cell_u64(c, r->each);
		break;
	default: break; /* of files */
	}
}

/* The pages of a group beside those of the row: of other keys, they are other pages. */
static void
add_pages(const struct extra *x, struct row *to, struct stats *st, uint32_t g)
{
	struct row from = {.st = st, .group = g};

	for (size_t i = 0; x->cell[i].name; i++) {
		const struct extra_values *v = &x->cell[i].of;
		const struct column *c;

		if (x->cell[i].show != SHOW_PAGES)
			continue;
		c = column_of(&from, v->field, v->when);
		if (g >= c->pages_cap)
			continue;
		to->pages[i] += pages_count(&c->pages[g], c->keep);
		if (c->pages[g].sampled)
			to->sampled = c->keep;
	}
}

static struct row *
new_row(struct section *rows, struct stats *st, uint32_t group)
{
	struct row *r;

	GROW(rows->v, rows->cap, rows->n + 1);
	r = &rows->v[rows->n++];
	*r = (struct row){.st = st, .group = group};
	return r;
}

/* Groups order[0..n) of one key into a row of its own. */
static void
add_key(struct section *rows, struct stats *st, const uint32_t *order, uint32_t n,
	struct stats *put)
{
	uint32_t key = st->key[(size_t)order[0] * st->spec->nkeys],
		 text = keytab_from(&put->text, &st->text, key);
	struct row *r = new_row(rows, put, stats_group(put, &text, 0));

	r->each = n;
	for (uint32_t i = 0; i < n; i++) {
		stats_merge_group(put, r->group, st, order[i], NULL);
		add_pages(rows->x, r, st, order[i]);
	}
}

/* A group that is a row. */
static void
add_alone(struct section *rows, struct stats *st, uint32_t g)
{
	struct row *r = new_row(rows, st, g);

	add_pages(rows->x, r, st, g);
}

/* Opens stats for rows that are put together; bare is their spec, with so many keys. */
static void
open_put(struct stats *put, struct spec *bare, const struct stats *st, size_t nkeys)
{
	*bare = *st->spec;
	bare->nkeys = nkeys;
	stats_open(put, bare);
	put->clock = st->clock;
}

/* Makes the rows, in the order of their keys. */
static void
make_rows(struct section *rows, struct stats *st, struct stats *put)
{
	const struct extra *x = rows->x;
	size_t nk = st->spec->nkeys;
	uint32_t n, *order = stats_order(st, &n);

	for (uint32_t i = 0, k; i < n; i = k) {
		uint32_t key = st->key[order[i] * nk];

		for (k = i + 1; k < n && st->key[order[k] * nk] == key; k++)
			;
		/* What is in no state. */
		if (!strcmp(x->key, SPEC_STATE) &&
		    !strcmp(stats_name(st, order[i], (char[KEY_SPACE]){0}), "-"))
			continue;
		if (x->each)
			add_key(rows, st, order + i, k - i, put);
		else
			add_alone(rows, st, order[i]);
	}
	free(order);
}

/* For qsort: rows by a cell's sum, or how many it has; then as they were. */
struct placed {
	struct swide by;
	size_t place;
};

static int
placed_cmp(const void *x, const void *y)
{
	const struct placed *a = x, *b = y;
	int c = wide_cmp(&a->by.m, &b->by.m);

	if (a->by.neg || b->by.neg)
		c = a->by.neg != b->by.neg ? (a->by.neg ? -1 : 1) : -c;
	return c ? -c : a->place < b->place ? -1 : 1;
}

static void
sort_rows(struct section *rows, const struct extra_cell *x)
{
	struct placed *p = xcalloc(rows->n, sizeof *p);
	struct row *v = xcalloc(rows->n, sizeof *v);
	bool nano;

	for (size_t i = 0; i < rows->n; i++) {
		p[i].by = x->show == SHOW_SUM ? sum(&rows->v[i], x->of, &nano)
					      : swide_u64(numbers(&rows->v[i], x->of));
		p[i].place = i;
	}
	qsort(p, rows->n, sizeof *p, placed_cmp);
	for (size_t i = 0; i < rows->n; i++)
		v[i] = rows->v[p[i].place];
	free(p);
	free(rows->v);
	rows->v = v;
	rows->cap = rows->n;
}

static void
put_row(struct grid *g, const struct section *rows, const struct row *r,
	const struct stats *st, const struct stats *one)
{
	struct cell *cell = grid_row(g);

	cell_name(cell, row_name(r, (char[KEY_SPACE]){0}));
	for (unsigned i = 0; rows->x->cell[i].name; i++)
		put_cell(&cell[i + 1], rows, r, i);
	if (r->st != one)
		cell_missed(g, cell, st);
}

/* Says beside the numbers which of them a limit was met by. */
static void
put_limits(struct grid *g, const struct section *rows, const struct stats *st,
	   const struct row *all)
{
	for (unsigned i = 0; rows->x->cell[i].name; i++) {
		const struct extra_cell *x = &rows->x->cell[i];
		bool exact = true;

		/* Those that people do not see count in the row of all. */
		for (size_t k = 0; k <= rows->n; k++) {
			const struct row *r = k < rows->n ? &rows->v[k] : all;
			const struct column *c =
			    x->of.field ? column_of(r, x->of.field, x->of.when) : NULL;

			if (x->show == SHOW_DISTINCT && r->group < c->set_cap)
				exact &= set_exact(&c->set[r->group]);
			if (x->show == SHOW_P50 || x->show == SHOW_P99)
				grid_within(g, i + 1, c, r->group, st->spec->bits);
		}
		if (!exact)
			strcpy(grid_limit(g)[i + 1].shown, SET_ERROR);
		if (x->show == SHOW_PAGES && all->sampled)
			snprintf(grid_limit(g)[i + 1].shown, sizeof g->cell->shown, "%u %%",
				 pages_error(all->sampled));
	}
}

/* The section's title, and what was estimated or is left out of it. */
static void
put_title(const struct section *rows, const struct row *all, const struct stats *st,
	  bool people, char title[EXTRA_TITLE])
{
	size_t n = (size_t)snprintf(title, EXTRA_TITLE, "%s", rows->x->title);

	if (all->sampled)
		n += (size_t)snprintf(
		    title + n, EXTRA_TITLE - n,
		    "%s(estimated beyond %u runs of 64, standard error %u %%)",
		    rows->x->sampled, (unsigned)all->sampled, pages_error(all->sampled));
	if (people && rows->n > PEOPLE)
		snprintf(title + n, EXTRA_TITLE - n, "\n(%d of %s%zu rows)", PEOPLE,
			 st->missed ? "more than " : "", rows->n - (st->missed != 0));
}

bool
extra_grid(const struct extra *x, struct stats *st, bool people, struct grid *g,
	   char title[EXTRA_TITLE])
{
	struct section rows = {.x = x};
	struct stats put, one;
	struct spec bare_put, bare_one;
	struct row all = {.st = &one};
	bool nano, spans = false;

	*g = (struct grid){
	    .name = x->name, .title = title, .column = {x->row}, .ncolumns = 1, .bar = -1};
	for (const struct extra_cell *c = x->cell; c->name; c++) {
		g->column[g->ncolumns] = c->name;
		g->heading[g->ncolumns++] = c->heading;
		spans |= c->show == SHOW_OF_SPAN;
	}
	if (x->files) {
		snprintf(title, EXTRA_TITLE, "%s", x->title);
		files_grid(x, st->access, g);
		return g->nrows > 0;
	}
	grid_missed(g, st);
	open_put(&put, &bare_put, st, 1);
	open_put(&one, &bare_one, st, 0);
	make_rows(&rows, st, &put);
	stats_group(&one, NULL, 0);
	for (size_t i = 0; i < rows.n; i++) {
		const struct row *r = &rows.v[i];
		struct wide length;

		stats_merge_group(&one, 0, r->st, r->group, NULL);
		all.each += r->each;
		all.sampled = r->sampled ? r->sampled : all.sampled;
		if (spans && span(r, &length))
			all.length = wide_add(&all.length, &length);
		for (size_t k = 0; k < EXTRA_CELLS; k++)
			all.pages[k] += r->pages[k];
	}
	for (size_t i = 0; rows.n && x->cell[i].name; i++)
		if (x->cell[i].show == SHOW_PART_ALL)
			rows.all[i] = sum(&all, x->cell[i].of, &nano);
	if (x->sort)
		sort_rows(&rows, &x->cell[x->sort - 1]);
	for (size_t i = 0; i < rows.n && (!people || i < PEOPLE); i++)
		put_row(g, &rows, &rows.v[i], st, &one);
	if (g->nrows > 1 && !x->overlap)
		put_row(g, &rows, &all, st, &one);
	if (g->nrows)
		put_limits(g, &rows, st, &all);
	put_title(&rows, &all, st, people, title);
	stats_free(&put);
	stats_free(&one);
	free(rows.v);
	return g->nrows > 0;
}

bool
extra_total(const struct extra_cell *x, struct stats *st, struct swide *total)
{
	struct row r = {.st = st};
	struct swide part;
	bool some = false;

	*total = swide_u64(0);
	for (; r.group < st->ngroups; r.group++)
		if (both(&r, x, &part)) {
			total->m = wide_add(&total->m, &part.m);
			some = true;
		}
	return some;
}
