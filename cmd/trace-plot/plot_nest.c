/* plot_nest.c - states within states: see plot_nest.h. */
#include <stdlib.h>

#include "trace-plot/plot_nest.h"

void
nest_room(struct state_nest *s, uint32_t loc)
{
	size_t n = s->locs;

	GROW(s->loc, s->locs, (size_t)loc + 1);
	for (; n < s->locs; n++) {
		s->loc[n].begin = INT64_MIN;
		s->loc[n].span = (struct nest_span){INT64_MAX, INT64_MIN};
	}
}

void
nest_free(struct state_nest *s)
{
	for (size_t i = 0; i < s->locs; i++)
		free(s->loc[i].v);
	free(s->loc);
}
