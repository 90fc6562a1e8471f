/* heat.c - a value over time: how many events are in each step of both. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "trace-plot/heat.h"

#define FEW 7u /* classes on a terminal without colour */

static void
heat_open(struct plot *p)
{
	measure_sum(p);
	p->state = xcalloc(1, sizeof(struct heat));
	p->bins.bytes *= plot_key(p) ? 4 : 1;
	bins_slots(&p->bins, heat_most(p));
}

/* Moves the sums of all groups: row i becomes row to[i], and a group has `rows` slots afterwards. */
static void
move_rows(struct plot *p, const uint32_t *to, uint32_t rows)
{
	uint32_t most = heat_most(p), all[LINES_MOST];

	for (uint32_t s = 0; s < p->bins.nslots; s++)
		all[s] = s / most * rows + to[s % most];
	bins_move(&p->bins, all);
}

/* Doubles the height of rows. */
static void
reach_higher(struct plot *p)
{
	struct heat *h = p->state;
	uint32_t to[RING];

	for (uint32_t s = 0; s < RING; s++)
		to[s] = s;
	for (uint64_t n = 0; h->any && n <= h->hi - h->lo; n++)
		to[(h->lo + n) % RING] = (uint32_t)((h->lo + n) >> 1) % RING;
	move_rows(p, to, RING);
	h->k++;
	h->lo >>= 1;
	h->hi >>= 1;
}

/* Makes room for a value: rows may become higher. */
static COLD void
reach(struct plot *p, uint64_t v, uint32_t part)
{
	struct heat *h = p->state;

	while (p->y.fine && v >> (64 - FINE) && h->k < FINE)
		reach_higher(p);
	if (!h->any)
		h->lo = h->hi = even_row(p, v, part);
	h->any = true;
	for (;;) {
		uint64_t i = even_row(p, v, part), lo = i < h->lo ? i : h->lo,
			 hi = i > h->hi ? i : h->hi;

		if (hi - lo < RING) {
			h->lo = lo;
			h->hi = hi;
			return;
		}
		reach_higher(p);
	}
}

/* Returns the slot of a value with the fraction `part`. */
static inline uint32_t
value_slot(struct plot *p, uint64_t v, uint32_t part)
{
	struct heat *h = p->state;

	if (!p->opts.even)
		return p->y.fine ? row_fine(v, part, BITS) : row_index(v, BITS);
	if (unlikely(!h->any || even_row(p, v, part) - h->lo > h->hi - h->lo ||
		     (p->y.fine && v >> (64 - FINE) && h->k < FINE)))
		reach(p, v, part);
	return (uint32_t)even_row(p, v, part) % RING;
}

static void
heat_add(struct plot *p, struct source *s, const struct batch *b, const uint32_t *pick,
	 uint32_t n)
{
	uint32_t id[BATCH], most = heat_most(p), groups = 1;

	if (!measure_run(&p->y, s, b, pick, n) ||
	    (p->sum.list && !measure_run(&p->sum, s, b, pick, n)) ||
	    (plot_key(p) && !names_of(&p->key, s, b, pick, n, id)))
		return;
	if (plot_key(p) && bins_slots(&p->bins, p->key.text.n * most))
		groups = p->key.text.n;
	if (!p->sum.list)
		percentiles_add(p, plot_key(p) ? id : NULL, groups, n);
	for (uint32_t i = 0; i < n; i++) {
		const struct rec *r = batch_rec(b, pick ? pick[i] : i);
		uint64_t *sum, weight = measure_weight(&p->sum, i);

		if (unlikely(!p->y.there[i] || !weight))
			continue;
		sum = bins_row(&p->bins, r->time ^ p->flip) +
		      value_slot(p, p->y.v[i], measure_part(&p->y, i));
		if (groups > 1)
			sum += id[i] * most;
		*sum = add_most(*sum, weight);
		p->events++;
	}
}

static void
heat_each(struct plot *p, plot_with *with, void *arg)
{
	const struct heat *h = p->state;
	char lane[24];

	for (uint32_t g = 0; g < heat_groups(p); g++) {
		const char *name = plot_key(p) ? p->key.text.v[g].s : "";
		uint32_t at = g * heat_most(p);

		for (uint32_t i = 0; !p->opts.even && i < heat_most(p); i++)
			with(arg, at + i, "", name, i);
		for (uint64_t n = 0; h->any && n <= h->hi - h->lo; n++) {
			sprintf(lane, "%" PRIu64, h->lo + n);
			with(arg, at + (uint32_t)(h->lo + n) % RING, lane, name, h->k);
		}
	}
}

