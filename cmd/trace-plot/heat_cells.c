/* heat_cells.c - cells of heat, and lines over them: percentiles of each window of time. A line is at the exact
 * value if its row has only one, else at the smallest value that the row may have; the picture says how much
 * too low this can be. */
#include <stdlib.h>

#include "stats/spec.h"
#include "trace-plot/heat.h"

struct rows
heat_rows(const struct plot *p)
{
	const struct heat *h = p->state;
	struct rows r = {p->opts.even, BITS, h->k, h->lo, 0};

	if (p->y.fine)
		rows_fine(&r, (uint32_t)h->hi);
	return r;
}

void
heat_cells(struct heat_cells *g, const struct plot *p, uint32_t columns, uint32_t lines)
{
	const struct heat *h = p->state;
	uint32_t slot[LINES_MOST], first[PANELS + 1] = {0}, most = heat_most(p), rows;
	uint32_t groups = heat_groups(p);
	uint32_t *order =
	    plot_key(p) ? names_sorted(&p->key, groups) : draw_room(1, sizeof *order);
	struct raster all;

	for (uint32_t i = 0; i < groups * most; i++)
		slot[i] =
		    order[i / most] * most + (uint32_t)(h->lo + most - 1 - i % most) % most;
	*g = (struct heat_cells){
	    .c = columns_of(&p->bins, columns), .rows = heat_rows(p), .lo = most};
	raster_sums(&all, &p->bins, &g->c, groups * most, slot, NULL, groups * most);
	for (uint32_t i = 0; i < groups * most; i++) {
		uint32_t y = most - 1 - i % most, begin = i - i % most;

		if (!raster_line(&all, i))
			continue;
		g->lo = y < g->lo ? y : g->lo;
		g->hi = y > g->hi ? y : g->hi;
		if (!g->panels || first[g->panels - 1] != begin) {
			first[g->panels] = begin;
			g->group[g->panels++] = order[i / most];
		}
	}
	rows = g->hi - g->lo + 1;
	lines = lines > g->panels ? lines / g->panels : 1;
	g->each = (rows + lines - 1) / lines;
	g->lines = (rows + g->each - 1) / g->each;
	g->r =
	    (struct raster){.w = g->c.n, .h = g->lines * g->panels, .least = 1, .most = 1};
	g->r.v = draw_room((size_t)g->r.h * g->r.w, sizeof *g->r.v);
	for (uint32_t i = 0; i < g->panels * rows; i++) {
		uint32_t k = i / rows, y = i % rows;
		uint64_t *to = g->r.v + ((k + 1) * g->lines - 1 - y / g->each) * g->r.w;
		uint64_t *from = all.v + (first[k] + most - 1 - g->lo - y) * g->r.w;

		for (uint32_t x = 0; x < g->r.w; x++) {
			to[x] = add_most(to[x], from[x]);
			g->r.most = to[x] > g->r.most ? to[x] : g->r.most;
		}
	}
}

struct heat_cells
heat_panel(const struct heat_cells *all, uint32_t i)
{
	struct heat_cells g = *all;
	size_t at = (size_t)i * g.lines * g.c.n;

	g.r.h = g.lines;
	g.r.v += at;
	g.r.c = g.r.c ? g.r.c + at : NULL;
	return g;
}

#define WINDOWS 45u

static const struct {
	unsigned share;
	uint64_t least; /* events that a window needs at least */
	const char *name, *class;
} line[] = {{25, 10, NULL, NULL},
	    {75, 10, NULL, NULL},
	    {50, 10, "p50", "w p5"},
	    {99, 100, "p99", "w p9"}};

#define LINES (sizeof line / sizeof *line)

struct percentiles {
	struct heat_cells g; /* a column for each window */
	/* Smallest and greatest value of a row, in units of the axis, if they are known. */
	struct value_range {
		uint64_t lo, hi;
		bool known;
	} row[ROWS];
	int64_t x[WINDOWS + 1], y[LINES][WINDOWS]; /* -1: the window has too few events */
	/* A line is at most `low` too low, and at most `part` percent of the value, rounded up. */
	uint64_t low, part;
};

/* Returns the row of a value; sets *v to the value in units of the axis. */
static uint32_t
value_row(const struct plot *p, const struct rows *rows, struct class_value value,
	  uint64_t *v)
{
	uint64_t of = value.class == NANO_POS ? 1000000000 : 1,
		 one = rows->one ? rows->one : 1, whole = value.v / of,
		 nano = value.v % of * (1000000000 / of);
	uint32_t part = (uint32_t)((nano << FINE) / 1000000000);

	*v = whole > UINT64_MAX / one - 1 ? UINT64_MAX
					  : whole * one + nano / (1000000000 / one);
	if (p->opts.even)
		return (uint32_t)(even_row(p, whole, part) - rows->first);
	return p->y.fine ? row_fine(whole, part, BITS) : row_index(whole, BITS);
}

