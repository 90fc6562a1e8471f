/*
 * outdir.h - the directory of -o: it appears whole, or not at all.
 *
 * It is made beside its place, under another name. A second process, forked before any
 * input is read, makes its files and hands them over open, and gives the directory its
 * name at the end. So the program itself needs no right to make or rename a file, and
 * leaves nothing behind however it ends.
 */
#ifndef SPOOR_OUTDIR_H
#define SPOOR_OUTDIR_H

#include <stdbool.h>

struct outdir;

/* Begins the directory `path`, which must not be there, or be empty. To be called before
 * sandbox_enter; a program has one at most. NULL with errno set: EEXIST or ENOTEMPTY where
 * something is there. */
struct outdir *outdir_open(const char *path);
/*
 * Opens a file of the directory for writing at its end; a second call of the same name goes
 * on with it. Directories in the name are made. Gives the descriptor, or -1 with errno set:
 * EINVAL for a name that is absolute, or has an empty component, "." or "..".
 */
int outdir_file(struct outdir *d, const char *name);
/*
 * Ends the directory and frees d. With `keep` it gets its name; else its files are removed.
 * False with errno set if it could not get its name; its files are then removed as well. The
 * caller closes the descriptors before.
 */
bool outdir_close(struct outdir *d, bool keep);

#endif
