/* timeline.h - what timeline.c has counted, for the files that draw it: timeline_draw.c, members.c, points.c. */
#ifndef SPOOR_TIMELINE_H
#define SPOOR_TIMELINE_H

#include "trace-plot/plot.h"

#define NAMES_ROOM (NAMES_MOST + 2)
#define POINT (NAMES_ROOM - 1) /* in place of a name: events that have no duration */

#define ROWS_ROOM LANES_ROOM

struct timeline {
	struct lanes lanes;
	/* By row of a lane, then by name: slot + 1. */
	uint16_t slot[ROWS_ROOM + 1][NAMES_ROOM];
	uint32_t *spare, nspare; /* slots of rows that became part of other rows */
	size_t spare_cap;
	/* The rows that are drawn: each holds some lanes; of[i] is the row of lane i. */
	struct lane row[LANES_ROOM + 1];
	uint32_t nrows, of[LANES_ROOM + 1];
};

/* The range of the members that share a row. A member is a location; neighbours that were not kept apart are one
 * member, which has their mean. */
struct members {
	uint64_t *low,
	    *high; /* the smallest and the greatest member, by row, then by column; NULL: rows have one */
	struct time_columns c;
	uint64_t full; /* of points: what is drawn as the height of a row */
};

/* Groups the lanes into rows: those where something lasts, or in a timeline of points all. */
void timeline_rows(struct plot *p);
/* The columns of a picture that is as wide as this: none of them is too narrow to be seen. */
struct time_columns timeline_columns(const struct plot *p, int64_t wide);
/* The time of column i that is between the first event and the last. */
uint64_t timeline_width(const struct plot *p, const struct time_columns *c, uint32_t i);
/* A column is at least that wide in a picture of 960 pixels: shown 400 pixels wide, as on a phone, it still
 * has the centre of a pixel, without which shape-rendering:crispEdges draws nothing. */
#define COLUMN_LEAST (24 * PX / 10)
/* Begins a window over a row of those, whose units are columns, and `high` down. A bit of what is left and right
 * of `f` is in it, so that the first and the last column are not too narrow either. */
void timeline_window(const struct plot *p, struct buf *b, const struct frame *f,
		     const struct time_columns *c, int64_t high);
void members_make(struct members *m, const struct plot *p, const struct time_columns *c);
/* Draws in each column of a row a line from the smallest to the greatest: in a window over `f`, from the unit
 * `top` on, `units` high. */
void members_draw(const struct members *m, const struct plot *p, struct buf *b,
		  uint32_t row, const struct frame *f, uint32_t top, uint32_t units);
void members_free(struct members *m);
/* Appends "16 ranks a row" and `behind`; false if each row is one location. */
bool timeline_said(const struct plot *p, struct buf *b, const char *behind);

/* timeline_draw.c: plot_kind.svg and .terminal. */
void timeline_svg(struct plot *p, struct buf *b);
void timeline_terminal(struct plot *p, struct screen *t);

/* A timeline where nothing lasts: how many events there are, as a shade. */
void points_svg(struct plot *p, struct buf *b);
void points_terminal(struct plot *p, struct screen *t);

#endif
