/*
 * addr.c - which addresses are touched when, and how: what nobody touches is cut out.
 *
 * Addresses lie in blocks of 2^j bytes, of which only those that something touches have a row. When
 * there are more than ROWS, j grows and pairs become one. So the bytes of each block are those of
 * a second pass with the final j, whatever the order of the events.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "export/tally.h"
#include "plot/plot.h"

#define ROWS 256u
#define TABLE (4 * ROWS)
#define REGIONS 12u
#define NEAR (64u * 4096) /* a gap of so many bytes is not cut: 64 pages */

/* In the order in which they are drawn over each other, the uppermost first. */
enum {
	WRITTEN,
	READ,
	TOUCHED,
	FETCHED,
	WAYS
};

static const char *const way_name[WAYS] = {"written", "read", "touched", "fetched"};
/* Numbers of colours. */
static const unsigned way_colour[WAYS] = {3, 0, 2, 5};

struct block {
	uint64_t at; /* its first address >> j */
	uint32_t row;
};

struct addr {
	unsigned j;
	uint32_t n; /* blocks */
	struct {
		uint64_t at;
		uint32_t row; /* + 1; 0: free */
	} table[TABLE];
	uint32_t free[ROWS], nfree; /* rows without a block */
	uint8_t *way;		    /* by number of a type: + 1 */
	size_t way_cap;
	unsigned epoch, heads;
	bool hex;
};

static void
addr_open(struct plot *p)
{
	struct addr *m = xcalloc(1, sizeof *m);

	if (p->how.sum && strcmp(p->how.sum, "sum(size)") != 0)
		die("-a %s: addr draws sum(size)", p->how.sum);
	p->state = m;
	for (m->nfree = 0; m->nfree < ROWS; m->nfree++)
		m->free[m->nfree] = ROWS - 1 - m->nfree;
	p->bins.bytes = 2u << 20; /* as much again while it folds */
	bins_slots(&p->bins, ROWS * WAYS);
}

/* Where block `at` is in the table, or would be. */
static inline uint32_t
place(const struct addr *m, uint64_t at)
{
	uint32_t i = (uint32_t)((at * 0x9e3779b97f4a7c15u) >> 54);

	while (m->table[i].row && m->table[i].at != at)
		i = (i + 1) % TABLE;
	return i;
}

static int
by_place(const void *x, const void *y)
{
	const struct block *a = x, *b = y;

	return a->at < b->at ? -1 : a->at > b->at;
}

/* All blocks in order of their addresses. */
static uint32_t
blocks_of(const struct addr *m, struct block b[ROWS])
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < TABLE; i++)
		if (m->table[i].row)
			b[n++] = (struct block){m->table[i].at, m->table[i].row - 1};
	qsort(b, n, sizeof *b, by_place);
	return n;
}

/* Makes blocks twice as large. */
static COLD void
fold(struct plot *p)
{
	struct addr *m = p->state;
	struct block b[ROWS];
	uint32_t n = blocks_of(m, b), slot[ROWS * WAYS];

	for (uint32_t i = 0; i < ROWS * WAYS; i++)
		slot[i] = i;
	memset(m->table, 0, sizeof m->table);
	m->j++;
	m->n = 0;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t at = place(m, b[i].at >> 1);

		if (!m->table[at].row) {
			m->table[at].at = b[i].at >> 1;
			m->table[at].row = b[i].row + 1;
			m->n++;
			continue;
		}
		for (uint32_t way = 0; way < WAYS; way++)
			slot[b[i].row * WAYS + way] = (m->table[at].row - 1) * WAYS + way;
		m->free[m->nfree++] = b[i].row;
	}
	bins_move(&p->bins, slot);
}

/* The row of the block with address a, which may be new; NO_SLOT where there is no memory for it. */
static inline uint32_t
row_of(struct addr *m, uint64_t a)
{
	uint32_t at = place(m, a >> m->j);

	if (likely(m->table[at].row))
		return m->table[at].row - 1;
	if (m->n == ROWS)
		return NO_SLOT;
	m->n++;
	m->table[at].at = a >> m->j;
	m->table[at].row = m->free[--m->nfree] + 1;
	return m->table[at].row - 1;
}

