/* val.c - see val.h: arithmetic and comparison. */
#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "base/put.h"
#include "expr/val.h"

#define BILLION 1000000000

static const struct val none;

const char *const val_op_name[] = {
    [VAL_ADD] = "+",	[VAL_SUB] = "-", [VAL_MUL] = "*",    [VAL_DIV] = "/",
    [VAL_FLOOR] = "//", [VAL_MOD] = "%", [VAL_PARTS] = "//", [VAL_RATIO] = "/"};

struct val
val_whole(struct i128 n)
{
	return (struct val){.kind = VAL_WHOLE, .n = n};
}

static struct val
time_of(struct i128 n)
{
	return (struct val){.kind = VAL_TIME, .n = n};
}

struct val
val_i64(int64_t n)
{
	return val_whole(i128_i64(n));
}

struct val
val_u64(uint64_t n)
{
	return val_whole(i128_u64(n));
}

struct val
val_time(int64_t n, enum clock clock)
{
	return time_of(clock == CLOCK_NS ? i128_i64(n) : i128_u64((uint64_t)n));
}

struct val
val_real(double r)
{
	if (r - r != 0) /* an infinity, or NaN */
		return none;
	/* The text -0 of an argument is the whole number 0, so a computed -0 must be too. */
	return (struct val){.kind = VAL_REAL, .r = r == 0 ? 0 : r};
}

struct val
val_text(const char *s, size_t n)
{
	return (struct val){.kind = VAL_TEXT, .s = s, .len = n};
}

/* Returns the double nearest to n / 10^9. */
static double
decimal_double(struct i128 n)
{
	const int64_t most = (int64_t)1 << 53;
	int64_t nano = (int64_t)n.lo;
	uint8_t text[64 + PUT_SLACK], *end;

	if (i128_is_i64(n) && nano >= -most && nano <= most) /* both are exact */
		return (double)nano / BILLION;
	end = i128_put(text, n);
	memcpy(end, "e-9", 4);
	return strtod((const char *)text, NULL);
}

/* Returns a time in ns or ticks as a double. */
static double
time_double(const struct val *t)
{
	return i128_double(t->n, 1) + t->r;
}

/* Returns a number as a double; a time counts as its ns or ticks. */
static double
number_double(const struct val *v)
{
	if (v->kind == VAL_REAL)
		return v->r;
	return v->kind == VAL_DECIMAL ? decimal_double(v->n) : time_double(v);
}

/* Returns the greatest whole number that is not above d. */
static double
floor_of(double d)
{
	double r, most = (double)((int64_t)1 << 52);

	if (!(d > -most && d < most)) /* it is whole, or not finite */
		return d;
	r = (double)(int64_t)d;
	return r > d ? r - 1 : r;
}

static struct val
whole_arith(enum val_op op, struct i128 a, struct i128 b)
{
	struct i128 n;
	bool fits;

	switch (op) {
	case VAL_ADD: fits = i128_add(a, b, &n); break;
	case VAL_SUB: fits = i128_add(a, i128_neg(b), &n); break;
	case VAL_MUL: fits = i128_mul(a, b, &n); break;
	case VAL_FLOOR:
		fits = !i128_zero(b) && i128_muldiv(a, i128_u64(1), b, I128_FLOOR, &n);
		break;
	case VAL_MOD:
		fits = !i128_zero(b);
		if (fits)
			n = i128_mod(a, b);
		break;
	case VAL_DIV:
	default:
		if (i128_zero(b))
			return none;
		return val_real(i128_double(a, 1) / i128_double(b, 1));
	}
	return fits ? val_whole(n) : none;
}

static struct val
real_arith(enum val_op op, double a, double b)
{
	double q;

	switch (op) {
	case VAL_ADD: return val_real(a + b);
	case VAL_SUB: return val_real(a - b);
	case VAL_MUL: return val_real(a * b);
	default:
		if (b == 0)
			return none;
		q = a / b;
		if (op == VAL_DIV)
			return val_real(q);
		q = floor_of(q);
		if (op == VAL_FLOOR)
			return val_real(q);
		/* Round twice, as written: a compiler must not fuse this into one operation. */
		q = b * q;
		return val_real(a - q);
	}
}

