/* loops.c - operations on the values of a batch as loops over 64-bit integers and doubles: see loops.h. */
#include <float.h>
#include <string.h>

#include "expr/loops.h"

/* Doubles hold every whole number below this limit. */
#define EXACT (1ll << 53)

/* An operand of integers: n[k * step]. */
struct ints {
	const int64_t *n;
	size_t step; /* 0 for a constant */
	uint8_t kind;
	int64_t c;
};

/* Sets *x to the operand as integers; x->c holds a constant. Returns false if it has other values. */
static bool
loop_ints(const struct vreg *r, struct ints *x)
{
	x->kind = r->constant ? r->c.kind : r->v.kind;
	if (x->kind != VAL_WHOLE && x->kind != VAL_TIME && x->kind != VAL_DECIMAL)
		return false;
	x->step = !r->constant;
	x->n = r->v.n;
	if (!r->constant)
		return true;
	x->c = (int64_t)r->c.n.lo;
	x->n = &x->c;
	return i128_is_i64(r->c.n);
}

/* Marks the values of `to` as present that are present in both a and b. */
static void
loop_there(const struct vreg *a, const struct vreg *b, uint32_t n, struct vreg *to)
{
	bool all_a = a->constant || a->v.all, all_b = b->constant || b->v.all;

	to->v.all = all_a && all_b;
	if (to->v.all)
		return;
	if (all_a || all_b) {
		memcpy(to->there, all_a ? b->v.there : a->v.there, n);
		return;
	}
	for (uint32_t k = 0; k < n; k++)
		to->there[k] = a->v.there[k] & b->v.there[k];
}

/* Fills to->there before a loop marks single values as absent. */
static void
need_there(struct vreg *to, uint32_t n)
{
	if (to->v.all)
		memset(to->there, 1, n);
	to->v.all = false;
}

bool
loop_load(const struct field *f, enum clock clock, const struct batch *b,
	  const struct sel *sel, struct vreg *to)
{
	bool time = field_is_time(f->kind);
	const struct field one = *f;
	uint64_t top = 0;

	if ((f->load != LOAD_INT && f->load != LOAD_END) || (f->number == K_NS && !time))
		return false;
	vreg_room(to);
	to->v.kind = time ? VAL_TIME : VAL_WHOLE;
	to->v.all = !f->bit;
	if (f->load == LOAD_INT && !f->shift && !f->bit) {
		const uint8_t *base = b->base + one.off;
		const uint32_t *off = b->off, *at = sel->at, n = sel->n;
		int64_t *v = to->n;

		/* the selection, which is in order, begins with the whole batch */
		if (n && at[n - 1] == n - 1)
			for (uint32_t k = 0; k < n; k++) {
				uint64_t x = ld64(base + off[k]);

				top |= x;
				v[k] = (int64_t)x;
			}
		else
			for (uint32_t k = 0; k < n; k++) {
				uint64_t x = ld64(base + off[at[k]]);

				top |= x;
				v[k] = (int64_t)x;
			}
	} else
		for (uint32_t k = 0; k < sel->n; k++) {
			uint64_t x = 0;

			to->there[k] = field_load(&one, batch_rec(b, sel->at[k]), &x);
			top |= x;
			to->n[k] = (int64_t)x;
		}
	/* Unsigned integers from 2^63 on do not fit int64_t. */
	return f->sign || f->shift || !(top >> 63) || (time && clock == CLOCK_NS);
}

bool
loop_load_mixed(const struct view *view, size_t asked, enum clock clock,
		const struct batch *b, const struct sel *sel, struct vreg *to)
{
	const char *name = view->name[asked].name;
	bool time = field_is_time(field_column(name, strlen(name)));

	vreg_room(to);
	to->v.kind = time ? VAL_TIME : VAL_WHOLE;
	to->v.all = false;
	for (uint32_t k = 0; k < sel->n; k++) {
		const struct rec *r = batch_rec(b, sel->at[k]);
		const struct field *f = view_field(view, r->type, asked);
		uint64_t x = 0;

		to->there[k] = field_load(f, r, &x);
		if (unlikely(f->load != LOAD_NONE &&
			     (!(f->load == LOAD_INT || f->load == LOAD_END) ||
			      (f->number == K_NS && !time) ||
			      (x >> 63 && !(f->sign && (!time || clock == CLOCK_NS))))))
			return false;
		to->n[k] = (int64_t)x;
	}
	return true;
}

