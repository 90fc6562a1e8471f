/* frame.c - what all pictures share: titles, and the axes of time and of values. */
#include <stdlib.h>
#include <string.h>

#include "event/value.h"
#include "trace-plot/plot_clock.h"
#include "trace-plot/plot.h"

/* Appends a length of time as axes have it: without trailing zeros. */
static void
put_span(struct buf *b, const struct plot *p, uint64_t span)
{
	struct buf text = {0};
	const char *s, *unit;
	size_t n;

	scale_found(&text, time_unit(p), span, "");
	s = buf_text(&text);
	unit = strrchr(s, ' ');
	n = (size_t)(unit - s);
	if (strchr(s, '.'))
		while (s[n - 1] == '0')
			n--;
	buf_add(b, s, n - (s[n - 1] == '.'));
	put_all(b, unit);
	buf_free(&text);
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

/* Appends a time as exactly as ticks at a distance of `step` need it, in the largest unit below `most` that
 * needs at most two decimals. */
static void
put_tick(struct buf *b, const struct plot *p, int64_t time, uint64_t step, uint64_t most)
{
	static const char *const unit[] = {" ns", " us", " ms", " s", " d"};
	unsigned u = 0;
	uint64_t of = 1, v = p->clock == CLOCK_TICKS ? (uint64_t)time : magnitude(time),
		 part;

	if (p->clock == CLOCK_NS && time < 0)
		put_all(b, "−");
	while (p->clock == CLOCK_NS && u < 3 && step >= of * 10 && most >= of * 1000) {
		of *= 1000;
		u++;
	}
	if (p->clock == CLOCK_NS && in_days(step, most)) {
		of = DAY;
		u = 4;
	}
	v = add_most(v, of / 200);
	scale_put_commas(b, v / of);
	part = of >= 100 && (u < 4 || step < DAY) ? v % of / (of / 100) : 0;
	if (part)
		put_format(b, ".%0*u", part % 10 ? 2 : 1,
			   (unsigned)(part % 10 ? part : part / 10));
	if (p->clock == CLOCK_NS)
		put_all(b, v ? unit[u] : " s");
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

void
put_time(struct buf *b, const struct plot *p, int64_t time)
{
	uint64_t range = (uint64_t)p->last - (uint64_t)p->first;

	time ^= p->flip;
	if (by_clock(p)) {
		clock_full(b, time_plus(CLOCK_NS, time, p->origin), range / 100 + 1);
		return;
	}
	put_tick(b, p, time, range / 100 + 1, p->clock == CLOCK_NS ? magnitude(time) : 0);
}

void
put_far(struct buf *b, const struct plot *p, int64_t time)
{
	if (by_clock(p))
		clock_full(b, time_plus(CLOCK_NS, time, p->origin), 1000000000);
	else if (p->clock == CLOCK_NS)
		put_all(b, time < 0 ? "−" : "+", scaled(SCALE_TIME, magnitude(time)));
	else
		scale_put_commas(b, (uint64_t)(time ^ p->flip));
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
frame_begin(const struct plot *p, struct buf *b, unsigned w, unsigned h, struct buf *about,
	    struct buf *cell)
{
	struct buf line = {0};
	const char *text, *title = p->opts.title ? p->opts.title : buf_text(about);
	unsigned left = frame_narrow(p) ? 8 : 24;

	if (p->sources.n) {
		uint32_t *order = names_order(&p->sources, p->sources.n);

		put_all(&line, p->sources.v[*order].s);
		if (p->sources.n > 1)
			put_all(&line, " and ", scaled(SCALE_EXACT, p->sources.n - 1),
				" more");
		put_all(&line, " · ");
	}
	put_all(&line, scaled(SCALE_EXACT, p->events), " ", events_of(p, p->events));
	if (!p->kind->read) {
		put_all(&line, " · ");
		put_span(&line, p, span_of(p));
		if (p->kind->lasts && !p->points)
			put_all(&line, " to the last end");
	}
	if (cell->n)
		put_all(&line, " · ", buf_text(cell));
	text = buf_text(&line);
	svg_begin(b, w, p->opts.caption ? h + 20 : h, &p->opts.paper, p->opts.theme, title,
		  text);
	if (p->opts.caption)
		svg_text(b, left * PX, (h + 8) * PX, "s", SVG_START, p->opts.caption,
			 (w - 2 * left) * 10 / SVG_COLUMN);
	if (!p->opts.plain) {
		svg_text(b, left * PX, 32 * PX, "h", SVG_START, title,
			 (w - 2 * left) * 10 / 116);
		svg_text(b, left * PX, 52 * PX, "s", SVG_START, text,
			 (w - 2 * left) * 10 / SVG_COLUMN);
	}
	if (p->note.n && !p->opts.plain)
		svg_text(b, left * PX, 67 * PX, "t", SVG_START, (const char *)p->note.p,
			 (w - 2 * left) * 10 / 60);
	buf_free(&line);
	buf_free(about);
	buf_free(cell);
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

/* Draws the label of the first time, or of the last one. Returns where the first label ends, or where the last
 * one begins. */
static int64_t
frame_end(const struct plot *p, struct buf *b, const struct frame *f, const struct ticks *t,
	  bool last)
{
	uint64_t range = (uint64_t)p->last - (uint64_t)p->first;
	int64_t half, x = last ? f->right : f->left;
	int64_t time = (int64_t)((uint64_t)t->from + (last ? range : 0));
	struct buf text = {0};

	/* A tick has this label. */
	if (!last ? !t->at : range >= t->at && (range - t->at) % t->step == 0)
		return last ? INT64_MAX / 2 : 0;
	if (by_clock(p))
		clock_tick(&text, time, t->step);
	else
		put_tick(&text, p, time, t->step, t->most);
	half = svg_width(buf_text(&text), 30) / 2;
	x = last       ? x + half > f->right + 12 * PX ? f->right + 12 * PX - half : x
	    : x < half ? half
		       : x;
	svg_text(b, x, f->bottom + 18 * PX, TICK_END, SVG_MIDDLE, (char *)text.p, 30);
	buf_free(&text);
	return last ? x - half : x + half;
}

void
frame_time(const struct plot *p, struct buf *b, const struct frame *f, bool grid)
{
	uint64_t range = span_of(p), at;
	unsigned most = (unsigned)((f->right - f->left) / (110 * PX));
	struct ticks t = time_ticks(p, most < 4 ? 4 : most);
	struct buf text = {0};
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
		int64_t x = frame_x(p, f, (int64_t)((uint64_t)p->first + at)), half;
		int64_t time = (int64_t)((uint64_t)t.from + at);

		if (grid)
			svg_line(b, "g", x, f->top, x, f->bottom);
		else
			svg_line(b, "a", x, f->bottom, x, f->bottom + 4 * PX);
		if (by_clock(p))
			clock_tick(&text, time, t.step);
		else
			put_tick(&text, p, time, t.step, t.most);
		half = svg_width(buf_text(&text), 30) / 2;
		/* Skip a label that would overlap the previous one, or the label at the end. */
		if (x - half < end + 4 * PX || x + half > last - 4 * PX)
			continue;
		end = x + half;
		svg_text(b, x, f->bottom + 18 * PX, "t n", SVG_MIDDLE, (char *)text.p, 30);
	}
	text.n = 0;
	if (by_clock(p))
		clock_label(&text, t.from,
			    time_plus(CLOCK_NS, p->last ^ p->flip, p->origin), t.step);
	else {
		put_all(&text, p->clock == CLOCK_NS ? "time since " : "ticks since ");
		if (t.away && p->clock == CLOCK_NS) {
			value_time(&text, p->clock, p->first);
			put_all(&text, " s");
		} else if (t.away)
			scale_put_commas(&text, (uint64_t)(p->first ^ p->flip));
		else
			put_all(&text, "the origin of the trace");
	}
	svg_text(b, (f->left + f->right) / 2, f->bottom + 38 * PX, "t", SVG_MIDDLE,
		 buf_text(&text), 200);
	buf_free(&text);
}

void
frame_mark(struct buf *b, const struct frame *f, int64_t y, const char *style,
	   const char *text)
{
	svg_line(b, "g", f->left, y, f->right, y);
	svg_text(b, f->left - 8 * PX, y + 4 * PX, style, SVG_END, text, 20);
}

void
frame_scale(struct buf *b, const struct frame *f, enum measure_unit unit, uint64_t most,
	    const char *behind)
{
	uint64_t h = (uint64_t)(f->bottom - f->top), ticks = h / (26 * PX), step;

	ticks = ticks > 5 ? 5 : ticks > 2 ? ticks : 2;
	step = scale_step(unit, most ? most : 1, (unsigned)ticks);

	for (uint64_t v = 0;; v = most - v < step ? most : v + step) {
		/* The greatest number has a mark, too, and replaces a mark that is near. */
		if (v == most || !v ||
		    (scale_of(v, most, h) > 12 * PX &&
		     scale_of(most - v, most, h) > 12 * PX))
			frame_mark(b, f, f->bottom - (int64_t)scale_of(v, most, h),
				   v % step ? TICK_END : TICK, scale_text(unit, v, behind));
		if (v == most)
			break;
	}
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

void
put_column(struct buf *b, const struct plot *p, const struct time_columns *c, uint32_t i)
{
	put_all(b, " · ");
	put_time(b, p, i ? (int64_t)((uint64_t)(c->lo + i) * c->width) : p->first);
}

void
put_share(struct buf *b, uint64_t v, uint64_t all)
{
	uint64_t tenths = scale_of(v < all ? v : all, all, 1000);

	if (tenths < 10 && tenths)
		put_format(b, "0.%u %%", (unsigned)tenths);
	else
		put_format(b, "%u %%", (unsigned)(tenths + 5) / 10);
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

void
screen_time(const struct plot *p, struct screen *t, unsigned at, unsigned w)
{
	struct buf from = {0}, to = {0};

	put_time(&from, p, p->first);
	put_time(&to, p, p->last);
	screen_foot(t, at, w, buf_text(&from), buf_text(&to));
	buf_free(&from);
	buf_free(&to);
	marks_screen(p, t, at, w);
}
