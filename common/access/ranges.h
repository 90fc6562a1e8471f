/* ranges.h - a set of bytes as ranges. */
#ifndef SPOOR_RANGES_H
#define SPOOR_RANGES_H

#include <stddef.h>
#include <stdint.h>

struct range {
	uint64_t at, end;
};

/* Zeroed struct = empty. */
struct ranges {
	struct range *v;
	size_t n, cap;
};

/* Adds the bytes from `at` up to `end`. */
void ranges_add(struct ranges *r, uint64_t at, uint64_t end);
/* Orders them by address, and joins those that touch. */
void ranges_settle(struct ranges *r);
/*
 * Of `n` settled sets: how many bytes are in any, and in more than one. The sets are emptied.
 */
void ranges_share(struct ranges **sets, size_t n, uint64_t *any, uint64_t *shared);

#endif
