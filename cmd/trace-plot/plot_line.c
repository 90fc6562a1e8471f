/* plot_line.c - draws lines through points of numbers: a table has x in a column, and each other column of
 * numbers is a line. For CDFs, curves of misses, percentiles by window, measurements of another program. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/put.h"
#include "cli/opt.h"
#include "event/value.h"
#include "input/trace.h"
#include "number/moment.h"
#include "trace-plot/plot_clock.h"
#include "trace-plot/plot_line.h"
#include "trace-plot/raster.h"

/* Letters on a terminal. */
static const struct ink line_ink[LINES] = {
    {0, 'A', NULL}, {1, 'B', NULL}, {2, 'C', NULL}, {3, 'D', NULL},
    {4, 'E', NULL}, {5, 'F', NULL}, {6, 'G', NULL}, {7, 'H', NULL},
};

static void
line_open(struct plot *p)
{
	static const struct format_words rows = {
	    .events = "rows", .event = "row", .of = ""};

	p->state = xcalloc(1, sizeof(struct line));
	p->words = &rows;
}

static int
line_read(struct plot *p, char *const *paths, size_t n)
{
	static char *none[] = {"-"};
	struct line *m = p->state;
	int status;

	paths = n ? paths : none;
	n = n ? n : 1;
	inputs_name(&common.read, (const char *const *)paths, n);
	inputs_begin(&common.read, (const char *const *)paths, n);
	status = line_tables(p, paths, n);
	p->events = m->any ? m->rows : 0;
	return status;
}

/* Returns the value at an end of an axis: a number with its own unit, or a date. */
static const char *
end_text(const struct line *m, const struct axis *a, double v)
{
	if (a->unit != Q_DATE)
		return line_number(a, 0, v);
	return clock_full(m->base + (int64_t)v, (uint64_t)(a->hi - a->lo) / 100 + 1);
}

/* Draws a label of an axis and, unless it is at an end, its line over the frame. */
static void
draw_label(struct buf *b, const struct frame *f, bool x, int64_t at, const char *text,
	   const char *style)
{
	if (x)
		svg_text(b, at, f->bottom + 18 * PX, style, SVG_MIDDLE, text, 24);
	else
		frame_mark(b, f, at, style, text);
}

/* Draws the ticks of an axis, and the numbers of both ends unless a tick has them. A tick has no label if the
 * label would overlap another one. */
static void
draw_axis(const struct line *m, struct buf *b, const struct frame *f, const struct axis *a,
	  const struct tick_list *t)
{
	bool x = a == &m->ax;
	int64_t end = x ? 0 : INT64_MAX / 2, last = x ? INT64_MAX / 2 : -100 * PX;
	const char *text;

	if (a->unit == Q_DATE || !t->n || t->v[0] > a->lo) {
		text = end_text(m, a, a->lo);
		draw_label(b, f, x, a->from, text, TICK_END);
		end = a->from + (x ? svg_width(text, 24) / 2 : 0);
	}
	if (a->unit == Q_DATE || !t->n || t->v[t->n - 1] < a->hi) {
		text = end_text(m, a, a->hi);
		draw_label(b, f, x, a->to, text, TICK_END);
		last = a->to - (x ? svg_width(text, 24) / 2 : 0);
	}
	for (unsigned i = 0; i < t->n; i++) {
		int64_t at = line_at(a, t->v[i]), half;

		text = t->text[i] ? t->text[i] : line_number(a, t->step, t->v[i]);
		half = svg_width(text, 24) / 2;
		if (x)
			svg_line(b, "g", at, f->top, at, f->bottom);
		if (x ? at - half < end + 4 * PX || at + half > last - 4 * PX
		      : end - at <= 12 * PX || at - last <= 12 * PX)
			continue;
		end = x ? at + half : end;
		draw_label(b, f, x, at, text, TICK);
	}
}

