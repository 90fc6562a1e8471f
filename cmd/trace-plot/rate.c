/* rate.c - events, and bytes, per second over time by name. */
#include <stdlib.h>
#include <string.h>

#include "base/put.h"
#include "expr/filter.h"
#include "trace-plot/plot.h"

/* Slots: events of a name, behind it their bytes: the lower and the upper halves of sizes apart, so that no
 * sum of them is beyond 64 bits. */
enum {
	RATE_EVENTS,
	RATE_BYTES,
	RATE_HIGH,
	RATE_SUMS,
};

static struct i128
bytes_of(const uint64_t *sum)
{
	uint64_t high = sum[RATE_HIGH];
	struct i128 v = i128_u64(sum[RATE_BYTES]);

	i128_add(v, (struct i128){high << 32, (int64_t)(high >> 32)}, &v);
	return v;
}

/* What is drawn of a name in a bin. */
static struct i128
amount_of(const uint64_t *sum, bool bytes)
{
	return bytes ? bytes_of(sum) : i128_u64(sum[RATE_EVENTS]);
}

/* Bytes that are counted: where the format tells what is sent only those, as the report has them. A
 * message would be counted thrice else, where it is sent, where its receive begins, and where that ends.
 * Inputs of other formats beside it are counted whole. */
struct rate {
	unsigned heads;	    /* of the head that this holds under: */
	struct expr *sends; /* NULL: all count */
};

static const char *
only_sent(const struct plot *p, const struct traits *f)
{
	return p->how.sum ? NULL : f->sent;
}

static void
rate_close(struct plot *p)
{
	expr_free(((struct rate *)p->state)->sends);
}

static void
rate_open(struct plot *p)
{
	struct rate *m = xcalloc(1, sizeof *m);

	p->state = m;
	if (p->how.sum && strcmp(p->how.sum, "count") != 0 &&
	    strcmp(p->how.sum, "sum(size)") != 0)
		die("-a %s: rate draws count or sum(size)", p->how.sum);
}

static void
rate_add(struct plot *p, struct source *s, const struct batch *b, const uint32_t *pick,
	 uint32_t n)
{
	uint32_t id[BATCH], most, room[BATCH], sent = 0;
	struct rate *m = p->state;
	const uint32_t *bytes = NULL;

	if (!names_of(&p->key, s, b, pick, n, id))
		return;
	if (m->heads != s->heads) {
		const char *test = only_sent(p, traits_source(s));

		m->heads = s->heads;
		expr_free(m->sends);
		m->sends = test ? expr_parse(test) : NULL;
	}
	if (m->sends && !expr_choose(m->sends, s, b, room, &bytes, &sent))
		return;
	most = p->key.text.n;
	while (!bins_slots(&p->bins, RATE_SUMS * most))
		most = p->bins.nslots / RATE_SUMS;
	for (uint32_t i = 0; i < n; i++) {
		const struct rec *r = batch_rec(b, pick ? pick[i] : i);
		uint64_t *sum = bins_row(&p->bins, r->time ^ p->flip) +
				RATE_SUMS * (likely(id[i] < most) ? id[i] : 0);

		sum[RATE_EVENTS]++;
		if (m->sends) {
			/* Both are in the order of the batch. */
			while (sent && *bytes < (pick ? pick[i] : i)) {
				bytes++;
				sent--;
			}
			if (!sent || *bytes != (pick ? pick[i] : i))
				continue;
		}
		sum[RATE_BYTES] += (uint32_t)r->size;
		sum[RATE_HIGH] += r->size >> 32;
	}
	p->events += n;
}

static void
rate_each(struct plot *p, plot_with *with, void *arg)
{
	for (uint32_t i = 0; i < p->bins.nslots; i++)
		with(arg, i, "", p->key.text.v[i / RATE_SUMS].s, i % RATE_SUMS);
}

static uint32_t
rate_slot(struct plot *p, const char *lane, const char *name, unsigned sum)
{
	uint32_t id = names_id(&p->key, name, strlen(name));

	(void)lane;
	if (sum >= RATE_SUMS)
		return NO_SLOT;
	return bins_slots(&p->bins, RATE_SUMS * (id + 1)) ? RATE_SUMS * id + sum : sum;
}

