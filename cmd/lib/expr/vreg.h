/*
 * vreg.h - the values of a step for some events of a run.
 */
#ifndef SPOOR_REG_H
#define SPOOR_REG_H

#include "event/event.h"
#include "expr/exprs.h"

/* The kind of a reg whose values are truths, 1 or 0, in v.there. */
#define REG_TRUTH (VAL_KINDS + 1)

/* The values of a step. v points into the reg's own memory, or into another's. */
struct vreg {
	struct vec v;
	bool constant; /* all have the value c; v is not filled */
	struct val c;
	uint8_t *there; /* its own memory: BATCH of each; NULL until it is used */
	int64_t *n;
	double *r;
	struct val *any;
};

/* Some events of a run. */
struct sel {
	uint32_t n;
	const uint32_t *at; /* their numbers in the batch */
	const uint32_t *j;  /* their numbers in the run */
	uint64_t gen;	    /* a number of its own: what is computed for it can be kept */
};

/* Begins to fill a reg in any order with n values, absent where none is put. */
void vreg_begin(struct vreg *r, uint32_t n);
void vreg_put_odd(struct vreg *r, uint32_t n, uint32_t k, const struct val *v);
void vreg_end(struct vreg *r, uint32_t n);
/* Puts the nfrom values of `from` to the places which[] of n. */
void vreg_scatter(struct vreg *to, uint32_t n, const uint32_t *which,
		  const struct vreg *from, uint32_t nfrom);
/* Fills `to` with the values of `from` that have the numbers j[0..n). */
void vreg_gather(struct vreg *to, const struct vreg *from, const uint32_t *j, uint32_t n);
/* Memory for values of its own. */
void vreg_room(struct vreg *r);
void vreg_free(struct vreg *r);
/* The k-th value. */
struct val vreg_val(const struct vreg *r, uint32_t k);

/* Puts the k-th of n values. */
static inline void
vreg_put(struct vreg *r, uint32_t n, uint32_t k, const struct val *v)
{
	if (v->kind == r->v.kind && v->kind - 1u < VAL_DECIMAL && i128_is_i64(v->n)) {
		r->n[k] = (int64_t)v->n.lo;
		r->there[k] = 1;
	} else
		vreg_put_odd(r, n, k, v);
}

/* Fills a reg with n values: `value` is that of number k. */
#define REG_FILL(to, n, k, value)                    \
	do {                                         \
		vreg_begin(to, n);                   \
		for (uint32_t k = 0; k < (n); k++) { \
			struct val v_ = (value);     \
                                                     \
			vreg_put(to, n, k, &v_);     \
		}                                    \
		vreg_end(to, n);                     \
	} while (0)

#endif
