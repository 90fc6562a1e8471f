/*
 * plot_partial.h - what a plot has counted as text, to be added to others.
 *
 *	#	spoor-plot 8	KIND	...	a header: the question, times, 2^k a bin
 *	BIN	LANE	NAME	SUM	VALUE	of a bin: row and name of a series, the number of its sum
 *	+	J	BLOCK	EVENTS		in a block of time of 2^J
 *	=	NAME	WHAT	NUMBER	TIMES	for percentiles: so many times a value, or its bucket; or the
 *						least or the greatest of that name
 *	@	ROW	FIRST	END		where something of that row lasts
 *	~	LINES				how many of the last four kinds there are
 *
 * Bins of any width add up exactly, in any order, so partials may be put behind each other.
 */
#ifndef SPOOR_PLOT_PARTIAL_H
#define SPOOR_PLOT_PARTIAL_H

#include "trace-plot/plot.h"

/* Writes p, whose bins are settled, to o; `status` is the status of the program so far. Dies if locations share
 * rows, because they cannot be separated later. */
void plot_partial(struct plot *p, struct out *o, int status);
/*
 * Adds the partial results at paths[0..n) to p; n = 0 means standard input. Opens p as the first of them says. All must be
 * of this kind and have the same options; `opts` has the options that a partial result does not hold. Dies with the line if
 * one is malformed or cut, or if a row has states in two of them at one time, because their nesting is then unknown.
 * Returns ST_OK, or ST_TROUBLE if an error was met when one of them was made.
 */
int plot_merge_partials(struct plot *p, const struct plot_kind *kind,
			const struct plot_options *opts, char *const *paths, size_t n);

#endif
