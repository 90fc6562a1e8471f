/* same.h - how the clock of each input goes beside that of the first: by events that both have noted. */
#ifndef SPOOR_TRACE_MERGE_SAME_H
#define SPOOR_TRACE_MERGE_SAME_H

#include "merge/merged.h"

/*
 * Reads the inputs path[0..n), n >= 2, one by one. Two events are the same where the values of `keys`, fields
 * and expressions with commas between, are equal, and no other event of either input has them. Sets shift[1..n)
 * so that a merge with that `align` puts the times of those nearest to the times that the first input has for
 * them, and says on standard error what it found, as options of trace-merge: what is added, the drift if there is one, by how many pairs, and how far they are apart
 * then. Dies where there is no pair, or clocks count different units.
 *
 * The line is Tukey's resistant one: through medians, so that up to a sixth of the pairs may be wrong ones.
 * Of more than 2^20 values of keys those with the least hashes are looked at, the same in all inputs.
 */
void same_clocks(const struct read_options *opt, const char *keys, enum merge_align align,
		 const char *const *path, size_t n, struct merge_shift *shift);

#endif
