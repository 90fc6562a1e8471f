/* plot_nest.c - states within states: see plot_nest.h. */
#include <stdlib.h>

#include "trace-plot/plot_nest.h"

void
nest_room(struct state_nest *s, uint32_t loc)
{
	size_t n = s->locs;

	GROW(s->loc, s->locs, (size_t)loc + 1);
	for (; n < s->locs; n++)
		s->loc[n].begin = INT64_MIN;
}

void
nest_grow(struct state_nest *s, struct nest_loc *l)
{
	uint16_t cap = l->cap ? (uint16_t)(2 * l->cap) : 1;

	GROW(s->v, s->cap, s->n + cap);
	if (l->n)
		memcpy(s->v + s->n, s->v + l->at, l->n * sizeof *s->v);
	l->at = (uint32_t)s->n;
	l->cap = cap;
	s->n += cap;
}

void
nest_keep(struct state_nest *s, uint32_t loc, int64_t from, int64_t end)
{
	struct nest_span *span;

	GROW(s->span, s->spans, (size_t)loc + 1);
	span = &s->span[loc];
	if (span->end <= span->first)
		*span = (struct nest_span){from, end};
	span->first = from < span->first ? from : span->first;
	span->end = end > span->end ? end : span->end;
}

void
nest_free(struct state_nest *s)
{
	free(s->v);
	free(s->loc);
	free(s->span);
}
