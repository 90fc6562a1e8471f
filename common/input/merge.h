/*
 * merge.h - many inputs, each in order of a key, into one sequence.
 *
 * Up to MERGE_TREE inputs whose events come in stretches go through a loser tree, whose
 * nodes are single numbers (key and input packed, so that a step is a minimum and a maximum
 * without a branch); as long as an input stays ahead of all others it is not asked again.
 * With more inputs, or when nearly every event is of another one than the last, each input
 * in turn gives all its events of a window of time, which are then sorted: inputs are
 * touched one after the other, not at random. Both give the same order: by key, events of
 * one key in the order of their inputs, and those of one input as they came.
 *
 * The owner makes records in `area` and tells the merge the offset of each.
 */
#ifndef SPOOR_MERGE_H
#define SPOOR_MERGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/out.h"
#include "event/event.h"

#define MERGE_END UINT64_MAX /* the key of an input that has no more events */
#define MERGE_TREE 32	     /* inputs of a tree: 5 bits of a node */
#define MERGE_RUN 512	     /* events that a tree gives at a time */
#define MERGE_WINDOW 16384   /* events of a window at most */

struct merge {
	/*
	 * Takes at most `most` events of an input, in order, while their key is less than `below`. Calls merge_add for
	 * each, then sets head[input] to the key of the next event. Keys never fall; MERGE_END itself is no key. After
	 * at least one event it may set `full`, and stop: there is no room for more now.
	 */
	void (*take)(void *ctx, uint32_t input, uint64_t below, uint32_t most);
	void *ctx;
	uint64_t *head; /* of each input: the key of its next event */
	uint32_t n;
	bool full;
	uint64_t
	    limit; /* events with this key or later must wait: an input may still come */
	/* Records that were taken. With `raw` each is followed by its native bytes, see
	 * merge_raw. */
	struct buf area, spare;
	bool raw;

	/* The events taken: key - base in the high half, offset in the low half. */
	uint64_t *entry, *other;
	uint32_t nentries;  /* taken */
	uint32_t at, ready; /* entry[at..ready) may be handed over */
	size_t cap, othercap;
	uint64_t base;

	uint64_t window;   /* width, in keys */
	uint64_t taken_to; /* events that wait are below this key */
	unsigned windows;  /* still to come before the tree is tried again */
	bool built;
	uint32_t leaves;	   /* of the tree: a power of two */
	uint64_t tree[MERGE_TREE]; /* losers; the root's place [0] holds the winner */
};

/* Adds an event with that key, whose record is at offset `off` of the area. Only `take` calls it. */
static inline void
merge_add(struct merge *m, uint64_t key, uint32_t off)
{
	m->entry[m->nentries++] = (key - m->base) << 32 | off;
}

/* Adapts the merge to a new n and `head` after inputs came or went. To be called only after merge_next returned
 * false. */
void merge_changed(struct merge *m);
/*
 * Makes the next events ready: entry[at..ready), in order. The owner sets `at` to `ready` when it has handled them.
 * Returns false if there is none below the limit.
 */
bool merge_next(struct merge *m);
/* Returns the number of events that were taken but not yet handled: their records must stay in the area. */
static inline uint32_t
merge_waiting(const struct merge *m)
{
	return m->nentries - m->at;
}
/* Returns the bytes that a record's n native bytes take in the area, after the record: their number, then the bytes,
 * padded to a multiple of 8. */
#define MERGE_RAW 8
static inline size_t
merge_raw_size(size_t n)
{
	return (MERGE_RAW + n + 7) & ~(size_t)7;
}

/* Moves the records of waiting events to the front of the area. To be called before merge_next. */
void merge_keep(struct merge *m);
/* Puts the next ready events into b, as many as b has room for, and moves `at` past them. With m->raw, b->raw is set
 * too. b points into the area: it is valid until the next merge_keep or merge_next. */
void merge_give(struct merge *m, struct batch *b);
/* Frees the memory of m except `head`, which is the owner's. */
void merge_free(struct merge *m);

#endif
