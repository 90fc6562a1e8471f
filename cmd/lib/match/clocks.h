/*
 * clocks.h - measures by how much the clocks of hosts differ, from the messages between them: no message is
 * received before it was sent.
 */
#ifndef SPOOR_CLOCKS_H
#define SPOOR_CLOCKS_H

#include "base/out.h"
#include "event/event.h"

struct clocks;

/* Returns a struct without processes; clocks_free frees it. */
struct clocks *clocks_new(void);
void clocks_free(struct clocks *c);
/* Reads the hosts of ranks from metadata such as `3.header.hostname`. A rank without a host has its own clock. */
void clocks_head(struct clocks *c, const struct head *h);
/* Adds process `proc`, whose place is written as `place`, and whose first call began at `start` (ns, as sortable
 * numbers). Processes with a lower `order` come first. `place` is copied. */
void clocks_proc(struct clocks *c, uint32_t proc, uint64_t order, const char *place,
		 uint64_t start);
/* Adds a message from process `from` to process `to`: its send began at `start`, its receive was complete at
 * `end`. */
void clocks_message(struct clocks *c, uint32_t from, uint32_t to, uint64_t start,
		    uint64_t end);
/* Writes the results as lines that begin with '#', then the options of trace-merge that correct the clocks; the
 * N-th input is the file of the N-th process in order. Returns false if messages contradict each other, so that
 * some are still received before they were sent. Forgets everything afterwards. */
bool clocks_put(struct clocks *c, struct out *to);

#endif