/* Returns a time of n + r ns or ticks; r may be any number. */
static struct val
time_rest(struct i128 n, double r)
{
	struct val v = {.kind = VAL_TIME, .n = n, .r = r};
	struct i128 whole;

	if (r >= 0 && r < 1)
		return v;
	if (!i128_of_double(r, 1, I128_FLOOR, &whole) || !i128_add(n, whole, &v.n))
		return none;
	v.r = r - floor_of(r);
	if (v.r >= 1) /* r was so little below 0 that it was rounded to 1 */
		v.r = 1 - DBL_EPSILON / 2;
	return v;
}

static struct val
time_with_time(enum val_op op, const struct val *a, const struct val *b)
{
	struct val v;

	if (op == VAL_MUL)
		return none;
	if (op == VAL_DIV) {
		double by = time_double(b);

		return by == 0 ? none : val_real(time_double(a) / by);
	}
	/* With // and % the divisor counts as whole ns or ticks. */
	v = whole_arith(op, a->n, b->n);
	if (v.kind != VAL_WHOLE || op == VAL_FLOOR)
		return v;
	return time_rest(v.n, op == VAL_ADD   ? a->r + b->r
			      : op == VAL_SUB ? a->r - b->r
					      : a->r);
}

/* Returns the time t / by, for by not 0, with its fraction. */
static struct val
time_quotient(const struct val *t, struct i128 by)
{
	struct i128 n, product, rest;

	if (!i128_muldiv(t->n, i128_u64(1), by, I128_FLOOR, &n) ||
	    !i128_mul(n, by, &product) || !i128_add(t->n, i128_neg(product), &rest))
		return none;
	return time_rest(n, (i128_double(rest, 1) + t->r) / i128_double(by, 1));
}

/* Computes a time * / // a number. */
static struct val
time_with_number(const struct val_env *env, enum val_op op, const struct val *t,
		 const struct val *x)
{
	static const struct i128 one = {1, 0}, billion = {BILLION, 0};
	enum i128_round round = op == VAL_FLOOR ? I128_FLOOR : I128_NEAREST;
	struct i128 by = x->kind == VAL_DECIMAL ? billion : one, n;
	struct i128 mul = op == VAL_MUL ? x->n : by, div = op == VAL_MUL ? by : x->n;
	bool rests = env->rests && op != VAL_FLOOR;
	struct val v;
	double d;

	if (x->kind == VAL_REAL) {
		if (op != VAL_MUL && x->r == 0)
			return none;
		d = op == VAL_MUL ? time_double(t) * x->r : time_double(t) / x->r;
		if (rests)
			return time_rest(i128_u64(0), d);
		return i128_of_double(d, 1, round, &n) ? time_of(n) : none;
	}
	if (i128_zero(div))
		return none;
	if (rests && i128_mul(t->n, mul, &n)) {
		v = time_rest(n, t->r * i128_double(mul, 1));
		return v.kind == VAL_NONE ? none : time_quotient(&v, div);
	}
	return i128_muldiv(t->n, mul, div, round, &n) ? time_of(n) : none;
}

/* Computes a number / or // a time: a rate per second (tick). */
static struct val
number_with_time(enum clock clock, enum val_op op, const struct val *x, const struct val *t)
{
	uint32_t unit = clock == CLOCK_NS ? BILLION : 1;
	struct i128 n;
	double d;

	if (i128_zero(t->n) && t->r == 0)
		return none;
	if (op == VAL_FLOOR && x->kind == VAL_WHOLE && t->r == 0)
		return i128_muldiv(x->n, i128_u64(unit), t->n, I128_FLOOR, &n)
			   ? val_whole(n)
			   : none;
	if (x->kind == VAL_WHOLE)
		d = i128_double(x->n, unit);
	else if (x->kind == VAL_DECIMAL && clock == CLOCK_NS)
		d = i128_double(x->n, 1);
	else
		d = number_double(x) * unit;
	d /= time_double(t);
	return val_real(op == VAL_FLOOR ? floor_of(d) : d);
}

