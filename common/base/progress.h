/* progress.h - SIGUSR1 and --progress: one line on standard error about how far a run is.
 */
#ifndef SPOOR_PROGRESS_H
#define SPOOR_PROGRESS_H

#include <signal.h>

extern volatile sig_atomic_t progress_due; /* a signal has asked for it */

/* From now on SIGUSR1 asks for a line. */
void progress_start(void);
/* --progress: so does the clock, every so many seconds. */
void progress_every(unsigned seconds);
#endif
