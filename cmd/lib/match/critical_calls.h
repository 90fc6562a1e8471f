/* critical_calls.h - an array of calls, in memory up to a limit, and beyond it in a temporary file. */
#ifndef SPOOR_CRITICAL_CALLS_H
#define SPOOR_CRITICAL_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A call; or a stretch of the critical path, in one call or between calls. Times are in ns, as sortable numbers. */
struct critical_call {
	uint64_t start, end;
	/* Number of the previous call on the same thread; 0 = none. A stretch has 0. */
	uint64_t before;
	/* Number of the call of another rank that this call waited for; a stretch has the process that the path comes
	 * from. 0 with WHY_NONE. */
	uint64_t by;
	uint32_t proc;
	uint16_t name, why; /* number of its name; enum why */
};

/* An array of struct critical_call, numbered from 1. */
struct critical_calls {
	uint64_t n;
	struct critical_page
	    *page; /* page p of the array is in page[p % npages], or in the file */
	size_t npages;
	int fd;
};

/* Initializes an empty array. critical_calls_free frees it. */
void critical_calls_start(struct critical_calls *c);
void critical_calls_free(struct critical_calls *c);
/* Returns call number i, from 1 to n. It is valid until the next call of any function here. With `change` the caller may
 * change it. Dies if the temporary file cannot be made, written or read. */
struct critical_call *critical_calls_at(struct critical_calls *c, uint64_t i, bool change);
/* Appends a call, and returns its number. Dies as critical_calls_at does. */
uint64_t critical_calls_add(struct critical_calls *c, const struct critical_call *call);

#endif
