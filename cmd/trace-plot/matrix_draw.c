/* matrix_draw.c - draws what matrix.c has counted. */
#include "trace-plot/matrix.h"
#include "trace-plot/raster.h"

/* The cells by line and column of the picture. If names share lanes the numbers are means, because lanes have
 * different numbers of names. */
struct matrix_grid {
	const struct matrix *m;
	const struct plot *p;
	struct raster r;		  /* the numbers that are drawn */
	uint64_t *count, *sum;		  /* of each cell */
	uint64_t ends[SIDES][LANES_MOST]; /* sums of rows and columns */
	uint64_t all;
	enum measure_unit unit, whole; /* unit of the numbers; unit of `all` */
	bool means[SIDES], mean;       /* rows (columns) have means; cells have */
};

static const struct lane *
side_lane(const struct matrix_grid *g, unsigned side, uint32_t i)
{
	return &g->m->side[side].lanes.lane[i];
}

/* Returns the name of lane i of a side. A number has no word such as "rank" before it: the word is at the edge
 * of the picture. */
static const char *
side_name(const struct matrix_grid *g, unsigned side, uint32_t i)
{
	return lanes_name(side_lane(g, side, i), g->m->side[side].names, "", "");
}

/* Returns the mean of a sum over n names, or pairs of names, rounded up, in g->unit. */
static uint64_t
mean_of(const struct matrix_grid *g, uint64_t sum, uint64_t n)
{
	sum *= g->unit == SCALE_MICRO ? 1000000 : 1;
	return sum / n + (sum % n != 0);
}

static void
grid_make(struct matrix_grid *g, struct plot *p)
{
	struct matrix *m = p->state;
	const uint64_t *v;
	uint32_t w, cells;

	*g = (struct matrix_grid){.m = m, .p = p};
	for (unsigned k = 0; k < SIDES; k++) {
		struct lanes *l = &m->side[k].lanes;

		lanes_fit(l, LANES_MOST);
		g->means[k] = lanes_places(l->lane, l->n) > l->n;
		g->mean |= g->means[k];
	}
	v = bins_row(&p->bins, 0);
	g->r.w = w = m->side[COLUMN_SIDE].lanes.n;
	g->r.h = m->side[ROW_SIDE].lanes.n;
	cells = g->r.w * g->r.h;
	g->count = draw_room(cells, sizeof *g->count);
	g->sum = draw_room(cells, sizeof *g->sum);
	g->r.v = draw_room(cells, sizeof *g->r.v);
	for (uint32_t i = 0; i < cells; i++) {
		const uint64_t *sums = v + cell_slot(side_lane(g, ROW_SIDE, i / w)->row,
						     side_lane(g, COLUMN_SIDE, i % w)->row);

		g->count[i] = sums[CELL_COUNT];
		g->sum[i] = sums[CELL_SUM];
		m->sums |= p->opts.sum ? p->sum.list != NULL : m->sends && g->sum[i];
	}
	v = m->sums ? g->sum : g->count;
	for (uint32_t i = 0; i < cells; i++) {
		uint64_t *row = &g->ends[ROW_SIDE][i / w];
		uint64_t *column = &g->ends[COLUMN_SIDE][i % w];

		*row = add_most(*row, v[i]);
		*column = add_most(*column, v[i]);
		g->all = add_most(g->all, v[i]);
	}
	g->whole = g->unit = m->sums ? p->sum.unit : SCALE_COUNT;
	if (g->mean && g->unit == SCALE_COUNT && g->all <= UINT64_MAX / 1000000)
		g->unit = SCALE_MICRO;
	for (uint32_t i = 0; i < cells; i++)
		g->r.v[i] = mean_of(g, v[i],
				    (uint64_t)side_lane(g, ROW_SIDE, i / w)->n *
					side_lane(g, COLUMN_SIDE, i % w)->n);
	for (unsigned k = 0; k < SIDES; k++)
		for (uint32_t i = 0; i < m->side[k].lanes.n; i++)
			g->ends[k][i] = mean_of(g, g->ends[k][i], side_lane(g, k, i)->n);
	raster_edges(&g->r);
	for (uint32_t y = 0; y < g->r.h; y++) {
		g->r.left[y] = side_name(g, ROW_SIDE, y);
		g->r.right[y] = scaled(g->unit, g->ends[ROW_SIDE][y]);
	}
	raster_range(&g->r);
	raster_shade(&g->r);
}

