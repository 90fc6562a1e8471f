/* plot_clock.h - axes of time by the clock, in UTC. */
#ifndef SPOOR_PLOT_CLOCK_H
#define SPOOR_PLOT_CLOCK_H

#include "base/mem.h"

/* Returns the distance of ticks in ns, so that at most `most` ticks are within `range` > 0: parts of a day,
 * hour or minute that clocks show. */
uint64_t clock_step(uint64_t range, unsigned most);
/* Returns how many ns after `first`, a time since 1970, the first tick is. */
uint64_t clock_first(int64_t first, uint64_t step);
/* Returns the words of a tick: a date, hh:mm, hh:mm:ss, or a time with a fraction. */
const char *clock_tick(int64_t ns, uint64_t step);
/* Returns date and time, with as many digits as `step` needs. */
const char *clock_full(int64_t ns, uint64_t step);
/* Returns the words below the axis: the date, or both dates. */
const char *clock_label(int64_t first, int64_t last, uint64_t step);

#endif
