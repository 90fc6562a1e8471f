/* report.h - what a person wants to know first of a trace. */
#ifndef SPOOR_REPORT_H
#define SPOOR_REPORT_H

#include "stats.h"

#define REPORT_NEED (NEED_TIME | NEED_LOC | NEED_SIZE | NEED_ADDR | NEED_DUR | NEED_ORDER)

struct report {
	struct spec event_spec, loc_spec;
	struct stats event, loc;
	char format[32];
};

void report_open(struct report *r);
void report_add(struct report *r, struct source *s, const struct batch *b,
		const uint32_t *pick, uint32_t n);
/* `lost`: records that were skipped. */
void report_put(struct report *r, struct out *o, uint64_t lost);
void report_free(struct report *r);

#endif
