/* addr.c - which addresses are touched when, and how; ranges that nothing touches are cut out.
 *
 * Addresses of two disks, files or processes are independent: each of these is a space of its own, and the
 * largest have a band each.
 *
 * Addresses are in blocks (touched_pages.h); only touched blocks have a row. The bytes of each block equal the
 * bytes of a second pass with the final size, whatever the order of the events. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "event/event.h"
#include "trace-plot/addr.h"
#include "trace-plot/timeline.h"
#include "view/view_request.h"

static void
addr_open(struct plot *p)
{
	struct addr *m = xcalloc(1, sizeof *m);

	if (p->opts.sum && strcmp(p->opts.sum, "sum(size)") != 0)
		die("-a %s: addr can only draw sum(size)", p->opts.sum);
	p->state = m;
	names_open(&p->row, p->opts.y ? p->opts.y : "loc", NAMED);
	m->space[0] = 1;
	for (uint32_t i = 0; i < ROWS; i++)
		m->extent[i].lo = UINT64_MAX;
	p->bins.bytes = 2u << 20; /* twice as much while it folds */
	bins_slots(&p->bins, ROWS * WAYS);
}

static unsigned
addr_need_of(const struct source *s)
{
	return traits_source(s)->files ? NEED_ARGS : 0;
}

/* Chooses the spaces, unless -y is given: each file, if the format's requests name a file. */
static void
addr_begin(struct plot *p)
{
	if (p->opts.y || !p->traits->files)
		return;
	names_free(&p->row);
	names_open(&p->row, "file", NAMED);
}

static const char *
space_field(const struct plot *p)
{
	return p->opts.y ? p->opts.y : p->traits->files ? "file" : "loc";
}

/* Makes space `joined` one of the others, or, if it is 0, doubles the size of blocks. */
static COLD void
move_rows(struct plot *p, uint32_t joined)
{
	struct addr *m = p->state;
	uint32_t to[ROWS];

	touched_fold(&m->blocks, joined, to);
	for (uint32_t i = 0; i < ROWS; i++)
		if (to[i] != i) {
			bins_join(&p->bins, i * WAYS, to[i] * WAYS, WAYS);
			extend(&m->extent[to[i]], m->extent[i]);
			m->extent[i] = (struct addr_extent){UINT64_MAX, 0};
		}
}

/* Returns the space of a new name. If there are too many, the space with the fewest bytes becomes one of the
 * others for good. So each space has all bytes that its name touches. */
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

/* Adds the bytes from a to `last`, both included, to the bin of `time`. */
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
		extend(&m->extent[row], (struct addr_extent){a, end});
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
	uint8_t sizes = 0;

	if (!names_of(&p->row, s, b, pick, n, id))
		return;
	most = UINT64_MAX / unit;
	CACHE(m->way, m->way_cache, s, s->t.ntypes);
	for (uint32_t i = 0; i < n; i++) {
		const struct rec *r = batch_rec(b, pick ? pick[i] : i);
		uint64_t size = r->has & HAS_SIZE ? r->size : 1, a = r->addr;
		uint32_t space;

		/* Skips events that touch nothing, and addresses beyond 64 bits. */
		if (unlikely(!(r->has & HAS_ADDR) || !size || a > most)) {
			p->y.absent++;
			continue;
		}
		sizes |= r->has & HAS_SIZE ? 1 : 2;
		if (unlikely(!m->way[r->type]))
			m->way[r->type] = (uint8_t)(way_of(m, &s->t.type[r->type]) + 1);
		a *= unit;
		size = size - 1 > UINT64_MAX - a ? UINT64_MAX - a + 1 : size;
		space = space_of(p, id[i]);
		m->total[space] = add_most(m->total[space], size);
		cover(p, r->time ^ p->flip, space, a, a + (size - 1), m->way[r->type] - 1u);
		p->events++;
	}
	m->sizes |= sizes;
}

/* Calls `with` for each block and way. The row is named by the touched addresses and the space; the sum holds j
 * and which events have sizes. */
static void
addr_each(struct plot *p, plot_with *with, void *arg)
{
	const struct addr *m = p->state;
	struct touched_block b[ROWS];
	uint32_t n = touched_all(&m->blocks, b);
	struct buf lane = {0};

	for (uint32_t i = 0; i < n; i++) {
		const struct addr_extent *e = &m->extent[b[i].row];

		put_format(&lane,
			   m->hex ? "0x%" PRIx64 "-0x%" PRIx64 "/"
				  : "%" PRIu64 "-%" PRIu64 "/",
			   e->lo, e->hi);
		put_all(&lane, p->row.text.v[m->name[b[i].space]].s);
		buf_text(&lane);
		for (uint32_t way = 0; way < WAYS; way++)
			with(arg, b[i].row * WAYS + way, (const char *)lane.p,
			     way_ink[way].name, m->blocks.j | (unsigned)m->sizes << 6);
	}
	buf_free(&lane);
}