/* A constant d > 0, to compute floor(x / d) from the upper half of a product. */
struct divisor {
	int64_t d;
	unsigned shift; /* of x, if d is a power of two; else of the product */
	uint64_t magic; /* 0: d is a power of two */
};

static struct divisor
divisor(int64_t d)
{
	struct divisor v = {.d = d};
	uint64_t rest, whole = 0, u = (uint64_t)d;

	v.shift = 63 - leading_zeros64(u);
	if (!(u & (u - 1)))
		return v;
	/* ceil(2^(64 + shift) / d), which has 64 bits: exact for x below 2^63. */
	rest = 1ull << v.shift;
	for (unsigned i = 0; i < 64; i++) {
		rest *= 2; /* does not overflow: rest < d < 2^63 */
		whole = whole << 1 | (rest >= u);
		rest -= rest >= u ? u : 0;
	}
	v.magic = whole + 1;
	return v;
}

static inline int64_t
floor_by(int64_t x, const struct divisor *v)
{
	uint64_t sign = 0 - ((uint64_t)x >> 63), low, high;

	mul64((uint64_t)x ^ sign, v->magic, &low, &high);
	return (int64_t)(high >> v->shift ^ sign);
}

/* Computes // (if `floor`) or % by a constant d. */
static void
divide_by(bool floor, const int64_t *x, int64_t d, uint32_t n, int64_t *to)
{
	const struct divisor v = divisor(d);

	if (!v.magic && floor)
		for (uint32_t k = 0; k < n; k++)
			/* In C the compiler decides how a negative number is shifted. */
			to[k] = x[k] < 0 ? ~(~x[k] >> v.shift) : x[k] >> v.shift;
	else if (!v.magic)
		for (uint32_t k = 0; k < n; k++)
			to[k] = x[k] & (d - 1);
	else if (floor)
		for (uint32_t k = 0; k < n; k++)
			to[k] = floor_by(x[k], &v);
	else
		for (uint32_t k = 0; k < n; k++)
			to[k] = (int64_t)((uint64_t)x[k] -
					  (uint64_t)floor_by(x[k], &v) * (uint64_t)d);
}

/* Computes // (if `floor`) or % of two values; absent if the divisor is 0. Returns false on overflow. */
static bool
loop_divide(bool floor, const struct ints *a, const struct ints *b, uint32_t n,
	    struct vreg *to)
{
	bool over = false;

	if (!b->step && *b->n > 0 && a->step && n >= 32) {
		divide_by(floor, a->n, *b->n, n, to->n);
		return true;
	}
	need_there(to, n);
	for (uint32_t k = 0; k < n; k++) {
		int64_t x = a->n[k * a->step], y = b->n[k * b->step], q, r;

		over |= x == INT64_MIN && y == -1;
		to->there[k] &= y != 0;
		if (y == 0 || y == -1) {
			to->n[k] = floor && y && x != INT64_MIN ? -x : 0;
			continue;
		}
		q = x / y;
		r = x % y;
		if (r && (r ^ y) < 0) {
			q--;
			r += y;
		}
		to->n[k] = floor ? q : r;
	}
	return !over;
}

/* Computes a + b, or, if all bits of `turn` are set, a - b, as -y is ~y + 1. Returns false on overflow. */
static INLINE bool
loop_add(uint64_t turn, const struct ints *a, const struct ints *b, uint32_t n, int64_t *to)
{
	uint64_t over = 0;

	for (uint32_t k = 0; k < n; k++) {
		uint64_t x = (uint64_t)a->n[k * a->step],
			 y = (uint64_t)b->n[k * b->step] ^ turn, z = x + y - turn;

		over |= ~(x ^ y) & (x ^ z);
		to[k] = (int64_t)z;
	}
	return !(over >> 63);
}

