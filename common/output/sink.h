/* sink.h - an output, and the form in which events are written to it. */
#ifndef SPOOR_SINK_H
#define SPOOR_SINK_H

#include "base/out.h"
#include "input/threads.h"
#include "output/output_form.h"

/* The output options of a program. */
struct write_options {
	const struct form *form; /* NULL = form_input */
	bool header;		 /* -H */
	bool absolute;		 /* -A: the origin is added to times */
	bool line;		 /* --line-buffered */
	const char *path;	 /* -o; NULL = standard output */
	const char *directory;	 /* format of the directory that is written, or NULL */
	/* Options of the form; the header of the form names their type: a list of struct native, a struct
	 * row_writer_options, encode_options or export_options. NULL = no options. */
	const void *of;
};

struct sink {
	struct out out;
	/* Directory that is written instead of `out`, if an encoder or the form writes a directory. */
	struct atomic_file *dir;
	struct write_options opt;
	struct threads threads; /* see sink_threads */
	void *state;		/* state of the form */
	unsigned head_serial;	/* source.head_serial of the head that the form has begun */
	/* Conditions under which a field that no event had may occur in other events. */
	bool part; /* other parts of the input have events (--chunk) */
	bool cut;  /* events were not read; the program sets it before it closes */
	/* In a part of the output: the sink that the part belongs to. A part is written between other parts,
	 * without a header or an end. NULL in a sink that is not a part. */
	const struct sink *whole;
	bool writes;  /* the form has begun; only the form writes to `out` */
	bool trouble; /* while the form is closed: status is ST_TROUBLE */
};

/* Opens the output. Dies if that fails. An output directory must not exist or must be empty. A program that writes
 * only to k->out, without the form, does not call sink_begin. */
void sink_open(struct sink *k, const struct write_options *w);
/* Dies if the output is a terminal. Called before binary output. */
void sink_no_terminal(const struct sink *k);
/* Begins the form. Adds to opt->need what the form needs from the readers, and `need`, what the caller needs. */
void sink_begin(struct sink *k, unsigned need, struct read_options *opt);
/* Shows all events of a batch to the form. Must be called before sink_put if sink_put gets only some of them. */
void sink_see(struct sink *k, struct source *s, const struct batch *b);
/* Writes events pick[0..n) of the batch, or the first n if pick is NULL. */
void sink_put(struct sink *k, struct source *s, const struct batch *b, const uint32_t *pick,
	      uint32_t n);
/* Ends an input: writes what must follow its events. The caller must call it for every
 * input. `sink` is a struct sink, or a struct that begins with one, so that this function can
 * be a consumer.end whose `arg` is such a struct. */
void sink_end(void *sink, struct source *s);
/* Closes the form and the output, as out_close does. Returns the program's final status. */
int sink_close(struct sink *k, int status);

/* Returns the functions by which threads write to k, for a consumer whose `arg` is k. Returns NULL if the form
 * cannot be written in parts. */
const struct threads *sink_threads(struct sink *k);
/* Makes `piece` a new sink that writes the events of a part to the buffer `to`, in the form of `whole`. Implements
 * threads.open. `piece` and `whole` are a struct sink, or a struct that begins with one, here and in the next two
 * functions. */
void sink_piece(void *piece, void *whole, struct buf *to);
/* Flushes `piece`, and adds to `whole` what `piece` has counted. Implements threads.merge. Returns TURN_ON, or
 * TURN_ALONE if the text of `piece` cannot follow the output of `whole`. */
enum turn sink_join(void *whole, void *piece);
/* Frees what the sink `piece` holds, but not `piece` itself. Implements threads.close. */
void sink_drop(void *piece);

/* Returns true if a text stream with a header is open, so that lines of metadata can be written. */
bool sink_has_header(struct sink *k);
/* Writes n values to k->out as a line of text, for any form: each value escaped as in a text stream, with TABs
 * between values and a newline. */
void sink_values(struct sink *k, const struct span *v, size_t n);

#endif
