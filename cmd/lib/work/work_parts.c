/* work_parts.c - reads and writes partial results: see work_parts.h. */
#include <stdarg.h>
#include <string.h>

#include "base/in.h"
#include "base/put.h"
#include "number/wide.h"
#include "event/event.h"
#include "work/work_parts.h"

static void
parts_add(struct buf *b, char what, va_list *ap)
{
	const struct buf *bytes;
	const char *s;

	switch (what) {
	case 'u':
		buf_to(b, put_u64(buf_room(b, 24 + PUT_SLACK), va_arg(*ap, uint64_t)));
		break;
	case 'i':
		buf_to(b, put_i64(buf_room(b, 24 + PUT_SLACK), va_arg(*ap, int64_t)));
		break;
	case 'w':
		buf_to(b, wide_put(buf_room(b, WIDE_DIGITS),
				   va_arg(*ap, const struct wide *)));
		break;
	case 'b':
		bytes = va_arg(*ap, const struct buf *);
		buf_add(b, bytes->p, bytes->n);
		break;
	case 's':
		s = va_arg(*ap, const char *);
		buf_add(b, s, strlen(s));
		break;
	case 'e':
		s = va_arg(*ap, const char *);
		buf_to(b, put_escaped(buf_room(b, 4 * strlen(s)), s, strlen(s)));
		break;
	case 'n':
		s = va_arg(*ap, const char *);
		buf_to(b, put_name(buf_room(b, 4 * strlen(s)), s, strlen(s)));
		break;
	}
}

void
parts_line(struct parts_writer *w, const char *format, ...)
{
	size_t begins = w->line.n;
	va_list ap;

	va_start(ap, format);
	for (; *format; format++)
		if (*format == '%')
			parts_add(&w->line, *++format, &ap);
		else
			buf_byte(&w->line, *format);
	va_end(ap);
	buf_byte(&w->line, '\n');
	out_bytes(w->o, w->line.p, w->line.n);
	w->line.n = begins;
	w->lines++;
}

bool
parts_read(struct parts_reader *r, const char *path)
{
	struct in in;
	bool whole;

	if (!in_open(&in, path))
		die("%s:", path);
	r->name = in.name;
	r->line = r->lines = r->announced = 0;
	r->header = r->trailer = false;
	for (;;) {
		uint8_t *nl = memchr(in.p, '\n', in_left(&in));

		if (nl) {
			r->line++;
			r->take(r, (char *)in.p, (char *)nl);
			in.p = nl + 1;
		} else if (!in_more(&in))
			break;
	}
	if (in.err)
		die("%s: read: %s", r->name, in_why(&in));
	whole = !in_left(&in);
	in_close(&in);
	return whole;
}

size_t
parts_cut(char *p, char sep, char **word, size_t most)
{
	size_t n = 0;

	while (p && n < most) {
		word[n++] = p;
		p = strchr(p, sep);
		if (p)
			*p++ = '\0';
	}
	return p ? most + 1 : n;
}