/* Finds the ticks of x if it is a date. Returns the words below them. */
static const char *
date_ticks(const struct line *m, struct tick_list *t, unsigned most)
{
	int64_t from = m->base + (int64_t)m->ax.lo, to = m->base + (int64_t)m->ax.hi;
	uint64_t range = (uint64_t)to - (uint64_t)from,
		 step = clock_step(range ? range : 1, most);

	t->n = 0;
	for (uint64_t at = clock_first(from, step); at <= range; at += step) {
		t->text[t->n] = clock_tick(from + (int64_t)at, step);
		t->v[t->n++] = m->ax.lo + (double)at;
		if (range - at < step)
			break;
	}
	return clock_label(from, to, step);
}

/* Returns the points of a line, in order of x and without duplicates, and sets *n to their number. */
static const struct point *
points_of(const struct one *o, uint32_t *n)
{
	struct point *to = draw_room(4 * o->n + 1, sizeof *to);

	*n = 0;
	for (uint32_t k = 0; k < o->n; k++) {
		const struct line_place *v = &o->v[k];
		bool low = v->low.x <= v->high.x;
		const struct point all[] = {v->first, low ? v->low : v->high,
					    low ? v->high : v->low, v->last};

		to[(*n)++] = v->first;
		for (unsigned i = 1; i < 4; i++)
			if (to[*n - 1].x != all[i].x || to[*n - 1].y != all[i].y) {
				to[*n] = all[i];
				to[(*n)++].gap = false;
			}
	}
	return to;
}

static void
draw_line(const struct line *m, struct buf *b, uint32_t i)
{
	const struct one *o = &m->one[i];
	uint32_t n, drawn = 0; /* drawn: points since the last gap */
	const struct point *v = points_of(o, &n);

	if (!n)
		return;
	svg_path(b, "w l%u", i);
	for (uint32_t k = 0; k < n; k++, drawn++) {
		int64_t x = line_at(&m->ax, v[k].x), y = line_at(&m->ay, v[k].y);

		/* A single point would be invisible. */
		if (v[k].gap && drawn == 1)
			put_all(b, "h3");
		drawn = v[k].gap ? 0 : drawn;
		if (o->steps && drawn)
			svg_to(b, 'H', x);
		else if (o->steps)
			svg_point(b, 'M', x, m->ay.from);
		if (o->steps)
			svg_to(b, 'V', y);
		else
			svg_point(b, drawn ? 'L' : 'M', x, y);
	}
	if (drawn == 1)
		put_all(b, "h3");
	svg_path_end(b, o->name);
}

/* Returns the title: "p50(dur) and p99(dur) by window", or, if several lines have one name of y, the name and
 * ": before and after". */
static const char *
line_title(const struct line *m)
{
	const char *x = *m->ax.name ? m->ax.name : "x", *y = m->ay.name, *list = "";
	bool names =
	    m->n <= 3 && (m->n > 1 || !*y || strcmp(m->one->name, m->one->what) != 0);

	for (uint32_t i = 0; names && i < m->n; i++)
		list = joined(list,
			      i && i + 1 == m->n ? " and "
			      : i		 ? ", "
						 : "",
			      m->one[i].name);
	if (*y)
		return joined(y, " by ", x, names ? ": " : "", list);
	return joined(names ? list : formatted("%u lines", m->n), " by ", x);
}

#define NAME_COLUMNS 24u
#define NAME_HEIGHT (15 * PX)

/* Draws the name of line i after a sample of the line, cut to `most` columns. */
static void
draw_name(const struct line *m, struct buf *b, uint32_t i, int64_t x, int64_t y,
	  size_t most)
{
	svg_sample(b, i, x, y);
	svg_text(b, x + SVG_SAMPLE + 5 * PX, y + 4 * PX, "", SVG_START, m->one[i].name,
		 most);
}

/* Returns the width of names at the ends of lines, or 0 if there is no room for them. */
static int64_t
ends_width(const struct line *m, unsigned w, unsigned h)
{
	int64_t wide = 0;

	for (uint32_t i = 0; i < m->n; i++) {
		int64_t one = svg_width(m->one[i].name, NAME_COLUMNS);

		wide = one > wide ? one : wide;
	}
	wide += SVG_SAMPLE + 20 * PX;
	return wide > (int64_t)w * PX / 4 ||
		       (int64_t)(h - 130) * PX < (int64_t)m->n * NAME_HEIGHT
		   ? 0
		   : wide;
}

