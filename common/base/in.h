/*
 * in.h - one bounded window over a file or a pipe.
 *
 * read(2) into a buffer of 256 KiB, for files and pipes alike: mmap is 10 to 20 % faster on
 * a warm cache, but knows no pipes, dies by SIGBUS when a file shrinks, and has no slack
 * behind its end. IN_MARGIN bytes before `p` and behind `end` are always readable, so that
 * fast paths may load whole words; their values are meaningless.
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
	uint8_t *buf;	  /* IN_MARGIN bytes into the allocation */
	size_t cap;
	uint8_t *p, *end; /* the unread bytes */
	uint64_t base;	  /* offset in the input of buf[0] */
	uint64_t left;	  /* bytes that may still be read; UINT64_MAX = all */
	uint64_t
	    limit; /* the offset at which the input ends, though the file may go on: tuning_size */
	/* Bytes of one read(2), 0 = no limit: tuning.read. */
	size_t most;
	/* in_shut: the file is open only while it is read; which file it is. */
	bool shut;
	uint64_t device, inode;
	/* It is compressed: what decompresses it, and fd is a pipe. */
	struct unpack *unpack;
	/* --follow: at the file's end more is waited for; a signal has ended that, and a record that is
	 * not whole is none; the name is another file's now. */
	bool follow, over, replaced;
	bool fresh; /* a pipe: the first bytes will tell whether it is compressed */
	bool eof;   /* nothing follows `end` */
	int err; /* errno of a read that failed; then eof is set too; for messages: in_why */
};

/*
 * Opens the file `path` for reading; "-" is standard input. False with errno set if it cannot
 * be opened. What is compressed (pack.h) is read as a pipe with the bytes that it has without:
 * a file from here on, a pipe from the first in_more on. Where the system has not the program
 * for it, it is read as it stands.
 */
bool in_open(struct in *in, const char *path);
/* The same with a buffer of `room` bytes at first; 0 = IN_SIZE. */
bool in_open_room(struct in *in, const char *path, size_t room);
/*
 * Closes the file, if it is a regular one other than standard input: each in_more opens it
 * again. For more inputs than there are descriptors. in->name must be its path.
 */
void in_shut(struct in *in);
/* For tests: reads a copy of the n bytes at p instead of a file. `name` is for messages. */
void in_memory(struct in *in, const char *name, const void *p, size_t n);
/* Closes the file, unless it is standard input, and frees the buffer. A second call does
 * nothing. */
void in_close(struct in *in);

/*
 * Reads once: unread bytes move to the front of the buffer, which grows when it is full.
 * Pointers into the buffer become invalid. False when nothing came: eof, error, or
 * IN_LONGEST unread bytes are there already.
 */
bool in_more(struct in *in);
/* Reads up to n bytes that are there: of a file that is followed, without waiting for more. */
void in_have(struct in *in, size_t n);
/* Reads until at least n bytes are unread, n <= IN_LONGEST. False if the input has fewer. */
bool in_need(struct in *in, size_t n);
/* Why reading has failed, when in->err is set. */
const char *in_why(const struct in *in);
/* Reads to the end, for what decompressing has to say of it. Nothing where nothing does. */
void in_finish(struct in *in);
/* Skips n bytes, read or unread. Gives how many there were. */
uint64_t in_skip(struct in *in, uint64_t n);

/*
 * Reads bytes [at, at + n) of the file fd to `to`, wherever the file stands. Gives how many
 * there were: fewer at the file's end, or if reading failed. *err is then an errno, else 0.
 */
size_t in_at(int fd, void *to, size_t n, uint64_t at, int *err);

/* The number of unread bytes in the buffer. */
static inline size_t
in_left(const struct in *in)
{
	return (size_t)(in->end - in->p);
}

/* The offset in the input of an address in the buffer. */
static inline uint64_t
in_offset(const struct in *in, const uint8_t *p)
{
	return in->base + (uint64_t)(p - in->buf);
}

#endif