/* What rates are per. */
struct per {
	const char *sign, *words;
	uint64_t seconds; /* 0: of a clock of ticks, sums of a column */
};

/* A panel: one of the two sums of all columns. */
struct panel {
	bool bytes;
	enum measure_unit unit;
	struct per per;
	struct columns c;
	const struct legend *legend;
	struct i128 total[COLOURS + 1]; /* by place in the legend */
	struct i128 all;
	bool huge;	  /* v counts 2^32 bytes, as all together are beyond 64 bits */
	uint64_t *v;	  /* by column, by place in the legend */
	uint64_t most;	  /* the greatest */
	uint64_t highest; /* the rate of that */
};

/* v / 2^shift in a time of span / parts as a rate; of ticks, as it is. */
static uint64_t
rate_in(const struct panel *a, struct i128 v, uint64_t parts, uint64_t span, unsigned shift)
{
	struct i128 one = i128_u64(1ull << shift);

	if ((a->per.seconds &&
	     !i128_muldiv(v, i128_u64(a->per.seconds * 1000000000 * parts), i128_u64(span),
			  I128_NEAREST, &v)) ||
	    !i128_muldiv(v, i128_u64(1), one, I128_NEAREST, &v) || !i128_is_u64(v))
		return UINT64_MAX;
	return v.lo;
}

/* One of the panel's numbers. */
static struct i128
number(const struct panel *a, uint64_t v)
{
	return a->huge ? (struct i128){v << 32, (int64_t)(v >> 32)} : i128_u64(v);
}

static uint64_t
rate_of(const struct panel *a, struct i128 v, uint64_t span)
{
	return rate_in(a, v, 1, span, 0);
}

/* Seconds, or where there is hardly an event in one, minutes, hours or days. */
static void
choose_per(struct panel *a)
{
	static const struct per per[] = {{"/s", " per second", 1},
					 {"/min", " per minute", 60},
					 {"/h", " per hour", 3600},
					 {"/day", " per day", 86400}};

	for (size_t i = 0; i < 4; i++) {
		a->per = per[i];
		a->highest = rate_of(a, number(a, a->most), a->c.width);
		if (a->highest >= 5)
			break;
	}
}

static void
panel_make(struct panel *a, const struct plot *p, bool bytes, const struct legend *l,
	   uint32_t columns)
{
	uint32_t nnames = p->bins.nslots / RATE_SUMS, n = COLOURS + 1;

	*a = (struct panel){.bytes = bytes,
			    .unit = bytes ? SCALE_BYTES : SCALE_COUNT,
			    .per = {"", "", 0},
			    .legend = l};
	a->c = columns_of(&p->bins, columns);
	a->v = xcalloc((size_t)a->c.n * n, sizeof *a->v);
	EACH_BIN (&p->bins, i)
		for (uint32_t k = 0; k < nnames; k++) {
			const uint64_t *sums = bins_at(&p->bins, i) + RATE_SUMS * k;
			struct i128 *to = &a->total[l->of[k]];

			i128_add(*to, amount_of(sums, bytes), to);
		}
	for (uint32_t k = 0; k < n; k++)
		i128_add(a->all, a->total[k], &a->all);
	a->huge = !i128_is_u64(a->all);
	EACH_BIN (&p->bins, i)
		for (uint32_t k = 0; k < nnames; k++) {
			const uint64_t *sums = bins_at(&p->bins, i) + RATE_SUMS * k;
			struct i128 v = amount_of(sums, bytes);

			a->v[((i >> a->c.shift) - a->c.lo) * n + l->of[k]] +=
			    a->huge ? v.lo >> 32 | (uint64_t)v.hi << 32 : v.lo;
		}
	for (uint32_t i = 0; i < a->c.n * n; i++)
		a->most = a->v[i] > a->most ? a->v[i] : a->most;
	a->highest = a->most;
	if (p->clock == CLOCK_NS)
		choose_per(a);
}

static void
panel_free(struct panel *a)
{
	free(a->v);
}