/* Adds the bytes from a to `last`, both included. */
static inline void
cover(struct plot *p, int64_t time, uint64_t a, uint64_t last, uint32_t way)
{
	struct addr *m = p->state;
	uint64_t *sum = bins_row(&p->bins, time) + way;

	for (;;) {
		uint64_t end = a | ((1ull << m->j) - 1);
		uint32_t row = row_of(m, a);

		if (unlikely(row == NO_SLOT)) {
			fold(p);
			continue;
		}
		end = end < last ? end : last;
		sum[row * WAYS] = add_most(sum[row * WAYS], end - a + 1);
		if (end == last)
			return;
		a = end + 1;
	}
}

static uint8_t
way_of(struct addr *m, const struct type *ty)
{
	uint8_t op = op_of(ty);

	m->hex |= ty->addr_hex;
	return op == OP_WRITE	? WRITTEN
	       : op == OP_READ	? READ
	       : op == OP_FETCH ? FETCHED
				: TOUCHED;
}

static void
addr_add(struct plot *p, struct source *s, const struct batch *b, const uint32_t *pick,
	 uint32_t n)
{
	struct addr *m = p->state;
	uint64_t unit = head_addr_unit(&s->head), most;

	unit = unit ? unit : 1;
	most = UINT64_MAX / unit;
	if (m->epoch != s->t.epoch || m->heads != s->heads) {
		if (m->way_cap)
			memset(m->way, 0, m->way_cap);
		m->epoch = s->t.epoch;
		m->heads = s->heads;
	}
	m->way = grow(m->way, &m->way_cap, s->t.ntypes, 1);
	for (uint32_t i = 0; i < n; i++) {
		const struct rec *r = batch_rec(b, pick ? pick[i] : i);
		uint64_t size = r->has & HAS_SIZE ? r->size : 1, a = r->addr;

		/* What touches nothing, or is beyond 64 bits, is left out. */
		if (unlikely(!(r->has & HAS_ADDR) || !size || a > most)) {
			p->y.absent++;
			continue;
		}
		if (unlikely(!m->way[r->type]))
			m->way[r->type] = (uint8_t)(way_of(m, &s->t.type[r->type]) + 1);
		a *= unit;
		size = size - 1 > UINT64_MAX - a ? UINT64_MAX - a + 1 : size;
		cover(p, r->time ^ p->flip, a, a + (size - 1), m->way[r->type] - 1u);
		p->events++;
	}
}

/* A series is a block and a way: the row is named by the first address, the sum is j. */
static void
addr_each(struct plot *p,
	  void (*with)(void *arg, uint32_t slot, const char *lane, const char *name,
		       unsigned sum),
	  void *arg)
{
	const struct addr *m = p->state;
	struct block b[ROWS];
	uint32_t n = blocks_of(m, b);

	for (uint32_t i = 0; i < n; i++)
		for (uint32_t way = 0; way < WAYS; way++) {
			char lane[24];

			snprintf(lane, sizeof lane, m->hex ? "0x%" PRIx64 : "%" PRIu64,
				 b[i].at << m->j);
			with(arg, b[i].row * WAYS + way, lane, way_name[way], m->j);
		}
}

static uint32_t
addr_slot(struct plot *p, const char *lane, const char *name, unsigned sum)
{
	struct addr *m = p->state;
	char *end;
	uint64_t a = strtoull(lane, &end, 0);
	uint32_t way = 0, row;

	while (way < WAYS && strcmp(name, way_name[way]) != 0)
		way++;
	if (way == WAYS || sum > 63 || *lane < '0' || *lane > '9' || *end)
		return NO_SLOT;
	m->hex |= lane[1] == 'x';
	while (m->j < sum || (row = row_of(m, a)) == NO_SLOT)
		fold(p);
	return row * WAYS + way;
}

/* What is drawn: lines of the picture, the highest address first. */
struct map {
	struct columns c;
	struct region {
		uint64_t from, to; /* blocks, both included */
		uint32_t top, h;   /* lines */
	} region[REGIONS];
	uint32_t n, lines;
	uint64_t bytes;	    /* blocks that are touched */
	uint64_t way[WAYS]; /* bytes touched so */
	uint8_t *v;	    /* by line, then by column: way + 1, or 0 */
};

/* Blocks to at most REGIONS regions: gaps that are small beside all of it are no gaps, and of more
 * the smallest are closed. */
