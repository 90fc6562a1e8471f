/*
 * check_ovni.h - the rules of ovni, by file:
 *
 *	check_ovni.c	threads, processors, regions and marks, in order of time
 *	check_ovni_task.c	tasks and their types, in order of time
 *	check_ovni_file.c	the bytes of each stream, in their order in the file
 *	check_ovni_meta.c	metadata
 */
#ifndef SPOOR_CHECK_OVNI_H
#define SPOOR_CHECK_OVNI_H

#include "ovni/ovni_trace.h"
#include "trace-check/check_state.h"
#include "trace-check/rules_ovni.h"

enum {
	OVNI_RULES(RULE_NAME)
};

/* Bound: trace-check | threads of ovni | streams | 16384 | more than 16384 threads */
#define OVNI_THREADS 16384u
/* Bound: trace-check | open regions of ovni | events that enter | 262144 | more than 262144 open regions */
#define OVNI_OPEN (1u << 18)
/* Bound: trace-check | task bodies of ovni | events of tasks | 262144 | more than 262144 task bodies */
#define OVNI_BODIES (1u << 18)
/* Bound: trace-check | ids of ovni | types of tasks, cpus, ranks, labels | 131072 | more than 131072 ids */
#define OVNI_IDS (1u << 17)

/* Arguments of events, by their index in `values`. */
enum {
	ARG_CPU,
	ARG_TID,
	ARG_TASK,
	ARG_TYPE,
	ARG_BODY,
	ARG_VALUE,
	ARG_MARK
};

/* Models, and their bits. The order is that of the letters in MODELS. */
#define MODELS "O6VDKTMP"
enum {
	MODEL_OVNI,
	MODEL_NANOS6,
	MODEL_NOSV,
	MODEL_NODES,
	MODEL_KERNEL,
	MODEL_TAMPI,
	MODEL_MPI,
	MODEL_OPENMP,
	NMODELS
};

/* Returns the number of the model of a letter, or NMODELS. */
static inline unsigned
model_of(char letter)
{
	const char *p = letter ? strchr(MODELS, letter) : NULL;

	return p ? (unsigned)(p - MODELS) : NMODELS;
}

enum thread_state {
	THREAD_UNKNOWN,
	THREAD_RUNNING,
	THREAD_PAUSED,
	THREAD_COOLING,
	THREAD_WARMING,
	THREAD_DEAD
};

/* What the map of ids holds: the high half of its first key. Its low half is a loom, a process or an application. */
enum id_kind {
	ID_TYPE, /* key 2: type of tasks, key 3: model */
	ID_CPU, /* key 2: processor; v[0]: it is listed; v[1]: running thread + 1, v[2]: mark */
	ID_TID,	  /* key 2: thread id; v[0]: thread */
	ID_RANK,  /* key 2: rank; v[0]: process + 1 */
	ID_LABEL, /* key 2: value of a mark; v[0]: address of its label */
};

struct open_region {
	const struct ovni_event *event;
	uint64_t mark, value;
	uint32_t below; /* the one that it is in, plus 1; 0 = none */
	uint32_t depth;
};

struct ovni_body {
	uint32_t where; /* process * 4 + number of the model */
	uint32_t task, body;
	uint32_t owner;	       /* thread that executes it, plus 1; 0 = none */
	uint32_t below, above; /* its neighbours on that thread, plus 1 */
	uint32_t made;	       /* thread of `mark` */
	uint64_t mark;	       /* its first event */
	uint8_t state;	       /* enum body_state of check_ovni_task.c */
	bool parallel;
};

/* Every POINT_EVENTS events of a stream: the offset, and the clock before it. */
#define POINT_EVENTS 4096u
#define POINTS_MOST (1u << 19)
struct stream_point {
	uint64_t offset, clock;
};

