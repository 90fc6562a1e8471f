/*
 * export.h - writes events in the formats of other programs: the table of targets.
 *
 * A target is a struct target in a file of its own, and a line in targets.c. Its form finds
 * what was asked of it, a struct export_options, in sink.opt.of.
 */
#ifndef SPOOR_EXPORT_H
#define SPOOR_EXPORT_H

#include "cells/row_writer.h"
#include "output/sink.h"

/* Options of targets. Each has a row in cmd/trace-export.c, in this order. */
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

/* Values of these options; -A is in struct write_options. */
struct export_options {
	struct row_writer_options cells; /* first: of a form of cells, the options */
	const struct target *target;
	const char *file; /* fio: the file to replay on; NULL = one for each loc */
	bool v2;	  /* fio: the log of old versions */
	/* blktrace: "QDC": also when a request was issued and completed; "Q" or NULL: not. */
	const char *actions;
	uint64_t block; /* bytes of an addr, where an input does not say; 0: they must */
	uint64_t split; /* cache simulators: bytes of a page; 0 = whole requests */
	bool no_next;	/* oracle: -1 as the next access of every request */
	const char *object; /* cache simulators: the value that is the object; NULL: addr */
	const char *counters; /* perfetto, chrome: a list of expressions; NULL = none */
};

static inline const struct export_options *
export_asked(const struct sink *k)
{
	return k->opt.of;
}

struct target {
	const char *name;
	const char *about; /* one line: what it is, and for which program */
	unsigned takes;	   /* TAKES() of the options that it takes */
	/* The fields of an event that stand in it, besides its name: NEED_COLUMNS and NEED_ARGS. What
	 * is missing is counted, and told at the end. */
	unsigned carries;
	bool lasts; /* it wants events that last: ovni's enter and leave become one */
	/* For block requests, see tally.h: the columns that each must have (HAS_*), what it
	 * may be, and whether it must have a time from 0 on, which does not go back. */
	unsigned needs, ops;
	/* Names of events besides those of op_of, with blanks between, and what they ask for; up to a row of zeros. */
	const struct op_name {
		const char *names;
		uint16_t op;
	} * names;
	bool timed;
	bool filled;	    /* requests of 0 bytes are none */
	uint64_t size_most; /* of a request; 0: 2^62 */
	bool wide; /* addr may be any number of 64 bits; else one below 2^62 bytes */
	const struct form *form;
	const struct columns_writer *columns; /* of form_columns */
	/*
	 * If it is not NULL all inputs are read twice. It looks at the events of the first
	 * time, before the form begins to write; begin has been called. `learns`: what it
	 * needs of them, NEED_*.
	 */
	unsigned learns; /* 0: all that the second reading needs */
	/* Returns true if what was asked needs no first reading; NULL: a list of fields needs none. */
	bool (*once)(const struct sink *k);
	void (*learn)(struct sink *k, struct source *s, const struct batch *b,
		      const uint32_t *pick, uint32_t n);
};

/* The name of the i-th target, from 0; NULL behind the last. */
const char *target_name(size_t i);
/* The one of that name; NULL where there is none. */
const struct target *target_named(const char *name);
/* Returns the i-th word that --actions takes, from 0; NULL behind the last. */
const char *blktrace_actions(size_t i);
/* --list: a line for each target: its name, what of an event it carries, the options of
 * `names` that it takes, and what it is. */
void targets_print(struct out *o, const char *const names[EXPORT_OPTIONS]);

#endif
