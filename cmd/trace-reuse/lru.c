/* lru.c - see lru.h. */
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/compiler.h"
#include "base/die.h"
#include "base/hash.h"
#include "trace-reuse/lru.h"

#define NONE UINT32_MAX
#define LEAST_BITS 4
#define MOST_KEYS (1u << 30)
/* Slots of a group, whose weights have one sum. */
#define GROUP 8

static inline uint32_t
lru_home(const struct lru *l, uint32_t space, uint64_t block)
{
	uint64_t h = hash_add(hash_add(space, block) ^ block >> 32, space);

	return hash_slot(h) >> (32 - l->bits);
}

void
lru_soon(const struct lru *l, uint32_t space, uint64_t block)
{
	uint32_t at;

	if (l->bits <= 12)
		return;
	at = lru_home(l, space, block);
	prefetch(&l->key[at]);
	if (l->timed)
		prefetch(&l->time[at]);
}

/* Returns the place of a key, or the free place for it. */
static inline uint32_t
lru_find(const struct lru *l, uint32_t space, uint64_t block)
{
	uint32_t at = lru_home(l, space, block), mask = (1u << l->bits) - 1;

	while (l->key[at].slot && (l->key[at].block != block || l->key[at].space != space))
		at = (at + 1) & mask;
	return at;
}

/* Moves all keys, except keys with slot 0, to a table of 2^bits places. */
static COLD void
rehash(struct lru *l, unsigned bits)
{
	struct lru old = *l;
	uint32_t places = lru_places(l);

	l->bits = bits;
	l->n = 0;
	l->key = xcalloc((size_t)1 << bits, sizeof *l->key);
	if (l->timed)
		l->time = xcalloc((size_t)1 << bits, sizeof *l->time);
	if (l->counted)
		l->count = xcalloc((size_t)1 << bits, sizeof *l->count);
	for (uint32_t i = 0; i < places; i++) {
		const struct lru_key *k = &old.key[i];
		uint32_t at;

		if (!k->slot)
			continue;
		at = lru_find(l, k->space, k->block);
		l->key[at] = *k;
		if (l->timed)
			l->time[at] = old.time[i];
		if (l->counted)
			l->count[at] = old.count[i];
		l->n++;
	}
	l->top = l->second = NONE;
	free(old.key);
	free(old.time);
	free(old.count);
}

/* Returns how many slots before `slot` are dead. */
static inline uint32_t
dead_before(const struct lru *l, uint32_t slot)
{
	uint32_t sum = count_ones64(l->dead[slot >> 6] & ((1ull << (slot & 63)) - 1));

	for (uint32_t i = slot >> 6; i; i &= i - 1)
		sum += l->tree[i];
	return sum;
}

static inline void
kill_slot(struct lru *l, uint32_t slot)
{
	l->dead[slot >> 6] |= 1ull << (slot & 63);
	l->ndead++;
	for (uint32_t i = (slot >> 6) + 1; i <= l->slots >> 6; i += i & (0 - i))
		l->tree[i]++;
}

/* Renumbers the live slots in their order, and makes room for three times as many more. */
static COLD void
compact(struct lru *l)
{
	uint32_t words = l->slots >> 6, sum = 0;

	for (uint32_t w = 0; w < words; w++) {
		l->tree[w] = sum;
		sum += count_ones64(l->dead[w]);
	}
	for (uint32_t i = 0; i < lru_places(l); i++) {
		uint32_t slot = l->key[i].slot - 1;

		if (l->key[i].slot)
			l->key[i].slot -=
			    l->tree[slot >> 6] +
			    count_ones64(l->dead[slot >> 6] & ((1ull << (slot & 63)) - 1));
	}
	for (l->slots = 64; l->n > l->slots / 4;)
		l->slots *= 2;
	free(l->dead);
	free(l->tree);
	words = l->slots >> 6;
	l->dead = xcalloc(words, sizeof *l->dead);
	l->tree = xcalloc(words + 1, sizeof *l->tree);
	l->used = l->n;
	l->ndead = 0;
	l->second = NONE;
}

