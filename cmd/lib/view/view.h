/*
 * view.h - looks up fields by name in every type of event.
 *
 * The filter, tables and statistics look up their fields only here. view.field holds one row for each type, with
 * the fields in the order of the names. A loop over a batch can use `same` if all types agree.
 */
#ifndef SPOOR_VIEW_H
#define SPOOR_VIEW_H

#include "view/field.h"

/* How a name was met: as the name of a field, or of an event. */
enum {
	SEEN_FIELD = 1,
	SEEN_EVENT = 2,
};

struct view_name {
	char *name;   /* the name, then its alternatives, each with a NUL */
	size_t bytes; /* bytes of `name`, with all NULs */
	uint8_t seen; /* SEEN_* of all types so far, in all inputs */
	/* The field in all types. Its load is LOAD_MIXED if types differ; its number is 0 if only some types write
	 * it in hex. */
	struct field same;
};

struct view {
	struct view_name *name;
	size_t n, cap;
	struct field *field; /* by type, then by name */
	size_t field_cap;
	uint32_t ntypes;
	unsigned epoch, head_serial;
	struct strtab known; /* names of all fields that were met, for view_missing */
};

/* Adds a name of n bytes, which is copied. Returns its number. If `either`, the name may be several with | between, of which the
 * first that a type has counts. Add all names before the first view_bind. */
size_t view_add(struct view *v, const char *name, size_t n, bool either);
/* Frees the memory of v. */
void view_free(struct view *v);
/* Returns the columns that the readers must fill in: NEED_*. */
unsigned view_need(const struct view *v);
/* Looks up all names in the types that are new. `head_serial` is the serial number of the head h. `text`: the
 * input is lines, which may be a text stream without a header. Returns true if the tables or the head are not the
 * same as in the last call: everything that depends on numbers of types and strings is then invalid. */
bool view_bind(struct view *v, const struct tables *t, const struct head *h,
	       unsigned head_serial, bool text);
/* Returns the field of name i in the records of a type. */
static inline const struct field *
view_field(const struct view *v, uint32_t type, size_t i)
{
	return &v->field[type * v->n + i];
}
/* Adds the names that `from`, a view of the same names, has met. */
void view_merge(struct view *v, const struct view *from);
/* Reports that no event had a field of this name, and lists the names of fields, or a similar name. */
void view_missing(const struct view *v, const char *name);
/* Returns the number of letters to change, add or drop between two names, ignoring case; UINT32_MAX if `b` has
 * more than 31 bytes. */
unsigned name_distance(const char *a, const char *b);

#endif
