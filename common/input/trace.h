/*
 * trace.h - every program's loop: all inputs of a command line, one after the other, to a
 * consumer.
 */
#ifndef SPOOR_TRACE_H
#define SPOOR_TRACE_H

#include "input/source.h"

/* What a program does with its inputs. */
struct consumer {
	/*
	 * Takes the next events of s, which are good until it returns. False: no more are
	 * wanted, of any input. NULL where no events are read.
	 */
	bool (*batch)(void *arg, struct source *s, const struct batch *b);
	/* Comes once for each input, before its events: for who looks at more of it than
	 * these, or reads all of it in his own way. May be NULL. */
	void (*whole)(void *arg, struct source *s);
	/* An input has ended and said all it had to; it is closed after this. May be NULL.
	 */
	void (*end)(void *arg, struct source *s);
	void *arg;
};

/*
 * Reads the inputs at paths[0..n), as getopt leaves them: none means standard input. What
 * cannot be opened or recognised is reported, and the rest goes on. The output must be
 * open before: see inputs_begin. Gives ST_OK or ST_TROUBLE for all that happened.
 */
int trace_each(const struct read_options *opt, char *const *paths, size_t n,
	       const struct consumer *to);

/*
 * The output is open and inputs will be read: from here on the process cannot open another
 * file for writing (sandbox.h), and SIGUSR1 asks how far it is. trace_each does this; who
 * reads inputs in another way calls it before.
 */
void inputs_begin(const struct read_options *opt, const char *const *paths, size_t n);

#endif