/* Gives the key at a place the next slot. */
static inline void
to_top(struct lru *l, uint32_t at)
{
	l->second = l->top == NONE ? NONE : l->key[l->top].slot - 1;
	l->top = at;
	l->key[at].slot = ++l->used;
}

/* Adds a key, and returns its place. */
static COLD uint32_t
add_key(struct lru *l, uint32_t space, uint64_t block, uint64_t now)
{
	uint32_t at;

	if (l->n >= MOST_KEYS)
		die("there are more than %u keys: use --sample to count some of them",
		    MOST_KEYS);
	if (!l->key || (uint64_t)(l->n + 1) * 3 > 2ull << l->bits)
		rehash(l, l->key ? l->bits + 1 : LEAST_BITS);
	at = lru_find(l, space, block);
	l->key[at] = (struct lru_key){block, space, 1};
	if (l->timed)
		l->time[at] = now;
	if (l->counted)
		l->count[at] = 1;
	l->n++;
	if (!l->flat)
		to_top(l, at);
	return at;
}

uint64_t
lru_touch(struct lru *l, uint32_t space, uint64_t block, uint64_t now, uint64_t *since)
{
	uint32_t at, slot, distance;
	struct lru_key *k;

	if (unlikely(!l->flat && l->used == l->slots))
		compact(l);
	at = l->key ? lru_find(l, space, block) : 0;
	if (!l->key || !l->key[at].slot) {
		add_key(l, space, block, now);
		return 0;
	}
	if (l->timed) {
		*since = l->time[at];
		l->time[at] = now;
	}
	if (l->counted)
		l->count[at] += l->count[at] < UINT32_MAX;
	if (l->flat || at == l->top)
		return 1;
	k = &l->key[at];
	slot = k->slot - 1;
	if (slot == l->second) {
		/* The two top keys change places. */
		struct lru_key *top = &l->key[l->top];

		k->slot = top->slot;
		top->slot = slot + 1;
		l->top = at;
		return 2;
	}
	distance = l->used - slot - (l->ndead - dead_before(l, slot));
	kill_slot(l, slot);
	to_top(l, at);
	return distance;
}

/* Adds a weight, or subtracts one that is given as its two's complement. */
static inline void
change_weight(struct lru *l, uint32_t slot, uint64_t by)
{
	l->weight[slot] += by;
	l->total += by;
	for (uint32_t i = slot / GROUP + 1; i <= l->slots / GROUP; i += i & (0 - i))
		l->sum[i] += by;
}

/* Returns the sum of the weights from a slot to the top. */
static inline uint64_t
weight_above(const struct lru *l, uint32_t slot)
{
	uint64_t sum = l->total;

	for (uint32_t i = slot / GROUP * GROUP; i < slot; i++)
		sum -= l->weight[i];
	for (uint32_t i = slot / GROUP; i; i &= i - 1)
		sum -= l->sum[i];
	return sum;
}

/* Moves keys and holes to the first slots, in their order; holes side by side become one. Makes room for at least as
 * many more slots. */
static COLD void
compact_weights(struct lru *l)
{
	uint32_t *place = xcalloc(l->used + (size_t)1, sizeof *place), n = 0, groups;
	bool hole = false;

	for (uint32_t i = 0; i < lru_places(l); i++)
		if (l->key[i].slot)
			place[l->key[i].slot - 1] = i + 1;
	l->nholes = 0;
	for (uint32_t i = 0; i < l->used; i++) {
		uint64_t weight = l->weight[i];

		if (place[i])
			l->key[place[i] - 1].slot = n + 1;
		else if (!weight || !n) /* nothing lies below */
			continue;
		else if (hole) {
			l->weight[n - 1] += weight;
			continue;
		} else
			*PUSH(l->hole, l->nholes, l->hole_cap) = n;
		hole = !place[i];
		l->weight[n++] = weight;
	}
	free(place);
	/* The greatest slot is the first of a heap. */
	for (size_t i = 0; i < l->nholes / 2; i++) {
		uint32_t low = l->hole[i];

		l->hole[i] = l->hole[l->nholes - 1 - i];
		l->hole[l->nholes - 1 - i] = low;
	}
	for (l->slots = 64; n > l->slots / 2;)
		l->slots *= 2;
	groups = l->slots / GROUP;
	l->weight = xrealloc(l->weight, l->slots, sizeof *l->weight);
	memset(l->weight + n, 0, (l->slots - n) * sizeof *l->weight);
	free(l->sum);
	l->sum = xcalloc(groups + (size_t)1, sizeof *l->sum);
	l->total = 0;
	for (uint32_t i = 0; i < n; i++) {
		l->sum[i / GROUP + 1] += l->weight[i];
		l->total += l->weight[i];
	}
	for (uint32_t i = 1; i <= groups; i++)
		if (i + (i & (0 - i)) <= groups)
			l->sum[i + (i & (0 - i))] += l->sum[i];
	l->used = n;
}

