/* addr_map.c - from blocks of addresses to lines of a picture. */
#include <stdlib.h>
#include <string.h>

#include "trace-plot/addr.h"

/* The same backwards: what is uppermost is drawn last. */
const struct ink way_ink[WAYS] = {
    {5, 'F', "fetched"}, {2, 'T', "touched"}, {0, 'R', "read"}, {3, 'W', "written"}};

void
space_totals(const struct plot *p)
{
	struct addr *m = p->state;
	uint64_t *total = m->total;
	struct block b[ROWS];
	uint32_t n = touched_all(&m->blocks, b);

	memset(total, 0, sizeof m->total);
	EACH_BIN (&p->bins, x)
		for (uint32_t i = 0; i < n; i++)
			for (uint32_t way = 0; way < WAYS; way++)
				total[b[i].space] =
				    add_most(total[b[i].space],
					     bins_at(&p->bins, x)[b[i].row * WAYS + way]);
}

/* Which spaces have a band: all, or where there are too many those with the most bytes; the first name
 * above. Blocks are put in the order of bands. */
static void
find_bands(struct map *g, const struct plot *p, struct block *b, uint32_t n)
{
	const struct addr *m = p->state;
	const uint64_t *total = m->total;
	uint32_t names = p->row.text.n, *order = names_order(&p->row.text, names);
	uint32_t band[SPACES + 1] = {0}, spaces = 0, own, at;
	bool there[SPACES + 1] = {false}, in[SPACES + 1] = {false};

	space_totals(p);
	for (uint32_t i = 0; i < n; i++) {
		spaces += !there[b[i].space];
		there[b[i].space] = true;
	}
	own = spaces <= BANDS ? spaces - there[0] : BANDS - 1;
	/* Of equal ones the first by name. */
	for (uint32_t i = 0; i < own; i++) {
		at = 0;
		for (uint32_t k = 0; k < names; k++) {
			uint32_t of = space_at(m, order[k]);

			if (of && there[of] && !in[of] && (!at || total[of] > total[at]))
				at = of;
		}
		in[at] = true;
	}
	/* Of more, the lowest band is of several. */
	g->bands = at = own + (spaces > own);
	for (uint32_t i = 0; i < names; i++) {
		uint32_t k = space_at(m, order[i]);

		if (k && in[k]) {
			g->band[--at] = k;
			band[k] = at;
		}
	}
	for (uint32_t i = 0; i < n; i++)
		b[i].space = band[b[i].space];
	touched_sort(b, n);
	free(order);
}

/* Blocks to at most REGIONS regions, or one for each band: gaps that are small beside all of it are no
 * gaps, and of more the smallest are closed. */
static void
find_regions(struct map *g, const struct addr *m, const struct block *b, uint32_t n)
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
			g->region[g->n++].from = b[i].at;
		g->region[g->n - 1].to = b[i].at;
		g->region[g->n - 1].band = b[i].space;
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

void
map_make(struct map *g, const struct plot *p, uint32_t columns, uint32_t lines,
	 uint32_t least, uint32_t gap)
{
	const struct addr *m = p->state;
	struct block b[ROWS];
	uint32_t n = touched_all(&m->blocks, b), k = 0;

	*g = (struct map){.r = {.classes = WAYS, .ink = way_ink}};
	g->c = columns_of(&p->bins, columns);
	g->bytes = shift_most(n, m->blocks.j);
	find_bands(g, p, b, n);
	find_regions(g, m, b, n);
	place_regions(g, lines, least, gap);
	g->r.w = g->c.n;
	g->r.c = xcalloc((size_t)g->r.h * g->r.w, 1);
	for (uint32_t i = 0; i < n; i++) {
		const struct region *r = &g->region[k];
		uint64_t size;
		uint32_t top, end;

		if (b[i].at > r->to || b[i].space != r->band)
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
