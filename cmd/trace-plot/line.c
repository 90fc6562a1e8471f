/*
 * line.c - lines through points of numbers: a table with x in its first column, and each other
 * column a line. CDFs, curves of misses, what another program measured.
 *
 * Of a line with more than ROOM points so many neighbours share a place that there is room; of each
 * place the first, the last, the least and the greatest are kept. Shares of values are steps.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/in.h"
#include "event/value.h"
#include "trace-plot/raster.h"

#define ROOM 1024u
#define LINES COLOURS
#define NAME_MOST 200u

/* Letters of a terminal; behind them, that of nothing. */
static const struct ink line_ink[LINES + 1] = {
    {0, 'A', NULL}, {1, 'B', NULL}, {2, 'C', NULL}, {3, 'D', NULL},	{4, 'E', NULL},
    {5, 'F', NULL}, {6, 'G', NULL}, {7, 'H', NULL}, {PLAIN, ' ', NULL},
};

struct point {
	double x, y;
};

/* Neighbours: of one point all are the same. */
struct line_place {
	struct point first, low, high, last;
};

struct one {
	char name[NAME_MOST + 1];
	struct line_place *v;
	uint32_t n;
	uint64_t each, in_last; /* points of a place, and of the last one */
};

struct axis {
	bool log;
	double lo, hi;
	int64_t from, to; /* of the picture */
};

struct line {
	struct one one[LINES];
	uint32_t n;
	char x[NAME_MOST + 1];
	struct axis ax, ay;
	bool any;
	uint64_t rows, left_out; /* columns */
};

static void
line_open(struct plot *p)
{
	static const struct words rows = {.events = "rows", .event = "row", .of = ""};

	p->state = xcalloc(1, sizeof(struct line));
	p->words = &rows;
}

static void
place_add(struct line_place *to, struct line_place from)
{
	to->low = from.low.y < to->low.y ? from.low : to->low;
	to->high = from.high.y > to->high.y ? from.high : to->high;
	to->last = from.last;
}

static void
point_add(struct line *m, struct one *o, double x, double y)
{
	const struct point at = {x, y};
	const struct line_place one = {at, at, at, at};

	if (!o->v)
		o->v = xcalloc(ROOM, sizeof *o->v);
	if (!m->any) {
		m->ax.lo = m->ax.hi = x;
		m->ay.lo = m->ay.hi = y;
	}
	m->any = true;
	m->ax.lo = x < m->ax.lo ? x : m->ax.lo;
	m->ax.hi = x > m->ax.hi ? x : m->ax.hi;
	m->ay.lo = y < m->ay.lo ? y : m->ay.lo;
	m->ay.hi = y > m->ay.hi ? y : m->ay.hi;
	o->each = o->each ? o->each : 1;
	if (o->n && o->in_last < o->each) {
		place_add(&o->v[o->n - 1], one);
		o->in_last++;
		return;
	}
	if (o->n == ROOM) {
		for (uint32_t i = 0; i < ROOM; i += 2) {
			o->v[i / 2] = o->v[i];
			place_add(&o->v[i / 2], o->v[i + 1]);
		}
		o->n /= 2;
		o->each *= 2;
	}
	o->v[o->n++] = one;
	o->in_last = 1;
}

/* The next field of a line, which is changed. */
static char *
next_field(char **at)
{
	char *p = *at, *end;

	if (!p)
		return NULL;
	end = p + strcspn(p, "\t\r");
	*at = *end == '\t' ? end + 1 : NULL;
	*end = '\0';
	return p;
}

/* 1: a number; 0: none, "-" or nothing; -1: something else. */
static int
number(const char *text, double *v)
{
	char *end;

	while (*text == ' ')
		text++;
	if (!*text || !strcmp(text, "-"))
		return 0;
	*v = strtod(text, &end);
	while (*end == ' ')
		end++;
	return *end || *v - *v != 0 ? -1 : 1;
}

/* A line of the table; `base` is the number of its first line in the picture. */
static bool
line_take(struct plot *p, char *text, uint32_t base, uint64_t row)
{
	struct line *m = p->state;
	char *at = text + (row == 1 && *text == '#'), *field = next_field(&at);
	double x, y;
	int is = number(field, &x);
	bool has_x = is > 0, names = row == 1 && is < 0;

	if (names)
		snprintf(m->x, sizeof m->x, "%s", field);
	else if (is < 0)
		return false;
	for (uint32_t i = base; (field = next_field(&at)) != NULL; i++) {
		if (i >= LINES) {
			m->left_out += row == 1;
			continue;
		}
		if (i >= m->n) {
			m->n = i + 1;
			snprintf(m->one[i].name, sizeof m->one[i].name, "%u", i + 2 - base);
		}
		if (names) {
			snprintf(m->one[i].name, sizeof m->one[i].name, "%s", field);
			continue;
		}
		is = number(field, &y);
		if (is < 0)
			return false;
		if (is && has_x)
			point_add(m, &m->one[i], x, y);
	}
	m->rows += !names;
	return true;
}

