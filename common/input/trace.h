/*
 * trace.h - every program's loop: all inputs of a command line, one after the other, to a
 * consumer.
 */
#ifndef SPOOR_TRACE_H
#define SPOOR_TRACE_H

#include <sys/types.h>

#include "input/source.h"

/* The functions by which a program takes its inputs. */
struct consumer {
	/*
	 * Takes the next events of s, which are good until it returns. False: no more are
	 * wanted, of any input. NULL where no events are read.
	 */
	bool (*batch)(void *arg, struct source *s, const struct batch *b);
	/* Called once for each input, before its events: for a program that looks at the
	 * head, or reads the input in its own way. May be NULL. */
	void (*whole)(void *arg, struct source *s);
	/* Called when an input has ended, after its last message and before it is closed.
	 * May be NULL. */
	void (*end)(void *arg, struct source *s);
	void *arg;
	const struct threads *threads; /* how threads do the same; NULL: one does it all */
};

/* read_options.merge: `each` does what trace_each does, of all inputs as one. */
struct merge_options {
	int (*each)(const struct read_options *opt, char *const *paths, size_t n,
		    const struct consumer *to);
};

/*
 * Reads the inputs paths[0..n), as getopt leaves them, and hands them to `to`; n = 0 means
 * standard input. An input that cannot be opened or recognised is reported, and the others
 * are read. The output must be open before: see inputs_begin. Gives ST_OK, or ST_TROUBLE if
 * anything was wrong.
 */
int trace_each(const struct read_options *opt, char *const *paths, size_t n,
	       const struct consumer *to);

/*
 * To be called when the output is open, before the inputs paths[0..n) are read. From here
 * on the process cannot open another file for writing (sandbox.h), and SIGUSR1 asks how far
 * it is. trace_each calls it; a program that reads inputs in another way does so itself.
 */
void inputs_begin(const struct read_options *opt, const char *const *paths, size_t n);

/* Finds the end of the inputs paths[0..n) if opt->slice counts back from it, and was not asked before: reads all inputs
 * without messages, or of files in order of time their last bytes. Afterwards all can be read from where they stood.
 * Dies if an input is a pipe, if --follow is given, or if the inputs have different clocks. trace_each calls it; a
 * program that reads inputs in another way does so itself, before inputs_begin. */
void inputs_end(const struct read_options *opt, char *const *paths, size_t n);

/* Notes in *opt that paths[0..n) are the operands. Dies if --label names more or fewer. trace_each calls it; a program
 * that reads inputs in another way does so itself. */
void inputs_name(struct read_options *opt, const char *const *paths, size_t n);

/* Returns whether the name is that of a file which names others, format.index. */
bool names_others(const struct read_options *opt, const char *path);

/*
 * again.c: inputs that are read twice, each time by a trace_each. trace_keep is called before
 * the first time, when the output is open: a pipe on standard input is copied into a
 * temporary file, which takes its place; dies where that fails, or another of the paths is a
 * pipe. Gives what trace_again, called between the two, is to be given.
 */
off_t trace_keep(struct read_options *opt, char *const *paths, size_t n);
void trace_again(off_t at);

#endif
