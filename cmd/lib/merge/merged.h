/*
 * merged.h - all inputs of a command line as one, in order of time.
 *
 * Each input may be of any format and form. Their records get the types and strings of one
 * set of tables, their times one clock; merge.h puts them in order. An input that is not in
 * order goes through a resort window (resort.h).
 */
#ifndef SPOOR_MERGED_H
#define SPOOR_MERGED_H

#include "base/num.h"
#include "input/trace.h"

/* What is done with the times of one operand. */
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

struct merge_how {
	struct merge_options is; /* its `each` is trace_merged */
	enum merge_align align;
	bool trace;	/* each event gets an argument with the name of its input */
	bool trace_loc; /* its place begins with that */
	bool scale_dur; /* durations are scaled, too */
	bool rescale;	/* inputs may count blocks of different sizes */
	uint64_t
	    unit; /* bytes that addr counts in a stream without a header; 0: not known */
	/* A single input that is in order is handed over as it is read: its own source and
	 * tables, not those of a merge. Nothing is copied. */
	bool pass;
	/* The resort window of each input: so many records; or all events whose time is less
	 * than `span` (ns; ticks with in_ticks) before the latest. Neither: as wide as the
	 * input needs, where it can be read twice. */
	bool records_set, span_set, in_ticks;
	uint64_t records, span;
	const struct merge_shift *shift; /* of each path; NULL: none */
	/* If not NULL, counts the events that came later than the window of their input. */
	struct merge_late *late;
	/* Of inputs that can be read twice: the number of the first event of b that is at 0;
	 * b->n where there is none. NULL: `align` decides. `zero_need`: NEED_*. */
	uint32_t (*zero)(struct source *s, const struct batch *b);
	unsigned zero_need;
};

/* What --by-time means: addr counts the same in all inputs. */
extern const struct merge_how merge_by_time;

/* The option --by-time, for the table of a program that counts or draws. */
#define OPT_BY_TIME_ROW                                                         \
	{                                                                       \
		0, "by-time", NULL, "read all inputs as one, in order of time", \
		    "chunk n follow", .take = merge_option, .to = &common.read, \
				      .kept = true                              \
	}
/* Sets `merge` of `read`, a struct read_options, to merge_by_time. Returns `none`, which is NULL. */
const char *merge_option(void *read, const char *none);

/* Does what trace_each does, of all inputs as one source. opt->merge is the first member of a struct merge_how, which
 * says how. `to` must have no `whole`. Dies if opt->follow is set. */
int trace_merged(const struct read_options *opt, char *const *paths, size_t n,
		 const struct consumer *to);

#endif
