/* plot_line.h - the points of each line that `line` draws; line_table.c reads them from tables.
 *
 * A line has LINE_ROOM places. If it has more points, neighbours share a place, which keeps the first, the
 * last, the lowest and the highest of them. */
#ifndef SPOOR_PLOT_LINE_H
#define SPOOR_PLOT_LINE_H

#include "trace-plot/plot.h"

#define LINE_ROOM 1024u
/* Bound: trace-plot | lines | of line | 8 | 8 lines are drawn */
#define LINES COLOURS
#define NAME_MOST 200u

struct point {
	double x, y;
	bool gap; /* no line from the previous point */
};

struct line_place {
	struct point first, low, high, last;
};

/* Unit of the numbers in a column of a table. Tables that the program writes have times in seconds. */
enum quantity {
	Q_NUMBER,
	Q_TIME,
	Q_BYTES,
	Q_SHARE,
	Q_DATE, /* ns since axis.base */
};

struct one {
	char name[3 * NAME_MOST + 4]; /* name in the picture */
	size_t file;		      /* number of the operand */
	uint32_t column;	      /* number of the column in its table */
	char group[NAME_MOST + 1];    /* texts of the key columns */
	char what[NAME_MOST + 1];     /* name of the column */
	/* steps: shares of values, as cdf() returns them, hold up to the next x */
	bool steps;
	struct line_place *v;
	uint32_t n;
	uint64_t each, in_last; /* points per place, and points in the last place */
	bool gap;		/* a gap is before the next point */
};

struct axis {
	bool named;
	enum quantity unit;
	char name[NAME_MOST + 1];
	bool log;
	double lo, hi;
	int64_t from, to; /* ends in the picture */
};

#define TICKS 400u
/* Ticks of an axis, in order. `step` is their distance if the axis is linear, else 0. `text` is NULL for numbers. */
struct tick_list {
	double v[TICKS], step;
	const char *text[TICKS];
	unsigned n;
};

struct line {
	struct one one[LINES];
	uint32_t n;
	struct axis ax, ay;
	int64_t base; /* first date of x */
	bool any;
	bool run;      /* x is a time of a run: linear by default */
	uint64_t rows; /* rows of numbers */
	uint64_t more; /* points of lines beyond LINES */
};

/* Reads the tables at paths[0..n), n > 0, into the struct line at p->state. Reports and skips cells that are
 * not numbers. Returns ST_*. */
int line_tables(struct plot *p, char *const *paths, size_t n);
/* Returns the place of v on an axis, between a->from and a->to. (line_axis.c) */
int64_t line_at(const struct axis *a, double v);
/* Makes an axis logarithmic if --log names it, or if `itself` and its values are above 0 and cover two powers of ten;
 * linear otherwise. Warns if --log cannot be done. */
void line_axis(struct axis *a, const struct plot *p, char name, bool itself);
/* Returns a number of an axis. If `step` is not 0, it is the distance of ticks, and all numbers have one unit. If no
 * number has five digits, as with years, they are written without a unit. */
const char *line_number(const struct axis *a, double step, double v);
/* Finds the ticks of an axis of numbers, at most about `most` of them. */
void line_ticks(const struct axis *a, unsigned most, struct tick_list *t);
/* Joins each two neighbouring places of a line. */
void line_halve(struct one *o);

#endif
