/* val_text.c - see val.h: texts to values, and back. */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/put.h"
#include "base/wide.h"
#include "event/value.h"
#include "expr/val.h"

#define PLACES 9

/* A number as it is written: [-] digits [. digits] [e [sign] digits]. */
struct written {
	bool neg, exponent;
	const char *whole, *part; /* digits; part is NULL without a point */
	size_t nwhole, npart;
};

static size_t
digits(const char *s, const char *end)
{
	const char *p = s;

	while (p < end && *p >= '0' && *p <= '9')
		p++;
	return (size_t)(p - s);
}

/* Whether all of s[0..n) is a number. */
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
	w->nwhole = digits(s, end);
	s += w->nwhole;
	if (!w->nwhole)
		return false;
	if (s < end && *s == '.') {
		w->part = ++s;
		w->npart = digits(s, end);
		s += w->npart;
		if (!w->npart)
			return false;
	}
	if (s < end && *s == 'e') {
		w->exponent = true;
		s++;
		s += s < end && (*s == '-' || *s == '+');
		some = digits(s, end);
		s += some;
		if (!some)
			return false;
	}
	return s == end;
}

/* The number of n digits at s; false if it is 2^64 or more. */
static bool
number_u64(const char *s, size_t n, uint64_t *v)
{
	for (*v = 0; n; s++, n--) {
		uint64_t d = (uint64_t)(*s - '0');

		if (*v > (UINT64_MAX - d) / 10)
			return false;
		*v = *v * 10 + d;
	}
	return true;
}

/* 0x and digits of at most 64 bits. */
static bool
hex(const char *s, size_t n, uint64_t *v)
{
	if (n < 3 || s[0] != '0' || s[1] != 'x')
		return false;
	*v = 0;
	for (s += 2, n -= 2; n; s++, n--) {
		int c = *s | 0x20;
		int d = *s >= '0' && *s <= '9' ? *s - '0'
			: c >= 'a' && c <= 'f' ? c - 'a' + 10
					       : -1;

		if (d < 0 || *v >> 60)
			return false;
		*v = *v << 4 | (uint64_t)d;
	}
	return true;
}

struct val
val_of_text(const char *s, size_t n)
{
	struct written w;
	struct i128 v = i128_u64(0);
	struct val r;
	size_t some;
	uint64_t part = 0;
	bool over = false;
	size_t minus = n && *s == '-';

	some = digits(s + minus, s + n);
	if (!some)
		return val_text(s, n);
	if (minus + some == n && some <= 18) {
		number_u64(s + minus, some, &part);
		return val_i64(minus ? -(int64_t)part : (int64_t)part);
	}
	if (hex(s, n, &v.lo))
		return val_u64(v.lo);
	if (!read_written(s, n, &w))
		return val_text(s, n);
	if (!w.exponent && w.npart <= PLACES && number_u64(w.whole, w.nwhole, &v.lo)) {
		if (w.npart)
			number_u64(w.part, w.npart, &part);
		if (!part) {
			r = (struct val){.kind = VAL_WHOLE, .n = w.neg ? i128_neg(v) : v};
			r = val_fit(&r, &over);
			if (!over)
				return r;
		} else {
			for (size_t i = w.npart; i < PLACES; i++)
				part *= 10;
			i128_mul(v, i128_u64(1000000000), &v);
			i128_add(v, i128_u64(part), &v);
			return (struct val){.kind = VAL_DECIMAL,
					    .n = w.neg ? i128_neg(v) : v};
		}
	}
	r = val_real(strtod(s, NULL));
	return r.kind == VAL_NONE ? val_text(s, n) : r;
}

/* A buffer for what is written of a number, at most this. */
#define NUMBER_MOST 512

/* An empty buffer in room[0..NUMBER_MOST), which no number makes grow. */
static struct buf
fixed_buf(uint8_t *room)
{
	return (struct buf){room, 0, NUMBER_MOST};
}

struct val
val_f64(double r)
{
	uint8_t room[NUMBER_MOST];
	struct buf b = fixed_buf(room);
	double nano = r * 1e9;
	int64_t n;

	if (r - r != 0)
		return r > 0   ? val_text("inf", 3)
		       : r < 0 ? val_text("-inf", 4)
			       : val_text("nan", 3);
	if (r > -1e15 && r < 1e15 && (double)(int64_t)r == r)
		return val_i64((int64_t)r);
	/* A double has one text of at most 15 digits, or none. Below 10^-4 it would have an
	 * exponent. */
	if (nano > -1e15 && nano < 1e15 && (r >= 1e-4 || r <= -1e-4)) {
		n = (int64_t)(nano < 0 ? nano - .5 : nano + .5);
		if ((double)n / 1e9 == r)
			return (struct val){.kind = VAL_DECIMAL, .n = i128_i64(n)};
	}
	value_double(&b, r);
	buf_byte(&b, '\0');
	return val_of_text((const char *)b.p, b.n - 1);
}

/* Appends n / 10^9, with nine places or without zeros at the end. */
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
	struct buf b = fixed_buf(room);

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