static uint32_t
heat_slot(struct plot *p, const char *lane, const char *name, unsigned sum)
{
	struct heat *h = p->state;
	unsigned parts = p->y.fine ? FINE : 0;
	uint32_t at = plot_key(p) ? names_id(&p->key, name, strlen(name)) : 0;
	uint64_t i;

	at = bins_slots(&p->bins, (at + 1) * heat_most(p)) ? at * heat_most(p) : 0;
	if (!p->opts.even)
		return sum < heat_most(p) ? at + sum : NO_SLOT;
	if (sum > 63 + parts || digits_u64((const uint8_t *)lane, strlen(lane), &i) ||
	    i > (sum < parts ? UINT64_MAX : UINT64_MAX >> (sum - parts)))
		return NO_SLOT;
	/* Rows are at least as high as the rows of this part. */
	while (h->k < sum)
		reach_higher(p);
	if (sum >= parts)
		return at + value_slot(p, i << (sum - parts), 0);
	return at +
	       value_slot(p, i >> (parts - sum), (uint32_t)(i << sum) & ((1u << FINE) - 1));
}

static void
heat_fined(struct plot *p)
{
	struct heat *h = p->state;
	uint32_t to[ROWS];
	struct rows rows;

	for (uint32_t s = 0; s < ROWS; s++)
		to[s] = row_whole(s, BITS);
	while (p->opts.even && !p->y.fractions && h->k < FINE)
		reach_higher(p);
	if (p->opts.even && h->k >= FINE) {
		h->k -= FINE;
		p->y.fine = false;
	} else if (!p->y.fractions) {
		move_rows(p, to, RING);
		p->y.fine = false;
	} else {
		EACH_BIN (&p->bins, i)
			for (uint32_t s = 0; s < p->bins.nslots && !p->opts.even; s++)
				h->hi = bins_at(&p->bins, i)[s] && s % ROWS > h->hi
					    ? s % ROWS
					    : h->hi;
		rows = heat_rows(p);
		p->y.unit = rows_fine(&rows, (uint32_t)h->hi);
	}
}

/* Returns the mark after v: `step` further, or, if that is 0, the next one on a logarithmic axis of `rows`
 * rows. Returns 0 after the last mark. */
static uint64_t
next_mark(enum measure_unit unit, uint64_t v, uint32_t rows, uint64_t step)
{
	uint64_t by = !scale_binary(unit) ? 10
		      : rows > 64	  ? 1024
		      : rows > 32	  ? 16
		      : rows > 16	  ? 4
					  : 2;

	if (step)
		return v + step < v ? 0 : v + step;
	return v > UINT64_MAX / by ? 0 : v ? v * by : 1;
}

static void
marks(const struct plot *p, struct buf *b, const struct heat_cells *g,
      const struct frame *f)
{
	uint64_t low = rows_low(&g->rows, g->lo), high = rows_low(&g->rows, g->hi + 1);
	uint64_t v, step = rows_step(&g->rows, p->y.unit, low, high, 6, &v);
	int64_t y, last = INT64_MAX, first = 0;

	do {
		if (v < low)
			continue;
		if (v > high)
			break;
		y = heat_y(g, f, rows_place(&g->rows, v));
		if (last - y < 12 * PX)
			continue;
		first = last == INT64_MAX ? y : first;
		last = y;
		frame_mark(b, f, y, TICK, scaled(p->y.unit, v));
	} while ((v = next_mark(p->y.unit, v, g->hi - g->lo + 1, step)) != 0);
	/* Both ends have a number. */
	if (last - f->top > 12 * PX)
		frame_mark(b, f, f->top, TICK_END, scaled(p->y.unit, high));
	if (f->bottom - first > 12 * PX)
		frame_mark(b, f, f->bottom, TICK_END, scaled(p->y.unit, low));
}

static const char *
heat_title(const struct plot *p)
{
	return joined(measure_title(p), ", over time",
		      p->sum.list ? "" : percentiles_title(p));
}

