/* access_spread.h - the distribution of times, by row. */
#ifndef SPOOR_SPREAD_H
#define SPOOR_SPREAD_H

#include "stats/stats_hist.h"

/* Zeroed struct = empty. */
struct spread {
	struct hists hists;
	struct spread_row {
		uint64_t n, least, greatest, sum[3];
	} * row;
	size_t cap;
};

/* The precision of percentiles of many values: a power of two has 2^SPREAD_BITS parts. */
#define SPREAD_BITS 7

/* Adds a value, so many times. */
void spread_add(struct spread *s, uint32_t row, uint64_t v, uint64_t times);
/* The smallest value that at least `percent` of those of a row, which has some, do not exceed. */
uint64_t spread_percentile(const struct spread *s, uint32_t row, unsigned percent);
void spread_free(struct spread *s);

#endif
