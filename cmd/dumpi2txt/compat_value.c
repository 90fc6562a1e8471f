/* compat_value.c - prints values that are not plain numbers as dumpi2ascii does: arrays, strings, statuses,
 * functions, ranks.
 *
 * The output copies dumpi2ascii's accidents too: the lines of a two-dimensional array break in odd places, and
 * an array without elements is printed in several ways. */
#include "dumpi2txt/dumpi2txt_compat.h"
#include "dumpi/make.h"

/* Writes n numbers between brackets. */
static uint8_t *
put_list(struct out *o, uint8_t *p, const struct dumpi_type *t, const uint8_t *q,
	 uint32_t n)
{
	*p++ = '[';
	for (uint32_t i = 0; i < n; i++, q += t->width) {
		if (i) {
			*p++ = ',';
			*p++ = ' ';
		}
		p = t->width == 4   ? put_int(p, be32(q))
		    : t->width == 2 ? put_i64(p, (int16_t)be16(q))
				    : put_u32(p, *q);
		if (unlikely(p >= o->lim))
			p = compat_room(o, p);
	}
	*p++ = ']';
	return p;
}

static uint8_t *
put_numbers(struct out *o, uint8_t *p, const struct compat_seg *g, const uint8_t *a,
	    uint32_t len)
{
	uint32_t n = a ? be32(a) : 0;
	bool wide = g->type->width == 4;

	p = put_word(put_int(p, len), "]=");
	/* Small elements are always a list; an array of numbers without elements is a null pointer. */
	if (wide && ((int32_t)len < 1 || !n))
		return put_word(p, "<IGNORED>");
	if ((int32_t)len < 0)
		n = 0;
	return put_list(o, p, g->type, a ? a + 4 : a, n < len ? n : len);
}

static uint8_t *
put_padded(struct out *o, uint8_t *p, const uint8_t *a, uint32_t len)
{
	p = put_word(put_int(p, len), "]=");
	if ((int32_t)len < 1)
		return put_word(p, "<IGNORED>");
	*p++ = '[';
	p = put_int(p, be32(a));
	for (uint32_t i = 1; i < len; i++)
		p = put_word(compat_room(o, p), ", 0");
	*p++ = ']';
	return p;
}

/* Writes an array of rows: each row ends its line, but the line after the last row is not ended. */
static uint8_t *
put_rows(struct out *o, uint8_t *p, const struct compat_seg *g, const uint8_t *a)
{
	uint32_t rows = be32(a);

	p = put_word(put_int(p, rows), "][3]=");
	if (!rows)
		return put_word(p, "<IGNORED>\n");
	*p++ = '[';
	a += 4;
	for (uint32_t i = 0; i < rows; i++) {
		if (i)
			p = put_word(p, ", ");
		p = put_list(o, p, g->type, a + 4, be32(a) < 3 ? be32(a) : 3);
		*p++ = '\n';
		a += 4 + 4 * (size_t)be32(a);
		p = compat_room(o, p);
	}
	*p++ = ']';
	return p;
}

/* Writes a string between quotes, as C's %s prints it. */
static uint8_t *
put_quoted(struct out *o, uint8_t *p, const uint8_t *a)
{
	*p++ = '"';
	p = out_bytes_at(o, p, a + 4, strnlen((const char *)a + 4, be32(a)));
	*p++ = '"';
	return p;
}

static uint8_t *
put_strings(struct out *o, uint8_t *p, const uint8_t **a, uint32_t n, bool commas)
{
	const uint8_t *q = *a;

	*p++ = '[';
	for (uint32_t i = 0; i < n; i++) {
		if (i && commas)
			p = put_word(p, ", ");
		p = put_quoted(o, p, q);
		q += 4 + (size_t)be32(q);
	}
	*p++ = ']';
	*a = q;
	return p;
}

static uint8_t *
put_string_array(struct out *o, uint8_t *p, const struct compat_seg *g, const uint8_t *a,
		 uint32_t len)
{
	/* no argument has its count: dumpi2ascii prints -2, and no commas */
	bool null_ended = g->count < 0;
	uint32_t n = g->write == W_STRS ? len : a ? be32(a) : 0;

	if (g->write != W_STRS && !null_ended)
		n = n < len ? n : len;
	p = put_word(null_ended ? put_word(p, "-2") : put_int(p, len), "]=");
	if ((!null_ended && !len) || !a)
		return put_word(p, "<IGNORED>");
	a += g->write == W_STRS ? 0 : 4;
	return put_strings(o, p, &a, n, !null_ended);
}

