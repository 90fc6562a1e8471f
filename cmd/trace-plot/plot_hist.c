/* plot_hist.c - how many values of each size, by name; and the share below each. */
#include <stdlib.h>
#include <string.h>

#include "trace-plot/plot.h"

#define BITS 3	 /* eight bars to each power of two */
#define ROWS 496 /* rows for 64 bits */

static void
hist_open(struct plot *p)
{
	if (p->opts.sum && strcmp(p->opts.sum, "count") != 0)
		die("-a %s: hist can only draw count", p->opts.sum);
	p->bins.fixed = p->opts.even ? 0 : p->y.fine ? ROWS + FINE_ROWS(BITS) : ROWS;
}

/* Changes bins of one size from 2^-FINE to whole numbers; they are then at least as wide. */
static void
hist_whole(struct plot *p)
{
	struct bins *b = &p->bins;

	p->whole = true;
	while (b->any && b->k < FINE)
		bins_fold(b);
	if (!b->any)
		return;
	b->k -= FINE;
	/* The place of 0 becomes INT64_MIN, a multiple of the room: sums stay where they are. */
	b->lo += INT64_MIN >> b->k;
	b->hi += INT64_MIN >> b->k;
}

/* Returns the bin of a value: its row, or on an even axis the value itself, as a signed number in the same order. */
static inline int64_t
hist_bin(struct plot *p, uint64_t v, uint32_t part)
{
	if (!p->opts.even)
		return p->y.fine ? row_fine(v, part, BITS) : row_index(v, BITS);
	if (!p->y.fine)
		return (int64_t)(v ^ 1ull << 63);
	if (v >> (63 - FINE) && !p->whole)
		hist_whole(p);
	return (int64_t)(p->whole ? v ^ 1ull << 63 : v << FINE | part);
}

static void
hist_add(struct plot *p, struct source *s, const struct batch *b, const uint32_t *pick,
	 uint32_t n)
{
	uint32_t id[BATCH], most = p->bins.nslots;

	if (!measure_run(&p->y, s, b, pick, n) || !names_of(&p->key, s, b, pick, n, id))
		return;
	if (bins_slots(&p->bins, p->key.text.n))
		most = p->key.text.n;
	percentiles_add(p, id, most, n);
	for (uint32_t i = 0; i < n; i++)
		if (p->y.there[i]) {
			int64_t x = hist_bin(p, p->y.v[i], measure_part(&p->y, i));

			bins_row(&p->bins, x)[id[i] < most ? id[i] : 0]++;
			p->events++;
		}
}

/* Bars: counts by row from lo, then by place in the legend. A bar has `each` rows, so that a whole number of
 * bars makes a power of two. */
struct bars {
	struct legend legend;
	struct rows rows;
	uint32_t lo, n, each;
	uint64_t *v;
	uint64_t most;			/* count of the highest bar */
	uint64_t each_sum[COLOURS + 1]; /* sum of each name */
};

/* Returns the count of the bar from row i on, for the first k names of the legend. */
static uint64_t
bar_sum(const struct bars *d, uint32_t i, uint32_t k)
{
	uint64_t sum = 0;

	for (uint32_t r = i; r < i + d->each; r++)
		for (uint32_t j = 0; j < k; j++)
			sum += d->v[r * (COLOURS + 1) + j];
	return sum;
}

/* Returns the rows of the bins; if they are even, row 0 is the smallest bin. */
static struct rows
rows_of(const struct plot *p)
{
	struct rows r = {p->opts.even, BITS, p->bins.k, (uint64_t)p->bins.lo, 0};

	if (p->y.fine)
		rows_fine(&r, (uint32_t)p->bins.hi);
	else
		r.first += 1ull << 63 >> p->bins.k;
	return r;
}

static void
hist_fined(struct plot *p)
{
	struct bins old = p->bins;
	struct rows rows = rows_of(p);

	if (p->y.fractions && !p->whole) {
		p->y.unit = rows_fine(&rows, (uint32_t)p->bins.hi);
		return;
	}
	p->y.fine = false;
	if (p->opts.even && !p->whole)
		hist_whole(p);
	if (p->opts.even)
		return;
	p->bins = (struct bins){.fixed = ROWS, .bytes = old.bytes};
	bins_slots(&p->bins, old.nslots);
	EACH_BIN (&old, i)
		for (uint32_t k = 0; k < old.nslots; k++)
			if (bins_at(&old, i)[k])
				bins_row(&p->bins, row_whole((uint32_t)i, BITS))[k] +=
				    bins_at(&old, i)[k];
	bins_free(&old);
}

