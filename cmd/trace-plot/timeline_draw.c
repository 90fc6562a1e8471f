/* timeline_draw.c - draws a timeline in which something lasts: rows of states, and at the edges how the rows
 * compare. */
#include <stdlib.h>
#include <string.h>

#include "trace-plot/arrows.h"
#include "trace-plot/raster.h"
#include "trace-plot/timeline.h"

/* Time in each state. */
struct timeline_drawing {
	const struct plot *p;
	const struct timeline *t;
	struct time_columns c;
	struct legend legend;
	struct raster
	    sums; /* a line for each row and place in the legend: see state_line() */
	struct members members;
	/* By row: length of the bar of its share, in 1/BAR_UNITS, and whether it differs from the others. */
	uint64_t bar[LANES_ROOM + 1];
	bool apart[LANES_ROOM + 1];
};

#define BAR_UNITS 1000u

static uint32_t
state_line(uint32_t row, uint32_t k)
{
	return row * (COLOURS + 1) + k;
}

/* Returns the time of a row in state k of the legend in a column. */
static uint64_t
state_time(const struct timeline_drawing *d, uint32_t row, uint32_t k, uint32_t column)
{
	return d->sums.v[state_line(row, k) * d->c.n + column];
}

static void
drawing_make(struct timeline_drawing *d, struct plot *p, int64_t wide)
{
	struct timeline *t = p->state;
	uint64_t total[NAMES_ROOM] = {0};
	uint32_t nnames = p->key.text.n, n = 0;
	uint32_t *slot = draw_room(p->bins.nslots, sizeof *slot);
	uint32_t *name = draw_room(p->bins.nslots, sizeof *name);
	uint32_t *line = draw_room(p->bins.nslots, sizeof *line);
	struct raster names;

	*d = (struct timeline_drawing){.p = p, .t = t, .c = timeline_columns(p, wide)};
	for (uint32_t l = 0; l < t->lanes.n; l++)
		for (uint32_t k = 0; k < nnames; k++)
			if (lane_slots(t, l)[k]) {
				slot[n] = lane_slots(t, l)[k] - 1u;
				line[n] = state_line(t->of[l], 0);
				name[n++] = k;
			}
	raster_sums(&names, &p->bins, &d->c, nnames, slot, name, n);
	for (uint32_t k = 0; k < nnames; k++)
		total[k] = raster_line(&names, k);
	legend_make(&d->legend, p, total, nnames);
	for (uint32_t i = 0; i < n; i++)
		line[i] += d->legend.of[name[i]];
	raster_sums(&d->sums, &p->bins, &d->c, state_line(t->nrows, 0), slot, line, n);
	members_make(&d->members, p, &d->c);
}

#define UNITS 440u /* height of a row in a window */

/* Computes the heights of a column's states: up[k + 1] is the top of state k. Together they have at most UNITS,
 * even if states overlap. If they have less than `least`, but not 0, the largest state has `least`. */
static void
heights(const struct timeline_drawing *d, uint32_t row, uint32_t column,
	uint32_t up[COLOURS + 2], uint32_t least)
{
	uint64_t all = timeline_width(d->p, &d->c, column) * d->t->row[row].n;
	uint64_t sum[COLOURS + 2] = {0}, most = 0;
	uint32_t largest = 0;

	for (uint32_t k = 0; k <= COLOURS; k++) {
		uint64_t v = state_time(d, row, k, column);

		sum[k + 1] = sum[k] + v;
		largest = v > most ? k : largest;
		most = v > most ? v : most;
	}
	all = sum[COLOURS + 1] > all ? sum[COLOURS + 1] : all;
	for (uint32_t k = 0; k <= COLOURS + 1; k++)
		up[k] = (uint32_t)scale_of(sum[k], all, UNITS);
	if (sum[COLOURS + 1] && up[COLOURS + 1] < least)
		for (uint32_t k = 0; k <= COLOURS; k++)
			up[k + 1] = k < largest ? 0 : least;
}

/* Draws one state in one row: neighbouring columns as one outline, over their tops and back below. Draws only
 * thin parts if `thin`, else only the others. A column without neighbours is thin, and so is a part that is
 * nowhere higher than `least`; they have no class k, so that they leave some ink at any scale, even if they
 * cover the centre of no pixel. Returns false if nothing is drawn. */
