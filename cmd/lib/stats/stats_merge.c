/*
 * stats_merge.c - merges two sets of groups; limits the tables of a report, which would grow with the input.
 *
 * Groups: if there are too many, those with the fewest events are merged into one, and the sums over all groups
 * stay exact. The choice is that of Misra and Gries (and of Space-Saving, which is the same with the errors on the
 * other side): a new group may have had up to st->over_count events before, so that its `most` is its count plus
 * that number. The groups with the greatest `most` stay; the greatest `most` of the others is what may be missing
 * in any group from then on. With n events and a limit of k groups it is at most 2 n / k, so that every group with
 * more events is still there.
 *
 * Panes: if there are too many, each two neighbours become one, repeatedly. That is exact, in any order.
 */
#include <stdlib.h>
#include <string.h>

#include "expr/filter.h"
#include "stats/accumulator.h"

void
stats_merge_group(struct stats *st, uint32_t to, const struct stats *from, uint32_t g,
		  const uint32_t *of_file)
{
	const struct spec *spec = st->spec;

	st->count[to] += from->count[g];
	for (size_t c = 0; c < spec->ncols; c++) {
		struct stats_column *a = &st->col[c];
		struct stats_column *b = &from->col[c];

		if (b->keep)
			column_keep(a, b->keep);
		if (spec->col[c].acc & ACC_PAGES)
			column_pages(st, c);
		for (unsigned acc = spec->col[c].acc; acc; acc &= acc - 1) {
			unsigned i = trailing_zeros64(acc);

			elements_merge(
			    &(struct place){.st = st,
					    .col = a,
					    .g = to,
					    .bits = spec_bits(spec, c),
					    .is = accumulators[i]},
			    &(struct place){.col = b, .g = g, .of_file = of_file}, i,
			    st->ngroups);
		}
	}
}

/* Returns an array with the numbers in `to` of all strings in `from`; the caller frees it. */
uint32_t *
stats_renumber(struct strtab *to, const struct strtab *from)
{
	uint32_t *id = xcalloc(from->n, sizeof *id);

	for (uint32_t i = 0; i < from->n; i++)
		id[i] = strtab_id(to, from->v[i].s, from->v[i].len);
	return id;
}

void
stats_merge(struct stats *st, const struct stats *from)
{
	size_t nk = st->spec->nkeys;
	uint32_t *text = keytab_join(&st->text, &from->text);
	uint32_t *file = stats_renumber(&st->files, &from->files);
	uint32_t *group = xcalloc(from->ngroups, sizeof *group);
	uint32_t key[SPEC_KEYS];

	stats_coarsen(st, from->shift);
	for (uint32_t g = 0; g < from->ngroups; g++) {
		for (size_t k = 0; k < nk; k++)
			key[k] = text[from->key[g * nk + k]];
		group[g] = stats_group(
		    st, key, from->pane ? stats_pane_floor(st, from->pane[g]) : 0);
		stats_merge_group(st, group[g], from, g, file);
		if (g < from->not_own_cap) {
			GROW(st->not_own, st->not_own_cap, st->ngroups);
			st->not_own[group[g]] += from->not_own[g];
		}
	}
	st->over_count += from->over_count;
	for (size_t i = 0; i < from->nsegments; i++) {
		struct segment s = from->segment[i];

		s.group = group[s.group];
		s.file = file[s.file];
		segment_add(st, &s);
	}
	for (size_t i = 0; i < from->ncovers; i++) {
		struct cover c = from->cover[i];

		c.file = file[c.file];
		cover_add(st, &c);
	}
	if (from->timed) {
		st->tmin = !st->timed || from->tmin < st->tmin ? from->tmin : st->tmin;
		st->tmax = !st->timed || from->tmax > st->tmax ? from->tmax : st->tmax;
		st->timed = true;
	}
	st->covered += from->covered;
	st->mixed |=
	    from->mixed || spread_beyond(st) ||
	    (st->any && from->any && st->clock != from->clock && spec_one_clock(st->spec));
	if (from->any) {
		st->clock = from->clock;
		st->origin = from->origin;
	}
	st->any |= from->any;
	view_merge(&st->view, &from->view);
	for (size_t c = 0; c < st->spec->ncols; c++)
		if (st->col_when[c])
			expr_merge(st->col_when[c], from->col_when[c]);
	stats_bound(st);
	free(text);
	free(file);
	free(group);
}

