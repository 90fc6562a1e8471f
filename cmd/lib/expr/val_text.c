/* val_text.c - see val.h: converts texts to values and back. */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/num.h"
#include "base/put.h"
#include "number/wide.h"
#include "event/value.h"
#include "expr/val.h"

#define BILLION 1000000000
#define PLACES 9

/* A number as it is written: [-] digits [. digits] [e [sign] digits]. */
struct written {
	bool neg, exponent;
	const char *whole, *part; /* digits; part is NULL without a point */
	size_t nwhole, npart;
};

/* Returns true if all of s[0..n) is a number. */
static bool
read_written(const char *s, size_t n, struct written *w)
{
	const char *end = s + n;
	size_t some;

	*w = (struct written){0};
	if (s < end && *s == '-') {
		w->neg = true;
		s++;
	}
	w->whole = s;
	w->nwhole = num_digits(s, end);
	s += w->nwhole;
	if (!w->nwhole)
		return false;
	if (s < end && *s == '.') {
		w->part = ++s;
		w->npart = num_digits(s, end);
		s += w->npart;
		if (!w->npart)
			return false;
	}
	if (s < end && (*s | 0x20) == 'e') {
		w->exponent = true;
		s++;
		s += s < end && (*s == '-' || *s == '+');
		some = num_digits(s, end);
		s += some;
		if (!some)
			return false;
	}
	return s == end;
}

struct val
val_narrow(const struct val *v)
{
	if (v->kind != VAL_WHOLE || i128_is_u64(v->n) || i128_is_i64(v->n))
		return *v;
	return val_real(i128_double(v->n, 1));
}

/* Sets *v to the whole number of n digits. Returns false if the number is 2^127 or more. */
static bool
whole_digits(const char *s, size_t n, struct i128 *v)
{
	*v = i128_u64(0);
	while (n--)
		if (!i128_mul(*v, i128_u64(10), v) ||
		    !i128_add(*v, i128_u64((uint64_t)(*s++ - '0')), v))
			return false;
	return true;
}

/* Reads digits with at most nine decimals. Unless `exact` is set, a whole number beyond 64 bits becomes a real
 * number, which is what arithmetic uses. Returns false if the number does not fit. */
static bool
as_decimal(const struct written *w, bool exact, struct val *v)
{
	struct i128 n = i128_u64(0);
	uint64_t part = 0;

	if (w->exponent || w->npart > PLACES ||
	    (digits_u64((const uint8_t *)w->whole, w->nwhole, &n.lo) &&
	     !whole_digits(w->whole, w->nwhole, &n)))
		return false;
	if (w->npart)
		digits_u64((const uint8_t *)w->part, w->npart, &part);
	*v = val_whole(w->neg ? i128_neg(n) : n);
	if (!part) {
		*v = exact ? *v : val_narrow(v);
		return true;
	}
	for (size_t i = w->npart; i < PLACES; i++)
		part *= 10;
	v->kind = VAL_DECIMAL;
	i128_mul(n, i128_u64(BILLION), &v->n);
	i128_add(v->n, i128_u64(part), &v->n);
	v->n = w->neg ? i128_neg(v->n) : v->n;
	return i128_is_u64(n);
}

/* Reads a number with an exponent exactly. Returns false if more than nine decimals remain: 1e-05 and 1.5e3 are
 * exact, 1e-12 is not. */
static bool
of_exponent(const char *s, size_t n, const struct written *w, struct val *v)
{
	struct num num;

	if (!w->exponent || !num_parse(s, n, NUM_BARE, &num, NULL) || num.rounded)
		return false;
	*v = val_u64(num.whole);
	if (num.nano) {
		v->kind = VAL_DECIMAL;
		i128_mul(v->n, i128_u64(BILLION), &v->n);
		i128_add(v->n, i128_u64(num.nano), &v->n);
	}
	v->n = num.neg ? i128_neg(v->n) : v->n;
	return true;
}

/* Returns the value of s[0..n). If `exact` is set, whole numbers may have up to 127 bits. */
static struct val
read_val(const char *s, size_t n, bool exact)
{
	struct i128 v = i128_u64(0);
	struct written w;
	struct val r;
	size_t minus = n && *s == '-', some = num_digits(s + minus, s + n);

	if (!some)
		return val_text(s, n);
	if (minus + some == n && some <= 18) {
		digits_u64((const uint8_t *)s + minus, some, &v.lo);
		return val_i64(minus ? -(int64_t)v.lo : (int64_t)v.lo);
	}
	if (n > minus + 2 && s[minus] == '0' && (s[minus + 1] | 0x20) == 'x' &&
	    !hex_u64((const uint8_t *)s + minus + 2, n - minus - 2, &v.lo)) {
		r = val_whole(minus ? i128_neg(v) : v);
		return exact ? r : val_narrow(&r);
	}
	if (!read_written(s, n, &w))
		return val_text(s, n);
	if (as_decimal(&w, exact, &r) || (exact && of_exponent(s, n, &w, &r)))
		return r;
	r = val_real(strtod(s, NULL));
	return r.kind == VAL_NONE ? val_text(s, n) : r;
}

