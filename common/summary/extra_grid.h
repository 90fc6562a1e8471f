/* extra_grid.h - makes a grid of a section of extra.h. */
#ifndef SPOOR_EXTRA_GRID_H
#define SPOOR_EXTRA_GRID_H

#include "stats/extra.h"
#include "summary/grid.h"

#define EXTRA_TITLE 256

/* A section on its way out. */
struct section {
	const struct extra *x;
	struct stats *st;    /* what it counted */
	struct stats *whole; /* of the row of all, one group; NULL: that of the rows */
	bool people;	     /* the first 32 rows, where x does not say how many */
	bool parted;	     /* sizes of different rows cannot be added up */
	/* Of extra_grid. */
	char title[EXTRA_TITLE];
	struct row *v;
	size_t n;
	struct swide all[EXTRA_CELLS]; /* of SHOW_PART_ALL */
	struct totals totals;
};

/* Fills the grid g with the rows of s, in which the title is. False if there is no row. */
bool extra_grid(struct section *s, struct grid *g);

/* *total = the sum over all groups of st of cell x, which is a total. False if there are no
 * values. */
bool extra_total(const struct extra_cell *x, struct stats *st, struct swide *total);

#endif
