/* processors.c - how many threads may run at a time: see threads.h. */
#define _GNU_SOURCE /* sched_getaffinity */
#include <sched.h>
#include <unistd.h>

#include "input/threads.h"

unsigned
threads_processors(void)
{
	long n = 1;
#ifdef __linux__
	cpu_set_t may; /* a batch system gives a job some of the machine's */

	if (sched_getaffinity(0, sizeof may, &may) == 0)
		return (unsigned)CPU_COUNT(&may);
#endif
#ifdef _SC_NPROCESSORS_ONLN
	n = sysconf(_SC_NPROCESSORS_ONLN);
#endif
	return n > 0 ? (unsigned)n : 1;
}
