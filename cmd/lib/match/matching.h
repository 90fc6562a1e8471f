/* matching.h - the operations, streams and events of trace-match, for the files of this folder. */
#ifndef SPOOR_MATCHING_H
#define SPOOR_MATCHING_H

#include <stdio.h>
#include <string.h>

#include "base/die.h"
#include "match/match_calls.h"
#include "match/clocks.h"
#include "match/critical.h"
#include "match/match.h"
#include "mpi/comms.h"
#include "pair/pair_wait.h"

/* The state of an operation, as flags. */
enum {
	OP_PENDING = 1,	 /* a request refers to it */
	OP_QUEUED = 2,	 /* it is in the queue of its stream */
	OP_LISTED = 4,	 /* it is in the list of its receiver: see streams.c */
	OP_DONE = 8,	 /* it is complete */
	OP_FREED = 16,	 /* its request was freed: no call completes it */
	OP_CANCEL = 32,	 /* MPI_Cancel was called */
	OP_MAYBE = 64,	 /* it is complete, but may have been cancelled */
	OP_GONE = 128,	 /* it was cancelled, or with MPI_PROC_NULL: it has no partner */
	OP_OPEN = 256,	 /* a receive whose source or tag is not known yet */
	OP_SYNC = 512,	 /* a send that waits for its receive */
	OP_BOUND = 1024, /* its communicator is known */
	/* its communicator is never known, lacks the rank, or has ranks of other jobs */
	OP_APART = 2048,
};

#define ANY_TAG (-1)

struct sent {
	uint32_t later; /* next pending operation of the request, as code plus 1 */
	uint32_t next;	/* next send of the stream */
	uint32_t open;	/* handle of its event */
	uint32_t flags;
	uint32_t from, to, comm; /* processes; the communicator once it is known */
	uint64_t done;		 /* number of the call that completed it; 0: none */
	uint32_t note;		 /* see struct match_watch */
};

/* The event of a send while it waits. */
struct sent_rec {
	struct rec r;
	uint32_t to; /* rank in MPI_COMM_WORLD; until OP_BOUND the rank in the call */
	int32_t tag;
	uint32_t comm, send_call;
	uint64_t srec;
	/* with OP_SYNC only: times of the call that completed it */
	uint64_t begun, ended;
};
#define SENT_LEAST offsetof(struct sent_rec, begun)

struct posted {
	uint32_t later, next;
	uint32_t open; /* handle of its event, for --left; else WAIT_NONE */
	uint32_t flags;
	/* process; NO_PROC: any source. Until OP_BOUND the rank in the call. */
	uint32_t from;
	uint32_t at, comm;
	int32_t tag;   /* tag, or ANY_TAG */
	int32_t bytes; /* bytes by its status; -1: unknown */
	uint32_t call; /* string with the name of the call */
	uint32_t note; /* see struct match_watch */
	uint64_t rec, done, start, begun, ended;
};

/* A persistent request, which can be started repeatedly. */
struct persistent {
	uint32_t later;
	uint32_t active; /* its started operation; NO_OP: none */
	struct promise *comm;
	int64_t peer;
	int32_t tag;
	uint32_t note; /* see struct match_watch */
	bool receives, sync, has_size;
	uint64_t size;
};

/* Elements that are freed one by one. While an element is free, the pool uses its first
 * word. */
struct pool {
	uint8_t *v;
	size_t cap;
	uint32_t n, free; /* elements ever made; first free element, plus 1 */
};

/* The messages of one envelope. The stream of any source or any tag only counts the open receives of that pattern. */
struct message_stream {
	uint32_t chain;
	uint32_t comm, from, to;
	int32_t tag;
	uint32_t sent, last_sent, posted, last_posted;
	uint32_t open; /* number of receives of this pattern whose stream is unknown */
	/* At the end of a run: number of receives in lists that belong to this stream, and of those that may have
	 * been cancelled. */
	uint32_t listed, maybe;
};

/* The call that completed an operation, and the status. */
struct completion {
	uint64_t rec, begun, ended;
	bool has; /* the next four members are set */
	int64_t source, tag, bytes, cancelled;
};

/* The process, name, number and times of a call. */
struct site {
	uint32_t proc, call; /* string with the name */
	uint64_t rec, start, end;
	uint32_t note; /* see struct match_watch */
};

/* The reason why an operation is left over. */
enum left {
	LEFT_ALONE,
	LEFT_AMBIGUOUS,
	LEFT_UNKNOWN, /* its communicator is unknown */
	LEFT_FOREIGN,
	LEFT_INCOMPLETE,
	LEFTS
};

struct match_counts {
	struct left_over {
		uint64_t sends, receives, bytes;
	} left[LEFTS];
	uint64_t requests; /* completions of requests that no call has begun */
	/* searches that gave up because too many requests have one number */
	uint64_t deep;
	uint64_t differ; /* messages whose two sides give different sizes */
	/* messages received before they were sent; the greatest difference, in ns */
	uint64_t back, back_by;
	uint64_t partial, mixed, unknown, apart; /* numbers of collective operations */
};