static void
bars_make(struct bars *d, const struct plot *p, uint32_t most)
{
	uint32_t names = p->bins.nslots;
	int64_t base;
	uint64_t *total = draw_room(names, sizeof *total);

	memset(d, 0, sizeof *d);
	for (d->each = 1;
	     bins_used(&p->bins) / d->each > most && (d->each < 8 || p->opts.even);)
		d->each *= 2;
	d->rows = rows_of(p);
	base = p->bins.lo - (int64_t)(p->bins.lo & (d->each - 1));
	d->rows.first += (uint64_t)(base - p->bins.lo);
	d->lo = p->opts.even ? 0 : (uint32_t)base;
	d->n = ((uint32_t)(p->bins.hi - base) / d->each + 1) * d->each;
	EACH_BIN (&p->bins, i)
		for (uint32_t k = 0; k < names; k++)
			total[k] += bins_at(&p->bins, i)[k];
	legend_make(&d->legend, p, total, names);
	d->v = draw_room((size_t)d->n * (COLOURS + 1), sizeof *d->v);
	EACH_BIN (&p->bins, i)
		for (uint32_t k = 0; k < names; k++) {
			uint64_t v = bins_at(&p->bins, i)[k];

			d->v[(i - base) * (COLOURS + 1) + d->legend.of[k]] += v;
			d->each_sum[d->legend.of[k]] += v;
		}
	for (uint32_t i = 0; i < d->n; i += d->each)
		d->most = bar_sum(d, i, COLOURS + 1) > d->most ? bar_sum(d, i, COLOURS + 1)
							       : d->most;
}

static int64_t
bar_x(const struct bars *d, const struct frame *f, uint64_t place)
{
	return f->left + (int64_t)((place - d->lo * 256) * (uint64_t)(f->right - f->left) /
				   (d->n * 256));
}

/* Draws the lines of both panels, and the numbers of the axis below. */
static void
marks(const struct bars *d, const struct plot *p, struct buf *b, const struct frame *f,
      const struct frame *g)
{
	uint64_t low = rows_low(&d->rows, d->lo), high = rows_low(&d->rows, d->lo + d->n);
	uint64_t v, step = rows_step(&d->rows, p->y.unit, low, high, 8, &v);
	uint64_t by = scale_binary(p->y.unit) ? 2 : 10;
	int64_t before = INT64_MIN / 2, first = f->right;

	for (; v <= high; v = step ? v + step : v ? v * by : 1) {
		int64_t x = bar_x(d, f, rows_place(&d->rows, v));

		if (v >= low && x - before > (frame_narrow(p) ? 46 : 66) * PX) {
			first = before < 0 ? x : first;
			svg_line(b, "g", x, f->top, x, f->bottom);
			svg_line(b, "g", x, g->top, x, g->bottom);
			svg_text(b, x, g->bottom + 18 * PX, "t n", SVG_MIDDLE,
				 scaled(p->y.unit, v), 20);
			before = x;
		}
		if (step ? v + step < v : v > UINT64_MAX / 10)
			break;
	}
	/* Both ends have a number. */
	if (f->right - before > 46 * PX)
		svg_text(b, f->right, g->bottom + 18 * PX, TICK_END, SVG_MIDDLE,
			 scaled(p->y.unit, high), 20);
	if (first - f->left > 46 * PX)
		svg_text(b, f->left, g->bottom + 18 * PX, TICK_END, SVG_MIDDLE,
			 scaled(p->y.unit, low), 20);
	svg_text(b, (f->left + f->right) / 2, g->bottom + 38 * PX, "t", SVG_MIDDLE,
		 measure_axis(p), 60);
}

static void
draw_bars(const struct bars *d, const struct plot *p, struct buf *b, const struct frame *f,
	  uint32_t k)
{
	uint64_t h = (uint64_t)(f->bottom - f->top);

	for (uint32_t i = 0; i < d->n; i += d->each) {
		uint64_t below = bar_sum(d, i, k), to = bar_sum(d, i, k + 1);
		int64_t x = f->left + (f->right - f->left) * i / d->n;
		int64_t w = f->left + (f->right - f->left) * (i + d->each) / d->n - x;
		int64_t y0 = f->bottom - (int64_t)scale_of(below, d->most, h);
		int64_t y1 = f->bottom - (int64_t)scale_of(to, d->most, h);

		if (below == to)
			continue;
		w -= w > 4 * PX ? PX : 0;
		svg_path(b, "c%u k", d->legend.colour[k]);
		svg_point(b, 'M', x, y0);
		svg_to(b, 'h', w);
		svg_to(b, 'V', y1);
		svg_to(b, 'h', -w);
		buf_byte(b, 'z');
		svg_path_end(
		    b,
		    joined(svg_short(legend_name(&d->legend, p, k)), " · ",
			   scaled(SCALE_EXACT, to - below), " ", events_of(p, to - below),
			   " · ", scaled(p->y.unit, rows_low(&d->rows, d->lo + i)), " to ",
			   scaled(p->y.unit, rows_low(&d->rows, d->lo + i + d->each))));
	}
}