/* The steps of one name: a line, or with `area` what is below it. */
static void
steps(const struct panel *a, const struct plot *p, struct buf *b, const struct frame *f,
      uint32_t k, bool area)
{
	int64_t begin = a->c.lo * (int64_t)a->c.width, y = f->bottom;

	svg_point(b, 'M', f->left, y);
	for (uint32_t i = 0; i < a->c.n; i++) {
		uint64_t v = a->v[i * (COLOURS + 1) + k];
		int64_t to = f->bottom -
			     (int64_t)scale_of(v, a->most, (uint64_t)(f->bottom - f->top));
		int64_t at = (int64_t)((uint64_t)begin + i * a->c.width);

		if (to == y)
			continue;
		svg_to(b, 'H', at < p->first ? f->left : frame_x(p, f, at));
		svg_to(b, 'V', to);
		y = to;
	}
	svg_to(b, 'H', f->right);
	if (area && y != f->bottom)
		svg_to(b, 'V', f->bottom);
	if (area)
		buf_byte(b, 'z');
}

static void
draw_name(const struct panel *a, const struct plot *p, struct buf *b, const struct frame *f,
	  uint32_t k)
{
	const char *name = legend_name(a->legend, p, k);
	struct buf text = {0};

	if (i128_zero(a->total[k]))
		return;
	put_format(&text, "%.120s · ", name);
	scale_put_sum(&text, a->unit, a->total[k]);
	put_all(&text, " in all");
	svg_path(b, "c%u q", a->legend->colour[k]);
	steps(a, p, b, f, k, true);
	svg_path_end(b, buf_text(&text));
	svg_path(b, "w l%u", a->legend->colour[k]);
	steps(a, p, b, f, k, false);
	svg_path_end(b, NULL);
	buf_free(&text);
}

static void
panel_svg(const struct panel *a, const struct plot *p, struct buf *b, const struct frame *f,
	  const char *what)
{
	uint64_t range = (uint64_t)p->last - (uint64_t)p->first, span = range ? range : 1;
	int64_t y = f->top + 15 * PX, each;
	uint32_t n = a->legend->n + a->legend->others;
	struct buf text = {0};

	each = (f->bottom - f->top) / (n ? n : 1);
	each = each > 19 * PX ? 19 * PX : each < 12 * PX ? 12 * PX : each;

	frame_scale(b, f, a->unit, a->highest, a->per.sign);
	svg_text(b, f->left, f->top - 12 * PX, "", SVG_START, what, 80);
	/* The first names above the others. */
	for (uint32_t k = n; k-- > 0;)
		draw_name(a, p, b, f, k);
	for (uint32_t k = 0; k < n; k++) {
		const char *name = legend_name(a->legend, p, k);

		if (i128_zero(a->total[k]) || y > f->bottom + 4 * PX)
			continue;
		svg_swatch(b, a->legend->colour[k], f->right + 8 * PX, y - 4 * PX);
		svg_text(b, f->right + 24 * PX, y, "", SVG_START, name, 11);
		if (a->per.seconds && (15 * PX + each) * n <= f->bottom - f->top) {
			put_all(&text, "ø ");
			scale_put(&text, a->unit, rate_of(a, a->total[k], span),
				  a->per.sign);
			svg_text(b, f->right + 8 * PX, y + 15 * PX, "t n", SVG_START,
				 buf_text(&text), 20);
			y += 15 * PX;
		}
		y += each;
	}
	buf_free(&text);
}

/* The panels that there is something for: of bytes, of events. Names have one colour in both. */
static unsigned
panels(struct panel a[2], const struct plot *p, struct legend *l, uint32_t columns)
{
	bool bytes = !p->how.sum || strcmp(p->how.sum, "count") != 0;
	bool events = !p->how.sum || !strcmp(p->how.sum, "count");
	uint32_t nnames = p->bins.nslots / RATE_SUMS;
	uint64_t *total = xcalloc(nnames, sizeof *total);
	unsigned n = 0;

	EACH_BIN (&p->bins, i)
		for (uint32_t k = 0; k < nnames; k++) {
			const uint64_t *v = bins_at(&p->bins, i) + RATE_SUMS * k;
			struct i128 sum = amount_of(v, !events);

			total[k] =
			    add_most(total[k], i128_is_u64(sum) ? sum.lo : UINT64_MAX);
		}
	legend_make(l, p, total, nnames);
	free(total);
	if (bytes) {
		panel_make(&a[0], p, true, l, columns);
		if (!i128_zero(a[0].all) || !events)
			n = 1;
		else
			panel_free(&a[0]);
	}
	if (events)
		panel_make(&a[n++], p, false, l, columns);
	return n;
}

