/*
 * ovni_merge.c - batches of events: of all streams by corrected clock, or one stream after
 * the other.
 */
#include <stdlib.h>
#include <string.h>

#include "ovni/ovni_trace.h"

#define PLANS_MOST 8192 /* event kinds of one epoch: some MB of tables */
#define AHEAD 5		/* inputs that are fetched into the cache before their turn */

static int
by_place(const void *a, const void *b)
{
	const struct ovni_run *x = a, *y = b;

	if (x->stream != y->stream)
		return x->stream < y->stream ? -1 : 1;
	return x->from < y->from ? -1 : x->from > y->from;
}

static int
by_key(const void *a, const void *b)
{
	const struct ovni_run *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return by_place(a, b);
}

static void
take(void *ctx, uint32_t i, uint64_t below, uint32_t most)
{
	struct source *s = ctx;
	struct ovni *o = s->state;
	struct ovni_cursor *c = o->act[i];

	/* The next inputs' turns come soon: of a thousand streams none is in the cache. */
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

struct ovni_cursor *
ovni_run_cursor(struct ovni *o, const struct ovni_run *run)
{
	struct ovni_cursor *c = ovni_cursor_new(&o->st[run->stream], run->from, run->to);

	c->pair = run->pair;
	c->in_run = !run->behind;
	c->region = run->behind;
	c->last = run->behind ? run->key : 0;
	return c;
}

/*
 * A run's turn has come: it becomes an input, and inputs that are through go. Where inputs
 * are many, some runs come before their turn, which changes nothing but that the others
 * are moved less often: so the time is linear however many wait for each other.
 */
static void
add_runs(struct source *s)
{
	struct ovni *o = s->state;
	struct ovni_run *run = o->run + o->run_at;
	size_t cap = o->actcap, n = 0, k = 1 + o->nact / MERGE_TREE;

	for (size_t i = 0; i < o->nact; i++) {
		if (o->head[i] == MERGE_END) {
			ovni_cursor_free(o->act[i]);
			continue;
		}
		o->act[n] = o->act[i];
		o->head[n++] = o->head[i];
	}
	if (k > o->nruns - o->run_at)
		k = o->nruns - o->run_at;
	o->run_at += k;
	o->nact = n + k;
	o->act = grow(o->act, &o->actcap, o->nact, sizeof *o->act);
	if (o->actcap > cap) { /* the others keep step */
		o->head = xrealloc(o->head, o->actcap, sizeof *o->head);
		o->place = xrealloc(o->place, o->actcap, sizeof *o->place);
	}
	qsort(run, k, sizeof *run, by_place);
	for (size_t at = o->nact; at--;) {
		const struct ovni_cursor *last = n ? o->act[n - 1] : NULL;

		if (last && (!k || last->st > &o->st[run[k - 1].stream] ||
			     (last->st == &o->st[run[k - 1].stream] &&
			      last->from > run[k - 1].from))) {
			o->act[at] = o->act[--n];
			o->head[at] = o->head[n];
		} else {
			o->act[at] = ovni_run_cursor(o, &run[--k]);
			o->head[at] = ovni_head(s, o->act[at]);
		}
		o->place[at] = o->act[at]->p;
	}
	o->m.head = o->head;
	o->m.n = (uint32_t)o->nact;
	merge_changed(&o->m);
}

/* Records that wait move to a new area, in the order in which they will be given. */
static void
keep_waiting(struct ovni *o)
{
	struct buf to = o->spare;

	to.n = 0;
	for (uint32_t i = o->m.at; i < o->m.nentries; i++) {
		uint32_t off = (uint32_t)o->m.entry[i];
		const uint8_t *p = o->area.p + off;
		size_t n = ((const struct rec *)(const void *)p)->len;

		if (o->need & NEED_RAW)
			n += (OVNI_RAW + (size_t)ld64(p + n) + 7) & ~(size_t)7;
		o->m.entry[i] += (uint32_t)to.n - (uint64_t)off;
		memcpy(buf_room(&to, n + REC_SLACK), p, n);
		to.n += n;
	}
	o->spare = o->area;
	o->area = to;
}

/* Nothing points into the tables now: where there is too much in them, they start anew. */
static void
fresh_start(struct source *s)
{
	struct ovni *o = s->state;

	o->area.n = 0;
	if (o->nplans < PLANS_MOST)
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
		if (merge_waiting(&o->m))
			keep_waiting(o);
		else
			fresh_start(s);
		o->m.limit = o->run_at < o->nruns ? o->run[o->run_at].key : MERGE_END;
		if (merge_next(&o->m))
			return true;
		if (o->run_at == o->nruns)
			return false;
		add_runs(s);
	}
}

/* One stream after the other. */
static bool
stream_next(struct source *s)
{
	struct ovni *o = s->state;

	fresh_start(s);
	o->m.nentries = o->m.at = 0;
	o->m.entry = grow(o->m.entry, &o->m.cap, BATCH, sizeof *o->m.entry);
	while (!o->m.nentries && o->next < o->n && !s->stop) {
		struct ovni_stream *st = &o->st[o->next];

		if (!o->nact) {
			o->act = grow(o->act, &o->actcap, 1, sizeof *o->act);
			o->act[0] = ovni_cursor_new(st, 0, UINT64_MAX);
			o->nact = 1;
		}
		o->m.full = false;
		if (ovni_take(s, o->act[0], MERGE_END, BATCH) == MERGE_END) {
			ovni_cursor_free(o->act[0]);
			o->nact = 0;
			o->next++;
		}
	}
	o->m.ready = o->m.nentries;
	return o->m.ready > 0;
}

bool
ovni_next(struct source *s, struct batch *b)
{
	struct ovni *o = s->state;
	const uint64_t *entry;

	batch_start(b);
	while (o->m.at == o->m.ready)
		if (!(o->merged ? merged_next(s) : stream_next(s)))
			return false;
	entry = o->m.entry + o->m.at;
	b->n = o->m.ready - o->m.at < BATCH ? o->m.ready - o->m.at : BATCH;
	b->base = o->types_only ? o->proto.p : o->area.p;
	for (uint32_t i = 0; i < b->n; i++)
		b->off[i] = (uint32_t)entry[i];
	if (o->need & NEED_RAW) {
		for (uint32_t i = 0; i < b->n; i++) {
			const uint8_t *p = b->base + b->off[i];

			p += ((const struct rec *)(const void *)p)->len;
			b->raw[i] = (struct span){p + OVNI_RAW, (size_t)ld64(p)};
		}
	}
	o->m.at += b->n;
	return true;
}

void
ovni_start_merge(struct source *s)
{
	struct ovni *o = s->state;

	if (o->nruns)
		qsort(o->run, o->nruns, sizeof *o->run, by_key);
	o->act = grow(o->act, &o->actcap, o->n + 1, sizeof *o->act);
	o->head = xcalloc(o->actcap, sizeof *o->head);
	o->place = xcalloc(o->actcap, sizeof *o->place);
	for (size_t i = 0; i < o->n; i++) {
		struct ovni_cursor *c;

		if (o->st[i].failed)
			continue;
		c = ovni_cursor_new(&o->st[i], 0, UINT64_MAX);
		o->act[o->nact] = c;
		o->head[o->nact] = ovni_head(s, c);
		o->place[o->nact++] = c->p;
	}
	o->m.head = o->head;
	o->m.n = (uint32_t)o->nact;
	o->m.take = take;
	o->m.ctx = s;
	o->m.limit = MERGE_END;
	merge_changed(&o->m);
}
