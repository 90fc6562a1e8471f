/*
 * match.h - finds which message of an MPI program met which receive, and who waited for
 * whom.
 *
 * The input is the calls of all ranks of a run, as DUMPI's reader gives them. The output is
 * an event for each message and for each collective operation. Operations that cannot be
 * matched with certainty are counted and reported, not written.
 */
#ifndef SPOOR_MATCH_H
#define SPOOR_MATCH_H

#include "base/out.h"
#include "pair/pair.h"

struct match_options {
	bool by_end; /* write events as they complete, not in order: nothing waits */
	bool left;   /* write the operations left over, not the messages */
	/* Output for how far the clocks of hosts are apart, in place of events: see
	 * clocks.h. */
	struct out *clocks;
	bool eager; /* sends of more than `limit` bytes wait for their receive, too */
	uint64_t limit;
};

struct match;

/* Starts a matching whose events go to `to`. match_free frees it. */
struct match *match_new(const struct match_options *o, const struct pair_sink *to);
/* Takes a batch of s. Batches must come in order of time. */
void match_take(struct match *x, struct source *s, const struct batch *b);
/* Ends a run, which is all events under a head: gives all events that wait, and reports
 * what was left. */
void match_end(struct match *x, struct source *s);
void match_free(struct match *x);

#endif
