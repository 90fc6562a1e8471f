/*
 * chain.c - values that depend on the previous event, also if a file is read in parts; and how long states last:
 * an event that leaves a state ends the innermost enter.
 */
#include <stdlib.h>
#include <string.h>

#include "event/value.h"
#include "stats/accumulator.h"

struct class_value
time_between(enum clock clock, int64_t before, int64_t now)
{
	uint64_t flip = time_flip(clock);
	bool back = ((uint64_t)now ^ flip) < ((uint64_t)before ^ flip);

	return (struct class_value){
	    (clock == CLOCK_NS ? NANO_POS : INT_POS) + (unsigned)back,
	    back ? (uint64_t)before - (uint64_t)now : (uint64_t)now - (uint64_t)before};
}

void
requests_add(struct stats *st, size_t c, struct events e)
{
	struct chain *chain =
	    column_room(&st->col[c], KEPT_CHAIN, 0, st->ngroups, sizeof *chain);
	unsigned source = st->source;
	uint64_t v[BATCH];
	uint32_t to[BATCH], k = 0;

	for (uint32_t i = 0; i < e.n; i++) {
		const struct rec *r = event_at(e, i);
		struct chain *a = &chain[e.whole[i]];
		struct extent x = extent_of(st, r);
		uint64_t now = x.begin, end = x.end, last = (uint64_t)a->last;

		if (unlikely(!is_request(r)))
			continue;
		if (unlikely(x.begin_high | x.end_high)) {
			now ^= x.begin_high ? mix64(x.begin_high) : 0;
			end ^= x.end_high ? mix64(x.end_high) : 0;
		}
		a->last = (int64_t)end;
		if (unlikely(a->source != source)) {
			a->source = source;
			a->first = (int64_t)now;
			a->began = r->time;
			continue;
		}
		to[k] = e.g[i];
		v[k++] = last == now;
	}
	column_values(st, c, INT_POS, to, v, k);
}

void
chain_add(struct stats *st, const struct source *s, size_t c, struct events e)
{
	struct chain *chain =
	    column_room(&st->col[c], KEPT_CHAIN, 0, st->ngroups, sizeof *chain);
	bool plain = !accumulators_taking(st->spec->col[c].acc);
	unsigned class = s->head.clock == CLOCK_NS ? NANO_POS : INT_POS;
	uint64_t v[BATCH], flip = time_flip(s->head.clock);
	uint32_t to[BATCH], k = 0;

	for (uint32_t i = 0; i < e.n; i++) {
		const struct rec *r = event_at(e, i);
		struct chain *a = &chain[e.whole[i]];
		int64_t now = r->time, last = a->last;

		a->last = now;
		if (unlikely(a->source != st->source)) {
			a->source = st->source;
			a->first = a->began = now;
			continue;
		}
		if (likely(plain && ((uint64_t)now ^ flip) >= ((uint64_t)last ^ flip))) {
			v[k] = (uint64_t)now - (uint64_t)last;
			to[k++] = e.g[i];
		} else
			column_one(st, c, e.g[i], time_between(s->head.clock, last, now),
				   s->part.begin, ++st->seq);
	}
	column_values(st, c, class, to, v, k);
}

void
stats_source(struct stats *st, const struct source *s)
{
	const struct read_options *opt = s->opt;
	struct buf *b = &st->scratch;

	/* Give the inputs numbers in the order of operands, whichever is read first. */
	if (spec_by_input(st->spec) && !st->text.inputs.n)
		for (size_t i = 0; i < opt->operands; i++) {
			b->n = 0;
			operand_name(opt, i, b);
			strtab_id(&st->text.inputs, b->p, b->n);
		}
	b->n = 0;
	st->source = s->id;
	if (s->head.input)
		buf_str(b, s->head.input);
	else
		value_str(b, s->name, strlen(s->name));
	st->file = strtab_id(&st->files, b->p, b->n);
	st->seq = 0;
}

/* Limit of nested enters of a state that wait for their leaves. Further ones are not paired. */
#define DEEPEST 64

void
states_add(struct stats *st, const struct source *s, size_t c, struct events e)
{
	struct states *states =
	    column_room(&st->col[c], KEPT_STATES, 0, st->ngroups, sizeof *states);
	enum clock clock = s->head.clock;

	for (uint32_t i = 0; i < e.n; i++) {
		const struct rec *r = event_at(e, i);
		int way = st->way[r->type];
		struct states *a = &states[e.whole[i]];

		if (!way)
			continue;
		if (a->source != st->source) {
			a->source = st->source;
			a->n = a->nleaves = 0;
			a->deeper = 0;
		}
		if (way > 0 && r->has & HAS_DUR) {
			/* An enter and its leave have become one event. */
			column_one(st, c, e.g[i], time_between(clock, 0, r->dur),
				   s->part.begin, 0);
		} else if (way > 0 && a->n == DEEPEST) {
			a->deeper++;
		} else if (way > 0) {
			*PUSH(a->enter, a->n, a->enter_cap) = r->time;
		} else if (a->deeper) {
			a->deeper--;
		} else if (a->n) {
			column_one(st, c, e.g[i],
				   time_between(clock, a->enter[--a->n], r->time),
				   s->part.begin, 0);
		} else if (s->part.begin && a->nleaves < DEEPEST) {
			*PUSH(a->leave, a->nleaves, a->leave_cap) = r->time;
		}
	}
}