struct ovni_thread {
	const char *name; /* "loom/pid/tid" */
	uint32_t loom, process;
	const struct ovni_stream *st; /* NULL = the input is a stream of spoor */
	uint32_t stream;	      /* number of st */
	uint64_t tid;
	uint8_t state;		   /* enum thread_state */
	bool out_said, state_said; /* said since it was out, or in `state` */
	bool metadata,
	    finished;	  /* it has metadata of its own; and these have ovni.finished */
	uint8_t requires; /* bits of models */
	uint8_t require_said;
	uint8_t keys;	     /* OWN_*, of check_ovni_meta.c */
	int64_t cpu;	     /* -1 = the virtual one; -2 = none */
	uint64_t n;	     /* events so far */
	uint64_t state_mark; /* mark of the event that led to `state` */
	/* Marks of events that begin a region that is open, plus 1; 0 = none. */
	uint64_t unordered, flush, out;
	int64_t flush_time, burst_time;
	uint32_t bursts;
	uint32_t top[OVNI_CHAN_MARK]; /* innermost open region + 1, by channel */
	uint32_t *mark_top;	      /* by type of marks; NULL = none yet */
	uint32_t body[4];	      /* topmost body + 1, by number of the model */
	struct stream_point *point;
	size_t npoints, point_cap;
	const char *version; /* of the metadata */
};

/* A type of marks, from the metadata. */
struct mark_type {
	const char *title, *chan;
	uint32_t thread; /* of the first definition */
};

struct ovni_check {
	struct check_run *c;
	struct source *s;
	const struct batch *b; /* the current record is number i of it */
	uint32_t i;
	bool durations; /* events are states with a duration, so leaves are missing */
	bool marked;	/* a place in a stream of spoor is known: its kind is place_kind */
	unsigned place_kind;
	struct strtab looms, processes, names;
	struct ovni_thread *thread; /* by number in `names` */
	size_t thread_cap;
	uint32_t *at_loc; /* by number of loc: thread + 1 */
	struct cache at_loc_cache;
	struct arguments values;
	struct open_region *open;
	size_t nopen, open_cap;
	uint32_t open_free; /* first free one + 1, its `below` is the next */
	struct ovni_body *body;
	struct slots body_index;
	size_t nbodies, body_cap;
	struct number_map ids;
	struct mark_type mark[OVNI_MARKS];
	size_t npoints;	  /* of all streams */
	int64_t gap[100]; /* of bursts of thread `burst` */
	uint32_t burst;
};

/* Functions of check_ovni_place.c. */
/* Returns the thread with this name, "loom/pid/tid", made if it is new; or NULL after check_limit(). */
struct ovni_thread *thread_named(struct ovni_check *x, const char *name, size_t n);
/* Returns the key of `kind` in x->ids. */
static inline uint64_t
id_key(enum id_kind kind, uint32_t of)
{
	return (uint64_t)kind << 32 | of;
}
static inline uint32_t
thread_number(const struct ovni_check *x, const struct ovni_thread *t)
{
	return (uint32_t)(t - x->thread);
}

/* Returns the mark of the current event of t, from which its place can be found later. */
uint64_t mark_now(struct ovni_check *x, const struct ovni_thread *t);
/* Reports that the event of t with the mark `mark` breaks a rule. With `other`, names the event `other_mark` of that thread
 * as a second place. */
void say(struct ovni_check *x, unsigned rule, const struct ovni_thread *t, uint64_t mark,
	 const struct ovni_thread *other, uint64_t other_mark, const char *fmt, ...)
    PRINTF(7, 8) COLD;
/* Reports that the current event of t breaks a rule. */
#define say_now(x, rule, t, ...) say(x, rule, t, mark_now(x, t), NULL, 0, __VA_ARGS__)

/* Functions of check_ovni_task.c. */
/* Takes an event e of a task, or of a type of tasks. */
void task_event(struct ovni_check *x, struct ovni_thread *t, const struct ovni_event *e);
/* Reports tasks that were not executed, or have not ended. */
void tasks_end(struct ovni_check *x);

/* Functions of check_ovni_file.c. */
/* Checks the bytes of the stream of t, and keeps points in it, from which places are sought. */
void file_check(struct ovni_check *x, struct ovni_thread *t);

/* Functions of check_ovni_meta.c. */
/* Takes the metadata of all threads, and checks those. */
void meta_check(struct ovni_check *x);
/* Reports the first event of a model in a thread whose metadata do not require the model. */
void meta_require(struct ovni_check *x, struct ovni_thread *t, unsigned model) COLD;

#endif