static void
find_regions(struct map *g, const struct addr *m, const struct block *b, uint32_t n)
{
	uint64_t near =
	    ((uint64_t)NEAR >> m->j) > n / 16 + 1 ? (uint64_t)NEAR >> m->j : n / 16 + 1;
	bool cut[ROWS] = {false};
	uint32_t cuts = 0;

	for (uint32_t i = 1; i < n; i++) {
		cut[i] = b[i].at - b[i - 1].at - 1 > near;
		cuts += cut[i];
	}
	for (; cuts >= REGIONS; cuts--) {
		uint32_t best = 0;

		for (uint32_t i = 1; i < n; i++)
			if (cut[i] &&
			    (!best || b[i].at - b[i - 1].at < b[best].at - b[best - 1].at))
				best = i;
		cut[best] = false;
	}
	for (uint32_t i = 0; i < n; i++) {
		if (!i || cut[i])
			g->region[g->n++].from = b[i].at;
		g->region[g->n - 1].to = b[i].at;
	}
}

/* Heights of the regions by their sizes, each at least `least` lines, with `gap` between. */
static void
place_regions(struct map *g, uint32_t lines, uint32_t least, uint32_t gap)
{
	uint32_t taken, top = 0;
	uint64_t all = 0, rest;

	/* In a small picture there is less for each. */
	for (; (least + gap) * g->n > lines && least > 1; least--)
		gap = gap > 1 ? gap - 1 : gap;
	taken = g->n * least + (g->n - 1) * gap;
	rest = lines > taken ? lines - taken : 0;
	for (uint32_t i = 0; i < g->n; i++)
		all = add_most(all, g->region[i].to - g->region[i].from + 1);
	for (uint32_t i = g->n; i-- > 0;) {
		struct region *r = &g->region[i];

		r->top = top;
		r->h = least + (uint32_t)scale_of(r->to - r->from + 1, all, rest);
		top += r->h + gap;
	}
	g->lines = top - gap;
}

static void
map_make(struct map *g, const struct plot *p, uint32_t columns, uint32_t lines,
	 uint32_t least, uint32_t gap)
{
	const struct addr *m = p->state;
	struct block b[ROWS];
	uint32_t n = blocks_of(m, b), k = 0;

	memset(g, 0, sizeof *g);
	g->c = columns_of(&p->bins, columns);
	g->bytes = (uint64_t)n << m->j;
	find_regions(g, m, b, n);
	place_regions(g, lines, least, gap);
	g->v = xcalloc((size_t)g->lines * g->c.n, 1);
	for (uint32_t i = 0; i < n; i++) {
		const struct region *r = &g->region[k];
		uint64_t size;
		uint32_t top, end;

		if (b[i].at > r->to)
			r = &g->region[++k];
		size = r->to - r->from + 1;
		top = r->top + (uint32_t)scale_of(r->to - b[i].at, size, r->h * 64) / 64;
		end = r->top +
		      ((uint32_t)scale_of(r->to - b[i].at + 1, size, r->h * 64) + 63) / 64;
		top = top < r->top + r->h ? top : r->top + r->h - 1;
		for (uint32_t x = 0; x < g->c.n; x++) {
			bool drawn = false;

			for (uint32_t way = 0; way < WAYS; way++) {
				uint64_t sum =
				    columns_sum(&p->bins, &g->c, x, b[i].row * WAYS + way);

				g->way[way] = add_most(g->way[way], sum);
				if (!sum || drawn)
					continue;
				for (uint32_t y = top; y < end || y == top; y++) {
					uint8_t *v = &g->v[y * g->c.n + x];

					*v = !*v || *v > way + 1 ? (uint8_t)(way + 1) : *v;
				}
				drawn = true;
			}
		}
	}
}

/* One way as one path: neighbours in a line as one rectangle, and equal lines as one. */
static void
draw_way(const struct map *g, struct buf *b, uint32_t way)
{
	uint32_t w = g->c.n, h;
	char text[64];
	bool open = false;
	int px = 0, py = 0;

	for (uint32_t y = 0; y < g->lines; y += h) {
		for (h = 1;
		     y + h < g->lines && !memcmp(g->v + y * w, g->v + (y + h) * w, w);)
			h++;
		for (uint32_t x = 0, n; x < w; x += n ? n : 1) {
			for (n = 0; x + n < w && g->v[y * w + x + n] == way + 1;)
				n++;
			if (!n)
				continue;
			if (!open) {
				sprintf(text, "c%u k", way_colour[way]);
				svg_path(b, text);
			}
			sprintf(text, "%c%d %dh%uv%uh-%uz", open ? 'm' : 'M', (int)x - px,
				(int)y - py, n, h, n);
			buf_add(b, text, strlen(text));
			open = true;
			px = (int)x;
			py = (int)y;
		}
	}
	if (open)
		svg_path_end(b, way_name[way]);
}