static bool
multiply_ints(const struct ints *a, const struct ints *b, uint32_t n, int64_t *to)
{
	bool fits = true;

	for (uint32_t k = 0; k < n; k++)
		fits &= times_i64(a->n[k * a->step], b->n[k * b->step], &to[k]);
	return fits;
}

/* Computes a / b as doubles. scale: a counts seconds, b ns, so a is multiplied by it. Returns false on overflow. */
static bool
quotient(const struct ints *a, int64_t scale, const struct ints *b, uint32_t n,
	 struct vreg *to)
{
	bool fits = true;

	need_there(to, n);
	for (uint32_t k = 0; k < n; k++) {
		int64_t x = a->n[k * a->step], y = b->n[k * b->step];

		if (scale != 1)
			fits &= times_i64(x, scale, &x);
		to->there[k] &= y != 0;
		to->r[k] = (double)x / (double)(y ? y : 1) + 0.0; /* avoids -0 */
	}
	to->v.kind = VAL_REAL;
	return fits;
}

/* Returns true if the kinds need no conversion for the operation, and sets *kind to the kind of the result. */
static bool
int_kinds(enum val_op op, uint8_t a, uint8_t b, uint8_t *kind)
{
	bool ww = a == VAL_WHOLE && b == VAL_WHOLE, tt = a == VAL_TIME && b == VAL_TIME;

	*kind = a;
	switch (op) {
	case VAL_ADD:
	case VAL_SUB:
	case VAL_MOD: return ww || tt;
	case VAL_MUL:
		*kind = a == VAL_TIME || b == VAL_TIME ? VAL_TIME : VAL_WHOLE;
		return ww || (a == VAL_TIME && b == VAL_WHOLE) ||
		       (a == VAL_WHOLE && b == VAL_TIME);
	case VAL_FLOOR:
		*kind = tt ? VAL_WHOLE : a;
		return ww || tt || (a == VAL_TIME && b == VAL_WHOLE);
	case VAL_DIV: return ww || tt || (a == VAL_WHOLE && b == VAL_TIME);
	default: break;
	}
	return false;
}

/* Sets *x to the operand as doubles, in room[] if they must be converted. Returns false if it has other values, or
 * one that a double cannot hold exactly. */
static bool
as_reals(const struct vreg *r, uint32_t n, double room[BATCH], const double **x)
{
	struct ints i;
	bool exact = true;

	*x = room;
	if (r->constant && r->c.kind == VAL_REAL) {
		for (uint32_t k = 0; k < n; k++)
			room[k] = r->c.r;
		return true;
	}
	if (!r->constant && r->v.kind == VAL_REAL) {
		*x = r->v.r;
		return true;
	}
	if (!loop_ints(r, &i) || i.kind == VAL_TIME)
		return false;
	for (uint32_t k = 0; k < n; k++) {
		int64_t v = i.n[k * i.step];

		exact &= v > -EXACT && v < EXACT;
		room[k] = i.kind == VAL_DECIMAL ? (double)v / 1e9 : (double)v;
	}
	return exact;
}

/* Computes + - * / of numbers, at least one of them real. Returns false if a result is not finite. */
static bool
real_arith(enum val_op op, const struct vreg *a, const struct vreg *b, uint32_t n,
	   struct vreg *to)
{
	double room_a[BATCH], room_b[BATCH];
	const double *x, *y;
	bool odd = false;

	if (op >= VAL_FLOOR || !as_reals(a, n, room_a, &x) || !as_reals(b, n, room_b, &y))
		return false;
	to->v.kind = VAL_REAL;
	if (op == VAL_DIV)
		need_there(to, n);
	for (uint32_t k = 0; k < n; k++) {
		double z;

		switch (op) {
		case VAL_ADD: z = x[k] + y[k]; break;
		case VAL_SUB: z = x[k] - y[k]; break;
		case VAL_MUL: z = x[k] * y[k]; break;
		default:
			to->there[k] &= y[k] != 0;
			z = to->there[k] ? x[k] / y[k] : 0;
			break;
		}
		odd |= !(z >= -DBL_MAX && z <= DBL_MAX) && (to->v.all || to->there[k]);
		to->r[k] = z + 0.0;
	}
	return !odd;
}

