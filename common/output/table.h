/* table.h - chosen fields of events as a table with the same columns in every row, for join,
 * paste and spreadsheets. */
#ifndef SPOOR_TABLE_H
#define SPOOR_TABLE_H

#include "event/field.h"
#include "input/source.h"

struct table {
	struct out *out;
	bool header;   /* a line with the names first */
	bool absolute; /* -A: times with the origin added; set it after table_open */
	char **names;
	size_t nnames, cap;
	unsigned epoch, heads;
	struct field *field; /* by type and name */
	size_t nfields, field_cap;
	uint32_t ntypes;
	bool *seen;	     /* by name: some type had it */
	bool any;	     /* there were events */
	struct strtab known; /* fields that events had, for the nearest name */
	struct buf scratch;
};

/* Begins a table in o. `names`: fields with commas between; dies if one is empty. `header`:
 * with a line of names first. */
void table_open(struct table *t, struct out *o, const char *names, bool header);
/* What the readers must fill in: NEED_*. */
unsigned table_need(const struct table *t);
/* Writes a line for each of the events pick[0..n) of b, a batch of s. A field that an event
 * lacks is "-". */
void table_put(struct table *t, struct source *s, const struct batch *b,
	       const uint32_t *pick, uint32_t n);
/*
 * Ends the table and frees. If `all` (all events were read), reports names that no event
 * had. Gives ST_TROUBLE if there was one, else ST_OK.
 */
int table_close(struct table *t, bool all);

#endif
