/*
 * pairs.c - open records by key and in chains, and the memory of the tables of numbers by key: see pairs.h and
 * pair_table.h.
 */
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/die.h"
#include "pair/pairs.h"

#define GROUPS_LEAST 16
#define AHEAD 4 /* groups by which keys are prefetched ahead */
/* Bound: trace-pair | pairs of a key that cross | begins inside of a pair, open at its end | 4096 | pairs of one key overlap: self= */
#define PAIRS_CROSS 4096

/* Initializes an empty table. Only pair_table_add allocates memory. */
static void
pair_table_start(struct pair_table *t)
{
	/* An empty group: the first number that is added makes a table. */
	static struct pair_group none;

	*t = (struct pair_table){.group = &none};
}

static void
pair_table_free(struct pair_table *t)
{
	free(t->mem);
	pair_table_start(t);
}

static void
pair_table_forget(struct pair_table *t)
{
	if (t->mem)
		memset(t->group, 0, ((size_t)t->mask + 1) * sizeof *t->group);
	t->used = 0;
}

/* Doubles the number of groups. */
static COLD void
more(struct pair_table *t, struct pair_keys keys)
{
	struct pair_table old = *t;
	size_t n = old.mem ? (size_t)old.mask + 1 : 0, groups = n ? 2 * n : GROUPS_LEAST;
	uintptr_t at;

	/* Align groups, so that none lies in two cache lines. */
	t->mem = xcalloc(groups + 1, sizeof *t->group);
	at = (uintptr_t)t->mem;
	t->group = (void *)((char *)t->mem + (0 - at) % sizeof *t->group);
	t->mask = (uint32_t)(groups - 1);
	t->most = (uint32_t)(groups * PAIR_GROUP_MOST);
	t->used = 0;
	for (size_t i = 0; i < n; i++) {
		const struct pair_group *g = &old.group[i],
					*next = &old.group[i + AHEAD < n ? i + AHEAD : i];

		for (unsigned k = 0; k < PAIR_LANES; k++)
			touch((const char *)keys.base + keys.step * next->v[k]);
		for (unsigned k = 0; k < PAIR_LANES; k++)
			if (g->tags >> 8 * k & 0xff)
				pair_table_add(t, keys, pair_key_at(keys, g->v[k]),
					       g->v[k]);
	}
	free(old.mem);
}

void
pair_table_add(struct pair_table *t, struct pair_keys keys, uint64_t key, uint32_t v)
{
	struct pair_group *g;
	uint64_t i = key >> 32, lanes;
	unsigned lane;

	if (t->used == t->most)
		more(t, keys);
	t->used++;
	for (;; i++) {
		g = pair_table_group(t, i);
		lanes = pair_lanes_free(g->tags);
		if (lanes)
			break;
		if (g->tags < PAIR_PASSED_MOST)
			g->tags += PAIR_PASSED;
	}
	lane = trailing_zeros64(lanes) / 8;
	g->tags |= pair_tag(key) << 8 * lane;
	g->v[lane] = v;
}

void
pairs_start(struct pairs *p, bool by_end, bool queue, bool nested, uint64_t limit)
{
	memset(p, 0, sizeof *p);
	wait_start(&p->n.w, by_end, limit);
	pair_table_start(&p->match);
	pair_table_start(&p->chain);
	p->queue = queue;
	p->nested = nested;
}

void
pairs_free(struct pairs *p)
{
	nests_free(&p->n);
	pair_table_free(&p->match);
	pair_table_free(&p->chain);
	for (size_t i = 0; i < p->morecap; i++)
		free(p->more[i].part);
	free(p->newest);
	free(p->more);
}

void
pairs_queue(struct pairs *p, uint32_t open, const struct pair_slot *s)
{
	uint32_t oldest = s ? s->group->v[s->lane] : open;

	GROW(p->newest, p->newestcap, open + 1);
	if (s)
		p->n.w.open[p->newest[oldest]].next = open;
	p->newest[oldest] = open;
}

