/* progress.c - signals that ask for a progress message. */
#include <string.h>
#include <sys/time.h>

#include "base/progress.h"

volatile sig_atomic_t progress_due;

static void
on_signal(int sig)
{
	(void)sig;
	progress_due = 1;
}

static void
catch_signal(int sig)
{
	struct sigaction sa;

	memset(&sa, 0, sizeof sa);
	sa.sa_handler = on_signal;
	sa.sa_flags = SA_RESTART;
	sigaction(sig, &sa, NULL);
}

void
progress_start(void)
{
	catch_signal(SIGUSR1);
}

void
progress_every(unsigned seconds)
{
	struct itimerval every;

	memset(&every, 0, sizeof every);
	every.it_interval.tv_sec = (time_t)seconds;
	every.it_value.tv_sec = (time_t)seconds;
	catch_signal(SIGALRM);
	setitimer(ITIMER_REAL, &every, NULL);
}
