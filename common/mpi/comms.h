/*
 * comms.h - communicators of all ranks as one: each rank numbers those that it sees for itself, and uses
 * numbers again.
 *
 * The making of a communicator is collective over its parent, in the same order on each member: so the i-th
 * that each member of a parent makes is the same one. What a rank does with one whose members are not known
 * yet waits in a promise.
 */
#ifndef SPOOR_MPI_COMMS_H
#define SPOOR_MPI_COMMS_H

#include "base/mem.h"
#include "input/cache.h"
#include "mpi/mpi_calls.h"
#include "mpi/numbers.h"

#define NO_PROC UINT32_MAX
#define NO_PLACE UINT32_MAX
#define NO_OP UINT32_MAX

/* MPI's own numbers: see dumpi-trace(5). */
enum {
	COMM_NULL = 1,
	COMM_WORLD = 2,
	COMM_SELF = 3,
	GROUP_EMPTY = 2,
	NUMBERS_MOST = 1 << 20, /* of communicators, groups, requests, ranks */
};

/* A process of a communicator that has done something there. */
struct member {
	uint32_t proc;
	uint32_t made;	      /* communicators that it has made of this one */
	uint64_t collectives; /* calls so far */
	/* messages.c: its receives that have no place in a stream yet, and how many of them might take a
	 * message of several streams. */
	uint32_t first, last, unknown;
};

/* The processes of a communicator by rank; of an intercommunicator first one group, then the other. Its copies
 * share the list. */
struct places {
	uint32_t *proc;
	uint32_t n;
	size_t cap;
	uint32_t *by_proc;   /* the ranks, sorted by process; NULL until comm_seal */
	struct places *next; /* of all lists */
};

struct comm {
	uint32_t id;
	const char *name; /* as it is shown */
	/* Its first n places. NULL: of a world or a copy of one the rank in `job` is the place. A list that
	 * nobody wrote costs nothing, however many ranks a world has. */
	struct places *of;
	uint32_t n, local; /* local: of the first group of an intercommunicator; else n */
	bool whole;	   /* n is the size, and not only the greatest rank so far */
	bool reordered;	   /* MPI may have given its members other ranks than these */
	bool
	    doubtful; /* nor are its members sure: no record tells a size that they hang on */
	uint32_t job; /* of a world */
	/* Those that have done something, in that order, and their numbers by process. */
	struct member *member;
	uint32_t nmembers;
	size_t cap;
	struct slots index;
	const int64_t *dims; /* of a grid */
	size_t ndims;
	struct making **making; /* by their order */
	size_t nmakings, making_cap;
	/* collectives.c: those that have begun, from number `gone` on; `complete` are. */
	struct instance **instance;
	size_t ninstances, instance_cap;
	uint64_t gone, complete;
};

/* A function that waits until a communicator is known. It is called with the communicator,
 * or with NULL if the communicator never becomes known. */
typedef void comm_fn(void *match, struct comm *c, void *arg);

struct promise {
	struct comm *comm; /* NULL: not yet, or there is none */
	bool kept;	   /* it is known, also that there is none */
	struct comm_waiting *first, *last;
	struct promise
	    *next; /* of those that were kept, and still have something that waits */
};

/* A process. */
struct proc {
	uint32_t job, rank;
	uint32_t loc; /* string of what is written, and 1 */
	uint64_t records;
	uint32_t member; /* of its world: its number there, and 1 */
	/* By its numbers: struct promise * of communicators, const struct group *; for trace-match the struct
	 * pending of requests, and struct promise * of windows and files. */
	struct numbers *comm, *group, *request, *handle;
	struct promise *self;
	/* Those that its calls made, in order; how many of them have been passed again. */
	struct promise **made;
	size_t nmade, made_cap, passed;
};

struct comms {
	struct proc *proc;
	size_t nprocs, proc_cap;
	struct job {
		struct promise *world;
		uint32_t size;	      /* ranks; 0: not known yet */
		struct numbers *proc; /* by rank: number of its process, and 1 */
	} * job;
	size_t njobs, job_cap;
	struct strtab job_names, halves;
	struct comm **comm;
	size_t ncomms, comm_cap;
	struct places *places; /* all lists */
	struct comm foreign;   /* one with processes of another job, which are left apart */
	struct promise **promise; /* all */
	size_t npromises, promise_cap;
	struct promise *due, *due_last;
	struct making **
	    half; /* of intercommunicators, by number in `halves`: what waits for its other half */
	size_t half_cap;
	/* By number of a place: its process, and 1. */
	uint32_t *place;
	struct cache place_cache;
	struct arena mem;
	void *match; /* what waiting gets */
	/* Places in lists that were written for single calls, and events, which limit them (comms_spend); how
	 * often there were too many; events at places that are no ranks. */
	uint64_t spent, events, beyond, odd;
	/* Communicators whose members differ on the way they are made, or that say otherwise of themselves. */
	uint64_t differ;
	bool
	    ending; /* sizes that nothing told are taken for those of the ranks that were there */
};

/* comms.c. Returns the number of the job with this name, and makes it if the name is
 * new. */
