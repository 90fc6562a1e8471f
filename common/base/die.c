/* die.c - messages, exit, memory. */
#define _DEFAULT_SOURCE /* madvise */
#include <errno.h>
#include <limits.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if defined(__linux__)
#include <sys/mman.h>
#endif

#include "base/die.h"
#include "base/hash.h"

/* Bytes of a cache line. A machine with another size only loses speed. */
#define CACHE_LINE 64

/* Bytes of a large page. A machine with another size only loses speed. */
#define LARGE_PAGE ((size_t)2 << 20)

/* Bytes of a message; a longer one is cut. */
#define MESSAGE 8192
/* Most bytes that strerror adds to a message. */
#define REASON 256

static char name[256] = "spoor";
static unsigned printed, skipped;

void
prog_start(const char *argv0)
{
	const char *slash = strrchr(argv0, '/');

	argv0 = slash ? slash + 1 : argv0;
	*put_shown(name, argv0, strnlen(argv0, sizeof name / 4 - 1)) = '\0';
	hash_seed();
	/* The parent process may have ignored SIGCHLD; then waitpid could not return a child's status. */
	signal(SIGCHLD, SIG_DFL);
	/* The wrong mode is on purpose: reading from a closed input, or writing to a closed output, must fail as
	 * it would if the descriptor stayed closed. */
	for (int fd = 0; fd < 3; fd++)
		if (fcntl(fd, F_GETFD) < 0 &&
		    open("/dev/null", fd ? O_RDONLY : O_WRONLY) != fd)
			exit(ST_TROUBLE);
}

const char *
prog_name(void)
{
	return name;
}

size_t
utf8_char(const uint8_t *p, size_t n, uint32_t *c)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	size_t len = *p < 0x80 ? 1 : *p < 0xc0 ? 0 : *p < 0xe0 ? 2 : *p < 0xf0 ? 3 : 4;

	*c = len == 1 ? *p : *p & (0x7fu >> len);
	if (!len || len > n)
		return 0;
	for (size_t i = 1; i < len; i++) {
		if (p[i] >> 6 != 2)
			return 0;
		*c = *c << 6 | (p[i] & 0x3f);
	}
	if (*c < least[len] || (*c >= 0xd800 && *c < 0xe000) || *c > 0x10ffff)
		return 0;
	return len;
}

/* Returns the length of the UTF-8 character at p if a terminal merely displays it. Returns 0 if there is no valid
 * character, or one that acts on the terminal: a control, or a mark that changes the direction of text. */
static size_t
shown(const uint8_t *p, size_t n)
{
	uint32_t c;
	size_t len = utf8_char(p, n, &c);

	if (c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x61c ||
	    (c >= 0x200e && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e) ||
	    (c >= 0x2066 && c <= 0x2069))
		return 0;
	return len;
}

/* Writes a byte as \xHH. The tables of put.h cannot be used: messages may be printed before these are filled. */
static char *
put_byte(char *to, uint8_t c)
{
	static const char hex[] = "0123456789abcdef";

	*to++ = '\\';
	*to++ = 'x';
	*to++ = hex[c >> 4];
	*to++ = hex[c & 15];
	return to;
}

char *
put_shown(char *to, const void *v, size_t n)
{
	const uint8_t *p = v;

	while (n) {
		size_t k = shown(p, n);

		if (k) {
			memcpy(to, p, k);
			to += k;
		} else {
			to = put_byte(to, *p);
			k = 1;
		}
		p += k;
		n -= k;
	}
	return to;
}

/* Prints a message as one line, whatever bytes its names have, in one write. Prints the lines `below` after it
 * without change, unless `below` is NULL. */
static void PRINTF(2, 0) say(const char *below, const char *fmt, va_list ap)
{
	int saved = errno, len;
	size_t n = strlen(fmt);
	char text[MESSAGE], line[sizeof name + 4 * MESSAGE + REASON + 8], *p = line;

	len = vsnprintf(text, sizeof text, fmt, ap);
	p += sprintf(p, "%s: ", name);
	if (len > 0)
		p = put_shown(p, text, strlen(text));
	if (len >= (int)sizeof text)
		p += sprintf(p, "...");
	*p++ = '\n';
	*p = '\0';
	if (n && fmt[n - 1] == ':')
		sprintf(p - 1, " %.200s\n", strerror(saved));
	p = line + strlen(name) + 2;
	fflush(stdout);
	flockfile(stderr);
	fputs(line, stderr);
	if (below)
		fputs(below, stderr);
	funlockfile(stderr);
}

unsigned
warn_said(void)
{
	return printed;
}

void
warn_skip(unsigned n)
{
	skipped = n;
}

void
warn(const char *fmt, ...)
{
	va_list ap;

	if (skipped) {
		skipped -= skipped != UINT_MAX;
		return;
	}
	printed++;
	va_start(ap, fmt);
	say(NULL, fmt, ap);
	va_end(ap);
}

void
warn_progress(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say(NULL, fmt, ap);
	va_end(ap);
}

void
die(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say(NULL, fmt, ap);
	va_end(ap);
	exit(ST_TROUBLE);
}

void
die_at(const char *in, uint64_t line, const char *fmt, ...)
{
	char text[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	die("%s:%llu: %s", in, (unsigned long long)line, text);
}

void
die_below(const char *below, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say(below, fmt, ap);
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
		if (*p < ' ' || *p >= 0x7f || *p == '\\' || *p == '"')
			q = put_byte(q, *p);
		else
			*q++ = (char)*p;
	}
	memcpy(q, n ? "\"..." : "\"", n ? 5 : 2);
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

/* Asks for large pages for a table of at least 8 of them. Random look-ups in a large table touch another page each
 * time, and the TLB covers more memory with large pages. Does nothing on systems without them. */
static void
use_large_pages(void *p, size_t n)
{
#ifdef MADV_HUGEPAGE
	uintptr_t from = ((uintptr_t)p + LARGE_PAGE - 1) & ~(uintptr_t)(LARGE_PAGE - 1);

	if (n >= 8 * LARGE_PAGE)
		madvise((void *)from, (n - LARGE_PAGE) & ~(size_t)(LARGE_PAGE - 1),
			MADV_HUGEPAGE);
#else
	(void)p, (void)n;
#endif
}

void *
xcalloc(size_t n, size_t size)
{
	void *p = calloc(n ? n : 1, size ? size : 1);

	if (!p)
		die("out of memory");
	use_large_pages(p, n * size);
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

char *
xstrndup(const char *s, size_t n)
{
	char *p = xmalloc(n + 1);

	p[n] = '\0';
	return memcpy(p, s, n);
}

/* Grows the array v to n elements, doubled until there are at least `want`. */
static void *
grow_from(void *v, size_t *cap, size_t n, size_t want, size_t size)
{
	while (n < want)
		n = n > SIZE_MAX / 2 ? want : n * 2;
	v = xrealloc(v, n, size);
	use_large_pages(v, n * size);
	memset((char *)v + *cap * size, 0, (n - *cap) * size);
	*cap = n;
	return v;
}

void *
grow(void *v, size_t *cap, size_t want, size_t size)
{
	return want <= *cap ? v : grow_from(v, cap, *cap ? *cap : 16, want, size);
}

void *
grow_small(void *v, size_t *cap, size_t want, size_t size)
{
	return want <= *cap ? v : grow_from(v, cap, *cap ? *cap : 1, want, size);
}
