/* extra_section.c - the groups of a section into rows, the rows into cells; entries of files.h into
 * rows. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/put.h"
#include "stats/accumulator.h"
#include "summary/extra_section.h"

#define PEOPLE 32 /* rows that are shown to people */

struct row {
	struct stats *st; /* its group: of the section itself, or of rows put together */
	uint32_t group;
	uint64_t each; /* how many */
	uint64_t pages[EXTRA_CELLS];
	uint32_t sampled;   /* some pages are an estimate, from so many runs; 0 = none */
	struct wide length; /* of the row of all: the sum of the rows' spans */
	struct swide by;    /* what rows are sorted by; then as they were */
	size_t place;
};

/* Of which key it is; `space` may hold it. */
static const char *
row_name(const struct row *r, char space[KEY_SPACE])
{
	return r->st->spec->nkeys ? stats_name(r->st, r->group, space) : "all";
}

/* The column that holds these values; NULL: there is none, as of EXTRA_EVENTS, or no values. */
static const struct column *
column_of(const struct row *r, struct extra_values v)
{
	const struct spec *p = r->st->spec;
	size_t i = v.field ? spec_col_named(p, v.field, v.when) : p->ncols;

	return i < p->ncols ? &r->st->col[i] : NULL;
}

static uint64_t
numbers(const struct row *r, struct extra_values v)
{
	const struct column *c = column_of(r, v);

	return c ? column_numbers(c, r->group) : r->st->count[r->group];
}

static struct swide
sum(const struct row *r, struct extra_values v)
{
	const struct column *c = column_of(r, v);

	return c ? column_sum(c, r->group, &(bool){false}) : swide_u64(numbers(r, v));
}

/* The sum of a cell's both values; false where there is none of either. */
static bool
both(const struct row *r, const struct extra_cell *x, struct swide *to)
{
	struct swide of, over = swide_u64(0);

	of = sum(r, x->of);
	if (x->over.field)
		over = sum(r, x->over);
	*to = swide_u64(0);
	to->m = wide_add(&of.m, &over.m); /* sizes: no sign */
	return numbers(r, x->of) || (x->over.field && numbers(r, x->over));
}

