/*
 * calls.c - pledge and unveil on another system: each call is told on standard error and
 * succeeds; with FAIL_UNVEIL=N the Nth unveil fails.
 */
#define _BSD_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int
pledge(const char *promises, const char *execpromises)
{
	dprintf(2, "pledge %s%s\n", promises, execpromises ? ", and for exec" : "");
	return 0;
}

int
unveil(const char *path, const char *permissions)
{
	static int calls;
	const char *fail = getenv("FAIL_UNVEIL");

	dprintf(2, "unveil %s %s\n", path ? path : "no", permissions ? permissions : "more");
	if (!fail || atoi(fail) != ++calls)
		return 0;
	errno = E2BIG;
	return -1;
}
