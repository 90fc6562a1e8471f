/*
 * ctf.h - the Common Trace Format: events in a stream, and the metadata that say what they are
 * made of.
 */
#ifndef SPOOR_EXPORT_CTF_H
#define SPOOR_EXPORT_CTF_H

#include "input/cached_text.h"
#include "trace-export/tally.h"
#include "input/cache.h"

/* Bound: trace-export ctf | kinds of events | names and arguments | 65536 | kinds of event */
#define CLASSES_MOST 65536

/* A bit beside HAS_*. */
#define COLUMNS (2 * HAS_LOC)

enum ctf_step_kind {
	COPY,	/* n bytes of the record */
	CONST,	/* the text in the step */
	LOC,	/* the number of a string, which is a text of a stream */
	SYMBOL, /* the same, which are bytes */
	ARRAY,	/* how many elements, and they */
	TEXT,	/* what stands in a stream, without escapes */
};

struct ctf_step {
	uint8_t kind;	/* enum ctf_step_kind */
	uint32_t off;	/* in the record */
	uint32_t n;	/* bytes */
	const void *at; /* CONST: the text; ARRAY, TEXT: the struct arg */
};

struct event_class {
	struct ctf_step *step; /* NULL: not made yet */
	uint32_t n;
	uint32_t id; /* CLASSES_MOST: too many */
};

struct ctf {
	struct tally tally;
	struct out stream, meta;
	struct buf packet;	   /* with what is written of the next event */
	int64_t begin, last;	   /* of the packet: times of its events */
	bool begun;		   /* there was an event */
	struct head head;	   /* format, clock and origin, of the first one */
	uint64_t shift;		   /* added to all times, so that none is below 0 */
	struct strtab classes;	   /* by what metadata says of each */
	struct event_class *class; /* by type and columns */
	struct cache class_cache;  /* its mem: of steps */
	struct buf steps, text, raw;
	struct buf name, length;   /* identifiers of a field, and of how many it has */
	struct strtab identifiers; /* of the class that is made */
	unsigned same;		   /* of these that became another */
	struct text_cache locs, symbols;
};

/*
 * x->raw = the n bytes at p as a string of CTF: a NUL ends it, so one in it is \x00. Of an
 * empty one babeltrace2 2.0 shows what was there before: it is two quotes, as in a stream.
 */
void ctf_raw(struct ctf *x, const uint8_t *p, size_t n);
/* Writes a value that is given as it stands in a stream. */
void ctf_value(struct ctf *x, const void *s, size_t n);
/* Makes a class: that of a type's events that have these columns, HAS_*. */
void ctf_class(struct ctf *x, const struct type *ty, unsigned has, struct event_class *c);
/* Writes the metadata. */
void ctf_metadata(struct ctf *x);

#endif
