/*
 * whole.h - the file or the directory of -o: it appears whole, or not at all.
 *
 * It is made without a name, if the file system allows that of a file, or beside its place
 * under another one. A second process, forked before any input is read, gives it its name at
 * the end; it also makes the files of a directory and hands them over open. So the program
 * itself needs no right to make, rename or remove a file, and leaves nothing behind however
 * it ends.
 */
#ifndef SPOOR_WHOLE_H
#define SPOOR_WHOLE_H

#include <stdbool.h>

struct whole;

/*
 * Begins the file `path`, or the directory, which must not be there, or be empty. To be called
 * before sandbox_enter. Gives the descriptor of the file, or 0 of a directory; -1 with errno
 * set, which is EEXIST or ENOTEMPTY where something is in the place of a directory. Dies where
 * another that is open has this name. Links are followed. A file keeps its mode, and its owner if
 * the process may set that. *w is NULL if the path is a device, a pipe, another file that is not
 * regular, or standard output itself: these are written to directly.
 */
int whole_open(const char *path, bool directory, struct whole **w);
/*
 * Opens a file of the directory for writing at its end; a second call of the same name goes
 * on with it. Directories in the name are made. Returns the descriptor, or -1 with errno set:
 * EINVAL for a name that is absolute, or has an empty component, "." or ".."; EEXIST if
 * something is there that was not made like this; ENOSPC beyond 4 million names or 256 MiB of them.
 */
int whole_file(struct whole *w, const char *name);
/*
 * Ends it and frees w. With `keep` it gets its name, and a file replaces an older one; else
 * what was written is removed. False with errno set if it could not get its name: it is then
 * removed as well, and an older file as it was. The caller closes the descriptors before.
 */
bool whole_close(struct whole *w, bool keep);

#endif
