/* extra_grid.h - a section of extra.h as it is shown. */
#ifndef SPOOR_EXTRA_GRID_H
#define SPOOR_EXTRA_GRID_H

#include "stats/extra.h"
#include "report/grid.h"

#define EXTRA_TITLE 256

/*
 * Fills a grid, whose title is made in `title`: all rows, or, for people, the first 32.
 * False when there is none.
 */
bool extra_grid(const struct extra *x, struct stats *st, bool people, struct grid *g,
		char title[EXTRA_TITLE]);

/* The sum of a cell that is a total, over all groups; false where there are no values. */
bool extra_total(const struct extra_cell *x, struct stats *st, struct swide *total);
/* The rows of a section of files, which nothing can be added to any more. */
void files_grid(const struct extra *x, struct files *f, struct grid *g);

#endif