static uint32_t
addr_slot(struct plot *p, const char *lane, const char *name, unsigned sum)
{
	struct addr *m = p->state;
	char *end;
	uint64_t a = strtoull(lane, &end, 0), last = 0;
	uint32_t way = 0, row, space, id, j = sum & 63;

	while (way < WAYS && strcmp(name, way_ink[way].name) != 0)
		way++;
	if (*lane >= '0' && *lane <= '9' && *end == '-' && end[1] >= '0' && end[1] <= '9')
		last = strtoull(end + 1, &end, 0);
	if (way == WAYS || sum > 255 || last < a || last >> j != a >> j || *end++ != '/')
		return NO_SLOT;
	id = names_id(&p->row, end, strlen(end));
	if (!m->space[id] && m->nspaces == SPACES)
		space_totals(p);
	space = space_of(p, id);
	m->hex |= lane[1] == 'x';
	m->sizes |= (uint8_t)(sum >> 6);
	while (m->blocks.j < j || (row = touched_row(&m->blocks, space, a)) == NO_ROW)
		move_rows(p, 0);
	extend(&m->extent[row], (struct addr_extent){a, last});
	return row * WAYS + way;
}

static uint64_t
extent_bytes(const struct addr_extent *e)
{
	return add_most(e->hi - e->lo, 1);
}

static bool
space_is_loc(const struct plot *p)
{
	return !strcmp(space_field(p), "loc");
}

/* Returns the name of a space. */
static const char *
space_name(const struct plot *p, uint32_t space)
{
	uint32_t name = ((const struct addr *)p->state)->name[space];
	const struct lane one = {.first = name, .last = name, .n = 1};
	const char *what = space_is_loc(p) ? p->words->place : space_field(p);
	const char *text = p->row.text.v[name].s;

	if (!space)
		return "others";
	if (!strcmp(text, "-"))
		return joined("unknown ", what);
	if (p->row.list && !exprs_tree(p->row.list)->lets[0].field)
		return joined(what, " = ", text);
	return lanes_name(&one, &p->row, what, "");
}

/* Appends what the shades mean, and the time and bytes of a cell. */
static void
addr_said(const struct plot *p, const struct map *g, struct buf *said)
{
	const struct addr *m = p->state;
	const char *of = space_is_loc(p) ? p->words->places : space_field(p);

	put_all(said, "shade is ", g->unit == SCALE_COUNT ? "how many " : "", g->what,
		" in ", scaled(time_unit(p), g->c.width), " and ",
		scaled(SCALE_BYTES, shift_most(g->each, m->blocks.j)),
		m->sizes == 3 ? ", 1 of what has no size" : "");
	if (g->bands > 1) {
		put_format(said, "; %u %s%s in a band each%s", g->bands - !*g->band, of,
			   space_is_loc(p) ? "" : "s",
			   *g->band ? "" : ", the others in one");
		return;
	}
	if (g->n > 1)
		put_format(said, "; %u regions, gaps are cut", g->n);
	if (strcmp(p->row.text.v[m->name[*g->band]].s, "-") != 0)
		put_all(said, " · ", space_name(p, *g->band));
}

#define ADDRESS 20 /* columns of a label */

/* Returns the addresses of an extent, exactly. */
static const char *
extent_text(const struct map *g, const struct addr_extent *e)
{
	enum measure_unit unit = g->place == SCALE_HEX ? SCALE_HEX : SCALE_EXACT;

	return joined("address ", scaled(unit, e->lo), " to ", scaled(unit, e->hi));
}

static const char *
addr_told(const struct plot *p, void *of, uint32_t x, uint32_t y)
{
	const struct map *g = of;

	return joined(scaled(SCALE_EXACT, g->r.v[(size_t)y * g->r.w + x]), " ", g->what,
		      " ", way_ink[y % WAYS].name, " · ",
		      extent_text(g, &g->row[y / WAYS].extent), " · ",
		      column_text(p, &g->c, x));
}

/* Returns the label of a region: the name of its band, if there are several, or else its first address. */
static const char *
region_text(const struct plot *p, const struct map *g, const struct addr_region *r)
{
	return g->bands > 1 ? space_name(p, g->band[r->band])
			    : scaled(g->place, r->extent.lo);
}

/* Returns the share of a band in 1/1000. Sets *text to the share in percent, or to "" if there is only one band, or
 * if the sum exceeds 64 bits. */
