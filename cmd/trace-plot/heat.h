/* heat.h - rows and cells of the kind heat, and lines of percentiles over them. */
#ifndef SPOOR_HEAT_H
#define SPOOR_HEAT_H

#include "trace-plot/raster.h"

#define BITS 2	  /* 2^BITS rows for each power of two */
#define RING 256u /* rows of whole numbers; also the limit of rows of one size */
#define ROWS (RING + FINE_ROWS(BITS))

/* Bound: trace-plot | groups of heat -g | that have a picture of their own | 8 | - */
#define PANELS 8u
#define LINES_MOST ((PANELS + 1) * ROWS) /* lines of all panels with a line for each row */

/* State of heat. With --linear y, rows have one size: 2^k, or 2^(k - FINE) if values have fractions; k is as
 * small as possible. Row i is slot i % RING. Group g of -g has the slots from g * heat_most() on. */
struct heat {
	unsigned k;
	bool any;
	uint64_t lo, hi; /* rows in use */
};

/* Returns the row of a value, if rows have one size. `part` is the fraction of the value in 2^-FINE. */
static inline uint64_t
even_row(const struct plot *p, uint64_t v, uint32_t part)
{
	const struct heat *h = p->state;

	if (!p->y.fine)
		return v >> h->k;
	return h->k < FINE ? (v << FINE | part) >> h->k : v >> (h->k - FINE);
}

/* Returns how many rows a group can have. */
static inline uint32_t
heat_most(const struct plot *p)
{
	return p->y.fine && !p->opts.even ? ROWS : RING;
}

/* Returns the number of groups of -g that have slots; 1 without -g. */
static inline uint32_t
heat_groups(const struct plot *p)
{
	uint32_t n = p->bins.nslots / heat_most(p);

	return !plot_key(p) ? 1 : n < p->key.text.n ? n : p->key.text.n;
}

/* Returns the rows of the value axis. */
struct rows heat_rows(const struct plot *p);

/* Cells of a picture, or of one of its panels: rows lo to hi, the highest first. */
struct heat_cells {
	struct time_columns c;
	struct rows rows;
	uint32_t lo, hi;
	uint32_t each, lines; /* rows of a line; lines of a panel */
	struct raster r;
	/* numbers of groups that have events, in the order of panels; without -g only group 0 */
	uint32_t panels, group[PANELS + 1];
};

/* Makes the cells of all panels, in at most `columns` columns, and in at most `lines` lines, if each panel can
 * have one. g->r has the lines of the first panel, then the lines of the next one. */
void heat_cells(struct heat_cells *g, const struct plot *p, uint32_t columns,
		uint32_t lines);
/* Returns the cells of panel i. They are a part of `all` and must not be freed. They have colours if `all` has
 * colours. */
struct heat_cells heat_panel(const struct heat_cells *all, uint32_t i);
/* Returns the number in the cell at column x and row y, if each line has one row. */
static inline uint64_t
heat_cell(const struct heat_cells *g, uint32_t x, uint32_t y)
{
	return g->r.v[(g->hi - y) * g->c.n + x];
}

/* Returns the y in frame f of a place in 1/256 of a row, as rows_place() returns it. */
static inline int64_t
heat_y(const struct heat_cells *g, const struct frame *f, uint64_t place)
{
	return f->bottom - (int64_t)((place - g->lo * 256) *
				     (uint64_t)(f->bottom - f->top) / (g->r.h * 256));
}

/* Draws lines of percentiles over the cells of panel i in frame f; below the axis of the last panel also their
 * explanation. w is the width of the picture in pixels. */
void heat_percentiles(const struct plot *p, struct buf *b, const struct frame *f,
		      unsigned w, uint32_t i);

#endif
