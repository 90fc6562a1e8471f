/* cell.h - the cells of a grid, out of numbers: for people and for programs. */
#ifndef SPOOR_CELL_H
#define SPOOR_CELL_H

#include "summary/grid.h"
#include "stats/stats.h"

/* v, with a sign. */
static inline struct swide
swide_u64(uint64_t v)
{
	return (struct swide){wide_u64(v), false};
}

/* What a row is of: cut for people, whole otherwise. */
void cell_name(struct cell *row, const char *name);
void cell_u64(struct cell *c, uint64_t v);
void cell_wide(struct cell *c, const struct swide *v);
/* part / all: a percentage for people, else a fraction; "-" if all is 0. */
void cell_share(struct cell *c, const struct swide *part, const struct wide *all);
/* A number, or a time by its class. */
void cell_value(struct cell *c, struct value v);
/* Adds the last column `missed` to g if the table st had too many groups. To be called
 * before rows are added. */
void grid_missed(struct grid *g, const struct stats *st);
/* The cell of that column in a row: how many events of the row may be counted in the row of
 * others instead. */
void cell_missed(struct grid *g, struct cell *row, const struct stats *st);
/* Writes to column i of the row of limits how far off percentiles of `group` may be, if they
 * are not exact. */
void grid_within(struct grid *g, unsigned i, const struct column *col, uint32_t group,
		 unsigned bits);
/* The sum; the mean, of the numbers of column col in group g, which has some. */
void cell_sum(struct cell *c, const struct column *col, uint32_t g);
void cell_mean(struct cell *c, const struct column *col, uint32_t g);

#endif
