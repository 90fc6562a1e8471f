/* source.h - one input: opens it, and reads it as batches of events. */
#ifndef SPOOR_SOURCE_H
#define SPOOR_SOURCE_H

#include "base/die.h"
#include "base/in.h"
#include "base/progress.h"
#include "event/schema.h"
#include "input/format.h"

/* The part of its input that a source reads, see cutting (format.h) and chunk.c. */
struct source_part {
	/* Bytes: from 0 to UINT64_MAX where it is all of it. Of a trace of several streams which
	 * can be read one after the other: streams. */
	uint64_t begin, end;
	unsigned
	    cut_unit; /* cutting.grain, unless opening the input set another; so are these: */
	uint64_t stream;       /* which stream is in turn */
	uint64_t streams;      /* source_streams: how many there are; else 0 */
	uint64_t streams_size; /* their bytes */
	/* For line numbers in a part of a text stream. */
	uint64_t header_lines, lines_before;
	bool lines_counted;
	/* The clock of the whole file, by its first event. */
	bool file_clock_known;
	enum clock file_clock;
};

/* The amount that was read, for progress messages. */
struct source_count {
	uint64_t events;		      /* handed over */
	uint64_t bytes_before, events_before; /* of the inputs before it */
};

/* Faults of a source, and messages about them: see fault.h. */
struct source_faults {
	uint64_t lost;	      /* events that are known to be there, but were not decoded */
	uint64_t upstream;    /* of these: lost by the producer of this stream */
	unsigned n_messages;  /* messages about single records */
	bool pending_summary; /* something will be said at the end */
	bool silent;	      /* print no errors: the part before this one reports them */
	bool unit_reported;   /* the message that the unit of addr is unknown was printed */
	bool made_up_reported; /* the message that times were made up was printed */
	/* Place and reason of the first message under the head at hand. */
	char where[160];
	uint64_t lost_before; /* of lost: under the heads before */
};

/* A slice (slice.h), in the clock of the head numbered heads. */
struct source_slice {
	uint64_t least, most; /* times in it, as numbers that compare */
	uint64_t last;	      /* the greatest time up to here */
	unsigned head_serial;
	bool searched; /* its place in the file was searched for */
};

/* --hz: ticks become seconds, counted from the first event. */
struct source_scale {
	bool on, first_set;
	uint64_t first;
};

struct source {
	const struct format *fmt;
	const struct read_options *opt;
	/* NEED_*: all that is asked of this source: the one place for readers. */
	unsigned need;
	unsigned id;		  /* a serial() of its own */
	const char *name;	  /* for messages */
	char *input;		  /* what head.input is */
	const char *const *paths; /* of a format that takes many: all of them */
	size_t npaths;
	struct in in;
	struct head head;
	struct arena meta; /* of the strings in head */
	/* A new serial() with every new head: a writer of headers writes it again. */
	unsigned head_serial;
	struct tables t;
	uint64_t line; /* of a text format: lines seen so far */
	struct source_part part;
	struct source_count count;
	struct source_faults faults;
	struct source_slice slice;
	struct source_scale scale;
	bool
	    raw; /* a record is bytes of the input, so that it can be written as it stood */
	bool trouble; /* something was wrong: the status will be ST_TROUBLE */
	bool stop;    /* nothing more is read: --strict, or nothing further makes sense */
	void *state;  /* the format's own */
	/* The source whose events these are derived from (derive.h): it gets all faults. Else NULL. */
	struct source *of;
};

/* Reports to the program that one of several streams in the input has ended. A reader calls this after the stream's
 * last message, before it changes s->head. */
void source_head_done(struct source *s);

/* Adds to s->need the parts needed for s->head.format. A reader of streams calls this when
 * it knows the format. */
void source_needs(struct source *s);

/* Declares that s has n streams of that many bytes in all, which can be read one after the other and each alone. So
 * parts of s are ranges of streams. A reader calls this when it has opened them. */
void source_streams(struct source *s, uint64_t n, uint64_t bytes);
/* Returns true if another source has the same streams open. Files are then open only while they are read. */
static inline bool
source_shares(const struct source *s)
{
	return s->opt->opened_before && s->opt->opened_before->part.streams;
}

/* Sets s->head.clock to `clock`. With --hz, CLOCK_TICKS becomes CLOCK_NS, and source_next converts the times: so a
 * reader must call this and not set the clock itself. */
void source_clock(struct source *s, enum clock clock);

/* Appends the name of operand i to b, escaped like a value: its label, or else the operand as it was typed. */
void operand_name(const struct read_options *opt, size_t i, struct buf *b);

/* Opens the input at the front of paths[0..n), and restricts it to opt's --chunk and slice. s->npaths becomes the
 * number of paths that the input takes. Returns false, with a message, if it cannot be opened or recognised.
 * Otherwise the caller must call source_end and source_close. `opt` and the paths must stay until then. */
bool source_open(struct source *s, const struct read_options *opt, const char *const *paths,
		 size_t n);
/* Opens the input like source_open, but all of it, without regard to --chunk and the slice. */
bool source_start(struct source *s, const struct read_options *opt,
		  const char *const *paths, size_t n);
/* Opens a copy of the n bytes at p as an input, for tests; `name` is for messages. Returns false if no format knows the
 * bytes. */
bool source_memory(struct source *s, const struct read_options *opt, const char *name,
		   const void *p, size_t n);
/* Fills b with the next events, which are valid until the next call. Returns false if there are no more; s->trouble
 * is then true if there were errors. */
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
/* Prints the last messages about s. To be called after the last batch. */
void source_end(struct source *s);
/* Closes the input and frees all memory of s. */
void source_close(struct source *s);

#endif
