/* lru.h - counts the distinct keys touched since the last touch of a key: the place of the key in a stack that
 * is ordered by last use (Mattson, Gecsei, Slutz, Traiger: "Evaluation techniques for storage hierarchies",
 * 1970).
 *
 * The stack is a vector of bits over time, as in Bennett and Kruskal ("LRU stack processing", 1975): each touch
 * takes the next slot, and the slot of the previous touch is dead. A tree over the words sums up dead slots.
 * When the slots are used up, live ones are renumbered, so that memory depends on the number of keys, not of
 * touches: 16 bytes a key in a table that is a third to two thirds full, and one or two bytes more.
 *
 * If keys have weights, each slot has one, and a tree over groups of slots sums them up. A key that moves to the
 * top leaves its weight behind as a hole: room that a cache with the keys below has free. The weight that comes to
 * the top fills holes, the topmost first, because no cache evicts a key while it has room. So the sum of the slots
 * from a key to the top is the size of the smallest cache that still has the key, also if weights change. */
#ifndef SPOOR_LRU_H
#define SPOOR_LRU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A block in a space: a disk, a file, an address space. */
struct lru_key {
	uint64_t block;
	uint32_t space;
	uint32_t slot; /* slot of the last touch, from 1; 0: no key */
};

/* A stack. Zero it, and set the members above the first blank line. */
struct lru {
	bool timed;   /* keep times */
	bool counted; /* count the touches of each key */
	bool flat;    /* distances are not needed, or only those of lru_weigh() */

	struct lru_key *key; /* keys, by open addressing */
	uint64_t *time;	     /* `now` of the last touch, by place in `key` */
	uint32_t *count;     /* number of touches, by place in `key` */
	uint32_t n;
	unsigned bits;	/* 2^bits places, if there is a table */
	uint64_t *dead; /* a bit for each dead slot */
	uint32_t *tree; /* sums of dead slots over the words of `dead` */
	uint32_t slots, used, ndead;
	/* Place of the last touched key, and slot of the previous one; NONE if unknown. */
	uint32_t top, second;
	/* for lru_weigh() */
	uint64_t *weight; /* by slot, of keys and holes */
	uint64_t *sum;	  /* sums of weights over groups of slots */
	uint64_t total;	  /* sum of all weights */
	uint32_t *hole;	  /* a heap of the slots that are holes, the topmost first */
	size_t nholes, hole_cap;
};
/* Distance that lru_weigh() returns for a new key. */
#define LRU_NEW UINT64_MAX

/* Returns the number of places in the table; places with slot 0 have no key. */
static inline uint32_t
lru_places(const struct lru *l)
{
	return l->key ? 1u << l->bits : 0;
}
/* Prefetches the place of a key that is soon touched. */
void lru_soon(const struct lru *l, uint32_t space, uint64_t block);
/* Touches a key at the time `now`, which never falls. Returns its distance: the number of distinct keys touched
 * since its last touch, including the key; 0 if it is new. Sets *since to the time of its last touch; for a new
 * key *since is not changed. Dies if there are 2^30 keys. */
uint64_t lru_touch(struct lru *l, uint32_t space, uint64_t block, uint64_t now,
		   uint64_t *since);
/* Touches a key in a flat stack, and gives it a weight. Returns its distance: the size of the smallest cache that has
 * the key; LRU_NEW if it is new. Sets *was to its previous weight; for a new key *was is not changed. The sum of the
 * weights of all calls must fit 63 bits. Dies as lru_touch does. */
uint64_t lru_weigh(struct lru *l, uint32_t space, uint64_t block, uint64_t weight,
		   uint64_t *was);
/* Drops the keys for which `stays` returns false; holes lose half of their weights. */
void lru_keep(struct lru *l, bool (*stays)(const void *arg, const struct lru_key *k),
	      const void *arg);
/* Returns the places of the keys in the order of their last touch, the oldest first. The caller frees the
 * result. */
uint32_t *lru_order(const struct lru *l);
/* Frees everything; the stack is then empty. */
void lru_free(struct lru *l);

#endif
