/*
 * bound.c - tables of a report that would grow with the input, kept within bounds.
 *
 * Groups: when there are too many, those with the fewest events go together into one, and
 * the sums of all stay exact. Which stay is decided as by Misra and Gries (and by
 * Space-Saving, which is the same with the errors on the other side): a group that comes
 * may have had up to st->missed events before, so that its `most` is its count and that.
 * Those stay whose most is greatest; the greatest most of those that go is what may have
 * been missed of any group from then on. With n events and a bound of k groups it is at
 * most 2 n / k, so that whatever had more is still there.
 *
 * Panes: when there are too many, two beside each other become one, as often as it takes.
 * That is exact, whatever the order.
 */
#include <stdlib.h>
#include <string.h>

#include "stats/stats.h"

#define GONE UINT32_MAX

/* Elements to their new places, at or before the old ones; those behind become zero. */
static void
move(void *v, size_t cap, size_t size, const uint32_t *to, uint32_t n, uint32_t kept)
{
	uint8_t *p = v;

	for (uint32_t g = 0; g < n; g++) {
		if (to[g] == g || to[g] >= cap)
			continue;
		if (g < cap)
			memcpy(p + to[g] * size, p + g * size, size);
		else
			memset(p + to[g] * size, 0, size);
	}
	if (kept < cap)
		memset(p + kept * size, 0, (cap - kept) * size);
}

#define MOVE(v, cap) move(v, cap, sizeof *(v), to, n, kept)

static void
move_column(struct column *c, const uint32_t *to, uint32_t n, uint32_t kept)
{
	for (uint32_t g = 0; g < n; g++)
		if (to[g] == GONE)
			column_clear(c, g);
	for (unsigned k = 0; k < CLASSES; k++)
		MOVE(c->num[k], c->num_cap[k]);
	for (unsigned k = 0; k < TEXTS; k++) {
		MOVE(c->square[k], c->square_cap[k]);
		MOVE(c->hist[k].hist, c->hist[k].cap);
	}
	MOVE(c->set, c->set_cap);
	MOVE(c->pages, c->pages_cap);
	MOVE(c->top, c->top_cap);
	MOVE(c->first, c->first_cap);
	MOVE(c->last, c->last_cap);
	MOVE(c->chain, c->chain_cap);
	MOVE(c->states, c->states_cap);
	MOVE(c->began, c->began_cap);
	/* Zero is no empty top; column_room makes them anew. */
	c->top_cap = c->top_cap < kept ? c->top_cap : kept;
}

/* Renumbers groups: to[g] <= g, ascending, or GONE. */
static void
compact(struct stats *st, const uint32_t *to)
{
	uint32_t n = st->ngroups, kept = 0;
	size_t nk = st->spec->nkeys, segments = 0;
	struct keytab old = st->text;

	for (uint32_t g = 0; g < n; g++)
		kept += to[g] != GONE;
	MOVE(st->count, st->count_cap);
	MOVE(st->sure, st->sure_cap);
	if (st->pane)
		MOVE(st->pane, st->pane_cap);
	for (size_t c = 0; c < st->spec->ncols; c++)
		move_column(&st->col[c], to, n, kept);
	memset(&st->text, 0, sizeof st->text);
	for (uint32_t g = 0; g < n; g++)
		for (size_t k = 0; to[g] != GONE && k < nk; k++)
			st->key[to[g] * nk + k] =
			    keytab_from(&st->text, &old, st->key[g * nk + k]);
	keytab_free(&old);
	for (size_t i = 0; i < st->nsegments; i++) {
		struct segment s = st->segment[i];

		s.group = to[s.group];
		if (s.group != GONE)
			st->segment[segments++] = s;
	}
	st->nsegments = segments;
	st->ngroups = kept;
	stats_index(st);
}

/* The group of those that are not counted by themselves. */
static uint32_t
others(struct stats *st)
{
	uint32_t text[SPEC_KEYS];

	for (size_t k = 0; k < st->spec->nkeys; k++)
		text[k] = keytab_id(&st->text, STATS_OTHERS, strlen(STATS_OTHERS));
	return stats_group(st, text, 0);
}

/* The most events that a group may have had. */
static uint64_t
most(const struct stats *st, uint32_t g)
{
	return st->count[g] + stats_missed(st, g);
}

