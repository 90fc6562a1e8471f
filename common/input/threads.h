/*
 * threads.h - one input by several threads, whose output stands in its order.
 *
 * Pieces of the file are taken from a list. What a thread makes of one stays in memory until the
 * pieces before have been written. Where something is to be said of a piece, the rest of the
 * file is read by one thread, which says it: so messages are those of a single reading.
 */
#ifndef SPOOR_THREADS_H
#define SPOOR_THREADS_H

#include "input/source.h"

struct consumer;

/* What comes behind a piece. */
enum turn {
	TURN_ON,     /* the next one */
	TURN_ENOUGH, /* nothing: no more events are wanted, of any input */
	TURN_ALONE, /* one thread, from where this piece began: what was made of it is not wanted */
};

/* How threads do what a consumer does. `arg` is the consumer's. */
struct turns {
	struct out *out; /* where it all goes */
	/* One thread's own arg, for consumer.batch, or, where that is NULL, consumer.whole, that writes to the end of `to`. */
	void *(*open)(void *arg, struct buf *to);
	/* Adds what `own` has counted since the last time to arg, and ends its writing. */
	enum turn (*add)(void *arg, void *own);
	void (*close)(void *own);
	bool silent; /* nothing is written */
	/* Lines are written, or records as they stood: that takes longer than reading, and does not hang on
	 * what else was read. */
	bool lines;
};

/*
 * Reads on in s, of which b, the first batch, was taken where batches are, by threads, where that is worth it: what could
 * not be read like this is what s gives next. False: no more are wanted.
 */
bool turns_read(struct source *s, const struct consumer *to, struct batch *b);

/* How many threads read so many bytes of regular files. */
unsigned turns_threads(const struct read_options *opt, uint64_t bytes);
/* Returns how many bytes a file must have to be read by several threads. */
uint64_t turns_worth(void);
/* The processors that this process may run on. To be called before the sandbox is entered. */
unsigned turns_processors(void);

#endif
