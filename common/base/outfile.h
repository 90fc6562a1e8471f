/*
 * outfile.h - the file of -o: it appears whole, or stays as it was.
 *
 * The bytes go to a file without a name, if the file system allows that. A second process,
 * forked before any input is read, gives the file its name. So the program itself needs no
 * right to make, rename or remove a file, and leaves nothing behind however it ends.
 */
#ifndef SPOOR_OUTFILE_H
#define SPOOR_OUTFILE_H

#include <stdbool.h>

struct outfile;

/*
 * Opens `path` for writing; links are followed. Gives the descriptor to write to, or -1
 * with errno set. *file is NULL if the path is a device, a pipe, another file that is not
 * regular, or standard output itself: these are written to directly. A regular file keeps
 * its mode, and its owner if the process may set that.
 */
int outfile_open(const char *path, struct outfile **file);
/*
 * Ends the file and frees f. With `keep` the file gets its name and replaces an older one;
 * else its bytes are dropped. False with errno set if it could not get its name; the older
 * file is then as it was. The caller closes the descriptor before.
 */
bool outfile_close(struct outfile *f, bool keep);

#endif
