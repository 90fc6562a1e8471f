/*
 * critical.h - the critical path: the chain of calls and messages that determines the end of a run.
 *
 * Each call of the input is stored, with the call of another rank that it waited for last, if any. At the end of the run
 * the path is followed backwards, from the latest end of a call.
 */
#ifndef SPOOR_CRITICAL_H
#define SPOOR_CRITICAL_H

#include "input/cache.h"
#include "match/critical_calls.h"

/* The reason why the path comes from another rank. */
enum why {
	WHY_NONE,
	WHY_LATE_SENDER,
	WHY_LATE_RECEIVER,
	WHY_COLLECTIVE,
	WHYS
};

struct critical {
	struct critical_calls calls;
	uint64_t n; /* number of calls; the stretches of the path follow them in `calls` */
	/* The names of calls. NAME_COMPUTE and NAME_OTHER are the first two. */
	struct strtab name;
	uint32_t *name_of; /* by type: number of its name plus 1 */
	struct cache name_cache;
	uint64_t unnamed; /* number of calls whose names were too many */
	/* By number of a location's string in `thread`: the call of the thread that ended last, and its end; the begins
	 * of the thread's first call and of the call that was added last. */
	struct strtab thread;
	struct critical_thread {
		uint64_t call, end, first, start;
	} * last;
	size_t last_cap;
	uint32_t *thread_of; /* by location: number of its thread plus 1 */
	struct cache thread_cache;
	/* By process: its call that was added last; its call that ended last, with its end and thread. */
	struct critical_rank {
		uint64_t newest, call, end;
		uint32_t thread;
	} * rank;
	size_t rank_cap;
	/* The call that ended last, the end, and the order of its rank. */
	uint64_t end_call, end, end_order;
	/* Number of calls that begin before the previous call of their thread; of calls that were searched for the one
	 * before a thread; of threads whose search reached the limit. */
	uint64_t back, searched, unfound;
};

enum {
	NAME_COMPUTE,
	NAME_OTHER,
	NAMES_OWN /* number of names that no call gave */
};

/* Adds the event r of s, a call of the process `proc`, and returns its number, from 1. The call lasts from `start` to
 * `end` (ns, with the sign bit flipped: they sort as unsigned numbers). Of calls that end last together, the path takes
 * that of the lowest `order`. A zeroed struct critical has no calls. Calls
 * beyond the memory of critical_calls.h are in a temporary file; dies if the file cannot be used. */
uint64_t critical_add(struct critical *c, const struct source *s, const struct rec *r,
		      uint32_t proc, uint64_t order, uint64_t start, uint64_t end);
/* Records that `call` may have waited until the call `by` of another rank began. Does nothing if `by` did not begin
 * during `call`, or if `call` has a later cause. */
void critical_cause(struct critical *c, uint64_t call, uint64_t by, enum why why);
/* Follows the path backwards, and appends its stretches to c->calls after the calls. The last stretch is the first in
 * time. Without calls there are no stretches. Dies as critical_add does. */
void critical_follow(struct critical *c);
/* Forgets all calls, and frees their memory. The limit of the memory stays. */
void critical_free(struct critical *c);

#endif
