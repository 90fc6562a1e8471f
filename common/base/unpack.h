/*
 * unpack.h - reads compressed files by the programs of pack.h.
 *
 * A program that reads input may execute nothing (sandbox.h). So a second process, forked before that, runs the
 * decompressors: it receives an open file, and sends back a pipe to read the content from. It runs only the
 * programs of pack.h, and ends with the program.
 */
#ifndef SPOOR_UNPACK_H
#define SPOOR_UNPACK_H

#include "base/pack.h"

/* The decompressor of one input. */
struct unpack {
	long id;	      /* its number for the second process; 0 = it is not running */
	char said[PACK_SAID]; /* its error; "" if there is none */
};

/* Forks the second process. Must be called before sandbox_enter; a second call does nothing. Cannot
 * report a failure: if it fails, unpack_open returns -1 with an error in u->said. */
void unpack_begin(void);
/*
 * Starts to decompress the file fd from its current offset. The n <= PACK_SAID bytes at `first` were read from fd
 * before, and are decompressed first. The caller still closes fd, and must not read it while the decompressor does.
 * Returns a descriptor to read the content from, which the caller closes too. Without
 * `file` it is a pipe, and the caller must call unpack_end. With `file` it is an unnamed file in $TMPDIR that has all
 * of the content already: u->id is then 0, and u->said has the error if not all could be decompressed. Returns -1 if
 * the program is not installed (u->said is then empty) or does not start (u->said has the error). With n = 0 the offset
 * of fd has then not changed.
 */
int unpack_open(struct unpack *u, const struct pack *k, int fd, const void *first, size_t n,
		bool file);
/* Returns true if the decompressor has ended. Its pipe may still be open in another process. */
bool unpack_ended(const struct unpack *u);
/* Waits for the decompressor; the caller has read its pipe to the end. With `early` kills the decompressor first. Sets
 * u->said to its error, "" if there is none. Does nothing if u->id is 0. */
void unpack_end(struct unpack *u, bool early);
/*
 * Returns a descriptor in which the content of the file fd can be read at any offset: fd itself, or, if the file is
 * compressed, an unnamed file in $TMPDIR with its content; fd is then closed. If decompressing stops with an error, the
 * unnamed file has the content before it. If the decompressor is not installed or does not start, returns fd. `said` is
 * the error in these cases, otherwise "". The offset of the returned descriptor is undefined: read it with in_at.
 */
int unpack_file(int fd, char said[PACK_SAID]);

#endif
