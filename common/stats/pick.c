/* pick.c - tables and columns that take only the events an expression is true for. */
#include <stdlib.h>
#include <string.h>

#include "expr/filter.h"
#include "stats/stats.h"

void
stats_pick_open(struct stats *st)
{
	const struct spec *spec = st->spec;

	st->when = expr_parse(spec->when);
	st->col_when = xcalloc(spec->ncols, sizeof(struct expr *));
	for (size_t c = 0; c < spec->ncols; c++)
		st->col_when[c] = expr_parse(spec->col[c].when);
}

void
stats_pick_free(struct stats *st)
{
	expr_free(st->when);
	for (size_t c = 0; c < st->spec->ncols; c++)
		expr_free(st->col_when[c]);
	free(st->col_when);
}

uint32_t
stats_pick(struct expr *e, struct source *s, const struct batch *b, const uint32_t *pick,
	   uint32_t n, uint32_t match[BATCH], uint32_t *at)
{
	uint32_t found = expr_run(e, s, b, match), k = 0, i = 0;

	if (!pick && n == b->n) {
		if (at)
			memcpy(at, match, found * sizeof *at);
		return found;
	}
	/* Both are in the order of the batch. */
	for (uint32_t m = 0; m < found; m++) {
		while (i < n && (pick ? pick[i] : i) < match[m])
			i++;
		if (i == n)
			break;
		if ((pick ? pick[i] : i) != match[m])
			continue;
		match[k] = match[m];
		if (at)
			at[k] = i;
		k++;
	}
	return k;
}
