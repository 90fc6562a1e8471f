/* export.h - writes events in the formats of other programs: the table of targets.
 *
 * A target is a struct target in a file of its own, and a line in targets.c. Its form finds its options, a
 * struct export_options, in sink.opt.of. */
#ifndef SPOOR_EXPORT_H
#define SPOOR_EXPORT_H

#include "cells/row_writer.h"
#include "output/sink.h"

/* Options of targets, in the order of their rows in trace-export.c. */
enum export_option {
	EXPORT_FIELDS,
	EXPORT_NULL,
	EXPORT_SAFE,
	EXPORT_NUMBERS,
	EXPORT_ABSOLUTE,
	EXPORT_FILE,
	EXPORT_V2,
	EXPORT_ACTIONS,
	EXPORT_BLOCK,
	EXPORT_SPLIT,
	EXPORT_NO_NEXT,
	EXPORT_OBJECT,
	EXPORT_COUNTERS,
	EXPORT_OPTIONS
};
#define TAKES(option) (1u << EXPORT_##option)

/* Values of the options; -A is in struct write_options. */
struct export_options {
	struct row_writer_options cells; /* must be first: the options of a form of cells */
	const struct target *target;
	const char *file; /* fio: the file to replay on; NULL: one file for each loc */
	bool v2;	  /* fio: the log of older versions */
	/* blktrace: "QDC" for records of issue and completion, too; "Q" or NULL for none. */
	const char *actions;
	/* bytes of an addr, if the input does not say; 0: the input must say */
	uint64_t block;
	uint64_t split;	      /* cache simulators: bytes of a page; 0: whole requests */
	bool no_next;	      /* oracle: writes -1 as the next access of every request */
	const char *object;   /* cache simulators: expression of the object; NULL: addr */
	const char *counters; /* perfetto, chrome: a list of expressions, or NULL */
};

/* Returns the options of the target of k. */
static inline const struct export_options *
export_asked(const struct sink *k)
{
	return k->opt.of;
}

struct target {
	const char *name;
	const char *about; /* one line: description, and programs that read it */
	unsigned takes;	   /* TAKES() of its options */
	/* Fields of an event that the target holds, besides the name: NEED_COLUMNS, NEED_ARGS. Other fields are
	 * counted, and reported at the end. */
	unsigned carries;
	bool lasts; /* draws states: ovni's enter and leave events become one event */
	/* For requests, see tally.h: columns that each must have (HAS_*), operations that it may have (enum
	 * op); `timed`: its time must be at least 0, and must not go back. */
	unsigned needs, ops;
	/* Further names of events, separated by blanks, and their operations; ends with a row of zeros. */
	const struct op_name {
		const char *names;
		uint16_t op;
	} * names;
	bool timed;
	bool filled;	    /* requests of 0 bytes are skipped */
	uint64_t size_most; /* limit of a request's size; 0: 2^62 */
	bool wide; /* addr may be any 64-bit number; else addr in bytes is below 2^62 */
	const struct form *form;
	const struct columns_writer *columns; /* for form_columns */
	/* If `learn` is not NULL, all inputs are read twice. `learn` takes the events of the first reading,
	 * after begin and before the form writes. `learns`: fields that it needs, NEED_*. */
	unsigned learns; /* 0: all fields of the second reading */
	/* Returns true if the options need no first reading. If NULL, none is needed with a list of fields. */
	bool (*once)(const struct sink *k);
	void (*learn)(struct sink *k, struct source *s, const struct batch *b,
		      const uint32_t *pick, uint32_t n);
};

/* Returns the name of the i-th target, from 0, or NULL after the last. */
const char *target_name(size_t i);
/* Returns the target with that name, or NULL. */
const struct target *target_named(const char *name);
/* Returns the i-th word of --actions, from 0, or NULL after the last. */
const char *blktrace_actions(size_t i);
/* Prints the table of --list: a line for each target with its name, the fields that it holds, its options by
 * `names`, and its description. */
void targets_print(struct out *o, const char *const names[EXPORT_OPTIONS]);

#endif
