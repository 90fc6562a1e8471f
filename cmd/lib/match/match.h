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

struct call;
struct comm;
struct comms;

/* Functions that see what is matched, in place of events and messages. A note is what the watcher knows about a call; the
 * engine keeps it as long as an operation of the call is not matched. */
struct match_watch {
	void *arg;
	size_t note_size; /* bytes of a note, whose first four belong to the engine */
	/* Takes a message. `size` is what was sent, NULL if it is unknown; `got` what the status tells, or -1. `early`: the
	 * receive ended before the send began. */
	void (*message)(void *arg, const void *sent, const void *posted,
			const uint64_t *size, int64_t got, bool early);
	/* Takes an operation that certainly has no partner in the trace. */
	void (*alone)(void *arg, const void *note, bool send);
	/* Takes the call of a member of a communicator for collective operation number `seq`. *own is NULL for the first member; it belongs to the watcher. */
	void (*arrive)(void *arg, const struct comm *c, void **own, uint64_t seq,
		       const void *note);
	/* Ends collective operation number `seq` of a communicator, and frees `own`. `whole`: all members called. */
	void (*ended)(void *arg, struct comm *c, void *own, uint64_t seq, bool whole);
};

struct match_options {
	/* who sees the matching; NULL = write events */
	const struct match_watch *watch;
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
/* For a watcher: reads event r of s, which comes next by time, and returns its call, which is valid until the next one
 * is read; its kind is CALL_OTHER if it does not matter. match_call then takes this call, whose note is `note`; NULL:
 * none. */
const struct call *match_read(struct match *x, struct source *s, const struct rec *r);
void match_call(struct match *x, const struct rec *r, const void *note);
/* Returns the number of notes that the engine keeps. */
uint32_t match_notes(const struct match *x);
/* Returns the number of the process of the call that match_read has read; match_comms the communicators of all. */
uint32_t match_proc(const struct match *x);
struct comms *match_comms(struct match *x);
/* Takes a batch of s. Batches must come in order of time. */
void match_take(struct match *x, struct source *s, const struct batch *b);
/* Ends a run, which is all events under a head: gives all events that wait, and reports the operations without a
 * partner. */
void match_end(struct match *x, struct source *s);
/* Frees x, and what it holds. */
void match_free(struct match *x);

#endif
