/*
 * stats_depth.c - how many events of a group are in progress at once.
 *
 * Events are swept in the order in which they begin. A group keeps the ends of its events in progress, in a heap.
 * Between two times at which the number of events in progress changes, the length of time is added to the panes
 * that it covers. Events wait before they are swept, so that an input need not be in order of time.
 */
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "stats/accumulator.h"

/* Bound: trace-stats -a depth | order | events between an event and one that begins later | 524288 | out of order */
#define LATE_MOST (1u << 19)
/* Bound: trace-stats -a depth | events in progress | events that overlap | 1048576 | are in progress at once */
#define OPEN_MOST (1u << 20)
/* Bound: trace-stats -a depth | rows | windows with events in progress | 4194304 | more than 4194304 rows */
#define DEPTH_ROWS_MOST (1u << 22)

/* An event that waits. Times are sortable, see time_flip(). */
struct depth_event {
	uint64_t begin, end;
	uint32_t g; /* group of all panes */
};

/* The sweep of a group of all panes. */
struct swept {
	uint64_t *end; /* heap of the ends of the events in progress */
	size_t n, cap;
	uint64_t until; /* all before this time is counted */
	uint64_t left;	/* from `until` to the end of its pane; 0: the pane is unknown */
	uint32_t at;	/* group of the pane */
};

struct depth {
	struct depth_event *wait;
	size_t nwait, wait_cap;
	bool disorder; /* `wait` is not in order */
	struct swept *group;
	size_t group_cap;
	uint64_t open, rows;  /* number of events in progress, of rows made */
	uint64_t first, last; /* first begin and last end of all events */
	bool any, durations;  /* there is an event, an event with dur */
};

/* Removes the first end from the heap. */
static void
heap_pop(struct swept *w)
{
	uint64_t v = w->end[--w->n];
	size_t at = 0, next;

	for (; (next = 2 * at + 1) < w->n; at = next) {
		next += next + 1 < w->n && w->end[next + 1] < w->end[next];
		if (v <= w->end[next])
			break;
		w->end[at] = w->end[next];
	}
	w->end[at] = v;
}

static void
heap_push(struct swept *w, uint64_t v)
{
	size_t at;

	GROW(w->end, w->cap, w->n + 1);
	for (at = w->n++; at && v < w->end[(at - 1) / 2]; at = (at - 1) / 2)
		w->end[at] = w->end[(at - 1) / 2];
	w->end[at] = v;
}

/* Returns what is subtracted from times: windows by the clock count from 1970, whatever the origin of the input. */
static uint64_t
clock_shift(const struct stats *st)
{
	return st->spec->from_clock ? (uint64_t)st->origin : 0;
}

/* Sets w->at and w->left to the pane of w->until. Dies if there are too many rows. */
static void
find_pane(struct stats *st, struct swept *w, uint32_t g)
{
	int64_t time = (int64_t)((w->until ^ time_flip(st->clock)) + clock_shift(st));
	int64_t pane = stats_pane(st, time);
	uint64_t length = pane_length(st);
	uint64_t begin = (uint64_t)pane * length + (uint64_t)st->origin;
	uint32_t before = st->ngroups;
	size_t nk = st->spec->nkeys;
	uint32_t key[SPEC_KEYS] = {0};

	/* Copy the keys, because a new group may move the array. */
	memcpy(key, st->key + g * nk, nk * sizeof *key);
	w->at = stats_group(st, key, pane);
	w->left = length - ((uint64_t)time - begin);
	st->depth->rows += st->ngroups - before;
	if (st->depth->rows > DEPTH_ROWS_MOST)
		die("-w: events in progress make more than 4194304 rows: use a longer -w, "
		    "or fewer groups");
	/* The window has a row, though no event may begin in it. */
	st->count[w->at] += !st->count[w->at];
}

/* Counts the time from w->until to `until`, in which w->n events of group g are in progress. */
static void
count_time(struct stats *st, size_t c, uint32_t g, struct swept *w, uint64_t until)
{
	while (w->n && w->until < until) {
		uint64_t part = until - w->until, add[2];
		struct overlap *to;

		if (st->spec->pane && !w->left)
			find_pane(st, w, g);
		else if (!st->spec->pane)
			w->at = g;
		if (st->spec->pane && part > w->left)
			part = w->left;
		to = column_room(&st->col[c], KEPT_DEPTH, 0, st->ngroups, sizeof *to);
		to += w->at;
		mul64(part, w->n, &add[0], &add[1]);
		to->covered[0] += add[0];
		to->covered[1] += add[1] + (to->covered[0] < add[0]);
		to->busy += part;
		to->most = w->n > to->most ? w->n : to->most;
		w->until += part;
		w->left -= st->spec->pane ? part : 0;
	}
	if (w->until < until)
		w->left = 0;
	w->until = until;
}