static void
put_addr(struct buf *b, const struct addr *m, uint64_t at)
{
	if (m->hex)
		scale_put(b, SCALE_HEX, at, "");
	else
		scale_put(b, SCALE_BYTES, at, "");
}

/* How much is touched, and in what the picture shows it. */
static void
addr_said(const struct plot *p, const struct map *g, struct buf *said)
{
	const struct addr *m = p->state;

	scale_put(said, SCALE_BYTES, g->bytes, " touched");
	buf_add(said, " in blocks of ", 14);
	scale_put(said, SCALE_BYTES, 1ull << m->j, "");
	if (g->n < 2)
		return;
	buf_add(said, " in ", 4);
	scale_put_commas(said, g->n);
	buf_add(said, " regions, gaps are cut", 22);
}

#define ADDRESS 20	  /* columns of text */
#define CELLS_MOST 200000 /* bytes of SVG, where there are finer cells than need be */

static void
draw_ways(const struct map *g, struct buf *b)
{
	for (uint32_t way = WAYS; way-- > 0;)
		draw_way(g, b, way);
}

/* The cells in lines of so many hundredths of a pixel, which are given: as fine as the bins are, or
 * coarser where that would be a large picture. */
static int64_t
fit_cells(struct map *g, const struct plot *p, unsigned lines, struct buf *cells)
{
	map_make(g, p, BINS_MOST, lines, 16, 6);
	draw_ways(g, cells);
	if (cells->n <= CELLS_MOST)
		return PX;
	free(g->v);
	cells->n = 0;
	map_make(g, p, 177, lines / 2, 8, 3);
	draw_ways(g, cells);
	return 2 * PX;
}

/* The first address and the size of each region, from below: what would stand in the one before is
 * left out. */
static void
draw_labels(const struct map *g, const struct addr *m, struct buf *b, const struct frame *f,
	    int64_t line)
{
	int64_t last = INT64_MAX, last_size = INT64_MAX;
	struct buf text = {0};

	for (uint32_t i = 0; i < g->n; i++) {
		const struct region *r = &g->region[i];
		int64_t low = f->top + (r->top + r->h) * line;
		int64_t middle = low - r->h * line / 2 + 4 * PX;

		if (last - low >= 11 * PX) {
			put_addr(&text, m, r->from << m->j);
			svg_text(b, f->left - 8 * PX, low - PX, "t n", SVG_END,
				 buf_text(&text), ADDRESS);
			last = low;
		}
		if (last_size - middle >= 11 * PX) {
			scale_put(&text, SCALE_BYTES, (r->to - r->from + 1) << m->j, "");
			svg_text(b, f->right + 8 * PX, middle, "t n", SVG_START,
				 buf_text(&text), 12);
			last_size = middle;
		}
	}
	buf_free(&text);
}

static void
addr_svg(struct plot *p, struct buf *b)
{
	const struct addr *m = p->state;
	unsigned w = p->how.w ? p->how.w : 960, h = p->how.h ? p->how.h : 500;
	struct frame f = {92 * PX, (w - 160) * PX, 78 * PX, 0};
	struct buf text = {0}, cells = {0};
	struct map g;
	int64_t line = fit_cells(&g, p, h - 130, &cells), y = 84 * PX;

	for (uint32_t i = 0; i < g.n; i++) {
		int64_t wide;

		put_addr(&text, m, g.region[i].from << m->j);
		wide = 32 * PX + svg_width(buf_text(&text), ADDRESS);
		f.left = wide > f.left ? wide : f.left;
	}
	f.bottom = f.top + g.lines * line;
	addr_said(p, &g, &text);
	frame_begin(p, b, w, h, p->words->touches, buf_text(&text));
	for (uint32_t i = 0; i < g.n; i++)
		svg_rect(b, "f", f.left, f.top + g.region[i].top * line, f.right - f.left,
			 g.region[i].h * line);
	frame_time(p, b, &f, false);
	frame_window(p, b, &f, &g.c, g.lines * PX);
	buf_add(b, cells.p, cells.n);
	svg_window_end(b);
	draw_labels(&g, m, b, &f, line);
	for (uint32_t way = 0; way < WAYS; way++) {
		if (!g.way[way])
			continue;
		svg_swatch(b, way_colour[way], f.right + 76 * PX, y);
		svg_text(b, f.right + 92 * PX, y + 4 * PX, "", SVG_START, way_name[way], 9);
		scale_put(&text, SCALE_BYTES, g.way[way], "");
		svg_text(b, f.right + 92 * PX, y + 18 * PX, "t n", SVG_START,
			 buf_text(&text), 9);
		y += 34 * PX;
	}
	free(g.v);
	buf_free(&text);
	buf_free(&cells);
}

