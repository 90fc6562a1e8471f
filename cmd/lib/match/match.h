/*
 * match.h - finds which receive took which message of an MPI program, and who waited for whom.
 *
 * The input is the calls of all ranks of a run, as DUMPI's reader gives them. The output is an event for each
 * message and for each collective operation. Operations that cannot be matched with certainty are counted and
 * reported, not written.
 */
#ifndef SPOOR_MATCH_H
#define SPOOR_MATCH_H

#include "base/out.h"
#include "pair/pair.h"

struct match_options {
	/* write events when they are complete, not in order, so that none waits */
	bool by_end;
	bool left; /* write the operations without a partner, not the messages */
	/* Receives the differences of the hosts' clocks, and no events are written: see clocks.h. NULL: events. */
	struct out *clocks;
	bool critical; /* write the critical path, not the messages */
	/* sends of more than `limit` bytes wait for their receive, like synchronous ones */
	bool eager;
	uint64_t limit;
};

struct match;

/* Starts a matching whose events go to `to`. match_free frees it. */
struct match *match_new(const struct match_options *o, const struct pair_sink *to);
/* Takes a batch of s. Batches must come in order of time. */
void match_take(struct match *x, struct source *s, const struct batch *b);
/* Ends a run, which is all events under a head: gives all events that wait, and reports the operations without a
 * partner. */
void match_end(struct match *x, struct source *s);
/* Frees x, and what it holds. */
void match_free(struct match *x);

#endif