static inline struct pair_keys
chains(const struct pairs *p)
{
	return (struct pair_keys){p->more, sizeof *p->more};
}

/* Pairs that cross. The inner pairs of an open record o are all pairs that began after it and are over. Each is
 * counted in the open record that was the last to begin before it, so the inner pairs of o are in the nest of o
 * and in all nests above. In one nest they are in the order of their begins, and so are the nests: when a pair is
 * over, its time is added to what the earlier pairs in its nest cover. If o is below it, a pair that lies lower in
 * the chain also covers time that pairs of the nests above cover. At the end of such a pair, its `upto`, a nest
 * above begins a new part: the parts up to there count only for an o above that pair. */

/* Ends a part of record `at` at `upto`. The time covered after that point lies without a gap before the record's
 * own upto. Parts that end earlier and whose owners are not above `over` are merged, because they no longer
 * matter. */
static void
part_end(struct pairs *p, uint32_t at, uint64_t upto, uint64_t owner, uint64_t over)
{
	struct nest *n = &p->n.nest[at];
	struct nest_more *x = &p->more[at];
	uint32_t i;
	uint64_t *rest = &n->inner, end = n->upto, beyond, before;

	for (; x->nparts && x->part[x->nparts - 1].owner <= over &&
	       x->part[x->nparts - 1].upto <= upto;
	     x->nparts--)
		n->inner += x->part[x->nparts - 1].covered;
	for (i = x->nparts; i && x->part[i - 1].upto >= upto; i--) {
		rest = &x->part[i - 1].covered;
		end = x->part[i - 1].upto < n->upto ? x->part[i - 1].upto : n->upto;
	}
	if (i < x->nparts && x->part[i].upto == upto) {
		if (owner > x->part[i].owner)
			x->part[i].owner = owner;
		return;
	}
	beyond = nest_since(upto, end);
	before = nest_since(beyond, *rest);
	*rest -= before;
	if (x->nparts == x->partcap) {
		size_t cap = x->partcap;

		x->part = grow_small(x->part, &cap, cap + 1, sizeof *x->part);
		x->partcap = (uint32_t)cap;
	}
	memmove(x->part + i + 1, x->part + i, (x->nparts++ - i) * sizeof *x->part);
	x->part[i] = (struct nest_part){upto, before, owner};
}

/* Returns how much of the time up to `time` is covered by pairs that began after an open record and are over.
 * Includes the nests of all records above. */
static COLD uint64_t
inner_of(struct pairs *p, uint32_t open, uint64_t time)
{
	uint64_t sum = 0, upto = p->n.nest[open].begin;
	unsigned left = PAIRS_CROSS;

	for (uint32_t i = open; i != WAIT_NONE; i = p->n.nest[i].above) {
		const struct nest *x = &p->n.nest[i];
		const struct nest_part *part = p->more[i].part;
		uint32_t k = p->more[i].nparts;

		for (sum += x->inner; k && part[k - 1].upto > upto && left; left--)
			sum += part[--k].covered;
		if (!left--) {
			p->deep = true;
			break;
		}
		upto = x->upto > upto ? x->upto : upto;
	}
	/* After `time`, too, all is covered without a gap. */
	return nest_since(nest_since(time, upto), sum);
}

/* Corrects the chain of a record that ends while records above it are open, or that overlaps parts of the record
 * below: the time between `from` and `upto` was added to the record below, but is already counted. */
static COLD void
cross(struct pairs *p, uint32_t open, uint64_t from, uint64_t upto)
{
	const struct nest *n = &p->n.nest[open];
	struct nest *q = &p->n.nest[n->below];
	struct nest_more *x = &p->more[n->below];
	uint64_t owner = p->n.w.open[n->below].tag, over = p->n.w.open[open].tag;
	unsigned left = PAIRS_CROSS;

	for (uint32_t i = x->nparts; i-- && x->part[i].upto > from;) {
		uint64_t begin =
		    i && x->part[i - 1].upto > from ? x->part[i - 1].upto : from;
		uint64_t end = x->part[i].upto < upto ? x->part[i].upto : upto;

		x->part[i].covered += nest_since(begin, end);
		q->inner -= nest_since(begin, end);
	}
	for (uint32_t i = n->above; i != WAIT_NONE && left; i = p->n.nest[i].above, left--)
		part_end(p, i, q->upto, owner, over);
}

