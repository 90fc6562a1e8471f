/* fault.c - reports errors of an input. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "input/fault.h"

#define PIECE (64 * 1024)

uint64_t
fault_line(struct source *s)
{
	uint8_t buf[PIECE];
	int err; /* after an error only the number in a message is wrong */

	if (s->part.begin && !s->part.lines_counted) {
		for (uint64_t at = 0; at < s->part.begin; at += sizeof buf) {
			uint64_t left = s->part.begin - at;
			size_t n =
			    in_at(s->in.fd, buf,
				  left < sizeof buf ? (size_t)left : sizeof buf, at, &err);

			for (size_t i = 0; i < n; i++)
				s->part.lines_before += buf[i] == '\n';
		}
		s->part.lines_before -= s->part.header_lines;
		s->part.lines_counted = true;
	}
	return s->part.lines_before;
}

void
fault(struct source *s, const char *rule, enum cost cost, const char *file, uint64_t place,
      const char *fmt, ...)
{
	bool counted = place != NOWHERE && cost != COST_NONE;
	char text[512], at[40] = "";
	va_list ap;

	while (s->of)
		s = s->of;
	if (s->faults.silent)
		return;
	/* An incomplete record at the end of a file that is followed is not an error: the rest may still come. */
	if (s->in.over && cost != COST_NONE)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	/* After an error of reading nobody knows what the input has. */
	if (s->opt->found && !s->in.err) {
		s->opt->found(s->opt->found_arg, s, rule, (int)cost, file,
			      place == NOWHERE || !s->fmt->text ? place
								: place + fault_line(s),
			      text);
		return;
	}
	if (place != NOWHERE && s->fmt->text && !s->opt->quiet)
		snprintf(at, sizeof at,
			 "%llu: ", (unsigned long long)place + fault_line(s));
	else if (place != NOWHERE)
		snprintf(at, sizeof at, " offset %llu: ", (unsigned long long)place);
	else
		snprintf(at, sizeof at, " ");
	s->faults.lost += cost == COST_EVENT;
	s->trouble |= cost != COST_NONE || s->opt->quiet;
	s->stop |= counted && s->opt->strict;
	if (cost != COST_NONE && !s->faults.where[0])
		snprintf(s->faults.where, sizeof s->faults.where, "%s:%s%.80s", file, at,
			 text);
	if (!s->opt->quiet && (!counted || s->faults.n_messages++ < FAULTS_SAID))
		warn("%s:%s%s", file, at, text);
}

void
source_missing(struct source *s, const char *path)
{
	s->trouble = true;
	if (!s->faults.where[0])
		snprintf(s->faults.where, sizeof s->faults.where,
			 "%s: cannot read the file", path);
}

void
source_upstream(struct source *s, uint64_t lost, const char *reason, size_t n)
{
	char text[64];

	if (s->opt->found) {
		fault(s, NULL, COST_EVENT, s->name, NOWHERE,
		      "the producer of this stream had trouble (%llu event%s lost)",
		      (unsigned long long)lost, lost == 1 ? "" : "s");
		return;
	}
	s->trouble = true;
	s->faults.lost += lost;
	s->faults.upstream += lost;
	if (!s->faults.where[0])
		snprintf(s->faults.where, sizeof s->faults.where, "%.*s",
			 (int)(n < sizeof s->faults.where ? n : sizeof s->faults.where),
			 reason);
	if (!s->opt->quiet)
		warn("%s: the producer of this stream had trouble (%llu event%s lost): %s",
		     s->name, (unsigned long long)lost, lost == 1 ? "" : "s",
		     quoted(text, reason, n));
}
