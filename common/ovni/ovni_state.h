/* ovni_state.h - shared by the files of -D: threads, states, and types of records. */
#ifndef SPOOR_OVNI_STATE_H
#define SPOOR_OVNI_STATE_H

#include "base/compiler.h"
#include "input/cache.h"
#include "ovni/ovni_trace.h"
#include "pair/pair_nest.h"

/* A clock of a thread that stops while the thread does not run. */
struct meter {
	uint64_t sum, since;
	bool on;
};

struct thread {
	struct meter meter[OVNI_ACTIVE + 1]; /* by enum ovni_counts */
	uint64_t last;			     /* greatest clock so far */
	/* The last state of each channel: its number plus 1. 0 means that there was none. */
	uint32_t chan[OVNI_CHANS];
	uint32_t *open; /* number of open states of each event */
	struct ovni_task task;
	int32_t cpu; /* index of the CPU in its loom; -1 = unknown */
};

/* The effect of a record on states. */
enum act {
	NOTHING,
	ENTERS,
	LEAVES,
	OTHER, /* a value, a thread or a mark: see on_other */
};

/* The meaning of a type of records for states. */
struct state_kind {
	const struct ovni_event *event; /* NULL = not an event of the table */
	uint8_t act;			/* enum act */
	uint8_t chan;			/* channel of the state */
	uint32_t opens;			/* index of the event that it enters or leaves */
	struct longer made[2];		/* longer types: with a duration, with open=1 */
	/* Offset of self=, which running= follows; 0 = none. */
	uint32_t self[2];
	uint32_t value, type; /* offsets in a mark's record; 0 = none */
	/* For -O cpu: offsets of the CPU and of the thread that an event sets; 0 = none. */
	uint32_t to_cpu, tid;
	uint32_t cpu[2]; /* offset of cpu= in a record of made; 0 = none */
	/* Offset of the number of a task or of a type of tasks; 0 = none. */
	uint32_t id;
	struct longer labelled; /* longer type: with a label */
};

struct ovni_states {
	struct nests p;
	struct thread *thread;	 /* one for each stream */
	uint32_t *open;		 /* the memory of all thread.open */
	struct state_kind *kind; /* one for each type */
	struct cache kind_cache;
	const struct ovni_event *events; /* all events; their indexes are used */
	bool raw, labels, ended, given_up, halved;
	bool cpu;	     /* -O cpu */
	bool deep;	     /* that some states were not cut has been reported */
	struct buf cut;	     /* records of states that are cut */
	struct batch *batch; /* records of the input */
};

/* Fills x->kind for the types of records that are new. */
void ovni_state_bind(struct source *s, struct ovni_states *x);
/* Makes the longer type of a state's records when the state has ended or, with `open`, is
 * still open at the end of the trace. `type` is the type of its enter; the new type is in
 * its kind.made. */
void ovni_state_type(struct source *s, uint32_t type, bool open) COLD;
/* Makes the longer type of a record with the label of a task, in kind.labelled of
 * `type`. */
void ovni_state_label(struct source *s, uint32_t type) COLD;

#endif
