/*
 * merge.h - merges many inputs, each in order of a key, into one sequence.
 *
 * Up to MERGE_TREE inputs go through a loser tree if their events come in stretches. The nodes of the tree are
 * single numbers, made of key and input, so that a step is a minimum and a maximum without a branch. While an
 * input stays before all others, the tree is not asked again.
 *
 * With more inputs, or if nearly every event is of another input than the previous event, each input in turn
 * gives all its events of a window of time, and the window is sorted: this reads memory input by input, not at
 * random.
 *
 * Both methods give the same order: by key; events of one key in the order of their inputs; events of one input
 * in their own order.
 *
 * The owner makes records in `area` and passes the offset of each to the merge.
 */
#ifndef SPOOR_MERGE_H
#define SPOOR_MERGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/out.h"
#include "event/event.h"

#define MERGE_END UINT64_MAX /* key of an input that has no more events */
#define MERGE_TREE 32	     /* most inputs of a tree: 5 bits of a node */
#define MERGE_RUN 512	     /* events that a tree gives at a time */
#define MERGE_WINDOW 16384   /* most events of a window */

struct merge {
	/* Takes at most `most` events of an input, in order, while their key is less than `below`. Calls merge_add
	 * for each, then sets head[input] to the key of the next event. Keys must not fall, and no key is
	 * MERGE_END. After at least one event the function may set `full` and stop: there is no room for more now. */
	void (*take)(void *ctx, uint32_t input, uint64_t below, uint32_t most);
	void *ctx;
	uint64_t *head; /* by input: key of its next event */
	uint32_t n;
	bool full;
	/* Events from this key on must wait: another input may still come. */
	uint64_t limit;
	/* Records that were taken. With `raw`, the native bytes of the record follow each (merge_raw_size). */
	struct buf area, spare;
	bool raw;

	/* Events that were taken: key - base in the high half, offset in the low half. */
	uint64_t *entry, *other;
	uint32_t nentries;  /* number of events taken */
	uint32_t at, ready; /* entry[at..ready) can be handed over */
	size_t cap, othercap;
	uint64_t base;

	uint64_t window;   /* width of a window, in keys */
	uint64_t taken_to; /* key before which all waiting events lie */
	unsigned windows;  /* number of windows before the tree is tried again */
	bool built;
	uint32_t leaves; /* leaves of the tree: a power of two */
	/* losers; [0], the place of the root, holds the winner */
	uint64_t tree[MERGE_TREE];
};

/* Adds an event with the given key, whose record is at offset `off` of the area. Only `take` calls the function. */
static inline void
merge_add(struct merge *m, uint64_t key, uint32_t off)
{
	m->entry[m->nentries++] = (key - m->base) << 32 | off;
}

/* Adapts the merge to a new n and `head` after inputs came or went. Must be called only after merge_next returned
 * false. */
void merge_changed(struct merge *m);
/* Makes the next events ready: entry[at..ready), in order. The owner sets `at` to `ready` after handling them.
 * Returns false if no event is below the limit. */
bool merge_next(struct merge *m);
/* Returns the number of events that were taken but not yet handled: their records must stay in the area. */
static inline uint32_t
merge_waiting(const struct merge *m)
{
	return m->nentries - m->at;
}
/* Returns the bytes that n native bytes of a record take after the record in the area: their number, then the
 * bytes, padded to a multiple of 8. */
#define MERGE_RAW 8
static inline size_t
merge_raw_size(size_t n)
{
	return (MERGE_RAW + n + 7) & ~(size_t)7;
}

/* Moves the records of waiting events to the front of the area. Must be called before merge_next. */
void merge_keep(struct merge *m);
/* Puts the next ready events into b, as many as b has room for, and moves `at` past them. With m->raw, b->raw is set
 * too. b points into the area: it is valid until the next merge_keep or merge_next. */
void merge_give(struct merge *m, struct batch *b);
/* Frees the memory of m except `head`, which the owner frees. */
void merge_free(struct merge *m);

#endif
