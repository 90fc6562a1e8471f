/*
 * view.h - looks up fields by name in every type of event.
 *
 * The filter, tables and statistics look their fields up here, and nowhere else. A row
 * holds the fields of one type in the order of their names; a loop over a batch takes
 * `same` where all types agree.
 */
#ifndef SPOOR_VIEW_H
#define SPOOR_VIEW_H

#include "view/field.h"

/* A name in the question may be that of a field, or of an event. */
enum {
	SEEN_FIELD = 1,
	SEEN_EVENT = 2,
};

struct view_name {
	char *name;   /* behind it, its alternatives: each with a NUL at its end */
	size_t bytes; /* of all these */
	uint8_t seen; /* SEEN_* of all types so far, of all inputs */
	/* In all types; its load is LOAD_MIXED if types differ, its number 0 if some write it in
	 * hex. */
	struct field same;
};

struct view {
	struct view_name *name;
	size_t n, cap;
	struct field *field; /* by type, then by name */
	size_t field_cap;
	uint32_t ntypes;
	unsigned epoch, heads;
	struct strtab known; /* names of the fields that there were, for view_missing */
};

/* Asks for one more name, of n bytes; gives its number. `either`: it may be several with |
 * between, of which the first that a type has counts. All before the first view_bind. */
size_t view_add(struct view *v, const char *name, size_t n, bool either);
/* Frees what v holds. */
void view_free(struct view *v);
/* What the readers must fill in: NEED_*. */
unsigned view_need(const struct view *v);
/*
 * Looks all names up in the types that are new. `heads` is the number of the head; `text`:
 * the input is lines, which may be a text stream without header. True where the tables or
 * the head are others than the last time: what hangs on numbers of types and strings is
 * void.
 */
bool view_bind(struct view *v, const struct tables *t, const struct head *h, unsigned heads,
	       bool text);
/* What name i is in the records of a type. */
static inline const struct field *
view_field(const struct view *v, uint32_t type, size_t i)
{
	return &v->field[type * v->n + i];
}
/* Takes over what another view of the same names has seen. */
void view_merge(struct view *v, const struct view *from);
/* Says that no event had a field of that name, which names there were, and which is near.
 */
void view_missing(const struct view *v, const char *name);
/* Letters to change, add or drop between two names, whatever their case; `b` has at most 31
 * bytes, else it is UINT32_MAX. */
unsigned name_distance(const char *a, const char *b);

#endif
