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
	bool rewrite; /* a stream's times go out other than they come in: -A, --hz */
	struct text_writer text;
	struct binary_writer binary;
	const struct source *begun; /* native: what stands before the records is written */
};

/* Opens the output that the common options name, or dies. */
void sink_open(struct sink *k, const struct common *c);
/* Sets in *opt what the sink needs of the readers, besides `need`, which the caller needs
 * itself. */
void sink_needs(struct sink *k, unsigned need, struct read_options *opt);
/* Writes events pick[0..n) of the batch, or its first n when pick is NULL. */
void sink_put(struct sink *k, struct source *s, const struct batch *b, const uint32_t *pick,
	      uint32_t n);
/* An input has ended: what follows its events. To be called for every input (trace.done).
 */
void sink_end(struct sink *k, struct source *s);
/* Closes the output, as out_close: gives the program's final status. */
int sink_close(struct sink *k, int status);

/* A line of metadata: n values as in the text stream, with TABs between. */
void sink_values(struct sink *k, const struct span *v, size_t n);

/* The whole of a decoder's work: all inputs into the sink. Gives the exit status. */
int cat_run(const struct common *c, char *const *paths, size_t n);

#endif