static const char *
heat_told(const struct plot *p, void *of, uint32_t x, uint32_t y)
{
	const struct heat_cells *g = of;
	uint64_t v = heat_cell(g, x, g->hi - y);

	return joined(scaled(p->sum.list ? p->sum.unit : SCALE_EXACT, v), " ",
		      p->sum.list ? p->opts.sum : events_of(p, v), " · ",
		      scaled(p->y.unit, rows_low(&g->rows, g->hi - y)), " to ",
		      scaled(p->y.unit, rows_low(&g->rows, g->hi - y + 1)), " · ",
		      column_text(p, &g->c, x));
}

#define PANEL_NAME (20 * PX) /* height of the name above each of several panels */

/* Draws panel i of all cells into frame f; w is the width of the picture in pixels. */
static void
panel_svg(const struct plot *p, struct buf *b, const struct heat_cells *all,
	  const struct frame *f, uint32_t i, unsigned w)
{
	struct heat_cells g = heat_panel(all, i);

	svg_rect(b, "f", f->left, f->top, f->right - f->left, f->bottom - f->top);
	marks(p, b, &g, f);
	if (plot_key(p))
		svg_text(b, f->left, f->top - 5 * PX, "n", SVG_START,
			 p->key.text.v[g.group[i]].s, (w - 180) / 7);
	if (all->panels == 1)
		frame_time(p, b, f, true);
	frame_window(p, b, f, &g.c, (int64_t)g.r.h * PX, 0);
	raster_svg(&g.r, b,
		   &(struct tiles){0, 0, PX, PX, .relative = true, .told = heat_told,
				   .p = p, .of = &g,
				   .unit = p->sum.list ? p->sum.unit : SCALE_EXACT,
				   .what = p->sum.list ? p->opts.sum : p->words->events});
	svg_end(b);
	if (!p->sum.list)
		heat_percentiles(p, b, f, w, i);
	marks_svg(p, b, f);
}

static void
heat_svg(struct plot *p, struct buf *b)
{
	unsigned w = p->opts.w ? p->opts.w : 960, h;
	struct frame f, all = {frame_left(p), (w - (frame_narrow(p) ? 96 : 160)) * PX,
			       frame_top(p, 78, 8), 0};
	const char *of = p->sum.list ? p->opts.sum : p->words->events;
	struct heat_cells g;

	heat_cells(&g, p, 177, LINES_MOST);
	h = frame_height(p, g.panels == 1 ? 460 : 140 + 180 * g.panels);
	all.bottom = (h - (p->opts.plain ? 46 : 62)) * PX;
	frame_begin(p, b, w, h, heat_title(p),
		    joined(p->sum.list ? "colour is " : "colour is how many ", of, " in ",
			   scaled(time_unit(p), g.c.width), " and ",
			   p->opts.even ? scaled(p->y.unit, rows_size(&g.rows, 1))
					: "a quarter of a power of two"));
	raster_shade(&g.r);
	for (uint32_t i = 0; i < g.panels; i++) {
		int64_t each = (all.bottom - all.top) / g.panels;

		f = all;
		if (g.panels > 1) {
			f.top = all.top + i * each + PANEL_NAME;
			f.bottom = all.top + (i + 1) * each;
		}
		panel_svg(p, b, &g, &f, i, w);
	}
	if (g.panels > 1)
		frame_time(p, b, &all, false);
	frame_y(b, &all, measure_axis(p));
	shades_svg(b, all.right + (frame_narrow(p) ? 34 : 62) * PX, all.top + 24 * PX,
		   (h - 22) * PX, p->sum.list ? p->sum.unit : SCALE_COUNT, 1, g.r.most, of,
		   "v");
}

/* Returns the mark of the axis that is in rows [from, to), or NULL. */
static const char *
mark_in(const struct plot *p, const struct heat_cells *g, uint32_t from, uint32_t to)
{
	uint64_t low = rows_low(&g->rows, g->lo), high = rows_low(&g->rows, g->hi + 1);
	uint64_t v, step = rows_step(&g->rows, p->y.unit, low, high, 4, &v);

	do
		if (v >= rows_low(&g->rows, from) && v < rows_low(&g->rows, to))
			return scaled(p->y.unit, v);
	while ((v = next_mark(p->y.unit, v, g->hi - g->lo + 1, step)) != 0 && v <= high);
	return NULL;
}