static void
addr_terminal(struct plot *p, struct screen *t)
{
	const struct addr *m = p->state;
	unsigned at = 17, w = t->w - at - 10;
	struct buf text = {0};
	struct map g;

	map_make(&g, p, BINS_MOST, t->h, 1, 0);
	put_all(&text, p->words->touches, "; ", NULL);
	addr_said(p, &g, &text);
	screen_title(t, buf_text(&text));
	for (uint32_t y = 0, i = g.n - 1; y < g.lines; y++) {
		const struct region *r = &g.region[i];
		bool below = y + 1 == r->top + r->h;

		put_addr(&text, m, r->from << m->j);
		screen_axis(t, below ? buf_text(&text) : NULL, at);
		text.n = 0;
		for (unsigned x = 0; x < w; x++) {
			uint32_t from = (uint32_t)((uint64_t)x * g.c.n / w), way = 0;
			uint32_t to = (uint32_t)((uint64_t)(x + 1) * g.c.n / w);

			for (uint32_t k = from; k < to || k == from; k++) {
				uint32_t v = g.v[y * g.c.n + k];

				way = v && (!way || v < way) ? v : way;
			}
			if (way)
				screen_colour(t, colour_dark[way_colour[way - 1]]);
			if (t->colour && t->utf8)
				screen_put(t, way ? "█" : " ");
			else
				buf_byte(t->b, " WRTF"[way]);
		}
		screen_plain(t);
		scale_put(&text, SCALE_BYTES, (r->to - r->from + 1) << m->j, "");
		if (below)
			screen_right(t, buf_text(&text), 9);
		text.n = 0;
		screen_end(t);
		i -= below;
	}
	screen_time(p, t, at, w);
	for (uint32_t way = 0; way < WAYS; way++) {
		if (!g.way[way])
			continue;
		screen_item(t, colour_dark[way_colour[way]], "WRTF"[way], way_name[way]);
		screen_put(t, "  ");
	}
	screen_end(t);
	free(g.v);
	buf_free(&text);
}

static void
addr_bins(struct plot *p, struct out *o)
{
	const struct addr *m = p->state;
	struct block b[ROWS];
	uint32_t n = blocks_of(m, b);

	out_str(o, "#time\tend\taddr\tlast\tway\tbytes\n");
	for (int64_t i = p->bins.lo; i <= p->bins.hi; i++)
		for (uint32_t k = 0; k < n; k++)
			for (uint32_t way = 0; way < WAYS; way++) {
				uint64_t v = bins_at(&p->bins, i)[b[k].row * WAYS + way];
				uint64_t from = b[k].at << m->j;

				if (!v)
					continue;
				put_bin(o, p, i);
				put_cell(o, from, false, '\t');
				put_cell(o, from | ((1ull << m->j) - 1), false, '\t');
				out_str(o, way_name[way]);
				out_str(o, "\t");
				put_cell(o, v, false, '\n');
			}
}

static void
addr_close(struct plot *p)
{
	struct addr *m = p->state;

	free(m->way);
}

const struct plot_kind kind_addr = {
    .name = "addr",
    .about = "which addresses are written, read and fetched when; gaps are cut",
    .time = true,
    .need = NEED_ADDR | NEED_SIZE,
    .log = "",
    .linear = "xy",
    .why = "has time and addresses, which are linear, and colours that are no numbers",
    .open = addr_open,
    .add = addr_add,
    .each = addr_each,
    .slot = addr_slot,
    .svg = addr_svg,
    .terminal = addr_terminal,
    .bins = addr_bins,
    .free = addr_close,
};