static bool
draw_state(const struct timeline_drawing *d, struct buf *b, uint32_t k,
	   const uint32_t (*up)[COLOURS + 2], uint32_t least, bool thin)
{
	bool any = false;

	for (uint32_t i = 0, to; i < d->c.n; i = to) {
		uint32_t y = up[i][k], run, most = 0;
		bool alone;

		to = i + 1;
		if (up[i][k + 1] == y)
			continue;
		for (to = i; to < d->c.n && up[to][k + 1] > up[to][k]; to++)
			most = up[to][k + 1] - up[to][k] > most ? up[to][k + 1] - up[to][k]
								: most;
		alone = to == i + 1 && (!i || !up[i - 1][COLOURS + 1]) &&
			(to == d->c.n || !up[to][COLOURS + 1]);
		if ((alone || most <= least) != thin)
			continue;
		if (!any)
			svg_path(b, thin ? "c%u" : "c%u k", d->legend.colour[k]);
		any = true;
		put_format(b, "M%u %u", i, UNITS - y);
		for (uint32_t x = i; x < to; x += run) {
			for (run = 1; x + run < to && up[x + run][k + 1] == up[x][k + 1];)
				run++;
			put_format(b, "v%dh%u", (int)y - (int)up[x][k + 1], run);
			y = up[x][k + 1];
		}
		for (uint32_t x = to; x > i; x -= run) {
			for (run = 1; x - run > i && up[x - run - 1][k] == up[x - 1][k];)
				run++;
			put_format(b, "v%dh-%u", (int)y - (int)up[x - 1][k], run);
			y = up[x - 1][k];
		}
		buf_byte(b, 'z');
	}
	return any;
}

/* Returns the time that n locations have together. */
static uint64_t
all_time(const struct plot *p, uint32_t n)
{
	return ((uint64_t)p->last - (uint64_t)p->first + 1) * n;
}

/* Returns the time that a row is in some state. */
static uint64_t
row_busy(const struct timeline_drawing *d, uint32_t row)
{
	uint64_t sum = 0;

	for (uint32_t k = 0; k <= COLOURS; k++)
		sum += raster_line(&d->sums, state_line(row, k));
	return sum;
}

/* Returns how much of its time a row is in some state. */
static const char *
row_share(const struct timeline_drawing *d, uint32_t row)
{
	return share_text(row_busy(d, row), all_time(d->p, d->t->row[row].n));
}

/* Sorts n > 0 numbers, and returns the middle one, or the greater one of two. */
static uint64_t
median(uint64_t *v, uint32_t n)
{
	qsort(v, n, sizeof *v, u64_ascending);
	return v[n / 2];
}

/* Finds the length of each row's bar, and which rows differ from the others: their shares are at least 5 % from
 * the median, and five times as far from it as half of the rows. */
static void
find_bars(struct timeline_drawing *d)
{
	uint64_t v[LANES_ROOM + 1] = {0}, middle, near;
	uint32_t n = d->t->nrows;

	for (uint32_t l = 0; l < n; l++)
		v[l] = d->bar[l] =
		    scale_of(row_busy(d, l), all_time(d->p, d->t->row[l].n), BAR_UNITS);
	middle = median(v, n);
	for (uint32_t l = 0; l < n; l++)
		v[l] = d->bar[l] > middle ? d->bar[l] - middle : middle - d->bar[l];
	near = median(v, n);
	for (uint32_t l = 0; l < n; l++) {
		uint64_t far = d->bar[l] > middle ? d->bar[l] - middle : middle - d->bar[l];

		d->apart[l] = n > 2 && far >= BAR_UNITS / 20 && far / 5 >= near;
	}
}

/* Draws the mean share of all rows by column, in a strip above the frame. */
static void
draw_mean(const struct timeline_drawing *d, struct buf *b, const struct frame *f)
{
	const struct timeline *t = d->t;
	uint32_t n = lanes_places(t->row, t->nrows);
	int64_t bottom = f->top - 6 * PX, y = bottom, last;

	svg_path(b, BAR_APART);
	svg_point(b, 'M', f->left, bottom);
	for (uint32_t i = 0; i <= d->c.n; i++) {
		uint64_t sum = 0, all = timeline_width(d->p, &d->c, i) * n;

		for (uint32_t line = 0; line < d->sums.h && i < d->c.n; line++)
			sum += d->sums.v[line * d->c.n + i];
		last = y;
		y = bottom - (i < d->c.n ? (int64_t)scale_of(sum, all, 14 * PX) : 0);
		if (y == last)
			continue;
		svg_to(b, 'H', f->left + (f->right - f->left) * i / d->c.n);
		svg_to(b, 'V', y);
	}
	buf_byte(b, 'z');
	svg_path_end(b, "the mean of all");
	svg_text(b, f->left - 10 * PX, bottom - PX, "t", SVG_END, "mean", 8);
}

