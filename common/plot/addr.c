/*
 * addr.c - which addresses are touched when, and how: what nobody touches is cut out.
 * Addresses lie in blocks (blocks.h), of which only those that something touches have a row. So the bytes of
 * each are those of a second pass with the final size, whatever the order of the events.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "event/event.h"
#include "input/cache.h"
#include "plot/raster.h"

#define ROWS BLOCKS
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

/* The same backwards: what is uppermost is drawn last. */
static const struct ink way_ink[WAYS] = {
    {5, 'F', "fetched"}, {2, 'T', "touched"}, {0, 'R', "read"}, {3, 'W', "written"}};

static const struct ink *
ink_of(uint32_t way)
{
	return &way_ink[WAYS - 1 - way];
}

struct addr {
	struct blocks blocks;
	uint8_t *way; /* by number of a type: + 1 */
	struct cache way_cache;
	bool hex;
};

static void
addr_open(struct plot *p)
{
	struct addr *m = xcalloc(1, sizeof *m);

	if (p->how.sum && strcmp(p->how.sum, "sum(size)") != 0)
		die("-a %s: addr draws sum(size)", p->how.sum);
	p->state = m;
	blocks_open(&m->blocks);
	p->bins.bytes = 2u << 20; /* as much again while it folds */
	bins_slots(&p->bins, ROWS * WAYS);
}

/* Makes blocks twice as large. */
static COLD void
fold(struct plot *p)
{
	struct addr *m = p->state;
	uint32_t to[ROWS], slot[ROWS * WAYS];

	blocks_fold(&m->blocks, to);
	for (uint32_t i = 0; i < ROWS * WAYS; i++)
		slot[i] = to[i / WAYS] * WAYS + i % WAYS;
	bins_move(&p->bins, slot);
}

/* Adds the bytes from a to `last`, both included. */
static inline void
cover(struct plot *p, int64_t time, uint64_t a, uint64_t last, uint32_t way)
{
	struct addr *m = p->state;
	uint64_t *sum = bins_row(&p->bins, time) + way;

	for (;;) {
		uint64_t end = a | ((1ull << m->blocks.j) - 1);
		uint32_t row = blocks_row(&m->blocks, a);

		if (unlikely(row == NO_ROW)) {
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
	CACHE(m->way, m->way_cache, s, s->t.ntypes);
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
addr_each(struct plot *p, plot_with *with, void *arg)
{
	const struct addr *m = p->state;
	struct block b[ROWS];
	uint32_t n = blocks_all(&m->blocks, b);

	for (uint32_t i = 0; i < n; i++)
		for (uint32_t way = 0; way < WAYS; way++) {
			char lane[24];

			snprintf(lane, sizeof lane, m->hex ? "0x%" PRIx64 : "%" PRIu64,
				 b[i].at << m->blocks.j);
			with(arg, b[i].row * WAYS + way, lane, ink_of(way)->name,
			     m->blocks.j);
		}
}

static uint32_t
addr_slot(struct plot *p, const char *lane, const char *name, unsigned sum)
{
	struct addr *m = p->state;
	char *end;
	uint64_t a = strtoull(lane, &end, 0);
	uint32_t way = 0, row;

	while (way < WAYS && strcmp(name, ink_of(way)->name) != 0)
		way++;
	if (way == WAYS || sum > 63 || *lane < '0' || *lane > '9' || *end)
		return NO_SLOT;
	m->hex |= lane[1] == 'x';
	while (m->blocks.j < sum || (row = blocks_row(&m->blocks, a)) == NO_ROW)
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
	uint32_t n;
	uint64_t bytes;	       /* blocks that are touched */
	struct i128 way[WAYS]; /* bytes touched so */
	struct raster r;
};

/* Blocks to at most REGIONS regions: gaps that are small beside all of it are no gaps, and of more
 * the smallest are closed. */
static void
find_regions(struct map *g, const struct addr *m, const struct block *b, uint32_t n)
{
	uint64_t near = ((uint64_t)NEAR >> m->blocks.j) > n / 16 + 1
			    ? (uint64_t)NEAR >> m->blocks.j
			    : n / 16 + 1;
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
	g->r.h = top - gap;
}

static void
map_make(struct map *g, const struct plot *p, uint32_t columns, uint32_t lines,
	 uint32_t least, uint32_t gap)
{
	const struct addr *m = p->state;
	struct block b[ROWS];
	uint32_t n = blocks_all(&m->blocks, b), k = 0;

	*g = (struct map){.r = {.classes = WAYS, .ink = way_ink}};
	g->c = columns_of(&p->bins, columns);
	g->bytes = shift_most(n, m->blocks.j);
	find_regions(g, m, b, n);
	place_regions(g, lines, least, gap);
	g->r.w = g->c.n;
	g->r.c = xcalloc((size_t)g->r.h * g->r.w, 1);
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

				i128_add(g->way[way], i128_u64(sum), &g->way[way]);
				if (!sum || drawn)
					continue;
				for (uint32_t y = top; y < end || y == top; y++) {
					uint8_t *c = &g->r.c[y * g->c.n + x];

					*c = *c < WAYS - way ? (uint8_t)(WAYS - way) : *c;
				}
				drawn = true;
			}
		}
	}
}

