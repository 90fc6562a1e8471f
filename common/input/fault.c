/* fault.c - what is wrong with an input, in one form. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "input/chunk.h"
#include "input/source.h"

#define MESSAGES 10

/* "FILE:LINE: " or "FILE: offset N: ". */
static void
say(const struct source *s, const char *name, uint64_t place, const char *text)
{
	if (s->fmt->text)
		warn("%s:%llu: %s", name, (unsigned long long)place, text);
	else
		warn("%s: offset %llu: %s", name, (unsigned long long)place, text);
}

static void
report(struct source *s, const char *name, uint64_t place, const char *fmt, va_list ap)
{
	char text[512];

	s->trouble = true;
	if (s->opt->strict)
		s->stop = true;
	vsnprintf(text, sizeof text, fmt, ap);
	place += s->fmt->text ? chunk_line(s) : 0;
	if (!s->lost_where[0])
		snprintf(s->lost_where, sizeof s->lost_where, "%s%s%llu: %.80s", name,
			 s->fmt->text ? ":" : ": offset ", (unsigned long long)place, text);
	if (s->said++ < MESSAGES && !s->opt->quiet)
		say(s, name, place, text);
}

static void
trouble(struct source *s, const char *name, const char *fmt, va_list ap)
{
	char text[512];

	s->trouble = true;
	vsnprintf(text, sizeof text, fmt, ap);
	if (!s->lost_where[0])
		snprintf(s->lost_where, sizeof s->lost_where, "%s: %.80s", name, text);
	if (!s->opt->quiet)
		warn("%s: %s", name, text);
}

void
source_bad(struct source *s, uint64_t place, const char *fmt, ...)
{
	va_list ap;

	s->lost++;
	va_start(ap, fmt);
	report(s, s->name, place, fmt, ap);
	va_end(ap);
}

void
source_bad_in(struct source *s, const char *name, uint64_t place, const char *fmt, ...)
{
	va_list ap;

	s->lost++;
	va_start(ap, fmt);
	report(s, name, place, fmt, ap);
	va_end(ap);
}

void
source_note(struct source *s, uint64_t place, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	report(s, s->name, place, fmt, ap);
	va_end(ap);
}

void
source_note_in(struct source *s, const char *name, uint64_t place, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	report(s, name, place, fmt, ap);
	va_end(ap);
}

void
source_remark(struct source *s, uint64_t place, const char *text)
{
	if (s->opt->quiet)
		s->trouble = true;
	else
		say(s, s->name, place + chunk_line(s), text);
}

void
source_trouble(struct source *s, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	trouble(s, s->name, fmt, ap);
	va_end(ap);
}

void
source_trouble_in(struct source *s, const char *name, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	trouble(s, name, fmt, ap);
	va_end(ap);
}

void
source_upstream(struct source *s, uint64_t lost, const char *reason, size_t n)
{
	char text[64];

	s->trouble = true;
	s->lost += lost;
	s->upstream += lost;
	if (!s->lost_where[0])
		snprintf(s->lost_where, sizeof s->lost_where, "%.*s",
			 (int)(n < sizeof s->lost_where ? n : sizeof s->lost_where),
			 reason);
	if (!s->opt->quiet)
		warn("%s: the producer of this stream had trouble (%llu event%s lost): %s",
		     s->name, (unsigned long long)lost, lost == 1 ? "" : "s",
		     quoted(text, reason, n));
}
