/*
 * format.h - a format of traces, and the options of reading inputs.
 *
 * A format is one struct format, in a file of its own; which ones there are is handed in
 * (read_options.known).
 */
#ifndef SPOOR_FORMAT_H
#define SPOOR_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event/event.h"

struct source;
struct sniffer;
struct schema;
struct read_options;
struct merge_options;
struct time_slice;

/*
 * An option of a format: -O name=value of every program, and an option of its own of the
 * format's decoder. -O sets it in every format that has the name. What it takes follows from the first
 * of these members that is set: `arg` NULL = nothing, a bool becomes true; `words` = one of
 * them, an int64_t becomes its number from 1; `most` = an int64_t from `least` to `most`;
 * else text, a const char *.
 */
struct format_option {
	int letter; /* of the decoder's option; 0 = only the long name */
	const char *name;
	const char *arg;  /* what it takes, for people; NULL = nothing */
	const char *help; /* one line */
	size_t at;	  /* the place of the value in the struct of the format's options */
	const char *const *words; /* ends with NULL */
	/* What each word stands for, which may be written instead: the value is a text. */
	const char *const *means;
	/* Where NAME:FILE=value is possible: the place of FILE, a const char *, NULL where it is
	 * not given. 0: it is not. */
	size_t file_at;
	/* Whether all inputs are of this format then, where -f sets no other. NULL: no. */
	bool (*chooses)(const void *options);
	uint64_t least, most;
	/* What else is to be done, before any input is read: NULL = nothing. Dies where the
	 * value is wrong; `what` is how the option was written, for the message. */
	void (*then)(void *options, const char *what);
};

/* The options of a format. */
struct format_settings {
	const struct format_option
	    *options; /* up to one without a name; NULL: none is asked for */
	const void
	    *defaults; /* the struct of their values, with those that hold without any */
	size_t size;   /* its bytes */
};

/* How inputs of a format are found, besides by its sniffer (sniff.h), and how they stand together. */
struct format_inputs {
	/*
	 * Whether the input s, whose first bytes are there, is of this format by the options that
	 * it was given; with `last`, no other format knows it, and what else makes sure counts,
	 * too. hint: else what to say of it then. May be NULL.
	 */
	bool (*claims)(struct source *s, bool last, char hint[256]);
	/* The end of the names of files that name others; NULL where there are none. */
	const char *index;
	/* Takes a path that is not a file of bytes, such as a directory. NULL where there
	 * is none. */
	bool (*takes)(const char *path, const struct read_options *opt);
	bool many; /* inputs of this format that stand next to each other are one trace, */
	/* except for a path for which this is true: it is a trace, together with paths within it. NULL: there is
	 * none. */
	bool (*alone)(const char *path, const struct read_options *opt);
	/* How often one input asks for a sandbox_temporary, at most. */
	unsigned temporaries;
};

/* How an input is cut into parts. */
struct cutting {
	/* --chunk may cut: 1 behind any newline, else every so many bytes; 0 nowhere. Opening
	 * sets source.part.grain, where an input is another case. */
	unsigned grain;
	/* The reader itself leaves out events that begin outside of source.part: the bytes
	 * before a part tell of its names. So it reads what blocks begin with, or all. */
	enum {
		WALKS_NOT,
		WALKS_BLOCKS,
		WALKS_ALL
	} walks;
	/* Whether events stand in order of time, by what the format says: a slice is searched
	 * for then. NULL: not so, or not known. Where grain is 0 the reader itself leaves out
	 * what is outside of a slice. */
	bool (*in_order)(const struct source *s);
	bool tells; /* and where one does not, the reader says so: an error */
};

/*
 * The reader of a format. What other programs know of it, by its name: output/native.h, how its records
 * are written; view/traits.h, how people count and draw it; trace-convert's encoders.
 */
struct format {
	const char *name;	     /* what -f takes and the header says */
	const char *about;	     /* one line, for people */
	bool text;		     /* places are lines, not offsets */
	bool stream;		     /* one of our own two streams */
	const struct schema *schema; /* what its records hold; NULL of our own streams */
	/* NULL: without options; found by the sniffer alone, one file each; not to be cut. */
	const struct format_settings *settings;
	const struct format_inputs *inputs;
	const struct cutting *cutting;
	/*
	 * Begins to read s. s->in holds the first bytes, unread; it is not open if `takes`
	 * was true. Sets s->head; of a format that takes many, sets s->npaths to how many
	 * of s->paths it took.
	 */
	void (*open)(struct source *s);
	/* Fills a batch that has at least one event; false at the end. */
	bool (*next)(struct source *s, struct batch *b);
	/* Says what only the end tells: a cut stream. May be NULL. */
	void (*end)(struct source *s);
	void (*close)(struct source *s); /* frees; NULL: state alone */
};

