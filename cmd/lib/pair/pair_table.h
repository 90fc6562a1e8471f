/*
 * pair_table.h - a hash table of numbers by their keys. The keys are stored outside, where the numbers point.
 *
 * A group of 32 bytes holds six numbers and for each a byte of its key, the tag. All tags of a group are compared
 * at once, so that neither a search nor a removal walks along neighbours; the processor would mispredict each
 * walk's length. A number whose group is full goes to the next group, and is counted in the groups that it passed.
 */
#ifndef SPOOR_PAIR_TABLE_H
#define SPOOR_PAIR_TABLE_H

#include <stddef.h>

#include "base/bytes.h"
#include "base/compiler.h"

#define PAIR_LANES 6
#define PAIR_GROUP_MOST 3 /* average of numbers in a group before the table grows */

struct pair_group {
	/* Byte i, from the lowest: tag of number i, with bit 7 set; 0: free. Bits 48 to 63: how many numbers
	 * passed; a count at its maximum stays there. */
	uint64_t tags;
	uint32_t v[PAIR_LANES];
};

struct pair_table {
	struct pair_group *group;
	uint32_t mask;	     /* number of groups, less 1 */
	uint32_t used, most; /* numbers in the table; their limit */
	void *mem;
};

/* The memory that holds the keys: number v has its key at base + step * v. */
struct pair_keys {
	const void *base;
	size_t step;
};

struct pair_slot {
	struct pair_group *group;
	unsigned lane;
	bool first; /* the group is the first one of the key */
};

#define PAIR_LANE 0x010101010101u /* multiplied by a byte: the byte in each lane */
#define PAIR_PASSED (1ull << 48)
#define PAIR_PASSED_MOST (0xffffull << 48)

/* Adds number v under a key that the table does not have. */
void pair_table_add(struct pair_table *t, struct pair_keys keys, uint64_t key, uint32_t v);

/* Returns group number i, modulo the number of groups. */
static inline struct pair_group *
pair_table_group(const struct pair_table *t, uint64_t i)
{
	return &t->group[(uint32_t)i & t->mask];
}

/* Returns the byte that a key has in a lane: its upper bits, and a bit that is never 0. */
static inline uint64_t
pair_tag(uint64_t key)
{
	return key >> 56 | 0x80;
}

/* Returns bit 7 of each lane that has the tag. */
static inline uint64_t
pair_lanes(uint64_t tags, uint64_t tag)
{
	uint64_t x = tags ^ tag * PAIR_LANE;

	return ~(((x | 0x80 * PAIR_LANE) - PAIR_LANE) | x) & 0x80 * PAIR_LANE;
}

/* Returns bit 7 of each lane that is free. */
static inline uint64_t
pair_lanes_free(uint64_t tags)
{
	return ~tags & 0x80 * PAIR_LANE;
}

/* Returns the key of number v. */
static inline uint64_t
pair_key_at(struct pair_keys keys, uint32_t v)
{
	return ld64((const uint8_t *)keys.base + keys.step * v);
}

/* Finds the number of a key in group g, and sets *s to its place. Returns false if g does not have it. first: g is
 * the first group of the key. */
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

/* Finds the number of a key, and sets *s to its place. Returns false if there is none. */
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

/* Finds a key, sets *s to its place and returns true; or adds the key with number v and returns false. */
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

/* Removes the number of a key, which pair_table_find found in s. */
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
