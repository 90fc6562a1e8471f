/*
 * pair_table.h - numbers by their keys: a hash table without the keys, which stand where the
 * numbers point.
 *
 * Six numbers and a byte of the key of each, its tag, are a group of 32 bytes. All tags of a
 * group are compared at once, so that neither a search nor a removal runs along neighbours:
 * how far would be another guess for the processor each time. What finds its group full goes
 * to the next one, and is counted where it passed.
 */
#ifndef SPOOR_PAIR_TABLE_H
#define SPOOR_PAIR_TABLE_H

#include <stddef.h>

#include "base/bytes.h"
#include "base/compiler.h"

#define PAIR_LANES 6
#define PAIR_GROUP_MOST 3 /* numbers in a group, on an average, before there are more */

struct pair_group {
	/* Byte i, from the lowest: the tag of number i, with bit 7 set; 0: there is none. Bits
	 * 48 to 63: how many numbers passed; the greatest count stays. */
	uint64_t tags;
	uint32_t v[PAIR_LANES];
};

struct pair_table {
	struct pair_group *group;
	uint32_t mask;	     /* groups less 1 */
	uint32_t used, most; /* numbers; how many it takes */
	void *mem;
};

/* The places of the keys: each `step` bytes from `base` on begin with one. */
struct pair_keys {
	const void *base;
	size_t step;
};

struct pair_slot {
	struct pair_group *group;
	unsigned lane;
	bool first; /* the group is the first one of the key */
};

#define PAIR_LANE 0x010101010101u /* times a byte: it in each lane */
#define PAIR_PASSED (1ull << 48)
#define PAIR_PASSED_MOST (0xffffull << 48)

/* Adds the number of a key that the table does not have. */
void pair_table_add(struct pair_table *t, struct pair_keys keys, uint64_t key, uint32_t v);

static inline struct pair_group *
pair_table_group(const struct pair_table *t, uint64_t i)
{
	return &t->group[(uint32_t)i & t->mask];
}

static inline uint64_t
pair_tag(uint64_t key)
{
	return key >> 56 | 0x80;
}

/* Bit 7 of each lane that has the tag. */
static inline uint64_t
pair_lanes(uint64_t tags, uint64_t tag)
{
	uint64_t x = tags ^ tag * PAIR_LANE;

	return ~(((x | 0x80 * PAIR_LANE) - PAIR_LANE) | x) & 0x80 * PAIR_LANE;
}

/* Returns the lanes that are free. */
static inline uint64_t
pair_lanes_free(uint64_t tags)
{
	return ~tags & 0x80 * PAIR_LANE;
}

static inline uint64_t
pair_key_at(struct pair_keys keys, uint32_t v)
{
	return ld64((const uint8_t *)keys.base + keys.step * v);
}

/* Finds the number of a key among those of a group. */
static INLINE bool
pair_group_find(struct pair_group *g, bool first, struct pair_keys keys, uint64_t key,
		struct pair_slot *s)
{
	uint64_t lanes = pair_lanes(g->tags, pair_tag(key));

	for (; lanes; lanes &= lanes - 1) {
		unsigned lane = trailing_zeros64(lanes) / 8;

		if (likely(pair_key_at(keys, g->v[lane]) == key)) {
			*s = (struct pair_slot){g, lane, first};
			return true;
		}
	}
	return false;
}

/* Finds the number of a key. */
static INLINE bool
pair_table_find(const struct pair_table *t, struct pair_keys keys, uint64_t key,
		struct pair_slot *s)
{
	struct pair_group *g = pair_table_group(t, key >> 32);

	if (likely(pair_group_find(g, true, keys, key, s)))
		return true;
	for (uint64_t i = key >> 32; unlikely(g->tags >= PAIR_PASSED);) {
		g = pair_table_group(t, ++i);
		if (pair_group_find(g, false, keys, key, s))
			return true;
	}
	return false;
}

/* Finds a key, or adds it with number v and returns false. */
static INLINE bool
pair_table_enter(struct pair_table *t, struct pair_keys keys, uint64_t key, uint32_t v,
		 struct pair_slot *s)
{
	struct pair_group *g = pair_table_group(t, key >> 32);
	uint64_t lanes;
	unsigned lane;

	if (pair_group_find(g, true, keys, key, s))
		return true;
	lanes = pair_lanes_free(g->tags);
	if (unlikely(g->tags >= PAIR_PASSED || !lanes || t->used == t->most)) {
		if (pair_table_find(t, keys, key, s))
			return true;
		pair_table_add(t, keys, key, v);
		return false;
	}
	lane = trailing_zeros64(lanes) / 8;
	g->tags |= pair_tag(key) << 8 * lane;
	g->v[lane] = v;
	t->used++;
	return false;
}

/* Drops what pair_table_find has found of that key. */
static inline void
pair_table_drop(struct pair_table *t, struct pair_slot s, uint64_t key)
{
	t->used--;
	s.group->tags &= ~(0xffull << 8 * s.lane);
	if (likely(s.first))
		return;
	for (uint64_t i = key >> 32; pair_table_group(t, i) != s.group; i++)
		if (pair_table_group(t, i)->tags < PAIR_PASSED_MOST)
			pair_table_group(t, i)->tags -= PAIR_PASSED;
}

#endif
