/*
 * stats.c - counts a batch of events by group.
 *
 * First the group of every event in the batch is found (group.c), then each column is one loop.
 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "event/value.h"
#include "expr/filter.h"
#include "stats/inside.h"
#include "view/traits.h"
#include "view/view_request.h"

#define BILLION 1000000000

/* Dies if clocks of inputs have different units, which windows, rates, the report and gaps (also between parts) do
 * not permit. A thread (quiet) only notes it: the input is read again in order. */
static void
check_clock(struct stats *st, const struct source *s)
{
	const struct spec *spec = st->spec;
	bool ticks = s->head.clock == CLOCK_TICKS;
	bool other = st->any && st->clock != s->head.clock && spec_one_clock(spec);
	bool unknown = ticks && spec->pane && (spec->window_unit || spec->pane % BILLION);

	if (s->opt->quiet)
		st->mixed |= other || unknown;
	else if (other)
		die("%s: the clock counts %s, but that of previous inputs %s (--hz N turns "
		    "ticks into seconds)",
		    s->name, ticks ? "ticks" : "seconds", ticks ? "seconds" : "ticks");
	else if (unknown)
		die("%s: the clock counts ticks of unknown length: give -w in ticks, or "
		    "--hz N",
		    s->name);
}

/* Sets the origin of windows, which must be a time of the clock. Dies if it is none; a thread only notes it. */
static void
check_origin(struct stats *st, const struct source *s)
{
	/* On the input's clock, 1970 is at minus the origin. */
	bool dated = head_dated(&s->head);

	if (stats_origin(st) && (!st->spec->from_clock || dated)) {
		if (st->spec->from_clock)
			st->origin = -s->head.origin;
		return;
	}
	if (!s->opt->quiet && st->spec->from_clock)
		die("%s: -A: the times do not count from a date", s->name);
	if (!s->opt->quiet)
		die("%s: --origin is no time of this input, whose clock counts %s", s->name,
		    st->clock == CLOCK_TICKS ? "ticks" : "seconds");
	st->mixed = true;
}

/* Finds what the view does not know about new types: which events enter or leave states. Marks columns and keys
 * that are no fields as seen. */
static void
bind_new(struct stats *st, const struct source *s)
{
	const struct traits *f = traits_source(s);
	size_t nc = st->spec->ncols;
	char name[STATE_NAME];

	GROW(st->way, st->way_cap, s->t.ntypes);
	for (; st->nways < s->t.ntypes; st->nways++) {
		const struct type *ty = &s->t.type[st->nways];

		st->way[st->nways] =
		    (int8_t)(f->state ? f->state(ty->event, ty->event_len, name) : 0);
	}
	for (size_t i = 0; i < st->view.n; i++)
		if (i < nc ? st->spec->col[i].kind != COL_FIELD
			   : !strcmp(st->spec->key[i - nc], SPEC_STATE))
			st->view.name[i].seen |= SEEN_FIELD;
}

static void
bind_types(struct stats *st, const struct source *s)
{
	bool anew;

	if (st->source != s->id)
		stats_source(st, s);
	anew = view_bind(&st->view, &s->t, &s->head, s->head_serial, s->fmt->text);
	if (anew) {
		check_clock(st, s);
		st->nways = 0;
		st->clock = s->head.clock;
		check_origin(st, s);
	}
	if (st->nways < s->t.ntypes)
		bind_new(st, s);
	keyed_bind(st, s, anew);
}

static void
note_span(struct stats *st, struct events e)
{
	uint64_t least = st->timed ? st->tmin : UINT64_MAX, most = st->timed ? st->tmax : 0,
		 flip = time_flip(st->clock);

	for (uint32_t i = 0; i < e.n; i++) {
		uint64_t t = (uint64_t)event_at(e, i)->time ^ flip;

		least = t < least ? t : least;
		most = t > most ? t : most;
	}
	st->tmin = least;
	st->tmax = most;
	st->timed = true;
}

/* With few groups, use four counters for each, because additions to one would wait for each other. */
#define GROUPS_FEW 64

