/* trace.h - passes all inputs of a command line, one after the other, to a consumer. */
#ifndef SPOOR_TRACE_H
#define SPOOR_TRACE_H

#include <sys/types.h>

#include "input/source.h"

/* The functions by which a program takes its inputs. */
struct consumer {
	/* Takes the next events of s, which are valid until the function returns. Returns false if no more events
	 * are wanted, of any input. NULL if the program reads no events. */
	bool (*batch)(void *arg, struct source *s, const struct batch *b);
	/* Called once for each input, before its events, for a program that looks at the head, or reads the input
	 * in its own way. May be NULL. */
	void (*whole)(void *arg, struct source *s);
	/* Called when an input has ended, after its last message and before it is closed.
	 * May be NULL. */
	void (*end)(void *arg, struct source *s);
	void *arg;
	const struct threads *threads; /* how threads do the same; NULL = one thread */
};

/* How to read all inputs as one (read_options.merge): `each` replaces trace_each. */
struct merge_options {
	int (*each)(const struct read_options *opt, char *const *paths, size_t n,
		    const struct consumer *to);
};

/* Reads the inputs paths[0..n) and passes their events to `to`; n = 0 means standard input. An input that cannot
 * be opened or recognised is reported, and the others are read. The output must be open before (inputs_begin).
 * Returns ST_OK, or ST_TROUBLE if there were errors. */
int trace_each(const struct read_options *opt, char *const *paths, size_t n,
	       const struct consumer *to);

/* Prepares reading the inputs paths[0..n). Must be called when the output is open. After the call the process
 * cannot open another file for writing (sandbox.h), and SIGUSR1 makes it print its progress. trace_each calls
 * this; a program that reads inputs in another way must call it itself. A second call adds no temporary files.
 * Reports no error: a missing temporary file or helper process is reported when an input needs one. */
void inputs_begin(const struct read_options *opt, const char *const *paths, size_t n);

/* Finds the last time of the inputs paths[0..n) if opt->slice counts back from it, and stores this time in
 * *opt->slice. Does not undo inputs_begin. Reads all inputs without messages; reads only the last bytes of files
 * in order of time. The file offsets stay. A second call does nothing. Dies if an input is a pipe, if --follow is
 * given, or if the inputs have different clocks. trace_each calls this; a program that reads inputs in another way
 * must call it itself, before inputs_begin. */
void inputs_last_time(const struct read_options *opt, char *const *paths, size_t n);

/* Stores in *opt that paths[0..n) are the operands. Dies if --label names more or fewer. trace_each calls this; a
 * program that reads inputs in another way must call it itself. */
void inputs_name(struct read_options *opt, const char *const *paths, size_t n);

/* Returns true if `path` has the suffix of files that name other files (format_inputs.index). */
bool names_others(const struct read_options *opt, const char *path);

/* Prepares for reading the inputs twice, each time by a trace_each. Must be called before the first time, when the
 * output is open. If standard input is an input but not a file, copies it into a temporary file, which becomes
 * standard input. Dies if that fails, if another of the paths is a pipe, or with --follow. Returns the offset of
 * standard input, or -1 if it cannot seek. */
off_t trace_keep(struct read_options *opt, char *const *paths, size_t n);
/* Moves standard input back to the offset `at`, the result of trace_keep, between the two times. Does nothing if
 * `at` is -1. */
void trace_again(off_t at);

#endif