/* Reads a table: its columns behind those that there are. */
static int
read_table(struct plot *p, const char *path)
{
	struct line *m = p->state;
	uint32_t base = m->n;
	uint64_t row = 0;
	struct in in;
	int status = ST_OK;

	if (!in_open(&in, path)) {
		warn("%s:", path);
		return ST_TROUBLE;
	}
	strtab_id(&p->sources, in.name, strlen(in.name));
	for (;;) {
		uint8_t *end = memchr(in.p, '\n', in_left(&in));
		size_t n = end ? (size_t)(end - in.p) : in_left(&in);
		struct buf text = {0};
		bool good;

		if (!end && in_more(&in))
			continue;
		if (!n && !end)
			break;
		row++;
		buf_add(&text, in.p, n);
		in.p += n + (end != NULL);
		buf_byte(&text, '\0');
		good =
		    memchr(text.p, 0, n) == NULL && line_take(p, (char *)text.p, base, row);
		buf_free(&text);
		if (!good) {
			warn("%s: line %llu has something that is no number", in.name,
			     (unsigned long long)row);
			status = ST_TROUBLE;
			break;
		}
	}
	if (in.err) {
		warn("%s: read: %s", in.name, in_why(&in));
		status = ST_TROUBLE;
	}
	in_close(&in);
	return status;
}

static int
line_read(struct plot *p, char *const *paths, size_t n)
{
	struct line *m = p->state;
	int status = n ? ST_OK : read_table(p, "-");

	for (size_t i = 0; i < n; i++) {
		int one = read_table(p, paths[i]);

		status = one == ST_OK ? status : one;
	}
	p->events = m->any ? m->rows : 0;
	if (!m->any)
		warn("no numbers: nothing to draw");
	if (m->left_out)
		warn("%llu column%s beyond the %u that are drawn",
		     (unsigned long long)m->left_out, m->left_out == 1 ? "" : "s", LINES);
	return status;
}

/* log2(v), v > 0, to 2^-16: the same on every machine. */
static double
log_of(double v)
{
	double e = 0, part = 1;

	for (; v >= 2; e++)
		v /= 2;
	for (; v < 1; e--)
		v *= 2;
	for (unsigned i = 0; i < 16; i++) {
		v *= v;
		part /= 2;
		if (v >= 2) {
			v /= 2;
			e += part;
		}
	}
	return e;
}

static int64_t
axis_at(const struct axis *a, double v)
{
	double lo = a->log ? log_of(a->lo) : a->lo, hi = a->log ? log_of(a->hi) : a->hi;
	double range = hi / 2 - lo / 2, at;

	at = (a->log ? log_of(v) : v) / 2 - lo / 2;
	return a->from + (range > 0 ? (int64_t)(at / range * (double)(a->to - a->from))
				    : (a->to - a->from) / 2);
}

/* x is logarithmic by itself where it goes over three powers of ten. */
static void
axis_set(struct axis *a, const struct plot *p, char name, bool itself)
{
	bool able = a->lo > 0;

	a->log = able && itself && a->hi / 1000 >= a->lo;
	if (strchr(p->how.linear, name))
		a->log = false;
	if (strchr(p->how.log, name)) {
		a->log = able;
		if (!able)
			warn("--log %c: there are values of 0 or below, it is linear",
			     name);
	}
}

static double
size_of(double v)
{
	return v < 0 ? -v : v;
}

/* A number of an axis. Where none has five digits, as of years, all are written out. */
static void
put_number(struct buf *b, const struct axis *a, double v)
{
	static const char *const unit[] = {"", " k", " M", " G", " T", " P", " E"};
	double size = size_of(v);
	bool whole = size_of(a->lo) < 9999.5 && size_of(a->hi) < 9999.5;
	unsigned u = 0;

	for (; size >= 999.95 && !whole && u < 6; u++, v /= 1000)
		size /= 1000;
	put_format(b, "%.4g%s", v, unit[u]);
}