uint32_t comms_job(struct comms *x, const void *name, size_t n);
/* Returns the process where an event of s is: its place is RANK/THREAD, or
 * JOB/RANK/THREAD. */
uint32_t comms_at(struct comms *x, const struct source *s, const struct rec *r);
/* Returns the process at `loc`, which is RANK or RANK/THREAD; with `jobs`, JOB and / stand in front. */
uint32_t comms_proc(struct comms *x, const char *loc, bool jobs);
/* Returns the promise of the communicator that has this number in a process; NULL for
 * MPI_COMM_NULL and for numbers that are out of range. A number whose making was not seen
 * gets a new promise; after comms_end it is NULL. */
struct promise *comms_of(struct comms *x, uint32_t proc, int64_t number);
/* Binds a number in a process to the communicator `made`, for all later calls. */
void comms_set(struct comms *x, uint32_t proc, int64_t number, struct promise *made);
/* Calls fn(match, comm, arg) as soon as the communicator of p is known; at once if it is
 * known already. */
void comms_when(struct comms *x, struct promise *p, comm_fn *fn, void *arg);
/* Keeps the promise: its communicator is c, or NULL if there is none. The functions that
 * wait are called. */
void comms_keep(struct comms *x, struct promise *p, struct comm *c);
struct promise *comms_promise(struct comms *x);
/* Makes a communicator; `what` is how it was made. The caller appends its members by
 * comm_add, then calls comm_seal. */
struct comm *comms_new(struct comms *x, const char *what);
void comm_add(struct comm *c, uint32_t proc);
void comm_seal(struct comm *c);
/* Makes a communicator of the first `most` members of `from`, whose size is known. */
struct comm *comms_like(struct comms *x, const char *what, const struct comm *from,
			size_t most);
/* Gives a communicator that has none the list that comm_add fills. */
void comm_list(struct comms *x, struct comm *c);
/* Notes that n processes are written down for a single call. Returns false if that is more than the input
 * warrants: 64 for each event, and 32 K. */
bool comms_spend(struct comms *x, uint64_t n);
/* Appends all members of `from` to c, all processes if it is a world. Returns false if they
 * are not known yet, or are too many (comms_spend). */
bool comm_add_all(struct comms *x, struct comm *c, const struct comm *from);
/* Returns the process at a place, from 0 to n - 1. */
uint32_t comm_proc(struct comms *x, const struct comm *c, uint32_t place);
/* Returns the place of a process among the members, or NO_PLACE. */
uint32_t comm_place(const struct comms *x, const struct comm *c, uint32_t proc);
/* Returns the process that the member `proc` means by `rank`: a process of the other group
 * in an intercommunicator. NO_PROC if there is none. */
uint32_t comm_peer(struct comms *x, struct comm *c, uint32_t proc, int64_t rank);
/* Returns how many processes take part in a collective call on c; 0 if this is unknown. */
uint32_t comm_size(const struct comms *x, const struct comm *c);
/* Returns the entry of a process among the members, made at its first use. A world grows up
 * to the rank. Returns NULL if the process is not a member. */
struct member *comm_member(struct comms *x, struct comm *c, uint32_t proc);

/* groups.c: a call that makes a group. */
struct procs {
	uint32_t *v;
	size_t n, cap;
	bool reordered;	      /* see struct comm */
	struct promise *wait; /* not known yet because of this one, or NULL */
};
void groups_call(struct comms *x, uint32_t proc, const struct call *c);
const struct group *group_of(const struct comms *x, uint32_t proc, int64_t number);
/* Appends the processes of a group in their order. Returns false if they are unknown. */
bool group_members(struct comms *x, const struct group *g, struct procs *to);

/* makings.c: a call that makes a communicator, CALL_DUP to CALL_FOREIGN, or tells its rank or size. A window or
 * a file is a copy of the communicator that it names. */
struct promise *comms_make(struct comms *x, uint32_t proc, const struct call *c);
void comms_told(struct comms *x, uint32_t proc, const struct call *c);
/* Sets the number of ranks of a job, and calls the functions that waited for it. */
void comms_size(struct comms *x, uint32_t job, uint64_t size);
void makings_free(struct comm *c);

/* told.c. How many ranks each job has, by what a head knows of it. */
void comms_head(struct comms *x, const struct head *h);
/* Returns whether comms_call does anything. */
static inline bool
comms_asks(enum call_kind k)
{
	return k >= CALL_DUP && k <= CALL_DIFFERENCE;
}
/* Handles a call that makes a communicator or a group, or gives the rank or the size of
 * one. Does nothing for other calls. */
void comms_call(struct comms *x, uint32_t proc, const struct call *c);
/* Begins a second pass over all calls, when all communicators are known: comms_of then
 * gives the communicator that a number means at each call. */
void comms_again(struct comms *x);
/* Binds `number` in a process to the communicator that its next making made, in the second
 * pass (comms_again). */
void comms_pass(struct comms *x, uint32_t proc, int64_t number);
/* Ends the input: no more ranks will come, and whatever is still unknown stays unknown. */
void comms_end(struct comms *x);
void comms_free(struct comms *x);

#endif
