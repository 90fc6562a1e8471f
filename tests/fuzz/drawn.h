/*
 * drawn.h - what fuzz_draw.c asks of bytes that were written: that they are the same as others, that
 * they are XML.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/mem.h"
#include "event/event.h"

static const char *doing; /* for messages: what is done */

#define MUST(what)                                                                        \
	do {                                                                              \
		if (!(what)) {                                                            \
			fprintf(stderr, "%s:%d: %s: not %s\n", __FILE__, __LINE__, doing, \
				#what);                                                   \
			fflush(stderr);                                                   \
			abort();                                                          \
		}                                                                         \
	} while (0)

static void
must_be_same(const char *what, const struct buf *a, const struct buf *b)
{
	if (a->n == b->n && (!a->n || !memcmp(a->p, b->p, a->n)))
		return;
	fprintf(stderr, "%s: %s:\n", doing, what);
	fwrite(a->p, 1, a->n, stderr);
	fprintf(stderr, "\n---\n");
	fwrite(b->p, 1, b->n, stderr);
	fflush(stderr);
	abort();
}

static int
by_line(const void *x, const void *y)
{
	const struct span *a = x, *b = y;
	int order = memcmp(a->p, b->p, a->n < b->n ? a->n : b->n);

	return order ? order : a->n < b->n ? -1 : a->n > b->n;
}

/* The lines of b in order. */
static void
sort_lines(struct buf *b)
{
	struct span *line = NULL;
	size_t n = 0, cap = 0;
	struct buf to = {0};

	for (const uint8_t *p = b->p, *end = p + b->n, *nl; p < end; p = nl + 1) {
		nl = memchr(p, '\n', (size_t)(end - p));
		MUST(nl);
		*PUSH(line, n, cap) = (struct span){p, (size_t)(nl + 1 - p)};
	}
	qsort(line, n, sizeof *line, by_line);
	for (size_t i = 0; i < n; i++)
		buf_add(&to, line[i].p, line[i].n);
	free(line);
	buf_free(b);
	*b = to;
}

/* XML as a parser wants it: characters of UTF-8, none that controls; ends of what began. */
static void
well_formed(const struct buf *b)
{
	const uint8_t *p = b->p, *end = p + b->n, *begun[32];
	size_t depth = 0, n;
	uint32_t c;

	for (; p < end; p += n) {
		n = utf8_char(p, (size_t)(end - p), &c);
		MUST(n && (c >= ' ' || c == '\n') && c != 0x7f && c >> 1 != 0xffff >> 1);
		if (c == '&') {
			const uint8_t *semicolon = memchr(p, ';', (size_t)(end - p));

			MUST(semicolon && semicolon - p <= 6);
		}
		if (c != '<')
			continue;
		if (p[1] == '/') {
			size_t len =
			    (size_t)((const uint8_t *)memchr(p, '>', (size_t)(end - p)) -
				     p) -
			    2;

			MUST(depth && !memcmp(begun[--depth], p + 2, len));
			MUST(strchr(" >\n", begun[depth][len]));
			continue;
		}
		begun[depth++] = p + 1;
		MUST(depth < sizeof begun / sizeof *begun);
		while (p < end && *p != '>')
			p++;
		MUST(p < end);
		depth -= p[-1] == '/' || begun[depth - 1][0] == '?' ||
			 begun[depth - 1][0] == '!';
	}
	MUST(!depth);
}
