/*
 * follow.h - --follow: a file that is still being written is read on as it grows, until a signal
 * ends it.
 */
#ifndef SPOOR_FOLLOW_H
#define SPOOR_FOLLOW_H

#include <stdbool.h>
#include <stdint.h>

/* From now on SIGINT and SIGTERM do not end the process: they make follow_over true, and interrupt
 * what waits. To be called before follow_wait. */
void follow_start(void);
bool follow_over(void);

/* Waits until there is a file of this name; says so where there is none. Returns false after a signal. */
bool follow_appears(const char *name);

enum follow {
	FOLLOW_MORE,	 /* there is more, or may be */
	FOLLOW_REPLACED, /* another file has this name now, or this one was made shorter */
	FOLLOW_OVER,	 /* a signal */
};

/*
 * Waits until the regular file fd, of this name and read up to byte `at`, has more. Where the system
 * tells of changes (inotify) nothing is done meanwhile but a look each second, for changes by
 * other machines; else there is one each 20 ms.
 */
enum follow follow_wait(int fd, const char *name, uint64_t at);

#endif
