/* encode.h - writes events of any format as records of one format.
 *
 * An encoder is a struct encoder in a file of its own, and a row in encoders.c. The form form_encode calls it.
 * An encoder looks a type of event up once, when it first meets it (`plan`), so that an event needs no search
 * by names.
 *
 * An argument that no field of the format's schema holds is ignored. encode_skip() counts an event that the
 * format cannot hold, encode_drop() a part of an event, and messages report the counts. */
#ifndef SPOOR_ENCODE_H
#define SPOOR_ENCODE_H

#include "view/field.h"
#include "input/cache.h"

#define REMARKS_MOST 32

struct encode;
struct atomic_file;

struct encoder {
	const struct format *format; /* format of the records */
	unsigned need;		     /* NEED_* */
	bool directory;	  /* writes the files of a directory, not one stream of bytes */
	size_t state;	  /* bytes of encode.state, which begins as zeros */
	size_t plan_size; /* bytes of a plan, which begins as zeros; 0: no plans */
	/* Begins, before any input is opened; e->options are known. May be NULL. */
	void (*begin)(struct encode *e);
	/* Takes a new head e->s->head, before its events. May be NULL. */
	void (*head)(struct encode *e);
	/* Makes the plan of a type of event. Memory from e->plan_cache.mem lives as long as the plan. */
	void (*plan)(struct encode *e, const struct type *ty, void *plan);
	/* Writes events pick[0..n) of the batch; if pick is NULL, its first n. */
	void (*put)(struct encode *e, const struct batch *b, const uint32_t *pick,
		    uint32_t n);
	/* Writes what follows the events of all inputs. May be NULL. */
	void (*end)(struct encode *e);
	void (*close)(struct encode *e); /* frees the state; may be NULL */
};

/* Formats that can be written; NULL ends the list. */
extern const struct encoder *const encoders[];
/* Options of form_encode, its sink.opt.of. */
struct encode_options {
	const struct encoder *encoder;
	const void *format; /* options of the format for the output; NULL if it has none */
	/* bytes of an addr, if the input does not say; 0: the input must say */
	uint64_t block;
};
extern const struct form form_encode; /* writes records of a format */

/* Remark at the end of an input: how often something happened, and at which event first. */
struct remark {
	const char *what;
	bool lost; /* events are skipped, or wrong in their place */
	uint64_t n, first;
};

/* A location as a number, by the number of its string. */
enum place_kind {
	PLACE_NEW,    /* not yet looked at */
	PLACE_NONE,   /* "-": no location */
	PLACE_NUMBER, /* decimal, or 0x and hex; a number below 0 as its two's complement */
	PLACE_MINUS,  /* a number below 0 */
	PLACE_OF,     /* "WORD:NUMBER" */
	PLACE_TEXT,   /* not a number */
};

struct encode_place {
	uint64_t number;
	uint8_t kind;
};

struct encode {
	const struct encoder *encoder;
	const struct format *fmt; /* format of the output: encoder->format */
	const void *options;	  /* options of fmt for the output */
	struct out *out;	  /* NULL if the encoder writes a directory, `dir` */
	struct atomic_file *dir;
	struct source *s; /* source of the current events */
	unsigned run;	  /* number of the input that is a run; 0: none yet */
	/* Bytes that the format's addr counts, set by `begin` or `head`: `put` gets addresses in this unit. 0:
	 * the format has no addr. */
	uint64_t unit;
	void *state;  /* state of the encoder */
	bool trouble; /* the output lacks something that was asked for */
	bool cut;     /* for `end`: a part of the input is missing */
	/* Plans by type; valid until the tables or the head change. */
	uint8_t *plans;
	struct cache plan_cache; /* its mem lives as long as the plans */
	struct encode_place *places;
	struct cache place_cache;
	struct remark remark[REMARKS_MOST];
	unsigned nremarks;
	struct buf scratch; /* for encode_text() */
};

/* Returns the plan of a type, valid until the next encode_ready(). */
static inline void *
encode_plan(const struct encode *e, uint32_t type)
{
	return e->plans + type * e->encoder->plan_size;
}

/* Looks at a location for the first time, for encode_place(). (encode.c) */
COLD void encode_place_new(struct encode *e, uint32_t loc);

/* Returns the location `loc` as a number, valid until the next call. */
static inline const struct encode_place *
encode_place(struct encode *e, uint32_t loc)
{
	if (unlikely(e->places[loc].kind == PLACE_NEW))
		encode_place_new(e, loc);
	return &e->places[loc];
}

/* Makes the plans of new types. Must be called before the events of a batch. Dies if a second run begins and the encoder
 * writes a directory, which holds one run. */
void encode_ready(struct encode *e, struct source *s);

/* Counts event `at` of the batch b, which cannot be written, so that the status will be ST_TROUBLE. `why` is a
 * constant string, the reason after "skipped: ". */
COLD void encode_skip(struct encode *e, const struct batch *b, uint32_t at,
		      const char *why);
/* Notes an event that is written although it breaks a rule of the format. The status will be ST_TROUBLE. `why` is a
 * constant string, the rule. */
COLD void encode_wrong(struct encode *e, const struct batch *b, uint32_t at,
		       const char *why);
/* Counts n events that lose a part for which the format has no place; the status stays. `what` is a constant
 * string, such as "dur". */
void encode_drop(struct encode *e, const char *what, uint64_t n);
/* Prints the remarks since the last call, at the end of an input. */
void encode_say(struct encode *e);
/* Frees what e holds. */
void encode_free(struct encode *e);

/* Sets *v to the whole number s[0..n), as encode_number() does. Returns false if the text is no such number. */
bool encode_whole(const char *s, size_t n, bool ns, uint64_t *v, bool *neg);

/* Sets *v to the value of a field as a whole number. A text of decimal digits, or of 0x and hex, is a number,
 * too. A number below 0 is its two's complement, and *neg is true. If `ns`, a time or a text with decimals
 * becomes whole nanoseconds. Returns false if the record has no such field, or the value is not a number. */
bool encode_number(struct encode *e, const struct rec *r, const struct field *f, bool ns,
		   uint64_t *v, bool *neg);
/* Sets *v to the bytes of an argument's text, unescaped, valid until the next call. Returns false if a damaged
 * stream lacks them. */
bool encode_text(struct encode *e, const struct rec *r, const struct arg *a,
		 struct span *v);

#endif
