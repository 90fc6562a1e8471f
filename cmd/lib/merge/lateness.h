/*
 * lateness.h - measures how far the events of one input are from the order of time.
 *
 * An event is late if an earlier event has a later time. For each late event the code measures by how much the
 * latest earlier time is later, and how many events lie between: a resort window of so many events puts all events
 * in order.
 */
#ifndef SPOOR_LATENESS_H
#define SPOOR_LATENESS_H

#include <stddef.h>
#include <stdint.h>

#include "event/event.h"

#include "base/compiler.h"

struct lateness {
	uint64_t n;	/* events so far */
	uint64_t max;	/* latest time so far, as a key that compares as unsigned */
	uint64_t late;	/* number of late events */
	uint64_t first; /* number of the first late event, from 1 */
	uint64_t by;	/* greatest time by which an event is late */
	/* Number of events of a window that is wide enough. It is never too small. It is too great by at most 64
	 * events or 1/32,768 of all events, whichever is more. */
	uint64_t records;
	/* Latest times: mark[k] is the latest of the first k << shift events. */
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
