/* table.h - chosen fields of events as a rectangular table, for join, paste and
 * spreadsheets. */
#ifndef SPOOR_TABLE_H
#define SPOOR_TABLE_H

#include "event/field.h"
#include "input/source.h"
#include "output/rows.h"

struct table {
	struct rows rows;
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
};

/* `names`: fields with commas between; dies on an empty one. header: a line with the names
 * first. */
void table_open(struct table *t, struct out *o, const char *names, bool header);
/* What the readers must fill in: NEED_*. */
unsigned table_need(const struct table *t);
/* A line for each of the events pick[0..n); a field that an event lacks is "-". */
void table_put(struct table *t, struct source *s, const struct batch *b,
	       const uint32_t *pick, uint32_t n);
/*
 * Reports names that no event had, where all events were read. Gives ST_OK or ST_TROUBLE,
 * and frees.
 */
int table_close(struct table *t, bool all);

#endif
