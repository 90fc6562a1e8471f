/* rate_draw.c - draws rates: see rate.h. */
#include <stdlib.h>

#include "trace-plot/rate.h"

/* Returns about 2048 log2(v): a parabola between powers of two, with an error of 1 % of a power of two. */
static uint64_t
log_of(uint64_t v)
{
	uint64_t log = about_log(v), part = log % 2048;

	return log + part * (2048 - part) / 2048 * 344 / 1000;
}

/* Returns how far the number q of the axis is above the bottom, in a panel of height h. */
static int64_t
height_of(const struct rate_panel *a, uint64_t q, int64_t h)
{
	q = q > a->most ? a->most : q;
	if (q < a->least)
		return 0;
	if (a->log)
		return (int64_t)scale_of(log_of(q) - log_of(a->least),
					 log_of(a->most) - log_of(a->least), (uint64_t)h);
	return (int64_t)scale_of(q - a->least, a->most - a->least, (uint64_t)h);
}

/* Which number of the steps in a column is drawn. */
enum step_line {
	MEAN,
	LEAST,
	GREATEST,
};

/* Returns that number for steps [from, to), as a number of the axis. */
static uint64_t
drawing_of(const struct rate_panel *a, uint32_t from, uint32_t to, uint32_t k,
	   enum step_line what)
{
	uint64_t sum = 0, least = UINT64_MAX, most = 0;

	for (uint32_t i = from; i < to; i++) {
		uint64_t v = a->v[i * (COLOURS + 1) + k] << a->fine;

		sum = add_most(sum, v / (to - from));
		least = v < least ? v : least;
		most = v > most ? v : most;
	}
	return what == MEAN ? sum : what == LEAST ? least : most;
}

/* Appends a line over all columns, from left to right; with `back`, from right to left, as the continuation of
 * a path. */
static void
draw_step_line(const struct rate_panel *a, const struct plot *p, struct buf *b,
	       const struct frame *f, uint32_t k, enum step_line what, bool back)
{
	int64_t last = -1;

	for (uint32_t i = 0; i < a->ncolumns; i++) {
		uint32_t c = back ? a->ncolumns - 1 - i : i;
		uint64_t v = drawing_of(a, a->column[c], a->column[c + 1], k, what);
		int64_t y = f->bottom - height_of(a, v, f->bottom - f->top);
		uint64_t at = rate_begin_of(a, p, a->column[c + back]);

		if (y == last)
			continue;
		if (!i && !back)
			svg_point(b, 'M', f->left, y);
		else {
			if (i)
				svg_to(b, 'H',
				       frame_x(p, f, (int64_t)((uint64_t)p->first + at)));
			svg_to(b, 'V', y);
		}
		last = y;
	}
	svg_to(b, 'H', back ? f->left : f->right);
}

/* Draws a name: a line of the mean, and below it an area, or, if steps are joined, a band from the smallest to
 * the greatest step. */
static void
draw_name(const struct rate_panel *a, const struct plot *p, struct buf *b,
	  const struct frame *f, uint32_t k)
{
	if (i128_zero(a->total[k]))
		return;
	svg_path(b, "c%u q", a->legend->colour[k]);
	draw_step_line(a, p, b, f, k, GREATEST, false);
	if (a->ncolumns < a->n)
		draw_step_line(a, p, b, f, k, LEAST, true);
	else {
		svg_to(b, 'V', f->bottom);
		svg_to(b, 'H', f->left);
	}
	buf_byte(b, 'z');
	svg_path_end(b, joined(formatted("%.120s · ", legend_name(a->legend, p, k)),
			       scale_sum(a->unit, a->total[k]), " in all"));
	svg_path(b, "w l%u", a->legend->colour[k]);
	draw_step_line(a, p, b, f, k, MEAN, false);
	svg_path_end(b, NULL);
}

/* Draws the y axis. */
static void
axis(const struct rate_panel *a, struct buf *b, const struct frame *f)
{
	uint64_t least = rate_at(a, a->least), most = rate_at(a, a->most), r;
	int64_t h = f->bottom - f->top, last = -1, first = INT64_MAX;
	uint64_t step = scale_step(a->unit, most > least ? most - least : 1,
				   h > 5 * 26 * PX   ? 5
				   : h > 2 * 26 * PX ? (unsigned)(h / (26 * PX))
						     : 2);
	uint64_t one = a->unit == SCALE_NANO ? 1000000000 : 1;
	unsigned turn = 0;

	for (r = a->log ? 1 : least / step * step; r <= most; turn = (turn + 1) % 3) {
		const struct plot_limit rate = {true, r / one, (uint32_t)(r % one)};
		int64_t y = height_of(a, rate_axis(a, rate), h);

		if (r >= least && (last < 0 || y - last > 12 * PX)) {
			first = last < 0 ? y : first;
			frame_mark(b, f, f->bottom - y, TICK, rate_text(a, r));
			last = y;
		}
		if (r > UINT64_MAX / 5 || (!a->log && r > UINT64_MAX - step))
			break;
		r = !a->log				 ? r + step
		    : scale_binary(a->unit) || turn != 1 ? r * 2
							 : r / 2 * 5;
	}
	/* Both ends have a number. */
	if (h - last > 12 * PX)
		frame_mark(b, f, f->top, TICK_END, rate_text(a, most));
	if (first > 12 * PX)
		frame_mark(b, f, f->bottom, TICK_END, rate_text(a, least));
}

