/*
 * plot_partial.h - the counts of a plot as text, to be added to the counts of other plots.
 *
 *	#	spoor-plot 8	KIND	...	a header: options, times, k of the bins
 *	BIN	LANE	NAME	SUM	VALUE	in a bin, for a row and name of a series, the number of the sum
 *	+	J	BLOCK	EVENTS		events in a block of time of 2^J
 *	=	NAME	WHAT	NUMBER	TIMES	for percentiles: how often a value or a bucket occurs; or
 *						the smallest or greatest value of that name
 *	@	ROW	FIRST	END		time of the states of that row
 *	~	LINES				number of lines of the last four kinds
 *
 * Bins of any width add up exactly, in any order, so partial results may be concatenated.
 */
#ifndef SPOOR_PLOT_PARTIAL_H
#define SPOOR_PLOT_PARTIAL_H

#include "trace-plot/plot.h"

/* Writes p, whose bins are settled, to o; `status` is the status of the program so far. Dies if locations share
 * rows, because they cannot be separated later. */
void plot_partial(struct plot *p, struct out *o, int status);
/* Adds the partial results at paths[0..n) to p; n = 0 means standard input. Opens p with the options in the first
 * result. All results must be of this kind and have the same options; `opts` has the options that a result does
 * not hold. Dies with the line if a result is malformed or cut, or if a row has states in two results at the same
 * time, because their nesting is then unknown. Returns ST_OK, or ST_TROUBLE if an error was met when a result was
 * made. */
int plot_merge_partials(struct plot *p, const struct plot_kind *kind,
			const struct plot_options *opts, char *const *paths, size_t n);

#endif
