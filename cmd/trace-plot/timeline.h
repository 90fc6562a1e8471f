/* timeline.h - what timeline.c counts, for the files that draw it: timeline_draw.c, members.c, points.c. */
#ifndef SPOOR_TIMELINE_H
#define SPOOR_TIMELINE_H

#include "trace-plot/plot.h"

#define NAMES_ROOM (NAMES_MOST + 2)
#define POINT (NAMES_ROOM - 1) /* used as a name: events that have no duration */

struct timeline {
	struct lanes lanes;
	/* Slot + 1, by row of a lane, then by name. */
	uint16_t slot[LANES_ROOM + 1][NAMES_ROOM];
	uint32_t *spare, nspare; /* slots of rows that were joined to other rows */
	size_t spare_cap;
	/* Rows of the picture: each has some lanes; of[i] is the row of lane i. */
	struct lane row[LANES_ROOM + 1];
	uint32_t nrows, of[LANES_ROOM + 1];
};

/* Returns the slots + 1 of lane l, by name; 0: none. */
static inline const uint16_t *
lane_slots(const struct timeline *t, uint32_t l)
{
	return t->slot[t->lanes.lane[l].row];
}

/* Range of the members that share a row. A member is a location; neighbours that share a lane are one member,
 * with their mean. */
struct members {
	/* smallest and greatest member, by row, then by column; NULL if each row is one member */
	uint64_t *low, *high;
	struct time_columns c;
	uint64_t full; /* for points: the number that is drawn as the height of a row */
};

/* Groups the lanes into rows: lanes in which something lasts, or, in a timeline of points, all lanes. */
void timeline_rows(struct plot *p);
/* Returns the columns of a picture of width `wide`; none of them is too narrow to be seen. */
struct time_columns timeline_columns(const struct plot *p, int64_t wide);
/* Returns how much of column i is between the first event and the last. */
uint64_t timeline_width(const struct plot *p, const struct time_columns *c, uint32_t i);
/* Smallest width of a column in a picture of 960 pixels. Shown 400 pixels wide, as on a phone, a column still
 * has the centre of a pixel, without which shape-rendering:crispEdges draws nothing. Windows have a margin of this
 * width, so that the first and the last column are not too narrow either. */
#define COLUMN_LEAST (24 * PX / 10)
/* Computes for each row and column the smallest and the greatest value of its locations. */
void members_make(struct members *m, const struct plot *p, const struct time_columns *c);
/* Draws in each column of a row a line from the smallest to the greatest member: in a window over `f`, from the
 * unit `top` on, `units` high. */
void members_draw(const struct members *m, const struct plot *p, struct buf *b,
		  uint32_t row, const struct frame *f, uint32_t top, uint32_t units);
/* Returns "16 ranks a row" and `several`, or `single` if each row is one location. */
const char *timeline_said(const struct plot *p, const char *several, const char *single);

/* Draws a timeline: plot_kind.svg and .terminal. (timeline_draw.c) */
void timeline_svg(struct plot *p, struct buf *b);
void timeline_terminal(struct plot *p, struct screen *t);

/* Draws a timeline in which nothing lasts: numbers of events as shades. (points.c) */
void points_svg(struct plot *p, struct buf *b);
void points_terminal(struct plot *p, struct screen *t);

#endif
