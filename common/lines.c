/* lines.c - whole lines, and the choice of a mask maker. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lines.h"
#include "put.h"

const uint8_t digit_window[24] = {0, 0, 0, 0, 0, 0, 0, 0, 15, 15, 15, 15, 15, 15, 15, 15};

static const uint8_t *
last_newline(const uint8_t *from, const uint8_t *end)
{
	while (end > from)
		if (*--end == '\n')
			return end;
	return NULL;
}

/* The input holds a line that is too long: say so, and read on behind it. */
static void
skip_long_line(struct source *s)
{
	struct in *in = &s->in;
	const uint8_t *nl = NULL;

	s->line++;
	source_bad(s, s->line, "the line is longer than %u MiB", IN_LONGEST >> 20);
	do {
		in->p = in->end;
		if (!in_more(in))
			return;
		nl = memchr(in->p, '\n', in_left(in));
	} while (!nl);
	in->p = (uint8_t *)(uintptr_t)nl + 1;
}

const uint8_t *
lines_fill(struct source *s)
{
	struct in *in = &s->in;
	const uint8_t *nl = last_newline(in->p, in->end);
	size_t seen;

	while (!nl) {
		seen = in_left(in);
		if (in_more(in)) {
			nl = last_newline(in->p + seen, in->end);
			continue;
		}
		if (!in->eof) {
			skip_long_line(s);
			if (s->stop)
				return NULL;
			nl = last_newline(in->p, in->end);
			continue;
		}
		if (in->p == in->end)
			return NULL;
		*in->end = '\n'; /* there is margin */
		nl = in->end++;
	}
	return nl + 1;
}

const char *
quoted(char to[static 64], const void *v, size_t n)
{
	const uint8_t *p = v;
	char *q = to;

	*q++ = '"';
	for (; n && q < to + 44; p++, n--) {
		if (*p < ' ' || *p >= 0x7f || *p == '\\' || *p == '"') {
			*q++ = '\\';
			*q++ = 'x';
			*q++ = "0123456789abcdef"[*p >> 4];
			*q++ = "0123456789abcdef"[*p & 15];
		} else
			*q++ = (char)*p;
	}
	strcpy(q, n ? "\"..." : "\"");
	return to;
}

int
lines_first(const uint8_t *p, size_t n, bool whole,
	    bool (*is)(const uint8_t *p, const uint8_t *end))
{
	const uint8_t *end = p + n;

	for (int i = 0; i < 20 && p < end; i++) {
		const uint8_t *nl = memchr(p, '\n', (size_t)(end - p));

		if (!nl && !whole)
			break;
		if (is(p, nl ? nl : end))
			return i;
		if (!nl)
			break;
		p = nl + 1;
	}
	return -1;
}

enum simd
simd_best(void)
{
	static const char *const names[] = {"slow", "plain", "sse2"};
	const char *asked = getenv("SPOOR_SIMD");
	enum simd best = SIMD_PLAIN;

#if defined(__SSE2__)
	best = SIMD_SSE2;
#endif
#if HAVE_AVX2
	if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
	    __builtin_cpu_supports("bmi2"))
		best = SIMD_AVX2;
#endif
	for (unsigned i = 0; asked && i < 3; i++)
		if (!strcmp(asked, names[i]) && (enum simd)i < best)
			best = (enum simd)i;
	/* The digits of a word are weighed in little-endian order. */
	return HOST_BIG ? SIMD_SLOW : best;
}