static int
descending(const void *x, const void *y)
{
	const uint64_t *a = x, *b = y;

	return *a > *b ? -1 : *a < *b;
}

static void
drop_groups(struct stats *st)
{
	uint32_t rest = others(st), n = st->ngroups, kept = 0, k = 0;
	uint32_t *to = xcalloc(n, sizeof *to);
	uint32_t *file = stats_renumber(&st->files, &st->files);
	uint64_t *v = xcalloc(n, sizeof *v), limit, more;

	GROW(st->sure, st->sure_cap, n);
	for (uint32_t g = 0; g < n; g++)
		if (g != rest)
			v[k++] = most(st, g);
	qsort(v, k, sizeof *v, descending);
	limit = k ? v[k / 2] : 0;
	more = limit > st->missed ? limit - st->missed : 0;
	for (uint32_t g = 0; g < n; g++) {
		if (g == rest || most(st, g) > limit) {
			to[g] = kept++;
			continue;
		}
		to[g] = GONE;
		stats_merge_group(st, rest, st, g, file);
	}
	for (uint32_t g = 0; g < n; g++)
		if (to[g] != GONE)
			st->sure[g] += more;
	st->missed += more;
	compact(st, to);
	free(to);
	free(file);
	free(v);
}

void
stats_coarsen(struct stats *st, unsigned shift)
{
	uint32_t n = st->ngroups, kept = 0;
	uint32_t *to, *file, *first;
	size_t nk = st->spec->nkeys;
	struct spec bare = {.key = st->spec->key, .nkeys = nk, .pane = st->spec->pane};
	struct stats index; /* of the groups to be: no more than their keys */

	if (shift <= st->shift || shift > PANE_SHIFT_MOST)
		return;
	st->shift = shift;
	to = xcalloc(n, sizeof *to);
	first = xcalloc(n, sizeof *first);
	file = stats_renumber(&st->files, &st->files);
	stats_open(&index, &bare);
	for (uint32_t g = 0; g < n; g++) {
		int64_t pane = stats_pane_floor(st, st->pane[g]);
		uint32_t same = stats_group(&index, st->key + g * nk, pane);

		if (same == kept) {
			st->pane[g] = pane;
			first[kept] = g;
			to[g] = kept++;
		} else {
			stats_merge_group(st, first[same], st, g, file);
			to[g] = GONE;
		}
	}
	stats_free(&index);
	compact(st, to);
	free(to);
	free(first);
	free(file);
}

void
stats_forget(struct stats *st, int64_t window)
{
	bool keep = st->spec->empty;
	size_t nk = st->spec->nkeys;
	uint32_t n = st->ngroups, *to, kept = 0, key[SPEC_KEYS];
	/* The first pane of the window before. */
	int64_t first, last,
	    mark = (int64_t)(((uint64_t)window - 1) * (st->spec->step / st->spec->pane));

	for (uint32_t g = 0; g < n && keep; g++) {
		if (st->pane[g] == NO_PANE)
			continue;
		stats_windows(st, st->pane[g], &first, &last);
		if (last >= window)
			continue;
		/* A copy: keys move where there are more of them. */
		if (nk)
			memcpy(key, st->key + g * nk, nk * sizeof *key);
		stats_group(st, key, mark);
	}
	to = xcalloc(st->ngroups, sizeof *to);
	for (uint32_t g = 0; g < st->ngroups; g++) {
		last = window;
		if (st->pane[g] != NO_PANE)
			stats_windows(st, st->pane[g], &first, &last);
		if (last < window && keep && st->pane[g] == mark)
			st->count[g] = 0;
		else if (last < window) {
			to[g] = GONE;
			continue;
		}
		to[g] = kept++;
	}
	compact(st, to);
	free(to);
}

void
stats_bound(struct stats *st)
{
	const struct spec *spec = st->spec;

	if (!spec->groups_most ||
	    (st->ngroups <= spec->groups_most && st->text.texts.bytes <= STATS_TEXT_MOST))
		return;
	while (spec->pane && st->ngroups > spec->groups_most && st->shift < PANE_SHIFT_MOST)
		stats_coarsen(st, st->shift + 1);
	while (!spec->pane && st->ngroups > 2 &&
	       (st->ngroups > spec->groups_most || st->text.texts.bytes > STATS_TEXT_MOST))
		drop_groups(st);
}