void
stats_join(struct stats *to, const struct stats *st, const struct spec *spec)
{
	uint32_t n, *order = stats_order(st, &n), *text, *file;
	size_t nk = st->spec->nkeys;
	uint32_t key[SPEC_KEYS];

	stats_open(to, spec);
	to->clock = st->clock;
	to->origin = st->origin;
	to->any = st->any;
	to->timed = st->timed;
	to->tmin = st->tmin;
	to->tmax = st->tmax;
	to->over_count = st->over_count;
	to->shift = st->shift;
	to->parts = spec->nkeys ? NULL : st;
	text = keytab_join(&to->text, &st->text);
	file = stats_renumber(&to->files, &st->files);
	for (uint32_t i = 0; i < n; i++) {
		for (size_t k = 0; k < spec->nkeys; k++)
			key[k] = text[st->key[order[i] * nk + k]];
		stats_merge_group(to,
				  stats_group(to, key, st->pane ? st->pane[order[i]] : 0),
				  st, order[i], file);
	}
	free(order);
	free(text);
	free(file);
}

#define GONE UINT32_MAX

/* Moves elements to their new places, at or before the old ones, and zeroes the elements after them. */
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
move_column(struct stats_column *c, const uint32_t *to, uint32_t n, uint32_t kept)
{
	for (uint32_t g = 0; g < n; g++)
		if (to[g] == GONE)
			column_clear(c, g, g + 1);
	for (unsigned i = 0; i < KEPT_MOST; i++)
		for (unsigned k = 0; accumulators[i] && k < accumulators[i]->arrays; k++)
			move(c->kept[i][k].v, c->kept[i][k].cap, accumulators[i]->size, to,
			     n, kept);
}

/* Renumbers groups: to[g] <= g, ascending, or GONE. */
static void
compact(struct stats *st, const uint32_t *to)
{
	uint32_t n = st->ngroups, kept = 0;
	size_t nk = st->spec->nkeys;
	struct keytab old = st->text;

	for (uint32_t g = 0; g < n; g++)
		kept += to[g] != GONE;
	MOVE(st->count, st->count_cap);
	MOVE(st->not_own, st->not_own_cap);
	if (st->pane)
		MOVE(st->pane, st->pane_cap);
	for (size_t c = 0; c < st->spec->ncols; c++)
		move_column(&st->col[c], to, n, kept);
	memset(&st->text, 0, sizeof st->text);
	st->text.inputs = old.inputs;
	memset(&old.inputs, 0, sizeof old.inputs);
	for (uint32_t g = 0; g < n; g++)
		for (size_t k = 0; to[g] != GONE && k < nk; k++)
			st->key[to[g] * nk + k] =
			    keytab_from(&st->text, &old, st->key[g * nk + k]);
	keytab_free(&old);
	segments_move(st, to);
	st->ngroups = kept;
	stats_index(st);
}

/* Returns the greatest number of events that a group may have had. */
static uint64_t
most(const struct stats *st, uint32_t g)
{
	return st->count[g] + stats_missed(st, g);
}

static void
drop_groups(struct stats *st)
{
	uint32_t rest, n, kept = 0, k = 0, text[SPEC_KEYS], *to;
	uint32_t *file = stats_renumber(&st->files, &st->files);
	uint64_t *v, limit, more;

	for (size_t i = 0; i < st->spec->nkeys; i++)
		text[i] = keytab_id(&st->text, STATS_OTHERS, strlen(STATS_OTHERS));
	rest = stats_group(st, text, 0);
	n = st->ngroups;
	to = xcalloc(n, sizeof *to);
	v = xcalloc(n, sizeof *v);
	GROW(st->not_own, st->not_own_cap, n);
	for (uint32_t g = 0; g < n; g++)
		if (g != rest)
			v[k++] = most(st, g);
	qsort(v, k, sizeof *v, u64_descending);
	limit = k ? v[k / 2] : 0;
	more = limit > st->over_count ? limit - st->over_count : 0;
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
			st->not_own[g] += more;
	st->over_count += more;
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
	struct stats index; /* the new groups, with their keys alone */

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
	/* The first pane of the previous window. */
	int64_t first, last,
	    mark = (int64_t)(((uint64_t)window - 1) * (st->spec->step / st->spec->pane));

	for (uint32_t g = 0; g < n && keep; g++) {
		if (st->pane[g] == NO_PANE)
			continue;
		stats_windows(st, st->pane[g], &first, &last);
		if (last >= window)
			continue;
		/* Copy the key, because the array moves when it grows. */
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
			for (size_t c = 0; c < st->spec->ncols; c++)
				st->col[c].texts += column_tally(&st->col[c], TEXTS, g)->n;
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
