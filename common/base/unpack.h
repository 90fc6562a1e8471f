/*
 * unpack.h - reads compressed files by the programs of pack.h.
 *
 * A program that reads input may execute nothing (sandbox.h). So a second process, forked
 * before that, runs the decompressors: it is handed an open file, and hands back the pipe that
 * its content comes from. It runs nothing but what the table says, and ends with the program.
 */
#ifndef SPOOR_UNPACK_H
#define SPOOR_UNPACK_H

#include "base/pack.h"

/* Of one input: what to call the decompressor by, and how it ended. */
struct unpack {
	long id; /* 0 = it is not running */
	char said[PACK_SAID];
};

/* Forks the process, before sandbox_enter; a second call does nothing. */
void unpack_begin(void);
/*
 * Decompresses what stands in fd from its place on, behind the n bytes at `first` that were
 * taken of it before. Gives the descriptor to read from; -1 where the system has not the
 * program: u->said is then empty; or where it does not start: u->said says why. With `file` it
 * is an unnamed file in $TMPDIR that has all of it already, and u->id is 0; with u->said where
 * not all was well.
 */
int unpack_open(struct unpack *u, const struct pack *k, int fd, const void *first, size_t n,
		bool file);
/* Returns whether the decompressor has ended: another process may still hold its pipe open. */
bool unpack_ended(const struct unpack *u);
/* The pipe has been read to its end, or, with `early`, nothing more of it is wanted: waits for
 * the decompressor. u->said says what was wrong, "" if nothing. */
void unpack_end(struct unpack *u, bool early);
/*
 * For a file that is read at any place: fd as it is; or, if it is compressed, fd is closed, and
 * an unnamed file in $TMPDIR that has its content takes its place. `said` is then what was
 * wrong, else empty.
 */
int unpack_file(int fd, char said[PACK_SAID]);

#endif
