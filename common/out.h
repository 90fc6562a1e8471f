/*
 * out.h - the one writer of bytes.
 *
 * Bytes collect in a buffer of 256 KiB with slack behind, so that a line is checked for
 *room once. The usual loop keeps the place in a local variable:
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
	int err;   /* errno of the first write that failed; later output is dropped */
	bool line; /* a terminal, or --line-buffered: flush after every batch */
	char *path, *tmp; /* -o: where it shall go, where it is until then */
	uint64_t total;	  /* bytes written so far */
};

/* Opens standard output, or a temporary file beside path. False with errno set. */
bool out_open(struct out *o, const char *path);
/*
 * Writes what is left, checks that all of it arrived, and gives the file its name when
 * `keep`; else the temporary goes away. Reports every failure. Gives ST_OK or ST_TROUBLE.
 */
int out_close(struct out *o, bool keep);
/* Where an -o file lies until it gets its name; NULL where there is none. */
const char *out_temporary(void);
void out_flush(struct out *o);
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

#endif
