/* follow.h - --follow: reads on in a file that another program is still writing, until a signal ends that. */
#ifndef SPOOR_FOLLOW_H
#define SPOOR_FOLLOW_H

#include <stdbool.h>
#include <stdint.h>

/* Prepares for follow_wait. From now on SIGINT and SIGTERM do not end the process: they make follow_over true, and
 * interrupt waiting. */
void follow_start(void);
/* Returns true after SIGINT or SIGTERM. */
bool follow_over(void);

/* Waits until a file of this name exists, and prints a message if it must wait. Returns false after a signal. Returns
 * true if the name cannot be looked up for another reason, such as a missing permission: opening it then fails. */
bool follow_appears(const char *name);

enum follow {
	FOLLOW_MORE,	 /* the file has more bytes, or may have */
	FOLLOW_REPLACED, /* another file has the name now, or the file became shorter */
	FOLLOW_OVER,	 /* a signal has ended the waiting */
};

/*
 * Waits until the regular file fd, which has this name, has more than `at` bytes, or was replaced. Looks at the file
 * when inotify reports a change, and each second, because inotify does not report changes by other machines; without
 * inotify, each 20 ms. If the name is removed, waits until another file has it. fd must be open.
 */
enum follow follow_wait(int fd, const char *name, uint64_t at);

#endif
