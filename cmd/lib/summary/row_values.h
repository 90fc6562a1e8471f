/* row_values.h - the cells of a table's rows: aggregates of groups, what is computed of these,
 * and which rows --having keeps. */
#ifndef SPOOR_ROW_VALUES_H
#define SPOOR_ROW_VALUES_H

#include "summary/summary.h"

/* Makes t ready for the cells of its groups, when t->st has all of them: what all() and most()
 * are is computed here. */
void row_values_open(struct stats_table *t);
/* Appends the cell of column k, in the order of spec.shown, of group g, or of no events where
 * there is no such group. */
void row_values_put(struct buf *b, struct stats_table *t, size_t k, uint32_t g);
/* Returns false if that cell is an estimate, or is computed from one. */
bool row_values_exact(const struct stats_table *t, size_t k, uint32_t g);
/* Returns the first aggregate that column k of the spec is or is computed of, and that is only an estimate in
 * group g of st; or NULL. */
const struct agg *row_values_estimate(const struct spec *spec, const struct stats *st,
				      size_t k, uint32_t g);
/* Returns whether column k measures time. */
bool row_values_time(const struct spec *spec, size_t k);
/* Sets used[c] for each column c of the spec that column `row` of spec->rows is made of. */
void row_values_columns(const struct spec *spec, size_t row, bool *used);
/* Appends the number that row_values_put rounds for people, with the digits of a double. */
void row_values_full(struct buf *b, struct stats_table *t, size_t k, uint32_t g);
/* Frees what row_values_open has made. Gives whether all that was computed of rows fitted 64 bits;
 * says where it did not. */
bool row_values_close(struct stats_table *t);

/* having.c: parses --having for the columns of a question. Dies where it is wrong. */
struct having *having_open(const char *text, const struct spec *spec);
/* Returns whether the row of a key in window w is wanted; g as above. */
bool having_row(struct having *h, struct stats_table *t, const uint32_t *key, int64_t w,
		uint32_t g);
/* At the end: what could not be compared is reported. Gives a status. Frees h, which may be
 * NULL. */
int having_close(struct having *h);

#endif
