/* progress.h - SIGUSR1 and --progress: one line on standard error about how far a run is.
 */
#ifndef SPOOR_PROGRESS_H
#define SPOOR_PROGRESS_H

#include <signal.h>

struct trace;

extern volatile sig_atomic_t progress_due;

void progress_start(void);	       /* from now on SIGUSR1 asks for a line */
void progress_every(unsigned seconds); /* --progress */
void progress_say(const struct trace *t);

/* For whoever reads t->src himself, once in a while. trace_next calls it. */
static inline void
progress_check(const struct trace *t)
{
	if (progress_due)
		progress_say(t);
}

#endif