struct match {
	struct match_options opt;
	struct pair_sink to;
	struct source out; /* own tables; the rest is the input's */
	/* times of all ranks are ns of comparable clocks, so durations and waits are computed */
	bool waits;
	struct calls calls;
	struct call call;
	struct site at; /* of `call` */
	struct comms comms;
	struct clocks *clocks;	   /* for opt.clocks, else NULL */
	struct critical *critical; /* for opt.critical, else NULL */
	uint32_t *stretch_type;	   /* critical_put.c: types by name, plus 1 */
	size_t stretch_type_cap;
	struct wait wait;
	struct batch batch;
	struct pool sent, posted, persistent, stream, notes;
	uint32_t live_notes;
	uint32_t *bucket;
	size_t nbuckets;
	uint32_t streams; /* number of streams in use */
	bool ending;
	uint32_t name[CALLS_KNOWN]; /* strings of the calls' names, plus 1 */
	/* types, plus 1; 0: not made yet */
	uint32_t message_type[16], collective_type[2];
	struct match_counts count;
	uint64_t events, known; /* number of events, and of calls that matter here */
};

/* Returns element i of a pool of elements of `size` bytes. The pointer is valid until pool_take, which may move all
 * elements; so are the results of sent_at, posted_at and stream_at. */
static inline void *
pool_at(const struct pool *p, uint32_t i, size_t size)
{
	return p->v + (size_t)i * size;
}

/* Returns send number i. */
static inline struct sent *
sent_at(const struct match *x, uint32_t i)
{
	return pool_at(&x->sent, i, sizeof(struct sent));
}

/* Returns the waiting event of a send, valid until another event is opened. */
static inline struct sent_rec *
sent_rec(const struct match *x, const struct sent *s)
{
	return (void *)wait_rec(&x->wait, s->open);
}

/* Returns receive number i. */
static inline struct posted *
posted_at(const struct match *x, uint32_t i)
{
	return pool_at(&x->posted, i, sizeof(struct posted));
}

/* Returns stream number i. */
static inline struct message_stream *
stream_at(const struct match *x, uint32_t i)
{
	return pool_at(&x->stream, i, sizeof(struct message_stream));
}

/* Returns the number of a zeroed element, which is taken from the free ones or added. */
static inline uint32_t
pool_take(struct pool *p, size_t size)
{
	uint32_t i = p->free ? p->free - 1 : p->n++;

	p->v = grow(p->v, &p->cap, p->n, size);
	if (p->free)
		memcpy(&p->free, p->v + (size_t)i * size, sizeof p->free);
	memset(p->v + (size_t)i * size, 0, size);
	return i;
}

/* Makes element i free. */
static inline void
pool_give(struct pool *p, uint32_t i, size_t size)
{
	memcpy(p->v + (size_t)i * size, &p->free, sizeof p->free);
	p->free = i + 1;
}

/* Returns note number i, which begins with its number of uses. */
static inline void *
note_at(const struct match *x, uint32_t i)
{
	return pool_at(&x->notes, i, x->opt.watch->note_size);
}

/* Returns the number of a copy of a note, with one use. */
static inline uint32_t
note_copy(struct match *x, const void *note)
{
	const uint32_t one = 1;
	uint32_t i = pool_take(&x->notes, x->opt.watch->note_size);

	memcpy(note_at(x, i), note, x->opt.watch->note_size);
	memcpy(note_at(x, i), &one, sizeof one);
	x->live_notes++;
	return i;
}

/* Adds `by`, 1 or -1, to the number of uses of a note; 0 is none. */
static inline void
note_hold(struct match *x, uint32_t note, int by)
{
	uint32_t *uses = note ? note_at(x, note) : NULL;

	if (!uses || (*uses += (uint32_t)by) != 0)
		return;
	pool_give(&x->notes, note, x->opt.watch->note_size);
	x->live_notes--;
}

/* Returns the communicator that a call names. */
static inline struct promise *
comm_of_call(struct match *x, const struct site *at, const struct call *c)
{
	return comms_of(&x->comms, at->proc, call_number(c, ARG_COMM, COMM_NULL));
}

/* Returns a time as a number that sorts as unsigned. */
static inline uint64_t
time_of(const struct match *x, int64_t t)
{
	return (uint64_t)t ^ time_flip(x->out.head.clock);
}

