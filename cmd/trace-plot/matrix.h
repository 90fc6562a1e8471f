/* matrix.h - what matrix.c counts, for matrix_draw.c. */
#ifndef SPOOR_MATRIX_H
#define SPOOR_MATRIX_H

#include "trace-plot/plot.h"

/* Limit of rows, and of columns, that are kept apart. */
#define MATRIX_ROOM 320u

/* Sums of a cell; all cells are in one bin. */
enum {
	CELL_COUNT,
	CELL_SUM,
	CELL_SLOTS,
};

enum {
	ROW_SIDE,
	COLUMN_SIDE,
	SIDES,
};

struct matrix {
	struct matrix_side {
		struct bins *bins;
		const struct names *names;
		struct lanes lanes;
		uint32_t stride; /* distance of the slots of neighbours */
	} side[SIDES];
	/* condition of events that send; NULL with -g, or if the format has none */
	struct expr *sends;
	bool sums; /* sums are drawn, not counts */
};

/* Returns the first slot of the cell in row y and column x. */
static inline uint32_t
cell_slot(uint32_t y, uint32_t x)
{
	return (y * (MATRIX_ROOM + 1) + x) * CELL_SLOTS;
}

/* Implement plot_kind.svg, .terminal and .bins. (matrix_draw.c) */
void matrix_svg(struct plot *p, struct buf *b);
void matrix_terminal(struct plot *p, struct screen *t);
void matrix_bins(struct plot *p, struct table *t);

#endif
