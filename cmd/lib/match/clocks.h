/*
 * clocks.h - how far the clocks of hosts are apart, by the messages between them: none is received before it was
 * sent.
 */
#ifndef SPOOR_CLOCKS_H
#define SPOOR_CLOCKS_H

#include "base/out.h"
#include "event/event.h"

struct clocks;

struct clocks *clocks_new(void);
void clocks_free(struct clocks *c);
/* Which hosts ranks are on: metadata as `3.header.hostname`. A rank without one has a clock of its own. */
void clocks_head(struct clocks *c, const struct head *h);
/* The first call of process `proc`, whose place is so written, began at `start`: in ns, as numbers that compare. Those
 * of a lower `order` stand in front. */
void clocks_proc(struct clocks *c, uint32_t proc, uint64_t order, const char *place,
		 uint64_t start);
/* A message was sent from `start` on, and its receive complete at `end`. */
void clocks_message(struct clocks *c, uint32_t from, uint32_t to, uint64_t start,
		    uint64_t end);
/*
 * Writes what was found, behind '#', and then the options of trace-merge that put clocks right, where the N-th input
 * is the file of the N-th process in their order. False where messages contradict each other: some are still received
 * before they were sent. All is forgotten then.
 */
bool clocks_put(struct clocks *c, struct out *to);

#endif
