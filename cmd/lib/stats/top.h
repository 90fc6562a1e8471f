/* top.h - finds the most frequent values. */
#ifndef SPOOR_TOP_H
#define SPOOR_TOP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stats/datum.h"

/* A counter of Space-Saving (Metwally, Agrawal, El Abbadi 2005), which finds the most frequent values with `cap`
 * counters. A new value takes over the counter with the smallest count, which becomes its possible excess. While
 * there are at most cap distinct values, all counts are exact. */
struct top_entry {
	uint32_t home; /* hash: the slot where its search begins */
	uint64_t count, error;
	struct datum datum;
};

/* A zeroed struct is empty; set cap before the first value. */
struct top {
	struct top_entry *entry;
	uint16_t *slot; /* entry + 1, by hash; 4 * room of them */
	uint32_t n, cap, room;
	uint32_t hand;	 /* entry where the search for the smallest count continues */
	uint64_t least;	 /* no count is below this */
	uint64_t missed; /* greatest count that a value without a counter may have */
};

/* Number of counters for the K most frequent values: enough that their errors are small. */
#define TOP_CAP(k) ((k) > 64 ? 4 * (k) : 256)

/* Sorts the entries: the most frequent first, equal ones by class, value and text. */
void top_sort(struct top *t);

#endif
