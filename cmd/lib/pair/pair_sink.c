/* pair_sink.c - common to all engines that make their own events from the events of a source: see pair.h. */
#include <string.h>

#include "pair/pair.h"

void
pair_sink_head(struct source *own, const struct source *s)
{
	struct tables t = own->t;

	*own = *s;
	own->t = t;
}

void
pair_sink_end(const struct pair_sink *to, struct source *own, struct source *s)
{
	own->faults.lost = s->faults.lost;
	own->faults.lost_before = s->faults.lost_before;
	memcpy(own->faults.where, s->faults.where, sizeof s->faults.where);
	to->end(to->arg, own);
	s->trouble |= own->trouble;
	tables_reset(&own->t);
	own->head_serial = 0;
}