/* The least or the greatest value of a field; false when there is none. */
static bool
instant(const struct row *r, const char *field, bool greatest, struct value *v)
{
	return column_extreme(column_of(r, (struct extra_values){field, NULL}), r->group,
			      greatest, v);
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

/* How many values are 0; *least = the least above. */
static uint64_t
ties(const struct totals *t, struct value *least)
{
	uint64_t n = 0;

	*least = (struct value){0};
	for (size_t k = 0; k < t->nslices && !least->v; k++) {
		const struct slice *v = &t->slices[k];

		if (!v->low.v && !v->high.v)
			n += v->count;
		else if (v->low.class % 2 == 0)
			*least = v->low;
	}
	return n;
}

/* Cells made of the distribution of a column. */
static void
put_slices(struct cell *c, const struct row *r, const struct column *col, struct totals *t,
	   enum extra_show show)
{
	static const uint64_t part[] = {50000000, 90000000, 99000000};
	struct wide all = wide_u64(column_numbers(col, r->group));
	struct swide zeros;
	struct value v;

	if (!totals_slices(t, col, r->group, r->st->spec->bits))
		return;
	zeros = swide_u64(ties(t, &v));
	if (show == SHOW_TIES)
		cell_wide(c, &zeros);
	else if (show == SHOW_TIED)
		cell_share(c, &zeros, &all);
	else if (show != SHOW_ABOVE)
		cell_value(c,
			   slices_percentile(t->slices, t->nslices, part[show - SHOW_P50]));
	else if (v.v)
		cell_value(c, v);
}

/* Whether values are sizes, some of which are of the same bytes. */
static bool
parted(const struct extra_rows *rows, const struct extra_cell *x)
{
	return rows->parted && !strcmp(x->of.field, "size");
}

/* A cell that is a share: of the sum of its values, or how many there are, in *whole. False
 * where nothing can be said. */
static bool
share(const struct extra_rows *rows, const struct row *r, size_t i, struct swide *part,
      struct wide *whole)
{
	const struct extra_cell *x = &rows->x->cell[i];
	uint64_t n = numbers(r, x->of);

	*part = x->show == SHOW_SHARE ? swide_u64(n) : sum(r, x->of);
	switch (x->show) {
	case SHOW_MARKED: *whole = wide_u64(n); return true;
	case SHOW_SHARE: *whole = wide_u64(numbers(r, x->over)); return true;
	case SHOW_PART: *whole = sum(r, x->over).m; return true;
	case SHOW_PART_ALL: *whole = rows->all[i].m; return n && !parted(rows, x);
	default: return n && span(r, whole);
	}
}

static void
put_cell(struct cell *c, struct extra_rows *rows, const struct row *r, size_t i)
{
	const struct extra_cell *x = &rows->x->cell[i];
	const struct column *col = column_of(r, x->of);
	uint64_t n = numbers(r, x->of);
	struct swide part;
	struct wide whole;
	struct value v;
	bool nano;

	switch (x->show) {
	case SHOW_P50:
	case SHOW_P90:
	case SHOW_P99:
	case SHOW_TIES:
	case SHOW_TIED:
	case SHOW_ABOVE: put_slices(c, r, col, &rows->totals, x->show); break;
	case SHOW_COUNT: cell_u64(c, n); break;
	case SHOW_ADDED:
	case SHOW_SUM:
		if (n && !(x->show == SHOW_ADDED && parted(rows, x))) {
			part = column_sum(col, r->group, &nano);
			cell_span(c, &part, nano);
		}
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
	case SHOW_DISTINCT:
		cell_u64(c, set_count(column_kept(col, KEPT_SET, 0, r->group,
						  sizeof(struct set))));
		break;
	case SHOW_PAGES: cell_u64(c, r->pages[i]); break;
	case SHOW_BOTH:
		if (both(r, x, &part))
			cell_wide(c, &part);
		break;
	case SHOW_REST:
		part = sum(r, x->of);
		whole = wide_u64(numbers(r, x->over));
		part = swide_sub(&part.m, &whole);
		cell_wide(c, &part);
		break;
	case SHOW_EACH:
		/* Of others, nobody knows. */
		if (strcmp(row_name(r, (char[KEY_SPACE]){0}), STATS_OTHERS) != 0)
			cell_u64(c, r->each);
		break;
	default: /* a share */
		if (share(rows, r, i, &part, &whole))
			cell_share(c, &part, &whole);
	}
}

/* The pages of a group beside those of the row: of other keys, they are other pages. */
static void
add_pages(const struct extra *x, struct row *to, struct stats *st, uint32_t g)
{
	struct row from = {.st = st, .group = g};

	for (size_t i = 0; x->cell[i].name; i++) {
		const struct column *c;
		struct pages *p;

		if (x->cell[i].show != SHOW_PAGES)
			continue;
		c = column_of(&from, x->cell[i].of);
		p = column_kept(c, KEPT_PAGES, 0, g, sizeof *p);
		to->pages[i] += pages_count(p, c->keep);
		if (p->sampled)
			to->sampled = c->keep;
	}
}

/* Groups order[0..n) of one key into a row. With a second key they are one group, in `put`. */
static void
add_key(struct extra_rows *rows, const uint32_t *order, uint32_t n, struct stats *put)
{
	struct stats *st = rows->st;
	struct row *r = &rows->v[rows->n++];

	r->st = st;
	r->group = order[0];
	if (rows->x->each) {
		uint32_t key = st->key[(size_t)order[0] * st->spec->nkeys],
			 text = keytab_from(&put->text, &st->text, key);

		r->st = put;
		r->group = stats_group(put, &text, 0);
		r->each = n;
	}
	for (uint32_t i = 0; i < n; i++) {
		if (rows->x->each)
			stats_merge_group(put, r->group, st, order[i], NULL);
		add_pages(rows->x, r, st, order[i]);
	}
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
make_rows(struct extra_rows *rows, struct stats *put)
{
	const struct stats *st = rows->st;
	size_t nk = st->spec->nkeys;
	uint32_t n, *order = stats_order(st, &n);

	rows->v = xcalloc(n, sizeof *rows->v);
	for (uint32_t i = 0, k; i < n; i = k) {
		uint32_t key = st->key[order[i] * nk];

		for (k = i + 1; k < n && st->key[order[k] * nk] == key; k++)
			;
		/* What is in no state. */
		if (strcmp(rows->x->key, SPEC_STATE) != 0 ||
		    strcmp(stats_name(st, order[i], (char[KEY_SPACE]){0}), "-") != 0)
			add_key(rows, order + i, k - i, put);
	}
	free(order);
}

static int
row_cmp(const void *x, const void *y)
{
	const struct row *a = x, *b = y;
	int c = wide_cmp(&a->by.m, &b->by.m);

	if (a->by.neg || b->by.neg)
		c = a->by.neg != b->by.neg ? (a->by.neg ? -1 : 1) : -c;
	return c ? -c : a->place < b->place ? -1 : 1;
}

static void
put_row(struct section *s, struct extra_rows *rows, const struct row *r)
{
	const char *name;

	if (rows->x->some && !numbers(r, rows->x->cell->of))
		return;
	name = row_name(r, (char[KEY_SPACE]){0});
	cell_name(section_cell(s), name);
	for (unsigned i = 0; rows->x->cell[i].name; i++)
		put_cell(section_cell(s), rows, r, i);
	/* So many events of the row may be counted in the row of others instead. */
	if (r->st->spec->nkeys && rows->st->missed && strcmp(name, STATS_OTHERS) != 0)
		section_u64(s, rows->st->missed);
	section_row(s);
}

/* Says beside the numbers which of them a limit was met by. */
static void
put_limits(struct section *s, const struct extra_rows *rows, const struct row *all)
{
	for (unsigned i = 0; rows->x->cell[i].name; i++) {
		const struct extra_cell *x = &rows->x->cell[i];
		bool exact = true, set = x->show == SHOW_DISTINCT;
		bool within =
		    (x->show >= SHOW_P50 && x->show <= SHOW_P99) || x->show == SHOW_ABOVE;

		/* Those that people do not see count in the row of all. */
		for (size_t k = 0; k <= rows->n && (set || within); k++) {
			const struct row *r = k < rows->n ? &rows->v[k] : all;
			const struct column *c = column_of(r, x->of);

			if (within && !column_exact(c, KEPT_HIST, r->group))
				section_limit(s, i + 1, "%.2g %%",
					      50.0 / (1u << r->st->spec->bits));
			else if (set)
				exact &= column_exact(c, KEPT_SET, r->group);
		}
		if (!exact)
			section_limit(s, i + 1, "%s", SET_ERROR);
		if (x->show == SHOW_PAGES && all->sampled)
			section_limit(s, i + 1, "%u %%", pages_error(all->sampled));
	}
}

/* The section's title, and what was estimated or is left out of it. */
static void
put_title(struct extra_rows *rows, const struct row *all)
{
	const char *more = rows->st->missed ? "more than " : "";
	size_t n = rows->n - (rows->st->missed != 0), size = sizeof rows->title, at;

	if (rows->x->most && rows->n > rows->x->most) {
		snprintf(rows->title, size, "The %u busiest of %s%zu %ss", rows->x->most,
			 more, n, rows->x->name);
		return;
	}
	at = (size_t)snprintf(rows->title, size, "%s", rows->x->title);
	if (all->sampled)
		at += (size_t)snprintf(
		    rows->title + at, size - at,
		    "%s(estimated beyond %u runs of 64, standard error %u %%)",
		    rows->x->sampled, (unsigned)all->sampled, pages_error(all->sampled));
	if (rows->people && !rows->x->most && rows->n > PEOPLE)
		snprintf(rows->title + at, size - at, "\n(%d of %s%zu rows)", PEOPLE, more,
			 n);
}

/* The row of all rows, of which `one` has room for one group. */
static struct row
row_of_all(struct extra_rows *rows, struct stats *one, bool spans)
{
	struct row all = {.st = rows->whole ? rows->whole : one};

	stats_group(one, NULL, 0);
	for (size_t i = 0; i < rows->n && !rows->whole; i++) {
		const struct row *r = &rows->v[i];
		struct wide length;

		stats_merge_group(one, 0, r->st, r->group, NULL);
		all.each += r->each;
		all.sampled = r->sampled ? r->sampled : all.sampled;
		if (spans && span(r, &length))
			all.length = wide_add(&all.length, &length);
		for (size_t k = 0; k < EXTRA_CELLS; k++)
			all.pages[k] += r->pages[k];
	}
	return all;
}

#define KINDS 4

/* Of all files of a row, by enum extra_show from SHOW_FILES on. */
struct done_to {
	struct wide n[SHOW_FILE_BYTES + 1 - SHOW_FILES];
};

static void
put_kind(struct section *s, const struct extra *x, const char *name,
	 const struct done_to *k)
{
	cell_name(section_cell(s), name);
	for (unsigned i = 0; x->cell[i].name; i++) {
		enum extra_show show = x->cell[i].show;
		struct cell *c = section_cell(s);
		struct swide v = {k->n[show - SHOW_FILES], false};

		if (show == SHOW_HIGHER || show == SHOW_BEHIND)
			cell_share(c, &v, &k->n[SHOW_LATER - SHOW_FILES]);
		else if (show != SHOW_FILE_BYTES ||
			 !wide_zero(&k->n[SHOW_REQUESTS - SHOW_FILES]))
			cell_wide(c, &v);
	}
	section_row(s);
}

/* Fills s with the rows of section x, made of f. Nothing can be added to f after that. */
static void
files_section(const struct extra *x, struct files *f, struct section *s)
{
	static const char *const name[] = {"opened", "read", "written", "both", "all"};
	struct done_to kind[KINDS + 1] = {0}, *all = &kind[KINDS];
	bool *whole = files_join(f);

	for (uint32_t i = 0; i < f->n; i++) {
		const struct file_node *a = &f->v[i];
		struct wide n[] = {wide_u64(1), wide_u64(a->source > 1),
				   wide_u64(a->gaps == ONE_POS || a->gaps == ONE_NEG),
				   wide_u64(a->sizes == ONE_POS)};

		for (unsigned k = 0; k <= SHOW_FILE_BYTES - SHOW_FILES && whole[i]; k++) {
			struct wide v =
			    k < SHOW_REQUESTS - SHOW_FILES
				? n[k]
				: files_counted(f, i, k + SHOW_FILES - SHOW_REQUESTS);

			kind[a->did].n[k] = wide_add(&kind[a->did].n[k], &v);
			all->n[k] = wide_add(&all->n[k], &v);
		}
	}
	free(whole);
	for (unsigned k = 0; k <= KINDS; k++)
		if (k < KINDS ? !wide_zero(kind[k].n) : s->nrows > 1)
			put_kind(s, x, name[k], &kind[k]);
	if (f->shift) {
		char text[64 + PUT_SLACK];
		struct wide of =
		    wide_words((const uint64_t[]){f->shift < 64 ? 1ull << f->shift : 0,
						  f->shift == 64},
			       2);

		*wide_put((uint8_t *)text, &of) = '\0';
		for (unsigned i = 1; i < s->ncolumns; i++)
			section_limit(s, i, "1/%s", text);
	}
}

bool
extra_section(struct extra_rows *rows, struct section *s)
{
	const struct extra *x = rows->x;
	struct stats put, one;
	struct spec bare_put, bare_one;
	struct row all;
	bool spans = false;
	size_t most = x->most ? x->most : rows->people ? PEOPLE : SIZE_MAX;

	*s = (struct section){.name = x->name,
			      .title = *x->title ? rows->title : NULL,
			      .column = {x->row},
			      .ncolumns = 1,
			      .bar = x->bar};
	for (const struct extra_cell *c = x->cell; c->name; c++) {
		s->column[s->ncolumns] = c->name;
		s->heading[s->ncolumns++] = c->heading;
		spans |= c->show == SHOW_OF_SPAN;
	}
	if (x->files) {
		s->title = x->title;
		files_section(x, rows->st->access, s);
		return s->nrows > 0;
	}
	if (rows->st->missed)
		s->column[s->ncolumns++] = "missed";
	open_put(&put, &bare_put, rows->st, 1);
	open_put(&one, &bare_one, rows->st, 0);
	make_rows(rows, &put);
	all = row_of_all(rows, &one, spans);
	for (size_t i = 0; rows->n && x->cell[i].name; i++)
		if (x->cell[i].show == SHOW_PART_ALL)
			rows->all[i] = sum(&all, x->cell[i].of);
	for (size_t i = 0; x->sort && i < rows->n; i++) {
		const struct extra_cell *c = &x->cell[x->sort - 1];
		struct row *r = &rows->v[i];

		r->by = c->show == SHOW_SUM ? sum(r, c->of) : swide_u64(numbers(r, c->of));
		r->place = i;
	}
	if (x->sort)
		qsort(rows->v, rows->n, sizeof *rows->v, row_cmp);
	for (size_t i = 0; i < rows->n && i < most; i++)
		put_row(s, rows, &rows->v[i]);
	if (rows->n > 1 && !x->overlap && !(x->some && parted(rows, x->cell)))
		put_row(s, rows, &all);
	if (s->nrows)
		put_limits(s, rows, &all);
	put_title(rows, &all);
	stats_free(&put);
	stats_free(&one);
	totals_free(&rows->totals);
	free(rows->v);
	return s->nrows > 0;
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
