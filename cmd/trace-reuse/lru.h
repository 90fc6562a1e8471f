/*
 * lru.h - how many distinct keys were touched since a key was touched last: the key's place in a
 * stack that is ordered by last use (Mattson, Gecsei, Slutz, Traiger: "Evaluation techniques for
 * storage hierarchies", 1970).
 *
 * The stack is a vector of bits over time, as Bennett and Kruskal have it ("LRU stack processing",
 * 1975): each touch takes the next slot, and the slot of the touch before is dead. What is dead is
 * summed by a tree over its words. When the slots are used up, those that live are numbered anew,
 * so that memory is by keys, not by touches: 16 bytes a key in a table that is a third to two
 * thirds full, and a byte or two.
 */
#ifndef SPOOR_LRU_H
#define SPOOR_LRU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A block of some space: of a disk, a file, an address space. */
struct lru_key {
	uint64_t block;
	uint32_t space;
	uint32_t slot; /* of the last touch, from 1; 0 = no key */
};

/* Zero it, and set what stands above the first blank line. */
struct lru {
	bool timed;   /* times are kept */
	bool counted; /* touches of each key are counted */
	bool flat;    /* no distances are asked for */

	struct lru_key *key; /* open addressing */
	uint64_t *time;	     /* by place in it: `now` of the last touch */
	uint32_t *count;     /* by place: touches */
	uint32_t n;
	unsigned bits;	/* 2^bits places, if there are any */
	uint64_t *dead; /* by slot, a bit */
	uint32_t *tree; /* over its words: how many */
	uint32_t slots, used, ndead;
	/* The place of the key that was touched last, and the slot of the one before; `none` where that
	 * is not known. */
	uint32_t top, second;
};

/* How many places there are; those whose slot is 0 have no key. */
static inline uint32_t
lru_places(const struct lru *l)
{
	return l->key ? 1u << l->bits : 0;
}
/* Soon this key is touched. */
void lru_soon(const struct lru *l, uint32_t space, uint64_t block);
/*
 * Touches a key at the time `now`, which never falls. Gives its distance: how many distinct keys were
 * touched since it was the last time, with itself; 0 if it is new. *since = that time; of a new key
 * it stays as it was. Dies where there are 2^30 keys.
 */
uint64_t lru_touch(struct lru *l, uint32_t space, uint64_t block, uint64_t now,
		   uint64_t *since);
/* Drops the keys that `stays` is false for. */
void lru_keep(struct lru *l, bool (*stays)(const void *arg, const struct lru_key *k),
	      const void *arg);
/* The places of the keys in the order of their last touch, the oldest first; to be freed. */
uint32_t *lru_order(const struct lru *l);
/* Frees all; it is empty then. */
void lru_free(struct lru *l);

#endif
