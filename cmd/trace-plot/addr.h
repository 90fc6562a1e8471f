/* addr.h - what the kind addr counts, and the cells that it draws. */
#ifndef SPOOR_PLOT_ADDR_H
#define SPOOR_PLOT_ADDR_H

#include "input/cache.h"
#include "trace-plot/raster.h"

#define ROWS TOUCHED_MOST
#define REGIONS 12u
#define SPACES 64u  /* disks or files that are kept apart at once */
#define NAMED 4096u /* names that are kept apart; further names are NAMES_OTHERS */
#define BANDS 16u
#define NEAR (64u * 4096) /* gaps of at most this many bytes are not cut out: 64 pages */

/* How an address was touched, in the order of strips within a row, the uppermost first. */
enum {
	WRITTEN,
	READ,
	TOUCHED,
	FETCHED,
	WAYS
};

struct addr {
	struct touched_pages blocks;
	uint8_t *way; /* way + 1, by number of the event's type; 0: unknown yet */
	struct cache way_cache;
	bool hex;
	/* 1: some events have a size; 2: some have none, and count as 1; 3: both */
	uint8_t sizes;
	/* Smallest and greatest touched address, by row of `blocks`. */
	struct addr_extent {
		uint64_t lo, hi;
	} extent[ROWS];
	/* space + 1, by number of a name of p->row; 0: unknown yet */
	uint8_t space[NAMED + 1];
	/* Number of the name of each space, and its bytes. Space 0 is for all other names. */
	uint32_t name[SPACES + 1];
	uint64_t total[SPACES + 1];
	uint32_t nspaces;
};

/* Extends e so that it includes `by`. */
static inline void
extend(struct addr_extent *e, struct addr_extent by)
{
	if (unlikely(by.lo < e->lo))
		e->lo = by.lo;
	if (unlikely(by.hi > e->hi))
		e->hi = by.hi;
}

/* The picture: bands have regions, regions have rows. Lines count from the top, where the highest address is. */
struct map {
	struct time_columns c;
	struct addr_region {
		uint64_t from, to; /* numbers of blocks, both included */
		struct addr_extent extent;
		uint32_t top, h; /* lines of the picture */
		uint32_t band;
	} region[REGIONS + BANDS];
	uint32_t n;
	uint32_t bands;	      /* number of bands; band 0 is the lowest */
	uint32_t band[BANDS]; /* space of each band; 0: all other names */
	uint64_t band_bytes[BANDS];
	struct i128 way[WAYS]; /* bytes touched in each way */
	uint64_t bytes;	       /* sum of all bytes */
	/* "bytes", or the word for events if none has a size */
	const char *what;
	enum measure_unit unit, place; /* unit of the numbers in cells; unit of addresses */
	uint32_t lines;
	/* blocks per row; the last row of a region has 0.5 to 1.5 times as many */
	uint64_t each;
	struct cell_row {
		struct addr_extent extent; /* addresses, touched or not */
		uint32_t top, h;	   /* lines */
	} row[ROWS];
	uint32_t rows; /* rows in use, counted from below */
	/* Bytes, a line for each row and way. The ways of a row have strips of equal height. */
	struct raster r;
	struct strip strip[ROWS * WAYS];
};

/* Names and colours of the ways. */
extern const struct ink way_ink[WAYS];
/* Makes the picture of p in at most `columns` columns and `lines` lines, with at least `least` lines per
 * region, `gap` lines between regions, and at least `high` lines per row. */
void map_make(struct map *g, const struct plot *p, uint32_t columns, uint32_t lines,
	      uint32_t least, uint32_t gap, uint32_t high);
/* Returns the space of a name, or 0 if the name is one of the others. */
static inline uint32_t
space_at(const struct addr *m, uint32_t name)
{
	return m->space[name] ? m->space[name] - 1u : 0;
}
/* Sets the totals of all spaces from the bins. */
void space_totals(const struct plot *p);

#endif
