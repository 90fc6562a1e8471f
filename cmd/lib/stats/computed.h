/* computed.h - the parts of a question to trace-stats that are expressions. */
#ifndef SPOOR_COMPUTED_H
#define SPOOR_COMPUTED_H

#include "expr/exprs.h"
#include "stats/spec.h"

/* Returns whether the list of -g, or of -a, has names and calls of names alone, so that nothing is
 * computed. */
bool keys_plain(const char *keys);
bool aggregates_plain(const char *list);
/* Adds the keys, or the columns, of a list that computes. Dies, with a caret, where it is
 * wrong. */
void computed_keys(struct spec *p, const char *keys);
void computed_columns(struct spec *p, const char *list);
/* Returns whether an aggregate of the tree is of the rows of the table: all(), most(). */
bool aggregate_of_rows(const struct expr_agg *agg);
/* The number of the column that all(NAME) or most(NAME) names; UINT32_MAX: its argument is an
 * expression. */
uint32_t row_column(const struct expr_tree *t, const struct expr_agg *agg);

#endif
