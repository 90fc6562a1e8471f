/* plot_nest.c - states within states: see plot_nest.h. */
#include <stdlib.h>

#include "base/die.h"
#include "base/mem.h"
#include "trace-plot/plot_nest.h"

void
nest_room(struct state_nest *s, uint32_t loc)
{
	size_t n = s->locs;

	GROW(s->loc, s->locs, (size_t)loc + 1);
	for (; n < s->locs; n++)
		s->loc[n].begin = INT64_MIN;
}

uint32_t
nest_new(struct state_nest *s)
{
	GROW(s->v, s->cap, (size_t)++s->n + 1);
	return s->n;
}

void
nest_forget(struct state_nest *s, uint32_t *link, unsigned depth)
{
	unsigned n = 1;

	/* The depths do not count states that were dropped before. */
	for (; s->v[*link].below; n++)
		link = &s->v[*link].below;
	if (n >= depth)
		nest_drop(s, link);
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
nest_clear(struct state_nest *s, struct nest_loc *l)
{
	s->back = true;
	while (l->top)
		nest_drop(s, &l->top);
}

void
nest_free(struct state_nest *s)
{
	free(s->v);
	free(s->loc);
	free(s->span);
}
