/* ctf.h - the Common Trace Format: events in a stream, and metadata that describes their bytes. */
#ifndef SPOOR_EXPORT_CTF_H
#define SPOOR_EXPORT_CTF_H

#include "input/cached_text.h"
#include "trace-export/tally.h"
#include "input/cache.h"

/* Bound: trace-export ctf | kinds of events | names and arguments | 65536 | kinds of event */
#define CLASSES_MOST 65536

/* Number of combinations of the HAS_* flags, HAS_LOC included. */
#define COLUMNS (2 * HAS_LOC)

enum ctf_step_kind {
	COPY,	/* copies n bytes of the record */
	CONST,	/* writes the text in the step */
	LOC,	/* writes a string of the tables, escaped as in a stream */
	SYMBOL, /* writes a string of the tables, plain bytes */
	ARRAY,	/* writes the number of elements, and the elements */
	TEXT,	/* writes an argument as in a stream, without escapes */
};

struct ctf_step {
	uint8_t kind;	/* enum ctf_step_kind */
	uint32_t off;	/* offset in the record */
	uint32_t n;	/* bytes */
	const void *at; /* CONST: the text; ARRAY, TEXT: the struct arg */
};

struct event_class {
	struct ctf_step *step; /* NULL: not yet made */
	uint32_t n;
	uint32_t id; /* CLASSES_MOST: there are too many classes */
};

struct ctf {
	struct tally tally;
	struct out stream, meta;
	/* current packet, with the part of the next event that is written */
	struct buf packet;
	int64_t begin, last;	   /* times of its first and last event */
	bool begun;		   /* there was an event */
	struct head head;	   /* format, clock and origin of the first input */
	uint64_t shift;		   /* added to all times, so that none is below 0 */
	struct strtab classes;	   /* text of each class in the metadata */
	struct event_class *class; /* by type and columns of the event */
	struct cache class_cache;  /* its mem holds the steps */
	struct buf steps, text, raw;
	struct buf name, length;   /* identifiers of a field, and of its length */
	struct strtab identifiers; /* identifiers of the class that is being made */
	/* number of identifiers that were changed because they existed */
	unsigned same;
	struct text_cache locs, symbols;
};

/* Writes the n bytes at p to x->raw as a string of CTF, which ends with NUL; so a NUL byte becomes \x00. An
 * empty string becomes two quotes, as in a stream, because babeltrace2 2.0 shows the previous string for it. */
void ctf_raw(struct ctf *x, const uint8_t *p, size_t n);
/* Writes a value to x->raw that has the escapes of a stream. */
void ctf_value(struct ctf *x, const void *s, size_t n);
/* Makes the class of a type's events that have the columns `has` (HAS_*). */
void ctf_class(struct ctf *x, const struct type *ty, unsigned has, struct event_class *c);
/* Writes the metadata. */
void ctf_metadata(struct ctf *x);

#endif
