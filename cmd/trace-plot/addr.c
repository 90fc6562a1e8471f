/*
 * addr.c - which addresses are touched when, and how: what nobody touches is cut out.
 *
 * Addresses of two disks, files or processes have nothing to do with each other: each of these is a space of
 * its own, and the largest have a band each.
 *
 * Addresses lie in blocks (touched.h), of which only those that something touches have a row. So the bytes of
 * each are those of a second pass with the final size, whatever the order of the events.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "event/event.h"
#include "trace-plot/addr.h"
#include "view/request.h"

static const struct ink *
ink_of(uint32_t way)
{
	return &way_ink[WAYS - 1 - way];
}

static void
addr_open(struct plot *p)
{
	struct addr *m = xcalloc(1, sizeof *m);

	if (p->how.sum && strcmp(p->how.sum, "sum(size)") != 0)
		die("-a %s: addr draws sum(size)", p->how.sum);
	p->state = m;
	names_open(&p->row, p->how.y ? p->how.y : "loc", NAMED);
	m->space[0] = 1;
	touched_open(&m->blocks);
	p->bins.bytes = 2u << 20; /* as much again while it folds */
	bins_slots(&p->bins, ROWS * WAYS);
}

static unsigned
addr_need_of(const struct source *s)
{
	return traits_source(s)->files ? NEED_ARGS : 0;
}

/* What has addresses of its own, where it was not asked for: requests of files have them there. */
static void
addr_begin(struct plot *p)
{
	if (p->how.y || !p->traits->files)
		return;
	names_free(&p->row);
	names_open(&p->row, "file", NAMED);
}

static const char *
space_field(const struct plot *p)
{
	return p->how.y ? p->how.y : p->traits->files ? "file" : "loc";
}

/* Makes blocks twice as large, or a space, if that is not 0, one of the others. */
static COLD void
move_rows(struct plot *p, uint32_t joined)
{
	struct addr *m = p->state;
	uint32_t to[ROWS];

	if (joined)
		touched_join(&m->blocks, joined, to);
	else
		touched_fold(&m->blocks, to);
	for (uint32_t i = 0; i < ROWS; i++)
		if (to[i] != i)
			bins_join(&p->bins, i * WAYS, to[i] * WAYS, WAYS);
}

/* The space of a name that is new. Where there are too many the one with the fewest bytes becomes one of the
 * others, and stays that: so each space has all of what its name touches. */
static COLD uint32_t
new_space(struct plot *p, uint32_t id)
{
	struct addr *m = p->state;
	uint32_t k = 1;

	if (m->nspaces < SPACES)
		k = ++m->nspaces;
	else {
		p->others = true;
		for (uint32_t i = 2; i <= SPACES; i++)
			k = m->total[i] < m->total[k] ? i : k;
		m->space[m->name[k]] = 1;
		m->total[k] = 0;
		move_rows(p, k);
	}
	m->name[k] = id;
	m->space[id] = (uint8_t)(k + 1);
	return k;
}

static inline uint32_t
space_of(struct plot *p, uint32_t id)
{
	const struct addr *m = p->state;

	return likely(m->space[id]) ? m->space[id] - 1u : new_space(p, id);
}

