/* curve.c - the counts of references of one group: see reuse.h. */
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "trace-reuse/reuse.h"

/* Intervals per octave, and bits of the times that have an interval each. */
#define STEPS 64
#define STEP_BITS 6
/* If all keys are kept, the limit is FREE_KEYS, and EVENT_KEYS more for each event. */
/* Bound: trace-reuse | keys of exact distances | blocks of events | 524288 and 256 for each event | to keep: raise --keys N */
#define FREE_KEYS (1u << 19)
#define EVENT_KEYS 256
/* If samples are kept, all groups together may have this many times the keys of one group. */
/* Bound: trace-reuse | samples of all groups | groups | 8 times --keys | - */
#define GROUPS_FULL 8

static size_t
interval_of(uint64_t time)
{
	unsigned e = 63 - leading_zeros64(time | 1);

	return e < STEP_BITS ? time
			     : STEPS * (e - STEP_BITS) + (size_t)(time >> (e - STEP_BITS));
}

uint64_t
reuse_edge(size_t i)
{
	return i < 2 * STEPS ? i : (uint64_t)(STEPS + i % STEPS) << (i / STEPS - 1);
}

void
reuse_time_add(struct reuse_times *t, uint64_t time, unsigned level, uint64_t n)
{
	size_t i = interval_of(time);
	uint64_t w = (time *= n) << level;

	GROW(t->v, t->cap, i + 1);
	t->v[i].count += n << level;
	t->v[i].low += w;
	t->v[i].high += (level ? time >> (64 - level) : 0) + (t->v[i].low < w);
}

static uint64_t
sum_of(const struct reuse_sum *s, unsigned way)
{
	const uint64_t *n = way & REUSE_BYTES ? s->bytes : s->references;

	way %= REUSE_BYTES;
	return way < REUSE_WAYS ? n[way] : n[REUSE_READ] + n[REUSE_WRITE];
}

uint64_t
curve_references(const struct curve *c, unsigned way)
{
	if (way & REUSE_BYTES)
		return sum_of(&c->every, way);
	return way < REUSE_WAYS ? c->references[way]
				: c->references[REUSE_READ] + c->references[REUSE_WRITE];
}

uint64_t *
reuse_count_new(struct reuse_level *at, unsigned way, uint64_t d)
{
	struct reuse_page *p;

	GROW(at->page[way], at->cap[way], d / REUSE_PAGE + 1);
	p = &at->page[way][d / REUSE_PAGE];
	if (!p->n)
		p->n = xcalloc(REUSE_PAGE, sizeof *p->n);
	return &p->n[d % REUSE_PAGE];
}

uint64_t
reuse_next(const struct reuse_level *at, unsigned way, uint64_t *d)
{
	for (++*d; *d / REUSE_PAGE < at->cap[way]; ++*d) {
		const uint64_t *n = at->page[way][*d / REUSE_PAGE].n;

		if (!n)
			*d |= REUSE_PAGE - 1;
		else if (n[*d % REUSE_PAGE])
			return n[*d % REUSE_PAGE];
	}
	return 0;
}

