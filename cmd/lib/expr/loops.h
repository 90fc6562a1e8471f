/*
 * loops.h - operations on the values of a batch, where a loop over integers of 64 bits
 * or over doubles gives exactly what val.h says. Each gives false, with `to` of no use,
 * where none does: the caller goes value by value.
 */
#ifndef SPOOR_EXPR_LOOPS_H
#define SPOOR_EXPR_LOOPS_H

#include "expr/vreg.h"

/* Loads a field that is the same in all types. */
bool loop_load(const struct field *f, enum clock clock, const struct batch *b,
	       const struct sel *sel, struct vreg *to);
/* Loads a field whose types differ: integers, or nothing. */
bool loop_load_mixed(const struct view *view, size_t asked, enum clock clock,
		     const struct batch *b, const struct sel *sel, struct vreg *to);
/* a op b; not both are constants. */
bool loop_arith(enum val_op op, const struct val_env *env, const struct vreg *a,
		const struct vreg *b, uint32_t n, struct vreg *to);
/* yes[k] = whether a op b holds; there[k] = 0 where one is absent, else it stays. */
bool loop_relate(enum test_op op, const struct vreg *a, const struct vreg *b, uint32_t n,
		 uint8_t *yes, uint8_t *there);
/* Plain numbers as times; a is no constant. */
bool loop_as_time(const struct val_env *env, const struct vreg *a, uint32_t n,
		  struct vreg *to);
/* A function of n arguments; not all are constants. */
bool loop_call(const struct func *f, struct vreg *const *arg, uint32_t nargs, uint32_t n,
	       struct vreg *to);

#endif
