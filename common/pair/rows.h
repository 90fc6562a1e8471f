/*
 * rows.h - which events enter and leave a state by the rows of a schema: those that have a
 * `leave`, and values, which last until the next of their kind.
 */
#ifndef SPOOR_PAIR_ROWS_H
#define SPOOR_PAIR_ROWS_H

#include "event/schema.h"

/* What an event does to states. */
struct row_role {
	uint16_t state; /* their number, from 1; 0: nothing */
	bool begins, ends;
	bool point;	    /* it may end none */
	const char *fields; /* of the row, where some are keys, by notes; else NULL */
};

struct row_roles {
	struct strtab names; /* of events */
	struct row_role *v;  /* of each */
	size_t cap;
};

/* Takes the rows of a schema. */
void row_roles_set(struct row_roles *r, const struct schema *s);
/* What an event of that name does. */
struct row_role row_roles_of(const struct row_roles *r, const char *event, size_t n);
/* Frees all. */
void row_roles_free(struct row_roles *r);

#endif
