/* matrix_draw.c - draws what matrix.c has counted. */
#include "trace-plot/matrix.h"
#include "trace-plot/raster.h"

/* The numbers that are drawn, by lane of both sides. If names share lanes the numbers are means, because lanes
 * have different numbers of names. */
struct matrix_grid {
	const struct matrix *m;
	const uint64_t *v; /* sums by slot */
	struct raster r;
	uint64_t row[LANES_MOST], column[LANES_MOST], all;
	enum measure_unit unit, whole; /* unit of the numbers; unit of `all` */
	bool rows, columns;	       /* rows (columns) have means */
};

static uint64_t
cell(const struct matrix_grid *g, bool sums, uint32_t y, uint32_t x)
{
	const struct matrix *m = g->m;
	uint32_t i = m->row.lanes.lane[y].row, k = m->column.lanes.lane[x].row;

	return g->v[cell_slot(i, k) + (sums ? CELL_SUM : CELL_COUNT)];
}

/* Returns whether some lane has several names. */
static bool
shares(const struct lanes *l)
{
	for (uint32_t i = 0; i < l->n; i++)
		if (l->lane[i].n > 1)
			return true;
	return false;
}

/* Returns the mean of a sum over n names, or pairs of names, rounded up, in g->unit. */
static uint64_t
drawn(const struct matrix_grid *g, uint64_t sum, uint64_t n)
{
	sum *= g->unit == SCALE_MICRO ? 1000000 : 1;
	return sum / n + (sum % n != 0);
}

static void
grid_make(struct matrix_grid *g, struct plot *p)
{
	struct matrix *m = p->state;

	lanes_fit(&m->row.lanes, LANES_MOST);
	lanes_fit(&m->column.lanes, LANES_MOST);
	*g = (struct matrix_grid){.m = m,
				  .r = {.w = m->column.lanes.n, .h = m->row.lanes.n}};
	g->v = bins_row(&p->bins, 0);
	g->r.least = UINT64_MAX;
	g->r.v = draw_room((size_t)g->r.w * g->r.h, sizeof *g->r.v);
	for (uint32_t i = 0; i < g->r.w * g->r.h; i++)
		m->sums |= p->opts.sum
			       ? p->sum.list != NULL
			       : m->sends && cell(g, true, i / g->r.w, i % g->r.w) != 0;
	for (uint32_t i = 0; i < g->r.w * g->r.h; i++) {
		uint64_t v = cell(g, m->sums, i / g->r.w, i % g->r.w);

		g->row[i / g->r.w] = add_most(g->row[i / g->r.w], v);
		g->column[i % g->r.w] = add_most(g->column[i % g->r.w], v);
		g->all = add_most(g->all, v);
	}
	g->rows = shares(&m->row.lanes);
	g->columns = shares(&m->column.lanes);
	g->whole = g->unit = m->sums ? p->sum.unit : SCALE_COUNT;
	if ((g->rows || g->columns) && g->unit == SCALE_COUNT &&
	    g->all <= UINT64_MAX / 1000000)
		g->unit = SCALE_MICRO;
	for (uint32_t i = 0; i < g->r.w * g->r.h; i++) {
		uint32_t y = i / g->r.w, x = i % g->r.w;
		uint64_t n = (uint64_t)m->row.lanes.lane[y].n * m->column.lanes.lane[x].n;
		uint64_t v = drawn(g, cell(g, m->sums, y, x), n);

		g->r.v[i] = v;
		g->r.most = v > g->r.most ? v : g->r.most;
		g->r.least = v && v < g->r.least ? v : g->r.least;
	}
	for (uint32_t y = 0; y < g->r.h; y++)
		g->row[y] = drawn(g, g->row[y], m->row.lanes.lane[y].n);
	for (uint32_t x = 0; x < g->r.w; x++)
		g->column[x] = drawn(g, g->column[x], m->column.lanes.lane[x].n);
	raster_shade(&g->r);
}

