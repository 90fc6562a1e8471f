/* cell.c - what stands in a table: numbers and times as people and programs read them. */
#include <stdio.h>
#include <string.h>

#include "base/date.h"
#include "base/put.h"
#include "event/value.h"
#include "summary/cell.h"
#include "summary/summary.h"

#define SECOND 1000000000u

void
cell_name(struct cell *row, const char *name)
{
	snprintf(row->shown, sizeof row->shown, "%.40s", name);
	snprintf(row->raw, sizeof row->raw, "%.250s", name);
}

void
cell_u64(struct cell *c, uint64_t v)
{
	snprintf(c->shown, sizeof c->shown, "%llu", (unsigned long long)v);
}

void
cell_wide(struct cell *c, const struct swide *v)
{
	uint8_t *end = swide_put((uint8_t *)c->raw, v, 0, false);

	*end = '\0';
	snprintf(c->shown, sizeof c->shown, "%.40s", c->raw);
}

/* A part of a whole: a percentage for people, else a fraction. */
void
cell_share(struct cell *c, const struct swide *part, const struct wide *all)
{
	struct swide percent = {wide_scale(part->m, 3), part->neg};
	uint8_t *end;

	if (wide_zero(all))
		return;
	*ratio_put((uint8_t *)c->raw, part, all) = '\0';
	percent.m = wide_div_round(&percent.m, all);
	end = swide_put((uint8_t *)c->shown, &percent, 1, false);
	memcpy(end, "%", 2);
}

void
grid_missed(struct grid *g, const struct stats *st)
{
	if (st->missed)
		g->column[g->ncolumns++] = "missed";
}

void
cell_missed(struct grid *g, struct cell *row, const struct stats *st)
{
	if (st->missed && strcmp(row->shown, STATS_OTHERS) != 0)
		cell_u64(&row[g->ncolumns - 1], st->missed);
}

void
grid_within(struct grid *g, unsigned i, const struct column *col, uint32_t group,
	    unsigned bits)
{
	if (!column_exact(col, group))
		snprintf(grid_limit(g)[i].shown, sizeof g->cell->shown, "%.2g %%",
			 50.0 / (1u << bits));
}

void
cell_value(struct cell *c, struct value v)
{
	*value_put((uint8_t *)c->raw, v) = '\0';
	if (v.class >= NANO_POS)
		value_span(c->shown, v.v, v.class % 2);
	else
		snprintf(c->shown, sizeof c->shown, "%.40s", c->raw);
}

void
cell_sum(struct cell *c, const struct column *col, uint32_t g)
{
	bool nano;
	struct swide sum = column_sum(col, g, &nano);
	uint64_t v;

	if (!nano) {
		cell_wide(c, &sum);
		return;
	}
	*swide_put((uint8_t *)c->raw, &sum, 9, false) = '\0';
	if (wide_to_words(&sum.m, &v, 1))
		value_span(c->shown, v, sum.neg);
	else
		snprintf(c->shown, sizeof c->shown, "%.40s", c->raw);
}

void
cell_mean(struct cell *c, const struct column *col, uint32_t g)
{
	bool nano;
	struct swide sum = column_sum(col, g, &nano);
	struct wide n = wide_u64(column_numbers(col, g));
	uint64_t v;

	*mean_put((uint8_t *)c->raw, col, g) = '\0';
	sum.m = wide_div_round(&sum.m, &n);
	wide_to_words(&sum.m, &v, 1);
	sum.neg &= v != 0;
	if (nano)
		value_span(c->shown, v, sum.neg);
	else
		snprintf(c->shown, sizeof c->shown, "%s%llu", sum.neg ? "-" : "",
			 (unsigned long long)v);
}

/* When window w begins. */
static struct value
window_begin(const struct stats *st, int64_t w)
{
	/* By the clock a window counts from 1970; st->origin is that of one input. */
	int64_t from = st->spec->from_clock ? 0 : st->origin;
	bool ns = st->clock == CLOCK_NS, neg = ns && from < 0;
	uint64_t step = ns ? st->spec->step : st->spec->step / SECOND;
	uint64_t origin = neg ? 0 - (uint64_t)from : (uint64_t)from;
	/* The first may begin before any time of 64 bits: only its magnitude fits. */
	uint64_t way = (w < 0 ? 0 - (uint64_t)w : (uint64_t)w) * step, v = origin + way;

	if (way && (w < 0) != neg) {
		v = way > origin ? way - origin : origin - way;
		neg = way > origin ? w < 0 : neg && v;
	}
	return (struct value){(ns ? NANO_POS : INT_POS) + (unsigned)neg, v};
}

void
stats_table_window(struct buf *b, const struct stats_table *t, int64_t w)
{
	struct value v = window_begin(t->st, w);
	char date[DATE_TEXT];

	if (t->st->spec->from_clock) {
		date_text(v.v, v.class % 2, t->st->spec->step % SECOND != 0, date);
		buf_add(b, date, strlen(date));
	} else
		buf_to(b, value_put(buf_room(b, 64 + PUT_SLACK), v));
}