bool
loop_arith(enum val_op op, const struct val_env *env, const struct vreg *a,
	   const struct vreg *b, uint32_t n, struct vreg *to)
{
	struct ints x, y;
	bool ints = loop_ints(a, &x), both = loop_ints(b, &y) && ints, rate;

	vreg_room(to);
	loop_there(a, b, n, to);
	if (!both || x.kind == VAL_DECIMAL || y.kind == VAL_DECIMAL)
		return real_arith(op, a, b, n, to);
	if (op >= VAL_PARTS && (x.kind != VAL_TIME || y.kind != VAL_TIME))
		return false;
	op = op == VAL_PARTS ? VAL_FLOOR : op == VAL_RATIO ? VAL_DIV : op;
	if (!int_kinds(op, x.kind, y.kind, &to->v.kind))
		return false;
	rate = x.kind == VAL_WHOLE && y.kind == VAL_TIME && env->clock == CLOCK_NS;
	switch (op) {
	case VAL_ADD: return loop_add(0, &x, &y, n, to->n);
	case VAL_SUB: return loop_add(UINT64_MAX, &x, &y, n, to->n);
	case VAL_MUL: return multiply_ints(&x, &y, n, to->n);
	case VAL_DIV: return quotient(&x, rate ? 1000000000 : 1, &y, n, to);
	default: return loop_divide(op == VAL_FLOOR, &x, &y, n, to);
	}
}

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

/* Compares real numbers with a constant number: with the nearest double, and an operator that gives the same
 * results for doubles. */
static bool
relate_real(enum test_op op, const struct vreg *a, const struct val *c, uint32_t n,
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
absent(const struct vreg *r, uint32_t n, uint8_t *yes, uint8_t *there)
{
	if (r->constant || r->v.all)
		return;
	for (uint32_t k = 0; k < n; k++) {
		yes[k] &= r->v.there[k];
		there[k] &= r->v.there[k];
	}
}

static bool
is_real(const struct vreg *r)
{
	return !r->constant && r->v.kind == VAL_REAL;
}

bool
loop_relate(enum test_op op, const struct vreg *a, const struct vreg *b, uint32_t n,
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
loop_as_time(const struct val_env *env, const struct vreg *a, uint32_t n, struct vreg *to)
{
	bool scale = env->clock == CLOCK_NS && a->v.kind == VAL_WHOLE, fits = true;

	if (a->v.kind != VAL_TIME && a->v.kind != VAL_WHOLE &&
	    (a->v.kind != VAL_DECIMAL || env->clock != CLOCK_NS))
		return false;
	vreg_room(to);
	loop_there(a, a, n, to);
	to->v.kind = VAL_TIME;
	for (uint32_t k = 0; k < n; k++)
		fits &= times_i64(a->v.n[k], scale ? 1000000000 : 1, &to->n[k]);
	return fits;
}

/* Stores the smallest argument of each event, or the greatest, in `to`; of equal arguments the first. A plain
 * number next to a time has been converted to a time. */
static INLINE bool
extreme(bool least, struct vreg *const *arg, uint32_t nargs, uint32_t n, struct vreg *to)
{
	int64_t turn = least ? 0 : -1; /* ~v is greater if v is less */
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
absolute(const struct vreg *a, uint32_t n, struct vreg *to)
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

/* Computes floor(x, step) for whole numbers and times, as x - x % step. Returns false on overflow. */
static bool
floored(const struct vreg *a, const struct vreg *by, uint32_t n, struct vreg *to)
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
masked(const struct vreg *a, const struct vreg *mask, uint32_t n, struct vreg *to)
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
loop_call(const struct func *f, struct vreg *const *arg, uint32_t nargs, uint32_t n,
	  struct vreg *to)
{
	const char *name = f->name;

	if (nargs > 2)
		return false;
	vreg_room(to);
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
