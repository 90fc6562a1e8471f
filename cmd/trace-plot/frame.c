/* frame.c - what all pictures share: titles, and the axes of time and of values. */
#include <stdlib.h>
#include <string.h>

#include "event/value.h"
#include "trace-plot/plot_clock.h"
#include "trace-plot/plot.h"

/* Returns a length of time as axes have it: without trailing zeros. */
static const char *
length_text(const struct plot *p, uint64_t length)
{
	const char *s = scale_found(time_unit(p), length), *unit = strrchr(s, ' ');
	int n = (int)(unit - s);

	while (strchr(s, '.') && s[n - 1] == '0')
		n--;
	return formatted("%.*s%s", n - (s[n - 1] == '.'), s, unit);
}

static uint64_t
magnitude(int64_t v)
{
	return v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
}

#define DAY UINT64_C(86400000000000)

/* Returns whether ticks at a distance of `step` are in days, because numbers of seconds up to `most` would be
 * long. */
static bool
in_days(uint64_t step, uint64_t most)
{
	return step >= DAY / 100 && most >= 100 * DAY;
}

/* Returns a time as exactly as ticks at a distance of `step` need it, in the largest unit below `most` that
 * needs at most two decimals. */
static const char *
time_in_units(const struct plot *p, int64_t time, uint64_t step, uint64_t most)
{
	static const char *const unit[] = {" ns", " us", " ms", " s", " d"};
	bool ns = p->clock == CLOCK_NS;
	unsigned u = 0, part;
	uint64_t of = 1, v = ns ? magnitude(time) : (uint64_t)time;

	while (ns && u < 3 && step >= of * 10 && most >= of * 1000) {
		of *= 1000;
		u++;
	}
	if (ns && in_days(step, most)) {
		of = DAY;
		u = 4;
	}
	v = add_most(v, of / 200);
	part = of >= 100 && (u < 4 || step < DAY) ? (unsigned)(v % of / (of / 100)) : 0;
	return joined(ns && time < 0 ? "−" : "", scaled(SCALE_EXACT, v / of),
		      !part	  ? ""
		      : part % 10 ? formatted(".%02u", part)
				  : formatted(".%u", part / 10),
		      !ns ? ""
		      : v ? unit[u]
			  : " s");
}

bool
plot_dated(const struct plot *p)
{
	const struct head head = {.clock = p->clock, .origin = p->origin};

	return !p->opts.absolute || !p->any || head_dated(&head);
}

static bool
by_clock(const struct plot *p)
{
	return p->opts.absolute && plot_dated(p);
}

const char *
time_text(const struct plot *p, int64_t time)
{
	uint64_t step = ((uint64_t)p->last - (uint64_t)p->first) / 100 + 1;

	time ^= p->flip;
	if (by_clock(p))
		return clock_full(time_plus(CLOCK_NS, time, p->origin), step);
	return time_in_units(p, time, step, p->clock == CLOCK_NS ? magnitude(time) : 0);
}

const char *
far_text(const struct plot *p, int64_t time)
{
	if (by_clock(p))
		return clock_full(time_plus(CLOCK_NS, time, p->origin), 1000000000);
	if (p->clock == CLOCK_NS)
		return joined(time < 0 ? "−" : "+", scaled(SCALE_TIME, magnitude(time)));
	return scaled(SCALE_EXACT, (uint64_t)(time ^ p->flip));
}

uint64_t
span_of(const struct plot *p)
{
	uint64_t range = (uint64_t)p->last - (uint64_t)p->first;

	return range + (range != UINT64_MAX);
}

unsigned
frame_height(const struct plot *p, unsigned h)
{
	h = p->opts.h ? p->opts.h : h;
	return p->opts.h && p->opts.caption ? h - 20 : h;
}

void
frame_y(struct buf *b, const struct frame *f, const char *name)
{
	svg_text_turned(b, 14 * PX, (f->top + f->bottom) / 2, "t", SVG_MIDDLE, name,
			(size_t)((f->bottom - f->top) / (SVG_COLUMN * PX / 10)));
}

void
frame_begin(const struct plot *p, struct buf *b, unsigned w, unsigned h, const char *title,
	    const char *cell)
{
	const char *line =
	    joined(scaled(SCALE_EXACT, p->events), " ", events_of(p, p->events));
	unsigned left = frame_narrow(p) ? 8 : 24, wide = (w - 2 * left) * 10;
	uint32_t n = p->sources.n;

	title = p->opts.title ? p->opts.title : title;
	if (n)
		line = joined(p->sources.v[*names_order(&p->sources, n)].s,
			      n > 1 ? joined(" and ", scaled(SCALE_EXACT, n - 1), " more")
				    : "",
			      " · ", line);
	if (!p->kind->read)
		line = joined(line, " · ", length_text(p, span_of(p)),
			      p->kind->lasts && !p->points ? " to the last end" : "");
	if (*cell)
		line = joined(line, " · ", cell);
	svg_begin(b, w, p->opts.caption ? h + 20 : h, &p->opts.paper, p->opts.theme, title,
		  line);
	if (p->opts.caption)
		svg_text(b, left * PX, (h + 8) * PX, "s", SVG_START, p->opts.caption,
			 wide / SVG_COLUMN);
	if (p->opts.plain)
		return;
	svg_text(b, left * PX, 32 * PX, "h", SVG_START, title, wide / 116);
	svg_text(b, left * PX, 52 * PX, "s", SVG_START, line, wide / SVG_COLUMN);
	if (p->note)
		svg_text(b, left * PX, 67 * PX, "t", SVG_START, p->note, wide / 60);
}