static void
states_segments(struct stats *st, const struct source *s, uint32_t c)
{
	for (uint32_t g = 0; g < st->ngroups; g++) {
		const struct states *a =
		    column_kept(&st->col[c], KEPT_STATES, 0, g, sizeof *a);
		struct segment seg = {.group = g,
				      .file = st->file,
				      .col = c,
				      .begin = s->part.begin,
				      .end = s->part.end};

		if (a->source != s->id)
			continue;
		for (uint32_t i = 0; i < a->nleaves; i++, seg.seq++) {
			seg.first = seg.began = a->leave[i];
			seg.last = NO_TIME;
			segment_add(st, &seg);
		}
		for (uint32_t i = 0; i < a->n; i++, seg.seq++) {
			seg.first = NO_TIME;
			seg.last = a->enter[i];
			segment_add(st, &seg);
		}
	}
}

void
stats_done(struct stats *st, const struct source *s)
{
	struct cover cover = {0, s->part.begin, s->part.end};

	if ((s->part.begin == 0 && s->part.end == UINT64_MAX) ||
	    s->part.begin == s->part.end)
		return;
	if (st->source != s->id)
		stats_source(st, s);
	cover.file = st->file;
	cover_add(st, &cover);
	for (uint32_t c = 0; c < st->spec->ncols; c++) {
		if (st->spec->col[c].kind == COL_INSIDE)
			states_segments(st, s, c);
		for (uint32_t g = 0; g < st->ngroups; g++) {
			const struct chain *a =
			    column_kept(&st->col[c], KEPT_CHAIN, 0, g, sizeof *a);

			if (a->source == s->id)
				segment_add(st,
					    &(struct segment){g, st->file, c, 0,
							      s->part.begin, s->part.end,
							      a->first, a->last, a->began});
		}
	}
}

static int
cover_cmp(const void *x, const void *y)
{
	const struct cover *a = x, *b = y;

	if (a->file != b->file)
		return a->file < b->file ? -1 : 1;
	if (a->begin != b->begin)
		return a->begin < b->begin ? -1 : 1;
	return a->end < b->end ? -1 : a->end > b->end;
}

static int
segment_cmp(const void *x, const void *y)
{
	const struct segment *a = x, *b = y;
	int c;

	if (a->group != b->group)
		return a->group < b->group ? -1 : 1;
	if (a->col != b->col)
		return a->col < b->col ? -1 : 1;
	c = cover_cmp(&(struct cover){.file = a->file, .begin = a->begin, .end = a->end},
		      &(struct cover){.file = b->file, .begin = b->begin, .end = b->end});
	return c ? c : a->seq < b->seq ? -1 : a->seq > b->seq;
}

/* Returns true if all bytes from `from` to `to` of a file have been read. */
static bool
covered(const struct stats *st, uint32_t file, uint64_t from, uint64_t to)
{
	size_t lo = 0, hi = st->ncovers;

	if (from == to)
		return true;
	/* After join_covers, one part contains the range, or none does. Find the last part that does not begin
	 * after it. */
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		const struct cover *c = &st->cover[mid];

		if (c->file < file || (c->file == file && c->begin <= from))
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo && st->cover[lo - 1].file == file && st->cover[lo - 1].end >= to;
}

/* Joins adjacent parts of files. If two parts overlap, dies if `say`, else returns false. */
static bool
join_covers(struct stats *st, bool say)
{
	size_t n = 0;

	if (st->ncovers)
		qsort(st->cover, st->ncovers, sizeof *st->cover, cover_cmp);
	for (size_t i = 0; i < st->ncovers; i++) {
		struct cover *last = n ? &st->cover[n - 1] : NULL, c = st->cover[i];

		if (last && last->file == c.file && last->end > c.begin && !say)
			return false;
		if (last && last->file == c.file && last->end > c.begin)
			die("%s: two partial results have the part from %llu on: give each "
			    "part of one --chunk N once",
			    st->files.v[c.file].s, (unsigned long long)c.begin);
		if (last && last->file == c.file && last->end == c.begin)
			last->end = c.end;
		else
			st->cover[n++] = c;
	}
	st->ncovers = n;
	return true;
}