/* Returns the word for the rows, or for the columns. */
static const char *
side_is(const struct matrix_grid *g, unsigned side)
{
	const struct plot *p = g->p;

	if (g->m->sends)
		return side == ROW_SIDE ? "sender" : "receiver";
	return side == COLUMN_SIDE ? plot_key(p) : p->opts.y ? p->opts.y : p->words->place;
}

/* Returns the word for the numbers at the ends of rows, or of columns. */
static const char *
ends_are(const struct matrix_grid *g, unsigned side)
{
	return g->means[side]	  ? "mean"
	       : !g->m->sends	  ? "in all"
	       : side == ROW_SIDE ? "sent"
				  : "received";
}

/* Returns the title: "Who sends how much to whom", or "sum(size) of calls by loc and event, mean per loc". */
static const char *
matrix_title(const struct matrix_grid *g)
{
	const struct plot *p = g->p;
	const char *rows = side_is(g, ROW_SIDE), *columns = side_is(g, COLUMN_SIDE),
		   *mean = "";
	bool both = g->means[ROW_SIDE] && g->means[COLUMN_SIDE];

	if (g->mean)
		mean = formatted(", mean per %.60s",
				 both ? "pair" : side_is(g, g->means[COLUMN_SIDE]));
	if (g->m->sends)
		return joined("Who sends ", g->m->sums ? "how much " : "", "to whom", mean);
	return joined(formatted("%.60s of %s%s by %.60s and %.60s",
				g->m->sums ? p->opts.sum : "Number", p->words->of,
				p->words->events, rows, columns),
		      mean);
}

struct paper {
	int64_t left, top, w, h; /* place of the first cell, and size of each */
	int64_t bottom, end;	 /* lower and right edge of the cells */
	int64_t head, right;	 /* y of the words above the columns; room on the right */
	size_t most[SIDES];	 /* limits of names, in columns of text */
	bool numbers, turned;	 /* cells have numbers; names of columns are turned */
};

/* Returns the width of the widest name of a side, at most `most` columns. */
static int64_t
names_width(const struct matrix_grid *g, unsigned side, size_t most)
{
	int64_t wide = 0;

	for (uint32_t i = 0; i < g->m->side[side].lanes.n; i++) {
		int64_t w = svg_width(side_name(g, side, i), most);

		wide = w > wide ? w : wide;
	}
	return wide;
}

/* Draws the words for the rows, the columns, and the sums at their ends. */
static void
draw_sides(const struct matrix_grid *g, const struct paper *a, struct buf *b)
{
	const char *rows = side_is(g, ROW_SIDE);

	if (svg_width(rows, SVG_NAME) <= a->bottom - a->top)
		svg_text_turned(b, (frame_narrow(g->p) ? 16 : 34) * PX,
				(a->top + a->bottom) / 2, "t", SVG_MIDDLE, rows, SVG_NAME);
	svg_text(b, (a->left + a->end) / 2, a->head, "t", SVG_MIDDLE,
		 side_is(g, COLUMN_SIDE), (size_t)((a->end - a->left) / 700 + 8));
	svg_text(b, a->end + 12 * PX, a->top - 12 * PX, "t", SVG_START,
		 ends_are(g, ROW_SIDE), 10);
	svg_text(b, a->left - 10 * PX, a->bottom + 20 * PX, "t", SVG_END,
		 ends_are(g, COLUMN_SIDE), 10);
}

#define BAR_LONG (56 * PX) /* length of the bar of the greatest sum at an edge */