/* Returns the word for the rows; columns_are() returns the word for the columns. */
static const char *
rows_are(const struct plot *p, const struct matrix_grid *g)
{
	return g->m->sends ? "sender" : p->opts.y ? p->opts.y : p->words->place;
}

static const char *
columns_are(const struct plot *p, const struct matrix_grid *g)
{
	return g->m->sends ? "receiver" : plot_key(p);
}

/* Appends the title: "Who sends how much to whom", or "sum(size) of calls by loc and event, mean per loc". */
static void
matrix_title(const struct plot *p, const struct matrix_grid *g, struct buf *b)
{
	const struct matrix *m = g->m;

	if (m->sends)
		put_all(b, m->sums ? "Who sends how much to whom" : "Who sends to whom");
	else
		put_format(b, "%.60s of %s%s by %.60s and %.60s",
			   m->sums ? p->opts.sum : "Number", p->words->of, p->words->events,
			   rows_are(p, g), columns_are(p, g));
	if (g->rows || g->columns)
		put_format(b, ", mean per %.60s",
			   g->rows && g->columns ? "pair"
			   : g->rows		 ? rows_are(p, g)
						 : columns_are(p, g));
}

/* Returns the name of lane i. A number has no word such as "rank" before it: the word is at the edge of the
 * picture. */
static const char *
lane_text(const struct matrix_side *s, uint32_t i, struct buf *text)
{
	lanes_name(&s->lanes.lane[i], s->names, "", "", text);
	return buf_text(text);
}

struct paper {
	int64_t left, top, w, h; /* place of the first cell, and size of each */
	int64_t head, right;	 /* y of the words above the columns; room on the right */
	/* limits of the names of rows and columns, in columns of text */
	size_t row, column;
	bool numbers, turned; /* cells have numbers; names of columns are turned */
};

/* Returns the width of the widest name of a side, at most `most` columns. */
static int64_t
names_width(const struct matrix_side *s, size_t most)
{
	struct buf text = {0};
	int64_t wide = 0;

	for (uint32_t i = 0; i < s->lanes.n; i++) {
		int64_t w = svg_width(lane_text(s, i, &text), most);

		wide = w > wide ? w : wide;
	}
	buf_free(&text);
	return wide;
}

/* Draws the words for the rows, the columns, and the sums at their ends. */
static void
draw_sides(const struct plot *p, const struct matrix_grid *g, const struct paper *a,
	   struct buf *b)
{
	int64_t right = a->left + a->w * g->r.w, bottom = a->top + a->h * g->r.h;
	bool sends = g->m->sends;
	const char *rows = rows_are(p, g);

	if (svg_width(rows, SVG_NAME) <= bottom - a->top)
		svg_text_turned(b, (frame_narrow(p) ? 16 : 34) * PX, (a->top + bottom) / 2,
				"t", SVG_MIDDLE, rows, SVG_NAME);
	svg_text(b, (a->left + right) / 2, a->head, "t", SVG_MIDDLE, columns_are(p, g),
		 (size_t)((right - a->left) / 700 + 8));
	svg_text(b, right + 12 * PX, a->top - 12 * PX, "t", SVG_START,
		 g->rows ? "mean"
		 : sends ? "sent"
			 : "in all",
		 10);
	svg_text(b, a->left - 10 * PX, bottom + 20 * PX, "t", SVG_END,
		 g->columns ? "mean"
		 : sends    ? "received"
			    : "in all",
		 10);
}

#define BAR_LONG (56 * PX) /* length of the bar of the greatest sum at an edge */

/* Returns v[i] as a length: the greatest of n numbers has the length `most`. */
static int64_t
scaled_to(const uint64_t *v, uint32_t n, uint32_t i, int64_t most)
{
	uint64_t greatest = 1;

	for (uint32_t k = 0; k < n; k++)
		greatest = v[k] > greatest ? v[k] : greatest;
	return (int64_t)scale_of(v[i], greatest, (uint32_t)most);
}

