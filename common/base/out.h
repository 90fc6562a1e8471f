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

struct out {
	uint8_t *buf, *p, *lim;
	int fd;
	bool tty; /* bytes that could do something to it are written as \xHH */
	/* A terminal, or --line-buffered: flush after every batch, and write whole lines:
	 * at most 4096 bytes, or one that is longer (and whole below OUT_SIZE). */
	bool line;
	char *path;	      /* -o: for messages; NULL of standard output */
	struct outfile *file; /* what gets its name at the end, or NULL */
	uint64_t total;	      /* bytes written so far */
};

/*
 * Opens standard output (path NULL), or what path names: see outfile.h. False with errno
 * set where it cannot. A write that fails later is reported, and ends the program.
 */
bool out_open(struct out *o, const char *path);
/*
 * Writes what is left and checks that all of it arrived. `status` is the program's so far:
 * where it is ST_TROUBLE, a file of -o goes away, which is said; else it gets its name.
 * Reports every failure. Gives the status, ST_TROUBLE where anything failed.
 */
int out_close(struct out *o, int status);
/* Writes all that has collected. */
void out_flush(struct out *o);
/* Writes the full pages of it: what out_room does when there is none. */
void out_spill(struct out *o);
/* Any number of bytes, or a C string. */
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

/* The same for who has written up to p, and keeps the place himself. */
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

/* Any number of bytes, for him. */
uint8_t *out_bytes_at(struct out *o, uint8_t *p, const void *s, size_t n);

#endif
