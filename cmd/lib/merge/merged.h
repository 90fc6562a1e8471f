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
	struct num offset; /* added */
	struct num scale;  /* times since the input's first event are multiplied by it */
};

enum merge_align {
	ALIGN_ORIGIN, /* absolute times, where inputs have an origin; else as they are */
	ALIGN_FIRST,  /* the first event of each input is at 0 */
	ALIGN_NONE,   /* times as they are, whatever they count from */
};

/* Events that came later than the resort window, and by how much at most, in ns or ticks. */
struct merge_late {
	uint64_t events, by;
};

struct merge_settings {
	struct merge_options is; /* its `each` is trace_merged */
	enum merge_align align;
	bool trace;	/* add an argument with the input's name to each event */
	bool trace_loc; /* begin each event's place with the input's name */
	bool scale_dur; /* scale durations, too */
	bool rescale;	/* inputs may count blocks of different sizes */
	uint64_t
	    unit; /* bytes that addr counts in a stream without a header; 0: not known */
	/* A single input that is in order is handed over as it is read, with its own source
	 * and tables. Nothing is copied. */
	bool direct;
	/* The resort window of each input: so many records; or all events that are less
	 * than `span` (ns; ticks with in_ticks) before the latest time. If neither is set:
	 * as wide as the input needs, if it can be read twice. */
	bool records_set, span_set, in_ticks;
	uint64_t records, span;
	const struct merge_shift *shift; /* of each path; NULL: none */
	/* If not NULL, counts the events that came later than the window of their input. */
	struct merge_late *late;
	/* Only for inputs that can be read twice: returns the number of the event of b that
	 * is at time 0, or b->n if there is none. NULL: `align` decides. `zero_need`:
	 * NEED_* of the function. */
	uint32_t (*zero)(struct source *s, const struct batch *b);
	unsigned zero_need;
};

/* The merge of --by-time: addr must count the same unit in all inputs. */
extern const struct merge_settings merge_by_time;

/* The option --by-time, for the table of a program that counts or draws. */
#define OPT_BY_TIME_ROW                                                         \
	{                                                                       \
		0, "by-time", NULL, "read all inputs as one, in order of time", \
		    "chunk n follow", .take = merge_option, .to = &common.read, \
				      .kept = true                              \
	}
/* Sets `merge` of `read`, a struct read_options, to merge_by_time. Returns `none`, which is
 * NULL: no error. */
const char *merge_option(void *read, const char *none);

/* Reads all inputs as one source, and gives the events to `to`, as trace_each does. Returns
 * its status. opt->merge must be the first member of a struct merge_settings. `to` must have no
 * `whole`. Dies if opt->follow is set. */
int trace_merged(const struct read_options *opt, char *const *paths, size_t n,
		 const struct consumer *to);

#endif
