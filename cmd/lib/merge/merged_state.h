/* merged_state.h - the state of a merge, for the files that implement merged.h. */
#ifndef SPOOR_MERGED_STATE_H
#define SPOOR_MERGED_STATE_H

#include "number/i128.h"
#include "import/import.h"
#include "event/value.h"
#include "input/fault.h"
#include "merge/lateness.h"
#include "input/merge.h"
#include "merge/merged.h"
#include "merge/resort.h"

/* One input of a merge. */
struct merge_input {
	struct source s;
	size_t number;	 /* number of the input, from 1 */
	bool open, more; /* s is open; it may have another batch */
	bool any;	 /* it has had an event */
	bool in_order;	 /* a first pass found it in order, with a single head */
	struct batch *b; /* current batch */
	uint32_t at;	 /* index of the next event in it */
	int64_t time;	 /* time of that event, after the move */
	struct import import;
	/* --trace-loc: by number of a location in the input, its number in `held`, plus 1 */
	uint32_t *place;
	size_t placecap;
	unsigned place_from, place_to; /* epochs of both tables, for `place` */
	unsigned head_serial;	       /* serial of the head of s, for `ahead` */
	int64_t origin;		       /* origin of that head */
	/* its origin less the origin of the input's first head */
	struct i128 ahead;

	struct merge_shift shift;
	bool zero_set; /* `zero`, the time that becomes 0, is known */
	int64_t zero;
	bool moves;   /* times change */
	bool changes; /* times or addr change */
	bool plain;   /* the move only adds `plus` */
	int64_t plus;
	struct i128 add;
	int64_t first;	 /* time of the first event, for the scale */
	uint64_t unit;	 /* unit of addr in bytes; 0: unknown */
	uint64_t blocks; /* factor of addr; 0: see merged_unit */

	bool windowed;
	struct resort w;
	uint64_t last;		/* key of the last event */
	uint64_t late, late_by; /* events that came later than the window */
	uint64_t late_at;	/* number of the first late event */
	uint64_t skipped;	/* events skipped because time or addr does not fit */
	char lost_where[160];	/* place of the first lost event, once closed */
};

struct merged {
	struct read_options opt;	/* options of the inputs */
	const struct time_slice *slice; /* slice of the output; NULL = all */
	const struct merge_settings *opts;
	const char *const *paths;
	size_t npaths;
	struct format fmt; /* format of `out` */
	struct source out;
	struct merge m;
	struct resort_spare spare;
	struct merge_input **in; /* the inputs that could be opened */
	uint64_t *head;		 /* key of the next event, by input */
	size_t n, cap;
	/* first input whose unit of addr is known; or NULL */
	const struct merge_input *units;
	uint64_t flip;
	/* The types and strings of waiting records. `all` imports from the inputs into `held`, `give` from `held`
	 * into `out`. */
	struct tables held;
	struct import all, give;
	size_t names_most; /* bytes of the tables at which they start anew */
	bool started;	   /* the head is complete */
	uint64_t closed;   /* bytes read from inputs that are closed */
	bool shut;	   /* files are open only while they are read */
	bool stop;
};

/* Makes the head of m->out from the heads of all inputs, whose first events must have been read. Dies if the heads
 * do not fit together. */
void merged_head(struct merged *m);
/* Adapts the times of `in` to a new head. If the new head has another clock or unit of addr, or with --align
 * origin has or lacks an origin unlike the first head, reports this, counts the current batch as lost, and ends the
 * input. */
void merged_next_head(struct merged *m, struct merge_input *in);
/* Changes *t, a time of the input `in`, by the scale and offset of the input (--scale, --offset, --align), which must
 * have one: in->moves is true. Returns false, with *t unchanged, if the result does not fit. */
bool merged_move(const struct merged *m, const struct merge_input *in, int64_t *t);
/* Opens all inputs, reads their first batches, and makes the head. An input that cannot be opened is reported and
 * skipped: m->out gets `trouble` (source_missing), and with --strict m->stop is set. */
void merged_open(struct merged *m);
/* Reads the next batch of an input. Returns false at its end, also after a read error, which the reader of the input
 * has reported. */
bool merged_read(struct merged *m, struct merge_input *in);
/* Returns the key of the next event of an input. Returns MERGE_END if there is none, or if all events left have
 * that key. */
uint64_t merged_key(struct merged *m, struct merge_input *in);
/* Returns true if an event of the input is in memory. */
bool merged_pending(const struct merge_input *in);
/* Copies events of input i into m->m.area: one, and up to `most` while their key is less than `below`. Sets m->head[i]
 * to the key of the next event. Stops early, with m->m.full, if the area is full. Implements merge.take; ctx is a
 * struct merged. */
void merged_take(void *ctx, uint32_t i, uint64_t below, uint32_t most);
/* Removes from the current batch the records before index in->at, which were handed over, and records whose arguments
 * share their bytes (import_apart). Each of the latter is reported and counted as lost. */
void merged_check(struct merge_input *in);
/* Decides the unit of an input's addr at its first event with an addr: reports the unit that is assumed if it is
 * unknown. Dies if the unit differs from the unit of the other inputs. */
void merged_unit(const struct merged *m, struct merge_input *in);
/* Drops the numbers of types and strings that are kept for `in`, if they have changed in the input or in `held`. */
void merged_renumber(struct merged *m, struct merge_input *in);
/* Prints the last messages of an input and closes it. Called at its end, or if no more of it is wanted. */
void merged_end_input(struct merged *m, struct merge_input *in);

#endif