/* Draws the names, the sums and the bars at the edges. If small text does not fit, only every n-th row or
 * column has a name. */
static void
draw_edges(const struct matrix_grid *g, const struct paper *a, struct buf *b)
{
	int64_t right = a->left + a->w * g->r.w, bottom = a->top + a->h * g->r.h;
	uint32_t each = (uint32_t)((11 * PX + a->h - 1) / a->h);
	const char *style = a->h < 14 * PX ? "t" : "";
	int64_t high, wide;
	struct buf text = {0};

	for (uint32_t y = 0; y < g->r.h; y += each) {
		int64_t at = a->top + a->h * y + a->h / 2 + 4 * PX;

		svg_text(b, a->left - 10 * PX, at, style, SVG_END,
			 lane_text(&g->m->row, y, &text), a->row);
		high = a->h * each < 18 * PX ? a->h * each : 18 * PX;
		svg_rect(b, BAR, right + 6 * PX, at - 4 * PX - high / 2,
			 scaled_to(g->row, g->r.h, y, BAR_LONG), high);
		svg_text(b, right + 12 * PX, at, "t n", SVG_START,
			 scaled(g->unit, g->row[y]), 12);
	}
	/* Names that do not fit above their columns are turned. */
	each = a->turned || a->w < 48 * PX ? (uint32_t)((14 * PX + a->w - 1) / a->w) : 1;
	style = a->w < 15 * PX ? "t" : "";
	for (uint32_t x = 0; x < g->r.w; x += each) {
		int64_t middle = a->left + a->w * x + a->w / 2;
		const char *name = lane_text(&g->m->column, x, &text);
		const char *sum = scaled(g->unit, g->column[x]);

		if (!a->turned)
			svg_text(b, middle, a->top - 12 * PX, style, SVG_MIDDLE, name,
				 a->column);
		else
			svg_text_turned(b, middle + 4 * PX, a->top - 8 * PX, style,
					SVG_START, name, a->column);
		wide = a->w >= 48 * PX ? scaled_to(g->column, g->r.w, x, a->w - 4 * PX)
				       : scaled_to(g->column, g->r.w, x, BAR_LONG);
		high = a->w * each < 14 * PX ? a->w * each : 14 * PX;
		if (a->w >= 48 * PX)
			svg_rect(b, BAR, middle - wide / 2, bottom + 7 * PX, wide, 18 * PX);
		else
			svg_rect(b, BAR, middle - high / 2, bottom + 4 * PX, high, wide);
		if (a->w >= 48 * PX)
			svg_text(b, middle, bottom + 20 * PX, "t n", SVG_MIDDLE, sum, 12);
		else
			svg_text_turned(b, middle + 4 * PX, bottom + 8 * PX, "t n", SVG_END,
					sum, 12);
	}
	buf_free(&text);
}

