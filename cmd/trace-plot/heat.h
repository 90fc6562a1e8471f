/* heat.h - rows and cells of heat, and the lines of percentiles over them. */
#ifndef SPOOR_HEAT_H
#define SPOOR_HEAT_H

#include "trace-plot/raster.h"

#define BITS 2	  /* four rows to each power of two */
#define RING 256u /* rows of whole numbers, and of one size */
#define ROWS (RING + FINE_ROWS(BITS))

/* Bound: trace-plot | groups of heat -g | that have a picture of their own | 8 | - */
#define PANELS 8u

/* Rows of one size, where they are asked for: of 2^k, as few as hold all. Row i is slot i % RING.
 * `k` counts from 2^-FINE where fractions do. Group g of -g has the slots from g * heat_most() on. */
struct heat {
	unsigned k;
	bool any;
	uint64_t lo, hi; /* rows in use */
};

/* The row of one size of a value. What has too many bits for parts is in rows of whole numbers. */
static inline uint64_t
even_row(const struct plot *p, uint64_t v, uint32_t part)
{
	const struct heat *h = p->state;

	if (!p->y.fine)
		return v >> h->k;
	return h->k < FINE ? (v << FINE | part) >> h->k : v >> (h->k - FINE);
}

/* So many rows there may be. */
static inline uint32_t
heat_most(const struct plot *p)
{
	return p->y.fine && !p->opts.even ? ROWS : RING;
}

/* Groups of -g that have slots; without -g one. */
static inline uint32_t
heat_groups(const struct plot *p)
{
	uint32_t n = p->bins.nslots / heat_most(p);

	return !plot_key(p) ? 1 : n < p->key.text.n ? n : p->key.text.n;
}

/* The rows of the picture. */
struct rows heat_rows(const struct plot *p);

/* The cells of a picture, or of one of its panels: those of the rows in use, the highest first. */
struct heat_cells {
	struct time_columns c;
	struct rows rows;
	uint32_t lo, hi;
	struct raster r;
	uint32_t panels,
	    group[PANELS +
		  1]; /* groups in the order of panels; without -g one of number 0 */
};

/* Makes the cells of all panels, in at most `columns` columns. The lines of r are those of the first panel, then those of
 * the next one. raster_free(&g->r) frees them. */
void heat_cells(struct heat_cells *g, const struct plot *p, uint32_t columns);
/* Returns the cells of panel i of `all`, which must not be freed. Colours are set if those of `all` are. */
struct heat_cells heat_panel(const struct heat_cells *all, uint32_t i);
/* By column, then by row. */
static inline uint64_t
heat_cell(const struct heat_cells *g, uint32_t x, uint32_t y)
{
	return g->r.v[(g->hi - y) * g->c.n + x];
}

/* The y in a frame of a place in 1/256 of a row: rows_place gives that of a value. */
static inline int64_t
heat_y(const struct heat_cells *g, const struct frame *f, uint64_t place)
{
	return f->bottom - (int64_t)((place - g->lo * 256) *
				     (uint64_t)(f->bottom - f->top) / (g->r.h * 256));
}

/* Draws lines of percentiles over the cells of panel i in a frame, and explains them below the axis of the last panel.
 * `w`: pixels of the picture. */
void heat_percentiles(const struct plot *p, struct buf *b, const struct frame *f,
		      unsigned w, uint32_t i);

#endif