/* Returns a whole real number as a whole number; absent from 2^127 on. */
static struct val
whole_real(struct val r)
{
	struct i128 n;

	return r.kind == VAL_REAL && i128_of_double(r.r, 1, I128_NEAREST, &n) ? val_whole(n)
									      : none;
}

bool
val_whole_time(const struct val_env *env, const struct val *v)
{
	bool ns = env->clock == CLOCK_NS;
	struct i128 n;

	switch (v->kind) {
	case VAL_DECIMAL: return ns || i128_zero(i128_mod(v->n, i128_u64(BILLION)));
	case VAL_REAL:
		return !i128_of_double(v->r, ns ? BILLION : 1, I128_FLOOR, &n) ||
		       i128_cmp_double(n, v->r, ns ? BILLION : 1) == 0;
	default: return true;
	}
}

/* Computes with a time in ticks and a decimal, exactly: both in units of 10^-9 of a tick. */
static struct val
parts_of_ticks(enum val_op op, const struct val *a, const struct val *b)
{
	struct i128 x = a->n, y = b->n, rest;
	struct val v;

	if (!i128_mul(a->kind == VAL_TIME ? x : y, i128_u64(BILLION),
		      a->kind == VAL_TIME ? &x : &y))
		return none;
	v = whole_arith(op, x, y);
	if (v.kind == VAL_NONE || op == VAL_FLOOR)
		return v;
	v.kind = VAL_DECIMAL;
	rest = i128_mod(v.n, i128_u64(BILLION));
	if (i128_zero(rest)) {
		v.kind = VAL_TIME;
		i128_muldiv(v.n, i128_u64(1), i128_u64(BILLION), I128_FLOOR, &v.n);
	}
	return v;
}

/* Computes with a time and a plain number: + - %, and VAL_PARTS, which the caller passes as VAL_FLOOR. */
static struct val
beside_time(const struct val_env *env, enum val_op op, const struct val *a,
	    const struct val *b)
{
	bool ns = env->clock == CLOCK_NS, left = a->kind == VAL_TIME;
	const struct val *number = left ? b : a, *time = left ? a : b;
	double t, r;
	struct val x, y, v = {.kind = VAL_TIME};

	if ((!ns || op == VAL_MOD || op == VAL_FLOOR) && !val_whole_time(env, number)) {
		if (number->kind == VAL_DECIMAL && time->r == 0)
			return parts_of_ticks(op, a, b);
		t = time_double(time);
		r = ns ? number->r * BILLION : number_double(number);
		x = real_arith(op, left ? t : r, left ? r : t);
		if (op == VAL_FLOOR)
			return whole_real(x);
		if (!ns || x.kind == VAL_NONE)
			return x;
		return i128_of_double(x.r, 1, I128_NEAREST, &v.n) ? v : none;
	}
	x = val_as_time(env, a);
	y = val_as_time(env, b);
	if (x.kind == VAL_NONE || y.kind == VAL_NONE)
		return none;
	return time_with_time(op, &x, &y);
}

