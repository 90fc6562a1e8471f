/*
 * filter.h - filter expressions: parsed once, compiled for each type of event, run on batches.
 *
 *     W and size >= 64K and time in {10s..20s}
 *     MPI_*send and not (dest = 3) and dur > 1.5ms
 *
 * spoor-expr(7) defines the language. When a type is compiled, tests of the event's name and of fields that the
 * type lacks are decided.
 */
#ifndef SPOOR_FILTER_H
#define SPOOR_FILTER_H

#include <stdio.h>

#include "expr/exprs.h"

struct expr;

/* Parses `text`. Reports an error with a caret under its place, and exits. Returns NULL for NULL, an expression
 * that all events pass: expr_free, expr_need, expr_choose, expr_key, expr_in_order and expr_finish accept it.
 * expr_free frees the result. */
struct expr *expr_parse(const char *text);
/* Frees e and all that it holds. */
void expr_free(struct expr *e);
/* Returns the columns that the readers must fill in: NEED_*. */
unsigned expr_need(const struct expr *e);
/* Writes the numbers of the matching events of b, a batch of s, to pick, in order. Returns how many match. */
uint32_t expr_run(struct expr *e, struct source *s, const struct batch *b,
		  uint32_t pick[BATCH]);
/* Finds the *n matching events of b: *pick is `room`, filled with their numbers; or NULL if e is NULL, because all
 * match. Returns false if expr_type_wrong is true. */
bool expr_choose(struct expr *e, struct source *s, const struct batch *b,
		 uint32_t room[BATCH], const uint32_t **pick, uint32_t *n);
/* Returns an array by number of type, not 0 if the type matches, if types alone decide; valid until there are new
 * types. Else returns NULL, and expr_run must be called. Call it for each batch b of s. */
const uint8_t *expr_types(struct expr *e, struct source *s, const struct batch *b);
/* Returns true if the expression cannot be used on the source of the last batch: the clock has no unit, but a
 * value in the expression has one. A message has reported it, and no event matches, even with -v. */
bool expr_type_wrong(const struct expr *e);
/* Sets the key of prev, nth and total, in the form of -k; NULL: loc. Call it before the first run. */
void expr_key(struct expr *e, const char *keys);
/* Returns true if one expr must see all events in order: it has prev, nth or total. */
bool expr_in_order(const struct expr *e);
/* Dies if `in_order` is set and --chunk was given, because the events before the part are missing. */
void expr_refuse_parts(bool in_order);
/* Adds what another run of the same expression has seen and counted, for expr_finish. */
void expr_merge(struct expr *e, struct expr *from);
/* Ends all input. Reports each name that no record had, with the nearest name that some record had, and each
 * number that was compared with named values. partial: leaves missing names to the merge (expr_field). Returns
 * ST_TROUBLE if a name was missing, else ST_OK. */
int expr_finish(struct expr *e, bool partial);
/* Returns the i-th field that a test uses, from 0, and sets *seen to whether some event had it. Returns NULL after
 * the last, and if there was no event. */
const char *expr_field(const struct expr *e, size_t i, bool *seen);
/* Prints the tree, for -d; expr_print_types prints what each type of a source decides. */
void expr_print_tree(const struct expr *e, FILE *f);
void expr_print_types(struct expr *e, struct source *s, FILE *f);

#endif
