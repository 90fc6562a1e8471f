/*
 * check_ovni.h - the rules of ovni, by file:
 *
 *	check_ovni.c	threads, processors, regions and marks, in order of time
 *	check_ovni_task.c	tasks and their types, in order of time
 *	check_ovni_file.c	the bytes of each stream, in their order in the file
 *	check_ovni_meta.c	metadata
 *	check_ovni_place.c	threads by name, and places of their events
 */
#ifndef SPOOR_CHECK_OVNI_H
#define SPOOR_CHECK_OVNI_H

#include "ovni/ovni_trace.h"
#include "trace-check/check.h"
#include "trace-check/rules_ovni.h"

/* clang-format off */
/* Arguments of events. "arg." excludes the part of loc. */
#define OVNI_ARGUMENTS(R) \
	R(ARG_CPU, "cpu") R(ARG_TID, "arg.tid") R(ARG_TASK, "taskid") R(ARG_TYPE, "typeid") \
	R(ARG_BODY, "bodyid") R(ARG_VALUE, "value") R(ARG_MARK, "type")
enum { OVNI_RULES(RULE_NAME) };
enum { OVNI_ARGUMENTS(LIST_NAME) };

/* Maps, with their keys, and the values of an entry. Numbers of threads and bodies, and marks, are as in the structs. */
enum { TYPES, CPUS, TIDS, RANKS, RANKS_OF, LABELS, BODIES };
enum { TYPE_THREAD, TYPE_MARK };          /* TYPES: type of tasks, where (as in BODIES). The thread that made it */
enum { LISTED, RUNS, RUN_MARK, RUN_BY };  /* CPUS: number, loom. Running thread plus 1; the event that says so, its thread */
enum { TID_THREAD };                      /* TIDS: thread id, loom. Thread plus 1 */
enum { RANK_PROCESS };                    /* RANKS: rank, application. Process plus 1 */
enum { RANKS_SEEN, RANKS_WANTED };        /* RANKS_OF: application */
enum { LABEL };                           /* LABELS: value, type of marks. Address of the text */
/* BODIES: process << 2 | task_model(), task, body. The value of the last event, and the thread of the first event << 8;
 * the thread that executes the body, plus 1; the next body on that thread, plus 1, and the previous one; 0 = none. `at.n`
 * is the mark of the first event. */
enum { BODY_STATE, BODY_OWNER, BODY_BELOW, BODY_ABOVE };
/* clang-format on */

/* Bound: trace-check | looms, processes and threads of ovni | streams and metadata | 16384 | more than 16384 looms */
#define OVNI_THREADS 16384u
/* Bound: trace-check | open regions of ovni | events that enter | 262144 | more than 262144 open regions */
#define OVNI_OPEN (1u << 18)
/* Bound: trace-check | task bodies of ovni | events of tasks | 262144 | more than 262144 task bodies */
#define OVNI_BODIES (1u << 18)
/* Bound: trace-check | types, cpus, ranks and labels of ovni | events and metadata | 65536 of each | more than 65536 types, cpus, ranks */
#define OVNI_IDS (1u << 16)

struct open_region {
	const struct ovni_event *event;
	uint64_t mark, value;
	uint32_t below; /* the region that it is in, plus 1; 0 = none */
	uint32_t depth;
};

/* A place in a stream, every POINT_EVENTS events: the offset, and the clock before it. */
#define POINT_EVENTS 4096u
#define POINTS_MOST \
	(1u << 19) /* of all streams; places after the last point take longer to find */
struct stream_point {
	uint64_t offset, clock;
};

