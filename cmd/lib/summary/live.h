/* live.h - trace-stats -w --follow: the rows of a window are written when it is over. */
#ifndef SPOOR_LIVE_H
#define SPOOR_LIVE_H

#include "summary/summary.h"

struct live {
	struct query_result *answer;
	struct out *out;
	struct summary *summary;
	struct windows next; /* those that were not written */
	uint64_t late;	     /* events of windows whose rows were written before */
	bool more;	     /* rows were to be there that were not written */
};

/*
 * From now on a window's rows are written, with the head before the first, and forgotten, as soon as
 * there is an event behind it; summary_put writes the rest. Where the rows need all events (JSON,
 * --wide, -S, --head, share), nothing: summary_put writes all. All must live as long as the answer.
 */
void live_begin(struct live *l, struct query_result *a, struct out *o,
		struct summary *opts);
/* After all events: reports those that came too late for their rows. Gives ST_TROUBLE then, else
 * ST_OK. */
int live_end(const struct live *l);

#endif