/* Counts the value between two segments. Returns false if the window of b has no events, which only happens with a
 * damaged partial result. */
static bool
add_link(struct stats *st, const struct segment *a, const struct segment *b)
{
	enum col_kind kind = st->spec->col[a->col].kind;
	struct class_value v = kind == COL_SEQUENTIAL
				   ? (struct class_value){INT_POS, a->last == b->first}
				   : time_between(st->clock, a->last, b->first);
	uint32_t g = a->group, texts[SPEC_KEYS];

	if (st->pane) {
		/* Copy the key, because a new group may move the array. */
		for (size_t k = 0; k < st->spec->nkeys; k++)
			texts[k] = st->key[(size_t)g * st->spec->nkeys + k];
		g = stats_group(st, texts, stats_pane(st, b->began));
		if (!st->count[g])
			return false;
	}
	st->file = b->file;
	column_one(st, a->col, g, v, b->begin, 0);
	return true;
}

/* Returns true if every segment is from a part that was read. */
static bool
segments_covered(const struct stats *st, bool say)
{
	for (size_t i = 0; i < st->nsegments; i++) {
		const struct segment *s = &st->segment[i];

		if (covered(st, s->file, s->begin, s->end))
			continue;
		if (say)
			warn("%s: the partial results are damaged: a group is of a part "
			     "that none "
			     "of them read",
			     st->files.v[s->file].s);
		return false;
	}
	return true;
}

/* Returns true if segment s continues `last` without a gap. */
static bool
follows(const struct stats *st, const struct segment *last, const struct segment *s)
{
	return last->group == s->group && last->col == s->col && last->file == s->file &&
	       last->end <= s->begin && covered(st, s->file, last->end, s->begin);
}

/* Joins adjacent segments, and counts the values between them. Returns false if a window is invalid. */
static bool
join_segments(struct stats *st, bool say)
{
	bool linked = true;
	size_t n = 0;

	if (st->nsegments)
		qsort(st->segment, st->nsegments, sizeof *st->segment, segment_cmp);
	for (size_t i = 0; i < st->nsegments; i++) {
		struct segment *last = n ? &st->segment[n - 1] : NULL, s = st->segment[i];

		if (!last || !follows(st, last, &s)) {
			st->segment[n++] = s;
		} else if (st->spec->col[s.col].kind != COL_INSIDE) {
			linked &= add_link(st, last, &s);
			last->end = s.end;
			last->last = s.last;
		} else if (last->last != NO_TIME && s.first != NO_TIME) {
			/* an enter, and the leave that ends it */
			linked &= add_link(st, last, &s);
			n--;
		} else
			st->segment[n++] = s;
	}
	if (!linked && say)
		warn("the partial results are damaged: an event is of a window without "
		     "events");
	st->nsegments = n;
	return linked;
}

/* Drops segments and parts that are no longer needed. */
static void
drop_joined(struct stats *st, bool say)
{
	size_t n = 0;

	/* The segment of a group that covers a whole file needs no neighbour. */
	for (size_t i = 0; i < st->nsegments; i++) {
		const struct segment *s = &st->segment[i];

		if (!(covered(st, s->file, 0, s->begin) &&
		      covered(st, s->file, s->end, UINT64_MAX)))
			st->segment[n++] = *s;
	}
	st->nsegments = n;
	/* With partial results, a whole file stays known, because a part of it may come again. */
	for (size_t i = n = 0; i < st->ncovers; i++)
		if (say || st->cover[i].begin || st->cover[i].end != UINT64_MAX)
			st->cover[n++] = st->cover[i];
	st->ncovers = n;
}

bool
stats_stitch(struct stats *st, bool say)
{
	bool good;

	if (st->mixed)
		return false;
	if (!st->nsegments && !st->ncovers)
		return true;
	if (!join_covers(st, say))
		return false;
	good = segments_covered(st, say);
	good &= join_segments(st, say);
	drop_joined(st, say);
	return good;
}

bool
stats_whole(const struct stats *st)
{
	bool good = true;

	for (size_t i = 0; i < st->ncovers; i++) {
		const struct cover *c = &st->cover[i], *last = i ? c - 1 : NULL,
				   *next = i + 1 < st->ncovers ? c + 1 : NULL;
		const char *name = st->files.v[c->file].s;
		uint64_t from = last && last->file == c->file ? last->end : 0;

		if (from < c->begin) {
			warn("%s: the part from %llu to %llu is in no partial result; run "
			     "that --chunk again",
			     name, (unsigned long long)from, (unsigned long long)c->begin);
			good = false;
		}
		if (c->end != UINT64_MAX && !(next && next->file == c->file)) {
			warn("%s: the part from %llu to the end is in no partial result; "
			     "run that --chunk again",
			     name, (unsigned long long)c->end);
			good = false;
		}
	}
	return good;
}