int64_t
frame_x(const struct plot *p, const struct frame *f, int64_t time)
{
	uint64_t at = (uint64_t)time - (uint64_t)p->first;

	return f->left + (int64_t)scale_of(at, span_of(p), (uint64_t)(f->right - f->left));
}

/* Ticks of an axis of time. */
struct ticks {
	uint64_t step, at; /* at: the first tick, counted from the first event */
	uint64_t most;	   /* greatest time that is written */
	int64_t from;	   /* the time that is written at the first event */
	bool away;	   /* times count from the first event */
};

static struct ticks
time_ticks(const struct plot *p, unsigned n)
{
	int64_t first = p->first ^ p->flip, last = p->last ^ p->flip;
	bool ns = p->clock == CLOCK_NS;
	uint64_t range = span_of(p), a = ns ? magnitude(first) : (uint64_t)first,
		 b = ns ? magnitude(last) : (uint64_t)last, far = a < b ? a : b;
	struct ticks t = {.most = a < b ? b : a, .from = first};

	if (ns && (first < 0) != (last < 0))
		far = 0;
	/* Long numbers need room, and days have few digits. */
	if (t.most >= 100000000000000000u && (!ns || by_clock(p) || range < 100 * DAY))
		n /= 2;
	n = n ? n : 1;
	if (by_clock(p)) {
		t.from = time_plus(CLOCK_NS, first, p->origin);
		t.step = clock_step(range, n);
		t.at = clock_first(t.from, t.step);
		return t;
	}
	t.step = scale_step(SCALE_TIME, range, n);
	/* Times of ten digits are hard to read: then times count from the first event. */
	t.away = far / 1000 > t.step && far > range;
	if (t.away) {
		t.most = range;
		t.from = 0;
	}
	if (ns && in_days(t.step, t.most))
		t.step = DAY / 100 * scale_step(SCALE_COUNT, range / (DAY / 100), n);
	if (!t.away && a % t.step)
		t.at = ns && first < 0 ? a % t.step : t.step - a % t.step;
	return t;
}

static const char *
tick_text(const struct plot *p, const struct ticks *t, uint64_t at)
{
	int64_t time = (int64_t)((uint64_t)t->from + at);

	return by_clock(p) ? clock_tick(time, t->step)
			   : time_in_units(p, time, t->step, t->most);
}

/* Draws the label of the first time, or of the last one. Returns where the first label ends, or where the last
 * one begins. */
static int64_t
frame_end(const struct plot *p, struct buf *b, const struct frame *f, const struct ticks *t,
	  bool last)
{
	uint64_t range = (uint64_t)p->last - (uint64_t)p->first;
	const char *text = tick_text(p, t, last ? range : 0);
	int64_t half = svg_width(text, 30) / 2, x = last ? f->right : f->left;

	/* A tick has this label. */
	if (!last ? !t->at : range >= t->at && (range - t->at) % t->step == 0)
		return last ? INT64_MAX / 2 : 0;
	x = last       ? x + half > f->right + 12 * PX ? f->right + 12 * PX - half : x
	    : x < half ? half
		       : x;
	svg_text(b, x, f->bottom + 18 * PX, TICK_END, SVG_MIDDLE, text, 30);
	return last ? x - half : x + half;
}

/* Returns the name of the axis of time. */
static const char *
axis_of_time(const struct plot *p, const struct ticks *t)
{
	struct buf first = {0};

	if (by_clock(p))
		return clock_label(
		    t->from, time_plus(CLOCK_NS, p->last ^ p->flip, p->origin), t->step);
	if (!t->away)
		put_all(&first, "the origin of the trace");
	else if (p->clock == CLOCK_NS)
		value_time(&first, p->clock, p->first);
	else
		put_all(&first, scaled(SCALE_EXACT, (uint64_t)(p->first ^ p->flip)));
	return joined(p->clock == CLOCK_NS ? "time since " : "ticks since ",
		      draw_text(&first), t->away && p->clock == CLOCK_NS ? " s" : "");
}

