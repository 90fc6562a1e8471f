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
	/* The text that each word stands for. The user may write the text instead, so the value is a text. */
	const char *const *means;
	/* The place of FILE, a const char *, in the struct of options, if NAME:FILE=value is allowed. FILE is NULL
	 * if it is not given. 0: not allowed. */
	size_t file_at;
	/* Returns true if the options make all inputs be of this format, unless -f sets another. NULL: they never do. */
	bool (*chooses)(const void *options);
	uint64_t least, most;
	/* Uses the new value, before any input is read; NULL = nothing to do. Dies if the
	 * value is wrong; `what` is the option as it was written, for the message. */
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
	 * Returns true if the input s, of which the first bytes have been read, is of this format according to the
	 * format's options. With `last`, no other format knows the input, and its bytes may decide too. If it returns
	 * false then, `hint` may get advice for the message. May be NULL.
	 */
	bool (*claims)(struct source *s, bool last, char hint[256]);
	/* The suffix of files that name other files; NULL if there are none. */
	const char *index;
	/* Returns true for a path that this format reads although it is not a file of bytes, such as a directory.
	 * NULL if there is none. */
	bool (*takes)(const char *path, const struct read_options *opt);
	bool many; /* neighbouring inputs of this format are one trace, */
	/* except for a path for which this returns true: the path is a trace, together with paths within it. NULL:
	 * there is none. */
	bool (*is_single)(const char *path, const struct read_options *opt);
	/* The most calls of sandbox_temporary for one input. */
	unsigned temporaries;
};

/* How an input is cut into parts. */
struct cutting {
	/* --chunk may cut: 1 behind any newline, else every so many bytes; 0 nowhere. Opening
	 * sets source.part.grain, where an input is another case. */
	unsigned cut_unit;
	/* The reader itself leaves out events that begin outside of source.part: the bytes
	 * before a part tell of its names. So it reads what blocks begin with, or all. */
	enum {
		OUTSIDE_NOTHING,
		OUTSIDE_BLOCK_HEADS,
		OUTSIDE_ALL
	} reads_outside;
	/* Returns true if the format guarantees events in order of time: a slice is then found by binary search.
	 * NULL: no order, or unknown. If grain is 0, the reader itself skips events outside of a slice. */
	bool (*in_order)(const struct source *s);
	bool marks_disorder; /* and where one does not, the reader says so: an error */
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
	/* Fills the batch b with at least one event. Returns false at the end. */
	bool (*next)(struct source *s, struct batch *b);
	/* Reports errors that only the end shows, such as a cut stream. May be NULL. */
	void (*end)(struct source *s);
	/* Frees what the reader owns; NULL: frees only s->state. */
	void (*close)(struct source *s);
};

/* The options that the command line gave to one format. */
struct format_values {
	const struct format *fmt;
	void *options;	/* the format's own struct */
	unsigned asked; /* bit i: -O gave the i-th one */
	bool met;	/* an input was of this format */
	struct format_values *next;
};

/* The options by which a program reads its inputs. */
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
	/* The calls of sandbox_temporary by the program itself, besides those of readers. */
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
	/* A list of the formats that were given options; NULL = none. */
	struct format_values *values;
	unsigned chunk, chunks; /* --chunk K/N, K from 1; chunks 0 = the whole input */
	/* -j: the number of threads; 0 = one for each processor if the inputs are large enough. */
	unsigned threads, processors;
	/* For a thread's own source (threads.h): the source of the same file that was opened before. Else NULL. */
	const struct source *opened_before;
	struct time_slice *slice; /* --from and --to; NULL = all events */
	/* The number of times that the inputs are read again; each time calls sandbox_temporary again. */
	unsigned rereads;
	/* All inputs are one, in order of time, merged like this (merged.h); NULL: one after
	 * the other. */
	const struct merge_options *merge;
	/* Each path is an input, even if the format reads several as one. Regular files are open only while they are
	 * read. */
	bool separate;
	size_t room; /* bytes of the buffer of an input at first; 0 = IN_SIZE */
	bool quiet;  /* no messages; what would be one sets the source's `trouble` */
	/* Called when a stream ends within an input, before another begins: s->head is still that of the first. May be
	 * NULL. consumer.end is the same for inputs. */
	void (*head_done)(void *arg, struct source *s);
	void *head_arg;
	bool states; /* where events begin and end a state, there is one of it instead */
	/* Parts that are also needed of events of the format of s->head: NEED_*. NULL = nothing. */
	unsigned (*need_of)(const struct source *s);
};

/* Returns the format with that name in the list `known`, which ends with NULL, or NULL. */
const struct format *format_named(const struct format *const *known, const char *name);
/* Return f->inputs and f->cutting, or empty structs in place of NULL. */
const struct format_inputs *format_inputs(const struct format *f);
const struct cutting *format_cutting(const struct format *f);
/* Returns the options of f, which end with one without a name, or NULL if f has none. */
static inline const struct format_option *
format_option_rows(const struct format *f)
{
	return f->settings ? f->settings->options : NULL;
}

/* Returns true if the operand `next`, given after `path`, belongs to the same trace as `path`. Both must be of format
 * f. The format decides by the names; format_inputs.alone may look at the files. */
bool format_joins(const struct format *f, const char *path, const char *next,
		  const struct read_options *opt);

/* Returns the struct of option values for the format f, which must have options: its defaults if none was set. Never
 * NULL. */
const void *format_options(const struct read_options *opt, const struct format *f);
/* Returns the same struct to be changed. The first call copies the defaults into opt->values; they are never freed.
 * Dies without memory. */
void *format_values(struct read_options *opt, const struct format *f);
/* Sets the option o of format f to `text`, or to true if the option takes no value. An option with file_at also stores
 * `file`, NULL if none was given. Both strings must stay: only pointers are stored. Dies if the value is wrong;
 * `what` is the option as it was written, for the message. */
void format_set(struct read_options *opt, const struct format *f,
		const struct format_option *o, const char *what, const char *file,
		const char *text);
/* Returns the option named name[0..n) of the first format of *known that has it, and moves *known to this
 * format. Returns NULL if no format up to NULL has it. */
const struct format_option *format_option_named(const struct format *const **known,
						const char *name, size_t n);
/* Prints a message for each -O of a format that no input had. To be called when all inputs have been read. */
void format_unused(const struct read_options *opt);

#endif
