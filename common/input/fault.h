/* fault.h - reports faults of an input. There is no other way to report them. */
#ifndef SPOOR_FAULT_H
#define SPOOR_FAULT_H

#include "input/source.h"

/* The cost of a fault. */
enum cost {
	COST_NONE,   /* nothing: it is worth a message */
	COST_STATUS, /* no event, but the status is ST_TROUBLE */
	COST_EVENT,  /* an event: it is counted as lost, and the status is ST_TROUBLE */
};

#define NOWHERE UINT64_MAX /* the place of a fault of a whole input */
#define FAULTS_SAID 10	   /* messages about single places of one input */

/*
 * Reports a fault of s. `rule` is the id of the rule that is broken, NULL where there is
 * none; `file` the input's name, or that of one of several files that make it; `place` a
 * line of a text format, an offset of another one, or NOWHERE. The words that fmt gives end
 * without a newline. Of faults with a place and a cost the first FAULTS_SAID are said, and
 * --strict ends the reading at the first (s->stop). Where messages are off (opt->quiet)
 * s->trouble tells that there was one.
 */
void fault(struct source *s, const char *rule, enum cost cost, const char *file,
	   uint64_t place, const char *fmt, ...) PRINTF(6, 7) COLD;

/* An input that is part of s could not be opened, which has been said. */
void source_missing(struct source *s, const char *path);
/*
 * The producer of this stream says that it lost `lost` events, and why (n bytes): reported,
 * and passed on as it stands.
 */
void source_upstream(struct source *s, uint64_t lost, const char *reason, size_t n) COLD;
/* The number of lines of the file before the part, without those of its header that were
 * read with it. */
uint64_t fault_line(struct source *s);

#endif