struct val
val_arith(const struct val_env *env, enum val_op op, const struct val *a,
	  const struct val *b)
{
	bool parts = op == VAL_PARTS, ratio = op == VAL_RATIO;

	op = parts ? VAL_FLOOR : ratio ? VAL_DIV : op;
	if (a->kind == VAL_WHOLE && b->kind == VAL_WHOLE)
		return whole_arith(op, a->n, b->n);
	if (a->kind == VAL_NONE || b->kind == VAL_NONE || a->kind == VAL_TEXT ||
	    b->kind == VAL_TEXT)
		return none;
	if (a->kind != VAL_TIME && b->kind != VAL_TIME)
		return real_arith(op, number_double(a), number_double(b));
	if (a->kind == VAL_TIME && b->kind == VAL_TIME)
		return time_with_time(op, a, b);
	if (ratio && a->kind == VAL_TIME)
		return real_arith(op, time_double(a), number_double(b));
	if (parts || op == VAL_ADD || op == VAL_SUB || op == VAL_MOD)
		return beside_time(env, op, a, b);
	if (a->kind == VAL_TIME)
		return time_with_number(env, op, a, b);
	if (op == VAL_MUL)
		return time_with_number(env, op, b, a);
	return number_with_time(env->clock, op, a, b);
}

struct val
val_as_time(const struct val_env *env, const struct val *v)
{
	uint32_t unit = env->clock == CLOCK_NS ? BILLION : 1;
	struct i128 n = v->n;
	bool fits = true;

	switch (v->kind) {
	case VAL_TIME: return *v;
	case VAL_WHOLE: fits = i128_mul(v->n, i128_u64(unit), &n); break;
	case VAL_DECIMAL:
		if (env->clock != CLOCK_NS)
			i128_muldiv(v->n, i128_u64(1), i128_u64(BILLION), I128_NEAREST, &n);
		break;
	case VAL_REAL: fits = i128_of_double(v->r, unit, I128_NEAREST, &n); break;
	default: fits = false;
	}
	return fits ? time_of(n) : none;
}

struct val
val_fit(const struct val *v, bool *over)
{
	if ((v->kind != VAL_WHOLE && v->kind != VAL_TIME) || i128_is_u64(v->n) ||
	    i128_is_i64(v->n))
		return *v;
	*over = true;
	return none;
}

enum val_order
val_order_of(int c)
{
	return c < 0 ? VAL_LESS : c > 0 ? VAL_GREATER : VAL_EQUAL;
}

/* Returns true if one is a time with a fraction of a tick, and the other a number. */
static bool
beside_rest(const struct val *a, const struct val *b)
{
	return a->kind != b->kind &&
	       ((a->kind == VAL_TIME && a->r != 0) || (b->kind == VAL_TIME && b->r != 0));
}

enum val_order
val_cmp(const struct val *a, const struct val *b)
{
	bool swap = b->kind == VAL_DECIMAL || a->kind == VAL_REAL;
	struct i128 n;
	int c;

	if (a->kind == b->kind && a->kind == VAL_REAL)
		return a->r < b->r ? VAL_LESS : a->r > b->r ? VAL_GREATER : VAL_EQUAL;
	if (a->kind == b->kind && a->kind == VAL_TEXT) {
		c = memcmp(a->s, b->s, a->len < b->len ? a->len : b->len);
		return val_order_of(c ? c : (a->len > b->len) - (a->len < b->len));
	}
	if (a->kind == VAL_NONE || b->kind == VAL_NONE || a->kind == VAL_TEXT ||
	    b->kind == VAL_TEXT)
		return VAL_OTHER;
	if (beside_rest(a, b)) {
		double x = number_double(a), y = number_double(b);

		return val_order_of((x > y) - (x < y));
	}
	if (b->kind == VAL_REAL)
		return val_order_of(
		    i128_cmp_double(a->n, b->r, a->kind == VAL_DECIMAL ? BILLION : 1));
	if ((a->kind == VAL_DECIMAL) == (b->kind == VAL_DECIMAL) && a->kind != VAL_REAL) {
		c = i128_cmp(a->n, b->n);
		return val_order_of(c ? c : (a->r > b->r) - (a->r < b->r));
	}
	if (swap) /* a whole number and a decimal, or a number and a real */
		return val_order_of(-(int)val_cmp(b, a));
	if (!i128_mul(b->n, i128_u64(BILLION), &n))
		return b->n.hi < 0 ? VAL_GREATER : VAL_LESS;
	return val_order_of(i128_cmp(a->n, n));
}