/* Ends all events of group g that end at `until` or before. */
static void
end_events(struct stats *st, size_t c, uint32_t g, struct swept *w, uint64_t until)
{
	for (; w->n && w->end[0] <= until; st->depth->open--) {
		count_time(st, c, g, w, w->end[0]);
		heap_pop(w);
	}
}

static int
depth_event_cmp(const void *x, const void *y)
{
	const struct depth_event *a = x, *b = y;

	return a->begin < b->begin ? -1 : a->begin > b->begin;
}

/* Sweeps the first n events that wait, in the order in which they begin. Dies if one is too late. */
static void
sweep(struct stats *st, size_t c, size_t n)
{
	struct depth *d = st->depth;

	if (d->disorder)
		qsort(d->wait, d->nwait, sizeof *d->wait, depth_event_cmp);
	d->disorder = false;
	for (size_t i = 0; i < n; i++) {
		const struct depth_event *v = &d->wait[i];
		struct swept *w;

		GROW(d->group, d->group_cap, v->g + 1);
		w = &d->group[v->g];
		if (v->begin < w->until)
			die("-a depth: an event is more than %u events out of order; use "
			    "--by-time",
			    LATE_MOST);
		end_events(st, c, v->g, w, v->begin);
		count_time(st, c, v->g, w, v->begin);
		heap_push(w, v->end);
		if (++d->open > OPEN_MOST)
			die("-a depth: more than %u events are in progress at once",
			    OPEN_MOST);
	}
	d->nwait -= n;
	if (d->nwait)
		memmove(d->wait, d->wait + n, d->nwait * sizeof *d->wait);
}

void
depth_add(struct stats *st, size_t c, struct events e)
{
	uint64_t flip = time_flip(st->clock), shift = clock_shift(st);
	struct depth *d = st->depth;

	if (!d)
		d = st->depth = xcalloc(1, sizeof *d);
	for (uint32_t i = 0; i < e.n; i++) {
		const struct rec *r = event_at(e, i);
		bool lasts = r->has & HAS_DUR && r->dur > 0;
		uint64_t begin = ((uint64_t)r->time - shift) ^ flip, end = begin;

		if (lasts)
			end = (uint64_t)time_plus(st->clock, (int64_t)(begin ^ flip),
						  r->dur) ^
			      flip;
		d->first = !d->any || begin < d->first ? begin : d->first;
		d->last = end > d->last ? end : d->last;
		d->any = true;
		d->durations |= (r->has & HAS_DUR) != 0;
		if (end == begin)
			continue;
		if (d->nwait == 2 * LATE_MOST)
			sweep(st, c, LATE_MOST);
		d->disorder |= d->nwait && begin < d->wait[d->nwait - 1].begin;
		*PUSH(d->wait, d->nwait, d->wait_cap) =
		    (struct depth_event){begin, end, e.whole[i]};
	}
}

void
stats_finish(struct stats *st)
{
	struct depth *d = st->depth;
	size_t c = 0;

	if (!d)
		return;
	while (!(st->spec->col[c].acc & ACC_DEPTH))
		c++;
	sweep(st, c, d->nwait);
	for (uint32_t g = 0; g < d->group_cap; g++)
		end_events(st, c, g, &d->group[g], UINT64_MAX);
}

bool
depth_durations(const struct stats *st)
{
	return st->depth && st->depth->durations;
}

uint64_t
depth_length(const struct stats *st)
{
	const struct depth *d = st->depth;

	if (!depth_durations(st))
		return 0;
	return st->spec->pane ? st->spec->window / (st->clock == CLOCK_NS ? 1 : 1000000000)
			      : d->last - d->first;
}

void
depth_free(struct stats *st)
{
	struct depth *d = st->depth;

	for (size_t g = 0; d && g < d->group_cap; g++)
		free(d->group[g].end);
	if (d) {
		free(d->group);
		free(d->wait);
	}
	free(d);
	st->depth = NULL;
}
