/*
 * atomic_file.h - writes the file or the directory of -o so that it appears whole, or not at all.
 *
 * A file is made without a name, if the file system allows this; otherwise, and for a directory, a temporary name in
 * the same directory is used. A second process, forked before any input is read, gives the file or the directory its
 * name at the end; the second process also makes the files of a directory and passes them on open. So the program
 * itself needs no right to make, rename or remove a file, and no temporary file stays however the program ends.
 */
#ifndef SPOOR_ATOMIC_FILE_H
#define SPOOR_ATOMIC_FILE_H

#include <stdbool.h>

struct atomic_file;

/*
 * Begins the file or the directory `path`; a directory must be empty, or not exist. Must be called before
 * sandbox_enter. `path` is copied. Returns the descriptor of the file, which the caller closes, or 0 for a directory,
 * which is then no descriptor. Returns -1 with errno set and *w NULL if it fails: EEXIST or ENOTEMPTY if a directory's
 * name is taken. Dies if another open file or directory has this name. Links are followed. A file keeps its mode, and
 * its owner if the process may set the owner. *w is NULL if the path is a device, a pipe, another file that is not
 * regular, or standard output itself: these are written to directly, and atomic_close must not be called.
 */
int atomic_open(const char *path, bool directory, struct atomic_file **w);
/*
 * Opens a file of the directory for writing at its end. A second call with the same name opens the same file again,
 * with a new descriptor. Directories in the name are made. Returns the descriptor, which the caller closes, or -1 with
 * errno set: EINVAL for a name that is absolute, or has an empty component, "." or ".."; EEXIST if something is there
 * that was not made like this; ENOSPC beyond 4 million names or 256 MiB of them.
 */
int atomic_add_file(struct atomic_file *w, const char *name);
/*
 * Ends the file or directory and frees w. With `keep` it gets its name, and a file replaces an older one; without, it
 * is removed. Returns false with errno set if it could not get its name: it is then removed too, and an older file
 * stays. The caller must close the descriptors before.
 */
bool atomic_close(struct atomic_file *w, bool keep);

#endif
