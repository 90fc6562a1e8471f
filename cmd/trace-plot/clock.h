/* clock.h - axes of time by the clock, in UTC. */
#ifndef SPOOR_PLOT_CLOCK_H
#define SPOOR_PLOT_CLOCK_H

#include "base/mem.h"

/* The distance of ticks in ns, so that there are at most `most` of them within `range` > 0: such parts of a day, an
 * hour and a minute as clocks show. */
uint64_t clock_step(uint64_t range, unsigned most);
/* Where the first tick is, in ns behind `first`, which is since 1970. */
uint64_t clock_first(int64_t first, uint64_t step);
/* What stands at a tick: a date, hh:mm, hh:mm:ss, or with a fraction. */
void clock_tick(struct buf *b, int64_t ns, uint64_t step);
/* Date and time, with as many digits as `step` needs. */
void clock_full(struct buf *b, int64_t ns, uint64_t step);
/* What is below the axis: the date, or both. */
void clock_label(struct buf *b, int64_t first, int64_t last, uint64_t step);

#endif
