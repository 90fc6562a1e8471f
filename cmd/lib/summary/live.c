/* live.c - see live.h. */
#include "base/die.h"
#include "stats/accumulator.h"
#include "summary/live.h"

/* Returns true if the answer is a table of windows in order, whose rows do not need later rows. */
static bool
possible(const struct query_result *a, const struct summary *opts)
{
	const struct spec *p = &a->spec[0];

	for (size_t i = 0; i < p->naggs; i++)
		if (p->agg[i].is->kind == AGG_SHARE)
			return false;
	return p->pane && !p->depths && !a->q.report && opts->style != 'J' && !opts->wide &&
	       !opts->nsort && !opts->most;
}

/* Returns the first window that holds a time. Earlier windows are over then. */
static int64_t
first_window(const struct stats *st, int64_t time)
{
	int64_t first, last;

	stats_windows(st, stats_pane(st, time), &first, &last);
	return first;
}

/* Handles events of s that have been counted, pick[0..n) of b or its first n: counts late ones, and writes the
 * windows that are over. */
static void
added(void *arg, struct source *s, const struct batch *b, const uint32_t *pick, uint32_t n)
{
	struct live *l = arg;
	struct stats *st = &l->answer->st[0];
	uint64_t flip = time_flip(s->head.clock), newest = 0;
	int64_t before;

	if (!st->any || st->clock != s->head.clock)
		return;
	for (uint32_t i = 0; i < n; i++)
		l->late +=
		    first_window(st, batch_rec(b, pick ? pick[i] : i)->time) < l->next.from;
	for (uint32_t i = 0; i < b->n; i++) {
		uint64_t v = (uint64_t)batch_rec(b, i)->time ^ flip;

		newest = v > newest ? v : newest;
	}
	before = first_window(st, (int64_t)(newest ^ flip));
	if (before <= l->next.from)
		return;
	l->next.upto = before - 1;
	l->more |= !summary_put(l->answer, l->out, l->summary);
	out_flush(l->out);
	l->summary->bare = true;
	l->next = (struct windows){before, INT64_MAX};
	stats_forget(st, before);
}

void
live_begin(struct live *l, struct query_result *a, struct out *o, struct summary *opts)
{
	if (!possible(a, opts))
		return;
	*l = (struct live){a, o, opts, {INT64_MIN, INT64_MAX}, 0, false};
	opts->only = &l->next;
	a->added = added;
	a->added_arg = l;
}

int
live_end(const struct live *l)
{
	if (l->late)
		warn("-w: %llu event%s came when the rows of %s window were written: %s "
		     "not in them",
		     (unsigned long long)l->late, l->late == 1 ? "" : "s",
		     l->late == 1 ? "its" : "their", l->late == 1 ? "it is" : "they are");
	return l->late || l->more ? ST_TROUBLE : ST_OK;
}
