/*
 * filter.h - filter expressions: parsed once, compiled for every type of event, run over
 * batches.
 *
 *	W and size >= 64K and time in {10s..20s}
 *	MPI_*send and not (dest = 3) and dur > 1.5ms
 *
 * spoor-expr(7) has the language. When a type is compiled, tests of the event's name and
 * of fields that the type lacks are decided.
 */
#ifndef SPOOR_FILTER_H
#define SPOOR_FILTER_H

#include <stdio.h>

#include "expr/exprs.h"

struct expr;

/* Parses `text`. On an error shows it with a caret under its place, and dies. NULL of NULL,
 * which stands for an expression that all events pass wherever `e` below is not said to be
 * run. */
struct expr *expr_parse(const char *text);
/* Frees e. */
void expr_free(struct expr *e);
/* Returns which fields the readers must fill in for it: NEED_*. */
unsigned expr_need(const struct expr *e);
/* Writes the numbers of the events of b, a batch of s, that match into pick, in order.
 * Gives how many they are. */
uint32_t expr_run(struct expr *e, struct source *s, const struct batch *b,
		  uint32_t pick[BATCH]);
/* Does so for *n events, whose numbers are in *pick, which is `room`; without an expression all of
 * them, and *pick is NULL. False where expr_type_wrong. */
bool expr_choose(struct expr *e, struct source *s, const struct batch *b,
		 uint32_t room[BATCH], const uint32_t **pick, uint32_t *n);
/* Returns, if the types of events decide, by number of type whether it matches (not 0), as long
 * as there are no new ones. NULL where expr_run must be asked. Call it for each batch b of
 * s. */
const uint8_t *expr_types(struct expr *e, struct source *s, const struct batch *b);
/*
* Returns whether the expression cannot be asked of the source of the batch run last: the clock has
 * no unit, and a value of the expression has one. Then no event matches, not even with -v.
 * A message has said so.
 */
bool expr_type_wrong(const struct expr *e);
/* The key of prev, nth and total as -k has it; of NULL it stays loc. Before the first run. */
void expr_key(struct expr *e, const char *keys);
/* Returns whether one expr must see all events in order: it has prev, nth or total. */
bool expr_in_order(const struct expr *e);
/* Dies if `in_order` is set and --chunk was given: the events before those of the part are missing. */
void expr_refuse_parts(bool in_order);
/* Takes over what another run of the same expression has seen and counted, for expr_finish. */
void expr_merge(struct expr *e, struct expr *from);
/*
 * At the end of all input. Reports each name that no record had, with the nearest one that
 * some record had: then it gives ST_TROUBLE, else ST_OK. Reports each number that was
 * compared with values that have names. `partial`: missing names are left to the merge
 * (expr_field).
 */
int expr_finish(struct expr *e, bool partial);
/* The i-th field that a test asks for, from 0; *seen: whether some event had it. NULL
 * behind the last, and if there was no event. */
const char *expr_field(const struct expr *e, size_t i, bool *seen);
/* -d: writes the tree as it was understood; what every type of a source decides. */
void expr_print_tree(const struct expr *e, FILE *f);
void expr_print_types(struct expr *e, struct source *s, FILE *f);

#endif
