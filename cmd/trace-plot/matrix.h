/* matrix.h - what matrix.c has counted, for matrix_draw.c. */
#ifndef SPOOR_MATRIX_H
#define SPOOR_MATRIX_H

#include "trace-plot/plot.h"

#define PEER "peer"
/* Rows, and columns, that are kept apart. */
#define MATRIX_ROOM 320u

/* Slots of a cell, in the only bin. */
enum {
	CELL_COUNT,
	CELL_SUM,
	CELL_SLOTS,
};

struct matrix_side {
	struct bins *bins;
	const struct names *names;
	struct lanes lanes;
	bool columns;
};

struct matrix {
	struct matrix_side row, column;
	struct expr
	    *sends; /* which events send, where nothing else is asked for; else NULL */
	bool sums;  /* sums are drawn, not counts */
};

static inline uint32_t
cell_slot(uint32_t y, uint32_t x)
{
	return (y * (MATRIX_ROOM + 1) + x) * CELL_SLOTS;
}

void matrix_svg(struct plot *p, struct buf *b);
void matrix_terminal(struct plot *p, struct screen *t);
void matrix_bins(struct plot *p, struct table *t);

#endif
