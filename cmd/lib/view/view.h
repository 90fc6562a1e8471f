/*
 * view.h - looks up fields by name in every type of event.
 *
 * The filter, tables and statistics look up their fields only here. A row holds the fields
 * of one type in the order of their names; a loop over a batch uses `same` if all types
 * agree.
 */
#ifndef SPOOR_VIEW_H
#define SPOOR_VIEW_H

#include "view/field.h"

/* A name in an expression may be the name of a field, or of an event. */
enum {
	SEEN_FIELD = 1,
	SEEN_EVENT = 2,
};

struct view_name {
	char *name;   /* then its alternatives: each ends with a NUL */
	size_t bytes; /* of all these */
	uint8_t seen; /* SEEN_* of all types so far, of all inputs */
	/* The field in all types. Its load is LOAD_MIXED if types differ; its number is 0
	 * if some types write it in hex. */
	struct field same;
};

struct view {
	struct view_name *name;
	size_t n, cap;
	struct field *field; /* by type, then by name */
	size_t field_cap;
	uint32_t ntypes;
	unsigned epoch, head_serial;
	struct strtab known; /* names of the fields that there were, for view_missing */
};

/* Adds a name of n bytes; returns its number. With `either` the name may be several with |
 * between, of which the first that a type has counts. All names must be added before the
 * first view_bind. */
size_t view_add(struct view *v, const char *name, size_t n, bool either);
/* Frees the memory of v. */
void view_free(struct view *v);
/* Returns what the readers must fill in: NEED_*. */
unsigned view_need(const struct view *v);
/*
 * Looks up all names in the types that are new. `heads` is the number of the head. `text`:
 * the input is lines, which may be a text stream without header. Returns true if the tables
 * or the head are not those of the last call: whatever depends on numbers of types and
 * strings is then invalid.
 */
bool view_bind(struct view *v, const struct tables *t, const struct head *h,
	       unsigned head_serial, bool text);
/* Returns the field of name i in the records of a type. */
static inline const struct field *
view_field(const struct view *v, uint32_t type, size_t i)
{
	return &v->field[type * v->n + i];
}
/* Adds what another view of the same names has seen. */
void view_merge(struct view *v, const struct view *from);
/* Reports that no event had a field of this name, and which names there were or which name
 * is similar. */
void view_missing(const struct view *v, const char *name);
/* Returns the number of letters to change, add or drop between two names, ignoring case.
 * UINT32_MAX if `b` has more than 31 bytes. */
unsigned name_distance(const char *a, const char *b);

#endif
