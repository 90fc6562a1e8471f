/* source.h - opens one input, and reads it as batches of events. */
#ifndef SPOOR_SOURCE_H
#define SPOOR_SOURCE_H

#include "base/die.h"
#include "base/in.h"
#include "base/progress.h"
#include "event/schema.h"
#include "input/format.h"

/* The part of its input that a source reads (cutting in format.h, and chunk.c). */
struct source_part {
	/* Bytes; 0 and UINT64_MAX for the whole input. Streams if the trace has several streams that can be read
	 * one after the other. */
	uint64_t begin, end;
	unsigned cut_unit;     /* cutting.cut_unit, unless `open` set another value */
	uint64_t stream;       /* current stream */
	uint64_t streams;      /* number of streams (source_streams), or 0 */
	uint64_t streams_size; /* bytes of all streams */
	/* To compute line numbers in a part of a text stream. */
	uint64_t header_lines, lines_before;
	bool lines_counted;
	/* The clock of the whole file, as the first event has it. */
	bool file_clock_known;
	enum clock file_clock;
};

/* How much was read, for progress messages. */
struct source_count {
	uint64_t events;		      /* events handed over */
	uint64_t bytes_before, events_before; /* of the inputs before this one */
};

/* Errors of a source, and messages about them (fault.h). */
struct source_faults {
	uint64_t lost;	      /* events known to be in the input but not decoded */
	uint64_t upstream;    /* events of `lost` that the producer of this stream lost */
	unsigned n_messages;  /* messages about single records */
	bool pending_summary; /* `end` will print a message */
	bool silent;	      /* print no errors: the previous part reports them */
	bool unit_reported;   /* the message that the unit of addr is unknown was printed */
	bool made_up_reported; /* the message that times were made up was printed */
	/* Place and reason of the first message under the current head. */
	char where[160];
	uint64_t lost_before; /* events of `lost` under previous heads */
};

/* A slice (slice.h), in the clock of the head that head_serial names. */
struct source_slice {
	uint64_t least, most; /* its times, as unsigned numbers in the order of times */
	uint64_t last;	      /* greatest time so far */
	unsigned head_serial;
	bool searched; /* the slice was searched for in the file */
};

/* --hz: ticks become seconds, counted from the first event. */
struct source_scale {
	bool on, first_set;
	uint64_t first;
};

struct source {
	const struct format *fmt;
	const struct read_options *opt;
	/* NEED_*: all that is needed of this source. Readers must look only here. */
	unsigned need;
	unsigned id;	  /* a serial() of this source */
	const char *name; /* name for messages */
	char *input;	  /* memory of head.input */
	/* All paths that the input takes, if its format reads several as one. */
	const char *const *paths;
	size_t npaths;
	struct in in;
	struct head head;
	struct arena meta; /* memory of the strings in `head` */
	/* A new serial() for every new head. A writer of headers writes the header again when it changes. */
	unsigned head_serial;
	struct tables t;
	uint64_t line; /* lines read so far, in a text format */
	struct source_part part;
	struct source_count count;
	struct source_faults faults;
	struct source_slice slice;
	struct source_scale scale;
	bool raw;     /* records are bytes of the input and can be written unchanged */
	bool trouble; /* there was an error: the status will be ST_TROUBLE */
	bool stop;    /* reading ends: --strict, or the rest would make no sense */
	void *state;  /* state of the format's reader */
	/* The source from which the events of this one are derived (derive.h). It gets all errors. Otherwise NULL. */
	struct source *of;
};

/* Reports to the program that one of several streams in the input has ended. A reader calls this after the stream's
 * last message, before it changes s->head. */
void source_head_done(struct source *s);

/* Adds to s->need the parts needed for s->head.format. A reader of streams calls this when
 * it knows the format. */
void source_needs(struct source *s);

/* Declares that s has n streams, with `bytes` bytes in all, which can be read one after the other and each alone.
 * Parts of s are then ranges of streams. A reader calls this after it has opened the streams. */
void source_streams(struct source *s, uint64_t n, uint64_t bytes);
/* Returns true if another source has the same streams open. Files are then open only while they are read. */
static inline bool
source_shares(const struct source *s)
{
	return s->opt->opened_before && s->opt->opened_before->part.streams;
}

/* Sets s->head.clock to `clock`. With --hz, CLOCK_TICKS becomes CLOCK_NS, and source_next converts the times. A
 * reader must therefore call this and not set the clock itself. */
void source_clock(struct source *s, enum clock clock);

/* Appends the name of operand i to b, escaped like a value: its label, or the operand as it was typed if there are
 * no labels. */
void operand_name(const struct read_options *opt, size_t i, struct buf *b);

/* Opens the input at the front of paths[0..n), and restricts it to opt's --chunk and slice. s->npaths becomes the
 * number of paths that the input takes. Returns false, with a message, if it cannot be opened or recognised.
 * Otherwise the caller must call source_end and source_close. `opt` and the paths must stay until then. */
bool source_open(struct source *s, const struct read_options *opt, const char *const *paths,
		 size_t n);
/* Opens the input like source_open, but all of it, without regard to --chunk and the slice. Returns false as source_open
 * does. */
bool source_start(struct source *s, const struct read_options *opt,
		  const char *const *paths, size_t n);
/* Opens a copy of the n bytes at p as an input, for tests; `name` is for messages. Returns false if no format knows the
 * bytes. */
bool source_memory(struct source *s, const struct read_options *opt, const char *name,
		   const void *p, size_t n);
/* Fills b with the next events, which are valid until the next call. Returns false if there are no more;
 * s->trouble is then true if there were errors. */
bool source_next(struct source *s, struct batch *b);
/* Prints the progress of s, in megabytes and events. */
void source_say_progress(const struct source *s);
/* Prints the progress of s if a signal has asked for it. trace_each calls it; a caller that reads s->in itself calls
 * it from time to time. */
static inline void
source_progress(const struct source *s)
{
	if (progress_due)
		source_say_progress(s);
}
/* Prints the last messages about s. Must be called after the last batch. */
void source_end(struct source *s);
/* Closes the input and frees all memory of s. */
void source_close(struct source *s);

#endif
