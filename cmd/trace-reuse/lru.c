/* lru.c - see lru.h. */
#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"
#include "base/die.h"
#include "base/hash.h"
#include "trace-reuse/lru.h"

#define NONE UINT32_MAX
#define LEAST_BITS 4
#define MOST_KEYS (1u << 30)

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

static COLD void
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
		k->slot = 0;
	}
	while ((uint64_t)n * 3 > 2ull << bits)
		bits++;
	rehash(l, bits);
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
	*l = (struct lru){0};
}