/* A place: a thread, or a process or loom, of which only the first members are set. */
struct ovni_thread {
	const char *name;		    /* "loom/pid/tid", "loom/pid" or "loom" */
	uint32_t loom, process;		    /* their numbers */
	bool has_cpus;			    /* loom: the metadata list its processors */
	const char *app_id, *rank, *nranks; /* process: metadata; NULL = none */
	const struct ovni_thread *any;	    /* process: one of its threads */
	struct ovni_stream *st;		    /* NULL = the input is a stream of spoor */
	const char *version;		    /* of its own metadata; NULL = none */
	bool is_thread, finished;	    /* the metadata have ovni.finished */
	uint8_t keys;			    /* bits: own_keys[] that these have */
	char state;		   /* value of its last event of OH; 0 = none yet */
	bool may[2];		   /* it runs; it runs, cools or warms */
	bool out_said, state_said; /* said since it was out, or in `state` */
	uint64_t requires;	   /* bits of models that are required, or were reported */
	int64_t cpu;		   /* -1 = the virtual one; -2 = none */
	uint64_t n;		   /* events so far */
	uint64_t state_mark;	   /* mark of the event that led to `state` */
	/* Marks, plus 1, of the events that began what is open: OU[, OF[, KCO; 0 = none. */
	uint64_t unordered, flush, out;
	int64_t flush_time;
	uint32_t top[OVNI_CHAN_MARK]; /* innermost open region + 1, by channel */
	uint32_t *mark_top;	      /* by type of marks; NULL = none yet */
	uint64_t body[4];	      /* topmost body + 1, by task_model() */
	struct stream_point *point;
	size_t npoints, point_cap;
};

/* A type of marks, from the metadata. */
struct mark_type {
	const char *title, *chan;
	const struct ovni_thread *any; /* a thread that defines it */
};

struct ovni_check {
	struct check_run *c;
	struct source *s;
	/* The current event is of thread t. At the end, `mark` is its mark. */
	struct ovni_thread *t;
	uint64_t mark;
	bool durations;	     /* events are states with a duration, so leaves are missing */
	unsigned place_kind; /* of places in a stream of spoor */
	struct strtab names;
	struct ovni_thread *thread; /* by number in `names` */
	uint32_t *at_loc;	    /* by number of loc: thread + 1 */
	struct cache at_loc_cache;
	const struct ovni_event **event; /* by type of records; NULL = unknown */
	struct cache event_cache;
	struct open_region *open;
	size_t nopen, open_cap;
	uint32_t open_free; /* first free one + 1, whose `below` is the next */
	struct mark_type marks[OVNI_MARKS];
	/* While metadata are taken: their place, and the version of libovni of the first thread. */
	struct trace_place meta_at;
	const char *lib;
	size_t npoints; /* of all streams */
};

/* Returns the bit of a model, by its letter. */
static inline uint64_t
model_bit(char letter)
{
	return 1ull << (letter & 63);
}
static inline uint32_t
thread_number(const struct ovni_check *x, const struct ovni_thread *t)
{
	return (uint32_t)(t - x->thread);
}
/* Functions of check_ovni_place.c. */
/* Returns the place with this name, made if it is new. Returns NULL after check_limit(). */
struct ovni_thread *thread_named(struct ovni_check *x, const char *name, size_t n);
/* Returns the mark of the current event if that is not its number in the stream. */
uint64_t mark_slow(struct ovni_check *x);
/* Returns the mark of the current event, from which its place can be found later. */
static inline uint64_t
mark_now(struct ovni_check *x)
{
	return likely(x->c->b && x->t->st && !x->t->st->first_stop) ? x->t->n
								    : mark_slow(x);
}
/* Returns the place of the event of t with that mark; without a mark, none. */
struct trace_place since(struct ovni_check *x, const struct ovni_thread *t,
			 uint64_t mark) COLD;
/* Returns the place of the current event. */
struct trace_place ovni_place(struct check_run *c) COLD;

/* Functions of check_ovni_task.c. */
/* Takes the current event, e, of a task or of a type of tasks. */
void task_event(struct ovni_check *x, const struct ovni_event *e);
/* Reports tasks that were not executed, or have not ended. */
void tasks_end(struct ovni_check *x);

/* Functions of check_ovni_file.c. */
/* Checks the bytes of the stream of t, and keeps points in it, from which places are sought. */
void file_check(struct ovni_check *x, struct ovni_thread *t);

/* Functions of check_ovni_meta.c. */
/* Takes the metadata of all threads, and checks those. */
void meta_check(struct ovni_check *x);
/* Reports that the metadata of the current thread do not require the model of its event. */
void meta_require(struct ovni_check *x, char model) COLD;

#endif
