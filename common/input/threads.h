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
 * Reads on in s by threads with an output, if that is worth it. Of s the batch b was the first one, which `to` has
 * taken, if it takes batches. What is left is what s gives next. Returns false if no more are wanted.
 */
bool threads_read(struct source *s, const struct consumer *to, struct batch *b);
/*
 * Reads the inputs u[0..n) by at most so many threads without an output; they call consumer.end for each part. Returns
 * false if one thread must fill the states again: because a part has a message, or there are no two parts.
 */
bool threads_sum(const struct read_options *opt, const struct units *u, size_t n,
		 unsigned threads, const struct consumer *to);

/* Returns how many threads read so many bytes of files: 1 if the options ask for what only one can do. */
unsigned threads_for(const struct read_options *opt, uint64_t bytes);
/* Returns how many bytes a file must have to be read by several threads. */
uint64_t threads_worth(void);
/* Returns how many processors this process may run on. To be called before the sandbox is entered. */
unsigned threads_processors(void);

#endif