/* Draws the share of values up to each value, for name k. A round value, or the only value of a row, is a step.
 * Other values are assumed to be spread over their row: a line from its left edge to its right one, exact at
 * both edges. */
static void
draw_cdf(const struct bars *d, const struct plot *p, struct buf *b, const struct frame *f,
	 uint32_t k)
{
	uint64_t sum = 0, h = (uint64_t)(f->bottom - f->top);

	svg_path(b, "w l%u", d->legend.colour[k]);
	for (uint32_t i = 0; i < d->n; i++) {
		uint64_t v = d->v[i * (COLOURS + 1) + k],
			 low = rows_low(&d->rows, d->lo + i);
		bool step = p->y.unit == SCALE_BYTES ||
			    rows_low(&d->rows, d->lo + i + 1) - low == 1;
		int64_t x;

		if (!v)
			continue;
		x = bar_x(
		    d, f,
		    rows_place(&d->rows, step ? rows_round(&d->rows, d->lo + i) : low));
		svg_point(b, sum ? 'L' : 'M', x,
			  f->bottom - (int64_t)scale_of(sum, d->each_sum[k], h));
		sum += v;
		svg_point(b, 'L', step ? x : bar_x(d, f, (d->lo + i + 1) * 256ull),
			  f->bottom - (int64_t)scale_of(sum, d->each_sum[k], h));
	}
	svg_to(b, 'H', f->right);
	svg_path_end(b, NULL);
}

/* Draws the names with counts and percentiles, in as many lines as there is room for. */
static void
draw_names(const struct bars *d, const struct plot *p, struct buf *b, int64_t x, int64_t y,
	   int64_t bottom)
{
	uint32_t n = d->legend.n + d->legend.others;
	int64_t room = (bottom - y) / (n ? n : 1);
	unsigned lines = room >= 74 * PX   ? 3
			 : room >= 50 * PX ? 2
			 : room >= 32 * PX ? 1
					   : 0;

	for (uint32_t k = 0; k < n && y < bottom; k++) {
		struct percentile_pair f = percentiles_of(p, d->legend.of, k);
		const char *count = scaled(SCALE_EXACT, d->each_sum[k]);
		const char *p50 = joined("p50 ", percentile_text(p, f.p50));
		const char *p99 = joined("p99 ", percentile_text(p, f.p99));
		const char *both = lines < 3
				       ? joined(count, " · ", p50)
				       : joined(count, " ", events_of(p, d->each_sum[k]));
		/* The number of events is alone if there is no room for both. */
		const char *said[] = {svg_fits(both, 17) ? both : count,
				      lines < 3 ? p99 : p50, p99};

		svg_sample(b, d->legend.colour[k], x - 10 * PX, y - 4 * PX);
		svg_text(b, x + 16 * PX, y, "", SVG_START, legend_name(&d->legend, p, k),
			 16);
		for (unsigned line = 0; line < lines; line++)
			svg_text(b, x + 16 * PX, y += 15 * PX, "t n", SVG_START, said[line],
				 17);
		y += lines ? 22 * PX : 16 * PX;
	}
}

/* Draws the lower panel: for each value the share of events that are not above it, "share of calls that take no
 * longer". */
static void
draw_shares(const struct bars *d, const struct plot *p, struct buf *b,
	    const struct frame *g)
{
	const char *what = p->y.column == FIELD_DUR    ? " that take no longer"
			   : p->y.column == FIELD_SIZE ? " that are no larger"
						       : " that are not above";

	for (int64_t v = 0; v <= 100; v += g->bottom - g->top < 60 * PX ? 50 : 25)
		frame_mark(b, g, g->bottom - (g->bottom - g->top) * v / 100, TICK,
			   formatted("%d %%", (int)v));
	svg_text(b, g->left, g->top - 10 * PX, "t", SVG_START,
		 joined("share of ", p->words->events, what),
		 (size_t)(g->right - g->left) / 700);
	for (uint32_t k = 0; k < d->legend.n + d->legend.others; k++)
		draw_cdf(d, p, b, g, k);
}

