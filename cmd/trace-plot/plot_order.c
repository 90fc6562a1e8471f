/* plot_order.c - states in order of their begin: see plot_order.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/die.h"
#include "base/in.h"
#include "base/out.h"
#include "base/sandbox.h"
#include "trace-plot/plot_order.h"

/* Compares states: by location, then by begin, the longer first; but early states, which begin before states
 * that were taken, are last. */
static int
by_begin(const void *x, const void *y)
{
	const struct ordered_state *a = x, *b = y;

	if (a->loc != b->loc)
		return a->loc < b->loc ? -1 : 1;
	if (a->early != b->early)
		return a->early ? 1 : -1;
	if (a->from != b->from)
		return a->from < b->from ? -1 : 1;
	if (a->to != b->to)
		return a->to > b->to ? -1 : 1;
	return a->at < b->at ? -1 : a->at > b->at;
}

static _Noreturn void
file_failed(int err)
{
	errno = err ? err : EIO;
	die("a temporary file in TMPDIR for states that are not in order:");
}

/* Writes the states that are held as a sorted run. */
static void
spill_run(struct order *o)
{
	size_t n = o->n * sizeof *o->v;
	int err;

	if (!o->nruns && (o->fd = sandbox_temporary()) < 0)
		file_failed(errno);
	qsort(o->v, o->n, sizeof *o->v, by_begin);
	if (out_at(o->fd, o->v, n, o->written, &err) < n)
		file_failed(err);
	*PUSH(o->run, o->nruns, o->runcap) =
	    (struct sorted_run){.at = o->written, .end = o->written + n};
	o->written += n;
	o->n = 0;
}

/* Hands the older half of the states that are held to `take`. */
static void
take_half(struct order *o)
{
	size_t half = o->n / 2;

	for (size_t i = 0; i < half; i++) {
		const struct ordered_state *s = &o->v[i];
		struct order_place *p = &o->place[s->loc];

		p->first = p->took_from == INT64_MIN ? s->from : p->first;
		p->took_from = s->from;
		p->took_to = s->to;
		o->take(o->arg, s);
	}
	o->n -= half;
	memmove(o->v, o->v + half, o->n * sizeof *o->v);
}

static void
more_places(struct order *o, uint32_t loc)
{
	size_t n = o->places;

	GROW(o->place, o->places, (size_t)loc + 1);
	for (; n < o->places; n++)
		o->place[n].from = o->place[n].took_from = INT64_MIN;
}

static bool
goes_back(const struct ordered_state *s, int64_t from, int64_t to)
{
	return s->from < from || (s->from == from && s->to > to);
}

void
order_put(struct order *o, struct ordered_state *s)
{
	struct order_place *p;

	if (unlikely(s->loc >= o->places))
		more_places(o, s->loc);
	p = &o->place[s->loc];
	if (s->from <= p->from || o->mixed) {
		o->mixed |= goes_back(s, p->from, p->to);
		s->early = goes_back(s, p->took_from, p->took_to);
		o->late += s->early && s->to > p->first;
	}
	p->from = s->from;
	p->to = s->to;
	s->at = o->added++ & INT64_MAX;
	if (unlikely(o->n == o->cap))
		GROW(o->v, o->cap, o->n + 1);
	o->v[o->n++] = *s;
	if (unlikely(o->n == STATES_WAIT) && !o->mixed && !o->holds)
		take_half(o);
	else if (unlikely(o->n == STATES_HELD))
		spill_run(o);
}

/* Returns the next state of a run, or NULL at its end. Reads `room` states at a time. */
static const struct ordered_state *
run_state(const struct order *o, struct sorted_run *r, size_t room)
{
	size_t left = (size_t)((r->end - r->at) / sizeof *r->v), n;
	int err;

	if (r->i == r->n && left) {
		r->i = 0;
		r->n = left < room ? left : room;
		n = r->n * sizeof *r->v;
		if (in_at(o->fd, r->v, n, r->at, &err) < n)
			file_failed(err);
		r->at += n;
	}
	return r->i < r->n ? &r->v[r->i] : NULL;
}

void
order_end(struct order *o)
{
	size_t room = o->cap;

	if (!o->nruns) {
		if (o->mixed)
			qsort(o->v, o->n, sizeof *o->v, by_begin);
		for (size_t i = 0; i < o->n; i++)
			o->take(o->arg, &o->v[i]);
		return;
	}
	spill_run(o);
	room = room / o->nruns ? room / o->nruns : 1;
	GROW(o->v, o->cap, room * o->nruns);
	for (size_t i = 0; i < o->nruns; i++)
		o->run[i].v = o->v + i * room;
	for (struct sorted_run *first = NULL;;) {
		const struct ordered_state *s = NULL, *next = NULL, *k;

		for (size_t i = 0; i < o->nruns; i++) {
			k = run_state(o, &o->run[i], room);
			if (k && (!s || by_begin(k, s) < 0)) {
				next = s;
				s = k;
				first = &o->run[i];
			} else if (k && (!next || by_begin(k, next) < 0))
				next = k;
		}
		if (!s)
			return;
		/* Take this run as long as its states are before all others. */
		do {
			o->take(o->arg, s);
			first->i++;
			s = run_state(o, first, room);
		} while (s && (!next || by_begin(s, next) < 0));
	}
}

void
order_free(struct order *o)
{
	free(o->v);
	free(o->run);
	free(o->place);
	if (o->nruns)
		close(o->fd);
}