/* Returns the length of the bar of lane i of a side: the greatest of a side has the length `most`. */
static int64_t
bar_of(const struct matrix_grid *g, unsigned side, uint32_t i, int64_t most)
{
	uint64_t greatest = 1;

	for (uint32_t k = 0; k < g->m->side[side].lanes.n; k++)
		greatest = g->ends[side][k] > greatest ? g->ends[side][k] : greatest;
	return (int64_t)scale_of(g->ends[side][i], greatest, (uint32_t)most);
}

/* Draws the names, the sums and the bars of rows. If small text does not fit, only every n-th row has a name. */
static void
draw_rows(const struct matrix_grid *g, const struct paper *a, struct buf *b)
{
	uint32_t each = lanes_named(a->h);
	int64_t high = a->h * each < 18 * PX ? a->h * each : 18 * PX;

	for (uint32_t y = 0; y < g->r.h; y += each) {
		int64_t at = a->top + a->h * y + a->h / 2 + 4 * PX;

		svg_text(b, a->left - 10 * PX, at, a->h < 14 * PX ? "t" : "", SVG_END,
			 g->r.left[y], a->most[ROW_SIDE]);
		svg_rect(b, BAR, a->end + 6 * PX, at - 4 * PX - high / 2,
			 bar_of(g, ROW_SIDE, y, BAR_LONG), high);
		svg_text(b, a->end + 12 * PX, at, "t n", SVG_START, g->r.right[y], 12);
	}
}

/* Draws the names, the sums and the bars of columns, as draw_rows() does. Names that do not fit above their
 * columns are turned, and so are sums that do not fit below. */
static void
draw_columns(const struct matrix_grid *g, const struct paper *a, struct buf *b)
{
	bool wide = a->w >= 48 * PX;
	uint32_t each = a->turned || !wide ? (uint32_t)((14 * PX + a->w - 1) / a->w) : 1;
	const char *style = a->w < 15 * PX ? "t" : "";

	for (uint32_t x = 0; x < g->r.w; x += each) {
		int64_t middle = a->left + a->w * x + a->w / 2;
		int64_t bar = bar_of(g, COLUMN_SIDE, x, wide ? a->w - 4 * PX : BAR_LONG);
		int64_t across = a->w * each < 14 * PX ? a->w * each : 14 * PX;
		const char *name = side_name(g, COLUMN_SIDE, x);
		const char *sum = scaled(g->unit, g->ends[COLUMN_SIDE][x]);

		if (!a->turned)
			svg_text(b, middle, a->top - 12 * PX, style, SVG_MIDDLE, name,
				 a->most[COLUMN_SIDE]);
		else
			svg_text_turned(b, middle + 4 * PX, a->top - 8 * PX, style,
					SVG_START, name, a->most[COLUMN_SIDE]);
		if (wide) {
			svg_rect(b, BAR, middle - bar / 2, a->bottom + 7 * PX, bar,
				 18 * PX);
			svg_text(b, middle, a->bottom + 20 * PX, "t n", SVG_MIDDLE, sum,
				 12);
		} else {
			svg_rect(b, BAR, middle - across / 2, a->bottom + 4 * PX, across,
				 bar);
			svg_text_turned(b, middle + 4 * PX, a->bottom + 8 * PX, "t n",
					SVG_END, sum, 12);
		}
	}
}

static void
draw_numbers(const struct matrix_grid *g, const struct paper *a, struct buf *b)
{
	for (uint32_t i = 0; i < g->r.w * g->r.h; i++) {
		const char *class = g->r.c[i] < 8 ? "j n" : "i n";
		int64_t middle = a->left + a->w * (i % g->r.w) + a->w / 2;
		int64_t at = a->top + a->h * (i / g->r.w) + a->h / 2 + 4 * PX;

		if (!g->r.v[i])
			continue;
		svg_text(b, middle, at - (g->m->sums ? 6 * PX : 0), class, SVG_MIDDLE,
			 scaled(g->unit, g->r.v[i]), 12);
		if (g->m->sums)
			svg_text(b, middle, at + 10 * PX, class, SVG_MIDDLE,
				 scaled(SCALE_EXACT, g->count[i]), 12);
	}
}

/* Returns the size of a cell along a side of n cells: a part of the `asked` pixels, without what is `taken`;
 * or, if `asked` is 0, a size that fits `most` names, at least `least`. */