static void
count_groups(struct stats *st, const uint32_t *g, uint32_t n)
{
	uint16_t part[4][GROUPS_FEW] = {{0}};

	if (one_group(g, n))
		st->count[g[0]] += n;
	else if (st->ngroups <= GROUPS_FEW) {
		for (uint32_t i = 0; i < n; i++)
			part[i % 4][g[i]]++;
		for (uint32_t i = 0; i < st->ngroups; i++)
			st->count[i] +=
			    (uint32_t)part[0][i] + part[1][i] + part[2][i] + part[3][i];
	} else
		for (uint32_t i = 0; i < n; i++)
			st->count[g[i]]++;
}

/* Counts events in one column. */
static void
add_column(struct stats *st, const struct source *s, size_t c, struct events e)
{
	uint32_t off[BATCH], g[BATCH];

	if (st->spec->col[c].acc & ACC_DEPTH)
		depth_add(st, c, e);
	if (st->spec->spread && !(e = spread_column(st, s, c, e, off, g)).n)
		return;
	switch (st->spec->col[c].kind) {
	case COL_FIELD: column_add(st, s, c, e); break;
	case COL_GAP: chain_add(st, s, c, e); break;
	case COL_SEQUENTIAL: requests_add(st, c, e); break;
	case COL_INSIDE: states_add(st, s, c, e); break;
	case COL_ENTER:
	case COL_EVENT: column_marks(st, c, e); break;
	case COL_UNALIGNED:
	case COL_PAGES: column_blocks(st, c, e); break;
	}
}

/* Finds the events that match e among pick[0..n) of b, or its first n if pick is NULL. Writes their numbers in the
 * batch to `match`, and their indexes in pick to `at`, which may be NULL. Returns how many there are. */
static uint32_t
stats_pick(struct expr *e, struct source *s, const struct batch *b, const uint32_t *pick,
	   uint32_t n, uint32_t match[BATCH], uint32_t *at)
{
	const uint8_t *types = expr_types(e, s, b);
	uint32_t found, k = 0, i = 0;

	for (; types && i < n; i++) {
		uint32_t event = pick ? pick[i] : i;

		match[k] = event;
		if (at)
			at[k] = i;
		k += types[batch_rec(b, event)->type] != 0;
	}
	if (types)
		return k;
	found = expr_run(e, s, b, match);
	if (!pick && n == b->n) {
		if (at)
			memcpy(at, match, found * sizeof *at);
		return found;
	}
	/* Both arrays are in the order of the batch. */
	for (uint32_t m = 0; m < found; m++) {
		while (i < n && (pick ? pick[i] : i) < match[m])
			i++;
		if (i == n)
			break;
		if ((pick ? pick[i] : i) != match[m])
			continue;
		match[k] = match[m];
		if (at)
			at[k] = i;
		k++;
	}
	return k;
}

/* Counts only those events in a column that its condition is true for. */
static void
add_some(struct stats *st, struct source *s, size_t c, const struct batch *b,
	 const uint32_t *pick, struct events e)
{
	uint32_t match[BATCH], at[BATCH], off[BATCH], to[BATCH], all[BATCH];
	uint32_t n = stats_pick(st->col_when[c], s, b, pick, e.n, match, at);

	for (uint32_t i = 0; i < n; i++) {
		to[i] = e.g[at[i]];
		off[i] = b->off[match[i]];
		all[i] = e.whole[at[i]];
	}
	if (n)
		add_column(st, s, c, (struct events){b->base, off, to, all, n});
}

