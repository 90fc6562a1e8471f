/* paraver.h - a trace for Paraver: records, and the names of what they count. */
#ifndef SPOOR_EXPORT_PARAVER_H
#define SPOOR_EXPORT_PARAVER_H

#include "view/field.h"
#include "trace-export/track_drawing.h"
#include "trace-export/dues.h"
#include "input/cache.h"

#define STATE 1	 /* the type of events that last: the number of their name, and 0 */
#define MOMENT 2 /* of the others: the number of their name */
#define FIRST 10 /* of columns and arguments */

/* The states that are open in a lane. */
struct open_states {
	uint32_t *value;
	uint32_t n;
	size_t cap;
	uint8_t text[32]; /* what its records begin with */
	uint8_t text_n;
};

/* The end of a state: of those at one time what began last is first. */
struct state_end {
	struct due due;
	uint32_t lane;
};

/* A column or an argument. */
struct paraver_value {
	struct field f;
	bool number;
	uint8_t text_n;
	uint8_t text[14]; /* ":TYPE:" */
};

struct paraver_plan {
	uint32_t name; /* of the event, from 1; 0: there is no plan yet */
	uint32_t n;
	struct paraver_value *v;
};

struct paraver {
	struct track_drawing first, drawing; /* of the two readings */
	int64_t length;			     /* behind the last time of the first one */
	struct out prv;
	struct open_states *lane; /* by number */
	uint32_t lanes;
	struct dues open; /* struct state_end */
	uint64_t ends;
	int64_t now;
	struct paraver_plan *plan; /* by type */
	struct paraver_plan *making;
	struct cache plan_cache;
	struct strtab events; /* names, from 0 */
	struct strtab
	    types; /* names of arguments, behind 'n' or, where they are texts, 't' */
	struct strtab texts;
	struct buf *names; /* of values, for each of `types`: lines of the .pcf */
	size_t names_cap;
	struct strtab named; /* "TYPE VALUE" of these */
	struct buf text;
	uint64_t missed; /* events of an input that has changed */
	uint64_t large;	 /* numbers */
	uint64_t texts_lost, types_lost;
};

/* Writes what the first reading has found: trace.row, and the first line of trace.prv, whose
 * date is always the same. */
void paraver_head(struct paraver *x, struct atomic_file *dir);
/* Writes trace.pcf, the names of types and values. */
void paraver_pcf(struct paraver *x, struct atomic_file *dir);

#endif
