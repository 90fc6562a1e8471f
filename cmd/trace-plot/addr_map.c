/* addr_map.c - arranges blocks of addresses as lines of a picture. */
#include <stdlib.h>
#include <string.h>

#include "trace-plot/addr.h"

const struct ink way_ink[WAYS] = {
    {3, 'W', "written"}, {0, 'R', "read"}, {2, 'T', "touched"}, {4, 'F', "fetched"}};

void
space_totals(const struct plot *p)
{
	struct addr *m = p->state;
	uint64_t *total = m->total;
	struct touched_block b[ROWS];
	uint32_t n = touched_all(&m->blocks, b);

	memset(total, 0, sizeof m->total);
	EACH_BIN (&p->bins, x)
		for (uint32_t i = 0; i < n; i++)
			for (uint32_t way = 0; way < WAYS; way++)
				total[b[i].space] =
				    add_most(total[b[i].space],
					     bins_at(&p->bins, x)[b[i].row * WAYS + way]);
}

/* Finds the spaces that have a band: all, or, if there are too many, the spaces with the most bytes; the first
 * name is on top. Sorts the blocks by band. */
static void
find_bands(struct map *g, const struct plot *p, struct touched_block *b, uint32_t n)
{
	const struct addr *m = p->state;
	const uint64_t *total = m->total;
	uint32_t names = p->row.text.n, *order = names_order(&p->row.text, names);
	uint32_t band[SPACES + 1] = {0}, space[SPACES + 1] = {0}, spaces = 0, own, at;
	bool there[SPACES + 1] = {false};

	space_totals(p);
	for (uint32_t i = 0; i < n; i++)
		there[b[i].space] = true;
	for (uint32_t i = 0; i < names; i++)
		if (space_at(m, order[i]) && there[space_at(m, order[i])])
			space[spaces++] = space_at(m, order[i]);
	own = spaces + there[0] <= BANDS ? spaces : BANDS - 1;
	/* The lowest band has all other spaces. */
	g->bands = at = own + (spaces + there[0] > own);
	for (uint32_t i = 0; i < spaces; i++) {
		uint64_t its = total[space[i]];
		uint32_t before = 0;

		/* Spaces with equal sums are in the order of their names. */
		for (uint32_t k = 0; k < spaces; k++)
			before +=
			    total[space[k]] > its || (k < i && total[space[k]] == its);
		if (before < own) {
			g->band[--at] = space[i];
			band[space[i]] = at;
		}
	}
	for (uint32_t i = 0; i < n; i++)
		b[i].space = band[b[i].space];
	touched_sort(b, n);
}

/* Joins blocks to at most REGIONS regions, or one for each band. Gaps that are small compared to the whole do
 * not divide regions; if there are too many gaps, the smallest do not, either. */
static void
find_regions(struct map *g, const struct addr *m, const struct touched_block *b, uint32_t n)
{
	uint64_t near = ((uint64_t)NEAR >> m->blocks.j) > n / 16 + 1
			    ? (uint64_t)NEAR >> m->blocks.j
			    : n / 16 + 1;
	bool cut[ROWS] = {false};
	uint32_t cuts = 0;

	for (uint32_t i = 1; i < n; i++) {
		cut[i] = b[i].space == b[i - 1].space && b[i].at - b[i - 1].at > near + 1;
		cuts += cut[i];
	}
	for (; cuts && cuts + g->bands > REGIONS; cuts--) {
		uint32_t best = 0;

		for (uint32_t i = 1; i < n; i++)
			if (cut[i] &&
			    (!best || b[i].at - b[i - 1].at < b[best].at - b[best - 1].at))
				best = i;
		cut[best] = false;
	}
	for (uint32_t i = 0; i < n; i++) {
		if (!i || cut[i] || b[i].space != b[i - 1].space)
			g->region[g->n++] = (struct addr_region){
			    .from = b[i].at, .extent.lo = UINT64_MAX, .band = b[i].space};
		g->region[g->n - 1].to = b[i].at;
		extend(&g->region[g->n - 1].extent, m->extent[b[i].row]);
	}
}

/* Sets the heights of the regions in proportion to their sizes, each at least `least` lines, with `gap` lines
 * between them. Sets g->each, so that a row has at least `high` lines. */
