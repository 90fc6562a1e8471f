/* sink.h - where events go: an output, and the form in which they stand there. */
#ifndef SPOOR_SINK_H
#define SPOOR_SINK_H

#include "base/out.h"
#include "input/threads.h"
#include "output/output_form.h"

/* The options about a program's output. */
struct write_options {
	const struct form *form; /* NULL = form_input */
	bool header;		 /* -H */
	bool absolute;		 /* -A: times with the origin added */
	bool line;		 /* --line-buffered */
	const char *path;	 /* -o; NULL = standard output */
	const char *
	    directory; /* what is written: the format of the files of a directory; or NULL */
	/* The options of the form, of its own type, which the header of the form names: a list of struct native, a struct
	 * row_writer_options, encode_options or export_options. NULL = nothing is asked. */
	const void *of;
};

struct sink {
	struct out out;
	/* The directory that is written in place of `out`, if an encoder or the form writes
	 * a directory. */
	struct atomic_file *dir;
	struct write_options opt;
	struct threads threads; /* see sink_threads */
	void *state;		/* the form's own */
	unsigned head_serial;	/* source.heads of the head that the form has begun */
	/* A field that no event had may be one of other events: */
	bool part; /* those of other parts of the input (--chunk) */
	bool cut;  /* those that were not read: the program says so before it closes */
	/* In a part of the output: the sink that the part belongs to. A part is written
	 * between the other parts of this sink, and has no header and no end. NULL in a
	 * sink that is not a part. */
	const struct sink *whole;
	bool writes;  /* the form has begun: nothing is written past it */
	bool trouble; /* while the form is closed: the status is ST_TROUBLE */
};

/* Opens the output, or dies. A program that writes only to k->out, without the form, does not
 * call sink_begin. If the output is a directory, it must not exist or must be empty. */
void sink_open(struct sink *k, const struct write_options *w);
/* Dies if the output is a terminal: binary output follows. */
void sink_no_terminal(const struct sink *k);
/* Begins the form. Adds to *opt what the form needs of the readers, and `need`, what the
 * caller needs itself. */
void sink_begin(struct sink *k, unsigned need, struct read_options *opt);
/* Shows the form all events of a batch: before sink_put, where that has only some. */
void sink_see(struct sink *k, struct source *s, const struct batch *b);
/* Writes events pick[0..n) of the batch, or its first n when pick is NULL. */
void sink_put(struct sink *k, struct source *s, const struct batch *b, const uint32_t *pick,
	      uint32_t n);
/* Ends an input: writes what must follow its events. The caller must call it for every
 * input. `sink` is a struct sink, or a struct that begins with one, so that this function can
 * be a consumer.end whose `arg` is such a struct. */
void sink_end(void *sink, struct source *s);
/* Closes the form and the output, as out_close does; returns the program's final status. */
int sink_close(struct sink *k, int status);

/* Returns how threads write to k, for a consumer of which k is arg; NULL: the form cannot be written in pieces. */
const struct threads *sink_threads(struct sink *k);
/* The three functions of sink.threads. `whole` and `piece` are a struct sink, or a struct that begins with one.
 * threads.open: makes `piece` a new sink, which writes the events of a part to the buffer `to`, in the form of `whole`.
 */
void sink_piece(void *piece, void *whole, struct buf *to);
/* threads.merge: flushes `piece`, and adds to `whole` what `piece` has counted. Returns TURN_ON, or TURN_ALONE if the
 * text of `piece` cannot follow the output of `whole`. */
enum turn sink_join(void *whole, void *piece);
/* threads.close: frees what the sink `piece` holds, but not `piece` itself. */
void sink_drop(void *piece);

/* Returns true if a text stream with a header is open, in which lines of metadata may stand. */
bool sink_has_header(struct sink *k);
/* Writes n values to k->out as a line of text, in any form: escapes each value as the text stream does, and adds TABs
 * between values and a newline. */
void sink_values(struct sink *k, const struct span *v, size_t n);

#endif