/* Draws the states of a row. */
static void
draw_states(const struct timeline_drawing *d, struct buf *b, const struct frame *f,
	    uint32_t row, const char *name)
{
	const struct plot *p = d->p;
	uint32_t(*up)[COLOURS + 2] = draw_room(d->c.n, sizeof *up);
	/* Two pixels in a picture of 960, because a wider one may be shown as narrow; but not much of a low row. */
	uint32_t wide = p->opts.w > 960 ? p->opts.w : 960;
	uint32_t least = 2 * PX * UNITS * wide / 960 / (uint32_t)(f->bottom - f->top) + 1;

	least = least < UNITS / 8 ? least : UNITS / 8;
	for (uint32_t i = 0; i < d->c.n; i++)
		heights(d, row, i, up[i], least);
	frame_window(p, b, f, &d->c, UNITS * PX, COLUMN_LEAST);
	for (uint32_t k = 0; k < d->legend.n + d->legend.others; k++) {
		uint64_t sum = raster_line(&d->sums, state_line(row, k));
		const char *about =
		    joined(svg_short(name), " · ", svg_short(legend_name(&d->legend, p, k)),
			   " · ", scaled(time_unit(p), sum), " in all");

		for (unsigned thin = 0; sum && thin < 2; thin++)
			if (draw_state(d, b, k, (const uint32_t(*)[COLOURS + 2]) up, least,
				       thin))
				svg_path_end(b, about);
	}
	members_draw(&d->members, p, b, row, f, 0, UNITS);
	svg_end(b);
}

/* Draws a row and the bar of its share, which ends at `shares`; with `text`, also its name and share. */
static void
draw_row(const struct timeline_drawing *d, struct buf *b, const struct frame *f,
	 uint32_t row, bool text, int64_t shares)
{
	const char *name = lane_name(d->p, &d->t->row[row]);
	int64_t high = f->bottom - f->top, middle = (f->top + f->bottom) / 2 + 4 * PX;
	int64_t left = f->right + 8 * PX, bar = high < 18 * PX ? high : 18 * PX;

	svg_rect(b, "f", f->left, f->top, f->right - f->left, high);
	if (text)
		svg_text(b, f->left - 10 * PX, middle, high < 14 * PX ? "t" : "", SVG_END,
			 name, LANE_NAME);
	draw_states(d, b, f, row, name);
	svg_rect(b, d->apart[row] ? BAR_APART : BAR, left, (f->top + f->bottom - bar) / 2,
		 (shares + 2 * PX - left) * (int64_t)d->bar[row] / BAR_UNITS, bar);
	if (text)
		svg_text(b, shares, middle, high < 14 * PX && !d->apart[row] ? "t n" : "n",
			 SVG_END, row_share(d, row), 10);
}

/* Returns the title. */
static const char *
timeline_title(const struct timeline_drawing *d)
{
	const struct plot *p = d->p;
	uint32_t n = lanes_places(d->t->row, d->t->nrows);
	const char *most = "";

	if (d->legend.n)
		most = joined(": ", share_text(d->legend.total[0], all_time(p, n)), " in ",
			      legend_name(&d->legend, p, 0));
	return joined("Where ", scaled(SCALE_EXACT, n), " ", p->words->of,
		      n == 1 ? p->words->place : p->words->places,
		      n == 1 ? " spends its time" : " spend their time", most);
}

/* Returns the y of the middle of the row that has a name. */
static int64_t
row_middle(const struct plot *p, const struct frame *f, uint32_t name)
{
	const struct timeline *t = p->state;
	uint32_t lane = 0;
	int64_t each = (f->bottom - f->top) / t->nrows;

	while (lane + 1 < t->lanes.n && t->lanes.lane[lane].row != t->lanes.of[name] - 1)
		lane++;
	return f->top + t->of[lane] * each + each / 2;
}

