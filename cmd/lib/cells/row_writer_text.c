/*
 * row_writer_text.c - adds columns by name, and writes a value, given by its text in a stream, as CSV, TSV or
 * JSON.
 */
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/json.h"
#include "base/put.h"
#include "event/value.h"
#include "cells/row_writer.h"
#include "table/table.h"

bool
row_writer_exact(const char *p, size_t n)
{
	char text[40];
	struct buf back = {0};
	uint64_t v = 0;
	bool same;
	size_t i;

	for (i = *p == '-'; i < n && v <= CELLS_EXACT && p[i] != 'e' && p[i] != 'E'; i++)
		if (p[i] != '.')
			v = v * 10 + (uint64_t)(p[i] - '0');
	if (i == n && v <= CELLS_EXACT)
		return true;
	if (n >= sizeof text)
		return false;
	memcpy(text, p, n);
	text[n] = '\0';
	value_double(&back, strtod(text, NULL));
	same = back.n == n && !memcmp(back.p, p, n);
	buf_free(&back);
	return same;
}

static void
add_tsv(struct row_writer *c, struct buf *to)
{
	uint8_t *q = buf_room(to, 4 * c->raw.n);

	for (size_t i = 0; i < c->raw.n; i++) {
		uint8_t byte = c->raw.p[i];

		if (byte && strchr("\t\r\n\\\"", byte)) {
			memcpy(q, "\\x", 2);
			memcpy(q + 2, put_hex2[byte], 2);
			q += 4;
		} else
			*q++ = byte;
	}
	buf_to(to, q);
}

/* Returns true if a spreadsheet may take the bytes for a formula: if they begin as OWASP lists ("CSV Injection"),
 * full-width characters included, and are no number. */
static bool
is_formula(const uint8_t *p, size_t n)
{
	static const char wide[][4] = {"\xef\xbc\x9d", "\xef\xbc\x8b", "\xef\xbc\x8d",
				       "\xef\xbc\xa0"};

	for (size_t i = 0; i < sizeof wide / sizeof *wide && n > 2; i++)
		if (!memcmp(p, wide[i], 3))
			return true;
	return n && *p && strchr("=+-@\t\r\n", *p) && json_number((const char *)p, n) != n;
}

void
row_writer_text(struct row_writer *c, struct buf *to, const void *p, size_t n, bool text)
{
	if (c->style == CELLS_STREAM ||
	    (c->style >= CELLS_JSON && !text && n && json_number(p, n) == n &&
	     (c->numbers || row_writer_exact(p, n)))) {
		buf_add(to, p, n);
		return;
	}
	/* No bytes are an array without elements; an empty text is "". */
	if (c->style >= CELLS_JSON && !text && !n) {
		buf_add(to, "[]", 2);
		return;
	}
	text_raw(&c->raw, p, n);
	if (c->safe && is_formula(c->raw.p, c->raw.n)) {
		buf_byte(&c->raw, '\'');
		memmove(c->raw.p + 1, c->raw.p, c->raw.n - 1);
		c->raw.p[0] = '\'';
	}
	switch (c->style) {
	case CELLS_CSV:
		/* Quotes distinguish a text that looks like an absent value from an absent
		 * value. */
		table_csv(to, c->raw.p, c->raw.n,
			  c->raw.n == strlen(c->null) &&
			      !memcmp(c->raw.p, c->null, c->raw.n));
		break;
	case CELLS_TSV: add_tsv(c, to); break;
	default: json_string(to, c->raw.p, c->raw.n); break;
	}
}

void
row_writer_column(struct row_writer *c, const char *label, const char *field, size_t at)
{
	*PUSH(c->column, c->n, c->cap) = (struct row_writer_column){
	    .label = xstrdup(label),
	    .computed = !field,
	    .at = field ? view_add(&c->view, field, strlen(field), true) : at,
	};
}
