/*
 * plot_nest.h - the states that each of many locations is in at once, the innermost first. They come as plot_order.h gives
 * them; one that goes back is within nothing that came before.
 */
#ifndef SPOOR_NEST_H
#define SPOOR_NEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"

/* The time of one location from the first begin to the last end. */
struct nest_span {
	int64_t first, end; /* nothing where end <= first */
};

/* Zero it. Locations and states have numbers; 0 is no state. */
struct state_nest {
	struct nest_state {
		int64_t end;
		uint16_t tag, depth;
		uint32_t below; /* the state that it is within */
	} * v;
	size_t cap;
	uint32_t n, free; /* states that there were; of those that ended the first */
	struct nest_loc {
		int64_t begin; /* of the state that came last */
		uint32_t top;
	} * loc; /* by location */
	size_t locs;
	bool back; /* a state went back */
	bool keep; /* spans are wanted */
	struct nest_span *span;
	size_t spans;
};

/* Room for the states of a location, or for one more state. */
COLD void nest_room(struct state_nest *s, uint32_t loc);
COLD uint32_t nest_new(struct state_nest *s);
/* Forgets the outermost, if there are `depth`; keeps the span of one more. */
COLD void nest_forget(struct state_nest *s, uint32_t *link, unsigned depth);
void nest_keep(struct state_nest *s, uint32_t loc, int64_t from, int64_t end);

static INLINE void
nest_drop(struct state_nest *s, uint32_t *link)
{
	uint32_t i = *link;

	*link = s->v[i].below;
	s->v[i].below = s->free;
	s->free = i;
}

/* Forgets all states of a location, as one goes back. */
COLD void nest_clear(struct state_nest *s, struct nest_loc *l);

/* Returns the innermost state that one from `from` to `to` is within, or 0. */
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

/* A state begins, after nest_top. Those around it that end no later are forgotten: nothing that begins
 * from now on can see them behind it. Of more than `depth` the outermost is forgotten, too. */
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

void nest_free(struct state_nest *s);

#endif
