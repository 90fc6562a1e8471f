/* state.h - shared by the files of -D: threads, states, and types of records. */
#ifndef SPOOR_OVNI_STATE_H
#define SPOOR_OVNI_STATE_H

#include "base/compiler.h"
#include "input/cache.h"
#include "ovni/trace.h"
#include "pair/nest.h"

/* Time that stands while the thread does not. */
struct meter {
	uint64_t sum, since;
	bool on;
};

struct thread {
	struct meter meter[OVNI_ACTIVE + 1]; /* by enum ovni_counts */
	uint64_t last;			     /* the greatest clock */
	uint32_t chan[OVNI_CHANS];	     /* the last state of each channel, and 1 */
	uint32_t *open;			     /* of each event, how many states are open */
	struct ovni_task task;
};

/* What a record does to states. */
enum act {
	NOTHING,
	ENTERS,
	LEAVES,
	OTHER, /* of a value, a thread, a mark: see on_other */
};

/* What a type of records is for states. */
struct state_kind {
	const struct ovni_event *event; /* NULL: nothing */
	uint8_t act;			/* enum act */
	uint8_t chan;			/* of that */
	uint32_t opens;			/* number of the event that it enters or leaves */
	struct longer made[2];		/* its types with a duration, with open=1 */
	uint32_t self[2];	/* where self= goes, and running= behind it; 0: nowhere */
	uint32_t value, type;	/* of a mark: where they lie; 0: nowhere */
	uint32_t id;		/* of a task or a type: where its number lies */
	struct longer labelled; /* its type with a label */
};

struct ovni_states {
	struct nests p;
	struct thread *thread;	 /* of each stream */
	uint32_t *open;		 /* of all of them */
	struct state_kind *kind; /* of each type */
	struct cache kind_cache;
	const struct ovni_event *events; /* all, for their numbers */
	bool raw, labels, ended, given_up, halved;
	struct batch *batch; /* records as they come */
};

/* Finds out what types of records are for states, as far as they are new. */
void ovni_state_bind(struct source *s, struct ovni_states *x);
/* Makes the type of a state's records when it is over, or at the end still open: one with
 * more arguments. `type` is that of its enter; the new one is in its kind.made. */
void ovni_state_type(struct source *s, uint32_t type, bool open) COLD;
/* Makes the type of a record with the label of a task: it is in kind.labelled of `type`. */
void ovni_state_label(struct source *s, uint32_t type) COLD;

#endif