static uint8_t *
put_string_rows(struct out *o, uint8_t *p, const uint8_t *a, uint32_t len)
{
	uint32_t rows = a ? be32(a) : 0;

	p = put_word(put_int(p, len), "][-2]=");
	if (!a || !len)
		return put_word(p, "<IGNORED>");
	*p++ = '[';
	a += 4;
	for (uint32_t i = 0; i < rows && i < len; i++) {
		uint32_t n = be32(a);

		if (i)
			p = put_word(p, ", ");
		a += 4;
		p = put_strings(o, p, &a, n, false);
	}
	*p++ = ']';
	return p;
}

static uint8_t *
put_status(struct out *o, uint8_t *p, const uint8_t *q, unsigned width)
{
	memcpy(p, "{bytes=         ", 16);
	p = put_int(p + 7, be32(q));
	memcpy(p, ", cancelled=    ", 16);
	p = put_i64(p + 12, (int8_t)q[8]);
	memcpy(p, ", source=       ", 16);
	p = put_int(p + 9, be32(q + 4));
	memcpy(p, ", tag=          ", 16);
	p = put_int(p + 6, width == 14 ? be32(q + 10) : UINT32_MAX);
	memcpy(p, ", error=        ", 16);
	p = put_i64(p + 8, (int8_t)q[9]);
	*p++ = '}';
	return likely(p < o->lim) ? p : compat_room(o, p);
}

static uint8_t *
put_statuses(struct out *o, const struct dumpi_rank *r, uint8_t *p,
	     const struct compat_seg *g, const uint8_t *a, uint32_t len)
{
	unsigned width = r->layout->status;
	uint32_t n = a ? be32(a) : 0;

	if (g->many)
		p = put_word(put_int(p, len), "]=");
	else
		len = 1;
	if ((int32_t)len < 1 || !n)
		return put_word(p, "<IGNORED>");
	*p++ = '[';
	a += 4;
	for (uint32_t i = 0; i < n && i < len; i++, a += width) {
		if (i)
			p = put_word(p, ", ");
		p = put_status(o, p, a, width);
	}
	*p++ = ']';
	return p;
}

static uint8_t *
put_function(struct out *o, const struct dumpi_rank *r, uint8_t *p, const uint8_t *a)
{
	uint64_t address = be64(a);
	const struct dumpi_address *known = dumpi_address_find(r, address);

	p = put_word(put_i64(p, (int64_t)address), " (\"");
	if (known)
		p = out_bytes_at(o, p, known->name, known->n);
	else
		p = put_word(p, "(null)");
	return put_word(p, "\")");
}

static uint8_t *
put_rank(uint8_t *p, const struct dumpi_type *t, uint32_t v)
{
	const char *name = label_of(&t->labels, (int32_t)v);

	p = put_int(p, v);
	if (unlikely(name != NULL)) {
		p = put_word(p, " (");
		p = put_word(p, name);
		*p++ = ')';
	}
	return p;
}

uint8_t *
dumpi_compat_value(struct out *o, const struct dumpi_rank *r, uint8_t *p,
		   const struct compat_seg *g, const uint8_t *a, uint32_t len)
{
	switch (g->write) {
	case W_I64: return put_i64(p, a ? (int64_t)be64(a) : 0);
	case W_RANK: return put_rank(p, g->type, a ? be32(a) : 0);
	case W_FUNCTION: return put_function(o, r, p, a);
	case W_STR: return a ? put_quoted(o, p, a) : put_word(p, "\"(null)\"");
	case W_NUMBERS: p = put_numbers(o, p, g, a, len); break;
	case W_PADDED: p = put_padded(o, p, a, len); break;
	case W_ROWS: p = put_rows(o, p, g, a); break;
	case W_STRS:
	case W_STRARRAY: p = put_string_array(o, p, g, a, len); break;
	case W_STRROWS: p = put_string_rows(o, p, a, len); break;
	case W_STATUS: p = put_statuses(o, r, p, g, a, len); break;
	}
	return compat_room(o, p);
}
