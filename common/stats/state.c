/* state.c - how long states last: an event that leaves one ends
 * the innermost enter. */
#include <stdlib.h>

#include "stats/stats.h"

/* Of a state within itself, so many enters wait for their leaves; further ones are not
 * paired. */
#define DEEPEST 64

static void
enters(struct states *a, int64_t time)
{
	if (a->n == DEEPEST) {
		a->deeper++;
		return;
	}
	*PUSH(a->enter, a->n, a->enter_cap) = time;
}

void
states_add(struct stats *st, const struct source *s, size_t c, struct events e)
{
	struct column *col = &st->col[c];
	enum clock clock = s->head.clock;

	GROW(col->states, col->states_cap, st->ngroups);
	for (uint32_t i = 0; i < e.n; i++) {
		const struct rec *r = event_at(e, i);
		int way = st->way[r->type];
		struct states *a = &col->states[e.whole[i]];

		if (!way)
			continue;
		if (a->source != st->source) {
			a->source = st->source;
			a->n = a->nleaves = 0;
			a->deeper = 0;
		}
		if (way > 0 && r->has & HAS_DUR) {
			/* An enter and its leave have become one event. */
			column_one(st, c, e.g[i], time_between(clock, 0, r->dur), s->begin,
				   0);
		} else if (way > 0) {
			enters(a, r->time);
		} else if (a->deeper) {
			a->deeper--;
		} else if (a->n) {
			column_one(st, c, e.g[i],
				   time_between(clock, a->enter[--a->n], r->time), s->begin,
				   0);
		} else if (s->begin && a->nleaves < DEEPEST) {
			*PUSH(a->leave, a->nleaves, a->leave_cap) = r->time;
		}
	}
}

void
states_segments(struct stats *st, const struct source *s, uint32_t c)
{
	const struct column *col = &st->col[c];

	for (uint32_t g = 0; g < st->ngroups && g < col->states_cap; g++) {
		const struct states *a = &col->states[g];
		struct segment seg = {.group = g,
				      .file = st->file,
				      .col = c,
				      .begin = s->begin,
				      .end = s->end};

		if (a->source != s->id)
			continue;
		for (uint32_t i = 0; i < a->nleaves; i++, seg.seq++) {
			seg.first = seg.began = a->leave[i];
			seg.last = NO_TIME;
			segment_add(st, &seg);
		}
		for (uint32_t i = 0; i < a->n; i++, seg.seq++) {
			seg.first = NO_TIME;
			seg.last = a->enter[i];
			segment_add(st, &seg);
		}
	}
}

void
states_clear(struct column *col, size_t g)
{
	if (g >= col->states_cap)
		return;
	free(col->states[g].enter);
	free(col->states[g].leave);
	col->states[g] = (struct states){0};
}
