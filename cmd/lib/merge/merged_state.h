/* merged_state.h - shared by the files of merged.h. */
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

/* One input. */
struct merge_input {
	struct source s;
	size_t number;	 /* from 1 */
	bool open, more; /* s is open; it may give another batch */
	bool any;	 /* it gave an event */
	bool in_order;	 /* a first pass over it says so, and that it has one head */
	struct batch *b; /* at hand */
	uint32_t at;	 /* the next event of these */
	int64_t time;	 /* of that, moved */
	struct import import;
	uint32_t *place; /* --trace-loc: by number of a location there, that here and 1 */
	size_t placecap;
	unsigned place_from, place_to; /* epochs of both tables */
	unsigned head_serial;	       /* of s, which `ahead` is for; */
	int64_t origin;		       /* of that */
	struct i128 ahead;	       /* how far that is behind the first one's */

	struct merge_shift shift;
	bool zero_set; /* the time that is to be 0 is known: */
	int64_t zero;
	bool moves;   /* times change: */
	bool changes; /* or addr does */
	bool plain;   /* by `plus` alone */
	int64_t plus;
	struct i128 add;
	int64_t first;	 /* for scale */
	uint64_t unit;	 /* bytes that addr counts; 0: it is not said */
	uint64_t blocks; /* addr is multiplied by it; 0: see merged_unit */

	bool windowed;
	struct resort w;
	uint64_t last;		/* the key given last */
	uint64_t late, late_by; /* events that came later than the window */
	uint64_t late_at;	/* the number of the first */
	uint64_t skipped;	/* events whose time or addr does not fit */
	char lost_where[160];	/* when it is closed */
};

struct merged {
	struct read_options opt;	/* for the inputs */
	const struct time_slice *slice; /* of what comes out; NULL = all */
	const struct merge_settings *opts;
	const char *const *paths;
	size_t npaths;
	struct format fmt; /* of `out` */
	struct source out;
	struct merge m;
	struct resort_spare spare;
	struct merge_input **in; /* those that there are */
	uint64_t *head;		 /* of each, its next key */
	size_t n, cap;
	const struct merge_input *units; /* the first that says what addr counts; or NULL */
	uint64_t flip;
	/* Types and strings of records that wait, and those of all inputs into them; from
	 * there into `out`. */
	struct tables held;
	struct import all, give;
	size_t names_most; /* bytes of the tables, beyond which they start anew */
	bool started;	   /* the head is made */
	uint64_t closed;   /* bytes of inputs that are closed */
	bool shut;	   /* files are open only while they are read */
	bool stop;
};

/* The heads of all inputs, whose first events are at hand, become that of m->out. Dies
 * where they do not go together. */
void merged_head(struct merged *m);
/* The head of an input is another one than that which m->out was made of. */
void merged_next_head(struct merged *m, struct merge_input *in);
/* *t moved, in an input that moves times. False where it does not fit. */
bool merged_move(const struct merged *m, const struct merge_input *in, int64_t *t);
/* Opens all inputs; their first events are at hand, and the head is made. */
void merged_open(struct merged *m);
/* Reads the next batch of an input. False at its end. */
bool merged_read(struct merged *m, struct merge_input *in);
/* The key of the next event of an input; MERGE_END where there is none, or where those that
 * are left have that key. */
uint64_t merged_key(struct merged *m, struct merge_input *in);
/* Returns whether an input has an event at hand. */
bool merged_pending(const struct merge_input *in);
/* merge.take, of a struct merged: events of input i into the area. */
void merged_take(void *ctx, uint32_t i, uint64_t below, uint32_t most);
/* Drops the records of the batch at hand, from the next one on, that cannot be taken. */
void merged_check(struct merge_input *in);
/* The first addr of an input is at hand of which it is not said, or said otherwise, what it counts. */
void merged_unit(const struct merged *m, struct merge_input *in);
/* Numbers of types and strings are others than before, in the input or in `held`. */
void merged_renumber(struct merged *m, struct merge_input *in);
/* The input has ended, or no more of it is wanted: last messages, and it is closed. */
void merged_end_input(struct merged *m, struct merge_input *in);

#endif
