/* section.c - see section.h: columns, rows and cells. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/put.h"
#include "event/value.h"
#include "number/moment.h"
#include "summary/section.h"

#define LIMIT "(limit)"

void
section_columns(struct section *s, const char *const *names)
{
	unsigned most = s->people && s->most ? s->most : SECTION_COLUMNS;

	if (s->alone) {
		table_texts(s->alone, names);
		return;
	}
	for (; *names && s->ncolumns < most; names++) {
		size_t n = strlen(*names);

		/* People see the share next to the column that it is a share of. */
		if (n > 6 && !strcmp(*names + n - 6, "_share"))
			s->heading[s->ncolumns] = "share";
		s->column[s->ncolumns++] = *names;
	}
}

void
section_head(struct section *s)
{
	if (s->alone)
		table_head(s->alone);
}

static struct cell *
new_row(struct section *s)
{
	struct cell *row;

	GROW(s->cell, s->cap, (s->nrows + 1) * s->ncolumns);
	row = s->cell + s->nrows++ * s->ncolumns;
	for (unsigned i = 0; i < s->ncolumns; i++)
		strcpy(row[i].shown, "-");
	return row;
}

/* Ends the current cell of a section that is a table alone. */
static void
end_cell(struct section *s)
{
	if (s->open)
		table_text(s->alone, cell_raw(&s->one));
	s->open = false;
}

struct cell *
section_pair(struct section *s, const char *name)
{
	struct cell *row = new_row(s);

	cell_name(row, name);
	return row + 1;
}

struct cell *
section_cell(struct section *s)
{
	if (s->names)
		return section_pair(s, *s->names++);
	if (!s->alone) {
		if (!s->at)
			new_row(s);
		/* All columns that a report does not have share one cell, which is dropped. */
		return s->at < s->ncolumns
			   ? &s->cell[(s->nrows - 1) * s->ncolumns + s->at++]
			   : &s->one;
	}
	end_cell(s);
	s->open = true;
	*s->one.raw = '\0';
	strcpy(s->one.shown, "-");
	return &s->one;
}

void
section_approximate(struct section *s)
{
	if (s->alone) {
		end_cell(s);
		table_approximate(s->alone);
	}
}

void
section_row(struct section *s)
{
	if (s->alone) {
		end_cell(s);
		table_row(s->alone);
	}
	s->at = 0;
}

/* Returns the row "(limit)"; NULL if there is none. */
static struct cell *
limit_of(const struct section *s)
{
	struct cell *row = s->nrows ? s->cell + (s->nrows - 1) * s->ncolumns : NULL;

	return row && !strcmp(row->shown, LIMIT) ? row : NULL;
}

void
section_limit(struct section *s, unsigned column, const char *format, ...)
{
	struct cell *row = limit_of(s);
	va_list ap;

	if (!row) {
		row = new_row(s);
		strcpy(row->shown, LIMIT);
	}
	va_start(ap, format);
	vsnprintf(row[column].shown, sizeof row->shown, format, ap);
	va_end(ap);
}

const char *
section_heading(const struct section *s, size_t *n)
{
	const char *title = s->title ? s->title : "Events";

	*n = strcspn(title, ":;.(\n");
	return title;
}

const char *
section_note(const struct section *s)
{
	return limit_of(s) ? LIMIT
		   ": the greatest error in that column, or the fraction of "
		   "events counted"
			   : NULL;
}

void
section_free(struct section *s)
{
	FREE(s->cell);
	buf_free(&s->command);
	s->nrows = s->cap = 0;
}

void
cell_name(struct cell *c, const char *name)
{
	snprintf(c->shown, sizeof c->shown, "%.40s", name);
	snprintf(c->raw, sizeof c->raw, "%.250s", name);
}

void
section_name(struct section *s, const struct str *name)
{
	if (s->alone) {
		end_cell(s);
		table_name(s->alone, name->s);
	} else
		cell_name(section_cell(s), name->s);
}