/* Adds the bytes from a to `last`, both included. */
static inline void
cover(struct plot *p, int64_t time, uint32_t space, uint64_t a, uint64_t last, uint32_t way)
{
	struct addr *m = p->state;
	uint64_t *sum = bins_row(&p->bins, time) + way;

	for (;;) {
		uint64_t end = a | ((1ull << m->blocks.j) - 1);
		uint32_t row = touched_row(&m->blocks, space, a);

		if (unlikely(row == NO_ROW)) {
			move_rows(p, 0);
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
	uint64_t unit = source_addr_bytes(s, b), most;
	uint32_t id[BATCH];

	if (!names_of(&p->row, s, b, pick, n, id))
		return;
	most = UINT64_MAX / unit;
	CACHE(m->way, m->way_cache, s, s->t.ntypes);
	for (uint32_t i = 0; i < n; i++) {
		const struct rec *r = batch_rec(b, pick ? pick[i] : i);
		uint64_t size = r->has & HAS_SIZE ? r->size : 1, a = r->addr;
		uint32_t space;

		/* What touches nothing, or is beyond 64 bits, is left out. */
		if (unlikely(!(r->has & HAS_ADDR) || !size || a > most)) {
			p->y.absent++;
			continue;
		}
		if (unlikely(!m->way[r->type]))
			m->way[r->type] = (uint8_t)(way_of(m, &s->t.type[r->type]) + 1);
		a *= unit;
		size = size - 1 > UINT64_MAX - a ? UINT64_MAX - a + 1 : size;
		space = space_of(p, id[i]);
		m->total[space] = add_most(m->total[space], size);
		cover(p, r->time ^ p->flip, space, a, a + (size - 1), m->way[r->type] - 1u);
		p->events++;
	}
}

/* A series is a block and a way: the row is named by the first address and its space, the sum is j. */
static void
addr_each(struct plot *p, plot_with *with, void *arg)
{
	const struct addr *m = p->state;
	struct block b[ROWS];
	uint32_t n = touched_all(&m->blocks, b);
	struct buf lane = {0};

	for (uint32_t i = 0; i < n; i++) {
		put_format(&lane, m->hex ? "0x%" PRIx64 "/" : "%" PRIu64 "/",
			   b[i].at << m->blocks.j);
		put_all(&lane, p->row.text.v[m->name[b[i].space]].s);
		buf_text(&lane);
		for (uint32_t way = 0; way < WAYS; way++)
			with(arg, b[i].row * WAYS + way, (const char *)lane.p,
			     ink_of(way)->name, m->blocks.j);
	}
	buf_free(&lane);
}

static uint32_t
addr_slot(struct plot *p, const char *lane, const char *name, unsigned sum)
{
	struct addr *m = p->state;
	char *end;
	uint64_t a = strtoull(lane, &end, 0);
	uint32_t way = 0, row, space, id;

	while (way < WAYS && strcmp(name, ink_of(way)->name) != 0)
		way++;
	if (way == WAYS || sum > 63 || *lane < '0' || *lane > '9' || *end++ != '/')
		return NO_SLOT;
	id = names_id(&p->row, end, strlen(end));
	if (!m->space[id] && m->nspaces == SPACES)
		space_totals(p);
	space = space_of(p, id);
	m->hex |= lane[1] == 'x';
	while (m->blocks.j < sum || (row = touched_row(&m->blocks, space, a)) == NO_ROW)
		move_rows(p, 0);
	return row * WAYS + way;
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

static bool
space_is_loc(const struct plot *p)
{
	return !strcmp(space_field(p), "loc");
}

/* Appends what a space is called. */
static void
put_space(const struct plot *p, uint32_t space, struct buf *text)
{
	const struct addr *m = p->state;
	const struct lane one = {.first = m->name[space], .last = m->name[space], .n = 1};
	const char *what = space_is_loc(p) ? p->words->place : space_field(p);

	if (!space)
		put_all(text, "others");
	else if (!strcmp(p->row.text.v[one.first].s, "-"))
		put_all(text, "unknown ", what);
	else if (p->row.list && !exprs_tree(p->row.list)->lets[0].field)
		put_all(text, what, " = ", p->row.text.v[one.first].s);
	else
		lanes_name(&one, &p->row, what, "", text);
}

/* How much is touched, and in what the picture shows it. */
static void
addr_said(const struct plot *p, const struct map *g, struct buf *said)
{
	const struct addr *m = p->state;

	const char *of = space_is_loc(p) ? p->words->places : space_field(p);

	put_all(said, scaled(SCALE_BYTES, g->bytes), " touched in blocks of ",
		scaled(SCALE_BYTES, 1ull << m->blocks.j));
	if (g->bands > 1) {
		put_format(said, "; %u %s%s in a band each%s", g->bands - !*g->band, of,
			   space_is_loc(p) ? "" : "s",
			   *g->band ? "" : ", the others in one");
		return;
	}
	if (g->n > 1)
		put_format(said, " in %u regions, gaps are cut", g->n);
	if (strcmp(p->row.text.v[m->name[*g->band]].s, "-") != 0) {
		put_all(said, " · ");
		put_space(p, *g->band, said);
	}
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

/* Appends what a band is of, if there are several. */
static bool
band_name(const struct plot *p, const struct map *g, uint32_t band, struct buf *text)
{
	if (g->bands > 1)
		put_space(p, g->band[band], text);
	return g->bands > 1;
}

/* The first address and the size of each region, from below: what would stand in the one before is
 * left out. */
static void
draw_labels(const struct map *g, const struct plot *p, struct buf *b, const struct frame *f,
	    int64_t line)
{
	const struct addr *m = p->state;
	struct buf name = {0};
	int64_t last = INT64_MAX, last_size = INT64_MAX;

	for (uint32_t i = 0; i < g->n; i++) {
		const struct region *r = &g->region[i];
		int64_t low = f->top + (r->top + r->h) * line;
		int64_t middle = low - r->h * line / 2 + 4 * PX;

		/* The uppermost region of a band has its name, above its address where both have room. */
		if ((i + 1 == g->n || r[1].band != r->band) &&
		    band_name(p, g, r->band, &name)) {
			bool both = r->h * line >= 24 * PX;

			svg_text(b, f->left - 8 * PX,
				 both ? low - r->h * line + 10 * PX : middle, "", SVG_END,
				 buf_text(&name), ADDRESS);
			last = both ? last : low;
		}
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
	buf_free(&name);
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
		int64_t wide;

		if (!band_name(p, &g, g.region[i].band, &text))
			scale_put(&text, addr_unit(m), g.region[i].from << m->blocks.j, "");
		wide = 32 * PX + svg_width(buf_text(&text), ADDRESS);
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
	svg_end(b);
	draw_labels(&g, p, b, &f, line);
	svg_text(b, f.right + 8 * PX, f.bottom + 38 * PX, "t", SVG_START, "extent", 12);
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
	if (!band_name(p, of, r->band, left))
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
addr_bins(struct plot *p, struct table *t)
{
	const struct addr *m = p->state;
	uint32_t names = p->row.text.n, *order = names_order(&p->row.text, names);
	uint32_t n, rank[SPACES + 1] = {names};
	struct block b[ROWS];

	/* Spaces in the order of their names, all others last. */
	for (uint32_t i = 0; i < names; i++)
		if (space_at(m, order[i]))
			rank[space_at(m, order[i])] = i;
	n = touched_all(&m->blocks, b);
	for (uint32_t k = 0; k < n; k++)
		b[k].space = rank[b[k].space];
	touched_sort(b, n);
	bins_head(t, "time", "end", "addr", "last", "way", "bytes", space_field(p));
	EACH_BIN (&p->bins, i)
		for (uint32_t k = 0; k < n; k++)
			for (uint32_t way = 0; way < WAYS; way++) {
				uint64_t v = bins_at(&p->bins, i)[b[k].row * WAYS + way];
				uint64_t from = b[k].at << m->blocks.j;

				if (!v)
					continue;
				put_bin(t, p, i);
				table_u64(t, from);
				table_u64(t, from | ((1ull << m->blocks.j) - 1));
				table_text(t, ink_of(way)->name);
				table_u64(t, v);
				table_text(t, b[k].space < names
						  ? p->row.text.v[order[b[k].space]].s
						  : NAMES_OTHERS);
				table_row(t);
			}
	free(order);
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
    .need = NEED_ADDR | NEED_SIZE | NEED_LOC,
    .rows = true,
    .need_of = addr_need_of,
    .begin = addr_begin,
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
