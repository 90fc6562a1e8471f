/* stats_state.c - how long states last: an event that leaves one ends
 * the innermost enter. */
#include <stdlib.h>

#include "stats/stats.h"

/* Of a state within itself, so many enters wait for their leaves; further ones are not
 * paired. */
#define DEEPEST 64

static void
count(struct stats *st, size_t c, uint32_t g, struct value v, uint64_t begin)
{
	column_one(st, c, g, v, begin, 0);
}

static void
enters(struct states *a, int64_t time)
{
	if (a->n == DEEPEST) {
		a->deeper++;
		return;
	}
	a->enter = grow(a->enter, &a->enter_cap, a->n + 1, sizeof *a->enter);
	a->enter[a->n++] = time;
}

void
states_add(struct stats *st, const struct source *s, size_t c, const uint8_t *base,
	   const uint32_t *off, uint32_t n, const uint32_t *g, const uint32_t *whole)
{
	struct column *col = &st->col[c];
	enum clock clock = s->head.clock;

	col->states = grow(col->states, &col->states_cap, st->ngroups, sizeof *col->states);
	for (uint32_t i = 0; i < n; i++) {
		const struct rec *r = (const struct rec *)(const void *)(base + off[i]);
		int way = st->way[r->type];
		struct states *a = &col->states[whole[i]];

		if (!way)
			continue;
		if (a->source != st->source) {
			a->source = st->source;
			a->n = a->nleaves = 0;
			a->deeper = 0;
		}
		if (way > 0 && r->has & HAS_DUR) {
			/* An enter and its leave have become one event. */
			count(st, c, g[i], time_between(clock, 0, r->dur), s->begin);
		} else if (way > 0) {
			enters(a, r->time);
		} else if (a->deeper) {
			a->deeper--;
		} else if (a->n) {
			count(st, c, g[i], time_between(clock, a->enter[--a->n], r->time),
			      s->begin);
		} else if (s->begin && a->nleaves < DEEPEST) {
			a->leave =
			    grow(a->leave, &a->leave_cap, a->nleaves + 1, sizeof *a->leave);
			a->leave[a->nleaves++] = r->time;
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
