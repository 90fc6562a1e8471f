/* timeline.c - counts how much of its time each location is in each state; timeline_draw.c draws the shares. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace-plot/timeline.h"

/* Limit of states that one location is in at once; beyond it the outermost are dropped. */
#define DEPTH 32
/* Number of rows that are not joined to get slots, and slots that are kept for the others and the points of
 * each row. */
#define ROWS_LEAST LANES_MOST
#define RESERVE (2 * ROWS_LEAST)

/* Adds rows to other rows: lanes.join. */
static void
join_rows(void *arg, const uint32_t *row)
{
	struct plot *p = arg;
	struct timeline *t = p->state;
	uint32_t *to = xcalloc(p->bins.nslots + 1, sizeof *to);

	for (uint32_t i = 0; i < p->bins.nslots; i++)
		to[i] = i;
	for (uint32_t from = 0; from <= LANES_ROOM; from++)
		for (uint32_t k = 0; k < NAMES_ROOM && row[from] != from; k++) {
			uint16_t slot = t->slot[from][k], *at = &t->slot[row[from]][k];

			t->slot[from][k] = 0;
			if (!slot)
				continue;
			if (!*at) {
				*at = slot;
				continue;
			}
			to[slot - 1] = *at - 1;
			*PUSH(t->spare, t->nspare, t->spare_cap) = slot - 1;
		}
	bins_move(&p->bins, to);
	free(to);
}

static void
timeline_open(struct plot *p)
{
	struct timeline *t = xcalloc(1, sizeof *t);

	if (p->opts.sum && strcmp(p->opts.sum, "sum(dur)") != 0)
		die("-a %s: timeline can only draw sum(dur)", p->opts.sum);
	p->state = t;
	p->bins.lasting = true;
	p->bins.bytes = 3u << 20;
	t->lanes.room = p->kind->lanes;
	t->lanes.twos = true;
	t->lanes.shared = &p->shared;
	t->lanes.join = join_rows;
	t->lanes.arg = p;
	names_open(&p->row, p->opts.y ? p->opts.y : "loc", 0);
	bins_slots(&p->bins, 1);
}

/* Returns the slot of a name in the row of a location. If there is no memory for a new slot, joins rows; if
 * there are too few rows, returns the slot of the others. */
static uint32_t
lane_slot(struct plot *p, uint32_t loc, uint32_t name)
{
	struct timeline *t = p->state;
	uint16_t *slot = &t->slot[t->lanes.of[loc] - 1][name];

	if (likely(*slot))
		return *slot - 1;
	if (t->nspare <= RESERVE &&
	    !bins_fit(&p->bins, p->bins.nslots + 1 + RESERVE - t->nspare)) {
		if (t->lanes.n > ROWS_LEAST) {
			lanes_coarsen(&t->lanes, &p->row);
			return lane_slot(p, loc, name);
		}
		if (name && name != POINT)
			return lane_slot(p, loc, 0);
	}
	if (t->nspare)
		*slot = (uint16_t)(t->spare[--t->nspare] + 1);
	else {
		bins_slots(&p->bins, p->bins.nslots + 1);
		*slot = (uint16_t)p->bins.nslots;
	}
	return *slot - 1;
}

/* Counts a state of a location: while it lasts, the states around it are not counted. */
static void
timeline_state(void *plot, const struct ordered_state *s)
{
	struct plot *p = plot;
	struct timeline *t = p->state;
	struct nest_loc *around = nest_around(&p->nest, s->loc, s->from, s->to);
	int64_t at = s->from;
	bool own;

	lanes_row(&t->lanes, &p->row, s->loc);
	for (uint32_t k = around->n; k-- > 0 && at < s->to;) {
		const struct nest_state *in = &nest_states(&p->nest, around)[k];
		int64_t end = in->end < s->to ? in->end : s->to;

		if (end <= at)
			continue;
		bins_cover(&p->bins, at, end, lane_slot(p, s->loc, in->tag), -1);
		at = end;
	}
	bins_cover(&p->bins, s->from, s->to, lane_slot(p, s->loc, s->name), 1);
	/* It stays one of the others, even if there is a slot later. */
	own = t->slot[t->lanes.of[s->loc] - 1][s->name];
	nest_push(&p->nest, s->loc, s->from, s->to, own ? s->name : 0, DEPTH);
}

static void
timeline_moment(struct plot *p, uint32_t loc, int64_t time)
{
	uint32_t slot;

	lanes_row(&((struct timeline *)p->state)->lanes, &p->row, loc);
	slot = lane_slot(p, loc, POINT);
	bins_row(&p->bins, time)[slot]++;
}

static void
timeline_each(struct plot *p, plot_with *with, void *arg)
{
	const struct timeline *t = p->state;

	for (uint32_t l = 0; l < t->lanes.n; l++)
		for (uint32_t k = 0; k < NAMES_ROOM; k++)
			if (lane_slots(t, l)[k])
				with(arg, lane_slots(t, l)[k] - 1,
				     p->row.text.v[t->lanes.lane[l].first].s,
				     k == POINT ? "" : p->key.text.v[k].s, k == POINT);
}

static uint32_t
timeline_slot(struct plot *p, const char *lane, const char *name, unsigned sum)
{
	struct timeline *t = p->state;
	uint32_t loc = names_id(&p->row, lane, strlen(lane));
	uint32_t id = sum ? POINT : names_id(&p->key, name, strlen(name));

	lanes_row(&t->lanes, &p->row, loc);
	return sum > 1 ? NO_SLOT : lane_slot(p, loc, id);
}

static void
timeline_free(struct plot *p)
{
	struct timeline *t = p->state;

	free(t->spare);
	lanes_free(&t->lanes);
}

static void
timeline_bins(struct plot *p, struct table *t)
{
	struct timeline *m = p->state;
	uint32_t n = p->points ? 1 : p->key.text.n;
	uint32_t *order = names_sorted(&p->key, n);

	if (p->points)
		*order = POINT;
	timeline_rows(p);
	lanes_fit(&m->lanes, LANES_MOST);
	bins_head(t, "time", "end", p->opts.y ? p->opts.y : "loc",
		  p->points ? "count" : plot_key(p), p->points ? NULL : "sum(dur)");
	EACH_BIN (&p->bins, i)
		for (uint32_t l = 0; l < m->lanes.n; l++)
			for (uint32_t k = 0; k < n; k++) {
				uint32_t slot = lane_slots(m, l)[order[k]];
				uint64_t v = slot ? bins_at(&p->bins, i)[slot - 1] : 0;

				if (!v)
					continue;
				put_bin(t, p, i);
				table_text(t, lanes_range(&m->lanes.lane[l], &p->row));
				if (!p->points)
					table_text(t, p->key.text.v[order[k]].s);
				put_amount(t, v, !p->points && p->clock == CLOCK_NS);
				table_row(t);
			}
}

const struct plot_kind kind_timeline = {
    .name = "timeline",
    .about = "the share of time that each location is in each state",
    .need = NEED_LOC | NEED_DUR,
    .lasts = true,
    .time = true,
    .points = true,
    .lanes = LANES_ROOM,
    .key = "state",
    .log = "z",
    .linear = "xyz",
    .why = "has time, and shares of it, which are linear: --log takes z",
    .open = timeline_open,
    .nest = timeline_state,
    .moment = timeline_moment,
    .each = timeline_each,
    .slot = timeline_slot,
    .free = timeline_free,
    .mark = mark_time,
    .svg = timeline_svg,
    .terminal = timeline_terminal,
    .bins = timeline_bins,
};
