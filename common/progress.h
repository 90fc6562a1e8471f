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

#endif
