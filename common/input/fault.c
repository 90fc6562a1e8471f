/* fault.c - what is wrong with an input, in one form. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "input/chunk.h"
#include "input/fault.h"

void
fault(struct source *s, const char *rule, enum cost cost, const char *file, uint64_t place,
      const char *fmt, ...)
{
	bool counted = place != NOWHERE && cost != COST_NONE;
	char text[512], at[40] = "";
	va_list ap;

	(void)rule;
	while (s->of)
		s = s->of;
	/* A file that is followed: what is not whole yet is no fault. */
	if (s->in.over && cost != COST_NONE)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	if (place != NOWHERE && s->fmt->text && !s->opt->quiet)
		snprintf(at, sizeof at,
			 "%llu: ", (unsigned long long)place + chunk_line(s));
	else if (place != NOWHERE)
		snprintf(at, sizeof at, " offset %llu: ", (unsigned long long)place);
	else
		snprintf(at, sizeof at, " ");
	s->lost += cost == COST_EVENT;
	s->trouble |= cost != COST_NONE || s->opt->quiet;
	s->stop |= counted && s->opt->strict;
	if (cost != COST_NONE && !s->lost_where[0])
		snprintf(s->lost_where, sizeof s->lost_where, "%s:%s%.80s", file, at, text);
	if (!s->opt->quiet && (!counted || s->said++ < FAULTS_SAID))
		warn("%s:%s%s", file, at, text);
}

void
source_missing(struct source *s, const char *path)
{
	s->trouble = true;
	if (!s->lost_where[0])
		snprintf(s->lost_where, sizeof s->lost_where, "%s: it cannot be read",
			 path);
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
