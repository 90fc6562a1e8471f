/* sink.h - where events go: the text stream, the binary stream, or the native form. */
#ifndef SPOOR_SINK_H
#define SPOOR_SINK_H

#include "base/out.h"
#include "input/source.h"
#include "stream/binary.h"
#include "stream/text.h"

/* What the options that many programs share have said. */
struct common {
	struct read_options read;
	int form;	  /* 't', 'b', 'n', or 0: not said */
	bool header;	  /* -H */
	bool absolute;	  /* -A */
	bool line;	  /* --line-buffered */
	const char *path; /* -o */
};

struct sink {
	struct out out;
	int form; /* 't', 'b', 'n'; 0 = as the input: its own form of stream, else text */
	bool rewrite; /* times of a stream are changed on output: -A, --hz */
	struct text_writer text;
	struct binary_writer binary;
	/* Native: the source whose bytes in front of the records are written. */
	const struct source *begun;
};

/* Opens the output that the common options c name, or dies. */
void sink_open(struct sink *k, const struct common *c);
/* Sets in *opt which parts of events the readers must fill in: those that the sink needs,
 * and `need` (NEED_*), which the caller needs itself. */
void sink_needs(struct sink *k, unsigned need, struct read_options *opt);
/* Writes the events pick[0..n) of b, a batch of s, or its first n if pick is NULL. */
void sink_put(struct sink *k, struct source *s, const struct batch *b, const uint32_t *pick,
	      uint32_t n);
/* To be called when an input has ended (struct consumer): writes what follows its events. */
void sink_end(struct sink *k, struct source *s);
/* Closes the output. Takes the program's status so far, and gives the final one, as
 * out_close. */
int sink_close(struct sink *k, int status);

/* Writes a line of n values as in the text stream, with TABs between. */
void sink_values(struct sink *k, const struct span *v, size_t n);

/* All the work of a decoder: writes the events of all inputs paths[0..n) to the output of
 * c. Gives the exit status. */
int cat_run(const struct common *c, char *const *paths, size_t n);

#endif
