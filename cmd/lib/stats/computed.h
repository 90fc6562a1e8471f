/* computed.h - the parts of a question to trace-stats that are expressions. */
#ifndef SPOOR_COMPUTED_H
#define SPOOR_COMPUTED_H

#include "expr/exprs.h"
#include "stats/spec.h"

/* Returns true if nothing in the list of -g, or of -a, is computed: it has only names, and calls with names. */
bool keys_plain(const char *keys);
bool aggregates_plain(const char *list);
/* Adds the keys, or the columns, of a list of expressions. Reports an error with a caret, and exits. */
void computed_keys(struct spec *p, const char *keys);
void computed_columns(struct spec *p, const char *list);
/* Returns true if an aggregate of the tree is about rows of the table: all(), most(). */
bool aggregate_of_rows(const struct expr_agg *agg);
/* Returns the number of the column that all(NAME) or most(NAME) names; UINT32_MAX if the argument is an
 * expression. */
uint32_t row_column(const struct expr_tree *t, const struct expr_agg *agg);

#endif
