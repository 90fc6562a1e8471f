/* reverse.c - Laplace's reference text back into binary records. */
#include <string.h>

#include "input/fault.h"
#include "input/lines.h"
#include "laplace/laplace.h"

size_t
laplace_read_lines(struct source *s, uint8_t *to, size_t most, bool big, uint64_t *first)
{
	const uint8_t *end, *p, *nl;
	struct reference r;
	size_t n = 0;

	while (!n && !s->stop && (end = lines_fill(s))) {
		source_progress(s);
		for (p = s->in.p; p < end && n < most && !s->stop; p = nl + 1) {
			const char *why;
			char text[64];

			nl = memchr(p, '\n', (size_t)(end - p));
			why = laplace_parse(p, nl, &r);
			if (why && n)
				break;
			s->line++;
			if (why) {
				fault(s, "laplace-text-form", COST_EVENT, s->name, s->line,
				      "%s: %s", quoted(text, p, (size_t)(nl - p)), why);
				continue;
			}
			*first = n ? *first : s->line;
			laplace_store(to + LAPLACE_RECORD * n++, &r, big);
		}
		s->in.p = (uint8_t *)(uintptr_t)p;
	}
	s->events += n;
	return n;
}

void
laplace_to_binary(struct source *s, struct out *o, bool big)
{
	uint64_t line;
	size_t n;

	while ((n = laplace_read_lines(s, out_room(o), OUT_SLACK / LAPLACE_RECORD, big,
				       &line))) {
		o->p += n * LAPLACE_RECORD;
		if (o->line)
			out_flush(o);
	}
}
