/*
 * outfiles.h - many files of the directory of -o that grow at the same time: thousands need
 * neither as many descriptors nor more than a few MB.
 */
#ifndef SPOOR_OUTFILES_H
#define SPOOR_OUTFILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"

struct atomic_file;

/* A file, and the bytes that wait for it: from `buf` to `p`. */
struct outfiles_file {
	uint8_t *p, *lim, *buf;
	char *name;
	int fd;	   /* -1: it is not open */
	bool made; /* it has been */
};

/* All members except `dir` and `where` are zero while there is no file. */
struct outfiles {
	struct atomic_file *dir;
	const char *where;	 /* its path, for messages; or NULL */
	struct outfiles_file *v; /* by number */
	size_t n, cap;
	size_t open, most; /* descriptors */
	size_t held;	   /* bytes of all buffers */
};

#define OUTFILES_ROOM 256 /* bytes that outfiles_room may be asked for */

/* Adds a file of that name (atomic_add_file) and gives its number, from 0. */
size_t outfiles_add(struct outfiles *f, const char *name);
/* For outfiles_room. */
COLD void outfiles_make_room(struct outfiles *f, struct outfiles_file *to);
/* Writes the n bytes at p, any number. */
void outfiles_bytes(struct outfiles *f, size_t file, const void *p, size_t n);
/* Writes and closes a file; more may be written to it later. */
void outfiles_end(struct outfiles *f, size_t file);
/* Writes and closes all files, and frees all. Every function here dies, with a message, where
 * a file cannot be made or written. */
void outfiles_close(struct outfiles *f);
/* Frees all; what waits is not written. */
void outfiles_free(struct outfiles *f);

/* The place to write at in a file, with room for OUTFILES_ROOM bytes; the caller moves its
 * `p`. Good until the next call for this file. */
static inline uint8_t *
outfiles_room(struct outfiles *f, struct outfiles_file *to)
{
	if (unlikely((size_t)(to->lim - to->p) < OUTFILES_ROOM))
		outfiles_make_room(f, to);
	return to->p;
}

#endif
