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

#include "base/out.h"
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
	/* How often one input asks for a sandbox_temporary, at most. */
	unsigned temporaries;
	/* --chunk may cut: 1 behind any newline, else every so many bytes; 0 nowhere. */
	unsigned grain;
	/*
	 * How sure that these first bytes are of this format: 0 (no) to 100. `whole` says
	 * that nothing follows them. A sniffer that needs more bytes to tell says 0. From
	 * 70 on it is believed at once, else when sniff.c has shown it all it may look at.
	 */
	int (*sniff)(const uint8_t *p, size_t n, bool whole);
	/* Takes a path that is not a file of bytes, such as a directory. NULL where there
	 * is none. */
	bool (*takes)(const char *path, const struct read_options *opt);
	/*
	 * Begins to read s. s->in holds the first bytes, unread; it is not open if `takes`
	 * was true. Sets s->head; of a format that takes many, sets s->npaths to how many
	 * of s->paths it took.
	 */
	void (*open)(struct source *s);
	/* Fills a batch that has at least one event; false at the end. */
	bool (*next)(struct source *s, struct batch *b);
	/* Reports faults that only the end shows: a stream that was cut. May be NULL. */
	void (*end)(struct source *s);
	/* Frees the format's state. May be NULL. */
	void (*close)(struct source *s);
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
	/* Where durations come from when the records have none: for a message.
	 * May be NULL. */
	const char *durations;
	/*
	 * -n: write the bytes before the native records, a record, the bytes behind them.
	 * NULL where there is nothing, or where the raw bytes are the record. native is
	 * false where there is no such form.
	 */
	bool native;
	void (*native_begin)(struct source *s, struct out *o);
	void (*native_put)(struct source *s, struct out *o, const struct rec *r,
			   struct span raw);
	void (*native_end)(struct source *s, struct out *o);
};

/* How a program reads its inputs. */
struct read_options {
	/* The formats that an input may be of, up to NULL. May itself be NULL where `only`
	 * is set. */
	const struct format *const *known;
	/* NEED_*: the parts of events that a program needs of every input. A reader looks
	 * at source.need. */
	unsigned need;
	bool streams_pass; /* our own streams are copied as they stand: they need less: */
	unsigned need_stream;
	bool strict;		   /* stop at the first record that is broken */
	bool unordered;		   /* times may go back, where the format forbids it */
	bool follow_links;	   /* in a directory, those that lead out of it too */
	uint64_t hz;		   /* turns ticks into seconds; 0 = leave them */
	const struct format *only; /* -f: do not find out */
	/* The format that a decoder decodes: another one is an error. */
	const struct format *expect;
	const void *own;	/* options of the format itself, or NULL: see its header */
	unsigned chunk, chunks; /* --chunk K/N, K from 1; chunks 0 = the whole input */
	bool quiet; /* no messages; what would be one sets the source's `trouble` */
	/* In one input a stream has ended and another begins: s->head is still the first
	 * one's. May be NULL. */
	void (*head_done)(struct source *s, void *arg);
	void *head_arg;
	/* Parts that are also needed of events of this format: NEED_*. NULL = nothing. */
	unsigned (*need_of)(const char *format);
};

/* The one of that name among formats up to NULL; NULL where there is none. */
const struct format *format_named(const struct format *const *known, const char *name);

#endif