static void
panel_name(const struct panel *a, const struct plot *p, struct buf *text)
{
	const char *what = !a->bytes		     ? p->words->events
			   : only_sent(p, p->traits) ? "bytes sent"
						     : "bytes";

	put_all(text, what, a->per.words);
}

static void
rate_svg(struct plot *p, struct buf *b)
{
	unsigned w = p->how.w ? p->how.w : 960, h = p->how.h, n;
	struct panel a[2];
	struct legend l;
	struct frame f = {.left = 92 * PX, .right = (w - 110) * PX};
	struct buf title = {0}, cell = {0}, name = {0};
	unsigned each;

	n = panels(a, p, &l, (uint32_t)(f.right - f.left) / (3 * PX));
	if (!h)
		h = n * 200 + 110;
	each = (h - 110) / n;
	if (a[0].bytes) {
		scale_put_sum(&cell, SCALE_BYTES, a[0].all);
		put_all(&cell, only_sent(p, p->traits) ? " sent · " : " · ");
	}
	put_all(&cell, "steps of ", scaled(time_unit(p), a[0].c.width));
	if (n == 2 && p->words->moves)
		put_all(&title, p->words->moves);
	else
		put_all(&title, "How fast ", p->words->of, p->words->events, " come",
			n == 2 ? ", and what they move" : "");
	frame_begin(p, b, w, h, &title, &cell);
	for (unsigned i = 0; i < n; i++) {
		f.top = (int64_t)(98 + i * each) * PX;
		f.bottom = f.top + (int64_t)(each - 42) * PX;
		panel_name(&a[i], p, &name);
		put_all(&name, a[i].per.seconds ? "" : " in each step");
		panel_svg(&a[i], p, b, &f, buf_text(&name));
		marks_svg(p, b, &f);
		panel_free(&a[i]);
	}
	frame_time(p, b, &f, false);
	legend_free(&l);
	buf_free(&name);
}

/* Four dots high and two wide: the bits of U+2800. */
static void
braille(struct screen *t, unsigned left, unsigned right)
{
	static const uint8_t l[] = {0, 0x40, 0x44, 0x46, 0x47},
			     r[] = {0, 0x80, 0xa0, 0xb0, 0xb8};
	unsigned c = l[left] | r[right];
	char text[4] = {(char)0xe2, (char)(0xa0 | c >> 6), (char)(0x80 | (c & 63)), 0};

	screen_put(t, text);
}

/* The sums of all names in n equal parts of the time from the first event to the last, times 2^*shift:
 * what a step has is spread evenly over its part of that time. */
static uint64_t *
spread(const struct panel *a, const struct plot *p, uint32_t n, unsigned *shift)
{
	uint64_t begin = (uint64_t)a->c.lo * a->c.width - (uint64_t)p->first;
	uint64_t *to = xcalloc(n, sizeof *to), span = span_of(p), all = 0, x = 0;
	const uint64_t one = 1 << 14; /* where in a part */
	struct i128 part;

	for (uint32_t i = 0; i < a->c.n * (COLOURS + 1); i++)
		all = add_most(all, a->v[i]);
	*shift = all >> 56 ? 0 : 8;
	for (uint32_t i = 0; i < a->c.n; i++) {
		uint64_t end = i + 1 < a->c.n ? begin + (i + 1) * a->c.width : span, v = 0;

		end = scale_of(end < span ? end : span, span, n * one);
		end = end > x ? end : x + 1;
		for (uint32_t k = 0; k <= COLOURS; k++)
			v = add_most(v, a->v[i * (COLOURS + 1) + k]);
		for (uint64_t at = x; at < end; at = (at / one + 1) * one) {
			uint64_t next = (at / one + 1) * one, *sum;

			next = next < end ? next : end;
			i128_muldiv(i128_u64(v << *shift), i128_u64(next - at),
				    i128_u64(end - x), I128_NEAREST, &part);
			sum = &to[at / one < n ? at / one : n - 1];
			*sum = add_most(*sum, part.lo);
		}
		x = end;
	}
	return to;
}

