/* processors.c - counts the processors for threads (threads.h). */
#define _GNU_SOURCE /* for sched_getaffinity */
#include <sched.h>
#include <unistd.h>

#include "input/threads.h"

unsigned
threads_processors(void)
{
	long n = 1;
#ifdef __linux__
	cpu_set_t may; /* a batch system may give a job only some processors */

	if (sched_getaffinity(0, sizeof may, &may) == 0)
		return (unsigned)CPU_COUNT(&may);
#endif
#ifdef _SC_NPROCESSORS_ONLN
	n = sysconf(_SC_NPROCESSORS_ONLN);
#endif
	return n > 0 ? (unsigned)n : 1;
}
