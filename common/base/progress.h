/* progress.h - SIGUSR1 and --progress: a line on standard error shows how far a run is. */
#ifndef SPOOR_PROGRESS_H
#define SPOOR_PROGRESS_H

#include <signal.h>

/* Not 0 if a signal has asked for a progress message. */
extern volatile sig_atomic_t progress_due;

/* Makes SIGUSR1 set progress_due from now on. */
void progress_start(void);
/* Makes a timer set progress_due every `seconds` seconds from now on (--progress). */
void progress_every(unsigned seconds);

#endif
