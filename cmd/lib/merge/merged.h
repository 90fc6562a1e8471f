/*
 * merged.h - merges all inputs of a command line into one source, in order of time.
 *
 * Each input may be of any format and form. The records get the types and strings of one
 * set of tables, and times of one clock; merge.h puts them in order. An input that is not
 * in order goes through a resort window (resort.h).
 */
#ifndef SPOOR_MERGED_H
#define SPOOR_MERGED_H

#include "base/num.h"
#include "input/trace.h"

/* A change of the times of one operand. */
struct merge_shift {
	bool offset_set, scale_set;
	struct num offset; /* added to times */
	struct num scale;  /* factor of the time since the input's first event */
};

enum merge_align {
	ALIGN_ORIGIN, /* absolute times if inputs have an origin; else unchanged */
	ALIGN_FIRST,  /* the first event of each input is at time 0 */
	ALIGN_NONE,   /* times unchanged, whatever their origin */
};

/* Number of events that were later than the resort window, and by how much at most, in ns or ticks. */
struct merge_late {
	uint64_t events, by;
};

struct merge_settings {
	struct merge_options is; /* must be first; its `each` is trace_merged */
	enum merge_align align;
	bool trace;	/* add an argument with the input's name to each event */
	bool trace_loc; /* begin each event's place with the input's name */
	bool scale_dur; /* scale durations too */
	bool rescale;	/* inputs may count blocks of different sizes */
	uint64_t
	    unit; /* unit of addr, in bytes, in a stream without a header; 0: unknown */
	/* Pass on a single input that is in order as it is read, with its own source and tables, without a copy. */
	bool direct;
	/* The resort window of each input: `records` records; or all events less than `span` (ns; ticks with
	 * in_ticks) before the latest time. If neither is set: as wide as the input needs, if it can be read
	 * twice. */
	bool records_set, span_set, in_ticks;
	uint64_t records, span;
	const struct merge_shift *shift; /* changes, by path; NULL: none */
	/* Counts the events that were later than the window of their input; may be NULL. */
	struct merge_late *late;
	/* Returns the number of the event of b that is at time 0, or b->n if there is none. For inputs that can be
	 * read twice. NULL: `align` decides. `zero_need`: NEED_* of the function. */
	uint32_t (*zero)(struct source *s, const struct batch *b);
	unsigned zero_need;
};

/* The settings of --by-time: addr must count the same unit in all inputs. */
extern const struct merge_settings merge_by_time;

/* The option --by-time, for the option table of a program that counts or draws. */
#define OPT_BY_TIME_ROW                                                         \
	{                                                                       \
		0, "by-time", NULL, "read all inputs as one, in order of time", \
		    "chunk n follow", .take = merge_option, .to = &common.read, \
				      .kept = true                              \
	}
/* Sets `merge` of `read`, a struct read_options, to merge_by_time. Returns `none`, which is NULL: no error. */
const char *merge_option(void *read, const char *none);

/* Reads all inputs as one source, and passes the events to `to`, as trace_each does. Returns its status.
 * opt->merge must be the first member of a struct merge_settings. to->whole must be NULL. Dies if opt->follow is
 * set. */
int trace_merged(const struct read_options *opt, char *const *paths, size_t n,
		 const struct consumer *to);

#endif