void
stats_add(struct stats *st, struct source *s, const struct batch *b, const uint32_t *pick,
	  uint32_t n, const struct exprs *made)
{
	uint32_t g[BATCH], panes[BATCH], picked[BATCH], match[BATCH];
	const uint32_t *off = b->off;
	struct events e;
	const struct spec *spec = st->spec;

	bind_types(st, s);
	if (st->mixed)
		return;
	if (n && st->when) {
		n = stats_pick(st->when, s, b, pick, n, match, NULL);
		pick = match;
	}
	if (!n)
		return;
	if (pick) {
		for (uint32_t i = 0; i < n; i++)
			picked[i] = b->off[pick[i]];
		off = picked;
	}
	e = (struct events){b->base, off, g, g, n};
	st->made = made;
	if (spec->rates || spec->span)
		note_span(st, e);
	if (spec->from_first && !st->any)
		st->origin = event_at(e, 0)->time;
	st->any = true;
	st->block = spec->bytes ? source_addr_bytes(s, b) : 1;
	st->max_low_addr = INT64_MAX / st->block;
	if (spec->pane)
		e.whole = panes;
	stats_groups(st, s, e, g, panes);
	count_groups(st, g, n);
	if (spec->spread && !spread_groups(st, s, e))
		return;
	if (st->numbers)
		memcpy(st->numbers, g, n * sizeof *g);
	for (size_t c = 0; c < spec->ncols; c++) {
		if (st->col_when[c])
			add_some(st, s, c, b, pick, e);
		else
			add_column(st, s, c, e);
	}
	stats_bound(st);
}

bool
stats_argument(const char *format, const char *names)
{
	const struct traits *t = traits_of(format);

	for (const char *s = names; *s; s += strcspn(s, "|"), s += *s == '|')
		if (traits_argument(t, s, strcspn(s, "|")))
			return true;
	return false;
}

/* Reports fields in the condition of column c that no event had; for equal conditions once. Returns ST_TROUBLE if
 * there are any. */
static int
check_condition(struct stats *st, size_t c, const char *format)
{
	int status = expr_finish(st->col_when[c], true);
	const char *field;
	bool seen;

	for (size_t i = 0; i < c; i++)
		if (same_events(st->spec->col[i].when, st->spec->col[c].when))
			return status;
	for (size_t i = 0; (field = expr_field(st->col_when[c], i, &seen)); i++) {
		if (seen || stats_argument(format, field))
			continue;
		view_missing(&st->view, field);
		status = ST_TROUBLE;
	}
	return status;
}

int
stats_check(struct stats *st, const char *format)
{
	size_t nc = st->spec->ncols;
	int status = ST_OK;

	for (size_t i = 0; st->any && i < st->view.n; i++) {
		const char *name = st->view.name[i].name;

		/* A computed field was seen if the fields that it uses were. */
		if (st->view.name[i].seen & SEEN_FIELD || is_made(name) ||
		    stats_argument(format, spec_text(st->spec, name)))
			continue;
		if (st->view.name[i].seen & SEEN_EVENT)
			warn("no event had a field %s: %s is an event: -e %s", name, name,
			     name);
		else if (i >= nc && !strcmp(name, "file"))
			warn("no event had a field file: the input's name is " SPEC_INPUT);
		else
			view_missing(&st->view, name);
		status = ST_TROUBLE;
	}
	for (size_t c = 0; c < nc; c++)
		if (st->col_when[c] && check_condition(st, c, format) != ST_OK)
			status = ST_TROUBLE;
	return status;
}

void
stats_totals(const struct stats *st, struct totals *t)
{
	const struct spec *spec = st->spec;

	*t = (struct totals){0};
	t->sum = xcalloc(spec->ncols, sizeof *t->sum);
	for (uint32_t g = 0; g < st->ngroups; g++) {
		t->count += st->count[g];
		for (size_t c = 0; c < spec->ncols; c++) {
			const struct stats_column *col = &st->col[c];
			bool nano;
			struct swide s = column_sum(col, g, &nano);

			if (!nano)
				s.m = wide_scale(s.m, 9);
			t->sum[c] = swide_add(&t->sum[c], &s);
			if (spec->col[c].kind == COL_PAGES)
				t->cut += column_numbers(col, g);
		}
	}
	t->length = depth_length(st);
	if (spec->pane)
		t->span = st->clock == CLOCK_NS ? spec->window : spec->window / BILLION;
	else if (st->timed)
		t->span = st->tmax - st->tmin;
}

void
totals_free(struct totals *t)
{
	free(t->slices);
	free(t->sum);
}
