/*
 * import.h - copies records between two sets of tables: translates the numbers of their
 * types and strings.
 */
#ifndef SPOOR_IMPORT_H
#define SPOOR_IMPORT_H

#include "event/event.h"

/* Zero it, then set `types` and `strings`, and `shared` if it is used. */
struct import {
	/* the tables that receive types and strings; they may be the same */
	struct tables *types, *strings;
	unsigned from_epoch, types_epoch, strings_epoch;
	uint32_t *str; /* by string number in `from`: the number here, plus 1 */
	size_t strcap;
	uint32_t *type; /* by type number in `from`: the type here, plus 1 */
	size_t typecap;
	struct strtab known; /* all types here, by type_key */
	uint32_t *number;    /* by number in `known`: the type */
	size_t numbercap;
	/* The import whose `known` is used, if several inputs share the tables; NULL: its own. */
	struct import *shared;
};

/* Prepares im for a batch of records of `from`. Call it before the other functions, for each batch. In a new epoch of
 * `from`, or of the tables here, it forgets all numbers. */
void import_from(struct import *im, const struct tables *from);
/* Returns the number here of string `id` of `from`, which is added if it is new. */
uint32_t import_new_str(struct import *im, const struct tables *from, uint32_t id);
/* Returns the same number as import_new_str, faster if the string was met before. */
static inline uint32_t
import_str(struct import *im, const struct tables *from, uint32_t id)
{
	uint32_t n = id < im->strcap ? im->str[id] : 0;

	return n ? n - 1 : import_new_str(im, from, id);
}
/* Returns the number here of a type of `from`. Types that are alike have one number. */
uint32_t import_type(struct import *im, const struct tables *from, uint32_t type);
/* Returns the number here of `ty`, a type in the place of type `type` of `from` that has another name or other
 * arguments; `ty` is copied. import_type of `type` returns this number until the next epoch (import_from). */
uint32_t import_type_as(struct import *im, uint32_t type, const struct type *ty);
/* Translates the strings of a record's arguments; ty is its type in `from`. */
void import_args(struct import *im, const struct tables *from, const struct type *ty,
		 struct rec *r);
/* Translates the place and all strings of a record of `from`, and sets the type of the record to `type`. */
static inline void
import_rec(struct import *im, const struct tables *from, const struct type *ty,
	   struct rec *r, uint32_t type)
{
	r->type = type;
	r->loc = import_str(im, from, r->loc);
	/* Most inputs have no symbols. */
	if (unlikely(from->holds & HOLDS_SYMS) && ty->holds & HOLDS_SYMS)
		import_args(im, from, ty, r);
}
/* Returns true if the numbers of strings in arrays of a record share no bytes with other arguments. In a damaged
 * stream they may, and import_rec would then change those arguments. ty is the record's type. */
bool import_apart(const struct type *ty, const struct rec *r);
/* Adds to t a type like `ty` of other tables with n more arguments after its own. Returns the number of the new type.
 * Everything is copied, the labels too. */
uint32_t import_more(struct tables *t, const struct type *ty, const struct arg *more,
		     uint32_t n);
/* Frees what im holds. */
void import_free(struct import *im);

#endif
