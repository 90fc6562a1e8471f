/* value.c - values as text, in the general way. text_write.c has faster ways for common cases. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/put.h"
#include "event/value.h"

uint64_t
value_int(const void *p, unsigned kind)
{
	switch (kind) {
	case K_U8: return *(const uint8_t *)p;
	case K_U16: return ld16(p);
	case K_U32:
	case K_X32:
	case K_SYM: return ld32(p);
	case K_I8: return (uint64_t)(int64_t) * (const int8_t *)p;
	case K_I16: return (uint64_t)(int64_t)(int16_t)ld16(p);
	case K_I32: return (uint64_t)(int64_t)(int32_t)ld32(p);
	default: return ld64(p);
	}
}

uint8_t *
value_put_int(uint8_t *p, unsigned kind, uint64_t v)
{
	struct second_cache second = {0};

	switch (kind) {
	case K_I8:
	case K_I16:
	case K_I32:
	case K_I64: return put_i64(p, (int64_t)v);
	case K_X32:
	case K_X64:
		*p++ = '0';
		*p++ = 'x';
		return put_hex(p, v);
	case K_NS: return put_ns(p, &second, (int64_t)v);
	default: return put_u64(p, v);
	}
}

void
value_double(struct buf *b, double d)
{
	char text[40];
	const char *e;
	int n = 0, exponent;

	if (d != d) { /* C does not define how the sign of a nan is written */
		buf_add(b, "nan", 3);
		return;
	}
	/* 15 digits are enough for every number that was written with 15, without trailing
	 * zeros. The smallest numbers (subnormal) can do with fewer digits. */
	for (int digits = fabs(d) < DBL_MIN ? 1 : 15; digits <= 17; digits++) {
		n = snprintf(text, sizeof text, "%.*g", digits, d);
		if (strtod(text, NULL) == d)
			break;
	}
	/* %g writes an exponent if the precision is less than the digits before the point, as in 1e+02. Up to
	 * 10^15 write all digits instead. */
	e = strchr(text, 'e');
	exponent = e ? atoi(e + 1) : 0; /* NOLINT(cert-err34-c): %g wrote it */
	if (exponent > 0 && exponent <= 15)
		n = snprintf(text, sizeof text, "%.*g", exponent + 1, d);
	buf_add(b, text, (size_t)n);
}

void
value_str(struct buf *b, const void *p, size_t n)
{
	/* Three texts would be read as something else: "" as a missing text, "-" as an absent value, and two
	 * quotes as an empty string. */
	if (n == 0)
		buf_add(b, "\"\"", 2);
	else if (n == 1 && *(const char *)p == '-')
		buf_add(b, "\\x2d", 4);
	else if (n == 2 && !memcmp(p, "\"\"", 2))
		buf_add(b, "\\x22\"", 5);
	else
		buf_to(b, put_escaped(buf_room(b, 4 * n), p, n));
}

static void
add_scalar(struct buf *b, const struct tables *t, const void *p, const struct arg *a)
{
	uint64_t v;
	double d;

	if (a->kind == K_F64) {
		memcpy(&d, p, sizeof d);
		value_double(b, d);
		return;
	}
	v = value_int(p, a->kind);
	if (a->kind == K_SYM) {
		if (v < t->str.n)
			value_str(b, t->str.v[v].s, t->str.v[v].len);
		return;
	}
	if (a->labels) {
		const char *name = label_of(a->labels, (int64_t)v);

		if (name) {
			value_str(b, name, strlen(name));
			return;
		}
	}
	buf_to(b, value_put_int(buf_room(b, 32 + PUT_SLACK), a->kind, v));
}

/* Appends the elements with commas between. A comma inside a string, symbol or label is escaped too. */
static void
add_array(struct buf *b, const struct tables *t, const struct rec *r, const struct arg *a,
	  const uint8_t *p, uint32_t n)
{
	uint32_t width = kind_width(a->kind);
	bool text = a->kind == K_STR || a->kind == K_SYM || a->labels;

	for (uint32_t i = 0; i < n; i++, p += width) {
		size_t start, len;
		struct part part;

		if (i)
			buf_add(b, ",", 1);
		start = b->n;
		if (a->kind == K_STR) {
			memcpy(&part, p, sizeof part);
			if (part.off > r->len || part.n > r->len - part.off)
				continue;
			value_str(b, (const uint8_t *)r + part.off, part.n);
		} else
			add_scalar(b, t, p, a);
		for (size_t k = start; text && k < b->n; k++) {
			if (b->p[k] != ',')
				continue;
			len = b->n - k - 1;
			buf_room(b, 3);
			memmove(b->p + k + 4, b->p + k + 1, len);
			memcpy(b->p + k, "\\x2c", 4);
			b->n += 3;
			k += 3;
		}
	}
}

void
value_arg(struct buf *b, const struct tables *t, const struct rec *r, const struct arg *a)
{
	const uint8_t *p = (const uint8_t *)r + a->off;
	uint32_t n;

	if (a->kind == K_CONST) {
		buf_add(b, a->text, strlen(a->text));
		return;
	}
	if (!kind_is_part(a)) {
		add_scalar(b, t, p, a);
		return;
	}
	if (!rec_span(r, a, &p, &n))
		return; /* a damaged binary stream, which its reader has reported */
	if (a->array)
		add_array(b, t, r, a, p, n);
	else if (a->kind == K_STR)
		value_str(b, p, n);
	else if (a->kind == K_BYTES) {
		buf_add(b, "0x", 2);
		for (uint8_t *q = buf_room(b, 2 * (size_t)n); n; n--, q += 2, b->n += 2)
			memcpy(q, put_hex2[*p++], 2);
	} else /* unchanged, except that bytes which would break a line are escaped */
		buf_to(b, put_name(buf_room(b, 4 * (size_t)n), p, n));
}

void
value_time(struct buf *b, enum clock clock, int64_t t)
{
	buf_to(b, value_put_int(buf_room(b, 32 + PUT_SLACK),
				clock == CLOCK_NS ? K_NS : K_U64, (uint64_t)t));
}

const struct arg *
arg_named(const struct type *ty, const char *name)
{
	for (uint32_t i = 0; i < ty->nargs; i++)
		if (!strcmp(ty->args[i].name, name))
			return &ty->args[i];
	return NULL;
}
