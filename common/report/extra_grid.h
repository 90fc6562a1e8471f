/* extra_grid.h - makes a grid of a section of extra.h. */
#ifndef SPOOR_EXTRA_GRID_H
#define SPOOR_EXTRA_GRID_H

#include "stats/extra.h"
#include "report/grid.h"

#define EXTRA_TITLE 256

/*
 * Fills the grid g with the rows of section x, counted in st: all, or for `people` the first
 * 32. Its title is made in `title`. False if there is no row.
 */
bool extra_grid(const struct extra *x, struct stats *st, bool people, struct grid *g,
		char title[EXTRA_TITLE]);

/* *total = the sum over all groups of st of cell x, which is a total. False if there are no
 * values. */
bool extra_total(const struct extra_cell *x, struct stats *st, struct swide *total);
/* Fills g with the rows of section x, made of f. Nothing can be added to f after that. */
void files_grid(const struct extra *x, struct files *f, struct grid *g);

#endif
