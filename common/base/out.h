/*
 * out.h - the one writer of bytes.
 *
 * Bytes collect in a buffer of 256 KiB with slack behind, so that a line is checked
 * for room once. The usual loop keeps the place in a local variable:
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
#define OUT_SLACK (4 * 1024) /* what may be written after one out_room */

struct whole;

struct out {
	uint8_t *buf, *p, *lim;
	int fd;
	bool tty; /* bytes that could do something to it are written as \xHH */
	/* A terminal, or --line-buffered: flush after every batch, and write whole lines:
	 * at most 4096 bytes, or one that is longer (and whole below OUT_SIZE). */
	bool line;
	char *path;	     /* -o: for messages; NULL of standard output */
	struct whole *file;  /* what gets its name at the end, or NULL */
	struct filter *pack; /* what compresses it, and fd is a pipe; or NULL */
	uint64_t total;	     /* bytes written so far */
	struct buf *memory;  /* gets the bytes instead of a file; or NULL */
};

/*
 * Opens standard output (path NULL) or the file `path`, see whole.h, which is compressed if
 * its name ends like that (pack.h). False with errno set if it cannot be opened. If a write
 * fails later, or there is nothing to compress it, the program dies with a message.
 */
bool out_open(struct out *o, const char *path);
/*
 * Writes the rest and checks that all of it arrived. `status` is the program's so far: if it
 * is ST_TROUBLE, a file of -o is dropped with a message; else the file gets its name.
 * Reports every failure. Gives the new status: ST_TROUBLE if anything failed.
 */
int out_close(struct out *o, int status);
/* Opens the file `name` of the directory d, or dies. */
void out_open_in(struct out *o, struct whole *d, const char *name);
/* Writes to the end of `to`, which out_flush makes complete; and ends that. */
void out_memory(struct out *o, struct buf *to);
void out_memory_close(struct out *o);
/* Writes all that has collected. */
void out_flush(struct out *o);
/* Writes the full pages of the buffer: out_room calls it when there is no room. */
void out_spill(struct out *o);
/* Writes the n bytes at p, any number; or the C string s. */
void out_bytes(struct out *o, const void *p, size_t n);
void out_str(struct out *o, const char *s);

/* The place to write at; OUT_SLACK bytes fit. */
static inline uint8_t *
out_room(struct out *o)
{
	if (o->p >= o->lim)
		out_spill(o);
	return o->p;
}

/* The same for a caller that keeps the place in p and has written up to there. */
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

/* The same for such a caller: writes the n bytes at s, any number; gives the place behind. */
uint8_t *out_bytes_at(struct out *o, uint8_t *p, const void *s, size_t n);

/*
 * Writes n bytes to [at, at + n) of the file fd, wherever the file stands. Gives how many were: fewer if writing
 * failed, with an errno in *err.
 */
size_t out_at(int fd, const void *from, size_t n, uint64_t at, int *err);

#endif
