/*
 * encode.h - events of any format as the records of one.
 *
 * An encoder is one struct encoder, in a file of its own, and a row of encoders.c. The form form_encode calls it. An encoder looks a type of event up once,
 * when it meets it first (`plan`), so that an event costs no search by names.
 *
 * An argument that no field of the format's schema holds is ignored. encode_skip counts an event that the format
 * cannot hold, encode_drop a part of an event, and messages report the counts.
 */
#ifndef SPOOR_ENCODE_H
#define SPOOR_ENCODE_H

#include "view/field.h"
#include "input/cache.h"

#define REMARKS_MOST 32

struct encode;
struct atomic_file;

struct encoder {
	const struct format *format; /* whose records it writes */
	unsigned need;		     /* NEED_* */
	bool directory;	  /* it writes the files of a directory, not one stream of bytes */
	size_t state;	  /* bytes of encode.state, which begins as zeros */
	size_t plan_size; /* bytes of a plan, which begins as zeros; 0 = there are none */
	/* Once, before any input is opened: e->options are known. May be NULL. */
	void (*begin)(struct encode *e);
	/* Other events follow: those under the head e->s->head. May be NULL. */
	void (*head)(struct encode *e);
	/* Makes the plan of a type of event. What it takes from e->plan_cache.mem lives as long. */
	void (*plan)(struct encode *e, const struct type *ty, void *plan);
	/* Writes events pick[0..n) of the batch, or its first n where pick is NULL. */
	void (*put)(struct encode *e, const struct batch *b, const uint32_t *pick,
		    uint32_t n);
	/* Behind the events of all inputs: what follows them. May be NULL. */
	void (*end)(struct encode *e);
	void (*close)(struct encode *e); /* frees; may be NULL */
};

/* The formats that can be written, up to NULL. */
extern const struct encoder *const encoders[];
/* Options of form_encode, its sink.opt.of. */
struct encode_options {
	const struct encoder *encoder;
	const void
	    *format;	/* the options of its format for the output; NULL if it has none */
	uint64_t block; /* bytes of an addr, where an input does not say; 0: they must */
};
extern const struct form form_encode; /* as records of a format */

/* A remark of an encoder at the end of an input: how often something happened, and where first. */
struct remark {
	const char *what;
	bool lost; /* an event that is not written, or is wrong in its place */
	uint64_t n, first;
};

/* A location as a number, by its number in the tables. */
enum place_kind {
	PLACE_NEW,    /* not looked at yet */
	PLACE_NONE,   /* there is none: "-" */
	PLACE_NUMBER, /* decimal, or 0x and hex; below 0, its two's complement */
	PLACE_MINUS,  /* a number below 0 */
	PLACE_OF,     /* "WORD:NUMBER" */
	PLACE_TEXT,   /* it is no number */
};

struct encode_place {
	uint64_t number;
	uint8_t kind;
};

struct encode {
	const struct encoder *encoder;
	const struct format *fmt; /* of the output: encoder->format */
	const void *options;	  /* fmt's own, for the output */
	struct out *out;	  /* NULL where the encoder writes a directory: */
	struct atomic_file *dir;
	struct source *s; /* the events at hand are its */
	unsigned run;	  /* the input that is a run, by its number; 0: none was met */
	/* Bytes that the format's addr counts, which begin or head sets: `put` gets addresses
	 * in this unit. 0: it has no addr. */
	uint64_t unit;
	void *state;  /* the encoder's own */
	bool trouble; /* the output is not all that was asked for */
	bool cut;     /* for `end`: some of the input is missing */
	/* By type; good until the tables or the head change. */
	uint8_t *plans;
	struct cache plan_cache; /* its mem lives as long as the plans */
	struct encode_place *places;
	struct cache place_cache;
	struct remark remark[REMARKS_MOST];
	unsigned nremarks;
	struct buf scratch; /* encode_text's */
};

/* The plan of a type. */
static inline void *
encode_plan(const struct encode *e, uint32_t type)
{
	return e->plans + type * e->encoder->plan_size;
}

/* encode.c, for encode_place: looks at a location for the first time. */
COLD void encode_place_new(struct encode *e, uint32_t loc);

/* The location `loc` of a record. Good until the next call. */
static inline const struct encode_place *
encode_place(struct encode *e, uint32_t loc)
{
	if (unlikely(e->places[loc].kind == PLACE_NEW))
		encode_place_new(e, loc);
	return &e->places[loc];
}

/* To be called before the events of a batch: makes plans of types that are new. */
void encode_ready(struct encode *e, struct source *s);

/* Event `at` of the batch b cannot be written: it is counted, the status will be
 * ST_TROUBLE. `why` is a constant string: what is wrong, behind "skipped: ". */
COLD void encode_skip(struct encode *e, const struct batch *b, uint32_t at,
		      const char *why);
/* Notes an event that is written although it breaks a rule of the format. */
COLD void encode_wrong(struct encode *e, const struct batch *b, uint32_t at,
		       const char *why);
/* Parts of n events have no place in the format: counted and told, no trouble. `what` is a
 * constant string: "dur". */
void encode_drop(struct encode *e, const char *what, uint64_t n);
/* Prints what was told since the last time: at the end of an input. */
void encode_say(struct encode *e);
/* Frees what e holds. */
void encode_free(struct encode *e);

/* *v = s[0..n) as a whole number: see encode_number. */
bool encode_whole(const char *s, size_t n, bool ns, uint64_t *v, bool *neg);

/*
 * *v = the value of a field as a whole number, of any kind that is one: a text of decimal
 * digits, or 0x and hex, counts. A number below 0 is its two's complement, with *neg set.
 * A time, or a text with decimals, is whole nanoseconds where `ns` is asked for. False
 * where the record has no such field or it is no number.
 */
bool encode_number(struct encode *e, const struct rec *r, const struct field *f, bool ns,
		   uint64_t *v, bool *neg);
/* *v = the bytes of an argument's text, unescaped. Good until the next call. False if a
 * damaged stream has none. */
bool encode_text(struct encode *e, const struct rec *r, const struct arg *a,
		 struct span *v);

#endif
