/* fault.h - reports errors of an input. Every error of an input is reported by these functions. */
#ifndef SPOOR_FAULT_H
#define SPOOR_FAULT_H

#include "input/source.h"

/* The cost of an error. */
enum cost {
	COST_NONE,   /* nothing, but it is worth a message */
	COST_STATUS, /* no event, but the status is ST_TROUBLE */
	COST_EVENT,  /* an event, which is counted as lost; the status is ST_TROUBLE */
};

#define NOWHERE UINT64_MAX /* place of an error of the whole input */
#define FAULTS_SAID 10	   /* most messages about errors at single places of one input */

/* Reports an error in the input s. `rule` is the id of the rule that is broken, or NULL; `file` is the name of the
 * input, or of one of its files; `place` is a line number in a text format, an offset in another format, or
 * NOWHERE. The message of fmt ends without a newline. Only the first FAULTS_SAID errors that have a place and a
 * cost are printed; with --strict, reading stops at the first (s->stop). With opt->quiet, nothing is printed, and
 * s->trouble becomes true. */
void fault(struct source *s, const char *rule, enum cost cost, const char *file,
	   uint64_t place, const char *fmt, ...) PRINTF(6, 7) COLD;

/* Sets s->trouble because the file `path`, a part of s, could not be opened. If this is the first error, output streams
 * name the file. No event is counted as lost. The caller has printed a message. */
void source_missing(struct source *s, const char *path);
/* Reports `lost` events that the producer of this stream has lost, with its reason, reason[0..n). Output streams
 * get the number and the reason too. */
void source_upstream(struct source *s, uint64_t lost, const char *reason, size_t n) COLD;
/* Returns the number to add to s->line to get the line of the file, if s reads a part of a file: the lines before
 * the part, without the header lines, which s->line counts. Reads the file up to the part at the first call. After
 * a read error the number is too small. */
uint64_t fault_line(struct source *s);

#endif
