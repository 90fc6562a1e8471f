/*
 * made.h - the files and directories that a helper makes inside the directory of -o (atomic_file.h).
 *
 * The names come from a program whose input may have taken control of it. So only files made here, inside the
 * directory, are opened, and no link is followed.
 */
#ifndef SPOOR_MADE_H
#define SPOOR_MADE_H

#include <stddef.h>

#include "base/slots.h"

/* Files and directories that were made. Zeroed struct = none. */
struct made_files {
	char **name; /* path of each, in the order of making */
	size_t n, cap, bytes;
	struct slots index; /* numbers in `name` by hash */
};

/*
 * Makes the file `name` of the directory dir for writing, and the directories in its name, or opens it at its end if
 * it was made before. `name` is changed during the call, but has its old value at return; m keeps a copy of it.
 * Returns the descriptor, which the caller closes, or -1 with errno set: EINVAL for a name that leads outside, EEXIST
 * for what was not made here, ENOSPC beyond the limits of made.c.
 */
int made_file(struct made_files *m, int dir, char *name);
/* Removes all that was made from the directory dir, and ignores errors. Does not free the memory of m, which must not
 * be used again. */
void made_remove(struct made_files *m, int dir);

#endif