struct lasting
pairs_lasted(struct pairs *p, uint32_t open, uint64_t time)
{
	const struct nest *n = &p->n.nest[open];
	uint32_t below = n->below;
	bool above = n->above != WAIT_NONE;
	uint64_t inner = n->inner, upto = time, from = 0;
	struct lasting l;

	if (unlikely(above || p->more[open].nparts || n->upto > time)) {
		inner = inner_of(p, open, time);
		upto = n->upto > time ? n->upto : time;
	}
	if (below != WAIT_NONE)
		from = nest_from(&p->n, open);
	l = nest_lasted(&p->n, open, time, 0, inner, upto);
	if (unlikely(below != WAIT_NONE && (above || p->more[below].nparts)))
		cross(p, open, from, upto);
	return l;
}

/* Sets the parts of a new record in a chain that begins before pairs of the record below have ended. */
static COLD void
begin_covered(struct pairs *p, uint32_t open)
{
	const struct nest *n = &p->n.nest[open], *q = &p->n.nest[n->below];
	const struct nest_more *x = &p->more[n->below];

	for (uint32_t i = 0; i < x->nparts; i++)
		if (x->part[i].upto > n->begin)
			part_end(p, open, x->part[i].upto, x->part[i].owner, 0);
	if (q->upto > n->begin)
		part_end(p, open, q->upto, p->n.w.open[n->below].tag, 0);
}

void
pairs_nest(struct pairs *p, uint32_t open, uint64_t chain, uint64_t time)
{
	struct pair_slot s;
	bool found = pair_table_find(&p->chain, chains(p), chain, &s);
	uint32_t before = found ? s.group->v[s.lane] : 0, last = found ? before + 1 : 0;

	nest_push(&p->n, &last, open, time, 0);
	GROW(p->more, p->morecap, open + 1);
	p->more[open].nparts = 0;
	p->more[open].chain = chain;
	if (found && unlikely(p->n.nest[before].upto > time || p->more[before].nparts))
		begin_covered(p, open);
	if (found)
		s.group->v[s.lane] = open;
	else
		pair_table_add(&p->chain, chains(p), chain, open);
}

void
pairs_unnest(struct pairs *p, uint32_t open)
{
	uint64_t chain = p->more[open].chain;
	struct pair_slot s;
	uint32_t last;

	if (!pair_table_find(&p->chain, chains(p), chain, &s))
		return;
	last = s.group->v[s.lane] + 1;
	nest_pull(&p->n, &last, open);
	if (last)
		s.group->v[s.lane] = last - 1;
	else
		pair_table_drop(&p->chain, s, chain);
}

void
pairs_forget(struct pairs *p)
{
	pair_table_forget(&p->match);
	pair_table_forget(&p->chain);
}

void
pairs_fetch(const struct pairs *p, const uint64_t *key, const bool *ends, uint32_t n)
{
	uint32_t open[BATCH], m = 0;

	for (uint32_t j = 0; j < n; j++)
		touch(pair_table_group(&p->match, key[j] >> 32));
	/* Uses only the tags; a few of them belong to other keys, or the key is in the next group. */
	for (uint32_t j = 0; j < n; j++) {
		const struct pair_group *g = pair_table_group(&p->match, key[j] >> 32);
		uint64_t lanes = pair_lanes(g->tags, pair_tag(key[j]));

		open[m] = g->v[trailing_zeros64(lanes | 1ull << 40) / 8];
		m += ends[j] & (lanes != 0);
	}
	for (uint32_t j = 0; j < m; j++)
		touch(&p->n.w.open[open[j]]);
	for (uint32_t j = 0; j < m; j++)
		wait_fetch(&p->n.w, open[j]);
}
