/*
 * ovni_turns.c - the events of one stream in their time, its unordered regions among them.
 *
 * What is not in a region, and each run, is a stream of its own in order; a heap tells
 * whose event is next. What waits is bounded as it is when events are given: runs beyond
 * that come late.
 */
#include <stdlib.h>
#include <string.h>

#include "ovni/ovni_trace.h"

struct ovni_turns {
	struct source *s;
	struct ovni_runs *runs;
	struct ovni_turn *v; /* a heap, whose least is the first */
	size_t n, cap;
	uint64_t floor; /* key of the last one given */
	bool given;	/* the first one was, and has yet to be passed */
};

static bool
before(const struct ovni_turn *a, const struct ovni_turn *b)
{
	return a->key != b->key ? a->key < b->key : a->c->from < b->c->from;
}

/* Turn i goes down to its place. */
static void
sink(struct ovni_turns *t, size_t i)
{
	struct ovni_turn *v = t->v;

	for (size_t k; (k = 2 * i + 1) < t->n; i = k) {
		struct ovni_turn was = v[i];

		if (k + 1 < t->n && before(&v[k + 1], &v[k]))
			k++;
		if (!before(&v[k], &was))
			return;
		v[i] = v[k];
		v[k] = was;
	}
}

/* Turn i goes up to its place. */
static void
rise(struct ovni_turns *t, size_t i)
{
	struct ovni_turn *v = t->v;

	for (size_t up; i && before(&v[i], &v[up = (i - 1) / 2]); i = up) {
		struct ovni_turn was = v[up];

		v[up] = v[i];
		v[i] = was;
	}
}

/* Finds the next event of a turn's cursor. False at its end. */
static bool
settle(struct ovni_turns *t, struct ovni_turn *e)
{
	if (!ovni_settle(t->s, e->c, &e->f))
		return false;
	e->key = e->c->last = ovni_key(e->c, e->f.clock);
	return true;
}

static void
add(struct ovni_turns *t, struct ovni_cursor *c)
{
	struct ovni_turn new = {.c = c};

	c->quiet = true;
	if (!settle(t, &new)) {
		ovni_cursor_free(c);
		return;
	}
	t->v = grow(t->v, &t->cap, t->n + 1, sizeof *t->v);
	t->v[t->n++] = new;
	rise(t, t->n - 1);
}

struct ovni_turns *
ovni_turns_new(struct source *s, struct ovni_stream *st, struct ovni_runs *runs)
{
	struct ovni_turns *t = xcalloc(1, sizeof *t);

	t->s = s;
	t->runs = runs;
	add(t, ovni_cursor_new(st, 0, UINT64_MAX));
	return t;
}

const struct ovni_turn *
ovni_turns_next(struct ovni_turns *t)
{
	uint64_t key;

	if (t->given) {
		ovni_pass(t->s, t->v->c, &t->v->f);
		if (!settle(t, t->v)) {
			ovni_cursor_free(t->v->c);
			*t->v = t->v[--t->n];
		}
		sink(t, 0);
	}
	while (t->n < OVNI_WAIT && (key = ovni_runs_key(t->runs)) != MERGE_END &&
	       (!t->n || key <= t->v->key)) {
		struct ovni_run run = ovni_runs_next(t->s, t->runs);

		add(t, ovni_run_cursor(t->s, &run, t->floor));
	}
	t->given = t->n > 0;
	if (!t->given)
		return NULL;
	t->floor = t->v->key;
	return t->v;
}

void
ovni_turns_free(struct ovni_turns *t)
{
	for (size_t i = 0; i < t->n; i++)
		ovni_cursor_free(t->v[i].c);
	free(t->v);
	free(t);
}
