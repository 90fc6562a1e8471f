/*
 * exprs.h - a list of expressions (-F, -g, -k, the definitions of trace-derive), and their values for a batch of
 * events.
 */
#ifndef SPOOR_EXPRS_H
#define SPOOR_EXPRS_H

#include "expr/expr_tree.h"
#include "expr/val.h"
#include "input/source.h"

/* The values of an expression for a selection: n[j], r[j] or any[j] is the value of the j-th selected event. */
struct vec {
	/* enum val_kind of all present values; VAL_KINDS: the kind is in any[] */
	uint8_t kind;
	bool all;	/* every event has a value; there[] is not set */
	uint8_t *there; /* by event: 1 if it has a value, else 0 */
	int64_t *n;	/* for VAL_WHOLE, VAL_TIME, VAL_DECIMAL */
	double *r;	/* for VAL_REAL */
	/* for VAL_KINDS (VAL_NONE: absent); texts are valid until the next run */
	struct val *any;
};

struct exprs;

/* Parses a list. Reports an error with a caret, and exits. flags: enum parse_flags. exprs_free frees the result. */
struct exprs *exprs_parse(const char *text, unsigned flags, expr_aggregate *aggregate);
/* Frees l, which may be NULL. */
void exprs_free(struct exprs *l);
/* Returns the tree of a list: labels, names, plain fields. It belongs to l. */
const struct expr_tree *exprs_tree(const struct exprs *l);
/* Parses the argument of -k into a list for exprs_key and expr_key. Returns NULL if the argument is empty: all events
 * then have one key. Dies if the argument is wrong. exprs_free frees the list. */
struct exprs *exprs_key_parse(const char *text);
/* Sets the key of prev, nth and total: a list, which l takes over; NULL: one key for all events. Without a call
 * the key is loc. */
void exprs_key(struct exprs *l, struct exprs *keys);
/* Returns the columns that the readers must fill in: NEED_*. */
unsigned exprs_need(const struct exprs *l);
/* Computes the list for the events pick[0..n) of b, a batch of s (pick NULL: the first n). prev, nth and total see
 * these events only. Returns false, after a message, if the list cannot be used on this source: a constant is a
 * time, and the clock has no unit. */
bool exprs_run(struct exprs *l, struct source *s, const struct batch *b,
	       const uint32_t *pick, uint32_t n);
/* Returns the values of the i-th expression, valid until the next run. */
const struct vec *exprs_vec(const struct exprs *l, size_t i);
/* Appends the text of the i-th expression, a plain field, as in a stream, of record r of the current batch.
 * Returns false if it is absent. */
bool exprs_text(const struct exprs *l, size_t i, const struct rec *r, struct buf *b);
/* Returns the j-th value of v. */
struct val vec_val(const struct vec *v, uint32_t j);
/* Writes the key of the j-th event to b, which is emptied first: the texts of its values, each with its length; an
 * absent value has no text. */
void exprs_key_put(struct buf *b, const struct exprs *keys, enum clock clock, uint32_t j);
/* Returns the value of `node` of a list with aggregates, if aggregate i has the value agg[i]. Looks at no event. A
 * text is valid until the next call. */
struct val exprs_row(struct exprs *l, uint32_t node, const struct val *agg,
		     enum clock clock);
/* Reports each column with values of rows that did not fit 64 bits. Call it after all exprs_row. Returns true if
 * all fitted. */
bool exprs_rows_fit(const struct exprs *l);
/* Returns true if one list must see all events in order: it has prev, nth or total. */
bool exprs_in_order(const struct exprs *l);
/* Adds what another run of the same list has seen and counted. */
void exprs_merge(struct exprs *l, struct exprs *from);
/* Returns the i-th field that the list uses, from 0, and sets *seen to whether some event had it. Returns NULL
 * after the last, and if there was no event. */
const char *exprs_field(const struct exprs *l, size_t i, bool *seen);
/* Ends all input as expr_finish does. Reports how many values did not fit. Returns ST_TROUBLE, after a message, if no event
 * had some field of the list, unless `partial`; else ST_OK. */
int exprs_finish(struct exprs *l, bool partial);

#endif
