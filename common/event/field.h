/* field.h - the fields of an event by name: columns, arguments, the parts of loc. */
#ifndef SPOOR_FIELD_H
#define SPOOR_FIELD_H

#include "event/event.h"

enum field_kind {
	FIELD_NONE, /* this type has no such field */
	FIELD_TIME,
	FIELD_LOC,
	FIELD_EVENT,
	FIELD_ADDR,
	FIELD_SIZE,
	FIELD_DUR,
	FIELD_END,  /* time + dur */
	FIELD_PART, /* one of the parts of loc, which '/' separates, or what metadata say of
		       it */
	FIELD_ARG,
};

/* The meaning of a name for the records of one type. */
struct field {
	enum field_kind kind;
	unsigned part;	       /* of FIELD_PART, from 0; LOC_PARTS: metadata */
	const char *meta;      /* of these, the name */
	const struct arg *arg; /* of FIELD_ARG */
};

/* The column called `name` (FIELD_TIME to FIELD_END), or FIELD_NONE. */
enum field_kind field_column(const char *name);
/* The name of the i-th column, from 0; NULL behind the last. */
const char *field_column_name(size_t i);
/* What a reader must fill in for a field of that name: NEED_*. */
unsigned field_need(const char *name);
/*
 * Looks a name up: first the columns, then the names of loc's parts, then the type's
 * arguments, then loc1, loc2, ..., then metadata of places, whose key is "PLACE:NAME". A
 * name that begins with "arg." is always that of an argument. The result is good as long as
 * the head.
 */
struct field field_find(const char *name, const struct head *h, const struct type *ty);
/* Appends the field's text as it is written in a stream. False when it is absent. */
bool field_text(struct buf *b, const struct head *h, const struct tables *t,
		const struct rec *r, struct field f);
/* Adds the names of a type's fields, and of loc's parts, to those that were seen; `text`:
 * the input is lines, which may be a text stream without header. */
void field_names(struct strtab *names, const struct head *h, const struct type *ty,
		 bool text);
/* Says that no event had a field of that name, which names there were, and
 * which is near. */
void field_missing(const struct strtab *names, const char *name);
/* How many letters to change, add or drop to make a of b, without regard to case;
 * UINT32_MAX if b is longer than 31 bytes. */
unsigned name_distance(const char *a, const char *b);
/*
 * What a FIELD_PART is of a location: the part itself; or of the metadata "PLACE:NAME"
 * those of the location, or of the first of its parts, as many as there are: written to `b`
 * as they stand in a stream. False where there is none.
 */
bool field_of_loc(struct buf *b, const struct head *h, struct field f,
		  const struct str *loc, struct span *part);

#endif
