/* addr.h - of the kind addr: what was counted, and what is drawn of it. */
#ifndef SPOOR_PLOT_ADDR_H
#define SPOOR_PLOT_ADDR_H

#include "input/cache.h"
#include "trace-plot/raster.h"

#define ROWS TOUCHED_MOST
#define REGIONS 12u
#define SPACES 64u  /* disks or files that are kept apart at once */
#define NAMED 4096u /* those that come behind so many are not */
#define BANDS 16u
#define NEAR (64u * 4096) /* a gap of so many bytes is not cut: 64 pages */

/* In the order in which they share a row, the uppermost first. */
enum {
	WRITTEN,
	READ,
	TOUCHED,
	FETCHED,
	WAYS
};

struct addr {
	struct touched_pages blocks;
	uint8_t *way; /* by number of a type: + 1 */
	struct cache way_cache;
	bool hex;
	uint8_t sizes; /* 1: some events have a size; 2: some have none, and count as 1 */
	/* The smallest and the greatest address that is touched, by row of `blocks`. */
	struct addr_extent {
		uint64_t lo, hi;
	} extent[ROWS];
	uint8_t space[NAMED + 1]; /* by number of a name of p->row: + 1 */
	/* The number of the name of each space, and its bytes. Space 0 has all others. */
	uint32_t name[SPACES + 1];
	uint64_t total[SPACES + 1];
	uint32_t nspaces;
};

/* Makes an extent reach over another one. */
static inline void
extend(struct addr_extent *e, struct addr_extent by)
{
	if (unlikely(by.lo < e->lo))
		e->lo = by.lo;
	if (unlikely(by.hi > e->hi))
		e->hi = by.hi;
}

/* The cells that are drawn, by row and column, in lines of the picture, the highest address first. */
struct map {
	struct time_columns c;
	struct addr_region {
		uint64_t from, to; /* blocks, both included */
		struct addr_extent extent;
		uint32_t top, h; /* lines */
		uint32_t band;
	} region[REGIONS + BANDS];
	uint32_t n;
	uint32_t bands;	      /* from below */
	uint32_t band[BANDS]; /* a space; 0: all others */
	uint64_t band_bytes[BANDS];
	struct i128 way[WAYS];	       /* bytes touched so */
	uint64_t bytes;		       /* all of them */
	const char *what;	       /* bytes, or events if none has a size */
	enum measure_unit unit, place; /* of that; of an address */
	uint32_t lines;
	uint64_t
	    each; /* blocks of a row; the last row of a region has half to 1.5 of them */
	struct cell_row {
		struct addr_extent extent; /* addresses, touched or not */
		uint32_t top, h;	   /* lines */
	} row[ROWS];
	uint32_t rows; /* that have a block, from below */
	/* A line for each row and way: bytes. The ways of a row have strips of equal height. */
	struct raster r;
	struct strip strip[ROWS * WAYS];
};

/* The ways' names and colours. */
extern const struct ink way_ink[WAYS];
/* Makes of p the cells of at most so many columns and lines: at least `least` lines of each region, with `gap`
 * between them, and at least `high` of a row. raster_free(&g->r) frees them. */
void map_make(struct map *g, const struct plot *p, uint32_t columns, uint32_t lines,
	      uint32_t least, uint32_t gap, uint32_t high);
/* The space of a name's own, or 0. */
static inline uint32_t
space_at(const struct addr *m, uint32_t name)
{
	return m->space[name] ? m->space[name] - 1u : 0;
}
/* Sets the totals of all spaces from the bins. */
void space_totals(const struct plot *p);

#endif
