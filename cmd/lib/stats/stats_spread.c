/* stats_spread.c - --spread: divides the values of an event over the panes that it covers. */
#include <string.h>

#include "number/shares.h"
#include "stats/accumulator.h"

/* Bound: trace-stats --spread | rows | windows of groups | 4194304 | more than 4194304 rows */
#define ROWS_MOST 4194304u
/* Bound: trace-stats --spread | events | windows covered, of events that cover more than 256 | 268435456 | events cover more than */
#define COVERED_MOST (1u << 28)
#define COVERED_FREE 256

/* Returns how many panes an event of group g covers. *into: the time from the beginning of the first pane to the
 * event. */
static uint64_t
panes_of(const struct stats *st, const struct rec *r, uint32_t g, uint64_t *into)
{
	uint64_t length = pane_length(st);

	*into = (uint64_t)r->time - ((uint64_t)st->pane[g] * length + (uint64_t)st->origin);
	if (!(r->has & HAS_DUR) || r->dur <= 0 || (uint64_t)r->dur <= length - *into)
		return 1;
	return (*into + (uint64_t)r->dur - 1) / length + 1;
}

/* Returns the group that has the keys of group g one pane later, which is added if it is new. Groups that one
 * event has made are neighbours. */
static uint32_t
group_after(struct stats *st, uint32_t g)
{
	size_t nk = st->spec->nkeys;
	const uint32_t *of = st->key + g * nk;
	int64_t pane = st->pane[g] + 1;
	uint32_t key[SPEC_KEYS] = {0};

	if (g + 1 < st->ngroups && st->pane[g + 1] == pane &&
	    !memcmp(of + nk, of, nk * sizeof *of))
		return g + 1;
	memcpy(key, of, nk * sizeof *of);
	return stats_group(st, key, pane);
}

bool
spread_beyond(const struct stats *st)
{
	return st->spec->spread && (st->ngroups > ROWS_MOST || st->covered > COVERED_MOST);
}

bool
spread_groups(struct stats *st, const struct source *s, struct events e)
{
	for (uint32_t i = 0; i < e.n && !st->mixed; i++) {
		const struct rec *r = event_at(e, i);
		uint64_t into, n = panes_of(st, r, e.g[i], &into);
		const char *why = NULL;
		uint32_t g = e.g[i];

		st->covered += n <= COVERED_FREE  ? 0
			       : n < COVERED_MOST ? n
						  : COVERED_MOST + 1;
		if (st->covered > COVERED_MOST)
			why = "events cover more than 268435456 windows: use a longer -w";
		else if (n > 1 && ((st->clock == CLOCK_TICKS &&
				    ~(uint64_t)r->time < (uint64_t)r->dur) ||
				   st->pane[g] > INT64_MAX - (int64_t)n ||
				   !stats_pane_possible(st, st->pane[g] + (int64_t)n - 1)))
			why = "an event ends after the last time that a window can have";
		for (; n > 1 && !why; n--) {
			g = group_after(st, g);
			st->count[g]++;
			if (spread_beyond(st))
				why = "there are more than 4194304 rows: use a longer -w, "
				      "or fewer groups";
		}
		if (why && !s->opt->quiet)
			die("%s: --spread: %s", s->name, why);
		st->mixed |= why != NULL;
	}
	return !st->mixed;
}

/* Divides a value of column c over the groups of n panes, from group g on. */
static void
divide(struct stats *st, size_t c, struct class_value v, uint32_t g, uint64_t n,
       uint64_t into, const struct rec *r)
{
	struct class_sum *num =
	    column_room(&st->col[c], KEPT_NUM, v.class, st->ngroups, sizeof *num);
	uint64_t length = pane_length(st);
	struct shares shares;

	shares_open(&shares, v.v, length - into, length, (uint64_t)r->dur);
	for (;; g = group_after(st, g)) {
		uint64_t part = shares_take(&shares, n == 1);

		num[g].n++;
		num[g].lo += part;
		num[g].hi += num[g].lo < part;
		if (!--n)
			break;
	}
}

struct events
spread_column(struct stats *st, const struct source *s, size_t c, struct events e,
	      uint32_t off[BATCH], uint32_t g[BATCH])
{
	bool marks = st->spec->col[c].kind == COL_EVENT;
	/* Computed values are found by the numbers of events, which differ in the events left over, so all are
	 * counted here. */
	bool all = is_made(st->spec->col[c].name);
	uint32_t left = 0;

	for (uint32_t i = 0; i < e.n; i++) {
		const struct rec *r = event_at(e, i);
		uint64_t into, n = panes_of(st, r, e.g[i], &into);
		struct class_value v = {NANO_POS, SHARES_ONE};

		if (n == 1 && !all) {
			off[left] = e.off[i];
			g[left++] = e.g[i];
		} else if (marks || column_number(st, s, r, i, c, &v)) {
			if (n == 1 || v.class == TEXTS)
				column_values(st, c, v.class, &e.g[i], &v.v, 1);
			else
				divide(st, c, v, e.g[i], n, into, r);
		}
	}
	return (struct events){e.base, off, g, g, left};
}