/* Draws the axis of counts from 0 to `most`, with about five marks. */
static void
counts(struct buf *b, const struct frame *f, uint64_t most)
{
	uint64_t h = (uint64_t)(f->bottom - f->top), ticks = h / (26 * PX);
	uint64_t step = scale_step(SCALE_COUNT, most,
				   ticks > 5   ? 5
				   : ticks > 2 ? (unsigned)ticks
					       : 2);

	for (uint64_t v = 0;; v = most - v < step ? most : v + step) {
		uint64_t y = scale_of(v, most, h), above = scale_of(most - v, most, h);

		/* The greatest number has a mark, too, and replaces a mark that is near. */
		if (v == most || !v || (y > 12 * PX && above > 12 * PX))
			frame_mark(b, f, f->bottom - (int64_t)y, v % step ? TICK_END : TICK,
				   scaled(SCALE_COUNT, v));
		if (v == most)
			break;
	}
}

static void
hist_svg(struct plot *p, struct buf *b)
{
	unsigned w = p->opts.w ? p->opts.w : 960, h = frame_height(p, 560);
	int64_t top = frame_top(p, 90, 26), below = (p->opts.plain ? 44 : 74) * PX;
	struct frame f = {frame_left(p), (w - (frame_narrow(p) ? 16 : 160)) * PX, top, 0};
	struct frame g = f;
	struct bars d;
	static const char *const bars[] = {[1] = "eight bars to each power of two",
					   [2] = "four bars to each power of two",
					   [4] = "two bars to each power of two",
					   [8] = "a bar for each power of two"};

	bars_make(&d, p, frame_narrow(p) ? 48 : 96);
	below += frame_narrow(p) ? legend_high(&d.legend, p, w * PX - f.left, NULL) : 0;
	g.bottom = h * PX - below;
	f.bottom = top + (g.bottom - top) * (frame_narrow(p) ? 50 : 56) / 100;
	g.top = f.bottom + (frame_narrow(p) ? 24 : 40) * PX;
	frame_begin(p, b, w, h, joined(measure_title(p), percentiles_title(p)),
		    p->opts.even ? joined("each bar is ",
					  scaled(p->y.unit, rows_size(&d.rows, d.each)))
				 : bars[d.each]);
	counts(b, &f, d.most);
	svg_text(b, f.left, f.top - 10 * PX, "t", SVG_START, p->words->events, 40);
	draw_shares(&d, p, b, &g);
	marks(&d, p, b, &f, &g);
	for (uint32_t k = 0; k < d.legend.n + d.legend.others; k++)
		draw_bars(&d, p, b, &f, k);
	if (frame_narrow(p))
		legend_svg(&d.legend, p, b, f.left, w * PX, g.bottom + 58 * PX, NULL);
	else
		draw_names(&d, p, b, f.right + 16 * PX, f.top + 14 * PX, (h - 8) * PX);
}

static void
hist_terminal(struct plot *p, struct screen *t)
{
	struct bars d;
	unsigned w = t->w - 12 - 14;

	bars_make(&d, p, t->h);
	screen_title(t, joined(measure_title(p), percentiles_title(p)));
	for (uint32_t i = 0; i < d.n; i += d.each) {
		uint64_t sum = bar_sum(&d, i, COLOURS + 1);
		uint64_t low = p->y.unit == SCALE_BYTES ? rows_round(&d.rows, d.lo + i)
							: rows_low(&d.rows, d.lo + i);

		screen_axis(t, scaled(p->y.unit, low), 12);
		screen_colour(t, colour_dark[0]);
		screen_bar(t, sum ? scale_of(sum, d.most, w * 8 - 1) + 1 : 0);
		screen_plain(t);
		if (sum)
			put_all(t->b, " ",
				scaled(sum < 1000000000 ? SCALE_EXACT : SCALE_COUNT, sum));
		screen_end(t);
	}
}

static void
hist_bins(struct plot *p, struct table *t)
{
	uint32_t *order = names_sorted(&p->key, p->bins.nslots);
	struct rows rows = rows_of(p);

	bins_head(t, p->y.name, "below", plot_key(p), "count");
	EACH_BIN (&p->bins, i)
		for (uint32_t k = 0; k < p->bins.nslots; k++) {
			uint64_t n = bins_at(&p->bins, i)[order[k]];
			uint32_t row = (uint32_t)(p->opts.even ? i - p->bins.lo : i);

			if (!n)
				continue;
			put_bounds(t, p, &rows, row);
			table_text(t, p->key.text.v[order[k]].s);
			table_u64(t, n);
			table_row(t);
		}
}

const struct plot_kind kind_hist = {
    .name = "hist",
    .about = "how many values of each size there are, and the share below",
    .measures = true,
    .key = "event",
    .log = "x",
    .linear = "xy",
    .why = "has bars upon each other, so that only x may be logarithmic; it has no z",
    .value = 'x',
    .open = hist_open,
    .add = hist_add,
    .sums = 1,
    .each = sums_each,
    .slot = sums_slot,
    .fined = hist_fined,
    .whole = hist_whole,
    .svg = hist_svg,
    .terminal = hist_terminal,
    .bins = hist_bins,
};
