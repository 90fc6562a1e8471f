/*
 * outfile.h - the file of -o: it appears whole, or stays as it was.
 *
 * The bytes go to a file without a name, where the file system has such. A process of its
 * own, forked before any input is read, gives it its name; so the program itself needs no
 * right to make, rename or remove a file, and whatever ends it leaves nothing behind.
 */
#ifndef SPOOR_OUTFILE_H
#define SPOOR_OUTFILE_H

#include <stdbool.h>

struct outfile;

/*
 * Opens what `path` names for writing; links are followed. Gives the descriptor to write
 * to, or -1 with errno set. *file is then NULL if the path names something that is no
 * regular file (a device, a pipe), or standard output itself: that is written to directly.
 * A regular file keeps its mode, and its owner where that may be given away.
 */
int outfile_open(const char *path, struct outfile **file);
/*
 * Ends it, and frees: with `keep` the file gets its name, in place of an older one; else
 * what was written goes away. False with errno set if it could not get its name; the older
 * file is then as it was. The descriptor is the caller's to close, before.
 */
bool outfile_close(struct outfile *f, bool keep);

#endif