static void
draw_numbers(const struct matrix_grid *g, const struct paper *a, struct buf *b)
{
	for (uint32_t y = 0; y < g->r.h; y++)
		for (uint32_t x = 0; x < g->r.w; x++) {
			uint64_t v = g->r.v[y * g->r.w + x];
			const char *class = g->r.c[y * g->r.w + x] < 8 ? "j n" : "i n";
			int64_t middle = a->left + a->w * x + a->w / 2;
			int64_t at = a->top + a->h * y + a->h / 2 + 4 * PX;

			if (!v)
				continue;
			svg_text(b, middle, at - (g->m->sums ? 6 * PX : 0), class,
				 SVG_MIDDLE, scaled(g->unit, v), 12);
			if (!g->m->sums)
				continue;
			svg_text(b, middle, at + 10 * PX, class, SVG_MIDDLE,
				 scaled(SCALE_EXACT, cell(g, false, y, x)), 12);
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
paper_make(struct paper *a, const struct plot *p, const struct matrix_grid *g)
{
	uint32_t side = g->r.h > g->r.w ? g->r.h : g->r.w;
	int64_t names;

	a->row = p->opts.w && p->opts.w < 960 ? p->opts.w / 40 : 24;
	a->column = p->opts.h && p->opts.h < 960 ? p->opts.h / 40 : 24;
	names = names_width(&g->m->column, a->column);
	a->left = 54 * PX + names_width(&g->m->row, a->row);
	a->left = a->left < 110 * PX && !frame_narrow(p) ? 110 * PX : a->left;
	a->right = (frame_narrow(p) ? 140 : 220) * PX;
	a->w = cell_size(p->opts.w, a->left + a->right, g->r.w, side, 14 * PX);
	a->turned = names > a->w - 8 * PX;
	a->head = frame_top(p, 76, 14);
	a->top = a->head + 16 * PX + (a->turned ? names + 6 * PX : 16 * PX);
	a->h = cell_size(p->opts.h ? frame_height(p, 0) : 0, a->top + 80 * PX, g->r.h, side,
			 12 * PX);
	a->numbers = side <= 7 && a->w >= 64 * PX && a->h >= 32 * PX;
}

/* Appends the tooltip of a cell: "0 to 1: 109 KiB in 69 calls". */
static void
matrix_told(const struct plot *p, void *of, uint32_t x, uint32_t y, struct buf *text)
{
	const struct matrix_grid *g = of;
	const struct matrix *m = g->m;
	uint64_t n = cell(g, false, y, x);
	struct buf name = {0};

	svg_put_short(text, lane_text(&m->row, y, &name));
	put_all(text, m->sends ? " to " : " · ");
	svg_put_short(text, lane_text(&m->column, x, &name));
	put_all(text, ": ");
	buf_free(&name);
	if (m->sums)
		put_all(text, scaled(g->unit, g->r.v[y * g->r.w + x]),
			g->rows || g->columns ? " on average, all " : " in ");
	else if (g->rows || g->columns)
		put_all(text, scaled(g->unit, g->r.v[y * g->r.w + x]), " on average of ");
	put_all(text, scaled(SCALE_EXACT, n), " ", events_of(p, n));
}

void
matrix_svg(struct plot *p, struct buf *b)
{
	struct buf title = {0}, said = {0};
	unsigned w, h, least;
	struct paper a;
	struct matrix_grid g;
	const char *what;
	int64_t gap;

	grid_make(&g, p);
	paper_make(&a, p, &g);
	w = (unsigned)((a.left + a.w * g.r.w + a.right) / PX);
	h = (unsigned)((a.top + a.h * g.r.h) / PX) + (a.w >= 48 * PX ? 40 : 80);
	least = g.rows || g.columns ? 760 : 640;
	w = p->opts.w ? p->opts.w : w < least ? least : w;
	/* The scale of colours needs room. */
	least = (unsigned)(a.top / PX) + 12 * STEPS + 20;
	h = frame_height(p, h < least ? least : h);
	matrix_title(p, &g, &title);
	scale_put(&said, g.whole, g.all, " in all");
	frame_begin(p, b, w, h, &title, &said);
	gap = a.w > 20 * PX ? 2 * PX : 0;
	svg_rect(b, "f", a.left, a.top, a.w * g.r.w - gap, a.h * g.r.h - gap);
	what = !g.m->sums	       ? p->words->events
	       : g.unit == SCALE_BYTES ? "bytes"
				       : p->sum.name;
	raster_svg(&g.r, b,
		   &(struct tiles){a.left, a.top, a.w, a.h, .gap = gap, gap,
				   .told = matrix_told, .p = p, .of = &g, .unit = g.unit,
				   .what = what});
	if (a.numbers)
		draw_numbers(&g, &a, b);
	draw_edges(&g, &a, b);
	draw_sides(p, &g, &a, b);
	if ((h - 80) * PX > a.top)
		shades_svg(b, a.left + a.w * g.r.w + (frame_narrow(p) ? 64 : 110) * PX,
			   a.top + 4 * PX, (h - 6) * PX, g.unit, g.r.least, g.r.most, what,
			   "v");
}

/* Prints the names above the columns. Returns true if some are cut. */
static bool
screen_head(const struct matrix_grid *g, struct screen *t, unsigned at, uint32_t each)
{
	struct buf text = {0};
	bool cut = false;
	size_t n;

	screen_right(t, "", at + 1);
	for (uint32_t x = 0; x < g->r.w; x++) {
		lane_text(&g->m->column, x, &text);
		if (screen_wide(t, (char *)text.p, each) < each) {
			screen_right(t, (char *)text.p, each);
			continue;
		}
		cut = true;
		screen_put(t, " ");
		n = screen_name(t, (char *)text.p, each - 2);
		screen_right(t, "~", (unsigned)(each - 1 - n));
	}
	screen_end(t);
	buf_free(&text);
	return cut;
}

/* Prints all names of columns below the picture. */
static void
screen_columns(const struct matrix_grid *g, struct screen *t)
{
	struct buf text = {0};

	screen_put(t, "columns:");
	for (uint32_t x = 0, used = 8; x < g->r.w; x++) {
		const char *name = lane_text(&g->m->column, x, &text);
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
	buf_free(&text);
}

static bool
matrix_edge(const struct plot *p, void *of, uint32_t y, struct buf *left, struct buf *right)
{
	const struct matrix_grid *g = of;

	(void)p;
	lanes_name(&g->m->row.lanes.lane[y], g->m->row.names, "", "", left);
	scale_put(right, g->unit, g->row[y], "");
	return true;
}

void
matrix_terminal(struct plot *p, struct screen *t)
{
	unsigned at = 17, w = t->w > at + 12 ? t->w - at - 12 : 8, each;
	struct buf text = {0};
	struct matrix_grid g;
	bool cut = false;

	grid_make(&g, p);
	matrix_title(p, &g, &text);
	screen_title(t, &text);
	each = w / g.r.w;
	each = each > 9 ? 9 : each ? each : 1;
	if (each > 3)
		cut = screen_head(&g, t, at, each);
	else if (each > 1)
		cut = true;
	for (uint32_t y = 0; each > 6 && y < g.r.h; y++) {
		screen_axis(t, lane_text(&g.m->row, y, &text), at);
		for (uint32_t x = 0; x < g.r.w; x++) {
			uint64_t v = g.r.v[y * g.r.w + x];

			screen_right(t, v ? scaled(g.unit, v) : ".", each);
		}
		screen_right(t, scaled(g.unit, g.row[y]), 10);
		screen_end(t);
	}
	buf_free(&text);
	/* If there are more columns than w, neighbours share one. */
	if (each <= 6)
		raster_screen(&g.r, t, at, g.r.w > w ? w : g.r.w * each, 10, matrix_edge, p,
			      &g);
	screen_right(t, "in all ", at + 1);
	screen_name(t, scaled(g.whole, g.all), 20);
	screen_end(t);
	if (cut)
		screen_columns(&g, t);
}

void
matrix_bins(struct plot *p, struct table *t)
{
	struct matrix *m = p->state;
	struct matrix_grid g;

	grid_make(&g, p);
	bins_head(t, p->opts.y ? p->opts.y : "loc", m->sends ? PEER : plot_key(p), "count",
		  !m->sums	? NULL
		  : p->opts.sum ? p->opts.sum
				: "sum(size)");
	for (uint32_t y = 0; y < g.r.h; y++)
		for (uint32_t x = 0; x < g.r.w; x++) {
			if (!cell(&g, false, y, x))
				continue;
			lanes_put(&m->row.lanes.lane[y], &p->row, table_cell(t));
			lanes_put(&m->column.lanes.lane[x], &p->key, table_cell(t));
			table_u64(t, cell(&g, false, y, x));
			if (m->sums)
				put_amount(t, cell(&g, true, y, x),
					   p->sum.unit == SCALE_TIME);
			table_row(t);
		}
}
