/* same.h - measures the clock of each input against the clock of the first, by events that
 * both inputs recorded. */
#ifndef SPOOR_TRACE_MERGE_SAME_H
#define SPOOR_TRACE_MERGE_SAME_H

#include "merge/merged.h"

/* Reads the inputs path[0..n), n >= 2, one by one. Two events match if the values of `keys`, fields and
 * expressions with commas between, are equal, and no other event of either input has these values. Sets
 * shift[1..n) so that a merge with this `align` brings the times of these events as near as possible to their
 * times in the first input. Prints the result on standard error, as options of trace-merge: the offset, the
 * drift if there is one, the number of pairs, and how far they are still apart. Dies if `keys` is malformed, if there is no pair, if clocks
 * count different units, or if an input cannot be read; an input with errors gives the pairs that it has.
 *
 * The line through the pairs is Tukey's resistant line, which uses medians: up to a sixth of the pairs may be
 * wrong. If there are more than 2^20 values of keys, only the values with the lowest hashes are used, the same in
 * all inputs. */
void same_clocks(const struct read_options *opt, const char *keys, enum merge_align align,
		 const char *const *path, size_t n, struct merge_shift *shift);

#endif
