/*
 * format.h - an input: found out, opened, read as batches of events.
 *
 * A format is one struct format, in a file of its own; which ones there are is handed in
 * (read_options.known). Programs see a struct trace: all inputs of a command line, one
 * after the other.
 */
#ifndef SPOOR_FORMAT_H
#define SPOOR_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/die.h"
#include "base/in.h"
#include "base/out.h"
#include "base/progress.h"
#include "event/event.h"

struct source;
struct read_options;

#define STATE_NAME 64 /* bytes of a state's name, with its end */

struct format {
	const char *name;  /* what -f takes and the header says */
	const char *about; /* one line for people */
	bool text;	   /* places are lines, not offsets */
	bool many;   /* inputs of this format that stand next to each other are one trace */
	bool stream; /* one of our own two streams */
	bool received; /* the reader knows NEED_RECV */
	/* How often one input asks for a sandbox_temporary, at most. */
	unsigned temporaries;
	/* --chunk may cut: 1 behind any newline, else every so many bytes; 0 nowhere. */
	unsigned grain;
	/*
	 * How sure that these first bytes are of this format: 0 (no) to 100. `whole` says
	 * that nothing follows them. A sniffer that needs more bytes to tell says 0. From
	 * 70 on it is believed at once, else when format.c has shown it all it may look at.
	 */
	int (*sniff)(const uint8_t *p, size_t n, bool whole);
	/* Takes a path that is not a file of bytes, such as a directory. NULL where there
	 * is none. */
	bool (*takes)(const char *path, const struct read_options *opt);
	/*
	 * Begins: s->in holds the first bytes unread (no in when `takes` said so). Sets
	 * s->head; of a format that takes many, sets s->npaths to how many of s->paths it
	 * took.
	 */
	void (*open)(struct source *s);
	/* Fills a batch that has at least one event; false at the end. */
	bool (*next)(struct source *s, struct batch *b);
	void (*end)(
	    struct source *s); /* says what only the end tells: a cut stream. May be NULL */
	void (*close)(struct source *s); /* frees; may be NULL */
	/*
	 * Where a clock that goes back is an error, which a part does not see of its first
	 * event: the first and last time so far, so ordered that they compare as they are.
	 * False before the first.
	 */
	bool (*times)(const struct source *s, uint64_t *first, uint64_t *last);
	/*
	 * Where events enter and leave states: 1 when one of this name enters, -1 when it
	 * leaves one, and the state's name; 0 when it does neither. May be NULL.
	 */
	int (*state)(const char *event, size_t n, char name[STATE_NAME]);
	/* Where durations come from when the records have none: for a message. May be NULL.
	 */
	const char *durations;
	/*
	 * -n: what stands before the native records, a record, what follows them. NULL
	 * where there is nothing, or where the raw bytes are the record. native is false
	 * where there is no such form.
	 */
	bool native;
	void (*native_begin)(struct source *s, struct out *o);
	void (*native_put)(struct source *s, struct out *o, const struct rec *r,
			   struct span raw);
	void (*native_end)(struct source *s, struct out *o);
};

/* What a program asks of its inputs. */
struct read_options {
	/* The formats that an input may be of, up to NULL. May itself be NULL where `only`
	 * is set. */
	const struct format *const *known;
	/* NEED_*: what a program asks of every input. A reader looks at source.need. */
	unsigned need;
	bool streams_pass; /* our own streams are copied as they stand: they need less: */
	unsigned need_stream;
	bool strict;		   /* stop at the first record that is broken */
	bool unordered;		   /* times may go back, where the format forbids it */
	bool follow_links;	   /* in a directory, those that lead out of it too */
	uint64_t hz;		   /* turns ticks into seconds; 0 = leave them */
	const struct format *only; /* -f: do not find out */
	/* What a decoder decodes: another format is an error. */
	const struct format *expect;
	const void *own;	/* options of the format itself, or NULL: see its header */
	unsigned chunk, chunks; /* --chunk K/N, K from 1; chunks 0 = the whole input */
	bool quiet; /* no messages; what would be one sets the source's `trouble` */
	/* In one input a stream has ended and another begins: s->head is still the first
	 * one's. May be NULL. */
	void (*head_done)(struct source *s, void *arg);
	void *head_arg;
	/* What is needed besides of events of this format: NEED_*. NULL = nothing. */
	unsigned (*need_of)(const char *format);
};

