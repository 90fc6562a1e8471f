/*
 * out.h - the one writer of bytes.
 *
 * Bytes collect in a buffer of 256 KiB with slack after it, so that a line needs only one check for room. The usual
 * loop keeps the place in a local variable:
 *
 *	uint8_t *p = out_room(o);
 *	p = put_u64(p, v); *p++ = '\n';
 *	o->p = p;
 */
#ifndef SPOOR_OUT_H
#define SPOOR_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OUT_SIZE (256 * 1024)
#define OUT_SLACK (4 * 1024) /* bytes that may be written after one out_room */

struct atomic_file;

struct out {
	uint8_t *buf, *p, *lim;
	int fd;
	/* The output is a terminal: bytes that could control it are written as \xHH. */
	bool tty;
	/* The output is a terminal, or --line-buffered is set: flush after every batch, and write whole lines, at
	 * most 4096 bytes at once or one longer line. A line longer than OUT_SIZE may be split. */
	bool line;
	char *path; /* name of the output for messages; NULL = standard output */
	struct atomic_file *file;  /* file that gets its name at the end, or NULL */
	struct pack_process *pack; /* compressor whose pipe fd is, or NULL */
	uint64_t total;		   /* bytes written so far */
	struct buf *memory; /* buffer that gets the bytes instead of a file, or NULL */
};

/*
 * Opens standard output (path NULL) or the file `path` (see atomic_file.h), which is compressed if its name ends with a
 * suffix of pack.h, such as .gz. `path` is copied. Returns false with errno set if it cannot be opened. Dies if the
 * compressor does not start. If a write fails later, the program dies with a message.
 */
bool out_open(struct out *o, const char *path);
/*
 * Writes the rest, checks that all bytes arrived, and frees the buffer. `status` is the exit status so far: if it
 * is ST_TROUBLE, a file of -o is removed with a message; otherwise the file gets its name.
 * Reports every failure. Returns the new status: ST_TROUBLE if anything failed.
 */
int out_close(struct out *o, int status);
/* Opens the file `name` of the directory d for writing at its end. Dies if it cannot be opened. The caller must call
 * out_close before atomic_close, which names or removes the directory with all its files. */
void out_open_in(struct out *o, struct atomic_file *d, const char *name);
/* Begins to write to the end of the buffer `to` instead of a file. `to` has all bytes only after out_flush. */
void out_memory(struct out *o, struct buf *to);
/* Ends out_memory: frees what o owns, but not `to`. Bytes written since the last out_flush may be lost. */
void out_memory_close(struct out *o);
/* Writes all bytes that are in the buffer. Dies if a write fails, as the following functions do. */
void out_flush(struct out *o);
/* Writes the full pages of the buffer. out_room calls it when there is no room. */
void out_spill(struct out *o);
/* Writes the n bytes at p; n may be larger than the buffer. */
void out_bytes(struct out *o, const void *p, size_t n);
/* Writes the C string s without its NUL. */
void out_str(struct out *o, const char *s);

/* Returns the place to write at. It has room for OUT_SLACK bytes. The caller then sets o->p to the end of its bytes. */
static inline uint8_t *
out_room(struct out *o)
{
	if (o->p >= o->lim)
		out_spill(o);
	return o->p;
}

/* Does what out_room does, for a caller that has its place in p instead of o->p. Returns the new place. */
static inline uint8_t *
out_room_at(struct out *o, uint8_t *p)
{
	if (p >= o->lim) {
		o->p = p;
		out_spill(o);
		p = o->p;
	}
	return p;
}

/* Writes the n bytes at s, any number, for a caller that has its place in p. Returns the place after them, with room
 * for OUT_SLACK bytes. */
uint8_t *out_bytes_at(struct out *o, uint8_t *p, const void *s, size_t n);

/*
 * Writes n bytes to the bytes [at, at + n) of the file fd, without using or changing its offset. Returns the number
 * of bytes written. If it is less than n, *err is the errno; otherwise *err is 0.
 */
size_t out_at(int fd, const void *from, size_t n, uint64_t at, int *err);

#endif
