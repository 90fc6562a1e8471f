/* output_form.h - the forms in which events can be written. Each form is one struct form, in a file of its own or
 * in output_form.c. */
#ifndef SPOOR_FORM_H
#define SPOOR_FORM_H

#include "input/source.h"

struct sink;

/* The functions of a form, in the order in which they are called. Each may be NULL. */
struct form {
	unsigned need; /* NEED_* of every reader, in addition to what `begin` adds */
	bool binary;   /* refuses to write to a terminal */
	/* Called before any input is opened. Adds to *opt what else the form needs from the readers. */
	void (*begin)(struct sink *k, struct read_options *opt);
	/* Called before the first events under a head (source.head_serial). If there are no events, called before
	 * `end`. */
	void (*head)(struct sink *k, struct source *s);
	/* Called with all events of a batch, before put writes some of them. */
	void (*see)(struct sink *k, struct source *s, const struct batch *b);
	/* Writes events pick[0..n) of the batch, or the first n if pick is NULL. */
	void (*put)(struct sink *k, struct source *s, const struct batch *b,
		    const uint32_t *pick, uint32_t n);
	/* Called after the events under a head. Writes what must follow them. */
	void (*end)(struct sink *k, struct source *s);
	/* Called after all inputs. Frees the state. Returns ST_TROUBLE, with a message, if the output turns out to
	 * be incomplete. */
	int (*close)(struct sink *k);
	/* Adds to k what `piece`, a sink of the same form, has counted since the last call. Returns false if the
	 * text of `piece` cannot follow the output of k; the caller then drops `piece`. NULL if the form cannot be
	 * written in parts, because its output depends on more than the events, or numbers strings or types. */
	bool (*join)(struct sink *k, struct sink *piece);
	/* Name of the trace format if the form writes a directory of files (sink.dir), else NULL. */
	const char *directory;
};

/* Text and binary stream, spoor-stream(5). */
extern const struct form form_text, form_binary;
extern const struct form form_native; /* records as in the input */
/* The stream that the input is, copied if possible; text if the input is not a stream. */
extern const struct form form_input;
extern const struct form form_none; /* writes nothing */

#endif
