/*
 * format.h - a format of traces, and the options for reading inputs.
 *
 * A format is one struct format, in a file of its own. The program passes the formats that it knows in
 * read_options.known.
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

/* An option of a format: -O name=value of every program, and an option of the format's decoder. -O sets the option
 * in every format that has one of this name. The first of these members that is set decides which value the option
 * takes: `arg` NULL = no value, a bool becomes true; `words` = one of the words, an int64_t becomes its number
 * from 1; `most` = a number from `least` to `most`, an int64_t; otherwise a text, a const char *. */
struct format_option {
	int letter; /* letter of the decoder's option; 0 = only the long name */
	const char *name;
	const char *arg;  /* name of the value in the help; NULL = no value */
	const char *help; /* description in one line */
	size_t at;	  /* offset of the value in the struct of the format's options */
	const char *const *words; /* list that ends with NULL */
	/* The text that each word means. The user may write the text instead, so the value is a text. */
	const char *const *means;
	/* Offset of FILE, a const char *, in the struct of options, if NAME:FILE=value is allowed. FILE is NULL if
	 * it is not given. 0 = not allowed. */
	size_t file_at;
	/* Returns true if the options make all inputs be of this format, unless -f sets another. NULL = they never
	 * do. */
	bool (*chooses)(const void *options);
	uint64_t least, most;
	/* Uses the new value, before any input is read. Dies if the value is wrong; `what` is the option as it was
	 * written, for the message. NULL = nothing to do. */
	void (*then)(void *options, const char *what);
};

/* The options of a format. */
struct format_settings {
	const struct format_option
	    *options;	      /* up to one without a name; NULL = no options to offer */
	const void *defaults; /* struct of the default values */
	size_t size;	      /* bytes of this struct */
};

/* How inputs of a format are found, in addition to its sniffer (sniff.h), and which inputs are one trace. */
struct format_inputs {
	/* Returns true if the format's options say that the input s is of this format. The first bytes of s have
	 * been read. With `last`, no other format recognised the input, and the bytes may decide too; if the
	 * function then returns false, it may write advice for the message to `hint`. May be NULL. */
	bool (*claims)(struct source *s, bool last, char hint[256]);
	/* Suffix of files that name other files; NULL = no such files. */
	const char *index;
	/* Returns true if this format reads a path that is not a file of bytes, such as a directory. NULL = no
	 * such paths. */
	bool (*takes)(const char *path, const struct read_options *opt);
	bool many; /* consecutive inputs of this format are one trace */
	/* Returns true if the path is a trace by itself, together with paths within it, although `many` is set.
	 * NULL = no such paths. */
	bool (*is_single)(const char *path, const struct read_options *opt);
	/* The most calls of sandbox_temporary for one input. */
	unsigned temporaries;
};

/* How an input is cut into parts. */
struct cutting {
	/* Places at which --chunk may cut: 1 = after any newline, n = after every n bytes, 0 = nowhere. `open` sets
	 * source.part.cut_unit if an input differs. */
	unsigned cut_unit;
	/* The bytes that the reader reads outside of source.part, because they hold names that the part needs:
	 * none, the heads of blocks, or all. If it reads any, the reader itself skips events that begin outside of
	 * the part. */
	enum {
		OUTSIDE_NOTHING,
		OUTSIDE_BLOCK_HEADS,
		OUTSIDE_ALL
	} reads_outside;
	/* Returns true if the format guarantees events in order of time. A slice is then found by binary search.
	 * If cut_unit is 0, the reader itself skips events outside of a slice. NULL = no order, or unknown. */
	bool (*in_order)(const struct source *s);
	bool marks_disorder; /* the reader reports an error if an event breaks the order */
};

/* The reader of a format. Other parts of the programs find their own facts about a format by its name:
 * output/native.h, how its records are written; view/traits.h, how its events are counted and drawn;
 * trace-convert, its encoders. */
struct format {
	const char *name;	     /* name for -f and in the header */
	const char *about;	     /* description in one line */
	bool text;		     /* places are line numbers, not offsets */
	bool stream;		     /* one of spoor's two streams */
	const struct schema *schema; /* contents of its records; NULL for spoor's streams */
	/* Options, inputs and cutting. NULL = no options; recognised by the sniffer alone, one file per input;
	 * cannot be cut. */
	const struct format_settings *settings;
	const struct format_inputs *inputs;
	const struct cutting *cutting;
	/* Begins to read s. s->in holds the first bytes, unread; s->in is not open if `takes` was true. Sets
	 * s->head. A format with inputs->many also sets s->npaths to the number of s->paths that it took. */
	void (*open)(struct source *s);
	/* Fills the batch b with at least one event. Returns false at the end. */
	bool (*next)(struct source *s, struct batch *b);
	/* Reports errors that only the end shows, such as a cut stream. May be NULL. */
	void (*end)(struct source *s);
	/* Frees what the reader owns. NULL = only s->state is freed. */
	void (*close)(struct source *s);
};