void
timeline_svg(struct plot *p, struct buf *b)
{
	struct timeline *t = p->state;
	unsigned w = p->opts.w ? p->opts.w : 960, h, gap;
	const char *places = *p->words->of ? p->words->of : p->words->events, *said;
	const enum measure_unit unit = time_unit(p),
				*total = frame_narrow(p) ? NULL : &unit;
	struct timeline_drawing d;
	struct frame f = {.right = (w - (frame_narrow(p) ? 50 : 110)) * PX,
			  .top = frame_top(p, 90, 24)};
	int64_t left, right = (w - 16) * PX, shares, below, each;
	uint32_t n;

	if (p->points) {
		points_svg(p, b);
		return;
	}
	timeline_rows(p);
	n = t->nrows;
	f.left = lanes_width(p, t->row, n);
	left = w < 700 && f.left > 24 * PX ? 24 * PX : f.left;
	shares = f.right + (frame_narrow(p) ? 44 : 94) * PX;
	drawing_make(&d, p, f.right - f.left);
	below = 72 * PX + legend_high(&d.legend, p, right - left, total);
	each = lanes_height(p, n, f.top + below);
	gap = each > 40 * PX ? 10 : each > 20 * PX ? 6 : each > 12 * PX ? 3 : 1;
	f.bottom = f.top + n * each;
	h = frame_height(p, (unsigned)((f.bottom + below) / PX) + 4);
	said = timeline_said(p, ": mean share, a line from the smallest to the greatest",
			     ", its height the share of that time");
	said = joined("each column is ", scaled(unit, d.c.width), said, arrows_said(p));
	frame_begin(p, b, w, h, timeline_title(&d), said);
	frame_time(p, b, &f, true);
	find_bars(&d);
	if (n > 1)
		draw_mean(&d, b, &f);
	svg_text(b, shares, f.top - 10 * PX, "t", SVG_END, joined("in ", places), 12);
	for (uint32_t l = 0; l < n; l++) {
		struct frame row = f;

		row.top = f.top + l * each;
		row.bottom = row.top + each - (each > 4 * PX ? gap * PX : 0);
		draw_row(&d, b, &row, l, l % lanes_named(each) == 0, shares);
	}
	arrows_svg(p, b, &f, row_middle);
	marks_svg(p, b, &f);
	legend_svg(&d.legend, p, b, left, right, f.bottom + 72 * PX, total);
}

/* Returns the class of columns [from, to) of a row: the state with most of the time, or none. */
static uint8_t
state_class(const struct timeline_drawing *d, uint32_t row, uint32_t from, uint32_t to)
{
	uint64_t sum[COLOURS + 1] = {0}, all = 0;
	unsigned which = 0;

	for (uint32_t k = 0; k <= COLOURS; k++) {
		for (uint32_t i = from; i < to; i++)
			sum[k] += state_time(d, row, k, i);
		all += sum[k];
		which = sum[k] > sum[which] ? k : which;
	}
	/* Most of the time is in no state. */
	if (all < d->c.width * (to - from) * d->t->row[row].n / 2)
		return (uint8_t)(COLOURS + 2 + (all != 0));
	return (uint8_t)(which + 1);
}

void
timeline_terminal(struct plot *p, struct screen *t)
{
	struct ink ink[COLOURS + 3] = {[COLOURS + 1] = {PLAIN, ' ', NULL},
				       {PLAIN, '.', NULL}};
	struct raster r = {.w = t->w - 17 - 7, .ink = ink, .classes = COLOURS + 3};
	struct timeline_drawing d;

	if (p->points) {
		points_terminal(p, t);
		return;
	}
	timeline_rows(p);
	drawing_make(&d, p, INT64_MAX);
	for (unsigned k = 0; k <= COLOURS; k++)
		ink[k] = (struct ink){d.legend.colour[k],
				      k < d.legend.n ? (char)('A' + k) : '+', NULL};
	r.h = d.t->nrows;
	r.c = draw_room((size_t)r.w * r.h, 1);
	for (uint32_t i = 0; i < r.w * r.h; i++) {
		uint32_t from = (uint32_t)((uint64_t)(i % r.w) * d.c.n / r.w);
		uint32_t to = (uint32_t)((uint64_t)(i % r.w + 1) * d.c.n / r.w);

		r.c[i] = state_class(&d, i / r.w, from, to > from ? to : from + 1);
	}
	raster_edges(&r);
	for (uint32_t y = 0; y < r.h; y++) {
		r.left[y] = lane_name(p, &d.t->row[y]);
		r.right[y] = row_share(&d, y);
	}
	screen_title(t, timeline_title(&d));
	raster_screen(&r, p, t, 17, r.w, 6);
	screen_time(p, t, 17, r.w);
	legend_screen(&d.legend, p, t, time_unit(p));
}
