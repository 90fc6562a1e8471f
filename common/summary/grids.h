/* grids.h - the tables of a report, for who writes them in a way of its own. */
#ifndef SPOOR_GRIDS_H
#define SPOOR_GRIDS_H

#include "summary/grid.h"
#include "stats/answer.h"

/* Hands each table of a report to `put`, which frees it: as people read it, and with its title good
 * until then. The first is the summary, "trace". None where there were no events. */
void summary_grids(struct answer *a, void (*put)(void *arg, struct grid *g), void *arg);
/* Writes the report for people. */
void summary_text(struct answer *a, struct out *o);

#endif