/* Draws the names at the ends of lines, as near to the last points as there is room. */
static void
draw_ends(const struct line *m, struct buf *b, const struct frame *f)
{
	int64_t y[LINES], last = f->bottom;
	uint32_t order[LINES], n = 0;

	for (uint32_t i = 0; i < m->n; i++) {
		const struct one *o = &m->one[i];
		int64_t at = o->n ? line_at(&m->ay, o->v[o->n - 1].last.y) : f->bottom;
		uint32_t k = n++;

		for (; k && y[k - 1] > at; k--) {
			y[k] = y[k - 1];
			order[k] = order[k - 1];
		}
		y[k] = at;
		order[k] = i;
	}
	for (uint32_t k = 1; k < n; k++)
		y[k] = y[k] < y[k - 1] + NAME_HEIGHT ? y[k - 1] + NAME_HEIGHT : y[k];
	for (uint32_t k = n; k-- > 0; last = y[k] - NAME_HEIGHT)
		y[k] = y[k] > last ? last : y[k];
	for (uint32_t k = 0; k < n; k++)
		draw_name(m, b, order[k], f->right + 8 * PX, y[k], NAME_COLUMNS);
}

/* Draws the names below the picture: in one row, or in two rows of four. */
static void
draw_names(const struct line *m, struct buf *b, const struct frame *f)
{
	int64_t x = f->left, y = f->bottom + 60 * PX, room = f->right - f->left;
	uint32_t n = m->n > 4 ? (m->n + 1) / 2 : m->n;
	int64_t most = (room / n - SVG_SAMPLE - 22 * PX) / (SVG_COLUMN * PX / 10);

	most = most > 24 ? 24 : most < 3 ? 3 : most;
	for (uint32_t i = 0; i < m->n; i++) {
		if (i == n) {
			x = f->left;
			y += 17 * PX;
		}
		draw_name(m, b, i, x, y, (size_t)most);
		x += svg_width(m->one[i].name, (size_t)most) + SVG_SAMPLE + 22 * PX;
	}
}

static void
axes_set(struct line *m, const struct plot *p)
{
	line_axis(&m->ax, p, 'x', !m->run);
	line_axis(&m->ay, p, 'y', false);
}

static void
line_svg(struct plot *p, struct buf *b)
{
	struct line *m = p->state;
	unsigned w = p->opts.w ? p->opts.w : 960, h = frame_height(p, 480);
	int64_t ends = ends_width(m, w, h);
	struct frame f = {frame_left(p), (w - (ends ? 0 : 40)) * PX - ends,
			  frame_top(p, 78, 8), (h - (ends ? 52 : 84)) * PX};
	const char *name = *m->ax.name ? m->ax.name : "x", *said;
	struct tick_list t;

	for (uint32_t i = 0; p->coarse && i < m->n; i++)
		line_halve(&m->one[i]);
	axes_set(m, p);
	/* Shares and counts are easier to compare from 0 on. */
	if (!m->ay.log && m->ay.lo > 0 && m->ay.lo < m->ay.hi)
		m->ay.lo = 0;
	m->ax.from = f.left;
	m->ax.to = f.right;
	m->ay.from = f.bottom;
	m->ay.to = f.top;
	said = joined(m->ax.log ? "x " : "", m->ax.log && m->ay.log ? "and " : "",
		      m->ay.log ? "y " : "", m->ax.log || m->ay.log ? "logarithmic" : "");
	frame_begin(p, b, w, h, line_title(m), said);
	svg_rect(b, "f", f.left, f.top, f.right - f.left, f.bottom - f.top);
	if (m->ax.unit == Q_DATE)
		name = date_ticks(m, &t, w / 120);
	else
		line_ticks(&m->ax, 2 + w / 120, &t);
	draw_axis(m, b, &f, &m->ax, &t);
	line_ticks(&m->ay, h / 60, &t);
	draw_axis(m, b, &f, &m->ay, &t);
	for (uint32_t i = 0; i < m->n; i++)
		draw_line(m, b, i);
	svg_text(b, (f.left + f.right) / 2, f.bottom + 38 * PX, "t", SVG_MIDDLE, name, 80);
	if (*m->ay.name)
		frame_y(b, &f, m->ay.name);
	marks_svg(p, b, &f);
	if (ends)
		draw_ends(m, b, &f);
	else
		draw_names(m, b, &f);
}

