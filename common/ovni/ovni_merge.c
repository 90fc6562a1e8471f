/* ovni_merge.c - fills batches: with the events of all streams by corrected clock, or one stream after the other. */
#include <stdlib.h>
#include <string.h>

#include "input/fault.h"
#include "ovni/ovni_trace.h"

#define AHEAD 5 /* number of inputs that are prefetched into the cache before their turn */

static void
merge_take(void *ctx, uint32_t i, uint64_t below, uint32_t most)
{
	struct source *s = ctx;
	struct ovni *o = s->state;
	struct ovni_cursor *c = o->act[i];

	/* With a thousand streams, none of the next ones is in the cache. */
	if (o->nact > MERGE_TREE && i + AHEAD < o->nact) {
		const uint8_t *p = o->place[i + AHEAD];

		prefetch(o->act[i + AHEAD]);
		prefetch(p);
		prefetch(p + 64);
		prefetch(p + 128);
	}
	o->head[i] = ovni_take(s, c, below, most);
	o->place[i] = c->p;
}

/* Returns a cursor for a run. If its key is less than `floor`, the key of the last event handed out, its events
 * come late, which is reported once for each stream. */
static struct ovni_cursor *
run_cursor(struct source *s, const struct ovni_run *run, uint64_t floor)
{
	struct ovni *o = s->state;
	struct ovni_stream *st = &o->st[run->stream];
	struct ovni_cursor *c = ovni_cursor_new(st, run->from, run->to);
	bool late = run->key < floor;

	c->stream = o->states ? run->stream : 0;
	c->in_run = !run->behind;
	c->region = run->behind || late;
	c->last = late ? floor : run->key;
	if (late && !st->late_said) {
		st->late_said = true;
		fault(s, NULL, COST_STATUS, st->path, run->from,
		      "more than %u stretches of unordered events wait: later events come "
		      "late (said once a stream)",
		      OVNI_WAIT);
	}
	return c;
}

/* Removes the inputs that have ended. Returns the number of remaining ones. */
static size_t
drop_ended(struct ovni *o)
{
	size_t n = 0;

	for (size_t i = 0; i < o->nact; i++) {
		if (o->head[i] == MERGE_END) {
			ovni_cursor_free(o->act[i]);
			continue;
		}
		o->act[n] = o->act[i];
		o->place[n] = o->place[i];
		o->head[n++] = o->head[i];
	}
	return n;
}

/* Makes inputs of the next runs, and removes inputs that have ended. If there are many inputs, adds several runs
 * at once, some of them early: the result is the same, but the inputs are moved less often, so the time stays
 * linear. */
static void
add_runs(struct source *s)
{
	struct ovni *o = s->state;
	size_t cap = o->actcap, n = drop_ended(o), room = o->n + OVNI_WAIT - n, k = 0,
	       most = 1 + o->nact / MERGE_TREE;

	most = most < room ? most : room;
	GROW(o->turn, o->turncap, most + 1);
	while (k < most && ovni_runs_key(&o->runs) != MERGE_END)
		o->turn[k++] = ovni_runs_next(s, &o->runs);
	o->nact = n + k;
	GROW(o->act, o->actcap, o->nact + 1);
	if (o->actcap > cap) { /* the other arrays grow together with act */
		o->head = xrealloc(o->head, o->actcap, sizeof *o->head);
		o->place = xrealloc(o->place, o->actcap, sizeof *o->place);
	}
	if (k)
		qsort(o->turn, k, sizeof *o->turn, ovni_run_order);
	for (size_t at = o->nact; k;) {
		const struct ovni_cursor *last = n ? o->act[n - 1] : NULL;
		const struct ovni_run *run = &o->turn[k - 1];

		at--;
		if (last && (last->st > &o->st[run->stream] ||
			     (last->st == &o->st[run->stream] && last->from > run->from))) {
			o->act[at] = o->act[--n];
			o->head[at] = o->head[n];
			o->place[at] = o->place[n];
			continue;
		}
		o->act[at] = run_cursor(s, run, o->floor);
		o->head[at] = ovni_head(s, o->act[at]);
		o->place[at] = o->act[at]->p;
		k--;
	}
	o->m.head = o->head;
	o->m.n = (uint32_t)o->nact;
	merge_changed(&o->m);
}

/* Returns the key up to which all inputs with events are present: the key of the next run. If there is no room for
 * that run, returns a larger key until enough inputs have ended: moving the inputs more often would take too long. */
