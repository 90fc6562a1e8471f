/* quote.c - writes texts as CSV and JSON: see table.h. */
#include <string.h>

#include "base/num.h"
#include "base/put.h"
#include "table/table.h"

void
json_string(struct buf *b, const void *v, size_t n)
{
	const uint8_t *p = v;
	uint8_t *to = buf_room(b, 6 * n + 2);
	uint32_t c;

	*to++ = '"';
	for (size_t len; n; p += len, n -= len) {
		len = utf8_char(p, n, &c);
		if (!len || *p < ' ' || *p == '"' || *p == '\\') {
			memcpy(to, "\\u00", 4);
			memcpy(to + 4, put_hex2[*p], 2);
			to += 6;
			len = 1;
		} else {
			memcpy(to, p, len);
			to += len;
		}
	}
	*to++ = '"';
	buf_to(b, to);
}

void
table_csv(struct buf *b, const void *text, size_t n, bool quotes)
{
	const uint8_t *p = text;
	uint8_t *q = buf_room(b, 2 * n + 2);

	quotes |= n == 0;
	for (size_t i = 0; i < n && !quotes; i++)
		quotes = p[i] == ',' || p[i] == '"' || p[i] == '\r' || p[i] == '\n';
	if (quotes)
		*q++ = '"';
	for (size_t i = 0; i < n; i++) {
		if (p[i] == '"')
			*q++ = '"';
		*q++ = p[i];
	}
	if (quotes)
		*q++ = '"';
	buf_to(b, q);
}
