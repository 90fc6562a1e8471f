/* paraver.h - a trace for Paraver: records, and the names of their types and values. */
#ifndef SPOOR_EXPORT_PARAVER_H
#define SPOOR_EXPORT_PARAVER_H

#include "view/field.h"
#include "trace-export/track_drawing.h"
#include "trace-export/dues.h"
#include "input/cache.h"

#define STATE 1	 /* type of states: the number of their name, or 0 */
#define MOMENT 2 /* type of other events: the number of their name */
#define FIRST 10 /* first type of columns and arguments */

/* States that are open in a lane. */
struct open_states {
	uint32_t *value;
	uint32_t n;
	size_t cap;
	uint8_t text[32]; /* beginning of its records */
	uint8_t text_n;
};

/* End of a state. If several end together, the one that began last is first. */
struct state_end {
	struct due due;
	uint32_t lane;
};

/* A column or an argument of an event. */
struct paraver_value {
	struct field f;
	bool number;
	uint8_t text_n;
	uint8_t text[14]; /* ":TYPE:" */
};

struct paraver_plan {
	uint32_t name; /* name of the event, from 1; 0: no plan yet */
	uint32_t n;
	struct paraver_value *v;
};

struct paraver {
	struct track_drawing first, drawing; /* for the first and the second reading */
	int64_t length;			     /* end of the trace, by the first reading */
	struct out prv;
	struct open_states *lane; /* by number of the lane */
	uint32_t lanes;
	struct dues open; /* ends that wait: struct state_end */
	uint64_t ends;
	int64_t now;
	struct paraver_plan *plan; /* by type */
	struct paraver_plan *making;
	struct cache plan_cache;
	struct strtab events; /* names of events, from 0 */
	struct strtab
	    types; /* names of arguments, after 'n' for numbers, or 't' for texts */
	struct strtab texts;
	struct buf *names; /* lines of the .pcf with names of values, for each of `types` */
	size_t names_cap;
	struct strtab named; /* "TYPE VALUE" of values that have a name */
	struct buf text;
	/* events that the first reading did not have, since an input changed */
	uint64_t missed;
	uint64_t large; /* numbers that are too large */
	uint64_t texts_lost, types_lost;
};

/* Writes what the first reading found: trace.row, and the first line of trace.prv, whose date is constant. */
void paraver_head(struct paraver *x, struct atomic_file *dir);
/* Writes trace.pcf with the names of types and values. */
void paraver_pcf(struct paraver *x, struct atomic_file *dir);

#endif