static void
place_regions(struct map *g, uint32_t lines, uint32_t least, uint32_t gap, uint32_t high)
{
	uint32_t taken, top = 0;
	uint64_t all = 0, rest;

	/* A small picture has less for each. */
	for (; (least + gap) * g->n > lines && least > 1; least--)
		gap = gap > 1 ? gap - 1 : gap;
	taken = g->n * least + (g->n - 1) * gap;
	rest = lines > taken ? lines - taken : 0;
	for (uint32_t i = 0; i < g->n; i++)
		all = add_most(all, g->region[i].to - g->region[i].from + 1);
	for (uint32_t i = g->n; i-- > 0;) {
		struct addr_region *r = &g->region[i];
		uint64_t each;

		r->top = top;
		r->h = least + (uint32_t)scale_of(r->to - r->from + 1, all, rest);
		top += r->h + gap;
		each = add_most((r->to - r->from) / (r->h > high ? r->h / high : 1), 1);
		g->each = each > g->each ? each : g->each;
	}
	g->lines = top - gap;
}

/* Returns the row of block `at` of region r: the previous row, or a new one. */
static uint32_t
region_row(struct map *g, const struct addr_region *r, uint64_t at, unsigned j)
{
	uint64_t size = add_most(r->to - r->from, 1), k = (at - r->from) / g->each;
	uint64_t most = size / g->each + (size % g->each > g->each / 2), from, end;
	struct cell_row *row = &g->row[g->rows];

	/* The uppermost row has the rest. */
	k = k && k >= most ? most - 1 : k;
	from = k * g->each;
	end = k + 1 < most ? from + g->each : size;
	row->extent.lo = (r->from + from) << j;
	row->extent.hi = ((r->from + end - 1) << j) | ((1ull << j) - 1);
	row->top = r->top + r->h - (uint32_t)scale_of(end, size, r->h);
	row->h = r->top + r->h - (uint32_t)scale_of(from, size, r->h) - row->top;
	g->rows += !g->rows || row[-1].top != row->top;
	return g->rows - 1;
}

/* Sets the strips: the ways of a row share its height. */
static void
find_strips(struct map *g)
{
	for (uint32_t y = 0; y < g->r.h; y++) {
		int64_t h = g->row[y / WAYS].h * PX, n = 0, before = 0;

		for (uint32_t way = 0; way < WAYS; way++) {
			bool there = raster_line(&g->r, y - y % WAYS + way);

			n += there;
			before += there && way < y % WAYS;
		}
		h /= n ? n : 1;
		g->strip[y] = (struct strip){g->row[y / WAYS].top * PX + h * before, h};
	}
}

void
map_make(struct map *g, const struct plot *p, uint32_t columns, uint32_t lines,
	 uint32_t least, uint32_t gap, uint32_t high)
{
	const struct addr *m = p->state;
	struct touched_block b[ROWS];
	uint32_t n = touched_all(&m->blocks, b);
	struct addr_region *r = g->region;

	*g = (struct map){.c = columns_of(&p->bins, columns),
			  .place = m->hex ? SCALE_HEX : SCALE_BYTES,
			  .what = m->sizes == 2 ? p->words->events : "bytes",
			  .unit = m->sizes == 2 ? SCALE_COUNT : SCALE_BYTES,
			  .r = {.ink = way_ink, .inks = WAYS}};
	find_bands(g, p, b, n);
	find_regions(g, m, b, n);
	place_regions(g, lines, least, gap, high);
	g->r.w = g->c.n;
	g->r.v = draw_room((size_t)n * WAYS * g->r.w, sizeof *g->r.v);
	for (uint32_t i = 0; i < n; i++) {
		uint64_t *v, *band;

		r += b[i].at > r->to || b[i].space != r->band;
		v = g->r.v + (size_t)region_row(g, r, b[i].at, m->blocks.j) * WAYS * g->c.n;
		for (uint32_t way = 0; way < WAYS; way++)
			for (uint32_t x = 0; x < g->c.n; x++, v++) {
				uint64_t sum =
				    columns_sum(&p->bins, &g->c, x, b[i].row * WAYS + way);

				*v = add_most(*v, sum);
				g->bytes = add_most(g->bytes, sum);
				band = &g->band_bytes[r->band];
				*band = add_most(*band, sum);
				i128_add(g->way[way], i128_u64(sum), &g->way[way]);
			}
	}
	g->r.h = g->rows * WAYS;
	raster_range(&g->r);
	/* The scale covers at least eight powers of two, so that numbers that hardly differ have similar
	 * colours. */
	if (g->r.least > g->r.most >> 8)
		g->r.least = g->r.most >> 8 ? g->r.most >> 8 : 1;
	find_strips(g);
	raster_shade(&g->r);
}