static const char *
line_mark(const struct plot *p, const struct frame *f, const struct slice_time *at,
	  int64_t *x)
{
	const struct line *m = p->state;
	double v = (double)at->num.whole + at->num.nano / 1e9;

	(void)f;
	v = at->num.neg ? -v : v;
	if (at->date != (m->ax.unit == Q_DATE))
		return at->date ? "a date, and x has none" : "a date is expected, as x has";
	if (at->date)
		v = (double)at->ns - (double)m->base;
	if (v < m->ax.lo || v > m->ax.hi)
		return "x has no such value";
	*x = line_at(&m->ax, v);
	return NULL;
}

static void
line_terminal(struct plot *p, struct screen *t)
{
	struct line *m = p->state;
	unsigned at = 12, w = t->w - at - 2, h = t->h;
	struct raster r = {.w = w, .h = h, .ink = line_ink, .letters = true};
	uint32_t n;

	axes_set(m, p);
	m->ax.from = m->ay.to = 0;
	m->ax.to = (int64_t)w - 1;
	m->ay.from = (int64_t)h - 1;
	/* First a bit for each line in a cell. */
	r.c = draw_room((size_t)w * h, 1);
	for (uint32_t i = 0; i < m->n; i++) {
		const struct point *v = points_of(&m->one[i], &n);

		for (uint32_t k = 0; k < n; k++)
			r.c[(size_t)line_at(&m->ay, v[k].y) * w +
			    (size_t)line_at(&m->ax, v[k].x)] |= (uint8_t)(1u << i);
	}
	/* Lines in one cell take turns, column by column. */
	for (size_t i = 0; i < (size_t)w * h; i++) {
		unsigned turn, k = 0;

		n = 0;
		for (unsigned c = r.c[i]; c; c &= c - 1)
			n++;
		for (turn = n ? (unsigned)(i % w) % n : 0; n; k++)
			if (r.c[i] >> k & 1 && !turn--)
				break;
		r.c[i] = (uint8_t)(n ? k + 1 : 0);
	}
	screen_title(t, line_title(m));
	raster_edges(&r);
	r.left[0] = line_number(&m->ay, 0, m->ay.hi);
	r.left[h - 1] = line_number(&m->ay, 0, m->ay.lo);
	raster_screen(&r, p, t, at, w, 0);
	screen_foot(t, at, w, end_text(m, &m->ax, m->ax.lo), end_text(m, &m->ax, m->ax.hi));
	marks_screen(p, t, at, w);
	for (uint32_t i = 0; i < m->n; i++)
		screen_item(t, colour_dark[i], line_ink[i].letter, m->one[i].name, "");
	screen_end(t);
}

static void
line_bins(struct plot *p, struct table *t)
{
	const struct line *m = p->state;
	char date[DATE_TEXT];

	bins_head(t, "line", "x", "y");
	for (uint32_t i = 0; i < m->n; i++) {
		uint32_t n;
		const struct point *v = points_of(&m->one[i], &n);

		for (uint32_t k = 0; k < n; k++) {
			table_name(t, m->one[i].name);
			if (m->ax.unit == Q_DATE) {
				date_text((uint64_t)(m->base + (int64_t)v[k].x), false,
					  true, date);
				table_text(t, date);
			} else
				value_double(table_cell(t), v[k].x);
			value_double(table_cell(t), v[k].y);
			table_row(t);
		}
	}
}

static void
line_free(struct plot *p)
{
	struct line *m = p->state;

	for (uint32_t i = 0; i < LINES; i++)
		free(m->one[i].v);
}

const struct plot_kind kind_line = {
    .name = "line",
    .about = "lines through the numbers of tables: x in a column, y in others",
    .key = "",
    .log = "xy",
    .linear = "xy",
    .why = "has x and y",
    .mark = line_mark,
    .read = line_read,
    .open = line_open,
    .svg = line_svg,
    .terminal = line_terminal,
    .bins = line_bins,
    .free = line_free,
};