/* Returns a - b, or 0 if b is greater. */
static inline uint64_t
less(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

/* Returns the smaller number. */
static inline uint64_t
least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Adds a send; match_receive a receive. Returns its number, or NO_OP if it has no partner (MPI_PROC_NULL). In
 * messages.c. */
uint32_t match_send(struct match *x, const struct site *at, struct promise *comm,
		    int64_t dest, int64_t tag, const uint64_t *size, bool sync,
		    bool pending);
uint32_t match_receive(struct match *x, const struct site *at, struct promise *comm,
		       int64_t source, int64_t tag);
/* Completes a send; match_received a receive. c->rec is 0 if its request was freed, so that no call completes it. */
void match_sent(struct match *x, uint32_t sent, const struct completion *c);
void match_received(struct match *x, uint32_t posted, const struct completion *c);
/* Opens an event of `len` bytes with the time and the place of a call, and zeros after them. Sets *open to its handle.
 * Returns its record, which the caller fills in before it opens another. Dies if more than 3 GiB of events wait. */
struct rec *match_open(struct match *x, const struct site *at, uint32_t *open, size_t len);

/* met.c: messages, and operations without a partner. */
/* Writes the message of a send and a receive of one stream. */
void match_pair(struct match *x, uint32_t sent, uint32_t posted);
/* Counts an operation without a partner, and with --left writes it. */
void left_send(struct match *x, uint32_t sent, enum left why);
void left_receive(struct match *x, uint32_t posted, enum left why);
/* Frees a send, or a receive, if nothing refers to it any more. */
void match_free_sent(struct match *x, uint32_t sent);
void match_free_posted(struct match *x, uint32_t posted);
/* Drops a send, or a receive, that nothing needs to wait for any more. */
void match_drop_sent(struct match *x, uint32_t sent);
void match_drop_posted(struct match *x, uint32_t posted);

/* Puts a send into its stream; stream_post a receive into its stream or its receiver's list. In streams.c. */
void stream_send(struct match *x, uint32_t sent);
void stream_post(struct match *x, uint32_t posted);
/* Continues the matching when the source or tag of the receive `posted` has become known, or when it was
 * cancelled. `from` and `tag` are its previous values. */
void stream_settle(struct match *x, uint32_t posted, uint32_t from, int32_t tag);
/* Pairs the first sends and receives of the stream of this envelope, as stream_pairs does, if the stream exists. */
void stream_try(struct match *x, uint32_t comm, uint32_t from, uint32_t to, int32_t tag);
/* Returns the number of the stream of this envelope, which is made if it is new. */
uint32_t stream_of(struct match *x, uint32_t comm, uint32_t from, uint32_t to, int32_t tag);
/* Passes the first send and the first receive of a stream to match_pair, until one is missing or in doubt. Frees the
 * stream if it is empty. */
void stream_pairs(struct match *x, uint32_t stream);
/* Returns true if a receive of unknown source or tag, of the process `to`, may take a
 * message of this envelope. */
bool stream_open(const struct match *x, uint32_t comm, uint32_t from, uint32_t to,
		 int32_t tag);
/* Adds `by` (1 or -1) to the number of receives that are open for the pattern of p. */
void stream_opens(struct match *x, const struct posted *p, int by);
/* Removes all streams and frees their memory. */
void streams_free(struct match *x);
/* Decides and counts the operations left at the end of a run. `whole`: the calls of all ranks are complete. In
 * ending.c. */
void match_ending(struct match *x, bool whole);

/* requests.c */
enum {
	PLACE_REQUEST,
	PLACE_WIN,
	PLACE_FILE
};
/* Returns the eight bytes that a process keeps for the number of a request, window or file; they are zero at
 * first. Returns NULL if the number is out of range. Valid until the next call. */
void *requests_place(struct match *x, uint32_t proc, int64_t number, unsigned what);
/* Handles a call that begins, completes, starts, frees or cancels requests; r is its event. */
void requests_call(struct match *x, const struct site *at, const struct call *c,
		   const struct rec *r);

/* The collective calls, except those that make communicators. A row without names ends the table. */
extern const struct call_row collective_calls[];
/* Handles a call that is collective, makes a communicator or a group, or tells about one. *size is its bytes;
 * NULL: unknown. */
void collective_call(struct match *x, const struct site *at, const struct call *c,
		     const uint64_t *size);
/* Ends all collective operations at the end of a run, and counts those that some members have not reached. */
void collectives_end(struct match *x);

/* match_put.c: makes the events. */
struct message_rec {
	struct rec r;
	uint32_t to;
	int32_t tag;
	uint32_t comm, send_call, recv_call, pad;
	uint64_t srec, rrec;
	uint64_t more[4]; /* the arguments MORE_* of the type, in order */
};
#define MESSAGE_LEAST offsetof(struct message_rec, more)
enum {
	MORE_SDONE = 1,
	MORE_RDONE = 2,
	MORE_LATE_SENDER = 4,
	MORE_LATE_RECEIVER = 8,
	MORE_ALL = 15
};
/* Returns the number of the type of messages that have the arguments `more` (MORE_*), which is made if it is new. */
uint32_t put_message_type(struct match *x, unsigned more);
/* Returns the number of the string of a process's place, in the output's tables; put_str of any text. */
uint32_t put_loc(struct match *x, uint32_t proc);
uint32_t put_str(struct match *x, const char *s);
/* Turns the open event of an operation into one for --left, with the reason. put_left_message is for two sides
 * with different sizes. */
void put_left_send(struct match *x, struct sent *s, enum left why);
void put_left_receive(struct match *x, struct posted *p, enum left why);
void put_left_message(struct match *x, struct sent *s, const struct posted *p);
/* Writes the critical path of a run, or reports why there is none. In critical_put.c. */
void critical_put(struct match *x, struct source *s);

#endif