struct val
val_of_text(const char *s, size_t n)
{
	return read_val(s, n, false);
}

struct val
val_exact(const char *s, size_t n)
{
	return read_val(s, n, true);
}

bool
val_bits(const struct val *v, uint64_t *bits)
{
	struct i128 n = v->n;

	*bits = 0;
	if (v->kind == VAL_REAL &&
	    (!i128_of_double(v->r, 1, I128_FLOOR, &n) || i128_cmp_double(n, v->r, 1) != 0))
		return false;
	*bits = n.lo;
	return v->kind == VAL_WHOLE || v->kind == VAL_REAL;
}

struct val
val_number(const struct val *v)
{
	return v->kind == VAL_TEXT ? val_of_text(v->s, v->len) : *v;
}

/* Bytes of a buffer that is enough for the text of any number. */
#define NUMBER_MOST 512

/* Appends a time with a fraction of an ns or a tick, rounded. */
static void
put_rest(struct buf *b, enum clock clock, const struct val *v)
{
	bool ns = clock == CLOCK_NS;
	struct i128 size = i128_abs(v->n);
	uint64_t part = (uint64_t)(v->r * 18446744073709551616.0);
	struct wide num = wide_words((const uint64_t[]){0, size.lo, (uint64_t)size.hi}, 3),
		    den = wide_words((const uint64_t[]){0, ns ? BILLION : 1}, 2),
		    rest = wide_u64(part);
	bool neg = v->n.hi < 0;

	num = neg ? wide_sub(&num, &rest) : wide_add(&num, &rest);
	buf_to(b, wide_put_ratio(buf_room(b, WIDE_DIGITS + PUT_SLACK), neg, &num, &den,
				 ns ? PLACES : 6, !ns));
}

/* Appends n / 10^9, with nine decimals, or, if `trim`, without zeros at the end. */
static void
put_nano(struct buf *b, struct i128 n, bool trim)
{
	struct i128 size = i128_abs(n);
	struct wide w = wide_words((const uint64_t[]){size.lo, (uint64_t)size.hi}, 2);

	if (n.hi < 0)
		buf_byte(b, '-');
	buf_to(b, wide_put_decimal(buf_room(b, WIDE_DIGITS), &w, PLACES, trim));
}

void
val_put(struct buf *b, const struct val_env *env, const struct val *v)
{
	switch (v->kind) {
	case VAL_TIME:
		if (v->r != 0) {
			put_rest(b, env->clock, v);
			return;
		}
		if (env->clock == CLOCK_NS) {
			if (i128_is_i64(v->n))
				value_time(b, CLOCK_NS, (int64_t)v->n.lo);
			else
				put_nano(b, v->n, false);
			return;
		}
		/* fallthrough */
	case VAL_WHOLE: buf_to(b, i128_put(buf_room(b, 64 + PUT_SLACK), v->n)); return;
	case VAL_DECIMAL: put_nano(b, v->n, true); return;
	case VAL_REAL: value_double(b, v->r); return;
	case VAL_TEXT: buf_add(b, v->s, v->len); return;
	default: return;
	}
}

struct val
val_to_text(const struct val_env *env, const struct val *v)
{
	uint8_t room[NUMBER_MOST];
	struct buf b = {room, 0, NUMBER_MOST}; /* large enough for any number */

	if (v->kind == VAL_TEXT || v->kind == VAL_NONE)
		return *v;
	val_put(&b, env, v);
	return val_text(arena_str(env->mem, (const char *)b.p, b.n), b.n);
}

uint64_t
val_hash(const struct val_env *env, const struct val *v)
{
	uint64_t h = 0xcbf29ce484222325u;
	struct val text, n;

	if (v->kind == VAL_WHOLE || v->kind == VAL_TIME)
		return mix64(v->n.lo);
	text = val_to_text(env, v);
	n = val_of_text(text.s, text.len);
	if (n.kind == VAL_WHOLE)
		return mix64(n.n.lo);
	for (size_t i = 0; i < text.len; i++) /* FNV-1a */
		h = (h ^ (uint8_t)text.s[i]) * 0x100000001b3u;
	return mix64(h);
}

bool
val_true(const struct val *v)
{
	struct val n = val_number(v);

	switch (n.kind) {
	case VAL_WHOLE:
	case VAL_TIME:
	case VAL_DECIMAL: return !i128_zero(n.n) || n.r != 0;
	case VAL_REAL: return n.r != 0;
	default: return false;
	}
}
