/* plot_nest.h - the states that each of many locations is in at once, the innermost last. They come in the
 * order of plot_order.h. A state that goes back in time is not within any state that came before. */
#ifndef SPOOR_PLOT_NEST_H
#define SPOOR_PLOT_NEST_H

#include <string.h>

#include "base/compiler.h"
#include "base/die.h"

/* Time of one location from the first begin to the last end. */
struct nest_span {
	int64_t first, end; /* empty if end <= first */
};

/* States of all locations. Zero it. */
struct state_nest {
	struct nest_loc {
		int64_t begin; /* begin of the last state */
		struct nest_state {
			int64_t end;
			uint32_t tag;
		} * v;
		uint32_t n;
		size_t cap;
		struct nest_span span;
	} * loc; /* by location */
	size_t locs;
	bool back; /* a state went back in time */
};

/* Makes room for the states of location `loc`. */
COLD void nest_room(struct state_nest *s, uint32_t loc);

/* Returns the states of a location that the state [from, to) is within, after it has dropped all others. */
static INLINE struct nest_loc *
nest_around(struct state_nest *s, uint32_t loc, int64_t from, int64_t to)
{
	struct nest_loc *l;

	if (unlikely(loc >= s->locs))
		nest_room(s, loc);
	l = &s->loc[loc];
	if (unlikely(from <= l->begin) &&
	    (from < l->begin || (l->n && l->v[l->n - 1].end < to))) {
		s->back = true;
		l->n = 0;
	}
	l->begin = from;
	while (l->n && l->v[l->n - 1].end <= from)
		l->n--;
	return l;
}

/* Begins a state, after nest_around(). Drops states around it that end no later, because no later state can be
 * within them. If there are more than `depth` states, drops the outermost, too. */
static INLINE void
nest_push(struct nest_loc *l, int64_t from, int64_t end, uint32_t tag, uint32_t depth)
{
	while (l->n && l->v[l->n - 1].end <= end)
		l->n--;
	if (unlikely(l->n == depth))
		memmove(l->v, l->v + 1, --l->n * sizeof *l->v);
	if (unlikely(l->n == l->cap))
		GROW_SMALL(l->v, l->cap, l->n + 1);
	l->v[l->n++] = (struct nest_state){end, tag};
	l->span.first = from < l->span.first ? from : l->span.first;
	l->span.end = end > l->span.end ? end : l->span.end;
}

/* Frees what s holds. */
void nest_free(struct state_nest *s);

#endif
