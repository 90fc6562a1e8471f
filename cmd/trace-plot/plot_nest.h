/* plot_nest.h - the states that each of many locations is in at once, the innermost first. They come in the
 * order of plot_order.h. A state that goes back in time is not within any state that came before. */
#ifndef SPOOR_PLOT_NEST_H
#define SPOOR_PLOT_NEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"

/* Time of one location from the first begin to the last end. */
struct nest_span {
	int64_t first, end; /* empty if end <= first */
};

/* States of all locations. Zero it. Locations and states have numbers; number 0 is no state. */
struct state_nest {
	struct nest_state {
		int64_t end;
		uint16_t tag, depth;
		uint32_t below; /* state around this one */
	} * v;
	size_t cap;
	uint32_t n, free; /* number of states; first free state */
	struct nest_loc {
		int64_t begin; /* begin of the last state */
		uint32_t top;
	} * loc; /* by location */
	size_t locs;
	bool back; /* a state went back in time */
	bool keep; /* record spans */
	struct nest_span *span;
	size_t spans;
};

/* Makes room for the states of location `loc`. nest_new() makes room for another state, and returns its number. */
COLD void nest_room(struct state_nest *s, uint32_t loc);
COLD uint32_t nest_new(struct state_nest *s);
/* Drops the outermost state from the list at `link`, if there are `depth` or more. nest_keep() extends the span
 * of a location. */
COLD void nest_forget(struct state_nest *s, uint32_t *link, unsigned depth);
void nest_keep(struct state_nest *s, uint32_t loc, int64_t from, int64_t end);

/* Removes the state at *link from its list, and frees it. */
static INLINE void
nest_drop(struct state_nest *s, uint32_t *link)
{
	uint32_t i = *link;

	*link = s->v[i].below;
	s->v[i].below = s->free;
	s->free = i;
}

/* Drops all states of a location, because a state goes back in time. */
COLD void nest_clear(struct state_nest *s, struct nest_loc *l);

/* Returns the innermost state that the state [from, to) is within, or 0. */
static INLINE uint32_t
nest_top(struct state_nest *s, uint32_t loc, int64_t from, int64_t to)
{
	struct nest_loc *l;

	if (unlikely(loc >= s->locs))
		nest_room(s, loc);
	l = &s->loc[loc];
	if (unlikely(from <= l->begin) &&
	    (from < l->begin || (l->top && s->v[l->top].end < to)))
		nest_clear(s, l);
	l->begin = from;
	while (l->top && s->v[l->top].end <= from)
		nest_drop(s, &l->top);
	return l->top;
}

/* Begins a state, after nest_top(). Drops states around it that end no later, because no later state can be
 * within them. If there are more than `depth` states, drops the outermost, too. */
static INLINE void
nest_push(struct state_nest *s, uint32_t loc, int64_t from, int64_t end, uint32_t tag,
	  unsigned depth)
{
	uint32_t *top = &s->loc[loc].top, i;
	unsigned level;

	while (*top && s->v[*top].end <= end)
		nest_drop(s, top);
	level = *top ? s->v[*top].depth + 1u : 1;
	if (unlikely(level > depth)) {
		nest_forget(s, top, depth);
		level = depth;
	}
	i = s->free ? s->free : nest_new(s);
	s->free = s->v[i].below;
	s->v[i] = (struct nest_state){end, (uint16_t)tag, (uint16_t)level, *top};
	*top = i;
	if (unlikely(s->keep))
		nest_keep(s, loc, from, end);
}

/* Frees what s holds. */
void nest_free(struct state_nest *s);

#endif
