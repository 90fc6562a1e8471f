/*
 * outfiles.h - many files of the directory of -o that grow at the same time. Thousands of files share few
 * descriptors and a few MB of buffers.
 */
#ifndef SPOOR_OUTFILES_H
#define SPOOR_OUTFILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"

struct atomic_file;

/* A file, and the bytes that are not yet written: from `buf` to `p`. */
struct outfiles_file {
	uint8_t *p, *lim, *buf;
	char *name;
	int fd;	   /* -1: not open */
	bool made; /* the file has been created */
};

/* The open files of one directory. Set `dir` and `where`, zero all other members. */
struct outfiles {
	struct atomic_file *dir;
	const char *where;	 /* path of `dir`, for messages; or NULL */
	struct outfiles_file *v; /* by number */
	size_t n, cap;
	size_t open, most; /* descriptors in use, and their limit */
	size_t held;	   /* bytes of all buffers */
};

#define OUTFILES_ROOM 256 /* bytes that outfiles_room makes free */

/* Adds a file of that name, which is created when it is first written (atomic_add_file). Returns its number, from 0.
 * `name` is copied. A name that was added before gets another number and another buffer, and the bytes of both are
 * appended to one file, in the order of writing the buffers. */
size_t outfiles_add(struct outfiles *f, const char *name);
/* Makes room in the buffer of a file. Only outfiles_room calls this. */
COLD void outfiles_make_room(struct outfiles *f, struct outfiles_file *to);
/* Writes the n bytes at p, any number, to file number `file`. */
void outfiles_bytes(struct outfiles *f, size_t file, const void *p, size_t n);
/* Writes the buffer of a file and closes the file. More may be written to it later. */
void outfiles_end(struct outfiles *f, size_t file);
/* Writes and closes all files, and frees what f holds. All functions of this header die, with a message, if a file cannot be
 * created or written. */
void outfiles_close(struct outfiles *f);
/* Closes all files and frees what f holds. Bytes in buffers are not written. */
void outfiles_free(struct outfiles *f);

/* Returns the position to write at in a file, with room for OUTFILES_ROOM bytes. The caller then advances to->p.
 * The position is valid until the next call for this file. */
static inline uint8_t *
outfiles_room(struct outfiles *f, struct outfiles_file *to)
{
	if (unlikely((size_t)(to->lim - to->p) < OUTFILES_ROOM))
		outfiles_make_room(f, to);
	return to->p;
}

#endif
