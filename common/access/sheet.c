/* sheet.c - see sheet.h. */
#include <stdio.h>
#include <string.h>

#include "access/sheet.h"
#include "summary/cell.h"

/* Rows of a report for people. */
#define PEOPLE_ROWS 10

void
sheet_column(struct sheet *s, const char *name)
{
	size_t n = strlen(name);

	if (!s->report)
		table_name(&s->rows, name);
	else if (s->grid.ncolumns < (s->people && s->most ? s->most : GRID_COLUMNS)) {
		/* For people the share of what stands before it. */
		if (n > 6 && !strcmp(name + n - 6, "_share"))
			s->grid.heading[s->grid.ncolumns] = "share";
		s->grid.column[s->grid.ncolumns++] = name;
	}
}

void
sheet_columns(struct sheet *s, const char *const *names)
{
	for (; *names; names++)
		sheet_column(s, *names);
}

void
sheet_head(struct sheet *s)
{
	if (!s->report)
		table_head(&s->rows);
}

static void
end_cell(struct sheet *s)
{
	if (s->open)
		table_text(&s->rows, *s->one.raw ? s->one.raw : s->one.shown);
	s->open = false;
}

/* The next cell: "-" until something is written to it. */
static struct cell *
next_cell(struct sheet *s)
{
	if (s->report) {
		struct grid *g = &s->grid;

		if (s->names) {
			struct cell *row = grid_row(g);

			cell_name(row, *s->names++);
			return row + 1;
		}
		if (!s->column)
			grid_row(g);
		/* Columns beyond those of a report have one cell in common, which is dropped. */
		if (s->column < g->ncolumns)
			return &g->cell[(g->nrows - 1) * g->ncolumns + s->column++];
		return &s->one;
	}
	end_cell(s);
	s->open = true;
	*s->one.raw = '\0';
	strcpy(s->one.shown, "-");
	return &s->one;
}

void
sheet_name(struct sheet *s, const struct str *name)
{
	if (s->report) {
		char room[256];

		snprintf(room, sizeof room, "%.*s", name->len < 250 ? (int)name->len : 250,
			 name->s);
		cell_name(next_cell(s), room);
		return;
	}
	end_cell(s);
	table_name(&s->rows, name->s);
}

void
sheet_text(struct sheet *s, const char *text)
{
	snprintf(next_cell(s)->shown, sizeof s->one.shown, "%s", text);
}

void
sheet_words(struct sheet *s, const char *one, const char *two)
{
	snprintf(next_cell(s)->shown, sizeof s->one.shown, "%s-%s", one, two);
}

void
sheet_u64(struct sheet *s, uint64_t v)
{
	cell_u64(next_cell(s), v);
}

void
sheet_u64s(struct sheet *s, const uint64_t *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		sheet_u64(s, v[i]);
}

void
sheet_signed(struct sheet *s, uint64_t v, bool below)
{
	snprintf(next_cell(s)->shown, sizeof s->one.shown, "%s%llu", below ? "-" : "",
		 (unsigned long long)v);
}

static unsigned
time_class(const struct sheet *s)
{
	return s->clock == CLOCK_NS ? NANO_POS : INT_POS;
}

void
sheet_time(struct sheet *s, uint64_t v)
{
	cell_value(next_cell(s), (struct value){time_class(s), v});
}

void
sheet_begin(struct sheet *s, int64_t time)
{
	bool below = s->clock == CLOCK_NS && time < 0;

	cell_value(next_cell(s),
		   (struct value){time_class(s) + below,
				  below ? 0 - (uint64_t)time : (uint64_t)time});
}

void
sheet_times(struct sheet *s, const struct wide *v, uint64_t n)
{
	struct cell *c = next_cell(s);
	struct wide all = wide_u64(n),
		    each = wide_zero(&all) ? all : wide_div_round(v, &all);
	struct swide sum = {each, false};
	uint64_t one;

	if (wide_zero(&all))
		return;
	if (wide_to_words(&each, &one, 1))
		cell_value(c, (struct value){time_class(s), one});
	else if (s->clock == CLOCK_NS)
		*swide_put((uint8_t *)c->raw, &sum, 9, false) = '\0';
	else
		cell_wide(c, &sum);
}

void
sheet_share(struct sheet *s, uint64_t part, uint64_t all)
{
	struct swide a = swide_u64(part);
	struct wide b = wide_u64(all);

	cell_share(next_cell(s), &a, &b);
}

void
sheet_decimal(struct sheet *s, const struct wide *v, unsigned decimals)
{
	struct cell *c = next_cell(s);

	*wide_put_decimal((uint8_t *)c->raw, v, decimals, true) = '\0';
	snprintf(c->shown, sizeof c->shown, "%.40s", c->raw);
}

void
sheet_none(struct sheet *s)
{
	next_cell(s);
}

void
sheet_row(struct sheet *s)
{
	if (!s->report) {
		end_cell(s);
		table_row(&s->rows);
	}
	s->column = 0;
}

void
sheet_sample_column(struct sheet *s)
{
	if (!s->report)
		sheet_column(s, "sample");
}

static void
put_level(char *to, size_t n, unsigned level)
{
	snprintf(to, n, level ? "1/%llu" : "%llu", 1ull << level);
}

void
sheet_sample(struct sheet *s, unsigned level)
{
	if (!s->report)
		put_level(next_cell(s)->shown, sizeof s->one.shown, level);
}

void
sheet_limit(struct sheet *s, unsigned column, const char *text)
{
	if (s->report && s->grid.nrows)
		snprintf(grid_limit(&s->grid)[column].shown, sizeof s->one.shown, "%s",
			 text);
}

void
sheet_sampled(struct sheet *s, unsigned level, unsigned column)
{
	char text[32];

	put_level(text, sizeof text, level);
	if (level)
		sheet_limit(s, column, text);
}

void
sheet_within(struct sheet *s, const char *error, unsigned column)
{
	char text[64];

	if (!s->report) {
		snprintf(text, sizeof text, "percentiles are within %s", error);
		table_note(&s->rows, text);
		return;
	}
	for (; column < s->grid.ncolumns; column++)
		if (*s->grid.column[column] == 'p')
			sheet_limit(s, column, error);
}

bool
sheet_full(const struct sheet *s)
{
	return s->report && s->people && s->grid.nrows >= PEOPLE_ROWS;
}
