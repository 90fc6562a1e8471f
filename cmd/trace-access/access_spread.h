/* access_spread.h - the distribution of times, by row. */
#ifndef SPOOR_SPREAD_H
#define SPOOR_SPREAD_H

#include "stats/stats_hist.h"

/* Distributions. Zero it; a zeroed one is empty. */
struct spread {
	struct hists hists;
	struct spread_row {
		uint64_t n, least, greatest, sum[3];
	} * row;
	size_t cap;
};

/* Precision of percentiles of many values: a power of two has 2^SPREAD_BITS parts. */
#define SPREAD_BITS 7

/* Adds a value to a row, `times` times. */
void spread_add(struct spread *s, uint32_t row, uint64_t v, uint64_t times);
/* Returns the smallest value that at least `percent` % of the values of a row do not exceed. The row must have
 * values. */
uint64_t spread_percentile(const struct spread *s, uint32_t row, unsigned percent);
/* Frees what s holds. */
void spread_free(struct spread *s);

#endif