static void
panel_terminal(const struct panel *a, struct plot *p, struct screen *t)
{
	unsigned at = 12, w = t->w - at - 2, lines = t->h * 2 / 3, per = t->utf8 ? 2 : 1;
	uint64_t each = span_of(p) / (w * per), most = 1;
	unsigned shift;
	uint64_t *sum = spread(a, p, w * per, &shift);
	struct buf text = {0};

	for (unsigned i = 0; i < w * per; i++)
		most = sum[i] > most ? sum[i] : most;
	panel_name(a, p, &text);
	if (each < a->c.width)
		put_all(&text, ", steps of ", scaled(time_unit(p), a->c.width));
	else
		put_all(&text, ", ", scaled(time_unit(p), each),
			t->utf8 ? " a dot" : " a column");
	screen_title(t, &text);
	for (unsigned y = lines; y-- > 0;) {
		uint64_t rate =
		    y ? rate_in(a, number(a, most), w * per, span_of(p), shift) : 0;

		scale_put(&text, a->unit, rate, a->per.sign);
		screen_axis(t, y == lines - 1 || !y ? buf_text(&text) : NULL, at);
		text.n = 0;
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
	free(sum);
	buf_free(&text);
}

/* The names have no letters or colours, as the picture does not tell them apart. */
static void
put_totals(const struct panel *a, const struct plot *p, struct screen *t)
{
	const char *between = "";
	struct buf text = {0};

	for (uint32_t k = 0; k < a->legend->n + a->legend->others; k++)
		if (!i128_zero(a->total[k])) {
			put_all(&text, between, legend_name(a->legend, p, k), " ");
			scale_put_sum(&text, a->unit, a->total[k]);
			between = ", ";
		}
	put_all(&text, " in all");
	screen_title(t, &text);
}

static void
rate_terminal(struct plot *p, struct screen *t)
{
	struct panel a[2];
	struct legend l;
	unsigned n = panels(a, p, &l, BINS_MOST);

	for (unsigned i = 0; i < n; i++)
		panel_terminal(&a[i], p, t);
	screen_time(p, t, 12, t->w - 14);
	marks_screen(p, t, 12, t->w - 14);
	for (unsigned i = 0; i < n; i++) {
		put_totals(&a[i], p, t);
		panel_free(&a[i]);
	}
	legend_free(&l);
}

static void
rate_bins(struct plot *p, struct table *t)
{
	uint32_t n = p->bins.nslots / RATE_SUMS, *order = names_order(&p->key.text, n);
	struct buf *b;

	bins_head(t, "time", "end", plot_key(p), "count",
		  only_sent(p, p->traits) ? "sent" : "sum(size)");
	EACH_BIN (&p->bins, i)
		for (uint32_t k = 0; k < n; k++) {
			const uint64_t *sum = bins_at(&p->bins, i) + RATE_SUMS * order[k];

			if (!sum[RATE_EVENTS])
				continue;
			put_bin(t, p, i);
			table_text(t, p->key.text.v[order[k]].s);
			table_u64(t, sum[RATE_EVENTS]);
			b = table_cell(t);
			buf_to(b, i128_put(buf_room(b, 40 + PUT_SLACK), bytes_of(sum)));
			table_row(t);
		}
	free(order);
}

const struct plot_kind kind_rate = {
    .name = "rate",
    .about = "events and bytes per second over time",
    .time = true,
    .need = NEED_SIZE,
    .key = "event",
    .log = "",
    .linear = "xy",
    .why = "is linear: its time has no power that is first, and its steps begin at 0",
    .open = rate_open,
    .add = rate_add,
    .each = rate_each,
    .slot = rate_slot,
    .mark = mark_time,
    .svg = rate_svg,
    .terminal = rate_terminal,
    .bins = rate_bins,
    .free = rate_close,
};
