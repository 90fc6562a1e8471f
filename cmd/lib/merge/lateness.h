/*
 * lateness.h - measures how far the events of one input are from the order of time.
 *
 * An event is late if an earlier event has a later time. For each late event, the code
 * finds by how much the latest earlier time is later, and how many events lie between: a
 * resort window of so many events puts all events in order.
 */
#ifndef SPOOR_LATENESS_H
#define SPOOR_LATENESS_H

#include <stddef.h>
#include <stdint.h>

#include "event/event.h"

#include "base/compiler.h"

struct lateness {
	uint64_t n;	/* events so far */
	uint64_t max;	/* the latest time so far, as a key that compares without a sign */
	uint64_t late;	/* events behind one with a later time */
	uint64_t first; /* number of the first of these, from 1 */
	uint64_t by;	/* the most that an earlier time is later */
	/* Events in a window that is wide enough. It may be too wide, by at most 64 events
	 * or one in 32,768 of all. */
	uint64_t records;
	/* Latest times: mark[k] is that of the first k << shift events. */
	uint64_t *mark;
	size_t marks;
	unsigned shift;
};

/* Takes a late event: an earlier event has a later time. */
void lateness_late(struct lateness *l, uint64_t key) COLD;
/* Notes the latest time before this event. */
void lateness_mark(struct lateness *l) COLD;
/* Frees the memory of l, and empties it. */
void lateness_free(struct lateness *l);
/* Writes the distance of two times, an unsigned number of 64 bits, as text: seconds, or
 * ticks. */
void lateness_text(char to[32], enum clock clock, uint64_t by);

/* Takes the next event. */
static inline void
lateness_add(struct lateness *l, uint64_t key)
{
	if (unlikely(!(l->n & ((1ull << l->shift) - 1))))
		lateness_mark(l);
	if (unlikely(key < l->max))
		lateness_late(l, key);
	else
		l->max = key;
	l->n++;
}

#endif
