/*
 * row_values.h - the cells of a table's rows: aggregates of groups, values computed from aggregates, and the test
 * of --having.
 */
#ifndef SPOOR_ROW_VALUES_H
#define SPOOR_ROW_VALUES_H

#include "summary/summary.h"

/* Prepares t for the cells of its groups, once t->st is complete. Computes all() and most(). */
void row_values_open(struct stats_table *t);
/* Appends the cell of column k, in the order of spec.shown, of group g; or of no events if there is no group g. */
void row_values_put(struct buf *b, struct stats_table *t, size_t k, uint32_t g);
/* Returns false if the cell of column k in group g is an estimate, or is computed from one. */
bool row_values_exact(const struct stats_table *t, size_t k, uint32_t g);
/* Returns the first aggregate of column k of the spec that is only an estimate in group g of st; NULL if all are
 * exact. */
const struct agg *row_values_estimate(const struct spec *spec, const struct stats *st,
				      size_t k, uint32_t g);
/* Returns true if column k measures time. */
bool row_values_time(const struct spec *spec, size_t k);
/* Sets used[c] for each column c of the spec that column `row` of spec->rows is computed from. */
void row_values_columns(const struct spec *spec, size_t row, bool *used);
/* Appends the number that row_values_put rounds for people, with the digits of a double. */
void row_values_full(struct buf *b, struct stats_table *t, size_t k, uint32_t g);
/* Frees what row_values_open has made. Returns false, after a message, if a value computed from rows did not fit
 * 64 bits. */
bool row_values_close(struct stats_table *t);

/* Parses --having for the columns of a question. Dies if it is wrong. having_close frees the result. In having.c. */
struct having *having_open(const char *text, const struct spec *spec);
/* Returns true if the row of a key in window w is wanted; g is as for row_values_put. */
bool having_row(struct having *h, struct stats_table *t, const uint32_t *key, int64_t w,
		uint32_t g);
/* Reports values that could not be compared, and frees h, which may be NULL. Returns ST_OK or ST_TROUBLE. */
int having_close(struct having *h);

#endif