static uint64_t
band_share(const struct map *g, uint32_t band, const char **text)
{
	uint64_t share = scale_of(g->band_bytes[band], g->bytes, 1000);

	*text = "";
	if (g->bands > 1 && g->bytes < UINT64_MAX)
		*text = formatted("%u.%u %%", (unsigned)(share / 10), (unsigned)share % 10);
	return share;
}

/* Draws how large a region is at y, and with `bar`, which is the x of the bars, the share of its band. */
static void
draw_extent(const struct map *g, struct buf *b, const struct frame *f,
	    const struct addr_region *r, int64_t y, int64_t bar)
{
	uint64_t bytes = extent_bytes(&r->extent);
	const char *text;
	int64_t share = (int64_t)band_share(g, r->band, &text);

	svg_to_text(b, f->right + 8 * PX, y);
	put_all(b, " class=\"t n\">");
	svg_about(
	    b, joined(scaled(SCALE_EXACT, bytes), " bytes · ", extent_text(g, &r->extent)));
	put_all(b, scaled(SCALE_BYTES, bytes), "</text>\n");
	if (!*text || !bar)
		return;
	svg_rect(b, "f", bar, y - 8 * PX, 40 * PX, 8 * PX);
	svg_rect(b, "c8", bar, y - 8 * PX, share * 4, 8 * PX);
	svg_text(b, bar + 82 * PX, y, "t n", SVG_END, text, 9);
}

/* Draws the first address, the extent and the share of each region, from below. Skips a label that would
 * overlap the previous one. `bar` is the x of the bars of shares, or 0. */
static void
draw_labels(const struct map *g, const struct plot *p, struct buf *b, const struct frame *f,
	    int64_t bar)
{
	int64_t last = INT64_MAX, last_size = INT64_MAX;

	for (const struct addr_region *r = g->region; r < g->region + g->n; r++) {
		int64_t low = f->top + (r->top + r->h) * PX;
		int64_t middle = low - r->h * PX / 2 + 4 * PX;
		bool upper = r + 1 == g->region + g->n || r[1].band != r->band;
		/* The uppermost region of a band has the band's name, above its address if both have room. */
		bool both = r->h >= 24;

		if (upper && last - middle >= 11 * PX && g->bands > 1) {
			svg_text(b, f->left - 8 * PX,
				 both ? low - (r->h - 10) * PX : middle, "", SVG_END,
				 region_text(p, g, r), ADDRESS);
			last = both ? last : middle;
		}
		if (last - low >= 11 * PX) {
			svg_text(b, f->left - 8 * PX, low - PX, "t n", SVG_END,
				 scaled(g->place, r->extent.lo), ADDRESS);
			last = low;
		}
		if (!frame_narrow(p) && last_size - middle >= 11 * PX) {
			draw_extent(g, b, f, r, middle, upper ? bar : 0);
			last_size = middle;
		}
	}
}

static void
addr_svg(struct plot *p, struct buf *b)
{
	unsigned w = p->opts.w ? p->opts.w : 960, h = frame_height(p, 500);
	struct frame f = {frame_left(p), (w - (frame_narrow(p) ? 104 : 160)) * PX,
			  frame_top(p, 78, 8), 0};
	struct buf title = {0}, said = {0};
	struct map g;
	char colours[WAYS + 1] = "";
	int64_t bar, x = (w - 84) * PX, y = f.top + 6 * PX;
	uint32_t lines = h - 52 - (uint32_t)(f.top / PX), high = 5;

	map_make(&g, p, 1, lines, 16, 6, 1);
	for (uint32_t i = 0; i < g.n; i++) {
		const char *text = region_text(p, &g, &g.region[i]);
		int64_t wide = 32 * PX + svg_width(text, ADDRESS);

		f.left = wide > f.left ? wide : f.left;
	}
	f.right -= g.bands > 1 && w >= 600 ? 96 * PX : 0;
	bar = g.bands > 1 && w >= 600 ? f.right + 68 * PX : 0;
	/* Each way has 2.4 pixels of a row. */
	for (uint32_t way = 0; way < WAYS; way++)
		high += i128_zero(g.way[way]) ? 0 : 12;
	map_make(&g, p, ((uint32_t)((f.right - f.left) / COLUMN_LEAST) >> p->coarse) | 1,
		 lines, 16, 6, high / 5);
	f.bottom = f.top + g.lines * PX;
	put_all(&title, p->words->touches);
	addr_said(p, &g, &said);
	frame_begin(p, b, w, h, draw_text(&title), draw_text(&said));
	put_all(b, "<style>");
	for (unsigned i = 0; i < STEPS; i++)
		put_format(b, ".o%u{fill-opacity:.%02u}", i, 24 + 5 * i);
	put_all(b, "</style>\n");
	for (uint32_t i = 0; i < g.n; i++)
		svg_rect(b, "f", f.left, f.top + g.region[i].top * PX, f.right - f.left,
			 g.region[i].h * PX);
	frame_time(p, b, &f, false);
	frame_window(p, b, &f, &g.c, g.lines * PX, COLUMN_LEAST);
	raster_svg(&g.r, b,
		   &(struct tiles){0, 0, PX, PX, .strips = g.strip, .relative = true,
				   .told = addr_told, .p = p, .of = &g, .unit = SCALE_EXACT,
				   .what = g.what});
	svg_end(b);
	draw_labels(&g, p, b, &f, bar);
	if (w >= 600)
		svg_text(b, f.right + 8 * PX, f.bottom + 38 * PX, "t", SVG_START, "extent",
			 12);
	if (bar)
		svg_text(b, bar, f.bottom + 38 * PX, "t", SVG_START, "share", 12);
	for (uint32_t way = 0; way < WAYS; way++) {
		if (i128_zero(g.way[way]))
			continue;
		svg_swatch(b, way_ink[way].colour, x, y);
		svg_text(b, x + 16 * PX, y + 4 * PX, "", SVG_START, way_ink[way].name, 9);
		svg_text(b, x + 16 * PX, y + 18 * PX, "t n", SVG_START,
			 scale_sum(g.unit, g.way[way]), 9);
		colours[strlen(colours)] = (char)('0' + way_ink[way].colour);
		y += 34 * PX;
	}
	shades_svg(b, x, y + 20 * PX, (h - 8) * PX, g.unit, g.r.least, g.r.most, g.what,
		   colours);
}

