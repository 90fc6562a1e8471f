/*
 * output_form.h - the ways out: what becomes of events that are written. A form is one struct
 * form; it stands in a file of its own, or beside the others in output_form.c.
 */
#ifndef SPOOR_FORM_H
#define SPOOR_FORM_H

#include "input/source.h"

struct sink;

/* The functions in the order in which they are called; each may be NULL. */
struct form {
	unsigned need; /* NEED_* of every reader, besides what begin adds */
	bool binary;   /* not written to a terminal */
	/* Called before any input is opened. Adds to *opt what else the form needs of the
	 * readers. */
	void (*begin)(struct sink *k, struct read_options *opt);
	/* Called before the first events under a head (source.heads); if there are no
	 * events, before `end`. */
	void (*head)(struct sink *k, struct source *s);
	/* Called with all events of a batch, before put writes some of them. */
	void (*see)(struct sink *k, struct source *s, const struct batch *b);
	/* Writes events pick[0..n) of the batch, or its first n where pick is NULL. */
	void (*put)(struct sink *k, struct source *s, const struct batch *b,
		    const uint32_t *pick, uint32_t n);
	/* Called after the events under a head: writes what must follow them. */
	void (*end)(struct sink *k, struct source *s);
	/* Called after all inputs; frees the state. Returns ST_TROUBLE, with a message, if
	 * only now it turns out that the output is not what was asked for. */
	int (*close)(struct sink *k);
	/*
	 * Adds to k what `piece`, a sink of the same, has counted since the last time. False: behind
	 * what k has, other things are to be written; the piece is not wanted. NULL: what
	 * stands in the output depends on more than the events themselves, or there is a
	 * string or a type with a number, so that it cannot be written in pieces.
	 */
	bool (*join)(struct sink *k, struct sink *piece);
	/* The name of the trace format, if the form writes a directory of files (sink.dir);
	 * else NULL. */
	const char *directory;
};

extern const struct form form_text, form_binary; /* the streams: spoor-stream(5) */
extern const struct form form_native;		 /* records as they stood in the input */
/* The stream that the input is, as it stands where it can be; otherwise text. */
extern const struct form form_input;
extern const struct form form_none; /* nothing */

#endif
