/*
 * threads.h - inputs read by several threads: a state for each thread, and a merge.
 *
 * Threads take parts of the inputs from a list. Without an output (threads.out), states are merged when all
 * parts have been read. With one, a thread's text of a part waits in memory until all parts before have been
 * written; then it is written, and the state is merged.
 * If a part has a message to print, one thread reads on from the part's beginning, or all again without an
 * output, and prints it: messages are those of a single reading.
 */
#ifndef SPOOR_THREADS_H
#define SPOOR_THREADS_H

#include "input/source.h"

struct consumer;

/* The next step behind a part. */
enum turn {
	TURN_ON,     /* the next one */
	TURN_ENOUGH, /* nothing: no more events are wanted, of any input */
	TURN_ALONE,  /* one thread, from the beginning of the part, which is not wanted */
};

/* How threads do what a consumer does. `whole` is consumer.arg. */
struct threads {
	/* threads_read, where there is an output. */
	bool (*read)(struct source *s, const struct consumer *to, struct batch *b);
	size_t size; /* bytes of `whole`, and of a thread's state */
	/* Makes `own`, a copy of `whole`, a state for the consumer's functions that has counted nothing, and writes to
	 * the end of `to`. */
	void (*open)(void *own, void *whole, struct buf *to);
	/* Adds to `whole` what `own` has counted since the last time, and ends its writing. */
	enum turn (*merge)(void *whole, void *own);
	void (*close)(void *own); /* frees what the state holds */
	struct out *out; /* where all is written, in the order of the inputs; or NULL */
	bool silent;	 /* nothing is written, so streams may come in any order */
	bool
	    as_input; /* a binary stream is written as one: its numbers hang on what else was read */
};

/* An input as n units. A part is some of them, next to each other. */
struct units {
	struct source *s;
	bool open; /* s is; else a thread opens each unit anew, as --chunk K/N does */
	uint64_t begin, end; /* of an open one: bytes, or streams */
	unsigned n;
};

/*
 * Reads the rest of s by threads with an output, if that is worth it. To be called after to->batch has taken the first
 * batch of s, or before any batch if to->batch is NULL. b is used for further batches. Returns true if the caller must
 * go on with source_next, which gives the events that the threads did not read, or none if they have read all.
 * Returns false if no more events are wanted, of any input.
 */
bool threads_read(struct source *s, const struct consumer *to, struct batch *b);
/*
 * Reads the inputs u[0..n) by at most `threads` threads without an output, which call consumer.end for each part.
 * Returns false if the caller must read all again with one thread: because a part has a message to print, or because
 * there are fewer than two parts. Then the data of to->arg has not changed. The function neither reads nor closes
 * the sources of u.
 */
bool threads_sum(const struct read_options *opt, const struct units *u, size_t n,
		 unsigned threads, const struct consumer *to);

/* Returns the number of threads for reading that many bytes of files: 1 if the options need a single thread. */
unsigned threads_for(const struct read_options *opt, uint64_t bytes);
/* Returns the number of bytes from which a file is read by several threads. */
uint64_t threads_worth(void);
/* Returns the number of processors that this process may run on. Must be called before sandbox_enter. */
unsigned threads_processors(void);

#endif
