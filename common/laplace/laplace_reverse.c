/* laplace_reverse.c - Laplace's reference text back into binary records. */
#include <string.h>

#include "base/bytes.h"
#include "input/fault.h"
#include "input/lines.h"
#include "laplace/laplace.h"

/* A record as it lies in a file of that order. */
static void
store(uint8_t to[LAPLACE_RECORD], const struct reference *r, bool big)
{
	bool swap = big != HOST_BIG;

	to[0] = r->type;
	st64(to + 1, swap ? swap64(r->time) : r->time);
	to[9] = r->length;
	st32(to + 10, swap ? swap32(r->space) : r->space);
	st32(to + 14, swap ? swap32(r->addr) : r->addr);
}

void
laplace_to_binary(struct source *s, struct out *o, bool big)
{
	const uint8_t *end, *p, *nl;
	struct reference r;

	while (!s->stop && (end = lines_fill(s))) {
		source_progress(s);
		for (p = s->in.p; p < end && !s->stop; p = nl + 1) {
			const char *why;
			char text[64];

			nl = memchr(p, '\n', (size_t)(end - p));
			s->line++;
			why = laplace_parse(p, nl, &r);
			if (why) {
				fault(s, "laplace-text-form", COST_EVENT, s->name, s->line,
				      "%s: %s", quoted(text, p, (size_t)(nl - p)), why);
				continue;
			}
			store(out_room(o), &r, big);
			o->p += LAPLACE_RECORD;
			s->events++;
		}
		s->in.p = (uint8_t *)(uintptr_t)p;
		if (o->line)
			out_flush(o);
	}
}
