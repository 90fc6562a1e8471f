/*
 * in.h - one bounded window over a file or a pipe.
 *
 * read(2) into a buffer of 256 KiB, for files and pipes alike: mmap is 10 to 20 % faster on a warm cache, but
 * cannot read pipes, dies by SIGBUS when a file shrinks, and has no slack after the end. IN_MARGIN bytes before
 * `p` and after `end` are always readable, so that fast paths may load whole words; their values are meaningless.
 */
#ifndef SPOOR_IN_H
#define SPOOR_IN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct unpack;

#define IN_SIZE (256 * 1024)
#define IN_MARGIN 64
/* The longest line or record that is read whole. A longer one is an error of the input. */
/* Bound: all | one line or record | its bytes | 16 MiB | the line is longer than */
#define IN_LONGEST (16u * 1024 * 1024)

struct in {
	int fd;
	const char *name; /* for messages: the path, or "<stdin>" */
	uint8_t *buf;	  /* buffer; the allocation begins IN_MARGIN bytes before it */
	size_t cap;
	uint8_t *p, *end; /* the unread bytes */
	uint64_t base;	  /* offset of buf[0] in the input */
	uint64_t left;	  /* bytes that may still be read; UINT64_MAX = all */
	/* Offset at which the input ends, even if the file is longer (tuning_size). */
	uint64_t limit;
	/* Most bytes of one read(2), 0 = no limit (tuning.read). */
	size_t most;
	/* in_shut was called: the file is open only during a read. device and inode identify it. */
	bool shut;
	uint64_t device, inode;
	/* Decompressor of the input, whose pipe fd is; NULL if the input is not compressed. */
	struct unpack *unpack;
	/* follow: the program waits for more at the end of the file (--follow). over: a signal has ended that; an
	 * incomplete last record is then no error. replaced: another file has the name now. */
	bool follow, over, replaced;
	/* a pipe whose first bytes, which show if it is compressed, were not read yet */
	bool fresh;
	bool eof; /* no bytes come after `end` */
	/* The last line had no newline: its reader has put one after it, which counts as a byte of the input. */
	bool completed;
	/* errno of a read that failed, 0 if none; eof is then set too; in_why has the text */
	int err;
};

/*
 * Opens the file `path` for reading; "-" is standard input. `path` must stay valid until in_close. Returns false with
 * errno set if it cannot be opened. After true the caller must call in_close; after false the call does nothing.
 * A compressed input (pack.h) is decompressed by a second process. in_open starts it for a file; the first in_more
 * starts it for a pipe. If it fails to start, in->err is set. If its program is not installed, the compressed bytes are
 * read.
 */
bool in_open(struct in *in, const char *path);
/* Does what in_open does, with a buffer of `room` bytes at first; 0 = IN_SIZE. Returns false as in_open does. */
bool in_open_room(struct in *in, const char *path, size_t room);
/* Closes the file, if it is a regular one other than standard input, so that more inputs can be in use than there
 * are descriptors. Each in_more opens in->name, which must be its path, for the time of the call. If that fails,
 * or another file has the name (ESTALE), in_more returns false and sets in->err. */
void in_shut(struct in *in);
/* Reads a copy of the n bytes at p instead of a file, for tests. `name` is for messages and must stay valid until
 * in_close, which the caller must call. Dies without memory. */
void in_memory(struct in *in, const char *name, const void *p, size_t n);
/* Closes the file, unless it is standard input, and frees the buffer. A second call does
 * nothing. */
void in_close(struct in *in);

/*
 * Reads once: unread bytes move to the front of the buffer, which grows when it is full. Pointers into the buffer
 * become invalid. Returns false if no bytes came: at the end of the input, after an error, or if the buffer has
 * IN_LONGEST unread bytes already.
 */
bool in_more(struct in *in);
/* Reads until n bytes are unread, or until in_more would return false: then in_left is less than n. If the file is
 * followed, does not wait for more bytes. */
void in_have(struct in *in, size_t n);
/* Reads until at least n <= IN_LONGEST bytes are unread. Returns false if the input has fewer. */
bool in_need(struct in *in, size_t n);
/* Returns the reason why reading has failed. Must be called only if in->err is set. The text is valid until in_close or
 * the next strerror(3). */
const char *in_why(const struct in *in);
/* Skips the rest of a compressed input up to its end. If decompressing has failed, in->err is set then, and in_why has
 * the reason; no message is printed. Does nothing for other inputs. */
void in_finish(struct in *in);
/* Skips n bytes, in the buffer or not yet read. Returns the number of bytes skipped: fewer at the end of the input. */
uint64_t in_skip(struct in *in, uint64_t n);

/*
 * Reads the bytes [at, at + n) of the file fd to `to`, without using or changing its offset. Returns the number of
 * bytes read: fewer than n at the end of the file, or if reading failed. *err is the errno, 0 if reading did not
 * fail.
 */
size_t in_at(int fd, void *to, size_t n, uint64_t at, int *err);

/* Returns the number of unread bytes in the buffer. */
static inline size_t
in_left(const struct in *in)
{
	return (size_t)(in->end - in->p);
}

/* Returns the offset in the input of the address p in the buffer. */
static inline uint64_t
in_offset(const struct in *in, const uint8_t *p)
{
	return in->base + (uint64_t)(p - in->buf);
}

#endif
