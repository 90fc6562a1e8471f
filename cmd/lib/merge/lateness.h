/*
 * lateness.h - how far the events of one input are from the order of time.
 *
 * Of each event it is known whether one before it has a later time, by how much the latest
 * of these is later, and how many events lie between: a resort window of so many events
 * puts them all in order.
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
	uint64_t first; /* of these the first: its number, from 1 */
	uint64_t by;	/* how much later the latest before one of them is */
	/* A window that is wide enough, in events: too wide by at most 64, or one in 32,768
	 * of all. */
	uint64_t records;
	/* Latest times: mark[k] is that of the first k << shift events. */
	uint64_t *mark;
	size_t marks;
	unsigned shift;
};

/* Takes an event that is late: behind one with a later time. */
void lateness_late(struct lateness *l, uint64_t key) COLD;
/* Notes the latest time before the event at hand. */
void lateness_mark(struct lateness *l) COLD;
/* Frees what l holds: it is as at first. */
void lateness_free(struct lateness *l);
/* A distance of times, which may need 64 bits without a sign, as text: seconds, or ticks. */
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