/* Ticks of an axis: calls `with` for each. */
static void
ticks(const struct axis *a, unsigned most, void (*with)(void *arg, double v), void *arg)
{
	static const double part[] = {1, 2, 5, 10};
	double range = a->hi - a->lo, step = 1, at;
	unsigned k = 0, n = 0;

	if (!(range > 0) || range - range != 0) {
		with(arg, a->lo);
		return;
	}
	if (a->log) {
		unsigned every = (unsigned)(log_of(a->hi) - log_of(a->lo)) / (3 * most) + 1;

		for (at = 1; at > a->lo; at /= 10)
			;
		for (; at <= a->hi && n < 400; at *= 10, n++)
			for (k = 0; k < (log_of(a->hi) - log_of(a->lo) < 10 ? 3u : 1u); k++)
				if (at * part[k] >= a->lo && at * part[k] <= a->hi &&
				    n % every == 0)
					with(arg, at * part[k]);
		return;
	}
	while (step * most < range)
		step *= 10;
	while (step / 10 * most >= range)
		step /= 10;
	for (step /= 10; k < 3 && step * part[k] * most < range;)
		k++;
	step *= part[k];
	at = a->lo / step;
	at = at < 9e15 && at > -9e15 ? (double)(int64_t)at : at;
	for (; at * step <= a->hi && n < 100; at++, n++)
		if (at * step >= a->lo)
			with(arg, at * step);
}

struct pen {
	struct buf *b;
	const struct frame *f;
	const struct axis *a;
	bool x;
};

static void
draw_tick(void *arg, double v)
{
	const struct pen *k = arg;
	const struct frame *f = k->f;
	int64_t at = axis_at(k->a, v);
	struct buf text = {0};

	put_number(&text, k->a, v);
	if (k->x) {
		svg_line(k->b, "g", at, f->top, at, f->bottom);
		svg_text(k->b, at, f->bottom + 18 * PX, "t n", SVG_MIDDLE, buf_text(&text),
			 16);
	} else
		frame_mark(k->b, f, at, buf_text(&text));
	buf_free(&text);
}

/* The points of a place in their order, without those that are there twice. */
static unsigned
points_of(const struct line_place *v, struct point to[4])
{
	bool low = v->low.x <= v->high.x;
	const struct point all[] = {v->first, low ? v->low : v->high,
				    low ? v->high : v->low, v->last};
	unsigned n = 1;

	to[0] = all[0];
	for (unsigned i = 1; i < 4; i++)
		if (to[n - 1].x != all[i].x || to[n - 1].y != all[i].y)
			to[n++] = all[i];
	return n;
}

static void
draw_line(const struct line *m, struct buf *b, uint32_t i)
{
	const struct one *o = &m->one[i];
	/* What cdf() of trace-stats gives: which share of all is no more than x. Nothing is between two
	 * values, so that it stays the same until the next. */
	bool steps = !strcmp(o->name, "share");
	struct point to[4];
	int64_t x, y;

	if (!o->n)
		return;
	svg_path(b, "w l%u", i);
	for (uint32_t k = 0; k < o->n; k++)
		for (unsigned j = 0, n = points_of(&o->v[k], to); j < n; j++) {
			x = axis_at(&m->ax, to[j].x);
			y = axis_at(&m->ay, to[j].y);
			if (steps && (k || j))
				svg_to(b, 'H', x);
			else if (steps)
				svg_point(b, 'M', x, m->ay.from);
			if (steps)
				svg_to(b, 'V', y);
			else
				svg_point(b, k || j ? 'L' : 'M', x, y);
		}
	/* A single point would not be seen. */
	if (o->n == 1)
		buf_add(b, "h3", 2);
	svg_path_end(b, o->name);
}

static void
line_title(const struct plot *p, struct buf *b)
{
	const struct line *m = p->state;
	if (m->n <= 3)
		for (uint32_t i = 0; i < m->n; i++)
			put_all(b, i ? i + 1 < m->n ? ", " : " and " : "", m->one[i].name);
	else {
		scale_put_commas(b, m->n);
		put_all(b, " lines");
	}
	put_all(b, " by ", *m->x ? m->x : "1");
}

/* The names below: in one row, or in two of four. */
static void
draw_names(const struct line *m, struct buf *b, const struct frame *f)
{
	int64_t x = f->left, y = f->bottom + 60 * PX, room = f->right - f->left;
	uint32_t n = m->n > 4 ? (m->n + 1) / 2 : m->n;
	int64_t most = (room / n - 36 * PX) / (SVG_COLUMN * PX / 10);

	most = most > 24 ? 24 : most < 3 ? 3 : most;
	for (uint32_t i = 0; i < m->n; i++) {
		if (i == n) {
			x = f->left;
			y += 17 * PX;
		}
		svg_swatch(b, i, x, y);
		svg_text(b, x + 16 * PX, y + 4 * PX, "", SVG_START, m->one[i].name,
			 (size_t)most);
		x += svg_width(m->one[i].name, (size_t)most) + 36 * PX;
	}
}

