/* cell.h - the cells of a grid, out of numbers: for people and for programs. */
#ifndef SPOOR_CELL_H
#define SPOOR_CELL_H

#include "report/grid.h"
#include "stats/stats.h"

static inline struct swide
swide_u64(uint64_t v)
{
	return (struct swide){wide_u64(v), false};
}

/* What a row is of: cut for people, whole otherwise. */
void cell_name(struct cell *row, const char *name);
void cell_u64(struct cell *c, uint64_t v);
void cell_wide(struct cell *c, const struct swide *v);
/* A part of a whole: a percentage for people, else a fraction; nothing of 0. */
void cell_share(struct cell *c, const struct swide *part, const struct wide *all);
/* A number or a time. */
void cell_value(struct cell *c, struct value v);
/* Where there were too many groups: a last column, to be added before the rows, and its
 * cell of a row: how many events of the row may be counted in that of others instead. */
void grid_missed(struct grid *g, const struct stats *st);
void cell_missed(struct grid *g, struct cell *row, const struct stats *st);
/* In column i of the row of limits: how far off percentiles of a group may be, if they are.
 */
void grid_within(struct grid *g, unsigned i, const struct column *col, uint32_t group,
		 unsigned bits);
/* The sum and the mean of a column's numbers in a group that has some. */
void cell_sum(struct cell *c, const struct column *col, uint32_t g);
void cell_mean(struct cell *c, const struct column *col, uint32_t g);

#endif
