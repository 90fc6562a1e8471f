/* vreg.h - the values of a step, for some events of a run. */
#ifndef SPOOR_REG_H
#define SPOOR_REG_H

#include "event/event.h"
#include "expr/exprs.h"

/* The kind of a vreg whose values are truth values, 1 or 0, in v.there. */
#define REG_TRUTH (VAL_KINDS + 1)

/* The values of a step. v points into its own memory, or into another vreg's. */
struct vreg {
	struct vec v;
	bool constant; /* all values are c; v is not set */
	struct val c;
	uint8_t *there; /* own memory: BATCH elements each; NULL until it is used */
	int64_t *n;
	double *r;
	struct val *any;
};

/* A selection: some events of a run. */
struct sel {
	uint32_t n;
	const uint32_t *at; /* their numbers in the batch */
	const uint32_t *j;  /* their numbers in the run */
	/* unique number; values computed for the selection are kept under it */
	uint64_t gen;
};

/* Begins to fill a vreg with n values, absent unless vreg_put sets them, in any order. Allocates the own memory if there
 * is none (vreg_room). The first value that is a number sets v.kind. vreg_put_odd is vreg_put for values of another
 * kind. vreg_end ends the filling. */
void vreg_begin(struct vreg *r, uint32_t n);
void vreg_put_odd(struct vreg *r, uint32_t n, uint32_t k, const struct val *v);
void vreg_end(struct vreg *r, uint32_t n);
/* Copies the nfrom values of `from` to the places which[] in `to`, between vreg_begin and vreg_end of `to`, which has n
 * values. The other places keep their values. */
void vreg_scatter(struct vreg *to, uint32_t n, const uint32_t *which,
		  const struct vreg *from, uint32_t nfrom);
/* Fills `to` with the values of `from` with the indexes j[0..n). */
void vreg_gather(struct vreg *to, const struct vreg *from, const uint32_t *j, uint32_t n);
/* Allocates the own memory of a vreg, if there is none; vreg_free frees it. */
void vreg_room(struct vreg *r);
void vreg_free(struct vreg *r);
/* Returns the k-th value. */
struct val vreg_val(const struct vreg *r, uint32_t k);

/* Sets value k of n. */
static inline void
vreg_put(struct vreg *r, uint32_t n, uint32_t k, const struct val *v)
{
	if (v->kind == r->v.kind && v->kind - 1u < VAL_DECIMAL && i128_is_i64(v->n)) {
		r->n[k] = (int64_t)v->n.lo;
		r->there[k] = 1;
	} else
		vreg_put_odd(r, n, k, v);
}

/* Fills a vreg with n values; the expression `value` is value number k. */
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