static void
find_ranges(struct percentiles *q, const struct plot *p, uint32_t group)
{
	const struct rows *rows = &q->g.rows;
	size_t n;
	struct slice *v = column_slices(&p->found, group, SPEC_BITS, &n);

	for (size_t i = 0; i < n; i++) {
		uint64_t low, high;
		uint32_t y = value_row(p, rows, v[i].low, &low),
			 last = value_row(p, rows, v[i].high, &high);

		/* A row of whole numbers lacks the fraction: round up. */
		high += v[i].high.class == NANO_POS && rows->one < 1000000000;
		/* A value that is only known as a range may be in two rows. */
		for (; y <= last && y < ROWS; low = rows_low(rows, ++y)) {
			struct value_range *r = &q->row[y];
			uint64_t hi = y < last ? rows_low(rows, y + 1) : high;

			r->lo = low < r->lo || !r->known ? low : r->lo;
			r->hi = hi > r->hi ? hi : r->hi;
			r->known = true;
		}
	}
	free(v);
}

/* Returns the y of the value of row i, and notes how much too low it can be. */
static int64_t
row_y(struct percentiles *q, const struct frame *f, uint32_t i)
{
	struct value_range r = q->row[i];
	uint64_t part;

	if (!r.known)
		r = (struct value_range){rows_low(&q->g.rows, i),
					 rows_low(&q->g.rows, i + 1), true};
	part = (scale_of(r.hi - r.lo, r.hi, 10000) + 99) / 100;
	q->low = r.hi - r.lo > q->low ? r.hi - r.lo : q->low;
	q->part = part > q->part ? part : q->part;
	return heat_y(&q->g, f, rows_place(&q->g.rows, r.lo));
}

/* Finds the percentiles of window i: the values that a share of its events does not exceed. */
static void
find_window(struct percentiles *q, const struct frame *f, uint32_t i)
{
	uint64_t n = 0;

	for (uint32_t y = q->g.lo; y <= q->g.hi; y++)
		n = add_most(n, heat_cell(&q->g, i, y));
	for (size_t k = 0; k < LINES; k++) {
		uint64_t want =
		    n / 100 * line[k].share + (n % 100 * line[k].share + 99) / 100;
		uint32_t y = q->g.lo;

		for (uint64_t below = 0; y < q->g.hi; y++) {
			below = add_most(below, heat_cell(&q->g, i, y));
			if (below >= want)
				break;
		}
		q->y[k][i] = n < line[k].least ? -1 : row_y(q, f, y);
	}
}

/* Draws line k as steps, each as wide as its window, with the line's name at its end, above the y `above`.
 * Returns the y of the name. */
static int64_t
draw_line(const struct percentiles *q, struct buf *b, const struct frame *f, size_t k,
	  int64_t above)
{
	struct buf d = {0};
	const char *path;
	int64_t end = -1;

	for (uint32_t i = 0; i < q->g.c.n; i++)
		if (q->y[k][i] >= 0) {
			end = q->y[k][i];
			svg_point(&d, i && q->y[k][i - 1] >= 0 ? 'L' : 'M', q->x[i], end);
			svg_to(&d, 'H', q->x[i + 1]);
		}
	if (end < 0)
		return above;
	path = draw_text(&d);
	for (unsigned halo = 2; halo-- > 0;) {
		svg_path_begin(b, halo ? "w halo" : line[k].class);
		put_all(b, path);
		svg_path_end(b, halo ? NULL : line[k].name);
	}
	end = end < above - 13 * PX ? end : above - 13 * PX;
	svg_text(b, f->right + 6 * PX, end + 4 * PX, "t", SVG_START, line[k].name, 8);
	return end;
}

void
heat_percentiles(const struct plot *p, struct buf *b, const struct frame *f, unsigned w,
		 uint32_t panel)
{
	/* Windows are wide enough for p99, if there are enough events. */
	uint64_t windows = (uint64_t)p->events / 150;
	struct percentiles *q = draw_room(1, sizeof *q);
	const char *low = "";
	const struct time_columns *c = &q->g.c;
	struct heat_cells all;
	struct buf band = {0};

	heat_cells(&all, p,
		   windows < 6	       ? 6
		   : windows < WINDOWS ? (uint32_t)windows
				       : WINDOWS,
		   LINES_MOST);
	q->g = heat_panel(&all, panel);
	find_ranges(q, p, all.group[panel]);
	for (uint32_t i = 0; i < c->n; i++) {
		q->x[i] = i ? frame_x(p, f, (int64_t)((uint64_t)(c->lo + i) * c->width))
			    : f->left;
		q->x[i + 1] = f->right;
		find_window(q, f, i);
	}
	for (uint32_t i = 0; i < c->n; i++)
		if (q->y[0][i] >= 0) {
			svg_point(&band, 'M', q->x[i], q->y[0][i]);
			svg_to(&band, 'H', q->x[i + 1]);
			svg_to(&band, 'V', q->y[1][i]);
			svg_to(&band, 'H', q->x[i]);
		}
	if (!band.n)
		return;
	svg_path(b, "q k");
	put_all(b, draw_text(&band));
	svg_path_end(b, "p25 to p75");
	draw_line(q, b, f, 3, draw_line(q, b, f, 2, INT64_MAX));
	if (q->low)
		low = joined(": up to ",
			     p->opts.even ? scaled(p->y.unit, q->low)
					  : formatted("%u %%", (unsigned)q->part),
			     " too low");
	if (!p->opts.plain && panel + 1 == all.panels)
		svg_text(b, 24 * PX, f->bottom + 54 * PX, "t", SVG_START,
			 joined("p50, p99 of each ", scaled(time_unit(p), c->width),
				", band p25 to p75", low),
			 (w - 30) / 6);
}
