/* die.c - messages, exit, memory. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/die.h"

/* Of the machines that we know; where it is another, only speed is lost. */
#define CACHE_LINE 64

static const char *name = "spoor";
static bool quiet;

void
prog_start(const char *argv0)
{
	const char *slash = strrchr(argv0, '/');

	name = slash ? slash + 1 : argv0;
	/* The wrong mode on purpose: reading from a closed input, or writing to a closed
	 * output, must fail as it would have without us. */
	if (fcntl(0, F_GETFD) < 0 && open("/dev/null", O_WRONLY) != 0)
		exit(ST_TROUBLE);
	if (fcntl(1, F_GETFD) < 0 && open("/dev/null", O_RDONLY) != 1)
		exit(ST_TROUBLE);
	if (fcntl(2, F_GETFD) < 0 && open("/dev/null", O_RDONLY) != 2)
		exit(ST_TROUBLE);
}

const char *
prog_name(void)
{
	return name;
}

static void PRINTF(1, 0) say(const char *fmt, va_list ap)
{
	int saved = errno;
	size_t n = strlen(fmt);

	fflush(stdout);
	flockfile(stderr);
	fprintf(stderr, "%s: ", name);
	vfprintf(stderr, fmt, ap);
	if (n && fmt[n - 1] == ':')
		fprintf(stderr, " %s", strerror(saved));
	fputc('\n', stderr);
	funlockfile(stderr);
}

void
warn_quiet(void)
{
	quiet = true;
}

void
warn(const char *fmt, ...)
{
	va_list ap;

	if (quiet)
		return;
	va_start(ap, fmt);
	say(fmt, ap);
	va_end(ap);
}

void
die(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	if (!quiet)
		say(fmt, ap);
	va_end(ap);
	exit(ST_TROUBLE);
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

void *
xmalloc(size_t n)
{
	void *p = malloc(n ? n : 1);

	if (!p)
		die("out of memory");
	return p;
}

void *
xaligned(size_t n)
{
	/* aligned_alloc takes multiples of the alignment only. */
	void *p = n <= SIZE_MAX - CACHE_LINE
		      ? aligned_alloc(CACHE_LINE, (n / CACHE_LINE + 1) * CACHE_LINE)
		      : NULL;

	if (!p)
		die("out of memory");
	return p;
}

void *
xcalloc(size_t n, size_t size)
{
	void *p = calloc(n ? n : 1, size ? size : 1);

	if (!p)
		die("out of memory");
	return p;
}

void *
xrealloc(void *p, size_t n, size_t size)
{
	if (size && n > SIZE_MAX / size)
		die("out of memory");
	p = realloc(p, n && size ? n * size : 1);
	if (!p)
		die("out of memory");
	return p;
}

char *
xstrdup(const char *s)
{
	size_t n = strlen(s) + 1;

	return memcpy(xmalloc(n), s, n);
}

void *
grow(void *v, size_t *cap, size_t want, size_t size)
{
	size_t n = *cap ? *cap : 16;

	if (want <= *cap)
		return v;
	while (n < want)
		n = n > SIZE_MAX / 2 ? want : n * 2;
	v = xrealloc(v, n, size);
	memset((char *)v + *cap * size, 0, (n - *cap) * size);
	*cap = n;
	return v;
}
