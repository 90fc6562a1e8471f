/* members.c - the rows and columns of a timeline, and how much the members of a row differ. */
#include <stdlib.h>
#include <string.h>

#include "trace-plot/timeline.h"

void
timeline_rows(struct plot *p)
{
	struct timeline *t = p->state;
	uint32_t n = 0;

	for (uint32_t l = 0; l < t->lanes.n; l++) {
		const uint16_t *slot = t->slot[t->lanes.lane[l].row];
		uint32_t k = 0;

		while (k < POINT && !slot[k])
			k++;
		if (p->points || k < POINT)
			t->lanes.lane[n++] = t->lanes.lane[l];
	}
	t->lanes.n = n;
	t->nrows = lanes_group(&t->lanes, LANES_MOST, t->row, t->of);
	/* The number of bins depends on how many slots there were before names shared lanes. */
	while (p->shared && bins_used(&p->bins) > BINS_LEAST)
		bins_fold(&p->bins);
}

uint64_t
timeline_width(const struct plot *p, const struct time_columns *c, uint32_t i)
{
	uint64_t from = ((uint64_t)c->lo + i) * c->width, width = c->width;

	if (width == UINT64_MAX)
		return width;
	width -= i ? 0 : (uint64_t)p->first - from;
	return width - (i + 1 < c->n ? 0 : from + c->width - 1 - (uint64_t)p->last);
}

struct time_columns
timeline_columns(const struct plot *p, int64_t wide)
{
	uint32_t rows = ((struct timeline *)p->state)->nrows, most = BINS_MOST;
	uint32_t cells = 8192u >> p->coarse;

	most = rows * most > cells ? cells / rows : most;
	if (wide / COLUMN_LEAST < most)
		most = wide < 2 * COLUMN_LEAST ? 2 : (uint32_t)(wide / COLUMN_LEAST);
	return columns_of(&p->bins, most);
}

void
members_make(struct members *m, const struct plot *p, const struct time_columns *c)
{
	const struct timeline *t = p->state;
	uint32_t from = p->points ? POINT : 0;
	uint64_t v[BINS_MOST];
	size_t cells = (size_t)t->nrows * c->n;

	*m = (struct members){.c = *c, .full = p->points};
	if (t->lanes.n == t->nrows)
		return;
	m->low = draw_room(cells, sizeof *m->low);
	m->high = draw_room(cells, sizeof *m->high);
	for (uint32_t l = 0; l < t->lanes.n; l++) {
		const struct lane *at = &t->lanes.lane[l];
		uint64_t *low = m->low + (size_t)t->of[l] * c->n;
		uint64_t *high = m->high + (size_t)t->of[l] * c->n;
		bool first = !l || t->of[l] != t->of[l - 1];

		memset(v, 0, c->n * sizeof *v);
		for (uint32_t k = from; k <= (p->points ? POINT : POINT - 1); k++)
			for (uint32_t i = 0; t->slot[at->row][k] && i < c->n; i++)
				v[i] = add_most(v[i], columns_sum(&p->bins, c, i,
								  t->slot[at->row][k] - 1));
		for (uint32_t i = 0; i < c->n; i++) {
			v[i] /= at->n;
			low[i] = first || v[i] < low[i] ? v[i] : low[i];
			high[i] = v[i] > high[i] ? v[i] : high[i];
			m->full = p->points && v[i] > m->full ? v[i] : m->full;
		}
	}
}

void
members_draw(const struct members *m, const struct plot *p, struct buf *b, uint32_t row,
	     const struct frame *f, uint32_t top, uint32_t units)
{
	int64_t box = f->right - f->left;
	/* A pixel, in columns. */
	int64_t wide = box > PX * m->c.n ? PX * PX * (int64_t)m->c.n / box : PX;
	bool any = false;

	for (uint32_t i = 0; m->low && i < m->c.n; i++) {
		uint64_t full = p->points ? m->full : timeline_width(p, &m->c, i);
		uint64_t high = m->high[(size_t)row * m->c.n + i];
		uint64_t low = m->low[(size_t)row * m->c.n + i];
		int64_t to = (int64_t)scale_of(high < full ? high : full, full, units * PX);
		int64_t from = (int64_t)scale_of(low < full ? low : full, full, units * PX);

		if (from == to)
			continue;
		if (!any)
			svg_path(b, "%s", p->points ? "i" : "");
		any = true;
		svg_point(b, 'M', (int64_t)i * PX + (PX - wide) / 2,
			  (int64_t)(top + units) * PX - to);
		svg_box(b, wide, to - from);
	}
	if (any)
		svg_path_end(b, NULL);
}

const char *
timeline_said(const struct plot *p, const char *several, const char *single)
{
	const struct timeline *t = p->state;
	uint32_t most = 1;
	bool even = true;

	for (uint32_t i = 0; i < t->nrows; i++)
		most = t->row[i].n > most ? t->row[i].n : most;
	for (uint32_t i = 0; i + 1 < t->nrows; i++)
		even &= t->row[i].n == most;
	if (most == 1)
		return single;
	return joined(" · ", even ? "" : "up to ", scaled(SCALE_EXACT, most), " ",
		      p->words->places, " a row", several);
}