static int64_t
cell_size(unsigned asked, int64_t taken, uint32_t n, uint32_t most, int64_t least)
{
	int64_t room = (int64_t)asked * PX - taken;

	if (asked)
		return (room > 20 * PX ? room : 20 * PX) / n;
	return most <= 7 ? 64 * PX : most <= 16 ? 32 * PX : most <= 32 ? 20 * PX : least;
}

/* Computes the places of the cells. */
static void
paper_make(struct paper *a, const struct matrix_grid *g)
{
	const struct plot_options *o = &g->p->opts;
	uint32_t side = g->r.h > g->r.w ? g->r.h : g->r.w;
	bool narrow = frame_narrow(g->p);
	int64_t names;

	a->most[ROW_SIDE] = o->w && o->w < 960 ? o->w / 40 : 24;
	a->most[COLUMN_SIDE] = o->h && o->h < 960 ? o->h / 40 : 24;
	names = names_width(g, COLUMN_SIDE, a->most[COLUMN_SIDE]);
	a->left = 54 * PX + names_width(g, ROW_SIDE, a->most[ROW_SIDE]);
	a->left = a->left < 110 * PX && !narrow ? 110 * PX : a->left;
	a->right = (narrow ? 140 : 220) * PX;
	a->w = cell_size(o->w, a->left + a->right, g->r.w, side, 14 * PX);
	a->turned = names > a->w - 8 * PX;
	a->head = frame_top(g->p, 76, 14);
	a->top = a->head + 16 * PX + (a->turned ? names + 6 * PX : 16 * PX);
	a->h = cell_size(o->h ? frame_height(g->p, 0) : 0, a->top + 80 * PX, g->r.h, side,
			 12 * PX);
	a->end = a->left + a->w * g->r.w;
	a->bottom = a->top + a->h * g->r.h;
	a->numbers = side <= 7 && a->w >= 64 * PX && a->h >= 32 * PX;
}

/* Appends the tooltip of a cell: "0 to 1: 109 KiB in 69 calls". */
static const char *
matrix_told(const struct plot *p, void *of, uint32_t x, uint32_t y)
{
	const struct matrix_grid *g = of;
	const struct matrix *m = g->m;
	uint64_t n = g->count[y * g->r.w + x];
	const char *sum = "";

	if (m->sums || g->mean)
		sum = joined(scaled(g->unit, g->r.v[y * g->r.w + x]),
			     !g->mean  ? " in "
			     : m->sums ? " on average, all "
				       : " on average of ");
	return joined(svg_short(g->r.left[y]), m->sends ? " to " : " · ",
		      svg_short(side_name(g, COLUMN_SIDE, x)), ": ", sum,
		      scaled(SCALE_EXACT, n), " ", events_of(p, n));
}

void
matrix_svg(struct plot *p, struct buf *b)
{
	unsigned w, h, least;
	struct paper a;
	struct matrix_grid g;
	const char *what;
	int64_t gap;

	grid_make(&g, p);
	paper_make(&a, &g);
	w = (unsigned)((a.end + a.right) / PX);
	h = (unsigned)(a.bottom / PX) + (a.w >= 48 * PX ? 40 : 80);
	least = g.mean ? 760 : 640;
	w = p->opts.w ? p->opts.w : w < least ? least : w;
	/* The scale of colours needs room. */
	least = (unsigned)(a.top / PX) + 12 * STEPS + 20;
	h = frame_height(p, h < least ? least : h);
	frame_begin(p, b, w, h, matrix_title(&g),
		    joined(scaled(g.whole, g.all), " in all"));
	gap = a.w > 20 * PX ? 2 * PX : 0;
	svg_rect(b, "f", a.left, a.top, a.end - a.left - gap, a.bottom - a.top - gap);
	what = !g.m->sums	       ? p->words->events
	       : g.unit == SCALE_BYTES ? "bytes"
				       : p->sum.name;
	raster_svg(&g.r, b,
		   &(struct tiles){a.left, a.top, a.w, a.h, .gap = gap, gap,
				   .told = matrix_told, .p = p, .of = &g, .unit = g.unit,
				   .what = what});
	if (a.numbers)
		draw_numbers(&g, &a, b);
	draw_rows(&g, &a, b);
	draw_columns(&g, &a, b);
	draw_sides(&g, &a, b);
	if ((h - 80) * PX > a.top)
		shades_svg(b, a.end + (frame_narrow(p) ? 64 : 110) * PX, a.top + 4 * PX,
			   (h - 6) * PX, g.unit, g.r.least, g.r.most, what, "v");
}

