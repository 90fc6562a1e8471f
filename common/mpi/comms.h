/*
 * comms.h - the communicators of all ranks together: each rank numbers its communicators for itself, and uses
 * numbers again.
 *
 * Making a communicator is collective over its parent, in the same order on each member. So the i-th communicator
 * that each member of a parent makes is the same one. Calls on a communicator whose members are not known yet wait
 * in a promise.
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

/* MPI's own numbers; see dumpi-trace(5). */
enum {
	COMM_NULL = 1,
	COMM_WORLD = 2,
	COMM_SELF = 3,
	GROUP_EMPTY = 2,
	/* Limit of the numbers of communicators, groups, requests and ranks. */
	NUMBERS_MOST = 1 << 20,
};

/* A process that has used a communicator. */
struct member {
	uint32_t proc;
	uint32_t made;	      /* number of communicators that it has made from this one */
	uint64_t collectives; /* number of collective calls so far */
	/* messages.c: list of its receives that have no place in a stream yet, and how many of them might take a
	 * message of several streams. */
	uint32_t first, last, unknown;
};

/* The processes of a communicator by rank. An intercommunicator has first one group, then the other. Copies of a
 * communicator share the list. */
struct places {
	uint32_t *proc;
	uint32_t n;
	size_t cap;
	uint32_t *by_proc;   /* the ranks, sorted by process; NULL until comm_seal */
	struct places *next; /* list of all struct places */
};

struct comm {
	uint32_t id;
	const char *name; /* name for messages and output */
	/* Its processes are the first n places. NULL: it is a world, or a copy of one, and the rank in `job` is
	 * the place. So a list that no call wrote needs no memory, however many ranks a world has. */
	struct places *of;
	/* local: size of the first group of an intercommunicator; else n */
	uint32_t n, local;
	bool whole;	/* n is the size, not only the greatest rank so far plus 1 */
	bool reordered; /* MPI may have given its members other ranks than these */
	/* The members are not certain: they depend on a size that no record has. */
	bool doubtful;
	uint32_t job; /* job of a world */
	/* The members that have used it, in that order, and an index of them by process. */
	struct member *member;
	uint32_t nmembers;
	size_t cap;
	struct slots index;
	const int64_t *dims; /* sizes of a grid's dimensions, or NULL */
	size_t ndims;
	struct making **making; /* the makings of communicators from this one, in order */
	size_t nmakings, making_cap;
	/* collectives.c: the collectives that have begun, from number `gone` on; those before `complete` are
	 * complete. */
	struct instance **instance;
	size_t ninstances, instance_cap;
	uint64_t gone, complete;
};

/* Takes a communicator that has become known, or NULL if it never becomes known. `match` is comms.match, `arg` the
 * argument of comms_when. */
typedef void comm_fn(void *match, struct comm *c, void *arg);

struct promise {
	struct comm *comm; /* NULL = not known yet, or there is none */
	bool kept;	   /* comm is final, even if it is NULL */
	struct comm_waiting *first, *last;
	/* List of kept promises whose waiting functions are still to be called. */
	struct promise *next;
};

/* A process. */
struct proc {
	uint32_t job, rank;
	uint32_t loc; /* number of the string of its location plus 1; 0 = none */
	uint64_t records;
	uint32_t member; /* number of its entry in its world plus 1; 0 = none */
	/* By the process's own numbers: struct promise * of communicators, const struct group *; for trace-match
	 * the struct pending of requests, and struct promise * of windows and files. */
	struct numbers *comm, *group, *request, *handle;
	struct promise *self;
	/* The communicators that its calls made, in order; passed: how many of them the second pass has reached. */
	struct promise **made;
	size_t nmade, made_cap, passed;
};

struct comms {
	struct proc *proc;
	size_t nprocs, proc_cap;
	struct job {
		struct promise *world;
		uint32_t size;	      /* number of ranks; 0 = not known yet */
		struct numbers *proc; /* by rank: number of its process plus 1 */
	} * job;
	size_t njobs, job_cap;
	struct strtab job_names, halves;
	struct comm **comm;
	size_t ncomms, comm_cap;
	struct places *places; /* all lists */
	/* Stands for all communicators with processes of another job, which are not followed. */
	struct comm foreign;
	struct promise **promise; /* all promises */
	size_t npromises, promise_cap;
	struct promise *due, *due_last;
	struct making **
	    half; /* By number in `halves`: the makings of intercommunicators that wait for the other group. */
	size_t half_cap;
	/* By number of a location's string: its process plus 1. */
	uint32_t *place;
	struct cache place_cache;
	struct arena mem;
	void *match; /* first argument of waiting functions */
	/* Processes in lists that were written for single calls, and events, which limit them (comms_spend);
	 * number of times that the limit was reached; number of events at locations that are not ranks. */
	uint64_t spent, events, beyond, odd;
	/* Number of communicators whose members contradict each other when they are made, or later. */
	uint64_t differ;
	/* The input has ended: unknown sizes are taken from the ranks that were seen. */
	bool ending;
};

/* Returns the number of the job with this name, which is made if it is new (comms.c). */
uint32_t comms_job(struct comms *x, const void *name, size_t n);
/* Returns the process of an event of s, whose loc is RANK/THREAD, or JOB/RANK/THREAD, as comms_proc does. */
uint32_t comms_at(struct comms *x, const struct source *s, const struct rec *r);
/* Returns the process at `loc`, which is RANK or RANK/THREAD; with `jobs`, JOB/ comes before it. The process is made if
 * it is new. A location that has no rank, or too great a one, is counted in x->odd, and gets the rank
 * NUMBERS_MOST - 1. */