struct source {
	const struct format *fmt;
	const struct read_options *opt;
	/* NEED_*: all that is asked of this source: the one place for readers. */
	unsigned need;
	unsigned id;		  /* a serial() of its own */
	const char *name;	  /* for messages */
	const char *const *paths; /* of a format that takes many: all of them */
	size_t npaths;
	struct in in;
	struct head head;
	struct arena meta; /* of the strings in head */
	/* A new serial() with every new head: a writer of headers writes it again. */
	unsigned heads;
	struct tables t;
	uint64_t line; /* of a text format: lines seen so far */
	/* chunk.c: of a part of a text stream, and for line numbers in it. */
	uint64_t header_lines, lines_before;
	bool lines_counted;
	/* The part of the file that it is: from byte 0 to UINT64_MAX where it is all of it.
	 */
	uint64_t begin, end;
	uint64_t events, lost; /* handed over; known to be there but not decoded */
	uint64_t upstream;     /* of these lost: by the producer of this stream */
	bool trouble;	       /* something was wrong: the status will be ST_TROUBLE */
	bool stop;     /* nothing more is read: --strict, or nothing further makes sense */
	unsigned said; /* messages about single records */
	bool scale;    /* --hz: ticks become seconds, counted from the first event */
	bool scale_first_set;
	uint64_t scale_first;
	/* Of a part: what the first event of the whole file tells of its clock. */
	bool file_clock_known;
	enum clock file_clock;
	char
	    lost_where[160]; /* the first message's place and reason, of the head at hand */
	uint64_t lost_before; /* of lost: under the heads before */
	void *state;	      /* the format's own */
};

/*
 * A record at a line or an offset is broken: says so, the first ten times, and counts it as
 * lost. With --strict it sets s->stop, and the reader ends.
 */
void source_bad(struct source *s, uint64_t place, const char *fmt, ...) PRINTF(3, 4) COLD;
/* The same for something that loses no event: a clock that goes back, a section that is
 * missing. */
void source_note(struct source *s, uint64_t place, const char *fmt, ...) PRINTF(3, 4) COLD;
/* Something that is worth a message but no trouble. */
void source_remark(struct source *s, uint64_t place, const char *text) COLD;
/* A message about the whole input; it makes the status ST_TROUBLE. */
void source_trouble(struct source *s, const char *fmt, ...) PRINTF(2, 3) COLD;

/* The same about `name`, one of several files that make the source. */
void source_bad_in(struct source *s, const char *name, uint64_t place, const char *fmt, ...)
    PRINTF(4, 5) COLD;
void source_note_in(struct source *s, const char *name, uint64_t place, const char *fmt,
		    ...) PRINTF(4, 5) COLD;
void source_trouble_in(struct source *s, const char *name, const char *fmt, ...)
    PRINTF(3, 4) COLD;

/*
 * The producer of this stream says that it lost events, and why: reported, and passed on as
 * it stands.
 */
void source_upstream(struct source *s, uint64_t lost, const char *reason, size_t n) COLD;

/* A stream of several in one input has ended, and said all it had to: a reader calls this
 * before it changes s->head. */
void source_head_done(struct source *s);

/* Adds what is needed of s->head.format: a reader of streams calls this when it knows. */
void source_needs(struct source *s);

/* Sets the clock of s->head: a reader of ticks calls this, so that --hz works. */
void source_clock(struct source *s, enum clock clock);

/* All inputs of a command line. */
struct trace {
	struct read_options opt;
	const char *const *paths;
	size_t npaths, at;
	struct source src; /* the current one */
	bool open;
	bool trouble;
	uint64_t events, lost; /* of inputs that are done */
	uint64_t bytes;
	/* Called when an input has ended and said all it had to, before it is closed. May
	 * be NULL. */
	void (*done)(struct source *s, void *arg);
	void *done_arg;
};

/*
 * The output is open and inputs will be read: from here on the process cannot open another
 * file for writing (sandbox.h), and SIGUSR1 asks how far it is. trace_open does this; who
 * reads inputs in another way calls it before.
 */
void inputs_begin(const struct read_options *opt, const char *const *paths, size_t n);

/* Paths as getopt leaves them: none means standard input. */
void trace_open(struct trace *t, const struct read_options *opt, char *const *paths,
		size_t n);
/*
 * The next batch, of whatever input has one; t->src is its source. False when all are read.
 * What cannot be opened or recognised is reported, and the rest goes on.
 */
bool trace_next(struct trace *t, struct batch *b);
/* For a program that reads a format in its own way: ends t->src and opens the next input.
 */
bool trace_source(struct trace *t);
/* Says how far t is: megabytes and events read so far. */
void progress_say(const struct trace *t);
/* Says so where a signal has asked. trace_next calls it; so does whoever reads t->src
 * himself, once in a while. */
static inline void
progress_check(const struct trace *t)
{
	if (progress_due)
		progress_say(t);
}
/* Gives ST_OK or ST_TROUBLE for all that happened. */
int trace_close(struct trace *t);
/* Opens one source for a reader that has other inputs of its own (a rank, a chunk). */
bool source_open(struct source *s, const struct read_options *opt, const char *const *paths,
		 size_t n);
/* The same over bytes in memory, which are copied: for tests. False when no format knows
 * them. */
bool source_memory(struct source *s, const struct read_options *opt, const char *name,
		   const void *p, size_t n);
/* The next events into a batch, which is theirs until the next call; false where there are
 * no more. Then s->trouble tells whether there was any. */
bool source_next(struct source *s, struct batch *b);
void source_end(struct source *s); /* after the last batch: its last messages */
void source_close(struct source *s);

/* The one of that name among formats up to NULL; NULL where there is none. */
const struct format *format_named(const struct format *const *known, const char *name);

#endif