/* The options that the command line set for one format. */
struct format_values {
	const struct format *fmt;
	void *options;	/* the format's struct of options */
	unsigned asked; /* bit i: -O set option i */
	bool met;	/* an input was of this format */
	struct format_values *next;
};

/* The options by which a program reads its inputs. */
struct read_options {
	/* The formats that an input may have, up to NULL. May itself be NULL if `only` is set. */
	const struct format *const *known;
	/* The sniffers of all formats, known or not, up to NULL. NULL if `only` is set. */
	const struct sniffer *const *sniffers;
	/* NEED_*: the parts of events that the program needs of every input. Readers use source.need instead. */
	unsigned need;
	/* Spoor's streams are copied as they are, and need_stream replaces `need` for them. */
	bool streams_pass;
	unsigned need_stream;
	/* The calls of sandbox_temporary by the program itself, in addition to the calls by readers. */
	unsigned own_temporaries;
	bool follow;		   /* waits for more at the end of a file (follow.h) */
	bool strict;		   /* stops at the first broken record */
	uint64_t hz;		   /* turns ticks into seconds; 0 = keeps ticks */
	const struct format *only; /* format set by -f; NULL = recognise it */
	/* The operands, set by inputs_name, and the names that --label gives them. No labels: NULL. */
	const char *const *operand;
	const char *const *label;
	size_t operands, labels;
	/* The format of a decoder; an input of another format is an error. */
	const struct format *expect;
	/* A list of the formats whose options were set; NULL = none. */
	struct format_values *values;
	unsigned chunk, chunks; /* --chunk K/N, K from 1; chunks 0 = the whole input */
	/* -j: the number of threads; 0 = one for each processor if the inputs are large enough. */
	unsigned threads, processors;
	/* In a thread's own source (threads.h), the source of the same file that was opened before. Otherwise
	 * NULL. */
	const struct source *opened_before;
	struct time_slice *slice; /* --from and --to; NULL = all events */
	/* How often the inputs are read again. Each time may call sandbox_temporary again. */
	unsigned rereads;
	/* How to merge all inputs into one, in order of time (merged.h). NULL = one after the other. */
	const struct merge_options *merge;
	/* Each path is an input of its own, even if the format reads several as one. Regular files are open only
	 * while they are read. */
	bool separate;
	size_t room; /* first size of an input's buffer in bytes; 0 = IN_SIZE */
	bool quiet;  /* no messages; an error only sets source.trouble */
	/* Takes each error of an input in place of a message, and then neither source.trouble nor the number of lost
	 * events changes (fault.h). `cost` is an enum cost; `place` is a line, an offset, or NOWHERE. NULL = errors are
	 * printed. */
	void (*found)(void *arg, struct source *s, const char *rule, int cost,
		      const char *file, uint64_t place, const char *text);
	void *found_arg;
	/* Called when a stream within an input ends, before the next begins: s->head is still the head of the
	 * stream that ended. May be NULL. consumer.end is the same for inputs. */
	void (*head_done)(void *arg, struct source *s);
	void *head_arg;
	bool states; /* events that begin and end a state become one event for the state */
	/* Returns more NEED_*: parts that are needed of events of the format in s->head. NULL = none. */
	unsigned (*need_of)(const struct source *s);
};

/* Returns the format with that name in the list `known`, which ends with NULL, or NULL. */
const struct format *format_named(const struct format *const *known, const char *name);
/* Returns f->inputs, or an empty struct if it is NULL. format_cutting returns f->cutting in the same way. */
const struct format_inputs *format_inputs(const struct format *f);
const struct cutting *format_cutting(const struct format *f);
/* Returns the options of f, which end with one without a name, or NULL if f has none. */
static inline const struct format_option *
format_option_rows(const struct format *f)
{
	return f->settings ? f->settings->options : NULL;
}

/* Returns true if the operand `next`, given after `path`, belongs to the same trace as `path`. Both must be of
 * format f. The names decide; format_inputs.is_single may look at the files. */
bool format_joins(const struct format *f, const char *path, const char *next,
		  const struct read_options *opt);

/* Returns the struct of option values for the format f, which must have options: its defaults if none was set. Never
 * NULL. */
const void *format_options(const struct read_options *opt, const struct format *f);
/* Returns the same struct for changes. The first call copies the defaults into opt->values; they are never freed.
 * Dies without memory. */
void *format_values(struct read_options *opt, const struct format *f);
/* Sets the option o of format f to `text`, or to true if the option takes no value. An option with file_at also stores
 * `file`, NULL if none was given. Both strings must stay: only pointers are stored. Dies if the value is wrong;
 * `what` is the option as it was written, for the message. */
void format_set(struct read_options *opt, const struct format *f,
		const struct format_option *o, const char *what, const char *file,
		const char *text);
/* Returns the option named name[0..n) of the first format of *known that has it, and moves *known to this format.
 * Returns NULL if no format before the final NULL has it. */
const struct format_option *format_option_named(const struct format *const **known,
						const char *name, size_t n);
/* Prints a message for each -O whose formats no input had. Must be called after all inputs have been read. */
void format_unused(const struct read_options *opt);

#endif