static void
add_hole(struct lru *l, uint32_t slot)
{
	size_t i = l->nholes;

	*PUSH(l->hole, l->nholes, l->hole_cap) = slot;
	for (; i && l->hole[(i - 1) / 2] < slot; i = (i - 1) / 2)
		l->hole[i] = l->hole[(i - 1) / 2];
	l->hole[i] = slot;
}

static void
drop_top_hole(struct lru *l)
{
	uint32_t last = l->hole[--l->nholes];
	size_t i = 0, child;

	while ((child = 2 * i + 1) < l->nholes) {
		child += child + 1 < l->nholes && l->hole[child] < l->hole[child + 1];
		if (l->hole[child] <= last)
			break;
		l->hole[i] = l->hole[child];
		i = child;
	}
	l->hole[i] = last;
}

uint64_t
lru_weigh(struct lru *l, uint32_t space, uint64_t block, uint64_t weight, uint64_t *was)
{
	uint64_t distance = LRU_NEW;
	uint32_t at;

	if (l->used == l->slots)
		compact_weights(l);
	at = l->key ? lru_find(l, space, block) : 0;
	if (!l->key || !l->key[at].slot)
		at = add_key(l, space, block, 0);
	else {
		uint32_t slot = l->key[at].slot - 1;

		*was = l->weight[slot];
		if (slot + 1 == l->used && weight == *was)
			return weight;
		distance = weight_above(l, slot);
		if (*was)
			add_hole(l, slot);
	}
	l->key[at].slot = ++l->used;
	change_weight(l, l->used - 1, weight);
	while (weight && l->nholes) {
		uint64_t fill = l->weight[l->hole[0]];

		fill = fill < weight ? fill : weight;
		weight -= fill;
		change_weight(l, l->hole[0], 0 - fill);
		if (!l->weight[l->hole[0]])
			drop_top_hole(l);
	}
	return distance;
}

void
lru_keep(struct lru *l, bool (*stays)(const void *arg, const struct lru_key *k),
	 const void *arg)
{
	uint32_t n = 0;
	unsigned bits = LEAST_BITS;

	if (!l->key)
		return;
	for (uint32_t i = 0; i < lru_places(l); i++) {
		struct lru_key *k = &l->key[i];

		if (!k->slot)
			continue;
		if (stays(arg, k)) {
			n++;
			continue;
		}
		if (!l->flat)
			kill_slot(l, k->slot - 1);
		if (l->weight)
			l->weight[k->slot - 1] = 0;
		k->slot = 0;
	}
	while ((uint64_t)n * 3 > 2ull << bits)
		bits++;
	rehash(l, bits);
	for (size_t i = 0; i < l->nholes; i++)
		l->weight[l->hole[i]] /= 2;
	if (l->weight)
		compact_weights(l);
	if (!l->flat)
		compact(l);
}

uint32_t *
lru_order(const struct lru *l)
{
	uint32_t *place = xcalloc(l->n ? l->n : 1, sizeof *place);

	for (uint32_t i = 0; i < lru_places(l); i++) {
		uint32_t slot = l->key[i].slot - 1;

		if (l->key[i].slot)
			place[slot - dead_before(l, slot)] = i;
	}
	return place;
}

void
lru_free(struct lru *l)
{
	free(l->key);
	free(l->time);
	free(l->count);
	free(l->dead);
	free(l->tree);
	free(l->weight);
	free(l->sum);
	free(l->hole);
	*l = (struct lru){0};
}
