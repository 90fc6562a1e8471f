/* progress.h - SIGUSR1 and --progress: a line on standard error says how far a run is. */
#ifndef SPOOR_PROGRESS_H
#define SPOOR_PROGRESS_H

#include <signal.h>

extern volatile sig_atomic_t progress_due; /* not 0: a signal has asked for a line */

/* From now on SIGUSR1 sets progress_due. */
void progress_start(void);
/* --progress: from now on a timer sets it too, every `seconds` seconds. */
void progress_every(unsigned seconds);

#endif