uint32_t comms_proc(struct comms *x, const char *loc, bool jobs);
/* Returns the promise of the communicator that has this number in a process; NULL for MPI_COMM_NULL and for
 * numbers out of range. A number whose making was not recorded gets a new promise; after comms_end it is NULL. */
struct promise *comms_of(struct comms *x, uint32_t proc, int64_t number);
/* Binds a number in a process to the communicator `made`, for all later calls; NULL makes the number unknown again. Does
 * nothing for a number out of range, and for MPI's own communicators. */
void comms_set(struct comms *x, uint32_t proc, int64_t number, struct promise *made);
/* Calls fn(match, comm, arg) as soon as the communicator of p is known; at once if it is
 * known already. p must not be NULL. */
void comms_when(struct comms *x, struct promise *p, comm_fn *fn, void *arg);
/* Keeps the promise: its communicator is c, or NULL if there is none. Calls the functions that wait. */
void comms_keep(struct comms *x, struct promise *p, struct comm *c);
/* Returns a new promise that is not kept; comms_free frees it. */
struct promise *comms_promise(struct comms *x);
/* Makes a communicator; `what` names the kind of call that made it. The caller appends its members by comm_add,
 * then calls comm_seal. */
struct comm *comms_new(struct comms *x, const char *what);
void comm_add(struct comm *c, uint32_t proc);
void comm_seal(struct comm *c);
/* Makes a communicator of the first `most` members of `from`, whose size is known. It is complete: comm_seal must not be
 * called. */
struct comm *comms_like(struct comms *x, const char *what, const struct comm *from,
			size_t most);
/* Gives a communicator without a list an empty one, for comm_add. */
void comm_list(struct comms *x, struct comm *c);
/* Counts n processes that are to be listed for a single call. Returns false if the limit for the input is reached:
 * 64 for each event, and 32 K. */
bool comms_spend(struct comms *x, uint64_t n);
/* Appends all members of `from` to c; all processes of the job if `from` is a world. Returns false if they are not
 * known yet, or are too many (comms_spend). */
bool comm_add_all(struct comms *x, struct comm *c, const struct comm *from);
/* Returns the process at a place, from 0 to n - 1. */
uint32_t comm_proc(struct comms *x, const struct comm *c, uint32_t place);
/* Returns the place of a process among the members, or NO_PLACE. */
uint32_t comm_place(const struct comms *x, const struct comm *c, uint32_t proc);
/* Returns the process that the member `proc` calls `rank`: in an intercommunicator, a process of the other group.
 * Returns NO_PROC if there is none. */
uint32_t comm_peer(struct comms *x, struct comm *c, uint32_t proc, int64_t rank);
/* Returns the number of processes in a collective call on c; 0 if it is unknown. */
uint32_t comm_size(const struct comms *x, const struct comm *c);
/* Returns the entry of a process among the members, made at its first use. A world of unknown size grows up to the
 * rank. Returns NULL if the process is not a member. The pointer is valid until another member of c is made. */
struct member *comm_member(struct comms *x, struct comm *c, uint32_t proc);

/* The processes of a group, and functions of groups.c. groups_call takes a call that makes a group; group_of
 * returns the group with that number in a process, or NULL. */
struct procs {
	uint32_t *v;
	size_t n, cap;
	bool reordered; /* see struct comm */
	/* The promise because of which they are not known yet, or NULL. */
	struct promise *wait;
};
void groups_call(struct comms *x, uint32_t proc, const struct call *c);
const struct group *group_of(const struct comms *x, uint32_t proc, int64_t number);
/* Appends the processes of a group in their order to to->v, which the caller frees with free(), also after false.
 * Returns false if they are unknown: to->wait is then the promise to wait for, or NULL if they never become known. */
bool group_members(struct comms *x, const struct group *g, struct procs *to);

/* Functions of makings.c. comms_make takes a call that makes a communicator, CALL_DUP to CALL_FOREIGN, and returns
 * the promise of the new one; a window or a file is a copy of the communicator that it names. comms_told takes a
 * call that returns a rank or a size. */
struct promise *comms_make(struct comms *x, uint32_t proc, const struct call *c);
void comms_told(struct comms *x, uint32_t proc, const struct call *c);
/* Sets the number of ranks of a job, and makes the communicators that waited for it. Does nothing if the number is
 * known already, or if `size` is 0 or more than NUMBERS_MOST. */
void comms_size(struct comms *x, uint32_t job, uint64_t size);
/* Frees the makings of c. */
void makings_free(struct comm *c);

/* Sets the number of ranks of each job from the metadata of h, as comms_size does (told.c). */
void comms_head(struct comms *x, const struct head *h);
/* Returns true if comms_call uses calls of this kind. */
static inline bool
comms_asks(enum call_kind k)
{
	return k >= CALL_DUP && k <= CALL_DIFFERENCE;
}
/* Handles a call that makes a communicator or a group, or returns the rank or the size of one. Does nothing for
 * other calls. */
void comms_call(struct comms *x, uint32_t proc, const struct call *c);
/* Begins a second pass over all calls, when all communicators are known: comms_of then returns the communicator
 * that a number means at each call. */
void comms_again(struct comms *x);
/* Binds `number` in a process to the next communicator that its calls made, in the second pass (comms_again). */
void comms_pass(struct comms *x, uint32_t proc, int64_t number);
/* Ends the input: no more ranks will come, and unknown communicators stay unknown. */
void comms_end(struct comms *x);
/* Frees all that x holds. */
void comms_free(struct comms *x);

#endif
