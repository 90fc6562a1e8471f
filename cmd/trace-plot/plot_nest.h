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
		int64_t begin;	 /* begin of the last state */
		uint32_t at;	 /* number of its outermost state in v */
		uint16_t n, cap; /* states, and room for them */
	} * loc;		 /* by location */
	size_t locs;
	struct nest_state {
		int64_t end;
		uint32_t tag;
	} * v;
	size_t n, cap;
	bool back; /* a state went back in time */
	bool keep; /* record spans */
	struct nest_span *span;
	size_t spans;
};

/* Makes room for the states of location `loc`; nest_grow() for another state of a location. */
COLD void nest_room(struct state_nest *s, uint32_t loc);
COLD void nest_grow(struct state_nest *s, struct nest_loc *l);
/* Extends the span of a location. */
COLD void nest_keep(struct state_nest *s, uint32_t loc, int64_t from, int64_t end);

/* Returns the states of a location, the outermost first. */
static INLINE struct nest_state *
nest_states(const struct state_nest *s, const struct nest_loc *l)
{
	return s->v + l->at;
}

/* Returns the states of a location that the state [from, to) is within, after it has dropped all others. */
static INLINE struct nest_loc *
nest_around(struct state_nest *s, uint32_t loc, int64_t from, int64_t to)
{
	struct nest_loc *l;

	if (unlikely(loc >= s->locs))
		nest_room(s, loc);
	l = &s->loc[loc];
	if (unlikely(from <= l->begin) &&
	    (from < l->begin || (l->n && s->v[l->at + l->n - 1].end < to))) {
		s->back = true;
		l->n = 0;
	}
	l->begin = from;
	while (l->n && s->v[l->at + l->n - 1].end <= from)
		l->n--;
	return l;
}

/* Begins a state of a location, after nest_around(). Drops states around it that end no later, because no later state
 * can be within them. If there are more than `depth` states, drops the outermost, too. */
static INLINE void
nest_push(struct state_nest *s, uint32_t loc, int64_t from, int64_t end, uint32_t tag,
	  uint32_t depth)
{
	struct nest_loc *l = &s->loc[loc];

	while (l->n && s->v[l->at + l->n - 1].end <= end)
		l->n--;
	if (unlikely(l->n == depth))
		memmove(s->v + l->at, s->v + l->at + 1, --l->n * sizeof *s->v);
	if (unlikely(l->n == l->cap))
		nest_grow(s, l);
	s->v[l->at + l->n++] = (struct nest_state){end, tag};
	if (unlikely(s->keep))
		nest_keep(s, loc, from, end);
}

/* Frees what s holds. */
void nest_free(struct state_nest *s);

#endif
