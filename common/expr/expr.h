/*
 * expr.h - filter expressions: parsed once, compiled for every type of event, run over
 * batches.
 *
 *	W and size >= 64K and time in {10s..20s}
 *	MPI_*send and not (dest = 3) and dur > 1.5ms
 *
 * trace-filter(1) has the language. A test of the event's name or of a field that a type
 * lacks is decided when the type is compiled; what is left is a small branch program on
 * fixed offsets.
 */
#ifndef SPOOR_EXPR_H
#define SPOOR_EXPR_H

#include <stdio.h>

#include "input/source.h"

struct expr;

/* Parses; an error is shown with a caret under its place, then the program exits. */
struct expr *expr_parse(const char *text);
void expr_free(struct expr *e);
/* What the readers must fill in. */
unsigned expr_need(const struct expr *e);
/* Writes the numbers of the batch's events that match into pick, in order; gives how many.
 */
uint32_t expr_run(struct expr *e, struct source *s, const struct batch *b,
		  uint32_t pick[BATCH]);
/*
 * Whether the batch run last is of a source that the expression cannot be asked of: its
 * clock has no unit and a value has one. Then none matches, nor its opposite; it is said,
 * and other inputs go on.
 */
bool expr_refused(const struct expr *e);
/* Takes over which fields another run of the same expression has seen, for expr_finish. */
void expr_merge(struct expr *e, const struct expr *from);
/*
 * At the end of all input: a name that no record ever had is reported, with the nearest one
 * that some had, and a number that was held against values with names. Gives ST_TROUBLE
 * for the first. Of a partial the first is left to the merge (expr_field).
 */
int expr_finish(struct expr *e, bool partial);
/* Field i of those that tests ask for, from 0 on, and whether some event had it; NULL
 * behind the last, and where there was no event. */
const char *expr_field(const struct expr *e, size_t i, bool *seen);
/* -d: the tree as it was understood, and the program of every type of a source. */
void expr_print_tree(const struct expr *e, FILE *f);
void expr_print_programs(struct expr *e, struct source *s, FILE *f);

#endif