void
frame_time(const struct plot *p, struct buf *b, const struct frame *f, bool grid)
{
	uint64_t range = span_of(p), at;
	unsigned most = (unsigned)((f->right - f->left) / (110 * PX));
	struct ticks t = time_ticks(p, most < 4 ? 4 : most);
	unsigned i = 0;
	int64_t end, last = frame_end(p, b, f, &t, true);

	/* Two strokes on the left and on the right, if events there are not shown. */
	for (unsigned k = 0; k < 4; k++) {
		int64_t x = (k < 2 ? f->left - 7 * PX : f->right + PX) + k % 2 * 3 * PX;

		if (p->beyond[k / 2].n)
			svg_line(b, "w p9", x, f->bottom + 4 * PX, x + 3 * PX,
				 f->bottom - 4 * PX);
	}
	end = frame_end(p, b, f, &t, false);
	for (at = t.at;
	     at < range && i++<100; at = at> UINT64_MAX - t.step ? range : at + t.step) {
		int64_t x = frame_x(p, f, (int64_t)((uint64_t)p->first + at));
		const char *text = tick_text(p, &t, at);
		int64_t half = svg_width(text, 30) / 2;

		if (grid)
			svg_line(b, "g", x, f->top, x, f->bottom);
		else
			svg_line(b, "a", x, f->bottom, x, f->bottom + 4 * PX);
		/* Skip a label that would overlap the previous one, or the label at the end. */
		if (x - half < end + 4 * PX || x + half > last - 4 * PX)
			continue;
		end = x + half;
		svg_text(b, x, f->bottom + 18 * PX, "t n", SVG_MIDDLE, text, 30);
	}
	svg_text(b, (f->left + f->right) / 2, f->bottom + 38 * PX, "t", SVG_MIDDLE,
		 axis_of_time(p, &t), 200);
}

void
frame_mark(struct buf *b, const struct frame *f, int64_t y, const char *style,
	   const char *text)
{
	svg_line(b, "g", f->left, y, f->right, y);
	svg_text(b, f->left - 8 * PX, y + 4 * PX, style, SVG_END, text, 20);
}

int64_t
lanes_height(const struct plot *p, uint32_t n, int64_t other)
{
	int64_t room = frame_height(p, 0) * PX - other;

	if (p->opts.h && n)
		return room > n * PX ? room / n : PX;
	return (n <= 4 ? 54 : n <= 8 ? 36 : n <= 16 ? 26 : n <= 32 ? 18 : 12) * PX;
}

const char *
lane_name(const struct plot *p, const struct lane *lane)
{
	return lanes_name(lane, &p->row, p->words->place, p->words->places);
}

int64_t
lanes_width(const struct plot *p, const struct lane *lane, uint32_t n)
{
	int64_t wide = 58 * PX;

	for (uint32_t l = 0; l < n; l++) {
		int64_t w = svg_width(lane_name(p, &lane[l]), LANE_NAME);

		wide = w > wide ? w : wide;
	}
	return 34 * PX + wide;
}

struct time_columns
columns_of(const struct bins *b, uint32_t most)
{
	struct time_columns c = {0};

	do {
		c.lo = b->lo >> c.shift;
		c.n = (uint32_t)((b->hi >> c.shift) - c.lo) + 1;
	} while (c.n > most && c.shift < 62 && ++c.shift);
	c.width = b->k + c.shift > 63 ? UINT64_MAX : 1ull << (b->k + c.shift);
	return c;
}

const char *
column_text(const struct plot *p, const struct time_columns *c, uint32_t i)
{
	return time_text(p, i ? (int64_t)((uint64_t)(c->lo + i) * c->width) : p->first);
}

const char *
share_text(uint64_t v, uint64_t all)
{
	unsigned tenths = (unsigned)scale_of(v < all ? v : all, all, 1000);

	return tenths < 10 && tenths ? formatted("0.%u %%", tenths)
				     : formatted("%u %%", (tenths + 5) / 10);
}

uint64_t
columns_sum(const struct bins *b, const struct time_columns *c, uint32_t i, uint32_t slot)
{
	int64_t from = (int64_t)((uint64_t)(c->lo + i) << c->shift);
	int64_t to = from + ((1ll << c->shift) - 1);
	uint64_t sum = 0;

	from = from < b->lo ? b->lo : from;
	to = to > b->hi ? b->hi : to;
	for (int64_t k = from, more = from <= to; more; more = k < to, k += more)
		sum = add_most(sum, bins_at(b, k)[slot]);
	return sum;
}

void
frame_window(const struct plot *p, struct buf *b, const struct frame *f,
	     const struct time_columns *c, int64_t high, int64_t margin)
{
	/* Parts of the first and the last column are outside of the window. */
	uint64_t before = (uint64_t)p->first - (uint64_t)c->lo * c->width;
	uint64_t all = c->width > UINT64_MAX / c->n ? UINT64_MAX : c->width * c->n;
	int64_t w = (int64_t)scale_of(span_of(p), all, c->n * PX);
	int64_t box = f->right > f->left ? f->right - f->left : 1, more;

	w = w ? w : 1;
	more = (margin * w + box / 2) / box;
	svg_window(b, f->left - margin, f->top, box + 2 * margin, f->bottom - f->top,
		   (int64_t)scale_of(before, c->width, PX) - more, w + 2 * more, high);
}
