/* timeline.h - what timeline.c has counted, for points.c. */
#ifndef SPOOR_TIMELINE_H
#define SPOOR_TIMELINE_H

#include "trace-plot/plot.h"

#define NAMES_ROOM (NAMES_MOST + 2)
#define POINT (NAMES_ROOM - 1) /* in place of a name: events that have no duration */

#define ROWS_ROOM (2 * LANES_MOST)

struct timeline {
	struct lanes lanes;
	/* By row of a lane, then by name: slot + 1. */
	uint32_t slot[ROWS_ROOM][NAMES_ROOM];
	uint32_t *spare, nspare; /* slots of rows that became part of others */
	size_t spare_cap;
};

/* A timeline where nothing lasts: how many events there are, as a shade. */
void points_svg(struct plot *p, struct buf *b);
void points_terminal(struct plot *p, struct screen *t);

#endif
