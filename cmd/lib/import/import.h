/*
 * import.h - records of one set of tables among those of another: their types, and the
 * numbers of their strings, are translated.
 */
#ifndef SPOOR_IMPORT_H
#define SPOOR_IMPORT_H

#include "event/event.h"

struct import {
	struct tables *types, *strings; /* where types and strings go: may be the same */
	unsigned from_epoch, types_epoch, strings_epoch;
	uint32_t *str; /* by number there: its number here, and 1 */
	size_t strcap;
	uint32_t *type; /* the same of types */
	size_t typecap;
	struct strtab known; /* all types here, by what they are made of */
	uint32_t *number;    /* of these: the type's number */
	size_t numbercap;
	/* Of several inputs into the same tables: the one whose `known` is everybody's. NULL:
	 * its own. */
	struct import *shared;
};

/* To be called for each batch of records of `from`, before the others. */
void import_from(struct import *im, const struct tables *from);
/* The number here of string `id` of `from`. */
uint32_t import_new_str(struct import *im, const struct tables *from, uint32_t id);
static inline uint32_t
import_str(struct import *im, const struct tables *from, uint32_t id)
{
	uint32_t n = id < im->strcap ? im->str[id] : 0;

	return n ? n - 1 : import_new_str(im, from, id);
}
/* The number here of a type of `from`: like types have the same. */
uint32_t import_type(struct import *im, const struct tables *from, uint32_t type);
/* The same for a type of `from` that is called `ty` here, with arguments of its own. */
uint32_t import_type_as(struct import *im, uint32_t type, const struct type *ty);
/* Translates the strings of a record's arguments; ty is its type in `from`. */
void import_args(struct import *im, const struct tables *from, const struct type *ty,
		 struct rec *r);
/* Translates all that a record of `from` names; `type` becomes its type. */
static inline void
import_rec(struct import *im, const struct tables *from, const struct type *ty,
	   struct rec *r, uint32_t type)
{
	r->type = type;
	r->loc = import_str(im, from, r->loc);
	/* Most inputs have none at all. */
	if (unlikely(from->holds & HOLDS_SYMS) && ty->holds & HOLDS_SYMS)
		import_args(im, from, ty, r);
}
/* Returns whether the numbers of strings in arrays of a record have bytes of their own. In a damaged
 * stream they need not: then import_rec would change other arguments. ty is its type. */
bool import_apart(const struct type *ty, const struct rec *r);
/* type_more of one of other tables, whose labels are copied as well. */
uint32_t import_more(struct tables *t, const struct type *ty, const struct arg *more,
		     uint32_t n);
/* Frees what im holds. */
void import_free(struct import *im);

#endif
