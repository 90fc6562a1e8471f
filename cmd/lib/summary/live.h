/* live.h - trace-stats -w --follow: writes the rows of a window when it is over. */
#ifndef SPOOR_LIVE_H
#define SPOOR_LIVE_H

#include "summary/summary.h"

struct live {
	struct query_result *answer;
	struct out *out;
	struct summary *summary;
	struct windows next; /* the windows that are not written yet */
	uint64_t late;	     /* number of events whose window was already written */
	bool more;	     /* rows without events were too many to write */
};

/* Begins to write the rows of each window, the headings before the first, as soon as an event comes after it; the
 * window is then forgotten. summary_put writes the rest. Does nothing if rows need all events (JSON, --wide, -S,
 * --head, share); summary_put then writes everything. All arguments must live as long as the answer. */
void live_begin(struct live *l, struct query_result *a, struct out *o,
		struct summary *opts);
/* Reports events that came too late for their rows. Call it after all events. Returns ST_TROUBLE if there were
 * such events or rows are missing, else ST_OK. */
int live_end(const struct live *l);

#endif
