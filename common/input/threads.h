/*
 * threads.h - reads inputs by several threads: a state for each thread, and a merge of the states.
 *
 * Threads take parts of the inputs from a list. Without an output (threads.out), the states are merged after all
 * parts have been read. With an output, a thread's text of a part waits in memory until all previous parts have
 * been written; then the text is written, and the state is merged.
 *
 * If a part has a message to print, one thread reads on from the beginning of the part, or reads everything again
 * if there is no output, and prints the message. So a single reading prints the same messages.
 */
#ifndef SPOOR_THREADS_H
#define SPOOR_THREADS_H

#include "input/source.h"

struct consumer;

/* The next step after a part. */
enum turn {
	TURN_ON,     /* take the next part */
	TURN_ENOUGH, /* stop: no more events are wanted, of any input */
	TURN_ALONE,  /* drop the part, and let one thread read on from its beginning */
};

/* How threads do the work of a consumer. `whole` is consumer.arg. */
struct threads {
	/* threads_read, if there is an output. */
	bool (*read)(struct source *s, const struct consumer *to, struct batch *b);
	size_t size; /* bytes of `whole`, and of a thread's state */
	/* Makes `own`, a copy of `whole`, an empty state for the consumer's functions, which appends its text to
	 * `to`. */
	void (*open)(void *own, void *whole, struct buf *to);
	/* Adds to `whole` what `own` has counted since the last call, and flushes the text of `own`. */
	enum turn (*merge)(void *whole, void *own);
	void (*close)(void *own); /* frees what the state holds */
	struct out *out; /* where all texts go, in the order of the inputs; or NULL */
	bool silent;	 /* nothing is written, so streams may come in any order */
	/* A binary stream is written as one, because its numbers depend on what was read before. */
	bool as_input;
};

/* An input as n units. A part is one or more consecutive units. */
struct units {
	struct source *s;
	bool open; /* s is open; otherwise a thread opens each unit, as --chunk K/N does */
	uint64_t begin, end; /* bytes or streams of an open input */
	unsigned n;
};

/* Reads the rest of s by threads with an output, if that is faster. Must be called after to->batch has taken the
 * first batch of s, or before any batch if to->batch is NULL. b is used for further batches. Returns true if the
 * caller must go on with source_next, which gives the events that the threads did not read, or none if they have
 * read all. Returns false if no more events are wanted, of any input. */
bool threads_read(struct source *s, const struct consumer *to, struct batch *b);
/* Reads the inputs u[0..n) by at most `threads` threads without an output, which call consumer.end for each part.
 * Returns false if the caller must read all again with one thread, because a part has a message to print, or
 * because there are fewer than two parts. Then the data of to->arg has not changed. Neither reads nor closes the
 * sources of u. */
bool threads_sum(const struct read_options *opt, const struct units *u, size_t n,
		 unsigned threads, const struct consumer *to);

/* Returns the number of threads for reading files of `bytes` bytes in all; 1 if the options need a single thread. */
unsigned threads_for(const struct read_options *opt, uint64_t bytes);
/* Returns the number of bytes from which a file is read by several threads. */
uint64_t threads_worth(void);
/* Returns the number of processors that this process may run on. Must be called before sandbox_enter. */
unsigned threads_processors(void);

#endif