static void
panel_svg(const struct rate_panel *a, const struct plot *p, struct buf *b,
	  const struct frame *f, const char *what)
{
	uint64_t range = (uint64_t)p->last - (uint64_t)p->first, span = range ? range : 1;
	int64_t y = f->top + 15 * PX, each;
	uint32_t n = a->legend->n + a->legend->others;

	each = (f->bottom - f->top) / (n ? n : 1);
	each = each > 19 * PX ? 19 * PX : each < 12 * PX ? 12 * PX : each;

	axis(a, b, f);
	svg_text(b, f->left, f->top - 12 * PX, "", SVG_START, what, 120);
	/* The first names are above the others. */
	for (uint32_t k = n; k-- > 0;)
		draw_name(a, p, b, f, k);
	for (uint32_t k = 0; k < n && !frame_narrow(p); k++) {
		const char *name = legend_name(a->legend, p, k);

		if (i128_zero(a->total[k]) || y > f->bottom + 4 * PX)
			continue;
		svg_sample(b, a->legend->colour[k], f->right + 6 * PX, y - 4 * PX);
		svg_text(b, f->right + (10 * PX + SVG_SAMPLE), y, "", SVG_START, name, 10);
		if (a->per.seconds && (15 * PX + each) * n <= f->bottom - f->top) {
			svg_text(b, f->right + 8 * PX, y + 15 * PX, "t n", SVG_START,
				 joined("ø ", rate_text(a, rate_of(a, a->total[k], span))),
				 20);
			y += 15 * PX;
		}
		y += each;
	}
}

/* Returns the length of steps, or of the columns that steps are joined to. */
static const char *
steps_text(const struct rate_panel *a, const struct plot *p)
{
	const char *step = scaled(time_unit(p), a->step);

	return joined(a->ncolumns < a->n
			  ? joined("lines: mean of ", scaled(time_unit(p), a->wide),
				   ", bands: smallest to greatest ", step)
			  : joined("steps of ", step),
		      /* Steps are wider than --step. */
		      p->bins.k && p->opts.step
			  ? formatted(" (--step would make more than %u)", RATE_BINS)
			  : "");
}

/* Returns what a panel shows, and its greatest step if a mean hides it. */
static const char *
panel_name(const struct rate_panel *a, const struct plot *p)
{
	bool hidden = a->ncolumns < a->n && a->column;

	return joined(!a->bytes			? p->words->events
		      : rate_sent(p, p->traits) ? "bytes sent"
						: "bytes",
		      a->per.seconds	   ? a->per.words
		      : p->last > p->first ? " in each step"
					   : " at one time",
		      !hidden && a->most >> a->fine >= a->greatest
			  ? ""
			  : joined(", at most ", rate_text(a, a->highest), " in ",
				   scaled(time_unit(p), a->step)));
}

void
rate_svg(struct plot *p, struct buf *b)
{
	unsigned w = p->opts.w ? p->opts.w : 960, h, n;
	struct rate_panel a[2];
	struct legend l;
	struct frame f = {.left = frame_left(p),
			  .right = (w - (frame_narrow(p) ? 12 : 110)) * PX};
	const char *bytes = "";
	int64_t each, top = frame_top(p, 98, 26), below = 54 * PX;

	n = rate_panels(a, p, &l);
	below += frame_narrow(p) ? legend_high(&l, p, w * PX - f.left, NULL) : 0;
	h = frame_height(p, n * 200 + (unsigned)((top + below) / PX) - 42);
	each = (h * PX - top - below + 42 * PX) / n;
	if (a[0].bytes)
		bytes = joined(scale_sum(SCALE_BYTES, a[0].all),
			       rate_sent(p, p->traits) ? " sent · " : " · ");
	for (unsigned i = 0; i < n; i++)
		rate_columns(&a[i], p, &f);
	frame_begin(p, b, w, h,
		    n == 2 && p->words->moves
			? p->words->moves
			: joined("How fast ", p->words->of, p->words->events, " come",
				 n == 2 ? ", and what they move" : ""),
		    joined(bytes, steps_text(&a[0], p)));
	for (unsigned i = 0; i < n; i++) {
		f.top = top + i * each;
		f.bottom = f.top + each - 42 * PX;
		panel_svg(&a[i], p, b, &f, panel_name(&a[i], p));
		marks_svg(p, b, &f);
	}
	frame_time(p, b, &f, false);
	if (frame_narrow(p))
		legend_svg(&l, p, b, f.left, w * PX, f.bottom + 58 * PX, NULL);
}