/* Returns the index of the first edge that is not less than d. */
static size_t
edge_of(const struct curve *c, uint64_t d)
{
	size_t low = 0, high = c->nedges;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (c->edge[mid] < d)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* Adds n * 2^level, or makes *to the greatest number if the sum is greater. */
static void
add_scaled(uint64_t *to, uint64_t n, unsigned level)
{
	n = n > UINT64_MAX >> level ? UINT64_MAX : n << level;
	*to = n > UINT64_MAX - *to ? UINT64_MAX : *to + n;
}

void
reuse_count_object(struct curve *c, unsigned way, uint64_t d, uint64_t size, uint64_t n)
{
	struct reuse_sum *sum = &c->never;
	uint64_t scaled = 0;

	c->largest = size > c->largest ? size : c->largest;
	if (d != LRU_NEW) {
		size_t i;

		add_scaled(&scaled, d, c->level);
		i = edge_of(c, scaled);
		GROW(c->sum, c->sum_cap, i + 1);
		sum = &c->sum[i];
		c->farthest = scaled > c->farthest ? scaled : c->farthest;
		if (scaled && (scaled < c->nearest || !c->nearest))
			c->nearest = scaled;
	}
	add_scaled(&sum->references[way], n, c->level);
	add_scaled(&sum->bytes[way], n * size, c->level);
}

uint64_t
curve_least(const struct curve *c)
{
	if (c->edge && c->level)
		return (c->lru.n ? c->lru.total / c->lru.n : 0) << c->level | 1;
	return 1ull << c->level;
}

void
curve_settle(struct curve *c)
{
	for (size_t l = 0; l < c->at_cap; l++)
		for (unsigned w = 0; w < REUSE_WAYS; w++) {
			uint64_t above = 0;

			/* From now on the count at d is the number of references above d. */
			for (size_t i = c->at[l].cap[w]; i--;) {
				struct reuse_page *p = &c->at[l].page[w][i];

				p->above = above;
				for (size_t d = REUSE_PAGE; p->n && d--;) {
					uint64_t here = p->n[d];

					p->n[d] = above;
					above += here;
				}
			}
		}
}

/* Returns how many references of a level have a distance above d. */
static uint64_t
beyond(const struct reuse_level *at, unsigned way, uint64_t d)
{
	const struct reuse_page *p;

	if (d / REUSE_PAGE >= at->cap[way])
		return 0;
	p = &at->page[way][d / REUSE_PAGE];
	return p->n ? p->n[d % REUSE_PAGE] : p->above;
}

uint64_t
curve_cold(const struct curve *c, unsigned way)
{
	uint64_t sum = 0;

	if (c->edge)
		return sum_of(&c->never, way);
	for (size_t l = 0; l < c->at_cap; l++)
		for (unsigned w = 0; w < REUSE_WAYS; w++)
			if (way == w || way == REUSE_WAYS)
				sum += c->at[l].cold[w] << l;
	return sum;
}

/* Returns the number of references to objects that are counted at edge `at` or above. */
static uint64_t
beyond_edge(const struct curve *c, unsigned way, size_t at)
{
	uint64_t sum = 0;

	for (; at < c->sum_cap; at++)
		sum += sum_of(&c->sum[at], way);
	return sum;
}

uint64_t
curve_warm(const struct curve *c, unsigned way)
{
	return c->edge ? beyond_edge(c, way, 0) : curve_beyond(c, way, 0);
}

uint64_t
curve_beyond(const struct curve *c, unsigned way, uint64_t size)
{
	uint64_t sum = 0;

	if (c->edge)
		return size < c->farthest ? beyond_edge(c, way, edge_of(c, size) + 1) : 0;
	for (size_t l = 0; l < c->at_cap; l++)
		for (unsigned w = 0; w < REUSE_WAYS; w++)
			if (way == w || way == REUSE_WAYS)
				sum += beyond(&c->at[l], w, size >> l) << l;
	return sum;
}

uint64_t
curve_size(const struct curve *c, unsigned part)
{
	uint64_t all = c->edge ? 0 : curve_beyond(c, REUSE_WAYS, 0), low = 0, high = 1;
	/* Rounded down: at least this many are not beyond. */
	uint64_t most = all - all / 1000 * part - (all % 1000 * part + 999) / 1000;

	if (!all)
		return c->farthest;
	while (curve_beyond(c, REUSE_WAYS, high) > most)
		high *= 2;
	while (high - low > 1) {
		uint64_t mid = low + (high - low) / 2;

		if (curve_beyond(c, REUSE_WAYS, mid) > most)
			low = mid;
		else
			high = mid;
	}
	return high;
}

/* Returns how many references have a time of at least the edge of interval i, and sets *below to the sum of the
 * other times. */
static uint64_t
from_interval(const struct reuse_times *t, size_t i, struct wide *below)
{
	uint64_t count = 0, sum[2] = {0, 0};

	for (size_t k = 0; k < t->cap; k++) {
		if (k >= i) {
			count += t->v[k].count;
			continue;
		}
		sum[0] += t->v[k].low;
		sum[1] += t->v[k].high + (sum[0] < t->v[k].low);
	}
	*below = wide_words(sum, 2);
	return count;
}

uint64_t
curve_beyond_aet(const struct curve *c, struct aet *a, uint64_t size)
{
	uint64_t all = curve_references(c, REUSE_WAYS), cold = curve_cold(c, REUSE_WAYS);

	if (!a->i) {
		a->i = 1;
		a->before = from_interval(&c->times, 1, &(struct wide){0});
	}
	for (; a->i <= c->times.cap; a->i++) {
		struct wide below, e = wide_u64(reuse_edge(a->i)), n = wide_u64(all), sum;
		uint64_t at, count = from_interval(&c->times, a->i, &below);

		sum = wide_u64(count + cold);
		sum = wide_mul(&sum, &e);
		sum = wide_add(&sum, &below);
		sum = wide_div(&sum, &n, NULL);
		if (!wide_to_words(&sum, &at, 1))
			at = UINT64_MAX;
		if (at >= size) {
			/* Linear between the two edges. */
			double part =
			    at > a->size ? (double)(size - a->size) / (double)(at - a->size)
					 : 1;

			return a->before - (uint64_t)(part * (double)(a->before - count));
		}
		a->size = at;
		a->before = count;
	}
	return 0;
}

void
curve_tails(const struct curve *c, struct reuse_times *tails)
{
	const struct lru *l = &c->lru;
	uint64_t end = curve_references(c, REUSE_WAYS) + 1;

	for (uint32_t i = 0; i < lru_places(l); i++)
		if (l->key[i].slot)
			reuse_time_add(tails, end - l->time[i], c->level, 1);
}

/* Returns the sum of the smaller of `window` and each time. */
static struct wide
least_of(const struct reuse_times *t, uint64_t window)
{
	struct wide below, w = wide_u64(window),
			   count = wide_u64(from_interval(t, interval_of(window), &below));

	count = wide_mul(&count, &w);
	return wide_add(&count, &below);
}

struct wide
curve_working_set(const struct curve *c, const struct reuse_times *tails, uint64_t window)
{
	struct wide a = least_of(&c->times, window), b = least_of(tails, window);

	return wide_add(&a, &b);
}

void
curve_free(struct curve *c)
{
	for (size_t l = 0; l < c->at_cap; l++)
		for (unsigned w = 0; w < REUSE_WAYS; w++) {
			for (size_t i = 0; i < c->at[l].cap[w]; i++)
				free(c->at[l].page[w][i].n);
			free(c->at[l].page[w]);
		}
	free(c->at);
	free(c->times.v);
	free(c->window);
	free(c->sum);
	free(c->next);
	free(c->object);
	lru_free(&c->lru);
}

/* Returns the curve for the values of -g in row `id` of the table, which may be new. */
static uint32_t
curve_of(struct reuse *x, uint32_t id)
{
	const struct stats *st = &x->ids.st[0];
	size_t nk = st->spec->nkeys, n = nk - !x->q.value;
	uint32_t g = strtab_id(&x->groups, st->key + id * nk, n * sizeof *st->key);

	GROW(x->curve, x->curve_cap, g + 1);
	if (g == x->ncurves) {
		struct curve *c = &x->curve[x->ncurves++];

		c->level = x->q.level;
		GROW(c->at, c->at_cap, c->level + 1);
		c->lru.timed = x->q.times || x->q.window;
		c->lru.counted = x->q.counts;
		c->lru.flat = x->q.flat || x->q.objects || x->q.policy != REUSE_LRU;
		c->edge = x->q.edge;
		c->nedges = x->q.nedges;
	}
	return g;
}

void
reuse_ids(struct reuse *x)
{
	const struct stats *st = &x->ids.st[0];

	for (; x->nids < st->ngroups; x->nids++) {
		char room[KEY_SPACE];
		uint32_t space;
		struct str name;

		GROW(x->group, x->group_cap, x->nids + 1);
		x->group[x->nids] = curve_of(x, x->nids);
		if (x->q.value)
			continue;
		space = reuse_space(x, x->nids);
		name = keytab_text(&st->text, space, room);
		GROW(x->space, x->space_cap, space + 1);
		x->space[space] = mix64(hash64(name.s, name.len) ^ x->q.seed);
	}
}

void
reuse_count(struct curve *c, unsigned way, uint64_t d)
{
	struct reuse_level *at = &c->at[c->level];

	if (!d)
		at->cold[way]++;
	else
		++*reuse_count_of(at, way, d);
}

uint64_t
reuse_room(const struct reuse *x)
{
	if (x->q.most)
		return (uint64_t)x->q.most * GROUPS_FULL;
	return x->q.all ? x->q.all : FREE_KEYS + x->events * EVENT_KEYS;
}