static void
line_svg(struct plot *p, struct buf *b)
{
	struct line *m = p->state;
	unsigned w = p->how.w ? p->how.w : 960, h = p->how.h ? p->how.h : 480;
	struct frame f = {84 * PX, (w - 40) * PX, 78 * PX, (h - 84) * PX};
	struct buf title = {0}, said = {0};
	struct pen ink = {b, &f, &m->ax, true};

	axis_set(&m->ax, p, 'x', true);
	axis_set(&m->ay, p, 'y', false);
	/* Shares and counts are seen from nothing on. */
	if (!m->ay.log && m->ay.lo > 0 && m->ay.lo < m->ay.hi)
		m->ay.lo = 0;
	m->ax.from = f.left;
	m->ax.to = f.right;
	m->ay.from = f.bottom;
	m->ay.to = f.top;
	line_title(p, &title);
	put_all(&said, m->ax.log ? "x " : "", m->ay.log ? "y " : "",
		m->ax.log || m->ay.log ? "logarithmic" : "");
	frame_begin(p, b, w, h, &title, &said);
	svg_rect(b, "f", f.left, f.top, f.right - f.left, f.bottom - f.top);
	ticks(&m->ax, 2 + w / 120, draw_tick, &ink);
	ink = (struct pen){b, &f, &m->ay, false};
	ticks(&m->ay, h / 60, draw_tick, &ink);
	for (uint32_t i = 0; i < m->n; i++)
		draw_line(m, b, i);
	svg_text(b, (f.left + f.right) / 2, f.bottom + 38 * PX, "t", SVG_MIDDLE,
		 *m->x ? m->x : "column 1", 80);
	draw_names(m, b, &f);
}

/* The least and the greatest value stand beside the last line and the first. */
static bool
line_edge(const struct plot *p, void *h, uint32_t y, struct buf *left, struct buf *right)
{
	const struct line *m = p->state;

	(void)right;
	if (y && y + 1 < *(unsigned *)h)
		return false;
	put_number(left, &m->ay, y ? m->ay.lo : m->ay.hi);
	return true;
}

static void
line_terminal(struct plot *p, struct screen *t)
{
	struct line *m = p->state;
	unsigned at = 12, w = t->w - at - 2, h = t->h;
	struct raster r = {.w = w, .h = h, .ink = line_ink, .letters = true};
	struct buf text = {0}, to = {0};

	axis_set(&m->ax, p, 'x', true);
	axis_set(&m->ay, p, 'y', false);
	m->ax.from = m->ay.to = 0; /* also where an SVG was drawn before */
	m->ax.to = (int64_t)w - 1;
	m->ay.from = (int64_t)h - 1;
	r.c = xmalloc((size_t)w * h);
	memset(r.c, LINES + 1, (size_t)w * h);
	for (uint32_t i = m->n; i-- > 0;)
		for (uint32_t k = 0; k < m->one[i].n; k++) {
			struct point all[4];

			for (unsigned j = 0, n = points_of(&m->one[i].v[k], all); j < n;
			     j++)
				r.c[(size_t)axis_at(&m->ay, all[j].y) * w +
				    (size_t)axis_at(&m->ax, all[j].x)] = (uint8_t)(i + 1);
		}
	line_title(p, &text);
	screen_title(t, &text);
	raster_screen(&r, t, at, w, 0, line_edge, p, &h);
	put_number(&text, &m->ax, m->ax.lo);
	put_number(&to, &m->ax, m->ax.hi);
	screen_foot(t, at, w, buf_text(&text), buf_text(&to));
	for (uint32_t i = 0; i < m->n; i++)
		screen_item(t, colour_dark[i], line_ink[i].letter, m->one[i].name, "");
	screen_end(t);
	raster_free(&r);
	buf_free(&text);
	buf_free(&to);
}

static void
line_bins(struct plot *p, struct table *t)
{
	const struct line *m = p->state;

	bins_head(t, "line", "x", "y");
	for (uint32_t i = 0; i < m->n; i++)
		for (uint32_t k = 0; k < m->one[i].n; k++) {
			struct point to[4];

			for (unsigned j = 0, n = points_of(&m->one[i].v[k], to); j < n;
			     j++) {
				table_text(t, m->one[i].name);
				value_double(table_cell(t), to[j].x);
				value_double(table_cell(t), to[j].y);
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
    .about = "lines through the numbers of a table: x in its first column",
    .log = "xy",
    .linear = "xy",
    .why = "has x and y",
    .read = line_read,
    .open = line_open,
    .svg = line_svg,
    .terminal = line_terminal,
    .bins = line_bins,
    .free = line_free,
};