/* Appends a Braille character, two dots wide and four high: the bits of U+2800. */
static void
braille(struct screen *t, unsigned left, unsigned right)
{
	static const uint8_t l[] = {0, 0x40, 0x44, 0x46, 0x47},
			     r[] = {0, 0x80, 0xa0, 0xb0, 0xb8};
	unsigned c = l[left] | r[right];
	char text[4] = {(char)0xe2, (char)(0xa0 | c >> 6), (char)(0x80 | (c & 63)), 0};

	screen_put(t, text);
}

/* Returns for each of n equal parts of the time the greatest sum of all names in its steps. */
static uint64_t *
dots(const struct rate_panel *a, const struct plot *p, uint32_t n)
{
	uint64_t *to = draw_room(n, sizeof *to), span = span_of(p);

	for (uint32_t i = 0; i < a->n; i++) {
		uint64_t at = scale_of(rate_begin_of(a, p, i), span, n), end = n, sum = 0;

		if (i + 1 < a->n)
			end = scale_of(rate_begin_of(a, p, i + 1), span, n);
		at = at < n ? at : n - 1;
		end = end > at ? end : at + 1;
		for (uint32_t k = 0; k <= COLOURS; k++)
			sum = add_most(sum, a->v[i * (COLOURS + 1) + k]);
		for (; at < end; at++)
			to[at] = sum > to[at] ? sum : to[at];
	}
	return to;
}

static void
panel_terminal(struct rate_panel *a, struct plot *p, struct screen *t)
{
	unsigned at = 12, w = t->w - at - 2, lines = t->h * 2 / 3, per = t->utf8 ? 2 : 1;
	uint64_t *sum = dots(a, p, w * per), most = 1;

	for (unsigned i = 0; i < w * per; i++)
		most = sum[i] > most ? sum[i] : most;
	a->highest = rate_of(a, rate_number(a, most), a->step);
	screen_title(t,
		     joined(panel_name(a, p),
			    a->n > w * per ? ", the greatest of steps of " : ", steps of ",
			    scaled(time_unit(p), a->step)));
	for (unsigned y = lines; y-- > 0;) {
		screen_axis(t,
			    y == lines - 1 ? rate_text(a, a->highest)
			    : !y	   ? rate_text(a, 0)
					   : NULL,
			    at);
		screen_colour(t, colour_dark[0]);
		for (unsigned x = 0; x < w; x++) {
			unsigned dot[2] = {0};

			for (unsigned k = 0; k < per; k++) {
				uint64_t v = scale_of(sum[x * per + k], most, lines * 4);

				v = !v && sum[x * per + k] ? 1 : v;
				dot[k] = v <= y * 4	  ? 0
					 : v >= y * 4 + 4 ? 4
							  : (unsigned)v - y * 4;
			}
			if (t->utf8)
				braille(t, dot[0], dot[1]);
			else
				screen_put(t, dot[0] > 2 ? "#" : dot[0] ? "." : " ");
		}
		screen_end(t);
	}
}

/* Prints the totals of names, without letters or colours, because the picture does not distinguish names. */
static void
put_totals(const struct rate_panel *a, const struct plot *p, struct screen *t)
{
	const char *between = "";
	struct buf text = {0};

	for (uint32_t k = 0; k < a->legend->n + a->legend->others; k++)
		if (!i128_zero(a->total[k])) {
			put_all(&text, between, legend_name(a->legend, p, k), " ",
				scale_sum(a->unit, a->total[k]));
			between = ", ";
		}
	put_all(&text, " in all");
	screen_title(t, draw_text(&text));
}

void
rate_terminal(struct plot *p, struct screen *t)
{
	struct rate_panel a[2];
	struct legend l;
	unsigned n = rate_panels(a, p, &l);

	for (unsigned i = 0; i < n; i++)
		panel_terminal(&a[i], p, t);
	screen_time(p, t, 12, t->w - 14);
	for (unsigned i = 0; i < n; i++)
		put_totals(&a[i], p, t);
}
