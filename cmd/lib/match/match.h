/*
 * match.h - which message of an MPI program met which receive, and who waited for whom.
 *
 * Takes the calls of all ranks of a run, as DUMPI's reader gives them, and gives an event for each message and
 * for each collective operation. What cannot be told is not given, but counted and told.
 */
#ifndef SPOOR_MATCH_H
#define SPOOR_MATCH_H

#include "base/out.h"
#include "pair/pair.h"

struct match_options {
	bool by_end; /* in the order in which they are complete: nothing waits */
	bool left;   /* what is left over in place of messages */
	/* Where it is to write how far the clocks of hosts are apart, in place of events: see clocks.h. */
	struct out *clocks;
	bool eager; /* sends of more than `limit` bytes wait for their receive, too */
	uint64_t limit;
};

struct match;

/* Begins; events go to `to`. */
struct match *match_new(const struct match_options *o, const struct pair_sink *to);
/* Takes a batch of s, in order of time. */
void match_take(struct match *x, struct source *s, const struct batch *b);
/* A run, all of the events under a head, has ended: gives all that waits, and tells what was left. */
void match_end(struct match *x, struct source *s);
void match_free(struct match *x);

#endif