/* Prints what the lightest and the darkest cell mean. */
static void
heat_shades(const struct plot *p, struct screen *t, unsigned at, uint64_t most)
{
	const char *of = p->sum.list ? p->sum.name
			 : most > 1  ? p->words->events
				     : p->words->event;

	screen_right(t, "", at);
	for (unsigned i = most > 1 ? 0 : 1; i < 2; i++) {
		if (t->colour) {
			screen_colour(t, step_dark[i ? STEPS - 1 : 0]);
			screen_put(t, t->utf8 ? "█" : "#");
			screen_plain(t);
		} else
			screen_shade(t, i ? 7 : 1, 7);
		screen_put(t, " ");
		screen_name(
		    t, scaled(p->sum.list ? p->sum.unit : SCALE_COUNT, i ? most : 1), 20);
		screen_put(t, i ? " " : "  ");
	}
	screen_name(t, of, 40);
	screen_end(t);
}

/* Finds the marks of a panel for a terminal; a line is free between two marks. */
static void
heat_marks(const struct plot *p, struct heat_cells *g)
{
	uint32_t next = 0;

	raster_edges(&g->r);
	for (uint32_t line = 0; line < g->lines; line++) {
		uint32_t from = g->lo + (g->lines - 1 - line) * g->each;

		if (line >= next)
			g->r.left[line] = mark_in(p, g, from, from + g->each);
		if (g->r.left[line])
			next = line + 2;
	}
}

/* Sets the classes for a terminal without colours, which shows FEW: from the logarithms of numbers, or, with
 * --linear z, from the numbers. */
static void
few_classes(const struct plot *p, struct raster *r)
{
	r->classes = FEW;
	for (size_t i = 0; i < (size_t)r->w * r->h; i++) {
		uint64_t v = plot_even_colours(p) ? r->v[i] : about_log(r->v[i]) + 1;
		uint64_t most = plot_even_colours(p) ? r->most : about_log(r->most) + 1;
		uint64_t class = scale_of(v, most, FEW);

		if (r->v[i])
			r->c[i] = (uint8_t)(class ? class : 1);
	}
}

static void
heat_terminal(struct plot *p, struct screen *t)
{
	unsigned at = 12, w = t->w - at - 2;
	struct heat_cells g;

	heat_cells(&g, p, w, t->h);
	raster_shade(&g.r);
	if (!t->colour)
		few_classes(p, &g.r);
	screen_title(t, heat_title(p));
	for (uint32_t i = 0; i < g.panels; i++) {
		struct heat_cells panel = heat_panel(&g, i);

		if (plot_key(p)) {
			screen_right(t, "", at);
			screen_put(t, " ");
			screen_name(t, p->key.text.v[g.group[i]].s, w);
			screen_end(t);
		}
		heat_marks(p, &panel);
		raster_screen(&panel.r, p, t, at, w, 0);
	}
	screen_time(p, t, at, w);
	heat_shades(p, t, at + 1, g.r.most);
}

static void
heat_bins(struct plot *p, struct table *t)
{
	const struct heat *h = p->state;
	const struct rows rows = heat_rows(p);
	uint32_t most = heat_most(p), groups = heat_groups(p);
	uint32_t *order = plot_key(p) ? names_sorted(&p->key, groups) : NULL;
	const char *sum = p->sum.list ? p->opts.sum : "count";

	if (order)
		bins_head(t, "time", "end", plot_key(p), p->y.name, "below", sum);
	else
		bins_head(t, "time", "end", p->y.name, "below", sum);
	EACH_BIN (&p->bins, i)
		for (uint32_t k = 0; k < groups * most; k++) {
			uint32_t g = order ? order[k / most] : 0, y = k % most;
			uint64_t n = bins_at(&p->bins, i)[g * most + (h->lo + y) % most];

			if (!n)
				continue;
			put_bin(t, p, i);
			if (order)
				table_text(t, p->key.text.v[g].s);
			put_bounds(t, p, &rows, y);
			put_amount(t, n, p->sum.list && p->sum.unit == SCALE_TIME);
			table_row(t);
		}
}

const struct plot_kind kind_heat = {
    .name = "heat",
    .about = "durations, sizes or another number over time",
    .time = true,
    .measures = true,
    .panels = true,
    .names = PANELS,
    .log = "yz",
    .linear = "xyz",
    .why = "has time as x, which is linear: --log takes y and z, --linear x, y and z",
    .value = 'y',
    .open = heat_open,
    .add = heat_add,
    .each = heat_each,
    .slot = heat_slot,
    .fined = heat_fined,
    .mark = mark_time,
    .svg = heat_svg,
    .terminal = heat_terminal,
    .bins = heat_bins,
};
