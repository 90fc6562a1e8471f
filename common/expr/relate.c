/* relate.c - relations, times and functions of a batch's values, as loops: see
 * loops.h. */
#include <string.h>

#include "expr/loops.h"

#define RELATE(op)                                       \
	for (uint32_t k = 0; k < n; k++)                 \
		yes[k] = x[k * step_x] op y[k * step_y]; \
	break
#define RELATE_ALL(name, type)                                                         \
	static void name(enum test_op op, const type *x, size_t step_x, const type *y, \
			 size_t step_y, uint32_t n, uint8_t *yes)                      \
	{                                                                              \
		switch (op) {                                                          \
		case OP_LT: RELATE(<);                                                 \
		case OP_LE: RELATE(<=);                                                \
		case OP_GT: RELATE(>);                                                 \
		case OP_GE: RELATE(>=);                                                \
		default: RELATE(==);                                                   \
		}                                                                      \
	}
RELATE_ALL(relate_ints, int64_t)
RELATE_ALL(relate_reals, double)

static enum test_op
turned(enum test_op op)
{
	switch (op) {
	case OP_LT: return OP_GT;
	case OP_LE: return OP_GE;
	case OP_GT: return OP_LT;
	case OP_GE: return OP_LE;
	default: return op;
	}
}

/*
 * Reals against a number that is a constant: against the double next to it, with an operator
 * that says the same of doubles.
 */
static bool
relate_real(enum test_op op, const struct reg *a, const struct val *c, uint32_t n,
	    uint8_t *yes)
{
	struct val next = {.kind = VAL_REAL};
	enum val_order order;

	if (c->kind == VAL_REAL)
		next.r = c->r;
	else if ((c->kind == VAL_WHOLE || c->kind == VAL_DECIMAL) && i128_is_i64(c->n))
		next.r = (double)(int64_t)c->n.lo / (c->kind == VAL_DECIMAL ? 1e9 : 1);
	else
		return false;
	order = val_cmp(&next, c);
	if (order != VAL_EQUAL && op == OP_EQ) {
		memset(yes, 0, n);
		return true;
	}
	if (order == VAL_LESS)
		op = op == OP_LT ? OP_LE : op == OP_GE ? OP_GT : op;
	else if (order == VAL_GREATER)
		op = op == OP_LE ? OP_LT : op == OP_GT ? OP_GE : op;
	relate_reals(op, a->v.r, 1, &next.r, 0, n, yes);
	return true;
}

static void
absent(const struct reg *r, uint32_t n, uint8_t *yes, uint8_t *there)
{
	if (r->constant || r->v.all)
		return;
	for (uint32_t k = 0; k < n; k++) {
		yes[k] &= r->v.there[k];
		there[k] &= r->v.there[k];
	}
}

static bool
is_real(const struct reg *r)
{
	return !r->constant && r->v.kind == VAL_REAL;
}

bool
loop_relate(enum test_op op, const struct reg *a, const struct reg *b, uint32_t n,
	    uint8_t *yes, uint8_t *there)
{
	struct ints x, y;

	if (op == OP_BITS)
		return false;
	if (op == OP_IN)
		op = OP_EQ;
	if (loop_ints(a, &x) && loop_ints(b, &y) && x.kind == y.kind)
		relate_ints(op, x.n, x.step, y.n, y.step, n, yes);
	else if (is_real(a) && is_real(b))
		relate_reals(op, a->v.r, 1, b->v.r, 1, n, yes);
	else if (!(is_real(a) && b->constant && relate_real(op, a, &b->c, n, yes)) &&
		 !(is_real(b) && a->constant && relate_real(turned(op), b, &a->c, n, yes)))
		return false;
	absent(a, n, yes, there);
	absent(b, n, yes, there);
	return true;
}