static uint64_t
region_bytes(const struct region *r, const struct addr *m)
{
	return shift_most(r->to - r->from + 1, m->blocks.j);
}

static enum measure_unit
addr_unit(const struct addr *m)
{
	return m->hex ? SCALE_HEX : SCALE_BYTES;
}

/* How much is touched, and in what the picture shows it. */
static void
addr_said(const struct plot *p, const struct map *g, struct buf *said)
{
	const struct addr *m = p->state;

	put_all(said, scaled(SCALE_BYTES, g->bytes), " touched in blocks of ",
		scaled(SCALE_BYTES, 1ull << m->blocks.j));
	if (g->n > 1)
		put_format(said, " in %u regions, gaps are cut", g->n);
}

#define ADDRESS 20	  /* columns of text */
#define CELLS_MOST 200000 /* bytes of SVG, where there are finer cells than need be */

/* The cells in lines of so many hundredths of a pixel, which are given: as fine as the bins are, or
 * coarser where that would be a large picture. */
static int64_t
fit_cells(struct map *g, const struct plot *p, unsigned lines, struct buf *cells)
{
	static const struct tiles tiles = {
	    .w = PX, .h = PX, .relative = true, .tall = true};

	map_make(g, p, BINS_MOST, lines, 16, 6);
	raster_svg(&g->r, cells, &tiles);
	if (cells->n <= CELLS_MOST)
		return PX;
	raster_free(&g->r);
	cells->n = 0;
	map_make(g, p, 177, lines / 2, 8, 3);
	raster_svg(&g->r, cells, &tiles);
	return 2 * PX;
}

/* The first address and the size of each region, from below: what would stand in the one before is
 * left out. */
static void
draw_labels(const struct map *g, const struct addr *m, struct buf *b, const struct frame *f,
	    int64_t line)
{
	int64_t last = INT64_MAX, last_size = INT64_MAX;

	for (uint32_t i = 0; i < g->n; i++) {
		const struct region *r = &g->region[i];
		int64_t low = f->top + (r->top + r->h) * line;
		int64_t middle = low - r->h * line / 2 + 4 * PX;

		if (last - low >= 11 * PX) {
			svg_text(b, f->left - 8 * PX, low - PX, "t n", SVG_END,
				 scaled(addr_unit(m), r->from << m->blocks.j), ADDRESS);
			last = low;
		}
		if (last_size - middle >= 11 * PX) {
			svg_text(b, f->right + 8 * PX, middle, "t n", SVG_START,
				 scaled(SCALE_BYTES, region_bytes(r, m)), 12);
			last_size = middle;
		}
	}
}

