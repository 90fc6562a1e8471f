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

static const char *
simd(void)
{
	const char *s = getenv("SPOOR_SIMD");

	return s ? s : "";
}

#if HAVE_AVX2
bool
have_avx2(void)
{
	return !*simd() && __builtin_cpu_supports("avx2") &&
	       __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
}
#endif

bool
simd_plain(void)
{
	return !strcmp(simd(), "plain");
}

bool
simd_slow(void)
{
	return HOST_BIG || !strcmp(simd(), "slow");
}