bool
loop_as_time(const struct val_env *env, const struct reg *a, uint32_t n, struct reg *to)
{
	bool scale = env->clock == CLOCK_NS && a->v.kind == VAL_WHOLE, fits = true;

	if (a->v.kind != VAL_TIME && a->v.kind != VAL_WHOLE &&
	    (a->v.kind != VAL_DECIMAL || env->clock != CLOCK_NS))
		return false;
	reg_room(to);
	loop_there(a, a, n, to);
	to->v.kind = VAL_TIME;
	for (uint32_t k = 0; k < n; k++)
		fits &= times_i64(a->v.n[k], scale ? 1000000000 : 1, &to->n[k]);
	return fits;
}

/* The least or the greatest, of equal ones the first; a plain number beside a time is one
 * already. */
static INLINE bool
extreme(bool least, struct reg *const *arg, uint32_t nargs, uint32_t n, struct reg *to)
{
	int64_t turn = least ? 0 : -1; /* ~v is greater where v is less */
	struct ints x, y;

	if (!loop_ints(arg[0], &x))
		return false;
	to->v.kind = x.kind;
	for (uint32_t k = 0; k < n; k++)
		to->n[k] = x.n[k * x.step];
	for (uint32_t i = 1; i < nargs; i++) {
		if (!loop_ints(arg[i], &y) || y.kind != x.kind)
			return false;
		for (uint32_t k = 0; k < n; k++) {
			int64_t v = y.n[k * y.step];

			to->n[k] = (v ^ turn) < (to->n[k] ^ turn) ? v : to->n[k];
		}
	}
	return true;
}

static bool
absolute(const struct reg *a, uint32_t n, struct reg *to)
{
	bool fits = true;

	if (a->v.kind - 1u >= VAL_DECIMAL)
		return false;
	to->v.kind = a->v.kind;
	for (uint32_t k = 0; k < n; k++) {
		int64_t x = a->v.n[k];

		fits &= x != INT64_MIN;
		to->n[k] = x < 0 && fits ? -x : x;
	}
	return fits;
}

/* floor(x, step) for whole numbers, and times: x less what is left of it. */
static bool
floored(const struct reg *a, const struct reg *by, uint32_t n, struct reg *to)
{
	struct ints x, y;
	uint64_t over = 0;

	if (!loop_ints(a, &x) || !loop_ints(by, &y) || x.kind != y.kind ||
	    x.kind == VAL_DECIMAL || !loop_divide(false, &x, &y, n, to))
		return false;
	to->v.kind = x.kind;
	for (uint32_t k = 0; k < n; k++) {
		uint64_t whole = (uint64_t)x.n[k * x.step], rest = (uint64_t)to->n[k],
			 z = whole - rest;

		over |= (whole ^ rest) & (whole ^ z);
		to->n[k] = (int64_t)z;
	}
	return !(over >> 63);
}

static bool
masked(const struct reg *a, const struct reg *mask, uint32_t n, struct reg *to)
{
	struct ints x, y;
	int64_t top = 0;

	if (!loop_ints(a, &x) || !loop_ints(mask, &y) || x.kind != VAL_WHOLE ||
	    y.kind != VAL_WHOLE)
		return false;
	to->v.kind = VAL_WHOLE;
	for (uint32_t k = 0; k < n; k++) {
		to->n[k] = x.n[k * x.step] & y.n[k * y.step];
		top |= to->n[k];
	}
	return top >= 0;
}

bool
loop_call(const struct func *f, struct reg *const *arg, uint32_t nargs, uint32_t n,
	  struct reg *to)
{
	const char *name = f->name;

	if (nargs > 2)
		return false;
	reg_room(to);
	loop_there(arg[0], arg[nargs - 1], n, to);
	if (!strcmp(name, "min") || !strcmp(name, "max"))
		return name[1] == 'i' ? extreme(true, arg, nargs, n, to)
				      : extreme(false, arg, nargs, n, to);
	if (!strcmp(name, "abs"))
		return absolute(arg[0], n, to);
	if (!strcmp(name, "floor") && nargs == 2)
		return floored(arg[0], arg[1], n, to);
	if (!strcmp(name, "bit"))
		return masked(arg[0], arg[1], n, to);
	return false;
}