static void
addr_svg(struct plot *p, struct buf *b)
{
	const struct addr *m = p->state;
	unsigned w = p->how.w ? p->how.w : 960, h = p->how.h ? p->how.h : 500;
	struct frame f = {92 * PX, (w - 160) * PX, 78 * PX, 0};
	struct buf title = {0}, said = {0}, cells = {0}, text = {0};
	struct map g;
	int64_t line = fit_cells(&g, p, h - 130, &cells), y = 84 * PX;

	for (uint32_t i = 0; i < g.n; i++) {
		int64_t wide = 32 * PX + svg_width(scaled(addr_unit(m),
							  g.region[i].from << m->blocks.j),
						   ADDRESS);

		f.left = wide > f.left ? wide : f.left;
	}
	f.bottom = f.top + g.r.h * line;
	put_all(&title, p->words->touches);
	addr_said(p, &g, &said);
	frame_begin(p, b, w, h, &title, &said);
	for (uint32_t i = 0; i < g.n; i++)
		svg_rect(b, "f", f.left, f.top + g.region[i].top * line, f.right - f.left,
			 g.region[i].h * line);
	frame_time(p, b, &f, false);
	frame_window(p, b, &f, &g.c, g.r.h * PX);
	buf_add(b, cells.p, cells.n);
	svg_window_end(b);
	draw_labels(&g, m, b, &f, line);
	for (uint32_t way = 0; way < WAYS; way++) {
		if (i128_zero(g.way[way]))
			continue;
		svg_swatch(b, ink_of(way)->colour, f.right + 76 * PX, y);
		svg_text(b, f.right + 92 * PX, y + 4 * PX, "", SVG_START, ink_of(way)->name,
			 9);
		scale_put_sum(&text, SCALE_BYTES, g.way[way]);
		svg_text(b, f.right + 92 * PX, y + 18 * PX, "t n", SVG_START,
			 buf_text(&text), 9);
		y += 34 * PX;
	}
	raster_free(&g.r);
	buf_free(&cells);
	buf_free(&text);
}

/* In the last line of a region: its first address and its size. */
static bool
addr_edge(const struct plot *p, void *of, uint32_t y, struct buf *left, struct buf *right)
{
	const struct addr *m = p->state;
	const struct region *r = ((const struct map *)of)->region;

	while (y < r->top)
		r++;
	if (y + 1 != r->top + r->h)
		return false;
	scale_put(left, addr_unit(m), r->from << m->blocks.j, "");
	scale_put(right, SCALE_BYTES, region_bytes(r, m), "");
	return true;
}

static void
addr_terminal(struct plot *p, struct screen *t)
{
	unsigned at = 17, w = t->w - at - 10;
	struct buf text = {0};
	struct map g;

	map_make(&g, p, BINS_MOST, t->h, 1, 0);
	put_all(&text, p->words->touches, "; ");
	addr_said(p, &g, &text);
	screen_title(t, &text);
	raster_screen(&g.r, t, at, w, 9, addr_edge, p, &g);
	screen_time(p, t, at, w);
	for (uint32_t way = 0; way < WAYS; way++)
		if (!i128_zero(g.way[way]))
			screen_item(t, colour_dark[ink_of(way)->colour],
				    ink_of(way)->letter, ink_of(way)->name, "");
	screen_end(t);
	raster_free(&g.r);
}

static void
addr_bins(struct plot *p, struct out *o)
{
	const struct addr *m = p->state;
	struct block b[ROWS];
	uint32_t n = blocks_all(&m->blocks, b);

	table_head(o, "time", "end", "addr", "last", "way", "bytes");
	EACH_BIN (&p->bins, i)
		for (uint32_t k = 0; k < n; k++)
			for (uint32_t way = 0; way < WAYS; way++) {
				uint64_t v = bins_at(&p->bins, i)[b[k].row * WAYS + way];
				uint64_t from = b[k].at << m->blocks.j;

				if (!v)
					continue;
				put_bin(o, p, i);
				put_cell(o, from, false, '\t');
				put_cell(o, from | ((1ull << m->blocks.j) - 1), false,
					 '\t');
				out_str(o, ink_of(way)->name);
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