/* Prints the names above the columns. Returns true if some are cut. */
static bool
screen_head(const struct matrix_grid *g, struct screen *t, unsigned at, uint32_t each)
{
	bool cut = false;

	screen_right(t, "", at + 1);
	for (uint32_t x = 0; x < g->r.w; x++) {
		const char *name = side_name(g, COLUMN_SIDE, x);
		size_t n;

		if (screen_wide(t, name, each) < each) {
			screen_right(t, name, each);
			continue;
		}
		cut = true;
		screen_put(t, " ");
		n = screen_name(t, name, each - 2);
		screen_right(t, "~", (unsigned)(each - 1 - n));
	}
	screen_end(t);
	return cut;
}

/* Prints all names of columns below the picture. */
static void
screen_columns(const struct matrix_grid *g, struct screen *t)
{
	screen_put(t, "columns:");
	for (uint32_t x = 0, used = 8; x < g->r.w; x++) {
		const char *name = side_name(g, COLUMN_SIDE, x);
		size_t n = screen_wide(t, name, 28);

		if (used + n + 2 > t->w) {
			screen_end(t);
			used = 0;
		}
		screen_put(t, " ");
		screen_name(t, name, 28);
		screen_put(t, x + 1 < g->r.w ? "," : "");
		used += (uint32_t)n + 2;
	}
	screen_end(t);
}

void
matrix_terminal(struct plot *p, struct screen *t)
{
	unsigned at = 17, w = t->w > at + 12 ? t->w - at - 12 : 8, each;
	struct matrix_grid g;
	bool cut;

	grid_make(&g, p);
	screen_title(t, matrix_title(&g));
	each = w / g.r.w;
	each = each > 9 ? 9 : each ? each : 1;
	cut = each > 3 ? screen_head(&g, t, at, each) : each > 1;
	for (uint32_t y = 0; each > 6 && y < g.r.h; y++) {
		screen_axis(t, g.r.left[y], at);
		for (uint32_t x = 0; x < g.r.w; x++) {
			uint64_t v = g.r.v[y * g.r.w + x];

			screen_right(t, v ? scaled(g.unit, v) : ".", each);
		}
		screen_right(t, g.r.right[y], 10);
		screen_end(t);
	}
	/* If there are more columns than w, neighbours share one. */
	if (each <= 6)
		raster_screen(&g.r, p, t, at, g.r.w > w ? w : g.r.w * each, 10);
	screen_right(t, "in all ", at + 1);
	screen_name(t, scaled(g.whole, g.all), 20);
	screen_end(t);
	if (cut)
		screen_columns(&g, t);
}

void
matrix_bins(struct plot *p, struct table *t)
{
	struct matrix_grid g;

	grid_make(&g, p);
	bins_head(t, p->opts.y ? p->opts.y : "loc", g.m->sends ? "peer" : plot_key(p),
		  "count",
		  !g.m->sums	? NULL
		  : p->opts.sum ? p->opts.sum
				: "sum(size)");
	for (uint32_t i = 0; i < g.r.w * g.r.h; i++) {
		if (!g.count[i])
			continue;
		table_text(t, lanes_range(side_lane(&g, ROW_SIDE, i / g.r.w), &p->row));
		table_text(t, lanes_range(side_lane(&g, COLUMN_SIDE, i % g.r.w), &p->key));
		table_u64(t, g.count[i]);
		if (g.m->sums)
			put_amount(t, g.sum[i], p->sum.unit == SCALE_TIME);
		table_row(t);
	}
}