void
section_text(struct section *s, const char *text)
{
	snprintf(section_cell(s)->shown, sizeof s->one.shown, "%s", text);
}

void
cell_u64(struct cell *c, uint64_t v)
{
	snprintf(c->shown, sizeof c->shown, "%llu", (unsigned long long)v);
}

void
section_u64(struct section *s, uint64_t v)
{
	cell_u64(section_cell(s), v);
}

void
section_u64s(struct section *s, const uint64_t *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		section_u64(s, v[i]);
}

/* Copies the cell's text for programs, which ends at `end`, to its text for people. */
static void
as_raw(struct cell *c, uint8_t *end)
{
	*end = '\0';
	snprintf(c->shown, sizeof c->shown, "%.40s", c->raw);
}

void
cell_wide(struct cell *c, const struct swide *v)
{
	as_raw(c, swide_put((uint8_t *)c->raw, v, 0, false));
}

void
cell_decimal(struct cell *c, const struct wide *v, unsigned decimals)
{
	as_raw(c, wide_put_decimal((uint8_t *)c->raw, v, decimals, true));
}

void
cell_share(struct cell *c, const struct swide *part, const struct wide *all)
{
	struct swide percent = {wide_scale(part->m, 3), part->neg};
	struct ratio share = ratio_of(part, all);

	if (wide_zero(all))
		return;
	*ratio_put((uint8_t *)c->raw, &share) = '\0';
	percent.m = wide_div_round(&percent.m, all);
	memcpy(swide_put((uint8_t *)c->shown, &percent, 1, false), "%", 2);
}

void
section_share(struct section *s, uint64_t part, uint64_t all)
{
	struct swide a = swide_u64(part);
	struct wide b = wide_u64(all);

	cell_share(section_cell(s), &a, &b);
}

void
table_ratio(struct table *t, const struct swide *part, const struct wide *all)
{
	struct buf *b = table_cell(t);
	struct ratio share = ratio_of(part, all);

	if (wide_zero(all))
		buf_byte(b, '-');
	else
		buf_to(b, ratio_put(buf_room(b, WIDE_DIGITS + PUT_SLACK), &share));
}

void
table_sample(struct table *t, unsigned level)
{
	struct buf *b = table_cell(t);

	buf_add(b, "1/", level ? 2 : 0);
	buf_to(b, put_u64(buf_room(b, 20 + PUT_SLACK), 1ull << level));
}

void
section_sample(struct section *s, unsigned level)
{
	if (!s->alone)
		return;
	end_cell(s);
	table_sample(s->alone, level);
}

void
cell_value(struct cell *c, struct class_value v)
{
	as_raw(c, value_put((uint8_t *)c->raw, v));
	if (v.class >= NANO_POS)
		span_text(c->shown, v.v, v.class % 2);
}

void
cell_span(struct cell *c, const struct swide *v, bool nano)
{
	uint64_t one;

	as_raw(c, swide_put((uint8_t *)c->raw, v, nano ? 9 : 0, false));
	if (nano && wide_to_words(&v->m, &one, 1))
		span_text(c->shown, one, v->neg);
}

static unsigned
time_class(const struct section *s)
{
	return s->clock == CLOCK_NS ? NANO_POS : INT_POS;
}

void
section_time(struct section *s, uint64_t v)
{
	cell_value(section_cell(s), (struct class_value){time_class(s), v});
}

void
section_mean(struct section *s, const struct wide *v, uint64_t n)
{
	struct cell *c = section_cell(s);
	struct wide all = wide_u64(n);
	struct swide mean = {.neg = false};

	if (!n)
		return;
	mean.m = wide_div_round(v, &all);
	cell_span(c, &mean, s->clock == CLOCK_NS);
}

void
section_moment(struct section *s, int64_t time)
{
	bool below = s->clock == CLOCK_NS && time < 0;

	cell_value(section_cell(s),
		   (struct class_value){time_class(s) + below,
					below ? 0 - (uint64_t)time : (uint64_t)time});
}