static uint64_t
next_limit(const struct ovni *o)
{
	uint64_t limit = ovni_runs_key(&o->runs), most = limit;
	size_t ended = 0;

	if (limit == MERGE_END || o->nact < o->n + OVNI_WAIT)
		return limit;
	for (size_t i = 0; i < o->nact; i++) {
		ended += o->head[i] == MERGE_END;
		if (o->head[i] != MERGE_END && o->head[i] > most)
			most = o->head[i];
	}
	return ended > o->nact / MERGE_TREE ? limit : most + 1;
}

/* Empties the tables if they are too large and no record uses them. */
static void
fresh_start(struct source *s)
{
	struct ovni *o = s->state;

	if (o->nplans < OVNI_PLANS || ovni_states_hold(o))
		return;
	tables_reset(&s->t);
	ovni_plans_reset(o);
	ovni_number_locs(s);
}

static bool
merged_next(struct source *s)
{
	struct ovni *o = s->state;

	for (;;) {
		if (s->stop)
			return false;
		merge_keep(&o->m);
		if (!merge_waiting(&o->m))
			fresh_start(s);
		o->m.limit = next_limit(o);
		if (merge_next(&o->m)) {
			o->floor = o->m.base + (o->m.entry[o->m.ready - 1] >> 32);
			return true;
		}
		if (ovni_runs_key(&o->runs) == MERGE_END)
			return false;
		add_runs(s);
	}
}

/* Fills the merge's buffer from one stream after the other. Returns false at the end. */
static bool
stream_next(struct source *s)
{
	struct ovni *o = s->state;

	fresh_start(s);
	o->m.nentries = o->m.at = 0;
	o->m.area.n = 0;
	GROW(o->m.entry, o->m.cap, BATCH);
	while (!o->m.nentries && s->part.stream < o->n && s->part.stream < s->part.end &&
	       !s->stop) {
		struct ovni_stream *st = &o->st[s->part.stream];

		if (!o->nact) {
			*PUSH(o->act, o->nact, o->actcap) =
			    ovni_cursor_new(st, 0, UINT64_MAX);
		}
		o->m.full = false;
		if (ovni_take(s, o->act[0], MERGE_END, BATCH) == MERGE_END) {
			ovni_cursor_free(o->act[0]);
			o->nact = 0;
			s->part.stream++;
		}
	}
	o->m.ready = o->m.nentries;
	return o->m.ready > 0;
}

/* Fills the merge's buffer for -D -s: merges all runs of one stream, then all runs of the next. Returns false at the
 * end. */
static bool
streams_next(struct source *s)
{
	struct ovni *o = s->state;

	while (!merged_next(s)) {
		if (s->stop || s->part.stream == o->n)
			return false;
		if (s->part.stream)
			ovni_states_end(s);
		for (size_t i = 0; i < o->nact; i++)
			ovni_cursor_free(o->act[i]);
		o->nact = 0;
		merge_free(&o->m);
		o->m = (struct merge){.raw = o->need & NEED_RAW};
		ovni_runs_clear(&o->runs);
		o->floor = 0;
		ovni_scan(s, s->part.stream, false);
		ovni_start_merge(s, s->part.stream, s->part.stream + 1);
		s->part.stream++;
	}
	return true;
}

static bool
next_records(struct source *s, struct batch *b)
{
	struct ovni *o = s->state;

	batch_start(b);
	while (o->m.at == o->m.ready)
		if (!(o->merged	  ? merged_next(s)
		      : o->states ? streams_next(s)
				  : stream_next(s)))
			return false;
	merge_give(&o->m, b);
	if (o->types_only)
		b->base = o->proto.p;
	return true;
}

bool
ovni_next(struct source *s, struct batch *b)
{
	struct ovni *o = s->state;

	return o->states ? ovni_states_next(s, b, next_records) : next_records(s, b);
}

void
ovni_start_merge(struct source *s, size_t from, size_t to)
{
	struct ovni *o = s->state;

	ovni_runs_start(s, &o->runs);
	GROW(o->act, o->actcap, o->n + 1);
	o->head = xrealloc(o->head, o->actcap, sizeof *o->head);
	o->place = xrealloc(o->place, o->actcap, sizeof *o->place);
	for (size_t i = from; i < to; i++) {
		struct ovni_cursor *c;

		if (o->st[i].failed)
			continue;
		c = ovni_cursor_new(&o->st[i], 0, UINT64_MAX);
		c->stream = o->states ? (uint32_t)i : 0;
		o->act[o->nact] = c;
		o->head[o->nact] = ovni_head(s, c);
		o->place[o->nact++] = c->p;
	}
	o->m.head = o->head;
	o->m.n = (uint32_t)o->nact;
	o->m.take = merge_take;
	o->m.ctx = s;
	o->m.limit = MERGE_END;
	merge_changed(&o->m);
}
