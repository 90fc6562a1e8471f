/*
 * plot_line.h - what `line` draws: the points of each line, as line_table.c reads them from tables.
 *
 * A line keeps LINE_ROOM places. If it has more points, neighbours share a place, which keeps the first, the last,
 * the lowest and the highest of them.
 */
#ifndef SPOOR_PLOT_LINE_H
#define SPOOR_PLOT_LINE_H

#include "trace-plot/plot.h"

#define LINE_ROOM 1024u
/* Bound: trace-plot | lines | of line | 8 | 8 lines are drawn */
#define LINES COLOURS
#define NAME_MOST 200u

struct point {
	double x, y;
};

struct line_place {
	struct point first, low, high, last;
	bool gap; /* no line from the place before */
};

/* A column of a table has numbers of one of these kinds. The program's own tables have times in seconds. */
enum quantity {
	Q_NUMBER,
	Q_TIME,
	Q_BYTES,
	Q_SHARE,
	Q_DATE, /* ns since axis.base */
};

struct one {
	char name[3 * NAME_MOST + 4]; /* what the picture calls it */
	size_t file;		      /* number of the operand */
	uint32_t column;	      /* of that table */
	char group[NAME_MOST + 1];    /* its texts in columns that make groups */
	char what[NAME_MOST + 1];     /* name of the column */
	bool steps; /* shares of values, as cdf() gives: equal up to the next value */
	struct line_place *v;
	uint32_t n;
	uint64_t each, in_last; /* points of a place, and of the last one */
	bool gap;		/* before the next point */
};

struct axis {
	bool named;
	enum quantity unit;
	char name[NAME_MOST + 1];
	bool log;
	double lo, hi, step; /* step: of ticks; 0: each number has its own unit */
	int64_t from, to;    /* of the picture */
};

struct line {
	struct one one[LINES];
	uint32_t n;
	struct axis ax, ay;
	int64_t base; /* the first date of x */
	bool any;
	bool run;      /* x is a time of a run: linear */
	uint64_t rows; /* of numbers */
	uint64_t more; /* points of further lines */
};

/* Reads the tables at paths[0..n), n > 0, into the struct line at p->state. Reports what is no number, and
 * skips it. ST_*. */
int line_tables(struct plot *p, char *const *paths, size_t n);
/* line_axis.c: returns the place of v on an axis, from a->from to a->to. */
int64_t line_at(const struct axis *a, double v);
/* Makes an axis logarithmic if --log names it, or if `itself` and its values are above 0 and cover two powers of ten;
 * linear otherwise. Warns if --log cannot be done. */
void line_axis(struct axis *a, const struct plot *p, char name, bool itself);
/* Appends a number of an axis. The numbers of a linear axis have one unit. If no number has five digits, as of years, all
 * are written out. */
void line_number(struct buf *b, const struct axis *a, double v);
typedef void line_tick(void *arg, double v);
/* Calls `with` for each tick of an axis, at most about `most` of them, and sets a->step. */
void line_ticks(struct axis *a, unsigned most, line_tick *with, void *arg);
/* Joins each two places of a line. */
void line_halve(struct one *o);

#endif
