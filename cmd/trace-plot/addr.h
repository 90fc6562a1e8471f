/* addr.h - of the kind addr: what was counted, and what is drawn of it. */
#ifndef SPOOR_PLOT_ADDR_H
#define SPOOR_PLOT_ADDR_H

#include "input/cache.h"
#include "trace-plot/raster.h"

#define ROWS TOUCHED_MOST
#define REGIONS 12u
#define SPACES 64u  /* disks or files that are told apart at once */
#define NAMED 4096u /* those that come behind so many are not */
#define BANDS 16u
#define NEAR (64u * 4096) /* a gap of so many bytes is not cut: 64 pages */

/* In the order in which they are drawn over each other, the uppermost first. */
enum {
	WRITTEN,
	READ,
	TOUCHED,
	FETCHED,
	WAYS
};

struct addr {
	struct touched blocks;
	uint8_t *way; /* by number of a type: + 1 */
	struct cache way_cache;
	bool hex;
	uint8_t space[NAMED + 1]; /* by number of a name of p->row: + 1 */
	/* Of each space: the number of its name, and its bytes. Space 0 is of all others. */
	uint32_t name[SPACES + 1];
	uint64_t total[SPACES + 1];
	uint32_t nspaces;
};

/* What is drawn: lines of the picture, the highest address first. */
struct map {
	struct columns c;
	struct region {
		uint64_t from, to; /* blocks, both included */
		uint32_t top, h;   /* lines */
		uint32_t band;
	} region[REGIONS + BANDS];
	uint32_t n;
	uint32_t bands;	       /* from below */
	uint32_t band[BANDS];  /* a space; 0: all others */
	uint64_t bytes;	       /* blocks that are touched */
	struct i128 way[WAYS]; /* bytes touched so */
	struct raster r;
};

/* The ways' names and colours: of the uppermost last. */
extern const struct ink way_ink[WAYS];
/* What is drawn in so many columns and lines, at least `least` of each region and `gap` between them. */
void map_make(struct map *g, const struct plot *p, uint32_t columns, uint32_t lines,
	      uint32_t least, uint32_t gap);
/* The space of a name's own, or 0. */
static inline uint32_t
space_at(const struct addr *m, uint32_t name)
{
	return m->space[name] ? m->space[name] - 1u : 0;
}
/* Sets the totals of all spaces from the bins. */
void space_totals(const struct plot *p);

#endif