static void
addr_terminal(struct plot *p, struct screen *t)
{
	unsigned at = 17, right = 17, w = t->w - at - right - 1;
	struct raster r = {.ink = way_ink, .inks = WAYS};
	struct buf text = {0};
	struct map g;

	map_make(&g, p, w, t->h, 1, 0, 1);
	put_all(&text, p->words->touches, "; ");
	addr_said(p, &g, &text);
	screen_title(t, draw_text(&text));
	r.h = g.lines;
	r.w = g.r.w;
	r.c = draw_room((size_t)r.h * r.w, 1);
	/* A cell shows the way with the most bytes. */
	for (uint32_t i = 0; i < g.rows * r.w; i++) {
		const struct cell_row *row = &g.row[i / r.w];
		size_t best = (size_t)i / r.w * WAYS * r.w + i % r.w, at_way = best;

		for (uint32_t way = 1; way < WAYS; way++)
			best = g.r.v[at_way += r.w] > g.r.v[best] ? at_way : best;
		for (uint32_t y = row->top; y < row->top + row->h; y++)
			r.c[y * r.w + i % r.w] = g.r.c[best];
	}
	raster_edges(&r);
	for (const struct addr_region *of = g.region; of < g.region + g.n; of++) {
		uint32_t last = of->top + of->h - 1;
		const char *share;

		band_share(&g, of->band, &share);
		r.left[last] = region_text(p, &g, of);
		r.right[last] =
		    joined(scaled(SCALE_BYTES, extent_bytes(&of->extent)), " ", share);
	}
	raster_screen(&r, p, t, at, w, right);
	screen_time(p, t, at, w);
	for (uint32_t way = 0; way < WAYS; way++)
		if (!i128_zero(g.way[way]))
			screen_item(t, colour_dark[way_ink[way].colour],
				    t->colour ? way_ink[way].letter : ' ',
				    way_ink[way].name, scale_sum(g.unit, g.way[way]));
	for (unsigned i = 0; i < 2; i++) {
		screen_shade(t, i ? STEPS : 1, STEPS);
		put_all(t->b, " ", scaled(g.unit, i ? g.r.most : g.r.least), "  ");
	}
	screen_end(t);
}

static void
addr_bins(struct plot *p, struct table *t)
{
	const struct addr *m = p->state;
	uint32_t names = p->row.text.n, *order = names_order(&p->row.text, names);
	uint32_t n, rank[SPACES + 1] = {names};
	struct touched_block b[ROWS];

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
				table_text(t, way_ink[way].name);
				table_u64(t, v);
				table_text(t, b[k].space < names
						  ? p->row.text.v[order[b[k].space]].s
						  : NAMES_OTHERS);
				table_row(t);
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
    .need = NEED_ADDR | NEED_SIZE | NEED_LOC,
    .rows = true,
    .need_of = addr_need_of,
    .begin = addr_begin,
    .log = "z",
    .linear = "xyz",
    .why = "has time and addresses, which are linear: --log takes z",
    .open = addr_open,
    .add = addr_add,
    .each = addr_each,
    .slot = addr_slot,
    .svg = addr_svg,
    .terminal = addr_terminal,
    .bins = addr_bins,
    .free = addr_close,
};