/* The options that the command line gave to one format. */
struct format_values {
	const struct format *fmt;
	void *options;	/* the format's own struct */
	unsigned asked; /* bit i: -O gave the i-th one */
	bool met;	/* an input was of this format */
	struct format_values *next;
};

/* What a program asks of its inputs. */
struct read_options {
	/* The formats that an input may be of, up to NULL. May itself be NULL where `only`
	 * is set. */
	const struct format *const *known;
	/* The sniffers of all formats, up to NULL, whether they are known or not. NULL where `only`
	 * is set. */
	const struct sniffer *const *sniffers;
	/* NEED_*: the parts of events that a program needs of every input. A reader looks
	 * at source.need. */
	unsigned need;
	bool streams_pass; /* our own streams are copied as they stand: they need less: */
	unsigned need_stream;
	/* How often the program asks for a sandbox_temporary, besides the readers. */
	unsigned own_temporaries;
	bool follow;		   /* at the end of a file more is waited for (follow.h) */
	bool strict;		   /* stop at the first record that is broken */
	uint64_t hz;		   /* turns ticks into seconds; 0 = leave them */
	const struct format *only; /* -f: do not find out */
	/* The operands, once inputs_name was called, and the names that --label gives them; no names: NULL. */
	const char *const *operand;
	const char *const *label;
	size_t operands, labels;
	/* The format that a decoder decodes: another one is an error. */
	const struct format *expect;
	/* Of the formats that were given options; NULL = of none. */
	struct format_values *values;
	unsigned chunk, chunks; /* --chunk K/N, K from 1; chunks 0 = the whole input */
	/* -j: by how many threads; 0 = by as many as there are processors, where it is worth it. */
	unsigned threads, processors;
	/* For a thread's own source (threads.h): the source of the same file that was opened before. Else NULL. */
	const struct source *like;
	struct time_slice *slice; /* --from and --to; NULL = all events */
	/* How often the inputs are read again: sandbox_temporary is asked as often. */
	unsigned again;
	/* All inputs are one, in order of time, merged like this (merged.h); NULL: one after
	 * the other. */
	const struct merge_options *merge;
	/* Each path is an input, also where a format takes several as one; their files that can be
	 * opened again are open only while they are read. */
	bool apart;
	size_t room; /* bytes of the buffer of an input at first; 0 = IN_SIZE */
	bool quiet;  /* no messages; what would be one sets the source's `trouble` */
	/* In one input a stream has ended and another begins: s->head is still the first
	 * one's. May be NULL. As consumer.end is for inputs. */
	void (*head_done)(void *arg, struct source *s);
	void *head_arg;
	bool states; /* where events begin and end a state, there is one of it instead */
	/* Parts that are also needed of events of the format of s->head: NEED_*. NULL = nothing. */
	unsigned (*need_of)(const struct source *s);
};

/* The one of that name among formats up to NULL; NULL where there is none. */
const struct format *format_named(const struct format *const *known, const char *name);
/* Return what f says of its inputs, and of cutting them: empty structs in place of NULL. */
const struct format_inputs *format_inputs(const struct format *f);
const struct cutting *format_cutting(const struct format *f);
/* Returns the options of f, up to one without a name; NULL where it has none. */
static inline const struct format_option *
format_option_rows(const struct format *f)
{
	return f->settings ? f->settings->options : NULL;
}

/* Returns true if the input `next` goes on with the trace that `path`, the input before it, is a part of, by
 * their names alone; both are of format f. */
bool format_joins(const struct format *f, const char *path, const char *next,
		  const struct read_options *opt);

/* The options that hold for format f, which has some: its struct. Never NULL. */
const void *format_options(const struct read_options *opt, const struct format *f);
/* The same to be changed: at first its defaults. */
void *format_values(struct read_options *opt, const struct format *f);
/* Sets option o of format f, from `text` where it takes something, for `file` where it takes
 * one (else NULL). Dies where that is wrong; `what` is how the option was written. */
void format_set(struct read_options *opt, const struct format *f,
		const struct format_option *o, const char *what, const char *file,
		const char *text);
/* Returns the option named name[0..n) of the first format of *known that has it, and moves *known to this
 * format. Returns NULL if no format up to NULL has it. */
const struct format_option *format_option_named(const struct format *const **known,
						const char *name, size_t n);
/* When all inputs have been read: a message for each -O that none of them was for. */
void format_unused(const struct read_options *opt);

#endif
