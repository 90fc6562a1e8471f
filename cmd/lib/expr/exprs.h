/*
 * exprs.h - a list of expressions (-F, -g, -k, the definitions of trace-derive), and their
 * values for a batch of events.
 */
#ifndef SPOOR_EXPRS_H
#define SPOOR_EXPRS_H

#include "expr/expr_tree.h"
#include "expr/val.h"
#include "input/source.h"

/* The values of one expression, of the events of a selection: n[j], r[j], any[j] are of
 * the j-th selected event. */
struct vec {
	uint8_t kind;	/* enum val_kind of all that are there; VAL_KINDS: each in any[] */
	bool all;	/* every event has one: there[] is not filled */
	uint8_t *there; /* 1 or 0 */
	int64_t *n;	/* of WHOLE, TIME, DECIMAL */
	double *r;	/* of REAL */
	struct val
	    *any; /* of VAL_KINDS (VAL_NONE: absent); texts live until the next run */
};

struct exprs;

/* Parses a list. Dies with a caret where it is wrong. flags: enum parse_flags. */
struct exprs *exprs_parse(const char *text, unsigned flags, expr_aggregate *aggregate);
/* Frees l, which may be NULL. */
void exprs_free(struct exprs *l);
/* Its tree: labels, names, plain fields. */
const struct expr_tree *exprs_tree(const struct exprs *l);
/* The list of -k, for exprs_key and expr_key; NULL of "": one key for all. Dies where it is
 * wrong. */
struct exprs *exprs_key_parse(const char *text);
/* The key of prev, nth and total: a list, which l takes over; NULL: one key for all. Without
 * a call it is loc. */
void exprs_key(struct exprs *l, struct exprs *keys);
/* Returns which fields the readers must fill in: NEED_*. */
unsigned exprs_need(const struct exprs *l);
/*
 * Computes all of the list for the events pick[0..n) of b, a batch of s (pick NULL: the first
 * n). These are also the events that prev, nth and total see. False if the list cannot be asked
 * of this source (a constant is a time, and the clock has no unit): a message has said so.
 */
bool exprs_run(struct exprs *l, struct source *s, const struct batch *b,
	       const uint32_t *pick, uint32_t n);
/* The values of the i-th of the list after that, until the next run. */
const struct vec *exprs_vec(const struct exprs *l, size_t i);
/* Appends the text of the i-th of the list, a plain field, as it stands in a stream: of event r
 * of the batch at hand. False where it is absent. */
bool exprs_text(const struct exprs *l, size_t i, const struct rec *r, struct buf *b);
/* The j-th of them as one value. */
struct val vec_val(const struct vec *v, uint32_t j);
/* The key of the j-th of them in a buffer that is emptied: the texts of its values, each with its
 * length; what is absent has none. */
void exprs_key_put(struct buf *b, const struct exprs *keys, enum clock clock, uint32_t j);
/* For a list with aggregates: the value of `node` of its tree where aggregate i has the value
 * agg[i]; no event is looked at. A text lives until the next call. */
struct val exprs_row(struct exprs *l, uint32_t node, const struct val *agg,
		     enum clock clock);
/* After that: whether all values of rows fitted 64 bits; says of each that did not. */
bool exprs_rows_fit(const struct exprs *l);
/* Returns whether one list must see all events in order: it has prev, nth or total. */
bool exprs_in_order(const struct exprs *l);
/* Takes over what another run of the same list has seen and counted. */
void exprs_merge(struct exprs *l, struct exprs *from);
/* The i-th field that the list asks for, from 0; *seen: whether some event had it. NULL behind
 * the last, and if there was no event. */
const char *exprs_field(const struct exprs *l, size_t i, bool *seen);
/* At the end of all input: as expr_finish. Says once how many values did not fit. */
int exprs_finish(struct exprs *l, bool partial);

#endif
