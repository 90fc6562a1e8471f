/*
 * loops.h - operations on the values of a batch, as loops over 64-bit integers or doubles, if these give exactly
 * the results of val.h. Each returns false, with `to` undefined, if no loop does; the caller then computes value
 * by value.
 */
#ifndef SPOOR_EXPR_LOOPS_H
#define SPOOR_EXPR_LOOPS_H

#include "expr/vreg.h"

/* Loads a field that is equal in all types. */
bool loop_load(const struct field *f, enum clock clock, const struct batch *b,
	       const struct sel *sel, struct vreg *to);
/* Loads a field that differs between types, but is an integer or absent in each. */
bool loop_load_mixed(const struct view *view, size_t asked, enum clock clock,
		     const struct batch *b, const struct sel *sel, struct vreg *to);
/* Computes a op b; at most one of them is a constant. */
bool loop_arith(enum val_op op, const struct val_env *env, const struct vreg *a,
		const struct vreg *b, uint32_t n, struct vreg *to);
/* Sets yes[k] to whether a op b holds, and there[k] to 0 if one of them is absent; other elements of there stay as
 * they are. */
bool loop_relate(enum test_op op, const struct vreg *a, const struct vreg *b, uint32_t n,
		 uint8_t *yes, uint8_t *there);
/* Converts plain numbers to times; a is no constant. */
bool loop_as_time(const struct val_env *env, const struct vreg *a, uint32_t n,
		  struct vreg *to);
/* Calls a function with nargs arguments, which are not all constants. */
bool loop_call(const struct func *f, struct vreg *const *arg, uint32_t nargs, uint32_t n,
	       struct vreg *to);

#endif
